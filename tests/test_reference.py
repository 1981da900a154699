"""The plain judge against the rules as data, other programs' results, and a second enumerator."""

from __future__ import annotations

import base64
import hashlib
import json
import random
from pathlib import Path

import pytest
import reference as ref
import yaml

CASES = Path(__file__).parent / "cases"
RULE_CASES = yaml.safe_load((CASES / "rule_cases.yaml").read_text(encoding="utf-8"))
SESSION_SWITCHES = {"cube_limit", "crawford", "jacoby"}


def per_variant(kind: str) -> list:
    """One test parameter per case of a kind and variant it is listed for."""
    found = []
    for case in RULE_CASES[kind]:
        names = list(ref.PRESETS) if case["variants"] == ["all"] else case["variants"]
        found += [pytest.param(name, case, id=f"{case['id']}-{name}") for name in names]
    return found


def case_rules(name: str, case: dict) -> ref.Rules:
    changed = {k: v for k, v in case.get("rules", {}).items() if k not in SESSION_SWITCHES}
    return ref.rules(name, **changed)


def after_text(rules: ref.Rules, case: dict, text: str) -> ref.Board:
    """The board of a result text, "x" or "x | o"."""
    own, _, other = text.partition("|")
    return ref.parse(rules, own, other or case["o"])


def played(rules: ref.Rules, own: str, other: str, *dice: int, **more: object) -> set[str]:
    """The legal plays as texts of the mover's side."""
    board = ref.parse(rules, own, other)
    return {own_text(one) for one in ref.plays(rules, board, dice, **more)}


def own_text(board: ref.Board) -> str:
    places = [(f"{p}", board[p]) for p in range(24, 0, -1)]
    places = [("bar", board[25]), *places, ("off", board[0])]
    return " ".join(f"{place}:{n}" for place, n in places if n > 0)


# The rules as data ---------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "case"), per_variant("play_cases"))
def test_play_case(name, case):
    rules = case_rules(name, case)
    board = ref.parse(rules, case["x"], case["o"])
    assert ref.faults(rules, board) == []
    if "step" in case:
        dice, steps = case["step"][:2], len(case["step"])
    else:
        dice, steps = case["dice"], None
    if "first_turn" in case:
        assert board[24] == ref.checkers(rules)
    asked = (rules, board, dice, steps, case.get("head_used", 0))
    plays, expect = ref.plays(*asked), case["expect"]
    if "dice_used" in expect:
        assert ref.dice_used(*asked) == expect["dice_used"]
    if "results" in expect:
        assert plays == {after_text(rules, case, text) for text in expect["results"]}
    if "count" in expect:
        assert len(plays) == expect["count"]
    assert {after_text(rules, case, text) for text in expect.get("includes", [])} <= plays
    # Compared as own sides: N08 excludes a board on which both sides would hold a point.
    own_sides = {own_text(one) for one in plays}
    for text in expect.get("excludes", []):
        assert own_text(ref.parse(rules, text, "")) not in own_sides


@pytest.mark.parametrize(("name", "case"), per_variant("start_cases"))
def test_start_case(name, case):
    rules = case_rules(name, case)
    board = ref.start(rules)
    assert board == ref.parse(rules, case["x"], case["o"])
    assert sum(p * board[p] for p in range(1, 26) if board[p] > 0) == case["pips_x"]


def cascade(rules, board, stages, exception):
    """Every way to play stages: {(board, dice played, dice left over)} (9.2 to 9.4)."""
    found, open_ways = set(), {(board, ())}
    for i, (d, steps) in enumerate(stages):
        onward = set()
        for here, done in open_ways:
            first = exception and i == 0
            asked = (rules, here, (d, d), steps, board[24] - here[24], first)
            m = ref.dice_used(*asked)
            left = (d,) * (steps - m) + tuple(e for e, n in stages[i + 1 :] for _ in range(n))
            for after in ref.plays(*asked):
                whole = done + (d,) * m
                if m == steps:
                    onward.add((after, whole))
                else:
                    found.add((after, whole, () if ref.finished(rules, after) else left))
        open_ways = onward
    return found | {(here, done, ()) for here, done in open_ways}


@pytest.mark.parametrize(("name", "case"), per_variant("gulbar_turn_cases"))
def test_gulbar_turn(name, case):
    rules = case_rules(name, case)
    board = ref.parse(rules, case["x"], case["o"])
    d, e = case["roll"]
    after = ref.parse(rules, case["x_after"], case["o"])
    if d != e:
        assert ref.plays(rules, board, (d, e)) == {after}
        assert ref.dice_used(rules, board, (d, e)) == len(case["played"])
        return
    ways = cascade(rules, board, [(s, rules["cascade"]) for s in range(d, 7)], True)
    assert ways == {(after, tuple(case["played"]), tuple(case["remainder"]))}
    if "opp_before" not in case:
        return
    theirs = ref.flip(rules, after)
    assert theirs == ref.parse(rules, case["opp_before"], case["x_after"], True)
    remainder = case["remainder"]
    stages = [(s, remainder.count(s)) for s in sorted(set(remainder))]
    opp_played = tuple(case.get("opp_played", remainder))
    opp_after = ref.parse(rules, case["opp_after"], case["x_after"], True)
    expected = (opp_after, opp_played, tuple(case["lost"]))
    assert cascade(rules, theirs, stages, False) == {expected}


def of_the_rules(cases: list) -> list:
    """Leave out Jacoby, which is a switch of a session and no field of the rules."""
    return [case for case in cases if not case.values[1].get("rules", {}).get("jacoby")]


@pytest.mark.parametrize(("name", "case"), of_the_rules(per_variant("score_cases")))
def test_score_case(name, case):
    rules = case_rules(name, case)
    loser = ref.parse(rules, case["loser"], "off:15")
    kind, points = ref.outcome(rules, loser)
    assert kind == {"oin": 1, "mars": 2, "koks": 3, "home_mars": 3}[case["kind"]]
    assert points * case.get("cube", 1) == case["points"]


def last_turns(rules, white, black, first_roll, reply):
    """A game of two turns: white, the first mover, rolls, then black if the game goes on."""
    board = ref.parse(rules, white, black, True)
    (after,) = ref.plays(rules, board, first_roll)
    events = [("roll", 0, first_roll, None, board, after)]
    if reply:
        theirs = ref.flip(rules, after)
        (end,) = ref.plays_any(rules, theirs, reply)
        events.append(("roll", 1, reply, None, theirs, end))
    return ref.check_game(rules, board, events)


def test_draw_cases():
    game = {c["id"]: ref.rules("long", **c["rules"]) for c in RULE_CASES["draw_cases"]}
    white = "1:1"
    assert last_turns(game["D01"], white, "1:2", (6, 5), None) == (0, 1, 1)
    assert last_turns(game["D02"], white, "1:2", (6, 5), (6, 5)) == (-1, 0, 2)
    assert last_turns(game["D04"], white, "6:2", (6, 5), (5, 4)) == (0, 1, 2)
    with pytest.raises(AssertionError, match="events follow"):
        last_turns(game["D01"], white, "1:2", (6, 5), (6, 5))
    with pytest.raises(AssertionError, match="expected a roll of player 1"):
        last_turns(game["D02"], white, "1:2", (6, 5), None)


def test_extra_turn_comes_before_the_score():
    rules = ref.rules("long_fnr")
    # All fifteen still there: the extra turn bears some off, or does not.
    assert last_turns(rules, "1:1", "6:14 1:1", (6, 5), (6, 6)) == (0, 1, 2)
    assert last_turns(rules, "1:1", "24:14 6:1", (6, 5), (6, 6)) == (0, 2, 2)


# Other programs' results ---------------------------------------------------------------------


def long_turns() -> list[dict]:
    lines = (CASES / "long_nardy_turns.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines[1:]]


def test_long_turns():
    turns = long_turns()
    assert len(turns) == 2124
    by_name = {name: ref.rules(name) for name in ("long_fsnr", "long")}
    rules = by_name["long"]
    for turn in turns:
        me, opp = ([int(c, 16) for c in turn[side]] for side in ("me", "opp"))

        def board(mine, opp=opp):
            after = [0] * ref.WIDTH
            for i in range(24):
                after[24 - i] += mine[i]
                after[ref.facing(rules, 24 - i)] -= opp[i]
            after[0], after[27] = 15 - sum(mine), sum(opp) - 15
            return tuple(after)

        before, dice = board(me), turn["dice"]
        finals = {
            "long_fsnr": turn["finals"],
            "long": turn.get("fnr_finals", turn["finals"]),
        }
        for name, texts in finals.items():
            assert ref.faults(by_name[name], before) == [], turn["id"]
            expected = {board([int(c, 16) for c in text]) for text in texts}
            assert ref.plays(by_name[name], before, dice) == expected, (turn["id"], name)
        assert len(turn["finals"]) == turn["n"]
        assert ref.dice_used(by_name["long_fsnr"], before, dice) == turn["played"], turn["id"]


def decode_id(text: str) -> tuple[list[int], list[int]]:
    """A gnubg position ID: two sides as own points 1..24 and the bar, in the ID's order."""
    bits = iter(
        byte >> i & 1 for byte in base64.b64decode(text + "==", validate=True) for i in range(8)
    )
    sides = ([0] * 25, [0] * 25)
    for side in sides:
        for i in range(25):
            while next(bits):
                side[i] += 1
    return sides


def encode_id(first: list[int], second: list[int]) -> str:
    bits = [b for side in (first, second) for n in side for b in [1] * n + [0]]
    bits += [0] * (80 - len(bits))
    value = sum(b << i for i, b in enumerate(bits))
    return base64.b64encode(value.to_bytes(10, "little")).decode()[:14]


def sides_of(rules: ref.Rules, board: ref.Board) -> tuple[list[int], list[int]]:
    """(the mover's, the opponent's) points 1..24 and bar, each in own numbers."""
    other = ref.flip(rules, board)
    return tuple([max(0, b[p]) for p in range(1, 26)] for b in (board, other))


def test_backgammon_turns():
    rules = ref.rules("short")
    entries = json.loads((CASES / "backgammon_turns.json").read_text())["entries"]
    for entry in entries:
        opp, me = decode_id(entry["position_id"])
        assert encode_id(opp, me) == entry["position_id"]
        texts = [
            " ".join(f"{i + 1 if i < 24 else 'bar'}:{n}" for i, n in enumerate(side) if n)
            for side in (me, opp)
        ]
        board = ref.parse(rules, *texts, other_in_own_numbers=True)
        assert ref.faults(rules, board) == []
        plays, m = ref.legal_plays(rules, board, entry["dice"])
        results = sorted(encode_id(*sides_of(rules, one)) for one in plays)
        digest = hashlib.sha256("\n".join(results).encode()).hexdigest()[:16]
        assert results == entry.get("results", results), entry
        assert len(results) == entry["n_results"], entry
        assert digest == entry["sha256_16"], entry
        assert m == entry["dice_used"], entry
    assert len(entries) == 203


PERFT = json.loads((CASES / "perft_counts.json").read_text())["variants"]
PERFT_RULES = {
    "backgammon": ref.rules("short"),
    "nackgammon": ref.rules("nackgammon"),
    "hypergammon_3": ref.rules("short", start={24: 1, 23: 1, 22: 1}),
}


@pytest.mark.parametrize("name", list(PERFT))
def test_perft_of_one_turn(name):
    rules, counts = PERFT_RULES[name], PERFT[name]
    board = ref.start(rules)
    per_roll = {f"{d}{e}": len(ref.plays(rules, board, (d, e))) for d, e in ref.ROLLS}
    assert per_roll == counts["per_roll"]
    assert ref.perft(rules, board, 1) == counts["perft1_all_21_rolls"]


def test_perft_of_two_turns():
    rules = PERFT_RULES["hypergammon_3"]
    assert ref.perft(rules, ref.start(rules), 2) == PERFT["hypergammon_3"]["perft2"]
    rules = PERFT_RULES["backgammon"]
    assert ref.perft(rules, ref.start(rules), 2) == PERFT["backgammon"]["perft2"]
    rules = ref.rules("long")
    board = ref.start(rules)
    assert [ref.perft(rules, board, depth) for depth in (0, 1, 2)] == [1, 22, 484]


# A second enumerator: every checker has a name, every sequence of steps is walked -------------


def walk(rules, board, roll, head_left):
    """{(dice used, first die, board)} of all step sequences, block_check=turn not yet applied.

    Written the other way round from the judge: one list of checkers with their own point, whether
    they have hit and whether they are frozen, and plain recursion over the sequences.
    """
    found = set()

    def blocked(mine, theirs):
        """4.4, read off for every window of six points."""
        if rules["block"] == "free":
            return False
        held = {ref.facing(rules, p) for p, _, _ in mine if 1 <= p <= 24}
        enemy = [ref.facing(rules, p) for p, n in theirs.items() for _ in range(n) if 1 <= p <= 24]
        off = theirs.get(0, 0)
        for low in range(1, 20):
            if not all(q in held for q in range(low, low + 6)):
                continue
            if rules["block"] == "never":
                return True
            limit = 6 if rules["block"] == "home" else low
            if not off and not any(q <= limit for q in enemy):
                return True
        return False

    def options(mine, theirs, dice, head_left):
        for die in sorted(set(dice)):
            for i, (p, has_hit, frozen) in enumerate(mine):
                if p == 0 or frozen or (p != 25 and any(c[0] == 25 for c in mine)):
                    continue
                if p == 24 and head_left == 0:
                    continue
                q = max(0, p - die)
                if q == 0:
                    if any(c[0] > 6 for c in mine):
                        continue
                    if p < die and any(c[0] > p for c in mine):
                        continue
                own_there = sum(c[0] == q for c in mine) if q else 0
                enemy_there = theirs.get(q, 0) if q else 0
                if enemy_there >= (2 if rules["contact"] == "hit" else 1):
                    continue
                if rules["max_per_point"] and own_there >= rules["max_per_point"]:
                    continue
                if rules["hitter"] == "no_shelter" and has_hit and own_there:
                    continue
                hit = enemy_there == 1
                stays = rules["hitter"] == "stays_home" and hit and q <= 6
                after = [*mine[:i], (q, has_hit or hit, stays), *mine[i + 1 :]]
                enemies = dict(theirs)
                if hit:
                    enemies[q] -= 1
                    enemies[26] = enemies.get(26, 0) + 1
                if rules["block_check"] == "step" and blocked(after, enemies):
                    continue
                rest = list(dice)
                rest.remove(die)
                yield die, q == 0, after, enemies, rest, head_left - (p == 24)

    def go(mine, theirs, dice, head_left, used, first):
        if used:
            out = [0] * 32
            for p, _, _ in mine:
                out[p] += 1
            for p, n in theirs.items():
                out[p if p else 27] -= n
            if rules["block_check"] == "step" or not blocked(mine, theirs):
                found.add((used, first, tuple(out)))
        ways = list(options(mine, theirs, dice, head_left))
        if rules["must_bear_off"] and any(way[1] for way in ways):
            ways = [way for way in ways if way[1]]
        for die, _, after, enemies, rest, left in ways:
            go(after, enemies, rest, left, used + 1, first or die)

    mine = [(p, False, False) for p in range(26) for _ in range(max(0, board[p]))]
    theirs = {p: -board[p] for p in range(1, 27) if board[p] < 0}
    theirs[0] = -board[27]
    go(mine, theirs, roll, head_left, 0, 0)
    return found


def walked_plays(rules, board, dice):
    """The legal plays and m by `walk` (3.4)."""
    d, e = dice
    roll = [d] * (rules["cascade"] or 4) if d == e else [d, e]
    found = walk(rules, board, roll, rules["head_limit"] or 1000)
    m = max((used for used, _, _ in found), default=0)
    if m == 0:
        return {board}, 0
    if rules["use_dice"] == "some":
        return {b for _, _, b in found}, m
    longest = {(first, b) for used, first, b in found if used == m}
    if m == 1 and any(first == max(dice) for first, _ in longest):
        longest = {(first, b) for first, b in longest if first == max(dice)}
    return {b for _, b in longest}, m


def scatter(rules, rand, n):
    """A random board of n checkers a side, often crowded into few points, legal or not."""
    board = [0] * 32
    span = rand.choice([6, 8, 12, 24])
    near_block = rules["block"] != "free" and rand.random() < 0.6 and n >= 6
    if near_block:  # own checkers one to a point, among eight points in a row
        first = rand.randint(0, 23)
        for i in rand.sample(range(8), n):
            board[(first + i) % 24 + 1] = 1
        free = [p for p in range(1, 25) if not board[p]]
        targets = rand.sample(free, rand.choice([1, 2]))  # the enemy on one point or two
        for _ in range(n):
            board[rand.choice(targets)] -= 1
        return tuple(board)
    for side in (1, -1):
        for _ in range(n):
            r = rand.random()
            if r < 0.08 and rules["contact"] == "hit":
                board[25 if side > 0 else 26] += side
            elif r < 0.2:
                board[0 if side > 0 else 27] += side
            else:
                far = rand.randint(1, span)
                p = far if side > 0 or rand.random() < 0.7 else ref.facing(rules, far)
                while board[p] * side < 0:
                    p = p % 24 + 1
                board[p] += side
    return tuple(board)


def random_rules(rand, n):
    short = rand.random() < 0.5
    base = {"start": {24: n}, "use_dice": rand.choice(["max", "max", "some"])}
    base["must_bear_off"] = rand.random() < 0.3
    base["max_per_point"] = rand.choice([0, 0, 2, 3])
    base["travel"] = rand.choice(["contrary", "parallel"])
    if short:
        base["hitter"] = rand.choice(["free", "stays_home", "no_shelter"])
        return ref.rules("short", **base)
    base["head_limit"] = rand.choice([0, 1])
    base["block"] = rand.choice(["free", "ahead", "home", "never"])
    base["block_check"] = rand.choice(["step", "turn"])
    base["head_exception"] = "none"
    if base["use_dice"] == "max":
        base["cascade"] = rand.choice([0, 0, 2, 3])
    return ref.rules("long", **base)


@pytest.mark.parametrize("seed", range(12))
def test_against_a_second_enumerator(seed):
    rand = random.Random(seed)
    compared = 0
    while compared < 150:
        n = rand.choice([2, 3, 4, 5, 7, 7])
        rules = random_rules(rand, n)
        board = scatter(rules, rand, n)
        if ref.faults(rules, board) or ref.finished(rules, board):
            continue
        dice = (rand.randint(1, 6), rand.randint(1, 6))
        expected = walked_plays(rules, board, dice)
        assert ref.legal_plays(rules, board, dice) == expected, (rules, board, dice)
        compared += 1


# Tricky things, one by one -------------------------------------------------------------------


def test_facing_and_flip():
    for name, rules in ref.PRESETS.items():
        assert ref.faults(rules, ref.start(rules)) == [], name
        assert ref.flip(rules, ref.start(rules)) == ref.start(rules)
        for p in range(1, 25):
            assert ref.facing(rules, ref.facing(rules, p)) == p
    long, short = ref.rules("long"), ref.rules("short")
    assert [ref.facing(long, p) for p in (24, 12, 13, 1)] == [12, 24, 1, 13]
    assert [ref.facing(short, p) for p in (24, 1, 12, 13)] == [1, 24, 13, 12]
    board = ref.parse(short, "23:1 bar:2", "1:3 bar:1 off:4", True)
    assert (board[25], board[26], board[27], board[24]) == (2, -1, -4, -3)
    assert ref.flip(short, ref.flip(short, board)) == board


def test_presets_have_every_field():
    assert len(ref.PRESETS) == 11
    for name, rules in ref.PRESETS.items():
        assert set(rules) == set(ref.DEFAULTS)
        assert rules["name"] == name
    with pytest.raises(ValueError, match="no such field"):
        ref.rules("long", blocks="never")


def test_faults():
    long, short = ref.rules("long"), ref.rules("short")
    good = ref.start(long)

    def changed(board, **entries):
        board = list(board)
        for key, value in entries.items():
            board[int(key[1:])] = value
        return tuple(board)

    assert ref.faults(long, good[:31])
    assert ref.faults(long, changed(good, _28=1))
    assert ref.faults(long, changed(good, _24=14))
    assert ref.faults(long, changed(good, _12=-14))
    assert ref.faults(long, changed(good, _24=14, _25=1))
    assert ref.faults(long, changed(good, _12=-14, _26=-1))
    assert not ref.faults(long, changed(good, _24=14, _0=1))
    assert ref.faults(short, changed(ref.start(short), _0=-1, _25=1))
    assert ref.faults(ref.rules("old_english"), ref.parse(short, "6:6", ""))
    both_off = ref.parse(long, "", "")
    assert ref.faults(long, both_off)
    assert not ref.faults(ref.rules("long_fnr"), both_off)
    block = "11:1 10:1 9:1 8:1 7:1 6:1 2:9"
    assert ref.faults(long, ref.parse(long, block, "12:15"))
    assert ref.faults(long, ref.flip(long, ref.parse(long, block, "12:15")))
    assert ref.faults(ref.rules("long", block_check="turn"), ref.parse(long, block, "12:15"))
    assert not ref.faults(long, ref.parse(long, block, "12:14 5:1"))
    assert not ref.faults(long, ref.parse(long, block, "12:14"))  # one off is ahead
    assert ref.faults(ref.rules("long", block="never"), ref.parse(long, block, "12:14"))


def test_block_wraps_the_movers_border_only():
    rules = ref.rules("long")
    assert ref.has_illegal_block(rules, ref.parse(rules, "3:1 2:1 1:1 24:1 23:1 22:1", "12:15"))
    across = ref.parse(rules, "16:1 15:1 14:1 13:1 11:1 10:1 9:1", "12:15")
    assert not ref.has_illegal_block(rules, across)
    contrary = ref.rules("long", travel="contrary")
    across = ref.parse(contrary, "16:1 15:1 14:1 13:1 12:1 11:1", "10:15")
    assert ref.has_illegal_block(contrary, across)  # his 9..14, his own men all on his 15
    assert not ref.has_illegal_block(contrary, ref.parse(contrary, own_text(across), "17:15"))
    # Two blocks, an enemy between them: the lower one is illegal.
    two = "11:1 10:1 9:1 8:1 7:1 6:1 4:1 3:1 2:1 1:1 24:1 23:1"
    assert ref.has_illegal_block(rules, ref.parse(rules, two, "5:1 12:14"))
    assert not ref.has_illegal_block(rules, ref.parse(rules, two, "20:1 12:14"))


def test_head_exception():
    def count(name, dice, own="24:15", other="12:15", **more):
        rules = ref.rules("long", head_exception=name)
        board = ref.parse(rules, own, other)
        return max(board[24] - one[24] for one in ref.plays(rules, board, dice, **more))

    held = {"own": "24:15", "other": "18:1 12:14"}
    assert count("fnr", (6, 6)) == 2
    assert count("fnr", (6, 6), **held) == 0
    assert count("fnr", (3, 3), other="12:14 15:1") == 1
    assert count("listed", (3, 3), other="12:14 15:1") == 2
    assert count("listed", (2, 2)) == 1
    assert count("any_double", (2, 2)) == 2
    assert count("any_double", (2, 2), exception=False) == 1
    assert count("any_double", (2, 2), own="24:14 20:1") == 1
    assert count("every_double", (2, 2), own="24:14 20:1") == 2
    assert count("every_double", (2, 2), own="24:14 20:1", exception=False) == 1
    assert count("every_double", (2, 2), own="24:14 20:1", head_used=1) == 1
    assert count("every_double", (2, 2), own="24:14 20:1", head_used=3) == 0
    assert count("every_double", (2, 1), own="24:14 20:1") == 1
    assert count("stuck", (2, 2)) == 1
    assert count("stuck", (4, 4)) == 2
    # Never where the start has checkers off the head.
    rules = ref.rules("long", start={24: 14, 20: 1}, head_exception="every_double")
    assert played(rules, "24:15", "12:15", 6, 6) == {"24:14 18:1"}
    # In a cascade the runner's landings are those of the first stage, whatever `steps` says.
    gulbar = ref.rules("mad_gulbar")
    ahead = "12:14 15:1"  # third landing of 3-3
    assert played(gulbar, "24:15", ahead, 3, 3) == {"24:14 18:1", "24:13 21:2"}
    assert played(gulbar, "24:15", ahead, 3, 3, steps=1) == {"24:14 21:1"}
    assert played(gulbar, "24:15", "12:15", 6, 6) == {"24:13 18:2"}
    assert played(gulbar, "24:15", "12:15", 6, 6, exception=False) == {"24:14 18:1"}
    assert played(gulbar, "24:14 18:1", "12:15", 6, 6, head_used=1) == {"24:14 18:1"}


def test_bearing_off():
    short, tavla = ref.rules("short"), ref.rules("tavla")
    far = "24:15"
    assert played(short, "6:1", far, 2, 1) == {"3:1 off:14"}
    assert played(short, "5:1 2:1", far, 3, 3) == {"off:15"}
    # The three must come from the five; its landing is closed, so nothing lower goes.
    assert played(short, "5:1 1:1", "2:2 24:13", 3, 3) == {"5:1 1:1 off:13"}
    assert played(short, "7:1 1:1", far, 1, 1) == {"4:1 off:14", "3:1 1:1 off:13"}
    assert played(short, "bar:1 1:1", "19:2 18:13", 6, 5) == {"14:1 1:1 off:13"}
    # must_bear_off may cost dice, and leaves a frozen checker alone.
    assert played(tavla, "6:1 5:1", "1:2 24:13", 6, 4) == {"5:1 off:14"}
    assert played(tavla, "6:1 5:1", "3:1 24:14", 3, 3) == {"3:1 2:1 off:13"}
    stopping = ref.rules("tavla", use_dice="some")
    assert played(stopping, "3:1 1:1", far, 5, 2) == {"1:1 off:14", "off:15"}


def test_no_shelter_keeps_hitters_apart():
    rules = ref.rules("short", hitter="no_shelter")
    # The hitter stays on 6 or goes on to 4 when that is empty; its fellow may pass it. It may not
    # join the checker on 4, nor the one on 2.
    men = ("8:2 4:1", "6:1 24:14", 2, 2)
    legal = {"6:1 4:1 2:1 off:12", "6:2 off:13"}
    assert played(rules, *men) == legal
    assert played(ref.rules("short"), *men) == legal | {"4:3 off:12", "8:1 2:2 off:12"}


def test_hits_and_routes():
    rules = ref.rules("short")
    board = ref.parse(rules, "13:1", "9:1 24:14")
    after = ref.plays(rules, board, (4, 3))
    assert {(own_text(one), one[26]) for one in after} == {("6:1 off:14", 0), ("6:1 off:14", -1)}
    assert played(rules, "bar:5 13:10", "19:2 1:13", 6, 6) == {"bar:5 13:10"}
    assert played(rules, "bar:5 13:10", "20:1 1:14", 5, 5) == {"bar:1 20:4 13:10"}


def test_old_english():
    rules = ref.rules("old_english")
    assert played(rules, "13:1", "24:15", 2, 1) == {
        "12:1 off:14",
        "11:1 off:14",
        "10:1 off:14",
    }
    assert played(rules, "bar:6 20:5 1:4", "12:15", 5, 5) == {
        "bar:6 20:5 1:4",
    }


def test_block_check_turn_takes_the_larger_die_of_legal_ends():
    wall = "11:1 5:1 4:1 3:1 2:1 1:10"
    step, turn = ref.rules("long"), ref.rules("long", block_check="turn")
    assert played(step, wall, "12:15", 5, 5) == {wall}
    assert played(turn, wall, "12:15", 5, 5) == {"3:1 2:1 1:11 off:2"}
    # Some steps only: every part whose end is legal, so the one five that builds is left out.
    some = ref.rules("long", block_check="turn", use_dice="some")
    assert wall not in played(some, wall, "12:15", 5, 5)
    assert "6:1 5:1 4:1 3:1 2:1 1:10" not in played(some, wall, "12:15", 5, 5)


def test_finished_boards():
    rules = ref.rules("long_fnr")
    done = ref.parse(rules, "6:2", "")
    assert ref.finished(rules, done)
    assert ref.plays(rules, done, (6, 5)) == {done}
    assert ref.dice_used(rules, done, (6, 5)) == 0
    assert {own_text(one) for one in ref.plays_any(rules, done, (6, 6))} == {"off:15"}
    assert ref.perft(rules, done, 3) == 1


def test_outcomes():
    def kind(name, loser, **changed):
        rules = ref.rules(name, **changed)
        return ref.outcome(rules, ref.parse(rules, loser, ""))

    assert kind("short", "bar:1 6:14") == (3, 3)
    assert kind("short", "19:1 6:14") == (3, 3)
    assert kind("short", "18:1 6:14") == (2, 2)
    assert kind("short", "19:1 6:13") == (1, 1)
    assert kind("tavla", "19:1 6:14") == (2, 2)
    assert kind("old_english", "19:1 6:14") == (1, 1)
    assert kind("short", "19:1 6:14", points=(1, 0, 3)) == (3, 3)
    assert kind("short", "18:1 6:14", points=(1, 0, 3)) == (1, 1)
    assert kind("short", "18:1 6:14", travel="parallel") == (3, 3)
    assert kind("short", "19:1 6:14", travel="parallel") == (2, 2)
    assert kind("long_fsnr", "6:15") == (3, 3)
    assert kind("long_fsnr", "7:1 6:14") == (2, 2)
    assert kind("long_fsnr", "6:14") == (1, 1)
    assert kind("long", "6:15") == (2, 2)


# Whole games ---------------------------------------------------------------------------------


def random_game(rules, seed, silent=False):
    """A random game as events; `silent` leaves stages out of which nothing could be played."""
    rand = random.Random(seed)
    n = ref.checkers(rules)
    board, player, events = ref.start(rules), 0, []
    limit = rules["cascade"] or 4

    def stages(tag, board, todo):
        used_head = 0
        for i, (d, e, steps) in enumerate(todo):
            first = tag == "roll" and i == 0
            legal, m = ref.legal_plays(rules, board, (d, e), steps, used_head, first)
            after = rand.choice(sorted(legal))
            if m or first or not silent:
                events.append((tag, player, (d, e), steps if d == e else None, board, after))
            used_head += board[24] - after[24]
            board = after
            if board[0] == n:
                return board, []
            if d == e and m < steps:
                return board, [(d, d, steps - m), *todo[i + 1 :]]
        return board, []

    def turn(board):
        d, e = rand.randint(1, 6), rand.randint(1, 6)
        if rules["cascade"] and d == e:
            return stages("roll", board, [(s, s, limit) for s in range(d, 7)])
        board, _ = stages("roll", board, [(d, e, limit)])
        return board, []

    while True:
        board, left_over = turn(board)
        if board[0] == n:
            if rules["draw_points"] and player == 0:
                player = 1
                turn(ref.flip(rules, board))
            return events
        player, board = 1 - player, ref.flip(rules, board)
        if rules["remainder"] == "opponent":
            board, _ = stages("remainder", board, left_over)
            if board[0] == n:
                return events


GAMES = {name: ref.rules(name) for name in ref.PRESETS} | {
    "gulbar_4_draw": ref.rules("mad_gulbar", cascade=4, draw_points=1),
    "gulbar_lost": ref.rules("mad_gulbar", remainder="lost", head_exception="every_double"),
    "gulbar_3_checkers": ref.rules("mad_gulbar", start={24: 3}, draw_points=0.5),
}


@pytest.mark.parametrize("name", list(GAMES))
def test_random_games(name):
    rules = GAMES[name]
    for seed in range(40 if rules["start"] == {24: 3} else 2):
        for silent in (False, True):
            events = random_game(rules, seed, silent)
            winner, kind, turns = ref.check_game(rules, ref.start(rules), events)
            assert turns <= len(events)
            assert (winner == -1) == (kind == 0)
        with pytest.raises(AssertionError):
            ref.check_game(rules, ref.start(rules), events[:-1])
        with pytest.raises(AssertionError):
            ref.check_game(rules, ref.start(rules), [*events, events[-1]])
        wrong = list(events)
        wrong[-1] = (*wrong[-1][:5], wrong[-1][4])  # nothing played
        with pytest.raises(AssertionError):
            ref.check_game(rules, ref.start(rules), wrong)


def gulbar_events(rules, board, script):
    """Events of a script of (tag, player, die, steps, text of the own side after it)."""
    events, viewer = [], 0
    for tag, player, dice, steps, text in script:
        if player != viewer:
            board, viewer = ref.flip(rules, board), player
        theirs = own_text(ref.flip(rules, board))
        after = ref.parse(rules, text, theirs, True)
        events.append((tag, player, dice, steps, board, after))
        board = after
    return events


DUEL = ref.rules("mad_gulbar", start={24: 2}, draw_points=1)


def test_cascade_stops_with_the_last_checker():
    board = ref.parse(DUEL, "24:1 1:1", "6:2", True)
    script = [
        ("roll", 0, (2, 1), None, "21:1 1:1"),
        ("roll", 1, (1, 1), 2, "6:1 4:1"),
        ("roll", 1, (2, 2), 2, "6:1"),
        ("roll", 1, (3, 3), 2, ""),
    ]
    assert ref.check_game(DUEL, board, gulbar_events(DUEL, board, script)) == (1, 2, 2)


def test_first_mover_who_finishes_in_a_remainder_wins_at_once():
    board = ref.parse(DUEL, "9:1 1:1", "24:2", True)
    script = [
        ("roll", 0, (2, 1), None, "6:1 1:1"),  # his 18
        ("roll", 1, (6, 6), 2, "24:2"),
        ("remainder", 0, (6, 6), 2, ""),
    ]
    assert ref.check_game(DUEL, board, gulbar_events(DUEL, board, script)) == (0, 2, 2)
    more = [*script, ("roll", 1, (2, 1), None, "24:1 21:1")]
    with pytest.raises(AssertionError, match="events follow"):
        ref.check_game(DUEL, board, gulbar_events(DUEL, board, more))


def test_remainder_of_the_extra_turn_is_void():
    board = ref.parse(DUEL, "1:1", "24:1 2:1", True)
    script = [
        ("roll", 0, (2, 1), None, ""),
        ("roll", 1, (5, 5), 2, "14:1 2:1"),
        ("roll", 1, (6, 6), 2, "2:2"),
    ]
    assert ref.check_game(DUEL, board, gulbar_events(DUEL, board, script)) == (0, 2, 2)
    board = ref.parse(DUEL, "1:1", "24:2", True)
    script = [("roll", 0, (2, 1), None, ""), ("roll", 1, (5, 5), 2, "24:1 14:1")]
    check = gulbar_events(DUEL, board, [*script, ("roll", 1, (6, 6), 2, "24:1 14:1")])
    with pytest.raises(AssertionError, match="legal plays"):
        ref.check_game(DUEL, board, check)


def test_remainder_stages_and_counts():
    rules = ref.rules("mad_gulbar")
    board = ref.parse(rules, "24:1 1:14", "8:1 1:14", True)  # his 8 is my 20
    script = [
        ("roll", 0, (4, 4), 2, "24:1 1:14"),
        ("remainder", 1, (4, 4), 2, "1:14"),
        ("remainder", 1, (5, 5), 2, "1:12"),
        ("remainder", 1, (6, 6), 2, "1:10"),
        ("roll", 1, (2, 1), None, "1:8"),
    ]

    def check(changed):
        return ref.check_game(rules, board, gulbar_events(rules, board, changed))

    with pytest.raises(AssertionError, match="end of the events"):
        check(script)  # all of it legal, but the game goes on
    for at, bad, message in [
        (1, ("roll", 1, (4, 4), 2, "1:14"), "expected remainder of player 1 with"),
        (1, ("remainder", 1, (4, 4), 1, "1:14"), "and 2 steps"),
        (2, ("remainder", 1, (6, 6), 2, "1:12"), "expected remainder of player 1 with"),
        (4, ("remainder", 1, (6, 6), 2, "1:8"), "expected|events follow|legal|roll"),
    ]:
        wrong = [*script[:at], bad, *script[at + 1 :]]
        with pytest.raises(AssertionError, match=message):
            check(wrong)
