"""Whatever comes through the door is taken or refused with a reason; nothing crashes."""

import numpy as np
import pytest

import nardy
from nardy import InvalidArgument, InvalidPosition, Position, batch, variant

START = batch.start("short")

TAKES_BOARDS = {
    "flip": lambda boards: batch.flip("short", boards),
    "faults": lambda boards: batch.faults("short", boards),
    "pips": lambda boards: batch.pips("short", boards),
    "outcomes": lambda boards: batch.outcomes("short", boards),
    "plays": lambda boards: batch.plays("short", boards, (3, 1)),
    "count": lambda boards: batch.count("short", boards, (3, 1)),
    "perft": lambda boards: batch.perft("short", boards, 1),
    "playout": lambda boards: batch.playout("short", boards),
}
NEEDS_LEGAL = ("outcomes", "plays", "count", "perft", "playout")

NO_BOARDS = {
    "float": START.astype(float),
    "NaN": np.full((1, 32), np.nan),
    "object": START.astype(object),
    "text": "short 24:2",
    "words": [["a"] * 32],
    "bool": np.ones((1, 32), bool),
    "complex": START.astype(complex),
    "31 wide": START[:, :31],
    "33 wide": np.zeros((1, 33), np.int8),
    "flat": np.zeros(64, np.int8),
    "cube": np.zeros((1, 1, 32), np.int8),
    "scalar": 5,
    "nothing": [],
    "ragged": [[1, 2], [3]],
    "dict": {"a": 1},
    "too large": np.full((1, 32), 300),
    "too low": np.full((1, 32), -(2**40)),
    "uint64": np.full((1, 32), 2**64 - 1, np.uint64),
    "record": np.zeros(32, [("a", "i1")]),
}


@pytest.mark.parametrize("call", TAKES_BOARDS)
@pytest.mark.parametrize("boards", NO_BOARDS.values(), ids=NO_BOARDS)
def test_no_boards(call, boards):
    with pytest.raises(InvalidPosition, match="boards: "):
        TAKES_BOARDS[call](boards)


def test_none_is_no_board_but_for_playout():
    for name in set(TAKES_BOARDS) - {"playout"}:
        with pytest.raises(InvalidPosition):
            TAKES_BOARDS[name](None)


def changed(rules, **places):
    board = batch.start(rules)[0]
    for place, count in places.items():
        board[int(place[1:])] = count
    return board


def wall(rules):
    """A board of long nardy in which the player on roll has a block with nobody ahead."""
    board = np.zeros(32, np.int8)
    board[[20, 19, 18, 17, 16, 15]] = 1
    board[24] = variant(rules).checkers - 6
    board[12] = -15
    return board


ILLEGAL = {
    "16 checkers": ("short", changed("short", p24=3), "OWN_TOTAL", "on roll does not have 15"),
    "14 checkers": ("short", changed("short", p24=1), "OWN_TOTAL", "on roll does not have 15"),
    "16 of theirs": ("short", changed("short", p1=-3), "ENEMY_TOTAL", "opponent does not have 15"),
    "sign of off": ("short", changed("short", p0=-1, p1=-1), "SIGN", "wrong side"),
    "sign of bar": ("short", changed("short", p26=1, p24=1), "SIGN", "wrong side"),
    "tail": ("short", changed("short", p28=1, p24=1), "TAIL", "bytes 28 to 31"),
    "bar in long": ("long", changed("long", p25=1, p24=14), "NO_BAR", "game without hits"),
    "full point": (
        "old_english",
        changed("old_english", p13=6, p24=1),
        "FULL_POINT",
        "more than 5 checkers",
    ),
    "own block": ("long", wall("long"), "OWN_BLOCK", "on roll has a block of six"),
    "enemy block": (
        "long",
        batch.flip("long", wall("long"))[0],
        "ENEMY_BLOCK",
        "the opponent has a block of six",
    ),
    "both off": (
        "short",
        np.array([15] + [0] * 26 + [-15] + [0] * 4, np.int8),
        "BOTH_OFF",
        "no draw",
    ),
}


@pytest.mark.parametrize("case", ILLEGAL)
def test_illegal_boards_are_named(case):
    rules, board, fault, words = ILLEGAL[case]
    bits = batch.Fault(int(batch.faults(rules, board)[0]))
    assert batch.Fault[fault] in bits
    with pytest.raises(InvalidPosition, match=words):
        Position(rules, board)
    good = batch.start(rules, 2)
    boards = np.vstack([good, board[None]])
    calls = (
        lambda: batch.plays(rules, boards, (2, 1)),
        lambda: batch.count(rules, boards, (2, 1)),
        lambda: batch.outcomes(rules, boards),
        lambda: batch.playout(rules, boards),
        lambda: batch.perft(rules, board, 2),
    )
    for call in calls[:-1]:
        with pytest.raises(InvalidPosition, match=rf"row 2 cannot stand under {rules}: .*{words}"):
            call()
    with pytest.raises(InvalidPosition, match=words):
        calls[-1]()


def test_each_fault_has_a_board():
    assert {case[2] for case in ILLEGAL.values()} == {
        fault.name for fault in batch.Fault if fault is not batch.Fault.SHARED_POINT
    }


def test_every_fault_of_a_board_is_named():
    board = changed("short", p24=9, p1=-9, p31=1, p0=-3)
    with pytest.raises(InvalidPosition) as caught:
        Position("short", board)
    for words in ("on roll does not have", "opponent does not have", "wrong side", "28 to 31"):
        assert words in str(caught.value)


def test_any_layout_of_whole_numbers_is_taken():
    boards = np.vstack([START, batch.plays("short", START, (6, 6))[1]])
    want = batch.plays("short", boards, (3, 1))
    wide = np.zeros((len(boards), 64), np.int8)
    wide[:, ::2] = boards
    rows = np.repeat(boards, 2, axis=0)
    frozen = boards.copy()
    frozen.flags.writeable = False
    for same in (
        boards.astype(np.int64),
        boards.astype(np.int16),
        boards.astype(">i4"),
        np.asfortranarray(boards),
        wide[:, ::2],
        rows[::2],
        boards[::-1][::-1],
        frozen,
        boards.tolist(),
    ):
        got = batch.plays("short", same, (3, 1))
        assert got[0].tobytes() == want[0].tobytes()
        assert got[1].tobytes() == want[1].tobytes()
    assert (
        batch.flip("short", boards[:, ::-1]) == batch.flip("short", boards[:, ::-1].copy())
    ).all()


def test_input_is_left_alone():
    boards = batch.start("short", 3)
    before = boards.copy()
    batch.plays("short", boards, (6, 6))[1][:] = 0
    batch.flip("short", boards)[:] = 0
    batch.playout("short", boards, games=2)
    assert (boards == before).all()


def test_no_boards_at_all():
    none = np.empty((0, 32), np.int8)
    for threads in (1, 2):
        offsets, after = batch.plays("short", none, (3, 1), threads=threads)
        assert (offsets.tolist(), after.shape, after.dtype) == ([0], (0, 32), np.int8)
        assert batch.count("short", none, (3, 1), threads=threads).shape == (0,)
        assert batch.playout("short", none, games=3, threads=threads).winner.shape == (0, 3)
    assert batch.plays("short", none, np.empty((0, 2), np.uint8))[1].shape == (0, 32)
    assert batch.flip("short", none).shape == (0, 32)
    assert batch.faults("short", none).shape == (0,)
    assert batch.pips("short", none).shape == (0, 2)
    assert batch.outcomes("short", none).over.shape == (0,)
    assert batch.start("short", 0).shape == (0, 32)
    assert batch.playout("short", games=0).turns.shape == (1, 0)
    assert batch.rolls("short", 0, 0, 0).shape == (0, 0, 0, 2)
    with pytest.raises(InvalidPosition, match="expected shape"):
        batch.perft("short", none, 1)


NO_DICE = {
    "zero": (0, 1),
    "seven": (7, 1),
    "negative": (-1, 3),
    "wraps to 1": (257, 1),
    "bool": (True, False),
    "float": (3.0, 1.0),
    "NaN": (np.nan, 1),
    "text": "31",
    "words": ("3", "1"),
    "None": None,
    "one": (3,),
    "three": (3, 1, 1),
    "wrong rows": [[3, 1], [3, 1], [3, 1]],
    "turned": [[3, 3], [1, 1], [2, 2]],
    "scalar": 3,
    "empty": [],
}


@pytest.mark.parametrize("dice", NO_DICE.values(), ids=NO_DICE)
def test_no_dice(dice):
    boards = batch.start("short", 2)
    for call in (batch.plays, batch.count):
        with pytest.raises(InvalidArgument, match="dice: "):
            call("short", boards, dice)


@pytest.mark.parametrize(
    ("d1", "d2"), [(0, 1), (1, 7), (True, 1), (1.0, 2), ("3", 1), (None, 1), (-1, 1)]
)
def test_no_dice_of_a_position(d1, d2):
    position = Position.start("short")
    with pytest.raises(InvalidArgument, match="expected dice of 1 to 6"):
        position.plays(d1, d2)
    with pytest.raises(InvalidArgument, match="expected dice of 1 to 6"):
        position.play(d1, d2, "24/18")


@pytest.mark.parametrize(
    ("option", "values"),
    [
        ("steps", [0, -1, 128, 300, 1.5, "4", True, [4, 4, 4], [[4], [4]]]),
        ("head_used", [-1, 16, 1.0, "1", [0, 0, 0], [True, False]]),
        ("exception", [1, 0, None, "yes", [True, True]]),
        ("threads", [0, -1, True, 1.5, "2", None, [1]]),
    ],
)
def test_bad_options(option, values):
    boards = batch.start("long", 2)
    for value in values:
        for call in (batch.plays, batch.count):
            with pytest.raises(InvalidArgument, match=f"{option}: "):
                call("long", boards, (3, 1), **{option: value})


@pytest.mark.parametrize(
    ("option", "values"),
    [
        ("games", [-1, 1.5, "3", None, True, 2**41]),
        ("seed", [-1, 2**64, 0.5, "0", None, True]),
        ("threads", [0, -1, True, 1.5, None]),
        ("policy", ["best", "", None, 3, ("random",), ("random", "best"), ("random",) * 3, [1, 2]]),
    ],
)
def test_bad_options_of_playout(option, values):
    for value in values:
        with pytest.raises(InvalidArgument, match=f"{option}: "):
            batch.playout("short", **{option: value})


def test_limits_that_are_still_taken():
    assert batch.playout("short", seed=2**64 - 1).winner.shape == (1, 1)
    assert batch.playout("short", seed=np.uint64(2**64 - 1)).winner.shape == (1, 1)
    assert batch.count("long", batch.start("long"), (1, 1), steps=127).tolist() == [1]
    assert batch.count("long", batch.start("long"), (1, 2), threads=5000).tolist() == [1]


@pytest.mark.parametrize("depth", [-1, 101, 1.5, "2", None, True])
def test_bad_depth(depth):
    with pytest.raises(InvalidArgument, match="depth: "):
        batch.perft("short", START[0], depth)


@pytest.mark.parametrize("n", [-1, 1.5, "2", None, True, 2**41])
def test_bad_number_of_boards(n):
    with pytest.raises(InvalidArgument, match="n: "):
        batch.start("short", n)


@pytest.mark.parametrize("option", ["games", "turns", "seed"])
@pytest.mark.parametrize("value", [-1, 1.5, "2", None, True, 2**65])
def test_bad_rolls(option, value):
    with pytest.raises(InvalidArgument, match=f"{option}: "):
        batch.rolls("short", **{option: value})


@pytest.mark.parametrize("value", [-1, 1.5, "2", True, 2**65])
def test_bad_boards_of_rolls(value):
    with pytest.raises(InvalidArgument, match="boards: "):
        batch.rolls("short", value)


def test_one_board_for_perft():
    with pytest.raises(InvalidPosition, match=r"expected shape \(32,\)"):
        batch.perft("short", batch.start("short", 2), 1)


@pytest.mark.parametrize("board", NO_BOARDS.values(), ids=NO_BOARDS)
def test_no_board_of_a_position(board):
    with pytest.raises(InvalidPosition, match=r"expected|no int8 holds"):
        Position("short", board)


@pytest.mark.parametrize("value", [np.array([1, 2]), np.array([]), np.array(1.5), "1", 1.5])
def test_what_is_no_whole_number_is_refused_everywhere(value):
    """An array has an ``__index__`` that raises TypeError unless it is a single whole number."""
    start = nardy.Position.start("short")
    for call in (
        lambda: nardy.Context(start, cube_value=value),
        lambda: nardy.Context(start, match_length=value),
        lambda: nardy.Context(start, cube_limit=value),
        lambda: start.svg(size=value),
        lambda: start.svg(cube=(value, None)),
        lambda: start.explain((3, 3), "8/5", steps=value),
        lambda: nardy.batch.playout("short", games=value),
        lambda: nardy.batch.playout("short", threads=value),
        lambda: nardy.rollout([start], trials=value),
        lambda: start.rules.replace(max_per_point=value),
    ):
        with pytest.raises(nardy.NardyError, match=r"expected"):
            call()
