"""Take That in words: moves that were made, and moves that can be made."""

from typing import Any

from infila.core.contract import Reason
from infila.games.take_that.picture import cost, toad, turned
from infila.games.take_that.rules import PLACE, TAKE, TWIST


def tell(s: Any, action: int, after: Any = None) -> Reason:
    """A move of the past; s is a view from before it, perhaps a spectator's."""
    if action == TAKE:
        key = "takes" + "_one" * bool(s.n_row == 1) + "_more" * brings_another(s)
        return Reason(key, {"n": int(s.n_row), "cost": _price(s)})
    if action >= TWIST:
        return Reason("twists", {"card": action - TWIST, "other": turned(action - TWIST)})
    card = action - PLACE
    return Reason(("opens" if s.n_row == 0 else "places") + "_toad" * toad(card), {"card": card})


def propose(s: Any, action: int) -> Reason:
    """What the button of a legal move says."""
    if action == TAKE:
        return Reason("take_more" if brings_another(s) else "take", {"cost": _price(s)})
    if action >= TWIST:
        return Reason("twist", {"card": action - TWIST, "other": turned(action - TWIST)})
    return Reason("open" if s.n_row == 0 else "place", {"card": action - PLACE})


def _price(s: Any) -> str:
    return f"−{sum(cost(int(card)) for card in s.row[: s.n_row])}"


def brings_another(s: Any) -> bool:
    """T10: whether taking the row brings a card of the pile, too."""
    return bool(s.expert and s.n_row == 1 and s.n_pile > 0)
