"""Games that end where the tables know the rest: against exact chances, and against full games."""

import math
from fractions import Fraction
from functools import cache
from importlib import import_module

import numpy as np
import pytest

from nardy import VARIANTS, InvalidArgument, Position, batch, bearoff, rollout
from nardy.bearoff.tables import ends_of
from nardy_core import batch as core
from nardy_core.ending import Ends

HOME = (
    "short 6:3 5:4 4:4 3:2 2:2 | 6:5 5:4 3:4 1:2",
    "tavla 6:1 3:1 off:13 | 5:2 off:13",
    "caucasian 4:2 1:2 off:11 | 6:15",
    "long 6:3 5:4 2:8 | 6:7 5:8",
    "long 6:2 2:1 off:12 | 6:15",
    "long_fnr 3:1 1:2 off:12 | 2:1 1:1 off:13",
    "long_fnr 6:4 5:1 off:10 | 6:15",
    "long_fsnr 6:3 1:2 off:10 | 6:15",
    "nardegammon 5:15 | 6:3 5:12",
    "old_english 6:5 5:5 4:5 | 6:5 5:5 4:5",
    "mad_gulbar 6:15 | 6:15",
    "mad_gulbar 6:4 off:11 | 6:15",
)
"""Both in their homes: decided by the tables before a die is thrown."""

FORCED = (
    "short 1:15 | 1:15",
    "tavla 1:5 off:10 | 1:6 off:9",
    "caucasian 1:3 off:12 | 1:4 off:11",
    "long 1:2 off:13 | 1:15",
    "long_fnr 1:3 off:12 | 1:3 off:12",
    "long_fnr 9:1 off:14 | 8:1 off:14",
    "long_fsnr 6:1 off:14 | 1:15",
    "short 12:1 off:14 | 7:1 off:14",
    "mad_gulbar 12:1 off:14 | 1:5 off:10",
)
"""No choice of plays: any policy is that of the table."""

HOUSE = (
    *VARIANTS.values(),
    VARIANTS["short"].replace(start={24: 1, 8: 2}, draw_points=0.5),
    VARIANTS["short"].replace(contact="block", travel="parallel", start={24: 3}, points=(1, 2, 0)),
    VARIANTS["long"].replace(block="never", start={24: 4}),
    VARIANTS["long"].replace(travel="contrary", start={20: 3}, home_mars=3),
    VARIANTS["long"].replace(block="home", start={8: 5}),
)


def near(found, expected, deviation, games):
    """Within four standard errors."""
    return abs(found - expected) <= 4 * deviation / math.sqrt(games) + 1e-12


def share_near(found, expected, games):
    return near(found, expected, math.sqrt(expected * (1 - expected)), games)


def cut(rules, *args, **kwargs):
    """Where games are left to the tables."""
    return core.part_playout(rules, *args, 1, ends_of(rules), **kwargs)


# ---------------------------------------------------------------------------------- exact chances


@pytest.mark.parametrize("text", HOME)
def test_draws_have_the_chances_of_the_race(text):
    games = 100_000
    position = Position.from_text(text)
    exact = bearoff.race(position)
    played = batch.playout(position.rules, position.board, games, seed=5, truncate="bearoff")
    winner, kind = played.winner[0], played.kind[0]
    for wanted, found in (
        (exact.win, winner == 0),
        (exact.mars_won, (winner == 0) & (kind >= 2)),
        (exact.mars_lost, (winner == 1) & (kind >= 2)),
        (exact.koks_won, (winner == 0) & (kind == 3)),
        (exact.koks_lost, (winner == 1) & (kind == 3)),
        (exact.draw, winner == -1),
    ):
        assert share_near(found.mean(), wanted, games)
    mean = rollout(position, 1, truncate="bearoff").turns
    assert near(played.turns.mean(), mean, played.turns.std(), games)
    assert ((kind == 0) == (winner == -1)).all()


@pytest.mark.parametrize("text", HOME)
def test_rollout_of_a_known_position_is_its_race(text):
    exact = bearoff.race(Position.from_text(text))
    for trials in (1, 3):
        result = rollout(text, trials, seed=1, truncate="bearoff")
        assert (result.equity, result.stderr, result.turns_stderr) == (exact.equity, 0, 0)
        assert sum(result.won) == pytest.approx(exact.win, abs=1e-15)
        assert result.won.koks == exact.koks_won
        assert result.won.mars + result.won.koks == pytest.approx(exact.mars_won, abs=1e-15)
        assert result.lost.mars + result.lost.koks == pytest.approx(exact.mars_lost, abs=1e-15)
        assert result.drawn == exact.draw


def pips_of(roll):
    return 4 * roll[0] if roll[0] == roll[1] else sum(roll)


@cache
def lone(mine, other, last_turn, first=True):
    """Exact (win, draw, turns) of one checker each, for the player on roll.

    With a `last_turn` the other still plays once when the `first` mover is off (10.5).
    """
    total = [Fraction(0)] * 3
    for roll in ((a, b) for a in range(1, 7) for b in range(1, 7)):
        left = mine - pips_of(roll)
        if left > 0:
            win, draw, turns = lone(other, left, last_turn, not first)
            found = 1 - win - draw, draw, 1 + turns
        elif last_turn and first:
            draws = sum(pips_of((a, b)) >= other for a in range(1, 7) for b in range(1, 7))
            found = 1 - Fraction(draws, 36), Fraction(draws, 36), 2
        else:
            found = 1, 0, 1
        total = [a + b for a, b in zip(total, found, strict=True)]
    return tuple(part / 36 for part in total)


@pytest.mark.parametrize(
    ("mine", "other"), [(6, 1), (6, 6), (9, 8), (12, 7), (3, 12), (9, 4), (7, 6), (7, 1)]
)
@pytest.mark.parametrize("game", ["short", "long", "tavla", "long_fnr"])
def test_lone_checkers(game, mine, other):
    """From outside the homes either player may be on roll where the tables take over."""
    games, text = 40_000, f"{game} {mine}:1 off:14 | {other}:1 off:14"
    win, draw, turns = map(float, lone(mine, other, game == "long_fnr"))
    position = Position.from_text(text)
    played = batch.playout(position.rules, position.board, games, seed=3, truncate="bearoff")
    assert share_near((played.winner == 0).mean(), win, games)
    assert share_near((played.winner == -1).mean(), draw, games)
    assert near(played.turns.mean(), turns, played.turns.std(), games)
    result = rollout(position, 4_000, seed=3, truncate="bearoff")
    assert abs(result.equity - (2 * win - 1 + draw)) <= 4 * result.stderr + 1e-12
    assert abs(result.turns - turns) <= 4 * result.turns_stderr + 1e-12
    assert share_near(result.drawn, draw, 4_000)
    assert sum(result.won) + sum(result.lost) + result.drawn == pytest.approx(1)
    if (mine, other) == (6, 6):
        assert result.equity == pytest.approx(2 * win - 1 + draw, abs=1e-14)
        assert result.turns == pytest.approx(turns, abs=1e-12)


# ------------------------------------------------------------------------------------- full games


def play_by_table(position, games, seed):
    """Full games in the homes by the policy of the table, with other dice: (winner, kind, turns).

    Of the boards that a roll may leave, the one of least mean; of equals, the first in the table.
    """
    rules, table = position.rules, bearoff.one_sided(position.rules)
    dice = np.random.default_rng(seed)
    boards, at = np.repeat(position.board[None], games, axis=0), np.arange(games)
    cells = np.zeros((games, 3), int)
    for turn in range(1, 400):
        offsets, after = batch.plays(rules, boards, dice.integers(1, 7, (len(boards), 2)))
        index = table.index(after)
        row = np.repeat(np.arange(len(boards)), np.diff(offsets))
        best = np.lexsort((index, table.means[index], row))[offsets[:-1]]
        boards = batch.flip(rules, after[best])
        ended = batch.outcomes(rules, boards)
        over = ended.over
        cells[at[over]] = np.stack(
            [np.full(over.sum(), (turn + 1) % 2), ended.kind[over], np.full(over.sum(), turn)],
            axis=1,
        )
        boards, at = boards[~over], at[~over]
        if not len(at):
            return cells
    raise AssertionError("a game without an end")


def same_cells(one, two):
    """Whether two samples of (winner, kind, turns) may come from the same chances."""
    tallies = []
    for cells in (one, two):
        found, counts = np.unique(cells, axis=0, return_counts=True)
        tallies.append(dict(zip(map(tuple, found.tolist()), counts.tolist(), strict=True)))
    for cell in tallies[0].keys() | tallies[1].keys():
        a, b = (tally.get(cell, 0) for tally in tallies)
        assert abs(a - b) <= 4.5 * math.sqrt(a + b) + 1, cell


def cells_of(played):
    return np.stack([part[0].astype(int) for part in played], axis=1)


@pytest.mark.parametrize("text", FORCED)
def test_same_as_full_games_where_there_is_no_choice(text):
    """Winner, kind and turns together, and not only each by itself."""
    games, position = 100_000, Position.from_text(text)
    full = batch.playout(position.rules, position.board, games, 1)
    short = batch.playout(position.rules, position.board, games, 2, truncate="bearoff")
    same_cells(cells_of(full), cells_of(short))


@pytest.mark.parametrize(
    "text",
    [
        "short 6:2 4:1 1:1 off:11 | 6:15",
        "tavla 6:2 5:2 2:2 off:9 | 6:3 4:2 off:10",
        "old_english 6:3 4:2 off:10 | 5:5 3:2 off:8",
        "long 6:4 off:11 | 6:15",
        "long_fsnr 6:4 off:11 | 6:15",
    ],
)
def test_same_as_full_games_by_the_policy_of_the_table(text):
    games, position = 20_000, Position.from_text(text)
    short = batch.playout(position.rules, position.board, games, 2, truncate="bearoff")
    same_cells(play_by_table(position, games, 1), cells_of(short))


@pytest.mark.parametrize("rules", HOUSE, ids=lambda rules: rules.name)
def test_left_where_both_come_home(rules):
    """The trace of the full game is the witness; what was played before is the same game."""
    games = 12
    left = cut(rules, None, games, 4, "heuristic")
    for game in range(games):
        events, result = core.trace(rules, seed=4, policy="heuristic", game=game)
        both = np.array([event.before for event in events])
        other = batch.flip(rules, both)
        home = (both[:, 7:26].max(axis=1) <= 0) & (other[:, 7:26].max(axis=1) <= 0)
        # Where a turn begins: no remainder, no later stage, no last turn.
        home &= (both[:, 0] < rules.checkers) & (other[:, 0] < rules.checkers)
        home &= np.array([not event.remainder for event in events])
        movers = np.array([event.player for event in events])
        home &= np.append(True, movers[1:] != movers[:-1]) | ~np.array([rules.cascade > 0])
        if left.mover[0, game] < 0:
            assert not home.any()
            assert (left.played.winner[0, game], left.played.turns[0, game]) == (
                result[0],
                result[2],
            )
        else:
            at = int(np.flatnonzero(home)[0])
            assert left.mover[0, game] == movers[at]
            assert (left.board[0, game] == both[at]).all()
    known = left.board[left.mover >= 0]
    assert len(known) > 0
    assert (bearoff.race(known, rules).mean > 0).all()  # a race, or it were refused


def test_draws_of_whole_games_agree_with_exact_values():
    """The same games, once drawn from and once taken."""
    for name in ("short", "long_fnr", "mad_gulbar"):
        position = Position.start(name)
        games = 4_000
        taken = rollout(position, games, seed=6, threads=2, truncate="bearoff")
        drawn = core.raw_playout(
            position.rules, position.board, games, 6, "heuristic", 2, ends=ends_of(position.rules)
        )
        sign = np.array([1, -1, 0])[drawn.winner]
        points = core.worth(position.rules)[drawn.kind] * sign
        assert abs(points.mean() - taken.equity) <= 4 * points.std() / math.sqrt(games)
        assert abs(drawn.turns.mean() - taken.turns) <= 4 * drawn.turns.std() / math.sqrt(games)
        assert taken.stderr < points.std() / math.sqrt(games)


def test_the_lot_is_thrown():
    """Two of three checkers go off with the lot, which is no double; then the opponent throws."""
    rules = VARIANTS["short"].replace(start={1: 3})
    games = 40_000
    whole = batch.playout(rules, None, games, seed=1, truncate="bearoff")
    board = batch.playout(rules, batch.start(rules), games, seed=1, truncate="bearoff")
    assert share_near((whole.winner == 0).mean(), 5 / 6, games)
    assert share_near((board.winner == 0).mean(), 31 / 36, games)


def test_a_finished_board_and_a_last_turn():
    won = batch.playout("short", Position.from_text("short off:15 | 6:15").board, 3,
                        truncate="bearoff")  # fmt: skip
    assert (won.winner == 0).all()
    assert (won.kind == 2).all()
    assert (won.turns == 0).all()
    result = rollout("short off:15 | 24:1 6:14", 2, truncate="bearoff")
    assert (result.equity, result.stderr, result.turns) == (3, 0, 0)
    drawn = rollout("long_fnr off:15 | off:15", 2, truncate="bearoff")
    assert (drawn.equity, drawn.drawn) == (0, 1)


# -------------------------------------------------------------------------------------- the same


@pytest.mark.parametrize("name", VARIANTS)
def test_threads_do_not_matter(name):
    boards = batch.start(name, 3)
    one = batch.playout(name, boards, 61, 8, "heuristic", 1, truncate="bearoff")
    for threads in (2, 3, 7):
        again = batch.playout(name, boards, 61, 8, "heuristic", threads, truncate="bearoff")
        for a, b in zip(one, again, strict=True):
            assert a.tobytes() == b.tobytes()
    full = batch.playout(name, boards, 61, 8, "heuristic")
    assert (full.turns != one.turns).any()


MIXED = (HOME[0], "short 9:5 7:5 6:5 | 8:5 7:5 6:5", HOME[5], "long_fnr 9:1 off:14 | 8:1 off:14")


@pytest.mark.parametrize("threads", [2, 3, 7])
def test_rollout_for_any_threads(threads):
    one = rollout(MIXED, 150, seed=9, truncate="bearoff")
    assert rollout(MIXED, 150, seed=9, truncate="bearoff", threads=threads) == one


@pytest.mark.parametrize("size", [1, 37, 400])
def test_rollout_for_any_pieces(monkeypatch, size):
    whole = rollout(MIXED, 150, seed=9, truncate="bearoff")
    monkeypatch.setattr(import_module("nardy.rollout"), "GAMES_PER_CALL", size)
    assert rollout(MIXED, 150, seed=9, truncate="bearoff") == whole


def test_the_setting_is_recorded():
    for truncate in (None, "bearoff"):
        result = rollout(HOME[0], 5, seed=1, truncate=truncate)
        assert result.truncate == truncate
        assert result.to_dict()["truncate"] == truncate


# ---------------------------------------------------------------------------------------- errors


@pytest.mark.parametrize("wrong", ["race", "", True, 6])
def test_other_words_are_refused(wrong):
    with pytest.raises(InvalidArgument, match="truncate: expected None or 'bearoff'"):
        batch.playout("short", truncate=wrong)
    for positions in (HOME[0], []):
        with pytest.raises(InvalidArgument, match="truncate: expected None or 'bearoff'"):
            rollout(positions, truncate=wrong)


def test_refused_where_a_remainder_may_be_left():
    rules = VARIANTS["mad_gulbar"].replace(max_per_point=5, start={24: 5})
    with pytest.raises(InvalidArgument, match="remainder"):
        batch.playout(rules, games=1, truncate="bearoff")
    with pytest.raises(InvalidArgument, match="remainder"):
        rollout(Position.start(rules), truncate="bearoff")
    assert batch.playout(rules, games=2).winner.shape == (1, 2)


def test_a_table_of_another_game_is_refused():
    few = ends_of(VARIANTS["short"].replace(start={24: 2}))
    assert few.checkers == 2
    with pytest.raises(InvalidArgument, match="expected a table of 15 checkers, got 2"):
        core.raw_playout(VARIANTS["short"], None, 1, ends=few)
    start, chance, first = np.zeros(8, np.int64), np.ones(1), np.zeros(7, np.uint8)
    Ends(1, start, chance, first, start, chance)
    with pytest.raises(InvalidArgument, match="expected 1 to 15, got 0"):
        Ends(0, start, chance, first, start, chance)
    with pytest.raises(InvalidArgument, match="table of 28 positions"):
        Ends(2, start, chance, first, start, chance)
    long = start.copy()
    long[7] = 2
    with pytest.raises(InvalidArgument, match="row 7 to start at 0 to 1, got 2"):
        Ends(1, long, chance, first, start, chance)
