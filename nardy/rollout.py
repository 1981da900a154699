"""Rollouts: what a position is worth, from many games played to the end.

All sums are kept in whole numbers until the end, so a result does not depend on how the games were
cut into pieces or spread over threads.
"""

import math
import os
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple, SupportsIndex, TypeAlias, overload

import numpy as np
import numpy.typing as npt

from nardy.position import Position
from nardy.text import rules_text
from nardy.variants import rules_of
from nardy_core import batch
from nardy_core.errors import InvalidArgument, whole_number
from nardy_core.rules import Rules

if TYPE_CHECKING:
    from nardy.bearoff.truncating import Sums

__all__ = ["Estimate", "Rollout", "Shares", "Simulation", "rollout", "simulate"]

Policy: TypeAlias = str | tuple[str, str]
Progress: TypeAlias = Callable[[int, int], object]

GAMES_PER_CALL = 4096
"""Games of one call of the core for each thread: some tenths of a second of work."""

MOST_THREADS = 1024
"""More than this the core does not start."""

KINDS = 5
"""Kinds that the core tells apart: draw, single, mars, koks, home mars."""


class Shares(NamedTuple):
    """Shares of all games that ended in each kind of win; a home mars stands under `koks`."""

    single: float
    mars: float
    koks: float


class Estimate(NamedTuple):
    """A mean over games and the standard error of that mean."""

    mean: float
    stderr: float


@dataclass(frozen=True, slots=True)
class Rollout:
    """The result of a rollout, with every setting it was made with.

    Attributes
    ----------
    position : Position
        The position rolled out.
    trials : int
        Games played.
    policy : str or pair of str
        Who chose the plays: one policy for both, or that of the player on roll and the other's.
    truncate : str or None
        Whether games were left where the tables know the rest ("bearoff"), or played to the end.
    seed : int
        Seed of the dice.
    index : int
        Place of the position in its list: with the seed it fixes the dice.
    equity : float
        Cubeless mean points for the player on roll, who loses what the opponent wins. A draw counts
        0: each player gets the same.
    stderr : float
        Standard error of `equity`; infinite after a single game, 0 for a finished position.
    won, lost : Shares
        Shares of the games that the player on roll won and lost as single, mars and koks. A home
        mars is counted under koks, and in `equity` with its own worth.
    drawn : float
        Share of draws, and of games that neither player could ever have ended.
    turns : float
        Mean rolls per game, of both players together.
    turns_stderr : float
        Standard error of `turns`.
    elapsed : float
        Seconds that the call took, for the whole list; no part of equality.
    """

    position: Position
    trials: int
    policy: Policy
    truncate: str | None
    seed: int
    index: int
    equity: float
    stderr: float
    won: Shares
    lost: Shares
    drawn: float
    turns: float
    turns_stderr: float
    elapsed: float = field(compare=False)

    def to_dict(self) -> dict[str, object]:
        """Plain values for JSON; `elapsed` is left out, so equal rollouts give equal text.

        Returns
        -------
        dict
            Every other field under its name, and the game, with its house rules, under
            ``"variant"``. A standard error that one game cannot give is None.
        """
        return {
            "position": self.position.text(),
            "variant": rules_text(self.position.rules),
            "trials": self.trials,
            "policy": _plain_policy(self.policy),
            "truncate": self.truncate,
            "seed": self.seed,
            "index": self.index,
            "equity": self.equity,
            "stderr": _finite(self.stderr),
            "won": self.won._asdict(),
            "lost": self.lost._asdict(),
            "drawn": self.drawn,
            "turns": self.turns,
            "turns_stderr": _finite(self.turns_stderr),
        }


@dataclass(frozen=True, slots=True)
class Simulation:
    """What whole games of one variant are like, with every setting they were played with.

    Attributes
    ----------
    rules : Rules
        The game.
    games : int
        Games played, each from the start.
    policy : str or pair of str
        Who chose the plays: one policy for both, or that of the first mover and the other's.
    seed : int
        Seed of the dice.
    turns : Estimate
        Rolls per game, of both players together.
    turns_sd : float
        Standard deviation of the rolls per game.
    turns_max : int
        Rolls of the longest game.
    single, mars, koks, drawn : Estimate
        Shares of the results, whoever won; a home mars stands under koks.
    first_wins : Estimate
        Share of games that the first mover won.
    first_points : Estimate
        Cubeless mean points of the first mover, who loses what the other wins.
    elapsed : float
        Seconds that it took; no part of equality.
    """

    rules: Rules
    games: int
    policy: Policy
    seed: int
    turns: Estimate
    turns_sd: float
    turns_max: int
    single: Estimate
    mars: Estimate
    koks: Estimate
    drawn: Estimate
    first_wins: Estimate
    first_points: Estimate
    elapsed: float = field(compare=False)

    def to_dict(self) -> dict[str, object]:
        """Plain values for JSON; `elapsed` is left out, so equal simulations give equal text.

        Returns
        -------
        dict
            Every other field under its name, the game, with its house rules, under
            ``"variant"``; estimates are ``{"mean": ..., "stderr": ...}``.
        """
        plain: dict[str, object] = {
            "variant": rules_text(self.rules),
            "games": self.games,
            "policy": _plain_policy(self.policy),
            "seed": self.seed,
            "turns_sd": _finite(self.turns_sd),
            "turns_max": self.turns_max,
        }
        for name in ("turns", "single", "mars", "koks", "drawn", "first_wins", "first_points"):
            estimate: Estimate = getattr(self, name)
            plain[name] = {"mean": estimate.mean, "stderr": _finite(estimate.stderr)}
        return plain


@overload
def rollout(  # type: ignore[overload-overlap]  # a str is an iterable of str
    position: Position | str,
    trials: int = ...,
    policy: Policy = ...,
    seed: int | None = ...,
    threads: int = ...,
    progress: Progress | None = ...,
    truncate: str | None = ...,
) -> Rollout: ...


@overload
def rollout(
    position: Iterable[Position | str],
    trials: int = ...,
    policy: Policy = ...,
    seed: int | None = ...,
    threads: int = ...,
    progress: Progress | None = ...,
    truncate: str | None = ...,
) -> list[Rollout]: ...


def rollout(
    position: Position | str | Iterable[Position | str],
    trials: int = 1296,
    policy: Policy = "heuristic",
    seed: int | None = None,
    threads: int = 1,
    progress: Progress | None = None,
    truncate: str | None = None,
) -> Rollout | list[Rollout]:
    """Play many games from one position or from each of a list, and count how they end.

    Parameters
    ----------
    position : Position or str, or an iterable of them
        What to roll out; a str is the text of a position. A list may mix games.
    trials : int
        Games from each position.
    policy : {"heuristic", "random"} or a pair of them
        Who chooses the plays; a pair is for the player on roll and for the opponent.
    seed : int, optional
        0 to 2**64 - 1. The dice are a function of the seed, the place in the list and the number
        of the game. Default: a fresh one, which the result reports.
    threads : int
        Threads to use; the numbers are the same for any.
    progress : callable, optional
        Called as ``progress(done, total)`` with numbers of games, now and then and at the end.
    truncate : {None, "bearoff"}
        "bearoff": a game is left as soon as all checkers of both players are home or off, and
        counts for what it is worth from there, exactly (`nardy.bearoff.race`), if both bear off in
        fewest mean turns. That leaves less error; it is the end of that policy, not of `policy`.

    Returns
    -------
    Rollout or list of Rollout
        One for one position, a list for a list. A finished position gives its exact result, with
        no error and no turns; so does one in both homes, if games are truncated.

    Raises
    ------
    NardyError
        If a text is not a legal position or an argument is out of range; if games of these rules
        cannot be truncated (see `nardy.batch.playout`).

    Examples
    --------
    >>> from nardy.rollout import rollout
    >>> result = rollout("short 6:1 off:14 | 1:1 off:14", trials=2000, seed=1)
    >>> print(f"{result.equity:+.2f} with a standard error of {result.stderr:.2f}")
    +0.50 with a standard error of 0.02
    """
    started = time.perf_counter()
    single = isinstance(position, (str, Position))
    listed = list(position) if isinstance(position, Iterable) and not single else [position]
    positions = [_position(one) for one in listed]
    job = _job(trials, policy, seed, threads, "trials", truncate)
    found = [numbers for part in _parts(positions, job, progress) for numbers in part]
    elapsed = time.perf_counter() - started
    results = [
        _rollout(one, numbers, job, index, elapsed)
        for index, (one, numbers) in enumerate(zip(positions, found, strict=True))
    ]
    return results[0] if single else results


def simulate(
    rules: Rules | str,
    games: int = 10_000,
    policy: Policy = "heuristic",
    seed: int | None = None,
    threads: int = 1,
    progress: Progress | None = None,
) -> Simulation:
    """Play whole games of one variant and report what they are like.

    Parameters
    ----------
    rules : Rules or str
        The game, or its name.
    games : int
        Games to play, each from the start with the opening of the rules.
    policy : {"heuristic", "random"} or a pair of them
        Who chooses the plays; a pair is for the first mover and for the other.
    seed : int, optional
        0 to 2**64 - 1. Default: a fresh one, which the result reports.
    threads : int
        Threads to use; the numbers are the same for any.
    progress : callable, optional
        Called as ``progress(done, total)`` with numbers of games, now and then and at the end.

    Returns
    -------
    Simulation
        Length, results and first mover's share, each with its standard error.

    Raises
    ------
    NardyError
        If there is no such game or an argument is out of range.

    Examples
    --------
    >>> from nardy.rollout import simulate
    >>> result = simulate("short", games=1000, policy="random", seed=1)
    >>> round(result.turns.mean), round(result.first_wins.mean, 2)
    (97, 0.52)
    """
    started = time.perf_counter()
    game = rules_of(rules)
    job = _job(games, policy, seed, threads, "games")
    (tally,) = _play(game, None, 0, job, _Meter(progress, job.trials))
    counts = tally.counts
    return Simulation(
        rules=game,
        games=job.trials,
        policy=job.policy,
        seed=job.seed,
        turns=_estimate(job.trials, tally.turns, tally.squares),
        turns_sd=_deviation(job.trials, tally.turns, tally.squares),
        turns_max=tally.longest,
        single=_share(counts[:, 1], job.trials),
        mars=_share(counts[:, 2], job.trials),
        koks=_share(counts[:, 3:], job.trials),
        drawn=_share(counts[2], job.trials),
        first_wins=_share(counts[1], job.trials),
        first_points=_net_points(counts, _worth(game)),
        elapsed=time.perf_counter() - started,
    )


# --------------------------------------------------------------------------------- the games


class _Job(NamedTuple):
    """The settings of a call."""

    trials: int
    policy: Policy
    seed: int
    threads: int
    truncate: str | None


class _Tally(NamedTuple):
    """What is counted of the games from one position.

    `counts[w, k]`: games with winner w (0 the other, 1 the player on roll, 2 nobody) and kind k.
    """

    counts: npt.NDArray[np.int64]
    turns: int
    squares: int
    longest: int


class _Numbers(NamedTuple):
    """What is known of one position; `exact` if no dice were thrown for it."""

    points: Estimate
    won: Shares
    lost: Shares
    drawn: float
    turns: Estimate
    exact: bool


class _Meter:
    """Counts games for the caller's progress callback."""

    def __init__(self, progress: Progress | None, total: int) -> None:
        self.progress = progress
        self.total = total
        self.done = 0

    def add(self, games: int) -> None:
        self.done += games
        if self.progress is not None:
            self.progress(self.done, self.total)


def _position(one: object) -> Position:
    if isinstance(one, str):
        return Position.from_text(one)
    if isinstance(one, Position):
        return one
    msg = f"position: expected a Position or its text, got {one!r}"
    raise InvalidArgument(msg)


def _job(
    trials: int,
    policy: Policy,
    seed: int | None,
    threads: int,
    word: str,
    truncate: str | None = None,
) -> _Job:
    """Check the settings; take a fresh seed where none is given."""
    if isinstance(policy, (tuple, list)) and len(policy) == 2:
        policy = (policy[0], policy[1])
    if seed is None:
        # 53 bits: readers of JSON that know only doubles keep them exactly.
        seed = int.from_bytes(os.urandom(7), "big") >> 3
    crew = min(_whole("threads", threads, 1), MOST_THREADS)
    if truncate is not None:
        from nardy.bearoff.truncating import check  # takes time, and is seldom wanted

        check(truncate)
    return _Job(_whole(word, trials, 1), policy, _whole("seed", seed, 0), crew, truncate)


def _whole(name: str, value: SupportsIndex, least: int) -> int:
    number = whole_number(value)
    if number is None or number < least:
        msg = f"{name}: expected a whole number of {least} or more, got {value!r}"
        raise InvalidArgument(msg)
    return number


def _parts(
    positions: list[Position], job: _Job, progress: Progress | None
) -> Iterator[list[_Numbers]]:
    """Do the neighbours in the list that share their rules and fit into one call."""
    meter = _Meter(progress, job.trials * len(positions))
    most = max(1, GAMES_PER_CALL * job.threads // job.trials)
    first = 0
    for rules, group in groupby(positions, key=lambda one: one.rules):
        boards = np.stack([one.board for one in group])
        for low in range(0, len(boards), most):
            part = boards[low : low + most]
            if job.truncate is None:
                yield [
                    _counted(tally, rules, job.trials)
                    for tally in _play(rules, part, first + low, job, meter)
                ]
            else:
                yield _play_truncated(rules, part, first + low, job, meter)
        first += len(boards)


def _play(
    rules: Rules,
    boards: npt.NDArray[np.int8] | None,
    first: int,
    job: _Job,
    meter: _Meter,
) -> list[_Tally]:
    """Play all games of some boards, the first of which is number `first` of the list."""
    n = 1 if boards is None else len(boards)
    counts = np.zeros((n, 3, KINDS), np.int64)
    turns, squares, longest = [0] * n, [0] * n, [0] * n
    for done, games in _pieces(n, job):
        played = batch.raw_playout(
            rules,
            boards,
            games,
            job.seed,
            job.policy,
            job.threads,
            first_board=first,
            first_game=done,
        )
        counts += _count(played)
        lengths = played.turns.astype(np.int64)
        for row in range(n):
            turns[row] += int(lengths[row].sum())
            squares[row] += int((lengths[row] ** 2).sum())
            longest[row] = max(longest[row], int(lengths[row].max()))
        meter.add(games * n)
    return [_Tally(*tally) for tally in zip(counts, turns, squares, longest, strict=True)]


def _pieces(n: int, job: _Job) -> Iterator[tuple[int, int]]:
    """Cut the games from each of n boards into calls: the first game, and how many."""
    per_call = max(1, GAMES_PER_CALL * job.threads // n)
    for done in range(0, job.trials, per_call):
        yield done, min(per_call, job.trials - done)


def _play_truncated(
    rules: Rules, boards: npt.NDArray[np.int8], first: int, job: _Job, meter: _Meter
) -> list[_Numbers]:
    """Play all games of some boards as far as the tables do not know the rest."""
    from nardy.bearoff.truncating import Sums, table_for, values_of

    ends = table_for(rules, job.truncate)
    sums = [Sums() for _ in boards]
    for done, games in _pieces(len(boards), job):
        left = batch.part_playout(
            rules,
            boards,
            games,
            job.seed,
            job.policy,
            job.threads,
            ends,
            first_board=first,
            first_game=done,
        )
        values = values_of(rules, left)
        for row, each in enumerate(sums):
            each.add(values[:, row], left.played.turns[row])
        meter.add(games * len(boards))
    return [_summed(each, job.trials) for each in sums]


def _count(played: batch.Playouts) -> npt.NDArray[np.int64]:
    """How many games of each board ended with each winner and kind."""
    n = len(played.winner)
    rows = np.arange(n)[:, None]
    # The winner is 0, 1 or -1; here 1 stands for the player on roll, 0 for the other, 2 for none.
    sides = np.array([1, 0, 2])[played.winner]
    cells = (rows * 3 + sides) * KINDS + played.kind
    return np.bincount(cells.ravel(), minlength=n * 3 * KINDS).reshape(n, 3, KINDS)


# ------------------------------------------------------------------------------- the numbers


def _rollout(
    position: Position, numbers: _Numbers, job: _Job, index: int, elapsed: float
) -> Rollout:
    return Rollout(
        position=position,
        trials=job.trials,
        policy=job.policy,
        truncate=job.truncate,
        seed=job.seed,
        index=index,
        equity=numbers.points.mean,
        stderr=0.0 if numbers.exact else numbers.points.stderr,
        won=numbers.won,
        lost=numbers.lost,
        drawn=numbers.drawn,
        turns=numbers.turns.mean,
        turns_stderr=0.0 if numbers.exact else numbers.turns.stderr,
        elapsed=elapsed,
    )


def _counted(tally: _Tally, rules: Rules, trials: int) -> _Numbers:
    """Read the results of games that were played to the end."""
    return _Numbers(
        points=_net_points(tally.counts, _worth(rules)),
        won=_shares(tally.counts[1], trials),
        lost=_shares(tally.counts[0], trials),
        drawn=int(tally.counts[2].sum()) / trials,
        turns=_estimate(trials, tally.turns, tally.squares),
        exact=tally.turns == 0,
    )


def _summed(sums: "Sums", trials: int) -> _Numbers:
    """Read the results of games that were left to the tables."""
    from nardy.bearoff.truncating import DRAWN, LOST, POINTS, TURNS, UNIT, WON

    def estimate(row: int) -> Estimate:
        whole = _estimate(trials, sums.totals[row], sums.squares[row])
        return Estimate(whole.mean / UNIT, whole.stderr / UNIT)

    means = [total / trials / UNIT for total in sums.totals]
    return _Numbers(
        points=estimate(POINTS),
        won=Shares(*means[WON]),
        lost=Shares(*means[LOST]),
        drawn=means[DRAWN],
        turns=estimate(TURNS),
        exact=sums.thrown == 0,
    )


def _worth(rules: Rules) -> list[int]:
    """Points that pass from the loser to the winner, by kind; none in a draw."""
    return [0, *(int(points) for points in batch.worth(rules)[1:])]


def _shares(counts: npt.NDArray[np.int64], trials: int) -> Shares:
    _, single, mars, koks, home_mars = (int(count) for count in counts)
    return Shares(single / trials, mars / trials, (koks + home_mars) / trials)


def _share(counts: npt.NDArray[np.int64], games: int) -> Estimate:
    """Share of the games that are counted here."""
    hits = int(counts.sum())
    return _estimate(games, hits, hits)


def _net_points(counts: npt.NDArray[np.int64], worth: list[int]) -> Estimate:
    """Points won less points lost by the player on roll."""
    won, lost = ([int(count) for count in side] for side in (counts[1], counts[0]))
    total = sum((w - n) * points for w, n, points in zip(won, lost, worth, strict=True))
    squares = sum((w + n) * points**2 for w, n, points in zip(won, lost, worth, strict=True))
    return _estimate(int(counts.sum()), total, squares)


def _estimate(n: int, total: int, squares: int) -> Estimate:
    """Mean and its standard error, from the sum and the sum of squares of n whole numbers."""
    return Estimate(total / n, _deviation(n, total, squares) / math.sqrt(n))


def _deviation(n: int, total: int, squares: int) -> float:
    """Estimate the standard deviation; infinite where one number shows no spread."""
    if n == 1:
        return math.inf
    return math.sqrt(Fraction(n * squares - total**2, n * (n - 1)))


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None


def _plain_policy(policy: Policy) -> str | list[str]:
    return policy if isinstance(policy, str) else list(policy)
