"""Connect Four in a terminal."""

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.text import Text

from infila.core.terminal import seat_name
from infila_connect_four.notation import LETTERS, owner
from infila_connect_four.rules import COLUMNS, ROWS, State

DISCS = (Text(" · ", "dim"), Text(" ● ", "red"), Text(" ◆ ", "blue"))  # told apart without colours, too


def draw(s: State, viewer: int, names: Sequence[str]) -> RenderableType:
    rows: list[RenderableType] = [Text("Connect Four", "bold"), Text()]
    for row in range(ROWS - 1, -1, -1):
        cells = Text("").join(DISCS[owner(s, column, row)] for column in range(COLUMNS))
        rows.append(Text.assemble((f"{row + 1} ", "dim"), cells))
    rows += [Text("  " + "".join(f" {letter} " for letter in LETTERS), "dim"), Text()]
    for seat in range(2):
        on_turn = seat == s.turn and not s.ended
        rows.append(Text.assemble(seat_name(seat, names, on_turn), DISCS[seat + 1]))
    return Group(*rows)
