"""Zatre in words: moves that were made, and moves that can be made."""

from typing import Any

from infila.core.contract import Reason
from infila.games.zatre.lines import sums_made
from infila.games.zatre.notation import cell_name
from infila.games.zatre.rules import DRAW, STOP, place_laid, value_laid
from infila.games.zatre.state import State

SOUNDS = {"lays_two": "chime", "draws": "draw", "keeps": "draw", "keeps_one": "draw"}


def tell(s: State, action: int, after: State | None = None) -> Reason:
    """A past move; s is a view from before it, perhaps a spectator's."""
    if action == DRAW:
        return Reason("draws", {})
    if action == STOP:
        kept = int(s.n_hand[s.turn])
        return Reason("keeps_one" if kept == 1 else "keeps", {"n": kept})
    said: dict[str, Any] = {"tile": value_laid(action), "cell": cell_name(place_laid(action))}
    sums = sums_made(s, action)
    said |= dict(zip(("sum", "other"), sums, strict=False))
    return Reason(("lays", "lays_line", "lays_two")[len(sums)], said)


def propose(s: State, action: int) -> Reason:
    """What the button of a legal move says."""
    if action == DRAW:
        return Reason("draw", {})
    if action == STOP:
        return Reason("keep_one" if s.n_hand[s.turn] == 1 else "keep", {})
    sums = sums_made(s, action)
    said = {"cell": cell_name(place_laid(action))} | dict(zip(("sum", "other"), map(str, sums), strict=False))
    return Reason(("lay", "lay_line", "lay_two")[len(sums)], said)


def suggest(s: State, action: int) -> Reason:
    """The same in full: which tile."""
    said = propose(s, action)
    return said if action >= DRAW else Reason(said.key, {**said.values, "tile": value_laid(action)})
