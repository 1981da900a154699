"""Perft tables: pairs (roll, board) to a depth, for every variant.

A table is plain text: `id`, `board` in the text of a position without its variant, then
`perft DEPTH COUNT`. Depths 1 and 2 are witnessed by tests/reference.py here (but for the largest).
The counts of `short` and `nackgammon` are another generator's, whose counts per roll were checked
with GNU Backgammon (tests/cases/perft_counts.json). Those of `long`, 22, 484 and 35,387, are stated
figures that are kept in the test below; depths 1 and 2 have tests/reference.py as their witness.
The other deep ones are this kernel's own, kept so that no change goes unnoticed.
"""

import json
from pathlib import Path

import numpy as np
import pytest
import reference as ref
from sizes import size

from nardy.variants import VARIANTS
from nardy_core import batch

TABLES = Path(__file__).parent / "perft"
CASES = Path(__file__).parent / "cases"
LARGEST = size(10**12, 2 * 10**6)
"""The largest count that is asked for; the tables hold it all the same."""


def rows():
    """(variant, id, board, depth, count) of every line."""
    for path in sorted(TABLES.glob("*.perft")):
        theirs = ref.PRESETS[path.stem]
        for line in path.read_text().splitlines():
            word, _, rest = line.partition(" ")
            if word == "id":
                name = rest
            elif word == "board":
                own, _, other = rest.partition(" | ")
                board = ref.parse(theirs, own, other, other_in_own_numbers=True)
            elif word == "perft":
                depth, count = map(int, rest.split())
                yield pytest.param(path.stem, board, depth, count,
                                   id=f"{path.stem}-{name}-{depth}")  # fmt: skip


ASKED = [row for row in rows() if row.values[3] <= LARGEST]


@pytest.mark.parametrize(("variant", "board", "depth", "count"), ASKED)
def test_perft(variant, board, depth, count):
    assert batch.perft(VARIANTS[variant], np.array(board, np.int8), depth) == count


WITNESSED = [row for row in rows() if row.values[2] <= 2 and row.values[3] < 250_000]


@pytest.mark.parametrize(("variant", "board", "depth", "count"), WITNESSED)
def test_reference_agrees(variant, board, depth, count):
    assert ref.perft(ref.PRESETS[variant], board, depth) == count


def test_every_game_has_a_table():
    assert {path.stem for path in TABLES.glob("*.perft")} == set(VARIANTS)


def test_published_counts_are_in_the_tables():
    published = json.loads((CASES / "perft_counts.json").read_text())["variants"]
    ours = {(row.values[0], row.values[2]): row.values[3] for row in rows() if "opening" in row.id}
    assert ours["short", 1] == published["backgammon"]["perft1_all_21_rolls"] == 447
    assert ours["short", 2] == published["backgammon"]["perft2"] == 202_782
    assert ours["short", 3] == published["backgammon"]["perft3"] == 116_154_993
    assert ours["nackgammon", 1] == published["nackgammon"]["perft1_all_21_rolls"] == 547
    assert ours["nackgammon", 2] == published["nackgammon"]["perft2"] == 324_161
    assert [ours["long", depth] for depth in (1, 2, 3)] == [22, 484, 35_387]


def test_hypergammon_as_a_house_rule():
    """Three checkers a side: another program's counts to depth 3, and per roll."""
    published = json.loads((CASES / "perft_counts.json").read_text())["variants"]["hypergammon_3"]
    rules = VARIANTS["short"].replace(start={24: 1, 23: 1, 22: 1})
    board = batch.start(rules)
    for depth in (1, 2, 3):
        key = "perft1_all_21_rolls" if depth == 1 else f"perft{depth}"
        assert batch.perft(rules, board, depth) == published[key]
    for dice, count in published["per_roll"].items():
        assert batch.count(rules, board, tuple(map(int, dice))).tolist() == [count]
