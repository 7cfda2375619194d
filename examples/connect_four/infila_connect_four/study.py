"""Connect Four: how games end."""

from typing import Any

from infila.core.contract import Event
from infila.core.rule import rule
from infila_connect_four.rules import STEP

EVENTS = (
    Event("C4", "four upwards"),
    Event("C4", "four along a row"),
    Event("C4", "four along a diagonal"),
    Event("C5", "full boards"),
)


@rule
def fours(discs: Any, step: Any) -> Any:
    """Whether four discs lie so far apart each."""
    pairs = discs & (discs >> step)
    return pairs & (pairs >> 2 * step) != 0


@rule
def note(before: Any, action: Any, after: Any, counts: Any) -> None:
    """One disc can make several fours at once."""
    if after.winner > 0:
        discs = after.discs[after.winner - 1]
        counts[0] += int(fours(discs, 1))
        counts[1] += int(fours(discs, STEP))
        counts[2] += int(fours(discs, STEP + 1) or fours(discs, STEP - 1))
    elif after.ended:
        counts[3] += 1
