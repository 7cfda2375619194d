"""Zatre as a picture: the board, the hand, a sheet for each seat or pair, and the bag."""

from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from html import escape
from types import SimpleNamespace

from infila.core.picture import Panel, Say, counted, figures, panel, part, shortened, text_width, use
from infila.core.record import plain
from infila.games.zatre.board import PLAN, RED
from infila.games.zatre.lines import ACROSS, UPWARD, line_through, scores, sums_made, with_tile
from infila.games.zatre.notation import LETTERS, TILE_VALUES, cell_name, place_of, places, tiles
from infila.games.zatre.rules import DRAW, POINTS, place_laid, printed_bonus, value_laid
from infila.games.zatre.sheet import Sheet, seats_of, sheet_before, sheet_now, sheet_of, sheets
from infila.games.zatre.state import COLUMNS, SCORES, SIDE, VALUES, State

BUTTONS: tuple[str, ...] = ("stop",)  # what a move may touch that is not in the picture

PITCH = 44  # from cell to cell
LOUPE = 5 * PITCH
CELL, TILE = 42, 37
GROUND = {  # by the letters of the plan: what a cell is called, and its colour
    ".": ("dark", "var(--field-blue-2)"),
    "o": ("light", "var(--field-ochre)"),
    "R": ("red", "var(--field-vermilion)"),
}
ON_THREAD = "var(--on-vermilion)"

HAND_TILE, HAND_PITCH, HAND_LINE = 84, 104, 4  # of the viewer's tiles, and how many lie side by side
PARTNER_TILE, PARTNER_PITCH = 44, 52

DRAWN = 2048  # pieces of a picture that are not drawn again

SHEET_WIDTH = 308
SHEET_EDGES = (6, 44, 95.5, 147, 198.5, 250, 302)  # of the columns
SHEET_ROWS = 8  # at least
MOST_CROSSES = 3  # of one turn, for which there is room to see what a move would bring
HEAD, TITLES, ROW, FOOT = 32, 44, 24, 28  # heights: above the sheet, and in it


def panels(s: State, viewer: int, names: Sequence[str], say: Say, last: Sequence[str]) -> list[Panel]:
    p = plain(s)
    drawn = [_board(p, say, last)]
    if viewer >= 0:
        drawn.append(_hand(p, viewer, names, say))
    drawn += [_sheet(p, sheet, viewer, names, say) for sheet in range(sheets(p))]
    return [*drawn, _bag(p, say, last)]


def note(s: State, action: int) -> str:
    """The sum of the line that the tile makes, if it counts; of two such lines, the higher one and a plus."""
    if action >= DRAW:
        return ""
    sums = sums_made(s, action)
    return f"{sums[0]}{'+' * (len(sums) - 1)}" if sums else ""


def lights(s: State, action: int) -> list[str]:
    """The tiles of the lines of 10, 11 and 12 that laying a tile makes."""
    return [name for _, line in threads(s, action) for name in line if name != f"cell-{cell_name(place_laid(action))}"]


def threads(s: State, action: int) -> list[tuple[str, list[str]]]:
    """Those lines, each with its sum."""
    if action >= DRAW or not sums_made(s, action):
        return []
    p, place = plain(s), place_laid(action)
    p.board[place] = value_laid(action)
    lines = [line_through(p, place, step) for step in (ACROSS, UPWARD)]
    return [
        (str(sum(p.board[each] for each in line)), [f"cell-{cell_name(each)}" for each in line])
        for line in lines
        if scores(p, line)
    ]


def writes(s: State, action: int) -> dict[str, str]:
    """What the sheet would hold after the tile, if the turn ended then: the boxes and the crosses that are new."""
    if action >= DRAW or not sums_made(s, action):
        return {}
    before, now = sheet_before(s), sheet_now(with_tile(s, value_laid(action), place_laid(action)))
    new = {f"{row}-0": "×" for row in range(before.crosses, now.crosses)}
    for row in range(len(now.rows)):
        boxes = zip(before.boxes(row), now.boxes(row), strict=True)
        new |= {f"{row}-{column}": str(then) for column, (old, then) in enumerate(boxes, 1) if then != old}
    return new


# --- the board


def middle(place: int) -> tuple[int, int]:
    """The middle of a cell."""
    return 38 + PITCH * (place & 15), 38 + PITCH * (SIDE - 1 - (place >> 4))


def _board(p: SimpleNamespace, say: Say, last: Sequence[str]) -> Panel:
    laid = sum(value > 0 for value in p.board)
    ringed = [place_of(name[5:]) for name in last if name.startswith("cell-")]
    inside = [_ground(), *_cells(p, say), *_tiles(p, say, ringed), *_threads(p, ringed), _coordinates()]
    size = PITCH * SIDE + 16  # the letters and numbers lie around it
    return panel("board", counted(say, "board", laid), size, size, inside, left=8, top=8, kind="zatre", place="board")


@cache
def _ground() -> str:
    """The board without its cells: the cells of a row are one piece."""
    pieces = []
    for row, line in enumerate(PLAN):
        starts = [column for column in range(SIDE) if line[column] != "#" and (column == 0 or line[column - 1] == "#")]
        for start in starts:
            length = len(line[start:].split("#")[0])
            pieces.append(f"M{16 + PITCH * start} {16 + PITCH * row}h{PITCH * length}v{PITCH}h-{PITCH * length}z")
    blue = "var(--field-blue)"
    return f'<path d="{"".join(pieces)}" fill="{blue}" stroke="{blue}" stroke-width="12" stroke-linejoin="round"/>'


@cache
def _places(letter: str) -> tuple[int, ...]:
    """All cells of a kind."""
    lines = enumerate(reversed(PLAN))
    return tuple(16 * row + column for row, line in lines for column in range(SIDE) if line[column] == letter)


def _cells(p: SimpleNamespace, say: Say) -> Iterator[str]:
    """All empty cells; an eyelet where a tile could go."""
    open_ = set(places(p.fits[0])) if p.board[RED] else {RED}
    for letter, (kind, colour) in GROUND.items():
        empty = [place for place in _places(letter) if not p.board[place]]
        if empty:
            yield f'<g class="ground-{kind}" fill="{colour}">'
            yield from (_cell(place, say(kind), say, place in open_) for place in empty)
            yield "</g>"


@lru_cache(DRAWN)
def _cell(place: int, kind: str, say: Say, fits: bool) -> str:
    x, y = middle(place)
    name = cell_name(place)
    label = escape(say("empty", cell=name, kind=kind))
    cell = f'href="#z-cell" x="{x - 21}" y="{y - 21}"'
    if not fits:
        return f'<use data-part="cell-{name}" aria-label="{label}" {cell}/>'
    eyelet = f'<g class="eyelet"><circle cx="{x}" cy="{y}"/><text class="note" x="{x}" y="{y + 5}"/></g>'
    return f'<g data-part="cell-{name}" aria-label="{label}" class="bare"><use {cell}/>{eyelet}</g>'


def _tiles(p: SimpleNamespace, say: Say, ringed: Sequence[int]) -> Iterator[str]:
    laid, owing = set(places(p.laid)), set(places(p.owing))
    for letter, (_, colour) in GROUND.items():
        lying = [place for place in _places(letter) if p.board[place]]
        if lying:
            yield f'<g fill="{colour}">'
            for place in lying:
                yield _tile(p.board[place], place, say, place in ringed, place in laid, place in owing)
            yield "</g>"


@lru_cache(DRAWN)
def _tile(value: int, place: int, say: Say, ringed: bool, laid: bool, owing: bool) -> str:
    x, y = middle(place)
    moved = {"class_": "piece"} if ringed else {}
    tile = use(f"z-tile-{value}", x - TILE / 2, y - 19.5, TILE, 38.85, **moved)
    inside = [f'<use href="#z-cell" x="{x - 21}" y="{y - 21}"/>', tile]
    if owing:
        inside.append(_ring(x, y, 'stroke="var(--field-ochre)" stroke-width="3.5" stroke-dasharray="5 4"'))
    elif ringed or laid:
        inside.append(_ring(x, y, f'stroke="var(--last)" stroke-width="{3.5 if ringed else 1.8}"'))
    label = say("owes" if owing else "lies", tile=value, cell=cell_name(place))
    return part(f"cell-{cell_name(place)}", label, *inside, kind="last" if ringed else "")


def _ring(x: int, y: int, stroke: str) -> str:
    return f'<rect x="{x - 20}" y="{y - 21}" width="40" height="42" rx="7" fill="none" {stroke}/>'


# --- lines that count: studs across the gaps, and the sum as a bead


def _threads(p: SimpleNamespace, ringed: Sequence[int]) -> Iterator[str]:
    """Through the lines of 10, 11 and 12 that the last move or this turn has made."""
    new = sorted({*ringed, *places(p.laid)})
    lines = {tuple(line_through(p, place, step)): step for place in new for step in (ACROSS, UPWARD)}
    counting = [(line, step) for line, step in lines.items() if scores(p, line)]
    taken: set[tuple[int, int]] = set()
    beads = []
    for line, step in counting:
        yield f'<path class="thread" d="{_studs(line, step)}" stroke="var(--thread)" stroke-width="7"/>'
        at = next(spot for spot in _bead_places(line, step) if spot not in taken)
        taken.add(at)
        beads.append(_bead(at, sum(p.board[place] for place in line)))
    yield from beads


def _studs(line: Sequence[int], step: int) -> str:
    """Across the gaps between the tiles."""
    studs = []
    for place in line[:-1] if step == ACROSS else line[1:]:
        x, y = middle(place)
        studs.append(f"M{x + 16.5} {y}h11" if step == ACROSS else f"M{x} {y + 16.5}v11")
    return "".join(studs)


def _bead_places(line: Sequence[int], step: int) -> list[tuple[int, int]]:
    """Where the bead may hang, the best place first: on a corner of a tile at an end of the line, where it covers no
    pips and no ring of an empty cell."""
    ends = [line[-1], line[0]] if step == ACROSS else [line[0], line[-1], *line[1:-1]]
    return [
        (middle(place)[0] + PITCH // 2 * across, middle(place)[1] + PITCH // 2 * down)
        for place in ends
        for across, down in ((1, 1), (-1, 1), (1, -1), (-1, -1))
    ]


def _bead(at: tuple[int, int], pips: int) -> str:
    x, y = at
    shape = f'<rect x="{x - 14}" y="{y - 11}" width="28" height="22" rx="11"/>'
    return f'<g class="bead" fill="var(--thread)">{shape}{figures(str(pips), x, y - 5.9, 11.9, colour=ON_THREAD)}</g>'


@cache
def _coordinates() -> str:
    letters = "".join(f'<text x="{38 + PITCH * i}" y="695">{LETTERS[i]}</text>' for i in range(SIDE))
    numbers = "".join(f'<text x="3" y="{42 + PITCH * i}">{SIDE - i}</text>' for i in range(SIDE))
    return (
        '<g class="coordinates" font-size="11.5" fill="var(--ink-2)" text-anchor="middle" aria-hidden="true">'
        f"{letters}{numbers}</g>"
    )


# --- hands


def _hand(p: SimpleNamespace, viewer: int, names: Sequence[str], say: Say) -> Panel:
    """The viewer's tiles, and below them the partner's, who shows them."""
    own = _shown(p, viewer)
    lines = max(1, -(-len(own) // HAND_LINE))
    inside = [_hand_tile(value, i, own[:i].count(value) + 1, say) for i, value in enumerate(own)]
    width, height = HAND_PITCH * min(HAND_LINE, max(2, len(own))) + 4, 8 + 116 * lines
    label = counted(say, "hand", len(own), tiles=_listed(own))
    if p.teams and (theirs := _shown(p, viewer ^ 1)):
        inside += _partner(theirs, names[viewer ^ 1], height, say)
        width, height = max(width, 8 + PARTNER_PITCH * len(theirs)), height + 82
        label += f". {say('partner', name=names[viewer ^ 1], tiles=_listed(theirs))}"
    return panel(
        "hand", label, width, height, inside, kind=f"zatre tiles-{min(HAND_LINE, max(2, len(own)))}", place="own"
    )


def _shown(p: SimpleNamespace, seat: int) -> list[int]:
    return [value for value in TILE_VALUES for _ in range(p.hand[seat][value - 1])]


def _listed(values: Sequence[int]) -> str:
    return ", ".join(str(value) for value in values)


def _hand_tile(value: int, i: int, nth: int, say: Say) -> str:
    x, y = 12 + HAND_PITCH * (i % HAND_LINE), 14 + 116 * (i // HAND_LINE)
    tile = use(f"z-tile-{value}", x, y, HAND_TILE, HAND_TILE * 1.05)
    frame = f'<rect class="frame" x="{x - 6}" y="{y - 6}" width="96" height="100" rx="15"/>'
    bar = f'<path class="bar" d="M{x + 22} {y + 97}h40"/>'
    return part(f"hand-{value}", say("tile", tile=value), tile, frame, bar, kind="tile", nth=nth, origin="bag")


def _partner(values: Sequence[int], name: str, top: float, say: Say) -> Iterator[str]:
    yield f'<text x="12" y="{top + 16}" font-size="12" fill="var(--ink-2)">{escape(name)}</text>'
    for i, value in enumerate(values):
        tile = use(f"z-tile-{value}", 12 + PARTNER_PITCH * i, top + 26, PARTNER_TILE, PARTNER_TILE * 1.05)
        yield part(f"partner-{value}", say("tile", tile=value), tile, nth=values[:i].count(value) + 1)


# --- sheets


def _sheet(p: SimpleNamespace, number: int, viewer: int, names: Sequence[str], say: Say) -> Panel:
    seats, sheet = seats_of(p, number), sheet_of(p, number)
    own = viewer in seats
    whose = " + ".join(names[seat] for seat in seats)
    shown = max(SHEET_ROWS, len(sheet.rows) + 1)
    title = say("your_pair_sheet" if p.teams else "your_sheet") if own else _title(p, seats, whose, say)
    inside = [
        '<g aria-hidden="true">',
        f'<text x="0" y="19" font-size="16" font-weight="700" fill="currentColor">{escape(title)}</text>',
        *(_kept(p, seats, say) if p.ended or not own else ()),
        _paper(shown, say),
        *_written(sheet, shown),
        *(_pencilled(sheet, shown) if own and number == p.turn >> p.teams and not p.ended else ()),
        _sums(shown, sheet.minus, sheet.total(), say),
        "</g>",
    ]
    height = HEAD + TITLES + ROW * shown + 2 * FOOT + 10
    held = sum(p.n_hand[seat] for seat in seats)
    label = say("sheet_read", name=whose, points=sheet.total(), crosses=sheet.crosses, tiles=held)
    label += "".join(
        f"; {say('row_read', row=row + 1, boxes=_boxes_read(sheet, row), points=points)}"
        for row, points in enumerate(sheet.totals())
    )
    first = own or (viewer < 0 and number == 0)
    place = "side" if first else "folded"
    return panel(f"sheet-{number + 1}", label, SHEET_WIDTH, height, inside, kind="zatre", place=place)


def _boxes_read(sheet: Sheet, row: int) -> str:
    """What the boxes of a row hold, to be read aloud."""
    return ", ".join(f"{pips}: {points}" for pips, points in enumerate(sheet.boxes(row), SCORES) if points) or "–"


def _title(p: SimpleNamespace, seats: Sequence[int], whose: str, say: Say) -> str:
    """Whose sheet it is, with a name as long as the tiles beside it allow."""
    room = SHEET_WIDTH - 8 - 22 * min(6, sum(p.n_hand[seat] for seat in seats)) - text_width(say("sheet", name=""), 16)
    return say("sheet", name=shortened(whose, 16, room))


def _kept(p: SimpleNamespace, seats: Sequence[int], say: Say) -> Iterator[str]:
    """The tiles that these seats hold, as far as they are shown, right above their sheet."""
    held = [(seat, tile) for seat in seats for tile in tiles(p.hand[seat], p.n_hand[seat])]
    many = len(held) > 6
    x = SHEET_WIDTH
    if many:
        x -= 26
        yield f'<text x="{SHEET_WIDTH}" y="18" font-size="14" text-anchor="end" fill="currentColor">×{len(held)}</text>'
    for i, (seat, tile) in enumerate(reversed(held[:1] if many else held)):
        x -= 22
        nth = held[: len(held) - i].count((seat, tile))
        if tile != "?":
            yield use(f"z-tile-{tile}", x, 3, 20, 21)
        else:
            yield _back(x, say, p.known_from[seat] if nth <= p.n_known[seat] and not many else 0)


def _back(x: float, say: Say, least: int) -> str:
    """A tile of another seat; what everybody knows about it is written on it."""
    back = use("z-back", x, 3, 20, 21)
    if not least:
        return back
    known = str(least) if least == VALUES else f"{least}+"
    cover = f'<rect x="{x + 1.5}" y="4.5" width="17" height="17" rx="1.5" fill="var(--field-blue)"/>'
    return (
        f'{back}{cover}<text x="{x + 10:g}" y="17.5" font-size="12" font-weight="700" text-anchor="middle" '
        f'fill="var(--piece)">{known}<title>{escape(say("known", values=known))}</title></text>'
    )


@lru_cache(DRAWN)
def _paper(shown: int, say: Say) -> str:
    """The printed sheet, empty."""
    top, foot = HEAD + TITLES, HEAD + TITLES + ROW * shown
    left, right = SHEET_EDGES[0], SHEET_EDGES[-1]
    height = TITLES + ROW * shown + 2 * FOOT + 8
    across = "".join(f"M{left} {top + ROW * row}H{right}" for row in range(1, shown))
    down = "".join(f"M{edge:g} {top}V{foot}" for edge in SHEET_EDGES)
    titles = "".join(
        f'<text x="{_column(i):g}" y="{top - 8}">{escape(title)}</text>'
        for i, title in enumerate(("×2", "", "", "", say("bonus"), say("total")))
        if title
    )
    sums = "".join(f'<text x="{_column(i + 1):g}" y="{top - 22}">{SCORES + i}</text>' for i in range(COLUMNS))
    worth = "".join(f'<text x="{_column(i):g}" y="{top - 8}">({each})</text>' for i, each in enumerate(POINTS, 1))
    return (
        f'<rect y="{HEAD}" width="{SHEET_WIDTH}" height="{height}" rx="4" fill="var(--raised)"/>'
        f'<path d="{across}{down}" stroke="var(--rule)" fill="none"/>'
        f'<path d="M{left} {top}H{right}M{left} {foot}H{right}" stroke="var(--ink)" stroke-width="2"/>'
        f'<path d="M{left} {foot + FOOT}H{right}" stroke="var(--rule)"/>'
        f'<g font-size="12" text-anchor="middle" fill="var(--ink-2)">{worth}'
        f'<g font-weight="700" fill="var(--ink)">{titles}{sums}</g></g>'
    )


def _column(i: int) -> float:
    """The middle of a column."""
    return (SHEET_EDGES[i] + SHEET_EDGES[i + 1]) / 2


def _written(sheet: Sheet, shown: int) -> Iterator[str]:
    """What has been written in pencil, and the printed bonus."""
    lines = [HEAD + TITLES + ROW * row + 17 for row in range(shown)]
    marks = "".join(f"M{_column(0) - 6:g} {y - 11}l12 12m0-12l-12 12" for y in lines[: sheet.crosses])
    if marks:
        yield f'<path d="{marks}" fill="none" stroke="var(--pencil)" stroke-width="2.4" stroke-linecap="round"/>'
    filled = [(i, y, box) for row, y in enumerate(lines) for i, box in enumerate(sheet.boxes(row), 1) if box]
    yield _texts([(_column(i), y + 1, box) for i, y, box in filled], "var(--pencil)", 16, 700)
    printed = [(_column(4), y, printed_bonus(row)) for row, y in enumerate(lines)]
    yield _texts([entry for row, entry in enumerate(printed) if sheet.full(row)], "var(--ink)", 12, 700)
    yield _texts([entry for row, entry in enumerate(printed) if not sheet.full(row)], "var(--ink-2)", 12, 400)
    totals = zip(lines, sheet.totals(), strict=False)
    yield _texts([(_column(5), y, points) for y, points in totals], "var(--ink)", 14, 700)


def _pencilled(sheet: Sheet, shown: int) -> Iterator[str]:
    """Boxes for what a move would write: the first free one of each column, and room for several crosses."""
    filled = [sum(1 for counts in sheet.rows if counts[column]) for column in range(COLUMNS)]
    free = [(row, 0) for row in range(sheet.crosses, sheet.crosses + MOST_CROSSES)]
    for row, column in [*free, *((row, column) for column, row in enumerate(filled, 1))]:
        if row < shown:
            left, right, top = SHEET_EDGES[column], SHEET_EDGES[column + 1], HEAD + TITLES + ROW * row
            box = f'<rect x="{left + 3:g}" y="{top + 3}" width="{right - left - 6:g}" height="{ROW - 6}"/>'
            yield f'<g data-write="{row}-{column}">{box}<text x="{_column(column):g}" y="{top + 18}"/></g>'


def _texts(entries: Sequence[tuple[float, float, int]], colour: str, size: int, weight: int) -> str:
    """Numbers in boxes."""
    inside = "".join(f'<text x="{x:g}" y="{y:g}">{str(value).replace("-", "−")}</text>' for x, y, value in entries)
    look = f'font-size="{size}" font-weight="{weight}" text-anchor="middle" fill="{colour}"'
    return f"<g {look}>{inside}</g>" if entries else ""


def _sums(shown: int, minus: int, total: int, say: Say) -> str:
    y = HEAD + TITLES + ROW * shown + 19
    lines = ((y, say("minus"), -minus), (y + FOOT, say("final"), total))
    words = "".join(f'<text x="{SHEET_EDGES[5] - 8}" y="{at}">{escape(word)}</text>' for at, word, _ in lines)
    look = 'font-size="14" font-weight="700" text-anchor="end" fill="var(--ink)"'
    return f"<g {look}>{words}</g>" + _texts([(_column(5), at, value) for at, _, value in lines], "var(--ink)", 14, 700)


# --- the bag


def _bag(p: SimpleNamespace, say: Say, last: Sequence[str]) -> Panel:
    label = counted(say, "bag", p.n_bag)
    words = f'<text x="40" y="27" font-size="14" fill="currentColor">{escape(label)}</text>'
    touch = '<rect width="180" height="48" fill="transparent"/>'
    frame = '<rect class="frame" x="2" y="2" width="32" height="36" rx="8"/>'
    eyelet = '<g class="eyelet"><circle cx="18" cy="25"/><text class="note" x="18" y="30"/></g>'
    bar = '<path class="bar" d="M8 45h20"/>'
    ring = '<circle cx="18" cy="20" r="19" fill="none" stroke="var(--last)" stroke-width="3"/>' if "bag" in last else ""
    kind = "last" if "bag" in last else ""
    bag = part("bag", label, touch, use("z-bag", 5, 4, 27, 30), words, ring, frame, eyelet, bar, kind=kind)
    return panel("bag", label, 180, 48, [bag], kind="zatre", place="own")
