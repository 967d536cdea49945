"""Nim against plain tuples, and against Bouton's theorem."""

import random
from itertools import combinations_with_replacement

import pytest

from outplay import OVER, check, load, minimax, perft, search
from outplay.errors import IllegalMove, OptionError, StateError
from outplay.rules.text import read_move, read_state

NORMAL, MISERE = "nim", "nim:misere=true"


# Nim on plain tuples


def plain_heaps_after(heaps):
    return [(*heaps[:place], left, *heaps[place + 1 :]) for place, heap in enumerate(heaps) for left in range(heap)]


def plain_paths(heaps, plies):
    return 1 if plies == 0 else sum(plain_paths(after, plies - 1) for after in plain_heaps_after(heaps))


def bouton_says_won(heaps, misere):
    """C. L. Bouton, Nim, a game with a complete mathematical theory, Annals of Mathematics 3, 1901."""
    if misere and max(heaps) <= 1:
        return sum(heaps) % 2 == 0
    return heaps[0] ^ heaps[1] ^ heaps[2] != 0


def solved(game, state):
    """Misère play would be compiled anew; interpreted, it is the same source."""
    found = search(game, state, nodes=10**9, compiled="misere" not in game.name, check=False)
    assert found.proven
    return found


def random_states(game, number):
    dice, found = random.Random(0), []
    while len(found) < number:
        state = game.start
        for _ in range(dice.randrange(5)):
            state = game.play(state, dice.choice(game.legal(state))) if game.turn(state) != OVER else game.start
        found += [state] if game.turn(state) != OVER else []
    return found


# The rules


@pytest.mark.parametrize("name", [NORMAL, MISERE])
def test_nim_is_written_right(name):
    report = check(name, games=30)
    assert report.ok, str(report)


def test_nim_golden_playthrough():
    game = load("nim")
    state = game.start
    for move in ("a2", "c5", "b3", "a1"):
        state = game.play(state, read_move(game, state, move))
    assert game.write_state(state) == "0-1-0,0"
    assert game.show(state) == "a  0\nb  1 |\nc  0"
    assert [game.name_move(state, move) for move in game.legal(state)] == ["b1"]
    over = game.play(state, read_move(game, state, "B1"))
    assert (game.turn(over), game.score(over)) == (OVER, 1)
    assert load(MISERE).score(over) == -1


def test_a_move_takes_from_one_heap_the_most_first():
    game = load("nim")
    state = read_state(game, "2-0-3,1")
    assert [game.name_move(state, move) for move in game.legal(state)] == ["a2", "a1", "c3", "c2", "c1"]
    assert sorted(game.play(state, move).heaps for move in game.legal(state)) == sorted(plain_heaps_after((2, 0, 3)))
    with pytest.raises(IllegalMove, match="'b1' is not a legal move here; legal moves: a2, a1, c3, c2, c1"):
        read_move(game, state, "b1")


def test_nim_perft_is_that_of_plain_tuples():
    game = load("nim")
    counted = [perft(game, plies) for plies in range(7)]
    assert counted == [plain_paths((3, 4, 5), plies) for plies in range(7)]
    assert counted == [1, 12, 113, 810, 4_338, 17_496, 53_442]
    assert perft(game, 12) == 27_720  # one object at a time: 12! / (3! 4! 5!) orders
    assert perft(game, 13) == 0


def test_the_order_of_the_heaps_does_not_matter_to_the_key():
    game = load("nim")
    keys = {heaps: game.key(read_state(game, heaps)) for heaps in ("1-2-3", "3-1-2", "1-1-3", "0-0-3", "1-2-3,1")}
    assert keys["1-2-3"] == keys["3-1-2"]
    assert len(set(keys.values())) == 4


# Search


@pytest.mark.parametrize("name", [NORMAL, MISERE])
def test_nim_is_won_where_bouton_says(name):
    game = load(name)
    for heaps in combinations_with_replacement(range(5), 3):
        for player in (0, 1) if any(heaps) else ():
            found = solved(game, game.start._replace(heaps=heaps, player=player))
            mover_wins = found.value == (1 if player == 0 else -1)
            assert mover_wins == bouton_says_won(heaps, "misere" in name)


@pytest.mark.parametrize("name", [NORMAL, MISERE])
def test_of_3_4_5_the_only_good_move_leaves_1_4_5(name):
    game = load(name)
    values = {
        game.name_move(game.start, move): solved(game, game.play(game.start, move)).value for move in game.legal(game.start)
    }
    assert [move for move, value in values.items() if value == 1] == ["a2"]


def test_misere_play_differs_at_the_end():
    """From 1-1-2 the normal winner takes both of the last heap, the misère winner one of them."""
    normal, misere = load(NORMAL), load(MISERE)
    state = read_state(normal, "1-1-2")
    assert normal.name_move(state, solved(normal, state).move) == "c2"
    assert misere.name_move(state, solved(misere, state).move) == "c1"


@pytest.mark.parametrize("name", [NORMAL, MISERE])
def test_bouton_s_winning_moves_are_tried_first(name):
    game = load(name)
    for heaps in combinations_with_replacement(range(5), 3):
        state = game.start._replace(heaps=heaps)
        for move in game.legal(state):
            assert game.rank(state, move) == (not bouton_says_won(game.play(state, move).heaps, "misere" in name))


def test_rank_and_key_change_no_value():
    game = load("nim")
    for state in random_states(game, 30):
        for depth in (1, 2, 3, 4, 6):
            assert search(game, state, depth=depth, check=False).value == minimax(game, state, depth=depth).value


# Options and states


@pytest.mark.parametrize(
    ("parameters", "name", "heaps"),
    [
        ("heaps=3-4-5", "nim", (3, 4, 5)),
        ("heaps=7", "nim 7", (7,)),
        ("heaps=1-3-5-7,misere=1", "nim 1-3-5-7, misere", (1, 3, 5, 7)),
        ("misere=True", "nim, misere", (3, 4, 5)),
        ("misere=0", "nim", (3, 4, 5)),
    ],
)
def test_heaps_are_parted_by_dashes(parameters, name, heaps):
    game = load(f"nim:{parameters}")
    assert (game.name, game.start) == (name, (heaps, 0))
    assert game.score(game.start) == (1 if "misere" in name else -1)  # if these were all: who is to move has not taken the last


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ("heaps=3-x", "heaps='3-x' of nim must be 1 to 10 numbers from 1 to 63, separated by -, such as 3-4-5"),
        ("heaps=0", "heaps=0 of nim must be"),
        ("heaps=64", "heaps=64 of nim must be"),
        ("heaps=-3", "heaps=-3 of nim must be"),
        ("heaps=" + "-".join("1" * 11), "must be 1 to 10 numbers"),
        ("misere=maybe", "misere='maybe' of nim must be true or false"),
    ],
)
def test_nim_refuses_heaps_that_there_cannot_be(parameters, words):
    with pytest.raises(OptionError, match=words):
        load(f"nim:{parameters}")


@pytest.mark.parametrize("text", ["3-4", "3-4-5-6", "3-4-64", "3-4-five", "3-4-5,2", "", "3-4-5,0,1"])
def test_nim_refuses_what_is_no_state(text):
    with pytest.raises(
        StateError, match="is not a state of nim; write 3 numbers from 0 to 63, separated by -, then ,1 .* such as 3-4-5,1"
    ):
        read_state(load("nim"), text)
