"""The numbers behind the `heuristic` policy, one set per family.

A set is a table ``place[index][count + 15]`` over the 28 places of a board and a list of pattern
worths (`nardy_core/evaluate.pxd` says what each counts). The tables are written here as a few rules
of thumb; all numbers are whole, so every machine plays alike.
"""

from dataclasses import dataclass

PLACES = 28
COUNTS = 31
PATTERNS = 24

Table = list[list[int]]


@dataclass(frozen=True)
class Weights:
    """One evaluator: the table of places and the list of patterns."""

    place: Table
    pattern: list[int]


def _empty() -> Table:
    return [[0] * COUNTS for _ in range(PLACES)]


def _patterns(**groups: tuple[int, list[int]]) -> list[int]:
    """Pattern worths from groups of (first index, values)."""
    pattern = [0] * PATTERNS
    for first, values in groups.values():
        pattern[first : first + len(values)] = values
    return pattern


SHORT_MADE = [0, 14, 26, 34, 40, 42, 40, 34, 16, 8, 8, 6, 4,
              6, 2, 2, 4, 8, 22, 24, 30, 30, 22, 14, 4]  # fmt: skip
"""Worth of holding own point 0..24 with two checkers or more, short family."""


def short() -> Weights:
    """Weights for games where checkers are hit."""
    place = _empty()
    for p in range(1, 25):
        for n in range(1, 16):
            own = -10 * p * n  # ten for each pip still to go
            if n > 1:
                own += SHORT_MADE[p] - 6 * max(0, n - 3)
            place[p][15 + n] = own
            theirs = 10 * (25 - p) * n
            if n > 1:
                theirs -= SHORT_MADE[25 - p] // 2
            place[p][15 - n] = theirs
    for n in range(16):
        place[0][15 + n] = 12 * n
        place[25][15 + n] = -290 * n
        place[26][15 - n] = 290 * n
        place[27][15 - n] = -12 * n
    pattern = _patterns(
        shots=(0, [-28, -30, -34, -36, -36, -40, -10]),
        own_walls=(7, [6, 10, 22, 30, 40]),
        enemy_walls=(12, [-2, -6, -14, -20, -30]),
        closed_out=(17, [24]),
        blots_before_a_strong_home=(18, [-6]),
    )
    return Weights(place, pattern)


LONG_HELD = [0, 0, 0, 0, 0, 0, 4, 20, 24, 26, 28, 30, 30,
             16, 17, 18, 19, 20, 20, 19, 18, 16, 14, 10, 0]  # fmt: skip
"""Worth of holding own point 0..24, long family."""


def long() -> Weights:
    """Weights for games where a lone checker closes its point."""
    place = _empty()
    for p in range(1, 25):
        for n in range(1, 16):
            own = LONG_HELD[p] - 2 * p * n
            if p == 24:
                own -= 9 * n
            elif p > 6:
                own -= 7 * max(0, n - 2)
            place[p][15 + n] = own
    for n in range(16):
        place[0][15 + n] = 10 * n
    pattern = _patterns(
        own_walls=(0, [4, 6, 10, 16, 24]),
        enemy_walls=(5, [0, 0, 0, 0, 0]),
        own_landings=(10, [3]),
        enemy_landings=(11, [-5]),
        own_dead_die=(12, [-12]),
        enemy_dead_die=(13, [22]),
    )
    return Weights(place, pattern)
