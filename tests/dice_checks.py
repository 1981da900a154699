"""Chi-square tests of the dice, and a run over many: python tests/dice_checks.py ROLLS.

Each test counts outcomes that should be equally likely and gives z, the chi-square statistic as a
standard normal deviate (Wilson and Hilferty 1931: the cube root of chi-square / f is nearly normal
with mean 1 - 2 / 9 f and variance 2 / 9 f).
"""

import math
import sys

import numpy as np

from nardy_core import batch


def deviate(counts):
    """z of counts that should be equal."""
    counts = np.asarray(counts, float).ravel()
    mean = counts.mean()
    freedom = len(counts) - 1
    chi2 = ((counts - mean) ** 2 / mean).sum()
    spread = 2 / (9 * freedom)
    return ((chi2 / freedom) ** (1 / 3) - (1 - spread)) / math.sqrt(spread)


class Tally:
    """Counts for every test, filled block by block."""

    def __init__(self):
        self.counts = {
            "faces of the first die": np.zeros(6, np.int64),
            "faces of the second die": np.zeros(6, np.int64),
            "pairs": np.zeros(36, np.int64),
            "pairs of following turns": np.zeros(36 * 36, np.int64),
            "first die five turns apart": np.zeros(36, np.int64),
            "pairs of neighbouring games": np.zeros(36 * 36, np.int64),
            "pairs of neighbouring boards": np.zeros(36 * 36, np.int64),
            "pairs of neighbouring seeds": np.zeros(36 * 36, np.int64),
        }

    def add(self, seed, boards, games, turns):
        """Count the dice of one seed and the next."""
        dice = batch.rolls(seed, boards, games, turns).astype(np.int64) - 1
        pair = dice[..., 0] * 6 + dice[..., 1]
        after = batch.rolls(seed + 1, boards, games, turns).astype(np.int64) - 1
        self.count("faces of the first die", dice[..., 0])
        self.count("faces of the second die", dice[..., 1])
        self.count("pairs", pair)
        self.count("pairs of following turns", pair[..., 0:-1:2] * 36 + pair[..., 1::2])
        self.count("first die five turns apart", dice[..., :-5, 0] * 6 + dice[..., 5:, 0])
        self.count("pairs of neighbouring games", pair[:, 0:-1:2] * 36 + pair[:, 1::2])
        self.count("pairs of neighbouring boards", pair[0:-1:2] * 36 + pair[1::2])
        self.count("pairs of neighbouring seeds",
                   pair * 36 + after[..., 0] * 6 + after[..., 1])  # fmt: skip
        return pair.size

    def count(self, name, values):
        self.counts[name] += np.bincount(values.ravel(), minlength=len(self.counts[name]))

    def deviates(self):
        return {name: deviate(counts) for name, counts in self.counts.items()}


def main(wanted):
    tally, done, seed = Tally(), 0, 0
    while done < wanted:
        done += tally.add(seed, boards=10, games=100, turns=1_000)
        seed += 2
    print(f"{done:,} rolls of {seed // 2} seeds (each beside its neighbour)")
    for name, z in tally.deviates().items():
        print(f"  z = {z:+.2f}  {name}")


if __name__ == "__main__":
    main(int(float(sys.argv[1])) if len(sys.argv) > 1 else 10**6)
