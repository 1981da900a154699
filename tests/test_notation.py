"""Plays and position IDs as text: what is written is read back, and much else is understood."""

import json
import random
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from positions import GAMES, from_games, set_up

import nardy
from nardy import IllegalPlay, InvalidArgument, NardyError, ParseError, Position, batch
from nardy.notation import find_play, play_text, position_from_id, position_id
from nardy_core import batch as core

IDS = json.loads((Path(__file__).parent / "cases" / "id_pairs.json").read_text())

# ---------------------------------------------------------------------------------------- plays


@pytest.mark.parametrize("name", GAMES)
def test_every_play_is_read_back(name):
    """The text of a play is that play's alone, and its steps in any order mean the same."""
    rules = GAMES[name]
    rng = random.Random(name)
    for board, dice in [*from_games(rules, 6, 2), *set_up(rules, 6, 150)]:
        if batch.outcomes(rules, board).over[0]:
            continue
        after, routes = core.routes(rules, board, dice)
        texts = [play_text(board, steps) for steps in routes]
        assert len(set(texts)) == len(texts)
        for i in rng.sample(range(len(texts)), min(8, len(texts))):
            steps, got = find_play(rules, board, dice, texts[i])
            assert got.tolist() == after[i].tolist(), (texts[i], Position(rules, board).text())
            assert steps == routes[i]
            hops = [f"{source}-{to}" for source, to in routes[i]]
            rng.shuffle(hops)
            mixed = ", ".join(hops)
            assert find_play(rules, board, dice, mixed)[1].tolist() == after[i].tolist(), mixed


@pytest.mark.parametrize("name", GAMES)
def test_a_missing_star_loses_nothing(name):
    rules = GAMES[name]
    starred = 0
    for board, dice in [*from_games(rules, 7, 1), *set_up(rules, 7, 60)]:
        after, routes = core.routes(rules, board, dice)
        for steps, row in list(zip(routes, after, strict=True))[:20]:
            text = play_text(board, steps)
            if "*" in text:
                starred += 1
                plain = text.replace("*", "")
                assert find_play(rules, board, dice, plain)[1].tolist() == row.tolist()
    assert (starred > 20) == (rules.contact == "hit") or rules.checkers < 15


@pytest.mark.parametrize("name", ["long", "short", "nackgammon", "mad_gulbar"])
def test_steps_at_random_are_taken_only_where_they_lead(name):
    """Second witness of the reader: steps as arithmetic, legal results as the array functions say.

    Taken: the board that the steps leave is a result. Refused: it is none, or a step comes down on
    a point that the opponent holds, or the steps bear off by a way that is closed ("6/1 1/off" is
    not the "6/4 4/off" that leaves the same board).
    """
    rules = nardy.variant(name)
    rng = random.Random(11)
    taken = refused = 0
    for board, dice in [*from_games(rules, 8, 2), *set_up(rules, 8, 300)]:
        if batch.outcomes(rules, board).over[0]:
            continue
        results = {row.tobytes() for row in batch.plays(rules, board, dice)[1]}
        double = dice[0] == dice[1]
        pool = list(dice[:1]) * (rules.cascade or 4) if double else list(dice)
        for _ in range(6):
            made, hops, shut = board.copy(), [], False
            for die in rng.sample(pool, rng.choice((len(pool), len(pool), 1))):
                own = [point for point in range(1, 26) if made[point] > 0]
                if not own:
                    break
                source = rng.choice(own)
                to = max(0, source - die)
                hops.append(f"{source}/{to}")
                made[source] -= 1
                if to and made[to] < 0:
                    shut = shut or rules.contact == "block" or made[to] < -1
                    made[26], made[to] = made[26] + made[to], 0
                made[to] += 1
            try:
                _, got = find_play(rules, board, dice, " ".join(hops))
            except IllegalPlay:
                refused += 1
                off = any(hop.endswith("/0") for hop in hops)
                assert shut or off or made.tobytes() not in results
            else:
                taken += 1
                assert not shut
                assert got.tobytes() == made.tobytes()
                assert got.tobytes() in results
    assert taken > 100
    assert refused > 100


START = "short 24:2 13:5 8:3 6:5 | 24:2 13:5 8:3 6:5"
BAR = "short 24:1 13:5 8:3 6:5 bar:1 | 24:2 13:5 8:3 6:5"
HOME = "short 6:2 4:1 | 24:1 bar:1"
HITS = "short 24:1 13:1 | 7:1 5:1 off:13"  # blots on 18 and 20

SPELLINGS = [
    (START, (6, 4), "24/14", ["24/18 18/14", "24/18/14", "18/14 24/18", "24/20/14", "24-14"]),
    (START, (6, 4), "24/14", ["24/20, 20/14", " 24 / 14 ", "24-18-14", "24/18,18/14"]),
    (START, (6, 4), "24/18 13/9", ["13/9 24/18", "13/9,24/18", "\t13/9\n24/18", "13-9 24-18"]),
    (START, (6, 6), "24/18(2) 13/7(2)", ["24/18 13/7 24/18 13/7", "13/7 (2) 24/18 (2)",
                                         "24/18(1) 24/18 13/7(2)"]),
    (START, (1, 1), "8/7(2) 6/5(2)", ["6/5 6/5 8/7 8/7", "6/5(2) 8/7(2)", "6/5(2),8/7(2)"]),
    (START, (2, 2), "24/20(2)", ["24/22/20(2)", "24/22(2) 22/20(2)", "24/20 24/22 22/20"]),
    (START, (2, 2), "13/5", ["13/11/9/7/5", "13/9 9/5", "13/7/5", "7/5 13/7"]),
    (BAR, (4, 3), "bar/21 24/21", ["25/21 24/21", "Bar/21, 24/21", "BAR/21 24-21", "24/21 bar/21"]),
    (BAR, (4, 3), "bar/18", ["bar/21/18", "bar/22/18", "25/18", "bar/21 21/18"]),
    (HOME, (6, 4), "6/off 4/off", ["6/0 4/0", "4/off 6/off", "6/OFF 4/Off", "6-off 4-0"]),
    (HITS, (6, 4), "24/18*/14", ["24/18/14", "24/18 18/14", "24/18* 18/14", "18/14 24/18*"]),
    (HITS, (6, 4), "24/20*/14", ["24/20/14", "24/20 20/14"]),
    ("short 24:1 13:1 | 7:1 off:14", (6, 4), "24/14", ["24/20/14", "24/20 20/14"]),
    ("short 24:1 13:1 | 7:1 off:14", (6, 4), "24/18*/14", ["24/18/14", "24/18*/14"]),
    ("short 24:1 13:1 | 7:1 5:2 off:12", (6, 4), "24/18*/14", ["24/14", "24/18/14"]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "dice", "canonical", "spellings"), SPELLINGS)
def test_spellings(text, dice, canonical, spellings):
    position = Position.from_text(text)
    plays = {str(play): play for play in position.plays(*dice)}
    want = position.play(*dice, plays[canonical])
    for spelling in (canonical, canonical.upper(), *spellings):
        assert position.play(*dice, spelling) == want
        assert position.play(*dice[::-1], spelling) == want


@pytest.mark.parametrize(
    ("play", "words"),
    [
        ("hello", "'hello'"),
        ("24", "'24'"),
        ("24/", "'24/'"),
        ("/18", "'/18'"),
        ("24/18/", "'24/18/'"),
        ("24//18", "'24//18'"),
        ("24/18 - 13/9", "'-'"),
        ("24*/18", "'24*/18'"),
        ("24/18**", "'24/18**'"),
        ("24/18(0)", "'24/18(0)'"),
        ("24/18(100)", "'24/18(100)'"),
        ("24/18(-1)", "'24/18(-1)'"),
        ("26/20", "'26'"),
        ("24/x", "'x'"),
        ("24/018", "'018'"),
        ("24/1८", "24/1८"),
        ("head/18", "'head'"),
        ("off/4", "does not move again"),
        ("6/off/4", "does not move again"),
        ("pass 24/18", "'pass'"),
        (",", "''"),
        ("24/18\x00", "24/18"),
    ],
)
def test_what_is_no_play(play, words):
    with pytest.raises(ParseError) as caught:
        Position.start("short").play(6, 4, play)
    assert words in str(caught.value)


@settings(deadline=None, max_examples=300)
@given(
    st.text("0123456789/-*(), baroffps", max_size=24) | st.text(max_size=8),
    st.integers(1, 6),
    st.integers(1, 6),
)
def test_any_text_is_played_or_refused(text, d1, d2):
    position = Position.from_text(BAR)
    results = [batch.flip("short", play.after)[0].tolist() for play in position.plays(d1, d2)]
    try:
        after = position.play(d1, d2, text)
    except (ParseError, IllegalPlay) as error:
        assert repr(text) in str(error) or "expected" in str(error)  # noqa: PT017
    else:
        assert after.board.tolist() in results


@settings(deadline=None, max_examples=300)
@given(st.text("0123456789:| baroffshtlng[]=,", max_size=40).map("short ".__add__) | st.text())
def test_any_text_is_a_position_or_refused(text):
    try:
        position = Position.from_text(text)
    except NardyError as error:
        assert str(error) != ""  # noqa: PT017
    else:
        assert Position.from_text(position.text()) == position


# --------------------------------------------------------------------------------- position IDs


def points(side):
    return {25 if point == "bar" else int(point): n for point, n in side.items()}


WITNESSED = [
    pytest.param(case["position_id"], case["on_roll"], case["opponent"], id=case["position_id"])
    for case in [*IDS["pairs"], *IDS["public"]]
    if "on_roll" in case
]


@pytest.mark.parametrize(("text", "on_roll", "opponent"), WITNESSED)
def test_ids_of_gnubg(text, on_roll, opponent):
    position = position_from_id(text)
    for side, want in ((position, on_roll), (position.flip(), opponent)):
        board = side.board[1:26].tolist()
        assert {p: n for p, n in enumerate(board, 1) if n > 0} == points(want)
    assert position_id(position) == text
    assert position_from_id(text, "tavla").board.tolist() == position.board.tolist()


def test_there_are_ids_to_test():
    assert len(WITNESSED) >= 44
    assert "GNU Backgammon" in IDS["source"]


def test_the_start_and_the_other_player():
    assert position_id(Position.start("short")) == IDS["start"]["position_id"]
    one = position_from_id("HC/wATDg8+AxAA")
    assert position_id(one.flip()) != position_id(one)
    assert position_from_id(position_id(one.flip())) == one.flip()


@pytest.mark.parametrize("name", [n for n, r in GAMES.items() if r.travel == "contrary"])
def test_every_position_has_its_id(name):
    rules = GAMES[name]
    if rules.checkers != 15:
        with pytest.raises(InvalidArgument, match="15 checkers"):
            position_id(Position.start(rules))
        return
    for board, _ in [*from_games(rules, 9, 1), *set_up(rules, 9, 200)]:
        text = position_id(Position(rules, board))
        assert re.fullmatch("[A-Za-z0-9+/]{14}", text)
        assert position_from_id(text, rules).board.tolist() == board.tolist()


def test_games_without_ids():
    with pytest.raises(InvalidArgument, match="travels parallel"):
        position_id(Position.start("long"))
    with pytest.raises(InvalidArgument, match="travels parallel"):
        position_from_id("4HPwATDgc/ABMA", "long")


@pytest.mark.parametrize(
    ("text", "error", "words"),
    [
        ("", ParseError, "14 characters"),
        ("4HPwATDgc/ABM", ParseError, "14 characters"),
        ("4HPwATDgc/ABMA=", ParseError, "14 characters"),
        ("4HPwATDgc/ABM\n", ParseError, "14 characters"),
        ("4HPwATDgc-ABMA", ParseError, "14 characters"),
        ("4HPwATDgc/ABMB", ParseError, "bits beyond"),
        ("//////////////", ParseError, "bits beyond"),
        ("/////////////w", ParseError, "less than two sides"),
        ("AAAAAAAAAAAAAA", nardy.InvalidPosition, "no draw"),
        ("AAAAAAAAAAAAgA", ParseError, "more than two sides"),
        ("//8fAAAAAAAAAA", nardy.InvalidPosition, "opponent has 21 checkers"),
        (None, ParseError, "None"),
        (b"4HPwATDgc/ABMA", ParseError, "b'4HP"),
    ],
)
def test_what_is_no_id(text, error, words):
    with pytest.raises(error) as caught:
        position_from_id(text)
    assert words in str(caught.value)


ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"


@settings(deadline=None, max_examples=1000)
@given(
    st.text(ALPHABET, min_size=14, max_size=14)
    | st.text(min_size=14, max_size=14)
    | st.tuples(st.sampled_from([case.values[0] for case in WITNESSED]), st.integers(0, 12),
                st.sampled_from(ALPHABET)).map(lambda x: x[0][: x[1]] + x[2] + x[0][x[1] + 1 :])
)  # fmt: skip
def test_any_fourteen_characters(text):
    try:
        position = position_from_id(text)
    except NardyError as error:
        assert repr(text) in str(error)  # noqa: PT017
    else:
        assert position_id(position) == text
        assert not batch.faults("short", position.board).any()
