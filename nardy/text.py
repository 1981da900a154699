"""Rules and positions as text: written one way, read in many.

A position is ``name own side | enemy side``; each side counts its own points.
"""

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nardy.variants import VARIANTS, variant
from nardy_core import batch
from nardy_core.errors import InvalidArgument, InvalidPosition, ParseError, UnknownVariant
from nardy_core.rules import FIELDS, Rules

__all__ = ["only_pair", "only_text", "position_text", "read_position", "read_rules", "rules_text"]

OFF, BAR = 0, 25
PLACES = {"bar": BAR, "off": OFF}


def only_text(what: str, value: object) -> str:
    """Refuse what is no text."""
    if not isinstance(value, str):
        msg = f"expected {what}, got {value!r}"
        raise ParseError(msg)
    return value


def only_pair(dice: Any) -> tuple[int, int]:
    """Refuse what is no pair of dice; the core checks their faces."""
    try:
        d1, d2 = dice
    except (TypeError, ValueError):
        msg = f"dice: expected a pair such as (6, 4), got {dice!r}"
        raise InvalidArgument(msg) from None
    return batch.two_dice(d1, d2)


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


def _near_field(name: str) -> str:
    """Offer the field that was perhaps meant."""
    from difflib import get_close_matches  # only here: it takes longer to load than all else

    near = get_close_matches(name, [field for field in FIELDS if field not in UNWRITTEN], n=1)
    return f"; did you mean {near[0]!r}?" if near else ""


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
            raise ParseError(msg + _near_field(field))
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
        hint = "; nardy.notation reads IDs" if "GID=" in text.upper() else ""
        msg = f"expected 'name own side | enemy side', got {text!r}{hint}"
        raise ParseError(msg)
    game = _read_rules(match[1], match[2], rules)
    parts = (match[3] or "").split("|")
    if len(parts) != 2:
        msg = f"expected two sides with one '|' between them, got {text!r}"
        raise ParseError(msg)
    sides = [_read_side(part, game) for part in parts]
    return game, join_sides(game, sides, text)


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


def join_sides(rules: Rules, sides: Sequence[dict[int, int]], text: str) -> NDArray[np.int8]:
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
