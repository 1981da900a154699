"""Whole games inside the kernel, under a policy."""

from libc.stdint cimport int8_t, int32_t, uint64_t

from nardy_core.board cimport board_t
from nardy_core.evaluate cimport weights_t
from nardy_core.movegen cimport scratch_t
from nardy_core.rules cimport rules_t

cdef enum:
    RANDOM = 0
    HEURISTIC = 1

cdef enum:
    MAX_TURNS = 1000000  # a game that is longer counts as a draw; random play stays far below


cdef struct policy_t:
    int kind[2]                # of player 0 and player 1
    const weights_t* weights[2]


cdef struct result_t:
    int8_t winner   # 0, 1 or -1
    int8_t kind     # 0 a draw, 1 single, 2 mars, 3 koks, 4 home mars
    int32_t turns
    int failed      # no memory


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


cdef int outcome(const rules_t* r, const board_t* loser) noexcept nogil
cdef int stopped(const rules_t* r, const board_t* b) noexcept nogil
cdef void play_game(const rules_t* r, const board_t* start, bint opening, uint64_t key,
                    const policy_t* policy, bint general, scratch_t* s, events_t* events,
                    result_t* result) noexcept nogil
