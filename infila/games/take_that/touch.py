"""What is said to somebody who touches what they cannot play in Take That: why not, and what they can do."""

from infila.core.contract import astray
from infila.core.errors import IllegalMove
from infila.core.words import Saying
from infila.games.take_that.rules import State, fits, is_toad, reach, twisted

GAME = "infila.games.take_that"


def answer(s: State, touched: tuple[str, ...], seat: int) -> IllegalMove | None:
    if not touched:
        return None
    place, _, number = touched[-1].partition("-")
    card = int(number) if number.isdecimal() and len(number) < 4 else 0
    hand, row = s.hand[seat][: s.n_hand[seat]].tolist(), s.row[: s.n_row].tolist()
    way = _way(hand, row)
    if touched[-1] == "pile":
        return astray(GAME, "T3", "pile", way=way) if s.n_pile else astray(GAME, "T7", "pile_empty", way=way)
    if touched[-1] == "price":
        return astray(GAME, "T6", "price")
    if place in ("pair", "minus"):
        return astray(GAME, "T8", place, way=way)
    chosen = [held for held in hand if f"hand-{held}" in touched[:-1]]
    if place == "hand" and card in hand and row:
        return astray(GAME, "T4", "far", card=card, last=row[-1], way=way)
    if place == "row" and card in row:
        return _twist(card, chosen[0], row, way) if chosen else _in_the_row(card, way)
    if touched[-1] == "row-end" and row:
        if chosen:
            return astray(GAME, "T4", "far", card=chosen[0], last=row[-1], way=way)
        low, high = reach(row[-1])
        return astray(GAME, "T4", "nothing_near", last=row[-1], low=int(low), high=int(high), way=way)
    return None


def _twist(other: int, card: int, row: list[int], way: Saying) -> IllegalMove:
    """A card of the row that the chosen one cannot twist away."""
    if is_toad(card):
        return astray(GAME, "T5", "toad_held", card=card, way=way)
    if is_toad(other):
        return astray(GAME, "T5", "toad", card=other, way=way)
    twin = int(twisted(card))
    if twin in row:
        way = _said("way_twin", twin=twin)
    return astray(GAME, "T5", "twists", card=card, twin=twin, other=other, way=way)


def _in_the_row(card: int, way: Saying) -> IllegalMove:
    if is_toad(card):
        return astray(GAME, "T5", "toad", card=card, way=way)
    return astray(GAME, "T5", "twin_missing", card=card, twin=int(twisted(card)), way=way)


def _way(hand: list[int], row: list[int]) -> Saying:
    """What can be done instead."""
    if not row:
        return _said("way_open")
    places = any(fits(card, row[-1]) for card in hand)
    twists = any(twisted(card) in row and not is_toad(card) for card in hand)
    if places:
        return _said("way_both" if twists else "way_place")
    return _said("way_twist" if twists else "way_take")


def _said(key: str, **gaps: int) -> Saying:
    return Saying(GAME, key, gaps, "touches")
