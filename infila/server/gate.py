"""The gate: what every request passes before the framework sees it, in front of pages, programs and files alike.

Here a trusted proxy's word is taken, addresses that no page can have are refused, and requests wait for their turn and
are counted by where they come from, also those that come to nothing: looking up what is not there costs something too.
"""

import logging
import re
from contextlib import nullcontext
from typing import Any, cast

import msgspec
from litestar.enums import ScopeType
from litestar.types import ASGIApp, Receive, Scope, Send

from infila.server.addresses import Proxies, network_of
from infila.server.errors import Refused, TooMuch, Unknown
from infila.server.limits import LONGEST_PATH, Limiter
from infila.server.request import HEADERS, App
from infila.server.turns import Turns
from infila.server.wire import ErrorJson
from infila.web.languages import said, wished

HOST = re.compile(r"([\w.~-]{1,253}|\[[\da-fA-F:.]{2,45}\])(:\d{1,5})?", re.ASCII)
UNSEEN = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ufffd]")  # nothing that we have an address for

PEER = "infila.peer"  # in the scope of a request: who is connected, and whether that is a trusted proxy
FORWARDING = frozenset({"forwarded", "via", "x-real-ip", "x-client-ip", "cf-connecting-ip", "true-client-ip"})

logger = logging.getLogger("infila")


def entrance(pieces: App, app: ASGIApp) -> ASGIApp:
    """An application behind the gate; where there are several servers, also in front of the one that has the table."""
    proxies = Proxies(pieces.settings.proxies)
    if pieces.together is None:
        return guarded(app, pieces.limiter, proxies)
    passing = pieces.together.passing(app)
    return passing.receiving(guarded(passing.sending, pieces.limiter, proxies))


def guarded(app: ASGIApp, limiter: Limiter, proxies: Proxies) -> ASGIApp:
    """An application behind the gate."""
    warned = False
    turns = Turns()

    def look(scope: Any) -> str:
        """Set where the request comes from, and say it as limits count it."""
        nonlocal warned
        peer = scope["client"][0] if scope.get("client") else ""
        origin = proxies.origin(peer, scope["headers"])
        scope["client"] = (origin.address, 0)
        scope[PEER] = peer, proxies.trusts(peer)
        if origin.scheme is not None:
            scope["scheme"] = origin.scheme
        if origin.host is not None:
            scope["headers"] = [each for each in scope["headers"] if each[0] != b"host"]
            scope["headers"].append((b"host", origin.host.encode("latin-1")))
        if not warned and origin.address == peer and _tells_of_a_proxy(scope) and not proxies.trusts(peer):
            warned = True
            logger.warning("somebody forwards requests. If it is your reverse proxy, name its address: --trust-proxy")
        return network_of(origin.address)

    async def gate(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != ScopeType.HTTP:
            await app(scope, receive, send)
            return
        network, inside = look(scope), False
        try:
            async with turns.turn(network) if limiter.active else nullcontext():
                limiter.check("any", network)
                _check_address(scope)
                inside = True
                await app(scope, receive, send)
        except Refused as problem:
            if inside:
                raise
            await refuse(scope, send, problem)

    return cast(ASGIApp, gate)


def _tells_of_a_proxy(scope: Any) -> bool:
    return any(name == b"x-forwarded-for" for name, _ in scope["headers"])


def _check_address(scope: Any) -> None:
    """Refuse what cannot be the address of anything here."""
    hosts = [value.decode("latin-1") for name, value in scope["headers"] if name == b"host"]
    if len(hosts) > 1 or (hosts and not HOST.fullmatch(hosts[0])):
        raise Refused("this request does not say which host it is for.")
    if len(scope["path"]) > LONGEST_PATH or UNSEEN.search(scope["path"]):
        raise Unknown("there is nothing at this address.")


async def refuse(scope: Any, send: Send, problem: Refused) -> None:
    """For programs and pages in JSON, for readers a sentence in their language."""
    asked = dict(scope["headers"])
    program = scope["path"].startswith("/api/")
    language = "en" if program else wished(asked.get(b"accept-language", b"").decode("latin-1"))
    sentence = said(problem, language)
    readable = b"text/html" in asked.get(b"accept", b"") and not program
    body = sentence.encode() if readable else msgspec.json.encode(ErrorJson(sentence))
    headers = {
        "content-type": "text/plain; charset=utf-8" if readable else "application/json",
        "content-length": str(len(body)),
        "cache-control": "no-store",
        **({"retry-after": str(problem.seconds)} if isinstance(problem, TooMuch) else {}),
        **HEADERS,
    }
    raw = [(name.encode(), value.encode()) for name, value in headers.items()]
    await send({"type": "http.response.start", "status": problem.status, "headers": raw})
    await send({"type": "http.response.body", "body": body, "more_body": False})
