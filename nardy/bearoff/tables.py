"""One-sided and two-sided bear-off tables: built on first use, then kept in a file."""

import hashlib
import json
import os
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, SupportsIndex

import numpy as np
from numpy.typing import ArrayLike, NDArray

from nardy import batch
from nardy.bearoff.files import Arrays, folder_of, load, save
from nardy.position import Position
from nardy.variants import rules_of
from nardy_core import batch as _batch
from nardy_core import bearoff as _core
from nardy_core.ending import Ends
from nardy_core.errors import InvalidArgument, InvalidPosition
from nardy_core.rules import Rules

__all__ = ["Equities", "OneSided", "TwoSided", "ends_of", "one_sided", "two_sided"]

Folder = str | os.PathLike[str] | None
Checkers = Position | ArrayLike

MOST_PAIRS = 1 << 25
"""Pairs of the largest two-sided table: 48 bytes each with a cube."""

_LOCK = threading.RLock()
_OPEN: dict[Path, "_Kept"] = {}


def _unlock() -> None:
    """Take a new lock: in a forked process nobody is left to open one that was held."""
    global _LOCK
    _LOCK = threading.RLock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_unlock)


class _Kept(NamedTuple):
    """The arrays of a table, and the file that they are mapped from, if any."""

    arrays: Arrays
    path: Path | None


# --------------------------------------------------------------------------------------- files


def _path(folder: Folder, holds: dict[str, object]) -> Path:
    """Name the file of a table: by what it holds, so that two tables never share one."""
    digest = hashlib.sha256(json.dumps(holds, sort_keys=True).encode()).hexdigest()[:16]
    name = f"{holds['table']}-{holds['points']}x{holds['checkers']}-{digest}.nardy"
    return folder_of(folder) / "bearoff" / name


def _open(path: Path, holds: dict[str, object]) -> _Kept | None:
    """Map a table that is kept already."""
    with _LOCK:
        if path not in _OPEN:
            found = load(path, holds)
            if found is None:
                return None
            _OPEN[path] = _Kept(found, path)
        return _OPEN[path]


def _open_or_build(path: Path, holds: dict[str, object], build: Callable[[], Arrays]) -> _Kept:
    """Map a table, building it if it is not kept, or not whole."""
    with _LOCK:
        found = _open(path, holds)
        if found is None:
            arrays = build()
            if not save(path, holds, arrays):
                return _OPEN.setdefault(path, _Kept(_frozen(arrays), None))
            del arrays  # before the file is mapped: the memory of one of them is enough
            found = _open(path, holds) or _OPEN.setdefault(path, _Kept(_frozen(build()), None))
        return found


def _frozen(arrays: Arrays) -> Arrays:
    """Make arrays read-only, as those of a file are."""
    for array in arrays.values():
        array.flags.writeable = False
    return arrays


def _frame(
    rules: Rules | str, points: SupportsIndex, checkers: SupportsIndex | None
) -> tuple[Rules, _core.Shape]:
    """Check what a table is asked for."""
    game = rules_of(rules)
    shape = _core.Shape(points, game.checkers if checkers is None else checkers)
    if shape.checkers > game.checkers:
        msg = (
            f"checkers: expected 1 to {game.checkers}, as many as {game.name} has, "
            f"got {shape.checkers}"
        )
        raise InvalidArgument(msg)
    if shape.size > _core.LARGEST:
        msg = (
            f"{shape.points} points and {shape.checkers} checkers have {shape.size} positions; "
            f"expected at most {_core.LARGEST}"
        )
        raise InvalidArgument(msg)
    return game, shape


# ----------------------------------------------------------------------------------- positions


def array_of(positions: Checkers) -> NDArray[Any]:
    """Make an array of whatever form positions come in.

    Parameters
    ----------
    positions : Position or array_like
        A position, or numbers.

    Returns
    -------
    array
        Of any shape and dtype.

    Raises
    ------
    InvalidPosition
        If the rows are of several lengths.
    """
    try:
        return np.asarray(positions.board if isinstance(positions, Position) else positions)
    except ValueError as why:
        msg = f"expected positions, all of them given by as many numbers: {why}"
        raise InvalidPosition(msg) from None


def rows_of(positions: Checkers, points: int) -> tuple[NDArray[np.int8], bool]:
    """Read checkers by point from whatever form they come in.

    Parameters
    ----------
    positions : Position or array_like of int
        A position or boards of 32 bytes, of which the checkers of the player on roll count; or
        rows of up to `points` numbers: checkers on point 1, 2, ...
    points : int
        Points of the table.

    Returns
    -------
    rows : int8[n, points]
        Checkers on points 1 to `points`.
    one : bool
        Whether it was one position, not an array of them.

    Raises
    ------
    InvalidPosition
        If it is none of these, or a checker stands above `points`.
    """
    array = array_of(positions)
    if array.dtype.kind not in "iu" or array.ndim not in (1, 2):
        msg = (
            "expected whole numbers: a board or boards of 32, or checkers on points 1 to "
            f"{points}; got dtype {array.dtype}, shape {array.shape}"
        )
        raise InvalidPosition(msg)
    rows = np.atleast_2d(array)
    if rows.shape[1] == 32:
        rows = np.maximum(rows[:, 1:26], 0)
    high = np.flatnonzero(rows[:, points:].any(axis=1) | ((rows < 0) | (rows > 15)).any(axis=1))
    if high.size:
        msg = (
            f"row {high[0]}: expected 0 to 15 checkers on points 1 to {points} and none above, "
            f"got {rows[high[0]].tolist()}"
        )
        raise InvalidPosition(msg)
    out = np.zeros((len(rows), points), np.int8)
    out[:, : rows.shape[1]] = rows[:, :points]
    return out, array.ndim == 1


def _index(shape: _core.Shape, rows: NDArray[np.int8]) -> NDArray[np.int64]:
    """Look up indices; what has too many checkers is refused."""
    index = shape.index(rows)
    wrong = np.flatnonzero(index < 0)
    if wrong.size:
        row = rows[wrong[0]]
        msg = (
            f"row {wrong[0]}: expected up to {shape.checkers} checkers, got {int(row.sum())}: "
            f"{row.tolist()}"
        )
        raise InvalidPosition(msg)
    return index


# ----------------------------------------------------------------------------------- one-sided


class _Table:
    """What both kinds of tables are: values, which another process opens again, or builds."""

    def __init__(self, rules: Rules, shape: _core.Shape, path: Path | None) -> None:
        self.rules, self.path = rules, path
        self.points, self.checkers, self.size = shape.points, shape.checkers, shape.size
        self._shape = shape

    def __repr__(self) -> str:
        kind, size = type(self).__name__, f"{self.points} x {self.checkers}"
        return f"<{kind} {self.rules.name} {size}: {self.size}>"

    def __copy__(self) -> Any:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        return self

    def _again(self, make: Callable[..., Any]) -> tuple[Any, ...]:
        """Say how to come by the table again, for pickle."""
        folder = None if self.path is None else self.path.parent.parent
        return partial(make, folder=folder), (self.rules, self.points, self.checkers)


class OneSided(_Table):
    """How many turns every position takes to bear off; `one_sided` makes it.

    The policy is that of fewest mean turns. Positions are ordered as the tuples (checkers on the
    highest point, ..., on point 1), so 0 is the empty one, the last has all checkers on the highest
    point, and a table of fewer points is the first part of one of more. Methods take a `Position`,
    a board, checkers on points 1, 2, ..., or an array of either of the last two; enemy checkers
    are not looked at. They may be called from any number of threads at once. A copy is the table
    itself; a pickle is the call that made it, so another process maps the same file.

    Attributes
    ----------
    rules : Rules
        The game.
    points, checkers : int
        The positions are those of up to `checkers` on points 1 to `points`.
    size : int
        How many they are: C(points + checkers, points).
    means : float64[size]
        Mean turns of every position, in order; read-only. Infinite where no roll can ever be
        played any more.
    path : Path or None
        The file that is mapped; None if it could not be written.
    pips_per_roll : float
        Mean pips of a roll: 49/6, in a cascade game more.
    """

    def __init__(
        self, rules: Rules, shape: _core.Shape, arrays: Arrays, path: Path | None = None
    ) -> None:
        super().__init__(rules, shape, path)
        self.means: NDArray[np.float64] = arrays["means"]
        self.pips_per_roll = _core.pips_per_roll(rules)
        self._arrays = arrays

    def __reduce__(self) -> tuple[Any, ...]:
        return self._again(one_sided)

    def index(self, positions: Checkers) -> Any:
        """Look up where positions stand in the order of `means`.

        Parameters
        ----------
        positions : Position or array_like of int
            One position, or an array of shape (n, 32) or (n, points).

        Returns
        -------
        int or int64[n]
            The index, 0 to ``size - 1``.

        Raises
        ------
        InvalidPosition
            If a checker stands above `points` or there are more than `checkers`.

        Examples
        --------
        >>> from nardy.bearoff import one_sided
        >>> table = one_sided("short", points=6, checkers=3)
        >>> table.index([0, 0, 0, 0, 0, 3]), table.size
        (83, 84)
        """
        rows, one = rows_of(positions, self.points)
        index = _index(self._shape, rows)
        return int(index[0]) if one else index

    def positions(self) -> NDArray[np.int8]:
        """List checkers on points 1 to `points` of every position, in the order of `means`.

        Returns
        -------
        int8[size, points]
            Row i is the position of index i.

        Examples
        --------
        >>> from nardy.bearoff import one_sided
        >>> one_sided("short", points=2, checkers=2).positions().tolist()
        [[0, 0], [1, 0], [2, 0], [0, 1], [1, 1], [0, 2]]
        """
        return self._shape.positions()

    def mean(self, positions: Checkers) -> Any:
        """Mean turns to bear off.

        Parameters
        ----------
        positions : Position or array_like of int
            As in `index`.

        Returns
        -------
        float or float64[n]
            Turns.

        Examples
        --------
        >>> from nardy.bearoff import one_sided
        >>> round(one_sided("short").mean([5, 0, 0, 0, 0, 0]) * 36)
        97
        """
        found = self.means[self.index(positions)]
        return float(found) if found.ndim == 0 else found

    def epc(self, positions: Checkers) -> Any:
        """Effective pip count: mean turns times the mean pips of a roll (Trice 2000).

        Parameters
        ----------
        positions : Position or array_like of int
            As in `index`.

        Returns
        -------
        float or float64[n]
            Pips; a roll has 49/6 on average where a double is four steps.

        Examples
        --------
        >>> from nardy.bearoff import one_sided
        >>> round(one_sided("short").epc([15, 0, 0, 0, 0, 0]), 2)
        57.0
        """
        return self.mean(positions) * self.pips_per_roll

    def distribution(self, positions: Checkers) -> NDArray[np.float64]:
        """Chances of each number of turns.

        Parameters
        ----------
        positions : Position or array_like of int
            As in `index`.

        Returns
        -------
        float64[k] or float64[n, k]
            [..., k] is the chance of exactly k turns, from k = 0 to the most that a position can
            take (of several, the greatest such). Where rolls can be passed there is no such most;
            then it goes on until less than 1e-12 is left.

        Examples
        --------
        >>> from nardy.bearoff import one_sided
        >>> one_sided("short").distribution([3, 0, 0, 0, 0, 0]) * 6
        array([0., 1., 5.])
        """
        rows, one = rows_of(positions, self.points)
        index = _index(self._shape, rows)
        out = self._gather("finish", index, int(self._turns(index).max(initial=0)) + 1)
        return out[0] if one else out

    def _turns(self, index: NDArray[np.int64]) -> NDArray[np.uint16]:
        """Read the greatest numbers of turns."""
        turns: NDArray[np.uint16] = self._arrays["turns"][index]
        return turns

    def _gather(self, what: str, index: NDArray[np.int64], length: int) -> NDArray[np.float64]:
        """Read chances by turn, of the last checker off or of a milestone."""
        arrays = self._arrays
        return _core.gather(
            arrays[f"{what}.start"],
            arrays[f"{what}.chance"],
            arrays.get(f"{what}.first"),
            index,
            length,
        )

    def left(self, rows: NDArray[np.int8], milestones: list[int]) -> NDArray[np.float64]:
        """Chances that something still lies ahead after k turns.

        Parameters
        ----------
        rows : int8[n, points]
            Checkers by point.
        milestones : list of int
            Of those that the table has, see `nardy_core.bearoff.milestones`.

        Returns
        -------
        float64[n, k, 1 + len(milestones)]
            That a checker is in play after k turns; that the milestone is not passed. The last
            holds from then on.
        """
        index = _index(self._shape, rows)
        length = int(self._turns(index).max(initial=0)) + 1
        endless = np.isinf(self.means[index])
        columns = []
        for name in ("finish", *map(str, milestones)):
            chance = self._gather(name, index, length)
            after = np.cumsum(chance[:, ::-1], axis=1)[:, ::-1]
            never = np.where(endless, np.maximum(1 - after[:, :1].T, 0), 0).T
            columns.append(np.append(after[:, 1:], np.zeros_like(never), axis=1) + never)
        return np.stack(columns, axis=2)


def ends_of(game: Rules) -> Ends:
    """Give the table that ends games in both homes, as the playouts read it.

    Parameters
    ----------
    game : Rules
        The game.

    Returns
    -------
    Ends
        Of 6 points and all checkers.
    """
    arrays = one_sided(game, 6)._arrays
    names = ("finish.start", "finish.chance", "finish.first", "0.start", "0.chance")
    return Ends(game.checkers, *(arrays[name] for name in names))


def _one_sided_holds(game: Rules, shape: _core.Shape) -> dict[str, object]:
    """Say what a file of a one-sided table holds: whatever else the rules say plays no part."""
    return {
        "table": "one-sided",
        "points": shape.points,
        "checkers": shape.checkers,
        "rules": _core.dealings(game, shape.points),
        "milestones": _core.milestones(game, shape.points, shape.checkers),
    }


def build_one_sided(game: Rules, shape: _core.Shape) -> Arrays:
    """Build the arrays of a one-sided table.

    Parameters
    ----------
    game : Rules
        The game.
    shape : Shape
        The positions.

    Returns
    -------
    dict of str to array
        What `OneSided` reads.
    """
    stones = _core.milestones(game, shape.points, shape.checkers)
    means, turns, chances = _core.one_sided(game, shape, stones)
    arrays: Arrays = {"means": means, "turns": turns}
    for name, each in zip(("finish", *map(str, stones)), chances, strict=True):
        arrays[f"{name}.start"], arrays[f"{name}.chance"] = each.start, each.chance
        if each.first is not None:
            arrays[f"{name}.first"] = each.first
    return arrays


def one_sided(
    rules: Rules | str = "short",
    points: SupportsIndex = 6,
    checkers: SupportsIndex | None = None,
    *,
    folder: Folder = None,
) -> OneSided:
    """Give the table of one player's turns to bear off, without contact.

    It is built from the plays of the game the first time it is asked for, and kept in a file, which
    is mapped into memory from then on. A file that is missing, damaged or of another kind is built
    anew; where none can be written the table stays in memory.

    Parameters
    ----------
    rules : Rules or str
        The game, or the name of a variant. Games that bear off alike share a file.
    points : int
        Positions with checkers on points 1 to `points`, 1 to 24.
    checkers : int, optional
        ... and up to so many of them, 1 to the number of the game. Default: all of them.
    folder : str or path, optional
        Where tables are kept. Default: the folder that the environment variable ``NARDY_CACHE``
        names, or else the user's cache folder.

    Returns
    -------
    OneSided
        The table; 6 points and 15 checkers are 54,264 positions, 8 MB and less than 0.1 s of work,
        10 points 3,268,760 positions, 620 MB and about 10 s.

    Raises
    ------
    UnknownVariant, InvalidArgument
        If there is no such game; if `points` or `checkers` are out of range.
    MemoryError
        If there is not enough memory to build it.

    Examples
    --------
    >>> from nardy.bearoff import one_sided
    >>> table = one_sided("tavla")
    >>> round(table.mean([0, 0, 0, 0, 0, 15]), 4)
    12.2667
    """
    game, shape = _frame(rules, points, checkers)
    holds = _one_sided_holds(game, shape)
    path = _path(folder, holds)
    return OneSided(game, shape, *_open_or_build(path, holds, lambda: build_one_sided(game, shape)))


def kept_one_sided(game: Rules, points: int) -> OneSided | None:
    """Give the table of all checkers of a game if it is kept already.

    Parameters
    ----------
    game : Rules
        The game.
    points : int
        Points of the table.

    Returns
    -------
    OneSided or None
        The table.
    """
    shape = _core.Shape(points, game.checkers)
    holds = _one_sided_holds(game, shape)
    kept = _open(_path(None, holds), holds)
    return None if kept is None else OneSided(game, shape, *kept)


# ----------------------------------------------------------------------------------- two-sided


class Equities(NamedTuple):
    """Points for the player on roll, for each unit of the cube as it stands; floats or arrays.

    A value is nan where the rules have no cube.

    Attributes
    ----------
    cubeless
        No doubling at all.
    centred, owned
        The cube is in the middle, or his; he may double now.
    opponent_owned
        The cube is the opponent's.
    centred_no_double, owned_no_double
        The same as without `_no_double`, if he rolls without doubling now.
    """

    cubeless: Any
    centred: Any
    owned: Any
    opponent_owned: Any
    centred_no_double: Any
    owned_no_double: Any


class TwoSided(_Table):
    """What every pair of positions is worth; `two_sided` makes it.

    Attributes
    ----------
    rules : Rules
        The game.
    points, checkers, size : int
        As in `OneSided`, the same for each player.
    value : float64[1 or 4, size, size]
        Equities [plane][own][opponent], both in the order of `OneSided`. Planes: cubeless, and
        where there is a cube centred, owned, opponent_owned; read-only.
    play : float64[1 or 4, size, size]
        The same if the player on roll does not double now.
    path : Path or None
        The file that is mapped; None if it could not be written.
    """

    def __init__(
        self, rules: Rules, shape: _core.Shape, arrays: Arrays, path: Path | None = None
    ) -> None:
        super().__init__(rules, shape, path)
        self.value: NDArray[np.float64] = arrays["value"]
        self.play: NDArray[np.float64] = arrays["play"]

    def __repr__(self) -> str:
        return f"{super().__repr__()[:-1]}^2>"

    def __reduce__(self) -> tuple[Any, ...]:
        return self._again(two_sided)

    def equity(self, own: Checkers, opponent: Checkers | None = None) -> Equities:
        """Equities under perfect play for each state of the cube.

        Parameters
        ----------
        own : Position or array_like of int
            Position of the player on roll: checkers on points 1, 2, ... or a board; or an array
            of either.
        opponent : array_like of int, optional
            Position of the opponent, on his own points; as many as `own`, or one for all. Not
            given, both are read from the board.

        Returns
        -------
        Equities
            Floats for one pair, else float64[n]. If the rules have a draw by the last turn (10.5)
            the player on roll is the one who moved first in the game.

        Raises
        ------
        InvalidPosition
            If a checker stands above `points`, there are more than `checkers`, the two numbers of
            positions differ, or a board from which both are read cannot stand under the rules.

        Examples
        --------
        >>> from nardy.bearoff import two_sided
        >>> table = two_sided("short", points=6, checkers=2)
        >>> pair = table.equity([1, 0, 0, 0, 1, 0], [1, 0, 0, 0, 0, 0])
        >>> round(pair.cubeless * 36), round(pair.centred * 36)
        (10, 20)
        """
        if opponent is None:
            own, opponent = self._sides(own)
        mine, one = rows_of(own, self.points)
        theirs, other = rows_of(opponent, self.points)
        if len(mine) != len(theirs) and not (one or other):
            msg = f"expected as many positions of each player, got {len(mine)} and {len(theirs)}"
            raise InvalidPosition(msg)
        at = np.broadcast_arrays(_index(self._shape, mine), _index(self._shape, theirs))
        values = [self.value[plane][tuple(at)] for plane in range(len(self.value))]
        plays = [self.play[plane][tuple(at)] for plane in range(len(self.play))]
        if len(values) == 1:
            nothing = np.full_like(values[0], np.nan)
            values, plays = [values[0], *[nothing] * 3], [nothing] * 4
        found = (*values, plays[1], plays[2])
        return Equities(*(float(each[0]) if one and other else each for each in found))

    def _sides(self, boards: Checkers) -> tuple[NDArray[np.int8], NDArray[np.int8]]:
        """Take both players' sides from boards, in which nothing is wrong."""
        array = array_of(boards)
        if array.ndim not in (1, 2) or array.shape[-1] != 32:
            msg = f"expected boards of 32 where no opponent is given, got shape {array.shape}"
            raise InvalidPosition(msg)
        _batch.outcomes(self.rules, array)  # refuses the others
        other = batch.flip(self.rules, array).reshape(array.shape)
        return array, other


def two_sided(
    rules: Rules | str = "short",
    points: SupportsIndex = 6,
    checkers: SupportsIndex = 6,
    *,
    folder: Folder = None,
) -> TwoSided:
    """Give the table of what every pair of bear-off positions is worth under perfect play.

    Neither player can hit or block the other inside the two homes, so this holds for every game of
    the family. Money play: no Jacoby rule, no beavers. Kept in a file like `one_sided`.

    Parameters
    ----------
    rules : Rules or str
        The game, or the name of a variant; without a cube in the rules only the cubeless equities
        are made.
    points : int
        Checkers of each player on the own points 1 to `points`, at most 6.
    checkers : int
        Up to so many of each player; the others are off.
    folder : str or path, optional
        As in `one_sided`.

    Returns
    -------
    TwoSided
        The table; 6 points and 6 checkers are 924 x 924 pairs, 55 MB and about 2 s of work.

    Raises
    ------
    UnknownVariant, InvalidArgument
        If there is no such game; if `points` or `checkers` are out of range, or there are more
        than 2**25 pairs; if remainders of a cascade may go to the opponent, so that he does not
        play his own rolls alone (in no preset: it takes `max_per_point` or ``block="never"``).

    Examples
    --------
    >>> from nardy.bearoff import two_sided
    >>> table = two_sided("long", points=6, checkers=1)
    >>> round(table.equity([0, 0, 0, 0, 0, 1], [0, 0, 0, 0, 0, 1]).cubeless, 4)
    0.625
    """
    game, shape = _frame(rules, points, checkers)
    if shape.points > 6:
        msg = f"points: expected 1 to 6, where nobody is in the way, got {shape.points}"
        raise InvalidArgument(msg)
    if shape.size**2 > MOST_PAIRS:
        msg = f"{shape.size} x {shape.size} pairs are more than {MOST_PAIRS}"
        raise InvalidArgument(msg)
    if _core.hands_on(game, shape.points):
        msg = "two_sided: under these rules a cascade may leave a remainder to the opponent"
        raise InvalidArgument(msg)
    holds: dict[str, object] = {
        "table": "two-sided",
        "points": shape.points,
        "checkers": shape.checkers,
        "rules": f"{_core.dealings(game, shape.points)} {_stakes(game)}",
        "all": game.checkers if shape.checkers == game.checkers else 0,
    }

    def build() -> Arrays:
        value, play = _core.two_sided(game, shape)
        return {"value": value, "play": play}

    path = _path(folder, holds)
    return TwoSided(game, shape, *_open_or_build(path, holds, build))


def _stakes(game: Rules) -> str:
    """Name the fields that say what a result is worth."""
    fields = ("points", "home_mars", "draw_points", "cube")
    return " ".join(f"{field}={getattr(game, field)}" for field in fields)
