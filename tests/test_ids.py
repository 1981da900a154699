"""gnubg IDs, XGIDs and OGIDs: public examples, what is refused, and any text at all."""

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from plain_ids import BASE64

import nardy
from nardy import Context, InvalidArgument, InvalidPosition, NardyError, ParseError, Position, batch
from nardy.notation import parse_gnubg, parse_ogid, parse_xgid

CASES = Path(__file__).parent / "cases"
IDS = json.loads((CASES / "id_pairs.json").read_text())
OGIDS = json.loads((CASES / "ogid_positions.json").read_text())
START = Position.start("short")

# ---------------------------------------------------------------- pairs that gnubg has checked


@pytest.fixture(params=IDS["pairs"], ids=[pair["position_id"] for pair in IDS["pairs"]])
def pair(request):
    return request.param


def context_of(pair):
    """The context that a pair spells out, without its IDs."""
    board = [0] * 32
    for point, n in pair["on_roll"].items():
        board[25 if point == "bar" else int(point)] = n
    for point, n in pair["opponent"].items():
        board[26 if point == "bar" else 25 - int(point)] = -n
    board[0], board[27] = pair["off"][0], -pair["off"][1]
    return Context(
        Position("short", board),
        pair["dice"] and tuple(pair["dice"]),
        pair["cube_value"],
        {"opp": "opponent"}.get(pair["cube_owner"], pair["cube_owner"]),
        pair["match_length"] or None,
        (pair["score_on_roll"], pair["score_opponent"]),
        pair["crawford"],
        pair["jacoby"],
    )


def test_pairs_are_there():
    assert len(IDS["pairs"]) >= 42
    assert {pair["xgid_turn"] for pair in IDS["pairs"]} == {1, -1}
    assert {pair["cube_owner"] for pair in IDS["pairs"]} == {None, "me", "opp"}


def test_pairs_are_read(pair):
    want = context_of(pair)
    assert parse_xgid(pair["xgid"]) == want
    assert parse_gnubg(pair["position_id"], pair["match_id"]) == want
    assert parse_gnubg(f"{pair['position_id']}:{pair['match_id']}") == want
    assert want.position.pip_count() == tuple(pair["pips"])


def test_pairs_are_written(pair):
    context = context_of(pair)
    assert context.xgid(pair["xgid_turn"]) == pair["xgid"]
    assert context.position_id() == pair["position_id"]
    assert context.match_id() == pair["match_id"]
    assert parse_xgid(context.xgid(-pair["xgid_turn"])) == context
    assert parse_ogid(context.ogid()) == context.replace(jacoby=False)


@pytest.mark.parametrize("case", [case for case in IDS["public"] if "xgid" in case],
                         ids=lambda case: case["xgid"])  # fmt: skip
def test_public_xgids(case):
    context = parse_xgid(case["xgid"])
    assert context.xgid() == case["xgid"]
    for play in (case.get("known", {}).get("best"), case.get("known", {}).get("second")):
        if play and context.dice:
            assert context.position.play(*context.dice, play).status().over is False
    if "position_id" in case:
        assert context.position_id() == case["position_id"]


# ------------------------------------------------------------------ examples from the outside


def test_the_match_id_of_the_manual():
    """GNU Backgammon manual, 11.7: 2-4 to 9, player 0 holds a 2-cube, player 1 has rolled 5-2."""
    context = parse_gnubg("4HPwATDgc/ABMA", "QYkqASAAIAAA")
    assert context == Context(START, (5, 2), 2, "opponent", 9, (4, 2))
    assert context.match_id() == "QYkqASAAIAAE"  # with the bit that the manual does not know


def test_a_match_id_of_a_game_not_begun():
    """The ID that several programs give as their example: 5-3, Crawford, 1-2 to 3."""
    context = parse_gnubg("4HPwATDgc/ABMA:8IhuACAACAAE")
    assert context == Context(START, (5, 3), 1, None, 3, (1, 2), crawford=True)


def test_the_last_bit_of_the_match_id_is_jacoby_off():
    assert parse_gnubg("4HPwATDgc/ABMA", "cAkAAAAAAAAA").jacoby is True
    assert parse_gnubg("4HPwATDgc/ABMA", "cAkAAAAAAAAE").jacoby is False
    assert parse_gnubg("4HPwATDgc/ABMA").jacoby is False
    # Old IDs of matches have no such bit, and a game without the cube has no Jacoby rule.
    assert parse_gnubg("4HPwATDgc/ABMA", "cAlgABAAAAAA") == Context(START, None, 1, None, 3, (0, 1))
    assert parse_gnubg("4HPwATDgc/ABMA", "cAkAAAAAAAAA", "tavla").jacoby is False


PRINTED = [
    # a blog of 2012: on roll at 4-3 to 9 with a 2-cube, pips 27 and 29
    ("XGID=---ABBA------------bbaa---:1:1:1:00:4:3:0:9:10", (27, 29), None, 2, "me", 9, (4, 3)),
    # the same game later, the other player on roll: pips 11 against 9, he holds the cube at 4
    ("XGID=----AA--------------aa-a--:2:-1:-1:00:4:3:0:9:10", (11, 9), None, 4, "me", 9, (3, 4)),
    # rec.games.backgammon, May 2023: "Pip count X: 107 O: 63", 4-0 to 7, cube action
    ("XGID=-ABBBBBa-----Ba----cBb--h-:0:0:1:00:4:0:0:7:10", (107, 63), None, 1, None, 7, (4, 0)),
    # AnkiGammon issue 1: "Pip count X: 154 O: 158", "X to play 41"
    ("XGID=----abF-B--BbB-Bacbd----A-:0:0:1:41:1:0:0:11:10", (154, 158), (4, 1), 1, None, 11,
     (1, 0)),
]  # fmt: skip


@pytest.mark.parametrize(("text", "pips", "dice", "value", "owner", "length", "score"), PRINTED)
def test_xgids_beside_what_xg_printed(text, pips, dice, value, owner, length, score):
    context = parse_xgid(text)
    assert context.position.pip_count() == pips
    assert context == Context(context.position, dice, value, owner, length, score)
    assert context.xgid(-1 if ":-1:-1:" in text else 1) == text


def test_xgid_of_a_crawford_game():
    """Backgammonforums, "How to post positions": a match to 7 at 6-4."""
    context = parse_xgid("XGID=--A-bBBBB--BbB-----dbbc-B-:0:0:1:31:6:4:1:7:10")
    assert context.text() == (
        "short 24:2 13:2 11:2 8:2 7:2 6:2 5:2 2:1 | 21:2 13:2 6:4 5:2 4:2 3:3; dice 3-1; match 7; "
        "score 6-4; crawford"
    )


def test_xgid_switches_of_money():
    board = "-b----E-C---eE---c-e----B-"
    for switches, jacoby, beaver in ((0, 0, 0), (1, 1, 0), (2, 0, 1), (3, 1, 1)):
        text = f"XGID={board}:0:0:1:46:0:0:{switches}:0:10"
        context = parse_xgid(text)
        assert (context.jacoby, context.beaver) == (bool(jacoby), bool(beaver))
        assert context.dice == (4, 6)
        assert context.xgid() == text


def test_xgid_of_a_double():
    """The turn is the doubler's, and the cube is as before (gnubg 1.08, set.c)."""
    text = "XGID=-b----E-C---eE---c-e----B-:1:-1:-1:D:0:0:1:0:10"
    context = parse_xgid(text)
    assert context == Context(START, None, 2, "me", jacoby=True, offer="double")
    assert context.xgid(-1) == text
    ids = context.position_id(), context.match_id()
    assert parse_gnubg(*ids) == context


def test_xgid_limits():
    for exponent, limit in ((6, 64), (8, 256), (10, None), (0, 1), (12, 4096)):
        text = f"XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:{exponent}"
        assert parse_xgid(text).cube_limit == limit
        assert parse_xgid(text).xgid() == text
    assert parse_xgid(text, "tavla").cube_limit is None
    bare = "-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10"
    assert parse_xgid(f"  {bare}\n") == parse_xgid(f"XGID={bare}") == Context(START)


@pytest.mark.parametrize("row", OGIDS["positions"], ids=lambda row: row["ogid"])
def test_ogids_of_hedgehog(row):
    """Another program's positions: the plays that it names are legal, and it is written again."""
    context = parse_ogid(row["ogid"])
    for play in (row["played"], row["best"]):
        context.position.play(*context.dice, play)
    turn = {"W": 1, "B": -1}[row["ogid"].split(":")[4]]  # who reached it is not on roll
    assert context.ogid(turn).rpartition(":")[0] == row["ogid"].rpartition(":")[0]


def test_ogids_read_from_the_other_seat_make_no_sense():
    """The check above tells the seats apart: a wrong reading could not pass it."""
    bad = 0
    for row in OGIDS["positions"]:
        context = parse_ogid(row["ogid"])
        wrong = context.position.flip()
        bad += not all(is_legal(wrong, context.dice, row[key]) for key in ("played", "best"))
    assert len(OGIDS["positions"]) == 26
    assert bad >= 20


def is_legal(position, dice, play):
    try:
        position.play(*dice, play)
    except nardy.IllegalPlay:
        return False
    return True


@pytest.mark.parametrize(("text", "doubler"), OGIDS["doubles"])
def test_ogids_of_a_double(text, doubler):
    context = parse_ogid(text)
    assert context.offer == "double"
    assert context.ogid({"B": 1, "W": -1}[doubler]).rpartition(":")[0] == text.rpartition(":")[0]


def test_ogid_before_and_after_a_double():
    """The same board in one match: Black may double, and then has doubled."""
    (before, _), (after, _) = OGIDS["before_the_throw"][0], OGIDS["doubles"][0]
    assert parse_ogid(after) == parse_ogid(before).replace(offer="double")


@pytest.mark.parametrize(("text", "xgid"), OGIDS["pairs"])
def test_ogids_beside_xgids(text, xgid):
    assert parse_ogid(text) == parse_xgid(xgid).replace(cube_limit=None)
    assert parse_ogid(f"OGID={text}") == parse_ogid(text)


def test_ogid_states():
    board = "17ccccghhhjjjjj:66666888dddddoo"
    white = parse_ogid(f"{board}:N0N::B:C:0:0:3:2")
    black = parse_ogid(f"{board}:N0N::W:C:0:0:3:2")
    assert white.position == black.position.flip()
    for text, want in [
        (f"{board}:N0N::W:IW:0:0:3", white),  # nobody has thrown: the state says who will
        (f"{board}:N0N::W:IB:0:0:3", black),
        (f"{board}:N0N:31:W:IW:0:0:3", black.replace(dice=(3, 1))),
        (f"{board}:N0N::B::0:0:3L:", white),
        (f"{board}:N0N::B", white.replace(match_length=None)),
        (f"{board}:N0N::B::::", white.replace(match_length=None)),
        (f"{board}:W1T::B:A:0:0:3", white.replace(cube_value=2, cube_owner="me")),
        (f"{board}:B1N::B::0:2:3C:0:15", None),
        (f"{board}:N0N::B::0:2:3C:0:15", white.replace(score=(0, 2), crawford=True)),
    ]:
        if want is None:
            with pytest.raises(ParseError, match="1 in the Crawford game"):
                parse_ogid(text)
        else:
            assert parse_ogid(text) == want
    assert parse_ogid("11jjjjjhhhccccq:ooddddd88866666:W1N::B").position.board[0] == 1


# --------------------------------------------------------------------------- what is refused

BOARD = "-b----E-C---eE---c-e----B-"
XGIDS = [
    ("", ParseError, "10 fields with ':' between them, got 1"),
    (None, ParseError, "None"),
    (b"XGID=", ParseError, "b'XGID='"),
    (f"XGID={BOARD}:0:0:1:31:0:0:0:0", ParseError, "got 9"),
    (f"XGID={BOARD}:0:0:1:31:0:0:0:0:10:1", ParseError, "got 11"),
    (f"XGID={BOARD[1:]}:0:0:1:31:0:0:0:0:10", ParseError, "26 characters for the board, got 25"),
    (f"XGID=A{BOARD[1:]}:0:0:1:31:0:0:0:0:10", ParseError, "got 'A' at place 0"),
    (f"XGID={BOARD[:-1]}a:0:0:1:31:0:0:0:0:10", ParseError, "got 'a' at place 25"),
    (f"XGID={BOARD[:-2]}Q-:0:0:1:31:0:0:0:0:10", ParseError, "got 'Q' at place 24"),
    (f"XGID={BOARD[:-2]}é-:0:0:1:31:0:0:0:0:10", ParseError, "got 'é'"),
    (f"XGID={BOARD[:-2]}C-:0:0:1:31:0:0:0:0:10", InvalidPosition, "on roll has 16 checkers"),
    (f"XGID={BOARD[:-2]}C-:0:0:-1:31:0:0:0:0:10", InvalidPosition, "opponent has 16 checkers"),
    (f"XGID={BOARD[:-2]}P-:0:0:1:31:0:0:0:0:10", InvalidPosition, "on roll has 29 checkers"),
    (f"XGID={'-' * 26}:0:0:1:31:0:0:0:0:10", InvalidPosition, "no draw"),
    (f"XGID={BOARD}:x:0:1:31:0:0:0:0:10", ParseError, "a whole number for the cube, got 'x'"),
    (f"XGID={BOARD}:-1:0:1:31:0:0:0:0:10", ParseError, "for the cube, got '-1'"),
    (f"XGID={BOARD}:31:0:1:31:0:0:0:0:10", ParseError, "at most 30 for the cube, got '31'"),
    (f"XGID={BOARD}:1:2:1:31:0:0:0:0:10", ParseError, "owner of the cube, got '2'"),
    (f"XGID={BOARD}:0:1:1:31:0:0:0:0:10", ParseError, "None while the cube shows 1"),
    (f"XGID={BOARD}:1:0:1:31:0:0:0:5:10", ParseError, "a player to hold the cube at 2"),
    (f"XGID={BOARD}:0:0:0:31:0:0:0:0:10", ParseError, "'1' or '-1' for the turn, got '0'"),
    (f"XGID={BOARD}:0:0:+1:31:0:0:0:0:10", ParseError, "for the turn, got '+1'"),
    (
        f"XGID={BOARD}:0:0:1:30:0:0:0:0:10",
        ParseError,
        "two dice from 1 to 6 such as '52', got '30'",
    ),
    (f"XGID={BOARD}:0:0:1:7:0:0:0:0:10", ParseError, "got '7'"),
    (f"XGID={BOARD}:0:0:1:311:0:0:0:0:10", ParseError, "got '311'"),
    (f"XGID={BOARD}:0:0:1:B:0:0:0:0:10", ParseError, "a beaver under way cannot be read"),
    (f"XGID={BOARD}:0:0:1:R:0:0:0:0:10", ParseError, "a raccoon under way cannot be read"),
    (f"XGID={BOARD}:1:-1:1:D:0:0:0:0:10", ParseError, "who does not hold the cube"),
    (f"XGID={BOARD}:0:0:1:D:4:0:1:5:10", ParseError, "no double in a game without the cube"),
    (f"XGID={BOARD}:0:0:1:31:-1:0:0:0:10", ParseError, "for the score, got '-1'"),
    (f"XGID={BOARD}:0:0:1:31:5:0:0:5:10", ParseError, "less than the match length of 5"),
    (f"XGID={BOARD}:0:0:1:31:0:0:2:5:10", ParseError, "'0' or '1' for the Crawford game, got '2'"),
    (f"XGID={BOARD}:0:0:1:31:3:3:1:5:10", ParseError, "nobody needs one point or less"),
    (f"XGID={BOARD}:0:0:1:31:0:0:4:0:10", ParseError, "for Jacoby and beavers, got '4'"),
    (f"XGID={BOARD}:0:0:1:31:0:0:0:x:10", ParseError, "for the match length, got 'x'"),
    (f"XGID={BOARD}:0:0:1:31:0:0:0:-5:10", ParseError, "for the match length, got '-5'"),
    (f"XGID={BOARD}:0:0:1:31:0:0:0:0:x", ParseError, "for the greatest cube, got 'x'"),
    (f"XGID={BOARD}:5:1:1:31:0:0:0:0:4", ParseError, "at most the cube_limit of 16"),
    (f"XGID={BOARD}:0:0:1:31:0:0:0:99999999999:10", ParseError, "for the match length"),
]


@pytest.mark.parametrize(("text", "error", "words"), XGIDS)
def test_what_is_no_xgid(text, error, words):
    with pytest.raises(error) as caught:
        parse_xgid(text)
    assert words in str(caught.value)
    assert not text or str(text)[:60] in str(caught.value)


def with_bits(match_id, **changes):
    """A match ID with some fields changed, each a slice of its bits."""
    key = int.from_bytes(_octets(match_id), "little")
    places = {"cube": (0, 4), "owner": (4, 2), "on_roll": (6, 1), "crawford": (7, 1),
              "state": (8, 3), "turn": (11, 1), "doubled": (12, 1), "resigned": (13, 2),
              "die1": (15, 3), "die2": (18, 3), "length": (21, 15), "score0": (36, 15),
              "score1": (51, 15), "no_jacoby": (66, 1), "beyond": (67, 5)}  # fmt: skip
    for name, value in changes.items():
        start, width = places[name]
        key = key & ~(((1 << width) - 1) << start) | value << start
    stream = int.from_bytes(key.to_bytes(9, "little"), "big")
    return "".join(BASE64[stream >> 6 * i & 63] for i in range(11, -1, -1))


def _octets(text):
    value = 0
    for letter in text:
        value = value * 64 + BASE64.index(letter)
    return value.to_bytes(9, "big")


ROLLED = "cIlqAVAAUAAE"  # 5-2, 10-5 to 11
MATCH_IDS = [
    ("", ParseError, "12 characters"),
    (b"cIlqAVAAUAAE", ParseError, "b'cIlqAVAAUAAE'"),
    ("cIlqAVAAUAA", ParseError, "12 characters"),
    ("cIlqAVAAUAAE=", ParseError, "12 characters"),
    ("cIlqAVAAUA-E", ParseError, "12 characters"),
    ("cIlqAVAAUAé=", ParseError, "12 characters"),
    (with_bits(ROLLED, beyond=1), ParseError, "bits beyond the 67"),
    (with_bits(ROLLED, die1=7), ParseError, "the dice are 7 and 2"),
    (with_bits(ROLLED, die1=0), ParseError, "the dice are 0 and 2"),
    (with_bits(ROLLED, die2=0), ParseError, "the dice are 5 and 0"),
    (with_bits(ROLLED, owner=2), ParseError, "the owner of the cube is 2, not 0, 1 or 3"),
    (with_bits(ROLLED, owner=1), ParseError, "None while the cube shows 1"),
    (with_bits(ROLLED, cube=1), ParseError, "a player to hold the cube at 2"),
    (with_bits(ROLLED, turn=0), ParseError, "the other player must act, and no offer is open"),
    (with_bits(ROLLED, resigned=1), ParseError, "player on roll must act, and 1 offer is open"),
    (with_bits(ROLLED, turn=0, doubled=1), ParseError, "None while a double is offered"),
    (with_bits(ROLLED, turn=0, doubled=1, resigned=2), ParseError, "at once"),
    (with_bits(ROLLED, state=2), ParseError, "both players have checkers in play"),
    (with_bits(ROLLED, state=3), ParseError, "ended with a resignation"),
    (with_bits(ROLLED, state=4), ParseError, "ended with a double that was passed"),
    (with_bits(ROLLED, state=5), ParseError, "the state of the game is 5, not 0 to 4"),
    (with_bits(ROLLED, score1=11), ParseError, "less than the match length of 11"),
    (with_bits(ROLLED, length=0, crawford=1), ParseError, "False for money"),
    (with_bits(ROLLED, score1=5, crawford=1), ParseError, "nobody needs one point or less"),
]


@pytest.mark.parametrize(("text", "error", "words"), MATCH_IDS)
def test_what_is_no_match_id(text, error, words):
    with pytest.raises(error) as caught:
        parse_gnubg("4HPwATDgc/ABMA", text)
    assert words in str(caught.value)
    assert repr(text)[1:-1] in str(caught.value)


@pytest.mark.parametrize(
    ("text", "error", "words"),
    [
        (None, ParseError, "None"),
        (":", ParseError, "14 characters"),
        ("4HPwATDgc/ABMA:", ParseError, "12 characters"),
        ("4HPwATDgc/ABMA:cIlqAVAAUAAE:", ParseError, "12 characters"),
        ("4HPwATDgc/ABMB:cIlqAVAAUAAE", ParseError, "bits beyond"),
        ("//8fAAAAAAAAAA:cIlqAVAAUAAE", InvalidPosition, "21 checkers"),
    ],
)
def test_what_is_no_pair_of_ids(text, error, words):
    with pytest.raises(error) as caught:
        parse_gnubg(text)
    assert words in str(caught.value)


def test_changed_bits_are_read():
    """Each field of the match ID by itself."""
    want = Context(START, (5, 2), match_length=11, score=(10, 5))
    for changes, fields in [
        ({}, {}),
        ({"state": 0}, {}),
        ({"die1": 0, "die2": 0}, {"dice": None}),
        ({"cube": 3, "owner": 1}, {"cube_value": 8, "cube_owner": "me"}),
        ({"cube": 15, "owner": 0}, {"cube_value": 2**15, "cube_owner": "opponent"}),
        ({"crawford": 1}, {"crawford": True}),
        ({"turn": 0, "resigned": 1}, {"offer": "single"}),
        ({"turn": 0, "resigned": 2}, {"offer": "mars"}),
        ({"turn": 0, "resigned": 3}, {"offer": "koks"}),
        ({"turn": 0, "doubled": 1, "die1": 0, "die2": 0}, {"offer": "double", "dice": None}),
        ({"length": 2**15 - 1}, {"match_length": 2**15 - 1}),
        ({"on_roll": 0, "turn": 0}, {"score": (5, 10)}),
        ({"length": 0, "no_jacoby": 0}, {"match_length": None, "jacoby": True}),
        ({"length": 0}, {"match_length": None}),
        ({"no_jacoby": 0}, {}),
    ]:
        assert parse_gnubg("4HPwATDgc/ABMA", with_bits(ROLLED, **changes)) == want.replace(**fields)


def test_finished_games():
    over = Position.from_text("short off:15 | 6:2")
    won = Context(over, None, 2, "opponent", 5, (6, 1))
    assert parse_gnubg(won.position_id(), won.match_id()) == won
    assert parse_gnubg(won.position_id(), with_bits(won.match_id(), state=1)) == won
    assert parse_xgid(won.xgid()) == won
    with pytest.raises(InvalidArgument, match="cannot hold the finished game"):
        won.ogid()


WHITE, BLACK = "17ccccghhhjjjjj", "66666888dddddoo"
NO_OGIDS = [
    ("", ParseError, "5 to 11 fields with ':' between them, got 1"),
    (None, ParseError, "None"),
    (f"{WHITE}:{BLACK}:N0N", ParseError, "got 3"),  # who is on roll?
    (f"{WHITE}:{BLACK}:N0N::B::0:0:0:0:15:0", ParseError, "got 12"),
    (f"{WHITE}:{BLACK}:N0N::?::0:0:0:0", ParseError, "who reached the position, got '?'"),
    (f"{WHITE}:{BLACK}:N0N::::0:0:0:0", ParseError, "who reached the position, got ''"),
    (f"{WHITE}p:{BLACK}:N0N::B", ParseError, "the own bar, got 'p'"),
    (f"{WHITE}:{BLACK}0:N0N::B", ParseError, "the own bar, got '0'"),
    (f"{WHITE}:{BLACK}r:N0N::B", ParseError, "got 'r'"),
    (f"{WHITE}:{BLACK}A:N0N::B", ParseError, "got 'A'"),
    (f"{WHITE}:{BLACK}o:N0N::B", InvalidPosition, "opponent has 16 checkers"),
    (f"{WHITE}q:{BLACK}:N0N::B", InvalidPosition, "on roll has 16 checkers"),
    ("1111:1111:N0N::B", InvalidPosition, "both players hold one point"),
    (f"{WHITE}:{BLACK}:N0::B", ParseError, "a cube such as 'N0N', 'W1N' or 'B2O', got 'N0'"),
    (f"{WHITE}:{BLACK}:D0N::B", ParseError, "got 'D0N'"),
    (f"{WHITE}:{BLACK}:W99N::B", ParseError, "at most 30 for the cube"),
    (f"{WHITE}:{BLACK}:W0N::B", ParseError, "None while the cube shows 1"),
    (f"{WHITE}:{BLACK}:N0P::B", ParseError, "ended with a double that was passed"),
    (f"{WHITE}:{BLACK}:N0N:3:B", ParseError, "two dice from 1 to 6 such as '52', got '3'"),
    (f"{WHITE}:{BLACK}:N0N:07:B", ParseError, "got '07'"),
    (f"{WHITE}:{BLACK}:N0N::B:D", ParseError, "disagree on whether a double is offered"),
    (f"{WHITE}:{BLACK}:N0O::B:C", ParseError, "disagree on whether a double is offered"),
    (f"{WHITE}:{BLACK}:N0O:31:B:D", ParseError, "None while a double is offered"),
    (f"{WHITE}:{BLACK}:N0N::B:M", ParseError, "a state of a game that goes on"),
    (f"{WHITE}:{BLACK}:N0N::B:C:x", ParseError, "for the score, got 'x'"),
    (f"{WHITE}:{BLACK}:N0N::B:C:0:0:7G15", ParseError, "such as '7', '7C' or '7L', got '7G15'"),
    (f"{WHITE}:{BLACK}:N0N::B:C:0:0:C7", ParseError, "got 'C7'"),
    (f"{WHITE}:{BLACK}:N0N::B:C:0:0:7C", ParseError, "nobody needs one point or less"),
    (f"{WHITE}:{BLACK}:N0N::B:C:7:0:7", ParseError, "less than the match length of 7"),
    (f"{WHITE}:{BLACK}:N0N::B:C:0:0:7:x", ParseError, "number of the turn, got 'x'"),
    (f"{WHITE}:{BLACK}:N0N::B:C:0:0:7:0:14", ParseError, "15 checkers of short, got 14"),
    (f"{WHITE}:{BLACK}:N0N::B:C:0:0:7:0:x", ParseError, "number of checkers, got 'x'"),
]


@pytest.mark.parametrize(("text", "error", "words"), NO_OGIDS)
def test_what_is_no_ogid(text, error, words):
    with pytest.raises(error) as caught:
        parse_ogid(text)
    assert words in str(caught.value)


# ------------------------------------------------------------------- what cannot be written


def test_games_without_ids():
    for call in (Context.xgid, Context.ogid, Context.position_id, Context.match_id):
        with pytest.raises(InvalidArgument, match="travels parallel"):
            call(Context(Position.start("long")))
    three = Context(Position.start(nardy.Rules("three", start={6: 2, 3: 1})))
    for call in (Context.xgid, Context.position_id, Context.match_id):
        with pytest.raises(InvalidArgument, match="hold 15 checkers"):
            call(three)
    for read, text in (
        (parse_xgid, f"XGID={BOARD}:0:0:1:31:0:0:0:0:10"),
        (parse_gnubg, "4HPwATDgc/ABMA"),
        (parse_ogid, f"{WHITE}:{BLACK}:N0N::B"),
    ):
        with pytest.raises(InvalidArgument, match="travels parallel"):
            read(text, rules="long")


@pytest.mark.parametrize("turn", [0, 2, "1", None, True, 1.0, [1]])
def test_no_such_turn(turn):
    for call in (Context.xgid, Context.ogid):
        with pytest.raises(InvalidArgument, match="turn: expected 1 or -1"):
            call(Context(START), turn)


def test_what_the_ids_have_no_place_for():
    drawn = Position.start(nardy.variant("short").replace(draw_points=0.5))
    half = Context(drawn, score=(0.5, 1))
    for call in (Context.xgid, Context.ogid, Context.match_id):
        with pytest.raises(InvalidArgument, match=r"cannot hold the half points 0.5-1 of 'short"):
            call(half)
    cascade = nardy.variant("short").replace(
        contact="block", cascade=2, remainder="opponent", cube=False
    )
    owed = Context(Position.start(cascade), remainder=(6,))
    for call in (Context.xgid, Context.ogid, Context.match_id):
        with pytest.raises(InvalidArgument, match=r"cannot hold the remainder \(6,\)"):
            call(owed)
    with pytest.raises(InvalidArgument, match="cannot hold the cube at 1024"):
        Context(START, cube_value=1024, cube_owner="me").ogid()
    assert ":B9N:" in Context(START, cube_value=512, cube_owner="me").ogid()
    with pytest.raises(InvalidArgument, match="cannot hold 16 for cube, 4 bits"):
        Context(START, cube_value=2**16, cube_owner="me").match_id()
    with pytest.raises(InvalidArgument, match="cannot hold 32768 for length, 15 bits"):
        Context(START, match_length=2**15).match_id()
    with pytest.raises(InvalidArgument, match="cannot hold 32768 for score1, 15 bits"):
        Context(START, score=(2**15, 0)).match_id()


def test_the_last_turn_of_a_draw_has_a_match_id():
    rules = nardy.variant("short").replace(draw_points=1)
    last = Context(Position.from_text("short[draw_points=1] 6:2 | off:15"), (6, 6))
    assert parse_gnubg(last.position_id(), last.match_id(), rules) == last


# --------------------------------------------------------------------------------- any text

XGID_SEEDS = [pair["xgid"] for pair in IDS["pairs"]]
OGID_SEEDS = [row["ogid"] for row in OGIDS["positions"]] + [row[0] for row in OGIDS["doubles"]]
MATCH_SEEDS = [pair["match_id"] for pair in IDS["pairs"]]


def mutated(seeds, letters):
    """One to three letters of a seed changed, put in or taken out."""
    edit = st.tuples(st.integers(0, 60), st.integers(0, 1), st.text(letters, max_size=2))

    def apply(case):
        text, edits = case
        for place, drop, letter in edits:
            text = text[:place] + letter + text[place + drop :]
        return text

    return st.tuples(st.sampled_from(seeds), st.lists(edit, min_size=1, max_size=3)).map(apply)


ANYTHING = st.text() | st.binary().map(lambda b: b.decode("latin-1"))


def check(read, text, again):
    try:
        context = read(text)
    except NardyError as error:
        assert len(str(error)) > 10  # noqa: PT017
    else:
        position = context.position
        assert not batch.faults("short", position.board).any()
        again(context)


def xgid_again(context):
    for turn in (1, -1):
        assert parse_xgid(context.xgid(turn)) == context


def ogid_again(context):
    if not context.position.status().over and context.cube_value <= 512:
        assert parse_ogid(context.ogid()) == parse_ogid(context.ogid(-1)) == context


def gnubg_again(context):
    assert parse_gnubg(context.position_id(), context.match_id()) == context


@settings(deadline=None, max_examples=2000)
@given(mutated(XGID_SEEDS, "-AaBbOoPp:0123456789DBR=XGI ") | ANYTHING)
def test_any_text_as_xgid(text):
    check(parse_xgid, text, xgid_again)


@settings(deadline=None, max_examples=2000)
@given(mutated(OGID_SEEDS, "0123456789abcdefghijklmnopqWBNOTPDRCILG:") | ANYTHING)
def test_any_text_as_ogid(text):
    check(parse_ogid, text, ogid_again)


@settings(deadline=None, max_examples=2000)
@given(
    mutated(MATCH_SEEDS, BASE64)
    | st.text(BASE64, min_size=12, max_size=12)
    | st.text(min_size=12, max_size=12)
    | ANYTHING
)
def test_any_text_as_match_id(text):
    check(lambda x: parse_gnubg("HC/wATDg8+AxAA", x), text, gnubg_again)


@settings(deadline=None, max_examples=1000)
@given(ANYTHING | st.text(BASE64 + ":", min_size=27, max_size=27))
def test_any_text_as_both_ids(text):
    check(parse_gnubg, text, gnubg_again)
