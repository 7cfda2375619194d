"""Lists of tables: what somebody plays and has played, and where one can sit down."""

import re
import time
from typing import Any

import pytest
from litestar.testing import TestClient
from sqlalchemy import insert, select

from infila.core.games import contract_of
from infila.server import schema
from infila.server.levels import ComputerLevel, strength
from tests.play import GAMES

Client = TestClient[Any]
MANY = 10_000


def new_table(client: Client, game: str, **fields: str) -> str:
    form = {"game": game, "seat-1": "me"} | {name.replace("seat_", "seat-"): text for name, text in fields.items()}
    return str(client.post("/new", data=form).url.path)


def line_with(page: str, table: str) -> str:
    found = re.search(rf'<li[^>]*>(?:(?!<li).)*{table}".*?</li>', page, re.DOTALL)
    assert found, f"{table} is not listed"
    return found[0]


def test_my_games_tell_how_they_ended_and_against_whom(client: Client) -> None:
    table = new_table(client, "take_that", seat_2="beginner", players="3", seat_3="random", name="Anna")
    assert "computers (at random, first steps)" in line_with(client.get("/mine").text, table)
    client.post(f"{table}/resign", json={})
    client.post("/learn/take_that")
    deadline = time.monotonic() + 100
    while ">you lost<" not in (page := client.get("/mine").text) and time.monotonic() < deadline:
        time.sleep(0.1)  # the computers play on
    line = line_with(page, table)
    assert ">you lost<" in line and re.search(r'class="sc"[^>]*>−?\d+<', line)
    assert re.search(r'date">\d+ \w{3}<', line), "with the day"
    finished, lessons = page[page.index(">finished<") :].split(">lessons<")
    assert table in finished and "/t/" in lessons.split("<h2>")[0], "lessons stand apart"
    assert "<td>first steps</td>" in page, "it counts as against the strongest"


def test_the_strongest_level_is_not_the_one_at_random() -> None:
    assert max(ComputerLevel, key=strength) is ComputerLevel.MASTER
    assert min(ComputerLevel, key=strength) is ComputerLevel.RANDOM


def test_open_tables_show_free_seats_options_and_ones_own(client: Client) -> None:
    form = {"players": "6", "sides": "3", "draw": "manual", "pace": "60", "lobby": "yes", "name": "Bruno"}
    table = new_table(client, "sequence", seat_2="club", seat_3="open", seat_4="open", seat_5="club", **form)
    mine = line_with(client.get("/").text, table)
    assert "your table" in mine and ">go on<" in mine
    client.cookies.clear()
    line = line_with(client.get("/").text, table)
    assert "your table" not in line and ">sit down<" in line
    assert (line.count('class="taken"'), line.count('class="free"')) == (3, 3) and "3 of 6 seats taken" in line
    tags = re.findall(r'class="tag">([^<]*)', line)
    assert tags == ["three sides", "draw by hand", "1 min a move"]


@pytest.mark.parametrize("game", GAMES)
def test_options_are_explained_in_the_words_of_the_game(client: Client, game: str) -> None:
    for language in ("en", "it", "de"):
        client.cookies.set("language", language)
        page = client.get(f"/new?game={game}").text
        options = re.findall(r'<fieldset class="opt"><legend class="ol"><b>(.*?)</b>(<span[^>]*>.*?</span>)?', page)
        of_the_game = len(contract_of(game).options.specs())
        assert all(about for _label, about in options[:of_the_game]), "every option has a line of its own"


def test_ten_thousand_tables_of_one_person(client: Client, app: Any) -> None:
    running = new_table(client, "take_that", seat_2="open", name="Carla")
    over = new_table(client, "take_that", seat_2="beginner")
    client.post(f"{over}/resign", json={})
    store = app.state.infila.store
    with store.engine.begin() as connection:
        row = connection.execute(select(schema.tables).where(schema.tables.c.id == over[3:])).one()._asdict()
        seat = connection.execute(select(schema.seats).where(schema.seats.c.table_id == over[3:])).first()._asdict()
        now = time.time()
        copies = [row | {"id": f"copy{number}", "created": now + number} for number in range(MANY)]
        connection.execute(insert(schema.tables), copies)
        connection.execute(insert(schema.seats), [seat | {"table_id": each["id"]} for each in copies])
    for path in ("/mine", "/mine?page=2", "/mine?page=334", "/mine?page=9999", "/"):
        began = time.monotonic()
        page = client.get(path)
        assert page.status_code == 200 and time.monotonic() - began < 5, path
        assert running in page.text, "what runs is not buried under what is over"
        assert len(page.text) < 300_000
    for forged in ("0", "-1", "x", "1" * 400, "²", "%00"):
        assert client.get(f"/mine?page={forged}").status_code == 200


def test_a_new_table_is_summed_up_in_a_sentence(client: Client) -> None:
    asked = {"game": "zatre", "players": "4", "teams": "yes", "seat-2": "open", "seat-3": "club", "seat-4": "club"}
    said = client.get("/new/sum", params=asked | {"whole": "600"}).json()["text"]
    assert said == "Zatre for 4: you, whoever has the link and 2 computers (club); in pairs; 10 min each."
    hot_seat = client.get("/new/sum", params={"game": "zatre", "seat-1": "me", "seat-2": "me"}).json()["text"]
    assert hot_seat == "Zatre for 2: you in 2 seats." and "you pass this screen round" in client.get("/new").text
    assert client.get("/new/sum", params={"game": "chess"}).status_code == 404
    forged = {"game": "zatre", "players": "9" * 500, "seat-1": "<b>", "pace": "-1", "teams": "\x00"}
    assert client.get("/new/sum", params=forged).json()["text"].startswith("Zatre for 2: ")
    page = client.get("/new?game=sequence&players=12").text
    assert all(f">{seat}</text>" in page for seat in range(1, 13)), "seats 10 to 12 say so"
