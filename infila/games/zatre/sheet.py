"""A sheet of Zatre as people read it: its rows, what they are worth, and what it comes to (Z15 to Z19)."""

from dataclasses import dataclass
from types import SimpleNamespace

import numpy as np

from infila.core.record import copied, int64, plain
from infila.games.zatre import rules
from infila.games.zatre.state import BOXES_EACH, SCORES, VALUES, State


@dataclass(frozen=True)
class Sheet:
    """The rows count from 0, and include those that hold only a cross."""

    rows: list[tuple[int, int, int]]  # how many lines of 10, 11 and 12 each box holds
    crosses: int
    minus: int  # Z19

    def counts(self, row: int) -> tuple[int, int, int]:
        return self.rows[row] if row < len(self.rows) else (0, 0, 0)

    def boxes(self, row: int) -> list[int]:
        """Z15, Z16: the points in each box of a row, 0 where it is empty."""
        return [each * count for each, count in zip(rules.POINTS, self.counts(row), strict=True)]

    def full(self, row: int) -> bool:
        return rules.full(*self.counts(row))

    def crossed(self, row: int) -> bool:
        return row < self.crosses

    def times(self, row: int) -> int:
        return rules.times(row, self.crosses)

    def points(self, row: int) -> int:
        """What a row is worth, not doubled."""
        return rules.row_points(row, *self.counts(row))

    def totals(self) -> list[int]:
        """What each row comes to."""
        return [self.times(row) * self.points(row) for row in range(len(self.rows))]

    def total(self) -> int:
        return sum(self.totals()) - self.minus


def sheets(p: SimpleNamespace) -> int:
    """The number of sheets."""
    return int(p.players >> p.teams)


def seats_of(p: SimpleNamespace, sheet: int) -> list[int]:
    """The seats that share a sheet."""
    return [seat for seat in range(p.players) if seat >> p.teams == sheet]


def first_box(p: SimpleNamespace, sheet: int) -> int:
    """Where the boxes of a sheet begin."""
    return int(BOXES_EACH[sheets(p)]) * sheet


def sheet_of(p: SimpleNamespace, sheet: int) -> Sheet:
    """A sheet of a view, as it is."""
    first, crosses = first_box(p, sheet), p.crosses[sheet]
    written = max(crosses, *(column[sheet] for column in p.n_box))
    rows = [(p.box[0][at], p.box[1][at], p.box[2][at]) for at in range(first, first + written)]
    minus = sum(hand_pips(p, seat) for seat in seats_of(p, sheet)) if p.ended else 0
    return Sheet(rows, crosses, minus)


def hand_pips(p: SimpleNamespace, seat: int) -> int:
    return sum((i + 1) * p.hand[seat][i] for i in range(VALUES))


def line_points(pips: int) -> int:
    """Z15: the points of a line of `pips`."""
    return rules.POINTS[pips - SCORES]


def sheet_on_turn(s: State) -> int:
    """The number of the sheet of the seat on turn."""
    return int(s.turn) >> int(s.teams)


def sheet_before(s: State) -> Sheet:
    """The sheet of the seat on turn, without what this turn brings."""
    return sheet_of(plain(s), sheet_on_turn(s))


def sheet_now(s: State) -> Sheet:
    """The same as it would be if the turn ended now."""
    written: State = copied(np.asarray(s))[0]
    rules.write_down(written, int64(sheet_on_turn(s)))
    return sheet_before(written)
