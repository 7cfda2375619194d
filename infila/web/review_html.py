"""The review of a game, in HTML: how each seat's chances went, what was luck and what was not, and three decisions.

All values are shares of the win; they are shown as points of chance, of which a game that is won has a hundred. What
is not sure has no mark, and what is uncertain says by how much (two standard errors). Hindsight, with open hands, is a
grey line and nothing more.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from infila import __version__
from infila.core.game import View
from infila.core.games import contract_of
from infila.core.picture import Panel
from infila.players import LEVELS
from infila.players.hints import sentences
from infila.puzzles.puzzle import GRADES
from infila.reviewing.ledger import Decision, Judged, Kind, Review, SeatReview, Step
from infila.web.html import REVIEW_PARTS, macros
from infila.web.languages import Translate, translator
from infila.web.table_html import LEVEL_NAMES, mark, number, say_of, signed, suggestion

SHAPES = ("disc", "square", "triangle", "arch", "cross", "hexagon")
SHOWN = ("board", "middle", "own")  # places of a table that a picture of it has
MOST_STEPS = 400  # of a line
MOST_MARKS = 24  # of a line: the largest
MOST_STRANDS = 6  # that are seen at once
TWO_ERRORS = 2.0
UNCLEAR = 0.25  # the error of all luck
SPACE = "\N{NO-BREAK SPACE}"
MOST_OPTIONS = 5  # of a decision that is tried again
BAR = 46  # per cent of a column, for the longest bar


@dataclass(frozen=True)
class Shot:
    """A decision as it was seen: a picture, what was done, and what was better."""

    picture: Markup
    played: str
    better: str
    played_parts: tuple[str, ...]
    better_parts: tuple[str, ...]
    options: Mapping[int, str]  # moves that were looked at, in words, by their actions


@dataclass(frozen=True)
class ReviewFacts:
    """A review for one viewer."""

    review: Review
    seat: int  # whose it is
    names: Sequence[str]
    sides: Sequence[int]  # of the seats
    you: bool  # the seat is the viewer's
    shots: Mapping[int, Shot]  # by the number of the move
    url: str  # of the table
    puzzles: Sequence[tuple[int, str, int]] = ()  # the seat's positions that are some: move, address, how hard


def points(share: float) -> int:
    """A share of the win in points of chance.

    >>> points(0.114), points(-0.003)
    (11, 0)
    """
    return round(100 * share)


def give_or_take(error: float) -> str:
    """By how much something is uncertain; empty if that is less than a point.

    >>> give_or_take(0.02).split(), give_or_take(0.001)
    (['±', '4'], '')
    """
    return f"±{SPACE}{points(TWO_ERRORS * error)}" if points(TWO_ERRORS * error) else ""


def with_error(text: str, error: float) -> str:
    return f"{text} {give_or_take(error)}".strip()


def percent(share: float) -> str:
    return f"{points(share)}{SPACE}%"


def fragments(facts: ReviewFacts, language: str) -> dict[str, Markup]:
    """Everything on the page that is known better from pass to pass."""
    _ = translator(language)
    mine, parts = facts.review.seat(facts.seat), macros(REVIEW_PARTS)
    graves = mine.gravest()
    return {
        "head": Markup(parts.head(heading(facts, mine, _), ladder(mine, _), said(facts, mine, _), judged(facts, _))),
        "threads": Markup(threads(facts, graves, _)),
        "ledger": Markup(parts.ledger(rows(facts, _), _)),
        "three": Markup(
            parts.three(
                [decision(facts, at, each, language) for at, each in enumerate(graves, 1)],
                (_("try it again"), _("try the two again"), _("try the three again")),
                none_of(facts, _),
                _,
            )
        ),
        "marks": Markup(parts.marks(marks_told(facts, graves, _), _)),
        "own": Markup(parts.own([(move, url, _(GRADES[grade])) for move, url, grade in facts.puzzles], _)),
    }


# ---- in words


def heading(facts: ReviewFacts, mine: SeatReview, _: Translate) -> str:
    if mine.like is None:
        return _("review") if facts.review.complete else _("a first look")
    level = _(LEVEL_NAMES[mine.like.level])
    if facts.you:
        return _("you played like {level}", level=level)
    return _("{name} played like {level}", name=facts.names[facts.seat], level=level)


def said(facts: ReviewFacts, mine: SeatReview, _: Translate) -> list[str]:
    """What it came to, in a few sentences."""
    name, you = facts.names[facts.seat], facts.you
    told = []
    if mine.like is not None:
        low, high = (_(LEVEL_NAMES[LEVELS[round(each)]]) for each in (mine.like.low, mine.like.high))
        if low != high:
            told.append(_("It may be anything from {low} to {high}: one game does not say more.", low=low, high=high))
    lost = with_error(str(points(mine.losses)), mine.errors["loss"])
    if mine.like is not None:
        theirs = _("The moves of {name} gave away {points} points of chance.", name=name, points=lost)
        told.append(_("Your moves gave away {points} points of chance.", points=lost) if you else theirs)
        if len(graves := mine.gravest()) > 1:
            gave = sum(each.loss for each in graves)
            if gave <= mine.losses:  # all measured losses together are less where some came out below 0
                told.append(_("{points} of them in {count} moves.", points=points(gave), count=len(graves)))
    if unclear(mine) or (not facts.review.complete and abs(mine.luck) < mine.errors["luck"]):
        told.append(_("Whether luck helped or hurt cannot be said so soon."))
        return told
    told.append(luck_text(points(mine.luck), give_or_take(mine.errors["luck"]), you, name, _))
    even = with_error(percent(mine.even_luck), mine.errors["luck"])
    theirs = _("With even luck {name} would have had {percent}.", name=name, percent=even)
    told.append(_("With even luck you would have had {percent}.", percent=even) if you else theirs)
    return told


def unclear(mine: SeatReview) -> bool:
    """Whether luck is known so badly that nothing should be built on it."""
    return mine.errors["luck"] > UNCLEAR


def luck_text(luck: int, error: str, you: bool, name: str, _: Translate) -> str:
    told = f"{signed(luck)} {error}".strip()
    if luck == 0:
        return _("Luck was even.")
    if luck > 0:
        theirs = _("Luck was with {name}: {points}.", name=name, points=told)
        return _("Luck was with you: {points}.", points=told) if you else theirs
    theirs = _("Luck was against {name}: {points}.", name=name, points=told)
    return _("Luck was against you: {points}.", points=told) if you else theirs


def judged(facts: ReviewFacts, _: Translate) -> list[str]:
    """How all this is known."""
    told = [_("A point of chance is one game in a hundred. {count} games were played on.", count=facts.review.worlds)]
    rules = contract_of(facts.review.game).rules_version
    told.append(
        _(
            "Positions are played on at first sight, moves of decisions by search (infila {version}, rules {rules}).",
            version=__version__,
            rules=rules,
        )
    )
    if facts.review.complete and facts.review.vague:
        told.append(_("{count} of its figures are less sure than is wanted.", count=facts.review.vague))
    if not facts.review.over:
        told.append(_("The game did not come to its end: its last moves are judged by how such games end."))
    return told


def none_of(facts: ReviewFacts, _: Translate) -> str:
    """What is said where no decision is marked."""
    if facts.review.complete:
        return _("No decision surely gave away more than 2 points.")
    return _("No decision is surely a loss so far. This goes on.")


def ladder(mine: SeatReview, _: Translate) -> dict[str, Any] | None:
    """The levels as a thread, where somebody stands on it, and how far that may be wrong."""
    if mine.like is None:
        return None
    last = len(LEVELS) - 1
    return {
        "levels": [
            (100 * at / last, _(LEVEL_NAMES[level]), at <= mine.like.place, level == mine.like.level)
            for at, level in enumerate(LEVELS)
        ],
        "place": 100 * mine.like.place / last,
        "low": 100 * mine.like.low / last,
        "high": 100 * mine.like.high / last,
    }


# ---- the threads


def threads(facts: ReviewFacts, graves: Sequence[Decision], _: Translate) -> str:
    """A strand for each seat, the one that the page is about first."""
    order = sorted(facts.review.seats, key=lambda each: each.seat != facts.seat)
    strands = [strand(facts, each, graves if each.seat == facts.seat else (), _) for each in order]
    return str(macros(REVIEW_PARTS).threads(strands[:MOST_STRANDS], strands[MOST_STRANDS:], known(facts.review), _))


def known(review: Review) -> bool:
    """Whether anything is known in hindsight."""
    return any(each != 0.5 for curve in review.hindsight for each in curve[: review.moves])


def strand(facts: ReviewFacts, mine: SeatReview, graves: Sequence[Decision], _: Translate) -> dict[str, Any]:
    """A seat's chance after every move, and what changed it surely."""
    moves, name = facts.review.moves, facts.names[mine.seat]
    curve = [value.win for value in mine.curve]
    numbers = {each.number: at for at, each in enumerate(graves, 1)}
    side = facts.sides[mine.seat]
    label = _(
        "chance of {name}: from {begin} to {end}; the marks are in the table below",
        name=name,
        begin=percent(curve[0]),
        end=percent(curve[-1]),
    )
    return {
        "seat": mine.seat,
        "name": name,
        "sign": mark(side, name, 26),
        "shape": SHAPES[side % len(SHAPES)],
        "dash": mine.seat % 4,
        "label": label,
        "line": path(curve, moves),
        "hindsight": path(facts.review.hindsight[mine.seat], moves) if known(facts.review) else "",
        "marks": [drawn(step, curve, moves, numbers) for step in sorted(sure_steps(mine), key=lies_on_top)],
        "chances": ",".join(str(points(each)) for each in curve),
    }


def path(curve: Sequence[float], moves: int) -> str:
    step = max(1, len(curve) // MOST_STEPS)
    kept = sorted({*range(0, len(curve), step), len(curve) - 1})
    return "M" + "L".join(f"{1000 * at / max(moves, 1):.1f} {100 - 100 * curve[at]:.1f}" for at in kept)


def sure_steps(mine: SeatReview) -> list[Step]:
    """What is worth a mark: losses of one's own decisions, luck, and gifts; in the order of the game."""
    grave = {each.number for each in mine.decisions if each.grade}
    found = [each for each in mine.steps if each.kind == "loss" and each.number in grave]
    found += [each for each in mine.steps if each.kind == "luck" and each.sure]
    found += [each for each in mine.steps if each.kind == "gift" and each.sure and each.win > 0]
    largest = sorted(found, key=lambda each: (each.kind != "loss", -abs(each.win)))[:MOST_MARKS]
    return sorted(largest, key=lambda each: (each.number, each.kind))


def lies_on_top(step: Step) -> bool:
    """Whether a mark is drawn over others: the rings that have numbers."""
    return step.kind == "loss"


def kind_of(step: Step) -> str:
    """The kind of a mark, as the style sheet knows it."""
    return {"luck": "up" if step.win > 0 else "down", "gift": "gift", "loss": "loss"}[step.kind]


def drawn(step: Step, curve: Sequence[float], moves: int, numbers: Mapping[int, int]) -> dict[str, Any]:
    """A mark where it belongs: a bar as high as what came by it, or a ring."""
    end = curve[min(step.number, len(curve) - 1)]
    top = min(1.0, max(end, end - step.win))
    return {
        "x": 100 * step.number / max(moves, 1),
        "y": 100 - 100 * top,
        "high": 100 * min(abs(step.win), top),
        "at": 100 - 100 * end,
        "kind": kind_of(step),
        "number": numbers.get(step.number, 0) if step.kind == "loss" else 0,
        "move": step.number,
    }


# ---- tables


def rows(facts: ReviewFacts, _: Translate) -> list[dict[str, Any]]:
    """Of each seat what was luck, what others gave, what it lost itself, and that it adds up."""
    seats = facts.review.seats
    sums = [(each.luck, each.gifts, -each.losses) for each in seats]
    most = max((abs(value) for row in sums for value in row), default=0) or 1
    kinds: tuple[Kind, ...] = ("luck", "gift", "loss")
    return [
        {
            "seat": each.seat,
            "sign": mark(facts.sides[each.seat], facts.names[each.seat], 24),
            "name": facts.names[each.seat],
            "cells": [
                {
                    "kind": ("up" if value > 0 else "down") if kind == "luck" else kind,
                    "text": signed(points(value)),
                    "error": give_or_take(each.errors[kind]),
                    "wide": BAR * abs(value) / most,
                    "minus": value < 0,
                }
                for kind, value in zip(kinds, row, strict=True)
            ],
            "even": "–" if unclear(each) else percent(each.even_luck),
            "account": account(each, _),
            "given": given(facts, each, _) if len(seats) > 2 else "",
            "own": each.seat == facts.seat,
        }
        for each, row in zip(seats, sums, strict=True)
    ]


def account(mine: SeatReview, _: Translate) -> str:
    """What is missing for a sum: where it began, what is left over, and how it ended."""
    rest = with_error(signed(points(mine.rest)), mine.error)
    return _(
        "start {start}, rest {rest}, result {result}",
        start=points(mine.start.win),
        rest=rest,
        result=points(mine.result),
    )


def given(facts: ReviewFacts, mine: SeatReview, _: Translate) -> str:
    """Who gave how much, the most first."""
    told = [
        _("{points} from {name}", points=signed(points(share)), name=facts.names[by])
        for by, share in sorted(mine.given_by.items(), key=lambda each: -abs(each[1]))
        if by >= 0 and points(share)
    ]
    return _("gifts: {each}", each=", ".join(told)) if told else ""


def marks_told(facts: ReviewFacts, graves: Sequence[Decision], _: Translate) -> list[dict[str, Any]]:
    """All marks of all strands in words: the same as the picture, for those who read it."""
    numbers = {each.number: at for at, each in enumerate(graves, 1)}
    found = []
    for mine in facts.review.seats:
        best = {each.number: each.best.move for each in mine.decisions}
        for step in sure_steps(mine):
            found.append(
                {
                    "move": step.number,
                    "name": facts.names[mine.seat],
                    "number": numbers.get(step.number, 0) if step.kind == "loss" and mine.seat == facts.seat else 0,
                    "what": mark_text(facts, step, best.get(step.number, ""), _),
                    "points": signed(points(step.win)),
                    "error": give_or_take(step.error),
                }
            )
    return sorted(found, key=lambda each: each["move"])


def mark_text(facts: ReviewFacts, step: Step, best: str, _: Translate) -> str:
    if step.kind == "loss":
        return _("own loss; better was {move}", move=best)
    if step.kind == "gift":
        return _("a gift from {name}", name=facts.names[step.by]) if step.by >= 0 else _("a gift from another")
    if step.number == 0:
        return _("luck helped, in the deal") if step.win > 0 else _("luck hurt, in the deal")
    return _("luck helped") if step.win > 0 else _("luck hurt")


# ---- decisions


def decision(facts: ReviewFacts, at: int, made: Decision, language: str) -> dict[str, Any]:
    """One that mattered: the picture, what was played, what was better, and why."""
    shot = facts.shots.get(made.number)
    reasons = sentences(contract_of(facts.review.game), made.reasons, language)
    return {
        "number": at,
        "move": made.number,
        "seat": made.seat + 1,
        "url": facts.url,
        "loss": number(f"−{points(made.loss)}", 20),
        "error": give_or_take(made.error),
        "grade": made.grade,
        "shot": shot,
        "played": shot.played if shot else made.played.move,
        "better": shot.better if shot else made.best.move,
        "why": [text[:1].upper() + text[1:] for text in reasons[:3]],
        "options": options(made, shot.options, translator(language)) if shot else [],
    }


def options(made: Decision, named: Mapping[int, str], _: Translate) -> list[dict[str, Any]]:
    """What may be chosen where a decision is tried again, in an order that tells nothing, and what is said of it."""
    found = []
    for each in made.moves:
        if each.action not in named:
            continue
        lost = points(each.loss)
        told = _("It gives away {points} points of chance.", points=lost)
        if each is made.best:
            told = _("This is the best move.")
        elif lost == 0:
            told = _("It is as good as the best, as far as one can tell.")
        found.append({"text": named[each.action], "told": told, "good": lost == 0})
    return sorted(found, key=lambda each: str(each["text"]))


def shot_of(view: View, made: Decision, names: Sequence[str], language: str) -> Shot:
    """A decision through the eyes of the seat that had it."""
    parts = view.contract.notation.parts
    return Shot(
        picture(view, names, language),
        suggestion(view, made.played.action, language),
        suggestion(view, made.best.action, language),
        parts(view.states[0], made.played.action),
        parts(view.states[0], made.best.action),
        {each.action: suggestion(view, each.action, language) for each in tried_again(made)},
    )


def tried_again(made: Decision) -> list[Judged]:
    """The moves to choose from: the best, the one that was played, and others, the better ones first."""
    others = [each for each in made.moves if each not in (made.best, made.played)]
    return [made.best, made.played, *others[: MOST_OPTIONS - 2]]


def picture(view: View, names: Sequence[str], language: str, last: tuple[str, ...] = ()) -> Markup:
    """The table as a seat sees it, small: the board, the middle, and what it holds, each in one form."""
    seat = -1 if view.seat is None else view.seat
    panels = view.contract.picture.panels(view.states[0], seat, names, say_of(view.game, language), last)
    shown = [panel for panel in small(panels) if "data-part" in panel.svg]  # nothing lies in the others
    rows = [Markup("".join(panel.svg for panel in shown if panel.place == place)) for place in SHOWN]
    return Markup(macros(REVIEW_PARTS).picture(*rows))


def small(panels: Sequence[Panel]) -> list[Panel]:
    """Of panels that come in several forms the narrow ones, else the plain ones."""
    placed = {panel.name: panel for panel in panels if panel.place in SHOWN}
    kept = []
    for name, panel in placed.items():
        base, _dash, form = name.rpartition("-")
        plain = base not in placed or form.isdecimal()
        if form == "narrow" or (plain and f"{name}-narrow" not in placed):
            kept.append(panel)
    return kept
