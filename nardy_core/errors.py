"""Every error that nardy raises on purpose; all of them are also `ValueError`.

With them the one reading of a whole number, which every door refuses in its own words.
"""

from operator import index
from typing import Any

__all__ = [
    "IllegalAct",
    "IllegalPlay",
    "InvalidArgument",
    "InvalidPosition",
    "NardyError",
    "ParseError",
    "RulesError",
    "UnknownVariant",
    "whole_number",
]


class NardyError(ValueError):
    """Base of all errors of nardy."""


class RulesError(NardyError):
    """Rules that contradict themselves or hold a value that no rule has."""


class UnknownVariant(NardyError):
    """A name that belongs to no game."""


class InvalidPosition(NardyError):
    """A board that cannot stand under its rules; the message names every fault."""


class InvalidArgument(NardyError):
    """Dice, counts, seeds, policies or shapes that a call cannot take."""


class ParseError(NardyError):
    """Text that does not say what it should say."""


class IllegalPlay(NardyError):
    """A play that the rules do not allow; `reason` says which rule forbids it.

    Attributes
    ----------
    reason : str
        One word for the rule: ``"occupied"``, ``"head"``, ``"block"`` and so on, see
        `nardy.plays.Reason`.
    step : tuple of two ints, or None
        (from, to) of the step that cannot be made, or of the hop that does not fit the dice.
    points : tuple of int
        The points that the rule is about, highest first; see `nardy.why.Explanation`.
    """

    def __init__(
        self,
        message: str,
        reason: str = "illegal",
        step: tuple[int, int] | None = None,
        points: tuple[int, ...] = (),
    ) -> None:
        super().__init__(message)
        self.reason = reason
        self.step = step
        self.points = points

    def __reduce__(self) -> tuple[type, tuple[Any, ...]]:
        """Pickle with all that it says."""
        return (type(self), (str(self), self.reason, self.step, self.points))


class IllegalAct(NardyError):
    """An act that is not in turn: a roll, a play, an offer or an answer that nobody waits for.

    Attributes
    ----------
    expected : tuple of str
        What is in turn, as in `nardy.ToPlay.acts`.
    """

    def __init__(self, message: str, expected: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.expected = expected

    def __reduce__(self) -> tuple[type, tuple[str, tuple[str, ...]]]:
        """Pickle with what was expected."""
        return (type(self), (str(self), self.expected))


def whole_number(value: Any) -> int | None:
    """Return a Python int for any kind of whole number, None for what is none, as an array is."""
    if isinstance(value, bool):
        return None
    try:
        return index(value)
    except TypeError:
        return None
