"""`check` finds what is wrong with a game and says how to mend it."""

import random
import re

import pytest
from toy_games import Pile, pile

from outplay import CHANCE, OVER, check, match, search
from outplay.checking.check import Report
from outplay.checking.games_seen import remarks_on
from outplay.checking.inspection import Inspection
from outplay.errors import GameError, RuleError, RuleRaised, UnknownGame
from outplay.games.catalogue import load

HEAD = """
from typing import NamedTuple
from outplay import CHANCE, OVER, Game

class State(NamedTuple):
    stones: int
    player: int = 0
    flag: bool = False

class Config:
    SIZE = 2

def turn(state):
    return OVER if state.stones <= 0 else state.player

def moves(state):
    yield 1
    if state.stones > 1:
        yield 2

def play(state, move):
    return State(state.stones - move, 1 - state.player, False)

def score(state):
    return 1 if state.player == 1 else -1

def estimate(state):
    return 0

extra = {}
"""
TAIL = """
game = Game(name="toy", start=State(6, 0, False), turn=turn, moves=moves, play=play, score=score, estimate=estimate, **extra)
"""


def written(tmp_path, middle):
    file = tmp_path / "toy.py"
    file.write_text(HEAD + middle + TAIL)
    return file


def line_of(file, text):
    return next(number for number, line in enumerate(file.read_text().splitlines(), 1) if text in line)


TRAPS = {
    "_replace": (
        "def play(state, move):\n    return state._replace(stones=state.stones - move, player=1 - state.player)\n",
        "play",
        "_replace does not compile; write State(...) with every field",
    ),
    "bin": (
        "def score(state):\n    return bin(state.player).count('1') * 2 - 1\n",
        "score",
        "bin does not compile; to count bits use count(bits)",
    ),
    "bit_count": (
        "def score(state):\n    return state.player.bit_count() * 2 - 1\n",
        "score",
        "int.bit_count does not compile; use count(bits)",
    ),
    "float(": (
        "def estimate(state):\n    return float(state.stones > 3) / 2\n",
        "estimate",
        "float of a bool does not compile; write 1.0 if",
    ),
    "float(state.flag": ("def estimate(state):\n    return float(state.flag)\n", "estimate", "float of a bool does not compile"),
    "sum(": (
        "def estimate(state):\n    return sum(bit for bit in (0, 0))\n",
        "estimate",
        "a generator expression does not compile; write the loop out",
    ),
    "Config.SIZE": (
        "def estimate(state):\n    return 0 * Config.SIZE\n",
        "estimate",
        "the class attribute Config.SIZE does not compile; make it a constant of the module",
    ),
    "State(state.stones - move, 1 - state.player)": (
        "def play(state, move):\n    return State(state.stones - move, 1 - state.player)\n",
        "play",
        "leaves flag to its default, which compiled code ignores; give every field",
    ),
    "yield from": (
        "def moves(state):\n    yield from range(1, min(state.stones, 2) + 1)\n",
        "moves",
        "yield from does not compile",
    ),
    "1 << 1 & 36893488147419103232": (
        "def estimate(state):\n    return 1 << 1 & 36893488147419103232\n",
        "estimate",
        "36893488147419103232 needs more than 63 bits",
    ),
    "uint64": (
        "import numpy\ndef estimate(state):\n    return 0 * int(numpy.uint64(1))\n",
        "estimate",
        "uint64 mixed with int turns into a float when compiled; keep to int64",
    ),
    "reversed": (
        "def estimate(state):\n    for item in reversed((0, 0)):\n        pass\n    return 0\n",
        "estimate",
        "reversed does not compile; write the loop out",
    ),
    ":=": (
        "def estimate(state):\n    return 0 if (stones := state.stones) else 0 * stones\n",
        "estimate",
        "assign first, in a line of its own",
    ),
    "NAMES[": (
        "NAMES = [0, 0]\ndef estimate(state):\n    return NAMES[0]\n",
        "estimate",
        "the global list NAMES does not compile; make it a tuple",
    ),
    "except ZeroDivisionError": (
        "def estimate(state):\n    try:\n        return 0 / state.stones\n    except ZeroDivisionError:\n        return 0\n",
        "estimate",
        "catching one kind of exception does not compile; test for the case beforehand",
    ),
    "tuple(": (
        "def estimate(state):\n    return 0 * len(tuple([1, 2]))\n",
        "estimate",
        "to change one item use put(items, index, item)",
    ),
    "state.stones -=": (
        "def play(state, move):\n    state.stones -= move\n    return state\n",
        "play",
        "state.stones cannot be assigned to; return a new State(...) with every field",
    ),
    "random.randint": (
        "import random\ndef play(state, move):\n"
        "    return State(state.stones - random.randint(1, move), 1 - state.player, False)\n",
        "play",
        "luck is drawn by random.randint; yield each outcome and its probability in chances",
    ),
}


@pytest.mark.parametrize("trap", TRAPS)
def test_every_trap_is_named_with_function_line_and_remedy(tmp_path, trap):
    middle, function, words = TRAPS[trap]
    file = written(tmp_path, middle)
    report = check(file)
    assert not report.ok
    assert f"{function}, line {line_of(file, trap)}: " in str(report)
    assert words in str(report)
    assert "numba" not in str(report).lower()


def test_a_trap_in_a_helper_is_named_by_the_helper(tmp_path):
    file = written(
        tmp_path, "def ones(bits):\n    return bits.bit_count()\ndef estimate(state):\n    return ones(state.stones) / 64\n"
    )
    assert f"ones, line {line_of(file, 'return bits.bit_count')}: int.bit_count" in str(check(file))


WRONG = {
    "score outside": ("def score(state):\n    return 3\n", "returns 3, outside of low=-1 and high=1"),
    "estimate outside": ("def estimate(state):\n    return -7.5\n", "returns -7.5, outside of low=-1 and high=1"),
    "nothing to move": (
        "def moves(state):\n    for move in range(0):\n        yield move\n",
        "yields nothing, and turn says",
    ),
    "a move twice": ("def moves(state):\n    yield 1\n    yield 1\n", "yields the move 1 twice"),
    "useful": ("def useful(state):\n    yield 7\nextra = {'useful': useful}\n", "yields [7], which is not a subset of moves"),
    "useful without a best move": (
        "def useful(state):\n    yield 1\nextra = {'useful': useful}\n",
        "no best move is among them",
    ),
    "bounds": (
        "def bounds(state):\n    return 0, 0.5\nextra = {'bounds': bounds}\n",
        "returns (0.0, 0.5), but the value is",
    ),
    "bounds turned round": (
        "def bounds(state):\n    return 1, -1\nextra = {'bounds': bounds}\n",
        "the low one must not be above",
    ),
    "key": (
        "def key(state):\n    return state.stones\nextra = {'key': key}\n",
        "is the same for two states with another",
    ),
    "turn": (
        "def turn(state):\n    return OVER if state.stones <= 0 else 5\n",
        "returns 5; it must return 0, 1, CHANCE or OVER",
    ),
    "no chances": (
        "def turn(state):\n    return OVER if state.stones <= 0 else CHANCE\n",
        "returns CHANCE, but the game has no chances",
    ),
    "probabilities": (
        "def turn(state):\n    return OVER if state.stones <= 0 else CHANCE\n"
        "def chances(state):\n    yield 1, 0.5\n    yield 2, 0.4\nextra = {'chances': chances}\n",
        "yields probabilities that sum to 0.9 and not to 1",
    ),
    "a probability of nothing": (
        "def turn(state):\n    return OVER if state.stones <= 0 else CHANCE\n"
        "def chances(state):\n    yield 1, 1.0\n    yield 2, 0.0\nextra = {'chances': chances}\n",
        "yields (2, 0.0), a probability that is not above 0",
    ),
    "a game without end": (
        "def play(state, move):\n    return State(state.stones, 1 - state.player, False)\n",
        "random games came to an end within 1,000 moves; check that turn returns OVER at the end",
    ),
    "play returns a bare tuple": (
        "def play(state, move):\n    return (state.stones - move, 1 - state.player, False)\n",
        "returns a tuple and not a State",
    ),
    "a rule raises": (
        "def play(state, move):\n    return State(state.stones // 0, 1 - state.player, False)\n",
        "divides by zero",
    ),
    "overflow": (
        "def play(state, move):\n    return State(state.stones - move, 1 - state.player, False)\n"
        "def estimate(state):\n    return 0 if (state.stones << 62) // 4 < 2 ** 61 else 1\n",
        "an int needs more than 63 bits",
    ),
    "a field outgrows 63 bits": (
        "def turn(state):\n    return OVER if state.stones > 2 ** 62 else state.player\n"
        "def play(state, move):\n    return State(state.stones * 2 ** 40, 1 - state.player, False)\n",
        "which needs more than 63 bits",
    ),
    "too many moves": (
        "def moves(state):\n    for move in range(9):\n        yield move\nextra = {'max_moves': 4}\n",
        "yields more than max_moves=4",
    ),
}


SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">'
FOR_PEOPLE = {
    "draw raises in one state": (
        "draw",
        f"'{SVG}</svg>' if 12 // (state.stones - 3) else ''",
        "divides by zero; test for that case first: State(",
    ),
    "draw returns nothing": ("draw", "None", "draw of 'toy' returns None; it must return an SVG text"),
    "draw is not well formed": ("draw", f"'{SVG}'", "draw of 'toy' returns an SVG that is not well formed"),
    "draw is of no namespace": ("draw", "'<svg></svg>'", "it must begin <svg xmlns="),
    "draw lists what is not a move": (
        "draw",
        f"""'{SVG}<g data-moves="1 99"/></svg>'""",
        "draw lists '99' in data-moves, which is not a legal move in State(stones=",
    ),
    "show raises": (
        "show",
        "'x' + state.stones",
        ": joins a text and something that is none; write str(...) around it: State(",
    ),
    "name_move misspells a field": ("name_move", "f'{state.stone}'", "State has no field 'stone'; did you mean 'stones'?"),
    "write_state returns no text": ("write_state", "7", "write_state returns 7; it must return a str"),
    "moves of one name": ("name_move", "'take'", "name_move calls 1 and 2 both 'take'; nobody can tell them apart, in State"),
    "a move's name is no text": ("name_move", "move[0]", "name_move returns 1; it must return a str"),
}


@pytest.mark.parametrize("name", FOR_PEOPLE)
def test_what_people_are_shown_is_looked_at_too(tmp_path, name):
    rule, returned, words = FOR_PEOPLE[name]
    report = check(
        written(tmp_path, f"def {rule}(state, *move):\n    return {returned}\nextra = {{'{rule}': {rule}}}\n"), games=20
    )
    assert words in str(report)
    assert len(report.problems) == 1


def test_a_policy_that_plays_what_it_may_not_is_found_and_named(tmp_path):
    policies = (
        "def greedy(state):\n    return 2\ndef unsure(state):\n    yield 1, 0.5\n"
        "extra = {'policies': {'greedy': greedy, 'unsure': unsure}}\n"
    )
    first, second = check(written(tmp_path, policies)).problems
    assert "the policy 'unsure' of 'toy' yields [(1, 0.5)] in State" in first
    assert "the policy 'greedy' of 'toy' chooses 2 in State(stones=1, " in second


@pytest.mark.parametrize(
    ("start", "words"),
    [(Pile(0, 0), "the game is over at its start"), (Pile(1, 0), "player 1 never moved in these games")],
)
def test_what_is_no_fault_but_odd_is_remarked(start, words):
    report = check(pile(start=start))
    assert report.ok
    assert f"\n  a remark: {words}" in str(report)
    assert str(report).startswith("pile: no problem found, but see ")
    assert "all is well" not in str(report)


def test_luck_in_play_is_said_once(tmp_path):
    assert len(check(written(tmp_path, TRAPS["random.randint"][0])).problems) == 1


@pytest.mark.parametrize("name", WRONG)
def test_every_broken_promise_is_found(tmp_path, name):
    middle, words = WRONG[name]
    report = check(written(tmp_path, middle))
    assert words in str(report)
    assert not report


def test_play_that_changes_its_state_is_found(tmp_path):
    file = tmp_path / "arrays.py"
    file.write_text(
        "from typing import NamedTuple\nimport numpy as np\nfrom outplay import OVER, Game\n"
        "class State(NamedTuple):\n    heaps: np.ndarray\n    player: int\n"
        "def turn(state):\n    return OVER if state.heaps.sum() == 0 else state.player\n"
        "def moves(state):\n    for heap in range(2):\n        if state.heaps[heap] > 0:\n            yield heap\n"
        "def play(state, move):\n    state.heaps[move] -= 1\n    return State(state.heaps, 1 - state.player)\n"
        "def score(state):\n    return 1\n"
        "game = Game(name='heaps', start=State(np.array([2, 2]), 0), turn=turn, moves=moves, play=play, score=score)\n"
    )
    assert "changes the state that it is given; copy the array first" in str(check(file))


UNSEARCHABLE = {
    "unknown": ("def estimate(state):\n    return open('x')\n", "estimate, line "),
    "a field made a float": (
        "def play(state, move):\n    return State(state.stones - move / 1, 1 - state.player, False)\n",
        "state field 'stones' must be an int, as in the game's start; got 5.0",
    ),
    "a helper without end": (
        "def down(stones):\n    return down(stones - 1)\ndef estimate(state):\n    return down(state.stones)\n",
        "calls itself without end, or too deeply (in down)",
    ),
    "too many fields": ("def play(state, move):\n    return State(state.stones - move, 1, False, 4)\n", "play"),
    "a global of another kind": ("NAMES = {'a': 1}\ndef estimate(state):\n    return NAMES['a'] * 0\n", "NAMES"),
    "a missing name": ("def estimate(state):\n    return nothing_of_the_kind\n", "nothing_of_the_kind"),
}


@pytest.mark.parametrize("name", UNSEARCHABLE)
def test_what_cannot_be_searched_is_explained_in_our_words(tmp_path, name):
    middle, words = UNSEARCHABLE[name]
    file = written(tmp_path, middle)
    with pytest.raises(GameError) as raised:
        search(load(str(file)), depth=2)
    assert words in str(raised.value)
    assert str(raised.value).startswith(("'toy' cannot be compiled", "'toy' cannot be searched"))
    assert raised.value.__cause__ is None
    for foreign in ("numba", "nopython", "Traceback", "TypingError", "literal"):
        assert foreign not in str(raised.value)
    assert not check(file)


def test_a_good_file_is_well(tmp_path):
    report = check(written(tmp_path, ""), seconds=600)
    assert str(report).startswith("toy: all is well")
    assert report.games == 100


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("x = 1\n", "has no Game in it"),
        ("def broken(:\n", "cannot be loaded: invalid syntax (line 1)"),
        ("\nraise RuntimeError('no')\n", "cannot be loaded: RuntimeError: no (line 2)"),
        ("from outplay import load\na = load('pig')\nb = load('tic-tac-toe')\n", "has several games: a, b; say which"),
    ],
)
def test_a_file_without_a_game_is_refused(tmp_path, text, words):
    file = tmp_path / "bad.py"
    file.write_text(text)
    with pytest.raises(UnknownGame) as raised:
        check(file)
    assert words in str(raised.value)


def test_what_a_rule_returns_wrongly_is_not_blamed_on_a_line_of_ours(tmp_path):
    report = str(check(written(tmp_path, "def score(state):\n    if state.stones > 9:\n        return 1\n")))
    assert "returns None; every path must return a number" in report
    assert "plain.py" not in report


def test_a_move_that_is_no_int_is_said_and_nothing_is_raised():
    def moves(state):
        yield [1]

    assert "a move is an int" in str(check(pile(moves=moves)))


def test_check_says_what_it_saw():
    report = check("tic-tac-toe", games=200, seconds=600)
    text = str(report)
    assert report.games == 200
    assert re.search(r"200 random games: X won \d+, O \d+, \d+ drawn; 5 to 9 moves long, \d\.\d choices on average", text)
    assert re.search(r"ended with score (1 to X, a win for X, after X|-1 to X, a win for O, after O) played \w+:", text)


def test_a_wrong_sign_is_remarked():
    report = check(pile(score=lambda state: 1))
    assert report.ok
    assert "player 1 never won in these games" in str(report)


def test_moves_that_lead_to_the_same_state_are_remarked():
    def play(state, move):
        return Pile(state.stones - 1, 1 - state.player)

    assert "lead to the same state, in " in str(check(pile(play=play)))


def remarks(game):
    inspection = Inspection(game)
    inspection.run(20)
    return "\n".join(remarks_on(game, inspection.seen, inspection.statistics))


def test_a_pile_that_becomes_negative_is_remarked():
    def moves(state):
        yield 1
        yield 3

    assert re.search(
        r"stones starts at \d+ and comes to -[12]; see whether moves yields more than there is", remarks(pile(moves=moves))
    )


def test_a_mark_below_zero_is_no_overshoot():
    def turn(state):
        return OVER if state.stones == -1 and state.player == 0 else state.player

    def moves(state):
        yield 1

    def play(state, move):
        return Pile(-1, 1 - state.player)

    assert "comes to" not in remarks(pile(turn=turn, moves=moves, play=play, score=lambda state: 0))


@pytest.mark.parametrize(("share", "remarked"), [(0, True), (1, False)])
def test_a_roll_that_play_ignores_is_remarked(share, remarked):
    def turn(state):
        return OVER if state.stones <= 0 else CHANCE

    def chances(state):
        yield 1, 0.5
        yield 2, 0.5

    def play(state, outcome):
        return Pile(state.stones - 1 - share * (outcome - 1), 1 - state.player)

    text = remarks(pile(turn=turn, chances=chances, play=play))
    assert ("all outcomes of chance lead to the same state" in text) == remarked


def test_scores_on_one_side_of_zero_are_points_and_nobody_wins_or_loses():
    text = str(check(pile(score=lambda state: state.player, low=0, high=1)))
    assert re.search(r"random games: scores from 0 to 1; \d+ to \d+ moves long", text)
    assert "won" not in text
    assert "a win" not in text


def test_check_says_how_often_chance_acts():
    assert re.search(r"; chance acts \d+ to \d+ times a game", str(check("pig", games=20)))


def test_a_scale_much_wider_than_the_scores_is_remarked():
    assert "much wider than the scores" in str(check(pile(low=-1e17, high=1e17)))


def test_fewer_games_than_asked_are_told_of():
    report = check("tic-tac-toe", games=10**9, seconds=0.2)
    assert report.games < 10**9
    assert f"only {report.games} of 1000000000 games were played" in str(report)


def test_a_report_counts_one_game_as_one():
    assert str(Report("toy", (), 1, 1, 0.1)).startswith("toy: all is well (1 random game, 1 state, interpreted and compiled, in")
    assert str(Report("toy", (), 2, 3, 0.1)).startswith("toy: all is well (2 random games, 3 states, ")


def test_remarks_stand_in_the_verdict_and_next_to_it():
    one = Report("toy", (), 1, 1, 0.1, remarks=("nobody wins",), saw=("1 random game",))
    head, remark, _ = str(one).splitlines()
    assert head.startswith("toy: no problem found, but see the remark (")
    assert remark == "  a remark: nobody wins"
    assert one.ok
    assert str(Report("toy", (), 1, 1, 0.1, remarks=("a", "b"))).startswith("toy: no problem found, but see 2 remarks (")
    assert str(Report("toy", ("bad",), 1, 1, 0.1, remarks=("a",))).startswith("toy: one problem (")


def test_a_game_that_the_time_cut_short_is_not_said_to_be_endless():
    report = check("tic-tac-toe", seconds=0)
    assert report.ok, str(report)
    assert report.remarks[0] == "only 1 of 100 games were played in 0 s; give check(..., seconds=...) more time"


@pytest.mark.parametrize(
    ("deal", "words"),
    [
        (lambda dice: None, r"^deal, line \d+: returns a wrong start: a state of this game is a Pile"),
        (lambda dice: Pile(dice.random(), 0), r"^deal, line \d+: returns a wrong start: state field 'stones' must be an int"),
        (lambda dice: Pile(dice.shuffled(), 0), r"^deal, line \d+: a Random has no 'shuffled'"),
        (
            lambda dice: Pile(random.randrange(10**6), 0),
            r"^deal, line \d+: draws two different starts from the same dice; draw all luck from dice",
        ),
    ],
)
def test_a_wrong_deal_is_told(deal, words):
    (problem,) = check(pile(deal=deal), games=3).problems
    assert re.search(words, problem)
    assert check(pile(deal=lambda dice: Pile(dice.randrange(1, 9), 0)), games=3).ok


def test_a_match_names_a_deal_that_fails():
    with pytest.raises(RuleRaised, match=r"deal of 'pile' raised AttributeError: .*\(in <lambda>, line \d+ of test_check.py\)"):
        match(pile(deal=lambda dice: dice.shuffled()), "random", "random", games=2)
    with pytest.raises(RuleError, match=r"deal of 'pile' returns a wrong start: a state of this game is a Pile"):
        match(pile(deal=lambda dice: None), "random", "random", games=2)
