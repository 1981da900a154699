# Plays whole games: chooses among the plays of each roll that flow.pxd asks for.
#
# This file is included, after movegen.pxi, by kernel_plain.pyx and kernel_avx2.pyx.

from libc.stdint cimport uint64_t

from nardy_core.dice cimport choice_key, lot, throw, word
from nardy_core.ending cimport is_known
from nardy_core.evaluate cimport best_of, weights_t
from nardy_core.flow cimport (
    OVER,
    THROW,
    choice_index,
    flow_pass_on,
    flow_play,
    flow_start,
    flow_t,
    flow_throw,
)
from nardy_core.kernel cimport (
    MAX_TURNS,
    RANDOM,
    ends_t,
    event_t,
    events_t,
    policy_t,
    result_t,
)


cdef struct game_t:    # a game under way
    flow_t flow
    const rules_t* r
    const policy_t* policy
    const ends_t* ends  # where to leave it; NULL: play to the end
    scratch_t* s
    events_t* events
    uint64_t dice
    uint64_t choices
    bint opening
    bint cut
    bint failed


cdef void watch(game_t* g, const board_t* after) noexcept nogil:
    """Write a roll or stage down, if somebody watches."""
    cdef const flow_t* f = &g.flow
    cdef events_t* e = g.events
    cdef void* moved
    cdef event_t* event
    if e.n == e.cap:
        moved = realloc(e.at, <size_t>(2 * e.cap + 64) * sizeof(event_t))
        if moved == NULL:
            g.failed = True
            return
        e.at = <event_t*>moved
        e.cap = 2 * e.cap + 64
    event = &e.at[e.n]
    event.remainder = f.remainder
    event.player = f.mover
    event.d1, event.d2, event.steps = f.roll.d1, f.roll.d2, f.roll.steps
    event.before = f.board
    event.after = after[0]
    e.n += 1


cdef int choose(const rules_t* r, const board_t* b, const roll_t* roll, int kind,
                const weights_t* weights, uint64_t luck, scratch_t* s,
                board_t* after) noexcept nogil:
    """Make the play of a roll that a policy chooses; the dice used, or -1 if it gave up."""
    cdef Py_ssize_t n
    if kind == RANDOM:
        n = take_any(r, b, roll, luck, s, after)
        return -1 if n < 0 else s.used
    s.rows.n = 0
    n = plays(r, b, roll, s, &s.rows)
    if n < 0:
        return -1
    after[0] = s.rows.at[best_of(r, weights, b, s.rows.at, n)]
    return s.used


cdef inline void play_roll(game_t* g) noexcept nogil:
    """Play the roll or stage that is asked for."""
    cdef flow_t* f = &g.flow
    cdef board_t after = f.board
    cdef uint64_t luck = word(g.choices, choice_index(f))
    cdef int used = choose(g.r, &f.board, &f.roll, g.policy.kind[f.mover],
                           g.policy.weights[f.mover], luck, g.s, &after)
    if used < 0:
        g.failed = True
        return
    if g.events != NULL:
        watch(g, &after)
    flow_play(g.r, f, &after, used)


cdef int is_stuck(const rules_t* r, const board_t* b, bint general, scratch_t* s) noexcept nogil:
    """Whether neither player can play any roll, so that the game cannot go on; -1 gave up."""
    cdef flow_t f
    cdef int _, d1, d2
    flow_start(r, b, &f)
    f.roll.general = general
    for _ in range(2):
        for d1 in range(1, 7):
            for d2 in range(1, d1 + 1):
                flow_throw(r, &f, d1, d2)
                s.rows.n = 0
                if plays(r, &f.board, &f.roll, s, &s.rows) < 0:
                    return -1
                if s.used:
                    return False
        flow_pass_on(r, &f)
    return True


cdef inline bint plays_lot(const game_t* g) noexcept nogil:
    """Whether the next dice are those of the lot, which the rules give to the starter."""
    return g.opening and g.r.lot and g.flow.turns == 0


cdef inline void throw_dice(game_t* g) noexcept nogil:
    """Throw the dice of the next turn."""
    cdef int d1, d2
    if plays_lot(g):
        lot(g.dice, &d1, &d2)
    else:
        throw(g.dice, <uint64_t>g.flow.turns, &d1, &d2)
    flow_throw(g.r, &g.flow, d1, d2)


cdef inline bint leaves_off(const game_t* g) noexcept nogil:
    """Whether tables know the rest: they throw all dice alike, so never before those of the lot."""
    return is_known(g.r, &g.flow) and not plays_lot(g)


cdef void play_on(game_t* g) noexcept nogil:
    """Roll after roll until the game is over, can never be, or is left to the tables."""
    cdef flow_t* f = &g.flow
    cdef int stuck
    while f.act != OVER and not g.failed:
        if f.act == THROW:
            if g.ends != NULL and leaves_off(g):
                g.cut = True
                return
            if f.turns >= MAX_TURNS:
                return
            if f.still and f.still % 8 == 0:
                stuck = is_stuck(g.r, &f.board, f.roll.general, g.s)
                g.failed = stuck < 0
                if stuck:
                    return
            throw_dice(g)
        play_roll(g)


cdef void play_game(const rules_t* r, const board_t* start, bint opening, uint64_t key,
                    const policy_t* policy, const ends_t* ends, bint general, scratch_t* s,
                    events_t* events, result_t* result) noexcept nogil:
    """Play one game from `start`, whose player on roll is player 0 and counts as first mover.

    A game in which neither player can ever play again, or of MAX_TURNS turns, has no winner. With
    `ends` it is left where these tables know the rest (ending.pxd).
    """
    cdef game_t g
    g.r, g.policy, g.ends, g.s, g.events = r, policy, ends, s, events
    g.dice, g.choices = key, choice_key(key)
    g.opening = opening
    g.cut = g.failed = False
    flow_start(r, start, &g.flow)
    g.flow.roll.general = general
    play_on(&g)
    result.winner, result.kind = g.flow.winner, g.flow.kind
    result.turns = g.flow.turns
    result.failed, result.cut = g.failed, g.cut
    result.mover, result.board = g.flow.mover, g.flow.board
