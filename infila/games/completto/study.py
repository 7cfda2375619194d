"""Completto: how often its rules matter."""

from infila.core.contract import Event
from infila.core.record import Ints
from infila.core.rule import inlined, rule
from infila.games.completto.rules import CAP, DRAW, MOVE, PLACE, PLACING, ROW, TURN, State

EVENTS = (
    Event("C4", "covered tiles drawn from the middle"),
    Event("C7", "… that fitted nowhere"),
    Event("C4", "open tiles taken from the middle"),
    Event("C5", "covered tiles moved"),
    Event("C8", "further turns by a pair"),
    Event("C9", "tiles used turned"),
    Event("C12", "turns without a covered tile in the middle"),
    Event("C10", "rows completed"),
    Event("C8", "… in a further turn"),
    Event("C12", f"games that reach {CAP:,} turns"),
    Event("C11", "minus points noted"),
)
(
    DRAWN,
    NOWHERE,
    TAKEN,
    MOVED,
    FURTHER,
    USED_TURNED,
    NONE_COVERED,
    COMPLETED,
    COMPLETED_FURTHER,
    CAPPED,
    MINUS,
) = range(len(EVENTS))
IN_FURTHER = len(EVENTS)  # remembered: the current turn was earned by a pair


@inlined
def note_end(before: State, action: int, after: State, counts: Ints) -> None:
    """The end of a game of the match; the record after it may already be the next one's."""
    if action < DRAW and before.n_open[before.turn] + 1 == ROW:
        counts[COMPLETED] += 1
        counts[COMPLETED_FURTHER] += counts[IN_FURTHER]
    else:
        counts[CAPPED] += 1
    counts[IN_FURTHER] = 0
    for seat in range(before.players):
        counts[MINUS] += after.points[seat] - before.points[seat]


@rule
def note(before: State, action: int, after: State, counts: Ints) -> None:
    counts[NONE_COVERED] += int(before.phase == TURN and before.n_covered == 0)
    if action < DRAW:
        counts[USED_TURNED] += int(action >= PLACE + ROW)
    elif action == DRAW:
        counts[DRAWN] += 1
        counts[NOWHERE] += int(after.phase != PLACING)
    elif action < MOVE:
        counts[TAKEN] += 1
    else:
        counts[MOVED] += 1
    if after.ended or after.game_now != before.game_now:
        note_end(before, action, after, counts)
    elif after.turns != before.turns:
        counts[IN_FURTHER] = int(after.turn == before.turn)
        counts[FURTHER] += counts[IN_FURTHER]
