"""Lists of plays as a table."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from nardy.drawing.markup import escaped, tag
from nardy.text import position_text
from nardy_core import batch

if TYPE_CHECKING:
    from nardy.position import Play

__all__ = ["plays_table"]

ROWS = 100
"""Rows shown at most; the caption has the number of all plays."""

HEADS = ("", "play", "pips after", "opponent's pips after")


def plays_table(plays: Sequence["Play"]) -> str | None:
    """Write the plays of one roll as a table; nothing if the list is not that."""
    if not plays or not all(isinstance(play, batch.PlayData) for play in plays):
        return None
    turn = plays[0].turn
    if any(play.turn is not turn for play in plays):
        return None
    shown = plays[:ROWS]
    pips = batch.pips(turn.rules, np.array([play.after for play in shown])).tolist()
    rows = [
        _row("td", str(number), str(play), *map(str, both))
        for number, (play, both) in enumerate(zip(shown, pips, strict=True))
    ]
    if len(plays) > ROWS:
        rows.append(_row("td", "…", f"and {len(plays) - ROWS} more", "", ""))
    where = position_text(turn.rules, np.frombuffer(turn.before, np.int8))
    caption = f"{where} with {turn.dice[0]}-{turn.dice[1]}, number of plays: {len(plays)}"
    head = tag("thead", _row("th", *HEADS))
    return tag("table", tag("caption", escaped(caption)), head, tag("tbody", *rows))


def _row(cell: str, *texts: str) -> str:
    return tag("tr", *(tag(cell, escaped(text)) for text in texts))
