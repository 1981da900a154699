"""Exact rules, legal plays and fast playouts for nardy, backgammon and their whole family."""

from typing import Any

from nardy import batch
from nardy.batch import build_info
from nardy.compare import Comparison, compare
from nardy.plays import Reason
from nardy.position import Kind, Play, Position, Status
from nardy.rollout import Rollout, Simulation, rollout, simulate
from nardy.variants import VARIANTS, variant
from nardy.why import Explanation
from nardy_core.errors import (
    IllegalPlay,
    InvalidArgument,
    InvalidPosition,
    NardyError,
    ParseError,
    RulesError,
    UnknownVariant,
)
from nardy_core.rules import Rules

__all__ = [
    "VARIANTS",
    "Comparison",
    "Explanation",
    "IllegalPlay",
    "InvalidArgument",
    "InvalidPosition",
    "Kind",
    "NardyError",
    "ParseError",
    "Play",
    "Position",
    "Reason",
    "Rollout",
    "Rules",
    "RulesError",
    "Simulation",
    "Status",
    "UnknownVariant",
    "__version__",
    "batch",
    "build_info",
    "compare",
    "rollout",
    "simulate",
    "variant",
]


def __getattr__(name: str) -> Any:
    """Look the version up when it is first asked for: that takes longer than all else here."""
    if name == "__version__":
        from importlib.metadata import PackageNotFoundError, version

        try:
            found = version("nardy")
        except PackageNotFoundError:  # a source tree that is not installed
            found = "0+unknown"
        globals()["__version__"] = found
        return found
    msg = f"module 'nardy' has no attribute {name!r}"
    raise AttributeError(msg)
