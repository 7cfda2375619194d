"""The example is a game like the others: rules, library, terminal, page, players, conformance."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from litestar.testing import TestClient

import infila
from infila.batch.simulate import simulate
from infila.conformance import check
from infila.core.games import NAMES
from infila.server.app import create_app
from infila.server.settings import Settings
from infila.study.run import study
from infila.web import table_html
from tests.add_a_game import packages
from tests.play import position_in

ROWS = [".......", ".......", ".......", ".......", "..22...", "..111.2"]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    site = packages.install(tmp_path_factory.mktemp("connect_four"))
    with packages.on_the_path(site):
        yield site


@pytest.fixture(scope="module", autouse=True)
def _installed(site: Path) -> None:
    """Every test here has the game installed."""


def table(rows: list[str] = ROWS, **fields: Any) -> infila.Game:
    return infila.load(position_in(infila.new("connect_four", seed=1, starter=0)) | {"board": rows} | fields)


def test_it_is_one_of_the_games() -> None:
    assert infila.games() == (*NAMES, "connect_four")


def test_C2_the_starter_is_chosen_or_drawn() -> None:
    assert [infila.new("connect_four", starter=seat, seed=1).player for seat in (0, 1)] == [0, 1]
    assert {infila.new("connect_four", seed=seed).player for seed in range(20)} == {0, 1}


def test_C3_a_disc_falls_to_the_lowest_free_cell_and_a_full_column_is_refused() -> None:
    game = infila.new("connect_four", seed=1, starter=0)
    for _ in range(6):
        game.play("d")
    assert [row[3] for row in position_in(game)["board"]] == list("212121")
    assert "d" not in game.moves
    assert game.why_not("d") == "C3: column d is full. Choose another."


@pytest.mark.parametrize(
    ("moves", "four"),
    [
        ("d e d e d e d", "d1 to d4"),
        ("a a b b c c d", "a1 to d1"),
        ("a b b c c d c d d a d", "a1 to d4"),
        ("g f f e e d e d d g d", "d4 to g1"),
    ],
)
def test_C4_four_in_a_row_win(moves: str, four: str) -> None:
    game = infila.new("connect_four", seed=1, starter=0)
    for move in moves.split():
        assert not game.over
        game.play(move)
    assert (game.over, game.winners, game.scores) == (True, [0], [1, 0])
    assert [item.text for item in game.explain()[0].seats[0]] == [f"four in a row, {four}"]


def test_C4_no_line_runs_over_the_edge() -> None:
    """The top of a column and the foot of the next are no neighbours."""
    top = ["1......", "1......", "1......", "2......", "2......", "21.2..."]
    assert table(top, player=1, over=False).moves


def test_C5_a_full_board_is_a_draw() -> None:
    rows = ["1122112", "2211221", "1122112", "2211221", "1122112", "2211221"]
    game = table(rows, player=2, over=True)
    assert (game.winners, game.scores) == ([], [0, 0])


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"board": ["......1", *ROWS[1:]]}, "C3: the disc on g6 has nothing below it"),
        ({"player": 2}, "C2: with 3 and 3 discs it cannot be the turn of seat 2"),
        ({"over": True}, "C4, C5: the game is over if"),
        ({"board": [*ROWS[:5], "..1x1.2"]}, "a row is seven signs"),
        ({"board": [*ROWS[:4], "..2222.", ".11112."], "over": True}, "C4: four in a row end the game"),
    ],
)
def test_impossible_positions_are_refused(wrong: dict[str, Any], sentence: str) -> None:
    with pytest.raises(infila.BadPosition, match=re.escape(sentence)):
        table(**({"rows": wrong.pop("board")} if "board" in wrong else {}), **wrong)


def test_every_level_wins_at_once_and_parries() -> None:
    """But the first, which overlooks things."""
    for level in ("casual", "club", "expert", "master:200"):
        thought = infila.player("connect_four", level).think(table().view(0))
        assert thought.move in ("b", "f"), level
    threatened = table([*ROWS[:4], "..22...", "1.111.2"], player=2)
    assert infila.player("connect_four", "club").think(threatened.view(1)).move == "b"
    hint = infila.hints(threatened.view(1), infila.player("connect_four", "club").think(threatened.view(1)))[0]
    assert hint.reasons[0] == "keeps the opponent from four in a row at b1"


def test_it_is_studied() -> None:
    figures = study("connect_four", 300, {"starter": 1}, threads=1).run()
    fours, full = [each.times for each in figures.events()][:3], figures.events()[3].times
    assert full == figures.draws and sum(fours) >= 300 - full
    assert figures.place_scores.sum() == 300 - full
    assert figures.choices.most == 7


def test_it_conforms() -> None:
    check("connect_four")


def test_it_is_as_fast_as_it_should_be() -> None:
    """A tenth of what bench/connect_four.py measures: this machine may be busy."""
    tally = simulate("connect_four", 20_000)
    assert tally.moves / tally.seconds > 2e6


def run(*arguments: str, typed: str = "", **environment: str) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join([str(packages.ROOT), *sys.path])
    command = [sys.executable, "-m", "infila", *arguments]
    home = os.environ | {"PYTHONPATH": path} | environment
    return subprocess.run(command, env=home, input=typed, capture_output=True, text=True, timeout=120)


def test_it_is_played_in_the_terminal(tmp_path: Path) -> None:
    file = tmp_path / "game.log"
    done = run("play", "connect_four", "--seats", "Anna,club", "--file", str(file), "--seed", "4", typed="d\nquit\n")
    assert done.returncode == 0, done.stderr
    assert "▶ Anna" in done.stdout and "●" in done.stdout
    assert infila.load(file).game == "connect_four"


def test_it_has_its_pages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    app = create_app(Settings(data=str(tmp_path), limits=False, pace=0.0))
    with TestClient(app, base_url="http://testserver.local") as client:
        client.headers.update({"accept": "text/html", "sec-fetch-site": "same-origin"})
        assert 'data-game="connect_four"' in client.get("/").text
        monkeypatch.setattr("infila.server.pages.frame.is_compiled", lambda game: True)
        monkeypatch.setattr(table_html, "opening", lambda game, language: 1 / 0)
        assert client.get("/").status_code == 200, "a picture that fails does not take the front page with it"
        client.cookies.set("language", "it")
        assert "Forza quattro" in client.get("/rules/connect_four").text
        answer = client.post("/new", data={"game": "connect_four", "seat-1": "me", "seat-2": "me", "starter": "1"})
        address = answer.url.path
        page = lifted(client, address)
        assert [move["a"] for move in page["moves"]][:2] == ["nella colonna a", "nella colonna b"]
        assert "Scegli una colonna" in page["fragments"]["say"]
        body = {"move": "d", "version": page["version"], "key": "k"}
        assert client.post(f"{address}/moves", json=body).status_code == 200
        assert "lascia cadere un gettone: d1" in lifted(client, address)["fragments"]["log"]
        monkeypatch.setattr("infila.server.pages.front.usable_games", lambda: NAMES)
        assert "connect_four" in client.get("/mine").text, "its tables are listed even when it is uninstalled"


def lifted(client: TestClient[Any], address: str) -> dict[str, Any]:
    """What the one on turn sees once the curtain between two at one screen is lifted."""
    seat = client.get(f"{address}/state").json()["buttons"][0]["seat"]
    state: dict[str, Any] = client.get(f"{address}/state?eyes={seat}").json()
    return state


def test_a_game_without_a_poster_shows_its_opening() -> None:
    poster = table_html.opening("connect_four", "en")
    assert poster.startswith("<svg viewBox=") and poster.count("<circle") >= 42 and 'class="pic"' in poster


def test_its_compiled_rules_follow_its_sources(tmp_path: Path) -> None:
    """A change in a package is noticed by what infila compiled for its record, though not by infila's own games."""
    package = packages.copied(tmp_path / "site", "other_four")
    cache = {"PYTHONPATH": os.pathsep.join([str(tmp_path / "site"), str(packages.ROOT)])}
    arguments = ("simulate", "other_four", "--games", "50", "--threads", "1", "--option", "starter=1", "--json")
    first = run(*arguments, **cache)
    assert run(*arguments, **cache).stdout.split("digest")[1] == first.stdout.split("digest")[1], first.stderr
    rules = package / "rules.py"
    rules.write_text(rules.read_text().replace("s.winner = me + 1", "s.winner = 2 - me"))
    changed = run(*arguments, **cache)
    assert changed.stdout.split("digest")[1] != first.stdout.split("digest")[1]


IDS = """
import gymnasium, pettingzoo, pyspiel
import infila.envs.gymnasium, infila.envs.openspiel, infila.envs.pettingzoo
env = pettingzoo.make("aec", "infila/connect_four_v0")
env.reset(seed=1)
print(env.last()[0]["action_mask"].sum(), env.state().shape == env.state_space.shape)
print(pettingzoo.make("parallel", "infila/connect_four_v0").reset(seed=1)[0].keys())
seen, info = gymnasium.make("infila/ConnectFour-v0", opponents="random").reset(seed=1)
print(info["action_mask"].sum())
many = gymnasium.make_vec("infila/ConnectFour-v0", num_envs=2, vectorization_mode="vector_entry_point")
print(many.reset(seed=1)[0].shape)
print(pyspiel.load_game("infila_connect_four").num_distinct_actions())
"""


@pytest.mark.slow
def test_it_has_ids_in_every_library_as_the_others_have(site: Path) -> None:
    told = os.environ | {"PYTHONPATH": os.pathsep.join([str(site), str(packages.ROOT)])}
    done = subprocess.run([sys.executable, "-c", IDS], capture_output=True, text=True, env=told, timeout=300)
    assert done.stdout.splitlines() == ["7 True", "dict_keys(['player_0', 'player_1'])", "7", "(2, 96)", "7"], (
        done.stderr
    )
