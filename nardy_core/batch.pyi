from collections.abc import Sequence
from enum import IntFlag
from typing import Any, Final, NamedTuple, Protocol, SupportsIndex, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from nardy_core.ending import Ends
from nardy_core.rules import Rules

GENERAL_ONLY: Final[bool]
POLICIES: Final[dict[str, int]]
FAULT_WORDS: Final[dict[Fault, str]]
PAIRS: Final[NDArray[np.uint8]]

class Fault(IntFlag):
    OWN_TOTAL = 1
    ENEMY_TOTAL = 2
    SIGN = 4
    TAIL = 8
    NO_BAR = 16
    FULL_POINT = 32
    OWN_BLOCK = 64
    ENEMY_BLOCK = 128
    BOTH_OFF = 256
    SHARED_POINT = 512

class Playouts(NamedTuple):
    winner: NDArray[np.int8]
    kind: NDArray[np.int8]
    turns: NDArray[np.int32]

class Left(NamedTuple):
    played: Playouts
    board: NDArray[np.int8]
    mover: NDArray[np.int8]

class Outcomes(NamedTuple):
    over: NDArray[np.bool_]
    winner: NDArray[np.int8]
    kind: NDArray[np.int8]
    points: NDArray[np.float64]

class Event(NamedTuple):
    remainder: bool
    player: int
    dice: tuple[int, int]
    steps: int
    before: NDArray[np.int8]
    after: NDArray[np.int8]

class WeightTables(Protocol):
    place: Any
    pattern: Any

def build_info() -> dict[str, str | bool]: ...
def fault_words(rules: Rules, fault: int) -> list[str]: ...
def start(rules: Rules, n: SupportsIndex = 1) -> NDArray[np.int8]: ...
def flip(rules: Rules, boards: ArrayLike) -> NDArray[np.int8]: ...
def flip_one(rules: Rules, board: bytes) -> bytes: ...
def legal_bytes(rules: Rules, board: ArrayLike) -> bytes: ...
def faults(rules: Rules, boards: ArrayLike) -> NDArray[np.uint32]: ...
def pips(rules: Rules, boards: ArrayLike) -> NDArray[np.int32]: ...
def worth(rules: Rules) -> NDArray[np.float64]: ...
def outcomes(rules: Rules, boards: ArrayLike, *, _trusted: bool = False) -> Outcomes: ...
def plays(
    rules: Rules,
    boards: ArrayLike,
    dice: ArrayLike,
    *,
    steps: ArrayLike | None = None,
    head_used: ArrayLike | None = None,
    exception: bool = True,
    threads: SupportsIndex = 1,
    _general: bool = False,
    _trusted: bool = False,
) -> tuple[NDArray[np.int64], NDArray[np.int8]]: ...
def count(
    rules: Rules,
    boards: ArrayLike,
    dice: ArrayLike,
    *,
    steps: ArrayLike | None = None,
    head_used: ArrayLike | None = None,
    exception: bool = True,
    threads: SupportsIndex = 1,
    _general: bool = False,
    _trusted: bool = False,
) -> NDArray[np.int32]: ...
def routes(
    rules: Rules,
    board: ArrayLike,
    dice: ArrayLike,
    *,
    steps: ArrayLike | None = None,
    head_used: ArrayLike | None = None,
    exception: bool = True,
    last_turn: bool = False,
) -> tuple[NDArray[np.int8], list[tuple[tuple[int, int], ...]]]: ...

class Turn:
    rules: Rules
    before: bytes
    dice: tuple[int, int]
    stage: dict[str, Any]
    used: int
    @property
    def over(self) -> bool: ...
    def attempt(self, hops: Sequence[tuple[int, int]]) -> Attempt: ...
    def steps_of(self, index: int) -> tuple[tuple[int, int], ...]: ...

class Attempt:
    misfit: int
    plays: list[int]
    after: list[bytes]
    used: int
    most: int
    fault: int
    step: tuple[int, int]
    points: tuple[int, ...]
    limit: int

class PlayData:
    turn: Turn
    after_bytes: bytes
    index: int
    def _steps(self) -> tuple[tuple[int, int], ...]: ...

_P = TypeVar("_P", bound=PlayData)
_L = TypeVar("_L", bound=list[Any])

class _Position(Protocol):
    @property
    def rules(self) -> Rules: ...
    @property
    def _bytes(self) -> bytes: ...

def two_dice(d1: SupportsIndex, d2: SupportsIndex) -> tuple[int, int]: ...
def after(position: _Position, d1: int, d2: int) -> NDArray[np.int8]: ...
def plays_of(
    position: _Position,
    d1: int,
    d2: int,
    cls: type[_P],
    out: _L,
    *,
    steps: int | None = None,
    head_used: int = 0,
    exception: bool = True,
    last_turn: bool = False,
) -> _L: ...
def turn_of(
    rules: Rules,
    board: bytes,
    d1: int,
    d2: int,
    *,
    steps: int | None = None,
    head_used: int = 0,
    exception: bool = True,
    last_turn: bool = False,
) -> Turn: ...
def perft(rules: Rules, board: ArrayLike, depth: SupportsIndex) -> int: ...
def raw_playout(
    rules: Rules,
    boards: ArrayLike | None = None,
    games: SupportsIndex = 1,
    seed: SupportsIndex = 0,
    policy: str | tuple[str, str] | list[str] = "random",
    threads: SupportsIndex = 1,
    *,
    first_board: SupportsIndex = 0,
    first_game: SupportsIndex = 0,
    weights: Sequence[WeightTables] | None = None,
    ends: Ends | None = None,
    _general: bool = False,
) -> Playouts: ...
def part_playout(
    rules: Rules,
    boards: ArrayLike | None,
    games: SupportsIndex,
    seed: SupportsIndex,
    policy: str | tuple[str, str] | list[str],
    threads: SupportsIndex,
    ends: Ends,
    *,
    first_board: SupportsIndex = 0,
    first_game: SupportsIndex = 0,
) -> Left: ...
def playout(
    rules: Rules,
    boards: ArrayLike | None = None,
    games: SupportsIndex = 1,
    seed: SupportsIndex = 0,
    policy: str | tuple[str, str] | list[str] = "random",
    threads: SupportsIndex = 1,
    *,
    ends: Ends | None = None,
    _general: bool = False,
) -> Playouts: ...
def rolls(
    seed: SupportsIndex = 0,
    boards: SupportsIndex = 1,
    games: SupportsIndex = 1,
    turns: SupportsIndex = 1,
    *,
    lot_first: bool = False,
) -> NDArray[np.uint8]: ...
def trace(
    rules: Rules,
    board: ArrayLike | None = None,
    seed: SupportsIndex = 0,
    policy: str | tuple[str, str] | list[str] = "random",
    *,
    board_index: SupportsIndex = 0,
    game: SupportsIndex = 0,
    _general: bool = False,
) -> tuple[list[Event], tuple[int, int, int]]: ...
