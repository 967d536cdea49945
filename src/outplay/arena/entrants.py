"""The agents of a tournament: they get distinct names, and each is started once to see whether it can start."""

from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from outplay.agents.agent import Agent
from outplay.agents.function import FUNCTION, names_an_agent_file
from outplay.arena.isolation.process_player import names_a_program
from outplay.arena.player import Fault, Player
from outplay.arena.time_control import TimeControl
from outplay.errors import AgentError, GameError, OptionError, OutplayError
from outplay.games.catalogue import parted
from outplay.rules.game import Game

TOGETHER = 4  # agents that are tried at the same time
Opens = Callable[["str | Agent"], Player]


@dataclass(frozen=True)
class Entrant:
    """An agent that takes part. `identity` is its name in the store; `refused` says why it cannot start, and is empty if it can."""

    name: str
    agent: "str | Agent"
    identity: str = ""
    refused: str = ""

    @property
    def text(self) -> str:
        """The agent as it is typed."""
        return self.agent if isinstance(self.agent, str) else self.agent.name


def entrants(agents: Sequence["str | Agent"], names: Sequence[str | None] = ()) -> list[Entrant]:
    """Return the agents with distinct names: from *names*, from the names of files without folders, or as typed.

    Raise an OptionError if a file is missing.
    """
    missing = [file for text in agents if isinstance(text, str) and (file := agent_file(text)) and not Path(file).is_file()]
    if missing:
        folders = [file for file in missing if Path(file).is_dir()]
        what = f"{folders[0]!r} is a folder" if folders else f"there is no agent file {', '.join(map(repr, missing))}"
        first = next(text for text in agents if isinstance(text, str) and agent_file(text) == (folders or missing)[0])
        raise AgentError(f"{what}; name Python files with a function {FUNCTION}, such as agents/*.py", first)
    given = [*names, *[None] * (len(agents) - len(names))]
    if twice := [name for name, number in Counter(filter(None, given)).items() if number > 1]:
        raise OptionError(f"two agents are called {twice[0]!r}; give each a name of its own")
    return [Entrant(name, agent) for name, agent in zip(_distinct(agents, given), agents, strict=True)]


def agent_file(text: str) -> str:
    """Return the Python file that *text* names; "" if it names none."""
    return parted(text)[0] if names_an_agent_file(text) else ""


def is_foreign(agent: "str | Agent") -> bool:
    """Return whether *agent* is a Python file or a program: code that is not part of Outplay, nor an object of this process."""
    return isinstance(agent, str) and (bool(agent_file(agent)) or names_a_program(agent))


def _distinct(agents: Sequence["str | Agent"], given: Sequence[str | None]) -> list[str]:
    """Return a name for each agent. Files of the same name get as many folders in front as they need to differ."""
    depth = [1] * len(agents)
    deepest = max((len(Path(str(agent)).parts) for agent in agents), default=1)
    for _ in range(deepest):
        names = [name or _name(agent, depth[place]) for place, (agent, name) in enumerate(zip(agents, given, strict=True))]
        counts = Counter(names)
        for place, name in enumerate(names):
            depth[place] += counts[name] > 1
    seen: Counter[str] = Counter()
    found = []
    for name in map(shown, names):
        seen[name] += 1
        found.append(name if seen[name] == 1 else f"{name} #{seen[name]}")
    return found


def shown(name: str) -> str:
    """Return *name* with characters that a terminal would obey, such as an escape or the end of a line, written out."""
    return "".join(
        one if one.isprintable() else one.encode("ascii", "backslashreplace").decode() if ord(one) > 127 else f"\\x{ord(one):02x}"
        for one in name
    )


def _name(agent: "str | Agent", depth: int) -> str:
    if not isinstance(agent, str):
        return agent.name
    if not (file := agent_file(agent)):
        return agent
    function = parted(agent)[1]
    stem = "/".join(Path(file).with_suffix("").parts[-depth:])
    return f"{stem}:{function}" if function and function != FUNCTION else stem


def tried(found: Sequence[Entrant], game: Game, control: TimeControl, opens: Opens, *, apart: bool = False) -> list[Entrant]:
    """Start each entrant once; return them with their identities, and with the reason if one cannot start.

    An agent that is not a file and cannot be opened was mistyped, and raises an error. Files that run *apart*, in processes of their
    own, are tried several at a time, because each may need all of its time to start.
    """
    alone = [one for one in found if not (apart and is_foreign(one.agent))]
    known = {one.name: _tried(one, game, control, opens) for one in alone}
    others = [one for one in found if one.name not in known]
    with ThreadPoolExecutor(TOGETHER) as pool:
        known |= zip((one.name for one in others), pool.map(lambda one: _tried(one, game, control, opens), others), strict=True)
    seen: Counter[str] = Counter()
    distinct = []
    for one in (known[entrant.name] for entrant in found):
        seen[one.identity] += 1
        again = f"#{seen[one.identity]}" if seen[one.identity] > 1 else ""  # the same agent twice counts as two players
        distinct.append(Entrant(one.name, one.agent, one.identity + again, one.refused))
    return distinct


def _tried(one: Entrant, game: Game, control: TimeControl, opens: Opens) -> Entrant:
    try:
        player = opens(one.agent)
    except OutplayError as error:
        if isinstance(one.agent, str) and agent_file(one.agent):
            return Entrant(one.name, one.agent, f"refused {one.text}", str(error))
        if isinstance(error, OptionError):
            said = str(error)
            raise AgentError(said if one.text in said else f"the agent {one.text!r}: {said}", one.text) from None
        raise
    with player:
        try:
            player.begin(game, control, seat=0, seed="try")
            player.end()
        except GameError:
            raise
        except Fault as fault:
            return Entrant(one.name, one.agent, player.identity, fault.detail.removeprefix(f"{player.name} cannot start: "))
        return Entrant(one.name, one.agent, player.identity)
