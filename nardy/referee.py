"""Bots as programs: two of them play a match, one JSON line a question, one an answer.

The protocol is in docs/referee.md. Whoever answers too late, not at all, or with something that the
rules forbid loses the game, and the reason is kept.
"""

import contextlib
import json
import queue
import shlex
import subprocess
import threading
from types import TracebackType
from typing import Any, NamedTuple

from nardy.game import Game
from nardy.match import Match
from nardy.text import rules_text
from nardy_core.errors import IllegalAct, InvalidArgument, NardyError

__all__ = ["Bot", "BotError", "Loss", "Referee"]

PROTOCOL = 1
LONGEST = 65_536
"""Characters of an answer; more is no answer."""

ENOUGH = 100_000
"""Turns after which a game of a session counts as unfinished: no real game is near it."""


class BotError(NardyError):
    """A bot that does not answer as it should; the message is the reason."""


class Loss(NamedTuple):
    """A game that was lost otherwise than on the board.

    Attributes
    ----------
    game : int
        Which game, counted from 1.
    player : int
        Who lost it.
    reason : str
        Why.
    """

    game: int
    player: int
    reason: str


class Bot:
    """A program that plays; a context manager that ends it.

    Parameters
    ----------
    command : str
        What starts it, as for a shell, but without one.
    seconds : float
        How long it may take for each answer.

    Raises
    ------
    InvalidArgument
        If the command is empty or torn.
    """

    def __init__(self, command: str, seconds: float) -> None:
        try:
            self.words = shlex.split(command)
        except ValueError as error:
            msg = f"the command {command!r} cannot be read: {error}"
            raise InvalidArgument(msg) from None
        if not self.words:
            msg = "expected the command of a bot, got nothing"
            raise InvalidArgument(msg)
        self.command, self.seconds = command, seconds
        self.process: subprocess.Popen[str] | None = None
        self.lines: queue.Queue[str | None] = queue.Queue()

    def __enter__(self) -> "Bot":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()

    def start(self) -> None:
        """Start the program, if it does not run."""
        if self.process is not None and self.process.poll() is None:
            return
        self.stop()
        try:
            self.process = subprocess.Popen(
                self.words,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
                encoding="utf-8",
                errors="replace",
                bufsize=1,
            )
        except OSError as error:
            msg = f"it cannot be started: {error.strerror or error}"
            raise BotError(msg) from None
        self.lines = queue.Queue()
        reader = threading.Thread(target=self._read, args=(self.process, self.lines), daemon=True)
        reader.start()

    @staticmethod
    def _read(process: "subprocess.Popen[str]", lines: "queue.Queue[str | None]") -> None:
        """Hand every line on; None when there are no more."""
        assert process.stdout is not None
        with contextlib.suppress(ValueError, OSError):  # closed by stop()
            while line := process.stdout.readline(LONGEST):
                lines.put(line)
        lines.put(None)

    def stop(self) -> None:
        """End the program; kill it if it does not end by itself."""
        process, self.process = self.process, None
        if process is None:
            return
        with contextlib.suppress(OSError):
            if process.stdin is not None:
                process.stdin.close()
        try:
            process.wait(0.5)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        if process.stdout is not None:
            process.stdout.close()

    def tell(self, message: dict[str, Any]) -> None:
        """Send a line that wants no answer; a bot that is gone does not hear it."""
        with contextlib.suppress(BotError):
            self._send(message)

    def ask(self, message: dict[str, Any]) -> dict[str, Any]:
        """Send a line and return the answer.

        Parameters
        ----------
        message : dict
            The question.

        Returns
        -------
        dict
            The answer; a line that is no JSON object is taken for the text of a play.

        Raises
        ------
        BotError
            If there is none in time, or the program is gone.
        """
        self.start()
        while not self.lines.empty():  # what nobody asked for
            if self.lines.get_nowait() is None:
                self.lines.put(None)
                break
        self._send(message)
        try:
            line = self.lines.get(timeout=self.seconds)
        except queue.Empty:
            self.kill()
            msg = f"no answer within {self.seconds:g} s"
            raise BotError(msg) from None
        if line is None:
            raise BotError(self._gone())
        return self._answer(line)

    def kill(self) -> None:
        """End the program at once: a late answer must not be taken for the next one."""
        if self.process is not None:
            self.process.kill()
        self.stop()

    def _send(self, message: dict[str, Any]) -> None:
        if self.process is None or self.process.stdin is None:
            msg = "it does not run"
            raise BotError(msg)
        try:
            self.process.stdin.write(json.dumps(message) + "\n")
            self.process.stdin.flush()
        except (OSError, ValueError):
            raise BotError(self._gone()) from None

    def _gone(self) -> str:
        """Say how the program ended."""
        status = None
        if self.process is not None:
            with contextlib.suppress(subprocess.TimeoutExpired):
                status = self.process.wait(0.5)
        if status is None:
            return "it closed its output"
        return f"it ended with status {status}"

    @staticmethod
    def _answer(line: str) -> dict[str, Any]:
        """Read an answer."""
        if len(line) >= LONGEST:
            msg = f"its answer is longer than {LONGEST} characters"
            raise BotError(msg)
        try:
            data = json.loads(line)
        except (ValueError, RecursionError):
            data = line.strip()
        if isinstance(data, str):
            return {"play": data}
        if not isinstance(data, dict):
            msg = f"its answer is no object and no text of a play: {line.strip()[:80]!r}"
            raise BotError(msg)
        return data


class Referee:
    """Lets two bots play a match.

    Parameters
    ----------
    match : Match
        The match or session, perhaps under way.
    bots : tuple of two Bot
        Player 0 and player 1.

    Attributes
    ----------
    losses : list of Loss
        Games that were lost otherwise than on the board.
    """

    def __init__(self, match: Match, bots: tuple[Bot, Bot]) -> None:
        self.match, self.bots = match, bots
        self.losses: list[Loss] = []

    def play(self, games: int = 1) -> None:
        """Play until the match is over; a session for a number of games.

        Parameters
        ----------
        games : int
            Games of a session.
        """
        while True:
            self.play_game()
            if self.match.over or (self.match.length is None and len(self.match.games) >= games):
                return
            self.match.next_game()

    def play_game(self) -> None:
        """Play the current game to its end."""
        game = self.match.game
        for player, bot in enumerate(self.bots):
            try:
                bot.start()
                bot.tell(self.head("game", player) | {"variant": rules_text(self.match.rules)})
            except BotError as error:
                self.lose(player, str(error))
        while game.result is None and game.turns < ENOUGH:
            due = game.to_play
            if due.player is None or due.acts == ("roll",):
                game.roll()
                continue
            try:
                self.step(game, due.player, due.acts)
            except NardyError as error:
                self.lose(due.player, str(error))
        for player, bot in enumerate(self.bots):
            bot.tell(self.head("result", player) | self.result_data(game, player))

    def step(self, game: Game, player: int, acts: tuple[str, ...]) -> None:
        """Ask a bot, and do what it answers."""
        answer = self.bots[player].ask(self.question(game, player, acts))
        act = answer.get("act", "play" if "play" in acts else None)
        if act not in acts:
            msg = f"expected {' or '.join(acts)}, got {act!r}"
            raise IllegalAct(msg, acts)
        if act == "play":
            text = answer.get("play")
            if not isinstance(text, str):
                msg = f"expected the text of a play, got {text!r}"
                raise BotError(msg)
            game.play(text)
        else:
            getattr(game, act)()

    def lose(self, player: int, reason: str) -> None:
        """Take the game from a player."""
        game = self.match.game
        self.losses.append(Loss(len(self.match.games), player, reason))
        if game.result is None:
            game.resign(player=player)

    def head(self, what: str, player: int) -> dict[str, Any]:
        """Return what every line begins with."""
        return {
            "protocol": PROTOCOL,
            "type": what,
            "game": len(self.match.games),
            "you": player,
            "length": self.match.length,
            "score": list(self.match.score if player == 0 else self.match.score[::-1]),
        }

    def question(self, game: Game, player: int, acts: tuple[str, ...]) -> dict[str, Any]:
        """Return what a bot needs to decide."""
        mine = game.on_roll == player
        position = game.position if mine else game.position.flip()
        owner = {None: None, player: "me", 1 - player: "opponent"}[game.cube_owner]
        question = self.head("ask", player) | {
            "acts": list(acts),
            "position": position.text(),
            "on_roll": mine,
            "dice": game.dice,
            "cube": {"value": game.cube_value, "owner": owner},
        }
        if "play" in acts:
            question["plays"] = [str(play) for play in game.plays()]
            question["remainder"] = game.remainder
        try:
            question["context"] = self.match.context().text()
        except IllegalAct:  # within a cascade there is none
            question["context"] = None
        return question

    def result_data(self, game: Game, player: int) -> dict[str, Any]:
        """Return how a game ended, as a player sees it."""
        result = game.result
        if result is None or result.winner is None:
            return {"won": None, "points": 0 if result is None else result.points}
        return {
            "won": result.winner == player,
            "kind": result.kind.name.lower(),
            "points": result.points,
        }
