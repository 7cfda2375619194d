"""The front page, and one click to a game."""

from typing import Any

from litestar import Response, get, post
from litestar.params import FromPath

from infila.core.games import NAMES, usable_games
from infila.server.creation import NewTable
from infila.server.levels import USUAL_LEVEL
from infila.server.lobby import RUNNING
from infila.server.pages.frame import LEVEL, form_of, language_of, person_of, render, see
from infila.server.pages.getting_ready import getting_ready
from infila.server.pages.level import keeping, level_page, seats_at, wanted_level
from infila.server.pages.lists import line_of
from infila.server.request import AnyRequest, app_of, is_forgotten, limit, who


@get("/", include_in_schema=False)
async def front(request: AnyRequest) -> Response[str]:
    service = app_of(request).service
    language = language_of(request)
    person = who(request)
    running = await service.lobby.my_tables(person, RUNNING, limit=12) if person else []
    running.sort(key=lambda table: not table.my_turn)
    return render(
        request,
        "front.html",
        forgotten=is_forgotten(request),
        usual=await service.lobby.last_game(person) if person else NAMES[0],
        mine=[line_of(table, language) for table in running[:3]],
        open=[line_of(table, language) for table in (await service.lobby.open_tables(person))[:8]],
    )


@post("/play/{game:str}", include_in_schema=False)
async def play_now(request: AnyRequest, game: FromPath[str]) -> Response[Any]:
    """One click: a game against the computer."""
    sent = await form_of(request)
    level = wanted_level(request, sent)
    if level is None and game in usable_games():
        app_of(request).compiling.want(game)
        return level_page(request, game, sent)
    if page := await getting_ready(request, game, sent):
        return page
    person = await person_of(request)
    limit(request, "make", person)
    limit(request, "computers", person)
    level = level or USUAL_LEVEL
    wanted = NewTable(game, seats=seats_at(game, level), commitment=sent.get("commitment", ""))
    table = await app_of(request).service.creation.create(person, wanted)
    return see(f"/t/{table.id}", keeping(request, level) if LEVEL in sent else ())


@post("/learn/{game:str}", include_in_schema=False)
async def learn(request: AnyRequest, game: FromPath[str]) -> Response[Any]:
    """The guided first game: the one begun before, or a new one."""
    if page := await getting_ready(request, game, await form_of(request)):
        return page
    person = await person_of(request)
    limit(request, "make", person)
    limit(request, "computers", person)
    table = await app_of(request).service.lessons.learn(person, game)
    return see(f"/t/{table.id}")
