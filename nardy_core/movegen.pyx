"""The door to the plays of a roll; movegen.pxi does the work, on the path that kernel.pyx chose."""

from nardy_core.board cimport board_t
from nardy_core.kernel cimport KERNEL
from nardy_core.rules cimport rules_t


cdef Py_ssize_t search(const rules_t* r, const board_t* b, const roll_t* roll,
                       scratch_t* s) noexcept nogil:
    """The general path: results in `s.finals`, their steps in `s.nodes`; see movegen.pxi."""
    return KERNEL.search(r, b, roll, s)


cdef Py_ssize_t plays(const rules_t* r, const board_t* b, const roll_t* roll, scratch_t* s,
                      rows_t* out) noexcept nogil:
    """Append every distinct board that the roll may leave; see movegen.pxi."""
    return KERNEL.plays(r, b, roll, s, out)


cdef Py_ssize_t count(const rules_t* r, const board_t* b, const roll_t* roll,
                      scratch_t* s) noexcept nogil:
    """How many boards `plays` would list; see movegen.pxi."""
    return KERNEL.count(r, b, roll, s)
