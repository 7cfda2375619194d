"""What every page knows: its language, its style, and who asks."""

import hashlib
import logging
from collections.abc import Sequence
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Any

import msgspec
from litestar import MediaType, Response
from litestar.datastructures import Cookie
from litestar.response import Redirect
from markupsafe import Markup

from infila.core.games import contract_of, usable_games
from infila.core.picture import symbols
from infila.core.words import LANGUAGES
from infila.lessons.lesson import lesson_of
from infila.players import LEVELS
from infila.server.compiling import is_compiled
from infila.server.levels import ComputerLevel
from infila.server.limits import LONGEST_MESSAGE, LONGEST_NAME
from infila.server.request import AnyRequest, app_of, check_origin, keep_cookie, welcome, who
from infila.server.session import BROWSER
from infila.web import table_html
from infila.web.html import templates
from infila.web.languages import translator, wished
from infila.web.manifest import papers

LANGUAGE, THEME, LEVEL = "language", "theme", "level"
LONGEST = {"name": LONGEST_NAME, "message": LONGEST_MESSAGE}  # fields of pages
THEMES = ("light", "dark")
FOR_GOOD = "public, max-age=31536000, immutable"  # what has its edition in its address never changes
ONE_GAME = ("table.html", "wait.html", "ready.html", "level.html", "review.html")  # pages of one game alone
EMPTY_POSTER = '<svg class="pic" aria-hidden="true"></svg>'

logger = logging.getLogger("infila")


templates.globals |= {
    "LANGUAGES": LANGUAGES,
    "LEVELS": {level: table_html.LEVEL_NAMES[level] for level in LEVELS},
    "PAPERS": dict(zip(THEMES, papers(), strict=True)),
    "LEVELS_ABOUT": table_html.LEVELS_ABOUT,
    "home_of": lambda game: contract_of(game).home,
    "has_sign": lambda game: f"sign-{game}" in symbols(contract_of(game).package),
}


def static_folders() -> tuple[Traversable, ...]:
    """What pages load: their own files, and the look that the library draws with."""
    return resources.files("infila.web").joinpath("static"), resources.files("infila.core").joinpath("look")


def installed_folder() -> Traversable:
    """The scripts for an installed page; a site, which has its own, has no such folder."""
    return resources.files("infila.web").joinpath("installed")


@cache
def edition() -> str:
    """Changes with the style sheets and scripts, so that browsers keep what is current."""
    digest = hashlib.sha256()
    for folder in (*static_folders(), installed_folder()):
        for file in sorted(folder.iterdir() if folder.is_dir() else (), key=lambda file: file.name):
            digest.update(file.read_bytes())
    for name in usable_games():
        digest.update(contract_of(name).style().encode())
    return digest.hexdigest()[:10]


def language_of(request: AnyRequest) -> str:
    chosen = request.cookies.get(LANGUAGE, "")
    return chosen if chosen in LANGUAGES else wished(request.headers.get("accept-language", ""))


def level_of(request: AnyRequest) -> ComputerLevel | None:
    """The level that this browser keeps; a browser can send what it likes."""
    kept = request.cookies.get(LEVEL, "")
    return ComputerLevel(kept) if kept in LEVELS else None


def render(request: AnyRequest, template: str, status: int = 200, **facts: Any) -> Response[str]:
    language = language_of(request)
    theme = request.cookies.get(THEME, "")
    text = templates.get_template(template).render(
        _=translator(language),
        language=language,
        theme=theme if theme in THEMES else "",
        edition=edition(),
        site=app_of(request).site is not None,
        longest=LONGEST,
        sprite=Markup(table_html.sprite(facts["game"]["name"]) if template in ONE_GAME else table_html.sprite()),
        games=game_cards(language),
        level=level_of(request),
        alone=app_of(request).settings.alone,
        **facts,
    )
    return Response(text, media_type=MediaType.HTML, status_code=status, headers={"cache-control": "no-store"})


def game_cards(language: str) -> list[dict[str, Any]]:
    return [game_card(name, language) for name in usable_games()]


def game_card(name: str, language: str) -> dict[str, Any]:
    """A game on the front page."""
    contract = contract_of(name)
    return {
        "name": name,
        "title": contract.title.lower(),
        "home": contract.home,
        "poster": Markup(poster_of(name, language)),
        "lesson": lesson_of(name) is not None,
        "sheet": "sheet" in table_html.words(name, language),
        **table_html.words(name, language)["about"],
    }


def poster_of(name: str, language: str) -> str:
    """A game's own poster; one that has none shows how its table looks at the beginning, as soon as it can be played
    without compiling anything."""
    if poster := own_poster(name):
        return poster
    try:
        return table_html.opening(name, language) if is_compiled(name) else EMPTY_POSTER
    except Exception:  # a picture of another package that fails must not take the front page with it
        logger.exception("%s could not be drawn for the front page", name)
        return EMPTY_POSTER


@cache
def own_poster(name: str) -> str:
    contract = contract_of(name)
    return contract.file("poster.svg").read_text(encoding="utf-8") if contract.brings("poster.svg") else ""


async def person_of(request: AnyRequest) -> str:
    """Who asks; somebody new gets a cookie."""
    person = who(request)
    if person is not None:
        return person
    check_origin(request)
    session = await welcome(request, BROWSER)
    keep_cookie(request, session)
    return session.person


async def form_of(request: AnyRequest) -> dict[str, str]:
    """The fields of a form, each once."""
    return {name: str(value) for name, value in (await request.form()).items()}


def see(url: str, cookies: Sequence[Cookie] = ()) -> Redirect:
    return Redirect(url, status_code=303, cookies=list(cookies))


def json_answer(facts: Any) -> Response[bytes]:
    return as_json(msgspec.json.encode(facts))


def as_json(text: bytes) -> Response[bytes]:
    return Response(text, media_type=MediaType.JSON, headers={"cache-control": "no-store"})


def qr_code(text: str) -> str:
    import segno

    return str(segno.make(text, error="m").svg_inline(border=2, omitsize=True))
