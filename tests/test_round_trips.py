"""10^5 contexts at random, every game, every notation: what is written is read back equal.

A second witness reads what is written as well: the plain readers in plain_ids.py.
"""

import dataclasses

import plain_ids
import pytest
from contexts import contexts
from positions import HOUSE

import nardy
from nardy import Context, InvalidArgument
from nardy.notation import parse_gnubg, parse_ogid, parse_xgid

EACH = 2700  # of a game and notation: 10^5 in all
SHORT = [name for name, rules in nardy.VARIANTS.items() if rules.travel == "contrary"]
HOUSES = {
    "cascade of four, draws": nardy.variant("mad_gulbar").replace(cascade=4, draw_points=0.5),
    "long, draws of one point": nardy.variant("long").replace(draw_points=1),
    "nardegammon, draws": nardy.variant("nardegammon").replace(draw_points=0.5),
}


def plain(context):
    """A context as the plain readers say it."""
    sides = (context.position.board, context.position.flip().board)
    mine, theirs = ({p: int(side[p]) for p in range(1, 26) if side[p] > 0} for side in sides)
    return {
        "mine": mine,
        "theirs": theirs,
        "dice": sorted(context.dice) if context.dice else None,
        "cube": context.cube_value,
        "owner": context.cube_owner,
        "length": context.match_length or 0,
        "score": list(context.score),
        "crawford": context.crawford,
        "jacoby": context.jacoby,
        "doubled": context.offer == "double",
    }


@pytest.mark.parametrize("name", nardy.VARIANTS)
def test_own_text(name):
    seen = set()
    for context in contexts(nardy.VARIANTS[name], EACH, 1):
        text = context.text()
        read = Context.from_text(text)
        assert read == context
        assert read.text() == text
        assert hash(read) == hash(context)
        seen |= {clause.split()[0] for clause in text.split("; ")[1:]}
    rules = nardy.VARIANTS[name]
    cube = {"cube", "crawford", "jacoby", "beaver", "limit"} if rules.cube else set()
    cascade = {"remainder"} if rules.cascade else set()
    assert seen == {"dice", "match", "score", "offer", "starter"} | cube | cascade


@pytest.mark.parametrize("rules", HOUSES.values(), ids=HOUSES)
def test_own_text_of_house_rules(rules):
    for context in contexts(rules, 500, 2):
        assert Context.from_text(context.text()) == context


def test_own_text_of_rules_of_ones_own():
    rules = HOUSE["three checkers"]
    for context in contexts(rules, 300, 3):
        assert Context.from_text(context.text(), rules) == context
        with pytest.raises(nardy.UnknownVariant, match="beside the text"):
            Context.from_text(context.text())


@pytest.mark.parametrize("name", SHORT)
def test_gnubg(name):
    for context in contexts(nardy.VARIANTS[name], EACH, 4):
        ids = context.position_id(), context.match_id()
        want = dataclasses.replace(context, beaver=False, cube_limit=None, starter=None)
        read = parse_gnubg(*ids, rules=name)
        assert read == want
        assert (read.position_id(), read.match_id()) == ids
        assert plain_ids.gnubg(*ids) == plain(context)


@pytest.mark.parametrize("name", SHORT)
def test_gnubg_with_player_0_on_roll(name):
    """The players of a match ID trade places: every field that names one turns over."""
    for context in contexts(nardy.VARIANTS[name], 300, 5):
        bits = plain_ids.bits(context.match_id())
        owner = {"10": "00", "00": "10", "11": "11"}[bits[4:6]]
        swapped = (
            bits[:4] + owner + "0" + bits[7:11] + "10"[int(bits[11])] + bits[12:36]
            + bits[51:66] + bits[36:51] + bits[66:]
        )  # fmt: skip
        other = parse_gnubg(context.position_id(), packed(swapped), name)
        assert other == parse_gnubg(context.position_id(), context.match_id(), name)


def packed(bits):
    """Base64 of bits in the manual's order."""
    stream = "".join(bits[i : i + 8][::-1] for i in range(0, 72, 8))
    return "".join(plain_ids.BASE64[int(stream[i : i + 6], 2)] for i in range(0, 72, 6))


@pytest.mark.parametrize("turn", [1, -1])
@pytest.mark.parametrize("name", SHORT)
def test_xgid(name, turn):
    for context in contexts(nardy.VARIANTS[name], EACH, 6):
        if context.offer not in (None, "double"):
            with pytest.raises(InvalidArgument, match="cannot hold the offer"):
                context.xgid(turn)
            continue
        text = context.xgid(turn)
        read = parse_xgid(text, name)
        assert read == dataclasses.replace(context, starter=None)
        assert read.dice == context.dice
        assert read.xgid(turn) == text
        assert plain_ids.xgid(text) == plain(context)
        assert parse_xgid(read.xgid(-turn), name) == read


@pytest.mark.parametrize("turn", [1, -1])
@pytest.mark.parametrize("name", SHORT)
def test_ogid(name, turn):
    for context in contexts(nardy.VARIANTS[name], EACH, 7):
        if context.offer not in (None, "double") or context.position.status().over:
            with pytest.raises(InvalidArgument, match="cannot hold"):
                context.ogid(turn)
            continue
        silent = {"starter": None, "jacoby": False, "beaver": False, "cube_limit": None}
        text = context.ogid(turn)
        read = parse_ogid(text, name)
        assert read == dataclasses.replace(context, **silent)
        assert read.dice == context.dice
        assert read.ogid(turn) == text
        assert plain_ids.ogid(text) == plain(read)
        assert parse_ogid(read.ogid(-turn), name) == read


def test_ogid_of_other_numbers_of_checkers():
    for context in contexts(HOUSE["three checkers"], 300, 8):
        if context.offer is None and not context.position.status().over:
            text = context.ogid()
            assert text.endswith(":3")
            read = parse_ogid(text, HOUSE["three checkers"])
            assert read == dataclasses.replace(context, starter=None)
