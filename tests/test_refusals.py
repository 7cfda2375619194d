"""Why a move may not be made, in every language: the same reasons, the same gaps, the same rules."""

import ast
import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from string import Formatter

import pytest

import infila
from infila.core.contract import refuse
from infila.core.errors import BadLog, BadOptions, IllegalMove
from infila.core.games import contract_of
from infila.core.words import CORE, Saying, joined, own_words, sentence
from infila.web.languages import LANGUAGES, said
from tests.play import GAMES, random_game

MAKERS = {"refuse": 2, "saying": 1}  # which argument is the key


def gaps_of(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name}


def keys_in(node: ast.expr) -> set[str]:
    return {each.value for each in ast.walk(node) if isinstance(each, ast.Constant) and isinstance(each.value, str)}


def used(game: str) -> Iterator[tuple[set[str], set[str] | None]]:
    """The keys that a call may choose from, and the gaps that it fills, if they are written out."""
    folder = Path(infila.__file__).parent / "games" / game
    for source in (folder / name for name in ("notation.py", "options.py", "host.py") if (folder / name).is_file()):
        for node in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in MAKERS:
                gaps = {each.arg for each in node.keywords}
                key = node.args[MAKERS[node.func.id]]
                yield keys_in(key), None if None in gaps else {gap for gap in gaps if gap}


@pytest.mark.parametrize("game", GAMES)
def test_every_reason_is_there_in_every_language_with_the_same_gaps_and_rules(game: str) -> None:
    package = contract_of(game).package
    texts = {language: own_words(package, language)["refusals"] for language in LANGUAGES}
    for key, english in texts["en"].items():
        for language in LANGUAGES:
            other = texts[language][key]
            assert gaps_of(other) == gaps_of(english), (language, key)
            assert re.findall(r"\b[ZTCS]\d+\b", other) == re.findall(r"\b[ZTCS]\d+\b", english), (language, key)
            assert language == "en" or other != english, (language, key)
    for keys, gaps in used(game):
        for key in keys & set(texts["en"]):
            assert gaps is None or gaps_of(texts["en"][key]) == gaps, key
        assert not keys or keys & set(texts["en"]), keys
    assert set(texts["it"]) == set(texts["de"]) == set(texts["en"])


@pytest.mark.parametrize("game", GAMES)
def test_whatever_is_refused_can_be_said(game: str) -> None:
    """The rule stays, the language changes."""
    contract = contract_of(game)
    seen = set()
    for position in islice(random_game(game, 3), 0, 60, 9):
        if position.over:
            break
        view = position.view(position.player)
        legal = set(view.own_actions())
        for action in range(0, contract.rules.ACTIONS, 7):
            if action in legal:
                continue
            problem = contract.notation.refusal(view.states[0], action, position.player)
            texts = [said(problem, language) for language in LANGUAGES]
            assert texts[LANGUAGES.index("en")] == str(problem)
            assert all(text.startswith(f"{problem.rule}: ") and text.endswith(".") for text in texts), texts
            assert len(set(texts)) == len(LANGUAGES)
            assert isinstance(problem.sentence, Saying)
            seen.add(problem.sentence.key)
    assert len(seen) >= 3


def test_what_stands_in_a_gap_is_said_too() -> None:
    problem = refuse("infila.games.zatre", "Z9", "owing", cells=joined("and", ["h3", "i4", "k5"]))
    assert str(problem) == "Z9: h3 and i4 and k5 must first be in a line of 10, 11 or 12."
    assert said(problem, "de") == "Z9: bring zuerst in eine Reihe mit 10, 11 oder 12: h3 und i4 und k5."
    with pytest.raises(BadOptions) as wrong:
        infila.new("sequence", players=5)
    assert said(wrong.value, "it") == "players non può essere 5: è 2, 3, 4, 6, 8, 9, 10 o 12."
    log = infila.new("take_that", seed=7).save() + "98x98\n"
    with pytest.raises(BadLog) as broken:
        infila.load(log)
    assert said(broken.value, "de").startswith(
        "Zeile 9: '98x98' kann hier nicht gespielt werden. T5: 98 dreht 89 heraus"
    )
    assert set(own_words(CORE, "de")["refusals"]) == set(own_words(CORE, "en")["refusals"])


@pytest.mark.parametrize(
    ("language", "text", "number", "filled"),
    [
        ("en", "a {n} on {cell}", 8, "an 8 on a8"),
        ("en", "a {n} on {cell}", 18, "an 18 on a8"),
        ("en", "a {n} on {cell}", 80, "an 80 on a8"),
        ("en", "a {n} on {cell}", 1, "a 1 on a8"),
        ("en", "from {n}", 11, "from 11"),
        ("it", "accanto al {n}", 81, "accanto all’81"),
        ("it", "Il {n} e del {n}", 1, "L’1 e dell’1"),
        ("it", "il {n}", 18, "il 18"),
        ("it", "un {n} da 1 a {n}", 8, "un 8 da 1 a 8"),
        ("de", "lässt a {n}", 8, "lässt a 8"),
    ],
)
def test_articles_fit_the_number_in_the_gap(language: str, text: str, number: int, filled: str) -> None:
    assert sentence(text, language).format(n=number, cell="a8") == filled


def test_a_game_without_such_texts_refuses_in_english() -> None:
    problem = IllegalMove("X1", "that {is} no move.")
    assert str(problem) == said(problem, "de") == "X1: that {is} no move."
