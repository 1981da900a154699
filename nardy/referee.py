"""Bots as programs: two of them play a match, one JSON line a question, one an answer.

The protocol is in docs/referee.md. Whoever answers too late, not at all, or with something that the
rules forbid loses the game, and the reason is kept.
"""

import contextlib
import json
import math
import os
import queue
import shlex
import signal
import subprocess
import threading
import time
from types import TracebackType
from typing import IO, Any, NamedTuple

from nardy.game import Game
from nardy.match import Match
from nardy.text import rules_text
from nardy_core.errors import IllegalAct, InvalidArgument, NardyError

__all__ = ["Bot", "BotError", "Loss", "Referee"]

PROTOCOL = 1
LONGEST = 65_536
"""Characters of an answer; more is no answer."""

UNASKED = 64
"""Lines of a bot that wait to be read; of one that says more than it is asked the oldest go."""

PAUSE = 0.001
"""Seconds between such lines: who reads them as fast as they come starves the other threads."""

UNREAD = 1_000
"""Lines that wait for a bot; one that reads so little is ended."""

TOLD = 200
"""Characters of a reason that are kept: an answer that is quoted may be long."""

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
    """A program that plays; a context manager that ends it, and its children with it.

    Each pipe belongs to a thread of its own, so that whatever a program does (it does not read,
    says more than it was asked, leaves its pipes to a child) costs it its time and nobody else's.

    Parameters
    ----------
    command : str
        What starts it, as for a shell, but without one.
    seconds : float
        How long it may take for each answer.

    Raises
    ------
    InvalidArgument
        If the command is empty or torn; if the time is none.
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
        if not (math.isfinite(seconds) and 0 < seconds <= threading.TIMEOUT_MAX):
            msg = f"seconds: expected a time for each answer above 0, got {seconds}"
            raise InvalidArgument(msg)
        self.command, self.seconds = command, seconds
        self.process: subprocess.Popen[str] | None = None
        self.said: queue.Queue[str | None] = queue.Queue()  # None: it says no more
        self.told: queue.Queue[str | None] = queue.Queue()  # None: it is told no more

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
                start_new_session=True,  # its children are ended with it
            )
        except OSError as error:
            msg = f"it cannot be started: {error.strerror or error}"
            raise BotError(msg) from None
        self.said, self.told = queue.Queue(UNASKED), queue.Queue(UNREAD)
        pipes = ((_hear, self.process.stdout, self.said), (_tell, self.process.stdin, self.told))
        for work, pipe, lines in pipes:
            threading.Thread(target=work, args=(pipe, lines), daemon=True).start()

    def stop(self) -> None:
        """End the program; kill it if it does not end by itself."""
        process, self.process = self.process, None
        if process is None:
            return
        with contextlib.suppress(queue.Full):
            self.told.put_nowait(None)
        try:
            process.wait(0.5)
        except subprocess.TimeoutExpired:
            _kill(process)

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
        self._forget()
        self._send(message)
        try:
            line = self.said.get(timeout=self.seconds)
        except queue.Empty:
            ended = self.process is not None and self.process.poll() is not None
            msg = self._gone() if ended else f"no answer within {self.seconds:g} s"
            self.kill()
            raise BotError(msg) from None
        if line is None:
            self.said.put(None)
            raise BotError(self._gone())
        return self._answer(line)

    def kill(self) -> None:
        """End the program at once: a late answer must not be taken for the next one."""
        if self.process is not None:
            _kill(self.process)
        self.stop()

    def _forget(self) -> None:
        """Leave out what was said before it is asked; whoever goes on talking is heard again."""
        for _ in range(self.said.qsize()):
            if self.said.get() is None:
                self.said.put(None)

    def _send(self, message: dict[str, Any]) -> None:
        if self.process is None:
            msg = "it does not run"
            raise BotError(msg)
        try:
            self.told.put_nowait(json.dumps(message) + "\n")
        except queue.Full:
            self.kill()
            msg = f"it does not read: {UNREAD} lines wait for it"
            raise BotError(msg) from None

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


def _hear(pipe: IO[str], lines: "queue.Queue[str | None]") -> None:
    """Hand every line of a program on, the last ones if nobody takes them; None at its end."""
    with contextlib.suppress(OSError, ValueError), pipe:
        while line := pipe.readline(LONGEST):
            _put_last(lines, line)
    _put_last(lines, None)


def _put_last(lines: "queue.Queue[str | None]", line: str | None) -> None:
    """Put a line, in the place of the oldest if there is no room. Nobody else may put any."""
    if lines.full():
        time.sleep(PAUSE)
        with contextlib.suppress(queue.Empty):
            lines.get_nowait()
    lines.put(line)


def _tell(pipe: IO[str], lines: "queue.Queue[str | None]") -> None:
    """Write every line to a program until None comes, or it is gone."""
    with contextlib.suppress(OSError, ValueError), pipe:
        while (line := lines.get()) is not None:
            pipe.write(line)


def _kill(process: "subprocess.Popen[str]") -> None:
    """End a program and its children at once."""
    if process.poll() is not None:  # its number may be another's by now
        return
    with contextlib.suppress(ProcessLookupError, PermissionError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
    process.wait()


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

        A game that has come to `ENOUGH` turns is left as it is, and with it the match.

        Parameters
        ----------
        games : int
            Games of a session.
        """
        while True:
            self.play_game()
            enough = self.match.length is None and len(self.match.games) >= games
            if self.match.over or enough or self.match.game.result is None:
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
        told = reason if len(reason) <= TOLD else f"{reason[:TOLD]}..."
        self.losses.append(Loss(len(self.match.games), player, told))
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
        except NardyError:  # there is none within a cascade, nor for a score beyond all measure
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
