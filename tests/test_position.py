"""Positions, plays and their text."""

import copy
import pickle

import numpy as np
import pytest
from positions import GAMES, from_games, set_up

import nardy
from nardy import IllegalPlay, InvalidPosition, Kind, ParseError, Position, RulesError, batch
from nardy.notation import play_text
from nardy.position import REASONS
from nardy_core import batch as core

# ------------------------------------------------------------------------------------- values


def test_a_position_is_a_value():
    one, other = Position.start("short"), Position("short", batch.start("short")[0].tolist())
    assert one == other
    assert hash(one) == hash(other)
    assert one != Position.start("tavla")
    assert one != one.play(3, 1, "8/5 6/5")
    assert one != "short"
    assert repr(one) == "<Position short 24:2 13:5 8:3 6:5 | 24:2 13:5 8:3 6:5>"
    for again in (copy.copy(one), copy.deepcopy(one), pickle.loads(pickle.dumps(one))):
        assert again == one
        assert again.rules == one.rules
        assert not again.board.flags.writeable


def test_a_play_is_a_value():
    position = Position.start("short")
    play, other = position.plays(3, 1)[:2]
    assert play == position.plays(1, 3)[0]
    assert play != other
    assert play != str(play)
    assert len({play, other, position.plays(3, 1)[0]}) == 2
    for again in (copy.copy(play), copy.deepcopy(play), pickle.loads(pickle.dumps(play))):
        assert again == play
        assert (again.steps, str(again)) == (play.steps, str(play))
        assert not again.after.flags.writeable


def test_nothing_can_be_changed():
    position = Position.start("long")
    play = position.plays(2, 1)[0]
    for value, name in (
        (position, "board"),
        (position, "rules"),
        (position, "more"),
        (play, "steps"),
        (play, "after"),
    ):
        with pytest.raises(AttributeError, match="cannot be changed"):
            setattr(value, name, None)
    with pytest.raises(AttributeError, match="cannot be changed"):
        del position.board
    for board in (position.board, play.after):
        with pytest.raises(ValueError, match="read-only"):
            board[0] = 1
        with pytest.raises(ValueError, match="WRITEABLE"):
            board.flags.writeable = True


def test_the_board_is_a_copy():
    board = batch.start("short")[0]
    position = Position("short", board)
    board[:] = 0
    assert position == Position.start("short")
    assert position.board.dtype == np.int8
    assert position.board.shape == (32,)


# --------------------------------------------------------------------------------------- plays


def test_a_first_turn_of_backgammon():
    position = Position.start("short")
    plays = position.plays(6, 4)
    assert [str(play) for play in plays[:3]] == ["24/18 24/20", "24/18 13/9", "24/18 8/4"]
    assert [str(play) for play in plays[-2:]] == ["24/14", "13/3"]
    assert plays[0].steps == ((24, 18), (24, 20))
    assert plays[0].after[[24, 20, 18]].tolist() == [0, 1, 1]
    after = position.play(6, 4, "24/18 18/14")
    assert after == position.play(4, 6, plays[-2])
    assert after.text() == "short 24:2 13:5 8:3 6:5 | 24:1 14:1 13:5 8:3 6:5"
    assert after.flip().text() == "short 24:1 14:1 13:5 8:3 6:5 | 24:2 13:5 8:3 6:5"


@pytest.mark.parametrize(
    ("text", "dice", "plays"),
    [
        ("short 24:1 13:1 | 21:1 5:1", (4, 2), ["24/20* 13/11", "24/22 13/9", "24/18"]),
        ("short 6:1 bar:1 | 24:2", (3, 2), ["bar/20", "bar/22 6/4", "bar/23 6/3"]),
        ("short 6:2 5:1 | 23:2", (6, 5), ["6/off 5/off", "6/off 6/1"]),
        ("short 6:1 1:1 | 13:2", (2, 1), ["6/3", "6/4 1/off"]),
        ("short 24:4 | 6:1", (2, 2), ["24/16", "24/18 24/22", "24/20(2)"]),
        ("short bar:2 6:2 | 6:2 5:2", (6, 5), ["pass"]),
        ("long 24:1 7:1 | 24:2", (6, 5), ["24/13", "24/18 7/2", "24/19 7/1"]),
    ],
)
def test_texts_of_plays(text, dice, plays):
    position = Position.from_text(text)
    texts = [str(play) for play in position.plays(*dice)]
    assert set(plays) <= set(texts)
    assert len(set(texts)) == len(texts)


@pytest.mark.parametrize(
    ("text", "dice", "steps", "want"),
    [
        ("short 24:2 | 6:2", (6, 6), [(24, 18), (18, 12), (24, 18), (18, 12)], "24/12(2)"),
        ("short 24:2 | 7:1", (6, 6), [(24, 18), (24, 18)], "24/18*(2)"),
        ("short 24:2 | 7:1", (6, 6), [(24, 18), (18, 12), (24, 18)], "24/18*/12 24/18"),
        ("short 13:1 | 16:1", (5, 4), [(13, 9), (9, 4)], "13/9*/4"),
        ("short 13:1 | 21:1 16:1", (5, 4), [(13, 9), (9, 4)], "13/9*/4*"),
        ("short 9:1 13:1 | 24:1", (5, 4), [(9, 4), (13, 9)], "13/4"),
        ("short bar:1 | 24:1", (2, 2), [(25, 23), (23, 21)], "bar/21"),
        ("short 5:2 | 24:1", (6, 6), [(5, 0), (5, 0)], "5/off(2)"),
        ("short 24:1 | 6:1", (6, 4), [], "pass"),
    ],
)
def test_text_of_steps(text, dice, steps, want):
    position = Position.from_text(text)
    assert play_text(position.board, tuple(steps)) == want


@pytest.mark.parametrize("name", GAMES)
def test_plays_are_those_of_the_arrays(name):
    rules = GAMES[name]
    for board, dice in [*from_games(rules, 1, 1), *set_up(rules, 1, 60)]:
        position = Position(rules, board)
        plays = position.plays(*dice)
        _, after = batch.plays(rules, board, dice)
        assert [play.after.tobytes() for play in plays] == [row.tobytes() for row in after]
        assert all(before >= to >= 0 for play in plays for before, to in play.steps)
        assert len({len(play.steps) for play in plays}) == 1 or rules.use_dice == "some"


@pytest.mark.parametrize("name", GAMES)
def test_steps_lead_to_the_board(name):
    """The steps, made one by one, leave `after`: own checkers move, lone enemies are hit."""
    rules = GAMES[name]
    for board, dice in [*from_games(rules, 2, 1), *set_up(rules, 2, 60)]:
        for play in Position(rules, board).plays(*dice):
            made = board.copy()
            for source, to in play.steps:
                assert made[source] > 0
                made[source] -= 1
                if to and made[to] < 0:
                    assert made[to] == -1
                    made[to], made[26] = 0, made[26] - 1
                made[to] += 1
            assert (made == play.after).all()


def test_steps_head_used_and_exception():
    start = Position.start("mad_gulbar")
    assert [str(play) for play in start.plays(6, 6)] == ["24/18(2)"]
    assert [str(play) for play in start.plays(6, 6, exception=False)] == ["24/18"]
    assert [str(play) for play in start.plays(6, 6, head_used=2)] == ["pass"]
    assert [str(play) for play in start.plays(1, 1, steps=3, exception=False)] == ["24/21"]


def test_a_pass_is_one_play():
    position = Position.from_text("short bar:1 6:14 | 6:2 5:2 4:2 3:2 2:2 1:5")
    (only,) = position.plays(6, 5)
    assert (str(only), only.steps) == ("pass", ())
    assert (only.after == position.board).all()
    for text in ("pass", "Pass", " PASS ", "-", "", only):
        assert position.play(6, 5, text) == position.flip()


# -------------------------------------------------------------------------------------- status


@pytest.mark.parametrize(
    ("text", "want"),
    [
        ("short 24:1 | 24:1", (False, None, None, 0)),
        ("short off:15 | 6:14", (True, 0, Kind.SINGLE, 1)),
        ("short off:15 | 7:15", (True, 0, Kind.MARS, 2)),
        ("short off:15 | 6:14 19:1", (True, 0, Kind.KOKS, 3)),
        ("short off:15 | 6:14 18:1", (True, 0, Kind.MARS, 2)),
        ("short off:15 | 6:14 bar:1", (True, 0, Kind.KOKS, 3)),
        ("short 6:14 bar:1 | off:15", (True, 1, Kind.KOKS, 3)),
        ("short 6:14 | off:15", (True, 1, Kind.SINGLE, 1)),
        ("tavla off:15 | 6:14 bar:1", (True, 0, Kind.MARS, 2)),
        ("old_english off:15 | 6:5 5:5 4:4 bar:1", (True, 0, Kind.SINGLE, 1)),
        ("long off:15 | 24:15", (True, 0, Kind.MARS, 2)),
        ("long off:15 | 6:15", (True, 0, Kind.MARS, 2)),
        ("long_fsnr off:15 | 6:15", (True, 0, Kind.HOME_MARS, 3)),
        ("long_fsnr 7:1 6:14 | off:15", (True, 1, Kind.MARS, 2)),
        ("long_fnr off:15 | off:15", (True, None, Kind.DRAW, 0.5)),
        ("long[draw_points=1] off:15 | off:15", (True, None, Kind.DRAW, 1)),
        ("short[points=3:0:7] off:15 | 7:15", (True, 0, Kind.SINGLE, 3)),
    ],
)
def test_status(text, want):
    position = Position.from_text(text)
    assert position.status() == want
    over, winner, kind, points = want
    swapped = None if winner is None else 1 - winner
    assert position.flip().status() == (over, swapped, kind, points)


def test_kinds():
    assert [kind.value for kind in Kind] == [0, 1, 2, 3]
    assert Kind.HOME_MARS is Kind.KOKS
    assert nardy.Status._fields == ("over", "winner", "kind", "points")


def test_pips():
    position = Position.from_text("short 24:1 bar:2 1:3 | 10:1 2:2")
    assert position.pip_count() == (24 + 50 + 3, 14)
    assert position.flip().pip_count() == (14, 77)


PICTURE = """\
Short nardy (backgammon); X is on roll
O: pips 119, off 2
+-13-14-15-16-17-18-+---+-19-20-21-22-23-24-+
|  X           O    |   |  O              X |
|  X           O    |   |  O              X |
|  X           O    |   |  O                |
|  X                |   |  O                |
|  X                | X |  O                |
|                   |bar|                   |
|  O                |   |                   |
|  O                |   |  X                |
|  O           X    |   |  X                |
|  O           X    |   |  X                |
|  O           X    |   |  X                |
+-12-11-10--9--8--7-+---+--6--5--4--3--2--1-+
X: pips 186, bar 1"""


def test_picture():
    position = Position.from_text("short 24:2 13:5 8:3 6:4 bar:1 | 13:5 8:3 6:5 off:2")
    assert str(position) == PICTURE


# ---------------------------------------------------------------------------------------- text

GOOD = [
    ("short 24:2 13:5 8:3 6:4 bar:1 | 13:5 8:3 6:5 off:2", None),
    ("long 24:15 | 24:15", None),
    ("long[block=never,head_limit=0] 24:15 | 24:15", None),
    ("short off:15 | 6:15", None),
    ("short | 6:15", "short off:15 | 6:15"),
    ("  short\t6:15\n|  6:15  ", "short 6:15 | 6:15"),
    ("short off:2 bar:1 6:4 8:3 13:5 | 6:5 8:3 13:5 off:2", "short 13:5 8:3 6:4 bar:1 off:2 "
     "| 13:5 8:3 6:5 off:2"),
    ("long[ head_limit = 0 , block=never ] 24:15 | 24:15",
     "long[block=never,head_limit=0] 24:15 | 24:15"),
    ("long[block=ahead] 24:15 | 24:15", "long 24:15 | 24:15"),
    ("short[start=24:2+23:2+13:4+8:3+6:4] 24:15 | 24:15", None),
    ("short[start=6:3] 6:2 | 24:1 off:2", "short[start=6:3] 6:2 off:1 | 24:1 off:2"),
    ("short[points=1:2:0] 24:15 | 24:15", None),
    ("long[draw_points=0.5] 24:15 | 24:15", None),
    ("long_fnr[draw_points=0] 24:15 | 24:15", None),
    ("long[cascade=4,cube=true,remainder=opponent] 24:15 | 24:15", None),
    ("tavla[must_bear_off=false] 24:15 | 24:15", None),
]  # fmt: skip


@pytest.mark.parametrize(("text", "canonical"), GOOD)
def test_good_texts(text, canonical):
    position = Position.from_text(text)
    assert position.text() == (canonical or text)
    assert Position.from_text(position.text()) == position


def test_the_sides_are_in_their_own_numbers():
    assert Position.from_text("short 24:1 | 6:2").board[[24, 19, 0, 27]].tolist() == [
        1,
        -2,
        14,
        -13,
    ]
    assert Position.from_text("long 24:1 | 6:2").board[[24, 18, 0, 27]].tolist() == [1, -2, 14, -13]
    assert Position.from_text("short 6:1 | bar:2").board[[6, 26]].tolist() == [1, -2]


BAD_TEXTS = [
    ("", ParseError, "name own side | enemy side"),
    ("short", ParseError, "two sides"),
    ("short 24:15", ParseError, "two sides"),
    ("short 24:15 | 24:15 | 24:15", ParseError, "two sides"),
    ("24:15 | 24:15", ParseError, "name own side"),
    ("шорт 24:15 | 24:15", ParseError, "name own side"),
    ("shrt 24:15 | 24:15", nardy.UnknownVariant, "did you mean 'short'"),
    ("six_one 24:15 | 24:15", nardy.UnknownVariant, "never described"),
    ("short 24:2 24:3 | 24:15", ParseError, "'24:3'"),
    ("short bar:1 bar:1 | 24:15", ParseError, "'bar:1'"),
    ("short 25:1 | 24:15", ParseError, "'25:1'"),
    ("short 0:1 | 24:15", ParseError, "'0:1'"),
    ("short 24:0 | 24:15", ParseError, "'24:0'"),
    ("short 24:-1 | 24:15", ParseError, "'24:-1'"),
    ("short 24:02 | 24:15", ParseError, "'24:02'"),
    ("short 24:100 | 24:15", ParseError, "'24:100'"),
    ("short 24:² | 24:15", ParseError, "'24:²'"),
    ("short 24 | 24:15", ParseError, "'24'"),
    ("short 24: 2 | 24:15", ParseError, "'24:'"),
    ("short head:15 | 24:15", ParseError, "'head:15'"),
    ("short BAR:1 | 24:15", ParseError, "'BAR:1'"),
    ("short 24:16 | 24:15", InvalidPosition, "on roll has 16 checkers, expected 15"),
    ("short 24:2 off:12 | 24:15", InvalidPosition, "on roll has 14 checkers, expected 15"),
    ("short 24:15 | 13:8 6:8", InvalidPosition, "opponent has 16 checkers, expected 15"),
    ("short 24:99 | 24:99", InvalidPosition, "opponent has 99 checkers"),
    ("short 24:2 | 1:3", InvalidPosition, "'24:2' on roll is '1:3' of the opponent"),
    ("long 24:2 | 12:3", InvalidPosition, "'24:2' on roll is '12:3' of the opponent"),
    ("long bar:1 24:14 | 24:15", InvalidPosition, "bar of a game without hits"),
    ("short off:15 | off:15", InvalidPosition, "no draw"),
    ("old_english 24:6 | 24:5", InvalidPosition, "more than 5 checkers"),
    ("long 20:1 19:1 18:1 17:1 16:1 15:1 24:9 | 24:15", InvalidPosition, "block of six"),
    ("long[] 24:15 | 24:15", ParseError, "got ''"),
    ("long[block] 24:15 | 24:15", ParseError, "got 'block'"),
    ("long[block=] 24:15 | 24:15", RulesError, "block: expected one of"),
    ("long[block=no] 24:15 | 24:15", RulesError, "'no'"),
    ("long[blok=never] 24:15 | 24:15", ParseError, "'blok=never'"),
    ("long[title=x] 24:15 | 24:15", ParseError, "'title=x'"),
    ("long[name=x] 24:15 | 24:15", ParseError, "'name=x'"),
    ("long[block=never,block=never] 24:15 | 24:15", ParseError, "'block' stands twice"),
    ("long[cube=1] 24:15 | 24:15", ParseError, "cube=1: expected true or false"),
    ("long[head_limit=one] 24:15 | 24:15", ParseError, "head_limit=one: expected a whole number"),
    ("long[head_limit=2] 24:15 | 24:15", RulesError, "head_limit: expected 0 to 1"),
    ("long[draw_points=.5] 24:15 | 24:15", ParseError, "0, 0.5 or 1"),
    ("long[start=24] 24:15 | 24:15", ParseError, "24:2+13:5"),
    ("long[start=24:1+24:2] 24:15 | 24:15", ParseError, "24:2+13:5"),
    ("long[points=1:x:0] 24:15 | 24:15", ParseError, "1:2:0"),
    ("long[points=1:2] 24:15 | 24:15", RulesError, "three numbers"),
    ("long[hitter=stays_home] 24:15 | 24:15", RulesError, "no meaning"),
    ("long[block=never 24:15 | 24:15", ParseError, "name own side"),
    (None, ParseError, "None"),
    (b"long 24:15 | 24:15", ParseError, "b'long"),
]


@pytest.mark.parametrize(("text", "error", "words"), BAD_TEXTS)
def test_bad_texts(text, error, words):
    with pytest.raises(error) as caught:
        Position.from_text(text)
    assert type(caught.value) is error
    assert words in str(caught.value)


def test_every_fault_of_a_text_is_named():
    with pytest.raises(InvalidPosition) as caught:
        Position.from_text("long 24:16 13:1 bar:1 | 12:20 1:1")
    for words in (
        "on roll has 18 checkers, expected 15",
        "opponent has 21 checkers, expected 15",
        "bar of a game without hits",
        "'24:16' on roll is '12:20' of the opponent",
        "'13:1' on roll is '1:1' of the opponent",
    ):
        assert words in str(caught.value)


def test_rules_that_are_no_preset():
    rules = nardy.Rules("race", start={6: 3}, title="A race")
    position = Position(rules)
    assert position.text() == "race 6:3 | 6:3"
    assert Position.from_text("race 6:3 | 6:3", rules) == position
    with pytest.raises(nardy.UnknownVariant, match="given beside the text"):
        Position.from_text("race 6:3 | 6:3")


def test_rules_beside_the_text():
    house = nardy.variant("long").replace(block="never", title="House rules")
    position = Position.start(house)
    assert position.text() == "long[block=never] 24:15 | 24:15"
    assert Position.from_text(position.text(), house) == position
    assert Position.from_text(position.text(), house).rules.title == "House rules"
    assert Position.from_text("long 24:15 | 24:15", "long") == Position.start("long")
    for text, rules in (
        ("long 24:15 | 24:15", house),
        (position.text(), "long"),
        ("short 24:15 | 24:15", "long"),
    ):
        with pytest.raises(ParseError, match="was expected"):
            Position.from_text(text, rules)


@pytest.mark.parametrize("name", GAMES)
def test_texts_read_back(name):
    rules = GAMES[name]
    preset = rules.name in nardy.VARIANTS
    for board, _ in [*from_games(rules, 3, 1), *set_up(rules, 3, 200)]:
        position = Position(rules, board)
        assert Position.from_text(position.text(), rules) == position
        flipped = position.flip()
        assert flipped.flip() == position
        assert flipped.pip_count() == position.pip_count()[::-1]
        head, sides = position.text().split(" ", 1)
        assert flipped.text() == f"{head} {' | '.join(reversed(sides.split(' | ')))}"
        if preset:
            assert Position.from_text(position.text()).board.tolist() == board.tolist()


# ------------------------------------------------------------------------------- illegal plays

ILLEGAL = [
    ("no_checker", "short 24:2 13:5 8:3 6:5 | 24:2 13:5 8:3 6:5", (6, 4), "23/17 24/20"),
    ("bar_first", "short 24:2 13:5 8:3 6:4 bar:1 | 24:2 13:5 8:3 6:5", (5, 4), "24/20 13/8"),
    ("occupied", "short 24:2 13:5 8:3 6:5 | 24:2 13:5 8:3 6:5", (5, 4), "24/19 24/20"),
    ("occupied", "long 24:1 13:1 | 8:1", (4, 1), "24/20 13/12"),
    ("head", "long 24:15 | 24:15", (6, 4), "24/18 24/20"),
    ("head", "long 24:15 | 24:15", (5, 5), "24/19(2)"),
    ("not_all_home", "short 8:1 5:2 | 24:2", (5, 1), "5/off 5/4"),
    ("higher_first", "short 6:1 4:2 | 24:2", (5, 2), "4/off 4/2"),
    ("full_point", "old_english 13:2 8:5 | 24:2", (5, 1), "13/8 13/12"),
    ("frozen", "tavla 13:1 9:1 | 20:1", (4, 1), "9/5*/4"),
    ("frozen", "caucasian 9:2 8:1 | 20:1", (4, 1), "9/5* 5/4"),
    ("shelter", "short[hitter=no_shelter] 13:1 4:2 | 16:1", (5, 4), "13/9*/4"),
    ("must_bear_off", "tavla 3:1 2:1 | 24:2", (5, 2), "3/1 2/off"),
    ("must_bear_off", "tavla 3:1 1:2 | 6:2", (5, 2), "3/1"),
    ("block", "long[block=never] 24:10 23:1 22:1 21:1 20:1 13:1 | 24:15", (6, 5), "24/19 13/7"),
    ("dice", "short 24:2 13:5 8:3 6:5 | 24:2 13:5 8:3 6:5", (6, 4), "24/21"),
    ("dice", "short 24:2 13:5 8:3 6:5 | 24:2 13:5 8:3 6:5", (6, 4), "24/18 24/18"),
    ("dice", "short 24:2 13:5 8:3 6:5 | 24:2 13:5 8:3 6:5", (6, 4), "18/24"),
    ("dice", "short 24:2 13:5 8:3 6:5 | 24:2 13:5 8:3 6:5", (6, 4), "24/18(99)"),
    ("dice", "short 24:2 13:5 8:3 6:5 | 24:2 13:5 8:3 6:5", (6, 4), "24/24"),
    ("must_use_more", "short 24:2 13:5 8:3 6:5 | 24:2 13:5 8:3 6:5", (6, 4), "24/18"),
    ("must_use_more", "short 24:2 13:5 8:3 6:5 | 24:2 13:5 8:3 6:5", (2, 2), "24/22 13/9"),
    ("larger_die", "short 24:1 2:1 | 11:2", (6, 4), "24/20"),
    ("pass", "short 24:2 13:5 8:3 6:5 | 24:2 13:5 8:3 6:5", (6, 4), "pass"),
    ("no_hit", "short 24:2 13:5 8:3 6:5 | 24:2 13:5 8:3 6:5", (6, 4), "24/18* 24/20"),
    ("ambiguous", "short 24:1 13:1 | 7:1 5:1 off:13", (6, 4), "24/14"),
    ("cascade", "mad_gulbar 24:15 | 24:15", (4, 4), "24/20(2)"),
    ("over", "short off:15 | 24:2", (6, 4), "pass"),
    ("over", "short 24:2 | off:15", (6, 4), "24/14"),
]


@pytest.mark.parametrize(("reason", "text", "dice", "play"), ILLEGAL)
def test_illegal_plays_say_why(reason, text, dice, play):
    position = Position.from_text(text)
    with pytest.raises(IllegalPlay) as caught:
        position.play(*dice, play)
    assert caught.value.reason == reason
    for words in (repr(play), f"{dice[0]}-{dice[1]}", position.text(), REASONS[reason]):
        assert words in str(caught.value)
    again = pickle.loads(pickle.dumps(caught.value))
    assert (again.reason, str(again)) == (reason, str(caught.value))


def test_every_reason_is_tested():
    assert {case[0] for case in ILLEGAL} == set(REASONS)


def test_an_ambiguous_text_names_its_plays():
    position = Position.from_text("short 24:1 13:1 | 7:1 5:1 off:13")
    with pytest.raises(IllegalPlay, match=r"'24/18\*/14', '24/20\*/14'"):
        position.play(6, 4, "24/14")
    after = position.play(6, 4, "24/18/14")
    assert after.text() == "short 5:1 bar:1 off:13 | 14:1 13:1 off:13"


def test_plays_of_other_rolls_and_positions():
    position = Position.start("short")
    with pytest.raises(IllegalPlay) as caught:
        position.play(2, 1, position.plays(6, 4)[0])
    assert caught.value.reason == "dice"
    elsewhere = Position.from_text("short 24:2 | 13:1").plays(6, 4)
    pair = next(play for play in elsewhere if str(play) == "24/18 24/20")
    assert position.play(6, 4, pair) == position.play(6, 4, "24/18 24/20")
    for no_play in (None, 5, b"24/18", ["24/18"]):
        with pytest.raises(ParseError, match="expected a play or its text"):
            position.play(6, 4, no_play)


@pytest.mark.parametrize("name", GAMES)
def test_playing_hands_the_roll_over(name):
    """Each play given as a value, as its text and as its steps leads to the flipped board."""
    rules = GAMES[name]
    for board, dice in [*from_games(rules, 4, 1), *set_up(rules, 4, 40)]:
        position = Position(rules, board)
        if position.status().over or (rules.cascade and dice[0] == dice[1]):
            continue
        for play in position.plays(*dice)[:12]:
            after = position.play(*dice, play)
            assert after.board.tolist() == batch.flip(rules, play.after)[0].tolist()
            assert after == position.play(*dice, str(play))
            assert not batch.faults(rules, after.board).any()


def test_whole_games_by_text():
    """A game is played out by the texts of its plays, and ends as the core says."""
    for name in ("long", "short", "nardegammon", "tavla", "old_english"):
        story, (winner, kind, _) = core.trace(nardy.variant(name), seed=8)
        position = Position.start(name)
        for event in story:
            assert position.board.tolist() == event.before.tolist()
            plays = {play.after.tobytes(): str(play) for play in position.plays(*event.dice)}
            position = position.play(*event.dice, plays[event.after.tobytes()])
        status = position.status()
        assert (status.over, status.winner, int(status.kind)) == (True, 1, kind)
        assert winner == story[-1].player
