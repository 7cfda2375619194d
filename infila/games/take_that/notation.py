"""Take That in text and JSON: `34` place, `94x49` twist, `take`."""

import re
from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

from infila.core.contract import refuse
from infila.core.errors import BadPosition, IllegalMove
from infila.core.fields import flat, integer, lists, one_of, whole
from infila.core.record import plain
from infila.games.take_that.rules import (
    CARDS,
    DECK,
    MINUS,
    PLACE,
    PLUS,
    ROW,
    TAKE,
    TWIST,
    State,
    hand_size,
    is_last_round,
    is_toad,
    twisted,
)

GAME = "infila.games.take_that"
CARD_NUMBERS = frozenset(int(card) for card in DECK)


def text(s: State, action: int) -> str:
    if action == TAKE:
        return "take"
    if action >= TWIST:
        card = action - TWIST
        return f"{card}x{twisted(card)}"
    return str(action - PLACE)


def parse(s: State, text: str, seat: int) -> int:
    if text == "take":
        return TAKE
    if match := re.fullmatch(r"([0-9]{1,3})(?:x([0-9]{1,3}))?", text):
        card, other = int(match[1]), match[2]
        for number in (card, int(other) if other else card):
            if number not in CARD_NUMBERS:
                raise refuse(GAME, "T1", "no_card", card=number)
        if other is None:
            return PLACE + card
        if is_toad(card) or is_toad(int(other)):
            raise refuse(GAME, "T5", "toad")
        if int(other) != twisted(card):
            raise refuse(GAME, "T5", "no_twin", card=card, twin=twisted(card), other=other)
        return TWIST + card
    raise refuse(GAME, "", "no_move", text=text)


def refusal(s: State, action: int, seat: int) -> IllegalMove:
    row = s.row[: s.n_row].tolist()
    hand = s.hand[seat][: s.n_hand[seat]].tolist()
    if action == TAKE:
        return refuse(GAME, "T4", "no_row_to_take")
    card = action - (TWIST if action >= TWIST else PLACE)
    if card not in hand:
        return _not_held(card, hand)
    if action >= TWIST:
        if not row:
            return refuse(GAME, "T4", "no_row_to_twist")
        return refuse(GAME, "T5", "twin_not_there", twin=twisted(card))
    return refuse(GAME, "T4", "too_far", card=card, last=row[-1])


def _not_held(card: int, hand: list[int]) -> IllegalMove:
    if not hand:
        return refuse(GAME, "T3", "not_held_none", card=card)
    return refuse(GAME, "T3", "not_held", card=card, hand=", ".join(str(each) for each in hand))


def parts(s: State, action: int) -> tuple[str, ...]:
    if action == TAKE:
        return ("row",)
    if action >= TWIST:
        card = action - TWIST
        return (f"hand-{card}", f"row-{twisted(card)}")
    return (f"hand-{action - PLACE}", "row-end")


def to_json(s: State) -> dict[str, Any]:
    p = plain(s)
    seats = range(p.players)
    return {
        "player": p.turn + 1,
        "over": bool(p.ended),
        "round": p.round_now + 1,
        "dealer": p.dealer + 1,
        "points": p.points[: p.players],
        "row": p.row[: p.n_row],
        "pile": _shown(p.pile[: p.n_pile]),
        "hands": [_shown(p.hand[seat][: p.n_hand[seat]]) for seat in seats],
        "plus": [cards_of(p, PLUS, seat) for seat in seats],
        "minus": [cards_of(p, MINUS, seat) for seat in seats],
        "extra": [_shown(p.extra[seat][: p.n_extra[seat]]) for seat in seats],
    }


def _shown(cards: list[int]) -> list[int | str]:
    return [card or "?" for card in cards]


def cards_of(p: SimpleNamespace, kind: int, seat: int) -> list[int]:
    """A seat's plus or minus cards, of a state made `plain`."""
    return [card for card, lies in enumerate(p.lies) if lies == kind + seat]


def from_json(s: State, fields: Mapping[str, Any]) -> None:
    players = int(s.players)
    s.turn = integer(fields, "player", 1, players) - 1
    s.ended = one_of(fields, "over", (False, True))
    s.round_now = integer(fields, "round", 1, int(s.rounds)) - 1
    s.dealer = integer(fields, "dealer", 1, players) - 1
    s.points[:players] = whole(fields, "points", players, -(10**9), 10**9)
    row = flat(fields, "row", CARD_NUMBERS)
    pile = flat(fields, "pile", CARD_NUMBERS)
    groups = {name: lists(fields, name, players, CARD_NUMBERS) for name in ("hands", "plus", "minus", "extra")}
    everything = [*row, *pile, *(card for group in groups.values() for cards in group for card in cards)]
    if sorted(everything) != sorted(CARD_NUMBERS):
        raise BadPosition(
            f"T1: row, pile, hands, plus, minus and extra must together hold each of the {CARDS} cards once."
        )
    _check(s, row, pile, groups)
    s.row[: len(row)], s.n_row = row, len(row)
    s.pile[: len(pile)], s.n_pile = pile, len(pile)
    for card in row:
        s.lies[card] = ROW
    for seat in range(players):
        hand, extra = sorted(groups["hands"][seat]), groups["extra"][seat]
        s.hand[seat, : len(hand)], s.n_hand[seat] = hand, len(hand)
        s.extra[seat, : len(extra)], s.n_extra[seat] = extra, len(extra)
        for card in groups["plus"][seat]:
            s.lies[card] = PLUS + seat
        for card in groups["minus"][seat]:
            s.lies[card] = MINUS + seat


def _check(s: State, row: list[int], pile: list[int], groups: dict[str, list[list[int]]]) -> None:
    """Whether cards can lie like this, and the game can go on to its end."""
    _check_hands(s, pile, groups["hands"])
    if not s.ended and not row and not groups["hands"][s.turn]:
        raise BadPosition(f"T4: seat {s.turn + 1} must open a row and has no card to open it with.")
    if s.ended and (row or pile):
        raise BadPosition("T7: the game cannot be over while cards lie in the row or in the pile.")
    if s.ended and not is_last_round(s):
        raise BadPosition("T9: the game cannot be over before its last round.")
    if not s.expert and any(groups["extra"]):
        raise BadPosition("T10: there are extra cards only with the option expert.")
    for seat, cards in enumerate(groups["plus"]):
        if any(twisted(card) not in cards or is_toad(card) for card in cards):
            raise BadPosition(f"T5: the plus cards of seat {seat + 1} must be pairs of twisted cards.")


def _check_hands(s: State, pile: list[int], hands: list[list[int]]) -> None:
    """A hand that is empty while there is a pile is a dead end too: it could take the row, but not open the next."""
    most = hand_size(s.players)
    for seat, hand in enumerate(hands):
        if len(hand) > most:
            raise BadPosition(f"T2: seat {seat + 1} holds {len(hand)} cards; a hand has at most {most}.")
        if pile and not hand:
            raise BadPosition(
                f"T3: the hand of seat {seat + 1} is empty and the pile is not: whoever places or twists draws a card "
                "as long as there is one. Give the seat a card, or leave the pile empty."
            )
