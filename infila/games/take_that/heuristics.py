"""How to play Take That well.

`rate` looks at what a move leaves behind: what the row then costs, how likely the next player is stuck before its right
end, whether I could follow what he may place there, and which twists it keeps, wins or gives away. Its weights, in
thousandths of a point, were fitted to what long searches found out about some ten thousand moves; matches confirmed
them (docs/strength.md).
"""

from math import erf, sqrt
from typing import Any

import numpy as np

from infila.core.contract import WORTH, Level
from infila.core.record import int64
from infila.core.rule import left_of, rule
from infila.games.take_that.rules import DECK, NUMBERS, ROW, TAKE, TWIST, UNSEEN, is_toad, round_score, twisted

SPREAD = 1000
ROUND = len(DECK)  # a horizon that no round reaches
LEVELS = {
    "beginner": Level(noise=8000),
    "casual": Level(noise=3000),
    "club": Level(noise=1000),
    "expert": Level(simulations=200, compared=4, curiosity=0.5, horizon=ROUND),
    "master": Level(simulations=1000, compared=4, curiosity=0.5, horizon=ROUND),
}

LOWEST, HIGHEST, REACH = 12, 98, 10  # T1, T4
IS_CARD = np.array([n in DECK for n in range(NUMBERS)], np.int8)

ONE = 1 << 10  # certainty, in all that follows

LATE = 8  # cards in the pile: soon nobody draws any more

# taking: each point of the row, by the time; a twist given up; ending the round (T7)
POINT, LATE_POINT, LAST_POINT, LOST_TWIST, ENDING = -400, -156, 77, -1907, -2226
EMPTIED = 1610  # the row twisted away
STUCK, STUCK_BY_TOAD = 2736, 1500  # the next player is; and before a toad just placed, besides
SPENT_TWIST = -1484  # placing a card that could have twisted one of the row
TWIN_HELD, TWIN_GIVEN = 65, -3065  # the placed card's twisted card is mine (each point), or the next player's
KEPT_TWIST = 728  # for later
CHAIN, CHAIN_POINT, LONGEST, FAR = 177, 13, 4, 121  # my cards that fit the right end; that come near it
# with no twist in hand, each point: he holds something that I cannot follow; none of my cards fits
RISK, LATE_RISK, NO_CHAIN = -154, 72, -83


@rule
def price(s: Any) -> Any:
    """T8: what taking the row costs."""
    total = 0
    for i in range(s.n_row):
        total += 5 if is_toad(s.row[i]) else 1
    return total


@rule
def unseen_by(s: Any, me: Any) -> Any:
    """How many cards a seat has never seen."""
    total = int(s.n_pile)
    for seat in range(s.players):
        if seat != me:
            total += int(s.n_hand[seat]) + int(s.n_extra[seat])
    return total


@rule
def holds(s: Any, me: Any, card: Any) -> Any:
    found = 0
    for k in range(s.n_hand[me]):
        if s.hand[me, k] == card:
            found = 1
    return found


@rule
def twists_of(s: Any, me: Any) -> Any:
    """T5: how many of a seat's cards twist one of the row away."""
    count = 0
    for k in range(s.n_hand[me]):
        if s.lies[twisted(int(s.hand[me, k]))] == ROW:
            count += 1
    return count


@rule
def outlook(s: Any, me: Any, gone: Any, end: Any) -> Any:
    """With `end` at the right and a card gone from my hand: the unseen cards that fit (T4), and those of them that I
    could not follow in turn."""
    n = s.n_hand[me]
    fitting = 0
    answered = 0
    near = 0
    at = 0
    for card in range(max(LOWEST, end - REACH), min(HIGHEST, end + REACH) + 1):
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
def chain(s: Any, me: Any, gone: Any, end: Any) -> Any:
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
def none_of(wanted: Any, share: Any, cards: Any) -> Any:
    """How likely a hand of so many cards has none of the wanted ones; share: ONE squared by the number of unseen."""
    miss = ONE - ((wanted * share) >> 10)
    likely = ONE
    for _ in range(cards):
        likely = (likely * miss) >> 10
    return likely


@rule
def rate_taking(s: Any, cost: Any, twists: Any) -> Any:
    """T6: now, before it gets dearer."""
    rating = LOST_TWIST * twists
    if s.n_pile == 0:
        return rating + ENDING + LAST_POINT * cost
    return rating + (LATE_POINT if s.n_pile < LATE else POINT) * cost


@rule
def rate_row(s: Any, me: Any, gone: Any, end: Any, cost: Any, twists: Any, share: Any, cards: Any, toad: Any) -> Any:
    """What a row is worth to me that the next player finds, with a card gone from my hand and so many twists in it."""
    fitting, lost = outlook(s, me, gone, end)
    own, near = chain(s, me, gone, end)
    stuck = none_of(fitting, share, cards)
    rating = CHAIN * own + CHAIN_POINT * min(own, LONGEST) * cost + FAR * near + KEPT_TWIST * twists
    rating += (stuck * (STUCK + STUCK_BY_TOAD * toad)) >> 10
    if twists == 0:
        risk = ONE - none_of(lost, share, cards)
        rating += (risk * (LATE_RISK if s.n_pile < LATE else RISK) * cost) >> 10
        if own == 0:
            rating += NO_CHAIN * cost
    return rating


@rule
def rate_placing(s: Any, me: Any, card: Any, cost: Any, twists: Any, share: Any, cards: Any) -> Any:
    """T4, and what becomes of the card's twisted card (T5)."""
    twin = twisted(card)
    toad = 1 if is_toad(card) else 0
    rating = 0
    if s.lies[twin] == ROW:
        rating = SPENT_TWIST
        twists -= 1
    elif s.lies[twin] == UNSEEN and not toad:
        rating = TWIN_HELD * (cost + 1) if holds(s, me, twin) else (share * cards * TWIN_GIVEN) >> 20
    return rating + rate_row(s, me, card, card, cost + 1 + 4 * toad, twists, share, cards, toad)


@rule
def rate_twisting(s: Any, me: Any, card: Any, cost: Any, twists: Any, share: Any, cards: Any) -> Any:
    """T5: the two points are the same for every twist, the row that is left is not."""
    if s.n_row == 1:
        return EMPTIED
    end = int(s.row[s.n_row - 1])
    if end == twisted(card):
        end = int(s.row[s.n_row - 2])
    return rate_row(s, me, card, end, cost - 1, twists - 1, share, cards, 0)


@rule
def rate(s: Any, actions: Any, n: Any, ratings: Any) -> None:
    me = int(s.turn)
    cost = price(s)
    twists = twists_of(s, me)
    share = ONE * ONE // max(1, unseen_by(s, me))
    cards = int(s.n_hand[left_of(me, s.players)])
    for i in range(n):
        action = int(actions[i])
        if action == TAKE:
            ratings[i] = rate_taking(s, cost, twists)
        elif action < TWIST:
            ratings[i] = rate_placing(s, me, action, cost, twists, share, cards)
        else:
            ratings[i] = rate_twisting(s, me, action - TWIST, cost, twists, share, cards)


# How often a lead holds until the end: a bell curve, its width from self-play.
STEPS = 16  # of a standard deviation
BELL = np.array([round(ONE / 2 * (1 + erf(i / STEPS / sqrt(2)))) for i in range(4 * STEPS)])
OPENED = 3  # half points
PER_CARD, PER_ROUND = 13, 784  # squared points that the lead still moves
BROAD = 20  # points: a lead is a little better the larger it is, also at the very end
BROAD_PART = 200_000  # of WORTH


@rule
def root_of(square: Any) -> Any:
    """The least number whose square is at least so much."""
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
def holding(lead: Any, width: Any) -> Any:
    """How likely a lead is still one in the end; width in sixteenths of its unit."""
    if width == 0:
        return ONE // 2 if lead == 0 else (ONE if lead > 0 else 0)
    at = abs(lead) * STEPS * 16 // width
    likely = BELL[at] if at < len(BELL) else ONE
    return likely if lead >= 0 else ONE - likely


@rule
def halves_of(s: Any, seat: Any) -> Any:
    """A seat's points so far, doubled; who has to follow the first card of a row is a little behind."""
    if seat >= s.players:
        return int64(0)
    halves = 2 * int64(s.points[seat])
    if not s.ended:
        halves += 2 * int64(round_score(s, seat))
        if s.n_row == 1 and s.n_pile >= LATE and s.turn == seat:
            halves -= OPENED
    return halves


@rule
def first(halves: Any, seat: Any, players: Any, width: Any) -> Any:
    """How likely a seat keeps or overtakes every other; equal points at the end halve it."""
    likely = ONE << 10
    for other in range(players):
        if other != seat:
            likely = (likely * holding(halves[seat] - halves[other], width)) >> 10
    return likely


@rule
def better(halves: Any, seat: Any, players: Any) -> Any:
    """How far a seat is above the others, ONE for each that is far below."""
    total = 0
    for other in range(players):
        if other != seat:
            total += holding(halves[seat] - halves[other], 32 * BROAD)
    return total


@rule
def worth(s: Any, out: Any) -> None:
    """Mostly the chance to be first, a little the leads over each of the others."""
    halves = (halves_of(s, 0), halves_of(s, 1), halves_of(s, 2), halves_of(s, 3))
    players = int(s.players)
    width = 0
    if not s.ended:
        rounds = min(100, int(s.rounds) - int(s.round_now) - 1)
        width = root_of(1024 * (PER_CARD * int(s.n_pile) + PER_ROUND * rounds))
    total = 0
    for seat in range(players):
        total += first(halves, seat, players, width)
    pairs = players * (players - 1) // 2 * ONE
    rest = WORTH
    for seat in range(players):
        out[seat] = first(halves, seat, players, width) * (WORTH - BROAD_PART) // total
        out[seat] += better(halves, seat, players) * BROAD_PART // pairs
        rest -= out[seat]
    out[players - 1] += rest


@rule
def enough(s: Any, root: Any, horizon: Any) -> Any:
    """The round is over, or so many cards have been drawn and a row has just been opened."""
    if s.round_now != root.round_now:
        return True
    return s.n_row == 1 and s.n_pile >= LATE and int(root.n_pile) - int(s.n_pile) >= horizon
