"""A web space that counts: a folder's files over HTTP, as any web server sends them, and what was sent when."""

import gzip
import hashlib
import mimetypes
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

KINDS = {".js": "text/javascript", ".webmanifest": "application/manifest+json"}
SMALL_ALREADY = (".bin", ".zst", ".zip", ".png")
PIECE = 16_384


class WebSpace:
    """The files of a folder. `gzipped`: as most web spaces send text; `rate`: bytes a second, of all answers together;
    0 is as fast as it goes. It says nothing of how long files may be kept, so a browser asks whether they have changed.
    """

    def __init__(self, folder: Path, gzipped: bool = True, rate: int = 0) -> None:
        self.files = {f"/{file.relative_to(folder).as_posix()}": file.read_bytes() for file in _in(folder)}
        self.files["/"] = self.files["/index.html"]
        self.smaller = {name: gzip.compress(file, 6) for name, file in self.files.items() if _is_text(name)}
        self.gzipped, self.rate = gzipped, rate
        self.sent: list[tuple[float, str, int]] = []  # when, of which file, how many bytes
        self._lock, self._free = threading.Lock(), 0.0

    def answer(self, name: str, has: str, takes_gzip: bool) -> tuple[int, dict[str, str], bytes]:
        if name not in self.files:
            return 404, {"content-length": "0"}, b""
        content = self.files[name]
        tag = f'"{hashlib.sha256(content).hexdigest()[:16]}"'
        kind = KINDS.get(Path(name).suffix) or mimetypes.guess_type(name)[0] or "application/octet-stream"
        headers = {"etag": tag, "content-type": "text/html" if name == "/" else kind}
        if tag in has:
            return 304, headers, b""
        if self.gzipped and takes_gzip and name in self.smaller:
            content, headers["content-encoding"] = self.smaller[name], "gzip"
        return 200, headers | {"content-length": str(len(content))}, content

    def count(self, name: str, size: int) -> None:
        """What is about to be sent, when it is its turn."""
        with self._lock:
            now = time.time()
            self._free = max(self._free, now) + (size / self.rate if self.rate else 0.0)
            wait = self._free - now
        if wait > 0:
            time.sleep(wait)
        self.sent.append((time.time(), name, size))

    def bytes_until(self, moment: float) -> int:
        """How much was sent by then, in seconds since 1970."""
        return sum(size for when, _, size in self.sent if when <= moment)


def _in(folder: Path) -> Iterator[Path]:
    return (file for file in folder.rglob("*") if file.is_file())


def _is_text(name: str) -> bool:
    return not name.endswith(SMALL_ALREADY)


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    space: WebSpace

    def do_GET(self) -> None:
        name = self.path.partition("?")[0]
        takes_gzip = "gzip" in self.headers.get("accept-encoding", "")
        status, headers, content = self.space.answer(name, self.headers.get("if-none-match", ""), takes_gzip)
        head = [
            f"HTTP/1.1 {status} {HTTPStatus(status).phrase}",
            *(f"{key}: {value}" for key, value in headers.items()),
        ]
        first = "\r\n".join([*head, "", ""]).encode()
        self.space.count(name, len(first))
        self.wfile.write(first)
        for at in range(0, len(content), PIECE):
            piece = content[at : at + PIECE]
            self.space.count(name, len(piece))
            self.wfile.write(piece)

    def log_message(self, *_: Any) -> None:
        """Nobody reads it."""


class Server(ThreadingHTTPServer):
    def handle_error(self, *_: Any) -> None:
        """A browser that is closed leaves in the middle of an answer."""


@contextmanager
def served(space: WebSpace) -> Iterator[str]:
    """The address of a web space."""
    server = Server(("127.0.0.1", 0), type("Bound", (Handler,), {"space": space}))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        server.server_close()
