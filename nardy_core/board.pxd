"""Who stands where: 32 bytes, and the questions hot loops ask of them.

Index p is the own point p of the player on roll: own checkers positive, the opponent's
negative. A step of d pips adds one constant vector, in every game. A set of points travels as a
32-bit mask, bit p for point p.
"""

from libc.stdint cimport int8_t, uint32_t, uint64_t


cdef enum:
    OFF = 0
    HEAD = 24
    BAR = 25
    THEIR_BAR = 26  # minus the opponent's checkers on the bar
    THEIR_OFF = 27  # minus the opponent's checkers off
    WIDTH = 32      # one vector register; 28..31 stay zero

cdef enum:
    HOME_MASK = 0x7E          # points 1..6
    POINTS_MASK = 0x1FFFFFE   # points 1..24
    BAR_BIT = 0x2000000
    HEAD_BIT = 0x1000000
    MOVABLE_MASK = 0x3FFFFFE  # points 1..24 and the bar


cdef struct board_t:
    int8_t at[32]


cdef extern from "simd.h" nogil:
    void add32 "nardy_add32"(void* out, const void* a, const void* b)
    uint32_t above "nardy_above"(const void* a, int k)
    uint32_t equal "nardy_equal"(const void* a, int k)
    bint same "nardy_same"(const void* a, const void* b)
    uint32_t differ "nardy_differ"(const void* a, const void* b)
    void totals "nardy_totals"(const void* a, int* plus, int* minus)
    int popcount "nardy_popcount"(uint32_t x)
    int highest "nardy_highest"(uint32_t x)
    int lowest "nardy_lowest"(uint32_t x)
    uint64_t mulhi "nardy_mulhi"(uint64_t a, uint64_t b)
    void flip_bytes "nardy_flip"(int8_t* out, const int8_t* b, bint parallel)


cdef inline uint32_t own_mask(const board_t* b) noexcept nogil:
    """Points 1..24 and the bar that hold checkers of the player on roll."""
    return above(b, 0) & MOVABLE_MASK


cdef inline uint32_t bit(int p) noexcept nogil:
    """The mask of one point."""
    return (<uint32_t>1) << p


cdef inline uint32_t upto(int p) noexcept nogil:
    """The mask of point p and all lower ones."""
    return ((<uint32_t>2) << p) - 1


cdef inline uint32_t under(int p) noexcept nogil:
    """The mask of all points below p."""
    return ((<uint32_t>1) << p) - 1


cdef inline int pips(const board_t* b) noexcept nogil:
    """Pips the player on roll has yet to travel."""
    cdef int p, n = 0
    for p in range(1, BAR + 1):
        if b.at[p] > 0:
            n += p * b.at[p]
    return n


cdef inline int facing(bint parallel, int p) noexcept nogil:
    """The opponent's number of my point p (1..24)."""
    if not parallel:
        return 25 - p
    return p + 12 if p <= 12 else p - 12


cdef inline uint32_t facing_mask(bint parallel, uint32_t mask) noexcept nogil:
    """A set of points 1..24, renumbered as the opponent counts them."""
    cdef uint32_t out = 0
    cdef int p
    if parallel:
        return ((mask >> 12) & 0x1FFE) | ((mask & 0x1FFE) << 12)
    for p in range(1, 25):
        if mask & bit(p):
            out |= bit(25 - p)
    return out


cdef inline uint32_t their_home(bint parallel) noexcept nogil:
    """The opponent's home in my numbers: 13..18 where both travel the same way, else 19..24."""
    return 0x7E000 if parallel else 0x1F80000


cdef inline uint32_t runs_of_six(uint32_t mask) noexcept nogil:
    """Bit p is set where p, p+1, ..., p+5 all are: the lowest points of six in a row."""
    mask &= mask >> 1   # two in a row
    return mask & (mask >> 2) & (mask >> 4)
