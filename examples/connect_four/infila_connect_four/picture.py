"""Connect Four as a picture: an upright board with holes, and the thread through four in a row.

Each seat's discs have the seat's colour, and an eyelet of its own shape. A column is one part: a disc is dropped by
touching its column anywhere.
"""

from collections.abc import Sequence
from html import escape

from infila.core.picture import Panel, Say, counted, panel, part, shortened
from infila_connect_four.notation import LETTERS, height, owner
from infila_connect_four.rules import COLUMNS, ROWS, State
from infila_connect_four.scoring import Line, fours

BUTTONS: tuple[str, ...] = ()  # everything can be touched in the picture

PITCH, EDGE, FOOT = 76, 14, 26  # from hole to hole; round the board, and below it for the letters
HOLE, DISC = 32, 28  # radii
WIDTH, HEIGHT = COLUMNS * PITCH + 2 * EDGE, ROWS * PITCH + EDGE + FOOT

COLOURS = ("", "var(--side-1)", "var(--side-2)")
_ROUND = "M-8 0a8 8 0 1 0 16 0a8 8 0 1 0-16 0z"
_SQUARE = "M-7.5-7.5v15h15v-15z"
EYELETS = ("", _ROUND, _SQUARE)


def panels(s: State, viewer: int, names: Sequence[str], say: Say, last: Sequence[str]) -> list[Panel]:
    return [_board(s, say, last), _sides(s, names, say)]


def note(s: State, action: int) -> str:
    return ""


def lights(s: State, action: int) -> tuple[str, ...]:
    return ()


def _board(s: State, say: Say, last: Sequence[str]) -> Panel:
    inside = [
        f'<rect y="4" width="{WIDTH}" height="{HEIGHT}" rx="12" fill="var(--piece-edge)"/>',
        f'<rect width="{WIDTH}" height="{HEIGHT}" rx="12" fill="var(--field-ochre)"/>',
        *(_hole(column, row) for column in range(COLUMNS) for row in range(ROWS)),
        *(_thread(line) for seat in range(2) for line in fours(s, seat)),
        *(_column(s, column, say, f"column-{LETTERS[column]}" in last) for column in range(COLUMNS)),
    ]
    return panel("board", say("board"), WIDTH, HEIGHT + 4, inside, kind="connect-four", place="board")


def _spot(column: int, row: int) -> tuple[float, float]:
    """The middle of a hole."""
    return EDGE + PITCH * (column + 0.5), EDGE + PITCH * (ROWS - 1 - row + 0.5)


def _hole(column: int, row: int) -> str:
    x, y = _spot(column, row)
    return f'<circle cx="{x:g}" cy="{y:g}" r="{HOLE}" fill="var(--paper)"/>'


def _column(s: State, column: int, say: Say, dropped: bool) -> str:
    full = height(s, column)
    x = EDGE + PITCH * column
    inside = [f'<rect x="{x}" width="{PITCH}" height="{HEIGHT}" fill="transparent"/>']
    for row in range(full):
        inside.append(_disc(owner(s, column, row), *_spot(column, row), ringed=dropped and row == full - 1))
    look = 'font-size="15" font-weight="700" text-anchor="middle" fill="var(--on-ochre)" aria-hidden="true"'
    inside.append(f'<text x="{x + PITCH / 2:g}" y="{HEIGHT - 10}" {look}>{LETTERS[column]}</text>')
    if full < ROWS and not s.ended:
        inside.append(_eyelet(int(s.turn) + 1, *_spot(column, full)))
    return part(f"column-{LETTERS[column]}", _label(s, column, full, say), *inside, kind="last" if dropped else "")


def _label(s: State, column: int, full: int, say: Say) -> str:
    """A column as it is read aloud, from below."""
    discs = ", ".join(say(f"disc_{owner(s, column, row)}") for row in range(full))
    return counted(say, "column", full, column=LETTERS[column], discs=discs)


def _disc(side: int, x: float, y: float, ringed: bool = False, kind: str = "") -> str:
    """A disc, with its thickness below it."""
    shape = f"M0-{DISC}a{DISC} {DISC} 0 1 1 0 {2 * DISC}a{DISC} {DISC} 0 1 1 0-{2 * DISC}z{EYELETS[side]}"
    ring = f'<circle r="{HOLE - 1.5}" fill="none" stroke="var(--ink)" stroke-width="3"/>' if ringed else ""
    more = f' class="{kind}"' if kind else ""
    return (
        f'<g transform="translate({x:g} {y:g})" fill-rule="evenodd"{more}>'
        f'<path d="{shape}" transform="translate(0 2.5)" fill="var(--piece-ink)" fill-opacity=".35"/>'
        f'<path d="{shape}" fill="{COLOURS[side]}"/>{ring}</g>'
    )


def _eyelet(side: int, x: float, y: float) -> str:
    """Where the disc would fall: a ring, and the disc itself once the column is chosen."""
    return (
        f'<g class="eyelet"><circle cx="{x:g}" cy="{y:g}"/>{_disc(side, x, y, kind="chosen")}'
        f'<text class="note" x="{x:g}" y="{y + 5:g}"/></g>'
    )


def _thread(line: Line) -> str:
    """The thread through four in a row; it looks out at both ends."""
    (x, y), (to, then) = _spot(*line[0]), _spot(*line[3])
    dx, dy = (to - x) / 8, (then - y) / 8
    return (
        f'<path class="thread" d="M{x - dx:g} {y - dy:g}L{to + dx:g} {then + dy:g}" stroke="var(--ink)" '
        'stroke-width="5" stroke-linecap="round"/>'
    )


def _sides(s: State, names: Sequence[str], say: Say) -> Panel:
    """Whose discs are which, and how many each has played."""
    inside = []
    for seat in range(2):
        y = 30 + 56 * seat
        played = counted(say, "discs", int(s.discs[seat]).bit_count())
        name = escape(shortened(names[seat], 17, 170))
        drawn = (
            f'<g transform="translate(24 {y}) scale(.72)">{_disc(seat + 1, 0, 0)}</g>'
            f'<text x="56" y="{y + 6}" font-size="17" font-weight="700" fill="var(--ink)">{name}</text>'
            f'<text x="316" y="{y + 6}" font-size="15" text-anchor="end" fill="var(--ink-2)">{escape(played)}</text>'
        )
        inside.append(part(f"side-{seat + 1}", f"{names[seat]}: {played}", drawn))
    return panel("sides", say("sides"), 320, 116, inside, kind="connect-four")
