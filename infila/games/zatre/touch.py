"""What is said to somebody who touches what they cannot play in Zatre: why not, and what they can do."""

import re

import numpy as np

from infila.core import driver
from infila.core.contract import astray, refuse
from infila.core.errors import IllegalMove
from infila.core.record import copied
from infila.core.words import Saying, joined
from infila.games.zatre.board import PLAN
from infila.games.zatre.notation import LETTERS, TILE_VALUES, beside, cell_name, place_of, places, refusal
from infila.games.zatre.rules import CELLS, DRAW, MAX_LEGAL, STOP, value_laid
from infila.games.zatre.state import FULL, SIDE, State

GAME = "infila.games.zatre"
CELL_NAMES = {
    f"cell-{LETTERS[column]}{SIDE - row}"
    for row, line in enumerate(PLAN)
    for column, letter in enumerate(line)
    if letter != "#"
}
HAND = {f"hand-{value}": value for value in TILE_VALUES}


def answer(s: State, touched: tuple[str, ...], seat: int) -> IllegalMove | None:
    if not touched:
        return None
    last, held = touched[-1], [value for value in TILE_VALUES if s.hand[seat, value - 1]]
    if last == "bag":
        return refusal(s, DRAW, seat)
    if last.startswith("partner-"):
        return astray(GAME, "Z26", "partner")
    if HAND.get(last) in held:
        return _tile(s, HAND[last])
    if re.fullmatch("cell-[a-z][0-9]{1,2}", last) and last not in CELL_NAMES:
        return refuse(GAME, "Z2", "no_cell", cell=last.removeprefix("cell-"))
    if last in CELL_NAMES and held:
        chosen = [HAND[name] for name in touched[:-1] if HAND.get(name) in held]
        return _cell(s, place_of(last.removeprefix("cell-")), chosen, held[0], seat)
    return None


def _tile(s: State, value: int) -> IllegalMove:
    """A tile that can go nowhere."""
    way = _said("way_keep" if STOP in _legal(s) else "way_lay")
    if owing := [cell_name(place) for place in places(s.owing)]:
        return astray(GAME, "Z9", "owed", cells=joined("and", owing), value=value)
    return astray(GAME, "Z8", "nowhere", value=value, way=way)


def _cell(s: State, place: int, chosen: list[int], lowest: int, seat: int) -> IllegalMove:
    """A cell where the chosen tile cannot go, or if none is chosen, none of them."""
    value = chosen[0] if chosen else lowest
    problem = refusal(s, (value - 1) * CELLS + SIDE * (place >> 4) + (place & 15), seat)
    if problem.rule != "Z8":
        return problem
    sums = [pips + value for pips in beside(s, place)]
    line, pips = next((line, pips) for line, pips in zip(("row", "column"), sums, strict=True) if pips >= FULL)
    if not chosen:
        return astray(GAME, "Z8", "even_row" if line == "row" else "even_column", value=value, pips=pips)
    left = sum(value_laid(action) == value for action in _legal(s) if action < DRAW)
    rings = _said("ring" if left == 1 else "rings", n=left)
    return astray(GAME, "Z8", "row" if line == "row" else "column", pips=pips, rings=rings)


def _legal(s: State) -> list[int]:
    out = np.zeros(MAX_LEGAL, np.int16)
    found: list[int] = out[: driver.legal_at(copied(np.asarray(s)), 0, out)].tolist()
    return found


def _said(key: str, **gaps: int) -> Saying:
    return Saying(GAME, key, gaps, "touches")
