"""Win and mars chances in a race: exact for two players who do not look at one another."""

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from nardy import batch
from nardy.bearoff.tables import (
    OneSided,
    array_of,
    build_one_sided,
    kept_one_sided,
    one_sided,
)
from nardy.position import Position
from nardy.text import position_text
from nardy.variants import rules_of
from nardy_core import batch as _batch
from nardy_core import bearoff as _core
from nardy_core.errors import InvalidArgument, InvalidPosition
from nardy_core.rules import Rules

__all__ = ["Race", "Rest", "Sides", "race", "rest_of", "sides_of"]

SHARED = 1_000_000
"""Positions of the largest table that is made in passing for several boards."""

LARGEST = 16_000_000
"""Positions that may arise from one board: 100 bytes each, and a second a million."""

ROWS = 4096
"""Boards whose chances by turn are held at once."""


class Race(NamedTuple):
    """Chances in a race, for the player on roll; floats, or float64[n] for boards.

    Attributes
    ----------
    win : float
        He wins, by whatever kind of win.
    mars_won, mars_lost : float
        He wins, loses, with mars at least.
    koks_won, koks_lost : float
        The same with koks or a home mars.
    draw : float
        Both score the same, in games with a last turn (10.5).
    equity : float
        Cubeless mean points; a draw counts 0.
    mean, opponent_mean : float
        Mean turns that each needs to bear off. nan for the loser of a game that is over, or that
        the player on roll ends at once; infinite where a house rule keeps checkers from ever
        leaving (such a player never wins).
    epc, opponent_epc : float
        Effective pip counts: mean turns times the mean pips of a roll.
    """

    win: Any
    mars_won: Any
    mars_lost: Any
    koks_won: Any
    koks_lost: Any
    draw: Any
    equity: Any
    mean: Any
    opponent_mean: Any
    epc: Any
    opponent_epc: Any


class Sides(NamedTuple):
    """How long players take to bear off, by row.

    Attributes
    ----------
    mean : float64[n]
        Mean turns.
    left : float64[n, turns, 4]
        The chance that after k turns some checker is in play; that no checker is off; that none is
        off and not all are home; that some checker is in the winner's home. The last three are 0
        where they do not count.
    """

    mean: NDArray[np.float64]
    left: NDArray[np.float64]


def race(position: Position | str | ArrayLike, rules: Rules | str | None = None) -> Race:
    """Work out the chances of a race in which nobody can be hit or blocked any more.

    Each player bears off by the policy of fewest mean turns, so the two numbers of turns are
    independent; from them the chances are exact. (Perfect play looks at the other player now and
    then. For up to six checkers each in the homes, where `two_sided` has its equity, the two differ
    by 0.0018 points on average and 0.028 at most.)

    All checkers within the homes are looked up in `one_sided` with 6 points. Others are worked out
    from the positions that can arise from them, unless a table of more points is kept already
    (`one_sided` makes and keeps one): up to some seconds for each board.

    Parameters
    ----------
    position : Position, str or array_like of int, shape (n, 32) or (32,)
        A position or its text, or boards in the view of the player on roll.
    rules : Rules or str, optional
        The game of boards; a position brings its own.

    Returns
    -------
    Race
        Floats for a position or one board, else float64[n]. If the game can be drawn, the player
        on roll is the one who moved first in it.

    Raises
    ------
    ParseError, UnknownVariant, RulesError
        If a text is of no position.
    InvalidPosition
        If a board cannot stand under the rules, or is no race yet.
    InvalidArgument
        If there are no rules, or others than those of the position; if more positions can arise
        from a board than can be worked out.

    Examples
    --------
    >>> from nardy.bearoff import race
    >>> last = race("short 6:1 off:14 | 1:2 off:13")
    >>> round(last.win * 36), round(last.mean, 2)
    (27, 1.25)
    """
    game, boards, one = _read(position, rules)
    parts = [_race(game, boards[low : low + ROWS]) for low in range(0, max(1, len(boards)), ROWS)]
    found = np.concatenate(parts, axis=1)
    return Race(*(float(each[0]) if one else each for each in found))


def _read(
    position: Position | str | ArrayLike, rules: Rules | str | None
) -> tuple[Rules, NDArray[np.int8], bool]:
    """Read boards that are races, and their game."""
    if isinstance(position, str):
        position = Position.from_text(position, rules)
    boards = array_of(position)
    if isinstance(position, Position):
        game = position.rules
        if rules is not None and rules_of(rules) != game:
            msg = f"rules: expected none with a position, or its own ({game.name}), got {rules!r}"
            raise InvalidArgument(msg)
    elif rules is None:
        msg = "rules: expected a Position, its text, or a game with an array of boards, got None"
        raise InvalidArgument(msg)
    else:
        game = rules_of(rules)
    one = boards.ndim == 1
    is_race = _core.is_race(game, boards)
    boards = boards.reshape(-1, 32).astype(np.int8)
    wrong = np.flatnonzero(~is_race)
    if wrong.size:
        which = position_text(game, boards[wrong[0]])
        msg = (
            f"{'' if one else f'row {wrong[0]}: '}{which!r} is no race yet: a checker can still be "
            "hit, blocked, held back or moved by a remainder"
        )
        raise InvalidPosition(msg)
    return game, boards, one


def _race(game: Rules, boards: NDArray[np.int8]) -> NDArray[np.float64]:
    """Work out the chances of some boards, all of them races: float64[11, n]."""
    other = batch.flip(game, boards)
    out = np.zeros((len(Race._fields), len(boards)))
    sure = _decided(game, boards)
    if sure.any():
        out[:7, sure] = _decide(game, boards[sure])
        out[7:, sure] = _means_of_decided(game, boards[sure], other[sure])
    if not sure.all():
        mine = np.maximum(boards[~sure, 1:25], 0)
        theirs = np.maximum(other[~sure, 1:25], 0)
        out[:, ~sure] = _chances(game, sides_of(game, mine), sides_of(game, theirs))
    return out


class Rest(NamedTuple):
    """How games end that are in both homes, for the player on roll.

    Attributes
    ----------
    won, lost : float64[3, n]
        Chances of a win, of a loss, as single, mars and koks (a home mars counts there).
    drawn : float64[n]
        Chance of a draw.
    points : float64[n]
        Cubeless mean points; a draw counts 0.
    turns : float64[n]
        Mean rolls to come, of both players.
    """

    won: NDArray[np.float64]
    lost: NDArray[np.float64]
    drawn: NDArray[np.float64]
    points: NDArray[np.float64]
    turns: NDArray[np.float64]


def rest_of(game: Rules, boards: NDArray[np.int8], second: bool) -> Rest:
    """Look up how games end that are in both homes and not over.

    Parameters
    ----------
    game : Rules
        The game.
    boards : int8[n, 32]
        Boards in the view of the player on roll.
    second : bool
        Whether the player on roll is not the one who moved first in the game (10.5).

    Returns
    -------
    Rest
        The same numbers as those of `race`, to the last digit.
    """
    own, other = (
        sides_of(game, np.maximum(side[:, 1:25], 0)) for side in (boards, batch.flip(game, boards))
    )
    found = _results(game, own, other, second)
    won, lost = (
        np.stack([kinds[0], kinds[1], kinds[2] + kinds[3]]) for kinds in (found.won, found.lost)
    )
    return Rest(won, lost, found.drawn, _points(game, found.won, found.lost), found.turns)


# ----------------------------------------------------------------- games that are over, or are now


def _decided(game: Rules, boards: NDArray[np.int8]) -> NDArray[np.bool_]:
    """Say which games are over, or end with the next roll whatever it is."""
    over = _batch.outcomes(game, boards).over
    if game.draw_points:
        return over  # the opponent has a last turn
    return over | _core.wins_now(game, boards)


def _decide(game: Rules, boards: NDArray[np.int8]) -> NDArray[np.float64]:
    """Give the chances, certain all of them, down to `Race.equity`: float64[7, n]."""
    ended = boards.copy()
    last = ~_batch.outcomes(game, boards).over
    ended[last, 1:26] = np.minimum(boards[last, 1:26], 0)
    ended[last, 0] = game.checkers
    result = _batch.outcomes(game, ended)
    won, lost = result.winner == 0, result.winner == 1
    mars, koks = result.kind >= 2, result.kind >= 3
    equity = np.where(won, result.points, np.where(lost, -result.points, 0.0))
    drawn = result.winner == -1
    rows = (won, won & mars, lost & mars, won & koks, lost & koks, drawn, equity)
    return np.stack([row.astype(np.float64) for row in rows])


def _means_of_decided(
    game: Rules, boards: NDArray[np.int8], other: NDArray[np.int8]
) -> NDArray[np.float64]:
    """Give mean turns and pip counts: 0 or 1 turn for the winner, nan for the loser."""
    done = np.array([boards[:, 0] == game.checkers, other[:, 0] == game.checkers])
    over = done.any(axis=0)
    means = np.where(done, 0.0, np.nan)
    means[0, ~over] = 1.0
    return np.concatenate([means, means * _core.pips_per_roll(game)])


# --------------------------------------------------------------------------- two distributions


class _Results(NamedTuple):
    """How races end, by board; wins by kind: single, mars, koks, home mars."""

    won: NDArray[np.float64]
    lost: NDArray[np.float64]
    drawn: NDArray[np.float64]
    turns: NDArray[np.float64]


def _chances(game: Rules, own: Sides, other: Sides) -> NDArray[np.float64]:
    """Combine two independent numbers of turns into all of `Race`: float64[11, n]."""
    won, lost, drawn, _ = _results(game, own, other)
    sums = [won.sum(axis=0), won[1:].sum(axis=0), lost[1:].sum(axis=0)]
    sums += [won[2:].sum(axis=0), lost[2:].sum(axis=0), drawn]
    means = np.stack([own.mean, other.mean])
    return np.concatenate(
        [
            np.clip(sums, 0, 1),  # which rounding may leave
            [_points(game, won, lost)],
            means,
            means * _core.pips_per_roll(game),
        ]
    )


def _results(game: Rules, own: Sides, other: Sides, second: bool = False) -> _Results:
    """Combine two independent numbers of turns; `second`: the player on roll did not move first.

    When I finish at turn k, he has had k - 1; when he does, I have had k. With a last turn (10.5)
    the one who did not move first has one more.
    """
    more_mine = int(bool(game.draw_points) and second)
    more_theirs = int(bool(game.draw_points) and not second)
    count = 1 + max(own.left.shape[1], other.left.shape[1])
    mine, theirs = _padded(own.left, count + 1), _padded(other.left, count + 1)
    ends_mine = mine[:, :count, 0] - mine[:, 1 : count + 1, 0]  # the last is off at turn 1, 2, ...
    ends_theirs = theirs[:, :count, 0] - theirs[:, 1 : count + 1, 0]
    met_theirs = theirs[:, more_theirs : more_theirs + count]
    met_mine = mine[:, 1 + more_mine : 1 + more_mine + count]
    first = ends_mine * theirs[:, :count, 0]
    then = ends_theirs * mine[:, 1 : count + 1, 0]
    rolls = 2 * np.arange(1, count + 1)
    drawn = more_theirs * _over_turns(ends_mine * ends_theirs)
    drawn += more_mine * _over_turns(ends_theirs[:, :-1] * ends_mine[:, 1:])
    return _Results(
        won=_kinds(game, _over_turns(ends_mine[:, :, None] * met_theirs)),
        lost=_kinds(game, _over_turns(ends_theirs[:, :, None] * met_mine)),
        drawn=drawn,
        turns=_over_turns(first * (rolls - 1 + more_theirs) + then * (rolls + more_mine)),
    )


def _over_turns(chances: NDArray[np.float64]) -> NDArray[np.float64]:
    """Sum over turns, one after the other: boards beside it do not change a board's last digit."""
    total: NDArray[np.float64] = np.cumsum(chances, axis=1)[:, -1]
    return total


def _points(
    game: Rules, won: NDArray[np.float64], lost: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Mean points of wins by kind, less those of losses."""
    out = np.zeros(won.shape[1])
    for worth, net in zip(_batch.worth(game)[1:], won - lost, strict=True):
        out += worth * net
    return out


def _padded(left: NDArray[np.float64], length: int) -> NDArray[np.float64]:
    """Add turns after which as much is left as in the end: nothing, but where a game never ends."""
    return np.pad(left, ((0, 0), (0, length + 1 - left.shape[1]), (0, 0)), mode="edge")


def _kinds(game: Rules, met: NDArray[np.float64]) -> NDArray[np.float64]:
    """Split the wins by kind: float64[4, n] of single, mars, koks and home mars.

    `met` has, by board, the chances of a win, and of one that meets the loser with no checker off,
    not all home, some in the winner's home, of which each implies the one before.
    """
    win, none_off, not_home, far = met.T
    koks = far if game.points[2] else np.zeros_like(win)
    home = none_off - not_home if game.home_mars else np.zeros_like(win)
    mars = none_off - koks - home if game.points[1] else np.zeros_like(win)
    return np.stack([win - mars - koks - home, mars, koks, home])


# ---------------------------------------------------------------------------- one distribution


def sides_of(game: Rules, rows: NDArray[np.int8]) -> Sides:
    """Look up or work out how many turns rows of checkers take, nobody in their way.

    Parameters
    ----------
    game : Rules
        The game.
    rows : int8[n, 24]
        Checkers on points 1 to 24.

    Returns
    -------
    Sides
        Means, and what is ahead after each turn.

    Raises
    ------
    InvalidArgument
        If too many positions can arise.
    """
    points = max(6, int(np.flatnonzero(rows.any(axis=0)).max(initial=0)) + 1)
    if points == 6:
        return _read_off(game, one_sided(game, 6), rows)
    most = np.cumsum(rows[:, ::-1], axis=1, dtype=np.int64)[:, ::-1].max(axis=0)[:points]
    shape = _core.Shape(points, game.checkers, most)
    if shape.size <= SHARED:
        return _read_off(game, _table_below(game, points, tuple(most.tolist())), rows)
    kept = kept_one_sided(game, max(10, points)) or kept_one_sided(game, points)
    if kept is not None:
        return _read_off(game, kept, rows)
    if len(rows) > 1:
        return _joined(
            [sides_of(game, rows[: len(rows) // 2]), sides_of(game, rows[len(rows) // 2 :])]
        )
    return _alone(game, shape, rows[:, :points])


@lru_cache(maxsize=2)
def _table_below(game: Rules, points: int, most: tuple[int, ...]) -> OneSided:
    """Make a table of the positions that can arise from some others."""
    shape = _core.Shape(points, game.checkers, most)
    return OneSided(game, shape, build_one_sided(game, shape))


def _read_off(game: Rules, table: OneSided, rows: NDArray[np.int8]) -> Sides:
    """Read a table."""
    stones = _core.milestones(game, table.points, game.checkers)
    counts = np.ascontiguousarray(rows[:, : table.points])
    return Sides(np.atleast_1d(table.mean(counts)), _spread(table.left(counts, stones), stones))


def _alone(game: Rules, shape: _core.Shape, row: NDArray[np.int8]) -> Sides:
    """Work out one position, from which too many can arise to keep what each leads to."""
    if shape.size > LARGEST:
        msg = (
            f"{shape.size} positions can arise from {row[0].tolist()} on points 1 to "
            f"{shape.points}; expected at most {LARGEST}"
        )
        raise InvalidArgument(msg)
    stones = _core.milestones(game, shape.points, shape.checkers)
    mean, left = _core.one_position(game, shape, np.ascontiguousarray(row), stones)
    return Sides(np.array([mean]), _spread(left[None], stones))


def _spread(left: NDArray[np.float64], stones: list[int]) -> NDArray[np.float64]:
    """Put the chances under the milestones that there may be; those not there are passed."""
    out = np.zeros((*left.shape[:2], 4))
    out[:, :, 0] = left[:, :, 0]
    for k, stone in enumerate(stones, start=1):
        out[:, :, 1 + (0, 7, 19).index(stone)] = left[:, :, k]
    return out


def _joined(parts: list[Sides]) -> Sides:
    """Put the rows of several parts together."""
    length = max(part.left.shape[1] for part in parts)
    left = np.concatenate([_padded(part.left, length) for part in parts])
    return Sides(np.concatenate([part.mean for part in parts]), left)
