"""Jellyfish match files (.mat), as most backgammon programs write and read them.

No standard defines the format. Written is what GNU Backgammon writes, with `Cannot Move` where a
roll cannot be played; read is more: any spacing, CRLF, comments (``; [Key "Value"]``), merged
or repeated hops, ``bar`` and ``off``, and words that other programs use for the cube.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any

from nardy.game import Event, Game
from nardy.match import Match
from nardy.position import Play
from nardy.records.record import Record, RecordError
from nardy.text import read_rules, rules_text
from nardy.variants import variant
from nardy_core import batch
from nardy_core.errors import InvalidArgument
from nardy_core.rules import Rules

__all__ = ["dumps", "loads"]

COLUMN = 28
"""Width of the left column of turns, where it fits."""

HEADER = re.compile(r"\s*(\d{1,9})\s+point\s+match\b", re.IGNORECASE)
GAME = re.compile(r"\s*Game\s+(\d{1,9})\s*$", re.IGNORECASE)
LEFT_SCORE = re.compile(r":\s*(\d{1,9})\s\s+(?=\S)")
RIGHT_SCORE = re.compile(r"(.*):\s*(\d{1,9})\s*$")
TURN = re.compile(r"\s*(\d{1,9})\)")
COMMENT = re.compile(r"\s*[;#]\s?(.*)$")
KEY = re.compile(r'\[(\w+(?: \w+)*)\s+"(.*)"\]\s*$')
CELL = re.compile(
    r"(?<!\S)(?:(?P<dice>[1-6][1-6]:)|(?P<offer>doubles\b|redoubles\b)|(?P<take>(?:takes|accepts)\b)"
    r"|(?P<drop>(?:drops|passes|rejects)\b)|(?P<beaver>beavers\b)|(?P<wins>wins\b)"
    r"|(?P<pass>cannot\s+move\b))",
    re.IGNORECASE,
)
NO_PLAY = re.compile(r"cannot\s+move\W*$", re.IGNORECASE)
UNKNOWN_PLAY = re.compile(r"(?:\?+|\(?illegal play\b.*)$", re.IGNORECASE)
YES, NO = ("on", "1", "true", "yes"), ("off", "0", "false", "no")
VARIATIONS = {"backgammon": "short", "standard": "short", "nackgammon": "nackgammon"}


@dataclass
class _Cell:
    """One entry of a turn: who did what, and where it stands."""

    side: int
    what: str  # name of a group of CELL
    text: str
    line: int
    turn: int
    then: str = "end"  # what comes next in the game: as `what`, or nothing


@dataclass
class _Sheet:
    """One game as it stands in the file."""

    number: int
    line: int
    names: tuple[str, str] = ("", "")
    score: tuple[int, int] = (0, 0)
    cells: list[_Cell] = field(default_factory=list)


# ------------------------------------------------------------------------------------- reading


def loads(text: str, rules: Rules | None = None) -> Record:
    """Read a match and do every act again before the referee."""
    length, sheets, comments = _sheets(text)
    if not sheets:
        msg = "expected a match ('5 point match', 'Game 1', names, turns), found no game"
        raise RecordError(msg)
    keys = {found[1].lower(): found[2] for line in comments if (found := KEY.match(line))}
    game = _rules_of(keys) if rules is None else rules
    _check_rules(game)
    first = sheets[0]
    try:
        match = Match(game, length or None, 0, score=first.score, **_switches(keys))
    except ValueError as error:
        raise RecordError(str(error), first.line) from None
    record = Record(match, first.names, comments)
    for count, sheet in enumerate(sheets, 1):
        _replay(record, sheet, count)
    return record


def _rules_of(keys: dict[str, str]) -> Rules:
    """Return the rules that the comments name; short where they name none."""
    if "rules" in keys:
        try:
            return read_rules(keys["rules"])
        except ValueError as error:
            raise RecordError(str(error)) from None
    name = keys.get("variation", "backgammon").strip().lower()
    if name not in VARIATIONS:
        msg = f"the variation {name!r} is not known; give the rules"
        raise RecordError(msg)
    return variant(VARIATIONS[name])


def _switches(keys: dict[str, str]) -> dict[str, Any]:
    """Return the switches of a match that the comments name."""
    said = {name: word.strip().lower() for name, word in keys.items()}
    limit = said.get("cubelimit", "")
    return {
        "crawford": said.get("crawford") not in NO,
        "crawford_played": said.get("crawfordplayed") in YES,
        "jacoby": said.get("jacoby") in YES,
        "beaver": said.get("beaver") in YES,
        "cube_limit": int(limit) if re.fullmatch(r"[0-9]{1,9}", limit) else None,
    }


def _check_rules(rules: Rules) -> None:
    """Refuse games that the format does not hold."""
    turns = rules.opening == "lot" and not rules.cascade
    if rules.travel != "contrary" or not turns or rules.draw_points:
        msg = (
            f".mat files hold games of players who travel in contrary directions and play the dice "
            f"of the lot, without cascades and draws; {rules_text(rules)} is not one: use .jsonl"
        )
        raise InvalidArgument(msg)


def _sheets(text: str) -> tuple[int, list[_Sheet], list[str]]:
    """Take a file apart: points of the match, games, comments."""
    length = 0
    sheets: list[_Sheet] = []
    comments: list[str] = []
    for number, line in enumerate(text.expandtabs().splitlines(), 1):
        # Names come first: one that is indented may begin like a comment or a heading.
        named = bool(sheets) and not sheets[-1].names[0] and line[:1] not in ";#"
        if named and (heads := _heads(line)):
            sheets[-1].names, sheets[-1].score = heads
        elif found := COMMENT.match(line):
            comments.append(found[1].strip())
        elif found := HEADER.match(line):
            length = int(found[1])
        elif found := GAME.match(line):
            sheets.append(_Sheet(int(found[1]), number))
        elif line.strip():
            if not sheets:
                msg = f"expected 'Game 1' before {line.strip()[:40]!r}"
                raise RecordError(msg, number)
            sheets[-1].cells += _cells(line, number, sheets[-1])
    for sheet in sheets:
        for cell, following in pairwise(sheet.cells):
            cell.then = following.what
    return length, sheets, comments


def _heads(line: str) -> tuple[tuple[str, str], tuple[int, int]] | None:
    """Read the names and scores above a game; None if it is another line."""
    right = RIGHT_SCORE.match(line)
    left = right and LEFT_SCORE.search(right[1])
    if not right or not left:
        return None
    names = right[1][: left.start()].strip(), right[1][left.end() :].strip()
    return (names, (int(left[1]), int(right[2]))) if all(names) else None


def _cells(line: str, number: int, sheet: _Sheet) -> Iterator[_Cell]:
    """Take a line of turns apart."""
    head = TURN.match(line)
    turn = int(head[1]) if head else (sheet.cells[-1].turn if sheet.cells else 0)
    begin = head.end() if head else 0
    starts = [found for found in CELL.finditer(line, begin) if not _belongs(found, line, begin)]
    stray = line[begin : starts[0].start() if starts else None].strip()
    if stray or not (starts or head):
        msg = f"expected dice, a word about the cube or 'Wins', got {stray[:40]!r}"
        raise RecordError(msg, number, sheet.number, turn)
    ends = [found.start() for found in starts[1:]] + [len(line)] * bool(starts)
    for index, (found, end) in enumerate(zip(starts, ends, strict=True)):
        # Two entries are left and right; where one stands alone its column tells.
        right = index > 0 or found.start() - begin > COLUMN // 2
        if len(starts) == 1 and not head:
            right = found.start() > COLUMN // 2
        cell_text = line[found.end() : end].strip()
        yield _Cell(int(right), str(found.lastgroup), _dice_of(found) + cell_text, number, turn)


def _belongs(found: re.Match[str], line: str, begin: int) -> bool:
    """Whether "Cannot Move" stands behind the dice of the same entry."""
    return found.lastgroup == "pass" and line[begin : found.start()].rstrip().endswith(":")


def _dice_of(found: re.Match[str]) -> str:
    return found[0] if found.lastgroup == "dice" else ""


def _replay(record: Record, sheet: _Sheet, count: int) -> None:
    """Play one game of the file."""
    match = record.match
    cell = _Cell(0, "", "", sheet.line, 0)
    try:
        if count > 1:
            match.next_game()
        _check_head(record, sheet)
        for cell in sheet.cells:
            _act(record, cell, count)
    except RecordError:
        raise
    except ValueError as error:
        raise RecordError(str(error), cell.line, count, cell.turn) from error


def _check_head(record: Record, sheet: _Sheet) -> None:
    """Hold names and score above a game against those that are known."""
    if not sheet.names[0]:
        msg = "expected the names and scores of the players under 'Game'"
        raise InvalidArgument(msg)
    if sheet.names != record.players:
        msg = f"expected the players {record.players}, got {sheet.names}"
        raise InvalidArgument(msg)
    if sheet.score != record.match.score:
        msg = f"expected the score {record.match.score}, got {sheet.score}"
        raise InvalidArgument(msg)


def _act(record: Record, cell: _Cell, count: int) -> None:
    """Do what one entry says."""
    game = record.match.game
    if cell.what == "wins":
        _check_win(game, cell)
        return
    if game.starter is not None and game.to_play.player == 1 - cell.side:
        _pass_unrecorded(record, cell, count)
    if game.starter is not None and game.to_play.player != cell.side:
        msg = f"out of turn: {game.to_play}"
        raise InvalidArgument(msg)
    if cell.what == "pass":
        _pass_unrecorded(record, cell, count)
    elif cell.what == "dice":
        _turn(record, cell, count)
    else:
        getattr(game, cell.what)()
        _check_cube(game, cell)


def _check_cube(game: Game, cell: _Cell) -> None:
    """Hold the value that is said with an offer against the cube."""
    said = re.search(r"\d{1,9}", cell.text)
    times = {"offer": 2, "beaver": 4}.get(cell.what, 1)
    if said and int(said[0]) != times * game.cube_value:
        msg = f"expected the cube at {times * game.cube_value}, got {said[0]}"
        raise InvalidArgument(msg)


def _turn(record: Record, cell: _Cell, count: int) -> None:
    """Roll and play."""
    game = record.match.game
    dice = int(cell.text[0]), int(cell.text[1])
    if game.starter is None:
        high, low = max(dice), min(dice)
        if high == low:
            msg = f"the first roll is that of the lot and no double, got {high}-{low}"
            raise InvalidArgument(msg)
        game.roll((high, low) if cell.side == 0 else (low, high))
    else:
        game.roll(dice)
    text = cell.text[3:].strip()
    if UNKNOWN_PLAY.match(text):
        played = game.play()
        record.notes.append(
            f"line {cell.line}, game {count}, turn {cell.turn}: the play is not recorded, "
            f"{played} is the only one"
        )
    elif NO_PLAY.match(text):
        game.play("pass")
    elif not text:
        _play_nothing(record, cell, count)
    else:
        game.play(text)


def _play_nothing(record: Record, cell: _Cell, count: int) -> None:
    """Pass where nothing is written behind the dice; at the end of a game it was not played."""
    game = record.match.game
    if cell.then in ("wins", "end"):
        record.notes.append(f"line {cell.line}, game {count}, turn {cell.turn}: not played")
    else:
        game.play("pass")


def _pass_unrecorded(record: Record, cell: _Cell, count: int) -> None:
    """Let the player to roll pass, where the file says no dice, if no roll can be played."""
    game = record.match.game
    if "roll" not in game.to_play.acts or game.starter is None:
        msg = f"an entry is missing: {game.to_play}"
        raise InvalidArgument(msg)
    board = game.position.board[None, :].repeat(21, axis=0)
    offsets, after = batch.plays(game.rules, board, batch.PAIRS)
    if offsets[-1] != 21 or (after != board).any():
        msg = f"a roll is missing that could be played: {game.to_play}"
        raise InvalidArgument(msg)
    game.roll((2, 1))
    game.play()
    record.notes.append(
        f"line {cell.line}, game {count}, turn {cell.turn}: a roll is not recorded that could not "
        f"be played, 2-1 stands for it"
    )


def _check_win(game: Game, cell: _Cell) -> None:
    """Hold the points of the file against the result, or take them for a resignation."""
    said = re.search(r"\d{1,9}", cell.text)
    points = int(said[0]) if said else 0
    if game.result is None:
        kind, odd = divmod(points, game.cube_value)
        if odd or not 1 <= kind <= 3:
            msg = f"nobody can win {points} points with the cube at {game.cube_value}"
            raise InvalidArgument(msg)
        game.resign(kind, player=1 - cell.side)
    if game.result is None or game.result.points != points:
        msg = f"the game is won with {game.result and game.result.points} points, not {points}"
        raise InvalidArgument(msg)


# ------------------------------------------------------------------------------------- writing


def dumps(record: Record) -> str:
    """Write a match."""
    _check_rules(record.rules)
    comments = [part for comment in record.comments for part in comment.splitlines()]
    # Of two lines with one key the later one counts.
    comments += [key for key in _keys(record) if key not in comments]
    lines = [f"; {comment}" for comment in comments]
    lines += [f" {record.length or 0} point match", ""]
    scores = record.match.scores
    for count, (game, score) in enumerate(zip(record.games, scores, strict=False), 1):
        lines += _game_lines(game, count, record.players, score)
    return "\n".join(lines) + "\n"


def _keys(record: Record) -> Iterator[str]:
    """Write what a match has otherwise than most, and what other comments say otherwise."""
    said = {found[1].lower() for line in record.comments if (found := KEY.match(line))}
    data = record.match.to_dict()
    limit = data["cube_limit"]
    for key, usual, now in (
        ("Rules", "short", rules_text(record.rules)),
        ("Crawford", "On", "On" if data["crawford"] else "Off"),
        ("CrawfordPlayed", "Off", "On" if data["crawford_played"] else "Off"),
        ("Jacoby", "Off", "On" if data["jacoby"] else "Off"),
        ("Beaver", "Off", "On" if data["beaver"] else "Off"),
        ("CubeLimit", "None", str(limit)),
    ):
        if now != usual or key.lower() in said:
            yield f'[{key} "{now}"]'


def _game_lines(
    game: Game, count: int, names: tuple[str, str], score: tuple[float, float]
) -> list[str]:
    """Write one game."""
    plain = [" ".join(name.split()) or "?" for name in names]  # two blanks part the columns
    left, right = (f"{name} : {points}" for name, points in zip(plain, score, strict=True))
    lines = [f" Game {count}", f" {left:<{COLUMN + 1}}  {right}"]
    lines += [
        f"{number:3}) {one:<{COLUMN}} {two}".rstrip()
        for number, (one, two) in enumerate(_columns(game), 1)
    ]
    if game.result is not None and game.result.winner is not None:
        points = int(game.result.points)
        indent = 34 if game.result.winner else 6
        lines.append(f"{' ' * indent}Wins {points} point{'' if points == 1 else 's'}")
    return [*lines, ""]


def _columns(game: Game) -> list[list[str]]:
    """Lay the entries of a game out by player; who takes after a beaver is next, too."""
    rows: list[list[str]] = []
    last = 1
    for event, text in _entries(game):
        player = event.player or 0
        if player <= last:
            rows.append(["", ""])
        rows[-1][player] = text
        last = player
    return rows


def _entries(game: Game) -> Iterator[tuple[Event, str]]:
    """Write what players did, one entry a turn."""
    cube = 1  # games of a match begin with the cube in the middle
    for event in game.history:
        if event.act == "offer":
            yield event, f" Doubles => {2 * cube}"
        elif event.act == "beaver":
            yield event, f" Beavers => {4 * cube}"
            cube *= 2
        elif event.act == "take":
            cube *= 2
            yield event, " Takes"
        elif event.act == "drop":
            yield event, " Drops"
        elif event.act == "play" and event.play is not None and event.dice is not None:
            yield event, f"{_digits(event)}: {_hops(game.rules, event.play) or 'Cannot Move'}"
    if (rolled := _unplayed(game)) is not None:
        yield rolled, f"{_digits(rolled)}:"


def _digits(event: Event) -> str:
    """Write the dice of an event."""
    return "".join(map(str, event.dice or ()))


def _unplayed(game: Game) -> Event | None:
    """Return the last roll, if it was not played; its player is who threw it."""
    done = [event for event in game.history if event.act != "resign"]
    if not done or done[-1].act not in ("lot", "roll") or game.starter is None:
        return None
    before = game.copy()
    while before.history[-1].act == "resign":
        before.undo()
    return replace(done[-1], player=before.on_roll, dice=before.dice)


def _hops(rules: Rules, play: Play) -> str:
    """Write every step of a play, the bar as 25 and off as 0."""
    blots = {point for point in range(1, 25) if play.before[point] == -1 and rules.contact == "hit"}
    words = []
    for source, to in play.steps:
        words.append(f"{source}/{to}{'*' if to in blots else ''}")
        blots.discard(to)
    return " ".join(words)
