"""Bearing off without contact: which positions there are, in what order, and what they lead to.

A position is the own checkers on points 1..points, of `checkers` in all; the rest are off. With
S(r) the checkers below point r (those off included), a step from p to q raises S(r) by one for
q < r <= p and changes nothing else, so S says it all, and S never falls.

Positions are ordered as the tuples (checkers on the highest point, ..., checkers on point 1). Every
step leaves a position that stands earlier, and a table of fewer points is the first part of one of
more. The place of a position is a sum over its points of numbers that depend on S(r) alone,

    index = size - 1 - sum over r of place[r][S(r)],   place[r][s] = C(s + r - 1, r),

and a step adds its own few terms to it. This holds as well where S(r) may not fall below some
`low[r]`, that is, for the positions that can arise from a given one; only `place` differs: with
H[r][s] the ways to set up the points below r + 1 with s checkers, H[0] = 1 and
H[r][s] = sum of H[r - 1][t] over low[r] <= t <= s, it is place[r][s] = H[r][s] - H[r - 1][s].
"""

from libc.stdint cimport int8_t, int64_t

cdef enum:
    MOST_POINTS = 24
    MOST_CHECKERS = 15


cdef struct shape_t:        # a set of positions and their order
    int points
    int checkers
    int low[26]             # low[r]: the least S(r), r = 1..points
    int64_t ways[26][16]    # H of the text above
    int64_t place[26][16]
    int64_t size


cdef inline void fill_shape(shape_t* f) noexcept nogil:
    """Count the positions of so many points and checkers, with S(r) at least low[r]."""
    cdef int64_t total
    cdef int r, t
    for t in range(f.checkers + 1):
        f.ways[0][t] = 1
    for r in range(1, f.points + 1):
        total = 0
        for t in range(f.checkers + 1):
            total += f.ways[r - 1][t] if t >= f.low[r] else 0
            f.ways[r][t] = total
            f.place[r][t] = total - f.ways[r - 1][t]
    f.size = f.ways[f.points][f.checkers]


cdef inline void below_each(const shape_t* f, const int8_t* at, int* s) noexcept nogil:
    """Write S(r), r = 1..points + 1, from the checkers on points 1..points, at[1]..at[points]."""
    cdef int r
    s[f.points + 1] = f.checkers
    for r in range(f.points, 0, -1):
        s[r] = s[r + 1] - at[r]


cdef inline int64_t place_of(const shape_t* f, const int* s) noexcept nogil:
    """The index of a position."""
    cdef int64_t index = f.size - 1
    cdef int r
    for r in range(1, f.points + 1):
        index -= f.place[r][s[r]]
    return index


cdef inline void position_at(const shape_t* f, int64_t index, int* s) noexcept nogil:
    """Write S of the position of an index."""
    cdef int r
    s[f.points + 1] = f.checkers
    for r in range(f.points, 0, -1):
        s[r] = s[r + 1]
        while index >= f.ways[r - 1][s[r]]:     # all that have no more on point r stand before
            index -= f.ways[r - 1][s[r]]
            s[r] -= 1


cdef inline bint next_position(const shape_t* f, int* s) noexcept nogil:
    """Go on to the next position; False after the last."""
    cdef int r, q
    for r in range(1, f.points + 1):
        if s[r] > f.low[r]:  # one checker up to r, all that stood lower off
            for q in range(1, r):
                s[q] = s[r] - 1
            s[r] -= 1
            return True
    return False
