"""`Learned`: an estimate that was learned by self-play."""

import math
from collections import Counter
from dataclasses import asdict
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from outplay.compile.fingerprint import value_digest
from outplay.compile.learned_estimate import LearnedEstimate
from outplay.compile.numba_import import uninterrupted_imports
from outplay.errors import GameError, LearnedError, OptionError
from outplay.learn.picture import history_svg
from outplay.learn.progress import Counts, Moment
from outplay.learn.settings import Settings
from outplay.pictures.notebook import preformatted
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
        super().__init__(game, network.net, network.arrays, base)
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

    @classmethod
    def shipped(cls, game: Game) -> "Learned":
        """Return the estimate of *game* that ships with Outplay; raise a LearnedError if there is none."""
        from outplay.learn import shipped

        found = shipped.shipped(game)
        if found is None:
            raise LearnedError(
                f"no estimate of {game.loaded_as or game.name!r} ships with Outplay; those of {', '.join(shipped.names())} do, for games "
                "that load(...) returns with their usual parameters; learn your own: learn(game, seconds=60), or outplay learn"
            )
        return found

    def save(self, file: str | Path, *, resumable: bool = True, most_mb: float | None = None) -> None:
        """Write the estimate to *file*, completely or not at all. Not *resumable*, it lacks what further learning needs.

        With *most_mb*, weights are rounded until the file has at most so many MB; such a file is not resumable.
        """
        with uninterrupted_imports():
            from outplay.learn.file import check_target, write

        if most_mb is not None and (resumable or not 0 < most_mb < math.inf):
            raise OptionError(
                f"most_mb={most_mb!r:.40} must be a number above 0, together with resumable=False: rounded weights are only for use"
            )
        check_target(Path(file))
        most = None if most_mb is None else int(most_mb * 1e6)
        write(Path(file), self.original, self.network, self.facts(), resumable=resumable, most_bytes=most)

    def __reduce__(self) -> tuple[Any, ...]:
        with TemporaryDirectory() as folder:
            self.save(file := Path(folder) / "learned", resumable=False)
            return Learned._from_bytes, (self.original, file.read_bytes())

    def __copy__(self) -> "Learned":
        return self  # it never changes

    def __deepcopy__(self, memo: dict[int, Any]) -> "Learned":
        return self

    @classmethod
    def _from_bytes(cls, game: Game, content: bytes) -> "Learned":
        with TemporaryDirectory() as folder:
            (file := Path(folder) / "learned").write_bytes(content)
            return cls.load(file, game)

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
        """How many moves were chosen in these games, and in those played again from their middle."""
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
        return self.network.shape.all_weights

    @property
    def learned_weights(self) -> int:
        """How many weights were changed; those of hidden units always are. A file for use only has those that are not 0."""
        summed = self.network.learned or int((self.network.weights != 0).sum())
        return summed + self.network.shape.hidden_weights

    def explain(self) -> str:
        """Return what the learner sees of a state, and how it learned, in words."""
        picture = [] if self.has_picture else ["There is no picture of the weights (svg): what it sees of a state has no board."]
        return "\n".join([*self._sight(), *picture, *self._learning(), *(f"Note: {note}." for note in self.notes)])

    @property
    def has_picture(self) -> bool:
        """Whether `svg` has something to draw: a board of squares or digits."""
        return any(cell.kind in ("square", "digit") for cell in self.network.shape.cells)

    def _nothing_learned(self) -> str:
        """Return a warning with the reason and a remedy, for an estimate that learned no weight from its games."""
        history, base = self.history, " besides the game's own estimate" * (self.upon == "estimate")
        if history and all(moment.error == 0 for moment in history):
            why = f"all {self.games:,} games of self-play were worth 0"
            remedy = (
                "outplay playouts shows whether random games end otherwise; if they do, learn for longer or with another seed"
            )
        else:
            why = f"{self.games:,} games were too few, or ended too early"
            remedy = "learn for longer"
        return f"Warning: no weight was learned, so it values every state the same{base}: {why}. Remedy: {remedy}."

    def _sight(self) -> list[str]:
        shape = self.network.shape
        spent = f", in {self.seconds:,.0f} s" if self.seconds else ""
        lines = [f"{self.original.name}: an estimate learned from {self.games:,} games of self-play{spent}."]
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
        if shape.units:
            lines.append(
                f"It adds up what {shape.units} hidden units say; each looks at {len(shape.inputs)} cells. There are {self.weights:,} weights."
            )
            return lines
        lengths = Counter(map(len, shape.tuples))
        sizes = ", ".join(f"{number} of {length}" for length, number in sorted(lengths.items()))
        lines.append(
            f"It adds up {len(shape.lanes)} weights for a state: of {len(shape.tuples)} tuples of cells ({sizes}) and their images. "
            f"{self.learned_weights:,} of {self.weights:,} weights were learned."
        )
        return lines

    def _learning(self) -> list[str]:
        lines = []
        if self.upon == "estimate":
            lines.append("It is added to the game's own estimate.")
        if self.endless and self.endless == self.games:
            lines.append(
                f"None of the {self.games:,} games ended within {self.settings.plies:,} plies, so nothing was learned: "
                "check that turn returns OVER at the end, and that play leads there."
            )
            return lines
        if not self.learned_weights:
            lines.append(self._nothing_learned())
        elif self.history:
            first, last = self.history[0], self.history[-1]
            went = f"{'fell' if last.error < first.error else 'went'} from {first.error:.3g} to"
            lines.append(
                f"The mean error of a value {'is' if len(self.history) == 1 else went} {last.error:.3g} (after {last.games:,} games)."
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
            "weights": self.weights, "learned_weights": self.learned_weights, "tuples": len(shape.tuples), "lanes": len(shape.lanes),
            "cells": [{"name": cell.name, "size": cell.size, "kind": cell.kind, "group": cell.group} for cell in shape.cells],
            "hidden_units": shape.units, "inputs": len(shape.inputs), "hidden_weights": shape.hidden_weights,
            "symmetries": len(shape.symmetries) - 1, "players_alike": shape.flip is not None,
        }  # fmt: skip

    def __repr__(self) -> str:
        return f"<Learned {self.original.name}: {self.games:,} games, {self.weights:,} weights>"

    def svg(self) -> str:
        """Return what each square is worth to player 0 as SVG, a map for each kind of stone; "" if the learner sees no board, as `explain` says."""
        with uninterrupted_imports():
            from outplay.learn.heat_map import heat_map_svg

        return heat_map_svg(self.original, self.network)

    def history_svg(self) -> str:
        """Return the mean error and the mean result over the games that were played as SVG; "" if there were too few."""
        return history_svg(self.history)

    def _repr_html_(self) -> str:
        return preformatted(self.explain()) + self.svg() + self.history_svg()


def plain(game: Game) -> Game:
    """Return *game* without a learned estimate: it has the estimate that was learned upon, or none."""
    return game.replace(estimate=game.estimate.base) if isinstance(game.estimate, LearnedEstimate) else game
