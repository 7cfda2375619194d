"""Sounds: a game says which of its moves makes which, and the page can make all of them."""

import re
from importlib import resources

import pytest

from infila.core.games import contract_of
from tests.play import GAMES

MADE = re.findall(r"^  (\w+): ", resources.files("infila.web").joinpath("static", "sound.js").read_text("utf-8"), re.M)


@pytest.mark.parametrize("game", GAMES)
def test_every_sound_belongs_to_a_move_and_can_be_made(game: str) -> None:
    contract = contract_of(game)
    sounds = getattr(contract.story, "SOUNDS", {})
    assert set(sounds) <= set(contract.words("en")["moves"])
    assert set(sounds.values()) <= {"", *MADE} and "lay" in MADE
