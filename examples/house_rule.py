"""What does a house rule change? Play a game with and without it, with the same dice.

python examples/house_rule.py [GAMES]
"""

import sys

import nardy
from nardy.rollout import simulate


def main(games="2000"):
    """Compare long nardy with the strictest and the freest rule of blocks."""
    for block in ("never", "ahead", "free"):
        rules = nardy.variant("long").replace(block=block)
        result = simulate(rules, games=int(games), seed=1)
        print(
            f"block={block:6} mars {result.mars.mean:.3f} ± {result.mars.stderr:.3f}  "
            f"first mover {result.first_points.mean:+.3f} ± {result.first_points.stderr:.3f}"
        )


if __name__ == "__main__":
    main(*sys.argv[1:])
