"""Brings the numbers of heuristic.py to where the kernels read them; evaluate.pxd has the rest."""

from nardy_core import heuristic


cdef class Weights:
    """A table of weights, from `heuristic.Weights` or lists of the same shape."""

    def __init__(self, place, pattern):
        cdef int p, k
        for p in range(28):
            for k in range(COUNTS):
                self.w.place[p][k] = place[p][k]
        for k in range(PATTERNS):
            self.w.pattern[k] = pattern[k]


cdef Weights SHORT = Weights(heuristic.short().place, heuristic.short().pattern)
cdef Weights LONG = Weights(heuristic.long().place, heuristic.long().pattern)


cdef Weights default_weights(Rules rules):
    """The numbers that the `heuristic` policy uses in a game."""
    return SHORT if rules.c.hit else LONG
