"""How good a position is for each seat: it is played on to its end, in many worlds.

In each world everything that a viewer cannot know is drawn anew. Then everybody plays what has proved best in the
worlds before it, and where there are none, what `rate` likes best. What counts is how such games end, not what somebody
thinks of a position before their end. The same worlds serve all moves of a decision, so that what is left is the
difference between the moves.
"""

from infila.core import chance
from infila.core.contract import AnyState
from infila.core.dispatch import actor, deal, hide, legal, over, play, redraw, scores
from infila.core.entry import entry
from infila.core.record import F8s, Floats, I2s, I8s, Ints, Records, States, U8s, Word, int64, uint64
from infila.core.rule import rule
from infila.players.search import WHOEVER, Buffers, Desk, Node, Settings, best_rated, choices, descend

DEALT = -2  # the viewer who has not even seen the deal: every world is dealt anew
OPEN = -3  # the viewer who sees everything, even what will be drawn: worlds differ only in how people play on
NO_MOVE = -1
LONGEST = 5000  # moves after which a game is judged as it stands


@rule
def allows(s: AnyState, action: int, out: Ints) -> bool:
    """Whether an action is legal, whoever's it is."""
    found = False
    for i in range(legal(s, out)):
        found |= out[i] == action
    return found


@rule
def draw_world(
    states: States, viewer: int, action: int, seed: int, number: int, tries: int, out: Ints, luck: Ints
) -> bool:
    """Make states[1] the world with this number, as a viewer may imagine it, and play an action in it, if there is one.

    Somebody else's action may need a card that the world does not give them: then it is drawn again, a few times. Says
    whether a world was found.
    """
    luck[0] = uint64(seed) + uint64(number)
    for attempt in range(tries):
        states[1] = states[0]
        if viewer == DEALT:
            chance.seed(states[1], seed, uint64(number))
            deal(states[1])
        elif viewer != OPEN:
            redraw(states[1], viewer, seed, uint64(number * tries + attempt))
        if action == NO_MOVE:
            return True
        if allows(states[1], action, out):
            play(states[1], action)
            return True
    return False


@rule
def play_on(s: AnyState, noise: int, out: Ints, ratings: Ints, luck: Ints) -> None:
    """To the end, everybody by what they like best, misjudged by up to `noise`."""
    for _ in range(LONGEST):
        n = 0 if over(s) else choices(s, out, int64(WHOEVER))
        if n == 0:
            break
        play(s, out[0] if n == 1 else out[best_rated(s, out, n, ratings, noise, luck)])


@rule
def share_out(points: Ints, players: int, mates: int, shares: Floats, at: int) -> None:
    """Each seat's share of the win: the best score has it, and sides with equal scores share it."""
    best = points[0]
    for seat in range(players):
        best = max(best, points[seat])
    winners = 0
    for seat in range(players):
        winners += 1 if points[seat] == best else 0
    for seat in range(players):
        shares[at + seat] = mates / winners if points[seat] == best else 0.0


@entry("judge")
def judge(
    states: States,
    viewer: int,
    action: int,
    seed: Word,
    first: int,
    worlds: int,
    tries: int,
    noise: int,
    players: int,
    mates: int,
    settings: Records[Settings],
    tree: Records[Node],
    desks: Records[Desk],
    buffers: Buffers,
    shares: F8s,
    ends: I8s,
) -> int:
    """Play worlds number `first`, `first` + 1, … on to their ends; states[0] is what the viewer sees.

    What has been learned from one world about the next moves serves the others: they are in a tree, as in a search. As
    long as it has room, that is: without a tree everybody goes by ratings alone. Write each seat's share of the win and
    its score, world by world; a side has `mates` seats. Returns how many worlds there are: fewer than asked for if an
    action could not be played in the next one.
    """
    desk, how = desks[0], settings[0]
    for k in range(worlds):
        if not draw_world(states, viewer, action, seed, first + k, tries, buffers.out, desk.luck):
            return int64(k)
        depth = 0
        if desk.nodes + 1 < len(tree):
            desk.path[0] = 0
            depth = descend(states[1], 0, how, tree, desk, buffers)
        play_on(states[1], noise, buffers.out, buffers.ratings, desk.luck)
        scores(states[1], desk.points)
        share_out(desk.points, players, mates, shares, k * players)
        for seat in range(players):
            ends[k * players + seat] = desk.points[seat]
        for i in range(1, depth):
            node = desk.path[i]
            tree[node].visits += 1
            tree[node].value += shares[k * players + int(tree[node].seat)]
    return int64(worlds)


@entry("solve")
def solve(
    states: States,
    players: int,
    mates: int,
    most: int,
    out: I2s,
    moves: I2s,
    tried: I8s,
    counts: I8s,
    points: I8s,
    shares: F8s,
) -> int:
    """What everybody gets who plays as well as possible from states[0] on, in which nothing is hidden from anybody.

    Returns how many positions were looked at, and writes the shares, by seat, into the first places of `shares`; 0 if
    that would be more than `most`, if it goes on for too long, or if something still comes by chance. The other arrays
    are as long as a line of play may be, times what they hold for each position.
    """
    depth = 0
    looked_at = 0
    size = len(moves) // len(tried)
    before = states[0].counter
    entering = True
    while True:
        s = states[depth]
        if entering:
            looked_at += 1
            if s.counter != before or looked_at > most:
                return int64(0)
            tried[depth] = 0
            counts[depth] = 0 if over(s) else choices(s, out, int64(WHOEVER))
            for i in range(counts[depth]):
                moves[depth * size + i] = out[i]
            if counts[depth] == 0:
                scores(s, points)
                share_out(points, players, mates, shares, depth * players)
        if tried[depth] < counts[depth]:
            if depth + 1 == len(tried):
                return int64(0)
            states[depth + 1] = states[depth]
            play(states[depth + 1], moves[depth * size + tried[depth]])
            tried[depth] += 1
            depth += 1
            entering = True
            continue
        if depth == 0:
            return int64(looked_at)
        # a position is worth what its best move is, to whoever moves there
        depth -= 1
        entering = False
        mover = actor(states[depth], moves[depth * size + tried[depth] - 1])
        if tried[depth] == 1 or shares[(depth + 1) * players + mover] > shares[depth * players + mover]:
            for seat in range(players):
                shares[depth * players + seat] = shares[(depth + 1) * players + seat]
        if shares[depth * players + mover] == 1.0:
            tried[depth] = counts[depth]  # nothing is better


@entry("imagine")
def imagine(
    states: States, viewer: int, action: int, seed: Word, number: int, tries: int, seen_by: int, out: I2s, luck: U8s
) -> int:
    """Make states[1] a world as a viewer may imagine it, after an action, as somebody sees it or all of it (OPEN).

    Gives 1, or 0 if there is no such world.
    """
    found = draw_world(states, viewer, action, seed, number, tries, out, luck)
    if seen_by != OPEN:
        hide(states[1], seen_by)
    return int64(1) if found else int64(0)
