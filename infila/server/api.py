"""The HTTP API for programs, /api/v1: a bot gets a token, sits at a table, hears of every change and sends its moves.

Whatever is wrong gets a 4xx with one sentence; a move that the rules do not allow names the rule.
"""

from collections.abc import Callable
from typing import Annotated, Any

import msgspec
from litestar import MediaType, Router, delete, get, post
from litestar.handlers import HTTPRouteHandler
from litestar.params import HeaderParameter, JSONBody, QueryParameter
from litestar.types import ASGIApp

from infila.core.games import contract_of, usable_games
from infila.server.bodies import NewPerson, Upload
from infila.server.creation import NewTable
from infila.server.endpoints import ENDPOINTS, PROBLEMS, Endpoint, Place, SeatQuery, TableId, do, route
from infila.server.errors import Forbidden, Refused
from infila.server.event_stream import EventStream
from infila.server.levels import ComputerLevel
from infila.server.limits import LARGEST_LOG
from infila.server.request import (
    AnyRequest,
    app_of,
    identify,
    limit,
    number_in,
    replaying,
    session_of,
    someone,
    stream_of,
    welcome,
    who,
)
from infila.server.session import PROGRAM, Session
from infila.server.table_view import TableView
from infila.server.wire import (
    ListedJson,
    MessageJson,
    MoveJson,
    NoticeJson,
    RecordJson,
    TableJson,
    event_bytes,
    listed_json,
    message_json,
    notice_json,
    record_json,
    table_json,
)


class Credentials(msgspec.Struct, frozen=True):
    """`expires` is when the token ends, in seconds since 1970."""

    name: str
    token: str
    expires: float


class TokenJson(msgspec.Struct, frozen=True):
    """What its person called the program, and since when and until when its token is good."""

    label: str
    created: float
    expires: float


class Named(msgspec.Struct, frozen=True):
    name: str


class OptionJson(msgspec.Struct, frozen=True):
    name: str
    kind: str
    values: list[Any]
    default: Any
    meaning: str


class GameJson(msgspec.Struct, frozen=True):
    name: str
    title: str
    moves: str
    options: list[OptionJson]
    levels: list[ComputerLevel]


class History(msgspec.Struct, frozen=True):
    moves: list[MoveJson]
    chat: list[MessageJson]
    notices: list[NoticeJson]


class Statistic(msgspec.Struct, frozen=True):
    game: str
    against: str
    played: int
    won: int
    best: int
    mean: float


class TakeBack(msgspec.Struct, frozen=True):
    """`alone`: at once; `ask`: the others are asked; empty: not now."""

    how: str


Encode = Callable[[TableView], bytes]


def _seat(seat: int | None) -> int | None:
    return None if seat is None else seat - 1


@get("/games", summary="The games, their options and the computer's levels")
async def list_games() -> list[GameJson]:
    found = []
    for name in usable_games():
        contract = contract_of(name)
        fields = contract.options.__dataclass_fields__
        options = [
            OptionJson(option, spec.kind, list(spec.values), fields[option].default, spec.meaning)
            for option, spec in contract.options.specs().items()
        ]
        found.append(GameJson(name, contract.title, contract.examples, options, list(ComputerLevel)))
    return found


@post("/people", summary="Become somebody", responses=PROBLEMS)
async def new_person(request: AnyRequest, data: JSONBody[NewPerson]) -> Credentials:
    return await _credentials(request, await welcome(request, PROGRAM, data.name))


async def _credentials(request: AnyRequest, session: Session) -> Credentials:
    app = app_of(request)
    name = await app.service.people.name_of(session.person)
    return Credentials(name, app.signer.token(session.id), session.expires)


def _program(request: AnyRequest) -> Session:
    """The session of the program that asks."""
    someone(request)
    session = session_of(request)
    if session is None or session.kind != PROGRAM:
        raise Forbidden("this is for programs, which send a token.")
    return session


@get("/me/token", summary="Until when one's token is good", responses=PROBLEMS)
async def token(request: AnyRequest) -> TokenJson:
    session = _program(request)
    return TokenJson(session.label, session.created, session.expires)


@post("/me/token", status_code=200, summary="A new token, for a year; the present one ends", responses=PROBLEMS)
async def renew_token(request: AnyRequest) -> Credentials:
    session = _program(request)
    limit(request, "act", session.person)
    return await _credentials(request, await app_of(request).service.sessions.renew(session))


@delete("/me/token", summary="End one's token", responses=PROBLEMS)
async def end_token(request: AnyRequest) -> None:
    session = _program(request)
    limit(request, "act", session.person)
    await app_of(request).service.sessions.end(session.person, session.id)


@get("/me", summary="One's own name", responses=PROBLEMS)
async def me(request: AnyRequest) -> Named:
    return Named(await app_of(request).service.people.name_of(someone(request)))


@post("/me", status_code=200, summary="Take another name", responses=PROBLEMS)
async def rename(request: AnyRequest, data: JSONBody[NewPerson]) -> Named:
    person = someone(request)
    limit(request, "act", person)
    return Named(await app_of(request).service.people.rename(person, data.name))


@get("/me/tables", summary="The tables where one sits", responses=PROBLEMS)
async def my_tables(request: AnyRequest) -> list[ListedJson]:
    person = someone(request)
    return [listed_json(each) for each in await app_of(request).service.lobby.my_tables(person)]


@get("/me/statistics", summary="One's games so far", responses=PROBLEMS)
async def statistics(request: AnyRequest) -> list[Statistic]:
    person = someone(request)
    records = await app_of(request).service.lobby.statistics(person)
    return [Statistic(r.game, r.against, r.played, r.won, r.best, r.mean) for r in records]


@get("/tables", summary="Open tables", responses=PROBLEMS)
async def open_tables(request: AnyRequest) -> list[ListedJson]:
    return [listed_json(each) for each in await app_of(request).service.lobby.open_tables()]


@post("/tables", summary="Make a table", responses=PROBLEMS)
async def new_table(request: AnyRequest, data: JSONBody[NewTable]) -> TableJson:
    person = someone(request)
    limit(request, "make", person)
    limit(request, "computers", person, data.others)
    return table_json(await app_of(request).service.creation.create(person, data))


@get("/tables/{table:str}", summary="A table as one sees it", responses=PROBLEMS)
async def one_table(
    request: AnyRequest,
    table: TableId,
    seat: SeatQuery = None,
    moves: Annotated[int | None, QueryParameter(ge=0, le=100_000, description="As it was after so many moves.")] = None,
) -> TableJson:
    person = who(request)
    service = app_of(request).service
    if moves is not None:
        limit(request, "rebuild", person)
        async with replaying(request):
            return table_json(await service.audience.view_at(table, person, moves, _seat(seat)))
    return table_json(await service.audience.view(table, person, _seat(seat)))


@get("/tables/{table:str}/history", summary="The moves that stand, and the talk", responses=PROBLEMS)
async def history(request: AnyRequest, table: TableId) -> History:
    person = who(request)
    seen = await app_of(request).service.audience.view(table, person)
    moves = [MoveJson(m.number, None if m.seat is None else m.seat + 1, m.text) for m in seen.history]
    notices = [notice_json(notice) for notice in seen.snapshot.notices]
    return History(moves, [message_json(message) for message in seen.chat], notices)


@get("/tables/{table:str}/record", summary="The position as its record, for agents", responses=PROBLEMS)
async def record(request: AnyRequest, table: TableId, seat: SeatQuery = None) -> RecordJson:
    seen = await app_of(request).service.audience.view(table, who(request), _seat(seat))
    if seen.view is None:
        raise Refused("the game has not begun.")
    return record_json(seen, seen.view)


@get("/tables/{table:str}/log", media_type=MediaType.TEXT, summary="The log", responses=PROBLEMS)
async def log(request: AnyRequest, table: TableId) -> str:
    person = who(request)
    return await app_of(request).service.audience.log(table, person)


@get("/tables/{table:str}/take-back", summary="Whether one could take back", responses=PROBLEMS)
async def may_take_back(request: AnyRequest, table: TableId) -> TakeBack:
    person = someone(request)
    limit(request, "act", person)
    return TakeBack(await app_of(request).service.take_backs.how(table, person))


@post("/logs", request_max_body_size=LARGEST_LOG, summary="Upload a log: it becomes a table", responses=PROBLEMS)
async def upload(request: AnyRequest, data: JSONBody[Upload]) -> TableJson:
    person = someone(request)
    limit(request, "make", person)
    limit(request, "upload", person)
    async with replaying(request):
        return table_json(await app_of(request).service.creation.upload(person, data.log))


@get(
    "/tables/{table:str}/events",
    media_type="text/event-stream",
    summary="Everything that happens at a table, as server-sent events",
    responses=PROBLEMS,
)
async def events(
    request: AnyRequest,
    table: TableId,
    seat: SeatQuery = None,
    last: Annotated[str | None, HeaderParameter(name="Last-Event-ID", max_length=12)] = None,
) -> ASGIApp:
    person = who(request)
    return await event_stream(request, table, person, _seat(seat), last, event_bytes)


async def event_stream(
    request: AnyRequest, table: str, person: str | None, seat: int | None, last: str | None, encode: Encode
) -> ASGIApp:
    """A stream of what `encode` makes of each TableView; refusals come before it begins."""
    service = app_of(request).service
    await service.audience.view(table, person, seat)
    since = number_in(last or "", 10**12)
    if since is not None:
        limit(request, "rebuild", person)
    views = service.audience.subscribe(table, person, seat, since=since, session=session_of(request))
    return EventStream(views, encode, stream_of(request, person))


def act(each: Endpoint) -> HTTPRouteHandler:
    """What is done at a table, as programs do it."""

    async def handle(request: AnyRequest, table: str, body: msgspec.Struct | None) -> Any:
        person = someone(request)
        limit(request, each.limit, person)
        return each.answer(await do(each, Place(app_of(request).service, table, person), body))

    described: dict[str, Any] = {"summary": each.summary, "status_code": each.status, "responses": PROBLEMS}
    return route(each, "/tables/{table:str}", handle, answers=each.answers, **described)


api = Router(
    "/api/v1",
    before_request=identify,
    route_handlers=[
        list_games,
        new_person,
        token,
        renew_token,
        end_token,
        me,
        rename,
        my_tables,
        statistics,
        open_tables,
        new_table,
        one_table,
        history,
        record,
        log,
        may_take_back,
        upload,
        events,
        *(act(each) for each in ENDPOINTS),
    ],
)
