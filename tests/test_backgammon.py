"""Backgammon: rules against a slow generator of plays, known numbers, names of plays, bearing off exactly."""

import os
import time
from collections import Counter
from fractions import Fraction
from functools import cache
from math import comb
from random import Random

import numpy as np
import pytest

from outplay import CHANCE, OVER, load, search, solve
from outplay.errors import IllegalMove, OptionError, StateError
from outplay.games.backgammon import MOST, number_on
from outplay.rules.text import after_names, read_move, read_state
from outplay.search.perft import perft

ROLLS = [(higher, lower) for higher in range(1, 7) for lower in range(1, higher + 1)]


# A slow generator: a board is the men of the mover by its points (0 off, 25 the bar) and of the other by its own points.


def board_of(state):
    """The men of the player to move and of the other, as tuples by point; those borne off are not counted."""
    sides = ((state.own, state.own_more), (state.other, state.other_more))
    return tuple(tuple(number_on(*side, point) for point in range(26)) for side in sides)


def single_steps(board, die):
    """Every way to play one die: the boards after it."""
    own, other = board
    for point in range(25, 0, -1):
        if not own[point] or (own[25] and point != 25):
            continue
        end = point - die
        if end <= 0:
            if any(own[7:]) or (end < 0 and any(own[point + 1 :])):
                continue
        elif other[25 - end] >= 2:
            continue
        mine, theirs = list(own), list(other)
        mine[point] -= 1
        if end > 0:
            mine[end] += 1
            if theirs[25 - end]:
                theirs[25 - end] -= 1
                theirs[25] += 1
        yield tuple(mine), tuple(theirs)


def sequences(board, dice):
    """Every way to play *dice* in that order: the dice played, as many as one goes on, and the board after them."""
    if dice:
        for after in single_steps(board, dice[0]):
            yield from sequences(after, dice[1:])
    yield dice, board  # the dice left


def boards_after(board, higher, lower):
    """The boards after every legal play: as many dice as possible, and the higher one if only one can be played."""
    orders = [4 * (higher,)] if higher == lower else [(higher, lower), (lower, higher)]
    plays = [(len(order) - len(left), order[0], after) for order in orders for left, after in sequences(board, order)]
    most = max(length for length, _, _ in plays)
    best = [(first, after) for length, first, after in plays if length == most]
    if most == 1 and any(first == higher for first, _ in best):
        best = [(first, after) for first, after in best if first == higher]
    return {after for _, after in best}


def turned(board):
    return board[1], board[0]


def assert_plays(game, state):
    """The plays of *state* lead to each position that the slow generator finds, once."""
    found = [board_of(game.play(state, move)) for move in game.legal(state)]
    wanted = {turned(after) for after in boards_after(board_of(state), state.roll // 10, state.roll % 10)}
    assert len(found) == len(set(found)), game.write_state(state)
    assert set(found) == wanted, game.write_state(state)


def random_state(dice, men=15):
    """A position as random games hardly reach it: men anywhere, some at home, some on the bar, any roll."""
    game = load("backgammon")
    highest = dice.choice((3, 6, 7, 8, 12, 24, 25))
    bar = min(dice.choice((0, 0, 0, 1, 2)), men - 1)
    mine = Counter(dice.randint(1, highest) for _ in range(dice.randint(1, men - bar))) + Counter({25: bar})
    free = [point for point in range(1, dice.choice((7, 13, 26))) if point == 25 or not mine[25 - point]] or [25]
    size = min(dice.choice((1, 2, 2, 3)), men)  # men that stand together make walls
    theirs = Counter(dice.sample(free, dice.randint(1, min(men // size, len(free)))) * size)
    roll = "".join(map(str, sorted(dice.choices(range(1, 7), k=2))))
    texts = [
        " ".join(f"{'bar' if point == 25 else point}x{number}" for point, number in side.items() if number)
        for side in (mine, theirs)
    ]
    return read_state(game, f"{texts[0]} / {texts[1]} / X {roll}")


def test_plays_are_those_of_the_slow_generator_in_random_games():
    game, dice = load("backgammon"), Random(1)
    doubles = 0
    for _ in range(10):
        state = game.start
        while game.turn(state) != OVER:
            if game.turn(state) == CHANCE:
                state = game.play(state, game.roll(state, dice))
                continue
            doubles += state.roll % 11 == 0
            assert_plays(game, state)
            state = game.play(state, dice.choice(game.legal(state)))
    assert doubles > 20


def test_plays_are_those_of_the_slow_generator_in_positions_of_every_kind():
    """Few men, all at home, on the bar, behind walls: where both dice cannot be played, or only in one order."""
    game, dice = load("backgammon"), Random(2)
    kinds = Counter()
    for _ in range(2500):
        state = random_state(dice, men=dice.choice((3, 6, 15)))
        assert_plays(game, state)
        starts = [move >> 5 * place & 31 for move in game.legal(state)[:1] for place in range(4)]
        kinds[sum(map(bool, starts))] += 1
    assert min(kinds[number] for number in range(5)) > 20  # passes, single men, and doubles of three and four


def test_there_are_at_most_3060_plays():
    """A play of a double spreads four steps over fifteen men; two different dice have fewer plays by far."""
    assert comb(15 + 4 - 1, 4) == MOST == load("backgammon").max_moves
    game = load("backgammon")
    scattered = "23x1 22x1 20x1 19x1 17x1 16x1 14x1 13x1 11x1 10x1 8x1 7x1 5x1 4x1 2x1"
    states = [read_state(game, f"{scattered} / 1x1 / X {roll}") for roll in (11, 22, 33, 65)]
    assert [len(game.legal(state)) for state in states] == [2128, 1652, 1145, 128]
    assert_plays(game, states[0])


def test_perft_counts_the_plays_of_the_slow_generator():
    game = load("backgammon")
    board = board_of(game.start)
    plays = {(higher, lower): boards_after(board, higher, lower) for higher, lower in ROLLS if higher != lower}
    after_two = sum(len(boards_after(turned(after), *roll)) for boards in plays.values() for after in boards for roll in ROLLS)
    assert perft(game, 1) == 30
    assert perft(game, 2) == 2 * sum(map(len, plays.values())) == 380
    assert perft(game, 3) == 21 * perft(game, 2)
    assert perft(game, 4) == 2 * after_two


def test_the_opening_roll_is_no_double_and_decides_who_begins():
    game = load("backgammon")
    outcomes = game.outcomes(game.start)
    assert len(outcomes) == 30
    assert {probability for _, probability in outcomes} == {1 / 30}
    assert game.write_state(game.after(game.start, [25])).endswith("/ O 52")
    assert game.write_state(game.after(game.start, [52])).endswith("/ X 52")
    later = game.outcomes(read_state(game, "1x1 / 1x1 / X"))
    assert len(later) == 21
    assert sum(Fraction(probability).limit_denominator(36) for _, probability in later) == 1
    assert dict(later)[33] == 1 / 36


def test_backgammon_golden_playthrough():
    game = load("backgammon")
    state = after_names(game, game.start, "X 3 O 1, 8/5 6/5, 64, 24/14, 41, 13/9 24/23, 66, 24/18 14/8 13/7(2)")
    assert game.write_state(state) == "24x1 23x1 13x4 9x1 8x2 6x4 5x2 / 18x1 13x3 8x4 7x2 6x5 / X"
    assert game.show(state) == (
        "  13  14  15  16  17  18  | |  19  20  21  22  23  24\n"
        "  4X   .   .   .  4O  2O  | |  5O   .   .   .  1X  1X\n"
        "\n"
        "  3O   .   .  1X  2X  1O  | |  4X  2X   .   .   .   .\n"
        "  12  11  10   9   8   7  | |   6   5   4   3   2   1\n"
        "\n"
        "X: bar 0, off 0   O: bar 0, off 0\n"
        "X to roll"
    )
    hit = after_names(game, state, "61, 13/7* 8/7")
    assert game.write_state(hit) == "24x1 23x1 13x3 9x1 8x1 7x2 6x4 5x2 / barx1 13x3 8x4 7x2 6x5 / O"


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("8x2 / 23x2 / X 66", ["pass"]),
        ("8x1 / 7x2 / X 66", ["8/off"]),
        ("24x1 / 4x2 / X 21", ["24/22"]),  # either die, but not both: the higher one
        ("24x1 / 4x2 3x2 / X 21", ["24/23"]),
        ("10x1 / 18x2 16x1 / X 61", ["10/3", "10/9*/3"]),
        ("barx2 6x3 / 20x2 / X 53", ["bar/22 bar/20"]),
        ("barx1 6x3 / 6x2 5x2 4x2 3x2 2x2 1x2 / X 53", ["pass"]),
        ("6x1 2x2 / 1x1 / X 64", ["6/off", "6/off 2/off"]),
        ("6x1 1x1 / 1x1 / X 65", ["6/off", "6/off 1/off"]),
        ("3x1 2x1 / 1x1 / X 65", ["3/off 2/off"]),
        ("6x1 3x1 / 1x1 / X 32", ["6/1", "6/4 3/off"]),
        ("6x4 / 1x1 / X 66", ["6/off(4)"]),
        ("13x1 6x2 / 1x1 / X 66", ["13/1 6/off(2)"]),
    ],
)
def test_plays_by_hand(text, names):
    game = load("backgammon")
    state = read_state(game, text)
    assert sorted(game.name_move(state, move) for move in game.legal(state)) == sorted(names)


@pytest.mark.parametrize(
    ("text", "score"),
    [
        ("1x1 / / X", None),
        (" / 1x1 / O", 1),
        (" / 6x15 / O", 2),
        (" / 18x1 6x14 / O", 2),
        (" / 19x1 6x14 / O", 3),
        (" / barx1 6x14 / O", 3),
        (" / barx1 6x13 / O", 1),
    ],
)
def test_a_gammon_counts_2_and_a_backgammon_3(text, score):
    game = load("backgammon")
    if score is None:
        state = game.after(read_state(game, "23x15 / 1x1 / O 61"), [1])
        assert (game.turn(state), game.score(state)) == (OVER, -3)
        return
    state = read_state(game, text)
    assert (game.turn(state), game.score(state)) == (OVER, score)


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("24x2 13x5 8x3 6x5 / 24x2 13x5 8x3 6x5 / X 31", ["8/5 6/5", "6/5 8/5", "6/5, 8/5", " 8-5 6-5 ", "8/5  6/5"]),
        ("24x2 13x5 8x3 6x5 / 24x2 13x5 8x3 6x5 / X 65", ["24/13", "24/18/13", "24/18 18/13"]),
        ("24x2 13x5 8x3 6x5 / 24x2 13x5 8x3 6x5 / O 11", ["8/7(2) 6/5(2)", "6/5(2) 8/7(2)", "8/7 6/5 8/7 6/5"]),
        ("barx1 6x5 / 24x2 6x5 / X 31", ["bar/22 6/5", "BAR/22 6/5", "6/5 25/22", "b / 22 6/5"]),
        ("6x2 3x1 / 1x1 / X 65", ["6/off 6/1", "6/1 6/OFF", "6/1 6/0", "6/o 6 / 1"]),
        ("barx1 / 6x2 5x2 4x2 3x2 2x2 1x2 / X 31", ["pass", "Pass", "no move"]),
        ("24x1 / 24x2 7x1 / X 65", ["24/18*/13", "24/18/13", "24/18*/13"]),
    ],
)
def test_plays_are_read_in_any_usual_order_and_case(text, same):
    game = load("backgammon")
    state = read_state(game, text)
    found = {read_move(game, state, name) for name in same}
    assert len(found) == 1
    assert read_move(game, state, game.name_move(state, found.pop())) in game.legal(state)


def test_every_play_is_read_by_its_own_name():
    game, dice = load("backgammon"), Random(5)
    for _ in range(150):
        state = random_state(dice)
        names = [game.name_move(state, move) for move in game.legal(state)]
        assert len(set(names)) == len(names)
        for move, name in list(zip(game.legal(state), names, strict=True))[:20]:
            assert read_move(game, state, name) == move, (game.write_state(state), name)


def test_a_play_that_hits_on_one_way_alone_is_told_by_its_star():
    game = load("backgammon")
    state = read_state(game, "24x1 / 24x2 7x1 / X 65")
    assert {game.name_move(state, move) for move in game.legal(state)} == {"24/18*/13", "24/13"}
    assert read_move(game, state, "24/13") != read_move(game, state, "24/18*/13")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("8/4 6/5", "is not a legal play of 31; legal: "),
        ("eight", "is not a play; write each man's way, such as 8/5 6/5"),
        ("pass", "is not"),
    ],
)
def test_what_is_no_play_is_refused(text, words):
    game = load("backgammon")
    state = read_state(game, "24x2 13x5 8x3 6x5 / 24x2 13x5 8x3 6x5 / X 31")
    with pytest.raises(IllegalMove, match=words):
        read_move(game, state, text)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("6x5", "write the men of X, of O, and who is to roll"),
        ("26x1 / 1x1 / X", "'26x1' names no men"),
        ("6 / 19x1 / X", "both players have men on point 6 of X, which is point 19 of O"),
        ("6x16 / 1x1 / X", "has 16 men on one side; in backgammon a player has 15"),
        ("6x1 / 1x1 / Z", "write at the end X or O"),
        ("6x1 / 1x1 / X 71", "'71' is not a roll"),
        (" / 1x1 / X", "a player without men has won"),
        ("1x1 / / X 31", "a player without men has won"),
    ],
)
def test_backgammon_refuses_what_is_no_position(text, words):
    with pytest.raises(StateError, match=words):
        read_state(load("backgammon"), text)


def test_variants_and_starts_by_text():
    assert load("backgammon:variant=hypergammon").write_state(load("backgammon:variant=hypergammon").start) == (
        "24x1 23x1 22x1 / 24x1 23x1 22x1 / opening"
    )
    assert sum(board_of(load("backgammon:variant=nackgammon").start)[0]) == 15
    game = load("backgammon:start=6x2 / 6x1 / X")
    assert game.write_state(game.start) == "6x2 / 6x1 / X"
    with pytest.raises(OptionError, match="variant='long' of backgammon is unknown; there are standard, nackgammon, hypergammon"):
        load("backgammon:variant=long")


# Bearing off, exactly: by the slow generator and fractions.


def chance_of(roll):
    return Fraction(1, 36) if roll[0] == roll[1] else Fraction(1, 18)


@cache
def win_chance(board):
    """The chance of the player to roll, where men cannot meet any more."""
    other = board[1]
    total = Fraction(0)
    for roll in ROLLS:
        afters = boards_after(board, *roll)
        best = max(Fraction(1) if not any(after[0]) else 1 - win_chance((other, after[0])) for after in afters)
        total += chance_of(roll) * best
    return total


@pytest.mark.parametrize("text", ["1x1 / 6x1 / X", "6x1 5x1 / 2x2 / X", "5x2 2x1 / 4x1 3x1 1x1 / X", "3x1 2x2 1x1 / 2x2 1x2 / O"])
def test_bearing_off_is_solved_exactly(text):
    game = load("backgammon")
    state = read_state(game, text)
    chance = win_chance(board_of(state))
    sign = 1 if state.player == 0 else -1
    assert solve(game, state, check=False).value == pytest.approx(sign * float(2 * chance - 1), abs=1e-12)


@cache
def mean_rolls(own):
    """The mean number of rolls in which a player alone bears off all men, if it is as small as can be."""
    if not any(own):
        return Fraction(0)
    nobody = (0,) * 26
    return 1 + sum(chance_of(roll) * min(mean_rolls(after) for after, _ in boards_after((own, nobody), *roll)) for roll in ROLLS)


def our_mean_rolls(game, state, known):
    """The same by our rules; the other player waits, with a man at home."""
    if game.turn(state) == OVER:
        return Fraction(0)
    if state not in known:
        total = Fraction(1)
        for outcome, _ in game.outcomes(state):
            rolled = game.play(state, outcome)
            means = []
            for move in game.legal(rolled):
                after = game.play(rolled, move)
                again = after if game.turn(after) == OVER else type(after)(*after[2:4], *after[:2], 0, state.player)
                means.append(our_mean_rolls(game, again, known))
            total += chance_of((outcome // 10, outcome % 10)) * min(means)
        known[state] = total
    return known[state]


@pytest.mark.parametrize(
    ("men", "mean"),
    [
        ("6x1", Fraction(5, 4)),  # 27 of 36 rolls bear it off, and any second roll does
        ("5x1", Fraction(41, 36)),
        ("6x1 5x1", None),
        ("4x1 3x1 2x1", None),
        ("3x2 2x1 1x1", None),
        ("2x3 1x2", None),
        ("2x3 1x3", None),
    ],
)
def test_mean_rolls_of_one_to_six_men(men, mean):
    game = load("backgammon")
    state = read_state(game, f"{men} / 1x1 / X")
    found = our_mean_rolls(game, state, {})
    assert found == mean_rolls(board_of(state)[0])
    assert mean is None or found == mean


def test_the_estimate_is_odd_in_the_players_and_knows_a_won_race():
    game, dice = load("backgammon"), Random(7)
    for _ in range(200):
        state = random_state(dice)
        turned_round = type(state)(*state[:5], 1)
        assert game.estimate(turned_round) == -game.estimate(state)
        assert -3 < game.estimate(state) < 3
    assert game.estimate(read_state(game, "1x2 / 6x10 / X")) > 0.8
    assert game.estimate(read_state(game, "6x10 / 1x2 / X")) < -0.8


def test_bounds_hold_in_every_result():
    game, dice = load("backgammon:variant=hypergammon"), Random(8)
    results = Counter()
    for _ in range(300):
        states = [game.start]
        while game.turn(states[-1]) != OVER:
            state = states[-1]
            choice = game.roll(state, dice) if game.turn(state) == CHANCE else dice.choice(game.legal(state))
            states.append(game.play(state, choice))
        result = game.score(states[-1])
        results[result] += 1
        assert all(low <= result <= high for low, high in map(game.bounds, states[:-1]))
    assert set(results) == {-3, -2, -1, 1, 2, 3}


def test_a_search_makes_the_five_point_and_takes_the_last_men_off():
    game = load("backgammon")
    found = search(game, read_state(game, "24x2 13x5 8x3 6x5 / 24x2 13x5 8x3 6x5 / X 31"), depth=2, check=False)
    assert game.name_move(found.state, found.move) == "8/5 6/5"
    found = search(game, read_state(game, "6x1 4x1 / 1x1 / X 65"), depth=1, check=False)
    assert (game.name_move(found.state, found.move), found.value) == ("6/off 4/off", 1)


@pytest.mark.fuzz
def test_fuzz_plays_are_those_of_the_slow_generator():
    """`make fuzz`: new positions until the time is up, FUZZ_SECONDS or ten minutes."""
    until, seed = time.monotonic() + float(os.environ.get("FUZZ_SECONDS", "600")), time.time_ns()
    game, dice, number = load("backgammon"), Random(seed), 0
    while time.monotonic() < until:
        assert_plays(game, random_state(dice, men=dice.choice((2, 3, 6, 10, 15))))
        number += 1
    print(f"{number:,} positions agree (seed {seed})")


# In lockstep with OpenSpiel. It plays a double as two half-moves of two men, each as long as possible: so it also allows plays of
# a double that are not as long as possible in all. They are left out here; the slow generator above knows the rule.

PLACES = np.arange(24)
POINTS_OF = (1 << 24 - PLACES, 1 << PLACES + 1)  # of X and of O, as bits, by OpenSpiel's numbers


def open_spiel_board(state):
    """The planes of X and of O; OpenSpiel describes a point by whether it has 1, 2 or 3 men, and how many more."""
    features = np.array(state.observation_tensor(0)[:192]).reshape(2, 24, 4)
    men = (features @ (1, 2, 3, 1) + 3 * (features[:, :, 3] > 0)).astype(np.int64)
    planes = []
    for player, points in enumerate(POINTS_OF):
        bar = state.board(player, 100)
        ones, twos, fours, eights = (int((men[player] >> bit & 1) @ points) | (bar >> bit & 1) << 25 for bit in range(4))
        planes += [ones | twos << 32, fours | eights << 32]
    return tuple(planes)


def plays_of(state):
    """The boards after each play of *state*, with the number of men that move and the state there."""
    found, halves = {}, {}
    player = state.current_player()
    for action in state.legal_actions():
        child = state.child(action)
        used = sum(step.pos >= 0 for step in state.spiel_move_to_checker_moves(player, action))
        board = open_spiel_board(child)
        if child.current_player() == player:  # the other half of a double
            halves.setdefault((board, used), child)
        elif board not in found or found[board][0] < used:
            found[board] = (used, child)
    for (_, used), child in halves.items():
        for board, (more, after) in plays_of(child).items():
            if board not in found or found[board][0] < used + more:
                found[board] = (used + more, after)
    return found


def any_play(state, dice):
    """A board after a random play of *state*, and the state there."""
    child = state.child(dice.choice(state.legal_actions()))
    if child.current_player() == state.current_player():
        child = child.child(dice.choice(child.legal_actions()))
    return open_spiel_board(child), child


def rolled(theirs, state, dice):
    """Roll the dice in OpenSpiel; return the same outcome as ours."""
    outcome = dice.choices(*zip(*theirs.chance_outcomes(), strict=True))[0]
    text = theirs.action_to_string(-1, outcome)
    theirs.apply_action(outcome)
    first, second = sorted(text.split("roll: ")[1][:2])
    return int(first + second) if state.roll < 0 and "O starts" in text else int(second + first)


def lockstep(game, peer, dice):
    """Play a random game in both; compare all plays of every fourth position, one play of the others, and the result.

    Return the number of positions, and of the plays of doubles that OpenSpiel allows although they are too short.
    """
    theirs, state, positions, left_out = peer.new_initial_state(), game.start, 0, 0
    while not theirs.is_terminal():
        if theirs.is_chance_node():
            state = game.after(state, [rolled(theirs, state, dice)])
            continue
        assert game.turn(state) == theirs.current_player()
        positions += 1
        moves = {}
        for move in game.legal(state):
            after = game.play(state, move)
            moves[after[2:4] + after[:2] if state.player == 0 else after[:4]] = move
        board, after = any_play(theirs, dice)
        if positions % 4 == 0 or board not in moves:
            plays = plays_of(theirs)
            longest = max(used for used, _ in plays.values())
            allowed = {board: after for board, (used, after) in plays.items() if used == longest}
            left_out += len(plays) - len(allowed)
            assert len(moves) == len(game.legal(state))
            assert set(moves) == set(allowed), game.write_state(state)
            board = dice.choice(sorted(allowed))
            after = allowed[board]
        state, theirs = game.play(state, moves[board]), after
    assert game.turn(state) == OVER
    assert [game.score(state), -game.score(state)] == theirs.returns()
    return positions, left_out


@pytest.mark.fuzz
def test_fuzz_random_games_in_lockstep_with_open_spiel():
    """`make fuzz`: FUZZ_GAMES random games, 10,000 if nothing is said, unless FUZZ_SECONDS are over before."""
    pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed: make bench installs it")
    until, seed = time.monotonic() + float(os.environ.get("FUZZ_SECONDS", "600")), time.time_ns()
    games, positions, left_out, dice = 0, 0, 0, Random(seed)
    game, peer = load("backgammon"), pyspiel.load_game("backgammon(scoring_type=full_scoring)")
    while games < int(os.environ.get("FUZZ_GAMES", "10000")) and time.monotonic() < until:
        more, fewer = lockstep(game, peer, dice)
        games, positions, left_out = games + 1, positions + more, left_out + fewer
    print(f"{games:,} games with {positions:,} positions agree (seed {seed}); {left_out:,} plays of doubles were too short")
