"""Positions and games as a user writes them."""

import re
import sys
from collections.abc import Callable
from typing import BinaryIO, NamedTuple

from nardy.context import Context
from nardy.notation import parse_gnubg, parse_ogid, parse_xgid
from nardy.position import Position
from nardy.text import read_rules
from nardy.variants import variant
from nardy_core.errors import NardyError
from nardy_core.rules import Rules

PART = 2**20
"""Bytes that are read at once."""

ID_READERS: dict[str, Callable[[str, Rules], Context]] = {
    r"(?i:XGID=)": parse_xgid,
    r"(?i:OGID=)|[0-9a-q]*:[0-9a-q]*:[BNW]": parse_ogid,
    r"[A-Za-z0-9+/]{14}(:[A-Za-z0-9+/]{12})?$": lambda text, rules: parse_gnubg(text, rules=rules),
}
"""How the IDs of contexts begin, and who reads them."""


class Line(NamedTuple):
    """A position and the number of its line in the file."""

    number: int
    position: Position


class BadLine(NamedTuple):
    """The number of a line that holds no position, and why."""

    number: int
    reason: str


def read_source(name: str) -> bytes:
    """Bytes of a file, or of standard input for ``-``."""
    if name != "-":
        with open(name, "rb") as file:
            return read_parts(file)
    if sys.stdin is None:
        msg = "it is closed"
        raise OSError(msg)
    return read_parts(sys.stdin.buffer)


def read_parts(stream: BinaryIO) -> bytes:
    """Read a stream to its end in parts: Ctrl-C is answered between them."""
    return b"".join(iter(lambda: stream.read(PART), b""))


def read_lines(data: bytes) -> tuple[list[Line], list[BadLine]]:
    """One position a line; ``#`` starts a comment, empty lines are skipped."""
    good: list[Line] = []
    bad: list[BadLine] = []
    for number, raw in enumerate(data.removeprefix(b"\xef\xbb\xbf").splitlines(), start=1):
        try:
            text = raw.decode("utf-8").partition("#")[0].strip()
            if text:
                good.append(Line(number, read_position(text)))
        except UnicodeDecodeError:
            bad.append(BadLine(number, "it is not text in UTF-8"))
        except NardyError as error:
            bad.append(BadLine(number, one_line(error)))
    return good, bad


def read_position(text: str) -> Position:
    """Parse a position in any notation of a context; only where the checkers stand is kept."""
    return read_context(text).position


def read_context(text: str) -> Context:
    """Parse a context in any notation; before an ID may stand the name of its game."""
    *game, last = text.split() or [""]
    reader = next((read for form, read in ID_READERS.items() if re.match(form, last)), None)
    if reader is None or "|" in text:
        return Context.from_text(text)
    return reader(last, read_rules(" ".join(game)) if game else variant("short"))


def one_line(error: Exception) -> str:
    """Join the message of an error into one line."""
    return " ".join(str(error).split())
