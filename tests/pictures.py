"""Pictures read back by where things are drawn, and what should be seen there.

Where a point lies is written out here row by row; the other player's numbers are those of the slow
reference (tests/reference.py).
"""

import xml.etree.ElementTree as ET

import pytest
import reference

from nardy.drawing.themes import THEMES

UPPER = (13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24)
LOWER = (12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1)
"""The points of the player at the bottom, from left to right."""
SVG = "{http://www.w3.org/2000/svg}"
SIDES = ("me", "opponent")


def lies(rules, point, below):
    """(column, whether in the upper row) of a player's own point."""
    if not below:
        point = reference.FACING[rules.travel][point]
    return (UPPER.index(point), True) if point in UPPER else (LOWER.index(point), False)


def expected(position, bottom):
    """What should be seen: signed checkers by place, those of the player at the top negative."""
    sides = {True: position, False: position.flip()}
    if bottom == "opponent":
        sides = {True: position.flip(), False: position}
    points, bar, off = {}, {}, {}
    for below, side in sides.items():
        sign = 1 if below else -1
        for point in range(1, 25):
            if side.board[point] > 0:
                points[lies(position.rules, point, below)] = sign * int(side.board[point])
        bar[below], off[below] = int(side.board[25]), int(side.board[0])
    return points, bar, off


class Seen:
    """What a picture shows, by where it is drawn."""

    def __init__(self, text, theme="light"):
        self.root = ET.fromstring(text)
        self.width, self.height = map(float, self.root.get("viewBox").split()[2:])
        self.shapes = list(self.walk(self.root, {}))
        self.theme = THEMES[theme]
        fills = self.theme.points
        points = [
            [tuple(map(float, pair.split(","))) for pair in shape["points"].split()]
            for tag, shape in self.shapes
            if tag == "polygon" and shape["fill"] in fills
        ]
        assert len(points) == 24
        self.columns = sorted({(a[0] + b[0]) / 2 for a, b, _ in points})
        self.middle = self.height / 2
        assert len(self.columns) == 12
        assert {(base[1] < self.middle) == (base[1] < tip[1]) for base, _, tip in points} == {True}

    def walk(self, element, inherited):
        """Every shape with the attributes that it inherits, in the order of painting."""
        own = {**inherited, **element.attrib, "text": element.text}
        own["group"] = inherited.get("self")
        own["self"] = element
        yield element.tag.removeprefix(SVG), own
        for child in element:
            yield from self.walk(child, own)

    def of(self, tag, **wanted):
        for name, shape in self.shapes:
            if name == tag and all(shape.get(key) == value for key, value in wanted.items()):
                yield shape

    def place(self, x, y):
        """(column, upper) of a spot over a point; None for one on the bar or in a tray."""
        near = min(range(12), key=lambda column: abs(self.columns[column] - x))
        return (near, y < self.middle) if abs(self.columns[near] - x) < 1 else None

    def seat(self, shape):
        fill = shape["fill"]
        assert fill in (self.theme.below.fill, self.theme.above.fill)
        return fill == self.theme.below.fill

    def checkers(self):
        """Signed checkers by place; on the bar by seat."""
        points, bar, groups = {}, {True: 0, False: 0}, {}
        for shape in self.of("circle", r="18.5"):
            if shape["fill"] != "none":
                groups.setdefault(shape["group"], []).append(shape)
        for group, circles in groups.items():
            label = group.find(f"{SVG}text")
            count = len(circles) if label is None else int(label.text)
            assert count > len(circles) or label is None
            x, y = float(circles[0]["cx"]), float(circles[0]["cy"])
            below, place = self.seat(circles[0]), self.place(x, y)
            spots = {self.place(float(c["cx"]), float(c["cy"])) for c in circles}
            assert spots == {place}
            if place is None:
                assert x == pytest.approx((self.columns[5] + self.columns[6]) / 2)
                bar[below] += count
            else:
                assert place not in points
                points[place] = count if below else -count
        return points, bar

    def off(self):
        """Checkers off by seat, each a slab in a tray beside the board."""
        count = {True: 0, False: 0}
        for shape in self.of("rect", height="10"):
            count[self.seat(shape)] += 1
            x = float(shape["x"]) + float(shape["width"]) / 2
            assert x < self.columns[0] - 20 or x > self.columns[11] + 20
        return count

    def numbers(self):
        """The numbers in the frame, by place."""
        texts = [shape for shape in self.of("text", fill=self.theme.number) if shape["text"]]
        return {
            self.place(float(shape["x"]), float(shape["y"])): int(shape["text"]) for shape in texts
        }

    def arrows(self):
        """(start, tip) of every arrow with its colour."""
        tips = [s for s in self.of("polygon") if s["fill"] in (self.theme.arrow, self.theme.hit)]
        for line, tip in zip(self.of("line"), tips, strict=True):
            assert line["stroke"] == tip["fill"]
            x, y = tip["points"].split()[0].split(",")
            start = float(line["x1"]), float(line["y1"])
            yield start, (float(x), float(y)), tip["fill"] == self.theme.hit

    def words(self):
        return [shape["text"] for shape in self.of("text")]
