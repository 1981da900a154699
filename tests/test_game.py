"""One game with a referee: order, openings, cube, cascades, last turn, results, undo, round trips.

Section numbers are those of rules.md. The slow judge (tests/reference.py) replays whole games.
"""

import copy
import json
import pickle

import numpy as np
import pytest
import reference as ref
from pairs import build
from positions import HOUSE as HOUSE_RULES

import nardy
from nardy import (
    Game,
    IllegalAct,
    IllegalPlay,
    InvalidArgument,
    InvalidPosition,
    Kind,
    NardyError,
    ParseError,
    Position,
    Result,
    RulesError,
    UnknownVariant,
    batch,
)
from nardy.variants import VARIANTS
from nardy_core.flow import Flow

ACTS = {
    "roll": Game.roll,
    "play": Game.play,
    "offer": Game.offer,
    "take": Game.take,
    "drop": Game.drop,
    "beaver": Game.beaver,
    "plays": Game.plays,
    "choose": Game.choose,
}


def at(text, **options):
    """A game that begins with a position, player 0 on roll."""
    position = Position.from_text(text)
    return Game(position.rules, position=position, **options)


def refuse(game, act, message):
    """An act that is out of turn names what is expected and changes nothing."""
    before = game.to_dict()
    with pytest.raises(IllegalAct) as caught:
        ACTS[act](game)
    assert str(caught.value) == f"cannot {message}"
    assert caught.value.expected == game.to_play.acts
    assert game.to_dict() == before


def finish(game, policy="random"):
    """Play on to the end without the cube."""
    while game.result is None:
        if "roll" in game.to_play.acts:
            game.roll()
        else:
            game.play(game.choose(policy))
    return game


def played_all(game, *acts):
    """Roll each pair of dice, play each text."""
    for act in acts:
        if isinstance(act, tuple):
            game.roll(act)
        else:
            game.play(act)
    return game


# ------------------------------------------------------------------------------------- opening


@pytest.mark.parametrize("name", VARIANTS)
def test_lot(name):
    game = Game(name, seed=3)
    assert game.to_play == (None, ("roll",))
    assert str(game.to_play) == "both players are to roll"
    assert (game.starter, game.on_roll, game.dice, game.steps, game.turns) == (None,) * 4 + (0,)
    for tie in range(1, 7):
        assert game.roll((tie, tie)) == (tie, tie)
        assert game.to_play == (None, ("roll",))
    assert game.roll((2, 5)) == (2, 5)
    assert game.starter == game.on_roll == 1
    assert [str(event) for event in game.history[-2:]] == ["lot: 6-6", "lot: 2-5"]
    assert game.position == Position.start(name)
    if VARIANTS[name].opening == "lot":
        assert (game.dice, game.steps, game.turns) == ((5, 2), 2, 1)
        assert game.to_play == (1, ("play",))
    else:
        assert (game.dice, game.turns) == (None, 0)
        assert game.to_play == (1, ("roll",))


@pytest.mark.parametrize("name", ["short", "long"])
def test_lot_of_seeds(name):
    """Each of the 30 lots comes, either player starts half of the games, the higher die does."""
    lots = []
    for seed in range(3_000):
        game = Game(name, seed)
        lots.append(game.roll())
        assert game.starter == (lots[-1][1] > lots[-1][0])
        assert Game(name, seed).roll() == lots[-1]
    counts = np.unique(lots, axis=0, return_counts=True)[1]
    assert len(counts) == 30
    assert abs(counts - 100).max() < 50  # 5 standard deviations
    assert abs(sum(a > b for a, b in lots) - 1_500) < 137


def test_who_starts_may_be_said():
    game = Game("long", seed=1, starter=1)
    assert game.to_play == (1, ("roll",))
    assert game.roll((4, 4)) == (4, 4)
    assert str(game.play()) == "24/16(2)"
    assert game.to_play.player == 0


@pytest.mark.parametrize("name", ["short", "nardegammon", "long_sport", "nackgammon"])
def test_no_cube_before_the_dice_of_the_lot(name):
    """3.1: the first turn has them, whoever is known to start."""
    game = Game(name, seed=5, starter=0)
    refuse(game, "offer", "offer: player 0 is to roll")
    first = batch.rolls(name, games=1, turns=1, seed=5)[0, 0, 0].tolist()
    assert list(game.roll()) == first
    game.play(game.plays()[0])
    assert str(game.to_play) == "player 1 is to roll or offer"


def test_a_cube_before_the_first_turn_where_the_starter_throws_again():
    rules = nardy.variant("short").replace(opening="reroll")
    game = Game(rules, seed=5)
    game.roll((6, 1))
    assert str(game.to_play) == "player 0 is to roll or offer"


def test_a_position_to_begin_with():
    """No lot, no lot's dice: doubles and the cube from the start, dice of `playout` with boards."""
    start = Position.from_text("short 24:2 13:5 8:3 6:5 | 24:1 18:1 13:5 8:3 6:5")
    for starter in (None, 0, 1):
        game = Game("short", seed=8, position=start, starter=starter, number=4)
        assert game.to_play == (starter or 0, ("roll", "offer"))
        assert game.position == start
        dice = batch.rolls("short", boards=1, games=5, turns=1, seed=8)[0, 4, 0]
        assert list(game.roll()) == dice.tolist()
        game.undo()
        assert game.roll((3, 3)) == (3, 3)


def test_a_position_that_is_finished():
    assert at("short off:15 | 6:1").result == (0, Kind.SINGLE, 1)
    assert at("short 24:1 6:14 | off:15", starter=0).result == (1, Kind.KOKS, 3)
    assert at("short 24:1 6:14 | off:15", starter=1).result == (0, Kind.KOKS, 3)
    assert at("long_fnr off:15 | off:15").result == (None, Kind.DRAW, 0.5)


# ------------------------------------------------------------------------------------- order


def test_acts_out_of_turn():
    game = Game("short", seed=1)
    for act in set(ACTS) - {"roll"}:
        name = "play" if act in ("plays", "choose") else act
        refuse(game, act, f"{name}: both players are to roll")
    game.roll((3, 1))
    for act in ("roll", "offer", "take", "drop", "beaver"):
        refuse(game, act, f"{act}: player 0 is to play")
    refuse(game, "play", "play without saying what: there are 16 plays")
    game.play("8/5 6/5")
    for act in ("take", "drop", "beaver"):
        refuse(game, act, f"{act}: player 1 is to roll or offer")
    for act in ("play", "plays", "choose"):
        refuse(game, act, "play: player 1 is to roll or offer")
    game.offer()
    for act in ("roll", "offer", "beaver"):
        refuse(game, act, f"{act}: player 0 is to take or drop")
    game.drop()
    for act in set(ACTS) - {"plays", "choose"}:
        refuse(game, act, f"{act}: the game is over")
    with pytest.raises(IllegalAct, match="cannot resign: the game is over"):
        game.resign()
    with pytest.raises(IllegalAct, match="cannot resign: both players are to roll"):
        Game("short").resign()


def test_illegal_plays():
    game = Game("long", seed=1, starter=0)
    game.roll((6, 4))
    before = game.to_dict()
    with pytest.raises(IllegalPlay, match=r"'24/18 24/20' cannot be played with 6-4") as caught:
        game.play("24/18 24/20")
    assert caught.value.reason == "head"
    for text, error in [("24/23", IllegalPlay), ("pass", IllegalPlay), ("x", ParseError)]:
        with pytest.raises(error):
            game.play(text)
    for wrong in (24, ("24/14",), b"24/14"):
        with pytest.raises(InvalidArgument, match="expected a play or its text"):
            game.play(wrong)
    assert game.to_dict() == before
    assert game.plays() == [game.play(" 24-20 , 20 / 14 ")]


def test_plays_as_values():
    """A play may come from the game, from a copy, from its position, or from another position."""
    for source in (Game.plays, lambda game: game.copy().plays(), from_position, from_elsewhere):
        game = played_all(Game("short", seed=1), (3, 1))
        play = next(one for one in source(game) if str(one) == "8/5 6/5")
        assert str(game.play(play)) == "8/5 6/5"
        assert game.position.text() == "short 24:2 13:5 8:3 6:5 | 24:2 13:5 8:2 6:4 5:2"
    game = played_all(Game("short", seed=1), (3, 1))
    game.plays().clear()
    assert len(game.plays()) == 16
    with pytest.raises(IllegalPlay):
        game.play(Position.start("short").plays(6, 1)[0])


def from_position(game):
    return game.position.plays(1, 3)


def from_elsewhere(game):
    return Position.from_text("short 13:5 8:3 6:7 | 24:2 13:5 8:3 6:5").plays(3, 1)


def test_a_pass_is_played():
    game = at("short bar:1 6:2 | 6:2 5:2 4:2 3:2 2:2 1:2")
    game.roll((6, 5))
    assert [str(play) for play in game.plays()] == ["pass"]
    assert game.play().steps == ()
    assert game.on_roll == 1
    game.undo()
    assert game.play("pass") == game.history[-1].play
    assert str(game.history[-1]) == "player 0: 6-5 pass"


def test_dice():
    for wrong in ((0, 1), (7, 1), (1,), (1, 2, 3), 5, None, "61", (1.0, 2)):
        if wrong is not None:
            with pytest.raises(InvalidArgument, match="dice"):
                Game("long", starter=0).roll(wrong)
    assert Game("long", starter=0).roll(np.array([3, 4], np.uint8)) == (3, 4)
    game = Game("nardegammon", starter=0)
    with pytest.raises(
        InvalidArgument, match="expected the two different dice of the lot, got 2-2"
    ):
        game.roll((2, 2))
    assert game.roll((2, 1)) == (2, 1)


@pytest.mark.parametrize("name", VARIANTS)
def test_order_of_plain_turns(name):
    """Where no cascade is on, players take turns, and every turn is one roll and one play."""
    game, player = Game(name, seed=6), None
    while not game.turns:
        game.roll()
    while game.result is None and game.turns < 40:
        if "roll" in game.to_play.acts:
            player = game.to_play.player
            before = game.turns
            two = game.roll()
            assert game.turns == before + 1
            assert game.dice == two
        else:
            player = game.to_play.player
            cascade = game.rules.cascade and game.dice[0] == game.dice[1]
            assert game.on_roll == player
            game.play(game.plays()[-1])
            if not cascade:
                assert game.on_roll == 1 - player


# ------------------------------------------------------------------------------------- the cube


def test_cube_goes_back_and_forth():
    game = at("short 24:2 13:5 8:3 6:5 | 24:2 13:5 8:3 6:5")
    assert (game.cube_value, game.cube_owner, game.offered) == (1, None, False)
    game.offer()
    assert (game.cube_value, game.cube_owner, game.offered) == (1, None, True)
    assert game.to_play == (1, ("take", "drop"))
    game.take()
    assert (game.cube_value, game.cube_owner, game.offered) == (2, 1, False)
    assert str(game.to_play) == "player 0 is to roll"  # the offerer rolls; the cube is not his
    played_all(game, (3, 1), "8/5 6/5")
    assert game.to_play == (1, ("roll", "offer"))
    game.offer()
    game.take()
    assert (game.cube_value, game.cube_owner) == (4, 0)
    played_all(game, (3, 1), "8/5 6/5")
    game.offer()
    game.drop()
    assert game.result == (0, Kind.SINGLE, 4)
    assert (game.cube_value, game.cube_owner, game.offered) == (4, 0, False)


def test_cube_limit():
    start = Position.start("short")
    for limit, value, may in [(None, 2**20, True), (64, 32, True), (64, 64, False), (1, 1, False)]:
        game = Game("short", position=start, cube_limit=limit, cube_value=value)
        assert ("offer" in game.to_play.acts) is may
    assert at("short 6:1 | 6:1", cube=False).to_play.acts == ("roll",)


def test_beaver():
    game = at("short 24:2 13:5 8:3 6:5 | 24:2 13:5 8:3 6:5", beaver=True)
    game.offer()
    assert game.to_play == (1, ("take", "drop", "beaver"))
    game.beaver()
    assert game.to_play == (0, ("take", "drop"))  # no raccoon
    refuse(game, "beaver", "beaver: player 0 is to take or drop")
    game.take()
    assert (game.cube_value, game.cube_owner) == (4, 1)
    assert game.to_play == (0, ("roll",))
    game.undo()
    game.drop()
    assert game.result == (1, Kind.SINGLE, 2)  # the value that was offered
    for limit, may in ((4, True), (2, False)):
        game = at("short 6:1 | 6:1", beaver=True, cube_limit=limit)
        game.offer()
        assert ("beaver" in game.to_play.acts) is may


def test_jacoby():
    winning = "short 1:1 | 19:1 6:14"
    for options, points in [
        ({}, 1),
        ({"cube_value": 2}, 6),
        ({"cube_value": 4, "cube_owner": 1}, 12),
        ({"cube": False}, 3),  # where there is no cube, nobody can turn it
    ]:
        game = played_all(at(winning, jacoby=True, **options), (6, 5), "1/off")
        assert game.result.points == points
        assert game.result.kind == (Kind.SINGLE if points == 1 else Kind.KOKS)
    game = at(winning, jacoby=True)
    game.resign("mars")
    assert game.result == (1, Kind.SINGLE, 1)
    game = at(winning, jacoby=True)
    game.offer()
    game.take()
    assert played_all(game, (6, 5), "1/off").result == (0, Kind.KOKS, 6)


def test_no_cube_in_the_last_turn():
    rules = nardy.variant("nardegammon").replace(draw_points=1)
    game = Game(rules, position=Position(rules, at("long 1:1 | 2:2").position.board))
    assert "offer" in game.to_play.acts
    played_all(game, (6, 5), "1/off")
    assert game.last_turn
    refuse(game, "offer", "offer: player 1 is to roll")


# ------------------------------------------------------------------------------------- cascades

GULBAR_TEXT = "mad_gulbar 24:15 | 24:13 20:2"
GULBAR = nardy.variant("mad_gulbar")


def gulbar(own, other, *, rules=GULBAR, **options):
    """A game from the own sides of both players."""
    board = ref.parse(theirs_of(rules), own, other, True)
    return Game(rules, position=Position(rules, np.array(board, np.int8)), **options)


def theirs_of(rules):
    """The judge's rules for rules of ours."""
    return ref.rules("mad_gulbar") | rules.asdict()


def test_cascade_stage_by_stage():
    game = gulbar("24:1 1:14", "24:15")
    game.roll((4, 4))
    for dice, play in [((4, 4), "24/16"), ((5, 5), "16/6"), ((6, 6), "6/off 1/off")]:
        assert (game.dice, game.steps, game.remainder) == (dice, 2, False)
        assert game.to_play == (0, ("play",))
        assert game.turns == 1
        game.play(play)
    assert game.to_play == (1, ("roll",))
    assert [event.dice for event in game.history[1:]] == [(4, 4), (5, 5), (6, 6)]


def test_remainder_goes_to_the_opponent():
    """9.4: before his throw he plays it with his own checkers; what he leaves is lost."""
    game = gulbar("24:1 1:14", "8:1 1:14")  # his 8 is the mover's 20
    played_all(game, (4, 4), "pass")
    assert (game.to_play.player, game.remainder, game.turns) == (1, True, 1)
    for dice, play in [((4, 4), "8/off"), ((5, 5), "1/off(2)"), ((6, 6), "1/off(2)")]:
        assert (game.dice, game.steps, game.remainder) == (dice, 2, True)
        refuse(game, "roll", "roll: player 1 is to play")
        game.play(play)
    assert [event.remainder for event in game.history] == [False, False, True, True, True]
    assert (game.to_play, game.remainder, game.turns) == ((1, ("roll",)), False, 1)
    assert game.position.text() == "mad_gulbar 1:10 off:5 | 24:1 1:14"


def test_remainder_of_a_part_of_a_stage():
    game = gulbar("24:1 1:14", "24:1 2:14")
    played_all(game, (6, 6), "24/18")
    assert (game.dice, game.steps, game.remainder) == ((6, 6), 1, True)
    assert {str(play) for play in game.plays()} == {"24/18"}
    game.play()
    assert str(game.to_play) == "player 1 is to roll"


def test_remainder_that_cannot_be_played_is_lost():
    """No four for either side: the whole cascade is handed over, and comes back to nobody."""
    game = gulbar("24:1 16:1 8:1 1:12", "24:1 16:1 8:1 1:12")
    played_all(game, (4, 4), "pass")
    assert (game.to_play.player, game.remainder, game.steps) == (1, True, 2)
    assert game.play().steps == ()
    assert str(game.to_play) == "player 1 is to roll"
    assert not game.remainder


def test_remainder_lost():
    rules = GULBAR.replace(remainder="lost")
    game = played_all(gulbar("24:1 1:14", "24:15", rules=rules), (6, 6), "24/18")
    assert (game.to_play, game.remainder) == ((1, ("roll",)), False)


def test_four_steps_a_stage():
    rules = GULBAR.replace(cascade=4)
    game = gulbar("24:1 1:14", "24:15", rules=rules)
    game.roll((4, 4))
    assert (game.steps, [str(play) for play in game.plays()]) == (4, ["24/16"])
    game.play()
    assert (game.dice, game.steps, game.remainder) == ((4, 4), 2, True)


def test_head_limit_over_the_whole_cascade():
    """9.8: one checker in all; two only in the first stage of a first turn, on 3-3, 4-4, 6-6."""
    game = gulbar("24:14 18:1", "24:15")
    played_all(game, (1, 1), "24/23 18/17")
    assert all("24/" not in str(play) for play in game.plays())
    game = played_all(gulbar("24:15", "24:15"), (3, 3))
    assert {str(play) for play in game.plays()} == {"24/18", "24/21(2)"}
    game.play("24/21(2)")
    assert all("24/" not in str(play) for play in game.plays())
    game = played_all(gulbar("24:15", "24:15"), (6, 6), "24/18(2)")
    assert str(game.to_play) == "player 1 is to roll"
    free = GULBAR.replace(head_exception="any_double")
    game = gulbar("24:15", "24:15", rules=free)
    played_all(game, (5, 5), "24/19(2)")
    assert all("24/" not in str(play) for play in game.plays())


def test_no_head_exception_in_a_remainder():
    """4.3: of the six sixes that are left, a player who has not begun plays one from the head."""
    game = gulbar("24:1 1:14", "24:15", rules=GULBAR.replace(head_exception="any_double"))
    played_all(game, (6, 6), "24/18")
    assert [str(play) for play in game.plays()] == ["24/18"]
    assert game.steps == 1
    game.play()
    game.roll((6, 6))
    assert game.steps == 2
    # The remainder has taken a checker off the head: the exception is gone.
    assert all(str(play).count("24/") < 2 and "(2)" not in str(play) for play in game.plays())


def test_no_cube_before_a_remainder():
    """9.5: the remainder is the thrower's turn."""
    rules = GULBAR.replace(cube=True)
    game = gulbar("24:1 1:14", "24:15", rules=rules)
    played_all(game, (6, 6), "24/18")
    refuse(game, "offer", "offer: player 1 is to play")
    game.play()
    assert str(game.to_play) == "player 1 is to roll or offer"


def test_finishing_ends_a_cascade():
    """9.6: nothing is handed on, in an own cascade or in a remainder."""
    game = played_all(gulbar("1:1", "24:15"), (4, 4), "1/off")
    assert game.result == (0, Kind.MARS, 2)
    game = played_all(gulbar("24:1 1:14", "6:1"), (6, 6), "pass", "6/off")
    assert game.result == (1, Kind.MARS, 2)
    assert (game.remainder, game.dice, game.steps) == (False, None, None)


DUEL = GULBAR.replace(start={24: 2}, draw_points=1)


def test_first_mover_who_finishes_in_a_remainder_wins_at_once():
    """9.7."""
    game = gulbar("9:1 1:1", "24:2", rules=DUEL)
    played_all(game, (2, 1), "9/6", (6, 6), "pass")
    assert game.remainder
    assert game.play("6/off 1/off").steps == ((6, 0), (1, 0))
    assert game.result == (0, Kind.MARS, 2)
    assert game.turns == 2


def test_remainder_of_the_extra_turn_is_void():
    """9.7: as in tests/test_reference.py."""
    game = gulbar("1:1", "24:1 2:1", rules=DUEL)
    played_all(game, (2, 1), "1/off")
    assert game.last_turn
    played_all(game, (5, 5), "24/14")
    assert game.dice == (6, 6)
    played_all(game, "14/2")
    assert game.result == (0, Kind.MARS, 2)


def test_draw_in_a_cascade():
    game = gulbar("1:1", "4:1 2:1", rules=DUEL)
    played_all(game, (2, 1), "1/off", (4, 4))
    assert game.last_turn
    played_all(game, "4/off 2/off")
    assert game.result == (None, Kind.DRAW, 1)


# ------------------------------------------------------------------------------------- last turn


@pytest.mark.parametrize("points", [0.5, 1])
def test_last_turn(points):
    """10.5: the second player's turn comes before the score; the cube does not multiply a draw."""
    rules = nardy.variant("nardegammon").replace(draw_points=points)

    def begin(own, other, **options):
        board = ref.parse(ref.rules("long"), own, other, True)
        return Game(rules, position=Position(rules, np.array(board, np.int8)), **options)

    for starter in (0, 1):
        game = played_all(begin("1:1", "6:2", starter=starter, cube_value=4), (6, 5), "1/off")
        assert game.result is None
        assert str(game.to_play) == f"player {1 - starter} is to roll"
        game.roll((6, 6))
        assert [str(play) for play in game.plays()] == ["6/off(2)"]
        game.play()
        assert game.result == (None, Kind.DRAW, points)
        assert game.position.text().endswith("off:15 | off:15")
        game.undo()
        game.undo()
        played_all(game, (5, 4), "6/1 6/2")
        assert game.result == (starter, Kind.SINGLE, 4)
    # All fifteen there: the extra turn bears the first one off, or does not.
    assert played_all(begin("1:1", "6:14 1:1"), (6, 5), "1/off", (6, 1), "6/off 1/off").result == (
        (0, Kind.SINGLE, 1)
    )
    assert played_all(begin("1:1", "24:15"), (6, 5), "1/off", (2, 1), "24/21").result == (
        (0, Kind.MARS, 2)
    )
    # The second mover finishes first: no extra turn.
    game = played_all(begin("24:1", "1:1"), (2, 1), "24/21", (2, 1), "1/off")
    assert game.result == (1, Kind.SINGLE, 1)


def test_the_last_turn_is_judged_like_any_other():
    game = played_all(at("long_fnr 1:1 | 24:14 6:1"), (6, 5), "1/off", (6, 4))
    with pytest.raises(IllegalPlay, match="the head") as caught:
        game.play("24/18 24/20")
    assert caught.value.reason == "head"
    play = next(play for play in game.plays() if play.steps[0][0] == 24)
    assert pickle.loads(pickle.dumps(play)) == play
    assert pickle.loads(pickle.dumps(play)).steps == play.steps
    assert len(game.plays()) == len(at("long_fnr 24:14 6:1 | 1:1").position.plays(6, 4))
    game.play("24/14")
    assert game.result == (0, Kind.MARS, 2)


# ------------------------------------------------------------------------------------- results


def test_resign():
    for kind, points in [("single", 1), ("MARS", 2), (Kind.KOKS, 3), (2, 2), ("Home_Mars", 3)]:
        game = at("short 6:1 | 6:1", cube_value=2)
        game.resign(kind)
        assert game.result == (1, points, 2 * points)
    game = at("short 6:1 | 6:1")
    game.resign(player=1)  # out of turn
    assert game.result == Result(0, Kind.SINGLE, 1)
    assert str(game.history[-1]) == "player 1: resign single"
    game = Game("short")
    game.resign(player=0)  # even before the lot
    assert game.result == (1, Kind.SINGLE, 1)
    for wrong in ("draw", 0, 4, "x", None, [], 1.5):
        with pytest.raises(InvalidArgument, match="expected 'single', 'mars' or 'koks'"):
            at("short 6:1 | 6:1").resign(wrong)
    for wrong in (2, -1, "0", True, 0.0):
        with pytest.raises(InvalidArgument, match="player: expected player 0 or 1"):
            at("short 6:1 | 6:1").resign(player=wrong)


@pytest.mark.parametrize(
    ("name", "mars", "koks"),
    [("long", 2, 2), ("tavla", 2, 2), ("old_english", 1, 1), ("caucasian", 2, 3),
     ("long_fsnr", 2, 3), ("mad_gulbar", 2, 2)],
)  # fmt: skip
def test_resign_what_the_rules_count(name, mars, koks):
    """10.1: a kind that is not counted apart falls back to the next lower one."""
    for kind, points in (("single", 1), ("mars", mars), ("koks", koks)):
        game = Game(name, starter=0)
        game.resign(kind)
        assert game.result == (1, Kind(points), points)


def test_resign_to_an_offer():
    game = at("short 6:1 | 6:1", beaver=True, jacoby=True)
    game.offer()
    game.resign()  # who is asked
    assert game.result == (0, Kind.SINGLE, 1)
    game.undo()
    game.beaver()
    game.resign("mars")  # the value of the offer stands, and the cube is turned
    assert game.result == (1, Kind.MARS, 4)
    assert not game.offered


def test_stuck_games():
    """Nobody can ever play again: a draw without points, as `playout` says."""
    walls = "short bar:1 6:2 5:2 4:2 3:2 2:2 1:2 | bar:1 6:2 5:2 4:2 3:2 2:2 1:2"
    for name in ("short", "tavla", "old_english"):
        board = Position.from_text(walls.replace("short", name)).board
        game = Game(name, seed=2, position=Position(name, board))
        finish(game)
        known = batch.playout(name, board, games=1, seed=2)
        assert game.result == (None, Kind.DRAW, 0)
        assert (known.winner[0, 0], known.kind[0, 0], known.turns[0, 0]) == (-1, 0, game.turns)
        assert game.dice is None
        assert game.undo().act == "play"
        assert game.result is None


# ------------------------------------------------------------------------------------- undo


def busy_game(name, seed):
    """A game with all kinds of acts in it."""
    rules = nardy.variant(name)
    game = Game(rules, seed, beaver=True)
    game.roll((2, 2))
    game.roll()
    for turn in range(3_000):
        acts = game.to_play.acts
        if not acts:
            break
        if "offer" in acts and turn % 5 == 0:
            game.offer()
        elif "beaver" in acts and turn % 2:
            game.beaver()
        elif "take" in acts:
            game.take()
        elif "play" in acts:
            game.play(game.choose("random"))
        else:
            game.roll()
    return game


@pytest.mark.parametrize("name", VARIANTS)
def test_undo_to_the_start_and_forward_again(name):
    game = busy_game(name, seed=11)
    assert game.result is not None
    written, events = game.to_dict(), game.to_dict()["events"]
    states = []
    while game.history:
        states.append((game.to_play, game.position, game.dice, game.cube_value, game.result))
        event = game.history[-1]
        assert game.undo() is event
    assert game == Game(name, seed=11, beaver=True)
    with pytest.raises(IllegalAct, match="cannot undo: nothing was done yet, both players are to"):
        game.undo()
    for event in events:
        game.replay([event])
        now = (game.to_play, game.position, game.dice, game.cube_value, game.result)
        assert now == states.pop()
    assert game.to_dict() == written


def test_the_seeds_dice_come_again():
    game = Game("long", seed=5)
    thrown = []
    for _ in range(2):
        thrown.append([game.roll(), game.roll()])
        game.undo()
        game.undo()
    assert thrown[0] == thrown[1]


# ------------------------------------------------------------------------------------- values


@pytest.mark.parametrize("name", VARIANTS)
def test_copies_go_their_own_way(name):
    for seed in (1, 2):
        game = busy_game(name, seed)
        for _ in range(seed * 3):
            game.undo()
        written = game.to_dict()
        for twin in (
            game.copy(),
            copy.copy(game),
            copy.deepcopy(game),
            pickle.loads(pickle.dumps(game)),
            Game.from_dict(json.loads(json.dumps(written))),
        ):
            assert twin == game
            assert twin.history == game.history
            assert (twin.to_play, twin.position, twin.result) == (
                (game.to_play, game.position, game.result)
            )
            finish_any(twin)
            assert twin.history[: len(game.history)] == game.history
            assert twin != game
            assert game.to_dict() == written


def finish_any(game):
    if game.offered:
        game.take()
    return finish(game)


@pytest.mark.parametrize(
    "rules",
    [
        nardy.variant("long").replace(block="never", head_limit=0),
        nardy.variant("short").replace(name="mine", title="Mine", points=(1, 1, 0), cube=False),
        nardy.variant("short").replace(title="Another title"),
        nardy.Rules("tiny", start={6: 2, 3: 1}, draw_points=0.5),
    ],
    ids=lambda rules: rules.name,
)
def test_rules_of_ones_own_come_back(rules):
    game = Game(rules, seed=4)
    game.roll()
    finish(game)
    for twin in (Game.from_dict(json.loads(json.dumps(game.to_dict()))), copy.deepcopy(game)):
        assert twin == game
        assert twin.rules == rules
        assert twin.result == game.result


def test_what_the_constructor_was_given_comes_back():
    game = at(
        "short 24:2 6:13 | 13:15", seed=2**64 - 1, starter=1, cube_limit=64, cube_value=4,
        cube_owner=0, jacoby=True, beaver=True, number=2**63,
    )  # fmt: skip
    written = json.loads(json.dumps(game.to_dict()))
    assert written == {
        "format": "nardy-game", "version": 1, "rules": "short", "seed": 2**64 - 1,
        "number": 2**63, "starter": 1, "position": game.position.board.tolist(), "cube": True,
        "cube_limit": 64, "cube_value": 4, "cube_owner": 0, "jacoby": True, "beaver": True,
        "events": [],
    }  # fmt: skip
    assert Game.from_dict(written) == game
    assert game != Game.from_dict(written | {"jacoby": False})
    assert game != "a game"
    with pytest.raises(TypeError):
        hash(game)


def test_the_written_form():
    """Written by hand from the documented form; it must stay readable."""
    game = Game.from_dict({
        "format": "nardy-game", "version": 1, "rules": "short", "seed": 1, "number": 0,
        "starter": None, "position": None, "cube": True, "cube_limit": None, "cube_value": 1,
        "cube_owner": None, "jacoby": False, "beaver": False,
        "events": [["lot", [3, 3]], ["lot", [3, 1]], ["play", "8/5 6/5"], ["offer"], ["take"],
                   ["roll", [6, 6]], ["play", "24/18(2) 13/7(2)"], ["resign", 0, 2]],
    })  # fmt: skip
    assert game.result == (1, Kind.MARS, 4)
    assert repr(game).startswith("<Game short, 2 turns, Result(winner=1")
    assert game.position.text() == "short 24:2 13:5 8:2 6:4 5:2 | 18:2 13:3 8:3 7:2 6:5"


def bad_forms():
    good = Game("short", seed=1, starter=0).to_dict()
    yield "x", ParseError
    yield [], ParseError
    yield {}, ParseError
    for changes, error in [
        ({"format": "nardy-match"}, ParseError),
        ({"version": 2}, ParseError),
        ({"rules": "shorter"}, UnknownVariant),
        ({"rules": 5}, ParseError),
        ({"rules": []}, ParseError),
        ({"rules": {"start": 5}}, ParseError),
        ({"rules": {"start": {"x": 5}, "points": [1, 2, 3]}}, ParseError),
        ({"rules": {"name": "x", "start": {"6": 16}, "points": [1, 2, 3]}}, RulesError),
        ({"rules": {"name": "x", "start": {"6": 5}, "points": 3}}, ParseError),
        ({"rules": {"name": "x", "start": {"6": 5}, "points": [1, 2, 3], "y": 1}}, RulesError),
        ({"seed": -1}, InvalidArgument),
        ({"seed": "1"}, InvalidArgument),
        ({"number": None}, InvalidArgument),
        ({"starter": 2}, InvalidArgument),
        ({"cube": 1}, InvalidArgument),
        ({"cube_value": 3}, InvalidArgument),
        ({"cube_limit": 0}, InvalidArgument),
        ({"position": [0] * 32}, InvalidPosition),
        ({"position": [0] * 31}, NardyError),
        ({"position": "x"}, NardyError),
        ({"position": {}}, NardyError),
        ({"colour": "red"}, ParseError),
        ({"events": 5}, ParseError),
        ({"events": [5]}, ParseError),
        ({"events": [[]]}, ParseError),
        ({"events": [{}]}, ParseError),
        ({"events": [["jump"]]}, ParseError),
        ({"events": "roll"}, ParseError),
        ({"events": [["roll"]]}, ParseError),
        ({"events": [["roll", 5]]}, InvalidArgument),
        ({"events": [["roll", [3, 7]]]}, InvalidArgument),
        ({"events": [["lot", [3, 1]]]}, IllegalAct),
        ({"events": [["take"]]}, IllegalAct),
        ({"events": [["roll", [3, 1]], ["play", 5]]}, ParseError),
        ({"events": [["roll", [3, 1]], ["play", "6/1"]]}, IllegalPlay),
        ({"events": [["resign", 2, 1]]}, InvalidArgument),
        ({"events": [["resign", 0, {}]]}, InvalidArgument),
    ]:
        yield good | changes, error
    for name in good:
        yield (
            {key: value for key, value in good.items() if key != name},
            (ParseError if name in ("format", "version", "rules", "position", "events") else None),
        )


@pytest.mark.parametrize(("data", "error"), list(bad_forms()))
def test_bad_forms_are_refused(data, error):
    if error is None:  # what may be left out
        assert isinstance(Game.from_dict(data), Game)
        return
    with pytest.raises(error) as caught:
        Game.from_dict(data)
    assert isinstance(caught.value, NardyError)


def test_the_error_counts_the_acts():
    game = Game("short", seed=1)
    with pytest.raises(IllegalAct) as caught:
        game.replay([["lot", [3, 1]], ["play", "8/5 6/5"], ["drop"]])
    assert caught.value.__notes__ == ["in act 3 of the game: ['drop']"]
    assert len(game.history) == 2
    with pytest.raises(IllegalAct, match="cannot throw for the start: player 1 is to roll or off"):
        game.replay([["lot", [3, 1]]])
    with pytest.raises(IllegalAct, match="cannot roll: both players are to roll"):
        Game("short").replay([["roll", [3, 1]]])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"rules": "long", "cube": True}, "cube: there is no cube in long"),
        ({"rules": "long", "cube_value": 2}, "there is no cube here, got 2 and None"),
        ({"rules": "short", "cube": False, "cube_owner": 1}, "no cube here, got 1 and 1"),
        ({"rules": "short", "position": "start"}, "position: expected a Position of short"),
        ({"rules": "short", "position": Position.start("tavla")}, "expected a Position of short"),
        ({"rules": "short", "seed": 2**64}, "seed: expected a whole number from 0"),
        ({"rules": "short", "seed": True}, "seed: expected a whole number"),
        ({"rules": "short", "seed": 1.0}, "seed: expected a whole number"),
        ({"rules": "short", "starter": "0"}, "starter: expected player 0 or 1"),
        ({"rules": "short", "jacoby": 1}, "jacoby: expected True or False"),
        ({"rules": "short", "beaver": None}, "beaver: expected True or False"),
        ({"rules": "short", "cube_value": 0}, "cube_value: expected 1, 2, 4, 8"),
        ({"rules": "short", "cube_limit": 48}, "cube_limit: expected 1, 2, 4, 8"),
    ],
)
def test_bad_arguments(options, message):
    with pytest.raises(InvalidArgument, match=message):
        Game(**options)


def test_arguments_of_choose():
    game = Game("short", starter=0)
    game.roll((3, 1))
    for wrong in ("best", "", None, [], ("random", "random")):
        with pytest.raises(InvalidArgument, match="policy: expected one of 'random', 'heuristic'"):
            game.choose(wrong)
    assert str(game.choose()) == "8/5 6/5"


def test_fresh_seeds_differ_and_are_told():
    seeds = {Game("long").seed for _ in range(5)}
    assert len(seeds) == 5
    assert Game("long", number=7).number == 7


def test_the_door_to_the_core():
    """What `Game` never does: acts that are not asked for, and plays of another roll."""
    rules = VARIANTS["short"]
    flow = Flow(rules)
    play = Position.start("short").plays(3, 1)[0]
    with pytest.raises(InvalidArgument, match="expected 'throw', got 'play'"):
        flow.play(play)
    with pytest.raises(InvalidArgument, match="expected 'throw', got 'play'"):
        flow.choose("random", 1)
    with pytest.raises(InvalidArgument, match="expected dice of 1 to 6"):
        flow.throw(0, 1)
    thrown = flow.throw(3, 1)
    assert (flow.act, thrown.act, thrown.dice) == ("throw", "play", (3, 1))
    with pytest.raises(InvalidArgument, match="expected 'play', got 'throw'"):
        thrown.throw(3, 1)
    for wrong in (Position.start("short").plays(3, 2)[0], "24/20", None):
        with pytest.raises(InvalidArgument, match="expected a play of this board and roll"):
            thrown.play(wrong)


# ------------------------------------------------------------------------------------- whole games

HOUSE = {
    "gulbar, four steps, draws": ref.rules("mad_gulbar", cascade=4, draw_points=1),
    "gulbar, lost, every double": ref.rules(
        "mad_gulbar", remainder="lost", head_exception="every_double"
    ),
    "gulbar, three checkers": ref.rules("mad_gulbar", start={24: 3}, draw_points=0.5),
    "long, two checkers, draws": ref.rules("long_fnr", start={24: 2}),
    "short, three checkers, draws": ref.rules("short", start={6: 2, 3: 1}, draw_points=1),
}
WITNESSED = {name: ref.rules(name) for name in VARIANTS} | HOUSE


@pytest.mark.parametrize("name", WITNESSED)
def test_the_slow_judge_agrees(name):
    """Every roll, stage, remainder and end of whole games, replayed by tests/reference.py."""
    theirs = WITNESSED[name]
    rules = build(theirs)
    for number in range(60 if ref.checkers(theirs) < 4 else 2):
        game, events = Game(rules, seed=21, number=number), []
        game.roll()
        while game.result is None:
            if "roll" in game.to_play.acts:
                game.roll()
                continue
            tag = "remainder" if game.remainder else "roll"
            player, dice, before = game.on_roll ^ game.starter, game.dice, game.position.board
            steps = game.steps if dice[0] == dice[1] else None
            play = game.play(game.choose("random"))
            after = tuple(play.after.tolist())
            events.append((tag, player, dice, steps, tuple(before.tolist()), after))
        winner, kind, turns = ref.check_game(theirs, ref.start(theirs), events)
        assert game.turns == turns
        assert game.result.kind == kind
        assert game.result.winner == (None if winner < 0 else winner ^ game.starter)


def same_as_playout(name, games, policy):
    """Play whole games through `Game`, and let `playout` play them."""
    known = batch.playout(name, games=games, seed=77, policy=policy)
    rows = np.stack([known.winner[0], known.kind[0], known.turns[0]], axis=1).tolist()
    for number, (winner, kind, turns) in enumerate(rows):
        game = finish(Game(name, seed=77, number=number), policy)
        won = -1 if game.result.winner is None else game.result.winner ^ game.starter
        assert (won, game.result.kind, game.turns) == (winner, kind, turns), number


@pytest.mark.parametrize("name", VARIANTS)
def test_random_games_are_those_of_playout(name):
    same_as_playout(name, 2_000, "random")


@pytest.mark.parametrize("name", VARIANTS)
def test_heuristic_games_are_those_of_playout(name):
    same_as_playout(name, 100, "heuristic")


@pytest.mark.parametrize("name", HOUSE_RULES)
def test_games_under_house_rules(name):
    """As `playout` plays them; what is written as text comes back as the same plays."""
    rules = HOUSE_RULES[name]
    same_as_playout(rules, 20, "random")
    game = finish(Game(rules, seed=5))
    twin = Game.from_dict(json.loads(json.dumps(game.to_dict())))
    assert twin.history == game.history
    assert pickle.loads(pickle.dumps(game.history)) == game.history


@pytest.mark.parametrize("name", ["long_fnr", "mad_gulbar", "short"])
def test_games_from_a_position_are_those_of_playout(name):
    """From the middle of a game, where doubles may come first."""
    board = batch.start(name)
    for d1, d2 in ((6, 5), (4, 3), (6, 1), (2, 1)):
        board = batch.flip(name, Position(name, board[0]).after(d1, d2)[:1])
    known = batch.playout(name, board, games=200, seed=3)
    for number in range(200):
        game = finish(Game(name, seed=3, number=number, position=Position(name, board[0])))
        won = -1 if game.result.winner is None else game.result.winner
        assert (won, game.result.kind) == (known.winner[0, number], known.kind[0, number])
        assert game.turns == known.turns[0, number]


# ------------------------------------------------------------------------------ found by testers


@pytest.mark.parametrize(
    ("text", "resumed"),
    [
        (GULBAR_TEXT, {"left": [6] * 50}),
        (GULBAR_TEXT, {"left": [6, 5]}),
        (GULBAR_TEXT, {"left": [5]}),
        (GULBAR_TEXT, {"left": [5, 5, 5, 6, 6]}),
        (GULBAR_TEXT, {"left": [1.5]}),
        (GULBAR_TEXT, {"left": [9, 9]}),
        ("mad_gulbar[remainder=lost] 24:15 | 24:15", {"left": [6, 6]}),
        ("long 24:15 | 24:15", {"left": [3, 3]}),
        ("long 24:15 | 24:15", {"offered": True}),
        ("short 6:2 | 6:2; cube 2 opponent", {"offered": True}),
        ("short 6:2 | 6:2; cube 4; limit 4", {"offered": True}),
        ("short 6:2 | 6:2; dice 6-1", {"offered": True}),
        ("short 6:2 | 6:2; match 3; score 2-0; crawford", {"offered": True}),
    ],
)
def test_what_cannot_be_under_way_is_refused(text, resumed):
    data = nardy.Game.from_context(nardy.Context.from_text(text)).to_dict()
    data["resumed"] |= resumed
    with pytest.raises(nardy.NardyError, match=r"expected|cannot offer"):
        nardy.Game.from_dict(data)


@pytest.mark.parametrize("left", [(3, 3), (6,) * 3, (5, 6), (0,), (7,), ("a",), (6, 6, 6, 6)])
def test_a_flow_takes_only_what_a_cascade_leaves(left):
    """rules.md 9.3: one stage or a part of it, and all higher ones; two steps each here."""
    with pytest.raises(InvalidArgument, match=r"left: expected|expected dice of 1 to 6"):
        Flow(nardy.variant("mad_gulbar"), left=left)
    assert Flow(nardy.variant("mad_gulbar"), left=(5, 6, 6)).left == (5, 6, 6)


def test_a_cube_that_is_no_flag_is_refused():
    with pytest.raises(InvalidArgument, match="cube: expected True or False"):
        nardy.Game("short", cube=np.array([1, 2]))


def test_the_cube_ends_where_contexts_do():
    game = nardy.Game.from_context(nardy.Context.from_text(f"short 6:2 | 6:2; cube {2**29} me"))
    game.offer()
    game.take()
    assert game.context().cube_value == 2**30
    game.roll((2, 1))
    game.play("6/4 6/5")
    assert game.to_play.acts == ("roll",)
    with pytest.raises(InvalidArgument, match="cube_limit: expected a whole number"):
        nardy.Game("short", cube_limit=2**31)
