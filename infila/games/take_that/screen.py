"""Take That in a terminal."""

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from infila.core.record import plain
from infila.core.terminal import BACK, seat_name
from infila.games.take_that.notation import cards_of
from infila.games.take_that.rules import MINUS, PLUS, State, is_toad
from infila.games.take_that.scoring import cost_of


def card(number: int) -> Text:
    """A card as ▕34▏; toads on yellow, unseen ones as a back."""
    if number == 0:
        return Text(" ▒▒ ", style=BACK)
    return Text(f" {number} ", style="bold black on yellow" if is_toad(number) else "black on white")


def cards(numbers: Sequence[int]) -> Text:
    return Text(" ").join(card(int(number)) for number in numbers) if len(numbers) else Text("–", style="dim")


def draw(s: State, viewer: int, names: Sequence[str]) -> RenderableType:
    p = plain(s)
    row = p.row[: p.n_row]
    title = Text.assemble(
        ("Take That", "bold"), f"   round {p.round_now + 1} of {p.rounds}   pile {p.n_pile}   dealer {names[p.dealer]}"
    )
    middle = Text.assemble("row  ", cards(row), f"   taking it costs {cost_of(row)}" if row else "   no row yet")
    seats = Table(box=None, padding=(0, 2, 0, 0), show_header=False)
    for seat in range(p.players):
        hand = p.hand[seat][: p.n_hand[seat]]
        seats.add_row(
            seat_name(seat, names, on_turn=seat == p.turn and not p.ended),
            Text(f"{p.points[seat]:+d}" if p.round_now or p.ended else ""),
            Text.assemble(("plus ", "green"), cards(cards_of(p, PLUS, seat))),
            Text.assemble(("minus ", "red"), cards([*cards_of(p, MINUS, seat), *p.extra[seat][: p.n_extra[seat]]])),
            Text(f"{len(hand)} in hand"),
        )
    parts: list[RenderableType] = [title, Text(), middle, Text(), seats]
    if viewer >= 0:
        parts += [Text(), Text.assemble("your hand  ", cards(p.hand[viewer][: p.n_hand[viewer]]))]
    return Group(*parts)
