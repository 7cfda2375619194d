"""Everything that is done at a table over HTTP: for each act its address, its body, what it does and what is answered.

Programs reach an act at /api/v1/tables/{table}/{path} and are answered in JSON (`api`); the page reaches the same act
at /t/{table}/{path} and is answered with the state of the page (`pages.acts`). A new act is one function here.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Annotated, Any, get_type_hints

import msgspec
from litestar import delete, post
from litestar.handlers import HTTPRouteHandler
from litestar.openapi import ResponseSpec
from litestar.params import JSONBody, PathParameter, QueryParameter

from infila.server.bodies import (
    Absent,
    Answer,
    Call,
    Commit,
    Dismissed,
    Fill,
    Leave,
    Naming,
    NewMove,
    Opening,
    Said,
    Sit,
)
from infila.server.limits import MOST_SEATS
from infila.server.request import AnyRequest
from infila.server.service import Service
from infila.server.snapshot import Snapshot
from infila.server.table_view import TableView
from infila.server.wire import Accepted, ErrorJson, MessageJson, TableJson, message_json, table_json

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
        429: "Too often, or too many; Retry-After says how many seconds to wait.",
        503: "The server has no room for more, or stops.",
    }.items()
}

TableId = Annotated[str, PathParameter(max_length=20, description="The id of a table.")]
SeatQuery = Annotated[
    int | None,
    QueryParameter(name="seat", ge=1, le=MOST_SEATS, description="Which of one's own seats, if there are several."),
]


@dataclass(frozen=True)
class Place:
    """A person at a table."""

    service: Service
    table: str
    person: str


@dataclass(frozen=True)
class Endpoint:
    path: str
    summary: str
    do: Callable[..., Awaitable[Any]]  # takes a Place, and the body if there is one
    body: type[msgspec.Struct] | None
    limit: str
    delete: bool
    status: int
    answer: Callable[[Any], Any]  # what programs get of what `do` has returned
    answers: type[Any]


ENDPOINTS: list[Endpoint] = []


def endpoint(
    path: str,
    summary: str,
    *,
    limit: str = "act",
    delete: bool = False,
    status: int = 200,
    answer: Callable[[Any], Any] = table_json,
    answers: type[Any] = TableJson,
) -> Callable[[Callable[..., Awaitable[Any]]], Callable[..., Awaitable[Any]]]:
    """Makes a function an act; the type of its `body` is what is sent."""

    def make(do: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
        body = get_type_hints(do).get("body")
        ENDPOINTS.append(Endpoint(path, summary, do, body, limit, delete, status, answer, answers))
        return do

    return make


def route(each: Endpoint, address: str, handle: Callable[..., Awaitable[Any]], **described: Any) -> HTTPRouteHandler:
    """The route of an act under an address: the framework reads the body, `handle` gets (request, table, body)."""
    how: Callable[..., Awaitable[Any]]
    if each.delete:

        async def how(request: AnyRequest, table: TableId, seat: SeatQuery = None) -> Any:
            return await handle(request, table, Leave(seat))
    elif each.body is None:

        async def how(request: AnyRequest, table: TableId) -> Any:
            return await handle(request, table, None)
    else:

        async def how(request: AnyRequest, table: TableId, data: Any) -> Any:
            return await handle(request, table, data)

        sent: Any = JSONBody
        how.__annotations__["data"] = sent[each.body]
    how.__name__ = each.do.__name__
    how.__annotations__["return"] = described.pop("answers", Any)
    return (delete if each.delete else post)(f"{address}/{each.path}", **described)(how)


async def do(each: Endpoint, place: Place, body: msgspec.Struct | None) -> Any:
    return await (each.do(place) if each.body is None else each.do(place, body))


def _index(seat: int | None) -> int | None:
    return None if seat is None else seat - 1


@endpoint("seat", "Sit down")
async def sit(at: Place, body: Sit) -> TableView:
    seat = _index(body.seat)
    return await at.service.seats.sit(at.table, at.person, seat, body.commitment, body.attempt, body.name)


@endpoint("name", "Take another name; where several people share a screen, for one seat")
async def rename(at: Place, body: Naming) -> TableView:
    return await at.service.people.rename_seat(at.table, at.person, _index(body.seat), body.name)


@endpoint("seat", "Stand up; a computer stands in once the game is on", delete=True)
async def leave(at: Place, body: Leave) -> TableView:
    return await at.service.seats.leave(at.table, at.person, _index(body.seat))


@endpoint("dismiss", "The host asks somebody to leave, before the deal")
async def dismiss(at: Place, body: Dismissed) -> TableView:
    return await at.service.seats.dismiss(at.table, at.person, body.seat - 1)


@endpoint("resign", "Give the game up: it counts as lost")
async def resign(at: Place, body: Leave) -> TableView:
    return await at.service.seats.resign(at.table, at.person, _index(body.seat))


@endpoint("return", "Take one's seat again")
async def come_back(at: Place) -> TableView:
    return await at.service.seats.come_back(at.table, at.person)


@endpoint("replace", "A computer for somebody absent")
async def replace_absent(at: Place, body: Absent) -> TableView:
    return await at.service.seats.replace_absent(at.table, at.person, body.seat - 1, body.level)


@endpoint("commit", "Commit to a contribution to the shuffle")
async def commit(at: Place, body: Commit) -> TableView:
    return await at.service.shuffle.commit(at.table, at.person, body.commitment, body.attempt)


@endpoint("open", "Open one's contribution to the shuffle, once all have committed")
async def open_contribution(at: Place, body: Opening) -> TableView:
    return await at.service.shuffle.open(at.table, at.person, body.contribution)


@endpoint("fill", "Computers for the open seats, or one of them")
async def fill(at: Place, body: Fill) -> TableView:
    return await at.service.seats.fill(at.table, at.person, body.level, _index(body.seat))


def _accepted(made: tuple[int, Snapshot]) -> Accepted:
    number, snapshot = made
    return Accepted(number, snapshot.version)


@endpoint("moves", "Make a move", limit="move", status=201, answer=_accepted, answers=Accepted)
async def move(at: Place, body: NewMove) -> tuple[int, Snapshot]:
    return await at.service.moves.play(at.table, at.person, body.move, body.version, body.key, _index(body.seat))


def _message(seen: TableView) -> MessageJson:
    return message_json(seen.chat[-1])


@endpoint("chat", "Say something", limit="chat", answer=_message, answers=MessageJson)
async def chat(at: Place, body: Said) -> TableView:
    return await at.service.chat.say(at.table, at.person, body.text)


@endpoint("take-back", "Take back one's last move")
async def take_back(at: Place) -> TableView:
    return await at.service.take_backs.ask(at.table, at.person)


@endpoint("take-back/answer", "Agree, or not")
async def answer(at: Place, body: Answer) -> TableView:
    return await at.service.take_backs.answer(at.table, at.person, body.agreed)


@endpoint("stop", "Offer to end the game, which nobody wins then; with computers alone it ends")
async def stop(at: Place) -> TableView:
    return await at.service.stops.offer(at.table, at.person)


@endpoint("stop/answer", "Say yes or no to ending the game")
async def answer_stop(at: Place, body: Answer) -> TableView:
    return await at.service.stops.answer(at.table, at.person, body.agreed)


@endpoint("call", "Call for an act of the host")
async def call(at: Place, body: Call) -> TableView:
    return await at.service.calls.call(at.table, at.person, body.move)


@endpoint("call/answer", "Decide on a call, as the host or whoever has no stake in it")
async def judge(at: Place, body: Answer) -> TableView:
    return await at.service.calls.judge(at.table, at.person, body.agreed)


@endpoint(
    "rematch", "Play again, seats rotated: the others are asked; the next game's table once it is there", limit="make"
)
async def rematch(at: Place) -> TableView:
    return await at.service.rematches.ask(at.table, at.person)


@endpoint("rematch/answer", "Say yes or no to another game")
async def answer_rematch(at: Place, body: Answer) -> TableView:
    return await at.service.rematches.answer(at.table, at.person, body.agreed)


@endpoint("read", "In a lesson: go on, what the coach says is read")
async def read_on(at: Place) -> TableView:
    return await at.service.lessons.read_on(at.table, at.person)


@endpoint("again", "In a lesson: begin it again")
async def begin_again(at: Place) -> TableView:
    return await at.service.lessons.begin_again(at.table, at.person)
