"""Lists the plays of a roll: one general search, and fast paths where they are exact.

The general search asks steps.pxd for every step and would not change for a new game. The fast paths
work on masks; `is_fast` names the rules and boards under which they are exact.
"""

from libc.stdint cimport int32_t, uint32_t, uint64_t
from libc.stdlib cimport free, qsort, realloc
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
    upto,
)
from nardy_core.rules cimport AHEAD, FREE, HITTER_FREE, HOME, NO_SHELTER, STAYS_HOME, rules_t
from nardy_core.steps cimport (
    LEGAL,
    NO_LIMIT,
    block_fault,
    enemy_numbers,
    head_allowance,
    state_t,
    step,
    step_fault,
)

cdef enum:
    ROOM = 20480       # rows kept free before a fast path: C(25 + 3, 4) = 20,475 multisets of
                       # four sources bound every double of four steps, 25 * 25 + 50 the others
    HOME_ROOM = 128    # home_pairs: 7 sources (6 points and one outside) twice, in two orders

cdef board_t DELTA[2][7][26]
"""What a step adds to the board: [hits a blot][die][source]; written once, at import."""


cdef void fill_delta() noexcept:
    cdef int hits, d, p, to
    memset(&DELTA[0][0][0], 0, sizeof(DELTA))
    for hits in range(2):
        for d in range(1, 7):
            for p in range(1, BAR + 1):
                to = p - d if p > d else OFF
                DELTA[hits][d][p].at[p] -= 1
                DELTA[hits][d][p].at[to] += 1
                if hits and to:
                    DELTA[hits][d][p].at[to] += 1
                    DELTA[hits][d][p].at[THEIR_BAR] -= 1


fill_delta()


# ------------------------------------------------------------------------------------- memory

cdef int grow(void** block, Py_ssize_t* cap, Py_ssize_t need, size_t size) noexcept nogil:
    """Make room for `need` items of `size` bytes; 0, or -1 when there is no memory."""
    cdef Py_ssize_t new = cap[0] + cap[0] // 2
    cdef void* moved
    if need <= cap[0]:
        return 0
    if new < need:
        new = need
    moved = realloc(block[0], <size_t>new * size)
    if moved == NULL:
        return -1
    block[0] = moved
    cap[0] = new
    return 0


cdef int reserve(rows_t* rows, Py_ssize_t extra) noexcept nogil:
    """Make room for `extra` more boards; 0, or -1 when there is no memory."""
    return grow(<void**>&rows.at, &rows.cap, rows.n + extra, sizeof(board_t))


cdef void drop(scratch_t* s) noexcept nogil:
    """Give back all memory of a scratch."""
    free(s.nodes)
    free(s.table)
    free(s.finals)
    free(s.rows.at)
    memset(s, 0, sizeof(scratch_t))


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


cdef int expand(const rules_t* r, scratch_t* s, Py_ssize_t low, Py_ssize_t high, int d, int other,
                bint merge) noexcept nogil:
    """Lengthen the nodes low..high by one step of die d, in every legal way."""
    cdef Py_ssize_t i, level = s.n_nodes
    cdef int p, hitter
    cdef state_t child
    if merge and rehash(s, level) < 0:
        return -1
    for i in range(low, high):
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
    const board_t* b
    uint32_t own        # 1..24 and the bar
    uint32_t ours       # points 1..24 that the opponent does not close
    uint32_t open       # those where a checker may land now: `ours` without full points
    uint32_t tight      # points that one more own checker fills
    uint32_t blots      # lone enemies that are hit
    uint32_t freezing   # blots whose hitter stays (stays_home)
    int head_left
    bint many_outside   # two or more own checkers are not home
    int most            # max_per_point, or 0
    bint some           # use_dice = some
    bint must_off       # must_bear_off


cdef inline void look(const rules_t* r, const board_t* b, const roll_t* roll,
                      view_t* v) noexcept nogil:
    """The masks of a board."""
    cdef uint32_t outside
    v.b = b
    v.own = own_mask(b)
    v.ours = v.open = above(b, -2 if r.hit else -1) & POINTS_MASK
    v.blots = equal(b, -1) & POINTS_MASK if r.hit else 0
    v.freezing = v.blots & HOME_MASK if r.hitter == STAYS_HOME else 0
    v.head_left = head_allowance(r, b, roll.d1, roll.d2, roll.head_used, roll.exception)
    outside = v.own & ~HOME_MASK
    v.many_outside = outside != 0 and (outside & (outside - 1) != 0 or b.at[lowest(outside)] > 1)
    v.most, v.some, v.must_off = r.max_per_point, r.some, r.must_bear_off
    v.tight = 0
    if v.most:
        v.open &= ~above(b, v.most - 1)
        v.tight = equal(b, v.most - 1) & POINTS_MASK


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
    return &DELTA[1 if p > d and blots & bit(p - d) else 0][d][p]


cdef inline void put(rows_t* out, const board_t* b, const board_t* change) noexcept nogil:
    """Append a board and a step."""
    add32(out.at + out.n, b, change)
    out.n += 1


cdef inline bint block_is_live(const rules_t* r, const view_t* v, const roll_t* roll) noexcept nogil:
    """Whether any step of this roll might leave an illegal block.

    All points that the turn can reach, taken together, hold every wall that a step can leave. Only
    walls with no enemy ahead count, so under `ahead` only numbers below his foremost checker.
    """
    cdef uint32_t reach = v.own, enemies, wall
    cdef int k
    if r.block == FREE:
        return False
    if roll.d1 == roll.d2:
        for k in range(roll.steps):
            reach |= (reach >> roll.d1) & v.ours
    else:
        reach |= ((reach >> roll.d1) & v.ours) | ((reach >> roll.d2) & v.ours)
        reach |= ((reach >> roll.d1) & v.ours) | ((reach >> roll.d2) & v.ours)
    wall = runs_of_six(facing_mask(r.parallel, reach & POINTS_MASK))
    if not wall:
        return False
    if r.block == AHEAD or r.block == HOME:
        if v.b.at[THEIR_OFF] < 0:
            return False
        enemies = enemy_numbers(r, v.b)
        if r.block == HOME:
            return not enemies & HOME_MASK
        # An enemy inside a reachable wall stands on a point that is not mine, so it is no wall.
        return not enemies or lowest(wall) < lowest(enemies)
    return True


cdef inline bint few_outside(const view_t* v, int limit) noexcept nogil:
    """Whether at most `limit` own checkers are not home."""
    cdef int n = 0
    cdef uint32_t outside = v.own & ~HOME_MASK
    while outside:
        n += v.b.at[lowest(outside)]
        if n > limit:
            return False
        outside &= outside - 1
    return True


cdef inline bint may_overfill(const view_t* v, int d, int steps) noexcept nogil:
    """Whether some order of `steps` steps of die d might find a point full.

    Bounds the checkers that can come to each point: one from d pips off costs a step, one from 2 d
    pips off costs two, and so on.
    """
    cdef int p, q, k, left, n
    for p in range(1, BAR - d + 1):
        if not v.ours & bit(p):
            continue
        n = v.b.at[p] if v.b.at[p] > 0 else 0
        left = steps
        q = p + d
        k = 1
        while q <= BAR and left >= k:
            if v.own & bit(q):
                n += min(<int>v.b.at[q], left // k)
                left -= k * min(<int>v.b.at[q], left // k)
            q += d
            k += 1
        if n > v.most:
            return True
    return False


cdef inline bint is_fast(const rules_t* r, const view_t* v, const roll_t* roll) noexcept nogil:
    """Whether the fast paths are exact for this board and roll.

    They hold where a play is decided by its set of sources, and no rule looks at the order of the
    steps but those that the paths know: frozen hitters (every path), full points (not doubles that
    might fill one), the duty to bear off (not doubles that might bear off). So: no hitter seeking
    shelter while there is a blot, and no block that could be illegal on the way.
    """
    if roll.general or (r.hitter == NO_SHELTER and v.blots):
        return False
    if roll.d1 == roll.d2:
        if roll.steps > 4 or (v.most and may_overfill(v, roll.d1, roll.steps)):
            return False
        # Every step but the last may bring one checker home before a bear-off.
        if v.must_off and few_outside(v, roll.steps - 1):
            return False
    return not block_is_live(r, v, roll)


cdef Py_ssize_t singles(const view_t* v, int d, rows_t* out) noexcept nogil:
    """Results of one die alone, where nothing can be borne off."""
    cdef uint32_t from_ = sources(v.own, v.open, d)
    cdef Py_ssize_t first = out.n
    cdef int p
    if not v.head_left:
        from_ &= ~HEAD_BIT
    while from_:
        p = highest(from_)
        from_ ^= bit(p)
        put(out, v.b, delta(v.blots, d, p))
    return out.n - first


cdef void two_checkers(const view_t* v, int a, int b, rows_t* out) noexcept nogil:
    """Results of both of two different dice a > b, each played by a checker of its own.

    The pair (p by a, q by b) changes -p -q +(p-a) +(q-b), which no other pair does, unless q = p-a
    or p = q-b: then one point cancels and the board is that of one checker going all the way.
    Without those, neither step frees the point on which the other lands, so a full point is closed
    in both orders, and one with room for one checker takes only one.
    """
    cdef uint32_t first = sources(v.own, v.open, a), second = v.own & (v.open << b), second_of_p
    cdef board_t half
    cdef int p, q, entering = v.b.at[BAR]
    if entering:
        second = sources(v.own, v.open, b)
        if entering == 1:
            # One of the two enters, the other die is free for all.
            first, second = v.own & (v.open << a), v.own & (v.open << b)
            if not (first | second) & BAR_BIT:
                return
    if not v.head_left:
        first &= ~HEAD_BIT
        second &= ~HEAD_BIT
    while first:
        p = highest(first)
        first ^= bit(p)
        second_of_p = second & ~(bit(p - a) | bit(p + b))
        if v.b.at[p] == 1 or (p == HEAD and v.head_left == 1):
            second_of_p &= ~bit(p)
        if entering == 1 and p != BAR:
            second_of_p &= BAR_BIT
        if v.tight & bit(p - a):
            second_of_p &= ~bit(p - a + b)
        if not second_of_p:
            continue
        add32(&half, v.b, delta(v.blots, a, p))
        while second_of_p:
            q = highest(second_of_p)
            second_of_p ^= bit(q)
            put(out, &half, delta(v.blots & ~bit(p - a), b, q))


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


cdef void one_checker(const view_t* v, int a, int b, rows_t* out) noexcept nogil:
    """Results of both of two different dice a > b, played by one checker.

    Of its two ways both are listed only if a blot on a middle point tells them apart.
    """
    cdef uint32_t via_a = journeys(v, a, a + b), via_b = journeys(v, b, a + b)
    cdef uint32_t from_ = via_a | via_b
    cdef board_t half
    cdef int p
    while from_:
        p = highest(from_)
        from_ ^= bit(p)
        if via_a & bit(p):
            add32(&half, v.b, delta(v.blots, a, p))
            put(out, &half, delta(v.blots, b, p - a))
        if via_b & bit(p) and (not via_a & bit(p) or v.blots & (bit(p - a) | bit(p - b))):
            add32(&half, v.b, delta(v.blots, b, p))
            put(out, &half, delta(v.blots, a, p - b))


cdef Py_ssize_t pairs(const view_t* v, int a, int b, scratch_t* s, rows_t* out) noexcept nogil:
    """Results of two different dice a > b, where nothing can be borne off."""
    cdef Py_ssize_t first = out.n
    two_checkers(v, a, b, out)
    one_checker(v, a, b, out)
    s.used = 2
    if out.n == first or v.some:
        if out.n == first:
            s.used = 1
        if not singles(v, a, out) or v.some:
            singles(v, b, out)
    if out.n == first:
        s.used = 0
    return out.n - first


cdef struct few_t:      # a short list of results, each once with its least key
    board_t at[HOME_ROOM]
    uint32_t keys[HOME_ROOM]    # key << 8 | index
    int n


cdef inline void enlist(few_t* few, const board_t* b, const board_t* change,
                        uint32_t key) noexcept nogil:
    """Add a board and a step to a short list, unless it is there."""
    cdef int i = 0
    add32(&few.at[few.n], b, change)
    while i < few.n and not same(&few.at[i], &few.at[few.n]):
        i += 1
    if i == few.n:
        few.keys[i] = key << 8 | <uint32_t>i
        few.n += 1
    elif key < few.keys[i] >> 8:
        few.keys[i] = key << 8 | <uint32_t>i


cdef inline void unload(few_t* few, rows_t* out) noexcept nogil:
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
        out.at[out.n] = few.at[few.keys[i] & 0xFF]
        out.n += 1


cdef inline uint32_t second_sources(const view_t* v, const board_t* half, uint32_t own, int d,
                                    uint32_t frozen) noexcept nogil:
    """Points from which the second die d can be played, with at most one checker outside."""
    cdef uint32_t from_, open = v.open
    if v.most:
        open = v.ours & ~above(half, v.most - 1)
    if v.must_off:
        from_ = offs(own, d) & ~frozen
        if from_:
            return from_
    from_ = sources(own, open, d) & ~frozen
    return from_ if v.head_left else from_ & ~HEAD_BIT


cdef Py_ssize_t home_pairs(const view_t* v, int a, int b, scratch_t* s, rows_t* out) noexcept nogil:
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
        if v.must_off and (offs(v.own, a) | offs(v.own, b)):
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
            hit = bit(p - d) & v.blots if p > d else 0
            second = second_sources(v, &half, own, e, hit & v.freezing)
            while second:
                q = highest(second)
                second ^= bit(q)
                enlist(&few, &half, delta(v.blots & ~hit, e, q),
                       pair_key(a, b, q, p) if order else pair_key(a, b, p, q))
    s.used = 2 if few.n else 1
    for order in range(2):
        if few.n == 0 or v.some:
            first = firsts[order]
            while first:
                p = highest(first)
                first ^= bit(p)
                enlist(&few, v.b, delta(v.blots, b if order else a, p), single_key(order, p))
    if few.n == 0:
        s.used = 0
    unload(&few, out)
    return few.n


cdef Py_ssize_t dig(const view_t* v, const board_t* b, uint32_t own, int d, int left,
                    uint32_t below, uint32_t hit, int head_left, int* missing,
                    rows_t* out) noexcept nogil:
    """Results of `left` more steps of die d, sources never rising.

    A double's result is its multiset of sources, one board each (the steps are linearly
    independent), and if any order of them is legal the falling one is: the bar goes first, a
    checker is borne off from a higher point before a lower, and all that come to a point are there
    before one leaves, which is best for a frozen hitter. `hit` is the set of blots hit so far;
    `missing` gets the least number of steps that some line could not play.
    """
    cdef uint32_t from_ = sources(own, v.open, d) & below, blots = v.blots & ~hit
    cdef Py_ssize_t n = out.n
    cdef board_t child
    cdef int p
    if not head_left:
        from_ &= ~HEAD_BIT
    if hit & v.freezing:
        from_ &= ~(hit & v.freezing & equal(b, 1))
    if not from_:
        if left < missing[0]:
            missing[0] = left
        return 0
    if left == 1:
        missing[0] = 0
        while from_:
            p = highest(from_)
            from_ ^= bit(p)
            put(out, b, delta(blots, d, p))
        return out.n - n
    while from_:
        p = highest(from_)
        from_ ^= bit(p)
        add32(&child, b, delta(blots, d, p))
        dig(v, &child, own_mask(&child), d, left - 1, upto(p),
            hit | (bit(p - d) & blots if p > d else 0),
            head_left - (p == HEAD and head_left != NO_LIMIT), missing, out)
        if v.some:
            out.at[out.n] = child
            out.n += 1
    return out.n - n


cdef Py_ssize_t doubles(const view_t* v, int d, int steps, scratch_t* s,
                        rows_t* out) noexcept nogil:
    """Results of as many steps of a double as can be played."""
    cdef int missing = steps
    cdef Py_ssize_t n = dig(v, v.b, v.own, d, steps, MOVABLE_MASK, 0, v.head_left, &missing, out)
    s.used = steps - missing
    if not n and s.used:
        n = dig(v, v.b, v.own, d, s.used, MOVABLE_MASK, 0, v.head_left, &missing, out)
    return n


cdef Py_ssize_t fast(const view_t* v, const roll_t* roll, scratch_t* s, rows_t* out) noexcept nogil:
    """The results of a roll by the fast paths; 0 if nothing can be played."""
    cdef int a = max(roll.d1, roll.d2), b = min(roll.d1, roll.d2)
    if a == b:
        return doubles(v, a, roll.steps, s, out)
    if v.many_outside or v.own & BAR_BIT:
        return pairs(v, a, b, s, out)
    return home_pairs(v, a, b, s, out)


cdef Py_ssize_t plays(const rules_t* r, const board_t* b, const roll_t* roll, scratch_t* s,
                      rows_t* out) noexcept nogil:
    """Append every distinct board that the roll may leave; how many, or -1 without memory.

    A pass is the board as it was. The view is the mover's throughout; `s.used` says how many dice
    the plays use.
    """
    cdef view_t v
    cdef Py_ssize_t n, i
    if reserve(out, ROOM) < 0:
        return -1
    look(r, b, roll, &v)
    if is_fast(r, &v, roll):
        n = fast(&v, roll, s, out)
    else:
        n = search(r, b, roll, s)
        if n < 0 or reserve(out, n + 1) < 0:
            return -1
        for i in range(n):
            out.at[out.n + i] = s.finals[i].board
        out.n += n
    if n == 0:
        out.at[out.n] = b[0]
        out.n += 1
        n = 1
    return n


cdef Py_ssize_t count(const rules_t* r, const board_t* b, const roll_t* roll,
                      scratch_t* s) noexcept nogil:
    """How many boards `plays` would list, or -1 without memory."""
    s.rows.n = 0
    return plays(r, b, roll, s, &s.rows)
