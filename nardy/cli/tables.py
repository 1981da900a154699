"""What the commands print."""

import json
import math
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TextIO

import typer
from rich import box
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from nardy.cli.lines import Line
from nardy.position import Play, Position
from nardy.rollout import Estimate, Policy, Rollout, Shares, Simulation
from nardy.rollout import Progress as Callback
from nardy.speed import Speed

UNFOLDED = 100_000
"""Width of a line that no terminal folds: whatever reads a pipe gets one line a row."""


def print_json(document: object) -> None:
    """Print one JSON document to standard output."""
    typer.echo(json.dumps(_plain(document), indent=2, allow_nan=False))


def _plain(value: object) -> object:
    """Replace what JSON has no number for: nan, and infinitely many turns."""
    if isinstance(value, dict):
        return {name: _plain(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(part) for part in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def is_terminal(stream: TextIO | None) -> bool:
    """Say whether somebody watches; a stream that was closed from outside is None."""
    return stream is not None and stream.isatty()


def own_console() -> Console:
    """Open standard output, as wide as the terminal or as wide as it takes."""
    # Texts of positions hold brackets and colons, which mean nothing but themselves.
    width = None if is_terminal(sys.stdout) else UNFOLDED
    return Console(width=width, markup=False, emoji=False, highlight=False)


def print_table(table: Table) -> None:
    """Print a table: folded to a terminal, one line a row elsewhere."""
    own_console().print(table)


def print_rollouts(lines: list[Line], results: list[Rollout]) -> None:
    """Print the table of rollouts; where it is too wide, the positions come before it."""
    console = own_console()
    table = rollout_table(lines, results)
    unfolded = console.options.update(width=UNFOLDED)
    if console.measure(table, options=unfolded).maximum > console.width:
        for line in lines:
            console.print(f"line {line.number}: {line.position.text()}")
        table = rollout_table(lines, results, with_text=False)
    console.print(table)


@contextmanager
def progress_bar(what: str) -> Iterator[Callback | None]:
    """Show how far the games are, on standard error, if that is a terminal."""
    if not is_terminal(sys.stderr):
        yield None
        return
    columns = (TextColumn(what), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def table_of(*headings: str) -> Table:
    """Make an empty table; headings in capitals stand over text, others over numbers."""
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, padding=(0, 1, 0, 0))
    for heading in headings:
        if heading.isupper():
            table.add_column(heading.lower(), overflow="fold")
        else:
            table.add_column(heading, justify="right", no_wrap=True)
    return table


def rollout_table(
    lines: Iterable[Line], results: Iterable[Rollout], with_text: bool = True
) -> Table:
    """Make the table of rolled-out positions."""
    text = ["POSITION"] if with_text else []
    kinds = "s     m     k"
    won, lost = f"won %\n{kinds}", f"lost %\n{kinds}"
    table = table_of("line", *text, "equity", "error", won, lost, "drawn %", "turns")
    for line, result in zip(lines, results, strict=True):
        table.add_row(
            str(line.number),
            *([line.position.text()] if with_text else []),
            f"{result.equity:+.4f}",
            f"{result.stderr:.4f}",
            percents(result.won),
            percents(result.lost),
            f"{100 * result.drawn:.1f}",
            f"{result.turns:.1f}",
        )
    return table


def percents(shares: Shares) -> str:
    """Format shares of single, mars and koks as per cent."""
    return " ".join(f"{100 * share:5.1f}" for share in shares)


def simulation_table(result: Simulation) -> Table:
    """Make the table of a simulation."""
    table = table_of("MEASURE", "mean", "error")

    def add(what: str, estimate: Estimate, scale: int = 1, digits: int = 2) -> None:
        mean, error = (f"{scale * value:.{digits}f}" for value in estimate)
        table.add_row(what, mean, error)

    add("turns per game", result.turns)
    for what, share in (
        ("single %", result.single),
        ("mars %", result.mars),
        ("koks %", result.koks),
        ("drawn %", result.drawn),
        ("won by the first mover %", result.first_wins),
    ):
        add(what, share, scale=100)
    add("points of the first mover", result.first_points, digits=4)
    return table


def plays_table(plays: Iterable[tuple[Play, Position]]) -> Table:
    """Make the table of plays, each with the position after it."""
    table = table_of("no", "PLAY", "POSITION AFTER")
    for number, (play, after) in enumerate(plays, start=1):
        table.add_row(str(number), str(play), after.text())
    return table


def policy_words(policy: Policy) -> str:
    """Name one policy, or two as `player,opponent`."""
    return policy if isinstance(policy, str) else ",".join(policy)


def speed_table(results: Iterable[Speed]) -> Table:
    """Lay out what `nardy bench` measured."""
    table = table_of("VARIANT")
    columns = ("plays M/s", "boards M/s", "count M/s", "games k/s", "decisions M/s")
    for column in (*columns, "random", "heuristic"):
        table.add_column(column, justify="right")
    for result in results:
        table.add_row(
            result.variant,
            f"{result.plays / 1e6:.2f}",
            f"{result.boards / 1e6:.0f}",
            f"{result.count / 1e6:.2f}",
            f"{result.random_games / 1e3:.1f}",
            f"{result.decisions / 1e6:.2f}",
            result.signature,
            result.heuristic_signature,
        )
    return table
