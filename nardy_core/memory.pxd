"""Memory that is kept between calls, and boards that numpy takes without a copy."""

from nardy_core.kernel cimport rows_t, scratch_t

cdef extern from "crew.h" nogil:
    ctypedef struct lock_t "nardy_lock_t":
        pass
    void lock "nardy_lock"(lock_t* one)
    void unlock "nardy_unlock"(lock_t* one)


cdef void take_scratch(scratch_t* s) noexcept nogil
cdef void keep_scratch(scratch_t* s) noexcept nogil
cdef int widen(rows_t* rows, Py_ssize_t need, Py_ssize_t likely) noexcept nogil


cdef class Scratch:
    cdef scratch_t s


cdef class Rows:
    cdef rows_t rows
    cdef Py_ssize_t shape[2]
    cdef Py_ssize_t strides[2]
    cdef array(self)
