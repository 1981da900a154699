"""Signatures of 1,000 games a variant: the same on every path, for any number of threads.

A commit that moves one says so, and why. They are in tests/cases/signatures.json; the second
witness of the games themselves is tests/test_kernel.py, where the slow judge replays whole games.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import nardy
from nardy.speed import measure, signature
from nardy.variants import VARIANTS

STORED = json.loads((Path(__file__).parent / "cases" / "signatures.json").read_text())
POLICIES = ("random", "heuristic")

SCRIPT = """
import hashlib, json, numpy as np, nardy
from nardy.speed import random_pairs, signature
out = {"build": nardy.build_info()}
for name, rules in nardy.VARIANTS.items():
    boards, dice = random_pairs(rules, 4000, 3)
    offsets, after = nardy.batch.plays(rules, boards, dice)
    digest = hashlib.sha256(offsets.tobytes() + after.tobytes())
    digest.update(nardy.batch.count(rules, boards, dice).tobytes())
    out[name] = [signature(rules), signature(rules, "heuristic"), digest.hexdigest()]
print(json.dumps(out))
"""


@pytest.mark.parametrize("name", VARIANTS)
@pytest.mark.parametrize("policy", POLICIES)
def test_signature(name, policy):
    assert signature(VARIANTS[name], policy) == STORED[name][policy]


def test_every_variant_is_signed():
    assert set(STORED) == set(VARIANTS)


def run_with(**settings):
    """What SCRIPT prints with some environment variables set."""
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        env=os.environ | settings,
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    return json.loads(done.stdout)


def test_every_path_gives_the_same_bytes():
    """Plain and AVX2 kernels, fast and general paths: plays in their order, counts and games."""
    here = run_with()
    plain = run_with(NARDY_KERNEL="plain")
    general = run_with(NARDY_GENERAL_ONLY="1")
    assert plain.pop("build")["kernel"] == "plain"
    assert general.pop("build")["general_only"] is True
    build = here.pop("build")
    assert build["kernel"] in ("plain", "avx2")
    assert here == plain
    assert here == general
    for name in VARIANTS:
        assert here[name][:2] == [STORED[name][policy] for policy in POLICIES]
    if build["kernel"] == "avx2":
        assert run_with(NARDY_KERNEL="avx2")["build"]["kernel"] == "avx2"


def test_a_kernel_that_is_not_there_is_refused():
    done = subprocess.run(
        [sys.executable, "-c", "import nardy"],
        env=os.environ | {"NARDY_KERNEL": "sse9"},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 1
    assert "NARDY_KERNEL: expected 'plain' or 'avx2', got 'sse9'" in done.stderr


def test_build_info():
    build = nardy.build_info()
    assert set(build) == {"kernel", "general_only", "checked", "compiler"}
    assert isinstance(build["compiler"], str)


@pytest.mark.parametrize("threads", [1, 2, 3, 7, 16])
def test_threads_give_the_same_games(threads):
    for name in ("long", "tavla", "mad_gulbar"):
        one = nardy.batch.playout(name, games=600, seed=5)
        many = nardy.batch.playout(name, games=600, seed=5, threads=threads)
        assert all(np.array_equal(a, b) for a, b in zip(one, many, strict=True))


def test_measure():
    speed = measure(VARIANTS["long"], pairs=50, games=8, runs=1)
    assert speed.signature == STORED["long"]["random"]
    assert all(value > 0 for value in speed.to_dict().values() if isinstance(value, float))
