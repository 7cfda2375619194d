"""A browser that thinks in the computers' place: what it asks and says (`infila.server.solo`), and what it loads.

Scripts and modules have a hash of themselves in their address, so that browsers keep them for good. The worker may run
WebAssembly; no page may, and nothing else has to.
"""

import hashlib
from collections.abc import Iterator
from functools import cache
from importlib import resources

from litestar import Response, get, post
from litestar.params import FromPath, JSONBody

from infila.core.games import usable_games
from infila.server.bodies import Thought
from infila.server.endpoints import TableId
from infila.server.errors import Forbidden, Unknown
from infila.server.pages.files import File, made, sent
from infila.server.pages.frame import FOR_GOOD, json_answer
from infila.server.request import CONTENT_POLICY, AnyRequest, app_of, limit, session_of
from infila.server.session import Session
from infila.server.solo import module_for_browsers
from infila.wasm.modules import CODE, DESCRIPTION, shown

WORKER_POLICY = f"{CONTENT_POLICY}; script-src 'self' 'wasm-unsafe-eval'"
SCRIPTS = (("infila.web", "solo", ("solo.js", "worker.js", "think.js")), ("infila.wasm", "", ("module.js",)))


@post("/t/{table:str}/task", include_in_schema=False, status_code=200)
async def task(request: AnyRequest, table: TableId) -> Response[bytes]:
    """What this browser is to think about, if anything, and where the rules are."""
    found = await app_of(request).computers.solo.task(table, _sitter(request))
    return json_answer({"task": found, "rules": "" if found is None else f"/solo/{_module(found.game)[0]}/"})


@post("/t/{table:str}/thought", include_in_schema=False, status_code=200)
async def thought(request: AnyRequest, table: TableId, data: JSONBody[Thought]) -> Response[bytes]:
    """What it has found."""
    session = _sitter(request)
    await app_of(request).computers.solo.answer(table, session.person, data.seat - 1, data.version, data.action)
    return json_answer({})


def _sitter(request: AnyRequest) -> Session:
    session = session_of(request)
    limit(request, "solo", None if session is None else session.person)
    if session is None:
        raise Forbidden("you do not sit at this table.")
    return session


@get("/solo/{folder:str}/{name:str}", include_in_schema=False)
async def solo_file(request: AnyRequest, folder: FromPath[str], name: FromPath[str]) -> Response[bytes]:
    file = folders().get(folder, {}).get(name)
    if file is None:
        raise Unknown("there is nothing at this address.")
    answer = sent(request, file, FOR_GOOD)
    if name == "worker.js":
        answer.headers["content-security-policy"] = WORKER_POLICY
    return answer


def script() -> str:
    """The address of what a page loads."""
    return f"/solo/{scripts()[0]}/solo.js"


@cache
def folders() -> dict[str, dict[str, File]]:
    """The files, by folder and name."""
    return dict(each_folder())


def each_folder() -> Iterator[tuple[str, dict[str, File]]]:
    yield scripts()
    for game in usable_games():
        if module_for_browsers(game) is not None:
            yield _module(game)


@cache
def scripts() -> tuple[str, dict[str, File]]:
    """The folder of the scripts."""
    found = {}
    for package, folder, names in SCRIPTS:
        for name in names:
            found[name] = made(resources.files(package).joinpath(folder, name).read_bytes(), "js")
    return _hash(found), found


@cache
def _module(game: str) -> tuple[str, dict[str, File]]:
    """The folder of a game's module."""
    module = module_for_browsers(game)
    assert module is not None, "only games with a module are thought about elsewhere"
    found = {
        CODE: made(module.code, "wasm"),
        DESCRIPTION: made(shown(module.description).encode(), "json"),
    }
    return _hash(found), found


def _hash(files: dict[str, File]) -> str:
    digest = hashlib.sha256()
    for file in files.values():
        digest.update(file.plain)
    return digest.hexdigest()[:16]
