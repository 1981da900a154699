"""The rule cases of games and matches, through `Game` and `Match`.

In the cases player A is player 0 and B is player 1. tests/test_cases.py has the other cases.
"""

from functools import cache

import numpy as np
import pytest
import reference as ref
from pairs import build
from test_reference import RULE_CASES, case_rules, per_variant

from nardy import Game, IllegalAct, InvalidArgument, Kind, Match, Position, batch

A, B = 0, 1
PLAYERS = {"A": A, "B": B, "none": None}
KINDS = {"oin": Kind.SINGLE, "mars": Kind.MARS, "koks": Kind.KOKS, "home_mars": Kind.HOME_MARS}
NOTES = {"id", "variants", "src", "why", "rules"}
COUNTS = {
    "play_cases": 105, "start_cases": 1, "gulbar_turn_cases": 6, "score_cases": 12,
    "draw_cases": 3, "opening_cases": 7, "cube_cases": 11, "match_cases": 5,
}  # fmt: skip


def fields(case, *known):
    """What a case says; a field that the test does not look at fails."""
    assert set(case) - NOTES <= set(known), case["id"]
    return [case.get(name) for name in known]


def position_of(theirs, own, other, *, other_in_own_numbers=True):
    board = ref.parse(theirs, own, other, other_in_own_numbers)
    return Position(build(theirs), np.array(board, np.int8))


def test_no_case_is_left_out():
    """`per_variant` takes every case of a kind, and the tests here and there every kind."""
    assert {kind: len(cases) for kind, cases in RULE_CASES.items() if kind != "version"} == COUNTS
    assert sum(COUNTS.values()) == 150
    ids = [case["id"] for kind in COUNTS for case in RULE_CASES[kind]]
    assert len(set(ids)) == len(ids)


# ------------------------------------------------------------------------------------- opening


@pytest.mark.parametrize(("name", "case"), per_variant("opening_cases"))
def test_opening_case(name, case):
    rules = build(case_rules(name, case))
    dice, first, following, previous, claim, verdict = fields(
        case, "dice", "first", "next", "previous", "claim", "verdict"
    )
    if claim:
        assert claim == "the first mover's first roll can never be a double"
        assert verdict is never_a_double(rules)
    elif previous:
        assert next_starter(rules, previous) == (None if first == "by_new_opening_roll" else first)
    else:
        lot(rules, dice, first, following)


def never_a_double(rules):
    """Whether no seed and nobody who says the dice makes the first roll a double."""
    for seed in range(300):
        game = Game(rules, seed)
        high, low = sorted(game.roll(), reverse=True)
        if high == low or game.dice != (high, low):
            return False
    with pytest.raises(InvalidArgument, match="two different dice of the lot, got 3-3"):
        Game(rules, starter=0).roll((3, 3))
    return True


def next_starter(rules, previous):
    """Who starts after a game: "A", "B" or None."""
    match = Match(rules, None)
    match.game.roll((6, 1) if previous["first"] == "A" else (1, 6))
    assert match.game.starter == PLAYERS[previous["first"]]
    match.game.resign(player=1 - PLAYERS[previous["winner"]])
    starter = match.next_game().starter
    return None if starter is None else "AB"[starter]


def lot(rules, dice, first, following):
    game = Game(rules)
    game.roll((dice["A"], dice["B"]))
    assert game.starter == game.on_roll == PLAYERS[first]
    if following == "roll_again":
        assert game.to_play == (None, ("roll",))
    elif following == "roll_two_dice":
        assert game.dice is None
        assert game.to_play == (PLAYERS[first], ("roll",))
    else:
        assert following == f"play {list(game.dice)}"
        assert game.to_play == (PLAYERS[first], ("play",))


# ------------------------------------------------------------------------------------- results


@pytest.mark.parametrize(("name", "case"), per_variant("score_cases"))
def test_score_case(name, case):
    theirs = case_rules(name, case)
    loser, cube, turned, points, kind = fields(
        case, "loser", "cube", "cube_turned", "points", "kind"
    )
    game = Game(
        build(theirs),
        position=position_of(theirs, "1:1", loser),
        cube_value=cube or 1,
        jacoby=case.get("rules", {}).get("jacoby", False),
    )
    assert not turned
    game.roll((6, 5))
    game.play()
    assert game.result == (A, KINDS[kind], points)
    assert game.to_play == (None, ())


DRAWS = {  # the second mover's checkers, what he throws, and how it ends
    "D01": ("1:2", None, (A, Kind.SINGLE, 1)),
    "D02": ("1:2", (6, 5), (None, Kind.DRAW, 0.5)),
    "D04": ("6:2", (5, 4), (A, Kind.SINGLE, 1)),
}


@pytest.mark.parametrize(("name", "case"), per_variant("draw_cases"))
def test_draw_case(name, case):
    fields(case, "event", "verdict")  # in words
    theirs = case_rules(name, case)
    black, reply, result = DRAWS[case["id"]]
    game = Game(build(theirs), position=position_of(theirs, "1:1", black))
    game.roll((6, 5))
    game.play()
    if reply:
        assert game.result is None
        assert game.last_turn
        assert game.to_play == (B, ("roll",))
        game.roll(reply)
        game.play()
    assert game.result == result
    assert not game.last_turn


# ------------------------------------------------------------------------------------- cascades


@pytest.mark.parametrize(("name", "case"), per_variant("gulbar_turn_cases"))
def test_gulbar_turn(name, case):
    fields(
        case, "x", "o", "roll", "played", "x_after", "remainder", "opp_before", "opp_after",
        "opp_played", "lost", "first_turn",
    )  # fmt: skip
    theirs = case_rules(name, case)
    start = position_of(theirs, case["x"], case["o"], other_in_own_numbers=False)
    game = Game(build(theirs), position=start)
    game.roll(tuple(case["roll"]))
    after = position_of(theirs, case["x_after"], case["o"], other_in_own_numbers=False).flip()
    for end, played in whole_turns(game, A):
        assert end.position == after
        assert played == case["played"]
        assert left_over(end) == case["remainder"]
        if "opp_before" in case:
            remainder_played(end, theirs, case)


def whole_turns(game, player, played=()):
    """Every way to play all stages of one player's turn or remainder, and the dice played."""
    if game.to_play != (player, ("play",)):
        yield game, list(played)
        return
    die = game.dice[0]
    for play in game.plays():
        onward = game.copy()
        onward.play(play)
        yield from whole_turns(onward, player, (*played, *[die] * len(play.steps)))


def left_over(game):
    """The dice that a cascade has left for the player who must act."""
    if not game.remainder:
        return []
    first, cascade = game.dice[0], game.rules.cascade
    higher = [die for die in range(first + 1, 7) for _ in range(cascade)]
    return [first] * game.steps + higher


def remainder_played(game, theirs, case):
    assert game.position == position_of(theirs, case["opp_before"], case["x_after"])
    expected = position_of(theirs, case["opp_after"], case["x_after"])
    opp_played = case.get("opp_played", case["remainder"])
    for end, played in whole_turns(game, B):
        assert played == opp_played
        assert case["remainder"][len(played) :] == case["lost"]
        assert end.position == expected
        assert end.to_play == (B, ("roll",))  # what is lost comes back to nobody
        assert not end.remainder


# ------------------------------------------------------------------------------------- the cube


@pytest.mark.parametrize(("name", "case"), per_variant("cube_cases"))
def test_cube_case(name, case):
    theirs = case_rules(name, case)
    rules = build(theirs)
    (cube, owner, actor, when, may_offer, offer_by, reply, cube_after, owner_after, winner,
     points, loser_position) = fields(
        case, "cube", "owner", "actor", "when", "may_offer", "offer_by", "reply", "cube_after",
        "owner_after", "winner", "points", "loser_position",
    )  # fmt: skip
    who = PLAYERS[actor or offer_by]
    start = Position.start(rules)
    if loser_position:
        start = position_of(theirs, "1:5", loser_position)
    game = Game(
        rules,
        starter=1 - who if when == "opponents_turn" else who,
        position=start,
        cube_value=cube,
        cube_owner=PLAYERS[owner],
        cube_limit=case.get("rules", {}).get("cube_limit"),
    )
    if when:
        assert may_offer_now(game, who, when) is may_offer
        return
    game.offer()
    assert game.to_play == (1 - who, ("take", "drop"))
    if reply == "take":
        game.take()
        assert (game.cube_value, game.cube_owner) == (cube_after, PLAYERS[owner_after])
        assert game.to_play == (who, ("roll",))
        return
    game.drop()
    assert game.result == (who if winner is None else PLAYERS[winner], Kind.SINGLE, points)


def may_offer_now(game, player, when):
    """Whether a player may offer, tried out where the game would take it for his."""
    if when == "after_roll":
        game.roll((3, 1))
    elif when == "opponents_turn":
        return game.to_play.player == player
    if "offer" in game.to_play.acts:
        game.offer()
        return game.offered
    with pytest.raises(IllegalAct, match="cannot offer"):
        game.offer()
    return False


# ------------------------------------------------------------------------------------- matches


@pytest.mark.parametrize(("name", "case"), per_variant("match_cases"))
def test_match_case(name, case):
    rules = build(case_rules(name, case))
    length, score, played, this_game, cube, won, over, winner, final = fields(
        case, "length", "score", "previous_crawford", "this_game", "cube_allowed",
        "game_points", "match_over", "winner", "final",
    )  # fmt: skip
    points = won or {}
    seed = drawn_seed(rules) if len(points) == 2 else 1
    match = Match(rules, length, seed, score=tuple(score), crawford_played=bool(played))
    if this_game:
        assert match.stage == this_game
        assert cube_is_there(match.game) is cube
        return
    if len(points) == 2:
        play_out(match.game)
        assert match.game.result == (None, Kind.DRAW, points["A"])
    else:
        match.game.resign({1: "single", 2: "mars", 3: "koks"}[points["A"]], player=B)
    assert match.over is over
    assert match.winner == match.result.winner == PLAYERS[winner]
    total = [before + points.get(player, 0) for before, player in zip(score, "AB", strict=True)]
    assert list(match.score) == (final or total) == total


def cube_is_there(game):
    """Whether the cube can be offered in the game, tried at the first chance."""
    game = game.copy()
    game.roll()
    if "play" not in game.to_play.acts:
        game.roll()
    game.play(game.plays()[0])
    return "offer" in game.to_play.acts


def play_out(game):
    while game.result is None:
        if "roll" in game.to_play.acts:
            game.roll()
        else:
            game.play(game.choose("random"))


@cache
def drawn_seed(rules):
    """The first seed whose game 0 of random play is a draw."""
    return next(
        seed for seed in range(10_000) if batch.playout(rules, seed=seed).winner[0, 0] == -1
    )
