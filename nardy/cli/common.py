"""What all commands share: options, exit statuses, and errors as one line."""

import functools
import os
from collections.abc import Callable
from typing import Annotated, ParamSpec

import typer

from nardy.cli import INTERRUPTED
from nardy.cli.lines import one_line
from nardy_core.errors import NardyError

P = ParamSpec("P")

BAD_LINES = 1
"""Exit status where some lines, or all, hold no position."""

BAD_USE = 2
"""Exit status where nothing could be done."""

CORES = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1

VariantArgument = Annotated[
    str, typer.Argument(metavar="VARIANT", help="A game, as in 'long' or 'long[block=never]'.")
]
PositionArgument = Annotated[
    str, typer.Argument(help="A position: its text, a gnubg ID, XGID or OGID.")
]
PolicyOption = Annotated[
    str,
    typer.Option(
        "--policy", help="Who plays: heuristic, random, or two of them as 'player,opponent'."
    ),
]
SeedOption = Annotated[
    int | None,
    typer.Option("--seed", min=0, max=2**64 - 1, help="Seed of the dice.  [default: a fresh one]"),
]
ThreadsOption = Annotated[
    int, typer.Option("--threads", min=1, help="Threads; the numbers are the same for any.")
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]


def guarded(command: Callable[P, None]) -> Callable[P, None]:
    """Turn errors of the library and Ctrl-C into one line and an exit status."""

    @functools.wraps(command)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        try:
            command(*args, **kwargs)
        except NardyError as error:
            raise stop(one_line(error), BAD_USE) from None
        except KeyboardInterrupt:
            raise stop("stopped", INTERRUPTED) from None
        except BrokenPipeError:
            raise  # whoever read has had enough: click ends quietly
        except OSError as error:
            raise stop(f"cannot write: {file_words(error)}", BAD_USE) from None

    return run


def file_words(error: OSError) -> str:
    """Say what is wrong with a file, and with which."""
    reason = error.strerror or str(error)
    return reason if error.filename is None else f"{error.filename}: {reason}"


def stop(message: str, status: int) -> typer.Exit:
    """Say why on standard error, and give the exception that ends the program."""
    typer.echo(f"nardy: {message}", err=True)
    return typer.Exit(status)
