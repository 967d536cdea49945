"""Projects 000 and 004: agents for Extended Connect Four, by expectimax against chance and by alpha-beta against each other."""

from collections.abc import Iterator

from outplay.agents.policy import RandomAgent
from outplay.agents.search import SearchAgent
from outplay.arena.match import Match, match_pairs
from outplay.arena.reproduce.row import AGREES, BETTER, CORRECTED, Row
from outplay.games.extended_connect_four import extended_connect_four
from outplay.rules.game import Game
from outplay.rules.number_text import signed_margin

POINTS_PROJECT, WINDOWS_PROJECT = "000", "004"
# Rows, columns and pops of the original cases, and the margin that others' logs show against chance at 5 s a move.
CASES = ((6, 8, 6, 234 - 62), (6, 10, 9, 335 - 116), (6, 10, 0, 187 - 101), (4, 6, 0, 109 - 32))


def points(*, quick: bool) -> Iterator[Row]:
    """Project 000, which values a state by the margin of points: against chance from both seats, then deeper against shallower."""
    games, seconds = (2, 0.03) if quick else (20, 0.1)
    yield from _against_chance(POINTS_PROJECT, "points", games, seconds, CASES[::3] if quick else CASES)
    if not quick:
        game = extended_connect_four(rows=6, columns=8, pops=6)
        deep, shallow = SearchAgent(seconds=0.2, name="0.2 s"), SearchAgent(depth=2, name="depth 2")
        found = match_pairs(game, deep, shallow, games=20, seed=1, opening=2)
        yield Row(
            POINTS_PROJECT,
            "alpha-beta, 0.2 s a move against depth 2, 6 by 8, 6 pops",
            "-",
            _words(found),
            BETTER,
            "deeper is better",
        )


def windows(*, quick: bool) -> Iterator[Row]:
    """Project 004, which adds open windows: against chance, then against project 000's evaluation by alpha-beta."""
    games, seconds = (2, 0.03) if quick else (10, 0.05)
    yield from _against_chance(WINDOWS_PROJECT, "windows", games, seconds, CASES[3:] if quick else CASES)
    for rows, columns, pops, _ in CASES[-1:] if quick else CASES:
        by_points, by_windows = (_game(rows, columns, pops, estimate) for estimate in ("points", "windows"))
        first = SearchAgent(seconds=seconds, name="windows", estimate=by_windows.estimate)
        second = SearchAgent(seconds=seconds, name="points", estimate=by_points.estimate)
        found = match_pairs(by_points, first, second, games=games, seed=2, opening=2)
        what = f"alpha-beta by windows against points, {rows} by {columns}, {pops} pops, {seconds} s a move"
        yield Row(WINDOWS_PROJECT, what, "-", _words(found), BETTER, "the projects never met")


def _against_chance(
    project: str, estimate: str, games: int, seconds: float, cases: tuple[tuple[int, int, int, int], ...]
) -> Iterator[Row]:
    for rows, columns, pops, margin in cases:
        game = _game(rows, columns, pops, estimate)
        player = SearchAgent(seconds=seconds, opponent="random", name="expectimax")
        found = match_pairs(game, player, RandomAgent(), games=games, seed=3)
        what = f"expectimax by {estimate} against chance, {rows} by {columns}, {pops} pops, {seconds} s a move"
        mean, error = found.margin
        verdict = BETTER if mean > margin else AGREES if mean + error >= margin else CORRECTED
        why = f"at a {5 / seconds:.0f}th of the time" + ("" if verdict != CORRECTED else ", by less than in the logs")
        yield Row(project, what, f"margin {margin:+} at 5 s (others' logs)", _words(found), verdict, why)


def _game(rows: int, columns: int, pops: int, estimate: str) -> Game:
    return extended_connect_four(rows=rows, columns=columns, pops=pops, estimate=estimate)


def _words(found: Match) -> str:
    interval = found.margin_interval
    within = "" if interval is None else f" (95 %: {signed_margin(interval[0], 0)} to {signed_margin(interval[1], 0)})"
    return f"{found.wins} of {len(found.played)} won, margin {signed_margin(found.margin[0], 0)}{within}"
