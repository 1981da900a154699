"""Exact rules, legal plays and fast playouts for nardy, backgammon and their whole family."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from nardy import batch
from nardy.batch import build_info
from nardy.plays import Reason
from nardy.position import Kind, Play, Position, Status
from nardy.rollout import Rollout, Simulation, rollout, simulate
from nardy.variants import VARIANTS, variant
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
    from nardy import bearoff, notation, records
    from nardy.comparing import Comparison, compare
    from nardy.context import Context
    from nardy.game import Event, Game, Result, ToPlay
    from nardy.match import Match, MatchResult
    from nardy.why import Explanation

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
    "notation",
    "records",
    "rollout",
    "simulate",
    "variant",
]


LATER = {
    "Comparison": "nardy.comparing",
    "compare": "nardy.comparing",
    "Context": "nardy.context",
    "Event": "nardy.game",
    "Explanation": "nardy.why",
    "Game": "nardy.game",
    "Match": "nardy.match",
    "MatchResult": "nardy.match",
    "Result": "nardy.game",
    "ToPlay": "nardy.game",
}
"""Where names are that are imported when they are first asked for."""

MODULES = ("bearoff", "notation", "records")
"""Modules for which the same holds."""


def __getattr__(name: str) -> Any:
    """Get what is seldom wanted when it is first asked for: it takes longer than all else here."""
    if name in LATER:
        found = getattr(import_module(LATER[name]), name)
        globals()[name] = found
        return found
    if name in MODULES:
        return import_module(f"nardy.{name}")
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


def __dir__() -> list[str]:
    """List the public names, also those that were not yet asked for."""
    return sorted({*globals(), *__all__})
