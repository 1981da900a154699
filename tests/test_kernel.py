"""The kernel against the slow judge: the same sets of boards, from play and set up to break things.

The second witness of every count here is tests/reference.py, which shares nothing with the kernel.
`python tests/exhaustive.py` does the same for a million pairs a variant.
"""

import random

import numpy as np
import pytest
import reference as ref
from pairs import KINDS, anywhere, build, construct, from_play, random_rules
from sizes import size

from nardy.variants import VARIANTS
from nardy_core import batch

# The judge takes most of the time, and `compare` holds the general path against it anyway.
FROM_PLAY = size(20_000, 2_000)
CONSTRUCTED = size(1_000, 200)
MIXTURES = 400


def compare(rules, theirs, boards, dice, **stage):
    """Assert that the kernel and the judge list the same boards for every pair."""
    offsets, after = batch.plays(rules, boards, dice, **stage)
    again = batch.plays(rules, boards, dice, _general=True, **stage)
    assert np.array_equal(offsets, again[0]), "fast and general path count differently"
    assert np.array_equal(after, again[1]), "fast and general path list differently"
    assert np.array_equal(np.diff(offsets), batch.count(rules, boards, dice, **stage))
    rows = list(map(tuple, after.tolist()))
    extra = {name: values for name, values in stage.items() if name == "exception"}
    for i, (board, roll) in enumerate(zip(boards.tolist(), dice.tolist(), strict=True)):
        each = {name: int(values[i]) for name, values in stage.items() if name != "exception"}
        ours = rows[offsets[i] : offsets[i + 1]]
        expected = ref.plays(theirs, tuple(board), roll, **each, **extra)
        assert len(ours) == len(set(ours)), f"a board twice: {board} {roll} {each}"
        assert set(ours) == expected, f"{theirs['name']} {board} {roll} {each} {extra}"


def test_presets_agree():
    assert list(VARIANTS) == list(ref.PRESETS)
    for name, theirs in ref.PRESETS.items():
        ours = VARIANTS[name].asdict()
        for field in set(ours) - {"title", "source"}:
            assert ours[field] == theirs[field], f"{name}.{field}"
        assert tuple(batch.start(VARIANTS[name])[0].tolist()) == ref.start(theirs)


@pytest.mark.parametrize("name", VARIANTS)
def test_from_play(name):
    rules = VARIANTS[name]
    boards, dice = from_play(rules, FROM_PLAY, seed=20_000)
    assert len(boards) == FROM_PLAY
    compare(rules, ref.PRESETS[name], boards, dice)


@pytest.mark.parametrize(
    ("kind", "name"), [(kind, name) for kind, (_, names) in KINDS.items() for name in names]
)
def test_constructed(kind, name):
    boards, dice = construct(kind, ref.PRESETS[name], CONSTRUCTED, seed=7)
    compare(VARIANTS[name], ref.PRESETS[name], boards, dice)


@pytest.mark.parametrize("use_dice", ["max", "some"])
@pytest.mark.parametrize("most", [1, 2, 3, 5])
@pytest.mark.parametrize(
    "changes",
    [{}, {"must_bear_off": True}, {"hitter": "stays_home"}, {"contact": "block"}],
    ids=str,
)
def test_full_points_of_any_height(most, use_dice, changes):
    """Few checkers to a point, with what else looks at the order; games too take one course."""
    start = {24: 2, 13: 5, 8: 3, 6: 5} if most == 5 else dict.fromkeys((24, 13, 8, 6), most)
    theirs = ref.rules("old_english", max_per_point=most, use_dice=use_dice, start=start, **changes)
    rules = build(theirs)
    for kind in ("full_points", "full_doubles"):
        compare(rules, theirs, *construct(kind, theirs, 40, seed=most))
    compare(rules, theirs, *from_play(rules, 300, seed=most))
    boards, _ = from_play(rules, 60, seed=1)
    played, general = (batch.playout(rules, boards, seed=3, _general=way) for way in (False, True))
    for fast, slow in zip(played, general, strict=True):
        assert np.array_equal(fast, slow)


@pytest.mark.parametrize("name", VARIANTS)
def test_anywhere(name):
    rand, theirs = random.Random(3), ref.PRESETS[name]
    boards = [board for board in (anywhere(theirs, rand) for _ in range(6_000)) if board][:2_000]
    dice = [(rand.randint(1, 6), rand.randint(1, 6)) for _ in boards]
    assert len(boards) > 500
    compare(VARIANTS[name], theirs, np.array(boards, np.int8), np.array(dice, np.uint8))


def test_stages():
    """Stages of a cascade: their steps, the head used before, the exception out of reach."""
    rng = np.random.default_rng(5)
    for changes in (
        {},
        {"cascade": 4},
        {"head_exception": "every_double"},
        {"block": "never"},
        {"head_exception": "any_double", "block_check": "turn", "cascade": 3},
    ):
        theirs = ref.rules("mad_gulbar", **changes)
        rules = build(theirs)
        boards, dice = from_play(rules, 1_500, seed=9)
        boards[:200] = batch.start(rules)
        stage = {"steps": rng.integers(1, 6, len(boards)).astype(np.int8),
                 "head_used": rng.integers(0, 3, len(boards)).astype(np.int8)}  # fmt: skip
        for exception in (True, False):
            compare(rules, theirs, boards, dice, exception=exception, **stage)


@pytest.mark.parametrize("name", VARIANTS)
def test_doubles_of_every_length(name):
    """One to five steps of every double: each number of steps has loops and a count of its own."""
    rng = np.random.default_rng(17)
    boards, dice = from_play(VARIANTS[name], 1_500, seed=13)
    dice[:, 1] = dice[:, 0]
    steps = rng.integers(1, 6, len(boards)).astype(np.int8)
    compare(VARIANTS[name], ref.PRESETS[name], boards, dice, steps=steps)


@pytest.mark.parametrize("seed", range(8))
def test_mixtures_of_all_fields(seed):
    """Every field with every value, together: boards from play of the mixture and set up."""
    rand = random.Random(seed)
    for i in range(MIXTURES // 8):
        theirs = random_rules(rand)
        rules = build(theirs)
        boards = [board for board in (anywhere(theirs, rand) for _ in range(80)) if board]
        boards += [ref.start(theirs)] * 3
        dice = [(rand.randint(1, 6), rand.randint(1, 6)) for _ in boards]
        dice[-3:] = [(d, d) for d in rand.sample(range(1, 7), 3)]
        compare(rules, theirs, np.array(boards, np.int8), np.array(dice, np.uint8))
        assert not batch.faults(rules, np.array(boards, np.int8)).any()
        if i % 5 == 0:
            played, rolls = from_play(rules, 100, seed=seed)
            compare(rules, theirs, played, rolls)


@pytest.mark.parametrize("name", VARIANTS)
def test_faults_agree(name):
    """Set-up boards, good and bad, are judged alike; a changed number is always noticed."""
    rules, theirs = VARIANTS[name], ref.PRESETS[name]
    rng = np.random.default_rng(11)
    boards, _ = from_play(rules, 3_000, seed=1)
    broken = boards.copy()
    rows = np.arange(len(broken))
    for _ in range(2):
        broken[rows, rng.integers(0, 32, len(rows))] += rng.integers(-1, 2, len(rows), np.int8)
    moved = boards.copy()  # one own checker elsewhere: legal or not, but never a wrong total
    moved[rows, np.argmax(moved[:, :25] > 0, axis=1)] -= 1
    moved[rows, rng.integers(0, 26, len(rows))] += 1
    walls = batch.flip(rules, construct("bear_off_with_gaps", theirs, 500, seed=2)[0])
    everything = np.concatenate([boards, broken, moved, walls])
    ours = batch.faults(rules, everything) != 0
    judged = np.array([bool(ref.faults(theirs, tuple(b))) for b in everything.tolist()])
    assert np.array_equal(ours, judged)
    assert judged.any()
    assert not judged.all()


def story(rules, seed, game, policy):
    """A traced game in the judge's words."""
    events, result = batch.trace(rules, seed=seed, game=game, policy=policy)
    told = [
        ("remainder" if e.remainder else "roll", e.player, e.dice,
         e.steps if e.dice[0] == e.dice[1] else None,
         tuple(e.before.tolist()), tuple(e.after.tolist()))
        for e in events
    ]  # fmt: skip
    return told, result


@pytest.mark.parametrize("name", VARIANTS)
@pytest.mark.parametrize("policy", ["random", "heuristic"])
def test_whole_games(name, policy):
    """The judge replays whole games: order of turns, cascades, remainders, last turns, results."""
    rules, theirs = VARIANTS[name], ref.PRESETS[name]
    for game in range(40):
        events, result = story(rules, 77, game, policy)
        assert ref.check_game(theirs, ref.start(theirs), events) == result
        played = batch.playout(rules, games=game + 1, seed=77, policy=policy)
        assert (played.winner[0, game], played.kind[0, game], played.turns[0, game]) == result


def test_whole_games_of_mixtures():
    """Cascades, remainders and draws in mixtures of rules, to the end."""
    rand = random.Random(123)
    games = 0
    while games < 150:
        theirs = random_rules(rand)
        if ref.checkers(theirs) < 2 or not (theirs["cascade"] or theirs["draw_points"]):
            continue
        rules = build(theirs)
        events, result = story(rules, 5, games, "random")
        games += 1
        if result == (-1, 0, result[2]) and not theirs["draw_points"]:
            continue  # nobody could ever play again; see test_playout
        assert ref.check_game(theirs, ref.start(theirs), events) == result, theirs
