"""The rules of a game as a page: its Markdown, every rule with its number to link to, and pictures beside the rules.

In the Markdown a rule's number stands in brackets behind what it says: `[Z8]`.
"""

import json
import re
from functools import cache
from importlib import resources

from markupsafe import Markup, escape

from infila.core.game import Game, load
from infila.core.games import contract_of
from infila.core.picture import Panel, sayer
from infila.lessons.lesson import lesson_of
from infila.web.examples import Example, examples_of
from infila.web.html import RULES_PARTS, macros

NAMES = ("Anna", "Bruno", "Carla", "Dario")

Heading = dict[str, str]


@cache
def rules_html(game: str, language: str, drawn: bool = True) -> tuple[str, list[Heading]]:
    """The rules as HTML, with pictures if they can be drawn, and their headings."""
    made = resources.files("infila.web").joinpath("rules", f"{game}.{language}.json")
    if made.is_file():  # on a site everything is drawn when it is built
        html, headings = json.loads(made.read_text(encoding="utf-8"))
        return str(html), list(headings)
    from markdown_it import MarkdownIt

    html = MarkdownIt("commonmark").enable("table").render(contract_of(game).text(language))
    html, headings = _with_headings(with_numbers(html))
    if drawn:
        captions = contract_of(game).words(language).get("examples", {})
        for rule, keys in _by_rule(game).items():
            html = _beside(html, rule, [figure_html(game, key, captions[key], language) for key in keys])
    wide = macros(RULES_PARTS).wide
    return re.sub(r"<table>.*?</table>", lambda found: str(wide(Markup(found[0]))), html, flags=re.DOTALL), headings


def beside_a_table(html: str) -> str:
    """The rules without their title, and with nothing in their pictures that a table could take for its own parts."""
    return re.sub(r' data-(?:part|same)="[^"]*"', "", re.sub(r"<h1>.*?</h1>", "", html))


def with_numbers(html: str) -> str:
    """Rules by number: the first mention of one is where links to it lead."""
    seen: set[str] = set()

    def tag(found: re.Match[str]) -> str:
        first = found[1] not in seen
        seen.add(found[1])
        return str(macros(RULES_PARTS).number(found[1], first))

    return re.sub(r"\[([A-Z]\d+)\]", tag, html)


def _with_headings(html: str) -> tuple[str, list[Heading]]:
    headings: list[Heading] = []

    def heading(found: re.Match[str]) -> str:
        key = f"s{len(headings) + 1}"
        headings.append({"id": key, "text": re.sub(r"<[^>]+>", "", found[1])})
        return str(macros(RULES_PARTS).heading(key, Markup(found[1])))

    return re.sub(r"<h2>(.*?)</h2>", heading, html), headings


def _by_rule(game: str) -> dict[str, list[str]]:
    """The keys of a game's pictures by the rule that they stand beside."""
    found: dict[str, list[str]] = {}
    for key, example in examples_of(game).items():
        found.setdefault(example.rule, []).append(key)
    return found


def _beside(html: str, rule: str, figures: list[Markup]) -> str:
    """The paragraph or point that a rule stands in, or the first one of a section, with pictures at its side."""
    at = html.index(f'id="{rule}"')
    if rule.startswith("s"):
        at = html.index("<p>", at) + len("<p>")
    begin = max(html.rfind("<p>", 0, at), html.rfind("<li>", 0, at))
    if html.startswith("<p>", begin):
        end = html.index("</p>", at) + len("</p>")
        text = html[begin:end]
    else:
        begin, end = begin + len("<li>"), html.index("</li>", at)
        text = f"<p>{html[begin:end]}</p>"
    return f"{html[:begin]}{macros(RULES_PARTS).beside(Markup(text), figures)}{html[end:]}"


def figure_html(game: str, key: str, caption: str, language: str) -> Markup:
    """One picture with its words."""
    return Markup(macros(RULES_PARTS).figure(key, drawings_of(game, key, caption, language), caption))


def drawings_of(game: str, key: str, caption: str, language: str) -> list[Markup]:
    """The panels of an example, as pictures that cannot be touched."""
    example = examples_of(game)[key]
    now, last = _played(game, example)
    view = now.view(example.seat - 1)
    say = sayer(view.contract.words(language)["picture"])
    names = NAMES[: len(now.names)]
    panels = {
        panel.name: panel for panel in view.contract.picture.panels(view.states[0], example.seat - 1, names, say, last)
    }
    return [_still(panels[name], example, caption, cropped=index == 0) for index, name in enumerate(example.panels)]


def _played(game: str, example: Example) -> tuple[Game, tuple[str, ...]]:
    """The example's position, and the parts of its last move."""
    lesson = lesson_of(game)
    position = example.position or (lesson.position if lesson is not None else None)
    assert position is not None, "an example needs a position, its own or the lesson's"
    now = load(position)
    last: tuple[str, ...] = ()
    for move in example.play:
        last = now.contract.notation.parts(now.view(None).states[0], now.action_of(move))
        now.play(move)
    return now, last if example.last is None else example.last


def _still(panel: Panel, example: Example, caption: str, cropped: bool) -> Markup:
    """A panel with parts in the states wished; read aloud it is one picture."""
    svg = panel.svg
    for name, state in example.marks.items():
        svg = re.sub(
            rf'(<g (?:data-same="[^"]*" )?data-part="{re.escape(name)}"[^>]*?)( class="([^"]*)")?>',
            rf'\1 class="\3 {state}">',
            svg,
        )
    head, _, rest = svg.partition(">")
    rest = re.sub(r' aria-label="[^"]*"', "", rest)
    kind = re.search(r'class="([^"]*)"', head)
    left, top, width, height = example.crop if cropped and example.crop else _box(head)
    return Markup(
        f'<svg class="{kind[1] if kind else ""}" data-panel="{panel.name}" width="{width:g}" height="{height:g}" '
        f'viewBox="{left:g} {top:g} {width:g} {height:g}" role="img" aria-label="{escape(caption)}">{rest}'
    )


def _box(head: str) -> tuple[float, float, float, float]:
    found = re.search(r'viewBox="(\S+) (\S+) (\S+) (\S+)"', head)
    assert found
    return float(found[1]), float(found[2]), float(found[3]), float(found[4])
