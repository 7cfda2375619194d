"""Take That: every card that counted."""

from typing import Any

import numpy as np

from infila.core.contract import Item
from infila.core.rule import plain
from infila.games.take_that import rules
from infila.games.take_that.notation import pile_of
from infila.games.take_that.rules import MINUS, PLUS, is_toad, twisted


def stage(s: Any) -> str:
    return f"round {int(s.round_now) + 1}"


def explain(s: Any) -> list[list[Item]]:
    p = plain(s)
    seats = []
    for seat in range(p.players):
        pairs = [card for card in pile_of(p, PLUS, seat) if card < twisted(card)]
        items = [Item(2, f"{card} and {twisted(card)} twisted", "T8") for card in pairs]
        items += [_minus(card, "T8") for card in pile_of(p, MINUS, seat)]
        items += [_minus(card, "T10") for card in p.extra[seat][: p.n_extra[seat]]]
        seats.append(items)
    return seats


def _minus(card: int, rule: str) -> Item:
    if card == 0:
        return Item(0, "an extra card, shown when the round ends", "T12")
    name = f"toad {card}" if is_toad(card) else str(card)
    return Item(-5 if is_toad(card) else -1, f"extra {name}" if rule == "T10" else name, rule)


def ending(s: Any, action: int) -> Any | None:
    after = np.array([s], dtype=rules.State)
    ends = rules.act(after[0], action)
    return after[0] if ends and s.round_now + 1 < s.rounds else None
