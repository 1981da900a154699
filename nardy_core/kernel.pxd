"""What kernels work on, and the table of those that were chosen for this processor."""

from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free, realloc
from libc.string cimport memset

from nardy_core.board cimport BAR, HOME_MASK, OFF, THEIR_OFF, above, board_t, their_home
from nardy_core.evaluate cimport weights_t
from nardy_core.order cimport shape_t
from nardy_core.rules cimport rules_t
from nardy_core.steps cimport state_t


cdef struct roll_t:
    int d1
    int d2
    int steps          # of a double
    int head_used      # checkers that left the head earlier in this turn
    uint8_t exception  # the first-turn exception is within reach
    uint8_t general    # take the general path only


cdef struct rows_t:    # a list of boards; the caller frees it
    board_t* at
    Py_ssize_t n
    Py_ssize_t cap


cdef struct node_t:    # one state of the general search
    state_t state
    int32_t parent
    uint32_t key
    int source
    int die


cdef struct final_t:   # one result of the general search
    board_t board
    uint32_t key
    int32_t node


cdef struct scratch_t:  # memory of one thread; zero it before first use, then drop() it
    node_t* nodes
    Py_ssize_t n_nodes
    Py_ssize_t cap_nodes
    uint32_t* table
    Py_ssize_t table_size
    final_t* finals
    Py_ssize_t n_finals
    Py_ssize_t cap_finals
    rows_t rows
    int stop            # set from outside: give up
    uint32_t polls      # nodes since the last look whether to give up
    int used            # dice of the last plays, 0 for a pass (all that counts under "some")


cdef inline int grow(void** block, Py_ssize_t* cap, Py_ssize_t need, size_t size) noexcept nogil:
    """Make room for `need` items of `size` bytes; 0, or -1 when there is no memory."""
    cdef Py_ssize_t new = cap[0] + cap[0] // 2
    cdef void* moved
    if need <= cap[0]:
        return 0
    if new < need:
        new = need
    moved = realloc(block[0], <size_t>new * size)
    if moved == NULL:
        return -1
    block[0] = moved
    cap[0] = new
    return 0


cdef inline int reserve(rows_t* rows, Py_ssize_t extra) noexcept nogil:
    """Make room for `extra` more boards; 0, or -1 when there is no memory."""
    return grow(<void**>&rows.at, &rows.cap, rows.n + extra, sizeof(board_t))


cdef inline void drop(scratch_t* s) noexcept nogil:
    """Give back all memory of a scratch."""
    free(s.nodes)
    free(s.table)
    free(s.finals)
    free(s.rows.at)
    memset(s, 0, sizeof(scratch_t))


cdef enum:
    RANDOM = 0
    HEURISTIC = 1

cdef enum:
    MAX_TURNS = 1000000  # a game that is longer counts as a draw; random play stays far below


cdef struct policy_t:
    int kind[2]                # of player 0 and player 1
    const weights_t* weights[2]


cdef struct ends_t:         # when the last and the first checker are off, by position
    shape_t shape           # of all checkers of the game on points 1..6
    const int64_t* start    # of position x: chance[start[x]..start[x + 1]]; none: certain at turn 0
    const double* chance    # of the last checker off
    const uint8_t* first    # ... the turn of the first of them
    const int64_t* off_start    # the same of the first checker off, from turn 1 on
    const double* off_chance


cdef struct result_t:
    int8_t winner   # 0, 1 or -1
    int8_t kind     # 0 a draw, 1 single, 2 mars, 3 koks, 4 home mars
    int32_t turns
    int failed      # no memory
    bint cut        # the game was left where tables know the rest: no winner yet
    int mover       # ... who is on roll
    board_t board   # ... in his view


cdef struct event_t:           # one stage of a game, for those who want to watch
    int remainder              # played inside the opponent's cascade
    int player
    int d1
    int d2
    int steps
    board_t before
    board_t after


cdef struct events_t:
    event_t* at
    Py_ssize_t n
    Py_ssize_t cap


cdef inline int outcome(const rules_t* r, const board_t* b) noexcept nogil:
    """Kind of win against the player whose view `b` is (10): 1, 2, 3, or 4 for a home mars."""
    cdef uint32_t own
    if b.at[OFF] > 0:
        return 1
    own = above(b, 0)
    if r.home_mars and not own & ~HOME_MASK:
        return 4
    if r.points[2] and (b.at[BAR] or own & their_home(r.parallel)):
        return 3
    return 2 if r.points[1] else 1


cdef inline int stopped(const rules_t* r, const board_t* b) noexcept nogil:
    """Whether the game is over: 0 no, 1 the player on roll has won, 2 the other, 3 a draw."""
    return (b.at[OFF] == r.checkers) + 2 * (b.at[THEIR_OFF] == -r.checkers)


cdef struct kernel_t:
    Py_ssize_t (*search)(const rules_t* r, const board_t* b, const roll_t* roll,
                         scratch_t* s) noexcept nogil
    Py_ssize_t (*plays)(const rules_t* r, const board_t* b, const roll_t* roll, scratch_t* s,
                        rows_t* out) noexcept nogil
    Py_ssize_t (*count)(const rules_t* r, const board_t* b, const roll_t* roll,
                        scratch_t* s) noexcept nogil
    void (*play_game)(const rules_t* r, const board_t* start, bint opening, uint64_t key,
                      const policy_t* policy, const ends_t* ends, bint general, scratch_t* s,
                      events_t* events, result_t* result) noexcept nogil
    int (*choose)(const rules_t* r, const board_t* b, const roll_t* roll, int kind,
                  const weights_t* weights, uint64_t luck, scratch_t* s,
                  board_t* after) noexcept nogil
    int (*is_stuck)(const rules_t* r, const board_t* b, bint general,
                    scratch_t* s) noexcept nogil


cdef const kernel_t* KERNEL
