"""What is said of a move of Zatre: it is true, it does not contradict itself, and it adds up."""

import random
import string
import tomllib
from collections.abc import Callable
from importlib import resources
from typing import Any

import pytest

import infila
from infila.core.contract import Reason
from infila.games.zatre import advice
from infila.games.zatre.lines import lines_made
from infila.games.zatre.rules import DRAW, place_laid, sheet_total, value_laid
from infila.players.hints import sentences
from tests.games.zatre.table import opening, table
from tests.games.zatre.test_heuristics import OPTIONS
from tests.play import random_game

LANGUAGES = ("en", "it", "de")


def texts(language: str) -> dict[str, str]:
    source = resources.files("infila.games.zatre").joinpath("texts", f"{language}.toml")
    found: dict[str, str] = tomllib.loads(source.read_text(encoding="utf-8"))["reasons"]
    return found


def gaps(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


def test_all_languages_say_the_same() -> None:
    english = texts("en")
    for language in LANGUAGES:
        assert {key: gaps(text) for key, text in texts(language).items()} == {
            key: gaps(text) for key, text in english.items()
        }


@pytest.mark.parametrize("options", OPTIONS[:3])
def test_every_move_has_a_reason(options: dict[str, Any]) -> None:
    english = texts("en")
    for number, game in enumerate(random_game("zatre", 5, **options)):
        if game.over or number % 9:
            continue
        view = game.view(game.player)
        for action in view.actions():
            before = view.states.tobytes()
            found = advice.reasons(view.states[0], action)
            assert view.states.tobytes() == before
            assert found and (len(found) <= 4 or all("points" in reason.values for reason in found))
            assert not names_a_tile_twice(found)
            for reason in found:
                assert gaps(english[reason.key]) <= set(reason.values)


def names_a_tile_twice(found: list[Reason]) -> bool:
    """Whether a tile is said to be laid by its owner and by another."""
    own = [reason.values for reason in found if reason.key == "prepares"]
    others = [reason.values for reason in found if reason.key.partition("_")[0] in ("opens", "leaves", "helps")]
    return any(one["cell"] == other.get("cell") for one in own for other in others)


def chosen_by_club(game: infila.Game) -> str:
    return infila.player("zatre", "club").think(game.view(game.player)).move


def chosen_at_random(game: infila.Game) -> str:
    """Often a tile that lengthens a line of this turn, or one in a line of 10, 11 or 12."""
    chance = random.Random(len(game.history))
    lays = [action for action in game.actions() if action < DRAW]
    made = {action: lines_made(game.states[0], place_laid(action), value_laid(action)) for action in lays}
    longer = [action for action in lays if any(shorter for _, shorter in made[action])]
    good = [action for action in lays if made[action]]
    for wanted in (longer, good):
        if wanted and chance.random() < 0.7:
            return game.text(chance.choice(wanted))
    return game.text(chance.choice(game.actions()))


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("choose", [chosen_by_club, chosen_at_random])
def test_what_is_said_of_a_turn_adds_up(options: dict[str, Any], choose: Callable[[infila.Game], str]) -> None:
    """Z15 to Z18: the points said of its tiles are what the sheet gains."""
    game = infila.new("zatre", seed=9, **options)
    points, turns = 0, 0
    while not game.over:
        s, move = game.states[0], choose(game)
        part, sheet = (int(s.turn), int(s.second)), int(s.turn) >> int(s.teams)
        before = sheet_total(s, sheet)
        view = game.view(game.player)
        found = advice.reasons(view.states[0], view.read(move))
        points += sum(reason.values.get("points", 0) for reason in found)
        assert not names_a_tile_twice(found)
        game.play(move)
        s = game.states[0]
        if game.over or (int(s.turn), int(s.second)) != part:
            assert sheet_total(s, sheet) - before == points, move
            points = 0
            turns += 1
    assert turns > 40


def said(game: infila.Game, move: str) -> list[str]:
    view = game.view(game.player)
    return list(sentences(view.contract, advice.reasons(view.states[0], view.read(move))))


def test_reasons_are_concrete() -> None:
    game = table("6@h8 1@h9", [4], [], sheets={1: {"x2": 1, "10": [1], "11": [], "12": [4]}})
    assert said(game, "4@h10")[:2] == [
        "fills row 1 of the sheet: bonus +6",
        "completes a line of 11 in row 1 of the sheet, which has a cross (+4)",
    ]
    assert said(table("6@h8", [2, 4], [], bag=()), "stop") == ["keeps 2, 4, which count as minus (−6)"]
    assert said(table("6@h8 5@i8", [3, 4], [], drawn=False), "draw")[0] == "draws one more tile: 3 to choose from"
    assert "the 5 on" in " ".join(said(table("6@h8", [1, 5], []), "1@h9"))


def test_what_is_opened_is_judged_after_the_tile_that_is_prepared() -> None:
    assert said(table("6@h8", [1, 5], []), "1@h9") == [
        "prepares a line of 12: the 5 on h10 completes it in the same turn",
        "takes the cell where a 6 would have made a 12",
        "leaves an 11 to the next player: a 6 on i10",
    ]
    assert said(table("6@h8", [1, 2], []), "1@h9")[-1] == "opens a line of 12: a 5 on h10"


def test_reasons_know_what_the_turn_has_made() -> None:
    """Z15, Z16: the row is full already, and both 12s share its box."""
    game = table("6@h8 5@h9 5@g8", [1, 1], [], sheets={1: {"x2": 1, "10": [1], "11": [2], "12": []}})
    assert said(game, "1@h10")[:2] == [
        "completes a line of 12 in row 1 of the sheet, which has a cross (+8)",
        "fills row 1 of the sheet: bonus +6",
    ]
    assert said(game.after("1@h10"), "1@i8") == [
        "completes another line of 12, in the same box of row 1 (+8)",
        "opens no new line of 10, 11 or 12",
    ]


def test_a_longer_line_counts_instead_of_the_shorter_one() -> None:
    """Z15: the 10 of this turn, which had filled row 1, becomes a 12 for row 2."""
    game = table("6@h8", [4, 2], [], sheets={1: {"x2": 1, "10": [], "11": [2], "12": [4]}})
    assert said(game, "4@h9")[0] == "fills row 1 of the sheet: bonus +6"
    assert said(game.after("4@h9"), "2@h10")[:2] == [
        "lengthens this turn’s line of 10 to 12, in row 2 of the sheet (+2)",
        "gives up the bonus of row 1 again (−6)",
    ]


def test_crosses_take_one_row_after_the_other() -> None:
    """Z10, Z17: first that of red, then that of the light cell."""
    game = opening([6, 5, 5], []).after("6@h8")
    assert said(game, "5@i8")[1] == "earns a cross on h8: it doubles row 1 of the sheet (+2)"
    assert said(game.after("5@i8"), "5@i7")[1] == "earns a cross on i7, for row 2 of the sheet, which is still empty"


def test_stop_says_what_speaks_for_it() -> None:
    assert said(table("6@h8 5@h9", [1], [], new="h9"), "stop") == [
        "ends the turn with +2",
        "can still make 12 next turn, with the 1 on h10, if the cell stays free",
        "keeps the 1 for later; at the end it would cost 1",
        "draws only one tile next turn",
    ]
    assert said(table("6@h8", [1], []), "stop")[:2] == [
        "gives up no points: the 1 would score nowhere now",
        "opens nothing to the next player, as every tile laid now would",
    ]


def test_the_last_turn_is_known() -> None:
    """Z13, Z19: the next player has to draw the last tile."""
    game = table("1@h8", [2], [], [], bag=(3,))
    assert said(game, "stop") == ["keeps the 2, which counts as minus (−2)"]
    assert said(game, "2@h9")[0] == "lays the 2, which would count as minus at the end"


def test_a_pair_leaves_lines_to_each_other() -> None:
    """Z21, Z26: the partner lays next, and has a 5."""
    game = table("4@h8", [1, 1], [5, 4], [], [], teams=True)
    assert said(game, "1@h9") == ["gets rid of the 1 without points", "offers the partner a 10: the 5 on h10"]


def test_others_cannot_lay_what_one_hand_holds() -> None:
    """Z1: there are twenty 6s."""
    denies = "takes the cell where a 6 would have made a 12"
    assert denies in said(table("6@h8", [1, *[6] * 18], []), "1@h9")
    assert denies not in said(table("6@h8", [1, *[6] * 19], []), "1@h9")
