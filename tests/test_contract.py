"""The names and shapes that other programs call; each is used here once, and its value checked."""

import copy
import pickle
import subprocess
import sys
from collections.abc import Mapping

import numpy as np
import pytest

import nardy
from nardy import batch
from nardy_core import batch as core

PRESETS = {
    "long",
    "long_fnr",
    "long_fsnr",
    "long_sport",
    "nardegammon",
    "short",
    "nackgammon",
    "tavla",
    "caucasian",
    "old_english",
    "mad_gulbar",
}


def test_everything_promised_is_there():
    assert set(nardy.__all__) >= {
        "VARIANTS",
        "variant",
        "Rules",
        "Position",
        "Play",
        "Status",
        "Kind",
        "batch",
        "NardyError",
        "RulesError",
        "UnknownVariant",
        "InvalidPosition",
        "InvalidArgument",
        "ParseError",
        "IllegalPlay",
        "__version__",
    }
    assert all(getattr(nardy, name) is not None for name in nardy.__all__)
    assert nardy.__version__[0].isdigit()
    with pytest.raises(AttributeError, match="rubbish"):
        _ = nardy.rubbish


def test_variants():
    assert isinstance(nardy.VARIANTS, Mapping)
    assert set(nardy.VARIANTS) == PRESETS
    for name, rules in nardy.VARIANTS.items():
        assert rules.name == name
        assert nardy.variant(name) is rules
        assert rules.title
        assert rules.source
        assert rules.checkers == 15


def test_every_error_is_a_nardy_error_and_a_value_error():
    for name in (
        "RulesError",
        "UnknownVariant",
        "InvalidPosition",
        "InvalidArgument",
        "ParseError",
    ):
        error = getattr(nardy, name)
        assert issubclass(error, nardy.NardyError)
        assert pickle.loads(pickle.dumps(error("why"))).args == ("why",)
    assert issubclass(nardy.NardyError, ValueError)
    again = pickle.loads(pickle.dumps(nardy.IllegalPlay("why", "head")))
    assert (str(again), again.reason) == ("why", "head")
    assert copy.copy(again).reason == "head"


@pytest.mark.parametrize("name", sorted(PRESETS))
def test_arrays_have_the_promised_types(name):
    rules = nardy.variant(name)
    boards = batch.start(name, 3)
    assert (boards.dtype, boards.shape) == (np.int8, (3, 32))
    assert (batch.start(rules, 3) == boards).all()
    assert batch.start(name).shape == (1, 32)
    flipped = batch.flip(name, boards)
    assert (flipped.dtype, flipped.shape) == (np.int8, (3, 32))
    assert (flipped == boards).all()  # both players start alike
    faults = batch.faults(name, boards)
    assert (faults.dtype, faults.tolist()) == (np.uint32, [0, 0, 0])
    dice = [[3, 1], [6, 6], [2, 1]]
    offsets, after = batch.plays(name, boards, dice)
    assert (offsets.dtype, after.dtype) == (np.int64, np.int8)
    assert offsets.shape == (4,)
    assert after.shape == (offsets[-1], 32)
    counts = batch.count(name, boards, dice)
    assert counts.dtype == np.int32
    assert counts.tolist() == np.diff(offsets).tolist()
    assert (batch.faults(name, after) == 0).all()
    pips = batch.pips(name, boards)
    assert (pips.dtype, pips.shape) == (np.int32, (3, 2))
    result = batch.playout(name, boards, games=2, seed=5)
    assert result._fields == ("winner", "kind", "turns")
    assert [x.dtype for x in result] == [np.int8, np.int8, np.int32]
    assert [x.shape for x in result] == [(3, 2)] * 3
    assert batch.playout(name, games=4).winner.shape == (1, 4)
    assert isinstance(batch.perft(name, boards[0], 1), int)


def test_counts_that_others_have_published():
    short = batch.start("short")[0]
    assert [batch.perft("short", short, depth) for depth in range(3)] == [1, 447, 202782]
    assert batch.count("short", batch.start("short"), (3, 1)).tolist() == [16]
    assert batch.count("long", batch.start("long"), (6, 6)).tolist() == [1]


def test_head_start_of_the_federation_text():
    """rules.md 4.3: from the start 6-6 leaves {18, 18}; 4-4 {16, 16}; 3-3 {21, 15} or {18, 18}."""
    texts = {
        d: [str(play) for play in nardy.Position.start("long").plays(d, d)] for d in range(1, 7)
    }
    assert texts[6] == ["24/18(2)"]
    assert texts[4] == ["24/16(2)"]
    assert sorted(texts[3]) == ["24/15 24/21", "24/18(2)"]
    assert texts[5] == ["24/4"]


def test_steps_of_a_stage_and_the_head():
    board = batch.start("long")
    assert batch.count("long", board, (6, 6), exception=False).tolist() == [1]
    one = batch.plays("long", board, (6, 6), exception=False)[1][0]
    assert (one[24], one[18]) == (14, 1)
    nothing = batch.plays("long", board, (6, 6), head_used=[2])[1]
    assert (nothing == board).all()
    short = batch.plays("short", batch.start("short"), (1, 1), steps=[1])[1]
    assert len(short) == 3  # 24/23, 8/7, 6/5; the opponent closes 12
    with pytest.raises(nardy.InvalidArgument, match="steps"):
        batch.plays("short", batch.start("short"), (1, 1), steps=0)


def test_a_finished_game():
    board = nardy.Position.from_text("short off:15 | 6:15").board
    offsets, after = batch.plays("short", board, (3, 1))
    assert offsets.tolist() == [0, 1]
    assert (after[0] == board).all()
    result = batch.playout("short", board, games=2)
    assert result.turns.tolist() == [[0, 0]]
    assert result.winner.tolist() == [[0, 0]]
    assert result.kind.tolist() == [[2, 2]]
    assert batch.perft("short", board, 7) == 1
    done = batch.outcomes("short", board)
    assert (done.over[0], done.winner[0], done.kind[0], done.points[0]) == (True, 0, 2, 2.0)


def test_same_bytes_for_any_number_of_threads():
    boards = core.trace(nardy.variant("short"), seed=3)[0]
    boards = np.array([event.before for event in boards] * 40)
    dice = batch.rolls("short", len(boards), 1, 1, seed=9)[:, 0, 0]
    one = batch.plays("short", boards, dice)
    four = batch.plays("short", boards, dice, threads=4)
    assert one[0].tobytes() == four[0].tobytes()
    assert one[1].tobytes() == four[1].tobytes()
    games = [batch.playout("long", games=300, seed=1, threads=threads) for threads in (1, 3)]
    assert all(a.tobytes() == b.tobytes() for a, b in zip(*games, strict=True))


@pytest.mark.parametrize("name", ["long", "short", "nardegammon"])
def test_rolls_are_those_of_the_playout(name):
    rules = nardy.variant(name)
    story, _ = core.trace(rules, seed=21)
    dice = batch.rolls(name, games=1, turns=len(story), seed=21)[0, 0]
    assert [event.dice for event in story] == [tuple(pair) for pair in dice.tolist()]
    if rules.opening == "lot":
        assert dice[0, 0] > dice[0, 1]
    story, _ = core.trace(rules, batch.start(rules)[0], seed=21, board_index=1, game=2)
    dice = batch.rolls(name, 2, 3, len(story), 21)[1, 2]
    assert [event.dice for event in story] == [tuple(pair) for pair in dice.tolist()]


def test_policies():
    games = batch.playout("short", games=400, seed=2, policy=("heuristic", "random"), threads=2)
    assert (games.winner == 0).mean() > 0.9
    again = batch.playout("short", games=400, seed=2, policy=["random", "heuristic"], threads=2)
    assert (again.winner == 0).mean() < 0.1


def test_one_board_stands_for_many():
    board = batch.start("short")[0]
    assert batch.flip("short", board).shape == (1, 32)
    assert batch.count("short", board, (3, 1)).tolist() == [16]


def test_import_needs_nothing_heavy():
    """What takes long (metadata, command line, files) is loaded when it is asked for."""
    code = (
        "import sys, numpy; before = set(sys.modules); import nardy; "
        "print(*sorted(set(sys.modules) - before))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.split()
    assert "nardy.position" in done
    heavy = {"importlib.metadata", "typer", "rich", "yaml", "concurrent.futures", "asyncio"}
    assert not heavy & set(done)
