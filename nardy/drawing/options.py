"""The options of a picture: each is read once, and refused with what it may be."""

from collections.abc import Iterable, Sequence
from typing import TypeVar

from nardy_core import batch
from nardy_core.errors import InvalidArgument, whole_number

__all__ = ["SEATS", "Cube", "Roll", "chosen", "read_cube", "read_dice", "read_flag", "read_size"]

Cube = tuple[int, str | None]
"""Value and owner."""

Roll = tuple[int, int]

Option = TypeVar("Option", bound=str | None)

SEATS = ("me", "opponent")
"""The player on roll and the other one, as options name them."""

CUBES = frozenset(2**turns for turns in range(31))
"""Values of the doubling cube."""

SIZES = range(50, 10_001)
"""Widths that a picture can have, in pixels."""


def chosen(name: str, value: Option, allowed: Sequence[Option]) -> Option:
    """Return the value of an option that has few."""
    if not isinstance(value, (str, type(None))) or value not in allowed:
        msg = f"{name}: expected one of {', '.join(map(repr, allowed))}, got {value!r}"
        raise InvalidArgument(msg)
    return value


def read_flag(name: str, value: object) -> bool:
    """Return an option that is True or False."""
    if not isinstance(value, bool):
        msg = f"{name}: expected True or False, got {value!r}"
        raise InvalidArgument(msg)
    return value


def read_dice(dice: Iterable[int]) -> Roll:
    """Return two dice."""
    try:
        first, second = dice
    except (TypeError, ValueError):
        msg = f"dice: expected two of 1 to 6, got {dice!r}"
        raise InvalidArgument(msg) from None
    return batch.two_dice(first, second)


def read_cube(cube: Cube) -> Cube:
    """Return the value and the owner of a cube."""
    try:
        value, owner = cube
    except (TypeError, ValueError):
        value, owner = None, None
    number = whole_number(value)
    if number is None or number not in CUBES:
        msg = f"cube: expected (value, owner) with a value of 1, 2, 4, 8 and so on, got {cube!r}"
        raise InvalidArgument(msg)
    return number, chosen("cube owner", owner, (*SEATS, None))


def read_size(size: object) -> int:
    """Return the width of a picture in pixels."""
    number = whole_number(size)
    if number is None or number not in SIZES:
        msg = f"size: expected a width of {SIZES[0]} to {SIZES[-1]} pixels, got {size!r}"
        raise InvalidArgument(msg)
    return number
