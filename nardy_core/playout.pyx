"""The door to whole games; playout.pxi does the work, on the path that kernel.pyx chose."""

from libc.stdint cimport uint64_t

from nardy_core.board cimport board_t
from nardy_core.kernel cimport KERNEL, ends_t
from nardy_core.movegen cimport scratch_t
from nardy_core.rules cimport rules_t


cdef void play_game(const rules_t* r, const board_t* start, bint opening, uint64_t key,
                    const policy_t* policy, const ends_t* ends, bint general, scratch_t* s,
                    events_t* events, result_t* result) noexcept nogil:
    """Play one game from `start`; see playout.pxi."""
    KERNEL.play_game(r, start, opening, key, policy, ends, general, s, events, result)
