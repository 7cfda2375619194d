"""What others see of a link to a table before they open it: a title, a sentence and the game's poster.

Messengers ask for the page as anybody may, and show this in their chats: it tells what a spectator knows, and nothing
of any hand. The poster is a file of the game's package, so that whoever asks often costs nothing.
"""

from functools import cache
from typing import Any

from litestar import Response, get
from litestar.params import FromPath

from infila.core.games import contract_of, no_game, usable_games
from infila.server.errors import Unknown
from infila.server.pages.frame import FOR_GOOD, edition
from infila.server.pages.names import names_of, origin_text
from infila.server.snapshot import CLOSED, OPEN, OVER, PLAYING
from infila.server.table_view import TableView
from infila.web import end, table_html
from infila.web.languages import Translate

POSTER = "poster.png"


def preview_of(table: TableView, base: str, _: Translate) -> dict[str, Any]:
    """Of a table that is reached at an address beginning with `base`."""
    contract = contract_of(table.header.game)
    here = [name for name, seat in zip(names_of(table.seats, _), table.seats, strict=True) if seat.kind != OPEN]
    players = table_html.joined([_("{name}", name=name) for name in here], _) if here else ""
    sentences = [_sentence(table, players, _), origin_text(table.header.origin, _)]
    return {
        "title": " · ".join(filter(None, (contract.title, players))),
        "description": " · ".join(filter(None, sentences)),
        "url": f"{base}/t/{table.id}",
        "image": f"{base}/poster/{contract.name}.png?{edition()}" if contract.brings(POSTER) else "",
    }


def _sentence(table: TableView, players: str, _: Translate) -> str:
    """How it stands there, for everybody."""
    if table.state == OVER:
        return _result(table, _)
    if table.state == PLAYING:
        return _("{players} play. You can watch.", players=players)
    free = sum(seat.kind == OPEN for seat in table.seats)
    if table.state == CLOSED or not free:
        return _("{count} players", count=len(table.seats))
    return _("{count} players, seats free: {free}. Come and play.", count=len(table.seats), free=free)


def _result(table: TableView, _: Translate) -> str:
    watching = TableView(table.snapshot, None, None)
    assert watching.view is not None
    sitters = [table_html.Sitter(name, "person") for name in names_of(table.seats, _)]
    given = None if watching.view.over else table.snapshot.winners
    facts = table_html.TableFacts(watching.view, sitters, table.version, table.number, given_to=given)
    sides = end.sides_of(facts, _)
    return f"{end.title(facts, sides, _)}, {end.margin(sides, _)}"


@get("/poster/{name:str}", include_in_schema=False)
async def poster(name: FromPath[str]) -> Response[bytes]:
    game = name.removesuffix(".png")
    if game not in usable_games():
        raise Unknown("{problem}", problem=no_game(game))
    return Response(_poster(game), media_type="image/png", headers={"cache-control": FOR_GOOD})


@cache
def _poster(game: str) -> bytes:
    contract = contract_of(game)
    if not contract.brings(POSTER):
        raise Unknown("there is nothing at this address.")
    return contract.file(POSTER).read_bytes()
