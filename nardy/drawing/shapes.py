"""The shapes that a picture is made of."""

import math
from collections.abc import Iterable

from nardy.drawing.markup import tag, written
from nardy.drawing.table import UNIT, Spot, Stack

__all__ = ["RADIUS", "arrow", "box", "circle", "die", "dots", "group", "polygon", "triangle"]

RADIUS = UNIT / 2 - 1.5
DIE = 36.0

DOTS = {
    1: [(0, 0)],
    2: [(-1, -1), (1, 1)],
    3: [(-1, -1), (0, 0), (1, 1)],
    4: [(-1, -1), (-1, 1), (1, -1), (1, 1)],
    5: [(-1, -1), (-1, 1), (0, 0), (1, -1), (1, 1)],
    6: [(-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)],
}
"""The dots of each face, as rows and columns from its middle."""


def group(shapes: Iterable[str], **attributes: str | float) -> str:
    """Put shapes together; they share the attributes."""
    return tag("g", *shapes, **attributes)


def box(x0: float, y0: float, x1: float, y1: float, **attributes: str | float) -> str:
    """Draw a rectangle from its upper left to its lower right corner."""
    return tag("rect", x=x0, y=y0, width=x1 - x0, height=y1 - y0, **attributes)


def circle(x: float, y: float, radius: float, **attributes: str | float) -> str:
    """Draw a circle."""
    return tag("circle", cx=x, cy=y, r=radius, **attributes)


def triangle(stack: Stack, colour: str) -> str:
    """Draw one point of the board, from its edge to a little short of the fifth checker's end."""
    base = stack.y - stack.step / 2
    tip = base + 4.6 * stack.step
    return polygon(
        [(stack.x - UNIT / 2, base), (stack.x + UNIT / 2, base), (stack.x, tip)], fill=colour
    )


def polygon(corners: Iterable[Spot], **attributes: str | float) -> str:
    """Draw a filled outline."""
    points = " ".join(f"{written(x)},{written(y)}" for x, y in corners)
    return tag("polygon", points=points, **attributes)


def die(x: float, y: float) -> str:
    """Draw a die without its dots; (x, y) is its middle."""
    half = DIE / 2
    return box(x - half, y - half, x + half, y + half, rx=6)


def dots(x: float, y: float, face: int) -> str:
    """Draw the dots of one face of a die."""
    return "".join(circle(x + DIE / 3.6 * i, y + DIE / 3.6 * j, 3.4) for i, j in DOTS[face])


def arrow(start: Spot, end: Spot, colour: str) -> str:
    """Draw a line from the rim of a checker, whose number stays visible, with its tip at `end`."""
    (x0, y0), (x1, y1) = start, end
    length = math.sqrt((x1 - x0) ** 2 + (y1 - y0) ** 2)
    ux, uy = (x1 - x0) / length, (y1 - y0) / length
    x0, y0 = x0 + RADIUS * ux, y0 + RADIUS * uy
    neck_x, neck_y = x1 - 15 * ux, y1 - 15 * uy
    wings = [(neck_x - 8 * uy, neck_y + 8 * ux), (neck_x + 8 * uy, neck_y - 8 * ux)]
    line = tag(
        "line",
        x1=x0,
        y1=y0,
        x2=neck_x,
        y2=neck_y,
        stroke=colour,
        stroke_width=5,
        stroke_linecap="round",
    )
    return line + polygon([(x1, y1), *wings], fill=colour)
