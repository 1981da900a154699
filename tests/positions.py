"""Boards to test with: from random games and set up at random, in every game."""

import random

import numpy as np

import nardy
from nardy import batch
from nardy_core import batch as core

HOUSE = {
    "no_shelter": nardy.variant("short").replace(hitter="no_shelter"),
    "no_shelter, some dice, full points": nardy.variant("nackgammon").replace(
        hitter="no_shelter", use_dice="some", max_per_point=5
    ),
    "tavla, some dice": nardy.variant("tavla").replace(use_dice="some"),
    "block at the end": nardy.variant("long").replace(block_check="turn"),
    "block never, at the end": nardy.variant("long").replace(block="never", block_check="turn"),
    "no block, no head": nardy.variant("long").replace(block="home", head_limit=0),
    "contrary block": nardy.variant("short").replace(contact="block", block="ahead"),
    "parallel hits": nardy.variant("long").replace(
        contact="hit", head_limit=0, head_exception="none", block="free"
    ),
    "three checkers": nardy.Rules("three", start={6: 2, 3: 1}),
}
GAMES = {**nardy.VARIANTS, **HOUSE}


def from_games(rules, seed, games=4):
    """Boards and rolls of random games."""
    for game in range(games):
        for event in core.trace(rules, seed=seed, game=game)[0]:
            yield event.before, event.dice


def _side(rng, rules, points, reach):
    side = np.zeros(32, np.int8)
    out = rng.choice((0, 0, rng.randrange(rules.checkers)))
    for _ in range(rules.checkers - out):
        bar = rules.contact == "hit" and rng.random() < 0.04
        near = [point for point in points if point <= reach] or points
        side[25 if bar else rng.choice(near)] += 1
    side[0] = out
    return side


def set_up(rules, seed, n):
    """Legal boards with checkers strewn about, and rolls, doubles more often than dice give."""
    rng = random.Random(seed)
    facing = -batch.flip(rules, np.arange(32))[0]
    while n:
        own = _side(rng, rules, range(1, 25), rng.choice((6, 8, 13, 24)))
        free = [int(facing[point]) for point in range(1, 25) if own[point] <= 0]
        if not free:
            continue
        board = own + batch.flip(rules, _side(rng, rules, free, 24))[0]
        if batch.faults(rules, board)[0]:
            continue
        d1 = rng.randint(1, 6)
        yield board, (d1, d1 if rng.random() < 0.3 else rng.randint(1, 6))
        n -= 1
