"""Packages that bring a game: a broken one says what is wrong with it and disturbs nobody, a bare one gets by."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import infila
from infila.core.errors import BrokenGame
from infila.core.games import NAMES, contract_of, usable_games
from infila.server.command import report_broken_games
from infila.study.run import study
from tests.add_a_game import packages

Damage = Callable[[Path], object]


def replaced(file: str, old: str, new: str) -> Damage:
    def damage(package: Path) -> None:
        text = (package / file).read_text(encoding="utf-8")
        assert old in text
        (package / file).write_text(text.replace(old, new), encoding="utf-8")

    return damage


DAMAGES: dict[str, tuple[Damage, str]] = {
    "imports": (
        replaced("rules.py", "import numpy", "import no_such_module, numpy"),
        "No module named 'no_such_module'",
    ),
    "syntax": (replaced("notation.py", "def text(", "def text(("), "cannot be imported"),
    "nothing": (lambda package: (package / "__init__.py").write_text(""), "has no CONTRACT"),
    "thing": (
        lambda package: (package / "__init__.py").write_text("CONTRACT = 4"),
        "is not an infila.core.contract.Contract",
    ),
    "name": (replaced("__init__.py", 'name="name', 'name="another'), "its CONTRACT calls it 'another"),
    "rule": (replaced("rules.py", "def redraw(", "def redrew("), "its rules.py has no redraw()"),
    "scoring": (replaced("scoring.py", "def explain(", "def explained("), "its scoring.py has no explain()"),
}


@pytest.mark.parametrize("what", DAMAGES)
def test_a_broken_game_says_what_is_wrong(what: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    damage, sentence = DAMAGES[what]
    game = f"{what}_four"
    damage(packages.copied(tmp_path, game))
    with packages.on_the_path(tmp_path):
        assert infila.games() == (*NAMES, game)
        assert usable_games() == NAMES
        with pytest.raises(BrokenGame) as caught:
            infila.new(game)
        report_broken_games()
    said = str(caught.value)
    assert sentence in said
    assert f"the game '{game}' cannot be played" in said and f"infila_{game}" in said and "\n" not in said
    assert capsys.readouterr().err == f"infila: {said}\n"


def test_a_bare_game_says_its_moves_as_they_are_written_and_speaks_english(tmp_path: Path) -> None:
    package = packages.copied(tmp_path, "bare_four")
    for file in ("story.py", "advice.py", "study.py", "texts/it.toml", "texts/it.md", "texts/de.md"):
        (package / file).unlink()
    (package / "texts" / "de.toml").write_text('[options]\nplayers = "Leute"\n', encoding="utf-8")
    with packages.on_the_path(tmp_path):
        contract = contract_of("bare_four")
        states = np.zeros(1, contract.rules.State)
        assert contract.advice.reasons(states[0], 3) == []
        told = contract.story.tell(states[0], 3)
        said = [contract.words(language)["moves"][told.key].format(**told.values) for language in ("en", "it", "de")]
        assert said == ["plays d", "gioca d", "spielt d"]
        assert contract.text("it") == contract.text("de") == contract.text("en")
        assert contract.words("it")["picture"]["disc_1"] == "red"
        german = contract.words("de")
        assert (german["options"]["players"], german["picture"]["disc_1"]) == ("Leute", "red")
        assert contract.languages() == ["en", "de"]
        figures = study("bare_four", 50, threads=1).run()
        assert figures.events() == [] and 0.2 < figures.wins()[0].mean < 0.9


def test_a_module_that_is_needed_later_says_so_later(tmp_path: Path) -> None:
    package = packages.copied(tmp_path, "later_four")
    (package / "picture.py").write_text("import no_such_module")
    with packages.on_the_path(tmp_path):
        contract = contract_of("later_four")
        assert usable_games() == NAMES
        with pytest.raises(BrokenGame, match=r"its picture.py cannot be imported \(No module named 'no_such_module'\)"):
            _ = contract.picture


def test_two_games_with_the_same_record_cannot_be_told_apart(tmp_path: Path) -> None:
    first, second = packages.copied(tmp_path, "first_four"), packages.copied(tmp_path, "second_four")
    for file in second.glob("*.py"):
        file.write_text(file.read_text(encoding="utf-8").replace("second_four_discs", "first_four_discs"))
    assert first.is_dir()
    with packages.on_the_path(tmp_path):
        contract_of("first_four")
        with pytest.raises(BrokenGame, match="cannot be told apart from that of infila_first_four"):
            contract_of("second_four")


@pytest.mark.parametrize("game", ["zatre", "Two Words", "2fast"])
def test_a_name_that_cannot_be_is_left_out(game: str, tmp_path: Path) -> None:
    packages.registered(tmp_path, game, "infila_nowhere")
    with packages.on_the_path(tmp_path):
        assert infila.games() == NAMES
        assert contract_of("zatre").package == "infila.games.zatre"


def test_an_unknown_game_names_those_that_there_are(tmp_path: Path) -> None:
    packages.copied(tmp_path, "known_four")
    with packages.on_the_path(tmp_path), pytest.raises(infila.UnknownGame, match="sequence, known_four"):
        infila.new("chess")
