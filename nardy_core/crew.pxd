"""Threads that share the chunks of a job; see crew.pyx."""

from libc.stdint cimport int64_t

from nardy_core.board cimport board_t
from nardy_core.kernel cimport rows_t, scratch_t
from nardy_core.memory cimport lock_t

cdef enum:              # how a chunk, and a job, ends
    DONE = 0
    NO_MEMORY = 1       # or the search was stopped
    FAULTY = 2          # a board that cannot stand
    RAISED = 3          # the exception is set in the thread that called

cdef enum:
    PENDING = 16


cdef struct pending_t:  # a chunk that is listed, and where: for the task
    Py_ssize_t chunk
    rows_t* rows
    Py_ssize_t at       # its first row there


cdef struct copy_t:     # boards that are still to be copied, `step` at a time
    const board_t* source
    board_t* to
    Py_ssize_t n
    Py_ssize_t step


cdef struct worker_t:   # what one thread has for itself
    void* task
    scratch_t s
    scratch_t more      # a second list of boards
    pending_t pending[PENDING]
    int n_pending
    int n_handed        # of these, copied
    rows_t* rows        # the list that is being written, in `s` or in `more`
    copy_t copy


cdef class Task:
    cdef Py_ssize_t chunks
    cdef Py_ssize_t given       # chunks that were taken
    cdef int status             # of the first that failed
    cdef int running            # threads that help
    cdef int n_workers
    cdef worker_t* workers      # the first is the thread that called
    cdef int64_t heard          # when signals were last asked for, in milliseconds
    cdef lock_t lock            # of all that threads write here, and of what a kind of task shares
    cdef int do(self, Py_ssize_t chunk, worker_t* w) noexcept nogil
    cdef int settle(self, worker_t* w) noexcept nogil
    cdef int run(self, Py_ssize_t threads) except -1


cdef int pause(Task task, worker_t* w, unsigned int waited) noexcept nogil
cdef int give_up() except -1
