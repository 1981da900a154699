"""Threads that share the chunks of a job.

A job is cut into chunks by its size alone, never by the number of threads, so the bytes that come
back are the same for any number. The thread that calls does its share; the others are threads of
the system that never touch Python, so nobody waits for the GIL between chunks. The one that calls
asks for signals every few milliseconds, and what is raised stops all.
"""

from cpython.exc cimport PyErr_Occurred
from libc.stdlib cimport calloc, free

from nardy_core.memory cimport keep_scratch, lock, take_scratch, unlock

cdef extern from "Python.h":
    int check_signals "PyErr_CheckSignals"()    # leaves the exception set
    unsigned long start_thread "PyThread_start_new_thread"(void (*)(void*) noexcept nogil, void*)
    unsigned long NO_THREAD "PYTHREAD_INVALID_THREAD_ID"

cdef extern from "crew.h" nogil:
    void rest "nardy_rest"(unsigned int waited)
    int64_t milliseconds "nardy_milliseconds"()

cdef enum:
    EARS = 20   # milliseconds between two looks for signals


cdef int give_up() except -1:
    """Raise what a kernel could not: the exception of a signal, or that there is no memory."""
    if PyErr_Occurred() != NULL:
        return -1
    raise MemoryError("no memory for the plays")


# -------------------------------------------------------------------------------- every thread

cdef Py_ssize_t take(Task task) noexcept nogil:
    """The next chunk, or -1 when there is none or the job has failed."""
    cdef Py_ssize_t chunk = -1
    lock(&task.lock)
    if task.given < task.chunks and task.status == DONE:
        chunk = task.given
        task.given += 1
    unlock(&task.lock)
    return chunk


cdef int fail(Task task, int status) noexcept nogil:
    """Make all threads end soon; the first reason counts."""
    cdef int i
    lock(&task.lock)
    if task.status == DONE:
        task.status = status
        for i in range(task.n_workers):
            task.workers[i].s.stop = 1
    unlock(&task.lock)
    return status


cdef int listen(Task task, worker_t* w) noexcept nogil:
    """Ask for signals, if this is the thread that called, and it is time."""
    cdef int raised
    cdef int64_t now
    if w != task.workers:
        return DONE
    now = milliseconds()
    if 0 <= now - task.heard < EARS:
        return DONE
    task.heard = now
    with gil:
        raised = check_signals()
    return fail(task, RAISED) if raised else DONE


cdef int pause(Task task, worker_t* w, unsigned int waited) noexcept nogil:
    """Wait for another thread, once more; how the job stands."""
    cdef int status
    rest(waited)
    lock(&task.lock)
    status = task.status
    unlock(&task.lock)
    return listen(task, w) if status == DONE else status


cdef void share(Task task, worker_t* w) noexcept nogil:
    """Do chunks until there are none."""
    cdef Py_ssize_t chunk = take(task)
    cdef int status = DONE
    while chunk >= 0 and status == DONE:
        status = task.do(chunk, w)
        if status == DONE:
            status = listen(task, w)
            chunk = take(task)
    if status == DONE:
        status = task.settle(w)
    if status != DONE:
        fail(task, status)


# -------------------------------------------------------------------------- threads that help

cdef void help(void* worker) noexcept nogil:
    """The life of a thread that helps; it touches nothing of the task after `leave`."""
    cdef worker_t* w = <worker_t*>worker
    share(<Task>w.task, w)
    leave(<Task>w.task)


cdef void leave(Task task) noexcept nogil:
    lock(&task.lock)
    task.running -= 1
    unlock(&task.lock)


cdef bint is_alone(Task task) noexcept nogil:
    cdef bint alone
    lock(&task.lock)
    alone = task.running == 0
    unlock(&task.lock)
    return alone


cdef void start(Task task) noexcept:
    """Start the helpers; fewer if the system gives no more."""
    cdef int i
    for i in range(1, task.n_workers):
        lock(&task.lock)
        task.running += 1
        unlock(&task.lock)
        if start_thread(help, &task.workers[i]) == NO_THREAD:
            leave(task)
            return


cdef void finish(Task task) noexcept nogil:
    """Do the share of the thread that called, and wait for the others."""
    cdef unsigned int waited = 0
    cdef int i
    share(task, task.workers)
    while not is_alone(task):
        pause(task, task.workers, waited)
        waited += 1
    for i in range(task.n_workers):
        keep_scratch(&task.workers[i].s)
        keep_scratch(&task.workers[i].more)
    free(task.workers)
    task.workers = NULL


cdef class Task:
    """A job in chunks. A kind of job says how to `do` one, and how to `settle` what that left."""

    cdef int do(self, Py_ssize_t chunk, worker_t* w) noexcept nogil:
        """Do one chunk; they are taken in order, each by one thread."""
        return DONE

    cdef int settle(self, worker_t* w) noexcept nogil:
        """Finish what a thread has pending, when there are no more chunks for it."""
        return DONE

    cdef int run(self, Py_ssize_t threads) except -1:
        """Do all chunks on up to `threads` threads; DONE or FAULTY, or it raises."""
        cdef int i
        self.n_workers = <int>max(1, min(threads, self.chunks))
        self.workers = <worker_t*>calloc(self.n_workers, sizeof(worker_t))
        if self.workers == NULL:
            raise MemoryError("no memory for the threads")
        for i in range(self.n_workers):
            self.workers[i].task = <void*>self
            take_scratch(&self.workers[i].s)
            take_scratch(&self.workers[i].more)
            self.workers[i].rows = &self.workers[i].s.rows
        self.heard = milliseconds()
        start(self)
        with nogil:
            finish(self)
        if self.status in (NO_MEMORY, RAISED):
            give_up()
        return self.status
