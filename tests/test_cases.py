"""Data from outside, through the public calls: rule cases, and turns that other programs agree on.

tests/test_reference.py holds the judge to the same data.
"""

import hashlib
import json
from pathlib import Path

import numpy as np
import pytest
import reference as ref
from pairs import build
from test_reference import (
    RULE_CASES,
    after_text,
    cascade,
    case_rules,
    decode_id,
    encode_id,
    long_turns,
    of_the_rules,
    own_text,
    per_variant,
    sides_of,
)

from nardy import Position, batch
from nardy.variants import VARIANTS

CASES = Path(__file__).parent / "cases"


def listed(rules, board, dice, **stage):
    """The boards that `batch.plays` lists, as tuples; each once."""
    offsets, after = batch.plays(rules, np.array(board, np.int8), tuple(dice), **stage)
    rows = list(map(tuple, after.tolist()))
    assert offsets.tolist() == [0, len(rows)]
    assert len(set(rows)) == len(rows)
    return set(rows)


@pytest.mark.parametrize(("name", "case"), per_variant("play_cases"))
def test_play_case(name, case):
    theirs = case_rules(name, case)
    rules = build(theirs)
    board = ref.parse(theirs, case["x"], case["o"])
    stage, dice, expect = {}, case.get("dice"), case["expect"]
    if "step" in case:
        dice, stage["steps"] = case["step"][:2], len(case["step"])
    if "head_used" in case:
        stage["head_used"] = case["head_used"]
    plays = listed(rules, board, dice, **stage)
    if "results" in expect:
        assert plays == {after_text(theirs, case, text) for text in expect["results"]}
    if "count" in expect:
        assert len(plays) == expect["count"]
    assert {after_text(theirs, case, text) for text in expect.get("includes", [])} <= plays
    own_sides = {own_text(one) for one in plays}
    for text in expect.get("excludes", []):
        assert own_text(ref.parse(theirs, text, "")) not in own_sides
    position = Position(rules, np.array(board, np.int8))
    as_objects = position.plays(*dice, **stage)
    assert {tuple(play.after.tolist()) for play in as_objects} == plays
    if "dice_used" in expect:
        longest = max(len(play.steps) for play in as_objects)
        # 5:1 with 5-1 is borne off by one die or by both; the count of the case is the most.
        assert longest in (expect["dice_used"], min(expect["dice_used"], sum_checkers(board)))


def sum_checkers(board):
    """Own checkers in play."""
    return sum(n for n in board[1:26] if n > 0)


@pytest.mark.parametrize(("name", "case"), per_variant("start_cases"))
def test_start_case(name, case):
    board = batch.start(VARIANTS[name])[0]
    assert tuple(board.tolist()) == ref.parse(ref.PRESETS[name], case["x"], case["o"])
    assert Position.start(name).pip_count() == (case["pips_x"], case["pips_x"])


@pytest.mark.parametrize(("name", "case"), of_the_rules(per_variant("score_cases")))
def test_score_case(name, case):
    theirs = case_rules(name, case)
    rules = build(theirs)
    enemy = f"off:{ref.checkers(theirs)}"
    board = np.array(ref.parse(theirs, case["loser"], enemy), np.int8)
    over, winner, kind, points = Position(rules, board).status()
    assert (over, winner) == (True, 1)
    assert points * case.get("cube", 1) == case["points"]
    names = {"oin": 1, "mars": 2, "koks": 3, "home_mars": 3}
    assert kind == names[case["kind"]]


@pytest.mark.parametrize(("name", "case"), per_variant("gulbar_turn_cases"))
def test_gulbar_turn(name, case, monkeypatch):
    """Whole cascades and remainders, each stage listed by the kernel."""
    theirs = case_rules(name, case)
    rules = build(theirs)

    def plays(_, board, dice, steps=None, head_used=0, exception=True):
        stage = {"steps": steps, "head_used": head_used, "exception": exception}
        return listed(rules, board, dice, **stage)

    monkeypatch.setattr(ref, "plays", plays)
    board = ref.parse(theirs, case["x"], case["o"])
    after = ref.parse(theirs, case["x_after"], case["o"])
    d, e = case["roll"]
    if d != e:
        assert plays(theirs, board, (d, e)) == {after}
        return
    ways = cascade(theirs, board, [(s, theirs["cascade"]) for s in range(d, 7)], True)
    assert {(one, left) for one, _, left in ways} == {(after, tuple(case["remainder"]))}
    if "opp_before" in case:
        left = case["remainder"]
        stages = [(s, left.count(s)) for s in sorted(set(left))]
        ways = cascade(theirs, ref.flip(theirs, after), stages, False)
        expected = ref.parse(theirs, case["opp_after"], case["x_after"], True)
        assert {(one, left) for one, _, left in ways} == {(expected, tuple(case["lost"]))}


def test_long_turns():
    """2,124 turns of long nardy on which four outside programs agree."""
    turns = long_turns()
    assert len(turns) == 2_124
    for turn in turns:
        me, opp = ([int(n, 16) for n in turn[side]] for side in ("me", "opp"))
        board = [0] * 32
        for i, n in enumerate(me):
            board[24 - i] += n
        for i, n in enumerate(opp):
            board[ref.FACING["parallel"][24 - i]] -= n
        board[0], board[27] = 15 - sum(me), sum(opp) - 15
        for name, key in (("long_fsnr", "finals"), ("long", "fnr_finals")):
            finals = turn.get(key, turn["finals"])
            plays = listed(VARIANTS[name], board, turn["dice"])
            texts = {"".join(f"{max(0, one[24 - i]):x}" for i in range(24)) for one in plays}
            assert texts == set(finals), (turn["id"], name)
            assert len(plays) == len(finals)


def test_backgammon_turns():
    """203 turns on which GNU Backgammon agrees, by position ID."""
    entries = json.loads((CASES / "backgammon_turns.json").read_text())["entries"]
    assert len(entries) == 203
    theirs = ref.rules("short")
    for entry in entries:
        opp, me = decode_id(entry["position_id"])
        own, other = (
            " ".join(f"{i + 1 if i < 24 else 'bar'}:{n}" for i, n in enumerate(side) if n)
            for side in (me, opp)
        )
        board = ref.parse(theirs, own, other, other_in_own_numbers=True)
        plays = listed(VARIANTS["short"], board, entry["dice"])
        ids = sorted(encode_id(*sides_of(theirs, one)) for one in plays)
        assert len(ids) == entry["n_results"]
        assert hashlib.sha256("\n".join(ids).encode()).hexdigest()[:16] == entry["sha256_16"]
        assert ids == sorted(entry.get("results", ids))


def test_all_kinds_of_cases_are_here():
    """What the rules core answers is tested above; the rest is of games and matches."""
    assert set(RULE_CASES) - {"version"} == {
        "play_cases", "start_cases", "gulbar_turn_cases", "score_cases", "draw_cases",
        "opening_cases", "cube_cases", "match_cases",
    }  # fmt: skip
