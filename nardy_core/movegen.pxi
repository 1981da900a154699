# The plays of a roll: one general search, and fast paths where they are exact.
#
# The general search asks steps.pxd for every step and would not change for a new game. The fast
# paths work on masks; `is_fast` names the rules and boards under which they are exact. This file is
# included by kernel_plain.pyx and kernel_avx2.pyx, which differ in compiler flags only.

from libc.stdint cimport int32_t, uint32_t, uint64_t
from libc.stdlib cimport qsort, realloc
from libc.string cimport memcmp, memcpy, memmove, memset

from nardy_core.board cimport (
    BAR,
    BAR_BIT,
    HEAD,
    HEAD_BIT,
    HOME_MASK,
    MOVABLE_MASK,
    OFF,
    POINTS_MASK,
    THEIR_BAR,
    THEIR_OFF,
    above,
    add32,
    bit,
    board_t,
    equal,
    facing_mask,
    highest,
    lowest,
    own_mask,
    popcount,
    runs_of_six,
    same,
    under,
    upto,
)
from nardy_core.dice cimport below
from nardy_core.kernel cimport (
    final_t,
    grow,
    node_t,
    reserve,
    roll_t,
    rows_t,
    scratch_t,
)
from nardy_core.rules cimport FREE, HOME, NEVER, NO_SHELTER, STAYS_HOME, rules_t
from nardy_core.steps cimport (
    LEGAL,
    NO_LIMIT,
    block_fault,
    head_allowance,
    state_t,
    step,
    step_fault,
)

# ROOM rows are free before a fast path: C(25 + 4, 4) - 1 = 23,750 multisets of one to four sources
# bound every double of four steps, 25 * 25 + 100 the others. HOME_ROOM bounds home_pairs: 7 sources
# (6 points and one outside) twice, in two orders, and each alone.
cdef enum:
    ROOM = 23760
    HOME_ROOM = 128

cdef extern from "simd.h" nogil:
    int BLOCK "NARDY_BLOCK"     # boards that last_steps writes at once
    int kth "nardy_kth"(uint32_t mask, int k)

# What a step adds to the board: [pips][source][hits a blot], up to 11 pips for a journey with two
# dice; written once, at import.
cdef board_t DELTA[12][26][2]


cdef void fill_delta() noexcept:
    cdef int hits, d, p, to
    memset(&DELTA[0][0][0], 0, sizeof(DELTA))
    for hits in range(2):
        for d in range(1, 12):
            for p in range(1, BAR + 1):
                to = p - d if p > d else OFF
                DELTA[d][p][hits].at[p] -= 1
                DELTA[d][p][hits].at[to] += 1
                if hits and to:
                    DELTA[d][p][hits].at[to] += 1
                    DELTA[d][p][hits].at[THEIR_BAR] -= 1


fill_delta()


# ----------------------------------------------------------------------------- general search

cdef inline uint32_t pair_key(int a, int b, int p, int q) noexcept nogil:
    """Place in the order of a play: larger die a from p, smaller b from q."""
    if q == p - a:
        return 1 << 16 | <uint32_t>(31 - p) << 8
    if p == q - b:
        return 1 << 16 | <uint32_t>(31 - q) << 8 | 1
    return <uint32_t>(31 - p) << 8 | <uint32_t>(31 - q)


cdef inline uint32_t single_key(bint smaller, int p) noexcept nogil:
    """Place in the order of a play that uses one die from p."""
    return <uint32_t>(2 + smaller) << 16 | <uint32_t>(31 - p) << 8


cdef inline uint64_t state_hash(const state_t* x) noexcept nogil:
    cdef uint64_t word, h = 0
    cdef int i
    for i in range(5):
        memcpy(&word, <const char*>x + 8 * i, 8)
        h = (h ^ word) * <uint64_t>0x9E3779B97F4A7C15
        h ^= h >> 32
    return h


cdef int rehash(scratch_t* s, Py_ssize_t low) noexcept nogil:
    """Empty the table, twice as large as needed, and enter the nodes from `low` on."""
    cdef Py_ssize_t size = 256, i
    cdef uint32_t slot
    cdef void* moved
    while size < 4 * (s.n_nodes - low + 1):
        size *= 2
    if size > s.table_size:
        moved = realloc(s.table, <size_t>size * sizeof(uint32_t))
        if moved == NULL:
            return -1
        s.table = <uint32_t*>moved
        s.table_size = size
    memset(s.table, 0, <size_t>s.table_size * sizeof(uint32_t))
    for i in range(low, s.n_nodes):
        slot = state_hash(&s.nodes[i].state) & <uint64_t>(s.table_size - 1)
        while s.table[slot]:
            slot = (slot + 1) & <uint32_t>(s.table_size - 1)
        s.table[slot] = <uint32_t>(i + 1)
    return 0


cdef int add_node(scratch_t* s, const state_t* x, Py_ssize_t parent, int source, int die,
                  Py_ssize_t level, bint merge) noexcept nogil:
    """List a state once; with ``merge`` not again if this level, from `level` on, has it."""
    cdef uint32_t slot = 0
    cdef node_t* node
    if merge:
        if 2 * (s.n_nodes - level + 1) > s.table_size and rehash(s, level) < 0:
            return -1
        slot = state_hash(x) & <uint64_t>(s.table_size - 1)
        while s.table[slot]:
            if memcmp(&s.nodes[s.table[slot] - 1].state, x, sizeof(state_t)) == 0:
                return 0
            slot = (slot + 1) & <uint32_t>(s.table_size - 1)
    if grow(<void**>&s.nodes, &s.cap_nodes, s.n_nodes + 1, sizeof(node_t)) < 0:
        return -1
    node = &s.nodes[s.n_nodes]
    node.state = x[0]
    node.parent = <int32_t>parent
    node.source = source
    node.die = die
    node.key = 0
    s.n_nodes += 1
    if merge:
        s.table[slot] = <uint32_t>s.n_nodes
    return 0


cdef extern from "Python.h":
    int check_signals "PyErr_CheckSignals"()    # leaves the exception set


cdef bint gives_up(scratch_t* s) noexcept nogil:
    """Whether a long search was told to stop: by Ctrl-C, or by the thread that waits for it."""
    cdef int heard
    s.polls = 0
    if s.stop:
        return True
    with gil:
        heard = check_signals()
    if heard:
        s.stop = 1
    return heard != 0


cdef int expand(const rules_t* r, scratch_t* s, Py_ssize_t low, Py_ssize_t high, int d, int other,
                bint merge) noexcept nogil:
    """Lengthen the nodes low..high by one step of die d, in every legal way."""
    cdef Py_ssize_t i, level = s.n_nodes
    cdef int p, hitter
    cdef state_t child
    if merge and rehash(s, level) < 0:
        return -1
    for i in range(low, high):
        s.polls += 1
        if s.polls > 4096 and gives_up(s):
            return -1
        for p in range(BAR, OFF, -1):
            if s.nodes[i].state.board.at[p] <= 0:
                continue
            for hitter in range(2 if r.hitter == NO_SHELTER else 1):
                if step_fault(r, &s.nodes[i].state, p, d, other, hitter) != LEGAL:
                    continue
                child = s.nodes[i].state
                step(r, &child, p, d, hitter)
                if not r.block_at_end and block_fault(r, &child.board):
                    continue
                if add_node(s, &child, i, p, d, level, merge) < 0:
                    return -1
    return 0


cdef Py_ssize_t add_finals(const rules_t* r, scratch_t* s, Py_ssize_t low,
                           Py_ssize_t high) noexcept nogil:
    """List the nodes low..high as results, but for illegal blocks at the end; how many, or -1."""
    cdef Py_ssize_t i, n = 0
    cdef final_t* final
    for i in range(low, high):
        if r.block_at_end and block_fault(r, &s.nodes[i].state.board):
            continue
        if grow(<void**>&s.finals, &s.cap_finals, s.n_finals + 1, sizeof(final_t)) < 0:
            return -1
        final = &s.finals[s.n_finals]
        final.board = s.nodes[i].state.board
        final.key = s.nodes[i].key
        final.node = <int32_t>i
        s.n_finals += 1
        n += 1
    return n


cdef inline int from_the_bar(const board_t* x, const board_t* y) noexcept nogil:
    """Compare boards point by point from the bar down."""
    cdef int p
    for p in range(BAR, -1, -1):
        if x.at[p] != y.at[p]:
            return 1 if x.at[p] > y.at[p] else -1
    return x.at[THEIR_BAR] - y.at[THEIR_BAR]


cdef int by_board(const void* x, const void* y) noexcept nogil:
    cdef const final_t* a = <const final_t*>x
    cdef const final_t* b = <const final_t*>y
    cdef int c = from_the_bar(&a.board, &b.board)
    if c:
        return c
    if a.key != b.key:
        return 1 if a.key > b.key else -1
    return a.node - b.node


cdef int by_key(const void* x, const void* y) noexcept nogil:
    cdef const final_t* a = <const final_t*>x
    cdef const final_t* b = <const final_t*>y
    if a.key != b.key:
        return 1 if a.key > b.key else -1
    return from_the_bar(&a.board, &b.board)


cdef void tidy(scratch_t* s) noexcept nogil:
    """Put the results in order, each board once with its least key."""
    cdef Py_ssize_t i, n = 0
    if s.n_finals > 1:
        qsort(s.finals, s.n_finals, sizeof(final_t), by_board)
        for i in range(s.n_finals):
            if i and same(&s.finals[i].board, &s.finals[n - 1].board):
                continue
            s.finals[n] = s.finals[i]
            n += 1
        s.n_finals = n
        qsort(s.finals, s.n_finals, sizeof(final_t), by_key)


cdef Py_ssize_t search_double(const rules_t* r, int d, int steps, scratch_t* s) noexcept nogil:
    """Results of `steps` steps of die d from node 0; a level of the search holds a state once."""
    cdef Py_ssize_t low = 0, high = 1, n
    cdef int k
    for k in range(1, steps + 1):
        if expand(r, s, low, high, d, 0, True) < 0:
            return -1
        low, high = high, s.n_nodes
        if low == high:
            break
        if not r.some and not r.block_at_end:
            s.n_finals = 0
        n = s.n_finals
        if add_finals(r, s, low, high) < 0:
            return -1
        if s.n_finals > n:
            s.used = k
            if not r.some and n:  # of block_check=turn: the longest plays that end legally
                memmove(s.finals, s.finals + n, <size_t>(s.n_finals - n) * sizeof(final_t))
                s.n_finals -= n
    tidy(s)
    return s.n_finals


cdef Py_ssize_t search_pair(const rules_t* r, int a, int b, scratch_t* s) noexcept nogil:
    """Results of two different dice a > b from node 0 (3.4)."""
    cdef Py_ssize_t ends[5]
    cdef Py_ssize_t i, n
    cdef node_t* node
    ends[0] = 1
    if expand(r, s, 0, 1, a, b, False) < 0:
        return -1
    ends[1] = s.n_nodes
    if expand(r, s, 0, 1, b, a, False) < 0:
        return -1
    ends[2] = s.n_nodes
    if expand(r, s, ends[0], ends[1], b, 0, False) < 0:
        return -1
    ends[3] = s.n_nodes
    if expand(r, s, ends[1], ends[2], a, 0, False) < 0:
        return -1
    ends[4] = s.n_nodes
    for i in range(ends[0], ends[4]):
        node = &s.nodes[i]
        if i < ends[2]:
            node.key = single_key(i >= ends[1], node.source)
        elif i < ends[3]:
            node.key = pair_key(a, b, s.nodes[node.parent].source, node.source)
        else:
            node.key = pair_key(a, b, node.source, s.nodes[node.parent].source)
    n = add_finals(r, s, ends[2], ends[4])
    if n:
        s.used = 2
    for i in range(2):  # the larger die alone, then the smaller
        if n == 0 or r.some:
            n = add_finals(r, s, ends[i], ends[i + 1])
            if n and not s.used:
                s.used = 1
        if n < 0:
            return -1
    tidy(s)
    return s.n_finals


cdef Py_ssize_t search(const rules_t* r, const board_t* b, const roll_t* roll,
                       scratch_t* s) noexcept nogil:
    """The general path: results in `s.finals`, with their steps in `s.nodes`; how many, or -1.

    0 means that nothing can be played.
    """
    cdef state_t start
    memset(&start, 0, sizeof(state_t))
    start.board = b[0]
    start.head_left = head_allowance(r, b, roll.d1, roll.d2, roll.head_used, roll.exception)
    s.n_nodes = s.n_finals = 0
    s.used = 0
    if add_node(s, &start, 0, 0, 0, 0, False) < 0:
        return -1
    if roll.d1 == roll.d2:
        return search_double(r, roll.d1, roll.steps, s)
    if roll.d1 > roll.d2:
        return search_pair(r, roll.d1, roll.d2, s)
    return search_pair(r, roll.d2, roll.d1, s)


# --------------------------------------------------------------------------------- fast paths

cdef struct view_t:     # one board and roll, as masks
    const rules_t* r
    const board_t* b
    uint32_t own        # 1..24 and the bar
    uint32_t two        # places with two or more of them
    uint32_t ours       # points 1..24 that the opponent does not close
    uint32_t open       # those where a checker may land now: `ours` without full points
    uint32_t tight      # points that one more own checker fills
    uint32_t blots      # lone enemies that are hit
    uint32_t freezing   # blots whose hitter stays (stays_home)
    uint32_t forbidden  # lowest points, in the opponent's numbers, of blocks that are illegal
    int head_left
    bint many_outside   # two or more own checkers are not home
    bint live           # a step of this roll might leave an illegal block


cdef inline uint32_t forbidden_blocks(const rules_t* r, const view_t* v) noexcept nogil:
    """Lowest points of the blocks that are illegal now (4.4), where a lone checker closes a point.

    The opponent does not move in this turn, so it holds for the whole turn. A block stands on no
    point of his, so he is ahead of it or not whatever its length.
    """
    cdef uint32_t enemies
    if r.block == NEVER:
        return POINTS_MASK
    if v.b.at[THEIR_OFF] < 0:
        return 0
    enemies = facing_mask(r.parallel, ~v.ours & POINTS_MASK)
    if r.block == HOME:
        return 0 if enemies & HOME_MASK else POINTS_MASK
    return (enemies & (0 - enemies)) - 1  # all, if there are no enemies


cdef inline bint is_blocking(const view_t* v, uint32_t own) noexcept nogil:
    """Whether checkers on the points `own` make an illegal block."""
    return runs_of_six(facing_mask(v.r.parallel, own & POINTS_MASK)) & v.forbidden != 0


cdef inline uint32_t reach(const view_t* v, const roll_t* roll) noexcept nogil:
    """All points that the turn can hold at some moment: they contain every wall it can leave."""
    cdef uint32_t points = v.own
    cdef int _
    if roll.d1 == roll.d2:
        for _ in range(roll.steps):
            points |= (points >> roll.d1) & v.ours
    else:
        points |= ((points >> roll.d1) | (points >> roll.d2)) & v.ours
        points |= ((points >> roll.d1) | (points >> roll.d2)) & v.ours
    return points


cdef inline uint32_t roomless(const board_t* b, int most) noexcept nogil:
    """Points where at most one more own checker may stand."""
    # A blot leaves the room of an empty point: it is hit.
    return above(b, most - 2 if most > 1 else -2)


cdef inline void look(const rules_t* r, const board_t* b, const roll_t* roll,
                      view_t* v) noexcept nogil:
    """The masks of a board."""
    cdef uint32_t outside
    v.r, v.b = r, b
    v.own = own_mask(b)
    v.two = above(b, 1)
    outside = v.own & ~HOME_MASK
    v.many_outside = (outside & (outside - 1)) | (outside & v.two) != 0
    v.blots = v.freezing = v.forbidden = v.tight = 0
    v.live = False
    if r.hit:
        v.ours = above(b, -2) & POINTS_MASK
        v.blots = equal(b, -1) & POINTS_MASK
        if r.hitter == STAYS_HOME:
            v.freezing = v.blots & HOME_MASK
    else:
        v.ours = above(b, -1) & POINTS_MASK
    v.open = v.ours
    v.head_left = NO_LIMIT
    if r.head_limit and v.own & HEAD_BIT:
        v.head_left = head_allowance(r, b, roll.d1, roll.d2, roll.head_used, roll.exception)
    if r.block != FREE:
        v.forbidden = forbidden_blocks(r, v)
        v.live = is_blocking(v, reach(v, roll))
    if r.max_per_point:
        v.open &= ~above(b, r.max_per_point - 1)
        v.tight = v.open & roomless(b, r.max_per_point)


cdef inline uint32_t offs(uint32_t own, int d) noexcept nogil:
    """The point from which die d bears a checker off, if there is one (3.5)."""
    if own & ~HOME_MASK or not own:
        return 0
    if own & bit(d):
        return bit(d)
    return 0 if own & ~upto(d) else bit(highest(own))


cdef inline uint32_t sources(uint32_t own, uint32_t open, int d) noexcept nogil:
    """Points from which die d can be played (3.5, 5.2)."""
    cdef uint32_t from_ = own & (open << d)
    return from_ & BAR_BIT if own & BAR_BIT else from_ | offs(own, d)


cdef inline const board_t* delta(uint32_t blots, int d, int p) noexcept nogil:
    """What the step from p by d adds, given the blots that stand."""
    return &DELTA[d][p][(blots << d) >> p & 1]


cdef inline bint may_come_home(const view_t* v, int d, int steps) noexcept nogil:
    """Whether `steps` steps of die d can bring all own checkers home, closed points apart."""
    cdef int p
    cdef uint32_t outside = v.own & ~HOME_MASK
    while outside and steps >= 0:
        p = lowest(outside)
        outside &= outside - 1
        steps -= v.b.at[p] * ((p - 7) // d + 1)
    return steps >= 0


cdef inline uint32_t holding(const view_t* v, int n) noexcept nogil:
    """Points where a checker may land, or might if there is room, that hold at least n checkers."""
    return v.ours & above(v.b, n - 1) if n > 0 else v.ours


cdef inline bint is_crowded(const view_t* v, int d) noexcept nogil:
    """Whether up to four steps of die d, in falling order, might find a point full.

    A checker from k * d pips off comes with k steps. A point with room for r checkers overflows
    with r + 1, so these are all the ways to spend four steps.
    """
    cdef int most = v.r.max_per_point
    cdef uint32_t near, far, rear, two
    near = v.own >> d & v.ours      # whither one checker comes with one step,
    far = near >> d & v.ours        # with two
    rear = far >> d & v.ours        # and with three
    if (near | far | rear | rear >> d) & holding(v, most):
        return True
    two = above(v.b, 1) >> d & v.ours
    if (two | (near & (far | rear)) | two >> d) & holding(v, most - 1):
        return True
    if ((above(v.b, 2) >> d) | (two & far)) & holding(v, most - 2):
        return True
    return above(v.b, 3) >> d & holding(v, most - 3) != 0


cdef inline bint is_fast(const rules_t* r, const view_t* v, const roll_t* roll) noexcept nogil:
    """Whether the fast paths are exact for this board and roll.

    They hold where a play is decided by its set of sources, in the best order; of the rules that
    look at the order they know frozen hitters, full points, the duty to bear off and illegal
    blocks. What they do not know is which checker of a point is a hitter that may not seek shelter,
    so there must be no blot then; and no double has more than four steps, which bounds the room.
    """
    return not (roll.general or (r.hitter == NO_SHELTER and v.blots)
                or (roll.d1 == roll.d2 and roll.steps > 4))


cdef inline board_t* keep(const view_t* v, board_t* to) noexcept nogil:
    """Keep the board just written at `to`, unless it is an illegal block."""
    return to if v.live and is_blocking(v, own_mask(to)) else to + 1


cdef inline board_t* last_steps(const board_t* b, uint32_t from_, int d, uint32_t blots, bint hits,
                                board_t* to) noexcept nogil:
    """Append the boards after one step of d from each of the points `from_`, highest first.

    `hits`, a constant at every call so that the compiler writes both loops, is whether there may be
    blots. Where a board is cheap to write, BLOCK are written before it is asked whether there are
    more, since how many there are cannot be foreseen: what is too much is the board itself (no
    step from point 0), in rows that the next results overwrite.
    """
    cdef const board_t* table = &DELTA[d][0][0]
    cdef uint32_t struck = blots << d
    cdef board_t* end = to + popcount(from_) if BLOCK > 1 else to
    cdef size_t p  # spares the extension of a sign
    cdef int _
    while from_ or BLOCK > 1:
        for _ in range(BLOCK):
            p = <size_t>highest(from_ | 1 if BLOCK > 1 else from_)
            from_ &= under(<int>p)
            add32(to, b, table + (2 * p + (struck >> p & 1 if hits else 0)))
            to += 1
        if BLOCK > 1 and not from_:
            return end
    return to


cdef board_t* singles(const view_t* v, int d, board_t* to) noexcept nogil:
    """Results of one die alone, where nothing can be borne off."""
    cdef uint32_t from_ = sources(v.own, v.open, d)
    cdef int p
    if not v.head_left:
        from_ &= ~HEAD_BIT
    if not v.live:
        return last_steps(v.b, from_, d, v.blots, True, to)
    while from_:
        p = highest(from_)
        from_ ^= bit(p)
        add32(to, v.b, delta(v.blots, d, p))
        to = keep(v, to)
    return to


cdef uint32_t broken(const view_t* v, uint32_t from_, int d) noexcept nogil:
    """Points of `from_` whose step by d leaves an illegal block, where that counts."""
    cdef uint32_t own, found = 0
    cdef int p
    if v.r.block_at_end:
        return 0
    while from_:
        p = highest(from_)
        from_ ^= bit(p)
        own = v.own | bit(p - d)
        if v.b.at[p] == 1:
            own ^= bit(p)
        if is_blocking(v, own):
            found |= bit(p)
    return found


cdef inline uint32_t once_only(const view_t* v) noexcept nogil:
    """Points that at most one checker may leave with two different dice."""
    return ~v.two | (HEAD_BIT if v.head_left == 1 else 0)


cdef inline board_t* calm_two_checkers(const view_t* v, int a, int b, bint hits,
                                       board_t* to) noexcept nogil:
    """`two_checkers` where nobody is on the bar, no block is live and no point is tight."""
    cdef uint32_t first = v.own & (v.open << a), second = v.own & (v.open << b)
    cdef uint32_t lone = once_only(v), at, blots = 0
    cdef board_t half
    cdef int p
    if not v.head_left:
        first &= ~HEAD_BIT
        second &= ~HEAD_BIT
    while first:
        p = highest(first)
        at = bit(p)
        first &= at - 1
        if hits:
            blots = v.blots & ~(at >> a)
        add32(&half, v.b, &DELTA[a][p][blots != v.blots if hits else 0])
        to = last_steps(&half, second & ~(at >> a | at << b | (at & lone)), b, blots, hits, to)
    return to


cdef board_t* two_checkers(const view_t* v, int a, int b, board_t* to) noexcept nogil:
    """Results of both of two different dice a > b, each played by a checker of its own.

    The pair (p by a, q by b) changes -p -q +(p-a) +(q-b), which no other pair does, unless q = p-a
    or p = q-b: then one point cancels and the board is that of one checker going all the way.
    Without those, neither step frees the point on which the other lands, so a full point is closed
    in both orders, and one with room for one checker takes only one. Where every step must leave a
    legal block, one of the two must do so as the first.
    """
    cdef uint32_t first = v.own & (v.open << a), second = v.own & (v.open << b)
    cdef uint32_t seconds, from_, bad_first = 0, bad_second = 0, hits, lone = once_only(v)
    cdef board_t half
    cdef int p, q, entering = v.b.at[BAR]
    if entering > 1:
        first &= BAR_BIT
        second &= BAR_BIT
    elif entering and not (first | second) & BAR_BIT:
        return to
    if not v.head_left:
        first &= ~HEAD_BIT
        second &= ~HEAD_BIT
    if v.live:
        bad_first, bad_second = broken(v, first, a), broken(v, second, b)
    while first:
        p = highest(first)
        from_ = bit(p)
        first ^= from_
        seconds = second & ~(from_ >> a | from_ << b | (from_ & lone))
        if entering == 1 and p != BAR:
            seconds &= BAR_BIT
        if v.tight & from_ >> a:
            seconds &= ~(from_ >> a << b)
        if bad_first & from_:
            seconds &= ~bad_second
        if not seconds:
            continue
        hits = v.blots & (from_ >> a)
        add32(&half, v.b, &DELTA[a][p][hits != 0])
        if not v.live:
            to = last_steps(&half, seconds, b, v.blots ^ hits, True, to)
            continue
        while seconds:
            q = highest(seconds)
            seconds ^= bit(q)
            add32(to, &half, delta(v.blots ^ hits, b, q))
            to = keep(v, to)
    return to


cdef inline uint32_t journeys(const view_t* v, int d, int both) noexcept nogil:
    """Checkers that can go d pips and on to `both`.

    If the middle point is full, one of the checkers on it goes on first and makes room, with the
    same result; not for a checker on the bar, which must move first. A checker that hits on the
    middle point and is frozen cannot go on.
    """
    cdef uint32_t from_ = v.own & (v.ours << d) & (v.open << both) & ~(v.freezing << d)
    if v.own & BAR_BIT:
        return from_ & (v.open << d) & BAR_BIT if v.b.at[BAR] == 1 else 0
    return from_ if v.head_left else from_ & ~HEAD_BIT


cdef uint32_t unbroken(const view_t* v, uint32_t from_, int d, int e) noexcept nogil:
    """Those of the journeys by d, then e, that some order plays without an illegal block between.

    The checker itself may go on, or one that stands on the middle point may go first.
    """
    cdef uint32_t ahead
    if v.r.block_at_end:
        return from_
    ahead = (from_ >> d) & v.own & (v.open << e)
    if not v.head_left:
        ahead &= ~HEAD_BIT
    return from_ & (~broken(v, from_, d) | (ahead & ~broken(v, ahead, e)) << d)


cdef board_t* one_checker(const view_t* v, int a, int b, board_t* to) noexcept nogil:
    """Results of both of two different dice a > b, played by one checker.

    Of its two ways both are listed only if a blot on a middle point tells them apart.
    """
    cdef uint32_t via_a = journeys(v, a, a + b), via_b = journeys(v, b, a + b)
    cdef uint32_t from_, middle = v.blots << a | v.blots << b
    cdef board_t half
    cdef int p
    if v.live:
        via_a, via_b = unbroken(v, via_a, a, b), unbroken(v, via_b, b, a)
    from_ = via_a | via_b
    if not (middle & from_ or v.live):
        return last_steps(v.b, from_, a + b, v.blots, True, to)
    via_b &= ~via_a | middle
    while from_:
        p = highest(from_)
        from_ ^= bit(p)
        if via_a & bit(p):
            add32(&half, v.b, delta(v.blots, a, p))
            add32(to, &half, delta(v.blots, b, p - a))
            to = keep(v, to)
        if via_b & bit(p):
            add32(&half, v.b, delta(v.blots, b, p))
            add32(to, &half, delta(v.blots, a, p - b))
            to = keep(v, to)
    return to


cdef inline board_t* calm_journeys(const view_t* v, int a, int b, board_t* to) noexcept nogil:
    """`one_checker` where nobody is hit or on the bar, no block is live and no point is tight."""
    cdef uint32_t from_ = v.own & (v.open << (a + b)) & (v.ours << a | v.ours << b)
    if not v.head_left:
        from_ &= ~HEAD_BIT
    return last_steps(v.b, from_, a + b, 0, False, to)


cdef board_t* pairs(const view_t* v, int a, int b, scratch_t* s, board_t* to) noexcept nogil:
    """Results of two different dice a > b, where nothing can be borne off."""
    cdef board_t* first = to
    s.used = 2
    if v.own & BAR_BIT or v.live or v.tight:
        to = one_checker(v, a, b, two_checkers(v, a, b, to))
    elif v.blots:
        to = one_checker(v, a, b, calm_two_checkers(v, a, b, True, to))
    else:
        to = calm_journeys(v, a, b, calm_two_checkers(v, a, b, False, to))
    if to == first or v.r.some:
        if to == first:
            s.used = 1
        to = singles(v, a, to)
        if to == first or v.r.some:
            to = singles(v, b, to)
        if to == first:
            s.used = 0
    return to


cdef struct few_t:      # a short list of results, each once with its least key
    board_t at[HOME_ROOM]
    uint32_t keys[HOME_ROOM]    # key << 8 | index
    int n


cdef inline void enlist(const view_t* v, few_t* few, const board_t* b, const board_t* change,
                        uint32_t key) noexcept nogil:
    """Add a board and a step to a short list, unless it is there or illegal."""
    cdef int i = 0
    cdef board_t* at = &few.at[few.n]
    add32(at, b, change)
    if v.live and is_blocking(v, own_mask(at)):
        return
    while i < few.n and not same(&few.at[i], at):
        i += 1
    if i == few.n:
        few.keys[i] = key << 8 | <uint32_t>i
        few.n += 1
    elif key < few.keys[i] >> 8:
        few.keys[i] = key << 8 | <uint32_t>i


cdef inline board_t* unload(few_t* few, board_t* to) noexcept nogil:
    """Append a short list in the order of its keys."""
    cdef uint32_t key
    cdef int i, j
    for i in range(1, few.n):
        key = few.keys[i]
        j = i
        while j and few.keys[j - 1] > key:
            few.keys[j] = few.keys[j - 1]
            j -= 1
        few.keys[j] = key
    for i in range(few.n):
        to[i] = few.at[few.keys[i] & 0xFF]
    return to + few.n


cdef inline uint32_t second_sources(const view_t* v, const board_t* half, uint32_t own, int d,
                                    uint32_t frozen) noexcept nogil:
    """Points from which the second die d can be played, with at most one checker outside."""
    cdef uint32_t from_, open = v.open
    if v.r.max_per_point:
        open = v.ours & ~above(half, v.r.max_per_point - 1)
    if v.r.must_bear_off:
        from_ = offs(own, d) & ~frozen
        if from_:
            return from_
    from_ = sources(own, open, d) & ~frozen
    return from_ if v.head_left else from_ & ~HEAD_BIT


cdef board_t* home_pairs(const view_t* v, int a, int b, scratch_t* s, board_t* to) noexcept nogil:
    """Results of two different dice a > b, with at most one checker outside and none on the bar.

    Bearing off makes the order of the dice matter, so both orders are played and what is already
    there is dropped; there are few. At most 7 points hold checkers, so 2 * 7 * 7 + 2 * 7 boards
    are listed.
    """
    cdef few_t few
    cdef uint32_t firsts[2]
    cdef uint32_t first, second, own, hit
    cdef board_t half
    cdef int order, d, e, p, q
    few.n = 0
    for order in range(2):
        d = b if order else a
        firsts[order] = sources(v.own, v.open, d)
        if v.r.must_bear_off and (offs(v.own, a) | offs(v.own, b)):
            firsts[order] = offs(v.own, d)
        if not v.head_left:
            firsts[order] &= ~HEAD_BIT
    for order in range(2):
        d, e = (b, a) if order else (a, b)
        first = firsts[order]
        while first:
            p = highest(first)
            first ^= bit(p)
            add32(&half, v.b, delta(v.blots, d, p))
            own = own_mask(&half)
            if v.live and not v.r.block_at_end and is_blocking(v, own):
                continue
            hit = bit(p - d) & v.blots if p > d else 0
            second = second_sources(v, &half, own, e, hit & v.freezing)
            while second:
                q = highest(second)
                second ^= bit(q)
                enlist(v, &few, &half, delta(v.blots & ~hit, e, q),
                       pair_key(a, b, q, p) if order else pair_key(a, b, p, q))
    s.used = 2 if few.n else 1
    for order in range(2):
        if few.n == 0 or v.r.some:
            first = firsts[order]
            while first:
                p = highest(first)
                first ^= bit(p)
                enlist(v, &few, v.b, delta(v.blots, b if order else a, p), single_key(order, p))
    if few.n == 0:
        s.used = 0
    return unload(&few, to)


# The state of a double on the way: the board; own points; points from which the next step may be
# played (sources never rise); blots hit so far; checkers that may still leave the head.

cdef inline uint32_t dig_sources(const view_t* v, const board_t* b, uint32_t own, uint32_t below_,
                                 uint32_t hit, int head_left, int d) noexcept nogil:
    """Points from which the next step of a double may be played."""
    cdef uint32_t from_ = sources(own, v.open, d) & below_
    if not head_left:
        from_ &= ~HEAD_BIT
    if hit & v.freezing:
        from_ &= ~(hit & v.freezing & equal(b, 1))
    return from_


cdef inline board_t* dig_two(const view_t* v, const board_t* b, uint32_t own, uint32_t below_,
                             uint32_t hit, int head_left, int d, int* missing,
                             board_t* to) noexcept nogil:
    """Results of the last two steps of a double; no board is made for a line that ends before."""
    cdef uint32_t from_ = dig_sources(v, b, own, below_, hit, head_left, d)
    cdef uint32_t lone, at, land, strike, last
    cdef board_t child
    cdef int p, head_then
    if not from_:
        missing[0] = min(missing[0], 2)
        return to
    missing[0] = min(missing[0], 1)
    lone = equal(b, 1)
    while from_:
        p = highest(from_)
        at = bit(p)
        from_ ^= at
        land = at >> d & POINTS_MASK
        strike = land & v.blots & ~hit
        head_then = head_left
        if p == HEAD and head_left != NO_LIMIT:
            head_then -= 1
        last = sources((own & ~(at & lone)) | land, v.open, d) & upto(p)
        if not head_then:
            last &= ~HEAD_BIT
        if not (last or v.r.some):
            break
        add32(&child, b, &DELTA[d][p][strike != 0])
        if (hit | strike) & v.freezing:
            last &= ~((hit | strike) & v.freezing & equal(&child, 1))
        if last:
            missing[0] = 0
            to = last_steps(&child, last, d, v.blots & ~(hit | strike), True, to)
        if v.r.some:
            to[0] = child
            to += 1
    return to


cdef board_t* dig(const view_t* v, const board_t* b, uint32_t own, uint32_t below_, uint32_t hit,
                  int head_left, int d, int left, int* missing, board_t* to) noexcept nogil:
    """Results of `left` more steps of die d, sources never rising.

    A double's result is its multiset of sources, one board each (the steps are linearly
    independent), and if any order of them is legal the falling one is: the bar goes first, a
    checker is borne off from a higher point before a lower, and all that come to a point are there
    before one leaves, which is best for a frozen hitter. Where a point has no result, no lower one
    has (see `calm_steps`). `missing` gets the least number of steps that a line could not play.
    """
    cdef uint32_t from_, lone, at, land, strike, own_then
    cdef board_t child
    cdef board_t* so_far
    cdef int p, head_then
    if left == 2:
        return dig_two(v, b, own, below_, hit, head_left, d, missing, to)
    from_ = dig_sources(v, b, own, below_, hit, head_left, d)
    if not from_:
        missing[0] = min(missing[0], left)
        return to
    if left == 1:
        missing[0] = 0
        return last_steps(b, from_, d, v.blots & ~hit, True, to)
    lone = equal(b, 1)
    while from_:
        p = highest(from_)
        at = bit(p)
        from_ ^= at
        land = at >> d & POINTS_MASK
        strike = land & v.blots & ~hit
        own_then = (own & ~(at & lone)) | land
        head_then = head_left
        if p == HEAD and head_left != NO_LIMIT:
            head_then -= 1
        add32(&child, b, &DELTA[d][p][strike != 0])
        so_far = to
        if left == 3:
            to = dig_two(v, &child, own_then, upto(p), hit | strike, head_then, d, missing, to)
        else:
            to = dig(v, &child, own_then, upto(p), hit | strike, head_then, d, left - 1, missing,
                     to)
        if v.r.some:
            to[0] = child
            to += 1
        if to == so_far:
            break
    return to


# A double is calm where no rule looks at the order of its steps and none can bear a checker off.
# Then all hangs on how many checkers of each point may be played: masks follow it, not boards.

cdef struct supply_t:   # a calm double on its way, as masks of points
    uint32_t from_      # the next step may be played from there; none is above the last step's
    uint32_t one        # at least one checker there may still be played, but for where it lands
    uint32_t two        # at least two; all four are right up to the number of steps that are left
    uint32_t three
    uint32_t four
    uint32_t ways       # a step from there lands on an open point
    uint32_t blots      # that still stand
    uint32_t freezing   # those whose hitter stays

cdef struct calm_t:     # a calm double with nobody left on the bar
    board_t start
    supply_t supply
    int entered         # steps that were used for the bar
    int left            # steps that can be played, all of them at once


cdef inline bint is_calm(const view_t* v, int d, int steps) noexcept nogil:
    """Whether a double is calm: after every step but the last some checker is outside."""
    return not (v.live or v.r.max_per_point or v.r.some or may_come_home(v, d, steps - 1))


cdef inline supply_t drawn(const supply_t* s, uint32_t at, int d, bint hits) noexcept nogil:
    """The supply after a step of d from point `at`, the highest of `s.from_`.

    A hitter that is frozen is not counted where it lands, for it is not played again. Without blots
    `hits` may be False.
    """
    cdef supply_t then = s[0]
    cdef uint32_t land = at >> d, come = land
    if hits:
        come &= ~(s.blots & s.freezing)
        then.blots = s.blots & ~land
    then.from_ = (s.from_ ^ at) | (at & s.two) | (come & s.ways)
    then.one = (s.one & ~(at & ~s.two)) | come
    then.two = (s.two & ~(at & ~s.three)) | (come & s.one)
    then.three = (s.three & ~(at & ~s.four)) | (come & s.two)
    return then


cdef inline void make_step(const board_t* b, const supply_t* s, int p, int d, bint hits,
                           board_t* child) noexcept nogil:
    """The board after a step of a calm double."""
    add32(child, b, &DELTA[d][p][(s.blots << d) >> p & 1 if hits else 0])


cdef inline board_t* calm_two(const board_t* b, supply_t* s, int d, bint hits,
                              board_t* to) noexcept nogil:
    """Results of the last two steps of a calm double."""
    cdef supply_t then
    cdef board_t child
    cdef int p
    while s.from_:
        p = highest(s.from_)
        then = drawn(s, bit(p), d, hits)
        if not then.from_:
            break
        make_step(b, s, p, d, hits, &child)
        to = last_steps(&child, then.from_, d, then.blots, hits, to)
        s.from_ ^= bit(p)
    return to


cdef inline board_t* calm_three(const board_t* b, supply_t* s, int d, bint hits,
                                board_t* to) noexcept nogil:
    """Results of the last three steps of a calm double."""
    cdef board_t* before
    cdef supply_t then
    cdef board_t child
    cdef int p
    while s.from_:
        p = highest(s.from_)
        then = drawn(s, bit(p), d, hits)
        make_step(b, s, p, d, hits, &child)
        before = to
        to = calm_two(&child, &then, d, hits, to)
        if to == before:
            break
        s.from_ ^= bit(p)
    return to


cdef inline board_t* calm_four(const board_t* b, supply_t* s, int d, bint hits,
                               board_t* to) noexcept nogil:
    """Results of four steps of a calm double."""
    cdef board_t* before
    cdef supply_t then
    cdef board_t child
    cdef int p
    while s.from_:
        p = highest(s.from_)
        then = drawn(s, bit(p), d, hits)
        make_step(b, s, p, d, hits, &child)
        before = to
        to = calm_three(&child, &then, d, hits, to)
        if to == before:
            break
        s.from_ ^= bit(p)
    return to


cdef inline board_t* calm_steps(const board_t* b, const supply_t* supply, int d, int left,
                                bint hits, board_t* to) noexcept nogil:
    """Results of `left` steps of a calm double; none if they cannot all be played.

    Sources never rise, as in `dig`. Where a point has no result, no lower one has: a play that
    starts lower would be one here with this point's step before it, and without its own last.
    """
    cdef supply_t s = supply[0]
    if left == 4:
        return calm_four(b, &s, d, hits, to)
    if left == 3:
        return calm_three(b, &s, d, hits, to)
    if left == 2:
        return calm_two(b, &s, d, hits, to)
    if left == 1:
        return last_steps(b, s.from_, d, s.blots, hits, to)
    to[0] = b[0]
    return to + 1


cdef board_t* calm_dig(const calm_t* calm, int d, board_t* to) noexcept nogil:
    """Results of the steps that are left of a calm double; none if they cannot all be played."""
    if calm.supply.blots:
        return calm_steps(&calm.start, &calm.supply, d, calm.left, True, to)
    return calm_steps(&calm.start, &calm.supply, d, calm.left, False, to)


cdef inline int most_steps(const supply_t* supply, int d, int steps) noexcept nogil:
    """The most steps, up to `steps`, that any line can play: the line of the highest sources."""
    cdef supply_t s = supply[0]
    cdef int n = 0
    while n < steps and s.from_:
        s = drawn(&s, bit(highest(s.from_)), d, True)
        n += 1
    return n


cdef void calm_start(const view_t* v, int d, int steps, calm_t* calm) noexcept nogil:
    """Enter what is on the bar and look at what is left."""
    cdef supply_t* s = &calm.supply
    cdef uint32_t land
    cdef int _, bar = v.b.at[BAR]
    calm.start = v.b[0]
    calm.entered = 0
    s.blots = v.blots
    if bar and v.open & bit(BAR - d):
        calm.entered = min(bar, steps)
        add32(&calm.start, v.b, delta(v.blots, d, BAR))
        for _ in range(calm.entered - 1):
            add32(&calm.start, &calm.start, &DELTA[d][BAR][0])
        s.blots &= ~bit(BAR - d)
    calm.left = steps - calm.entered
    s.one = above(&calm.start, 0) & (0 if calm.entered < bar else POINTS_MASK)
    s.two = above(&calm.start, 1)
    s.three = above(&calm.start, 2)
    s.four = above(&calm.start, 3)
    s.one &= ~(0 if v.head_left else HEAD_BIT)  # none but the allowed may leave the head
    s.two &= ~(0 if v.head_left > 1 else HEAD_BIT)
    s.three &= ~(0 if v.head_left > 2 else HEAD_BIT)
    s.four &= ~(0 if v.head_left > 3 else HEAD_BIT)
    s.ways = v.open << d
    s.from_ = s.one & s.ways
    s.freezing = 0
    if v.freezing:  # only if one of them can be reached: without any, counting is closed
        land = s.from_ >> d
        for _ in range(calm.left):
            s.freezing |= land & v.freezing
            land = (land & s.ways) >> d


cdef board_t* calm_doubles(const view_t* v, int d, int steps, scratch_t* s,
                           board_t* to) noexcept nogil:
    """Results of as many steps of a calm double as can be played."""
    cdef calm_t calm
    cdef board_t* end
    calm_start(v, d, steps, &calm)
    end = calm_dig(&calm, d, to)
    if end == to:
        calm.left = most_steps(&calm.supply, d, calm.left)
        end = calm_dig(&calm, d, to)
    s.used = calm.entered + calm.left
    return end if s.used else to


cdef bint has_order(const view_t* v, const board_t* b, int d, const int* rest, int n,
                    uint32_t hit) noexcept nogil:
    """Whether some order of n steps of die d from the falling sources `rest` is legal.

    That each can be made at all is known (`dig_carefully`); this looks at the bar, bearing off,
    frozen hitters, full points, the duty to bear off and illegal blocks.
    """
    cdef uint32_t own = own_mask(b), off = offs(own, d), frozen = 0
    cdef board_t child
    cdef int later[4]
    cdef int i, k, p
    if hit & v.freezing:
        frozen = hit & v.freezing & equal(b, 1)
    for i in range(n):
        p = rest[i]
        if (i and rest[i - 1] == p) or not own & bit(p) & ~frozen:
            continue
        if own & BAR_BIT and p != BAR:
            continue
        if p <= d and off != bit(p):
            continue
        if v.r.must_bear_off and off & ~frozen and p != highest(off):
            continue
        if v.r.max_per_point and p > d and b.at[p - d] >= v.r.max_per_point:
            continue
        add32(&child, b, delta(v.blots & ~hit, d, p))
        if v.live and not (v.r.block_at_end and n > 1) and is_blocking(v, own_mask(&child)):
            continue
        if n == 1:
            return True
        for k in range(n - 1):
            later[k] = rest[k + (k >= i)]
        if has_order(v, &child, d, later, n - 1, hit | (bit(p - d) & v.blots if p > d else 0)):
            return True
    return False


cdef struct trail_t:    # the sources of a line of dig_carefully
    int at[4]
    int n
    int full            # steps of them that found their landing full
    int longest         # most steps of any line, legal or not


cdef inline bint is_orderly(const view_t* v, const board_t* end, int d,
                            const trail_t* trail) noexcept nogil:
    """Whether some order of a line's steps, which leave the board `end`, is legal."""
    if not (v.live or v.r.must_bear_off):   # then only full points can forbid the falling order
        if not trail.full:
            return True
        if above(end, v.r.max_per_point) & POINTS_MASK:
            return False
    return has_order(v, v.b, d, trail.at, trail.n, 0)


cdef board_t* dig_carefully(const view_t* v, const board_t* b, uint32_t own, int d, int left,
                            uint32_t below, uint32_t hit, int head_left, trail_t* trail,
                            board_t* to) noexcept nogil:
    """`dig` where some rule looks at the order: each multiset is kept if it has a legal order.

    Without those rules the falling order is legal if any is, so no multiset is missed.
    """
    cdef uint32_t from_ = sources(own, v.ours, d) & below, hits = (v.blots & ~hit) << d, full = 0
    cdef board_t child
    cdef int p
    if not head_left:
        from_ &= ~HEAD_BIT
    if hit & v.freezing:
        from_ &= ~(hit & v.freezing & equal(b, 1))
    if v.r.max_per_point:
        full = (above(b, v.r.max_per_point - 1) & POINTS_MASK) << d
    while from_:
        p = highest(from_)
        from_ ^= bit(p)
        add32(&child, b, delta(v.blots & ~hit, d, p))
        trail.at[trail.n] = p
        trail.n += 1
        trail.full += full >> p & 1
        if trail.n > trail.longest:
            trail.longest = trail.n
        if left > 1:
            to = dig_carefully(v, &child, own_mask(&child), d, left - 1, upto(p),
                               hit | (hits & bit(p)) >> d,
                               head_left - (p == HEAD and head_left != NO_LIMIT), trail, to)
        if (left == 1 or v.r.some) and is_orderly(v, &child, d, trail):
            to[0] = child
            to += 1
        trail.full -= full >> p & 1
        trail.n -= 1
    return to


cdef board_t* careful_doubles(const view_t* v, int d, int steps, scratch_t* s,
                              board_t* to) noexcept nogil:
    """Results of as many steps of a double as can be played, where rules look at the order."""
    cdef trail_t trail
    cdef board_t* end = to
    trail.n = trail.full = trail.longest = 0
    while end == to and steps:
        end = dig_carefully(v, v.b, v.own, d, steps, MOVABLE_MASK, 0, v.head_left, &trail, to)
        s.used = steps if end != to else 0
        steps = min(steps - 1, trail.longest)
    return end


# Doubles where points fill up. If only full points look at the order, a multiset of sources has a
# legal order exactly if the bar can be left one by one and no point holds too many in the end. Of
# the steps still to be made, let p be the lowest source: nothing more leaves p - d, which therefore
# takes all that are to come. So the step from p is legal, or p is empty and waits for a checker
# from p + d, for which there is room; and so on up, to a point that holds its checkers already.
# A step that bears off from d itself takes no room and fits in, if all are home from the start.
# Those from points below d come last, when nothing may be overfull any more.
#
# So the sources fall as in `dig`, and on the way a point may be overfull that can still be left.

cdef struct line_t:     # a double on the way
    board_t board
    uint32_t own
    uint32_t below      # where the next step may start: sources never rise
    uint32_t hit        # blots hit so far
    uint32_t over       # points that hold more than they may
    int head_left


cdef inline void set_out(const view_t* v, line_t* line) noexcept nogil:
    """The line without steps."""
    line.board = v.b[0]
    line.own = v.own
    line.below = MOVABLE_MASK
    line.hit = line.over = 0
    line.head_left = v.head_left


cdef inline void go_on(const view_t* v, const line_t* line, int d, int p,
                       line_t* longer) noexcept nogil:
    """The line with one more step, from p."""
    cdef uint32_t at = bit(p), land = at >> d & POINTS_MASK, strike = land & v.blots & ~line.hit
    add32(&longer.board, &line.board, &DELTA[d][p][strike != 0])
    longer.own = (line.own if line.board.at[p] > 1 else line.own ^ at) | land
    longer.below = upto(p)
    longer.hit = line.hit | strike
    longer.over = above(&longer.board, v.r.max_per_point) & POINTS_MASK
    longer.head_left = line.head_left - (p == HEAD and line.head_left != NO_LIMIT)


cdef inline uint32_t line_sources(const view_t* v, const line_t* line, int d,
                                  int left) noexcept nogil:
    """Points for the next of `left` steps: for the last, those that leave nothing overfull."""
    cdef uint32_t from_, open
    cdef uint32_t full = above(&line.board, v.r.max_per_point - 1)
    cdef int p
    open = v.ours & ~full
    if left > 1 and not line.own & BAR_BIT:
        open |= v.ours & full & (v.ours << d | (0 if line.own & ~HOME_MASK else bit(d)))
    from_ = sources(line.own, open, d) & line.below
    if not line.head_left:
        from_ &= ~HEAD_BIT
    if line.over:
        p = highest(line.over)
        if left == 1 and (line.over != bit(p) or line.board.at[p] > v.r.max_per_point + 1):
            return 0
        from_ &= bit(p) if left == 1 else 0 - bit(p)    # from below, sources would rise again
    return from_


cdef board_t* dig_crowd(const view_t* v, const line_t* line, int d, int left,
                        board_t* to) noexcept nogil:
    """Results of `left` more steps of die d, or of up to as many (some)."""
    cdef uint32_t last, from_ = line_sources(v, line, d, left)
    cdef line_t longer
    cdef int p
    if left == 1:
        return last_steps(&line.board, from_, d, v.blots & ~line.hit, True, to)
    while from_:
        p = highest(from_)
        from_ ^= bit(p)
        go_on(v, line, d, p, &longer)
        if left == 2:
            last = line_sources(v, &longer, d, 1)
            to = last_steps(&longer.board, last, d, v.blots & ~longer.hit, True, to)
        else:
            to = dig_crowd(v, &longer, d, left - 1, to)
        if v.r.some and not longer.over:
            to[0] = longer.board
            to += 1
    return to


cdef board_t* crowded_doubles(const view_t* v, int d, int steps, scratch_t* s,
                              board_t* to) noexcept nogil:
    """Results of as many steps of a double as can be played, where points fill up."""
    cdef board_t* end = to
    cdef line_t line
    set_out(v, &line)
    while end == to and steps:
        end = dig_crowd(v, &line, d, steps, to)
        s.used = steps if end != to else 0
        steps -= 1
    return end


cdef enum:      # what a double needs
    PLAIN = 0       # dig: no rule looks at the order of its steps
    CROWDED = 1     # dig_crowd: only full points do
    CAREFUL = 2     # dig_carefully


cdef inline int manner(const view_t* v, int d, int steps) noexcept nogil:
    """How the results of a double are found."""
    # A bear-off needs a step of its own, after those that bring the others home.
    if v.live or (v.r.must_bear_off and may_come_home(v, d, steps - 1)):
        return CAREFUL
    if not v.r.max_per_point or not is_crowded(v, d):
        return PLAIN
    if v.freezing or (v.own & ~HOME_MASK and may_come_home(v, d, steps - 1)):
        return CAREFUL
    return CROWDED


cdef board_t* doubles(const view_t* v, int d, int steps, scratch_t* s, board_t* to) noexcept nogil:
    """Results of as many steps of a double as can be played."""
    cdef int missing = steps, how = manner(v, d, steps)
    cdef board_t* end
    if is_calm(v, d, steps):
        return calm_doubles(v, d, steps, s, to)
    if how != PLAIN:
        return (careful_doubles if how == CAREFUL else crowded_doubles)(v, d, steps, s, to)
    end = dig(v, v.b, v.own, MOVABLE_MASK, 0, v.head_left, d, steps, &missing, to)
    s.used = steps - missing
    if end == to and s.used:
        end = dig(v, v.b, v.own, MOVABLE_MASK, 0, v.head_left, d, s.used, &missing, to)
    return end


cdef Py_ssize_t fast(const view_t* v, const roll_t* roll, scratch_t* s, rows_t* out) noexcept nogil:
    """The results of a roll by the fast paths; 0 if nothing can be played."""
    cdef int a = max(roll.d1, roll.d2), b = min(roll.d1, roll.d2)
    cdef board_t* to = out.at + out.n
    cdef board_t* end
    if a == b:
        end = doubles(v, a, roll.steps, s, to)
    elif v.many_outside or v.own & BAR_BIT:
        end = pairs(v, a, b, s, to)
    else:
        end = home_pairs(v, a, b, s, to)
    out.n += end - to
    return end - to


cdef Py_ssize_t list_plays(const rules_t* r, const view_t* v, const roll_t* roll, scratch_t* s,
                           rows_t* out) noexcept nogil:
    """`plays`, for a board that has been looked at."""
    cdef Py_ssize_t n, i
    if reserve(out, ROOM) < 0:
        return -1
    if is_fast(r, v, roll):
        n = fast(v, roll, s, out)
    else:
        n = search(r, v.b, roll, s)
        if n < 0 or reserve(out, n + 1) < 0:
            return -1
        for i in range(n):
            out.at[out.n + i] = s.finals[i].board
        out.n += n
    if n == 0:
        out.at[out.n] = v.b[0]
        out.n += 1
        n = 1
    return n


cdef Py_ssize_t plays(const rules_t* r, const board_t* b, const roll_t* roll, scratch_t* s,
                      rows_t* out) noexcept nogil:
    """Append every distinct board that the roll may leave; how many.

    -1 if it gave up: there is no memory, or a signal has set an exception (see `gives_up`). A pass
    is the board as it was. The view is the mover's throughout; `s.used` says how many dice the
    plays use.
    """
    cdef view_t v
    look(r, b, roll, &v)
    return list_plays(r, &v, roll, s, out)


# ------------------------------------------------------------------- counting, and one at random

cdef struct weighed_t:  # how many results two different dice have, and the masks behind it
    uint32_t first      # as in two_checkers
    uint32_t second
    uint32_t via_a      # as in one_checker
    uint32_t via_b
    uint32_t alone_a    # sources of one die alone, where that is a result (some)
    uint32_t alone_b
    int two
    int one
    int alone


cdef void weigh_more(const view_t* v, int a, int b, weighed_t* w) noexcept nogil:
    """The part of `weigh` for tight points and for single dice (some)."""
    cdef uint32_t shared = w.first >> a & w.second >> b & v.tight
    if v.own & BAR_BIT:
        shared &= bit(BAR - a)      # who enters by b comes down too far back to be joined by a
    w.two -= popcount(shared)
    if v.r.some:
        w.alone_a, w.alone_b = w.first, w.second
        if v.own & BAR_BIT:
            w.alone_a &= BAR_BIT
            w.alone_b &= BAR_BIT
        w.alone = popcount(w.alone_a) + popcount(w.alone_b)


cdef inline void weigh(const view_t* v, int a, int b, weighed_t* w) noexcept nogil:
    """Count the results of `pairs` without listing them.

    For boards where no block is live, so that of the pairs of `two_checkers` only those that are
    one checker's journey, twice a lone checker, or two that overfill a point are left out.
    """
    cdef uint32_t a_mask = v.own & (v.open << a), b_mask = v.own & (v.open << b), lone
    cdef int entering = v.b.at[BAR]
    if not v.head_left:
        a_mask &= ~HEAD_BIT
        b_mask &= ~HEAD_BIT
    w.via_a, w.via_b = journeys(v, a, a + b), journeys(v, b, a + b)
    w.via_b &= ~w.via_a | v.blots << a | v.blots << b
    w.one = popcount(w.via_a) + popcount(w.via_b)
    if not entering:
        lone = once_only(v)
        w.two = (popcount(a_mask) * popcount(b_mask) - popcount(a_mask & (b_mask << a))
                 - popcount(a_mask & (b_mask >> b)) - popcount(a_mask & b_mask & lone))
    elif entering == 1:
        w.two = 0
        if a_mask & BAR_BIT:
            w.two = popcount(b_mask & ~(BAR_BIT | bit(BAR - a)))
        if b_mask & BAR_BIT:
            w.two += popcount(a_mask & ~(BAR_BIT | bit(BAR - b)))
    else:
        a_mask &= BAR_BIT
        b_mask &= BAR_BIT
        w.two = a_mask & b_mask != 0
    w.first, w.second = a_mask, b_mask
    w.alone_a = w.alone_b = 0
    w.alone = 0
    if v.r.max_per_point or v.r.some:
        weigh_more(v, a, b, w)


cdef inline bint is_light(const view_t* v, const roll_t* roll) noexcept nogil:
    """Whether `weigh` counts the results: two dice, nothing to bear off, no live block."""
    return (roll.d1 != roll.d2 and (v.many_outside or v.own & BAR_BIT != 0) and not v.live)


cdef inline void take_pair(const view_t* v, int a, int b, const weighed_t* w, int k,
                           board_t* to) noexcept nogil:
    """Write the k-th result of `two_checkers`."""
    cdef uint32_t first = w.first, seconds, lone = once_only(v)
    cdef board_t half
    cdef int p, n, entering = v.b.at[BAR]
    while True:
        p = highest(first)
        first ^= bit(p)
        seconds = w.second & ~(bit(p - a) | bit(p + b) | (bit(p) & lone))
        if entering == 1 and p != BAR:
            seconds &= BAR_BIT
        if v.tight:
            seconds &= ~((v.tight & bit(p - a)) << b)
        n = popcount(seconds)
        if k < n:
            break
        k -= n
    add32(&half, v.b, delta(v.blots, a, p))
    add32(to, &half, delta(v.blots & ~bit(p - a), b, kth(seconds, k)))


cdef inline void take_journey(const view_t* v, int a, int b, const weighed_t* w, int k,
                              board_t* to) noexcept nogil:
    """Write the k-th result of `one_checker`."""
    cdef uint32_t from_ = w.via_a | w.via_b
    cdef board_t half
    cdef int p, n
    if not v.blots:  # each checker is in one of the two only
        add32(to, v.b, &DELTA[a + b][kth(from_, k)][0])
        return
    while True:
        p = highest(from_)
        from_ ^= bit(p)
        n = <int>((w.via_a >> p & 1) + (w.via_b >> p & 1))
        if k < n:
            break
        k -= n
    if k == 0 and w.via_a & bit(p):
        add32(&half, v.b, delta(v.blots, a, p))
        add32(to, &half, delta(v.blots, b, p - a))
    else:
        add32(&half, v.b, delta(v.blots, b, p))
        add32(to, &half, delta(v.blots, a, p - b))


cdef inline void take_alone(const view_t* v, int d, uint32_t from_, int k,
                            board_t* to) noexcept nogil:
    """Write the k-th result of `singles`."""
    add32(to, v.b, delta(v.blots, d, kth(from_, k)))


cdef inline void take_weighed(const view_t* v, int a, int b, const weighed_t* w, int k,
                              board_t* to) noexcept nogil:
    """Write the k-th result of `pairs`."""
    cdef int n
    if k < w.two:
        take_pair(v, a, b, w, k, to)
        return
    k -= w.two
    if k < w.one:
        take_journey(v, a, b, w, k, to)
        return
    k -= w.one
    n = popcount(w.alone_a)
    if k < n:
        take_alone(v, a, w.alone_a, k, to)
    else:
        take_alone(v, b, w.alone_b, k - n, to)


cdef inline bint is_open_field(const view_t* v, uint32_t own, uint32_t lone) noexcept nogil:
    """Whether `last_two` counts: after any step some checker is still outside, none on the bar."""
    cdef uint32_t outside = own & ~HOME_MASK
    return (not (v.freezing or own & BAR_BIT)
            and (outside & (outside - 1) or outside & ~lone) != 0)


cdef inline int last_two(const view_t* v, uint32_t from_, uint32_t once, int d) noexcept nogil:
    """How many results the last two steps of a double have, from the points `from_`.

    They are the pairs p >= q of sources, but for p = q where only one checker may leave, and the
    journeys p, p - d where p - d is no source before.
    """
    cdef int n = popcount(from_)
    return (n * (n + 1) // 2 - popcount(from_ & once)
            + popcount(from_ & ~(from_ << d) & (v.open << 2 * d)))


cdef inline int choose_two(int n) noexcept nogil:
    return n * (n - 1) >> 1


cdef inline int count_two(const supply_t* s, int d) noexcept nogil:
    """How many results the last two steps of a calm double have (see `count_four`)."""
    cdef uint32_t come = s.from_ >> d & ~(s.blots & s.freezing)
    return (choose_two(popcount(s.from_))
            + popcount((s.from_ & s.two) | (come & s.ways & ~s.from_)))


cdef inline int count_three(const supply_t* s, int d) noexcept nogil:
    """How many results three steps of a calm double have, if no hitter is frozen."""
    cdef uint32_t from_ = s.from_, new = (from_ >> d) & s.ways & ~from_
    cdef uint32_t newer = (new >> d) & s.ways & ~from_, fed = from_ & ~s.two & (from_ >> d)
    cdef int n = popcount(from_)
    return (n * (n - 1) * (n - 2) // 6 + (n - 1) * popcount((from_ & s.two) | new)
            + popcount((from_ & s.three) | fed | (new & (s.two & from_) >> d) | newer))


cdef inline int count_four(const supply_t* s, int d) noexcept nogil:
    """How many results four steps of a calm double have, if no hitter is frozen.

    The multisets of sources, by how many of them are points that a step of this double opens: let
    `new` be those that a checker from a source reaches, `newer` those reached from there, `newest`
    from there; `fed` the sources with one checker to which another source may send a second. With
    n sources, of which some have two, three or four checkers, the terms below are in turn: four
    different points; two from one point or to a new one, beside two others; twice that; a fed point
    twice, beside the feeder and one other; three from one, two to the new and a newer one, beside
    one other; and what is fixed by its highest point.
    """
    cdef uint32_t from_ = s.from_, two = from_ & s.two, three = from_ & s.three
    cdef uint32_t new = (from_ >> d) & s.ways & ~from_, newer = (new >> d) & s.ways & ~from_
    cdef uint32_t fed = from_ & ~two & (from_ >> d), twice = new & (two >> d)
    cdef uint32_t fixed = ((fed & (two >> d)) | (two & ~three & (from_ >> d)) | (three & s.four)
                           | ((new >> d) & from_ & ~two) | (new & (fed | three) >> d)
                           | (newer & (twice >> d)) | ((newer >> d) & s.ways & ~from_))
    cdef int n = popcount(from_), m = popcount(two | new)
    return (n * (n - 1) * (n - 2) * (n - 3) // 24 + m * choose_two(n - 1) + choose_two(m)
            + (n - 2) * popcount(fed) + (n - 1) * popcount(three | twice | newer) + popcount(fixed))


cdef int count_calm(const supply_t* supply, int d, int left) noexcept nogil:
    """How many results `left` steps of a calm double have."""
    cdef supply_t s = supply[0], then
    cdef int n = 0
    if left == 1:
        return popcount(s.from_)
    if left == 2:
        return count_two(&s, d)
    if left == 0:
        return 1
    if not s.freezing:
        return count_three(&s, d) if left == 3 else count_four(&s, d)
    while s.from_:
        then = drawn(&s, bit(highest(s.from_)), d, True)
        n += count_calm(&then, d, left - 1)
        s.from_ ^= bit(highest(s.from_))
    return n


cdef inline int weigh_double(const view_t* v, int d, int steps, calm_t* calm) noexcept nogil:
    """How many results a calm double has, and what is needed to take one; a pass counts as one."""
    cdef int n
    calm_start(v, d, steps, calm)
    n = count_calm(&calm.supply, d, calm.left)
    if not n:
        calm.left = most_steps(&calm.supply, d, calm.left)
        n = count_calm(&calm.supply, d, calm.left)
    return n


cdef void take_calm(const calm_t* calm, int d, int k, board_t* to) noexcept nogil:
    """Write the k-th result of a calm double; there are more than k."""
    cdef supply_t s = calm.supply, then
    cdef int n, p, left
    to[0] = calm.start
    for left in range(calm.left - 1, -1, -1):
        while True:
            p = highest(s.from_)
            then = drawn(&s, bit(p), d, True)
            n = count_calm(&then, d, left)
            if k < n:
                break
            k -= n
            s.from_ ^= bit(p)
        make_step(to, &s, p, d, True, to)
        s = then


cdef int dig_count(const view_t* v, const board_t* b, uint32_t own, uint32_t below_,
                   uint32_t hit, int head_left, int d, int left, int* missing) noexcept nogil:
    """How many results `dig` lists."""
    cdef uint32_t from_ = dig_sources(v, b, own, below_, hit, head_left, d)
    cdef uint32_t lone, at, land, strike, own_then, last
    cdef board_t child
    cdef int p, head_then, more, n = 0
    if not from_:
        missing[0] = min(missing[0], left)
        return 0
    if left == 1:
        missing[0] = 0
        return popcount(from_)
    lone = equal(b, 1)
    if left == 2 and is_open_field(v, own, lone):
        n = last_two(v, from_, lone | (HEAD_BIT if head_left == 1 else 0), d)
        missing[0] = min(missing[0], 0 if n else 1)
        return n + popcount(from_) if v.r.some else n
    if v.r.some:
        n = popcount(from_)
    while from_:
        p = highest(from_)
        at = bit(p)
        from_ ^= at
        land = at >> d & POINTS_MASK
        strike = land & v.blots & ~hit
        own_then = (own & ~(at & lone)) | land
        head_then = head_left
        if p == HEAD and head_left != NO_LIMIT:
            head_then -= 1
        if left > 2 or (hit | strike) & v.freezing:
            add32(&child, b, &DELTA[d][p][strike != 0])
            more = dig_count(v, &child, own_then, upto(p), hit | strike, head_then, d, left - 1,
                             missing)
            if not more:
                break
            n += more
            continue
        last = sources(own_then, v.open, d) & upto(p)
        if not head_then:
            last &= ~HEAD_BIT
        missing[0] = min(missing[0], 0 if last else 1)
        if not last:
            break
        n += popcount(last)
    return n


cdef void dig_take(const view_t* v, const board_t* b, uint32_t own, uint32_t below_, uint32_t hit,
                   int head_left, int d, int left, int k, board_t* to) noexcept nogil:
    """Write the k-th result that `dig` lists; there are more than k."""
    cdef uint32_t from_ = dig_sources(v, b, own, below_, hit, head_left, d)
    cdef uint32_t lone = equal(b, 1), at, strike, own_then
    cdef board_t child
    cdef int p, head_then, n, missing = left
    if left == 1:
        p = kth(from_, k)
        add32(to, b, delta(v.blots & ~hit, d, p))
        return
    while True:
        p = highest(from_)
        at = bit(p)
        from_ ^= at
        strike = at >> d & v.blots & ~hit
        own_then = (own & ~(at & lone)) | (at >> d & POINTS_MASK)
        head_then = head_left
        if p == HEAD and head_left != NO_LIMIT:
            head_then -= 1
        add32(&child, b, &DELTA[d][p][strike != 0])
        n = dig_count(v, &child, own_then, upto(p), hit | strike, head_then, d, left - 1, &missing)
        if k < n:
            dig_take(v, &child, own_then, upto(p), hit | strike, head_then, d, left - 1, k, to)
            return
        k -= n
        if v.r.some:
            if k == 0:
                to[0] = child
                return
            k -= 1


cdef inline int last_two_crowded(const view_t* v, const line_t* line, uint32_t from_,
                                 uint32_t once, int d) noexcept nogil:
    """`last_two` for `dig_crowd`, no point being overfull yet; with single steps, if allowed.

    Of the pairs p >= q of sources, p may land on a full point only if q is that point. Two from one
    point need room for both. The middle point of a journey is empty.
    """
    cdef uint32_t full = above(&line.board, v.r.max_per_point - 1), into = from_ & full << d
    cdef uint32_t free = from_ ^ into
    cdef uint32_t two = free & ~(once | roomless(&line.board, v.r.max_per_point) << d)
    cdef int n = popcount(free)
    return (n * (n - 1) // 2 + popcount(two) + popcount(into & free << d)
            + popcount(free & ~(from_ << d) & ((v.ours & ~full) << 2 * d))
            + (n if v.r.some else 0))


cdef int count_crowd(const view_t* v, const line_t* line, int d, int left) noexcept nogil:
    """How many results `dig_crowd` lists."""
    cdef uint32_t once, from_ = line_sources(v, line, d, left)
    cdef line_t longer
    cdef int p, n = 0
    if left == 1:
        return popcount(from_)
    if left == 2 and not line.over:
        once = equal(&line.board, 1)
        if is_open_field(v, line.own, once):
            once |= HEAD_BIT if line.head_left == 1 else 0
            return last_two_crowded(v, line, from_, once, d)
    while from_:
        p = highest(from_)
        from_ ^= bit(p)
        go_on(v, line, d, p, &longer)
        if left == 2:
            n += popcount(line_sources(v, &longer, d, 1))
        else:
            n += count_crowd(v, &longer, d, left - 1)
        if v.r.some and not longer.over:
            n += 1
    return n


cdef void take_crowd(const view_t* v, const line_t* line, int d, int left, int k,
                     board_t* to) noexcept nogil:
    """Write the k-th result that `dig_crowd` lists; there are more than k."""
    cdef uint32_t from_ = line_sources(v, line, d, left)
    cdef line_t longer
    cdef int p, n
    if left == 1:
        p = kth(from_, k)
        add32(to, &line.board, delta(v.blots & ~line.hit, d, p))
        return
    while True:
        p = highest(from_)
        from_ ^= bit(p)
        go_on(v, line, d, p, &longer)
        n = count_crowd(v, &longer, d, left - 1)
        if k < n:
            take_crowd(v, &longer, d, left - 1, k, to)
            return
        k -= n
        if v.r.some and not longer.over:
            if k == 0:
                to[0] = longer.board
                return
            k -= 1


cdef int count_double(const view_t* v, int how, int d, int* steps) noexcept nogil:
    """How many results a double has that is not CAREFUL; `steps` gets how many can be played."""
    cdef int n = 0, missing = steps[0]
    cdef line_t line
    if how == CROWDED:
        set_out(v, &line)
        while steps[0]:
            n = count_crowd(v, &line, d, steps[0])
            if n:
                break
            steps[0] -= 1
        return n
    n = dig_count(v, v.b, v.own, MOVABLE_MASK, 0, v.head_left, d, steps[0], &missing)
    if not n:
        steps[0] -= missing
        if missing and steps[0]:
            n = dig_count(v, v.b, v.own, MOVABLE_MASK, 0, v.head_left, d, steps[0], &missing)
    return n


cdef int take_double(const view_t* v, int how, int d, int steps, uint64_t luck, scratch_t* s,
                     board_t* to) noexcept nogil:
    """`take_any` for a double that is not CAREFUL."""
    cdef int n = count_double(v, how, d, &steps), k
    cdef line_t line
    s.used = steps if n else 0
    if not n:
        to[0] = v.b[0]
        return 1
    k = below(luck, n)
    if how == CROWDED:
        set_out(v, &line)
        take_crowd(v, &line, d, steps, k, to)
    else:
        dig_take(v, v.b, v.own, MOVABLE_MASK, 0, v.head_left, d, steps, k, to)
    return n


cdef int take_any(const rules_t* r, const board_t* b, const roll_t* roll, uint64_t luck,
                  scratch_t* s, board_t* to) noexcept nogil:
    """Write one of the results of a roll, each alike: the one that `luck` picks of `plays`.

    How many there are, or -1 if it gave up; `s.used` as in `plays`.
    """
    cdef view_t v
    cdef weighed_t w
    cdef calm_t calm
    cdef Py_ssize_t n
    cdef int how, high = max(roll.d1, roll.d2), low = min(roll.d1, roll.d2)
    look(r, b, roll, &v)
    if is_fast(r, &v, roll):
        if is_light(&v, roll):
            weigh(&v, high, low, &w)
            n = w.two + w.one + w.alone
            if n:
                s.used = 2 if w.two + w.one else 1
                take_weighed(&v, high, low, &w, below(luck, <int>n), to)
                return <int>n
        elif high == low:
            if is_calm(&v, high, roll.steps):
                n = weigh_double(&v, high, roll.steps, &calm)
                s.used = calm.entered + calm.left
                take_calm(&calm, high, below(luck, <int>n), to)
                return <int>n
            how = manner(&v, high, roll.steps)
            if how != CAREFUL:
                return take_double(&v, how, high, roll.steps, luck, s, to)
    s.rows.n = 0
    n = list_plays(r, &v, roll, s, &s.rows)
    if n > 0:
        to[0] = s.rows.at[below(luck, <int>n)]
    return <int>n


cdef Py_ssize_t count(const rules_t* r, const board_t* b, const roll_t* roll,
                      scratch_t* s) noexcept nogil:
    """How many boards `plays` would list, or -1 if it gave up."""
    cdef view_t v
    cdef weighed_t w
    cdef calm_t calm
    cdef int n, how, steps = roll.steps
    look(r, b, roll, &v)
    if is_fast(r, &v, roll):
        if is_light(&v, roll):
            weigh(&v, max(roll.d1, roll.d2), min(roll.d1, roll.d2), &w)
            n = w.two + w.one + w.alone
            if n:
                return n
        elif roll.d1 == roll.d2:
            if is_calm(&v, roll.d1, roll.steps):
                return weigh_double(&v, roll.d1, roll.steps, &calm)
            how = manner(&v, roll.d1, roll.steps)
            if how != CAREFUL:
                return max(1, count_double(&v, how, roll.d1, &steps))
    s.rows.n = 0
    return list_plays(r, &v, roll, s, &s.rows)
