"""Speed of single calls, where the way from Python to the kernels is most of the work."""

import os
import subprocess
import sys
import time

import numpy as np
import pytest
from corpus import ROOT

import nardy
from nardy import Position

pytestmark = pytest.mark.benchmark(timer=time.process_time, min_rounds=9, max_time=0.5)

OPENING = Position.start("short")
RESULTS = 16  # of 3-1, as every book on backgammon has it


def test_position_plays(benchmark):
    """`Position.plays` of an opening 3-1: sixteen objects with their steps."""
    plays = benchmark(OPENING.plays, 3, 1)
    assert len({play.after.tobytes() for play in plays}) == len(plays) == RESULTS
    assert "8/5 6/5" in map(str, plays)


def test_plays_of_one_board(benchmark):
    """`batch.plays` of the same board: one array of sixteen boards."""
    offsets, after = benchmark(nardy.batch.plays, "short", OPENING.board, (3, 1))
    assert offsets.tolist() == [0, RESULTS]
    assert len(np.unique(after, axis=0)) == RESULTS


def test_count_of_one_board(benchmark):
    """`batch.count` of the same board."""
    assert benchmark(nardy.batch.count, "short", OPENING.board, (3, 1)).tolist() == [RESULTS]


def test_one_random_game(benchmark):
    """`batch.playout` of one game, the same each time."""
    played = benchmark(nardy.batch.playout, "short", games=1, seed=7)
    again = nardy.batch.playout("short", games=2, seed=7)
    assert played.turns[0, 0] == again.turns[0, 0] > 10


IMPORTS = {"nothing": "pass", "numpy": "import numpy", "nardy": "import nardy"}


@pytest.mark.parametrize("what", IMPORTS)
@pytest.mark.benchmark(timer=time.perf_counter)
def test_import(benchmark, what):
    """A new interpreter that imports nothing, numpy (which nardy needs), or nardy, and ends."""
    code = f"{IMPORTS[what]}; print({what!r})"
    paths = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
    done = benchmark.pedantic(
        subprocess.run,
        args=([sys.executable, "-c", code],),
        kwargs={
            "env": {**os.environ, "PYTHONPATH": paths},
            "check": True,
            "stdout": subprocess.PIPE,
        },
        rounds=15,
        warmup_rounds=2,
    )
    assert done.stdout.decode().strip() == what
