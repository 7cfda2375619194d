"""How to play Completto well.

A row is a race: who needs the fewest turns to fill it? What counts is room. Between two open tiles lies a *gap*: some
covered places, and some numbers that nobody has seen yet and that belong there. If a gap gets about as many numbers as
it has places, every draw fits; an extra place has to wait, or must be moved to another gap, which costs a turn.

So each gap has a cost: how many of its places can be expected to stay covered (SHORTFALL), in thousandths of a turn.
Tiles that lie open in the middle are numbers that are sure to come, and those that would make a pair (C8) cost no turn
at all. The smaller a move makes the sum over all gaps, the better it is; a tile brought in is worth PLACED, another
turn AGAIN, and a draw the mean over all numbers that may come.
"""

from typing import NamedTuple

import numpy as np

from infila.core.bits import count_bits, lowest_bit
from infila.core.contract import WORTH, Level
from infila.core.record import Grid, Ints
from infila.core.rule import left_of, rule
from infila.games.completto.rules import (
    BITS,
    DRAW,
    LAID,
    MOVE,
    PLACE,
    ROW,
    START,
    TAKE,
    TILES,
    TURN,
    TURNABLE,
    TURNED,
    State,
    gap_of,
    inserted_before,
    is_pair,
    places_for,
)

SPREAD = 300
LEVELS = {
    "beginner": Level(noise=1600),
    "casual": Level(noise=900),
    "club": Level(),
    "expert": Level(simulations=40, compared=8, curiosity=0.35, horizon=6),
    "master": Level(simulations=600, compared=8, curiosity=0.35, horizon=6),
}

# All in thousandths of a turn unless said otherwise; measured, see docs/explanation/strength.md.
DRAWS, DRAWS_AT_LAST = 14, 0  # how many draws to look ahead: sixteenths for each covered place, and in total
WEIGHT, WEIGHT_AT_LAST = 800, 200  # of a place that stays covered; the more the fewer there are
SURE, SURE_AT_LAST = 12, 24  # sixteenths of a number that an open tile in the middle counts as
FREE = 800  # an open tile that makes a pair,
NEAR = 300  # … once a covered place is moved there
AWAY = 60  # an unseen number that would make a pair if it had a place,
BESIDE = 20  # … if it has one
PLACED, PLACED_AT_LAST = 950, 600  # a place filled
AGAIN = 1400  # a further turn (C8)
LUCK = 2200  # … that a draw may bring
LEFT_OPEN = 400  # a drawn tile that fits nowhere lies open
COMPLETES = 1_000_000  # the row
TOO_LATE = 2000  # a covered tile moved while another row is about to be completed (C10)
NEVER = -1_000_000_000

# The race. Covered places -> turns to fill them, when the gaps cost nothing.
TURNS: Ints = np.array(
    [0, 0, 1338, 2491, 3638, 4760, 5772, 6750, 7583, 8465, 9288, 10197, 11068, 11988, 12906, 13887, 14885, 15926]
)
AT_MOST = 100_000
POINT = 1300  # a minus point in turns
LATER: Ints = np.array([0, 0, 500, 333, 250])
LUCK_AT_LAST, LUCK_BY_TURNS = 450, 220  # how much luck there is in a race, by its turns (1024ths)
LUCK_OF_GAMES: Ints = np.sqrt(np.arange(17) * 3000.0**2).astype(np.int64)  # … and by the games to come
# the chance of a seat, by how many 64ths of that luck it is behind
CHANCE_BEHIND: Ints = (2**20 * np.exp(-np.arange(16 * 64) / 64)).astype(np.int32)

FINE = 16  # numbers that a gap can expect are counted in sixteenths
MOST = 28 * FINE


def _tables() -> tuple[Grid, Grid]:
    """For a gap with c places and the numbers it can expect: how many of its places stay covered if numbers come at
    random (Poisson); and the same once any one of these numbers has been placed as well as possible."""
    expected = np.arange(MOST + 1) / FINE
    chance = np.exp(-expected)  # of exactly c numbers
    at_most = chance.copy()
    short = np.zeros((LAID + 1, MOST + 1))
    for c in range(1, LAID + 1):
        short[c] = short[c - 1] + at_most
        chance = chance * expected / c
        at_most = at_most + chance
    after = np.zeros((LAID + 1, MOST + 1))
    whole = np.arange(MOST + 1)
    for c in range(1, LAID + 1):
        for part in range(1, 32, 2):
            below = whole * part // 32
            after[c] += np.min([short[i, below] + short[c - 1 - i, whole - below] for i in range(c)], axis=0) / 16
    return np.rint(1000 * short).astype(np.int16), np.rint(1000 * after).astype(np.int16)


# of small numbers: a kernel on a GPU has 64 KB for constants, and each rule that uses a table has its own
SHORTFALL, AFTER = _tables()


class Outlook(NamedTuple):
    """What a seat knows and all its moves share. A set of numbers is two words, as in the rules."""

    unseen: int  # numbers, either way up, of the tiles that nobody has seen
    unseen_high: int
    lying: int  # and of the open tiles of the middle
    lying_high: int
    tiles: int  # how many are unseen
    left: int  # covered places of the row
    share: int  # numbers that one unseen tile brings to its gap, in 1024ths of a sixteenth
    sure: int  # and an open one, in sixteenths
    weight: int  # of a place that stays covered


@rule
def between(low: int, high: int, a: int, b: int) -> int:
    """How many numbers of a set lie between a and b."""
    mask = (1 << min(b, BITS)) - (1 << min(a + 1, BITS))
    mask_high = (1 << max(b - BITS, 0)) - (1 << max(a + 1 - BITS, 0))
    return count_bits(low & mask) + count_bits(high & mask_high)


@rule
def either_way_up(low: int, high: int) -> tuple[int, int]:
    """C9: all numbers that a set of tiles can be used as."""
    numbers = low
    numbers_high = high
    for word in range(2):
        bits = (high if word else low) & int(TURNABLE[word])
        while bits:
            bit = bits & -bits
            bits ^= bit
            number = int(TURNED[word * BITS + lowest_bit(bit)])
            if number >= BITS:
                numbers_high |= 1 << number - BITS
            else:
                numbers |= 1 << number
    return numbers, numbers_high


@rule
def seen_tiles(s: State) -> tuple[int, int]:
    """All tiles that lie open, or in a hand; 0 and what is above 100 count as seen."""
    low = int(s.lying[0]) | 1
    high = int(s.lying[1]) | 1 << TILES + 1 - BITS
    hand = int(s.hand)
    if hand >= BITS:
        high |= 1 << hand - BITS
    else:
        low |= 1 << hand
    for seat in range(s.players):
        for k in range(1, s.n_open[seat] + 1):
            tile = int(s.row[seat, s.at[seat, k]])
            if tile >= BITS:
                high |= 1 << tile - BITS
            else:
                low |= 1 << tile
    return low, high


@rule
def look_out(s: State, seat: int) -> Outlook:
    low, high = seen_tiles(s)
    low ^= (1 << BITS) - 1
    high ^= (1 << BITS) - 1
    tiles = max(count_bits(low) + count_bits(high), 1)
    left = LAID if s.phase == START else max(ROW - int(s.n_open[seat]), 1)
    low, high = either_way_up(low, high)
    lying, lying_high = either_way_up(int(s.lying[0]), int(s.lying[1]))
    return Outlook(
        low,
        high,
        lying,
        lying_high,
        tiles,
        left,
        (DRAWS_AT_LAST + DRAWS * left << 10) // tiles,
        SURE + SURE_AT_LAST // left,
        WEIGHT + WEIGHT_AT_LAST // left,
    )


@rule
def has(low: int, high: int, number: int) -> int:
    """1 if a set holds a number, else 0."""
    return ((high >> number - BITS) if number >= BITS else (low >> number)) & 1


class Room(NamedTuple):
    """What may come into a gap."""

    unseen: int  # unseen tiles that belong there,
    lying: int  # and tiles that lie open
    unseen_ends: int  # those of them that would make a pair with the open tile at an end (C8)
    lying_ends: int


@rule
def room_between(o: Outlook, a: int, b: int) -> Room:
    """What may come between the open numbers a and b."""
    unseen = between(o.unseen, o.unseen_high, a, b)
    lying = 0
    if o.lying | o.lying_high:
        lying = between(o.lying, o.lying_high, a, b)
    unseen_ends = 0
    lying_ends = 0
    if a >= 1 and b - a > 1:
        unseen_ends += has(o.unseen, o.unseen_high, a + 1)
        lying_ends += has(o.lying, o.lying_high, a + 1)
    if b <= TILES and b - a > 2:
        unseen_ends += has(o.unseen, o.unseen_high, b - 1)
        lying_ends += has(o.lying, o.lying_high, b - 1)
    return Room(unseen, lying, unseen_ends, lying_ends)


@rule
def expected(o: Outlook, room: Room) -> int:
    """How many numbers a gap can expect, in sixteenths."""
    return min((room.unseen * o.share >> 10) + room.lying * o.sure, MOST)


@rule
def cost(o: Outlook, places: int, room: Room) -> int:
    """What a gap with `places` covered places costs."""
    if places == 0:
        return AWAY * room.unseen_ends - NEAR * room.lying_ends
    short = o.weight * int(SHORTFALL[places, expected(o, room)]) >> 10
    return short + BESIDE * room.unseen_ends - FREE * min(room.lying_ends, places)


@rule
def places_in(s: State, seat: int, gap: int) -> int:
    """The covered places of a gap."""
    return int(s.at[seat, gap + 1]) - int(s.at[seat, gap]) - 1


@rule
def room_in(s: State, seat: int, o: Outlook, gap: int) -> Room:
    return room_between(o, int(s.shows[seat, gap]), int(s.shows[seat, gap + 1]))


@rule
def placed(o: Outlook) -> int:
    """What it is worth to have one covered place fewer."""
    return PLACED - PLACED_AT_LAST // o.left


class Split(NamedTuple):
    """A number, and the gap that it would split."""

    first: int  # place where the number can be placed
    places: int  # that are left covered if the number takes one; in the start it takes none (C2)
    cost: int  # of the gap as it is
    low: Room  # what may come below it,
    high: Room  # and above it
    pairs_low: int  # 1 if it pairs with the open tile before the gap, else 0
    pairs_high: int


@rule
def split(s: State, o: Outlook, number: int) -> Split:
    """The gap that a number would split in the row of the seat on turn; no places, -1, if it fits nowhere."""
    me = int(s.turn)
    gap = gap_of(s, me, number)
    a = int(s.shows[me, gap])
    b = int(s.shows[me, gap + 1])
    first, end = places_for(s, me, gap, number)
    before = cost(o, places_in(s, me, gap), room_in(s, me, o, gap))
    pairs = 0 if s.phase == START else 1  # C14
    return Split(
        first,
        end - first - 1,
        before,
        room_between(o, a, number),
        room_between(o, number, b),
        pairs if is_pair(first - 1, a, first, number) else 0,
        pairs if is_pair(end - 1, number, end, b) else 0,
    )


@rule
def rate_split(o: Outlook, at: Split, below: int) -> int:
    """How good it is to place the number with `below` covered places of its gap below it."""
    above = at.places - below
    rating = at.cost - cost(o, below, at.low) - cost(o, above, at.high)
    if (below == 0 and at.pairs_low) or (above == 0 and at.pairs_high):
        rating += AGAIN
    return rating


@rule
def rate_placings(s: State, o: Outlook, actions: Ints, n: int, ratings: Ints) -> None:
    straight = split(s, o, int(s.hand))
    turned = split(s, o, int(TURNED[s.hand])) if TURNED[s.hand] != s.hand else straight
    for i in range(n):
        place = int(actions[i]) - PLACE
        if place < ROW:
            ratings[i] = rate_split(o, straight, place - straight.first)
        else:
            ratings[i] = rate_split(o, turned, place - ROW - turned.first)


@rule
def best_placing(s: State, o: Outlook, number: int) -> int:
    """How good the best place for a number is."""
    at = split(s, o, number)
    best = NEVER
    for below in range(at.places + 1):
        best = max(best, rate_split(o, at, below))
    return best


@rule
def rate_take(s: State, o: Outlook, tile: int) -> int:
    """C4, C16: an open tile, used the better way up."""
    if o.left == 1:
        return COMPLETES
    best = best_placing(s, o, tile)
    if TURNED[tile] != tile:
        best = max(best, best_placing(s, o, int(TURNED[tile])))
    return best + placed(o)


@rule
def rate_draw(s: State, o: Outlook) -> int:
    """C4, C7: the mean over all unseen tiles: a place filled, perhaps a pair; or one more open tile in the middle."""
    me = int(s.turn)
    gain = 0
    fitting = 0
    for gap in range(s.n_open[me] + 1):
        places = places_in(s, me, gap)
        if places > 0:
            room = room_in(s, me, o, gap)
            numbers = expected(o, room)
            filled = o.weight * (int(SHORTFALL[places, numbers]) - int(AFTER[places, numbers])) >> 10
            gain += room.unseen * (filled + placed(o)) + room.unseen_ends * LUCK
            fitting += room.unseen
    return (gain + max(o.tiles - fitting, 0) * LEFT_OPEN) // o.tiles


@rule
def gain_here(s: State, o: Outlook, source: int) -> int:
    """C5: what is gained by taking a covered tile away from here."""
    me = int(s.turn)
    gap = 0
    while s.at[me, gap + 1] < source:
        gap += 1
    places = places_in(s, me, gap)
    room = room_in(s, me, o, gap)
    return cost(o, places, room) - cost(o, places - 1, room)


@rule
def gain_there(s: State, o: Outlook, source: int, target: int) -> int:
    """C5: what is gained by putting a covered tile from `source` there."""
    me = int(s.turn)
    before = inserted_before(source, target)
    gap = 0
    while s.at[me, gap + 1] < before:
        gap += 1
    places = places_in(s, me, gap)
    room = room_in(s, me, o, gap)
    return cost(o, places, room) - cost(o, places + 1, room)


@rule
def threat(s: State, o: Outlook) -> tuple[int, int, int]:
    """C10: how many open numbers would complete another row at once, and between which numbers they lie."""
    seat = left_of(int(s.turn), s.players)
    while seat != s.turn:
        if s.n_open[seat] == ROW - 1:
            gap = 0
            while places_in(s, seat, gap) == 0:
                gap += 1
            a = int(s.shows[seat, gap])
            b = int(s.shows[seat, gap + 1])
            numbers = between(o.lying, o.lying_high, a, b)
            if numbers > 0:
                return numbers, a, b
        seat = left_of(seat, s.players)
    return 0, 0, 0


@rule
def rate(s: State, actions: Ints, n: int, ratings: Ints) -> None:
    o = look_out(s, int(s.turn))
    if s.phase != TURN:
        rate_placings(s, o, actions, n, ratings)
        return
    threats, a, b = threat(s, o)
    here = -1
    gain = 0
    for i in range(n):
        action = int(actions[i])
        if action == DRAW:
            ratings[i] = rate_draw(s, o)
        elif action < MOVE:
            tile = action - TAKE
            ratings[i] = rate_take(s, o, tile)
            if threats == 1 and (a < tile < b or a < TURNED[tile] < b):
                ratings[i] += TOO_LATE
        else:
            source = (action - MOVE) // ROW
            if source != here:  # often the same as before
                here = source
                gain = gain_here(s, o, source)
            ratings[i] = gain + gain_there(s, o, source, action - MOVE - source * ROW)
            if threats > 0:
                ratings[i] -= TOO_LATE


@rule
def turns_at_last(s: State, seat: int, o: Outlook) -> int:
    """The turns that a row with one covered place needs: a tile that lies open, luck, or first a better gap for it."""
    here = 0
    best = 0
    turns = AT_MOST
    for gap in range(s.n_open[seat] + 1):
        room = room_in(s, seat, o, gap)
        best = max(best, room.unseen)
        if places_in(s, seat, gap) > 0:
            here = room.unseen
            if room.lying:
                return 1000
        elif room.lying:
            turns = 2000
    if here > 0:
        turns = min(turns, 1000 * o.tiles // here)
    if best > 0:
        turns = min(turns, 1000 + 1000 * o.tiles // best)
    return turns


@rule
def turns_to_go(s: State, seat: int) -> int:
    """How many turns a seat can be expected to need for the rest of its row, in thousandths."""
    o = look_out(s, seat)
    if s.n_open[seat] == ROW:
        return 0
    if o.left == 1:
        return turns_at_last(s, seat, o)
    costs = 0
    for gap in range(s.n_open[seat] + 1):
        costs += cost(o, places_in(s, seat, gap), room_in(s, seat, o, gap))
    return int(TURNS[o.left]) + costs


@rule
def note_result(s: State, out: Ints) -> None:
    """C11: fewest minus points wins, equal points share the place."""
    best = 0
    winners = 0
    for seat in range(s.players):
        if s.points[seat] < s.points[best]:
            best = seat
    for seat in range(s.players):
        winners += s.points[seat] == s.points[best]
    share = WORTH // winners
    rest = WORTH - share * winners
    for seat in range(s.players):
        out[seat] = 0
        if s.points[seat] == s.points[best]:
            out[seat] = share + rest
            rest = 0


@rule
def worth(s: State, out: Ints) -> None:
    """Who is ahead in the race, minus points counted as turns; the more turns are left, the less it says."""
    if s.ended:
        note_result(s, out)
        return
    soonest = AT_MOST
    first = AT_MOST
    later = 0  # C3: a seat that comes later in the round is behind by a part of a turn
    seat = s.turn
    for _ in range(s.players):
        turns = turns_to_go(s, seat) + later
        soonest = min(soonest, turns)
        out[seat] = turns + POINT * int(s.points[seat])
        first = out[seat] if seat == s.turn else min(first, out[seat])
        later += LATER[s.players]
        seat = left_of(seat, s.players)
    luck = LUCK_AT_LAST + (soonest * LUCK_BY_TURNS >> 10)
    games = int(LUCK_OF_GAMES[min(int(s.games) - int(s.game_now) - 1, len(LUCK_OF_GAMES) - 1)])
    luck = max(luck, games) + (min(luck, games) * 424 >> 10)  # about the root of the sum of squares
    chances = 0
    for seat in range(s.players):
        out[seat] = CHANCE_BEHIND[min((out[seat] - first) * 64 // luck, len(CHANCE_BEHIND) - 1)]
        chances += out[seat]
    rest = WORTH
    for seat in range(s.players - 1, 0, -1):
        out[seat] = out[seat] * WORTH // chances
        rest -= out[seat]
    out[0] = rest


@rule
def enough(s: State, root: State, horizon: int) -> bool:
    """When a game of the match is over, or `horizon` turns have been played: `worth` then knows as much as play."""
    return s.game_now != root.game_now or (s.phase == TURN and s.turns >= root.turns + horizon)
