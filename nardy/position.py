"""Positions and plays as values: what stands where, what a roll can make of it, who has won."""

from collections.abc import Sequence
from enum import IntEnum
from typing import Any, NamedTuple, NoReturn

import numpy as np
from numpy.typing import ArrayLike, NDArray

from nardy.drawing import Drawable, Plays
from nardy.plays import REASONS, illegal, judge_turn, play_text, reading_of
from nardy.text import position_text, read_position
from nardy.variants import rules_of
from nardy.why import Explanation, explain
from nardy_core import batch
from nardy_core.errors import InvalidPosition
from nardy_core.rules import Rules

__all__ = ["REASONS", "Kind", "Play", "Position", "Status"]


class Kind(IntEnum):
    """How a game was won (rules.md, section 10); the numbers are those of `nardy.batch`."""

    DRAW = 0
    SINGLE = 1
    MARS = 2
    KOKS = 3
    HOME_MARS = 3


class Status(NamedTuple):
    """Whether a game is over and how; see `Position.status`."""

    over: bool
    winner: int | None
    kind: Kind | None
    points: float


class _Value:
    """What does not change and compares by what it holds."""

    __slots__ = ()

    def __setattr__(self, name: str, value: object) -> NoReturn:
        msg = f"{type(self).__name__} cannot be changed"
        raise AttributeError(msg)

    def __delattr__(self, name: str) -> NoReturn:
        msg = f"{type(self).__name__} cannot be changed"
        raise AttributeError(msg)

    def _set(self, **values: object) -> None:
        for name, value in values.items():
            object.__setattr__(self, name, value)

    def __copy__(self) -> Any:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        return self


class Play(batch.PlayData):
    """One legal play of a roll: the steps and the board after. Immutable.

    `Position.plays` makes them. Two plays of one position are equal if they leave the same board,
    by whatever steps. ``str(play)`` is the play in the usual notation, see
    `nardy.notation.play_text`.

    Attributes
    ----------
    steps : tuple of (int, int)
        (from, to) of each step in one legal order; 25 is the bar, 0 is off. Empty for a pass.
    after : int8[32]
        The board that the play leaves, still in the view of the player who played; read-only.

    Examples
    --------
    >>> from nardy import Position
    >>> play = Position.start("short").plays(3, 1)[0]
    >>> play
    <Play 24/21 24/23>
    >>> play.steps
    ((24, 21), (24, 23))
    """

    __slots__ = ()

    def __init__(self) -> None:
        msg = "plays are made by Position.plays"
        raise TypeError(msg)

    @property
    def steps(self) -> tuple[tuple[int, int], ...]:
        """(from, to) of each step in one legal order."""
        return self._steps()

    @property
    def before(self) -> NDArray[np.int8]:
        """The board before the play, int8[32], read-only."""
        return np.frombuffer(self.turn.before, np.int8)

    @property
    def after(self) -> NDArray[np.int8]:
        """The board after the play, int8[32], read-only."""
        return np.frombuffer(self.after_bytes, np.int8)

    def belongs_to(self, turn: batch.Turn) -> bool:
        """Say whether it is a play of this whole turn: no stage, and the game goes on."""
        mine = self.turn
        return (
            mine.before == turn.before
            and mine.dice in (turn.dice, turn.dice[::-1])
            and mine.stage == turn.stage
            and mine.rules == turn.rules
            and not (turn.over or (turn.rules.cascade and turn.dice[0] == turn.dice[1]))
        )

    def __setattr__(self, name: str, value: object) -> NoReturn:
        msg = "Play cannot be changed"
        raise AttributeError(msg)

    def __str__(self) -> str:
        return play_text(np.frombuffer(self.turn.before, np.int8), self.steps)

    def __repr__(self) -> str:
        return f"<Play {self}>"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Play):
            return NotImplemented
        mine, theirs = self.turn.before, other.turn.before
        return self.after_bytes == other.after_bytes and mine == theirs

    def __hash__(self) -> int:
        return hash(self.after_bytes)

    def __copy__(self) -> "Play":
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> "Play":
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        turn = self.turn
        position = Position(turn.rules, np.frombuffer(turn.before, np.int8))
        return _play_again, (position, turn.dice, turn.stage, self.index)


def _play_again(
    position: "Position", dice: tuple[int, int], stage: dict[str, Any], index: int
) -> Play:
    """Make a play from what pickle keeps: the plays of a roll have a fixed order."""
    return batch.plays_of(position, *dice, Play, [], **stage)[index]


class Position(_Value, Drawable):
    """A board and the player on roll, under the rules of one game. Immutable.

    Parameters
    ----------
    rules : Rules or str
        The game, or the name of a variant.
    board : array_like of int, shape (32,), optional
        Checkers in the view of the player on roll, as in `nardy.batch`. Default: the opening
        position.

    Attributes
    ----------
    rules : Rules
        The game.
    board : int8[32]
        The board; read-only.

    Raises
    ------
    UnknownVariant, InvalidPosition
        If there is no such game; if `board` cannot stand under the rules. The message names every
        fault.

    Examples
    --------
    >>> from nardy import Position
    >>> opening = Position.start("short")
    >>> opening.pip_count()
    (167, 167)
    >>> len(opening.plays(3, 1))
    16
    >>> opening.play(3, 1, "8/5 6/5").text()
    'short 24:2 13:5 8:3 6:5 | 24:2 13:5 8:2 6:4 5:2'
    """

    __slots__ = ("_bytes", "board", "rules")

    board: NDArray[np.int8]
    rules: Rules
    _bytes: bytes  # the board once more: what the core reads without asking numpy

    def __init__(self, rules: Rules | str, board: ArrayLike | None = None) -> None:
        game = rules_of(rules)
        if board is None:
            board = batch.start(game)[0]
        faults = batch.faults(game, board)
        if np.shape(board) != (32,):
            msg = f"expected a board of shape (32,), got {np.shape(board)}"
            raise InvalidPosition(msg)
        array = np.asarray(board, np.int8)
        if faults[0]:
            words = "; ".join(batch.fault_words(game, int(faults[0])))
            msg = f"the board {array.tolist()} cannot stand under {game.name}: {words}"
            raise InvalidPosition(msg)
        self._keep(game, array.tobytes())

    def _keep(self, rules: Rules, data: bytes) -> None:
        """Hold the bytes of a board that is known to be legal: memory that nobody can write."""
        self._set(rules=rules, board=np.frombuffer(data, np.int8), _bytes=data)

    @classmethod
    def start(cls, rules: Rules | str) -> "Position":
        """Return the opening position.

        Parameters
        ----------
        rules : Rules or str
            The game, or the name of a variant.

        Returns
        -------
        Position
            The same for both players.

        Examples
        --------
        >>> from nardy import Position
        >>> Position.start("long").text()
        'long 24:15 | 24:15'
        """
        return cls(rules)

    @classmethod
    def from_text(cls, text: str, rules: Rules | str | None = None) -> "Position":
        """Read a position, as `text` writes it.

        Parameters
        ----------
        text : str
            ``name own side | enemy side``, each side in its own numbers: ``point:checkers``,
            ``bar:n`` and ``off:n`` in any order. Checkers that are not named are off. Changed rules
            are named behind a preset: ``long[block=never,head_limit=0]``.
        rules : Rules or str, optional
            The rules of a game that is no preset; with a preset, what the text must agree with.

        Returns
        -------
        Position
            The position.

        Raises
        ------
        ParseError, UnknownVariant, RulesError
            If the text is not of this form; if its rules are not there or contradict themselves.
        InvalidPosition
            If the board cannot stand under the rules; the message names every fault.

        Examples
        --------
        >>> from nardy import Position
        >>> Position.from_text("short 6:2 bar:1 | 20:1").text()
        'short 6:2 bar:1 off:12 | 20:1 off:14'
        >>> Position.from_text("short 24:16 | 6:1")
        Traceback (most recent call last):
        nardy_core.errors.InvalidPosition: 'short 24:16 | 6:1' cannot stand under short: the player
        \
on roll has 16 checkers, expected 15
        """
        return cls(*read_position(text, None if rules is None else rules_of(rules)))

    def text(self) -> str:
        """Write the position as text that `from_text` reads.

        Returns
        -------
        str
            ``name own side | enemy side``, each side in its own numbers, points from high to low.

        Examples
        --------
        >>> import nardy
        >>> free = nardy.variant("long").replace(head_limit=0, head_exception="none")
        >>> nardy.Position.start(free).text()
        'long[head_exception=none,head_limit=0] 24:15 | 24:15'
        """
        return position_text(self.rules, self.board)

    def plays(
        self,
        d1: int,
        d2: int,
        *,
        steps: int | None = None,
        head_used: int = 0,
        exception: bool = True,
    ) -> list[Play]:
        """List every play of a roll, one for each distinct board it may leave.

        Parameters
        ----------
        d1, d2 : int
            The dice, 1 to 6, in any order.
        steps : int, optional
            Steps of a double: the size of a stage of a cascade. Default: the rules' own, or four.
        head_used : int
            Checkers that have already left the head in this turn.
        exception : bool
            Whether the first-turn exception of the head is within reach.

        Returns
        -------
        list of Play
            In a fixed order, that of `nardy.batch.plays`; a pass, and what is left to do when the
            game is over, is one play without steps. In a cascade game a double gives the plays of
            its first stage.

        Raises
        ------
        InvalidArgument
            If there are no such dice, or another argument is out of its range.

        Examples
        --------
        >>> from nardy import Position
        >>> [str(play) for play in Position.start("long").plays(6, 6)]
        ['24/18(2)']
        """
        return batch.plays_of(
            self, d1, d2, Play, Plays(), steps=steps, head_used=head_used, exception=exception
        )

    def after(self, d1: int, d2: int) -> NDArray[np.int8]:
        """List the boards that a roll may leave: `plays` without the plays, many times faster.

        Parameters
        ----------
        d1, d2 : int
            The dice, 1 to 6, in any order.

        Returns
        -------
        int8[k, 32]
            The `after` of each of `plays`, in the same order, in the view of the player who plays.

        Raises
        ------
        InvalidArgument
            If there are no such dice.

        Examples
        --------
        >>> from nardy import Position
        >>> Position.start("short").after(3, 1).shape
        (16, 32)
        """
        return batch.after(self, d1, d2)

    def play(self, d1: int, d2: int, play: str | Play) -> "Position":
        """Play a roll and hand the next one over.

        Parameters
        ----------
        d1, d2 : int
            The dice, 1 to 6, in any order.
        play : str or Play
            One of `plays`, or its text: hops in any order, merged or split, with or without ``*``,
            with ``(n)``, ``bar`` or 25, ``off`` or 0; ``pass``, ``-`` or nothing for a pass; the
            dice may stand before it, as in ``64:``.

        Returns
        -------
        Position
            The position of the opponent, who is now on roll.

        Raises
        ------
        ParseError
            If it is no text of a play.
        IllegalPlay
            If the rules forbid it, or the text fits several plays; `reason` is a `nardy.Reason`.
            Also for a double of a cascade game, which is not one play.

        Examples
        --------
        >>> from nardy import Position
        >>> Position.start("long").play(6, 4, "24/14").text()
        'long 24:15 | 24:14 14:1'
        >>> Position.start("long").play(6, 4, "24/18 24/20")
        Traceback (most recent call last):
        nardy_core.errors.IllegalPlay: '24/18 24/20' cannot be played with 6-4 in \
'long 24:15 | 24:15': no more checkers may leave the head in this turn (24/20)
        """
        turn = batch.turn_of(self.rules, self._bytes, d1, d2)
        if isinstance(play, Play) and play.belongs_to(turn):
            return self._opponents(play.after_bytes)
        verdict = judge_turn(turn, reading_of(play))
        if verdict.reason is not None:
            text = play.steps if isinstance(play, Play) else play
            raise illegal(turn, text, verdict.reason, verdict)
        return self._opponents(verdict.after)

    def explain(
        self,
        dice: Sequence[int],
        play: str | Play,
        *,
        steps: int | None = None,
        head_used: int = 0,
        exception: bool = True,
    ) -> Explanation:
        """Say whether a play is legal, which rule forbids it, and what is legal instead.

        Parameters
        ----------
        dice : pair of int
            The dice, 1 to 6, in any order.
        play : str or Play
            A play or its text, as for `play`.
        steps : int, optional
            Steps of a double that is one stage of a cascade. Without it a double of a cascade game
            is refused, as `play` refuses it.
        head_used, exception
            As for `plays`.

        Returns
        -------
        Explanation
            Whether it is legal, and why not; the reasons are those of `IllegalPlay`.

        Raises
        ------
        ParseError
            If it is no text of a play.
        InvalidArgument
            If there are no such dice, or another argument is out of its range.

        Examples
        --------
        >>> from nardy import Position
        >>> why = Position.from_text("short 24:1 2:1 | 11:2").explain((6, 4), "24/20")
        >>> why.reason == "larger_die"
        True
        >>> print(why)
        either die can be played but not both, so the larger must be (the 6)
        >>> why.instead
        (<Play 24/18>,)
        """
        return explain(self, dice, play, steps=steps, head_used=head_used, exception=exception)

    def _opponents(self, after: bytes) -> "Position":
        """Hand the roll over after a play that left this board."""
        return self._of_bytes(self.rules, batch.flip_one(self.rules, after))

    def flip(self) -> "Position":
        """Hand the roll over without playing.

        Returns
        -------
        Position
            The same board with the other player on roll.

        Examples
        --------
        >>> from nardy import Position
        >>> Position.from_text("short 6:2 | 20:1").flip().text()
        'short 20:1 off:14 | 6:2 off:13'
        """
        return self._opponents(self._bytes)

    def pip_count(self) -> tuple[int, int]:
        """Count the pips that each player has yet to travel.

        Returns
        -------
        tuple of two ints
            Pips of the player on roll and of the opponent; a checker on the bar counts 25.

        Examples
        --------
        >>> from nardy import Position
        >>> Position.start("long").pip_count()
        (360, 360)
        """
        mine, theirs = batch.pips(self.rules, self.board)[0].tolist()
        return mine, theirs

    def status(self) -> Status:
        """Say whether the game is over, who has won and what it is worth.

        It is over when a player has all checkers off. Whether a last turn is still due
        (`Rules.draw_points`) is a matter of the game that was played, which no position shows.

        Returns
        -------
        Status
            `over`; `winner`, 0 the player on roll, 1 the other, None while the game is on and for a
            draw; `kind`, None while the game is on; `points` that the winner scores with the cube
            at 1, or each player in a draw, 0 while the game is on.

        Examples
        --------
        >>> from nardy import Position
        >>> Position.from_text("short 24:2 13:5 8:3 6:5 | off:15").status()
        Status(over=True, winner=1, kind=<Kind.KOKS: 3>, points=3)
        """
        over, winner, kind, points = (column[0].item() for column in self._outcome())
        if not over:
            return Status(False, None, None, 0)
        whole = int(points) if points == int(points) else points
        return Status(True, None if winner < 0 else winner, Kind(kind), whole)

    def _outcome(self) -> batch.Outcomes:
        return batch.outcomes(self.rules, self.board)

    @classmethod
    def _legal(cls, rules: Rules, board: NDArray[np.int8]) -> "Position":
        """Make a position of a board that is known to be legal."""
        return cls._of_bytes(rules, board.tobytes())

    @classmethod
    def _of_bytes(cls, rules: Rules, data: bytes) -> "Position":
        """Make a position of the 32 bytes of a board that is known to be legal."""
        self = cls.__new__(cls)
        self._keep(rules, data)
        return self

    def __repr__(self) -> str:
        return f"<Position {self.text()}>"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        return bool((self.board == other.board).all()) and self.rules == other.rules

    def __hash__(self) -> int:
        return hash((self.rules.name, self.board.tobytes()))

    def __reduce__(self) -> tuple[Any, ...]:
        return Position, (self.rules, self.board)
