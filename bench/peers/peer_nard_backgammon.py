"""The package nard-backgammon: long nardy in Python, by single steps, without the rule of the head.

Its own dice are never six and its own chooser never takes the last move, so dice and choices are
made here.
"""

import random
from importlib.metadata import version

from nard_backgammon.board import Board
from nard_backgammon.player import Player
from worker import Peer, serve

WHITE, BLACK = Player.WHITE, Player.BLACK
LONGEST = 2_000  # turns, in case a game cannot end


def make_board(slots, off):
    """Its board, white on roll, who has `off` checkers off."""
    board = Board()
    board.slots, board._white_off = slots, off
    return board


def after(board, player, move, dice):
    """Make a move on the board; the dice that are left, as its `Nard.play_move` has it."""
    if move.direction:
        board.add_move(player, move)
        used = move.direction - move.source
    else:
        board.off(player, move.source)
        used = next((die for die in range(24 - move.source, 7) if die in dice), max(dice))
    left = list(dice)
    left.remove(used)
    return tuple(left)


class NardBackgammon(Peer):
    game = "long"

    def versions(self):
        return {"nard-backgammon": version("nard_backgammon")}

    def load(self, boards, dice):
        slots = map(tuple, boards[:, 24:0:-1].tolist())
        self.enemy_off = boards[:, 27].tolist()
        self.positions = []
        for place, off, (a, b) in zip(slots, boards[:, 0].tolist(), dice.tolist(), strict=True):
            self.positions.append((place, off, (a, b) if a != b else (a,) * 4))
        self.boards = [make_board(place, off) for place, off, _ in self.positions]

    def first_steps(self, low, high):
        """Legal first steps: not plays, which it does not list."""
        total = 0
        for board, (_, _, dice) in zip(
            self.boards[low:high], self.positions[low:high], strict=True
        ):
            total += len(board.get_valid_moves(WHITE, dice))
        return total

    measures = (("first steps only", first_steps),)

    def plays(self, i):
        """All ends of lines of its steps."""
        waiting, seen, ends = [self.positions[i]], set(), set()
        while waiting:
            state = slots, off, dice = waiting.pop()
            if state in seen:
                continue
            seen.add(state)
            moves = make_board(slots, off).get_valid_moves(WHITE, dice) if dice else []
            for move in moves:
                board = make_board(slots, off)
                left = after(board, WHITE, move, dice)
                waiting.append((board.slots, board.white_off, left))
            if not moves:
                ends.add((off, *slots[::-1], 0, 0, self.enemy_off[i], 0, 0, 0, 0))
        return ends

    def games(self, n, seed):
        rand = random.Random(seed)
        done = 0
        for _ in range(n):
            board, player = Board(), WHITE
            for _ in range(LONGEST):
                a, b = rand.randint(1, 6), rand.randint(1, 6)
                dice = (a, b) if a != b else (a,) * 4
                while dice and (moves := board.get_valid_moves(player, dice)):
                    dice = after(board, player, rand.choice(moves), dice)
                if 15 in (board.white_off, board.black_off):
                    done += 1
                    break
                player = BLACK if player == WHITE else WHITE
        return done


if __name__ == "__main__":
    serve(NardBackgammon)
