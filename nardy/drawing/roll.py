"""The play that a picture shows: its steps and its dice."""

import numpy as np
from numpy.typing import NDArray

from nardy.drawing.options import Roll
from nardy.plays import find_play
from nardy.text import position_text
from nardy_core import batch
from nardy_core.errors import IllegalPlay, InvalidArgument
from nardy_core.rules import Rules

__all__ = ["Steps", "played"]

Steps = tuple[tuple[int, int], ...]

ROLLS = [(d1, d2) for d1 in range(1, 7) for d2 in range(1, d1 + 1)]


def played(
    rules: Rules,
    board: NDArray[np.int8],
    play: object,
    roll: Roll | None,
) -> tuple[Steps, Roll | None]:
    """Return the steps of a play, and the roll to be drawn: that of a `Play` unless one is given.

    Raises
    ------
    InvalidArgument
        If the play is none, of another position or roll, or no roll plays it.
    ParseError, IllegalPlay
        If the text is no text of a play; if the given roll does not play it.
    """
    if play is None:
        return (), roll
    if isinstance(play, batch.PlayData):
        return _of_this(rules, board, play, roll)
    if not isinstance(play, str):
        msg = f"play: expected a Play of this position, its text or None, got {play!r}"
        raise InvalidArgument(msg)
    if roll is None:
        return _of_any_roll(rules, board, play), None
    return find_play(rules, board, roll, play)[0], roll


def _of_this(
    rules: Rules, board: NDArray[np.int8], play: batch.PlayData, roll: Roll | None
) -> tuple[Steps, Roll]:
    """Take a play from `Position.plays`, if it is of this position and roll."""
    steps, turn = play._steps(), play.turn
    if turn.rules != rules or turn.before != board.tobytes():
        was = position_text(turn.rules, np.frombuffer(turn.before, np.int8))
        msg = f"play: expected a play of {position_text(rules, board)!r}, got one of {was!r}"
        raise InvalidArgument(msg)
    if roll is not None and sorted(roll) != sorted(turn.dice):
        msg = f"play: expected one of the dice {roll[0]}-{roll[1]}, got {play} of {turn.dice}"
        raise InvalidArgument(msg)
    return steps, turn.dice if roll is None else roll


def _of_any_roll(rules: Rules, board: NDArray[np.int8], text: str) -> Steps:
    """Find the roll that can be played as a text says; of several, one with the fewest steps."""
    found = []
    for roll in ROLLS:
        try:
            found.append(find_play(rules, board, roll, text)[0])
        except IllegalPlay:
            continue
    if found:
        return min(found, key=len)
    msg = (
        f"play: no roll can be played as {text!r} in {position_text(rules, board)!r}; "
        "with `dice` the error says why"
    )
    raise InvalidArgument(msg)
