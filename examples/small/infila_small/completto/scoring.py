"""Small Completto: who has completed a row."""

from infila.core.contract import Item, plain_item
from infila_small.completto.rules import State
from infila_small.fields import SEATS


def stage(s: State) -> str:
    return "game 1"


def explain(s: State) -> list[list[Item]]:
    won = [s.winner == seat + 1 for seat in range(SEATS)]
    return [[plain_item(1, "C4", "the row is complete")] if each else [] for each in won]


def ending(s: State, action: int) -> State | None:
    return None
