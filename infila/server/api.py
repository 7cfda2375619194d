"""The HTTP API for programs, /api/v1: a bot gets a token, sits at a table, hears of every change and sends its moves.

Whatever is wrong gets a 4xx with one sentence; a move that the rules do not allow names the rule.
"""

from collections.abc import Callable
from typing import Annotated, Any

import msgspec
from litestar import MediaType, Router, delete, get, post
from litestar.openapi import ResponseSpec
from litestar.params import HeaderParameter, JSONBody, PathParameter, QueryParameter
from litestar.types import ASGIApp

from infila.core.games import contract_of, usable_games
from infila.server.index import COMPUTER_LEVELS
from infila.server.making import NewTable
from infila.server.streams import EventStream
from infila.server.tableview import TableView
from infila.server.web import AnyRequest, app_of, count_reading, limit, someone, stream_of, who
from infila.server.wire import (
    ErrorJson,
    ListedJson,
    MessageJson,
    MoveJson,
    TableJson,
    event_bytes,
    listed_json,
    message_json,
    table_json,
)

LARGEST_LOG = 1_000_000
SeatNumber = Annotated[int, msgspec.Meta(ge=1, le=12)]
ShortText = Annotated[str, msgspec.Meta(max_length=200)]

PROBLEMS = {
    status: ResponseSpec(data_container=ErrorJson, description=text, generate_examples=False)
    for status, text in {
        400: "The request is not one.",
        401: "Nobody knows who asks.",
        403: "Somebody else may do this.",
        404: "There is no such thing.",
        409: "The table has moved on.",
        413: "Too large.",
        422: "The rules do not allow it.",
        429: "Too often.",
    }.items()
}


class NewPerson(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: ShortText = ""


class Credentials(msgspec.Struct, frozen=True):
    name: str
    token: str


class Named(msgspec.Struct, frozen=True):
    name: str


class Sit(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Without a seat the first that is open."""

    seat: SeatNumber | None = None
    words: ShortText = ""


class Words(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    words: ShortText = ""
    seat: SeatNumber | None = None


class NewMove(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A move as in `moves`, the version it was made for, and a key: the same key again is the same move, made once."""

    move: ShortText
    version: Annotated[int, msgspec.Meta(ge=0, le=2**31)]
    key: Annotated[str, msgspec.Meta(min_length=1, max_length=64)] | None = None
    seat: SeatNumber | None = None


class Accepted(msgspec.Struct, frozen=True):
    """The move's own number, and the version of the table as it is now."""

    number: int
    version: int


class Said(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    text: Annotated[str, msgspec.Meta(min_length=1, max_length=500)]


class Answer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    agreed: bool


class Level(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    level: ShortText = "club"


class Absent(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    seat: SeatNumber
    level: ShortText = "club"


class Call(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    side: Annotated[int, msgspec.Meta(ge=1, le=12)]


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
    levels: list[str]


class History(msgspec.Struct, frozen=True):
    moves: list[MoveJson]
    chat: list[MessageJson]


class Statistic(msgspec.Struct, frozen=True):
    game: str
    against: str
    played: int
    won: int
    best: int
    mean: float


class Upload(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A log as in docs/log.md, with its seed."""

    log: str


class TakeBack(msgspec.Struct, frozen=True):
    """`alone`: at once; `ask`: the others are asked; empty: not now."""

    how: str


TableId = Annotated[str, PathParameter(max_length=20, description="The id of a table.")]
SeatQuery = Annotated[
    int | None, QueryParameter(name="seat", ge=1, le=12, description="Which of one's own seats, if there are several.")
]


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
        found.append(GameJson(name, contract.title, contract.examples, options, list(COMPUTER_LEVELS)))
    return found


@post("/people", summary="Become somebody", responses=PROBLEMS)
async def new_person(request: AnyRequest, data: JSONBody[NewPerson]) -> Credentials:
    limit(request, "person")
    app = app_of(request)
    person = await app.service.new_person(data.name)
    return Credentials(await app.service.name_of(person), app.signer.token(person))


@get("/me", summary="One's own name", responses=PROBLEMS)
async def me(request: AnyRequest) -> Named:
    return Named(await app_of(request).service.name_of(someone(request)))


@post("/me", status_code=200, summary="Take another name", responses=PROBLEMS)
async def rename(request: AnyRequest, data: JSONBody[NewPerson]) -> Named:
    person = someone(request)
    limit(request, "act", person)
    return Named(await app_of(request).service.rename(person, data.name))


@get("/me/tables", summary="The tables where one sits", responses=PROBLEMS)
async def my_tables(request: AnyRequest) -> list[ListedJson]:
    person = someone(request)
    return [listed_json(each) for each in await app_of(request).service.my_tables(person)]


@get("/me/statistics", summary="One's games so far", responses=PROBLEMS)
async def statistics(request: AnyRequest) -> list[Statistic]:
    person = someone(request)
    records = await app_of(request).service.statistics(person)
    return [Statistic(r.game, r.against, r.played, r.won, r.best, r.mean) for r in records]


@get("/tables", summary="Open tables", responses=PROBLEMS)
async def open_tables(request: AnyRequest) -> list[ListedJson]:
    return [listed_json(each) for each in await app_of(request).service.open_tables()]


@post("/tables", summary="Make a table", responses=PROBLEMS)
async def new_table(request: AnyRequest, data: JSONBody[NewTable]) -> TableJson:
    person = someone(request)
    limit(request, "make", person)
    return table_json(await app_of(request).service.create(person, data))


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
        return table_json(await service.moment_at(table, person, moves, _seat(seat)))
    return table_json(await service.view(table, person, _seat(seat)))


@get("/tables/{table:str}/history", summary="The moves that stand, and the talk", responses=PROBLEMS)
async def history(request: AnyRequest, table: TableId) -> History:
    person = who(request)
    seen = await app_of(request).service.view(table, person)
    moves = [MoveJson(m.number, None if m.seat is None else m.seat + 1, m.text) for m in seen.history]
    return History(moves, [message_json(message) for message in seen.chat])


@get("/tables/{table:str}/log", media_type=MediaType.TEXT, summary="The log", responses=PROBLEMS)
async def log(request: AnyRequest, table: TableId) -> str:
    person = who(request)
    return await app_of(request).service.log(table, person)


@post("/tables/{table:str}/seat", status_code=200, summary="Sit down", responses=PROBLEMS)
async def sit(request: AnyRequest, table: TableId, data: JSONBody[Sit]) -> TableJson:
    person = someone(request)
    limit(request, "act", person)
    return table_json(await app_of(request).service.sit(table, person, _seat(data.seat), data.words))


@delete(
    "/tables/{table:str}/seat",
    status_code=200,
    summary="Stand up; a computer stands in once the game is on",
    responses=PROBLEMS,
)
async def leave(request: AnyRequest, table: TableId, seat: SeatQuery = None) -> TableJson:
    person = someone(request)
    limit(request, "act", person)
    return table_json(await app_of(request).service.leave(table, person, _seat(seat)))


@post("/tables/{table:str}/return", status_code=200, summary="Take one's seat again", responses=PROBLEMS)
async def come_back(request: AnyRequest, table: TableId) -> TableJson:
    person = someone(request)
    limit(request, "act", person)
    return table_json(await app_of(request).service.come_back(table, person))


@post("/tables/{table:str}/replace", status_code=200, summary="A computer for somebody absent", responses=PROBLEMS)
async def replace_absent(request: AnyRequest, table: TableId, data: JSONBody[Absent]) -> TableJson:
    person = someone(request)
    limit(request, "act", person)
    return table_json(await app_of(request).service.replace_absent(table, person, data.seat - 1, data.level))


@post("/tables/{table:str}/words", status_code=200, summary="Mix words into the shuffle", responses=PROBLEMS)
async def mix(request: AnyRequest, table: TableId, data: JSONBody[Words]) -> TableJson:
    person = someone(request)
    limit(request, "act", person)
    return table_json(await app_of(request).service.mix(table, person, data.words, _seat(data.seat)))


@post("/tables/{table:str}/fill", status_code=200, summary="Computers for the open seats", responses=PROBLEMS)
async def fill(request: AnyRequest, table: TableId, data: JSONBody[Level]) -> TableJson:
    person = someone(request)
    limit(request, "act", person)
    return table_json(await app_of(request).service.fill(table, person, data.level))


@post("/tables/{table:str}/moves", summary="Make a move", responses=PROBLEMS)
async def move(request: AnyRequest, table: TableId, data: JSONBody[NewMove]) -> Accepted:
    person = someone(request)
    limit(request, "move", person)
    service = app_of(request).service
    number, moment = await service.move(table, person, data.move, data.version, data.key, _seat(data.seat))
    return Accepted(number, moment.version)


@post("/tables/{table:str}/chat", status_code=200, summary="Say something", responses=PROBLEMS)
async def chat(request: AnyRequest, table: TableId, data: JSONBody[Said]) -> MessageJson:
    person = someone(request)
    limit(request, "chat", person)
    return message_json((await app_of(request).service.chat(table, person, data.text)).chat[-1])


@get("/tables/{table:str}/take-back", summary="Whether one could take back", responses=PROBLEMS)
async def may_take_back(request: AnyRequest, table: TableId) -> TakeBack:
    person = someone(request)
    limit(request, "act", person)
    return TakeBack(await app_of(request).service.may_take_back(table, person))


@post("/tables/{table:str}/take-back", status_code=200, summary="Take back one's last move", responses=PROBLEMS)
async def take_back(request: AnyRequest, table: TableId) -> TableJson:
    person = someone(request)
    limit(request, "act", person)
    return table_json(await app_of(request).service.take_back(table, person))


@post("/tables/{table:str}/take-back/answer", status_code=200, summary="Agree, or not", responses=PROBLEMS)
async def answer(request: AnyRequest, table: TableId, data: JSONBody[Answer]) -> TableJson:
    person = someone(request)
    limit(request, "act", person)
    return table_json(await app_of(request).service.answer(table, person, data.agreed))


@post("/tables/{table:str}/call", status_code=200, summary="Call table talk (S17)", responses=PROBLEMS)
async def call(request: AnyRequest, table: TableId, data: JSONBody[Call]) -> TableJson:
    person = someone(request)
    limit(request, "act", person)
    return table_json(await app_of(request).service.call(table, person, data.side))


@post("/tables/{table:str}/call/answer", status_code=200, summary="The host decides on a call", responses=PROBLEMS)
async def judge(request: AnyRequest, table: TableId, data: JSONBody[Answer]) -> TableJson:
    person = someone(request)
    limit(request, "act", person)
    return table_json(await app_of(request).service.judge(table, person, data.agreed))


@post("/tables/{table:str}/rematch", status_code=200, summary="Play again, seats rotated", responses=PROBLEMS)
async def rematch(request: AnyRequest, table: TableId) -> TableJson:
    person = someone(request)
    limit(request, "make", person)
    return table_json(await app_of(request).service.rematch(table, person))


@post("/logs", request_max_body_size=LARGEST_LOG, summary="Upload a log: it becomes a table", responses=PROBLEMS)
async def upload(request: AnyRequest, data: JSONBody[Upload]) -> TableJson:
    person = someone(request)
    limit(request, "make", person)
    return table_json(await app_of(request).service.upload(person, data.log))


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
    await service.view(table, person, seat)
    since = int(last) if last is not None and last.isascii() and last.isdigit() else None
    return EventStream(service.subscribe(table, person, seat, since=since), encode, stream_of(request, person))


__all__ = ["TableView", "api", "event_stream"]

api = Router(
    "/api/v1",
    before_request=count_reading,
    route_handlers=[
        list_games,
        new_person,
        me,
        rename,
        my_tables,
        statistics,
        open_tables,
        new_table,
        one_table,
        history,
        log,
        sit,
        leave,
        come_back,
        replace_absent,
        mix,
        fill,
        move,
        chat,
        may_take_back,
        take_back,
        answer,
        call,
        judge,
        rematch,
        upload,
        events,
    ],
)
