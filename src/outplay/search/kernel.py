"""The one search: alpha-beta over max, min and chance nodes, with every technique in it.

Plain Python that also runs compiled. `game` is a `rules.plain.Plain` here and a compiled rulebook there;
`ints` is the memory of this thread's search, laid out in `layout.py`, and leads to the table that all share.
"""

from outplay.rules.memory import block, put_real, real_at
from outplay.rules.bits import mix
from outplay.rules.game import CHANCE, OVER
from outplay.search.layout import (
    BAD_CHANCES,
    BAD_ESTIMATE,
    BAD_SCORE,
    BEST,
    BOUND,
    BOUNDS,
    DONE,
    EXACT,
    FIRST,
    HEATS,
    HISTORY,
    HITS,
    KILLERS,
    LENGTHS,
    LINE,
    LINE_WIDTH,
    LINES,
    LOWER,
    MAX_MOVES,
    NEXT_LOOK,
    NO_CHANCES,
    NO_MOVES,
    NODES,
    NOISE,
    NONE,
    ORDERING,
    PLIES,
    PROBE,
    PROBES,
    PRUNING,
    ROOT,
    SCOUT,
    STAR1,
    STAR2,
    TABLE,
    TABLE_AT,
    TABLE_MASK,
    TOO_DEEP,
    TOO_MANY,
    TRAIL,
    TRAIL_LENGTH,
    UPPER,
    USEFUL,
    WHY,
)
from outplay.search.table import BUCKET, depth_of, find, kind_of, move_of, proven_of, store, value_of
from outplay.search.watch import look

INFINITY = float("inf")
NAN = float("nan")
HORIZON = OVER - 1  # as who acts: nobody, for the depth is used up
NARROW = 0.125  # the share of the scale within which a window is worth probing for


def enter(game, state, depth, ply, top, alpha, beta, mode, ints):
    """Search from the root: return its value to player 0, *depth* moves ahead, and whether it is proven.

    *ply* is 0; written here, it would be compiled into `explore` as a constant.
    """
    who, value = visit(game, state, depth, ints)
    if who <= OVER:
        return value, who == OVER
    return explore(game, state, who, depth, ply, top, alpha, beta, mode, ints)


def visit(game, state, depth, ints):
    """Count *state*; return who acts there, and, if that is OVER or HORIZON, its value.

    NaN: the search must end, and ints[WHY] says why.
    """
    nodes = ints[NODES] + 1
    ints[NODES] = nodes
    if nodes >= ints[NEXT_LOOK] and look(ints):
        return HORIZON, NAN
    who = game.turn(state)
    value = 0.0
    if who == OVER:
        value = game.score(state)
        if value - value != 0.0:  # NaN or infinite
            value = fault(ints, BAD_SCORE)
    elif depth <= 0:
        who = HORIZON
        value = game.estimate(state)
        if value - value != 0.0:
            value = fault(ints, BAD_ESTIMATE)
    return who, value


def explore(game, state, who, depth, ply, top, alpha, beta, mode, ints):
    """Return the value of *state*, where *who* acts, to player 0, and whether it is proven.

    Exact inside (alpha, beta); outside it, a bound on that side. Proven: no horizon estimate is in it.
    NaN: the search was abandoned, and ints[WHY] says why.
    """
    # 1. The stack of plies ends somewhere.
    if ply >= PLIES:
        return fault(ints, TOO_DEEP), False
    if mode & LINE:
        ints[LENGTHS + ply] = 0

    # 2. What the rules can prove without searching narrows the window.
    low, high = -INFINITY, INFINITY
    if mode & BOUNDS and (depth > 1 or not game.has_bounds):
        low, high = game.bounds(state)
        if ply > 0:
            if low >= beta or low == high:
                ints[BOUND] = EXACT if low == high else LOWER
                return low, True
            if high <= alpha:
                ints[BOUND] = UPPER
                return high, True
        alpha = max(alpha, low)
        beta = min(beta, high)

    # 3. The table knows the value, or at least a good move.
    key = 0
    bucket = 0
    hint = -1
    tabled = mode & TABLE and depth > 1
    if tabled:
        key = game.key(state)
        bucket = (key & ints[TABLE_MASK]) * BUCKET
        ints[PROBES] += 1
        table = block(ints, TABLE_AT)
        at = find(table, bucket, key)
        if at >= 0:
            meta = table[at + 2]
            bits = table[at + 1]
            if table[at] ^ bits ^ meta == key:  # read again: another thread may have written since
                ints[HITS] += 1
                hint = move_of(meta)
                # On the best line the search goes on, so that the line comes out whole.
                if (depth_of(meta) == depth or proven_of(meta)) and not (mode & LINE and (mode & SCOUT or ply == 0)):
                    value = value_of(bits)
                    kind = kind_of(meta)
                    if kind == EXACT or (kind == LOWER and value >= beta) or (kind == UPPER and value <= alpha):
                        ints[BOUND] = kind
                        return value, proven_of(meta)

    # 4. Chance: the mean over all outcomes, left early once it must fall outside the window.
    if who == CHANCE:
        if mode & PROBE:
            ints[BOUND] = NONE
            return 0.0, False
        if not game.has_chances:
            return fault(ints, NO_CHANCES), False
        number = game.fill_chances(state, ints, top, ints[MAX_MOVES])
        if number > ints[MAX_MOVES]:
            return fault(ints, TOO_MANY), False
        total = 0.0
        likeliest = 0
        for index in range(number):
            place = top + 4 * index  # of the outcome, its probability, and what its value can still be
            probability = real_at(ints, place + 1)
            put_real(ints, place + 2, game.low)
            put_real(ints, place + 3, game.high)
            if not probability > 0.0:
                return fault(ints, BAD_CHANCES), False
            total += probability
            if probability > real_at(ints, top + 4 * likeliest + 1):
                likeliest = index
        if not -1e-6 < total - 1.0 < 1e-6:
            return fault(ints, BAD_CHANCES), False
        below = depth - game.cost(state)
        least, most = game.low, game.high  # what the mean can still be
        total = 0.0
        proven = True
        length = 0
        # Star2 first asks every child for its first move alone; then each is searched in full.
        probed = mode & STAR2 and depth > 1 and beta - alpha < (game.high - game.low) * NARROW
        for step in range(0 if probed else number, 2 * number):
            probing = step < number
            index = step if probing else step - number
            place = top + 4 * index
            probability = real_at(ints, place + 1)
            lower, upper = real_at(ints, place + 2), real_at(ints, place + 3)
            if not probing and lower == upper and index != likeliest:
                total += probability * lower
                continue
            bottom, ceiling = -INFINITY, INFINITY
            if probing or mode & STAR1:
                bottom = (alpha - (most - probability * upper)) / probability
                ceiling = (beta - (least - probability * lower)) / probability
            inner = mode & ~(LINE | PROBE)
            if probing:
                inner |= PROBE
            elif index == likeliest:
                inner |= mode & LINE
            child = game.play(state, ints[place])
            next_turn, value = visit(game, child, below, ints)
            sure = next_turn == OVER
            if next_turn > OVER:
                value, sure = explore(
                    game, child, next_turn, below, ply + 1, top + 4 * number,
                    max(bottom, game.low) if bottom > -INFINITY else bottom,
                    min(ceiling, game.high) if ceiling < INFINITY else ceiling,
                    inner, ints,
                )  # fmt: skip
            else:
                ints[LENGTHS + ply + 1] = 0
                ints[BOUND] = EXACT
            if value != value:
                return abandoned(ints, ply, ints[place]), False
            if probing:
                kind = ints[BOUND]
                if kind == NONE:
                    continue
                if kind != UPPER and value > lower:
                    put_real(ints, place + 2, value)
                    least += probability * (value - lower)
                if kind != LOWER and value < upper:
                    put_real(ints, place + 3, value)
                    most += probability * (value - upper)
            else:
                if inner & LINE:
                    length = keep_line(ints, ply, ints[place])
                total += probability * value
                least += probability * (value - lower)
                most += probability * (value - upper)
            proven = proven and sure
            if probing or mode & STAR1:
                if value >= ceiling or least >= beta:
                    value = max(least, beta)
                    if tabled:
                        store(block(ints, TABLE_AT), bucket, key, value, LOWER, proven, depth, 0, ints)
                    return value, proven
                if value <= bottom or most <= alpha:
                    value = min(most, alpha)
                    if tabled:
                        store(block(ints, TABLE_AT), bucket, key, value, UPPER, proven, depth, 0, ints)
                    return value, proven
        if mode & LINE:
            ints[LENGTHS + ply] = length
        if tabled:
            store(block(ints, TABLE_AT), bucket, key, total, EXACT, proven, depth, 0, ints)
        return total, proven

    # 5. The moves, and how hot each is.
    if game.has_useful and mode & USEFUL and depth > 1 and ply > 0:
        number = game.fill_useful(state, ints, top, ints[MAX_MOVES])
    else:
        number = game.fill_moves(state, ints, top, ints[MAX_MOVES])
    if number <= 0:
        return fault(ints, NO_MOVES), False
    if number > ints[MAX_MOVES]:
        return fault(ints, TOO_MANY), False
    ranks, heats = top + number, top + 2 * number
    if ply == 0 and ints[FIRST] >= 0:
        hint = ints[FIRST]
    ordering = mode & ORDERING and number > 1 and (depth > 1 or game.has_rank)
    if ordering:
        for index in range(number):
            move = ints[top + index]
            heat = float(ints[HISTORY + who * HEATS + (mix(0, move) & HEATS - 1)])
            if move == ints[KILLERS + 2 * ply]:
                heat = 2e18
            elif move == ints[KILLERS + 2 * ply + 1]:
                heat = 1e18
            if ints[NOISE]:
                heat += float(mix(ints[NOISE], mix(key, move)) & 0xFFF)
            put_real(ints, heats + index, heat)
            put_real(ints, ranks + index, game.rank(state, move) if game.has_rank else 0.0)

    # 6. Players: max and min alike, by a sign.
    sign = 1.0
    near, far = alpha, beta
    if who == 1:
        sign = -1.0
        near, far = -beta, -alpha
    floor = near
    best = -INFINITY
    best_index = 0
    best_sure = False
    proven = True
    cut = False
    inner = mode & ~PROBE
    for step in range(number):
        index = step
        if ordering:
            index = hottest(ints, ranks, heats, number) if step > 0 or hint < 0 or hint >= number else hint
            put_real(ints, ranks + index, -INFINITY)
            put_real(ints, heats + index, -INFINITY)
        elif ply == 0 and ints[FIRST] >= 0:  # deepening without ordering still starts with the best
            index = hint if step == 0 else step - 1 if step <= hint else step
        move = ints[top + index]
        child = game.play(state, move)
        before = near
        next_turn, value = visit(game, child, depth - 1, ints)
        sure = next_turn == OVER
        if next_turn <= OVER:
            ints[LENGTHS + ply + 1] = 0
        else:
            scouting = mode & SCOUT and step > 0 and near > -INFINITY
            if scouting:
                edge = near + 1e-12 * (1.0 + abs(near))
                value, sure = explore(
                    game, child, next_turn, depth - 1, ply + 1, top + 3 * number,
                    near if who == 0 else -edge, edge if who == 0 else -near,
                    inner & ~LINE, ints,
                )  # fmt: skip
            if not scouting or near < sign * value < far:
                value, sure = explore(
                    game, child, next_turn, depth - 1, ply + 1, top + 3 * number,
                    near if who == 0 else -far, far if who == 0 else -near,
                    inner, ints,
                )  # fmt: skip
        if value != value:
            return abandoned(ints, ply, move), False
        value *= sign
        proven = proven and sure
        if value > best:
            best, best_index, best_sure = value, index, sure
            if mode & LINE:
                ints[LENGTHS + ply] = keep_line(ints, ply, move)
        if mode & PRUNING and value > near:
            near = value
            cut = near >= far
        if ply == 0:
            kind = UPPER if value <= before else LOWER if value >= far else EXACT
            if who == 1 and kind != EXACT:
                kind = LOWER + UPPER - kind
            put_real(ints, ROOT + ints[MAX_MOVES] + index, sign * value)
            ints[ROOT + index] = kind + (4 if sure else 0)
            ints[BEST] = best_index
            ints[DONE] += 1
        if cut:
            if ordering:
                warm(ints, ply, who, depth, move)
            break
        if mode & PROBE:
            break

    # 7. What the value is: exact, or a bound.
    kind = EXACT
    if cut:
        kind = LOWER
        proven = best_sure
    elif best <= floor:
        kind = UPPER
    if mode & PROBE and number > 1 and not cut:
        # The first move alone bounds the node from its player's side, if it is itself exact.
        kind = LOWER if best > floor else NONE
        proven = best_sure
    value = sign * best
    if who == 1 and kind >= LOWER:
        kind = LOWER + UPPER - kind
    # Where a bound meets what the rules can prove, it is the value.
    if kind == LOWER and value >= high:
        kind, value = EXACT, high
    elif kind == UPPER and value <= low:
        kind, value = EXACT, low
    ints[BOUND] = kind
    if tabled and kind != NONE:
        store(block(ints, TABLE_AT), bucket, key, value, kind, proven, depth, best_index, ints)
    return value, proven


def fault(ints, why):
    """Note why the search cannot go on; return the NaN that carries it up."""
    ints[WHY] = why
    return NAN


def abandoned(ints, ply, choice):
    """Note that the choice at *ply* led to where the search was abandoned; return the NaN that carries it up."""
    ints[TRAIL + ply] = choice
    ints[TRAIL_LENGTH] = max(ints[TRAIL_LENGTH], ply + 1)
    return NAN


def keep_line(ints, ply, choice):
    """Write *choice* and the line below it as the line of *ply*; return its length."""
    below = min(ints[LENGTHS + ply + 1], LINE_WIDTH - 1)
    here, there = LINES + ply * LINE_WIDTH, LINES + (ply + 1) * LINE_WIDTH
    ints[here] = choice
    for step in range(below):
        ints[here + 1 + step] = ints[there + step]
    return below + 1


def hottest(ints, ranks, heats, number):
    """Return the move not yet searched that ranks highest, heat deciding among equals, then place."""
    chosen = -1
    for index in range(number):
        if real_at(ints, heats + index) > -INFINITY and (
            chosen < 0
            or real_at(ints, ranks + index) > real_at(ints, ranks + chosen)
            or (real_at(ints, ranks + index) == real_at(ints, ranks + chosen) and real_at(ints, heats + index) > real_at(ints, heats + chosen))
        ):
            chosen = index
    return chosen


def warm(ints, ply, who, depth, move):
    """Remember a move that cut: as a killer at this ply, and in the history of its player."""
    if move != ints[KILLERS + 2 * ply]:
        ints[KILLERS + 2 * ply + 1] = ints[KILLERS + 2 * ply]
        ints[KILLERS + 2 * ply] = move
    ints[HISTORY + who * HEATS + (mix(0, move) & HEATS - 1)] += depth * depth
