"""Records of matches: read, written, and replayed before the referee.

Two formats: ``.mat`` (Jellyfish), which most backgammon programs know and which holds the short
family; and ``.jsonl``, one line an act, which holds every game of the library.
"""

import os
import secrets
import shutil
from pathlib import Path

from nardy.match import Match
from nardy.records import jsonl, mat
from nardy.records.record import Record, RecordError
from nardy.text import read_rules
from nardy.variants import rules_of
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
    if not isinstance(form, str | None):
        raise unknown(form)
    if form is None:
        form = "jsonl" if text.lstrip().startswith("{") else "mat"
    if form == "jsonl":
        return jsonl.loads(text)
    if form == "mat":
        return mat.loads(text, None if rules is None else game_of(rules))
    raise unknown(form)


def game_of(rules: Rules | str) -> Rules:
    """Return the rules of a name, perhaps with house rules."""
    return read_rules(rules) if isinstance(rules, str) else rules_of(rules)


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
    whole: object = Record(record) if isinstance(record, Match) else record
    if not isinstance(whole, Record):
        msg = f"expected a Record or a Match, got {whole!r}"
        raise InvalidArgument(msg)
    if not isinstance(form, str):
        raise unknown(form)
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
    target = Path(os.path.realpath(path))  # what a link leads to is written, and the link stays
    text = dumps(record, format_of(path) if form is None else form)
    data = text.encode("utf-8", "backslashreplace")  # of a name that is no Unicode, as JSON has it
    if target.exists() and not target.is_file():  # a pipe or a device holds nothing to be kept
        target.write_bytes(data)
    else:
        replace_file(target, data)


def format_of(path: str | os.PathLike[str]) -> str:
    """Return what the name of a file ends in."""
    return Path(path).suffix.removeprefix(".").lower()


def replace_file(target: Path, data: bytes) -> None:
    """Write a file beside the old one, and put it in its place with the old one's permissions."""
    draft = target.with_name(f".nardy-{secrets.token_hex(8)}.tmp")
    try:
        with open(draft, "xb") as stream:
            stream.write(data)
        if target.exists():
            shutil.copymode(target, draft)
        os.replace(draft, target)
    except BaseException as error:
        draft.unlink(missing_ok=True)
        if isinstance(error, OSError):
            error.filename = str(target)  # the name that was asked for, not that of the draft
        raise


def decoded(data: object) -> str:
    """Return text; old files are Latin-1 where they are not UTF-8."""
    if isinstance(data, str):
        return data.removeprefix("\ufeff")
    if not isinstance(data, (bytes, bytearray)):
        msg = f"expected a record as text or bytes, got {str(data)[:80]}"
        raise RecordError(msg)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def unknown(form: object) -> InvalidArgument:
    """Make the error for a format that is none."""
    return InvalidArgument(f"format of a record: expected 'mat' or 'jsonl', got {form!r}")
