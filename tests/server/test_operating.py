"""What an operator sees of a server: whether it lives, its figures, and a log in which nothing is anybody's own."""

import asyncio
import io
import json
import logging
import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy.exc import OperationalError

from infila.server.errors import CannotServe
from infila.server.logs import Discreet, Structured, mark
from infila.server.metrics import Latencies, Teller, figures, place_of
from tests.server.asgi import Server, content, status
from tests.server.database import data_for


def at_server(folder: Path, scenario: Any, **settings: Any) -> None:
    async def run() -> None:
        async with Server(folder, **settings).running() as server:
            await scenario(server)

    asyncio.run(run())


def test_a_server_says_whether_it_lives_and_whether_it_can_be_used(tmp_path: Path, monkeypatch: Any) -> None:
    async def scenario(server: Server) -> None:
        readiness, asked = server.app.readiness, 0

        async def gone(question: Any) -> Any:
            nonlocal asked
            asked += 1
            raise OperationalError("SELECT", None, Exception("the connection is lost"))

        assert status(await server.ask("GET", "/healthz", {})) == 200
        assert (await server.ask("GET", "/readyz", {})).endswith(b"\n\nready\n")
        monkeypatch.setattr(server.app.store, "read", gone)
        readiness._until = 0.0
        answers = await asyncio.gather(*(server.ask("GET", "/readyz", {}) for _ in range(20)))
        assert {status(answer) for answer in answers} == {503} and asked == 1
        assert b"the database does not answer." in answers[0]
        assert status(await server.ask("GET", "/healthz", {})) == 200
        readiness.stopping = True
        assert b"the server stops." in await server.ask("GET", "/readyz", {})

    at_server(tmp_path, scenario)


def test_figures_count_what_happens_and_name_nobody(tmp_path: Path) -> None:
    async def scenario(server: Server) -> None:
        latencies = Latencies()
        server.gate = latencies.timed(server.gate)
        person = await server.app.service.people.welcome("Secretina")
        headers = await server.program(person)
        made = await server.ask("POST", "/api/v1/tables", headers, {"game": "take_that", "seats": ["me", "me"]})
        seen = content(made)
        told = await server.ask("GET", f"/api/v1/tables/{seen['id']}", headers)
        wanted = {"move": content(told)["moves"][0], "version": content(told)["version"]}
        assert status(await server.ask("POST", f"/api/v1/tables/{seen['id']}/moves", headers, wanted)) == 201
        stream = server.listen(f"/api/v1/tables/{seen['id']}/events", headers)
        while not stream.got:
            await asyncio.sleep(0.01)
        text = figures(server.app, latencies)
        values = dict(re.findall(r"^(\S+) ([\d.]+)$", text, re.M))
        assert values["infila_moves_total"] == "1" and values["infila_tables"] == "1"
        assert values["infila_streams"] == "1" and values["infila_database_away"] == "0"
        assert values['infila_request_seconds_count{kind="move"}'] == "1"
        assert values['infila_request_seconds_count{kind="stream"}'] == "1"
        assert float(values["infila_commit_seconds_count"]) >= 3
        assert values['infila_thoughts_waiting{rank="awaited"}'] == "0"
        for secret in (seen["id"], person, "Secretina", headers["authorization"][7:], "192.0.2.1"):
            assert secret not in text
        assert status(await server.ask("GET", "/metrics", {})) == 404  # not where pages are
        await stream.close()

    at_server(tmp_path, scenario)


def test_figures_are_told_at_a_place_of_their_own(tmp_path: Path) -> None:
    from infila.server import command

    async def scenario(server: Server) -> None:
        listening = command.listen("127.0.0.1", 0)
        teller = Teller(listening, server.app, Latencies())
        await teller.start()
        base = f"http://127.0.0.1:{listening.getsockname()[1]}"
        async with httpx.AsyncClient(base_url=base) as client:
            told = await client.get("/metrics")
            assert told.status_code == 200 and "# TYPE infila_request_seconds histogram" in told.text
            assert (await client.head("/metrics")).text == ""
            for path in ("/", "/healthz", "/metricsx", "/t/abc"):
                assert (await client.get(path)).status_code == 404
            assert (await client.post("/metrics")).status_code == 404
        reader, writer = await asyncio.open_connection(*listening.getsockname())
        writer.write(b"GET /metrics HTTP/1.1\r\nx: " + b"y" * 20_000)
        assert await reader.read() == b""  # nothing is said to what is no request
        writer.close()
        teller.stop()

    at_server(tmp_path, scenario)
    for wrong in ("9224", "127.0.0.1", "127.0.0.1:99999", "a b:1", ":1"):
        with pytest.raises(CannotServe, match="--metrics takes an address and a port"):
            place_of(wrong)


def test_nothing_that_is_somebodys_own_is_in_the_log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever fails, with secrets planted in everything that could be quoted."""
    shown = {"text": io.StringIO(), "json": io.StringIO()}
    handlers = [logging.StreamHandler(each) for each in shown.values()]
    handlers[0].setFormatter(Discreet("infila: %(message)s"))
    handlers[1].setFormatter(Structured())
    secrets: list[str] = ["PlantedName", "192.0.2.1", "PlantedLink", "planted message"]

    async def scenario(server: Server) -> None:
        person = await server.app.service.people.welcome("PlantedName")
        headers = await server.program(person)
        made = await server.ask("POST", "/api/v1/tables", headers, {"game": "take_that", "seats": ["me", "me"]})
        table = content(made)["id"]
        secrets.extend([person, table, headers["authorization"][7:]])

        async def failing(*given: Any, **named: Any) -> Any:
            raise RuntimeError(f"planted message PlantedName {given} {named} {headers}")

        async def away(question: Any) -> Any:
            raise OperationalError(f"SELECT '{table}'", {"name": "PlantedName"}, Exception(f"PlantedName {table}"))

        server.app.service.sessions._known.clear()
        await server.ask("GET", "/", {"x-forwarded-for": "192.0.2.1"}, None, "192.0.2.1")
        monkeypatch.setattr(server.app.service.chat, "say", failing)
        monkeypatch.setattr(server.app.service.links, "find", lambda link: 1 / len(""))
        monkeypatch.setattr(server.app.service.audience, "view", failing)
        body = {"text": "planted message"}
        assert status(await server.ask("POST", f"/api/v1/tables/{table}/chat", headers, body)) == 500
        assert status(await server.ask("GET", "/me/PlantedLink", headers)) == 500
        assert status(await server.ask("GET", f"/t/{table}/state", headers)) == 500
        monkeypatch.setattr(server.app.service.tables, "find", failing)
        await server.app.computers._look_after(table)
        monkeypatch.setattr(server.app.store, "read", away)
        assert status(await server.ask("GET", "/api/v1/tables", headers)) == 503

    loud = logging.getLogger("infila")
    before = loud.level
    try:
        loud.setLevel(logging.DEBUG)
        for handler in handlers:
            loud.addHandler(handler)
        at_server(tmp_path, scenario)
    finally:
        loud.setLevel(before)
        for handler in handlers:
            loud.removeHandler(handler)
    lines = [json.loads(line) for line in shown["json"].getvalue().splitlines()]
    messages = [line["message"] for line in lines]
    assert "POST /api/v1/tables/{table}/chat failed" in messages
    assert "GET /me/{link} failed" in messages
    assert f"table {mark(secrets[5])} cannot be taken up, and is tried again later" in messages
    failed = next(line for line in lines if line["message"].startswith("POST"))
    assert failed["problem"] == "RuntimeError" and failed["level"] == "error"
    assert any("test_operating.py" in where for where in failed["where"])
    for text in (each.getvalue() for each in shown.values()):
        assert "RuntimeError" in text
        for secret in secrets:
            assert secret not in text, f"{secret} is in the log"


def test_a_statement_that_the_database_refuses_is_not_quoted() -> None:
    problem = OperationalError("SELECT PlantedName", None, Exception("PlantedName"))
    try:
        raise problem from ValueError("PlantedName")
    except OperationalError as raised:
        told = Discreet().formatException((type(raised), raised, raised.__traceback__))
    assert "PlantedName" not in told and told.splitlines()[0] == "ValueError"


@pytest.mark.slow
def test_the_command_tells_figures_and_logs_in_json(tmp_path: Path) -> None:
    from bench.server import free_port

    port = free_port()
    command = [sys.executable, "-m", "infila", "serve", "--no-browser", "--port", "0", "--data", data_for(tmp_path)]
    options = ["--metrics", f"127.0.0.1:{port}", "--log-format", "json"]
    process = subprocess.Popen([*command, *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        found = re.search(r"http://\S+/", process.stdout.readline())
        assert found is not None
        assert httpx.get(f"{found[0]}readyz", timeout=60).text == "ready\n"
        assert httpx.get(f"{found[0]}metrics", timeout=60).status_code == 404
        assert "infila_tables 0" in httpx.get(f"http://127.0.0.1:{port}/metrics", timeout=60).text
        httpx.get(found[0], headers={"x-forwarded-for": "192.0.2.9"}, timeout=60)
    finally:
        process.send_signal(signal.SIGINT if os.name != "nt" else signal.SIGTERM)
        _, told = process.communicate(timeout=60)
    lines = [json.loads(line) for line in told.splitlines() if line.startswith("{")]
    assert any("somebody forwards requests" in line["message"] for line in lines), told
    assert "192.0.2.9" not in told
