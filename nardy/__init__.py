"""Exact rules, legal plays and fast playouts for nardy, backgammon and their whole family."""

from typing import TYPE_CHECKING, Any

from nardy import batch
from nardy.batch import build_info
from nardy.compare import Comparison, compare
from nardy.game import Event, Game, Result, ToPlay
from nardy.match import Match, MatchResult
from nardy.plays import Reason
from nardy.position import Kind, Play, Position, Status
from nardy.rollout import Rollout, Simulation, rollout, simulate
from nardy.variants import VARIANTS, variant
from nardy.why import Explanation
from nardy_core.errors import (
    IllegalAct,
    IllegalPlay,
    InvalidArgument,
    InvalidPosition,
    NardyError,
    ParseError,
    RulesError,
    UnknownVariant,
)
from nardy_core.rules import Rules

if TYPE_CHECKING:
    from nardy import bearoff
    from nardy.context import Context

__all__ = [
    "VARIANTS",
    "Comparison",
    "Context",
    "Event",
    "Explanation",
    "Game",
    "IllegalAct",
    "IllegalPlay",
    "InvalidArgument",
    "InvalidPosition",
    "Kind",
    "Match",
    "MatchResult",
    "NardyError",
    "ParseError",
    "Play",
    "Position",
    "Reason",
    "Result",
    "Rollout",
    "Rules",
    "RulesError",
    "Simulation",
    "Status",
    "ToPlay",
    "UnknownVariant",
    "__version__",
    "batch",
    "bearoff",
    "build_info",
    "compare",
    "rollout",
    "simulate",
    "variant",
]


def __getattr__(name: str) -> Any:
    """Get what is seldom wanted when it is first asked for: it takes longer than all else here."""
    if name == "Context":
        from nardy.context import Context

        globals()["Context"] = Context
        return Context
    if name == "bearoff":
        from importlib import import_module

        return import_module("nardy.bearoff")
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
