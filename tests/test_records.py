"""Records: given matches replay to their ends, written ones read back, bad ones are refused.

A refusal names line, game and turn."""

import json
import os
import pickle
import random
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import nardy
from nardy import VARIANTS, InvalidArgument, Match, records
from nardy.records import Record, RecordError

CASES = Path(__file__).parent / "cases"
MATCHES = json.loads((CASES / "selfplay_matches.json").read_text())["matches"]
SIDES = ("left", "right")
MAT_GAMES = ("short", "nackgammon", "caucasian", "old_english")


def played(name, length, seed, policy="random", cube=0.0):
    """A whole match of a variant, with offers, drops and resignations now and then."""
    rng = random.Random(f"{name} {seed}")
    match = Match(name, length, seed)
    while True:
        game = match.game
        while game.result is None:
            acts = game.to_play.acts
            if rng.random() < 0.003 and game.starter is not None:
                game.resign(rng.choice([1, 2]))
            elif "offer" in acts and rng.random() < cube:
                game.offer()
            elif "take" in acts:
                game.drop() if rng.random() < 0.3 else game.take()
            elif "play" in acts:
                game.play(game.choose(policy))
            else:
                game.roll()
        if match.over or len(match.games) > 12:
            return match
        match.next_game()


def sides_of(game):
    """Checkers on own points 1..24 and the bar, of player 0 and player 1."""
    here = game.position
    views = (here, here.flip()) if game.on_roll == 0 else (here.flip(), here)
    return [np.maximum(view.board[1:26], 0).tolist() for view in views]


@pytest.mark.parametrize("case", MATCHES, ids=lambda case: case["file"])
def test_given_matches(case):
    """The scores, games, cubes and final boards that the source of the files states."""
    record = records.read(CASES / case["file"])
    assert record.length == case["match_length"]
    assert record.score == (case["final_score"]["left"], case["final_score"]["right"])
    assert record.match.winner == int(record.score[1] > record.score[0])
    told = [
        {"winner": SIDES[g.result.winner], "points": g.result.points, "final_cube": g.cube_value}
        for g in record.games
    ]
    assert told == case["games"]
    assert [sides_of(game) for game in record.games] == case["final_positions"]
    events = [event for game in record.games for event in game.history]
    count = {act: sum(e.act == act for e in events) for act in ("play", "offer", "take", "drop")}
    stats = case["stats"]
    assert count["play"] == stats["turns"]
    assert (count["offer"], count["take"], count["drop"]) == (
        stats["doubles"],
        stats["takes"],
        stats["drops"],
    )
    assert sum(e.act == "play" and not e.play.steps for e in events) == stats["no_move_turns"]


@pytest.mark.parametrize("case", MATCHES, ids=lambda case: case["file"])
@pytest.mark.parametrize("form", records.FORMATS)
def test_given_matches_are_written_back(case, form, tmp_path):
    record = records.read(CASES / case["file"])
    path = tmp_path / f"match.{form}"
    records.write(path, record)
    assert records.read(path) == record
    assert [file.name for file in tmp_path.iterdir()] == [path.name]


@pytest.mark.parametrize("name", VARIANTS)
def test_jsonl_holds_every_game(name):
    for seed, length in ((1, 3), (2, None), (3, 1)):
        match = played(name, length, seed, cube=0.1)
        record = Record(match, ("Анна К.", "Боб : 7"), ["a comment"])
        text = records.dumps(record)
        again = records.loads(text)
        assert again == record
        assert again.comments == record.comments
        assert again.match == match  # the seed too
        assert again.score == match.score
        assert records.dumps(again) == text


@pytest.mark.parametrize("name", MAT_GAMES)
def test_mat_holds_the_short_family(name):
    for seed in range(6):
        match = played(name, (1, 3, 5)[seed % 3], seed, cube=0.15)
        record = Record(match, ("Ann B. C", "Bob"))
        again = records.loads(records.dumps(record, "mat"))
        assert again == record
        assert again.rules == VARIANTS[name]
        assert [g.result for g in again.games] == [g.result for g in match.games]


def test_mat_of_sessions_and_without_crawford():
    session = played("short", None, 4, cube=0.2)
    assert records.loads(records.dumps(session, "mat")) == Record(session)
    plain = Match("short", 3, 0, crawford=False)
    plain.game.roll((6, 1))
    plain.game.resign("mars")
    plain.next_game()
    text = records.dumps(plain, "mat")
    assert '[Crawford "Off"]' in text
    assert records.loads(text) == Record(plain)


@pytest.mark.parametrize("name", sorted(set(VARIANTS) - set(MAT_GAMES)))
def test_mat_refuses_other_games(name):
    with pytest.raises(InvalidArgument, match="jsonl"):
        records.dumps(Match(name, 3, 0), "mat")
    with pytest.raises(InvalidArgument, match="jsonl"):
        records.loads((CASES / "selfplay_1pt.mat").read_text(), rules=name)


STORY = """\
; [Event "Club evening"]
; [Player 1 "Ann van Dam"]
 5 point match

 Game 1
 Ann van Dam : 0                Bob-2 : 0
  1) 31: 8/5 6/5                 52: 13/8 24/22
  2) 66: 24/18(2) 13/7(2)        {two}
  3)  Doubles => 2                Takes
  4) 21: 13/10                    Redoubles => 4
  5)  Drops
                                  Wins 2 points

 Game 2
 Ann van Dam : 0                Bob-2 : 2
  1)                             64: 24/14
  2) 42: 8/4 6/4
                                  Wins 2 points
"""


def story(two="62: 22/14", **changes):
    text = STORY.format(two=two)
    for old, new in changes.values():
        assert old in text
        text = text.replace(old, new)
    return text


def test_a_mat_by_other_hands():
    """Spaces in names, comments, CRLF, tabs, merged hops, a bar, words of other programs."""
    record = records.loads(story())
    assert record.players == ("Ann van Dam", "Bob-2")
    assert record.comments[0] == '[Event "Club evening"]'
    assert record.score == (0, 4)
    first, second = record.games
    assert (first.cube_value, first.cube_owner) == (2, 1)
    assert second.history[-1].act == "resign"
    assert second.history[-1].kind == 2
    for text in (
        story().replace("\n", "\r\n"),
        "\ufeff" + story(),
        story().replace("Redoubles => 4", "Doubles"),
        story().replace("Takes", "Accepts").replace("Drops", "Passes"),
        story().replace("    ", "\t"),
    ):
        assert records.loads(text) == record
    latin = story().replace("Ann van Dam", "Jos\xe9")
    assert records.loads(latin.encode("latin-1")).players[0] == "Jos\xe9"


def test_rolls_that_are_not_recorded():
    """A player who cannot enter may leave his roll out: the dice do not matter then."""
    found = None
    for seed in range(200):
        match = played("short", 1, seed, "heuristic")
        game = match.game
        passes = [
            k
            for k, event in enumerate(game.history)
            if event.act == "play" and not event.play.steps
        ]
        for k in passes:
            board = game.history[k].play.before
            closed = all(board[point] <= -2 for point in range(19, 25))
            if closed and board[25]:
                found = match, k
                break
        if found:
            break
    assert found
    match, k = found
    event = match.game.history[k]
    text = records.dumps(match, "mat")
    dice = "".join(map(str, event.dice))
    number = sum(e.act == "play" and e.player == event.player for e in match.game.history[:k])
    (row,) = [
        line
        for line in text.splitlines()
        if line.strip().startswith(f"{number + 1 + _late(match, event.player)})")
    ]
    written = f"{dice}: Cannot Move"
    assert written in row
    for instead in ("Cannot Move", ""):
        gone = row.replace(written, instead.ljust(len(written)))
        record = records.loads(text.replace(row, gone))
        assert "not recorded" in record.notes[0]
        assert record.score == match.score
        assert record.games[0].result == match.game.result


def _late(match, player):
    """1 if the first row of the file has no entry for this player."""
    return int(player == 0 and match.game.starter == 1)


def test_a_play_that_is_not_recorded():
    text = story(two="55: ????")
    with pytest.raises(RecordError, match=r"line 8, game 1, turn 2: .*without saying what"):
        records.loads(text)
    match = played("short", 1, 7)
    history = match.game.history
    k, event = next(
        (k, event)
        for k, event in enumerate(history)
        if event.act == "play" and event.play.steps and _alone(event.play)
    )
    before = sum(e.act == "play" and e.player == event.player for e in history[:k])
    row = before + 1 + _late(match, event.player)
    text = records.dumps(match, "mat")
    (line,) = [one for one in text.splitlines() if one.strip().startswith(f"{row})")]
    dice = "".join(map(str, event.dice))
    hops = " ".join(f"{source}/{to}" for source, to in event.play.steps)
    assert f"{dice}: " in line
    assert hops in line.replace("*", "")
    start = line.replace("*", "").index(hops)
    stars = line[: line.index(f"{dice}: ")].count("*")
    gone = line[: start + stars] + "????" + " " * 40 + line[start + stars + len(hops) :].strip("* ")
    record = records.loads(text.replace(line, gone))
    assert record == Record(match)
    assert f"{event.play} is the only one" in record.notes[0]


def _alone(play):
    """Whether a play is the only one of its roll."""
    position = nardy.Position(play.turn.rules, play.before)
    return len(position.plays(*play.turn.dice)) == 1


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (("8/5 6/5", "8/5 6/2"), r"line 7, game 1, turn 1: .*dice"),
        (("31: 8/5 6/5", "33: 8/5(2) 6/3(2)"), r"line 7, game 1, turn 1: .*no double"),
        (("Doubles => 2", "Doubles => 4"), r"line 9, game 1, turn 3: expected the cube at 2"),
        (("  4) 21: 13/10   ", "  4)  Doubles => 4"), r"line 10, game 1, turn 4: cannot offer"),
        (("Bob-2 : 2", "Bob-2 : 1"), r"line 14, game 2.*expected the score \(0, 2\), got \(0, 1\)"),
        (("Bob-2 : 2", "Rob-2 : 2"), r"line 14, game 2.*expected the players"),
        (("  2) 42: 8/4 6/4\n", "  2) 42: 8/4 6/5\n"), r"line 17, game 2, turn 2: .*dice"),
        (("  2) 42: 8/4 6/4\n", "  2)                   42: 8/4 6/4\n"), "a roll is missing that"),
        (("Wins 2 points\n\n Game 2", "Wins 3 points\n\n Game 2"), r"line 12, game 1.*not 3"),
        (("31: 8/5 6/5", "38: 8/5 6/5"), r"line 7, game 1, turn 1: expected dice"),
        ((" 5 point match", " 999999999 point match"), "length: expected"),
    ],
)
def test_illegal_records_say_where_and_why(change, reason):
    text = story()
    assert change[0] in text
    with pytest.raises(RecordError, match=reason) as caught:
        records.loads(text.replace(change[0], change[1], 1))
    again = pickle.loads(pickle.dumps(caught.value))
    assert (again.line, again.game, again.turn, str(again)) == (
        caught.value.line,
        caught.value.game,
        caught.value.turn,
        str(caught.value),
    )


@pytest.mark.parametrize(
    "text",
    [
        story().replace("31: 8/5 6/5", "31: 8/5 6/2", 1),
        records.dumps(records.loads(story()), "jsonl").replace("8/5 6/5", "8/5 6/2", 1),
    ],
    ids=["mat", "jsonl"],
)
def test_an_illegal_play_is_the_cause(text):
    """Four pips with a one: the rule's word and the step, as `Position.play` gives them."""
    with pytest.raises(RecordError, match="6/2") as caught:
        records.loads(text)
    cause = caught.value.__cause__
    assert isinstance(cause, nardy.IllegalPlay)
    assert (cause.reason, cause.step) == ("dice", (6, 2))


def test_a_file_that_cannot_be_written_is_named(tmp_path):
    target = tmp_path / "none" / "match.jsonl"
    with pytest.raises(FileNotFoundError) as caught:
        records.write(target, played("short", 1, 7))
    assert caught.value.filename == str(target)


def test_a_torn_last_line_loses_only_that_line():
    match = played("mad_gulbar", 3, 5)
    lines = records.dumps(match).splitlines(keepends=True)
    for keep in (1, 2, 3, 10, len(lines) - 1):
        whole = records.loads("".join(lines[:keep]))
        assert not whole.notes
        torn = records.loads("".join(lines[:keep]) + lines[keep][:-3])
        assert torn == whole
        assert f"line {keep + 1} is torn" in torn.notes[0]
    complete = records.loads("".join(lines).removesuffix("\n"))
    assert complete.match == match


@pytest.mark.parametrize(
    ("line", "text", "reason"),
    [
        (0, "", "nothing"),
        (1, '{"format": "nardy-record", "version": 99}\n', "expected version 1, got 99"),
        (1, '{"format": "chess", "version": 1}\n', "expected an object with format"),
        (1, '{"format": "nardy-record", "version": 1}\n', "begins like this"),
        (3, 'HEAD["game", 1]\n{nonsense\n["roll", [3, 1]]\n', "expected JSON"),
        (3, 'HEAD["game", 1]\n["jump", 3]\n', "no act of a game"),
        (3, 'HEAD["game", 1]\n["roll", [3, 1]]\n', "cannot roll"),
        (3, 'HEAD["game", 1]\n["lot", [3, 7]]\n', "expected dice of 1 to 6"),
        (4, 'HEAD["game", 1]\n["lot", [3, 1]]\n["play", "24/1"]\n', "cannot be played"),
        (2, 'HEAD["game", 2]\n', r"expected \['game', 1\]"),
        (3, 'HEAD["game", 1]\n["game", 2]\n', "cannot begin another game"),
    ],
)
def test_bad_jsonl(line, text, reason):
    head = records.dumps(Match("short", 3, 0)).splitlines(keepends=True)[0]
    with pytest.raises(RecordError, match=reason) as caught:
        records.loads(text.replace("HEAD", head), "jsonl")
    assert caught.value.line == max(line, 1)


def test_bad_calls(tmp_path):
    with pytest.raises(InvalidArgument, match="expected 'mat' or 'jsonl', got 'sgf'"):
        records.loads("", "sgf")
    with pytest.raises(InvalidArgument, match="expected 'mat' or 'jsonl', got 'sgf'"):
        records.write(tmp_path / "match.sgf", Match("short", 1, 0))
    with pytest.raises(RecordError, match="found no game"):
        records.loads("hello" * 0)
    with pytest.raises(RecordError, match=r"line 1: expected 'Game 1'"):
        records.loads("hello")
    with pytest.raises(RecordError, match="not known"):
        records.loads('; [Variation "Hypergammon"]\n Game 1\n')
    with pytest.raises(OSError, match="No such file"):
        records.write(tmp_path / "none" / "match.mat", Match("short", 1, 0))
    old = tmp_path / "old.mat"
    old.write_text("kept")
    with pytest.raises(InvalidArgument):
        records.write(old, Match("long", 1, 0))
    assert old.read_text() == "kept"


TEXTS = [(CASES / case["file"]).read_text() for case in MATCHES[:2]]
TEXTS += [records.dumps(played("short", 1, 1)), story()]


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_damaged_records_are_refused_or_read(data):
    """Cut, doubled and changed texts give a record or an error of ours, and nothing else."""
    text = data.draw(st.sampled_from(TEXTS))
    for _ in range(data.draw(st.integers(1, 3))):
        low = data.draw(st.integers(0, len(text)))
        high = data.draw(st.integers(low, min(len(text), low + 40)))
        insert = data.draw(st.one_of(st.just(""), st.text(max_size=8), st.just(text[low:high] * 2)))
        text = text[:low] + insert + text[high:]
    try:
        record = records.loads(text)
    except (RecordError, InvalidArgument):
        return
    assert records.loads(records.dumps(record)) == record


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=200))
def test_random_bytes(data):
    with pytest.raises(RecordError):
        records.loads(data)


SESSION = {"cube_limit": 64, "crawford": False}


@pytest.mark.parametrize(
    ("length", "switches"),
    [
        (None, SESSION | {"jacoby": True}),
        (None, SESSION | {"beaver": True}),
        (None, {"jacoby": True, "beaver": True, "cube_limit": 1024}),
        (5, {"score": (4, 2), "crawford_played": True}),
        (5, {"score": (4, 4), "crawford": False}),
    ],
)
def test_mat_holds_the_switches_of_a_match(length, switches):
    match = Match("short", length, 3, **switches)
    match.game.roll((3, 1))
    match.game.play("8/5 6/5")
    record = Record(match, comments=['[Jacoby "Off"]', '[Beaver "Off"]', '[Crawford "On"]'])
    again = records.loads(records.dumps(record, "mat"))
    assert again == record
    told = again.match.to_dict()
    assert {name: told[name] for name in switches if name != "score"} == {
        name: value for name, value in switches.items() if name != "score"
    }
    assert records.loads(records.dumps(again, "mat")).comments == again.comments


@pytest.mark.parametrize("dice", [(3, 1), (1, 3)])
@pytest.mark.parametrize("answer", ["take", "drop"])
def test_mat_holds_beavers(dice, answer):
    """Who takes after a beaver also rolls: two entries of one player in a row."""
    match = Match("short", None, 3, beaver=True)
    game = match.game
    game.roll(dice)
    game.play("8/5 6/5")
    game.offer()
    game.beaver()
    getattr(game, answer)()
    if answer == "take":
        game.roll((6, 1))
        game.play("13/7 8/7")
        game.offer()
        game.take()
    assert records.loads(records.dumps(match, "mat")) == Record(match)


def test_mat_refuses_cascades():
    """A stage of a cascade has no place in a turn."""
    rules = nardy.variant("caucasian").replace(contact="block", hitter="free", cascade=2)
    with pytest.raises(InvalidArgument, match="without cascades and draws"):
        records.dumps(Match(rules, 3, 1), "mat")


@pytest.mark.parametrize(
    "names", [("#1 bot", "; x"), ("5 point match", "Game 1"), ("a :", "b : 2")]
)
def test_mat_of_strange_names(names):
    record = Record(played("short", 2, 4, cube=0.1), names, comments=["one\ntwo", "Game 7\x0b3"])
    again = records.loads(records.dumps(record, "mat"))
    assert again == record
    assert again.comments == ["one", "two", "Game 7", "3"]


@pytest.mark.parametrize("line", ["a" + " " * 10**5, ":1  " * 10**5, "; [a" + " " * 10**5])
def test_long_lines_are_read_in_one_go(line):
    """Each took hours where a pattern went over it once for every blank."""
    with pytest.raises(RecordError, match="expected"):
        records.loads(f"5 point match\n\nGame 1\n {line}\nGame 2\n")


@pytest.mark.parametrize("data", [None, 5, [], {}])
def test_what_is_no_text_is_refused(data):
    with pytest.raises(RecordError, match="expected a record as text or bytes, got"):
        records.loads(data)


def test_a_torn_last_line_may_be_deep():
    record = records.loads(records.dumps(Match("long", 3, 1)) + "[" * 100_000)
    assert record.notes == [f"line 3 is torn and was left out: {'[' * 60!r}"]


def test_scores_of_a_long_session():
    """The score before each game is kept; a second count of all results agrees."""
    match = Match("long_fnr", None, 1)
    rng = random.Random(1)
    for _ in range(400):
        if rng.random() < 0.2 and len(match.games) > 1:
            match.undo()
            match.game.undo()
        match.game.roll((2, 1)) if match.game.starter is None else None
        match.game.resign(rng.choice([1, 2]), player=rng.choice([0, 1]))
        match.next_game()
    total, expected = [0, 0], [(0, 0)]
    for game in match.games[:-1]:
        total[game.result.winner] += game.result.points
        expected.append(tuple(total))
    assert match.scores == match.copy().scores == pickle.loads(pickle.dumps(match)).scores
    assert match.scores == expected
    assert match.score == expected[-1]


# ----------------------------------------------------------------------------------------- files


def test_a_link_stays_a_link(tmp_path):
    there, link = tmp_path / "there.jsonl", tmp_path / "link.jsonl"
    there.write_text("old")
    link.symlink_to(there)
    records.write(link, Match("long", 3, 1))
    assert link.is_symlink()
    assert records.read(there) == Record(Match("long", 3, 1))


def test_permissions_stay(tmp_path):
    file = tmp_path / "mine.jsonl"
    file.write_text("old")
    file.chmod(0o600)
    records.write(file, Match("long", 3, 1))
    assert file.stat().st_mode & 0o777 == 0o600
    assert [path.name for path in tmp_path.iterdir()] == ["mine.jsonl"]


def test_threads_leave_the_umask_alone(tmp_path):
    before = os.umask(0o027)
    try:
        with ThreadPoolExecutor(8) as pool:
            files = [tmp_path / f"{k}.jsonl" for k in range(200)]
            list(pool.map(records.write, files, [Match("long", 3, 1)] * 200))
        assert os.umask(0o027) == 0o027
        assert {file.stat().st_mode & 0o777 for file in files} == {0o640}
    finally:
        os.umask(before)


def test_a_pipe_is_written_to(tmp_path):
    pipe = tmp_path / "pipe.jsonl"
    os.mkfifo(pipe)
    with ThreadPoolExecutor(1) as pool:
        read = pool.submit(pipe.read_bytes)
        records.write(pipe, Match("long", 3, 1))
        assert records.loads(read.result()) == Record(Match("long", 3, 1))
    assert pipe.is_fifo()


def test_names_that_are_no_unicode(tmp_path):
    """As arguments of a command line come that are not in its encoding."""
    record = Record(Match("short", 3, 1), ("\udcff", "Ёж"))
    records.write(tmp_path / "x.jsonl", record)
    assert records.read(tmp_path / "x.jsonl") == record


@pytest.mark.parametrize("value", [5, [1], np.array([1, 2]), b"x", float("nan")])
def test_arguments_of_a_wrong_kind(value):
    text = records.dumps(Match("short", 3, 1), "mat")
    for call in (
        lambda: records.loads(text, value),
        lambda: records.loads(text, rules=value),
        lambda: records.dumps(Match("short", 3, 1), value),
        lambda: records.dumps(value),
    ):
        with pytest.raises(nardy.NardyError):
            call()
