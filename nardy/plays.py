"""Plays as text: written one way, read in many, and refused with a reason.

A play is a list of journeys such as ``24/18 13/9*/4 6/off(2)``.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from enum import StrEnum
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from nardy.text import BAR, OFF, PLACES, only_text, position_text
from nardy_core import batch
from nardy_core.errors import IllegalPlay, ParseError
from nardy_core.rules import Rules

__all__ = [
    "REASONS",
    "Reason",
    "Verdict",
    "find_play",
    "illegal",
    "judge",
    "judge_turn",
    "play_text",
    "point_text",
    "read_play",
    "reading_of",
    "step_text",
]


class Reason(StrEnum):
    """Why a play is refused; each equals its word, so that ``error.reason == "head"`` holds."""

    NO_CHECKER = "no_checker"
    BAR_FIRST = "bar_first"
    OCCUPIED = "occupied"
    HEAD = "head"
    NOT_ALL_HOME = "not_all_home"
    HIGHER_FIRST = "higher_first"
    FULL_POINT = "full_point"
    FROZEN = "frozen"
    SHELTER = "shelter"
    MUST_BEAR_OFF = "must_bear_off"
    BLOCK = "block"
    DICE = "dice"
    MUST_USE_MORE = "must_use_more"
    LARGER_DIE = "larger_die"
    PASS = "pass"
    NO_HIT = "no_hit"
    AMBIGUOUS = "ambiguous"
    CASCADE = "cascade"
    OVER = "over"


REASONS: dict[str, str] = {
    Reason.NO_CHECKER: "no own checker stands there to be moved",
    Reason.BAR_FIRST: "checkers on the bar must enter first",
    Reason.OCCUPIED: "the opponent holds the point",
    Reason.HEAD: "no more checkers may leave the head in this turn",
    Reason.NOT_ALL_HOME: "checkers are borne off only when all are home",
    Reason.HIGHER_FIRST: (
        "the die does not bear off from there: a checker on a higher point must use it"
    ),
    Reason.FULL_POINT: "the point holds as many checkers as the rules allow",
    Reason.FROZEN: "a checker that has hit in its home does not move again in this turn",
    Reason.SHELTER: "a checker that has hit may not join its own in the same turn",
    Reason.MUST_BEAR_OFF: "a checker can be borne off, so it must be",
    Reason.BLOCK: "it stands in a block of six that the rules forbid",
    Reason.DICE: "the steps do not fit the dice",
    Reason.MUST_USE_MORE: "more of the dice can be played, so they must be",
    Reason.LARGER_DIE: "either die can be played but not both, so the larger must be",
    Reason.PASS: "the roll can be played, so it must be",
    Reason.NO_HIT: "nothing is hit on a point that is marked with a hit",
    Reason.AMBIGUOUS: "the text fits several plays",
    Reason.CASCADE: (
        "a double starts a cascade of stages, which is played by a game and not in one play"
    ),
    Reason.OVER: "the game is over",
}
"""What each `Reason` means."""

STEP_FAULTS = (
    None,
    Reason.NO_CHECKER,
    Reason.BAR_FIRST,
    Reason.OCCUPIED,
    Reason.HEAD,
    Reason.NOT_ALL_HOME,
    Reason.HIGHER_FIRST,
    Reason.FULL_POINT,
    Reason.FROZEN,
    Reason.SHELTER,
    Reason.MUST_BEAR_OFF,
    Reason.BLOCK,
)
"""The reasons behind the codes of nardy_core/steps.pxd, as numbered there."""

LIMITED = (Reason.HEAD, Reason.FULL_POINT, Reason.BLOCK)
"""Reasons of which the core tells how much the rule allows."""

Step = tuple[int, int]
"""(from, to); also a hop of several steps."""

# --------------------------------------------------------------------------------------- writing


def play_text(board: NDArray[np.int8], steps: Iterable[Step]) -> str:
    """Write the steps of one play from `board`.

    The hops of one checker are merged, but a hit on the way is shown; equal journeys are counted;
    journeys go by where they start, highest first, then by where they end, lowest first.
    """
    journeys: list[list[int]] = []
    for source, to in sorted(steps, reverse=True):
        for journey in journeys:
            if journey[-1] == source:
                journey.append(to)
                break
        else:
            journeys.append([source, to])
    blots = {to for journey in journeys for to in journey[1:] if to != OFF and board[to] < 0}
    journeys.sort(key=lambda journey: (-journey[0], journey[-1]))
    words: Counter[str] = Counter()
    last: tuple[list[int], str] = ([], "")
    for journey in journeys:
        if journey != last[0]:
            word = point_text(journey[0])
            for point in journey[1:]:
                if point in blots:
                    blots.remove(point)
                    word += f"/{point_text(point)}*"
                elif point == journey[-1]:
                    word += f"/{point_text(point)}"
            last = (journey, word)
        words[last[1]] += 1
    return " ".join(word if n == 1 else f"{word}({n})" for word, n in words.items()) or "pass"


def point_text(point: int) -> str:
    """Write a point: its number, or what else it is."""
    return {BAR: "bar", OFF: "off"}.get(point, str(point))


def step_text(step: Step) -> str:
    """Write one step, or one hop."""
    return f"{point_text(step[0])}/{point_text(step[1])}"


# --------------------------------------------------------------------------------------- reading


class Reading(NamedTuple):
    """What the text of a play says: its hops, the points marked with a hit, and dice if named."""

    hops: list[Step]
    starred: set[int]
    dice: tuple[int, int] | None = None


ROLL = re.compile(r"([1-6]) ?-? ?([1-6]) ?:")
"""The dice before a play, as records write them: ``31:`` or ``3-1:``."""

SLASH = re.compile(r" ?(?:/|->|→) ?")
GLUED = re.compile(r" ?(\*|\([0-9]+\))")
BLANKS = re.compile(r"[\s,;]+")
WORD = re.compile(r"(\w+)((?:[/-]\w+\*?)+)(?:\(([1-9][0-9]?)\))?", re.ASCII)


def read_play(text: str) -> Reading:
    """Read the text of a play; a pass is no hop.

    Parameters
    ----------
    text : str
        Journeys as in ``24/18 13/9*/4 6/off(2)``, perhaps after the dice as in ``31:``.

    Returns
    -------
    Reading
        `hops`, list of (from, to) in the order of the text; `starred`, the set of points marked
        with a hit; `dice`, the pair before the colon, or None.

    Raises
    ------
    ParseError
        If it is no text of a play.

    Examples
    --------
    >>> read_play("31: bar/24* 6/5(2)")
    Reading(hops=[(25, 24), (6, 5), (6, 5)], starred={24}, dice=(3, 1))
    """
    text = only_text("a play or its text", text)
    reading = Reading([], set())
    plain = " ".join(text.lower().replace("–", "-").split())
    if ":" in plain and (roll := ROLL.match(plain)):
        reading = Reading([], set(), (int(roll[1]), int(roll[2])))
        plain = plain[roll.end() :].lstrip()
    plain = GLUED.sub(r"\1", SLASH.sub("/", plain))
    if plain in ("", "-", "pass"):
        return reading
    for word in BLANKS.split(plain.strip(" \t\r\n,;")):
        journey = _read_word(word)
        if journey is None:
            msg = f"{text!r} is no play: expected from/to such as 24/18 or 13/9*/4(2), got {word!r}"
            raise ParseError(msg)
        reading.hops.extend(journey[0])
        reading.starred.update(journey[1])
    return reading


@lru_cache(maxsize=4096)
def _read_word(word: str) -> tuple[tuple[Step, ...], tuple[int, ...]] | None:
    """Read the hops and the hits of one journey; None if it is no journey.

    There are few such words, and every game is written with them: most have been read before.
    """
    match = WORD.fullmatch(word)
    if match is None:
        return None
    route, hits = [_read_point(match[1], word)], []
    for landing in re.split("[/-]", match[2])[1:]:
        route.append(_read_point(landing.rstrip("*"), word))
        if landing.endswith("*"):
            hits.append(route[-1])
    if OFF in route[:-1]:
        msg = f"expected points to go from, but a checker that is off does not move again: {word!r}"
        raise ParseError(msg)
    return tuple(pairwise(route)) * int(match[3] or 1), tuple(hits)


def _read_point(word: str, where: str) -> int:
    """Read one point of a play."""
    point = PLACES.get(word, -1)
    if re.fullmatch(r"[0-9]{1,2}", word):
        point = int(word)
    if not OFF <= point <= BAR:
        msg = f"expected a point 1 to 24, bar (25) or off (0), got {word!r} in {where!r}"
        raise ParseError(msg)
    return point


def reading_of(play: object) -> Reading:
    """Read a play that is given as a `Play` or as its text; ParseError if it is neither."""
    if isinstance(play, batch.PlayData):
        return Reading(list(play._steps()), set())
    return read_play(only_text("a play or its text", play))


# --------------------------------------------------------------------------------------- judging


class Verdict(NamedTuple):
    """The play that is meant and the board after it (32 bytes), or why there is none.

    `step`, `points` and `limit` are those of `nardy.why.Explanation`; `detail` is what else a
    message should say.
    """

    number: int = -1
    after: bytes = b""
    reason: Reason | None = None
    step: Step | None = None
    points: tuple[int, ...] = ()
    limit: int | None = None
    detail: str = ""


def judge_turn(turn: batch.Turn, reading: Reading) -> Verdict:
    """`judge` for a whole turn: a double of a cascade game is refused, for it is not one play."""
    if turn.rules.cascade and turn.dice[0] == turn.dice[1] and not turn.over:
        return Verdict(reason=Reason.CASCADE)
    return judge(turn, reading)


def judge(turn: batch.Turn, reading: Reading) -> Verdict:
    """Say which play of a roll, or of one stage of a cascade, is meant, or why there is none."""
    hops, _, dice = reading
    if turn.over:
        return Verdict(reason=Reason.OVER)
    if dice is not None and sorted(dice) != sorted(turn.dice):
        return Verdict(reason=Reason.DICE, detail=f"the text is of {dice[0]}-{dice[1]}")
    attempt = turn.attempt(hops)
    if attempt.misfit >= 0:
        return _misfit(hops[attempt.misfit])
    if attempt.plays:
        return _choose(turn, attempt, reading)
    if not hops:
        return Verdict(reason=Reason.PASS, limit=attempt.most)
    if attempt.used < attempt.most and attempt.used:
        return Verdict(reason=Reason.MUST_USE_MORE, limit=attempt.most)
    if attempt.used:
        return Verdict(reason=Reason.LARGER_DIE, limit=max(turn.dice))
    reason = STEP_FAULTS[attempt.fault]
    limit = attempt.limit if reason in LIMITED and attempt.limit >= 0 else None
    step = attempt.step
    return Verdict(-1, b"", reason, step, attempt.points, limit, step_text(step))


def _misfit(hop: Step) -> Verdict:
    """Refuse a hop that the dice do not reach."""
    detail = step_text(hop)
    if hop[1] >= hop[0]:
        detail += " goes from a lower point to a higher: points count down to 1"
    return Verdict(reason=Reason.DICE, step=hop, detail=detail)


def _choose(turn: batch.Turn, attempt: batch.Attempt, reading: Reading) -> Verdict:
    """Of the plays that fit the hops, by what each hits, choose the one that the text means."""
    plays = list(zip(attempt.plays, attempt.after, strict=True))
    if len(plays) == 1 and not reading.starred:
        return Verdict(*plays[0])
    hits = {index: _hits(turn.before, after) for index, after in plays}
    fit = [play for play in plays if reading.starred <= hits[play[0]]]
    if not fit:
        return _no_hit(reading, reading.starred - hits[plays[0][0]])
    # A point that the text touches is hit in all of them; the text shows no other hits.
    touched = {to for _, to in reading.hops}
    fit = [play for play in fit if hits[play[0]] <= touched] or fit
    if len(fit) == 1:
        return Verdict(*fit[0])
    board = np.frombuffer(turn.before, np.int8)
    names = (repr(play_text(board, turn.steps_of(index))) for index, _ in sorted(fit))
    return Verdict(reason=Reason.AMBIGUOUS, detail=", ".join(names))


def _hits(before: bytes, after: bytes) -> set[int]:
    """Find the points where the opponent stood and stands no more; bytes above 127 are negative."""
    return {point for point in range(1, 25) if before[point] > 127 >= after[point]}


def _no_hit(reading: Reading, missed: set[int]) -> Verdict:
    """Refuse a hit that does not happen, by the first hop that is marked with one."""
    step = next(hop for hop in reading.hops if hop[1] in missed)
    points = tuple(sorted(missed, reverse=True))
    return Verdict(reason=Reason.NO_HIT, step=step, points=points, detail=f"{step_text(step)}*")


def find_play(
    rules: Rules,
    board: ArrayLike,
    dice: tuple[int, int],
    text: str | Sequence[Step],
    *,
    steps: int | None = None,
    head_used: int = 0,
    exception: bool = True,
    last_turn: bool = False,
) -> tuple[tuple[Step, ...], NDArray[np.int8]]:
    """Find the play of a roll that a text means.

    A missing ``*``, any order, merged or split hops, ``(n)``, ``bar`` or 25, ``off`` or 0, blanks
    and commas are all taken; a text is refused only where it is illegal or fits several plays.

    Parameters
    ----------
    rules, board, dice
        The game, a legal board and the roll.
    text : str or sequence of (from, to)
        The play as text or as hops.
    steps, head_used, exception
        As for `nardy.batch.plays`.
    last_turn : bool
        Whether the roll is played although the opponent has finished (rules.md, section 10.5).

    Returns
    -------
    steps : tuple of (from, to)
        One legal order of the steps of the play.
    after : int8[32]
        The board that it leaves, in the view of the player who played.

    Raises
    ------
    ParseError
        If it is no text of a play.
    IllegalPlay
        If no play, or more than one, fits; `reason` is a `Reason`. A double of a cascade game is
        one stage here.
    """
    reading = read_play(text) if isinstance(text, str) else Reading(list(text), set())
    turn = batch.turn_of(
        rules,
        batch.legal_bytes(rules, board),
        *dice,
        steps=steps,
        head_used=head_used,
        exception=exception,
        last_turn=last_turn,
    )
    verdict = judge(turn, reading)
    if verdict.reason is not None:
        raise illegal(turn, text, verdict.reason, verdict)
    return turn.steps_of(verdict.number), np.frombuffer(verdict.after, np.int8)


def illegal(
    turn: batch.Turn, text: str | Sequence[Step], reason: Reason, verdict: Verdict
) -> IllegalPlay:
    """Make the error that refuses a play: where, with what, which play and why."""
    board = np.frombuffer(turn.before, np.int8)
    shown = text if isinstance(text, str) else play_text(board, text)
    msg = (
        f"{shown!r} cannot be played with {turn.dice[0]}-{turn.dice[1]} in "
        f"{position_text(turn.rules, board)!r}: {REASONS[reason]}"
        f"{f' ({verdict.detail})' if verdict.detail else ''}"
    )
    return IllegalPlay(msg, reason, verdict.step, verdict.points)
