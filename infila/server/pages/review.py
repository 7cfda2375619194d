"""The page of a review: what was luck and what was skill in a game that is over, known better while one looks; and the
way back into the game from any of its moves."""

import asyncio
from typing import Any

from litestar import Response, get, post
from litestar.params import FromPath
from litestar.response import Redirect

from infila.server.errors import Refused, Unknown
from infila.server.own_seats import existing_seat
from infila.server.pages.drawn import Fragments
from infila.server.pages.frame import form_of, game_card, json_answer, language_of, person_of, render, see
from infila.server.pages.getting_ready import getting_ready
from infila.server.pages.names import names_of
from infila.server.request import AnyRequest, address, app_of, limit, number_in, replaying, who
from infila.server.reviews import Look, check_reviewable
from infila.server.snapshot import Snapshot
from infila.server.table_view import TableView
from infila.web import review_html
from infila.web.languages import Translate, translator
from infila.web.review_html import ReviewFacts, Shot
from infila.web.table_html import sentence


async def looked_at(request: AnyRequest, table_id: str) -> tuple[TableView, Look]:
    """A table, and its review as far as it is known; to begin one is limited."""
    app, person = app_of(request), who(request)
    table = await app.service.audience.view(table_id, person)
    check_reviewable(table.snapshot, person)
    if not app.reviews.is_known(table.snapshot):
        limit(request, "review", person)
    look = app.reviews.look(table.snapshot, person, address(request))
    if look.problem is not None:
        raise look.problem
    return table, look


def seat_asked(request: AnyRequest, table: TableView) -> int:
    """Whose review it is: the seat that is asked for, one's own, or the first."""
    wanted = request.query_params.get("seat", "")
    if not wanted:
        return table.mine[0] if table.mine else 0
    seat = number_in(wanted)
    if seat is None:
        raise Unknown("at is the number of a move, seat the number of a seat.")
    return existing_seat(table.snapshot, seat - 1)


def move_asked(asked: str, moves: int) -> int:
    found = number_in(asked)
    if found is None or found > moves:
        raise Unknown("there is no move {move}: {count} have been played.", move=asked[:20], count=moves)
    return found


@get("/t/{table_id:str}/review", include_in_schema=False)
async def review_page(request: AnyRequest, table_id: FromPath[str]) -> Response[str]:
    app, language = app_of(request), language_of(request)
    if page := await getting_ready(request, await app.service.lobby.game_of(table_id)):
        return page
    table, look = await looked_at(request, table_id)
    _ = translator(language)
    seat, moves = seat_asked(request, table), len(table.history)
    at = move_asked(asked, moves) if (asked := request.query_params.get("at", "")) else moves
    limit(request, "rebuild", table.person)
    async with replaying(request):
        board = await board_of(request, table, at, seat)
        drawn = await drawn_of(request, table, look, seat, language)
    names = names_of(table.seats, _)
    return render(
        request,
        "review.html",
        game=game_card(table.header.game, language),
        table={"id": table.id, "about": about(table, _)},
        board=board,
        seat=seat,
        at=at,
        count=moves,
        seats=list(enumerate(names)),
        drawn=drawn,
        look=look,
        progress=status_text(look, _),
        puzzles=puzzles_text(look, seat, _),
        cut=cut_text(request, _),
        goes_on=not table.snapshot.over,
    )


def about(table: TableView, _: Translate) -> str:
    return _("review · {count} moves", count=len(table.history))


def cut_text(request: AnyRequest, _: Translate) -> str:
    """What is said of a log that could not be read to its end."""
    line = number_in(request.query_params.get("cut", ""))
    return _("The log is damaged at line {line}. This is what comes before it.", line=line) if line else ""


def status_text(look: Look, _: Translate) -> str:
    """What is read aloud when it changes, so it has no numbers."""
    if look.complete:
        return _("This review is complete.")
    if look.review is None:
        return _("The game is being looked at once more.")
    return _("A first look. It becomes more exact while you are here.")


def puzzles_text(look: Look, seat: int, _: Translate) -> str:
    """How many positions of a seat are puzzles; it is read aloud when it changes."""
    found = len(look.puzzles_of(seat))
    if not found and look.sought:
        return _("In no position of this seat was one move clearly best without being seen at once.")
    if not found:
        return _("They are looked for when the review is complete.")
    many = _("{count} positions of this seat are puzzles.", count=found)
    return many if found > 1 else _("One position of this seat is a puzzle.")


async def drawn_of(request: AnyRequest, table: TableView, look: Look, seat: int, language: str) -> Fragments:
    """A review in HTML; nothing before the first pass is done."""
    app, review = app_of(request), look.review
    if review is None:
        return {}
    key = table.id, table.version, look.stamp, look.complete, look.sought, seat, seat in table.mine, language
    if (known := app.drawn.find(key)) is not None:
        return known
    _ = translator(language)
    names = names_of(table.seats, _)
    shots: dict[int, Shot] = {}
    for made in review.seat(seat).gravest():
        game = await app.service.tables.game_at(table.snapshot, made.number - 1)
        shots[made.number] = review_html.shot_of(game.view(seat), made, names, language)
    side = table.header.typed_options.side
    sides = [side(each) for each in range(len(names))]
    own = [(number, f"/puzzles/{table.id}/{number}", puzzle.grade) for number, puzzle in look.puzzles_of(seat)]
    facts = ReviewFacts(review, seat, names, sides, table.mine == (seat,), shots, f"/t/{table.id}", own)
    return app.drawn.keep(key, await asyncio.to_thread(review_html.fragments, facts, language))


async def board_of(request: AnyRequest, table: TableView, at: int, seat: int) -> dict[str, Any]:
    """The table after so many moves, through the eyes of a seat, and what was done last."""
    app, language = app_of(request), language_of(request)
    _ = translator(language)
    names = names_of(table.seats, _)
    game = await app.service.tables.game_at(table.snapshot, at)
    told = await app.chronicle.told(table.id, table.snapshot)
    last = told[at - 1] if at else None
    swept = getattr(game.contract.picture, "swept", None)
    view = game.view(seat)
    if swept is not None and game.history and swept(view.states[0]):  # the end of a game that leaves nothing to see
        view = game.before().view(seat)
    did = "" if last is None else sentence(table.header.game, "moves", last.reason, language)
    who_did = names[last.seat] if last is not None and last.seat >= 0 else ""
    picture = review_html.picture(view, names, language, last.parts if last else ())
    return {"html": picture, "told": f"{who_did} {did}".strip() if last else _("the deal")}


@get("/t/{table_id:str}/review/state", include_in_schema=False)
async def review_state(request: AnyRequest, table_id: FromPath[str]) -> Response[bytes]:
    """How far a review is; when its stamp has changed, its page has something new."""
    table, look = await looked_at(request, table_id)
    _ = translator(language_of(request))
    return json_answer(
        {
            "stamp": look.stamp,
            "complete": look.complete,
            "percent": look.percent,
            "status": status_text(look, _),
            "sought": look.sought,
            "puzzles": puzzles_text(look, seat_asked(request, table), _),
        }
    )


@get("/t/{table_id:str}/review/board", include_in_schema=False)
async def review_board(request: AnyRequest, table_id: FromPath[str]) -> Response[bytes]:
    """The table at a move, for a page that is open."""
    app, person = app_of(request), who(request)
    table = await app.service.audience.view(table_id, person)
    check_reviewable(table.snapshot, person)
    at = move_asked(request.query_params.get("at", ""), len(table.history))
    limit(request, "rebuild", person)
    async with replaying(request):
        board = await board_of(request, table, at, seat_asked(request, table))
    return json_answer({"html": str(board["html"]), "told": board["told"]})


@post("/t/{table_id:str}/try", include_in_schema=False)
async def try_again(request: AnyRequest, table_id: FromPath[str]) -> Redirect:
    """The game once more from one of its moves, against computers, at a table of its own."""
    app, person, sent = app_of(request), await person_of(request), await form_of(request)
    table = await app.service.audience.view(table_id, person)
    check_reviewable(table.snapshot, person)
    at, seat = move_asked(sent.get("at", ""), len(table.history)), seat_sent(table.snapshot, sent.get("seat", ""))
    world = sent.get("world", "same")
    if world not in ("same", "other"):
        raise Refused("the world is the same, or other.")
    limit(request, "make", person)
    limit(request, "computers", person, len(table.seats) - 1)
    async with replaying(request):
        made = await app.service.creation.try_again(person, table.snapshot, at, seat, same=world == "same")
    return see(f"/t/{made.id}")


def seat_sent(snapshot: Snapshot, text: str) -> int:
    return existing_seat(snapshot, (number_in(text) or 0) - 1)
