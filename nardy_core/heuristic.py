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
    "made": [14, 26, 34, 40, 42, 40, 34, 16, 8, 8, 6, 4, 6, 2, 2, 4, 8, 22, 24, 30, 30, 22, 14, 4],
    "lone": [0] * 24,
    "stacked": [-6] * 24,
    # one pip; a checker off; an enemy hit, besides the pips that he loses
    "pip": [-10],
    "off": [12],
    "hit": [40],
    # shots at distance 1..6 and 7..11; own walls; an enemy on the bar; blots before a strong home
    "pattern": [-28, -30, -34, -36, -36, -40, -10, 6, 10, 22, 30, 40, 24, -6, 0, 0],
}  # fmt: skip

LONG: Numbers = {
    # own points 1..24: held by one or more; each checker above two
    "held": [0, 0, 0, 0, 0, 4, 20, 24, 26, 28, 30, 30,
             16, 17, 18, 19, 20, 20, 19, 18, 16, 14, 10, 0],
    "stacked": [0] * 6 + [-7] * 17 + [-9],
    "pip": [-2],
    "off": [10],
    # own walls; own landings per die and dead dice; the same of the enemy
    "pattern": [4, 6, 10, 16, 24, 3, -12, -5, 22, 0, 0, 0, 0, 0, 0, 0],
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
