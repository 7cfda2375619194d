"""The page where the names at a table are changed: one's own, and of those who share one's screen."""

from litestar import Response, get, post
from litestar.params import FromPath
from litestar.response import Redirect

from infila.server.bodies import NewPerson, from_form
from infila.server.errors import Forbidden
from infila.server.pages.frame import game_card, language_of, person_of, render, see
from infila.server.request import AnyRequest, app_of, limit, number_in, who
from infila.server.snapshot import NAMELESS
from infila.web import table_html


@get("/t/{table_id:str}/names", include_in_schema=False)
async def names_page(request: AnyRequest, table_id: FromPath[str]) -> Response[str]:
    table = await app_of(request).service.audience.view(table_id, who(request))
    if not table.mine:
        raise Forbidden("you do not sit at this table.")
    side = table.header.typed_options.side
    names = {seat: "" if table.seats[seat].name == NAMELESS else table.seats[seat].name for seat in table.mine}
    return render(
        request,
        "names.html",
        game=game_card(table.header.game, language_of(request)),
        table=table,
        seats=[(seat + 1, table_html.mark(side(seat), name or "?"), name) for seat, name in names.items()],
    )


@post("/t/{table_id:str}/names", include_in_schema=False)
async def rename_seat(request: AnyRequest, table_id: FromPath[str]) -> Redirect:
    person = await person_of(request)
    limit(request, "act", person)
    form = await request.form()
    body, seat = from_form(NewPerson, {"name": form.get("name", "")}), number_in(str(form.get("seat", "")))
    place = None if seat is None else seat - 1
    table = await app_of(request).service.people.rename_seat(table_id, person, place, body.name)
    return see(f"/t/{table.id}" if len(table.mine) < 2 else f"/t/{table.id}/names")
