"""Small Take That in text and JSON: `34` place, `34x43` twist, `take`."""

import re
from collections.abc import Mapping
from typing import Any

from infila.core.errors import BadPosition, IllegalMove
from infila.core.fields import flat, lists
from infila.core.record import plain
from infila_small.fields import SEATS, check_once, read_turn, shown
from infila_small.take_that.rules import (
    ASIDE,
    COVERED,
    HAND,
    MINUS,
    NUMBER,
    PLACE,
    PLUS,
    ROW,
    SHOWN,
    TAKE,
    TWIN,
    TWIST,
    State,
)

NUMBERS = [int(number) for number in NUMBER]
ALL = frozenset(NUMBERS[1:])


def text(s: State, action: int) -> str:
    if action == TAKE:
        return "take"
    if action >= TWIST:
        return f"{NUMBERS[action - TWIST]}x{NUMBERS[int(TWIN[action - TWIST])]}"
    return str(NUMBERS[action - PLACE])


def parse(s: State, text: str, seat: int) -> int:
    if text == "take":
        return TAKE
    found = re.fullmatch(r"([1-4]{2})(?:x([1-4]{2}))?", text)
    if not found or int(found[1]) not in ALL or found[2] not in (None, found[1][::-1]):
        raise IllegalMove("", f"{text!r} is not a move. Moves look like 34, 34x43 or take.")
    return (TWIST if found[2] else PLACE) + NUMBERS.index(int(found[1]))


def refusal(s: State, action: int, seat: int) -> IllegalMove:
    if action == TAKE:
        return IllegalMove("T6", "there is no row to take.")
    card = action - (TWIST if action >= TWIST else PLACE)
    hand = [int(each) for each in s.hand[seat] if each]
    if card not in hand:
        held = ", ".join(str(NUMBERS[each]) for each in hand)
        return IllegalMove("T3", f"you do not hold {NUMBERS[card]}. Your hand: {held or 'no cards'}.")
    if action >= TWIST:
        return IllegalMove("T5", f"{NUMBERS[int(TWIN[card])]} is not in the row.")
    return IllegalMove("T4", f"{NUMBERS[card]} is more than 10 away from the last card of the row.")


def parts(s: State, action: int) -> tuple[str, ...]:
    return (text(s, action),)


def to_json(s: State) -> dict[str, Any]:
    p = plain(s)

    def lying(where: int) -> list[int]:
        return [NUMBERS[card] for card, lies in enumerate(p.lies) if lies == where]

    def numbers(cards: list[int]) -> list[int]:
        return [NUMBERS[card] for card in cards]

    return {
        "player": p.turn + 1,
        "over": bool(p.ended),
        "hands": [shown(numbers(p.hand[seat][: p.n_hand[seat]])) for seat in range(SEATS)],
        "covered": shown(numbers(p.covered[:COVERED])),
        "shown": lying(SHOWN),
        "row": numbers(p.row[: p.n_row]),
        "plus": [lying(PLUS + seat) for seat in range(SEATS)],
        "minus": [lying(MINUS + seat) for seat in range(SEATS)],
    }


def from_json(s: State, fields: Mapping[str, Any]) -> None:
    read_turn(s, fields)
    hands, plus, minus = (lists(fields, name, SEATS, ALL) for name in ("hands", "plus", "minus"))
    covered, aside, row = (flat(fields, name, ALL) for name in ("covered", "shown", "row"))
    check_once([*hands, *plus, *minus, covered, aside, row], ALL, "T1")
    if len(covered) != COVERED or len(aside) != ASIDE or any(len(hand) > HAND for hand in hands):
        raise BadPosition(f"T2: {ASIDE} cards are shown, {COVERED} are covered, and a hand has at most {HAND}.")
    if bool(s.ended) == any(hands) or not (s.ended or hands[s.turn]):
        raise BadPosition("T3, T7: who is on turn has a card, and the game is over when nobody has any.")
    if any(int(str(card)[::-1]) not in cards for cards in plus for card in cards):
        raise BadPosition("T5: plus cards are pairs of twisted cards.")
    places = [(aside, SHOWN), (row, ROW), *((plus[i], PLUS + i) for i in range(SEATS))]
    for cards, where in [*places, *((minus[i], MINUS + i) for i in range(SEATS))]:
        for card in cards:
            s.lies[NUMBERS.index(card)] = where
    s.row[: len(row)], s.n_row = [NUMBERS.index(card) for card in row], len(row)
    s.covered[:COVERED] = sorted(NUMBERS.index(card) for card in covered)
    for seat, hand in enumerate(hands):
        s.hand[seat, : len(hand)], s.n_hand[seat] = sorted(NUMBERS.index(card) for card in hand), len(hand)
