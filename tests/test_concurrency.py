"""Ctrl-C in long calls, and everything at once from many Python threads."""

import hashlib
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest
from pairs import from_play
from sizes import size

from nardy import InvalidPosition, Position, batch
from nardy.variants import VARIANTS

LONG_CALLS = {
    "playout": "nardy.batch.playout('long', games=10**8, seed=1)",
    "playout on two threads": "nardy.batch.playout('short', games=10**8, policy='heuristic', "
    "threads=2)",
    "perft": "nardy.batch.perft('old_english', nardy.batch.start('old_english')[0], 7)",
    "count": "nardy.batch.count('short', many, (6, 4))",
    "plays on two threads": "[nardy.batch.plays('short', many, (1, 1), threads=2) "
    "for _ in range(1000)]",
    "rolls": "nardy.batch.rolls('short', turns=3 * 10**8)",
    "a search without end": "nardy.batch.count('short', wide, (1, 1), steps=127)",
    "a search on two threads": "nardy.batch.count('short', [wide] * 2000, (1, 1), steps=20, "
    "threads=2)",
    "rollout": "nardy.rollout('short 24:2 13:5 8:3 6:5 | 24:2 13:5 8:3 6:5', trials=10**8)",
}

SCRIPT = """
import sys, time
import nardy
many = nardy.batch.start("short", 400_000)
wide = [0, -15] + 8 * [0] + 15 * [1] + 7 * [0]
print("ready", flush=True)
try:
    while True:
        {call}
except KeyboardInterrupt:
    print("stopped", time.time(), flush=True)
small = nardy.batch.playout("long", games=3, seed=1)
print("works", small.turns.tolist(), flush=True)
"""


def hear_ctrl_c():
    """A suite in the background may have SIGINT ignored, and a child would keep that."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@pytest.mark.parametrize("call", LONG_CALLS)
def test_ctrl_c(call):
    """A real signal; the call ends, and the library works on afterwards as before."""
    with subprocess.Popen(
        [sys.executable, "-c", SCRIPT.format(call=LONG_CALLS[call])],
        stdout=subprocess.PIPE,
        encoding="utf-8",
        preexec_fn=hear_ctrl_c,
    ) as child:
        assert child.stdout.readline() == "ready\n"
        time.sleep(0.6)
        child.send_signal(signal.SIGINT)
        sent = time.time()
        word, when = child.stdout.readline().split()
        turns = batch.playout("long", games=3, seed=1).turns.tolist()
        assert child.stdout.readline() == f"works {turns}\n"
        assert child.wait(30) == 0
    assert word == "stopped"
    # bench/interrupt.py measures the 0.2 s that are promised; this only tells it from never.
    assert float(when) - sent < 5


def everything(name, seed):
    """Bytes of many calls of one game."""
    rules = VARIANTS[name]
    boards, dice = from_play(rules, 300, seed)
    digest = hashlib.sha256()
    offsets, after = batch.plays(rules, boards, dice)
    digest.update(offsets.tobytes() + after.tobytes())
    digest.update(batch.count(rules, boards, dice).tobytes())
    digest.update(batch.faults(rules, boards).tobytes())
    for policy in ("random", "heuristic"):
        result = batch.playout(rules, boards[:20], games=4, seed=seed, policy=policy, threads=2)
        digest.update(result.turns.tobytes() + result.winner.tobytes() + result.kind.tobytes())
    for board, roll in zip(boards[:60], dice[:60].tolist(), strict=True):
        position = Position(rules, board)
        listed = position.after(*roll)
        digest.update(listed.tobytes())
        plays = position.plays(*roll)
        assert [play.after.tobytes() for play in plays] == [row.tobytes() for row in listed]
        digest.update(str(plays[0]).encode())
    return digest.hexdigest()


def test_everything_at_once():
    """Eight Python threads, all games, all calls: the bytes of one thread."""
    jobs = [(name, seed) for seed in range(size(2, 1)) for name in VARIANTS]
    expected = {job: everything(*job) for job in jobs}
    found, errors = {}, []

    def worker(offset):
        try:
            for job in jobs[offset:] + jobs[:offset]:
                found[offset, job] = everything(*job)
        except Exception as error:
            errors.append(error)

    crew = [threading.Thread(target=worker, args=(3 * i,)) for i in range(8)]
    for thread in crew:
        thread.start()
    for thread in crew:
        thread.join()
    assert not errors
    assert len(found) == 8 * len(jobs)
    assert all(digest == expected[job] for (_, job), digest in found.items())


def test_results_own_their_memory():
    """Lists of boards keep their bytes when others come and go."""
    rules = VARIANTS["short"]
    boards, dice = from_play(rules, 4_000, 1)
    kept = [batch.plays(rules, boards[i:], dice[i:])[1] for i in range(0, 4_000, 500)]
    copies = [rows.copy() for rows in kept]
    for i in range(0, 4_000, 250):
        batch.plays(rules, boards[i:], dice[i:])
    assert all(np.array_equal(a, b) for a, b in zip(kept, copies, strict=True))


@pytest.mark.parametrize("n", [0, 1, 255, 256, 257, 511, 5_000])
def test_plays_of_any_size_on_any_threads(n):
    """Every chunk stands in its place; the witness is one call for each row."""
    rules = VARIANTS["short"]
    boards, dice = (part[:n] for part in from_play(rules, 5_000, 4))
    dice[n // 2 :: 3, 1] = dice[n // 2 :: 3, 0]  # many doubles in a part: chunks of unlike sizes
    single = [Position(rules, b).after(*d) for b, d in zip(boards, dice.tolist(), strict=True)]
    ends = np.cumsum([0, *map(len, single)])
    rows = np.concatenate([np.empty((0, 32), np.int8), *single])
    for threads in (1, 2, 3, 7, 16):
        offsets, after = batch.plays(rules, boards, dice, threads=threads)
        assert np.array_equal(offsets, ends)
        assert np.array_equal(after, rows)
        counts = batch.count(rules, boards, dice, threads=threads)
        assert np.array_equal(counts, np.diff(ends))


@pytest.mark.parametrize("threads", [1, 2, 7])
@pytest.mark.parametrize("call", [batch.plays, batch.count])
def test_the_first_faulty_row_is_named(call, threads):
    """Threads look for faults in their own chunks; the error is that of one pass over all."""
    boards = batch.start("short", 9_000)
    boards[[8_999, 4_000, 2_000], 1] = 1
    with pytest.raises(InvalidPosition, match="row 2000 cannot stand under short"):
        call("short", boards, (3, 1), threads=threads)


NO_MEMORY = """
import resource, nardy
many = nardy.batch.start("short", 400_000)
used = 1024 * int(open("/proc/self/status").read().partition("VmSize:")[2].split()[0])
resource.setrlimit(resource.RLIMIT_AS, (used + (400 << 20), resource.RLIM_INFINITY))
for threads in (1, 2):
    try:
        nardy.batch.plays("short", many, (1, 1), threads=threads)
    except MemoryError as error:
        print(error)
    print(len(nardy.batch.plays("short", many[:2000], (3, 1), threads=threads)[1]))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="no such limit elsewhere")
def test_no_memory_is_an_error():
    """The 400,000 lists of 1-1, 42 boards each, take 537 MB; afterwards all works as before."""
    done = subprocess.run(
        [sys.executable, "-c", NO_MEMORY], capture_output=True, encoding="utf-8", check=True
    )
    assert done.stdout.splitlines() == ["no memory for the plays", str(2000 * 16)] * 2
