"""Speed of the batch calls, for every variant.

Each bench first holds what it is going to time against the general path, which bypasses whatever
makes the kernels fast, or against a stored count: same work, or no number. One thread is timed by
the processor time of this process, so a busy machine disturbs it less; two threads by the clock.
"""

import statistics
import time
from pathlib import Path

import numpy as np
import pytest
from corpus import SIZE, corpus, digest

from nardy.variants import VARIANTS
from nardy_core import batch

TABLES = Path(__file__).parent.parent / "tests" / "perft"
MOST = 3_000_000
"""Pairs of the largest perft that is timed."""

pytestmark = pytest.mark.benchmark(
    timer=time.process_time, min_rounds=7, max_time=0.5, disable_gc=True
)
every_variant = pytest.mark.parametrize("name", VARIANTS)


@every_variant
def test_plays(benchmark, name):
    """All boards of a roll."""
    boards, dice = corpus(name)
    general = batch.plays(VARIANTS[name], boards, dice, _general=True)
    offsets, after = benchmark(batch.plays, VARIANTS[name], boards, dice)
    assert np.array_equal(offsets, general[0])
    assert np.array_equal(after, general[1])
    benchmark.extra_info.update(
        pairs=SIZE, boards=len(after), corpus=digest(boards, dice), answer=digest(offsets, after)
    )


@every_variant
def test_count(benchmark, name):
    """How many boards a roll has."""
    boards, dice = corpus(name)
    general = batch.count(VARIANTS[name], boards, dice, _general=True)
    counts = benchmark(batch.count, VARIANTS[name], boards, dice)
    assert np.array_equal(counts, general)
    benchmark.extra_info.update(pairs=SIZE, boards=int(counts.sum()))


@every_variant
def test_faults(benchmark, name):
    """Whether boards are legal."""
    boards, _ = corpus(name)
    one_more = boards[:1].copy()
    one_more[0, np.flatnonzero(one_more[0, 1:25] > 0)[0] + 1] += 1
    assert batch.faults(VARIANTS[name], one_more)[0] & batch.Fault.OWN_TOTAL
    faults = benchmark(batch.faults, VARIANTS[name], boards)
    assert not faults.any()
    benchmark.extra_info.update(pairs=SIZE)


def opening_perft(name):
    """The deepest stored count of the opening that is not too large: (depth, count)."""
    lines = (TABLES / f"{name}.perft").read_text().partition("id opening\n")[2].splitlines()
    best = None
    for line in lines[1:]:
        word, _, rest = line.partition(" ")
        if word != "perft":
            break
        depth, count = map(int, rest.split())
        if count <= MOST:
            best = depth, count
    return best


@every_variant
def test_perft(benchmark, name):
    """Perft of the opening, which merges equal boards on the way; tests/perft has the counts."""
    depth, expected = opening_perft(name)
    board = batch.start(VARIANTS[name])[0]
    assert benchmark(batch.perft, VARIANTS[name], board, depth) == expected
    benchmark.extra_info.update(pairs=expected, depth=depth)


# ----------------------------------------------------------------------------- whole games

CHECKED = 48
"""Games that are also played on the general path."""


def play_games(benchmark, name, policy, games):
    rules = VARIANTS[name]
    general = batch.playout(rules, games=CHECKED, seed=1, policy=policy, _general=True)
    played = benchmark(batch.playout, rules, games=games, seed=1, policy=policy)
    for fast, slow in zip(played, general, strict=True):
        assert np.array_equal(fast[:, :CHECKED], slow)
    benchmark.extra_info.update(
        games=games, decisions=int(played.turns.sum()), answer=digest(*played)
    )


@every_variant
def test_random_games(benchmark, name):
    """Whole games of uniformly random play."""
    play_games(benchmark, name, "random", 2_048)


@every_variant
def test_heuristic_games(benchmark, name):
    """Whole games in which both take the best play by the built-in sum."""
    play_games(benchmark, name, "heuristic", 512)


# ----------------------------------------------------------------------------- two threads

ROUNDS = 9
TIMES = 4
"""How often the pairs are laid end to end: a job of a few milliseconds is too small for threads."""


def two_threads(benchmark, call, check):
    """Time one thread and two in turn, so that both see the same machine."""
    alone = call(1)
    single = []

    def one_first():
        begun = time.perf_counter()
        call(1)
        single.append(time.perf_counter() - begun)

    both = benchmark.pedantic(call, args=(2,), setup=one_first, rounds=ROUNDS, warmup_rounds=1)
    check(alone, both)
    one = statistics.median(single[1:])
    if benchmark.stats is not None:  # None under --benchmark-disable
        benchmark.extra_info.update(one=one, ratio=one / benchmark.stats.stats.median)


def same(one, two):
    assert all(np.array_equal(a, b) for a, b in zip(one, two, strict=True))


@every_variant
@pytest.mark.benchmark(timer=time.perf_counter)
def test_plays_two_threads(benchmark, name):
    """All boards of a roll, on two threads; the bytes must be those of one."""
    boards, dice = (np.tile(part, (TIMES, 1)) for part in corpus(name))
    rules = VARIANTS[name]
    two_threads(benchmark, lambda n: batch.plays(rules, boards, dice, threads=n), same)
    benchmark.extra_info.update(pairs=TIMES * SIZE)


@every_variant
@pytest.mark.benchmark(timer=time.perf_counter)
def test_random_games_two_threads(benchmark, name):
    """Whole random games, on two threads; the bytes must be those of one."""
    rules = VARIANTS[name]
    two_threads(benchmark, lambda n: batch.playout(rules, games=2_048, seed=1, threads=n), same)
    benchmark.extra_info.update(games=2_048)
