"""Reviews under attack: of games that go on, by too many, of logs that are none; and games that are tried again."""

import re
import time
from collections.abc import Iterator
from typing import Any

import pytest
from litestar.testing import TestClient

import infila
from infila.core.notation import position_of
from infila.puzzles.finding import Finder, imagined
from infila.puzzles.puzzle import Puzzle
from infila.server import reviews
from infila.server.app import create_app
from infila.server.settings import Settings
from infila.server.snapshot import FROM_LOG, FROM_POSITION
from infila.wasm.use import modules_in_use
from tests.server.database import data_for

PATIENCE = 120.0
MOVES = 6

pytestmark = pytest.mark.slow


class Guest:
    """Somebody with a token, which pages take as well."""

    def __init__(self, client: TestClient[Any], name: str) -> None:
        self.client = client
        token = client.post("/api/v1/people", json={"name": name}).json()["token"]
        self.headers = {"authorization": f"Bearer {token}", "accept": "text/html"}

    def get(self, path: str, **settings: Any) -> Any:
        return self.client.get(path, headers=self.headers, follow_redirects=False, **settings)

    def post(self, path: str, **fields: str) -> Any:
        return self.client.post(path, headers=self.headers, data=fields, follow_redirects=False)

    def api(self, path: str, **body: Any) -> Any:
        answer = self.client.post(f"/api/v1{path}", headers=self.headers, json=body)
        assert answer.status_code < 300, answer.text
        return answer.json()


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient[Any]]:
    settings = Settings(data=data_for(tmp_path_factory.mktemp("data")), limits=False, pace=0.0, review_simulations=4)
    with modules_in_use(), TestClient(create_app(settings), base_url="http://testserver.local") as opened:
        opened.headers.update({"sec-fetch-site": "same-origin"})
        yield opened


@pytest.fixture(autouse=True)
def quiet(client: TestClient[Any], monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """What a test has begun ends with it."""
    yield
    monkeypatch.undo()
    monkeypatch.setattr(reviews, "LINGER", 0.0)
    ends(client)


def ends(client: TestClient[Any]) -> None:
    """No review is made any more."""
    end = time.monotonic() + PATIENCE
    while app(client).reviews.going and time.monotonic() < end:
        time.sleep(0.01)
    assert app(client).reviews.going == 0


def playing(client: TestClient[Any], moves: int = MOVES) -> tuple[Guest, Guest, str]:
    """Two people in the middle of a game."""
    anna, bruno = Guest(client, "Anna"), Guest(client, "Bruno")
    table = anna.api("/tables", game="take_that", options={"players": 2}, seats=["me", "open"])["id"]
    bruno.api(f"/tables/{table}/seat")
    for _ in range(moves):
        for each in (anna, bruno):
            seen = client.get(f"/api/v1/tables/{table}", headers=each.headers).json()
            if seen["moves"]:
                each.api(f"/tables/{table}/moves", move=seen["moves"][0], version=seen["version"])
                break
    return anna, bruno, table


def ended(client: TestClient[Any]) -> tuple[Guest, Guest, str]:
    """The same, after one of them has resigned."""
    anna, bruno, table = playing(client)
    bruno.api(f"/tables/{table}/resign")
    return anna, bruno, table


def complete(person: Guest, path: str) -> dict[str, Any]:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        answer = person.get(f"{path}/state")
        assert answer.status_code == 200, answer.text
        state: dict[str, Any] = answer.json()
        if state["complete"]:
            return state
        time.sleep(0.05)
    raise AssertionError("the review does not end")


def app(client: TestClient[Any]) -> Any:
    return client.app.state.infila


def sentence(answer: Any) -> str:
    found = re.search(r"<h1>.*?</h1><p>(.*?)</p>", answer.text)
    assert found, answer.text[:500]
    return found[1]


def test_a_game_that_goes_on_has_no_review(client: TestClient[Any]) -> None:
    anna, bruno, table = playing(client)
    stranger = Guest(client, "Eve")
    for person in (anna, bruno, stranger):
        for path in ("review", "review/state", "review/board?at=2&seat=2"):
            answer = person.get(f"/t/{table}/{path}")
            assert answer.status_code == 400 and "still going on" in answer.text
        answer = person.post(f"/t/{table}/try", at="2", seat="2", world="same")
        assert answer.status_code == 400 and "still going on" in answer.text
    assert not any(key[0] == table for key in app(client).reviews._looks)


def test_a_table_that_is_not_there_and_one_that_has_not_begun(client: TestClient[Any]) -> None:
    anna = Guest(client, "Anna")
    assert anna.get("/t/nothing/review").status_code == 404
    table = anna.api("/tables", game="take_that", options={"players": 2}, seats=["me", "open"])["id"]
    answer = anna.get(f"/t/{table}/review")
    assert answer.status_code == 400 and "has not begun" in answer.text


def test_a_lesson_has_none(client: TestClient[Any]) -> None:
    anna = Guest(client, "Anna")
    place = anna.post("/learn/take_that").headers["location"]
    assert "a lesson has no review" in anna.get(f"{place}/review").text


def test_a_review_is_made_once_for_all_and_nothing_is_written(client: TestClient[Any]) -> None:
    anna, bruno, table = ended(client)
    before = client.get(f"/api/v1/tables/{table}", headers=anna.headers).json()
    for person in (anna, bruno, Guest(client, "Eve")):
        assert person.get(f"/t/{table}/review").status_code == 200
    assert app(client).reviews.going <= 1
    assert complete(anna, f"/t/{table}/review")["percent"] == 100
    assert "<svg" in anna.get(f"/t/{table}/review/board?at=3&seat=2").json()["html"]
    page = anna.get(f"/t/{table}/review?seat=2&at=3").text
    assert 'class="strand"' in page and "This review is complete." in page and "did not come to its end" in page
    assert client.get(f"/api/v1/tables/{table}", headers=anna.headers).json()["version"] == before["version"]
    for language, words in {"it": "Questa analisi è completa.", "de": "Diese Analyse ist fertig."}.items():
        person = Guest(client, "")
        person.headers["accept-language"] = language
        assert words in person.get(f"/t/{table}/review").text


def test_a_thousand_who_ask_have_one_review(client: TestClient[Any]) -> None:
    anna, _bruno, table = ended(client)
    stamps = [anna.get(f"/t/{table}/review/state").json()["stamp"] for _ in range(1000)]
    assert stamps == sorted(stamps) and app(client).reviews.going <= 1
    assert len([key for key in app(client).reviews._looks if key[0] == table]) == 1


def test_what_is_asked_for_has_to_be_there(client: TestClient[Any]) -> None:
    anna, _bruno, table = ended(client)
    for path in ("?at=7", "?at=-1", "?at=x", "?seat=3", "?seat=x", "?seat=0", "/board?at=99", "/board"):
        assert anna.get(f"/t/{table}/review{path}").status_code == 404, path
    for fields in ({"at": "99", "seat": "1"}, {"at": "", "seat": "1"}, {"at": "1", "seat": "9"}, {"at": "1"}):
        assert anna.post(f"/t/{table}/try", **fields).status_code == 404, fields
    assert anna.post(f"/t/{table}/try", at="1", seat="1", world="upside down").status_code == 400


def test_a_game_that_is_too_long_is_refused(client: TestClient[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    anna, _bruno, table = ended(client)
    monkeypatch.setattr(reviews, "LONGEST", 5)
    assert "too long for a review: 6 moves" in anna.get(f"/t/{table}/review").text


def test_a_review_that_nobody_looks_at_ends_and_is_forgotten(
    client: TestClient[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    anna, _bruno, table = ended(client)
    monkeypatch.setattr(reviews, "LINGER", 0.0)
    anna.get(f"/t/{table}/review")
    ends(client)
    assert not any(key[0] == table for key in app(client).reviews._looks)


def test_a_review_that_fails_says_so(client: TestClient[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    anna, _bruno, table = ended(client)

    def fail(_reviewer: Any) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(reviews, "review_of", fail)
    end = time.monotonic() + PATIENCE
    while (answer := anna.get(f"/t/{table}/review/state")).status_code == 200 and time.monotonic() < end:
        time.sleep(0.01)
    assert answer.status_code == 400 and "cannot be reviewed" in answer.text


def test_of_an_address_only_a_few_are_made_at_a_time(client: TestClient[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    anna, _bruno, first = ended(client)
    _anna, _bruno, second = ended(client)
    monkeypatch.setattr(reviews, "MOST_OF_ADDRESS", 1)
    assert anna.get(f"/t/{first}/review").status_code == 200
    answer = anna.get(f"/t/{second}/review")
    assert answer.status_code == 429 and int(answer.headers["retry-after"]) > 0
    complete(anna, f"/t/{first}/review")
    assert anna.get(f"/t/{second}/review").status_code == 200


def test_only_the_latest_are_kept(client: TestClient[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reviews, "MOST_KEPT", 1)
    for _ in range(2):
        anna, _bruno, table = ended(client)
        complete(anna, f"/t/{table}/review")
    ends(client)
    assert [key[0] for key in app(client).reviews._looks] == [table]


# ---- logs from elsewhere


def short_game(moves: int = MOVES) -> infila.Game:
    game = infila.new("take_that", players=2, seed=7, seats=("Anna", "club"))
    for _ in range(moves):
        game.play(game.moves[0])
    return game


def test_an_unfinished_log_is_reviewed_for_whoever_brought_it_and_nobody_else(client: TestClient[Any]) -> None:
    anna = Guest(client, "Anna")
    place = anna.post("/upload", log=short_game().save(), then="review").headers["location"]
    assert re.fullmatch(r"/t/\w+/review", place)
    complete(anna, place)
    assert "did not come to its end" in anna.get(place).text
    assert "still going on" in Guest(client, "Eve").get(place).text


def test_a_damaged_log_is_reviewed_up_to_where_it_is(client: TestClient[Any]) -> None:
    anna = Guest(client, "Anna")
    lines = short_game().save().splitlines()
    place = anna.post("/upload", log="\n".join([*lines, "take the toad"]), then="review").headers["location"]
    assert place.endswith(f"/review?cut={len(lines) + 1}")
    assert f"damaged at line {len(lines) + 1}" in anna.get(place).text
    assert anna.post("/upload", log="\n".join([*lines, "take the toad"])).status_code == 400, "but not played on"


def test_a_log_is_read_from_a_file_too(client: TestClient[Any]) -> None:
    anna = Guest(client, "Anna")

    def sent(file: bytes, **fields: str) -> Any:
        files = {"file": ("game.log", file, "text/plain")}
        return client.post("/upload", headers=anna.headers, data=fields, files=files, follow_redirects=False)

    place = sent(b"\xef\xbb\xbf" + short_game().save().encode(), log="", then="review").headers["location"]
    assert re.fullmatch(r"/t/\w+/review", place)
    assert re.fullmatch(r"/t/\w+", sent(b"", log=short_game().save()).headers["location"]), "no file was chosen"
    assert sent(b"\xff\x00nonsense", log="").status_code == 400


def test_logs_of_which_nothing_can_be_said_get_a_sentence(client: TestClient[Any]) -> None:
    anna, text = Guest(client, "Anna"), short_game().save()
    wrong = {
        "not an infila log": "hello",
        "rules version": text.replace("rules: 1", "rules: 99"),
        "has no seed": re.sub("(?m)^seed: .*\n", "", text),
        "nothing has been played yet": short_game(0).save(),
        "not a header line": text[:60] + "\n" + text[60:],
    }
    for words, log in wrong.items():
        answer = anna.post("/upload", log=log, then="review")
        if answer.status_code == 303:
            answer = anna.get(answer.headers["location"])
        assert answer.status_code == 400 and words in answer.text, words


# ---- once more from a move


def test_a_game_is_tried_again_in_the_same_world(client: TestClient[Any]) -> None:
    anna, _bruno, table = ended(client)
    made = anna.post(f"/t/{table}/try", at="4", seat="1", world="same").headers["location"].removeprefix("/t/")
    tables = app(client).service.tables.in_memory
    before, now = tables[table].snapshot, tables[made].snapshot
    assert now.header.origin == FROM_LOG and now.header.arranged, "it counts for nobody"
    assert now.game.seed == before.game.seed and list(now.game.history[:4]) == list(before.game.history[:4])
    assert (now.seats[0].name, now.seats[1].kind, now.seats[1].level) == ("Anna", "computer", "club")
    assert now.game.names == ("Anna", "club") and now.state == "playing"
    again = infila.load(now.game.save())
    assert again.history[:4] == now.game.history[:4], "its log can be replayed"


def test_what_players_have_mixed_in_is_mixed_in_again(client: TestClient[Any]) -> None:
    anna = Guest(client, "Anna")
    game = infila.new("take_that", players=2, seed=7, words=("one", "two"))
    for _ in range(4):
        game.play(game.moves[0])
    place = anna.post("/upload", log=game.save()).headers["location"]
    made = anna.post(f"{place}/try", at="4", seat="1", world="same").headers["location"].removeprefix("/t/")
    now = app(client).service.tables.in_memory[made].snapshot.game
    assert now.before(len(now.history) - 4).position == game.position


def test_a_game_is_tried_again_in_another_world_that_looks_the_same(client: TestClient[Any]) -> None:
    anna, _bruno, table = ended(client)
    tables = app(client).service.tables.in_memory
    snapshot = tables[table].snapshot
    at = next(at for at in range(1, MOVES) if snapshot.game.before(MOVES - at).player == 0)
    made = anna.post(f"/t/{table}/try", at=str(at), seat="1", world="other").headers["location"].removeprefix("/t/")
    now, then = tables[made].snapshot, snapshot.game.before(MOVES - at)
    assert now.header.origin == FROM_POSITION and now.header.arranged
    assert now.game.view(0).position == then.view(0).position, "to whoever tries it"
    assert now.game.position != then.position, "but nobody else holds the same"


def test_the_end_of_a_game_cannot_be_tried_again(client: TestClient[Any]) -> None:
    anna = Guest(client, "Anna")
    game = infila.new("take_that", players=2, seed=7)
    while not game.over:
        game.play(game.moves[0])
    place = anna.post("/upload", log=game.save()).headers["location"]
    answer = anna.post(f"{place}/try", at=str(len(game.history)), seat="1", world="same")
    assert answer.status_code == 400 and "nothing left to play" in answer.text


def test_a_level_that_is_known_by_its_name_plays_on(client: TestClient[Any]) -> None:
    anna = Guest(client, "Anna")
    game = infila.new("take_that", players=2, seed=7, seats=("expert", "Nora"))
    game.play(game.moves[0])
    place = anna.post("/upload", log=game.save()).headers["location"]
    made = anna.post(f"{place}/try", at="1", seat="2", world="same").headers["location"].removeprefix("/t/")
    assert app(client).service.tables.in_memory[made].snapshot.seats[0].level == "expert"


def test_to_try_again_is_limited_as_new_tables_are(tmp_path_factory: pytest.TempPathFactory) -> None:
    settings = Settings(data=data_for(tmp_path_factory.mktemp("data")), pace=0.0, review_simulations=4)
    with modules_in_use(), TestClient(create_app(settings), base_url="http://testserver.local") as limited:
        limited.headers.update({"sec-fetch-site": "same-origin"})
        anna, _bruno, table = ended(limited)
        found = {anna.post(f"/t/{table}/try", at="3", seat="1", world="same").status_code for _ in range(60)}
        assert found == {303, 429}


# ---- puzzles out of a game that is over


def sought(guest: Guest, table: str) -> None:
    end = time.monotonic() + PATIENCE
    while not guest.get(f"/t/{table}/review/state").json()["sought"] and time.monotonic() < end:
        time.sleep(0.02)


def every_position(self: Finder, states: Any, seat: int) -> Puzzle:
    """In place of `Finder.puzzle_at`: whatever is played first is best, without a search."""
    world = imagined(infila.load(position_of(self.contract, states)).view(seat).states, seat)
    best, *others = infila.load(position_of(self.contract, world)).view(seat).moves
    return Puzzle(position_of(self.contract, world), seat, (best,), 0.2, 0.01, dict.fromkeys(others, 20), (8, 8, 8, 8))


def test_puzzles_of_a_game_come_with_its_review_and_not_before_its_end(
    client: TestClient[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """They are made of what a seat saw: so they are nobody's business while the game goes on, and the position that
    they show is one that the seat may imagine."""
    monkeypatch.setattr(Finder, "puzzle_at", every_position)
    anna, _bruno, table = playing(client)
    for path in (f"/puzzles/{table}/1", f"/puzzles/{table}/1/state"):
        assert anna.get(path).status_code == 400, "the game goes on"
    anna, _bruno, table = ended(client)
    eve = Guest(client, "Eve")
    assert eve.get(f"/puzzles/{table}/1").headers["location"] == f"/t/{table}/review", "there it is looked for"
    sought(eve, table)
    look = next(look for key, look in app(client).reviews._looks.items() if key[0] == table)
    for seat in (0, 1):
        page = eve.get(f"/t/{table}/review?seat={seat + 1}").text
        numbers = [int(each) for each in re.findall(rf'href="/puzzles/{table}/(\d+)"', page)]
        assert numbers == [number for number, _puzzle in look.puzzles_of(seat)] != []
    (number, puzzle), *others = look.puzzles_of(0)
    here = f"/puzzles/{table}/{number}"
    assert eve.get(here).status_code == 200 and f"puzzle at move {number}" in eve.get(here).text
    assert eve.get(f"{here}/state").json()["show"] == []
    assert eve.client.post(f"{here}/solution", headers=eve.headers).json()["show"]
    assert puzzle.best[0] in puzzle.view.moves
    last = others[-1][0] if others else number
    for at, following in ((number, f"/puzzles/{table}/" if others else "/puzzles/take_that/"), (last, "/puzzles/")):
        answer = eve.client.post(f"/puzzles/{table}/{at}/next", headers=eve.headers)
        assert answer.json()["url"].startswith(following)
    for path in ("0", "999", "x"):
        assert eve.get(f"/puzzles/{table}/{path}").status_code == 404
