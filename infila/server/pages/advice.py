"""Advice that the page of a table asks for: what the computer would do, and why something is no move."""

from collections.abc import Sequence

from litestar import Response, post
from litestar.params import JSONBody

from infila.core.game import View
from infila.players.hints import hints
from infila.server.bodies import Touched
from infila.server.endpoints import TableId
from infila.server.errors import Refused
from infila.server.hints import check_hints
from infila.server.lessons import coach_of
from infila.server.pages.frame import json_answer, language_of
from infila.server.pages.names import names_of
from infila.server.pages.table_page import eyes_of
from infila.server.request import AnyRequest, app_of, limit, who
from infila.server.snapshot import PLAYING
from infila.server.table_view import TableView
from infila.web import table_html
from infila.web.languages import Translate, said, translator


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
    """Why the parts that were touched are no move. What holds for everything on the table is said `calm`, and once."""
    person = who(request)
    limit(request, "act", person)
    seen = await lifted(request, table, person)
    language = language_of(request)
    calm = unmoved(seen, language)
    told = calm or not_mine(seen, data.parts, language) or astray(seen.view, data.parts, language)
    return json_answer({"why": told, "calm": bool(calm)})


async def lifted(request: AnyRequest, table: str, person: str | None) -> TableView:
    """What the page shows: in a hot seat game nothing of a hand before the curtain is lifted."""
    seen = await app_of(request).service.audience.view(table, person)
    return eyes_of(seen, request.query_params.get("eyes", ""))[0]


def unmoved(seen: TableView, language: str) -> str:
    """Why a viewer can play nothing at all now; empty if they can."""
    _ = translator(language)
    view = seen.view
    if view is None:
        return ""
    if view.seat is None:
        return "" if seen.mine else _("You are watching this game.")
    if seen.state != PLAYING:
        return _("The game is over.")
    if seen.seats[view.seat].away:
        return _("The computer plays for you until you take your seat again.")
    if (speech := coach_of(seen)) is not None and speech.reading:
        return _("First read what the coach says, then choose “next”.")
    return "" if view.own_actions() else turn_text(seen, view, _)


def turn_text(seen: TableView, view: View, _: Translate) -> str:
    return f"{view.contract.turn_rule}: " + _("it is {name}’s turn.", name=names_of(seen.seats, _)[view.player])


def begun(touched: tuple[str, ...], paths: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
    """What was touched last, after parts that begin a move, as a page's always do; anything else is left out."""
    *chosen, last = touched
    begin = any(len(path) > len(chosen) and path[: len(chosen)] == tuple(chosen) for path in paths)
    return touched if begin and last not in chosen else (last,)


def not_mine(seen: TableView, touched: tuple[str, ...], language: str) -> str:
    """Whose turn it is, for whoever touches something that none of their moves out of turn needs; otherwise empty."""
    view = seen.view
    if view is None or view.seat is None or view.player == view.seat or not touched:
        return ""
    if any(touched[-1] in path for path in paths_of(view)):
        return ""
    return turn_text(seen, view, translator(language))


def paths_of(view: View) -> list[tuple[str, ...]]:
    """The moves of a viewer as paths of parts."""
    return [view.contract.notation.parts(view.states[0], action) for action in view.own_actions()]


def astray(view: View | None, touched: tuple[str, ...], language: str) -> str:
    """Why nothing can be done with what was touched, though something could be done; empty if it can."""
    if view is None or view.seat is None or not touched:
        return ""
    paths = paths_of(view)
    touched = begun(touched, paths)
    if any(path[: len(touched)] == touched or path[-1:] == touched for path in paths):
        return ""
    problem = view.contract.touch.answer(view.states[0], touched, view.seat)
    if problem is not None:
        return str(said(problem, language))
    _ = translator(language)
    return _("Nothing can be done with that now. Choose something that is marked.")
