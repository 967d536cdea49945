"""Who answers which request: one table for the server and for each process that runs the rules of a user's file."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from outplay.learn.learned import Learned
from outplay.web import answers, messages
from outplay.web.analyses import Analyses
from outplay.web.answers import Event
from outplay.web.game_registry import GameRegistry
from outplay.web.lessons import Lessons
from outplay.web.limits import Caps
from outplay.web.moves import Moves
from outplay.web.positions import Positions
from outplay.web.preparation import Preparation
from outplay.web.tournaments import Tournaments
from outplay.web.traces import Traces
from outplay.web.work import Work


class Lengthy(NamedTuple):
    """Who answers a request that takes a while, and what its job has to wait for: a place in a lane."""

    answer: Callable[[Work, Any], Event]
    lane: Callable[[Any], str] = lambda asked: "search"


class Handlers:
    """Every request but `stop` has a line here: a new one needs a class in messages.py and one in answers.py, too."""

    def __init__(
        self, registry: GameRegistry, caps: Caps, *, tournaments: Tournaments | None = None, given: Sequence[Learned] = ()
    ) -> None:
        tournaments = tournaments or Tournaments()
        positions, preparation = Positions(registry, caps), Preparation(registry, caps)
        lessons = Lessons(registry, preparation, caps, given)
        moves = Moves(positions, preparation, lessons, caps)
        analyses = Analyses(positions, preparation, lessons, caps)
        traces = Traces(positions, preparation, caps)
        self.quick: dict[type, Callable[[Any], Event]] = {
            messages.Games: lambda asked: answers.Games(games=registry.entries()),
            messages.View: positions.view,
            messages.Views: positions.views,
            messages.Deal: positions.deal,
            messages.Read: positions.typed,
            messages.Roll: positions.roll,
            messages.Standings: tournaments.standings,
            messages.Pairing: tournaments.pairing,
            messages.Record: tournaments.record,
            messages.Lesson: lessons.lesson,
        }
        self.lengthy: dict[type, Lengthy] = {
            messages.Prepare: Lengthy(preparation.prepare),
            messages.Move: Lengthy(moves.move, moves.lane),
            messages.Analyse: Lengthy(analyses.analyse),
            messages.Graph: Lengthy(analyses.graph),
            messages.Learn: Lengthy(lessons.learn, lambda asked: "learn"),
            messages.Trace: Lengthy(traces.trace, lambda asked: "trace"),
            messages.Ladder: Lengthy(traces.ladder, traces.lane),
            messages.Simulate: Lengthy(traces.simulate, lambda asked: "trace"),
            messages.Tree: Lengthy(traces.tree, lambda asked: "trace"),
        }
