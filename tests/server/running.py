"""A real server in a thread, and people who talk to it over HTTP."""

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import uvicorn

from infila.server import command
from infila.server.app import create_app
from infila.server.settings import Settings
from tests.server.database import data_for

HOST = "127.0.0.1"
_clients: list[httpx.Client] = []  # to be closed before the server is


@contextmanager
def running(folder: Path, **settings: Any) -> Iterator[str]:
    """A server on a free port; its address."""
    wanted: dict[str, Any] = {"limits": False, "pace": 0.0} | settings
    listening = command.listen(HOST, 0)
    address = f"http://{HOST}:{listening.getsockname()[1]}"
    app = create_app(Settings(data=data_for(folder), peer=address, **wanted))
    server = uvicorn.Server(command.configuration(app))
    app.state.infila.house.served(server, listening)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    while not server.started:
        time.sleep(0.01)
    try:
        yield address
    finally:
        while _clients:
            _clients.pop().close()
        app.state.infila.service.audience.send_home()
        server.should_exit = True
        thread.join()
        listening.close()


class Person(httpx.Client):
    """Somebody with a token; paths are those of the API."""

    def __init__(self, address: str, name: str = "") -> None:
        super().__init__(base_url=f"{address}/api/v1", timeout=60)
        _clients.append(self)
        if name:
            answer = self.post("/people", json={"name": name})
            self.headers["authorization"] = f"Bearer {answer.json()['token']}"

    def see(self, table: str) -> dict[str, Any]:
        answer = self.get(f"/tables/{table}")
        assert answer.status_code == 200, answer.text
        seen: dict[str, Any] = answer.json()
        return seen

    def move(self, table: str, text: str, version: int, key: str | None = None) -> httpx.Response:
        return self.post(f"/tables/{table}/moves", json={"move": text, "version": version, "key": key})

    def events(self, table: str, last: int | None = None) -> "Events":
        return Events(self, table, last)


class Events:
    """A stream of events, read one by one."""

    def __init__(self, person: Person, table: str, last: int | None) -> None:
        headers = {} if last is None else {"last-event-id": str(last)}
        self._answer = person.stream("GET", f"/tables/{table}/events", headers=headers)

    def __enter__(self) -> Iterator[dict[str, Any]]:
        answer = self._answer.__enter__()
        assert answer.status_code == 200
        return self._read(answer)

    def __exit__(self, *problem: Any) -> None:
        self._answer.__exit__(*problem)

    def _read(self, answer: httpx.Response) -> Iterator[dict[str, Any]]:
        event: dict[str, Any] = {}
        for line in answer.iter_lines():
            name, _, value = line.partition(": ")
            if not line and event:
                yield event
                event = {}
            elif name in ("id", "event", "data"):
                event[name] = json.loads(value) if name == "data" else value
