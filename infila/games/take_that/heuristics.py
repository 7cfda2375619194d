"""How to play Take That well.

`rate` looks at what a move leaves behind: what the row then costs, how likely the next player is to be stuck at its
right end, whether I could follow what they may place there, and which twists the move keeps, wins or gives away. Its
weights, in thousandths of a point, were fitted to what long searches found about some ten thousand moves; matches
confirmed them (docs/explanation/strength.md).
"""

from collections.abc import Sequence
from math import erf, sqrt

import numpy as np

from infila.core.contract import WORTH, Level
from infila.core.record import Ints, int64
from infila.core.rule import left_of, rule
from infila.games.take_that.rules import (
    CARDS,
    DECK,
    NUMBERS,
    PLACE,
    REACH,
    TAKE,
    TWIST,
    UNSEEN,
    State,
    can_twist,
    cost,
    is_toad,
    reach,
    round_score,
    row_cost,
    twisted,
)

SPREAD = 1000
ROUND = CARDS  # a horizon that no round reaches
LEVELS = {
    "beginner": Level(noise=8000),
    "casual": Level(noise=3000),
    "club": Level(noise=1000),
    "expert": Level(simulations=200, compared=4, curiosity=0.5, horizon=ROUND),
    "master": Level(simulations=1000, compared=4, curiosity=0.5, horizon=ROUND),
}

IS_CARD: Ints = np.array([n in DECK for n in range(NUMBERS)], np.int8)

ONE = 1 << 10  # certainty, in all that follows

LATE = 8  # cards in the pile: soon nobody will draw any more

# taking: each point of the row, by the time; a twist given up; ending the round (T7)
POINT, LATE_POINT, LAST_POINT, LOST_TWIST, ENDING = -400, -156, 77, -1907, -2226
EMPTIED = 1610  # the row twisted away
STUCK, STUCK_BY_TOAD = 2736, 1500  # the next player is stuck; and also, at a toad just placed
SPENT_TWIST = -1484  # placing a card that could have twisted one of the row
TWIN_HELD, TWIN_GIVEN = 65, -3065  # the placed card's twisted card is mine (each point), or the next player's
KEPT_TWIST = 728  # for later
CHAIN, CHAIN_POINT, LONGEST, FAR = 177, 13, 4, 121  # my cards that fit the right end; those that come near it
# without a twist in hand, each point: the next player holds something that I cannot follow; none of my cards fits
RISK, LATE_RISK, NO_CHAIN = -154, 72, -83


@rule
def unseen_by(s: State, me: int) -> int:
    """How many cards a seat has never seen."""
    total = int(s.n_pile)
    for seat in range(s.players):
        if seat != me:
            total += int(s.n_hand[seat]) + int(s.n_extra[seat])
    return total


@rule
def holds(s: State, me: int, card: int) -> int:
    """1 if a seat holds a card, else 0."""
    found = 0
    for k in range(s.n_hand[me]):
        if s.hand[me, k] == card:
            found = 1
    return found


@rule
def twists_of(s: State, me: int) -> int:
    """How many of a seat's cards can twist one out of the row."""
    count = 0
    for k in range(s.n_hand[me]):
        if can_twist(s, int(s.hand[me, k])):
            count += 1
    return count


@rule
def outlook(s: State, me: int, gone: int, end: int) -> tuple[int, int]:
    """With `end` at the right and the card `gone` no longer in my hand: how many unseen cards fit, and how many of them
    I could not follow in turn."""
    n = s.n_hand[me]
    fitting = 0
    answered = 0
    near = 0
    at = 0
    low, high = reach(end)
    for card in range(low, high + 1):
        while at < n and s.hand[me, at] < card:
            at += 1
        if at < n and s.hand[me, at] == card:
            continue
        if IS_CARD[card] and s.lies[card] == UNSEEN:
            fitting += 1
            while near < n and (s.hand[me, near] < card - REACH or s.hand[me, near] == gone):
                near += 1
            if near < n and s.hand[me, near] <= card + REACH:
                answered += 1
    return fitting, fitting - answered


@rule
def chain(s: State, me: int, gone: int, end: int) -> tuple[int, int]:
    """How many of my cards fit beside `end`, and how many come near it."""
    fitting = 0
    near = 0
    for k in range(s.n_hand[me]):
        card = int(s.hand[me, k])
        away = abs(card - end)
        if card == gone:
            continue
        if away <= REACH:
            fitting += 1
        elif away <= 2 * REACH:
            near += 1
    return fitting, near


@rule
def none_of(wanted: int, share: int, cards: int) -> int:
    """How likely it is that a hand of `cards` cards has none of the wanted ones; `share` is ONE squared, divided by the
    number of unseen cards."""
    miss = ONE - ((wanted * share) >> 10)
    likely = ONE
    for _ in range(cards):
        likely = (likely * miss) >> 10
    return likely


@rule
def rate_taking(s: State, points: int, twists: int) -> int:
    """Taking the row now, before it gets dearer."""
    rating = LOST_TWIST * twists
    if s.n_pile == 0:
        return rating + ENDING + LAST_POINT * points
    return rating + (LATE_POINT if s.n_pile < LATE else POINT) * points


@rule
def rate_row(
    s: State, me: int, gone: int, end: int, points: int, twists: int, share: int, cards: int, toad: int
) -> int:
    """What it is worth to me to leave the next player a row that costs `points`, with the card `gone` no longer in my
    hand and `twists` twists still in it."""
    fitting, lost = outlook(s, me, gone, end)
    own, near = chain(s, me, gone, end)
    stuck = none_of(fitting, share, cards)
    rating = CHAIN * own + CHAIN_POINT * min(own, LONGEST) * points + FAR * near + KEPT_TWIST * twists
    rating += (stuck * (STUCK + STUCK_BY_TOAD * toad)) >> 10
    if twists == 0:
        risk = ONE - none_of(lost, share, cards)
        rating += (risk * (LATE_RISK if s.n_pile < LATE else RISK) * points) >> 10
        if own == 0:
            rating += NO_CHAIN * points
    return rating


@rule
def rate_placing(s: State, me: int, card: int, points: int, twists: int, share: int, cards: int) -> int:
    """Placing a card, and what becomes of its twisted card."""
    twin = twisted(card)
    toad = 1 if is_toad(card) else 0
    points += cost(card)
    rating = 0
    if can_twist(s, card):
        rating = SPENT_TWIST
        twists -= 1
    elif s.lies[twin] == UNSEEN and not toad:
        rating = TWIN_HELD * points if holds(s, me, twin) else (share * cards * TWIN_GIVEN) >> 20
    return rating + rate_row(s, me, card, card, points, twists, share, cards, toad)


@rule
def rate_twisting(s: State, me: int, card: int, points: int, twists: int, share: int, cards: int) -> int:
    """Twisting: the two plus cards are the same for every twist, but the row that is left is not."""
    if s.n_row == 1:
        return EMPTIED
    end = int(s.row[s.n_row - 1])
    if end == twisted(card):
        end = int(s.row[s.n_row - 2])
    return rate_row(s, me, card, end, points - cost(twisted(card)), twists - 1, share, cards, 0)


@rule
def rate(s: State, actions: Ints, n: int, ratings: Ints) -> None:
    me = int(s.turn)
    points = row_cost(s)
    twists = twists_of(s, me)
    share = ONE * ONE // max(1, unseen_by(s, me))
    cards = int(s.n_hand[left_of(me, s.players)])
    for i in range(n):
        action = int(actions[i])
        if action == TAKE:
            ratings[i] = rate_taking(s, points, twists)
        elif action < TWIST:
            ratings[i] = rate_placing(s, me, action - PLACE, points, twists, share, cards)
        else:
            ratings[i] = rate_twisting(s, me, action - TWIST, points, twists, share, cards)


# How often a lead holds until the end: a bell curve whose width comes from self-play.
STEPS = 16  # of a standard deviation
BELL: Ints = np.array([round(ONE / 2 * (1 + erf(i / STEPS / sqrt(2)))) for i in range(4 * STEPS)])
OPENED = 3  # half points by which whoever has to follow the first card of a row is behind
PER_CARD, PER_ROUND = 13, 784  # squared points by which the lead still moves
BROAD = 20  # points: a larger lead is a little better, even at the very end
BROAD_PART = 200_000  # of WORTH


@rule
def root_of(square: int) -> int:
    """The smallest number whose square is at least this."""
    low = 0
    high = 1
    while high * high < square:
        high *= 2
    while low < high:
        middle = (low + high) // 2
        if middle * middle < square:
            low = middle + 1
        else:
            high = middle
    return low


@rule
def holding(lead: int, width: int) -> int:
    """How likely a lead is to hold to the end; width in sixteenths of its unit."""
    if width == 0:
        return ONE // 2 if lead == 0 else (ONE if lead > 0 else 0)
    at = abs(lead) * STEPS * 16 // width
    likely = BELL[at] if at < len(BELL) else ONE
    return likely if lead >= 0 else ONE - likely


@rule
def halves_of(s: State, seat: int) -> int:
    """A seat's points so far, doubled; whoever has to follow the first card of a row is a little behind."""
    if seat >= s.players:
        return int64(0)
    halves = 2 * int64(s.points[seat])
    if not s.ended:
        halves += 2 * int64(round_score(s, seat))
        if s.n_row == 1 and s.n_pile >= LATE and s.turn == seat:
            halves -= OPENED
    return halves


@rule
def likely_first(halves: Sequence[int], seat: int, players: int, width: int) -> int:
    """How likely a seat is to finish ahead of every other; each one with equal points at the end halves it."""
    likely = ONE << 10
    for other in range(players):
        if other != seat:
            likely = (likely * holding(halves[seat] - halves[other], width)) >> 10
    return likely


@rule
def leads_of(halves: Sequence[int], seat: int, players: int) -> int:
    """How far a seat is ahead of the others, ONE for each that is far behind."""
    total = 0
    for other in range(players):
        if other != seat:
            total += holding(halves[seat] - halves[other], 32 * BROAD)
    return total


@rule
def worth(s: State, out: Ints) -> None:
    """Mostly the chance of coming first, and a little the leads over each of the others."""
    halves = (halves_of(s, 0), halves_of(s, 1), halves_of(s, 2), halves_of(s, 3))
    players = int(s.players)
    width = 0
    if not s.ended:
        rounds = min(100, int(s.rounds) - int(s.round_now) - 1)
        width = root_of(1024 * (PER_CARD * int(s.n_pile) + PER_ROUND * rounds))
    total = 0
    for seat in range(players):
        total += likely_first(halves, seat, players, width)
    pairs = players * (players - 1) // 2 * ONE
    rest = WORTH
    for seat in range(players):
        out[seat] = likely_first(halves, seat, players, width) * (WORTH - BROAD_PART) // total
        out[seat] += leads_of(halves, seat, players) * BROAD_PART // pairs
        rest -= out[seat]
    out[players - 1] += rest


@rule
def enough(s: State, root: State, horizon: int) -> bool:
    """When the round is over, or `horizon` cards have been drawn and a row has just been opened."""
    if s.round_now != root.round_now:
        return True
    return s.n_row == 1 and s.n_pile >= LATE and int(root.n_pile) - int(s.n_pile) >= horizon
