"""Learned estimates: what is learned, that it says the same interpreted and compiled, and that bad input is refused."""

import _thread
import json
from pathlib import Path
from random import Random
from typing import NamedTuple

import numpy as np
import pytest
from shapes import forget, shape_found_once  # noqa: F401
from toy_games import Pile, pile, states_of_play, tuple_nim

from outplay import (
    CHANCE,
    OVER,
    Game,
    Learned,
    SearchAgent,
    Searcher,
    Stopper,
    analyse,
    facing,
    learn,
    load,
    minimax,
    search,
    solve,
)
from outplay.agents.agent import Clock
from outplay.compile.fingerprint import rules_fingerprint
from outplay.errors import GameError, Interrupted, LimitError, OptionError, RuleError, RuleRaised, StateError
from outplay.learn import layout, learning, session, shape
from outplay.learn.hidden_layer import new_network
from outplay.learn.network import floats
from outplay.learn.progress import Counts
from outplay.learn.selfplay import SelfPlayer, engine_for
from outplay.learn.session import learn_games
from outplay.learn.settings import Settings
from outplay.runtime import meter

noughts = load("tic-tac-toe")


@pytest.fixture(scope="module")
def learned():
    return learn_games(noughts, games=20_000)


def test_a_learned_player_of_tic_tac_toe_keeps_the_result(learned):
    truth, searcher, kept = solve(noughts), Searcher(learned.game, without=("bounds", "useful")), 0
    states = list(dict.fromkeys(states_of_play(noughts, 600)))
    for state in states:
        after = noughts.play(state, searcher.search(state, depth=1).move)
        kept += truth[after].value == truth[state].value
    assert kept / len(states) > 0.97


def test_the_same_seed_gives_the_same_weights(learned):
    first = learn_games(noughts, games=200, seed=1)
    forget()
    again = learn_games(noughts, games=200, seed=1)
    other = learn_games(noughts, games=200, seed=2)
    assert np.array_equal(first.network.weights, again.network.weights)
    assert not np.array_equal(first.network.weights, other.network.weights)


def test_an_interruption_before_the_first_game_has_no_result(monkeypatch):
    def interrupted(work, stack, *, interrupt):
        interrupt()
        raise Interrupted(work())

    monkeypatch.setattr(session, "on_large_stack", interrupted)
    with pytest.raises(Interrupted, match="before its first game") as raised:
        learn_games(pile(), games=10, compiled=False)
    assert raised.value.result is None


def test_ctrl_c_while_learn_looks_at_the_game_blames_no_rule(monkeypatch):
    def looks(*arguments, **options):
        _thread.interrupt_main()
        while True:
            pass

    monkeypatch.setattr(session, "find_shape", looks)
    with pytest.raises(Interrupted, match="before its first game") as raised:
        learn_games(pile(), games=10, compiled=False)
    assert not raised.value.stuck


def test_learning_interpreted_gives_the_same_weights_as_compiled():
    fast, slow = learn_games(noughts, games=60), learn_games(noughts, games=60, compiled=False)
    assert np.array_equal(fast.network.weights, slow.network.weights)
    assert fast.network.learned > 100
    assert fast.moves == slow.moves > 60


def test_the_value_is_the_same_interpreted_and_compiled(learned):
    for state in states_of_play(noughts, 40):
        assert minimax(learned.game, state, depth=0).value == learned.estimate(state)
    for state in states_of_play(noughts, 6):
        assert minimax(learned.game, state, depth=2) == minimax(learned.game, state, depth=2, compiled=False)


def test_a_search_with_a_learned_estimate_equals_minimax(learned):
    for state in states_of_play(noughts, 10, seed=3):
        expected = minimax(learned.game, state, depth=3).value
        assert search(learned.game, state, depth=3).value == expected
        assert search(noughts, state, depth=3, estimate=learned).value == expected
        assert search(noughts, state, depth=3, estimate=learned, compiled=False).value == expected


def test_every_searcher_takes_a_learned_estimate(learned):
    state = states_of_play(noughts, 4)[3]
    expected = search(learned.game, state, depth=2)
    assert Searcher(noughts, estimate=learned).search(state, depth=2).value == expected.value
    assert analyse(noughts, state, depth=2, estimate=learned).value == expected.value
    chosen = SearchAgent(depth=2, estimate=learned).choose(noughts, state, Clock(None), Random(0))
    assert chosen.value == expected.value


def test_monte_carlo_takes_a_learned_estimate_at_its_leaves(learned):
    options = {"method": "mcts", "simulations": 60, "leaves": "estimate", "seed": 3, "estimate": learned}
    fast, slow = search(noughts, **options), search(noughts, **options, compiled=False)
    assert (fast.move, fast.value) == (slow.move, slow.value)


def test_new_weights_compile_nothing(learned):
    other = learn_games(noughts, games=5)
    assert rules_fingerprint(other.game).digest == rules_fingerprint(learned.game).digest
    assert rules_fingerprint(other.game).digest != rules_fingerprint(noughts).digest


def test_a_described_opponent_does_not_hide_whose_turn_it_is(learned):
    state = states_of_play(noughts, 3)[2]
    who = noughts.turn(state)
    result = search(noughts, state, depth=1, opponent="random", estimate=learned, compiled=False)
    assert result.value == (max if who == 0 else min)(
        learned.estimate(noughts.play(state, move)) for move in noughts.moves(state)
    )
    assert minimax(facing(learned.game, 1 - who, "random"), state, depth=1).value == result.value


def test_learning_goes_on_where_it_was(tmp_path):
    file = tmp_path / "noughts.learned"
    learn_games(noughts, games=100, file=file)
    after = learn_games(noughts, games=300, file=file)
    assert (after.games, Learned.load(file, noughts).games) == (300, 300)
    assert np.array_equal(after.network.weights, learn_games(noughts, games=300).network.weights)


def test_two_threads_learn_together():
    both = learn_games(noughts, games=400, threads=2)
    assert both.games >= 400
    assert both.network.learned > 500


def test_a_time_limit_and_a_stopper_end_it():
    reports, stopper = [], Stopper()

    def progress(report):
        reports.append(report)
        if report.games > 0:
            stopper.stop()

    found = learn(noughts, seconds=600, progress=progress, stopper=stopper)
    assert found.games > 0
    assert reports[0].phase == "looking"
    assert reports[-1].games_per_second > 0
    assert reports[-1].seconds_left > 0
    assert learn(noughts, seconds=0.05).seconds > 0


def test_what_is_learned_of_dice_is_near_the_truth():
    pig = load("pig:goal=12")
    found, truth = learn_games(pig, games=20_000), solve(pig)
    lost, number = 0.0, 0
    for state in states_of_play(pig, 300):
        if pig.turn(state) in (0, 1) and state in truth:
            sign = 1 if pig.turn(state) == 0 else -1
            move = search(pig, state, depth=1, estimate=found, compiled=False).move
            after = pig.play(state, move)
            lost += sign * (truth[state].value - (pig.score(after) if pig.turn(after) == OVER else truth[after].value))
            number += 1
    assert number > 100
    assert 0 <= lost / number < 0.01
    # While a die rolls, the turn is chance's, and the player still matters.
    rolling = pig.start._replace(pot=5, rolling=True)
    assert found.estimate(rolling) > 0 > found.estimate(rolling._replace(player=1))
    # A state in which the die has just come to rest was not learned: the best move after it counts.
    rolled = pig.start._replace(pot=5)
    assert found.estimate(rolled) == minimax(found.game, rolled, depth=1).value


class Walk(NamedTuple):
    """Six steps: take 1 now, or 0 now and a coin's 4 or 0 in the next step."""

    step: int
    owed: bool


def walk(**changes):
    def turn(state):
        return OVER if state.step >= 6 else CHANCE if state.owed else 0

    def moves(state):
        yield 0
        yield 1

    def chances(state):
        yield 0, 0.5
        yield 4, 0.5

    def play(state, choice):
        return Walk(state.step + 1, not state.owed and choice == 0)

    def reward(state, choice):
        return choice

    def score(state):
        return 0

    rules = {"turn": turn, "moves": moves, "chances": chances, "play": play, "reward": reward, "score": score}
    return Game(name="walk", start=Walk(0, False), players=("you",), low=0, high=30, **{**rules, **changes})


def test_rewards_on_the_way_are_learned():
    game = walk()
    found = learn_games(game, games=3000, compiled=False)
    # Waiting pays 2 in two steps, and so does taking 1 twice: every way is worth as many points as there are steps left.
    for step in range(1, 5):
        assert found.estimate(Walk(step, False)) == pytest.approx(6 - step, abs=0.4)


class March(NamedTuple):
    """A march of one player; a coin is tossed after every move, and changes nothing."""

    step: int
    tossing: bool


def march(steps):
    def turn(state):
        return OVER if state.step == steps else CHANCE if state.tossing else 0

    def moves(state):
        yield 0
        yield 1

    def chances(state):
        yield 0, 0.5
        yield 1, 0.5

    def play(state, choice):
        return March(state.step + state.tossing, not state.tossing)

    def reward(state, choice):
        return 1 - state.tossing

    def score(state):
        return 0

    rules = {"turn": turn, "moves": moves, "chances": chances, "play": play, "reward": reward, "score": score}
    return Game(name="march", start=March(0, False), players=("you",), low=0, high=steps, **rules)


def test_a_long_game_of_one_player_is_played_again_from_its_middle():
    # The path of 160 moves has every fourth state, that of 80 every second one: each middle is exact.
    game, moves = march(160), 160 + 80 + 40 + 20 + 10 + 5
    fast, slow = learn_games(game, games=100), learn_games(game, games=100, compiled=False)
    assert fast.moves == slow.moves == 100 * moves
    assert np.array_equal(fast.network.weights, slow.network.weights)
    assert {moment.result for moment in fast.history} == {160}  # a game from the middle is not counted
    assert fast.estimate(March(150, False)) == pytest.approx(10, abs=1)


def test_an_abandoned_replay_is_played_again_by_the_same_and_by_another_player():
    engine = engine_for(march(160), compiled=False)
    network = learn_games(march(160), games=1, compiled=False).network
    players = [SelfPlayer(engine, 0, 1, seed=1, room=8) for _ in range(2)]
    for player in players:
        player.use(network.estimate(march(160), None))
        player.set(Settings(plies=1000, opening=0, restart=10, trains=False))
        player.unlimited()
    one, other = players
    one.memory[meter.NODE_LIMIT] = 1000  # in the second replay: a move of a game of 160 takes four nodes
    one.run(1)
    assert (one.game, one.memory[layout.REPLAYS]) == (1, 2)
    moves = one.memory[layout.MOVES]
    assert 160 + 80 < moves < 160 + 80 + 40
    for player, before in ((other, 0), (one, moves)):
        player.unlimited()
        player.run(other.repeat(one) if player is other else 1)
        assert player.memory[layout.REPLAYS] == 0
        assert player.memory[layout.MOVES] - before == 40 + 20 + 10 + 5


def test_who_listens_learns_how_strong_it_is_and_the_weights_are_the_same():
    seen = []
    found = learn_games(noughts, games=3000, progress=seen.append)
    silent = learn_games(noughts, games=3000)
    assert np.array_equal(found.network.weights, silent.network.weights)
    assert (found.moves, found.history[-1].result) == (silent.moves, silent.history[-1].result)
    learner = learning.Learning(
        engine_for(noughts.replace(estimate=None)), silent.network, silent.settings, Counts(), seed=0, threads=1, base=None, compares=True
    )  # fmt: skip
    learner.run(meter.NEVER, 2000, Stopper())
    assert learner.progress(meter.NEVER).strength > 0.7  # of points against moves that are random but for a win at once
    assert learner.progress(meter.NEVER).result is None


def test_a_network_without_weights_is_as_strong_as_its_start():
    game = noughts.replace(estimate=None)
    blank = learn_games(noughts, games=1, compiled=False)
    network = new_network(game, blank.network.shape, 0)
    points = []
    for compiled in (True, False):
        player = SelfPlayer(engine_for(game, compiled=compiled), 0, 1, seed=1, room=1)
        player.use(network.estimate(game, None))
        player.face(network.estimate(game, None))
        player.set(Settings(plies=20, opening=2, trains=False))
        player.unlimited()
        player.run(200)
        points.append(player.real(layout.POINTS))
    assert points[0] == points[1]
    assert 70 < points[0] < 130


def test_short_games_and_games_of_two_players_are_not_played_again():
    assert learn_games(march(9), games=100, compiled=False).moves == 900
    assert learn_games(load("pig:goal=12"), games=2, compiled=False).settings.restart == 0


def test_a_game_without_end_is_not_played_again(monkeypatch):
    monkeypatch.setattr(shape, "PLIES", 200)
    found = learn_games(march(10**6), games=3, compiled=False)
    assert (found.games, found.endless, found.moves) == (3, 3, 300)


class Dance(NamedTuple):
    place: int
    player: int


def dance():
    def turn(state):
        return OVER if state.place == 99 else state.player

    def moves(state):
        yield 1
        yield 2
        if state.place == 50:
            yield 49

    def play(state, move):
        return Dance((state.place + move) % 7 if move < 49 else 99, 1 - state.player)

    def score(state):
        return 0

    return Game(name="dance", start=Dance(0, 0), turn=turn, moves=moves, play=play, score=score)


class Roll(NamedTuple):
    rolls: int  # that are left
    face: int  # of the die; 0 while it rolls


def test_a_player_alone_learns_that_to_wait_may_be_worth_more():
    def play(state, choice):
        if state.face == 0:
            return Roll(state.rolls, choice)
        return Roll(state.rolls - 1, 0) if choice == 0 else Roll(0, 0)

    game = Game(
        name="one good roll",
        start=Roll(2, 0),
        turn=lambda state: OVER if state.rolls == 0 else 0 if state.face else CHANCE,
        moves=lambda state: iter((0, 1)),  # roll again, take the face
        chances=lambda state: ((face, 1 / 6) for face in range(1, 7)),
        play=play,
        score=lambda state: 0,
        reward=lambda state, choice: state.face if state.face and choice == 1 else 0,
        low=0, high=6, players=("you",),
    )  # fmt: skip
    # To take the face pays at once, and without weights all else is worth nothing: only a player who explores sees another roll.
    found = learn_games(game, games=2000, compiled=False)
    assert search(found.game, Roll(2, 1), depth=1, compiled=False).move == 0
    assert found.estimate(Roll(1, 0)) == pytest.approx(3.5, abs=0.5)


def test_a_game_without_an_end_is_cut_and_counted():
    found = learn_games(dance(), games=5, compiled=False)
    assert found.endless == found.games == 5
    assert "None of the 5 games ended within" in found.explain()
    assert "so nothing was learned: check that turn returns OVER at the end" in found.explain()
    assert "mean error" not in found.explain()


def test_an_estimate_without_a_learned_weight_warns_with_a_reason_and_a_remedy():
    def level(state):
        return 0

    text = learn_games(pile(score=level), games=20, compiled=False).explain()
    assert (
        "Warning: no weight was learned, so it values every state the same: all 20 games of self-play were worth 0. Remedy: "
        in text
    )
    assert "mean error" not in text
    assert "There is no picture of the weights (svg): what it sees of a state has no board." in text


def test_it_can_be_learned_what_to_add_to_the_own_estimate():
    def guess(state):
        return 0.5 if state.stones % 3 else -0.5

    game = pile(estimate=guess)
    found = learn_games(game, games=200, upon="estimate", compiled=False)
    assert found.base is guess
    for stones, player, value in ((2, 0, 1), (3, 0, -1), (4, 1, -1)):  # who is to move loses where the pile divides by three
        assert found.estimate(Pile(stones, player)) == pytest.approx(value, abs=0.1)
    with pytest.raises(OptionError, match="has no estimate to learn upon"):
        learn(pile(), seconds=1, upon="estimate")


def test_own_cells_are_looked_at():
    def cells(state):
        for heap in state.heaps:
            yield heap & 1
        yield state.player

    found = learn_games(tuple_nim(1, 2, 1).replace(cells=cells), games=100, compiled=False)
    assert [cell.name for cell in found.network.shape.cells] == ["cell[0]", "cell[1]", "cell[2]"]

    def growing(state):
        yield 1
        if sum(state.heaps) < 4:
            yield 2

    with pytest.raises(GameError, match="yields 2 ints here, and 1 in another state"):
        learn_games(tuple_nim(1, 2, 1).replace(cells=growing), games=1, compiled=False)

    def nothing(state):
        yield from ()

    with pytest.raises(GameError, match="cells, line .*: yields nothing; yield what a learner looks at"):
        learn_games(tuple_nim(1, 2, 1).replace(cells=nothing), games=1, compiled=False)


def test_a_learned_estimate_tells_about_itself(learned):
    text = learned.explain()
    assert "a board of 9 squares, 3 codes each" in text
    assert "Symmetries that hold: 7." in text
    assert repr(learned).startswith("<Learned tic-tac-toe: 20,000 games")
    assert json.loads(json.dumps(learned.to_dict()))["games"] == 20_000
    assert "<svg" in learned._repr_html_()
    assert learned.history[-1].error < learned.history[0].error


def test_an_estimate_of_another_game_is_refused(learned):
    with pytest.raises(OptionError, match="learned for 'tic-tac-toe', and 'connect-four' has other rules"):
        search(load("connect-four"), depth=1, estimate=learned)


def test_bad_input_is_refused():
    with pytest.raises(GameError, match="learn takes a Game"):
        learn("tic-tac-toe", seconds=1)
    with pytest.raises(LimitError, match="seconds"):
        learn(noughts, seconds=-1)
    with pytest.raises(LimitError, match="a search needs a limit"):
        learn(noughts, seconds=None)
    with pytest.raises(OptionError, match="upon='everything' is unknown"):
        learn(noughts, seconds=1, upon="everything")
    with pytest.raises(OptionError, match="seed='one' must be a whole number"):
        learn(noughts, seconds=1, seed="one")
    with pytest.raises(OptionError, match="threads=0"):
        learn(noughts, seconds=1, threads=0)
    with pytest.raises(StateError, match="the game is over in its start"):
        learn(pile(start=type(pile().start)(0, 0)), seconds=1)
    with pytest.raises(GameError, match="symmetries=.* must be functions"):
        noughts.replace(symmetries="mirror")
    with pytest.raises(
        GameError, match="nothing that a learner looks at changes from state to state; let cells yield what changes"
    ):
        learn_games(walk(cells=lambda state: (1, 2)), games=1, compiled=False)


def test_a_rule_that_fails_is_named():
    def play(state, move):
        if state.step == 4 and move == 1:
            raise ValueError("no fourth step")
        return Walk(state.step + 1, False)

    with pytest.raises(RuleRaised, match="no fourth step"):
        learn_games(walk(play=play), games=50, compiled=False)

    def score(state):
        return 99

    with pytest.raises(RuleError, match="score, line .* returns 99, outside of low=0 and high=30"):
        learn_games(walk(score=score), games=1, compiled=False)


@pytest.mark.skipif(not Path("/proc/self/maps").exists(), reason="needs Linux")
def test_many_weights_lie_in_memory_that_the_system_may_give_huge_pages():
    weights = floats(1 << 20)
    address = weights.ctypes.data
    for line in Path("/proc/self/maps").read_text().splitlines():
        ends, rights = line.split()[:2]
        first, last = (int(end, 16) for end in ends.split("-"))
        if first <= address < last:
            assert rights == "rw-p"  # private: memory that processes share seldom has them
            return
    raise AssertionError("the weights are in no part of the memory")
