"""Small Zatre: the lines that counted. The record does not say who completed which, so points are told as sums."""

from infila.core.contract import Item, plain_item
from infila_small.fields import SEATS
from infila_small.zatre.rules import State


def stage(s: State) -> str:
    return "game 1"


def explain(s: State) -> list[list[Item]]:
    points = [int(s.points[seat]) for seat in range(SEATS)]
    return [[plain_item(each, "Z4", "lines of 10, 11 or 12")] if each else [] for each in points]


def ending(s: State, action: int) -> State | None:
    return None
