"""Hops of checkers against one roll: which plays they may mean, or what forbids them.

Part of batch.pyx. A hop (from, to) is one step of a checker or several; hops stand in any order.
Every way to make them of single steps is tried, in every order, and no other: whether a step is
legal is asked of steps.pxd, whether enough dice are used of the list of plays.
"""

cdef enum:
    MAX_HOPS = MAX_STEPS + 1    # more than any dice can play


cdef class Attempt:
    """What comes of some hops; `Turn.attempt` makes it."""

    cdef readonly Py_ssize_t misfit     # the first hop for which no dice are left, or -1
    cdef readonly list plays            # numbers of the plays that the hops may mean
    cdef readonly list after            # the board that each leaves, 32 bytes
    cdef readonly int used              # steps of the hops, if they are legal one by one
    cdef readonly int most              # steps of the plays, if `used` tells anything
    cdef readonly int fault             # what forbids the step that comes last, as in steps.pxd
    cdef readonly tuple step            # that step, (from, to)
    cdef readonly tuple points          # the points that the fault is about, highest first
    cdef readonly int limit             # what the rule allows, see fault_limit and block_limit

    cdef Turn turn
    cdef const rules_t* r
    cdef state_t start
    cdef int8_t at[MAX_HOPS]            # how far each hop is made of steps
    cdef int8_t to[MAX_HOPS]
    cdef int n
    cdef int left[7]                    # dice that no step has, by face
    cdef int8_t source[MAX_STEPS]       # the steps of which the hops are made
    cdef int8_t die[MAX_STEPS]
    cdef bint taken[MAX_STEPS]
    cdef int n_steps
    cdef int legal                      # steps before the one that `fault` is about
    cdef set seen
    cdef uint32_t polls

    cdef run(self, Turn turn, hops):
        """Try the hops, and fill the fields above."""
        cdef const roll_t* roll = &turn.roll
        self.turn, self.r = turn, turn.r()
        self.plays, self.after, self.seen = [], [], set()
        self.legal = -1
        self.start.board = (<const board_t*><const char*>turn.before)[0]
        self.start.head_left = head_allowance(self.r, &self.start.board, roll.d1, roll.d2,
                                              roll.head_used, roll.exception)
        self.left[roll.d1] = self.left[roll.d2] = 1
        if roll.d1 == roll.d2:
            self.left[roll.d1] = roll.steps
        for source, to in hops[:MAX_HOPS]:
            self.at[self.n] = _natural("from", source, BAR, 1)
            self.to[self.n] = _natural("to", to, BAR)
            self.n += 1
        self.misfit = self.first_misfit()
        if self.misfit < 0:
            self.split(self.n, True)
            if self.after:
                self.look_up()

    cdef Py_ssize_t first_misfit(self) except -2:
        """The first hop that goes nowhere, or for which the others leave no dice; or -1."""
        cdef int i
        for i in range(self.n):
            if self.at[i] <= self.to[i] or not self.split(i + 1, False):
                return i
        return -1

    cdef int split(self, int n, bint play) except -1:
        """Whether the dice can make the first `n` hops, wherever checkers stand.

        With ``play`` every way to do so is tried on the board.
        """
        cdef int d, p, i = 0, made = False
        while i < n and self.at[i] == self.to[i]:
            i += 1
        if i == n:
            if play:
                self.extend(&self.start, 0)
            return True
        p = self.at[i]
        for d in range(6, 0, -1):
            if self.left[d] and max(OFF, p - d) >= self.to[i] and not (made and not play):
                self.source[self.n_steps], self.die[self.n_steps] = p, d
                self.n_steps += 1
                self.left[d] -= 1
                self.at[i] = max(OFF, p - d)
                made |= self.split(n, play)
                self.at[i] = p
                self.left[d] += 1
                self.n_steps -= 1
        return made

    cdef int extend(self, const state_t* s, int depth) except -1:
        """Try the steps that are left in every order."""
        cdef int i
        if depth == self.n_steps:
            self.keep(&s.board, depth)
        elif self.turn.roll.d1 != self.turn.roll.d2 or self.is_new(s):
            for i in range(self.n_steps):
                if not self.taken[i]:
                    self.taken[i] = True
                    self.follow(s, depth, self.source[i], self.die[i])
                    self.taken[i] = False
        return 0

    cdef bint is_new(self, const state_t* s) except -1:
        """Whether a line of a double has to go on from here.

        The steps of a double are the same in every order, so the board tells which are made, and
        all orders end alike.
        """
        cdef bytes key = PyBytes_FromStringAndSize(<const char*>s, sizeof(state_t))
        if self.after or key in self.seen:
            return False
        self.seen.add(key)
        self.polls += 1
        if not self.polls % 1024:
            PyErr_CheckSignals()
        return True

    cdef int follow(self, const state_t* s, int depth, int p, int d) except -1:
        """Go on after the step from p by die d, or note why it is not legal."""
        cdef int other = 0, hitter, fault, worst = LEGAL
        cdef bint legal = False
        cdef state_t child, wrong
        if depth == 0 and self.turn.roll.d1 != self.turn.roll.d2:
            # The die that is still to come, whether the hops use it or not.
            other = self.turn.roll.d1 + self.turn.roll.d2 - d
        for hitter in range(2 if self.r.hitter == NO_SHELTER else 1):
            child = s[0]
            fault = self.make(&child, depth, p, d, other, hitter)
            if fault == LEGAL:
                legal = True
                self.extend(&child, depth + 1)
            elif worst <= NO_CHECKER:  # of the two checkers on a point, the one that is there
                worst, wrong = fault, child
        if not legal and depth > self.legal:
            self.legal, self.fault = depth, worst
            self.step = (p, max(OFF, p - d))
            self.explain(&wrong, p, d, other)
        return 0

    cdef int make(self, state_t* s, int depth, int p, int d, int other, bint hitter):
        """Make a step if it is legal; else what forbids it. The last one may end in no block."""
        cdef int fault = step_fault(self.r, s, p, d, other, hitter)
        if fault != LEGAL:
            return fault
        step(self.r, s, p, d, hitter)
        if not self.r.block_at_end or depth + 1 == self.n_steps:
            return ILLEGAL_BLOCK if block_fault(self.r, &s.board) else LEGAL
        return LEGAL

    cdef explain(self, const state_t* s, int p, int d, int other):
        """Note what the fault is about: `s` is the state that it was found in."""
        cdef uint32_t about
        if self.fault == ILLEGAL_BLOCK:
            about = lowest_block(self.r, &s.board)
            self.limit = block_limit(self.r, about)
        else:
            about = fault_points(self.r, s, p, d, other, self.fault)
            self.limit = fault_limit(self.r, self.start.head_left, self.fault)
        self.points = tuple([q for q in range(BAR, OFF, -1) if about & bit(q)])

    cdef keep(self, const board_t* b, int depth):
        """Note a board to which the hops lead, once."""
        cdef bytes board = PyBytes_FromStringAndSize(<const char*>b, sizeof(board_t))
        if board not in self.after:
            self.after.append(board)
            self.used = depth

    cdef look_up(self):
        """Find the boards among the plays; those that use too few dice are dropped."""
        cdef Scratch scratch = Scratch()
        cdef scratch_t* s = &scratch.s
        cdef Py_ssize_t i, n = single_plays(
            self.r, <const board_t*><const char*>self.turn.before, &self.turn.roll,
            self.turn.stage["last_turn"], s)
        found, self.after = self.after, []
        self.most = s.used
        for board in found:
            for i in range(n):
                if same(&s.rows.at[i], <const char*><bytes>board):
                    self.plays.append(i)
                    self.after.append(board)
