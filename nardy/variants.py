"""The games, one entry each with its source. A new game is added here and nowhere else."""

from collections.abc import Mapping
from types import MappingProxyType

from nardy_core.errors import UnknownVariant
from nardy_core.rules import Rules

__all__ = ["VARIANTS", "rules_of", "variant"]

LONG = Rules(
    "long",
    title="Long nardy",
    source="Federation text 'classic long nardy' (head exception 3.1, six-block 3.5)",
    travel="parallel",
    contact="block",
    start={24: 15},
    opening="reroll",
    next_starter="winner",
    head_limit=1,
    head_exception="fnr",
    block="ahead",
    block_check="step",
    points=(1, 2, 0),
)

LONG_FNR = LONG.replace(
    name="long_fnr",
    title="Long nardy, federation match rules",
    source="Federation text 'classic long nardy', with its draw (4.3) and colour swap (1.4)",
    next_starter="alternate",
    draw_points=0.5,
)

LONG_FSNR = LONG.replace(
    name="long_fsnr",
    title="Long nardy with home mars",
    source="Rule text 002, 'long nardy': listed doubles, three points for a home mars",
    head_exception="listed",
    home_mars=3,
)

LONG_SPORT = LONG.replace(
    name="long_sport",
    title="Long nardy, sport rules",
    source="Russian sport rules of 2026 (order 874), as described by elliogh/evonardy",
    head_exception="listed",
    opening="lot",
    next_starter="lot",
    cube=True,
)

NARDEGAMMON = LONG.replace(
    name="nardegammon",
    title="Nardegammon",
    source="Rule text 002, 'nardegammon': long nardy with the lot's dice and the cube",
    opening="lot",
    next_starter="lot",
    cube=True,
)

SHORT = Rules(
    "short",
    title="Short nardy (backgammon)",
    source="Rule texts 001, 002 and 004, 'short nardy'; US Backgammon Federation rules",
    travel="contrary",
    contact="hit",
    start={24: 2, 13: 5, 8: 3, 6: 5},
    opening="lot",
    next_starter="lot",
    points=(1, 2, 3),
    cube=True,
)

NACKGAMMON = SHORT.replace(
    name="nackgammon",
    title="Nackgammon",
    source="Rule text 002, 'nackgammon' (N. Ballard's start)",
    start={24: 2, 23: 2, 13: 4, 8: 3, 6: 4},
)

TAVLA = SHORT.replace(
    name="tavla",
    title="Tavla",
    source="Rule text 002, 'tavla'",
    opening="reroll",
    next_starter="winner",
    hitter="stays_home",
    must_bear_off=True,
    points=(1, 2, 0),
    cube=False,
)

CAUCASIAN = SHORT.replace(
    name="caucasian",
    title="Caucasian short nardy",
    source="Rule text 004, 'Caucasian short nardy'",
    hitter="stays_home",
    cube=False,
)

OLD_ENGLISH = SHORT.replace(
    name="old_english",
    title="Old English backgammon",
    source="Rule text 002, 'Old English'",
    use_dice="some",
    max_per_point=5,
    points=(1, 0, 0),
    cube=False,
)

MAD_GULBAR = LONG.replace(
    name="mad_gulbar",
    title="Mad gul-bar",
    source="Rule texts 001 and 003, 'mad gul-bar'",
    cascade=2,
    remainder="opponent",
)

VARIANTS: Mapping[str, Rules] = MappingProxyType(
    {
        rules.name: rules
        for rules in (
            LONG,
            LONG_FNR,
            LONG_FSNR,
            LONG_SPORT,
            NARDEGAMMON,
            SHORT,
            NACKGAMMON,
            TAVLA,
            CAUCASIAN,
            OLD_ENGLISH,
            MAD_GULBAR,
        )
    }
)
"""Every preset by name."""

KNOWN_AS = {
    "backgammon": "short",
    "shesh_besh": "short",
    "narde": "long",
    "nardy": "long",
    "long_nardy": "long",
    "short_nardy": "short",
    "gul_bara": "mad_gulbar",
    "gulbar": "mad_gulbar",
}
"""Other names of games, for whoever looks for them."""

RESERVED = {
    "six_one": (
        "six_one ('шесть-один') is named once in two rule texts as a main kind and never "
        "described; no source has rules for it (probably a garbled 'шеш-беш')"
    )
}


def variant(name: str) -> Rules:
    """Return the rules of a game by name.

    Parameters
    ----------
    name : str
        A key of `VARIANTS`.

    Returns
    -------
    Rules
        The preset.

    Raises
    ------
    UnknownVariant
        If no game has this name; the message offers near matches, or says why a reserved name has
        no rules.

    Examples
    --------
    >>> from nardy import variant
    >>> variant("long").start
    mappingproxy({24: 15})
    >>> variant("lng")
    Traceback (most recent call last):
    nardy_core.errors.UnknownVariant: no variant is named 'lng'; did you mean 'long'?
    """
    rules = VARIANTS.get(name) if isinstance(name, str) else None
    if rules is None:
        raise UnknownVariant(_unknown(name))
    return rules


def _unknown(name: object) -> str:
    """Say why no game has this name, and which names are near."""
    if not isinstance(name, str):
        return f"expected the name of a variant, got {name!r}"
    if name in RESERVED:
        return RESERVED[name]
    if name.casefold() in KNOWN_AS:
        return f"no variant is named {name!r}; here it is {KNOWN_AS[name.casefold()]!r}"
    from difflib import get_close_matches  # only here: it takes longer to load than all else

    near = get_close_matches(name, VARIANTS, n=3)
    if near:
        hint = f"did you mean {' or '.join(map(repr, near))}?"
    else:
        hint = f"known are {', '.join(VARIANTS)}"
    return f"no variant is named {name!r}; {hint}"


def rules_of(rules: Rules | str) -> Rules:
    """Return `rules` as it is, or the rules of the variant with this name.

    Parameters
    ----------
    rules : Rules or str
        Any rules, or a key of `VARIANTS`.

    Returns
    -------
    Rules
        The rules meant.

    Raises
    ------
    UnknownVariant
        If it is neither rules nor the name of a variant.

    Examples
    --------
    >>> from nardy.variants import rules_of
    >>> rules_of("tavla")
    <Rules tavla>
    """
    return rules if isinstance(rules, Rules) else variant(rules)
