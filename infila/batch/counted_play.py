"""Games played by random or heuristic players, while what happens in them is counted.

The record of a game notes what became of it; what concerns all games together, how many choices there were and when, is
counted in arrays that a whole chunk of games shares. Everything is a whole number, so that sums do not depend on the
order of addition.

Who decides, and among what, is as in the arena: the host's moves are left out. In random play these are the games of
`infila simulate`, unless a game has moves out of turn.
"""

from infila.core import chance
from infila.core.contract import COUNTED
from infila.core.dispatch import actor, choose, hide, note, over, scores
from infila.core.driver import deal_at, play_at
from infila.core.notation import POINTS
from infila.core.record import I2, I4, I8, Array, Ints, Record, Records, States, array, int64, uint64
from infila.core.rule import inlined, rule
from infila.players.search import WHOEVER, best_rated, choices_at

AT_RANDOM = -1  # in place of a heuristic player's noise
SLICES = 25  # of a game, to show how choices change as it goes on
TRAIL = 4096  # moves of a game whose choices are remembered one by one


class Course(Record):
    """What became of a game."""

    scores: Ints = array(I8, POINTS)  # at the end, by seat
    events: Ints = array(I8, COUNTED)
    moves: I8
    turns: I8  # how often the decision passed to another seat
    decisions: Ints = array(I8, POINTS)  # moves of a seat that had a choice
    coarse: I4  # each place of the trail stands for 2 ** coarse moves
    first: I2  # the seat that began
    seat: I2  # the one that decides now


@rule
def begin(work: States, template: States, seed: int, number: int, luck: Ints) -> None:
    """Game `number` of a seed, with the options of template[0], into work[0]."""
    work[0] = template[0]
    deal_at(work, int64(0), seed, number)
    chance.seed_luck(luck, work[0])


@inlined
def halve(trail: Ints) -> None:
    """Make room: merge every two places of the trail into one."""
    half = len(trail) // 2
    for k in range(half):
        trail[k] = trail[2 * k] + trail[2 * k + 1]
    for k in range(half, len(trail)):
        trail[k] = 0


@rule
def look(work: States, courses: Records[Course], i: int, widths: Ints, trail: Ints, out: Ints) -> int:
    """Write the moves of the seat that decides into `out`; return how many."""
    course = courses[i]
    n = choices_at(work, int64(WHOEVER), out)
    seat = int64(actor(work[0], out[0]))
    if course.moves == 0:
        course.first = seat
    if course.moves == 0 or seat != course.seat:
        course.turns += 1
    course.seat = seat
    course.decisions[seat] += int(n > 1)
    widths[n] += 1
    if course.moves >> course.coarse == len(trail):
        halve(trail)
        course.coarse += 1
    trail[course.moves >> course.coarse] += n
    return n


@rule
def go(work: States, courses: Records[Course], i: int, action: int) -> None:
    """Play a move; work[1] keeps the state before it."""
    work[1] = work[0]
    play_at(work, int64(0), action)
    note(work[1], action, work[0], courses[i].events)
    courses[i].moves += 1


@rule
def finish(work: States, courses: Records[Course], i: int, trail: Ints, curve: Array) -> None:
    """Note the scores, and how many moves and choices each slice of the game had: place k of a trail of `places` places
    is in slice SLICES k / places."""
    course = courses[i]
    scores(work[0], course.scores)
    places = ((course.moves - 1) >> course.coarse) + 1
    at = 0
    rest = 0
    for k in range(places):
        curve[0, at] += min(1 << course.coarse, course.moves - (k << course.coarse))
        curve[1, at] += trail[k]
        trail[k] = 0
        rest += SLICES
        while rest >= places:
            rest -= places
            at += 1


@rule
def pick(work: States, seat: int, way: int, n: int, out: Ints, ratings: Ints | None, luck: Ints) -> int:
    """A player's choice among n moves, by what the seat sees. Without `ratings` all play at random, and the heuristic,
    which takes long to compile, is left out."""
    if n == 1:
        return out[0]
    if ratings is None:
        return choose(work[0], out, n, luck)
    if way == AT_RANDOM:
        return choose(work[0], out, n, luck)
    work[1] = work[0]
    hide(work[1], seat)
    return out[best_rated(work[1], out, n, ratings, way, luck)]


@rule
def play_counted(
    courses: Records[Course],
    template: States,
    seed: int,
    first: int,
    ways: Ints,
    sides: Ints,
    work: States,
    widths: Ints,
    curve: Array,
    trail: Ints,
    out: Ints,
    ratings: Ints | None,
    luck: Ints,
) -> None:
    """Play games number `first`, `first` + 1, … of a seed. A way to play is AT_RANDOM or a heuristic player's noise;
    in game g, side k plays in way k + g, modulo their number."""
    for i in range(len(courses)):
        number = first + i
        begin(work, template, seed, uint64(number), luck)
        while not over(work[0]):
            n = look(work, courses, i, widths, trail, out)
            seat = int64(courses[i].seat)
            way = ways[(sides[seat] + number) % len(ways)]
            go(work, courses, i, int64(pick(work, seat, way, n, out, ratings, luck)))
        finish(work, courses, i, trail, curve)
