"""The command line; its two extra packages are loaded only when it runs."""

import io
import sys

__all__ = ["main"]

MISSING = "nardy's command line needs typer and rich: pip install '.[cli]' in a clone"

INTERRUPTED = 130
"""Exit status after Ctrl-C, as shells count it."""


def main() -> int:
    """Run the command line with the arguments of the process.

    Returns
    -------
    int
        Exit status, where the command line has not ended the process itself.
    """
    forgive(sys.stdin, sys.stdout, sys.stderr)
    try:
        from nardy.cli.app import app

        app(prog_name="nardy")
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in ("typer", "rich"):
            raise
        print(MISSING, file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return INTERRUPTED
    return 0


def forgive(*streams: object) -> None:
    """Let streams write and read as escapes what their encoding lacks."""
    for stream in streams:
        if isinstance(stream, io.TextIOWrapper) and stream.errors == "strict":
            stream.reconfigure(errors="backslashreplace")
