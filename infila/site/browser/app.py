"""Answers to the requests of one person's own pages."""

import json
import re
import time
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, cached_property
from types import SimpleNamespace
from typing import Any, cast
from urllib.parse import parse_qsl, urlsplit

import litestar
import msgspec
from litestar import Response, get, post
from litestar.exceptions import HTTPException

from infila.core.errors import InfilaError
from infila.server.compiling import Compiling
from infila.server.computers import Computers
from infila.server.errors import Full, Refused
from infila.server.house import House
from infila.server.identity import Signer, new_id
from infila.server.limits import Limiter
from infila.server.own_seats import viewing_seat
from infila.server.pages.chronicle import Chronicle
from infila.server.pages.frame import language_of, render
from infila.server.pages.level import ASK, wanted_level
from infila.server.pages.routes import pages
from infila.server.pages.table_page import eyes_of, state_of
from infila.server.puzzles import Fetch, Puzzles
from infila.server.refusing import answer_to
from infila.server.request import ASKING, AnyRequest, App, Asking
from infila.server.reviews import Reviews
from infila.server.service import compose
from infila.server.session import BROWSER, Session
from infila.server.settings import Settings
from infila.server.snapshot import PLAYING, Snapshot
from infila.server.table_view import TableView
from infila.site.browser.everything import Everything
from infila.site.browser.laid import Laid
from infila.site.browser.ledger import BrowserLedger, Keeper, Unkept
from infila.site.browser.thinking import OneThinker, OtherWorker, Search

Request: Any = litestar.Request  # a stand-in
DEEPEST = 200  # of what is sent, in brackets: Python for browsers does not survive what is nested without end
BRACKETS = re.compile(r'"[^"\\\n]*(?:\\.[^"\\\n]*)*"|[\[\]{}]')  # and texts, in which they are none
QUICK_REVIEW = 128  # games played on from each position: one worker does it all
A_MOMENT = 0.03  # seconds for which a page may wait for an answer because of a review
BEFORE_THINKING = 0.1  # of the time that people have to look
ME = "me"  # the fact that says who this is
FOREVER = 1e18


@dataclass(frozen=True)
class Answer:
    status: int
    headers: dict[str, str]
    body: bytes
    cookies: dict[str, str]  # to be kept; empty ones to be forgotten


class Site:
    """Everything that a page can ask."""

    def __init__(
        self,
        keeper: Keeper,
        search: Search | None = None,
        settings: Settings | None = None,
        puzzles: Fetch | None = None,
    ) -> None:
        self._settings = settings or Settings(
            limits=False, alone=True, browsers_think=False, review_simulations=QUICK_REVIEW, review_slice=A_MOMENT
        )
        self._keeper = keeper
        self._search = search
        self._asked: Any = None  # the last request
        self._puzzles = Puzzles(puzzles)
        self._ledger = BrowserLedger(keeper)
        self._ledger.meanwhile = self._draw_ahead

    async def open(self) -> None:
        await self._ledger.open()
        settings = self._settings
        person = await self._keeper.fact(ME)
        if not person:
            person = new_id()
            await self._ledger.welcome(person, "")
            await self._ledger.note(ME, person)
        self.person = person
        self._session = Session("here", person, BROWSER, "", 0.0, 0.0, FOREVER)
        service = compose(self._ledger, settings, lambda _links, _send_away: cast(Any, None))
        thinker = OneThinker(settings.think_seconds)
        computers = Computers(
            settings, service.tables, service.lobby, service.moves, service.rematches, cast(Any, thinker)
        )
        if self._search is not None:
            computers.solo = cast(Any, OtherWorker(self._search, settings.pace * BEFORE_THINKING))
        limiter = Limiter(settings.now, active=False, streams=settings.streams)
        self.app = App(
            settings,
            cast(Any, None),
            service,
            computers,
            Signer(""),
            limiter,
            Compiling(),
            Chronicle(),
            House(settings),
            Reviews(settings, cast(Any, thinker)),
            puzzles=self._puzzles,
        )
        self._state = SimpleNamespace(state=SimpleNamespace(infila=self.app))
        self.everything = Everything(self._ledger, service, person)
        self.laid = Laid(self._ledger, service, person)
        await service.tables.start()
        await service.audience.start()
        await computers.start()

    @cached_property
    def _routes(self) -> dict[tuple[str, int], list[Any]]:
        """Who answers what, by method and how many slashes there are."""
        found: dict[tuple[str, int], list[Any]] = {}
        for handler in [*self._own_pages(), *routes()]:
            found.setdefault((handler.method, handler.path.count("/")), []).append(handler)
        return found

    def _own_pages(self) -> list[Any]:
        """What no server has."""

        @get("/everything", include_in_schema=False)
        async def keep(request: AnyRequest) -> Response[str]:
            name = time.strftime("infila-%Y-%m-%d.json", time.localtime(self._settings.now()))
            headers = {"content-disposition": f'attachment; filename="{name}"'}
            return Response(await self.everything.packed(), media_type="application/json", headers=headers)

        @post("/everything", include_in_schema=False)
        async def bring(request: AnyRequest) -> Response[str]:
            brought = await self.everything.bring(str((await request.form()).get("file", "")))
            return render(request, "brought.html", brought=brought)

        @get("/laid/{game:str}", include_in_schema=False)
        async def lay(request: AnyRequest, game: str) -> Response[Any]:
            """The page of the table that is laid for whoever begins this game when they come back. Whoever has not said
            yet how strong the computer shall be is asked then."""
            level = wanted_level(request, {ASK: "yes"})
            if level is None:
                raise HTTPException("Not Found", 404)
            table = await self.laid.table(game, level)
            if table is None:
                return Response("", status_code=204)
            asked = self._request("GET", f"/t/{table.id}", dict(request.headers), dict(request.cookies), "")[0]
            page = await self._answer(asked)
            page.headers["location"] = f"/t/{table.id}"
            return page

        return [keep, bring, lay]

    async def ask(
        self, method: str, url: str, headers: dict[str, str], cookies: dict[str, str], body: str = ""
    ) -> Answer:
        """What a server would answer."""
        request, deep = self._request(method, url, headers, cookies, body)
        try:
            if deep:
                raise Refused("this is nested too deeply to be read.")
            answer = await self._answer(request)
        except (InfilaError, HTTPException) as problem:
            answer = answer_to(request, problem)
        except Unkept:
            full = Full(
                "this browser has no room left to keep your game, so nothing was done. Make room, and try again.",
                seconds=5,
            )
            answer = answer_to(request, full)
        return _finished(answer)

    def _request(
        self, method: str, url: str, headers: dict[str, str], cookies: dict[str, str], body: str
    ) -> tuple[Any, bool]:
        """A request, and whether there is something in it that nobody can read."""
        parts = urlsplit(url)
        form = headers.get("content-type", "").startswith("application/x-www-form-urlencoded")
        fields = dict(parse_qsl(body, keep_blank_values=True)) if form else {}
        deep = any(map(_too_deep, fields.values() if form else [body]))
        request = Request(
            self._state,
            method,
            parts.path,
            dict(parse_qsl(parts.query, keep_blank_values=True)),
            {"origin": "https://here", "host": "here"} | headers,
            cookies,
            {} if deep else fields,
            json.loads(body) if body and not form and not deep else None,
        )
        request.scope[ASKING] = Asking(self._session)
        self._asked = request
        return request, deep

    async def _draw_ahead(self, now: Snapshot) -> None:
        """Make the answer for whoever has asked last, while the browser writes: when it is written, and not before, it
        is looked up and shown. What cannot be made is heard of then."""
        request, live = self._asked, self.app.service.tables.in_memory.get(now.header.id)
        if request is None or live is None or now.state != PLAYING:
            return
        with suppress(Exception):
            seen = TableView(now, self.person, viewing_seat(now, self.person), here=live.here)
            table, curtain = eyes_of(seen, request.query_params.get("eyes", ""))
            language, moment = language_of(request), await self.app.service.audience.moment(table)
            made = await state_of(table, moment, self.app.chronicle, language, curtain)
            self.app.ahead.keep(table, moment, language, curtain, made)

    async def _answer(self, request: Any) -> Response[Any]:
        path = request.url.path
        for handler in self._routes.get((request.method, path.count("/")), ()):
            if found := handler.pattern.fullmatch(path):
                answer: Response[Any] = await handler.answer(request, found.groupdict())
                return answer
        raise HTTPException("Not Found", 404)


@cache
def routes() -> list[Any]:
    """What every server has."""
    return [handler for router in pages() for handler in _handlers(router)]


def _handlers(router: Any) -> list[Any]:
    return sorted(router.handlers, key=lambda each: each.places) if hasattr(router, "handlers") else [router]


def _finished(answer: Response[Any]) -> Answer:
    content = answer.content
    body = content.encode() if isinstance(content, str) else content if isinstance(content, bytes) else b""
    if not isinstance(content, str | bytes):
        body = msgspec.json.encode(content)
    cookies = {cookie.key: cookie.value or "" for cookie in answer.cookies}
    headers = {"content-type": str(answer.media_type)} | answer.headers
    return Answer(answer.status_code or 200, headers, body, cookies)


def _too_deep(text: str) -> bool:
    """
    >>> _too_deep('["[[["]' * 300), _too_deep("[" * 300)
    (False, True)
    """
    if text.count("[") + text.count("{") <= DEEPEST:
        return False
    depth = 0
    for found in BRACKETS.finditer(text):
        depth += {"[": 1, "{": 1, "]": -1, "}": -1}.get(found[0], 0)
        if depth > DEEPEST:
            return True
    return False
