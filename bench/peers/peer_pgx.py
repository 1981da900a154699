"""Pgx's backgammon on JAX. A move is one step there, and it is asked for batches."""

from importlib.metadata import version

import jax
import jax.numpy as jnp
import numpy as np
import pgx
from pgx import backgammon
from pgx.experimental import auto_reset
from worker import Peer, serve

ROWS = 4_096  # states of one call; a new number of rows would be compiled anew
TABLES = 256  # games side by side
WARM_UP = 500  # steps before games are counted, so that they do not all end together
PLACES = np.array([*range(24, 0, -1), 25, 26, 0, 27])

mask = jax.jit(jax.vmap(backgammon._legal_action_mask))


@jax.jit
@jax.vmap
def after_step(board, dice, played, playable, action):
    """Board and dice still to play after a step."""
    left = backgammon._update_playable_dice(playable, played, dice, action)
    return backgammon._move(board, action), left


class Pgx(Peer):
    def versions(self):
        return {name: version(name) for name in ("pgx", "jax", "jaxlib")}

    def load(self, boards, dice):
        self.boards = boards[:, PLACES].astype(np.int32)
        self.dice = dice.astype(np.int32) - 1
        double = self.dice[:, :1] == self.dice[:, 1:]
        self.playable = np.where(
            double, self.dice[:, :1], np.concatenate([self.dice, np.full_like(self.dice, -1)], 1)
        )
        mask(self.boards[:ROWS], self.playable[:ROWS]).block_until_ready()
        self.fields = jax.jit(self.step_many)
        keys = jax.random.split(jax.random.key(0), TABLES)
        env = pgx.make("backgammon")
        self.env = env
        self.state = jax.jit(jax.vmap(env.init))(keys)
        self.state, _ = self.fields(self.state, jax.random.key(1))
        for i in range(WARM_UP // 100):
            self.state, ended = self.fields(self.state, jax.random.key(i))
        ended.block_until_ready()

    def first_steps(self, low, high):
        """Masks of the legal first steps: not plays, which it does not list."""
        assert high - low == ROWS
        return int(mask(self.boards[low:high], self.playable[low:high]).sum())

    measures = (("masks of first steps only", first_steps),)

    def plays(self, i):
        """All ends of legal lines of steps, as its masks allow them."""
        dice = self.dice[i]
        now = {(tuple(self.boards[i].tolist()), tuple(self.playable[i].tolist()))}
        ends = set()
        for played in range(4):
            if not now:
                break
            now = self.after_all(sorted(now), dice, played, ends)
        ends |= {board for board, _ in now}
        board = np.zeros((len(ends), 32), int)
        board[:, PLACES] = list(ends)
        return set(map(tuple, board.tolist()))

    def after_all(self, states, dice, played, ends):
        """The states after each legal step of some; those without a step are added to `ends`."""
        boards, playable = (np.array(part, np.int32) for part in zip(*states, strict=True))
        rows = -len(states) % 256  # few shapes to compile
        padded = [np.pad(part, ((0, rows), (0, 0))) for part in (boards, playable)]
        legal = np.asarray(mask(*padded))[: len(states)].copy()
        stuck = legal[:, :6].any(axis=1)
        ends |= {states[row][0] for row in np.flatnonzero(stuck)}
        legal[:, :6] = False
        at, actions = np.nonzero(legal)
        if not len(at):
            return set()
        rows = -len(at) % 1_024
        at, actions = np.pad(at, (0, rows)), np.pad(actions, (0, rows))
        many = np.full(len(at), played, np.int32)
        moved, left = after_step(
            boards[at], np.tile(dice, (len(at), 1)), many, playable[at], actions.astype(np.int32)
        )
        keep = len(at) - rows
        boards, left = np.asarray(moved)[:keep].tolist(), np.asarray(left)[:keep].tolist()
        after = set(zip(map(tuple, boards), map(tuple, left), strict=True))
        ends |= {board for board, dice in after if max(dice) < 0}
        return {state for state in after if max(state[1]) >= 0}

    def step_many(self, state, key):
        """A hundred steps of every game by chance; how many games ended."""
        step = jax.vmap(auto_reset(self.env.step, self.env.init))

        def one(carry, key):
            state, ended = carry
            choose, throw = jax.random.split(key)
            logits = jnp.log(state.legal_action_mask.astype(jnp.float32))
            action = jax.random.categorical(choose, logits, axis=1)
            state = step(state, action, jax.random.split(throw, TABLES))
            return (state, ended + state.terminated.sum()), None

        (state, ended), _ = jax.lax.scan(one, (state, jnp.int32(0)), jax.random.split(key, 100))
        return state, ended

    def games(self, n, seed):
        done, key = 0, jax.random.key(seed)
        while done < n:
            key, now = jax.random.split(key)
            self.state, ended = self.fields(self.state, now)
            done += int(ended)
        return done


if __name__ == "__main__":
    serve(Pgx)
