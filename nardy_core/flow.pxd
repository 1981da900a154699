"""The order of a game: whose roll is to be thrown or played, cascades, remainders, last turn, end.

One meaning for the playouts, which run it in C, and for the referee (flow.pyx), which goes step by
step. It plays nothing itself: who uses it says what was thrown, and which play was made of the
roll that it asks for. Section numbers are those of docs/rules.md.
"""

from libc.stdint cimport int8_t, int32_t, uint64_t
from libc.string cimport memset

from nardy_core.board cimport HEAD, OFF, board_t, flip_bytes
from nardy_core.kernel cimport outcome, roll_t, stopped
from nardy_core.rules cimport own_steps, rules_t

cdef enum:  # what is to be done
    THROW = 0     # the mover throws the dice of a turn
    PLAY = 1      # the mover plays `roll`: a turn or one stage of a cascade
    OVER = 2

cdef enum:
    STAGES = 16   # words of chance set aside for each turn: 6 stages, 6 of a remainder


cdef struct flow_t:
    board_t board       # view of the mover
    roll_t roll         # what is to be played
    int mover           # who acts: 0 the first mover of the game, 1 the other
    int act
    int8_t winner       # 0, 1, or -1 for a draw
    int8_t kind         # as in result_t
    int32_t turns       # thrown so far
    int still           # whole turns in a row, up to this one, in which no checker moved
    int stage           # rolls and stages played in this turn
    int head            # checkers on the head when this turn or remainder began
    bint moved          # a checker has moved in this turn
    bint remainder      # what is to be played was left by the opponent's cascade
    bint last_turn      # the first mover has finished, the other has one more turn (10.5)


cdef inline uint64_t choice_index(const flow_t* f) noexcept nogil:
    """Which word of a game's choices is the one for what is to be played."""
    return <uint64_t>f.turns * STAGES + <uint64_t>f.stage


cdef inline void flow_end(flow_t* f, int winner, int kind) noexcept nogil:
    f.act = OVER
    f.winner, f.kind = <int8_t>winner, <int8_t>kind


cdef inline void flow_start(const rules_t* r, const board_t* board, flow_t* f) noexcept nogil:
    """Begin with a board whose player on roll counts as the first mover."""
    cdef int over = stopped(r, board)
    cdef board_t other
    memset(f, 0, sizeof(flow_t))
    f.board = board[0]
    f.winner = -1
    if over == 1:
        flip_bytes(other.at, board.at, r.parallel)
        flow_end(f, 0, outcome(r, &other))
    elif over == 2:
        flow_end(f, 1, outcome(r, board))
    elif over == 3:
        flow_end(f, -1, 0)


cdef inline void flow_ask(const rules_t* r, flow_t* f, int d1, int d2, int steps,
                          bint exception) noexcept nogil:
    """Ask for the plays of a roll or of a stage."""
    f.roll.d1, f.roll.d2 = d1, d2
    f.roll.steps = steps
    f.roll.head_used = f.head - f.board.at[HEAD]  # none ever comes back to the head
    f.roll.exception = exception
    f.act = PLAY


cdef inline void flow_throw(const rules_t* r, flow_t* f, int d1, int d2) noexcept nogil:
    """The mover has thrown."""
    f.turns += 1
    f.stage = 0
    f.moved = False
    f.head = f.board.at[HEAD]
    flow_ask(r, f, d1, d2, own_steps(r), True)


cdef inline void flow_pass_on(const rules_t* r, flow_t* f) noexcept nogil:
    """The other player comes to act."""
    cdef board_t other
    flip_bytes(other.at, f.board.at, r.parallel)
    f.board = other
    f.mover = 1 - f.mover
    f.act = THROW


cdef inline void flow_won(const rules_t* r, flow_t* f) noexcept nogil:
    """The mover has all checkers off: the end, or one more turn for the other (9.7, 10.5)."""
    cdef int winner = f.mover
    if f.last_turn:
        flow_end(f, -1, 0)
        return
    flow_pass_on(r, f)
    if r.draw and winner == 0 and not f.remainder:
        f.last_turn = True
    else:
        flow_end(f, winner, outcome(r, &f.board))


cdef inline void flow_start_last(flow_t* f) noexcept nogil:
    """Begin with the last turn: the first mover has finished, the mover is the other (10.5)."""
    f.act = THROW
    f.winner, f.kind = -1, 0
    f.last_turn = True


cdef inline void flow_hand_on(const rules_t* r, flow_t* f, int d, int left) noexcept nogil:
    """The mover has to play what a cascade left: `left` steps of d, then the higher stages."""
    f.remainder = True
    f.moved = False
    f.head = f.board.at[HEAD]
    flow_ask(r, f, d, d, left, False)


cdef inline void flow_turn_done(const rules_t* r, flow_t* f, int d, int left) noexcept nogil:
    """A turn is over; of its cascade are left `left` steps of stage d and all higher stages.

    A last turn has no remainder (9.7), and a remainder leaves none (9.4).
    """
    f.still = 0 if f.moved else f.still + 1
    if f.last_turn:
        flow_end(f, 1 - f.mover, outcome(r, &f.board))
        return
    flow_pass_on(r, f)
    if left and r.to_opponent:
        flow_hand_on(r, f, d, left)


cdef inline void flow_remainder_done(flow_t* f) noexcept nogil:
    """The opponent's cascade is at its end; the mover throws for his own turn (9.4)."""
    if f.moved:
        f.still = 0
    f.remainder = False
    f.act = THROW


cdef inline void flow_stage_done(const rules_t* r, flow_t* f, int used) noexcept nogil:
    """A stage of a cascade is over, with `used` of its steps played (9.2, 9.3)."""
    cdef int d = f.roll.d1, left = f.roll.steps - used
    if not left and d < 6:
        flow_ask(r, f, d + 1, d + 1, r.cascade, False)
    elif f.remainder:
        flow_remainder_done(f)
    else:
        flow_turn_done(r, f, d, left)


cdef inline void flow_play(const rules_t* r, flow_t* f, const board_t* after,
                           int used) noexcept nogil:
    """The mover has made a play of f.roll with `used` dice that leaves `after`, his view."""
    f.board = after[0]
    f.stage += 1
    f.moved = f.moved or used
    if after.at[OFF] == r.checkers:
        flow_won(r, f)
    elif r.cascade and f.roll.d1 == f.roll.d2:
        flow_stage_done(r, f, used)
    else:
        flow_turn_done(r, f, 0, 0)
