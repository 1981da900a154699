"""What the notations of others have in common: which games they hold, and how they are refused."""

from collections.abc import Sequence
from typing import Any

from nardy.context import Context
from nardy.position import Position
from nardy.text import OFF, join_sides
from nardy_core.errors import InvalidArgument, ParseError
from nardy_core.rules import Rules

Side = dict[int, int]
"""The checkers of one player by own point; 25 is the bar, 0 is off."""


def need_contrary(rules: Rules, what: str) -> None:
    """Refuse games whose players do not travel in contrary directions."""
    if rules.travel != "contrary":
        msg = (
            f"{what} hold players who travel in contrary directions; {rules.name} has "
            f"{rules.checkers} checkers and travels {rules.travel}"
        )
        raise InvalidArgument(msg)


def need_fifteen(rules: Rules, what: str) -> None:
    """Refuse games that are not played with 15 checkers: what is not shown counts as off."""
    if rules.checkers != 15:
        msg = (
            f"{what} hold 15 checkers of each player; {rules.name} has {rules.checkers} and "
            f"travels {rules.travel}"
        )
        raise InvalidArgument(msg)


def need_place(context: Context, what: str, offers: Sequence[str]) -> None:
    """Refuse what is under way and has no place in a notation."""
    if context.offer is not None and context.offer not in offers:
        raise no_place(context, what, f"the offer {context.offer!r}")
    if context.remainder:
        raise no_place(context, what, f"the remainder {context.remainder}")


def no_place(context: Context, what: str, thing: str) -> InvalidArgument:
    """Say that a notation cannot hold a context."""
    return InvalidArgument(f"{what} cannot hold {thing} of {context.text()!r}")


def whole_scores(context: Context, what: str) -> tuple[int, int]:
    """Return the score as whole numbers, which is all that other notations know."""
    mine, theirs = context.score
    if not (isinstance(mine, int) and isinstance(theirs, int)):
        raise no_place(context, what, f"the half points {mine}-{theirs}")
    return mine, theirs


def place_sides(rules: Rules, sides: Sequence[Side], text: str) -> Position:
    """Make a position of the own and the enemy side; checkers that are not shown are off."""
    for side in sides:
        side[OFF] = side.get(OFF, 0) + max(0, rules.checkers - sum(side.values()))
    return Position(rules, join_sides(rules, sides, text))


def read_whole(what: str, word: str, text: str) -> int:
    """Read a number of 0 or more."""
    if not (word.isascii() and word.isdigit() and len(word) <= 10):
        msg = f"expected a whole number for {what}, got {word!r} in {text!r}"
        raise ParseError(msg)
    return int(word)


def read_choice(what: str, word: str, choices: dict[str, Any], text: str) -> Any:
    """Read one of several words."""
    if word not in choices:
        msg = f"expected {' or '.join(map(repr, choices))} for {what}, got {word!r} in {text!r}"
        raise ParseError(msg)
    return choices[word]


def read_dice(word: str, text: str) -> tuple[int, int]:
    """Read two dice such as 52."""
    if not (len(word) == 2 and set(word) <= set("123456")):
        msg = f"expected two dice from 1 to 6 such as '52', got {word!r} in {text!r}"
        raise ParseError(msg)
    return int(word[0]), int(word[1])


def read_power(word: str, what: str, text: str) -> int:
    """Read the exponent of a power of two."""
    exponent = read_whole(what, word, text)
    if exponent > 30:
        msg = f"expected an exponent of two of at most 30 for {what}, got {word!r} in {text!r}"
        raise ParseError(msg)
    return 1 << exponent


def make_context(text: str, position: Position, **fields: Any) -> Context:
    """Make a context of what a text says, and lay what cannot be to the text."""
    try:
        return Context(position, **fields)
    except InvalidArgument as error:
        msg = f"{text!r} says what cannot be: {error}"
        raise ParseError(msg) from None


def seat(turn: object) -> int:
    """Check which seat the player on roll is to have."""
    if isinstance(turn, bool) or not isinstance(turn, int) or turn not in (1, -1):
        msg = f"turn: expected 1 or -1, got {turn!r}"
        raise InvalidArgument(msg)
    return turn
