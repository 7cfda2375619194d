"""Information-set Monte-Carlo tree search, for any game, any number of players and teams.

Each simulation draws everything the seat cannot know anew (`redraw`), goes down one tree of moves that all these worlds
share, adds a move to it, plays on until the position can be judged, and records the result of every seat on its way. A
child whose move the world at hand does not allow is passed over. A child is chosen by its results so far, with a bonus
for moves that `rate` likes and that have been tried little. Everybody is assumed to play for themselves or their side.

The tree is an array of records, the root first; nothing is allocated while it grows.
"""

from math import sqrt
from typing import NamedTuple

from infila.core.chance import luck_below
from infila.core.contract import HOST, WORTH, AnyState
from infila.core.dispatch import actor, choose, enough, legal, over, play, player, rate, redraw, scores, spread, worth
from infila.core.entry import entry
from infila.core.record import (
    F8,
    I2,
    I4,
    I8,
    U8,
    F8s,
    Floats,
    I2s,
    I8s,
    Ints,
    Record,
    Records,
    States,
    U8s,
    array,
    int64,
    uint64,
)
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
    """What a search works with besides the tree."""

    seed: I8
    luck: Ints = array(U8, 1)
    points: Ints = array(I8, 16)
    worth: Ints = array(I8, 16)
    nodes: I4  # of the tree that are in use
    path: Ints = array(I4, DEPTH)


class Settings(Record):
    """How a search thinks: what a level says (`infila.core.contract.Level`), and whether it goes without heuristics."""

    curiosity: F8
    noise: I8
    compared: I8
    horizon: I8
    doubt: I8
    plain: I8  # 1: it knows nothing of the game but its rules


class Buffers(NamedTuple):
    """Room for lists, as long as the game and the level need them."""

    out: I2s  # legal moves
    some: I2s  # those that a playout compares
    ratings: I8s
    likes: F8s  # how much each move deserves to be tried
    mark: I2s  # for each action its place among the legal moves, from 1, while a child is selected
    first: I2s  # the root's moves …
    liked: F8s  # … and how much each deserves to be tried


@rule
def decider(s: AnyState, out: Ints, n: int) -> int:
    """Who decides next, given the n legal actions: a seat that may act out of turn, or else the seat on turn."""
    seat = int64(player(s))
    for i in range(n):
        by = int64(actor(s, out[i]))
        if by not in (seat, HOST):
            return by
    return seat


@rule
def choices(s: AnyState, out: Ints, seat: int) -> int:
    """Write the moves of a seat, or of WHOEVER decides, into `out`; return how many. The host's are left out."""
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
def best_rated(s: AnyState, actions: Ints, n: int, ratings: Ints, noise: int, luck: Ints) -> int:
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
def playout(s: AnyState, root: AnyState, how: Settings, buffers: Buffers, luck: Ints) -> int:
    """Play on until the position can be judged: each time the best rated of some moves drawn at random."""
    out, some = buffers.out, buffers.some
    moves = 0
    while moves < DEPTH and not over(s) and (how.plain or not enough(s, root, how.horizon)):
        n = choices(s, out, WHOEVER)
        if n == 1:
            action = out[0]
        elif how.compared == 0:
            action = choose(s, out, n, luck)
        else:
            for k in range(how.compared):
                some[k] = choose(s, out, n, luck)
            action = some[best_rated(s, some, how.compared, buffers.ratings, 0, luck)]
        play(s, action)
        moves += 1
    return moves


@rule
def liking(s: AnyState, n: int, ratings: Ints, likes: Floats) -> None:
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
def select(tree: Records[Node], node: int, out: Ints, n: int, likes: Floats, curiosity: float, mark: Ints) -> int:
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
    # moves not yet tried are assumed to be as good as those tried
    if fresh >= 0 and (value / visits if visits > 0 else 0.5) + pull * likes[fresh] > top:
        return -1 - fresh
    return best


@rule
def add_child(tree: Records[Node], desk: Desk, node: int, action: int, seat: int) -> int:
    child = desk.nodes
    desk.nodes += 1
    tree[child].action = action
    tree[child].seat = seat
    tree[child].after = tree[node].first
    tree[node].first = child
    return child


@rule
def like(s: AnyState, actions: Ints, n: int, how: Settings, noise: int, luck: Ints, ratings: Ints, out: Floats) -> None:
    """How much each of n moves deserves to be tried, each misjudged by up to `noise`; without heuristics, all equal."""
    if how.plain:
        for i in range(n):  # in a different order each time, so that no move is preferred
            out[i] = (1.0 + luck_below(luck, 1024) / 4096) / n
    else:
        best_rated(s, actions, n, ratings, noise, luck)
        liking(s, n, ratings, out)


@rule
def descend(s: AnyState, child: int, how: Settings, tree: Records[Node], desk: Desk, buffers: Buffers) -> int:
    """From a child of the root, whose move has been made, down to a move that is added; return the path's length."""
    out, likes = buffers.out, buffers.likes
    node = child
    depth = 1
    while depth < DEPTH and not over(s):
        n = choices(s, out, int64(WHOEVER))
        like(s, out, n, how, 0, desk.luck, buffers.ratings, likes)
        child = select(tree, node, out, n, likes, how.curiosity, buffers.mark)
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
def misjudgement(desk: Desk, action: int, doubt: int) -> float:
    """By how much everything after a move of the root is misjudged: always the same for one position."""
    desk.luck[0] = uint64(desk.seed + STRIDE * (APART + int(action)))
    return (luck_below(desk.luck, 2 * doubt + 1) - doubt) / 1000


@entry("search")
def simulate(
    states: States,
    seat: int,
    simulations: int,
    settings: Records[Settings],
    tree: Records[Node],
    desks: Records[Desk],
    buffers: Buffers,
) -> int:
    """Run more simulations, or until the tree is full. states[0] is the seat's view, states[1] the world at hand.

    Every move of the root meets the same worlds with the same luck, in the same order: what is left is the
    difference between the moves. (Plain search does without this.) Returns the number of moves in playouts.
    """
    desk, how = desks[0], settings[0]
    first, liked, ratings = buffers.first, buffers.liked, buffers.ratings
    moves = 0
    n = choices(states[0], first, seat)
    if not how.plain:
        desk.luck[0] = uint64(desk.seed - 1)  # misjudged the same way in every call
    like(states[0], first, n, how, how.noise, desk.luck, ratings, liked)
    for _ in range(simulations):
        if desk.nodes + 1 >= len(tree):
            break
        if how.plain:
            like(states[0], first, n, how, how.noise, desk.luck, ratings, liked)
        child = select(tree, 0, first, n, liked, how.curiosity, buffers.mark)
        added = child < 0
        if added:
            child = add_child(tree, desk, 0, first[-1 - child], seat)
        wrong = misjudgement(desk, tree[child].action, how.doubt) if how.doubt > 0 else 0.0
        if not how.plain:
            desk.luck[0] = uint64(desk.seed + int(tree[child].visits) * STRIDE)
        states[1] = states[0]
        redraw(states[1], seat, uint64(luck_below(desk.luck, 2**31)), uint64(luck_below(desk.luck, 2**31)))
        desk.path[0] = child
        play(states[1], tree[child].action)
        depth = 1
        if not added:
            depth = descend(states[1], child, how, tree, desk, buffers)
        moves += playout(states[1], states[0], how, buffers, desk.luck)
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


@entry("decider")
def decider_at(states: States, out: I2s) -> int:
    return decider(states[0], out, legal(states[0], out))


@entry("choices")
def choices_at(states: States, seat: int, out: I2s) -> int:
    return choices(states[0], out, seat)


@entry("rated")
def rated_at(states: States, seat: int, noise: int, luck: U8s, out: I2s, ratings: I8s) -> int:
    """Write all moves of a seat and their ratings; return how many."""
    n = choices(states[0], out, seat)
    if n > 0:
        best_rated(states[0], out, n, ratings, noise, luck)
    return n


@entry("random")
def random_at(states: States, seat: int, luck: U8s, out: I2s) -> int:
    """A random move of a seat, of a random kind."""
    return choose(states[0], out, choices(states[0], out, seat), luck)
