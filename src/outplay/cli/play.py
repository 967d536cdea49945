"""A person against an agent, or alone in a solitaire, in the terminal."""

import random
import re
import textwrap
from collections.abc import Iterable
from functools import partial
from typing import Any

from rich.console import Console
from rich.markup import escape

from outplay.agents.agent import Agent, Choice, Clock, choice_of
from outplay.cli.board import board
from outplay.cli.keys import unheard
from outplay.cli.live import watching
from outplay.errors import IllegalMove, Interrupted
from outplay.games.catalogue import own_words
from outplay.pictures.board_text import board_legend
from outplay.rules.game import CHANCE, OVER, Game
from outplay.rules.number_text import short_value, signed_value
from outplay.rules.text import from_here_on, read_move, sentence

COMMANDS = ("quit", "exit", "q", "undo", "hint", "help", "?", "moves")
NAME = "Outplay"  # of the agent, to the person
ARROW = re.compile(r"\x1b(?:\[|O)([ABCD])")
HELP = "Type a move, or: hint, undo, moves, help, quit."
AGAIN, LEAVE = ("", "y", "yes"), ("n", "no", "quit", "exit", "q")
GLUE = "\N{NO-BREAK SPACE}"  # holds the words of a move's name together until the lines are filled
LINE = 8  # choices of the play that the agent expects
ARROWS = {"A": "up", "B": "down", "C": "right", "D": "left"}  # the last letter of what a terminal sends for an arrow key
LISTED = 3  # lines of legal moves that are shown with a board


class Session:
    """Games between a person and an agent, the seats exchanged after each; in a solitaire the agent only gives hints.

    An agent with a *name* is called so; if it does not look ahead, *adviser* is another one, which gives the hints.
    """

    def __init__(
        self,
        console: Console,
        game: Game,
        state: Any,
        seat: int,
        agent: Agent,
        seed: int | None,
        *,
        name: str = NAME,
        adviser: Agent | None = None,
    ) -> None:
        self.console, self.game, self.start, self.seat, self.agent = console, game, state, seat, agent
        self.name, self.adviser = name, adviser or agent
        self.random = random.Random(seed)
        self.state = state
        self.before: Any = None  # the state before the last move
        self.past: list[tuple[Any, float]] = []  # the states in which the person has moved, and what was paid by then
        self.paid = 0.0  # rewards so far, to player 0

    def run(self) -> None:
        """Play until the person leaves."""
        try:
            while self._game() and self._again():
                self.seat = self.seat if self.game.solitaire else 1 - self.seat
        except (KeyboardInterrupt, EOFError):
            self._say("\nGoodbye.")

    def _game(self) -> bool:
        """Play one game; return False if the person leaves it."""
        with unheard():
            self.agent.prepare(self.game)
        self.state, self.before, self.past, self.paid = self.start, None, [], 0.0
        you, other = self.game.players[self.seat], self.game.players[1 - self.seat]
        seats = "you play alone" if self.game.solitaire else f"you are {you}, and {self.name} is {other}"
        self._say("\n".join([f"{self.game.name}: {seats}. {HELP}", *board_legend(self.game)]))
        while (who := self.game.turn(self.state)) != OVER:
            if who == CHANCE:
                self._roll()
            elif who != self.seat:
                self._reply()
            else:
                self._draw()
                self._list()
                if not self._person():
                    return False
        self._draw()
        self._end()
        return True

    def _again(self) -> bool:
        seat = "" if self.game.solitaire else f" You are {escape(self.game.players[1 - self.seat])} then."
        said = None
        while said not in AGAIN + LEAVE:  # a move typed too late is no answer
            said = self.console.input(f"[bold]Play again?{seat} Enter: yes, n: no>[/] ").strip().casefold()
        if said in LEAVE:
            self._say("Goodbye.")
        return said in AGAIN

    def _person(self) -> bool:
        """Take the person's move; return False if they leave."""
        while True:
            text = self.console.input("[bold]your move>[/] ").strip()
            text = ARROWS[arrow[1]] if (arrow := ARROW.fullmatch(text)) else text
            text = text.lower() if text.lower() in COMMANDS else text
            if text in ("quit", "exit", "q"):
                self._say("Goodbye.")
                return False
            if text == "undo":
                if not self.past:
                    self._say("There is nothing to undo.")
                    continue
                (self.state, self.paid), self.before = self.past.pop(), None
                self._draw()
                self._list()
            elif text == "hint":
                try:
                    hint = self._think(self.adviser)
                except Interrupted:
                    self._say("No hint, then.")
                    continue
                self._say(f"A good move is {self._words(hint)}")
            elif text in ("help", "?", ""):
                about = (self.game.about or own_words(self.game)).strip() if text else ""
                legend = board_legend(self.game) if text else []
                self._say("\n".join([*([about] if about else []), *legend, HELP]))
            elif text == "moves":
                self._say(f"Legal: {self._names()}")
            else:
                try:
                    move = read_move(self.game, self.state, text)
                except ValueError as error:
                    # A game that reads moves itself says what is wrong.
                    own = not isinstance(self.game.read_move, partial)
                    self._say(f"{error}." if own else f"{text!r} is not a legal move here. Legal moves: {self._names()}")
                    self._say(HELP)
                    continue
                self.past.append((self.state, self.paid))
                self._make(move)
                return True

    def _reply(self) -> None:
        choice = self._think(self.agent)
        if choice.move not in (legal := self.game.legal(self.state)):
            raise IllegalMove(f"{self.agent.name} plays {choice.move!r}, which is not a legal move here; legal moves: {legal}")
        self._say(f"{self.name} plays {self._words(choice)}")
        self._make(choice.move)

    def _think(self, agent: Agent) -> Choice:
        """Let *agent* choose, and show how far it is."""
        with unheard(), watching(self.console, self.game, self.state, quiet=not self.console.is_terminal) as progress:
            return choice_of(agent.choose(self.game, self.state, Clock(), self.random, progress=progress))

    def _words(self, choice: Choice) -> str:
        """Return the move, who makes it, what it is worth as the person sees it, how sure that is, and the play to expect."""
        move = _glued(self.game.name_move(self.state, choice.move))
        player = "" if self.game.solitaire else f" as {_glued(self.game.players[self.game.turn(self.state)])}"
        if choice.value is None and not choice.nodes:  # it has no opinion
            return f"{move}{player}{f' ({choice.why})' if choice.why else ''}."
        said = "undecided so far"
        if choice.value is not None and self.game.solitaire:
            said = f"worth {_points(choice.value)}{from_here_on(self.game)}"
        elif choice.value is not None:
            said = f"worth {signed_value((choice.value if self.seat == 0 else -choice.value) + 0.0)} to you"  # never -0
        line = self._until_chance(choice.line[:LINE])
        gap = ", " if any(" " in name for name in line) else " "
        then = f" Best play goes on: {gap.join(map(_glued, line[1:]))}" if line[1:] else ""
        return f"{move}{player}: {said} ({choice.why}).{then}"

    def _until_chance(self, line: tuple[int, ...]) -> list[str]:
        """Return the names of the moves of *line* up to the first outcome of chance: nobody can expect one of several."""
        names, state = [], self.state
        for move in line:
            if self.game.turn(state) == CHANCE:
                break
            names.append(str(self.game.name_move(state, move)))
            state = self.game.play(state, move)
        return names

    def _roll(self) -> None:
        outcome = self.game.roll(self.state, self.random)
        self._say(f"Chance: {self.game.name_outcome(self.state, outcome)}")
        self._play(outcome)

    def _make(self, move: int) -> None:
        self.before = self.state
        self._play(move)

    def _play(self, choice: int) -> None:
        if self.game.reward is not None:
            self.paid += float(self.game.reward(self.state, choice))
        self.state = self.game.state(self.game.play(self.state, choice))

    def _draw(self) -> None:
        """Show the board, once a turn, with the last move marked, or what won."""
        shown = board(self.game, self.state, self.before, colours=self.console.color_system is not None)
        self.console.print()
        self.console.print(shown, soft_wrap=not self.console.is_terminal)
        if self.game.reward is not None:
            self._say(f"{'Score' if self.game.solitaire else 'Paid'} so far: {_points(self.paid)}")
        self.console.print()

    def _list(self) -> None:
        """Say who is to move, and which moves there are, as many as fit on a few lines."""
        text = f"{sentence(self.game.players[self.seat])} to move: {self._names()}"
        lines = self._lines(text)
        if len(lines) > LISTED:
            lines = [*lines[: LISTED - 1], f"... {len(self.game.legal(self.state))} in all; moves lists them."]
        for line in lines:
            self.console.print(escape(line), style="dim", soft_wrap=True)

    def _names(self) -> str:
        return ", ".join(_glued(self.game.name_move(self.state, move)) for move in self.game.legal(self.state))

    def _end(self) -> None:
        total = self.paid + float(self.game.score(self.state))
        if self.game.solitaire:
            self._say(f"The game is over. Your score: {_points(total)}.")
            return
        score = total * (1 if self.seat == 0 else -1)
        you, other = self.game.players[self.seat], self.game.players[1 - self.seat]
        verdict = f"You win as {you}" if score > 0 else f"{self.name} wins as {other}" if score < 0 else "A draw"
        self._say(f"{verdict} ({signed_value(score)} to you).")

    def _say(self, text: str) -> None:
        for line in self._lines(text):
            self.console.print(escape(line), soft_wrap=True)

    def _lines(self, text: str) -> list[str]:
        """Return *text* in lines that fit the terminal; without one, as it is. A move's name stays on one line."""
        lines: Iterable[str] = text.split("\n")
        if self.console.is_terminal:
            lines = (filled for line in lines for filled in _filled(line, self.console.width))
        return [line.replace(GLUE, " ") for line in lines]


def _glued(name: object) -> str:
    return str(name).replace(" ", GLUE)


def _points(value: float) -> str:
    """Return a score as people write it: thousands apart, and decimals only where they tell something."""
    return f"{value:,.0f}" if abs(value) >= 1000 else short_value(value)


def _filled(line: str, width: int) -> list[str]:
    return textwrap.wrap(line, width, break_long_words=False, break_on_hyphens=False) or [""]
