"""Records of matches: read, written, and replayed before the referee.

Two formats: ``.mat`` (Jellyfish), which most backgammon programs know and which holds the short
family; and ``.jsonl``, one line an act, which holds every game of the library.
"""

import os
import tempfile
from pathlib import Path

from nardy.match import Match
from nardy.records import jsonl, mat
from nardy.records.record import Record, RecordError
from nardy.text import read_rules
from nardy_core.errors import InvalidArgument
from nardy_core.rules import Rules

__all__ = ["FORMATS", "Record", "RecordError", "dumps", "loads", "read", "write"]

FORMATS = ("mat", "jsonl")
"""What a record can be written as; also the ends of the names of its files."""


def loads(
    data: str | bytes, form: str | None = None, *, rules: Rules | str | None = None
) -> Record:
    """Read a record; every act is done again before the referee.

    Parameters
    ----------
    data : str or bytes
        The whole record.
    form : {"mat", "jsonl"}, optional
        Its format. Default: what it looks like.
    rules : Rules or str, optional
        The game of a ``.mat`` that does not name it. Default: short.

    Returns
    -------
    Record
        Players, games and results.

    Raises
    ------
    RecordError
        If it is no record, or where it is illegal; the message names line, game and turn.

    Examples
    --------
    >>> from nardy import records
    >>> text = '''
    ...  1 point match
    ...
    ...  Game 1
    ...  Ann : 0                        Bob : 0
    ...   1) 31: 8/5 6/5                 66: 24/18(2) 13/7(2)
    ...       Wins 1 point
    ... '''
    >>> record = records.loads(text)
    >>> record.players, record.games[0].result.winner
    (('Ann', 'Bob'), 0)
    """
    text = decoded(data)
    if form is None:
        form = "jsonl" if text.lstrip().startswith("{") else "mat"
    if form == "jsonl":
        return jsonl.loads(text)
    if form == "mat":
        return mat.loads(text, read_rules(rules) if isinstance(rules, str) else rules)
    raise unknown(form)


def dumps(record: Record | Match, form: str = "jsonl") -> str:
    """Write a record as text.

    Parameters
    ----------
    record : Record or Match
        What was played.
    form : {"mat", "jsonl"}
        The format.

    Returns
    -------
    str
        The text, its lines ended by a line feed.

    Raises
    ------
    InvalidArgument
        If there is no such format, or it cannot hold this game.
    """
    whole = Record(record) if isinstance(record, Match) else record
    if form == "jsonl":
        return jsonl.dumps(whole)
    if form == "mat":
        return mat.dumps(whole)
    raise unknown(form)


def read(
    path: str | os.PathLike[str], form: str | None = None, *, rules: Rules | str | None = None
) -> Record:
    """Read a file, see `loads`.

    Parameters
    ----------
    path : str or path
        The file; its format is told by what is in it.
    form : {"mat", "jsonl"}, optional
        Its format.
    rules : Rules or str, optional
        The game of a ``.mat`` that does not name it. Default: short.

    Returns
    -------
    Record
        Players, games and results.

    Raises
    ------
    OSError
        If it cannot be read.
    RecordError
        If it is no record, or where it is illegal; the message names line, game and turn.
    """
    return loads(Path(path).read_bytes(), form, rules=rules)


def write(path: str | os.PathLike[str], record: Record | Match, form: str | None = None) -> None:
    """Write a file, see `dumps`. An old one is replaced at once, or not at all.

    Parameters
    ----------
    path : str or path
        The file.
    record : Record or Match
        What was played.
    form : {"mat", "jsonl"}, optional
        The format. Default: what the name of the file ends in.

    Raises
    ------
    OSError
        If it cannot be written.
    InvalidArgument
        If there is no such format, or it cannot hold this game.
    """
    target = Path(path)
    text = dumps(record, target.suffix.removeprefix(".").lower() if form is None else form)
    try:
        handle, draft = tempfile.mkstemp(prefix=target.name, suffix=".tmp", dir=target.parent)
    except OSError as error:
        error.filename = str(target)  # the name that was asked for, not that of the draft
        raise
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as stream:
            stream.write(text)
        umask = os.umask(0)
        os.umask(umask)
        os.chmod(draft, 0o666 & ~umask)  # mkstemp's own is for the user alone
        os.replace(draft, target)
    except BaseException:
        Path(draft).unlink(missing_ok=True)
        raise


def decoded(data: str | bytes) -> str:
    """Return text; old files are Latin-1 where they are not UTF-8."""
    if isinstance(data, str):
        return data.removeprefix("\ufeff")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def unknown(form: object) -> InvalidArgument:
    """Make the error for a format that is none."""
    return InvalidArgument(f"format of a record: expected 'mat' or 'jsonl', got {form!r}")
