"""`Turn.attempt` says which plays hops may mean, or what stops them; codes as in steps.pxd."""

import signal

import numpy as np
import pytest

from nardy import variant
from nardy_core import batch
from nardy_core.errors import InvalidArgument

NO_CHECKER, SHELTERED, MUST_BEAR_OFF = 1, 9, 10


def turn_of(rules, own, enemy, dice, **stage):
    """A roll and a board of two {point: checkers}, each in its own numbers; the rest is off."""
    sides = np.zeros((2, 32), np.int8)
    for side, points in zip(sides, (own, enemy), strict=True):
        for point, checkers in points.items():
            side[point] = checkers
        side[0] = rules.checkers - sum(points.values())
    board = sides[0] + batch.flip(rules, sides[1])[0]
    return batch.turn_of(rules, batch.legal_bytes(rules, board), *dice, **stage)


def test_the_die_not_yet_played_obliges_too():
    turn = turn_of(variant("tavla"), {3: 1, 1: 2}, {6: 2}, (5, 2))
    refused = turn.attempt([(3, 1)])
    assert (refused.plays, refused.fault, refused.step) == ([], MUST_BEAR_OFF, (3, 1))
    assert refused.points == (3,)
    assert turn.attempt([(3, 0)]).plays == []  # one die; the two must take a second checker
    assert turn.attempt([(3, 0), (1, 0)]).plays == [0]


def test_the_hitter_alone_is_sheltered_not_missing():
    rules = variant("short").replace(hitter="no_shelter")
    turn = turn_of(rules, {13: 1, 4: 2}, {16: 1, 24: 2}, (5, 4))  # the blot stands on 9
    one = turn.attempt([(13, 9), (9, 4)])
    assert (one.fault, one.step, one.points) == (SHELTERED, (9, 4), (4,))
    other = turn.attempt([(13, 9), (8, 3)])
    assert (other.fault, other.step) == (NO_CHECKER, (8, 3))


@pytest.mark.parametrize("hop", [(0, 1), (26, 1), (24, -1), (24, 26), (24, True), ("24", 18)])
def test_a_hop_of_no_board_is_refused(hop):
    short = variant("short")
    turn = batch.turn_of(short, batch.legal_bytes(short, batch.start(short)), 3, 1)
    with pytest.raises(InvalidArgument, match="expected"):
        turn.attempt([hop])


def test_many_steps_of_one_stage_end_soon():
    """Every order of 40 steps would take for ever; each state is looked at once."""
    rules = variant("long").replace(cascade=4, head_limit=0, head_exception="none", block="never")
    turn = turn_of(rules, {24: 15}, {24: 15}, (1, 1), steps=40)
    runs = [(24, 23)] * 9 + [(23, 22)] * 8 + [(22, 21)] * 7 + [(21, 20)] * 6 + [(20, 19)] * 6
    found = turn.attempt(runs)
    assert (found.used, found.most, found.plays) == (36, 40, [])
    shut = turn.attempt([*runs[:20], *[(13, 12)] * 2])
    assert (shut.fault, shut.step, shut.plays) == (NO_CHECKER, (13, 12), [])


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no timers of the system here")
def test_a_long_search_hears_ctrl_c():
    """Chains of many checkers that end on a held point: ten times as long as the timer."""
    rules = variant("long").replace(head_limit=0, head_exception="none", block="free")
    own = dict.fromkeys([*range(13, 25), 11, 10, 9], 1)
    turn = turn_of(rules, own, {24: 15}, (1, 1), steps=40)
    before = signal.signal(signal.SIGALRM, signal.default_int_handler)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.02)
        with pytest.raises(KeyboardInterrupt):
            turn.attempt([(point, point - 4) for point in range(24, 14, -1)])
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert turn_of(rules, own, {24: 15}, (1, 1)).attempt([(24, 23)] * 2).fault == NO_CHECKER
