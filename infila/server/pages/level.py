"""How strong the computer is in a quick game: asked once, and kept by the browser until another is chosen."""

from collections.abc import Mapping

from litestar import Response, post
from litestar.datastructures import Cookie
from litestar.response import Redirect

from infila.core.games import contract_of, usable_games
from infila.players import LEVELS
from infila.server.creation import ME
from infila.server.errors import Refused
from infila.server.levels import USUAL_LEVEL, ComputerLevel
from infila.server.pages.frame import LEVEL, game_card, language_of, level_of, render, see
from infila.server.pages.preferences import back, setting
from infila.server.request import AnyRequest

ASK = "ask"  # a field of forms on pages of those who have never said


def wanted_level(request: AnyRequest, sent: Mapping[str, str]) -> ComputerLevel | None:
    """The level for a quick game: the one that is sent, or kept; None if it is to be asked for."""
    given = sent.get(LEVEL, "")
    if given in LEVELS:
        return ComputerLevel(given)
    return level_of(request) or (None if ASK in sent else USUAL_LEVEL)


def keeping(request: AnyRequest, level: str) -> list[Cookie]:
    """The cookie that keeps a level, if it is another."""
    return [] if level == level_of(request) else [setting(request, LEVEL, level)]


def level_page(request: AnyRequest, game: str, sent: Mapping[str, str]) -> Response[str]:
    """Which level it shall be; what was sent comes again with the answer."""
    card = game_card(game, language_of(request))
    kept = {name: text for name, text in sent.items() if name not in (ASK, LEVEL)}
    return render(request, "level.html", game=card, action=request.url.path, sent=kept, usual=USUAL_LEVEL)


def seats_at(game: str, level: ComputerLevel) -> tuple[str, ...]:
    """Oneself against the computer, at the usual number of players."""
    if game not in usable_games():
        return ()
    players = int(contract_of(game).options.make({}).to_dict()["players"])
    return (ME, *([str(level)] * (players - 1)))


@post("/level", include_in_schema=False)
async def choose_level(request: AnyRequest) -> Redirect:
    """The level for the next game."""
    wanted = str((await request.form()).get(LEVEL, ""))
    if wanted not in LEVELS:
        raise Refused("there is no level {level!r}. There are {levels}.", level=wanted[:20], levels=", ".join(LEVELS))
    return see(back(request), [setting(request, LEVEL, wanted)])
