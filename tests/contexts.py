"""Contexts to test with: positions from play and set up, all states of cube, score and turn."""

import random

from pairs import from_play
from positions import set_up

from nardy import Context, Position, batch


def contexts(rules, n, seed):
    """`n` contexts of a game: most from play, some set up, some of finished games."""
    rng = random.Random(f"{rules.name} {seed}")
    boards, _ = from_play(rules, n - n // 10, seed)
    strewn = [board for board, _ in set_up(rules, seed, n // 10)]
    for board in [*boards, *strewn]:
        position = Position(rules, board)
        if rng.random() < 0.02:
            position = finished(position, rng)
        yield context(position, rng)


def finished(position, rng):
    """The same with all checkers of one player off."""
    board = position.board.copy()
    if rng.random() < 0.5:
        board[1:26][board[1:26] > 0] = 0
        board[0] = position.rules.checkers
    else:
        board[1:27][board[1:27] < 0] = 0
        board[27] = -position.rules.checkers
    made = Position(position.rules, board) if not batch.faults(position.rules, board)[0] else None
    return made or position


def context(position, rng):
    """A context of this position with everything else at random, so far as it can be."""
    rules = position.rules
    length = rng.choice((None, None, 1, rng.randint(2, 25), rng.randint(2, 9)))
    fields = {"match_length": length, "score": score(rules, length, rng)}
    fields["starter"] = rng.choice((None, "me", "opponent"))
    if rules.cube:
        fields |= cube(rules, length, fields["score"], rng)
    if not position.status().over:
        fields |= under_way(rules, fields, rng)
    return Context(position, **fields)


def score(rules, length, rng):
    """Points below the match length, halves where there are half points."""
    most = 30 if length is None else length - 1
    step = 0.5 if rules.draw_points == 0.5 else 1
    return tuple(rng.randint(0, int(most / step)) * step for _ in "12")


def cube(rules, length, points, rng):
    """Cube, owner, limit and the switches that go with them."""
    if length is None:
        value = 1 << rng.choice((0, 0, 1, 2, 3, 6, 9))
        owners = ("me", "opponent", None) if value > 1 else (None,)
        return {
            "cube_value": value,
            "cube_owner": rng.choice(owners),
            "jacoby": rng.random() < 0.5,
            "beaver": rng.random() < 0.5,
            "cube_limit": rng.choice((None, None, max(64, value), 512)),
        }
    near = sum(length - own <= 1 for own in points)
    if (near == 1 and rng.random() < 0.5) or (length == 1 and rng.random() < 0.2):
        return {"crawford": True}
    if length == 1 or rng.random() < 0.3:
        return {}
    return {"cube_value": 1 << rng.randint(1, 9), "cube_owner": rng.choice(("me", "opponent"))}


def under_way(rules, fields, rng):
    """A roll, an offer, a remainder, or nothing yet."""
    kind = rng.choice(("dice", "dice", "nothing", "double", "resign", "remainder"))
    value, limit = fields.get("cube_value", 1), fields.get("cube_limit")
    may_double = (
        rules.cube
        and not fields.get("crawford")
        and fields["match_length"] != 1
        and fields.get("cube_owner") != "opponent"
        and 2 * value <= (limit or 2 * value)
    )
    if kind == "double" and may_double:
        return {"offer": "double"}
    if kind == "resign":
        dice = (rng.randint(1, 6), rng.randint(1, 6)) if rng.random() < 0.5 else None
        return {"offer": rng.choice(("single", "mars", "koks")), "dice": dice}
    if kind == "remainder" and rules.cascade and rules.remainder == "opponent":
        first = rng.randint(1, 6)
        rest = [step for step in range(first + 1, 7) for _ in range(rules.cascade)]
        return {"remainder": (*[first] * rng.randint(1, rules.cascade), *rest)}
    if kind == "dice":
        return {"dice": (rng.randint(1, 6), rng.randint(1, 6))}
    return {}
