"""What every move of a position is worth, and every position of a game: the work of the room Analyse."""

import time
from typing import Any

from outplay.rules.game import CHANCE, OVER
from outplay.rules.text import choice_name
from outplay.search.analysis import Analysis
from outplay.search.prove_first import TwoAnalyses, proof_pays, prove_first
from outplay.search.result import Candidate
from outplay.search.search import analyse, search
from outplay.search.searcher import Searcher
from outplay.search.words import undecided
from outplay.web import answers, limits, messages
from outplay.web.lessons import Lessons
from outplay.web.limits import Caps
from outplay.web.positions import Positions
from outplay.web.preparation import Preparation
from outplay.web.work import Work

OFTEN = 0.04  # seconds from one analysis that is sent to the next


class Analyses:
    """Searches positions for the jobs of one server."""

    def __init__(self, positions: Positions, preparation: Preparation, lessons: Lessons, caps: Caps) -> None:
        self.positions, self.preparation, self.lessons, self.caps = positions, preparation, lessons, caps

    def analyse(self, job: Work, asked: messages.Analyse) -> answers.Analysis:
        """Search every move of a position, deeper and deeper, and say so."""
        place = self.positions.place(asked)
        game = self.lessons.game(asked.learned, place.game)
        self.preparation.compile(job, game, place.state)
        if proof_pays(place.game, game.estimate):
            self.preparation.compile(job, place.game, place.state)
        sent = [0.0]
        kept: list[Analysis] = []

        def progress(found: Analysis) -> None:
            kept[:] = [found]
            flush(OFTEN)

        def flush(after: float) -> None:
            if kept and time.monotonic() - sent[0] >= after:
                sent[0] = time.monotonic()
                job.post(_answer(kept.pop(), None))

        def tick(nodes: int, seconds: float) -> None:
            flush(0)
            job.post(answers.Tick(nodes=nodes, seconds=seconds, rate=nodes / max(seconds, 1e-6)))

        job.begin_search()
        job.check()
        reports: dict[str, Any] = {"seconds": asked.seconds, "progress": progress, "tick": tick, "stopper": job.stopper}
        if proof_pays(place.game, game.estimate):
            plain, estimated = (Searcher(one, table_mb=self.caps.table_mb / 2) for one in (place.game, game))
            found = TwoAnalyses(plain, estimated, place.state).run(**reports)
        else:
            found = analyse(game, place.state, table_mb=self.caps.table_mb, **reports)
        return _answer(found, "busy" if job.hurried else found.stopped_by)

    def graph(self, job: Work, asked: messages.Graph) -> answers.Done:
        """Search every position of a game for a moment."""
        way = self.positions.place(asked).way
        each = min(asked.seconds, limits.GRAPH_SECONDS / len(way))
        for ply, place in enumerate(way):
            job.check()
            if job.hurried:
                return answers.Done(stopped_by="busy")
            if place.game.acting(place.state) == OVER:
                job.post(answers.Point(ply=ply, value=place.paid + float(place.game.score(place.state)), depth=0, proven=True))
                continue
            game = self.lessons.game(asked.learned, place.game)
            pays = proof_pays(place.game, game.estimate)
            if ply == 0:
                for one in (game, place.game) if pays else (game,):
                    self.preparation.compile(job, one, place.state)
            if pays:
                plain, estimated = (Searcher(one, table_mb=self.caps.table_mb / 2) for one in (place.game, game))
                found = prove_first(plain, estimated, place.state, seconds=each, stopper=job.stopper)
            else:
                found = search(game, place.state, seconds=each, table_mb=self.caps.table_mb, stopper=job.stopper)
            job.check()
            job.post(answers.Point(ply=ply, value=place.paid + found.value, depth=found.depth, proven=found.proven))
        return answers.Done()


def _answer(found: Analysis, stopped_by: str | None) -> answers.Analysis:
    return answers.Analysis(
        depth=found.depth,
        value=found.value,
        undecided=found.value is not None and undecided(found.game, found.value, proven=found.proven),
        nodes=found.nodes,
        seconds=found.seconds,
        rate=found.nodes / max(found.seconds, 1e-6),
        proven=found.proven,
        stopped_by=stopped_by or None,
        best=found.move,
        moves=[_valued(found, move) for move in found.candidates],
    )


def _valued(found: Analysis, move: Candidate) -> answers.Valued:
    game, line, chance = found.game, [], False
    state = game.play(found.state, move.move)
    for choice in move.line:
        chance = game.turn(state) == CHANCE
        if chance:  # one outcome stands for all
            break
        line.append(choice_name(game, state, choice))
        state = game.play(state, choice)
    return answers.Valued(
        choice=move.move,
        name=move.name,
        value=move.value,
        depth=move.depth,
        proven=move.proven,
        undecided=move.value is not None and undecided(game, move.value, proven=move.proven),
        length=move.distance,
        line=line,
        then_chance=chance,
        probability=move.probability,
    )
