"""The application: the pieces put together."""

import asyncio
import logging
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, cast

import msgspec
from litestar import Litestar, MediaType, Response, Router, get
from litestar.config.compression import CompressionConfig
from litestar.exceptions import HTTPException
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.types import Message, Scope

import infila
from infila.core.errors import IllegalMove, InfilaError
from infila.server.api import api
from infila.server.bodies import wrong
from infila.server.compiling import Compiling
from infila.server.computers import Computers
from infila.server.database_ledger import on_database
from infila.server.errors import Conflict, Full, Refused, TooMuch
from infila.server.house import House
from infila.server.identity import Signer
from infila.server.limits import LARGEST_BODY, Limiter
from infila.server.pages.chronicle import Chronicle
from infila.server.pages.frame import language_of
from infila.server.pages.problem import error_page
from infila.server.pages.routes import pages
from infila.server.pages.warming import warm
from infila.server.request import HEADERS, TO_KEEP, AnyRequest, App, app_of, identify
from infila.server.settings import Settings
from infila.server.store import Store, is_away
from infila.server.wire import ErrorJson
from infila.web.languages import Translate, said, translator

logger = logging.getLogger("infila")


def create_app(settings: Settings, store: Store | None = None) -> Litestar:
    """The whole server. The database is opened here, so that what is wrong with it is known before anybody asks."""
    store = store or Store(settings)
    compiling = Compiling()
    if settings.compile_ahead:
        service = on_database(store, settings, compiling.wait, compiling.is_ready)
    else:
        service = on_database(store, settings)
    computers = Computers(settings, service.tables, service.lobby, service.moves, service.rematches)
    limiter = Limiter(settings.now, active=settings.limits, streams=settings.streams)
    signer, chronicle, house = Signer(store.secret), Chronicle(), House(settings)
    app = App(settings, store, service, computers, signer, limiter, compiling, chronicle, house)

    @asynccontextmanager
    async def running(_: Litestar) -> AsyncIterator[None]:
        if settings.compile_ahead:
            compiling.start()
        await service.tables.start()
        await service.audience.start()
        waking = asyncio.create_task(computers.start())
        if settings.compile_ahead:
            threading.Thread(target=warm, args=(compiling.is_ready,), name="infila-warm", daemon=True).start()
        yield
        waking.cancel()
        await compiling.stop()
        await computers.stop()
        await service.audience.stop()
        await service.tables.stop()
        store.close()

    litestar = Litestar(
        route_handlers=[api, document, *pages()],
        lifespan=[running],
        exception_handlers={
            InfilaError: refuse,
            HTTPException: refuse_request,
            Exception: fail,
        },
        before_send=[protect],
        request_max_body_size=LARGEST_BODY,
        openapi_config=OpenAPIConfig(
            title="infila",
            version=infila.__version__,
            description="Tabletop games by their printed rules: tables for people and programs.",
            openapi_router=Router(
                "/api/v1/schema", route_handlers=[], before_request=identify, include_in_schema=False
            ),
            render_plugins=[JsonRenderPlugin()],
        ),
        compression_config=CompressionConfig(
            backend="gzip",
            gzip_compress_level=6,
            minimum_size=800,
            exclude=["^/api/", "^/static/", "^/look/", "/events$"],
        ),
        logging_config=None,
    )
    litestar.state.infila = app
    return litestar


@get("/api/v1/openapi.json", include_in_schema=False, before_request=identify)
async def document(request: AnyRequest) -> Response[bytes]:
    """The API, described for programs. It never changes, so it is written once."""
    state = request.app.state
    if not hasattr(state, "document"):
        state.document = msgspec.json.encode(request.app.openapi_schema.to_schema())
    return Response(state.document, media_type=MediaType.JSON)


_RAW_HEADERS = [(name.encode(), value.encode()) for name, value in HEADERS.items()]


async def protect(message: Message, scope: Scope) -> None:
    """Every answer, whoever made it and whatever it says, carries the headers that protect, and a new cookie."""
    if message["type"] == "http.response.start":
        kept = [cast(Any, scope)[TO_KEEP]] if TO_KEEP in scope else []
        message["headers"] = [*message.get("headers", ()), *_RAW_HEADERS, *kept]


def error_of(problem: Exception, reader: str = "") -> tuple[int, ErrorJson]:
    """The status and the sentence for anything that was refused: in the language of a page's reader, or in English and
    with all details for a program."""
    language = reader or "en"
    if isinstance(problem, Conflict):
        return problem.status, ErrorJson(said(problem, language), version=problem.version)
    if isinstance(problem, Refused):
        return problem.status, ErrorJson(said(problem, language), problem.rule)
    if isinstance(problem, InfilaError):
        return 422 if isinstance(problem, IllegalMove) else 400, ErrorJson(said(problem, language), problem.rule)
    _ = translator(language)
    if isinstance(problem, HTTPException) and problem.status_code == 400:
        return error_of(_wrong_request(problem), reader)
    if isinstance(problem, HTTPException) and problem.status_code < 500:
        return problem.status_code, ErrorJson(_page_sentence(problem, _) if reader else str(problem.detail))
    if isinstance(problem, RecursionError):
        return 400, ErrorJson(_("this is nested too deeply to be read."))
    return 500, ErrorJson(_("something went wrong here. It is not your fault; try again in a moment."))


def _page_sentence(problem: HTTPException, _: Translate) -> str:
    if problem.status_code == 404:
        return _("there is nothing at this address.")
    return _("this is too large.") if problem.status_code == 413 else _("this address cannot be used like this.")


def _wrong_request(problem: HTTPException) -> Refused:
    """What the framework has found wrong with a body or a parameter."""
    extra: Any = problem.extra
    details = [each for each in extra if isinstance(each, dict)] if isinstance(extra, list) else []
    if not details:
        return Refused("this is not readable as JSON.")
    return wrong(str(details[0].get("key", "")), str(details[0].get("message", "")))


def _answer(request: AnyRequest, problem: Exception) -> Response[Any]:
    program = request.url.path.startswith("/api/")
    status, error = error_of(problem, "" if program else language_of(request))
    answer: Response[Any]
    if "text/html" in request.headers.get("accept", "") and not program:
        answer = error_page(request, status, error.error)
    else:
        answer = Response(error, status_code=status, media_type=MediaType.JSON)
    if isinstance(problem, TooMuch):
        answer.headers["retry-after"] = str(problem.seconds)
    return answer


def refuse(request: AnyRequest, problem: InfilaError) -> Response[Any]:
    return _answer(request, problem)


def refuse_request(request: AnyRequest, problem: HTTPException) -> Response[Any]:
    return _answer(request, problem)


def fail(request: AnyRequest, problem: Exception) -> Response[Any]:
    if is_away(problem):
        if app_of(request).store.away_since is None:  # otherwise the store has said so, once
            reason = str(problem).strip().partition("\n")[0]
            logger.warning("%s %s: the database cannot be reached (%s)", request.method, request.url.path, reason)
        return _answer(request, Full("the tables cannot be reached at the moment. Try again in a moment.", seconds=3))
    if error_of(problem)[0] >= 500:
        logger.exception("%s %s failed", request.method, request.url.path, exc_info=problem)
    return _answer(request, problem)
