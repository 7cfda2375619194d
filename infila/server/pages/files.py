"""The files that pages load: style sheets, scripts and icons, each read, trimmed and compressed once."""

import gzip
import re
from functools import cache
from typing import NamedTuple

from litestar import Response, get
from litestar.params import FromPath

from infila.core.games import contract_of, no_game, usable_games
from infila.server.errors import Unknown
from infila.server.pages.frame import FOR_GOOD, edition, static_folders
from infila.server.request import AnyRequest

KINDS = {
    "css": "text/css",
    "js": "text/javascript",
    "json": "application/json",
    "png": "image/png",
    "svg": "image/svg+xml",
    "wasm": "application/wasm",
}
A_DAY = "public, max-age=86400"
# comments of scripts have a line to themselves, or stand two blanks behind what they speak of; no text goes over lines
COMMENTS = {"js": re.compile(r"(^|\s{2,})// .*$", re.MULTILINE), "css": re.compile(r"/\*.*?\*/", re.DOTALL)}
INDENT = re.compile(r"^\s+", re.MULTILINE)
ENDS = re.compile(r"(?<=[{;,(\[])\n|\n(?=[}\])])")  # of lines of scripts, where a line's end ends nothing
# of scripts; texts stand first, so that they stay as they are
SIGNS = re.compile(r'("(?:\\.|[^"\\])*")| (=>|[=!]==|&&|\|\||\?\?|[=?:<>*]) ')
BLANKS = re.compile(r"\s*([{}])\s*|([:;,])\s+")  # of style sheets, around what divides them


class File(NamedTuple):
    kind: str
    plain: bytes
    compressed: bytes


def trimmed(text: str, ending: str) -> str:
    """A script or style sheet without what only its readers need."""
    if ending not in COMMENTS:
        return text
    text = INDENT.sub("", COMMENTS[ending].sub("", text))
    if ending == "css":
        return BLANKS.sub(r"\1\2", text)
    # what stands between ` may have texts within expressions within texts: such lines keep their blanks
    lines = [line if "`" in line else SIGNS.sub(r"\1\2", line) for line in text.splitlines(keepends=True)]
    return ENDS.sub("", "".join(lines))


@cache
def files() -> dict[str, File]:
    found = {}
    for file in (file for folder in static_folders() for file in folder.iterdir() if file.is_file()):
        ending = file.name.rpartition(".")[2]
        found[file.name] = made(file.read_bytes(), ending)
    return found


def made(content: bytes, ending: str) -> File:
    if ending in COMMENTS:
        content = trimmed(content.decode(), ending).encode()
    return File(KINDS[ending], content, gzip.compress(content, 9, mtime=0))


@cache
def style_of(game: str) -> File:
    """How a game's pictures look, and how its table is laid out."""
    return made(contract_of(game).style().encode(), "css")


@get("/static/{name:str}", include_in_schema=False)
async def static_file(request: AnyRequest, name: FromPath[str]) -> Response[bytes]:
    file = files().get(name)
    if file is None:
        raise Unknown("there is nothing at this address.")
    return sent(request, file)


@get("/look/{game:str}", include_in_schema=False)
async def game_style(request: AnyRequest, game: FromPath[str]) -> Response[bytes]:
    if game not in usable_games():
        raise Unknown("{problem}", problem=no_game(game))
    return sent(request, style_of(game))


def sent(request: AnyRequest, file: File, kept: str = A_DAY) -> Response[bytes]:
    """A file; `kept` says for how long browsers keep what has no edition in its address."""
    small = takes_gzip(request)
    named = request.scope["query_string"].decode("latin-1") == edition()
    headers = {"cache-control": FOR_GOOD if named else kept, "vary": "accept-encoding"}
    if small:
        headers["content-encoding"] = "gzip"
    return Response(file.compressed if small else file.plain, media_type=file.kind, headers=headers)


def takes_gzip(request: AnyRequest) -> bool:
    accepted = request.headers.get("accept-encoding", "")
    return "gzip" in accepted and "gzip;q=0" not in accepted.replace(" ", "")
