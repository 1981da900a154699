"""The move generator of GNU Backgammon, through the package gnubg-nn."""

import random
from importlib.metadata import version

import gnubg_nn
from worker import Peer, serve

OPENING = gnubg_nn.board_from_position_id("4HPwATDgc/ABMA")
PAIRS = [(a, b) for a in range(1, 7) for b in range(1, 7)]


def theirs(board):
    """The two lists of gnubg, opponent first: 24 points in own numbers, then the bar."""
    opponent = [max(0, -board[25 - p]) for p in range(1, 25)] + [-board[26]]
    return [opponent, [max(0, board[p]) for p in range(1, 25)] + [board[25]]]


def ours(sides):
    """The board of 32 numbers."""
    opponent, own = sides
    board = [0] * 32
    for p in range(1, 25):
        board[p] = own[p - 1] - opponent[24 - p]
    board[0], board[25], board[26] = 15 - sum(own), own[24], -opponent[24]
    board[27] = sum(opponent) - 15
    return tuple(board)


class Gnubg(Peer):
    def versions(self):
        return {"gnubg-nn": version("gnubg-nn")}

    def load(self, boards, dice):
        pairs = zip(boards.tolist(), dice.tolist(), strict=True)
        self.positions = [(theirs(board), *roll) for board, roll in pairs]

    def keys(self, low, high):
        """Packed positions: as it lists them."""
        moves = gnubg_nn.moves
        return sum(len(moves(*position)) for position in self.positions[low:high])

    def boards(self, low, high):
        """The boards themselves."""
        moves, unpack = gnubg_nn.moves, gnubg_nn.board_from_position_key
        total = 0
        for position in self.positions[low:high]:
            total += len([unpack(key) for key in moves(*position)])
        return total

    measures = (("packed positions", keys), ("boards", boards))

    def plays(self, i):
        sides, *roll = self.positions[i]
        keys = gnubg_nn.moves(sides, *roll)
        return {ours(gnubg_nn.board_from_position_key(key)) for key in keys} or {ours(sides)}

    def games(self, n, seed):
        rand = random.Random(seed)
        for _ in range(n):
            sides = OPENING
            roll = rand.choice([pair for pair in PAIRS if pair[0] != pair[1]])
            while True:
                keys = gnubg_nn.moves(sides, *roll)
                if keys:
                    sides = gnubg_nn.board_from_position_key(rand.choice(keys))
                if not any(sides[1]):
                    break
                sides = sides[::-1]
                roll = rand.choice(PAIRS)
        return n


if __name__ == "__main__":
    serve(Gnubg)
