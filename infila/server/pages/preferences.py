"""Choices that a browser keeps: the language and the light."""

import re

from litestar import post
from litestar.datastructures import Cookie
from litestar.response import Redirect

from infila.core.words import LANGUAGES
from infila.server.pages.frame import LANGUAGE, THEME, see
from infila.server.request import AnyRequest

YEAR = 400 * 86400


@post("/language", include_in_schema=False)
async def choose_language(request: AnyRequest) -> Redirect:
    wanted = str((await request.form()).get("language", ""))
    chosen = wanted if wanted in LANGUAGES else "en"
    return see(back(request), [setting(request, LANGUAGE, chosen)])


@post("/theme", include_in_schema=False)
async def choose_theme(request: AnyRequest) -> Redirect:
    now = request.cookies.get(THEME, "")
    return see(back(request), [setting(request, THEME, {"": "dark", "dark": "light"}.get(now, ""))])


def setting(request: AnyRequest, name: str, value: str) -> Cookie:
    secure = request.scope["scheme"] == "https"
    return Cookie(name, value=value, max_age=YEAR, path="/", samesite="lax", httponly=True, secure=secure)


def back(request: AnyRequest) -> str:
    """Where the request came from, if that is one of our pages."""
    found = re.match(r"https?://([^/]+)(/.*)$", request.headers.get("referer", ""))
    return found[2] if found and found[1] == request.headers.get("host") and not found[2].startswith("//") else "/"
