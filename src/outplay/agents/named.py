"""Agents and policies by name, as they are typed.

`search:depth=5`, `search:depth=4,learned=FILE`, `mcts:seconds=1`, `random`, `solved:FILE`, `agents/mine.py:choose`.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from outplay.agents.agent import Agent
from outplay.agents.function import function_agent, names_an_agent_file
from outplay.agents.policy import PolicyAgent, RandomAgent
from outplay.agents.search import SearchAgent
from outplay.agents.solved import solved_agent
from outplay.errors import OptionError
from outplay.games.catalogue import function_in, names_a_function
from outplay.learn.learned import Learned
from outplay.rules.game import Game
from outplay.rules.opponents import Policy, opponent_of
from outplay.solve.progress import Progress

SEARCH = {
    "seconds": float,
    "depth": int,
    "nodes": int,
    "threads": int,
    "opponent": str,
    "estimate": str,
    "learned": str,
    "seed": int,
}
OPTIONS = {"search": {**SEARCH, "samples": int}, "mcts": {**SEARCH, "simulations": int, "leaves": str, "exploration": float}}


def agent(
    text: str,
    game: Game,
    *,
    seconds: float | None = None,
    files: bool = True,
    programs: bool = False,
    progress: Callable[[Progress], None] | None = None,
) -> Agent:
    """Return the agent that *text* names.

    That is `random`, a policy of the game, `search:depth=5,opponent=random`, `mcts:simulations=10000`, `solved`, `solved:FILE` or a
    function in a Python file, `FILE.py:function`, or `FILE.py` if it is called `choose`. A search that names no limit takes *seconds*. `solved` solves the game first, and calls
    *progress* meanwhile. Without *files* no file is opened: the text may come from a stranger. *programs*: whoever asks also takes programs.
    """
    name, _, rest = text.partition(":")
    if name == "random" and not rest:
        return RandomAgent()
    if name in game.policies and not rest:
        return PolicyAgent(game.policies[name], name)
    if name == "solved" and (files or not rest):
        return solved_agent(text, game, progress)
    if name in OPTIONS:
        return _search_agent(text, rest, game, seconds, files)
    if files and names_an_agent_file(text):
        return function_agent(text)
    if files and Path(text).is_file():
        raise OptionError(f"{text!r} is a file, but no Python file; {_program(text)}")
    if files and Path(text).is_dir():
        raise OptionError(f"{text!r} is a folder; name the Python files in it, such as {Path(text) / '*.py'}")
    if files and name == "program" and not programs:
        raise OptionError(f"{text!r} is a program; programs play in a tournament: outplay tournament {game.name} {text!r} random")
    others = [*["FILE.py", "FILE.py:function"] * files, *["program:COMMAND"] * programs]
    known = ", ".join(["search", "mcts", "random", "solved", *game.policies, *others])
    raise OptionError(f"there is no agent {text!r} for {game.name}; there are {known}; a search is written search:seconds=1")


def _program(file: str) -> str:
    """Return how *file*, a program, takes part in a tournament."""
    interpreter = {".js": "node", ".mjs": "node", ".rb": "ruby", ".pl": "perl", ".lua": "lua", ".sh": "sh", ".jar": "java -jar"}
    found = interpreter.get(Path(file).suffix)
    how = f"program:{found} {file}" if found else f"program:COMMAND {file}"
    return f"in a tournament, a program is written with the command that runs it, as {how!r} (see docs/agent-protocol.md)"


def policy(text: str, game: Game, *, files: bool = True, role: str = "opponent") -> Policy:
    """Return the opponent that *text* names, as `search` takes it; a function in a Python file is `FILE.py:function`. *role*: see `opponent_of`."""
    if files and text not in game.policies and names_a_function(text):
        return function_in(text)
    try:
        return opponent_of(game, text, role=role)
    except OptionError as error:
        raise OptionError(f"{error}{', and FILE.py:function' * files}") from None


def _search_agent(text: str, rest: str, game: Game, seconds: float | None, files: bool) -> SearchAgent:
    options: dict[str, Any] = {}
    name = text.partition(":")[0]
    kinds: dict[str, Any] = OPTIONS[name]
    for part in filter(None, rest.split(",")):
        key, _, value = (piece.strip() for piece in part.partition("="))
        if key not in kinds:
            written = "search:depth=5,opponent=random" if name == "search" else "mcts:simulations=10000,leaves=playout"
            raise OptionError(
                f"{part!r} is not an option of a {'search' if name == 'search' else 'Monte Carlo search'}; "
                f"the options are {', '.join(kinds)}, written {written}"
            )
        try:
            options[key] = kinds[key](value)
        except ValueError:
            raise OptionError(f"{part!r}: {value!r} is not a {'number' if kinds[key] is float else 'whole number'}") from None
    if name == "search" and "seed" in options and "samples" not in options:
        raise OptionError(
            f"{text!r}: only a search with samples, and a Monte Carlo search, have a seed; write mcts, or leave it out"
        )
    if "opponent" in options:
        options["opponent"] = policy(options["opponent"], game, files=files)
    if "estimate" in options:
        if not files or not names_a_function(options["estimate"]):
            raise OptionError(f"{text!r}: an estimate is a function in a Python file, written search:estimate=FILE.py:function")
        options["estimate"] = function_in(options["estimate"])
    if "learned" in options:
        options["estimate"] = _learned(text, options, game, files)
    if not ({"seconds", "nodes"} | ({"depth"} if name == "search" else {"simulations"})) & set(options):
        options["seconds"] = seconds
    return SearchAgent(**options, name=text, method="alpha-beta" if name == "search" else "mcts")


def _learned(text: str, options: dict[str, Any], game: Game, files: bool) -> Learned:
    """Return the learned estimate that the *options* of a search name, and take its name from them."""
    file = options.pop("learned")
    if "estimate" in options:
        raise OptionError(f"{text!r}: a search has one estimate; leave out estimate or learned")
    if file == "shipped":
        return Learned.shipped(game)
    if not files or not file:
        raise OptionError(
            f"{text!r}: a learned estimate is a file that outplay learn has written, as in search:depth=4,learned=FILE, or "
            "learned=shipped for the one that ships with Outplay"
        )
    return Learned.load(file, game)
