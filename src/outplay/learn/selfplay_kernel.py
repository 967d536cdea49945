"""Self-play that learns: plain Python that also runs compiled.

Each player takes the move with the best value by the network, and sometimes a random one. Once a game is over, the value of
every state on its way moves toward what followed: TD(lambda) over *afterstates*, the states that a move leads to. The rate of
each weight falls as its errors change sign (temporal coherence).

`game` is an `InterpretedRules` or a `CompiledRules`; `ints` is the memory of this thread, laid out in `layout.py`.
"""

from math import sqrt

from outplay.compile.network_kernel import (
    FLIPS,
    HIGH,
    INDEXES_AT,
    INPUTS,
    LANES,
    LOW,
    NET_AT,
    OUTPUTS,
    SPAN,
    SUMMED,
    TRUST_AT,
    UNITS,
    UNITS_AT,
    USED,
    VISITS_AT,
    WEIGHTS_AT,
    network_value,
    see,
    sum_of,
    valued,
    write_indexes,
)
from outplay.learn.layout import (
    COUNTED,
    DECAY,
    ENDLESS,
    EPSILON,
    ERROR,
    EVERY,
    FIRST,
    FLIPPED,
    FOLLOWS,
    FRESH,
    GAME,
    HIDDEN_RATE,
    KEPT_AT,
    KEY,
    LAST,
    LEAST_HERE,
    MARKS,
    MIDDLE,
    MOST_HERE,
    MOVES,
    OPENING,
    OWN,
    PATH_AT,
    PLIES,
    PLY_LIMIT,
    POINTS,
    RATE,
    RECORD_AT,
    REPLAYS,
    RESTART,
    RESULTS,
    RIVAL_AT,
    ROOM,
    SEED,
    SLOTS,
    SLOWED,
    STATE_AT,
    STEP,
    STEPS,
    STRIDE,
    TARGET,
    TOP,
    TRAIL_AT,
    TRAINS,
    WHO,
    WIDTH,
)
from outplay.rules.bits import splitmix
from outplay.rules.game import CHANCE, OVER
from outplay.rules.memory import add_to_rows, block, copy_smalls, put_real, put_single, real_at, single_at, small_at
from outplay.runtime.clock import look
from outplay.runtime.meter import (
    BAD_BOUNDS,
    BAD_CHANCES,
    BAD_REWARD,
    BAD_SCORE,
    BAD_TURN,
    BY_NODES,
    MAX_MOVES,
    NETWORK_AT,
    NEXT_LOOK,
    NO_CHANCES,
    NO_MOVES,
    NODES,
    TOO_MANY,
    TRAIL,
    TRAIL_LENGTH,
    WHY,
)
from outplay.search.montecarlo.draws import index_below, share
from outplay.search.montecarlo.playout_kernel import are_probabilities, outcome_at

MOST_REPLAYS = 32  # of one game: a replay may be longer than the game before it, so they might never end otherwise


def play_games(game, start, ints):
    """Play the games of this thread from *start*, and learn from each. Return 1 if all were played; else 0, and ints[WHY] says why.

    If ints[RESTART] is not 0, a game of at least so many moves is played again from its middle, the new game from its own middle,
    and so on: late states of a long game are rare otherwise. These replays have no game number. (Matsuzaki, Developing a 2048
    player with backward temporal coherence learning and restart, 2017.) If ints[REPLAYS] is not 0, a replay was abandoned before;
    it is played first, from the first state of the path.
    """
    state, path = start, block(ints, PATH_AT)
    if ints[REPLAYS] > 0:
        state = game.load_state(path, 0, game.room)
    while ints[REPLAYS] > 0 or ints[GAME] < ints[LAST]:
        if ints[REPLAYS] == 0:
            ints[KEY] = splitmix(ints[SEED], ints[GAME])
        if not play_game(game, state, ints[KEY], ints[REPLAYS] > 0, ints):
            return 0
        if ints[REPLAYS] == 0:
            ints[GAME] += ints[STRIDE]
        if ints[MIDDLE] >= 0 and ints[REPLAYS] < MOST_REPLAYS:
            state = game.load_state(path, ints[MIDDLE], game.room)
            ints[KEY] = splitmix(ints[KEY], 1)
            ints[REPLAYS] += 1
        else:
            state = start
            ints[REPLAYS] = 0
    ints[WHY] = BY_NODES
    return 1


def play_game(game, state, key, replay, ints):
    """Play a game from *state* by the random numbers of *key*, and learn from it; return False if it had to be abandoned.

    A *replay* begins in the middle of another game. RESULTS and ENDLESS leave it out; all other counters include it.
    Afterwards ints[MIDDLE] is the place of the game's own middle in the path, or -1 if it is not to be played again.
    """
    view = block(ints, NETWORK_AT)
    net, indexes = block(view, NET_AT), block(view, INDEXES_AT)
    trail, kept = block(ints, TRAIL_AT), block(ints, KEPT_AT)
    lanes, top = net[LANES], ints[TOP]
    path, words, gap = block(ints, PATH_AT), ints[WIDTH] - MARKS, 1
    seat = ints[GAME] & 1  # of the network, if it has a rival
    opening = index_below(splitmix(key, 0), ints[OPENING] + 1) if ints[OPENING] >= 0 else ints[PLY_LIMIT] + 1
    if game.has_chances and ints[OPENING] >= 0 and key & 1:
        opening = 0  # dice explore as well: every second game is played as one should play
    steps, moves_made, draw = 0, 0, 1
    waits, paid = False, 0.0  # whether the last step has no target yet; the rewards since that step
    here, there, best_room = game.room, game.room, game.room  # for the state, for a state after it, and for the best of these
    earned = 0.0  # the rewards of the whole game
    low, high = real_at(net, LOW), real_at(net, HIGH)
    least, most = low, high  # what the rules prove of a state's value
    best_least, best_most, decided = low, high, False
    for ply in range(ints[PLY_LIMIT] + 1):
        # 1. Who acts. The clock is read here: every position passes.
        nodes = ints[NODES] + 1
        ints[NODES] = nodes
        if nodes >= ints[NEXT_LOOK] and look(ints):
            return False
        who = game.turn(state)
        ints[PLIES] += 1
        if ints[EVERY] and ints[PLIES] % ints[EVERY] == 0:
            record(game, state, who, ply, ints)

        # 2. The end, which is also where the rules prove the value, or a game without one.
        if who == OVER or decided or ply == ints[PLY_LIMIT]:
            value, ints[MIDDLE] = 0.0, -1
            if (who == OVER or decided) and 0 < ints[RESTART] <= moves_made:  # a game without an end would only be cut again
                ints[MIDDLE] = moves_made // 2 // gap * words
            if decided:
                value = best_least
            elif who == OVER:
                score = game.score(state)
                if not game.low <= score <= game.high:
                    return faulty(game, state, BAD_SCORE, ints)
                value = valued(net, score)
            else:
                if not replay:
                    ints[ENDLESS] += 1
                value = min(max(0.0, real_at(net, LOW)), real_at(net, HIGH))
            if not replay:
                put_real(ints, RESULTS, real_at(ints, RESULTS) + earned + value)
            if ints[RIVAL_AT] != 0:
                result = earned + value if seat == 0 else -(earned + value)
                put_real(ints, POINTS, real_at(ints, POINTS) + (1.0 if result > 0.0 else 0.5 if result == 0.0 else 0.0))
            if waits:
                settle(trail, steps, paid + value, False)
            if ints[TRAINS]:
                learn_from(view, trail, kept, steps, ints)
            return True

        # 3. Chance draws an outcome.
        if who == CHANCE:
            if not game.has_chances:
                return faulty(game, state, NO_CHANCES, ints)
            number = game.fill_chances(state, ints, top, ints[MAX_MOVES])
            if number > ints[MAX_MOVES] or not are_probabilities(ints, top, number):
                return faulty(game, state, TOO_MANY if number > ints[MAX_MOVES] else BAD_CHANCES, ints)
            outcome = ints[top + 4 * outcome_at(ints, top, number, share(splitmix(key, draw)))]
            draw += 1
            if game.has_reward:
                pay = game.reward(state, outcome)
                if pay - pay != 0.0:
                    return bad_reward(game, state, outcome, ints)
                paid += pay
                earned += pay
            state = game.play(state, outcome, there)
            here, there = there, here
            continue
        if who != 0 and who != 1:
            return faulty(game, state, BAD_TURN, ints)

        # 4. Keep the state for a replay. In a longer game, the kept states are further apart.
        if ints[RESTART] > 0 and moves_made % gap == 0:
            if moves_made == SLOTS * gap:  # the path is full: drop every second state
                for slot in range(1, SLOTS // 2):
                    for word in range(words):
                        path[slot * words + word] = path[2 * slot * words + word]
                gap *= 2
            game.store_state(state, path, moves_made // gap * words)

        # 5. A player moves: at random in the opening, later to the state that is worth most.
        number = game.fill_moves(state, ints, top, ints[MAX_MOVES])
        if number <= 0 or number > ints[MAX_MOVES]:
            return faulty(game, state, NO_MOVES if number <= 0 else TOO_MANY, ints)
        anyone = index_below(splitmix(key, draw), number)
        explores = share(splitmix(key, draw + 1)) < real_at(ints, EPSILON)
        draw += 2
        moves_made += 1
        if moves_made <= opening:
            if game.has_reward:
                earned += game.reward(state, ints[top + anyone])
            state = game.play(state, ints[top + anyone], there)
            here, there = there, here
            continue
        ints[MOVES] += 1
        mind = view  # of the network that chooses
        if ints[RIVAL_AT] != 0 and who != seat:
            mind = block(ints, RIVAL_AT)
        sign, best, best_index, best_place, best_turn = 1.0 if who == 0 else -1.0, 0.0, -1, 0, OVER
        best_state, best_pay, place = state, 0.0, 0
        best_least, best_most = low, high
        for offset in range(number):
            index = anyone + offset  # begin at a random move, because the first of equal moves is played
            if index >= number:
                index -= number
            pay = game.reward(state, ints[top + index]) if game.has_reward else 0.0
            child = game.play(state, ints[top + index], there)
            next_turn = game.turn(child)
            ints[NODES] += 1
            if next_turn == OVER:
                score = game.score(child)
                if not game.low <= score <= game.high:
                    return faulty(game, child, BAD_SCORE, ints)
                value = valued(net, score)
            else:
                if game.has_base_bounds:
                    least, most = proven(game, child, net)
                    if not least <= most:
                        return faulty(game, child, BAD_BOUNDS, ints)
                value = least
                if least < most:
                    value = min(max(network_value(game, child, next_turn, mind, place), least), most)
            value += pay
            if value - value != 0.0:
                return bad_reward(game, state, ints[top + index], ints)
            if best_index < 0 or sign * value > sign * best:
                best, best_index, best_state, best_turn, best_pay = value, index, child, next_turn, pay
                best_least, best_most = least, most
                best_place, place = place, lanes - place  # keep the indexes of the best state; write the next ones elsewhere
                there, best_room = best_room, there

        # 6. The last step gets its target: the value of the best move; if that move is played, also what follows from it.
        greedy = True
        if explores and anyone != best_index:
            greedy = False
            best_state = game.play(state, ints[top + anyone], there)
            there, best_room = best_room, there
            best_turn = game.turn(best_state)
            best_pay = game.reward(state, ints[top + anyone]) if game.has_reward else 0.0
            if game.has_base_bounds and best_turn != OVER:
                best_least, best_most = proven(game, best_state, net)
                if not best_least <= best_most:
                    return faulty(game, best_state, BAD_BOUNDS, ints)
        earned += best_pay
        decided = game.has_base_bounds and best_turn != OVER and best_least == best_most
        full = waits and steps == ints[STEPS]
        if waits:
            follows = greedy and best_turn != OVER and not decided and not full
            settle(trail, steps, paid + (best_pay if follows else best), follows)
        if full:  # no room for another step: learn from the earlier ones now
            if ints[TRAINS]:
                learn_from(view, trail, kept, steps, ints)
            steps = 0
        state, waits, paid = best_state, best_turn != OVER and not decided, 0.0
        here, best_room = best_room, here
        if waits:
            phase = 0
            if net[FLIPS] or not greedy:
                phase = see(game, state, best_turn, view)
            if not greedy:
                best_place = 0
                write_indexes(view, phase, best_place)
            copy_smalls(kept, steps * lanes, indexes, best_place, lanes)
            put_real(trail, steps * STEP + OWN, game.base_estimate(state))
            trail[steps * STEP + FLIPPED] = net[FLIPS] & phase & 1
            put_real(trail, steps * STEP + LEAST_HERE, best_least)
            put_real(trail, steps * STEP + MOST_HERE, best_most)
            steps += 1
    return True


def proven(game, state, net):
    """Return the least and the most that *state* may be worth, as the rules prove it, on the network's scale; 1 and 0 if they are wrong."""
    least, most = game.base_bounds(state)
    if not least <= most:  # or NaN
        return 1.0, 0.0
    low, high = real_at(net, LOW), real_at(net, HIGH)
    return min(max(valued(net, least), low), high), min(max(valued(net, most), low), high)


def settle(trail, steps, target, follows):
    """Write the target of the last step. If it *follows* the best move, *target* is only the reward on the way to the next step."""
    put_real(trail, (steps - 1) * STEP + TARGET, target)
    trail[(steps - 1) * STEP + FOLLOWS] = follows


def learn_from(view, trail, kept, steps, ints):
    """Go back over the trail, and move the value of each state toward what followed it."""
    net = block(view, NET_AT)
    weights, trust = block(net, WEIGHTS_AT), block(net, TRUST_AT)
    used, lanes = net[USED], net[LANES]
    rate, decay = real_at(ints, RATE) / used, real_at(ints, DECAY)
    later, value_later, total = 0.0, 0.0, 0.0
    for back in range(steps):
        here, place = (steps - 1 - back) * STEP, (steps - 1 - back) * lanes
        target = real_at(trail, here + TARGET)
        if trail[here + FOLLOWS]:
            target += (1.0 - decay) * value_later + decay * later
        sign = -1.0 if trail[here + FLIPPED] else 1.0
        own = real_at(trail, here + OWN)
        error = (target - own) * sign - sum_of(net, view, kept, place)
        total += abs(error)
        for lane in range(place, place + used):
            index = small_at(kept, lane)
            drift, size = single_at(trust, 2 * index), single_at(trust, 2 * index + 1)
            trusted = abs(drift) / size if size > 0.0 else 1.0
            put_single(weights, index, single_at(weights, index) + rate * trusted * error)
            put_single(trust, 2 * index, drift + error)
            put_single(trust, 2 * index + 1, size + abs(error))
        if net[UNITS]:
            teach_units(view, kept, place, error, ints)
        later = target
        value_later = own + sign * sum_of(net, view, kept, place)
        value_later = min(max(value_later, real_at(trail, here + LEAST_HERE)), real_at(trail, here + MOST_HERE))
    put_real(ints, ERROR, real_at(ints, ERROR) + total)
    ints[COUNTED] += steps


def teach_units(view, kept, place, error, ints):
    """Change the hidden weights of the state whose indexes begin at *place*: its value moves by a share of the *error*.

    The view holds the activations of the units. Weights move along the gradient, each row less as it has learned more often.
    """
    net = block(view, NET_AT)
    hidden, visits, active = block(net, UNITS_AT), block(net, VISITS_AT), block(view, INDEXES_AT)
    units, inputs, outputs, at = net[UNITS], net[INPUTS], net[OUTPUTS], 2 * net[LANES]
    first, slowed = place + net[SUMMED], real_at(ints, SLOWED)
    live = 0.0  # inputs that learn
    for number in range(inputs):
        share = share_of(visits, small_at(kept, first + number) // units, slowed)
        put_single(active, at + units + number, share)
        if share > 0.0:
            live += 1.0
    share = share_of(visits, outputs // units, slowed)
    steep = 1.0  # the square of the length of the gradient; 1 more, for it may be 0
    for unit in range(units):
        activation = single_at(active, at + unit)
        slope = (1.0 - abs(activation)) * (1.0 - abs(activation)) * single_at(hidden, outputs + unit)
        steep += activation * activation + live * slope * slope
    step = real_at(ints, HIDDEN_RATE) * error / (real_at(net, SPAN) * steep)
    for unit in range(units):
        activation, weight = single_at(active, at + unit), single_at(hidden, outputs + unit)
        slope = (1.0 - abs(activation)) * (1.0 - abs(activation)) * weight
        put_single(hidden, outputs + unit, weight + share * step * activation)
        put_single(active, at + unit, step * slope)
    add_to_rows(hidden, kept, first, inputs, units, active, at)


def share_of(visits, row, slowed):
    """Return the share of the rate by which a *row* of hidden weights learns, and count the visit."""
    times = real_at(visits, row)
    if times < 0.0:
        return 0.0
    put_real(visits, row, times + 1.0)
    return 1.0 / sqrt(1.0 + times / slowed)


def record(game, state, who, ply, ints):
    """Write *state* to the record; in a full record it replaces the oldest one."""
    book = block(ints, RECORD_AT)
    place = FIRST + (book[0] % ints[ROOM]) * ints[WIDTH]
    book[0] += 1
    book[place + WHO] = who
    book[place + FRESH] = ply == 0
    game.store_state(state, book, place + MARKS)


def faulty(game, state, why, ints):
    """Note why the game had to be abandoned, and in which *state*; return False."""
    ints[WHY] = why
    ints[TRAIL_LENGTH] = 0
    game.store_state(state, ints, ints[STATE_AT])
    return False


def bad_reward(game, state, choice, ints):
    """Note that the reward of *choice*, or what follows it, is not a finite number; return False."""
    faulty(game, state, BAD_REWARD, ints)
    ints[TRAIL] = choice
    ints[TRAIL_LENGTH] = 1
    return False
