"""Completto as a picture: everybody's row, the middle (its covered tiles; panel `open`: those open), the tile in hand.

The viewer's own row has places to touch, `place-13`, and is drawn in one, two and three lines; the others, whose
places are called `row-2-place-13`, lie beside their names. Moving a covered tile begins at the first of a run of
covered ones: the others of the run refer to it with `data-same`.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from html import escape
from itertools import pairwise
from types import SimpleNamespace

from infila.core.picture import Panel, Say, figures, panel, part, use
from infila.core.record import plain
from infila.games.completto.notation import (
    TURNED,
    completes_row,
    covered_in,
    fitting_tiles,
    open_tiles,
    partner_at,
    places_for,
    placing,
    readings,
    row_of,
)
from infila.games.completto.rules import ABOVE, BELOW, DRAW, ROW, START, TURN, State, minus_points, numbers_between

BUTTONS: tuple[str, ...] = ()  # everything is done in the picture
UNIT = "heap_words"  # of the tally
TALL = 10 / 7  # of a tile; its lower edge comes on top
EDGE = 1.04
DRAWN = 4096  # pieces of a picture that are not drawn again


@dataclass(frozen=True)
class Shape:
    """Where the tiles of a row lie."""

    kind: str
    name: str  # of the panel, after the row's
    width: float
    height: float
    tile: float
    pitch: float
    lines: tuple[int, ...]  # tiles in each
    top: float
    step: float  # from line to line
    figure: float  # size of the numbers of the places

    def at(self, place: int) -> tuple[float, float]:
        line, first = _line_of(self.lines, place)
        left = (self.width - max(self.lines) * self.pitch + self.pitch - self.tile) / 2
        return left + (place - first) * self.pitch, self.top + line * self.step


@cache
def _line_of(lines: tuple[int, ...], place: int) -> tuple[int, int]:
    """In which line a place is, and the first place of that line."""
    first = 0
    for line, length in enumerate(lines[:-1]):
        if place < first + length:
            return line, first
        first += length
    return len(lines) - 1, first


WIDE = Shape("wide", "", 1232, 100, 52, 55.9, (ROW,), 3, 0, 11)
MIDDLING = Shape("middling", "-middling", 390, 131, 33, 35.2, (11, 11), 2, 70, 6.6)
NARROW = Shape("narrow", "-narrow", 366, 239, 42.6, 45.6, (8, 7, 7), 2, 81, 10)
OTHER = Shape("other", "", 852, 56, 36, 38.6, (ROW,), 1, 0, 0)


def panels(s: State, viewer: int, names: Sequence[str], say: Say, last: Sequence[str]) -> list[Panel]:
    p = plain(s)
    mover = _mover(p, last)
    seats = [(viewer + i) % p.players for i in range(p.players)] if viewer >= 0 else range(p.players)
    placings = {number: places_for(s, number) for number in readings(p.hand)} if p.hand else {}
    drawn = []
    for seat in seats:
        ringed = _ringed(last) if seat == mover else -1
        for shape in (WIDE, MIDDLING, NARROW) if seat == viewer else (OTHER,):
            drawn.append(_Row(p, seat, seat == viewer, names[seat], say, shape, ringed, placings).panel())
    drawn += [each(p, say, "covered" in last and p.phase == TURN) for each in (_middle, _stack)]
    drawn.append(_open(p, say, fitting_tiles(s) if p.turn == viewer else []))
    if viewer >= 0:
        drawn.append(_hand(p, viewer, say))
    return drawn


def note(s: State, action: int) -> str:
    p = plain(s)
    if action >= DRAW or p.phase == START or completes_row(p):
        return ""
    number, place = placing(p, action)
    return "+1" if partner_at(p, p.turn, place, number) else ""


def lights(s: State, action: int) -> list[str]:
    """The tile beside which another would make a pair."""
    p = plain(s)
    if action >= DRAW or p.phase == START:
        return []
    number, place = placing(p, action)
    other = partner_at(p, p.turn, place, number)
    return [f"place-{place + 1 + other - number}"] if other else []


def threads(s: State, action: int) -> list[tuple[str, list[str]]]:
    """A pair that the tile would make."""
    beside = lights(s, action)
    return [("", [f"place-{placing(plain(s), action)[1] + 1}", *beside])] if beside else []


def tally(s: State) -> list[int]:
    """How many tiles of each seat are still covered: the points come only at the end of a game."""
    p = plain(s)
    return [covered_in(p, seat) for seat in range(p.players)]


def course(s: State) -> list[int]:
    """What each seat would have if the game ended now: a line over time shows it."""
    p = plain(s)
    return [-p.points[seat] - (0 if p.ended else minus_points(p.n_open[seat])) for seat in range(p.players)]


def aside(s: State, seat: int, say: Say) -> str:
    """What else is said of a seat: the tile it holds, and what it has so far in a match."""
    p = plain(s)
    said = [say("holds", number=p.hand)] if p.hand and p.turn == seat and not p.ended else []
    if p.games > 1 and (p.game_now or p.ended):
        said.append(say("so_far", n=f"−{p.points[seat]}" if p.points[seat] else "0"))
    return " · ".join(said)


def _ringed(last: Sequence[str]) -> int:
    """The place where the last move laid a tile, or -1."""
    return int(last[-1].removeprefix("place-")) - 1 if last and last[-1].startswith("place-") else -1


def _mover(p: SimpleNamespace, last: Sequence[str]) -> int:
    """Whose move that was, which its parts do not say: a seat that made no pair has passed the turn on."""
    if _ringed(last) < 0 or sum(p.n_open) == 0:
        return -1
    turn: int = p.turn
    before = (turn - 1) % int(p.players)
    if p.ended:
        return turn
    if p.phase == START:
        return turn if p.n_open[turn] else before
    if last[0].startswith("hand-") and p.turns:
        row, at, number = row_of(p, before), _ringed(last), int(last[0].removeprefix("hand-"))
        return before if row[at][1] == number and not partner_at(p, before, at, number) else turn
    return before


def _size(width: float) -> float:
    return width * TALL


def _number(number: int, x: float, y: float, width: float, share: float = 0.39) -> str:
    """A tile's figures in the middle of a tile that begins at x, y."""
    height = _size(width) * (share if number < 100 else 0.77 * share)
    return figures(str(number), x + width / 2, y + _size(width) * 0.49 - height / 2, height)


@lru_cache(DRAWN)
def _tile(tile: int, shown: int, x: float, y: float, width: float) -> str:
    """A tile as it lies: covered, open, or open and with a foot because it could be turned."""
    symbol = "c-back" if shown == 0 else "c-tile" if TURNED[tile] == tile else "c-turns"
    drawn = use(symbol, round(x, 2), y, width, round(_size(width) * EDGE, 2))
    return drawn + _number(shown, x, y, width) if shown else drawn


def _outline(kind: str, x: float, y: float, width: float, away: float, more: str = "") -> str:
    """A frame around a tile at this distance, or inside it if that is negative."""
    height = _size(width) * (EDGE if away > 0 else 1) + 2 * away
    return (
        f'<rect class="{kind}" x="{x - away:.1f}" y="{y - away:.1f}" width="{width + 2 * away:.1f}" '
        f'height="{height:.1f}" rx="{max(width * 0.1 + away, 2):.1f}"{more}/>'
    )


def _ring(x: float, y: float, width: float) -> str:
    return _outline("ring", x, y, width, 2.5, ' fill="none" stroke="var(--last)" stroke-width="3.5"')


def _handles(x: float, y: float, width: float) -> str:
    """What shows that a tile can be selected, and that it is selected: a short bar below, and a frame."""
    below = y + _size(width) * EDGE + 0.06 * width
    bar = f'<path class="bar" d="M{x + 0.33 * width:.1f} {below:.1f}h{0.34 * width:.1f}"/>'
    return bar + _outline("frame", x, y, width, 3.5)


def _words(text: str, x: float, y: float, size: float, kind: str = "", anchor: str = "", weight: int = 400) -> str:
    more = f' class="{kind}"' if kind else ""
    more += ' fill="var(--ink-2)" aria-hidden="true"' if kind == "soft" else ""
    more += f' text-anchor="{anchor}"' if anchor else ""
    more += f' font-weight="{weight}"' if weight != 400 else ""
    return f'<text x="{x:g}" y="{y:g}" font-size="{size:g}"{more}>{escape(text)}</text>'


@cache
def _pin(shape: Shape, place: int, after: int) -> str:
    x, y = shape.at(place)
    scale = shape.tile / 72
    gap = x + after * shape.pitch - (shape.pitch - shape.tile) / 2
    symbol = use(
        "c-needle", round(gap - 10 * scale, 1), round(y - 26 * scale, 1), round(20 * scale, 1), round(130 * scale, 1)
    )
    return symbol.replace("<use ", f'<use class="{"after" if after else "before"}" ')


@cache
def _place_numbers(shape: Shape) -> str:
    """Under the viewer's own row, so that words and moves can name a place."""
    texts = []
    for place in range(ROW):
        x, y = shape.at(place)
        below = y + _size(shape.tile) * EDGE + shape.figure * 1.5
        texts.append(f'<text x="{x + shape.tile / 2:.1f}" y="{below:.1f}">{place + 1}</text>')
    look = f'text-anchor="middle" font-size="{shape.figure:g}" fill="var(--ink-2)"'
    return f'<g class="places" aria-hidden="true" {look}>{"".join(texts)}</g>'


@lru_cache(DRAWN)
def _range(shape: Shape, place: int, low: int, high: int) -> str:
    """The numbers from low to high, on a covered tile."""
    said = "" if low > high else str(low) if low == high else f"{low}–{high}"
    x, y = shape.at(place)
    size = shape.tile * (0.27 if shape is WIDE else 0.3)
    below = y + _size(shape.tile) - size * 0.45
    return (
        f'<text class="fits" x="{x + shape.tile / 2:.1f}" y="{below:.1f}" font-size="{size:.1f}" '
        f'text-anchor="middle" fill="var(--piece)">{said}</text>'
    )


@dataclass(frozen=True)
class _Row:
    """One seat's row in one shape."""

    p: SimpleNamespace
    seat: int
    own: bool
    name: str
    say: Say
    shape: Shape
    ringed: int
    placings: Mapping[int, list[int]]  # where the tile in hand can go, used as each number that it can be

    @property
    def acts(self) -> bool:
        return self.own and self.p.turn == self.seat and not self.p.ended

    def panel(self) -> Panel:
        p, shape = self.p, self.shape
        tiles = row_of(p, self.seat)
        covered = covered_in(p, self.seat)
        label = self.say("row", name=self.name, n=len(tiles), covered=covered)
        inside = [
            self._slots(len(tiles)),
            '<g color="var(--piece-ink)">',
            *(self._place(place, tiles) for place in range(len(tiles) + (self.acts and p.phase == START))),
            "</g>",
            *self._threads([shown for _, shown in tiles]),
        ]
        if self.own:
            inside.append(_place_numbers(shape))
        if 0 <= self.ringed < len(tiles):
            inside.append(_ring(*shape.at(self.ringed), shape.tile))
        name = f"row-{self.seat + 1}{shape.name}"
        place = "own" if self.own else "seat"
        return panel(name, label, shape.width, shape.height, inside, kind=f"completto {shape.kind}", place=place)

    def _slots(self, tiles: int) -> str:
        """Where the tiles of the start will lie."""
        width = self.shape.tile
        rects = ""
        for place in range(tiles, ROW):
            x, y = self.shape.at(place)
            rects += f"M{x:.1f} {y:g}h{width:g}v{_size(width):.1f}h{-width:g}z"
        return f'<path d="{rects}" fill="var(--sunk)"/>' if rects else ""

    def _place(self, place: int, tiles: list[tuple[int, int]]) -> str:
        x, y = self.shape.at(place)
        width = self.shape.tile
        name = f"place-{place + 1}" if self.own else f"row-{self.seat + 1}-place-{place + 1}"
        if place == len(tiles):
            return part(name, self.say("place_free", place=place + 1), *self._needle(place))
        tile, shown = tiles[place]
        key = "place_covered" if not shown else "place_open" if shown == tile else "place_turned"
        label = self.say(key, place=place + 1, number=shown, tile=tile)
        kind = "last" if place == self.ringed else ""
        drawn = _tile(tile, shown, x, y, width)
        if self.own and not shown and self.p.phase != START:
            drawn += self._fitting(place, tiles)
        if not self.acts:
            return part(name, label, drawn, kind=kind)
        first = self._first(place, tiles)
        drawn = part(
            name, label, f'<g class="piece">{drawn}</g>', *self._touch(place, shown, first == place), kind=kind
        )
        if self.p.phase == TURN and shown == 0 and first != place:
            drawn = drawn.replace("<g ", f'<g data-same="place-{first + 1}" ', 1)
        return drawn

    def _fitting(self, place: int, tiles: list[tuple[int, int]]) -> str:
        """The numbers that fit on a covered tile, written on it."""
        before = next((shown for _, shown in reversed(tiles[:place]) if shown), BELOW)
        after = next((shown for _, shown in tiles[place:] if shown), ABOVE)
        return _range(self.shape, place, *numbers_between(before, after))

    def _first(self, place: int, tiles: list[tuple[int, int]]) -> int:
        """C18: where the run of covered tiles begins: a move of any of them is written as one of this."""
        while place and tiles[place - 1][1] == 0:
            place -= 1
        return place

    def _touch(self, place: int, shown: int, first: bool) -> Iterator[str]:
        """What is drawn where the tile can be selected, or something can come to its place."""
        p, (x, y) = self.p, self.shape.at(place)
        if p.phase == START:
            yield from self._needle(place)
        elif p.phase == TURN:
            if shown == 0 and first:
                yield _handles(x, y, self.shape.tile)
            yield self._beside(place)
        elif shown == 0:
            ways = [number for number, places in self.placings.items() if place + 1 in places]
            if ways:
                yield self._lay(ways, x, y)

    def _lay(self, ways: list[int], x: float, y: float) -> str:
        """A place for the tile in hand: what it will show there, and a bead for another turn."""
        p, width = self.p, self.shape.tile
        kinds = {p.hand: "way-1", TURNED[p.hand]: "way-2"} if len(ways) == 2 else {ways[0]: "way"}
        numbers = "".join(f'<g class="{kinds[way]}">{_number(way, x, y, width, 0.3)}</g>' for way in ways)
        middle, size = x + width / 2, 0.21 * width
        return (
            f'<g class="eyelet" color="var(--piece)">{_outline("dashes", x, y, width, -3)}{numbers}'
            f'<circle class="bead" cx="{middle:.1f}" cy="{y - size / 2:.1f}" r="{size:.1f}"/>'
            f'<text class="note" x="{middle:.1f}" y="{y - size * 0.1:.1f}" font-size="{size * 1.15:.1f}"/></g>'
        )

    def _needle(self, place: int) -> Iterator[str]:
        """C2: in the start a tile goes between two others: a needle marks the spot, its eye above."""
        shape = self.shape
        if self.p.phase != START or not any(place + 1 in places for places in self.placings.values()):
            return
        x, y = shape.at(place)
        left = x - (shape.pitch - shape.tile) / 2 - shape.pitch / 2
        yield (
            f'<rect class="hit" x="{left:.1f}" y="{y - 24:.1f}" width="{shape.pitch:g}" '
            f'height="{_size(shape.tile) + 28:.1f}" fill="none"/>'
            f'<g class="eyelet">{_pin(shape, place, 0)}<text class="note"/></g>'
        )

    def _beside(self, place: int) -> str:
        """C5: a covered tile moved here is put before this tile if it comes from the right, else after."""
        return f'<g class="eyelet">{_pin(self.shape, place, 0)}{_pin(self.shape, place, 1)}<text class="note"/></g>'

    def _threads(self, shown: list[int]) -> Iterator[str]:
        """The thread through consecutive numbers, side by side."""
        start = 0
        for place in range(1, len(shown) + 1):
            if place < len(shown) and shown[start] and shown[place] == shown[start] + place - start:
                continue
            if place - start > 1:
                yield self._thread(range(start, place))
            start = place

    def _thread(self, places: range) -> str:
        shape = self.shape
        thick = shape.tile * 0.075
        spots = [(x + shape.tile / 2, y + _size(shape.tile) * 0.11) for x, y in map(shape.at, places)]
        lines = ""
        for (x, y), (to, then) in pairwise(spots):
            if y == then:
                lines += f"M{x:.1f} {y:.1f}H{to:.1f}"
            else:  # out at the end of the line, in again at the beginning of the next
                lines += f"M{x:.1f} {y:.1f}H{shape.width:g}M0 {then:.1f}H{to:.1f}"
        eyes = "".join(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{thick:.1f}"/>' for x, y in spots)
        return (
            f'<g class="thread" stroke="var(--thread)" stroke-width="{thick:.1f}"><path d="{lines}"/>'
            f'<g fill="var(--piece)" stroke-width="{thick * 0.6:.1f}">{eyes}</g></g>'
        )


def _fit(n: int, width: float, height: float, most: float, across: float, down: float) -> tuple[float, int]:
    """How wide n tiles can be in a field, and how many then lie in a line: in few lines, of much the same length."""
    best, line = 0.0, 1
    for columns in range(1, max(n, 1) + 1):
        lines = -(-max(n, 1) // columns)
        tile = min(most, width / (columns * across + 0.4 * (lines > 1)), height / (lines * down * TALL))
        if tile > best - 0.01:
            best, line = tile, columns
    lines = -(-max(n, 1) // line)
    return best, -(-max(n, 1) // lines)


def _middle(p: SimpleNamespace, say: Say, ringed: bool) -> Panel:
    """The covered tiles in the middle, scattered, and their number."""
    width, top, height = 372, 32, 138
    tile, line = _fit(p.n_covered, width - 8, height, 27, 1.22, 1.16)
    backs = []
    x = y = 0.0
    free = height - -(-p.n_covered // line) * _size(tile) * 1.16  # half of it above the lines, half of it below
    for i in range(p.n_covered):
        x = 7 + (i % line + 0.4 * (i // line % 2)) * tile * 1.22
        y = top + 3 + free / 2 + i // line * _size(tile) * 1.16
        angle = (i * i * 7 + i * 13) % 11 - 5
        at = f"{(x + tile / 2) / tile * 70:.0f} {(y + _size(tile) / 2) / tile * 70:.0f}"
        backs.append(f'<use href="#c-flat" transform="translate({at}) rotate({angle})"/>')
    count = str(p.n_covered)
    touch = (
        f'<path class="bar" d="M{width / 2 - 9:g} {height + top + 1:g}h18"/>'
        f'<rect class="frame" x="2" y="{top - 4}" width="{width - 4}" height="{height + 6}" rx="6"/>'
        f'<g class="eyelet"><circle cx="{width / 2:g}" cy="{top + height / 2:g}"/><text class="note"/></g>'
    )
    heap = part(
        "covered",
        say("heap", n=p.n_covered),
        f'<rect class="hit" width="{width}" height="{top + height}" fill="none"/>',
        f'<g class="piece" transform="scale({tile / 70:.4f})">{"".join(backs)}</g>',
        _ring(x, y, tile) if ringed and backs else "",
        touch,
        kind="last" if ringed else "",
    )
    inside = [
        figures(count, 0, 0, 22, "start", "var(--ink)"),
        _words(say("heap_words"), 10 + 14.4 * len(count), 17, 14, "soft"),
        heap,
    ]
    return panel(
        "middle",
        say("middle", covered=p.n_covered, open=len(open_tiles(p))),
        width,
        174,
        inside,
        kind="completto heap",
        place="middle",
    )


def _stack(p: SimpleNamespace, say: Say, ringed: bool) -> Panel:
    """The same as a pile, where there is little room."""
    width, top, tile = 96, 40, 78
    high = min(4, p.n_covered)
    backs = "".join(_tile(0, 0, 4 + 4 * i, top + 4 * i, tile) for i in reversed(range(high)))
    touch = (
        f'<path class="bar" d="M{width / 2 - 12:g} 170h24"/>'
        f'<rect class="frame" x="-2" y="{top - 6}" width="{width + 4}" height="134" rx="8"/>'
        f'<g class="eyelet"><circle cx="{width / 2:g}" cy="{top + 60}"/><text class="note"/></g>'
    )
    heap = part(
        "covered",
        say("heap", n=p.n_covered),
        f'<rect class="hit" width="{width}" height="174" fill="none"/>',
        f'<g class="piece">{backs}</g>',
        _ring(4, top, tile) if ringed and backs else "",
        touch,
        kind="last" if ringed else "",
    )
    inside = [figures(str(p.n_covered), 2, 0, 26, "start", "var(--ink)"), heap]
    label = say("heap", n=p.n_covered)
    return panel("middle-stack", label, width, 174, inside, kind="completto stack", place="middle")


def _open(p: SimpleNamespace, say: Say, fitting: list[int]) -> Panel:
    """The open tiles of the middle; those that fit can be taken."""
    width, top, height = 306, 34, 140
    lying = open_tiles(p)
    tile, line = _fit(len(lying), width - 6, height, 46, 1.2, 1.22)
    free = height - -(-len(lying) // line) * _size(tile) * 1.22
    inside = [_words(say("open_words"), 0, 17, 14, "soft"), '<g color="var(--piece-ink)">']
    for i, number in enumerate(lying):
        x, y = 4 + i % line * tile * 1.2, top + 2 + free / 2 + i // line * _size(tile) * 1.22
        label = say("open_tile" if TURNED[number] == number else "open_turns", number=number, other=TURNED[number])
        body = [f'<g class="piece">{_tile(number, number, x, y, round(tile, 1))}</g>']
        if number in fitting:
            body.append(f'{_handles(x, y, tile)}<g class="eyelet"><text class="note"/></g>')
        drawn = part(f"open-{number}", label, *body, origin="covered")
        angle = number * 7 % 5 - 2 if len(lying) < 9 else 0
        turn = f'<g transform="rotate({angle} {x + tile / 2:.0f} {y + tile * 0.7:.0f})">{drawn}</g>'
        inside.append(turn if angle else drawn)
    inside.append("</g>")
    return panel("open", say("open", n=len(lying)), width, 174, inside, kind="completto", place="middle")


def _hand(p: SimpleNamespace, viewer: int, say: Say) -> Panel:
    """The tile in hand, and what it is upside down."""
    mine = p.turn == viewer and p.hand and not p.ended
    ways = readings(p.hand) if mine else []
    label = say("hand", number=p.hand) if mine else say("hand_none")
    either = escape(say("either")) if len(ways) == 2 else ""
    head = (
        '<text x="0" y="17" font-size="15" fill="var(--ink)" aria-hidden="true">'
        f'<tspan font-weight="700">{escape(say("hand_words"))}</tspan>'
        f'<tspan class="either" fill="var(--ink-2)" dx="8" font-size="13">{either}</tspan></text>'
    )
    inside = [head, '<g color="var(--piece-ink)">']
    for i, number in enumerate(ways):
        x, y = 5 + 138 * i, 33
        body = f'<g class="piece">{_tile(p.hand, number, x, y, 84)}</g>{_handles(x, y, 84)}'
        spoken = say("hand_turned", number=number) if i else say("hand_tile", number=number)
        inside.append(part(f"hand-{number}", spoken, body, kind=f"way-{i + 1}", origin="covered"))
    inside.append("</g>")
    if len(ways) == 2:
        inside.append(use("i-turn", 104, 80, 24, 24, color="var(--ink)"))
    if not ways:
        inside.append(
            _outline(
                "empty", 5, 33, 84, -1, ' fill="none" stroke="var(--rule)" stroke-width="2" stroke-dasharray="6 5"'
            )
        )
    return panel("hand", label, 234, 172, inside, kind="completto", place="middle")
