"""Small Sequence in text and JSON: a move is the name of its cell, `a1` to `e5`."""

from collections.abc import Mapping
from typing import Any

from infila.core.errors import BadPosition, IllegalMove
from infila.core.fields import checked_list, entry, flat, lists
from infila.core.record import plain
from infila_small.fields import SEATS, check_once, read_turn, shown
from infila_small.sequence.rules import CARDS, CELLS, FREE, HAND, NUMBER, SIDE, State

LETTERS, SIGNS = "abcde", ".12"
NAMES = [f"{LETTERS[cell % SIDE]}{cell // SIDE + 1}" for cell in range(CELLS)]
ALL = range(1, CARDS + 1)


def text(s: State, action: int) -> str:
    return NAMES[action]


def parse(s: State, text: str, seat: int) -> int:
    if text not in NAMES:
        raise IllegalMove("", f"{text!r} is not a move. A move is the name of a cell, a1 to e5.")
    return NAMES.index(text)


def refusal(s: State, action: int, seat: int) -> IllegalMove:
    if s.chips[action]:
        return IllegalMove("S3", f"{NAMES[action]} is not free.")
    held = ", ".join(str(card) for card in s.cards[seat] if card)
    return IllegalMove("S3", f"{NAMES[action]} has the number {NUMBER[action]}. Your cards: {held or 'none'}.")


def parts(s: State, action: int) -> tuple[str, ...]:
    return (NAMES[action],)


def to_json(s: State) -> dict[str, Any]:
    p = plain(s)
    rows = [p.chips[SIDE * row : SIDE * (row + 1)] for row in range(SIDE)]
    return {
        "player": p.turn + 1,
        "over": bool(p.ended),
        "board": ["".join(SIGNS[chip] for chip in row) for row in rows],
        "hands": [shown(p.cards[seat][: p.n_cards[seat]]) for seat in range(SEATS)],
        "covered": shown([p.covered]),
        "played": [card for card in ALL if p.played[card]],
    }


def from_json(s: State, fields: Mapping[str, Any]) -> None:
    read_turn(s, fields)
    rows = checked_list(entry(fields, "board"), "board", SIDE)
    if any(not isinstance(row, str) or len(row) != SIDE or set(row) - set(SIGNS) for row in rows):
        raise BadPosition(f"board must be {SIDE} rows of {SIDE} signs, each one of {', '.join(SIGNS)}.")
    s.chips[:] = [SIGNS.index(sign) for row in rows for sign in row]
    hands = lists(fields, "hands", SEATS, ALL)
    covered, played = flat(fields, "covered", ALL), flat(fields, "played", ALL)
    check_once([*hands, covered, played], ALL, "S1")
    if len(covered) != 1 or any(len(hand) > HAND for hand in hands):
        raise BadPosition(f"S2: one card is covered, and a hand has at most {HAND}.")
    for card in ALL:
        free = sum(NUMBER[cell] == card and not s.chips[cell] for cell in range(CELLS))
        if free != FREE - (card in played):
            raise BadPosition(f"S2, S3: {free} cells with the number {card} cannot be free here.")
    counts = [len(hand) for hand in hands]
    after = counts[s.turn] - counts[1 - s.turn]  # 0: they have begun the same number of times
    if after not in ((0,) if s.ended else (0, 1)) or bool(s.ended) != (sum(counts) == 0):
        raise BadPosition("S3: the players take turns until their hands are empty.")
    s.covered = covered[0]
    for card in played:
        s.played[card] = 1
    for seat, hand in enumerate(hands):
        s.cards[seat, : len(hand)], s.n_cards[seat] = sorted(hand), len(hand)
