"""Pictures: what every game's `picture.py` draws with.

A table is drawn as *panels*, each one `<svg>`: the board, a hand, a row, a sheet. Everything that can be touched, moved
or read aloud is a group with `data-part`, the names that `Notation.parts` uses, and an `aria-label`. Colours are the
variables of `look/tokens.css`; figures and marks are symbols of `look/pieces.svg`, and a game may have more in a
`pieces.svg` of its own.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from html import escape
from importlib import resources
from typing import Any, Protocol

Say = Callable[..., str]  # a key of the game's `[picture]` texts and its gaps, to words

# where a panel is put: on the board, in the middle between the players, on the viewer's own side, beside the name of
# the seat whose number ends the panel's, at the side, or there but folded up
PLACES = ("board", "middle", "own", "seat", "side", "folded")
THEN, NOW = "then", "now"  # when a move that can be touched is a button too
GAP = 11  # between two figures, where they are 100 high
SIGNS = {"+": "plus", "−": "minus", "-": "minus", "×": "x"}


@dataclass(frozen=True)
class Panel:
    """One drawing of a table. Make one with `panel`."""

    name: str  #: "board", "hand", …
    svg: str
    width: float
    height: float
    place: str  #: where it is put on the page, one of PLACES


class Pictures(Protocol):
    """A game's `picture.py`: a view as SVG.

    If the score says only who has won, it may also have `tally(s)`: what each seat has so far, and `UNIT`, the key of
    the text that says what is counted. With `aside(s, seat, say)` it says more of a seat, and with `tags(s, seat)` what
    its score is made of so far, a few signed numbers. Where many play in a few sides it has `teams(s, say)`: of each
    side its symbol, its name, what is counted, and how much that is; seats take turns in their order. If a last move
    can leave nothing to look at, `swept(s)` says so, and the end shows what lay there before. Where the score does not
    say how each seat stands it has `course(s)`: what the end of a game counts and a line over time shows. `SIGNS` are
    symbols with which the end of a game draws what counted, by the groups of `Scoring`.

    Where the cells of its main panel can be too small for a finger it has `LOUPE`: how much of that panel a magnifying
    glass shows. A move whose target is in the picture gets a button too if `offer(s, action)` says when: `THEN`, once
    all but its target is chosen, or `NOW`; or empty. `threads(s, action)` says which lines a move would make: for
    each what the bead at its end says, and its parts from end to end. `writes(s, action)` says what a move would write
    on a sheet: a text for each `data-write` of the picture.
    """

    BUTTONS: tuple[str, ...]  #: parts of moves that are buttons of the page

    def panels(self, s: Any, viewer: int, names: Sequence[str], say: Say, last: Sequence[str]) -> list[Panel]:
        """A view, drawn; the main panel first. `last` are the parts of the last move, to be ringed."""

    def note(self, s: Any, action: int) -> str:
        """What the target of a legal move shows, such as the sum of the line: at most three characters."""

    def lights(self, s: Any, action: int) -> Sequence[str]:
        """The parts that a legal move affects besides those it touches: the line it makes, the row it takes."""


def sayer(words: Mapping[str, str]) -> Say:
    """How a picture says things: with the table `[picture]` of a language."""

    def say(key: str, **gaps: Any) -> str:
        return words[key].format(**gaps)

    return say


def counted(say: Say, key: str, n: int, **gaps: Any) -> str:
    """A number of things in words: the key alone for several, with `_one` or `_none` where the language differs."""
    return say({0: f"{key}_none", 1: f"{key}_one"}.get(n, key), n=n, **gaps)


def text_width(text: str, size: float) -> float:
    """About how wide a text is, a little overestimated."""
    return size * sum(0.3 if sign in " .,:;’'ijlt1I()" else 0.62 if sign not in "mwMW" else 0.88 for sign in text)


def shortened(text: str, size: float, width: float) -> str:
    """As much of a text as there is room for."""
    if text_width(text, size) <= width:
        return text
    while text and text_width(text + "…", size) > width:
        text = text[:-1]
    return text.rstrip() + "…"


@cache
def symbols(package: str = "") -> dict[str, str]:
    """The symbols that all games share, or those that a game's package brings, by their ids."""
    folder = resources.files(package) if package else resources.files("infila.core").joinpath("look")
    file = folder.joinpath("pieces.svg")
    text = file.read_text(encoding="utf-8") if file.is_file() else ""
    return {found[1]: found[0] for found in re.finditer(r'<symbol id="([^"]+)".*?</symbol>', text, re.DOTALL)}


@cache
def width_of(symbol: str) -> float:
    """The width of a figure that is 100 high."""
    found = re.search(r'viewBox="\S+ \S+ (\S+) \S+"', symbols()[symbol])
    assert found
    return float(found[1])


def _glyphs(text: str) -> list[str]:
    return [f"g-{SIGNS.get(sign, sign)}" for sign in text]


def figures_width(text: str, height: float) -> float:
    """How wide drawn figures are."""
    return height / 100 * _width(text)


@cache
def _width(text: str) -> float:
    """How wide figures are that are 100 high."""
    glyphs = _glyphs(text)
    return sum(width_of(glyph) for glyph in glyphs) + GAP * (len(glyphs) - 1)


@cache
def _signs(text: str) -> str:
    """Figures that are 100 high, one beside the other."""
    parts = []
    at = 0.0
    for glyph in _glyphs(text):
        place = f' x="{at:g}"' if at else ""
        parts.append(f'<use href="#{glyph}"{place} width="{width_of(glyph):g}" height="100"/>')
        at += width_of(glyph) + GAP
    return "".join(parts)


@lru_cache(4096)
def figures(
    text: str, x: float, y: float, height: float, anchor: str = "middle", colour: str = "", turned: bool = False
) -> str:
    """Drawn figures, from their upper edge; `x` is their start, middle or end. Signs: 0–9 A K Q J + − ×.

    `turned` figures are upside down, in the same box.
    """
    scale = height / 100
    wide = figures_width(text, height)
    left = x - {"start": 0.0, "middle": wide / 2, "end": wide}[anchor]
    place = f"translate({number(left)} {number(y)}) scale({number(scale)})"
    if turned:
        place = f"translate({number(left + wide)} {number(y + height)}) scale({number(-scale)})"
    more = f' color="{colour}"' if colour else ""
    return f'<g transform="{place}"{more}>{_signs(text)}</g>'


def number(value: float) -> str:
    """A coordinate as short as it can be written."""
    text = (f"{value:.4f}" if abs(value) < 1 else f"{value:.1f}").rstrip("0").rstrip(".")
    return text.replace("0.", ".", 1) if text.startswith(("0.", "-0.")) else text


def use(symbol: str, x: float, y: float, width: float, height: float, **more: str) -> str:
    """A symbol in a box; `more` are attributes."""
    extra = "".join(f' {name.rstrip("_")}="{escape(value)}"' for name, value in more.items())
    return f'<use href="#{symbol}" x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}"{extra}/>'


def part(name: str, label: str, *inside: str, kind: str = "", nth: int = 0, origin: str = "") -> str:
    """A group that can be touched, moved and read aloud.

    `nth` tells equal parts apart; `origin` is the part from which new ones come.
    """
    more = (f' class="{kind}"' if kind else "") + (f' data-from="{origin}"' if origin else "")
    more += f' data-nth="{nth}"' if nth else ""
    return f'<g data-part="{escape(name)}" aria-label="{escape(label)}"{more}>{"".join(inside)}</g>'


def panel(
    name: str,
    label: str,
    width: float,
    height: float,
    inside: Iterable[str],
    left: float = 0,
    top: float = 0,
    kind: str = "",
    place: str = "side",
) -> Panel:
    """A panel of this size, and where it is put: one of PLACES.

    A panel that must be drawn differently on a phone comes twice, as `row` of kind "wide" and as `row-narrow` of kind
    "narrow": the page puts both in the same place, and the style shows the one that suits the screen. There may be
    more, such as `row-flat`, of kinds that the game's own style knows.
    """
    box = f"{left:g} {top:g} {width:g} {height:g}"
    more = f' class="{kind}"' if kind else ""
    return Panel(
        name,
        f'<svg data-panel="{name}" viewBox="{box}" role="group" aria-label="{escape(label)}"{more}>'
        f"{''.join(inside)}</svg>",
        width,
        height,
        place,
    )


@cache
def _light() -> str:
    """The variables of the light theme, for a picture that stands alone."""
    text = resources.files("infila.core").joinpath("look", "tokens.css").read_text(encoding="utf-8")
    found = re.search(r":root \{(.*?)\n\}", text, re.DOTALL)
    assert found
    return re.sub(r"/\*.*?\*/|\n\s*", "", found[1], flags=re.DOTALL)


@cache
def _states() -> str:
    """What is drawn but not shown, unless the page sets a state, for a picture that stands alone."""
    hidden = ",".join(f".infila .{kind}" for kind in ("eyelet", "bar", "frame", "veil"))
    return f"{hidden}{{display:none}}"


def _with_inner(names: set[str], known: Mapping[str, str]) -> list[str]:
    """These symbols and those that are drawn with them."""
    found = set(names)
    while more := {inner for name in found for inner in re.findall(r'href="#([^"]+)"', known[name])} - found:
        found |= more
    return sorted(found)


def _label_of(panel: Panel) -> str:
    found = re.search(r'aria-label="([^"]*)"', panel.svg)
    assert found
    return found[1]


def alone(panels: Sequence[Panel], package: str, width: float = 720, gap: float = 16) -> str:
    """Panels as one complete picture, the first one above the others: for a notebook, a file, a README."""
    names = {each.name for each in panels}
    known = symbols() | symbols(package)
    inside = []
    left, top, line = gap, gap, 0.0
    for each in panels:
        if each.name.rpartition("-")[0] in names:  # the same for another screen
            continue
        wide = width if each is panels[0] else min(width, each.width)
        height = wide * each.height / each.width
        if left > gap and left + wide > width + gap:
            left, top, line = gap, top + line + gap, 0.0
        if each.place == "seat":  # whose it is, a page says beside it
            top += 20
            inside.append(f'<text x="{left:.1f}" y="{top - 6:.1f}" fill="var(--ink)">{_label_of(each)}</text>')
        place = f'<svg x="{left:.1f}" y="{top:.1f}" width="{wide:.1f}" height="{height:.1f}" overflow="visible" '
        inside.append(each.svg.replace("<svg ", place, 1))
        left += wide + gap
        line = max(line, height)
    drawn = "".join(inside)
    defs = "".join(known[name] for name in _with_inner(set(re.findall(r'href="#([^"]+)"', drawn)), known))
    box = f"0 0 {width + 2 * gap:g} {top + line + gap:.1f}"
    style = f".infila{{{_light()}color:var(--ink)}}.infila text{{font-family:var(--sans)}}{_states()}"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="infila" viewBox="{box}" '
        f'role="img"><style>{style}</style><defs>{defs}</defs>'
        f'<rect width="100%" height="100%" fill="var(--paper)"/>{drawn}</svg>'
    )
