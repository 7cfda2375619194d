"""The front page, and one click to a game."""

from typing import Any

from litestar import Response, get, post
from litestar.params import FromPath

from infila.core.games import NAMES, contract_of, usable_games
from infila.server.creation import NewTable
from infila.server.levels import USUAL_LEVEL
from infila.server.lobby import Listed
from infila.server.pages.frame import LEVEL, form_of, language_of, person_of, render, see
from infila.server.pages.getting_ready import getting_ready
from infila.server.pages.level import keeping, level_page, seats_at, wanted_level
from infila.server.pages.names import name_of, origin_text
from infila.server.request import AnyRequest, app_of, is_forgotten, limit, who
from infila.server.snapshot import OPEN, OVER, PLAYING, WAITING
from infila.web.languages import Translate, translator


@get("/", include_in_schema=False)
async def front(request: AnyRequest) -> Response[str]:
    service = app_of(request).service
    _ = translator(language_of(request))
    person = who(request)
    mine = await service.lobby.my_tables(person, limit=12) if person else []
    running = [table for table in mine if table.state in (WAITING, PLAYING)]
    running.sort(key=lambda table: not table.my_turn)
    waiting = await service.lobby.open_tables()
    return render(
        request,
        "front.html",
        forgotten=is_forgotten(request),
        usual=mine[0].game if mine else NAMES[0],
        mine=[listed_facts(table, _) for table in running[:3]],
        open=[listed_facts(table, _) for table in waiting[:8]],
    )


def listed_facts(table: Listed, _: Translate) -> dict[str, str]:
    """A table in a list."""
    names = [name_of(kind, name, _) for kind, name in table.seats if kind != OPEN and name]
    # a game that was uninstalled leaves its tables behind
    title = contract_of(table.game).title.lower() if table.game in usable_games() else table.game
    heading = _("your turn") if table.my_turn else title
    if table.state == WAITING:
        full = all(kind != OPEN for kind, _name in table.seats)
        heading = _("shuffling …") if full else _("waiting for players")
    if table.state == OVER:
        heading = title
    if table.lesson:
        heading = _("lesson")
    about = ", ".join(names if heading == title else [title, *names]) or title
    if origin := origin_text(table.origin, _):
        about = f"{about} · {origin}"
    return {
        "id": table.id,
        "game": table.game,
        "heading": heading,
        "about": about,
        "host": names[0] if names else title,
    }


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
