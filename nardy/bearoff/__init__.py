"""Races, where answers are exact: bear-off tables, win chances, and the formulas of the books.

A *turn* is a roll and what is played with it, passes included. In a cascade game a double is a
whole chain of stages, and still one turn; remainders that come from the opponent are no turns of
one's own (and hardly any arise: with no enemy in the way every stage is completed, unless a rule
like `max_per_point` forbids it).

Functions
---------
one_sided
    Distribution of the number of turns to bear off, of every position of a table.
two_sided
    Equities of every pair of positions, with and without the cube.
race
    Chances in a race, of one position or of many boards.
"""

from nardy.bearoff.files import FOLDER_VARIABLE, folder_of
from nardy.bearoff.racing import Race, race
from nardy.bearoff.tables import Equities, OneSided, TwoSided, one_sided, two_sided

__all__ = [
    "FOLDER_VARIABLE",
    "Equities",
    "OneSided",
    "Race",
    "TwoSided",
    "folder_of",
    "one_sided",
    "race",
    "two_sided",
]
