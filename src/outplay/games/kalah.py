"""Kalah: sow seeds round the board, and bring more of them home than the other. Houses are numbered from 1 to the own store."""

from typing import NamedTuple

from outplay.errors import OptionError, StateError
from outplay.games.common.parameters import check_whole
from outplay.games.pictures.kalah import painter
from outplay.pictures.scene import Scene
from outplay.rules.game import OVER, Game

RULES = ("standard", "empty-capture")

# With empty-capture, six houses of four seeds are a win by 10 for player 0: Irving, Donkers & Uiterwijk, "Solving Kalah", ICGA
# Journal 23(3), 2000. As there, the game ends as soon as one side is empty, whoever is to move. It matters: if only the player
# to move needed a seed, one house of five would be a draw in place of a win by 2.

# The houses of one player share an int, house 1 lowest, each with as many bits as the number of all seeds takes. Of four
# houses with three seeds each, 24 seeds in all, 5 bits a house:
#
#      house 4 | house 3 | house 2 | house 1      00011 00011 00011 00011
#
# To sow is to add: 1 in every house that gets a seed. Seen by the player to move, pits are counted in the order of sowing:
# 0 the house 1, ... houses - 1 the last one, houses the own store, from there to 2 * houses the houses of the other.

PLAYERS = ("South", "North")


class State(NamedTuple):
    own: int  # the houses of the player to move
    other: int
    own_store: int  # seeds that the player to move has brought home
    other_store: int
    player: int


def kalah(houses: int = 6, seeds: int = 4, capture: str = "standard") -> Game:
    """Kalah: a last seed in the own store moves again, in an own empty house captures. Scored by the margin in seeds.

    By the standard rule there is no capture where the house opposite is empty; by "empty-capture" the last seed
    alone then goes home.
    """
    for name, value in (("houses", houses), ("seeds", seeds)):
        check_whole("kalah", name, value, 1)
    if capture not in RULES:
        raise OptionError(f"capture={capture!r} of kalah is unknown; there are {' and '.join(RULES)}")
    total = 2 * houses * seeds
    bits = total.bit_length()
    if houses * bits > 62:
        raise OptionError(
            f"{houses} houses that can hold {total} seeds take houses * {bits} = {houses * bits} bits; 62 are the most: "
            "take fewer houses or seeds"
        )
    most = (1 << bits) - 1
    ones = sum(1 << bits * house for house in range(houses))
    round_trip = 2 * houses + 1  # the pits that a player sows into: all but the other's store
    captures_alone = capture == "empty-capture"

    def seeds_in(side, house):
        return side >> bits * house & most

    def up_to(house):
        """Return 1 for each house below *house*, counted from 0."""
        return ones & (1 << bits * house) - 1

    def last_pit(house, sown):
        """Return where the last seed goes."""
        return (house + sown) % round_trip

    def turn(state):
        return OVER if state.own | state.other == 0 else state.player

    def moves(state):
        for house in range(houses):
            if seeds_in(state.own, house):
                yield house + 1

    def play(state, move):
        own, other, own_store, other_store, player = state
        # 1. Sow: so many in every pit, and one more from the next pit to the end of the last round.
        house = move - 1
        sown = seeds_in(own, house)
        rounds, end = sown // round_trip, house + sown % round_trip
        own -= sown << bits * house
        own += rounds * ones + (up_to(min(end + 1, houses)) ^ up_to(house + 1)) + up_to(max(end + 1 - round_trip, 0))
        other += rounds * ones + up_to(min(max(end - houses, 0), houses))
        own_store += rounds + (end >= houses)
        # 2. Capture: the last seed is alone in an own house.
        last = last_pit(house, sown)
        if last < houses and seeds_in(own, last) == 1:
            opposite = houses - 1 - last
            captured = seeds_in(other, opposite)
            if captured or captures_alone:
                own -= 1 << bits * last
                other -= captured << bits * opposite
                own_store += captured + 1
        # 3. When a side is empty, what is left on the other goes home.
        if own == 0:
            other, other_store = 0, total - own_store
        elif other == 0:
            own, own_store = 0, total - other_store
        if last == houses:
            return State(own, other, own_store, other_store, player)
        return State(other, own, other_store, own_store, 1 - player)

    def score(state):
        margin = state.own_store - state.other_store
        return margin if state.player == 0 else -margin

    def bounds(state):
        """Seeds in a store stay there: the margin is widest if all others go to one player."""
        best, worst = total - 2 * state.other_store, 2 * state.own_store - total
        return (worst, best) if state.player == 0 else (-best, -worst)

    def rank(state, move):
        """Another move first, then what it captures; the nearer to the store, the better."""
        house = move - 1
        sown = seeds_in(state.own, house)
        last = last_pit(house, sown)
        if last == houses:
            return 2 * total + move
        if last < houses and (sown == round_trip or (sown < round_trip and seeds_in(state.own, last) == 0)):
            return 2 * seeds_in(state.other, houses - 1 - last) + move
        return move

    def sides_of(state):
        """Return for each player the seeds in its houses, from house 1, and in its store."""
        sides = [
            [*(seeds_in(state.own, house) for house in range(houses)), state.own_store],
            [*(seeds_in(state.other, house) for house in range(houses)), state.other_store],
        ]
        return sides if state.player == 0 else sides[::-1]

    def show(state):
        """Player 1 sits above, and so counts from the right; each store lies at its player's right."""
        (*first, first_store), (*second, second_store) = sides_of(state)
        width = len(str(total))
        beside = " " * (width + 3)
        numbers = "".join(f" {number:>{width}} " for number in range(1, houses + 1))
        numbers_back = "".join(f" {number:>{width}} " for number in range(houses, 0, -1))
        below, above = ("".join(f"({number:>{width}})" for number in side) for side in (first, reversed(second)))
        marks = [" >" if turn(state) == player else "  " for player in (0, 1)]
        return "\n".join(
            [
                f"{beside}{numbers_back}".rstrip(),
                f"{beside}{above} {marks[1]} player 1",
                f"[{second_store:>{width}}] {' ' * len(below)} [{first_store:>{width}}]",
                f"{beside}{below} {marks[0]} player 0",
                f"{beside}{numbers}".rstrip(),
            ]
        )

    def write_state(state):
        """Write for each player the seeds in its houses and its store, then who moves: 4,4,4,0/4,4,4,0/0."""
        return "/".join([*(",".join(map(str, side)) for side in sides_of(state)), str(state.player)])

    def read_state(text):
        """Read the houses played (3,6,1, or 361 without commas), or a board as `write_state` writes it."""
        return _read_board(text) if "/" in text else _read_moves(text)

    def _read_moves(text):
        names = text.replace(",", " ").split() if set(text) & set(", ") else list(text)
        state = start
        for number, name in enumerate(names, 1):
            where = f"{text!r}: move {number}, {name!r},"
            if not name.isdecimal() or not 1 <= int(name) <= houses:
                raise StateError(f"{where} is not a house; write the houses played, 1 to {houses}, such as 3,6,1")
            if turn(state) == OVER:
                raise StateError(f"{where} comes after the end of the game; leave it out, and all after it")
            if int(name) not in list(moves(state)):
                raise StateError(f"{where} takes from an empty house; open to player {state.player} are {list(moves(state))}")
            state = play(state, int(name))
        return state

    def _read_board(text):
        parts = [part.replace(",", " ").split() for part in text.split("/")]
        shape = [len(part) for part in parts]
        if shape != [houses + 1, houses + 1, 1] or not all(word.isdecimal() for part in parts for word in part):
            raise StateError(
                f"{text!r} is not a board; write the seeds in the {houses} houses and the store of player 0, then of player 1, "
                f"then who moves, 0 or 1, such as {write_state(start)}"
            )
        first, second, (player,) = ([int(word) for word in part] for part in parts)
        if player > 1:
            raise StateError(f"{text!r}: {player} is not a player; write 0 if the first one moves, 1 if the second")
        if sum(first) + sum(second) != total:
            raise StateError(
                f"{text!r} has {sum(first) + sum(second)} seeds, and this game has {total}; correct it, or take the game with so many"
            )
        if any(first[:-1]) != any(second[:-1]):
            raise StateError(f"{text!r}: a side is empty, so the game is over; put the seeds left into the store beside them")
        own, other = (first, second) if player == 0 else (second, first)
        return State(_packed(own[:-1]), _packed(other[:-1]), own[-1], other[-1], player)

    def _packed(side):
        return sum(number << bits * house for house, number in enumerate(side))

    start = State(seeds * ones, seeds * ones, 0, 0, 0)
    size = "" if (houses, seeds) == (6, 4) else f"({houses},{seeds})"
    return Game(
        name="kalah" + size + (", empty-capture" if captures_alone else ""),
        start=start,
        turn=turn,
        moves=moves,
        play=play,
        score=score,
        estimate=score,
        bounds=bounds,
        rank=rank,
        show=show,
        draw=painter(Scene("Kalah", PLAYERS, turn, moves, score), houses, sides_of),
        players=PLAYERS,
        about=(
            f"South moves first. A move takes all seeds of one of the own {houses} houses and sows them one by one to the "
            "right and round the board: into the "
            "own houses, the own store, the other's houses, but not the other's store. If the last seed falls into the "
            "own store, the player moves again. "
            "If it falls into an own house that was empty, it and all seeds opposite go to the own store"
            + (", even if there are none opposite. " if captures_alone else "; if there are none opposite, nothing happens. ")
            + "When one side is empty the game ends, and the seeds left go to the store of the player on whose side they "
            "lie. The value is South's seeds "
            "less North's."
        ),
        read_state=read_state,
        write_state=write_state,
        low=-total,
        high=total,
        max_moves=houses,
    )
