"""Every prompt in the documentation of the modules, and in README.md, says what really happens."""

import doctest
import importlib
import pkgutil
from pathlib import Path

import pytest

import nardy
import nardy_core

ROOT = Path(__file__).resolve().parent.parent
MODULES = sorted(
    f"{package.__name__}.{module.name}"
    for package in (nardy, nardy_core)
    for module in pkgutil.iter_modules(package.__path__)
)
DOCUMENTS = [path.name for path in ROOT.glob("README.md")]
FLAGS = doctest.NORMALIZE_WHITESPACE


@pytest.mark.parametrize("name", ["nardy", *MODULES, *DOCUMENTS])
def test_prompts(name):
    if name in DOCUMENTS:
        failed, tried = doctest.testfile(
            str(ROOT / name), module_relative=False, optionflags=FLAGS, encoding="utf-8"
        )
        assert tried > 0
    else:
        failed, _ = doctest.testmod(importlib.import_module(name), optionflags=FLAGS)
    assert failed == 0


@pytest.mark.parametrize(
    ("name", "least"),
    [
        ("nardy.batch", 15),
        ("nardy.notation", 4),
        ("nardy.position", 20),
        ("nardy.variants", 4),
        ("nardy_core.rules", 4),
    ],
)
def test_the_prompts_are_found(name, least):
    found = doctest.DocTestFinder().find(importlib.import_module(name))
    assert sum(len(test.examples) for test in found) >= least
