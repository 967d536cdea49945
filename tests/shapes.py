"""What a learner finds out about a game before it learns: to find it takes a second, so a module of tests may do so once.

A module that imports `shape_found_once` shares it; `forget` has it found anew.
"""

import pytest

from outplay.compile.fingerprint import rules_fingerprint
from outplay.learn import session

_found = {}


def forget():
    _found.clear()


@pytest.fixture(scope="module", autouse=True)
def shape_found_once():
    find_shape = session.find_shape

    def once(engine, seed, *, base):
        game = engine.game
        key = rules_fingerprint(game).digest, game.name, repr(game.start), game.symmetries, engine.compiled, seed, base
        if key not in _found:
            _found[key] = find_shape(engine, seed, base=base)
        return _found[key]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(session, "find_shape", once)
        yield
