"""A person against the engine, in the terminal."""

import random
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.text import Text

from outplay.cli.advice import Advice, Adviser
from outplay.errors import Interrupted
from outplay.rules.game import CHANCE, OVER, Game
from outplay.rules.text import choice_name, read_move
from outplay.search.result import number

COMMANDS = ("quit", "exit", "q", "undo", "hint", "help", "?", "moves")
HELP = "Type a move, or: hint, undo, moves, help, quit."


class Session:
    """One game between a person and the engine."""

    def __init__(self, console: Console, game: Game, state: Any, seat: int, adviser: Adviser, seed: int | None) -> None:
        self.console, self.game, self.state, self.seat, self.adviser = console, game, state, seat, adviser
        self.random = random.Random(seed)
        self.past: list[Any] = []  # the states in which the person has moved
        self.last = ""  # what was played last, and by whom

    def run(self) -> None:
        """Play until the game is over or the person leaves."""
        self.adviser.prepare(self.state)
        called = self.game.players[self.seat]
        name = f" ({called})" if called != f"player {self.seat}" else ""
        self._say(f"{self.game.name}: you are player {self.seat}{name}. {HELP}")
        self._draw()
        try:
            while (who := self.game.turn(self.state)) != OVER:
                if who == CHANCE:
                    self._roll()
                elif who == self.seat:
                    if not self._person():
                        return
                else:
                    self._engine()
        except (KeyboardInterrupt, EOFError):
            self._say("\nGoodbye.")
            return
        self._end()

    def _person(self) -> bool:
        """Take the person's move; return False if they leave."""
        while True:
            text = self.console.input("[bold]your move>[/] ").strip()
            text = text.lower() if text.lower() in COMMANDS else text
            if text in ("quit", "exit", "q"):
                self._say("Goodbye.")
                return False
            if text == "undo":
                if not self.past:
                    self._say("There is nothing to undo.")
                    continue
                self.state, self.last = self.past.pop(), ""
                self._draw()
            elif text == "hint":
                try:
                    advice = self.adviser.advise(self.state)
                except Interrupted:
                    self._say("No hint, then.")
                    continue
                self._say(f"Try {self._words(advice)}")
            elif text in ("help", "?", ""):
                if text and self.game.about:
                    self._say(self.game.about)
                self._say(HELP)
            elif text == "moves":
                self._say("Legal: " + " ".join(self.game.name_move(self.state, move) for move in self.game.legal(self.state)))
            else:
                try:
                    move = read_move(self.game, self.state, text)
                except ValueError as error:  # an IllegalMove, or what the game's own read_move raises
                    self._say(f"{error}. {HELP}")
                    continue
                self.past.append(self.state)
                self._make(move)
                return True

    def _engine(self) -> None:
        advice = self.adviser.advise(self.state)
        self._say(f"The engine plays {self._words(advice)}")
        self._make(advice.move)

    def _words(self, advice: Advice) -> str:
        """Return the move and the opinion of it, as the person sees it."""
        value = number((advice.value if self.seat == 0 else -advice.value) + 0.0)  # never -0
        name = self.game.name_move(self.state, advice.move)
        return f"{name}: worth {value} to you ({advice.certainty}); it expects {' '.join(advice.line)}"

    def _roll(self) -> None:
        outcomes, weights = zip(*self.game.chances(self.state), strict=True)  # type: ignore[misc]
        outcome = self.random.choices(outcomes, weights)[0]
        self._say(f"Chance: {self.game.name_outcome(self.state, outcome)}")
        self._make(outcome)

    def _make(self, choice: Any) -> None:
        who = self.game.turn(self.state)
        by = "chance" if who == CHANCE else f"{self.game.players[who]}, {'you' if who == self.seat else 'the engine'}"
        self.last = f"{by}: {choice_name(self.game, self.state, choice)}"
        self.state = self.game.state(self.game.play(self.state, choice))
        if self.game.turn(self.state) != CHANCE:
            self._draw()

    def _draw(self) -> None:
        board = Text(f"\n{self.game.show(self.state)}\n")
        board.highlight_regex(r"\bX\b", "bold red")
        board.highlight_regex(r"\bO\b", "bold yellow")
        self.console.print(board)
        if self.last:
            self.console.print(f"[dim]last move[/] [bold cyan]{escape(self.last)}[/]")
        if self.game.turn(self.state) == self.seat:
            legal = ", ".join(str(self.game.name_move(self.state, move)) for move in self.game.legal(self.state))
            self.console.print(f"[dim]legal[/] {escape(legal)}", soft_wrap=not self.console.is_terminal, highlight=False)

    def _end(self) -> None:
        score = float(self.game.score(self.state)) * (1 if self.seat == 0 else -1)
        verdict = "You win" if score > 0 else "The engine wins" if score < 0 else "A draw"
        self._say(f"{verdict} ({number(score)} to you).")

    def _say(self, text: str) -> None:
        self.console.print(escape(text), soft_wrap=not self.console.is_terminal)
