"""Improve the numbers of the `heuristic` policy by play: python bench/tune.py FAMILY MINUTES.

A change to a few numbers plays the numbers as they are, from both seats with the same dice. It is
kept if it gains points by more than its standard error in a long run after a short one that looked
promising. The numbers are printed whenever they change; what is kept goes into
nardy_core/heuristic.py by hand.
"""

import json
import random
import sys
import time

import numpy as np

from nardy.variants import VARIANTS
from nardy_core import batch, heuristic

BUILD = {"short": heuristic.short, "long": heuristic.long}
NUMBERS = {"short": heuristic.SHORT, "long": heuristic.LONG}


def gain(rules, build, new, old, games, seed):
    """Mean points that `new` wins from `old`, and its standard error."""
    both = build(new), build(old)
    worth = batch.worth(rules)
    total = np.zeros(games)
    for seat in (0, 1):
        result = batch.raw_playout(
            rules, games=games, seed=seed, policy="heuristic", weights=both[:: 1 - 2 * seat]
        )
        points = worth[result.kind[0]] * (result.winner[0] != -1)
        total += np.where(result.winner[0] == seat, points, -points) / 2
    return total.mean(), total.std() / games**0.5


def changed(numbers, rand):
    """A copy with one to six numbers moved, or a run of neighbours together."""
    new = {name: list(values) for name, values in numbers.items()}
    step = rand.choice((2, 4, 8, 16))
    for _ in range(rand.randint(1, 6)):
        name = rand.choice([name for name in new if name != "pip"])
        at = rand.randrange(len(new[name]))
        width = rand.choice((1, 1, 2, 4))
        by = rand.choice((-1, 1)) * rand.randint(1, step)
        for i in range(at, min(at + width, len(new[name]))):
            new[name][i] += by
    return new


def main(family, minutes):
    rules, build = VARIANTS[family], BUILD[family]
    rand = random.Random(time.time_ns())
    best, end = NUMBERS[family], time.monotonic() + 60 * minutes
    games = 2_000 if family == "short" else 1_000
    tried = kept = 0
    while time.monotonic() < end:
        new = changed(best, rand)
        tried += 1
        seed = rand.randrange(2**32)
        mean, error = gain(rules, build, new, best, games, seed)
        if mean < error:
            continue
        mean, error = gain(rules, build, new, best, 6 * games, seed + 1)
        if mean > error:
            best, kept = new, kept + 1
            print(f"# {kept} of {tried}: {mean:+.4f} +- {error:.4f}", flush=True)
            print(json.dumps(best), flush=True)
    mean, error = gain(rules, build, best, NUMBERS[family], 20_000, 1)
    print(f"# against the first numbers: {mean:+.4f} +- {error:.4f}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1], float(sys.argv[2]))
