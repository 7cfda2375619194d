"""What handlers ask of a request, of a page or a program: who it is from, whence, and how often.

And the headers that every answer carries.
"""

from collections.abc import Iterator
from contextlib import AbstractAsyncContextManager, AbstractContextManager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast

from litestar import Request
from litestar.connection import ASGIConnection
from litestar.datastructures import Cookie

from infila.server.addresses import network_of
from infila.server.compiling import Compiling
from infila.server.computers import Computers
from infila.server.errors import Forbidden, Unauthorised
from infila.server.house import House
from infila.server.identity import COOKIE, Signer
from infila.server.limits import Limiter
from infila.server.pages.ahead import Ahead
from infila.server.pages.chronicle import Chronicle
from infila.server.pages.drawn import Drawn
from infila.server.pages.endings import Endings
from infila.server.puzzles import Puzzles
from infila.server.readiness import Readiness
from infila.server.reviews import Reviews
from infila.server.service import Service
from infila.server.session import BROWSER, BROWSER_SECONDS, PROGRAM, Session
from infila.server.settings import Settings
from infila.server.turns import Turns
from infila.server.user_agents import label_of

if TYPE_CHECKING:
    from infila.server.anywhere import Site
    from infila.server.store import Store
    from infila.server.together import Together

ASKING, TO_KEEP = "infila.asking", "infila.cookie"  # in the scope of a request: who asks; a header for the answer
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
    store: "Store"
    service: Service
    computers: Computers
    signer: Signer
    limiter: Limiter
    compiling: Compiling
    chronicle: Chronicle
    house: House
    reviews: Reviews
    site: "Site | None" = None  # the table as plain files, at /anywhere/
    together: "Together | None" = None  # with other servers of the same database
    endings: Endings = field(default_factory=Endings)
    puzzles: Puzzles = field(default_factory=Puzzles)
    drawn: Drawn = field(default_factory=Drawn)
    ahead: Ahead = field(default_factory=Ahead)
    readiness: Readiness = field(default_factory=Readiness)
    replays: Turns = field(default_factory=lambda: Turns(at_once=1, seconds=REPLAY_SECONDS))


AnyRequest = Request[Any, Any, Any]


def app_of(connection: ASGIConnection[Any, Any, Any, Any]) -> App:
    return cast(App, connection.app.state.infila)


@dataclass(slots=True)
class Asking:
    """Who asks, or why nobody knows."""

    session: Session | None = None
    problem: Unauthorised | None = None


async def identify(request: AnyRequest) -> None:
    """Before every answer: who asks. Looking is limited too."""
    asking = await (_by_cookie(request) if "authorization" not in request.headers else _by_token(request))
    cast(Any, request.scope)[ASKING] = asking
    app_of(request).reviews.hear(id(request.scope))
    session = asking.session
    if session is not None and app_of(request).service.sessions.unseen(session):
        await app_of(request).service.sessions.see(session)
        if session.kind == BROWSER:
            keep_cookie(request, session)
    if request.method in SAFE_METHODS:
        limit(request, "read", who(request))


async def _by_token(request: AnyRequest) -> Asking:
    signer, sessions = app_of(request).signer, app_of(request).service.sessions
    scheme, _, given = request.headers["authorization"].partition(" ")
    token = given.strip() if scheme.lower() == "bearer" else ""
    if (named := signer.session_of_token(token)) is not None:
        session = await sessions.find(named)
    elif (person := signer.person_of_token(token)) is not None:
        session = await sessions.find_unlisted(person, PROGRAM)
    else:
        return Asking(problem=Unauthorised("this token is not valid. POST /api/v1/people gives one."))
    if session is None:
        return Asking(problem=Unauthorised("this token was ended, or is too old. Make another one, under my devices."))
    return Asking(session)


async def _by_cookie(request: AnyRequest) -> Asking:
    cookie = request.cookies.get(COOKIE)
    if not cookie:
        return Asking()
    signer, sessions = app_of(request).signer, app_of(request).service.sessions
    if (named := signer.session_of_cookie(cookie)) is not None:
        session = await sessions.find(named)
    elif (person := signer.person_of_cookie(cookie)) is not None:
        session = await sessions.find_unlisted(person, BROWSER)
        if session is not None and request.method == "GET" and "text/html" in request.headers.get("accept", ""):
            session = await upgraded(request, session)
    else:
        return Asking()
    if session is None:
        return Asking(
            problem=Unauthorised(
                "you are no longer known on this device: that was ended, or the device was not used for too long. "
                "Load the page again to go on as somebody new."
            )
        )
    return Asking(session)


async def upgraded(request: AnyRequest, old: Session) -> Session:
    """A session for a browser whose cookie is older than sessions."""
    session = await app_of(request).service.sessions.upgrade(old, device_label(request))
    keep_cookie(request, session)
    return session


def who(request: AnyRequest) -> str | None:
    """The person who asks: by token, else by cookie. A cookie counts for an act only from our own pages."""
    session = session_of(request)
    return None if session is None else session.person


def session_of(request: AnyRequest) -> Session | None:
    """The browser or program that asks. One whose session is over may look like a stranger, but must know before it
    acts."""
    asking = asking_of(request)
    acts = request.method not in SAFE_METHODS
    if asking.problem is not None and (acts or "authorization" in request.headers):
        if "authorization" not in request.headers:
            drop_cookie(request)
        raise asking.problem
    if asking.session is not None and asking.session.kind == BROWSER and acts:
        check_origin(request)
    return asking.session


def asking_of(request: AnyRequest) -> Asking:
    return cast(Asking, cast(Any, request.scope)[ASKING])


def someone(request: AnyRequest) -> str:
    """The person who asks; an act needs one."""
    person = who(request)
    if person is None:
        raise asking_of(request).problem or Unauthorised(
            "say who you are: send a token, 'Authorization: Bearer …'. POST /api/v1/people gives one."
        )
    return person


async def welcome(request: AnyRequest, kind: str, name: str = "") -> Session:
    """Somebody new asks."""
    limit(request, "person")
    service = app_of(request).service
    person, shown = service.people.newcomer(name)
    label = device_label(request) if kind == BROWSER else ""
    return await service.sessions.first(person, kind, label, newcomer=shown)


def device_label(request: AnyRequest) -> str:
    return label_of(request.headers.get("user-agent", ""))


def is_forgotten(request: AnyRequest) -> bool:
    """Whether this browser was somebody; a page that says so, says it once."""
    forgotten = asking_of(request).problem is not None
    if forgotten:
        drop_cookie(request)
    return forgotten


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


def stream_of(request: AnyRequest, person: str | None) -> AbstractContextManager[None]:
    """Counts one more open stream of whoever asks."""
    return app_of(request).limiter.stream(person, address(request))


def replaying(request: AnyRequest) -> AbstractAsyncContextManager[None]:
    """Around what takes long because a game is played again: of every address one at a time, for the threads in which
    that happens take from those who answer."""
    return app_of(request).replays.turn(address(request))


def keep_cookie(request: AnyRequest, session: Session) -> None:
    """The answer makes a browser this session, whatever else it says."""
    cast(Any, request.scope)[ASKING] = Asking(session)
    _set_cookie(request, app_of(request).signer.cookie(session.id), BROWSER_SECONDS)


def drop_cookie(request: AnyRequest) -> None:
    """The answer makes a browser nobody."""
    _set_cookie(request, "", 0)


def _set_cookie(request: AnyRequest, value: str, age: int) -> None:
    secure = request.scope["scheme"] == "https"
    cookie = Cookie(COOKIE, value=value, max_age=age, httponly=True, samesite="lax", secure=secure, path="/")
    cast(Any, request.scope)[TO_KEEP] = cookie.to_encoded_header()
