"""One-sided and two-sided tables against exact data, and against recursion over the plays."""

import functools
import hashlib
import itertools
import json
import math
import subprocess
import sys
import threading
from fractions import Fraction
from pathlib import Path

import bearoff_judge as judge
import numpy as np
import pytest

from nardy import VARIANTS, InvalidArgument, InvalidPosition, Position, Rules, bearoff
from nardy_core import bearoff as core

CASES = Path(__file__).parent / "cases"
ONE = json.loads((CASES / "bearoff_one_sided.json").read_text())
TWO = json.loads((CASES / "bearoff_two_sided_6x6.json").read_text())
SPACE = json.loads((CASES / "state_space.json").read_text())

SPREAD = {24: 1} | dict.fromkeys((23, 22, 21, 19, 18, 16, 15), 2)
HOUSE = {
    "tavla, some dice": VARIANTS["tavla"].replace(use_dice="some"),
    "some dice": VARIANTS["short"].replace(use_dice="some"),
    "two on a point": VARIANTS["old_english"].replace(max_per_point=2, start=SPREAD),
    "two on a point, all dice": VARIANTS["short"].replace(max_per_point=2, start=SPREAD),
    "must, two on a point": VARIANTS["old_english"].replace(
        max_per_point=2, start=SPREAD, must_bear_off=True
    ),
    "cascade of four": VARIANTS["mad_gulbar"].replace(cascade=4),
    "cascade of one": VARIANTS["mad_gulbar"].replace(cascade=1, must_bear_off=True),
    "cascade, two on a point": VARIANTS["mad_gulbar"].replace(max_per_point=2, start=SPREAD),
    "block never": VARIANTS["long"].replace(block="never"),
}


@pytest.fixture(scope="module")
def short():
    return bearoff.one_sided("short")


# ------------------------------------------------------------------------------- known values


def test_ace_point_fractions(short):
    for row in ONE["ace_point"]:
        mean = short.mean([row["n"], 0, 0, 0, 0, 0])
        assert Fraction(mean).limit_denominator(10**6) == Fraction(row["mean"])
        assert mean == pytest.approx(float(Fraction(row["mean"])), abs=1e-14)
        assert short.epc([row["n"]]) == pytest.approx(row["epc"], abs=1e-12)


@pytest.mark.parametrize("row", ONE["one_checker"], ids=lambda row: f"point {row['point']}")
def test_one_checker(short, row):
    at = np.eye(6, dtype=int)[row["point"] - 1]
    assert short.mean(at) == pytest.approx(float(Fraction(row["mean"])), abs=1e-14)
    assert short.distribution(at)[1] * 36 == pytest.approx(row["p_one_roll_of_36"], abs=1e-12)


def test_two_checkers(short):
    at = [np.bincount(row["points"], minlength=7)[1:] for row in ONE["two_checkers"]]
    means = [float(Fraction(row["mean"])) for row in ONE["two_checkers"]]
    assert short.mean(at) == pytest.approx(means, abs=1e-14)
    off = [row["p_off_one_roll_of_36"] for row in ONE["two_checkers"]]
    assert short.distribution(at)[:, 1] * 36 == pytest.approx(off, abs=1e-12)


def test_stacks(short):
    for row in ONE["stacks_of_15"]:
        assert short.mean(row["position"]) == pytest.approx(row["mean"], abs=1e-12)
        assert short.epc(row["position"]) == pytest.approx(row["epc"], abs=1e-11)


@pytest.mark.parametrize("row", ONE["samples"], ids=lambda row: "".join(map(str, row["position"])))
def test_samples(short, row):
    """The data have nine decimals."""
    chances = short.distribution(row["position"])
    assert chances.dtype == np.float64
    assert chances == pytest.approx(row["dist"], abs=1e-9)
    assert short.mean(row["position"]) == pytest.approx(row["mean"], abs=1e-9)
    assert short.epc(row["position"]) == pytest.approx(row["epc"], abs=1e-7)


def test_digest_of_all_means(short):
    rows = sorted(zip(short.positions().tolist(), short.means.tolist(), strict=True))
    lines = "\n".join(f"{','.join(map(str, counts))} {mean:.6f}" for counts, mean in rows)
    assert len(rows) == ONE["n_positions"]
    assert hashlib.sha256(lines.encode()).hexdigest() == ONE["sha256_of_table_lines"]
    assert short.means.sum() == pytest.approx(ONE["sum_of_means"], abs=1e-6)
    assert short.means.max() == pytest.approx(ONE["max_mean"], abs=1e-12)


def test_sizes():
    for points, size in SPACE["one_sided_home"].items():
        assert core.Shape(int(points), 15).size == size
    for checkers, size in SPACE["one_sided_by_checkers_6_points"].items():
        assert core.Shape(6, int(checkers)).size == size


# ----------------------------------------------------------------------------------- the order


@pytest.mark.parametrize(("points", "checkers"), [(1, 1), (6, 6), (4, 15), (12, 3), (24, 2)])
def test_order(points, checkers):
    """Tuples from the highest point down; `index` undoes `positions`; the last entry too."""
    shape = core.Shape(points, checkers)
    rows = shape.positions()
    tuples = [tuple(row[::-1]) for row in rows.tolist()]
    assert tuples == sorted(set(tuples))
    assert len(tuples) == shape.size == math.comb(points + checkers, points)
    assert (shape.index(rows) == np.arange(shape.size)).all()
    assert rows[-1].tolist() == [0] * (points - 1) + [checkers]


def test_order_of_what_can_arise():
    """The positions below several others, in the same order."""
    tops = [(0, 1, 0, 2, 1), (2, 0, 0, 0, 2), (0, 0, 4, 0, 0)]

    def most_of(counts):
        return [sum(counts[point:]) for point in range(5)]

    most = np.max([most_of(top) for top in tops], axis=0)
    shape = core.Shape(5, 4, most)
    expected = [c for c in judge.positions(5, 4) if (np.array(most_of(c)) <= most).all()]
    assert list(map(tuple, shape.positions().tolist())) == expected
    assert shape.index(shape.positions()).tolist() == list(range(len(expected)))
    assert shape.index(np.array([[0, 0, 0, 0, 4]], np.int8)).tolist() == [-1]


def test_fewer_points_are_the_first_part(short):
    small = bearoff.one_sided("short", points=4)
    assert np.array_equal(short.means[: small.size], small.means)
    assert (short.positions()[: small.size, :4] == small.positions()).all()


# --------------------------------------------------------------------- the plays of every game


@pytest.mark.parametrize(
    ("name", "checkers"), [*((name, 6) for name in VARIANTS), *((name, 4) for name in HOUSE)]
)
def test_recursion_over_the_plays(name, checkers):
    """Every position of 6 x 6 that may stand on a board, by `batch.plays`."""
    rules = VARIANTS.get(name) or HOUSE[name]
    limit = rules.max_per_point or 15
    table = bearoff.one_sided(rules, 6, checkers)
    found = judge.means(rules, 6, checkers, skip=lambda counts: max(counts) > limit)
    assert len(found) == sum(max(c) <= limit for c in judge.positions(6, checkers))
    assert table.mean(list(found)) == pytest.approx(list(found.values()), abs=1e-12)


@pytest.mark.parametrize(
    ("name", "points", "checkers"),
    [("old_english", 2, 7), ("block never", 6, 6), *((name, 4, 4) for name in HOUSE)],
)
def test_recursion_over_the_plays_of_the_judge(name, points, checkers):
    """Positions that no game reaches have the value that the rules give from there."""
    rules = VARIANTS.get(name) or HOUSE[name]
    table = bearoff.one_sided(rules, points, checkers)
    found = judge.means(rules, points, checkers, plays=judge.from_reference)
    assert table.mean(list(found)) == pytest.approx(list(found.values()), abs=1e-12)


@pytest.mark.parametrize("name", ["short", "old_english", "mad_gulbar", "long"])
def test_recursion_outside_the_home(name):
    rules = VARIANTS[name]
    table = bearoff.one_sided(rules, 11, 2)
    found = judge.means(rules, 11, 2)
    assert table.mean(list(found)) == pytest.approx(list(found.values()), abs=1e-12)


def test_recursion_from_the_head():
    """Only one checker leaves the head in a turn; the exception is for the first."""
    for rules in (
        Rules("heads", start={24: 2}, travel="parallel", contact="block", head_limit=1,
              head_exception="listed", points=(1, 2, 0)),
        Rules("stages", start={24: 2}, travel="parallel", contact="block", head_limit=1,
              head_exception="any_double", points=(1, 2, 0), cascade=2),
    ):  # fmt: skip
        table = bearoff.one_sided(rules, 24, 2)
        tops = [(0,) * 22 + (1, 1), (0,) * 23 + (2,), (0,) * 23 + (1,)]
        memo = {}

        def mean(counts, rules=rules, memo=memo):
            if not any(counts):
                return 0.0
            if counts not in memo:
                total, passes = 36.0, 0
                for roll in judge.ROLLS:
                    ends = judge.results(rules, counts, roll, judge.from_reference)
                    if ends is None:
                        passes += judge.weight(roll)
                    else:
                        total += judge.weight(roll) * min(map(mean, ends))
                memo[counts] = total / (36 - passes)
            return memo[counts]

        for top in tops:
            assert table.mean(top) == pytest.approx(mean(top), abs=1e-11)


@pytest.mark.parametrize("name", [*VARIANTS, *HOUSE])
@pytest.mark.parametrize(("points", "checkers"), [(6, 7), (9, 4)])
def test_both_paths_give_the_same_bytes(name, points, checkers):
    rules = VARIANTS.get(name) or HOUSE[name]
    shape = core.Shape(points, checkers)
    stones = [0] if points == 6 else [0, 7]
    direct, general = (core.one_sided(rules, shape, stones, general) for general in (False, True))
    assert np.array_equal(direct[0], general[0])
    assert np.array_equal(direct[1], general[1])
    for one, other in zip(direct[2], general[2], strict=True):
        assert np.array_equal(one.start, other.start)
        assert np.array_equal(one.chance, other.chance)


@pytest.mark.parametrize("name", ["short", "tavla", "old_english", "mad_gulbar"])
def test_distributions_by_the_policy(name):
    """Chance of k turns: the mean, over the rolls, of k - 1 turns from where the policy goes."""
    rules = VARIANTS[name]
    table = bearoff.one_sided(rules, 5, 5)
    rng = np.random.default_rng(5)
    every = [c for c in judge.positions(5, 5) if max(c) <= (rules.max_per_point or 15)]
    for number in [*rng.choice(len(every), 25, replace=False), len(every) - 1]:
        counts = every[max(number, 1)]
        expected = np.zeros(60)
        for roll in judge.ROLLS:
            ends = judge.results(rules, counts, roll) or {counts}
            best = min(ends, key=lambda c: (table.mean(c), table.index(c)))
            chances = table.distribution(best)
            expected[1 : 1 + len(chances)] += judge.weight(roll) / 36 * chances
        got = table.distribution(counts)
        assert got == pytest.approx(expected[: len(got)], abs=1e-12)
        assert expected[len(got) :].sum() < 1e-12


@pytest.mark.parametrize("name", VARIANTS)
def test_distributions_add_up(name):
    """To 1, and to the mean; all 54,264 of them."""
    table = bearoff.one_sided(name)
    for rows in np.array_split(table.positions(), 8):
        chances = table.distribution(rows)
        assert (chances >= 0).all()
        assert abs(chances.sum(axis=1) - 1).max() < 1e-12
        turns = np.arange(chances.shape[1])
        assert chances @ turns == pytest.approx(table.mean(rows), abs=1e-11)


ONE_EACH = Rules(
    "one_each", start=dict.fromkeys(range(18, 25), 1), use_dice="some", max_per_point=1
)


def test_endless_tail():
    """Checkers on 7 and 1, one to a point: 6-6 is passed, so each turn leaves 1/36 of the last."""
    table = bearoff.one_sided(ONE_EACH, 7, 2)
    stuck = [1, 0, 0, 0, 0, 0, 1]
    chances = table.distribution(stuck)
    assert chances.sum() == pytest.approx(1, abs=1e-12)
    assert chances @ np.arange(len(chances)) == pytest.approx(table.mean(stuck), abs=1e-11)
    assert chances[-1] < 1e-12
    ends = [judge.results(ONE_EACH, tuple(stuck), roll) for roll in judge.ROLLS]
    assert [roll for roll, end in zip(judge.ROLLS, ends, strict=True) if end is None] == [(6, 6)]
    total = sum(
        judge.weight(roll) * min(table.mean(list(end)))
        for roll, end in zip(judge.ROLLS, ends, strict=True)
        if end is not None
    )
    assert table.mean(stuck) == pytest.approx((36 + total) / 35, abs=1e-12)


def test_a_position_that_never_ends():
    """Seven checkers on 7 to 1, one to a point: no step is open."""
    table = bearoff.one_sided(ONE_EACH, 7, 7)
    assert table.mean([1] * 7) == np.inf
    assert table.distribution([1] * 7).tolist() == [0.0, 0.0]
    assert np.isfinite(table.mean([1] * 6))


# ------------------------------------------------------------------------------------ the face


def test_forms_of_a_position(short):
    position = Position.from_text("short 6:2 3:1 off:12 | 4:15")
    counts = [0, 0, 1, 0, 0, 2]
    index = short.index(counts)
    assert isinstance(index, int)
    assert isinstance(short.mean(counts), float)
    assert short.index(position) == short.index(position.board) == index
    assert short.index([position.board] * 2).tolist() == [index, index]
    assert short.index([0, 0, 1]) == short.index([0, 0, 1, 0, 0, 0])
    assert short.mean(np.array([counts, [0] * 6], np.uint64)).tolist() == [short.mean(counts), 0.0]
    assert short.distribution([counts, [1] + [0] * 5]).shape == (2, 6)
    assert short.mean(np.zeros((0, 6), int)).shape == (0,)
    assert short.distribution([0] * 6).tolist() == [1.0]
    assert not short.means.flags.writeable


@pytest.mark.parametrize(
    ("positions", "words"),
    [
        ([0, 0, 0, 0, 0, 0, 1], "none above"),
        ([0, 0, 0, 0, 0, 16], "0 to 15"),
        ([0, 0, 0, 0, 8, 8], "up to 15 checkers, got 16"),
        ([-1, 0, 0, 0, 0, 0], "0 to 15"),
        ([0.5] * 6, "whole numbers"),
        ("short", "whole numbers"),
        ([[[0] * 6]], "whole numbers"),
        ([[1, 2], [3]], "as many numbers"),
        (Position.start("short"), "none above"),
        ([[0] * 25 + [1] + [0] * 6], "none above"),
    ],
)
def test_bad_positions(short, positions, words):
    for method in (short.mean, short.index, short.distribution, short.epc):
        with pytest.raises(InvalidPosition, match=words):
            method(positions)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"points": 0}, "points: expected 1 to 24, got 0"),
        ({"points": 25}, "points"),
        ({"points": 2.0}, "points: expected a whole number"),
        ({"checkers": 16}, "checkers"),
        ({"checkers": True}, "checkers"),
        ({"rules": HOUSE["two on a point"].replace(start={6: 2}), "checkers": 3}, "1 to 2"),
        ({"points": 24}, "positions"),
        ({"rules": "chess"}, "chess"),
    ],
)
def test_bad_tables(arguments, words):
    with pytest.raises(ValueError, match=words):
        bearoff.one_sided(**arguments)


@pytest.mark.parametrize(
    ("name", "pips"), [("short", 49 / 6), ("long", 49 / 6), ("mad_gulbar", 392 / 36)]
)
def test_pips_per_roll(name, pips):
    """In mad gul-bar 1-1 is 2 x 21 pips, ..., 6-6 is 12."""
    table = bearoff.one_sided(name)
    assert table.pips_per_roll == pytest.approx(pips)
    assert table.epc([1]) == pytest.approx(pips)


def test_a_million_reads_from_eight_threads(short):
    """As many as a single thread reads, all the same."""
    rows = short.positions()
    index = np.random.default_rng(8).integers(0, short.size, 1_000_000)
    index[:2] = 0, short.size - 1
    parts = np.array_split(index, 8)
    found = [None] * 8

    def read(number):
        means, chances = [], 0.0
        for part in np.array_split(parts[number], 50):
            means.append(short.mean(rows[part]))
            chances += short.distribution(rows[part[:100]]).sum()
        found[number] = (np.concatenate(means), chances)

    threads = [threading.Thread(target=read, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    means = np.concatenate([part[0] for part in found])
    assert np.array_equal(means, short.means[index])
    assert sum(part[1] for part in found) == pytest.approx(8 * 50 * 100, abs=1e-6)


# ------------------------------------------------------------------------------------ two sides


def test_two_sided_values():
    table = bearoff.two_sided("short")
    own = [row["on_roll"] for row in TWO["rows"]]
    opponent = [row["opponent"] for row in TWO["rows"]]
    found = table.equity(own, opponent)
    for name in found._fields:
        assert getattr(found, name) == pytest.approx([row[name] for row in TWO["rows"]], abs=1e-6)
    one = table.equity(own[0], opponent[0])
    assert one == tuple(getattr(found, name)[0] for name in found._fields)


def test_two_sided_sums():
    """Over all pairs with checkers on both sides or none: those of the data's own convention."""
    table = bearoff.two_sided("short")
    assert TWO["n_pairs"] == (table.size - 1) ** 2
    for plane, name in enumerate(core.PLANES):
        total = table.value[plane, 1:, 1:].sum()
        assert total == pytest.approx(TWO[f"sum_{name}"], abs=1e-5)


def test_two_sided_ends():
    table = bearoff.two_sided("short")
    last = [0, 0, 0, 0, 0, 6]
    assert table.equity([0] * 6, last)[:4] == (1, 1, 1, 1)
    assert table.equity(last, [0] * 6)[:4] == (-1, -1, -1, -1)
    whole = table.equity(last, last)
    assert -1 < whole.opponent_owned < whole.cubeless < whole.owned < 1
    board = Position.from_text("short 6:6 off:9 | 6:6 off:9")
    assert table.equity(board) == table.equity(last, last)
    assert table.value.shape == (4, 924, 924)
    assert table.value[0, 923, 923] == whole.cubeless


@pytest.mark.parametrize("name", ["long", "long_fnr", "long_fsnr", "tavla", "mad_gulbar"])
def test_two_sided_without_a_cube(name):
    table = bearoff.two_sided(name, 4, 4)
    found = table.equity([0, 1, 0, 1], [[1, 1], [0, 2]])
    assert np.isnan(found.centred).all()
    assert np.isnan(found.owned_no_double).all()
    assert (abs(found.cubeless) < 1).all()


SMALL = {
    "draws": Rules("draws", start={6: 2}, travel="parallel", contact="block", points=(1, 2, 0),
                   draw_points=0.5),
    "home mars": Rules("home_mars", start={6: 2}, travel="parallel", contact="block",
                       points=(1, 2, 0), home_mars=3),
    "passes": Rules("passes", start={6: 1, 5: 1, 4: 1}, use_dice="some", max_per_point=1),
    "must": Rules("must", start={6: 3}, must_bear_off=True),
}  # fmt: skip


@pytest.mark.parametrize("name", SMALL)
def test_two_sided_recursion(name):
    """Perfect play by plain recursion: the best play of each roll for the points that follow."""
    rules = SMALL[name]
    checkers = rules.checkers
    table = bearoff.two_sided(rules, 6, checkers)
    ends = {
        (counts, roll): judge.results(rules, counts, roll, judge.from_reference)
        for counts in judge.positions(6, checkers)
        if any(counts)
        for roll in judge.ROLLS
    }
    worth = {
        counts: judge.ref.outcome(rules.asdict(), tuple(map(int, judge.board_of(rules, counts))))[1]
        for counts in judge.positions(6, checkers)
    }
    memo = {}

    def last_turn(counts):
        return sum(
            judge.weight(roll)
            * min(worth[end] if any(end) else 0 for end in ends[counts, roll] or [counts])
            for roll in judge.ROLLS
        ) / 36  # fmt: skip

    def value(own, other, first):
        """Where a roll is passed it stands alone; two passes in a row are summed as a series."""
        if (own, other, first) not in memo:
            fixed, passes = 0.0, 0
            for roll in judge.ROLLS:
                if ends[own, roll] is None:
                    passes += judge.weight(roll)
                else:
                    fixed += judge.weight(roll) * max(
                        after(end, other, first) for end in ends[own, roll]
                    )
            memo[own, other, first] = fixed / 36, passes / 36
        return memo[own, other, first]

    def whole(own, other, first):
        mine, stay = value(own, other, first)
        if not stay:
            return mine
        theirs, wait = value(other, own, not first)
        return (mine - stay * theirs) / (1 - stay * wait)

    def after(end, other, first):
        if any(end):
            return -whole(other, end, not first)
        return last_turn(other) if rules.draw_points and first else worth[other]

    every = [counts for counts in judge.positions(6, checkers) if any(counts)]
    every = [counts for counts in every if max(counts) <= (rules.max_per_point or 15)]
    for own in every[::3]:
        for other in every[::4]:
            expected = whole(own, other, True)
            assert table.equity(own, other).cubeless == pytest.approx(expected, abs=1e-12)


CUBES = {
    "short": Rules("short3", start={6: 3}, cube=True),
    "must": Rules("must3", start={6: 3}, must_bear_off=True, cube=True),
    "cascade": VARIANTS["mad_gulbar"].replace(start={24: 3}, cube=True),
}


@pytest.mark.parametrize("name", CUBES)
def test_two_sided_recursion_with_cube_and_mars(name):
    """As above, for each state of the cube: no roll is passed here, so it is recursion alone."""
    rules = CUBES[name]
    table = bearoff.two_sided(rules, 4, 3)
    every = judge.positions(4, 3)
    ends = functools.cache(lambda own, roll: judge.results(rules, own, roll, judge.from_reference))

    @functools.cache
    def worth(loser):
        board = tuple(map(int, judge.board_of(rules, loser)))
        return judge.ref.outcome(rules.asdict(), board)[1]

    @functools.cache
    def value(own, other, cube, may_double=True):
        if not any(own) or not any(other):
            return worth(other) if any(other) else -worth(own)
        then = {"owned": "opponent_owned", "opponent_owned": "owned"}.get(cube, cube)
        rolled = sum(
            judge.weight(roll) * max(-value(other, e, then) if any(e) else worth(other) for e in to)
            for roll, to in ((roll, ends(own, roll)) for roll in judge.ROLLS)
        )
        if may_double and cube in ("centred", "owned"):
            taken = 2 * value(own, other, "opponent_owned")
            return max(rolled / 36, min(rules.points[0], taken))
        return rolled / 36

    for own, other in itertools.product(every[1::3], every[1::4]):
        found = table.equity(own, other)._asdict()
        for cube in ("cubeless", "centred", "owned", "opponent_owned"):
            assert found[cube] == pytest.approx(value(own, other, cube), abs=1e-12)
        for cube in ("centred", "owned"):
            expected = value(own, other, cube, False)
            assert found[f"{cube}_no_double"] == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"points": 7}, "1 to 6"),
        ({"checkers": 15}, "more than"),
        ({"checkers": 0}, "checkers"),
    ],
)
def test_bad_two_sided_tables(arguments, words):
    with pytest.raises(InvalidArgument, match=words):
        bearoff.two_sided("short", **arguments)


def test_bad_pairs():
    table = bearoff.two_sided("short", 6, 2)
    with pytest.raises(InvalidPosition, match="up to 2 checkers"):
        table.equity([3, 0, 0, 0, 0, 0], [1, 0, 0, 0, 0, 0])
    with pytest.raises(InvalidPosition, match="as many positions"):
        table.equity([[1], [2]], [[1], [1], [1]])
    with pytest.raises(InvalidPosition, match="boards of 32"):
        table.equity([1, 0, 0])
    with pytest.raises(InvalidPosition, match="as many numbers"):
        table.equity([[1], [1, 2]], [1])
    with pytest.raises(InvalidPosition, match="row 1 cannot stand under short"):
        table.equity([Position.from_text("short 1:1 off:14 | 1:1 off:14").board, [0] * 32])


def test_ten_points_and_fifteen_checkers(short):
    """All 3,268,760, within a gigabyte; some are held to the plays of the game, one turn ahead."""
    script = (
        "import resource, sys\n"
        "import numpy as np\n"
        "from nardy import VARIANTS\n"
        "from nardy_core import bearoff\n"
        "shape = bearoff.Shape(10, 15)\n"
        "means, turns, (finish, _) = bearoff.one_sided(VARIANTS['short'], shape, [0])\n"
        "last = np.array([0, 54263, shape.size - 1])\n"
        "chances = bearoff.gather(finish.start, finish.chance, finish.first, last, 64)\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr)\n"
        "sys.stdout.buffer.write(means.tobytes() + chances.tobytes())\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True)
    if sys.platform == "linux":
        assert int(done.stderr) * 1024 < 1_000_000_000
    shape = core.Shape(10, 15)
    assert shape.size == SPACE["one_sided_home"]["10"]
    found = np.frombuffer(done.stdout)
    means, chances = found[: shape.size], found[shape.size :].reshape(3, 64)
    assert np.array_equal(means[: short.size], short.means)
    assert chances.sum(axis=1) == pytest.approx([1, 1, 1], abs=1e-12)
    assert chances @ np.arange(64) == pytest.approx([0, means[54263], means[-1]], abs=1e-11)
    rows = shape.positions()
    assert rows[-1].tolist() == [0] * 9 + [15]
    rng = np.random.default_rng(10)
    rules = VARIANTS["short"]
    for number in [*rng.integers(short.size, shape.size, 30), shape.size - 1]:
        counts = tuple(rows[number].tolist())
        total = 36.0
        for roll in judge.ROLLS:
            ends = np.array(list(judge.results(rules, counts, roll)), np.int8)
            total += judge.weight(roll) * means[shape.index(ends)].min()
        assert means[number] == pytest.approx(total / 36, abs=1e-12)


def test_reached_by_the_package_alone():
    script = "import nardy; print(nardy.bearoff.one_sided('short', 1, 1).means.tolist())"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True)
    assert done.stdout.split() == [b"[0.0,", b"1.0]"]
