"""Records of any game, one JSON line an act; a torn last line loses only that line.

The first line is an object: `format`, `version`, `players`, and what `Match` was given. Each line
after it is a list: ``["game", n]`` begins game n, and all others are acts as in `Game.to_dict`,
such as ``["roll", [6, 1]]`` or ``["play", "13/7 8/7"]``. So a game that is still played can be
written line by line.
"""

import json
from typing import Any

from nardy.arguments import checked_data, data_rules
from nardy.match import Match
from nardy.records.record import Record, RecordError

__all__ = ["dumps", "loads"]

FORMAT = "nardy-record"
VERSION = 1


def dumps(record: Record) -> str:
    """Write a record as JSON lines."""
    data = record.match.to_dict()
    games = data.pop("games")
    head = data | {
        "format": FORMAT,
        "version": VERSION,
        "players": list(record.players),
        "comments": record.comments,
    }
    lines: list[Any] = [head]
    for number, acts in enumerate(games, 1):
        lines += [["game", number], *acts]
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)


def loads(text: str) -> Record:
    """Read JSON lines and do every act again."""
    lines = text.split("\n")
    torn = lines.pop()  # empty, but for a line whose end was never written
    notes = []
    if torn.strip():
        if _is_json(torn):
            lines.append(torn)
        else:
            notes.append(f"line {len(lines) + 1} is torn and was left out: {torn[:60]!r}")
    entries = [
        (number, _entry(line, number)) for number, line in enumerate(lines, 1) if line.strip()
    ]
    if not entries:
        msg = "expected a first line with the format, got nothing"
        raise RecordError(msg, 1)
    record = _head(*entries[0])
    record.notes += notes
    _replay(record.match, entries[1:])
    return record


def _is_json(line: str) -> bool:
    try:
        json.loads(line)
    except (ValueError, RecursionError):
        return False
    return True


def _entry(line: str, number: int) -> Any:
    """Read one line."""
    try:
        return json.loads(line)
    except (ValueError, RecursionError) as error:
        msg = f"expected JSON, got {line[:60]!r} ({error})"
        raise RecordError(msg, number) from None


def _head(number: int, entry: Any) -> Record:
    """Make the record of the first line, with nothing played yet."""
    try:
        data = checked_data(entry, FORMAT, VERSION)
        rules = data_rules(data.pop("rules"))
        first, second = (str(name) for name in data.pop("players"))
        comments = [str(comment) for comment in data.pop("comments", [])]
        return Record(Match(rules, **data), (first, second), comments)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        msg = f"no record begins like this: {error}"
        raise RecordError(msg, number) from None


def _replay(match: Match, entries: list[tuple[int, Any]]) -> None:
    """Do every act again, the games one after the other."""
    games = 0
    for number, entry in entries:
        try:
            if isinstance(entry, list) and entry[:1] == ["game"]:
                games += 1
                _begin(match, entry, games)
            else:
                match.game.replay([entry])
        except ValueError as error:
            raise RecordError(str(error), number, max(games, 1), match.game.turns) from error


def _begin(match: Match, entry: list[Any], games: int) -> None:
    """Begin the next game."""
    if entry != ["game", games]:
        msg = f"expected ['game', {games}], got {entry}"
        raise RecordError(msg)
    if games > 1:
        match.next_game()
