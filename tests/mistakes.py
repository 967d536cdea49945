"""Mistakes that students make in rules: each is a change of a sound game, with the words that `check` and `search` must say of it.

A mistake is (what is written instead, the text whose line is named, or None, the words). The game is a pile of
stones, or a board of nine squares in an array.
"""

PILE = """\
from typing import NamedTuple
from outplay import CHANCE, OVER, Game

class State(NamedTuple):
    stones: int
    player: int

def turn(state):
    return OVER if state.stones <= 0 else state.player

def moves(state):
    yield 1
    if state.stones > 1:
        yield 2

def play(state, move):
    return State(state.stones - move, 1 - state.player)

def score(state):
    return 1 if state.player == 1 else -1

start = State(6, 0)
extra = {}
"""
PILE_END = """
game = Game(name="pile", start=start, turn=turn, moves=moves, play=play, score=score, **extra)
"""

BOARD = """\
from typing import NamedTuple
import numpy as np
from outplay import OVER, Game

class State(NamedTuple):
    board: np.ndarray
    player: int

def winner(board):
    for a, b, c in ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)):
        if board[a] != 0 and board[a] == board[b] and board[b] == board[c]:
            return board[a]
    return 0

def turn(state):
    if winner(state.board) != 0 or np.all(state.board != 0):
        return OVER
    return state.player

def moves(state):
    for square in range(9):
        if state.board[square] == 0:
            yield square

def play(state, move):
    board = state.board.copy()
    board[move] = 1 + state.player
    return State(board, 1 - state.player)

def score(state):
    won = winner(state.board)
    return 0 if won == 0 else 1 if won == 1 else -1

start = State(np.zeros(9, np.int8), 0)
extra = {}
"""
BOARD_END = """
game = Game(name="board", start=start, turn=turn, moves=moves, play=play, score=score, **extra)
"""

# Found while the rules are interpreted: nothing is compiled for these.
INTERPRETED = {
    # turn
    "turn returns a bool": (
        "def turn(state):\n    if state.stones <= 0:\n        return OVER\n    return state.player == 1\n",
        "return state.player == 1",
        ("returns False, a bool", "return 0 or 1"),
    ),
    "turn returns nothing": (
        "def turn(state):\n    if state.stones <= 0:\n        return OVER\n",
        "if state.stones <= 0:",
        ("returns None", "every path must return 0, 1, CHANCE or OVER"),
    ),
    "turn counts players from 1": (
        "def turn(state):\n    return OVER if state.stones <= 0 else state.player + 1\n",
        "state.player + 1",
        ("returns 2", "counted from 0"),
    ),
    "turn returns a text": (
        "def turn(state):\n    return OVER if state.stones <= 0 else 'AB'[state.player]\n",
        "'AB'",
        ("returns 'A'", "it must return 0, 1, CHANCE or OVER"),
    ),
    "turn returns a number with a point": (
        "def turn(state):\n    return OVER if state.stones <= 0 else state.player / 1\n",
        "/ 1",
        ("returns 0.0", "it must return 0, 1"),
    ),
    "turn never says OVER": (
        "def turn(state):\n    return state.player\ndef moves(state):\n    for move in range(1, min(state.stones, 2) + 1):\n        yield move\n",
        "for move in range",
        ("yields nothing, and turn says that player", "return OVER there in turn"),
    ),
    "turn says CHANCE without chances": (
        "def turn(state):\n    return OVER if state.stones <= 0 else CHANCE\n",
        "else CHANCE",
        ("returns CHANCE, but the game has no chances", "chances=..."),
    ),
    "turn misspells a field": (
        "def turn(state):\n    return OVER if state.stnes <= 0 else state.player\n",
        "state.stnes",
        ("State has no field 'stnes'", "did you mean 'stones'?"),
    ),
    "turn names what is not there": (
        "def turn(state):\n    return DONE if state.stones <= 0 else state.player\n",
        "DONE if",
        ("DONE is not defined",),
    ),
    "turn forgets to give a value": (
        "def turn(state):\n    if state.stones <= 0:\n        who = OVER\n    return who\n",
        "return who",
        ("uses who before it has a value",),
    ),
    "turn never returns": (
        "def turn(state):\n    while state.stones > 5:\n        pass\n    return OVER if state.stones <= 0 else state.player\n",
        "pass",
        ("turn, line", "does not return", "State(stones=6, player=0)"),
    ),
    "turn calls OVER": (
        "def turn(state):\n    return OVER() if state.stones <= 0 else state.player\n",
        "OVER()",
        ("calls an int as if it were a function", "leave the brackets out"),
    ),
    "turn says OVER in quotes": (
        "def turn(state):\n    return 'OVER' if state.stones <= 0 else state.player\n",
        "'OVER'",
        ("returns 'OVER'", "it must return 0, 1, CHANCE or OVER"),
    ),
    # moves
    "moves goes through a number": (
        "def moves(state):\n    for move in state.stones:\n        yield move\n",
        "in state.stones",
        ("goes through an int as if it were a list", "range(...) counts"),
    ),
    "moves returns a text": ("def moves(state):\n    return '12'\n", "return '12'", ("returns '12'", "it must yield moves")),
    "moves takes from a global": (
        "deck = [1, 2] * 9\ndef moves(state):\n    yield deck.pop()\n",
        "deck.pop",
        ("yields [2] and then [1] for the same state", "nothing but its arguments"),
    ),
    "moves yields lists": (
        "def moves(state):\n    yield [1, 2]\n",
        "yield [1, 2]",
        ("yields [1, 2]; a move is an int", "divmod"),
    ),
    "moves calls itself": (
        "def moves(state):\n    for move in moves(state):\n        yield move\n",
        "in moves(state)",
        ("calls itself without end",),
    ),
    "moves are tuples": (
        "def moves(state):\n    yield (0, 1)\n",
        "yield (0, 1)",
        ("yields (0, 1); a move is an int", "row * COLUMNS + column", "divmod"),
    ),
    "moves are texts": ("def moves(state):\n    yield 'one'\n", "yield 'one'", ("yields 'one'; a move is an int", "name_move")),
    "moves are halves": (
        "def moves(state):\n    yield state.stones / 2\n",
        "yield state.stones / 2",
        ("yields 3.0; a move is an int", "//"),
    ),
    "moves returns nothing": ("def moves(state):\n    [1, 2]\n", "[1, 2]", ("returns nothing", "it must yield moves")),
    "moves returns a number": ("def moves(state):\n    return 1\n", "return 1", ("returns 1", "it must yield moves")),
    "moves yields None": ("def moves(state):\n    yield None\n", "yield None", ("yields None; a move is an int",)),
    "moves yields without end": (
        "def moves(state):\n    while True:\n        yield 1\n",
        "yield 1",
        ("yields more than max_moves=512", "see whether the rule comes to an end"),
    ),
    "moves never returns": (
        "def moves(state):\n    take = 1\n    while take < 3:\n        if take <= state.stones:\n            yield take\n            take += 1\n",
        "while take < 3",
        ("moves, line", "does not return", "State(stones=1, player="),
    ),
    "moves yields a move twice": ("def moves(state):\n    yield 1\n    yield 1\n", None, ("yields the move 1 twice",)),
    "moves yields nothing": (
        "def moves(state):\n    for move in range(0):\n        yield move\n",
        "range(0)",
        ("yields nothing, and turn says that player 0 is to move",),
    ),
    "moves are drawn": (
        "import random\ndef moves(state):\n    yield random.randint(1, 2)\n",
        "random.randint",
        ("luck is drawn by random.randint", "in chances"),
    ),
    "moves remembers": ("seen = []\ndef moves(state):\n    seen.append(1)\n    yield len(seen)\n", None, ("moves",)),
    "moves is one too far": (
        "BOXES = (1, 2, 2)\ndef moves(state):\n    for box in range(4):\n        if BOXES[box] <= state.stones:\n            yield box + 1\n",
        "if BOXES[box]",
        ("takes an item beyond the end", "one too large"),
    ),
    # play
    "play returns nothing": (
        "def play(state, move):\n    State(state.stones - move, 1 - state.player)\n",
        "    State(state.stones - move",
        ("returns None", "every path must return a State"),
    ),
    "play returns a number": (
        "def play(state, move):\n    return state.stones - move\n",
        "return state.stones",
        ("returns an int and not a State", "write return State(...)"),
    ),
    "play changes a variable of the module": (
        "player = 0\ndef play(state, move):\n    player = 1 - player\n    return State(state.stones - move, player)\n",
        "player = 1 - player",
        ("assigns to player, which makes it another variable than the player of the module", "put what changes into the state"),
    ),
    "play takes the length of a number": (
        "def play(state, move):\n    return State(len(state.stones) - move, 1 - state.player)\n",
        "len(",
        ("takes the length of an int, which has none",),
    ),
    "play reads a number from a text": (
        "def play(state, move):\n    return State(state.stones - int('one'), 1 - state.player)\n",
        "int('one')",
        ("int(...) gets 'one', a text that is not a number", "use numbers"),
    ),
    "play swaps the fields": (
        "def play(state, move):\n    return State(1 - state.player, state.stones - move)\n",
        None,
        ("turn, line", "it must return 0, 1, CHANCE or OVER"),
    ),
    "play yields": (
        "def play(state, move):\n    yield State(state.stones - move, 1 - state.player)\n",
        "yield State",
        ("yields, and must return",),
    ),
    "play leaves out an argument of a helper": (
        "def left(stones, move):\n    return stones - move\ndef play(state, move):\n    return State(left(state.stones), 1 - state.player)\n",
        "left(state.stones)",
        ("left(...) is called with the wrong arguments",),
    ),
    "play returns a bare tuple": (
        "def play(state, move):\n    return (state.stones - move, 1 - state.player)\n",
        "return (state",
        ("returns a tuple and not a State",),
    ),
    "play returns a list": (
        "def play(state, move):\n    return [state.stones - move, 1 - state.player]\n",
        "return [state",
        ("returns a list and not a State",),
    ),
    "play leaves out a field": (
        "def play(state, move):\n    return State(state.stones - move)\n",
        "return State",
        ("State(...) leaves out 'player'", "give every field: stones, player"),
    ),
    "play adds a field": (
        "def play(state, move):\n    return State(state.stones - move, 1 - state.player, 7)\n",
        "return State",
        ("gets something that is not a field",),
    ),
    "play names a wrong field": (
        "def play(state, move):\n    return State(stone=state.stones - move, player=1 - state.player)\n",
        "return State",
        ("gets something that is not a field", "its fields are stones, player"),
    ),
    "play makes an int a float": (
        "def play(state, move):\n    return State(state.stones - move / 1, 1 - state.player)\n",
        "move / 1",
        ("state field 'stones' must be an int", "got 5.0"),
    ),
    "play assigns to the state": (
        "def play(state, move):\n    state.stones -= move\n    return state\n",
        "state.stones -=",
        ("state.stones cannot be assigned to", "return a new State(...)"),
    ),
    "play puts None into a field": (
        "def play(state, move):\n    return State(state.stones - move, None)\n",
        "None",
        ("state field 'player' must be an int", "got None"),
    ),
    "play puts a text into a field": (
        "def play(state, move):\n    return State(state.stones - move, 'next')\n",
        "'next'",
        ("state field 'player' must be an int",),
    ),
    "play has its parameters the wrong way round": (
        "def play(move, state):\n    return State(state.stones - move, 1 - state.player)\n",
        "def play(move, state)",
        ("has its parameters the wrong way round, (move, state)", "write def play(state, move)"),
    ),
    "play has its parameters the wrong way round and computes": (
        "def play(action, state: State):\n    row, column = divmod(action, 3)\n    return State(state.stones - row, column)\n",
        "def play(action, state",
        ("has its parameters the wrong way round, (action, state)", "write def play(state, action)"),
    ),
    "play has other names for its parameters": (
        "def play(move, what):\n    return State(what.stones - move, 1 - what.player)\n",
        "return State",
        ("an int has no 'stones'", "see whether state is the first parameter"),
    ),
    "play counts in a class": (
        "class Counter:\n    calls = 0\ndef play(state, move):\n    Counter.calls += 1\n    return State(state.stones - move, 1 - state.player)\n",
        "Counter.calls += 1",
        ("writes Counter.calls", "put what changes into the state"),
    ),
    "two functions call each other without end": (
        "def even(number):\n    return odd(number - 1)\ndef odd(number):\n    return even(number - 1)\ndef play(state, move):\n    return State(even(move), 1 - state.player)\n",
        "return odd",
        ("play, line", "calls itself without end, or too deeply (in even)"),
    ),
    # yield and return
    "turn yields": (
        "def turn(state):\n    yield OVER if state.stones <= 0 else state.player\n",
        "yield OVER",
        ("turn, line", "yields, and must return", "write return instead of yield"),
    ),
    "score yields": ("def score(state):\n    yield 1\n", None, ("score, line", "yields, and must return")),
    "score is async": (
        "async def score(state):\n    return 1\n",
        "async def score",
        ("score, line", "is written async def", "write def"),
    ),
    "moves is async": ("async def moves(state):\n    yield 1\n", "async def moves", ("moves, line", "is written async def")),
    "moves yields and returns a list": (
        "def moves(state):\n    if state.stones == 6:\n        return [1, 2]\n    yield 1\n",
        "return [1, 2]",
        ("returns [1, 2], and has a yield", "yield each of them"),
    ),
    "play outgrows 63 bits": (
        "def turn(state):\n    return OVER if state.stones > 2 ** 80 else state.player\ndef play(state, move):\n    return State(state.stones * 2 ** 40, 1 - state.player)\n",
        "2 ** 40",
        ("needs more than 63 bits",),
    ),
    "play divides by zero": (
        "def play(state, move):\n    return State(state.stones - move // (state.stones - 5), 1 - state.player)\n",
        "//",
        ("divides by zero",),
    ),
    "play uses None": (
        "def left(state, move):\n    state.stones - move\ndef play(state, move):\n    return State(left(state, move) - 1, 1 - state.player)\n",
        "left(state, move) - 1",
        ("uses None as if it were a value",),
    ),
    "play calls itself without end": (
        "def play(state, move):\n    return play(state, move)\n",
        "return play",
        ("calls itself without end",),
    ),
    "play never returns": (
        "def play(state, move):\n    stones = state.stones\n    while stones != state.stones - move:\n        stones = stones + 1\n    return State(stones, 1 - state.player)\n",
        "stones = stones + 1",
        ("play, line", "does not return"),
    ),
    "play asserts": (
        "def play(state, move):\n    assert move == 1, 'only one'\n    return State(state.stones - move, 1 - state.player)\n",
        "assert",
        ("an assert fails (only one)",),
    ),
    "play raises": ("def play(state, move):\n    raise ValueError('not yet')\n", "raise", ("raises ValueError: not yet",)),
    "play prints": (
        "def play(state, move):\n    print(state)\n    return State(state.stones - move, 1 - state.player)\n",
        "print",
        ("print(...) prints", "take it out"),
    ),
    "play asks": (
        "def play(state, move):\n    input('?')\n    return State(state.stones - move, 1 - state.player)\n",
        "input",
        ("asks a person",),
    ),
    "play draws luck by a name": (
        "from random import random\ndef play(state, move):\n    return State(state.stones - (1 if random() < 0.5 else 2), 1 - state.player)\n",
        "random()",
        ("luck is drawn by random", "in chances"),
    ),
    "play writes a global": (
        "count = 0\ndef play(state, move):\n    global count\n    count += 1\n    return State(state.stones - move, 1 - state.player)\n",
        "global",
        ("writes a global", "put what changes into the state"),
    ),
    "play looks at the clock": (
        "import time\ndef play(state, move):\n    return State(state.stones - move + int(time.time() * 0), 1 - state.player)\n",
        "time.time",
        ("depend on the time",),
    ),
    "play sleeps": (
        "import time\ndef play(state, move):\n    time.sleep(1)\n    return State(state.stones - move, 1 - state.player)\n",
        "time.sleep",
        ("depend on the time",),
    ),
    "play ends Python": (
        "import sys\ndef play(state, move):\n    if state.stones == 3:\n        sys.exit()\n    return State(state.stones - move, 1 - state.player)\n",
        "sys.exit",
        ("play",),
    ),
    "play raises in a game with bounds": (
        "def bounds(state):\n    return -1, 1\ndef play(state, move):\n    return State((6, 5, 4, 3)[move + 2], 1 - state.player)\nextra = {'bounds': bounds}\n",
        "(6, 5, 4, 3)",
        ("takes an item beyond the end",),
    ),
    "play draws a bool": (
        "from os import urandom\nclass State(NamedTuple):\n    stones: int\n    player: int\n    lucky: bool\nstart = State(6, 0, False)\n"
        "def play(state, move):\n    return State(state.stones - move, 1 - state.player, urandom(1)[0] > 127)\n",
        None,
        ("play", "to the same question"),
    ),
    "play takes a field of a tuple": (
        "class Pair(NamedTuple):\n    left: int\n    right: int\nclass State(NamedTuple):\n    stones: int\n    player: int\n    pair: Pair\n"
        "start = State(6, 0, Pair(1, 2))\ndef play(state, move):\n    return State(state.stones - state.pair.left, 1 - state.player, state.pair)\n",
        "state.pair.left",
        ("a tuple has no 'left'", "take an item by its number, or make 'left' a field of State"),
    ),
    # score and estimate
    "score returns nothing": (
        "def score(state):\n    if state.player == 1:\n        return 1\n",
        "if state.player",
        ("returns None", "every path must return a number"),
    ),
    "score is a text": (
        "def score(state):\n    return 'first' if state.player == 1 else 'second'\n",
        "return 'first'",
        ("it must return a number",),
    ),
    "score is a tuple": (
        "def score(state):\n    return (1, -1)\n",
        "return (1, -1)",
        ("returns (1, -1)", "it must return a number"),
    ),
    "score leaves the scale": (
        "def score(state):\n    return 10 if state.player == 1 else -10\n",
        "return 10",
        ("outside of low=-1 and high=1", "the low and high that it has"),
    ),
    "score is not a number": ("import math\ndef score(state):\n    return math.nan\n", "math.nan", ("returns nan, outside of",)),
    "score is infinite": ("def score(state):\n    return float('inf')\n", "float('inf')", ("returns inf, outside of",)),
    "score is a root": (
        "def score(state):\n    return (-1) ** 0.5\n",
        "** 0.5",
        ("it must return a number",),
    ),
    "rank returns nothing": (
        "def rank(state, move):\n    if move == 2:\n        return 5\nextra = {'rank': rank}\n",
        "if move == 2",
        ("returns None", "every path must return a number"),
    ),
    "estimate leaves the scale": (
        "def estimate(state):\n    return state.stones\nextra = {'estimate': estimate}\n",
        "return state.stones",
        ("outside of low=-1 and high=1",),
    ),
    "estimate returns nothing": (
        "def estimate(state):\n    state.stones / 9\nextra = {'estimate': estimate}\n",
        "state.stones / 9",
        ("returns None",),
    ),
    "estimate looks up a field by a text": (
        "def estimate(state):\n    return state['stones'] / 9\nextra = {'estimate': estimate}\n",
        "state['stones']",
        ("uses a text as an index",),
    ),
    # chances
    "probabilities do not add up": (
        "def turn(state):\n    return OVER if state.stones <= 0 else CHANCE\ndef chances(state):\n    yield 1, 0.5\n    yield 2, 0.4\nextra = {'chances': chances}\n",
        None,
        ("probabilities that sum to 0.9 and not to 1",),
    ),
    "probabilities are percent": (
        "def turn(state):\n    return OVER if state.stones <= 0 else CHANCE\ndef chances(state):\n    yield 1, 50\n    yield 2, 50\nextra = {'chances': chances}\n",
        None,
        ("sum to 100 and not to 1", "0.5 for 50 percent"),
    ),
    "probabilities are too many": (
        "def turn(state):\n    return OVER if state.stones <= 0 else CHANCE\ndef chances(state):\n    yield 1, 0.5\n    yield 2, 0.6\nextra = {'chances': chances}\n",
        None,
        ("sum to 1.1 and not to 1", "see whether one is too large, or whether there is an outcome too many"),
    ),
    "probabilities are weights": (
        "def turn(state):\n    return OVER if state.stones <= 0 else CHANCE\ndef chances(state):\n    yield 1, 3\n    yield 2, 2\nextra = {'chances': chances}\n",
        None,
        ("sum to 5 and not to 1", "divide each by their sum, 5"),
    ),
    "probabilities are rounded": (
        "def turn(state):\n    return OVER if state.stones <= 0 else CHANCE\ndef chances(state):\n    yield 1, 0.33\n    yield 2, 0.66\nextra = {'chances': chances}\n",
        None,
        ("sum to 0.99 and not to 1", "write fractions in full"),
    ),
    "a probability is a text": (
        "def turn(state):\n    return OVER if state.stones <= 0 else CHANCE\ndef chances(state):\n    yield 1, '0.5'\n    yield 2, '0.5'\nextra = {'chances': chances}\n",
        "yield 1, '0.5'",
        ("yields (1, '0.5')", "write it without quotes"),
    ),
    "a probability is divided by //": (
        "def turn(state):\n    return OVER if state.stones <= 0 else CHANCE\ndef chances(state):\n    for face in range(1, 7):\n        yield face, 1 // 6\nextra = {'chances': chances}\n",
        "1 // 6",
        ("a probability that is not above 0", "write / instead of //"),
    ),
    "a probability is negative": (
        "def turn(state):\n    return OVER if state.stones <= 0 else CHANCE\ndef chances(state):\n    yield 1, 1.5\n    yield 2, -0.5\nextra = {'chances': chances}\n",
        "-0.5",
        ("yields (2, -0.5), a probability that is not above 0", "see how it is computed"),
    ),
    "a probability is zero": (
        "def turn(state):\n    return OVER if state.stones <= 0 else CHANCE\ndef chances(state):\n    yield 1, 1.0\n    yield 2, 0.0\nextra = {'chances': chances}\n",
        None,
        ("a probability that is not above 0",),
    ),
    "chances without probabilities": (
        "def turn(state):\n    return OVER if state.stones <= 0 else CHANCE\ndef chances(state):\n    yield 1\n    yield 2\nextra = {'chances': chances}\n",
        "yield 1",
        ("yields 1", "pairs of an int outcome and its probability"),
    ),
    "chances the wrong way round": (
        "def turn(state):\n    return OVER if state.stones <= 0 else CHANCE\ndef chances(state):\n    yield 0.5, 1\n    yield 0.5, 2\nextra = {'chances': chances}\n",
        "yield 0.5, 1",
        ("yields (0.5, 1)", "the outcome comes first"),
    ),
    "chances yields an outcome twice": (
        "def turn(state):\n    return OVER if state.stones <= 0 else CHANCE\ndef chances(state):\n    yield 1, 0.5\n    yield 1, 0.5\nextra = {'chances': chances}\n",
        None,
        ("yields an outcome twice", "add up its probabilities"),
    ),
    "chances yields three things": (
        "def turn(state):\n    return OVER if state.stones <= 0 else CHANCE\ndef chances(state):\n    yield 1, 0.5, 2\nextra = {'chances': chances}\n",
        "yield 1, 0.5, 2",
        ("it must yield pairs of an int outcome and its probability",),
    ),
    "chances yields nothing": (
        "def turn(state):\n    return OVER if state.stones <= 0 else CHANCE\ndef chances(state):\n    for face in range(0):\n        yield face, 1.0\nextra = {'chances': chances}\n",
        None,
        ("chances", "yields nothing"),
    ),
    "chances returns a dict": (
        "def turn(state):\n    return OVER if state.stones <= 0 else CHANCE\ndef chances(state):\n    return {1: 0.5, 2: 0.5}\nextra = {'chances': chances}\n",
        "return {1",
        ("it must yield pairs of an outcome and its probability",),
    ),
    # what is for speed
    "useful is none of the moves": (
        "def useful(state):\n    yield 7\nextra = {'useful': useful}\n",
        None,
        ("yields [7], which is not a subset of moves",),
    ),
    "useful is empty": (
        "def useful(state):\n    if state.stones > 2:\n        yield 1\n        yield 2\nextra = {'useful': useful}\n",
        "if state.stones > 2",
        ("yields nothing, and there are moves", "yield at least one of the moves"),
    ),
    "bounds is the wrong way round": (
        "def bounds(state):\n    return 1, -1\nextra = {'bounds': bounds}\n",
        "return 1, -1",
        ("returns (1.0, -1.0)", "the low one must not be above the high one"),
    ),
    "bounds is one number": (
        "def bounds(state):\n    return 1\nextra = {'bounds': bounds}\n",
        "return 1",
        ("returns 1", "(low, high)"),
    ),
    "bounds is too narrow": (
        "def bounds(state):\n    return 1, 1\nextra = {'bounds': bounds}\n",
        "return 1, 1",
        ("but the value is -1", "return only what is proven"),
    ),
    "useful leaves out the best": (
        "def useful(state):\n    yield 1\nextra = {'useful': useful}\n",
        "yield 1",
        ("no best move is among them",),
    ),
    "key is a tuple": (
        "def key(state):\n    return state.stones, state.player\nextra = {'key': key}\n",
        "return state.stones",
        ("it must return an int",),
    ),
    "key is a text": ("def key(state):\n    return str(state)\nextra = {'key': key}\n", "return str", ("it must return an int",)),
    "key leaves out the stones": (
        "def key(state):\n    return state.player\nextra = {'key': key}\n",
        None,
        ("the same for two states with another",),
    ),
    "key leaves out the player": (
        "def key(state):\n    return state.stones\nextra = {'key': key}\n",
        None,
        ("the same for two states with another",),
    ),
    "turn says -1 at the end": (
        "def turn(state):\n    return -1 if state.stones <= 0 else state.player\n",
        "return -1",
        ("returns CHANCE, but the game has no chances", "or return OVER if the game ends there"),
    ),
    "turn counts in a list": (
        "calls = [0]\ndef turn(state):\n    calls[0] += 1\n    return OVER if state.stones <= 0 else calls[0] % 2\n",
        "calls[0] % 2",
        ("answers 1 and then 0 to the same question", "nothing but its arguments"),
    ),
    "moves keeps an iterator": (
        "kept = iter((1, 2, 1, 2))\ndef moves(state):\n    return kept\n",
        "return kept",
        ("yields [1, 2, 1, 2] and then [] for the same state",),
    ),
    "moves raises StopIteration": (
        "def moves(state):\n    yield 1\n    raise StopIteration\n",
        "raise StopIteration",
        ("StopIteration is raised", "return ends a rule that yields"),
    ),
    "moves asks next of nothing": (
        "def moves(state):\n    yield next(move for move in (1, 2) if move > state.stones)\n",
        "yield next",
        ("moves, line", "write the loop out"),
    ),
    "play collects in a default": (
        "def play(state, move, history=[]):\n    history.append(move)\n    return State(state.stones - len(history), 1 - state.player)\n",
        "return State",
        ("answers State(stones=5, player=1) and then State(stones=4, player=1)",),
    ),
    "play returns another NamedTuple": (
        "class Other(NamedTuple):\n    stones: int\n    player: int\ndef play(state, move):\n    return Other(state.stones - move, 1 - state.player)\n",
        "return Other",
        ("returns an Other and not a State",),
    ),
    "the class of the state is defined twice": (
        "class State(NamedTuple):\n    stones: int\n    player: int\n",
        None,
        ("play, line", "returns a State of another class than the start's State", "define the class State once"),
    ),
    "play writes a tuple that grows": (
        "class State(NamedTuple):\n    stones: int\n    player: int\n    taken: tuple\nstart = State(6, 0, (0,))\n"
        "def play(state, move):\n    return State(state.stones - move, 1 - state.player, state.taken + (move,))\n",
        "state.taken + (move,)",
        ("state field 'taken' must be a tuple of 1 ints",),
    ),
    "score waits for a debugger": (
        "def score(state):\n    breakpoint()\n    return 1\n",
        "breakpoint",
        ("breakpoint(...) waits for a person", "take it out"),
    ),
    "score is not a number in the rare case": (
        "start = State(30, 0)\ndef moves(state):\n    yield 1\n    yield 2\ndef score(state):\n    return float('nan') if state.stones < 0 else 1\n",
        "float('nan')",
        ("returns nan, outside of",),
    ),
    "probabilities of 2 and -1": (
        "def turn(state):\n    return OVER if state.stones <= 0 else CHANCE\ndef chances(state):\n    yield 1, 2.0\n    yield 2, -1.0\nextra = {'chances': chances}\n",
        "-1.0",
        ("chances, line", "yields (2, -1.0), a probability that is not above 0"),
    ),
    "probabilities are a little too large": (
        "def turn(state):\n    return OVER if state.stones <= 0 else CHANCE\ndef chances(state):\n    yield 1, 0.5\n    yield 2, 0.50001\nextra = {'chances': chances}\n",
        None,
        ("sum to 1.00001 and not to 1",),
    ),
    "useful leaves out the best in one state of many": (
        "start = State(40, 0)\ndef useful(state):\n    yield 1\n    if state.stones > 1 and state.stones != 5:\n        yield 2\nextra = {'useful': useful}\n",
        None,
        ("useful, line", "no best move is among them"),
    ),
    "bounds is too narrow in one state of many": (
        "start = State(40, 0)\ndef bounds(state):\n    return (1, 1) if state.stones == 6 and state.player == 0 else (-1, 1)\nextra = {'bounds': bounds}\n",
        "return (1, 1)",
        ("returns (1.0, 1.0), but the value is -1",),
    ),
    "key takes two values for one": (
        "def key(state):\n    return 4 * (state.stones // 3) + 2 * (state.stones > 1) + state.player + 99 * (state.stones > 0)\nextra = {'key': key}\n",
        "return 4 *",
        ("is the same for two states with",),
    ),
    "key outgrows 64 bits": (
        "def key(state):\n    return (state.stones << 80) + state.player\nextra = {'key': key}\n",
        "<< 80",
        ("is the same for two states with another", "put into it all that tells them apart"),
    ),
    "key is a float": (
        "def key(state):\n    return state.stones / 2 + state.player\nextra = {'key': key}\n",
        "return state.stones / 2",
        ("it must return an int",),
    ),
    "reward returns nothing": (
        "def reward(state, move):\n    if move == 2:\n        return 1\nextra = {'reward': reward, 'low': -9, 'high': 9}\n",
        "if move == 2",
        ("reward, line", "returns None", "every path must return a number"),
    ),
    "an outcome is too large": (
        "def turn(state):\n    return OVER if state.stones <= 0 else CHANCE\ndef chances(state):\n    yield 1, 0.5\n    yield (state.stones + 1) ** 30, 0.5\nextra = {'chances': chances}\n",
        "** 30",
        ("chances, line", "yields 22539340290692258087863249, which needs more than 63 bits", "number the outcomes"),
    ),
    "a cell is too large": (
        "def cells(state):\n    yield (state.stones + 1) ** 30\nextra = {'cells': cells}\n",
        "** 30",
        ("cells, line", "yields 22539340290692258087863249, which needs more than 63 bits", "use smaller numbers"),
    ),
    "cells loops": (
        "def cells(state):\n    while True:\n        yield state.stones\nextra = {'cells': cells}\n",
        "yield state.stones",
        ("cells, line", "yields more than 4096 ints", "see whether the rule comes to an end"),
    ),
    "cells are halves": (
        "def cells(state):\n    yield state.stones / 2\nextra = {'cells': cells}\n",
        "yield state.stones / 2",
        ("yields 3.0; a cell is an int", "//"),
    ),
    "cells are several numbers": (
        "def cells(state):\n    for stone in range(state.stones + 1):\n        yield stone\nextra = {'cells': cells}\n",
        None,
        ("cells, line", "ints here, and 7 in another state", "yield as many in every state"),
    ),
    "cells yields nothing": (
        "def cells(state):\n    for stone in range(0):\n        yield stone\nextra = {'cells': cells}\n",
        "range(0)",
        ("cells, line", "yields nothing", "yield what a learner looks at"),
    ),
    "cells misspells a field": (
        "def cells(state):\n    yield state.stone\nextra = {'cells': cells}\n",
        "yield state.stone",
        ("State has no field 'stone'", "did you mean 'stones'?"),
    ),
    "reward is infinite": (
        "def reward(state, move):\n    return float('inf') if move == 2 else 0\nextra = {'reward': reward, 'low': -9, 'high': 9}\n",
        "float('inf')",
        ("returns inf", "it must return a finite number"),
    ),
}

# The same of a board in an array.
ARRAYS = {
    "play changes the array": (
        "def play(state, move):\n    state.board[move] = 1 + state.player\n    return State(state.board, 1 - state.player)\n",
        "state.board[move] = ",
        ("changes the state that it is given", "copy the array first"),
    ),
    "play changes the array under another name": (
        "def play(state, move):\n    board = state.board\n    board[move] = 1 + state.player\n    return State(board, 1 - state.player)\n",
        "board[move] = ",
        ("changes the state that it is given",),
    ),
    "moves changes the array": (
        "def moves(state):\n    for square in range(9):\n        if state.board[square] == 0:\n            state.board[square] = 3\n            yield square\n",
        None,
        ("moves", "changes the state that it is given"),
    ),
    "play returns an array of another shape": (
        "def play(state, move):\n    board = np.append(state.board, 1)\n    return State(board, 1 - state.player)\n",
        "return State",
        ("state field 'board' must be an array of int8 of shape (9,)",),
    ),
    "play returns an array of another type": (
        "def play(state, move):\n    board = state.board * 1.0\n    return State(board, 1 - state.player)\n",
        "return State",
        ("state field 'board' must be an array of int8",),
    ),
    "play changes a slice": (
        "def play(state, move):\n    board = state.board[:]\n    board[move] = 1 + state.player\n    return State(board, 1 - state.player)\n",
        "board[move] = ",
        ("changes the state that it is given", "copy the array first"),
    ),
    "play gives the board two dimensions": (
        "def play(state, move):\n    board = state.board.copy()\n    board[move] = 1\n    return State(board.reshape(3, 3), 1 - state.player)\n",
        "return State",
        ("must be an array of int8 of shape (9,)", "got an array of int8 of shape (3, 3)"),
    ),
    "play appends to an array": (
        "def play(state, move):\n    state.board.append(move)\n    return state\n",
        "append",
        ("an array has no 'append'", "board = board.copy()"),
    ),
    "moves takes a row and a column": (
        "def moves(state):\n    for row in range(3):\n        if state.board[row, 0] == 0:\n            yield row\n",
        "state.board[row, 0]",
        ("takes an item by 2 numbers of an array with 1", "row * COLUMNS + column"),
    ),
    "an array is a condition": (
        "def turn(state):\n    return OVER if state.board == 0 else state.player\n",
        "state.board == 0",
        ("uses an array as a condition", ".any()"),
    ),
    "an index is one too large": (
        "def moves(state):\n    for square in range(10):\n        if state.board[square] == 0:\n            yield square\n",
        "state.board[square]",
        ("takes an item beyond the end", "one too large"),
    ),
    "a full board is not over": (
        "def turn(state):\n    return OVER if winner(state.board) != 0 else state.player\n",
        "for square in range(9)",
        ("yields nothing, and turn says", "return OVER there"),
    ),
    "turn is a question about the board": (
        "def turn(state):\n    return np.all(state.board != 0)\n",
        "np.all(state.board",
        ("returns False, a bool", "return 0 or 1"),
    ),
    "play changes a global array": (
        "GRID = np.zeros(9, np.int8)\ndef play(state, move):\n    GRID[move] = 1 + state.player\n    return State(GRID.copy(), 1 - state.player)\n",
        "GRID[move] =",
        ("changes the global array GRID", "put what changes into the state"),
    ),
    "moves are where the board is empty": (
        "def moves(state):\n    return np.where(state.board == 0)\n",
        "np.where",
        ("yields array([0, 1, 2, 3, 4, 5, 6, 7, 8]); a move is an int",),
    ),
    "an item is too large": (
        "def play(state, move):\n    board = state.board.copy()\n    board[move] = 200\n    return State(board, 1 - state.player)\n",
        "= 200",
        ("200", "int8"),
    ),
}

# Found only where the rules are compiled.
COMPILED = {
    "text is compared": (
        "def score(state):\n    return 1 if f'{(state.stones, state.player)}' == '(0, 1)' else -1\n",
        "f'{",
        ("an f-string", "compare numbers or tuples instead"),
    ),
    "ints outgrow 63 bits inside a rule": (
        "def score(state):\n    return 1 if (state.player + 1 << 62) * 2 > 0 else -1\n",
        None,
        ("score", "63 bits"),
    ),
    "_replace": (
        "def play(state, move):\n    return state._replace(stones=state.stones - move, player=1 - state.player)\n",
        "_replace",
        ("_replace does not compile", "State(...) with every field"),
    ),
    "a generator expression": (
        "def score(state):\n    return 1 if sum(bit for bit in (0, state.player)) else -1\n",
        "sum(bit",
        ("a generator expression does not compile",),
    ),
    "a sum over a generator": (
        "def bits(state):\n    yield state.stones\n    yield state.player\ndef score(state):\n    return 1 if sum(bits(state)) % 2 else -1\n",
        "sum(bits",
        ("sum does not compile for a generator;", "loops"),
    ),
    "itertools": (
        "import itertools\ndef moves(state):\n    for one, other in itertools.product((0, 1), (1,)):\n        if one + other <= state.stones:\n            yield one + other\n",
        "itertools.product",
        ("itertools.product does not compile", "write the loops out"),
    ),
    "a method of the state": (
        "class State(NamedTuple):\n    stones: int\n    player: int\n    def done(self):\n        return self.stones <= 0\nstart = State(6, 0)\ndef turn(state):\n    return OVER if state.done() else state.player\n",
        "OVER if state.done()",
        ("the method done of State does not compile", "done(state)"),
    ),
    "a class": (
        "class Rules:\n    def __init__(self, most):\n        self.most = most\ndef moves(state):\n    rules = Rules(2)\n    for take in range(1, rules.most + 1):\n        if take <= state.stones:\n            yield take\n",
        "Rules(2)",
        ("the class Rules does not compile", "plain functions"),
    ),
    "a recursive generator": (
        "def upto(most):\n    if most > 0:\n        for one in upto(most - 1):\n            yield one\n        yield most\ndef moves(state):\n    for take in upto(2):\n        if take <= state.stones:\n            yield take\n",
        "def upto",
        ("yields and calls itself", "loop"),
    ),
    "a dict of names": (
        "TAKE = {'one': 1, 'two': 2}\ndef moves(state):\n    for name in ('one', 'two'):\n        if TAKE[name] <= state.stones:\n            yield TAKE[name]\n",
        "if TAKE",
        ("the global dict TAKE does not compile",),
    ),
    "any and all": (
        "def turn(state):\n    return OVER if all([state.stones <= 0]) else state.player\n",
        "all(",
        ("all does not compile", "write the loop out"),
    ),
    "a rule is cached": (
        "from functools import cache\n@cache\ndef moves(state):\n    return (1, 2) if state.stones > 1 else (1,)\n",
        None,
        ("moves is wrapped by functools.cache", "take the decorator off"),
    ),
    "types are mixed": (
        "def score(state):\n    if state.player == 1:\n        found = 1\n    else:\n        found = (-1, 0)\n    return found if state.player == 1 else -1\n",
        None,
        ("found",),
    ),
    "a file is written": (
        "def play(state, move):\n    with open('log.txt', 'a') as file:\n        file.write('')\n    return State(state.stones - move, 1 - state.player)\n",
        "with open",
        ("open(...) does not compile", "a rule only computes"),
    ),
    "one exception is caught": (
        "def score(state):\n    try:\n        return 1 // state.player * 2 - 1\n    except ZeroDivisionError:\n        return -1\n",
        "except ZeroDivisionError",
        ("catching one kind of exception does not compile",),
    ),
    "moves are members of an Enum": (
        "from enum import IntEnum\nclass Take(IntEnum):\n    ONE = 1\ndef moves(state):\n    yield Take.ONE\n",
        "yield Take.ONE",
        ("Take.ONE is a member of an Enum", "write Take.ONE.value"),
    ),
    "a state is made of a list": (
        "def play(state, move):\n    fields = list(state)\n    fields[0] -= move\n    return State(*fields)\n",
        "State(*fields)",
        ("State(*...) of a list does not compile", "name every field"),
    ),
    "a dict is asked by get": (
        "def score(state):\n    worth = {0: -1, 1: 1}\n    return worth.get(state.player)\n",
        "worth.get",
        ("score, line", ".get of a dict gives None where nothing is found", "use a tuple or an array"),
    ),
    "zip is returned": (
        "def turn(state):\n    return OVER if state.stones <= 0 else CHANCE\ndef chances(state):\n    return zip((1, 2), (0.5, 0.5))\nextra = {'chances': chances}\n",
        "return zip",
        ("chances, line", "return zip(...) does not compile", "yield each"),
    ),
    "a star takes the rest": (
        "def play(state, move):\n    stones, *rest = state\n    return State(stones - move, 1 - rest[0])\n",
        "*rest",
        ("a star on the left of = does not compile",),
    ),
    "enumerate begins with another number": (
        "def moves(state):\n    for take, _ in enumerate((0, 0), start=1):\n        if take <= state.stones:\n            yield take\n",
        "enumerate(",
        ("enumerate with start= does not compile", "write enumerate(items, 1)"),
    ),
    "a text is formatted": (
        "def score(state):\n    return 1 if '%d' % state.player == '1' else -1\n",
        "'%d'",
        ("% of a text", "compare numbers"),
    ),
    "a rule is an object": (
        "class Score:\n    def __call__(self, state):\n        return 1 if state.player == 1 else -1\nscore = Score()\n",
        "def __call__",
        ("score is a Score and no plain function",),
    ),
    "a lambda assigns": (
        "score = lambda state: (won := state.player) * 2 - 1\n",
        "lambda",
        ("score, line", "an assignment inside an expression"),
    ),
    "a bool is inverted": (
        "def score(state):\n    won = state.player == 1\n    return -1 if ~won else 1\n",
        "~won",
        ("~ of a bool is -1 or -2", "write not"),
    ),
    "numbers are compared by is": (
        "def score(state):\n    return 1 if state.player + 1 is 2 - state.stones else -1\n",
        "1 is 2",
        ("score, line", "compares values by is", "write =="),
    ),
    "the hash of a text": (
        "def score(state):\n    return 1 if hash('one') % 2 == state.player else -1\n",
        "hash('one')",
        ("score, line", "hash(...): text means something else", "compare numbers"),
    ),
    "an except with a star": (
        "def score(state):\n    try:\n        return 2 // state.player - 1\n    except* Exception:\n        worth = -1\n    return worth\n",
        "except* Exception",
        ("score, line", "it uses what compiled code does not know"),
    ),
    "a view is reshaped": (
        "import numpy as np\ndef score(state):\n    turned = np.arange(6).reshape(2, 3).T.reshape(6)\n    return 1 if turned[1] == 3 else -1\n",
        "turned = np.arange(6)",
        ("score, line", "reshapes a view whose items do not lie side by side", "copy it first"),
    ),
    "a global set": (
        "TAKES = {1, 2}\ndef moves(state):\n    for take in TAKES:\n        if take <= state.stones:\n            yield take\n",
        "in TAKES",
        ("the global set TAKES does not compile", "make it a tuple"),
    ),
}

# Compiled, with a tuple for a board.
TUPLE = """\
from typing import NamedTuple
from outplay import OVER, Game

class State(NamedTuple):
    board: tuple
    player: int

def turn(state):
    return OVER if state.board.count(0) == 0 else state.player

def moves(state):
    for square in range(4):
        if state.board[square] == 0:
            yield square

def play(state, move):
    board = list(state.board)
    board[move] = 1 + state.player
    return State(tuple(board), 1 - state.player)

def score(state):
    return 1 if state.board[0] == 1 else -1

game = Game(name="squares", start=State((0, 0, 0, 0), 0), turn=turn, moves=moves, play=play, score=score)
"""

# Several mistakes that only a compiler minds, each with its text and its words.
SEVERAL = """\
import logging

class State(NamedTuple):
    stones: int
    player: int
    taken: tuple

start = State(6, 0, (0, 0))
memo = {}

def play(state, move):
    return state._replace(stones=state.stones - move, player=1 - state.player)

def score(state):
    if state.player not in memo:
        memo[state.player] = 1 if state.player == 1 else -1
    return memo[state.player]

def estimate(state):
    return 0.0 * len(state.taken[state.player:])

def rank(state, move, ranks=[]):
    logging.debug("asked")
    return move

extra = {"estimate": estimate, "rank": rank}
"""
SEVERAL_TOLD = (
    ("state._replace", ("play, line", "_replace does not compile")),
    ("not in memo", ("score, line", "leave it out; a search keeps a table of positions itself")),
    ("len(state.taken", ("estimate, line", "a slice of a tuple by a variable does not compile", "write a loop over the indices")),
    ("def rank", ("rank, line", "has a list, dict or set for a default, which does not compile")),
    ("logging.debug", ("rank, line", "logging.debug does not compile", "take it out")),
)

# A Game that cannot be made at all: the words are the error's.
REFUSED = {
    "the state is a class": ("class State:\n    stones = 6\nstart = State()\n", "must be a NamedTuple"),
    "the state is a class that takes arguments": (
        "class State:\n    stones: int\n    player: int\nstart = State(6, 0)\n",
        "(line 27); write class State(NamedTuple): with a line for each field",
    ),
    "the state is a dict": ("start = {'stones': 6}\n", "must be a NamedTuple"),
    "the state is a list": ("start = [6, 0]\n", "must be a NamedTuple"),
    "a field is a list": ("start = State([1, 2], 0)\n", "state field 'stones' holds [1, 2], a list"),
    "a field is a text": ("start = State('six', 0)\n", "state field 'stones' holds 'six', a str"),
    "a field is None": (
        "start = State(None, 0)\n",
        "state field 'stones' holds None; a field is int, bool, float, a tuple of ints or a NumPy integer array: write a number instead, such as -1",
    ),
    "a field is a member of an Enum": (
        "from enum import Enum\nclass Who(Enum):\n    A = 0\nstart = State(6, Who.A)\n",
        "state field 'player' holds Who.A, a member of an Enum; a field is int, bool, float, a tuple of ints or a NumPy integer array: write Who.A.value",
    ),
    "a field is a set": ("start = State({1}, 0)\n", "state field 'stones' holds {1}, a set"),
    "a field is a tuple of tuples": ("start = State(((0, 0), (0, 0)), 0)\n", "a tuple field holds one or more ints"),
    "a rule is called": ("score = score(start)\n", "score of 'pile' must be a function of (state); got"),
    "a rule takes too little": ("def play(state):\n    return state\n", "play of 'pile' must take (state, choice)"),
    "a start that is too short": ("start = State(6)\n", "State(...) leaves out 'player' (line 24); give every field"),
    "a start that is too long": ("start = State(6, 0, 1)\n", "State(...) gets something that is not a field"),
    "a Game with what it does not have": (
        "extra = {'estimates': score}\n",
        "a Game has no 'estimates' (line 26); did you mean 'estimate'? It takes name, start, turn",
    ),
    "a Game without a rule": ("Game(name='half', start=start, turn=turn)\n", "Game(...) leaves out 'moves', 'play', and 'score'"),
    "policies are a list": ("extra = {'policies': [turn]}\n", "must be a dict of names and functions of the state"),
    "a policy takes too much": (
        "def timid(state, moves):\n    return 1\nextra = {'policies': {'timid': timid}}\n",
        "the policy 'timid' of 'pile' must take (state); it is written timid(state, moves)",
    ),
    "a tuple is very long": (
        "start = State(6, (0,) * 3000)\n",
        "a tuple of 3000 items, which would take minutes to compile; make it a NumPy array",
    ),
    "the file asks a person": (
        "name = input('Your name? ')\n",
        "input(...) asks a person while the file is loaded (line 24); put what plays or tries the game below if __name__",
    ),
    "the scale is a text": ("extra = {'low': '-1', 'high': '1'}\n", "low='-1' and high='1' of 'pile' must be finite numbers"),
    "max_moves is a text": ("extra = {'max_moves': 'many'}\n", "max_moves='many' of 'pile' must be an int between 1 and 32,767"),
    "the scale is upside down": ("extra = {'low': 1, 'high': -1}\n", "must be finite numbers with low below high"),
}

# Told by the source alone, with the line that holds the first text. Nothing is compiled for these.
TRAPPED = {
    "copy.deepcopy": (
        "from copy import deepcopy\ndef play(state, move):\n    board = deepcopy(state.board)\n    return State(board, 0)\n",
        "deepcopy(state",
        "deepcopy of copy does not compile; copy an array by its own copy(): state.board.copy()",
    ),
    "a list of an outer function": (
        "def made():\n    seen = []\n    def score(state):\n        seen.append(state.player)\n        return 0\n    return score\nscore = made()\n",
        "seen.append",
        "the outer function's list seen does not compile; leave it out; what changes belongs into the state",
    ),
    "a memo of an outer function": (
        "def made():\n    memo = {}\n    def score(state):\n        memo[state.player] = 1\n        return 0\n    return score\nscore = made()\n",
        "memo[state",
        "the outer function's dict memo does not compile; leave it out; a search keeps a table of positions itself",
    ),
    "match with a class": (
        "def score(state):\n    match state:\n        case State(board, player):\n            return player\n    return 0\n",
        "case State",
        "matching a class or a dict does not compile; compare the fields with if",
    ),
    "_asdict": (
        "def play(state, move):\n    fields = state._asdict()\n    return state\n",
        "_asdict",
        "_asdict does not compile; name the fields: state.board",
    ),
    "two stars": (
        "def play(state, move):\n    return State(**{'board': state.board, 'player': 0})\n",
        "State(**",
        "State(**...) does not compile; name every field, each with its value",
    ),
    "_make": (
        "def play(state, move):\n    return State._make((state.board, 0))\n",
        "_make",
        "State._make does not compile; write State(...) with every field",
    ),
    "a product of arrays": (
        "WEIGHTS = np.arange(9) / 100\ndef estimate(state):\n    return WEIGHTS @ (state.board * 1.0)\nextra = {'estimate': estimate}\n",
        "WEIGHTS @",
        "@: a product of matrices is rounded differently when compiled, if it compiles at all; multiply item by item: np.sum(one * other)",
    ),
    "np.dot": (
        "WEIGHTS = np.arange(9) / 100\ndef estimate(state):\n    return np.dot(WEIGHTS, state.board * 1.0)\nextra = {'estimate': estimate}\n",
        "np.dot(",
        "np.dot: a product of matrices",
    ),
    "the method dot": (
        "WEIGHTS = np.arange(9) / 100\ndef estimate(state):\n    return WEIGHTS.dot(state.board * 1.0)\nextra = {'estimate': estimate}\n",
        "WEIGHTS.dot(",
        ".dot: a product of matrices",
    ),
    "np.all with axis": (
        "def score(state):\n    return 1 if np.any(np.all(state.board.reshape(3, 3) == 1, axis=0)) else 0\n",
        "np.all(state.board.reshape",
        "np.all with axis= does not compile; write the loop out",
    ),
    "a function inside that yields": (
        "def moves(state):\n    def legal():\n        yield 1\n    return legal()\n",
        "def legal",
        "legal, a function inside a rule that yields, does not compile; write it outside of the rule",
    ),
    "del": (
        "def score(state):\n    worth = 1\n    del worth\n    return 0\n",
        "del worth",
        "del worth does not compile; leave it out",
    ),
    "out= of a NumPy function": (
        "def play(state, move):\n    board = state.board.copy()\n    np.add(board, 1, out=board)\n    return State(board, 0)\n",
        "np.add(",
        "np.add takes no out= in compiled code; write board = np.add(...)",
    ),
    "+= of a state's array": (
        "def score(state):\n    board = state.board\n    board += 1\n    return 0\n",
        "board += 1",
        "board is state.board: this changes the array of a state; copy it first: board = state.board.copy()",
    ),
    "sort of a state's array": (
        "def score(state):\n    state.board.sort()\n    return 0\n",
        "sort()",
        "state.board.sort(...) changes the array of a state; copy it first: board = state.board.copy()",
    ),
    "a member of an Enum in a State": (
        "from enum import IntEnum\nclass Who(IntEnum):\n    A = 0\n    B = 1\n"
        "def play(state, move):\n    return State(state.board, Who.A if state.player else Who.B)\n",
        "Who.A if",
        "Who.A is a member of an Enum, and no int when compiled; write Who.A.value",
    ),
    "an exception has a name": (
        "def score(state):\n    try:\n        return 1 // state.player\n    except Exception as error:\n        return 0\n",
        "except Exception as",
        "except Exception as error does not compile; write except Exception: without a name",
    ),
    "an exception has a cause": (
        "def score(state):\n    if state.player > 1:\n        raise ValueError('player') from None\n    return 0\n",
        "raise ValueError",
        "raise ... from does not compile; write raise ValueError('player')",
    ),
    "zip is strict": (
        "def score(state):\n    worth = 0\n    for one, other in zip((1, 2), (3, 4), strict=True):\n        worth += one * other\n    return worth / 99\n",
        "strict=True",
        "zip with strict= does not compile; leave strict= out",
    ),
    "a parameter takes all names": (
        "def worth(**names):\n    return names['one']\ndef score(state):\n    return worth(one=1)\n",
        "def worth",
        "**names of worth does not compile; name every parameter",
    ),
    "a class inside a rule": (
        "def score(state):\n    class Kept(NamedTuple):\n        worth: int\n    return Kept(1).worth\n",
        "class Kept",
        "a class inside a rule does not compile; write it outside of the rule",
    ),
    "a function inside a rule calls itself": (
        "def score(state):\n    def down(number):\n        return 0 if number == 0 else down(number - 1)\n    return down(3)\n",
        "def down",
        "down, a function inside another one that calls itself, does not compile; write it outside of the other",
    ),
    "np.empty": (
        "def play(state, move):\n    board = np.empty(9, np.int8)\n    board[move] = 1\n    return State(board, 0)\n",
        "np.empty(",
        "np.empty leaves to chance what the items are; write np.zeros",
    ),
    "empty by its name": (
        "from numpy import empty_like\ndef play(state, move):\n    board = empty_like(state.board)\n    return State(board, 0)\n",
        "empty_like(",
        "empty_like leaves to chance what the items are; write zeros_like",
    ),
    "a Fraction": (
        "from fractions import Fraction\ndef score(state):\n    return Fraction(1, 3)\n",
        "Fraction(1",
        "the class Fraction does not compile; write a plain number, such as 1 / 3",
    ),
}
