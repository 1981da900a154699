"""The IDs of GNU Backgammon."""

import base64
import re

import numpy as np

from nardy.position import Position
from nardy.text import OFF, join_sides, only_text
from nardy.variants import rules_of
from nardy_core.errors import InvalidArgument, ParseError
from nardy_core.rules import Rules

__all__ = ["position_from_id", "position_id"]


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
    _check_id_rules(position.rules)
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
    _check_id_rules(game)
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
    sides = []
    for start in (25, 0):  # the player on roll comes second
        side = {
            point: len(ones) for point, ones in enumerate(counts[start : start + 25], 1) if ones
        }
        side[OFF] = max(0, game.checkers - sum(side.values()))
        sides.append(side)
    return Position(game, join_sides(game, sides, text))


def _check_id_rules(rules: Rules) -> None:
    """Refuse games that the position ID cannot hold."""
    if rules.travel != "contrary" or rules.checkers != 15:
        msg = (
            f"position IDs hold 15 checkers of players who travel in contrary directions; "
            f"{rules.name} has {rules.checkers} and travels {rules.travel}"
        )
        raise InvalidArgument(msg)
