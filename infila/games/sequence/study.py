"""Sequence: how often its rules matter."""

from infila.core.contract import Event
from infila.core.record import Ints
from infila.core.rule import inlined, rule
from infila.games.sequence.board import STEP
from infila.games.sequence.rules import DEAD, DRAW, LOCK, ONE_EYED, PASS, TWO_EYED, cell_of
from infila.games.sequence.state import CORNER, LAST_TURN, OF_TWO, TURNED, State, needed

EVENTS = (
    Event("S9", "two-eyed jacks played"),
    Event("S9", "one-eyed jacks played"),
    Event("S10", "dead cards exchanged"),
    Event("S11", "discards shuffled into a new pile"),
    Event("S11", "passes"),
    Event("S12", "fives chosen where there were several"),
    Event("S15", "sequences broken"),
    Event("S12", "sequences that stand at the end"),
    Event("S12", "… in a row"),
    Event("S12", "… in a column"),
    Event("S12", "… in a diagonal"),
    Event("S8", "… with a corner"),
    Event("S14", "games won with the chip of a two-eyed jack"),
    Event("S13", "games won with two sequences at once"),
    Event("S14", "games won while another side needs only one sequence more"),
    Event("S11", "draws because all passed"),
    Event("S18", f"draws after {LAST_TURN:,} turns"),
)
(
    TWO_EYED_JACKS,
    ONE_EYED_JACKS,
    DEAD_CARDS,
    SHUFFLED,
    PASSES,
    CHOSEN,
    BROKEN,
    STANDING,
    IN_ROW,
    IN_COLUMN,
    IN_DIAGONAL,
    WITH_CORNER,
    BY_JACK,
    TWO_AT_ONCE,
    CLOSE,
    ALL_PASSED,
    TOO_LONG,
) = range(len(EVENTS))


@rule
def has_corner(s: State, five: int) -> bool:
    """S8: only the ends of a five can be corners."""
    cell = int(five) >> 2
    return s.board[cell] == CORNER or s.board[cell + 4 * int(STEP[five & 3])] == CORNER


@inlined
def note_move(before: State, action: int, counts: Ints) -> None:
    if action >= PASS:
        counts[PASSES] += int(action == PASS)
    elif LOCK <= action < DRAW:
        counts[CHOSEN] += 1
    elif DEAD <= action < LOCK:
        counts[DEAD_CARDS] += 1
    elif ONE_EYED <= action < DEAD:
        counts[ONE_EYED_JACKS] += 1
        counts[BROKEN] += int(before.board[cell_of(action)] >= TURNED)
    elif TWO_EYED <= action < ONE_EYED:
        counts[TWO_EYED_JACKS] += 1


@inlined
def note_sequences(s: State, counts: Ints) -> None:
    for side in range(s.sides):
        for i in range(s.n_sequences[side]):
            five = int(s.sequences[side, i])
            direction = five & 3
            counts[STANDING] += 1
            counts[IN_ROW if direction == 1 else IN_COLUMN if direction == 2 else IN_DIAGONAL] += 1
            counts[WITH_CORNER] += int(has_corner(s, five))


@inlined
def note_end(before: State, action: int, after: State, counts: Ints) -> None:
    note_sequences(after, counts)
    if after.winner == 0:
        counts[ALL_PASSED if after.passes == after.players else TOO_LONG] += 1
        return
    side = int(after.winner) - 1
    counts[BY_JACK] += int(TWO_EYED <= action < ONE_EYED)
    counts[TWO_AT_ONCE] += int(after.n_sequences[side] - before.n_sequences[side] == 2)
    another = 0
    goal = needed(after.sides)
    for other in range(after.sides):
        another |= int(other != side and after.n_sequences[other] + 1 == goal == OF_TWO)
    counts[CLOSE] += another


@rule
def note(before: State, action: int, after: State, counts: Ints) -> None:
    note_move(before, action, counts)
    counts[SHUFFLED] += int(after.n_discards < before.n_discards or (after.n_discards == 0 and action < LOCK))
    if after.ended:
        note_end(before, action, after, counts)
