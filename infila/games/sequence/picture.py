"""Sequence as a picture: the board, the viewer's hand, the sides, the pile and everybody's last discard.

The board is drawn once and has three shapes: here it is tall; `style.css` moves its cells so that they are even, or
wide with the chip beside the card's name, as it suits the room. Only what lies under the cells comes thrice.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from html import escape
from types import SimpleNamespace

from infila.core.picture import GAP, NOW, THEN, Panel, Say, counted, figures, panel, part, use, width_of
from infila.core.record import plain
from infila.games.sequence.board import (
    CARD_NAMES,
    CELLS_OF_FIVES,
    CORNERS,
    PRINTED,
    cells_of,
    is_one_eyed,
    is_two_eyed,
)
from infila.games.sequence.fives import best_five, chips, longest
from infila.games.sequence.notation import CARD_NUMBERS, CELL_NAMES, five_name, is_dead, is_red, rank_sign
from infila.games.sequence.rules import DEAD, DISCARD, LOCK, ONE_EYED, PASS, cell_of
from infila.games.sequence.state import CORNER, EACH, OPEN, SIDE, TURNED, State, needed, side_of

BUTTONS = ("pass", "discards", "side-1", "side-2", "side-3")  # what a page also offers as a button
EDGE = 18  # the frame of the board
CARD = (76, 110)


@dataclass(frozen=True)
class Shape:
    """How the cells of the board lie."""

    kind: str
    across: int  # from cell to cell
    down: int
    centre: tuple[int, int]  # of the chip, in its cell

    @property
    def size(self) -> tuple[int, int]:
        return 2 * EDGE + 10 * self.across - 2, 2 * EDGE + 10 * self.down - 2

    def corner_of(self, cell: int) -> tuple[int, int]:
        """The upper left corner of a cell."""
        return EDGE + cell % 10 * self.across, EDGE + (9 - cell // 10) * self.down

    def spot(self, cell: int) -> tuple[float, float]:
        """Where the chip of a cell has its eyelet."""
        x, y = self.corner_of(cell)
        return x + self.centre[0], y + self.centre[1]


TALL = Shape("tall", 56, 66, (27, 41))
SHAPES = (TALL, Shape("even", 58, 58, (28, 37)), Shape("wide", 68, 54, (45, 26)))


DRAWN = 4096  # pieces of a picture that are not drawn again


@dataclass(frozen=True)
class Spread:
    """How a hand lies: in lines, or all in one."""

    name: str
    kind: str
    line: int  # cards in a line, at most
    gap: float
    step: float  # between lines


LINES = Spread("hand", "wide", 3, 8, 26)
ONE = Spread("hand-narrow", "narrow", 7, 8, 0)


def panels(s: State, viewer: int, names: Sequence[str], say: Say, last: Sequence[str]) -> list[Panel]:
    p = plain(s)
    drawn = [_board(p, viewer, say, last)]
    if viewer >= 0:
        drawn += [_hand(p, viewer, say, spread) for spread in (LINES, ONE)]
    drawn += [_sides(p, say), _pile(p, say, last)]
    return drawn + [_discards(p, seat, seat == viewer, names[seat], say) for seat in range(p.players)]


def note(s: State, action: int) -> str:
    if action >= ONE_EYED:
        return ""
    p = plain(s)
    best = longest(p, side_of(p.sides, p.turn), cell_of(action))
    return str(best) if best >= 3 else ""


def lights(s: State, action: int) -> list[str]:
    """The chips of the best line that a chip would be part of."""
    if action >= ONE_EYED or not note(s, action):
        return []
    p = plain(s)
    five = best_five(p, side_of(p.sides, p.turn), cell_of(action))
    return [f"cell-{CELL_NAMES[cell]}" for cell in CELLS_OF_FIVES[five] if p.board[cell] != OPEN]


def offer(s: State, action: int) -> str:
    """A dead card can be exchanged by a button, and a card that is owed put down."""
    return NOW if DEAD <= action < LOCK else THEN if DISCARD <= action < PASS else ""


def threads(s: State, action: int) -> list[tuple[str, list[str]]]:
    """The best line that a chip would be part of, from its first chip to its last."""
    cells = {*lights(s, action), f"cell-{CELL_NAMES[cell_of(action)]}"} if action < ONE_EYED else set()
    if len(cells) < 2:
        return []
    p = plain(s)
    five = best_five(p, side_of(p.sides, p.turn), cell_of(action))
    return [("", [name for cell in cells_of(five) if (name := f"cell-{CELL_NAMES[cell]}") in cells])]


def tally(s: State) -> list[int]:
    """For each seat, the sequences of its side: the score itself says only who has won."""
    return [int(s.n_sequences[side_of(s.sides, seat)]) for seat in range(s.players)]


course = tally  # what counts at the end, and what a line over time shows


def teams(s: State, say: Say) -> list[tuple[str, str, str, int]]:
    """Of each side its chip, what it is called, and its longest line that can still be a sequence."""
    board = tuple(s.board.tolist())
    turned = [tuple(int(s.sequences[side, i]) for i in range(s.n_sequences[side])) for side in range(s.sides)]
    return [
        (f"chip-{side + 1}", say(f"side_{side + 1}"), say("longest"), _longest(board, side, turned[side]))
        for side in range(s.sides)
    ]


@lru_cache(1000)
def _longest(board: tuple[int, ...], side: int, turned: tuple[int, ...]) -> int:
    """All who look at a table see the same."""
    p = SimpleNamespace(board=board, sequences={side: turned}, n_sequences={side: len(turned)})
    return max(chips(p, side, five) for five in CELLS_OF_FIVES)


def spoken(name: str, say: Say) -> str:
    """A card in words: queen of hearts."""
    rank = rank_sign(name)
    return say("card", rank=rank if rank.isdigit() else say(f"rank_{rank}"), suit=say(f"suit_{name[1]}"))


def _rank(name: str, x: float, y: float, height: float) -> str:
    """The rank of a card, from its upper left."""
    drawn = []
    for sign in rank_sign(name):
        wide = width_of(f"g-{sign}") * height / 100
        drawn.append(use(f"g-{sign}", round(x, 1), y, round(wide, 1), height))
        x += wide + GAP * height / 100
    return "".join(drawn)


def _words(text: str, x: float, y: float, size: float, more: str = "") -> str:
    return f'<text x="{x:g}" y="{y:g}" font-size="{size:g}"{more}>{escape(text)}</text>'


def _board(p: SimpleNamespace, viewer: int, say: Say, last: Sequence[str]) -> Panel:
    lying = sum(here not in (OPEN, CORNER) for here in p.board)
    fives = [five for side in range(p.sides) for five in p.sequences[side][: p.n_sequences[side]]]
    label = counted(say, "board", lying)
    if fives:
        label += f"; {say('board_sequences', names=', '.join(map(five_name, fives)))}"
    own = side_of(p.sides, viewer) + 1 if viewer >= 0 else 0
    reach = _reaches_chips(p, viewer)
    cells = [_cell(cell, p.board[cell], say, f"cell-{CELL_NAMES[cell]}" in last, own, reach) for cell in _in_order()]
    kind = f"sequence mine-{own}" if own else "sequence"
    inside = [
        *(_under(shape, tuple(fives)) for shape in SHAPES),
        '<g color="var(--cell-ink)" fill="none">',
        *cells,
        "</g>",
    ]
    return panel("board", label, *TALL.size, inside, kind=kind, place="board")


@cache
def _ground(shape: Shape) -> str:
    """The board without what is printed on its cells."""
    width, height = shape.size
    cell = f'width="{shape.across - 2}" height="{shape.down - 2}" rx="4"'
    corners = "".join(f'<rect x="{x}" y="{y}" {cell}/>' for x, y in map(shape.corner_of, CORNERS))
    return (
        f'<pattern id="q-{shape.kind}" x="{EDGE}" y="{EDGE}" width="{shape.across}" height="{shape.down}" '
        f'patternUnits="userSpaceOnUse"><rect {cell} fill="var(--cell)"/></pattern>'
        f'<rect width="{width}" height="{height}" rx="8" fill="var(--field-vermilion)"/>'
        f'<rect x="{EDGE}" y="{EDGE}" width="{width - 2 * EDGE}" height="{height - 2 * EDGE}" '
        f'fill="url(#q-{shape.kind})"/><g fill="var(--sunk)">{corners}</g>{_coordinates(shape)}'
    )


def _under(shape: Shape, fives: tuple[int, ...]) -> str:
    """What lies under the cells of a board of this shape, and the threads through its sequences."""
    hidden = "" if shape is TALL else ' display="none"'
    threads = "".join(_thread(shape, five) for five in fives)
    return f'<g class="on-{shape.kind}"{hidden}>{_ground(shape)}{threads}</g>'


def _in_order() -> Iterator[int]:
    """The cells in reading order, row 10 first."""
    return (10 * row + column for row in range(9, -1, -1) for column in range(10))


def _coordinates(shape: Shape) -> str:
    height = shape.size[1]
    letters = [
        _words("abcdefghij"[i], EDGE + shape.across // 2 - 1 + i * shape.across, height - 5, 10.5) for i in range(10)
    ]
    numbers = [_words(str(10 - i), 8.5, EDGE + shape.down // 2 + 3 + i * shape.down, 10.5) for i in range(10)]
    return (
        '<g class="coordinates" font-weight="700" fill="var(--piece)" text-anchor="middle" aria-hidden="true">'
        f"{''.join(letters + numbers)}</g>"
    )


def _thread(shape: Shape, five: int) -> str:
    """The thread through a completed sequence; it sticks out at both ends."""
    (x, y), (to, then) = shape.spot(cells_of(five)[0]), shape.spot(cells_of(five)[-1])
    out = 24 / ((to - x) ** 2 + (then - y) ** 2) ** 0.5
    dx, dy = (to - x) * out, (then - y) * out
    return (
        f'<path class="thread" d="M{x - dx:.1f} {y - dy:.1f}L{to + dx:.1f} {then + dy:.1f}" '
        'stroke="var(--ink)" stroke-width="5" stroke-linecap="round"/>'
    )


def _reaches_chips(p: SimpleNamespace, viewer: int) -> bool:
    """S9, S12: whether chips on the board can be a target now: for a one-eyed jack, or as the ends of a five."""
    return viewer >= 0 and (p.locking > 0 or is_one_eyed(max(p.hand[viewer])))


def _eyelet(cell: int, here: int, own: int, reach: bool) -> str:
    """Where something can be done: a ring, and the chip as it will lie once the cell is chosen."""
    x, y = TALL.spot(cell)
    if here != OPEN and not reach:
        return ""
    ghost = f'<use class="ghost" href="#q-c{own}"/>' if own and here == OPEN else ""
    inside = f'<circle/>{ghost}<text class="note" y="4.6"/>'
    return f'<g class="eyelet" transform="translate({x} {y})">{inside}</g>'


@lru_cache(DRAWN)
def _cell(cell: int, here: int, say: Say, last: bool, own: int, reach: bool) -> str:
    name, printed = CELL_NAMES[cell], PRINTED[cell]
    x, y = TALL.spot(cell)
    eyelet = _eyelet(cell, here, own, reach)
    if here == CORNER:
        drawn = f'<g transform="translate({x} {y})">{use("q-corner", -22, -31, 44, 44)}</g>'
        return part(f"cell-{name}", say("corner", cell=name), drawn, eyelet, kind="corner last" if last else "corner")
    side = here & SIDE
    key = "cell_open" if here == OPEN else "cell_safe" if here >= TURNED else "cell_chip"
    label = say(key, cell=name, card=spoken(printed, say), chip=say(f"chip_{side}") if side else "")
    ink = ' color="var(--cell-red)"' if is_red(printed) else ""
    body = (
        '<path class="hit" d="M-25.5-39.5h51v61h-51z"/>'
        + f'<use href="#q-r{printed[0]}"/><use href="#q-s{printed[1]}"/>'
        + (f'<use class="chip" href="#q-c{side}{"t" if here >= TURNED else ""}"/>' if side else "")
        + (f'<g class="ring-last">{_RING}{_FOLD}</g>' if last else "")
    )
    inside = f'<g transform="translate({x} {y})"{ink}>{body}</g>'
    kind = " ".join(["filled"] * bool(side) + ["last"] * last)
    return part(f"cell-{name}", label, inside, eyelet, kind=kind)


_RING = '<rect x="-25.5" y="-39.5" width="51" height="61" rx="3" fill="none" stroke="var(--ink)" stroke-width="3"/>'
_FOLD = '<path d="M26 8v14h-14z" fill="var(--ink)"/>'


def _card(name: str, x: float, y: float, width: float) -> str:
    """A card as it is held; jacks show what they do by their eyes."""
    suit, colour = f"s-{name[1]}", "var(--piece-red)" if is_red(name) else "var(--piece-ink)"
    body = use("q-card", 0, 0, *CARD) + _rank(name, 7.6, 8.4, 27)
    if name[0] == "J":
        body += use(suit, 51.7, 8.4, 17.5, 17.5)
        body += use("jack-2" if is_two_eyed(CARD_NUMBERS[name]) else "jack-1", 12.2, 43.2, 51.7, 53.8)
    else:
        body += use(suit, 15.2, 42.6, 57.8, 57.8)
    return f'<g transform="translate({x:.1f} {y:.1f}) scale({width / CARD[0]:.3f})" color="{colour}">{body}</g>'


def _hand(p: SimpleNamespace, viewer: int, say: Say, spread: Spread) -> Panel:
    """The cards alone: what shows their state lies around them, beyond the edge of the picture."""
    held = [CARD_NAMES[card] for card in p.hand[viewer][: p.n_hand[viewer]]]
    full = int(EACH[p.players])
    columns = 4 if full == 7 and spread is LINES else min(full, spread.line)
    wide, tall = CARD[0], CARD[1]
    inside = []
    for i, name in enumerate(held):
        x, y = i % columns * (wide + spread.gap), i // columns * (tall + spread.step)
        inside.append(_held(name, _dead(p, name), held[:i].count(name), (x, y, wide, tall), say))
    spoken_cards = ", ".join(_label(name, _dead(p, name), say) for name in held)
    label = say("hand", cards=spoken_cards) if held else say("hand_none")
    lines = -(-full // columns)
    size = columns * (wide + spread.gap) - spread.gap, lines * (tall + spread.step) - spread.step
    return panel(spread.name, label, *size, inside, kind=f"sequence {spread.kind}", place="own")


def _dead(p: SimpleNamespace, name: str) -> bool:
    return is_dead(p, CARD_NUMBERS[name])


def _label(name: str, dead: bool, say: Say) -> str:
    words = spoken(name, say)
    if dead:
        return say("dead", card=words)
    if name[0] == "J":
        return say("two_eyed" if is_two_eyed(CARD_NUMBERS[name]) else "one_eyed", card=words)
    return words


@lru_cache(DRAWN)
def _held(name: str, dead: bool, before: int, box: tuple[float, float, float, float], say: Say) -> str:
    x, y, wide, tall = box
    strike = (
        f'<path class="strike" d="M{x + 4:.1f} {y + tall - 5:.1f}L{x + wide - 4:.1f} {y + 4:.1f}" '
        'stroke="var(--ink)" stroke-width="3"/>'
    )
    face = f'<g opacity=".5">{_card(name, x, y, wide)}</g>' if dead else _card(name, x, y, wide)
    return part(
        f"hand-{name}",
        _label(name, dead, say),
        f'<g class="piece">{face}{strike if dead else ""}</g>',
        f'<path class="bar" d="M{x + wide / 2 - 13:.1f} {y + tall + 9:.1f}h26"/>',
        f'<rect class="frame" x="{x - 4:.1f}" y="{y - 4:.1f}" width="{wide + 8:.1f}" height="{tall + 8:.1f}" rx="10"/>',
        kind="dead" if dead else "",
        nth=before + 1 if before else 0,
        origin="pile",
    )


def _sides(p: SimpleNamespace, say: Say) -> Panel:
    """How many sequences each side has, of how many it needs."""
    wanted = needed(p.sides)
    gap, wide = 6, (320 - 6 * (p.sides - 1)) / p.sides
    inside = []
    for side in range(p.sides):
        x = side * (wide + gap)
        won = p.winner == side + 1
        ground, ink = ("var(--ink)", "var(--on-ink)") if won else ("var(--raised)", "var(--ink)")
        done = p.n_sequences[side]
        of = say("of", n=wanted)
        number = 58 if done != 1 else 54
        name = say(f"side_{side + 1}")
        drawn = (
            f'<rect x="{x:.1f}" width="{wide:.1f}" height="52" rx="4" fill="{ground}"/>'
            + use(f"chip-{side + 1}t", round(x + 6, 1), 11, 28, 29.4, **(_RIM if won else {}))
            + f'<g fill="{ink}" color="{ink}">'
            + figures(str(done), x + 40, 8, 18, "start")
            + _words(of, round(x + number, 1), 25, 13, ' class="soft"')
            + _words(name, round(x + 40, 1), 43, 13, ' font-weight="700"')
            + "</g>"
            + f'<rect class="frame" x="{x + 2:.1f}" y="2" width="{wide - 4:.1f}" height="48" rx="4"/>'
            + f'<g class="eyelet"><circle cx="{x + wide - 14:.1f}" cy="14"/><text class="note"/></g>'
        )
        inside.append(part(f"side-{side + 1}", say("side", name=name, n=done, wanted=wanted), drawn))
    return panel("sides", say("sides"), 320, 52, inside, kind="sequence")


def _pile(p: SimpleNamespace, say: Say, last: Sequence[str]) -> Panel:
    """The pile from which cards are drawn."""
    pile = (
        use("q-back", 4, 4, 42, 60.8)
        + (use("q-back", 1, 1, 42, 60.8) if p.n_pile > 1 else "")
        + figures(str(p.n_pile), 60, 12, 22, "start", "var(--ink)")
        + _words(say("pile_words"), 60, 53, 14, ' fill="var(--ink-2)"')
        + '<path class="bar" d="M13 68h18"/><rect class="frame" x="-2" y="-2" width="51" height="69" rx="5"/>'
        + '<g class="eyelet"><circle cx="23" cy="32"/><text class="note" x="23" y="36"/></g>'
    )
    if p.n_pile == 0:
        pile = pile.replace(use("q-back", 4, 4, 42, 60.8), _EMPTY.format(x=4, y=4, wide=40, tall=57))
    inside = [part("pile", say("pile", n=p.n_pile), pile, kind="last" if "pile" in last else "")]
    return panel("pile", say("piles"), 320, 70, inside, kind="sequence")


_EMPTY = (
    '<rect x="{x}" y="{y}" width="{wide}" height="{tall}" rx="3" fill="none" stroke="var(--edge)" '
    'stroke-width="1.5" stroke-dasharray="4 3"/>'
)


def _discards(p: SimpleNamespace, seat: int, own: bool, name: str, say: Say) -> Panel:
    """A seat's discard on top, beside its name."""
    cards = [card for card, by in zip(p.discards[: p.n_discards], p.discarded_by, strict=False) if by == seat]
    if cards:
        label = say("discard", name=name, card=spoken(CARD_NAMES[cards[-1]], say), n=p.n_hand[seat])
        top = _mini(CARD_NAMES[cards[-1]], 3, 3)
    else:
        label = say("discard_none", name=name, n=p.n_hand[seat])
        top = _EMPTY.format(x=4, y=3.5, wide=25, tall=35)
    drawn = (
        top
        + '<rect class="frame" x="1" y="1" width="30" height="41" rx="4"/>'
        + '<g class="eyelet"><circle cx="16" cy="22"/><text class="note"/></g>'
    )
    inside = [part("discards" if own else f"discards-{seat + 1}", label, drawn)]
    return panel(f"discards-{seat + 1}", label, 32, 43, inside, kind="sequence", place="seat")


_RIM = {"stroke": "var(--on-ink)", "stroke-width": "2"}  # so that a blue chip can be seen on ink


def _mini(name: str, x: float, y: float) -> str:
    """A card on a discard pile."""
    colour = "var(--piece-red)" if is_red(name) else "var(--piece-ink)"
    body = use("q-card", 0, 0, 26, 37.6) + _rank(name, 4, 4, 11) + use(f"s-{name[1]}", 6, 18, 15, 15)
    return f'<g transform="translate({x:g} {y:g})" color="{colour}">{body}</g>'
