"""The rules of a game, to read."""

import asyncio

from litestar import Response, get
from litestar.params import FromPath
from markupsafe import Markup

from infila.core.games import no_game, usable_games
from infila.server.errors import Unknown
from infila.server.pages.frame import game_card, language_of, render
from infila.server.request import AnyRequest, app_of
from infila.web.rulebook import rules_html


@get("/rules/{game:str}", include_in_schema=False)
async def rules_page(request: AnyRequest, game: FromPath[str]) -> Response[str]:
    if game not in usable_games():
        raise Unknown("{problem}", problem=no_game(game))
    language = language_of(request)
    app = app_of(request)
    # who only wants to read does not wait for the compiler
    drawn = app.compiling.is_ready(game) or not app.settings.compile_ahead
    html, headings = await asyncio.to_thread(rules_html, game, language, drawn)
    return render(request, "rules.html", game=game_card(game, language), text=Markup(html), headings=headings)
