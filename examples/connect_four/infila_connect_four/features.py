"""Connect Four as numbers to learn from (`infila.core.features`)."""

import numpy as np

from infila.core.features import Feature, Symmetry, identity, lay_out, permuted
from infila.core.record import Ints
from infila.core.rule import rule
from infila_connect_four.rules import ACTIONS, COLUMNS, ROWS, STEP, State

FEATURES = lay_out(
    Feature("mine", (COLUMNS, ROWS), 0, 1, "the viewer's discs, column by column from below"),
    Feature("theirs", (COLUMNS, ROWS), 0, 1, "the other seat's discs"),
    Feature("my_turn", (1,), 0, 1, "the viewer is on turn"),
    Feature("over", (1,), 0, 1, "the game is over"),
)
SIZE = sum(feature.size for feature in FEATURES)

_MIRRORED = np.arange(COLUMNS * ROWS).reshape(COLUMNS, ROWS)[::-1]
SYMMETRIES = (
    identity(SIZE, ACTIONS),
    Symmetry("mirrored", permuted(FEATURES, mine=_MIRRORED, theirs=_MIRRORED), np.arange(ACTIONS)[::-1]),
)


@rule
def observe(s: State, viewer: int, out: Ints) -> None:
    cells = COLUMNS * ROWS
    for i in range(SIZE):
        out[i] = 0
    for column in range(COLUMNS):
        for row in range(ROWS):
            bit = STEP * column + row
            out[ROWS * column + row] = (s.discs[viewer] >> bit) & 1
            out[cells + ROWS * column + row] = (s.discs[1 - viewer] >> bit) & 1
    out[2 * cells] = s.turn == viewer
    out[2 * cells + 1] = s.ended
