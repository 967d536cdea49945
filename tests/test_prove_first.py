"""Timed searches with a learned estimate of a game that has none: what is proven without it counts."""

from itertools import repeat

import pytest

from outplay import Interrupted, Searcher, Stopper, load
from outplay.learn.session import learn_games
from outplay.search.prove_first import TwoAnalyses, prove_first

game = load("nim")


@pytest.fixture(scope="module")
def learned():
    return learn_games(game, games=50, seed=1, compiled=False)


@pytest.fixture
def both(learned):
    return Searcher(game, compiled=False), Searcher(game, estimate=learned, compiled=False)


def test_a_proof_comes_from_the_search_without_the_estimate(both):
    plain, estimated = both
    search = plain.search
    plain.search = lambda state, **options: search(state, depth=40)  # however long it takes
    estimated.search = None  # it is not asked
    found = prove_first(plain, estimated, game.start, seconds=600)
    assert (found.proven, found.value, found.game.estimate) == (True, 1, None)


def test_without_a_proof_the_estimate_tells(both, learned, monkeypatch):
    plain, estimated = both
    search = plain.search
    monkeypatch.setattr(plain, "search", lambda state, **options: search(state, depth=1))
    monkeypatch.setattr(estimated, "search", lambda state, progress=None, **options: Searcher.search(estimated, state, depth=1))
    found = prove_first(plain, estimated, game.start, seconds=1)
    assert found.game.estimate is learned
    assert not found.proven


def test_turns_grow_fill_the_time_and_report_deeper_results_only(both, monkeypatch):
    plain, estimated = both
    turns, told = [], []

    def limited(searcher, depths):
        search = searcher.search

        def run(state, *, seconds, **options):
            turns.append((searcher is estimated, seconds))
            return search(state, depth=next(depths), **options)

        return run

    plain.search, estimated.search = limited(plain, repeat(1)), limited(estimated, iter((1, 2, 1)))
    found = prove_first(plain, estimated, game.start, seconds=8, progress=lambda made: told.append(made.depth))
    assert turns == [(False, 0.4), (True, 0.6), (False, 0.8), (True, 1.2), (False, 2.0), (True, 3.0)]
    assert (found.depth, found.seconds, told) == (2, 8.0, [1, 2])


def test_an_interrupted_proof_leaves_what_the_estimate_has_said(both):
    plain, estimated = both
    answers = [lambda: Searcher.search(plain, game.start, depth=1), Interrupted]

    def search(state, **options):
        answer = answers.pop(0)
        if answer is Interrupted:
            raise Interrupted
        return answer()

    plain.search = search
    estimated.search = lambda state, **options: Searcher.search(estimated, state, depth=2)
    with pytest.raises(Interrupted) as raised:
        prove_first(plain, estimated, game.start, seconds=600)
    assert (raised.value.result.depth, raised.value.result.stopped_by) == (2, "stop")


def test_an_analysis_has_the_proofs_of_both_and_grows_deeper_only(both, learned):
    plain, estimated = both
    analyse = {searcher: searcher.analyse for searcher in both}
    turns = []

    def limited(searcher, depth):
        def run(state, *, seconds, **options):
            turns.append((searcher is estimated, seconds))
            return analyse[searcher](state, depth=depth, **options)

        return run

    plain.analyse, estimated.analyse = limited(plain, 20), limited(estimated, 2)
    told, ticks = [], []
    running = TwoAnalyses(plain, estimated, game.start)
    found = running.run(seconds=600, progress=told.append, tick=lambda *at: ticks.append(at), stopper=Stopper())
    assert [first for first, _ in turns] == [True, False]
    assert turns[0][1] == 1.0
    assert (found.proven, found.stopped_by, found.value) == (True, "proof", 1)
    alone = Searcher(game, compiled=False).analyse(game.start, depth=20)
    assert [(one.move, one.value) for one in found.candidates] == [(one.move, one.value) for one in alone.candidates]
    assert [one.move for one in found.candidates if one.best] == [found.move]
    depths = [one.depth for one in told]
    assert depths == sorted(depths)
    assert [one.nodes for one in told] == sorted(one.nodes for one in told)
    assert not told[0].proven
    assert told[-1].game.estimate is learned


def test_an_analysis_ends_by_its_time_and_by_a_stopper(both):
    plain, estimated = both
    for searcher in both:
        searcher.analyse = lambda state, searcher=searcher, seconds=0, **options: Searcher.analyse(
            searcher, state, depth=1, **options
        )
    late = TwoAnalyses(plain, estimated, game.start).run(
        seconds=0.004, progress=lambda found: None, tick=lambda *at: None, stopper=Stopper()
    )
    assert late.stopped_by == "time"
    stopper = Stopper()
    stopped = TwoAnalyses(plain, estimated, game.start).run(
        seconds=600, progress=lambda found: stopper.stop(), tick=lambda *at: None, stopper=stopper
    )
    assert stopped.stopped_by == "stop"
