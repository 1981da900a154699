"""What a record holds, whatever its format."""

from dataclasses import dataclass, field
from typing import Any

from nardy.game import Game
from nardy.match import Match
from nardy.text import rules_text
from nardy_core.errors import ParseError
from nardy_core.rules import Rules

__all__ = ["Record", "RecordError"]


class RecordError(ParseError):
    """A record that cannot be read, or that the rules forbid.

    Where a play is to blame, ``error.__cause__`` is the `IllegalPlay`, which has the rule's word,
    the step and the points.

    Attributes
    ----------
    line, game, turn : int
        Where: counted from 1; 0 where there is none.
    reason : str
        Why, without where.
    """

    def __init__(self, reason: str, line: int = 0, game: int = 0, turn: int = 0) -> None:
        named = (("line", line), ("game", game), ("turn", turn))
        where = ", ".join(f"{name} {number}" for name, number in named if number)
        super().__init__(f"{where}: {reason}" if where else reason)
        self.reason, self.line, self.game, self.turn = reason, line, game, turn

    def __reduce__(self) -> tuple[type, tuple[str, int, int, int]]:
        """Pickle with the place."""
        return (type(self), (self.reason, self.line, self.game, self.turn))


@dataclass(eq=False)
class Record:
    """A match that was played, and by whom.

    Two records are equal if the same was done by the same players under the same rules. Seeds,
    comments and lots that tied do not count.

    Attributes
    ----------
    match : Match
        The match, or session, as the referee replayed it.
    players : tuple of two str
        Their names.
    comments : list of str
        Comments of the file.
    notes : list of str
        What the reader had to guess or leave out, such as a torn last line.
    """

    match: Match
    players: tuple[str, str] = ("player 0", "player 1")
    comments: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def rules(self) -> Rules:
        """The game."""
        return self.match.rules

    @property
    def length(self) -> int | None:
        """Points of the match; None for a money session."""
        return self.match.length

    @property
    def games(self) -> tuple[Game, ...]:
        """The games, each with its `result`, `history` and final `position`."""
        return self.match.games

    @property
    def score(self) -> tuple[float, float]:
        """The points of both players at the end."""
        return self.match.score

    def _content(self) -> dict[str, Any]:
        """Return what counts when compared."""
        data = self.match.to_dict()
        del data["seed"]
        data["games"] = [
            [act for act in acts if act[0] != "lot" or act[1][0] != act[1][1]]
            for acts in data["games"]
        ]
        return data | {"players": tuple(self.players)}

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Record):
            return NotImplemented
        return self.rules == other.rules and self._content() == other._content()

    __hash__ = None  # type: ignore[assignment]  # its match changes

    def __repr__(self) -> str:
        one, two = self.score
        return (
            f"<Record {rules_text(self.rules)}, {self.players[0]} {one} - {two} {self.players[1]}, "
            f"games {len(self.games)}>"
        )
