"""Run the commands that a page shows, and put what they print under them.

    python docs/refresh.py docs/cli.md

A block that begins with ``$ nardy`` is a command and its output. An output that differs in times or
in the version alone is left as it is.
"""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
BLOCK = re.compile(r"(```console\n\$ nardy )([^\n]*)\n(.*?)(```)", re.DOTALL)
TIME = re.compile(r"\d+\.\d+ s\b")
FIELDS = re.compile(r'("(?:seconds|nardy)": )[^,\n]+')
COLOURS = ("FORCE_COLOR", "TTY_COMPATIBLE")


def output(command: str) -> str:
    """Run ``nardy command``; blanks at the ends of lines are dropped."""
    words, _, cut = command.partition(" | head -")
    done = subprocess.run(
        [sys.executable, "-m", "nardy", *shlex.split(words)],
        cwd=ROOT,
        capture_output=True,
        encoding="utf-8",
        env={k: v for k, v in os.environ.items() if k not in COLOURS} | {"PYTHONUTF8": "1"},
        check=False,
    )
    lines = (done.stderr + done.stdout).splitlines()
    return "".join(line.rstrip() + "\n" for line in lines[: int(cut) if cut else None])


def steady(text: str) -> str:
    """Replace times and the version, which are no matter of a page; times may shift a column."""
    text = FIELDS.sub(r"\1...", TIME.sub("... s", text))
    return re.sub(r" +(?=\.\.\. s)", " ", text)


def refresh(page: str) -> str:
    """Run the commands of a page again; an output that is the same stays."""

    def run(block: re.Match[str]) -> str:
        new = output(block[2])
        shown = block[3] if steady(new) == steady(block[3]) else new
        return f"{block[1]}{block[2]}\n{shown}{block[4]}"

    return BLOCK.sub(run, page)


if __name__ == "__main__":
    for name in sys.argv[1:]:
        Path(name).write_text(refresh(Path(name).read_text(encoding="utf-8")), encoding="utf-8")
