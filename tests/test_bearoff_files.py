"""The files of tables: never a wrong answer, whatever happened to them."""

import multiprocessing
import os
import subprocess
import sys

import numpy as np
import pytest

from nardy import bearoff
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


DAMAGES = {
    "missing": lambda path: path.unlink(),
    "empty": lambda path: path.write_bytes(b""),
    "of another kind": lambda path: path.write_bytes(b"%PDF-1.4" + bytes(5000)),
    "half": lambda path: os.truncate(path, path.stat().st_size // 2),
    "one byte short": lambda path: os.truncate(path, path.stat().st_size - 1),
    "one byte long": lambda path: path.write_bytes(path.read_bytes() + b"\0"),
    "only the mark": lambda path: os.truncate(path, 16),
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
    def refuse(*arguments, **options):
        raise PermissionError(13, "read-only")

    monkeypatch.setattr(files.tempfile, "mkstemp", refuse)
    assert table_in(tmp_path).path is None
    assert np.array_equal(table_in(tmp_path).means, means)


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
    monkeypatch.delenv("NARDY_CACHE")
    assert bearoff.folder_of().name == "nardy"


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
