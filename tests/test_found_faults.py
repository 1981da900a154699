"""Faults that testers found, each with its kind; every one failed before it was mended."""

import signal
import subprocess
import sys
import threading
import time
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

import nardy
from nardy import InvalidArgument, Position, RulesError, batch, variant

PILE = "old_english 24:2 6:5 5:5 4:3 | 6:6 5:5 4:4"


def test_a_pile_of_the_opponent_does_not_stop_a_count():
    """max_per_point is a fault of the player on roll only; the count goes past it."""
    position = Position.from_text(PILE)
    assert batch.perft("old_english", position.board, 1) == 354
    by_hand = 0
    for a in range(1, 7):
        for b in range(1, a + 1):
            theirs = batch.flip("old_english", position.after(a, b))
            for c in range(1, 7):
                for d in range(1, c + 1):
                    by_hand += sum(
                        len(Position._legal(position.rules, board).after(c, d)) for board in theirs
                    )
    assert batch.perft("old_english", position.board, 2) == by_hand


def test_a_blot_leaves_no_room_for_two():
    """max_per_point=1: of two checkers that could hit one blot, one may. Worked out by hand."""
    rules = variant("short").replace(start={24: 1, 13: 1}, max_per_point=1)
    board = np.zeros(32, np.int8)
    board[[10, 8]], board[[5, 24]] = 1, -1
    by_hand = {
        "10/7 8/3": {7: 1, 3: 1, 5: -1},
        "10/7 7/2": {8: 1, 2: 1, 5: -1},
        "10/5* 5/2": {8: 1, 2: 1, 26: -1},
    }
    expected = set()
    for places in by_hand.values():
        after = np.zeros(32, np.int8)
        after[list(places)], after[24] = list(places.values()), -1
        expected.add(after.tobytes())
    assert {after.tobytes() for after in Position(rules, board).after(5, 3)} == expected
    assert batch.count(rules, board[None], (5, 3)).tolist() == [3]


def test_ctrl_c_while_threads_start_leaves_none_behind():
    script = """
import os, signal, threading, time, nardy
signal.signal(signal.SIGINT, signal.default_int_handler)
threads = lambda: len(os.listdir("/proc/self/task"))
before = threads()  # numpy may have some
for wait in (0.005, 0.02, 0.05):
    timer = threading.Timer(wait, os.kill, (os.getpid(), signal.SIGINT))
    try:
        timer.start()
        nardy.batch.playout("long", games=10**7, threads=300)
    except KeyboardInterrupt:
        timer.join()
        until = time.monotonic() + 10  # the system takes a moment to bury them
        while threads() > before and time.monotonic() < until:
            time.sleep(0.01)
        print(threads() - before)
"""
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, encoding="utf-8", check=True
    )
    assert done.stdout.split() == ["0", "0", "0"]


def test_fewer_threads_than_asked_do_the_work():
    """No system has room for such stacks, so it starts no thread."""
    one = batch.playout("short", games=300, seed=1)
    usual = threading.stack_size(2**46)
    try:
        with pytest.raises(RuntimeError):
            threading.Thread(target=int).start()
        many = batch.playout("short", games=300, seed=1, threads=4)
    finally:
        threading.stack_size(usual)
    assert all(np.array_equal(a, b) for a, b in zip(one, many, strict=True))


@pytest.mark.parametrize("blank", [" ", "\t", "\n", "\u2003"])
def test_blanks_in_a_play_cost_no_more_than_they_are(blank):
    """Two million blanks: with quadratic time this would take days."""
    after = Position.start("short").play(3, 1, "8/5" + blank * 2_000_000 + "6/5")
    assert after == Position.start("short").play(3, 1, "8/5 6/5")


NO_DICE = (np.float32(3.7), Decimal("3.5"), Fraction(7, 2), np.array(3.9), np.True_, True, "3",
           np.array([3]), None, 0, 7, 2**70, -1)  # fmt: skip


@pytest.mark.parametrize("die", NO_DICE, ids=repr)
def test_no_die_in_any_single_call(die):
    start = Position.start("short")
    for call in (start.plays, start.after, lambda a, b: start.play(a, b, "8/5 6/5")):
        with pytest.raises(InvalidArgument, match="expected dice of 1 to 6, got"):
            call(die, 1)
        with pytest.raises(InvalidArgument, match="expected dice of 1 to 6, got"):
            call(1, die)


@pytest.mark.parametrize("three", [3, np.int8(3), np.uint64(3), np.array(3)], ids=repr)
def test_any_whole_number_is_a_die(three):
    start = Position.start("short")
    assert len(start.plays(three, 1)) == len(start.after(three, 1)) == 16
    assert start.play(three, 1, "8/5 6/5") == start.play(3, 1, "8/5 6/5")


def test_exception_may_be_a_numpy_bool():
    plays = Position.start("long").plays(3, 3, exception=np.False_)
    assert len(plays) == 1


def test_objects_that_no_constructor_made():
    play = nardy.Play.__new__(nardy.Play)
    with pytest.raises(InvalidArgument, match=r"plays are made by Position\.plays"):
        _ = play.steps
    rules = nardy.Rules.__new__(nardy.Rules)
    for call in (batch.start, batch.playout):
        with pytest.raises(nardy.NardyError):
            call(rules)


@pytest.mark.parametrize(
    "changes",
    [
        {"draw_points": np.array([0, 1])},
        {"draw_points": np.True_},
        {"draw_points": "0.5"},
        {"points": {1: 1, 2: 2, 0: 3}},
        {"points": {1, 2, 3}},
        {"start": [(24, 8), (24, 7)]},
        {"name": "six_one"},
    ],
    ids=repr,
)
def test_values_that_were_taken_too_loosely(changes):
    with pytest.raises(RulesError, match=next(iter(changes))):
        variant("long").replace(**changes)


def test_title_and_source_do_not_decide_what_is_equal():
    mine = variant("long").replace(title="at home", source="grandfather")
    position = Position(mine)
    assert mine == variant("long")
    assert hash(mine) == hash(variant("long"))
    assert Position.from_text(position.text()) == position


def test_more_rolls_than_memory_are_refused():
    with pytest.raises(InvalidArgument, match=r"at most 2\*\*40 rolls"):
        batch.rolls("short", 2**32, 2**32, 2**32)


def test_a_signal_of_another_kind_comes_through_a_search():
    """What a handler raises inside a long search is raised by the call."""

    class AlarmError(Exception):
        pass

    def ring(*_):
        raise AlarmError

    wide = [0, -15] + 8 * [0] + 15 * [1] + 7 * [0]
    before = signal.signal(signal.SIGALRM, ring)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.2)
        began = time.monotonic()
        with pytest.raises(AlarmError):
            batch.count("short", wide, (1, 1), steps=100)
        assert time.monotonic() - began < 20
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_what_a_newcomer_types():
    """A dash of a phone, steps from the other side, the names of others, a field that is not."""
    start = Position.start("short")
    assert start.play(3, 1, "8–5 6–5") == start.play(3, 1, "8/5 6/5")
    with pytest.raises(nardy.IllegalPlay, match="5/8 goes from a lower point to a higher") as error:
        start.play(3, 1, "5/8 6/5")
    assert error.value.reason == "dice"
    with pytest.raises(nardy.UnknownVariant, match="'Backgammon'; here it is 'short'"):
        variant("Backgammon")
    missing = "no field to change in 'cub=true'.*; did you mean 'cube'"
    with pytest.raises(nardy.ParseError, match=missing):
        Position.from_text("short[cub=true] 6:3 | 6:3")


def test_what_a_newcomer_passes():
    """A context for its position, an ID for a text, an offer where there is no cube."""
    with pytest.raises(nardy.InvalidArgument, match=r"expected a Position or its text.*<Con"):
        nardy.rollout(nardy.Context.from_text("short 6:1 | 6:1; cube 2 me"), trials=1)
    with pytest.raises(nardy.ParseError, match=r"nardy\.notation reads IDs"):
        Position.from_text("XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10")
    game = nardy.Game("tavla", starter=0)
    with pytest.raises(nardy.IllegalAct, match="to roll; there is no cube in this game"):
        game.offer()
    with pytest.raises(nardy.IllegalAct, match=r"player 0 is to roll or offer$"):
        nardy.Game(variant("short").replace(opening="reroll"), starter=0).take()
