r"""Arrays in a file that is mapped into memory: for tables that take long to build.

A file is written under another name and put in its place at once, so whoever opens it finds all of
it or none, and any number of processes may write the same table. It is read only after everything
about it was found right: mark, version, what it says it holds, length and checksum. Layout:

=================  =======================================================================
16 bytes           ``b"nardy table\r\n\x1a\n\x00"``
8 bytes            length of the header, little-endian
32 bytes           SHA-256 of the header
the header         JSON: `FORMAT`, what it holds, and of each array name, dtype, shape, offset
from the next 64   the arrays, each at a multiple of 64 bytes, little-endian
=================  =======================================================================
"""

import contextlib
import hashlib
import json
import mmap
import os
import secrets
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import platformdirs
from numpy.typing import NDArray

from nardy_core.errors import InvalidArgument

__all__ = ["FOLDER_VARIABLE", "folder_of", "load", "save"]

Arrays = dict[str, NDArray[Any]]

MARK = b"nardy table\r\n\x1a\n\x00"

FORMAT = 1
"""Version of the layout and of what the tables mean; one more makes old files worthless."""

ALIGN = 64

FOLDER_VARIABLE = "NARDY_CACHE"
"""The environment variable that names another folder for tables."""

PART = ".nardy-part"
"""How the name of a file ends that is being written."""

PIECE = 1 << 22
"""Bytes written at once: a few hundredths of a second."""

STALE = 24 * 3600.0
"""Seconds after which nobody writes a file any more."""


class _UnfitError(ValueError):
    """Why a file is not what was looked for."""


def folder_of(folder: str | os.PathLike[str] | None = None) -> Path:
    """Say where tables are kept.

    Parameters
    ----------
    folder : str or path, optional
        The folder. Default: what the environment variable ``NARDY_CACHE`` names, or else the
        user's cache folder as the system has it.

    Returns
    -------
    Path
        The folder, absolute; it need not exist. A ``~`` that the variable begins with is the user's
        home.

    Raises
    ------
    InvalidArgument
        If `folder` is no path.
    """
    if folder is None:
        named = os.environ.get(FOLDER_VARIABLE)
        folder = os.path.expanduser(named) if named else platformdirs.user_cache_path("nardy")
    try:
        path = Path(folder).absolute()
    except TypeError:
        path = None
    if path is None or "\0" in str(path):
        msg = f"folder: expected the path of a folder, got {folder!r}"
        raise InvalidArgument(msg)
    return path


def save(path: Path, holds: Mapping[str, object], arrays: Mapping[str, NDArray[Any]]) -> bool:
    """Write a file, in one piece or not at all.

    Parameters
    ----------
    path : Path
        Where; the folder is made if need be.
    holds : mapping
        What the table is, in plain values for JSON; `load` asks for the same.
    arrays : mapping of str to array
        The arrays.

    Returns
    -------
    bool
        Whether it could be written: not on a full disk, nor into a folder that is read-only.
    """
    part = path.with_name(f"{path.name}.{secrets.token_hex(8)}{PART}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        _clear(path.parent)
        with part.open("xb") as file:
            _write(file, holds, arrays)
        os.replace(part, path)
    except OSError:
        return False
    finally:
        with contextlib.suppress(OSError):
            part.unlink()  # what was put in its place is no longer here
    return True


def _clear(folder: Path) -> None:
    """Remove what processes that were killed have left half written."""
    for part in folder.glob(f"*{PART}"):
        with contextlib.suppress(OSError):
            if time.time() - part.stat().st_mtime > STALE:
                part.unlink()


def _write(file: BinaryIO, holds: Mapping[str, object], arrays: Mapping[str, NDArray[Any]]) -> None:
    """Write mark, header and arrays."""
    parts = {name: _little(array) for name, array in arrays.items()}
    entries, offset, digest = [], 0, hashlib.sha256()
    for name, array in parts.items():
        entries.append([name, array.dtype.str, list(array.shape), offset])
        offset += array.nbytes + _gap(array.nbytes)
        for piece in _pieces(array):
            digest.update(piece)
    header = json.dumps(
        {
            "format": FORMAT,
            "holds": dict(holds),
            "arrays": entries,
            "bytes": offset,
            "sha256": digest.hexdigest(),
        }
    ).encode()
    start = MARK + len(header).to_bytes(8, "little") + hashlib.sha256(header).digest() + header
    file.write(start + bytes(_gap(len(start))))
    for array in parts.values():
        for piece in _pieces(array):
            file.write(piece)
            file.flush()
            os.fsync(file.fileno())


def _pieces(array: NDArray[Any]) -> Iterator[bytes | memoryview]:
    """Cut an array and the gap after it, so that Ctrl-C is answered between any two pieces."""
    data = array.reshape(-1).view(np.uint8).data
    for low in range(0, len(data), PIECE):
        yield data[low : low + PIECE]
    yield bytes(_gap(len(data)))


def _little(array: NDArray[Any]) -> NDArray[Any]:
    """Copy an array only if it is not in one piece, or of the other byte order."""
    return np.ascontiguousarray(array, array.dtype.newbyteorder("<"))


def _gap(size: int) -> int:
    """Bytes from here to the next multiple of `ALIGN`."""
    return -size % ALIGN


def load(path: Path, holds: Mapping[str, object]) -> Arrays | None:
    """Map the arrays of a file, if it is whole and what is wanted.

    Parameters
    ----------
    path : Path
        The file.
    holds : mapping
        What it has to hold, as given to `save`.

    Returns
    -------
    dict of str to array, or None
        The arrays, read-only; None if there is no such file, or anything about it is wrong.
    """
    try:
        if not path.is_file():  # to open a pipe would wait for whoever writes to it
            return None
        with path.open("rb") as file:
            header, start = _read_header(file, holds)
            if hashlib.file_digest(file, "sha256").hexdigest() != header["sha256"]:
                return None
            mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        return {
            name: np.frombuffer(mapped, dtype, int(np.prod(shape)), start + offset).reshape(shape)
            for name, dtype, shape, offset in header["arrays"]
        }
    except (OSError, ValueError, TypeError, KeyError):  # whatever a header of others may hold
        return None


def _read_header(file: BinaryIO, holds: Mapping[str, object]) -> tuple[dict[str, Any], int]:
    """Read the header and go to where the arrays start."""
    start = file.read(len(MARK) + 40)
    if len(start) < len(MARK) + 40 or not start.startswith(MARK):
        raise _UnfitError("another kind of file")
    size = int.from_bytes(start[len(MARK) : len(MARK) + 8], "little")
    length = os.fstat(file.fileno()).st_size
    text = file.read(size) if size <= length else b""
    if hashlib.sha256(text).digest() != start[-32:]:
        raise _UnfitError("a damaged header")
    header: dict[str, Any] = json.loads(text)
    after = len(start) + size
    after += _gap(after)
    if header["format"] != FORMAT or header["holds"] != json.loads(json.dumps(dict(holds))):
        raise _UnfitError("another table")
    if length != after + header["bytes"]:
        raise _UnfitError("a wrong length")
    file.seek(after)
    return header, after
