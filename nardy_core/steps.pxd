"""Is this step legal, and what does it do: the one meaning of the rules.

Everything is written on the bytes of the board, in the words of the rules and with no thought of
speed; the fast paths of movegen are held against it. Section numbers are those of docs/rules.md.
"""

from libc.stdint cimport int8_t, uint32_t

from nardy_core.board cimport (
    BAR,
    HEAD,
    HOME_MASK,
    OFF,
    POINTS_MASK,
    THEIR_BAR,
    THEIR_OFF,
    above,
    bit,
    board_t,
    facing,
    facing_mask,
    highest,
    lowest,
    own_mask,
    runs_of_six,
    upto,
)
from nardy_core.rules cimport (
    AHEAD,
    ANY_DOUBLE,
    EVERY_DOUBLE,
    FNR,
    FREE,
    HOME,
    LISTED,
    NEVER,
    NO_EXCEPTION,
    NO_SHELTER,
    STAYS_HOME,
    STUCK,
    own_steps,
    rules_t,
)

cdef enum:  # why a step is not legal
    LEGAL = 0
    NO_CHECKER = 1
    BAR_FIRST = 2
    OCCUPIED = 3
    HEAD_LEFT = 4      # no more checkers may leave the head this turn
    NOT_ALL_HOME = 5
    HIGHER_FIRST = 6   # 3.5: a checker on a higher point must use this die
    FULL_POINT = 7
    FROZEN = 8         # stays_home: it has hit and does not move again
    SHELTERED = 9      # no_shelter: it has hit and may not join its own
    MUST_BEAR_OFF = 10
    ILLEGAL_BLOCK = 11

cdef enum:
    NO_LIMIT = 127     # head allowance where the head has no limit


cdef struct state_t:
    board_t board
    uint32_t hitters  # points where one checker stands that has hit this turn and is not free
    int head_left     # checkers that may still leave the head


cdef inline bint block_fault(const rules_t* r, const board_t* b) noexcept nogil:
    """Whether the player on roll stands in a block that the rules forbid (4.4)."""
    cdef uint32_t wall, enemies
    if r.block == FREE:
        return False
    wall = runs_of_six(facing_mask(r.parallel, above(b, 0) & POINTS_MASK))
    if not wall:
        return False
    if r.block == NEVER:
        return True
    if b.at[THEIR_OFF] < 0:
        return False
    enemies = enemy_numbers(r, b)
    if r.block == HOME:
        return not enemies & HOME_MASK
    # The lowest block is the strictest: whoever is ahead of it is ahead of all.
    return not enemies or lowest(enemies) > lowest(wall)


cdef inline uint32_t lowest_block(const rules_t* r, const board_t* b) noexcept nogil:
    """Own points of the lowest block of the player on roll, in his own numbers; 0 without one."""
    cdef uint32_t own = facing_mask(r.parallel, above(b, 0) & POINTS_MASK), run = 0
    cdef uint32_t wall = runs_of_six(own)
    cdef int n
    if not wall:
        return 0
    n = lowest(wall)
    while own & bit(n):  # bit 25 is never set, so this ends
        run |= bit(n)
        n += 1
    return facing_mask(r.parallel, run)


cdef inline int block_limit(const rules_t* r, uint32_t run) noexcept nogil:
    """The highest number of his on which an opponent's checker would make a block legal.

    `run` is the block, as in `lowest_block`. 0 if only one that is off would, -1 if none would.
    """
    if r.block == AHEAD:
        return lowest(facing_mask(r.parallel, run)) - 1
    return 6 if r.block == HOME else -1


cdef inline uint32_t enemy_numbers(const rules_t* r, const board_t* b) noexcept nogil:
    """The opponent's points, in his own numbers."""
    return facing_mask(r.parallel, ~above(b, -1) & POINTS_MASK)


cdef inline bint runner_held(const rules_t* r, const board_t* b, int d, int end) noexcept nogil:
    """Whether an enemy holds a landing of one runner from the head by d, above point `end`."""
    cdef int _, p = HEAD
    for _ in range(own_steps(r)):
        p -= d
        if p <= end:
            return False
        if b.at[p] < 0:
            return True
    return False


cdef inline int head_allowance(const rules_t* r, const board_t* b, int d1, int d2, int head_used,
                               bint exception) noexcept nogil:
    """How many checkers may leave the head with this roll (4.2, 4.3)."""
    cdef bint two = False
    if not r.head_limit:
        return NO_LIMIT
    if (exception and d1 == d2 and r.head_start and r.head_exception != NO_EXCEPTION
            and (r.head_exception == EVERY_DOUBLE or b.at[HEAD] == r.checkers)):
        if r.head_exception in (ANY_DOUBLE, EVERY_DOUBLE):
            two = True
        elif r.head_exception == STUCK:
            two = runner_held(r, b, d1, OFF)
        elif d1 in (3, 4, 6):
            two = r.head_exception == LISTED or not runner_held(r, b, d1, facing(r.parallel, HEAD))
    return max(0, (2 if two else r.head_limit) - head_used)


cdef inline bint can_bear_off(const state_t* s, int p, int d) noexcept nogil:
    """Whether die d takes a checker from point p off, frozen checkers apart (3.5)."""
    cdef uint32_t own = own_mask(&s.board)
    return 1 <= p <= d and not own & ~HOME_MASK and (p == d or highest(own) == p)


cdef inline bint is_free(const rules_t* r, const state_t* s, int p) noexcept nogil:
    """Whether point p holds a checker that is not frozen (6.2)."""
    if r.hitter == STAYS_HOME and s.hitters & bit(p):
        return s.board.at[p] > 1
    return s.board.at[p] > 0


cdef inline uint32_t bear_offs(const rules_t* r, const state_t* s, int d) noexcept nogil:
    """Points from which die d can bear a checker off."""
    cdef uint32_t from_ = 0
    cdef int p
    for p in range(1, d + 1):
        if is_free(r, s, p) and can_bear_off(s, p, d):
            from_ |= bit(p)
    return from_


cdef inline int landing_fault(const rules_t* r, const state_t* s, int to,
                              bint hitter) noexcept nogil:
    """What forbids a checker to come down on point `to`."""
    cdef int there = s.board.at[to]
    if there < (-1 if r.hit else 0):
        return OCCUPIED
    if r.max_per_point and there >= r.max_per_point:
        return FULL_POINT
    if hitter and there > 0:
        return SHELTERED
    return LEGAL


cdef inline int step_fault(const rules_t* r, const state_t* s, int p, int d, int other,
                           bint hitter) noexcept nogil:
    """What forbids the step from p by die d, block apart; `other` is another unused die or 0.

    With ``hitter`` the checker that moves is the one on p that has hit (5.4).
    """
    cdef int to = p - d
    if s.board.at[p] <= 0 or (hitter and not s.hitters & bit(p)):
        return NO_CHECKER
    if p != BAR and s.board.at[BAR]:
        return BAR_FIRST
    if not is_free(r, s, p):
        return FROZEN
    if r.hitter == NO_SHELTER and not hitter and s.hitters & bit(p) and s.board.at[p] == 1:
        return NO_CHECKER
    if p == HEAD and not s.head_left:
        return HEAD_LEFT
    if to <= OFF:
        if own_mask(&s.board) & ~HOME_MASK:
            return NOT_ALL_HOME
        return LEGAL if can_bear_off(s, p, d) else HIGHER_FIRST
    if r.must_bear_off and (bear_offs(r, s, d) or (other and bear_offs(r, s, other))):
        return MUST_BEAR_OFF
    return landing_fault(r, s, to, hitter)


cdef inline uint32_t fault_points(const rules_t* r, const state_t* s, int p, int d, int other,
                                  int fault) noexcept nogil:
    """The points that a fault of `step_fault` is about, for the same arguments."""
    if fault == BAR_FIRST:
        return bit(BAR)
    if fault in (OCCUPIED, FULL_POINT, SHELTERED):
        return bit(p - d)
    if fault == NOT_ALL_HOME:
        return own_mask(&s.board) & ~HOME_MASK
    if fault == HIGHER_FIRST:
        return own_mask(&s.board) & ~upto(p)
    if fault == MUST_BEAR_OFF:
        return bear_offs(r, s, d) | (bear_offs(r, s, other) if other else 0)
    return bit(p)  # the checker that is not there, is frozen, or may not leave the head


cdef inline int fault_limit(const rules_t* r, int head_allowed, int fault) noexcept nogil:
    """How many the rule behind a fault allows; 0 where it does not count."""
    if fault == HEAD_LEFT:
        return head_allowed
    return r.max_per_point if fault == FULL_POINT else 0


cdef inline void step(const rules_t* r, state_t* s, int p, int d, bint hitter) noexcept nogil:
    """Make a legal step: move the checker, hit, and remember what this turn must know."""
    cdef int to = p - d if p > d else OFF
    cdef bint hits = to != OFF and s.board.at[to] < 0
    s.board.at[p] -= 1
    if hits:
        s.board.at[to] = 0
        s.board.at[THEIR_BAR] -= 1
    s.board.at[to] += 1
    if p == HEAD and s.head_left != NO_LIMIT:
        s.head_left -= 1
    if r.hitter == NO_SHELTER:
        if hitter:
            s.hitters &= ~bit(p)
        if (hits or hitter) and to != OFF:
            s.hitters |= bit(to)
    elif r.hitter == STAYS_HOME and hits and to <= 6:
        s.hitters |= bit(to)
