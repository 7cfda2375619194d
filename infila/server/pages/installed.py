"""What a server tells a phone or computer on which its page is installed, and the page that is kept there for when the
network is gone.

All of it is the same for everybody, and nobody's: the service worker keeps this page and the files that it needs, and
nothing else (`infila/web/installed/sw.js`).
"""

import hashlib
import json
from functools import cache

import msgspec
from litestar import MediaType, Response, get
from markupsafe import Markup

from infila.core.words import LANGUAGES
from infila.server.pages.files import File, made, sent
from infila.server.pages.frame import THEMES, edition, installed_folder
from infila.server.request import AnyRequest, app_of
from infila.web import table_html
from infila.web.html import templates
from infila.web.languages import translator
from infila.web.manifest import MANIFEST, NEW_TABLE, manifest

ANEW = "no-cache"  # a browser asks each time whether it has changed


@get(f"/{MANIFEST}", include_in_schema=False)
async def app_manifest() -> Response[bytes]:
    content = msgspec.json.encode(manifest("/", NEW_TABLE))
    return Response(content, media_type="application/manifest+json", headers={"cache-control": ANEW})


@get("/sw.js", include_in_schema=False)
async def service_worker(request: AnyRequest) -> Response[bytes]:
    return sent(request, _service_worker(has_site(request)), ANEW)


@get("/installed.js", include_in_schema=False)
async def installed_script(request: AnyRequest) -> Response[bytes]:
    return sent(request, _script("installed.js"))


@get("/offline", include_in_schema=False)
async def offline_page(request: AnyRequest) -> Response[str]:
    """Its address says how it looks, and no cookie does."""
    language, theme = (request.query_params.get(name, "") for name in ("language", "theme"))
    chosen = language if language in LANGUAGES else "en"
    text = _offline(chosen, theme if theme in THEMES else "", has_site(request))
    return Response(text, media_type=MediaType.HTML, headers={"cache-control": ANEW})


def has_site(request: AnyRequest) -> bool:
    return app_of(request).site is not None


@cache
def _script(name: str) -> File:
    return made(installed_folder().joinpath(name).read_bytes(), "js")


@cache
def _offline(language: str, theme: str, site: bool) -> str:
    return templates.get_template("offline.html").render(
        _=translator(language),
        language=language,
        theme=theme,
        edition=edition(),
        sprite=Markup(table_html.sprite()),
        site=site,
    )


@cache
def _service_worker(site: bool) -> File:
    """The script, with what it keeps; it changes whenever any of that does."""
    script = _script("sw.js").plain
    pages = "".join(_offline(language, theme, site) for language in LANGUAGES for theme in ("", *THEMES))
    digest = hashlib.sha256(script + _script("installed.js").plain + pages.encode()).hexdigest()[:10]
    kept = ["/static/tokens.css", "/static/look.css", "/static/pages.css", "/static/page.js", "/installed.js"]
    files = [f"{name}?{edition()}" for name in kept]
    told = f"const EDITION = {json.dumps(digest)}, FILES = {json.dumps([*files, '/static/icon.svg'])};\n"
    return made(told.encode() + script, "js")
