"""A page for whoever has to wait because the rules of a game are still being compiled: it says how far that is, and
goes on by itself, with all that was sent. Without a script its button does, and then the answer waits."""

import asyncio
import math
from collections.abc import Mapping

from litestar import Response, get
from litestar.params import FromPath

from infila.core.games import no_game, usable_games
from infila.server.compiling import Progress
from infila.server.errors import Unknown
from infila.server.pages.frame import game_card, json_answer, language_of, render
from infila.server.request import AnyRequest, app_of
from infila.web.languages import Translate, translator

SOON = 0.15  # seconds for which nobody needs a page
WAIT = "wait"  # a field of the form: the answer may take as long as it does


async def getting_ready(request: AnyRequest, game: str, sent: Mapping[str, str] | None = None) -> Response[str] | None:
    """The page for a game that is not ready; None for one that is. `sent` is the form that comes again when it is;
    without one the page is asked for again."""
    app = app_of(request)
    if not app.settings.compile_ahead or game not in usable_games() or (sent is not None and WAIT in sent):
        return None
    try:
        await asyncio.wait_for(app.compiling.wait(game), SOON)
    except TimeoutError:
        language = language_of(request)
        progress = app.compiling.progress(game)
        return render(
            request,
            "ready.html",
            game=game_card(game, language),
            action=None if sent is None else request.url.path,
            sent=sent or {},
            wait=WAIT,
            progress=progress,
            left=left_text(progress, translator(language)),
        )
    return None


@get("/ready/{game:str}", include_in_schema=False)
async def progress_of(request: AnyRequest, game: FromPath[str]) -> Response[bytes]:
    """How far a game is, for the page that waits for it."""
    if game not in usable_games():
        raise Unknown("{problem}", problem=no_game(game))
    app = app_of(request)
    progress = app.compiling.progress(game)
    ready = app.compiling.is_ready(game) or not app.settings.compile_ahead
    left = left_text(progress, translator(language_of(request)))
    return json_answer({"ready": ready, "share": round(progress.share, 3), "left": left})


def left_text(progress: Progress, _: Translate) -> str:
    """How long it still takes, no more exactly than anybody can know."""
    if progress.seconds is None:
        return _("This takes a minute or two.")
    if progress.seconds > 90:
        return _("About {count} minutes more.", count=math.ceil(progress.seconds / 60))
    return _("About {count} seconds more.", count=max(5 * math.ceil(progress.seconds / 5), 5))
