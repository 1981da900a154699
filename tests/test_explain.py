"""Why a play is not legal, and what two sets of rules disagree on.

Witnesses: the rule cases, the slow judge (tests/reference.py), and positions worked by hand from
docs/rules.md, whose sections are named.
"""

import copy
import json
import pickle
import random
from collections import Counter
from itertools import islice

import numpy as np
import pytest
import reference as ref
from pairs import build
from positions import GAMES, from_games, set_up
from test_reference import after_text, case_rules, per_variant
from typer.testing import CliRunner

import nardy
from nardy import IllegalPlay, InvalidArgument, InvalidPosition, ParseError, Position, Reason
from nardy.cli.app import app
from nardy.notation import read_rules
from nardy.plays import REASONS, STEP_FAULTS

# ------------------------------------------------------------------ every reason, worked by hand

START = "short 24:2 13:5 8:3 6:5 | 24:2 13:5 8:3 6:5"
LONG = "long 24:15 | 24:15"
WHOLE = None  # no step is at fault, but the play as a whole

WORKED = [
    # reason, position, dice, play, step, points, limit
    ("no_checker", START, (6, 4), "24/20 23/17", (23, 17), (23,), None),
    # 5.2: one has entered, one has not.
    ("bar_first", "short 13:5 bar:2 | 24:2", (5, 4), "bar/20 13/9", (13, 9), (25,), None),
    ("occupied", START, (5, 4), "24/20 24/19", (24, 19), (19,), None),
    # 4.1: a single checker closes a point in long nardy: his 1 is my 13.
    ("occupied", "long 24:1 | 1:1", (6, 5), "24/13", (18, 13), (13,), None),
    # 4.2, 4.3: one checker; two for 3-3 from the full head, and not with 5-5.
    ("head", LONG, (6, 4), "24/18 24/20", (24, 20), (24,), 1),
    ("head", LONG, (3, 3), "24/21(3)", (24, 21), (24,), 2),
    ("head", LONG, (5, 5), "24/19(2)", (24, 19), (24,), 1),
    # FNR's own note: Black's 4-4 while a runner holds his 16: one only.
    ("head", "long 24:15 | 24:14 4:1", (4, 4), "24/20(2)", (24, 20), (24,), 1),
    # 3.5
    ("not_all_home", "short 8:1 5:2 | 24:2", (5, 1), "5/4 5/off", (5, 0), (8,), None),
    ("not_all_home", "short 13:2 8:1 5:2 | 24:2", (5, 4), "5/off", (5, 0), (13, 8), None),
    ("higher_first", "short 6:1 5:1 4:2 | 24:2", (5, 2), "4/2 4/off", (4, 0), (6, 5), None),
    # 8: 8/7 makes room too late for another checker to stop on 8 first.
    ("full_point", "old_english 13:2 8:5 | 24:2", (5, 1), "13/8 13/12", (13, 8), (8,), 5),
    # 6.2
    ("frozen", "tavla 13:1 9:1 | 20:1", (4, 1), "9/5*/4", (5, 4), (5,), None),
    # 5.4: the blot stands on 9.
    ("shelter", "short[hitter=no_shelter] 13:1 4:2 | 16:1", (5, 4), "13/9*/4", (9, 4), (4,), None),
    # 6.3: the five bears off from 3, or from 3 too after the two; 2/off comes of the two.
    ("must_bear_off", "tavla 3:1 1:2 | 6:2", (5, 2), "3/1", (3, 1), (3,), None),
    ("must_bear_off", "tavla 6:1 2:1 | 24:2", (6, 2), "6/4", (6, 4), (6, 2), None),
    # 4.4: 24 to 19 and 18 would be his 12 to 6.
    ("block", "long[block=never] 24:10 23:1 22:1 21:1 20:1 13:1 | 24:15", (6, 5), "24/19 13/7",
     (24, 19), (24, 23, 22, 21, 20, 19), None),
    # 11 to 6 is his 23 to 18: all his fifteen stand behind it on his 24, one on 17 would be ahead.
    ("block", "long 17:1 10:1 9:1 8:1 7:1 6:10 | 24:15", (6, 1), "17/11 6/5",
     (17, 11), (11, 10, 9, 8, 7, 6), 17),
    # Case L49, seven: 11 to 5 is his 23 to 17.
    ("block", "long 14:1 11:1 10:1 9:1 8:1 7:1 5:1 2:8 | 24:15", (5, 3), "14/6",
     (9, 6), (11, 10, 9, 8, 7, 6, 5), 16),
    # Case L43: 3, 2, 1, 24, 23, 22 are his 15 to 10.
    ("block", "long 24:1 23:1 22:1 10:1 7:1 3:1 2:9 | 24:15", (6, 5), "7/1 10/5",
     (7, 1), (24, 23, 22, 3, 2, 1), 9),
    # One on his 7 is ahead, but not at home.
    ("block", "long[block=home] 17:1 10:1 9:1 8:1 7:1 6:10 | 24:14 7:1", (6, 1), "17/11 6/5",
     (17, 11), (11, 10, 9, 8, 7, 6), 6),
    # Both steps are legal but for the block at the end.
    ("block", "long[block_check=turn] 17:1 10:1 9:1 8:1 7:1 6:10 | 24:15", (6, 1), "17/11 6/5",
     (6, 5), (11, 10, 9, 8, 7, 6, 5), 16),
    # 24 to 19 is his 12 to 7, 18 to 13 his 6 to 1: ahead of the lower block is only what is off.
    ("block", "long 22:10 18:1 17:1 15:1 14:1 13:1 | 24:15", (6, 5), "22/16 22/17",
     (22, 16), (18, 17, 16, 15, 14, 13), 0),
    ("dice", START, (6, 4), "24/20 24/21", (24, 21), (), None),
    ("dice", START, (6, 4), "24/18 24/18", (24, 18), (), None),
    ("dice", START, (6, 4), "24/20 8/5 18/24", (8, 5), (), None),
    ("dice", START, (6, 4), "5/8", (5, 8), (), None),
    ("dice", START, (6, 4), "8/8", (8, 8), (), None),
    ("dice", START, (6, 4), "24/18(99) 24/18(99)", (24, 18), (), None),
    ("dice", START, (6, 4), "31: 8/5 6/5", WHOLE, (), None),
    # 3.4
    ("must_use_more", START, (6, 4), "24/18", WHOLE, (), 2),
    ("must_use_more", START, (2, 2), "24/22 13/9", WHOLE, (), 4),
    ("larger_die", "short 24:1 2:1 | 11:2", (6, 4), "24/20", WHOLE, (), 6),
    ("pass", START, (6, 4), "pass", WHOLE, (), 2),
    ("no_hit", START, (6, 4), "24/18* 24/20", (24, 18), (18,), None),
    ("no_hit", "short 24:1 13:1 | 7:1 off:14", (6, 4), "24/18*/14*", (18, 14), (14,), None),
    ("ambiguous", "short 24:1 13:1 | 7:1 5:1 off:13", (6, 4), "24/14", WHOLE, (), None),
    ("cascade", "mad_gulbar 24:15 | 24:15", (4, 4), "24/20(2)", WHOLE, (), None),
    ("over", "short off:15 | 24:2", (6, 4), "pass", WHOLE, (), None),
    ("over", "short 24:2 | off:15", (6, 4), "24/14", WHOLE, (), None),
]  # fmt: skip


@pytest.mark.parametrize(("reason", "text", "dice", "play", "step", "points", "limit"), WORKED)
def test_worked(reason, text, dice, play, step, points, limit):
    position = Position.from_text(text)
    for roll in (dice, dice[::-1]):
        why = position.explain(roll, play)
        assert not why.legal
        assert why.play is None
        assert (why.reason, why.step, why.points, why.limit) == (reason, step, points, limit)
        assert isinstance(why.reason, Reason)
        assert REASONS[reason] in str(why)
        with pytest.raises(IllegalPlay) as caught:
            position.play(*roll, play)
        error = caught.value
        assert (error.reason, error.step, error.points) == (reason, step, points)
        for again in (pickle.loads(pickle.dumps(error)), copy.copy(error)):
            assert (again.reason, again.step, again.points) == (reason, step, points)
            assert str(again) == str(error)


def test_every_reason_is_worked():
    assert {case[0] for case in WORKED} == set(Reason) == set(REASONS)


def test_words():
    def words(text, dice, play):
        return str(Position.from_text(text).explain(dice, play))

    block = "long 17:1 10:1 9:1 8:1 7:1 6:10 | 24:15"
    assert words(block, (6, 1), "17/11 6/5") == (
        "17/11: it stands in a block of six that the rules forbid (11, 10, 9, 8, 7, 6; legal only "
        "with a checker of the opponent on his 17 or lower, or off)"
    )
    off = "long 22:10 18:1 17:1 15:1 14:1 13:1 | 24:15"
    assert words(off, (6, 5), "22/16 22/17").endswith("a checker of the opponent off)")
    never = "long[block=never] 17:1 10:1 9:1 8:1 7:1 6:10 | 24:15"
    assert words(never, (6, 1), "17/11 6/5").endswith("(11, 10, 9, 8, 7, 6)")
    assert words(LONG, (3, 3), "24/21(3)").endswith("(with this roll 2 may)")
    assert words(START, (6, 4), "24/18").endswith("so they must be (2 can)")
    assert words(START, (6, 4), "31: 8/5").endswith("(the text is of 3-1)")
    assert words("short 13:1 5:2 | 24:2", (5, 1), "5/off 13/12") == (
        "5/off: checkers are borne off only when all are home (outside: 12)"
    )
    assert words(START, (6, 4), "24/14") == "24/14 is legal"


# ---------------------------------------------------------------------------- against the judge


def lines(hops, dice):
    """Every way to make hops of single steps (from, die), each die used at most once."""
    if not hops:
        yield ()
        return
    (source, to), rest = hops[0], hops[1:]
    for die in set(dice):
        landing = max(0, source - die)
        if landing < to or source == to:
            continue
        left = list(dice)
        left.remove(die)
        ahead = rest if landing == to else [(landing, to), *rest]
        for line in lines(ahead, left):
            yield ((source, die), *line)


def step_between(state, after):
    """The step (from, die) that leads from one state of the judge to the next."""
    (source,) = [p for p in range(26) if max(0, after[0][p]) < max(0, state[0][p])]
    (die,) = (Counter(state[3]) - Counter(after[3])).elements()
    return source, die


def ends(theirs, state, line, stops, made=0):
    """Boards to which the steps of a line lead in any order that the judge allows.

    `stops` gets (steps made before, step) for each step that it does not allow on the way.
    """
    if not line:
        return {state[0]}
    found, left = set(), set(line)
    for after in ref.next_states(theirs, state):
        step = step_between(state, after)
        if step in line:
            rest = list(line)
            rest.remove(step)
            found |= ends(theirs, after, rest, stops, made + 1)
            left.discard(step)
    stops |= {(made, step) for step in left}
    return found


def judged(theirs, board, dice, hops):
    """Of some hops: the results of the judge to which they lead, and the steps that it forbids.

    Of these only those that come after as many legal steps as possible.
    """
    double = dice[0] == dice[1]
    roll = (dice[0],) * ref.own_steps(theirs) if double else tuple(sorted(dice, reverse=True))
    head = None
    if theirs["head_limit"]:
        head = 2 if ref.exception_in_force(theirs, board, dice) else theirs["head_limit"]
    found, stops = set(), set()
    for line in {tuple(sorted(line)) for line in lines(sorted(hops), roll)}:
        found |= ends(theirs, (board, head, ref.NO_MARKS, roll), line, stops)
    latest = max((made for made, _ in stops), default=0)
    forbidden = {(p, max(0, p - die)) for made, (p, die) in stops if made == latest}
    return found & ref.plays(theirs, board, dice), forbidden


def meant(before, hops, results):
    """Of several results those that hit nothing but what the hops touch, if there are any."""
    touched = {to for _, to in hops}
    shown = {
        after
        for after in results
        if {p for p in range(1, 25) if before[p] < 0 <= after[p]} <= touched
    }
    return shown or results


def some_hops(rng, rules, board, dice, plays):
    """Hops that are often nearly legal: a play with a step changed, or steps at random."""
    pool = [dice[0]] * (rules.cascade or 4) if dice[0] == dice[1] else list(dice)
    hops = list(rng.choice(plays).steps)
    if hops and rng.random() < 0.6:
        at = rng.randrange(len(hops))
        source = rng.randint(1, 25)
        hops[at] = (source, max(0, source - rng.choice(pool)))
    elif not hops or rng.random() < 0.5:
        own = [point for point in range(1, 26) if board[point] > 0]
        dice_used = rng.sample(pool, rng.choice((1, len(pool), len(pool))))
        hops = [(p, max(0, p - die)) for die in dice_used for p in [rng.choice(own)]]
    for first in list(hops):  # one journey of two hops
        second = next((hop for hop in hops if hop[0] == first[1]), None)
        if second is not None and second != first and rng.random() < 0.5:
            hops.remove(first)
            hops.remove(second)
            hops.append((first[0], second[1]))
            break
    return hops


@pytest.mark.parametrize("name", GAMES)
def test_legal_where_the_judge_says_so(name):
    """Legal: by some order of steps of these hops alone the judge comes to one of its results."""
    rules = GAMES[name]
    theirs = rules.asdict()
    rng = random.Random(name)
    seen = Counter()
    for board, dice in (*islice(from_games(rules, 31, 1), 50), *set_up(rules, 31, 50)):
        position = Position(rules, board)
        if position.status().over:
            continue
        plays = position.plays(*dice)
        steps = (rules.cascade or 4) if dice[0] == dice[1] else None
        for _ in range(4):
            hops = some_hops(rng, rules, board, dice, plays)
            if not hops:
                continue
            text = " ".join(f"{source}/{to}" for source, to in hops)
            results, forbidden = judged(theirs, tuple(board.tolist()), dice, hops)
            want = meant(board, hops, results)
            why = position.explain(dice, text, steps=steps)
            assert why.legal == (len(want) == 1), (text, why)
            if why.legal:
                assert tuple(why.play.after.tolist()) in want
            assert (why.reason == "ambiguous") == (len(want) > 1)
            if why.reason in STEP_FAULTS[1:] and rules.block_check == "step":
                assert why.step in forbidden
            check_explanation(why, plays)
            check_block(theirs, why)
            seen[why.reason] += 1
    assert seen[None] > 20
    assert sum(seen.values()) - seen[None] > 20


def check_explanation(why, plays):
    """What holds for every explanation."""
    assert (why.reason is None) == why.legal == (why.play is not None)
    assert len(why.instead) == len(plays)
    assert set(why.instead) == set(plays)
    if why.legal:
        assert why.instead[0] == why.play
    assert list(why.points) == sorted(set(why.points), reverse=True)
    assert set(why.points) <= set(range(1, 26))


def check_block(theirs, why):
    """A block is six or more of the opponent's numbers in a row, and he is ahead of it below."""
    if why.reason == "block":
        numbers = sorted(ref.facing(theirs, point) for point in why.points)
        assert len(numbers) >= 6
        assert numbers == list(range(numbers[0], numbers[-1] + 1))
        want = {"ahead": numbers[0] - 1, "home": 6, "never": None}
        assert why.limit == want[theirs["block"]]


EXCLUDED = {  # why, by the case
    "L43": ("7/1 10/5", "block"),
    "L46": ("13/6", "block"),
    "L49": ("14/6", "block"),
    "E09": ("24/13", "full_point"),
    "E17": ("6/5", "full_point"),
    "E18": ("8/3", "full_point"),
    "N08": ("23/20 6/2", "occupied"),
    "L63": ("24/18 24/19", "head"),
    "L67": ("24/20(2)", "head"),
}


def test_all_cases_that_exclude_a_board_are_explained():
    cases = [case.values[1] for case in per_variant("play_cases")]
    assert set(EXCLUDED) == {case["id"] for case in cases if "excludes" in case["expect"]}


@pytest.mark.parametrize(("name", "case"), per_variant("play_cases"))
def test_cases(name, case):
    """Single steps of the dice lead to no other boards than the case lists; and why not."""
    theirs = case_rules(name, case)
    dice, stage = tuple(case["dice"] if "dice" in case else case["step"][:2]), {}
    if "step" in case:
        stage = {"steps": len(case["step"]), "head_used": case.get("head_used", 0)}
    position = Position(build(theirs), np.array(ref.parse(theirs, case["x"], case["o"]), np.int8))
    if "excludes" in case["expect"]:
        play, reason = EXCLUDED[case["id"]]
        assert position.explain(dice, play, **stage).reason == reason
    if "results" not in case["expect"]:
        return
    want = {after_text(theirs, case, text) for text in case["expect"]["results"]}
    stage.setdefault("steps", (theirs["cascade"] or 4) if dice[0] == dice[1] else None)
    why = position.explain(dice, "pass", **stage)
    assert {tuple(play.after.tolist()) for play in why.instead} == want
    if why.reason == "over":
        assert ref.finished(theirs, position.board)
        return
    assert why.legal == (want == {tuple(position.board.tolist())})
    for play in why.instead:
        assert position.explain(dice, str(play), **stage).play == play


# -------------------------------------------------------------------------------- what is legal


def test_the_nearest_come_first():
    why = Position.from_text(START).explain((3, 1), "8/5 6/4")
    assert [str(play) for play in why.instead[:3]] == ["8/5 6/5", "8/4", "24/23 8/5"]
    assert len(why.instead) == 16
    why = Position.from_text("short 24:1 13:1 | 7:1 5:1 off:13").explain((6, 4), "24/14")
    assert {str(play) for play in why.instead[:2]} == {"24/18*/14", "24/20*/14"}


@pytest.mark.parametrize("name", ["long", "short", "mad_gulbar"])
def test_nothing_is_nearer(name):
    """Checkers that stand elsewhere, counted one by one."""
    rules = nardy.variant(name)
    rng = random.Random(3)
    for board, dice in set_up(rules, 33, 40):
        position = Position(rules, board)
        plays = position.plays(*dice)
        hops = some_hops(rng, rules, board, dice, plays)
        tried = Counter({p: int(board[p]) for p in range(26) if board[p] > 0})
        for source, to in hops:
            tried[source] -= 1
            tried[to] += 1

        def apart(play, tried=tried):
            return sum(abs(max(0, int(play.after[p])) - tried[p]) for p in range(26))

        why = position.explain(dice, " ".join(f"{p}/{q}" for p, q in hops) or "pass")
        away = [apart(play) for play in why.instead]
        assert away == sorted(away)
        assert set(why.instead) == set(plays)


def test_a_play_of_its_own_is_legal():
    position = Position.from_text(START)
    for play in position.plays(4, 2):
        why = position.explain((2, 4), play)
        assert (why.legal, why.play, why.instead[0]) == (True, play, play)
    why = position.explain((3, 1), position.plays(6, 4)[0])
    assert (why.legal, why.reason) == (False, "dice")


# --------------------------------------------------------------------------- stages of a cascade


def test_stages_of_a_cascade():
    """Section 9: 4-4 starts two steps of four; the exception is for the first stage only."""
    position = Position.start("mad_gulbar")
    assert position.explain((4, 4), "24/20(2)", steps=2).legal
    first = position.explain((5, 5), "24/19(2)", steps=2)
    assert (first.legal, first.reason, first.points, first.limit) == (False, "head", (24,), 1)
    assert position.explain((4, 4), "24/16", steps=2).legal
    later = position.explain((6, 6), "24/18(2)", steps=2, exception=False)
    assert (later.reason, later.limit) == ("head", 1)
    assert position.explain((6, 6), "24/18(2)", steps=2).legal
    spent = position.explain((6, 6), "24/18", steps=2, head_used=1, exception=False)
    assert (spent.reason, spent.limit) == ("head", 0)
    assert position.explain((6, 6), "pass", steps=2, head_used=1, exception=False).legal
    one = Position.from_text("mad_gulbar 24:14 14:1 | 24:15")
    assert one.explain((5, 5), "14/9", steps=1, head_used=1).legal
    assert one.explain((5, 5), "14/4", steps=1, head_used=1).reason == "dice"


@pytest.mark.parametrize("bad", [{"steps": 0}, {"head_used": 16}, {"exception": 2}])
def test_bad_stages(bad):
    with pytest.raises(InvalidArgument, match=next(iter(bad))):
        Position.start("mad_gulbar").explain((4, 4), "24/20", **bad)


@pytest.mark.parametrize("dice", [6, (6,), (6, 4, 1), None, (0, 4), (6, 7), "64", ("6", "4")])
def test_bad_dice(dice):
    with pytest.raises(InvalidArgument, match="expected"):
        Position.start("long").explain(dice, "24/18")
    with pytest.raises(InvalidArgument, match="expected"):
        nardy.compare("long", "long", Position.start("long"), dice)


@pytest.mark.parametrize("play", ["rubbish", None, 5, "31 8/5", "71: 8/5", "3: 8/5", "31:: 8/5"])
def test_what_is_no_play(play):
    with pytest.raises(ParseError):
        Position.from_text(START).explain((3, 1), play)


# ------------------------------------------------------------------------- dice before, and arrows


@pytest.mark.parametrize(
    "text",
    ["31: 8/5 6/5", "13: 8/5 6/5", "3-1: 6/5 8/5", " 31:8/5,6/5", "3 1: 8/5 6/5", "31 : 8/5 6/5",
     "8→5 6→5", "8->5 6->5", "8 -> 5, 6 → 5", "31: 8→5 6->5", "8/7/5 6/5"],
)  # fmt: skip
def test_dice_and_arrows(text):
    position = Position.from_text(START)
    want = position.play(3, 1, "8/5 6/5")
    if text == "8/7/5 6/5":  # three steps
        assert position.explain((3, 1), text).step == (7, 5)
    else:
        assert position.play(1, 3, text) == want


def test_dice_before_a_pass():
    shut = Position.from_text("short bar:1 | 6:2 5:2 4:2 3:2 2:2 1:2")
    for text in ("31:", "3-1: pass", "31: -"):
        assert shut.play(3, 1, text) == shut.flip()
    with pytest.raises(IllegalPlay, match="the text is of 3-1"):
        shut.play(4, 1, "31:")


# --------------------------------------------------------------------------------------- compare


def sets_of(theirs, board, dice):
    return ref.plays(theirs, tuple(board.tolist()), dice)


HOUSES = [
    ("long", "long[head_limit=0,head_exception=none]"),
    ("long", "long[block=never]"),
    ("long[block=free]", "long[block=home]"),
    ("long", "long_fsnr"),
    ("long", "mad_gulbar"),
    ("short", "tavla"),
    ("tavla", "tavla[must_bear_off=false]"),
    ("short", "old_english"),
    ("short", "short[hitter=no_shelter]"),
]


MADE = [  # where blocks may arise, and where a runner of the opponent stands before his head
    ("long 17:1 10:1 9:1 8:1 7:1 6:10 | 24:15", (6, 1)),
    ("long 24:15 | 24:14 4:1", (4, 4)),
]


@pytest.mark.parametrize(("a", "b"), HOUSES)
def test_compare(a, b):
    """The sets of the judge under either rules."""
    one, other = (read_rules(name) for name in (a, b))
    differ = 0
    made = [(Position.from_text(text).board, dice) for text, dice in MADE]
    made = made if one.travel == "parallel" else []
    for board, dice in (*made, *islice(from_games(one, 34, 1), 40), *set_up(one, 34, 60)):
        if nardy.batch.faults(other, board)[0]:
            with pytest.raises(InvalidPosition, match=other.name):
                nardy.compare(a, b, board, dice)
            continue
        result = nardy.compare(a, b, board, dice)
        mine, theirs = (sets_of(rules.asdict(), board, dice) for rules in (one, other))
        got = [[tuple(play.after.tolist()) for play in plays]
               for plays in (result.only_a, result.only_b, result.both)]  # fmt: skip
        assert [set(plays) for plays in got] == [mine - theirs, theirs - mine, mine & theirs]
        assert sum(map(len, got)) == len(mine | theirs)
        assert (result.a, result.b) == (Position(one, board), Position(other, board))
        differ += bool(mine ^ theirs)
    assert differ > 0


def test_compare_takes_texts_and_rules():
    start = Position.start("long")
    free = start.rules.replace(head_limit=0, head_exception="none")
    for position in (start, start.board, start.board.tolist(), start.text()):
        result = nardy.compare("long", free, position, (4, 6))
        assert [str(play) for play in result.only_b] == ["24/18 24/20"]
        assert [str(play) for play in result.both] == ["24/14"]
        assert (result.only_a, result.dice) == ([], (4, 6))


def test_what_cannot_be_compared():
    start = Position.start("short")
    with pytest.raises(InvalidArgument, match=r"long \(parallel, 15 checkers\) and short"):
        nardy.compare("long", "short", start, (6, 4))
    with pytest.raises(InvalidArgument, match="parallel"):
        nardy.compare("long", "long_fnr", start, (6, 4))
    with pytest.raises(InvalidArgument, match="14 checkers"):
        nardy.compare("short", "short[start=24:2+13:5+8:3+6:4]", start, (6, 4))
    block = "long[block=free] 11:1 10:1 9:1 8:1 7:1 6:10 | 24:15"
    with pytest.raises(InvalidPosition, match=r"cannot stand under long: .* block of six"):
        nardy.compare("long[block=free]", "long", block, (6, 4))
    with pytest.raises(nardy.UnknownVariant):
        nardy.compare("long", "chess", start, (6, 4))
    with pytest.raises(ParseError):
        nardy.compare("long", "long", "long", (6, 4))


# ---------------------------------------------------------------------------------- command line


def call(*arguments):
    return CliRunner().invoke(app, list(map(str, arguments)))


def test_explain_command():
    done = call("explain", LONG, 6, 4, "24/18", "24/20")
    assert done.exit_code == 0
    assert done.stdout.splitlines() == [
        "24/18 24/20 is not legal: 24/20: no more checkers may leave the head in this turn "
        "(with this roll 1 may)",
        "legal plays of 6-4: 1, the nearest first",
        "  24/14",
    ]
    assert call("explain", LONG, 6, 4, "24/14").stdout == "24/14 is legal\n"
    assert call("explain", START, 6, 6, "24/6", "--most", 3).stdout.count("\n") == 5
    stage = ("explain", "mad_gulbar 24:15 | 24:15", 6, 6, "24/18(2)", "--steps", 2)
    assert call(*stage).stdout == "24/18(2) is legal\n"
    assert "with this roll 1 may" in call(*stage, "--no-exception").stdout
    assert "with this roll 0 may" in call(*stage, "--no-exception", "--head-used", 1).stdout


def test_explain_command_as_json():
    done = call("explain", START, 3, 1, "8/5 6/4", "--json")
    told = json.loads(done.stdout)
    assert len(told.pop("instead")) == 16
    assert told == {
        "position": START, "roll": [3, 1], "tried": "8/5 6/4", "legal": False, "reason": "dice",
        "text": "6/4: the steps do not fit the dice", "step": [6, 4], "points": [], "limit": None,
        "play": None,
    }  # fmt: skip
    told = json.loads(call("explain", START, 3, 1, "6/5 8/5", "--json").stdout)
    assert (told["legal"], told["reason"], told["play"]) == (True, None, "8/5 6/5")
    assert told["instead"][0] == {"play": "8/5 6/5", "steps": [[8, 5], [6, 5]]}


def test_compare_command():
    free = "long[head_exception=none,head_limit=0]"
    done = call("compare", "long", free, LONG, 6, 4)
    assert done.stdout.splitlines() == [
        "only long: 0", f"only {free}: 1", "  24/18 24/20", "both: 1"
    ]  # fmt: skip
    told = json.loads(call("compare", "long", free, LONG, 6, 4, "--json").stdout)
    assert told == {
        "a": LONG, "b": f"{free} 24:15 | 24:15", "roll": [6, 4], "only_a": [],
        "only_b": [{"play": "24/18 24/20", "steps": [[24, 18], [24, 20]]}],
        "both": [{"play": "24/14", "steps": [[24, 18], [18, 14]]}],
    }  # fmt: skip


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("explain", "long 24:16 | 24:15", 6, 4, "24/18"), "16 checkers, expected 15"),
        (("explain", LONG, 6, 4, "hello"), "'hello' is no play"),
        (("compare", "long", "short", LONG, 6, 4), "of one travel"),
        (("compare", "long", "chess", LONG, 6, 4), "chess"),
    ],
)
def test_commands_refuse(arguments, words):
    done = call(*arguments)
    assert done.exit_code == 2
    assert done.stdout == ""
    assert words in done.stderr
    assert done.stderr.startswith("nardy: ")
