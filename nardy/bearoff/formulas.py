"""Race formulas of the books: counts made at the table, and the cube advice drawn from them.

They are here to be compared with exact values (docs/bearoff.md). All were made for ordinary
backgammon; they read checkers by point, so they can be asked about any game. Where a rule says to
round, it is rounded as it says. Positions that are none, or not as many of each player (or one for
all), raise `InvalidPosition`.

Sources
-------
Keith
    T. Keith, "Cube Handling in Noncontact Positions", Backgammon Galore, 2004.
Ward
    J. Ward, *The Doubling Cube in Backgammon*, vol. I, 1982, pp. 74-76, as M. Storer gives it in
    rec.games.backgammon, 24 January 1992.
Thorp
    E. O. Thorp, "Backgammon: when to double in the end game", Gambling Times, 1978.
Kleinman
    D. Kleinman, *Vision Laughs at Counting*, 1980: the difference of two pip counts as a normal
    variable. As a chance, erf in GNU Backgammon's `kleinman.c` is the same.
Trice
    W. Trice, *Backgammon Boot Camp*, 2004: the point of last take ("rule 62"), and the effective
    pip count, which `OneSided.epc` has exactly.
"""

from math import erf
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from nardy.bearoff.tables import rows_of
from nardy_core.errors import InvalidArgument, InvalidPosition

__all__ = [
    "ADVICE",
    "Advice",
    "keith",
    "keith_count",
    "kleinman",
    "kleinman_win",
    "pip_count",
    "thorp",
    "thorp_count",
    "trice",
    "ward",
    "ward_counts",
]

Rows = NDArray[np.int8]


class Advice(NamedTuple):
    """Whether to double a centred cube, to redouble, and whether the other takes: bool[n] each."""

    double: NDArray[np.bool_]
    redouble: NDArray[np.bool_]
    take: NDArray[np.bool_]


def _rows(positions: ArrayLike) -> Rows:
    """Read checkers on points 1, 2, ... as int8[n, 24]."""
    return rows_of(positions, 24)[0]


def _both(own: ArrayLike, other: ArrayLike) -> tuple[Rows, Rows]:
    """Read both players' checkers: as many positions of each, or one for all."""
    mine, theirs = _rows(own), _rows(other)
    if len(mine) != len(theirs) and 1 not in (len(mine), len(theirs)):
        msg = f"expected as many positions of each player, got {len(mine)} and {len(theirs)}"
        raise InvalidPosition(msg)
    return mine, theirs


def _beyond(rows: Rows, point: int, few: int) -> NDArray[np.int64]:
    """Count the checkers on a point beyond the first few."""
    return np.maximum(rows[:, point - 1].astype(np.int64) - few, 0)


def pip_count(positions: ArrayLike) -> NDArray[np.int64]:
    """Pips: the sum of the points of all checkers.

    Parameters
    ----------
    positions : array_like of int
        Checkers on points 1, 2, ..., or boards.

    Returns
    -------
    int64[n]
        Pips.

    Examples
    --------
    >>> from nardy.bearoff.formulas import pip_count
    >>> pip_count([0, 0, 2, 3, 4, 6]).tolist()
    [74]
    """
    return _rows(positions) @ np.arange(1, 25)


def keith_count(positions: ArrayLike) -> NDArray[np.int64]:
    """Pips, +2 (+1) for each checker on point 1 (2) after the first, +1 on 3 after the third.

    Another 1 for each of points 4, 5 and 6 that is empty.

    Parameters
    ----------
    positions : array_like of int
        Checkers on points 1, 2, ..., or boards.

    Returns
    -------
    int64[n]
        The count, without the seventh that the player on roll adds (see `keith`).

    Examples
    --------
    >>> from nardy.bearoff.formulas import keith_count
    >>> keith_count([3, 2, 4, 0, 1, 1]).tolist()
    [37]
    """
    rows = _rows(positions)
    stacked = 2 * _beyond(rows, 1, 1) + _beyond(rows, 2, 1) + _beyond(rows, 3, 3)
    empty: NDArray[np.int64] = (rows[:, 3:6] == 0).sum(axis=1)
    return pip_count(positions) + stacked + empty


def keith(own: ArrayLike, other: ArrayLike) -> Advice:
    """Advise by Keith's count: the player on roll adds a seventh, rounded down.

    Parameters
    ----------
    own, other : array_like of int
        Checkers of the player on roll, and of the other, on their points 1, 2, ...

    Returns
    -------
    Advice
        Double if the count is at most 4 above the other's, redouble at most 3; take from 2 on.
    """
    own, other = _both(own, other)
    mine = keith_count(own)
    ahead = mine + mine // 7 - keith_count(other)
    return Advice(ahead <= 4, ahead <= 3, ahead >= 2)


def thorp_count(positions: ArrayLike) -> NDArray[np.int64]:
    """Pips, +2 for each checker, +1 for each on point 1, -1 for each home point that is held.

    Parameters
    ----------
    positions : array_like of int
        Checkers on points 1, 2, ..., or boards.

    Returns
    -------
    int64[n]
        The count, without the tenth that the player on roll adds (see `thorp`).

    Examples
    --------
    >>> from nardy.bearoff.formulas import thorp_count
    >>> thorp_count([3, 2, 4, 0, 1, 1]).tolist()
    [50]
    """
    rows = _rows(positions)
    held: NDArray[np.int64] = (rows[:, :6] > 0).sum(axis=1)
    out: NDArray[np.int64] = pip_count(positions) + 2 * rows.sum(axis=1) + rows[:, 0] - held
    return out


def thorp(own: ArrayLike, other: ArrayLike) -> Advice:
    """Advise by Thorp's count: above 30 the player on roll adds a tenth.

    Parameters
    ----------
    own, other : array_like of int
        As in `keith`.

    Returns
    -------
    Advice
        Double up to 2 above the other's count, redouble up to 1; take unless 2 below or more.
    """
    own, other = _both(own, other)
    mine = thorp_count(own)
    tenths = np.where(mine > 30, 11, 10) * mine - 10 * thorp_count(other)
    return Advice(tenths <= 20, tenths <= 10, tenths >= -20)


def ward_counts(
    own: ArrayLike, other: ArrayLike
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Ward's counts of both players, each with what it has more than the other.

    Pips, +2 (+1) for each checker on point 1 (2) after the second; of the two, the one with more
    checkers adds 2 for each, with more of them outside the home half a pip for each; the one with
    more home points held takes 1 off for each.

    Parameters
    ----------
    own, other : array_like of int
        As in `keith`.

    Returns
    -------
    pair of float64[n]
        Of the player on roll, without the tenth that he adds (see `ward`), and of the other.
    """
    mine, theirs = (rows.astype(np.int64) for rows in _both(own, other))
    counts = []
    for one, two in ((mine, theirs), (theirs, mine)):
        more = np.maximum(one.sum(axis=1) - two.sum(axis=1), 0)
        out = np.maximum(one[:, 6:].sum(axis=1) - two[:, 6:].sum(axis=1), 0)
        held = np.maximum((one[:, :6] > 0).sum(axis=1) - (two[:, :6] > 0).sum(axis=1), 0)
        stacked = 2 * np.maximum(one[:, 0] - 2, 0) + np.maximum(one[:, 1] - 2, 0)
        counts.append(one @ np.arange(1, 25) + stacked + 2.0 * more + 0.5 * out - held)
    return counts[0], counts[1]


def ward(own: ArrayLike, other: ArrayLike) -> Advice:
    """Advise by Ward's counts: the player on roll adds a tenth.

    Parameters
    ----------
    own, other : array_like of int
        As in `keith`.

    Returns
    -------
    Advice
        Double up to 2 above the other's count, redouble up to 1. Take if the other's count is at
        most 2 above at a mean of 50 pips or less, 3 at 75, 4 at 100 or more, and between in line.
    """
    mine, theirs = ward_counts(own, other)
    tenths = 11 * mine - 10 * theirs
    length = (pip_count(own) + pip_count(other)) / 2
    room = np.interp(length, [50, 75, 100], [2, 3, 4])
    return Advice(tenths <= 20, tenths <= 10, tenths >= -10 * room)


def kleinman_win(own: ArrayLike, other: ArrayLike) -> NDArray[np.float64]:
    """Win chance from two counts: (1 + erf((d + 4) / (2 sqrt(s - 4)))) / 2.

    Parameters
    ----------
    own, other : array_like of float
        Pips of the player on roll, and of the other; d is what the other has more, s the sum.

    Returns
    -------
    float64[n]
        The chance that the player on roll wins; s is taken as 5 if it is less.

    Examples
    --------
    >>> from nardy.bearoff.formulas import kleinman_win
    >>> kleinman_win([84], [96]).round(3).tolist()
    [0.803]
    """
    try:
        mine, theirs = np.broadcast_arrays(*(np.array(x, float, ndmin=1) for x in (own, other)))
    except (TypeError, ValueError) as why:
        msg = f"expected pips of each player, as many or one for all: {why}"
        raise InvalidArgument(msg) from None
    spread = 2 * np.sqrt(np.maximum(mine + theirs - 4, 1))
    return np.array([(1 + erf(x)) / 2 for x in (theirs - mine + 4) / spread])


def kleinman(own: ArrayLike, other: ArrayLike) -> Advice:
    """Advise by Kleinman's metric k = (d + 4)^2 / (s - 4), of the pip counts.

    Parameters
    ----------
    own, other : array_like of int
        As in `keith`.

    Returns
    -------
    Advice
        Double above 0.44, redouble above 0.61, take up to 1.2; no double if d is -4 or less.
    """
    own, other = _both(own, other)
    mine, theirs = pip_count(own), pip_count(other)
    lead = theirs - mine + 4.0
    metric = np.where(lead > 0, lead**2, 0) / np.maximum(mine + theirs - 4, 1)
    return Advice(metric > 0.44, metric > 0.61, metric <= 1.2)


def trice(own: ArrayLike, other: ArrayLike) -> Advice:
    """Advise by Trice's point of last take, of the pip counts.

    Parameters
    ----------
    own, other : array_like of int
        As in `keith`.

    Returns
    -------
    Advice
        With p pips of the player on roll, the other takes if he has at most (p - 5) / 7 more,
        rounded down, or above 62 pips p / 10 + 1, rounded up. Redouble 2 pips before that point,
        double 3 before.
    """
    own, other = _both(own, other)
    mine, theirs = pip_count(own), pip_count(other)
    last = np.where(mine <= 62, (mine - 5) // 7, -(-mine // 10) + 1)
    lead = theirs - mine
    return Advice(lead >= last - 3, lead >= last - 2, lead <= last)


ADVICE = {"Keith": keith, "Ward": ward, "Thorp": thorp, "Kleinman": kleinman, "Trice": trice}
"""The formulas that advise, by name."""
