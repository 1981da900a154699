"""A position with everything else that a decision hangs on: dice, cube, score, and what is owed."""

from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass, fields, replace
from numbers import Real
from typing import Any, Literal, NoReturn, get_args

from nardy.arguments import MOST_CUBE
from nardy.position import Position
from nardy_core import batch
from nardy_core.errors import InvalidArgument, whole_number
from nardy_core.rules import Rules

__all__ = ["Context", "Offer", "Player"]

Player = Literal["me", "opponent"]
"""Whose something is, as the player on roll says it."""

Offer = Literal["double", "single", "mars", "koks"]
"""What the player on roll may have offered: to double, or to lose so much."""

PLAYERS: tuple[Player, ...] = get_args(Player)
OFFERS: tuple[Offer, ...] = get_args(Offer)

MOST = 2**31 - 1
"""The greatest score and match length."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Context:
    """A position, and what a player must know besides to decide. Immutable.

    Everything is said as the player on roll sees it. What contradicts itself is refused. Contexts
    are equal if all fields are; the order of the two dice does not count.

    Parameters
    ----------
    position : Position
        The board, the rules, and with the board the player on roll.
    dice : (int, int), optional
        The roll that is to be played, in any order; None before the throw.
    cube_value : int
        What the cube shows: 1, 2, 4, ... While a double is offered, the value before it.
    cube_owner : "me", "opponent" or None
        Who holds the cube; None while it is in the middle.
    match_length : int, optional
        Points that win the match; None for money.
    score : (number, number)
        Points won so far by the player on roll and by the opponent; x.5 only where the rules give
        half points for a draw (`Rules.draw_points`).
    crawford : bool
        Whether this is the game of the match that is played without the cube (rules.md, 5.6).
    jacoby : bool
        Money only: mars and koks count single until the cube has been turned.
    beaver : bool
        Money only: a player who is doubled may double back at once and keep the cube.
    cube_limit : int, optional
        The greatest value of the cube, a power of two; None for no limit.
    offer : "double", "single", "mars" or "koks", optional
        What the player on roll has offered, so that the opponent must answer: to double, or to lose
        the game so high. None when nothing is offered.
    remainder : tuple of int
        Steps that the opponent's cascade has left over and the player on roll must play before he
        throws, one number for each step: ``(4, 4, 5, 5, 6, 6)`` (rules.md, 9.4). Empty when nothing
        is owed.
    starter : "me", "opponent" or None
        Who had the first turn of this game; None if it is not known. It tells whether a last turn
        is due (rules.md, 10.5).

    Raises
    ------
    InvalidArgument
        If a value is none of its kind, or cannot stand beside the others; the message says what
        was expected, and names the position and the dice.

    Examples
    --------
    >>> from nardy import Context, Position
    >>> late = Context(Position.from_text("short 6:2 bar:1 | 20:1"), (6, 1), 2, "me", 7, (2, 5))
    >>> late.text()
    'short 6:2 bar:1 off:12 | 20:1 off:14; dice 6-1; cube 2 me; match 7; score 2-5'
    >>> Context(Position.start("long"), cube_value=2)
    Traceback (most recent call last):
    nardy_core.errors.InvalidArgument: cube_value: expected 1, long has no cube; got 2 \
(in 'long 24:15 | 24:15', dice None)
    """

    position: Position
    dice: tuple[int, int] | None = None
    cube_value: int = 1
    cube_owner: Player | None = None
    match_length: int | None = None
    score: tuple[float, float] = (0, 0)
    crawford: bool = False
    jacoby: bool = False
    _: KW_ONLY
    beaver: bool = False
    cube_limit: int | None = None
    offer: Offer | None = None
    remainder: tuple[int, ...] = ()
    starter: Player | None = None

    def __post_init__(self) -> None:
        position: object = self.position
        if not isinstance(position, Position):
            _refuse("position", "a Position", position)
        try:
            for name, read in READERS.items():
                object.__setattr__(self, name, read(name, getattr(self, name)))
            for check in CHECKS:
                check(self, self.position.rules)
        except InvalidArgument as error:
            msg = f"{error} (in {self.position.text()!r}, dice {self.dice!r})"
            raise InvalidArgument(msg) from None

    def replace(self, **changes: Any) -> "Context":
        """Change some fields.

        Parameters
        ----------
        **changes
            Fields by name.

        Returns
        -------
        Context
            A new one, checked as a whole.

        Raises
        ------
        InvalidArgument
            As for a new one.

        Examples
        --------
        >>> from nardy import Context, Position
        >>> Context(Position.start("short")).replace(dice=(3, 1)).dice
        (3, 1)
        """
        return replace(self, **changes)

    def text(self) -> str:
        """Write the context as one line that `from_text` reads.

        Returns
        -------
        str
            The text of the position, with the game and its changed rules; then ``; `` and a clause
            for every other field that has not its default. Without clauses it is the position.

        Examples
        --------
        >>> from nardy import Context, Position
        >>> Context(Position.start("mad_gulbar"), remainder=(6, 6), starter="opponent").text()
        'mad_gulbar 24:15 | 24:15; remainder 6-6; starter opponent'
        """
        from nardy.notation.line import context_text  # the notations import this module

        return context_text(self)

    @classmethod
    def from_text(cls, text: str, rules: Rules | str | None = None) -> "Context":
        """Read a context, as `text` writes it.

        Parameters
        ----------
        text : str
            The text of a position, and clauses behind it in any order, each after a ``;``.
        rules : Rules or str, optional
            The rules of a game that is no preset, as for `Position.from_text`.

        Returns
        -------
        Context
            The context.

        Raises
        ------
        ParseError, UnknownVariant, RulesError, InvalidPosition
            If the text is not of this form, or says what cannot be.

        Examples
        --------
        >>> from nardy import Context
        >>> saved = Context.from_text("long_fnr 24:15 | 24:15; match 5; score 2.5-1; dice 6-3")
        >>> saved.score, saved.dice, saved.match_length
        ((2.5, 1), (6, 3), 5)
        """
        from nardy.notation.line import read_context

        return read_context(text, rules)

    def position_id(self) -> str:
        """Write the gnubg position ID, see `nardy.notation.position_id`.

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
        >>> from nardy import Context, Position
        >>> Context(Position.start("nackgammon")).position_id()
        '4Dl4ADbgOXgANg'
        """
        from nardy.notation.gnubg import position_id

        return position_id(self.position)

    def match_id(self) -> str:
        """Write the gnubg match ID, see `nardy.notation.match_id`.

        Returns
        -------
        str
            12 characters; player 1 is the player on roll.

        Raises
        ------
        InvalidArgument
            If the ID cannot hold the context.

        Examples
        --------
        >>> from nardy import Context, Position
        >>> Context(Position.start("short"), (5, 2), match_length=11, score=(10, 5)).match_id()
        'cIlqAVAAUAAE'
        """
        from nardy.notation.gnubg import match_id

        return match_id(self)

    def xgid(self, turn: int = 1) -> str:
        """Write the XGID, see `nardy.notation.xgid`.

        Parameters
        ----------
        turn : 1 or -1
            1 writes the player on roll as the bottom player, -1 as the top player.

        Returns
        -------
        str
            ``XGID=`` and ten fields.

        Raises
        ------
        InvalidArgument
            If an XGID cannot hold the context, or there is no such turn.

        Examples
        --------
        >>> from nardy import Context, Position
        >>> Context(Position.start("short"), (3, 1)).xgid()
        'XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10'
        """
        from nardy.notation.xgid import xgid

        return xgid(self, turn)

    def ogid(self, turn: int = 1) -> str:
        """Write the OGID, see `nardy.notation.ogid`.

        Parameters
        ----------
        turn : 1 or -1
            1 writes the player on roll as Black, -1 as White.

        Returns
        -------
        str
            Ten fields; eleven if the game is not played with 15 checkers.

        Raises
        ------
        InvalidArgument
            If an OGID cannot hold the context, or there is no such turn.

        Examples
        --------
        >>> from nardy import Context, Position
        >>> Context(Position.start("short"), (3, 1)).ogid()
        '11ccccchhhjjjjj:66666888dddddoo:N0N:31:W:R:0:0:0:0'
        """
        from nardy.notation.ogid import ogid

        return ogid(self, turn)

    def _key(self) -> tuple[Any, ...]:
        """Return what is compared: every field, and the dice as a roll."""
        roll = self.dice and tuple(sorted(self.dice))
        return (roll, *(getattr(self, name) for name in NAMES if name != "dice"))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Context):
            return NotImplemented
        return self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def __repr__(self) -> str:
        return f"<Context {self.text()}>"


NAMES = tuple(field.name for field in fields(Context))


# --------------------------------------------------------------------- the fields, one by one
#
# A reader takes what the caller gave and returns what the context keeps: plain Python values.


def _refuse(name: str, expected: str, got: object) -> NoReturn:
    msg = f"{name}: expected {expected}; got {got!r}"
    raise InvalidArgument(msg)


def _dice(name: str, value: Any) -> tuple[int, int] | None:
    if value is None:
        return None
    dice = value if isinstance(value, (tuple, list)) else ()
    if len(dice) != 2:
        _refuse(name, "two dice or None", value)
    return batch.two_dice(*dice)


def _power(name: str, value: Any) -> int:
    number = whole_number(value)
    if number is None or not 1 <= number <= MOST_CUBE or number & (number - 1):
        _refuse(name, f"a power of two from 1 to {MOST_CUBE}", value)
    return number


def _limit(name: str, value: Any) -> int | None:
    return None if value is None else _power(name, value)


def _length(name: str, value: Any) -> int | None:
    if value is None:
        return None
    number = whole_number(value)
    if number is None or not 1 <= number <= MOST:
        _refuse(name, f"a whole number from 1 to {MOST}, or None for money", value)
    return number


def _score(name: str, value: Any) -> tuple[float, float]:
    if not isinstance(value, (tuple, list)) or len(value) != 2:
        _refuse(name, "two numbers", value)
    return _points(name, value[0]), _points(name, value[1])


def _points(name: str, value: Any) -> float:
    is_number = isinstance(value, Real) and value is not True and value is not False
    if not is_number or not 0 <= value <= MOST:
        _refuse(name, f"points from 0 to {MOST}", value)
    number = float(value)
    if not (2 * number).is_integer():
        _refuse(name, "whole or half points", value)
    return int(number) if number.is_integer() else number


def _flag(name: str, value: Any) -> bool:
    if not isinstance(value, bool):
        _refuse(name, "True or False", value)
    return value


def _player(name: str, value: Any) -> Any:
    return _word(name, value, PLAYERS)


def _offer(name: str, value: Any) -> Any:
    return _word(name, value, OFFERS)


def _word(name: str, value: Any, allowed: tuple[Any, ...]) -> Any:
    if value is not None and not (isinstance(value, str) and value in allowed):
        _refuse(name, f"{', '.join(map(repr, allowed))} or None", value)
    return value


def _steps(name: str, value: Any) -> tuple[int, ...]:
    steps = [whole_number(step) for step in value] if isinstance(value, (tuple, list)) else [None]
    if not all(step is not None and 1 <= step <= 6 for step in steps):
        _refuse(name, "a tuple of numbers from 1 to 6", value)
    return tuple(step for step in steps if step is not None)


READERS: dict[str, Callable[[str, Any], Any]] = {
    "dice": _dice,
    "cube_value": _power,
    "cube_owner": _player,
    "match_length": _length,
    "score": _score,
    "crawford": _flag,
    "jacoby": _flag,
    "beaver": _flag,
    "cube_limit": _limit,
    "offer": _offer,
    "remainder": _steps,
    "starter": _player,
}


# ------------------------------------------------------------------------ the fields together


def _check_cube(c: Context, rules: Rules) -> None:
    """Refuse words of the cube where there is none, as in a match of one point."""
    idle = {"cube_value": 1, "cube_owner": None, "cube_limit": None, "crawford": False,
            "jacoby": False, "beaver": False}  # fmt: skip
    if not rules.cube:
        for name, value in idle.items():
            if getattr(c, name) != value:
                _refuse(name, f"{value!r}, {rules.name} has no cube", getattr(c, name))
    if c.match_length == 1 and c.cube_value != 1:
        _refuse("cube_value", "1, a match of one point has no cube", c.cube_value)


def _check_owner(c: Context, _: Rules) -> None:
    """Refuse an owner who took no double; for money automatic doubles may stand in the middle."""
    if c.cube_value == 1 and c.cube_owner is not None:
        _refuse("cube_owner", "None while the cube shows 1", c.cube_owner)
    if c.cube_value > 1 and c.cube_owner is None and c.match_length is not None:
        _refuse("cube_owner", f"a player to hold the cube at {c.cube_value} in a match", None)


def _check_limit(c: Context, _: Rules) -> None:
    if c.cube_limit is not None and c.cube_value > c.cube_limit:
        _refuse("cube_value", f"at most the cube_limit of {c.cube_limit}", c.cube_value)


def _check_score(c: Context, rules: Rules) -> None:
    """Refuse half points without draws, and a game that goes on when the match is over."""
    if rules.draw_points != 0.5 and any(isinstance(points, float) for points in c.score):
        _refuse("score", f"whole points, {rules.name} has no draws for half points", c.score)
    if c.match_length is not None and max(c.score) >= c.match_length and not _is_over(c):
        _refuse("score", f"less than the match length of {c.match_length}", c.score)


def _check_crawford(c: Context, rules: Rules) -> None:
    """Refuse a Crawford game unless one player needs one point or less, and the other more.

    Both may need so little only where a draw can bring them there together. The game of a one-point
    match may be called so: it has no cube anyway.
    """
    if not c.crawford:
        return
    if c.match_length is None:
        _refuse("crawford", "False for money", True)
    if c.cube_value != 1:
        _refuse("cube_value", "1 in the Crawford game", c.cube_value)
    away = [c.match_length - points for points in c.score]
    if min(away) > 1:
        _refuse("crawford", f"False while nobody needs one point or less of {c.match_length} "
                f"at {c.score[0]}-{c.score[1]}", True)  # fmt: skip
    if max(away) <= 1 < c.match_length and not rules.draw_points:
        _refuse("crawford", f"False at {c.score[0]}-{c.score[1]} of {c.match_length}, where one "
                "player came before the other", True)  # fmt: skip


def _check_money(c: Context, _: Rules) -> None:
    for name in ("jacoby", "beaver"):
        if getattr(c, name) and c.match_length is not None:
            _refuse(name, "False in a match", True)


def _check_offer(c: Context, rules: Rules) -> None:
    """Refuse a double by who may not double, or beside a roll (rules.md, 5.5)."""
    if c.offer is None:
        return
    if c.offer == "double":
        if not rules.cube or c.crawford or c.match_length == 1:
            _refuse("offer", "no double in a game without the cube", c.offer)
        if c.cube_owner == "opponent":
            _refuse("offer", "no double by a player who does not hold the cube", c.offer)
        if c.cube_limit is not None and 2 * c.cube_value > c.cube_limit:
            _refuse("offer", f"no double beyond the cube_limit of {c.cube_limit}", c.offer)
        if c.dice is not None:
            _refuse("dice", "None while a double is offered", c.dice)


def _check_remainder(c: Context, rules: Rules) -> None:
    """Refuse what is not a stage with at most its steps and then every higher stage, whole."""
    if not c.remainder:
        return
    if not rules.cascade or rules.remainder != "opponent":
        _refuse("remainder", f"none, {rules.name} hands no remainder on", c.remainder)
    first = c.remainder[0]
    here = c.remainder.count(first)
    rest = tuple(step for step in range(first + 1, 7) for _ in range(rules.cascade))
    if here > rules.cascade or c.remainder != (first,) * here + rest:
        _refuse("remainder", f"one number up to {rules.cascade} times, then every higher number "
                f"{rules.cascade} times", c.remainder)  # fmt: skip
    if c.dice is not None or c.offer == "double":
        _refuse("remainder", "none beside a roll or a double: it comes before them", c.remainder)


def _check_over(c: Context, rules: Rules) -> None:
    """Refuse anything left to do when the game is over, but for the last turn of a draw."""
    if (c.dice is None and c.offer is None and not c.remainder) or not _is_over(c):
        return
    if rules.draw_points and c.position.status().winner == 1 and c.starter != "me":
        return  # the first mover has finished, and the player on roll has his last turn
    _refuse("dice, offer, remainder", "nothing, the game is over", (c.dice, c.offer, c.remainder))


def _is_over(c: Context) -> bool:
    return c.position.status().over


CHECKS = (
    _check_cube,
    _check_owner,
    _check_limit,
    _check_score,
    _check_crawford,
    _check_money,
    _check_offer,
    _check_remainder,
    _check_over,
)
