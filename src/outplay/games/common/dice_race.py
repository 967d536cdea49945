"""What races by dice share: who plays, the scores as text, and states as numbers separated by commas."""

from outplay.errors import StateError

PLAYERS = ("player 0", "player 1")
HIGHEST_GOAL = 1_000_000


def scores_text(state, goal):
    """Return the points of both players, with a mark before the player whose turn it is."""
    points = enumerate((state.first, state.second))
    return "\n".join(f"{'>' if player == state.player else ' '} player {player}: {own:3} of {goal}" for player, own in points)


def read_numbers(game, text, fields, example):
    """Return the numbers in *text*: one for each of the *fields*, and one more, which is 0 if *text* leaves it out."""
    words, number = text.replace(",", " ").split(), len(fields.split(","))
    if not all(word.isdecimal() for word in words) or len(words) not in (number, number + 1):
        raise StateError(f"{text!r} is not a state of {game}; write {fields}, such as {example}")
    return [*map(int, words), 0][: number + 1]


def write_numbers(state):
    """Return the fields of *state* as `read_numbers` reads them."""
    return ",".join(str(int(value)) for value in state)
