"""What the page of a table shows of it: seats, clocks, what was told and said."""

from infila.players import USUAL
from infila.server.chronicle import Chronicle
from infila.server.coach import coach_of
from infila.server.moment import PLAYING
from infila.server.pages.buttons import buttons_of, pending_of
from infila.server.pages.names import called, names_of
from infila.server.tableview import TableView
from infila.web import present
from infila.web.languages import Translate, translator


def shown_of(
    table: TableView, chronicle: Chronicle, language: str, curtain: bool, replay: bool = False
) -> present.Shown:
    """What the page of a table shows of it."""
    view = table.view
    assert view is not None
    _ = translator(language)
    names = names_of(table.seats, _)
    sitters = [
        present.Sitter(
            name=names[index] or f"{index + 1}",
            kind="computer" if seat.by_computer else seat.kind,
            level=seat.level or USUAL,
            here=table.is_here(index),
            you=index in table.mine,
            clock=clock_text(table, index, _),
        )
        for index, seat in enumerate(table.seats)
    ]
    told = chronicle.told(table.id, table.moment)
    last = told[-1] if told else None
    waits = table.state == PLAYING and table.ask is None and not (curtain or replay)
    return present.Shown(
        view=view,
        sitters=sitters,
        version=table.version,
        stamp=table.number,
        told=told,
        said=[present.Said(called(line.name, _), line.text) for line in table.chat],
        last=last.parts if last else (),
        mover=last.seat if last else -1,
        yours=waits and bool(view.own_actions()),
        buttons=[] if replay else buttons_of(table, _, curtain),
        coach=None if replay else coach_of(table, language),
        pending="" if replay else pending_of(table, _),
    )


def clock_text(table: TableView, seat: int, _: Translate) -> str:
    """How much time a seat has left, in words that need no second hand."""
    if seat >= len(table.clocks):
        return ""
    clock = table.clocks[seat]
    left = clock.game_left if clock.game_left is not None else clock.move_left
    if left is None:
        return ""
    if left >= 86400:
        return _("{count} d", count=int(left // 86400))
    return f"{int(left // 60)}:{int(left % 60):02d}"
