"""Guided first games: played over HTTP by following the coach, and along every way that a lesson allows."""

import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from litestar.testing import TestClient

import infila
from infila.core.games import contract_of
from infila.core.words import LANGUAGES
from infila.lessons.lesson import Lesson, lesson_of
from infila.server.app import create_app
from infila.server.pages import frame
from infila.server.settings import Settings
from infila.web.examples import examples_of
from infila.web.rulebook import rules_html
from tests.play import GAMES, position_in

Client = TestClient[Any]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    app = create_app(Settings(data=str(tmp_path_factory.mktemp("data")), limits=False, pace=0.0))
    with TestClient(app, base_url="http://testserver.local") as client:
        client.headers.update({"accept": "text/html", "sec-fetch-site": "same-origin"})
        yield client


@pytest.fixture
def client(server: Client) -> Client:
    """Somebody new."""
    server.cookies.clear()
    return server


def lesson(game: str) -> Lesson:
    found = lesson_of(game)
    assert found is not None
    return found


def begin(client: Client, game: str) -> str:
    answer = client.post(f"/learn/{game}")
    assert answer.status_code == 200, answer.text[:500]
    assert 'id="coach"' in answer.text
    return str(answer.url.path)


def at_rest(client: Client, table: str) -> dict[str, Any]:
    """The table once the computer has done what it does: there is something to do or to read, or it is over."""
    deadline = time.time() + 60
    while time.time() < deadline:
        state: dict[str, Any] = client.get(f"{table}/state").json()
        if state["moves"] or "/read" in state["fragments"]["coach"] or state["fragments"]["result"]:
            return state
        time.sleep(0.01)
    raise AssertionError(state)


def follow(client: Client, table: str, steps: int) -> dict[str, Any]:
    """So many steps as the coach wishes."""
    for _ in range(steps):
        state = at_rest(client, table)
        if "/read" in state["fragments"]["coach"]:
            assert state["moves"] == [], "nothing to do but read"
            assert client.post(f"{table}/read", json={}).status_code == 200
            continue
        assert state["wish"], state["fragments"]["coach"]
        assert set(state["wish"]) <= {move["t"] for move in state["moves"]}
        assert 'class="do"' in state["fragments"]["coach"]
        body = {"move": state["wish"][0], "version": state["version"]}
        assert client.post(f"{table}/moves", json=body).status_code == 200
    return at_rest(client, table)


@pytest.mark.parametrize("game", GAMES)
def test_following_the_coach_leads_to_the_end_of_the_lesson(client: Client, game: str) -> None:
    table = begin(client, game)
    end = follow(client, table, len(lesson(game).steps))
    assert f"/play/{game}" in end["fragments"]["coach"], "now a real game"
    assert end["wish"] == []
    assert at_rest(client, begin(client, game))["moves"] or end["fragments"]["result"]


def test_the_learner_finishes_alone(client: Client) -> None:
    table = begin(client, "take_that")
    state = follow(client, table, len(lesson("take_that").steps))
    said = contract_of("take_that").words()["lesson"]
    assert said["alone"] in state["fragments"]["coach"]
    while not state["fragments"]["result"]:
        body = {"move": state["moves"][0]["t"], "version": state["version"]}
        assert client.post(f"{table}/moves", json=body).status_code == 200
        state = at_rest(client, table)
    assert said["end"] in state["fragments"]["coach"]
    assert not any(each["path"] == "/rematch" for each in state["buttons"])


@pytest.mark.parametrize("game", GAMES)
def test_every_way_that_a_lesson_allows_goes_on(game: str) -> None:
    """Whatever accepted move is made, every suggestion and every reply after it is legal."""
    steps = lesson(game).steps
    seat = lesson(game).seat - 1
    seen: set[str] = set()

    def go(now: infila.Game, at: int) -> None:
        if at == len(steps) or (key := f"{at} {position_in(now)}") in seen:
            return
        seen.add(key)
        step, legal = steps[at], now.view(seat).moves
        wanted: list[str | None] = [move for move in step.moves if move in legal] if step.moves else [None]
        assert wanted, (step.key, now.history, legal)
        for move in (*wanted, *(move for move in step.also if move in legal)):
            after = now.copy() if move is None else now.after(move)
            for reply in step.replies:
                assert after.player != seat, (step.key, after.history)
                assert reply in after.moves, (step.key, after.history, after.moves)
                after.play(reply)
            assert after.over or after.player == seat or not (steps[at + 1 :] and steps[at + 1].moves), step.key
            go(after, at + 1)

    go(infila.load(lesson(game).position), 0)


@pytest.mark.parametrize("game", GAMES)
def test_a_coach_speaks_every_language(game: str) -> None:
    wanted = {"alone", "end"}
    for step in lesson(game).steps:
        wanted |= {step.key, f"{step.key}_do"} if step.moves else {step.key}
        assert step.rules, step.key
    for language in LANGUAGES:
        said = contract_of(game).words(language)["lesson"]
        assert wanted <= said.keys()
        assert {key for key in said.keys() - wanted if not key.endswith("_not")} == set()
        assert {key.removesuffix("_not") for key in said if key.endswith("_not")} <= wanted
        assert said.keys() == contract_of(game).words()["lesson"].keys()
        assert all("!" not in text and len(text) <= 240 for text in said.values()), "short, and no shouting"


@pytest.mark.parametrize("game", GAMES)
def test_what_a_lesson_points_at_is_in_the_picture(client: Client, game: str) -> None:
    table = begin(client, game)
    state = at_rest(client, table)
    for at in range(len(lesson(game).steps)):
        for name in state["show"]:
            fragments = state["fragments"]
            assert f"panel-{name}" in fragments or any(f'data-part="{name}"' in html for html in fragments.values())
        state = follow(client, table, 1) if at + 1 < len(lesson(game).steps) else state


def test_progress_is_kept_and_a_lesson_begins_again(client: Client) -> None:
    table = begin(client, "zatre")
    state = follow(client, table, 4)
    assert begin(client, "zatre") == table, "the lesson that was begun goes on"
    assert client.get(f"{table}/state").json()["fragments"]["coach"] == state["fragments"]["coach"]
    follow(client, table, 1)
    assert client.post(f"{table}/take-back", json={}).status_code == 200
    assert at_rest(client, table)["fragments"]["coach"] == state["fragments"]["coach"]
    assert client.post(f"{table}/again", json={}).status_code == 200
    first = at_rest(client, table)
    assert first["wish"] == list(lesson("zatre").steps[0].moves)
    assert client.post(f"{table}/read", json={}, headers={"accept": "application/json"}).status_code == 400


def test_another_move_is_answered_kindly_and_changes_nothing(client: Client) -> None:
    client.cookies.set("language", "de")
    table = begin(client, "zatre")
    state = at_rest(client, table)
    body = {"move": "5@h8", "version": state["version"]}
    answer = client.post(f"{table}/moves", json=body, headers={"accept": "application/json"})
    assert answer.status_code == 400
    assert answer.json()["error"] == contract_of("zatre").words("de")["lesson"]["red_not"]
    assert at_rest(client, table) == state


def test_a_lesson_counts_for_nothing_and_is_no_ordinary_table(client: Client) -> None:
    table = begin(client, "sequence")
    end = follow(client, table, len(lesson("sequence").steps))
    assert end["fragments"]["result"]
    assert "<table" not in client.get("/mine").text, "no statistics"
    ordinary = client.post("/play/sequence")
    assert 'id="coach"' not in ordinary.text
    for act in ("read", "again"):
        path = f"{ordinary.url.path}/{act}"
        assert client.post(path, json={}, headers={"accept": "application/json"}).status_code == 400


def test_a_game_without_a_lesson_shows_no_link(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "/learn/zatre" in client.get("/rules/zatre").text
    assert client.get("/").text.count("/learn/") == len(GAMES)
    monkeypatch.setattr(frame, "lesson_of", lambda game: None)
    assert "/learn/" not in client.get("/").text + client.get("/rules/zatre").text
    monkeypatch.undo()
    assert client.post("/learn/chess").status_code in (400, 404)


def test_rules_named_by_a_coach_stand_in_the_rules(client: Client) -> None:
    for game in GAMES:
        for language in LANGUAGES:
            client.cookies.set("language", language)
            page = client.get(f"/rules/{game}").text
            for step in lesson(game).steps:
                for rule in step.rules:
                    assert re.search(rf'id="{rule}"', page), (game, language, rule)


@pytest.mark.parametrize("game", GAMES)
def test_the_rules_have_pictures_in_every_language(client: Client, game: str) -> None:
    examples = examples_of(game)
    assert len(examples) >= 4
    for language in LANGUAGES:
        assert contract_of(game).words(language)["examples"].keys() == examples.keys()
        client.cookies.set("language", language)
        page = client.get(f"/rules/{game}").text
        for key, example in examples.items():
            figure = page.partition(f'<figure data-example="{key}">')[2].partition("</figure>")[0]
            assert figure.count("<svg") == len(example.panels)
            for name, state in example.marks.items():
                assert re.search(rf'data-part="{name}"[^>]*class="[^"]*{state}"', figure), (key, name)
        for found in re.findall(r'<li><span>\d+</span><a href="#(\w+)">', page):
            assert f'<h2 id="{found}">' in page, "the contents lead somewhere"


@pytest.mark.parametrize("game", GAMES)
def test_every_rule_number_stands_in_the_rules_once(game: str) -> None:
    """What an error message names can be looked up; and the rules can be read before anything is compiled."""
    numbers = {language: re.findall(r"\[([A-Z]\d+)\]", contract_of(game).text(language)) for language in LANGUAGES}
    assert numbers["en"] == numbers["it"] == numbers["de"]
    assert len(set(numbers["en"])) == len(numbers["en"])
    said = "".join(path.read_text(encoding="utf-8") for path in sources(game))
    named = set(re.findall(rf'"({numbers["en"][0][0]}\d+)[":]', said))
    assert named <= set(numbers["en"]), named - set(numbers["en"])
    assert "<figure" not in rules_html(game, "en", False)[0]


def sources(game: str) -> list[Path]:
    folder = Path(contract_of(game).notation.__file__ or "").parent  # type: ignore[attr-defined]
    return sorted(folder.glob("*.py"))
