"""Memory that is kept between calls, and boards that numpy takes without a copy.

Pages that the system has to clear cost more than the boards that are written to them, so what a
call has used waits for the next one: some scratches, and some blocks of dropped lists. Both stores
are C arrays behind one lock, the only mutable state of the module.
"""

import numpy as np

from libc.stdlib cimport free, realloc
from libc.string cimport memset

from nardy_core.board cimport board_t
from nardy_core.kernel cimport drop, final_t, node_t

cdef extern from "crew.h" nogil:
    void large_pages "nardy_large_pages"(void* at, size_t size)

cdef enum:
    SPARES = 4                      # blocks
    SPARE_CALLS = 8                 # scratches
    LEAST_ROWS = 1 << 15            # 1 MiB: below, malloc itself keeps memory
    MOST_ROWS = 1 << 21             # 64 MiB
    MOST_SCRATCH = 16 << 20         # bytes
    LARGE = 4 << 20                 # bytes that are worth large pages

cdef rows_t SPARE_ROWS[SPARES]
cdef scratch_t SPARE_SCRATCH[SPARE_CALLS]
cdef lock_t LOCK
memset(&LOCK, 0, sizeof(LOCK))


# ---------------------------------------------------------------------------------- scratches

cdef size_t scratch_bytes(const scratch_t* s) noexcept nogil:
    return (<size_t>s.cap_nodes * sizeof(node_t) + <size_t>s.table_size * 4
            + <size_t>s.cap_finals * sizeof(final_t) + <size_t>s.rows.cap * sizeof(board_t))


cdef void take_scratch(scratch_t* s) noexcept nogil:
    """Write a kept scratch, the largest first, or a new one."""
    cdef int i, best = 0
    lock(&LOCK)
    for i in range(1, SPARE_CALLS):
        if scratch_bytes(&SPARE_SCRATCH[i]) > scratch_bytes(&SPARE_SCRATCH[best]):
            best = i
    s[0] = SPARE_SCRATCH[best]
    memset(&SPARE_SCRATCH[best], 0, sizeof(scratch_t))
    unlock(&LOCK)
    s.stop = 0
    s.polls = 0
    s.rows.n = 0


cdef void keep_scratch(scratch_t* s) noexcept nogil:
    """Keep a scratch for another call, or give its memory back; it is empty afterwards."""
    cdef int i
    if scratch_bytes(s) <= MOST_SCRATCH:
        lock(&LOCK)
        for i in range(SPARE_CALLS):
            if scratch_bytes(&SPARE_SCRATCH[i]) == 0:
                SPARE_SCRATCH[i] = s[0]
                memset(s, 0, sizeof(scratch_t))
                break
        unlock(&LOCK)
    drop(s)


cdef class Scratch:
    """Working memory of a single call."""

    def __cinit__(self):
        take_scratch(&self.s)

    def __dealloc__(self):
        keep_scratch(&self.s)


# ------------------------------------------------------------------------------------- boards

cdef void take_rows(rows_t* rows, Py_ssize_t least, Py_ssize_t most) noexcept nogil:
    """Write a kept block of least..most rows, or an empty one."""
    cdef int i
    memset(rows, 0, sizeof(rows_t))
    lock(&LOCK)
    for i in range(SPARES):
        if least <= SPARE_ROWS[i].cap <= most:
            rows[0] = SPARE_ROWS[i]
            memset(&SPARE_ROWS[i], 0, sizeof(rows_t))
            break
    unlock(&LOCK)


cdef void keep_rows(rows_t* rows) noexcept nogil:
    """Keep a block for another list in the place of a smaller one, or give it back."""
    cdef rows_t other = rows[0]
    cdef int i, least = 0
    if LEAST_ROWS <= rows.cap <= MOST_ROWS:
        lock(&LOCK)
        for i in range(1, SPARES):
            if SPARE_ROWS[i].cap < SPARE_ROWS[least].cap:
                least = i
        if SPARE_ROWS[least].cap < rows.cap:
            other = SPARE_ROWS[least]
            SPARE_ROWS[least] = rows[0]
        unlock(&LOCK)
    free(other.at)
    memset(rows, 0, sizeof(rows_t))


cdef int widen(rows_t* rows, Py_ssize_t need, Py_ssize_t likely) noexcept nogil:
    """Make room for `need` rows in all, better for `likely`; 0, or -1 when there is no memory."""
    cdef void* moved
    cdef Py_ssize_t cap = max(need, likely)
    if need <= rows.cap:
        return 0
    if rows.cap == 0 and cap >= LEAST_ROWS:
        take_rows(rows, cap, 2 * cap)
        if rows.cap:
            rows.n = 0
            return 0
    moved = realloc(rows.at, <size_t>cap * sizeof(board_t))
    if moved == NULL and cap > need + need // 8:  # not less: growing by little is quadratic
        cap = need + need // 8
        moved = realloc(rows.at, <size_t>cap * sizeof(board_t))
    if moved == NULL:
        return -1
    rows.at = <board_t*>moved
    rows.cap = cap
    if <size_t>cap * sizeof(board_t) >= LARGE:
        large_pages(moved, <size_t>cap * sizeof(board_t))
    return 0


cdef class Rows:
    """Boards in memory of their own, handed to numpy without a copy."""

    def __dealloc__(self):
        keep_rows(&self.rows)

    def __getbuffer__(self, Py_buffer* buffer, int flags):
        self.shape[0], self.shape[1] = self.rows.n, 32
        self.strides[0], self.strides[1] = 32, 1
        buffer.buf = self.rows.at
        buffer.obj = self
        buffer.len = self.rows.n * 32
        buffer.itemsize = 1
        buffer.readonly = 0
        buffer.ndim = 2
        buffer.format = b"b"
        buffer.shape = self.shape
        buffer.strides = self.strides
        buffer.suboffsets = NULL
        buffer.internal = NULL

    def __releasebuffer__(self, Py_buffer* buffer):
        pass

    cdef array(self):
        """An int8 array of shape (n, 32) that owns these rows; call it once, at the end."""
        cdef void* less
        if self.rows.n == 0:
            return np.empty((0, 32), np.int8)
        if 2 * self.rows.n < self.rows.cap:  # a small list does not hold a large block
            less = realloc(self.rows.at, <size_t>self.rows.n * sizeof(board_t))
            if less != NULL:
                self.rows.at, self.rows.cap = <board_t*>less, self.rows.n
        return np.asarray(self)
