"""What the peers have in common: each runs in a process of its own and does as it is told.

compare.py writes one line of JSON for each job and reads one back. A job is timed here, inside the
peer, by the processor time of its process. Positions are nardy's: int8[32] in the view of the
player on roll, index 0 the own checkers off, 25 the own bar, 26 and 27 minus the opponent's bar
and off.
"""

import json
import os
import sys
import time
from functools import partial

import numpy as np


class Peer:
    """One engine."""

    measures = ()
    """Pairs of what it offers and a method that does it for a range of positions."""
    game = "short"
    """The variant of nardy that it plays."""
    own_positions = False
    """Whether the engine cannot be given positions, so that they come from its own play."""

    def versions(self):
        """{package: version}."""
        raise NotImplementedError

    def load(self, boards, dice):
        """Turn positions into the peer's own form; this is not timed."""
        raise NotImplementedError

    def make(self, n, seed):
        """`n` different positions of its own play, for a peer with `own_positions`."""
        raise NotImplementedError

    def plays(self, i):
        """The set of boards (tuples of 32) that position i may leave."""
        raise NotImplementedError

    def games(self, n, seed):
        """Play `n` games; return how many were finished."""
        raise NotImplementedError


def save_plays(peer, low, high, path):
    """The boards of some positions in a file, sorted, as offsets and rows."""
    lists = [sorted(peer.plays(i)) for i in range(low, high)]
    offsets = np.cumsum([0, *map(len, lists)])
    rows = [board for boards in lists for board in boards]
    np.savez(path, offsets=offsets, after=np.array(rows, np.int8).reshape(-1, 32))


def obey(peer, job):
    """Do one job; return what is to be told."""
    what = job.pop("do")
    if what == "hello":
        return {
            "versions": peer.versions(),
            "measures": [words for words, _ in peer.measures],
            "own_positions": peer.own_positions,
            "game": peer.game,
        }
    if what == "make":
        boards, dice = peer.make(job["n"], job["seed"])
        np.savez(job["path"], boards=boards, dice=dice)
        return {}
    if what == "load":
        arrays = np.load(job["path"])
        peer.load(arrays["boards"], arrays["dice"])
        return {}
    if what == "plays":
        save_plays(peer, **job)
        return {}
    work = peer.games if what == "games" else partial(dict(peer.measures)[what], peer)
    begun = time.process_time()
    done = work(**job)
    return {"seconds": time.process_time() - begun, "done": done}


def serve(make_peer):
    """Answer until the input ends; whatever else the peer prints goes to the error output."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    peer = make_peer()
    for line in sys.stdin:
        print(json.dumps(obey(peer, json.loads(line))), file=answers, flush=True)
