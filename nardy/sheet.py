"""The rules of a game in words, made from its fields."""

from collections.abc import Callable, Mapping

from nardy.text import rules_text
from nardy_core.rules import Rules

__all__ = ["rules_sheet"]

SENTENCES: Mapping[str, Mapping[object, str]] = {
    "travel": {
        "contrary": "The players travel in opposite directions and meet head on.",
        "parallel": "Both players travel the same way round.",
    },
    "contact": {
        "hit": (
            "Two or more checkers close a point to the opponent; a lone one is hit and goes to the "
            "bar. Checkers on the bar enter before any other is played."
        ),
        "block": "Nothing is hit: even one checker closes its point to the opponent.",
    },
    "opening": {
        "reroll": (
            "One die each: the higher starts, and throws both dice again for the first turn."
        ),
        "lot": "One die each: the higher starts, and plays these two dice as the first turn.",
    },
    "next_starter": {
        "winner": (
            "The winner of a game starts the next one; after a draw, the player who did not start "
            "the last one."
        ),
        "alternate": "The players start in turns, game by game.",
        "lot": "Dice decide anew who starts the next game.",
    },
    "use_dice": {
        "max": (
            "As many dice as possible must be played; if either of two can be played but not "
            "both, the larger."
        ),
        "some": "Any part of the roll may be played, but at least one die if one can be.",
    },
    "head_limit": {
        0: "Any number of checkers may leave the head (point 24) in one turn.",
        1: "Only one checker may leave the head (point 24) in one turn.",
    },
    "head_exception": {
        "none": "This holds on the first turn too.",
        "fnr": (
            "On a player's first turn two may leave it with 3-3, 4-4 or 6-6, if no enemy checker "
            "stands on a landing of the lone runner before the enemy head."
        ),
        "listed": "On a player's first turn two may leave it with 3-3, 4-4 or 6-6.",
        "stuck": (
            "On a player's first turn two may leave it with a double that the lone runner cannot "
            "play in full because an enemy checker holds one of its landings."
        ),
        "any_double": "On a player's first turn two may leave it with any double.",
        "every_double": "With any double, on any turn, two may leave it.",
    },
    "block": {
        "free": "Any number of points in a row may be blocked.",
        "ahead": (
            "Six or more points in a row on the opponent's road may be blocked only while one of "
            "his checkers is ahead of them."
        ),
        "home": (
            "Six or more points in a row on the opponent's road may be blocked only while one of "
            "his checkers is in his home or off."
        ),
        "never": "Six or more points in a row on the opponent's road may never be blocked.",
    },
    "block_check": {
        "step": "This is tested after every step of a play.",
        "turn": "This is tested only on the board that the play leaves.",
    },
    "hitter": {
        "free": "A checker that has hit may go on in the same turn.",
        "stays_home": (
            "A checker that has hit on the player's own points 1 to 6 stays there for the rest of "
            "the turn; elsewhere it may go on."
        ),
        "no_shelter": (
            "A checker that has hit may not come down beside its own later in the same turn."
        ),
    },
    "must_bear_off": {
        False: (
            "Checkers may be borne off once all are home (points 1 to 6): from the point of the "
            "die, or from the highest point if the die is above it. Steps inside home are free."
        ),
        True: (
            "Checkers are borne off once all are home (points 1 to 6): from the point of the die, "
            "or from the highest point if the die is above it. Whenever a die of the roll can do "
            "so, the next step must."
        ),
    },
    "remainder": {
        "lost": "What cannot be played of a cascade is lost.",
        "opponent": (
            "What cannot be played of a cascade the opponent plays with his own checkers, before "
            "his own roll."
        ),
    },
    "draw_points": {
        0: "The first player with all checkers off wins; there is no draw.",
        0.5: (
            "If the first mover of the game finishes first, the other has one more turn; if that "
            "takes his last checker off, the game is drawn and each scores half a point."
        ),
        1: (
            "If the first mover of the game finishes first, the other has one more turn; if that "
            "takes his last checker off, the game is drawn and each scores one point."
        ),
    },
    "cube": {
        False: "There is no doubling cube.",
        True: (
            "A doubling cube is used: who is to roll may offer to double the stake; the other "
            "takes it and owns the cube, or gives the game up."
        ),
    },
}
"""What each value of a field with few values means."""


def rules_sheet(rules: Rules) -> str:
    """Say every rule of a game in words.

    Parameters
    ----------
    rules : Rules
        Any game, house rules included.

    Returns
    -------
    str
        Title, source, and a list of sentences under headings; fields that have no meaning in
        this game are left out.

    Examples
    --------
    >>> from nardy import variant
    >>> from nardy.sheet import rules_sheet
    >>> print(rules_sheet(variant("old_english")).splitlines()[0])
    Old English backgammon (old_english)
    """
    name = rules_text(rules)
    lines = [f"{rules.title} ({name})" if rules.title else name]
    if rules.source:
        lines.append(f"Source: {rules.source}")
    for heading, fields in SECTIONS.items():
        sentences = [sentence(rules) for applies, sentence in fields if applies(rules)]
        if sentences:
            lines += ["", heading, *(f"  - {text}" for text in sentences)]
    return "\n".join(lines) + "\n"


# ------------------------------------------------------------------------- fields with numbers


def _checkers(count: int) -> str:
    return "1 checker" if count == 1 else f"{count} checkers"


def _points_won(points: float) -> str:
    return "1 point" if points == 1 else f"{points} points"


def _start(rules: Rules) -> str:
    def place(point: int) -> str:
        return {25: "on the bar", 0: "off"}.get(point, f"on point {point}")

    stands = ", ".join(f"{count} {place(point)}" for point, count in rules.start.items())
    return (
        f"Each player has {_checkers(rules.checkers)}: {stands}. Each counts the points his own "
        f"way, from 24 down to 1."
    )


def _max_per_point(rules: Rules) -> str:
    if rules.max_per_point == 0:
        return "Any number of own checkers may stand on one point."
    return f"A step may not bring more than {_checkers(rules.max_per_point)} to one point."


def _cascade(rules: Rules) -> str:
    if rules.cascade == 0:
        return "A double has four steps."
    steps = "1 step" if rules.cascade == 1 else f"{rules.cascade} steps"
    return (
        f"A double is a cascade: {steps} with its number, then {steps} with each higher number up "
        f"to six; it ends with the first stage that cannot be completed."
    )


def _points(rules: Rules) -> str:
    single, mars, koks = rules.points
    parts = [f"A win is worth {_points_won(single)}"]
    if mars:
        parts.append(f"a mars (the loser has no checker off) {_points_won(mars)}")
    if koks:
        parts.append(
            f"a koks (none off, and one on the bar or in the winner's home) {_points_won(koks)}"
        )
    apart = [name for name, points in (("mars", mars), ("koks", koks)) if not points]
    ending = f"; {' and '.join(apart)} not counted apart" if apart else ""
    return ", ".join(parts) + ending + "."


def _home_mars(rules: Rules) -> str:
    if rules.home_mars == 0:
        return "It counts nothing apart that all checkers of a loser with none off are home."
    return (
        f"If all the loser's checkers are home and none is off, the win is worth "
        f"{_points_won(rules.home_mars)}."
    )


# ------------------------------------------------------------------------------- which apply


def _always(rules: Rules) -> bool:
    return True


def _hits(rules: Rules) -> bool:
    return rules.contact == "hit"


def _blocks(rules: Rules) -> bool:
    return rules.contact == "block"


def _limits_head(rules: Rules) -> bool:
    """Whether the head has a limit to make an exception from, and the first turn can have one."""
    return rules.head_limit > 0 and set(rules.start) == {24}


def _limits_blocks(rules: Rules) -> bool:
    return rules.contact == "block" and rules.block != "free"


def _cascades(rules: Rules) -> bool:
    return rules.cascade > 0


def _listed(field: str) -> Callable[[Rules], str]:
    return lambda rules: SENTENCES[field][getattr(rules, field)]


SECTIONS: Mapping[str, tuple[tuple[Callable[[Rules], bool], Callable[[Rules], str]], ...]] = {
    "Start": (
        (_always, _start),
        (_always, _listed("travel")),
        (_always, _listed("opening")),
        (_always, _listed("next_starter")),
    ),
    "Dice": (
        (_always, _listed("use_dice")),
        (_always, _cascade),
        (_cascades, _listed("remainder")),
    ),
    "On the board": (
        (_always, _listed("contact")),
        (_hits, _listed("hitter")),
        (_always, _max_per_point),
        (_blocks, _listed("head_limit")),
        (_limits_head, _listed("head_exception")),
        (_blocks, _listed("block")),
        (_limits_blocks, _listed("block_check")),
    ),
    "Bearing off": ((_always, _listed("must_bear_off")),),
    "Result": (
        (_always, _points),
        (_always, _home_mars),
        (_always, _listed("draw_points")),
        (_always, _listed("cube")),
    ),
}
"""Heading by heading: whether a field has a meaning, and its sentence."""
