"""How strong a policy is: python bench/strength.py [GAMES [POLICY [OPPONENT]]].

GAMES (20,000) whole games of every variant, half of them from each seat with the same dice; prints
a markdown table for docs/heuristic.md. Two games of the same dice are one observation, so the
standard errors are those of GAMES / 2 independent pairs. A draw is half a win.
"""

import os
import sys

import numpy as np

from nardy.variants import VARIANTS
from nardy_core import batch


def pairs(rules, policies, games, seed, threads):
    """Wins and points of the first policy, the mean of both seats, for each pair of games."""
    worth = batch.worth(rules)
    wins, points = np.zeros((2, games // 2))
    for seat in (0, 1):
        result = batch.raw_playout(
            rules,
            games=games // 2,
            seed=seed,
            policy=policies if seat == 0 else policies[::-1],
            threads=threads,
        )
        winner, value = result.winner[0], worth[result.kind[0]]
        wins += np.select([winner == seat, winner == -1], [1.0, 0.5]) / 2
        points += np.select([winner == seat, winner == 1 - seat], [value, -value]) / 2
    return wins, points


def estimate(values):
    """Mean and standard error."""
    return values.mean(), values.std(ddof=1) / len(values) ** 0.5


def main(games=20_000, policy="heuristic", opponent="random", seed=1):
    threads = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    print(f"`{policy}` against `{opponent}`, {games:,} games of each variant, seed {seed}:\n")
    print("| game | won % | error | points a game | error |")
    print("|---|---|---|---|---|")
    for name, rules in VARIANTS.items():
        wins, points = pairs(rules, (policy, opponent), games, seed, threads)
        (won, won_error), (gained, error) = estimate(wins), estimate(points)
        print(
            f"| `{name}` | {100 * won:.2f} | {100 * won_error:.2f} | {gained:+.3f} | {error:.3f} |",
            flush=True,
        )


if __name__ == "__main__":
    main(int(float(sys.argv[1])) if len(sys.argv) > 1 else 20_000, *sys.argv[2:4])
