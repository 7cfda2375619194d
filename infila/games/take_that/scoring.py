"""Take That: every card that counted."""

from typing import Any

import numpy as np

from infila.core.contract import Item, item
from infila.core.record import plain
from infila.games.take_that import rules
from infila.games.take_that.notation import pile_of
from infila.games.take_that.rules import MINUS, PLUS, is_toad, twisted

GAME = "infila.games.take_that"


def stage(s: Any) -> str:
    return f"round {int(s.round_now) + 1}"


def explain(s: Any) -> list[list[Item]]:
    p = plain(s)
    seats = []
    for seat in range(p.players):
        pairs = [card for card in pile_of(p, PLUS, seat) if card < twisted(card)]
        items = [item(GAME, 2, "T8", "twisted", card=card, other=twisted(card)) for card in pairs]
        items += [_minus(card, "T8") for card in pile_of(p, MINUS, seat)]
        items += [_minus(card, "T10") for card in p.extra[seat][: p.n_extra[seat]]]
        seats.append(items)
    return seats


def _minus(card: int, rule: str) -> Item:
    if card == 0:
        return item(GAME, 0, "T12", "unseen")
    key = ("extra_" if rule == "T10" else "") + ("toad" if is_toad(card) else "card")
    return item(GAME, -5 if is_toad(card) else -1, rule, key, card=card)


def ending(s: Any, action: int) -> Any | None:
    after = np.array([s], dtype=rules.State)
    ends = rules.act(after[0], action)
    return after[0] if ends and s.round_now + 1 < s.rounds else None
