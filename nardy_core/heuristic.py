"""The numbers behind the `heuristic` policy, one set per family.

A set is a table ``place[index][count + 15]`` over the 28 places of a board and a list of pattern
worths (`nardy_core/evaluate.pxd` says what each counts). All numbers are whole, so every machine
plays alike. They were set by hand, then improved by bench/tune.py, which plays small changes
against the numbers as they are.
"""

from dataclasses import dataclass

PLACES = 28
COUNTS = 31
PATTERNS = 16

Table = list[list[int]]
Numbers = dict[str, list[int]]


@dataclass(frozen=True)
class Weights:
    """One evaluator: the table of places and the list of patterns."""

    place: Table
    pattern: list[int]


SHORT: Numbers = {
    # own points 1..24: held by two or more; by one; each checker above three
    "made": [-18, 21, 38, 44, 47, 42, 32, 26, 8, 29, 27, 7,
             11, -3, -21, -27, 3, 24, 18, 34, 14, -6, -34, -40],
    "lone": [-14, -4, -2, -2, -1, 0, -2, -2, 1, 11, 9, 6,
             10, 13, 11, 11, 11, 4, 5, 1, 1, 5, 34, 48],
    "stacked": [-19, -15, -14, -12, -9, -7, -6, -4, -1, -2, -6, -6,
                -1, 5, 5, -6, -27, -28, -13, -7, -13, -8, 5, -10],
    # one pip; a checker off; an enemy hit, besides the pips that he loses
    "pip": [-10],
    "off": [11],
    "hit": [-41],
    # shots at distance 1..6 and 7..11; own walls; an enemy on the bar; blots before a strong home
    "pattern": [-28, -29, -30, -19, -23, -34, -3, 7, 4, 11, 23, 50, 24, -2, 0, 0],
}  # fmt: skip

LONG: Numbers = {
    # own points 1..24: held by one or more; each checker above two (above none on the head)
    "held": [0, -3, 32, 35, 36, 45, 46, 47, 51, 42, 30, 26,
             8, 8, 17, 14, 16, 16, -3, 6, 13, -5, 8, -2],
    "stacked": [-21, -14, -13, -13, -13, 0, -6, -18, -16, -5, -6, -5,
                -7, -13, -12, -6, -7, 5, -7, -5, -12, -7, -26, -30],
    "pip": [-2],
    "off": [96],
    # own walls; own landings per die and dead dice; the same of the enemy
    "pattern": [3, -3, 4, 28, 24, 4, -10, -2, 33, 0, 0, 0, 0, 0, 0, 0],
}  # fmt: skip


def _empty() -> Table:
    return [[0] * COUNTS for _ in range(PLACES)]


def short(numbers: Numbers = SHORT) -> Weights:
    """Weights for games where checkers are hit."""
    place = _empty()
    pip, hit, off = numbers["pip"][0], numbers["hit"][0], numbers["off"][0]
    for p in range(1, 25):
        for n in range(1, 16):
            held = numbers["lone" if n == 1 else "made"][p - 1]
            place[p][15 + n] = pip * p * n + held + numbers["stacked"][p - 1] * max(0, n - 3)
            place[p][15 - n] = -pip * (25 - p) * n
    for n in range(16):
        place[0][15 + n] = off * n
        place[25][15 + n] = 25 * pip * n
        place[26][15 - n] = (hit - 25 * pip) * n
    return Weights(place, numbers["pattern"])


def long(numbers: Numbers = LONG) -> Weights:
    """Weights for games where a lone checker closes its point."""
    place = _empty()
    pip, off = numbers["pip"][0], numbers["off"][0]
    for p in range(1, 25):
        for n in range(1, 16):
            spare = numbers["stacked"][p - 1] * max(0, n - (2 if p < 24 else 0))
            place[p][15 + n] = pip * p * n + numbers["held"][p - 1] + spare
    for n in range(16):
        place[0][15 + n] = off * n
    return Weights(place, numbers["pattern"])
