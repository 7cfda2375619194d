"""The rules of a game, to read."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

from litestar import MediaType, Response, get
from litestar.params import FromPath
from markupsafe import Markup

from infila.core.games import no_game, usable_games
from infila.server.errors import Unknown
from infila.server.pages.frame import game_card, language_of, render
from infila.server.request import AnyRequest, app_of
from infila.web.rulebook import Heading, beside_a_table, rules_html

DRAWING = ThreadPoolExecutor(1, thread_name_prefix="infila-rules")  # what many want at once is drawn once


@get("/rules/{game:str}", include_in_schema=False)
async def rules_page(request: AnyRequest, game: FromPath[str]) -> Response[str]:
    html, headings = await drawn_rules(request, game)
    card = game_card(game, language_of(request))
    return render(request, "rules.html", game=card, text=Markup(html), headings=headings)


@get("/rules/{game:str}/text", include_in_schema=False)
async def rules_text(request: AnyRequest, game: FromPath[str]) -> Response[str]:
    """The rules alone, to be read beside a table."""
    html, _headings = await drawn_rules(request, game)
    headers = {"cache-control": "no-cache", "vary": "cookie, accept-language"}
    return Response(beside_a_table(html), media_type=MediaType.HTML, headers=headers)


async def drawn_rules(request: AnyRequest, game: str) -> tuple[str, list[Heading]]:
    """The rules as HTML and their headings; who only wants to read does not wait for the compiler."""
    if game not in usable_games():
        raise Unknown("{problem}", problem=no_game(game))
    app = app_of(request)
    drawn = app.compiling.is_ready(game) or not app.settings.compile_ahead
    loop = asyncio.get_running_loop()
    return await loop.run_in_executor(DRAWING, rules_html, game, language_of(request), drawn)
