"""The command line, called inside this process and as a process of its own."""

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.console import Console
from typer.testing import CliRunner

import nardy
from nardy import VARIANTS, Context, Position
from nardy.cli import tables
from nardy.cli.app import app
from nardy.cli.lines import read_lines, read_position, read_rules
from nardy.notation import parse_xgid
from nardy.rollout import rollout, simulate
from nardy.sheet import rules_sheet
from nardy_core.batch import trace
from nardy_core.errors import NardyError

ROOT = Path(__file__).parent.parent
EXAMPLES = ROOT / "examples"
POSITIONS = EXAMPLES / "positions.txt"
START = "short 24:2 13:5 8:3 6:5 | 24:2 13:5 8:3 6:5"

FILE = """\
# a comment

long 24:15 | 24:15   # start
4HPwATDgc/ABMA
  tavla 4HPwATDgc/ABMA
long 24:16 | 24:15
chess 24:15 | 24:15
long[block=never] 24:14 20:1 | 24:15
long 4HPwATDgc/ABMA
short 6:1 off:14 | 1:1 off:14
"""
GOOD, BAD = [3, 4, 5, 8, 10], [6, 7, 9]


def call(*arguments, stdin=None):
    return CliRunner().invoke(app, list(map(str, arguments)), input=stdin)


def environment(**changes):
    """Without what would colour or widen the output."""
    kept = {k: v for k, v in os.environ.items() if k not in ("FORCE_COLOR", "TTY_COMPATIBLE")}
    return {**kept, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8", **changes}


def process(*arguments, **options):
    options = {"capture_output": True, "text": True, "encoding": "utf-8", **options}
    return subprocess.run(
        [sys.executable, "-m", "nardy", *map(str, arguments)],
        env=environment(), timeout=120, check=False, **options,
    )  # fmt: skip


def document(text):
    """The one JSON document that is the whole text."""

    def refuse(word):
        raise AssertionError(word)

    return json.loads(text, parse_constant=refuse)


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "positions.txt"
    path.write_text(FILE, encoding="utf-8")
    return path


# ------------------------------------------------------------------------------ reading lines


def test_lines():
    good, bad = read_lines(FILE.encode())
    assert [line.number for line in good] == GOOD
    assert [line.number for line in bad] == BAD
    assert good[1].position == Position.start("short")
    assert good[2].position == Position.start("tavla")
    assert good[3].position.rules.block == "never"
    assert "travel" in bad[2].reason


def test_lines_of_other_systems():
    data = (
        b"\xef\xbb\xbflong 24:15 | 24:15\r\n\r\n# \xd0\xbd\xd0\xb0\xd1\x80\xd0\xb4\xd1\x8b\r\n"
        + b"4HPwATDgc/ABMA"
    )
    good, bad = read_lines(data)
    assert [line.number for line in good] == [1, 4]
    assert not bad


@pytest.mark.parametrize(
    "data",
    [b"\xff\xfe\x00", b"\x00", b"short", b"|", b"4HPwATDgc/ABMA 1", b"long[ 24:15 | 24:15",
     b"______________", b"/////////////+", b"short 24:99999999999999999999 | 24:1",
     "short ２4:2 | 24:2".encode()],
)  # fmt: skip
def test_bad_lines(data):
    good, bad = read_lines(b"\n" + data + b"\n" + START.encode())
    assert [line.number for line in good] == [3]
    assert [one.number for one in bad] == [2]
    assert bad[0].reason
    assert "\n" not in bad[0].reason


WORDS = ["long", "short", "tavla[", "cube=", "true]", "24:15", "bar:1", "off:", "|", "#", "9:0"]


@given(st.binary() | st.lists(st.sampled_from(WORDS)).map(lambda words: " ".join(words).encode()))
@settings(deadline=None)
def test_any_bytes(data):
    good, bad = read_lines(data)
    numbers = [one.number for one in (*good, *bad)]
    assert len(set(numbers)) == len(numbers)
    assert all(1 <= number <= len(data.splitlines()) for number in numbers)


@given(st.text(st.sampled_from("ABCDwxyz0189+/"), min_size=14, max_size=14))
@settings(deadline=None)
def test_any_position_id(text):
    good, bad = read_lines(text.encode())
    assert len(good) + len(bad) == 1


def test_position_of_house_rules():
    position = read_position("short[cube=false] 4HPwATDgc/ABMA")
    assert position.rules == nardy.variant("short").replace(cube=False)
    assert read_position(position.text()) == position


@pytest.mark.parametrize(
    "text", ["long", " long ", "long[block=never]", "long[block=never, cube=true]"]
)
def test_rules(text):
    rules = read_rules(text)
    assert rules.name == "long"
    assert rules.block == ("never" if "never" in text else "ahead")


@pytest.mark.parametrize(
    "text", ["", "lng", "six_one", "long[", "long[block]", "long[block=no]", "long[] x"]
)
def test_bad_rules(text):
    with pytest.raises(NardyError):
        read_rules(text)


# ---------------------------------------------------------------------------------- rollout


def test_rollout_table(file):
    done = call("rollout", file, "--trials", 50, "--seed", 1)
    assert done.exit_code == 1
    rows = [line for line in done.stdout.splitlines() if re.match(r" *\d+ ", line)]
    assert [int(row.split()[0]) for row in rows] == GOOD
    assert "long[block=never] 24:14 20:1 | 24:15" in rows[3]
    for word in ("equity", "error", "won %", "lost %", "turns"):
        assert word in done.stdout
    assert "trials 50 for each, policy heuristic, seed 1" in done.stdout
    bad = done.stderr.splitlines()
    assert [re.search(r", line (\d+): ", line)[1] for line in bad] == list(map(str, BAD))
    assert "16 checkers" in bad[0]
    assert "chess" in bad[1]


def test_rollout_json(file):
    done = call("rollout", file, "--trials", 50, "--seed", 1, "--json")
    assert done.exit_code == 1
    read = document(done.stdout)
    assert [one["line"] for one in read["positions"]] == GOOD
    assert [one["line"] for one in read["errors"]] == BAD
    results = rollout([line.position for line in read_lines(FILE.encode())[0]], 50, seed=1)
    for one, result in zip(read["positions"], results, strict=True):
        assert one == {"line": one["line"], **json.loads(json.dumps(result.to_dict()))}


def test_rollout_of_standard_input(file):
    by_name = call("rollout", file, "--trials", 20, "--seed", 1, "--json")
    by_pipe = call("rollout", "-", "--trials", 20, "--seed", 1, "--json", stdin=FILE)
    assert by_pipe.stdout == by_name.stdout
    assert "standard input, line 6: " in by_pipe.stderr


def test_rollout_for_any_threads(file):
    outputs = [
        process("rollout", file, "--trials", 300, "--seed", 1, "--threads", n, "--json").stdout
        for n in (1, 2, 3)
    ]
    assert outputs[0] == outputs[1] == outputs[2]
    assert len(document(outputs[0])["positions"]) == len(GOOD)


def test_rollout_of_good_lines(tmp_path):
    path = tmp_path / "p"
    path.write_text(f"{START}\n")
    done = process("rollout", path, "--trials", 30, "--policy", "random,heuristic")
    assert (done.returncode, done.stderr) == (0, "")
    seed = re.search(r"policy random,heuristic, seed (\d+)", done.stdout)[1]
    result = rollout(START, 30, ("random", "heuristic"), int(seed))
    assert f"{result.equity:+.4f}" in done.stdout


def test_rollout_that_leaves_games_to_the_tables(tmp_path):
    path = tmp_path / "p"
    path.write_text("short 6:1 off:14 | 1:1 off:14\n")
    done = call("rollout", path, "--trials", 2, "--seed", 1, "--truncate", "bearoff")
    assert done.exit_code == 0
    assert "+0.5000  0.0000" in done.stdout
    assert "policy heuristic, truncate bearoff, seed 1" in done.stdout
    wrong = call("rollout", path, "--truncate", "race")
    assert wrong.exit_code != 0
    assert "truncate: expected None or 'bearoff', got 'race'" in wrong.stderr


@pytest.mark.parametrize("content", [b"", b"\n\n", b"# nothing\n"])
def test_rollout_of_nothing(tmp_path, content):
    path = tmp_path / "p"
    path.write_bytes(content)
    done = call("rollout", path)
    assert (done.exit_code, done.stdout) == (1, "")
    assert "holds no position" in done.stderr
    done = call("rollout", path, "--json")
    assert done.exit_code == 1
    assert document(done.stdout)["positions"] == []


@pytest.mark.parametrize("name", ["missing", "."])
def test_rollout_of_no_file(tmp_path, name):
    done = process("rollout", tmp_path / name)
    assert (done.returncode, done.stdout) == (2, "")
    assert re.fullmatch(r"nardy: cannot read .*\n", done.stderr)


def test_rollout_of_bytes_that_are_no_text(tmp_path):
    path = tmp_path / "p"
    path.write_bytes(b"\x89PNG\xff\n" + START.encode() + b"\n")
    done = process("rollout", path, "--trials", 5)
    assert done.returncode == 1
    assert START in done.stdout
    assert done.stderr.endswith("line 1: it is not text in UTF-8\n")


@pytest.mark.parametrize(
    "arguments",
    [
        ("--trials", 0), ("--trials", "x"), ("--threads", 0), ("--seed", -1), ("--seed", 2**64),
        ("--policy", "best"), ("--policy", "random,best"), ("--policy", "random,"), ("--nonsense",),
    ],
)  # fmt: skip
def test_bad_options(file, arguments):
    for command in (("rollout", file), ("simulate", "short")):
        done = call(*command, *arguments)
        assert (done.exit_code, done.stdout) == (2, "")
        assert "Traceback" not in done.stderr
        assert done.stderr


def test_narrow_terminal(monkeypatch, capsys):
    monkeypatch.setattr(tables, "own_console", lambda: Console(width=80, markup=False, emoji=False))
    lines, _ = read_lines(FILE.encode())
    tables.print_rollouts(lines, rollout([line.position for line in lines], 5, seed=1))
    shown = capsys.readouterr().out.splitlines()
    assert shown[0] == "line 3: long 24:15 | 24:15"
    assert len([line for line in shown if "|" in line]) == len(lines)
    assert max(map(len, shown)) <= 80
    assert "won %" in "".join(shown)


# ------------------------------------------------------------------------- other commands


def test_simulate():
    done = process("simulate", "long_fnr", "--games", 500, "--seed", 3, "--policy", "random")
    assert (done.returncode, done.stderr) == (0, "")
    result = simulate("long_fnr", 500, "random", 3)
    assert f"{result.turns.mean:.2f}" in done.stdout
    assert f"longest game {result.turns_max}" in done.stdout
    assert "games 500, policy random, seed 3" in done.stdout


def test_simulate_json():
    texts = [
        process("simulate", "tavla", "--games", 300, "--seed", 3, "--threads", n, "--json").stdout
        for n in (1, 3)
    ]
    assert texts[0] == texts[1]
    read = document(texts[0])
    assert read.pop("nardy") == nardy.__version__
    assert read == json.loads(json.dumps(simulate("tavla", 300, seed=3).to_dict()))


def test_plays():
    done = call("plays", "long 24:15 | 24:15", 6, 4)
    assert done.exit_code == 0
    assert "24/14" in done.stdout
    assert "long 24:15 | 24:14 14:1" in done.stdout


@pytest.mark.parametrize("text", [START, "4HPwATDgc/ABMA", "long 24:1 1:14 | 8:1 1:14"])
def test_plays_json(text):
    position = read_position(text)
    read = document(call("plays", text, 3, 1, "--json").stdout)
    assert read["position"] == position.text()
    assert read["roll"] == [3, 1]
    assert [one["play"] for one in read["plays"]] == [str(play) for play in position.plays(3, 1)]
    for one in read["plays"]:
        assert position.play(3, 1, one["play"]).text() == one["after"]


def test_plays_of_a_stage():
    read = document(call("plays", "mad_gulbar 24:1 1:14 | 8:1 1:14", 5, 5, "--json").stdout)
    assert read["first_stage"] is True
    assert [one["after"] for one in read["plays"]] == ["mad_gulbar 14:1 1:14 | 8:1 1:14"]


def test_no_play():
    read = document(call("plays", "mad_gulbar 24:1 1:14 | 8:1 1:14", 4, 4, "--json").stdout)
    assert [one["play"] for one in read["plays"]] == ["pass"]


@pytest.mark.parametrize(
    "arguments", [("", 1, 2), ("long 24:15", 1, 2), (START, 0, 1), (START, 1, 7), (START, 1)]
)
def test_bad_plays(arguments):
    done = call("plays", *arguments)
    assert (done.exit_code, done.stdout) == (2, "")


def test_perft():
    done = call("perft", "short", 2)
    assert done.exit_code == 0
    counts = [line.split()[2] for line in done.stdout.splitlines()]
    assert counts == ["447", "202,782"]
    read = document(call("perft", "long[block=never]", 2, "--json").stdout)
    assert read["variant"] == "long[block=never]"
    start = nardy.batch.start("long")[0]
    for one in read["counts"]:
        assert one["count"] == nardy.batch.perft(
            read_rules("long[block=never]"), start, one["depth"]
        )


@pytest.mark.parametrize("arguments", [("short", 0), ("short", "x"), ("chess", 1), ("six_one", 1)])
def test_bad_perft(arguments):
    done = call("perft", *arguments)
    assert (done.exit_code, done.stdout) == (2, "")


@pytest.mark.parametrize("name", VARIANTS)
def test_rules_of_every_game(name):
    assert call("rules", name).stdout == rules_sheet(VARIANTS[name])
    read = document(call("rules", name, "--json").stdout)
    fields = VARIANTS[name].asdict()
    assert read["fields"] == json.loads(json.dumps(fields))
    assert read["sheet"] == rules_sheet(VARIANTS[name])


def test_rules_of_a_house():
    assert "may never be blocked" in call("rules", "long[block=never]").stdout


def test_list_of_rules():
    listed = call("rules").stdout
    read = document(call("rules", "--json").stdout)["variants"]
    assert [one["name"] for one in read] == list(VARIANTS)
    for rules in VARIANTS.values():
        assert rules.title in listed
        assert rules.source in listed


@pytest.mark.parametrize("command", ["rules", "simulate", "perft"])
def test_unknown_game(command):
    done = process(command, "lng", *(["1"] if command == "perft" else []))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "nardy: no variant is named 'lng'; did you mean 'long'?\n"


# ------------------------------------------------------------------------------ the program


def test_version():
    done = process("--version")
    assert (done.returncode, done.stdout) == (0, f"nardy {nardy.__version__}\n")


def test_help():
    done = process("--help")
    assert done.returncode == 0
    for command in ("rollout", "simulate", "plays", "perft", "rules"):
        assert command in done.stdout
        assert process(command, "--help").returncode == 0


@pytest.mark.parametrize("hidden", ["typer", "rich"])
def test_without_the_extra(hidden):
    code = (
        f"import sys; sys.modules[{hidden!r}] = None\nfrom nardy.cli import main; sys.exit(main())"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, "rules"],
        env=environment(), capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        "nardy's command line needs typer and rich: pip install '.[cli]' in a clone\n"
    )


@pytest.mark.skipif(os.name != "posix", reason="a shell closes the streams")
@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", ">&- 2>&-"])
def test_closed_streams(file, closed):
    line = f'"{sys.executable}" -m nardy rollout "{file}" --trials 5 {closed}'
    done = subprocess.run(
        ["/bin/sh", "-c", line], env=environment(), capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert bool(done.stdout) == (not closed.startswith(">"))


def test_closed_pipe():
    reader, writer = os.pipe()
    os.close(reader)
    done = process("rules", capture_output=False, stdout=writer, stderr=subprocess.PIPE)
    os.close(writer)
    assert "Traceback" not in done.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_full_disk():
    with open("/dev/full", "w") as full:
        done = process("rules", "long", capture_output=False, stdout=full, stderr=subprocess.PIPE)
    assert done.returncode != 0
    assert "Traceback" not in done.stderr


def hear_ctrl_c():
    """Hear SIGINT in a child, which a suite in the background may have ignored."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def in_terminal(*arguments, until=None, stop=None):
    """Run with a terminal as standard error: (status, standard output, what the terminal got).

    As soon as the terminal has got the bytes `until`, the signal `stop` is sent.
    """
    pty = pytest.importorskip("pty", reason="no pseudo-terminals here")
    master, slave = pty.openpty()
    run = subprocess.Popen(
        [sys.executable, "-m", "nardy", *map(str, arguments)],
        env=environment(TERM="xterm", COLUMNS="100"),
        stdout=subprocess.PIPE, stderr=slave, stdin=subprocess.DEVNULL,
        preexec_fn=hear_ctrl_c,
    )  # fmt: skip
    os.close(slave)
    seen = b""
    while True:
        try:
            part = os.read(master, 4096)
        except OSError:  # the other end is closed
            break
        if not part:
            break
        seen += part
        if until is not None and until in seen:
            run.send_signal(stop)
            until = None
    out = run.communicate(timeout=120)[0]
    os.close(master)
    return run.returncode, out.decode(), seen.decode()


def test_progress_bar(file):
    arguments = ("rollout", file, "--trials", 200, "--seed", 1, "--json")
    status, out, terminal = in_terminal(*arguments)
    assert status == 1
    assert f"{200 * len(GOOD)}/{200 * len(GOOD)}" in terminal
    assert "line 6" in terminal
    piped = process(*arguments)
    assert out == piped.stdout
    assert len(piped.stderr.splitlines()) == len(BAD)
    assert "━" not in piped.stderr


@pytest.mark.parametrize("threads", [1, 2])
def test_interrupt(threads):
    status, out, terminal = in_terminal(
        "simulate", "long", "--games", 10**9, "--threads", threads,
        until=b"games", stop=signal.SIGINT,
    )  # fmt: skip
    assert (status, out) == (130, "")
    assert "Traceback" not in terminal
    assert "nardy: stopped" in terminal


# --------------------------------------------------------------------- examples and the docs


def test_positions_of_the_examples():
    good, bad = read_lines(POSITIONS.read_bytes())
    assert not bad
    assert len(good) >= 33
    games = [line.position.rules.name for line in good]
    assert {name for name in VARIANTS if games.count(name) >= 3} == set(VARIANTS)
    assert len({line.position for line in good}) == len(good)
    text = POSITIONS.read_text(encoding="utf-8").splitlines()
    for line in good:
        source = text[line.number - 1].partition("#")[2].strip()
        assert re.match(r"start|opening|rule case|after rule case|self-play|recorded match|.*gnubg|"
                        r".*GNU Backgammon", source), line.number  # fmt: skip


def test_positions_of_self_play():
    """What the comments say is true of the heuristic as it is: a new one needs new positions."""
    good, _ = read_lines(POSITIONS.read_bytes())
    text = POSITIONS.read_text(encoding="utf-8").splitlines()
    found = 0
    for position, comment in ((line.position, text[line.number - 1]) for line in good):
        said = re.search(r"self-play, seed (\d+), game (\d+), before stage (\d+)", comment)
        if said:
            seed, game, stage = map(int, said.groups())
            story, _ = trace(position.rules, seed=seed, game=game, policy="heuristic")
            assert Position(position.rules, story[stage - 1].before) == position, comment
            found += 1
    assert found >= 10


def test_rollout_of_the_examples():
    done = process("rollout", POSITIONS, "--trials", 10, "--seed", 1, "--json")
    assert (done.returncode, done.stderr) == (0, "")
    assert len(document(done.stdout)["positions"]) >= 33


@pytest.mark.parametrize(
    ("script", "arguments"),
    [
        ("boards.py", []),
        ("bulk_rollout.py", ["long", "6", "5", "10"]),
        ("house_rule.py", ["20"]),
        ("random_game.py", ["mad_gulbar", "2"]),
    ],
)
def test_example_scripts(script, arguments):
    done = subprocess.run(
        [sys.executable, EXAMPLES / script, *arguments],
        env=environment(), capture_output=True, text=True, encoding="utf-8", check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout


def test_every_example_script_is_run():
    run_here = {"boards.py", "bulk_rollout.py", "house_rule.py", "random_game.py"}
    run_by_the_referee = {"bot.py"}  # tests/test_referee.py
    assert {path.name for path in EXAMPLES.glob("*.py")} == run_here | run_by_the_referee


def test_the_random_game_is_short():
    """Twenty lines, as the README says."""
    assert len((EXAMPLES / "random_game.py").read_text().splitlines()) <= 20


# ------------------------------------------------------------------------------ races, bear-off


def test_race():
    """27 of 36 rolls, as everywhere."""
    done = call("race", "short 6:1 off:14 | 1:2 off:13")
    assert done.exit_code == 0
    lines = done.stdout.splitlines()
    assert re.fullmatch(r"wins % +75\.00 +25\.00 *", lines[2])
    assert "equity +0.5000" in lines[-1]


def test_race_as_json():
    document = json.loads(call("race", "short off:15 | 6:15", "--json").stdout)
    assert document["equity"] == 2
    assert document["opponent_mean"] is None
    drawn = json.loads(call("race", "long_fnr off:15 | off:15", "--json").stdout)
    assert drawn["draw"] == 1


def test_race_with_a_draw():
    """One checker each, off with any roll: the last turn of the second makes a draw."""
    done = call("race", "long_fnr 1:1 off:14 | 1:1 off:14")
    assert re.search(r"draw % +100\.00 +100\.00", done.stdout)
    assert "equity +0.0000" in done.stdout


def test_no_race():
    done = call("race", START)
    assert done.exit_code == 2
    assert f"'{START}' is no race yet" in done.stderr


BLOG = "XGID=----AA--------------aa-a--:2:-1:-1:00:4:3:0:9:10"
"""XG's ID of a race; its page says 11 pips against 9 (docs/notation.md)."""
RACE = "short 5:1 4:1 2:1 off:12 | 5:1 4:1 off:13"


@pytest.mark.parametrize(
    "text",
    [
        BLOG,
        Context.from_text(RACE).ogid(),
        Context.from_text(RACE).position_id(),
        f"{Context.from_text(RACE).position_id()}:{parse_xgid(BLOG).match_id()}",
        f"{RACE}; cube 4 me; match 9; score 3-4",
    ],
)
def test_positions_in_every_notation(text):
    """Commands take the position of a context; dice, cube and score do not count."""
    assert read_position(text).text() == RACE
    assert json.loads(call("race", text, "--json").stdout)["position"] == RACE
    rolled = json.loads(call("rollout", "-", "--trials", "4", "--json", stdin=text).stdout)
    assert [one["position"] for one in rolled["positions"]] == [RACE]
    assert json.loads(call("plays", text, 6, 5, "--json").stdout)["position"] == RACE


def test_a_position_in_place_of_a_file():
    done = call("rollout", START)
    assert done.exit_code == 2
    assert "a position itself is read from standard input" in done.stderr


def test_convert_into_what_there_is_not():
    done = call("convert", START, "xg")
    assert done.exit_code == 2
    assert "expected a .mat or .jsonl, or one of text, xgid, gnubg, ogid, got 'xg'" in done.stderr


def test_bearoff_show():
    done = call("bearoff", "show", "short 3:1 off:14 | 1:3 off:12", "--json")
    document = json.loads(done.stdout)
    assert document["on_roll"]["distribution"][:2] == pytest.approx([0, 1])
    assert document["opponent"]["mean"] == pytest.approx(11 / 6)
    text = call("bearoff", "show", "short 3:1 off:14 | 1:3 off:12").stdout
    assert re.search(r"2 +0\.00 +83\.33", text)
    assert re.search(r"effective pips +8\.17 +14\.97", text)
    assert call("bearoff", "show", "short bar:1 6:14 | 1:15").exit_code == 2


def test_races_that_never_end():
    """Seven checkers on 7 to 1, one to a point: no step is open. JSON has no infinity."""
    rules = "short[max_per_point=1,start=18:1+19:1+20:1+21:1+22:1+23:1+24:1]"
    text = rules + " 1:1 off:6 | 1:1 2:1 3:1 4:1 5:1 6:1 7:1"
    document = json.loads(call("race", text, "--json").stdout)
    assert (document["win"], document["mean"], document["opponent_mean"]) == (1, 1, None)
    shown = json.loads(call("bearoff", "show", text, "--json").stdout)
    assert shown["opponent"]["mean"] is shown["opponent"]["epc"] is None
    assert set(shown["opponent"]["distribution"]) == {0}
    assert shown["on_roll"]["distribution"] == [0, 1]
    locked = "1:1 2:1 3:1 4:1 5:1 6:1 7:1"
    neither = call("race", f"{rules} {locked} | {locked}").stdout
    assert re.search(r"wins % +0\.00 +0\.00", neither)


def test_bearoff_build(tmp_path, monkeypatch):
    monkeypatch.setenv("NARDY_CACHE", str(tmp_path))
    done = call("bearoff", "build", "tavla", "--points", 4, "--checkers", 5, "--json")
    document = json.loads(done.stdout)
    assert document["entries"] == 126
    assert Path(document["file"]).parent.parent == tmp_path
    done = call("bearoff", "build", "short", "--two-sided", "--checkers", 2)
    assert "784 entries" in done.stdout
    assert len(list((tmp_path / "bearoff").iterdir())) == 2
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("NARDY_CACHE", str(tmp_path / "file"))
    assert "not kept" in call("bearoff", "build", "tavla", "--points", 3).stdout
    assert call("bearoff", "build", "chess").exit_code == 2
    assert call("bearoff", "build", "short", "--points", 20).exit_code == 2
