"""How fast this copy runs here, and a signature of the games it plays."""

import hashlib
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from statistics import median

import numpy as np
from numpy.typing import NDArray

from nardy import batch
from nardy_core import batch as core
from nardy_core.rules import Rules

__all__ = ["Speed", "measure", "random_pairs", "signature"]

SIGNED_GAMES = 1_000
ROLLS = np.array([(a, b) for a in range(1, 7) for b in range(1, 7)], np.uint8)
SIDE_BY_SIDE = 2_000


@dataclass(frozen=True)
class Speed:
    """Figures of one game, one thread; the medians of several runs.

    Attributes
    ----------
    variant : str
        The game.
    plays, count : float
        Pairs (position, roll) a second that `nardy.batch.plays` and `count` do.
    boards : float
        Distinct boards a second that `plays` lists.
    random_games, decisions : float
        Whole random games a second; turns a second of the `heuristic` policy.
    signature, heuristic_signature : str
        See `signature`.
    """

    variant: str
    plays: float
    boards: float
    count: float
    random_games: float
    decisions: float
    signature: str
    heuristic_signature: str

    def to_dict(self) -> dict[str, str | float]:
        """Return the figures for JSON."""
        return asdict(self)


def signature(rules: Rules | str, policy: str = "random") -> str:
    """Hash the turns, winners and kinds of 1,000 whole games of seed 0.

    It is the same on every machine and every path of the kernels, and for any number of threads; a
    change of it is a change of the rules, of the order of plays, of the dice or of the policy.

    Parameters
    ----------
    rules : Rules or str
        The game, or the name of a variant.
    policy : str
        As in `nardy.batch.playout`.

    Returns
    -------
    str
        Eight hexadecimal digits.

    Examples
    --------
    >>> signature("long") == signature("long")
    True
    """
    played = batch.playout(rules, games=SIGNED_GAMES, seed=0, policy=policy)
    digest = hashlib.sha256(played.turns.astype("<i4").tobytes())
    digest.update(played.winner.tobytes() + played.kind.tobytes())
    return digest.hexdigest()[:8]


def random_pairs(rules: Rules, n: int, seed: int) -> tuple[NDArray[np.int8], NDArray[np.uint8]]:
    """Draw pairs (position, roll) from random games that are played side by side.

    Parameters
    ----------
    rules : Rules
        The game.
    n : int
        How many pairs.
    seed : int
        Seed of the games.

    Returns
    -------
    boards : int8[n, 32]
        Positions, one in eight of each turn, in random order.
    dice : uint8[n, 2]
        A roll for each.
    """
    rng = np.random.default_rng(seed)
    boards, dice, found = [], [], 0
    now = core.start(rules, SIDE_BY_SIDE)
    while found < n:
        roll = ROLLS[rng.integers(0, 36, len(now))]
        keep = rng.random(len(now)) < 1 / 8
        boards.append(now[keep])
        dice.append(roll[keep])
        found += len(boards[-1])
        offsets, after = core.plays(rules, now, roll)
        sizes = np.diff(offsets)
        chosen = offsets[:-1] + (rng.random(len(now)) * sizes).astype(np.int64)
        now = core.flip(rules, after[chosen])
        now[core.outcomes(rules, now).over] = core.start(rules)[0]
    mixed = rng.permutation(found)[:n]
    return np.concatenate(boards)[mixed], np.concatenate(dice)[mixed]


def seconds(work: Callable[[], object], runs: int) -> float:
    """Median time of some runs, after one that is not counted."""
    work()
    times = []
    for _ in range(runs):
        began = time.perf_counter()
        work()
        times.append(time.perf_counter() - began)
    return median(times)


def measure(rules: Rules, pairs: int = 20_000, games: int = 2_000, runs: int = 7) -> Speed:
    """Measure one game on one thread, on different pairs from random play.

    Parameters
    ----------
    rules : Rules
        The game.
    pairs, games, runs : int
        Size of the work, and how often each is timed.

    Returns
    -------
    Speed
        The medians.
    """
    boards, dice = random_pairs(rules, pairs, seed=1)
    listed = len(core.plays(rules, boards, dice)[1])
    of_plays = seconds(lambda: core.plays(rules, boards, dice), runs)
    of_count = seconds(lambda: core.count(rules, boards, dice), runs)
    of_games = seconds(lambda: core.playout(rules, games=games, seed=1), runs)
    few = max(1, games // 4)
    turns = int(core.playout(rules, games=few, seed=1, policy="heuristic").turns.sum())
    of_turns = seconds(lambda: core.playout(rules, games=few, seed=1, policy="heuristic"), runs)
    return Speed(
        variant=rules.name,
        plays=pairs / of_plays,
        boards=listed / of_plays,
        count=pairs / of_count,
        random_games=games / of_games,
        decisions=turns / of_turns,
        signature=signature(rules),
        heuristic_signature=signature(rules, "heuristic"),
    )
