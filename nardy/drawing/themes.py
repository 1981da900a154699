"""The colours of a picture."""

from typing import NamedTuple

__all__ = ["THEMES", "Paint", "Theme"]


class Paint(NamedTuple):
    """What a player's checkers, dice and slabs are filled, lined and lettered with."""

    fill: str
    line: str
    ink: str


class Theme(NamedTuple):
    """One set of colours; `below` and `above` are the players' seats."""

    page: str
    caption: str
    frame: str
    number: str
    felt: str
    points: tuple[str, str]
    below: Paint
    above: Paint
    cube: Paint
    arrow: str
    hit: str


THEMES = {
    "light": Theme(
        page="#ffffff",
        caption="#3b2a1a",
        frame="#6b4528",
        number="#f7ead3",
        felt="#f3e6cc",
        points=("#d8b07c", "#b27d4c"),
        below=Paint("#fffdf6", "#4d3a28", "#2b2118"),
        above=Paint("#3a3431", "#120f0e", "#fffdf6"),
        cube=Paint("#fffdf6", "#2b2118", "#2b2118"),
        arrow="#1667c7",
        hit="#d11f2d",
    ),
    "dark": Theme(
        page="#15171c",
        caption="#d5d9e1",
        frame="#3a404c",
        number="#e4e7ed",
        felt="#23272f",
        points=("#566072", "#3c4553"),
        below=Paint("#ece7da", "#8a8474", "#1d1f24"),
        above=Paint("#0b0c0f", "#aab1be", "#ece7da"),
        cube=Paint("#ece7da", "#15171c", "#1d1f24"),
        arrow="#ffb638",
        hit="#ff5a5f",
    ),
}
"""The themes by name."""
