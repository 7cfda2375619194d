"""docs/tutorials/add_a_game.md shows the example as it is."""

import re

import pytest

from tests.add_a_game import packages

GUIDE = (packages.ROOT / "docs" / "tutorials" / "add_a_game.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```(?:python|toml)\n(.*?)\n```", GUIDE, re.DOTALL)
OTHERS = ("from infila.conformance import check",)  # that are not the example's
SOURCES = [file.read_text(encoding="utf-8") for file in packages.EXAMPLE.rglob("*") if file.suffix in (".py", ".toml")]


@pytest.mark.parametrize("block", [block for block in BLOCKS if not block.startswith(OTHERS)], ids=lambda b: b[:30])
def test_code_in_the_guide_is_the_examples(block: str) -> None:
    assert any(block in source for source in SOURCES), f"no file of the example has:\n{block}"


def test_the_guide_shows_enough_of_it() -> None:
    assert len(BLOCKS) > 20


def test_the_guide_names_every_file() -> None:
    named = set(re.findall(r"`([\w/]+\.\w+)`", GUIDE))
    for file in (packages.EXAMPLE / "infila_connect_four").glob("*.py"):
        assert file.name in named, file.name
