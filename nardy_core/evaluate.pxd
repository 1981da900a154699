"""The hand-made evaluator behind the `heuristic` policy: whole numbers, one sum per board.

A board is judged in the view of the player who has just played, before the opponent throws. One
part is a sum over points, read from a table [point][count]; the other counts patterns on masks. All
of it is integer arithmetic, so every compiler picks the same plays.
"""

from libc.stdint cimport int16_t, int32_t, uint32_t

from nardy_core.board cimport (
    BAR,
    HEAD,
    HOME_MASK,
    POINTS_MASK,
    THEIR_BAR,
    THEIR_OFF,
    above,
    bit,
    board_t,
    equal,
    facing_mask,
    popcount,
)
from nardy_core.rules cimport rules_t

cdef enum:
    COUNTS = 31     # -15..15 checkers on a place, shifted by 15
    PATTERNS = 24


cdef struct weights_t:
    int32_t place[28][31]   # [index 0..27 of the board][count + 15]
    int32_t pattern[24]     # see short_patterns and long_patterns


cdef inline int32_t places(const weights_t* w, const board_t* b) noexcept nogil:
    """The sum over all places of the board."""
    cdef int32_t total = 0
    cdef int p
    for p in range(28):
        total += w.place[p][b.at[p] + 15]
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
    """Shots, walls and anchors where checkers are hit.

    pattern[0..6]: one own blot at distance 1..6 (7: 7 to 11) before an enemy; [7..11]: own walls of
    2..6 made points; [12..16]: enemy walls; [17]: an enemy on the bar times own made home points;
    [18]: an own blot at home times enemy made home points; [19..20]: enemy blot at distance 1..6
    before an own checker, for each.
    """
    cdef uint32_t blots = equal(b, 1) & POINTS_MASK
    cdef uint32_t made = above(b, 1) & POINTS_MASK
    cdef uint32_t enemies = ~above(b, -1) & POINTS_MASK
    cdef uint32_t enemy_made = ~above(b, -2) & POINTS_MASK
    cdef uint32_t shots = enemies | (1 if b.at[THEIR_BAR] else 0)
    cdef int32_t total = 0
    cdef int d
    if blots:
        for d in range(1, 7):
            total += w.pattern[d - 1] * popcount((shots << d) & blots)
        total += w.pattern[6] * popcount(
            ((shots << 7) | (shots << 8) | (shots << 9) | (shots << 10) | (shots << 11)) & blots)
        total += w.pattern[18] * popcount(blots) * popcount(enemy_made & 0x1F80000)
    total += walls(made, &w.pattern[7])
    total += walls(enemy_made, &w.pattern[12])
    total -= w.pattern[17] * b.at[THEIR_BAR] * popcount(made & HOME_MASK)
    return total


cdef inline int32_t long_patterns(const weights_t* w, bint parallel,
                                  const board_t* b) noexcept nogil:
    """Walls and landings where a lone checker closes its point.

    pattern[0..4]: own walls of 2..6 points on the opponent's road; [5..9]: enemy walls; [10]: an
    own landing per die; [11]: an enemy landing per die; [12]: a die that no own checker can play;
    [13]: a die that no enemy can play.
    """
    cdef uint32_t own = above(b, 0) & POINTS_MASK
    cdef uint32_t enemies = ~above(b, -1) & POINTS_MASK
    cdef uint32_t own_there = facing_mask(parallel, own)
    cdef uint32_t enemies_there = facing_mask(parallel, enemies)
    cdef uint32_t steps
    cdef int32_t total = 0
    cdef int d
    total += walls(own_there, &w.pattern[0])
    total += walls(enemies, &w.pattern[5])
    for d in range(1, 7):
        steps = (own >> d) & ~enemies & POINTS_MASK
        total += w.pattern[10] * popcount(steps) if steps else w.pattern[12]
        steps = (enemies_there >> d) & ~own_there & POINTS_MASK
        total += w.pattern[11] * popcount(steps) if steps else w.pattern[13]
    return total


cdef inline int32_t score(const rules_t* r, const weights_t* w, const board_t* b) noexcept nogil:
    """How good the board is for the player who has just played; higher is better."""
    cdef int32_t total = places(w, b)
    if r.hit:
        return total + short_patterns(w, b)
    return total + long_patterns(w, r.parallel, b)
