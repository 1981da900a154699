"""Why a play is not legal: the rule in words, the step and the points, and what to play instead."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from nardy.plays import (
    REASONS,
    Reading,
    Reason,
    Step,
    Verdict,
    judge,
    judge_turn,
    point_text,
    reading_of,
    step_text,
)
from nardy.text import only_pair

if TYPE_CHECKING:
    from nardy.position import Play, Position

__all__ = ["Explanation", "explain"]


@dataclass(frozen=True, slots=True)
class Explanation:
    """What the rules say to a play; `nardy.Position.explain` makes it.

    Attributes
    ----------
    legal : bool
        Whether it can be played.
    reason : Reason or None
        The rule that forbids it; equal to its word, as in ``"head"``. None for a legal play.
    text : str
        The same in words.
    step : tuple of (int, int) or None
        (from, to) of the step that cannot be made, of the hop that does not fit the dice, or of the
        hit that does not happen; None where no step is at fault but the play as a whole.
    points : tuple of int
        The own points that the rule is about, highest first, 25 for the bar: the points of the
        block; the head; where the checkers outside home stand; the higher points that must use the
        die; from where a checker must be borne off; the point that is held or full; where the
        frozen checker stands or the hit was to be. Empty for a play as a whole.
    limit : int or None
        How much the rule allows: the checkers that may leave the head with this roll; the checkers
        of a full point; the dice that can be played; the larger die; for a block the highest place,
        in the opponent's own numbers, on which a checker of his would make it legal (0: only
        one that is off).
    play : Play or None
        The legal play that is meant.
    instead : tuple of Play
        All legal plays of the roll, the nearest to the one that was tried first.

    Examples
    --------
    >>> from nardy import Position
    >>> why = Position.start("long").explain((6, 4), "24/18 24/20")
    >>> why.legal, why.step, why.points, why.limit
    (False, (24, 20), (24,), 1)
    >>> why.reason == "head"
    True
    >>> print(why)
    24/20: no more checkers may leave the head in this turn (with this roll 1 may)
    >>> why.instead
    (<Play 24/14>,)
    """

    legal: bool
    reason: Reason | None
    text: str
    step: Step | None
    points: tuple[int, ...]
    limit: int | None
    play: "Play | None"
    instead: "tuple[Play, ...]"

    def __str__(self) -> str:
        return self.text


def explain(
    position: "Position",
    dice: Sequence[int],
    play: "str | Play",
    *,
    steps: int | None = None,
    head_used: int = 0,
    exception: bool = True,
) -> Explanation:
    """Explain a play; see `nardy.Position.explain`."""
    d1, d2 = only_pair(dice)
    plays = position.plays(d1, d2, steps=steps, head_used=head_used, exception=exception)
    turn = plays[0].turn
    reading = reading_of(play)
    verdict = judge_turn(turn, reading) if steps is None else judge(turn, reading)
    instead = nearest(position.board, reading, plays, verdict.number)
    if verdict.reason is None:
        chosen = plays[verdict.number]
        return Explanation(True, None, f"{chosen} is legal", None, (), None, chosen, instead)
    return Explanation(
        False,
        verdict.reason,
        reason_text(verdict.reason, verdict),
        verdict.step,
        verdict.points,
        verdict.limit,
        None,
        instead,
    )


def nearest(
    board: NDArray[np.int8], reading: Reading, plays: "Sequence[Play]", chosen: int
) -> "tuple[Play, ...]":
    """Order plays by how far they are from some hops, those that are `chosen` first.

    The fewer checkers stand elsewhere the nearer, and then the fewer pips they stand apart.
    """
    tried = np.maximum(board[:26], 0).astype(np.int32)
    for source, to in reading.hops:
        tried[source] -= 1
        tried[to] += 1
    after = np.stack([play.after[:26] for play in plays])
    apart = np.maximum(after, 0) - tried
    checkers = np.abs(apart).sum(axis=1)
    pips = np.abs(np.cumsum(apart, axis=1)).sum(axis=1)
    order = np.lexsort((pips, checkers, np.arange(len(plays)) != chosen))
    return tuple(plays[i] for i in order)


# ----------------------------------------------------------------------------------------- words

DETAILS = {
    Reason.NO_CHECKER: "on {points}",
    Reason.OCCUPIED: "{points}",
    Reason.HEAD: "with this roll {limit} may",
    Reason.NOT_ALL_HOME: "outside: {points}",
    Reason.HIGHER_FIRST: "on {points}",
    Reason.FULL_POINT: "{limit} on {points}",
    Reason.FROZEN: "on {points}",
    Reason.SHELTER: "on {points}",
    Reason.MUST_BEAR_OFF: "from {points}",
    Reason.BLOCK: "{points}{ahead}",
    Reason.MUST_USE_MORE: "{limit} can",
    Reason.LARGER_DIE: "the {limit}",
    Reason.NO_HIT: "on {points}",
}
"""What is said behind the sentence of a reason, where the core tells more."""


def reason_text(reason: Reason, verdict: Verdict) -> str:
    """Say a reason in words, with the step and the points."""
    step = step_text(verdict.step) if verdict.step else ""
    detail = DETAILS.get(reason, verdict.detail).format(
        points=points_text(verdict.points), limit=verdict.limit, ahead=ahead_text(verdict.limit)
    )
    detail = f" ({detail})" if detail not in ("", step) else ""
    return f"{step}{': ' if step else ''}{REASONS[reason]}{detail}"


def points_text(points: Iterable[int]) -> str:
    """Write points as a list."""
    return ", ".join(map(point_text, points))


def ahead_text(limit: int | None) -> str:
    """Say which checker of the opponent would make a block legal."""
    if limit is None:
        return ""
    where = f"on his {limit} or lower, or off" if limit > 1 else "on his 1, or off"
    return f"; legal only with a checker of the opponent {where if limit else 'off'}"
