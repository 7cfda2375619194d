"""Zatre in a terminal."""

from collections.abc import Sequence
from types import SimpleNamespace

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from infila.core.record import plain
from infila.core.terminal import BACK, seat_name
from infila.games.zatre.board import PLAN
from infila.games.zatre.notation import LETTERS, places, tiles
from infila.games.zatre.rules import printed_bonus
from infila.games.zatre.sheet import seats_of, sheet_of, sheets
from infila.games.zatre.state import FULL, SCORES, SIDE, VALUES, State

DARK, LIGHT, RED = "grey62 on #22407a", "black on #e0a030", "white on red"
TILE, LAID, OWING = "bold black on white", "bold black on bright_green", "bold white on red"
SHEETS_IN_A_ROW = 3


def draw(s: State, viewer: int, names: Sequence[str]) -> RenderableType:
    p = plain(s)
    title = Text.assemble(("Zatre", "bold"), f"   {p.n_bag} in the bag   keeping {('free', 'forced')[p.keeping]}")
    if p.teams:
        title.append("   teams")
    if p.opening:
        title.append("   opening: lay all three, the first on h8")
    top = Table.grid(padding=(0, 3))
    top.add_row(_board(p), Group(*_seats(p, viewer, names), Text(), *_legend(p)))
    below = Table.grid(padding=(0, 2, 0, 0))
    drawn = [_sheet(p, sheet, names) for sheet in range(sheets(p))]
    for first in range(0, len(drawn), SHEETS_IN_A_ROW):
        below.add_row(*drawn[first : first + SHEETS_IN_A_ROW])
    return Group(title, Text(), top, Text(), below)


def _board(s: SimpleNamespace) -> Text:
    laid, owing = set(places(s.laid)), set(places(s.owing))
    text = Text()
    for row in reversed(range(SIDE)):
        text.append(f"{row + 1:2} ", "dim")
        for column, cell in enumerate(PLAN[SIDE - 1 - row]):
            place = 16 * row + column
            text.append_text(_cell(cell, s.board[place], place in laid, place in owing))
        text.append("\n")
    text.append("   " + "".join(f" {letter} " for letter in LETTERS), "dim")
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


def _sheet(s: SimpleNamespace, number: int, names: Sequence[str]) -> Table:
    sheet = sheet_of(s, number)
    table = Table(
        title=" + ".join(names[seat] for seat in seats_of(s, number)),
        title_style="bold",
        title_justify="left",
        box=None,
        padding=(0, 1, 0, 0),
        header_style="dim",
    )
    for heading in ("x2", *map(str, range(SCORES, FULL)), "bonus", "total"):
        table.add_column(heading, justify="right")
    for row, points in enumerate([*sheet.totals(), None]):
        table.add_row(
            Text("X" if sheet.crossed(row) else "", "red"),
            *(str(box or "·") for box in sheet.boxes(row)),
            Text(str(printed_bonus(row)), "bold green" if sheet.full(row) else "dim"),
            "" if points is None else str(points),
        )
    if s.ended:
        table.add_row("", "", "", "", "minus", str(-sheet.minus))
    table.add_row("", "", "", "", "sum", Text(str(sheet.total()), "bold"))
    return table
