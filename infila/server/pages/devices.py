"""My devices: the browsers and programs in which one is oneself, how to add another, and how to end them.

A program may not do any of this, whatever token it has: what a person gives to a program can be taken from it again.
"""

from datetime import UTC, datetime
from math import ceil
from typing import Any

from babel.dates import format_date
from litestar import Response, get, post
from litestar.params import FromPath
from litestar.response import Redirect
from markupsafe import Markup

from infila.server.bodies import NewPerson, from_form
from infila.server.errors import Forbidden, Refused
from infila.server.identity import clean_name
from infila.server.pages.frame import language_of, person_of, qr_code, render, see
from infila.server.pages.invitation import reach_of
from infila.server.request import (
    AnyRequest,
    app_of,
    asking_of,
    check_origin,
    device_label,
    drop_cookie,
    is_forgotten,
    keep_cookie,
    limit,
    session_of,
    upgraded,
    who,
)
from infila.server.session import BROWSER, DAY, PROGRAM, Session
from infila.web.languages import Translate, translator


@get("/devices", include_in_schema=False)
async def devices_page(request: AnyRequest) -> Response[str]:
    service = app_of(request).service
    language = language_of(request)
    here = session_of(request)
    listed = await service.sessions.all_of(here.person) if here else []
    older = await service.sessions.find_unlisted(here.person, BROWSER) if here else None
    link = service.links.open(here.person) if here else None
    now = app_of(request).settings.now()
    facts = [session_facts(each, now, language) | {"here": here and each.id == here.id} for each in listed]
    return render(
        request,
        "devices.html",
        forgotten=is_forgotten(request),
        known=here is not None,
        browsers=sorted((each for each in facts if each["kind"] == BROWSER), key=lambda each: not each["here"]),
        programs=[each for each in facts if each["kind"] == PROGRAM],
        older=older and date_text(older.expires, language),
        others=len(facts) > 1 or older is not None,
        minutes=link and ceil((link.expires - now) / 60),
    )


def session_facts(session: Session, now: float, language: str) -> dict[str, Any]:
    _ = translator(language)
    seen = _("today") if session.seen // DAY == now // DAY else date_text(session.seen, language)
    return {
        "id": session.id,
        "kind": session.kind,
        "name": device_text(session.label, _) if session.kind == BROWSER else session.label or _("a program"),
        "since": date_text(session.created, language),
        "seen": seen,
        "until": date_text(session.expires, language),
    }


def device_text(label: str, _: Translate) -> str:
    """A browser in plain words."""
    browser, _slash, system = label.partition("/")
    if browser and system:
        return _("{browser} on {system}", browser=browser, system=system)
    return browser or system or _("a browser")


def date_text(moment: float, language: str) -> str:
    return format_date(datetime.fromtimestamp(moment, UTC), "long", locale=language)


async def own_browser(request: AnyRequest) -> Session:
    """The browser that asks, as the session it is."""
    await person_of(request)
    session = session_of(request)
    if session is None or session.kind != BROWSER:
        raise Forbidden("a program cannot do this. Do it in a browser.")
    limit(request, "act", session.person)
    return session if session.id else await upgraded(request, session)


@post("/device", include_in_schema=False)
async def make_link(request: AnyRequest) -> Response[str]:
    """A private link that makes another device the same person, once."""
    session = await own_browser(request)
    made = await app_of(request).service.sessions.make_link(session)
    link = f"{reach_of(request).base}/me/{made}"
    return render(request, "device.html", link=link, code=Markup(qr_code(link)))


@post("/devices/withdraw", include_in_schema=False)
async def withdraw_link(request: AnyRequest) -> Redirect:
    session = await own_browser(request)
    app_of(request).service.links.withdraw(session.person)
    return see("/devices")


@get("/me/{link:str}", include_in_schema=False)
async def ask_who_to_be(request: AnyRequest, link: FromPath[str]) -> Response[str]:
    """Opening a link changes nothing yet: it says who one would be here, and who one is now."""
    limit(request, "link")
    service = app_of(request).service
    found = service.links.find(link)
    now = who(request)
    left = others = 0
    if now is not None and now != found.person:
        left = await service.lobby.count(now)
        sessions = await service.sessions.all_of(now)
        here = session_of(request)
        others = sum(each.kind == BROWSER and here is not None and each.id != here.id for each in sessions)
    _ = translator(language_of(request))
    return render(
        request,
        "become.html",
        link=link,
        name=await service.people.name_of(found.person) or _("guest"),
        now=None if now is None else await service.people.name_of(now) or _("guest"),
        same=now == found.person,
        left=left,
        others=others,
    )


@post("/me/{link:str}", include_in_schema=False)
async def become(request: AnyRequest, link: FromPath[str]) -> Redirect:
    """Be somebody else here from now on. Who one was ends here, unless it is the same person."""
    check_origin(request)  # also for a stranger: another site must not make anybody somebody
    limit(request, "link")
    service = app_of(request).service
    before = asking_of(request).session
    if before is not None and service.links.find(link).person == before.person:
        return see("/mine")
    keep_cookie(request, await service.sessions.enter(link, device_label(request)))
    if before is not None and before.kind == BROWSER and before.id:
        await service.sessions.end(before.person, before.id)
    return see("/mine")


@post("/programs", include_in_schema=False)
async def make_program(request: AnyRequest) -> Response[str]:
    """A token for a program, which is shown once."""
    session = await own_browser(request)
    name = clean_name(from_form(NewPerson, {"name": (await request.form()).get("name", "")}).name)
    if not name:
        raise Refused("a name has at least one visible character.")
    made = await app_of(request).service.sessions.add_program(session, name)
    language = language_of(request)
    facts = session_facts(made, made.created, language)
    return render(request, "token.html", token=app_of(request).signer.token(made.id), program=facts)


@post("/devices/end", include_in_schema=False)
async def end(request: AnyRequest) -> Redirect:
    session = await own_browser(request)
    wanted = str((await request.form()).get("session", ""))
    await app_of(request).service.sessions.end(session.person, wanted)
    if wanted != session.id:
        return see("/devices")
    drop_cookie(request)
    return see("/")


@post("/devices/end-others", include_in_schema=False)
async def end_others(request: AnyRequest) -> Redirect:
    session = await own_browser(request)
    await app_of(request).service.sessions.end_others(session)
    return see("/devices")


@post("/devices/leave", include_in_schema=False)
async def leave(request: AnyRequest) -> Redirect:
    """Forget who plays on this device."""
    session = await own_browser(request)
    await app_of(request).service.sessions.end(session.person, session.id)
    drop_cookie(request)
    return see("/")
