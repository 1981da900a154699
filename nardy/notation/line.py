"""The library's own line for a context: the text of a position, and a clause for each other field.

``short 24:2 13:5 8:3 6:5 | 24:2 13:5 8:3 6:5; dice 3-1; match 7; score 2-5``
"""

import re
from collections.abc import Callable
from typing import Any

from nardy.context import Context
from nardy.notation.shared import make_context
from nardy.position import Position
from nardy.text import only_text
from nardy_core.errors import ParseError
from nardy_core.rules import Rules

__all__ = ["context_text", "read_context"]


def context_text(context: Context) -> str:
    """Write a context as one line; what has its default is left out."""
    c = context
    clauses = [
        c.position.text(),
        c.dice and f"dice {_joined(c.dice)}",
        (c.cube_value != 1)
        and f"cube {c.cube_value}{' ' * bool(c.cube_owner)}{c.cube_owner or ''}",
        c.match_length and f"match {c.match_length}",
        any(c.score) and f"score {_joined(c.score)}",
        c.crawford and "crawford",
        c.jacoby and "jacoby",
        c.beaver and "beaver",
        c.cube_limit and f"limit {c.cube_limit}",
        c.offer and f"offer {c.offer}",
        c.remainder and f"remainder {_joined(c.remainder)}",
        c.starter and f"starter {c.starter}",
    ]
    return "; ".join(clause for clause in clauses if clause)


def _joined(numbers: tuple[float, ...]) -> str:
    return "-".join(map(str, numbers))


def read_context(text: str, rules: Rules | str | None = None) -> Context:
    """Read what `context_text` writes, clauses in any order.

    Parameters
    ----------
    text : str
        The text of a position, and clauses behind it, each after a ``;``.
    rules : Rules or str, optional
        The rules of a game that is no preset; with a preset, what the text must agree with.

    Returns
    -------
    Context
        The context.

    Raises
    ------
    ParseError, UnknownVariant, RulesError, InvalidPosition
        If the text is not of this form, or says what cannot be.

    Examples
    --------
    >>> read_context("nardegammon 24:15 | 24:15; cube 4 opponent; score 3-1").cube_owner
    'opponent'
    """
    first, *clauses = only_text("the text of a context", text).split(";")
    found: dict[str, Any] = {}
    position = Position.from_text(first, rules)
    for clause in clauses:
        for field, value in _read_clause(clause, text).items():
            if field in found:
                msg = f"{clause.split()[0]!r} stands twice in {text!r}"
                raise ParseError(msg)
            found[field] = value
    return make_context(text, position, **found)


def _read_clause(clause: str, text: str) -> dict[str, Any]:
    """Read one clause into fields of a context."""
    name, _, rest = " ".join(clause.split()).partition(" ")
    if name not in CLAUSES:
        msg = f"expected one of {', '.join(CLAUSES)} after ';', got {clause.strip()!r} in {text!r}"
        raise ParseError(msg)
    form, example, read = CLAUSES[name]
    match = re.fullmatch(form, rest, re.ASCII)
    if match is None:
        msg = f"expected a clause such as {example!r}, got {clause.strip()!r} in {text!r}"
        raise ParseError(msg)
    return read(*match.groups())


def _number(word: str) -> float:
    return float(word) if "." in word else int(word)


def _steps(word: str) -> tuple[int, ...]:
    return tuple(map(int, word.split("-")))


Clause = tuple[str, str, Callable[..., dict[str, Any]]]

CLAUSES: dict[str, Clause] = {
    "dice": ("([1-6]-[1-6])", "dice 5-2", lambda dice: {"dice": _steps(dice)}),
    "cube": (
        r"(\d{1,10})(?: (me|opponent))?",
        "cube 2 me",
        lambda value, owner: {"cube_value": int(value), "cube_owner": owner},
    ),
    "match": (r"(\d{1,10})", "match 7", lambda length: {"match_length": int(length)}),
    "score": (
        r"(\d{1,10}(?:\.5)?)-(\d{1,10}(?:\.5)?)",
        "score 2-5.5",
        lambda mine, theirs: {"score": (_number(mine), _number(theirs))},
    ),
    "crawford": ("", "crawford", lambda: {"crawford": True}),
    "jacoby": ("", "jacoby", lambda: {"jacoby": True}),
    "beaver": ("", "beaver", lambda: {"beaver": True}),
    "limit": (r"(\d{1,10})", "limit 64", lambda limit: {"cube_limit": int(limit)}),
    "offer": ("(double|single|mars|koks)", "offer double", lambda offer: {"offer": offer}),
    "remainder": (
        "([1-6](?:-[1-6])*)",
        "remainder 5-6-6",
        lambda steps: {"remainder": _steps(steps)},
    ),
    "starter": ("(me|opponent)", "starter me", lambda player: {"starter": player}),
}
"""How each clause goes on after its name, an example, and the fields that it sets."""
