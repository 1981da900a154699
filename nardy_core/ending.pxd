"""How a game ends that the bear-off tables know, without playing it.

A game is known when all checkers of both players are in their homes or off: no road crosses another
there, so each bears off by his own dice alone. It ends by the policy of the table, that of fewest
mean turns.
"""

from libc.stdint cimport int8_t, int64_t, uint8_t, uint64_t

from nardy_core.board cimport (
    HOME_MASK,
    POINTS_MASK,
    THEIR_BAR,
    above,
    board_t,
    flip_bytes,
    own_mask,
    their_home,
)
from nardy_core.dice cimport word
from nardy_core.flow cimport STAGES, flow_t
from nardy_core.kernel cimport ends_t, outcome, result_t
from nardy_core.order cimport below_each, place_of
from nardy_core.rules cimport rules_t


cdef class Ends:            # a table where the kernels read it
    cdef ends_t e
    cdef tuple arrays       # holds what `e` points to


cdef inline bint are_home(const rules_t* r, const board_t* b) noexcept nogil:
    """Whether all checkers of both players are in their homes or off."""
    return not (own_mask(b) & ~HOME_MASK or b.at[THEIR_BAR]
                or ~above(b, -1) & POINTS_MASK & ~their_home(r.parallel))


cdef inline int64_t ends_index(const ends_t* e, const board_t* b) noexcept nogil:
    """Where the position of the player on roll stands in a table that holds it."""
    cdef int s[27]
    below_each(&e.shape, b.at, s)
    return place_of(&e.shape, s)


cdef inline bint is_known(const rules_t* r, const flow_t* f) noexcept nogil:
    """Whether tables know the rest of a game whose mover is about to throw.

    It has an end under any rules: a six bears off the highest checker, and no limit to a point, nor
    any block that was not there before, is in its way.
    """
    return not f.last_turn and are_home(r, &f.board)


# A player's turns are drawn with one number u for the first checker off and for the last: each is
# the least k with P(turns <= k) > u. The first is never later, and both have their own chances. No
# more is asked of the two together: he wins at his last, or else he has lost by the turn of the
# opponent's last, which is independent of him, and "none off by then" implies "not all off".

cdef struct drawn_t:        # own turns at which checkers go off
    int first               # the first; 0: one is off already
    int last                # the last


cdef inline int draw_turn(const double* chance, int64_t n, int first, double u) noexcept nogil:
    """A turn from its chances, those of first, first + 1, ...; turn 0 if there are none.

    What rounding, or the cut of an endless tail, leaves over is given to the last.
    """
    cdef double total = 0
    cdef int64_t k
    if n == 0:
        return 0
    for k in range(n - 1):
        total += chance[k]
        if u < total:
            return first + <int>k
    return first + <int>(n - 1)


cdef inline drawn_t draw_side(const ends_t* e, const board_t* b, uint64_t luck) noexcept nogil:
    """Draw the turns of the player in whose view the board is."""
    cdef drawn_t out
    cdef int64_t x = ends_index(e, b), at = e.start[x], off = e.off_start[x]
    cdef double u = <double>(luck >> 11) * 2.0 ** -53
    out.last = draw_turn(e.chance + at, e.start[x + 1] - at, e.first[x], u)
    out.first = draw_turn(e.off_chance + off, e.off_start[x + 1] - off, 1, u)
    return out


cdef inline void end_game(const rules_t* r, result_t* result, int winner, int turns, int met,
                          const drawn_t* loser, const board_t* b) noexcept nogil:
    """The winner's last checker is off after `turns` own turns and `met` of the loser, view `b`."""
    if r.draw and winner == 0:
        met += 1            # 10.5: the first mover has finished, the other has one more turn
    result.turns += turns + met
    result.winner, result.kind = <int8_t>winner, 1
    if loser.last <= met:
        result.winner, result.kind = -1, 0
    elif loser.first > met:
        result.kind = <int8_t>outcome(r, b)     # none is off, and all stay home


cdef inline void draw_end(const rules_t* r, const ends_t* e, uint64_t choices,
                          result_t* result) noexcept nogil:
    """Draw how a game ends that was cut; by two words of its choices, of the turn that comes next.

    The mover is first at his turn k if the other needs k turns or more.
    """
    cdef board_t other
    cdef uint64_t index = (<uint64_t>result.turns + 1) * STAGES
    cdef drawn_t mine, theirs
    flip_bytes(other.at, result.board.at, r.parallel)
    mine = draw_side(e, &result.board, word(choices, index))
    theirs = draw_side(e, &other, word(choices, index + 1))
    if mine.last <= theirs.last:
        end_game(r, result, result.mover, mine.last, mine.last - 1, &theirs, &other)
    else:
        end_game(r, result, 1 - result.mover, theirs.last, theirs.last, &mine, &result.board)
