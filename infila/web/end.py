"""The end of a game, in HTML: who has won and by how much, its story, what counted, and how it stood over time.

All of it is made from what everybody at the table may know: `TableFacts` of the viewer at the end of the game, and how
all sides stood after each move, as the log tells it. A *side* is whoever plays together. How a side stands is its
score, unless the game's picture has a `course`; what counted is summed up in the groups of its `scoring`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import count, groupby, pairwise
from statistics import median
from typing import Any

from markupsafe import Markup

from infila.core.contract import Item
from infila.web.html import END_PARTS, macros
from infila.web.languages import Translate, translator
from infila.web.table_html import (
    TableFacts,
    heading,
    joined,
    mark,
    number,
    sentence,
    signed,
    stage_title,
    standing,
    words,
)

SHAPES = ("disc", "square", "triangle", "arch", "cross", "hexagon")
MOST_STEPS = 400  # of a line
MOST_NAMED = 4  # stages that are named above the lines
MARKS = (0.2, 0.52, 0.84)  # where a line has the mark of its side
APART = 12  # per cent between two numbers at the side
MOST_TICKS = 100  # points of a bar that are drawn one by one
TONES = 6  # of groups
MOST_IN_NAME = 2  # people
Chances = Sequence[Sequence[float]]  # of each seat, before the first move and after each
LISTED = 24  # things of one side that are listed


@dataclass(frozen=True)
class Side:
    """Those who play together."""

    number: int
    seats: tuple[int, ...]
    name: str
    points: int
    you: bool
    won: bool

    @property
    def shape(self) -> str:
        return SHAPES[self.number % len(SHAPES)]


@dataclass(frozen=True)
class Knot:
    """A move that mattered."""

    move: int  # from 1
    lead: bool = False  # the winner leads from here on
    swing: bool = False  # the largest of the game
    worst: bool = False  # the worst moment of the winner


@dataclass(frozen=True)
class Group:
    """What counted, summed up."""

    title: str
    about: str
    totals: list[int]  # of each side
    items: list[list[tuple[str, Item]]]  # of each side, with the stage
    sign: str  # a symbol of the game
    counted: bool


def sides_of(facts: TableFacts, _: Translate) -> list[Side]:
    view = facts.view
    side_of = view.contract.options.read(view.states[0]).side
    seats: dict[int, list[int]] = {}
    for seat in range(len(facts.sitters)):
        seats.setdefault(side_of(seat), []).append(seat)
    stands = standing(view)
    return [
        Side(
            side,
            tuple(held),
            side_name([facts.sitters[seat].name for seat in held], _),
            stands[held[0]],
            view.seat in held and sum(sitter.you for sitter in facts.sitters) == 1,
            any(seat in facts.winners for seat in held),
        )
        for side, held in sorted(seats.items())
    ]


def side_name(names: Sequence[str], _: Translate) -> str:
    """Those who play together, by one name and how many more where they are many."""
    return joined(names, _) if len(names) <= MOST_IN_NAME else f"{names[0]} +{len(names) - 1}"


def figure(points: int) -> str:
    return str(points).replace("-", "−")


def title(facts: TableFacts, sides: Sequence[Side], _: Translate) -> str:
    """Who has won, from the viewer's seat."""
    won = [side for side in sides if side.won]
    if any(side.you for side in won):
        return _("you win")
    if len(won) == 1 and len(won[0].seats) > MOST_IN_NAME:
        return _("{names} win", names=won[0].name)
    return heading(facts, _)


def margin(sides: Sequence[Side], _: Translate) -> str:
    """By how much, and what everybody has."""
    ranked = sorted(sides, key=lambda side: (not side.won, -side.points))
    each = ", ".join(f"{_('you') if side.you else side.name} {figure(side.points)}" for side in ranked)
    won = [side for side in sides if side.won]
    others = [side.points for side in sides if not side.won]
    by = won[0].points - max(others) if len(won) == 1 and others else 0
    return _("by {points}: {each}", points=by, each=each) if by > 0 else each


# ---- the story


def knots_of(course: Sequence[Sequence[int]], winner: int | None) -> list[Knot]:
    """At most three moves that mattered, in their order; `course` is how the sides stood after each move."""
    if len(course) < 2 or len(course[0]) < 2:
        return []
    side = winner or 0
    ahead = [stands[side] - max(other for i, other in enumerate(stands) if i != side) for stands in course]
    steps = [(now - before, move) for move, (before, now) in enumerate(pairwise(ahead), 2)]
    sizes = [abs(step) for step, _move in steps if step]
    if not sizes:
        return []
    large = max(2, 2 * median(sizes)) if len(sizes) > 3 else 1
    lead = _lead_for_good(ahead) if winner is not None else None
    step, move = max(steps, key=lambda each: abs(each[0]))
    largest = move if abs(step) >= large else None
    step, move = min(steps)
    worst = move if winner is not None and -step >= large else None
    found = {each for each in (lead, largest, worst) if each is not None}
    return [Knot(each, each == lead, each == largest, each == worst) for each in sorted(found)]


def _lead_for_good(ahead: Sequence[int]) -> int | None:
    """The move after which the winner was never reached again; None if nobody ever was before them."""
    behind = [move for move, by in enumerate(ahead, 1) if by <= 0]
    return behind[-1] + 1 if behind and behind[-1] < len(ahead) else None


def changes_of_lead(course: Sequence[Sequence[int]]) -> int:
    """How often another side took the lead from the one that had it."""
    leaders = [stands.index(max(stands)) for stands in course if list(stands).count(max(stands)) == 1]
    return sum(1 for _side in groupby(leaders)) - 1 if leaders else 0


def story(facts: TableFacts, sides: Sequence[Side], knots: Sequence[Knot], _: Translate, language: str) -> list[Any]:
    """A few sentences; those that belong to a knot come with its number and move."""
    told: list[Any] = [
        (0, 0, _("{name} has resigned.", name=sitter.name)) for sitter in facts.sitters if sitter.resigned
    ]
    won = [side for side in sides if side.won]
    course = course_of(facts, sides)
    changes = changes_of_lead(course)
    if changes > 0:
        many = _("The lead changed {count} times.", count=changes)
        told.append((0, 0, many if changes > 1 else _("The lead changed once.")))
    elif len(won) == 1 and len(course) > 1 and facts.given_to is None:
        never = _("Nobody else was ever ahead of {name}.", name=won[0].name)
        told.append((0, 0, _("You were never behind.") if won[0].you else never))
    for at, knot in enumerate(knots, 1):
        line = facts.told[knot.move - 1]
        did = sentence(facts.view.game, "moves", line.reason, language)
        said = [f"{facts.sitters[line.seat].name} {did}." if line.seat >= 0 else f"{did}."]
        if knot.lead:
            lead = _("From here on the lead belongs to {name}.", name=won[0].name)
            said.append(_("From here on you lead.") if won[0].you else lead)
        elif knot.swing:
            said.append(_("No other move changed more."))
        elif knot.worst:
            worst = _("The worst moment for {name}.", name=won[0].name)
            said.append(_("Your worst moment.") if won[0].you else worst)
        told.append((at, knot.move, " ".join(said)))
    return told


def course_of(facts: TableFacts, sides: Sequence[Side]) -> list[list[int]]:
    return [[line.stands[side.seats[0]] for side in sides] for line in facts.told if line.stands]


# ---- why


def groups_of(facts: TableFacts, sides: Sequence[Side], _: Translate, language: str) -> list[Group]:
    """What counted, in the groups of the game; a game that has none has one for every rule."""
    view = facts.view
    scoring, table = view.contract.scoring, words(view.game, language).get("groups", {})
    named: Mapping[str, str] | None = getattr(scoring, "GROUPS", None)
    counted = getattr(scoring, "COUNTED", ())
    signs: Mapping[str, str] = getattr(view.contract.picture, "SIGNS", {})
    stages = view.explain()
    found: dict[str, list[list[tuple[str, Item]]]] = {}
    for stage in stages:
        for column, side in enumerate(sides):
            for item in stage.seats[side.seats[0]]:
                group = item.rule if named is None else named.get(item.reason.key, item.rule)
                if group:
                    columns = found.setdefault(group, [[] for _side in sides])
                    columns[column].append((stage_title(stage.title, _) if len(stages) > 1 else "", item))
    order = list(dict.fromkeys((named or {}).values()))
    ranked = sorted(found, key=lambda group: order.index(group) if group in order else len(order))
    return [
        Group(
            table.get(group) or _("rule {number}", number=group),
            table.get(f"{group}_about", ""),
            [len(items) if group in counted else sum(item.points for _stage, item in items) for items in found[group]],
            found[group],
            signs.get(group, ""),
            group in counted,
        )
        for group in ranked
    ]


def opened(group: Group, sides: Sequence[Side], game: str, language: str) -> list[tuple[str, str]]:
    """What a group consists of: of every side its name and its things."""
    lines = []
    for side, items in zip(sides, group.items, strict=True):
        told = [(stage, sentence(game, "scores", item.reason, language)) for stage, item in items]
        same = [(stage, text, len(list(each))) for (stage, text), each in groupby(told)]
        things = [f"{text} ({count} ×)" if count > 1 else text for _stage, text, count in same[:LISTED]]
        for at, (stage, _text, _count) in enumerate(same[:LISTED]):
            if stage and (at == 0 or same[at - 1][0] != stage):
                things[at] = f"{stage}: {things[at]}"
        if things:
            more = f" + {len(same) - LISTED}" if len(same) > LISTED else ""
            lines.append((side.name, "; ".join(things) + more))
    return lines


def tones_of(groups: Sequence[Group]) -> list[int]:
    """The colour of each group: even ones for what was won, odd ones for what was lost."""
    used = {0: count(0, 2), 1: count(1, 2)}
    lost = [int(sum(group.totals) < 0) for group in groups]
    return [1 if group.sign else next(used[odd]) % TONES for group, odd in zip(groups, lost, strict=True)]


def bars_of(groups: Sequence[Group], sides: int) -> list[Markup]:
    """For each side what it has won to the right of a line and what it has lost to the left, group by group."""
    plus = [sum(group.totals[i] for group in groups if group.totals[i] > 0) for i in range(sides)]
    minus = [sum(-group.totals[i] for group in groups if group.totals[i] < 0) for i in range(sides)]
    left, right = max(minus, default=0), max(plus, default=0)
    unit = 100 / max(left + right, 1)
    zero = left * unit
    drawn = []
    for i in range(sides):
        ends = {1: zero, -1: zero}
        pieces = []
        for group, tone in zip(groups, tones_of(groups), strict=True):
            points = group.totals[i]
            way = 1 if points > 0 else -1
            wide = abs(points) * unit
            x = ends[1] if points > 0 else ends[-1] - wide
            ends[way] += way * wide
            if points:
                signs = len(group.items[i]) if group.sign else 0
                ticks = abs(points) if left + right <= MOST_TICKS and not signs else 0
                pieces.append({"x": x, "wide": wide, "tone": tone, "sign": group.sign, "signs": signs, "ticks": ticks})
        drawn.append(Markup(macros(END_PARTS).bar(pieces, zero)))
    return drawn


# ---- over time


def chart(facts: TableFacts, sides: Sequence[Side], knots: Sequence[Knot], _: Translate, chances: Chances = ()) -> str:
    """How the sides stood after every move, or what their chances were; one kind of line and mark for each, stages
    marked, knots numbered."""
    course = course_of(facts, sides)
    if not (chances and len(chances[0]) == len(course) + 1):
        chances = ()
    if chances and course:
        course = [[round(100 * chances[side.seats[0]][move]) for side in sides] for move in range(1, len(course) + 1)]
    if not course:
        return ""
    moves_made = len(course)
    values = [stand for stands in course for stand in stands]
    low, high = min(0, *values), max(0, *values)
    if chances:
        high = 100
    elif low == high:
        high += 1

    def x(move: float) -> float:
        return 100 * move / moves_made

    def y(points: float) -> float:
        return 100 * (high - points) / (high - low)

    step = max(1, moves_made // MOST_STEPS)
    kept = sorted({*range(0, moves_made, step), moves_made - 1, *(knot.move - 1 for knot in knots)})
    lines = []
    for column, side in enumerate(sides):
        path, last = [f"M0 {y(course[0][column]):.0f}"], course[0][column]
        for move in kept:
            if course[move][column] != last:
                last = course[move][column]
                path.append(f"H{10 * x(move + 1):.0f}V{y(last):.0f}")
        path.append("H1000")
        where = (
            [min(moves_made - 1, round((share + 0.05 * column % 0.15) * moves_made)) for share in MARKS]
            if moves_made > 6
            else []
        )
        marks = [(x(move + 1), y(course[move][column])) for move in where]
        lines.append({"shape": side.shape, "path": "".join(path), "marks": marks, "dash": column % 4})
    stages = [(name, len(list(same))) for name, same in groupby(line.stage for line in facts.told)]
    bounds, at = [], 0
    for name, moves in stages if len(stages) > 1 else ():
        bounds.append((x(at), stage_title(name, _) if len(stages) <= MOST_NAMED else ""))
        at += moves
    winner = next((i for i, side in enumerate(sides) if side.won), 0)
    beads = [(i, knot.move, x(knot.move), y(course[knot.move - 1][winner])) for i, knot in enumerate(knots, 1)]
    ticks = [(y(value), figure(value)) for value in (low, 0, high) if value == 0 or abs(y(value) - y(0)) > APART]
    label = _("chances over time") if chances else _("scores over time: {each}", each=margin(sides, _))
    return str(macros(END_PARTS).chart(label, lines, bounds, beads, ticks))


@dataclass(frozen=True)
class End:
    """The end of a game for one viewer, drawn."""

    result: str
    tape: str


def end(facts: TableFacts, language: str, url: str = "", chances: Chances = ()) -> End:
    """Of a game that is over: at which address its table is, and what each seat could expect, where that is known."""
    _ = translator(language)
    sides = sides_of(facts, _)
    winners = [i for i, side in enumerate(sides) if side.won]
    knots = knots_of(course_of(facts, sides), winners[0] if len(winners) == 1 else None)
    ranked = sorted(sides, key=lambda side: (not side.won, -side.points))
    groups = groups_of(facts, ranked, _, language)
    rows = [
        {
            "mark": mark(side.number, side.name, 26),
            "name": side.name,
            "bar": bar,
            "won": side.won,
            "points": number(figure(side.points), 20),
        }
        for side, bar in zip(ranked, bars_of(groups, len(sides)), strict=True)
    ]
    result = macros(END_PARTS).result(
        title(facts, sides, _),
        margin(sides, _),
        number(figure(ranked[0].points), 100),
        story(facts, sides, knots, _, language),
        rows,
        Markup(why(facts, ranked, groups, _, language)),
        _,
    )
    legend = [(mark(side.number, side.name, 14), side.name) for side in sides]
    drawn = Markup(chart(facts, sides, knots, _, chances))
    heading = _("chances over time") if chances else _("scores over time")
    moves = [knot.move for knot in knots]
    return End(str(result), tape(facts, _, len(facts.told), drawn, legend, moves, heading, url))


def why(facts: TableFacts, sides: Sequence[Side], groups: Sequence[Group], _: Translate, language: str) -> str:
    """Why the score is what it is: a line for every group, to be opened."""
    lines = [
        {
            "title": group.title,
            "about": group.about,
            "tone": tone,
            "totals": [figure(total) if group.counted else signed(total) for total in group.totals],
            "items": opened(group, sides, facts.view.game, language),
        }
        for group, tone in zip(groups, tones_of(groups), strict=True)
    ]
    together = [figure(side.points) for side in sides] if len(groups) > 1 else []
    return str(macros(END_PARTS).why([mark(side.number, side.name, 16) for side in sides], lines, together, _))


def why_html(facts: TableFacts, language: str) -> str:
    """The same alone, for the end of a lesson."""
    _ = translator(language)
    sides = sides_of(facts, _)
    return why(facts, sides, groups_of(facts, sides, _, language), _, language)


def tape(
    facts: TableFacts,
    _: Translate,
    count: int,
    drawn: Markup | None = None,
    legend: Sequence[tuple[Markup, str]] = (),
    knots: Sequence[int] = (),
    heading: str = "",
    url: str = "",
) -> str:
    """What a game is replayed with: from which move on, and through whose eyes."""
    seat = facts.view.seat
    beads = [(100 * move / max(count, 1), move) for move in knots]
    seats = list(enumerate([sitter.name for sitter in facts.sitters], 1))
    return str(
        macros(END_PARTS).tape(drawn, legend, count, beads, seats, 0 if seat is None else seat + 1, heading, url, _)
    )
