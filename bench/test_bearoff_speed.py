"""Speed of the bear-off: building tables, reading them, races, contact. One thread.

What is timed is first held against exact values: those of tests/cases, or sizes and sums.
"""

import json
import time
from pathlib import Path

import numpy as np
import pytest

from nardy import VARIANTS, batch, bearoff
from nardy_core import batch as core_batch
from nardy_core import bearoff as core

CASES = Path(__file__).parent.parent / "tests" / "cases"
ONE = json.loads((CASES / "bearoff_one_sided.json").read_text())
TWO = json.loads((CASES / "bearoff_two_sided_6x6.json").read_text())

pytestmark = pytest.mark.benchmark(timer=time.process_time, min_rounds=5, max_time=0.5)

MEAN_OF_TEN = 19.2736344503722
"""Mean turns of fifteen checkers on point 10: held to the plays in tests/test_bearoff.py."""


@pytest.fixture(autouse=True)
def own_folder(tmp_path_factory, monkeypatch):
    """Tables that are kept go into a folder of this run."""
    monkeypatch.setenv("NARDY_CACHE", str(tmp_path_factory.getbasetemp() / "tables"))


@pytest.mark.parametrize("name", ["short", "tavla", "old_english", "mad_gulbar"])
def test_one_sided_6_x_15(benchmark, name):
    """54,264 positions with their distributions."""
    shape = core.Shape(6, 15)
    means, _, _ = benchmark(core.one_sided, VARIANTS[name], shape, [0])
    assert len(means) == ONE["n_positions"]
    if name == "short":
        assert means.sum() == pytest.approx(ONE["sum_of_means"], abs=1e-6)


def test_one_sided_10_x_15(benchmark):
    """3,268,760 positions with their distributions."""
    shape = core.Shape(10, 15)
    means, _, _ = benchmark.pedantic(core.one_sided, (VARIANTS["short"], shape, [0]))
    assert means[: ONE["n_positions"]].sum() == pytest.approx(ONE["sum_of_means"], abs=1e-6)
    assert means[-1] == pytest.approx(MEAN_OF_TEN, abs=1e-9)


def test_two_sided_6_x_6(benchmark):
    """924 x 924 pairs, four states of the cube."""
    value, _ = benchmark.pedantic(core.two_sided, (VARIANTS["short"], core.Shape(6, 6)), rounds=3)
    for plane, name in enumerate(core.PLANES):
        assert value[plane, 1:, 1:].sum() == pytest.approx(TWO[f"sum_{name}"], abs=1e-5)


def test_means_of_many_positions(benchmark):
    """100,000 look-ups in one call."""
    table = bearoff.one_sided("short")
    index = np.random.default_rng(1).integers(0, table.size, 100_000)
    found = benchmark(table.mean, table.positions()[index])
    assert np.array_equal(found, table.means[index])
    benchmark.extra_info["positions"] = len(index)


def test_races(benchmark):
    """10,000 races within the homes in one call."""
    rows = core.Shape(6, 15).positions()
    index = np.random.default_rng(2).integers(1, len(rows), (2, 10_000))
    sides = np.zeros((2, 10_000, 32), np.int8)
    sides[:, :, 1:7] = rows[index]
    sides[:, :, 0] = 15 - sides.sum(axis=2)
    boards = sides[0] + batch.flip("short", sides[1])
    found = benchmark(bearoff.race, boards, "short")
    mirrored = bearoff.race(batch.flip("short", boards), "short")
    assert np.array_equal(found.mean, mirrored.opponent_mean)
    assert (found.win + mirrored.win > 1 - 1e-12).all()  # it is no loss to roll first
    benchmark.extra_info["races"] = len(boards)


@pytest.mark.parametrize("name", ["short", "long"])
def test_contact(benchmark, name):
    """Boards of whole games."""
    events = [core_batch.trace(VARIANTS[name], seed=1, game=game)[0] for game in range(200)]
    boards = np.array([event.before for game in events for event in game])
    found = benchmark(batch.contact, name, boards)
    roads = np.maximum(boards, 0)[:, 1:26] * np.arange(1, 26) > 0
    mine = 25 - np.argmax(roads[:, ::-1], axis=1)
    other = np.maximum(batch.flip(name, boards), 0)[:, 1:26] > 0
    theirs = 25 - np.argmax(other[:, ::-1], axis=1)
    crossed = mine + theirs > 25 if name == "short" else (mine > 12) | (theirs > 12)
    assert not found[~crossed].any()
    assert (found != crossed).mean() < 0.02  # the game ends, or they part, with any roll
    benchmark.extra_info["boards"] = len(boards)
