"""Two-Dice Pig, Hog, EinStein würfelt nicht and Can't Stop: rules by slow code, exact values by value iteration."""

import itertools
import os
import time
from fractions import Fraction
from functools import cache
from random import Random

import pytest

from outplay import CHANCE, OVER, load, search, solve
from outplay.errors import IllegalMove, OptionError, StateError
from outplay.games import cant_stop
from outplay.rules.text import after_names, read_move, read_state
from outplay.search.perft import perft


def played(game, dice, start=None):
    """The states of a random game, from its start to its end."""
    states = [game.start if start is None else start]
    while game.turn(states[-1]) != OVER:
        state = states[-1]
        choice = game.roll(state, dice) if game.turn(state) == CHANCE else dice.choice(game.legal(state))
        states.append(game.state(game.play(state, choice)))
    return states


# Two-Dice Pig


def two_dice_pig_chance(goal):
    """The chance of the first player, by value iteration over (own points, other's points, pot), with 36 rolls of two dice."""
    rolls = list(itertools.product(range(1, 7), repeat=2))
    states = [(own, other, pot) for own in range(goal) for other in range(goal) for pot in range(goal - own)]
    value = dict.fromkeys(states, 0.5)

    def of(own, other, pot):
        return 1.0 if own + pot >= goal else value[own, other, pot]

    change = 1.0
    while change > 1e-13:
        change = 0.0
        for own, other, pot in states:
            total = 0.0
            for one, two in rolls:
                if one == two == 1:
                    total += 1 - value[other, 0, 0]
                elif 1 in (one, two):
                    total += 1 - value[other, own, 0]
                else:
                    total += of(own, other, pot + one + two)
            best = max(total / 36, 1 - value[other, own + pot, 0] if pot else 0.0)
            change = max(change, abs(best - value[own, other, pot]))
            value[own, other, pot] = best
    return value[0, 0, 0]


def test_two_dice_pig_is_worth_what_value_iteration_says():
    solution = solve(load("two-dice-pig:goal=14"), check=False)
    assert (solution.value + 1) / 2 == pytest.approx(two_dice_pig_chance(14), abs=1e-9)


def test_two_dice_pig_golden_playthrough():
    game = load("two-dice-pig")
    state = after_names(game, game.start, "roll, a sum of 9, roll, a sum of 12, hold, roll, a 1, roll, a sum of 4")
    assert game.write_state(state) == "21,0,4,0,0"
    assert game.show(state) == "> player 0:  21 of 100\n  player 1:   0 of 100\n  pot: 4"
    assert game.write_state(after_names(game, state, "roll, two 1s")) == "0,0,0,1,0"
    assert game.write_state(after_names(game, state, "roll, a 1")) == "21,0,0,1,0"
    assert [perft(game, plies, compiled=False) for plies in range(5)] == [1, 1, 11, 20, 130]


def test_the_sums_of_two_dice_are_as_likely_as_36_rolls_say():
    game = load("two-dice-pig")
    wanted = {}
    for one, two in itertools.product(range(1, 7), repeat=2):
        outcome = 2 if one == two == 1 else 0 if 1 in (one, two) else one + two
        wanted[outcome] = wanted.get(outcome, 0) + Fraction(1, 36)
    found = game.outcomes(read_state(game, "0,0,0,0,1"))
    assert {outcome: Fraction(probability).limit_denominator(36) for outcome, probability in found} == wanted


# Hog


def hog_chance(goal, most):
    """The chance of the first player, by value iteration with every roll of 1 to *most* dice."""
    gains = {}
    for number in range(1, most + 1):
        for dice in itertools.product(range(1, 7), repeat=number):
            gain = 0 if 1 in dice else sum(dice)
            gains.setdefault(number, {}).setdefault(gain, Fraction(0))
            gains[number][gain] += Fraction(1, 6**number)
    value = dict.fromkeys(itertools.product(range(goal), repeat=2), 0.5)
    change = 1.0
    while change > 1e-13:
        change = 0.0
        for own, other in value:
            best = max(
                sum(
                    float(chance) * (1.0 if own + gain >= goal else 1 - value[other, own + gain]) for gain, chance in ways.items()
                )
                for ways in gains.values()
            )
            change = max(change, abs(best - value[own, other]))
            value[own, other] = best
    return value[0, 0]


def test_hog_is_worth_what_value_iteration_says():
    solution = solve(load("hog:goal=25,dice=4"), check=False)
    assert (solution.value + 1) / 2 == pytest.approx(hog_chance(25, 4), abs=1e-9)


def test_hog_golden_playthrough():
    game = load("hog")
    state = after_names(game, game.start, "4 dice, a sum of 17, 1 die, a 1, 10 dice")
    assert game.write_state(state) == "17,0,0,10"
    assert game.show(state) == "> player 0:  17 of 100\n  player 1:   0 of 100\n  10 dice in the air ..."
    assert [perft(load("hog:dice=2"), plies, compiled=False) for plies in range(4)] == [1, 2, 16, 32]
    assert {read_move(game, game.start, text) for text in ("4", "4 dice", "Roll 4", "4dice")} == {4}
    with pytest.raises(IllegalMove, match="legal moves: 1 die, 2 dice"):
        read_move(game, game.start, "11")
    with pytest.raises(ValueError, match="is not a number of dice; write 1 to 10"):
        read_move(game, game.start, "many")


def test_the_sums_of_dice_without_a_1_add_up():
    game = load("hog")
    for number in (1, 2, 5, 10):
        outcomes = game.outcomes(game.play(game.start, number))
        assert sum(probability for _, probability in outcomes) == pytest.approx(1, abs=1e-12)
    assert dict(game.outcomes(game.play(game.start, 2)))[8] == pytest.approx(5 / 36)


# EinStein würfelt nicht


def einstein_moves(size, own, other, die, player):
    """The stones of both after each move, as dicts from stone to (row, column), by the words of the rules."""
    allowed = [die] if die in own else [*sorted(stone for stone in own if stone > die)[:1], *sorted(own)[::-1]]
    if die not in own:
        lower = [stone for stone in sorted(own, reverse=True) if stone < die][:1]
        allowed = [*sorted(stone for stone in own if stone > die)[:1], *lower]
    step = 1 if player == 0 else -1
    for stone in allowed:
        for down, right in ((0, step), (step, 0), (step, step)):
            target = own[stone][0] + down, own[stone][1] + right
            if 0 <= target[0] < size and 0 <= target[1] < size:
                mine = {number: place for number, place in own.items() if place != target} | {stone: target}
                theirs = {number: place for number, place in other.items() if place != target}
                yield mine, theirs


def einstein_sides(state, size, stones):
    sides = []
    for side in (state.first, state.second):
        places = {stone: side >> 6 * stone - 6 & 63 for stone in range(1, stones + 1)}
        sides.append({stone: divmod(place, size) for stone, place in places.items() if place != 63})
    return sides


@pytest.mark.parametrize(("size", "stones"), [(5, 6), (3, 3), (7, 10), (2, 1)])
def test_einstein_moves_are_those_of_the_rules(size, stones):
    game, dice = load(f"einstein:size={size},stones={stones}"), Random(3)
    for _ in range(12):
        for state in played(game, dice, game.deal(dice)):
            first, second = einstein_sides(state, size, stones)
            reached = (size - 1, size - 1) in first.values(), (0, 0) in second.values()
            over = any(reached) or not first or not second
            assert (game.turn(state) == OVER) == over
            if over:
                assert game.score(state) == (1 if reached[0] or not second else -1)
            elif state.die:
                own, other = (first, second) if state.player == 0 else (second, first)
                wanted = [
                    sides[:: 1 if state.player == 0 else -1]
                    for sides in einstein_moves(size, own, other, state.die, state.player)
                ]
                found = [tuple(einstein_sides(game.play(state, move), size, stones)) for move in game.legal(state)]
                assert sorted(map(str, found)) == sorted(
                    str(tuple(dict(sorted(side.items())) for side in sides)) for sides in wanted
                )


def einstein_value(size, stones):
    """The value to the first player from the start of `einstein`, as a fraction; the game always ends."""
    corner = sorted(itertools.product(range(size), repeat=2), key=lambda place: (sum(place), place))[:stones]
    start = tuple(sorted(dict(enumerate(corner, 1)).items()))
    opposite = tuple((stone, (size - 1 - row, size - 1 - column)) for stone, (row, column) in start)

    @cache
    def value(first, second, player):
        own, other = (dict(first), dict(second)) if player == 0 else (dict(second), dict(first))
        sign = 1 if player == 0 else -1
        goal = (size - 1, size - 1) if player == 0 else (0, 0)
        total = Fraction(0)
        for die in range(1, stones + 1):
            values = []
            for mine, theirs in einstein_moves(size, own, other, die, player):
                if goal in mine.values() or not theirs:
                    values.append(Fraction(1))
                    continue
                sides = [tuple(sorted(side.items())) for side in ((mine, theirs) if player == 0 else (theirs, mine))]
                values.append(sign * value(*sides, 1 - player))
            total += max(values) / stones
        return sign * total

    return value(start, opposite, 0)


@pytest.mark.parametrize(("size", "stones", "known"), [(3, 3, Fraction(97, 243)), (4, 2, None)])
def test_einstein_on_small_boards_is_solved_exactly(size, stones, known):
    value = einstein_value(size, stones)
    assert known is None or value == known
    found = solve(load(f"einstein:size={size},stones={stones}"), compiled=(size, stones) != (3, 2), check=False)
    assert found.value == pytest.approx(float(value), abs=1e-12)


def test_einstein_golden_playthrough():
    game = load("einstein")
    state = after_names(game, game.start, "a 6, 6-b4, a 5, 5-c3, a 5, 5-c3, a 5")
    assert game.write_state(state) == "a1 b1 a2 c1 c3 b4 / e5 d5 e4 c5 - e3 / O 5"
    assert [game.name_move(state, move) for move in game.legal(state)] == ["4-b5", "4-c4", "4-b4", "6-d3", "6-e2", "6-d2"]
    assert {read_move(game, state, text) for text in ("4-b4", "B4 4", "4 b4", "b4")} == {game.legal(state)[2]}
    assert game.show(state) == (
        "1  X1  X2  X4   .   .\n"
        "2  X3   .   .   .   .\n"
        "3   .   .  X5   .  O6\n"
        "4   .  X6   .   .  O3\n"
        "5   .   .  O4  O2  O1\n"
        "    a   b   c   d   e\n"
        "O to move, the die shows 5"
    )
    taken = after_names(game, state, "4-b4")
    assert game.write_state(taken) == "a1 b1 a2 c1 c3 - / e5 d5 e4 b4 - e3 / X"
    assert [perft(game, plies, compiled=False) for plies in range(4)] == [1, 6, 18, 108]


def test_an_einstein_deal_places_all_stones_in_their_corners():
    game, dice = load("einstein"), Random(1)
    starts = {game.deal(dice) for _ in range(20)}
    assert len(starts) > 15
    for state in starts:
        first, second = einstein_sides(state, 5, 6)
        assert {row + column for row, column in first.values()} == {0, 1, 2}
        assert len(first) == len(second) == 6
        assert {row + column for row, column in second.values()} == {6, 7, 8}


def test_einstein_searches_take_a_win_at_once():
    game = load("einstein")
    found = search(game, read_state(game, "d4 - - - - - / - b2 - - - - / X 1"), depth=1, compiled=False)
    assert (game.name_move(found.state, found.move), found.value, found.proven) == ("1-e5", 1, True)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a1 / e5 / X", "write the squares of the 6 stones of X"),
        ("a1 b1 c1 a2 b2 a9 / e5 d5 c5 e4 d4 e3 / X", "'a9' is not a square; squares are a1 to e5"),
        ("a1 b1 c1 a2 b2 a1 / e5 d5 c5 e4 d4 e3 / X", "two stones are on one square"),
        ("a1 b1 c1 a2 b2 a3 / e5 d5 c5 e4 d4 e3 / X 7", "with a die from 1 to 6"),
        ("e5 - - - - - / d5 - - - - - / O 1", "the game is over; leave out the die"),
    ],
)
def test_einstein_refuses_what_is_no_position(text, words):
    with pytest.raises(StateError, match=words):
        read_state(load("einstein"), text)


# Can't Stop


def cant_stop_climbs(heights, own, other, runners, dice):
    """What a roll allows: the runners' steps after each choice, as tuples by column; by trying the pairs in both orders."""
    found = set()
    for one, two, three, four in itertools.permutations(dice):
        steps = list(runners)
        for column in (one + two - 2, three + four - 2):
            closed = own[column] == heights[column] or other[column] == heights[column]
            has_runner = steps[column] > 0 or sum(map(bool, steps)) < 3
            if not closed and has_runner and own[column] + steps[column] < heights[column]:
                steps[column] += 1
        found.add(tuple(steps))
    return found - {tuple(runners)}


def cant_stop_fields(number, side):
    return tuple(side >> 4 * place & 15 for place in range(number))


@pytest.mark.parametrize("name", ["cant-stop", "cant-stop:sides=4,columns=2,shortest=2"])
def test_cant_stop_moves_are_those_of_the_rules(name):
    game, dice = load(name), Random(4)
    sides, shortest = (6, 3) if name == "cant-stop" else (4, 2)
    number = 2 * sides - 1
    heights = [shortest + 2 * min(place, number - 1 - place) for place in range(number)]
    passes = 0
    for _ in range(6):
        states = played(game, dice)
        for state, after in itertools.pairwise(states):
            first, second, runners = (cant_stop_fields(number, side) for side in state[:3])
            own, other = (first, second) if state.player == 0 else (second, first)
            if game.turn(state) == CHANCE:
                continue
            wanted = cant_stop_climbs(heights, own, other, runners, [int(face) for face in str(state.roll)])
            if not wanted:  # nothing fits: the turn is lost
                assert game.legal(state) == [cant_stop.PASS]
                assert after == (state.first, state.second, 0, 1 - state.player, 0)
                passes += 1
                continue
            on = [game.play(state, move) for move in game.legal(state) if move & 1 == 0]
            stops = [game.play(state, move) for move in game.legal(state) if move & 1]
            assert len(stops) == len(set(stops)) == len(wanted)
            won = {
                steps
                for steps in wanted
                if sum(map(int.__eq__, map(sum, zip(own, steps, strict=True)), heights)) >= (3 if sides == 6 else 2)
            }
            assert {cant_stop_fields(number, after.runners) for after in on} == wanted - won
            for after in stops:
                banked = cant_stop_fields(number, after.first if state.player == 0 else after.second)
                assert tuple(map(int.__sub__, banked, own)) in wanted
                assert (after.runners, after.roll, after.player) == (0, 0, 1 - state.player)
    assert passes


def cant_stop_chance(heights, columns, sides):
    """The chance of the first player, by value iteration over (own steps, other's steps, runners), with every roll of four dice."""
    rolls = {}
    for dice in itertools.product(range(1, sides + 1), repeat=4):
        key = tuple(sorted(dice))
        rolls[key] = rolls.get(key, 0) + 1 / sides**4
    nobody = (0,) * len(heights)

    def top(steps):
        return sum(map(int.__eq__, steps, heights))

    def banked(own, other, runners):
        """The steps after a stop: the other loses those in columns that are won."""
        own = tuple(map(sum, zip(own, runners, strict=True)))
        return own, tuple(0 if mine == height else its for mine, its, height in zip(own, other, heights, strict=True))

    follow, todo = {}, [(nobody, nobody, nobody)]
    while todo:
        state = own, other, runners = todo.pop()
        if state in follow:
            continue
        follow[state] = []
        for dice, chance in rolls.items():
            options = []
            for steps in cant_stop_climbs(heights, own, other, runners, dice):
                mine, its = banked(own, other, steps)
                if top(mine) >= columns:
                    options = ["won"]
                    break
                options += [("other", (its, mine, nobody)), ("own", (own, other, steps))]
            options = options or [("other", (other, own, nobody))]
            follow[state].append((chance, options))
            todo += [option[1] for option in options if option != "won"]
    value, change = dict.fromkeys(follow, 0.5), 1.0
    while change > 1e-12:
        change = 0.0
        for state, outcomes in follow.items():
            new = 0.0
            for chance, options in outcomes:
                new += chance * max(
                    1.0 if option == "won" else value[option[1]] if option[0] == "own" else 1 - value[option[1]]
                    for option in options
                )
            change = max(change, abs(new - value[state]))
            value[state] = new
    return value[nobody, nobody, nobody]


def test_a_small_cant_stop_is_worth_what_value_iteration_says():
    solution = solve(load("cant-stop:sides=2,columns=2,shortest=2"), check=False)
    assert (solution.value + 1) / 2 == pytest.approx(cant_stop_chance([2, 4, 2], 2, 2), abs=1e-9)


def test_cant_stop_golden_playthrough():
    game = load("cant-stop")
    state = after_names(game, game.start, "6 5 3 1, 6 9 roll, 6 6 3 1, 7 9 roll, 4 4 4 2, 6 stop, 5 4 3 2")
    assert game.write_state(state) == "6:2 7:1 9:2 /  /  / O 5432"
    assert game.show(state) == (
        "column     2   3   4   5   6   7   8   9  10  11  12\n"
        "steps      3   5   7   9  11  13  11   9   7   5   3\n"
        "X          .   .   .   .   2   1   .   2   .   .   .\n"
        "O          .   .   .   .   .   .   .   .   .   .   .\n"
        "runners    .   .   .   .   .   .   .   .   .   .   .\n"
        "O to pair 5 4 3 2"
    )
    assert [game.name_move(state, move) for move in game.legal(state)] == [
        "5 9 roll", "5 9 stop", "6 8 roll", "6 8 stop", "7 7 roll", "7 7 stop",
    ]  # fmt: skip
    assert {read_move(game, state, text) for text in ("6 8 stop", "8 6 Stop", "stop 6, 8", "6-8 stop")} == {game.legal(state)[3]}
    assert read_move(game, state, "7 7") == game.legal(state)[4]
    lost = after_names(game, read_state(game, "2:2 / / 2:1 3:1 11:1 / X"), "6 6 4 4, pass")
    assert game.write_state(lost) == "2:2 /  /  / O"
    heights, nobody = [3, 5, 7, 9, 11, 13, 11, 9, 7, 5, 3], (0,) * 11
    rolls = itertools.combinations_with_replacement(range(1, 7), 4)
    plays = sum(2 * len(cant_stop_climbs(heights, nobody, nobody, nobody, dice)) for dice in rolls)
    assert [perft(game, plies, compiled=False) for plies in range(3)] == [1, 126, plays] == [1, 126, 462]


def test_a_column_that_is_won_is_closed_and_its_steps_are_taken_away():
    game = load("cant-stop")
    state = after_names(game, read_state(game, "2:2 / 2:1 7:4 / / X 6511"), "2 11 stop")
    assert game.write_state(state) == "2:3 11:1 / 7:4 /  / O"
    state = game.play(state, 6511)
    assert [game.name_move(state, move) for move in game.legal(state)] == ["11 roll", "11 stop", "6 7 roll", "6 7 stop"]


def test_cant_stop_stops_when_it_has_won():
    game = load("cant-stop")
    state = read_state(game, "2:3 12:3 7:12 / / / X 6521")
    found = search(game, state, depth=1, compiled=False)
    assert (game.name_move(state, found.move), found.value, found.proven) == ("7 7 stop", 1, True)
    assert [game.name_move(state, move) for move in game.legal(state)] == [
        "3 11 roll",
        "3 11 stop",
        "6 8 roll",
        "6 8 stop",
        "7 7 stop",
    ]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("7:3", "write the steps of X, of O, of the runners"),
        ("7:14 / / / X", "'7:14' names no steps"),
        ("7:12 / / 7:2 / X", "column 7 has 13 steps"),
        ("2:3 / / 2:1 / O", "a runner is in column 2, which is won"),
        ("2:3 / 2:1 / / O", "in a column that one player has won"),
        (" / / 2:1 3:1 4:1 5:1 / X", "there are 3 runners"),
        (" / / / Z", "write at the end X or O"),
    ],
)
def test_cant_stop_refuses_what_is_no_position(text, words):
    with pytest.raises(StateError, match=words):
        read_state(load("cant-stop"), text)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("two-dice-pig:goal=0", "goal=0 of two-dice-pig must be a whole number from 1"),
        ("hog:dice=21", "dice=21 of hog must be a whole number from 1 to 20"),
        ("hog:goal=x", "goal='x' of hog"),
        ("einstein:size=8", "size=8 of einstein must be a whole number from 2 to 7"),
        ("einstein:size=3,stones=4", "stones=4 of einstein must be a whole number from 1 to 3 on 3 by 3"),
        ("cant-stop:sides=7", "sides=7 of cant-stop must be a whole number from 2 to 6"),
        ("cant-stop:columns=7", "columns=7 of cant-stop must be a whole number from 1 to 6"),
        ("cant-stop:shortest=6", "shortest=6 of cant-stop must be a whole number from 1 to 5"),
    ],
)
def test_what_cannot_be_made_is_refused(name, words):
    with pytest.raises(OptionError, match=words):
        load(name)


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("two-dice-pig", "1,2", "is not a state of two-dice-pig"),
        ("two-dice-pig", "1,2,3,2", "are 0 or 1"),
        ("hog", "1,2", "is not a state of hog"),
        ("hog", "1,2,0,11", "at most 10 dice are in the air"),
    ],
)
def test_pigs_and_hogs_refuse_what_is_no_state(name, text, words):
    with pytest.raises(StateError, match=words):
        read_state(load(name), text)


# Pig, in lockstep with OpenSpiel


@pytest.mark.fuzz
def test_fuzz_random_games_of_pig_in_lockstep_with_open_spiel():
    """`make fuzz`: 10,000 random games, unless FUZZ_SECONDS are over before. OpenSpiel also holds an empty pot, and rolls on with one that wins."""
    pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed: make bench installs it")
    until, seed = time.monotonic() + float(os.environ.get("FUZZ_SECONDS", "600")), time.time_ns()
    game, peer = load("pig"), pyspiel.load_game("pig(players=2,winscore=100,horizon=100000)")
    games, dice = 0, Random(seed)
    while games < 10_000 and time.monotonic() < until:
        state, theirs = game.start, peer.new_initial_state()
        while game.turn(state) != OVER:
            words = str(theirs).replace(",", " ").split()  # Scores: 4 0  Turn total: 3 Current player: 0
            assert [state.first, state.second, state.pot] == [int(words[1]), int(words[2]), int(words[5])]
            if game.turn(state) == CHANCE:
                assert theirs.is_chance_node()
                outcome = game.roll(state, dice)
                theirs.apply_action(outcome - 1)
            else:
                assert game.turn(state) == theirs.current_player()
                names = {theirs.action_to_string(action): action for action in theirs.legal_actions()}
                outcome = dice.choice(game.legal(state))
                theirs.apply_action(names["roll" if game.name_move(state, outcome) == "roll" else "stop"])
            state = game.play(state, outcome)
        assert theirs.is_terminal()
        assert theirs.returns() == [game.score(state), -game.score(state)]
        games += 1
    print(f"{games:,} games of Pig agree (seed {seed})")
