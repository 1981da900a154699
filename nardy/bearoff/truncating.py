"""Games that end where the tables know the rest: what ``truncate="bearoff"`` asks for."""

import numpy as np
from numpy.typing import NDArray

from nardy.bearoff.racing import rest_of
from nardy.bearoff.tables import ends_of
from nardy_core import batch as _batch
from nardy_core import bearoff as _core
from nardy_core.batch import Left
from nardy_core.ending import Ends
from nardy_core.errors import InvalidArgument
from nardy_core.rules import Rules

__all__ = ["DRAWN", "LOST", "POINTS", "TURNS", "UNIT", "WON", "Sums", "table_for", "values_of"]

WON, LOST = slice(0, 3), slice(3, 6)
DRAWN, POINTS, TURNS = 6, 7, 8
"""Rows of `values_of`: wins and losses as single, mars and koks; draws, points, rolls."""

UNIT = 1 << 80
"""Sums are whole numbers of 1 / UNIT: exact for whatever float64 of 2**-28 or more."""


def table_for(game: Rules, truncate: str | None) -> Ends:
    """Give the table that ends games early.

    Parameters
    ----------
    game : Rules
        The game.
    truncate : {"bearoff"}
        What is asked for.

    Returns
    -------
    Ends
        The table.

    Raises
    ------
    InvalidArgument
        If something else is asked for, or remainders of a cascade may go to the opponent.
    """
    check(truncate)
    if _core.hands_on(game, 6):
        msg = (
            f"truncate: {game.name} as changed here has no races: a cascade may leave a remainder "
            "to the opponent"
        )
        raise InvalidArgument(msg)
    return ends_of(game)


def check(truncate: object) -> None:
    """Refuse what names no way to truncate a game.

    Parameters
    ----------
    truncate : object
        What is asked for.

    Raises
    ------
    InvalidArgument
        If it is not "bearoff".
    """
    if truncate != "bearoff":
        msg = f"truncate: expected None or 'bearoff', got {truncate!r}"
        raise InvalidArgument(msg)


def values_of(game: Rules, left: Left) -> NDArray[np.float64]:
    """Say what each game is worth, exactly from where it was left.

    Parameters
    ----------
    game : Rules
        The game.
    left : Left
        The games.

    Returns
    -------
    float64[9, boards, games]
        Rows `WON`, `LOST`, `DRAWN`, `POINTS` and `TURNS`, for the player on roll in the input
        board; of games that came to their end, 0 or 1, their points and their rolls.
    """
    out = np.zeros((9, *left.mover.shape))
    out[TURNS] = left.played.turns
    _fill_played(game, left, out)
    for mover in (0, 1):
        at = left.mover == mover
        rest = rest_of(game, left.board[at], second=mover == 1)
        won, lost = (rest.won, rest.lost) if mover == 0 else (rest.lost, rest.won)
        out[WON, at], out[LOST, at], out[DRAWN][at] = won, lost, rest.drawn
        out[POINTS][at] = rest.points if mover == 0 else -rest.points
        out[TURNS][at] += rest.turns
    return out


def _fill_played(game: Rules, left: Left, out: NDArray[np.float64]) -> None:
    """Write down the games that came to their end."""
    played, over = left.played, left.mover < 0
    points = _batch.worth(game)[played.kind]
    for winner, rows, sign in ((0, WON, 1), (1, LOST, -1)):
        won = over & (played.winner == winner)
        for k, row in enumerate(out[rows], start=1):
            row[won & (np.minimum(played.kind, 3) == k)] = 1
        out[POINTS][won] = sign * points[won]
    out[DRAWN][over & (played.winner == -1)] = 1


class Sums:
    """Sums over the games of one board, exact, so that it does not matter how they were cut up.

    Attributes
    ----------
    totals, squares : list of int
        By row of `values_of`: of the values, in 1 / UNIT, and of their squares, in 1 / UNIT**2.
    thrown : int
        Rolls that were really thrown.
    """

    def __init__(self) -> None:
        self.totals = [0] * 9
        self.squares = [0] * 9
        self.thrown = 0

    def add(self, values: NDArray[np.float64], turns: NDArray[np.int32]) -> None:
        """Add some games.

        Parameters
        ----------
        values : float64[9, games]
            What they are worth, from `values_of`.
        turns : int32[games]
            Rolls that were thrown.
        """
        for row, column in enumerate((values * UNIT).tolist()):
            whole = [int(value) for value in column]
            self.totals[row] += sum(whole)
            if row in (POINTS, TURNS):
                self.squares[row] += sum(value * value for value in whole)
        self.thrown += int(turns.sum())
