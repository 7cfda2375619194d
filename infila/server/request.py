"""What handlers ask of a request, of a page or a program: who it is from, whence, and how often.

And the headers that every answer carries.
"""

from collections.abc import Iterator
from contextlib import AbstractAsyncContextManager, AbstractContextManager
from dataclasses import dataclass, field
from typing import Any, cast

from litestar import Request
from litestar.connection import ASGIConnection
from litestar.datastructures import Cookie

from infila.server.addresses import network_of
from infila.server.compiling import Compiling
from infila.server.computers import Computers
from infila.server.errors import Forbidden, Refused
from infila.server.identity import COOKIE, COOKIE_AGE, Signer
from infila.server.limits import Limiter
from infila.server.pages.chronicle import Chronicle
from infila.server.service import Service
from infila.server.settings import Settings
from infila.server.store import Store
from infila.server.turns import Turns

REPLAY_SECONDS = 30.0  # more than any replay takes
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
CONTENT_POLICY = (
    "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'self'; "
    "frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": CONTENT_POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}


@dataclass
class App:
    """Everything that handlers need; `app_of(request)` finds it."""

    settings: Settings
    store: Store
    service: Service
    computers: Computers
    signer: Signer
    limiter: Limiter
    compiling: Compiling
    chronicle: Chronicle
    replays: Turns = field(default_factory=lambda: Turns(at_once=1, seconds=REPLAY_SECONDS))


AnyRequest = Request[Any, Any, Any]


def app_of(connection: ASGIConnection[Any, Any, Any, Any]) -> App:
    return cast(App, connection.app.state.infila)


def who(request: AnyRequest) -> str | None:
    """The person who asks: by token, else by cookie. A cookie counts for an act only from our own pages."""
    app = app_of(request)
    given = request.headers.get("authorization")
    if given is not None:
        scheme, _, token = given.partition(" ")
        person = app.signer.person_of_token(token.strip()) if scheme.lower() == "bearer" else None
        if person is None:
            raise Unauthorised("this token is not valid. POST /api/v1/people gives one.")
        return person
    cookie = request.cookies.get(COOKIE)
    person = app.signer.person_of_cookie(cookie) if cookie else None
    if person is not None and request.method not in SAFE_METHODS:
        check_origin(request)
    return person


def someone(request: AnyRequest) -> str:
    """The person who asks; an act needs one."""
    person = who(request)
    if person is None:
        raise Unauthorised("say who you are: send a token, 'Authorization: Bearer …'. POST /api/v1/people gives one.")
    return person


class Unauthorised(Refused):
    status = 401


def check_origin(request: AnyRequest) -> None:
    """Another site's page must not act in a person's name."""
    origin = request.headers.get("origin")
    if origin is None:
        own = request.headers.get("sec-fetch-site") in ("same-origin", "none")
    else:
        scheme, _, host = origin.partition("://")
        own = host == request.headers.get("host")
        if own and scheme != request.scope["scheme"]:
            raise Forbidden(
                "this page came by {theirs} and asks by {ours}. Behind a reverse proxy the server needs --trust-proxy.",
                theirs=scheme,
                ours=request.scope["scheme"],
            )
    if not own:
        raise Forbidden("this request comes from another site.")


def address(request: AnyRequest) -> str:
    """Where a request comes from, as limits count it."""
    return network_of(request.client.host if request.client is not None else "")


def limit(request: AnyRequest, kind: str, person: str | None = None, cost: float = 1) -> None:
    """Count what is asked; raises TooMuch."""
    app = app_of(request)
    if person is not None:
        app.computers.whence.note(person, address(request))
    app.limiter.check(kind, address(request), person, cost)
    if kind == "make" and person is not None:
        app.limiter.check_tables(address(request), lambda: _homes_of_hosts(app))


def _homes_of_hosts(app: App) -> Iterator[str]:
    """Where those were seen last who have made the tables where something goes on."""
    for live in app.service.tables.in_memory.values():
        if app.service.tables.busy(live):
            yield app.computers.whence.of(live.snapshot.header.host)


def number_in(text: str, most: int = 100_000) -> int | None:
    """A number that stands in an address, if it is one; `int` and `isdigit` take much more than people write."""
    if not text.isascii() or not text.isdigit() or len(text) > len(str(most)):
        return None
    return int(text) if int(text) <= most else None


async def count_reading(request: AnyRequest) -> None:
    """Before every answer: looking is limited too."""
    if request.method in SAFE_METHODS:
        limit(request, "read", who(request))


def stream_of(request: AnyRequest, person: str | None) -> AbstractContextManager[None]:
    """Counts one more open stream of whoever asks."""
    return app_of(request).limiter.stream(person, address(request))


def replaying(request: AnyRequest) -> AbstractAsyncContextManager[None]:
    """Around what takes long because a game is played again: of every address one at a time, for the threads in which
    that happens take from those who answer."""
    return app_of(request).replays.turn(address(request))


def cookie_for(request: AnyRequest, person: str) -> Cookie:
    """The cookie that makes a browser this person."""
    return Cookie(
        COOKIE,
        value=app_of(request).signer.cookie(person),
        max_age=COOKIE_AGE,
        httponly=True,
        samesite="lax",
        secure=request.scope["scheme"] == "https",
        path="/",
    )
