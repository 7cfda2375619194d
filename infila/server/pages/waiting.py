"""The page of a table before the deal: who sits where, how to invite, how to begin without waiting, and the shuffle."""

from typing import Any

from litestar import Response
from markupsafe import Markup

from infila.server.contributions import awaited
from infila.server.house import Reach
from infila.server.lobby import listed
from infila.server.pages import lists
from infila.server.pages.frame import language_of, qr_code, render
from infila.server.pages.names import called, names_of, origin_text
from infila.server.pages.preview import preview_of
from infila.server.pages.shuffle import begun_again_text, chance_of
from infila.server.request import AnyRequest
from infila.server.snapshot import CLOSED, OPEN, PERSON, Seat
from infila.server.table_view import TableView
from infila.web import table_html
from infila.web.languages import Translate, translator


def waiting_page(
    request: AnyRequest, table: TableView, card: dict[str, Any], reach: Reach, own_name: str
) -> Response[str]:
    language = language_of(request)
    _ = translator(language)
    names = names_of(table.seats, _)
    closed = table.state == CLOSED
    full = all(seat.kind != OPEN for seat in table.seats)
    waits = [awaited(table.snapshot, index) for index in range(len(table.seats))]
    sent_away = table.person in table.snapshot.barred
    may_sit = not (closed or full or sent_away) and (not table.mine or (table.host and table.header.private))
    free = [index for index, seat in enumerate(table.seats) if seat.kind == OPEN]
    for_you = free[0] if may_sit and not table.mine else None
    seats = [
        {
            "side": (side := table.header.typed_options.side(index)),
            "mark": table_html.mark(side, names[index] or "?"),
            "name": names[index] if seat.kind != OPEN else _("free, for you") if index == for_you else _("free"),
            "about": about_seat(table, index, index == for_you, _),
            "own_name": called(seat.name, _),
            "kind": seat.kind,
            "index": index + 1,
            "mine": index in table.mine,
            "ready": full and seat.contributes and not waits[index],
            "dismiss": table.host and not closed and seat.kind == PERSON and seat.person != table.person,
            "stand": not closed and index in table.mine and (not table.host or len(table.mine) > 1),
            "sit": may_sit and seat.kind == OPEN and index != for_you,
            "fill": table.host and not closed and seat.kind == OPEN,
        }
        for index, seat in enumerate(table.seats)
    ]
    host = next((names[i] for i, seat in enumerate(table.seats) if seat.person == table.header.host), "")
    invite = f"{reach.base}/t/{table.id}"
    about = _("table of {name}", name=host) if host else ""
    return render(
        request,
        "wait.html",
        game=card,
        preview=preview_of(table, reach.base, _),
        heading=_("closed") if closed else _("shuffling …") if full else _("waiting for players"),
        about=" · ".join(filter(None, (about, origin_text(table.header.origin, _)))),
        table=table,
        seats=seats,
        invite=invite,
        inviting=not full and not closed,
        reach=reach,
        code=Markup(qr_code(invite)),
        tags=tags_of(table, language, _),
        sitting=bool(table.mine),
        may_sit=may_sit,
        form="sit" if for_you is not None else "own-" + ",".join(map(str, table.mine)),
        own_name=own_name,
        offered_name=offered_name(table, _),
        host=table.host,
        host_name=host,
        sent_away=sent_away,
        arranged=table.header.arranged,
        closed=closed,
        awaited=[names[index] for index, what in enumerate(waits) if what and index not in table.mine] if full else [],
        told=[begun_again_text(notice, _) for notice in table.snapshot.notices if notice.attempt],
        commitment=table.commitment,
        chance=None if closed else chance_of(table, _),
    )


def offered_name(table: TableView, _: Translate) -> str:
    """For somebody who has none, so that one key is enough: the next guest."""
    taken = {seat.name for seat in table.seats} | {message.name for message in table.chat}
    people = table.here | {seat.person for seat in table.seats if seat.person is not None}
    number = len(people - {table.person}) + 1
    while (name := f"{_('guest')} {number}") in taken:
        number += 1
    return name


def about_seat(table: TableView, index: int, for_you: bool, _: Translate) -> str:
    """What is said of a seat under its name."""
    seat: Seat = table.seats[index]
    if seat.kind == OPEN:
        return _("the shape is your side") if for_you else _("waits for somebody")
    if seat.level:
        return _(table_html.LEVEL_NAMES[seat.level])
    here = _("you") if index in table.mine else _("here") if table.is_here(index) else _("away")
    first = table.snapshot.seats_of(table.header.host)[:1] == (index,)
    return f"{_('opened the table')}, {here}" if first else here


def tags_of(table: TableView, language: str, _: Translate) -> list[str]:
    """How the table was made, in short."""
    hints = _("for all") if table.header.hints else _("only against the computer")
    return [*lists.tags_of(listed(table.snapshot, None), language), f"{_('hints')}: {hints}"]
