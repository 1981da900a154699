"""`Rules`: one game as data, checked once when it is built."""

from types import MappingProxyType

from libc.string cimport memset

from nardy_core.board cimport BAR, HEAD, OFF, THEIR_OFF, facing
from nardy_core.errors import RulesError, whole_number

from nardy_core.steps cimport block_fault

CHOICES = {
    "travel": ("contrary", "parallel"),
    "contact": ("hit", "block"),
    "opening": ("reroll", "lot"),
    "next_starter": ("winner", "alternate", "lot"),
    "use_dice": ("max", "some"),
    "head_exception": ("none", "fnr", "listed", "stuck", "any_double", "every_double"),
    "block": ("free", "ahead", "home", "never"),
    "block_check": ("step", "turn"),
    "hitter": ("free", "stays_home", "no_shelter"),
    "remainder": ("lost", "opponent"),
}
"""The listed values of every field that has a list; the first is the default."""

RANGES = {"head_limit": (0, 1), "max_per_point": (0, 15), "cascade": (0, 15),
          "home_mars": (0, 2**31 - 1)}
"""Least and greatest value of the whole-number fields; 0 is the default."""

UNPLAYED = ("title", "source", "start")

FLAGS = ("must_bear_off", "cube")

DRAWS = (0, 0.5, 1)

FIELDS = (
    "name", "title", "source", "travel", "contact", "start", "opening", "next_starter",
    "use_dice", "head_limit", "head_exception", "block", "block_check", "hitter",
    "must_bear_off", "max_per_point", "cascade", "remainder", "points", "home_mars",
    "draw_points", "cube",
)
"""Every field, in the order of the rule texts' table."""


def _whole(field, value):
    """A Python int from an int or a numpy integer."""
    number = whole_number(value)
    if number is None:
        raise RulesError(f"{field}: expected a whole number, got {value!r}")
    return number


def _choice(field, value):
    if not isinstance(value, str) or value not in CHOICES[field]:
        allowed = ", ".join(map(repr, CHOICES[field]))
        raise RulesError(f"{field}: expected one of {allowed}; got {value!r}")
    return value


def _in_range(field, value):
    low, high = RANGES[field]
    number = _whole(field, value)
    if not low <= number <= high:
        raise RulesError(f"{field}: expected {low} to {high}, got {number}")
    return number


def _flag(field, value):
    if not isinstance(value, bool):
        raise RulesError(f"{field}: expected True or False, got {value!r}")
    return value


def _text(field, value):
    if not isinstance(value, str):
        raise RulesError(f"{field}: expected a text, got {value!r}")
    if field == "name" and value == "six_one":
        raise RulesError("name: 'six_one' is reserved for a game that no source describes")
    if field == "name" and not (value.isascii() and value.replace("_", "a").isalnum()):
        raise RulesError(f"name: expected ASCII letters, digits and underscores, got {value!r}")
    return value


def _start(value):
    """{point: checkers}, highest point first; 25 is the bar and 0 is off."""
    try:
        pairs = list(value.items() if hasattr(value, "items") else value)
        start = dict(pairs)
    except (TypeError, ValueError):
        raise RulesError(f"start: expected {{point: checkers}}, got {value!r}") from None
    if len(start) < len(pairs):
        raise RulesError(f"start: a point stands twice in {value!r}")
    start = {}
    for point, count in pairs:
        point, count = _whole("start", point), _whole("start", count)
        if not OFF <= point <= BAR:
            raise RulesError(f"start: expected points 1 to 24 (25 the bar, 0 off), got {point}")
        if not 1 <= count <= 15:
            raise RulesError(f"start: expected 1 to 15 checkers on {point}, got {count}")
        start[point] = count
    total = sum(start.values())
    if not 1 <= total <= 15:
        raise RulesError(f"start: expected 1 to 15 checkers in all, got {total}")
    if start.get(OFF, 0) == total:
        raise RulesError("start: every checker is off, so there is no game to play")
    return dict(sorted(start.items(), reverse=True))


def _points(value):
    try:
        points = tuple(_whole("points", part) for part in value)
    except TypeError:
        points = ()
    if hasattr(value, "items") or isinstance(value, (set, frozenset)):
        points = ()
    if len(points) != 3:
        raise RulesError(f"points: expected three numbers (single, mars, koks), got {value!r}")
    if not 1 <= points[0] < 2**31 or not all(0 <= part < 2**31 for part in points[1:]):
        raise RulesError(f"points: expected a single win of 1 or more and the others 0 or more, "
                         f"each below 2**31; got {points}")
    return points


def _draw_points(value):
    if type(value).__name__ not in ("int", "float", "int64", "float64") or value not in DRAWS:
        raise RulesError(f"draw_points: expected 0, 0.5 or 1, got {value!r}")
    return 0.5 if value == 0.5 else int(value)


def _contradiction(v):
    """The first thing in the values that has no meaning, or None."""
    hit = v["contact"] == "hit"
    if hit:
        for field, idle in (("head_limit", 0), ("head_exception", "none"), ("block", "free"),
                            ("cascade", 0)):
            if v[field] != idle:
                return (f"{field}: {v[field]!r} has no meaning with contact='hit' "
                        f"(expected {idle!r}, or contact='block')")
    else:
        if v["hitter"] != "free":
            return (f"hitter: {v['hitter']!r} has no meaning with contact='block', where nothing "
                    f"is hit (expected 'free')")
        if BAR in v["start"]:
            return "start: point 25 is the bar, and with contact='block' there is none"
    if v["cascade"] and v["use_dice"] != "max":
        return "cascade: expected use_dice='max' beside it, got 'some'"
    if v["travel"] == "parallel" and v["points"][2]:
        return (f"points: koks is not defined where the players travel parallel, so the third "
                f"number must be 0; got {v['points']}")
    if v["max_per_point"]:
        for point, count in v["start"].items():
            if OFF < point < BAR and count > v["max_per_point"]:
                return (f"start: {count} checkers on {point}, but max_per_point is "
                        f"{v['max_per_point']}")
    parallel = v["travel"] == "parallel"
    for point in v["start"]:
        if OFF < point < BAR and facing(parallel, point) in v["start"]:
            return (f"start: own point {point} is the opponent's "
                    f"{facing(parallel, point)}, and both would hold it")
    return None


cdef class Rules:
    """One game as data: who travels where, what contact does, how dice are used, what a win pays.

    Immutable; checked once, here. A house rule is `replace` on a preset of `nardy.VARIANTS`. Two
    are equal if all fields but `title` and `source` are.

    Parameters
    ----------
    name : str
        Key of the game: ASCII letters, digits and underscores.
    title, source : str
        Human name, and where the rules come from.
    travel : {"contrary", "parallel"}
        Whether the players meet head on (short family) or go the same way round (long family).
    contact : {"hit", "block"}
        Whether a lone enemy checker is hit or closes the point.
    start : mapping of int to int
        Checkers by own point, the same for both players; 1 to 15 in all. Point 25 is the bar
        (only with ``contact="hit"``), 0 is off.
    opening : {"reroll", "lot"}
        Whether the starter throws again for his first turn or plays the dice of the lot.
    next_starter : {"winner", "alternate", "lot"}
        Who starts the next game of a match.
    use_dice : {"max", "some"}
        Whether as many dice as possible must be played, or any non-empty part of the roll.
    head_limit : {0, 1}
        Checkers that may leave point 24 in one turn; 0 is no limit.
    head_exception : {"none", "fnr", "listed", "stuck", "any_double", "every_double"}
        When a second checker may leave the head.
    block : {"free", "ahead", "home", "never"}
        When six points in a row are allowed.
    block_check : {"step", "turn"}
        Whether every step or only the final board is held against `block`.
    hitter : {"free", "stays_home", "no_shelter"}
        What a checker that has hit may do in the same turn.
    must_bear_off : bool
        Whether a checker that can be borne off must be.
    max_per_point : int
        Own checkers that a step may pile on one point, 1 to 15; 0 is no limit.
    cascade : int
        Steps of each stage of a double, 1 to 15; 0 means a double is four steps.
    remainder : {"lost", "opponent"}
        Where the unplayed rest of a cascade goes.
    points : tuple of three ints
        Worth of a single win, mars (gammon) and koks (backgammon); 0 is not counted apart.
    home_mars : int
        Worth of a mars with all the loser's checkers home; 0 is not counted apart.
    draw_points : {0, 0.5, 1}
        What each scores in a draw by the last turn; 0 means there is no draw.
    cube : bool
        Whether the game has a doubling cube.

    Raises
    ------
    RulesError
        If a field is unknown or its value is; if two fields contradict each other. The message
        names the field and what it allows.

    Examples
    --------
    >>> from nardy_core.rules import Rules
    >>> race = Rules("race", start={6: 3})
    >>> race.checkers, race.travel
    (3, 'contrary')
    >>> race.replace(travel="sideways")
    Traceback (most recent call last):
    nardy_core.errors.RulesError: travel: expected one of 'contrary', 'parallel'; got 'sideways'
    """

    def __init__(self, name, *, start, title="", source="", travel="contrary", contact="hit",
                 opening="reroll", next_starter="winner", use_dice="max", head_limit=0,
                 head_exception="none", block="free", block_check="step", hitter="free",
                 must_bear_off=False, max_per_point=0, cascade=0, remainder="lost",
                 points=(1, 2, 3), home_mars=0, draw_points=0, cube=False, **unknown):
        if self.values is not None:
            raise AttributeError("Rules cannot be changed; use replace()")
        for field in unknown:
            raise RulesError(f"{field}: unknown field; expected one of {', '.join(FIELDS)}")
        given = {
            "name": name, "title": title, "source": source, "travel": travel,
            "contact": contact, "start": start, "opening": opening,
            "next_starter": next_starter, "use_dice": use_dice, "head_limit": head_limit,
            "head_exception": head_exception, "block": block, "block_check": block_check,
            "hitter": hitter, "must_bear_off": must_bear_off, "max_per_point": max_per_point,
            "cascade": cascade, "remainder": remainder, "points": points,
            "home_mars": home_mars, "draw_points": draw_points, "cube": cube,
        }
        values = {}
        for field in FIELDS:
            value = given[field]
            if field in CHOICES:
                values[field] = _choice(field, value)
            elif field in RANGES:
                values[field] = _in_range(field, value)
            elif field in FLAGS:
                values[field] = _flag(field, value)
            elif field == "start":
                values[field] = _start(value)
            elif field == "points":
                values[field] = _points(value)
            elif field == "draw_points":
                values[field] = _draw_points(value)
            else:
                values[field] = _text(field, value)
        trouble = _contradiction(values)
        if trouble is not None:
            raise RulesError(trouble)
        self._fill(values)
        if block_fault(&self.c, &self.c.start):
            raise RulesError(f"start: it stands in a block of six that block={values['block']!r} "
                             f"forbids")
        self.values = values

    cdef _fill(self, dict v):
        """Write the values where the kernels read them."""
        cdef rules_t* c = &self.c
        cdef bint parallel = v["travel"] == "parallel"
        memset(c, 0, sizeof(rules_t))
        c.parallel = parallel
        c.hit = v["contact"] == "hit"
        c.lot = v["opening"] == "lot"
        c.some = v["use_dice"] == "some"
        c.head_limit = v["head_limit"]
        c.head_exception = CHOICES["head_exception"].index(v["head_exception"])
        c.block = CHOICES["block"].index(v["block"])
        c.block_at_end = v["block_check"] == "turn"
        c.hitter = CHOICES["hitter"].index(v["hitter"])
        c.must_bear_off = v["must_bear_off"]
        c.max_per_point = v["max_per_point"]
        c.cascade = v["cascade"]
        c.to_opponent = v["remainder"] == "opponent"
        c.draw = v["draw_points"] > 0
        c.head_start = set(v["start"]) == {HEAD}
        c.checkers = sum(v["start"].values())
        c.points[0], c.points[1], c.points[2] = v["points"]
        c.home_mars = v["home_mars"]
        for point, count in v["start"].items():
            c.start.at[<int>point] = count
            if point == OFF:
                c.start.at[THEIR_OFF] = -count
            elif point == BAR:
                c.start.at[26] = -count
            else:
                c.start.at[facing(parallel, point)] = -count

    def __getattr__(self, field):
        """The value of a field, or `checkers`, how many each player has."""
        if self.values is not None:
            if field == "start":
                return MappingProxyType(self.values["start"])
            if field in self.values:
                return self.values[field]
            if field == "checkers":
                return int(self.c.checkers)
        raise AttributeError(f"Rules has no field {field!r}")

    def __dir__(self):
        return [*object.__dir__(self), *FIELDS, "checkers"]

    def replace(self, **changes):
        """The same game with some fields changed: a house rule.

        Parameters
        ----------
        **changes
            Any fields of `Rules`.

        Returns
        -------
        Rules
            A new value; `self` stays as it is.

        Raises
        ------
        RulesError
            If a field is unknown or the changed rules contradict themselves.

        Examples
        --------
        >>> import nardy
        >>> nardy.variant("long").replace(block="never").block
        'never'
        """
        for field in changes:
            if field not in self.values:
                raise RulesError(f"{field}: unknown field; expected one of {', '.join(FIELDS)}")
        return Rules(**{**self.values, **changes})

    def asdict(self):
        """Every field and its value, in the order of `FIELDS`; plain Python values.

        Returns
        -------
        dict
            A copy: changing it changes nothing here.
        """
        return {**self.values, "start": dict(self.values["start"])}

    def __eq__(self, other):
        if not isinstance(other, Rules):
            return NotImplemented
        return self._played() == (<Rules>other)._played()

    def __hash__(self):
        return hash(self._played())

    def _played(self):
        """What decides the game: all fields but the title and the source."""
        return (tuple(self.values["start"].items()),
                *(self.values[field] for field in FIELDS if field not in UNPLAYED))

    def __repr__(self):
        return f"<Rules {self.values['name']}>" if self.values else "<Rules>"

    def __reduce__(self):
        return _rebuild, (self.asdict(),)


def _rebuild(values):
    """Rules from `asdict`, for pickle and copy."""
    return Rules(**values)
