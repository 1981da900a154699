"""The plays of one roll: every distinct board that it may leave, in one fixed order.

Order of the boards of a roll (the same on every path, so that the k-th play is the same play
everywhere): doubles by the board, from the bar down, the fewer own checkers first. Two different
dice, larger die a from p and smaller b from q: first the plays of two checkers by p, then q,
highest first; then those of one checker by its point, a first before b first; then single dice.
"""

from libc.stdint cimport int32_t, uint8_t, uint32_t

from nardy_core.board cimport board_t
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
    int used            # dice of the last plays, 0 for a pass (all that counts under "some")


cdef void drop(scratch_t* s) noexcept nogil
cdef int reserve(rows_t* rows, Py_ssize_t extra) noexcept nogil
cdef Py_ssize_t search(const rules_t* r, const board_t* b, const roll_t* roll,
                       scratch_t* s) noexcept nogil
cdef Py_ssize_t plays(const rules_t* r, const board_t* b, const roll_t* roll, scratch_t* s,
                      rows_t* out) noexcept nogil
cdef Py_ssize_t count(const rules_t* r, const board_t* b, const roll_t* roll,
                      scratch_t* s) noexcept nogil
