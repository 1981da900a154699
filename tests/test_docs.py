"""Every prompt in the modules, in README.md and in docs/ says what really happens."""

import doctest
import importlib
import pkgutil
from pathlib import Path

import pytest

import nardy
import nardy_core

ROOT = Path(__file__).resolve().parent.parent
MODULES = sorted(
    module.name
    for package in (nardy, nardy_core)
    for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
)
PAGES = sorted(
    path.relative_to(ROOT).as_posix() for path in (*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"))
)
FLAGS = doctest.NORMALIZE_WHITESPACE


@pytest.mark.parametrize("name", ["nardy", *MODULES])
def test_prompts_of_modules(name):
    failed, _ = doctest.testmod(importlib.import_module(name), optionflags=FLAGS)
    assert failed == 0


@pytest.mark.parametrize("name", PAGES)
def test_prompts_of_pages(name):
    failed, _ = doctest.testfile(
        str(ROOT / name), module_relative=False, optionflags=FLAGS, encoding="utf-8"
    )
    assert failed == 0


@pytest.mark.parametrize(
    ("name", "least"),
    [
        ("nardy.batch", 15),
        ("nardy.context", 12),
        ("nardy.game", 20),
        ("nardy.match", 5),
        ("nardy.players", 4),
        ("nardy.records", 3),
        ("nardy.notation.gnubg", 8),
        ("nardy.notation.ogid", 5),
        ("nardy.notation.xgid", 5),
        ("nardy.drawing", 8),
        ("nardy.comparing", 4),
        ("nardy.bearoff.formulas", 5),
        ("nardy.bearoff.racing", 3),
        ("nardy.bearoff.tables", 15),
        ("nardy.position", 20),
        ("nardy.variants", 4),
        ("nardy.why", 6),
        ("nardy_core.rules", 4),
    ],
)
def test_prompts_of_modules_are_found(name, least):
    found = doctest.DocTestFinder().find(importlib.import_module(name))
    assert sum(len(test.examples) for test in found) >= least


@pytest.mark.parametrize(
    ("name", "least"),
    [
        ("README.md", 20),
        ("docs/arrays.md", 30),
        ("docs/games.md", 30),
        ("docs/notation.md", 30),
        ("docs/pictures.md", 10),
        ("docs/bearoff.md", 12),
        ("docs/positions.md", 20),
        ("docs/rollouts.md", 3),
        ("docs/rules.md", 10),
        ("docs/why.md", 20),
    ],
)
def test_prompts_of_pages_are_found(name, least):
    text = (ROOT / name).read_text(encoding="utf-8")
    assert len(doctest.DocTestParser().get_examples(text)) >= least
