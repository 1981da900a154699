"""The kernel against the slow judge on a million pairs a variant: make exhaustive.

    python tests/exhaustive.py [PAIRS] [VARIANT ...]

Pairs come from play under five policies. Fast and general path must list the same boards in the
same order, and the judge the same set. Runs a process per core; prints a line per variant and exits
with 1 at the first difference.
"""

import os
import sys
import time
from concurrent.futures import ProcessPoolExecutor

import numpy as np
import reference as ref
from pairs import from_play

from nardy.variants import VARIANTS
from nardy_core import batch

BLOCK = 20_000


def block(task):
    """Compare one block of pairs; the number of pairs and of boards."""
    name, seed = task
    rules, theirs = VARIANTS[name], ref.PRESETS[name]
    boards, dice = from_play(rules, BLOCK, seed)
    offsets, after = batch.plays(rules, boards, dice)
    general = batch.plays(rules, boards, dice, _general=True)
    assert np.array_equal(offsets, general[0]), (name, seed)
    assert np.array_equal(after, general[1]), (name, seed)
    rows = list(map(tuple, after.tolist()))
    for i, (board, roll) in enumerate(zip(boards.tolist(), dice.tolist(), strict=True)):
        ours = rows[offsets[i] : offsets[i + 1]]
        assert set(ours) == ref.plays(theirs, tuple(board), roll), (name, board, roll)
        assert len(set(ours)) == len(ours), (name, board, roll)
    return len(boards), len(after)


def main(pairs, names):
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        for name in names:
            began = time.monotonic()
            tasks = [(name, 1_000_000 + i) for i in range(-(-pairs // BLOCK))]
            done = list(pool.map(block, tasks))
            print(f"{name}: {sum(n for n, _ in done):,} pairs, {sum(m for _, m in done):,} boards, "
                  f"no difference ({time.monotonic() - began:.0f} s)", flush=True)  # fmt: skip


if __name__ == "__main__":
    main(int(float(sys.argv[1])) if len(sys.argv) > 1 else 10**6, sys.argv[2:] or list(VARIANTS))
