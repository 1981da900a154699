"""How far the race formulas are off: the tables of docs/bearoff.md.

    python bench/race_formulas.py

Counts and win chances are compared on races from games of the built-in policy, with all checkers
on points 1 to 10 and ten or more in play, from a table of all positions that is built and kept
(620 MB); cube advice on every pair of positions of 6 points and 6 checkers, by equity lost.
"""

import sys

import numpy as np

from nardy import VARIANTS, batch, bearoff
from nardy.bearoff import formulas
from nardy_core import batch as core

BOARDS = 2_000
POINTS = 10
MOST_OFF = 5


def races(name, wanted=BOARDS):
    """One board of each of many games: no contact, nobody above POINTS, nobody nearly home."""
    rng, out, game = np.random.default_rng(1), [], 0
    while len(out) < wanted:
        events, _ = core.trace(VARIANTS[name], seed=7, game=game, policy="heuristic")
        boards = np.array([event.before for event in events if not event.remainder])
        boards = boards[~batch.contact(name, boards) & ~batch.outcomes(name, boards).over]
        other = batch.flip(name, boards)
        near = [(side[:, POINTS + 1 : 26] <= 0).all(axis=1) for side in (boards, other)]
        boards = boards[near[0] & near[1] & (boards[:, 0] <= MOST_OFF) & (other[:, 0] <= MOST_OFF)]
        if len(boards):
            out.append(boards[rng.integers(len(boards))])
        game += 1
    return np.array(out)


def counts_of(own, other, table):
    """(name, count of the player on roll, of the other), in pips without wastage."""
    yield "pip count", formulas.pip_count(own), formulas.pip_count(other)
    yield "Thorp", formulas.thorp_count(own), formulas.thorp_count(other)
    yield "Keith", formulas.keith_count(own), formulas.keith_count(other)
    yield "Ward", *formulas.ward_counts(own, other)
    yield "EPC", table.epc(own), table.epc(other)


def print_counts(name):
    """Wastage that a count misses, and the error of Kleinman's chance with that count."""
    table = bearoff.one_sided(name, POINTS)
    boards = races(name)
    own = np.maximum(boards, 0)[:, 1 : POINTS + 1]
    other = np.maximum(batch.flip(name, boards), 0)[:, 1 : POINTS + 1]
    exact = bearoff.race(boards, name)
    print(f"\n{name}: {len(boards)} races, mean EPC {exact.epc.mean():.1f}")
    print("| count | spread against the EPC, pips | win chance off, % | at most, % |")
    print("|---|---|---|---|")
    for count, mine, theirs in counts_of(own, other, table):
        off = np.concatenate([mine - exact.epc, theirs - exact.opponent_epc])
        wrong = abs(formulas.kleinman_win(mine, theirs) - exact.win)
        print(f"| {count} | {off.std():.2f} | {100 * wrong.mean():.2f} | {100 * wrong.max():.1f} |")


def print_advice():
    """Equity lost, in points of the cube: a centred cube, then one that the player owns."""
    table = bearoff.two_sided("short")
    rows = bearoff.one_sided("short", 6, 6).positions()[1:]
    value, play = table.value[:, 1:, 1:], table.play[:, 1:, 1:]
    taken = 2 * value[3]
    print(f"\nshort: {value[0].size} pairs")
    print(
        "| formula | wrong doubles, % | lost | wrong redoubles, % | lost | wrong takes, % | lost |"
    )
    print("|---|---|---|---|---|---|---|")
    for name, advise in formulas.ADVICE.items():
        advice = [np.empty_like(taken, bool) for _ in range(3)]
        for x, row in enumerate(rows):
            for out, part in zip(advice, advise(np.tile(row, (len(rows), 1)), rows), strict=True):
                out[x] = part
        cells = []
        for plane, doubles in ((1, advice[0]), (2, advice[1])):
            lost = value[plane] - np.where(doubles, np.minimum(taken, 1), play[plane])
            cells += [f"{100 * (lost > 1e-9).mean():.1f}", f"{lost.mean():.4f}"]
        right = np.maximum(np.minimum(taken, 1), play[1]) > play[1]  # where it is offered
        lost = np.where(advice[2], taken, 1)[right] - np.minimum(taken, 1)[right]
        cells += [f"{100 * (lost > 1e-9).mean():.1f}", f"{lost.mean():.4f}"]
        print(f"| {name} | {' | '.join(cells)} |")


if __name__ == "__main__":
    for game in sys.argv[1:] or ("short", "long"):
        print_counts(game)
    print_advice()
