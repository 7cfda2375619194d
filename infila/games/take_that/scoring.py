"""Take That: every card that counted, and what cards cost."""

from collections.abc import Iterable

import numpy as np

from infila.core.contract import Item, item
from infila.core.record import plain
from infila.games.take_that.notation import cards_of
from infila.games.take_that.rules import (
    MINUS,
    PLUS,
    PLUS_POINTS,
    State,
    carry_out,
    cost,
    is_last_round,
    is_toad,
    twisted,
)

GAME = "infila.games.take_that"
GROUPS = {  # in which the end of a game sums these up
    "twisted": "plus",
    "card": "minus",
    "extra_card": "minus",
    "unseen": "minus",
    "toad": "toads",
    "extra_toad": "toads",
}


def cost_of(cards: Iterable[int]) -> int:
    """T8: what minus cards cost in total; those that a viewer does not know (T12) are left out."""
    return sum(cost(card) for card in cards if card)


def stage(s: State) -> str:
    return f"round {int(s.round_now) + 1}"


def explain(s: State) -> list[list[Item]]:
    p = plain(s)
    seats = []
    for seat in range(p.players):
        pairs = [card for card in cards_of(p, PLUS, seat) if card < twisted(card)]
        items = [item(GAME, 2 * PLUS_POINTS, "T8", "twisted", card=card, other=twisted(card)) for card in pairs]
        items += [_minus(card, "T8") for card in cards_of(p, MINUS, seat)]
        items += [_minus(card, "T10") for card in p.extra[seat][: p.n_extra[seat]]]
        seats.append(items)
    return seats


def _minus(card: int, rule: str) -> Item:
    if card == 0:
        return item(GAME, 0, "T12", "unseen")
    key = ("extra_" if rule == "T10" else "") + ("toad" if is_toad(card) else "card")
    return item(GAME, -cost(card), rule, key, card=card)


def ending(s: State, action: int) -> State | None:
    after: State = np.array([s], dtype=State.dtype)[0]
    ends = carry_out(after, action)
    return after if ends and not is_last_round(s) else None
