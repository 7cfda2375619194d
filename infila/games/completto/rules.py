"""Completto: the rules (C1 …), each written once.

What is known (C13). Everybody, seats and spectators alike, knows every open tile in the rows and in the middle, with
its own number and the one it shows, the tile in hand, how many covered tiles lie in the middle, and where covered tiles
stand in the rows. Nobody knows what the covered tiles are. A tile once turned up stays open, so the covered tiles in
rows and middle are exactly those that nobody has ever seen, and nobody can tell them apart.

A row is kept as its tiles (`row`, covered ones too) and as the list of its open ones: `at` are their places, `shows`
their numbers. Both ascend and lie between two bounds, so that *gap* g lies between entries g and g + 1. Places count
from 0 here.
"""

import numpy as np

from infila.core.bits import lowest_bit
from infila.core.chance import Chance, mix_in, random_below, seed, shuffle
from infila.core.record import I1, I2, I4, I8, Grid, Ints, array, int64
from infila.core.rule import left_of, rule

FEWEST, SEATS = 2, 4  # players
TILES = 100  # C1
LAID = 17  # C2: covered tiles at the start
ROW = 22  # C2, C10: tiles of a row once the start is over, and open tiles of one that is complete
CAP = 1000  # C12: turns
BELOW, ABOVE = -1, TILES + 2  # the bounds of `shows`; not 0 and 101, which would pair with 1 and 100

START, TURN, PLACING = PHASES = (0, 1, 2)

# C9: what a tile reads upside down; itself if nothing else
TURNED: Ints = np.arange(TILES + 1, dtype=np.int8)
for _one, _other in ((6, 9), (16, 91), (18, 81), (19, 61), (66, 99), (68, 89), (86, 98)):
    TURNED[_one], TURNED[_other] = _other, _one

# a set of numbers is two words: number n is bit n % BITS of word n // BITS
BITS = 51
TURNABLE: Ints = np.array(
    [sum(1 << n % BITS for n in range(TILES + 1) if TURNED[n] != n and n // BITS == w) for w in (0, 1)]
)

# actions: PLACE + turned * ROW + place, DRAW, TAKE + tile, MOVE + from * ROW + to
PLACE, DRAW, TAKE = 0, 2 * ROW, 2 * ROW + 1
MOVE = TAKE + TILES + 1
ACTIONS = MOVE + ROW * ROW
MAX_LEGAL = 1 + (TILES - FEWEST * ROW) + (ROW // 2) ** 2  # draw, the whole middle, and from 11 gaps to 11 others
KINDS: tuple[str, ...] = ("place", "draw", "take", "move")
KIND_FIRST = np.array([PLACE, DRAW, TAKE, MOVE, ACTIONS])
KIND_WEIGHT = np.array([1, 1, 1, 1])


class State(Chance):
    """A whole game."""

    lying: Ints = array(I8, 2)  # the open tiles of the middle, a set of their own numbers
    games: I4
    game_now: I4  # from 0
    points: Ints = array(I4, SEATS)  # minus points of the games that have ended
    turns: I2
    players: I1
    chosen_first: I1
    starter: I1
    turn: I1  # the seat on turn
    phase: I1
    ended: I1  # the match is over
    hand: I1
    n_covered: I1
    covered: Ints = array(I1, TILES)  # the covered tiles of the middle, drawn from the end
    n_open: Ints = array(I1, SEATS)
    row: Grid = array(I1, SEATS, ROW)
    at: Grid = array(I1, SEATS, ROW + 2)
    shows: Grid = array(I1, SEATS, ROW + 2)


@rule
def gap_of(s: State, seat: int, number: int) -> int:
    """The gap of a row into which a number belongs; its right end may show this very number."""
    shows = s.shows[seat]
    gap = 0
    while shows[gap + 1] < number:
        gap += 1
    return gap


@rule
def places_for(s: State, seat: int, gap: int, number: int) -> tuple[int, int]:
    """C6: the places of its gap where a number keeps the row ascending: the first, and the one after the last.

    It takes the place of a covered tile (C4); in the start it is inserted, right before the next open tile, too (C2).
    """
    if s.shows[seat, gap + 1] == number:
        return 0, 0
    end = int(s.at[seat, gap + 1])
    if s.phase == START:
        end += 1
    return int(s.at[seat, gap]) + 1, end


@rule
def fits(s: State, seat: int, number: int) -> bool:
    """C4, C6: whether there is a place for a number."""
    first, end = places_for(s, seat, gap_of(s, seat, number), number)
    return first < end


@rule
def fitting_numbers(s: State, seat: int) -> tuple[int, int]:
    """C6: all numbers that can take the place of a covered tile, as a set."""
    at = s.at[seat]
    shows = s.shows[seat]
    low = 0
    high = 0
    for gap in range(s.n_open[seat] + 1):
        if at[gap + 1] - at[gap] > 1:
            first = int(shows[gap]) + 1
            end = int(shows[gap + 1])
            if end <= BITS:
                low |= (1 << end) - (1 << first)
            elif first >= BITS:
                high |= (1 << end - BITS) - (1 << first - BITS)
            else:
                low |= (1 << BITS) - (1 << first)
                high |= (1 << end - BITS) - 1
    return low, high


@rule
def numbers_between(a: int, b: int) -> tuple[int, int]:
    """C6: the lowest and the highest number that may stand between two open ones, or a bound of the row."""
    return max(a + 1, 1), min(b - 1, TILES)


@rule
def is_pair(place: int, number: int, next_place: int, next_number: int) -> bool:
    """C8: whether two open tiles, the left one first, stand side by side and show numbers that follow each other."""
    return next_place == place + 1 and next_number == number + 1


@rule
def inserted_before(source: int, target: int) -> int:
    """C5: the place, in the row as it was, of the tile before which a covered tile is put to lie at `target`."""
    return target + (source < target)


@rule
def minus_points(opened: int) -> int:
    """C11: what a row with `opened` open tiles costs at the end of a game."""
    return ROW - opened


@rule
def is_finished(opened: int, turns: int) -> bool:
    """C10, C12: whether a game ends after `turns` turns, with `opened` open tiles in the row that was played on."""
    return opened == ROW or turns == CAP


@rule
def draw(s: State) -> int:
    """The next covered tile of the middle."""
    s.n_covered -= 1
    tile = s.covered[s.n_covered]
    s.covered[s.n_covered] = 0
    return tile


@rule
def lay(s: State, seat: int, gap: int, place: int, tile: int, number: int) -> None:
    """Lay a tile open at its place; it splits its gap."""
    at = s.at[seat]
    shows = s.shows[seat]
    for k in range(s.n_open[seat] + 2, gap + 1, -1):
        at[k] = at[k - 1]
        shows[k] = shows[k - 1]
    at[gap + 1] = place
    shows[gap + 1] = number
    s.n_open[seat] += 1
    s.row[seat, place] = tile


@rule
def deal_game(s: State) -> None:
    """C1, C2: 17 covered tiles each; the starting player turns up the first tile of the start."""
    s.lying[:] = 0
    s.turns = 0
    s.row[:] = 0
    s.at[:] = 0
    s.shows[:] = 0
    s.n_open[:] = 0
    for i in range(TILES):
        s.covered[i] = i + 1
    s.n_covered = TILES
    shuffle(s, s.covered, TILES)
    seat = s.starter
    for _ in range(s.players):
        for place in range(LAID):
            s.row[seat, place] = draw(s)
        s.at[seat, 0] = -1
        s.at[seat, 1] = LAID
        s.shows[seat, 0] = BELOW
        s.shows[seat, 1] = ABOVE
        seat = left_of(seat, s.players)
    s.turn = s.starter
    s.phase = START
    s.hand = draw(s)


@rule
def deal(s: State) -> None:
    s.starter = s.chosen_first if s.chosen_first >= 0 else random_below(s, s.players)
    deal_game(s)


@rule
def legal_places(s: State, out: Ints, n: int, number: int, first_action: int) -> int:
    """C6: where the tile in hand, used as this number, keeps the row ascending."""
    first, end = places_for(s, s.turn, gap_of(s, s.turn, number), number)
    for place in range(first, end):
        out[n] = first_action + place
        n += 1
    return n


@rule
def legal_takes(s: State, out: Ints, n: int) -> int:
    """C4, C7, C16: the open tiles of the middle that fit either way up."""
    if s.lying[0] | s.lying[1] == 0:
        return n
    low, high = fitting_numbers(s, int64(s.turn))
    for word in range(2):
        straight = int(s.lying[word]) & (high if word else low)
        bits = straight
        turnable = int(s.lying[word]) & int(TURNABLE[word]) & ~straight
        while turnable:
            bit = turnable & -turnable
            turnable ^= bit
            number = int(TURNED[word * BITS + lowest_bit(bit)])
            if ((high >> (number - BITS)) if number >= BITS else (low >> number)) & 1:
                bits |= bit
        while bits:
            bit = bits & -bits
            bits ^= bit
            out[n] = TAKE + word * BITS + lowest_bit(bit)
            n += 1
    return n


@rule
def legal_moves(s: State, out: Ints, n: int) -> int:
    """C5, C18: from every gap with a covered tile to every other gap, each with its standard text."""
    at = s.at[s.turn]
    gaps = int(s.n_open[s.turn]) + 1
    for source in range(gaps):
        if at[source + 1] - at[source] > 1:
            base = MOVE + (int(at[source]) + 1) * ROW
            for target in range(source):  # indices, not a count, so that the compiler writes many at a time
                out[n + target] = base + 1 + int(at[target])
            for target in range(source + 1, gaps):  # the open tile before this gap moves left
                out[n + target - 1] = base + int(at[target])
            n += gaps - 1
    return n


@rule
def legal(s: State, out: Ints) -> int:
    n = 0
    if s.ended:
        return n
    if s.phase != TURN:
        tile = s.hand
        n = legal_places(s, out, n, tile, PLACE)
        if TURNED[tile] != tile:  # C9
            n = legal_places(s, out, n, TURNED[tile], PLACE + ROW)
        return n
    if s.n_covered > 0:  # C12
        out[n] = DRAW
        n += 1
    n = legal_takes(s, out, n)
    return legal_moves(s, out, n)


@rule
def scores(s: State, out: Ints) -> None:
    for seat in range(s.players):
        out[seat] = -s.points[seat]


@rule
def insert(s: State, place: int, tile: int, number: int) -> None:
    """C2, C14: insert a tile of the start; then comes the next one, the next seat's, or the first turn."""
    me = s.turn
    end = s.at[me, s.n_open[me] + 1]
    for p in range(end, place, -1):
        s.row[me, p] = s.row[me, p - 1]
    for k in range(1, s.n_open[me] + 2):
        if s.at[me, k] >= place:
            s.at[me, k] += 1
    lay(s, me, gap_of(s, me, number), place, tile, number)
    s.hand = 0
    if end + 1 == ROW:
        s.turn = left_of(me, s.players)
        if s.turn == s.starter:
            s.phase = TURN
            return
    s.hand = draw(s)


@rule
def exchange(s: State, place: int, tile: int, number: int) -> bool:
    """C4: swap the tile in hand for a covered one; return whether it makes a pair, which earns another turn (C8)."""
    me = s.turn
    mix_in(s, s.covered, s.n_covered, s.row[me, place])
    s.n_covered += 1
    gap = gap_of(s, me, number)
    lay(s, me, gap, place, tile, number)
    s.hand = 0
    s.phase = TURN
    after_smaller = is_pair(s.at[me, gap], s.shows[me, gap], place, number)
    before_greater = is_pair(place, number, s.at[me, gap + 2], s.shows[me, gap + 2])
    return after_smaller or before_greater


@rule
def move_covered(s: State, source: int, target: int) -> None:
    """C5: take the covered tile out and insert it so that it lies at `target`; the others close up."""
    me = s.turn
    step = 1 if source < target else -1
    row = s.row[me]
    at = s.at[me]
    tile = row[source]
    for place in range(source, target, step):
        row[place] = row[place + step]
    row[target] = tile
    for k in range(1, s.n_open[me] + 1):
        place = at[k]  # no branches here: nobody can predict them
        at[k] = place + ((target <= place) & (place < source)) - ((source < place) & (place <= target))


@rule
def carry_out(s: State, action: int) -> bool:
    """Carry out an action; return whether it ends the game. What follows then is up to `finish_game`."""
    me = s.turn
    again = False
    if action < DRAW:
        turned = action >= PLACE + ROW
        place = action - PLACE - (ROW if turned else 0)
        number = TURNED[s.hand] if turned else s.hand
        if s.phase == START:
            insert(s, place, s.hand, number)
            return False
        again = exchange(s, place, s.hand, number)
    elif action == DRAW:
        tile = int(draw(s))
        if fits(s, me, tile) or fits(s, me, TURNED[tile]):
            s.hand = tile
            s.phase = PLACING
            return False
        s.lying[tile // BITS] |= 1 << tile % BITS  # C7
    elif action < MOVE:
        tile = int(action) - TAKE
        s.lying[tile // BITS] ^= 1 << tile % BITS
        s.hand = tile
        s.phase = PLACING
        return False
    else:
        source = (action - MOVE) // ROW
        move_covered(s, source, action - MOVE - source * ROW)
    s.turns += 1
    if is_finished(s.n_open[me], s.turns):
        return True
    if not again:
        s.turn = left_of(me, s.players)
    return False


@rule
def finish_game(s: State) -> None:
    """C11: note the minus points; the start moves left (C3), or the match is over."""
    for seat in range(s.players):
        s.points[seat] += minus_points(s.n_open[seat])
    if s.game_now + 1 == s.games:
        s.ended = 1
    else:
        s.game_now += 1
        s.starter = left_of(s.starter, s.players)
        deal_game(s)


@rule
def play(s: State, action: int) -> None:
    if carry_out(s, action):
        finish_game(s)


@rule
def hide(s: State, viewer: int) -> None:
    seed(s, 0, 0)
    s.covered[:] = 0
    for seat in range(s.players):
        for gap in range(s.n_open[seat] + 1):
            for place in range(s.at[seat, gap] + 1, s.at[seat, gap + 1]):
                s.row[seat, place] = 0


@rule
def redraw(s: State, viewer: int, key0: int, key1: int) -> None:
    """C13: shuffle all tiles that were never seen, and lay them out anew."""
    hide(s, viewer)
    seed(s, key0, key1)
    unseen = 0
    for word in range(2):
        seen = int(s.lying[word])
        if s.hand // BITS == word:
            seen |= 1 << int(s.hand) % BITS
        for seat in range(s.players):
            for k in range(1, s.n_open[seat] + 1):
                tile = int(s.row[seat, s.at[seat, k]])
                if tile // BITS == word:
                    seen |= 1 << tile % BITS
        for tile in range(max(word * BITS, 1), min(word * BITS + BITS, TILES + 1)):
            if not (seen >> (tile - word * BITS)) & 1:
                s.covered[unseen] = tile
                unseen += 1
    size = s.n_covered
    shuffle(s, s.covered, unseen)
    s.n_covered = unseen
    for seat in range(s.players):
        for gap in range(s.n_open[seat] + 1):
            for place in range(s.at[seat, gap] + 1, s.at[seat, gap + 1]):
                s.row[seat, place] = draw(s)
    s.n_covered = size  # what is left: as many as before
