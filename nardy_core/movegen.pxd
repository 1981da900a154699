"""The plays of one roll: every distinct board that it may leave, in one fixed order.

Order of the boards of a roll (the same on every path, so that the k-th play is the same play
everywhere): doubles by the board, from the bar down, the fewer own checkers first. Two different
dice, larger die a from p and smaller b from q: first the plays of two checkers by p, then q,
highest first; then those of one checker by its point, a first before b first; then single dice.
"""

from nardy_core.board cimport board_t
from nardy_core.kernel cimport drop, final_t, node_t, reserve, roll_t, rows_t, scratch_t
from nardy_core.rules cimport rules_t


# As in movegen.pxi, on the path that was chosen at import.
cdef Py_ssize_t search(const rules_t* r, const board_t* b, const roll_t* roll,
                       scratch_t* s) noexcept nogil
cdef Py_ssize_t plays(const rules_t* r, const board_t* b, const roll_t* roll, scratch_t* s,
                      rows_t* out) noexcept nogil
cdef Py_ssize_t count(const rules_t* r, const board_t* b, const roll_t* roll,
                      scratch_t* s) noexcept nogil
