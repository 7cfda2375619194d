"""Many worlds at once: deals, what a viewer sees of them, and redraws, with their fields as tables of numbers."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from infila.conformance.trial import Trial
from infila.core import driver
from infila.core.contract import SPECTATOR
from infila.core.record import States, copied

CHANCE = ("key", "counter")  # the fields of the generator
ANEW = 2**40  # keys from here on are those of redraws


def dealt(trial: Trial, options: Any, count: int, first: int = 0) -> States:
    """Deals number `first`, `first` + 1, … of the trial's seed."""
    states = np.zeros(count, trial.contract.rules.State)
    template = np.zeros(1, states.dtype)
    trial.contract.options.make(options).write(template[0])
    for i in range(count):
        states[i] = template[0]
        driver.deal_at(states, i, np.uint64(trial.seed), np.uint64(first + i))
    return states


def hidden(states: States, viewer: int) -> States:
    """What a viewer sees of each."""
    seen = copied(states)
    for i in range(len(seen)):
        driver.hide_at(seen, i, viewer)
    return seen


def redrawn(states: States, viewer: int, seed: int) -> States:
    """Each drawn anew, for a viewer, with other luck than any deal has."""
    drawn = copied(states)
    for i in range(len(drawn)):
        driver.redraw_at(drawn, i, viewer, np.uint64(ANEW + seed), np.uint64(i))
    return drawn


def repeated(state: States, count: int) -> States:
    """One state, many times."""
    return copied(np.repeat(state[:1], count))


def viewers(players: int) -> Iterator[int]:
    """A spectator, and a few seats."""
    yield SPECTATOR
    yield from sorted({0, players // 2, players - 1})


def who(viewer: int) -> str:
    """A viewer, in a sentence."""
    return "a spectator" if viewer == SPECTATOR else f"seat {viewer + 1}"


@dataclass(frozen=True)
class Row:
    """A row of numbers of a record, such as one hand."""

    name: str  #: "hand[1]"
    part: slice  #: where it is in a table

    def number(self, at: int) -> str:
        """What the number at a place of the table is called."""
        return self.name if self.part.stop - self.part.start == 1 else f"{self.name}[{at - self.part.start}]"


def rows_of(kind: "np.dtype[Any]") -> list[Row]:
    """The rows of a record, in the order of `table`: all but the generator."""
    found: list[Row] = []
    at = 0
    for name, field in _fields(kind):
        shape = field.shape or (1,)
        many = int(np.prod(shape[:-1], dtype=int))
        for i in range(many):
            index = "".join(f"[{step}]" for step in np.unravel_index(i, shape[:-1])) if len(shape) > 1 else ""
            found.append(Row(name + index, slice(at, at + shape[-1])))
            at += shape[-1]
    return found


def table(states: States) -> Any:
    """The numbers of records, a line for each."""
    parts = [states[name].reshape(len(states), -1).astype(np.int64) for name, _ in _fields(states.dtype)]
    return np.concatenate(parts, axis=1)


def _fields(kind: "np.dtype[Any]") -> list[tuple[str, Any]]:
    fields: Any = kind.fields or {}
    return [(name, fields[name][0]) for name in kind.names or () if name not in (*CHANCE, "_pad")]


def row_at(rows: list[Row], at: int) -> Row:
    """The row that has this place of the table."""
    return next(row for row in rows if row.part.start <= at < row.part.stop)
