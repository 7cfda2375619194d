"""docs/tutorials/add_a_game.md shows the example as it is."""

import re

import pytest

from infila.core.contract import Notation, Rules, Scoring
from infila.core.games import functions_of
from tests.add_a_game import packages

GUIDE = (packages.ROOT / "docs" / "tutorials" / "add_a_game.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```(?:python|toml)\n(.*?)\n```", GUIDE, re.DOTALL)
OTHERS = ("from infila.conformance import check",)  # that are not the example's
ONLY_TOLD_OF = ("advice.py", "features.py")
SOURCES = [file.read_text(encoding="utf-8") for file in packages.EXAMPLE.rglob("*") if file.suffix in (".py", ".toml")]


@pytest.mark.parametrize("block", [block for block in BLOCKS if not block.startswith(OTHERS)], ids=lambda b: b[:30])
def test_code_in_the_guide_is_the_examples(block: str) -> None:
    assert any(block in source for source in SOURCES), f"no file of the example has:\n{block}"


def test_all_code_of_the_guide_is_compared() -> None:
    assert len(BLOCKS) == GUIDE.count("```python\n") + GUIDE.count("```toml\n")


def test_the_guide_shows_a_piece_of_every_module() -> None:
    for file in (packages.EXAMPLE / "infila_connect_four").glob("*.py"):
        source = file.read_text(encoding="utf-8")
        assert any(block in source for block in BLOCKS) == (file.name not in ONLY_TOLD_OF), file.name


def test_the_guide_shows_every_function_that_a_game_must_have() -> None:
    shown = set(re.findall(r"^def (\w+)\(", "\n".join(BLOCKS), re.MULTILINE))
    for protocol in (Rules, Notation, Scoring):
        assert set(functions_of(protocol)) <= shown, protocol.__name__


def test_the_guide_names_every_file() -> None:
    named = set(re.findall(r"`([\w/]+\.\w+)`", GUIDE))
    for file in (packages.EXAMPLE / "infila_connect_four").glob("*.py"):
        assert file.name in named, file.name
