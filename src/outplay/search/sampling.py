"""Sampled chance: at a chance node with many outcomes, a fixed sample of them stands for all."""

from dataclasses import dataclass
from typing import Any

from outplay.errors import OptionError
from outplay.rules.fields import is_int
from outplay.runtime.limits import check_seed
from outplay.search import layout

MOST = 1 << 40  # more than any chance node has
FEWEST = 2  # one outcome alone would tell nothing of the error


@dataclass(frozen=True)
class Sampling:
    """How many outcomes are sampled where there are more, and the seed of the samples.

    The sample of a state depends on the state and the seed alone, so a search with samples is as deterministic as any.
    """

    samples: int
    seed: int = 0

    def __post_init__(self) -> None:
        if not is_int(self.samples) or self.samples < FEWEST:
            raise OptionError(
                f"samples={self.samples!r}: give a whole number of outcomes, {FEWEST} or more, to look at where chance has more; "
                "without samples all are looked at"
            )
        check_seed(self.seed, "outcomes")

    def write(self, memory: Any) -> None:
        """Tell the search in *memory*."""
        memory[layout.SAMPLES], memory[layout.SAMPLE_SEED] = min(self.samples, MOST), self.seed & (1 << 62) - 1

    def explain(self, error: float) -> str:
        """Return the sentence that every sampled result carries."""
        return (
            f"Where chance has more than {self.samples} outcomes, a sample of {self.samples} stands for all (seed {self.seed}): "
            f"the value is an estimate, with a statistical error of about ± {error:.2g} (95 %)."
        )
