"""What tiles bring to a sheet, counted by the rules: the sheet as it would be if the turn ended now (Z15 to Z18)."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from infila.core.record import plain
from infila.games.zatre import scoring
from infila.games.zatre.board import SCORES, STEPS, has, reach
from infila.games.zatre.rules import lay, write_down


@dataclass(frozen=True)
class Sheet:
    """The rows of a sheet: how many lines of 10, 11 and 12 each box holds."""

    rows: list[tuple[int, int, int]]
    crosses: int

    def counts(self, row: int) -> tuple[int, int, int]:
        return self.rows[row] if row < len(self.rows) else (0, 0, 0)

    def points(self, row: int) -> int:
        """What a row is worth, not doubled."""
        return scoring.row_points(row, self.counts(row), False)

    def full(self, row: int) -> bool:
        return all(self.counts(row))

    def times(self, row: int) -> int:
        return 2 if row < self.crosses else 1

    def total(self) -> int:
        return sum(self.times(row) * self.points(row) for row in range(len(self.rows)))


def sheet_number(s: Any) -> int:
    """The sheet of the seat on turn."""
    return int(s.turn) >> int(s.teams)


def sheet_before(s: Any) -> Sheet:
    """The sheet of the seat on turn, without what this turn brings."""
    seen, sheet = plain(s), sheet_number(s)
    return Sheet(scoring.boxes(seen, sheet), seen.crosses[sheet])


def sheet_now(s: Any) -> Sheet:
    """The same as it would be if the turn ended now."""
    written = s.copy()
    write_down(written, np.int64(sheet_number(s)))
    return sheet_before(written)


def laid(s: Any, value: int, place: int) -> Any:
    """The position after a tile of the seat on turn, but for the end of the turn."""
    after = s.copy()
    lay(after, np.int64(s.turn), np.int64(value - 1), np.int64(place))
    return after


def lines(s: Any, place: int, value: int) -> list[tuple[int, int]]:
    """The lines of 10 to 12 that a tile makes here, the best first; with each the line of this turn that it lengthens,
    and that counts no more (Z15), or 0."""
    found = []
    for k in (0, 2):
        sides = [int(reach(s, np.int64(place), step)) >> 8 for step in STEPS[k : k + 2]]
        if sum(sides) + value >= SCORES:
            counted = [
                pips
                for pips, step in zip(sides, STEPS[k : k + 2], strict=True)
                if pips >= SCORES and _new(s, place, step)
            ]
            found.append((sum(sides) + value, *(counted or (0,))))
    return sorted(found, reverse=True)


def _new(s: Any, place: int, step: Any) -> bool:
    """Whether one of the tiles that follow each other from here was laid in this turn."""
    at = (place + int(step)) & 255
    while s.board[at] > 0:
        if has(s.laid, at):
            return True
        at = (at + int(step)) & 255
    return False
