"""The commands about races: `nardy bearoff build`, `nardy bearoff show`, `nardy race`."""

import math
import time
from collections.abc import Callable
from typing import Annotated, Any

import numpy as np
import typer

from nardy import batch, bearoff
from nardy.bearoff.racing import sides_of
from nardy.bearoff.tables import rows_of
from nardy.cli import tables
from nardy.cli.common import PositionArgument
from nardy.cli.lines import read_position
from nardy.text import read_rules, rules_text
from nardy_core.bearoff import pips_per_roll

__all__ = ["register"]

PointsOption = Annotated[int, typer.Option(min=1, max=24, help="Checkers stand on 1 to this.")]
JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]


def register(app: typer.Typer, guarded: Callable[[Callable[..., None]], Any]) -> None:
    """Add the commands to the program.

    Parameters
    ----------
    app : typer.Typer
        The program.
    guarded : callable
        Turns errors of a command into a line and an exit status.
    """
    group = typer.Typer(no_args_is_help=True, rich_markup_mode=None)
    group.command("build")(guarded(build_command))
    group.command("show")(guarded(show_command))
    app.add_typer(group, name="bearoff", help="Exact bear-off tables: build and keep, look up.")
    app.command("race")(guarded(race_command))


def build_command(
    game: Annotated[str, typer.Argument(metavar="VARIANT", help="A game.")] = "short",
    points: PointsOption = 6,
    checkers: Annotated[
        int | None, typer.Option(min=1, max=15, help="Up to so many.  [default: all, or 6]")
    ] = None,
    two_sided: Annotated[
        bool, typer.Option("--two-sided", help="Equities of pairs, not turns of one player.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Build a table and keep it in the cache folder; one that is kept already is checked."""
    rules = read_rules(game)
    started = time.perf_counter()
    table = (
        bearoff.two_sided(rules, points, 6 if checkers is None else checkers)
        if two_sided
        else bearoff.one_sided(rules, points, checkers)
    )
    seconds = time.perf_counter() - started
    entries = table.size**2 if two_sided else table.size
    path = None if table.path is None else str(table.path)
    if as_json:
        tables.print_json(
            {
                "variant": rules_text(rules),
                "points": table.points,
                "checkers": table.checkers,
                "entries": entries,
                "file": path,
                "seconds": seconds,
            }
        )
        return
    typer.echo(
        f"{rules_text(rules)}: {table.points} points, {table.checkers} checkers, "
        f"{entries} entries, {seconds:.2f} s\n{path or 'not kept: no file can be written'}"
    )


def show_command(position: PositionArgument, as_json: JsonOption = False) -> None:
    """Show how many turns each player needs to bear off, if nobody is in his way."""
    here = read_position(position)
    both = np.concatenate([here.board[None], batch.flip(here.rules, here.board)])
    found = sides_of(here.rules, rows_of(both, 24)[0])
    means = found.mean.tolist()
    pips = (found.mean * pips_per_roll(here.rules)).tolist()
    chances = np.maximum(-np.diff(found.left[:, :, 0], prepend=1), 0.0)
    sides = [
        {"mean": mean, "epc": epc, "distribution": chance.tolist()}
        for mean, epc, chance in zip(means, pips, chances, strict=True)
    ]
    if as_json:
        tables.print_json({"position": here.text(), "on_roll": sides[0], "opponent": sides[1]})
        return
    out = tables.table_of("TURNS", "on roll %", "opponent %")
    for turns, percents in enumerate(100 * chances.T):
        if percents.max() >= 0.005:
            out.add_row(str(turns), *(f"{percent:.2f}" for percent in percents))
    out.add_row("mean", *(f"{mean:.3f}" for mean in means))
    out.add_row("effective pips", *(f"{epc:.2f}" for epc in pips))
    tables.print_table(out)


def race_command(position: PositionArgument, as_json: JsonOption = False) -> None:
    """Work out a race in which nobody can be hit or blocked any more."""
    here = read_position(position)
    result = bearoff.race(here)
    if as_json:
        tables.print_json({"position": here.text(), **result._asdict()})
        return
    endless = math.isinf(min(result.mean, result.opponent_mean))  # then neither wins
    lost = 0.0 if endless else max(0.0, 1 - result.win - result.draw)
    out = tables.table_of("MEASURE", "on roll", "opponent")
    for what, mine, theirs in (
        ("wins %", result.win, lost),
        ("with mars %", result.mars_won, result.mars_lost),
        ("with koks %", result.koks_won, result.koks_lost),
    ):
        out.add_row(what, f"{100 * mine:.2f}", f"{100 * theirs:.2f}")
    if result.draw:
        out.add_row("draw %", *[f"{100 * result.draw:.2f}"] * 2)
    out.add_row("mean turns", f"{result.mean:.3f}", f"{result.opponent_mean:.3f}")
    out.add_row("effective pips", f"{result.epc:.2f}", f"{result.opponent_epc:.2f}")
    tables.print_table(out)
    typer.echo(f"equity {result.equity:+.4f}, no cube; each plays for fewest mean turns")
