"""A site's page is made by the same Python as a server's: with stand-ins for what a browser lacks, every byte is the
same."""

import asyncio
import json
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from infila.server import creation, identity
from infila.site.build import pack, read_later, zipped
from infila.wasm.use import modules_in_use
from tests.server.asgi import Server, header, status
from tests.site.transcript import NOW, QUICK, numbered, steady, transcript

ROOT = Path(__file__).parents[2]


async def at_a_server(folder: Path) -> list[list[Any]]:
    server = Server(
        folder, alone=True, browsers_think=False, now=lambda: NOW, new_seed=numbered("seed"), review_simulations=QUICK
    )
    async with server.running():
        service = server.app.service
        browser = await server.browser(await service.people.welcome())

        async def ask(method: str, address: str, headers: Any, cookies: Any, body: str) -> tuple[int, Any, bytes]:
            kept = "; ".join(f"{name}={value}" for name, value in cookies.items())
            sent = headers | {"cookie": f"{browser['cookie']}; {kept}", "origin": browser["origin"]}
            answer = await server.ask(method, address, sent, body.encode())
            return status(answer), {"location": header(answer, "location")}, steady(answer.partition(b"\n\n")[2])

        return await transcript(ask)


@pytest.mark.slow
def test_a_site_answers_what_a_server_answers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    packed = tmp_path / "pack.zip"
    with modules_in_use():
        content = pack()
    packed.write_bytes(zipped(content))
    later = tmp_path / "later.zip"
    later.write_bytes(zipped(read_later(content)))
    spec = find_spec("wasmtime")
    assert spec is not None and spec.origin is not None
    packages = str(Path(spec.origin).parents[1])
    script = ROOT / "tests" / "site" / "as_in_a_page.py"
    command = [sys.executable, "-S", "-P", *map(str, (script, packed, later, ROOT, packages))]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    for module in (identity, creation):
        monkeypatch.setattr(module, "new_id", numbered("id"))
    with modules_in_use():
        served = asyncio.run(at_a_server(tmp_path))
    alone = json.loads(done.stdout)
    assert alone["imported"] == [], "a page has no library from which more could be imported: infila.site.browser.main"
    for one, other in zip(alone["transcript"], served, strict=True):
        assert one == other
