"""Contact and the chances of a race, against exhaustive search and recursion."""

import itertools

import bearoff_judge as judge
import numpy as np
import pytest
import reference as ref

import nardy
from nardy import VARIANTS, InvalidArgument, InvalidPosition, Position, Rules, batch, bearoff
from nardy.bearoff import racing
from nardy_core import batch as core

race = bearoff.race


def few(name, checkers, **changes):
    """A game with so few checkers that every board can be looked at."""
    return VARIANTS[name].replace(start={24: checkers}, **changes)


# ------------------------------------------------------------------------------------- contact


def touches(rules, board, roll):
    """Whether a step of this roll can come down where an enemy stands, hit or refused."""
    game = rules.asdict()
    alone = [max(number, 0) for number in board[:26]] + [0] * 6
    alone[27] = -rules.checkers
    dice = (roll[0],) * 4 if roll[0] == roll[1] else roll
    level = {(tuple(alone), game["head_limit"] or None, ref.NO_MARKS, dice)}
    while level:
        then = set()
        for state in level:
            for after in ref.next_states(game, state):
                came = [p for p in range(1, 25) if after[0][p] > state[0][p]]
                if came and board[came[0]] < 0:
                    return True
                then.add(after)
        level = then
    return False


def all_boards(rules):
    """Every legal board: each side's checkers on any points, the bar or off."""
    sides = itertools.combinations_with_replacement(range(26), rules.checkers)
    sides = np.array([np.bincount(side, minlength=32) for side in sides], np.int8)
    other = batch.flip(rules, sides)
    pairs = (sides[:, None] + other[None]).reshape(-1, 32)
    apart = ~((sides[:, None] > 0) & (other[None] < 0)).reshape(-1, 32).any(axis=1)
    pairs = pairs[apart]
    return pairs[batch.faults(rules, pairs) == 0]


def check_contact(rules, boards):
    """Contact now, or after some play: by induction over the turns that is a search to the end."""
    found = batch.contact(rules, boards)
    game = rules.asdict()
    for board, contact in zip(boards, found, strict=True):
        board_ = tuple(map(int, board))
        if ref.finished(game, board_):
            assert not contact
            continue
        now = any(touches(rules, board_, roll) for roll in judge.ROLLS)
        if not now:
            after = set().union(*(ref.plays(game, board_, roll) for roll in judge.ROLLS))
            then = batch.flip(rules, np.array(sorted(after), np.int8))
            now = batch.contact(rules, then).any()
        assert bool(contact) == bool(now), Position(rules, board).text()


@pytest.mark.parametrize(
    "rules",
    [
        few("short", 1),
        few("long", 1),
        few("old_english", 1),
        few("long", 1, travel="contrary", block="free", head_limit=0, head_exception="none"),
        few("long", 1, contact="hit", block="free", head_limit=0, head_exception="none"),
    ],
    ids=["short", "long", "some dice", "contrary block", "parallel hit"],
)
def test_contact_of_every_board_with_one_checker_a_side(rules):
    boards = all_boards(rules)
    assert len(boards) > 500
    check_contact(rules, boards)
    contact = batch.contact(rules, boards)
    assert 0.2 < contact.mean() < 0.8


@pytest.mark.parametrize("name", ["short", "long", "tavla"])
def test_contact_of_boards_with_two_checkers_a_side(name):
    """Those that are close: the geometry says contact, and the game may end before it."""
    rules = few(name, 2)
    boards = all_boards(rules)
    rng = np.random.default_rng(2)
    low = (np.maximum(boards[:, 1:26], 0) @ np.arange(1, 26)) <= 4
    close = boards[low][rng.choice(low.sum(), 150, replace=False)]
    check_contact(rules, close)
    check_contact(rules, boards[rng.choice(len(boards), 150, replace=False)])


def test_contact_over_a_whole_game():
    """It ends once and does not come back, but where a hit starts all over it has not ended."""
    for name, rules in VARIANTS.items():
        for game in range(5):
            events, _ = core.trace(rules, seed=4, game=game, policy="heuristic")
            turns = [event for event in events if not event.remainder]
            contact = batch.contact(rules, np.array([event.before for event in turns]))
            first = int(np.argmin(contact)) if not contact.all() else len(contact)
            assert not contact[first:].any(), name
            assert contact[:first].all()


@pytest.mark.parametrize(
    ("text", "contact"),
    [
        ("short 12:15 | 12:15", False),
        ("short 13:1 12:14 | 11:15", False),
        ("short 13:1 6:14 | 13:1 6:14", True),
        ("short 1:15 | bar:1 1:14", True),
        ("short 1:2 off:13 | bar:1 1:14", False),
        ("short 1:3 off:12 | bar:1 1:14", True),
        ("long 12:15 | 12:15", False),
        ("long 13:1 12:14 | 12:15", True),
        ("long 1:15 | 14:1 1:14", True),
        ("long 1:2 off:13 | 14:15", False),
        ("long 3:1 off:14 | 14:15", True),
        ("old_english 2:1 off:14 | 24:1 1:5 2:5 3:4", True),
        ("mad_gulbar 1:2 off:13 | 24:15", False),
        ("mad_gulbar 2:1 1:1 off:13 | 24:15", True),
        ("long 13:1 off:14 | 2:15", False),
        ("long 13:1 6:1 off:13 | 2:15", True),
    ],
)
def test_contact_of_known_boards(text, contact):
    position = Position.from_text(text)
    assert batch.contact(position.rules, position.board).tolist() == [contact]


# ---------------------------------------------------------------------------------------- race


GAMES = {
    "short": few("short", 3),
    "two hits": Rules("koks", start={24: 2}, points=(1, 2, 3)),
    "no mars": Rules("no_mars", start={24: 2}, points=(1, 0, 3)),
    "long": few("long", 3),
    "draws": few("long_fnr", 2),
    "home mars": few("long_fsnr", 2),
    "cascade": few("mad_gulbar", 2),
    "must": few("tavla", 3),
}


def check_race(rules, own, other, table, found, row):
    """All chances of one board against the recursion."""
    chances = judge.Duel(rules, table).chances(own, other)

    def chance(winner, kind):
        return sum(c for (w, k, _), c in chances.items() if w == winner and k >= kind)

    expected = {
        "win": chance(0, 1),
        "mars_won": chance(0, 2),
        "mars_lost": chance(1, 2),
        "koks_won": chance(0, 3),
        "koks_lost": chance(1, 3),
        "draw": sum(c for (w, _, _), c in chances.items() if w == "draw"),
        "equity": sum(
            c * points * (1 if winner == 0 else -1)
            for (winner, _, points), c in chances.items()
            if winner != "draw"
        ),
        "mean": table.mean(own),
        "opponent_mean": table.mean(other),
    }
    for name, value in expected.items():
        assert getattr(found, name)[row] == pytest.approx(value, abs=1e-12), (name, own, other)


def boards_of(rules, pairs):
    """Boards of pairs of (own, other) checkers by point."""

    def sides(rows):
        out = np.zeros((len(rows), 32), np.int8)
        for side, counts in zip(out, rows, strict=True):
            side[1 : 1 + len(counts)] = counts
            side[0] = rules.checkers - sum(counts)
        return out

    own, other = zip(*pairs, strict=True)
    return sides(own) + batch.flip(rules, sides(other))


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("points", [5, 8])
def test_race_by_recursion(name, points):
    """Both players by the policy of the table, every order of rolls: all kinds of results."""
    rules = GAMES[name]
    table = bearoff.one_sided(rules, points)
    every = [c for c in judge.positions(points, rules.checkers) if any(c)]
    rng = np.random.default_rng(points)
    pairs = [[every[k] for k in rng.choice(len(every), 2)] for _ in range(4)]
    pairs += [[every[-1], every[0]], [every[0], every[-1]], [every[-1], every[-1]]]
    boards = boards_of(rules, pairs)
    found = race(boards, rules)
    for row, (own, other) in enumerate(pairs):
        check_race(rules, own, other, table, found, row)
        alone = race(Position(rules, boards[row]))
        assert alone == pytest.approx([column[row] for column in found], abs=1e-14)


def test_race_with_koks():
    """The loser is still in the winner's home."""
    rules = GAMES["two hits"]
    own, other = (2, 0, 0, 0), (0,) * 18 + (1, 1)
    table = bearoff.one_sided(rules, 20)
    found = race(boards_of(rules, [[other, own], [own, other]]), rules)
    check_race(rules, other, own, table, found, 0)
    assert 0 < found.koks_lost[0] <= found.mars_lost[0]
    assert found.win[1] == found.koks_won[1] == 1


@pytest.mark.parametrize("name", ["short", "long_fsnr", "old_english"])
def test_one_board_alone_is_as_in_a_table(name, monkeypatch):
    """The chances of one position, followed turn by turn, are those of the table of all."""
    rules = VARIANTS[name]
    pairs = [[(0, 3, 0, 2, 0, 1, 0, 1), (1, 1, 1, 1, 0, 0, 1)]]
    pairs.append([(1, 2, 3, 2, 1, 2, 2, 2), (2, 2, 2, 2, 2, 1, 2, 2)])
    boards = boards_of(rules, pairs)
    whole = race(boards, rules)
    monkeypatch.setattr(racing, "SHARED", 0)
    monkeypatch.setattr(racing, "kept_one_sided", lambda game, points: None)
    alone = race(boards, rules)
    for one, other in zip(whole, alone, strict=True):
        assert one == pytest.approx(other, abs=1e-13)


def test_race_reads_a_table_that_is_kept(monkeypatch):
    rules = VARIANTS["short"].replace(start={24: 5})
    boards = boards_of(rules, [[(0,) * 7 + (5,), (0,) * 6 + (2, 3)]])
    found = race(boards, rules)
    bearoff.one_sided(rules, 8)
    monkeypatch.setattr(racing, "SHARED", 0)
    monkeypatch.setattr(racing, "_alone", None)
    for one, other in zip(found, race(boards, rules), strict=True):
        assert one == pytest.approx(other, abs=1e-14)


def test_race_is_nearly_perfect_play():
    """Looking at the opponent is worth little: fewest mean turns against exact equities."""
    table = bearoff.two_sided("short")
    rng = np.random.default_rng(6)
    rows = bearoff.one_sided("short", 6, 6).positions()
    own, other = (rows[rng.integers(1, table.size, 3_000)] for _ in range(2))
    boards = boards_of(VARIANTS["short"], list(zip(own.tolist(), other.tolist(), strict=True)))
    found = race(boards, "short")
    off = found.equity - table.equity(own, other).cubeless
    assert abs(off).max() < 0.03
    assert abs(off.mean()) < 1e-3
    assert found.equity == pytest.approx(2 * found.win - 1, abs=1e-14)
    assert found.win.max() == 1


@pytest.mark.parametrize(
    ("text", "win", "mars_won", "koks_won", "equity"),
    [
        ("short off:15 | bar:1 1:14", 1, 1, 1, 3),
        ("short off:15 | 7:15", 1, 1, 0, 2),
        ("short 6:15 | off:15", 0, 0, 0, -2),
        ("short 1:2 off:13 | bar:15", 1, 1, 1, 3),
        ("short 1:2 off:13 | bar:14 off:1", 1, 0, 0, 1),
        ("long 2:1 off:14 | 15:15", 1, 1, 0, 2),
        ("long_fsnr 2:1 off:14 | 1:15", 1, 1, 1, 3),
        ("long_fnr off:15 | off:15", 0, 0, 0, 0),
    ],
)
def test_race_that_is_decided(text, win, mars_won, koks_won, equity):
    found = race(Position.from_text(text))
    got = found.win, found.mars_won, found.koks_won, found.equity
    assert got == pytest.approx((win, mars_won, koks_won, equity), abs=1e-12)


ONE_EACH = Rules(
    "one_each",
    start=dict.fromkeys(range(18, 25), 1),
    use_dice="some",
    max_per_point=1,
    points=(1, 2, 0),
)

LOCKED = (1,) * 7
"""One checker to a point, 7 to 1: none can step, and not all are home. So it never ends."""


@pytest.mark.parametrize("shared", [racing.SHARED, 0])
def test_race_of_one_who_never_ends(shared, monkeypatch):
    """The other wins, by mars, in however many turns; of two such players neither wins."""
    monkeypatch.setattr(racing, "SHARED", shared)
    monkeypatch.setattr(racing, "kept_one_sided", lambda game, points: None)
    assert all(judge.results(ONE_EACH, LOCKED, roll) is None for roll in judge.ROLLS)
    passing = (1, 0, 0, 0, 0, 0, 1)  # 6-6 is passed
    pairs = [[(1,), LOCKED], [LOCKED, (1,)], [LOCKED, LOCKED], [passing, LOCKED], [LOCKED, passing]]
    found = race(boards_of(ONE_EACH, pairs), ONE_EACH)
    assert found.win == pytest.approx([1, 0, 0, 1, 0], abs=1e-12)
    assert found.mars_won == pytest.approx([1, 0, 0, 1, 0], abs=1e-12)
    assert found.mars_lost == pytest.approx([0, 1, 0, 0, 1], abs=1e-12)
    assert found.equity == pytest.approx([2, -2, 0, 2, -2], abs=1e-12)
    assert np.isinf(found.mean).tolist() == [False, True, True, False, True]
    assert np.isinf(found.opponent_mean).tolist() == [True, False, True, True, False]


def test_race_of_no_boards():
    assert race(np.zeros((0, 32), np.int8), "short").win.shape == (0,)


def test_a_text_is_its_position():
    """27 rolls of 36 bear the last checker off from 6; else the opponent does."""
    text = "short 6:1 off:14 | 1:2 off:13"
    assert race(text) == race(Position.from_text(text))
    assert race(text).win == pytest.approx(27 / 36)


def test_bad_races(monkeypatch):
    boards = [Position.from_text("short 6:15 | 6:15").board, Position.start("short").board]
    with pytest.raises(InvalidPosition, match=r"^row 1: 'short 24:2 .* is no race yet"):
        race(np.array(boards), "short")
    with pytest.raises(InvalidArgument, match="rules"):
        race(Position.start("short").board)
    with pytest.raises(InvalidPosition, match=r"^'short 24:2 .* is no race yet"):
        race("short 24:2 13:5 8:3 6:5 | 24:2 13:5 8:3 6:5")
    with pytest.raises(InvalidPosition, match="cannot stand"):
        race(np.zeros(32, np.int8), "short")
    with pytest.raises(InvalidPosition, match="as many numbers"):
        race([[1, 2], [3]], "short")
    last = Position.from_text("short 6:1 off:14 | 1:2 off:13")
    with pytest.raises(InvalidArgument, match=r"with a position.*'old_english'"):
        race(last, "old_english")
    assert race(last, "short") == race(last)
    with pytest.raises(InvalidArgument, match="positions can arise"):
        race(Position.from_text("short 18:15 | 6:15"))
    monkeypatch.setattr(racing, "LARGEST", 1000)
    monkeypatch.setattr(racing, "SHARED", 100)
    with pytest.raises(InvalidArgument, match="expected at most 1000"):
        race(Position.from_text("short 9:15 | 6:15"))


def test_block_home_holds_a_player_back():
    """Under block=home six points may not be held until an enemy is home, so it is no race yet."""
    rules = VARIANTS["long"].replace(block="home")
    early = Position.from_text("long[block=home] 12:15 | 12:15")
    assert not batch.contact(rules, early.board)[0]
    with pytest.raises(InvalidPosition, match="held back"):
        race(early)
    late = nardy.Position.from_text("long[block=home] 6:15 | 6:15")
    assert race(late).win == race(Position.from_text("long 6:15 | 6:15")).win


def test_remainders_are_no_race():
    """With full points a stage may stay incomplete, and the opponent plays what is left of it."""
    spread = dict.fromkeys((24, 23, 21, 20, 18), 3)
    rules = VARIANTS["mad_gulbar"].replace(max_per_point=3, start=spread)
    boards = boards_of(rules, [[(3, 3, 3, 3, 3), (3, 3, 3, 3, 3)]])
    assert not batch.contact(rules, boards)[0]
    with pytest.raises(InvalidPosition, match="remainder"):
        race(boards, rules)
    with pytest.raises(InvalidArgument, match="remainder"):
        bearoff.two_sided(rules, 6, 3)
    lost = rules.replace(remainder="lost")
    assert 0.5 < race(boards, lost).win[0] < 1
    assert bearoff.two_sided(lost, 6, 3).size == 84
