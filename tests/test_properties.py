"""What holds for every play of every game, on a million random turns a variant."""

import numpy as np
import pytest
from pairs import PAIRS, choose
from sizes import size

from nardy import Position
from nardy.variants import VARIANTS
from nardy_core import batch

TURNS = size(1_000_000, 40_000)
SIDE_BY_SIDE = 4_000
MIX = np.array([0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0x27D4EB2F165667C5],
               np.uint64)  # fmt: skip


def row_keys(boards):
    """A 64-bit word for each board; equal boards have equal words."""
    words = np.ascontiguousarray(boards).view(np.uint64).reshape(-1, 4) * MIX
    words ^= words >> np.uint64(29)
    return (words * MIX[::-1]).sum(axis=1, dtype=np.uint64)


def totals(boards):
    """Checkers of the player on roll and of the opponent."""
    return np.maximum(boards, 0).sum(axis=1), -np.minimum(boards, 0).sum(axis=1)


@pytest.mark.parametrize("name", VARIANTS)
def test_every_play(name):
    rules = VARIANTS[name]
    rng = np.random.default_rng(42)
    now, done = batch.start(rules, SIDE_BY_SIDE), 0
    while done < TURNS:
        dice = PAIRS[rng.integers(0, 36, len(now))]
        offsets, after = batch.plays(rules, now, dice)
        sizes = np.diff(offsets)
        pair = np.repeat(np.arange(len(now)), sizes)
        before = now[pair]

        assert sizes.min() >= 1
        for total in totals(after):
            assert (total == rules.checkers).all(), "a checker is lost or made"
        keyed = row_keys(after) + pair.astype(np.uint64) * MIX[1]
        assert len(np.unique(keyed)) == len(after), "a board is listed twice"
        pips, pips_before = batch.pips(rules, after), batch.pips(rules, now)[pair]
        moved = (after != before).any(axis=1)
        assert (pips[moved, 0] < pips_before[moved, 0]).all(), "a play that gains no pips"
        assert (sizes[pair[~moved]] == 1).all(), "a pass beside other plays"
        hits = before[:, 26] - after[:, 26]  # the bar holds minus the enemy's checkers
        risen = pips[:, 1] - pips_before[:, 1]
        assert ((risen > 0) == (hits > 0)).all()
        assert (risen[hits == 0] == 0).all(), "the opponent's pips change without a hit"
        if rules.contact == "block":
            assert not hits.any()
            assert np.array_equal(after[:, 1:25] < 0, before[:, 1:25] < 0)
        assert not batch.faults(rules, after).any()
        theirs = batch.flip(rules, after)
        assert np.array_equal(batch.flip(rules, theirs), after)

        done += len(now)
        now = theirs[choose("random", rng, offsets, after)]
        now = now[~batch.outcomes(rules, now).over]
        if len(now) < SIDE_BY_SIDE:
            now = np.concatenate([now, batch.start(rules, SIDE_BY_SIDE - len(now))])


@pytest.mark.parametrize("name", VARIANTS)
def test_threads_do_not_matter(name):
    rules = VARIANTS[name]
    rng = np.random.default_rng(1)
    boards = batch.start(rules, 3_000)
    for _ in range(12):
        offsets, after = batch.plays(rules, boards, PAIRS[rng.integers(0, 36, 3_000)])
        boards = batch.flip(rules, after[choose("random", rng, offsets, after)])
    dice = PAIRS[rng.integers(0, 36, 3_000)]
    one = batch.plays(rules, boards, dice)
    counts = batch.count(rules, boards, dice)
    for threads in (2, 3, 7):
        offsets, after = batch.plays(rules, boards, dice, threads=threads)
        assert offsets.tobytes() == one[0].tobytes()
        assert after.tobytes() == one[1].tobytes()
        assert batch.count(rules, boards, dice, threads=threads).tobytes() == counts.tobytes()


@pytest.mark.parametrize("name", VARIANTS)
def test_seats_are_alike(name):
    """The mirrored position, written for the other seat and handed over, has the mirrored plays."""
    rules = VARIANTS[name]
    rng = np.random.default_rng(6)
    boards = batch.start(rules, 400)
    for _ in range(30):
        offsets, after = batch.plays(rules, boards, PAIRS[rng.integers(0, 36, len(boards))])
        boards = batch.flip(rules, after[choose("random", rng, offsets, after)])
    for board, dice in zip(boards, PAIRS[rng.integers(0, 36, len(boards))], strict=True):
        here = Position(rules, board)
        game, _, sides = here.text().partition(" ")
        own, _, other = sides.partition("|")
        there = Position.from_text(f"{game} {other.strip()} | {own.strip()}").flip()
        assert there == here
        assert there.after(*dice).tobytes() == here.after(*dice).tobytes()
        assert [str(play) for play in there.plays(*dice)] == [str(p) for p in here.plays(*dice)]
