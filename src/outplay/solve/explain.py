"""A solution in words."""

from typing import TYPE_CHECKING, Any

from outplay.rules.game import CHANCE, OVER
from outplay.rules.number_text import error_bound, exact_value
from outplay.rules.text import from_here_on, line_names, line_text, moves_counted, sentence
from outplay.search.result import Candidate

if TYPE_CHECKING:
    from outplay.solve.solution import Solution

WIDTH = 96  # of the counts by depth
LINE = 40  # choices of best play


def explain(solution: "Solution") -> str:
    """Return the value, the best moves, the expected play, every move, the counts by depth, and how it was found."""
    return "\n".join(
        [verdict(solution), *_choices(solution), *_counts(solution.counts), *_certainty(solution), _figures(solution)]
    )


def verdict(solution: "Solution") -> str:
    """Return who wins, or what the state is worth on average."""
    game, value = solution.game, solution.value
    average = " on average" if game.chances is not None and game.acting(solution.state) != OVER else ""
    worth = f"worth {exact_value(value, solution.error)} to {game.players[0]}{average}{from_here_on(game)}"
    if game.acting(solution.state) == OVER:
        return f"The game is over: {worth}."
    if game.chances is not None:
        return f"By best play the game is {worth}{_points(solution)}."
    if not game.low < 0 < game.high or game.solitaire or game.reward:  # the sign of a score does not tell who won
        return f"By best play the game is {worth}{_when(solution)}."
    result = f"{game.players[0 if value > 0 else 1]} wins{_when(solution)}" if value else "the game is drawn"
    return f"By best play {result}: {worth}."


def _points(solution: "Solution") -> str:
    if (solution.game.low, solution.game.high) != (-1, 1):
        return f", between {exact_value(solution.game.low)} and {exact_value(solution.game.high)}"
    return f", between -1 and +1; that is {(1 + solution.value) / 2:.2%} of the points, a draw counting half"


def _when(solution: "Solution") -> str:
    distance = solution.distance
    return "" if distance is None else f" in {moves_counted(distance, alone=solution.game.solitaire)}"


def _choices(solution: "Solution") -> list[str]:
    who = solution.game.acting(solution.state)
    if who == OVER:
        return []
    names = [str(solution.game.name_move(solution.state, move)) for move in solution.moves]
    if len(solution.candidates) < len(solution.game.choices(solution.state)):  # a proof that found one move to keep the value
        player = solution.game.players[who] if names else ""
        return [sentence(f"{player} should play {names[0]}; other moves may be as good.") if names else "Chance acts here."]
    played = "" if solution.table is None else expected_play(solution, solution.state)
    line = [f"Expected play: {played}"] if played else []
    return [_advice(solution, who, names), *line, *_candidates(solution, who)]


def _advice(solution: "Solution", who: int, names: list[str]) -> str:
    if who == CHANCE:
        return "Chance acts here."
    if 1 < len(names) == len(solution.candidates):
        return f"All moves are equally good for {solution.game.players[who]}."
    listed = f"{', '.join(names[:-1])}{' or ' * (len(names) > 1)}{names[-1]}"
    return sentence(f"{solution.game.players[who]} should play {listed}.")


def _candidates(solution: "Solution", who: int) -> list[str]:
    found = list(solution.candidates)
    if who != CHANCE:
        found.sort(key=lambda candidate: _order(solution, who, candidate))
    names = [line_names(solution.game, solution.state, [candidate.move])[0] for candidate in found]
    width = max(map(len, names))
    rows = [f"  {name:{width}}  {_worth(solution, candidate)}" for name, candidate in zip(names, found, strict=True)]
    both = not solution.game.solitaire and any((candidate.distance or 0) > 1 for candidate in found)
    counted = "; both players' moves counted" if both else ""
    return [f"{'Outcomes' if who == CHANCE else 'Moves'} (to {solution.game.players[0]}{counted}):", *rows]


def _order(solution: "Solution", who: int, candidate: Candidate) -> tuple[bool, float, int]:
    """Sort the best first: a faster win, then a slower loss."""
    assert candidate.value is not None
    sign = 1 - 2 * who
    endless = 0.0 if solution.table is None else solution.table.scale.endless  # without a table there are no distances
    ahead = sign * (candidate.value - endless) > 0
    return not candidate.best, -sign * candidate.value, (1 if ahead else -1) * (candidate.distance or 0)


def _worth(solution: "Solution", candidate: Candidate) -> str:
    assert candidate.value is not None
    when = "" if candidate.distance is None else f" in {candidate.distance} move{'s' * (candidate.distance != 1)}"
    return f"{exact_value(candidate.value, solution.error)}{when}{', best' * candidate.best}"


def expected_line(solution: "Solution", state: Any, most: int) -> tuple[int, ...]:
    """Return best play from *state*: at most *most* choices, and only until a state repeats."""
    line: list[int] = []
    met = set()
    while (who := solution.game.acting(state)) != OVER and len(line) < most and (found := _hashed(state)) not in met:
        met.add(found)
        line.append(_likeliest(solution, state) if who == CHANCE else solution[state].moves[0])
        state = solution.game.state(solution.game.play(state, line[-1]))
    return tuple(line)


def expected_play(solution: "Solution", state: Any) -> str:
    """Return best play from *state* in the game's words, as far as no chance decides it; "" if chance decides at once."""
    line = expected_line(solution, state, LINE)
    words = line_text(solution.game, state, line)
    end = solution.game.after(state, line)
    return words if solution.game.turn(end) == OVER or "..." in words or not words else f"{words} ..."


def _hashed(state: Any) -> tuple[Any, ...]:
    return tuple(item.tobytes() if hasattr(item, "tobytes") else item for item in state)


def _likeliest(solution: "Solution", state: Any) -> int:
    return max(solution.game.outcomes(state), key=lambda chance: chance[1])[0]


def _counts(counts: tuple[int, ...]) -> list[str]:
    """Return how many states there are at each depth, in columns."""
    if len(counts) < 2:
        return []
    first, second = len(str(len(counts) - 1)), len(f"{max(counts):,}")
    cells = [f"{depth:{first}}  {number:{second},}" for depth, number in enumerate(counts)]
    columns = max(1, WIDTH // (first + second + 6))
    height = -(-len(cells) // columns)
    rows = ["    ".join(cells[row::height]) for row in range(height)]
    return ["States by depth, the number of moves and outcomes before them:", *(f"  {row}" for row in rows)]


def _certainty(solution: "Solution") -> list[str]:
    lines = []
    if solution.method == "cycles":
        lines.append("States can come back." if solution.proper else "States can come back, and the players can go on for ever.")
    if solution.error:
        lines.append(f"Values are right to within {error_bound(solution.error)}.")
    return lines


def _figures(solution: "Solution") -> str:
    what, count = ("node", solution.nodes) if solution.method == "proof" else ("state", solution.states)
    number = f"{count:,} {what}{'s' * (count != 1)}"
    if not solution.seconds:
        return f"{number}, read from a file."
    how = "Proven by a search" if solution.method == "proof" else "Solved by a table"
    speed = count / solution.seconds
    kept = "; the values of other states are not kept" if solution.method == "proof" else ""
    return f"{how}: {number} in {solution.seconds:.3f} s, {speed:,.0f} a second{kept}."
