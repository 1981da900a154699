"""The Cython code that README.md shows compiles outside the tree and counts right."""

import os
import re
import subprocess
import sys
from pathlib import Path

import nardy_core

ROOT = Path(__file__).resolve().parent.parent
CORE = Path(nardy_core.__file__).resolve().parent

SETUP = f"""
from Cython.Build import cythonize
from setuptools import Extension, setup

module = Extension("outside", ["outside.pyx"], include_dirs=[{str(CORE)!r}])
setup(ext_modules=cythonize(module, include_path=[{str(CORE.parent)!r}], language_level=3))
"""

ASK = """
import nardy, outside
print(outside.plays_of(nardy.variant("short"), 3, 1), outside.plays_of(nardy.variant("long"), 6, 6))
"""


def test_readme_module(tmp_path):
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"```cython\n(.*?)```", readme, re.DOTALL)
    (tmp_path / "outside.pyx").write_text(code, encoding="utf-8")
    (tmp_path / "setup.py").write_text(SETUP, encoding="utf-8")
    path = os.pathsep.join([str(tmp_path), str(CORE.parent)])

    def run(*arguments):
        return subprocess.run(
            [sys.executable, *arguments],
            cwd=tmp_path,
            env=os.environ | {"PYTHONPATH": path},
            capture_output=True,
            text=True,
            check=False,
        )

    built = run("setup.py", "build_ext", "--inplace")
    assert built.returncode == 0, built.stdout + built.stderr
    asked = run("-c", ASK)
    assert asked.stdout.split() == ["16", "1"], asked.stderr
