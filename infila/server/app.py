"""The application: the pieces put together."""

import asyncio
import logging
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import msgspec
from litestar import Litestar, MediaType, Response, Router, get
from litestar.config.compression import CompressionConfig
from litestar.exceptions import HTTPException
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.types import Message, Scope

import infila
from infila.core.errors import InfilaError
from infila.server.anywhere import Site, site_file, site_front
from infila.server.api import api
from infila.server.compiling import Compiling
from infila.server.computers import Computers
from infila.server.database_ledger import on_database
from infila.server.errors import Full
from infila.server.health import healthz, readyz
from infila.server.house import House
from infila.server.identity import Signer
from infila.server.limits import LARGEST_BODY, Limiter
from infila.server.pages.chronicle import Chronicle
from infila.server.pages.routes import pages
from infila.server.pages.warming import warm
from infila.server.refusing import answer_to, error_of
from infila.server.request import HEADERS, TO_KEEP, AnyRequest, App, app_of, identify
from infila.server.reviews import Reviews
from infila.server.settings import Settings
from infila.server.store import Store, is_away
from infila.server.thinking import Thinkers
from infila.server.together import Together

logger = logging.getLogger("infila")


def create_app(settings: Settings, store: Store | None = None) -> Litestar:
    """The whole server. The database is opened here, so that what is wrong with it is known before anybody asks."""
    site = Site(Path(settings.site)) if settings.site else None
    store = store or Store(settings)
    settings = replace(settings, now=store.now)
    compiling = Compiling()
    if settings.compile_ahead:
        service = on_database(store, settings, compiling.wait, compiling.is_ready)
    else:
        service = on_database(store, settings)
    thinkers = Thinkers(settings.thinkers, settings.think_seconds)
    computers = Computers(settings, service.tables, service.lobby, service.moves, service.rematches, thinkers)
    reviews = Reviews(settings, thinkers)
    limiter = Limiter(settings.now, active=settings.limits, streams=settings.streams)
    signer, chronicle, house = Signer(store.secret), Chronicle(), House(settings)
    app = App(settings, store, service, computers, signer, limiter, compiling, chronicle, house, reviews, site)

    if store.lease is not None:
        app.together = Together(store, store.lease, service, computers, signer)

    @asynccontextmanager
    async def running(_: Litestar) -> AsyncIterator[None]:
        if settings.compile_ahead:
            compiling.start()
        await service.tables.start()
        await service.audience.start()
        waking = asyncio.create_task(computers.start())
        if app.together is not None:
            app.together.start()
        if settings.compile_ahead:
            threading.Thread(target=warm, args=(compiling.is_ready,), name="infila-warm", daemon=True).start()
        yield
        waking.cancel()
        if app.together is not None:
            await app.together.stop()
        await compiling.stop()
        await computers.stop()
        await reviews.stop()
        await service.audience.stop()
        await service.tables.stop()
        store.close()

    litestar = Litestar(
        route_handlers=[healthz, readyz, api, document, *pages(), site_front, site_file],
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
            exclude=[
                "^/api/",
                "^/static/",
                "^/look/",
                "^/solo/",
                "^/anywhere",
                r"^/(sw|installed)\.js$",
                "/events$",
            ],
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
    """Every answer, whoever made it and whatever it says, carries the headers that protect, and a new cookie. One that
    says itself what it may load is taken at its word."""
    if message["type"] == "http.response.start":
        cast(App, scope["app"].state.infila).reviews.answered(id(scope))
        kept = [cast(Any, scope)[TO_KEEP]] if TO_KEEP in scope else []
        own = list(message.get("headers", ()))
        names = {name for name, _ in own}
        message["headers"] = [*own, *(each for each in _RAW_HEADERS if each[0] not in names), *kept]


def route_of(request: AnyRequest) -> str:
    """What was asked for, without what is somebody's own in its address."""
    return f"{request.method} {request.scope.get('path_template', '')}"


def refuse(request: AnyRequest, problem: InfilaError) -> Response[Any]:
    return answer_to(request, problem)


def refuse_request(request: AnyRequest, problem: HTTPException) -> Response[Any]:
    return answer_to(request, problem)


def fail(request: AnyRequest, problem: Exception) -> Response[Any]:
    if is_away(problem):
        if app_of(request).store.away_since is None:  # otherwise the store has said so, once
            kind = type(getattr(problem, "orig", None) or problem).__name__
            logger.warning("%s: the database cannot be reached (%s)", route_of(request), kind)
        return answer_to(request, Full("the tables cannot be reached at the moment. Try again in a moment.", seconds=3))
    if error_of(problem)[0] >= 500:
        logger.exception("%s failed", route_of(request), exc_info=problem)
    return answer_to(request, problem)
