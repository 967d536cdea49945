"""`Learned`: an estimate that was learned by self-play."""

from collections import Counter
from dataclasses import asdict
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from outplay.compile.fingerprint import value_digest
from outplay.compile.learned_estimate import LearnedEstimate
from outplay.compile.numba_import import uninterrupted_imports
from outplay.errors import GameError, OptionError
from outplay.learn.picture import history_svg
from outplay.learn.progress import Counts, Moment
from outplay.learn.settings import Settings
from outplay.pictures.notebook import paragraph
from outplay.rules.game import Game

if TYPE_CHECKING:
    from outplay.learn.network import Network


class Learned(LearnedEstimate):
    """An estimate of one game. `search(game, ..., estimate=learned)` and `search(learned.game, ...)` use it.

    It does not change: to go on learning, give `learn` the file that it was saved to.
    """

    def __init__(
        self, game: Game, network: "Network", settings: Settings, counts: Counts, *, upon: str, seed: int, notes: tuple[str, ...] = ()
    ) -> None:  # fmt: skip
        base = game.estimate if upon == "estimate" else None
        super().__init__(game, network.net, (network.weights, network.trust, network.table), base)
        self.original, self.network, self.settings, self.counts = game, network, settings, counts
        self.upon, self.seed, self.notes = upon, seed, notes

    @classmethod
    def load(cls, file: str | Path, game: Game) -> "Learned":
        """Return the estimate of *game* in *file*. A damaged file, or one for other rules, is refused."""
        if not isinstance(game, Game):
            raise GameError(f"a learned estimate belongs to a Game, and got {game!r:.60}; write Learned.load(file, game)")
        with uninterrupted_imports():  # of NumPy
            from outplay.learn.file import read

        game = plain(game)
        network, facts = read(Path(file), game)
        counts = Counts(facts["games"], facts["moves"], facts["endless"], facts["seconds"], facts["history"])
        return cls(
            game, network, facts["settings"], counts, upon=facts["upon"], seed=facts["seed"], notes=tuple(facts["notes"])
        )  # fmt: skip

    def save(self, file: str | Path, *, resumable: bool = True) -> None:
        """Write the estimate to *file*, completely or not at all. Not *resumable*, it lacks what further learning needs."""
        with uninterrupted_imports():
            from outplay.learn.file import check_target, write

        check_target(Path(file))
        write(Path(file), self.original, self.network, self.facts(), resumable=resumable)

    def facts(self) -> dict[str, Any]:
        """Return how it was learned, as plain data."""
        counts = self.counts
        return {
            "games": counts.games, "moves": counts.moves, "endless": counts.endless, "seconds": counts.seconds,
            "upon": self.upon, "seed": self.seed, "settings": asdict(self.settings), "notes": list(self.notes),
            "history": [list(asdict(moment).values()) for moment in counts.history],
        }  # fmt: skip

    @cached_property
    def game(self) -> Game:
        """The game with this estimate in place of its own."""
        return self.original.replace(estimate=self)

    def estimate(self, state: Any) -> float:
        """Return the estimated value of *state* to player 0."""
        return self(self.original.state(state))

    def check(self, game: Game) -> None:
        """Refuse a *game* that this estimate was not learned for."""
        if game is not self.original and value_digest(plain(game)) != value_digest(self.original):
            raise OptionError(
                f"this estimate was learned for {self.original.name!r}, and {game.name!r} has other rules; learn that game, "
                "or search the one that it was learned for"
            )

    @property
    def games(self) -> int:
        """How many games it learned from."""
        return self.counts.games

    @property
    def moves(self) -> int:
        """How many moves were chosen in these games."""
        return self.counts.moves

    @property
    def endless(self) -> int:
        """How many games were given up because they were too long."""
        return self.counts.endless

    @property
    def seconds(self) -> float:
        """How long it learned."""
        return self.counts.seconds

    @property
    def history(self) -> tuple[Moment, ...]:
        """The mean error and the mean result from time to time."""
        return tuple(self.counts.history)

    @property
    def weights(self) -> int:
        """How many weights there are."""
        return self.network.shape.weights

    def explain(self) -> str:
        """Return what the learner sees of a state, and how it learned, in words."""
        return "\n".join([*self._sight(), *self._learning(), *(f"Note: {note}." for note in self.notes)])

    def _sight(self) -> list[str]:
        shape = self.network.shape
        lines = [f"{self.original.name}: an estimate learned from {self.games:,} games of self-play, in {self.seconds:,.0f} s."]
        boards = Counter((cell.group, cell.kind, cell.size) for cell in shape.cells)
        lines.append("What it sees of a state:")
        for (group, kind, size), number in boards.items():
            what = {
                "square": "a board of {} squares, {} codes each",
                "digit": "{} digits, {} codes each",
                "number": "{} number{s}, {} codes",
                "count": "{} number{s}, {} codes",
            }
            lines.append(f"  {group}: " + what[kind].format(number, size, s="s" if number > 1 else ""))
        if len(shape.phases) > 1:
            lines.append(
                "  whose turn it is"
                + (": the players are alike, so what is learned of one is learned of both" if shape.flip is not None else "")
            )
        symmetric = len(shape.symmetries) - 1
        lines.append(f"Symmetries that hold: {symmetric or 'none'}.")
        lengths = Counter(map(len, shape.tuples))
        sizes = ", ".join(f"{number} of {length}" for length, number in sorted(lengths.items()))
        lines.append(
            f"It adds up {len(shape.lanes)} weights for a state: of {len(shape.tuples)} tuples of cells ({sizes}) and their images. "
            f"{self.network.learned:,} of {self.weights:,} weights were learned."
        )
        return lines

    def _learning(self) -> list[str]:
        lines = []
        if self.upon == "estimate":
            lines.append("It is added to the game's own estimate.")
        if self.history:
            first, last = self.history[0], self.history[-1]
            lines.append(
                f"The mean error of a value fell from {first.error:.3g} to {last.error:.3g} (after {last.games:,} games)."
            )
        if self.endless:
            lines.append(
                f"{self.endless:,} games had no end within {self.settings.plies:,} plies; they were given up, and counted as 0."
            )
        return lines

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain data, such as JSON takes; without the weights."""
        shape = self.network.shape
        return {
            "game": self.original.name, **self.facts(),
            "history": [asdict(moment) for moment in self.history],
            "weights": self.weights, "learned_weights": self.network.learned, "tuples": len(shape.tuples), "lanes": len(shape.lanes),
            "cells": [{"name": cell.name, "size": cell.size, "kind": cell.kind, "group": cell.group} for cell in shape.cells],
            "symmetries": len(shape.symmetries) - 1, "players_alike": shape.flip is not None,
        }  # fmt: skip

    def __repr__(self) -> str:
        return f"<Learned {self.original.name}: {self.games:,} games, {self.weights:,} weights>"

    def _repr_html_(self) -> str:
        return paragraph(self.explain()) + history_svg(self.history)


def plain(game: Game) -> Game:
    """Return *game* without a learned estimate: it has the estimate that was learned upon, or none."""
    return game.replace(estimate=game.estimate.base) if isinstance(game.estimate, LearnedEstimate) else game
