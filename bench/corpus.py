"""The pairs (board, roll) that every benchmark works on, and what tells two runs apart.

A branch predictor learns a small corpus by heart, and figures from it are far too good. So each
variant has 20,480 different pairs from games of random play; the order in which plays are listed is
fixed, so they are the same pairs at every run, as long as the rules of the variant are.
"""

import hashlib
import platform
import re
import subprocess
import sys
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import numpy as np

from nardy.variants import VARIANTS
from nardy_core import batch

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from pairs import from_play  # noqa: E402

SIZE = 20_480
SEED = 2_026


def different(boards, dice):
    """Row numbers of the pairs that are not in the list before; 3-1 and 1-3 are one roll."""
    keys = np.concatenate([boards.view(np.uint8), np.sort(dice, axis=1)], axis=1)
    return np.sort(np.unique(keys, axis=0, return_index=True)[1])


@cache
def corpus(name):
    """`SIZE` different pairs of a variant: int8[SIZE, 32] and uint8[SIZE, 2]."""
    drawn = SIZE * 3 // 2
    boards, dice = from_play(VARIANTS[name], drawn, SEED, ("random",))
    rows = different(boards, dice)[:SIZE]
    if len(rows) < SIZE:
        msg = f"only {len(rows)} different pairs in {drawn} of {name}"
        raise ValueError(msg)
    return np.ascontiguousarray(boards[rows]), np.ascontiguousarray(dice[rows])


def digest(*arrays):
    """Sixteen hexadecimal digits for the bytes of some arrays."""
    joined = hashlib.sha256()
    for array in arrays:
        joined.update(np.ascontiguousarray(array).tobytes())
    return joined.hexdigest()[:16]


# ---------------------------------------------------------------------------- what is measured


def processor():
    """The name of the processor, as the system gives it."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        lines = []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()


def compiler():
    """What compiled the kernels: GCC says so in the library itself, e.g. 'gcc 12.2.0'."""
    binary = Path(batch.__file__).read_bytes()
    found = re.search(rb"GCC: \([^)]*\) (\d+[.\d]*)", binary)
    if found:
        return f"gcc {found.group(1).decode()}"
    found = re.search(rb"clang version (\d+[.\d]*)", binary)
    return f"clang {found.group(1).decode()}" if found else "unknown"


def cython():
    """The Cython that wrote the kernels: each of its versions leaves a module of shared types."""
    shared = [name for name in sys.modules if re.fullmatch(r"_cython_\d\w*", name)]
    return shared[0].removeprefix("_cython_").replace("_", ".") if shared else "unknown"


def commit():
    """The commit of this tree, with a mark if files that git knows were changed since."""
    try:
        done = subprocess.run(
            ["git", "-C", str(ROOT), "describe", "--always", "--dirty", "--abbrev=12"],
            capture_output=True,
            check=True,
            text=True,
        )
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return done.stdout.strip()


def package(name):
    """The version of an installed package."""
    try:
        return version(name)
    except PackageNotFoundError:
        return "none"


def conditions():
    """All that a figure depends on, but for what else the machine was doing."""
    return {
        "processor": processor(),
        "system": f"{platform.system()} {platform.machine()}",
        "compiler": compiler(),
        "Cython": cython(),
        "Python": platform.python_version(),
        "numpy": np.__version__,
        "commit": commit(),
    }
