"""A whole game between two players who choose at random, referee and all."""

import random
import sys

import nardy

variant, seed = (sys.argv[1:] + ["short", "1"][len(sys.argv) - 1 :])[:2]
rng = random.Random(seed)
game = nardy.Game(variant, seed=int(seed))
while game.result is None:
    if "play" in game.to_play.acts:
        game.play(rng.choice(game.plays()))
    else:
        game.roll()
    print(game.history[-1])
print(game.position)
print(game.result)
