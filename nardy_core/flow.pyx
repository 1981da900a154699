"""The door to one game, step by step: what flow.pxd says, as values that Python can hold.

Like batch.pyx it checks what it is given and leaves the rest to the kernels. Players are 0, the
first mover, and 1; who that is among people is not known here.
"""

from cpython.bytes cimport PyBytes_FromStringAndSize
from libc.stdint cimport uint64_t

from nardy_core.batch import (
    GENERAL_ONLY,
    POLICIES,
    PlayData,
    _legal_boards,
    _natural,
    start,
    two_dice,
)
from nardy_core.board cimport board_t
from nardy_core.dice cimport (
    choice_key,
    game_key,
    lot,
    opening_key,
    second_starts,
    throw,
    word,
)
from nardy_core.errors import InvalidArgument
from nardy_core.evaluate cimport Weights, default_weights
from nardy_core.kernel cimport KERNEL, MAX_TURNS, drop, scratch_t
from nardy_core.rules cimport Rules

ACTS = ("throw", "play", "over")


cdef inline uint64_t _key(seed, game) except? 0:
    """The key of one game."""
    return game_key(<uint64_t>_natural("seed", seed, 2**64 - 1), 0,
                    <uint64_t>_natural("game", game, 2**63))


def thrown(seed, game, turn, bint lot_first=False):
    """The dice that `batch.playout` throws in one turn of a game of board 0.

    Parameters
    ----------
    seed, game, turn : int
        As in `batch.rolls`; turns count from 0.
    lot_first : bool
        Whether turn 0 has the dice of the lot, the higher first.

    Returns
    -------
    tuple of two ints
        The dice.
    """
    cdef uint64_t key = _key(seed, game)
    cdef int d1, d2
    if lot_first and turn == 0:
        lot(key, &d1, &d2)
    else:
        throw(key, <uint64_t>_natural("turn", turn, 2**40), &d1, &d2)
    return d1, d2


def opening(Rules rules, seed, game=0):
    """The lot of a game: the die of player 0 and the die of player 1, never alike.

    Where the rules let the starter play the dice of the lot, they are those of turn 0.
    """
    cdef uint64_t key = _key(seed, game)
    cdef int high, low
    lot(key if rules.c.lot else opening_key(key), &high, &low)
    return (low, high) if second_starts(key) else (high, low)


cdef class Flow:
    """Where a game stands: who acts, on which board, with what. Immutable.

    Attributes
    ----------
    rules : Rules
        The game.
    act : {"throw", "play", "over"}
        What is to be done.
    mover : int
        Who does it: 0 the first mover of the game, 1 the other.
    board : bytes
        32 bytes, the view of the mover.
    dice : tuple of two ints or None
        What is to be played.
    stage : dict
        The arguments `steps`, `head_used`, `exception` and `last_turn` of `batch.plays_of` for it.
    in_cascade, within_cascade, remainder : bool
        Whether it is a stage of a cascade; whether others were played before it; whether the
        opponent's cascade left it.
    left : tuple of int
        The steps of a remainder that are to be played, one number for each.
    last_turn : bool
        Whether the first mover has finished and the other has one more turn.
    turns : int
        Turns thrown so far.
    winner, kind : int
        As in `batch.Playouts`, but 4 for a home mars; -1 and 0 while the game is on.
    """

    cdef readonly Rules rules
    cdef flow_t f

    def __init__(self, Rules rules not None, board=None, *, mover=0, left=(), last_turn=False):
        """Begin with a board.

        Parameters
        ----------
        rules : Rules
            The game.
        board : int8[32], optional
            In the view of the mover. Default: the start.
        mover : int
            Who is on roll: 0 the first mover of the game, or 1.
        left : sequence of int
            Steps that the opponent's cascade left to the mover, one number for each.
        last_turn : bool
            Whether an opponent who has finished leaves the mover one more turn.
        """
        cdef const board_t* b
        cdef bytes data
        self.rules = rules
        data = _legal_boards(rules, start(rules) if board is None else board, one=True).tobytes()
        b = <const board_t*><const char*>data
        flow_start(&rules.c, b, &self.f)
        self.f.roll.general = GENERAL_ONLY
        self.f.mover = _natural("mover", mover, 1)
        if self.f.act == OVER:
            if last_turn and mover == 1 and self.f.winner == 1:
                flow_start_last(&self.f)
            elif self.f.winner >= 0 and mover == 1:
                self.f.winner = 1 - self.f.winner
        elif len(left):
            self._hand_on(tuple(left))

    cdef _hand_on(self, tuple left):
        """Begin with a remainder, one number for each step; only a cascade can have left it."""
        cdef int most = self.rules.c.cascade if self.rules.c.to_opponent else 0
        first, _ = two_dice(left[0], left[0])
        if left.count(left[0]) <= most:
            flow_hand_on(&self.rules.c, &self.f, first, left.count(left[0]))
        if self.left != left:
            raise InvalidArgument(f"left: expected one number up to {most} times, then every "
                                  f"higher one {most} times, got {left}")

    @property
    def act(self):
        return ACTS[self.f.act]

    @property
    def mover(self):
        return self.f.mover

    @property
    def board(self):
        return PyBytes_FromStringAndSize(<const char*>&self.f.board, 32)

    @property
    def dice(self):
        return (self.f.roll.d1, self.f.roll.d2) if self.f.act == PLAY else None

    @property
    def stage(self):
        return {
            "steps": self.f.roll.steps,
            "head_used": self.f.roll.head_used,
            "exception": bool(self.f.roll.exception),
            "last_turn": bool(self.f.last_turn),
        }

    @property
    def in_cascade(self):
        return bool(self.f.act == PLAY and self.rules.c.cascade
                    and self.f.roll.d1 == self.f.roll.d2)

    @property
    def within_cascade(self):
        """Whether stages of a cascade, or of a remainder, were played before this one."""
        return bool(self.in_cascade and self.f.moved)

    @property
    def left(self):
        """The steps of a remainder that are to be played, one number for each."""
        cdef int d = self.f.roll.d1
        if not self.remainder:
            return ()
        return (d,) * self.f.roll.steps + tuple(
            n for n in range(d + 1, 7) for _ in range(self.rules.c.cascade))

    @property
    def remainder(self):
        return bool(self.f.remainder)

    @property
    def last_turn(self):
        return bool(self.f.last_turn)

    @property
    def turns(self):
        return self.f.turns

    @property
    def winner(self):
        return self.f.winner

    @property
    def kind(self):
        return self.f.kind

    cdef Flow _copy(self, int act):
        """A copy to be changed, if this is what is to be done."""
        cdef Flow other
        if self.f.act != act:
            raise InvalidArgument(f"expected {self.act!r}, got {ACTS[act]!r}")
        other = Flow.__new__(Flow)
        other.rules, other.f = self.rules, self.f
        return other

    def throw(self, d1, d2):
        """The mover has thrown: the Flow after. `d1`, `d2`: 1 to 6."""
        cdef Flow other = self._copy(THROW)
        first, second = two_dice(d1, d2)
        flow_throw(&self.rules.c, &other.f, first, second)
        return other

    def play(self, play):
        """The mover has made a play, one that `batch.plays_of` lists for this: the Flow after."""
        cdef Flow other = self._copy(PLAY)
        cdef bytes after
        turn = play.turn if isinstance(play, PlayData) else None
        if turn is None or (turn.rules, turn.before, turn.dice, turn.stage) != (
                self.rules, self.board, self.dice, self.stage):
            raise InvalidArgument(f"expected a play of this board and roll, got {play!r}")
        after = play.after_bytes
        flow_play(&self.rules.c, &other.f, <const board_t*><const char*>after, turn.used)
        return other

    def choose(self, policy, seed, game=0):
        """The board after the play that a policy of `batch.playout` chooses, 32 bytes."""
        cdef scratch_t s
        cdef board_t after = self.f.board
        cdef Weights weights = default_weights(self.rules)
        cdef uint64_t luck = word(choice_key(_key(seed, game)), choice_index(&self.f))
        cdef int used
        if not isinstance(policy, str) or policy not in POLICIES:
            raise InvalidArgument(f"policy: expected one of {', '.join(map(repr, POLICIES))}, "
                                  f"got {policy!r}")
        if self.f.act != PLAY:
            raise InvalidArgument(f"expected {self.act!r}, got 'play'")
        memset(&s, 0, sizeof(scratch_t))
        used = KERNEL.choose(&self.rules.c, &self.f.board, &self.f.roll, POLICIES[policy],
                             &weights.w, luck, &s, &after)
        drop(&s)
        if used < 0:
            raise MemoryError("no memory for the plays")
        return PyBytes_FromStringAndSize(<const char*>&after, 32)

    def is_stuck(self):
        """Whether the game cannot go on: neither player can ever play, or it has no end."""
        cdef scratch_t s
        cdef int stuck
        if self.f.act != THROW:
            return False
        if self.f.turns >= MAX_TURNS:
            return True
        if not self.f.still or self.f.still % 8:
            return False
        memset(&s, 0, sizeof(scratch_t))
        stuck = KERNEL.is_stuck(&self.rules.c, &self.f.board, self.f.roll.general, &s)
        drop(&s)
        if stuck < 0:
            raise MemoryError("no memory for the plays")
        return bool(stuck)
