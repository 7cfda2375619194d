"""Every golden game still plays as it did: the rules of version 1 are pinned."""

import json
from typing import Any

import pytest

import infila
from tests.play import every_option_set
from tests.records import FOLDER, stem_of

RESULTS: dict[str, dict[str, Any]] = json.loads((FOLDER / "results.json").read_text(encoding="utf-8"))


def test_there_is_a_record_for_every_option_set() -> None:
    assert sorted(RESULTS) == sorted(stem_of(name, options) for name, options in every_option_set())


@pytest.mark.parametrize("stem", sorted(RESULTS))
def test_a_golden_game_replays(stem: str) -> None:
    text = (FOLDER / f"{stem}.log").read_text(encoding="utf-8")
    game = infila.load(text)
    assert game.over
    assert len(game.history) == RESULTS[stem]["moves"]
    assert game.scores == RESULTS[stem]["scores"]
    assert game.log == text
