"""Positions and plays as text: written one way, read in many.

A position is ``name own side | enemy side``; each side counts its own points. A play is a list of
journeys such as ``24/18 13/9*/4 6/off(2)``. The gnubg position ID is here as well.
"""

import base64
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from nardy.variants import VARIANTS, rules_of, variant
from nardy_core import batch
from nardy_core.errors import (
    IllegalPlay,
    InvalidArgument,
    InvalidPosition,
    ParseError,
    UnknownVariant,
)
from nardy_core.rules import FIELDS, Rules

if TYPE_CHECKING:
    from nardy.position import Position

__all__ = [
    "REASONS",
    "find_play",
    "play_text",
    "position_from_id",
    "position_id",
    "position_text",
    "read_position",
    "read_rules",
]

OFF, BAR = 0, 25
PLACES = {"bar": BAR, "off": OFF}

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


def only_text(what: str, value: object) -> str:
    """Refuse what is no text."""
    if not isinstance(value, str):
        msg = f"expected {what}, got {value!r}"
        raise ParseError(msg)
    return value


# ----------------------------------------------------------------------------------------- rules

UNWRITTEN = ("name", "title", "source")


def rules_text(rules: Rules) -> str:
    """Write rules as a name, with what is changed from the preset of that name."""
    preset = VARIANTS.get(rules.name)
    if preset is None:
        return rules.name
    was, now = preset.asdict(), rules.asdict()
    changes = sorted(name for name in FIELDS if name not in UNWRITTEN and was[name] != now[name])
    if not changes:
        return rules.name
    return f"{rules.name}[{','.join(f'{name}={_field_text(now[name])}' for name in changes)}]"


def _field_text(value: Any) -> str:
    """Write the value of one field."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict):
        return "+".join(f"{point}:{checkers}" for point, checkers in value.items())
    if isinstance(value, tuple):
        return ":".join(map(str, value))
    return str(value)


def _read_rules(name: str, changes: str | None, rules: Rules | None) -> Rules:
    """Read what `rules_text` writes; `rules` are those that the caller expects."""
    if rules is not None and rules.name == name:
        base = VARIANTS.get(name, rules)
    else:
        try:
            base = variant(name)
        except UnknownVariant as error:
            msg = f"{error} (rules of one's own are given beside the text)"
            raise UnknownVariant(msg) from None
    fields = {}
    for part in changes.split(",") if changes is not None else ():
        field, equals, word = (piece.strip() for piece in part.partition("="))
        if equals and (field not in FIELDS or field in UNWRITTEN):
            msg = f"no field to change in {part.strip()!r} in the brackets after {name!r}"
            raise ParseError(msg)
        if not equals:
            msg = f"expected field=value in the brackets after {name!r}, got {part.strip()!r}"
            raise ParseError(msg)
        if field in fields:
            msg = f"the field {field!r} stands twice in the brackets after {name!r}"
            raise ParseError(msg)
        fields[field] = _read_field(field, word, getattr(base, field))
    read = base.replace(**fields)
    if rules is None:
        return read
    silent = {"title": rules.title, "source": rules.source}
    if read.replace(**silent) != rules:
        msg = f"the text is of {rules_text(read)}, but {rules_text(rules)} was expected"
        raise ParseError(msg)
    return rules


GAME = re.compile(r"(\w+)\[([^\[\]]*)\]", re.ASCII)
"""A game with house rules."""


def read_rules(text: str) -> Rules:
    """Read a game, perhaps with house rules, as `Position.text` writes it.

    Parameters
    ----------
    text : str
        The name of a variant, or ``name[field=value,...]``.

    Returns
    -------
    Rules
        The preset with these fields changed.

    Raises
    ------
    ParseError, UnknownVariant, RulesError
        If the text is not of this form, names no game, or names rules that contradict themselves.

    Examples
    --------
    >>> read_rules("long[block=never]").block
    'never'
    """
    changed = GAME.fullmatch(only_text("the name of a game", text).strip())
    return _read_rules(changed[1], changed[2], None) if changed else variant(text.strip())


def _read_field(field: str, word: str, sample: Any) -> Any:
    """Read the value of one field; `sample` is a value of the same kind."""
    try:
        if isinstance(sample, bool):
            return {"true": True, "false": False}[word]
        if field == "start":
            pairs = [_counted(part) for part in word.split("+")]
            if len(dict(pairs)) < len(pairs):
                raise ValueError
            return dict(pairs)
        if field == "points":
            return tuple(_number(part) for part in word.split(":"))
        if field == "draw_points":
            return {"0": 0, "0.5": 0.5, "1": 1}[word]
        return _number(word) if isinstance(sample, int) else word
    except (ValueError, KeyError):
        form = {"start": "24:2+13:5", "points": "1:2:0", "draw_points": "0, 0.5 or 1"}.get(field)
        form = form or ("true or false" if isinstance(sample, bool) else "a whole number")
        msg = f"{field}={word}: expected {form}"
        raise ParseError(msg) from None


def _number(word: str) -> int:
    """Read a plain whole number; ValueError for anything else."""
    if not (word.isascii() and word.isdigit() and len(word) <= 10):
        raise ValueError(word)
    return int(word)


def _counted(word: str) -> tuple[int, int]:
    """Read ``point:checkers``."""
    point, checkers = word.split(":")
    return _number(point), _number(checkers)


# ------------------------------------------------------------------------------------- positions


def position_text(rules: Rules, board: NDArray[np.int8]) -> str:
    """Write a legal board as ``name own side | enemy side``."""
    sides = (board.tolist(), batch.flip(rules, board)[0].tolist())
    return f"{rules_text(rules)} {' | '.join(map(_side_text, sides))}"


def _side_text(side: Sequence[int]) -> str:
    """Write the checkers of the player whose view this is, points from high to low."""
    words = [f"{point}:{side[point]}" for point in range(24, 0, -1) if side[point] > 0]
    words += [f"{name}:{side[at]}" for name, at in PLACES.items() if side[at] > 0]
    return " ".join(words)


def read_position(text: str, rules: Rules | None = None) -> tuple[Rules, NDArray[np.int8]]:
    """Read what `position_text` writes; checkers that are not named are off.

    Parameters
    ----------
    text : str
        ``name own side | enemy side``.
    rules : Rules, optional
        The rules, where the name is not of `VARIANTS`; else they must be those of the text.

    Returns
    -------
    rules : Rules
        The rules of the text.
    board : int8[32]
        A legal board in the view of the player on roll.

    Raises
    ------
    ParseError, UnknownVariant, RulesError
        If the text is not of this form; if it names rules that are not there.
    InvalidPosition
        If the board cannot stand under the rules; the message names every fault.
    """
    text = only_text("the text of a position", text)
    match = re.fullmatch(r"\s*(\w+)(?:\[([^\[\]]*)\])?(?:\s+(.*))?", text, re.ASCII | re.DOTALL)
    if match is None:
        msg = f"expected 'name own side | enemy side', got {text!r}"
        raise ParseError(msg)
    game = _read_rules(match[1], match[2], rules)
    parts = (match[3] or "").split("|")
    if len(parts) != 2:
        msg = f"expected two sides with one '|' between them, got {text!r}"
        raise ParseError(msg)
    sides = [_read_side(part, game) for part in parts]
    return game, _join(game, sides, text)


def _read_side(part: str, rules: Rules) -> dict[int, int]:
    """Read the checkers of one player by own point; 25 is the bar, 0 is off."""
    side: dict[int, int] = {}
    for word in part.split():
        match = re.fullmatch(r"(bar|off|[1-9]|1[0-9]|2[0-4]):([1-9][0-9]?)", word)
        if match is None:
            msg = (
                f"expected point:checkers such as 24:2 (points 1 to 24, bar or off; 1 or more "
                f"checkers), got {word!r}"
            )
            raise ParseError(msg)
        point = PLACES[match[1]] if match[1] in PLACES else int(match[1])
        if point in side:
            msg = f"{match[1]!r} stands twice on one side: {word!r}"
            raise ParseError(msg)
        side[point] = int(match[2])
    if OFF not in side:
        side[OFF] = max(0, rules.checkers - sum(side.values()))
    return side


def _join(rules: Rules, sides: Sequence[dict[int, int]], text: str) -> NDArray[np.int8]:
    """Put both sides on one board and refuse it if anything is wrong."""
    own, enemy = np.zeros((2, 32), np.int8)
    for row, side in ((own, sides[0]), (enemy, sides[1])):
        for point, checkers in side.items():
            row[point] = checkers
    theirs = batch.flip(rules, enemy)[0]
    shared = [int(point) for point in np.flatnonzero((own > 0) & (theirs < 0)) if 1 <= point <= 24]
    theirs[shared] = 0
    board: NDArray[np.int8] = own + theirs
    fault = int(batch.faults(rules, board)[0])
    fault &= ~(batch.Fault.OWN_TOTAL | batch.Fault.ENEMY_TOTAL)
    words = []
    for who, side in zip(("the player on roll", "the opponent"), sides, strict=True):
        total = sum(side.values())
        if total != rules.checkers:
            words.append(f"{who} has {total} checkers, expected {rules.checkers}")
    words += batch.fault_words(rules, fault)
    for point in shared:
        theirs_there = int(-batch.flip(rules, np.arange(32))[0, point])
        words.append(
            f"both players hold one point: '{point}:{own[point]}' on roll is "
            f"'{theirs_there}:{enemy[theirs_there]}' of the opponent"
        )
    if words:
        msg = f"{text!r} cannot stand under {rules.name}: {'; '.join(words)}"
        raise InvalidPosition(msg)
    return board


# --------------------------------------------------------------------------------- position IDs


def position_id(position: "Position") -> str:
    """Write the gnubg position ID of a position.

    The ID holds two players of 15 checkers who travel in contrary directions: the player *not* on
    roll first, then the player on roll. It names neither the game nor dice, cube or score.

    Parameters
    ----------
    position : Position
        Any position of the short family with 15 checkers.

    Returns
    -------
    str
        14 characters.

    Raises
    ------
    InvalidArgument
        If the game has no position IDs.

    Examples
    --------
    >>> from nardy import Position
    >>> from nardy.notation import position_id
    >>> position_id(Position.start("short"))
    '4HPwATDgc/ABMA'
    """
    _check_id_rules(position.rules)
    bits = ""
    for side in (position.flip().board, position.board):
        for count in np.maximum(side[1:26], 0).tolist():
            bits += "1" * count + "0"
    key = int(bits[::-1], 2).to_bytes(10, "little")
    return base64.b64encode(key).decode()[:14]


def position_from_id(text: str, rules: Rules | str = "short") -> "Position":
    """Read a gnubg position ID.

    Parameters
    ----------
    text : str
        14 characters: the player *not* on roll first, then the player on roll.
    rules : Rules or str
        The game; its players travel in contrary directions with 15 checkers each.

    Returns
    -------
    Position
        The position; checkers that the ID does not show are off.

    Raises
    ------
    ParseError, InvalidPosition, InvalidArgument
        If the text is no position ID; if the board cannot stand under the rules; if the game has no
        position IDs.

    Examples
    --------
    >>> from nardy.notation import position_from_id
    >>> position_from_id("HC/wATDg8+AxAA").text()
    'short 16:2 13:4 8:4 6:5 | 24:2 13:5 7:1 6:4 3:3'
    """
    from nardy.position import Position  # built on this module

    game = rules_of(rules)
    _check_id_rules(game)
    if re.fullmatch(r"[A-Za-z0-9+/]{14}", only_text("a position ID", text)) is None:
        msg = f"a position ID is 14 characters of A-Z, a-z, 0-9, + and /; got {text!r}"
        raise ParseError(msg)
    key = base64.b64decode(text + "==")
    if base64.b64encode(key).decode()[:14] != text:
        msg = f"{text!r} is no position ID: its last character has bits beyond the 80 of the key"
        raise ParseError(msg)
    counts = f"{int.from_bytes(key, 'little'):080b}"[::-1].split("0")
    if len(counts) <= 50 or any(counts[50:]):
        much = "less" if len(counts) <= 50 else "more"
        msg = f"{text!r} is no position ID: it holds {much} than two sides of 25 places"
        raise ParseError(msg)
    sides = []
    for start in (25, 0):  # the player on roll comes second
        side = {
            point: len(ones) for point, ones in enumerate(counts[start : start + 25], 1) if ones
        }
        side[OFF] = max(0, game.checkers - sum(side.values()))
        sides.append(side)
    return Position(game, _join(game, sides, text))


def _check_id_rules(rules: Rules) -> None:
    """Refuse games that the position ID cannot hold."""
    if rules.travel != "contrary" or rules.checkers != 15:
        msg = (
            f"position IDs hold 15 checkers of players who travel in contrary directions; "
            f"{rules.name} has {rules.checkers} and travels {rules.travel}"
        )
        raise InvalidArgument(msg)


# ----------------------------------------------------------------------------------------- plays


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
        **options: Any,
    ) -> None:
        self.rules, self.board, self.dice, self.text = rules, board, dice, text
        self.options = options
        self.after, self.routes = batch.routes(rules, board, dice, **options)
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
    turn = _Turn(rules, board, dice, text, steps=steps, head_used=head_used, exception=exception)
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
