"""`judge` says what stops a line of steps; the codes are those of nardy_core/steps.pxd."""

import numpy as np
import pytest

from nardy import variant
from nardy_core import batch
from nardy_core.errors import InvalidArgument

NO_CHECKER, SHELTERED, MUST_BEAR_OFF = 1, 9, 10


def board_of(rules, own, enemy):
    """A board from two {point: checkers}, each in its own numbers; the rest is off."""
    sides = np.zeros((2, 32), np.int8)
    for side, points in zip(sides, (own, enemy), strict=True):
        for point, checkers in points.items():
            side[point] = checkers
        side[0] = rules.checkers - sum(points.values())
    return sides[0] + batch.flip(rules, sides[1])[0]


def test_the_die_not_yet_played_obliges_too():
    tavla = variant("tavla")
    board = board_of(tavla, {3: 1, 1: 2}, {6: 2})
    assert batch.judge(tavla, board, [(3, 2)], (5, 2)) == (0, MUST_BEAR_OFF)
    assert batch.judge(tavla, board, [(3, 5)], (5, 2)) == (1, 0)


def test_the_hitter_alone_is_sheltered_not_missing():
    rules = variant("short").replace(hitter="no_shelter")
    board = board_of(rules, {13: 1, 4: 2}, {16: 1, 24: 2})  # the blot stands on 9
    assert batch.judge(rules, board, [(13, 4), (9, 5)], (5, 4)) == (1, SHELTERED)
    assert batch.judge(rules, board, [(13, 4), (8, 5)], (5, 4)) == (1, NO_CHECKER)


@pytest.mark.parametrize("line", [[(0, 1)], [(26, 1)], [(24, 0)], [(24, 7)], [(24, True)]])
def test_a_line_of_no_board_is_refused(line):
    short = variant("short")
    with pytest.raises(InvalidArgument, match="expected"):
        batch.judge(short, batch.start(short)[0], line, (3, 1))
