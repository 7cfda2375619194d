"""Sequence in a terminal: the board beside the seats, the hand below."""

from collections.abc import Sequence
from types import SimpleNamespace

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from infila.core.record import plain
from infila.core.terminal import BACK
from infila.games.sequence.board import CARD_NAMES, PRINTED, is_one_eyed, is_two_eyed
from infila.games.sequence.notation import CELL_NAMES, SUITS, five_name, is_dead, is_red, owing_seats
from infila.games.sequence.state import CORNER, OPEN, SIDE, TURNED, State, needed, side_of

LOOSE, SAFE = "●■▲", "◉▣◬"  # each side's chip, and turned over
INKS = ("#c8321e", "#1e3f8c", "#a06c00")  # on paper
LIGHTS = ("#e0523c", "#6f97e8", "#d9a21b")  # on the terminal's own ground, dark or light
PAPER = ("#fbf6ea", "#efe6d2")
RED, BLACK = "#b3261e", "#1b1b1b"
SHADOW = "#9a917f"  # what is printed under a chip
NAME_WIDTH = 9


def card(name: str, dead: bool = False) -> Text:
    """A card as held."""
    if name == "?":
        return Text(" ▒▒ ", style=BACK)
    style = f"bold {_ink(name)} on {PAPER[0]}"
    return Text(f" {name[0]}{SUITS[name[1]]} ", style=f"strike {SHADOW} on {PAPER[1]}" if dead else style)


def _ink(name: str) -> str:
    return RED if is_red(name) else BLACK


def _cell(p: SimpleNamespace, cell: int) -> Text:
    here, name = p.board[cell], PRINTED[cell]
    paper = PAPER[(cell + cell // 10) % 2]
    if here == CORNER:
        return Text("  ✱  ", style="bold white on #6b6455")
    printed = f"{name[0]}{SUITS[name[1]]}"
    if here == OPEN:
        return Text(f" {printed}  ", style=f"{_ink(name)} on {paper}")
    side = (here & SIDE) - 1
    if cell == p.locking - 1:
        return Text(f"▸{printed}{LOOSE[side]} ", style=f"bold white on {INKS[side]}")
    if here >= TURNED:
        return Text(f" {printed}{SAFE[side]} ", style=f"bold white on {INKS[side]}")
    return Text.assemble((f" {printed}", f"{SHADOW} on {paper}"), (f"{LOOSE[side]} ", f"bold {INKS[side]} on {paper}"))


def _board(p: SimpleNamespace) -> Text:
    letters = Text("   " + "".join(f"  {column}  " for column in "abcdefghij") + "\n", style="dim")
    lines = [letters]
    for row in range(9, -1, -1):
        number = Text(f"{row + 1:>2} ", style="dim")
        cells = [_cell(p, 10 * row + column) for column in range(10)]
        lines.append(Text.assemble(number, *cells, (f" {row + 1:<2}\n", "dim")))
    return Text.assemble(*lines, letters)


def _last_discard(p: SimpleNamespace, seat: int) -> Text:
    own = [card for card, by in zip(p.discards[: p.n_discards], p.discarded_by, strict=False) if by == seat]
    return card(CARD_NAMES[own[-1]]) if own else Text(" –– ", style="dim")


def _seats(p: SimpleNamespace, viewer: int, names: Sequence[str]) -> Table:
    table = Table(box=None, padding=(0, 0, 0, 1), header_style="dim")
    table.add_column(width=2)
    table.add_column(width=NAME_WIDTH)
    table.add_column("hand", justify="center")
    table.add_column("last")
    for seat in range(p.players):
        on_turn = seat == p.turn and not p.ended
        side = side_of(p.sides, seat)
        name = names[seat]
        if len(name) > NAME_WIDTH:
            name = f"{name[: NAME_WIDTH - 3]}…{name[-2:]}"
        style = "bold" if on_turn else ""
        table.add_row(
            Text.assemble(("▶" if on_turn else " ", "red"), (LOOSE[side], f"bold {LIGHTS[side]}")),
            Text.assemble((name, f"{style} underline" if seat == viewer else style)),
            Text(f"{p.n_hand[seat]}", style=style),
            _last_discard(p, seat),
        )
    return table


def _sides(p: SimpleNamespace, goal: int) -> list[Text]:
    lines = []
    for side in range(p.sides):
        fives = [five_name(five) for five in p.sequences[side][: p.n_sequences[side]]]
        mark = (f"{LOOSE[side]} side {side + 1}  ", f"bold {LIGHTS[side]}")
        lines.append(Text.assemble(mark, f"{len(fives)} of {goal}", *(f"\n  {five}" for five in fives)))
    return lines


def _spoken(seats: Sequence[int], names: Sequence[str]) -> str:
    return ", ".join(names[seat] for seat in seats)


def _state(p: SimpleNamespace, names: Sequence[str]) -> Text:
    """What the table is waiting for."""
    if p.winner:
        winners = _spoken([seat for seat in range(p.players) if side_of(p.sides, seat) == p.winner - 1], names)
        return Text(f"{LOOSE[p.winner - 1]} side {p.winner} has won: {winners}", style=f"bold {LIGHTS[p.winner - 1]}")
    if p.ended:
        return Text("a draw", style="bold")
    if p.owing:
        return Text(f"a discard is owed by {_spoken(owing_seats(p), names)}", style="bold red")
    if p.locking:
        return Text(
            f"{names[p.turn]}: which five with {CELL_NAMES[p.locking - 1]} are turned over? lock …", style="bold"
        )
    exchanged = ", a dead card is exchanged" if p.exchanged else ""
    return Text(f"{names[p.turn]} is on turn{exchanged}")


def _hints(p: SimpleNamespace, hand: list[int]) -> list[str]:
    """What is special about a hand."""
    dead = sorted({CARD_NAMES[card] for card in hand if is_dead(p, card)})
    hints = []
    if any(map(is_two_eyed, hand)):
        hints.append("J♣ J♦ have two eyes: a chip on any open cell")
    if any(map(is_one_eyed, hand)):
        hints.append("J♠ J♥ have one eye: remove a chip of another side")
    if dead:
        hints.append(f"dead, both cells are covered: {' '.join(dead)}")
    return hints


def draw(s: State, viewer: int, names: Sequence[str]) -> RenderableType:
    p = plain(s)
    title = Text.assemble(
        ("Sequence", "bold"),
        f"   turn {p.turns + (0 if p.ended or p.locking else 1)}   pile {p.n_pile}   dealer {names[p.dealer]}",
    )
    beside = Table.grid()
    beside.add_row(_seats(p, viewer, names))
    beside.add_row(Text())
    for line in _sides(p, needed(p.sides)):
        beside.add_row(line)
    middle = Table.grid(padding=(0, 1, 0, 0))
    middle.add_row(_board(p), beside)
    parts: list[RenderableType] = [title, Text(), middle, _state(p, names)]
    if p.n_undrawn:
        parts.append(Text(f"may still draw: {_spoken(p.undrawn[: p.n_undrawn], names)}"))
    if viewer >= 0:
        hand = p.hand[viewer][: p.n_hand[viewer]]
        cards = [card(CARD_NAMES[held], is_dead(p, held)) for held in hand] or [Text("empty", style="dim")]
        suits = Text("   " + " ".join(f"{letter}{sign}" for letter, sign in SUITS.items()), style="dim")
        parts += [Text(), Text.assemble("your hand  ", Text(" ").join(cards), suits)]
        parts += [Text(f"           {hint}", style="dim") for hint in _hints(p, hand)]
    return Group(*parts)
