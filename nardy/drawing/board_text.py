"""The board in letters: X sits at the bottom, O at the top."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from nardy.drawing.layout import Place, View
from nardy.drawing.options import SEATS, chosen, read_flag
from nardy_core.rules import Rules

__all__ = ["board_text"]

HEIGHT = 5
"""Rows of a half; the fifth of a higher stack says how many checkers it has."""

WIDTH = 79
"""Columns at most; the board takes 45, a long title the rest."""

ASCII = str.maketrans("┌┬┐└┴┘│─", "++++++|-")


def board_text(
    rules: Rules,
    board: NDArray[np.int8],
    *,
    bottom: str = "me",
    numbers: str | None = "me",
    ascii: bool = False,
) -> str:
    """Draw a board in letters; the options are those of `Drawable.board_text`."""
    chosen("numbers", numbers, (*SEATS, None))
    view = View(rules, board, bottom)
    lines = [_headline(rules, view, numbers), _summary(view, below=False)]
    lines += [_edge(view, numbers, top=True), *_rows(view, top=True)]
    lines += [f"│{'':19}│bar│{'':19}│", *reversed(list(_rows(view, top=False)))]
    lines += [_edge(view, numbers, top=False), _summary(view, below=True)]
    text = "\n".join(lines)
    return (
        text.translate(ASCII).encode("ascii", "replace").decode()
        if read_flag("ascii", ascii)
        else text
    )


def _headline(rules: Rules, view: View, numbers: str | None) -> str:
    """Name the game, who is on roll and, unless they are his, whose the numbers are."""
    words = f"; {'X' if view.below('me') else 'O'} is on roll"
    if numbers == "opponent":
        words += f", points numbered for {'X' if view.below('opponent') else 'O'}"
    title = "".join(c if c.isprintable() else "?" for c in rules.title or rules.name)
    return title[: WIDTH - len(words)] + words


def _summary(view: View, below: bool) -> str:
    """Tell what one player has to travel, and what he has on the bar and off."""
    words = f"{'X' if below else 'O'}: pips {view.pips(below)}"
    for name, checkers in (("bar", view.bar(below)), ("off", view.off(below))):
        words += f", {name} {checkers}" if checkers else ""
    return words


def _edge(view: View, numbers: str | None, top: bool) -> str:
    """Draw the upper or lower edge, with the numbers of the points in it."""
    labels = ["───"] * 12
    if numbers is not None:
        below = view.below(numbers)
        labels = [f"{view.number(Place(column, top), below):─>3}" for column in range(12)]
    left, bar, right = ("┌", "┬", "┐") if top else ("└", "┴", "┘")
    return f"{left}{''.join(labels[:6])}─{bar}───{bar}{''.join(labels[6:])}─{right}"


def _rows(view: View, top: bool) -> Iterator[str]:
    """Draw the rows of the upper or lower half, from its edge to the middle of the board."""
    points = [_stack(view.checkers(Place(column, top))) for column in range(12)]
    bar = _stack(_on_bar(view, top))[::-1]
    for row in range(HEIGHT):
        cells = [f"{stack[row]:>3}" for stack in points]
        yield f"│{''.join(cells[:6])} │{bar[row]:>2} │{''.join(cells[6:])} │"


def _on_bar(view: View, top: bool) -> int:
    """Count the bar checkers of the player who enters in this half; negative if he sits above."""
    below = view.place(24, below=True).top == top
    return view.bar(below=True) if below else -view.bar(below=False)


def _stack(checkers: int) -> list[str]:
    """Draw one stack, from where it stands; the upper player's checkers are negative."""
    count, letter = abs(checkers), "X" if checkers > 0 else "O"
    cells = [letter] * min(count, HEIGHT) + [""] * (HEIGHT - count)
    if count > HEIGHT:
        cells[-1] = str(count)
    return cells
