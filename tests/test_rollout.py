"""Rollouts against exact answers, against sums made anew here, and against themselves."""

import json
import math
from fractions import Fraction
from functools import cache
from importlib import import_module

import numpy as np
import pytest

from nardy import variant
from nardy.position import Position
from nardy.rollout import Estimate, Rollout, Shares, rollout, simulate
from nardy_core import batch
from nardy_core.errors import NardyError

MIXED = (
    "long 24:15 | 24:15",
    "short 24:2 13:5 8:3 6:5 | 24:2 13:5 8:3 6:5",
    "short 8:2 6:2 5:2 4:4 3:3 2:2 | 24:2 13:3 8:1 6:2 4:2 3:2 2:2 bar:1",
    "tavla 3:1 off:14 | 1:15",
    "long_fnr 3:1 1:2 off:12 | 2:1 1:1 off:13",
    "long_fsnr 1:1 off:14 | 6:15",
    "mad_gulbar 24:1 1:14 | 8:1 1:14",
    "old_english off:15 | 1:1 off:14",
)


# -------------------------------------------------------------------------- exact answers


def pips_of(roll):
    return 4 * roll[0] if roll[0] == roll[1] else sum(roll)


@cache
def chance(mine, other):
    """Exact chance to win, and mean turns, with one checker each: no choice, no contact."""
    win = turns = Fraction(0)
    for die1 in range(1, 7):
        for die2 in range(1, 7):
            left = mine - pips_of((die1, die2))
            if left <= 0:
                win += 1
                turns += 1
            else:
                their_win, their_turns = chance(other, left)
                win += 1 - their_win
                turns += 1 + their_turns
    return win / 36, turns / 36


def test_enumeration_of_the_known_position():
    assert chance(6, 1)[0] == Fraction(27, 36)


@pytest.mark.parametrize(("mine", "other"), [(6, 1), (6, 6), (5, 3), (1, 1)])
@pytest.mark.parametrize("game", ["short", "long", "tavla"])
def test_lone_checkers(game, mine, other):
    result = rollout(f"{game} {mine}:1 off:14 | {other}:1 off:14", trials=20_000, seed=7)
    win, turns = (float(part) for part in chance(mine, other))
    assert abs(result.equity - (2 * win - 1)) <= 4 * result.stderr
    assert abs(result.turns - turns) <= 4 * result.turns_stderr
    assert result.won.single == pytest.approx((1 + result.equity) / 2)


def test_win_at_once():
    result = rollout("short 1:1 off:14 | 1:1 off:14", trials=50, seed=1)
    assert (result.equity, result.stderr, result.turns, result.turns_stderr) == (1, 0, 1, 0)
    assert result.won == Shares(1, 0, 0)
    assert result.lost == Shares(0, 0, 0)


def test_draw_is_worth_nothing_net():
    # The first mover ends with any roll, and so does the other in his last turn.
    result = rollout("long_fnr 1:1 off:14 | 1:2 off:13", trials=50, seed=1)
    assert (result.drawn, result.equity, result.stderr, result.turns) == (1, 0, 0, 2)


def test_some_draws():
    # Two checkers on 6 are off in the last turn with 6-6, 5-5, 4-4 and 3-3 alone.
    result = rollout("long_fnr 1:1 off:14 | 6:2 off:13", trials=20_000, seed=3)
    error = math.sqrt(4 / 36 * 32 / 36 / 20_000)
    assert abs(result.drawn - 4 / 36) <= 4 * error
    assert result.won.single == pytest.approx(1 - result.drawn)
    assert result.equity == pytest.approx(1 - result.drawn)


@pytest.mark.parametrize(
    ("text", "points", "kind"),
    [
        ("long_fsnr 1:1 off:14 | 6:15", 3, "koks"),  # home mars
        ("long_fsnr 1:1 off:14 | 24:3 6:12", 2, "mars"),
        ("long 1:1 off:14 | 6:15", 2, "mars"),
        ("long 1:1 off:14 | 6:14 off:1", 1, "single"),
        ("short 1:1 off:14 | 23:1 6:14", 3, "koks"),
        ("short 1:1 off:14 | 6:14 bar:1", 3, "koks"),
        ("short 1:1 off:14 | 18:1 6:14", 2, "mars"),
        ("tavla 1:1 off:14 | 23:1 6:14", 2, "mars"),
        ("old_english 1:1 off:14 | 23:5 13:5 6:5", 1, "single"),
    ],
)
def test_points_of_each_kind(text, points, kind):
    result = rollout(text, trials=20, seed=1)
    assert (result.equity, result.stderr) == (points, 0)
    assert getattr(result.won, kind) == 1


def test_worth_of_house_rules():
    rules = variant("short").replace(points=(1, 4, 0), home_mars=7)
    board = Position.from_text("short 1:1 off:14 | 6:15").board
    assert rollout(Position(rules, board), trials=10, seed=1).equity == 7


# --------------------------------------------------------------------------- second witness


def points_of(rules, played):
    """Points of every game for the player on roll, from the arrays of the core."""
    worth = batch.worth(rules)
    sign = np.where(played.winner == 0, 1, np.where(played.winner == 1, -1, 0))
    return worth[played.kind] * sign


@pytest.mark.parametrize("index", range(len(MIXED)))
@pytest.mark.parametrize("policy", ["heuristic", ("random", "heuristic")])
def test_same_as_sums_over_the_games(index, policy):
    trials = 300
    result = rollout(list(MIXED), trials=trials, policy=policy, seed=11)[index]
    position = Position.from_text(MIXED[index])
    played = batch.raw_playout(
        position.rules, position.board, trials, 11, policy, first_board=index
    )
    points = points_of(position.rules, played)[0]
    assert result.equity == pytest.approx(points.mean())
    assert result.stderr == pytest.approx(points.std(ddof=1) / math.sqrt(trials))
    assert result.turns == pytest.approx(played.turns.mean())
    assert result.turns_stderr == pytest.approx(played.turns[0].std(ddof=1) / math.sqrt(trials))
    assert result.drawn == (played.winner == -1).mean()
    for side, shares in ((0, result.won), (1, result.lost)):
        kinds = [(played.winner == side) & (played.kind == kind) for kind in (1, 2)]
        kinds.append((played.winner == side) & (played.kind >= 3))
        assert shares == tuple(kind.mean() for kind in kinds)
    assert sum(result.won) + sum(result.lost) + result.drawn == pytest.approx(1)


@pytest.mark.parametrize("name", ["short", "long_fnr", "long_fsnr", "mad_gulbar"])
def test_simulation_same_as_sums_over_the_games(name):
    games = 500
    result = simulate(name, games, "random", seed=5)
    played = batch.raw_playout(variant(name), None, games, 5, "random")
    turns, points = played.turns[0], points_of(variant(name), played)[0]

    def same(estimate, values):
        assert estimate.mean == pytest.approx(values.mean())
        assert estimate.stderr == pytest.approx(values.std(ddof=1) / math.sqrt(games))

    same(result.turns, turns)
    same(result.single, played.kind[0] == 1)
    same(result.mars, played.kind[0] == 2)
    same(result.koks, played.kind[0] >= 3)
    same(result.drawn, played.winner[0] == -1)
    same(result.first_wins, played.winner[0] == 0)
    same(result.first_points, points)
    assert result.turns_sd == pytest.approx(turns.std(ddof=1))
    assert result.turns_max == turns.max()


def test_random_play_of_backgammon():
    # 10,000 games by another program (uniform over distinct results, opening never a double):
    # mean 96.77 +- 0.4 turns, standard deviation 39.75, shares 0.3824, 0.365, 0.2526 +- 0.005.
    result = simulate("short", 20_000, "random", seed=1)
    assert abs(result.turns.mean - 96.77) <= 4 * math.hypot(0.4, result.turns.stderr)
    assert result.turns_sd == pytest.approx(39.75, rel=0.04)
    for share, known in ((result.single, 0.3824), (result.mars, 0.365), (result.koks, 0.2526)):
        assert abs(share.mean - known) <= 4 * math.hypot(0.005, share.stderr)


# ------------------------------------------------------------------------- the same numbers


@pytest.mark.parametrize("threads", [2, 3, 5000])
def test_same_for_any_threads(threads):
    assert rollout(MIXED, 150, seed=9, threads=threads) == rollout(MIXED, 150, seed=9)
    one, many = (simulate("short", 999, "random", seed=9, threads=n) for n in (1, threads))
    assert one == many


@pytest.mark.parametrize("size", [1, 37, 400])
def test_same_for_any_pieces(monkeypatch, size):
    whole = rollout(MIXED, 150, seed=9)
    game = simulate("tavla", 150, seed=9)
    # The package may hold the function under the name of its module.
    monkeypatch.setattr(import_module("nardy.rollout"), "GAMES_PER_CALL", size)
    assert rollout(MIXED, 150, seed=9) == whole
    assert simulate("tavla", 150, seed=9) == game


def test_neighbours_change_nothing():
    short = [MIXED[1]] * 3
    alone = rollout(short, 100, seed=2)
    mixed = rollout([MIXED[0], MIXED[1], MIXED[3]], 100, seed=2)
    assert mixed[1] == alone[1]
    assert len({result.equity for result in alone}) > 1  # each place in the list has its own dice


def test_first_games_of_more_are_the_same():
    few, many = (batch.raw_playout(variant("short"), None, n, 3, "random") for n in (10, 20))
    assert (few.turns == many.turns[:, :10]).all()


def test_one_position_or_a_list():
    assert rollout([MIXED[0]], 50, seed=1) == [rollout(MIXED[0], 50, seed=1)]
    assert rollout(iter(MIXED[:2]), 50, seed=1) == rollout(MIXED[:2], 50, seed=1)
    assert rollout([], 50, seed=1) == []


def test_position_or_its_text():
    position = Position.from_text(MIXED[2])
    assert rollout(position, 50, seed=1) == rollout(MIXED[2], 50, seed=1)


def test_fresh_seed_is_reported():
    first, second = (rollout(MIXED[1], 40) for _ in range(2))
    assert first.seed != second.seed
    assert 0 <= first.seed < 2**53
    assert rollout(MIXED[1], 40, seed=first.seed) == first
    game = simulate("short", 40)
    assert simulate("short", 40, seed=game.seed) == game


def test_settings_are_recorded():
    result = rollout(list(MIXED), 30, ["random", "heuristic"], seed=2**64 - 1)[4]
    assert (result.trials, result.policy) == (30, ("random", "heuristic"))
    assert (result.seed, result.index) == (2**64 - 1, 4)
    assert result.position.text() == MIXED[4]
    assert result.elapsed > 0
    hash(result)


# ---------------------------------------------------------------------------------- edges


@pytest.mark.parametrize("trials", [1, 2, 30])
def test_finished_position(trials):
    won = rollout("short off:15 | 24:1 6:14", trials, seed=1)
    assert (won.equity, won.stderr, won.turns, won.turns_stderr) == (3, 0, 0, 0)
    lost = rollout("short 6:15 | off:15", trials, seed=1)
    assert (lost.equity, lost.stderr) == (-2, 0)
    assert lost.lost == Shares(0, 1, 0)
    drawn = rollout("long_fnr off:15 | off:15", trials, seed=1)
    assert (drawn.equity, drawn.drawn) == (0, 1)


def test_one_game_says_nothing_of_the_error():
    result = rollout(MIXED[1], 1, seed=1)
    assert result.stderr == result.turns_stderr == math.inf
    assert result.to_dict()["stderr"] is None
    assert simulate("short", 1, seed=1).to_dict()["turns_sd"] is None
    assert result == rollout(MIXED[1], 1, seed=1)


def test_progress_counts_all_games():
    calls = []
    rollout(MIXED, 2000, seed=1, progress=lambda done, total: calls.append((done, total)))
    done = [pair[0] for pair in calls]
    assert {pair[1] for pair in calls} == {2000 * len(MIXED)}
    assert done == sorted(set(done))
    assert done[-1] == 2000 * len(MIXED)
    calls.clear()
    simulate("short", 9000, "random", 1, progress=lambda done, total: calls.append(done))
    assert calls[-1] == 9000
    assert len(calls) > 1


def test_progress_may_stop_it():
    def stop(done, total):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        rollout(MIXED, 100, seed=1, progress=stop)


@pytest.mark.parametrize(
    ("changes", "word"),
    [
        ({"trials": 0}, "trials"),
        ({"trials": -5}, "trials"),
        ({"trials": 1.5}, "trials"),
        ({"trials": True}, "trials"),
        ({"policy": "best"}, "policy"),
        ({"policy": ("random",)}, "policy"),
        ({"policy": None}, "policy"),
        ({"seed": -1}, "seed"),
        ({"seed": 2**64}, "seed"),
        ({"seed": "1"}, "seed"),
        ({"threads": 0}, "threads"),
        ({"threads": "2"}, "threads"),
    ],
)
def test_bad_settings(changes, word):
    with pytest.raises(NardyError, match=word):
        rollout(MIXED[1], **{"trials": 5, **changes})
    changes = {{"trials": "games"}.get(name, name): value for name, value in changes.items()}
    with pytest.raises(NardyError, match="games" if word == "trials" else word):
        simulate("short", **{"games": 5, **changes})


@pytest.mark.parametrize("one", ["", "long", "chess 1:1 | 1:1", "long 24:16 | 24:15"])
def test_bad_text(one):
    with pytest.raises(NardyError):
        rollout([MIXED[0], one], 5)


def test_bad_positions():
    with pytest.raises(NardyError, match="expected a Position or its text"):
        rollout([MIXED[0], 7], 5)
    with pytest.raises(NardyError):
        simulate("chess", 5)


def test_json():
    result = rollout(MIXED[2], 100, ("heuristic", "random"), seed=4)
    plain = json.loads(json.dumps(result.to_dict(), allow_nan=False))
    assert plain["position"] == MIXED[2]
    assert plain["variant"] == "short"
    assert plain["policy"] == ["heuristic", "random"]
    assert plain["won"] == result.won._asdict()
    fields = set(Rollout.__dataclass_fields__) - {"elapsed"}
    assert set(plain) == fields | {"variant"}
    game = simulate("long_fsnr", 100, "random", seed=4)
    plain = json.loads(json.dumps(game.to_dict(), allow_nan=False))
    assert plain["koks"] == game.koks._asdict()
    assert Estimate(**plain["turns"]) == game.turns
    assert plain["variant"] == "long_fsnr"
