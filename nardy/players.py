"""Who plays: the policies of the playouts as players of a `Game`, cube included."""

from nardy.game import Game
from nardy.rollout import rollout
from nardy_core.errors import IllegalAct

__all__ = ["TAKE_POINT", "act"]

TAKE_POINT = -0.5
"""Cubeless equity, in cubes, from which a double is taken: a quarter of games won, without mars.

Who drops loses 1; who takes plays for 2, so he loses no more if his equity at 1 is -0.5 or better.
"""

TRIALS = 324
"""Games of the rollout that answers a cube."""


def act(game: Game, policy: str = "heuristic") -> str:
    """Do what is in turn as a simple player would: roll, play, take or drop. It never offers.

    Parameters
    ----------
    game : Game
        A game that is not over; one act is done in it.
    policy : {"heuristic", "random"}
        Who plays. The cube is answered by a rollout of 324 games under the same policy, without
        regard to the score.

    Returns
    -------
    str
        The act that was done.

    Raises
    ------
    IllegalAct, InvalidArgument
        If the game is over; if there is no such policy.

    Examples
    --------
    >>> import nardy
    >>> from nardy import players
    >>> game = nardy.Game("tavla", seed=3)
    >>> while game.result is None:
    ...     done = players.act(game)
    >>> game.result.points
    1
    """
    acts = game.to_play.acts
    if not acts:
        msg = f"nothing is to be done: {game.to_play}"
        raise IllegalAct(msg)
    if "play" in acts:
        game.play(game.choose(policy))
        return "play"
    if "take" in acts:
        takes = cube_equity(game, policy) >= TAKE_POINT
        game.take() if takes else game.drop()
        return "take" if takes else "drop"
    game.roll()
    return "roll"


def cube_equity(game: Game, policy: str) -> float:
    """Cubeless equity, in cubes, of the player who has to answer an offer."""
    roller = game.position  # the offer comes before the roll, so the offerer is on roll
    (result,) = rollout([roller], trials=TRIALS, policy=policy, seed=game.seed)
    answers = game.to_play.player
    return -result.equity if answers != game.on_roll else result.equity
