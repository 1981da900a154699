"""The XGID of eXtreme Gammon.

``XGID=`` and ten fields with ``:`` between them, in the view of a *bottom* and a *top* player:

1. 26 characters: the top player's bar, the bottom player's points 1 to 24, the bottom player's bar;
   ``A`` to ``O`` are 1 to 15 checkers of the bottom player, ``a`` to ``o`` of the top player;
2. the exponent of the cube's value; 3. its owner, 1 the bottom player, -1 the top, 0 nobody;
4. who is on roll, 1 or -1; 5. the dice, ``00`` before the throw, ``D`` while a double is offered:
   the turn is then the doubler's, and the cube is as before;
6. and 7. the scores, bottom and top; 8. in a match 1 for the Crawford game, for money 1 for Jacoby
   and 2 for beavers, added up; 9. the match length, 0 for money; 10. the exponent of the greatest
   cube.

Sources: chapter "XGID" of the manual of eXtreme Gammon 2; what GNU Backgammon 1.08 reads
(``set.c``); pairs that it has checked (tests/cases/id_pairs.json).
"""

from typing import Any

from nardy.context import Context
from nardy.notation.shared import (
    Side,
    make_context,
    need_contrary,
    need_fifteen,
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
from nardy.text import only_text
from nardy.variants import rules_of
from nardy_core.errors import ParseError
from nardy_core.rules import Rules

__all__ = ["parse_xgid", "xgid"]

NO_LIMIT = 1024
"""What XG writes for the greatest cube unless it is told otherwise: read as no limit."""

FIELDS = 10
PLACES = 26


def xgid(context: Context, turn: int = 1) -> str:
    """Write an XGID.

    Parameters
    ----------
    context : Context
        A context of a game with contrary travel and 15 checkers. Half points, an offer to lose and
        a remainder have no place; the game and who had the first turn are not written.
    turn : 1 or -1
        1 writes the player on roll as the bottom player, -1 as the top player.

    Returns
    -------
    str
        ``XGID=`` and ten fields. No limit of the cube is written as 1024, as XG does.

    Raises
    ------
    InvalidArgument
        If an XGID cannot hold the context, or there is no such turn.

    Examples
    --------
    >>> from nardy import Context, Position
    >>> blot = Position.from_text("short 24:2 13:5 8:3 6:4 bar:1 | 24:1 13:5 8:3 6:6")
    >>> xgid(Context(blot, (4, 2), 2, "opponent", 7, (1, 5)))
    'XGID=-a----D-C---eE---c-f----BA:1:-1:1:42:1:5:0:7:10'
    >>> xgid(Context(blot, (4, 2), 2, "opponent", 7, (1, 5)), turn=-1)
    'XGID=ab----F-C---eE---c-d----A-:1:1:-1:42:5:1:0:7:10'
    """
    turn = seat(turn)
    _need(context.position.rules)
    need_place(context, "an XGID", ["double"])
    c = context
    owner = {"me": turn, "opponent": -turn, None: 0}[c.cube_owner]
    switches = c.crawford if c.match_length else c.jacoby + 2 * c.beaver
    numbers = [
        c.cube_value.bit_length() - 1,
        owner,
        turn,
        "D" if c.offer else "{}{}".format(*c.dice or (0, 0)),
        *whole_scores(c, "an XGID")[::turn],
        int(switches),
        c.match_length or 0,
        (c.cube_limit or NO_LIMIT).bit_length() - 1,
    ]
    return f"XGID={_places(c.position if turn == 1 else c.position.flip())}:" + ":".join(
        map(str, numbers)
    )


def _places(bottom: Position) -> str:
    """Write the board of the bottom player: 26 characters."""
    board = bottom.board.tolist()
    return "".join(map(_letter, (board[26], *board[1:25], board[25])))


def _letter(count: int) -> str:
    """Write the checkers of one place, negative for the top player."""
    return chr((ord("A") if count > 0 else ord("a")) + abs(count) - 1) if count else "-"


def parse_xgid(text: str, rules: Rules | str = "short") -> Context:
    """Read an XGID.

    Parameters
    ----------
    text : str
        Ten fields with ``:`` between them; ``XGID=`` before them may be missing.
    rules : Rules or str
        The game, which an XGID does not name.

    Returns
    -------
    Context
        The context in the view of the player on roll, or of the doubler while a double is offered.
        A greatest cube of 1024, which XG writes unless it is told otherwise, is no limit.

    Raises
    ------
    ParseError, InvalidPosition, InvalidArgument
        If the text is no XGID or says what cannot be; if the board cannot stand under the rules; if
        XGIDs cannot hold the game.

    Examples
    --------
    >>> c = parse_xgid("XGID=-dEDAAB---b--------abaa-d-:3:1:1:52:6:1:0:11:10")
    >>> c.position.text()
    'short 6:2 5:1 4:1 3:4 2:5 off:2 | 24:4 15:2 6:1 5:2 4:1 3:1 1:4'
    >>> c.dice, c.cube_value, c.cube_owner, c.match_length, c.score
    ((5, 2), 8, 'me', 11, (6, 1))
    """
    game = rules_of(rules)
    _need(game)
    words = only_text("an XGID", text).strip().removeprefix("XGID=").split(":")
    if len(words) != FIELDS:
        msg = f"an XGID has {FIELDS} fields with ':' between them, got {len(words)} in {text!r}"
        raise ParseError(msg)
    places, cube, owner, turn_word, dice, bottom, top, switches, length, limit = words
    turn: int = read_choice("the turn", turn_word, {"1": 1, "-1": -1}, text)
    score = [read_whole("the score", word, text) for word in (bottom, top)]
    owners = {"0": None, str(turn): "me", str(-turn): "opponent"}
    return make_context(
        text,
        place_sides(game, _sides(places, text)[::turn], text),
        **_read_dice(dice, text),
        cube_value=read_power(cube, "the cube", text),
        cube_owner=read_choice("the owner of the cube", owner, owners, text),
        score=tuple(score[::turn]),
        cube_limit=_read_limit(game, limit, text),
        **_read_match(switches, length, text),
    )


def _need(rules: Rules) -> None:
    need_contrary(rules, "XGIDs")
    need_fifteen(rules, "XGIDs")


def _sides(places: str, text: str) -> list[Side]:
    """Read the board: the bottom player's side and the top player's, each in its own numbers."""
    if len(places) != PLACES:
        msg = f"expected {PLACES} characters for the board, got {len(places)} in {text!r}"
        raise ParseError(msg)
    bottom: Side = {}
    top: Side = {}
    for place, letter in enumerate(places):
        if "A" <= letter <= "P" and place > 0:
            bottom[place] = ord(letter) - ord("A") + 1
        elif "a" <= letter <= "p" and place < PLACES - 1:
            top[25 - place] = ord(letter) - ord("a") + 1
        elif letter != "-":
            msg = (
                f"expected '-', 'A' to 'P' of the bottom player or 'a' to 'p' of the top player, "
                f"and on a bar only its own, got {letter!r} at place {place} of the board in "
                f"{text!r}"
            )
            raise ParseError(msg)
    return [bottom, top]


def _read_dice(word: str, text: str) -> dict[str, Any]:
    """Read the dice, or what stands in their place."""
    if word in ("B", "R"):
        msg = f"a {'beaver' if word == 'B' else 'raccoon'} under way cannot be read: {text!r}"
        raise ParseError(msg)
    if word == "D":
        return {"offer": "double"}
    return {} if word == "00" else {"dice": read_dice(word, text)}


def _read_match(switches: str, length_word: str, text: str) -> dict[str, Any]:
    """Read the match length, and the switches whose meaning hangs on it."""
    length = read_whole("the match length", length_word, text)
    if length:
        crawford = read_choice("the Crawford game", switches, {"0": False, "1": True}, text)
        return {"match_length": length, "crawford": crawford}
    number = read_choice("Jacoby and beavers", switches, {"0": 0, "1": 1, "2": 2, "3": 3}, text)
    return {"jacoby": bool(number & 1), "beaver": bool(number & 2)}


def _read_limit(rules: Rules, word: str, text: str) -> int | None:
    """Read the greatest cube; a game without the cube has none."""
    limit = read_power(word, "the greatest cube", text)
    return limit if rules.cube and limit != NO_LIMIT else None
