"""The one search: alpha-beta over max, min and chance nodes, with every technique in it.

Plain Python that also runs compiled. `game` is an `InterpretedRules` here and a `CompiledRules` there;
`ints` is the memory of this thread's search, laid out in `layout.py`, and leads to the table that all share.
"""

from outplay.rules.bits import bits_of, mix, real_of
from outplay.rules.game import CHANCE, OVER
from outplay.rules.memory import block, put_real, real_at, unlikely
from outplay.rules.probabilities import sums_to_one
from outplay.runtime.claims import claimed, is_claimed, unclaim
from outplay.runtime.clock import look
from outplay.runtime.growing_table import BUCKET
from outplay.runtime.meter import (
    BAD_BOUNDS,
    BAD_CHANCES,
    BAD_ESTIMATE,
    BAD_REWARD,
    BAD_SCORE,
    BAD_TURN,
    MAX_MOVES,
    NEXT_LOOK,
    NO_CHANCES,
    NO_MOVES,
    NODES,
    PLIES,
    TOO_DEEP,
    TOO_MANY,
    TRAIL,
    TRAIL_LENGTH,
    WHY,
)
from outplay.search.layout import (
    AGE,
    ANSWERS,
    ASK,
    ASKER,
    BEST,
    BOUND,
    BOUNDS,
    CHOICES,
    EXACT,
    FIRST,
    HEATED,
    HEATS,
    HISTORY,
    HITS,
    KILLERS,
    LENGTHS,
    LINE,
    LINE_WIDTH,
    LINES,
    LOWER,
    NONE,
    ORDERING,
    PROBE,
    PROBES,
    PRUNING,
    RACE_0,
    RACE_1,
    REPLIES,
    REPLY_AT,
    ROOT,
    ROOT_MOVES,
    SAMPLE_SEED,
    SAMPLED,
    SAMPLES,
    SCOUT,
    SHARED,
    STAR1,
    STAR2,
    TABLE,
    TABLE_AT,
    TABLE_MASK,
    UPPER,
    USEFUL,
    VARIANCES,
    WASTED,
)
from outplay.search.table import BOUND_BITS, DEEPEST, DEPTH, MOST_MOVES, MOVE, PROVEN, find, store

INFINITY = float("inf")
NAN = float("nan")
ON_THE_SCALE = BOUNDS | STAR1 | STAR2  # what cuts where low or high is reached: they must hold
HORIZON = OVER - 1  # as who acts: nobody, for the depth is used up
UNSET = -(1 << 63)  # killers are kept as move ^ UNSET, so that memory of zeros holds none
SHALLOW = 3  # trees of this depth are not worth sharing between threads
PUT_OFF = -1e300  # the rank of a move that another thread is searching
GRAIN = 1e-12  # of the scale: how far a scout looks beyond the best
NARROW = 1e-6  # of the scale: Star2 pays only within a window as narrow as a scout's
LEAST, MOST = 2, 3  # where, behind an outcome, the bounds of its value stand
AFFORDED, SPARED = 16, 16  # probing at last rolls may waste so many nodes, and one in so many
ASKED = 2  # replies to a roll, where the moves before it are put in order: the best one after the same roll elsewhere, and the first one
BROAD = 8  # where a player has fewer moves, a reply after each roll costs too much beside all replies
HOPELESS = 1 << 62  # wasted nodes: never again in this depth
EPSILON, TINY = 2.0**-52, 2.0**-1074  # the grain of a float, and the smallest one
ROUNDING = 1e-9  # of the scale: what sums of rewards may be off
RECORDING = False  # true in the copy that `record.py` runs; compiled code has nothing of what hangs on it


def explore(game, state, who, depth, ply, top, alpha, beta, mode, ints):
    """Return the value of *state*, where *who* acts, to player 0, and whether it is proven.

    Exact inside (alpha, beta); outside it, a bound on that side. Proven: no horizon estimate is in it.
    NaN: the search was abandoned, and ints[WHY] says why.
    """
    # 1. The stack of plies ends somewhere.
    if ply >= PLIES:
        ints[WHY] = TOO_DEEP
        return NAN, False
    if RECORDING:
        game.record.enter(state, who, depth, ply, alpha, beta)
    if mode & LINE:
        ints[LENGTHS + ply] = 0

    # 2. What the rules can prove without searching narrows the window.
    low, high = -INFINITY, INFINITY
    if mode & BOUNDS and (depth > 1 or not game.has_bounds):
        low, high = game.bounds(state)
        if not low <= high:  # or NaN
            ints[WHY] = BAD_BOUNDS
            return NAN, False
        if mode & (RACE_0 | RACE_1):  # that a value is certain says nothing of when; that it is out of reach ends the race
            low, high = (-INFINITY, high) if mode & RACE_0 else (low, INFINITY)
        if ply > 0 and (low >= beta or low == high):
            ints[BOUND] = EXACT if low == high else LOWER
            if RECORDING:
                game.record.leave(low, ints[BOUND], "bounds")
            return low, True
        if ply > 0 and high <= alpha:
            ints[BOUND] = UPPER
            if RECORDING:
                game.record.leave(high, UPPER, "bounds")
            return high, True
        alpha, beta = narrowed(alpha, beta, low, high, who, mode)

    # 3. The table knows the value, or at least a good move.
    key, bucket, hint = 0, 0, -1
    tabled = mode & TABLE and depth > 1
    if tabled:
        key = game.key(state)
        bucket = (key & ints[TABLE_MASK]) * BUCKET
        ints[PROBES] += 1
        table = block(ints, TABLE_AT)
        at = find(table, bucket, key)
        bits, meta = table[at + 1], table[at + 2]
        if table[at] ^ bits ^ meta == key and meta != 0:
            ints[HITS] += 1
            hint = meta >> MOVE & MOST_MOVES
            # What was proven within fewer moves holds; within more, a horizon here would not have seen it.
            depth_then = meta >> DEPTH & DEEPEST
            serves = depth_then == depth or (meta & PROVEN and depth_then < depth)
            # On the best line the search goes on, so that the line comes out whole.
            if serves and not (mode & LINE and (mode & SCOUT or ply == 0)):
                value = real_of(bits)
                bound = meta & BOUND_BITS
                if bound == EXACT or (bound == LOWER and value >= beta) or (bound == UPPER and value <= alpha):
                    ints[BOUND] = bound
                    if RECORDING:
                        game.record.leave(value, bound, "table")
                    return value, meta & PROVEN != 0

    # 4. The children: outcomes of chance with their probabilities, or moves with what orders them.
    by_chance = game.has_chances and who == CHANCE
    number, first, last, below, likeliest = 0, 0, 0, depth - 1, 0
    ordering, sampled, asker, hopeless = False, False, -1, False
    merely, asking, answered, postponed = False, False, False, 0
    reply, lead = ints[REPLY_AT] if game.has_chances and ply > 0 else 0, 0  # which move is first where nothing orders them
    if by_chance:
        if mode & PROBE:
            ints[BOUND] = NONE
            if RECORDING:
                game.record.leave(0.0, NONE, "probed")
            return 0.0, False
        number = game.fill_chances(state, ints, top, ints[MAX_MOVES])
    elif who == CHANCE:
        ints[WHY] = NO_CHANCES
        return NAN, False
    elif game.has_useful and mode & USEFUL and depth > 1 and ply > 0:
        number = game.fill_useful(state, ints, top, ints[MAX_MOVES])
    else:
        limit = ints[MAX_MOVES]
        number = game.fill_until(state, ints, top, limit, limit, limit)  # all of them: whichever is wanted, the limit stays
    if number > ints[MAX_MOVES]:
        ints[WHY] = TOO_MANY
        return NAN, False
    if by_chance:
        likeliest = weighed(ints, top, number, game.low, game.high)
        if likeliest < 0:
            ints[WHY] = BAD_CHANCES
            return NAN, False
        if mode & SAMPLED and number > ints[SAMPLES]:
            sampled = True
            number = thin_out(ints, top, number, ints[SAMPLES], mix(ints[SAMPLE_SEED], game.key(state)))
            likeliest = weighed(ints, top, number, game.low, game.high)
        below = depth - game.cost(state)
        # Star2 first asks every child for its first move alone; then each is searched in full. Before the last moves the first move
        # is the reply that was best after the same roll elsewhere, so it pays in wide windows, too, if the other player replies.
        probed = mode & STAR2 and beta - alpha < (game.high - game.low) * NARROW
        if below <= 1:
            asker = -1 if probed or ply == 0 else ints[ASKER]
            probed = below == 1 and ints[CHOICES] >= BROAD and asking_pays(ints, mode) and (alpha > -INFINITY or beta < INFINITY)
        merely = mode & ASK and probed and asker >= 0
        first, last = 0 if probed else number, 2 * number
    else:
        if number <= 0:
            ints[WHY] = NO_MOVES
            return NAN, False
        last = min(ASKED if mode & ASK else 1, number) if mode & PROBE else number
        if ply == 0:
            ints[ROOT_MOVES] = number
            if ints[FIRST] >= 0:
                lead = hint = ints[FIRST]  # deepening without ordering still starts with the best
        ordering = mode & ORDERING and number > 1 and (depth > 1 or game.has_rank)
        if game.has_chances and reply > 0:
            lead = place_of(ints, top, number, ints[reply])
        if ordering:
            for index in range(number):
                rank = game.rank(state, ints[top + index]) if game.has_rank else 0.0
                put_real(ints, top + number + index, rank if rank == rank else -INFINITY)  # NaN comes last
            if game.has_chances and not (game.has_rank or game.has_cost):
                rank_by_opinion(game, state, ints, top, number, who)
            score_moves(ints, top, number, who, ply)
        # Where opinions say nothing, each move first gets a bound from some replies, and the moves that remain are ordered by it.
        if game.has_chances and ordering and not game.has_rank and depth == 2 and mode & LINE and last >= BROAD:
            asking = tied(ints, top, number) >= BROAD
            last = 2 * number if asking else number

    # 5. One child after the other. Max and min differ by a sign; near and far are the window as the mover sees it.
    sign = -1.0 if who == 1 else 1.0
    near, far = (-beta, -alpha) if who == 1 else (alpha, beta)
    if RECORDING:
        game.record.inside(alpha, beta)
    floor, best, best_index, best_sure = near, -INFINITY, 0, False
    total, rest_low, rest_high, length = 0.0, game.low, game.high, 0  # of the mean: what is known, and what the rest can add
    place, probability, lower, upper, bottom, ceiling = 0, 0.0, 0.0, 0.0, 0.0, 0.0
    others_low, others_high = 0.0, 0.0
    value, bound, proven = 0.0, EXACT, not sampled
    variance = 0.0
    plain = not (RECORDING or game.has_reward or game.has_rank) and below == 1 and ply < PLIES - 1
    for step in range(first, last):
        # 5a. Which one, and within which window.
        probing, scouting = by_chance and step < number, False
        inner, asked = mode & ~(PROBE | ASK), False
        if by_chance:
            if merely and step == number and not hopeless:
                side, bound, answered = (MOST, UPPER, True) if asker == 0 else (LEAST, LOWER, True)
                total = mean_bound(ints, top, number, 0, 0.0, side)
                break
            index = step if probing else step - number
            if probing and hopeless:
                continue
            place = top + 4 * index
            choice, probability = ints[place], real_at(ints, place + 1)
            lower, upper = real_at(ints, place + LEAST), real_at(ints, place + MOST)
            others_low, others_high = rest_low - probability * lower, rest_high - probability * upper
            if not probing:
                rest_low, rest_high = others_low, others_high
            if step == last - 1:  # nothing is left; the sums differ from 0 by rounding, which a wide scale makes large
                rest_low = rest_high = others_low = others_high = 0.0
            if lower == upper and not probing and index != likeliest:
                total += probability * lower
                continue
            bottom, ceiling = -INFINITY, INFINITY
            # Outside of these, this child alone takes the mean out of the window, but for rounding.
            if (probing and not merely) or (mode & STAR1 and not probing):
                bottom = (alpha - (total + others_high)) / probability
                ceiling = (beta - (total + others_low)) / probability
                if not bottom < ceiling:  # by rounding, for a window of next to nothing
                    bottom, ceiling = -INFINITY, INFINITY
            window_low = max(bottom, game.low) if bottom > -INFINITY else bottom
            window_high = min(ceiling, game.high) if ceiling < INFINITY else ceiling
            if probing:
                inner |= PROBE | (mode & ASK)
            if probing or index != likeliest:
                inner &= ~LINE
        else:
            index = step
            if ordering:
                if step >= number:
                    if postponed == 0:
                        break
                    postponed -= 1
                    if step == number:
                        recall(ints, top, number)
                index = pick_next(ints, top, number) if step > 0 or hint < 0 or hint >= number else hint
                if mode & SHARED and step > 0 and depth > SHALLOW:
                    index = unclaimed(ints, top, number, key, index)
                put_real(ints, top + 2 * number + index, -INFINITY)
                if asking:
                    if step >= number and real_at(ints, top + number + index) <= near:
                        proven = proven and real_at(ints, top + 3 * number + index) > 0.0
                        continue
                    put_real(ints, top + number + index, -INFINITY)
            elif lead > 0:
                index = lead if step == 0 else step - 1 if step <= lead else step
            choice = ints[top + index]
            scouting = mode & SCOUT and step > 0 and near > -INFINITY
            edge = near + GRAIN * (abs(near) + game.high - game.low) if scouting else far
            window_low, window_high = (-edge, -near) if who == 1 else (near, edge)

        # 5b. Search it; once more in the whole window if a scout finds it better than all before.
        pay = game.reward(state, choice) if game.has_reward else 0.0
        child = game.play(state, choice, game.room)
        next_turn, value = visit(game, child, below, mode, ints)
        if scouting:
            if game.has_chances and next_turn == CHANCE and below == 1 and number >= BROAD and asking_pays(ints, mode):
                scouting = False  # probing finds as soon that the move is worse, and a better one need not be searched twice
                window_low, window_high = (-far, -near) if who == 1 else (near, far)
                asked = asking and step < number
                if asked:
                    inner |= ASK
            else:
                inner &= ~LINE
        if RECORDING:
            note = "probe" if probing else "scout" if scouting else ""
            game.record.child(child, choice, below, probability if by_chance else None, window_low, window_high, note, pay)
        if probing and next_turn == asker:  # whoever asks gets no bound from above by a move of its own
            hopeless = True
            ints[WASTED] = HOPELESS
        if RECORDING and next_turn <= OVER:
            game.record.leaf(value, "over" if next_turn == OVER else "horizon")
        sure = next_turn == OVER
        searching = next_turn > OVER
        ints[LENGTHS + ply + 1] = 0  # a line is there only once the child has written one
        if mode & SAMPLED:
            put_real(ints, VARIANCES + ply + 1, 0.0)
        if not searching:
            ints[BOUND] = EXACT
            if game.has_reward:
                value = with_reward(game, value, pay, mode, ints)
        claim = 0
        if mode & SHARED and searching and depth > SHALLOW and not by_chance:
            claim = claimed(ints, key, choice)
        while searching:
            child_low, child_high = window_low, window_high
            if game.has_reward:
                child_low, child_high = lower_edge(window_low, pay), -lower_edge(-window_high, -pay)
            deeper = top + 4 * number
            if game.has_chances:
                remember_way(game, by_chance, who, number, below, ply, choice, mode, ints)
            if plain and next_turn >= 0 and child_low < game.high and child_high > game.low:
                value, sure = compare_leaves(game, child, next_turn, below, ply + 1, deeper, child_low, child_high, inner, ints)
            else:
                value, sure = explore(game, child, next_turn, below, ply + 1, deeper, child_low, child_high, inner, ints)
            if game.has_reward:
                value = with_reward(game, value, pay, mode, ints)
            searching = False
            if by_chance:
                # A bound does only where it settles the mean. Rounding can put a window in the wrong place.
                if not probing and ints[BOUND] != EXACT and (value <= bottom or value >= ceiling):
                    side = LEAST if value >= ceiling else MOST
                    mean = mean_bound(ints, top, number, index + 1, total + probability * value, side)
                    searching = mean < beta if side == LEAST else mean > alpha
                    if searching:
                        bottom, ceiling = -INFINITY, INFINITY
                        window_low, window_high = bottom, ceiling
            elif scouting:
                searching = sign * value > near and (sign * value < far or mode & LINE)
                scouting = False
                inner = mode & ~PROBE if searching else inner
                window_low, window_high = (-far, -near) if who == 1 else (near, far)
        if claim:
            unclaim(ints, claim)
        if unlikely(value != value):
            return abandoned(ints, ply, choice), False

        # 5c. What follows for a mean: it is left early once it must fall outside the window.
        if by_chance:
            child_bound = ints[BOUND] if probing else UPPER if value <= bottom else LOWER if value >= ceiling else EXACT
            if child_bound == NONE:
                continue
            proven = proven and sure
            if child_bound != UPPER and value > lower:
                put_real(ints, place + LEAST, value)
                rest_low += probability * (value - lower) if probing else 0.0
            if child_bound != LOWER and value < upper:
                put_real(ints, place + MOST, value)
                rest_high += probability * (value - upper) if probing else 0.0
            if not probing:
                total += probability * value
                if mode & SAMPLED:
                    variance += probability * probability * real_at(ints, VARIANCES + ply + 1)
                if inner & LINE:
                    length = keep_line(ints, ply, choice)
            if probing or mode & STAR1:
                after = 0 if probing else index + 1
                if child_bound != UPPER and (value >= ceiling or total + rest_low >= beta):
                    mean = mean_bound(ints, top, number, after, total, LEAST)
                    if mean >= beta:
                        bound, total = LOWER, mean
                        break
                if child_bound != LOWER and (value <= bottom or total + rest_high <= alpha):
                    mean = mean_bound(ints, top, number, after, total, MOST)
                    if mean <= alpha:
                        bound, total = UPPER, mean
                        break
            continue

        # 5d. What follows for a player: a better move, and perhaps one that is good enough.
        value *= sign
        if asked and value > near and ints[BOUND] == (LOWER if who == 1 else UPPER):
            put_real(ints, top + number + index, value)
            put_real(ints, top + 3 * number + index, 1.0 if sure else 0.0)
            postponed += 1
            if ply == 0:
                note_root(ints, index, value, sign, UPPER, sure, False)
            continue
        proven = proven and sure
        if ply == 0:
            note_root(ints, index, value, sign, UPPER if value <= near else LOWER if value >= far else EXACT, sure, value > best)
        if value > best:
            best, best_index, best_sure = value, index, sure
            if mode & SAMPLED:
                variance = real_at(ints, VARIANCES + ply + 1)
            if mode & LINE:
                ints[LENGTHS + ply] = keep_line(ints, ply, choice)
        if RECORDING:
            game.record.came_back(who, max(near, value) if mode & PRUNING else near, far)
        if mode & PRUNING and value > near:
            near = value
            if near >= far:
                bound = LOWER
                if ordering:
                    record_cutoff(ints, ply, who, depth, choice)
                break

    # 6. What the value is: exact, or a bound.
    if RECORDING:
        game.record.ended(who, bound != EXACT and not answered, by_chance and probing, last < number or answered)
    if sampled:
        variance = spread(ints, top, number, total) / (ints[SAMPLES] - 1)
    if mode & SAMPLED:
        put_real(ints, VARIANCES + ply, variance)
    if by_chance:
        value = total
        if below == 1 and first == 0 and bound == EXACT:
            ints[WASTED] += 2 * number
        if mode & LINE:
            ints[LENGTHS + ply] = length
    else:
        value = sign * best
        if bound == LOWER or last < number:
            proven = best_sure
        bound, value = bound_of(value, bound, best > floor, last < number, who, low, high)
        if game.has_chances and reply > 0 and last >= number:
            ints[reply] = ints[top + best_index] ^ UNSET
    ints[BOUND] = bound
    if RECORDING:
        game.record.leave(value, bound)
    if tabled and bound != NONE:
        store(block(ints, TABLE_AT), bucket, key, bits_of(value + 0.0), bound, proven, depth, best_index, ints[AGE])
    return value, proven


def compare_leaves(game, state, who, depth, ply, top, alpha, beta, mode, ints):
    """Return what `explore` returns for a node one move above the horizon, where a player moves and nothing orders the moves.

    Most nodes are leaves. A loop that never searches deeper compares them faster than the loop of `explore` does.
    """
    low, high = -INFINITY, INFINITY
    if mode & BOUNDS and not game.has_bounds:
        low = -INFINITY if mode & RACE_0 else game.low
        high = INFINITY if mode & RACE_1 and not mode & RACE_0 else game.high
        alpha, beta = narrowed(alpha, beta, low, high, who, mode)
    # A probe looks at a move or two, and at the kept reply first: moves behind these need not be made.
    reply, lead = ints[REPLY_AT] if game.has_chances else 0, 0
    limit, enough, wanted = ints[MAX_MOVES], ints[MAX_MOVES], UNSET
    if game.has_chances and mode & PROBE:
        enough = min(ASKED if mode & ASK else 1, limit)
        if reply > 0:
            wanted = ints[reply] ^ UNSET
        if wanted == UNSET:
            limit = enough
    number = game.fill_until(state, ints, top, limit, enough, wanted)
    if number <= 0 or number > ints[MAX_MOVES]:
        ints[WHY] = NO_MOVES if number <= 0 else TOO_MANY
        return NAN, False
    last = min(enough, number)
    if reply > 0:
        lead = place_of(ints, top, number, ints[reply])
    sign = -1.0 if who == 1 else 1.0
    near, far = (-beta, -alpha) if who == 1 else (alpha, beta)
    floor, best, best_index, best_sure = near, -INFINITY, 0, False
    bound, proven = EXACT, True
    nodes, next_look = ints[NODES], ints[NEXT_LOOK]  # in registers: the compiler cannot know that no other store changes them
    for step in range(last):
        index = step
        if game.has_chances and step <= lead:
            index = lead if step == 0 else step - 1
        child = game.play(state, ints[top + index], game.room)
        nodes += 1
        ints[NODES] = nodes
        if unlikely(nodes >= next_look):
            if look(ints):
                return abandoned(ints, ply, ints[top + index]), False
            next_look = ints[NEXT_LOOK]
        next_turn, value = acting(game, child, 0, mode, ints)
        if unlikely(value != value):
            return abandoned(ints, ply, ints[top + index]), False
        value *= sign
        sure = next_turn == OVER
        proven = proven and sure
        if value > best:
            best, best_index, best_sure = value, index, sure
            if mode & PRUNING and value > near:
                near = value
                if near >= far:
                    bound = LOWER
                    break
    if reply > 0 and last == number:
        ints[reply] = ints[top + best_index] ^ UNSET
    if mode & LINE and best > -INFINITY:
        ints[LENGTHS + ply] = 1
        ints[LINES + ply * LINE_WIDTH] = ints[top + best_index]
    if bound == LOWER or last < number:
        proven = best_sure
    bound, value = bound_of(sign * best, bound, best > floor, last < number, who, low, high)
    ints[BOUND] = bound
    return value, proven


compare_leaves.inlined = True  # type: ignore[attr-defined]  # a call costs as much as one leaf, and there are few leaves to a call


def remember_way(game, by_chance, who, number, below, ply, choice, mode, ints):
    """Say to a child which outcome of chance led there, if replies to outcomes are kept for it, or which player moved."""
    ints[REPLY_AT] = 0
    if not by_chance:
        ints[ASKER], ints[CHOICES] = who, number
    elif below == 1 and mode & ORDERING and not game.has_rank:
        ints[REPLY_AT] = REPLIES + (mix(ply, choice) & ANSWERS - 1)


def place_of(ints, top, number, kept):
    """Return the place of a move that was *kept* among the moves of a node; 0 if it is not there, or if none was kept."""
    if kept == 0:
        return 0
    if ints[top + number - 1] == kept ^ UNSET:  # where the moves were made until it came
        return number - 1
    for index in range(number):
        if ints[top + index] == kept ^ UNSET:
            return index
    return 0


def asking_pays(ints, mode):
    """Return whether the outcomes of last rolls are probed: as long as few nodes of this depth were spent on that in vain."""
    return mode & STAR2 and ints[WASTED] <= AFFORDED + ints[NODES] // SPARED


remember_way.inlined = asking_pays.inlined = True  # type: ignore[attr-defined]


def narrowed(alpha, beta, low, high, who, mode):
    """Return the window (alpha, beta), narrowed by what the rules can prove."""
    # On the best line only the far side closes: at the near edge a worse move's bound could pass for the best one's value.
    if not mode & LINE or who == 0:
        beta = min(beta, high)
    if not mode & LINE or who == 1:
        alpha = max(alpha, low)
    return alpha, beta


def bound_of(value, bound, better, probed, who, low, high):
    """Return what the value of a player's node is, and the value; *better*: than the near edge of the window."""
    if bound != LOWER:
        if probed:  # a first move alone bounds the node from its player's side, if it is itself exact
            bound = LOWER if better else NONE
        elif not better:
            bound = UPPER
    if who == 1 and bound >= LOWER:
        bound = LOWER + UPPER - bound
    # Where a bound meets what the rules can prove, it is the value.
    if bound == LOWER and value >= high:
        bound, value = EXACT, high
    elif bound == UPPER and value <= low:
        bound, value = EXACT, low
    return bound, value


narrowed.inlined = bound_of.inlined = True  # type: ignore[attr-defined]


def visit(game, state, depth, mode, ints):
    """Count *state*; return who acts there, and, if that is OVER or HORIZON, its value.

    NaN: the search must end, and ints[WHY] says why.
    """
    nodes = ints[NODES] + 1
    ints[NODES] = nodes
    if unlikely(nodes >= ints[NEXT_LOOK]) and look(ints):
        return HORIZON, NAN
    return acting(game, state, depth, mode, ints)


def acting(game, state, depth, mode, ints):
    """Return who acts in *state*, and, if that is OVER or HORIZON, its value; NaN as `visit` does."""
    who = game.turn(state)
    value = 0.0
    if who == OVER:
        value = game.score(state)
        if not game.low <= value <= game.high and (mode & ON_THE_SCALE or value - value != 0.0):  # or NaN, or infinite
            ints[WHY], value = BAD_SCORE, NAN
    elif depth <= 0:
        who = HORIZON
        value = game.low if mode & RACE_0 else game.high if mode & RACE_1 else game.estimate(state, ints)
        if not game.low <= value <= game.high and (mode & ON_THE_SCALE or value - value != 0.0):
            ints[WHY], value = BAD_ESTIMATE, NAN
    elif who < OVER or who > 1:
        who = HORIZON
        ints[WHY], value = BAD_TURN, NAN
    return who, value


visit.inlined = acting.inlined = True  # type: ignore[attr-defined]  # most nodes are leaves, and a call would cost as much as the leaf


def lower_edge(edge, pay):
    """Return the edge of a child's window, so that a child at or below it is with its reward at or below *edge*.

    Rounding may put the difference on the wrong side of the edge; then it moves down until the sum is right.
    """
    shifted = edge - pay
    step = abs(shifted) * EPSILON + TINY
    while shifted + pay > edge:
        shifted -= step
        step += step
    return shifted


def with_reward(game, value, pay, mode, ints):
    """Return *value*, what a child is worth, with the reward for coming there on top; NaN and a fault if that is off the scale."""
    total = value + pay
    if total != total or total - total != 0.0:
        if value == value:
            ints[WHY] = BAD_REWARD
        return NAN
    if game.low <= total <= game.high or not mode & ON_THE_SCALE:
        return total
    # A mere bound may lie beyond the scale, where it says no more than the end of the scale does.
    bound, slack = ints[BOUND], ROUNDING * (game.high - game.low)
    if bound == UPPER and total > game.high:
        return game.high
    if bound == LOWER and total < game.low:
        return game.low
    if bound == NONE or game.low - slack <= total <= game.high + slack:
        return total
    ints[WHY] = BAD_REWARD
    return NAN


def weighed(ints, top, number, low, high):
    """Set out what each outcome's value can be; return the likeliest, or -1 if the probabilities are none."""
    total, likeliest = 0.0, 0
    for index in range(number):
        place = top + 4 * index  # of the outcome, its probability, and the bounds of its value
        probability = real_at(ints, place + 1)
        put_real(ints, place + LEAST, low)
        put_real(ints, place + MOST, high)
        if not probability > 0.0:
            return -1
        total += probability
        if probability > real_at(ints, top + 4 * likeliest + 1):
            likeliest = index
    return likeliest if sums_to_one(total) else -1


def thin_out(ints, top, number, samples, luck):
    """Keep a sample of the outcomes, drawn at even distances by their probabilities; return how many it has, each once.

    An outcome that is drawn k times has the probability k / *samples*. *luck* decides where the first one is drawn.
    """
    offset = (luck >> 11 & (1 << 52) - 1) / (1 << 52)
    kept, drawn, reach = 0, 0, 0.0
    for index in range(number):
        place = top + 4 * index
        reach += real_at(ints, place + 1) * samples
        times = 0
        while drawn < samples and (offset + drawn < reach or index == number - 1):
            times += 1
            drawn += 1
        if times > 0:
            ints[top + 4 * kept] = ints[place]
            put_real(ints, top + 4 * kept + 1, times / samples)
            kept += 1
    return kept


def spread(ints, top, number, mean):
    """Return the variance of the outcomes' values about their *mean*."""
    total = 0.0
    for place in range(top, top + 4 * number, 4):
        total += real_at(ints, place + 1) * (real_at(ints, place + LEAST) - mean) ** 2
    return total


def mean_bound(ints, top, number, index, total, side):
    """Return a bound of a mean: *total* for the outcomes before *index*, and for the others their bounds on that *side*.

    It is added up in the order of the mean itself. Each step rounds larger numbers to larger ones, or to equal ones, so the
    rounded bound holds for the rounded mean, however wide the scale.
    """
    for place in range(top + 4 * index, top + 4 * number, 4):
        total += real_at(ints, place + 1) * real_at(ints, place + side)
    return total


def rank_by_opinion(game, state, ints, top, number, who):
    """Rank each move by the estimate of the state after it, to *who*, if chance acts or the game is over after every move.

    After another roll other moves cut off, so killers and history tell little below a chance node. An estimate costs little beside
    the outcomes below the move. If a player is still to move after one of the moves, as in Pig, estimates are not comparable; nor
    are they against a described opponent (`has_cost`), whose moves are outcomes, too.
    """
    for index in range(number):
        child = game.play(state, ints[top + index], game.room)
        next_turn = game.turn(child)
        if next_turn != CHANCE and next_turn != OVER:
            for place in range(top + number, top + number + index):
                put_real(ints, place, 0.0)
            return
        value = game.score(child) if next_turn == OVER else game.estimate(child, ints)
        if game.has_reward:
            value += game.reward(state, ints[top + index])
        value = -value if who == 1 else value
        put_real(ints, top + number + index, value if value == value else -INFINITY)


def score_moves(ints, top, number, who, ply):
    """Write behind the moves and their ranks how hot each move is: killers first, then by history."""
    for index in range(number):
        move = ints[top + index]
        heat = float(ints[HISTORY + who * HEATS + (mix(HEATS, move) & HEATS - 1)])
        if move ^ UNSET == ints[KILLERS + 2 * ply]:
            heat = 2e18
        elif move ^ UNSET == ints[KILLERS + 2 * ply + 1]:
            heat = 1e18
        put_real(ints, top + 2 * number + index, heat)


def pick_next(ints, top, number):
    """Return the move not yet searched that ranks highest, heat deciding among equals, then place."""
    chosen, best_rank, best_heat = 0, -INFINITY, -INFINITY
    for index in range(number):
        rank, heat = real_at(ints, top + number + index), real_at(ints, top + 2 * number + index)
        if heat > -INFINITY and (rank > best_rank or (rank == best_rank and heat > best_heat)):
            chosen, best_rank, best_heat = index, rank, heat
    return chosen


def tied(ints, top, number):
    """Return how many moves share the highest rank."""
    most, highest = 0, -INFINITY
    for index in range(number):
        rank = real_at(ints, top + number + index)
        if rank > highest:
            most, highest = 0, rank
        if rank == highest:
            most += 1
    return most


def recall(ints, top, number):
    """Offer the moves that were put off once more, ranked by their bounds."""
    for index in range(number):
        put_real(ints, top + 2 * number + index, 0.0 if real_at(ints, top + number + index) > -INFINITY else -INFINITY)


def unclaimed(ints, top, number, key, index):
    """Return the first move, from *index* on, that no other thread is searching: it goes last, and its value is then known."""
    while real_at(ints, top + number + index) > PUT_OFF:
        if not is_claimed(ints, key, ints[top + index]):
            break
        put_real(ints, top + number + index, PUT_OFF)
        index = pick_next(ints, top, number)
    return index


def record_cutoff(ints, ply, who, depth, move):
    """Remember a move that cut: as a killer at this ply, and in the history of its player."""
    ints[HEATED] = 1
    killer = move ^ UNSET
    if killer != ints[KILLERS + 2 * ply]:
        ints[KILLERS + 2 * ply + 1] = ints[KILLERS + 2 * ply]
        ints[KILLERS + 2 * ply] = killer
    ints[HISTORY + who * HEATS + (mix(HEATS, move) & HEATS - 1)] += depth * depth


def note_root(ints, index, value, sign, bound, sure, better):
    """Note what is known of a root move, in player 0's terms."""
    if sign < 0.0 and bound != EXACT:
        bound = LOWER + UPPER - bound
    put_real(ints, ROOT + ints[MAX_MOVES] + index, sign * value)
    ints[ROOT + index] = bound + (4 if sure else 0)
    if better:
        ints[BEST] = index


def keep_line(ints, ply, choice):
    """Write *choice* and the line below it as the line of *ply*; return its length."""
    below = min(ints[LENGTHS + ply + 1], LINE_WIDTH - 1)
    here, there = LINES + ply * LINE_WIDTH, LINES + (ply + 1) * LINE_WIDTH
    ints[here] = choice
    for step in range(below):
        ints[here + 1 + step] = ints[there + step]
    return below + 1


def abandoned(ints, ply, choice):
    """Note that the choice at *ply* led to where the search was abandoned; return the NaN that carries it up."""
    ints[TRAIL + ply] = choice
    ints[TRAIL_LENGTH] = max(ints[TRAIL_LENGTH], ply + 1)
    return NAN
