"""Games and matches that hypothesis makes up, act by act, beside plain models of both.

The models are written from rules.md (sections 3, 5, 9, 10); the plays come from the slow judge.
"""

import copy
import json
import pickle
from dataclasses import dataclass, field
from functools import lru_cache

import pytest
import reference as ref
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
)
from pairs import build

from nardy import Game, IllegalAct, Match, batch

RULES = {
    "short": ref.rules("short"),
    "long_fnr": ref.rules("long_fnr"),
    "mad_gulbar": ref.rules("mad_gulbar"),
    "short, near home": ref.rules("short", start={7: 1, 3: 2}, draw_points=1),
    "tavla, near home": ref.rules("tavla", start={20: 1, 3: 2}),
    "nardegammon, near home": ref.rules("nardegammon", start={7: 1, 5: 2}, draw_points=0.5),
    "gulbar, two checkers": ref.rules("mad_gulbar", start={24: 2}, draw_points=1, cube=True),
    "gulbar, near home": ref.rules("mad_gulbar", start={10: 1, 7: 1, 2: 2}, draw_points=0.5),
    "gulbar, four steps, lost": ref.rules(
        "mad_gulbar", start={14: 2, 3: 1}, cascade=4, remainder="lost", opening="lot"
    ),
}
OURS = {name: build(theirs) for name, theirs in RULES.items()}
WAYS = ("json", "pickle", "copy", "deepcopy")
FACES = st.integers(1, 6)


def again(value, way):
    """The same value by way of something else."""
    if way == "json":
        return type(value).from_dict(json.loads(json.dumps(value.to_dict())))
    if way == "pickle":
        return pickle.loads(pickle.dumps(value))
    return value.copy() if way == "copy" else copy.deepcopy(value)


@lru_cache(maxsize=4_000)
def legal(name, board, dice, steps, head_used, exception):
    return ref.legal_plays(RULES[name], board, dice, steps, head_used, exception)


@dataclass
class Plain:
    """A plain model of one game."""

    name: str
    jacoby: bool = False
    beaver: bool = False
    limit: int | None = None
    board: tuple = ()
    starter: int | None = None
    player: int | None = None  # on roll
    phase: str = "lot"  # roll, play, offered, beavered, over
    dice: tuple | None = None
    stages: list = field(default_factory=list)  # (die, steps) of a cascade, the current one first
    head_used: int = 0
    own: bool = True  # False in a remainder
    first: bool = True  # stage of a turn
    turns: int = 0
    last_turn: bool = False
    cube: int = 1
    owner: int | None = None
    turned: bool = False
    result: tuple | None = None

    def __post_init__(self):
        self.rules = RULES[self.name]
        self.board = ref.start(self.rules)

    def begin(self, starter):
        self.starter = self.player = starter
        self.phase = "roll"

    def lot(self, dice):
        if dice[0] != dice[1]:
            self.begin(0 if dice[0] > dice[1] else 1)
            if self.rules["opening"] == "lot":
                self.throw((max(dice), min(dice)))

    def throw(self, dice):
        self.turns += 1
        self.own = self.first = True
        stages = []
        if self.rules["cascade"] and dice[0] == dice[1]:
            stages = [(die, self.rules["cascade"]) for die in range(dice[0], 7)]
        self.ask(dice, stages)

    def ask(self, dice, stages):
        self.dice, self.stages, self.head_used, self.phase = dice, stages, 0, "play"

    def steps(self):
        if self.dice[0] != self.dice[1]:
            return 2
        return self.stages[0][1] if self.stages else 4

    def legal(self):
        """The boards that may be left, and the dice that each uses."""
        steps = self.steps() if self.dice[0] == self.dice[1] else None
        exception = self.own and self.first
        return legal(self.name, self.board, self.dice, steps, self.head_used, exception)

    def play(self, after):
        used = self.legal()[1]
        self.head_used += self.board[24] - after[24]
        self.board = after
        if after[0] == ref.checkers(self.rules):
            self.finished()
        elif not self.stages:
            self.turn_over([])
        elif used < self.stages[0][1]:
            die, steps = self.stages[0]
            self.turn_over([(die, steps - used), *self.stages[1:]])
        elif len(self.stages) > 1:
            del self.stages[0]
            self.first, self.dice = False, (self.stages[0][0],) * 2
        else:
            self.turn_over([])

    def hand_over(self):
        self.board, self.player = ref.flip(self.rules, self.board), 1 - self.player
        self.dice, self.stages, self.phase = None, [], "roll"

    def turn_over(self, left):
        if self.last_turn:
            self.win(1 - self.player, ref.outcome(self.rules, self.board))
        elif not self.own:
            self.own, self.dice, self.stages, self.phase = True, None, [], "roll"
        else:
            self.hand_over()
            if left and self.rules["remainder"] == "opponent":
                self.own = self.first = False
                self.ask((left[0][0],) * 2, left)

    def finished(self):
        draws = self.rules["draw_points"]
        if self.last_turn:
            self.end((None, 0, draws))
        elif draws and self.own and self.player == self.starter:
            self.hand_over()
            self.last_turn = True
        else:
            winner = self.player
            self.hand_over()
            self.win(winner, ref.outcome(self.rules, self.board))

    def win(self, winner, outcome):
        kind, points = outcome
        if self.jacoby and self.rules["cube"] and not self.turned:
            kind, points = 1, self.rules["points"][0]
        self.end((winner, kind, points * self.cube))

    def end(self, result):
        self.result, self.phase, self.dice, self.last_turn = result, "over", None, False

    def to_play(self):
        """Who must do what."""
        if self.phase == "lot":
            return None, ("roll",)
        if self.phase == "over":
            return None, ()
        if self.phase == "offered":
            beaver = self.beaver and (self.limit is None or 4 * self.cube <= self.limit)
            return 1 - self.player, ("take", "drop") + ("beaver",) * beaver
        if self.phase == "beavered":
            return self.player, ("take", "drop")
        offer = self.phase == "roll" and self.may_offer()
        return self.player, (self.phase,) + ("offer",) * offer

    def may_offer(self):
        first_of_the_lot = self.turns == 0 and self.rules["opening"] == "lot"
        return (
            self.rules["cube"]
            and self.owner in (None, self.player)
            and (self.limit is None or 2 * self.cube <= self.limit)
            and not self.last_turn
            and not first_of_the_lot
        )

    def answer(self, act):
        offered = 2 * self.cube
        if act == "beaver":
            self.phase = "beavered"
        elif act == "take":
            self.cube = offered * (2 if self.phase == "beavered" else 1)
            self.owner, self.turned, self.phase = 1 - self.player, True, "roll"
        elif self.phase == "offered":
            self.end((self.player, 1, self.cube))
        else:
            self.end((1 - self.player, 1, offered))

    def resign(self, kind, who):
        single, mars, koks = self.rules["points"]
        worth = {1: (1, single), 2: (2, mars), 3: (3, koks)}
        while not worth[kind][1]:
            kind -= 1
        beavered = self.phase == "beavered"
        if self.jacoby and self.rules["cube"] and not (self.turned or beavered):
            kind = 1
        self.end((1 - who, kind, worth[kind][1] * self.cube * (2 if beavered else 1)))


class GameMachine(RuleBasedStateMachine):
    """`Game` beside `Plain`; every act is kept in `past`, so that it can be undone in both."""

    @initialize(
        name=st.sampled_from(sorted(RULES)),
        seed=st.integers(0, 2**64 - 1),
        starter=st.sampled_from([None, None, 0, 1]),
        jacoby=st.booleans(),
        beaver=st.booleans(),
        limit=st.sampled_from([None, None, 2, 4, 64]),
    )
    def begin(self, name, seed, starter, jacoby, beaver, limit):
        switches = {"jacoby": jacoby, "beaver": beaver}
        self.game = Game(OURS[name], seed, starter=starter, cube_limit=limit, **switches)
        self.model = Plain(name, limit=limit, **switches)
        if starter is not None:
            self.model.begin(starter)
        self.past = []

    def keep(self):
        self.past.append(copy.deepcopy(self.model))

    @precondition(lambda self: "roll" in self.model.to_play()[1])
    @rule(dice=st.one_of(st.none(), st.tuples(FACES, FACES), FACES.map(lambda die: (die, die))))
    def roll(self, dice):
        model, lots = self.model, self.model.phase == "lot"
        lot_dice = model.rules["opening"] == "lot" and model.turns == 0 and not lots
        if dice is not None and lot_dice and dice[0] == dice[1]:
            with pytest.raises(ValueError, match="the two different dice of the lot"):
                self.game.roll(dice)
            return
        self.keep()
        thrown = self.game.roll(dice)
        assert dice is None or thrown == dice
        if dice is None and not lots:
            known = batch.rolls(OURS[model.name], turns=model.turns + 1, seed=self.game.seed)
            assert thrown == tuple(known[0, 0, model.turns].tolist())
        (model.lot if lots else model.throw)(thrown)

    @precondition(lambda self: self.model.phase == "play")
    @rule(
        pick=st.integers(0, 10**6), how=st.sampled_from(["play", "text", "position", "heuristic"])
    )
    def play(self, pick, how):
        self.keep()
        plays = self.game.plays()
        boards = {tuple(play.after.tolist()) for play in plays}
        assert boards == self.model.legal()[0]
        assert len(boards) == len(plays)
        play = plays[pick % len(plays)]
        if how == "heuristic":
            play = self.game.choose()
        made = self.game.play(str(play) if how == "text" else play)
        assert made == play
        self.model.play(tuple(play.after.tolist()))

    @precondition(lambda self: "offer" in self.model.to_play()[1])
    @rule()
    def offer(self):
        self.keep()
        self.game.offer()
        self.model.phase = "offered"

    @precondition(lambda self: "take" in self.model.to_play()[1])
    @rule(pick=st.integers(0, 5))
    def answer(self, pick):
        acts = self.model.to_play()[1]
        act = acts[pick % len(acts)]
        self.keep()
        getattr(self.game, act)()
        self.model.answer(act)

    @precondition(lambda self: self.model.phase not in ("lot", "over"))
    @rule(kind=st.integers(1, 3), player=st.sampled_from([None, 0, 1]), sure=st.integers(0, 4))
    def resign(self, kind, player, sure):
        if sure:  # seldom, or no game would last
            return
        self.keep()
        self.game.resign(kind, player=player)
        who = self.model.to_play()[0] if player is None else player
        self.model.resign(kind, who)

    @precondition(lambda self: self.past)
    @rule(times=st.integers(1, 4))
    def undo(self, times):
        for _ in range(min(times, len(self.past))):
            self.game.undo()
            self.model = self.past.pop()

    @rule(way=st.sampled_from(WAYS))
    def by_another_way(self, way):
        twin = again(self.game, way)
        assert twin == self.game
        assert twin.history == self.game.history
        self.game = twin

    @rule(act=st.sampled_from(["roll", "play", "offer", "take", "drop", "beaver"]))
    def out_of_turn(self, act):
        due = self.model.to_play()[1]
        if act in due:
            return
        with pytest.raises(IllegalAct, match=f"cannot {act}: ") as caught:
            getattr(self.game, act)()
        assert caught.value.expected == due

    @invariant()
    def game_and_model_agree(self):
        game, model = self.game, self.model
        assert game.to_play == model.to_play()
        assert game.result == model.result
        assert (game.starter, game.turns) == (model.starter, model.turns)
        assert (game.cube_value, game.cube_owner) == (model.cube, model.owner)
        assert game.offered == (model.phase in ("offered", "beavered"))
        assert game.dice == model.dice
        assert game.steps == (model.steps() if model.phase == "play" else None)
        assert game.remainder == (model.phase == "play" and not model.own)
        assert game.last_turn == model.last_turn
        assert game.on_roll == model.player
        assert tuple(game.position.board.tolist()) == model.board
        assert len(game.history) == len(self.past)


TestGame = GameMachine.TestCase
TestGame.settings = settings(max_examples=150, stateful_step_count=60, deadline=None)


# ------------------------------------------------------------------------------------- matches


@dataclass
class Played:
    """A game of a match: who starts, how many acts were done, how it ended."""

    starter: int | None
    cube: bool
    acts: int = 0
    value: int = 1
    result: tuple | None = None  # (winner, points)


class MatchMachine(RuleBasedStateMachine):
    """`Match` beside the list of its games and a score that is added up anew each time."""

    @initialize(
        name=st.sampled_from([name for name in sorted(RULES) if "," in name]),
        starts=st.sampled_from(["winner", "alternate", "lot"]),
        length=st.sampled_from([None, 1, 2, 3, 5]),
        seed=st.integers(0, 2**64 - 1),
        crawford=st.sampled_from([True, True, False]),
        jacoby=st.booleans(),
    )
    def begin(self, name, starts, length, seed, crawford, jacoby):
        self.theirs = RULES[name] | {"next_starter": starts}
        self.length, self.crawford, self.seed = length, crawford, seed
        self.jacoby = jacoby and length is None
        rules = build(self.theirs)
        self.match = Match(rules, length, seed, crawford=crawford, jacoby=self.jacoby)
        self.games = []
        self.games.append(Played(None, self.may_have_cube()))

    def scores(self):
        """The score before each game, and after the last if it is over."""
        score, all_of_them = [0, 0], [(0, 0)]
        for game in self.games:
            if game.result is None:
                break
            winner, points = game.result
            for player in (0, 1):
                score[player] += points * (winner in (player, None))
            all_of_them.append(tuple(score))
        return all_of_them

    def over(self):
        return self.length is not None and max(self.scores()[-1]) >= self.length

    def stage(self, number):
        """What a game of the match is, of those whose start is known."""
        if self.length in (None, 1) or not (self.crawford and self.theirs["cube"]):
            return "normal"
        close = [self.length - max(score) <= 1 for score in self.scores()[: number + 1]]
        if not close[-1]:
            return "normal"
        return "post_crawford" if any(close[:-1]) else "crawford"

    def may_have_cube(self):
        number = len(self.games)
        return self.theirs["cube"] and self.length != 1 and self.stage(number) != "crawford"

    @property
    def last(self):
        return self.games[-1]

    def act(self, count=1):
        self.last.acts += count

    @precondition(lambda self: self.last.result is None and self.last.starter is None)
    @rule(dice=st.one_of(st.none(), st.tuples(FACES, FACES)))
    def lot(self, dice):
        first, second = self.match.game.roll(dice)
        if first != second:
            self.last.starter = int(second > first)
        self.act()

    @precondition(lambda self: self.last.result is None and self.last.starter is not None)
    @rule()
    def play_out(self):
        """The result is the game's own: GameMachine is where that is tested."""
        game = self.match.game
        while game.result is None:
            act = next(act for act in game.to_play.acts if act in ("roll", "play", "take"))
            if act == "play":
                game.play(game.choose("random"))
            else:
                getattr(game, act)()
                self.last.value *= 2 if act == "take" else 1
        self.last.result = game.result.winner, game.result.points
        self.last.acts = len(game.history)

    @precondition(lambda self: self.last.result is None)
    @rule(player=st.integers(0, 1), kind=st.integers(1, 3))
    def resign(self, player, kind):
        game = self.match.game
        points = self.theirs["points"]
        counted = kind
        while not points[counted - 1]:
            counted -= 1
        if self.jacoby and self.last.cube and self.last.value == 1:
            counted = 1
        game.resign(kind, player=player)
        self.last.result = 1 - player, points[counted - 1] * self.last.value
        self.act()

    @precondition(lambda self: self.last.result is None and self.last.starter is not None)
    @rule(take=st.booleans())
    def cube(self, take):
        game = self.match.game
        for _ in range(4):  # to the next throw of a turn
            if game.to_play.acts[:1] != ("play",):
                break
            game.play(game.plays()[0])
            self.act()
        if game.result is not None:
            self.last.result = game.result.winner, game.result.points
            return
        if "offer" not in game.to_play.acts:
            return
        assert self.last.cube
        player = game.to_play.player
        game.offer()
        if take:
            game.take()
            self.last.value *= 2
        else:
            game.drop()
            self.last.result = player, self.last.value
        self.act(2)

    @precondition(lambda self: self.last.result is not None and not self.over())
    @rule()
    def next_game(self):
        starts, (winner, _) = self.theirs["next_starter"], self.last.result
        starter = None
        if starts == "winner" and winner is not None:
            starter = winner
        elif starts != "lot" and self.last.starter is not None:
            starter = 1 - self.last.starter
        cube = self.may_have_cube()
        self.match.next_game()
        self.games.append(Played(starter, cube))

    @precondition(lambda self: self.last.result is None or self.over())
    @rule()
    def no_next_game(self):
        with pytest.raises(IllegalAct, match="cannot begin another game"):
            self.match.next_game()

    @rule(times=st.integers(1, 3))
    def undo(self, times):
        for _ in range(times):
            if len(self.games) == 1 and not self.last.acts:
                with pytest.raises(IllegalAct, match="nothing was done yet"):
                    self.match.undo()
            elif not self.last.acts:
                assert self.match.undo() is None
                self.games.pop()
            else:
                event = self.match.undo()
                self.last.acts -= 1
                self.last.result = None
                if event.act == "lot" and event.dice[0] != event.dice[1]:
                    self.last.starter = None
                if event.act == "take":
                    self.last.value //= 2

    @rule(way=st.sampled_from(WAYS))
    def by_another_way(self, way):
        twin = again(self.match, way)
        assert twin == self.match
        assert twin.games == self.match.games
        self.match = twin

    @precondition(lambda self: len(self.games) > 1)
    @rule()
    def earlier_games_stay(self):
        with pytest.raises(IllegalAct, match="gone on"):
            self.match.games[-2].undo()

    @invariant()
    def match_and_model_agree(self):
        match, game, score = self.match, self.match.game, self.scores()[-1]
        assert match.score == score
        assert match.over == self.over()
        assert match.stage == self.stage(len(self.games) - 1)
        assert len(match.games) == len(self.games)
        assert len(match.results) == sum(game.result is not None for game in self.games)
        assert game.starter == self.last.starter
        assert len(game.history) == self.last.acts
        assert game.cube_value == self.last.value
        assert game.to_dict()["cube"] == self.last.cube
        assert (game.seed, game.number) == (self.seed, len(self.games) - 1)
        if self.over():
            there = [player for player in (0, 1) if score[player] >= self.length]
            assert match.result == (there[0] if len(there) == 1 else None, score)
            assert match.winner == match.result.winner
        else:
            assert (match.result, match.winner) == (None, None)


TestMatch = MatchMachine.TestCase
TestMatch.settings = settings(max_examples=100, stateful_step_count=40, deadline=None)
