"""One game with a referee: who must do what now, whether it may be done, and what comes of it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from nardy.arguments import (
    MOST_CUBE,
    checked_data,
    cube_number,
    data_rules,
    flag,
    fresh_seed,
    natural,
    pair,
    rules_data,
    seat,
    text_of_play,
    whole,
    win_kind,
)
from nardy.drawing import Plays
from nardy.plays import illegal, judge, read_play
from nardy.position import Kind, Play, Position
from nardy.text import rules_text
from nardy.variants import rules_of
from nardy_core import batch
from nardy_core.errors import IllegalAct, InvalidArgument, ParseError
from nardy_core.flow import Flow, opening, thrown
from nardy_core.rules import Rules

if TYPE_CHECKING:
    from nardy.context import Context

__all__ = ["Event", "Game", "Result", "ToPlay"]

Act = Literal["lot", "roll", "play", "offer", "take", "beaver", "drop", "resign"]

CUBE_ACTS = ("offer", "take", "drop", "beaver")

FORMAT = "nardy-game"
VERSION = 1


class Result(NamedTuple):
    """How a game ended.

    Attributes
    ----------
    winner : int or None
        Player 0 or 1; None for a draw.
    kind : Kind
        What it was won by; a dropped cube is a single win.
    points : float
        What the winner scores, the cube counted; in a draw what each player scores.
    """

    winner: int | None
    kind: Kind
    points: float


class ToPlay(NamedTuple):
    """Who must do what now.

    Attributes
    ----------
    player : int or None
        Player 0 or 1; None when both throw for the start, and when the game is over.
    acts : tuple of str
        The names of the methods of `Game` that are in turn, `resign` and `undo` apart. Empty when
        the game is over.
    """

    player: int | None
    acts: tuple[str, ...]

    def __str__(self) -> str:
        if not self.acts:
            return "the game is over"
        who = "both players are" if self.player is None else f"player {self.player} is"
        return f"{who} to {' or '.join(self.acts)}"


@dataclass(frozen=True, slots=True)
class Event:
    """Something that was done in a game.

    Attributes
    ----------
    act : str
        ``lot`` (a die each for the start), ``roll``, ``play``, ``offer``, ``take``, ``beaver``,
        ``drop`` or ``resign``.
    player : int or None
        Who did it; None for the lot, which both throw.
    dice : tuple of two ints or None
        Of a roll or a play; of the lot the die of player 0 and of player 1.
    play : Play or None
        What was played.
    remainder : bool
        Whether the play is a stage that the opponent's cascade left.
    kind : Kind or None
        What was resigned, as the rules count it.
    """

    act: Act
    player: int | None
    dice: tuple[int, int] | None = None
    play: Play | None = None
    remainder: bool = False
    kind: Kind | None = None

    def __str__(self) -> str:
        who = "lot" if self.player is None else f"player {self.player}"
        what: list[str] = [] if self.player is None or self.act == "play" else [self.act]
        if self.dice is not None:
            what.append(f"{self.dice[0]}-{self.dice[1]}")
        if self.play is not None:
            what.append(str(self.play))
        if self.kind is not None:
            what.append(self.kind.name.lower())
        return f"{who}: {' '.join(what)}"


class _State(NamedTuple):
    """Where a game stands between two acts."""

    flow: Flow | None  # None before the opening
    starter: int | None
    cube_value: int
    cube_owner: int | None
    cube_turned: bool
    offers: int = 0  # 1: a cube is offered, 2: and beavered; nobody rolls before the answer
    result: Result | None = None

    @property
    def player(self) -> int | None:
        """Who is on roll."""
        if self.flow is None or self.starter is None:
            return None
        return self.flow.mover ^ self.starter


class Game:
    """One game from the opening to the result, with a referee. Mutable.

    Players are 0 and 1. Every act has a method; one that is not in turn raises `IllegalAct`, a play
    that the rules forbid raises `IllegalPlay`, and neither changes anything. Passes are played too:
    ``game.play()`` makes the only play there is. In a cascade game each stage of a double is a play
    of its own, and so is each stage of a remainder.

    Parameters
    ----------
    rules : Rules or str
        The game, or the name of a variant.
    seed : int, optional
        Of the dice, 0 to 2**64 - 1. Default: a fresh one, kept in `seed`. They are the dice of
        `nardy.batch.playout` with this seed, where player 0 is whoever starts.
    starter : int, optional
        Who starts. Default: the lot decides, a die each, thrown again while they are alike.
    position : Position, optional
        Where to begin, with `starter` (default: player 0) on roll. Default: the opening, where the
        rules may make the dice of the lot those of the first turn, never a double.
    cube : bool, optional
        Whether there is a cube in this game. Default: as the rules say; they cannot be exceeded.
    cube_limit : int, optional
        The highest value of the cube. Default: 2**30, the most that a context holds.
    cube_value, cube_owner : int, optional
        The cube at the start: 1 in the middle (None) by default, and where there is no cube.
    jacoby : bool
        Whether mars and koks count only once the cube has been turned. Where there is no cube this
        and `beaver` change nothing.
    beaver : bool
        Whether who is offered the cube may double it at once and keep it.
    number : int
        Which game of the seed's dice: the games of a match count from 0.

    Attributes
    ----------
    rules : Rules
        The game.
    seed, number : int
        What the dice come from.

    Raises
    ------
    UnknownVariant, InvalidArgument
        If there is no such game; if another argument is not of its kind.

    Examples
    --------
    >>> import nardy
    >>> game = nardy.Game("short", seed=4)
    >>> print(game.to_play)
    both players are to roll
    >>> game.roll((3, 1))
    (3, 1)
    >>> game.play("8/5 6/5")
    <Play 8/5 6/5>
    >>> print(game.to_play)
    player 1 is to roll or offer
    >>> game.offer()
    >>> game.drop()
    >>> game.result
    Result(winner=1, kind=<Kind.SINGLE: 1>, points=1)
    """

    def __init__(
        self,
        rules: Rules | str,
        seed: int | None = None,
        *,
        starter: int | None = None,
        position: Position | None = None,
        cube: bool | None = None,
        cube_limit: int | None = None,
        cube_value: int = 1,
        cube_owner: int | None = None,
        jacoby: bool = False,
        beaver: bool = False,
        number: int = 0,
    ) -> None:
        self._rules = rules_of(rules)
        self._seed = fresh_seed() if seed is None else natural("seed", seed, 2**64 - 1)
        self._number = natural("number", number, 2**63)
        self._begin = position
        self._cube = self._rules.cube if cube is None else flag("cube", cube)
        if self._cube and not self._rules.cube:
            msg = f"cube: there is no cube in {self._rules.name}"
            raise InvalidArgument(msg)
        self._limit = None if cube_limit is None else cube_number("cube_limit", cube_limit)
        self._jacoby, self._beaver = flag("jacoby", jacoby), flag("beaver", beaver)
        value, owner = cube_number("cube_value", cube_value), seat("cube_owner", cube_owner)
        turned = value > 1 or owner is not None
        if turned and not self._cube:
            msg = f"cube_value, cube_owner: there is no cube here, got {value} and {owner}"
            raise InvalidArgument(msg)
        flow, starter = self._first(position, seat("starter", starter))
        self._states = [self._judged(_State(flow, starter, value, owner, turned))]
        self._events: list[Event] = []
        self._known: tuple[Flow | None, list[Play]] = (None, [])  # see _listed
        self._resumed: dict[str, Any] | None = None  # see from_context
        self._closed = False  # a match has gone on to the next game

    def _first(self, position: Position | None, starter: int | None) -> tuple[Flow | None, Any]:
        """Where it begins, if that is known before the lot, and who starts."""
        if position is None:
            return (None, None) if starter is None else (Flow(self._rules), starter)
        if not isinstance(position, Position) or position.rules != self._rules:
            msg = f"position: expected a Position of {self._rules.name}, got {position!r}"
            raise InvalidArgument(msg)
        return Flow(self._rules, position.board), starter or 0

    # ------------------------------------------------------------------------------- questions

    @property
    def rules(self) -> Rules:
        """The game."""
        return self._rules

    @property
    def seed(self) -> int:
        """Of the dice."""
        return self._seed

    @property
    def number(self) -> int:
        """Which game of the seed's dice."""
        return self._number

    @property
    def _state(self) -> _State:
        return self._states[-1]

    @property
    def _flow(self) -> Flow:
        flow = self._state.flow
        return Flow(self._rules) if flow is None else flow

    @property
    def starter(self) -> int | None:
        """Who starts: 0, 1, or None before the lot has decided."""
        return self._state.starter

    @property
    def on_roll(self) -> int | None:
        """Whose board `position` is: 0, 1, or None before the lot has decided."""
        return self._state.player

    @property
    def position(self) -> Position:
        """The board, in the view of the player on roll (of the loser when all is over)."""
        return Position._legal(self._rules, np.frombuffer(self._flow.board, np.int8))

    @property
    def dice(self) -> tuple[int, int] | None:
        """What is to be played, or None; a stage of a cascade is a double."""
        return None if self._state.result else self._flow.dice

    @property
    def steps(self) -> int | None:
        """How many steps `dice` are: 2, or 4 for a double; of a stage, what is to be played of it.

        None where `dice` is None.
        """
        if self.dice is None:
            return None
        return 2 if self.dice[0] != self.dice[1] else int(self._flow.stage["steps"])

    @property
    def remainder(self) -> bool:
        """Whether what is to be played was left by the opponent's cascade."""
        return self._flow.remainder and self.dice is not None

    @property
    def last_turn(self) -> bool:
        """Whether the first mover has finished and the other has one more turn."""
        return self._flow.last_turn and self.result is None

    @property
    def turns(self) -> int:
        """Rolls thrown for turns so far; a remainder has none."""
        return self._flow.turns

    @property
    def cube_value(self) -> int:
        """The cube: 1, 2, 4 and so on."""
        return self._state.cube_value

    @property
    def cube_owner(self) -> int | None:
        """Who owns the cube; None while it is in the middle."""
        return self._state.cube_owner

    @property
    def offered(self) -> bool:
        """Whether a cube is offered and not yet answered."""
        return self._state.offers > 0

    @property
    def result(self) -> Result | None:
        """How the game ended; None while it is on."""
        return self._state.result

    @property
    def history(self) -> tuple[Event, ...]:
        """All that was done, in order."""
        return tuple(self._events)

    @property
    def to_play(self) -> ToPlay:
        """Who must do what now."""
        state = self._state
        if state.result is not None:
            return ToPlay(None, ())
        if state.player is None or state.flow is None:
            return ToPlay(None, ("roll",))
        if state.offers:
            return ToPlay(state.player ^ (state.offers & 1), self._answers())
        if state.flow.act == "play":
            return ToPlay(state.player, ("play",))
        return ToPlay(state.player, ("roll", "offer") if self._may_offer() else ("roll",))

    def _answers(self) -> tuple[str, ...]:
        """List what may be said to an offered cube."""
        may_beaver = self._beaver and self._state.offers == 1 and self._within(4)
        return ("take", "drop", "beaver") if may_beaver else ("take", "drop")

    def _within(self, times: int) -> bool:
        """Whether the cube may come to this many times its value."""
        return times * self._state.cube_value <= (self._limit or MOST_CUBE)

    def _may_offer(self) -> bool:
        """Whether the player to roll may offer the cube (5.5)."""
        state = self._state
        mine = state.cube_owner is None or state.cube_owner == state.player
        now = not (self._flow.last_turn or self._has_lot_dice())
        return self._cube and mine and self._within(2) and now

    def _has_lot_dice(self) -> bool:
        """Whether the turn to come is the first one and has the dice of the lot (3.1)."""
        return self._rules.opening == "lot" and self._begin is None and self._flow.turns == 0

    def _stake(self) -> int:
        """Return what the cube counts now: a beaver has accepted the value that was offered."""
        return self._state.cube_value << (self._state.offers == 2)

    def plays(self) -> list[Play]:
        """List the legal plays of the roll, or of the stage of a cascade.

        Returns
        -------
        list of Play
            As `Position.plays`; a pass is one play without steps.

        Raises
        ------
        IllegalAct
            If no roll is to be played.

        Examples
        --------
        >>> from nardy import Game
        >>> game = Game("long", starter=0)
        >>> game.roll((6, 6))
        (6, 6)
        >>> game.plays()
        [<Play 24/18(2)>]
        """
        self._expect("play")
        return Plays(self._listed())

    def _thrown(self) -> tuple[int, int]:
        dice = self._flow.dice
        assert dice is not None  # asked only when a roll is to be played
        return dice

    def _listed(self) -> list[Play]:
        """List the plays of what is to be played, once."""
        flow = self._flow
        if self._known[0] is not flow:
            plays = batch.plays_of(self.position, *self._thrown(), Play, Plays(), **flow.stage)
            self._known = (flow, plays)
        return self._known[1]

    def choose(self, policy: str = "heuristic") -> Play:
        """Return the play that a policy of `nardy.batch.playout` makes, without making it.

        Parameters
        ----------
        policy : {"heuristic", "random"}
            Who chooses. A random choice depends on the seed and the turn alone.

        Returns
        -------
        Play
            One of `plays`.

        Raises
        ------
        IllegalAct, InvalidArgument
            If no roll is to be played; if there is no such policy.
        """
        self._expect("play")
        plays = self._listed()
        after = self._flow.choose(policy, self._seed, self._number)
        return next(play for play in plays if play.after_bytes == after)

    # ------------------------------------------------------------------------------------ acts

    def _expect(self, act: str) -> int | None:
        """Who may do this; an error if it is not in turn."""
        due = self.to_play
        if act not in due.acts:
            none = "" if self._cube or act not in CUBE_ACTS else "; there is no cube in this game"
            msg = f"cannot {act}: {due}{none}"
            raise IllegalAct(msg, due.acts)
        return due.player

    def _done(self, event: Event, **changes: Any) -> None:
        """Keep what was done and where it leads."""
        state = self._judged(self._state._replace(**changes))
        self._states.append(state)
        self._events.append(event)

    def _judged(self, state: _State) -> _State:
        """Add the result if the board is finished or nobody can ever play again."""
        flow = state.flow
        if state.result is not None or flow is None:
            return state
        if flow.is_stuck():
            return state._replace(result=Result(None, Kind.DRAW, 0))
        if flow.act != "over":
            return state
        if flow.winner < 0 or state.starter is None:
            draw = Result(None, Kind.DRAW, whole(self._rules.draw_points))
            return state._replace(result=draw)
        turned = state.cube_turned
        won = self._win(flow.winner ^ state.starter, flow.kind, state.cube_value, turned)
        return state._replace(result=won)

    def _win(self, winner: int, kind: int, cube: int, turned: bool) -> Result:
        """Score a win; `kind` as in `Flow.kind`, 4 for a home mars."""
        if self._jacoby and self._cube and not turned:
            kind = 1
        return Result(winner, Kind(min(kind, 3)), whole(cube * batch.worth(self._rules)[kind]))

    def roll(self, dice: tuple[int, int] | None = None) -> tuple[int, int]:
        """Throw the dice: at the start a die each, then those of a turn.

        Parameters
        ----------
        dice : pair of int, optional
            What was thrown. Default: the seed's dice. At the start the die of player 0, then that
            of player 1; if they are alike nothing is decided, and both throw again.

        Returns
        -------
        tuple of two ints
            The dice.

        Raises
        ------
        IllegalAct
            If it is not the time to roll.
        InvalidArgument
            If there are no such dice; if they are a double where the rules exclude it.

        Examples
        --------
        >>> from nardy import Game
        >>> game = Game("long", seed=1)
        >>> game.roll((2, 5))
        (2, 5)
        >>> print(game.to_play)
        player 1 is to roll
        """
        player = self._expect("roll")
        if player is None:
            return self._draw_lots(dice)
        flow, lot = self._flow, self._has_lot_dice()
        two = thrown(self._seed, self._number, flow.turns, lot) if dice is None else pair(dice)
        if lot and two[0] == two[1]:
            msg = f"expected the two different dice of the lot, got {two[0]}-{two[1]}"
            raise InvalidArgument(msg)
        self._done(Event("roll", player, two), flow=flow.throw(*two))
        return two

    def _draw_lots(self, dice: tuple[int, int] | None) -> tuple[int, int]:
        """Throw a die each for the start (3.1)."""
        two = opening(self._rules, self._seed, self._number) if dice is None else pair(dice)
        event = Event("lot", None, two)
        if two[0] == two[1]:
            self._done(event)
            return two
        flow = Flow(self._rules)
        if self._rules.opening == "lot":
            flow = flow.throw(max(two), min(two))
        self._done(event, flow=flow, starter=int(two[1] > two[0]))
        return two

    def play(self, play: str | Play | None = None) -> Play:
        """Play the roll, or the stage of a cascade.

        Parameters
        ----------
        play : str or Play, optional
            One of `plays`, or its text as `Position.play` reads it. Default: the only play there
            is, such as a pass.

        Returns
        -------
        Play
            What was played.

        Raises
        ------
        IllegalAct
            If no roll is to be played; if `play` is left out and there are several.
        IllegalPlay, ParseError
            If the rules forbid it; if it is no text of a play.

        Examples
        --------
        >>> from nardy import Game
        >>> game = Game("mad_gulbar", starter=0)
        >>> game.roll((5, 5))
        (5, 5)
        >>> game.play("24/14")
        <Play 24/14>
        >>> game.dice, str(game.to_play)
        ((6, 6), 'player 0 is to play')
        """
        player = self._expect("play")
        made = self._find(play)
        flow = self._flow
        event = Event("play", player, flow.dice, made, flow.remainder)
        self._done(event, flow=flow.play(made))
        return made

    def _find(self, play: str | Play | None) -> Play:
        """Find the play of the roll that is meant."""
        plays = self._listed()
        if play is None:
            if len(plays) > 1:
                msg = f"cannot play without saying what: there are {len(plays)} plays"
                raise IllegalAct(msg, ("play",))
            return plays[0]
        if isinstance(play, Play):
            if play.turn is plays[0].turn:
                return play
            if play in plays:
                return plays[plays.index(play)]
            play = str(play)
        turn = plays[0].turn
        verdict = judge(turn, read_play(text_of_play(play)))
        if verdict.reason is not None:
            raise illegal(turn, play, verdict.reason, verdict)
        return plays[verdict.number]

    def offer(self) -> None:
        """Offer the cube, before rolling.

        Raises
        ------
        IllegalAct
            If it is not the time, or the cube is not there for this player (rules.md, section 5.5).
        """
        player = self._expect("offer")
        self._done(Event("offer", player), offers=1)

    def take(self) -> None:
        """Take the cube that is offered: it doubles and belongs to who takes it.

        After a beaver it stays with who beavered, at four times its value before the offer.

        Raises
        ------
        IllegalAct
            If no cube is offered.
        """
        player = self._expect("take")
        state = self._state
        assert state.player is not None
        self._done(
            Event("take", player),
            cube_value=state.cube_value << state.offers,
            cube_owner=1 - state.player,
            cube_turned=True,
            offers=0,
        )

    def beaver(self) -> None:
        """Take the cube that is offered, double it at once and keep it (sessions that allow it).

        Who offered must now take the doubled cube, or drop at the value of the offer.

        Raises
        ------
        IllegalAct
            If no cube is offered, beavers are not allowed, or the cube would pass its limit.
        """
        player = self._expect("beaver")
        self._done(Event("beaver", player), offers=2)

    def drop(self) -> None:
        """Refuse the cube that is offered: the other wins a single game at the value before it.

        Raises
        ------
        IllegalAct
            If no cube is offered.
        """
        player = self._expect("drop")
        assert player is not None
        result = self._win(1 - player, Kind.SINGLE, self._stake(), True)
        self._done(Event("drop", player), offers=0, result=result)

    def resign(self, kind: Kind | str | int = Kind.SINGLE, *, player: int | None = None) -> None:
        """Give the game up. It ends at once: whether the other agrees is asked before.

        It costs the value of the cube before an offer that is not answered; once there is a beaver,
        the value that was offered.

        Parameters
        ----------
        kind : Kind, str or int
            What is given up: a single game, ``"mars"`` or ``"koks"``. A kind that the rules do not
            count apart falls back to the next lower one.
        player : int, optional
            Who resigns, in turn or not. Default: who must act now.

        Raises
        ------
        IllegalAct
            If the game is over, or not yet begun and `player` is left out.
        InvalidArgument
            If there is no such kind or player.
        """
        due = self.to_play
        who = seat("player", player)
        who = due.player if who is None else who
        if self.result is not None or who is None:
            msg = f"cannot resign: {due}"
            raise IllegalAct(msg, due.acts)
        turned = self._state.cube_turned or self._state.offers == 2
        counted = self._counted(win_kind(kind))
        result = self._win(1 - who, counted, self._stake(), turned)
        self._done(Event("resign", who, kind=result.kind), offers=0, result=result)

    def _counted(self, kind: Kind) -> int:
        """Return the kind that the rules count, as in `Flow.kind`."""
        _, mars, koks = self._rules.points
        if kind == Kind.KOKS and self._rules.home_mars:
            return 4
        if kind == Kind.KOKS and koks:
            return 3
        return 2 if kind >= Kind.MARS and mars else 1

    def context(
        self,
        *,
        match_length: int | None = None,
        score: tuple[float, float] = (0, 0),
        crawford: bool = False,
    ) -> "Context":
        """Say where the game stands in one value, which any notation can write.

        Parameters
        ----------
        match_length, score, crawford
            What a game alone does not know, see `Match.context`; the score as the player on roll
            has it.

        Returns
        -------
        Context
            Position, dice, cube, what is offered, the remainder of a cascade, and who started.

        Raises
        ------
        IllegalAct
            Within a cascade, after its first stage: what was played before decides there, too.
        InvalidArgument
            If the score does not go with the rules.

        Examples
        --------
        >>> from nardy import Game
        >>> game = Game("short", starter=0)
        >>> game.roll((3, 1))
        (3, 1)
        >>> game.context().text()
        'short 24:2 13:5 8:3 6:5 | 24:2 13:5 8:3 6:5; dice 3-1; starter me'
        """
        from nardy.context import Context  # few games are asked; importing nardy leaves it out

        state, flow = self._state, self._flow
        if flow.within_cascade or state.offers == 2:
            what = "after the first stage of a cascade" if flow.within_cascade else "of a beaver"
            msg = f"there is no context {what}: {self.to_play}"
            raise IllegalAct(msg, self.to_play.acts)

        def seen(player: int | None) -> Literal["me", "opponent"] | None:
            return None if player is None else "me" if player == state.player else "opponent"

        return Context(
            self.position,
            None if flow.remainder else self.dice,
            state.cube_value,
            seen(state.cube_owner),
            match_length,
            score,
            crawford,
            self._jacoby and self._rules.cube,
            beaver=self._beaver and self._rules.cube,
            cube_limit=self._limit if self._rules.cube else None,
            offer="double" if state.offers else None,
            remainder=flow.left,
            starter=seen(state.starter),
        )

    @classmethod
    def from_context(
        cls, context: "Context", seed: int | None = None, *, number: int = 0
    ) -> "Game":
        """Begin where a context stands. Player 0 is the player on roll.

        Parameters
        ----------
        context : Context
            Position, dice, cube, an offered double, the remainder of a cascade, and who started
            (player 0 if it does not say). Score and match length are left to a match; in its
            Crawford game there is no cube.
        seed, number
            As for a new game.

        Returns
        -------
        Game
            A game without history.

        Raises
        ------
        InvalidArgument
            If the context offers to lose the game, which is no state of a game here.
        IllegalAct
            If it offers a double where none may be offered, as in the last turn.

        Examples
        --------
        >>> import nardy
        >>> late = nardy.Context.from_text("short 6:2 | 6:2; dice 6-1; cube 2 me")
        >>> game = nardy.Game.from_context(late)
        >>> game.play("6/off 6/5"), game.cube_owner, str(game.to_play)
        (<Play 6/off 6/5>, 0, 'player 1 is to roll')
        """
        from nardy.context import Context

        if not isinstance(context, Context) or context.offer not in (None, "double"):
            msg = f"context: expected a Context without a resignation, got {context!r}"
            raise InvalidArgument(msg)
        rules = context.position.rules
        no_cube = context.crawford or context.match_length == 1
        owner = {"me": 0, "opponent": 1, None: None}[context.cube_owner]
        game = cls(
            rules,
            seed,
            position=context.position,
            starter=int(context.starter == "opponent"),
            cube=False if no_cube else None,
            cube_limit=context.cube_limit,
            cube_value=context.cube_value,
            cube_owner=owner,
            jacoby=context.jacoby,
            beaver=context.beaver,
            number=number,
        )
        game._resume(context.dice, context.remainder, context.offer == "double")
        return game

    def _resume(self, dice: tuple[int, int] | None, left: tuple[int, ...], offered: bool) -> None:
        """Make what was under way the start of this game."""
        state = self._state
        flow = Flow(
            self._rules,
            self.position.board,
            mover=state.starter or 0,
            left=left,
            last_turn=self._rules.draw_points > 0 and state.starter == 1,
        )
        if dice is not None:
            flow = flow.throw(*dice)
        self._resumed = {"dice": dice and list(dice), "left": list(left), "offered": offered}
        self._states = [self._judged(state._replace(flow=flow, result=None))]
        if offered:
            self._expect("offer")
            self._states = [self._state._replace(offers=1)]

    def undo(self) -> Event:
        """Take the last act back. The seed's dice come again when they are thrown again.

        Returns
        -------
        Event
            What was taken back.

        Raises
        ------
        IllegalAct
            If nothing was done yet; if the match has gone on to the next game (`Match.undo`).
        """
        if self._closed:
            msg = "cannot undo: the match has gone on to the next game"
            raise IllegalAct(msg)
        if not self._events:
            msg = f"cannot undo: nothing was done yet, {self.to_play}"
            raise IllegalAct(msg, self.to_play.acts)
        self._states.pop()
        return self._events.pop()

    # ---------------------------------------------------------------------------------- values

    def to_dict(self) -> dict[str, Any]:
        """Write the game as plain data that `from_dict` reads and JSON can hold.

        Returns
        -------
        dict
            `format`, `version`, `rules`, `seed`, what the constructor was given, and `events`: one
            list an act, with its name first.
        """
        first = self._states[0]
        return {
            "format": FORMAT,
            "version": VERSION,
            "rules": rules_data(self._rules),
            "seed": self._seed,
            "number": self._number,
            "starter": first.starter,
            "position": None if self._begin is None else self._begin.board.tolist(),
            "cube": self._cube,
            "cube_limit": self._limit,
            "cube_value": first.cube_value,
            "cube_owner": first.cube_owner,
            "jacoby": self._jacoby,
            "beaver": self._beaver,
            **({} if self._resumed is None else {"resumed": self._resumed}),
            "events": [_event_data(event) for event in self._events],
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> "Game":
        """Read what `to_dict` wrote: every act is done again, before the referee.

        Parameters
        ----------
        data : mapping
            The game as plain data.

        Returns
        -------
        Game
            An equal game.

        Raises
        ------
        ParseError
            If it is no game, or of a version that is not known.
        NardyError
            If an act is illegal; a note on the error counts it.
        """
        head = checked_data(data, FORMAT, VERSION)
        try:
            rules = data_rules(head.pop("rules"))
            events = head.pop("events")
            board = head.pop("position")
            position = None if board is None else Position(rules, board)
            resumed = head.pop("resumed", None)
            game = cls(rules, position=position, **head)
            if resumed is not None:
                dice = resumed["dice"] and pair(resumed["dice"])
                game._resume(dice, tuple(resumed["left"]), flag("offered", resumed["offered"]))
        except (KeyError, TypeError) as error:
            msg = f"no game can be made of this: {error}"
            raise ParseError(msg) from None
        game.replay(events)
        return game

    def replay(self, events: Iterable[Sequence[Any]]) -> None:
        """Do again what the `events` of `to_dict` say, before the referee.

        Parameters
        ----------
        events : iterable of sequences
            Acts, each with its name first.

        Raises
        ------
        ParseError, NardyError
            If one is no act; if one is illegal. Those before it stay done; a note on the error
            counts them.
        """
        try:
            listed = [(str(event[0]), list(event[1:])) for event in events]
        except (TypeError, LookupError) as error:
            msg = f"expected a list of acts, each a list: {error}"
            raise ParseError(msg) from None
        for count, (act, arguments) in enumerate(listed, 1):
            try:
                self._again(act, arguments)
            except ValueError as error:
                error.add_note(f"in act {count} of the game: {[act, *arguments]}")
                raise

    def _again(self, act: str, arguments: list[Any]) -> None:
        """Do what one entry of the events says."""
        match act, arguments:
            case "lot" | "roll", [dice]:
                self._expect_lot(act == "lot")
                self.roll(pair(dice))
            case "play", [str(text)]:
                self.play(text)
            case (("offer" | "take" | "beaver" | "drop"), []):
                getattr(self, act)()
            case "resign", [player, kind]:
                self.resign(kind, player=player)
            case _:
                msg = f"no act of a game: {[act, *arguments]!r}"
                raise ParseError(msg)

    def _expect_lot(self, lot: bool) -> None:
        """Refuse a lot where a turn is to be rolled, and the other way round."""
        if lot != (self.starter is None):
            msg = f"cannot {'throw for the start' if lot else 'roll'}: {self.to_play}"
            raise IllegalAct(msg, self.to_play.acts)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Game):
            return NotImplemented
        return self._rules == other._rules and self.to_dict() == other.to_dict()

    __hash__ = None  # type: ignore[assignment]  # it changes

    def __copy__(self) -> "Game":
        other = Game.__new__(type(self))
        other.__dict__.update(self.__dict__)
        other._states, other._events = list(self._states), list(self._events)
        other._closed = False
        return other

    def __deepcopy__(self, memo: dict[int, Any]) -> "Game":
        return self.__copy__()

    def copy(self) -> "Game":
        """Return a game that goes its own way from here."""
        return self.__copy__()

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self).from_dict, (self.to_dict() | {"rules": self._rules},)

    def __repr__(self) -> str:
        state = self.result or self.to_play
        return f"<Game {rules_text(self._rules)}, {self.turns} turns, {state}>"


def _event_data(event: Event) -> list[Any]:
    """Write one event as a list."""
    if event.act in ("lot", "roll"):
        return [event.act, list(event.dice or ())]
    if event.act == "play":
        return ["play", str(event.play)]
    if event.act == "resign":
        return ["resign", event.player, int(event.kind or Kind.SINGLE)]
    return [event.act]
