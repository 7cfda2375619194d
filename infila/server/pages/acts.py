"""What a person does at a table, and the advice they ask for."""

from typing import Any

import msgspec
from litestar import Response, post
from litestar.params import FromPath

from infila.core.errors import IllegalMove
from infila.core.game import View
from infila.players.hints import hints
from infila.players.player import player
from infila.server.coach import check
from infila.server.errors import Refused, Unknown
from infila.server.pages.frame import json_answer, language_of, person_of
from infila.server.web import AnyRequest, app_of, limit
from infila.web import present
from infila.web.languages import said, translator

ADVISER = "master"


@post("/t/{table_id:str}/{act:str}", include_in_schema=False, status_code=200)
async def table_act(request: AnyRequest, table_id: FromPath[str], act: FromPath[str]) -> Response[bytes]:
    """Everything that a person does at a table."""
    person, cookies = await person_of(request)
    body = await body_of(request)
    service = app_of(request).service
    limit(request, {"move": "move", "chat": "chat", "hint": "think"}.get(act, "act"), person)
    answer: dict[str, Any] = {}
    if act == "move":
        version = body.get("version")
        if not isinstance(version, int):
            raise Refused("a move carries the version it was made for.")
        key = text_of(body, "key", 64) or None
        move = text_of(body, "move", 200)
        check(await service.view(table_id, person), move, language_of(request))
        number, _ = await service.move(table_id, person, move, version, key, seat_in(body))
        answer = {"number": number}
    elif act == "chat":
        await service.chat(table_id, person, text_of(body, "text"))
    elif act == "sit":
        await service.sit(table_id, person, seat_in(body))
    elif act == "mix":
        await service.mix(table_id, person, text_of(body, "words", 100))
    elif act == "fill":
        await service.fill(table_id, person)
    elif act == "leave":
        await service.leave(table_id, person, seat_in(body))
    elif act == "replace":
        seat = seat_in(body)
        if seat is None:
            raise Refused("seat is the number of a seat.")
        await service.replace_absent(table_id, person, seat)
    elif act == "return":
        await service.come_back(table_id, person)
    elif act == "takeback":
        await service.take_back(table_id, person)
    elif act == "answer":
        await service.answer(table_id, person, body.get("agreed") is True)
    elif act == "call":
        side = body.get("side")
        if not isinstance(side, int):
            raise Refused("side is the number of a side.")
        await service.call(table_id, person, side)
    elif act == "judge":
        await service.judge(table_id, person, body.get("agreed") is True)
    elif act == "rematch":
        answer = {"url": f"/t/{(await service.rematch(table_id, person)).id}"}
    elif act == "read":
        await service.read_on(table_id, person)
    elif act == "again":
        await service.begin_again(table_id, person)
    elif act == "hint":
        answer = await hint(request, table_id, person)
    elif act == "why":
        answer = await why(request, table_id, person, body)
    else:
        raise Unknown("nobody can {act} at a table.", act=act)
    response = json_answer(answer)
    response.cookies.extend(cookies)
    return response


async def body_of(request: AnyRequest) -> dict[str, Any]:
    try:
        body = msgspec.json.decode(await request.body() or b"{}")
    except msgspec.DecodeError:
        raise Refused("this is not readable as JSON.") from None
    if not isinstance(body, dict):
        raise Refused("a JSON object is expected.")
    return body


def text_of(body: dict[str, Any], name: str, most: int = 500) -> str:
    value = body.get(name, "")
    if not isinstance(value, str) or len(value) > most:
        raise Refused("{name} is a text of at most {most} characters.", name=name, most=most)
    return value


def seat_in(body: dict[str, Any]) -> int | None:
    seat = body.get("seat")
    return seat - 1 if isinstance(seat, int) else None


async def hint(request: AnyRequest, table_id: str, person: str) -> dict[str, Any]:
    """What the computer would do in this seat, and why."""
    app = app_of(request)
    table = await app.service.view(table_id, person)
    view = table.view
    if view is None or view.seat is None or not view.own_actions():
        raise Refused("there is nothing for you to decide now.")
    language = language_of(request)
    thought = await app.computers.think(player(view.game, ADVISER), view)
    return {"html": present.hint_html(hints(view, thought, 2, language), view, translator(language), language)}


async def why(request: AnyRequest, table_id: str, person: str, body: dict[str, Any]) -> dict[str, Any]:
    """Why the parts that were touched are no move."""
    table = await app_of(request).service.view(table_id, person)
    view = table.view
    parts = body.get("parts")
    if view is None or view.seat is None or not isinstance(parts, list):
        return {"why": ""}
    text = text_from_parts(view, tuple(parts))
    try:
        if text:
            view.read(text)
    except IllegalMove as problem:
        return {"why": said(problem, language_of(request))}
    return {"why": ""}


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
