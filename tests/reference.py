"""The slow, plain judge of the rules: what a fast kernel is compared against.

Standard library only; it shares nothing with the library. The authority is rules.md, whose
section numbers stand in the docstrings below. Rules are plain dicts of the fields of section 2
(`PRESETS`, `rules`). A board is a tuple of 32 ints in the view of the player on roll:

    0 own checkers off, 1..24 own points (own > 0, enemy < 0), 25 own checkers on the bar,
    26 minus the enemy's checkers on the bar, 27 minus the enemy's checkers off, 28..31 zero.

Decisions where rules.md is silent:

1.  `head_exception` is never in force if `start` has checkers off point 24, `every_double`
    included. `every_double` holds on the double of any own turn, in the first stage only, never
    in a remainder: `exception=False` switches it off like the others.
2.  `fnr`, "before the enemy head": the points above facing(24), so above 12 in parallel travel
    and above 1 in contrary travel. The runner's landings are 24-d, 24-2d, ..., 24-k*d where k is
    the rules' own number of steps (4, or `cascade`), whatever `steps` says; only landings of 1
    or more count.
3.  Checkers that may still leave the head: (2 if the exception is in force, else `head_limit`)
    minus `head_used`, not below 0. `head_limit` 0 means no limit.
4.  `must_bear_off`: "can bear off" means by a legal step (a frozen checker cannot). It filters
    the steps before 3.4 counts dice. Under `block_check=turn` it looks at the steps only.
5.  `block_check=turn`: all sequences are built without the block test; then only plays whose
    final board has no illegal block count. m and the larger-die rule are taken over those. With
    `use_dice=some` every non-empty such play counts, and a pass only if there is none.
6.  The block test works in the opponent's numbers for both kinds of travel.
7.  The winner's home in the loser's numbers is 19..24 (contrary) or 13..18 (parallel); koks
    exists only where points[2] is not 0.
8.  A board is finished when either side has all its checkers off.
9.  `cascade`: the first stage has `cascade` steps. A non-double is never a cascade.
10. `no_shelter`: identity matters. A point holds at most one hitter; when a checker leaves a
    point that holds a hitter and others, either may be the one that leaves.
11. `use_dice=some`: a non-empty part of the roll; of two different dice either one alone, or
    both in any order.
12. More than `max_per_point` checkers on a point are a fault of the player on roll only: six of
    the rule cases (E01, E07, E11, E12, E17, E18) stand the idle side's fifteen on one point.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

Board = tuple[int, ...]
Rules = dict
# (board, checkers that may still leave the head or None, points marked by hits, dice left)
State = tuple[Board, "int | None", frozenset, tuple[int, ...]]

OFF, HEAD, BAR, ENEMY_BAR, ENEMY_OFF, WIDTH = 0, 24, 25, 26, 27, 32
NO_MARKS: frozenset = frozenset()

# Own point p is the opponent's number FACING[travel][p], and the other way round (section 1).
FACING = {
    "contrary": (0, *(25 - p for p in range(1, 25))),
    "parallel": (0, *(p + 12 if p <= 12 else p - 12 for p in range(1, 25))),
}


# Section 2: the presets ----------------------------------------------------------------------

DEFAULTS: Rules = {
    "name": "",
    "title": "",
    "source": "rules.md",
    "travel": "contrary",
    "contact": "hit",
    "start": {24: 2, 13: 5, 8: 3, 6: 5},
    "opening": "reroll",
    "next_starter": "winner",
    "use_dice": "max",
    "head_limit": 0,
    "head_exception": "none",
    "block": "free",
    "block_check": "step",
    "hitter": "free",
    "must_bear_off": False,
    "max_per_point": 0,
    "cascade": 0,
    "remainder": "lost",
    "points": (1, 2, 3),
    "home_mars": 0,
    "draw_points": 0,
    "cube": False,
}

_LONG = {
    "travel": "parallel",
    "contact": "block",
    "start": {24: 15},
    "opening": "reroll",
    "next_starter": "winner",
    "head_limit": 1,
    "head_exception": "fnr",
    "block": "ahead",
    "block_check": "step",
    "points": (1, 2, 0),
}
_LOT = {"opening": "lot", "next_starter": "lot"}
_SHORT = _LOT | {"start": {24: 2, 13: 5, 8: 3, 6: 5}, "points": (1, 2, 3), "cube": True}
_NACK = {"start": {24: 2, 23: 2, 13: 4, 8: 3, 6: 4}}
_TAVLA = {
    "opening": "reroll",
    "next_starter": "winner",
    "hitter": "stays_home",
    "must_bear_off": True,
    "points": (1, 2, 0),
    "cube": False,
}
_OLD_ENGLISH = {"use_dice": "some", "max_per_point": 5, "points": (1, 0, 0), "cube": False}

_CHANGES = {
    "long": _LONG,
    "long_fnr": _LONG | {"next_starter": "alternate", "draw_points": 0.5},
    "long_fsnr": _LONG | {"head_exception": "listed", "home_mars": 3},
    "long_sport": _LONG | _LOT | {"head_exception": "listed", "cube": True},
    "nardegammon": _LONG | _LOT | {"cube": True},
    "short": _SHORT,
    "nackgammon": _SHORT | _NACK,
    "tavla": _SHORT | _TAVLA,
    "caucasian": _SHORT | {"hitter": "stays_home", "cube": False},
    "old_english": _SHORT | _OLD_ENGLISH,
    "mad_gulbar": _LONG | {"cascade": 2, "remainder": "opponent"},
}

PRESETS: dict[str, Rules] = {
    name: DEFAULTS | {"name": name, "title": name.replace("_", " ").title()} | changes
    for name, changes in _CHANGES.items()
}


def rules(name: str, **changed: object) -> Rules:
    """The preset `name` with some fields changed."""
    unknown = sorted(set(changed) - set(DEFAULTS))
    if unknown:
        raise ValueError(f"no such field of the rules: {', '.join(unknown)}")
    return PRESETS[name] | changed


# Section 1 and the board ---------------------------------------------------------------------


def checkers(rules: Rules) -> int:
    """Number of checkers each player has (section 1)."""
    return sum(rules["start"].values())


def facing(rules: Rules, p: int) -> int:
    """The opponent's number of the own point `p` (section 1)."""
    return FACING[rules["travel"]][p]


def start(rules: Rules) -> Board:
    """The board on which a game starts."""
    board = [0] * WIDTH
    for p, n in rules["start"].items():
        board[p] += n
        board[facing(rules, p)] -= n
    return tuple(board)


def flip(rules: Rules, board: Board) -> Board:
    """The same board in the view of the other player."""
    other = [0] * WIDTH
    for p in range(1, 25):
        other[facing(rules, p)] = -board[p]
    other[OFF], other[ENEMY_OFF] = -board[ENEMY_OFF], -board[OFF]
    other[BAR], other[ENEMY_BAR] = -board[ENEMY_BAR], -board[BAR]
    return tuple(other)


def parse(
    rules: Rules, own_text: str, other_text: str, other_in_own_numbers: bool = False
) -> Board:
    """The board of two texts like "24:14 16:1 bar:1 off:2".

    Checkers off are filled up to the checker count where "off" is left out. The other side's
    points are in the mover's numbers unless `other_in_own_numbers`.
    """
    board = [0] * WIDTH
    for text, sign in ((own_text, 1), (other_text, -1)):
        places = {"bar": BAR, "off": OFF} if sign > 0 else {"bar": ENEMY_BAR, "off": ENEMY_OFF}
        total = 0
        for item in text.split():
            place, n = item.split(":")
            if place in places:
                index = places[place]
            elif sign < 0 and other_in_own_numbers:
                index = facing(rules, int(place))
            else:
                index = int(place)
            if index in range(1, 25) and board[index] * sign < 0:
                raise ValueError(f"both sides on point {index}: {own_text!r}, {other_text!r}")
            board[index] += sign * int(n)
            total += int(n)
        if "off:" not in text:
            board[places["off"]] += sign * (checkers(rules) - total)
    return tuple(board)


def finished(rules: Rules, board: Board) -> bool:
    """Whether either side has all its checkers off (3.8)."""
    return checkers(rules) in (board[OFF], -board[ENEMY_OFF])


def faults(rules: Rules, board: Sequence[int]) -> list[str]:
    """What is wrong with a board that somebody set up; empty if it is a legal position."""
    board = tuple(board)
    if len(board) != WIDTH:
        return [f"a board has {WIDTH} entries, not {len(board)}"]
    found = []
    if any(board[28:]):
        found.append("entries 28 to 31 must be 0")
    if board[OFF] < 0 or board[BAR] < 0:
        found.append("own checkers off and on the bar must not be negative")
    if board[ENEMY_BAR] > 0 or board[ENEMY_OFF] > 0:
        found.append("the enemy's checkers off and on the bar must not be positive")
    n = checkers(rules)
    points = board[1:25]
    own = board[OFF] + board[BAR] + sum(x for x in points if x > 0)
    enemy = -board[ENEMY_OFF] - board[ENEMY_BAR] - sum(x for x in points if x < 0)
    if own != n:
        found.append(f"{own} own checkers, not {n}")
    if enemy != n:
        found.append(f"{enemy} enemy checkers, not {n}")
    if rules["contact"] == "block" and (board[BAR] or board[ENEMY_BAR]):
        found.append("a checker on the bar in a game without hits")
    most = rules["max_per_point"]
    if most and any(x > most for x in points):  # decision 12: of the player on roll
        found.append(f"more than {most} own checkers on a point")
    if has_illegal_block(rules, board):
        found.append("an illegal block of the player on roll")
    if has_illegal_block(rules, flip(rules, board)):
        found.append("an illegal block of the other player")
    if board[OFF] == n and board[ENEMY_OFF] == -n and not rules["draw_points"]:
        found.append("both players have all their checkers off in a game without draws")
    return found


# Sections 3 to 9: the plays of one roll ------------------------------------------------------


def has_illegal_block(rules: Rules, board: Board) -> bool:
    """Whether the mover's checkers form an illegal block (4.4).

    The opponent's numbers are looked at from 1 upwards, so the first number of a run is its
    lowest, and enemy checkers met before it are ahead of it.
    """
    kind = rules["block"]
    if kind == "free":
        return False
    road = [board[p] for p in FACING[rules["travel"]][1:]]
    sides = "".join("x" if n > 0 else "o" if n < 0 else "." for n in road)
    if "xxxxxx" not in sides:
        return False
    if kind == "never":
        return True
    if board[ENEMY_OFF] < 0:  # a borne-off checker is ahead of everything, and past home
        return False
    if kind == "home":
        return "o" not in sides[:6]
    # "ahead": it is the lowest block that fewest enemies are ahead of.
    return "o" not in sides[: sides.index("xxxxxx")]


def exception_in_force(rules: Rules, board: Board, dice: Sequence[int]) -> bool:
    """Whether two checkers may leave the head with this roll (4.3)."""
    kind = rules["head_exception"]
    d = dice[0]
    if kind == "none" or d != dice[1] or set(rules["start"]) != {HEAD}:
        return False
    if kind == "every_double":
        return True
    if board[HEAD] != checkers(rules):
        return False
    landings = [p for i in range(own_steps(rules)) if (p := HEAD - (i + 1) * d) >= 1]
    if kind == "any_double":
        return True
    if kind == "stuck":
        return any(board[p] < 0 for p in landings)
    if d not in (3, 4, 6):
        return False
    if kind == "listed":
        return True
    if kind == "fnr":
        return all(board[p] >= 0 for p in landings if p > facing(rules, HEAD))
    raise ValueError(f"head_exception: {kind!r}")


def own_steps(rules: Rules) -> int:
    """Steps of a double, or of one stage of a cascade (3.3, 9.1)."""
    return rules["cascade"] or 4


def can_land(rules: Rules, board: Board, q: int) -> bool:
    """Whether own checkers may touch down on point `q` (4.1, 5.1, 8)."""
    if rules["contact"] == "block":
        if board[q] < 0:
            return False
    elif board[q] < -1:
        return False
    return not rules["max_per_point"] or board[q] < rules["max_per_point"]


def marks_after(rules: Rules, board: Board, marks: frozenset, p: int, q: int) -> list[frozenset]:
    """The marks after a step from `p` to `q`, one entry per way to make it (5.4, 6.2).

    `stays_home` marks the points of home where one checker is frozen, `no_shelter` the points
    that hold a checker that has hit. No way at all means that the step is illegal.
    """
    hitter = rules["hitter"]
    hits = q != OFF and board[q] < 0
    if hitter == "stays_home":
        if p in marks and board[p] == 1:
            return []
        return [marks | {q}] if hits and q <= 6 else [marks]
    if hitter == "no_shelter":
        ways = []
        if p not in marks or board[p] > 1:  # a checker leaves that has not hit
            ways.append(marks | {q} if hits else marks)
        if p in marks and (q == OFF or board[q] <= 0):  # the hitter leaves
            ways.append(marks - {p} if q == OFF else marks - {p} | {q})
        return ways
    return [marks]


def moved(board: Board, p: int, q: int) -> Board:
    """The board after one own checker has gone from `p` to `q`, hitting what it meets (5.1)."""
    after = list(board)
    after[p] -= 1
    if q != OFF and after[q] < 0:
        after[q] = 0
        after[ENEMY_BAR] -= 1
    after[q] += 1
    return tuple(after)


def steps_of(rules: Rules, state: State) -> Iterator[tuple[bool, State]]:
    """Every legal step from a state: (whether it bears a checker off, the state after it).

    Sections 3.5, 4.2, 4.4, 5.1, 5.2, 5.4, 6.2 and 8; not yet 6.3.
    """
    board, head_left, marks, dice = state
    sources = [p for p in range(BAR, 0, -1) if board[p] > 0]
    if not sources:
        return
    rear = sources[0]
    if rear == BAR:
        sources = [BAR]  # 5.2: the bar first
    test_blocks = rules["block"] != "free" and rules["block_check"] == "step"
    test_marks = rules["hitter"] != "free"
    for die in set(dice):
        rest = list(dice)
        rest.remove(die)
        rest = tuple(rest)
        for p in sources:
            if p == HEAD and head_left == 0:
                continue
            q = p - die
            if q > OFF:
                if not can_land(rules, board, q):
                    continue
            elif rear > 6 or (q < OFF and p != rear):
                continue
            else:
                q = OFF
            ways = marks_after(rules, board, marks, p, q) if test_marks else (marks,)
            if not ways:
                continue
            after = moved(board, p, q)
            if test_blocks and has_illegal_block(rules, after):
                continue
            left = head_left - 1 if p == HEAD and head_left is not None else head_left
            for way in ways:
                yield q == OFF, (after, left, way, rest)


def next_states(rules: Rules, state: State) -> list[State]:
    """The states one legal step later, `must_bear_off` (6.3) included."""
    found = list(steps_of(rules, state))
    if rules["must_bear_off"] and any(bears_off for bears_off, _ in found):
        return [after for bears_off, after in found if bears_off]
    return [after for _, after in found]


def legal_plays(
    rules: Rules,
    board: Board,
    dice: Sequence[int],
    steps: int | None = None,
    head_used: int = 0,
    exception: bool = True,
) -> tuple[set[Board], int]:
    """The boards that the legal plays leave, and m, the number of dice they use (3.4, 8).

    States are built level by level, a level being the number of dice used. Under
    `use_dice=some` m is the largest number of dice. A pass is ({board}, 0). This is the only
    function that decides what a play is; it does not ask whether the game is over.
    """
    high, low = max(dice), min(dice)
    double = high == low
    repeats = own_steps(rules) if steps is None else steps
    roll = (high,) * repeats if double else (high, low)
    if rules["head_limit"]:
        limit = rules["head_limit"]
        if exception and exception_in_force(rules, board, dice):
            limit = 2
        head_left = max(0, limit - head_used)
    else:
        head_left = None

    levels: list[set[State]] = []
    level = {(board, head_left, NO_MARKS, roll)}
    while level := {after for state in level for after in next_states(rules, state)}:
        levels.append(level)

    at_end = rules["block_check"] == "turn"
    plays_by_dice = [
        [state for state in level if not (at_end and has_illegal_block(rules, state[0]))]
        for level in levels
    ]
    while plays_by_dice and not plays_by_dice[-1]:
        plays_by_dice.pop()
    m = len(plays_by_dice)
    if m == 0:
        return {board}, 0
    if rules["use_dice"] == "some":
        chosen = [state for plays in plays_by_dice for state in plays]
    else:
        chosen = plays_by_dice[-1]
        if m == 1 and not double:
            larger_used = [state for state in chosen if state[3] == (low,)]
            chosen = larger_used or chosen
    return {state[0] for state in chosen}, m


def plays_any(
    rules: Rules,
    board: Board,
    dice: Sequence[int],
    steps: int | None = None,
    head_used: int = 0,
    exception: bool = True,
) -> set[Board]:
    """`plays` for the extra turn of `draw_points` too: the enemy may already be all off."""
    return legal_plays(rules, board, dice, steps, head_used, exception)[0]


def plays(
    rules: Rules,
    board: Board,
    dice: Sequence[int],
    steps: int | None = None,
    head_used: int = 0,
    exception: bool = True,
) -> set[Board]:
    """The distinct boards after one roll, or one stage of a cascade, in the mover's view.

    `steps` is the number of steps of a double (default: the rules' own), `head_used` the
    number of checkers that left the head earlier in the turn, `exception=False` puts the head
    exception out of reach. Never empty: a pass and a finished game leave the board as it is.
    """
    if finished(rules, board):
        return {board}
    return plays_any(rules, board, dice, steps, head_used, exception)


def dice_used(
    rules: Rules,
    board: Board,
    dice: Sequence[int],
    steps: int | None = None,
    head_used: int = 0,
    exception: bool = True,
) -> int:
    """m of 3.4, the number of dice of the legal plays of `plays`; 0 is a pass.

    For `use_dice=some` it is the largest number.
    """
    if finished(rules, board):
        return 0
    return legal_plays(rules, board, dice, steps, head_used, exception)[1]


ROLLS = tuple((high, low) for high in range(1, 7) for low in range(1, high + 1))


def perft(rules: Rules, board: Board, depth: int) -> int:
    """Pairs (roll, board) to `depth`: 21 rolls unweighted; a finished game counts one.

    A cascade is counted by its first stage only.
    """
    if depth == 0 or finished(rules, board):
        return 1
    total = 0
    for dice in ROLLS:
        after = plays(rules, board, dice)
        if depth == 1:
            total += len(after)
        else:
            total += sum(perft(rules, flip(rules, one), depth - 1) for one in after)
    return total


# Section 10: results -------------------------------------------------------------------------


def outcome(rules: Rules, loser: Board) -> tuple[int, float]:
    """(kind, points) of a lost game; `loser` is the final board in the LOSER's view (10.1-10.4).

    kind is 1 single, 2 mars, 3 koks or home mars, after a 0 in `points` has fallen back to the
    next lower kind. The points are not multiplied by a cube.
    """
    single, mars, koks = rules["points"]
    if loser[OFF] > 0:
        return 1, single
    in_play = [p for p in range(1, BAR + 1) if loser[p] > 0]
    if rules["home_mars"] and max(in_play) <= 6:
        return 3, rules["home_mars"]
    winner_home = range(19, 25) if rules["travel"] == "contrary" else range(13, 19)
    if koks and any(p == BAR or p in winner_home for p in in_play):
        return 3, koks
    if mars:
        return 2, mars
    return 1, single


# Whole games ---------------------------------------------------------------------------------

# ("roll" or "remainder", player, dice, steps or None, board before, board after)
Event = tuple[str, int, tuple[int, int], "int | None", Board, Board]
Result = tuple[int, int, int]


def check_game(rules: Rules, start_board: Board, events: Sequence[Event]) -> Result:
    """Replay a game and return (winner, kind, turns); AssertionError at the first illegal thing.

    Player 0 is on roll on `start_board` and counts as the first mover. winner is 0, 1 or -1 for
    a draw, kind is 0 for a draw. turns counts rolls thrown: passes and the extra turn of a draw
    are counted, remainders are not. Boards are in the view of the player whom the event names.

    ("roll", player, dice, steps, before, after) is a roll, or one stage of an own cascade;
    ("remainder", player, (d, d), steps, before, after) a stage that was handed to `player`.
    steps may be None where it is the rules' own number. Every roll has an event, and every
    stage that plays something; a later stage, or a stage of a remainder, of which nothing can
    be played may have one (board unchanged) or be left out.
    """
    return _Replay(rules, events).game(start_board)


class _Replay:
    """One replay: the rules, the events, and how far they have been read."""

    def __init__(self, rules: Rules, events: Sequence[Event]) -> None:
        self.rules = rules
        self.events = events
        self.at = 0
        self.turns = 0

    def demand(self, true: object, message: str) -> None:
        """Stop here, saying where, unless `true`."""
        if not true:
            here = self.events[self.at] if self.at < len(self.events) else "the end of the events"
            raise AssertionError(f"event {self.at}: {message}; got {here}")

    def game(self, board: Board) -> Result:
        """The whole game from a board on which player 0 is on roll."""
        problems = faults(self.rules, board)
        self.demand(not problems, f"the start board is illegal: {problems}")
        if finished(self.rules, board):
            return self.result(0, board)
        player = 0
        while True:
            board, left_over = self.own_turn(player, board)
            if self.all_off(board):
                if self.rules["draw_points"] and player == 0:
                    # 10.5: the other has one more turn; 9.7: its remainder is void.
                    board, _ = self.own_turn(1, flip(self.rules, board))
                    player = 1
                return self.result(player, board)
            player, board = 1 - player, flip(self.rules, board)
            if self.rules["remainder"] == "opponent":
                board = self.handed_over(player, board, left_over)
                if self.all_off(board):  # 9.6 and 9.7: won at once, whoever it is
                    return self.result(player, board)

    def all_off(self, board: Board) -> bool:
        """Whether the player whose view this is has no checker left."""
        return board[OFF] == checkers(self.rules)

    def result(self, player: int, board: Board) -> Result:
        """The result of a finished board in the view of `player`; no event may follow."""
        self.demand(self.at == len(self.events), "the game is over, but events follow")
        if self.all_off(board):
            loser = flip(self.rules, board)
            if self.all_off(loser):
                return -1, 0, self.turns
            return player, outcome(self.rules, loser)[0], self.turns
        return 1 - player, outcome(self.rules, board)[0], self.turns

    def own_turn(self, player: int, board: Board) -> tuple[Board, list[tuple[int, int]]]:
        """One roll with all its stages: the board after it, and the remainder (9.1 to 9.3)."""
        self.demand(self.at < len(self.events), f"expected a roll of player {player}")
        dice = self.events[self.at][2]
        self.demand(
            len(dice) == 2 and all(d in range(1, 7) for d in dice), "two dice from 1 to 6 expected"
        )
        self.turns += 1
        if not self.rules["cascade"] or dice[0] != dice[1]:
            steps = own_steps(self.rules) if dice[0] == dice[1] else None
            board, _ = self.stage("roll", player, dice, steps, board, 0, True, must_appear=True)
            return board, []
        steps = own_steps(self.rules)
        stages = [(d, steps) for d in range(dice[0], 7)]
        return self.stages("roll", player, board, stages)

    def handed_over(self, player: int, board: Board, left_over: list[tuple[int, int]]) -> Board:
        """Play the opponent's remainder; what is left after that is lost (9.4)."""
        return self.stages("remainder", player, board, left_over)[0]

    def stages(
        self, tag: str, player: int, board: Board, stages: list[tuple[int, int]]
    ) -> tuple[Board, list[tuple[int, int]]]:
        """Stages in their order up to the first incomplete one; the board and what is left.

        The head is counted over all of them, and the exception is for the first stage of an
        own turn only (9.8).
        """
        head_used = 0
        own = tag == "roll"
        for i, (d, steps) in enumerate(stages):
            first = own and i == 0
            head_before = board[HEAD]
            board, used = self.stage(tag, player, (d, d), steps, board, head_used, first, first)
            head_used += head_before - board[HEAD]
            if self.all_off(board):  # 9.6: nothing is handed on
                return board, []
            if used < steps:
                return board, [(d, steps - used), *stages[i + 1 :]]
        return board, []

    def stage(
        self,
        tag: str,
        player: int,
        dice: tuple[int, int],
        steps: int | None,
        board: Board,
        head_used: int,
        exception: bool,
        must_appear: bool,
    ) -> tuple[Board, int]:
        """Check one event: the board after it and the number of dice used."""
        legal, used = legal_plays(self.rules, board, dice, steps, head_used, exception)
        expected = f"expected {tag} of player {player} with {tuple(dice)}"
        present = self.at < len(self.events) and (
            self.events[self.at][:2] == (tag, player)
            and sorted(self.events[self.at][2]) == sorted(dice)
        )
        if not present:
            self.demand(not must_appear and used == 0, expected)
            return board, 0
        _, _, _, said, before, after = self.events[self.at]
        own = own_steps(self.rules)
        self.demand(
            said == steps or (said is None and steps == own), f"{expected} and {steps} steps"
        )
        before, after = tuple(before), tuple(after)
        self.demand(before == board, f"{expected} on the board {board}")
        self.demand(
            after in legal,
            f"{expected}: not one of the {len(legal)} legal plays of {used} dice",
        )
        self.at += 1
        return after, used
