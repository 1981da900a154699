"""The OGID of HedgeHog and OpenGammon.

Fields with ``:`` between them, on a board with one numbering for both: White goes from 1 to 24, and
Black from 24 to 1.

1. and 2. a character for each checker of White, then of Black: ``0`` to ``9`` and ``a`` to ``p``
   are places 0 to 25, where 0 is White's bar and 25 is Black's; ``q``, or none, is a checker off;
3. the owner of the cube (``N`` nobody, ``W``, ``B``), the exponent of its value, and ``N``, or
   ``O`` while a double is offered, ``T`` after a take, ``P`` after a pass;
4. the dice, or nothing; 5. the player who **reached** the position, so that the *other* is on roll;
   while a double is offered, the doubler;
6. the state: ``IW`` and ``IB`` before the first throw of White and of Black, ``C`` before a throw,
   ``R`` after it, ``D`` while a double is offered, ``A`` after a take; others end the game;
7. and 8. the scores of White and Black; 9. the match length, 0 for money, with ``C`` for the
   Crawford game or ``L`` for a later one; 10. the number of the turn; 11. the number of checkers if
   it is not 15.

Sources: HedgeHog's OGID.md (gitlab.com/eranlambooij/hedgehog-public, CC BY 4.0) as it is restated
by the codecs of GammonView and AnkiGammon, and positions that HedgeHog wrote beside the plays made
in them (tests/cases/ogid_positions.json).
"""

import re

from nardy.context import Context
from nardy.notation.shared import (
    Side,
    make_context,
    need_contrary,
    need_place,
    place_sides,
    read_choice,
    read_dice,
    read_power,
    read_whole,
    seat,
    whole_scores,
)
from nardy.position import Position
from nardy.text import OFF, only_text
from nardy.variants import rules_of
from nardy_core.errors import InvalidArgument, ParseError
from nardy_core.rules import Rules

__all__ = ["ogid", "parse_ogid"]

PLACES = "0123456789abcdefghijklmnop"
OFF_PLACE = "q"

MOST_EXPONENT = 9
"""The greatest exponent of the cube that fits into its one digit."""

STATES = ("", "IW", "IB", "C", "R", "D", "A")
"""States of a game that goes on."""


def ogid(context: Context, turn: int = 1) -> str:
    """Write an OGID.

    Parameters
    ----------
    context : Context
        A context of a game with contrary travel that is not over. Half points, an offer to lose, a
        remainder and a cube above 512 have no place; the game, Jacoby, beavers, the limit of the
        cube and who had the first turn are not written.
    turn : 1 or -1
        1 writes the player on roll as Black, -1 as White.

    Returns
    -------
    str
        Ten fields, the number of the turn as 0; an eleventh if there are not 15 checkers.

    Raises
    ------
    InvalidArgument
        If an OGID cannot hold the context, or there is no such turn.

    Examples
    --------
    >>> from nardy import Context, Position
    >>> blot = Position.from_text("short 24:2 13:5 8:3 6:4 bar:1 | 24:1 13:5 8:3 6:6")
    >>> ogid(Context(blot, (4, 2), 2, "opponent", 7, (1, 5)))
    '1ccccchhhjjjjjj:6666888dddddoop:W1N:42:W:R:5:1:7:0'
    >>> ogid(Context(blot, (4, 2), 2, "opponent", 7, (1, 5)), turn=-1)
    '011ccccchhhjjjj:666666888dddddo:B1N:42:B:R:1:5:7:0'
    """
    turn = seat(turn)
    c = context
    rules = c.position.rules
    need_contrary(rules, "OGIDs")
    need_place(c, "an OGID", ["double"])
    if c.position.status().over:
        msg = f"an OGID cannot hold the finished game of {c.text()!r}"
        raise InvalidArgument(msg)
    me, opponent = ("B", "W") if turn == 1 else ("W", "B")
    black = c.position if turn == 1 else c.position.flip()
    fields = [
        *_checkers(black),
        {"me": me, "opponent": opponent, None: "N"}[c.cube_owner] + _cube(c),
        "{}{}".format(*c.dice) if c.dice else "",
        me if c.offer else opponent,
        "D" if c.offer else "R" if c.dice else "C",
        *map(str, whole_scores(c, "an OGID")[::-turn]),
        f"{c.match_length or 0}{'C' if c.crawford else ''}",
        "0",
        *([] if rules.checkers == 15 else [str(rules.checkers)]),
    ]
    return ":".join(fields)


def _checkers(black: Position) -> tuple[str, str]:
    """Write the checkers of White and of Black, whose position is given."""
    sides = (black.flip().board.tolist(), black.board.tolist())
    white = "".join(PLACES[25 - point] * max(sides[0][point], 0) for point in range(25, 0, -1))
    return white, "".join(PLACES[point] * max(sides[1][point], 0) for point in range(1, 26))


def _cube(context: Context) -> str:
    """Write the exponent of the cube and what is done with it."""
    exponent = context.cube_value.bit_length() - 1
    if exponent > MOST_EXPONENT:
        msg = f"an OGID cannot hold the cube at {context.cube_value} of {context.text()!r}"
        raise InvalidArgument(msg)
    return f"{exponent}{'O' if context.offer else 'N'}"


def parse_ogid(text: str, rules: Rules | str = "short") -> Context:
    """Read an OGID.

    Parameters
    ----------
    text : str
        Five to eleven fields with ``:`` between them; ``OGID=`` before them is allowed. The number
        of the turn is not kept.
    rules : Rules or str
        The game, which an OGID does not name.

    Returns
    -------
    Context
        The context in the view of the player on roll, or of the doubler while a double is offered.

    Raises
    ------
    ParseError, InvalidPosition, InvalidArgument
        If the text is no OGID, or says what cannot be; if the board cannot stand under the rules;
        if OGIDs cannot hold the game.

    Examples
    --------
    >>> c = parse_ogid("44cccchhhjjjjmm:116666888ddddlp:N0N:56:W:R:0:1:3:7")
    >>> c.position.text()
    'short 21:1 13:4 8:3 6:4 1:2 bar:1 | 21:2 13:4 8:3 6:4 3:2'
    >>> c.dice, c.match_length, c.score  # White reached it, so Black is on roll
    ((5, 6), 3, (1, 0))
    """
    game = rules_of(rules)
    need_contrary(game, "OGIDs")
    words = only_text("an OGID", text).strip().removeprefix("OGID=").split(":")
    if not 5 <= len(words) <= 11:
        msg = f"an OGID has 5 to 11 fields with ':' between them, got {len(words)} in {text!r}"
        raise ParseError(msg)
    words += ("", "0", "0", "0", "", "")[len(words) - 5 :]
    white, black, cube, dice, reached, state, white_score, black_score, length, turn, count = words
    _need_count(game, count, text)
    read_whole("the number of the turn", turn or "0", text)
    owner, value, offered = _read_cube(cube, text)
    on_roll = _on_roll(reached, state, offered, bool(dice), text)
    sides = [_side(black, text, mirrored=False), _side(white, text, mirrored=True)]
    score = [read_whole("the score", word or "0", text) for word in (black_score, white_score)]
    seat_of = {"B": 1, "W": -1}[on_roll]
    points, crawford = _read_length(length, text)
    return make_context(
        text,
        place_sides(game, sides[::seat_of], text),
        dice=read_dice(dice, text) if dice else None,
        cube_value=value,
        cube_owner=None if owner == "N" else "me" if owner == on_roll else "opponent",
        match_length=points or None,
        score=tuple(score[::seat_of]),
        crawford=crawford,
        offer="double" if offered else None,
    )


def _need_count(rules: Rules, word: str, text: str) -> None:
    """Refuse an OGID with another number of checkers than the game has."""
    count = read_whole("the number of checkers", word, text) if word else 15
    if count != rules.checkers:
        msg = f"expected {rules.checkers} checkers of {rules.name}, got {count} in {text!r}"
        raise ParseError(msg)


def _read_cube(word: str, text: str) -> tuple[str, int, bool]:
    """Read the owner of the cube, its value, and whether a double is offered."""
    match = re.fullmatch("([NWB])([0-9]{1,2})([NOTP])", word)
    if match is None:
        msg = f"expected a cube such as 'N0N', 'W1N' or 'B2O', got {word!r} in {text!r}"
        raise ParseError(msg)
    if match[3] == "P":
        msg = f"the game has ended with a double that was passed: {text!r}"
        raise ParseError(msg)
    return match[1], read_power(match[2], "the cube", text), match[3] == "O"


def _on_roll(reached: str, state: str, offered: bool, rolled: bool, text: str) -> str:
    """Say who is on roll: W or B."""
    other = read_choice("who reached the position", reached, {"W": "B", "B": "W"}, text)
    if state not in STATES:
        msg = f"expected a state of a game that goes on, {STATES[1:]}, got {state!r} in {text!r}"
        raise ParseError(msg)
    if state and offered != (state == "D"):
        msg = f"the cube and the state {state!r} disagree on whether a double is offered: {text!r}"
        raise ParseError(msg)
    if state in ("IW", "IB") and not rolled:
        return state[1]
    return reached if offered else other


def _side(word: str, text: str, mirrored: bool) -> Side:
    """Read the checkers of one player; `mirrored` for White, whose own point is 25 - place."""
    side: Side = {}
    for letter in word:
        place = PLACES.find(letter)
        point = OFF if letter == OFF_PLACE else 25 - place if mirrored else place
        if (place < 0 or point == OFF) and letter != OFF_PLACE:
            msg = f"expected places 0 to 9 and a to p, and the own bar, got {letter!r} in {text!r}"
            raise ParseError(msg)
        side[point] = side.get(point, 0) + 1
    return side


def _read_length(word: str, text: str) -> tuple[int, bool]:
    """Read the match length, 0 for money, and whether this is the Crawford game."""
    match = re.fullmatch("([0-9]{1,10})([CL]?)", word or "0")
    if match is None:
        msg = f"expected a match length such as '7', '7C' or '7L', got {word!r} in {text!r}"
        raise ParseError(msg)
    return int(match[1]), match[2] == "C"
