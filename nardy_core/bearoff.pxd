"""Whether players still meet; the tables of bearing off are bearoff.pyx, their order order.pxd."""

from libc.stdint cimport uint32_t

from nardy_core.board cimport BAR, THEIR_BAR, above, bit, board_t, facing_mask, highest, own_mask
from nardy_core.rules cimport rules_t


cdef inline bint could_meet(const rules_t* r, const board_t* b) noexcept nogil:
    """Whether the roads that the two players still have before them share a point.

    In contrary travel they do if my rearmost checker stands behind his, in my numbers. In parallel
    travel his road ends on my 13: mine runs through his home if I have a checker above 12, and
    his through mine if he has.
    """
    cdef uint32_t own = own_mask(b), enemies
    cdef int rear
    enemies = facing_mask(r.parallel, ~above(b, -1) & 0x1FFFFFE)
    if b.at[THEIR_BAR]:
        enemies |= bit(BAR)
    if not own or not enemies:
        return False
    rear = highest(own)
    if r.parallel:
        return rear > 12 or highest(enemies) > 12
    return rear + highest(enemies) > 25
