"""The table as plain files (`infila site FOLDER`), served at /anywhere/ beside the server's own pages: whoever has
opened it once can play against the computer without a network.

The folder is read when the server starts: what is not among the files found then is not there, whatever an address
says. Browsers keep the files by the edition of the site, and ask whether they have changed.
"""

import gzip
import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from litestar import get
from litestar.params import FromPath
from litestar.types import ASGIApp, Receive, Scope, Send

from infila.server.errors import CannotServe, Unknown
from infila.server.pages.files import takes_gzip
from infila.server.request import CONTENT_POLICY, AnyRequest, app_of, limit

ROOT = "/anywhere/"
FRONT = "index.html"
NEEDED = (FRONT, "sw.js", "edition.js")  # by which a site is known
KINDS = {
    ".bin": "application/octet-stream",
    ".css": "text/css",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript",
    ".json": "application/json",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".wasm": "application/wasm",
    ".webmanifest": "application/manifest+json",
    ".zip": "application/zip",
    ".zst": "application/zstd",
}
SMALL_ALREADY = (".bin", ".png", ".zip", ".zst")
LARGEST = 100_000_000  # bytes of all files together: a site has some ten million
PIECE = 64_000  # bytes that wait to be read by a slow connection, and no more
PERMIT = 250_000  # bytes for which an answer counts as a request more

# Python in the page is WebAssembly, in a worker; the site shows its pages in a frame of its own
SITE_POLICY = (
    CONTENT_POLICY.replace("frame-ancestors 'none'", "frame-ancestors 'self'")
    + "; script-src 'self' blob: 'wasm-unsafe-eval'; worker-src 'self'; frame-src 'self'"
)


class SiteFile(NamedTuple):
    kind: str
    tag: str  # by which a browser asks whether it has changed
    plain: bytes
    compressed: bytes | None  # None if it is small already


class Site:
    """A site as it was when the server started."""

    def __init__(self, folder: Path) -> None:
        if not folder.is_dir():
            raise CannotServe(f"there is no folder {folder}. To write a site there: infila site {folder}")
        for name in NEEDED:
            if not (folder / name).is_file():
                raise CannotServe(f"{folder} is no site: it has no {name}. To write one there: infila site {folder}")
        try:
            self.files = dict(_files(folder))
        except OSError as problem:
            raise CannotServe(f"the site in {folder} cannot be read: {problem.strerror or problem}.") from None


def _files(folder: Path) -> Iterator[tuple[str, SiteFile]]:
    """The files of a site by their addresses; nothing hidden, and nothing that a link brings in from elsewhere."""
    left = LARGEST
    for path in sorted(folder.rglob("*")):
        within = path.relative_to(folder)
        ways = [folder / part for part in (within, *within.parents[:-1])]
        hidden = any(way.is_symlink() or way.name.startswith(".") for way in ways)
        if hidden or not path.is_file() or path.suffix not in KINDS:
            continue
        left -= path.stat().st_size
        if left < 0:
            raise CannotServe(f"{folder} is no site: its files have more than {LARGEST // 1_000_000} MB.")
        content = path.read_bytes()
        compressed = None if path.suffix in SMALL_ALREADY else gzip.compress(content, 6, mtime=0)
        tag = f'"{hashlib.sha256(content).hexdigest()[:20]}"'
        yield within.as_posix(), SiteFile(KINDS[path.suffix], tag, content, compressed)


class Sending:
    """An answer in pieces, each sent when those before it are on their way: whoever reads slowly takes no memory."""

    def __init__(self, status: int, headers: dict[str, str], content: bytes = b"") -> None:
        told = {**headers, "content-length": str(len(content))} if status == 200 else headers
        self.status, self.content = status, memoryview(content)
        self.headers = [(name.encode(), value.encode("latin-1")) for name, value in told.items()]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": self.status, "headers": self.headers})
        for at in range(0, max(len(self.content), 1), PIECE):
            body = bytes(self.content[at : at + PIECE])
            await send({"type": "http.response.body", "body": body, "more_body": at + PIECE < len(self.content)})


@get(ROOT, include_in_schema=False)
async def site_front(request: AnyRequest) -> ASGIApp:
    """The links of a site lead on from its own address, which ends with a slash."""
    if not request.scope["raw_path"].endswith(b"/"):
        asked = request.scope["query_string"].decode("latin-1")
        return Sending(308, {"location": f"{ROOT}?{asked}" if asked else ROOT})
    return _file(request, FRONT)


@get(ROOT + "{name:path}", include_in_schema=False)
async def site_file(request: AnyRequest, name: FromPath[str]) -> ASGIApp:
    return _file(request, name.removeprefix("/"))


def _file(request: AnyRequest, name: str) -> ASGIApp:
    site = app_of(request).site
    file = None if site is None else site.files.get(name)
    if file is None:
        raise Unknown("there is nothing at this address.")
    headers = {
        "cache-control": "no-cache",
        "content-security-policy": SITE_POLICY,
        "content-type": file.kind,
        "etag": file.tag,
        "vary": "accept-encoding",
    }
    if file.tag in request.headers.get("if-none-match", ""):
        return Sending(304, headers)
    content = file.plain
    if file.compressed is not None and takes_gzip(request):
        content, headers["content-encoding"] = file.compressed, "gzip"
    limit(request, "any", cost=len(content) / PERMIT)
    return Sending(200, headers, content)
