"""The hidden layer of a learned network: which games have one, and that it is the same interpreted and compiled, in memory and in a file."""

import json
from dataclasses import replace
from random import Random
from typing import NamedTuple

import numpy as np
import pytest
from shapes import shape_found_once  # noqa: F401
from test_learned_file import rewritten
from toy_games import states_of_play

from outplay import CHANCE, OVER, Game, Learned, Searcher, load, minimax
from outplay.errors import LearnedError
from outplay.learn.file import MAGIC, MAGIC_UNITS
from outplay.learn.heat_map import heat_maps
from outplay.learn.hidden_layer import new_network
from outplay.learn.network import Network
from outplay.learn.session import learn_games

HEAPS = 26


class Heaps(NamedTuple):
    """A die says how much a move takes from a heap and the three after it: half of each, or all. Who leaves less than 200 wins."""

    heaps: np.ndarray
    die: int
    player: int


def dice_nim():
    def turn(state):
        if state.heaps.sum() < 200:
            return OVER
        return state.player if state.die else CHANCE

    def chances(state):
        yield 1, 0.5
        yield 2, 0.5

    def moves(state):
        for heap in range(HEAPS):
            if state.heaps[heap] > 0:
                yield heap

    def play(state, choice):
        if state.die == 0:
            return Heaps(state.heaps, choice, state.player)
        heaps = state.heaps.copy()
        for heap in range(choice, min(choice + 4, HEAPS)):
            heaps[heap] = 0 if state.die == 2 else heaps[heap] // 2
        return Heaps(heaps, 0, 1 - state.player)

    def score(state):
        return 1 if state.player == 1 else -1

    start = Heaps(np.full(HEAPS, 40, np.int8), 0, 0)
    return Game(name="dice nim", start=start, turn=turn, chances=chances, moves=moves, play=play, score=score)


game = dice_nim()


@pytest.fixture(scope="module")
def learned():
    return learn_games(game, games=150)


@pytest.fixture
def path(learned, tmp_path):
    learned.save(tmp_path / "dice.learned")
    return tmp_path / "dice.learned"


def positions(number, seed=1):
    return Random(seed).sample(states_of_play(game, 10 * number, seed), number)


def test_games_of_two_players_with_dice_and_large_states_have_a_hidden_layer(learned):
    shape = learned.network.shape
    assert shape.units == 64
    assert {shape.cells[place].name for place in shape.inputs} >= {f"heaps[{heap}]" for heap in range(HEAPS)}
    assert learned.network.outputs.any()
    assert shape.tuples == ((),)
    for name in ("tic-tac-toe", "pig:goal=12"):  # no dice; few states
        assert not learn_games(load(name), games=1, compiled=False).network.shape.units


def test_hidden_units_learn_the_same_interpreted_and_compiled():
    fast, slow = learn_games(game, games=4), learn_games(game, games=4, compiled=False)
    assert np.array_equal(fast.network.hidden, slow.network.hidden)
    assert np.array_equal(fast.network.weights, slow.network.weights)
    assert fast.moves == slow.moves > 20


def test_the_value_with_hidden_units_is_the_same_interpreted_and_compiled(learned):
    for state in positions(30):
        assert minimax(learned.game, state, depth=0).value == learned.estimate(state)
    for state in positions(3):
        assert minimax(learned.game, state, depth=1) == minimax(learned.game, state, depth=1, compiled=False)


def test_the_value_is_the_sum_of_the_outputs(learned):
    network = learned.network
    shape = network.shape
    for state in positions(30):
        if game.turn(state) != CHANCE:
            continue
        words = [*state.heaps, state.die, state.player]
        if shape.flip is None or state.player == 0:
            phase, sign = shape.sets.index(shape.canonical(state.player)), 1.0
        else:
            words, phase, sign = [words[place] for place in shape.flip], shape.sets.index(shape.canonical(1)), -1.0
        sums = sum(network.input_rows(number)[phase, shape.cells[place].code(words)] for number, place in enumerate(shape.inputs))
        value = shape.span * float((sums / (1 + abs(sums)) * network.outputs).sum())
        for image, number in shape.lanes:
            index, stride = 0, 1
            for place, size in zip(image, shape.sizes(shape.tuples[number]), strict=True):
                index += stride * shape.cells[place].code(words)
                stride *= size
            value += float(network.weights[shape.offsets[number] + phase * stride + index])
        assert learned.estimate(state) == pytest.approx(min(max(sign * value, -1), 1), abs=1e-5)


def test_a_search_with_hidden_units_equals_minimax(learned):
    searcher = Searcher(learned.game)
    for state in positions(4):
        assert searcher.search(state, depth=2).value == pytest.approx(minimax(learned.game, state, depth=2).value, abs=1e-12)


def test_monte_carlo_takes_their_value_at_its_leaves(learned):
    state = next(state for state in positions(20) if game.turn(state) != CHANCE and state.heaps.sum() < 600)
    results = [Searcher(learned.game, method="mcts", compiled=compiled).search(state, nodes=300) for compiled in (True, False)]
    assert results[0].candidates == results[1].candidates


def test_the_seed_decides_the_first_weights():
    shape = learn_games(game, games=1, compiled=False).network.shape
    first, again, other = (new_network(game, shape, seed).hidden for seed in (1, 1, 2))
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)


def test_learning_of_hidden_units_goes_on_where_it_was(learned, tmp_path):
    learn_games(game, games=70, file=tmp_path / "dice.learned")  # within a slice
    after = learn_games(game, games=150, file=tmp_path / "dice.learned")
    assert np.array_equal(after.network.hidden, learned.network.hidden)


def test_two_threads_teach_hidden_units_together():
    both = learn_games(game, games=100, threads=2)
    assert both.games >= 100
    assert np.isfinite(both.network.hidden).all()
    assert both.network.outputs.any()


def test_a_network_with_more_room_keeps_its_hidden_units(learned):
    shape = learned.network.shape
    network = new_network(game, shape, 1)
    network.outputs[:] = np.random.default_rng(1).random(shape.units)
    network.visits[5:] += 7
    cells = tuple(cell.grown(0, 60) if cell.group == "heaps" else cell for cell in shape.cells)
    grown = network.grown(game, replace(shape, cells=cells))
    for number, place in enumerate(shape.inputs):
        for old, new in zip(network.input_rows(number), grown.input_rows(number), strict=True):
            assert len(new) == cells[place].size
            assert all(np.array_equal(row, old[min(code, len(old) - 1)]) for code, row in enumerate(new))
        assert grown.input_visits(number)[0, -1] == network.input_visits(number)[0, -1]
    assert grown.visits[grown.shape.rows - 1] == 7
    one, other = network.estimate(game, None), grown.estimate(game, None)
    assert [one(state) for state in positions(10)] == [other(state) for state in positions(10)]


def test_hidden_units_come_back_from_a_file(learned, path, tmp_path):
    back = Learned.load(path, game)
    assert np.array_equal(back.network.hidden, learned.network.hidden)
    assert back.network.shape == learned.network.shape
    assert np.array_equal(back.network.copy(game).hidden, learned.network.hidden)
    small = tmp_path / "small.learned"
    learned.save(small, resumable=False)
    assert np.array_equal(Learned.load(small, game).network.hidden, learned.network.hidden)
    learned.save(small, resumable=False, most_mb=0.6 * small.stat().st_size / 1e6)
    rounded = Learned.load(small, game)
    assert not np.array_equal(rounded.network.hidden, learned.network.hidden)
    for state in positions(10):
        assert rounded.estimate(state) == pytest.approx(learned.estimate(state), abs=0.05)


def test_an_earlier_outplay_does_not_read_a_file_with_hidden_units(path, tmp_path):
    assert path.read_bytes().startswith(MAGIC_UNITS)
    learn_games(load("pig:goal=12"), games=1, compiled=False).save(tmp_path / "pig.learned")
    assert (tmp_path / "pig.learned").read_bytes().startswith(MAGIC)


def test_a_file_from_before_there_were_hidden_units_is_read(tmp_path):
    pig = load("pig:goal=12")
    found = learn_games(pig, games=20, compiled=False)
    found.save(tmp_path / "pig.learned")

    def older(header):
        for name in ("units", "inputs", "span"):
            del header["shape"][name]
        del header["settings"]["hidden_rate"], header["settings"]["restart"]

    rewritten(tmp_path / "pig.learned", older)
    assert np.array_equal(Learned.load(tmp_path / "pig.learned", pig).network.weights, found.network.weights)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("units", 40), ("units", -16), ("units", 1 << 30), ("units", 0), ("units", "64"), ("inputs", []), ("inputs", [0, 0]), ("inputs", [999]),
        ("inputs", [-1]), ("span", 0.0), ("span", float("nan")), ("span", "wide"), ("inputs", [0]),
    ],
)  # fmt: skip
def test_a_hidden_layer_that_is_not_sound_is_refused(path, name, value):
    rewritten(path, lambda header: header["shape"].update({name: value}))
    with pytest.raises(LearnedError, match="not sound"):
        Learned.load(path, game)


@pytest.mark.parametrize("change", [{"slowed": 0}, {"slowed": float("nan")}, {"hidden_rate": -1}, {"hidden_rate": float("inf")}])
def test_rates_that_are_not_sound_are_refused(path, change):
    rewritten(path, lambda header: header["settings"].update(change))
    with pytest.raises(LearnedError, match="'hidden_rate' or 'slowed' is not valid"):
        Learned.load(path, game)


def test_the_map_shows_what_hidden_units_add():
    noughts = load("tic-tac-toe")
    shape = learn_games(noughts, games=1, compiled=False).network.shape
    places = tuple(place for place, cell in enumerate(shape.cells) if cell.kind == "square")
    network = Network(noughts, replace(shape, tuples=((),), units=16, inputs=places, span=2.0))
    (middle,) = [number for number, place in enumerate(places) if shape.cells[place].name.endswith("@4")]
    network.input_rows(middle)[:, 1] = 3.0
    network.outputs[:2] = 0.5, -0.25
    first, second = heat_maps(noughts, network)
    assert first.effects[1, 1] == pytest.approx(2.0 * 0.25 * 3.0 / 4.0)
    assert all(effect == pytest.approx(0.0) for place, effect in first.effects.items() if place != (1, 1))
    assert all(effect == pytest.approx(0.0) for effect in second.effects.values())


def test_hidden_weights_that_are_no_numbers_are_refused(learned, tmp_path):
    network = learned.network.copy(game)
    network.hidden[3] = np.nan
    other = Learned(game, network, learned.settings, learned.counts, upon="nothing", seed=0)
    other.save(tmp_path / "nan.learned")
    with pytest.raises(LearnedError, match="its hidden weights do not fit its shape"):
        Learned.load(tmp_path / "nan.learned", game)


def test_an_estimate_with_hidden_units_says_so(learned):
    assert "It adds up what 64 hidden units say; each looks at" in learned.explain()
    facts = json.loads(json.dumps(learned.to_dict()))
    assert facts["hidden_units"] == 64
    assert facts["hidden_weights"] == learned.network.shape.hidden_weights
    assert learned.weights > facts["hidden_weights"]
