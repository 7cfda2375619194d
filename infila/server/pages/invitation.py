"""Inviting: the address that a link carries, and letting the home network in from the machine that serves."""

from contextlib import suppress
from typing import Any, cast

from litestar import post
from litestar.response import Redirect

from infila.server.errors import Forbidden
from infila.server.gate import FORWARDING, PEER
from infila.server.house import Asked, Reach, is_loopback, told_addresses
from infila.server.pages.frame import person_of, see
from infila.server.pages.preferences import back
from infila.server.request import AnyRequest, app_of, limit


def reach_of(request: AnyRequest) -> Reach:
    """How others reach what this request looks at."""
    return app_of(request).house.reach(_asked(request))


def _asked(request: AnyRequest) -> Asked:
    scope = cast(Any, request.scope)
    peer, trusted = scope.get(PEER, ("", False))
    at = str((scope.get("server") or ("",))[0])
    forwarded = any(name in FORWARDING or name.startswith("x-forwarded-") for name in request.headers)
    here = not trusted and not forwarded and is_loopback(peer)
    return Asked(scope["scheme"], request.headers.get("host", ""), trusted, here, at)


async def _at_this_machine(request: AnyRequest) -> None:
    """Only who sits at the machine that serves opens and closes its doors."""
    person = await person_of(request)
    limit(request, "act", person)
    reach = reach_of(request)
    if not (reach.offered or reach.opened):
        raise Forbidden("only whoever sits at the computer that serves can do this, if it is in a network.")


def tell(sentence: str) -> None:
    """Where the server was started, if somebody still looks there."""
    with suppress(OSError, ValueError):
        print(sentence, flush=True)


@post("/house/open", include_in_schema=False)
async def open_house(request: AnyRequest) -> Redirect:
    await _at_this_machine(request)
    house = app_of(request).house
    await house.open(str((await request.form()).get("address", "")))
    tell(told_addresses(house.urls))
    return see(back(request))


@post("/house/close", include_in_schema=False)
async def close_house(request: AnyRequest) -> Redirect:
    await _at_this_machine(request)
    await app_of(request).house.close()
    tell("Others in this network no longer find it.")
    return see(back(request))
