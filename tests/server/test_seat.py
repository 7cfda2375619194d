"""Agents at tables of a server: they sit down over HTTP and play, by what their seat may know."""

import io
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import infila
from infila import cli
from infila.agents import Misbehaved
from infila.agents.table import Said, Table, sit
from infila.core.carried import packed, unpacked
from infila.core.errors import BadPosition, InfilaError
from tests.play import GAMES
from tests.server.running import Person, running


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    with running(tmp_path) as address:
        yield address


def made(anna: Person, address: str, **more: Any) -> str:
    """The link of a table with a seat for somebody else."""
    wanted = {"game": "take_that", "options": {"rounds": 1}, "seats": ["me", "open"], "private": False} | more
    return f"{address}/t/{anna.post('/tables', json=wanted).json()['id']}"


class First:
    """Decides by observations and masks."""

    def act(self, observations: Any, masks: Any) -> Any:
        assert observations.shape[1] == 1072
        return masks.argmax(1)


def test_an_agent_and_a_level_play_a_game_at_a_table(
    address: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    anna = Person(address, "Anna")
    link = made(anna, address)
    with ThreadPoolExecutor(1) as other:
        first = other.submit(sit, link, First(), name="Network", seconds=10)
        monkeypatch.setenv("INFILA_TOKEN", anna.headers["authorization"].removeprefix("Bearer "))
        cli.main(["seat", link, "casual"])
        end = first.result()
    game = infila.load(anna.get(f"/tables/{end['id']}/log").text)
    assert game.over and game.scores == end["scores"] and [seat["name"] for seat in end["seats"]] == ["Anna", "Network"]
    assert capsys.readouterr().out.splitlines()[-1].startswith("over: Anna ")


def test_whoever_fails_leaves_and_a_computer_plays_on(address: str) -> None:
    def broken(view: infila.View) -> str:
        raise ValueError("oh")

    anna = Person(address, "Anna")
    link = made(anna, address)
    failed: list[str] = []

    def play() -> None:
        try:
            sit(link, broken, name="Broken")
        except Misbehaved as problem:
            failed.append(str(problem))

    other = threading.Thread(target=play)
    other.start()
    table = link.rpartition("/")[2]
    with anna.events(table) as events:
        for event in events:
            seen = event["data"]
            if event["event"] != "chat" and seen["seats"][1]["away"]:
                break
            if seen.get("moves"):
                anna.move(table, seen["moves"][0], seen["version"])
    other.join()
    assert len(failed) == 1 and "failed with ValueError: oh" in failed[0]


def test_what_cannot_be_is_one_sentence(address: str) -> None:
    anna = Person(address, "Anna")
    link = made(anna, address)
    for bad, sentence in (
        ("somewhere", "is no table: its link looks like"),
        (f"{address}/t/nowhere", "the server says: "),
        ("http://127.0.0.1:9/t/abc", "cannot be reached"),
    ):
        with pytest.raises(InfilaError, match=sentence):
            sit(bad, "casual")
    with pytest.raises(InfilaError, match="the server says: "):
        sit(link, "casual", seat=1)
    with pytest.raises(InfilaError, match="there is no player 'nobody'"):
        sit(link, "nobody")


@pytest.mark.parametrize("name", GAMES)
def test_a_record_is_carried_and_brings_the_view_back(name: str) -> None:
    game = infila.new(name, seed=4)
    view = game.view(1)
    carried = packed(view)
    contract, states = unpacked(carried)
    assert contract.name == name and states.tobytes() == view.states.tobytes()
    for change in ({"rules": -1}, {"layout": "x"}, {"record": "?"}, {"record": "AAAA"}):
        with pytest.raises(BadPosition):
            unpacked(carried | change)


def test_a_server_that_is_started_anew_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """A stream that ends, a server that is not ready and a line that is cut are no reason to leave; silence is."""
    answers: list[Any] = [
        io.BytesIO(b"event: table\ndata: 1\n"),
        Said(503, "later"),
        ConnectionError("cut"),
        io.BytesIO(b"event: chat\ndata: 2\nevent: table\ndata: 3\n"),
    ]

    def opened(*_: Any) -> Any:
        answer = answers.pop(0) if answers else io.BytesIO()
        if isinstance(answer, Exception):
            raise answer
        return answer

    waited: list[float] = []
    monkeypatch.setattr(Table, "_open", opened)
    monkeypatch.setattr("infila.agents.table.time.sleep", waited.append)
    changes: Any = Table("http://127.0.0.1:1/t/abc", "me", "token").changes()
    assert [next(changes), next(changes)] == [1, 3] and waited == [1, 2, 3]
    with pytest.raises(InfilaError, match="cannot be reached any more: it ends what it has to say"):
        next(changes)
    answers.append(Said(404, "no such table"))
    with pytest.raises(Said, match="no such table"):
        next(Table("http://127.0.0.1:1/t/abc", "me", "token").changes())
