"""Why a move of Take That is good or bad, from the view of the seat that acts."""

from collections.abc import Iterator

from infila.core.contract import Reason
from infila.core.record import plain
from infila.games.take_that.rules import (
    DECK,
    PLACE,
    ROW,
    TAKE,
    TWIST,
    UNSEEN,
    State,
    brings_extra,
    fits,
    is_toad,
    twisted,
)
from infila.games.take_that.scoring import cost_of

MOST = 4  # reasons for one move
CHEAP = 3  # points: a row that may be worth taking early
EASY = 10  # times of 100 the next player has nothing that fits; below that it is easy to follow
STUCK = ("next_has_none", "next_has_none_one", "nobody_can_follow", "nobody_can_follow_one")  # the row is taken next


class Table:
    """What the seat on turn sees and can count."""

    def __init__(self, s: State) -> None:
        p = plain(s)
        self.me: int = p.turn
        self.row: list[int] = p.row[: p.n_row]
        self.hand: list[int] = p.hand[self.me][: p.n_hand[self.me]]
        self.pile: int = p.n_pile
        self.brings_extra = brings_extra(s)
        self.lies: list[int] = p.lies
        known = {*self.hand, *p.extra[self.me][: p.n_extra[self.me]]}
        self.unseen = [int(card) for card in DECK if p.lies[card] == UNSEEN and int(card) not in known]
        self.next_cards: int = p.n_hand[(self.me + 1) % p.players]
        self.other_cards = sum(p.n_hand[: p.players]) - len(self.hand)
        self.twists = [card for card in self.hand if p.lies[twisted(card)] == ROW]

    def none_of(self, wanted: int) -> float:
        """How many times of 100 the next player holds none of `wanted` unseen cards; 0 only if that is impossible."""
        chance = 100.0
        for i in range(self.next_cards):
            chance *= max(0, len(self.unseen) - wanted - i) / max(1, len(self.unseen) - i)
        return chance


def reasons(s: State, action: int) -> list[Reason]:
    """What a strong player would say about a move, the most important first."""
    table = Table(s)
    if action == TAKE:
        found = _of_taking(table)
    elif action >= TWIST:
        found = _of_twisting(table, action - TWIST)
    else:
        found = _of_placing(table, action - PLACE)
    return list(found)[:MOST]


def _reason(key: str, **values: int) -> Reason:
    return Reason(key, values)


def _counted(key: str, count: int, **values: int) -> Reason:
    """A reason about one thing, or about several."""
    return Reason(key + "_one" if count == 1 else key, {"count": count, **values})


def _near(card: int, cards: list[int]) -> list[int]:
    """Those that may be placed beside a card."""
    return [other for other in cards if fits(other, card)]


def _of_taking(table: Table) -> Iterator[Reason]:
    points = cost_of(table.row)
    forced = not table.twists and not _near(table.row[-1], table.hand)
    if forced:
        yield _reason("forced")
    if table.brings_extra:
        yield _counted("costs_extra", points)
    elif 1 < points <= CHEAP and not forced and table.pile > 0:
        yield _reason("still_cheap", count=points)
    else:
        yield _counted("costs", points)
    if table.pile == 0:
        yield _reason("ends_round")
    for card in table.twists[:1]:
        yield _reason("gives_up_twist", card=card, other=twisted(card))
    if table.pile > 0:
        yield _reason("opens_anew")


def _of_twisting(table: Table, card: int) -> Iterator[Reason]:
    other = twisted(card)
    yield _reason("wins_pair", card=card, other=other)
    left = [placed for placed in table.row if placed != other]
    if not left:
        yield _reason("empties_row_at_the_end" if table.pile == 0 else "empties_row")
        return
    if table.row[-1] == other:
        yield _reason("uncovers", card=left[-1])
    if not _near(table.row[-1], table.hand):
        yield _reason("saves_from_taking", points=cost_of(table.row))
    following = _of_the_next(table, left)
    yield following
    if following.key not in STUCK:
        yield from _of_kept_twists(table, [kept for kept in table.twists if kept != card])


def _of_placing(table: Table, card: int) -> Iterator[Reason]:
    row = [*table.row, card]
    hand = [kept for kept in table.hand if kept != card]
    if card in table.twists:
        yield _reason("wastes_twist", card=card, other=twisted(card))
    if is_toad(card):
        yield _reason("toad_in_row", card=card, points=cost_of(row))
    if table.row and not table.twists and not table.brings_extra and _near(table.row[-1], table.hand) == [card]:
        yield _counted("only_card", cost_of(table.row), card=card)
    following = _of_the_next(table, row)
    yield following
    if following.key not in STUCK:
        yield from _of_a_row_that_stays(table, row, hand)


def _of_a_row_that_stays(table: Table, row: list[int], hand: list[int]) -> Iterator[Reason]:
    """What a card just placed means if somebody goes on with the row."""
    card = row[-1]
    yield from _of_the_twin(table, card)
    if fitting := len(_near(card, hand)):
        yield _counted("can_follow", fitting)
    elif hand:
        yield _reason("cannot_follow", card=card)
    if table.row and not is_toad(card) and any(is_toad(kept) for kept in _near(table.row[-1], hand)):
        yield _reason("keeps_toad")
    yield from _of_kept_twists(table, [kept for kept in table.twists if kept != card])
    if table.row and not is_toad(card):
        yield _reason("row_costs", points=cost_of(row))


def _of_the_next(table: Table, row: list[int]) -> Reason:
    """Whether the next player can go on with a row."""
    fitting = len(_near(row[-1], table.unseen))
    twisting = len([card for card in table.unseen if twisted(card) in row])
    if table.next_cards == 0:
        return _counted("next_has_none", cost_of(row))
    if fitting:
        return _of_following(row[-1], fitting, table.none_of(fitting))
    if not twisting:
        return _counted("nobody_can_follow", cost_of(row))
    if none := table.none_of(twisting):
        return _reason("only_a_twist_helps", card=row[-1], percent=_percent(none))
    return _reason("sure_to_twist", card=row[-1])


def _of_following(card: int, fitting: int, none: float) -> Reason:
    """How hard it is for the next player to place a card, given how many times of 100 they have none that fits."""
    if none == 0:
        return _counted("sure_to_follow", fitting, card=card)
    if none < EASY and fitting > 1:
        return _reason("easy_to_follow", card=card, count=fitting)
    return _counted("hard_to_follow", fitting, card=card, percent=_percent(none))


def _percent(chance: float) -> int:
    """Rounded, but nothing is called certain that is not."""
    return min(max(round(chance), 1), 99)


def _of_the_twin(table: Table, card: int) -> Iterator[Reason]:
    """T5: who can twist the placed card away."""
    twin = twisted(card)
    if is_toad(card) or table.lies[twin] == ROW:
        return
    if twin in table.hand:
        yield _reason("prepares_twist", card=twin, other=card)
    elif twin not in table.unseen or not table.other_cards:
        yield _reason("cannot_be_twisted", card=twin)
    elif table.other_cards == len(table.unseen):
        yield _reason("surely_twisted", card=twin)
    else:
        yield _reason("may_be_twisted", card=twin, percent=_percent(100 * table.other_cards / len(table.unseen)))


def _of_kept_twists(table: Table, twists: list[int]) -> Iterator[Reason]:
    for card in twists[:1]:
        yield _reason("keeps_twist", card=card, other=twisted(card))
