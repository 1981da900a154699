"""Boards to look at, cell by cell as in a notebook: run it whole, or paste its parts into one.

python examples/boards.py [FOLDER]      # writes the pictures there; without it, only says them
"""

import sys
from pathlib import Path

import nardy

folder = Path(sys.argv[1]) if len(sys.argv) > 1 else None


def show(name, picture):
    """Keep a picture; in a notebook a position shows itself, and this line is not needed."""
    print(f"{name}.svg: {len(picture)} characters")
    if folder is not None:
        (folder / f"{name}.svg").write_text(picture, encoding="utf-8")


# %% The opening of backgammon, and 3-1 played from it
opening = nardy.Position.start("short")
print(opening)
show("opening", opening.svg(play="8/5 6/5", dice=(3, 1)))

# %% Every play of a roll, as a table in a notebook, as text here
plays = opening.plays(6, 4)
print(*plays, sep="\n")

# %% Long nardy goes round in its own direction: the same board from both sides, in the dark
late = nardy.Position.from_text("long 24:6 18:2 14:3 9:4 | 24:8 20:3 15:4")
show("long", late.svg(theme="dark"))
show("long-from-the-other-side", late.svg(bottom="opponent", numbers="opponent", theme="dark"))

# %% A game, its last board and its result
game = nardy.Game("tavla", seed=7)
while game.result is None:
    game.play(game.choose()) if "play" in game.to_play.acts else game.roll()
show("end", game.position.svg())
print(game.result)
