"""Information-set Monte-Carlo tree search, for any game, any number of players and teams.

Each simulation draws all that the seat cannot know anew (`redraw`), goes down one tree of moves that all these worlds
share, adds a move to it, plays on until the position can be judged, and notes the result of every seat on its way. A
child whose move the world at hand does not allow is passed over. Which child: its results so far, and more for moves
that `rate` likes and that have been tried little. Everybody is taken to play for himself or his side.

The tree is an array of records, the root first; nothing is allocated while it grows.
"""

from math import sqrt
from typing import Any

from infila.core.chance import luck_below
from infila.core.contract import HOST, WORTH
from infila.core.dispatch import actor, choose, enough, legal, over, play, player, rate, redraw, scores, spread, worth
from infila.core.record import F8, I2, I4, I8, U8, Ints, Record, array, int64, uint64
from infila.core.rule import rule

DEPTH = 600  # moves after which a playout is judged as it stands
WHOEVER = -2  # the seat that decides
STRIDE = 0x9E3779B97  # between the luck of two worlds
APART = 1 << 20  # more worlds than there are: misjudgements have luck of their own


class Node(Record):
    """A move in the tree."""

    value: F8  # the sum of the results, 0 to 1 each, of the seat that moved here
    points: F8  # … and of its scores
    visits: I4
    first: I4  # child; 0: none
    after: I4  # the next child of the same parent
    action: I2
    seat: I2


class Desk(Record):
    """What a search works with, beside the tree."""

    seed: I8
    luck: Ints = array(U8, 1)
    points: Ints = array(I8, 16)
    worth: Ints = array(I8, 16)
    nodes: I4  # of the tree, in use
    path: Ints = array(I4, DEPTH)


@rule
def decider(s: Any, out: Any, n: Any) -> Any:
    """Whose decision is next, given the n legal actions: of one who may act out of turn, else the seat on turn."""
    seat = int64(player(s))
    for i in range(n):
        by = int64(actor(s, out[i]))
        if by not in (seat, HOST):
            return by
    return seat


@rule
def choices(s: Any, out: Any, seat: Any) -> Any:
    """The moves of a seat, or of WHOEVER decides, into `out`; how many. The host's are left out."""
    n = legal(s, out)
    if seat == WHOEVER:
        seat = decider(s, out, n)
    kept = 0
    for i in range(n):
        if actor(s, out[i]) == seat:
            out[kept] = out[i]
            kept += 1
    return kept


@rule
def best_rated(s: Any, actions: Any, n: Any, ratings: Any, noise: Any, luck: Any) -> Any:
    """The place of the best rated action, each rating misjudged by up to `noise`."""
    rate(s, actions, n, ratings)
    best = 0
    for i in range(n):
        if noise > 0:
            ratings[i] += luck_below(luck, 2 * noise + 1) - noise
        if ratings[i] > ratings[best]:
            best = i
    return best


@rule
def playout(
    s: Any, root: Any, plain: Any, compared: Any, horizon: Any, out: Any, some: Any, ratings: Any, luck: Any
) -> Any:
    """Play on until the position can be judged: each time the best rated of some moves drawn at random."""
    moves = 0
    while moves < DEPTH and not over(s) and (plain or not enough(s, root, horizon)):
        n = choices(s, out, WHOEVER)
        if n == 1:
            action = out[0]
        elif compared == 0:
            action = choose(s, out, n, luck)
        else:
            for k in range(compared):
                some[k] = choose(s, out, n, luck)
            action = some[best_rated(s, some, compared, ratings, 0, luck)]
        play(s, action)
        moves += 1
    return moves


@rule
def liking(s: Any, n: Any, ratings: Any, likes: Any) -> None:
    """How much each of n rated moves deserves to be tried; together 1."""
    top = ratings[0]
    for i in range(n):
        top = max(top, ratings[i])
    total = 0.0
    for i in range(n):
        behind = 1.0 + (top - ratings[i]) / spread(s)
        likes[i] = 1.0 / (behind * behind)
        total += likes[i]
    for i in range(n):
        likes[i] /= total


@rule
def select(tree: Any, node: Any, out: Any, n: Any, likes: Any, curiosity: Any, mark: Any) -> Any:
    """The child to go to, or if it is not in the tree yet, -1 - its place in `out`."""
    value = 0.0
    visits = 0
    for i in range(n):
        mark[out[i]] = i + 1
    child = tree[node].first
    while child > 0:
        if mark[tree[child].action] > 0:
            value += tree[child].value
            visits += tree[child].visits
        child = tree[child].after
    pull = curiosity * sqrt(visits + 1.0)
    best = 0
    top = -1.0
    child = tree[node].first
    while child > 0:
        at = mark[tree[child].action]
        if at > 0:
            mark[tree[child].action] = 0
            score = tree[child].value / tree[child].visits + pull * likes[at - 1] / (1 + tree[child].visits)
            if score > top:
                top = score
                best = child
        child = tree[child].after
    fresh = -1
    for i in range(n):
        if mark[out[i]] > 0:
            mark[out[i]] = 0
            if fresh < 0 or likes[i] > likes[fresh]:
                fresh = i
    # what has not been tried is taken to be as good as what has
    if fresh >= 0 and (value / visits if visits > 0 else 0.5) + pull * likes[fresh] > top:
        return -1 - fresh
    return best


@rule
def add_child(tree: Any, desk: Any, node: Any, action: Any, seat: Any) -> Any:
    child = desk.nodes
    desk.nodes += 1
    tree[child].action = action
    tree[child].seat = seat
    tree[child].after = tree[node].first
    tree[node].first = child
    return child


@rule
def like(s: Any, out: Any, n: Any, plain: Any, noise: Any, luck: Any, ratings: Any, likes: Any) -> None:
    """How much each of n moves deserves to be tried, each misjudged by up to `noise`; without heuristics all alike."""
    if plain:
        for i in range(n):  # an order of its own each time, so that no move comes first
            likes[i] = (1.0 + luck_below(luck, 1024) / 4096) / n
    else:
        best_rated(s, out, n, ratings, noise, luck)
        liking(s, n, ratings, likes)


@rule
def descend(
    s: Any, child: Any, plain: Any, curiosity: Any, tree: Any, desk: Any, out: Any, ratings: Any, likes: Any, mark: Any
) -> Any:
    """From a child of the root, whose move has been made, down to a move that is added; how many nodes the path has."""
    node = child
    depth = 1
    while depth < DEPTH and not over(s):
        n = choices(s, out, int64(WHOEVER))
        like(s, out, n, plain, 0, desk.luck, ratings, likes)
        child = select(tree, node, out, n, likes, curiosity, mark)
        added = child < 0
        if added:
            action = out[-1 - child]
            child = add_child(tree, desk, node, action, actor(s, action))
        node = child
        desk.path[depth] = node
        depth += 1
        play(s, tree[node].action)
        if added:
            break
    return depth


@rule
def misjudgement(desk: Any, action: Any, doubt: Any) -> Any:
    """How far off the worth of all that follows a move of the root is taken to be: for one position always alike."""
    desk.luck[0] = uint64(desk.seed + STRIDE * (APART + int(action)))
    return (luck_below(desk.luck, 2 * doubt + 1) - doubt) / 1000


@rule
def simulate(
    states: Any,
    seat: Any,
    simulations: Any,
    plain: Any,
    noise: Any,
    compared: Any,
    curiosity: Any,
    horizon: Any,
    doubt: Any,
    tree: Any,
    desks: Any,
    out: Any,
    some: Any,
    ratings: Any,
    likes: Any,
    mark: Any,
    first: Any,
    liked: Any,
) -> Any:
    """So many simulations more, or until the tree is full. states[0] is the seat's view, states[1] the world at hand.

    Every move of the root meets the same worlds with the same luck, in the same order: what is left are differences
    between the moves. (Plain search goes without that.) Returns the moves that playouts made.
    """
    desk = desks[0]
    moves = 0
    n = choices(states[0], first, seat)
    if not plain:
        desk.luck[0] = uint64(desk.seed - 1)  # misjudged alike in every call
    like(states[0], first, n, plain, noise, desk.luck, ratings, liked)
    for _ in range(simulations):
        if desk.nodes + 1 >= len(tree):
            break
        if plain:
            like(states[0], first, n, plain, noise, desk.luck, ratings, liked)
        child = select(tree, 0, first, n, liked, curiosity, mark)
        added = child < 0
        if added:
            child = add_child(tree, desk, 0, first[-1 - child], seat)
        wrong = misjudgement(desk, tree[child].action, doubt) if doubt > 0 else 0.0
        if not plain:
            desk.luck[0] = uint64(desk.seed + int(tree[child].visits) * STRIDE)
        states[1] = states[0]
        redraw(states[1], seat, uint64(luck_below(desk.luck, 2**31)), uint64(luck_below(desk.luck, 2**31)))
        desk.path[0] = child
        play(states[1], tree[child].action)
        depth = 1
        if not added:
            depth = descend(states[1], child, plain, curiosity, tree, desk, out, ratings, likes, mark)
        moves += playout(states[1], states[0], plain, compared, horizon, out, some, ratings, desk.luck)
        worth(states[1], desk.worth)
        scores(states[1], desk.points)
        tree[0].visits += 1
        if not over(states[1]):
            judged = desk.worth[seat] / WORTH
            tree[desk.path[0]].value += min(1 - judged, wrong * judged)
        for k in range(depth):
            node = desk.path[k]
            tree[node].visits += 1
            tree[node].value += desk.worth[tree[node].seat] / WORTH
            tree[node].points += desk.points[tree[node].seat]
    return moves


@rule
def decider_at(states: Any, out: Any) -> Any:
    return decider(states[0], out, legal(states[0], out))


@rule
def choices_at(states: Any, seat: Any, out: Any) -> Any:
    return choices(states[0], out, seat)


@rule
def rated_at(states: Any, seat: Any, noise: Any, luck: Any, out: Any, ratings: Any) -> Any:
    """All moves of a seat and their ratings; how many."""
    n = choices(states[0], out, seat)
    if n > 0:
        best_rated(states[0], out, n, ratings, noise, luck)
    return n


@rule
def random_at(states: Any, seat: Any, luck: Any, out: Any) -> Any:
    """A random move of a seat, of a random kind."""
    return choose(states[0], out, choices(states[0], out, seat), luck)
