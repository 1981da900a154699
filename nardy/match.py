"""Matches and money sessions: the score, who starts next, the Crawford game, the end."""

from bisect import bisect_left
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from nardy.arguments import (
    checked_data,
    cube_number,
    data_rules,
    flag,
    fresh_seed,
    natural,
    rules_data,
    whole,
)
from nardy.game import Event, Game, Result
from nardy.text import rules_text
from nardy.variants import rules_of
from nardy_core.errors import IllegalAct, InvalidArgument, ParseError
from nardy_core.rules import Rules

if TYPE_CHECKING:
    from nardy.context import Context

__all__ = ["Match", "MatchResult"]

FORMAT = "nardy-match"
VERSION = 1


class MatchResult(NamedTuple):
    """How a match ended.

    Attributes
    ----------
    winner : int or None
        Player 0 or 1; None when a draw took both to the length together: a tied match.
    score : tuple of two floats
        The points of player 0 and player 1; more than the length are kept.
    """

    winner: int | None
    score: tuple[float, float]


class Match:
    """Games until a player has the points, or a session for money without an end. Mutable.

    The first game is there from the start, in `game`; when it is over `next_game` begins the next
    one, with the starter that the rules say. Score, Crawford game and end are worked out from the
    results of the games, so an act that is undone undoes them too.
    Only the current game can be changed; `undo` goes back to the games before it.

    Parameters
    ----------
    rules : Rules or str
        The game, or the name of a variant.
    length : int or None
        Points to be reached, 1 or more; None for a money session.
    seed : int, optional
        Of all dice, 0 to 2**64 - 1. Default: a fresh one, kept in `seed`.
    crawford : bool
        Whether the first game after a player comes within a point of the match has no cube
        (rules.md, section 5.6). Where there is no cube it changes nothing.
    cube_limit : int, optional
        The highest value of the cube, such as 64. Default: 2**30, the most that a context holds.
    jacoby : bool
        Whether mars and koks count only once the cube has been turned; money sessions only.
    beaver : bool
        Whether who is offered the cube may double it at once and keep it; money sessions only.
    score : tuple of two floats
        What both have at the start, to go on with a match: player 0, then player 1.
    crawford_played : bool
        Whether the Crawford game was before the start.

    Attributes
    ----------
    games : tuple of Game
        All games, the last of them the current one.

    Raises
    ------
    UnknownVariant, InvalidArgument
        If there is no such game; if another argument is not of its kind.

    Examples
    --------
    >>> import nardy
    >>> match = nardy.Match("short", 3, seed=7)
    >>> match.game.roll((6, 1))
    (6, 1)
    >>> match.game.resign("mars")
    >>> match.score, match.game.result.winner
    ((0, 2), 1)
    >>> game = match.next_game()
    >>> match.stage
    'crawford'
    """

    def __init__(
        self,
        rules: Rules | str,
        length: int | None,
        seed: int | None = None,
        crawford: bool = True,
        cube_limit: int | None = None,
        *,
        jacoby: bool = False,
        beaver: bool = False,
        score: tuple[float, float] = (0, 0),
        crawford_played: bool = False,
    ) -> None:
        self._rules = rules_of(rules)
        self._length = None if length is None else natural("length", length, 10**6)
        self._seed = fresh_seed() if seed is None else natural("seed", seed, 2**64 - 1)
        self._crawford = flag("crawford", crawford)
        self._limit = None if cube_limit is None else cube_number("cube_limit", cube_limit)
        self._jacoby, self._beaver = flag("jacoby", jacoby), flag("beaver", beaver)
        self._first_score = self._checked_score(score)
        self._crawford_played = flag("crawford_played", crawford_played)
        self._check()
        self._games: list[Game] = []
        self._before = [self._first_score]  # the score before each game
        self._games.append(self._new_game(None))

    def _check(self) -> None:
        """Refuse what does not go together."""
        if self._length == 0:
            msg = "length: expected 1 or more points, or None for a money session, got 0"
            raise InvalidArgument(msg)
        if self._length is not None and (self._jacoby or self._beaver):
            msg = "jacoby and beaver are switches of money sessions (length=None)"
            raise InvalidArgument(msg)
        if self._length is not None and max(self._first_score) >= self._length:
            msg = f"score: expected less than {self._length} points each, got {self._first_score}"
            raise InvalidArgument(msg)
        if self._crawford_played and not self._at_match_point(self._first_score):
            msg = f"crawford_played: no player needs one point or less at {self._first_score}"
            raise InvalidArgument(msg)

    def _at_match_point(self, score: tuple[float, float]) -> bool:
        """Whether a player needs a point or less."""
        return self._length is not None and self._length - max(score) <= 1

    def _checked_score(self, score: Any) -> tuple[float, float]:
        """Return the points of both players, halves only where the rules have them."""
        unit = 2 if self._rules.draw_points == 0.5 else 1
        try:
            first, second = score
            good = all(0 <= n < 10**6 and unit * n == int(unit * n) for n in (first, second))
        except (TypeError, ValueError):
            good = False
        if not good:
            kind = "multiples of a half" if unit == 2 else "whole numbers"
            msg = f"score: expected the points of both players, {kind} from 0, got {score!r}"
            raise InvalidArgument(msg)
        return whole(first), whole(second)

    # ------------------------------------------------------------------------------- questions

    @property
    def rules(self) -> Rules:
        """The game."""
        return self._rules

    @property
    def length(self) -> int | None:
        """Points to be reached; None for a money session."""
        return self._length

    @property
    def seed(self) -> int:
        """Of all dice."""
        return self._seed

    @property
    def games(self) -> tuple[Game, ...]:
        """All games, the last of them the current one."""
        return tuple(self._games)

    @property
    def game(self) -> Game:
        """The current game."""
        return self._games[-1]

    @property
    def results(self) -> tuple[Result, ...]:
        """The results of the games, up to the first that is not over."""
        return tuple(game.result for game in self._games if game.result is not None)

    @property
    def scores(self) -> list[tuple[float, float]]:
        """The score before each game, and after the last one that is over."""
        now = [self.score] if self._games and self.game.result is not None else []
        return [*self._before, *now]

    @property
    def score(self) -> tuple[float, float]:
        """The points of player 0 and player 1."""
        one, two = self._before[-1]
        result = self.game.result
        if result is None:
            return one, two
        mine, theirs = (result.points if result.winner in (who, None) else 0 for who in (0, 1))
        return whole(one + mine), whole(two + theirs)

    @property
    def over(self) -> bool:
        """Whether a player has the points of the match; a session never ends by itself."""
        return self._length is not None and max(self.score) >= self._length

    @property
    def result(self) -> MatchResult | None:
        """How the match ended; None while it is on."""
        if not self.over or self._length is None:
            return None
        there = [player for player in (0, 1) if self.score[player] >= self._length]
        return MatchResult(there[0] if len(there) == 1 else None, self.score)

    @property
    def winner(self) -> int | None:
        """Who has won the match; None while it is on and for a tied match."""
        return None if self.result is None else self.result.winner

    @property
    def stage(self) -> Literal["normal", "crawford", "post_crawford"]:
        """What the current game is: the Crawford game, one after it, or neither."""
        at = self._crawford_at()
        now = len(self._games) - 1
        if at is None or now < at:
            return "normal"
        return "crawford" if now == at else "post_crawford"

    @property
    def crawford(self) -> bool:
        """Whether the current game is the Crawford game."""
        return self.stage == "crawford"

    def _crawford_at(self) -> int | None:
        """Which game is the Crawford game, -1 for one before the start; None while there is none.

        The first one that begins when a player needs a point or less (rules.md, section 5.6).
        """
        if self._length is None or self._length == 1 or not (self._crawford and self._rules.cube):
            return None
        if self._crawford_played:
            return -1
        scores = self.scores
        number = bisect_left(scores, True, key=self._at_match_point)  # points are never lost
        return number if number < len(scores) else None

    def context(self) -> "Context":
        """Say where the match stands in one value, which any notation can write.

        Returns
        -------
        Context
            That of the current game, with score, length and Crawford game.

        Raises
        ------
        IllegalAct
            Within a cascade, after its first stage, and while a beaver is unanswered.
        """
        one, two = self._before[-1]
        score = (two, one) if self.game.on_roll == 1 else (one, two)
        return self.game.context(match_length=self._length, score=score, crawford=self.crawford)

    # ------------------------------------------------------------------------------------ acts

    def _new_game(self, starter: int | None) -> Game:
        """Make the game that is next by the score."""
        number = len(self._games)
        cube = self._rules.cube and self._length != 1 and self._crawford_at() != number
        return Game(
            self._rules,
            self._seed,
            starter=starter,
            cube=cube,
            cube_limit=self._limit,
            jacoby=self._jacoby,
            beaver=self._beaver,
            number=number,
        )

    def next_game(self) -> Game:
        """Begin the next game, with the starter that the rules say (rules.md, section 3.2).

        Returns
        -------
        Game
            The new current game.

        Raises
        ------
        IllegalAct
            If the current game is not over, or the match is.
        """
        if self.over:
            msg = f"cannot begin another game: the match is over, {self.score[0]}-{self.score[1]}"
            raise IllegalAct(msg)
        last = self.game
        if last.result is None:
            msg = f"cannot begin another game: {last.to_play}"
            raise IllegalAct(msg, last.to_play.acts)
        game, score = self._new_game(self._next_starter(last, last.result)), self.score
        self._games.append(game)
        self._before.append(score)
        last._closed = True
        return self.game

    def undo(self) -> Event | None:
        """Take the last act back, or the beginning of a game in which nothing was done.

        Returns
        -------
        Event or None
            What was taken back; None for the beginning of a game.

        Raises
        ------
        IllegalAct
            If nothing was done yet.
        """
        if len(self._games) == 1 or self.game.history:
            return self.game.undo()
        self._games.pop()
        self._before.pop()
        self.game._closed = False
        return None

    def _next_starter(self, last: Game, result: Result) -> int | None:
        """Return who starts after a game; None where the lot is thrown again.

        After a draw the winner's start falls back to the other player's.
        """
        if self._rules.next_starter == "winner" and result.winner is not None:
            return result.winner
        if self._rules.next_starter == "lot" or last.starter is None:
            return None
        return 1 - last.starter

    # ---------------------------------------------------------------------------------- values

    def to_dict(self) -> dict[str, Any]:
        """Write the match as plain data that `from_dict` reads and JSON can hold.

        Returns
        -------
        dict
            `format`, `version`, what the constructor was given, and `games`: the events of each.
        """
        return {
            "format": FORMAT,
            "version": VERSION,
            "rules": rules_data(self._rules),
            "length": self._length,
            "seed": self._seed,
            "crawford": self._crawford,
            "cube_limit": self._limit,
            "jacoby": self._jacoby,
            "beaver": self._beaver,
            "score": list(self._first_score),
            "crawford_played": self._crawford_played,
            "games": [game.to_dict()["events"] for game in self._games],
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> "Match":
        """Read what `to_dict` wrote: every act is done again, before the referee.

        Parameters
        ----------
        data : mapping
            The match as plain data.

        Returns
        -------
        Match
            An equal match.

        Raises
        ------
        ParseError
            If it is no match, or of a version that is not known.
        NardyError
            If an act is illegal; notes on the error count game and act.
        """
        head = checked_data(data, FORMAT, VERSION)
        try:
            rules = data_rules(head.pop("rules"))
            games = [list(events) for events in head.pop("games")]
            match = cls(rules, **head)
        except (KeyError, TypeError) as error:
            msg = f"no match can be made of this: {error}"
            raise ParseError(msg) from None
        for count, events in enumerate(games, 1):
            try:
                if count > 1:
                    match.next_game()
                match.game.replay(events)
            except ValueError as error:
                error.add_note(f"in game {count} of the match")
                raise
        return match

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Match):
            return NotImplemented
        return self._rules == other._rules and self.to_dict() == other.to_dict()

    __hash__ = None  # type: ignore[assignment]  # it changes

    def __copy__(self) -> "Match":
        other = Match.__new__(type(self))
        other.__dict__.update(self.__dict__)
        other._games, other._before = [game.copy() for game in self._games], list(self._before)
        for game in other._games[:-1]:
            game._closed = True
        return other

    def __deepcopy__(self, memo: dict[int, Any]) -> "Match":
        return self.__copy__()

    def copy(self) -> "Match":
        """Return a match that goes its own way from here."""
        return self.__copy__()

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self).from_dict, (self.to_dict() | {"rules": self._rules},)

    def __repr__(self) -> str:
        what = "session" if self._length is None else f"to {self._length}"
        one, two = self.score
        return f"<Match {rules_text(self._rules)} {what}, {one}-{two}, game {len(self._games)}>"
