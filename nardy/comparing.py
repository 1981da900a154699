"""One roll under two sets of rules: which plays only one of them allows."""

from collections.abc import Sequence
from dataclasses import dataclass

from numpy.typing import ArrayLike

from nardy.position import Play, Position
from nardy.text import only_pair, read_rules
from nardy.variants import rules_of
from nardy_core.errors import InvalidArgument
from nardy_core.rules import Rules

__all__ = ["Comparison", "compare"]


@dataclass(frozen=True, slots=True)
class Comparison:
    """The plays of one roll under two sets of rules; `compare` makes it.

    Attributes
    ----------
    a, b : Position
        The position under either rules.
    dice : tuple of (int, int)
        The roll.
    only_a, only_b : list of Play
        The plays that only the one or only the other allows, in the order of `Position.plays`.
    both : list of Play
        The plays that both allow, as `a` lists them.
    """

    a: Position
    b: Position
    dice: tuple[int, int]
    only_a: list[Play]
    only_b: list[Play]
    both: list[Play]


def compare(
    rules_a: Rules | str,
    rules_b: Rules | str,
    position: Position | ArrayLike | str,
    dice: Sequence[int],
) -> Comparison:
    """Compare the plays of one roll under two sets of rules.

    Parameters
    ----------
    rules_a, rules_b : Rules or str
        Two games, or their names with house rules as in ``"long[block=never]"``, whose players
        travel the same way with as many checkers.
    position : Position, array_like of int, shape (32,), or str
        A position, a board in the view of the player on roll, or the text of a position. Only
        where the checkers stand counts.
    dice : pair of int
        The roll, 1 to 6, in any order.

    Returns
    -------
    Comparison
        `only_a`, `only_b` and `both`. Plays are the same if they leave the same board. A double of
        a cascade game is compared by its first stage.

    Raises
    ------
    InvalidArgument
        If there are no such dice, or the games differ in travel or in the number of checkers, from
        each other or from the position.
    InvalidPosition
        If the board cannot stand under one of the rules; the message names these and every fault.
    UnknownVariant, ParseError
        If there is no such game; if the text is none of a position.

    Examples
    --------
    >>> import nardy
    >>> start = nardy.Position.start("long")
    >>> result = nardy.compare("long", "long[head_limit=0,head_exception=none]", start, (6, 4))
    >>> result.only_a, result.only_b, result.both
    ([], [<Play 24/18 24/20>], [<Play 24/14>])
    """
    a, b = (
        read_rules(one) if isinstance(one, str) else rules_of(one) for one in (rules_a, rules_b)
    )
    alike(a, b)
    if isinstance(position, str):
        position = Position.from_text(position)
    if isinstance(position, Position):
        alike(a, position.rules)
        position = position.board
    one, other = Position(a, position), Position(b, position)
    d1, d2 = only_pair(dice)
    of_a, of_b = one.plays(d1, d2), other.plays(d1, d2)
    in_a, in_b = ({play.after_bytes for play in plays} for plays in (of_a, of_b))
    return Comparison(
        one,
        other,
        (d1, d2),
        [play for play in of_a if play.after_bytes not in in_b],
        [play for play in of_b if play.after_bytes not in in_a],
        [play for play in of_a if play.after_bytes in in_b],
    )


def alike(a: Rules, b: Rules) -> None:
    """Refuse games whose boards do not mean the same."""
    if (a.travel, a.checkers) != (b.travel, b.checkers):
        told = (f"{one.name} ({one.travel}, {one.checkers} checkers)" for one in (a, b))
        msg = f"expected games of one travel and number of checkers, got {' and '.join(told)}"
        raise InvalidArgument(msg)
