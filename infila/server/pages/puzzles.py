"""Puzzles: a page with all of them, and a table for each. They need no account: what somebody has tried and found is in
cookies of their own browser, and nothing of it is kept here.

A puzzle is at /puzzles/GAME/NUMBER; one out of a game that was played here is at /puzzles/TABLE/MOVE, for whoever may
look at the review of that game, which finds it."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from litestar import Response, get, post
from litestar.datastructures import Cookie
from litestar.params import FromPath, JSONBody
from litestar.response import Redirect

from infila.core.game import View
from infila.core.games import usable_games
from infila.core.picture import PLACES
from infila.puzzles.attempt import Attempt, Progress, next_of
from infila.puzzles.puzzle import GRADES, Puzzle
from infila.server.bodies import NewMove, Touched
from infila.server.errors import Unknown
from infila.server.pages.advice import astray
from infila.server.pages.frame import game_card, json_answer, language_of, render, see
from infila.server.pages.getting_ready import getting_ready
from infila.server.pages.preferences import setting
from infila.server.pages.review import looked_at
from infila.server.request import AnyRequest, app_of, limit, number_in, who
from infila.web import puzzle_html, table_html
from infila.web.languages import translator
from infila.web.teams import in_teams

TRIES = "tries"  # the cookie with what was tried at the puzzle that somebody is at: its game, its number, the actions
SHOWN = "shown"  # stands there for the solution


def kept_in(game: str) -> str:
    """The cookie that says which puzzles of a game were found."""
    return f"puzzles-{game}"


def progress_of(request: AnyRequest, game: str) -> Progress:
    return Progress.read(request.cookies.get(kept_in(game), ""))


class StillSought(Unknown):
    """A game is still being looked through, or it has been forgotten and begins anew."""

    def __init__(self, table: str) -> None:
        super().__init__("the puzzles of this game are still being looked for. Its review shows them.")
        self.table = table


@dataclass(frozen=True)
class Asked:
    """A puzzle that somebody is at."""

    of: str  # the game that brings it, or the table whose game it comes from
    number: int  # from 1; at a table that of the move
    puzzle: Puzzle
    next: str  # where to go on

    @property
    def game(self) -> str:
        return str(self.puzzle.position["game"])

    @property
    def own(self) -> bool:
        """Whether it comes from a game that was played here."""
        return self.of != self.game

    @property
    def url(self) -> str:
        return f"/puzzles/{self.of}/{self.number}"


async def puzzle_asked(request: AnyRequest, of: str, number: str) -> Asked:
    """A puzzle by where it comes from and its number."""
    if of not in usable_games():
        return await own_puzzle(request, of, number)
    puzzles, wanted = await app_of(request).puzzles.of(of), number_in(number)
    if not wanted or wanted > len(puzzles):
        raise Unknown("there is no puzzle {number}: there are {count}.", number=number[:20], count=len(puzzles))
    following = f"/puzzles/{of}/{next_of(puzzles, wanted, progress_of(request, of))}"
    return Asked(of, wanted, puzzles[wanted - 1], following)


async def own_puzzle(request: AnyRequest, table_id: str, number: str) -> Asked:
    """A puzzle out of a game that was played here; after the last of its seat come those that the game brings."""
    table, look = await looked_at(request, table_id)
    found, wanted = dict(look.puzzles), number_in(number)
    if wanted is None or wanted not in found:
        if not look.sought:
            raise StillSought(table.id)
        raise Unknown("there is no puzzle at move {move}.", move=number[:20])
    puzzle, game = found[wanted], table.header.game
    later = [each for each, _puzzle in look.puzzles_of(puzzle.seat) if each > wanted]
    return Asked(
        table.id, wanted, puzzle, f"/puzzles/{table.id}/{later[0]}" if later else await first_of(request, game)
    )


async def first_of(request: AnyRequest, game: str) -> str:
    """The first puzzle of a game that is still to be found."""
    puzzles, progress = await app_of(request).puzzles.of(game), progress_of(request, game)
    return f"/puzzles/{game}/{next_of(puzzles, len(puzzles), progress)}" if puzzles else "/puzzles"


async def seen(request: AnyRequest, puzzle: Puzzle) -> View:
    """What the seat of a puzzle sees; to set up a position takes a while the first time."""
    limit(request, "rebuild", who(request))
    return await asyncio.to_thread(lambda: puzzle.view)


def attempt_at(request: AnyRequest, asked: Asked, view: View) -> Attempt:
    """What this browser has tried at a puzzle, as its cookie says; it can send what it likes."""
    attempt = Attempt(asked.puzzle)
    of, of_number, *tried = (*request.cookies.get(TRIES, "").split(".")[:100], "", "")
    if (of, of_number) != (asked.of, str(asked.number)):
        return attempt
    moves = dict(zip(map(str, view.own_actions()), view.moves, strict=True))
    for each in tried:
        if each in moves:
            attempt = attempt.with_try(moves[each])
        elif each == SHOWN:
            attempt = attempt.given_up()
    return attempt


def tries_cookie(request: AnyRequest, asked: Asked, attempt: Attempt, view: View) -> Cookie:
    tried = [str(view.read(move)) for move in attempt.tries] + [SHOWN] * attempt.shown
    return setting(request, TRIES, ".".join([asked.of, str(asked.number), *tried]))


@get("/puzzles", include_in_schema=False)
async def puzzles_page(request: AnyRequest) -> Response[str]:
    """All puzzles, by game and by how hard they are."""
    sections = []
    for game in usable_games():
        puzzles, progress = await app_of(request).puzzles.of(game), progress_of(request, game)
        if puzzles:
            sections.append({"card": game_card(game, language_of(request)), "grades": grades_of(puzzles, progress)})
    return render(request, "puzzles.html", sections=sections)


def grades_of(puzzles: Sequence[Puzzle], progress: Progress) -> list[dict[str, Any]]:
    """The puzzles of a game by how hard they are, with what was found of them and where to go on."""
    grades = []
    for grade, name in enumerate(GRADES):
        numbers = [number for number, puzzle in enumerate(puzzles, 1) if puzzle.grade == grade]
        if not numbers:
            continue
        done = progress.found | progress.shown
        grades.append(
            {
                "name": name,
                "numbers": [(each, each in progress.found, each in progress.shown) for each in numbers],
                "found": sum(each in progress.found for each in numbers),
                "next": next((each for each in numbers if each not in done), numbers[0]),
            }
        )
    return grades


@get("/puzzles/{of:str}/{number:str}", include_in_schema=False)
async def puzzle_page(request: AnyRequest, of: FromPath[str], number: FromPath[str]) -> Response[str] | Redirect:
    """A puzzle: the table itself, with a question."""
    try:
        asked = await puzzle_asked(request, of, number)
    except StillSought as problem:  # it was forgotten, and is found again there
        return see(f"/t/{problem.table}/review")
    game = asked.game
    if page := await getting_ready(request, game):
        return page
    language = language_of(request)
    _, view = translator(language), await seen(request, asked.puzzle)
    attempt = attempt_at(request, asked, view)
    facts = puzzle_html.facts_of(attempt, view, language)
    drawn = table_html.panels(facts, language)
    grade = _(GRADES[asked.puzzle.grade])
    about = _("puzzle {number} · {grade}", number=asked.number, grade=grade)
    own = _("puzzle at move {number} · {grade}", number=asked.number, grade=grade)
    return render(
        request,
        "table.html",
        game=game_card(game, language),
        url=asked.url,
        table={"about": own if asked.own else about},
        puzzle=True,
        state=puzzle_html.state(attempt, view, language, drawn),
        places={place: [panel.name for panel in drawn if panel.place == place] for place in PLACES},
        tab_name=table_html.words(game, language)["picture"].get("tab", _("piles")),
        loupe=getattr(view.contract.picture, "LOUPE", 0),
        threads=any(hasattr(view.contract.picture, name) for name in ("threads", "writes")),
        teams=in_teams(view),
    )


async def answered(request: AnyRequest, asked: Asked, attempt: Attempt, view: View) -> Response[bytes]:
    """The new state of the page, and what the browser is to remember."""
    answer = json_answer(puzzle_html.state(attempt, view, language_of(request)))
    answer.cookies.append(tries_cookie(request, asked, attempt, view))
    if attempt.over and not asked.own:
        progress = progress_of(request, asked.game)
        progress.note(asked.number, found=attempt.found)
        answer.cookies.append(setting(request, kept_in(asked.game), progress.text()))
    return answer


@get("/puzzles/{of:str}/{number:str}/state", include_in_schema=False)
async def puzzle_state(request: AnyRequest, of: FromPath[str], number: FromPath[str]) -> Response[bytes]:
    asked = await puzzle_asked(request, of, number)
    view = await seen(request, asked.puzzle)
    return json_answer(puzzle_html.state(attempt_at(request, asked, view), view, language_of(request)))


@post("/puzzles/{of:str}/{number:str}/moves", include_in_schema=False, status_code=200)
async def try_move(
    request: AnyRequest, of: FromPath[str], number: FromPath[str], data: JSONBody[NewMove]
) -> Response[bytes]:
    """A try; one that the rules do not allow is refused as at a table."""
    limit(request, "act", who(request))
    asked = await puzzle_asked(request, of, number)
    view = await seen(request, asked.puzzle)
    move = view.text(view.read(data.move))
    return await answered(request, asked, attempt_at(request, asked, view).with_try(move), view)


@post("/puzzles/{of:str}/{number:str}/solution", include_in_schema=False, status_code=200)
async def show_solution(request: AnyRequest, of: FromPath[str], number: FromPath[str]) -> Response[bytes]:
    limit(request, "act", who(request))
    asked = await puzzle_asked(request, of, number)
    view = await seen(request, asked.puzzle)
    return await answered(request, asked, attempt_at(request, asked, view).given_up(), view)


@post("/puzzles/{of:str}/{number:str}/again", include_in_schema=False, status_code=200)
async def ask_again(request: AnyRequest, of: FromPath[str], number: FromPath[str]) -> Response[bytes]:
    """The question once more, as if nothing had been tried."""
    limit(request, "act", who(request))
    asked = await puzzle_asked(request, of, number)
    return await answered(request, asked, Attempt(asked.puzzle), await seen(request, asked.puzzle))


@post("/puzzles/{of:str}/{number:str}/next", include_in_schema=False, status_code=200)
async def next_puzzle(request: AnyRequest, of: FromPath[str], number: FromPath[str]) -> Response[bytes]:
    """Where the next puzzle is."""
    limit(request, "act", who(request))
    return json_answer({"url": (await puzzle_asked(request, of, number)).next})


@post("/puzzles/{of:str}/{number:str}/why", include_in_schema=False, status_code=200)
async def why_not_here(
    request: AnyRequest, of: FromPath[str], number: FromPath[str], data: JSONBody[Touched]
) -> Response[bytes]:
    """Why the parts that were touched are no move."""
    limit(request, "act", who(request))
    asked = await puzzle_asked(request, of, number)
    return json_answer(
        {"why": astray(await seen(request, asked.puzzle), data.parts, language_of(request)), "calm": False}
    )
