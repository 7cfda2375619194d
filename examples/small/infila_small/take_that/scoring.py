"""Small Take That: the cards that counted."""

from infila.core.contract import Item, plain_item
from infila_small.fields import SEATS
from infila_small.take_that.notation import NUMBERS
from infila_small.take_that.rules import MINUS, PLUS, State


def stage(s: State) -> str:
    return "game 1"


def explain(s: State) -> list[list[Item]]:
    seats: list[list[Item]] = [[] for _ in range(SEATS)]
    for card, lies in enumerate(s.lies.tolist()):
        for seat in range(SEATS):
            if lies == PLUS + seat:
                seats[seat].append(plain_item(1, "T7", f"{NUMBERS[card]}, twisted"))
            elif lies == MINUS + seat:
                seats[seat].append(plain_item(-1, "T7", f"{NUMBERS[card]}, taken"))
    return seats


def ending(s: State, action: int) -> State | None:
    return None
