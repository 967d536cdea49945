"""The value that a learned network gives to a state: plain Python that also runs compiled, for any network.

A network is data. `net` is its block of 64-bit words: a header, then the parts of a state that it looks at, CHUNK words each.
A part is some bits of a word of the state, or the whole word within limits. Each of its values has a row in a table of
32-bit ints with one column, a *lane*, for each tuple of cells; the sum of the rows of all parts is the index of each lane's
weight, and the sum of these weights is the value. So one kernel serves any number base, any layout of bits and any tuples.

A network may have hidden units, too. They look at single cells, each by a lane of its own. The index of such a lane leads to a row
of weights, one for each unit. The rows add up, and each sum s becomes an activation s / (1 + |s|), which the weight of its output multiplies.

`view` is the block of one thread: the addresses of the network and of room for indexes, then the words of the state.
"""

from outplay.rules.game import OVER
from outplay.rules.memory import block, real_at, single_at, small_at, soften, sum_rows, sum_single_rows

# Words of a view.
NET_AT, INDEXES_AT = 0, 1
STATE = 2  # the words of the state, then the phase, the rows of all parts and moves

# Words of a network.
LANES = 0  # a multiple of 16: lanes without a tuple lead to weight 0, which is 0
USED = 1  # lanes with a tuple
PARTS = 2
WORDS = 3  # of a state, or of its cells
SIDE = 4  # the word that says whose turn it is even while dice roll, or -1
PHASES = 5  # a bit for each phase whose states were learned
FLIPS = 6  # whether a state of player 1 is seen as one of player 0, its value negated
ROWS = 7  # where in a view the rows of the parts are written
MOVES = 8  # where in a view moves are written
MAX_MOVES = 9
WEIGHTS_AT, TRUST_AT, TABLE_AT = 10, 11, 12
LOW, HIGH = 13, 14  # reals: the scale of the network's values
EMPHASIS, LEAST, MOST = 15, 16, 17  # reals: how scores become values, see `valued`
SUMMED = 18  # lanes whose weights are summed, a multiple of 16; the inputs of the hidden units come after them
UNITS = 19  # hidden units, a multiple of 16; none if 0
INPUTS = 20  # lanes of inputs: each leads to a row of the hidden weights, with a weight for each unit
UNITS_AT, OUTPUTS = 21, 22  # the hidden weights, and where the weights of the units' outputs begin among them
SPAN = 23  # a real: by how much the sum of the units' outputs is multiplied
VISITS_AT = 24  # how many states each row of hidden weights has learned from; a row with less than 0 never learns
HEADER = 32

# Words of a part.
WORD, BASE, SHIFT, MASK, CLAMPED, ROW = range(6)
CHUNK = 6


def see(game, state, who, view):
    """Write the words of *state* to the *view*; return its phase: who acts, and on whose turn."""
    net = block(view, NET_AT)
    if game.has_cells:
        game.fill_cells(state, view, STATE, net[WORDS])
    else:
        game.store_state(state, view, STATE)
    side = view[STATE + net[SIDE]] & 1 if net[SIDE] >= 0 else int(who == 1)
    return 2 * (who + 1) + side


def write_indexes(view, phase, to):
    """Write the index of each lane's weight, for the state in *view*, to the indexes of the view, from *to* on."""
    net = block(view, NET_AT)
    view[STATE + net[WORDS]] = phase
    lanes, parts, rows = net[LANES], net[PARTS], net[ROWS]
    part = HEADER + (parts * CHUNK if net[FLIPS] and phase & 1 else 0)
    for number in range(parts):
        word, base, mask = view[STATE + net[part + WORD]], net[part + BASE], net[part + MASK]
        if net[part + CLAMPED]:
            value = min(max(word, base), base + mask) - base >> net[part + SHIFT]
        else:
            value = word >> net[part + SHIFT] & mask
        view[rows + number] = net[part + ROW] + value * lanes
        part += CHUNK
    sum_rows(block(view, INDEXES_AT), to, block(net, TABLE_AT), view, rows, parts, lanes)


def sum_weights(net, indexes, place):
    """Return the sum of the weights that the *indexes* from *place* on lead to."""
    weights = block(net, WEIGHTS_AT)
    # A processor adds four sums side by side. Interpreted code adds in the same order, so that it rounds alike.
    first, second, third, fourth = 0.0, 0.0, 0.0, 0.0
    for lane in range(place, place + net[SUMMED], 4):
        first += single_at(weights, small_at(indexes, lane))
        second += single_at(weights, small_at(indexes, lane + 1))
        third += single_at(weights, small_at(indexes, lane + 2))
        fourth += single_at(weights, small_at(indexes, lane + 3))
    return (first + second) + (third + fourth)


def sum_units(net, view, indexes, place):
    """Return the sum of the outputs of the hidden units for the state whose *indexes* begin at *place*.

    The activation of each unit is left in the view after the indexes.
    """
    hidden, active, units = block(net, UNITS_AT), block(view, INDEXES_AT), net[UNITS]
    at = 2 * net[LANES]
    sum_single_rows(active, at, hidden, indexes, place + net[SUMMED], net[INPUTS], units)
    return soften(active, at, hidden, net[OUTPUTS], units)


def sum_of(net, view, indexes, place):
    """Return the value of the state whose *indexes* begin at *place*: its weights, and what the hidden units add."""
    value = sum_weights(net, indexes, place)
    if net[UNITS]:
        value += real_at(net, SPAN) * sum_units(net, view, indexes, place)
    return value


def network_value(game, state, who, view, to):
    """Return the value of *state*, where *who* acts, to player 0, on the network's scale; write its indexes to *to*."""
    net = block(view, NET_AT)
    phase = see(game, state, who, view)
    write_indexes(view, phase, to)
    value = sum_of(net, view, block(view, INDEXES_AT), to)
    if net[FLIPS] and phase & 1:
        value = -value
    return min(max(game.base_estimate(state) + value, real_at(net, LOW)), real_at(net, HIGH))


def learned_value(game, state, who, view):
    """Return the value of *state*, where *who* acts, to player 0, on the scale of scores.

    States in which dice have just been rolled are not learned. Their value is that after the best move.
    """
    net = block(view, NET_AT)
    least, most = game.low, game.high
    if game.has_base_bounds and who != OVER:  # what the rules prove is not for the network to say
        least, most = game.base_bounds(state)
        if least == most:
            return least
    if game.has_chances and who >= 0 and not net[PHASES] >> see(game, state, who, view) & 1:
        value = after_best_move(game, state, who, view)
    else:
        value = score_of(net, network_value(game, state, who, view, 0))
    return min(max(value, least, game.low), most, game.high)


def after_best_move(game, state, who, view):
    """Return the value of *state* after the best move of *who*. Only for games with chance, where values are scores."""
    net = block(view, NET_AT)
    top, sign = net[MOVES], -1.0 if who == 1 else 1.0
    number = min(game.fill_moves(state, view, top, net[MAX_MOVES]), net[MAX_MOVES])
    best, found = 0.0, False
    for index in range(number):
        child = game.play(state, view[top + index], game.room)
        next_turn = game.base_turn(child)
        value = game.score(child) if next_turn == OVER else network_value(game, child, next_turn, view, 0)
        if game.has_base_bounds and next_turn != OVER:
            least, most = game.base_bounds(child)
            value = min(max(value, least), most)
        if game.has_reward:
            value += game.reward(state, view[top + index])
        if not found or sign * value > sign * best:
            best, found = value, True
    return best


def valued(net, score):
    """Return *score* on the network's scale.

    A win by the smallest margin, LEAST, is worth EMPHASIS; a win by the largest, MOST, is worth 1; values between are proportional.
    An emphasis of 0 leaves scores as they are.
    """
    emphasis, least = real_at(net, EMPHASIS), real_at(net, LEAST)
    if emphasis == 0.0:
        return score
    size = abs(score)
    if size < least:
        value = emphasis * size / least
    else:
        value = emphasis + (1.0 - emphasis) * (size - least) / (real_at(net, MOST) - least)
    return value if score >= 0.0 else -value


def score_of(net, value):
    """Return the score that `valued` turns into *value*."""
    emphasis, least = real_at(net, EMPHASIS), real_at(net, LEAST)
    if emphasis == 0.0:
        return value
    size = abs(value)
    if size < emphasis:
        score = size * least / emphasis
    else:
        score = least + (size - emphasis) * (real_at(net, MOST) - least) / (1.0 - emphasis)
    return score if value >= 0.0 else -score
