"""Why an action cannot be played in a batch, in a sentence that names the game and, if it is known, the rule."""

from typing import Any

from infila.core import driver
from infila.core.contract import Contract
from infila.core.errors import IllegalMove
from infila.core.record import States, copied


def illegal(contract: Contract, states: States, i: int, action: int | None) -> IllegalMove:
    """`states` is the record of game i alone; the action is None if it is no longer known."""
    what = "the action" if action is None else f"action {action}"
    said = f"in game {i} {what} is not legal, so no game has moved. mask() shows which are."
    reason = None if action is None or not 0 <= action < contract.rules.ACTIONS else _reason(contract, states, action)
    return IllegalMove("", said if reason is None else f"{said} {reason}")


def _reason(contract: Contract, states: States, action: int) -> Any:
    """What the player would be told, by the view of the seat that the action belongs to."""
    seat = int(driver.actor_at(states, 0, action))
    if seat < 0:
        return None
    view = copied(states)
    driver.hide_at(view, 0, seat)
    return contract.notation.refusal(view[0], action, seat)
