"""Arguments of games and matches, checked; and rules as plain data."""

import secrets
from collections.abc import Mapping
from typing import Any

import numpy as np

from nardy.position import Kind
from nardy.text import read_rules, rules_text
from nardy.variants import VARIANTS
from nardy_core import batch
from nardy_core.errors import InvalidArgument, NardyError, ParseError
from nardy_core.rules import Rules

MOST_CUBE = 2**30
"""The greatest value of the cube, also where there is no limit."""


def fresh_seed() -> int:
    """Make a seed that nobody chose; short, since people copy it."""
    return secrets.randbelow(2**32)


def natural(name: str, value: Any, most: int) -> int:
    """Return a whole number from 0 to `most`, or refuse it."""
    if (
        isinstance(value, bool)
        or not isinstance(value, (int, np.integer))
        or not 0 <= value <= most
    ):
        msg = f"{name}: expected a whole number from 0 to {most}, got {value!r}"
        raise InvalidArgument(msg)
    return int(value)


def flag(name: str, value: Any) -> bool:
    """Return True or False, or refuse it."""
    if not isinstance(value, (bool, np.bool_)):
        msg = f"{name}: expected True or False, got {value!r}"
        raise InvalidArgument(msg)
    return bool(value)


def seat(name: str, value: Any) -> int | None:
    """Return 0, 1 or None, or refuse it."""
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value not in (0, 1):
        msg = f"{name}: expected player 0 or 1, or None, got {value!r}"
        raise InvalidArgument(msg)
    return int(value)


def cube_number(name: str, value: Any) -> int:
    """Return a value of the cube, a power of two, or refuse it."""
    number = natural(name, value, MOST_CUBE)
    if number < 1 or number & (number - 1):
        msg = f"{name}: expected 1, 2, 4, 8 and so on, got {value!r}"
        raise InvalidArgument(msg)
    return number


def pair(dice: Any) -> tuple[int, int]:
    """Return two dice, or refuse them."""
    try:
        first, second = dice
    except (TypeError, ValueError):
        msg = f"expected two dice of 1 to 6, got {dice!r}"
        raise InvalidArgument(msg) from None
    return batch.two_dice(first, second)


def text_of_play(play: Any) -> str:
    """Return the text of a play, or refuse what is none."""
    if not isinstance(play, str):
        msg = f"expected a play or its text, got {play!r}"
        raise InvalidArgument(msg)
    return play


def win_kind(kind: Any) -> Kind:
    """Return a kind of win from its name, number or itself, or refuse it."""
    try:
        found = Kind[kind.upper()] if isinstance(kind, str) else Kind(kind)
    except (KeyError, ValueError):
        found = Kind.DRAW
    if found is Kind.DRAW:
        msg = f"kind: expected 'single', 'mars' or 'koks', got {kind!r}"
        raise InvalidArgument(msg)
    return found


def whole(points: float) -> float:
    """Return points as an int where they are whole."""
    return int(points) if points == int(points) else float(points)


def rules_data(rules: Rules) -> str | dict[str, Any]:
    """Write rules as text where that says all, else field by field."""
    if rules.name in VARIANTS and read_rules(rules_text(rules)) == rules:
        return rules_text(rules)
    fields = rules.asdict()
    fields["start"] = {str(point): count for point, count in fields["start"].items()}
    return fields


def data_rules(data: Any) -> Rules:
    """Read what `rules_data` wrote."""
    if isinstance(data, Rules):
        return data
    if isinstance(data, str):
        return read_rules(data)
    try:
        fields = dict(data)
        fields["start"] = {int(point): count for point, count in fields["start"].items()}
        fields["points"] = tuple(fields["points"])
        return Rules(**fields)
    except NardyError:
        raise
    except (AttributeError, LookupError, TypeError, ValueError) as error:
        msg = f"no rules can be made of {str(data)[:80]}: {error}"
        raise ParseError(msg) from None


def checked_data(data: Any, form: str, version: int) -> dict[str, Any]:
    """Return a copy of what was written without its head, or refuse what is not of this form."""
    if not isinstance(data, Mapping) or data.get("format") != form:
        msg = f"expected an object with format {form!r}, got {str(data)[:80]}"
        raise ParseError(msg)
    if data.get("version") != version:
        msg = f"{form}: expected version {version}, got {data.get('version')!r}"
        raise ParseError(msg)
    return {str(name): value for name, value in data.items() if name not in ("format", "version")}
