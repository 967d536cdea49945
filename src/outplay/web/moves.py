"""The moves of agents: the work of the room Play."""

import random
import threading
import time
from collections import OrderedDict
from dataclasses import replace
from typing import Any

from outplay.agents.agent import Agent, Clock, choice_of
from outplay.agents.named import agent
from outplay.agents.search import SearchAgent
from outplay.agents.solved import SolvedAgent
from outplay.errors import OptionError, TooLarge
from outplay.rules.game import CHANCE, OVER, Game
from outplay.rules.text import choice_name
from outplay.search.searcher import with_estimate
from outplay.solve.progress import Progress
from outplay.solve.solution import Solution
from outplay.solve.solve import solve
from outplay.web import answers, limits, messages
from outplay.web.lessons import Lessons
from outplay.web.limits import Caps
from outplay.web.positions import Place, Positions
from outplay.web.preparation import Preparation
from outplay.web.work import Work

DEFAULT_SECONDS = 1.0
EASY = 3  # moves: a search of this depth at most is for beginners, and uses no estimate that it was not told to use


class Moves:
    """Lets agents choose for the jobs of one server; solved games are kept."""

    def __init__(self, positions: Positions, preparation: Preparation, lessons: Lessons, caps: Caps) -> None:
        self.positions, self.preparation, self.lessons, self.caps = positions, preparation, lessons, caps
        self._lock = threading.Lock()
        self._solutions: OrderedDict[tuple[str, str], tuple[Game, Solution]] = OrderedDict()

    def lane(self, asked: messages.Move) -> str:
        """Return what a job has to wait for: the place of a search, or of a solve where the game is not yet solved."""
        return "solve" if asked.agent == "solved" and (asked.game, asked.start) not in self._solutions else "search"

    def move(self, job: Work, asked: messages.Move) -> answers.Moved:
        """Let an agent choose."""
        place = self.positions.place(asked)
        if place.game.acting(place.state) in (CHANCE, OVER):
            raise OptionError("no player is to move here, so there is nothing to choose")
        chooser = self._agent(job, asked, place)
        if isinstance(chooser, SearchAgent):
            game = place.game if chooser.estimate is None else with_estimate(place.game, chooser.estimate)
            self.preparation.compile(job, game, place.state, chooser.opponent, chooser.method)
        clock = Clock(limits.MOVE_SECONDS)
        choice = choice_of(chooser.choose(place.game, place.state, clock, random.Random(), stopper=job.stopper))
        job.check()
        return answers.Moved(
            choice=choice.move,
            name=choice_name(place.game, place.state, choice.move),
            value=choice.value,
            depth=choice.depth,
            nodes=choice.nodes,
            simulations=choice.simulations,
            seconds=choice.seconds,
            proven=choice.proven,
            view=self.positions.view_after(place, choice.move),
        )

    def _agent(self, job: Work, asked: messages.Move, place: Place) -> Agent:
        """Return the agent that a page asks for, within what a page may take."""
        if asked.agent == "solved":
            return SolvedAgent(self._solution(job, asked.game, asked.start, place))
        if asked.agent.startswith("solved:"):
            raise OptionError(f"{asked.agent!r}: on the page the agent is 'solved'; a table in a file is for the command line")
        chooser = agent(asked.agent, place.game, seconds=DEFAULT_SECONDS, files=False)
        if isinstance(chooser, SearchAgent):
            if chooser.threads != 1:
                raise OptionError(f"{asked.agent!r}: on the page a search takes one thread; leave threads out")
            return replace(chooser, table_mb=self.caps.table_mb, estimate=self._estimate(asked, place.game, chooser))
        return chooser

    def _estimate(self, asked: messages.Move, game: Game, chooser: SearchAgent) -> Any:
        """Return the estimate of a search: the one that the agent names, or a learned one.

        Unless a page asks, easy levels stay easy, and simulations go by the game's own estimate (see `cli/estimates.py`).
        """
        if chooser.estimate is not None:
            return chooser.estimate
        easy = chooser.depth is not None and chooser.depth <= EASY
        if not asked.learned and (easy or chooser.method == "mcts"):
            return None
        return self.lessons.estimate(asked.learned, game)

    def _solution(self, job: Work, name: str, start: str, place: Place) -> Solution:
        key = (name, start)
        with self._lock:
            if key in self._solutions and self._solutions[key][0] is place.game:  # not the one of a file that has changed since
                self._solutions.move_to_end(key)
                return self._solutions[key][1]
        self.positions.registry.admit(place.game, "solved")
        began = time.monotonic()

        def progress(at: Progress) -> None:
            job.check()
            job.post(answers.Solving(phase=at.phase, states=at.states, seconds=time.monotonic() - began))

        try:
            found = solve(
                place.game, place.way[0].state, method="cycles", memory_mb=self.caps.solve_mb, threads=1, progress=progress
            )
        except TooLarge:
            raise TooLarge(
                f"{place.game.name!r} has more states than fit the {self.caps.solve_mb:g} MB that the page may take, so 'solved' "
                "cannot play it here; let a search play"
            ) from None
        with self._lock:
            self._solutions[key] = place.game, found
            while len(self._solutions) > self.caps.solutions:
                self._solutions.popitem(last=False)
        return found
