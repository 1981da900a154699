"""The board as an SVG picture."""

import math
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nardy.drawing.layout import BAR, OFF, PLACES, View
from nardy.drawing.markup import escaped, tag, words
from nardy.drawing.options import SEATS, Cube, Roll, chosen, read_cube, read_dice, read_size
from nardy.drawing.roll import Steps, played
from nardy.drawing.shapes import RADIUS, arrow, box, circle, die, dots, group, triangle
from nardy.drawing.table import BAR_WIDTH, CAPTION, RIM, SLAB, TRAY_WIDTH, UNIT, Spot, Table
from nardy.drawing.themes import THEMES, Paint, Theme
from nardy.plays import play_text
from nardy.text import position_text
from nardy_core import batch
from nardy_core.rules import Rules

__all__ = ["board_svg"]


def board_svg(
    rules: Rules,
    board: NDArray[np.int8],
    *,
    play: batch.PlayData | str | None = None,
    dice: Iterable[int] | None = None,
    cube: Cube | None = None,
    theme: str = "light",
    numbers: str | None = "me",
    bottom: str = "me",
    size: int = 640,
) -> str:
    """Draw a board; the options are those of `Drawable.svg`."""
    chosen("numbers", numbers, (*SEATS, None))
    colours = THEMES[chosen("theme", theme, tuple(THEMES))]
    roll = None if dice is None else read_dice(dice)
    steps, roll = played(rules, board, play, roll)
    cube = None if cube is None else read_cube(cube)
    view = View(rules, board, bottom)
    picture = _Picture(Table(view), colours)
    parts = [picture.table(), picture.checkers(), picture.captions(rules)]
    parts += [picture.numbers(numbers)] if numbers is not None else []
    parts += [picture.cube(*cube)] if cube is not None else []
    parts += [picture.dice(roll)] if roll is not None else []
    parts += [picture.arrows(steps, board)] if steps else []
    label = _label(rules, board, view, None if play is None else steps, roll, cube)
    return picture.svg(label, parts, read_size(size))


def _label(
    rules: Rules,
    board: NDArray[np.int8],
    view: View,
    steps: Steps | None,
    roll: Roll | None,
    cube: Cube | None,
) -> str:
    """Say in words what the picture shows."""
    label = f"{rules.title or rules.name}: {position_text(rules, board)}; player on roll at the "
    label += "bottom" if view.on_roll_below else "top"
    if roll is not None:
        label += f"; dice {roll[0]}-{roll[1]}"
    if cube is not None:
        owner = {"me": "player on roll", "opponent": "opponent"}.get(cube[1] or "", "nobody")
        label += f"; cube at {cube[0]}, owned by {owner}"
    if steps is not None:
        label += f"; play {play_text(board, steps)}"
    return label


class _Picture:
    """The parts of one picture, each a group of elements."""

    def __init__(self, table: Table, colours: Theme) -> None:
        self.at, self.view, self.colours = table, table.view, colours

    def paint(self, below: bool) -> Paint:
        """Return the colours of the player at the bottom, or at the top."""
        return self.colours.below if below else self.colours.above

    def svg(self, label: str, parts: list[str], width: int) -> str:
        """Frame the parts, with words for who does not see them."""
        at = self.at
        attributes: dict[str, Any] = {
            "xmlns": "http://www.w3.org/2000/svg",
            "viewBox": f"0 0 {at.width:g} {at.height:g}",
            "width": width,
            "height": round(width * at.height / at.width),
            "role": "img",
            "aria_label": label,
            "font_family": "sans-serif",
            "text_anchor": "middle",
        }
        lines = "\n".join(["", tag("title", escaped(label)), *parts, ""])
        return tag("svg", lines, **attributes)

    def table(self) -> str:
        """Draw page, frame, board, points and trays."""
        at, colours = self.at, self.colours
        shapes = [
            box(0, 0, at.width, at.height, fill=colours.page),
            box(0, CAPTION, at.width, at.height - CAPTION, rx=6, fill=colours.frame),
        ]
        shapes += [
            box(x, at.top, x + 6 * UNIT, at.bottom, fill=colours.felt)
            for x in (at.left, at.bar_x + BAR_WIDTH / 2)
        ]
        shapes += [self._tray(below) for below in (True, False)]
        for place, stack in at.points().items():
            colour = colours.points[(place.column + place.top) % 2]
            shapes.append(triangle(stack, colour))
        return group(shapes)

    def _tray(self, below: bool) -> str:
        """Draw the place of the checkers that a player has off: half as high as the board."""
        at, x = self.at, self.at.trays[below]
        top = self.view.place(1, below).top
        ends = (at.top, at.middle - 10) if top else (at.middle + 10, at.bottom)
        half = TRAY_WIDTH / 2 - 4
        return box(x - half, ends[0], x + half, ends[1], fill=self.colours.felt)

    def checkers(self) -> str:
        """Draw every checker: on the points, the bar and in the trays."""
        shapes = []
        for place in PLACES.values():
            count = self.view.checkers(place)
            if count:
                below = count > 0
                point = self.view.number(place, below)
                shapes.append(self._pile(point, below, abs(count)))
        for below in (True, False):
            shapes.append(self._pile(BAR, below, self.view.bar(below)))
            shapes.append(self._slabs(below))
        return group(filter(None, shapes))

    def _pile(self, point: int, below: bool, count: int) -> str:
        """Draw checkers that lie on one point; a pile that is too high says how many."""
        if not count:
            return ""
        stack, paint = self.at.stack(point, below), self.paint(below)
        shapes = [circle(*stack.spot(level), RADIUS) for level in range(min(count, stack.most))]
        if count > stack.most:
            number = words(str(count), *stack.spot(count), 19, fill=paint.ink, stroke="none")
            shapes.append(number)
        return group(shapes, fill=paint.fill, stroke=paint.line, stroke_width=2)

    def _slabs(self, below: bool) -> str:
        """Draw the checkers off, standing on their edges, and tell how many."""
        count = self.view.off(below)
        if not count:
            return ""
        stack, paint, half = self.at.stack(OFF, below), self.paint(below), TRAY_WIDTH / 2 - 8
        slabs = []
        for level in range(count):
            x, y = stack.spot(level)
            slabs.append(box(x - half, y - SLAB / 2 + 1, x + half, y + SLAB / 2 - 1, rx=2))
        end = stack.spot(stack.most)[1] + math.copysign(22, stack.step)
        label = words(str(count), stack.x, end, 18, fill=self.colours.caption)
        return group(slabs, fill=paint.fill, stroke=paint.line, stroke_width=1) + label

    def captions(self, rules: Rules) -> str:
        """Write who is on roll, the pips of both, and the game."""
        at, right = self.at, self.at.width - 4
        lines = []
        for below, y in ((False, CAPTION / 2), (True, at.height - CAPTION / 2)):
            name = "On roll" if below == self.view.below("me") else "Opponent"
            text = f"{name}, pips {self.view.pips(below)}"
            lines.append(words(text, 4, y, 16, text_anchor="start"))
        title = rules.title or rules.name
        title = title if len(title) <= 36 else f"{title[:35]}…"
        lines.append(words(title, right, CAPTION / 2, 16, text_anchor="end"))
        return group(lines, fill=self.colours.caption)

    def numbers(self, whose: str) -> str:
        """Write the numbers of the points in the frame."""
        below, labels = self.view.below(whose), []
        for place in PLACES.values():
            y = self.at.top - RIM / 2 if place.top else self.at.bottom + RIM / 2
            number = str(self.view.number(place, below))
            labels.append(words(number, self.at.column_x(place.column), y, 14))
        return group(labels, fill=self.colours.number)

    def cube(self, value: int, owner: str | None) -> str:
        """Draw the cube: in the middle of the bar, or at its owner's end."""
        y, paint, half = self.at.middle, self.colours.cube, 16
        if owner is not None:
            y = self.at.bottom - half - 4 if self.view.below(owner) else self.at.top + half + 4
        text = str(value)
        x = self.at.bar_x
        face = box(x - half, y - half, x + half, y + half, rx=4, fill=paint.fill)
        number = words(text, x, y, min(18, 48 / len(text)), fill=paint.ink, stroke="none")
        return group([face, number], stroke=paint.line, stroke_width=2)

    def dice(self, roll: Roll) -> str:
        """Draw the dice of the player on roll in the half to his right."""
        below = self.view.on_roll_below
        x, y = self.at.column_x(8 if below else 2) + UNIT / 2, self.at.middle
        paint = self.paint(below)
        faces = group(
            [die(x - 22, y), die(x + 22, y)], fill=paint.fill, stroke=paint.line, stroke_width=2
        )
        return faces + group([dots(x - 22, y, roll[0]), dots(x + 22, y, roll[1])], fill=paint.ink)

    def arrows(self, steps: Steps, board: NDArray[np.int8]) -> str:
        """Draw an arrow for each step, from the checker that goes to where it comes to lie."""
        shapes: list[str] = []
        below, blots = self.view.on_roll_below, {int(at) for at in np.flatnonzero(board[:BAR] < 0)}
        for (_, to), (start, end) in zip(steps, self._levels(steps, board), strict=True):
            # A blot is hit once, by the checker that comes to lie in its place.
            hit = to in blots and end == self.at.stack(to, below).spot(0)
            colour = self.colours.hit if hit else self.colours.arrow
            if hit:
                blots.remove(to)
                shapes.append(circle(*end, RADIUS, fill="none", stroke=colour, stroke_width=4))
            shapes.append(arrow(start, end, colour))
        return group(shapes)

    def _levels(self, steps: Steps, board: NDArray[np.int8]) -> list[tuple[Spot, Spot]]:
        """Find the spots that each step leaves and reaches.

        Equal steps take their checkers from the top of the pile down, so they land from the top of
        the new pile down: their arrows lie side by side and do not cross.
        """
        below = self.view.on_roll_below
        heights = np.maximum(board[: BAR + 1], 0).tolist()
        starts, ends = [], []
        for source, to in steps:
            start, end = self.at.stack(source, below), self.at.stack(to, below)
            heights[source] = min(heights[source], start.most) - 1
            starts.append(start.spot(heights[source]))
            ends.append(end.spot(heights[to]))
            heights[to] += 1
        same: dict[tuple[int, int], list[Spot]] = {}
        for step, spot in zip(steps, ends, strict=True):
            same.setdefault(step, []).append(spot)
        return [(start, same[step].pop()) for start, step in zip(starts, steps, strict=True)]
