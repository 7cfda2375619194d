"""A puzzle in HTML: the page of a table, with a question instead of a game.

Everything before its end is made from what its seat sees and from what was tried. What a move costs is said once it was
tried, and the answer once it was found or asked for.
"""

from collections.abc import Sequence
from typing import Any

from infila.core.game import View
from infila.core.picture import Panel
from infila.players.hints import sentences
from infila.puzzles.attempt import Attempt
from infila.puzzles.puzzle import ASKED, TRIES, Puzzle
from infila.web import table_html
from infila.web.html import TABLE_PARTS, macros
from infila.web.languages import Translate, translator
from infila.web.review_html import points, with_error
from infila.web.table_html import LEVEL_NAMES, Sitter, TableFacts


def sitters(view: View, _: Translate) -> list[Sitter]:
    """Nobody sits there: the seats have numbers, and one is the reader's."""
    return [
        Sitter(_("you"), "person", here=True, you=True)
        if seat == view.seat
        else Sitter(_("seat {number}", number=seat + 1), "other")
        for seat in range(len(view.names))
    ]


def facts_of(attempt: Attempt, view: View, language: str) -> TableFacts:
    stamp = len(attempt.tries) + attempt.shown
    return TableFacts(
        view=view,
        sitters=sitters(view, translator(language)),
        version=stamp,
        stamp=stamp,
        yours=not attempt.over,
        hints=False,
        buttons=buttons(attempt, translator(language)),
    )


def state(attempt: Attempt, view: View, language: str, drawn: Sequence[Panel] = ()) -> dict[str, Any]:
    """Everything that changes on the page, as at a table."""
    _ = translator(language)
    facts = facts_of(attempt, view, language)
    made = table_html.state(facts, language, drawn)
    made["fragments"] |= {"say": say_html(attempt, view, language), "log": tries_html(attempt, view, language)}
    made["count"] = facts.stamp
    made["title"] = f"{_('puzzle')} · {view.contract.title.lower()} · infila"
    if attempt.over:
        made["show"] = list(view.contract.notation.parts(view.states[0], best_of(attempt, view)))
    return made


def best_of(attempt: Attempt, view: View) -> int:
    """The move that is shown at the end: the one that was found, or the best."""
    return view.read(attempt.tries[-1] if attempt.found else attempt.puzzle.best[0])


def move_text(view: View, move: str, language: str) -> str:
    return table_html.suggestion(view, view.read(move), language)


def cost_text(puzzle: Puzzle, move: str, _: Translate) -> str:
    return _("costs {points} points of chance", points=puzzle.costs.get(move, points(puzzle.margin)))


def say_html(attempt: Attempt, view: View, language: str) -> str:
    """The question; what the last try costs; or the answer, and by how much it is better. Why is said among the tries:
    on a small screen there is room for a line."""
    _ = translator(language)
    last = attempt.tries[-1] if attempt.tries else ""
    if attempt.over:
        heading = _("found") if attempt.found else _("the solution")
        move, better = table_html.suggestion(view, best_of(attempt, view), language), better_by(attempt.puzzle)
        sentence = f"{move}. {_('Every other move costs at least {points} points of chance.', points=better)}"
        short = _("{move}: {points} points better", move=move, points=better)
    elif last:
        heading = _("not this one")
        short = f"{move_text(view, last, language)}: {cost_text(attempt.puzzle, last, _)}."
        sentence = f"{short} {_('Try another move.')}"
    else:
        heading = _("your turn")
        sentence = short = _("One move is clearly better than all others. Which?")
    return str(macros(TABLE_PARTS).say(heading, "", sentence, short, short))


def better_by(puzzle: Puzzle) -> str:
    return with_error(str(points(puzzle.margin)), puzzle.error)


def tries_html(attempt: Attempt, view: View, language: str) -> str:
    """All tries with what they cost; at the end who else has found it, and why it is best."""
    _, parts, lines = translator(language), macros(TABLE_PARTS), []
    for number, move in enumerate(attempt.tries, 1):
        said = _("found") if move in attempt.puzzle.best else cost_text(attempt.puzzle, move, _)
        lines.append(parts.log_line(number, move_text(view, move, language), said))
    if attempt.over:
        action = best_of(attempt, view)
        why = sentences(view.contract, view.contract.advice.reasons(view.states[0], action), language)
        best = f"{table_html.suggestion(view, action, language)}: {'; '.join(why)}."
        lines += [parts.log_note(found_by(attempt.puzzle, _)), parts.log_line("", "", best)]
    return "".join(map(str, lines))


def found_by(puzzle: Puzzle, _: Translate) -> str:
    counts = ", ".join(f"{_(LEVEL_NAMES[name])} {count}" for name, count in zip(ASKED, puzzle.found, strict=True))
    return _("Of {count} tries each, the computer found it: {counts}.", count=TRIES, counts=counts)


def buttons(attempt: Attempt, _: Translate) -> list[dict[str, Any]]:
    if attempt.over:
        return [
            {"text": _("next puzzle"), "path": "/next", "primary": True, "icon": "next"},
            {"text": _("once more"), "path": "/again", "icon": "again"},
        ]
    return [
        {"text": _("show the solution"), "path": "/solution", "icon": "hint"},
        {"text": _("next puzzle"), "path": "/next", "icon": "next"},
    ]
