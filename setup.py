"""Extensions of nardy_core and the one table of Cython directives.

NARDY_CHECKED=1 in the environment makes the checked build: bounds checks in Cython and, where
the compiler has it, the undefined-behaviour sanitizer (which also guards arrays inside structs).
"""

import os
import platform
import subprocess
import sys
import tempfile
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup

CHECKED = os.environ.get("NARDY_CHECKED", "") not in ("", "0")

DIRECTIVES = {
    "language_level": 3,
    "binding": True,
    "embedsignature": False,
    "boundscheck": CHECKED,
    "wraparound": False,
    "initializedcheck": CHECKED,
    "cdivision": True,
    "overflowcheck": False,
    "freethreading_compatible": True,  # all that is written after import stands behind a lock
}

MODULES = (
    "rules",
    "evaluate",
    "kernel",
    "kernel_plain",
    "kernel_avx2",
    "movegen",
    "playout",
    "memory",
    "crew",
    "batch",
    "bearoff",
    "flow",
    "ending",
)
AVX2 = ["-mavx2", "-mbmi", "-mbmi2", "-mlzcnt", "-mpopcnt"]  # kernel_avx2 only; chosen at run time


def has_sanitizer() -> bool:
    """Whether the C compiler links with -fsanitize=undefined."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "probe.c")
        source.write_text("int main(void) { return 0; }\n")
        command = [os.environ.get("CC", "cc"), "-fsanitize=undefined", str(source)]
        try:
            done = subprocess.run(
                [*command, "-o", str(Path(folder, "probe"))], capture_output=True, check=False
            )
        except OSError:
            return False
        return done.returncode == 0


def flags() -> tuple[list[str], list[str]]:
    """Compiler and linker flags."""
    if sys.platform == "win32":
        return ["/O2"], []
    compile_flags = ["-O3", "-fno-strict-aliasing", "-Wall", "-Wextra"]
    # What Cython writes itself is not ours to mend.
    compile_flags += [
        "-Wno-unused-function",
        "-Wno-unused-parameter",
        "-Wno-sign-compare",
        "-Wno-missing-field-initializers",
        "-Wno-cast-function-type",
    ]
    link_flags: list[str] = []
    if CHECKED:
        compile_flags.remove("-O3")
        compile_flags += ["-O1", "-g", "-DNARDY_CHECKED"]
        if has_sanitizer():
            sanitize = [
                "-fsanitize=undefined",
                "-fno-sanitize-recover=undefined",
                "-fno-sanitize=alignment",
            ]
            compile_flags += sanitize
            link_flags += ["-fsanitize=undefined"]
    return compile_flags, link_flags


COMPILE, LINK = flags()

HAS_AVX2 = sys.platform != "win32" and platform.machine().lower() in ("x86_64", "amd64")

extensions = [
    Extension(
        f"nardy_core.{name}",
        [f"nardy_core/{name}.pyx"],
        include_dirs=["nardy_core"],
        depends=[
            "nardy_core/simd.h",
            "nardy_core/crew.h",
            "nardy_core/movegen.pxi",
            "nardy_core/playout.pxi",
            "nardy_core/table.pxi",
        ],
        extra_compile_args=COMPILE + (AVX2 if name == "kernel_avx2" else []),
        extra_link_args=LINK,
        optional=name == "kernel_avx2",  # a compiler without it leaves the plain kernels
    )
    for name in MODULES
    if name != "kernel_avx2" or HAS_AVX2
]

setup(
    ext_modules=cythonize(
        extensions, compiler_directives=DIRECTIVES, annotate=False, show_all_warnings=False
    )
)
