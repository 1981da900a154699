"""What a game is, as the kernels read it. Section numbers are those of docs/rules.md."""

from libc.stdint cimport int8_t, int32_t, uint8_t

from nardy_core.board cimport board_t

cdef enum:  # head_exception
    NO_EXCEPTION = 0
    FNR = 1
    LISTED = 2
    STUCK = 3
    ANY_DOUBLE = 4
    EVERY_DOUBLE = 5

cdef enum:  # block
    FREE = 0
    AHEAD = 1
    HOME = 2
    NEVER = 3

cdef enum:  # hitter
    HITTER_FREE = 0
    STAYS_HOME = 1
    NO_SHELTER = 2


cdef struct rules_t:
    uint8_t parallel        # travel: both players the same way round
    uint8_t hit             # contact: a lone enemy checker is hit, else it closes the point
    uint8_t lot             # opening: the starter plays the dice of the lot
    uint8_t some            # use_dice: any non-empty part of the roll
    uint8_t head_limit      # 0 = none
    uint8_t head_exception
    uint8_t block
    uint8_t block_at_end    # block_check = turn
    uint8_t hitter
    uint8_t must_bear_off
    uint8_t max_per_point   # 0 = none
    uint8_t cascade         # steps of a stage, 0 = a double is four steps
    uint8_t to_opponent     # remainder
    uint8_t draw            # draw_points > 0: the second mover has a last turn
    uint8_t head_start      # `start` has all checkers on the head: the exception exists
    int8_t checkers         # of one player, 1..15
    int32_t points[3]       # single, mars, koks
    int32_t home_mars       # 0 = not counted apart
    board_t start


cdef inline int own_steps(const rules_t* r) noexcept nogil:
    """Steps of a double, or of a stage of a cascade (3.3, 9.1)."""
    return r.cascade if r.cascade else 4


cdef class Rules:
    cdef rules_t c
    cdef dict values
    cdef _fill(self, dict v)
