"""The slow, plain judge of the bear-off: recursion over the plays of a game, no table in it.

A position is a tuple of checkers on points 1, 2, ... What a roll leads to comes from
`nardy.batch.plays` (`from_batch`), where an enemy checker stands on its own point 1, so that the
game is not over; or from the judge of the rules (`from_reference`), where all are off.
"""

import itertools

import numpy as np
import reference as ref

from nardy import batch

ROLLS = [(a, b) for a in range(1, 7) for b in range(1, a + 1)]


def weight(roll):
    """Of 36."""
    return 1 if roll[0] == roll[1] else 2


def positions(points, checkers):
    """All, ordered as tuples from the highest point down."""
    every = itertools.product(range(checkers + 1), repeat=points)
    return sorted((c for c in every if sum(c) <= checkers), key=lambda c: c[::-1])


def board_of(rules, counts, enemies=0):
    """A position as a board, so many enemy checkers on their last point."""
    enemy = np.zeros((1, 32), np.int8)
    enemy[0, 0], enemy[0, 1] = rules.checkers - enemies, enemies
    board = batch.flip(rules, enemy)[0]
    board[1 : 1 + len(counts)] += np.array(counts, np.int8)
    board[0] = rules.checkers - sum(counts)
    return board


def counts_of(board, points):
    return tuple(int(n) for n in board[1 : 1 + points])


STAGES = {}


def from_batch(rules, board, roll, **stage):
    """`boards_and_used`, each stage once."""
    if not stage:
        return boards_and_used(rules, board, roll)
    key = rules, board.tobytes(), roll, *stage.items()
    if key not in STAGES:
        STAGES[key] = boards_and_used(rules, board, roll, **stage)
    return STAGES[key]


def boards_and_used(rules, board, roll, **stage):
    """(boards, dice used) of a roll or stage; used is only told apart from 0 and from all."""
    after = batch.plays(rules, board, roll, **stage)[1]
    if len(after) == 1 and (after[0] == board).all():
        return after, 0
    steps = stage.get("steps", 2)
    used = 2
    if roll[0] == roll[1]:
        # How many steps were played: the least number that gives the same boards.
        same = [
            np.array_equal(batch.plays(rules, board, roll, **(stage | {"steps": k}))[1], after)
            for k in range(1, steps)
        ]
        used = 1 + same.index(True) if True in same else steps
    return after, used


def from_reference(rules, board, roll, **stage):
    after, used = ref.legal_plays(rules.asdict(), tuple(map(int, board)), roll, **stage)
    return np.array(sorted(after), np.int8), used


def results(rules, counts, roll, plays=from_batch):
    """Positions that a roll may lead to, a whole cascade with it; None for a pass."""
    board = board_of(rules, counts, int(plays is from_batch))
    points = len(counts)
    if not rules.cascade or roll[0] != roll[1]:
        after, used = plays(rules, board, roll)
        return {counts_of(b, points) for b in after} if used else None
    now, done, moved = {board.tobytes()}, set(), False
    for d in range(roll[0], 7):
        then = set()
        for data in now:
            here = np.frombuffer(data, np.int8)
            if here[0] == rules.checkers:
                done.add(data)
                continue
            head_used = int(board[24] - here[24])
            first = d == roll[0]
            after, used = plays(
                rules, here, (d, d), steps=rules.cascade, head_used=head_used, exception=first
            )
            moved |= used > 0
            (then if used == rules.cascade else done).update(b.tobytes() for b in after)
        now = then
    ends = {counts_of(np.frombuffer(data, np.int8), points) for data in done | now}
    return ends if moved else None


def means(rules, points, checkers, plays=from_batch, skip=lambda counts: False):
    """Mean turns of every position under the policy of fewest mean turns."""
    found = {}
    for counts in positions(points, checkers):
        if skip(counts):
            continue
        total, passes = 36.0 if any(counts) else 0.0, 0
        for roll in ROLLS if any(counts) else ():
            ends = results(rules, counts, roll, plays)
            if ends is None:
                passes += weight(roll)
            else:
                total += weight(roll) * min(found[end] for end in ends)
        found[counts] = total / (36 - passes)
    return found


class Duel:
    """Two players who bear off by the policy of a table: the results of a race, by recursion.

    The result is a vector: chances of each (winner, kind) of the reference judge, and of a draw.
    """

    def __init__(self, rules, table, plays=from_batch):
        self.rules, self.table, self.plays = rules, table, plays
        self.memo = {}

    def choice(self, counts, roll):
        """The position that the policy takes."""
        if (counts, roll) not in self.memo:
            ends = results(self.rules, counts, roll, self.plays)
            assert ends is not None, "no passes here"
            index, means = self.table.index, self.table.means
            self.memo[counts, roll] = min(ends, key=lambda end: (means[index(end)], index(end)))
        return self.memo[counts, roll]

    def loser(self, counts):
        """(kind, points) of a loss."""
        board = board_of(self.rules, counts)
        kind, points = ref.outcome(self.rules.asdict(), tuple(map(int, board)))
        return kind, points

    def chances(self, own, other, first=True):
        """{(winner, kind, points): chance}, winner 0 for the player on roll."""
        key = own, other, first
        if key not in self.memo:
            self.memo[key] = self.worked_out(own, other, first)
        return self.memo[key]

    def worked_out(self, own, other, first):
        out = {}
        for roll in ROLLS:
            after = self.choice(own, roll)
            if any(after):
                rest = {
                    (w if w == "draw" else 1 - w, k, p): c
                    for (w, k, p), c in self.chances(other, after, not first).items()
                }
            elif self.rules.draw_points and first:
                rest = self.last_turn(other)
            else:
                rest = {(0, *self.loser(other)): 1.0}
            for key, chance in rest.items():
                out[key] = out.get(key, 0.0) + weight(roll) / 36 * chance
        return out

    def last_turn(self, other):
        """The second mover's last turn (10.5)."""
        out = {}
        for roll in ROLLS:
            after = self.choice(other, roll)
            key = (0, *self.loser(after)) if any(after) else ("draw", 0, 0)
            out[key] = out.get(key, 0.0) + weight(roll) / 36
        return out
