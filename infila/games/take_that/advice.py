"""Why a move of Take That is good or bad, from the view of the seat that acts."""

from collections.abc import Iterator
from typing import Any

from infila.core.contract import Reason
from infila.core.rule import plain
from infila.games.take_that.rules import DECK, ROW, TAKE, TWIST, UNSEEN, is_toad, twisted

MOST = 4  # reasons for one move
REACH = 10  # T4
CHEAP = 3  # points: a row that may be worth taking early
EASY = 8  # unseen cards that fit: somebody will follow


class Table:
    """What the seat on turn sees and can count."""

    def __init__(self, s: Any) -> None:
        p = plain(s)
        self.me: int = p.turn
        self.row: list[int] = p.row[: p.n_row]
        self.hand: list[int] = p.hand[self.me][: p.n_hand[self.me]]
        self.pile: int = p.n_pile
        self.expert = bool(p.expert)
        self.lies: list[int] = p.lies
        known = {*self.hand, *p.extra[self.me][: p.n_extra[self.me]]}
        self.unseen = [int(card) for card in DECK if p.lies[card] == UNSEEN and int(card) not in known]
        self.next_cards: int = p.n_hand[(self.me + 1) % p.players]
        self.other_cards = sum(p.n_hand[: p.players]) - len(self.hand)
        self.twists = [card for card in self.hand if p.lies[twisted(card)] == ROW]

    def none_of(self, wanted: int) -> int:
        """Of 100 times, how often the next player holds none of so many unseen cards."""
        chance = 1.0
        for i in range(self.next_cards):
            chance *= max(0, len(self.unseen) - wanted - i) / max(1, len(self.unseen) - i)
        return round(100 * chance)


def reasons(s: Any, action: int) -> list[Reason]:
    """What a strong player would say of a move, the most important first."""
    table = Table(s)
    if action == TAKE:
        found = _of_taking(table)
    elif action >= TWIST:
        found = _of_twisting(table, action - TWIST)
    else:
        found = _of_placing(table, action)
    return list(found)[:MOST]


def _reason(key: str, **values: int) -> Reason:
    return Reason(key, values)


def _counted(key: str, count: int, **values: int) -> Reason:
    """A reason that speaks of one thing, or of several."""
    return Reason(key + "_one" if count == 1 else key, {"count": count, **values})


def _price(row: list[int]) -> int:
    """T8"""
    return sum(5 if is_toad(card) else 1 for card in row)


def _near(card: int, cards: list[int]) -> list[int]:
    """T4: those that may be placed beside a card."""
    return [other for other in cards if abs(other - card) <= REACH]


def _of_taking(table: Table) -> Iterator[Reason]:
    points = _price(table.row)
    if not table.twists and not _near(table.row[-1], table.hand):
        yield _reason("forced")
    yield _counted("costs", points)
    if table.pile == 0:
        yield _reason("ends_round")
    elif table.expert and len(table.row) == 1:
        yield _reason("extra_card")
    elif points <= CHEAP:
        yield _reason("still_cheap")
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
        yield _reason("saves_from_taking", points=_price(table.row))
    yield from _of_the_next(table, left)
    yield from _of_kept_twists(table, [kept for kept in table.twists if kept != card])


def _of_placing(table: Table, card: int) -> Iterator[Reason]:
    row = [*table.row, card]
    hand = [kept for kept in table.hand if kept != card]
    if card in table.twists:
        yield _reason("wastes_twist", card=card, other=twisted(card))
    if is_toad(card):
        yield _reason("toad_in_row", card=card, points=_price(row))
    yield from _of_the_next(table, row)
    yield from _of_the_twin(table, card)
    following = len(_near(card, hand))
    if following:
        yield _counted("can_follow", following)
    elif table.pile > 0 or hand:
        yield _reason("cannot_follow", card=card)
    if table.row and not is_toad(card) and any(is_toad(kept) for kept in _near(table.row[-1], hand)):
        yield _reason("keeps_toad")
    yield from _of_kept_twists(table, [kept for kept in table.twists if kept != card])
    if table.row and not is_toad(card):
        yield _reason("row_costs", points=_price(row))


def _of_the_next(table: Table, row: list[int]) -> Iterator[Reason]:
    """Whether the next player can go on with a row."""
    fitting = len(_near(row[-1], table.unseen))
    twisting = len([card for card in table.unseen if twisted(card) in row])
    if fitting == 0 and twisting == 0:
        yield _counted("nobody_can_follow", _price(row))
    elif fitting == 0:
        yield _reason("only_a_twist_helps", card=row[-1])
    elif fitting < EASY:
        yield _counted("hard_to_follow", fitting, card=row[-1], percent=table.none_of(fitting))
    else:
        yield _reason("easy_to_follow", card=row[-1], count=fitting)


def _of_the_twin(table: Table, card: int) -> Iterator[Reason]:
    """T5: who can twist the placed card away."""
    twin = twisted(card)
    if is_toad(card):
        return
    if twin in table.hand:
        yield _reason("prepares_twist", card=twin, other=card)
    elif twin in table.unseen:
        percent = round(100 * table.other_cards / max(1, len(table.unseen)))
        yield _reason("may_be_twisted", card=twin, percent=percent)
    elif table.lies[twin] not in (UNSEEN, ROW):
        yield _reason("cannot_be_twisted", card=twin)


def _of_kept_twists(table: Table, twists: list[int]) -> Iterator[Reason]:
    for card in twists[:1]:
        yield _reason("keeps_twist", card=card, other=twisted(card))
