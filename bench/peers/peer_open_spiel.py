"""OpenSpiel's backgammon. A double is two moves of two steps there; positions cannot be set."""

import random
from importlib.metadata import version

import numpy as np
import pyspiel
from worker import Peer, serve

BAR = 100
GAME = pyspiel.load_game("backgammon")


def ours(state, player):
    """The board of 32 numbers in the view of a player."""
    board = [0] * 32
    for place in range(24):
        p = place + 1 if player else 24 - place
        board[p] = state.board(player, place) - state.board(1 - player, place)
    board[25], board[26] = state.board(player, BAR), -state.board(1 - player, BAR)
    board[0] = 15 - sum(n for n in board[1:26] if n > 0)
    board[27] = -15 - sum(n for n in board[1:27] if n < 0)
    return tuple(board)


def roll_of(state):
    """The dice of a state in which somebody plays."""
    return tuple(int(die) for die in state.observation_tensor(state.current_player())[-2:])


def throw(state, rand):
    """Let chance act."""
    outcomes, weights = zip(*state.chance_outcomes(), strict=True)
    state.apply_action(rand.choices(outcomes, weights)[0])


class OpenSpiel(Peer):
    own_positions = True

    def versions(self):
        return {"open-spiel": version("open-spiel")}

    def make(self, n, seed):
        rand = random.Random(seed)
        self.states, pairs = [], {}
        while len(pairs) < n:
            state = GAME.new_initial_state()
            while not state.is_terminal() and len(pairs) < n:
                if state.is_chance_node():
                    throw(state, rand)
                    pair = (*ours(state, state.current_player()), *sorted(roll_of(state)))
                    # One in eight is kept, so that they come from many games.
                    if rand.random() < 0.125 and pair not in pairs:
                        pairs[pair] = None
                        self.states.append(state.clone())
                else:
                    state.apply_action(rand.choice(state.legal_actions()))
        table = np.array(list(pairs), np.int8)
        return table[:, :32], table[:, 32:].astype(np.uint8)

    def load(self, boards, dice):
        assert len(boards) == len(self.states)

    def actions(self, low, high):
        """Numbers of actions: as it lists them, with each order of steps, half of a double."""
        return sum(len(state.legal_actions()) for state in self.states[low:high])

    def children(self, low, high):
        """The states after those."""
        total = 0
        for state in self.states[low:high]:
            total += len([state.child(action) for action in state.legal_actions()])
        return total

    measures = (("actions (half of a double)", actions), ("states after them", children))

    def plays(self, i):
        state = self.states[i]
        player = state.current_player()
        boards, waiting = set(), [state]
        while waiting:
            now = waiting.pop()
            for action in now.legal_actions():
                child = now.child(action)
                if child.is_player_node() and child.current_player() == player:
                    waiting.append(child)  # the other half of a double
                else:
                    boards.add(ours(child, player))
        return boards

    def games(self, n, seed):
        bots = [pyspiel.make_uniform_random_bot(player, seed + player) for player in (0, 1)]
        for i in range(n):
            pyspiel.evaluate_bots(GAME.new_initial_state(), bots, seed + i)
        return n


if __name__ == "__main__":
    serve(OpenSpiel)
