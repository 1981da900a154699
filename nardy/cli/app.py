"""The commands: they read arguments, call the library, and print."""

import time
from typing import Annotated

import typer

import nardy
from nardy.cli import bearoff, games, tables, why
from nardy.cli.common import (
    BAD_LINES,
    BAD_USE,
    CORES,
    JsonOption,
    PolicyOption,
    PositionArgument,
    SeedOption,
    ThreadsOption,
    VariantArgument,
    guarded,
    stop,
)
from nardy.cli.lines import (
    BadLine,
    Line,
    read_lines,
    read_position,
    read_source,
)
from nardy.position import Play, Position
from nardy.rollout import Policy, rollout, simulate
from nardy.sheet import rules_sheet
from nardy.speed import measure
from nardy.text import read_rules, rules_text
from nardy.variants import VARIANTS
from nardy_core import batch

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,  # brackets in help texts mean nothing but themselves
    help="Exact rules of long nardy, backgammon and their family: rollouts, plays, counts.",
)


def print_version(wanted: bool) -> None:
    """Print the version and end, if the option is given."""
    if wanted:
        typer.echo(f"nardy {nardy.__version__}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool,
        typer.Option("--version", callback=print_version, is_eager=True, help="Print the version."),
    ] = False,
) -> None:
    """Take the options that stand before any command."""


bearoff.register(app, guarded)


# ----------------------------------------------------------------------------------- rollout


@app.command("rollout")
@guarded
def rollout_command(
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="One position a line; - is standard input.")
    ],
    trials: Annotated[int, typer.Option(min=1, help="Games from each position.")] = 1296,
    policy: PolicyOption = "heuristic",
    seed: SeedOption = None,
    threads: ThreadsOption = CORES,
    truncate: Annotated[
        str | None,
        typer.Option(
            metavar="bearoff", help="Leave a game to the exact bear-off tables where they know it."
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Play many games from each position of a file: equity, errors, shares of results.

    A line is the text of a position ("long 24:15 | 24:15") or a gnubg ID, XGID or OGID, with the
    name of its game before it unless that is short; dice, cube and score do not count. # starts a
    comment. Bad lines are reported, the others are done, and the exit status is 1.
    """
    lines, bad = positions_of(file)
    with tables.progress_bar("games") as progress:
        results = rollout(
            [line.position for line in lines],
            trials=trials,
            policy=parse_policy(policy),
            seed=seed,
            threads=threads,
            progress=progress,
            truncate=truncate,
        )
    if as_json:
        tables.print_json(
            {
                "nardy": nardy.__version__,
                "positions": [
                    {"line": line.number, **result.to_dict()}
                    for line, result in zip(lines, results, strict=True)
                ],
                "errors": [{"line": one.number, "reason": one.reason} for one in bad],
            }
        )
    elif results:
        tables.print_rollouts(lines, results)
        first = results[0]
        typer.echo(
            f"trials {first.trials} for each, policy {tables.policy_words(first.policy)}, "
            f"{f'truncate {first.truncate}, ' if first.truncate else ''}"
            f"seed {first.seed}, {first.elapsed:.1f} s"
        )
        typer.echo("equity: points for the player on roll, no cube; s single, m mars, k koks")
    if bad or not lines:
        raise typer.Exit(BAD_LINES)


def positions_of(file: str) -> tuple[list[Line], list[BadLine]]:
    """Read a file, and report what is wrong with it."""
    name = "standard input" if file == "-" else file
    try:
        data = read_source(file)
    except OSError as error:
        hint = "; a position itself is read from standard input, -" if "|" in file else ""
        reason = f"{error.strerror or error}{hint}"
        raise stop(f"cannot read {name}: {reason}", BAD_USE) from None
    lines, bad = read_lines(data)
    for one in bad:
        typer.echo(f"{name}, line {one.number}: {one.reason}", err=True)
    if not lines and not bad:
        typer.echo(f"nardy: {name} holds no position", err=True)
    return lines, bad


def parse_policy(text: str) -> Policy:
    """Read one policy, or two with a comma between."""
    first, comma, second = text.partition(",")
    return (first.strip(), second.strip()) if comma else text


# ---------------------------------------------------------------------------------- simulate


@app.command("simulate")
@guarded
def simulate_command(
    game: VariantArgument,
    games: Annotated[int, typer.Option(min=1, help="Games to play.")] = 10_000,
    policy: PolicyOption = "heuristic",
    seed: SeedOption = None,
    threads: ThreadsOption = CORES,
    as_json: JsonOption = False,
) -> None:
    """Play whole games of one variant: their length, their results, the first mover's share."""
    rules = read_rules(game)
    with tables.progress_bar("games") as progress:
        result = simulate(rules, games, parse_policy(policy), seed, threads, progress)
    if as_json:
        tables.print_json({"nardy": nardy.__version__, **result.to_dict()})
        return
    typer.echo(f"{rules_text(rules)}: {rules.title}")
    tables.print_table(tables.simulation_table(result))
    typer.echo(
        f"turns: standard deviation {result.turns_sd:.1f}, longest game {result.turns_max}\n"
        f"games {result.games}, policy {tables.policy_words(result.policy)}, seed {result.seed}, "
        f"{result.elapsed:.1f} s"
    )


# --------------------------------------------------------------------------- plays and perft


@app.command("plays")
@guarded
def plays_command(
    position: PositionArgument,
    die1: Annotated[int, typer.Argument(min=1, max=6)],
    die2: Annotated[int, typer.Argument(min=1, max=6)],
    as_json: JsonOption = False,
) -> None:
    """List every legal play of a roll, with the position it leaves to the opponent.

    A double of a cascade game is listed by its first stage only; then the player who threw stays
    on roll in the position after.
    """
    here = read_position(position)
    staged = bool(here.rules.cascade) and die1 == die2
    pairs = [(play, position_after(here, play, staged)) for play in here.plays(die1, die2)]
    if as_json:
        tables.print_json(
            {
                "position": here.text(),
                "roll": [die1, die2],
                "first_stage": staged,
                "plays": [
                    {"play": str(play), "steps": play.steps, "after": after.text()}
                    for play, after in pairs
                ],
            }
        )
        return
    tables.print_table(tables.plays_table(pairs))
    typer.echo(f"{here.text()}: {die1}-{die2}{', first stage' if staged else ''}")


def position_after(here: Position, play: Play, staged: bool) -> Position:
    """Give the roll to the opponent, unless the play is only a stage of a turn."""
    after = Position(here.rules, play.after)
    return after if staged else after.flip()


@app.command("perft")
@guarded
def perft_command(
    game: VariantArgument,
    depth: Annotated[int, typer.Argument(min=1, max=100, help="Turns.")],
    as_json: JsonOption = False,
) -> None:
    """Count the pairs (roll, board) from the start: 21 rolls unweighted, for each depth."""
    rules = read_rules(game)
    start = batch.start(rules)
    counts = []
    for turns in range(1, depth + 1):
        started = time.perf_counter()
        count = batch.perft(rules, start, turns)
        seconds = time.perf_counter() - started
        counts.append({"depth": turns, "count": count, "seconds": seconds})
        if not as_json:
            typer.echo(f"depth {turns}  {count:>16,}  {seconds:8.3f} s")
    if as_json:
        tables.print_json({"variant": rules_text(rules), "counts": counts})


# ------------------------------------------------------------------------------------- bench


@app.command("bench")
@guarded
def bench_command(
    game: Annotated[
        str | None, typer.Argument(metavar="VARIANT", help="One game; without it, all.")
    ] = None,
    pairs: Annotated[int, typer.Option(min=1, help="Pairs (position, roll).")] = 20_000,
    games: Annotated[int, typer.Option(min=1, help="Random games.")] = 2_000,
    as_json: JsonOption = False,
) -> None:
    """Measure the speed of every game here, one thread, and print a signature of its games.

    Signatures are the same on every machine; speeds are medians of seven runs.
    """
    chosen = list(VARIANTS.values()) if game is None else [read_rules(game)]
    results = [measure(rules, pairs, games) for rules in chosen]
    if as_json:
        figures = [result.to_dict() for result in results]
        tables.print_json(
            {"nardy": nardy.__version__, "build": nardy.build_info(), "figures": figures}
        )
        return
    tables.print_table(tables.speed_table(results))
    build = nardy.build_info()
    typer.echo(
        f"one thread, {pairs} pairs from random play, medians; kernel {build['kernel']}, "
        f"{build['compiler']}, nardy {nardy.__version__}"
    )


# ------------------------------------------------------------------------------------- rules


@app.command("rules")
@guarded
def rules_command(
    game: Annotated[
        str | None,
        typer.Argument(metavar="VARIANT", help="A game, as in 'long' or 'long[block=never]'."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Say the rules of a game in words; without a name, list the games."""
    if game is None:
        list_games(as_json)
        return
    rules = read_rules(game)
    if as_json:
        tables.print_json({"fields": rules.asdict(), "sheet": rules_sheet(rules)})
    else:
        typer.echo(rules_sheet(rules), nl=False)


def list_games(as_json: bool) -> None:
    """Print every game with its title and source."""
    if as_json:
        fields = ("name", "title", "source")
        tables.print_json(
            {"variants": [{f: getattr(rules, f) for f in fields} for rules in VARIANTS.values()]}
        )
        return
    table = tables.table_of("NAME", "TITLE", "SOURCE")
    for rules in VARIANTS.values():
        table.add_row(rules.name, rules.title, rules.source)
    tables.print_table(table)


games.register(app)
why.add_to(app, guarded)
