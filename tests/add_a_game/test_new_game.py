"""`infila new-game` makes a package that does what every game must, with nothing but rules, options, notation and
scoring; with that little a game plays everywhere."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import infila
from infila.arena.match import play_game
from infila.batch import Batch
from infila.cli import main
from infila.conformance import CHECKS, check
from infila.conformance.new_game import new_game
from infila.core.features import named
from infila.core.games import contract_of, usable_games
from infila.envs import pettingzoo
from infila.web import rulebook, table_html
from tests.add_a_game import packages

GAME = "odd_one"
COMPILING = ("rules_have_no_floats", "the_module_plays_the_same")
FILES = ("__init__.py", "notation.py", "options.py", "rules.py", "scoring.py")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    place = new_game(GAME, tmp_path_factory.mktemp("games") / "odd-one")
    packages.registered(place, GAME, f"infila_{GAME}")
    with packages.on_the_path(place):
        yield place


def test_it_has_no_more_than_it_needs(made: Path) -> None:
    assert sorted(file.name for file in (made / f"infila_{GAME}").glob("*.*")) == sorted(FILES)
    assert "high" not in "".join(file.read_text().lower().replace("higher", "") for file in made.rglob("*.toml"))
    assert GAME in usable_games()


def test_its_sources_are_in_order(made: Path) -> None:
    for command in (["check", "--select", "E,F,W,B,UP"], ["format", "--check"]):
        lint = [sys.executable, "-m", "ruff", *command, "--isolated", "--line-length", "120", str(made)]
        done = subprocess.run(lint, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout


def test_its_own_tests_pass(made: Path) -> None:
    """In a process of its own, where rules are plain Python; one of them is the conformance, which is checked below."""
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "-k",
        "not conforms",
        str(made / "tests"),
    ]
    environment = {"PYTHONPATH": os.pathsep.join([str(made), str(packages.ROOT)]), "NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run(command, cwd=made, env=os.environ | environment, capture_output=True, text=True)
    assert "6 passed" in done.stdout, done.stdout[-3000:]


def test_make_runs_its_tests(made: Path) -> None:
    done = subprocess.run(["make", "-n", "test", "PYTHON=python"], cwd=made, capture_output=True, text=True)
    assert done.stdout.splitlines() == ["python -m pip install --quiet --no-deps -e .", "python -m pytest -q"]


OPENSPIEL = """
import pyspiel
import infila.envs.openspiel
game = pyspiel.load_game("infila_odd_one")
pyspiel.random_sim_test(game, num_sims=5, serialize=True, verbose=False)
print(game.num_players())
"""


@pytest.mark.slow
def test_openspiel_plays_it(made: Path) -> None:
    """In a process of its own: OpenSpiel gets all games when infila's are imported first."""
    pytest.importorskip("pyspiel")
    environment = {"PYTHONPATH": os.pathsep.join([str(made), str(packages.ROOT)]), "NUMBA_DISABLE_JIT": "1"}
    command = [sys.executable, "-c", OPENSPIEL]
    done = subprocess.run(command, cwd=made, env=os.environ | environment, capture_output=True, text=True)
    assert done.stdout.splitlines()[-1:] == ["2"], done.stderr


@pytest.mark.slow
def test_it_conforms(made: Path) -> None:
    """`make test-long` makes the checks, too, for which everything is compiled anew."""
    every = "EVERY_CHECK" in os.environ
    check(GAME, only=[name for name in CHECKS if every or name not in COMPILING])


def test_it_plays_in_a_batch_which_sees_what_a_view_sees(made: Path) -> None:
    batch = Batch(GAME, 64, seed=5)
    features = contract_of(GAME).features.FEATURES
    for _ in range(6):
        seen = named(features, batch.observe())
        hands, viewer = seen[f"{GAME}_hand"], seen["viewer"][:, 0]
        rows = np.arange(64)
        assert not hands[rows, 1 - viewer].any() and not seen["covered"].any()
        actions, counts = batch.legal()
        assert (hands[rows, viewer] != 0).sum(axis=1).tolist() == counts.tolist()
        batch.step(actions[:, 0])


def test_it_plays_in_the_arena_and_a_longer_search_is_stronger(made: Path) -> None:
    contract = contract_of(GAME)
    options = contract.options.make({})
    won = [0, 0]
    for deal in range(40):
        for seats in ((0, 1), (1, 0)):
            players = [infila.player(GAME, ("club", "beginner")[seat], seed=deal) for seat in seats]
            scores = play_game(contract, options, 1, deal, players).scores
            won[seats[scores.index(max(scores))]] += 1
    assert won[0] > won[1] + 10


def test_it_is_an_environment(made: Path) -> None:
    env = pettingzoo.env(GAME)
    env.reset(seed=7)
    for _ in env.agent_iter():
        observation, _reward, ended, cut, _info = env.last()
        env.step(None if ended or cut else int(np.flatnonzero(observation["action_mask"])[0]))
    assert not env.agents


def test_it_is_shown_as_text_and_its_moves_can_be_touched(made: Path) -> None:
    game = infila.new(GAME, seed=1, leader=0)
    view = game.view(0)
    assert "covered:" in str(view) and "?" in str(view)
    assert all(f'data-part="hand-{move}"' in view._repr_svg_() for move in view.moves)
    assert "A move is written like this" in rulebook.rules_html(GAME, "it")[0]
    assert table_html.words(GAME, "de")["options"]["leader_random"] == "random"


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("class", "this word belongs to Python"),
        ("zatre", "there is a game 'zatre' already"),
        ("../evil", "a game cannot be called '../evil'"),
        ("Odd", "a game cannot be called 'Odd'"),
        ("", "a game cannot be called ''"),
        ("a" * 41, "a game cannot be called"),
        ("a/b", "a game cannot be called 'a/b'"),
    ],
)
def test_bad_names_are_refused(
    name: str, sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as ended:
        main(["new-game", name])
    assert ended.value.code == 2 and sentence in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_nothing_is_written_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    main(["new-game", "my_game"])
    assert (tmp_path / "my_game" / "infila_my_game" / "rules.py").is_file()
    with pytest.raises(SystemExit):
        main(["new-game", "my_game"])
    (tmp_path / "file").write_text("")
    with pytest.raises(infila.InfilaError, match="cannot be written"):
        new_game("my_game", tmp_path / "file" / "inside")
