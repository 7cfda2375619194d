"""The pages over HTTP: what a browser gets, before any script runs."""

import ast
import json
import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from litestar.testing import TestClient

from infila.core.words import LANGUAGES
from infila.lessons.coach import COMPUTER, STRAYED
from infila.players import LEVELS
from infila.puzzles.puzzle import GRADES
from infila.server.limits import LONGEST_MESSAGE, LONGEST_MOVE, LONGEST_NAME
from infila.web import table_html
from infila.web.languages import catalogue, noun, translator, wished
from tests.play import GAMES

Client = TestClient[Any]
SOURCES = Path(table_html.__file__).parents[1]
SAID = re.compile(r"""\b_\(\s*(?:"([^"]*)"|'([^']*)')""")  # a sentence that is translated


def state_of(page: str) -> dict[str, Any]:
    found = re.search(r'<script type="application/json" id="state">(.*?)</script>', page, re.DOTALL)
    assert found
    state: dict[str, Any] = json.loads(found[1])
    return state


def start(client: Client, game: str, **fields: str) -> str:
    """A new table by the form; its address."""
    answer = client.post("/new", data={"game": game, "seat-1": "me", "seat-2": "beginner", **fields})
    assert answer.status_code == 200, answer.text[:500]
    return str(answer.url.path)


def my_turn(client: Client, table: str) -> dict[str, Any]:
    """The state of a table once there is something to do."""
    deadline = time.time() + 200
    while time.time() < deadline:
        state: dict[str, Any] = client.get(f"{table}/state").json()
        if state["moves"]:
            return state
        time.sleep(0.02)
    raise AssertionError(state)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_page_speaks_every_language(client: Client, language: str) -> None:
    client.cookies.set("language", language)
    for path in (
        "/",
        "/new",
        "/mine",
        "/puzzles",
        *(f"/new?game={game}" for game in GAMES),
        *(f"/rules/{game}" for game in GAMES),
    ):
        answer = client.get(path)
        assert answer.status_code == 200, path
        assert f'<html lang="{language}"' in answer.text
        assert "content-security-policy" in answer.headers
        assert not re.search(r"\son\w+=|\sstyle=", answer.text.split("</head>")[1]), "nothing inline"


def test_no_string_is_missing() -> None:
    """Every sentence of templates and sources is in every catalogue, and its gaps are filled alike."""
    wanted = {COMPUTER, STRAYED, *GRADES, *table_html.LEVEL_NAMES.values(), *table_html.LEVELS_ABOUT.values()}
    for source in (each for room in ("web", "server", "site") for each in (SOURCES / room).rglob("*")):
        if source.suffix in (".py", ".html"):
            wanted |= {double or single for double, single in SAID.findall(source.read_text(encoding="utf-8"))}
    for source in (each for room in ("core", "lessons", "server", "site") for each in (SOURCES / room).rglob("*.py")):
        wanted |= set(refusals_in(source))
    for language in LANGUAGES:
        if language == "en":
            continue
        words = catalogue(language)
        assert wanted - set(words) == set(), language
        for key, other in words.items():
            context, _, english = key.rpartition("\x04")
            assert context in ("", "computer", "computers") and english in wanted, f"{language}: no longer used: {key}"
            assert set(re.findall(r"{\w+[!}]", english)) == set(re.findall(r"{\w+[!}]", other)), english


REFUSING = {"InfilaError", "UnknownGame", "BadOptions", "IllegalMove", "BadLog", "Unauthorised"}
REFUSING |= {"Refused", "Unknown", "Forbidden", "Conflict", "TooMuch", "Full", "Stopping"}


def refusals_in(source: Path) -> Iterator[str]:
    """The sentences, with their gaps, that a file's errors say."""
    for node in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
        called = node.func if isinstance(node, ast.Call) else None
        if (isinstance(called, ast.Attribute) and called.attr == "__init__") or getattr(called, "id", "") in REFUSING:
            assert isinstance(node, ast.Call)
            texts = [each.value for each in node.args if isinstance(each, ast.Constant) and isinstance(each.value, str)]
            yield from (text for text in texts if " " in text)


def test_refusals_are_said_in_the_readers_language(client: Client) -> None:
    table = start(client, "zatre")
    said, script = {}, {"accept": "application/json"}
    for language in LANGUAGES:
        client.cookies.set("language", language)
        version = my_turn(client, table)["version"]
        answer = client.post(f"{table}/moves", json={"move": "nonsense", "version": version}, headers=script)
        refused = client.post(f"{table}/why", json={"parts": ["hand-1", "cell-a1"]}).json()["why"]
        lost, log = client.get("/t/nowhere").text, client.post("/upload", data={"log": "infila log 1\nwhat"}).text
        form = client.post("/new", data={"game": "zatre", "players": "3", "teams": "yes"}).text
        said[language] = [
            answer.json()["error"],
            refused,
            *(re.findall(r"<p(?: [^>]*)?>([^<]+)", page)[0] for page in (lost, log, form)),
        ]
    english, german, italian = (said[language] for language in ("en", "de", "it"))
    assert german[0] == "'nonsense' ist kein Zug von Zatre. Züge sehen so aus: 5@h8, draw oder stop."
    assert german[1][:2] == english[1][:2] == italian[1][:2] == "Z2"
    assert all(len({*each}) == 3 for each in zip(english, german, italian, strict=True)), said
    moves = f"/api/v1/tables/{table.removeprefix('/t/')}/moves"
    told = client.post(moves, json={"move": "nonsense", "version": version}).json()["error"]
    assert told.startswith("'nonsense' is not a move"), "programs are told in English"


def test_a_computer_has_an_article_where_a_name_has_none() -> None:
    computer, second = noun("computer", "computer"), noun("computer 2", "computers")
    for language, sentence, said in (
        ("it", "{name}’s turn", ["tocca a Ada", "tocca al computer", "tocca al computer 2"]),
        ("it", "{name} wins", ["vince Ada", "vince il computer", "vince il computer 2"]),
        ("de", "{name}’s turn", ["Ada ist dran", "der computer ist dran", "computer 2 ist dran"]),
        ("en", "{name}’s turn", ["Ada’s turn", "computer’s turn", "computer 2’s turn"]),
    ):
        assert [translator(language)(sentence, name=name) for name in ("Ada", computer, second)] == said
    until = "until {date}"
    assert translator("it")(until, date="8 maggio 2027") == "fino all’8 maggio 2027", "an article fits the number"


def test_the_browsers_wish_decides_the_language() -> None:
    assert wished("de-CH,de;q=0.9,en;q=0.8") == "de"
    assert wished("fr,it;q=0.5") == "it"
    assert wished("") == wished("xx;q=oops") == "en"


@pytest.mark.parametrize("game", GAMES)
def test_one_click_plays(client: Client, game: str) -> None:
    answer = client.post(f"/play/{game}")
    assert answer.status_code == 200
    assert answer.text.count("data-seat=") == 2


@pytest.mark.parametrize("game", GAMES)
def test_moves_are_made_and_shown(client: Client, game: str) -> None:
    table = start(client, game)
    for made in range(4):
        state = my_turn(client, table)
        body = {"move": state["moves"][0]["t"], "version": state["version"], "key": f"k{made}"}
        answer = client.post(f"{table}/moves", json=body)
        assert answer.status_code == 200, answer.text
    state = client.get(f"{table}/state").json()
    assert state["fragments"]["log"].count("<li>") >= 4
    hint = client.post(f"{table}/hint", json={})
    assert hint.status_code in (200, 400)
    log = client.get(f"{table}/log")
    assert log.text.startswith("infila log 1")
    assert "seed:" not in log.text


def test_what_is_wrong_is_said_and_nothing_is_lost(client: Client) -> None:
    table = start(client, "take_that")
    state = my_turn(client, table)
    for path, body, status in (
        ("moves", {"move": "nonsense", "version": state["version"]}, 422),
        ("moves", {"move": "take", "version": "x"}, 400),
        ("moves", {"move": "take", "version": 9999}, 409),
        ("dance", {}, 404),
        ("chat", {"text": 5}, 400),
    ):
        answer = client.post(f"{table}/{path}", json=body, headers={"accept": "application/json"})
        assert answer.status_code == status, answer.text
        assert answer.json()["error"]
    assert client.post(f"{table}/moves", content=b"{", headers={"accept": "application/json"}).status_code == 400
    for path, status in (("/t/nosuchtable", 404), ("/rules/chess", 404), ("/nothing", 404), (f"{table}?at=9999", 404)):
        answer = client.get(path)
        assert answer.status_code == status
        assert "<h1>" in answer.text, path
    assert client.post("/play/chess").status_code in (400, 404)
    wrong = client.post("/new", data={"game": "sequence", "players": "5", "seat-1": "me"})
    assert wrong.status_code == 400
    assert "players cannot be 5" in wrong.text


def test_an_act_answers_with_the_state_that_was_asked_for(client: Client) -> None:
    """In the reader's language, and in a hot seat game through the eyes that were chosen."""
    table = start(client, "take_that", **{"seat-2": "me"})
    lifted = client.get(f"{table}/state").json()["buttons"][0]["seat"]
    state = client.get(f"{table}/state?eyes={lifted}").json()
    body = {"move": state["moves"][0]["t"], "version": state["version"]}
    client.cookies.set("language", "it")
    answer = client.post(f"{table}/moves?eyes={lifted}", json=body).json()
    assert answer == client.get(f"{table}/state?eyes={lifted}").json()
    assert answer["count"] == 1 and answer["moves"] == [], "the curtain falls for the other seat"
    assert "tocca a" in answer["title"]
    said = client.post(f"{table}/chat?eyes={lifted}", json={"text": "ciao"}).json()
    assert "ciao" in said["fragments"]["talk"] and said["stamp"] == answer["stamp"] + 1


def test_page_and_api_have_the_same_limits(client: Client) -> None:
    """What is too long is refused by both, never cut, and in the reader's language on the page."""
    table = start(client, "take_that")
    page, api = f"{table}/", f"/api/v1/tables/{table.removeprefix('/t/')}/"
    script = {"accept": "application/json"}
    client.cookies.set("language", "de")
    for path, body, english, german in (
        ("moves", {"move": "1" * (LONGEST_MOVE + 1), "version": 1}, "a move is a text of at most 80", "ein Zug ist"),
        ("moves", {"move": "take"}, "carries the version", "nennt die Version"),
        ("chat", {"text": "a" * (LONGEST_MESSAGE + 1)}, "one line of 1 to 500", "eine Zeile mit 1 bis 500"),
        ("commit", {"commitment": "a" * 65}, "commitment is 64 hex", "hat 64 hexadezimale Ziffern"),
        ("open", {"contribution": "A" * 64}, "contribution is 64 hex", "ein Beitrag hat 64 hexadezimale"),
        ("seat", {"attempt": 0}, "number of an attempt", "Nummer eines Versuchs"),
        ("seat", {"seat": 0}, "seat is the number", "seat ist die Nummer"),
        ("take-back/answer", {"agreed": "perhaps"}, "agreed is true or false", "agreed ist true oder false"),
        ("chat", {"text": "a", "loud": True}, "unknown field here: loud", "unbekanntes Feld: loud"),
        ("chat", [], "a JSON object is expected", "ein JSON-Objekt"),
    ):
        answers = [client.post(address + path, json=body, headers=script) for address in (api, page)]
        assert [answer.status_code for answer in answers] == [400, 400], path
        assert english in answers[0].json()["error"] and german in answers[1].json()["error"]
    name = "a" * (LONGEST_NAME + 1)
    assert "at most 30" in client.post("/api/v1/me", json={"name": name}).json()["error"]
    assert "höchstens 30" in client.post("/name", data={"name": name}).text
    assert "höchstens 30" in client.post("/new", data={"game": "zatre", "seat-1": "me", "name": name}).text
    assert f'maxlength="{LONGEST_NAME}"' in client.get("/mine").text


def test_a_page_of_another_site_cannot_act(client: Client) -> None:
    table = start(client, "take_that")
    state = client.get(f"{table}/state").json()
    body = {"move": "take", "version": state["version"]}
    answer = client.post(f"{table}/moves", json=body, headers={"origin": "http://evil.example"})
    assert answer.status_code == 403


def test_names_are_escaped(client: Client) -> None:
    nasty = "<b>&\"'"
    table = start(client, "completto", name=nasty)
    page = client.get(table).text
    assert "<b>&" not in page.replace("<b>&lt;", "")
    assert "&lt;b&gt;&amp;" in page or "\\u003cb\\u003e" in page


def test_hot_seat_has_a_curtain(client: Client) -> None:
    table = start(client, "take_that", **{"seat-2": "me"})
    hidden = client.get(f"{table}/state").json()
    assert hidden["moves"] == []
    lifted = hidden["buttons"][0]["seat"]
    shown = client.get(f"{table}/state?eyes={lifted}").json()
    assert shown["moves"]
    assert "panel-hand" in shown["fragments"]
    assert "panel-hand" not in hidden["fragments"]


def test_a_table_waits_for_people_with_a_link_and_a_code(client: Client) -> None:
    table = start(client, "completto", **{"seat-2": "open", "lobby": "yes"})
    page = client.get(table).text
    assert page.count("<svg") > 2
    assert table in page
    assert client.get(f"{table}/state").json()["waiting"]
    client.cookies.clear()
    assert table in client.get("/").text
    assert client.post(f"{table}/seat", json={}).status_code == 200
    assert "panel-board" in client.get(table).text or "panel-row" in client.get(table).text


def test_the_form_sets_the_clocks_and_how_one_takes_back(client: Client, app: Any) -> None:
    table = start(client, "take_that", **{"seat-2": "open", "pace": "86400", "whole": "604800", "casual": "no"})
    header = app.state.infila.service.tables.in_memory[table.removeprefix("/t/")].snapshot.header
    assert (header.move_seconds, header.game_seconds, header.casual) == (86400, 604800, False)


def test_who_goes_is_replaced_and_can_come_back(client: Client, app: Any) -> None:
    table = start(client, "take_that", **{"seat-2": "open"})
    first = dict(client.cookies)
    client.cookies.clear()
    assert client.post(f"{table}/seat", json={}).status_code == 200
    second = dict(client.cookies)

    def offered() -> list[tuple[str, str]]:
        return [(each["method"], each["path"]) for each in client.get(f"{table}/state").json()["buttons"]]

    player = app.state.infila.service.tables.in_memory[table.removeprefix("/t/")].snapshot.player
    client.cookies.update(first if player == 1 else second)  # whoever waits for the other
    assert offered() == [("POST", "/replace"), ("DELETE", "/seat"), ("POST", "/stop"), ("POST", "/resign")]
    answer = client.post(f"{table}/replace", json={"seat": player + 1}, headers={"accept": "application/json"})
    assert answer.status_code == 400 and "after being away" in answer.json()["error"]
    assert client.delete(f"{table}/seat").status_code == 200
    assert ("POST", "/return") in offered()
    assert client.post(f"{table}/return", json={}).status_code == 200
    assert offered()[-3:] == [("DELETE", "/seat"), ("POST", "/stop"), ("POST", "/resign")]


def test_what_is_said_is_escaped(client: Client) -> None:
    table = start(client, "take_that")
    assert client.post(f"{table}/chat", json={"text": "<script>alert(1)</script>"}).status_code == 200
    page = client.get(table).text
    assert "<script>alert" not in page and "&lt;script&gt;alert" in page


def test_another_device_is_the_same_person(client: Client) -> None:
    table = start(client, "take_that")
    link = re.search(r"/me/[\w.]+", client.post("/device").text)
    assert link
    client.cookies.clear()
    assert "be guest on this device?" in client.get(link[0]).text
    assert table not in client.get("/mine").text
    assert client.post(link[0]).status_code == 200
    assert table in client.get("/mine").text
    assert client.get("/me/nobody.1.x").status_code == 404


def test_every_level_can_be_chosen(client: Client) -> None:
    page = client.get("/new?game=zatre&players=6").text
    for level in LEVELS:
        assert f'value="{level}"' in page
    assert page.count('name="seat-') == 6


def test_every_page_has_a_place_to_skip_to() -> None:
    folder = Path(table_html.__file__).parent / "templates"
    templates = [file.read_text(encoding="utf-8") for file in folder.iterdir()]
    pages = [text for text in templates if "<main" in text]
    assert len(pages) > 10
    assert all(re.search(r'<main[^>]* id="main" tabindex="-1"', text) for text in pages)
    assert any("<body" in text and text.index('href="#main"') < text.index("{% block page %}") for text in templates)
