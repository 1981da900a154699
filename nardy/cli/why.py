"""The commands that explain: why a play is not legal, and what two sets of rules disagree on."""

from collections.abc import Callable, Iterable
from typing import Annotated, Any

import typer

from nardy.cli import tables
from nardy.cli.common import PositionArgument
from nardy.cli.lines import read_position
from nardy.comparing import Comparison, compare
from nardy.position import Play
from nardy.text import rules_text
from nardy.why import Explanation

__all__ = ["add_to"]

DieArgument = Annotated[int, typer.Argument(min=1, max=6)]
JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]


def add_to(app: typer.Typer, guarded: Callable[[Callable[..., None]], Callable[..., None]]) -> None:
    """Add the commands to a program; `guarded` turns errors into an exit status."""
    app.command("explain")(guarded(explain_command))
    app.command("compare")(guarded(compare_command))


def explain_command(
    position: PositionArgument,
    die1: DieArgument,
    die2: DieArgument,
    play: Annotated[list[str], typer.Argument(help="A play, as in 24/18 13/9; - is a pass.")],
    steps: Annotated[
        int | None, typer.Option(min=1, max=127, help="Steps of a stage of a cascade.")
    ] = None,
    head_used: Annotated[
        int, typer.Option(min=0, max=15, help="Checkers that left the head before, in this turn.")
    ] = 0,
    exception: Annotated[
        bool, typer.Option(help="Whether the first-turn exception of the head is within reach.")
    ] = True,
    most: Annotated[int, typer.Option(min=0, help="Legal plays to list.")] = 10,
    as_json: JsonOption = False,
) -> None:
    """Say whether a play is legal, which rule forbids it, and the legal plays nearest to it."""
    here = read_position(position)
    tried = " ".join(play)
    why = here.explain((die1, die2), tried, steps=steps, head_used=head_used, exception=exception)
    if as_json:
        where = {"position": here.text(), "roll": [die1, die2], "tried": tried}
        tables.print_json({**where, **explanation_fields(why)})
        return
    typer.echo(f"{why if why.legal else f'{tried} is not legal: {why}'}")
    if not why.legal:
        typer.echo(f"legal plays of {die1}-{die2}: {len(why.instead)}, the nearest first")
        for one in why.instead[:most]:
            typer.echo(f"  {one}")


def explanation_fields(why: Explanation) -> dict[str, Any]:
    """Put an explanation into what JSON can say."""
    return {
        "legal": why.legal,
        "reason": why.reason,
        "text": why.text,
        "step": why.step,
        "points": why.points,
        "limit": why.limit,
        "play": None if why.play is None else str(why.play),
        "instead": play_fields(why.instead),
    }


def play_fields(plays: Iterable[Play]) -> list[dict[str, Any]]:
    """Put plays into what JSON can say."""
    return [{"play": str(play), "steps": play.steps} for play in plays]


def compare_command(
    rules_a: Annotated[str, typer.Argument(help="A game, as in 'long' or 'long[block=never]'.")],
    rules_b: Annotated[str, typer.Argument(help="Another game.")],
    position: PositionArgument,
    die1: DieArgument,
    die2: DieArgument,
    as_json: JsonOption = False,
) -> None:
    """List the plays of a roll that only one of two games allows.

    Both games must have the same travel and number of checkers. Only where the checkers stand
    counts, not the game that the position names. A double of a cascade game is compared by its
    first stage.
    """
    result = compare(rules_a, rules_b, read_position(position), (die1, die2))
    if as_json:
        tables.print_json(comparison_fields(result))
        return
    names = [rules_text(one.rules) for one in (result.a, result.b)]
    for name, plays in zip(names, (result.only_a, result.only_b), strict=True):
        typer.echo(f"only {name}: {len(plays)}")
        for play in plays:
            typer.echo(f"  {play}")
    typer.echo(f"both: {len(result.both)}")


def comparison_fields(result: Comparison) -> dict[str, Any]:
    """Put a comparison into what JSON can say."""
    return {
        "a": result.a.text(),
        "b": result.b.text(),
        "roll": result.dice,
        "only_a": play_fields(result.only_a),
        "only_b": play_fields(result.only_b),
        "both": play_fields(result.both),
    }
