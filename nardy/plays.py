"""Plays as text: written one way, read in many, and refused with a reason.

A play is a list of journeys such as ``24/18 13/9*/4 6/off(2)``.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nardy.text import BAR, OFF, PLACES, only_text, position_text
from nardy_core import batch
from nardy_core.errors import IllegalPlay, ParseError
from nardy_core.rules import Rules

__all__ = ["REASONS", "find_play", "illegal", "play_text", "read_play"]

REASONS = {
    "no_checker": "no own checker stands there to be moved",
    "bar_first": "checkers on the bar must enter first",
    "occupied": "the opponent holds the point",
    "head": "no more checkers may leave the head in this turn",
    "not_all_home": "checkers are borne off only when all are home",
    "higher_first": "the die does not bear off from there: a checker on a higher point must use it",
    "full_point": "the point holds as many checkers as the rules allow",
    "frozen": "a checker that has hit in its home does not move again in this turn",
    "shelter": "a checker that has hit may not join its own in the same turn",
    "must_bear_off": "a checker can be borne off, so it must be",
    "block": "it stands in a block of six that the rules forbid",
    "dice": "the steps do not fit the dice",
    "must_use_more": "more of the dice can be played, so they must be",
    "larger_die": "either die can be played but not both, so the larger must be",
    "pass": "the roll can be played, so it must be",
    "no_hit": "nothing is hit on a point that is marked with a hit",
    "ambiguous": "the text fits several plays",
    "cascade": "a double starts a cascade of stages, which is played by a game and not in one play",
    "over": "the game is over",
}
"""Why a play is refused: the word in `IllegalPlay.reason`, and what it means."""

STEP_FAULTS = (
    "",
    "no_checker",
    "bar_first",
    "occupied",
    "head",
    "not_all_home",
    "higher_first",
    "full_point",
    "frozen",
    "shelter",
    "must_bear_off",
    "block",
)
"""The words for the codes of `nardy_core.batch.judge`, as numbered in nardy_core/steps.pxd."""

Step = tuple[int, int]
"""(from, to); also a hop of several steps."""

Line = tuple[tuple[int, int], ...]
"""Steps as (from, die)."""


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
            word = _point_text(journey[0])
            for point in journey[1:]:
                if point in blots:
                    blots.remove(point)
                    word += f"/{_point_text(point)}*"
                elif point == journey[-1]:
                    word += f"/{_point_text(point)}"
            last = (journey, word)
        words[last[1]] += 1
    return " ".join(word if n == 1 else f"{word}({n})" for word, n in words.items()) or "pass"


def _point_text(point: int) -> str:
    return {BAR: "bar", OFF: "off"}.get(point, str(point))


def read_play(text: str) -> tuple[list[Step], set[int]]:
    """Read the text of a play: its hops (from, to), and the points marked with a hit.

    A pass is no hop. Raises `ParseError` if it is no text of a play.
    """
    text = only_text("a play or its text", text)
    plain = re.sub(r" ?/ ?", "/", " ".join(text.lower().replace("–", "-").split()))
    plain = re.sub(r" ?(\*|\([0-9]+\))", r"\1", plain)
    hops: list[Step] = []
    hits: set[int] = set()
    if plain in ("", "-", "pass"):
        return hops, hits
    for word in re.split(r"[\s,;]+", plain.strip(" \t\r\n,;")):
        match = re.fullmatch(r"(\w+)((?:[/-]\w+\*?)+)(?:\(([1-9][0-9]?)\))?", word, re.ASCII)
        if match is None:
            msg = f"{text!r} is no play: expected from/to such as 24/18 or 13/9*/4(2), got {word!r}"
            raise ParseError(msg)
        route = [_read_point(match[1], word)]
        for landing in re.split("[/-]", match[2])[1:]:
            route.append(_read_point(landing.rstrip("*"), word))
            if landing.endswith("*"):
                hits.add(route[-1])
        if OFF in route[:-1]:
            msg = f"{text!r} is no play: a checker that is off does not move again, as in {word!r}"
            raise ParseError(msg)
        hops += list(pairwise(route)) * int(match[3] or 1)
    return hops, hits


def _read_point(word: str, where: str) -> int:
    """Read one point of a play."""
    point = PLACES.get(word, -1)
    if re.fullmatch(r"[0-9]{1,2}", word):
        point = int(word)
    if not OFF <= point <= BAR:
        msg = f"expected a point 1 to 24, bar (25) or off (0), got {word!r} in {where!r}"
        raise ParseError(msg)
    return point


def _lines(hops: Sequence[Step], dice: Sequence[int]) -> Iterator[Line]:
    """Every way to make the hops of single steps (from, die), each die used at most once."""
    if not hops:
        yield ()
        return
    (source, to), rest = hops[0], hops[1:]
    for die in sorted(set(dice), reverse=True):
        landing = max(OFF, source - die)
        left = list(dice)
        left.remove(die)
        if landing == to:
            ahead = rest
        elif landing > to:
            ahead = [(landing, to), *rest]
        else:
            continue
        for line in _lines(ahead, left):
            yield ((source, die), *line)


class _Turn:
    """A roll to be played from a board, and the text that says how."""

    def __init__(
        self,
        rules: Rules,
        board: NDArray[np.int8],
        dice: tuple[int, int],
        text: str | tuple[Step, ...],
        last_turn: bool,
        **options: Any,
    ) -> None:
        self.rules, self.board, self.dice, self.text = rules, board, dice, text
        self.options = options
        self.after, self.routes = batch.routes(rules, board, dice, last_turn=last_turn, **options)
        self.blots = {point for point in range(1, 25) if board[point] == -1}
        if rules.contact == "block":
            self.blots = set()
        self.furthest = (-1, 0, (0, 0))  # legal steps of a refused line, its fault, the step

    def refuse(self, reason: str, detail: str = "") -> IllegalPlay:
        return illegal(self.rules, self.board, self.dice, self.text, reason, detail)

    def misfit(self, hops: Sequence[Step]) -> str:
        """Name the first hop that goes backwards; nothing where none does."""
        for source, to in hops:
            if to >= source:
                hop = f"{_point_text(source)}/{_point_text(to)}"
                return f"{hop} goes from a lower point to a higher: points count down to 1"
        return ""

    def pool(self) -> tuple[int, ...]:
        """Every die that may be played."""
        if self.dice[0] != self.dice[1]:
            return self.dice
        return self.dice[:1] * (self.options["steps"] or self.rules.cascade or 4)

    def allows(self, line: Line) -> bool:
        """Whether some order of the steps is legal from the first to the last."""
        return self._extend((), tuple(sorted(line, reverse=True)), set())

    def _extend(self, done: Line, left: Line, dead: set[Line]) -> bool:
        """Whether the steps `left` can follow `done`; `dead` are the rests that cannot."""
        for i, step in enumerate(left):
            rest = left[:i] + left[i + 1 :]
            if rest in dead or step in left[:i]:
                continue
            line = (*done, step, *rest)
            legal, fault = batch.judge(self.rules, self.board, line, self.dice, **self.options)
            if not fault:
                return True
            if legal > self.furthest[0]:
                self.furthest = (legal, fault, line[legal])
            if legal > len(done) and self._extend((*done, step), rest, dead):
                return True
            if legal > len(done) and self.rules.hitter != "no_shelter":
                dead.add(rest)  # the order tells nothing, but of which checker has hit
        return False

    def hit_by(self, line: Line) -> set[int]:
        """Return the blots that the steps hit."""
        return {source - die for source, die in line if source > die} & self.blots

    def result(self, line: Line) -> int | None:
        """Which play leaves the board that the steps leave."""
        mine, theirs = np.maximum(self.board[:26], 0), np.minimum(self.board[1:25], 0)
        for source, die in line:
            mine[source] -= 1
            mine[max(OFF, source - die)] += 1
        for point in self.hit_by(line):
            theirs[point - 1] = 0
        same = (np.maximum(self.after[:, :26], 0) == mine).all(axis=1)
        same &= (np.minimum(self.after[:, 1:25], 0) == theirs).all(axis=1)
        where = np.flatnonzero(same)
        return int(where[0]) if where.size else None

    def choose(self, found: dict[int, set[int]], touched: set[int], starred: set[int]) -> int:
        """Of the plays that fit the hops, by what each hits, the one that the text means."""
        fit = [index for index, hit in found.items() if starred <= hit]
        if not fit:
            raise self.refuse("no_hit")
        fit = [index for index in fit if found[index] == touched & self.blots] or fit
        if len(fit) > 1:
            names = [repr(play_text(self.board, self.routes[index])) for index in sorted(fit)]
            raise self.refuse("ambiguous", ", ".join(names))
        return fit[0]


def find_play(
    rules: Rules,
    board: NDArray[np.int8],
    dice: tuple[int, int],
    text: str | tuple[Step, ...],
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
    text : str or tuple of (from, to)
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
        If no play, or more than one, fits; `reason` is a word of `REASONS`.
    """
    hops, starred = read_play(text) if isinstance(text, str) else (list(text), set())
    stage = {"steps": steps, "head_used": head_used, "exception": exception}
    turn = _Turn(rules, board, dice, text, last_turn, **stage)
    if not hops:
        if turn.routes[0]:
            raise turn.refuse("pass")
        return turn.routes[0], turn.after[0]
    lines = {tuple(sorted(line)) for line in _lines(sorted(hops, reverse=True), turn.pool())}
    if not lines:
        raise turn.refuse("dice", turn.misfit(hops))
    legal = [line for line in sorted(lines, reverse=True) if turn.allows(line)]
    found = {index: turn.hit_by(line) for line in legal if (index := turn.result(line)) is not None}
    if found:
        index = turn.choose(found, {to for _, to in hops}, starred)
        return turn.routes[index], turn.after[index]
    if legal:
        more = len(turn.routes[0]) > len(legal[0])
        raise turn.refuse("must_use_more" if more else "larger_die")
    _, fault, (source, die) = turn.furthest
    step = f"{_point_text(source)}/{_point_text(max(OFF, source - die))}"
    raise turn.refuse(STEP_FAULTS[fault], step)


def illegal(
    rules: Rules,
    board: NDArray[np.int8],
    dice: tuple[int, int],
    text: str | tuple[Step, ...],
    reason: str,
    detail: str = "",
) -> IllegalPlay:
    """Make the error that refuses a play: where, with what, which play and why."""
    shown = text if isinstance(text, str) else play_text(board, text)
    msg = (
        f"{shown!r} cannot be played with {dice[0]}-{dice[1]} in "
        f"{position_text(rules, board)!r}: {REASONS[reason]}{f' ({detail})' if detail else ''}"
    )
    return IllegalPlay(msg, reason)
