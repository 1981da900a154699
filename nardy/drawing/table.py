"""The measures of the drawn board: which spot of the picture every checker has.

Lengths are in units of the picture, 40 to a point; y grows downwards.
"""

from typing import NamedTuple

from nardy.drawing.layout import BAR, OFF, PLACES, Place, View

__all__ = ["UNIT", "Spot", "Stack", "Table"]

UNIT = 40.0
"""Width of a point, and what a checker takes of it."""

HALF = 5 * UNIT + 32
"""From the edge of the board to its middle."""

BAR_WIDTH = 48.0
TRAY_WIDTH = 52.0
SLAB = 12.0
"""What a checker that stands on its edge takes of a tray: fifteen fit beside a half."""

RIM = 22.0
"""The frame round the board, which holds the numbers."""

CAPTION = 30.0
"""The strips over and under the frame."""


Spot = tuple[float, float]


class Stack(NamedTuple):
    """Spots in a row: the first is at (x, y), each further one `step` lower; `most` are drawn."""

    x: float
    y: float
    step: float
    most: int

    def spot(self, level: int) -> Spot:
        """Return the middle of a spot; those over `most` share the last one."""
        return self.x, self.y + self.step * min(level, self.most - 1)


class Table:
    """Where everything of one view is drawn.

    Attributes
    ----------
    left, right, top, bottom : float
        The board within its frame, trays left out.
    middle : float
        The height half-way between the players.
    bar_x : float
        The middle of the bar.
    trays : dict of bool to float
        The middle of the tray of the player below (True) and above (False).
    width, height : float
        The whole picture.
    """

    def __init__(self, view: View) -> None:
        self.view = view
        homes = {below: view.place(1, below).column for below in (True, False)}
        self.left = RIM + (TRAY_WIDTH if 0 in homes.values() else 0)
        self.bar_x = self.left + 6 * UNIT + BAR_WIDTH / 2
        self.right = self.bar_x + BAR_WIDTH / 2 + 6 * UNIT
        # A tray is beside the player's own point 1, which lies at the left or right edge.
        beside = {0: self.left - TRAY_WIDTH / 2, 11: self.right + TRAY_WIDTH / 2}
        self.trays = {below: beside[column] for below, column in homes.items()}
        self.width = self.right + RIM + (TRAY_WIDTH if 11 in homes.values() else 0)
        self.top = CAPTION + RIM
        self.middle = self.top + HALF
        self.bottom = self.middle + HALF
        self.height = self.bottom + RIM + CAPTION

    def column_x(self, column: int) -> float:
        """Return the middle of a column of points."""
        start = self.left if column < 6 else self.bar_x + BAR_WIDTH / 2 - 6 * UNIT
        return start + (column + 0.5) * UNIT

    def stack(self, point: int, below: bool) -> Stack:
        """Return the spots on a player's own point, his bar (25) or his tray (0)."""
        if point == BAR:
            return self._bar(below)
        if point == OFF:
            return self._tray(below)
        return self._point(self.view.place(point, below))

    def points(self) -> dict[Place, Stack]:
        """Return the spots on every point: five from the edge inwards."""
        return {place: self._point(place) for place in PLACES.values()}

    def _point(self, place: Place) -> Stack:
        edge, inwards = (self.top, 1) if place.top else (self.bottom, -1)
        return Stack(self.column_x(place.column), edge + inwards * UNIT / 2, inwards * UNIT, 5)

    def _bar(self, below: bool) -> Stack:
        """From the middle towards where the player enters; the cube has room on both sides."""
        outwards = -1 if self.view.place(24, below).top else 1
        return Stack(self.bar_x, self.middle + outwards * UNIT, outwards * UNIT, 4)

    def _tray(self, below: bool) -> Stack:
        edge, inwards = (self.top, 1) if self.view.place(1, below).top else (self.bottom, -1)
        return Stack(self.trays[below], edge + inwards * (SLAB / 2 + 2), inwards * SLAB, 15)
