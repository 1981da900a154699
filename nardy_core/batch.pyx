"""The one door from Python to the kernels.

Everything is checked here: dtype, shape, contiguity, dice, positions. Then the GIL is released, and
the kernels trust what they are given. Work is cut into chunks by the job alone, never by the number
of threads, so the bytes that come back are the same for any number; between chunks Ctrl-C is heard.
"""

import os
import threading
from enum import IntFlag
from typing import NamedTuple

import numpy as np

from cpython.buffer cimport PyBUF_SIMPLE, PyBuffer_Release, PyObject_GetBuffer
from cpython.bytes cimport PyBytes_FromStringAndSize
from cpython.exc cimport PyErr_CheckSignals, PyErr_Occurred
from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memcpy, memset

from nardy_core.board cimport (
    BAR,
    OFF,
    POINTS_MASK,
    THEIR_BAR,
    THEIR_OFF,
    above,
    bit,
    board_t,
    flip_bytes,
    pips as board_pips,
    runs_of_six,
    same,
    totals,
)
from nardy_core.dice cimport game_key, lot, throw
from nardy_core.evaluate cimport Weights, default_weights
from nardy_core.movegen cimport (
    count as count_plays,
    drop,
    plays as list_plays,
    reserve,
    roll_t,
    rows_t,
    scratch_t,
    search,
)
from nardy_core.playout cimport (
    HEURISTIC,
    RANDOM,
    events_t,
    outcome,
    play_game,
    policy_t,
    result_t,
    stopped,
)
from nardy_core.rules cimport NO_SHELTER, Rules, rules_t
from nardy_core.steps cimport (
    ILLEGAL_BLOCK,
    LEGAL,
    NO_CHECKER,
    block_fault,
    block_limit,
    fault_limit,
    fault_points,
    head_allowance,
    lowest_block,
    state_t,
    step,
    step_fault,
)

from nardy_core.errors import InvalidArgument, InvalidPosition, whole_number
from nardy_core.kernel import NAME as KERNEL_NAME

cdef extern from "simd.h" nogil:
    bint is_checked "nardy_is_checked"()
    const char* compiler "nardy_compiler"()

GENERAL_ONLY = os.environ.get("NARDY_GENERAL_ONLY", "") not in ("", "0")
"""Whether the kernels take the general path only (to test the fast ones against it)."""

cdef bint GENERAL = GENERAL_ONLY
cdef object EMPTY = np.empty, INT8 = np.dtype(np.int8), UINT8 = np.dtype(np.uint8)

POLICIES = {"random": RANDOM, "heuristic": HEURISTIC}

cdef enum:
    CHUNK = 1024        # pairs of one chunk
    GAMES = 64          # games of one chunk
    MAX_STEPS = 127     # steps of one stage

cdef enum:
    F_OWN_TOTAL = 1
    F_ENEMY_TOTAL = 2
    F_SIGN = 4
    F_TAIL = 8
    F_NO_BAR = 16
    F_FULL_POINT = 32
    F_OWN_BLOCK = 64
    F_ENEMY_BLOCK = 128
    F_BOTH_OFF = 256


def build_info():
    """How this copy of nardy was built and which kernels it runs.

    Returns
    -------
    dict
        ``kernel``: "avx2" or "plain", chosen at import (``NARDY_KERNEL`` forces one);
        ``general_only``: whether the fast paths are off (``NARDY_GENERAL_ONLY``); ``checked``:
        whether it is the checked build; ``compiler``: what made it.
    """
    return {"kernel": KERNEL_NAME, "general_only": GENERAL_ONLY, "checked": bool(is_checked()),
            "compiler": compiler().decode()}


class Fault(IntFlag):
    """What can be wrong with a board; `faults` gives the sum of those that are."""

    OWN_TOTAL = F_OWN_TOTAL
    ENEMY_TOTAL = F_ENEMY_TOTAL
    SIGN = F_SIGN
    TAIL = F_TAIL
    NO_BAR = F_NO_BAR
    FULL_POINT = F_FULL_POINT
    OWN_BLOCK = F_OWN_BLOCK
    ENEMY_BLOCK = F_ENEMY_BLOCK
    BOTH_OFF = F_BOTH_OFF
    SHARED_POINT = 512


FAULT_WORDS = {
    Fault.OWN_TOTAL: "the player on roll does not have {checkers} checkers",
    Fault.ENEMY_TOTAL: "the opponent does not have {checkers} checkers",
    Fault.SIGN: "off or bar holds checkers of the wrong side",
    Fault.TAIL: "bytes 28 to 31 are not 0",
    Fault.NO_BAR: "a checker is on the bar of a game without hits",
    Fault.FULL_POINT: "the player on roll has more than {max_per_point} checkers on one point",
    Fault.OWN_BLOCK: "the player on roll has a block of six that block={block!r} forbids",
    Fault.ENEMY_BLOCK: "the opponent has a block of six that block={block!r} forbids",
    Fault.BOTH_OFF: "both players have all checkers off, and these rules have no draw",
    Fault.SHARED_POINT: "both players hold one point",
}


def fault_words(Rules rules, fault):
    """A sentence for each fault in a sum of faults."""
    return [words.format(**rules.values, checkers=rules.c.checkers)
            for bit, words in FAULT_WORDS.items() if fault & bit]


class Playouts(NamedTuple):
    """Results of played games; each array has shape (boards, games).

    `winner` (int8) is 0 for the player on roll in the input board, 1 for the other, -1 for a draw;
    `kind` (int8) 1 single, 2 mars, 3 koks or home mars, 0 a draw; `turns` (int32) the rolls thrown
    by both players, passes included, remainders of a cascade not.
    """

    winner: np.ndarray
    kind: np.ndarray
    turns: np.ndarray


class Outcomes(NamedTuple):
    """Whether boards are finished and how; see `outcomes`."""

    over: np.ndarray
    winner: np.ndarray
    kind: np.ndarray
    points: np.ndarray


# ------------------------------------------------------------------------------------ memory

cdef class Scratch:
    """Working memory of one thread."""

    cdef scratch_t s

    def __dealloc__(self):
        drop(&self.s)


# Memory of lists that were dropped, kept for the next ones: pages that the system has to clear cost
# more than the boards that are written to them. At most SPARES blocks of 64 MiB are kept.
cdef enum:
    SPARES = 4
    SPARE_ROWS = 1 << 21

cdef rows_t SPARE[SPARES]


cdef class Rows:
    """Boards in memory of their own, handed to numpy without a copy."""

    cdef rows_t rows
    cdef Py_ssize_t shape[2]
    cdef Py_ssize_t strides[2]

    def __cinit__(self):
        """Start with the largest spare block."""
        cdef int i, best = 0
        for i in range(1, SPARES):
            if SPARE[i].cap > SPARE[best].cap:
                best = i
        self.rows = SPARE[best]
        self.rows.n = 0
        memset(&SPARE[best], 0, sizeof(rows_t))

    def __dealloc__(self):
        self.release()

    cdef release(self):
        """Keep the memory for another list, or give it back to the system."""
        cdef int i, least = 0
        for i in range(1, SPARES):
            if SPARE[i].cap < SPARE[least].cap:
                least = i
        if SPARE[least].cap < self.rows.cap <= SPARE_ROWS:
            self.rows, SPARE[least] = SPARE[least], self.rows
        free(self.rows.at)
        memset(&self.rows, 0, sizeof(rows_t))

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
        if 2 * self.rows.n >= self.rows.cap > 0:
            return np.asarray(self)
        out = np.empty((self.rows.n, 32), np.int8)  # a small list does not hold a large block
        cdef int8_t[:, ::1] view = out
        if self.rows.n:
            memcpy(&view[0, 0], self.rows.at, <size_t>self.rows.n * sizeof(board_t))
        self.release()
        return out


# ----------------------------------------------------------------------------------- threads

cdef int give_up(scratch_t* s) except -1:
    """Raise what a kernel could not: the exception of a signal, or that there is no memory."""
    if PyErr_Occurred() != NULL:
        return -1
    if s.stop:
        raise InterruptedError("stopped by another thread")
    raise MemoryError("no memory for the plays")


class _Crew:
    """Threads that share the chunks of a job; the one that calls is one of them.

    Each takes the next chunk when it is done with one. Whatever is raised in one stops all.
    """

    def __init__(self, chunks, work):
        self.pending = iter(range(chunks))
        self.work = work
        self.lock = threading.Lock()
        self.errors = []
        self.scratches = []
        self.threads = []

    def take(self, scratch):
        """Do chunks until there are none."""
        while not self.errors:
            with self.lock:
                chunk = next(self.pending, None)
            if chunk is None:
                return
            self.work(chunk, scratch)
            PyErr_CheckSignals()  # does nothing but in the main thread

    def help(self, scratch):
        """`take` in another thread, where nobody catches."""
        try:
            self.take(scratch)
        except BaseException as error:
            self.errors.append(error)

    def start(self, helpers):
        """Start some threads; fewer if the system gives no more."""
        for _ in range(helpers):
            scratch = Scratch()
            self.scratches.append(scratch)
            thread = threading.Thread(target=self.help, args=(scratch,), daemon=True)
            self.threads.append(thread)  # before it starts: Ctrl-C may come while it does
            try:
                thread.start()
            except RuntimeError:
                self.threads.pop()
                return

    def stop(self, error):
        """Make all threads end soon, and wait for them."""
        self.errors.insert(0, error)
        for scratch in self.scratches:
            (<Scratch>scratch).s.stop = 1
        for thread in self.threads:
            if thread.is_alive():
                thread.join()

    def run(self, helpers):
        """Do all chunks; raises what was raised first."""
        try:
            self.start(helpers)
            self.take(Scratch())
            for thread in self.threads:
                while thread.is_alive():
                    thread.join(0.05)
                    PyErr_CheckSignals()
        except BaseException as error:
            self.stop(error)
            raise
        if self.errors:
            raise self.errors[0]


def _run(Py_ssize_t chunks, work, int threads):
    """Call work(chunk, scratch) for every chunk, on up to `threads` threads."""
    _Crew(chunks, work).run(min(threads, chunks) - 1)


def _threads(threads):
    number = whole_number(threads)
    if number is None or number < 1:
        raise InvalidArgument(f"threads: expected a whole number of 1 or more, got {threads!r}")
    return min(number, 1024)


# ------------------------------------------------------------------------------------ checks

def _check_rules(rules):
    if not isinstance(rules, Rules) or (<Rules>rules).values is None:
        raise InvalidArgument(f"rules: expected Rules, got {type(rules).__name__}")
    return rules


def _natural(name, value, most, least=0):
    """A Python int in least..most."""
    number = whole_number(value)
    if number is None:
        raise InvalidArgument(f"{name}: expected a whole number, got {value!r}")
    if not least <= number <= most:
        raise InvalidArgument(f"{name}: expected {least} to {most}, got {number}")
    return number


def _whole_array(name, values, error):
    """An array of whole numbers, whatever its width."""
    try:
        array = np.asarray(values)
    except (TypeError, ValueError) as why:
        raise error(f"{name}: expected an array of whole numbers ({why})") from None
    if array.dtype.kind not in "iu":
        raise error(f"{name}: expected whole numbers (int8), got dtype {array.dtype}")
    return array


def _boards(boards, one=False):
    """Any whole-number array of shape (n, 32), or (32,) for one board, as int8, C-contiguous."""
    array = _whole_array("boards", boards, InvalidPosition)
    if array.shape == (32,):
        array = array.reshape(1, 32)
    if array.ndim != 2 or array.shape[1] != 32 or (one and len(array) != 1):
        wanted = "(32,)" if one else "(n, 32)"
        raise InvalidPosition(f"boards: expected shape {wanted}, got {np.shape(boards)}")
    if array.dtype != INT8:
        wrong = np.flatnonzero(((array < -128) | (array > 127)).any(axis=1))
        if wrong.size:
            raise InvalidPosition(f"boards: row {wrong[0]} has a number that no int8 holds: "
                                  f"{array[wrong[0]].tolist()}")
    return np.ascontiguousarray(array, dtype=INT8)


cdef Py_ssize_t first_fault(const rules_t* r, const int8_t[:, ::1] boards) noexcept nogil:
    """The first row in which something is wrong, or -1."""
    cdef Py_ssize_t i
    for i in range(boards.shape[0]):
        if board_faults(r, <const board_t*>&boards[i, 0]):
            return i
    return -1


def _legal_boards(Rules rules, boards, one=False):
    """Boards in which nothing is wrong; the error names row, fault and board."""
    array = _boards(boards, one)
    cdef const int8_t[:, ::1] view = array
    cdef Py_ssize_t row
    with nogil:
        row = first_fault(&rules.c, view)
    if row >= 0:
        wrong = board_faults(&rules.c, <const board_t*>&view[row, 0])
        raise InvalidPosition(f"board in row {row} cannot stand under {rules.name}: "
                              f"{'; '.join(fault_words(rules, wrong))} "
                              f"(board {array[row].tolist()})")
    return array


def _per_row(name, values, Py_ssize_t n, least, most):
    """int8[n], from a number or an array of shape (n,)."""
    array = _whole_array(name, values, InvalidArgument)
    if array.shape not in ((), (n,)):
        raise InvalidArgument(f"{name}: expected a number or shape ({n},), got {array.shape}")
    wrong = np.flatnonzero((array < least) | (array > most))
    if wrong.size:
        raise InvalidArgument(f"{name}: expected {least} to {most}, "
                              f"got {array.reshape(-1)[wrong[0]]} in row {wrong[0]}")
    return np.ascontiguousarray(np.broadcast_to(array, (n,)), dtype=INT8)


def _dice(dice, Py_ssize_t n):
    """uint8[n, 2] or uint8[2] of faces 1 to 6, from such arrays or from one pair."""
    array = _whole_array("dice", dice, InvalidArgument)
    if array.shape not in ((2,), (n, 2)):
        raise InvalidArgument(f"dice: expected one pair or shape ({n}, 2), got {array.shape}")
    if array.size and not 1 <= array.min() <= array.max() <= 6:
        wrong = np.flatnonzero(((array < 1) | (array > 6)).reshape(-1, 2).any(axis=1))
        raise InvalidArgument(f"dice: expected faces 1 to 6, got "
                              f"{array.reshape(-1, 2)[wrong[0]].tolist()} in row {wrong[0]}")
    return np.ascontiguousarray(array, dtype=UINT8)


cdef uint32_t board_faults(const rules_t* r, const board_t* b) noexcept nogil:
    """Sum of the faults of one board."""
    cdef int plus, minus, n = r.checkers
    cdef uint32_t fault = 0
    cdef board_t other
    totals(b, &plus, &minus)
    if plus != n:
        fault |= F_OWN_TOTAL
    if minus != n:
        fault |= F_ENEMY_TOTAL
    if b.at[OFF] < 0 or b.at[BAR] < 0 or b.at[THEIR_BAR] > 0 or b.at[THEIR_OFF] > 0:
        fault |= F_SIGN
    if b.at[28] or b.at[29] or b.at[30] or b.at[31]:
        fault |= F_TAIL
    if not r.hit and (b.at[BAR] or b.at[THEIR_BAR]):
        fault |= F_NO_BAR
    if r.max_per_point and above(b, r.max_per_point) & POINTS_MASK:
        fault |= F_FULL_POINT
    if r.block:
        if block_fault(r, b):
            fault |= F_OWN_BLOCK
        # The opponent's block would be a run in the mover's numbers.
        if runs_of_six(~above(b, -1) & POINTS_MASK):
            flip_bytes(other.at, b.at, r.parallel)
            if block_fault(r, &other):
                fault |= F_ENEMY_BLOCK
    if b.at[OFF] == n and b.at[THEIR_OFF] == -n and not r.draw:
        fault |= F_BOTH_OFF
    return fault


# ----------------------------------------------------------------------------------- boards

def start(Rules rules, n=1):
    """The opening position, `n` times."""
    _check_rules(rules)
    cdef Py_ssize_t i, rows = _natural("n", n, 2**40)
    out = np.zeros((rows, 32), np.int8)
    cdef int8_t[:, ::1] view = out
    for i in range(rows):
        memcpy(&view[i, 0], &rules.c.start, 32)
    return out


def flip(Rules rules, boards):
    """The same positions as the other player sees them."""
    array = _boards(boards)
    out = np.empty_like(array)
    cdef const int8_t[:, ::1] source = array
    cdef int8_t[:, ::1] view = out
    cdef Py_ssize_t i
    with nogil:
        for i in range(source.shape[0]):
            flip_bytes(&view[i, 0], &source[i, 0], rules.c.parallel)
    return out


def flip_one(Rules rules, bytes board):
    """The 32 bytes of one board as the other player sees it."""
    cdef board_t other
    if len(board) != sizeof(board_t):
        raise InvalidPosition(f"expected the 32 bytes of a board, got {len(board)}")
    flip_bytes(other.at, <const int8_t*><const char*>board, (<Rules>_check_rules(rules)).c.parallel)
    return PyBytes_FromStringAndSize(<const char*>&other, sizeof(board_t))


def legal_bytes(Rules rules, board):
    """The 32 bytes of a legal board, from an array."""
    return _legal_boards(_check_rules(rules), board, one=True).tobytes()


def faults(Rules rules, boards):
    """What is wrong with each board: uint32, 0 for a legal position."""
    cdef const int8_t[:, ::1] source = _boards(boards)
    out = np.empty(source.shape[0], np.uint32)
    cdef uint32_t[::1] view = out
    cdef Py_ssize_t i
    with nogil:
        for i in range(source.shape[0]):
            view[i] = board_faults(&rules.c, <const board_t*>&source[i, 0])
    return out


def pips(Rules rules, boards):
    """Pips each player has yet to travel: int32[n, 2], the player on roll first."""
    cdef const int8_t[:, ::1] source = _boards(boards)
    out = np.empty((source.shape[0], 2), np.int32)
    cdef int32_t[:, ::1] view = out
    cdef board_t other
    cdef Py_ssize_t i
    with nogil:
        for i in range(source.shape[0]):
            view[i, 0] = board_pips(<const board_t*>&source[i, 0])
            flip_bytes(other.at, &source[i, 0], rules.c.parallel)
            view[i, 1] = board_pips(&other)
    return out


def worth(Rules rules):
    """Points of a draw, a single win, mars, koks and home mars, in this order: float64[5]."""
    single, mars, koks = rules.values["points"]
    return np.array([rules.values["draw_points"], single, mars or single,
                     koks or mars or single, rules.values["home_mars"]], np.float64)


def outcomes(Rules rules, boards, *, _trusted=False):
    """Whether boards are finished, who has won and what it is worth."""
    cdef const int8_t[:, ::1] source = boards if _trusted else _legal_boards(rules, boards)
    cdef Py_ssize_t i, n = source.shape[0]
    winner, kind = np.full(n, -1, np.int8), np.zeros(n, np.int8)
    over = np.zeros(n, np.bool_)
    cdef int8_t[::1] winners = winner, kinds = kind
    cdef uint8_t[::1] overs = over.view(np.uint8)
    cdef board_t other
    cdef int state
    for i in range(n):
        state = stopped(&rules.c, <const board_t*>&source[i, 0])
        overs[i] = state != 0
        if state == 1:
            flip_bytes(other.at, &source[i, 0], rules.c.parallel)
            winners[i], kinds[i] = 0, <int8_t>outcome(&rules.c, &other)
        elif state == 2:
            winners[i], kinds[i] = 1, <int8_t>outcome(&rules.c, <const board_t*>&source[i, 0])
    points = np.where(over, worth(rules)[kind], 0.0)
    return Outcomes(over, winner, np.minimum(kind, 3), points)


# ------------------------------------------------------------------------------------- plays

cdef class Job:
    """Boards and rolls whose plays are wanted, checked."""

    cdef Rules rules
    cdef const int8_t[:, ::1] boards
    cdef const uint8_t[:, ::1] dice     # of each row, if d1 is 0
    cdef int d1
    cdef int d2
    cdef const int8_t[::1] steps        # of each row, if all_steps is 0
    cdef int all_steps
    cdef const int8_t[::1] head_used    # of each row, if all_used is -1
    cdef int all_used
    cdef bint exception
    cdef bint general
    cdef Py_ssize_t n

    def __init__(self, rules, boards, dice, steps, head_used, exception, general,
                 trusted=False):
        self.rules = _check_rules(rules)
        self.boards = boards if trusted else _legal_boards(rules, boards)
        self.n = self.boards.shape[0]
        faces = _dice(dice, self.n)
        if faces.ndim == 1:
            self.d1, self.d2 = faces.tolist()
        else:
            self.dice = faces
        self.all_steps = self.rules.c.cascade if self.rules.c.cascade else 4
        if steps is not None:
            self.steps = _per_row("steps", steps, self.n, 1, MAX_STEPS)
            self.all_steps = 0
        if head_used is not None:
            self.head_used = _per_row("head_used", head_used, self.n, 0, 15)
            self.all_used = -1
        if not isinstance(exception, (bool, np.bool_)):
            raise InvalidArgument(f"exception: expected True or False, got {exception!r}")
        self.exception = exception
        self.general = general or GENERAL_ONLY

    cdef inline roll_t roll(self, Py_ssize_t i) noexcept nogil:
        cdef roll_t roll
        roll.d1, roll.d2 = self.d1, self.d2
        if self.d1 == 0:
            roll.d1, roll.d2 = self.dice[i, 0], self.dice[i, 1]
        roll.steps = self.all_steps if self.all_steps else self.steps[i]
        roll.head_used = self.all_used if self.all_used >= 0 else self.head_used[i]
        roll.exception = self.exception
        roll.general = self.general
        return roll

    cdef int list_chunk(self, Py_ssize_t chunk, scratch_t* s, rows_t* out,
                        int64_t[::1] ends) noexcept nogil:
        """Append the plays of one chunk; ends[i + 1] gets how many row i has."""
        cdef Py_ssize_t i, n
        cdef const board_t* b
        cdef roll_t roll
        for i in range(chunk * CHUNK, min(self.n, (chunk + 1) * CHUNK)):
            b = <const board_t*>&self.boards[i, 0]
            if stopped(&self.rules.c, b):
                if reserve(out, 1) < 0:
                    return -1
                out.at[out.n] = b[0]
                out.n += 1
                n = 1
            else:
                roll = self.roll(i)
                n = list_plays(&self.rules.c, b, &roll, s, out)
                if n < 0:
                    return -1
            ends[i + 1] = n
        return 0

    cdef int count_chunk(self, Py_ssize_t chunk, scratch_t* s, int32_t[::1] out) noexcept nogil:
        """Write how many plays each row of one chunk has."""
        cdef Py_ssize_t i, n
        cdef const board_t* b
        cdef roll_t roll
        for i in range(chunk * CHUNK, min(self.n, (chunk + 1) * CHUNK)):
            b = <const board_t*>&self.boards[i, 0]
            n = 1
            if not stopped(&self.rules.c, b):
                roll = self.roll(i)
                n = count_plays(&self.rules.c, b, &roll, s)
                if n < 0:
                    return -1
            out[i] = <int32_t>n
        return 0


def plays(rules, boards, dice, *, steps=None, head_used=None, exception=True, threads=1,
          _general=False, _trusted=False):
    """Every distinct board that each roll may leave: (offsets int64[n + 1], after int8[m, 32])."""
    cdef Job job = Job(rules, boards, dice, steps, head_used, exception, _general, _trusted)
    cdef Py_ssize_t chunks = (job.n + CHUNK - 1) // CHUNK
    crew = _threads(threads)
    offsets = np.zeros(job.n + 1, np.int64)
    if crew > 1:
        return offsets, _plays_by_many(job, chunks, offsets, crew)
    cdef Rows rows = Rows()
    cdef int64_t[::1] ends = offsets

    def work(Py_ssize_t chunk, Scratch scratch):
        cdef int failed
        with nogil:
            failed = job.list_chunk(chunk, &scratch.s, &rows.rows, ends)
        if failed:
            give_up(&scratch.s)

    _run(chunks, work, 1)
    np.cumsum(offsets, out=offsets)
    return offsets, rows.array()


cdef _plays_by_many(Job job, Py_ssize_t chunks, offsets, crew):
    """The boards of `plays` by several threads; writes the offsets.

    First all count, so that each chunk has its place; then a thread lists a chunk in its own
    memory, where it stays in the cache, and copies it there. (It cannot list in place: a fast path
    may write a board that it does not keep.)
    """
    cdef Rows out = Rows()
    cdef int64_t[::1] starts = offsets, sizes = np.empty(job.n + 1, np.int64)
    counts = np.empty(job.n, np.int32)
    cdef int32_t[::1] counted = counts

    def count_them(Py_ssize_t chunk, Scratch scratch):
        cdef int failed
        with nogil:
            failed = job.count_chunk(chunk, &scratch.s, counted)
        if failed:
            give_up(&scratch.s)

    _run(chunks, count_them, crew)
    np.cumsum(counts, out=offsets[1:])
    if reserve(&out.rows, starts[job.n]) < 0:
        raise MemoryError("no memory for the plays")
    out.rows.n = starts[job.n]

    def list_them(Py_ssize_t chunk, Scratch scratch):
        cdef rows_t* mine = &scratch.s.rows
        cdef int failed
        mine.n = 0
        with nogil:
            failed = job.list_chunk(chunk, &scratch.s, mine, sizes)
            if not failed and mine.n:
                memcpy(out.rows.at + starts[chunk * CHUNK], mine.at,
                       <size_t>mine.n * sizeof(board_t))
        if failed:
            give_up(&scratch.s)

    _run(chunks, list_them, crew)
    return out.array()


def count(rules, boards, dice, *, steps=None, head_used=None, exception=True, threads=1,
          _general=False, _trusted=False):
    """How many boards `plays` would give for each row: int32[n]."""
    cdef Job job = Job(rules, boards, dice, steps, head_used, exception, _general, _trusted)
    out = np.empty(job.n, np.int32)
    cdef int32_t[::1] view = out

    def work(Py_ssize_t chunk, Scratch scratch):
        cdef int failed
        with nogil:
            failed = job.count_chunk(chunk, &scratch.s, view)
        if failed:
            give_up(&scratch.s)

    _run((job.n + CHUNK - 1) // CHUNK, work, _threads(threads))
    return out


def routes(rules, board, dice, *, steps=None, head_used=None, exception=True, last_turn=False):
    """The plays of one roll with their steps.

    Parameters
    ----------
    last_turn : bool
        Whether the roll is played although the opponent has finished (rules.md, 10.5).

    Returns
    -------
    after : int8[k, 32]
        The boards, as `plays` lists them.
    steps : list of k tuples of (from, to)
        One legal order of steps to each; empty for a pass.
    """
    cdef Job job = Job(rules, _boards(board, one=True), dice, steps, head_used, exception, True)
    cdef const board_t* b = <const board_t*>&job.boards[0, 0]
    cdef Scratch scratch = Scratch()
    cdef scratch_t* s = &scratch.s
    cdef Rows rows = Rows()
    cdef roll_t roll = job.roll(0)
    cdef Py_ssize_t i, n = 0
    if last_turn or not stopped(&job.rules.c, b):
        n = search(&job.rules.c, b, &roll, s)
    if n < 0 or reserve(&rows.rows, n + 1) < 0:
        give_up(s)
    for i in range(n):
        rows.rows.at[i] = s.finals[i].board
    if n == 0:
        rows.rows.at[0] = b[0]
    rows.rows.n = n if n else 1
    return rows.array(), [pairs_of(trail) for trail in trails_of(s, n)]


cdef list trails_of(const scratch_t* s, Py_ssize_t n):
    """The steps of the `n` results of `search`, one legal order each: bytes from, to, from, ..."""
    cdef uint8_t trail[2 * MAX_STEPS]
    cdef Py_ssize_t i, at, node
    if n == 0:
        return [b""]
    trails = []
    for i in range(n):
        at, node = sizeof(trail), s.finals[i].node
        while node:
            at -= 2
            trail[at] = s.nodes[node].source
            trail[at + 1] = max(0, s.nodes[node].source - s.nodes[node].die)
            node = s.nodes[node].parent
        trails.append(PyBytes_FromStringAndSize(<char*>trail + at, sizeof(trail) - at))
    return trails


cdef tuple pairs_of(bytes trail):
    """Steps as tuples (from, to)."""
    cdef const uint8_t* at = <const uint8_t*><const char*>trail
    cdef Py_ssize_t i
    return tuple([(at[i], at[i + 1]) for i in range(0, len(trail), 2)])


cdef class Turn:
    """One position and one roll: what the plays of a `plays_of` call share."""

    cdef readonly Rules rules
    cdef readonly bytes before
    cdef readonly tuple dice
    cdef readonly dict stage
    cdef readonly int used      # dice of each play, as in scratch_t
    cdef roll_t roll
    cdef list trails

    cdef const rules_t* r(self) except NULL:
        """The rules, as the kernels read them."""
        if self.rules is None:
            raise InvalidArgument("turns are made by turn_of")
        return &self.rules.c

    @property
    def over(self):
        """Whether the game is over: there is nothing to play."""
        over = stopped(self.r(), <const board_t*><const char*>self.before) != 0
        return over and not self.stage["last_turn"]

    def attempt(self, hops):
        """Find the plays that hops (from, to) may mean; see `Attempt`."""
        cdef Attempt attempt = Attempt.__new__(Attempt)
        attempt.run(self, hops)
        return attempt

    def steps_of(self, Py_ssize_t index):
        """The steps of the index-th play; all are worked out when the first is asked for."""
        if self.trails is None:
            self.trails = self.all_trails()
        if not 0 <= index < len(self.trails):
            raise InvalidArgument(f"index: expected 0 to {len(self.trails) - 1}, got {index}")
        return pairs_of(self.trails[index])

    cdef list all_trails(self):
        """The steps of all plays, as `trails_of` gives them."""
        cdef Scratch scratch = SPARE_SCRATCH.pop() if SPARE_SCRATCH else Scratch()
        cdef const board_t* b = <const board_t*><const char*>self.before
        cdef Py_ssize_t n = 0
        if not self.over:
            n = search(self.r(), b, &self.roll, &scratch.s)
        if n < 0:
            give_up(&scratch.s)
        trails = trails_of(&scratch.s, n)
        SPARE_SCRATCH.append(scratch)
        return trails


def turn_of(Rules rules, bytes board, d1, d2, *, steps=None, head_used=0, exception=True,
            last_turn=False):
    """A position and a roll; `board` is the 32 bytes of a legal board: nothing else is checked.

    `last_turn` as in `routes`.
    """
    cdef Turn turn = Turn.__new__(Turn)
    _check_rules(rules)
    if len(board) != sizeof(board_t):
        raise InvalidPosition(f"expected the 32 bytes of a board, got {len(board)}")
    single_roll(&turn.roll, d1, d2)
    turn.roll.steps = rules.c.cascade if rules.c.cascade else 4
    if steps is not None:
        turn.roll.steps = _natural("steps", steps, MAX_STEPS, 1)
    turn.roll.head_used = _natural("head_used", head_used, 15)
    if not isinstance(exception, (bool, np.bool_)):
        raise InvalidArgument(f"exception: expected True or False, got {exception!r}")
    turn.roll.exception = bool(exception)
    turn.roll.general = GENERAL
    turn.rules, turn.before, turn.dice = rules, board, (turn.roll.d1, turn.roll.d2)
    turn.stage = {"steps": steps, "head_used": head_used, "exception": exception,
                  "last_turn": last_turn}
    return turn


cdef class PlayData:
    """A play as the core makes it; `nardy.position.Play` gives it a face."""

    cdef readonly Turn turn
    cdef readonly bytes after_bytes
    cdef readonly Py_ssize_t index

    def _steps(self):
        """The steps, in one legal order."""
        if self.turn is None:
            raise InvalidArgument("plays are made by Position.plays")
        return self.turn.steps_of(self.index)


cdef list SPARE_SCRATCH = []    # working memory of single calls; list.pop and append are atomic


def two_dice(d1, d2):
    """The dice of a single call as Python ints, checked."""
    cdef roll_t roll
    single_roll(&roll, d1, d2)
    return roll.d1, roll.d2


cdef int one_die(die) except -1:
    """A face as a C int; 0 for what is none."""
    if type(die) is int:
        return die if 1 <= die <= 6 else 0
    if isinstance(die, bool):
        return 0
    try:
        number = die.__index__()
    except (AttributeError, TypeError):
        return 0
    return number if 1 <= number <= 6 else 0


cdef int single_roll(roll_t* roll, d1, d2) except -1:
    """Write two dice of a single call."""
    roll.d1, roll.d2 = one_die(d1), one_die(d2)
    if not (roll.d1 and roll.d2):
        raise InvalidArgument(f"expected dice of 1 to 6, got {d1!r} and {d2!r}")
    return 0


cdef Py_ssize_t single_plays(const rules_t* r, const board_t* b, const roll_t* roll,
                             bint last_turn, scratch_t* s) except -1:
    """List the plays of one roll in the scratch rows; how many."""
    cdef Py_ssize_t n
    s.rows.n = 0
    s.used = 0
    if not last_turn and stopped(r, b):
        if reserve(&s.rows, 1) < 0:
            raise MemoryError("no memory for the plays")
        s.rows.at[0] = b[0]
        return 1
    n = list_plays(r, b, roll, s, &s.rows)
    if n < 0:
        give_up(s)
    return n


def after(position, d1, d2):
    """Boards that a roll may leave, int8[k, 32], as `nardy.Position.after`.

    `position` has `rules` and `_bytes`, the 32 bytes of a legal board: nothing else is checked.
    """
    cdef Rules rules = position.rules
    cdef bytes board = position._bytes
    cdef Scratch scratch = SPARE_SCRATCH.pop() if SPARE_SCRATCH else Scratch()
    cdef Py_buffer out
    cdef Py_ssize_t n
    cdef roll_t roll
    single_roll(&roll, d1, d2)
    roll.steps = rules.c.cascade if rules.c.cascade else 4
    roll.head_used = 0
    roll.exception = True
    roll.general = GENERAL
    n = single_plays(&rules.c, <const board_t*><const char*>board, &roll, False, &scratch.s)
    array = EMPTY((n, 32), INT8)
    PyObject_GetBuffer(array, &out, PyBUF_SIMPLE)
    memcpy(out.buf, scratch.s.rows.at, <size_t>n * sizeof(board_t))
    PyBuffer_Release(&out)
    SPARE_SCRATCH.append(scratch)
    return array


def plays_of(position, d1, d2, cls, out, *, steps=None, head_used=0, exception=True,
             last_turn=False):
    """Append the plays of a roll to the list `out`, which is returned.

    They are objects of `cls`, a subclass of `PlayData`; see `after` for `position`, and `routes`
    for `last_turn`. `out` may be of a subclass of list: filling one takes less than copying a list
    into it.
    """
    if not isinstance(out, list):
        raise InvalidArgument(f"expected a list to append to, got {out!r}")
    cdef Turn turn = turn_of(position.rules, position._bytes, d1, d2, steps=steps,
                             head_used=head_used, exception=exception,
                             last_turn=last_turn)
    cdef Scratch scratch = SPARE_SCRATCH.pop() if SPARE_SCRATCH else Scratch()
    cdef PlayData play
    cdef Py_ssize_t i, n = single_plays(
        &turn.rules.c, <const board_t*><const char*>turn.before, &turn.roll, last_turn,
        &scratch.s)
    turn.used = scratch.s.used
    for i in range(n):
        play = <PlayData>cls.__new__(cls)
        play.turn, play.index = turn, i
        play.after_bytes = PyBytes_FromStringAndSize(<const char*>&scratch.s.rows.at[i], 32)
        (<list>out).append(play)
    SPARE_SCRATCH.append(scratch)
    return out


include "attempt.pxi"


def perft(rules, board, depth):
    """Pairs (roll, board) after `depth` turns: 21 rolls, unweighted."""
    _check_rules(rules)
    array = _legal_boards(rules, board, one=True)
    return _perft(rules, array, [1], _natural("depth", depth, 100))


PAIRS = np.array([(a, b) for a in range(1, 7) for b in range(1, a + 1)], np.uint8)


def _perft(Rules rules, boards, times, depth):
    """Perft of several boards, each counted `times` over."""
    cdef Py_ssize_t low, size = 4096 if depth == 1 else 256
    if depth == 0:
        return sum(times)
    total = 0
    for low in range(0, len(boards), size):
        part, weight = boards[low:low + size], times[low:low + size]
        over = outcomes(rules, part, _trusted=True).over
        total += sum(w for w, done in zip(weight, over, strict=True) if done)
        part = part[~over]
        weight = [w for w, done in zip(weight, over, strict=True) if not done]
        many, rolls = np.repeat(part, 21, axis=0), np.tile(PAIRS, (len(part), 1))
        if depth == 1:
            counts = count(rules, many, rolls, _trusted=True).reshape(-1, 21).sum(axis=1)
            total += sum(int(c) * w for c, w in zip(counts, weight, strict=True))
        elif len(part):
            offsets, after = plays(rules, many, rolls, _trusted=True)
            sizes = np.diff(offsets[::21])
            seen = {}
            keys = flip(rules, after).view("V32").ravel().tolist()
            for key, w in zip(keys, np.repeat(np.array(weight, object), sizes), strict=True):
                seen[key] = seen.get(key, 0) + w
            unique = np.frombuffer(b"".join(seen), np.int8).reshape(-1, 32)
            total += _perft(rules, unique, list(seen.values()), depth - 1)
    return total


# ----------------------------------------------------------------------------------- playouts

def _policy(policy):
    """The policies of player 0 and player 1, from one name or a pair."""
    pair = (policy, policy) if isinstance(policy, str) else policy
    if not isinstance(pair, (tuple, list)) or len(pair) != 2 or any(
            not isinstance(name, str) or name not in POLICIES for name in pair):
        raise InvalidArgument(f"policy: expected one of {', '.join(map(repr, POLICIES))} or a "
                              f"pair of them, got {policy!r}")
    return POLICIES[pair[0]], POLICIES[pair[1]]


def _weights(Rules rules, weights):
    """The tables of player 0 and player 1, from None or a pair of `heuristic.Weights`."""
    if weights is None:
        return (default_weights(rules),) * 2
    return tuple(Weights(one.place, one.pattern) for one in weights)


def raw_playout(rules, boards=None, games=1, seed=0, policy="random", threads=1, *,
                first_board=0, first_game=0, weights=None, _general=False):
    """`playout` with 4 as the kind of a home mars; board and game numbers may start higher."""
    cdef Rules game = _check_rules(rules)
    cdef bint opening = boards is None, general = _general or GENERAL_ONLY
    cdef const int8_t[:, ::1] source = start(game) if opening else _legal_boards(game, boards)
    cdef Py_ssize_t n_games = _natural("games", games, 2**40)
    cdef Py_ssize_t n = source.shape[0] * n_games
    cdef uint64_t seed_ = _natural("seed", seed, 2**64 - 1)
    cdef uint64_t board_ = _natural("first_board", first_board, 2**63)
    cdef uint64_t game_ = _natural("first_game", first_game, 2**63)
    tables = _weights(game, weights)
    cdef Weights table_0 = tables[0], table_1 = tables[1]
    cdef policy_t policies
    policies.kind[0], policies.kind[1] = _policy(policy)
    policies.weights[0], policies.weights[1] = &table_0.w, &table_1.w
    crew = _threads(threads)
    shape = (source.shape[0], n_games)
    winner, kind = np.empty(shape, np.int8), np.empty(shape, np.int8)
    turns = np.empty(shape, np.int32)
    cdef int8_t[::1] winners = winner.reshape(-1), kinds = kind.reshape(-1)
    cdef int32_t[::1] turn_counts = turns.reshape(-1)

    def work(Py_ssize_t chunk, Scratch scratch):
        cdef Py_ssize_t i
        cdef uint64_t key
        cdef result_t result
        with nogil:
            for i in range(chunk * GAMES, min(n, (chunk + 1) * GAMES)):
                key = game_key(seed_, board_ + <uint64_t>(i // n_games),
                               game_ + <uint64_t>(i % n_games))
                play_game(&game.c, <const board_t*>&source[i // n_games, 0], opening, key,
                          &policies, general, &scratch.s, NULL, &result)
                if result.failed:
                    break
                winners[i], kinds[i], turn_counts[i] = result.winner, result.kind, result.turns
        if result.failed:
            give_up(&scratch.s)

    _run((n + GAMES - 1) // GAMES, work, crew)
    return Playouts(winner, kind, turns)


def playout(rules, boards=None, games=1, seed=0, policy="random", threads=1, *, _general=False):
    """Play games to the end; see `Playouts`."""
    result = raw_playout(rules, boards, games, seed, policy, threads, _general=_general)
    np.minimum(result.kind, 3, out=result.kind)
    return result


def rolls(seed=0, boards=1, games=1, turns=1, *, lot_first=False):
    """The dice that `playout` throws: uint8[boards, games, turns, 2]."""
    cdef Py_ssize_t n_boards = _natural("boards", boards, 2**32)
    cdef Py_ssize_t n_games = _natural("games", games, 2**32)
    cdef Py_ssize_t n_turns = _natural("turns", turns, 2**32)
    cdef uint64_t seed_ = _natural("seed", seed, 2**64 - 1), key
    cdef bint lots = lot_first
    if <double>n_boards * n_games * n_turns > 2**40:
        raise InvalidArgument(f"expected at most 2**40 rolls, got {boards} x {games} x {turns}")
    out = np.empty((n_boards, n_games, n_turns, 2), np.uint8)
    cdef uint8_t[:, :, :, ::1] view = out
    cdef Py_ssize_t b, g, t, low
    cdef int d1, d2
    for b in range(n_boards):
        for g in range(n_games):
            key = game_key(seed_, <uint64_t>b, <uint64_t>g)
            for low in range(0, n_turns, 1 << 20):
                if g % 1024 == 0 or low:
                    PyErr_CheckSignals()
                with nogil:
                    for t in range(low, min(n_turns, low + (1 << 20))):
                        if lots and t == 0:
                            lot(key, &d1, &d2)
                        else:
                            throw(key, <uint64_t>t, &d1, &d2)
                        view[b, g, t, 0], view[b, g, t, 1] = <uint8_t>d1, <uint8_t>d2
    return out


class Event(NamedTuple):
    """One stage of a traced game; boards are in the view of `player`."""

    remainder: bool
    player: int
    dice: tuple
    steps: int
    before: np.ndarray
    after: np.ndarray


def trace(rules, board=None, seed=0, policy="random", *, board_index=0, game=0, _general=False):
    """One game of `playout`, stage by stage: (list of Event, (winner, kind, turns))."""
    cdef Rules which = _check_rules(rules)
    cdef bint opening = board is None
    cdef const int8_t[:, ::1] source = start(which) if opening else _legal_boards(
        which, board, one=True)
    cdef Weights table = _weights(which, None)[0]
    cdef policy_t policies
    cdef Scratch scratch = Scratch()
    cdef Rows before = Rows(), after = Rows()
    cdef events_t events
    cdef result_t result
    cdef Py_ssize_t i
    cdef uint64_t key = game_key(_natural("seed", seed, 2**64 - 1),
                                 _natural("board_index", board_index, 2**63),
                                 _natural("game", game, 2**63))
    policies.kind[0], policies.kind[1] = _policy(policy)
    policies.weights[0] = policies.weights[1] = &table.w
    memset(&events, 0, sizeof(events))
    play_game(&which.c, <const board_t*>&source[0, 0], opening, key, &policies,
              _general or GENERAL_ONLY, &scratch.s, &events, &result)
    try:
        if result.failed or reserve(&before.rows, events.n) < 0 or reserve(
                &after.rows, events.n) < 0:
            give_up(&scratch.s)
        for i in range(events.n):
            before.rows.at[i], after.rows.at[i] = events.at[i].before, events.at[i].after
        before.rows.n = after.rows.n = events.n
        firsts, lasts = before.array(), after.array()
        story = [Event(bool(events.at[i].remainder), events.at[i].player,
                       (events.at[i].d1, events.at[i].d2), events.at[i].steps, firsts[i],
                       lasts[i]) for i in range(events.n)]
    finally:
        free(events.at)
    return story, (int(result.winner), min(int(result.kind), 3), int(result.turns))
