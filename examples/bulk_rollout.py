"""Which play is best? Roll out what every play of an opening roll leaves, in one call.

python examples/bulk_rollout.py [VARIANT [DIE DIE [GAMES]]]
"""

import sys

import numpy as np

import nardy
from nardy import batch


def equities(rules, boards, games, seed=1):
    """Mean points of the player who has just played, and their standard errors."""
    played = batch.playout(
        rules, batch.flip(rules, boards), games=games, seed=seed, policy="heuristic"
    )
    # Nothing, single, mars, koks: what a kind is worth where a mars counts, and where it does not.
    single, mars, koks = rules.points
    worth = np.array([0, single, mars or single, koks or mars or single])
    # Player 0 is on roll after the play: the opponent of the one who made it.
    points = worth[played.kind] * np.select([played.winner == 0, played.winner == 1], [-1, 1], 0)
    return points.mean(axis=1), points.std(axis=1, ddof=1) / np.sqrt(games)


def main(name="short", die1="3", die2="1", games="400"):
    """Print the plays of a roll from the start, the best first."""
    rules = nardy.variant(name)
    plays = nardy.Position.start(rules).plays(int(die1), int(die2))
    boards = np.stack([play.after for play in plays])
    means, errors = equities(rules, boards, int(games))
    for row in np.argsort(-means, kind="stable"):
        print(f"{means[row]:+.3f} ± {errors[row]:.3f}  {plays[row]}")


if __name__ == "__main__":
    main(*sys.argv[1:])
