"""The commands around whole games: play, show, convert, replay, referee."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

import nardy
from nardy import records
from nardy.cli import tables
from nardy.cli.common import BAD_LINES, BAD_USE, JsonOption, SeedOption, guarded, stop
from nardy.cli.lines import one_line, read_context, read_source
from nardy.cli.play import Table, open_match
from nardy.context import Context
from nardy.game import Game
from nardy.match import Match
from nardy.records import Record, RecordError
from nardy.referee import Bot, Referee
from nardy.text import read_rules, rules_text
from nardy_core.errors import InvalidArgument, NardyError


def gnubg_ids(context: Context) -> str:
    """Write position ID and match ID as gnubg prints them."""
    return f"{context.position_id()}:{context.match_id()}"


NOTATIONS: dict[str, Callable[[Context], str]] = {
    "text": Context.text,
    "xgid": Context.xgid,
    "gnubg": gnubg_ids,
    "ogid": Context.ogid,
}
"""What a context can be written as, and how."""


def register(app: typer.Typer) -> None:
    """Add the commands to the command line."""
    for name, command in (
        ("play", play_command),
        ("show", show_command),
        ("convert", convert_command),
        ("replay", replay_command),
        ("referee", referee_command),
    ):
        app.command(name)(guarded(command))


# -------------------------------------------------------------------------------------- play


def play_command(
    game: Annotated[
        str, typer.Argument(metavar="VARIANT", help="A game, as in 'long' or 'long[block=never]'.")
    ] = "long",
    opponent: Annotated[str, typer.Option(help="heuristic or random.")] = "heuristic",
    length: Annotated[
        int | None, typer.Option(min=1, help="Points of a match.  [default: one game]")
    ] = None,
    seed: SeedOption = None,
    save: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Keep the record here; go on with one that is there."),
    ] = None,
) -> None:
    """Play a game or a match against the computer, here in the terminal.

    Type help at a prompt to see what can be typed. A file that is given with --save keeps the
    record after each of your plays (.jsonl, or .mat for games of the short family), so that the
    same command goes on where you stopped.
    """
    if opponent not in ("heuristic", "random"):
        msg = f"opponent: expected 'heuristic' or 'random', got {opponent!r}"
        raise InvalidArgument(msg)
    rules = read_rules(game)
    match = open_match(save) or Match(rules, length, seed)
    if match.rules != rules:
        msg = f"{save} holds a game of {rules_text(match.rules)}, not of {rules_text(rules)}"
        raise InvalidArgument(msg)
    Table(match, opponent, save).run()


# -------------------------------------------------------------------------- show and convert


def show_command(
    context: Annotated[
        str,
        typer.Argument(help="A position or context: text, XGID, OGID, gnubg ID (perhaps ID:ID)."),
    ],
    svg: Annotated[
        str | None, typer.Option(metavar="FILE", help="Write a picture; - is standard output.")
    ] = None,
    theme: Annotated[str, typer.Option(help="Of the picture: light or dark.")] = "light",
    as_json: JsonOption = False,
) -> None:
    """Show a board, and its context in every notation that can hold it."""
    here = read_context(context)
    if svg is not None:
        write_text(svg, picture(here, theme))
        if svg == "-":
            return
    if as_json:
        tables.print_json({"nardy": nardy.__version__, **context_data(here)})
        return
    typer.echo(str(here.position))
    for name, text in written(here).items():
        typer.echo(f"{name:6} {text}")
    mine, theirs = here.position.pip_count()
    typer.echo(f"pips   {mine} on roll, {theirs} the other")


def picture(context: Context, theme: str) -> str:
    """Draw a context."""
    no_cube = not context.position.rules.cube or context.crawford or context.match_length == 1
    cube = None if no_cube else (context.cube_value, context.cube_owner)
    return context.position.svg(dice=context.dice, cube=cube, theme=theme)


def written(context: Context) -> dict[str, str]:
    """Write a context in every notation that can hold it."""
    texts = {}
    for name, write in NOTATIONS.items():
        try:
            texts[name] = write(context)
        except NardyError:
            continue
    return texts


def context_data(context: Context) -> dict[str, object]:
    """Return a context as plain data."""
    mine, theirs = context.position.pip_count()
    return {
        "variant": rules_text(context.position.rules),
        "board": context.position.board.tolist(),
        "pips": [mine, theirs],
        "dice": context.dice,
        "cube": {"value": context.cube_value, "owner": context.cube_owner},
        "match_length": context.match_length,
        "score": context.score,
        "crawford": context.crawford,
        "notations": written(context),
    }


def write_text(name: str, text: str) -> None:
    """Write a file, or to standard output for ``-``."""
    if name == "-":
        typer.echo(text)
    else:
        Path(name).write_text(text, encoding="utf-8")


def convert_command(
    source: Annotated[
        str,
        typer.Argument(
            metavar="IN", help="A record (.mat, .jsonl), a file of contexts, - , or one context."
        ),
    ],
    target: Annotated[
        str,
        typer.Argument(
            metavar="OUT", help="A record (.mat, .jsonl), or one of text, xgid, gnubg, ogid."
        ),
    ],
    variant: Annotated[
        str | None, typer.Option(help="The game of a .mat that does not name it.")
    ] = None,
) -> None:
    """Turn records into other formats, and contexts into other notations.

    Contexts come one a line and are printed one a line; bad lines are reported, the others are
    done, and the exit status is 1.
    """
    if target in NOTATIONS:
        convert_contexts(source, target)
        return
    if records.format_of(target) not in records.FORMATS:
        msg = f"OUT: expected a .mat or .jsonl, or one of {', '.join(NOTATIONS)}, got {target!r}"
        raise InvalidArgument(msg)
    record = read_record(source, variant)
    records.write(target, record)
    typer.echo(f"{target}: {record_words(record)}")


def convert_contexts(source: str, target: str) -> None:
    """Print contexts in a notation."""
    if records.format_of(source) in records.FORMATS:
        msg = f"IN: expected contexts for {target}; {source} is a record, OUT .mat or .jsonl"
        raise InvalidArgument(msg)
    if source == "-" or os.path.exists(source):
        lines = source_bytes(source).decode("utf-8", "replace").splitlines()
    else:
        lines = [source]
    failed = False
    for number, line in enumerate(lines, 1):
        text = line.partition("#")[0].strip()
        if not text:
            continue
        try:
            typer.echo(NOTATIONS[target](read_context(text)))
        except NardyError as error:
            failed = True
            typer.echo(f"line {number}: {one_line(error)}", err=True)
    if failed:
        raise typer.Exit(BAD_LINES)


# ------------------------------------------------------------------------------------ replay


def read_record(name: str, variant: str | None = None) -> Record:
    """Read a record, or end the program with the reason."""
    return records.loads(source_bytes(name), rules=variant and read_rules(variant))


def source_bytes(name: str) -> bytes:
    """Read a file or standard input, or end the program with the reason."""
    try:
        return read_source(name)
    except OSError as error:
        raise stop(f"cannot read {name}: {error.strerror or error}", BAD_USE) from None


def record_words(record: Record) -> str:
    """Say what a record holds."""
    one, two = record.score
    length = "session" if record.length is None else f"match to {record.length}"
    games = f"{len(record.games)} game{'' if len(record.games) == 1 else 's'}"
    return (
        f"{rules_text(record.rules)}, {length}, {games}, {record.players[0]} {one} - {two} "
        f"{record.players[1]}"
    )


def replay_command(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A record; - is standard input.")],
    variant: Annotated[
        str | None, typer.Option(help="The game of a .mat that does not name it.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Play a record again before the referee: legal, or where it is not and why.

    The exit status is 0 where every turn is legal, and 1 where one is not.
    """
    try:
        record = read_record(file, variant)
    except RecordError as error:
        if as_json:
            tables.print_json(
                {
                    "legal": False,
                    "line": error.line,
                    "game": error.game,
                    "turn": error.turn,
                    "reason": error.reason,
                }
            )
        else:
            typer.echo(f"{file}: illegal: {one_line(error)}")
        raise typer.Exit(BAD_LINES) from None
    if as_json:
        tables.print_json({"legal": True, **record_data(record)})
        return
    typer.echo(f"{file}: legal: {record_words(record)}")
    for number, game in enumerate(record.games, 1):
        typer.echo(f"game {number}: {game_words(game, record.players)}")
    for note in record.notes:
        typer.echo(f"note: {note}")


def game_words(game: Game, players: tuple[str, str]) -> str:
    """Say how a game went."""
    turns = f"{game.turns} turns"
    if game.result is None:
        return f"{turns}, not finished ({game.to_play})"
    if game.result.winner is None:
        return f"{turns}, a draw"
    points = f"{game.result.points} point{'' if game.result.points == 1 else 's'}"
    kind = game.result.kind.name.lower()
    return f"{turns}, {players[game.result.winner]} wins {points} ({kind})"


def record_data(record: Record) -> dict[str, object]:
    """Return a record as plain data."""
    return {
        "variant": rules_text(record.rules),
        "match_length": record.length,
        "players": record.players,
        "score": record.score,
        "notes": record.notes,
        "games": [
            {
                "turns": game.turns,
                "winner": game.result and game.result.winner,
                "kind": game.result and game.result.kind.name.lower(),
                "points": game.result and game.result.points,
                "position": game.position.text(),
            }
            for game in record.games
        ],
    }


# ----------------------------------------------------------------------------------- referee


def referee_command(
    first: Annotated[str, typer.Argument(metavar="CMD_A", help="Command of the first bot.")],
    second: Annotated[str, typer.Argument(metavar="CMD_B", help="Command of the second bot.")],
    variant: Annotated[str, typer.Option(help="The game.")] = "short",
    length: Annotated[
        int | None, typer.Option(min=1, help="Points of a match.  [default: --games games]")
    ] = None,
    games: Annotated[int, typer.Option(min=1, help="Games, where no length is given.")] = 1,
    seconds: Annotated[float, typer.Option(min=0.001, help="Time for each answer.")] = 5.0,
    seed: SeedOption = None,
    save: Annotated[str | None, typer.Option(metavar="FILE", help="Write the record.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Let two bots play, each a program that reads and writes JSON lines (docs/referee.md).

    A bot that answers nothing in time, ends, or does what the rules forbid loses the game.
    """
    match = Match(read_rules(variant), length, seed)
    with Bot(first, seconds) as one, Bot(second, seconds) as two:
        referee = Referee(match, (one, two))
        referee.play(games)
    record = Record(match, (first, second))
    if save is not None:
        records.write(save, record)
    if as_json:
        losses = [loss._asdict() for loss in referee.losses]
        tables.print_json({"seed": match.seed, "losses": losses, **record_data(record)})
        return
    typer.echo(record_words(record))
    for number, game in enumerate(record.games, 1):
        typer.echo(f"game {number}: {game_words(game, ('A', 'B'))}")
    for loss in referee.losses:
        typer.echo(f"game {loss.game}: {'AB'[loss.player]} loses: {loss.reason}")
    typer.echo(f"seed {match.seed}")
