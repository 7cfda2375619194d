"""The wire: for every viewer, all bytes that the server sends stay the same when what it cannot know is drawn anew."""

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from litestar.testing import TestClient

from infila.server.app import create_app
from infila.server.settings import Settings
from infila.server.tableview import TableView
from infila.server.web import App
from infila.server.wire import event_bytes
from tests.play import every_option_set, option_id
from tests.server.desk import Clock

TEXTS = ("take", "draw", "pass", "34", "7S@b2", "5@h8", "42@7", "2: draw", "nonsense")
CASES = [case for case in every_option_set() if case[1]["players"] <= 4][::3]


@pytest.fixture
def client(tmp_path: Path) -> Iterator[Any]:
    app = create_app(Settings(data=str(tmp_path), limits=False, pace=0.0, clock=Clock()))
    with TestClient(app) as client:
        yield client


def answers(client: Any, app: App, table: str, tokens: list[str | None], viewer: int | None) -> list[bytes]:
    """Everything that a viewer can get about a table: views, history, log, events, refusals."""
    token = None if viewer is None else tokens[viewer]
    headers = {} if token is None else {"authorization": f"Bearer {token}"}
    live = app.service._live[table]
    base = f"/api/v1/tables/{table}"
    got: list[httpx.Response] = [client.get(base + path, headers=headers) for path in ("", "/history", "/log")]
    if token is not None:
        got.append(client.get(f"{base}/take-back", headers=headers))
        for text in TEXTS:
            body: dict[str, Any] = {"move": text, "version": live.moment.version - 1}
            got.append(client.post(f"{base}/moves", json=body, headers=headers))
            view = live.moment.view(viewer)
            if view is not None and view.why(text) is not None:  # the refusal, with its rule
                body["version"] += 1
                got.append(client.post(f"{base}/moves", json=body, headers=headers))
    person = None if token is None else app.signer.person_of_token(token)
    events = [event_bytes(TableView(live.moment, person, viewer, kind)) for kind in ("view", "move", "here")]
    return [answer.status_code.to_bytes(2, "big") + answer.content for answer in got] + events


@pytest.mark.parametrize(
    ("name", "options"), CASES, ids=lambda value: value if isinstance(value, str) else option_id(value)
)
def test_all_bytes_are_the_same_after_a_redraw(client: Any, name: str, options: dict[str, Any]) -> None:
    from dataclasses import replace

    app: App = client.app.state.infila
    players, chance = options["players"], random.Random(option_id(options))
    tokens: list[str | None] = [
        client.post("/api/v1/people", json={"name": f"P{i}"}).json()["token"] for i in range(players)
    ]
    wanted = {"game": name, "options": options, "seats": ["me", *["open"] * (players - 1)]}
    headers = [{"authorization": f"Bearer {token}"} for token in tokens]
    table = client.post("/api/v1/tables", json=wanted, headers=headers[0]).json()["id"]
    for seat in range(1, players):
        client.post(f"/api/v1/tables/{table}/seat", json={}, headers=headers[seat])
    live = app.service._live[table]
    for turn in range(24):
        moment = live.moment
        if moment.over or moment.game is None:
            break
        if turn % 6 == 3:
            for viewer in (None, *range(players)):
                live.moment = moment
                before = answers(client, app, table, tokens, viewer)
                other = moment.game.redrawn(viewer, chance.randrange(2**60))
                live.moment = replace(moment, game=other, _views={})
                # the log of a redrawn game is another game's: whether a move can be taken back is asked of the rules
                after = answers(client, app, table, tokens, viewer)
                skip = {3} if viewer is not None else set()
                for i, (one, two) in enumerate(zip(before, after, strict=True)):
                    assert i in skip or one == two, f"answer {i} of viewer {viewer} tells something"
            live.moment = moment
        acting = chance.choice(moment.to_act)
        view = moment.view(acting)
        assert view is not None
        body = {"move": chance.choice(view.moves), "version": moment.version}
        answer = client.post(f"/api/v1/tables/{table}/moves", json=body, headers=headers[acting])
        assert answer.status_code == 201, answer.text


@pytest.mark.parametrize("name", ["zatre", "take_that", "completto", "sequence"])
def test_whether_one_may_take_back_tells_nothing(name: str) -> None:
    import infila
    from infila.server.takeback import nothing_learnt

    chance = random.Random(name)
    game = infila.new(name, players=2, seed=4)
    found = set()
    for _ in range(40):
        if game.over:
            break
        move = chance.choice(game.moves)
        seat = game.mover(move)
        if seat is not None:
            answer = nothing_learnt(game, seat, move)
            found.add(answer)
            for _ in range(2):
                assert nothing_learnt(game.redrawn(seat, chance.randrange(2**60)), seat, move) == answer
        game.play(move)
    assert False in found
