"""Completto in a terminal."""

from collections.abc import Sequence
from types import SimpleNamespace

from rich.console import Group, RenderableType
from rich.text import Text

from infila.core.record import plain
from infila.core.terminal import BACK, seat_name
from infila.games.completto.notation import (
    covered_in,
    fitting_tiles,
    open_tiles,
    places_for,
    range_text,
    readings,
    row_length,
    row_of,
)
from infila.games.completto.rules import START, State

OPEN = "black on white"
TURNED_OVER = "black on yellow"
FITS = "black on green"


def tile(number: int, style: str) -> Text:
    """A tile, three columns wide."""
    return Text.assemble((f"{number:>2}", style), "" if number > 99 else " ")


def row(p: SimpleNamespace, seat: int) -> list[Text]:
    """The places, the tiles, and what the turned ones really are."""
    places = Text("  ").append("".join(f"{place + 1:>2} " for place in range(row_length(p, seat))), style="dim")
    tiles = Text("  ")
    turned = []
    for own, shown in row_of(p, seat):
        if shown == 0:
            tiles.append("▒▒", style=BACK).append(" ")
        elif shown == own:
            tiles.append_text(tile(shown, OPEN))
        else:
            tiles.append(f"{shown:>2}", style=TURNED_OVER).append("↻", style="yellow")
            turned.append(f"{shown} is tile {own}")
    lines = [places, tiles]
    if turned:
        lines.append(Text(f"  ↻ {', '.join(turned)}, upside down", style="yellow"))
    return lines


def seat_lines(p: SimpleNamespace, seat: int, names: Sequence[str]) -> list[Text]:
    whose = seat_name(seat, names, on_turn=seat == p.turn and not p.ended)
    head = Text.assemble(whose, f"   {covered_in(p, seat)} covered")
    if p.games > 1 and (p.game_now or p.ended):
        head.append(f"   {p.points[seat]} minus points", style="red" if p.points[seat] else "")
    return [head, *row(p, seat), Text()]


def middle(s: State, p: SimpleNamespace, names: Sequence[str]) -> list[Text]:
    lying = open_tiles(p)
    lines = [Text.assemble("middle  ", ("▒▒", BACK), f" {p.n_covered} covered   {len(lying)} open")]
    fitting = fitting_tiles(s)
    for first in range(0, len(lying), 20):
        line = Text("        ")
        for number in lying[first : first + 20]:
            line.append_text(tile(number, FITS if number in fitting else OPEN))
        lines.append(line)
    if fitting:
        fit = "fits" if len(fitting) == 1 else "fit"
        lines.append(Text(f"        {', '.join(map(str, fitting))} {fit} in the row of {names[p.turn]}", style="green"))
    return lines


def hand(s: State, p: SimpleNamespace) -> list[Text]:
    """The tile in hand and where it can go, either way up."""
    lines = []
    for number in readings(p.hand):
        places = places_for(s, number)
        where = f"can go to {range_text(places)}" if places else "fits nowhere"
        style, note = (OPEN, "") if number == p.hand else (TURNED_OVER, "upside down, ")
        lines.append(Text.assemble("in hand ", tile(number, style), f" {note}{where}"))
    return lines


def draw(s: State, viewer: int, names: Sequence[str]) -> RenderableType:
    p = plain(s)
    title = Text.assemble(("Completto", "bold"), f"   game {p.game_now + 1} of {p.games}")
    title.append("   the start" if p.phase == START else f"   {p.turns} turns")
    title.append(f"   first: {names[p.starter]}")
    lines = [title, Text()]
    for seat in range(p.players):
        lines += seat_lines(p, seat, names)
    lines += middle(s, p, names)
    if p.hand:
        lines += hand(s, p)
    return Group(*lines)
