"""Stores of made-up tournaments for tests: results as given, nothing is played."""

from collections.abc import Callable, Sequence
from pathlib import Path

from outplay import load
from outplay.arena.record import GameRecord, Step, Verdict
from outplay.arena.store import GameKey, Store, control_text
from outplay.compile.fingerprint import rules_fingerprint

CONTROL = control_text({"move_seconds": 1.0, "bank": 30.0})
GAME = load("tic-tac-toe")
RULES, START = rules_fingerprint(GAME).digest, str(GAME.write_state(GAME.start))
TIC_TAC_TOE = (1, 4, 2, 5, 3)  # X wins
Told = tuple[Verdict, int | None, float | None, str]


def won_by(first: str, second: str) -> Told:
    """Return a win of the agent whose name comes first in the alphabet."""
    return Verdict.FINISHED, None, 1.0 if first < second else -1.0, ""


def made_pair(one: str, other: str, pair: int, told: Callable[[str, str], Told] = won_by) -> list[tuple[GameKey, GameRecord]]:
    """Return two games between agents, whose identities are their names in brackets; one game if an agent plays alone."""
    found = []
    for first, second in {(one, other), (other, one)}:
        verdict, blamed, score, detail = told(first, second)
        key = GameKey(RULES, f"[{first}]", f"[{second}]", pair, f"1/{pair}", CONTROL, START, ())
        steps = tuple(
            Step(ply % 2 if one != other else 0, choice, 0.01 * (ply + 1), 10) for ply, choice in enumerate(TIC_TAC_TOE)
        )
        found.append((key, GameRecord(verdict, blamed, score, START, (), steps, detail)))
    return found


def add_pair(store: Store, one: str, other: str, pair: int, told: Callable[[str, str], Told] = won_by) -> list[str]:
    """Add two games; return their names."""
    games = made_pair(one, other, pair, told)
    store.add_all(games)
    return [key.id for key, _ in games]


def describe(store: Store, names: Sequence[str], ids: Sequence[str], **more: object) -> None:
    """Say what the tournament is."""
    agents = [{"name": name, "identity": f"[{name}]"} for name in names]
    about = {
        "game": "tic-tac-toe",
        "agents": agents,
        "total": len(ids),
        "seed": 1,
        "schedule": "round-robin",
        "tier": "none: trusted",
    }
    store.schedule(ids, **{**about, **more})


def round_robin_store(
    path: Path | None, names: Sequence[str], pairs: int = 2, told: Callable[[str, str], Told] = won_by, **more: object
) -> Store:
    """Return the store of a tournament in which everybody has met everybody."""
    store = Store(path)
    games: list[tuple[GameKey, GameRecord]] = []
    for place, one in enumerate(names):
        for other in names[place + 1 :]:
            for pair in range(pairs):
                games += made_pair(one, other, pair, told)
    store.add_all(games)  # one write to the disk
    describe(store, names, [key.id for key, _ in games], **more)
    return store
