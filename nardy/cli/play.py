"""A game at the terminal, against one of the policies."""

import os
from collections.abc import Callable
from pathlib import Path

import typer

from nardy import players, records
from nardy.cli.common import file_words
from nardy.cli.lines import one_line
from nardy.game import Event, Game
from nardy.match import Match
from nardy.records import Record
from nardy.text import rules_text
from nardy_core.errors import InvalidArgument, NardyError

YOU = 0
"""The player at the keyboard."""

SHOWN = 12
"""Plays that are listed unasked."""

HELP = """\
a number         make that play of the list
24/18 13/11      make that play; off and bar by name, (2) for twice, pass for none
roll or Enter    throw the dice, where you may offer the cube instead
offer, take, drop, beaver
                 the cube
plays            list all plays
hint             what the heuristic would do
board            show the board again
undo             take your last decision back, and what followed it
save FILE        write the record: .jsonl, or .mat for games of the short family
resign [mars]    give the game up
quit             stop"""


class Quit(Exception):  # noqa: N818 - it is no error
    """The player has had enough."""


class Table:
    """A match between who sits at the terminal and a policy.

    Parameters
    ----------
    match : Match
        The match; it may be under way.
    policy : str
        Who plays against you, see `nardy.players.act`.
    file : str, optional
        Where the record is kept; written after each of your decisions.
    """

    def __init__(self, match: Match, policy: str, file: str | None = None) -> None:
        self.match, self.policy, self.file = match, policy, file
        self.told = 0  # events of the game that were printed
        self.acts: dict[str, Callable[[], object]] = {
            "offer": lambda: self.game.offer(),
            "double": lambda: self.game.offer(),
            "take": lambda: self.game.take(),
            "drop": lambda: self.game.drop(),
            "beaver": lambda: self.game.beaver(),
            "roll": lambda: self.game.roll(),
            "": self.go_on,
        }
        self.questions: dict[str, Callable[[], None]] = {
            "plays": lambda: self.list_plays(None),
            "hint": self.hint,
            "board": self.show,
            "undo": self.undo,
            "help": lambda: typer.echo(HELP),
            "?": lambda: typer.echo(HELP),
        }

    @property
    def game(self) -> Game:
        """The current game."""
        return self.match.game

    def record(self) -> Record:
        """Return what was played, for a file."""
        return Record(self.match, ("you", f"nardy {self.policy}"))

    # -------------------------------------------------------------------------------- the loop

    def run(self) -> None:
        """Play until the match is over, or the player stops."""
        self.keep()  # a file that cannot hold the game is refused before it is played
        typer.echo(f"{self.match.rules.title} ({rules_text(self.match.rules)}), you are X")
        typer.echo(f"against {self.policy}, seed {self.match.seed}; help tells what you can type")
        try:
            while True:
                self.play_game()
                if self.match.over or self.match.length is None:
                    break
                self.match.next_game()
                self.told = 0
        except (Quit, EOFError):
            typer.echo("stopped")
        finally:
            self.keep()

    def play_game(self) -> None:
        """Play the current game to its end."""
        while self.game.result is None:
            if self.is_mine():
                self.tell()
                self.decide()
                self.keep()
            else:
                self.automatic()
        self.tell()
        self.show()
        self.tell_result()

    def is_mine(self) -> bool:
        """Whether the player has to decide something."""
        due = self.game.to_play
        return due.player == YOU and due.acts != ("roll",)

    def automatic(self) -> None:
        """Do what leaves no choice, or is the other's."""
        if self.game.to_play.player in (YOU, None):
            self.game.roll()
        else:
            players.act(self.game, self.policy)

    def decide(self) -> None:
        """Ask until the player has done something."""
        self.show()
        if "play" in self.game.to_play.acts:
            self.list_plays(SHOWN)
        done = len(self.game.history)
        while len(self.game.history) == done:
            line = " ".join(input(f"{self.prompt()}> ").split())
            try:
                self.obey(line)
            except NardyError as error:
                typer.echo(one_line(error))
            except OSError as error:
                typer.echo(f"cannot write: {file_words(error)}")

    def prompt(self) -> str:
        """Say what is in turn."""
        dice = self.game.dice
        roll = f"{dice[0]}-{dice[1]}, " if dice else ""
        return f"{roll}{' or '.join(self.game.to_play.acts)}"

    def obey(self, line: str) -> None:
        """Do what was typed."""
        word, _, rest = line.partition(" ")
        word = word.lower()
        if word in ("quit", "exit", "q"):
            raise Quit
        if line.lower() in self.acts:
            self.acts[line.lower()]()
        elif line.lower() in self.questions:
            self.questions[line.lower()]()
        elif word == "save":
            self.save(rest)
        elif word == "resign":
            self.game.resign(rest.strip().lower() or "single")
        elif line.isascii() and line.isdigit():
            self.play_number(int(line))
        else:
            self.game.play(line)

    # ------------------------------------------------------------------------------------ acts

    def go_on(self) -> None:
        """Do what Enter means: throw, or make the only play."""
        if "roll" in self.game.to_play.acts:
            self.game.roll()
        else:
            self.game.play()

    def play_number(self, number: int) -> None:
        """Make the play with this number in the list."""
        plays = self.game.plays()
        if not 1 <= number <= len(plays):
            msg = f"expected the number of a play, 1 to {len(plays)}, got {number}"
            raise InvalidArgument(msg)
        self.game.play(plays[number - 1])

    def undo(self) -> None:
        """Go back to the player's last decision."""
        history = self.game.history
        mine = [k for k, event in enumerate(history) if is_decision(event)]
        if not mine:
            typer.echo("there is nothing of yours to take back")
            return
        while len(self.game.history) > mine[-1]:
            self.game.undo()
        self.told = min(self.told, len(self.game.history))

    def save(self, name: str) -> None:
        """Write the record to a file, and go on keeping it there."""
        if not name:
            msg = "expected the name of a file after save, such as game.jsonl"
            raise InvalidArgument(msg)
        records.write(name, self.record())
        self.file = name
        typer.echo(f"saved to {name}")

    def keep(self) -> None:
        """Write the record, if it is kept in a file."""
        if self.file is not None:
            records.write(self.file, self.record())

    # ----------------------------------------------------------------------------------- words

    def show(self) -> None:
        """Print the board as the player at the terminal sees it."""
        here = self.game.position
        mine = self.game.on_roll in (YOU, None)
        typer.echo(f"\n{here if mine else here.flip()}")
        if self.match.rules.cube and (self.game.cube_value > 1 or self.game.offered):
            owner = {YOU: "yours", 1: "the other's", None: "in the middle"}[self.game.cube_owner]
            typer.echo(f"cube {self.game.cube_value}, {owner}")

    def list_plays(self, most: int | None) -> None:
        """Print the plays with their numbers."""
        plays = self.game.plays()
        for number, play in enumerate(plays[:most], 1):
            typer.echo(f"{number:4}  {play}")
        if most is not None and len(plays) > most:
            typer.echo(f"      and {len(plays) - most} more: plays lists all")

    def hint(self) -> None:
        """Say what the heuristic would play."""
        typer.echo(f"the heuristic plays {self.game.choose('heuristic')}")

    def tell(self) -> None:
        """Print what has been done since the last time."""
        for event in self.game.history[self.told :]:
            typer.echo(event_words(event))
        self.told = len(self.game.history)

    def tell_result(self) -> None:
        """Print how the game ended, and the score of a match."""
        result = self.game.result
        assert result is not None
        who = {YOU: "you win", 1: "you lose", None: "a draw"}[result.winner]
        points = f"{result.points} point{'' if result.points == 1 else 's'}"
        kind = "" if result.winner is None else f" ({result.kind.name.lower()})"
        typer.echo(f"{who}, {points}{kind}")
        if self.match.length is not None:
            one, two = self.match.score
            typer.echo(f"score: you {one}, nardy {two}, match to {self.match.length}")


def is_decision(event: Event) -> bool:
    """Whether an act was a choice of the player at the terminal."""
    return event.player == YOU and event.act not in ("lot", "roll")


def event_words(event: Event) -> str:
    """Say what was done."""
    dice = f"{event.dice[0]}-{event.dice[1]}" if event.dice else ""
    if event.act == "lot":
        return f"for the start: you {dice[0]}, nardy {dice[2]}"
    who = "you" if event.player == YOU else "nardy"
    if event.act == "play":
        left = " (left by the other's cascade)" if event.remainder else ""
        return f"{who}: {dice} {event.play}{left}"
    if event.act == "roll":
        return f"{who}: {dice}"
    return f"{who}: {event.act}"


def open_match(file: str | None) -> Match | None:
    """Read the match of a file that is to be gone on with."""
    if file is None or not Path(file).exists() or os.path.getsize(file) == 0:
        return None
    return records.read(file).match
