"""Contexts: what they hold, what they refuse, and their own line of text."""

import copy
import pickle
import re
import subprocess
import sys
from fractions import Fraction

import numpy as np
import pytest
from contexts import contexts
from hypothesis import given, settings
from hypothesis import strategies as st

import nardy
from nardy import (
    Context,
    InvalidArgument,
    InvalidPosition,
    NardyError,
    ParseError,
    Position,
    RulesError,
    UnknownVariant,
    batch,
)

START = Position.start("short")
LATE = Position.from_text("short 6:2 bar:1 | 20:1")
LONG = Position.start("long")
FNR = Position.start("long_fnr")
GULBAR = Position.start("mad_gulbar")
OVER = Position.from_text("short 6:2 | off:15")

# ------------------------------------------------------------------------------------ the value


def test_fields_and_defaults():
    c = Context(START)
    assert (c.position, c.dice, c.cube_value, c.cube_owner) == (START, None, 1, None)
    assert (c.match_length, c.score, c.crawford, c.jacoby) == (None, (0, 0), False, False)
    assert (c.beaver, c.cube_limit, c.offer, c.remainder, c.starter) == (
        False,
        None,
        None,
        (),
        None,
    )
    late = Context(LATE, (6, 1), 2, "me", 7, (2, 5), False, False)
    assert (late.dice, late.cube_value, late.cube_owner) == ((6, 1), 2, "me")
    assert (late.match_length, late.score) == (7, (2, 5))
    with pytest.raises(TypeError):
        Context(LATE, None, 1, None, None, (0, 0), False, False, True)


def test_values_become_plain():
    given = Context(FNR, [np.int64(6), 1], np.int8(1), None, np.int32(7),
                    [np.float64(2.5), Fraction(3)])  # fmt: skip
    assert given == Context(FNR, (6, 1), 1, None, 7, (2.5, 3))
    assert [type(x) for x in (*given.dice, given.cube_value, given.match_length)] == [int] * 4
    assert [type(x) for x in given.score] == [float, int]
    assert type(Context(START, score=(2.0, 3.0)).score[0]) is int
    assert Context(GULBAR, remainder=[np.int8(6)]).remainder == (6,)


def test_it_does_not_change():
    c = Context(START)
    with pytest.raises(AttributeError):
        c.dice = (3, 1)
    with pytest.raises(AttributeError):
        del c.dice
    with pytest.raises((AttributeError, TypeError)):
        c.anything = 1
    assert c.replace(dice=(3, 1)).dice == (3, 1)
    assert c.dice is None
    with pytest.raises(InvalidArgument, match="dice"):
        c.replace(dice=(3, 7))
    with pytest.raises(TypeError):
        c.replace(die=3)


def test_equality_and_hash():
    c = Context(START, (6, 1), 2, "me", score=(2, 5))
    assert c == Context(START, (1, 6), 2, "me", score=(2, 5))
    assert hash(c) == hash(Context(START, (1, 6), 2, "me", score=(2, 5)))
    others = [
        Context(LATE, (6, 1), 2, "me", score=(2, 5)),
        c.replace(dice=(6, 2)),
        c.replace(dice=None),
        c.replace(cube_value=4),
        c.replace(cube_owner="opponent"),
        c.replace(match_length=7),
        c.replace(score=(5, 2)),
        c.replace(jacoby=True),
        c.replace(beaver=True),
        c.replace(cube_limit=64),
        c.replace(offer="single"),
        c.replace(starter="me"),
    ]
    assert len({c, *others}) == 1 + len(others)
    assert all(other != c for other in others)
    last = Context(START, match_length=5, score=(4, 1))
    assert last != last.replace(crawford=True)
    assert Context(GULBAR) != Context(GULBAR, remainder=(6,))
    assert c != c.text()


@pytest.mark.parametrize("name", nardy.VARIANTS)
def test_copies(name):
    for c in contexts(nardy.VARIANTS[name], 40, 9):
        for twin in (copy.copy(c), copy.deepcopy(c), pickle.loads(pickle.dumps(c)), c.replace()):
            assert twin == c
            assert hash(twin) == hash(c)
            assert twin.text() == c.text()
        assert repr(c) == f"<Context {c.text()}>"


def test_import_of_nardy_leaves_it_out():
    code = "import nardy, sys; assert 'nardy.context' not in sys.modules; nardy.Context; import " \
           "nardy.context; assert nardy.Context is nardy.context.Context"  # fmt: skip
    subprocess.run([sys.executable, "-c", code], check=True)


# ------------------------------------------------------------------------------ what is refused

REFUSED = [
    ({"position": "short"}, "position: expected a Position; got 'short'"),
    ({"dice": (3,)}, "two dice or None; got (3,)"),
    ({"dice": 31}, "two dice or None; got 31"),
    ({"dice": "31"}, "two dice or None; got '31'"),
    ({"dice": (0, 1)}, "(0, 1)"),
    ({"dice": (True, 1)}, "(True, 1)"),
    ({"cube_value": 3}, "a power of two from 1 to 1073741824; got 3"),
    ({"cube_value": 0}, "got 0"),
    ({"cube_value": -2}, "got -2"),
    ({"cube_value": 2.0}, "got 2.0"),
    ({"cube_value": True}, "got True"),
    ({"cube_value": 2**31}, "got 2147483648"),
    ({"cube_value": 2, "cube_owner": "him"}, "'me', 'opponent' or None; got 'him'"),
    ({"cube_value": 2, "cube_owner": 1}, "got 1"),
    ({"cube_owner": "me"}, "cube_owner: expected None while the cube shows 1; got 'me'"),
    ({"cube_value": 2, "match_length": 5}, "a player to hold the cube at 2 in a match"),
    ({"cube_value": 2, "cube_owner": "me", "match_length": 1}, "a match of one point has no cube"),
    ({"match_length": 0}, "or None for money; got 0"),
    ({"match_length": 2**31}, "or None for money; got 2147483648"),
    ({"match_length": 7.0}, "got 7.0"),
    ({"score": (1,)}, "two numbers; got (1,)"),
    ({"score": 1}, "two numbers; got 1"),
    ({"score": (0, -1)}, "points from 0 to 2147483647; got -1"),
    ({"score": (0, float("nan"))}, "got nan"),
    ({"score": (0, float("inf"))}, "got inf"),
    ({"score": (0, 10**400)}, "got 1000"),
    ({"score": (0, "1")}, "got '1'"),
    ({"score": (0, True)}, "got True"),
    ({"score": (0, 1j)}, "got 1j"),
    ({"score": (0, 0.25)}, "whole or half points; got 0.25"),
    ({"score": (0, 0.5)}, "short has no draws for half points; got (0, 0.5)"),
    ({"match_length": 5, "score": (5, 0)}, "less than the match length of 5; got (5, 0)"),
    ({"match_length": 5, "score": (0, 6)}, "less than the match length of 5; got (0, 6)"),
    ({"crawford": 1}, "crawford: expected True or False; got 1"),
    ({"crawford": True}, "crawford: expected False for money; got True"),
    ({"crawford": True, "match_length": 5, "score": (3, 3)}, "nobody needs one point or less"),
    ({"crawford": True, "match_length": 5, "score": (4, 4)}, "one player came before the other"),
    (
        {"crawford": True, "match_length": 5, "score": (4, 3), "cube_value": 2, "cube_owner": "me"},
        "1 in the Crawford game; got 2",
    ),
    ({"jacoby": True, "match_length": 5}, "jacoby: expected False in a match"),
    ({"beaver": True, "match_length": 5}, "beaver: expected False in a match"),
    ({"cube_limit": 48}, "cube_limit: expected a power of two"),
    ({"cube_value": 128, "cube_owner": "me", "cube_limit": 64}, "at most the cube_limit of 64"),
    ({"offer": "beaver"}, "'double', 'single', 'mars', 'koks' or None; got 'beaver'"),
    ({"offer": "double", "dice": (3, 1)}, "dice: expected None while a double is offered"),
    ({"offer": "double", "match_length": 1}, "no double in a game without the cube"),
    ({"offer": "double", "cube_value": 2, "cube_owner": "opponent"}, "does not hold the cube"),
    ({"offer": "double", "cube_value": 64, "cube_owner": "me", "cube_limit": 64}, "beyond the"),
    (
        {"offer": "double", "match_length": 5, "score": (4, 3), "crawford": True},
        "no double in a game without the cube",
    ),
    ({"remainder": (6,)}, "short hands no remainder on; got (6,)"),
    ({"starter": "White"}, "starter: expected 'me', 'opponent' or None; got 'White'"),
    ({"position": LONG, "cube_value": 2}, "cube_value: expected 1, long has no cube; got 2"),
    ({"position": LONG, "cube_owner": "me"}, "cube_owner: expected None, long has no cube"),
    ({"position": LONG, "cube_limit": 64}, "cube_limit: expected None, long has no cube"),
    ({"position": LONG, "jacoby": True}, "jacoby: expected False, long has no cube"),
    ({"position": LONG, "beaver": True}, "beaver: expected False, long has no cube"),
    ({"position": LONG, "offer": "double"}, "no double in a game without the cube"),
    ({"position": LONG, "score": (0.5, 0)}, "long has no draws for half points"),
    (
        {"position": LONG, "match_length": 3, "score": (2, 0), "crawford": True},
        "crawford: expected False, long has no cube",
    ),
    ({"position": GULBAR, "remainder": (7,)}, "a tuple of numbers from 1 to 6; got (7,)"),
    ({"position": GULBAR, "remainder": 6}, "a tuple of numbers from 1 to 6; got 6"),
    ({"position": GULBAR, "remainder": "66"}, "a tuple of numbers from 1 to 6; got '66'"),
    ({"position": GULBAR, "remainder": (6, 6, 6)}, "one number up to 2 times"),
    ({"position": GULBAR, "remainder": (5, 6)}, "then every higher number 2 times; got (5, 6)"),
    ({"position": GULBAR, "remainder": (5, 5)}, "then every higher number 2 times; got (5, 5)"),
    ({"position": GULBAR, "remainder": (6, 5, 5)}, "got (6, 5, 5)"),
    ({"position": GULBAR, "remainder": (6,), "dice": (3, 1)}, "none beside a roll or a double"),
    ({"position": OVER, "dice": (3, 1)}, "nothing, the game is over; got ((3, 1), None, ())"),
    ({"position": OVER, "offer": "double"}, "nothing, the game is over"),
    ({"position": OVER, "offer": "single"}, "nothing, the game is over"),
]


@pytest.mark.parametrize(("fields", "words"), REFUSED)
def test_refused(fields, words):
    with pytest.raises(InvalidArgument) as caught:
        Context(**{"position": START, **fields})
    assert words in str(caught.value)
    position = fields.get("position", START)
    if isinstance(position, Position):
        assert f"(in {position.text()!r}, dice {fields.get('dice')!r})" in str(caught.value)


def test_no_remainder_where_it_is_lost():
    lost = Position.start(nardy.variant("mad_gulbar").replace(remainder="lost"))
    with pytest.raises(InvalidArgument, match="hands no remainder on"):
        Context(lost, remainder=(6,))


ALLOWED = [
    {"match_length": 1, "crawford": True},  # it has no cube anyway
    {"match_length": 5, "score": (4, 3), "crawford": True},
    {"match_length": 5, "score": (0, 4), "crawford": True},
    {"match_length": 5, "score": (4, 4)},  # after the Crawford game
    {"cube_value": 2},  # an automatic double
    {"cube_value": 64, "cube_owner": "me", "cube_limit": 64},
    {"cube_value": 32, "cube_owner": "me", "cube_limit": 64, "offer": "double"},
    {"offer": "koks", "dice": (3, 1)},
    {"position": OVER, "match_length": 5, "score": (3, 7)},  # the match is over with the game
    {"position": FNR, "score": (0.5, 1)},
    {"position": GULBAR, "remainder": (4, 5, 5, 6, 6)},
    {"position": GULBAR, "remainder": (6, 6), "offer": "single"},
    {
        "position": Position.start(nardy.variant("nardegammon").replace(draw_points=0.5)),
        "match_length": 5,
        "score": (4, 4.5),
        "crawford": True,
    },  # both came within a point by one draw
    {
        "position": Position.start(nardy.variant("nardegammon").replace(draw_points=0.5)),
        "match_length": 5,
        "score": (4.5, 3.5),
        "crawford": True,
    },
]


@pytest.mark.parametrize("fields", ALLOWED)
def test_allowed(fields):
    c = Context(**{"position": START, **fields})
    assert {name: getattr(c, name) for name in fields} == fields
    assert Context.from_text(c.text()) == c


def test_last_turn_of_a_draw():
    """rules.md, 10.5: the first mover has finished, the other throws once more."""
    last = Position.from_text("long_fnr 6:2 | off:15")
    assert Context(last, (6, 6), starter="opponent").dice == (6, 6)
    assert Context(last, (6, 6)).dice == (6, 6)
    with pytest.raises(InvalidArgument, match="the game is over"):
        Context(last, (6, 6), starter="me")  # the second mover finished: there is no last turn
    with pytest.raises(InvalidArgument, match="the game is over"):
        Context(last.flip(), (6, 6))
    with pytest.raises(InvalidArgument, match="the game is over"):
        Context(Position.from_text("long 6:2 | off:15"), (6, 6), starter="opponent")


# -------------------------------------------------------------------------------- the own line

LINES = [
    ("short 6:2 | 20:1", Context(Position.from_text("short 6:2 | 20:1"))),
    (
        "short 6:2 bar:1 | 20:1; dice 6-1; cube 2 me; match 7; score 2-5",
        Context(LATE, (6, 1), 2, "me", 7, (2, 5)),
    ),
    (
        " short bar:1 6:2|20:1 ;score 2-5;match  7;\tcube 2 me ; dice 6-1 ",
        Context(LATE, (6, 1), 2, "me", 7, (2, 5)),
    ),
    (
        "short 6:2 bar:1 | 20:1; cube 4 opponent; jacoby; beaver; limit 64; starter opponent",
        Context(LATE, None, 4, "opponent", jacoby=True, beaver=True, cube_limit=64,
                starter="opponent"),
    ),
    (
        "short 24:2 13:5 8:3 6:5 | 24:2 13:5 8:3 6:5; match 5; score 4-0; crawford; dice 3-1",
        Context(START, (3, 1), match_length=5, score=(4, 0), crawford=True),
    ),
    (
        "short 24:2 13:5 8:3 6:5 | 24:2 13:5 8:3 6:5; cube 2; offer double",
        Context(START, cube_value=2, offer="double"),
    ),
    ("long 24:15 | 24:15; dice 6-6", Context(LONG, (6, 6))),
    ("long_fnr 24:15 | 24:15; match 3; score 2.5-1; starter me",
     Context(FNR, match_length=3, score=(2.5, 1), starter="me")),
    ("long_fnr 24:15 | 24:15; score 0-0.5", Context(FNR, score=(0, 0.5))),
    ("mad_gulbar 24:15 | 24:15; remainder 4-5-5-6-6",
     Context(GULBAR, remainder=(4, 5, 5, 6, 6))),
    ("short off:15 | 6:2; match 5; score 6-1; cube 2 opponent",
     Context(OVER.flip(), None, 2, "opponent", 5, (6, 1))),
    (
        "long[block=never,cube=true,draw_points=0.5,head_limit=0] 24:15 | 24:15; cube 2 me; "
        "score 1.5-2; offer mars",
        Context(Position.start(nardy.variant("long").replace(
            block="never", cube=True, draw_points=0.5, head_limit=0)),
            None, 2, "me", None, (1.5, 2), offer="mars"),
    ),
]  # fmt: skip


@pytest.mark.parametrize(("text", "context"), LINES)
def test_lines(text, context):
    assert Context.from_text(text) == context
    assert Context.from_text(context.text()) == context


def test_a_line_as_it_is_written():
    full = Context(LATE, (1, 6), 4, "me", None, (3, 12), False, True, beaver=True, cube_limit=8,
                   offer="koks", starter="me")  # fmt: skip
    assert full.text() == (
        "short 6:2 bar:1 off:12 | 20:1 off:14; dice 1-6; cube 4 me; score 3-12; jacoby; beaver; "
        "limit 8; offer koks; starter me"
    )
    assert Context.from_text(full.text()).dice == (1, 6)


@pytest.mark.parametrize("name", nardy.VARIANTS)
def test_the_text_of_a_position_is_that_of_a_context(name):
    text = Position.start(name).text()
    assert Context.from_text(text) == Context(Position.start(name))
    assert Context(Position.start(name)).text() == text


def test_rules_beside_the_text():
    race = nardy.Rules("race", start={6: 2, 3: 1})
    c = Context(Position.start(race), (2, 1))
    assert Context.from_text(c.text(), race) == c
    assert Context.from_text("long 24:15 | 24:15", "long") == Context(LONG)
    with pytest.raises(ParseError, match="the text is of long, but short was expected"):
        Context.from_text("long 24:15 | 24:15", "short")


S = "short 6:2 | 20:1"
BAD_LINES = [
    ("", ParseError, "name own side | enemy side"),
    (";", ParseError, "name own side | enemy side"),
    (None, ParseError, "None"),
    (S.encode(), ParseError, "b'short"),
    ("shrt 6:2 | 20:1; dice 3-1", UnknownVariant, "did you mean 'short'"),
    ("short[cube=1] 6:2 | 20:1; dice 3-1", ParseError, "cube=1"),
    ("short[block=no] 6:2 | 20:1; dice 3-1", RulesError, "block"),
    ("short 6:16 | 20:1; dice 3-1", InvalidPosition, "16 checkers"),
    (f"{S};", ParseError, "got ''"),
    (f"{S}; dice 3-1;", ParseError, "got ''"),
    (f"{S}; dice", ParseError, "a clause such as 'dice 5-2', got 'dice'"),
    (f"{S}; dice 31", ParseError, "'dice 31'"),
    (f"{S}; dice 3-7", ParseError, "'dice 3-7'"),
    (f"{S}; dice 3-1-1", ParseError, "'dice 3-1-1'"),
    (f"{S}; die 3-1", ParseError, "one of dice, cube, match, "),
    (f"{S}; Dice 3-1", ParseError, "'Dice 3-1'"),
    (f"{S}; dice 3-1; dice 3-1", ParseError, "'dice' stands twice"),
    (f"{S}; cube", ParseError, "'cube 2 me'"),
    (f"{S}; cube two", ParseError, "'cube two'"),
    (f"{S}; cube 2 him", ParseError, "'cube 2 him'"),
    (f"{S}; cube 3 me", ParseError, "a power of two"),
    (f"{S}; cube 12345678901 me", ParseError, "'cube 12345678901 me'"),
    (f"{S}; cube 2 me; match 1", ParseError, "a match of one point has no cube"),
    (f"{S}; match 0", ParseError, "None for money"),
    (f"{S}; match -7", ParseError, "'match -7'"),
    (f"{S}; score 3", ParseError, "'score 3'"),
    (f"{S}; score 3-4.25", ParseError, "'score 3-4.25'"),
    (f"{S}; score 3-4.5", ParseError, "no draws for half points"),
    (f"{S}; score 3-٤", ParseError, "'score 3-٤'"),
    (f"{S}; match 3; score 3-0", ParseError, "less than the match length of 3"),
    (f"{S}; crawford yes", ParseError, "'crawford yes'"),
    (f"{S}; crawford", ParseError, "False for money"),
    (f"{S}; limit 63", ParseError, "cube_limit"),
    (f"{S}; offer cube", ParseError, "'offer cube'"),
    (f"{S}; remainder 6-6", ParseError, "no remainder"),
    (f"{S}; starter White", ParseError, "'starter White'"),
    ("mad_gulbar 24:15 | 24:15; remainder 7", ParseError, "'remainder 7'"),
    ("mad_gulbar 24:15 | 24:15; remainder 5-6", ParseError, "every higher number 2 times"),
]


@pytest.mark.parametrize(("text", "error", "words"), BAD_LINES)
def test_bad_lines(text, error, words):
    with pytest.raises(error) as caught:
        Context.from_text(text)
    assert words in str(caught.value)


VOCABULARY = (
    "; dice cube match score crawford jacoby beaver limit offer remainder starter me opponent "
    "double single koks 3-1 6-6 2 4 64 7 2.5-1 2-5 4-5-5-6-6 1.5 -"
)
WORDS = st.sampled_from(VOCABULARY.split())
GAMES = st.sampled_from([S, "mad_gulbar 24:15 | 24:15", "long_fnr 24:3 | 6:2", "nardegammon 1:1 |"])


@settings(deadline=None, max_examples=1500)
@given(
    st.tuples(GAMES, st.lists(WORDS, max_size=12)).map(lambda x: f"{x[0]} ; {' '.join(x[1])}")
    | st.tuples(st.sampled_from([text for text, _ in LINES]), st.integers(0, 90), st.characters())
    .map(lambda x: x[0][: x[1]] + x[2] + x[0][x[1] + 1 :])
    | st.text()
    | st.binary().map(lambda b: b.decode("latin-1"))
)  # fmt: skip
def test_any_text(text):
    try:
        read = Context.from_text(text)
    except NardyError as error:
        assert len(str(error)) > 10  # noqa: PT017
    else:
        assert not batch.faults(read.position.rules, read.position.board).any()
        assert Context.from_text(read.text()) == read
        assert re.fullmatch(r"[ -~]+", read.text())
