"""Instructions per pair of the kernels, counted by valgrind, against stored bounds.

    python bench/instructions.py            # exit 1 if a bound is exceeded
    python bench/instructions.py --write    # store what was counted as the new bounds

A count hardly moves between runs and between machines, where a time does, so this is what guards
against a slow-down. It depends on the compiler: bounds are compared only with a build by the same
major version of it. Only the inside of the chunk functions of nardy_core/batch.pyx is counted: not
the checks of the arguments, not Python.
"""

import argparse
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
from corpus import ROOT, compiler, corpus, cython, digest

from nardy.variants import VARIANTS
from nardy_core import batch as kernels

BOUNDS = Path(__file__).parent / "instructions.json"
CHUNKS = 32
PAIRS = 256 * CHUNKS
EXCESS = 0.03
"""Part by which a bound may be exceeded: what the C library and other processors may add."""

FUNCTIONS = {"plays": "list_chunk", "count": "count_chunk"}


def worker(source):
    """What valgrind watches: every call once, after calls that fetch memory and resolve names."""
    arrays = np.load(source)
    calls = [
        (
            getattr(kernels, function),
            VARIANTS[name],
            arrays[f"{name}_boards"],
            arrays[f"{name}_dice"],
        )
        for name in VARIANTS
        for function in FUNCTIONS
    ]
    for call, rules, boards, dice in calls[: len(FUNCTIONS)] + calls:
        call(rules, boards, dice)


def symbols():
    """The names of the chunk functions in the library."""
    binary = Path(kernels.__file__).read_bytes()
    found = []
    for chunk in FUNCTIONS.values():
        name = re.search(rb"\x00(__pyx_f_\w+Job_%b[\w.]*)\x00" % chunk.encode(), binary)
        if name is None:
            sys.exit(f"no function {chunk} in {kernels.__file__}: was this build stripped?")
        found.append(name[1].decode())
    return found


def command(source, folder):
    """Valgrind on this file; a dump of the counters whenever a chunk ends.

    It takes only full names for the dumps, and counts nothing unless the others are patterns.
    """
    return [
        "valgrind",
        "--tool=callgrind",
        f"--callgrind-out-file={folder}/out",
        *[f"--toggle-collect=*Job_{chunk}*" for chunk in FUNCTIONS.values()],
        *[f"--dump-after={name}" for name in symbols()],
        sys.executable,
        __file__,
        "--worker",
        source,
    ]


def totals(folder):
    """Instructions of every dump, in the order of the dumps; the last, at exit, is left out."""
    numbered = {}
    for path in Path(folder).glob("out.*"):
        counted = re.search(r"^(?:summary|totals): (\d+)", path.read_text(), re.MULTILINE)
        numbered[int(path.suffix[1:])] = int(counted[1])
    return [numbered[number] for number in sorted(numbered)]


def count_all():
    """{variant: {function: instructions per pair}}."""
    pairs = {name: [part[:PAIRS] for part in corpus(name)] for name in VARIANTS}
    with tempfile.TemporaryDirectory() as folder:
        source = f"{folder}/pairs.npz"
        np.savez(source, **{
            f"{name}_{what}": array
            for name, both in pairs.items()
            for what, array in zip(("boards", "dice"), both, strict=True)
        })  # fmt: skip
        # The plain kernels, so that the counts are those of any x86-64 processor.
        settings = {"PYTHONHASHSEED": "0", "PYTHONPATH": str(ROOT), "NARDY_KERNEL": "plain"}
        environment = {**os.environ, **settings}
        done = subprocess.run(
            command(source, folder), env=environment, capture_output=True, text=True, check=False
        )
        if done.returncode:
            sys.exit(f"valgrind failed:\n{done.stderr}")
        chunks = totals(folder)
    calls = [(name, function) for name in VARIANTS for function in FUNCTIONS]
    chunks = chunks[CHUNKS * len(FUNCTIONS) :][: CHUNKS * len(calls)]  # without the first calls
    if len(chunks) != CHUNKS * len(calls) or not all(chunks):
        sys.exit(f"expected {CHUNKS * len(calls)} counted chunks, got {np.count_nonzero(chunks)}")
    counted = {name: {} for name in VARIANTS}
    for i, (name, function) in enumerate(calls):
        counted[name][function] = sum(chunks[CHUNKS * i : CHUNKS * (i + 1)]) / PAIRS
    return counted


def conditions():
    """What bounds are stored with, and compared under."""
    family, _, number = compiler().partition(" ")
    return {
        "compiler": f"{family} {number.partition('.')[0]}",
        "machine": platform.machine(),
        "pairs": PAIRS,
    }


def judge(counted, stored):
    """Print counts beside bounds; return how many are exceeded."""
    exceeded = 0
    print(f"| variant | {' | '.join(f'{function} | bound' for function in FUNCTIONS)} |")
    print(f"|---|{'---:|' * 2 * len(FUNCTIONS)}")
    for name, figures in counted.items():
        cells = []
        for function, figure in figures.items():
            bound = stored.get(name, {}).get(function)
            over = bound is not None and figure > bound * (1 + EXCESS)
            exceeded += over
            cells += [
                f"{figure:,.0f}",
                "none" if bound is None else f"{bound:,.0f}{' EXCEEDED' if over else ''}",
            ]
        print(f"| {name} | {' | '.join(cells)} |")
    return exceeded


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--write", action="store_true", help="store the counts as bounds")
    parser.add_argument("--worker", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.worker:
        worker(options.worker)
        return 0
    if shutil.which("valgrind") is None:
        print("instructions: valgrind is not installed, so nothing was counted or compared")
        return 0
    counted = count_all()
    here = conditions()
    corpora = {name: digest(*(part[:PAIRS] for part in corpus(name))) for name in VARIANTS}
    if options.write:
        bounds = {
            name: {function: round(figure) for function, figure in figures.items()}
            for name, figures in counted.items()
        }
        BOUNDS.write_text(
            json.dumps({"conditions": here, "corpora": corpora, "bounds": bounds}, indent=2) + "\n"
        )
        print(f"wrote {BOUNDS.relative_to(ROOT)}")
    stored = json.loads(BOUNDS.read_text())
    comparable = stored["conditions"] == here
    exceeded = judge(counted, stored["bounds"] if comparable else {})
    print(f"\nInstructions per pair, {PAIRS:,} pairs a variant, {compiler()}, Cython {cython()}.")
    if not comparable:
        print(f"NOT COMPARED: the bounds are of {stored['conditions']}, this is {here}.")
        return 0
    changed = [name for name in VARIANTS if stored["corpora"].get(name) != corpora[name]]
    if changed:
        print(f"The pairs of {', '.join(changed)} are others than those of the bounds.")
    if exceeded:
        print(f"FAILED: {exceeded} more than {EXCESS:.0%} above the bound.")
        print("If that is meant, say why in the commit, with bounds from --write.")
    return 1 if exceeded else 0


if __name__ == "__main__":
    sys.exit(main())
