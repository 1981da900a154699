"""The same positions through nardy and through other engines: compare.py [PEER ...].

Every peer that setup.sh has installed runs in its own process and environment, on one core, in turn
with nardy. It first lists the plays of some positions, which are compared one by one; then it is
timed on positions that it has not seen. Both are warmed up on the compared positions just before,
since each has had the caches of the core in turn, and timed by the processor time of their process.
"""

import contextlib
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from itertools import pairwise
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))

from corpus import ROOT, conditions, different  # noqa: E402
from pairs import from_play  # noqa: E402

from nardy import Position, batch, variant  # noqa: E402

HOMES = ROOT / ".benchmarks" / "peers"
PEERS = ("gnubg_nn", "open_spiel", "pgx", "nard_backgammon")
COMPARED = 4_096  # positions whose plays are compared
SLICE = 4_096  # positions of one timing
WARM_UP = 10
"""Calls by which nardy is warmed up, some 10 ms; a peer takes longer than that for one."""
ROUNDS = 5
GAMES = {"nardy": 4_096, "gnubg_nn": 400, "open_spiel": 200, "pgx": 1_000, "nard_backgammon": 20}
LOOSE = {
    "short": ("use_dice", variant("short").replace(use_dice="some")),
    "long": (
        "head_limit, use_dice and block",
        variant("long").replace(head_limit=0, head_exception="none", use_dice="some", block="free"),
    ),
}
"""Rules without those that a peer may not know, and the fields in which they differ."""


class Worker:
    """A peer at work in another process."""

    def __init__(self, name):
        core = min(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else None
        self.process = subprocess.Popen(
            [HOMES / name / "bin" / "python", HERE / f"peer_{name}.py"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=(HOMES / f"{name}.log").open("w"),
            text=True,
            env={**os.environ, "PYTHONPATH": str(HERE), "JAX_PLATFORMS": "cpu"},
            preexec_fn=None if core is None else lambda: os.sched_setaffinity(0, {core}),
        )

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.wait()

    def ask(self, what, **job):
        """Have one job done."""
        print(json.dumps({"do": what, **job}), file=self.process.stdin, flush=True)
        answer = self.process.stdout.readline()
        if not answer:
            sys.exit(f"a peer has died; see {HOMES}/*.log")
        return json.loads(answer)


def fresh(rules, n, seed):
    """`n` different positions of random play."""
    boards, dice = from_play(rules, n * 3 // 2, seed, ("random",))
    rows = different(boards, dice)[:n]
    assert len(rows) == n
    return boards[rows], dice[rows]


def seconds(call, *args, **options):
    """Processor time of one call."""
    begun = time.process_time()
    call(*args, **options)
    return time.process_time() - begun


def one_by_one(rules, boards, dice):
    """The plays of each position by a call of its own."""
    plays = batch.plays
    for board, roll in zip(boards, dice, strict=True):
        plays(rules, board, roll)


# ----------------------------------------------------------------------------- same answers?


def lists(offsets, after):
    """The set of boards of every position."""
    rows = list(map(bytes, np.ascontiguousarray(after)))
    return [set(rows[a:b]) for a, b in pairwise(offsets)]


def agreement(worker, rules, boards, dice, folder):
    """Lines that say in how many positions the plays are the same, and how the others differ."""
    path = f"{folder}/plays.npz"
    worker.ask("plays", low=0, high=len(boards), path=path)
    theirs = lists(*(np.load(path)[what] for what in ("offsets", "after")))
    ours = lists(*batch.plays(rules, boards, dice))
    fields, loose_rules = LOOSE[rules.name]
    loose = lists(*batch.plays(loose_rules, boards, dice))
    wrong = [i for i in range(len(boards)) if ours[i] != theirs[i]]
    lines = [f"Same boards in {len(boards) - len(wrong):,} of {len(boards):,} positions."]
    if wrong:
        more = sum(ours[i] < theirs[i] for i in wrong)
        fewer = sum(theirs[i] < ours[i] for i in wrong)
        free = sum(ours[i] < theirs[i] <= loose[i] for i in wrong)
        lines.append(
            f"Of the {len(wrong):,} others it lists more in {more:,}, fewer in {fewer:,}; "
            f"in {free:,} all that is too much is legal but for {fields}."
        )
        kinds = {
            "more": [i for i in wrong if ours[i] < theirs[i]],
            "other": [i for i in wrong if not ours[i] < theirs[i]],
        }
        for found in kinds.values():
            if found:
                i = min(found, key=lambda i: len(ours[i] ^ theirs[i]))
                lines.append(
                    f"Example: `{Position(rules, boards[i]).text()}`, {dice[i][0]}-{dice[i][1]}: "
                    f"{len(ours[i])} boards here, {len(theirs[i])} there, "
                    f"{len(ours[i] & theirs[i])} in both."
                )
    return lines


# ---------------------------------------------------------------------------------- speed


def rate(number, times):
    return number / statistics.median(times)


def speeds(worker, name, rules, measures, boards, dice):
    """Rows: what the peer does, its rate, nardy's in one call and in many, in turn with it."""
    rows, low = [], COMPARED
    for words in measures:
        times = {"peer": [], "batch": [], "single": []}
        for _ in range(ROUNDS):
            part = slice(low, low + SLICE)
            for _ in range(WARM_UP):
                batch.plays(rules, boards[:COMPARED], dice[:COMPARED])
            times["batch"].append(seconds(batch.plays, rules, boards[part], dice[part]))
            worker.ask(words, low=0, high=COMPARED)
            times["peer"].append(worker.ask(words, low=low, high=low + SLICE)["seconds"])
            times["single"].append(seconds(one_by_one, rules, boards[part], dice[part]))
            low += SLICE
        peer, many, single = (rate(SLICE, times[who]) for who in ("peer", "batch", "single"))
        rows.append((f"positions/s: {words}", peer, many, single))
    theirs, ours = [], []
    for seed in range(ROUNDS):
        ours.append(seconds(batch.playout, rules, games=GAMES["nardy"], seed=seed))
        told = worker.ask("games", n=GAMES[name], seed=seed)
        theirs.append(told["seconds"] / told["done"])
    rows.append(("random games/s", rate(1, theirs), rate(GAMES["nardy"], ours), None))
    return rows


def cell(value, peer):
    return "" if value is None else f"{value:,.0f} | {value / peer:,.2f}"


def compare(name):
    """Print the part of one peer."""
    with Worker(name) as worker, tempfile.TemporaryDirectory() as folder:
        hello = worker.ask("hello")
        rules = variant(hello["game"])
        n = COMPARED + SLICE * ROUNDS * len(hello["measures"])
        path = f"{folder}/positions.npz"
        if hello["own_positions"]:
            worker.ask("make", n=n, seed=1, path=path)
            arrays = np.load(path)
            boards, dice = arrays["boards"], arrays["dice"]
        else:
            boards, dice = fresh(rules, n, seed=11)
            np.savez(path, boards=boards, dice=dice)
        worker.ask("load", path=path)
        which = ", ".join(" ".join(pair) for pair in hello["versions"].items())
        print(f"## {which}: `{rules.name}`\n")
        print("\n".join(agreement(worker, rules, boards[:COMPARED], dice[:COMPARED], folder)), "\n")
        print("| what | peer | nardy, one call | ratio | nardy, a call each | ratio |")
        print("| --- | ---: | ---: | ---: | ---: | ---: |")
        for words, peer, many, single in speeds(
            worker, name, rules, hello["measures"], boards, dice
        ):
            each = cell(single, peer) or " | "
            print(f"| {words} | {peer:,.0f} | {cell(many, peer)} | {each} |")
        whose = "the peer's own" if hello["own_positions"] else "nardy's"
        print(f"\nPositions from {whose} random play, each timed once.\n", flush=True)


def main():
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    print("# nardy beside other engines\n")
    for name in sys.argv[1:] or PEERS:
        if (HOMES / name / "installed.txt").exists():
            compare(name)
        else:
            print(f"{name}: not installed (bench/peers/setup.sh {name})\n")
    facts = conditions()
    with contextlib.suppress(OSError):
        facts["load at the end"] = f"{os.getloadavg()[0]:.2f}"
    print("\n".join(f"- {what}: {value}" for what, value in facts.items()))
    print(f"- medians of {ROUNDS} rounds of {SLICE:,} positions, processor time, one core")


if __name__ == "__main__":
    main()
