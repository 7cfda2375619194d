"""Take That as a picture: the row hung on the thread, each card as high as its number; the hand; what each seat has.

A card is drawn in a box of 100 × 150 and scaled. The hand is drawn twice, for wide and for narrow screens; the row
thrice: steep and flat, in one line as long as that is enough, and in lines of eight. The page shows the one that fills
its room best.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from html import escape
from types import SimpleNamespace

from infila.core.picture import (
    THEN,
    Panel,
    Say,
    counted,
    figures,
    figures_width,
    number,
    panel,
    part,
    shortened,
    text_width,
    use,
)
from infila.core.record import plain
from infila.games.take_that.notation import cards_of
from infila.games.take_that.rules import (
    CARD_COST,
    HIGHEST,
    LOWEST,
    MINUS,
    PLUS,
    PLUS_POINTS,
    TAKE,
    TOAD_COST,
    State,
    fits,
    is_toad,
    reach,
    twisted,
)
from infila.games.take_that.scoring import cost_of

BUTTONS: tuple[str, ...] = ("row",)  # what a move may touch that is not in the picture

SIGNS = {"toads": "toad"}  # with which points are drawn at the end of a game
BACKS = 4  # with which a pile of cards is drawn

INK, INK_2, THREAD = "var(--ink)", "var(--ink-2)", "var(--thread)"
PIECE_INK, TWISTED = "var(--piece-ink)", "var(--twist)"


@dataclass(frozen=True)
class Hanging:
    """How the row hangs."""

    name: str
    kind: str
    width: float
    line: int  # places in a line, the one at the end included
    left: float  # the middle of the first card
    pitch: float
    card: float  # scale
    slope: float  # height of one, where the row needs several lines
    tall: float  # the same where it needs only one
    high: float  # of the picture then, or if it is 0, about how high it should be
    head: float  # height above the row: the price tag
    knot: float  # radius
    thread: float


WIDE = Hanging("row", "wide", 912, 15, 127, 51.6, 0.486, 0.95, 2.628, 388, 62, 4.6, 4)
FLAT = Hanging("row-flat", "flat", 912, 15, 34, 58.6, 0.5, 0.5, 0.9, 238, 50, 4.6, 4)
NARROW = Hanging("row-narrow", "narrow", 390, 8, 33, 46.3, 0.434, 0.977, 0, 0, 48, 4, 3.5)
NARROW_HIGH, LEAST_SWING = 300, 12


@dataclass(frozen=True)
class Fan:
    """How the hand is held."""

    width: float
    height: float
    pitch: float
    card: float
    top: float
    drop: float  # of the outer cards
    turn: float  # degrees from card to card
    open: bool  # whether the whole face of a card is seen


WIDE_FAN = Fan(690, 204, 72.5, 0.84, 36, 1.0, 1.3, True)
NARROW_FAN = Fan(390, 166, 37, 0.66, 32, 0.7, 1.2, False)

DRAWN = 4096  # pieces of a picture that are not drawn again
PILES_WIDTH, PILES_TOP, PAIRS_LEFT, PAIR_PITCH, PAIRS_LINE = 272, 18, 34, 38, 4


def panels(s: State, viewer: int, names: Sequence[str], say: Say, last: Sequence[str]) -> list[Panel]:
    p = plain(s)
    drawn = [_row(p, viewer, say, last, hang) for hang in (WIDE, NARROW, FLAT)]
    if viewer >= 0:
        drawn += [_hand(p, viewer, say, WIDE_FAN), _hand(p, viewer, say, NARROW_FAN)]
    return drawn + [_piles(p, seat, names, say, last) for seat in range(p.players)]


def swept(s: State) -> bool:
    """The row has been taken, and nothing is left to look at."""
    return int(s.n_row) == 0


def note(s: State, action: int) -> str:
    return ""


def offer(s: State, action: int) -> str:
    """Whatever is done with a card that is chosen has a button that says what."""
    return "" if action == TAKE else THEN


def tags(s: State, seat: int) -> list[int]:
    """What the plus cards and the minus cards of a seat are worth, as far as the viewer knows them."""
    p = plain(s)
    known = [*cards_of(p, MINUS, seat), *p.extra[seat][: p.n_extra[seat]]]
    return [PLUS_POINTS * len(cards_of(p, PLUS, seat)), -cost_of(known)]


def lights(s: State, action: int) -> list[str]:
    """The row that is taken."""
    return [f"row-{card}" for card in s.row[: s.n_row].tolist()] + ["price"] if action == TAKE else []


# --- cards


def _name(card: int, say: Say) -> str:
    return say("toad" if is_toad(card) else "card", card=card)


@cache
def _face(card: int) -> str:
    """A card seen whole."""
    if is_toad(card):
        return use("t-toad", 0, 0, 100, 153.5) + figures(str(card), 50, 28.5, 42)
    below = figures(str(twisted(card)), 50, 111, 22.5, colour=TWISTED, turned=True)
    return use("t-card", 0, 0, 100, 153.5) + figures(str(card), 50, 28.5, 51) + below


@cache
def _corner(card: int) -> str:
    """A card whose left side alone is seen beside the next one."""
    number = figures(str(card), 9, 12, 33, "start")
    if is_toad(card):
        ground = '<path d="M0 92h100v49a9 9 0 0 1-9 9H9a9 9 0 0 1-9-9z" fill="var(--field-ochre)"/>'
        return use("t-thin", -1, -1, 102, 155) + ground + use("toad", 5, 104, 50, 37.5) + number
    below = figures(str(twisted(card)), 32, 113, 21, colour=TWISTED, turned=True)
    return use("t-thin", -1, -1, 102, 155) + number + below


def _frame(away: float = 8) -> str:
    wide, high = 100 + 2 * away, 153 + 2 * away
    return f'<rect class="frame" x="{-away:g}" y="{-away:g}" width="{wide:g}" height="{high:g}" rx="15"/>'


# --- the row


def _row(p: SimpleNamespace, viewer: int, say: Say, last: Sequence[str], hang: Hanging) -> Panel:
    row = p.row[: p.n_row]
    tall = hang.tall > 0 and len(row) < hang.line
    spots, height = _hung(row, hang, tall)
    held = p.hand[viewer] if viewer >= 0 and viewer == p.turn else []
    inside = [
        *_scale(hang, tall),
        *(() if p.ended else _end(row, spots[-1], hang, tall, say)),
        _pile(p, say, hang, spots[0], tall),
        *_thread(spots, hang),
        f'<g color="{PIECE_INK}">',
        *(
            _hanging(card, spot, hang, say, _ringed(card, row, last), twisted(card) in held)
            for card, spot in zip(row, spots, strict=False)
        ),
        "</g>",
        _knots(spots[: len(row)], hang),
        _title(row, p.ended, say, hang),
        _price(row, say, hang),
    ]
    label = counted(say, "row", len(row), cards=", ".join(str(card) for card in row))
    return panel(hang.name, label, hang.width, height, inside, kind=f"take-that {hang.kind}", place="board")


def _hung(row: Sequence[int], hang: Hanging, tall: bool) -> tuple[list[tuple[float, float]], float]:
    """Where the knot of each card is, with the place at the end as the last; and the height of the picture."""
    values = [*row, row[-1] if row else (LOWEST + HIGHEST) // 2]
    if tall:
        heights = [hang.head + hang.tall * (HIGHEST - value) + 14 for value in values]
        spots = [(hang.left + hang.pitch * i, y) for i, y in enumerate(heights)]
        return _end_apart(spots, row), hang.high
    spots = []
    top = hang.head + 14
    lines = [values[first : first + hang.line] for first in range(0, len(values), hang.line)]
    for line in lines:
        slope = _slope(hang, len(lines), line)
        spots += [(hang.left + hang.pitch * i, top + slope * (max(line) - value)) for i, value in enumerate(line)]
        top += slope * (max(line) - min(line)) + 153 * hang.card + 32
    return _end_apart(spots, row), max(top, 0 if hang.tall else NARROW_HIGH)


def _slope(hang: Hanging, lines: int, line: Sequence[int]) -> float:
    """How steep a line hangs: on a narrow screen no steeper than the room for each line allows."""
    if hang.tall or max(line) == min(line):
        return hang.slope
    swing = max((NARROW_HIGH - hang.head - 14) / lines - 153 * hang.card - 32, LEAST_SWING)
    return min(hang.slope, swing / (max(line) - min(line)))


def _end_apart(spots: list[tuple[float, float]], row: Sequence[int]) -> list[tuple[float, float]]:
    """Move the place at the end a little away from the last card, so that their frames do not touch."""
    x, y = spots[-1]
    return [*spots[:-1], (x + 4 * bool(row), y)]


def _scale(hang: Hanging, tall: bool) -> Iterator[str]:
    """The numbers behind a row in one line."""
    for value in (20, 40, 60, 80) if tall and hang is WIDE else ():
        y = hang.head + hang.tall * (HIGHEST - value) + 14
        yield f'<path d="M74 {y:.1f}H882" stroke="var(--rule)"/>'
        yield f'<text x="74" y="{y - 4:.1f}" font-size="11.5" fill="{INK_2}" aria-hidden="true">{value}</text>'


def _thread(spots: Sequence[tuple[float, float]], hang: Hanging) -> Iterator[str]:
    """From card to card; over the edge and in again where a line ends."""
    hung = spots[:-1]
    for first in range(0, len(hung), hang.line):
        line = [*hung[first : first + hang.line]]
        if hang is not WIDE:
            line.insert(0, (-4, line[0][1]))
        else:
            line.insert(0, (84, line[0][1]) if first else _pile_knot(hung[0]))
        if first + hang.line < len(hung):
            line.append((hang.width + 4, line[-1][1]))
        way = "L".join(f"{x:.1f} {y:.1f}" for x, y in line)
        yield f'<path d="M{way}" fill="none" stroke="{THREAD}" stroke-width="{hang.thread}" stroke-linejoin="round"/>'


def _knots(spots: Sequence[tuple[float, float]], hang: Hanging) -> str:
    """Strings and rings: every ring is a dot on a dot."""
    if not spots:
        return ""
    strings = "".join(f"M{x:.1f} {y:.1f}v{22 * hang.card:.1f}" for x, y in spots)
    rings = [_pile_knot(spots[0]), *spots] if hang is WIDE else spots
    dots = "".join(f"M{x:.1f} {y:.1f}h0" for x, y in rings)
    return (
        f'<g fill="none" stroke="{THREAD}" stroke-linecap="round" pointer-events="none">'
        f'<path d="{strings}" stroke-width="2"/><path d="{dots}" stroke-width="{2 * hang.knot + 2.8:g}"/>'
        f'<path d="{dots}" stroke="var(--paper)" stroke-width="{2 * hang.knot - 2.8:g}"/></g>'
    )


def _ringed(card: int, row: Sequence[int], last: Sequence[str]) -> bool:
    """Whether this card was placed in the last move."""
    return "row-end" in last and f"hand-{card}" in last and row[-1] == card


def _hanging(card: int, spot: tuple[float, float], hang: Hanging, say: Say, ringed: bool, twistable: bool) -> str:
    """A card of the row; one that the viewer can twist away has the twisting sign."""
    x, y = spot[0] - 50 * hang.card, spot[1] + 22 * hang.card
    kind = " ".join(["t-hung"] + ["twistable"] * twistable + ["last"] * ringed)
    inside = [_face(card)]
    if ringed:
        look = 'rx="14" fill="none" stroke="var(--last)" stroke-width="7.5"'
        inside.append(f'<rect x="-6" y="-6" width="112" height="165" {look}/>')
    if twistable:
        inside.append(_frame() + f'<g class="eyelet">{use("t-twist", 27, 133, 46, 46)}<text class="note"/></g>')
    shown = part(f"row-{card}", _name(card, say), *inside, kind=kind)
    return f'<g transform="translate({number(x)} {number(y)}) scale({number(hang.card)})">{shown}</g>'


def _end(row: Sequence[int], spot: tuple[float, float], hang: Hanging, tall: bool, say: Say) -> Iterator[str]:
    """The place at the end: what may be placed there, as a bracket, and an empty frame."""
    x, y = spot
    wide = 100 * hang.card
    low, high = reach(row[-1]) if row else (LOWEST, HIGHEST)
    label = say("end", low=low, high=high) if row else say("open")
    slope = hang.tall if tall else hang.slope
    up, down = (slope * (high - row[-1]), slope * (row[-1] - low)) if row else (0.0, 0.0)
    right = min(x + wide / 2, hang.width - 32)  # the numbers stay in the picture
    bracket = (
        f'<rect x="{x - wide / 2 - 6:.1f}" y="{y - up:.1f}" width="{wide + 12:.1f}" height="{up + down:.1f}" '
        f'fill="var(--target-fill)"/>'
        f'<path d="M{right + 4:.1f} {y - up:.1f}h8v{up + down:.1f}h-8" fill="none" stroke="var(--target)" '
        f'stroke-width="2.5"/>{figures(str(high), right + 16, y - up - 5, 10, "start", INK)}'
        f"{figures(str(low), right + 16, max(y + down, y - up + 14) - 5, 10, 'start', INK)}"
    )
    top = y + 22 * hang.card
    slot = f'x="{x - wide / 2:.1f}" y="{top:.1f}" width="{wide:.1f}" height="{150 * hang.card:.1f}" rx="4"'
    empty = f'<rect {slot} fill="none" stroke="var(--edge)" stroke-dasharray="4 4"/>'
    touch = f'<rect class="hit" {slot} fill="transparent"/>'
    frame = f'<rect class="frame" {slot}/>'
    eyelet = (
        f'<g class="eyelet"><circle cx="{x:.1f}" cy="{top + 75 * hang.card:.1f}"/>'
        f'<text class="note" x="{x:.1f}" y="{top + 75 * hang.card + 5:.1f}"/></g>'
    )
    shown = f'<g class="veil">{bracket}</g>' if row else empty
    yield part("row-end", label, shown, touch, frame, eyelet, kind="slot bare")


# --- the pile, and what the row costs


def _pile_knot(first: tuple[float, float]) -> tuple[float, float]:
    """The thread begins above the pile."""
    return 34.0, min(max(first[1] - 16, WIDE.head + 14), WIDE.head + 130)


def _pile(p: SimpleNamespace, say: Say, hang: Hanging, first: tuple[float, float], tall: bool) -> str:
    label = counted(say, "pile", p.n_pile)
    if hang is not WIDE:
        left = 28 + text_width(say("title"), 20)
        shown = label if left + text_width(label, 14) < 160 else str(p.n_pile)
        words = f'<text x="{left + 24:.1f}" y="31" font-size="14" fill="{INK_2}">{escape(shown)}</text>'
        return part("pile", label, _backs(p.n_pile, left, 14, 0.16, 1), words)
    knot = _pile_knot(first)[1]
    top = knot + 40
    count = figures(str(p.n_pile), 33, top + 102, 24, colour=INK)
    look = f'font-size="13" fill="{INK_2}" text-anchor="middle"'
    words = f'<text x="33" y="{top + 144:.1f}" {look}>{escape(say("to_draw"))}</text>'
    string = f'<path d="M34 {knot:.1f}V{top:.1f}" stroke="{THREAD}" stroke-width="2"/>' if p.n_row else ""
    return part("pile", label, string, _backs(p.n_pile, 2, top, 0.58, 2), count, words)


def _backs(n: int, x: float, top: float, scale: float, step: float) -> str:
    """A pile of n cards, face down; an empty place if there are none."""
    wide, high = 100 * scale, 153.5 * scale
    if n == 0:
        return (
            f'<rect x="{x:.1f}" y="{top:.1f}" width="{wide:.1f}" height="{150 * scale:.1f}" rx="{9 * scale:.1f}" '
            f'fill="none" stroke="var(--edge)" stroke-width="1.5" stroke-dasharray="4 3"/>'
        )
    shown = min(n, BACKS)
    return "".join(use("t-back", x + step * k, top - step * k, wide, round(high, 1)) for k in reversed(range(shown)))


def _price(row: Sequence[int], say: Say, hang: Hanging) -> str:
    """The tag that says what taking the row costs; nothing to take, no tag."""
    if not row:
        return ""
    toads = sum(map(is_toad, row))
    total = f"−{cost_of(row)}"
    wide = hang is WIDE
    size, high, right = (34.0, 52.0, hang.width) if wide else (24.0, 36.0, 390 - 12.0)
    middle = 8 + high / 2
    detail = _detail(len(row) - toads, toads, say) if wide else []
    beside = max((text_width(line, 12) + 12 for line in detail), default=0)
    at = right - 12 - beside  # where the sum ends
    left = at - figures_width(total, size) - text_width(say("costs"), 14) - 28
    shape = f"M{left:.1f} {middle}l12 {-high / 2}H{right - 4}a4 4 0 0 1 4 4v{high - 8}a4 4 0 0 1-4 4H{left + 12:.1f}z"
    lines = "".join(
        f'<text x="{at + 12:.1f}" y="{middle + 4 + 16 * (i - (len(detail) - 1) / 2):g}">{escape(line)}</text>'
        for i, line in enumerate(detail)
    )
    words = f'<text x="{left + 19:.1f}" y="{middle + 5}" font-size="14">{escape(say("costs"))}</text>'
    return part(
        "price",
        f"{say('costs')} {total}",
        f'<path d="{shape}" fill="var(--ochre)"/>',
        f'<g font-size="12" fill="var(--on-ochre)">{words}{lines}</g>',
        figures(total, at, middle - size / 2, size, "end", "var(--on-ochre)"),
    )


def _detail(cards: int, toads: int, say: Say) -> list[str]:
    """What the price is made of."""
    kinds = (("plain_cards", cards, CARD_COST), ("toads", toads, TOAD_COST))
    return [counted(say, key, n, points=n * each) for key, n, each in kinds if n]


def _title(row: Sequence[int], ended: bool, say: Say, hang: Hanging) -> str:
    if hang is not WIDE:
        look = f'font-size="20" font-weight="700" letter-spacing="-.7" fill="{INK}" aria-hidden="true"'
        return f'<text x="16" y="32" {look}>{escape(say("title"))}</text>'
    below = "" if ended and not row else counted(say, "row_said", len(row))
    after = text_width(say("title"), 28) + 8
    return (
        f'<g aria-hidden="true"><text y="44" font-size="28" font-weight="700" letter-spacing="-1" fill="{INK}">'
        f"{escape(say('title'))}</text>"
        f'<text x="{after:.0f}" y="44" font-size="14" fill="{INK_2}">{escape(below)}</text></g>'
    )


# --- the hand


def _hand(p: SimpleNamespace, viewer: int, say: Say, fan: Fan) -> Panel:
    cards = p.hand[viewer][: p.n_hand[viewer]]
    row = p.row[: p.n_row]
    inside = []
    for i, card in enumerate(cards):
        away = i - (len(cards) - 1) / 2
        x = fan.width / 2 + fan.pitch * away - 50 * fan.card
        y = fan.top + fan.drop * away * away
        place = f"translate({x:.1f} {y:.1f}) rotate({fan.turn * away:.2f} {50 * fan.card:.1f} 198)"
        held = _held(card, twisted(card) in row, not row or fits(card, row[-1]), fan, say)
        inside.append(f'<g transform="{place} scale({fan.card})" color="{PIECE_INK}">{held}</g>')
    label = counted(say, "hand", len(cards), cards=", ".join(str(card) for card in cards))
    name, kind = ("hand", "wide") if fan.open else ("hand-narrow", "narrow")
    return panel(name, label, fan.width, fan.height, inside, kind=f"take-that {kind}", place="own")


@lru_cache(DRAWN)
def _held(card: int, twists: bool, places: bool, fan: Fan, say: Say) -> str:
    """A card of the hand; below it a bar if it can be placed, and the twisting sign if it can twist."""
    x = 50 if fan.open else 36
    marks = [f'<path d="M{x - (30 if twists else 10)} 172h20"/>'] if places or not twists else []
    if twists:
        marks.append(use("t-twist", x - (0 if places else 12), 160, 24, 24))
    veil = '<rect class="veil" y="-1" width="100" height="155" rx="9" fill="var(--paper)" fill-opacity=".5"/>'
    face = _face(card) if fan.open else _corner(card)
    bar = f'<g class="bar">{"".join(marks)}</g>'
    return part(f"hand-{card}", _name(card, say), face, veil, _frame(5), bar, kind="t-held", origin="pile")


# --- what each seat has taken


def _piles(p: SimpleNamespace, seat: int, names: Sequence[str], say: Say, last: Sequence[str]) -> Panel:
    """Pairs lie open, minus cards face down."""
    plus = cards_of(p, PLUS, seat)
    pairs = [card for card in plus if card < twisted(card)]
    minus = cards_of(p, MINUS, seat)
    extra = p.extra[seat][: p.n_extra[seat]]
    points = cost_of([*minus, *extra])
    name = escape(shortened(names[seat], 12, PILES_WIDTH - 8))
    said = f"+{PLUS_POINTS * len(plus)}" if plus else "0"
    inside = [
        f'<g aria-hidden="true" fill="currentColor"><text y="11" font-size="12" opacity=".8">{name}</text>'
        f'<text y="{PILES_TOP + 27}" font-size="14" font-weight="700">{said}</text></g>',
    ]
    for i, card in enumerate(pairs):
        at = PAIRS_LEFT + PAIR_PITCH * (i % PAIRS_LINE), PILES_TOP + 48 * (i // PAIRS_LINE)
        inside.append(_pair(card, at, f"hand-{card}" in last or f"row-{card}" in last, say))
    inside.append(_minus(len(minus) + len(extra), points, 0 in extra, say, _taken(p, seat, last)))
    minus_said = f"−{points}" if points else "0"
    label = say("piles", name=names[seat], plus=len(plus), cards=len(minus) + len(extra), minus=minus_said)
    lines = max(1, -(-len(pairs) // PAIRS_LINE))
    return panel(f"piles-{seat + 1}", label, PILES_WIDTH, PILES_TOP + 48 * lines, inside, kind="take-that")


def _taken(p: SimpleNamespace, seat: int, last: Sequence[str]) -> bool:
    """Whether this seat took the row in the last move."""
    return "row" in last and p.n_row == 0 and p.turn == seat


@lru_cache(DRAWN)
def _pair(card: int, at: tuple[float, float], ringed: bool, say: Say) -> str:
    x, y = at
    look = 'rx="5" fill="none" stroke="var(--last)" stroke-width="2.5"'
    ring = f'<rect x="{x - 2.5:g}" y="{y - 2}" width="40" height="48" {look}/>'
    return part(
        f"pair-{card}",
        say("pair", card=card, other=twisted(card)),
        f'<use href="#t-mini" class="under" x="{x + 6:g}" y="{y}" width="28" height="31"/>',
        figures(str(twisted(card)), x + 20, y + 3.5, 9, colour=PIECE_INK),
        use("t-mini", x, y + 14, 28, 31),
        figures(str(card), x + 14, y + 22, 13, colour=PIECE_INK),
        ring if ringed else "",
        kind="last" if ringed else "",
    )


@lru_cache(DRAWN)
def _minus(n: int, points: int, hidden: bool, say: Say, ringed: bool) -> str:
    """The minus cards; if the viewer does not know one of them, the sum is only what is known."""
    said = f"−{points}" if points else "0"
    y = PILES_TOP
    look = 'rx="5" fill="none" stroke="var(--last)" stroke-width="2.5"'
    ring = f'<rect x="240" y="{y - 2}" width="31" height="46" {look}/>'
    return part(
        "minus",
        counted(say, "minus_cards", n, points=points),
        f'<text x="232" y="{y + 27}" font-size="14" font-weight="700" text-anchor="end" fill="currentColor">{said}'
        f"{' ?' if hidden else ''}</text>",
        _backs(min(n, 2), 243, y + (2 if n < 2 else 3), 0.26, 1.5),
        ring if ringed else "",
        kind="last" if ringed else "",
    )
