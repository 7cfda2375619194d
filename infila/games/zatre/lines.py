"""The lines of tiles on Zatre's board, as stories, hints and pictures need them."""

from collections.abc import Sequence
from types import SimpleNamespace

import numpy as np

from infila.core.record import copied, int64
from infila.games.zatre.board import RIGHT, STEPS, UP, has, reach
from infila.games.zatre.rules import lay, place_laid, value_laid
from infila.games.zatre.state import SCORES, State

ACROSS, UPWARD = int(RIGHT), int(UP)  # steps along a row and a column


def with_tile(s: State, value: int, place: int) -> State:
    """The position after a tile of the seat on turn, before the turn ends."""
    after: State = copied(np.asarray(s))[0]
    lay(after, int64(s.turn), int64(value - 1), int64(place))
    return after


def sums_made(s: State, action: int) -> list[int]:
    """The sums of 10, 11 and 12 that laying a tile makes, the highest first."""
    value, beside = value_laid(action), int(s.sums[place_laid(action)])
    made = (pips + value for pips in (beside & 15, beside >> 4))  # its row and its column
    return sorted((pips for pips in made if pips >= SCORES), reverse=True)


def lines_made(s: State, place: int, value: int) -> list[tuple[int, int]]:
    """The lines of 10 to 12 that a tile makes here, the best first; each with the line of this turn that it lengthens,
    and that no longer counts (Z15), or 0."""
    found = []
    for steps in (STEPS[:2], STEPS[2:]):
        sides = [(int(reach(s, int64(place), step)) >> 8, step) for step in steps]
        pips = sum(before for before, _ in sides) + value
        if pips >= SCORES:
            counted = [before for before, step in sides if before >= SCORES and _new(s, place, step)]
            found.append((pips, counted[0] if counted else 0))
    return sorted(found, reverse=True)


def _new(s: State, place: int, step: int) -> bool:
    """Whether a tile of the run from here was laid in this turn."""
    at = (place + int(step)) & 255
    while s.board[at] > 0:
        if has(s.laid, at):
            return True
        at = (at + int(step)) & 255
    return False


def line_through(p: SimpleNamespace, place: int, step: int) -> list[int]:
    """The places of the run of tiles here, from the left or from the bottom."""
    first = place
    while p.board[(first - step) & 255]:
        first -= step
    line = [first]
    while p.board[(line[-1] + step) & 255]:
        line.append(line[-1] + step)
    return line


def scores(p: SimpleNamespace, line: Sequence[int]) -> bool:
    """Whether a line counts (Z15)."""
    pips: int = sum(p.board[place] for place in line)
    return pips >= SCORES
