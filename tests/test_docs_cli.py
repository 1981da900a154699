"""The page about the command line shows what the commands really print."""

import sys
from pathlib import Path

import pytest

DOCS = Path(__file__).parent.parent / "docs"
sys.path.insert(0, str(DOCS))

import refresh  # noqa: E402


@pytest.mark.parametrize("name", ["cli.md"])
def test_outputs_of_commands(name):
    page = (DOCS / name).read_text(encoding="utf-8")
    assert refresh.refresh(page) == page, f"run: python docs/refresh.py docs/{name}"
    assert len(refresh.BLOCK.findall(page)) >= 7
