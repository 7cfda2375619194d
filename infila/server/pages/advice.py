"""Advice that the page of a table asks for: what the computer would do, and why something is no move."""

from typing import Any

from litestar import Response, post
from litestar.params import JSONBody

from infila.core.errors import IllegalMove
from infila.core.game import View
from infila.players.hints import hints
from infila.server.bodies import Touched
from infila.server.endpoints import TableId
from infila.server.errors import Refused
from infila.server.hints import check_hints
from infila.server.pages.frame import json_answer, language_of
from infila.server.pages.table_page import eyes_of
from infila.server.request import AnyRequest, app_of, limit, who
from infila.server.snapshot import Snapshot, read_move
from infila.server.table_view import TableView
from infila.web import table_html
from infila.web.languages import said, translator


@post("/t/{table:str}/hint", include_in_schema=False, status_code=200)
async def hint(request: AnyRequest, table: TableId) -> Response[bytes]:
    """What the computer would do in this seat, and why."""
    app = app_of(request)
    person = who(request)
    limit(request, "think", person)
    seen = await lifted(request, table, person)
    view = seen.view
    if person is None or view is None or view.seat is None or not view.own_actions():
        raise Refused("there is nothing for you to decide now.")
    check_hints(seen.snapshot, person)
    language = language_of(request)
    thought = await app.computers.hint(table, person, seen.version, view)
    await app.service.hints.tell(table, person, view.seat, seen.version)
    html = table_html.hint_html(hints(view, thought, 2, language), view, translator(language), language)
    return json_answer({"html": html})


@post("/t/{table:str}/why", include_in_schema=False, status_code=200)
async def why(request: AnyRequest, table: TableId, data: JSONBody[Touched]) -> Response[bytes]:
    """Why the parts that were touched are no move."""
    person = who(request)
    limit(request, "act", person)
    seen = await lifted(request, table, person)
    view = seen.view
    text = text_from_parts(view, data.parts) if view is not None and view.seat is not None else ""
    return json_answer({"why": refusal(seen.snapshot, view, text, language_of(request)) if view and text else ""})


async def lifted(request: AnyRequest, table: str, person: str | None) -> TableView:
    """What the page shows: in a hot seat game nothing of a hand before the curtain is lifted."""
    seen = await app_of(request).service.audience.view(table, person)
    return eyes_of(seen, request.query_params.get("eyes", ""))[0]


def refusal(snapshot: Snapshot, view: View, text: str, language: str) -> str:
    """Why a text is no move; empty if it is one."""
    try:
        read_move(snapshot, view, text)
    except IllegalMove as problem:
        return str(said(problem, language))
    return ""


def text_from_parts(view: View, touched: tuple[Any, ...]) -> str:
    """The first move, legal or not, whose path of parts is the one touched, or begins with it."""
    contract, s = view.contract, view.states[0]
    begun = ""
    for action in range(contract.rules.ACTIONS):
        try:
            path = contract.notation.parts(s, action)
        except IndexError:  # a number that is no action of any position
            continue
        if path == touched:
            return view.text(action)
        if touched and not begun and path[: len(touched)] == touched:
            begun = view.text(action)
    return begun
