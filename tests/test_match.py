"""Matches and money sessions: score, starter, Crawford game, draws, end, round trips.

Section numbers are those of rules.md.
"""

import copy
import json
import pickle

import pytest

import nardy
from nardy import (
    Game,
    IllegalAct,
    InvalidArgument,
    Kind,
    Match,
    MatchResult,
    NardyError,
    ParseError,
    Position,
    batch,
)
from nardy.variants import VARIANTS

CUBE = [name for name, rules in VARIANTS.items() if rules.cube]


def win(match, winner, kind="single"):
    """The current game ends by a resignation; the next one begins unless the match is over."""
    match.game.resign(kind, player=1 - winner)
    if not match.over:
        match.next_game()


def begin(match, starter=0):
    """Throw for the start, play the first turn of a lot, so that the cube could be offered."""
    game = match.game
    game.roll((6, 1) if starter == 0 else (1, 6))
    if game.dice:
        game.play(game.plays()[0])
    return game


def may_offer(match):
    """Whether the cube may be offered in the current game."""
    twin = match.copy()
    return "offer" in begin(twin).to_play.acts


def play_out(game, policy="random"):
    while game.result is None:
        if "roll" in game.to_play.acts:
            game.roll()
        else:
            game.play(game.choose(policy))


def draw(match):
    """Let the current game end in a draw: each side bears its two checkers off in one turn."""
    game = match.game
    if game.starter is None:
        game.roll((6, 1))
    for _ in range(2):
        game.roll((6, 6))
        game.play()
    assert game.result.winner is None


HALVES = nardy.Rules(
    "halves", start={6: 2}, draw_points=0.5, next_starter="winner", cube=True, source="here"
)
"""Two checkers a side: two doubles in a row are a draw."""
WHOLE = HALVES.replace(draw_points=1)


# ------------------------------------------------------------------------------------- scores


def test_scores_add_up():
    match = Match("short", 9, seed=1)
    for winner, kind, score in [(0, "single", (1, 0)), (1, "koks", (1, 3)), (0, "mars", (3, 3))]:
        win(match, winner, kind)
        assert match.score == score
    game = begin(match)
    game.offer()
    game.take()
    assert match.score == (3, 3)
    game.resign("mars", player=0)
    assert match.score == (3, 7)
    assert [result.points for result in match.results] == [1, 3, 2, 4]
    assert len(match.games) == 4
    assert match.game is match.games[-1] is game
    assert not match.over
    assert (match.result, match.winner) == (None, None)


def test_surplus_points():
    match = Match("short", 5, score=(4, 4), crawford_played=True)
    game = begin(match)
    game.offer()
    game.take()
    game.resign("koks", player=0)
    assert match.over
    assert match.score == (4, 10)
    assert match.result == MatchResult(1, (4, 10))
    with pytest.raises(IllegalAct, match="cannot begin another game: the match is over, 4-10"):
        match.next_game()


def test_next_game_waits_for_the_end():
    match = Match("short", 5)
    with pytest.raises(
        IllegalAct, match="cannot begin another game: both players are to roll"
    ) as e:
        match.next_game()
    assert e.value.expected == ("roll",)
    assert len(match.games) == 1


def test_one_point_match():
    """5.6: no cube, and no Crawford game."""
    for name in CUBE:
        match = Match(name, 1)
        assert match.stage == "normal"
        assert not may_offer(match)
        win(match, 1)
        assert match.result == (1, (0, 1))
        assert may_offer(Match(name, 2))


def test_money_sessions_have_no_end():
    session = Match("short", None, seed=1, cube_limit=4)
    for number in range(30):
        assert session.stage == "normal"
        assert may_offer(session)
        win(session, number % 2, "koks")
    assert session.score == (45, 45)
    assert not session.over
    assert (session.length, session.result) == (None, None)
    game = begin(session)
    for _ in range(2):
        game.offer()
        game.take()
        game.roll((2, 1))
        game.play(game.plays()[0])
    assert game.cube_value == 4
    assert "offer" not in game.to_play.acts


def test_session_switches():
    session = Match("short", None, jacoby=True, beaver=True)
    win(session, 0, "koks")
    assert session.score == (1, 0)
    game = begin(session)
    game.offer()
    assert "beaver" in game.to_play.acts
    game.beaver()
    game.take()
    game.resign("koks", player=0)
    assert session.score == (1, 12)
    for switch in ("jacoby", "beaver"):
        with pytest.raises(InvalidArgument, match="switches of money sessions"):
            Match("short", 5, **{switch: True})


# ------------------------------------------------------------------------------------- starters


@pytest.mark.parametrize(
    ("rule", "starters"), [("winner", [0, 1, 1, 0]), ("alternate", [0, 1, 0, 1])]
)
def test_next_starter(rule, starters):
    rules = nardy.variant("long").replace(next_starter=rule)
    match = Match(rules, None)
    match.game.roll((6, 1))
    for winner in (1, 1, 0):
        win(match, winner)
    assert [game.starter for game in match.games] == starters


def test_next_starter_by_lot():
    match = Match("short", None, seed=3)
    begin(match)
    win(match, 0)
    assert match.game.to_play == (None, ("roll",))
    starters = set()
    for _ in range(40):
        match.game.roll()
        starters.add(match.game.starter)
        win(match, 0)
    assert starters == {0, 1}


@pytest.mark.parametrize("rule", ["winner", "alternate"])
def test_after_a_draw_the_other_starts(rule):
    """3.2: `winner` falls back to `alternate`."""
    match = Match(HALVES.replace(next_starter=rule), None)
    draw(match)
    assert match.next_game().starter == 1 - match.games[0].starter


def test_starter_after_a_game_that_had_none():
    match = Match("long", None)
    win(match, 1)  # resigned before the lot
    assert match.game.starter == 1
    match = Match("long_fnr", None)
    win(match, 1)
    assert match.game.starter is None


# ------------------------------------------------------------------------------------- Crawford


@pytest.mark.parametrize("name", CUBE)
def test_crawford_is_played_once(name):
    match = Match(name, 3)
    stages, offers = [], []
    for winner in (0, 0, 1, 1, 0):
        stages.append(match.stage)
        offers.append(may_offer(match))
        assert match.crawford is (match.stage == "crawford")
        win(match, winner)
    assert match.result == (0, (3, 2))
    assert stages == ["normal", "normal", "crawford", "post_crawford", "post_crawford"]
    assert offers == [True, True, False, True, True]


def test_crawford_without_a_first_step_to_match_point():
    """Jumped to match point, and jumped over it."""
    match = Match("short", 4)
    win(match, 1, "koks")
    assert match.stage == "crawford"
    match = Match("short", 4)
    win(match, 1, "koks")
    win(match, 0, "mars")
    assert match.stage == "post_crawford"
    match = Match("short", 3)
    win(match, 1, "koks")
    assert match.over
    assert match.stage == "normal"


def test_both_at_match_point():
    match = Match("short", 3, score=(1, 2))
    assert match.stage == "crawford"
    win(match, 0)
    assert match.score == (2, 2)
    assert match.stage == "post_crawford"
    assert may_offer(match)


def test_two_point_match():
    match = Match("short", 2)
    assert may_offer(match)
    win(match, 0)
    assert match.stage == "crawford"


def test_crawford_may_be_left_out():
    match = Match("short", 3, crawford=False, score=(2, 0))
    assert match.stage == "normal"
    assert may_offer(match)


@pytest.mark.parametrize("name", sorted(set(VARIANTS) - set(CUBE)))
def test_no_crawford_without_a_cube(name):
    match = Match(name, 3)
    win(match, 0)
    win(match, 1)
    win(match, 0)
    assert match.score == (2, 1)
    assert match.stage == "normal"
    assert not may_offer(match)


def test_crawford_that_was_before_the_start():
    assert Match("short", 5, score=(4, 1)).stage == "crawford"
    match = Match("short", 5, score=(4, 1), crawford_played=True)
    assert match.stage == "post_crawford"
    assert may_offer(match)
    for length, score in ((5, (3, 3)), (None, (4, 1)), (3, (0, 0))):
        with pytest.raises(InvalidArgument, match="crawford_played: no player needs one point"):
            Match("short", length, score=score, crawford_played=True)


@pytest.mark.parametrize("rest", [0.5, 1])
def test_crawford_with_half_points(rest):
    """5.6: when a player first needs one point or less."""
    match = Match(HALVES, 3, score=(3 - rest, 0.5))
    assert match.stage == "crawford"
    assert Match(HALVES, 3, score=(1.5, 1.5)).stage == "normal"


def test_crawford_after_a_draw():
    match = Match(HALVES, 3, score=(1.5, 0))
    assert match.stage == "normal"
    draw(match)
    match.next_game()
    assert match.score == (2, 0.5)
    assert match.stage == "crawford"
    draw(match)
    match.next_game()
    assert match.stage == "post_crawford"
    assert match.score == (2.5, 1)


# ------------------------------------------------------------------------------------- draws


def test_draws_with_half_points():
    match = Match(HALVES, None)
    for number in range(1, 4):
        draw(match)
        assert match.game.result == (None, Kind.DRAW, 0.5)
        assert match.score == (number / 2, number / 2)
        assert isinstance(match.score[0], float if number % 2 else int)
        match.next_game()


@pytest.mark.parametrize(("rules", "score"), [(HALVES, (2.5, 2.5)), (WHOLE, (2, 2))])
def test_tied_match(rules, score):
    match = Match(rules, 3, score=score)
    draw(match)
    assert match.over
    assert match.result == MatchResult(None, (3, 3))
    assert match.winner is None
    with pytest.raises(IllegalAct, match="the match is over, 3-3"):
        match.next_game()


def test_a_draw_may_win_a_match():
    match = Match(WHOLE, 3, score=(1, 2))
    draw(match)
    assert match.result == MatchResult(1, (2, 3))


# ------------------------------------------------------------------------------------- undo


def test_undo_of_the_last_act_of_a_game():
    match = Match("short", 3, seed=1)
    win(match, 0, "mars")
    game = begin(match)
    game.resign(player=1)
    assert match.over
    assert match.score == (3, 0)
    game.undo()
    assert not match.over
    assert match.score == (2, 0)
    assert match.stage == "crawford"
    game.resign(player=0)
    assert match.score == (2, 1)
    assert match.next_game().to_play == (None, ("roll",))
    assert match.stage == "post_crawford"


def test_earlier_games_stay_as_they_are():
    match = Match("short", 5)
    win(match, 0)
    first = match.games[0]
    with pytest.raises(IllegalAct, match="cannot undo: the match has gone on to the next game"):
        first.undo()
    assert match.score == (1, 0)
    first.copy().undo()
    assert match.score == (1, 0)


def test_undo_through_the_whole_match():
    match = Match("short", 7, seed=5)
    for number in range(3):
        begin(match)
        win(match, number % 2, "mars")
    written, games = match.to_dict(), match.games
    taken = []
    while match.game.history or len(match.games) > 1:
        taken.append(match.undo())
    assert match == Match("short", 7, seed=5)
    assert match.game is games[0]
    assert taken.count(None) == 3
    assert [event.act for event in taken if event] == ["resign", "play", "lot"] * 3
    with pytest.raises(IllegalAct, match="cannot undo: nothing was done yet"):
        match.undo()
    assert Match.from_dict(written).score == (4, 2)


# ------------------------------------------------------------------------------------- values


def random_match(rules, length, seed, until=10**9):
    """Play a match at random, with the cube at times."""
    match = Match(rules, length, seed, cube_limit=8)
    count = 0
    while count < until:
        count += 1
        game = match.game
        if game.result is not None:
            if match.over:
                break
            match.next_game()
        elif "offer" in game.to_play.acts and count % 7 == 0:
            game.offer()
        elif "take" in game.to_play.acts:
            (game.take if count % 3 else game.drop)()
        elif "roll" in game.to_play.acts:
            game.roll()
        else:
            game.play(game.choose("random"))
    return match


@pytest.mark.parametrize("name", VARIANTS)
def test_seeds_reproduce_whole_matches(name):
    one, two = (random_match(name, 5, seed=9) for _ in range(2))
    assert one.over
    assert one == two
    assert one.results == two.results
    assert one != random_match(name, 5, seed=10)
    for number, game in enumerate(one.games):
        assert (game.seed, game.number) == (9, number)


@pytest.mark.parametrize("name", ["long", "tavla", "mad_gulbar", "long_fnr"])
def test_games_of_a_match_are_those_of_playout(name):
    match = Match(name, None, seed=12)
    known = batch.playout(name, games=6, seed=12)
    for number in range(6):
        play_out(match.game)
        winner = known.winner[0, number]
        starter = match.game.starter
        assert match.game.result.winner == (None if winner < 0 else winner ^ starter)
        assert match.game.turns == known.turns[0, number]
        match.next_game()


@pytest.mark.parametrize("until", [0, 1, 40, 700, 10**9])
@pytest.mark.parametrize("name", ["short", "long_fnr", "mad_gulbar", "nardegammon"])
def test_round_trips(name, until):
    match = random_match(name, 7, seed=3, until=until)
    written = match.to_dict()
    for twin in (
        match.copy(),
        copy.copy(match),
        copy.deepcopy(match),
        pickle.loads(pickle.dumps(match)),
        Match.from_dict(json.loads(json.dumps(written))),
    ):
        assert twin == match
        assert (twin.score, twin.stage, twin.result) == (match.score, match.stage, match.result)
        assert twin.games == match.games
        assert twin.game is not match.game
        for game in twin.games[:-1]:
            with pytest.raises(IllegalAct, match="gone on"):
                game.undo()
        if not twin.over:
            twin.game.resign(player=0)
            assert twin != match
        assert match.to_dict() == written


@pytest.mark.parametrize("rules", [HALVES, nardy.variant("long").replace(draw_points=0.5)])
def test_rules_of_ones_own_come_back(rules):
    match = Match(rules, 3, seed=2, score=(0.5, 1.5), crawford=False)
    play_out(match.game)
    twin = Match.from_dict(json.loads(json.dumps(match.to_dict())))
    assert twin == match
    assert twin.rules == rules
    assert twin.score == match.score


def test_the_written_form():
    written = {
        "format": "nardy-match", "version": 1, "rules": "short", "length": 3, "seed": 5,
        "crawford": True, "cube_limit": 64, "jacoby": False, "beaver": False, "score": [0, 1],
        "crawford_played": False,
        "games": [[["lot", [3, 1]], ["play", "8/5 6/5"], ["offer"], ["drop"]], [["lot", [1, 2]]]],
    }  # fmt: skip
    match = Match.from_dict(written)
    assert match.score == (0, 2)
    assert match.stage == "crawford"
    assert match.to_dict() == written
    assert repr(match) == "<Match short to 3, 0-2, game 2>"
    assert repr(Match("long", None)) == "<Match long session, 0-0, game 1>"
    assert match != "a match"
    with pytest.raises(TypeError):
        hash(match)


def bad_forms():
    good = Match("short", 3, seed=5).to_dict()
    yield "x", ParseError
    yield {}, ParseError
    for changes, error in [
        ({"format": "nardy-game"}, ParseError),
        ({"version": 0}, ParseError),
        ({"rules": None}, ParseError),
        ({"length": "3"}, InvalidArgument),
        ({"games": 5}, ParseError),
        ({"games": [5]}, ParseError),
        ({"games": [[5]]}, ParseError),
        ({"games": [[["drop"]]]}, IllegalAct),
        ({"games": [[], []]}, IllegalAct),
        ({"games": [[["resign", 0, 3]], []]}, IllegalAct),
        ({"colour": 1}, ParseError),
    ]:
        yield good | changes, error
    for name in ("rules", "length", "games"):
        yield {key: value for key, value in good.items() if key != name}, ParseError


@pytest.mark.parametrize(("data", "error"), list(bad_forms()))
def test_bad_forms_are_refused(data, error):
    with pytest.raises(error) as caught:
        Match.from_dict(data)
    assert isinstance(caught.value, NardyError)


def test_the_error_counts_games_and_acts():
    data = Match("short", 3, seed=5).to_dict()
    data["games"] = [[["resign", 0, 1]], [["lot", [3, 1]], ["take"]]]
    with pytest.raises(IllegalAct) as caught:
        Match.from_dict(data)
    assert caught.value.__notes__ == [
        "in act 2 of the game: ['take']", "in game 2 of the match",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"length": 0}, "length: expected 1 or more points"),
        ({"length": -1}, "length: expected a whole number"),
        ({"length": 2.5}, "length: expected a whole number"),
        ({"score": (3, 0)}, "score: expected less than 3 points each"),
        ({"score": (0.5, 0)}, "score: expected the points of both players, whole numbers"),
        ({"score": (0, -1)}, "score: expected the points"),
        ({"score": (0, float("nan"))}, "score: expected the points"),
        ({"score": (0, float("inf"))}, "score: expected the points"),
        ({"score": "12"}, "score: expected the points"),
        ({"score": 1}, "score: expected the points"),
        ({"score": (1, 2, 0)}, "score: expected the points"),
        ({"rules": HALVES, "score": (0.25, 0)}, "multiples of a half"),
        ({"seed": -1}, "seed: expected a whole number"),
        ({"crawford": 1}, "crawford: expected True or False"),
        ({"crawford_played": None}, "crawford_played: expected True or False"),
        ({"cube_limit": 3}, "cube_limit: expected 1, 2, 4, 8"),
        ({"jacoby": "yes"}, "jacoby: expected True or False"),
    ],
)
def test_bad_arguments(options, message):
    with pytest.raises(InvalidArgument, match=message):
        Match(**{"rules": "short", "length": 3} | options)


def test_settings_reach_every_game():
    session = Match("short", None, seed=6, cube_limit=16, jacoby=True, beaver=True)
    win(session, 0)
    for number, game in enumerate(session.games):
        written = game.to_dict()
        assert (written["cube_limit"], written["jacoby"], written["beaver"]) == (16, True, True)
        assert (written["seed"], written["number"]) == (6, number)
    assert session.rules == session.game.rules
    assert session.seed == 6
    assert Match("short", None).seed != Match("short", None).seed
    start = Position.start("short")
    assert Game("short", position=start).position == session.game.position
