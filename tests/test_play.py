"""`nardy play` in a pseudo-terminal: a whole game typed, and everything else one may type."""

import contextlib
import os
import pty
import re
import select
import signal
import subprocess
import sys
import time

import pytest

import nardy
from nardy import records
from nardy.cli.lines import read_parts


class Terminal:
    """A program that believes a person watches it."""

    def __init__(self, *arguments):
        self.master, slave = pty.openpty()
        self.process = subprocess.Popen(
            [sys.executable, "-m", "nardy", *arguments],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            close_fds=True,
            start_new_session=True,
        )
        os.close(slave)
        self.text = ""

    def read_until(self, pattern, seconds=60):
        """The text up to and with a pattern, which must come."""
        end = time.monotonic() + seconds
        while not re.search(pattern, self.text):
            ready, _, _ = select.select([self.master], [], [], max(0.0, end - time.monotonic()))
            assert ready, f"no {pattern!r} in {self.text[-2000:]!r}"
            try:
                data = os.read(self.master, 65536)
            except OSError:  # the other side is closed
                data = b""
            assert data, f"ended without {pattern!r}: {self.text[-2000:]!r}"
            self.text += data.decode().replace("\r\n", "\n")
        found = re.search(pattern, self.text)
        seen, self.text = self.text[: found.end()], self.text[found.end() :]
        return seen

    def type(self, line):
        os.write(self.master, f"{line}\n".encode())

    def ask(self, line, pattern):
        self.type(line)
        return self.read_until(pattern)

    def interrupt(self):
        """Ctrl-C, again each second: one between a prompt and the read waits for the next key."""
        for _ in range(30):
            self.process.send_signal(signal.SIGINT)
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(1)
                break
        return self.end()

    def end(self):
        try:
            while os.read(self.master, 65536):
                pass
        except OSError:
            pass
        status = self.process.wait(30)
        os.close(self.master)
        return status


@pytest.fixture
def terminal():
    opened = []

    def start(*arguments):
        opened.append(Terminal(*arguments))
        return opened[-1]

    yield start
    for one in opened:
        if one.process.poll() is None:
            one.process.kill()
            one.process.wait()


PROMPT = r"(?:\d-\d, )?(?:play|roll|take)[a-z ]*> $"


@pytest.mark.parametrize("variant", ["long", "tavla", "mad_gulbar", "short"])
def test_a_whole_game(terminal, tmp_path, variant):
    """Always the first play of the list: the game ends, and its record is legal."""
    file = tmp_path / "game.jsonl"
    screen = terminal("play", variant, "--opponent", "random", "--seed", "6", "--save", str(file))
    assert "help tells" in screen.read_until("help tells")
    for _ in range(2000):
        seen = screen.read_until(rf"{PROMPT}|you (?:win|lose), \d|a draw")
        if "you win" in seen or "you lose" in seen:
            break
        assert "Traceback" not in seen
        screen.type("" if "roll" in seen.splitlines()[-1] else "1")
    screen.read_until("point")
    assert screen.end() == 0
    record = records.read(file)
    (game,) = record.games
    assert game.result.winner == int("you lose" in seen)
    assert record.players == ("you", "nardy random")


def test_what_can_be_typed(terminal, tmp_path):
    screen = terminal("play", "long", "--seed", "2", "--opponent", "heuristic")
    screen.read_until(PROMPT)
    assert "24/18(2)" not in screen.ask("help", PROMPT).splitlines()[-1]
    seen = screen.ask("24/1", PROMPT)
    assert "cannot be played with" in seen
    assert "expected the number of a play" in screen.ask("99", PROMPT)
    assert "is no play" in screen.ask("what is this", PROMPT)
    assert "the heuristic plays" in screen.ask("hint", PROMPT)
    assert "1  " in screen.ask("plays", PROMPT)
    assert "cannot roll: player 0 is to play" in screen.ask("roll", PROMPT)
    assert "cannot take" in screen.ask("take", PROMPT)
    assert "expected the name of a file" in screen.ask("save", PROMPT)
    nowhere = tmp_path / "none" / "x.jsonl"
    assert f"cannot write: {nowhere}:" in screen.ask(f"save {nowhere}", PROMPT).replace("\r\n", "")
    assert "nothing of yours" in screen.ask("undo", PROMPT)
    assert "X" in screen.ask("board", PROMPT)
    assert "expected 'single', 'mars' or 'koks'" in screen.ask("resign half", PROMPT)
    file = tmp_path / "x.jsonl"
    assert f"saved to {file}" in screen.ask(f"save {file}", PROMPT)
    before = records.read(file)
    screen.ask("1", PROMPT)
    assert len(records.read(file).games[0].history) > len(before.games[0].history)
    assert screen.ask("undo", PROMPT).count("X is on roll") == 1
    screen.type("quit")
    screen.read_until("stopped")
    assert screen.end() == 0
    assert records.read(file) == before

    again = terminal("play", "long", "--save", str(file))
    again.read_until(PROMPT)
    again.type("resign mars")
    seen = again.read_until(r"you lose, 2 points \(mars\)")
    assert again.end() == 0
    assert records.read(file).games[0].result.points == 2


def test_the_cube_at_the_terminal(terminal):
    """Offers are in turn before the roll; the other answers them."""
    screen = terminal("play", "short", "--seed", "1", "--length", "3", "--opponent", "random")
    seen = screen.read_until(PROMPT)
    for _ in range(40):
        last = seen.splitlines()[-1]
        if "offer" in last:
            break
        seen = screen.ask("1", PROMPT)
    assert "cube" in screen.ask("offer", rf"{PROMPT}|you win, 1 point") or screen.text
    screen.type("quit")
    assert screen.end() == 0


def test_end_of_input_and_ctrl_c(terminal):
    screen = terminal("play", "tavla", "--seed", "3")
    screen.read_until(PROMPT)
    os.write(screen.master, b"\x04")
    screen.read_until("stopped")
    assert screen.end() == 0
    screen = terminal("play", "tavla", "--seed", "3")
    screen.read_until(PROMPT)
    assert screen.interrupt() == 130


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("chess",), "no variant is named 'chess'"),
        (("long", "--opponent", "me"), "expected 'heuristic' or 'random', got 'me'"),
    ],
)
def test_bad_arguments(terminal, arguments, reason):
    screen = terminal("play", *arguments)
    screen.read_until(re.escape(reason))
    assert screen.end() == 2


def test_a_file_of_another_game(terminal, tmp_path):
    file = tmp_path / "game.jsonl"
    screen = terminal("play", "long", "--seed", "1", "--save", str(file))
    screen.read_until(PROMPT)
    screen.type("1")
    screen.read_until(PROMPT)
    screen.type("quit")
    assert screen.end() == 0
    screen = terminal("play", "tavla", "--save", str(file))
    screen.read_until("holds a game of long, not of tavla")
    assert screen.end() == 2


def typed(*arguments, data=b"", **environment):
    """The command line with bytes typed by a program; its status and what it says."""
    done = subprocess.run(
        [sys.executable, "-m", "nardy", *arguments],
        input=data, capture_output=True, check=False, timeout=60,
        env=os.environ | environment,
    )  # fmt: skip
    return done.returncode, (done.stdout + done.stderr).decode("utf-8", "replace")


def test_a_file_that_cannot_hold_the_game_is_refused_before_it_is_played(tmp_path):
    status, said = typed("play", "long", "--save", str(tmp_path / "x.mat"), data=b"1\n")
    assert status == 2
    assert said.startswith("nardy: .mat files hold games")
    missing = str(tmp_path / "no" / "x.jsonl")
    status, said = typed("play", "long", "--save", missing, data=b"1\n")
    assert (status, said) == (2, f"nardy: cannot write: {missing}: No such file or directory\n")


@pytest.mark.parametrize("encoding", ["ascii", "utf-8", "ascii:strict"])
def test_bytes_that_are_no_text_are_explained(encoding):
    data = b"\xff\xfe 24/18\nquit\n"
    status, said = typed("play", "long", "--seed", "1", data=data, PYTHONIOENCODING=encoding)
    assert status == 0
    assert "is no play: expected from/to" in said
    assert "Traceback" not in said


def test_names_that_the_terminal_lacks_are_written_as_escapes(tmp_path):
    file = tmp_path / "x.jsonl"
    records.write(file, records.Record(nardy.Match("short", 3, 1), ("Ёж", "Ann")))
    status, said = typed("replay", str(file), PYTHONIOENCODING="latin-1")
    assert status == 0
    assert "match to 3, 1 game, \\u0401\\u0436 0 - 0 Ann" in said


def test_words_of_convert(tmp_path):
    status, said = typed("convert", str(tmp_path), "text")
    assert (status, said) == (2, f"nardy: cannot read {tmp_path}: Is a directory\n")
    status, said = typed("convert", "match.jsonl", "xgid")
    assert status == 2
    assert said.startswith("nardy: IN: expected contexts for xgid; match.jsonl is a record")
    status, said = typed("convert", "short 6:1 | 6:1", "pdf")
    assert "OUT: expected a .mat or .jsonl, or one of text, xgid, gnubg, ogid, got 'pdf'" in said


@pytest.mark.parametrize(
    ("context", "drawn"),
    [
        ("long 24:15 | 24:15", False),
        ("short 6:2 | 6:2", True),
        ("short 6:2 | 6:2; match 1", False),
        ("short 6:2 | 6:2; match 3; score 2-0; crawford", False),
        ("short 6:2 | 6:2; match 3; score 2-0", True),
    ],
)
def test_a_cube_is_drawn_only_where_there_is_one(context, drawn):
    status, picture = typed("show", context, "--svg", "-")
    assert status == 0
    assert ("; cube at 1" in picture) == drawn


class Endless:
    """A stream without an end, which somebody stops after its third part."""

    def __init__(self):
        self.parts = 0

    def read(self, size=-1):
        assert 0 < size <= 2**20  # the interpreter hears no signal within one read
        self.parts += 1
        if self.parts == 3:
            raise KeyboardInterrupt
        return bytes(size)


def test_an_endless_input_can_be_stopped():
    endless = Endless()
    with pytest.raises(KeyboardInterrupt):
        read_parts(endless)
    assert endless.parts == 3
