# Plays whole games: the order of turns, cascades, remainders, the last turn, and the result.
#
# This file is included, after movegen.pxi, by kernel_plain.pyx and kernel_avx2.pyx.

from libc.stdint cimport int8_t, int32_t, uint64_t

from nardy_core.board cimport flip_bytes
from nardy_core.dice cimport choice_key, lot, throw, word
from nardy_core.evaluate cimport best_of
from nardy_core.kernel cimport (
    MAX_TURNS,
    RANDOM,
    event_t,
    events_t,
    outcome,
    policy_t,
    result_t,
    stopped,
)

cdef enum:
    STAGES = 16        # words of chance set aside for each turn: 6 stages, 6 of a remainder


cdef struct game_t:    # a game under way; `board` is the view of player `mover`
    const rules_t* r
    const policy_t* policy
    scratch_t* s
    events_t* events
    board_t board
    int mover
    uint64_t dice
    uint64_t choices
    int32_t turns
    int stage           # choices made in this turn
    bint general
    bint failed
    bint remainder      # the stages being played are a remainder


cdef void watch(game_t* g, const roll_t* roll, const board_t* after) noexcept nogil:
    """Write a stage down, if somebody watches."""
    cdef events_t* e = g.events
    cdef void* moved
    cdef event_t* event
    if e == NULL:
        return
    if e.n == e.cap:
        moved = realloc(e.at, <size_t>(2 * e.cap + 64) * sizeof(event_t))
        if moved == NULL:
            g.failed = True
            return
        e.at = <event_t*>moved
        e.cap = 2 * e.cap + 64
    event = &e.at[e.n]
    event.remainder = g.remainder
    event.player = g.mover
    event.d1, event.d2, event.steps = roll.d1, roll.d2, roll.steps
    event.before = g.board
    event.after = after[0]
    e.n += 1


cdef int play_roll(game_t* g, const roll_t* roll) noexcept nogil:
    """Play one roll or one stage as the policy says; returns the dice used."""
    cdef Py_ssize_t n
    cdef board_t after = g.board
    if g.policy.kind[g.mover] == RANDOM:
        n = take_any(g.r, &g.board, roll,
                     word(g.choices, <uint64_t>g.turns * STAGES + <uint64_t>g.stage), g.s, &after)
    else:
        g.s.rows.n = 0
        n = plays(g.r, &g.board, roll, g.s, &g.s.rows)
        if n > 0:
            after = g.s.rows.at[best_of(g.r, g.policy.weights[g.mover], &g.board, g.s.rows.at, n)]
    if n < 0:
        g.failed = True
        return 0
    g.stage += 1
    watch(g, roll, &after)
    g.board = after
    return g.s.used


cdef inline bint is_won(const game_t* g) noexcept nogil:
    """Whether the player who is playing has all checkers off."""
    return g.board.at[OFF] == g.r.checkers


cdef inline int head_gone(const game_t* g, const board_t* before) noexcept nogil:
    """Checkers that left the head between two boards of one player: none ever comes back."""
    return before.at[24] - g.board.at[24]


cdef int play_stages(game_t* g, int d, int steps, bint exception) noexcept nogil:
    """Play the stages d, d+1, ..., 6, the first with `steps` steps (9.2, 9.3).

    Returns what is left: 0, or 16 * number + steps of the first stage not completed.
    """
    cdef board_t before = g.board
    cdef roll_t roll
    cdef int used
    roll.exception = exception
    roll.general = g.general
    while d <= 6:
        roll.d1 = roll.d2 = d
        roll.steps = steps
        roll.head_used = head_gone(g, &before)
        used = play_roll(g, &roll)
        if g.failed or is_won(g):
            return 0
        if used < steps:
            return 16 * d + steps - used
        roll.exception = False
        steps = g.r.cascade
        d += 1
    return 0


cdef int play_turn(game_t* g, int d1, int d2) noexcept nogil:
    """Play a whole turn; returns the remainder of a cascade (see play_stages), or 0."""
    cdef roll_t roll
    g.turns += 1
    g.stage = 0
    if d1 == d2 and g.r.cascade:
        return play_stages(g, d1, g.r.cascade, True)
    roll.d1, roll.d2 = d1, d2
    roll.steps = 4
    roll.head_used = 0
    roll.exception = True
    roll.general = g.general
    play_roll(g, &roll)
    return 0


cdef inline void hand_over(game_t* g) noexcept nogil:
    """Turn the board round to the other player."""
    cdef board_t other
    flip_bytes(other.at, g.board.at, g.r.parallel)
    g.board = other
    g.mover = 1 - g.mover


cdef void play_last_turn(game_t* g, result_t* result) noexcept nogil:
    """The second mover's turn after the first has finished (10.5); the board is his already."""
    cdef int d1, d2
    throw(g.dice, <uint64_t>g.turns, &d1, &d2)
    play_turn(g, d1, d2)
    if is_won(g):
        result.winner, result.kind = -1, 0
    else:
        result.winner, result.kind = <int8_t>(1 - g.mover), <int8_t>outcome(g.r, &g.board)


cdef bint is_stuck(game_t* g) noexcept nogil:
    """Whether neither player can play any roll, so that the game cannot go on."""
    cdef roll_t roll
    cdef int _
    cdef bint stuck = True
    roll.head_used = 0
    roll.exception = True
    roll.general = g.general
    roll.steps = g.r.cascade if g.r.cascade else 4
    for _ in range(2):
        for roll.d1 in range(1, 7):
            for roll.d2 in range(1, roll.d1 + 1):
                g.s.rows.n = 0
                if plays(g.r, &g.board, &roll, g.s, &g.s.rows) < 0:
                    g.failed = True
                if g.s.used:
                    stuck = False
        hand_over(g)
    return stuck


cdef void finish(game_t* g, result_t* result, bint last_turn) noexcept nogil:
    """The player to move has all checkers off: the result, after a last turn if there is one."""
    cdef int winner = g.mover
    hand_over(g)
    if last_turn:
        play_last_turn(g, result)
    else:
        result.winner, result.kind = <int8_t>winner, <int8_t>outcome(g.r, &g.board)


cdef void play_on(game_t* g, bint opening, result_t* result) noexcept nogil:
    """Turn after turn until the game is over."""
    cdef board_t before
    cdef int d1, d2, rest, still = 0
    while g.turns < MAX_TURNS and not g.failed:
        if opening and g.r.lot and g.turns == 0:
            lot(g.dice, &d1, &d2)
        else:
            throw(g.dice, <uint64_t>g.turns, &d1, &d2)
        before = g.board
        rest = play_turn(g, d1, d2)
        if is_won(g):
            finish(g, result, g.r.draw and g.mover == 0)
            return
        still = still + 1 if same(&before, &g.board) else 0
        hand_over(g)
        if rest and g.r.to_opponent:
            before = g.board
            g.remainder = True
            play_stages(g, rest >> 4, rest & 15, False)
            g.remainder = False
            if is_won(g):  # at once, also for the first mover (9.7)
                finish(g, result, False)
                return
            if not same(&before, &g.board):
                still = 0
        if still and still % 8 == 0 and is_stuck(g):
            return


cdef void play_game(const rules_t* r, const board_t* start, bint opening, uint64_t key,
                    const policy_t* policy, bint general, scratch_t* s, events_t* events,
                    result_t* result) noexcept nogil:
    """Play one game from `start`, whose player on roll is player 0 and counts as first mover.

    A game in which neither player can ever play again, or of MAX_TURNS turns, has no winner.
    """
    cdef game_t g
    cdef int over = stopped(r, start)
    result.winner, result.kind, result.turns, result.failed = -1, 0, 0, False
    memset(&g, 0, sizeof(game_t))
    g.r, g.policy, g.s, g.events = r, policy, s, events
    g.board = start[0]
    g.dice, g.choices = key, choice_key(key)
    g.general = general
    if over == 1:
        finish(&g, result, False)
    elif over == 2:
        result.winner, result.kind = 1, <int8_t>outcome(r, start)
    elif not over:
        play_on(&g, opening, result)
    result.turns = g.turns
    result.failed = g.failed
