"""Every field and every value has its sentence, and each game says what is true of it."""

import pytest

from nardy import VARIANTS, variant
from nardy.sheet import SECTIONS, SENTENCES, rules_sheet
from nardy_core.rules import CHOICES, FIELDS, Rules

SHORT, LONG = variant("short"), variant("long")

UNUSED = {
    "head_limit": SHORT,
    "head_exception": LONG.replace(head_limit=0, head_exception="none"),
    "block": SHORT,
    "block_check": LONG.replace(block="free"),
    "hitter": LONG,
    "remainder": LONG,
}
"""For every field that has no meaning in some games: such a game."""


def where_it_applies(field, value):
    """Rules in which this value of the field has a meaning."""
    if field == "hitter":
        return SHORT.replace(hitter=value)
    if field == "remainder":
        return LONG.replace(cascade=2, remainder=value)
    if field in ("head_limit", "head_exception", "block", "block_check"):
        return LONG.replace(**({"head_exception": "none"} | {field: value}))
    if field == "travel":
        return {"contrary": SHORT, "parallel": LONG}[value]
    if field == "contact":
        return {"hit": SHORT, "block": LONG}[value]
    return SHORT.replace(**{field: value})


LISTED = [(field, value) for field, words in SENTENCES.items() for value in words]


@pytest.mark.parametrize(("field", "value"), LISTED)
def test_each_value_has_its_own_sentence(field, value):
    sheet = rules_sheet(where_it_applies(field, value))
    assert SENTENCES[field][value] in sheet
    for other, sentence in SENTENCES[field].items():
        assert other == value or f"- {sentence}\n" not in sheet


def test_every_listed_value_has_a_sentence():
    for field, values in CHOICES.items():
        assert set(SENTENCES[field]) == set(values)
    for field in ("must_bear_off", "cube"):
        assert set(SENTENCES[field]) == {False, True}
    assert set(SENTENCES["draw_points"]) == {0, 0.5, 1}
    assert set(SENTENCES["head_limit"]) == {0, 1}


def test_every_field_has_a_sentence():
    numbers = {"start", "max_per_point", "cascade", "points", "home_mars"}
    assert set(SENTENCES) | numbers | {"name", "title", "source"} == set(FIELDS)
    assert sum(map(len, SECTIONS.values())) == len(SENTENCES) + len(numbers)


@pytest.mark.parametrize("field", UNUSED)
def test_fields_without_meaning_are_left_out(field):
    sheet = rules_sheet(UNUSED[field])
    assert not [sentence for sentence in SENTENCES[field].values() if sentence in sheet]


def test_head_exception_needs_the_head():
    spread = LONG.replace(start={24: 14, 23: 1})
    assert SENTENCES["head_exception"]["fnr"] not in rules_sheet(spread)
    assert SENTENCES["head_limit"][1] in rules_sheet(spread)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"max_per_point": 0}, "Any number of own checkers may stand on one point."),
        ({"max_per_point": 5}, "A step may not bring more than 5 checkers to one point."),
        ({"points": (1, 2, 3)}, "(none off, and one on the bar or in the winner's home) 3 points"),
        ({"points": (2, 0, 0)}, "A win is worth 2 points; mars and koks not counted apart."),
        ({"points": (1, 0, 3)}, "3 points; mars not counted apart."),
        ({"home_mars": 3}, "are home and none is off, the win is worth 3 points."),
        ({"home_mars": 1}, "the win is worth 1 point."),
        ({"start": {6: 1, 25: 2}}, "Each player has 3 checkers: 2 on the bar, 1 on point 6."),
        ({"start": {6: 1}}, "Each player has 1 checker: 1 on point 6."),
        ({"start": {6: 1, 0: 4}}, "Each player has 5 checkers: 1 on point 6, 4 off."),
    ],
)
def test_numbers(changes, sentence):
    assert sentence in rules_sheet(SHORT.replace(**changes))


@pytest.mark.parametrize(
    ("steps", "words"), [(1, "1 step with"), (2, "2 steps with"), (4, "4 steps with")]
)
def test_cascade(steps, words):
    assert f"A double is a cascade: {words}" in rules_sheet(LONG.replace(cascade=steps))


STATEMENTS = {
    "long": ("3-3, 4-4 or 6-6, if no enemy", "ahead of them", "mars (the loser has"),
    "long_fnr": ("the game is drawn and each scores half a point", "in turns, game by game"),
    "long_fsnr": ("with 3-3, 4-4 or 6-6.\n", "the win is worth 3 points"),
    "long_sport": ("plays these two dice as the first turn", "A doubling cube is used"),
    "nardegammon": ("plays these two dice as the first turn", "A doubling cube is used"),
    "short": ("2 on point 24, 5 on point 13, 3 on point 8, 5 on point 6", "koks (none off"),
    "nackgammon": ("2 on point 24, 2 on point 23, 4 on point 13, 3 on point 8, 4 on point 6",),
    "tavla": ("stays there for the rest of", "the next step must", "There is no doubling cube"),
    "caucasian": ("stays there for the rest of", "Steps inside home are free", "koks (none off"),
    "old_english": ("Any part of the roll", "more than 5 checkers", "A win is worth 1 point; mars"),
    "mad_gulbar": ("2 steps with its number", "the opponent plays with his own checkers"),
}


def test_every_game_has_statements():
    assert set(STATEMENTS) == set(VARIANTS)


@pytest.mark.parametrize("name", VARIANTS)
def test_sheet_of_every_game(name):
    rules = VARIANTS[name]
    sheet = rules_sheet(rules)
    assert sheet.splitlines()[:2] == [f"{rules.title} ({name})", f"Source: {rules.source}"]
    for statement in STATEMENTS[name]:
        assert statement in sheet
    assert ("hits" in sheet or "is hit and" in sheet) == (rules.contact == "hit")
    assert ("Nothing is hit" in sheet) == (rules.contact == "block")
    assert sheet.endswith(".\n")


def test_house_rules_stand_in_the_title():
    sheet = rules_sheet(LONG.replace(block="never"))
    assert sheet.startswith("Long nardy (long[block=never])\n")


def test_game_without_title_or_source():
    sheet = rules_sheet(Rules("race", start={6: 3}))
    assert sheet.startswith("race\n\nStart\n")
