"""Sequence: moves in text and as paths of parts."""

import pytest

from tests.games.sequence.table import TALK, refused, table


def test_moves_of_the_rules_file_in_any_case() -> None:
    game = table("7S JC JS TC", "8S", chips={2: "e5"})
    for move in ("7S@b2", "7s@B2", " 7S @ b2 ", "jc@E6", "JSXe5", "10C@a5", "TC@a5"):
        assert game.why_not(move) is None


@pytest.mark.parametrize(
    "move", ["", "7", "b2", "7S@k2", "7S@b11", "7S-b2", "lock", "dead", "offence x", "draw 2", "é@b2"]
)
def test_texts_that_are_no_moves(move: str) -> None:
    refused(table("7S", "8S"), move, "")


@pytest.mark.parametrize("move", ["dead 1S", "discard XX", "dead 7X"])
def test_S1_cards_that_do_not_exist(move: str) -> None:
    refused(table("7S", "8S"), move, "S1")


def test_moves_as_paths_of_parts() -> None:
    game = table("7S JC JS KS", "8S", "9S", "2C", chips={2: "e5 b7 j7"}, **TALK)
    paths = {move: game.parts(move) for move in ("7S@b2", "JC@e6", "JSxe5", "dead KS", "offence 2")}
    assert paths["7S@b2"] == ("hand-7S", "cell-b2")
    assert paths["JC@e6"] == ("hand-JC", "cell-e6")
    assert paths["JSxe5"] == ("hand-JS", "cell-e5")
    assert paths["dead KS"] == ("hand-KS", "discards")
    assert paths["offence 2"] == ("side-2",)
    game.play("offence 1")
    assert game.parts("3: discard 9S") == ("hand-9S", "discards")
    assert table("", "8S", draw="manual", undrawn=[2]).parts("pass") == ("pass",)
    assert table("", "8S", draw="manual", undrawn=[2]).parts("2: draw") == ("pile",)
    locking = table("9H", "8S", chips={1: "b4 c4 d4 f4 g4"}).after("9H@e4")
    assert locking.parts("lock b4-f4") == ("cell-b4", "cell-f4")
