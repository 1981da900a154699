"""The files of tables: never a wrong answer, whatever happened to them."""

import copy
import hashlib
import json
import multiprocessing
import os
import pickle
import signal
import stat
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest

from nardy import InvalidArgument, bearoff
from nardy.bearoff import files, tables


@pytest.fixture
def fresh(monkeypatch):
    """No table is open yet in this process."""
    monkeypatch.setattr(tables, "_OPEN", {})
    return lambda: monkeypatch.setattr(tables, "_OPEN", {})


@pytest.fixture
def builds(monkeypatch):
    """How many tables were built."""
    made = []
    real = tables.build_one_sided
    monkeypatch.setattr(
        tables, "build_one_sided", lambda *arguments: (made.append(1), real(*arguments))[1]
    )
    return made


def table_in(folder):
    return bearoff.one_sided("short", 3, 4, folder=folder)


@pytest.fixture
def means():
    """What a table of 3 x 4 says, built in memory."""
    shape = tables._core.Shape(3, 4)
    return tables._core.one_sided(tables.rules_of("short"), shape)[0]


def test_built_once_then_mapped(tmp_path, fresh, builds, means):
    first = table_in(tmp_path / "new" / "folder")
    assert first.path.parent.parent == tmp_path / "new" / "folder"
    assert table_in(tmp_path / "new" / "folder").means is first.means
    fresh()
    again = table_in(tmp_path / "new" / "folder")
    assert len(builds) == 1
    assert np.array_equal(again.means, means)
    assert not again.means.flags.writeable
    assert list(first.path.parent.iterdir()) == [first.path]  # nothing else is left there


def forged(header):
    """A file with this header, its checksum right, and nothing after it."""
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    start = files.MARK + len(text).to_bytes(8, "little") + hashlib.sha256(text).digest() + text
    return start + bytes(-len(start) % files.ALIGN)


def beyond(path):
    """The header of a file, without its arrays."""
    whole = path.read_bytes()
    header = json.loads(whole[56 : 56 + int.from_bytes(whole[16:24], "little")])
    return header | {"bytes": 0, "sha256": hashlib.sha256().hexdigest()}


DAMAGES = {
    "missing": lambda path: path.unlink(),
    "empty": lambda path: path.write_bytes(b""),
    "of another kind": lambda path: path.write_bytes(b"%PDF-1.4" + bytes(5000)),
    "half": lambda path: os.truncate(path, path.stat().st_size // 2),
    "one byte short": lambda path: os.truncate(path, path.stat().st_size - 1),
    "one byte long": lambda path: path.write_bytes(path.read_bytes() + b"\0"),
    "only the mark": lambda path: os.truncate(path, 16),
    "a link to itself": lambda path: (path.unlink(), path.symlink_to(path.name)),
    "a link to nothing": lambda path: (path.unlink(), path.symlink_to("nothing/here")),
    "a header that is no table": lambda path: path.write_bytes(forged([])),
    "a header that is no JSON": lambda path: path.write_bytes(forged(b"\xff")),
    "arrays beyond its end": lambda path: path.write_bytes(forged(beyond(path))),
    "of a table of its own": lambda path: files.save(path, {"table": 0}, {"means": np.zeros(35)}),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_damaged_files_are_built_anew(damage, tmp_path, fresh, builds, means):
    path = table_in(tmp_path).path
    DAMAGES[damage](path)
    fresh()
    again = table_in(tmp_path)
    assert len(builds) == 2
    assert np.array_equal(again.means, means)
    fresh()
    assert np.array_equal(table_in(tmp_path).means, means)
    assert len(builds) == 2


def test_no_flipped_bit_is_believed(tmp_path, fresh, means):
    """Any byte of the file: the mark, the header, the arrays, the gaps between them."""
    path = table_in(tmp_path).path
    whole = path.read_bytes()
    holds = tables._one_sided_holds(tables.rules_of("short"), tables._core.Shape(3, 4))
    assert files.load(path, holds) is not None
    rng = np.random.default_rng(1)
    for at in [*range(100), *rng.integers(100, len(whole), 300).tolist(), len(whole) - 1]:
        wrong = bytearray(whole)
        wrong[at] ^= 1 << int(rng.integers(8))
        path.write_bytes(wrong)
        found = files.load(path, holds)
        # Bytes between the header and the first array hold nothing.
        assert found is None or np.array_equal(found["means"], means), at
    path.write_bytes(whole)
    assert files.load(path, holds | {"points": 4}) is None


def test_old_version(tmp_path, fresh, builds, monkeypatch):
    path = table_in(tmp_path).path
    fresh()
    monkeypatch.setattr(files, "FORMAT", files.FORMAT + 1)
    assert table_in(tmp_path).path == path
    assert len(builds) == 2


def test_nowhere_to_write(tmp_path, fresh, builds, means):
    """A file where the folder should be: the table stays in memory."""
    (tmp_path / "bearoff").write_text("in the way")
    table = table_in(tmp_path)
    assert table.path is None
    assert np.array_equal(table.means, means)
    assert not table.means.flags.writeable
    assert table_in(tmp_path).means is table.means
    assert len(builds) == 1


def test_read_only_folder(tmp_path, fresh, means, monkeypatch):
    real = files.Path.open

    def refuse(path, mode):
        if mode == "xb":
            raise PermissionError(13, "read-only")
        return real(path, mode)

    monkeypatch.setattr(files.Path, "open", refuse)
    assert table_in(tmp_path).path is None
    assert np.array_equal(table_in(tmp_path).means, means)


def test_a_file_that_cannot_be_replaced(tmp_path, fresh, means):
    """A folder of that name is in the way; what was written beside it is gone."""
    path = table_in(tmp_path).path
    path.unlink()
    path.mkdir()
    fresh()
    assert table_in(tmp_path).path is None
    assert np.array_equal(table_in(tmp_path).means, means)
    assert list(path.parent.iterdir()) == [path]


def test_full_disk(tmp_path, fresh, means, monkeypatch):
    """Nothing of a file that could not be finished is left."""

    def refuse(handle):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(files.os, "fsync", refuse)
    assert table_in(tmp_path).path is None
    assert np.array_equal(table_in(tmp_path).means, means)
    assert list((tmp_path / "bearoff").iterdir()) == []


def build_in_another_process(folder):
    return table_in(folder).means.tobytes()


def test_many_builders_at_once(tmp_path, means):
    """Each finds or leaves a whole file, and all say the same."""
    context = multiprocessing.get_context("spawn")
    with context.Pool(4) as pool:
        found = pool.map(build_in_another_process, [tmp_path] * 12, chunksize=1)
    assert set(found) == {means.tobytes()}
    assert len(list((tmp_path / "bearoff").iterdir())) == 1


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names here")
def test_a_pipe_is_not_waited_for(tmp_path, fresh, means):
    path = table_in(tmp_path).path
    path.unlink()
    os.mkfifo(path)
    fresh()
    assert np.array_equal(table_in(tmp_path).means, means)
    assert path.is_file()


def test_others_may_read_the_file(tmp_path, fresh):
    """As far as the umask lets them: a folder may be shared by several users."""
    before = os.umask(0o022)
    try:
        path = table_in(tmp_path).path
    finally:
        os.umask(before)
    if os.name == "posix":
        assert stat.S_IMODE(path.stat().st_mode) == 0o644


def test_what_killed_processes_left_is_cleared(tmp_path, fresh):
    folder = tmp_path / "bearoff"
    folder.mkdir()
    old, new = folder / f"old{files.PART}", folder / f"new{files.PART}"
    for part in (old, new):
        part.write_bytes(b"half")
    os.utime(old, (time.time() - files.STALE - 60,) * 2)
    path = table_in(tmp_path).path
    assert sorted(folder.iterdir()) == sorted([new, path])


def test_replaced_while_mapped(tmp_path, fresh, means):
    """Whoever has the old file mapped goes on reading it."""
    table = table_in(tmp_path)
    other = table.path.with_name("other")
    other.write_bytes(bytes(5000))
    os.replace(other, table.path)
    assert np.array_equal(table.means, means)
    assert table.distribution([0, 0, 4]).sum() == pytest.approx(1)


def test_copies_and_pickles(tmp_path, fresh):
    """A copy is the table; a pickle is small, and maps the same file."""
    pairs = bearoff.two_sided("short", 2, 2, folder=tmp_path)
    for table in (table_in(tmp_path), pairs):
        assert copy.copy(table) is copy.deepcopy(table) is table
        data = pickle.dumps(table)
        assert len(data) < 2000
        fresh()
        again = pickle.loads(data)
        assert (repr(again), again.path) == (repr(table), table.path)
    assert again.equity([1], [1]) == pairs.equity([1], [1])


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_fork_while_a_table_is_built(tmp_path):
    """The child does not wait for a thread that it does not have."""
    held, done = threading.Event(), threading.Event()

    def hold():
        with tables._LOCK:
            held.set()
            done.wait()

    thread = threading.Thread(target=hold)
    thread.start()
    held.wait()
    child = os.fork()
    if not child:
        signal.alarm(20)  # ends a child that waits
        os._exit(table_in(tmp_path).size)
    done.set()
    thread.join()
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 35


def test_games_that_bear_off_alike_share_a_file(tmp_path):
    def path(name, **arguments):
        return bearoff.one_sided(name, 2, 3, folder=tmp_path, **arguments).path

    assert path("short") == path("long") == path("caucasian")
    games = ("short", "tavla", "old_english", "mad_gulbar")
    assert len({path(name) for name in games}) == 4


def test_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("NARDY_CACHE", str(tmp_path / "a"))
    assert bearoff.folder_of() == tmp_path / "a"
    assert bearoff.folder_of(tmp_path) == tmp_path
    monkeypatch.setenv("NARDY_CACHE", "~/tables")
    assert bearoff.folder_of() == Path.home() / "tables"
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NARDY_CACHE", "b")
    assert bearoff.folder_of() == tmp_path / "b"
    for named in (None, ""):
        if named is None:
            monkeypatch.delenv("NARDY_CACHE")
        else:
            monkeypatch.setenv("NARDY_CACHE", named)
        assert bearoff.folder_of().name == "nardy"


@pytest.mark.parametrize("folder", [5, b"bytes", "a\0b", ["list"]])
def test_no_folder(folder):
    with pytest.raises(InvalidArgument, match="folder: expected the path"):
        bearoff.one_sided("short", 2, 2, folder=folder)


def test_ctrl_c_while_a_file_is_written(tmp_path, fresh, monkeypatch):
    """Between any two pieces, and what was written is gone."""
    monkeypatch.setattr(files, "PIECE", 64)
    real, written = files.os.fsync, []

    def sync(handle):
        real(handle)
        written.append(handle)
        if len(written) == 3:
            signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(files.os, "fsync", sync)
    with pytest.raises(KeyboardInterrupt):
        table_in(tmp_path)
    assert list((tmp_path / "bearoff").iterdir()) == []
    assert table_in(tmp_path).path is not None


@pytest.mark.parametrize("points", [9, 10])
def test_ctrl_c_leaves_nothing(points, tmp_path):
    """A build is stopped within a moment, and no file is left."""
    script = (
        "import signal, sys, nardy.bearoff\n"
        "signal.signal(signal.SIGALRM, signal.default_int_handler)\n"
        "nardy.bearoff.one_sided('short', 1, 1)\n"
        "signal.setitimer(signal.ITIMER_REAL, 0.05)\n"
        "try:\n"
        f"    nardy.bearoff.one_sided('short', {points}, 15)\n"
        "except KeyboardInterrupt:\n"
        "    print('stopped')\n"
    )
    environment = os.environ | {"NARDY_CACHE": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", script], env=environment, capture_output=True, check=True
    )
    assert done.stdout == b"stopped\n"
    assert len(list((tmp_path / "bearoff").iterdir())) == 1
