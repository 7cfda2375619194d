"""Zatre in a terminal."""

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from infila.core.record import plain
from infila.core.terminal import BACK, seat_name
from infila.games.zatre.board import PLAN, SIDE, VALUES
from infila.games.zatre.notation import places, tiles
from infila.games.zatre.scoring import bonus, boxes, row_points

DARK, LIGHT, RED = "grey62 on #22407a", "black on #e0a030", "white on red"
TILE, LAID, OWING = "bold black on white", "bold black on bright_green", "bold white on red"
SHEETS_IN_A_ROW = 3


def draw(s: Any, viewer: int, names: Sequence[str]) -> RenderableType:
    s = plain(s)
    title = Text.assemble(("Zatre", "bold"), f"   {s.n_bag} in the bag   keeping {('free', 'forced')[s.keeping]}")
    if s.teams:
        title.append("   teams")
    if s.opening:
        title.append("   opening: lay all three, the first on h8")
    top = Table.grid(padding=(0, 3))
    top.add_row(_board(s), Group(*_seats(s, viewer, names), Text(), *_legend(s)))
    sheets = Table.grid(padding=(0, 2, 0, 0))
    drawn = [_sheet(s, sheet, names) for sheet in range(s.players >> s.teams)]
    for first in range(0, len(drawn), SHEETS_IN_A_ROW):
        sheets.add_row(*drawn[first : first + SHEETS_IN_A_ROW])
    return Group(title, Text(), top, Text(), sheets)


def _board(s: SimpleNamespace) -> Text:
    laid, owing = set(places(s.laid)), set(places(s.owing))
    text = Text()
    for row in reversed(range(SIDE)):
        text.append(f"{row + 1:2} ", "dim")
        for column, cell in enumerate(PLAN[SIDE - 1 - row]):
            place = 16 * row + column
            text.append_text(_cell(cell, s.board[place], place in laid, place in owing))
        text.append("\n")
    text.append("   " + "".join(f" {letter} " for letter in "abcdefghijklmno"), "dim")
    return text


def _cell(cell: str, value: int, laid: bool, owing: bool) -> Text:
    if owing:
        return Text(f"({value})", OWING)
    if laid:
        return Text(f"[{value}]", LAID)
    if value:
        return Text(f" {value} ", TILE)
    return {"#": Text("   "), ".": Text(" · ", DARK), "o": Text(" o ", LIGHT), "R": Text(" R ", RED)}[cell]


def _legend(s: SimpleNamespace) -> list[Text]:
    lines = [Text.assemble((" o ", LIGHT), " light cell")]
    if any(s.laid):
        lines.append(Text.assemble(("[5]", LAID), " laid in this turn"))
    if any(s.owing):
        lines.append(Text.assemble(("(5)", OWING), " to be made good"))
    return lines


def _seats(s: SimpleNamespace, viewer: int, names: Sequence[str]) -> list[Text]:
    lines = []
    for seat in range(s.players):
        line = seat_name(seat, names, on_turn=seat == s.turn and not s.ended)
        if seat == s.starter:
            line.append(" (began)", "dim")
        lines += [line, Text.assemble("  ", _hand(s, seat))]
        if s.n_known[seat] and "?" in tiles(s.hand[seat], s.n_hand[seat]):
            least = s.known_from[seat]
            values = f"{least}" if least == VALUES else f"{least} to {VALUES}"
            lines.append(Text(f"  {s.n_known[seat]} of them {values}", "dim"))
    return lines


def _hand(s: SimpleNamespace, seat: int) -> Text:
    hand = tiles(s.hand[seat], s.n_hand[seat])
    if not hand:
        return Text("no tiles", "dim")
    if len(hand) > 6 and "?" in hand:
        return Text.assemble(("▒", BACK), f" × {len(hand)}")
    return Text(" ").join(Text("▒", BACK) if tile == "?" else Text(f" {tile} ", TILE) for tile in hand)


def _sheet(s: SimpleNamespace, sheet: int, names: Sequence[str]) -> Table:
    seats = [seat for seat in range(s.players) if seat >> s.teams == sheet]
    table = Table(
        title=" + ".join(names[seat] for seat in seats),
        title_style="bold",
        title_justify="left",
        box=None,
        padding=(0, 1, 0, 0),
        header_style="dim",
    )
    for heading in ("x2", "10", "11", "12", "bonus", "total"):
        table.add_column(heading, justify="right")
    total = 0
    rows = boxes(s, sheet)
    for row, counts in enumerate([*rows, (0, 0, 0)]):
        cross = row < s.crosses[sheet]
        points = row_points(row, counts, cross)
        total += points
        table.add_row(
            Text("X" if cross else "", "red"),
            *(str(2**column * count) if count else "·" for column, count in enumerate(counts)),
            Text(str(bonus(row)), "bold green" if all(counts) else "dim"),
            str(points) if row < len(rows) else "",
        )
    if s.ended:
        minus = sum(value * s.hand[seat][value - 1] for seat in seats for value in range(1, VALUES + 1))
        table.add_row("", "", "", "", "minus", str(-minus))
        total -= minus
    table.add_row("", "", "", "", "sum", Text(str(total), "bold"))
    return table
