"""The rules of a game, to read."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

from litestar import Response, get
from litestar.params import FromPath
from markupsafe import Markup

from infila.core.games import no_game, usable_games
from infila.server.errors import Unknown
from infila.server.pages.frame import game_card, language_of, render
from infila.server.request import AnyRequest, app_of
from infila.web.rulebook import rules_html

DRAWING = ThreadPoolExecutor(1, thread_name_prefix="infila-rules")  # what many want at once is drawn once


@get("/rules/{game:str}", include_in_schema=False)
async def rules_page(request: AnyRequest, game: FromPath[str]) -> Response[str]:
    if game not in usable_games():
        raise Unknown("{problem}", problem=no_game(game))
    language = language_of(request)
    app = app_of(request)
    # who only wants to read does not wait for the compiler
    drawn = app.compiling.is_ready(game) or not app.settings.compile_ahead
    loop = asyncio.get_running_loop()
    html, headings = await loop.run_in_executor(DRAWING, rules_html, game, language, drawn)
    return render(request, "rules.html", game=game_card(game, language), text=Markup(html), headings=headings)
