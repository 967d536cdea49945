"""What a game is: a start state and the functions that are its rules."""

import inspect
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property
from itertools import islice
from random import Random
from typing import TYPE_CHECKING, Any, Generic

from outplay.errors import GameError, IllegalMove, RuleError, RuleRaised, StateError
from outplay.pictures.board_text import BoardText
from outplay.pictures.picture import Picture, text_picture
from outplay.rules.fields import Field, conform, fields_of, is_int
from outplay.rules.pickling import reduced, remember_replaced
from outplay.rules.probabilities import bad_probabilities, sums_to_one
from outplay.rules.reading import MOVE_READER, STATE_READER
from outplay.rules.reading import written as written
from outplay.rules.rule_errors import describe_error
from outplay.turns import CHANCE as CHANCE
from outplay.turns import OVER as OVER

NOBODY = "nobody"  # the second player of a game for one
WIDEST = 8e307  # for low and high: their difference, and a mean of such scores, is still finite

GAMES_WATCHED, PLIES_WATCHED = 8, 500  # to see whether a game has one player
DEFAULT_PLAYERS = ("player 0", "player 1")

Rule = Callable[..., Any]

if TYPE_CHECKING:
    from typing_extensions import TypeVar

    State = TypeVar("State", default=Any)  # a plain `Game` has states of any type
else:
    from typing import TypeVar

    State = TypeVar("State")

REQUIRED = ("turn", "moves", "play", "score")
OPTIONAL = ("chances", "reward", "estimate", "rank", "useful", "bounds", "key", "cost", "cells")
FOR_PEOPLE = ("show", "draw", "name_move", "name_outcome", "read_move", "read_state", "write_state", "winning", "deal")
ARGUMENTS = {
    **dict.fromkeys(REQUIRED + OPTIONAL + FOR_PEOPLE, ("state",)),
    "play": ("state", "choice"),
    "reward": ("state", "choice"),
    "rank": ("state", "move"),
    "name_move": ("state", "move"),
    "name_outcome": ("state", "outcome"),
    "read_move": ("state", "text"),
    "read_state": ("text",),
    "deal": ("dice",),
}


def plain_name(state: Any, choice: int) -> str:
    """Return a move or an outcome as its number."""
    return str(choice)


def stuck(game: "Game", state: Any, rule: str) -> RuleError:
    """Return the error for a *rule* that yields nothing although a player is to move."""
    return RuleError(
        f"{rule} of {game.name!r} yields nothing in {game.write_state(state)}, and turn says that player {game.turn(state)} "
        "is to move; turn must return OVER there, or moves must yield a move such as a pass"
    )


def plays_alone(game: "Game") -> bool:
    """Return whether player 1 never moves in a few random games; a game whose rules fail there is not called a solitaire."""
    dice, plies = Random(0), 0
    try:
        for _ in range(GAMES_WATCHED):
            state = game.start
            while (who := game.turn(state)) != OVER and plies < PLIES_WATCHED:
                if who == 1:
                    return False
                choice = game.roll(state, dice) if who == CHANCE else dice.choice(game.legal(state))
                state, plies = game.play(state, choice), plies + 1
    except Exception:
        return False
    return plies > 0


def _is_name(text: Any) -> bool:
    return isinstance(text, str) and bool(text.strip())


@dataclass(frozen=True, kw_only=True, eq=False)
class Game(Generic[State]):
    """A game for one or two players, with or without chance, as plain functions over a NamedTuple.

    `turn(state)` says who acts: 0, 1, `CHANCE` or `OVER`. `moves(state)` yields the legal moves, ints.
    `chances(state)` yields (outcome, probability). `play(state, choice)` returns the next state.
    `score(state)` is the result of an `OVER` state and `estimate(state)` an opinion of any other,
    both to player 0 and within [`low`, `high`].
    `reward(state, choice)`, if there is one, is paid to player 0 when *choice* is played: the value of a state is what is still
    to come, all rewards and the score at the end, and every such total lies within [`low`, `high`].

    Optional, for speed alone: `rank(state, move)`, `useful(state)`, `bounds(state)`, `key(state)`.
    Optional, only for `learn`: `cells(state)` yields what a learner looks at, the same number of small ints in every state;
    `symmetries` are functions that turn a state into another one that is worth the same, such as its mirror image.
    Optional, for people: `show` (text), `draw` (SVG, such as `grid` returns; see `outplay.pictures.picture`), `name_move`, `name_outcome`,
    `read_move`, `read_state`, `write_state`, `winning` (an `OVER` state with only the pieces that won, to be marked), and the
    names of the two `players`, such as ("X", "O"); a game for one player has one name.
    `deal(dice)` returns a random start, drawn from a `random.Random`; `policies` maps names to described players.

    Not for hidden information held by one player, simultaneous moves, or three or more players.

    A type checker knows a game with states of the class State as `Game[State]`.
    """

    name: str
    start: State
    turn: Callable[[State], int]
    moves: Callable[[State], Iterable[int]]
    play: Callable[[State, int], State]
    score: Callable[[State], float]
    chances: Callable[[State], Iterable[tuple[int, float]]] | None = None
    reward: Callable[[State, int], float] | None = None
    estimate: Callable[[State], float] | None = None
    rank: Callable[[State, int], float] | None = None
    useful: Callable[[State], Iterable[int]] | None = None
    bounds: Callable[[State], tuple[float, float]] | None = None
    key: Callable[[State], int] | None = None
    cells: Callable[[State], Iterable[int]] | None = None
    symmetries: tuple[Callable[[State], State], ...] = ()
    show: Callable[[State], str] = written
    draw: Callable[[State], str] | None = None
    name_move: Callable[[State, int], str] = plain_name
    name_outcome: Callable[[State, int], str] = plain_name
    read_move: Callable[[State, str], int] = MOVE_READER  # type: ignore[assignment]
    read_state: Callable[[str], State] = STATE_READER  # type: ignore[assignment]
    write_state: Callable[[State], str] = written
    winning: Callable[[State], State] | None = None
    deal: Callable[[Random], State] | None = None
    players: tuple[str, ...] = DEFAULT_PLAYERS
    policies: Mapping[str, Rule] = field(default_factory=dict)
    low: float = -1
    high: float = 1
    max_moves: int = 512
    about: str = ""
    fields: tuple[Field, ...] = field(init=False, repr=False)
    # Set by `facing`: how many moves a chance node counts for, 0 for dice, 1 for the move of a described player.
    cost: Callable[[State], int] | None = field(default=None, init=False, repr=False)
    # Set by `load`: the text that it made the game from.
    loaded_as: str = field(default="", init=False, repr=False)

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or not self.name:
            raise GameError(f"a game needs a name; got name={self.name!r}")
        for rule in REQUIRED:
            self._check_rule(rule, getattr(self, rule))
        for rule in OPTIONAL + FOR_PEOPLE:
            if getattr(self, rule) is not None:
                self._check_rule(rule, getattr(self, rule))
        if not isinstance(self.symmetries, (tuple, list)) or not all(map(callable, self.symmetries)):
            raise GameError(
                f"symmetries={self.symmetries!r:.60} of {self.name!r} must be functions that turn a state into its image"
            )
        object.__setattr__(self, "symmetries", tuple(self.symmetries))
        if not isinstance(self.start, tuple) or not hasattr(self.start, "_fields"):
            raise GameError(
                f"the start of {self.name!r} must be a NamedTuple; got {self.start!r}: "
                "write class State(NamedTuple) with a line for each field, and start=State(...)"
            )
        if not self.start._fields:
            raise GameError(f"the state of {self.name!r} has no fields; give it at least one, such as the player to move")
        object.__setattr__(self, "fields", fields_of(self.start))
        try:
            object.__setattr__(self, "start", self.state(self.start))
        except StateError as error:
            raise GameError(f"the start of {self.name!r}: {error}") from None
        self._check_scale()
        self._check_policies()
        if not isinstance(self.players, (tuple, list)) or len(self.players) not in (1, 2) or not all(map(_is_name, self.players)):
            raise GameError(
                f'players={self.players!r} of {self.name!r} must be two names, player 0 first, such as ("X", "O"), '
                'or one name for a game of one player, such as ("you",)'
            )
        first, second = (*self.players, NOBODY)[:2]
        object.__setattr__(self, "players", (first, second))
        if self.show is written or isinstance(self.show, BoardText):  # inherited by `replace`
            object.__setattr__(self, "show", BoardText(self.start, written))
        if not is_int(self.max_moves) or not 1 <= self.max_moves <= 32_767:
            raise GameError(f"max_moves={self.max_moves!r} of {self.name!r} must be an int between 1 and 32,767")

    def _check_scale(self) -> None:
        try:
            numbers = not isinstance(self.low, str) and not isinstance(self.high, str)
            sound = numbers and self.low < self.high and max(abs(float(self.low)), abs(float(self.high))) <= WIDEST
        except (TypeError, ValueError, OverflowError):
            sound = False
        if not sound:
            raise GameError(
                f"low={self.low!r:.40} and high={self.high!r:.40} of {self.name!r} must be finite numbers with low below high, "
                f"between {-WIDEST:g} and {WIDEST:g}: they bound every score"
            )

    def _check_policies(self) -> None:
        if not isinstance(self.policies, Mapping) or not all(map(_is_name, self.policies)):
            raise GameError(
                f"policies={self.policies!r:.60} of {self.name!r} must be a dict of names and functions of the state, "
                'such as {"timid": timid}'
            )
        for name, policy in self.policies.items():
            self._check_function(f"the policy {name!r}", policy, ("state",))

    def _check_rule(self, rule: str, function: Any) -> None:
        self._check_function(rule, function, ARGUMENTS[rule])

    def _check_function(self, rule: str, function: Any, wanted: tuple[str, ...]) -> None:
        if not callable(function):
            raise GameError(f"{rule} of {self.name!r} must be a function of ({', '.join(wanted)}); got {function!r}")
        try:
            inspect.signature(function).bind(*wanted)
        except TypeError:
            raise GameError(
                f"{rule} of {self.name!r} must take ({', '.join(wanted)}); "
                f"it is written {function.__name__}{inspect.signature(function)}"
            ) from None
        except ValueError:  # a builtin without a signature
            pass

    def __repr__(self) -> str:
        return f"<Game {self.name}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return reduced(self)

    def __copy__(self) -> "Game[State]":
        return self  # it never changes

    def __deepcopy__(self, memo: dict[int, Any]) -> "Game[State]":
        return self

    @property
    def seats(self) -> tuple[str, ...]:
        """The names of the players that the game says it has: one or two."""
        return self.players[:1] if self.players[1] == NOBODY else self.players

    @cached_property
    def solitaire(self) -> bool:
        """Whether the game is for one player: it names only one, or names none and `turn` is never 1 in some random games."""
        if self.players != DEFAULT_PLAYERS:
            return len(self.seats) == 1
        return plays_alone(self)

    def replace(self, **changes: Any) -> "Game[State]":
        """Return the same game with some parts replaced, such as estimate=other."""
        known = {part.name: getattr(self, part.name) for part in fields(self) if part.init}
        unknown = sorted(set(changes) - set(known))
        if unknown:
            raise GameError(f"a game has no {', '.join(unknown)}; it has {', '.join(known)}")
        made = marked(Game(**{**known, **changes}), cost=self.cost)
        remember_replaced(made, self, changes)
        return made

    def state(self, state: Any) -> State:
        """Return *state* with every field of its declared type, or raise a StateError that says what is wrong."""
        return conform(self.fields, type(self.start), state)

    def dealt(self, dice: Random) -> State:
        """Return a start: one that `deal` draws from *dice*, or else `start`."""
        if self.deal is None:
            return self.start
        try:
            drawn = self.deal(dice)
        except Exception as error:
            raise RuleRaised(f"deal of {self.name!r} raised {describe_error(error)}") from error
        try:
            return self.state(drawn)
        except StateError as error:
            raise RuleError(f"deal of {self.name!r} returns a wrong start: {error}") from None

    def picture(self, state: State | None = None) -> Picture:
        """Return *state*, or the start, as a picture: by `draw`, or else as a board, or else as the text of `show`."""
        state = self.start if state is None else self.state(state)
        if self.draw is None:
            return text_picture(self, state)
        try:
            svg = self.draw(state)
        except Exception as error:
            raise self._raised("draw", error, state) from error
        if not isinstance(svg, str) or not svg.startswith("<svg"):
            raise RuleError(f'draw of {self.name!r} returns {svg!r:.60}; it must return an SVG text, "<svg ...>...</svg>"')
        return Picture(svg)

    def _repr_svg_(self) -> str:
        return self.picture()._repr_svg_()

    def acting(self, state: State) -> int:
        """Return `turn(state)`; an exception becomes a RuleRaised."""
        try:
            return self.turn(state)
        except Exception as error:
            raise self._raised("turn", error, state) from error

    def legal(self, state: State) -> list[int]:
        """Return the legal moves of *state* in order; raise a RuleError if a player is to move and there are none."""
        found = self._iterated("moves", self.moves, state)
        if len(found) > self.max_moves:
            raise RuleError(
                f"moves of {self.name!r} yields more than max_moves={self.max_moves} moves in {self.write_state(state)}; "
                "see whether the rule comes to an end, or give the Game a larger max_moves"
            )
        for move in found:
            if not is_int(move):
                raise RuleError(f"moves of {self.name!r} yields {move!r} in {self.write_state(state)}; a move is an int")
        if not found and self.acting(state) in (0, 1):
            raise stuck(self, state, "moves")
        return [int(move) for move in found]

    def outcomes(self, state: State) -> list[tuple[int, float]]:
        """Return the outcomes of chance in *state*, each with its probability."""
        if self.chances is None:
            raise RuleError(
                f"turn of {self.name!r} returns CHANCE in {self.write_state(state)}, but the game has no chances; "
                "give the Game chances=..."
            )
        return [(int(outcome), float(probability)) for outcome, probability in self.chances(state)]

    def choices(self, state: State) -> list[tuple[int, float | None]]:
        """Return the choices in *state*: moves with None, or outcomes of chance with their probabilities; none if the game is over."""
        who = self.acting(state)
        if who == OVER:
            return []
        return [*self.outcomes(state)] if who == CHANCE else [(move, None) for move in self.legal(state)]

    def roll(self, state: State, dice: Random) -> int:
        """Return an outcome of chance in *state*, drawn by its probability."""
        chosen = self.outcomes(state)
        if not all(share > 0 for _, share in chosen) or not sums_to_one(sum(share for _, share in chosen)):
            raise bad_probabilities(f"chances of {self.name!r}", chosen, f"in {self.write_state(state)}")
        outcomes, weights = zip(*chosen, strict=True)
        return int(dice.choices(outcomes, weights)[0])

    def _iterated(self, rule: str, function: Rule, state: Any) -> list[Any]:
        try:
            return list(islice(function(state), self.max_moves + 1))  # it may not end
        except TypeError as error:
            if inspect.isgeneratorfunction(function):
                raise self._raised(rule, error, state) from error
            raise RuleError(
                f"{rule} of {self.name!r} returns {function(state)!r}; it must yield ints, one after the other"
            ) from None
        except Exception as error:
            raise self._raised(rule, error, state) from error

    def _raised(self, rule: str, error: Exception, state: Any) -> RuleRaised:
        return RuleRaised(f"{rule} of {self.name!r} raised {describe_error(error)}, in {self.write_state(state)}")

    def after(self, state: State, choices: Iterable[int]) -> State:
        """Return the state after *choices* (moves and outcomes) from *state*, each checked against the rules."""
        for choice in choices:
            who = self.turn(state)
            if who == OVER:
                raise IllegalMove(f"{choice!r} comes after the end of the game: {self.write_state(state)}")
            open_to = [known for known, _ in self.choices(state)]
            if choice not in open_to:
                what = "an outcome here; outcomes" if who == CHANCE else "a legal move here; legal moves"
                raise IllegalMove(f"{choice!r} is not {what}: {open_to}, in {self.write_state(state)}")
            state = self.state(self.play(state, choice))
        return state


def marked(game: Game[State], *, cost: Callable[[State], int] | None = None, loaded_as: str = "") -> Game[State]:
    """Set what only `facing` and `load` set, on a *game* that was just made; return it."""
    object.__setattr__(game, "cost", cost)
    object.__setattr__(game, "loaded_as", loaded_as)
    return game
