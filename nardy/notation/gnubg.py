"""The position ID and the match ID of GNU Backgammon.

The position ID is a board: 80 bits, for each player a 1 for each checker and a 0 after each of the
points 1 to 24 and the bar, each in his own numbers, the player *not* on roll first.

The match ID is the rest: 67 bits in 72, see `BITS`. Player 1 is here always the player on roll when
it is written; when it is read, it says which of the two is.

Sources: the technical notes of GNU Backgammon's manual, sections 11.6 and 11.7; for the last bit,
which the manual does not have, ``matchid.c`` of version 1.07; pairs that it has checked
(tests/cases/id_pairs.json).
"""

import base64
import re

import numpy as np

from nardy.context import Context, Offer
from nardy.notation.shared import (
    Side,
    make_context,
    need_contrary,
    need_fifteen,
    need_place,
    no_place,
    place_sides,
    whole_scores,
)
from nardy.position import Position
from nardy.text import only_text
from nardy.variants import rules_of
from nardy_core.errors import ParseError
from nardy_core.rules import Rules

__all__ = ["match_id", "parse_gnubg", "position_from_id", "position_id"]

BITS = {
    "cube": 4,  # exponent of the value; while a double is offered, of the value before it
    "owner": 2,  # of the cube: a player, or 3 for nobody
    "on_roll": 1,  # the player on roll, or who has rolled
    "crawford": 1,
    "state": 3,  # of the game, see `PLAYING`
    "turn": 1,  # the player who must act: not the one on roll while something is offered
    "doubled": 1,  # whether a double is offered
    "resigned": 2,  # what a player offers to lose: 1 single, 2 mars, 3 koks
    "die1": 3,  # the larger die first; 0 before the throw
    "die2": 3,
    "length": 15,  # of the match, 0 for money
    "score0": 15,
    "score1": 15,
    "no_jacoby": 1,  # for money only; IDs of old versions have 0 here in a match
}
"""The fields of the match ID and their bits, the lowest first."""

NOBODY = 3
NO_GAME, PLAYING, OVER, RESIGNED, DROPPED = range(5)
RESIGNATIONS: tuple[Offer, ...] = ("single", "mars", "koks")


def position_id(position: Position) -> str:
    """Write the gnubg position ID of a position.

    The ID holds two players of 15 checkers who travel in contrary directions: the player *not* on
    roll first, then the player on roll. It names neither the game nor dice, cube or score.

    Parameters
    ----------
    position : Position
        Any position of the short family with 15 checkers.

    Returns
    -------
    str
        14 characters.

    Raises
    ------
    InvalidArgument
        If the game has no position IDs.

    Examples
    --------
    >>> from nardy import Position
    >>> from nardy.notation import position_id
    >>> position_id(Position.start("short"))
    '4HPwATDgc/ABMA'
    """
    _need(position.rules)
    bits = ""
    for side in (position.flip().board, position.board):
        for count in np.maximum(side[1:26], 0).tolist():
            bits += "1" * count + "0"
    key = int(bits[::-1], 2).to_bytes(10, "little")
    return base64.b64encode(key).decode()[:14]


def position_from_id(text: str, rules: Rules | str = "short") -> Position:
    """Read a gnubg position ID.

    Parameters
    ----------
    text : str
        14 characters: the player *not* on roll first, then the player on roll.
    rules : Rules or str
        The game; its players travel in contrary directions with 15 checkers each.

    Returns
    -------
    Position
        The position; checkers that the ID does not show are off.

    Raises
    ------
    ParseError, InvalidPosition, InvalidArgument
        If the text is no position ID; if the board cannot stand under the rules; if the game has no
        position IDs.

    Examples
    --------
    >>> from nardy.notation import position_from_id
    >>> position_from_id("HC/wATDg8+AxAA").text()
    'short 16:2 13:4 8:4 6:5 | 24:2 13:5 7:1 6:4 3:3'
    """
    game = rules_of(rules)
    _need(game)
    if re.fullmatch(r"[A-Za-z0-9+/]{14}", only_text("a position ID", text)) is None:
        msg = f"a position ID is 14 characters of A-Z, a-z, 0-9, + and /; got {text!r}"
        raise ParseError(msg)
    key = base64.b64decode(text + "==")
    if base64.b64encode(key).decode()[:14] != text:
        msg = f"{text!r} is no position ID: its last character has bits beyond the 80 of the key"
        raise ParseError(msg)
    counts = f"{int.from_bytes(key, 'little'):080b}"[::-1].split("0")
    if len(counts) <= 50 or any(counts[50:]):
        much = "less" if len(counts) <= 50 else "more"
        msg = f"{text!r} is no position ID: it holds {much} than two sides of 25 places"
        raise ParseError(msg)
    theirs, mine = (_side(counts[start : start + 25]) for start in (0, 25))
    return place_sides(game, [mine, theirs], text)


def _need(rules: Rules) -> None:
    need_contrary(rules, "position IDs")
    need_fifteen(rules, "position IDs")


def _side(counts: list[str]) -> Side:
    return {point: len(ones) for point, ones in enumerate(counts, 1) if ones}


def match_id(context: Context) -> str:
    """Write the gnubg match ID of a context.

    Parameters
    ----------
    context : Context
        A context of a game with contrary travel and 15 checkers. Half points, a remainder and
        numbers beyond the bits have no place; the board, the game, beavers, the limit of the cube
        and who had the first turn are not written.

    Returns
    -------
    str
        12 characters. Player 1 is the player on roll. The larger die stands first.

    Raises
    ------
    InvalidArgument
        If the ID cannot hold the context.

    Examples
    --------
    >>> from nardy import Context, Position
    >>> start = Position.start("short")
    >>> match_id(Context(start, (5, 2), 8, "me", 11, (6, 1)))
    'U4lqARAAMAAE'
    >>> match_id(Context(start, jacoby=True))
    'cAkAAAAAAAAA'
    """
    c = context
    _need(c.position.rules)
    need_place(c, "a match ID", ["double", *RESIGNATIONS])
    theirs, mine = whole_scores(c, "a match ID")[::-1]
    die1, die2 = sorted(c.dice or (0, 0), reverse=True)
    over = c.position.status().over and not c.position.rules.draw_points
    return _pack(
        c,
        cube=c.cube_value.bit_length() - 1,
        owner={"me": 1, "opponent": 0, None: NOBODY}[c.cube_owner],
        on_roll=1,
        crawford=int(c.crawford),
        state=OVER if over else PLAYING,
        turn=int(c.offer is None),
        doubled=int(c.offer == "double"),
        resigned=RESIGNATIONS.index(c.offer) + 1 if c.offer in RESIGNATIONS else 0,
        die1=die1,
        die2=die2,
        length=c.match_length or 0,
        score0=theirs,
        score1=mine,
        no_jacoby=int(not c.jacoby),
    )


def _pack(context: Context, **values: int) -> str:
    """Put the fields side by side."""
    key = shift = 0
    for name, bits in BITS.items():
        if values[name] >> bits:
            raise no_place(context, "a match ID", f"{values[name]} for {name}, {bits} bits,")
        key |= values[name] << shift
        shift += bits
    return base64.b64encode(key.to_bytes(9, "little")).decode()


def parse_gnubg(
    position_id: str, match_id: str | None = None, rules: Rules | str = "short"
) -> Context:
    """Read a gnubg position ID and match ID.

    Parameters
    ----------
    position_id : str
        14 characters; or both IDs with a ``:`` between them, as gnubg prints them.
    match_id : str, optional
        12 characters. Default: money, no dice, the cube in the middle, no Jacoby.
    rules : Rules or str
        The game, which the IDs do not name.

    Returns
    -------
    Context
        The context in the view of the player on roll, whichever player of the match ID that is; of
        the one who made it while an offer is open. In a match the Jacoby bit means nothing.

    Raises
    ------
    ParseError, InvalidPosition, InvalidArgument
        If a text is no ID or says what cannot be, also that the game has ended; if the board cannot
        stand under the rules; if the game has no position IDs.

    Examples
    --------
    >>> c = parse_gnubg("Ty2AATy+VwMAAA", "U4lqARAAMAAE")
    >>> c.position.text()
    'short 6:2 5:1 4:1 3:4 2:5 off:2 | 24:4 15:2 6:1 5:2 4:1 3:1 1:4'
    >>> c.dice, c.cube_value, c.cube_owner, c.match_length, c.score
    ((5, 2), 8, 'me', 11, (6, 1))
    """
    if match_id is None and ":" in only_text("a position ID", position_id):
        position_id, _, match_id = position_id.partition(":")
    position = position_from_id(position_id, rules)
    if match_id is None:
        return Context(position)
    bits = _unpack(match_id)
    fault = _fault(bits, position.status().over)
    if fault:
        msg = f"{match_id!r} is no match ID of a game that goes on: {fault}"
        raise ParseError(msg)
    me = bits["on_roll"]
    resigned = bits["resigned"]
    return make_context(
        f"{position_id}:{match_id}",
        position,
        dice=(bits["die1"], bits["die2"]) if bits["die1"] else None,
        cube_value=1 << bits["cube"],
        cube_owner={me: "me", 1 - me: "opponent", NOBODY: None}[bits["owner"]],
        match_length=bits["length"] or None,
        score=(bits[f"score{me}"], bits[f"score{1 - me}"]),
        crawford=bool(bits["crawford"]),
        jacoby=position.rules.cube and not bits["length"] and not bits["no_jacoby"],
        offer="double" if bits["doubled"] else RESIGNATIONS[resigned - 1] if resigned else None,
    )


def _unpack(text: str) -> dict[str, int]:
    """Take the fields of a match ID apart."""
    if re.fullmatch(r"[A-Za-z0-9+/]{12}", only_text("a match ID", text)) is None:
        msg = f"a match ID is 12 characters of A-Z, a-z, 0-9, + and /; got {text!r}"
        raise ParseError(msg)
    key = int.from_bytes(base64.b64decode(text), "little")
    values = {}
    for name, bits in BITS.items():
        values[name] = key & ((1 << bits) - 1)
        key >>= bits
    if key:
        msg = f"{text!r} is no match ID: it has bits beyond the {sum(BITS.values())} of its fields"
        raise ParseError(msg)
    return values


def _fault(bits: dict[str, int], finished: bool) -> str | None:
    """Say what no match ID of a game that goes on says, or None.

    A state of "no game" is what gnubg writes for a position that was set up.
    """
    dice = (bits["die1"], bits["die2"])
    acts = "the player on roll" if bits["turn"] == bits["on_roll"] else "the other player"
    offers = bool(bits["doubled"]) + bool(bits["resigned"])
    faults = {
        f"the dice are {dice[0]} and {dice[1]}": max(dice) > 6 or (0 in dice and any(dice)),
        f"the owner of the cube is {bits['owner']}, not 0, 1 or 3": bits["owner"] == 2,
        "a double and a resignation are offered at once": offers > 1,
        f"{acts} must act, and {offers or 'no'} offer is open": (
            (bits["turn"] == bits["on_roll"]) == bool(offers)
        ),
        f"the state of the game is {bits['state']}, not 0 to 4": bits["state"] > DROPPED,
        "the game has ended with a resignation": bits["state"] == RESIGNED,
        "the game has ended with a double that was passed": bits["state"] == DROPPED,
        "the game is over, but both players have checkers in play": (
            bits["state"] == OVER and not finished
        ),
    }
    return next((fault for fault, found in faults.items() if found), None)
