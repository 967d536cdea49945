"""Monte Carlo tree search over max, min and chance nodes: plain Python that also runs compiled.

A simulation goes down the tree to a leaf (selection), gives the leaf children once it was visited before (expansion), values it
by a playout or an estimate, and tells the result to every node on its way (back-up). Beside the mean of its results
each node has proven bounds: a player's are the best of its children's, those of chance their mean. They meet where
a subtree is settled; a search whose root is settled has proven its value.

`game` is an `InterpretedRules` or a `CompiledRules`; `ints` is the memory of this thread, `tree` the tree that all share:
see `tree_layout.py`.
"""

from math import log, sqrt

from outplay.rules.bits import splitmix
from outplay.rules.game import CHANCE, OVER
from outplay.rules.memory import add_real, add_word, block, latest, publish, put_real, real_at, replace_word
from outplay.runtime.clock import look
from outplay.runtime.meter import (
    BAD_BOUNDS,
    BAD_CHANCES,
    BAD_ESTIMATE,
    BAD_SCORE,
    BAD_TURN,
    BY_NODES,
    MAX_MOVES,
    NEXT_LOOK,
    NO_CHANCES,
    NO_MOVES,
    NODES,
    PLIES,
    TOO_MANY,
    WHY,
)
from outplay.search.montecarlo.draws import index_below, share
from outplay.search.montecarlo.playout_kernel import WAS_CUT, are_probabilities, bad_reward, finish, is_total
from outplay.search.montecarlo.playout_layout import CUT, GAME, LAST, SEED, STATE_AT, STEP, TOP
from outplay.search.montecarlo.tree_layout import (
    ANNOUNCED,
    BY_ESTIMATE,
    BY_PLAYOUT,
    CAPACITY,
    CHILD,
    CHOICE,
    CLAIMED,
    COUNTED,
    DEEPEST,
    DEPTH_CAP,
    EXPLORATION,
    FOLLOWED,
    FULL,
    IN_FLIGHT,
    LEAST,
    LEAVES,
    LINK,
    LOWER,
    MOST,
    MOST_CHILDREN,
    NEXT,
    NUMBER,
    PAID,
    PATH,
    PATH_LENGTH,
    PENDING,
    PENDING_SLOT,
    PENDING_SLOTS,
    PLUS,
    PRIOR,
    RECORD,
    RESERVED,
    RESERVED_END,
    RESULT,
    ROOT,
    SHARED,
    SQUARES,
    STAYING,
    TIMES,
    TOTAL,
    TREE_AT,
    UPPER,
    VISITS,
    WHO,
    WHO_PLUS,
)

INFINITY = float("inf")
NAN = float("nan")
UNTRIED = 1e300  # as the score of a move: it comes before every move that was tried
PLAYOUT_KEY = 1 << 40  # the number of the random number that is the key of a playout: no ply has it
WIDE = 32  # outcomes: a chance node with more is widened as it is visited
RANKED = 512  # moves: where there are more, rank is no prior, for comparing all pairs would take too long
BUSY_VISITS = 16  # threads that share the tree add results in batches to a node with more visits: atomic instructions are slow
PENDING_SHARE = 8  # a thread holds back less than one in so many of a node's visits
# Threads that share a tree run STAY simulations in a row below the same node, if it has at least STAY_VISITS visits: the words that
# they write there are seldom read by other threads at that time.
STAY_VISITS, STAY = 64, 8
RESERVE = 1024  # records that a thread takes for itself at once
TIGHT = 8  # parts of the tree's memory; with each part that is in use a leaf needs more visits to be expanded


def grow(game, root_state, ints):
    """Run the simulations of this thread from *root_state*; return whether the value of the root is proven.

    If not, ints[WHY] says why it ended.
    """
    tree = block(ints, TREE_AT)
    root = ints[ROOT] * RECORD
    proven = 1
    while not settled(tree, root):
        proven = 0
        if ints[GAME] >= ints[LAST]:
            ints[WHY] = BY_NODES
            break
        if not simulate(game, root_state, tree, root, ints):
            break
        ints[GAME] += ints[STEP]
        proven = 1
    if ints[SHARED]:
        for slot in range(PENDING_SLOTS):
            add_pending(tree, PENDING + slot * PENDING_SLOT, ints)
    return proven


def simulate(game, state, tree, root, ints):
    """Run one simulation from *root*; return False if it had to be abandoned, and ints[WHY] says why."""
    key = splitmix(ints[SEED], ints[GAME])
    shared = ints[SHARED]
    span = game.high - game.low
    node, ply, depth, paid, changed = root, 0, 0, 0.0, False
    put_real(ints, PAID, 0.0)
    here, there = game.room, game.room  # of the state, and of the one after it
    followed = ints[FOLLOWED] if ints[STAYING] > 0 else 0  # repeat the last path down to this ply; 0: choose from the root
    # The ply of the deepest busy node, below which the next simulations may stay. Steady: no chance node and no proven move above.
    held, steady = 0, shared != 0

    # 1. Selection: down to a node without children, or one that is settled.
    while True:
        ints[PATH + ply] = node
        ints[PATH_LENGTH] = ply + 1
        if shared:
            # A word that many threads write at once is slow, and among many visits one more tells little.
            visits = tree[node + VISITS] & COUNTED
            announced = visits < BUSY_VISITS
            ints[ANNOUNCED + ply] = announced
            if steady and visits >= STAY_VISITS:
                held = ply
            if announced:
                add_word(tree, node + VISITS, IN_FLIGHT)
        if settled(tree, node) and ply > 0:
            break
        link = latest(tree, node + LINK)
        who = (link & WHO) - WHO_PLUS
        number = link >> NUMBER & MOST_CHILDREN
        if number == 0:
            if link >> CHILD or depth >= ints[DEPTH_CAP] or ply >= PLIES - 1 or (ply > 0 and not ripe(tree, node)):
                break
            # 2. Expansion. It alone may settle the node: a winning move is seen at once.
            number = expand(game, state, who, node, ply, tree, ints)
            if number < 0:
                return abandon(tree, ply, ints)
            if number == 0:
                break
            link = latest(tree, node + LINK)
            changed = bound(game, tree, node, real_at(ints, PAID + ply))
            if changed and settled(tree, node) and ply > 0:
                break
        first = (link >> CHILD) * RECORD
        word = splitmix(key, ply)
        if ply < followed:
            child = ints[PATH + ply + 1]
        elif who == CHANCE:
            child = drawn(tree, node, first, number, share(word), ply, ints)
            steady = False
        else:
            child = chosen(game, tree, node, first, number, who, index_below(word, number), ply, ints)
            steady = steady and real_at(ints, TIMES + ply) == 1.0
        if child < 0:  # nothing is open below: what settles the node came from another thread, or just now
            changed = bound(game, tree, node, real_at(ints, PAID + ply)) or changed
            break
        depth += game.cost(state) if who == CHANCE else 1
        choice = tree[child + CHOICE]
        ply += 1
        reward = game.reward(state, choice) if game.has_reward else 0.0
        put_real(ints, PAID + ply, reward)
        paid += reward
        state = game.play(state, choice, there)
        here, there = there, here
        node = child
        nodes = ints[NODES] + 1
        ints[NODES] = nodes
        if nodes >= ints[NEXT_LOOK] and look(ints):
            return abandon(tree, ply - 1, ints)
    if depth > ints[DEEPEST]:
        ints[DEEPEST] = depth
    if followed > 0:
        ints[STAYING] = ints[STAYING] - 1 if ply > followed else 0
    elif held > 0:
        ints[FOLLOWED], ints[STAYING] = held, STAY - 1

    # 3. The value of the leaf: known, or by a playout, an estimate or the mean of both.
    if settled(tree, node):
        value = real_at(tree, node + LOWER) - real_at(ints, PAID + ply)
    else:
        value = leaf_value(game, state, splitmix(key, PLAYOUT_KEY), ints)
        if value != value:
            return abandon(tree, ply, ints)
    put_real(ints, RESULT, value)
    widen_scale(tree, (paid + value) / span)

    # 4. Back-up: the result goes up the path; bounds too, as long as they change.
    while ply >= 0:
        node = ints[PATH + ply]
        value += real_at(ints, PAID + ply)
        value = min(max(value, real_at(tree, node + LOWER)), real_at(tree, node + UPPER))
        if shared and not ints[ANNOUNCED + ply]:
            count_later(tree, node, value / span, ints)
        else:
            count(tree, node, value / span, 1 - IN_FLIGHT if shared else 1, shared)
        ply -= 1
        if ply >= 0:
            value = real_at(ints, PLUS + ply) + real_at(ints, TIMES + ply) * value
            if changed:
                changed = bound(game, tree, ints[PATH + ply], real_at(ints, PAID + ply))
    return True


def settled(tree, node):
    """Return whether the value of *node* is proven."""
    return real_at(tree, node + LOWER) >= real_at(tree, node + UPPER)


def ripe(tree, node):
    """Return whether *node* was visited often enough to be given children: once, or more often where memory is short."""
    part = tree[NEXT] * TIGHT // tree[CAPACITY]
    return tree[node + VISITS] & COUNTED > part * part


def count(tree, node, result, visits, shared):
    """Add a *result*, in units of the scale, to what *node* knows."""
    if shared:
        add_word(tree, node + VISITS, visits)
        add_real(tree, node + TOTAL, result)
        add_real(tree, node + SQUARES, result * result)
    else:
        tree[node + VISITS] += visits
        put_real(tree, node + TOTAL, real_at(tree, node + TOTAL) + result)
        put_real(tree, node + SQUARES, real_at(tree, node + SQUARES) + result * result)


def count_later(tree, node, result, ints):
    """Note a *result* of a busy *node* in this thread's memory; add the notes to the node once there are enough."""
    slot = PENDING + node // RECORD % PENDING_SLOTS * PENDING_SLOT
    if ints[slot] != node:
        add_pending(tree, slot, ints)
        ints[slot] = node
    visits = ints[slot + VISITS] + 1
    ints[slot + VISITS] = visits
    put_real(ints, slot + TOTAL, real_at(ints, slot + TOTAL) + result)
    put_real(ints, slot + SQUARES, real_at(ints, slot + SQUARES) + result * result)
    if visits * PENDING_SHARE >= tree[node + VISITS] & COUNTED:
        add_pending(tree, slot, ints)


def add_pending(tree, slot, ints):
    """Add to a node what this thread has noted for it in a *slot*, and empty the slot."""
    if ints[slot + VISITS] > 0:
        node = ints[slot]
        add_word(tree, node + VISITS, ints[slot + VISITS])
        add_real(tree, node + TOTAL, real_at(ints, slot + TOTAL))
        add_real(tree, node + SQUARES, real_at(ints, slot + SQUARES))
        ints[slot + VISITS] = 0
        put_real(ints, slot + TOTAL, 0.0)
        put_real(ints, slot + SQUARES, 0.0)


def abandon(tree, ply, ints):
    """Take back that a simulation is on its way through the nodes of its path, up to *ply*; return False."""
    if ints[SHARED]:
        for step in range(ply + 1):
            if ints[ANNOUNCED + step]:
                add_word(tree, ints[PATH + step] + VISITS, -IN_FLIGHT)
    return False


def widen_scale(tree, result):
    """Note *result* if none was so small or so large before: how far results differ is what exploration is measured by."""
    if result < real_at(tree, LEAST):
        put_real(tree, LEAST, result)
    if result > real_at(tree, MOST):
        put_real(tree, MOST, result)


def spread(tree):
    """Return how far the results of simulations differ, in units of the scale."""
    width = real_at(tree, MOST) - real_at(tree, LEAST)
    return width if width > 0.0 else 1.0


def chosen(game, tree, node, first, number, who, start, ply, ints):
    """Return the child that a player's node goes on with; -1 if every child is settled, or cannot be better than one that is.

    By UCB1, or, where the game has a rank, by PUCT. A settled child is a choice like any other. Where it is the best, it tells its value to the nodes
    above, and the simulation goes on below the best of the others, so that it too is settled in the end.
    """
    sign = -1.0 if who == 1 else 1.0
    near, far = (UPPER, LOWER) if who == 1 else (LOWER, UPPER)
    floor = -INFINITY  # what the player can be sure of
    for child in range(first, first + number * RECORD, RECORD):
        floor = max(floor, sign * real_at(tree, child + near))

    # Simulations on their way count as visits, but their results are not known.
    visits = tree[node + VISITS]
    total = (visits & COUNTED) + (visits >> 40)
    span = game.high - game.low
    width = real_at(ints, EXPLORATION) * spread(tree)
    urge = width * sqrt(total + 1.0) if game.has_rank else width * sqrt(log(total + 1.0))
    parent_mean = sign * real_at(tree, node + TOTAL) / max(visits & COUNTED, 1)
    best, best_score, known, known_score = -1, -INFINITY, -1, -INFINITY
    for step in range(number):
        child = first + (start + step if start + step < number else start + step - number) * RECORD
        sure, hoped = sign * real_at(tree, child + near), sign * real_at(tree, child + far)
        if sure >= hoped:  # settled
            if sure == floor and known < 0:
                known, known_score = child, sure / span
            continue
        if hoped <= floor:
            continue
        visits = tree[child + VISITS]
        times = visits & COUNTED
        tried = times + (visits >> 40)
        if game.has_rank:
            mean = sign * real_at(tree, child + TOTAL) / times if times > 0 else parent_mean
            score = mean + urge * real_at(tree, child + PRIOR) / (1.0 + tried)
        elif times > 0:
            score = sign * real_at(tree, child + TOTAL) / times + urge / sqrt(tried)
        else:
            score = UNTRIED - tried * 1e290
        if score > best_score:
            best, best_score = child, score
    put_real(ints, PLUS + ply, 0.0)
    put_real(ints, TIMES + ply, 1.0)
    if best >= 0 and known >= 0 and known_score >= best_score:
        put_real(ints, PLUS + ply, real_at(tree, known + LOWER))
        put_real(ints, TIMES + ply, 0.0)
        count(tree, known, real_at(tree, known + LOWER) / span, 1, ints[SHARED])
    return best


def drawn(tree, node, first, number, point, ply, ints):
    """Return the child that a chance node goes on with, drawn by probability among those not settled; -1 if all are.

    The settled ones take part in the result with their values. Of many outcomes only so many are open as the
    visits of the node justify; they stand for all, and the number grows.
    """
    opened = number
    if number > WIDE:
        opened = min(number, WIDE + int(2.0 * sqrt(float(tree[node + VISITS] & COUNTED))))
    whole, known, mean = 0.0, 0.0, 0.0
    child, last = first, first + number * RECORD
    while child < last and (child < first + opened * RECORD or whole <= known):
        probability = real_at(tree, child + PRIOR)
        whole += probability
        if settled(tree, child):
            known += probability
            mean += probability * real_at(tree, child + LOWER)
        child += RECORD
    last = child
    found = -1
    point *= whole - known
    for child in range(first, last, RECORD):
        if not settled(tree, child):
            found = child
            point -= real_at(tree, child + PRIOR)
            if point < 0.0:
                break
    put_real(ints, PLUS + ply, mean / whole)
    put_real(ints, TIMES + ply, (whole - known) / whole)
    return found


def bound(game, tree, node, paid):
    """Set the bounds of *node*, whose choice has *paid* so much, by those of its children; return whether one is closer now."""
    link = latest(tree, node + LINK)
    who = (link & WHO) - WHO_PLUS
    number = link >> NUMBER & MOST_CHILDREN
    first = (link >> CHILD) * RECORD
    lower, upper = 0.0, 0.0
    if who != CHANCE:
        lower = upper = -INFINITY if who == 0 else INFINITY
    for child in range(first, first + number * RECORD, RECORD):
        low, high = real_at(tree, child + LOWER), real_at(tree, child + UPPER)
        if who == CHANCE:
            probability = real_at(tree, child + PRIOR)
            lower += probability * low
            upper += probability * high
        elif who == 0:
            lower, upper = max(lower, low), max(upper, high)
        else:
            lower, upper = min(lower, low), min(upper, high)
    lower += paid
    upper += paid
    closer = False
    if lower > real_at(tree, node + LOWER):
        put_real(tree, node + LOWER, lower)
        closer = True
    if upper < real_at(tree, node + UPPER):
        put_real(tree, node + UPPER, upper)
        closer = True
    return closer


def leaf_value(game, state, key, ints):
    """Return what *state* is thought to be worth; NaN if the search must end, and ints[WHY] says why."""
    value = 0.0
    if ints[LEAVES] & BY_PLAYOUT:
        value, length = finish(game, state, key, ints[TOP], ints)
        if value != value:
            return NAN
        if length == WAS_CUT:
            ints[CUT] += 1
            value += min(max(game.estimate(state, ints), game.low), game.high)
    if ints[LEAVES] & BY_ESTIMATE:
        estimate = game.estimate(state, ints)
        if not game.low <= estimate <= game.high:
            ints[WHY] = BAD_ESTIMATE
            game.store_state(state, ints, ints[STATE_AT])
            return NAN
        value = (value + estimate) / 2.0 if ints[LEAVES] & BY_PLAYOUT else estimate
    return value


def expand(game, state, who, node, ply, tree, ints):
    """Give *node* its children; return how many, 0 if it stays a leaf, -1 if the search must end, and ints[WHY] says why."""
    # 1. One thread alone expands a node; others meanwhile take it for a leaf.
    link = who + WHO_PLUS
    if ints[SHARED] and not replace_word(tree, node + LINK, link, link | CLAIMED):
        return 0
    top, room = ints[TOP], ints[MAX_MOVES]
    number, why = 0, 0
    if who == CHANCE:
        if game.has_chances:
            number = game.fill_chances(state, ints, top, room)
            why = TOO_MANY if number > room else 0 if are_probabilities(ints, top, number) else BAD_CHANCES
        else:
            why = NO_CHANCES
    else:
        if game.has_useful and ply > 0:
            number = game.fill_useful(state, ints, top, room)
        else:
            number = game.fill_moves(state, ints, top, room)
        why = TOO_MANY if number > room else NO_MOVES if number <= 0 else 0
    if why != 0:
        return given_up(game, state, why, tree, node, link, ints)

    # 2. Room for them, if there is any left.
    first = reserve(tree, number, ints)
    if first + number > tree[CAPACITY]:
        tree[FULL] = 1
        publish(tree, node + LINK, link)
        return 0

    # 3. Each child, with what the rules prove of it at once.
    stride = 4 if who == CHANCE else 1
    if who == CHANCE and number > WIDE:
        shuffle(ints, top, number, splitmix(ints[SEED], node))
    for index in range(number):
        nodes = ints[NODES] + 1
        ints[NODES] = nodes
        if nodes >= ints[NEXT_LOOK] and look(ints):
            publish(tree, node + LINK, link)
            return -1
        choice = ints[top + stride * index]
        after = game.play(state, choice, game.room)
        next_turn = game.turn(after)
        lower, upper = game.low, game.high
        if next_turn == OVER:
            lower = upper = game.score(after)
            if not game.low <= lower <= game.high:
                return given_up(game, after, BAD_SCORE, tree, node, link, ints)
        elif next_turn < OVER or next_turn > 1:
            return given_up(game, after, BAD_TURN, tree, node, link, ints)
        elif game.has_bounds:
            lower, upper = game.bounds(after)
            if not lower <= upper:  # or NaN
                return given_up(game, after, BAD_BOUNDS, tree, node, link, ints)
        if game.has_reward:
            reward = game.reward(state, choice)
            lower += reward
            upper += reward
            if reward != reward or not is_total(game, min(max(lower, game.low), upper)):  # no total on the scale lies between
                bad_reward(game, state, choice, ints)
                publish(tree, node + LINK, link)
                return -1
            if next_turn != OVER:  # the total is on the scale, too
                lower, upper = max(lower, game.low), min(upper, game.high)
        child = (first + index) * RECORD
        tree[child + CHOICE] = choice
        tree[child + VISITS] = 0
        put_real(tree, child + TOTAL, 0.0)
        put_real(tree, child + SQUARES, 0.0)
        tree[child + LINK] = next_turn + WHO_PLUS
        put_real(tree, child + LOWER, lower)
        put_real(tree, child + UPPER, upper)
        put_real(tree, child + PRIOR, real_at(ints, top + 4 * index + 1) if who == CHANCE else 1.0 / number)
        if game.has_rank and who != CHANCE:
            rank = game.rank(state, choice)
            put_real(ints, top + room + index, rank if rank == rank else -INFINITY)  # NaN comes last
    if game.has_rank and who != CHANCE and number <= RANKED:
        set_priors(tree, first * RECORD, number, ints, top + room)
    publish(tree, node + LINK, link | number << NUMBER | first << CHILD)
    return number


def reserve(tree, number, ints):
    """Return the first of *number* free records. The caller checks whether they end within the capacity.

    A thread that shares the tree reserves many records at once, so that the header, which all threads read, is seldom written.
    """
    first = tree[NEXT]
    if not ints[SHARED]:
        if first + number <= tree[CAPACITY]:
            tree[NEXT] = first + number
        return first
    if ints[RESERVED] + number > ints[RESERVED_END]:
        if first + number > tree[CAPACITY]:
            return first
        taken = max(min(RESERVE, tree[CAPACITY] - first), number)
        ints[RESERVED] = add_word(tree, NEXT, taken)
        ints[RESERVED_END] = ints[RESERVED] + taken
    first = ints[RESERVED]
    ints[RESERVED] = first + number
    return first


def given_up(game, state, why, tree, node, link, ints):
    """Note that *state* is at fault, and leave *node* as it was; return -1."""
    ints[WHY] = why
    game.store_state(state, ints, ints[STATE_AT])
    publish(tree, node + LINK, link)
    return -1


def set_priors(tree, first, number, ints, ranks):
    """Set the priors of the *number* children at *first*: the better the place by the ranks at ints[ranks:], the higher.

    A rank says which move comes first and nothing more, so the place alone counts: the prior is as 1 / (1 + moves that rank higher).
    """
    total = 0.0
    for index in range(number):
        higher, rank = 0, real_at(ints, ranks + index)
        for other in range(number):
            if real_at(ints, ranks + other) > rank:
                higher += 1
        prior = 1.0 / (1.0 + higher)
        total += prior
        put_real(tree, first + index * RECORD + PRIOR, prior)
    for index in range(number):
        place = first + index * RECORD + PRIOR
        put_real(tree, place, real_at(tree, place) / total)


def shuffle(ints, top, number, key):
    """Put the *number* outcomes at *top* into a random order in which likely ones tend to come first.

    Every beginning of it is a sample by probability without replacement: each outcome waits for a time that is exponential with its
    probability as the rate, and the shortest time comes first.
    """
    for index in range(number):
        wait = -log(1.0 - share(splitmix(key, index)))
        put_real(ints, top + 4 * index + 2, wait / real_at(ints, top + 4 * index + 1))
    gap = number // 2
    while gap > 0:  # Shell's sort: in place, and no recursion
        for index in range(gap, number):
            place = index
            while place >= gap and real_at(ints, top + 4 * (place - gap) + 2) > real_at(ints, top + 4 * place + 2):
                for word in range(3):
                    one, other = top + 4 * (place - gap) + word, top + 4 * place + word
                    ints[one], ints[other] = ints[other], ints[one]
                place -= gap
        gap //= 2
