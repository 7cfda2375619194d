"""Take That in words: moves that were made, and moves that can be made."""

from infila.core.contract import Reason
from infila.games.take_that.rules import PLACE, TAKE, TWIST, State, brings_extra, is_toad, row_cost, twisted

SOUNDS = {"opens_toad": "croak", "places_toad": "croak", "twists": "turn"}
SOUNDS |= dict.fromkeys(("takes", "takes_one", "takes_one_more"), "take")


def tell(s: State, action: int, after: State | None = None) -> Reason:
    """A past move; s is a view from before it, perhaps a spectator's."""
    if action == TAKE:
        key = "takes" + ("_one" if s.n_row == 1 else "") + ("_more" if brings_extra(s) else "")
        return Reason(key, {"n": int(s.n_row), "cost": _cost(s)})
    if action >= TWIST:
        return Reason("twists", {"card": action - TWIST, "other": twisted(action - TWIST)})
    card = action - PLACE
    return Reason(("opens" if s.n_row == 0 else "places") + ("_toad" if is_toad(card) else ""), {"card": card})


def propose(s: State, action: int) -> Reason:
    """What the button of a legal move says."""
    if action == TAKE:
        return Reason("take_more" if brings_extra(s) else "take", {"cost": _cost(s)})
    if action >= TWIST:
        return Reason("twist", {"card": action - TWIST, "other": twisted(action - TWIST)})
    return Reason("open" if s.n_row == 0 else "place", {"card": action - PLACE})


def _cost(s: State) -> str:
    return f"−{row_cost(s)}"
