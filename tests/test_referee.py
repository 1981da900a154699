"""Bots as programs: legal games end by themselves, and whoever fails loses with a reason."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import nardy
from nardy import InvalidArgument, Match, records
from nardy.records import Record
from nardy.referee import Bot, BotError, Referee

ROOT = Path(__file__).resolve().parent.parent
RANDOM = f"{sys.executable} {ROOT / 'examples' / 'bot.py'}"


def script(tmp_path, name, body):
    """A bot that answers what `body` sets as `answer`."""
    file = tmp_path / f"{name}.py"
    head = "import json, sys, time\nfor line in sys.stdin:\n    q = json.loads(line)\n"
    head += "    if q['type'] != 'ask': continue\n"
    file.write_text(head + body + "\n    print(json.dumps(answer), flush=True)\n")
    return f"{sys.executable} {file}"


def contest(match, first, second, seconds=20.0, games=1):
    with Bot(first, seconds) as one, Bot(second, seconds) as two:
        referee = Referee(match, (one, two))
        referee.play(games)
        processes = [one.process, two.process]
    assert all(process is None or process.poll() is not None for process in processes)
    return referee


@pytest.mark.parametrize("variant", ["short", "long", "long_fnr", "mad_gulbar", "old_english"])
def test_random_bots_play_legal_games(variant):
    match = Match(variant, None, 5)
    referee = contest(match, f"{RANDOM} 1", f"{RANDOM} 2", games=2)
    assert referee.losses == []
    assert [game.result is not None for game in match.games] == [True, True]
    assert records.loads(records.dumps(match)) == Record(match)
    again = Match(variant, None, 5)
    contest(again, f"{RANDOM} 1", f"{RANDOM} 2", games=2)
    assert again == match


def test_a_match_with_the_cube(tmp_path):
    body = """\
    acts = q["acts"]
    answer = {"act": "offer"} if "offer" in acts else {"act": "drop"}
    if "play" in acts:
        answer = q["plays"][0]"""
    bold = script(tmp_path, "bold", body)
    match = Match("short", 3, 1)
    referee = contest(match, bold, bold)
    assert referee.losses == []
    assert match.over
    assert {game.history[-1].act for game in match.games} <= {"drop", "play"}
    assert any(game.history[-1].act == "drop" for game in match.games)


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("    answer = {'play': '24/1'}", "cannot be played with"),
        ("    answer = {'play': 7}", "expected the text of a play, got 7"),
        ("    answer = {'act': 'offer'}", "expected play, got 'offer'"),
        ("    answer = {'act': 'undo'}", "expected play, got 'undo'"),
        ("    answer = [1, 2]", "no object and no text of a play"),
        ("    answer = 'abracadabra'", "is no play"),
        ("    answer = '1/2 ' * 100000", "longer than"),
        ("    time.sleep(9); answer = 1", "no answer within 0.5 s"),
        ("    sys.exit(3); answer = 1", "it ended with status 3"),
        ("    sys.stdout.close(); time.sleep(1); sys.exit(0)\n    answer = 1", "it (closed|ended)"),
    ],
)
def test_who_fails_loses(tmp_path, body, reason):
    bad = script(tmp_path, "bad", body)
    for seat in (0, 1):
        bots = [f"{RANDOM} 1", f"{RANDOM} 1"]
        bots[seat] = bad
        match = Match("tavla", None, 3)
        referee = contest(match, *bots, seconds=0.5 if "within" in reason else 20.0)
        (loss,) = referee.losses
        assert (loss.game, loss.player) == (1, seat)
        assert re.search(reason, loss.reason)
        assert match.game.result.winner == 1 - seat
        assert match.game.result.kind == 1


def test_a_bot_that_cannot_start_loses_every_game():
    match = Match("short", 3, 0)
    referee = contest(match, "no-such-program", f"{RANDOM} 1")
    assert match.result.winner == 1
    assert [loss.game for loss in referee.losses] == [1, 2, 3]
    assert "cannot be started" in referee.losses[0].reason


def test_a_bot_that_fell_is_started_again(tmp_path):
    once = tmp_path / "once"
    body = f"""\
    import os
    if not os.path.exists({str(once)!r}):
        open({str(once)!r}, "w").close()
        sys.exit(1)
    answer = q["plays"][0] if "play" in q["acts"] else {{"act": "roll"}}"""
    shaky = script(tmp_path, "shaky", body)
    match = Match("tavla", None, 4)
    referee = contest(match, shaky, f"{RANDOM} 1", games=2)
    assert [loss.game for loss in referee.losses] == [1]
    assert match.games[1].history[-1].act == "play"


def test_questions_say_what_a_bot_needs(tmp_path):
    log = tmp_path / "log"
    body = f"""\
    with open({str(log)!r}, "a") as file: file.write(line)
    answer = q["plays"][0] if "play" in q["acts"] else {{"act": "take"}}
    if "roll" in q["acts"]: answer = {{"act": "roll"}}"""
    watcher = script(tmp_path, "watcher", body)
    offers = script(
        tmp_path,
        "offers",
        """\
    acts = q["acts"]
    answer = {"act": "offer" if "offer" in acts else "roll"}
    if "play" in acts: answer = q["plays"][-1]
    if "take" in acts: answer = {"act": "take"}""",
    )
    match = Match("short", 3, 2)
    contest(match, watcher, offers)
    questions = [json.loads(line) for line in log.read_text().splitlines()]
    assert {tuple(q["acts"]) for q in questions} >= {("play",), ("take", "drop")}
    for q in questions:
        here = nardy.Position.from_text(q["position"])
        assert q["on_roll"] == ("take" not in q["acts"])
        if "play" in q["acts"]:
            assert q["plays"] == [str(play) for play in here.plays(*q["dice"])]
            context = nardy.Context.from_text(q["context"])
            assert context.position == here
            assert context.dice == tuple(q["dice"])
            assert list(context.score) == q["score"]
            assert (context.cube_value, context.cube_owner) == (
                q["cube"]["value"],
                q["cube"]["owner"],
            )


def test_bad_commands():
    for command, reason in (("", "got nothing"), ('"open', "cannot be read")):
        with pytest.raises(InvalidArgument, match=reason):
            Bot(command, 1.0)
    with pytest.raises(BotError, match="cannot be started"):
        Bot("/", 1.0).start()


def test_the_command_line(tmp_path):
    file = tmp_path / "match.mat"
    options = ["--length", "1", "--seed", "9", "--save", str(file), "--json"]
    done = subprocess.run(
        [sys.executable, "-m", "nardy", "referee", f"{RANDOM} 1", f"{RANDOM} 2", *options],
        capture_output=True,
        text=True,
        check=True,
    )
    data = json.loads(done.stdout)
    record = records.read(file)
    assert data["score"] == list(record.score)
    assert data["losses"] == []
    assert data["seed"] == 9
    told = subprocess.run(
        [sys.executable, "-m", "nardy", "referee", f"{RANDOM} 1", f"{RANDOM} 2", *options[:4]],
        capture_output=True,
        text=True,
        check=True,
    )
    assert told.stdout.splitlines()[-1] == "seed 9"


def test_who_talks_unasked_and_never_reads_is_played_out(tmp_path):
    flood = tmp_path / "flood.py"
    flood.write_text("while True: print('24/1', flush=True)\n")
    match = Match("tavla", None, 6)
    referee = contest(match, f"{sys.executable} {flood}", f"{RANDOM} 1", games=150)
    assert len(match.games) == 150  # far more than the pipe of the flood holds
    assert {loss.player for loss in referee.losses} == {0}
    assert all(game.result.winner == 1 for game in match.games)


def test_who_never_reads_nor_ends_is_left():
    bot = Bot(f'{sys.executable} -c "import time; time.sleep(60)"', 5.0)
    bot.start()
    for _ in range(990):
        bot.tell({"type": "game", "long": "x" * 1000})
    assert bot.process is not None
    for _ in range(200):  # the pipe has taken some
        bot.tell({"type": "game", "long": "x" * 1000})
    assert bot.process is None
    with pytest.raises(BotError, match="it does not run"):
        bot._send({"type": "game"})


def test_a_child_that_keeps_the_pipes_holds_nobody_up(tmp_path):
    late, pid = tmp_path / "late", tmp_path / "pid"
    child = f"import time; time.sleep(20); open({str(late)!r}, 'w').close()"
    body = f"""\
    import subprocess
    kept = subprocess.Popen([sys.executable, "-c", {child!r}], start_new_session=True)
    with open({str(pid)!r}, "w") as file: file.write(str(kept.pid))
    sys.exit(3)"""
    match = Match("tavla", None, 3)
    referee = contest(match, script(tmp_path, "parent", body), f"{RANDOM} 1", seconds=5.0)
    os.kill(int(pid.read_text()), signal.SIGTERM)
    assert referee.losses[0].reason == "it ended with status 3"
    assert not late.exists()


def test_children_are_ended_with_their_bot(tmp_path):
    late, ready = tmp_path / "late", tmp_path / "ready"
    child = f"import time; time.sleep(2); open({str(late)!r}, 'w').close()"
    body = f"""\
    import subprocess
    subprocess.Popen([sys.executable, "-c", {child!r}])
    open({str(ready)!r}, "w").close()
    time.sleep(60); answer = 1"""
    bot = Bot(script(tmp_path, "parent", body), 0.7)
    with bot, pytest.raises(BotError, match=r"no answer within 0\.7 s"):
        bot.ask({"type": "ask"})
    time.sleep(2.5)
    assert ready.exists()
    assert not late.exists()


@pytest.mark.parametrize("seconds", [0, -1, float("nan"), float("inf"), 1e300])
def test_bad_times(seconds):
    with pytest.raises(InvalidArgument, match="expected a time for each answer above 0"):
        Bot("bot", seconds)


def test_a_reason_is_short(tmp_path):
    talker = script(tmp_path, "talker", "    answer = {'act': 'x' * 5000}")
    referee = contest(Match("tavla", None, 3), talker, talker)
    assert len(referee.losses[0].reason) == 203
    assert referee.losses[0].reason.startswith("expected play, got 'xxx")


def test_a_game_without_end_is_left_as_it_is(monkeypatch):
    monkeypatch.setattr("nardy.referee.ENOUGH", 5)
    match = Match("tavla", 3, 5)
    referee = contest(match, f"{RANDOM} 1", f"{RANDOM} 2")
    assert referee.losses == []
    assert [(game.turns, game.result) for game in match.games] == [(5, None)]


def test_a_score_beyond_all_measure_costs_nobody_the_game():
    match = Match("short", None, 5)
    match.game._states[0] = match.game._states[0]._replace(cube_value=2**30, cube_turned=True)
    for _ in range(3):
        match.game.resign("koks", player=0)
        match.next_game()
    assert match.score == (0, 3 * 2**30 + 6)
    with pytest.raises(InvalidArgument, match="points from 0 to"):
        match.context()
    referee = contest(match, f"{RANDOM} 1", f"{RANDOM} 2", games=4)
    assert referee.losses == []
    assert match.games[3].history[-1].act == "play"
