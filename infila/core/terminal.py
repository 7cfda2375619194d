"""What the games' screens share."""

from collections.abc import Sequence

from rich.text import Text

BACK = "white on blue"  # the back of a card or tile


def seat_name(seat: int, names: Sequence[str], on_turn: bool) -> Text:
    return Text.assemble(("▶ " if on_turn else "  ", "red"), (names[seat], "bold" if on_turn else ""))
