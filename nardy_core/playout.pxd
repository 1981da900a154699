"""Whole games inside the kernel, under a policy."""

from libc.stdint cimport uint64_t

from nardy_core.board cimport board_t
from nardy_core.kernel cimport (
    HEURISTIC,
    MAX_TURNS,
    RANDOM,
    ends_t,
    event_t,
    events_t,
    outcome,
    policy_t,
    result_t,
    scratch_t,
    stopped,
)
from nardy_core.rules cimport rules_t


# As in playout.pxi, on the path that was chosen at import.
cdef void play_game(const rules_t* r, const board_t* start, bint opening, uint64_t key,
                    const policy_t* policy, const ends_t* ends, bint general, scratch_t* s,
                    events_t* events, result_t* result) noexcept nogil
