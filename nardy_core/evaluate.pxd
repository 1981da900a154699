"""The hand-made evaluator behind the `heuristic` policy: whole numbers, one sum per board.

A board is judged in the view of the player who has just played, before the opponent throws. One
part is a sum over points, read from a table [point][count]; the other counts patterns on masks. All
of it is integer arithmetic, so every compiler picks the same plays.
"""

from libc.stdint cimport int32_t, uint32_t

from nardy_core.board cimport (
    HOME_MASK,
    POINTS_MASK,
    THEIR_BAR,
    above,
    board_t,
    differ,
    equal,
    facing_mask,
    lowest,
    popcount,
)
from nardy_core.rules cimport Rules, rules_t

cdef enum:
    COUNTS = 31     # -15..15 checkers on a place, shifted by 15
    PATTERNS = 16


cdef struct weights_t:
    int32_t place[28][31]   # [index 0..27 of the board][count + 15]
    int32_t pattern[16]     # see short_patterns and long_patterns


cdef class Weights:         # a table of weights where the kernels read it
    cdef weights_t w


cdef Weights default_weights(Rules rules)


cdef inline int32_t places(const weights_t* w, const board_t* before,
                           const board_t* after) noexcept nogil:
    """What the change of places is worth."""
    cdef uint32_t changed = differ(before, after)
    cdef int32_t total = 0
    cdef int p
    while changed:
        p = lowest(changed)
        changed &= changed - 1
        total += w.place[p][after.at[p] + 15] - w.place[p][before.at[p] + 15]
    return total


cdef inline int32_t walls(uint32_t mask, const int32_t* worth) noexcept nogil:
    """Runs of 2, 3, 4, 5 and 6 points in `mask`, each by its worth."""
    cdef int32_t total = 0
    cdef int k
    for k in range(5):
        mask &= mask >> 1
        if not mask:
            break
        total += worth[k] * popcount(mask)
    return total


cdef inline int32_t short_patterns(const weights_t* w, const board_t* b) noexcept nogil:
    """Shots and walls where checkers are hit.

    pattern[0..5]: an own blot at distance 1..6 before an enemy, [6]: 7 to 11; [7..11]: own walls of
    2..6 made points; [12]: an enemy on the bar times own made home points; [13]: an own blot times
    the enemy's made home points.
    """
    cdef uint32_t blots = equal(b, 1) & POINTS_MASK
    cdef uint32_t made = above(b, 1) & POINTS_MASK
    cdef uint32_t strong, shots
    cdef int32_t total = walls(made, &w.pattern[7])
    cdef int d
    if b.at[THEIR_BAR]:
        total -= w.pattern[12] * b.at[THEIR_BAR] * popcount(made & HOME_MASK)
    if not blots:
        return total
    shots = ~above(b, -1) & POINTS_MASK
    if b.at[THEIR_BAR]:
        shots |= 1
    for d in range(1, 7):
        total += w.pattern[d - 1] * popcount((shots << d) & blots)
    shots = shots << 7 | shots << 8
    total += w.pattern[6] * popcount((shots | shots << 2 | shots << 3) & blots)
    strong = ~above(b, -2) & 0x1F80000
    return total + w.pattern[13] * popcount(blots) * popcount(strong)


cdef inline int32_t landings(const int32_t* worth, uint32_t from_, uint32_t closed) noexcept nogil:
    """The open points that checkers on `from_` can step to, and dice that cannot be played."""
    cdef uint32_t to
    cdef int32_t n = 0, dead = 0
    cdef int d
    for d in range(1, 7):
        to = (from_ >> d) & ~closed & POINTS_MASK
        n += popcount(to)
        dead += to == 0
    return worth[0] * n + worth[1] * dead


cdef inline int32_t long_patterns(const weights_t* w, bint parallel,
                                  const board_t* b) noexcept nogil:
    """Walls and landings where a lone checker closes its point.

    pattern[0..4]: own walls of 2..6 points on the opponent's road; [5]: an own landing per die,
    [6]: a die that no own checker can play; [7] and [8]: the same of the enemy.
    """
    cdef uint32_t own = above(b, 0) & POINTS_MASK
    cdef uint32_t enemies = ~above(b, -1) & POINTS_MASK
    cdef uint32_t own_there = facing_mask(parallel, own)
    return (walls(own_there, &w.pattern[0]) + landings(&w.pattern[5], own, enemies)
            + landings(&w.pattern[7], facing_mask(parallel, enemies), own_there))


cdef inline int32_t score(const rules_t* r, const weights_t* w, const board_t* before,
                          const board_t* after) noexcept nogil:
    """How good a play from `before` is for the player who made it; higher is better.

    Only plays of one roll are compared, so what none of them changes is left out.
    """
    cdef int32_t total = places(w, before, after)
    if r.hit:
        return total + short_patterns(w, after)
    return total + long_patterns(w, r.parallel, after)


cdef inline int best_of(const rules_t* r, const weights_t* w, const board_t* before,
                        const board_t* rows, Py_ssize_t n) noexcept nogil:
    """Index of the best of n plays; the first of equals."""
    cdef int32_t best, value
    cdef int i, at = 0
    if n == 1:
        return 0
    best = score(r, w, before, &rows[0])
    for i in range(1, <int>n):
        value = score(r, w, before, &rows[i])
        if value > best:
            best = value
            at = i
    return at
