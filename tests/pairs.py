"""Random (position, dice) pairs: from play under several policies, and set up to break things."""

import random

import numpy as np
import reference as ref

from nardy_core import batch
from nardy_core.rules import FIELDS, Rules

PAIRS = np.array([(a, b) for a in range(1, 7) for b in range(1, 7)], np.uint8)
BOARDS = 256  # games played side by side
POLICIES = ("random", "first", "last", "points", "safe")


def build(rules):
    """`Rules` from the reference's dict."""
    return Rules(**{field: rules[field] for field in FIELDS})


def choose(policy, rng, offsets, after):
    """Row of `after` that each game goes to."""
    low, high = offsets[:-1], offsets[1:]
    if policy == "random":
        return low + (rng.random(len(low)) * (high - low)).astype(np.int64)
    if policy == "first":  # the rear checkers first
        return low
    if policy == "last":  # the front checkers first
        return high - 1
    # Most points held ("points") or fewest lone checkers ("safe"), ties by chance.
    on_points = after[:, 1:25]
    if policy == "points":
        value = (on_points > 0).sum(axis=1) * 16.0
    else:
        value = (on_points == 1).sum(axis=1) * -16.0
    value += rng.random(len(value))
    best = np.maximum.reduceat(value, low)
    winners = np.flatnonzero(value == np.repeat(best, high - low))
    return winners[np.searchsorted(winners, low)]


def from_play(rules, n, seed, policies=POLICIES):
    """`n` boards on which somebody throws, with the dice: games side by side, five policies."""
    rng = np.random.default_rng(seed)
    boards, dice = [], []
    while sum(map(len, boards)) < n:
        for policy in policies:
            now = batch.start(rules, BOARDS)
            length = int(rng.integers(20, 120))
            for _ in range(length):
                roll = PAIRS[rng.integers(0, 36, len(now))]
                # One in eight is kept, so that the pairs come from many games.
                keep = rng.random(len(now)) < 0.125
                boards.append(now[keep])
                dice.append(roll[keep])
                offsets, after = batch.plays(rules, now, roll)
                now = batch.flip(rules, after[choose(policy, rng, offsets, after)])
                now = now[~batch.outcomes(rules, now).over]
                if not len(now):
                    break
    mixed = rng.permutation(sum(map(len, boards)))[:n]
    return np.concatenate(boards)[mixed], np.concatenate(dice)[mixed]


def scatter(rules, rand, own_places, enemy_places, own_off=0, enemy_off=0):
    """A board with the checkers thrown on the places at random, or None if it is illegal.

    Places are in the mover's numbers for both sides.
    """
    n = ref.checkers(rules)
    board = [0] * 32
    board[0], board[27] = own_off, -enemy_off
    for _ in range(n - own_off):
        board[rand.choice(own_places)] += 1
    free = [p for p in enemy_places if board[p] <= 0]
    if not free:
        return None
    for _ in range(n - enemy_off):
        board[rand.choice(free)] -= 1
    board = tuple(board)
    return None if ref.faults(rules, board) or ref.finished(rules, board) else board


def places(rand, low, high, k):
    """Up to k different points of low..high."""
    return rand.sample(range(low, high + 1), min(k, high - low + 1))


def anywhere(rules, rand):
    """A board of no particular kind: each side on a few points, perhaps some off or on the bar."""
    n = ref.checkers(rules)
    own = places(rand, 1, rand.choice((6, 7, 12, 24)), rand.randint(1, 9))
    enemy = places(rand, 1, 24, rand.randint(1, 10))
    if rules["contact"] == "hit":
        own += [25] * rand.choice((0, 0, 0, 1, 2))
        enemy += [26] * rand.choice((0, 0, 1))
    off = (rand.choice((0, 0, rand.randrange(n))) for _ in range(2))
    return scatter(rules, rand, own, enemy, *off)


def must_use_both(rules, rand):
    """One order, or one first step, loses the other die; both can be played."""
    board = scatter(
        rules,
        rand,
        places(rand, 1, 24, rand.randint(1, 3)),
        places(rand, 1, 24, rand.randint(3, 9)),
        rand.randint(10, 14),
    )
    dice = rand.sample(range(1, 7), 2)
    if board is None or ref.dice_used(rules, board, dice) < 2:
        return None
    for d in dice:
        other = sum(dice) - d
        for one in one_die(rules, board, d):
            if not one_die(rules, one, other):
                return board, dice
    return None


def larger_die(rules, rand):
    """Either die can be played, not both."""
    board = scatter(
        rules,
        rand,
        places(rand, 1, 24, rand.randint(1, 2)),
        places(rand, 1, 24, rand.randint(4, 9)),
        rand.randint(12, 14),
    )
    dice = rand.sample(range(1, 7), 2)
    if board is None or ref.dice_used(rules, board, dice) != 1:
        return None
    return (board, dice) if all(one_die(rules, board, d) for d in dice) else None


def one_die(rules, board, d):
    """Boards after one die alone."""
    after = ref.plays(rules, board, (d, d), 1, 0, False)
    return after - {board}


def bar_with_doubles(rules, rand):
    """One to five on the bar, a double, entry open, held by one, or closed."""
    own = [25] * rand.randint(1, 4) + places(rand, 1, 24, rand.randint(2, 9))
    board = scatter(
        rules, rand, own, places(rand, 1, 24, rand.randint(2, 11)), rand.choice((0, 0, 8, 11))
    )
    d = rand.randint(1, 6)
    return None if board is None or not board[25] else (board, (d, d))


def live_block(rules, rand):
    """Some step would leave an illegal block."""
    low = rand.randint(1, 19)
    wall = list(range(low, low + 6))
    wall.remove(rand.choice(wall))
    own = wall * 3 + [*range(low + 6, min(low + 14, 25)), *places(rand, 1, 24, 1)]
    if rand.random() < 0.2:  # across the mover's own 1/24
        own = [1, 2, 3, 22, 23, 24] * 3 + places(rand, 4, 12, 3)
    board = scatter(rules, rand, own, places(rand, 1, 24, rand.randint(1, 4)))
    dice = (rand.randint(1, 6), rand.randint(1, 6))
    if board is None:
        return None
    free = ref.plays(rules | {"block": "free"}, board, dice)
    return (board, dice) if free != ref.plays(rules, board, dice) else None


def bear_off_with_gaps(rules, rand):
    """All home but at most one, points missing, few enemies in the way."""
    own = places(rand, 1, 6, rand.randint(1, 4)) * 4
    if rand.random() < 0.3:
        own += [rand.randint(7, 12)]
    board = scatter(
        rules,
        rand,
        own,
        places(rand, 1, 24, rand.randint(1, 5)),
        rand.randint(0, 13),
        rand.randint(0, 10),
    )
    return None if board is None else (board, (rand.randint(1, 6), rand.randint(1, 6)))


def full_points(rules, rand, doubles=False):
    """Points with max_per_point checkers, or one fewer, in reach; ``doubles`` only, if asked."""
    most = rules["max_per_point"]
    board = scatter(
        rules,
        rand,
        places(rand, 1, rand.choice((6, 10, 24)), rand.randint(3, 5)),
        places(rand, 1, 24, rand.randint(3, 8)),
        rand.choice((0, 0, 3, 6)),
    )
    dice = (rand.randint(1, 6),) * 2 if doubles else (rand.randint(1, 6), rand.randint(1, 6))
    if board is None or not any(board[p] == most for p in range(1, 25)):
        return None
    limitless = ref.plays(rules | {"max_per_point": 0}, board, dice)
    return (board, dice) if limitless != ref.plays(rules, board, dice) else None


def full_doubles(rules, rand):
    """Points that fill up under a double: any order of the steps may be the legal one."""
    return full_points(rules, rand, doubles=True)


def frozen(rules, rand):
    """A hit at home after which the hitter must stay."""
    board = scatter(
        rules,
        rand,
        places(rand, 1, rand.choice((8, 12)), rand.randint(1, 5)),
        places(rand, 1, 8, rand.randint(2, 5)) + [24] * 4,
        rand.choice((0, 6, 11)),
        rand.choice((0, 8, 11)),
    )
    dice = (rand.randint(1, 6), rand.randint(1, 6))
    if board is None:
        return None
    free = ref.plays(rules | {"hitter": "free"}, board, dice)
    return (board, dice) if free != ref.plays(rules, board, dice) else None


KINDS = {
    "must_use_both": (must_use_both, ("long", "short", "tavla", "caucasian", "nardegammon")),
    "larger_die": (larger_die, ("long", "short", "tavla", "mad_gulbar")),
    "bar_with_doubles": (bar_with_doubles, ("short", "tavla", "caucasian", "old_english")),
    "live_block": (live_block, ("long", "long_fsnr", "mad_gulbar")),
    "bear_off_with_gaps": (bear_off_with_gaps, tuple(ref.PRESETS)),
    "full_points": (full_points, ("old_english",)),
    "full_doubles": (full_doubles, ("old_english",)),
    "frozen": (frozen, ("tavla", "caucasian")),
}
"""Constructed kinds, and the variants in which they are tried."""


def construct(kind, rules, n, seed):
    """`n` different pairs of a kind: boards and dice."""
    make, rand = KINDS[kind][0], random.Random(seed)
    found = {}
    for _ in range(400 * n):
        pair = make(rules, rand)
        if pair is not None:
            found[pair[0], tuple(pair[1])] = None
            if len(found) == n:
                break
    assert len(found) == n, f"only {len(found)} pairs of {kind} in {rules['name']}"
    boards, dice = zip(*found, strict=True)
    return np.array(boards, np.int8), np.array(dice, np.uint8)


VALUES = {
    "travel": ("contrary", "parallel"),
    "contact": ("hit", "block"),
    "opening": ("reroll", "lot"),
    "use_dice": ("max", "max", "some"),
    "head_limit": (0, 1),
    "head_exception": ("none", "fnr", "listed", "stuck", "any_double", "every_double"),
    "block": ("free", "ahead", "home", "never"),
    "block_check": ("step", "turn"),
    "hitter": ("free", "stays_home", "no_shelter"),
    "must_bear_off": (False, True),
    "max_per_point": (0, 0, 1, 2, 3, 5, 8),
    "cascade": (0, 0, 1, 2, 3, 4),
    "remainder": ("lost", "opponent"),
    "points": ((1, 2, 3), (1, 2, 0), (1, 0, 0), (1, 0, 3), (2, 3, 4)),
    "home_mars": (0, 3, 5),
    "draw_points": (0, 0.5, 1),
}
STARTS = (
    {24: 15}, {24: 2, 13: 5, 8: 3, 6: 5}, {24: 1}, {24: 7}, {20: 5, 15: 5, 9: 3},
    {24: 2, 23: 2, 13: 4, 8: 3, 6: 4}, {6: 3, 5: 2}, {24: 12, 6: 1},
)  # fmt: skip


def random_rules(rand):
    """Any mixture of field values that means something."""
    while True:
        rules = ref.DEFAULTS | {field: rand.choice(values) for field, values in VALUES.items()}
        rules |= {"name": "mixture", "start": rand.choice(STARTS)}
        if rules["contact"] == "hit":
            rules |= {"head_limit": 0, "head_exception": "none", "block": "free", "cascade": 0}
        else:
            rules["hitter"] = "free"
        if rules["cascade"]:
            rules["use_dice"] = "max"
        if rules["travel"] == "parallel":
            rules["points"] = (*rules["points"][:2], 0)
        own = set(rules["start"])
        shared = any(ref.facing(rules, p) in own for p in own)
        if not shared and not ref.faults(rules, ref.start(rules)):
            return rules
