"""Where things lie on a drawn board: the one table of places, and a board seen from one side."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nardy.drawing.options import SEATS, chosen
from nardy_core import batch
from nardy_core.rules import Rules

__all__ = ["BAR", "OFF", "PLACES", "Place", "View"]

OFF, BAR, THEIR_BAR, THEIR_OFF = 0, 25, 26, 27


class Place(NamedTuple):
    """Column 0 to 11 from the left, and whether the point hangs from the top edge."""

    column: int
    top: bool


PLACES = {point: Place(12 - point, False) for point in range(1, 13)}
PLACES |= {point: Place(point - 13, True) for point in range(13, 25)}
"""Where the player at the bottom has his own points, in every game.

He starts top right and comes home bottom right, counter-clockwise. Where the other player has his
own follows from the facing points of the rules. If the players travel contrary, his road is the
mirror image: home top right. If they travel parallel, it is the board turned half round: his head
is bottom left, his home top left, and he goes counter-clockwise too.
"""


class View:
    """A board as it lies before one of the players, who sits at the bottom.

    Parameters
    ----------
    rules : Rules
        The game.
    board : int8[32]
        A legal board, in the view of the player on roll.
    bottom : str
        Who sits at the bottom, one of `SEATS`.

    Attributes
    ----------
    on_roll_below : bool
        Whether the player at the bottom is on roll.
    """

    def __init__(self, rules: Rules, board: NDArray[np.int8], bottom: str) -> None:
        self.on_roll_below = chosen("bottom", bottom, SEATS) == "me"
        seen = board if self.on_roll_below else batch.flip(rules, board)[0]
        self._seen: list[int] = seen.tolist()
        # Flipping a board that holds p on point p tells whose number every point has.
        self._facing: list[int] = (-batch.flip(rules, np.arange(32))[0]).tolist()
        self._pips: list[int] = batch.pips(rules, seen)[0].tolist()

    def checkers(self, place: Place) -> int:
        """Count the checkers of a point, those of the player at the top as negative."""
        return self._seen[POINTS[place]]

    def number(self, place: Place, below: bool) -> int:
        """Return the number that a point has for the player at the bottom, or at the top."""
        point = POINTS[place]
        return point if below else self._facing[point]

    def place(self, point: int, below: bool) -> Place:
        """Return where the player at the bottom, or at the top, has his own point 1 to 24."""
        # The facing point of the facing point is the point itself, so one list goes both ways.
        return PLACES[point if below else self._facing[point]]

    def bar(self, below: bool) -> int:
        """Count the checkers that a player has on the bar."""
        return self._seen[BAR] if below else -self._seen[THEIR_BAR]

    def off(self, below: bool) -> int:
        """Count the checkers that a player has off."""
        return self._seen[OFF] if below else -self._seen[THEIR_OFF]

    def pips(self, below: bool) -> int:
        """Count the pips that a player has yet to travel."""
        return self._pips[0 if below else 1]

    def below(self, who: str) -> bool:
        """Say whether one of `SEATS` sits at the bottom."""
        return (who == "me") == self.on_roll_below


POINTS = {place: point for point, place in PLACES.items()}
"""The number that each place has for the player at the bottom."""
