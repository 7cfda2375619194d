"""The page of a table: before the deal, while it is played, and its replay."""

import asyncio
from typing import Any

import msgspec
from litestar import Response, get, post
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath
from litestar.response import Redirect
from litestar.types import ASGIApp

from infila.core.picture import PLACES
from infila.server.bodies import NewPerson, from_form
from infila.server.endpoints import Endpoint, Place, do, route
from infila.server.errors import Refused, Unknown
from infila.server.event_stream import EventStream
from infila.server.pages import solo
from infila.server.pages.chronicle import Chronicle
from infila.server.pages.frame import as_json, game_card, json_answer, language_of, person_of, render, see
from infila.server.pages.getting_ready import getting_ready
from infila.server.pages.invitation import reach_of
from infila.server.pages.names import names_of, origin_text
from infila.server.pages.preview import preview_of
from infila.server.pages.shuffle import chance_of, verified
from infila.server.pages.table_facts import facts_of
from infila.server.pages.waiting import offered_name, waiting_page
from infila.server.request import AnyRequest, app_of, limit, number_in, replaying, session_of, stream_of, who
from infila.server.snapshot import OVER, PLAYING
from infila.server.table_view import Moment, TableView
from infila.server.watchers import HERE
from infila.web import table_html
from infila.web.end import tape
from infila.web.languages import Translate, translator
from infila.web.teams import in_teams

MANY_MOVES = 1000


async def look(request: AnyRequest, table_id: str, person: str | None) -> tuple[TableView, bool, bool]:
    """The table as asked for: now, or after `at` moves; whether a curtain hides the hands, whether it is a replay."""
    service = app_of(request).service
    wanted = request.query_params
    at, seat = wanted.get("at", ""), wanted.get("seat", "")
    if not at:
        table = await service.audience.view(table_id, person)
        if len(table.history) > MANY_MOVES and request.method == "GET":  # its page has hundreds of lines
            limit(request, "rebuild", person)
        return (*eyes_of(table, wanted.get("eyes", "")), False) if table.view is not None else (table, False, False)
    moves, number = number_in(at), number_in(seat or "0")
    if moves is None or number is None:
        raise Unknown("at is the number of a move, seat the number of a seat.")
    limit(request, "rebuild", person)
    eyes = number - 1 if number > 0 else None
    async with replaying(request):
        table = await service.audience.view_at(table_id, person, moves, eyes, spectating=seat == "0")
    return eyes_of(table, wanted.get("eyes", ""))[0], False, True


async def moment(request: AnyRequest, table: TableView) -> Moment:
    return await app_of(request).service.audience.moment(table)


def eyes_of(table: TableView, wanted: str) -> tuple[TableView, bool]:
    """Hot seat: whoever holds several seats sees the one that acts only after the curtain was lifted for it."""
    if len(table.mine) < 2 or table.state != PLAYING or table.seat is None or wanted == str(table.seat):
        return table, False
    return TableView(table.snapshot, table.person, None, table.kind, table.here), True


@get("/t/{table_id:str}", include_in_schema=False)
async def table_page(request: AnyRequest, table_id: FromPath[str]) -> Response[str]:
    language = language_of(request)
    _ = translator(language)
    if page := await getting_ready(request, await app_of(request).service.lobby.game_of(table_id)):
        return page
    table, curtain, replay = await look(request, table_id, who(request))
    card = game_card(table.header.game, language)
    own_name = await app_of(request).service.people.name_of(table.person) if table.person else ""
    if table.view is None:
        return waiting_page(request, table, card, reach_of(request), own_name)
    facts = await facts_of(table, await moment(request, table), app_of(request).chronicle, language, curtain, replay)
    drawn = table_html.panels(facts, language)
    state = table_html.state(facts, language, drawn)
    now = await app_of(request).service.audience.view(table_id, who(request))
    promise, end, alone = "", None, app_of(request).settings.alone
    if now.state == OVER:
        limit(request, "rebuild", who(request))
        async with replaying(request):
            promise = await asyncio.to_thread(verified, now, _)
        if not now.header.lesson:
            app = app_of(request)
            end = await app.endings.of(now, app.chronicle, language, app.reviews.known(now.snapshot))
    return render(
        request,
        "table.html",
        game=card,
        url=f"/t/{table_id}",
        table={"id": table_id, "about": about_table(table, _)},
        state=state,
        places={place: [panel.name for panel in drawn if panel.place == place] for place in PLACES},
        tab_name=table_html.words(table.header.game, language)["picture"].get("tab", _("piles")),
        loupe=getattr(facts.view.contract.picture, "LOUPE", 0),
        threads=any(hasattr(facts.view.contract.picture, name) for name in ("threads", "writes")),
        chat=not (replay or table.header.lesson or alone),
        counts=not replay and (facts.clocks is not None or facts.people),
        timed=facts.clocks is not None,
        teams=in_teams(facts.view),
        people=bool(table.mine) and facts.people and not replay,
        replay=replay,
        solo=solo.script() if not replay and thinks(request, now) else "",
        lesson=facts.coach is not None,
        end=end,
        tape=tape(facts, _, len(now.history)) if replay and end is None else "",
        verified=promise,
        names_at=f"/t/{table_id}/names" if now.mine and now.state == PLAYING else "",
        newcomer=None if replay else newcomer_facts(now, own_name, _),
        chance=chance_of(now, _),
        preview=None if alone else preview_of(now, reach_of(request).base, _),
    )


def thinks(request: AnyRequest, table: TableView) -> bool:
    """Whether the viewer's browser may think for the computers."""
    return app_of(request).computers.solo.may_think(table.snapshot, table.person)


def newcomer_facts(table: TableView, own_name: str, _: Translate) -> dict[str, Any] | None:
    """Whoever comes by a link to watch is asked for a name first, and told who can read them."""
    if table.mine or own_name or table.state != PLAYING:
        return None
    people = [_("{name}", name=name) for name in names_of(table.seats, _)]
    players = _(" and ").join(filter(None, (", ".join(people[:-1]), people[-1])))
    return {"players": players, "name": offered_name(table, _)}


@post("/t/{table_id:str}/come", include_in_schema=False)
async def come(request: AnyRequest, table_id: FromPath[str]) -> Redirect:
    """The name that somebody gives who comes to watch."""
    table = await app_of(request).service.audience.view(table_id, who(request))
    person = await person_of(request)
    limit(request, "act", person)
    body = from_form(NewPerson, {"name": (await request.form()).get("name", "")})
    await app_of(request).service.people.rename(person, body.name)
    return see(f"/t/{table.id}")


def about_table(table: TableView, _: Translate) -> str:
    about = _("{count} players", count=len(table.seats))
    origin = origin_text(table.header.origin, _)
    return f"{about} · {origin}" if origin else about


@get("/t/{table_id:str}/state", include_in_schema=False)
async def table_state(request: AnyRequest, table_id: FromPath[str]) -> Response[bytes]:
    return await state_for(request, table_id, who(request))


async def state_for(request: AnyRequest, table_id: str, person: str | None) -> Response[bytes]:
    """All that changes on the page, in the language, through the eyes and at the move that are asked for."""
    language = language_of(request)
    table, curtain, replay = await look(request, table_id, person)
    if table.view is None:
        return json_answer({"waiting": True, "stamp": table.number})
    app, now = app_of(request), await moment(request, table)
    made = None if replay else app.ahead.find(table, now, language, curtain)
    return as_json(made or await state_of(table, now, app.chronicle, language, curtain, replay))


async def state_of(
    table: TableView, now: Moment, chronicle: Chronicle, language: str, curtain: bool, replay: bool = False
) -> bytes:
    facts = await facts_of(table, now, chronicle, language, curtain, replay)
    return msgspec.json.encode(table_html.state(facts, language))


@get("/t/{table_id:str}/end", include_in_schema=False)
async def table_end(request: AnyRequest, table_id: FromPath[str]) -> Response[bytes]:
    """The end of a game, for a page that was open when it ended."""
    app, person = app_of(request), who(request)
    table = await app.service.audience.view(table_id, person)
    if table.state != OVER or table.header.lesson:
        raise Refused("the game is not over yet.")
    limit(request, "rebuild", person)
    drawn = await app.endings.of(table, app.chronicle, language_of(request), app.reviews.known(table.snapshot))
    return json_answer({"end": drawn.result, "tape": drawn.tape})


@get("/t/{table_id:str}/log", include_in_schema=False)
async def table_log(request: AnyRequest, table_id: FromPath[str]) -> Response[str]:
    """The log as a file: the seed only once the game is over."""
    text = await app_of(request).service.audience.log(table_id, who(request))
    headers = {"content-disposition": f'attachment; filename="infila-{table_id}.log"', "cache-control": "no-store"}
    return Response(text, media_type="text/plain; charset=utf-8", headers=headers)


@get("/t/{table_id:str}/events", include_in_schema=False)
async def table_events(request: AnyRequest, table_id: FromPath[str]) -> ASGIApp:
    """A line whenever something has changed for this viewer; the page then asks for the whole."""
    service = app_of(request).service
    person = who(request)
    await service.audience.view(table_id, person)
    views = service.audience.subscribe(table_id, person, session=session_of(request))
    return EventStream(views, version_bytes, stream_of(request, person))


def version_bytes(table: TableView) -> bytes:
    data = f"{table.number}-{len(table.here)}" if table.kind == HERE else str(table.number)
    return f"id: {table.number}\nevent: version\ndata: {data}\n\n".encode()


def act(each: Endpoint) -> HTTPRouteHandler:
    """What is done at a table, as its page does it: the answer is the page's new state, or where to go."""

    async def handle(request: AnyRequest, table: str, body: msgspec.Struct | None) -> Response[bytes]:
        person = await person_of(request)
        limit(request, each.limit, person)
        service = app_of(request).service
        done = await do(each, Place(service, table, person), body)
        if isinstance(done, TableView) and done.id != table:
            answer = json_answer({"url": f"/t/{done.id}"})
        else:
            answer = await state_for(request, table, person)
        return answer

    return route(each, "/t/{table:str}", handle, include_in_schema=False, status_code=200)
