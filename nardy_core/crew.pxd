"""Threads that share the chunks of a job; see crew.pyx."""

from libc.stdint cimport int64_t

from nardy_core.kernel cimport scratch_t
from nardy_core.memory cimport lock_t

cdef enum:              # how a chunk, and a job, ends
    DONE = 0
    NO_MEMORY = 1       # or the search was stopped
    FAULTY = 2          # a board that cannot stand
    RAISED = 3          # the exception is set in the thread that called

cdef enum:
    PENDING = 16


cdef struct worker_t:   # what one thread has for itself
    void* task
    scratch_t s
    Py_ssize_t pending[PENDING]  # for the task: chunks that it has still to finish
    int n_pending
    int n_handed            # of these, finished
    Py_ssize_t rows_handed  # and their boards


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
