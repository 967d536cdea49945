"""Yields become stores where the source allows it, and nothing changes either way."""

import pytest
from toy_games import Pile, pile

from outplay import OVER, check, search
from outplay.compile.engine import Engine
from outplay.compile.rewrite import stores


def early_return(state):
    if state.stones == 1:
        yield 1
        return
    for take in (1, 2):
        if take > state.stones:
            return
        yield take


def yields_a_variable(state):
    pair = (1, 0.5)
    yield pair
    yield 2, 0.5


def plain_tuple(state):
    return (1,)


def uses_what_yield_returns(state):
    got = yield 1
    if got:
        yield 2


def nested(state):
    def more(stones):
        return stones > 1

    yield 1
    if more(state.stones):
        yield 2


@pytest.mark.parametrize("moves", [early_return, plain_tuple, nested], ids=lambda rule: rule.__name__)
def test_moves_of_every_shape_are_the_same_compiled(moves):
    report = check(pile(moves=moves, start=Pile(7, 0)), games=20)  # it compares all that the rules say in these games
    assert report.ok, str(report)


def test_rewritten_moves_are_searched_alike():
    game = pile(moves=early_return, start=Pile(7, 0))
    compiled, interpreted = search(game, depth=8), search(game, depth=8, compiled=False)
    assert (compiled.value, compiled.nodes) == (interpreted.value, interpreted.nodes)


def test_a_pair_in_a_variable_is_stored_too():
    def turn(state):
        return OVER if state.stones <= 0 else -1

    assert stores(yields_a_variable, unpack="state", pairs=True) is not None
    report = check(pile(turn=turn, chances=yields_a_variable, start=Pile(4, 0)), games=20)
    assert report.ok, str(report)


LEAST = 5


def with_a_default(state, LEAST=1):  # noqa: N803
    yield LEAST
    if state.stones > 1:
        yield 2


def test_a_default_argument_is_not_taken_for_a_global_of_its_name():
    report = check(pile(moves=with_a_default), games=20)
    assert report.ok, str(report)


def test_rules_without_source_are_searched_as_generators():
    scope = {}
    exec("def moves(state):\n    yield 1\n    if state.stones > 1:\n        yield 2\n", scope)
    assert stores(scope["moves"], unpack="state", pairs=False) is None
    assert check(pile(moves=scope["moves"]), games=20).ok


def made_until(game, state, ints, limit, enough, wanted):
    return game.fill_until(state, ints, 0, limit, enough, wanted)


def five(state, step=1):
    for move in range(1, 6, step):
        yield move


def five_in_steps(state):
    yield 1
    for move in (2, 3):
        yield move
    yield 4
    yield 5


@pytest.mark.parametrize("moves", [five, five_in_steps], ids=lambda rule: rule.__name__)
def test_moves_are_made_until_there_are_enough_and_the_wanted_one_is_among_them(moves):
    def chances(state):
        yield 1, 1.0

    assert (stores(moves, unpack="state", until=True) is None) == (moves is five)
    game = pile(moves=moves, chances=chances)
    for compiled in (False, True):
        engine = Engine(game, made_until, compiled=compiled)
        for limit, enough, wanted, made in [
            (10, 10, 3, 5),
            (10, 1, 3, 3),
            (10, 3, 1, 4),
            (10, 1, 9, 5),
            (1, 1, 9, 2),
            (4, 4, 9, 5),
        ]:
            memory = engine.memory(16)
            assert engine.run(game.start, memory, limit, enough, wanted) == made, (compiled, limit, enough, wanted)
            assert engine.words(memory, 0, made) == list(range(1, made + 1))


def test_a_yield_whose_value_is_used_is_not_rewritten():
    assert stores(uses_what_yield_returns, unpack="state", pairs=False) is None


def test_a_file_that_has_changed_since_is_not_trusted(tmp_path, monkeypatch):
    import importlib
    import linecache

    file = tmp_path / "shifting.py"
    file.write_text("def moves(state):\n    yield 1\n")
    monkeypatch.syspath_prepend(tmp_path)
    module = importlib.import_module("shifting")
    assert stores(module.moves, unpack="state", pairs=False) is not None
    file.write_text("def moves(state):\n    yield 2\n")
    linecache.clearcache()
    assert stores(module.moves, unpack="state", pairs=False) is None
