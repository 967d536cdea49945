"""Yahtzee: what dice score, jokers and bonuses, exact values of a few boxes beside an independent computation."""

import itertools
from collections import Counter
from functools import cache
from random import Random

import pytest

from outplay import CHANCE, OVER, load, search, solve
from outplay.errors import IllegalMove, OptionError, StateError
from outplay.games.yahtzee import BOXES, SCORE, points
from outplay.rules.text import after_names, read_move, read_state
from outplay.search.perft import perft

GAME = load("yahtzee")


def counted(faces):
    return sum(1 << 3 * (face - 1) for face in faces)


@cache
def slow_points(faces, box, joker=False):
    """What five dice score, by the words of the rules."""
    name, counts = BOXES[box], sorted(Counter(faces).values())
    runs = [set(range(first, first + length)) <= set(faces) for length in (4, 5) for first in range(1, 8 - length)]
    if box < 6:
        return sum(face for face in faces if face == box + 1)
    return {
        "three of a kind": sum(faces) * (counts[-1] >= 3),
        "four of a kind": sum(faces) * (counts[-1] >= 4),
        "full house": 25 * (counts == [2, 3] or joker),
        "small straight": 30 * (any(runs[:3]) or joker),
        "large straight": 40 * (any(runs[3:]) or joker),
        "yahtzee": 50 * (counts == [5]),
        "chance": sum(faces),
    }[name]


def test_every_roll_scores_in_every_box_what_the_rules_say():
    for faces in itertools.combinations_with_replacement(range(1, 7), 5):
        for box in range(13):
            assert points(counted(faces), box, False) == slow_points(faces, box), (faces, BOXES[box])
            assert points(counted(faces), box, True) == slow_points(faces, box, joker=True)


def test_the_probabilities_of_five_dice_are_those_of_7776_rolls():
    found = dict(GAME.outcomes(GAME.start))
    wanted = Counter(counted(faces) for faces in itertools.product(range(1, 7), repeat=5))
    assert found == pytest.approx({dice: number / 7776 for dice, number in wanted.items()}, abs=1e-15)
    kept = read_state(GAME, " / 0 / 66??? / 1")
    wanted = Counter(counted(faces) for faces in itertools.product(range(1, 7), repeat=3))
    assert dict(GAME.outcomes(kept)) == pytest.approx({dice: number / 216 for dice, number in wanted.items()}, abs=1e-15)


def test_all_dice_that_can_be_kept_are_offered_once():
    dice = Random(1)
    for _ in range(60):
        faces = sorted(dice.choices(range(1, 7), k=5), reverse=True)
        state = read_state(GAME, f" / 0 / {''.join(map(str, faces))} / {dice.choice((0, 1, 2))}")
        keeps = [move for move in GAME.legal(state) if move < SCORE]
        wanted = {counted(some) for number in range(5) for some in itertools.combinations(faces, number)}
        assert sorted(keeps) == (sorted(wanted) if state.left else [])


# Values


@cache
def keeps_of(faces):
    return sorted({some for number in range(6) for some in itertools.combinations(faces, number)})


@cache
def rolls_after(kept):
    """The five dice that follow from the *kept* ones, each with its probability."""
    number = 5 - len(kept)
    ways = Counter(tuple(sorted(kept + new)) for new in itertools.product(range(1, 7), repeat=number))
    return [(faces, way / 6**number) for faces, way in ways.items()]


def best_mean(boxes, rolls=3, jokers=1):
    """The best mean score of some *boxes*, turn by turn: another recursion than the game's, over plain tuples."""
    boxes = tuple(BOXES.index(box) for box in boxes)
    yahtzee = BOXES.index("yahtzee")
    bonus = set(range(6)) <= set(boxes)

    def places(faces, left, filled):
        """The boxes that may be filled, and whether the dice are a joker there."""
        if not jokers or len(set(faces)) > 1 or yahtzee in left:
            return left, False
        own = faces[0] - 1
        if own in left:
            return left if jokers == 2 else (own,), False
        return left if jokers == 2 else tuple(box for box in left if box > 5) or left, True

    @cache
    def turn_value(left, fifty, upper):
        if not left:
            return 0.0
        value = {}
        for faces, _ in rolls_after(()):
            allowed, joker = places(faces, left, None)
            best = -1.0
            for box in allowed:
                gain = slow_points(faces, box, joker)
                holds = fifty or (jokers and box == yahtzee and len(set(faces)) == 1)
                after = min(upper + gain, 63) if bonus and box < 6 else upper
                gain += 100 * (fifty and len(set(faces)) == 1) + 35 * (upper < 63 == after)
                best = max(best, gain + turn_value(tuple(other for other in left if other != box), holds, after))
            value[faces] = best
        for _ in range(rolls - 1):
            after = {}
            for faces in value:
                for kept in keeps_of(faces):
                    if kept not in after:
                        after[kept] = sum(chance * value[then] for then, chance in rolls_after(kept))
            value = {faces: max([value[faces], *(after[kept] for kept in keeps_of(faces))]) for faces in value}
        return sum(chance * value[faces] for faces, chance in rolls_after(()))

    return turn_value(boxes, False, 0)


@pytest.mark.parametrize(
    ("boxes", "options"),
    [
        (("yahtzee",), {}),
        (("chance",), {}),
        (("sixes", "yahtzee"), {}),
        (("fives", "full house", "yahtzee"), {}),
        (("ones", "large straight", "yahtzee"), {"rolls": 2}),
        (("fives", "full house", "yahtzee"), {"jokers": 0}),
    ],
)
def test_a_few_boxes_are_worth_what_another_recursion_says(boxes, options):
    more = "".join(f",{key}={int(value)}" for key, value in options.items())
    game = load(f"yahtzee:boxes={'+'.join(box.replace(' ', '-') for box in boxes)}{more}")
    # A box that is not in the game counts as filled: only with the Yahtzee box in it are there jokers to come.
    assert solve(game, check=False).value == pytest.approx(best_mean(boxes, **options), abs=1e-9)


@pytest.mark.parametrize(
    ("boxes", "options"),
    [
        (("fives", "full house", "yahtzee", "chance"), {}),
        (("fives", "full house", "yahtzee", "chance"), {"jokers": 2}),
        pytest.param((*BOXES[:6], "yahtzee"), {"rolls": 1}, marks=pytest.mark.fuzz),  # with the bonus for 63 points
    ],
)
def test_a_proof_of_more_boxes_finds_what_another_recursion_says(boxes, options):
    more = "".join(f",{key}={int(value)}" for key, value in options.items())
    game = load(f"yahtzee:boxes={'+'.join(box.replace(' ', '-') for box in boxes)}{more}")
    found = solve(game, method="proof", threads=2, check=False)
    assert found.value == pytest.approx(best_mean(boxes, **options), abs=1e-9)
    assert sum(outcome.probability * outcome.value for outcome in found.candidates) == pytest.approx(found.value)


def test_the_yahtzee_box_and_chance_alone_are_worth_what_is_known():
    """A Yahtzee within three rolls has the probability 347,897 / 7,558,272; of chance alone a die is rolled again below 5, then below 4."""
    assert best_mean(("yahtzee",)) == pytest.approx(50 * 347_897 / 7_558_272, abs=1e-12)
    assert best_mean(("chance",)) == pytest.approx(5 * 14 / 3, abs=1e-12)


# Jokers and bonuses


@pytest.mark.parametrize(
    ("text", "boxes"),
    [
        ("yahtzee / 0 / 44444 / 0", {"fours": 20}),  # its upper box is open: it must go there
        ("yahtzee* / 0 / 44444 / 0", {"fours": 120}),
        (
            "fours yahtzee* three-of-a-kind chance / 12 / 44444 / 0",
            {"four of a kind": 120, "full house": 125, "small straight": 130, "large straight": 140},
        ),
        (
            "fours yahtzee four-of-a-kind three-of-a-kind chance / 12 / 44444 / 0",
            {"full house": 25, "small straight": 30, "large straight": 40},
        ),
        (
            "fours yahtzee* four-of-a-kind three-of-a-kind chance full-house small-straight large-straight ones twos threes / 12 / 44444 / 0",
            {"fives": 100, "sixes": 100},
        ),
    ],
)
def test_a_further_yahtzee_is_a_joker(text, boxes):
    state = read_state(GAME, text)
    assert {GAME.name_move(state, move): GAME.reward(state, move) for move in GAME.legal(state)} == boxes


def test_a_free_joker_goes_to_any_box_and_counts_as_one_where_its_upper_box_is_filled():
    game = load("yahtzee:jokers=2")
    state = read_state(game, "yahtzee* ones twos threes four-of-a-kind chance / 6 / 44444 / 0")
    found = {game.name_move(state, move): game.reward(state, move) for move in game.legal(state)}
    assert found == {
        "fours": 120,
        "fives": 100,
        "sixes": 100,
        "three of a kind": 120,
        "full house": 100,
        "small straight": 100,
        "large straight": 100,
    }
    state = read_state(game, "yahtzee* ones twos threes fours four-of-a-kind chance / 6 / 44444 / 0")
    found = {game.name_move(state, move): game.reward(state, move) for move in game.legal(state)}
    assert found == {
        "fives": 100,
        "sixes": 100,
        "three of a kind": 120,
        "full house": 125,
        "small straight": 130,
        "large straight": 140,
    }


def test_a_first_yahtzee_goes_to_any_box_and_is_no_joker():
    state = read_state(GAME, "fours / 12 / 44444 / 0")
    found = {GAME.name_move(state, move): GAME.reward(state, move) for move in GAME.legal(state)}
    assert len(found) == 12
    assert (found["yahtzee"], found["full house"], found["large straight"], found["chance"]) == (50, 0, 0, 20)
    assert GAME.play(state, SCORE + BOXES.index("yahtzee")).fifty
    assert not GAME.play(state, SCORE + BOXES.index("chance")).fifty


def test_63_points_in_the_upper_boxes_earn_35_once():
    state = read_state(GAME, "ones twos threes fours fives / 45 / 66631 / 0")
    assert GAME.reward(state, SCORE + 5) == 18 + 35
    assert GAME.play(state, SCORE + 5).upper == 63
    assert GAME.reward(read_state(GAME, "ones twos threes fours fives / 44 / 66631 / 0"), SCORE + 5) == 18
    assert GAME.reward(read_state(GAME, "twos threes fours fives sixes / 63 / 11123 / 0"), SCORE) == 3
    assert (
        load("yahtzee:boxes=sixes+chance")
        .play(read_state(load("yahtzee:boxes=sixes+chance"), " / 0 / 66666 / 0"), SCORE + 5)
        .upper
        == 0
    )


def test_the_rewards_of_random_games_add_up_to_a_score_sheet():
    dice = Random(3)
    for _ in range(5):
        state, paid, sheet = GAME.start, 0, {}
        while GAME.turn(state) != OVER:
            choice = GAME.roll(state, dice) if GAME.turn(state) == CHANCE else dice.choice(GAME.legal(state))
            if GAME.turn(state) == 0 and choice >= SCORE:
                faces = tuple(face + 1 for face in range(6) for _ in range(state.dice >> 3 * face & 7))
                if len(set(faces)) > 1:  # no Yahtzee: no joker and no bonus
                    sheet[choice - SCORE] = slow_points(faces, choice - SCORE)
            paid += GAME.reward(state, choice)
            state = GAME.play(state, choice)
        if len(sheet) == 13:
            upper = sum(sheet[box] for box in range(6))
            assert paid == sum(sheet.values()) + 35 * (upper >= 63)


def test_yahtzee_golden_playthrough():
    state = after_names(GAME, GAME.start, "6 6 5 2 1; keep 6 6; 6 5 5; keep 6 6 6; 4 1; sixes; 6 5 4 3 1")
    assert GAME.write_state(state) == "sixes / 18 / 65431 / 2"
    assert {read_move(GAME, state, text) for text in ("keep 6 5 4 3", "3 4 5 6", "6543", "Keep 3-4-5-6")} == {
        counted((3, 4, 5, 6))
    }
    assert {read_move(GAME, state, text) for text in ("small straight", "Small-Straight", "score small straight")} == {SCORE + 9}
    assert {read_move(GAME, state, text) for text in ("roll all", "keep nothing")} == {0}
    assert GAME.show(state).splitlines()[5:10] == [
        "sixes           filled", "three of a kind    0", "four of a kind     0", "full house         0", "small straight    30",
    ]  # fmt: skip
    assert GAME.show(state).splitlines()[-2:] == ["ones to sixes: 18 of 63", "dice: 6 5 4 3 1; rolls left: 2"]
    assert [perft(GAME, plies) for plies in range(3)] == [
        1,
        252,
        252 * 13 + sum(len(keeps_of(faces)) - 1 for faces, _ in rolls_after(())),
    ]
    assert GAME.solitaire


def test_a_search_keeps_the_four_dice_that_a_straight_needs():
    last = read_state(
        GAME,
        "ones twos threes fours fives sixes chance full-house three-of-a-kind four-of-a-kind yahtzee small-straight / 50 / 55432 / 1",
    )
    found = search(GAME, last, depth=2, compiled=False)
    assert (GAME.name_move(last, found.move), found.value, found.proven) == ("keep 5 4 3 2", pytest.approx(40 / 3), True)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("ones / 3", "write the boxes filled, the points in ones to sixes"),
        ("aces / 3 / 66521 / 2", "'aces' is no box"),
        ("ones* / 3 / 66521 / 2", r"'ones\*' is no box"),
        ("ones / 64 / 66521 / 2", "at most 63 points are counted, and 2 rolls are left"),
        ("ones / 3 / 66521 / 3", "2 rolls are left"),
        ("ones / 3 / 6652 / 2", "write five dice"),
    ],
)
def test_yahtzee_refuses_what_is_no_state(text, words):
    with pytest.raises(StateError, match=words):
        read_state(GAME, text)


def test_what_is_no_move_or_no_option_is_refused():
    state = read_state(GAME, " / 0 / 66521 / 2")
    for text in ("keep 3", "bingo", "keep 6 6 5 2 1"):
        with pytest.raises(IllegalMove, match=r"write a box \(ones, .*\); or dice to keep of 6 6 5 2 1, such as keep 6 6"):
            read_move(GAME, state, text)
    for option, words in (
        ("boxes=aces", "must be all, or some of ones"),
        ("rolls=0", "from 1 to 9"),
        ("jokers=3", r"must be 1 \(forced\), 2 \(free\) or 0 \(none\)"),
    ):
        with pytest.raises(OptionError, match=words):
            load(f"yahtzee:{option}")
