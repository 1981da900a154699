"""Boards and plays to look at: SVG pictures, boards in letters, tables of plays.

Both players see the same board. The one at the bottom starts top right and comes home bottom right.
In the short family, where the players travel contrary, the other one's road is the mirror image, as
in every backgammon diagram. In the long family both go counter-clockwise: the other one starts at
the corner diagonally opposite, bottom left, and comes home top left.

What draws is imported when something is first drawn: `import nardy` does not wait for it.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from nardy_core.rules import Rules

if TYPE_CHECKING:
    from nardy.drawing.options import Cube
    from nardy.position import Play

__all__ = ["Drawable", "Plays"]


class Drawable:
    """What can be drawn: a legal board under its rules; `nardy.Position` is one."""

    __slots__ = ()

    if TYPE_CHECKING:
        rules: Rules
        board: NDArray[np.int8]

    def svg(
        self,
        *,
        play: "Play | str | None" = None,
        dice: Iterable[int] | None = None,
        cube: "Cube | None" = None,
        theme: str = "light",
        numbers: str | None = "me",
        bottom: str = "me",
        size: int = 640,
    ) -> str:
        """Draw the board as an SVG picture.

        The light checkers are those of the player at the bottom, whoever is on roll: with
        ``bottom`` "me" and "opponent" in turns, the pictures of a game keep seats and colours.

        Parameters
        ----------
        play : Play or str, optional
            A play to show as arrows, one for each step; hits are red and ringed. A `Play` must be
            of this position, and its dice are drawn too. Text is read as by `Position.play`;
            without `dice`, as the play of whatever roll takes the fewest steps. A double of a
            cascade game is its first stage.
        dice : two ints, optional
            The roll, drawn in the colour of the player on roll, in his half to the right.
        cube : (int, str or None), optional
            Value of the doubling cube, a power of two, and its owner: "me", "opponent" or None.
        theme : str
            "light" or "dark".
        numbers : str or None
            Whose numbers the points have: "me", the player on roll, "opponent", or None.
        bottom : str
            Who sits at the bottom, "me" or "opponent".
        size : int
            Width in pixels, 50 to 10,000; the height follows.

        Returns
        -------
        str
            One ``<svg>`` element with a title, which stands alone as a file or within HTML. The
            same arguments give the same text; it needs no fonts, scripts or styles.

        Raises
        ------
        InvalidArgument
            If an option has no such value; if the play is of another position or roll.
        ParseError, IllegalPlay
            If the text is no text of a play; if `dice` cannot be played so.

        Examples
        --------
        >>> from nardy import Position
        >>> picture = Position.start("short").svg(play="8/5 6/5", dice=(3, 1), theme="dark")
        >>> picture[:59], picture.count("<circle")
        ('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 624 56', 34)
        >>> Position.start("long").svg(bottom="left")
        Traceback (most recent call last):
        nardy_core.errors.InvalidArgument: bottom: expected one of 'me', 'opponent', got 'left'
        """
        from nardy.drawing.svg import board_svg

        return board_svg(
            self.rules,
            self.board,
            play=play,
            dice=dice,
            cube=cube,
            theme=theme,
            numbers=numbers,
            bottom=bottom,
            size=size,
        )

    def board_text(
        self, *, bottom: str = "me", numbers: str | None = "me", ascii: bool = False
    ) -> str:
        """Draw the board in letters: X sits at the bottom, O at the top.

        Parameters
        ----------
        bottom : str
            Who sits at the bottom, "me", the player on roll, or "opponent".
        numbers : str or None
            Whose numbers the points have: "me", "opponent", or None.
        ascii : bool
            Whether to do without lines of Unicode.

        Returns
        -------
        str
            16 lines of at most 79 columns. A stack of more than five checkers has its number in
            the fifth row. ``str(position)`` is the board with ``ascii=True``, which any stream
            takes.

        Raises
        ------
        InvalidArgument
            If an option has no such value.

        Examples
        --------
        >>> from nardy import Position
        >>> print(Position.from_text("long 24:12 6:3 | 24:13 8:2").board_text())
        Long nardy; X is on roll
        O: pips 328
        ┌─13─14─15─16─17─18─┬───┬─19─20─21─22─23─24─┐
        │                   │   │     O           X │
        │                   │   │     O           X │
        │                   │   │                 X │
        │                   │   │                 X │
        │                   │   │                12 │
        │                   │bar│                   │
        │ 13                │   │                   │
        │  O                │   │                   │
        │  O                │   │  X                │
        │  O                │   │  X                │
        │  O                │   │  X                │
        └─12─11─10──9──8──7─┴───┴──6──5──4──3──2──1─┘
        X: pips 306
        """
        from nardy.drawing.board_text import board_text

        return board_text(self.rules, self.board, bottom=bottom, numbers=numbers, ascii=ascii)

    def __str__(self) -> str:
        return self.board_text(ascii=True)

    def _repr_svg_(self) -> str:
        return self.svg()


class Plays(list["Play"]):
    """A list of plays that notebooks show as a table; else a list like any other.

    Examples
    --------
    >>> from nardy import Position
    >>> plays = Position.start("short").plays(3, 1)
    >>> isinstance(plays, list), len(plays)
    (True, 16)
    >>> plays._repr_html_()[:62]
    '<table><caption>short 24:2 13:5 8:3 6:5 | 24:2 13:5 8:3 6:5 wi'
    """

    __slots__ = ()

    def _repr_html_(self) -> str | None:
        from nardy.drawing.plays_html import plays_table

        return plays_table(self)
