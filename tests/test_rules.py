"""Rules as data: values, refusals, house rules."""

import copy
import itertools
import pickle

import numpy as np
import pytest

import nardy
from nardy import Rules, RulesError, UnknownVariant, variant

RACE = {6: 3}

# field -> values that no rule has, each with a part of the message
BAD = {
    "name": [("", "name"), ("a b", "name"), ("шеш", "name"), (3, "text"), (None, "text")],
    "title": [(3, "text")],
    "source": [(None, "text")],
    "travel": [("sideways", "'contrary', 'parallel'"), (1, "travel"), (None, "travel")],
    "contact": [("kiss", "'hit', 'block'"), (True, "contact")],
    "start": [
        ({}, "1 to 15 checkers in all"),
        ({24: 16}, "1 to 15 checkers on 24"),
        ({24: 0}, "1 to 15 checkers on 24"),
        ({24: 8, 13: 8}, "1 to 15 checkers in all, got 16"),
        ({26: 1}, "points 1 to 24"),
        ({-1: 1}, "points 1 to 24"),
        ({0: 15}, "every checker is off"),
        ({24: 1.5}, "whole number"),
        ({"24": 1}, "whole number"),
        ({True: 1}, "whole number"),
        (7, "{point: checkers}"),
        (None, "{point: checkers}"),
        ({24: 1, 1: 1}, "both would hold it"),
    ],
    "opening": [("toss", "'reroll', 'lot'")],
    "next_starter": [("loser", "'winner', 'alternate', 'lot'")],
    "use_dice": [("all", "'max', 'some'")],
    "head_limit": [(2, "0 to 1"), (-1, "0 to 1"), (True, "whole number"), (1.0, "whole number")],
    "head_exception": [("always", "'every_double'")],
    "block": [("always", "'never'")],
    "block_check": [("end", "'step', 'turn'")],
    "hitter": [("stays", "'stays_home'")],
    "must_bear_off": [(1, "True or False"), ("true", "True or False"), (None, "True or False")],
    "max_per_point": [(-1, "0 to 15"), (16, "0 to 15"), ("5", "whole number")],
    "cascade": [(-1, "0 to 15"), (16, "0 to 15"), (None, "whole number")],
    "remainder": [("kept", "'lost', 'opponent'")],
    "points": [
        ((1, 2), "three numbers"),
        (3, "three numbers"),
        ((0, 2, 3), "single win of 1"),
        ((1, -2, 3), "0 or more"),
        ((1, 2, 2**31), "2**31"),
        ((1, 2.5, 3), "whole number"),
        ("123", "whole number"),
    ],
    "home_mars": [(-1, "home_mars"), (2**31, "home_mars"), (1.5, "whole number")],
    "draw_points": [(2, "0, 0.5 or 1"), (True, "0, 0.5 or 1"), ("1", "0, 0.5 or 1"), (-1, "draw")],
    "cube": [(0, "True or False"), ("no", "True or False")],
}


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [(field, value, words) for field, values in BAD.items() for value, words in values],
)
def test_bad_values_are_named(field, value, words):
    with pytest.raises(RulesError) as caught:
        variant("short").replace(**{field: value})
    assert str(caught.value).startswith(field)
    assert words in str(caught.value)


def test_every_field_has_bad_values():
    assert set(BAD) == set(variant("short").asdict())


def test_unknown_fields():
    with pytest.raises(RulesError, match=r"blok: unknown field; expected one of name, title"):
        variant("long").replace(blok="never")
    with pytest.raises(RulesError, match="blok: unknown field"):
        Rules("x", start=RACE, blok="never")
    with pytest.raises(TypeError):
        Rules("x")


LISTED = {
    "travel": ("contrary", "parallel"),
    "contact": ("hit", "block"),
    "start": ({24: 15}, {24: 2, 13: 5, 8: 3, 6: 5}, {25: 1, 6: 14}, {0: 3, 24: 4}, {24: 4, 12: 3}),
    "opening": ("reroll", "lot"),
    "next_starter": ("winner", "alternate", "lot"),
    "use_dice": ("max", "some"),
    "head_limit": (0, 1),
    "head_exception": ("none", "fnr", "listed", "stuck", "any_double", "every_double"),
    "block": ("free", "ahead", "home", "never"),
    "block_check": ("step", "turn"),
    "hitter": ("free", "stays_home", "no_shelter"),
    "must_bear_off": (False, True),
    "max_per_point": (0, 1, 5, 15),
    "cascade": (0, 1, 2, 4, 15),
    "remainder": ("lost", "opponent"),
    "points": ((1, 2, 3), (1, 2, 0), (1, 0, 0), (5, 4, 3), (1, 0, 3)),
    "home_mars": (0, 3),
    "draw_points": (0, 0.5, 1),
    "cube": (False, True),
}


def contradicts(v):
    """The contradictions, written out again: True if these values have no meaning together."""
    hit, parallel = v["contact"] == "hit", v["travel"] == "parallel"
    long_only = (
        v["head_limit"], v["head_exception"] != "none", v["block"] != "free", v["cascade"]
    )  # fmt: skip
    facing = {p: (p + 12 if p <= 12 else p - 12) if parallel else 25 - p for p in range(1, 25)}
    on_points = {p: n for p, n in v["start"].items() if 1 <= p <= 24}
    return bool(
        (hit and any(long_only))
        or (not hit and (v["hitter"] != "free" or 25 in v["start"]))
        or (v["cascade"] and v["use_dice"] == "some")
        or (parallel and v["points"][2])
        or (v["max_per_point"] and max(on_points.values()) > v["max_per_point"])
        or any(facing[p] in on_points for p in on_points)
    )


@pytest.mark.parametrize("base", ["short", "long", "tavla", "mad_gulbar"])
def test_only_contradictions_are_refused(base):
    rules = variant(base)
    refused = 0
    for one, other in itertools.combinations(LISTED, 2):
        for a, b in itertools.product(LISTED[one], LISTED[other]):
            changes = {one: a, other: b}
            if contradicts({**rules.asdict(), **changes}):
                refused += 1
                with pytest.raises(RulesError):
                    rules.replace(**changes)
                continue
            changed = rules.replace(**changes)
            for field, value in changes.items():
                assert getattr(changed, field) == value
            assert nardy.batch.faults(changed, nardy.batch.start(changed)).tolist() == [0]
    assert refused > 100


def test_a_start_in_a_forbidden_block():
    wall = {24: 9, 20: 1, 19: 1, 18: 1, 17: 1, 16: 1, 15: 1}
    with pytest.raises(RulesError, match=r"start: it stands in a block of six that block='never'"):
        variant("long").replace(block="never", start=wall)
    assert variant("long").replace(block="free", start=wall).start == wall


def test_six_one_says_why():
    with pytest.raises(UnknownVariant) as caught:
        variant("six_one")
    for words in ("шесть-один", "named once", "never described", "no source has rules", "шеш-беш"):
        assert words in str(caught.value)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("lng", "did you mean 'long'?"),
        ("Short", "did you mean 'short'?"),
        ("backgamon", "nackgammon"),
        ("xyz", "known are long, long_fnr"),
        (5, "expected the name of a variant, got 5"),
        (None, "got None"),
        (["long"], "got ['long']"),
    ],
)
def test_unknown_names(name, words):
    with pytest.raises(UnknownVariant) as caught:
        variant(name)
    assert words in str(caught.value)
    with pytest.raises(UnknownVariant):
        nardy.Position.start(name)
    with pytest.raises(UnknownVariant):
        nardy.batch.start(name)


def test_replace_leaves_the_preset_alone():
    long = variant("long")
    house = long.replace(block="never", head_limit=0)
    assert (house.block, house.head_limit) == ("never", 0)
    assert (long.block, long.head_limit) == ("ahead", 1)
    assert house != long
    assert house.replace(block="ahead", head_limit=1) == long


def test_rules_are_values():
    for rules in nardy.VARIANTS.values():
        for again in (
            copy.copy(rules),
            copy.deepcopy(rules),
            pickle.loads(pickle.dumps(rules)),
            Rules(**rules.asdict()),
            rules.replace(),
        ):
            assert again == rules
            assert hash(again) == hash(rules)
        assert rules == rules.replace(title="other")
        assert rules != rules.name
    assert len(set(nardy.VARIANTS.values())) == len(nardy.VARIANTS)


def test_rules_cannot_be_changed():
    rules = variant("long")
    with pytest.raises(AttributeError):
        rules.block = "never"
    with pytest.raises(TypeError):
        rules.start[24] = 3
    with pytest.raises(AttributeError):
        rules.__init__("other", start=RACE)
    with pytest.raises(AttributeError, match="no field 'blok'"):
        _ = rules.blok
    rules.asdict()["start"][24] = 3
    assert rules.start == {24: 15}


def test_numbers_of_numpy_are_numbers():
    rules = Rules("x", start={np.int8(6): np.int64(3)}, points=np.array([1, 2, 3]))
    assert rules.start == RACE
    assert rules.points == (1, 2, 3)
    assert all(type(part) is int for part in rules.points)
