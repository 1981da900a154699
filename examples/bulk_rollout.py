"""Which play is best? Roll out what every play of an opening roll leaves to the opponent.

python examples/bulk_rollout.py [VARIANT [DIE DIE [GAMES]]]
"""

import sys

import nardy


def main(name="short", die1="3", die2="1", games="400"):
    """Print the plays of a roll from the start, the best first."""
    rules = nardy.variant(name)
    if rules.cascade and die1 == die2:
        sys.exit(f"a double of {name} is a cascade of stages, and not one play")
    if rules.draw_points:
        sys.exit(f"{name} has a last turn for the second mover, and no position says who that is")
    start = nardy.Position.start(rules)
    plays = start.plays(int(die1), int(die2))
    after = [start.play(int(die1), int(die2), play) for play in plays]
    results = nardy.rollout(after, trials=int(games), policy="heuristic", seed=1)
    # The opponent is on roll after the play, so his equity is minus ours.
    for result, play in sorted(zip(results, plays, strict=True), key=lambda pair: pair[0].equity):
        print(f"{-result.equity:+.3f} ± {result.stderr:.3f}  {play}")


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except (nardy.NardyError, ValueError, TypeError) as error:
        sys.exit(f"{error}\n{__doc__}")
