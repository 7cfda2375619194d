"""The coach's panel beside the board of a lesson."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from infila.core.games import contract_of
from infila.lessons.coach import Speech
from infila.lessons.progress import Progress
from infila.web.languages import Translate, translator


@dataclass(frozen=True)
class Coach:
    """What the coach of a lesson says, and where it points."""

    html: str
    wish: tuple[str, ...] = ()  # moves that it suggests
    show: tuple[str, ...] = ()  # parts and panels of the picture that it speaks of
    reading: bool = False  # nothing is to be done but read
    alone: bool = False  # there is nothing more to teach


def drawn(speech: Speech, now: Progress, language: str) -> Coach:
    """The coach's panel as the learner hears it."""
    _ = translator(language)
    words = contract_of(now.game).words(language)["lesson"]
    text = _(speech.sentence) if speech.sentence else words[speech.text]
    html = thread_html(now.at, len(now.lesson.steps), _) + says(text, rule_links(now.game, speech.rules, _))
    if speech.alone:
        html += real_game_button(now.game, _)
    elif speech.reading:
        html += next_button(_)
    elif speech.wanted:
        html += wants(words[speech.wanted])
    return Coach(html + ways_out(_), speech.suggested, speech.points_at, speech.reading, speech.alone)


def rule_links(game: str, rules: Sequence[str], _: Translate) -> str:
    """The numbers of rules, each a link to where it stands."""
    return "".join(
        f' <a class="rn" href="/rules/{game}#{rule}" target="_blank" rel="noopener" '
        f'aria-label="{escape(_("rule {number}", number=rule))}">{rule}</a>'
        for rule in rules
    )


def thread_html(at: int, count: int, _: Translate) -> str:
    """How far the lesson is: a thread through as many beads as there are steps."""
    wide = 12 * count
    beads = "".join(
        f'<circle cx="{12 * i + 6}" cy="6" r="{3.5 if i == at else 2.5}" class="{"on" if i <= at else ""}"/>'
        for i in range(count)
    )
    spoken = escape(_("step {number} of {count}", number=min(at + 1, count), count=count))
    return (
        f'<svg class="filo" viewBox="0 0 {wide} 12" width="{wide}" height="12" role="img" aria-label="{spoken}">'
        f'<path d="M6 6H{wide - 6}"/><path class="on" d="M6 6H{12 * min(at, count - 1) + 6}"/>{beads}</svg>'
    )


def says(text: str, links: str = "") -> str:
    return f"<p>{escape(text)}{links}</p>" if text else ""


def wants(text: str) -> str:
    return f'<p class="do">{escape(text)}</p>' if text else ""


def next_button(_: Translate) -> str:
    return f'<button class="btn primary low" data-post="/read">{escape(_("next"))}</button>'


def real_game_button(game: str, _: Translate) -> str:
    return (
        f'<form method="post" action="/play/{game}"><button class="btn primary low">'
        f"{escape(_('now play a real game'))}</button></form>"
    )


def ways_out(_: Translate) -> str:
    """What can be done at any time; read aloud last."""
    again = f'<button class="link" data-post="/again">{escape(_("begin again"))}</button>'
    leave = f'<a href="/">{escape(_("leave"))}</a>'
    return f'<p class="small ways">{again}{leave}</p>'
