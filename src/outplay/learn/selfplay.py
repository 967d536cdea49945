"""Runs the kernel of self-play: the memory of each thread, and games in a crew of threads."""

from typing import Any

from outplay.compile.engine import Engine
from outplay.compile.learned_estimate import LearnedEstimate
from outplay.errors import GameError
from outplay.learn import layout
from outplay.learn.selfplay_kernel import play_games
from outplay.learn.settings import Settings
from outplay.rules.bits import bits_of, splitmix
from outplay.rules.game import Game
from outplay.rules.interpreted_rules import InterpretedRules
from outplay.runtime import meter
from outplay.runtime.faults import fault

STEPS = 1 << 12  # of a trail


def engine_for(game: Game, *, compiled: bool = True) -> Engine:
    """Return the engine of self-play for *game*, whose estimate is what the network adds to."""
    return Engine(game, play_games, compiled=compiled)


class SelfPlayer:
    """One thread of self-play. Of *threads* threads, it plays game number *index* and every *threads*-th game after it."""

    def __init__(self, engine: Engine, index: int, threads: int, *, seed: int, room: int) -> None:
        self.engine, game = engine, engine.game
        self.words = sum(field.words for field in game.fields)
        top, width = layout.WORDS, self.words + layout.MARKS
        self.memory = memory = engine.memory(top + 4 * game.max_moves + self.words)
        memory[meter.MAX_MOVES], memory[meter.STRIDE] = game.max_moves, meter.FIRST_STRIDE
        memory[layout.TOP], memory[layout.STATE_AT] = top, top + 4 * game.max_moves
        memory[layout.GAME], memory[layout.STRIDE] = index, threads
        memory[layout.SEED] = splitmix(seed, 2)  # with the seed itself, its games would be those of `playouts`
        memory[layout.ROOM], memory[layout.WIDTH] = room, width
        self.book = engine.memory(layout.FIRST + room * width)
        memory[layout.RECORD_AT] = engine.address(self.book)
        self.path = engine.memory(layout.SLOTS * self.words)
        memory[layout.PATH_AT] = engine.address(self.path)
        self._keep: list[Any] = []

    def use(self, estimate: LearnedEstimate) -> None:
        """Play with the network of *estimate* from now on."""
        engine, memory, lanes = self.engine, self.memory, estimate.lanes
        trail, kept = engine.memory(STEPS * layout.STEP), engine.memory(STEPS * lanes // 2)
        self._keep = [trail, kept, estimate]
        memory[layout.TRAIL_AT], memory[layout.KEPT_AT] = engine.address(trail), engine.address(kept)
        memory[layout.STEPS] = STEPS
        if engine.compiled:
            view = engine.memory(estimate.view_words)
            self._keep.append(view)
            memory[meter.NETWORK_AT] = estimate.write_view(view, 0)
        else:
            memory[meter.NETWORK_AT] = estimate.interpreted_view()

    def face(self, rival: LearnedEstimate) -> None:
        """Play against the network of *rival* from now on, which has the same shape; nothing is learned."""
        engine, view = self.engine, None
        if engine.compiled:
            view = engine.memory(rival.view_words)
            self.memory[layout.RIVAL_AT] = rival.write_view(view, 0)
        else:
            self.memory[layout.RIVAL_AT] = rival.interpreted_view()
        self._keep += [view, rival]

    def release(self) -> None:
        """Let go of the network, before another one is used."""
        self._keep = []

    def set(self, settings: Settings) -> None:
        """Play as *settings* say from now on."""
        memory = self.memory
        memory[layout.PLY_LIMIT], memory[layout.OPENING] = settings.plies, settings.opening
        memory[layout.EVERY], memory[layout.TRAINS] = settings.every, int(settings.trains)
        memory[layout.RESTART] = settings.restart
        for place, real in (
            (layout.EPSILON, settings.epsilon),
            (layout.DECAY, settings.decay),
            (layout.RATE, settings.rate),
            (layout.HIDDEN_RATE, settings.hidden_rate),
            (layout.SLOWED, settings.slowed),
        ):
            memory[place] = bits_of(real) if self.engine.compiled else real

    def unlimited(self) -> None:
        """Play without a limit of time."""
        self.memory[meter.DEADLINE] = self.memory[meter.NODE_LIMIT] = meter.NEVER

    def run(self, last: int) -> None:
        """Play up to game number *last*, or to a limit or a fault."""
        memory = self.memory
        memory[layout.LAST] = last
        memory[meter.NEXT_LOOK] = memory[meter.NODES] + 1
        memory[meter.WHY] = memory[meter.TRAIL_LENGTH] = 0
        self.engine.run(self.engine.game.start, memory)

    @property
    def game(self) -> int:
        """The number of the game that it plays, or would play next."""
        return int(self.memory[layout.GAME])

    def skip_to(self, number: int) -> None:
        """Play game *number* next, or the first one after it that is this thread's."""
        index, threads = int(self.memory[layout.GAME]), int(self.memory[layout.STRIDE])
        self.memory[layout.GAME] = index + -(-max(number - index, 0) // threads) * threads

    def repeat(self, other: "SelfPlayer") -> int:
        """Play next what *other*, compiled or not, was playing; return the number of the game before which to end."""
        rules, memory = InterpretedRules(self.engine.game), self.memory
        memory[layout.GAME] = other.game
        memory[layout.REPLAYS] = replays = int(other.memory[layout.REPLAYS])
        if not replays:
            return other.game + 1
        memory[layout.KEY] = int(other.memory[layout.KEY])
        rules.store_state(rules.load_state(other.path, 0), self.path, 0)
        return other.game

    @property
    def played(self) -> bool:
        """Whether all its games were played."""
        return self.game >= int(self.memory[layout.LAST])

    def fault(self) -> GameError | None:
        """Return the error that ended it, or None."""
        if int(self.memory[meter.WHY]) <= meter.BY_STOP:
            return None
        game = self.engine.game
        state = InterpretedRules(game).load_state(self.memory, int(self.memory[layout.STATE_AT]))
        return fault(game, state, self.memory)

    def real(self, place: int) -> float:
        """Return the counter at *place*, a float."""
        return self.engine.reals(self.memory, place, 1)[0]

    def recorded(self) -> list[list[int]]:
        """Return and clear the recorded states, the oldest first: who acts, whether a game begins there, and the words of each."""
        number, width = int(self.book[0]), self.words + layout.MARKS
        room = int(self.memory[layout.ROOM])
        words = self.engine.words(self.book, layout.FIRST, min(number, room) * width)
        rows = [words[place : place + width] for place in range(0, len(words), width)]
        self.book[0] = 0
        first = number % room if number > room else 0
        return rows[first:] + rows[:first]
