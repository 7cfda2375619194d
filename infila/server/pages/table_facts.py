"""What the page of a table shows of it: seats, clocks, what was told and said."""

from bisect import bisect_left
from collections.abc import Sequence

from infila.players import USUAL
from infila.server.hints import may_have_hints
from infila.server.lessons import coach_of
from infila.server.pages.buttons import buttons_of, pending_of
from infila.server.pages.chronicle import Chronicle
from infila.server.pages.names import called, names_of
from infila.server.pages.shuffle import begun_again_text
from infila.server.snapshot import BACK, HINTED, LEFT, OVER, PLAYING, REPLACED, RESIGNED, TIME, Notice
from infila.server.table_view import TableView
from infila.web import coach, table_html
from infila.web.coach import Coach
from infila.web.languages import Translate, translator


async def facts_of(
    table: TableView, chronicle: Chronicle, language: str, curtain: bool, replay: bool = False
) -> table_html.TableFacts:
    """What the page of a table shows of it."""
    view = table.view
    assert view is not None
    _ = translator(language)
    names = names_of(table.seats, _)
    sitters = [
        table_html.Sitter(
            name=names[index] or f"{index + 1}",
            kind="computer" if seat.by_computer else seat.kind,
            level=seat.level or USUAL,
            here=table.is_here(index),
            you=index in table.mine,
            clock=clock_text(table, index, _),
            away=bool(seat.away),
            resigned=seat.resigned,
        )
        for index, seat in enumerate(table.seats)
    ]
    told = await chronicle.told(table.id, table.snapshot)
    last = told[-1] if told else None
    waits = table.state == PLAYING and table.request is None and not (curtain or replay)
    return table_html.TableFacts(
        view=view,
        sitters=sitters,
        version=table.version,
        stamp=table.number,
        told=told,
        hinted=hints_at(table),
        said=said_at(table, names, _),
        last=last.parts if last else (),
        mover=last.seat if last else -1,
        yours=waits and bool(view.own_actions()),
        hints=may_have_hints(table.snapshot, table.person or ""),
        buttons=[] if replay else buttons_of(table, _, language, curtain),
        coach=None if replay else drawn_coach(table, language),
        pending="" if replay else pending_of(table, _),
        given_to=table.snapshot.winners if table.state == OVER and not (view.over or replay) else None,
    )


def said_at(table: TableView, names: Sequence[str], _: Translate) -> list[table_html.Said]:
    """The talk, and between it what everybody is told of seats that changed hands."""
    talk, told = table.chat[-table_html.LINES :], table.snapshot.notices[-table_html.LINES :]
    lines = {line.number: table_html.Said(called(line.name, _), line.text) for line in talk}
    lines |= {notice.number: table_html.Said("", notice_text(notice, names, _)) for notice in told}
    return [line for _number, line in sorted(lines.items())]


def hints_at(table: TableView) -> list[tuple[int, int]]:
    """The hints that all have heard of: after how many of the moves that stand, and for which seat."""
    taken = (notice for notice in table.snapshot.notices if notice.what == HINTED)
    return [(bisect_left(table.history, each.number, key=lambda move: move.number), each.seat) for each in taken]


def notice_text(notice: Notice, names: Sequence[str], _: Translate) -> str:
    if notice.attempt:
        return begun_again_text(notice, _)
    name = names[notice.seat]
    if notice.what == REPLACED and notice.by is not None:
        return _("{name} is away: {by} lets the computer play on.", name=name, by=names[notice.by])
    return {
        LEFT: _("{name} has left, the computer plays on.", name=name),
        TIME: _("{name} has no time left, the computer plays on.", name=name),
        REPLACED: _("{name} is away, the computer plays on.", name=name),
        RESIGNED: _("{name} has resigned.", name=name),
        BACK: _("{name} is back.", name=name),
        HINTED: _("{name} took a hint.", name=name),
    }[notice.what]


def drawn_coach(table: TableView, language: str) -> Coach | None:
    """The coach's panel, in a lesson."""
    speech, now = coach_of(table), table.snapshot.lesson
    return None if speech is None or now is None else coach.drawn(speech, now, language)


def clock_text(table: TableView, seat: int, _: Translate) -> str:
    """How much time a seat has left, in words that need no second hand."""
    if seat >= len(table.clocks):
        return ""
    left = table.clocks[seat].left
    if left is None:
        return ""
    if left >= 86400:
        return _("{count} d", count=int(left // 86400))
    return f"{int(left // 60)}:{int(left % 60):02d}"
