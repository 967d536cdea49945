"""Learned estimates that ship with Outplay: they fit the rules, are small, and are used where people ask, and only there."""

import json
import re

import numpy as np
import pytest
from shapes import shape_found_once  # noqa: F401
from test_learned_file import rewritten
from toy_games import Pile, pile, pile_moves
from typer.testing import CliRunner

from outplay import OVER, Learned, load, search
from outplay.agents.named import agent
from outplay.cli import estimates, main
from outplay.errors import LearnedError, OptionError
from outplay.games import catalogue
from outplay.learn import shipped
from outplay.learn.identity import behaviour_digests
from outplay.learn.session import learn_games
from outplay.search.prove_first import proof_pays

MOST_BYTES = 1_000_000


@pytest.fixture(scope="module")
def board():
    return learn_games(load("tic-tac-toe"), games=100, seed=1, compiled=False)


@pytest.fixture(scope="module")
def heaps():
    return learn_games(load("nim"), games=300, seed=1, compiled=False)


@pytest.fixture
def folder(heaps, tmp_path, monkeypatch):
    """A folder in which only Nim has an estimate, as if that shipped."""
    monkeypatch.setattr(shipped, "FOLDER", tmp_path)
    shipped.loaded.cache_clear()
    heaps.save(tmp_path / "nim.learned", resumable=False, most_mb=0.05)
    yield tmp_path
    shipped.loaded.cache_clear()


def test_connect_four_has_one():
    assert "connect-four" in shipped.names()


@pytest.mark.parametrize("name", shipped.names())
def test_what_ships_is_of_the_rules_that_ship_and_small(name):
    path = shipped.FOLDER / f"{name}{shipped.ENDING}"
    found = Learned.load(path, load(name))  # a LearnedError: the rules have changed, so run python -m bench.ship
    assert path.stat().st_size <= MOST_BYTES
    assert not found.network.resumable
    assert not found.notes
    assert found.learned_weights > 1_000
    assert Learned.shipped(load(name)).games == found.games > 10_000


def test_it_is_found_by_the_name_of_the_game_with_its_usual_parameters(folder):
    game = load("nim")
    assert shipped.names() == ["nim"]
    assert shipped.shipped(game) is shipped.shipped(load("nim"))
    assert catalogue.without_usual("connect-four:rows=6,columns=7") == "connect-four"
    assert catalogue.without_usual("connect-four:columns=6") == "connect-four:columns=6"
    assert shipped.shipped(load("chomp")) is None
    assert shipped.shipped(game.replace(estimate=None)) is None  # a changed game is the user's own
    with pytest.raises(LearnedError, match=r"no estimate of 'chomp' ships with Outplay; those of nim do, .* learn\(game"):
        Learned.shipped(load("chomp"))


def test_a_file_of_other_rules_is_not_used(folder):
    learn_games(pile(), games=2, compiled=False).save(folder / "chomp.learned")
    assert shipped.shipped(load("chomp")) is None


def test_a_search_in_python_uses_none_unless_it_is_asked_to(folder):
    game = load("nim")
    bare = search(game, depth=2, compiled=False)
    assert (bare.value, bare.game.estimate) == (0, None)
    told = search(game, depth=2, estimate=Learned.shipped(game), compiled=False)
    assert told.value != 0
    assert "That is a learned estimate: the search ended because depth 2 was reached." in told.explain()


def test_an_agent_names_it(folder):
    one = agent("search:depth=2,learned=shipped", load("nim"), files=False)  # it is no file of a stranger's
    assert one.estimate is Learned.shipped(load("nim"))
    assert agent("search:depth=2", load("nim")).estimate is None
    with pytest.raises(LearnedError, match="no estimate of 'chomp' ships"):
        agent("search:depth=2,learned=shipped", load("chomp"))


def test_best_uses_it_and_says_so(folder):
    def said(*options):
        done = CliRunner().invoke(main.app, ["best", "nim", "--depth", "2", *options])
        assert done.exit_code == 0, done.output
        return " ".join(done.stdout.split())

    note = "Values that are not proven come from an estimate that ships with Outplay, learned from 300 games of self-play; --learned none searches without an estimate."
    assert note in said()
    bare = said("--learned", "none")
    assert "ships with Outplay" not in bare
    assert "undecided" in bare
    assert note not in said("--learned", "shipped")  # who asks for it knows
    assert estimates.chosen_estimate("", load("nim"), method="mcts") is None
    assert estimates.chosen_estimate("shipped", load("nim"), method="mcts") is Learned.shipped(load("nim"))
    assert json.loads(CliRunner().invoke(main.app, ["best", "nim", "--depth", "2", "--json"]).stdout)["value"] != 0


def test_a_timed_best_looks_for_a_proof_without_the_estimate_first(folder):
    game = load("nim")
    assert proof_pays(game, Learned.shipped(game))
    assert not proof_pays(game, None)
    assert not proof_pays(pile(estimate=lambda state: 0.0), Learned.shipped(game))
    found = json.loads(CliRunner().invoke(main.app, ["best", "nim", "--seconds", "60", "--json"]).stdout)
    assert (found["proven"], found["value"]) == (True, 1)


def test_terminal_play_uses_it_and_says_so(folder):
    played = CliRunner().invoke(main.app, ["play", "nim", "--depth", "1"], input="quit\n")
    assert "come from an estimate that ships with Outplay" in " ".join(played.stdout.split())
    bare = CliRunner().invoke(main.app, ["play", "nim", "--depth", "1", "--learned", "none"], input="quit\n")
    assert "ships with Outplay" not in bare.stdout
    assert "Goodbye." in bare.stdout


def test_judge_takes_it_if_no_file_is_named(folder):
    judged = CliRunner().invoke(main.app, ["judge", "nim", "--positions", "5"])
    assert judged.exit_code == 0, judged.output
    assert "nim: depth 1 with an estimate learned from 300 games." in " ".join(judged.stdout.split())
    none = CliRunner().invoke(main.app, ["judge", "chomp"])
    assert "no estimate of 'chomp' ships with Outplay" in str(none.exception)


def test_rounded_weights_say_nearly_the_same_in_less_room(board, tmp_path):
    exact, small = tmp_path / "exact.learned", tmp_path / "small.learned"
    board.save(exact, resumable=False)
    board.save(small, resumable=False, most_mb=0.8 * exact.stat().st_size / 1e6)
    assert small.stat().st_size <= 0.8 * exact.stat().st_size
    game = load("tic-tac-toe")
    one, other = Learned.load(exact, game), Learned.load(small, game)
    states = [game.play(game.start, move) for move in game.legal(game.start)]
    assert [other.estimate(state) for state in states] == pytest.approx([one.estimate(state) for state in states], abs=0.03)
    assert not np.array_equal(one.network.weights, other.network.weights)
    with pytest.raises(LearnedError, match=r"1,000 bytes are too few for this estimate; allow more"):
        board.save(small, resumable=False, most_mb=0.001)
    for wrong in (0, -1, float("nan")):
        with pytest.raises(OptionError, match="must be a number above 0, together with resumable=False"):
            board.save(small, resumable=False, most_mb=wrong)
    with pytest.raises(OptionError, match="rounded weights are only for use"):
        board.save(small, most_mb=1)


@pytest.mark.parametrize("step", [-1, float("nan"), "1", True])
def test_a_step_that_is_none_is_refused(board, tmp_path, step):
    path = tmp_path / "a.learned"
    board.save(path, resumable=False, most_mb=0.05)
    rewritten(path, lambda header: header.update(step=step))
    with pytest.raises(LearnedError, match="not sound"):
        Learned.load(path, load("tic-tac-toe"))


def rewritten_moves(state):
    for number in (1, 2):
        if number <= state.stones:
            yield number


def other_moves(state):
    yield 1
    if state.stones > 2:
        yield 2


def test_rules_are_known_by_what_they_say(tmp_path):
    game = pile(start=Pile(20, 0))
    before = behaviour_digests(game, "nothing")
    assert behaviour_digests(pile(start=Pile(20, 0), moves=rewritten_moves), "nothing") == before
    assert behaviour_digests(pile(start=Pile(20, 0), moves=other_moves), "nothing") != before
    assert behaviour_digests(pile(start=Pile(20, 0), score=lambda state: 1), "nothing") != before
    guessing = pile(start=Pile(20, 0), estimate=lambda state: 0.25)
    assert behaviour_digests(guessing, "nothing") == before
    assert behaviour_digests(guessing, "estimate")["rules"] == before["rules"]
    assert set(behaviour_digests(guessing, "estimate")) == {"rules", "estimate"}


def test_a_file_fits_rules_that_were_only_rewritten_and_rules_under_another_python(tmp_path):
    path = tmp_path / "pile.learned"
    game = pile(start=Pile(20, 0))
    learn_games(game, games=20, compiled=False).save(path)
    assert Learned.load(path, game).notes == ()
    again = Learned.load(path, pile(start=Pile(20, 0), moves=rewritten_moves))
    assert re.search("the code of the rules has changed .*; in random games they say the same as before", again.explain())
    with pytest.raises(LearnedError, match="was learned with other rules than those of 'pile'"):
        Learned.load(path, pile(start=Pile(20, 0), moves=other_moves))

    def another_python(header):
        header.update(python="3.99.0", rules="bytecode of another kind")

    rewritten(path, another_python)
    assert Learned.load(path, game).notes == ()
    rewritten(path, lambda header: header.pop("behaviour"))  # a file of an older Outplay
    with pytest.raises(LearnedError, match="was learned with other rules"):
        Learned.load(path, game)


def test_rules_that_raise_or_never_end_have_an_identity_too():
    def stuck(state, move):
        return Pile(state.stones, 1 - state.player)

    def broken(state):
        if state.stones < 3:
            raise ValueError("no")
        yield from pile_moves(state)

    assert behaviour_digests(pile(play=stuck), "nothing") != behaviour_digests(pile(), "nothing")
    assert behaviour_digests(pile(start=Pile(20, 0), moves=broken), "nothing")["rules"]
    assert pile().turn(Pile(0, 0)) == OVER
