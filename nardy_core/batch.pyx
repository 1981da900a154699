"""The one door from Python to the kernels.

Everything is checked here: dtype, shape, contiguity, dice, positions. Then the GIL is released, and
the kernels trust what they are given. crew.pyx spreads the chunks of a job over threads.
"""

import os
from enum import IntFlag
from typing import NamedTuple

import numpy as np

cimport cython
from cpython.buffer cimport PyBUF_SIMPLE, PyBuffer_Release, PyObject_GetBuffer
from cpython.bytes cimport PyBytes_FromStringAndSize
from cpython.exc cimport PyErr_CheckSignals
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
from nardy_core.crew cimport (
    DONE,
    FAULTY,
    NO_MEMORY,
    PENDING,
    Task,
    copy_t,
    give_up,
    pause,
    pending_t,
    worker_t,
)
from nardy_core.dice cimport choice_key, game_key, lot, throw
from nardy_core.ending cimport Ends, draw_end
from nardy_core.evaluate cimport Weights, default_weights
from nardy_core.memory cimport Rows, Scratch, lock, unlock, widen
from nardy_core.movegen cimport (
    count as count_plays,
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
    ends_t,
    events_t,
    outcome,
    play_game,
    policy_t,
    result_t,
    stopped,
)
from nardy_core.rules cimport NO_SHELTER, Rules, own_steps, rules_t
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

cdef extern from "crew.h" nogil:
    void copy_step "nardy_copy_step"(void* to, const void* source, size_t n)

GENERAL_ONLY = os.environ.get("NARDY_GENERAL_ONLY", "") not in ("", "0")
"""Whether the kernels take the general path only (to test the fast ones against it)."""

cdef bint GENERAL = GENERAL_ONLY
cdef object EMPTY = np.empty, INT8 = np.dtype(np.int8), UINT8 = np.dtype(np.uint8)

POLICIES = {"random": RANDOM, "heuristic": HEURISTIC}

cdef enum:
    CHUNK = 256         # pairs of one chunk: their boards fit in the cache of one core
    GAMES = 64          # games of one chunk
    MAX_STEPS = 127     # steps of one stage
    MOST_PENDING = 1 << 17  # boards that wait for their place in the memory of one thread
    ROOM = 1 << 15      # boards that are free before a chunk is listed in place
    NO_PLACE = -1       # of a chunk: not known yet

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


class Left(NamedTuple):
    """Games that were left where tables know the rest.

    `played` has the turns so far, and the results of the games that came to their end before.
    `mover` (int8, shape (boards, games)) is the player on roll where a game was left, -1 if it came
    to its end; `board` (int8, shape (boards, games, 32)) is the position in his view.
    """

    played: Playouts
    board: np.ndarray
    mover: np.ndarray


class Outcomes(NamedTuple):
    """Whether boards are finished and how; see `outcomes`."""

    over: np.ndarray
    winner: np.ndarray
    kind: np.ndarray
    points: np.ndarray


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


def _threads(threads):
    number = whole_number(threads)
    if number is None or number < 1:
        raise InvalidArgument(f"threads: expected a whole number of 1 or more, got {threads!r}")
    return min(number, 1024)


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


cdef Py_ssize_t first_fault(const rules_t* r, const int8_t[:, ::1] boards, Py_ssize_t low,
                            Py_ssize_t high) noexcept nogil:
    """The first row of low..high - 1 in which something is wrong, or -1."""
    cdef Py_ssize_t i
    for i in range(low, high):
        if board_faults(r, <const board_t*>&boards[i, 0]):
            return i
    return -1


def _legal_boards(Rules rules, boards, one=False):
    """Boards in which nothing is wrong; the error names row, fault and board."""
    array = _boards(boards, one)
    cdef const int8_t[:, ::1] view = array
    cdef Py_ssize_t row
    with nogil:
        row = first_fault(&rules.c, view, 0, view.shape[0])
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

cdef inline void copy_some(copy_t* copy) noexcept nogil:
    """Copy the next few boards, while there are any."""
    cdef Py_ssize_t n = min(copy.step, copy.n)
    copy_step(copy.to, copy.source, <size_t>n)
    copy.to += n
    copy.source += n
    copy.n -= n


cdef class Job:
    """Boards and rolls whose plays are wanted, checked but for the faults of the boards.

    Those are looked for chunk by chunk, by all threads, before the kernels get the boards.
    """

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
    cdef bint trusted                   # nobody need look for faults
    cdef Py_ssize_t n

    def __init__(self, rules, boards, dice, steps, head_used, exception, general,
                 trusted=False):
        self.rules = _check_rules(rules)
        self.boards = boards if trusted else _boards(boards)
        self.trusted = trusted
        self.n = self.boards.shape[0]
        faces = _dice(dice, self.n)
        if faces.ndim == 1:
            self.d1, self.d2 = faces.tolist()
        else:
            self.dice = faces
        self.all_steps = own_steps(&self.rules.c)
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

    def run(self, Task task, threads):
        """Do a task of this job; if a board is faulty, name the first that is."""
        if task.run(threads) == FAULTY:
            _legal_boards(self.rules, self.boards)

    cdef int check_chunk(self, Py_ssize_t chunk) noexcept nogil:
        """Whether the boards of a chunk can stand; after that the kernels may have them."""
        cdef Py_ssize_t low = chunk * CHUNK, high = min(self.n, low + CHUNK)
        if self.trusted or first_fault(&self.rules.c, self.boards, low, high) < 0:
            return DONE
        return FAULTY

    cdef int list_chunk(self, Py_ssize_t chunk, scratch_t* s, rows_t* out, int64_t[::1] ends,
                        copy_t* copy) noexcept nogil:
        """Append the plays of one chunk; ends[i + 1] gets where those of row i end in `out`.

        On the way the boards of another chunk are copied.
        """
        cdef Py_ssize_t i
        cdef const board_t* b
        cdef roll_t roll
        for i in range(chunk * CHUNK, min(self.n, (chunk + 1) * CHUNK)):
            b = <const board_t*>&self.boards[i, 0]
            if stopped(&self.rules.c, b):
                if reserve(out, 1) < 0:
                    return NO_MEMORY
                out.at[out.n] = b[0]
                out.n += 1
            else:
                roll = self.roll(i)
                if list_plays(&self.rules.c, b, &roll, s, out) < 0:
                    return NO_MEMORY
            if copy.n:
                copy_some(copy)
            ends[i + 1] = out.n
        return DONE

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
                    return NO_MEMORY
            out[i] = <int32_t>n
        return DONE


cdef class PlaysTask(Task):
    """The boards of a job in one array, in order.

    Where a chunk goes is known when all before it are listed. So a thread lists a chunk in its own
    memory, small enough to stay in its cache, and copies it when its place is known; until then it
    takes other chunks. (It could not list in place anyway: a fast path may write a board that it
    does not keep.)
    """

    cdef Job job
    cdef int64_t[::1] ends      # of each row; in its thread's memory, once copied in `out`
    cdef int64_t[::1] places    # of chunks up to `placed`; beyond, how many boards the one before
    cdef Py_ssize_t placed      # has, or -1 if it is not listed
    cdef int copying            # threads that are writing to `out`
    cdef Rows out

    def __init__(self, Job job, offsets):
        self.job, self.ends, self.out = job, offsets, Rows()
        self.chunks = (job.n + CHUNK - 1) // CHUNK
        self.places = np.full(self.chunks + 1, -1, np.int64)
        self.places[0] = self.ends[0] = 0

    cdef int do(self, Py_ssize_t chunk, worker_t* w) noexcept nogil:
        cdef int status = self.job.check_chunk(chunk)
        if status != DONE:
            return status
        if self.n_workers == 1 and chunk > 0:  # the first says how much room the others will take
            return self.list_in_place(chunk, w)
        return self.list_apart(chunk, w)

    cdef int list_in_place(self, Py_ssize_t chunk, worker_t* w) noexcept nogil:
        """List a chunk at the end of the result: only for a thread that is alone."""
        cdef rows_t* rows = &self.out.rows
        if self.grow(2 * self.places[chunk] // chunk + ROOM) < 0:
            return NO_MEMORY
        rows.n = self.places[chunk]
        if self.job.list_chunk(chunk, &w.s, rows, self.ends, &w.copy) != DONE:
            return NO_MEMORY
        self.tell(chunk, rows.n - self.places[chunk])
        return DONE

    cdef int list_apart(self, Py_ssize_t chunk, worker_t* w) noexcept nogil:
        """List a chunk in the memory of its thread, while one that has a place is copied."""
        cdef Py_ssize_t before = w.rows.n
        # A list that is written may move, so none is copied from it.
        cdef bint copies = (w.n_handed < w.n_pending and w.pending[w.n_handed].rows != w.rows
                            and self.admit(w) == DONE)
        if self.job.list_chunk(chunk, &w.s, w.rows, self.ends, &w.copy) != DONE:
            return NO_MEMORY
        if copies:
            self.copied(w)
        self.tell(chunk, w.rows.n - before)
        w.pending[w.n_pending].chunk = chunk
        w.pending[w.n_pending].at = before
        w.pending[w.n_pending].rows = w.rows
        w.n_pending += 1
        return self.hand_in(w, w.n_pending == PENDING or w.rows.n > MOST_PENDING)

    cdef int settle(self, worker_t* w) noexcept nogil:
        return self.hand_in(w, True)

    cdef void tell(self, Py_ssize_t chunk, Py_ssize_t boards) noexcept nogil:
        """Say how many boards a chunk has, which may place those after it."""
        lock(&self.lock)
        self.places[chunk + 1] = boards
        while self.placed < self.chunks and self.places[self.placed + 1] >= 0:
            self.places[self.placed + 1] += self.places[self.placed]
            self.placed += 1
        unlock(&self.lock)

    cdef int hand_in(self, worker_t* w, bint wait) noexcept nogil:
        """Copy pending chunks of a thread until one is left or has no place; with ``wait`` all."""
        cdef unsigned int waited = 0
        cdef int status
        while w.n_pending - w.n_handed > (0 if wait else 1):
            status = self.admit(w)
            if status == DONE:
                self.copied(w)
            elif status == NO_PLACE and not wait:
                return DONE
            elif status == NO_PLACE:
                status = pause(self, w, waited)
                waited += 1
            if status != DONE:
                return status
        self.turn_over(w)
        return DONE

    cdef void turn_over(self, worker_t* w) noexcept nogil:
        """Go on in the list of the thread that is copied, if the last chunk is all that is left."""
        cdef int last = w.n_pending - 1
        if w.n_handed <= last:
            w.pending[0] = w.pending[last]
            w.rows = &w.more.rows if w.pending[0].rows == &w.s.rows else &w.s.rows
        w.n_pending -= w.n_handed
        w.n_handed = 0
        w.rows.n = 0

    cdef int admit(self, worker_t* w) noexcept nogil:
        """Begin to copy the first pending chunk, if its place is known and nobody moves `out`."""
        cdef pending_t* first = &w.pending[w.n_handed]
        cdef Py_ssize_t place = self.places[first.chunk]
        cdef int status = NO_PLACE
        lock(&self.lock)
        if first.chunk < self.placed:
            if self.places[first.chunk + 1] <= self.out.rows.cap:
                status = DONE
            elif self.copying == 0:
                status = NO_MEMORY if self.grow(0) < 0 else DONE
        if status == DONE:
            self.copying += 1
            place = self.places[first.chunk]
            w.copy.n = self.places[first.chunk + 1] - place
            w.copy.to = self.out.rows.at + place
        unlock(&self.lock)
        w.copy.source = first.rows.at + first.at
        w.copy.step = w.copy.n // CHUNK + 1
        return status

    cdef void copied(self, worker_t* w) noexcept nogil:
        """Copy what is left of the first pending chunk."""
        cdef pending_t* first = &w.pending[w.n_handed]
        cdef Py_ssize_t i, low = first.chunk * CHUNK
        cdef Py_ssize_t shift = self.places[first.chunk] - first.at
        memcpy(w.copy.to, w.copy.source, <size_t>w.copy.n * sizeof(board_t))
        w.copy.n = 0
        for i in range(low, min(self.job.n, low + CHUNK)):
            self.ends[i + 1] += shift
        w.n_handed += 1
        lock(&self.lock)
        self.copying -= 1
        unlock(&self.lock)

    cdef int grow(self, Py_ssize_t more) noexcept nogil:
        """Room for what is placed and `more`, better for the other chunks as well."""
        cdef Py_ssize_t boards = self.places[self.placed], need = boards + more, likely = need
        if self.placed:
            likely += <Py_ssize_t>(1.0625 * boards * (self.chunks - self.placed) / self.placed)
        return widen(&self.out.rows, need, likely)


cdef class CountTask(Task):
    """How many plays the rows of a job have."""

    cdef Job job
    cdef int32_t[::1] counts

    def __init__(self, Job job, counts):
        self.job, self.counts = job, counts
        self.chunks = (job.n + CHUNK - 1) // CHUNK

    cdef int do(self, Py_ssize_t chunk, worker_t* w) noexcept nogil:
        cdef int status = self.job.check_chunk(chunk)
        if status != DONE:
            return status
        return self.job.count_chunk(chunk, &w.s, self.counts)


def plays(rules, boards, dice, *, steps=None, head_used=None, exception=True, threads=1,
          _general=False, _trusted=False):
    """Every distinct board that each roll may leave: (offsets int64[n + 1], after int8[m, 32])."""
    cdef Job job = Job(rules, boards, dice, steps, head_used, exception, _general, _trusted)
    offsets = np.empty(job.n + 1, np.int64)
    cdef PlaysTask task = PlaysTask(job, offsets)
    job.run(task, _threads(threads))
    task.out.rows.n = offsets[job.n]
    return offsets, task.out.array()


def count(rules, boards, dice, *, steps=None, head_used=None, exception=True, threads=1,
          _general=False, _trusted=False):
    """How many boards `plays` would give for each row: int32[n]."""
    cdef Job job = Job(rules, boards, dice, steps, head_used, exception, _general, _trusted)
    counts = np.empty(job.n, np.int32)
    job.run(CountTask(job, counts), _threads(threads))
    return counts


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
    cdef Job job = Job(rules, _legal_boards(_check_rules(rules), board, one=True), dice, steps,
                       head_used, exception, True, True)
    cdef const board_t* b = <const board_t*>&job.boards[0, 0]
    cdef Scratch scratch = Scratch()
    cdef scratch_t* s = &scratch.s
    cdef Rows rows = Rows()
    cdef roll_t roll = job.roll(0)
    cdef Py_ssize_t i, n = 0
    if last_turn or not stopped(&job.rules.c, b):
        n = search(&job.rules.c, b, &roll, s)
    if n < 0 or reserve(&rows.rows, n + 1) < 0:
        give_up()
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
        cdef list trails
        with cython.critical_section(self):  # without a GIL two threads may ask at once
            trails = self.trails
        if trails is None:
            trails = self.all_trails()
            with cython.critical_section(self):
                self.trails = trails
        if not 0 <= index < len(trails):
            raise InvalidArgument(f"index: expected 0 to {len(trails) - 1}, got {index}")
        return pairs_of(trails[index])

    cdef list all_trails(self):
        """The steps of all plays, as `trails_of` gives them."""
        cdef Scratch scratch = Scratch()
        cdef const board_t* b = <const board_t*><const char*>self.before
        cdef Py_ssize_t n = 0
        if not self.over:
            n = search(self.r(), b, &self.roll, &scratch.s)
        if n < 0:
            give_up()
        trails = trails_of(&scratch.s, n)
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
    turn.roll.steps = own_steps(&rules.c)
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
        give_up()
    return n


def after(position, d1, d2):
    """Boards that a roll may leave, int8[k, 32], as `nardy.Position.after`.

    `position` has `rules` and `_bytes`, the 32 bytes of a legal board: nothing else is checked.
    """
    cdef Rules rules = position.rules
    cdef bytes board = position._bytes
    cdef Scratch scratch = Scratch()
    cdef Py_buffer out
    cdef Py_ssize_t n
    cdef roll_t roll
    single_roll(&roll, d1, d2)
    roll.steps = own_steps(&rules.c)
    roll.head_used = 0
    roll.exception = True
    roll.general = GENERAL
    n = single_plays(&rules.c, <const board_t*><const char*>board, &roll, False, &scratch.s)
    array = EMPTY((n, 32), INT8)
    PyObject_GetBuffer(array, &out, PyBUF_SIMPLE)
    memcpy(out.buf, scratch.s.rows.at, <size_t>n * sizeof(board_t))
    PyBuffer_Release(&out)
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
    cdef Scratch scratch = Scratch()
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


cdef class GamesTask(Task):
    """Games that are played to the end, `n_games` from each board."""

    cdef Rules rules
    cdef const int8_t[:, ::1] boards
    cdef bint opening           # from the start, with the opening of the rules
    cdef bint general
    cdef Py_ssize_t n_games
    cdef Py_ssize_t n
    cdef uint64_t seed
    cdef uint64_t first_board
    cdef uint64_t first_game
    cdef policy_t policies
    cdef tuple tables           # holds what the policies point to
    cdef int8_t[::1] winners
    cdef int8_t[::1] kinds
    cdef int32_t[::1] turns
    cdef Ends ends              # tables that know how a game ends, or None
    cdef bint draws             # ... and draw it
    cdef int8_t[:, ::1] left    # else, the boards that are left to them
    cdef int8_t[::1] movers

    def policy(self, policy, tables):
        """Set the policies of both players and their weights."""
        cdef Weights table_0 = tables[0], table_1 = tables[1]
        self.policies.kind[0], self.policies.kind[1] = _policy(policy)
        self.policies.weights[0], self.policies.weights[1] = &table_0.w, &table_1.w
        self.tables = tables

    def play(self, threads):
        """Play all games; the results have shape (boards, games)."""
        shape = (self.boards.shape[0], self.n_games)
        self.n = self.boards.shape[0] * self.n_games
        self.chunks = (self.n + GAMES - 1) // GAMES
        winner, kind = np.empty(shape, np.int8), np.empty(shape, np.int8)
        turns = np.empty(shape, np.int32)
        self.winners, self.kinds = winner.reshape(-1), kind.reshape(-1)
        self.turns = turns.reshape(-1)
        self.run(threads)
        return Playouts(winner, kind, turns)

    def play_part(self, threads):
        """Play all games as far as the tables do not know the rest."""
        shape = (self.boards.shape[0], self.n_games)
        left, mover = np.zeros((*shape, 32), np.int8), np.full(shape, -1, np.int8)
        self.left, self.movers = left.reshape(-1, 32), mover.reshape(-1)
        self.draws = False
        return Left(self.play(threads), left, mover)

    cdef void settle_cut(self, Py_ssize_t i, uint64_t key, result_t* result) noexcept nogil:
        """Draw how game i ends, or write down where it was left."""
        if self.draws:
            draw_end(&self.rules.c, &self.ends.e, choice_key(key), result)
        else:
            memcpy(&self.left[i, 0], &result.board, sizeof(board_t))
            self.movers[i] = <int8_t>result.mover

    cdef int do(self, Py_ssize_t chunk, worker_t* w) noexcept nogil:
        cdef Py_ssize_t i, board
        cdef uint64_t key
        cdef result_t result
        cdef const ends_t* ends = NULL if self.ends is None else &self.ends.e
        for i in range(chunk * GAMES, min(self.n, (chunk + 1) * GAMES)):
            board = i // self.n_games
            key = game_key(self.seed, self.first_board + <uint64_t>board,
                           self.first_game + <uint64_t>(i % self.n_games))
            play_game(&self.rules.c, <const board_t*>&self.boards[board, 0], self.opening, key,
                      &self.policies, ends, self.general, &w.s, NULL, &result)
            if result.failed:
                return NO_MEMORY
            if result.cut:
                self.settle_cut(i, key, &result)
            self.winners[i], self.kinds[i] = result.winner, result.kind
            self.turns[i] = result.turns
        return DONE


cdef GamesTask games_task(rules, boards, games, seed, policy, first_board, first_game, weights,
                          ends, bint general):
    """The games of a call, checked."""
    cdef GamesTask task = GamesTask()
    task.rules = _check_rules(rules)
    task.opening, task.general = boards is None, general or GENERAL_ONLY
    task.boards = start(task.rules) if task.opening else _legal_boards(task.rules, boards)
    task.n_games = _natural("games", games, 2**40)
    task.seed = _natural("seed", seed, 2**64 - 1)
    task.first_board = _natural("first_board", first_board, 2**63)
    task.first_game = _natural("first_game", first_game, 2**63)
    task.policy(policy, _weights(task.rules, weights))
    task.ends, task.draws = ends, True
    if ends is not None and task.ends.e.shape.checkers != task.rules.c.checkers:
        raise InvalidArgument(f"ends: expected a table of {task.rules.c.checkers} checkers, "
                              f"got {ends.checkers}")
    return task


def raw_playout(rules, boards=None, games=1, seed=0, policy="random", threads=1, *,
                first_board=0, first_game=0, weights=None, ends=None, _general=False):
    """`playout` with 4 as the kind of a home mars; board and game numbers may start higher.

    `ends` are tables of these rules: a game that they know ends by a draw from them.
    """
    task = games_task(rules, boards, games, seed, policy, first_board, first_game, weights, ends,
                      _general)
    return task.play(_threads(threads))


def part_playout(rules, boards, games, seed, policy, threads, ends, *, first_board=0,
                 first_game=0):
    """Games that are left where the tables `ends` know the rest; see `Left`."""
    task = games_task(rules, boards, games, seed, policy, first_board, first_game, None, ends,
                      False)
    return task.play_part(_threads(threads))


def playout(rules, boards=None, games=1, seed=0, policy="random", threads=1, *, ends=None,
            _general=False):
    """Play games to the end; see `Playouts`."""
    result = raw_playout(rules, boards, games, seed, policy, threads, ends=ends,
                         _general=_general)
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
    play_game(&which.c, <const board_t*>&source[0, 0], opening, key, &policies, NULL,
              _general or GENERAL_ONLY, &scratch.s, &events, &result)
    try:
        if result.failed or reserve(&before.rows, events.n) < 0 or reserve(
                &after.rows, events.n) < 0:
            give_up()
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
