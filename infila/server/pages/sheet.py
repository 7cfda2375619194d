"""Score sheets to print, for those who play with the box."""

from typing import Any

from litestar import Response, get
from litestar.params import FromPath

from infila.core.games import contract_of, no_game, usable_games
from infila.server.errors import Unknown
from infila.server.pages.frame import game_card, language_of, render
from infila.server.request import AnyRequest, number_in
from infila.web import table_html


@get("/sheet/{game:str}", include_in_schema=False)
async def sheet_page(request: AnyRequest, game: FromPath[str]) -> Response[str]:
    if game not in usable_games():
        raise Unknown("{problem}", problem=no_game(game))
    language = language_of(request)
    if "sheet" not in table_html.words(game, language):
        raise Unknown("{game} needs no score sheet.", game=contract_of(game).title)
    counts = player_counts(game)
    wanted = request.query_params.get("players", "")
    players = chosen if (chosen := number_in(wanted)) in counts else counts[0]
    sheet = sheet_of(game, language)
    return render(request, "sheet.html", game=game_card(game, language), counts=counts, players=players, sheet=sheet)


def player_counts(game: str) -> list[int]:
    """How many can play, as many as find room on a sheet."""
    spec = contract_of(game).options.specs()["players"]
    least, most = spec.values[0], spec.values[-1]
    return [count for count in range(least, most + 1) if count in spec.values or not spec.all_listed][:6]


def sheet_of(game: str, language: str) -> dict[str, Any]:
    """Columns, lines and what is printed in them: the game's texts say it, `[sheet]`."""
    words = table_html.words(game, language)["sheet"]
    printed = words.get("printed", "").split(";")
    count = int(words["lines"]) if "lines" in words else len(printed)
    line = words.get("line", "")
    return {
        "about": words["about"],
        "each": words["whose"] == "each",
        "columns": words["columns"].split(";"),
        "lines": [f"{line} {number + 1}".strip() if line else "" for number in range(count)],
        "printed": printed,
        "foot": words["foot"].split(";"),
    }
