"""Every click on something that is drawn and cannot be played has its own answer: the rule, and the way out."""

import json
import random
import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

import infila
from infila.core.errors import IllegalMove
from infila.core.games import NAMES, contract_of
from infila.core.words import LANGUAGES, Saying, own_words
from infila.server.pages.advice import begun
from infila.web.languages import said
from infila.web.table_html import say_of
from tests.cases import cases_of
from tests.play import random_game
from tests.test_refusals import gaps_of

FOLDER = Path(__file__).parent / "games"
EXAMPLES: dict[str, dict[str, dict[str, Any]]] = {
    game: json.loads((FOLDER / game / "touches.json").read_text(encoding="utf-8")) for game in NAMES
}


def position_of(game: str, example: dict[str, Any]) -> infila.Game:
    """A position of an example, by its moves: so many of a random game."""
    return next(islice(random_game(game, example["seed"], **example.get("options", {})), example["after"], None))


def answer(at: infila.Game, touched: tuple[str, ...], seat: int | None = None) -> IllegalMove | None:
    seat = at.acting()[0] if seat is None else seat
    return at.contract.touch.answer(at.view(seat).states[0], touched, seat)


def keys_in(sentence: Any) -> Iterator[str]:
    """The keys of the table `touches` that a sentence is made of."""
    if isinstance(sentence, Saying):
        if sentence.table == "touches":
            yield sentence.key
        for gap in sentence.gaps.values():
            yield from keys_in(gap)


@pytest.mark.parametrize("game", NAMES)
def test_every_answer_is_there_in_every_language_and_has_an_example(game: str) -> None:
    texts = {language: own_words(contract_of(game).package, language)["touches"] for language in LANGUAGES}
    assert set(texts["it"]) == set(texts["de"]) == set(texts["en"]) == set(EXAMPLES[game])
    for key, english in texts["en"].items():
        for language in ("it", "de"):
            assert gaps_of(texts[language][key]) == gaps_of(english) and texts[language][key] != english, key


@pytest.mark.parametrize(("game", "key"), [(game, key) for game in NAMES for key in EXAMPLES[game]])
def test_a_wrong_click_is_answered_with_its_rule(game: str, key: str) -> None:
    example = EXAMPLES[game][key]
    problem = answer(position_of(game, example), tuple(example["touched"]))
    assert problem is not None and key in keys_in(problem.sentence)
    assert str(problem) == example["says"]


def drawn_parts(at: infila.Game, seat: int) -> set[str]:
    say = say_of(at.game, "en")
    drawn = at.contract.picture.panels(at.view(seat).states[0], seat, at.names, say, ())
    return {name for panel in drawn for name in re.findall(r'data-part="([^"]+)"', panel.svg)}


@pytest.mark.parametrize("game", NAMES)
def test_whatever_is_drawn_and_cannot_be_played_says_why(game: str) -> None:
    """First and after something was chosen, in all languages; and nothing is said about what can be played."""
    asked = 0
    for options in [*cases_of(game).few, cases_of(game).most]:
        for at in islice(random_game(game, 5, **options), 0, 80, 13):
            if at.over:
                break
            seat = at.player
            view = at.view(seat)
            paths = {at.contract.notation.parts(view.states[0], action) for action in view.own_actions()}
            begins = sorted({path[0] for path in paths if len(path) > 1})[:2]
            parts = sorted(drawn_parts(at, seat))
            touches: list[tuple[str, ...]] = [(part,) for part in parts if not any(part in path for path in paths)]
            touches += [(first, part) for first in begins for part in parts if part not in (first, *begins)]
            for touched in touches:
                if touched in paths or any(path[0] == touched[-1] for path in paths):
                    continue
                problem = answer(at, touched, seat)
                assert problem is not None, (touched, view.position)
                texts = {str(said(problem, language)) for language in LANGUAGES}
                assert len(texts) == len(LANGUAGES)
                assert all(re.match(r"[A-Z]\d+: \S", text) and text.endswith(".") for text in texts), texts
                assert not any(re.search(r"\d@|\b[0-9TJQKA][SHDC]\b|->", text) for text in texts), texts
                asked += 1
    assert asked > 100


@pytest.mark.parametrize("game", NAMES)
def test_nonsense_is_answered_with_nothing_or_a_sentence(game: str) -> None:
    at = next(islice(random_game(game, 3), 4, None))
    for part in (
        "",
        "-",
        "hand",
        "hand-",
        "hand-0",
        "hand-9999999999",
        "hand-½",
        "cell-zz",
        "cell-a99",
        "row--1",
        "place-0",
    ):
        for touched in ((part,), (part, part), ("hand-1", part), (part, "cell-a1"), ("discards", part, part)):
            assert answer(at, touched) is None or str(answer(at, touched)).endswith(".")
    assert answer(at, ()) is None


@pytest.mark.parametrize("game", NAMES)
def test_whatever_order_a_stranger_sends_parts_in_is_answered(game: str) -> None:
    """Whole moves with more after them, the same part twice, parts of other moves: a page never sends them."""
    luck = random.Random(7)
    for at in islice(random_game(game, 11, **cases_of(game).few[0]), 1, 90, 4):
        if at.over:
            break
        view = at.view(at.player)
        paths = [at.contract.notation.parts(view.states[0], action) for action in view.own_actions()]
        parts = sorted({part for path in paths for part in path})
        for _ in range(60 if parts else 0):
            touched = begun(tuple(luck.choices([*parts, "x"], k=luck.randint(1, 4))), paths)
            if not any(path[: len(touched)] == touched or path[-1:] == touched for path in paths):
                problem = answer(at, touched, at.player)
                assert problem is None or str(problem).endswith(".")
