"""Whatever is asked of the server, it answers, soon, without an error of its own and without growing.

    python -m bench.fuzz [--requests 100000] [--seed 1]

A tenth of the requests are made by Schemathesis from the API's own document; the others by `bench.fuzzer` for all
routes, pages and programs alike. They are put to the application itself, with its gate and without a network, one after
the other; the rules run as at any table, in the games' modules. Limits on how often one may ask are off, or most
answers would be refusals.

Wanted: no status of 500 or more, no answer after more than a second, and no more memory in the second half.
"""

import argparse
import asyncio
import gc
import json
import logging
import os
import sys
import tempfile
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from bench.fuzzer import HOST, Asked, Fuzzer, Person, from_routes
from bench.server import memory
from infila.core.games import NAMES
from infila.core.words import LANGUAGES
from infila.server.addresses import Proxies
from infila.server.app import create_app
from infila.server.gate import guarded
from infila.server.request import App
from infila.server.session import BROWSER, PROGRAM
from infila.server.settings import Settings
from infila.wasm.use import modules_in_use

RESULTS = Path(__file__).parent / "results" / "fuzz.json"
SLOW = 1.0  # seconds
PEOPLE = 5
STREAM_SECONDS = 0.002  # for which a stream of events is listened to
SCHEMATHESIS = 0.1  # of all requests


class Failures(logging.Handler):
    """Whatever the server complains about."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.last = ""

    def emit(self, record: logging.LogRecord) -> None:
        self.last = logging.Formatter().format(record)


class Target:
    """The application, behind its gate, and what was found."""

    def __init__(self, folder: str) -> None:
        settings = Settings(data=folder, limits=False, pace=0.0, think_seconds=0.5, tables_in_memory=600)
        self.litestar = create_app(settings)
        self.app: App = self.litestar.state.infila
        self.gate: Any = guarded(self.litestar, self.app.limiter, Proxies())
        self.statuses: Counter[int] = Counter()
        self.problems: dict[str, str] = {}
        self.slowest: list[tuple[float, str]] = []
        self.count = 0
        self.failures = Failures()
        logging.getLogger("infila").addHandler(self.failures)
        logging.getLogger("infila").propagate = False

    async def ask(self, asked: Asked) -> tuple[int, bytes]:
        """The status and the body; problems are noted."""
        status, body = 0, bytearray()
        path, _, query = asked.path.partition("?")
        sent, ended = False, asyncio.Event()

        async def receive() -> Any:
            nonlocal sent
            if sent:
                await ended.wait()
                return {"type": "http.disconnect"}
            sent = True
            return {"type": "http.request", "body": asked.body, "more_body": False}

        async def send(message: Any) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                if (b"content-type", b"text/event-stream") in message["headers"]:
                    asyncio.get_running_loop().call_later(STREAM_SECONDS, ended.set)
            else:
                body.extend(message.get("body", b""))

        headers = {"host": HOST} | asked.headers
        raw = [(name.encode("latin-1", "replace"), text.encode("utf-8", "replace")) for name, text in headers.items()]
        scope = {
            "type": "http",
            "asgi": {"version": "3.0", "spec_version": "2.3"},
            "http_version": "1.1",
            "method": asked.method,
            "scheme": "http",
            "path": unquote(path),
            "raw_path": path.encode("latin-1", "replace"),
            "query_string": query.encode("latin-1", "replace"),
            "root_path": "",
            "headers": raw,
            "client": (f"192.0.2.{self.count % 250}", 1),
            "server": (HOST, 80),
        }
        started, computed = time.perf_counter(), time.process_time()
        self.failures.last = ""
        try:
            async with asyncio.timeout(30):
                await self.gate(scope, receive, send)
        except Exception as problem:
            self._note(f"{type(problem).__name__} came through", asked, repr(problem))
            status = status or 599
        self._look(asked, status, time.perf_counter() - started, time.process_time() - computed)
        return status, bytes(body)

    def _look(self, asked: Asked, status: int, took: float, computed: float) -> None:
        self.count += 1
        self.statuses[status] += 1
        if status >= 500 or status == 0:
            last = self.failures.last.splitlines()[-1:] or [""]
            self._note(f"status {status}: {last[0][:150]}", asked, self.failures.last)
        elif self.failures.last:
            self._note(f"complaint: {self.failures.last.splitlines()[-1][:150]}", asked, self.failures.last)
        if took > SLOW:
            self._note(
                f"slow: {asked.method} {asked.path.partition('?')[0][:60]}",
                asked,
                f"{took:.2f} s, of which {computed:.2f} s of computing",
            )
        self.slowest = sorted([*self.slowest, (round(took, 3), asked.shown[:150])], reverse=True)[:5]

    def _note(self, what: str, asked: Asked, details: str) -> None:
        if what not in self.problems and len(self.problems) < 100:
            self.problems[what] = f"{asked.shown}\n{details}"
            print(f"! {what}\n  {asked.shown}\n  {details[-1500:]}", file=sys.stderr, flush=True)


async def set_up(target: Target, fuzzer: Fuzzer) -> None:
    """What is made once is made; people, lessons and tables."""
    for language in LANGUAGES:
        for game in NAMES:
            await target.ask(Asked("GET", f"/rules/{game}", {"accept-language": language}))
    target.problems.clear()
    target.slowest.clear()
    for number in range(PEOPLE):
        fuzzer.people.append(Person(await target.app.service.people.welcome(f"P{number}")))
        await begin_sessions(target, fuzzer.people[-1])
    for person in fuzzer.people:
        for game in NAMES:
            await target.ask(Asked("POST", f"/learn/{game}", person.headers(True)))
            asked = fuzzer.new_table()
            _, body = await target.ask(asked)
            fuzzer.keep(_content(body), asked)


async def begin_sessions(target: Target, person: Person) -> None:
    """A new token and a new cookie."""
    sessions, signer = target.app.service.sessions, target.app.signer
    person.token = signer.token((await sessions.first(person.id, PROGRAM, "")).id)
    person.cookie = signer.cookie((await sessions.first(person.id, BROWSER, "")).id)


def _content(body: bytes) -> Any:
    try:
        return json.loads(body)
    except ValueError:
        return None


async def fuzz(target: Target, fuzzer: Fuzzer, requests: int) -> None:
    for number in range(requests):
        asked = fuzzer.next()
        status, body = await target.ask(asked)
        if status == 401 and (person := fuzzer.who_asked(asked)) is not None:  # has ended their session by chance
            await begin_sessions(target, person)
        if status < 300 and asked.path.startswith("/api/"):
            fuzzer.keep(_content(body), asked)
        if number % 50 == 0 and fuzzer.tables:
            table = fuzzer.chance.choice(fuzzer.tables)
            _, log = await target.ask(Asked("GET", f"/api/v1/tables/{table.id}/log", {}))
            table.log = log.decode() if log.startswith(b"infila") else table.log


def by_schemathesis(target: Target, fuzzer: Fuzzer, runner: asyncio.Runner, requests: int) -> None:
    """Requests such as the API's document allows, and such as it does not, mostly about tables that are there."""
    import schemathesis
    from hypothesis import HealthCheck, Verbosity, given, settings
    from hypothesis import strategies as st
    from hypothesis.errors import Unsatisfiable

    document = schemathesis.openapi.from_dict(target.litestar.openapi_schema.to_schema())
    found: list[Any] = list(document.get_all_operations())
    operations = [each.ok() for each in found]
    modes = list(schemathesis.GenerationMode)
    for operation in operations:
        for mode in modes:

            @settings(
                max_examples=max(requests // len(operations) // len(modes), 1),
                deadline=None,
                database=None,
                derandomize=True,
                verbosity=Verbosity.quiet,
                suppress_health_check=list(HealthCheck),
            )
            @given(operation.as_strategy(generation_mode=mode), st.integers(0, 3))
            def ask(case: Any, where: int) -> None:
                if where and fuzzer.tables and "table" in (case.path_parameters or {}):
                    case.path_parameters["table"] = fuzzer.chance.choice(fuzzer.tables).id
                made = case.as_transport_kwargs(base_url=f"http://{HOST}")
                made.pop("auth", None)
                import requests as http

                prepared = http.Request(**{k: v for k, v in made.items() if k in REQUEST_FIELDS}).prepare()
                address = urlsplit(prepared.url or "")
                body = prepared.body or b""
                headers = {str(name).lower(): _text(value) for name, value in prepared.headers.items()}
                asked = Asked(
                    prepared.method or "GET",
                    str(address.path) + (f"?{address.query}" if address.query else ""),
                    headers | fuzzer.somebody(),
                    body if isinstance(body, bytes) else str(body).encode(),
                )
                runner.run(target.ask(asked))

            with suppress(Unsatisfiable):  # what takes no parameters cannot be asked wrongly
                ask()


async def _alive(target: Target, stop: asyncio.Event) -> "asyncio.Task[None]":
    """The application runs until it is told to stop, in a task of its own, as it must."""
    started = asyncio.Event()

    async def live() -> None:
        async with target.litestar.lifespan():
            started.set()
            await stop.wait()

    living = asyncio.create_task(live())
    await started.wait()
    return living


REQUEST_FIELDS = ("method", "url", "headers", "files", "data", "params", "cookies", "json")


def _text(value: Any) -> str:
    return value.decode("latin-1") if isinstance(value, bytes) else str(value)


def megabytes() -> float:
    gc.collect()
    return round(memory(os.getpid()) / 1e6, 1)


def run(requests: int, seed: int, *, schema: bool = True, folder: str) -> dict[str, Any]:
    target = Target(folder)
    fuzzer = Fuzzer(list(from_routes(target.litestar)), seed)
    started = time.perf_counter()
    held: list[float] = []
    with modules_in_use(), asyncio.Runner() as runner:
        stop = asyncio.Event()
        try:
            living = runner.run(_alive(target, stop))
            runner.run(set_up(target, fuzzer))
            if schema:
                by_schemathesis(target, fuzzer, runner, int(requests * SCHEMATHESIS))
            steps = 20
            for step in range(steps):
                runner.run(fuzz(target, fuzzer, (requests - target.count) // (steps - step)))
                held.append(megabytes())
                took = time.perf_counter() - started
                print(
                    f"{target.count} requests, {took:.0f} s, {held[-1]} MB, {len(target.problems)} problems", flush=True
                )
        except KeyboardInterrupt:
            print("interrupted; this is what was found so far")
        finally:
            stop.set()
            runner.run(asyncio.wait_for(living, 60))
            logging.getLogger("infila").removeHandler(target.failures)
    return {
        "requests": target.count,
        "seed": seed,
        "seconds": round(time.perf_counter() - started),
        "statuses": {str(status): count for status, count in sorted(target.statuses.items())},
        "failed": sum(count for status, count in target.statuses.items() if status >= 500 or status == 0),
        "problems": target.problems,
        "slowest": target.slowest,
        "megabytes": held,
    }


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--requests", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--no-schemathesis", action="store_true")
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        found = run(wanted.requests, wanted.seed, schema=not wanted.no_schemathesis, folder=folder)
    print(json.dumps({name: value for name, value in found.items() if name != "problems"}, indent=1))
    RESULTS.write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
