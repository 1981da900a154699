"""Exact tables of bearing off without contact, and the door to them.

The policy is that of fewest mean turns; of two positions with the same mean the one that stands
earlier is taken. A position's successors stand earlier in the order (order.pxd), so one pass
builds everything.

Two paths give the same bytes. The general one asks the game's own generator for the plays of each
roll, on a board where the opponent has all checkers off. The direct one holds where the plays are
just the chains of legal steps (`is_direct` has the proof): the best end of a chain is then the best
over its first step of the best end of the rest, which is known already.
"""

import numpy as np

from cpython.exc cimport PyErr_CheckSignals, PyErr_Occurred
from libc.math cimport INFINITY, fabs
from libc.stdint cimport int8_t, int64_t, uint8_t, uint16_t, uint32_t
from libc.stdlib cimport free, qsort
from libc.string cimport memcmp, memset

from nardy_core.board cimport (
    BAR,
    HEAD,
    HOME_MASK,
    OFF,
    POINTS_MASK,
    THEIR_OFF,
    above,
    board_t,
    facing_mask,
    flip_bytes,
    own_mask,
    pips,
    same,
)
from nardy_core.kernel cimport drop, grow, outcome, reserve, roll_t, rows_t, scratch_t
from nardy_core.movegen cimport plays as list_plays
from nardy_core.order cimport (
    MOST_CHECKERS,
    MOST_POINTS,
    below_each,
    fill_shape,
    next_position,
    place_of,
    position_at,
    shape_t,
)
from nardy_core.rules cimport HOME, NEVER, Rules, rules_t
from nardy_core.steps cimport (
    LEGAL,
    OCCUPIED,
    block_fault,
    head_allowance,
    state_t,
    step,
    step_fault,
)

from nardy_core.batch import _legal_boards, _natural
from nardy_core.errors import InvalidArgument

cdef enum:
    MOST_TURNS = 4096   # of a distribution; only a tail of passes is ever so long
    FULL_TURNS = 128    # where no die is lost: 15 checkers on 24 points, 3 pips a turn, are 120
    MOST_SLOTS = 128
    CHUNK = 512         # positions between two looks for Ctrl-C
    CHUNKS = 1 << 16    # ... of which few are reached
    SELF = 255          # entry_t.source: the position after the step itself
    NONE = 0xFFFFFFFF   # no position: the chain cannot be played
    ROLLS = 21

cdef int ROLL_WEIGHT[ROLLS]     # in 36: the rolls 1-1, 2-1, 2-2, 3-1, ...
for _k in range(ROLLS):
    ROLL_WEIGHT[_k] = 1 if _k in (0, 2, 5, 9, 14, 20) else 2

cdef double CERTAIN = 1.0
cdef double TAIL = 1e-17        # a tail of less is not kept
cdef double PASSES = 1e-14      # nor one of passes only

LARGEST = 1 << 25
"""Positions of the largest table: some 300 bytes of memory each while it is built."""


# ---------------------------------------------------------------------------------- the order

cdef class Shape:
    """A set of positions and their order, see order.pxd.

    Parameters
    ----------
    points, checkers : int
        Positions of up to `checkers` on points 1 to `points`.
    most : array of int, shape (points,), optional
        Only those with at most this many on point 1 and above, point 2 and above, and so on: what
        can arise from one position, or from several.
    """

    cdef shape_t f

    def __init__(self, points, checkers, most=None):
        cdef int r
        cdef shape_t* f = &self.f
        f.points = _natural("points", points, MOST_POINTS, 1)
        f.checkers = _natural("checkers", checkers, MOST_CHECKERS, 1)
        for r in range(1, f.points + 1):
            f.low[r] = 0 if most is None else f.checkers - int(most[r - 1])
        fill_shape(f)

    @property
    def points(self):
        """Points of the table."""
        return self.f.points

    @property
    def checkers(self):
        """Checkers of the table."""
        return self.f.checkers

    @property
    def size(self):
        """How many positions there are."""
        return self.f.size

    cdef int64_t index_of(self, const int8_t* at) noexcept nogil:
        """The index of a position; -1 for one that is not here."""
        cdef int s[27]
        cdef int r
        below_each(&self.f, at, s)
        for r in range(1, self.f.points + 1):
            if at[r] < 0 or s[r] < self.f.low[r]:
                return -1
        return place_of(&self.f, s)

    def index(self, counts):
        """Indices, int64[n], of rows of checkers on points 1 to `points`; -1 where not here."""
        cdef const int8_t[:, ::1] rows = counts
        cdef Py_ssize_t i, n = rows.shape[0]
        out = np.empty(n, np.int64)
        cdef int64_t[::1] view = out
        if rows.shape[1] != self.f.points:
            raise InvalidArgument(f"expected rows of {self.f.points} points, got {rows.shape[1]}")
        with nogil:
            for i in range(n):
                view[i] = self.index_of(&rows[i, 0] - 1)
        return out

    def positions(self):
        """Checkers on points 1 to `points` of every position, in order: int8[size, points]."""
        cdef int s[27]
        cdef int r
        cdef Py_ssize_t i
        out = np.empty((self.f.size, self.f.points), np.int8)
        cdef int8_t[:, ::1] view = out
        with nogil:
            empty(&self.f, s)
            for i in range(self.f.size):
                for r in range(1, self.f.points + 1):
                    view[i, r - 1] = <int8_t>(s[r + 1] - s[r])
                next_position(&self.f, s)
        return out


cdef inline void empty(const shape_t* f, int* s) noexcept nogil:
    """The first position: all checkers off."""
    cdef int r
    for r in range(f.points + 2):
        s[r] = f.checkers


# ------------------------------------------------------------------- what the rolls may lead to

cdef struct entry_t:        # a chain of steps: one step more, before what `source` is the best of
    uint8_t source
    uint8_t target
    uint8_t other           # the other die of a roll of two, 0 if none is left


cdef struct program_t:
    int width               # chains whose best ends are kept for every position
    int targets             # chains in all, those of the rolls among them
    bint some               # a part of the roll may be played
    int n[7]
    entry_t entries[7][32]  # by the die of the first step
    uint8_t roll[ROLLS]     # the chain of each roll


cdef void add_entry(program_t* g, int die, int source, int target, int other) noexcept:
    cdef entry_t* e = &g.entries[die][g.n[die]]
    e.source, e.target, e.other = <uint8_t>source, <uint8_t>target, <uint8_t>other
    g.n[die] += 1
    if g.some and source != SELF:   # the player may stop after the step
        add_entry(g, die, SELF, target, other)


cdef int add_double(program_t* g, int d, int last, int steps) noexcept:
    """Chains of up to `steps` steps of die d before those of `last`; the longest of them."""
    cdef int _
    for _ in range(steps):
        if last == SELF:
            last = d - 1    # a single step, which is there
        else:
            add_entry(g, d, last, g.targets, 0)
            last = g.targets
            g.targets += 1
    return last


cdef void write_program(const rules_t* r, program_t* g) noexcept:
    """The chains of every roll: singles, doubles (or cascades, 9.1), two different dice."""
    cdef int double[7]
    cdef int d, other, k = 0, last = SELF
    memset(g, 0, sizeof(program_t))
    g.some = r.some
    for d in range(1, 7):
        add_entry(g, d, SELF, d - 1, 0)
    g.targets = 6
    for d in range(6, 0, -1):   # a stage goes on to the higher ones
        last = add_double(g, d, last if r.cascade else SELF, r.cascade if r.cascade else 3)
        double[d] = last
    g.width = g.targets         # nothing goes on to the chains below
    for d in range(1, 7):
        for other in range(1, d):
            add_entry(g, d, other - 1, g.targets, other)
            add_entry(g, other, d - 1, g.targets, d)
            g.roll[k] = <uint8_t>g.targets
            g.targets += 1
            k += 1
        g.roll[k] = <uint8_t>(double[d] if r.cascade else add_double(g, d, double[d], 1))
        k += 1


cdef bint is_direct(const rules_t* r, int points) noexcept nogil:
    """Whether every chain of legal steps is a play, and the others are their parts.

    With no enemy, no forbidden block and no head in reach, what a step may do depends on its
    position alone, and on the other die where 6.3 forbids it. Under ``use_dice="some"`` the plays
    are just the chains of one step or more. Otherwise the longest count, and with no limit to a
    point all are of full length: a checker above point d may step by d, and where there is none all
    are home and the highest bears off. The stages of a cascade are then all completed, and nothing
    is handed on.
    """
    return not (r.block == NEVER or (r.head_limit and points >= HEAD)
                or (r.max_per_point and not r.some))


# -------------------------------------------------------------------------------- one position

cdef struct spread_t:       # chances by turn, of many positions one after the other
    int64_t* start          # of position x: chance[start[x]..start[x + 1]]; none: certain at turn 0
    double* chance
    uint8_t* first          # the turn of the first of them; NULL: always 1


cdef struct work_t:
    const rules_t* r
    const shape_t* f
    bint general
    program_t program
    uint32_t* rows          # of the direct path: `program.width` best ends for each position
    int64_t at              # the position that is next
    int s[27]               # ... as S
    uint32_t best[ROLLS]    # what each roll leads to
    int weight[ROLLS]       # in 36; 0 where the roll is passed
    int passes              # in 36
    double* means
    uint16_t* turns
    double acc[MOST_TURNS + 1]
    scratch_t scratch       # of the general path, as all that follows
    rows_t level[2]
    uint32_t* found
    Py_ssize_t n_found
    Py_ssize_t cap_found


cdef inline bint better(double m, uint32_t j, double best, uint32_t k) noexcept nogil:
    """Whether position j of mean m is to be preferred to k."""
    return m < best or (m == best and j < k)


cdef inline bint is_open(const work_t* w, int p) noexcept nogil:
    """Whether one more checker may come down on point p."""
    return not w.r.max_per_point or w.s[p + 1] - w.s[p] < w.r.max_per_point


cdef inline void set_roll(work_t* w, int k, uint32_t best) noexcept nogil:
    """Say what the k-th roll leads to; NONE is a pass."""
    w.best[k] = best
    w.weight[k] = 0 if best == NONE else ROLL_WEIGHT[k]
    w.passes += ROLL_WEIGHT[k] - w.weight[k]


cdef inline void try_step(const work_t* w, int d, int64_t after, bint dutiful, const bint* can_off,
                          double* mean, uint32_t* best) noexcept nogil:
    """Lengthen by a step of die d, which leaves `after`, every chain that may begin with it.

    A `dutiful` step must not be played while a die of the chain bears off (6.3).
    """
    cdef const uint32_t* row = w.rows + after * w.program.width
    cdef const entry_t* e = w.program.entries[d]
    cdef uint32_t j, old
    cdef double m, best_mean
    cdef bint first
    cdef int k
    for k in range(w.program.n[d]):
        if dutiful and (can_off[d] or can_off[e[k].other]):
            continue
        j = <uint32_t>after if e[k].source == SELF else row[e[k].source]
        if w.program.some and j == NONE:
            continue
        m, best_mean, old = w.means[j], mean[e[k].target], best[e[k].target]
        first = (m < best_mean) | ((m == best_mean) & (j < old))   # no branch: it is a toss-up
        mean[e[k].target] = m if first else best_mean
        best[e[k].target] = j if first else old


cdef void look_direct(work_t* w) noexcept nogil:
    """What each roll leads to, from what the steps lead to."""
    cdef const shape_t* f = w.f
    cdef double mean[MOST_SLOTS]
    cdef uint32_t best[MOST_SLOTS]
    cdef int64_t fall[26]       # a step from p to q lowers the index by fall[p] - fall[q]
    cdef bint can_off[7]
    cdef int p, d, k, top = 0
    cdef bint home = f.points <= 6 or w.s[7] == f.checkers
    for k in range(w.program.targets):
        mean[k], best[k] = INFINITY, NONE
    fall[0] = 0
    for p in range(1, f.points + 1):
        if w.s[p] == f.checkers:
            break
        top = p if w.s[p + 1] > w.s[p] else top
        fall[p] = fall[p - 1] + f.place[p][w.s[p] + 1] - f.place[p][w.s[p]]
    can_off[0] = False
    for d in range(1, 7):
        can_off[d] = home and (top < d or w.s[d + 1] > w.s[d])
    for p in range(1, top + 1):
        if w.s[p + 1] == w.s[p]:
            continue
        for d in range(1, 7):
            if p > d:
                if is_open(w, p - d):
                    try_step(w, d, w.at - fall[p] + fall[p - d], w.r.must_bear_off, can_off, mean,
                             best)
            elif home and (p == d or p == top):
                try_step(w, d, w.at - fall[p], False, can_off, mean, best)
    for k in range(w.program.width):
        w.rows[w.at * w.program.width + k] = best[k]
    w.passes = 0
    for k in range(ROLLS):
        set_roll(w, k, best[w.program.roll[k]])


# The general path: the generator's own plays.

cdef void set_board(const work_t* w, board_t* b) noexcept nogil:
    """The position as a board; the opponent has all checkers off."""
    cdef int p
    memset(b, 0, sizeof(board_t))
    for p in range(1, w.f.points + 1):
        b.at[p] = <int8_t>(w.s[p + 1] - w.s[p])
    b.at[OFF] = <int8_t>(w.r.checkers - w.f.checkers + w.s[1])
    b.at[THEIR_OFF] = -w.r.checkers


cdef inline bint is_crowded(const rules_t* r, const board_t* b) noexcept nogil:
    """Whether a point holds more than it may: no board that the fast paths know."""
    return r.max_per_point and above(b, r.max_per_point) & POINTS_MASK


cdef int find(work_t* w, const board_t* b, Py_ssize_t n) noexcept nogil:
    """List n boards among the results of the roll; -1 without memory."""
    cdef int s[27]
    cdef Py_ssize_t i
    if grow(<void**>&w.found, &w.cap_found, w.n_found + n, sizeof(uint32_t)) < 0:
        return -1
    for i in range(n):
        below_each(w.f, b[i].at, s)
        w.found[w.n_found] = <uint32_t>place_of(w.f, s)
        w.n_found += 1
    return 0


cdef int keep_rows(rows_t* to, const board_t* b, Py_ssize_t n) noexcept nogil:
    """Append n boards to a list; -1 without memory."""
    cdef Py_ssize_t i
    if reserve(to, n) < 0:
        return -1
    for i in range(n):
        to.at[to.n] = b[i]
        to.n += 1
    return 0


cdef int by_bytes(const void* a, const void* b) noexcept nogil:
    return memcmp(a, b, sizeof(board_t))


cdef void merge(rows_t* rows) noexcept nogil:
    """Keep each board of a list once."""
    cdef Py_ssize_t i, n = 0
    if rows.n < 2:      # qsort takes no NULL
        return
    qsort(rows.at, rows.n, sizeof(board_t), by_bytes)
    for i in range(rows.n):
        if n == 0 or not same(&rows.at[i], &rows.at[n - 1]):
            rows.at[n] = rows.at[i]
            n += 1
    rows.n = n


cdef int play_stage(work_t* w, const board_t* b, const board_t* before, int d, bint full,
                    rows_t* then) noexcept nogil:
    """Play stage d of a cascade on one board: boards `then`, or results if it goes no further.

    Nothing of it is played: 0; something: 1; -1 if it gave up.
    """
    cdef roll_t roll
    cdef Py_ssize_t n
    if b.at[OFF] == w.r.checkers:
        return find(w, b, 1)
    roll.d1 = roll.d2 = d
    roll.steps = w.r.cascade
    roll.head_used = before.at[HEAD] - b.at[HEAD]
    roll.exception = full
    roll.general = is_crowded(w.r, b)
    w.scratch.rows.n = 0
    n = list_plays(w.r, b, &roll, &w.scratch, &w.scratch.rows)
    if n < 0:
        return -1
    if w.scratch.used < roll.steps:     # 9.3: the rest is no turn of this player
        n = find(w, w.scratch.rows.at, n)
    else:
        n = keep_rows(then, w.scratch.rows.at, n)
    return -1 if n < 0 else w.scratch.used > 0


cdef int play_cascade(work_t* w, const board_t* b, int d) noexcept nogil:
    """All results of the cascade d, d + 1, ..., 6; 0 for a pass, -1 if it gave up."""
    cdef rows_t* now = &w.level[0]
    cdef rows_t* then = &w.level[1]
    cdef Py_ssize_t i
    cdef int stage, played, moved = 0
    now.n = 0
    if keep_rows(now, b, 1) < 0:
        return -1
    for stage in range(d, 7):
        then.n = 0
        for i in range(now.n):
            played = play_stage(w, &now.at[i], b, stage, stage == d, then)
            if played < 0:
                return -1
            moved |= played
        merge(then)
        now, then = then, now
    return -1 if find(w, now.at, now.n) < 0 else moved


cdef int play_all(work_t* w, const board_t* b, int d1, int d2) noexcept nogil:
    """List in `w.found` all results of a roll; 0 for a pass, -1 if it gave up."""
    cdef roll_t roll
    cdef Py_ssize_t n
    w.n_found = 0
    if d1 == d2 and w.r.cascade:
        return play_cascade(w, b, d1)
    roll.d1, roll.d2, roll.steps = d1, d2, 4
    roll.head_used = 0
    roll.exception = True
    roll.general = is_crowded(w.r, b)
    w.scratch.rows.n = 0
    n = list_plays(w.r, b, &roll, &w.scratch, &w.scratch.rows)
    if n < 0 or find(w, w.scratch.rows.at, n) < 0:
        return -1
    return w.scratch.used > 0


cdef int look_general(work_t* w) noexcept nogil:
    """What each roll leads to, from the plays of the game; -1 if it gave up."""
    cdef board_t b
    cdef Py_ssize_t i
    cdef int d1, d2, played, k = 0
    cdef uint32_t j, best
    set_board(w, &b)
    w.passes = 0
    for d1 in range(1, 7):
        for d2 in range(1, d1 + 1):
            played = play_all(w, &b, d1, d2)
            if played < 0:
                return -1
            best = w.found[0]
            for i in range(1, w.n_found):
                j = w.found[i]
                if better(w.means[j], j, w.means[best], best):
                    best = j
            set_roll(w, k, best if played else NONE)
            k += 1
    return 0


# ------------------------------------------------------------------------------- distributions

cdef inline int pour(work_t* w, const spread_t* c, uint32_t j, int weight, int high) noexcept nogil:
    """Add `weight` times the chances of position j, a turn later; the last turn of all so far."""
    cdef int64_t i, n = c.start[j + 1] - c.start[j]
    cdef const double* chance = c.chance + c.start[j]
    cdef int first = 1 + (c.first[j] if c.first != NULL else 1)
    if n == 0:
        first, n = 1, 1
        chance = &CERTAIN
    while high < first + n - 1:
        high += 1
        w.acc[high] = 0
    for i in range(n):
        w.acc[first + i] += weight * chance[i]
    return high


cdef int divide(work_t* w, int high) noexcept nogil:
    """Divide the sums by 36 and let passes repeat them; the last turn.

    The chance of turn k is what the rolls that are played give it, and that of k - 1 for those that
    are passed; when no roll gives more, the rest is geometric.
    """
    cdef double stay = w.passes / 36.0
    cdef int k
    for k in range(1, high + 1):
        w.acc[k] = w.acc[k] / 36.0 + stay * w.acc[k - 1]
    while stay and w.acc[high] * stay > PASSES * (1 - stay) and high < MOST_TURNS:
        high += 1
        w.acc[high] = stay * w.acc[high - 1]
    return high


cdef int spread(work_t* w, const spread_t* c) noexcept nogil:
    """Write the chances of the position w.at; returns the last turn."""
    cdef int64_t to = c.start[w.at]
    cdef int k, high = 0, low = 1, last
    cdef double tail = 0
    w.acc[0] = 0
    for k in range(ROLLS):
        if w.weight[k]:
            high = pour(w, c, w.best[k], w.weight[k], high)
    high = last = divide(w, high)
    while high > 1 and tail + w.acc[high] < TAIL:
        tail += w.acc[high]
        high -= 1
    if high == 0:           # no roll is ever played: chance 0 at turn 1
        high = last = 1
        w.acc[1] = 0
    if c.first != NULL:
        while low < high and w.acc[low] == 0:
            low += 1
        c.first[w.at] = <uint8_t>low
    for k in range(low, high + 1):
        c.chance[to] = w.acc[k]
        to += 1
    c.start[w.at + 1] = to
    return last


cdef void weigh(work_t* w, int last) noexcept nogil:
    """The mean of the position, and the greatest number of turns."""
    cdef double total = 36
    cdef int k, turns = 0
    for k in range(ROLLS):
        if w.weight[k]:
            total += w.weight[k] * w.means[w.best[k]]
            turns = max(turns, 1 + w.turns[w.best[k]])
    w.means[w.at] = total / (36 - w.passes) if w.passes < 36 else INFINITY
    w.turns[w.at] = <uint16_t>min(max(turns, last), MOST_TURNS)


# ------------------------------------------------------------------------------------- building

cdef inline bint has_passed(const work_t* w, int milestone) noexcept nogil:
    """Whether a milestone lies behind: 0, a checker is off; m, none stands on point m or above."""
    if milestone == 0:
        return w.s[1] > 0
    return w.s[milestone] == w.f.checkers


cdef inline int look(work_t* w) noexcept nogil:
    """What each roll leads to from the position w.at; -1 if it gave up."""
    if w.general:
        return look_general(w)
    look_direct(w)
    return 0


cdef int64_t weigh_some(work_t* w, int64_t end) noexcept nogil:
    """Do the means of the positions up to `end`; -1 if it gave up."""
    while w.at < end:
        next_position(w.f, w.s)
        if look(w) < 0:
            return -1
        weigh(w, 0)
        w.at += 1
    return w.at


cdef int64_t build_some(work_t* w, int64_t end, const spread_t* finish, const spread_t* passing,
                        const int* milestones, int n_milestones) noexcept nogil:
    """Do means and distributions of the positions up to `end`; -1 if it gave up."""
    cdef int k
    while w.at < end:
        next_position(w.f, w.s)
        if look(w) < 0:
            return -1
        weigh(w, spread(w, finish))
        for k in range(n_milestones):
            if has_passed(w, milestones[k]):
                passing[k].start[w.at + 1] = passing[k].start[w.at]
            else:
                spread(w, &passing[k])
        w.at += 1
    return w.at


cdef class Chances:
    """The chances of a distribution, in an array that grows."""

    cdef public object start
    cdef public object chance
    cdef public object first

    def __init__(self, size, first):
        self.start = np.zeros(size + 1, np.int64)
        self.chance = np.empty(0)
        self.first = np.zeros(size, np.uint8) if first else None

    cdef int reach(self, int64_t at, int64_t values, spread_t* c) except -1:
        """Make room for `values` more from position `at` on, and point to the arrays."""
        cdef int64_t[::1] start = self.start
        cdef double[::1] chance
        cdef uint8_t[::1] first
        cdef int64_t used = start[at]
        cdef int64_t need = used + values
        if len(self.chance) < need:
            self.chance.resize(need + used // 16, refcheck=False)
        chance = self.chance
        c.start, c.chance, c.first = &start[0], &chance[0], NULL
        if self.first is not None:
            first = self.first
            c.first = &first[0]
        return 0

    def end(self):
        """Give back what was not needed."""
        self.chance.resize(int(self.start.max()), refcheck=False)


cdef class Worker:
    """The state of a build."""

    cdef work_t* w
    cdef work_t memory
    cdef Rules rules
    cdef Shape shape
    cdef public object means
    cdef public object turns
    cdef object rows

    def __init__(self, Rules rules, Shape shape, general):
        self.rules, self.shape = rules, shape
        self.w = &self.memory
        self.w.r, self.w.f = &rules.c, &shape.f
        self.w.general = general or not is_direct(&rules.c, shape.f.points)
        write_program(&rules.c, &self.w.program)
        empty(&shape.f, self.w.s)

    cdef int allot(self) except -1:
        """Take the memory for the means of every position."""
        cdef int64_t size = self.shape.f.size
        self.means, self.turns = np.zeros(size), np.zeros(size, np.uint16)
        self.rows = np.zeros(1 if self.w.general else size * self.w.program.width, np.uint32)
        cdef double[::1] means = self.means
        cdef uint16_t[::1] turns = self.turns
        cdef uint32_t[::1] rows = self.rows
        self.w.means, self.w.turns, self.w.rows = &means[0], &turns[0], &rows[0]
        self.w.at = 1
        return 0

    def __dealloc__(self):
        drop(&self.memory.scratch)
        free(self.memory.level[0].at)
        free(self.memory.level[1].at)
        free(self.memory.found)


cdef int fail() except -1:
    """Raise what a kernel could not."""
    if PyErr_Occurred() != NULL:
        return -1
    raise MemoryError("no memory for the table")


def _check_size(Rules rules, Shape shape):
    if shape.f.checkers > rules.c.checkers:
        raise InvalidArgument(f"checkers: expected 1 to {rules.c.checkers}, as many as "
                              f"{rules.name} has, got {shape.f.checkers}")
    if shape.f.size > LARGEST:
        raise InvalidArgument(f"{shape.f.points} points and {shape.f.checkers} checkers have "
                              f"{shape.f.size} positions, more than {LARGEST}")


def one_sided(Rules rules, Shape shape, milestones=(), general=False):
    """Means and distributions of every position of a shape.

    Parameters
    ----------
    rules : Rules
    shape : Shape
    milestones : sequence of int
        Further events whose turn is wanted: 0, the first checker is off; m, none stands on point m
        or above any more.
    general : bool
        Take the general path in any case.

    Returns
    -------
    means : float64[size]
    turns : uint16[size]
        The greatest number of turns; where rolls can be passed, where the tail is cut.
    chances : list of Chances
        Of the last checker off, then of each milestone.
    """
    cdef Worker worker = Worker(rules, shape, general)
    cdef work_t* w = worker.w
    cdef int64_t room
    cdef spread_t spreads[4]
    cdef int stones[3]
    cdef int k, n = _natural("number of milestones", len(milestones), 3)
    cdef int64_t size = shape.f.size, end
    _check_size(rules, shape)
    for k in range(n):
        stones[k] = _natural("milestone", milestones[k], shape.f.points)
    worker.allot()
    chances = [Chances(size, k == 0) for k in range(1 + n)]
    room = FULL_TURNS if not (w.general or rules.c.some) else MOST_TURNS
    while w.at < size:
        end = min(size, w.at + CHUNK)
        for k in range(1 + n):
            (<Chances>chances[k]).reach(w.at, (end - w.at) * room, &spreads[k])
        with nogil:
            end = build_some(w, end, &spreads[0], &spreads[1], stones, n)
        if end < 0:
            fail()
        PyErr_CheckSignals()
    for each in chances:
        each.end()
    return worker.means, worker.turns, chances


cdef int flow(work_t* w, int64_t low, int64_t high, const double* now,
              double* then) noexcept nogil:
    """Play a turn from each position low..high; `now` and `then` hold the chance of each."""
    cdef int k
    w.at = high
    while w.at > low:
        w.at -= 1
        if now[w.at] == 0:
            continue
        position_at(w.f, w.at, w.s)
        if look(w) < 0:
            return -1
        for k in range(ROLLS):
            if w.weight[k]:
                then[w.best[k]] += w.weight[k] * now[w.at] / 36
        then[w.at] += w.passes * now[w.at] / 36
    return 0


cdef void remain(work_t* w, int64_t last, double* then, const int* milestones, int n,
                 double* left) noexcept nogil:
    """The chances that a milestone lies ahead still, then that checkers are still in play."""
    cdef int64_t at
    cdef int k
    for k in range(n + 1):
        left[k] = 0
    then[0] = 0
    for at in range(1, last + 1):
        if then[at] == 0:
            continue
        position_at(w.f, at, w.s)
        left[n] += then[at]
        for k in range(n):
            if not has_passed(w, milestones[k]):
                left[k] += then[at]


def one_position(Rules rules, Shape shape, counts, milestones=()):
    """The distributions of one position, without those of all the others.

    The means of all that can arise are built, then the chances of each followed turn by turn: less
    than half of the time and of the memory of `one_sided`.

    Parameters
    ----------
    rules : Rules
    shape : Shape
    counts : int8[1, points]
    milestones : sequence of int
        As in `one_sided`.

    Returns
    -------
    mean : float
    left : float64[turns, 1 + len(milestones)]
        The chance that after k turns some checker is in play, then that each milestone is ahead.
    """
    cdef Worker worker = Worker(rules, shape, False)
    cdef work_t* w = worker.w
    cdef int stones[3]
    cdef double left[4]
    cdef int k, n = _natural("number of milestones", len(milestones), 3), failed = 0
    cdef int64_t low, end, last = shape.index(counts)[0]
    _check_size(rules, shape)
    for k in range(n):
        stones[k] = _natural("milestone", milestones[k], shape.f.points)
    worker.allot()
    while w.at <= last:
        end = min(last + 1, w.at + CHUNK)
        with nogil:
            failed = weigh_some(w, end) < 0
        if failed:
            fail()
        PyErr_CheckSignals()
    now, then = np.zeros(last + 1), np.zeros(last + 1)
    cdef double[::1] now_view = now, then_view = then, swap
    now_view[last] = 1
    remain(w, last, &now_view[0], stones, n, left)
    out = [[left[n], *(left[k] for k in range(n))]]
    endless, moved = np.isinf(worker.means[last]), 1.0
    while left[n] > TAIL and moved > TAIL and len(out) < MOST_TURNS:
        for low in range(last + 1 - (last + 1) % CHUNKS, -1, -CHUNKS):
            end = min(low + CHUNKS, last + 1)
            with nogil:
                failed = flow(w, max(low, 1), end, &now_view[0], &then_view[0])
            if failed:
                fail()
            PyErr_CheckSignals()
        if endless:     # then some of it is left for ever
            moved = np.abs(np.subtract(then_view, now_view)).sum()
        swap = now_view
        now_view, then_view = then_view, swap
        then_view[:] = 0
        remain(w, last, &now_view[0], stones, n, left)
        out.append([left[n], *(left[k] for k in range(n))])
    return float(worker.means[last]), np.array(out)


def pips_per_roll(Rules rules):
    """Mean pips that a roll is good for: 49/6, or more where a double is a cascade."""
    cdef int d, total = 30 * 7      # the mean of two different dice
    for d in range(1, 7):
        total += rules.c.cascade * sum(range(d, 7)) if rules.c.cascade else 4 * d
    return total / 36.0


def dealings(Rules rules, points):
    """All that a one-sided table of so many points depends on, in words, but for its size.

    An enemy that is past cannot be hit nor blocked, so what remains of the rules is few; who asks
    for more has `is_direct` ask the generator, which reads all of them.
    """
    fields = ["use_dice", "max_per_point", "must_bear_off", "cascade"]
    if rules.c.block == NEVER:
        fields += ["block", "block_check", "travel"]
    if rules.c.head_limit and points >= HEAD:
        fields += ["head_limit", "head_exception", "start"]
    return " ".join(f"{field}={rules.values[field]}" for field in fields)


def milestones(Rules rules, points, checkers):
    """The milestones that decide what a win against such a position is worth (10).

    Returns
    -------
    list of int
        Of 0 (a checker is off), 7 (all are home) and 19 (none is in the winner's home), those that
        count and that a position of so many points and checkers may have before it.
    """
    stones = [0] if checkers == rules.c.checkers else []
    if rules.c.home_mars and points > 6 and stones:
        stones.append(7)
    if rules.c.points[2] and not rules.c.parallel and points >= 19 and stones:
        stones.append(19)
    return stones


def gather(start, chance, first, index, Py_ssize_t length):
    """Chances by turn, float64[n, length], of the positions of an index array int64[n]."""
    cdef const int64_t[::1] starts = start, wanted = index
    cdef const double[::1] chances = chance
    cdef const uint8_t[::1] firsts = first
    cdef Py_ssize_t i, n = wanted.shape[0]
    cdef int64_t j, k, turn
    out = np.zeros((n, length))
    cdef double[:, ::1] view = out
    with nogil:
        for i in range(n):
            j = wanted[i]
            if starts[j + 1] == starts[j]:
                view[i, 0] = 1
            turn = firsts[j] if firsts is not None else 1
            for k in range(starts[j], starts[j + 1]):
                if turn < length:
                    view[i, turn] = chances[k]
                turn += 1
    return out


# ------------------------------------------------------------------------------------- two sides

def _results(Worker worker):
    """What every roll may lead to from every position.

    Returns
    -------
    starts : int64[21 size + 1]
    index : uint32[starts[21 size]]
        Roll r leads from position x to index[starts[21 x + r]:starts[21 x + r + 1]].
    passes : uint8[size]
        Whether some roll is passed.
    """
    cdef work_t* w = worker.w
    cdef int64_t size = w.f.size
    cdef board_t b
    cdef int d1, d2, played = 0
    sizes, lists, passes = [0] * (1 + ROLLS), [], np.zeros(size, np.uint8)
    for w.at in range(1, size):
        next_position(w.f, w.s)
        set_board(w, &b)
        for d1 in range(1, 7):
            for d2 in range(1, d1 + 1):
                with nogil:
                    played = play_all(w, &b, d1, d2)
                if played < 0:
                    fail()
                found = np.unique(np.asarray(<uint32_t[:w.n_found]>w.found))
                lists.append(found)
                sizes.append(len(found))
                passes[w.at] |= not played
        PyErr_CheckSignals()
    return np.cumsum(sizes, dtype=np.int64), np.concatenate(lists), passes


cdef struct duel_t:
    Py_ssize_t size
    const int64_t* start    # of `_results`
    const uint32_t* index
    int planes
    const int8_t* next      # the plane in which the opponent then rolls
    const int8_t* doubles   # the plane after a double that is taken, or -1
    const double* ends      # [plane][y]: my points when my last checker is off and he has y
    double single           # the points of a pass
    double* play            # [plane][x][y]: without a double now
    double* value           # ... with it


cdef double roll_value(const duel_t* t, int plane, Py_ssize_t x, Py_ssize_t y,
                       Py_ssize_t roll) noexcept nogil:
    """The best that a roll leads to."""
    cdef const double* next = t.value + (t.next[plane] * t.size + y) * t.size
    cdef int64_t i
    cdef uint32_t j
    cdef double best = -INFINITY, value
    for i in range(t.start[21 * x + roll], t.start[21 * x + roll + 1]):
        j = t.index[i]
        value = -next[j] if j else t.ends[plane * t.size + y]
        if value > best:
            best = value
    return best


cdef double settle(const duel_t* t, Py_ssize_t x, Py_ssize_t y) noexcept nogil:
    """Work out all planes of a pair; the greatest change of a value."""
    cdef Py_ssize_t at
    cdef int plane, k
    cdef double total, change = 0
    for plane in range(t.planes - 1, -1, -1):
        at = (plane * t.size + x) * t.size + y
        total = 0
        for k in range(ROLLS):
            total += ROLL_WEIGHT[k] * roll_value(t, plane, x, y, k)
        t.play[at] = total / 36
        total = t.play[at]
        if t.doubles[plane] >= 0:
            total = max(total, min(t.single,
                                   2 * t.value[(t.doubles[plane] * t.size + x) * t.size + y]))
        change = max(change, fabs(total - t.value[at]))
        t.value[at] = total
    return change


cdef int64_t settle_row(const duel_t* t, Py_ssize_t m, const uint8_t* passes) noexcept nogil:
    """Work out all pairs of m and a position that stands no later.

    (m, j) asks for pairs of j and what stands before m, (j, m) for those of m and what stands
    before j: they are there. Only where a roll is passed do the two ask for one another; then both
    are repeated until nothing changes, and each round leaves less by the chance of two passes.
    """
    cdef Py_ssize_t j
    cdef int _
    cdef double change
    for j in range(1, m + 1):
        for _ in range(100000):
            change = settle(t, m, j)
            if j < m:
                change = max(change, settle(t, j, m))
            if change < 1e-15 or not (passes[m] or passes[j]):
                break
    return m


cdef double win_points(const rules_t* r, const board_t* loser) noexcept nogil:
    """Points of a win against this board."""
    cdef int kind = outcome(r, loser)
    if kind == 4:
        return r.home_mars
    while kind > 1 and not r.points[kind - 1]:
        kind -= 1
    return r.points[kind - 1]


def _wins(Worker worker):
    """Points of a win against each position: float64[size]."""
    cdef work_t* w = worker.w
    cdef board_t b
    out = np.empty(w.f.size)
    cdef double[::1] view = out
    empty(w.f, w.s)
    for w.at in range(w.f.size):
        if w.at:
            next_position(w.f, w.s)
        set_board(w, &b)
        view[w.at] = win_points(w.r, &b)
    return out


def _last_turns(wins, starts, index):
    """What a win is worth if the opponent has a last turn (10.5): nothing if he finishes too."""
    worth = np.where(np.arange(len(wins)) == 0, 0.0, wins)
    least = np.minimum.reduceat(worth[index], starts[ROLLS:ROLLS * len(wins)])
    rolls = np.asarray(<int[:ROLLS]>ROLL_WEIGHT)
    return np.concatenate([[0.0], least.reshape(len(wins) - 1, ROLLS) @ rolls / 36])


PLANES = ("cubeless", "centred", "owned", "opponent_owned")
"""The values of a pair, by who may double."""


def two_sided(Rules game, Shape shape):
    """Equities of every pair of positions under perfect play.

    Parameters
    ----------
    game : Rules
    shape : Shape

    Returns
    -------
    value : float64[planes, size, size]
        Points for the player on roll per unit of the cube: [plane][own][opponent], in the order of
        `PLANES`; without a cube the first only.
    play : float64[planes, size, size]
        The same, if he does not double now.
    """
    cdef Worker worker = Worker(game, shape, True)
    cdef duel_t t
    cdef Py_ssize_t m, n = shape.f.size
    _check_size(game, shape)
    half = 4 if game.values["cube"] else 1
    planes = 2 * half if game.c.draw else half
    starts, index, passes = _results(worker)
    wins = _wins(worker)
    ends = np.tile(wins, (planes, 1))
    next_, doubles = np.array([0, 1, 3, 2][:half] * 2), np.array([-1, 3, 3, -1][:half] * 2)
    doubles[half:] = np.where(doubles[half:] < 0, -1, doubles[half:] + half)
    if game.c.draw:     # the first half: the player on roll moved first in the game
        ends[:half] = _last_turns(wins, starts, index)
        next_ = np.concatenate([next_[:half] + half, next_[half:]])
    value, play = np.zeros((planes, n, n)), np.zeros((planes, n, n))
    value[:, 0, :] = play[:, 0, :] = ends
    value[:, 1:, 0] = play[:, 1:, 0] = -wins[1:]
    cdef const int64_t[::1] start_view = starts
    cdef const uint32_t[::1] index_view = index
    cdef const int8_t[::1] next_view = next_.astype(np.int8), double_view = doubles.astype(np.int8)
    cdef const uint8_t[::1] pass_view = passes
    cdef double[:, ::1] end_view = ends
    cdef double[:, :, ::1] value_view = value, play_view = play
    t.size, t.planes, t.single = n, planes, game.c.points[0]
    t.start, t.index = &start_view[0], &index_view[0]
    t.next, t.doubles = &next_view[0], &double_view[0]
    t.ends, t.value, t.play = &end_view[0, 0], &value_view[0, 0, 0], &play_view[0, 0, 0]
    for m in range(1, n):
        with nogil:
            settle_row(&t, m, &pass_view[0])
        PyErr_CheckSignals()
    return value[:half], play[:half]


# -------------------------------------------------------------------------------------- contact

cdef bint can_touch(const rules_t* r, const state_t* s, const int* dice, int n,
                    int rear) noexcept nogil:
    """Whether a step with one of these dice, in this order, comes down where an enemy stands.

    Equal dice are tried from the rear on only: that holds every road of every checker.
    """
    cdef state_t child
    cdef int p, fault, other = dice[1] if n == 2 else 0
    cdef bint equal = n > 1 and dice[0] == dice[1]
    for p in range(rear, OFF, -1):
        if s.board.at[p] <= 0:
            continue
        fault = step_fault(r, s, p, dice[0], 0 if equal else other, False)
        if fault == OCCUPIED or (fault == LEGAL and p > dice[0] and s.board.at[p - dice[0]] < 0):
            return True
        if fault != LEGAL or n == 1:
            continue
        child = s[0]
        step(r, &child, p, dice[0], False)
        if block_fault(r, &child.board) and not r.block_at_end:
            continue
        if can_touch(r, &child, dice + 1, n - 1, p if equal else BAR):
            return True
    return False


cdef bint roll_touches(const rules_t* r, const board_t* b, int d1, int d2, int n) noexcept nogil:
    """Whether a hit or a refusal may happen in the first n steps of a roll, in this order."""
    cdef int dice[MOST_CHECKERS + 1]
    cdef state_t s
    cdef int k
    memset(&s, 0, sizeof(state_t))
    s.board = b[0]
    s.head_left = head_allowance(r, b, d1, d2, 0, True)
    dice[0] = d1
    for k in range(1, n):
        dice[k] = d2
    return can_touch(r, &s, dice, n, BAR)


cdef bint touches_now(const rules_t* r, const board_t* b) noexcept nogil:
    """Whether the player on roll may hit or be refused a point."""
    cdef int d1, d2
    for d1 in range(1, 7):          # most often one die is enough
        if roll_touches(r, b, d1, d1, 1):
            return True
    for d1 in range(1, 7):
        for d2 in range(1, 7):
            if roll_touches(r, b, d1, d2, 2 if d1 != d2 else (r.cascade if r.cascade else 4)):
                return True
    return False


cdef int may_meet(const rules_t* r, const board_t* b, scratch_t* s) noexcept nogil:
    """Whether a hit or a refusal can come in the rest of the game; -1 if it gave up.

    Where the roads cross it mostly can at once. If not, the players may be about to part: one must
    leave the other's road, or end the game, whatever he throws. So all his plays are tried.
    """
    cdef int d1, d2, met
    if not could_meet(r, b):
        return 0
    if touches_now(r, b):
        return 1
    for d1 in range(6, 0, -1):
        for d2 in range(1, d1 + 1):
            met = meets_after(r, b, d1, d2, s)
            if met:
                return met
    return 0


cdef int meets_after(const rules_t* r, const board_t* b, int d1, int d2,
                     scratch_t* s) noexcept nogil:
    """`may_meet` after some play of a roll; a double of a cascade goes on with its next stage."""
    cdef Py_ssize_t i, n, base = s.rows.n
    cdef board_t after, other
    cdef bint goes_on
    cdef int met = 0
    n = roll_plays(r, b, d1, d2, s)
    goes_on = r.cascade and d1 == d2 and d1 < 6 and s.used == r.cascade
    for i in range(n):
        after = s.rows.at[base + i]
        if goes_on and after.at[OFF] < r.checkers:
            met = (roll_touches(r, &after, d1 + 1, d1 + 1, r.cascade)
                   or meets_after(r, &after, d1 + 1, d1 + 1, s))
        else:
            flip_bytes(other.at, after.at, r.parallel)
            met = may_meet(r, &other, s)
        if met:
            break
    s.rows.n = base
    return -1 if n < 0 else met


cdef Py_ssize_t roll_plays(const rules_t* r, const board_t* b, int d1, int d2,
                           scratch_t* s) noexcept nogil:
    """Append the plays of a roll, or of the first stage of a cascade, to the scratch rows."""
    cdef roll_t roll
    roll.d1, roll.d2 = d1, d2
    roll.steps = r.cascade if r.cascade else 4
    roll.head_used = 0
    roll.exception = True
    roll.general = False
    return list_plays(r, b, &roll, s, &s.rows)


cdef int always_ends(const rules_t* r, const board_t* b, int d1, int d2,
                     scratch_t* s) noexcept nogil:
    """Whether every play of a roll, with all stages of a cascade, is the last; -1: it gave up."""
    cdef Py_ssize_t i, base = s.rows.n, n = roll_plays(r, b, d1, d2, s)
    cdef bint goes_on = r.cascade and d1 == d2 and d1 < 6 and s.used == r.cascade
    cdef board_t after
    cdef int ended
    if n < 0:
        return -1
    for i in range(n):
        after = s.rows.at[base + i]
        if after.at[OFF] == r.checkers:
            continue
        ended = always_ends(r, &after, d1 + 1, d1 + 1, s) if goes_on else 0
        if ended <= 0:
            return ended
    return 1


cdef int ends_now(const rules_t* r, const board_t* b, scratch_t* s) noexcept nogil:
    """Whether the roads cross, but the player on roll bears his last checkers off with any roll."""
    cdef int d1, d2, ended
    if not could_meet(r, b) or pips(b) > 3:     # a roll of 2-1 is too little for more
        return 0
    for d1 in range(1, 7):
        for d2 in range(1, d1 + 1):
            s.rows.n = 0
            ended = always_ends(r, b, d1, d2, s)
            if ended <= 0:
                return ended
    return 1


ctypedef int (*question_t)(const rules_t*, const board_t*, scratch_t*) noexcept nogil


cdef ask(Rules game, boards, question_t question):
    """Ask a question about each board: bool[n]."""
    cdef const int8_t[:, ::1] source = _legal_boards(game, boards)
    cdef Py_ssize_t i, n = source.shape[0]
    cdef int answer = 0
    out = np.zeros(n, np.bool_)
    cdef uint8_t[::1] view = out.view(np.uint8)
    cdef Worker worker = Worker(game, Shape(1, 1), True)
    with nogil:
        for i in range(n):
            answer = question(&game.c, <const board_t*>&source[i, 0], &worker.w.scratch)
            if answer < 0:
                break
            view[i] = answer != 0
    if answer < 0:
        fail()
    return out


def contact(Rules game, boards):
    """Whether any checker can still hit or block an enemy: bool[n]."""
    return ask(game, boards, may_meet)


def wins_now(Rules game, boards):
    """Whether the roads cross, but the player on roll ends the game with any roll: bool[n]."""
    return ask(game, boards, ends_now)


def hands_on(Rules rules, points):
    """Whether a remainder may go to the opponent in the bear-off: a stage that is not completed.

    That is so in no preset, but in a cascade game with full points, or with ``block="never"``.
    """
    return bool(rules.c.cascade and rules.c.to_opponent and not is_direct(&rules.c, points))


def is_race(Rules game, boards):
    """Whether the plays of each player depend on his own checkers and dice alone: bool[n].

    That takes no contact; no remainders (`hands_on`); and under ``block="home"`` that each has a
    checker home or off, which frees the blocks of the other.
    """
    out = ~contact(game, boards)
    cdef const int8_t[:, ::1] source = _legal_boards(game, boards)
    cdef uint8_t[::1] view = out.view(np.uint8)
    cdef const board_t* b
    cdef uint32_t enemies
    cdef Py_ssize_t i
    if hands_on(game, 1):
        out[:] = False
    if game.c.block == HOME:
        for i in range(source.shape[0]):
            b = <const board_t*>&source[i, 0]
            enemies = facing_mask(game.c.parallel, ~above(b, -1) & POINTS_MASK)
            if not ((b.at[OFF] or own_mask(b) & HOME_MASK)
                    and (b.at[THEIR_OFF] or enemies & HOME_MASK)):
                view[i] = False
    return out
