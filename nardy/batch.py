"""The rules on arrays: many boards, rolls and games in one call.

A board is ``int8[32]`` in the view of the player on roll: index 0 holds the own checkers off, 1 to
24 the own points (own checkers positive, the opponent's negative), 25 the own checkers on the bar,
26 minus the opponent's on the bar, 27 minus the opponent's off, 28 to 31 are 0. Boards may come as
any array of whole numbers; they leave as int8, C-contiguous.

All functions here give the same bytes for the same arguments, on any machine and for any number of
threads. They check what they are given and raise `nardy.NardyError`: `InvalidPosition` for boards,
`InvalidArgument` for the rest; the message names the row.
"""

from typing import SupportsIndex

import numpy as np
from numpy.typing import ArrayLike, NDArray

from nardy.variants import rules_of
from nardy_core import batch as _core
from nardy_core import bearoff as _bearoff
from nardy_core.batch import Fault, Outcomes, Playouts, build_info
from nardy_core.rules import Rules

__all__ = [
    "Fault",
    "Outcomes",
    "Playouts",
    "build_info",
    "contact",
    "count",
    "faults",
    "flip",
    "outcomes",
    "perft",
    "pips",
    "playout",
    "plays",
    "rolls",
    "start",
]


def start(rules: Rules | str, n: SupportsIndex = 1) -> NDArray[np.int8]:
    """Return the opening position, `n` times.

    Parameters
    ----------
    rules : Rules or str
        The game, or the name of a variant.
    n : int
        How many boards, 0 or more.

    Returns
    -------
    int8[n, 32]
        The board of `Rules.start`, which is the same for both players.

    Raises
    ------
    UnknownVariant, InvalidArgument
        If there is no such game; if `n` is no whole number of 0 or more.

    Examples
    --------
    >>> from nardy import batch
    >>> board = batch.start("long")[0]
    >>> int(board[24]), int(board[12])
    (15, -15)
    """
    return _core.start(rules_of(rules), n)


def flip(rules: Rules | str, boards: ArrayLike) -> NDArray[np.int8]:
    """Hand the roll over: the same positions as the other player sees them.

    A point is renumbered to its facing point (rules.md, section 1) and every sign turns. Boards
    need not be legal. `flip` undoes itself.

    Parameters
    ----------
    rules : Rules or str
        The game, or the name of a variant.
    boards : array_like of int, shape (n, 32) or (32,)
        Boards in the view of one player.

    Returns
    -------
    int8[n, 32]
        The boards in the view of the other.

    Raises
    ------
    UnknownVariant, InvalidPosition
        If there is no such game; if `boards` is no array of whole numbers of this shape.

    Examples
    --------
    >>> from nardy import batch
    >>> after = batch.plays("long", batch.start("long"), (2, 1))[1]
    >>> int(batch.flip("long", after)[0, 12])
    -14
    """
    return _core.flip(rules_of(rules), boards)


def faults(rules: Rules | str, boards: ArrayLike) -> NDArray[np.uint32]:
    """Say what is wrong with each board.

    Parameters
    ----------
    rules : Rules or str
        The game, or the name of a variant.
    boards : array_like of int, shape (n, 32) or (32,)
        Boards in the view of the player on roll.

    Returns
    -------
    uint32[n]
        0 for a legal position, else the sum of its faults; `Fault` names the bits.

    Raises
    ------
    UnknownVariant, InvalidPosition
        If there is no such game; if `boards` is no array of whole numbers of this shape.

    Examples
    --------
    >>> from nardy import batch
    >>> board = batch.start("short")
    >>> board[0, 24] = 3
    >>> [batch.Fault(int(fault)).name for fault in batch.faults("short", board)]
    ['OWN_TOTAL']
    """
    return _core.faults(rules_of(rules), boards)


def pips(rules: Rules | str, boards: ArrayLike) -> NDArray[np.int32]:
    """Count the pips that each player has yet to travel.

    Parameters
    ----------
    rules : Rules or str
        The game, or the name of a variant.
    boards : array_like of int, shape (n, 32) or (32,)
        Boards in the view of the player on roll; they need not be legal.

    Returns
    -------
    int32[n, 2]
        Pips of the player on roll and of the opponent; a checker on the bar counts 25.

    Raises
    ------
    UnknownVariant, InvalidPosition
        If there is no such game; if `boards` is no array of whole numbers of this shape.

    Examples
    --------
    >>> from nardy import batch
    >>> batch.pips("short", batch.start("short")).tolist()
    [[167, 167]]
    """
    return _core.pips(rules_of(rules), boards)


def contact(rules: Rules | str, boards: ArrayLike) -> NDArray[np.bool_]:
    """Say whether any checker can still hit or block another.

    That can be while the roads that the two players have before them share a point. In contrary
    travel they do while a checker stands behind an enemy one; in parallel travel while a checker
    stands above the own 12, and the enemy has any in play (his last home point is my 13). Where
    the roads cross and yet nothing can happen in this turn, all plays are tried: there is no
    contact where the player on roll leaves the enemy's road, or ends the game, with any roll.

    Parameters
    ----------
    rules : Rules or str
        The game, or the name of a variant.
    boards : array_like of int, shape (n, 32) or (32,)
        Boards in the view of the player on roll.

    Returns
    -------
    bool[n]
        False where the rest is a race: each player's plays depend on his own checkers alone.

    Raises
    ------
    UnknownVariant, InvalidPosition
        If there is no such game; if a board cannot stand under the rules.

    Examples
    --------
    >>> from nardy import Position, batch
    >>> texts = "short 6:15 | 18:15", "short 6:15 | 20:15", "long 12:15 | 12:15"
    >>> [bool(batch.contact(p.rules, p.board)[0]) for p in map(Position.from_text, texts)]
    [False, True, False]
    """
    return _bearoff.contact(rules_of(rules), boards)


def outcomes(rules: Rules | str, boards: ArrayLike) -> Outcomes:
    """Say which boards are finished, who has won and what it is worth (rules.md, section 10).

    A board is finished when a player has all checkers off. Whether a last turn is still due
    (`draw_points`) is a matter of the game that was played, which a board does not show.

    Parameters
    ----------
    rules : Rules or str
        The game, or the name of a variant.
    boards : array_like of int, shape (n, 32) or (32,)
        Legal boards in the view of the player on roll.

    Returns
    -------
    Outcomes
        Four arrays of shape (n,). `over` (bool); `winner` (int8) 0 the player on roll, 1 the other,
        -1 a draw or a game that is on; `kind` (int8) 1 single, 2 mars, 3 koks or home mars, 0 a
        draw or a game that is on; `points` (float64) what the winner, or each player in a draw,
        scores with the cube at 1.

    Raises
    ------
    UnknownVariant, InvalidPosition
        If there is no such game; if a board is not legal.

    Examples
    --------
    >>> from nardy import Position, batch
    >>> done = Position.from_text("short off:15 | 24:1 6:14")
    >>> batch.outcomes("short", done.board).kind.tolist()
    [3]
    """
    return _core.outcomes(rules_of(rules), boards)


def plays(
    rules: Rules | str,
    boards: ArrayLike,
    dice: ArrayLike,
    *,
    steps: ArrayLike | None = None,
    head_used: ArrayLike | None = None,
    exception: bool = True,
    threads: SupportsIndex = 1,
) -> tuple[NDArray[np.int64], NDArray[np.int8]]:
    """List every distinct board that each roll may leave.

    Parameters
    ----------
    rules : Rules or str
        The game, or the name of a variant.
    boards : array_like of int, shape (n, 32) or (32,)
        Legal boards in the view of the player who plays.
    dice : array_like of int, shape (n, 2) or (2,)
        The roll of each board, or one roll for all; faces 1 to 6.
    steps : array_like of int, shape (n,) or (), optional
        Steps of a double, 1 to 127: the size of a stage of a cascade (rules.md, section 9).
        Default: `Rules.cascade`, or four. Other rolls do not heed it.
    head_used : array_like of int, shape (n,) or (), optional
        Checkers that have already left the head in this turn, 0 to 15. Default: none.
    exception : bool
        Whether the first-turn exception of the head is within reach (rules.md, 4.3); False for
        later stages of a cascade and for remainders.
    threads : int
        Threads to work with, 1 or more; they never change the result.

    Returns
    -------
    offsets : int64[n + 1]
        The plays of row i are ``after[offsets[i]:offsets[i + 1]]``; never none, since a pass
        returns the input board, and so does a finished game.
    after : int8[m, 32]
        The boards, still in the view of the player who played, in a fixed order.

    Raises
    ------
    UnknownVariant, InvalidPosition, InvalidArgument
        If there is no such game; if a board is not legal; if another argument is out of its range.

    Examples
    --------
    >>> from nardy import batch
    >>> offsets, after = batch.plays("short", batch.start("short", 2), [[3, 1], [6, 6]])
    >>> offsets.tolist(), after.shape
    ([0, 16, 27], (27, 32))
    """
    return _core.plays(
        rules_of(rules),
        boards,
        dice,
        steps=steps,
        head_used=head_used,
        exception=exception,
        threads=threads,
    )


def count(
    rules: Rules | str,
    boards: ArrayLike,
    dice: ArrayLike,
    *,
    steps: ArrayLike | None = None,
    head_used: ArrayLike | None = None,
    exception: bool = True,
    threads: SupportsIndex = 1,
) -> NDArray[np.int32]:
    """Count the boards that `plays` would list, without keeping them.

    Parameters
    ----------
    rules, boards, dice, steps, head_used, exception, threads
        As for `plays`.

    Returns
    -------
    int32[n]
        Distinct results of each roll, 1 or more; a pass and a finished game count one.

    Raises
    ------
    UnknownVariant, InvalidPosition, InvalidArgument
        As for `plays`.

    Examples
    --------
    >>> from nardy import batch
    >>> batch.count("short", batch.start("short", 2), [[3, 1], [6, 6]]).tolist()
    [16, 11]
    """
    return _core.count(
        rules_of(rules),
        boards,
        dice,
        steps=steps,
        head_used=head_used,
        exception=exception,
        threads=threads,
    )


def perft(rules: Rules | str, board: ArrayLike, depth: SupportsIndex) -> int:
    """Count the pairs (roll, board) that `depth` turns can lead to.

    The 21 rolls are not weighted. A pass counts one, and a finished game counts one however deep.
    In a cascade game only the first stage of a double is played.

    Parameters
    ----------
    rules : Rules or str
        The game, or the name of a variant.
    board : array_like of int, shape (32,)
        A legal board in the view of the player on roll.
    depth : int
        Turns, 0 to 100. Work grows some 20-fold (long) to 400-fold (short) with each.

    Returns
    -------
    int
        The exact count, of any size.

    Raises
    ------
    UnknownVariant, InvalidPosition, InvalidArgument
        If there is no such game; if the board is not legal; if the depth is out of its range.

    Examples
    --------
    >>> from nardy import batch
    >>> [batch.perft("short", batch.start("short")[0], depth) for depth in (0, 1, 2)]
    [1, 447, 202782]
    """
    return _core.perft(rules_of(rules), board, depth)


def playout(
    rules: Rules | str,
    boards: ArrayLike | None = None,
    games: SupportsIndex = 1,
    seed: SupportsIndex = 0,
    policy: str | tuple[str, str] | list[str] = "random",
    threads: SupportsIndex = 1,
    *,
    truncate: str | None = None,
) -> Playouts:
    """Play games to the end.

    The dice are a pure function of (seed, board index, game index, turn); `rolls` shows them. The
    policies only choose among the plays. Whole cascades and remainders are played, and the last
    turn where the rules have a draw. A game in which neither player can ever play again (only from
    set-up boards or house rules) or of 1,000,000 turns has winner -1 and kind 0.

    Parameters
    ----------
    rules : Rules or str
        The game, or the name of a variant.
    boards : array_like of int, shape (n, 32) or (32,), optional
        Legal boards in the view of the player on roll, who counts as the first mover. Default:
        whole games from the opening of the rules, as one board; player 0 is then the starter.
    games : int
        Games from each board, 0 or more.
    seed : int
        0 to 2**64 - 1.
    policy : {"random", "heuristic"} or a pair of them
        How plays are chosen, by both or by player 0 and player 1. "random" takes each distinct
        result of a roll (in a cascade: of a stage) alike; "heuristic" the best by a small hand-made
        sum.
    threads : int
        Threads to work with, 1 or more; they never change the result.
    truncate : {None, "bearoff"}
        "bearoff": a game ends as soon as all checkers of both players are home or off. Winner,
        kind and turns are then drawn together from their exact chances
        (`nardy.bearoff.one_sided`), by numbers that are a function of (seed, board index, game
        index, turn) too. From there both players bear off in fewest mean turns, whatever `policy`
        says.

    Returns
    -------
    Playouts
        Three arrays of shape (n, games), (1, games) without boards. `winner` (int8): 0 the player
        on roll in the input board, 1 the other, -1 a draw. `kind` (int8): 1 single, 2 mars, 3 koks
        or home mars, 0 a draw. `turns` (int32): rolls thrown by both players, passes included,
        remainders not; 0 for a finished board.

    Raises
    ------
    UnknownVariant, InvalidPosition, InvalidArgument
        If there is no such game; if a board is not legal; if another argument is out of its range;
        if games of these rules cannot be truncated, since a cascade may leave a remainder in the
        bear-off (no preset).

    Examples
    --------
    >>> from nardy import batch
    >>> games = batch.playout("long", games=1000, seed=7, policy=("heuristic", "random"))
    >>> games.winner.shape, bool((games.winner == 0).mean() > 0.9)
    ((1, 1000), True)

    A game in the homes is drawn; the player on roll wins 27 of 36:

    >>> from nardy import Position
    >>> last = Position.from_text("short 6:1 off:14 | 1:1 off:14")
    >>> games = batch.playout("short", last.board, 4000, seed=7, truncate="bearoff")
    >>> bool(abs((games.winner == 0).mean() - 27 / 36) < 0.03), int(games.turns.max())
    (True, 2)
    """
    game = rules_of(rules)
    ends = None
    if truncate is not None:
        from nardy.bearoff.truncating import table_for  # takes time, and is seldom wanted

        ends = table_for(game, truncate)
    return _core.playout(game, boards, games, seed, policy, threads, ends=ends)


def rolls(
    rules: Rules | str,
    boards: SupportsIndex | None = None,
    games: SupportsIndex = 1,
    turns: SupportsIndex = 1,
    seed: SupportsIndex = 0,
) -> NDArray[np.uint8]:
    """Show the dice that `playout` throws.

    Parameters
    ----------
    rules : Rules or str
        The game, or the name of a variant.
    boards : int, optional
        How many boards `playout` is given. Default: whole games from the opening; where the starter
        plays the dice of the lot (rules.md, 3.1), these are the first roll, the higher die first.
    games, turns : int
        Games from each board, and turns of each game; 0 or more.
    seed : int
        0 to 2**64 - 1.

    Returns
    -------
    uint8[boards, games, turns, 2]
        Two faces 1 to 6 for every turn; boards is 1 by default.

    Raises
    ------
    UnknownVariant, InvalidArgument
        If there is no such game; if a number is out of its range.

    Examples
    --------
    >>> from nardy import batch
    >>> batch.rolls("short", turns=3, seed=5).shape
    (1, 1, 3, 2)
    """
    game = rules_of(rules)
    opening = boards is None
    return _core.rolls(
        seed,
        1 if boards is None else boards,
        games,
        turns,
        lot_first=opening and game.opening == "lot",
    )
