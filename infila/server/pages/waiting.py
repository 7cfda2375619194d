"""The page of a table before the deal: who sits where, how to invite, how to begin without waiting, and the shuffle."""

from typing import Any

from litestar import Response
from markupsafe import Markup

from infila.server.contributions import awaited
from infila.server.pages.frame import language_of, qr_code, render
from infila.server.pages.names import names_of
from infila.server.pages.shuffle import begun_again_text, chance_of
from infila.server.request import AnyRequest
from infila.server.snapshot import CLOSED, OPEN, PERSON
from infila.server.table_view import TableView
from infila.web import table_html
from infila.web.languages import translator


def waiting_page(request: AnyRequest, table: TableView, card: dict[str, Any], invite: str) -> Response[str]:
    _ = translator(language_of(request))
    names = names_of(table.seats, _)
    closed = table.state == CLOSED
    full = all(seat.kind != OPEN for seat in table.seats)
    waits = [awaited(table.snapshot, index) for index in range(len(table.seats))]
    seats = [
        {
            "mark": table_html.mark(table.header.typed_options.side(index), names[index] or "?", 30),
            "name": names[index],
            "level": _(table_html.LEVEL_NAMES[seat.level]) if seat.level else "",
            "kind": seat.kind,
            "index": index + 1,
            "ready": full and seat.contributes and not waits[index],
            "dismiss": table.host and not closed and seat.kind == PERSON and seat.person != table.person,
        }
        for index, seat in enumerate(table.seats)
    ]
    return render(
        request,
        "wait.html",
        game=card,
        heading=_("closed") if closed else _("shuffling …") if full else _("waiting for players"),
        table=table,
        seats=seats,
        invite=invite,
        code=Markup(qr_code(invite)),
        sitting=bool(table.mine),
        may_sit=not closed and (not table.mine or (table.host and table.header.private)),
        host=table.host,
        sent_away=table.person in table.snapshot.barred,
        arranged=table.header.arranged,
        full=full,
        closed=closed,
        awaited=[names[index] for index, what in enumerate(waits) if what and index not in table.mine] if full else [],
        told=[begun_again_text(notice, _) for notice in table.snapshot.notices if notice.attempt],
        commitment=table.commitment,
        chance=None if closed else chance_of(table, _),
    )
