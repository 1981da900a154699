"""The formulas of the books, on positions counted by hand."""

import pytest

from nardy import InvalidArgument, InvalidPosition
from nardy.bearoff import formulas

OWN = [4, 3, 4, 0, 1, 2, 1]
"""4 + 6 + 12 + 5 + 12 + 7 = 46 pips, 15 checkers, one outside, five home points held."""

OTHER = [1, 0, 2, 2, 3, 3, 0, 1]
"""1 + 6 + 8 + 15 + 18 + 8 = 56 pips, 12 checkers, one outside, five home points held."""


def test_counts():
    assert formulas.pip_count([OWN]).tolist() == [46]
    assert formulas.pip_count(OTHER).tolist() == [56]
    # 3 beyond the first on 1, 2 on 2, 1 beyond the third on 3, and 4 is empty.
    assert formulas.keith_count(OWN).tolist() == [46 + 6 + 2 + 1 + 1]
    assert formulas.keith_count(OTHER).tolist() == [56]
    assert formulas.thorp_count(OWN).tolist() == [46 + 30 + 4 - 5]
    assert formulas.thorp_count(OTHER).tolist() == [56 + 24 + 1 - 5]
    # 2 and 1 beyond the second on 1 and 2; three more checkers.
    own, other = formulas.ward_counts(OWN, OTHER)
    assert own.tolist() == [46 + 4 + 1 + 6]
    assert other.tolist() == [56]
    own, other = formulas.ward_counts([0, 0, 0, 0, 0, 3], [0, 0, 0, 0, 2, 0, 1])
    assert (own.tolist(), other.tolist()) == ([18], [17.5])


@pytest.mark.parametrize(
    ("own", "other", "expected"),
    [
        # 18 pips + 2 empty points = 20, and a seventh: 22, against 20, 18, 15 and 26.
        ([0, 0, 0, 0, 0, 3], [0, 0, 0, 0, 0, 3], (True, True, True)),
        ([0, 0, 0, 0, 0, 3], [0, 0, 0, 0, 1, 2], (True, False, True)),
        ([0, 0, 0, 0, 0, 3], [0, 0, 0, 1, 1, 1], (False, False, True)),
        ([0, 0, 0, 0, 0, 3], [0, 0, 0, 0, 0, 4], (True, True, False)),
    ],
)
def test_keith(own, other, expected):
    assert [part.tolist() for part in formulas.keith(own, other)] == [[one] for one in expected]


def test_advice_at_the_edges():
    """One pip more or less tips each of them."""

    def advice(name, lead):
        # 9 checkers on 10 = 90 pips; the other has so many pips more, none of it in the home.
        found = formulas.ADVICE[name]([0] * 9 + [9], [0] * (9 + 0) + [9 - lead] + [lead])
        return tuple(bool(part[0]) for part in found)

    # Trice: 90 / 10 + 1 = 10 is the last take; doubles from 7, redoubles from 8.
    assert [advice("Trice", lead) for lead in (6, 7, 8)] == [
        (False, False, True),
        (True, False, True),
        (True, True, True),
    ]
    # Kleinman: (d + 4)^2 / 182 or so: 5 is 0.44, 6 is 0.55, 7 is 0.66.
    assert [advice("Kleinman", lead) for lead in (4, 6, 7)] == [
        (False, False, True),
        (True, False, True),
        (True, True, True),
    ]
    # Thorp: 1.1 (90 + 18) = 118.8 against 108 + d.
    assert [advice("Thorp", lead) for lead in (8, 9)] == [(False, False, True), (True, False, True)]
    # Ward: 1.1 x 90 = 99 against 90 + d.
    assert [advice("Ward", lead) for lead in (6, 7, 8)] == [
        (False, False, True),
        (True, False, True),
        (True, True, True),
    ]


def test_last_take_below_62_pips():
    """(61 - 5) / 7 = 8, rounded down."""
    own = [0] * 5 + [9, 1]
    others = [[0] * 5 + [9] + [0] * k + [1] for k in (8, 9)]
    assert [formulas.pip_count(other).tolist() for other in (own, *others)] == [[61], [69], [70]]
    assert [bool(formulas.trice(own, other).take[0]) for other in others] == [True, False]


def test_kleinman_is_even_four_pips_behind():
    assert formulas.kleinman_win([100, 50], [96, 46]) == pytest.approx([0.5, 0.5])
    assert formulas.kleinman_win(90, 100)[0] > 0.75


@pytest.mark.parametrize("name", formulas.ADVICE)
def test_as_many_positions_of_each(name):
    advise = formulas.ADVICE[name]
    one, three = [OWN], [OTHER] * 3
    assert all(len(part) == 3 for part in advise(one, three))
    with pytest.raises(InvalidPosition, match="as many positions of each player, got 2 and 3"):
        advise([OWN] * 2, three)
    with pytest.raises(InvalidPosition, match="as many numbers"):
        advise([[1], [1, 2]], one)


@pytest.mark.parametrize("pips", [([1, 2], [1, 2, 3]), ("many", 3), (None, [[1], [2, 3]])])
def test_no_pips(pips):
    with pytest.raises(InvalidArgument, match="expected pips of each player"):
        formulas.kleinman_win(*pips)
