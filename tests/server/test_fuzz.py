"""Whatever is sent to the API, it answers with what its own document promises, and never with an error of its own."""

from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings, strategies

from tests.server.running import Person, running

pytestmark = pytest.mark.slow

REQUESTS = 15  # of each kind


@pytest.fixture(scope="module")
def person(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Person]:
    with running(tmp_path_factory.mktemp("tables")) as address:
        yield Person(address, "Fuzzy")


@pytest.fixture(scope="module")
def table(person: Person) -> str:
    return str(person.post("/tables", json={"game": "take_that", "seats": ["me", "me"]}).json()["id"])


def test_no_request_breaks_the_server(person: Person, table: str) -> None:
    address = str(person.base_url).removesuffix("/api/v1/")
    document = schemathesis.openapi.from_url(f"{address}/api/v1/openapi.json").exclude(path_regex="/events$")
    found: list[Any] = list(document.get_all_operations())
    operations = [each.ok() for each in found]
    assert len(operations) >= 20
    for operation in operations:
        fuzz(operation, person, table)


def fuzz(operation: Any, person: Person, table: str) -> None:
    """Requests of one kind, mostly such as the document allows, mostly about a table that is there."""

    @settings(max_examples=REQUESTS, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
    @given(operation.as_strategy(), strategies.booleans())
    def ask(case: Any, about_a_table: bool) -> None:
        if about_a_table and "table" in case.path_parameters:
            case.path_parameters["table"] = table
        asks = person
        if operation.path.endswith("/me/token"):  # whoever renews or ends their token has it no more
            asks = Person(str(person.base_url).removesuffix("/api/v1/"), "Fuzzy too")
        answer = case.call(headers={"authorization": asks.headers["authorization"]})
        assert answer.status_code < 500, f"{case.as_curl_command()}: {answer.text}"
        if answer.status_code >= 400:
            assert answer.json()["error"], answer.text

    ask()


@pytest.mark.parametrize(
    "body", [b"", b"{", b"null", b"[]", b"\xff", b'{"move": 1}', b"[" * 5000, b'{"move":"\\ud800","version":1}']
)
@pytest.mark.parametrize("path", ["/tables", "/logs", "/people", "/tables/{table}/moves", "/tables/{table}/chat"])
def test_malformed_bodies_are_refused(person: Person, table: str, path: str, body: bytes) -> None:
    answer = person.post(path.format(table=table), content=body, headers={"content-type": "application/json"})
    assert 400 <= answer.status_code < 500 and answer.json()["error"]


EVENTS = ["-1", "99999999999999", "x", "1e3", "\u0661", "0x10"]


@pytest.mark.parametrize("last", EVENTS)
def test_a_senseless_last_event_begins_anew(person: Person, table: str, last: str) -> None:
    address = f"/tables/{table}/events"
    with person.stream("GET", address, headers={b"last-event-id": last.encode()}) as answer:
        assert answer.status_code in (200, 400)


def test_nothing_is_lost_by_all_that(person: Person, table: str) -> None:
    seen = person.see(table)
    assert seen["state"] in ("playing", "over") and seen["position"] is not None
