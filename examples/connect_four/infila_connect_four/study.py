"""Connect Four: how games end."""

from infila.core.contract import Event
from infila.core.record import Ints
from infila.core.rule import rule
from infila_connect_four.rules import STEP, State

EVENTS = (
    Event("C4", "four upwards"),
    Event("C4", "four along a row"),
    Event("C4", "four along a diagonal"),
    Event("C5", "full boards"),
)


@rule
def fours(discs: int, step: int) -> bool:
    """Whether four discs lie so far apart each."""
    pairs = discs & (discs >> step)
    return pairs & (pairs >> 2 * step) != 0


@rule
def note(before: State, action: int, after: State, counts: Ints) -> None:
    """One disc can make several fours at once."""
    if after.winner > 0:
        discs = after.discs[after.winner - 1]
        counts[0] += int(fours(discs, 1))
        counts[1] += int(fours(discs, STEP))
        counts[2] += int(fours(discs, STEP + 1) or fours(discs, STEP - 1))
    elif after.ended:
        counts[3] += 1
