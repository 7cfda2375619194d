"""Why a move may not be made, in every language: the same reasons, the same gaps, the same rules."""

import ast
import json
import re
from collections.abc import Iterator
from importlib import resources
from itertools import islice
from pathlib import Path
from string import Formatter
from typing import Any

import pytest

import infila
from infila.core.contract import refuse
from infila.core.errors import BadLog, BadOptions, IllegalMove, InfilaError
from infila.core.games import NAMES, contract_of
from infila.core.words import CORE, LANGUAGES, Saying, joined, own_words, sentence
from infila.web.languages import said
from tests.play import random_game

MAKERS = {"refuse": 2, "saying": 1}  # which argument is the key
FROM = ("infila.core.contract", "infila.core.words")
FOLDER = Path(__file__).parent / "games"
EXAMPLES: dict[str, dict[str, dict[str, Any]]] = {
    game: json.loads((FOLDER / game / "refusals.json").read_text(encoding="utf-8")) for game in NAMES
}


def gaps_of(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name}


def strings_in(node: ast.expr) -> set[str]:
    """The texts that an expression can be, or that a tuple, a list or a dict in it holds; not those it only tests."""
    if isinstance(node, ast.IfExp):
        return strings_in(node.body) | strings_in(node.orelse)
    if isinstance(node, ast.Constant):
        return {node.value} if isinstance(node.value, str) else set()
    if isinstance(node, ast.Subscript | ast.Compare | ast.Attribute):
        return set()
    return set().union(*(strings_in(each) for each in ast.iter_child_nodes(node) if isinstance(each, ast.expr)))


def keys_in(node: ast.expr, function: ast.AST) -> set[str]:
    """The keys that an argument can be: written there, or in what the function binds the variable to that it names."""
    if not isinstance(node, ast.Name):
        return strings_in(node)
    found = set()
    for each in ast.walk(function):
        if isinstance(each, ast.Assign):
            targets, value = each.targets, each.value
        elif isinstance(each, ast.For | ast.comprehension):
            targets, value = [each.target], each.iter
        else:
            continue
        if any(isinstance(name, ast.Name) and name.id == node.id for target in targets for name in ast.walk(target)):
            found |= strings_in(value)
    return found


def used(package: str) -> Iterator[tuple[set[str], set[str] | None]]:
    """The keys that each call may choose from, and the gaps that it fills, if they are written out."""
    for source in resources.files(package).iterdir():
        if not source.name.endswith(".py"):
            continue
        tree = ast.parse(source.read_text(encoding="utf-8"))
        makers = {
            alias.name
            for node in ast.walk(tree)
            if isinstance(node, ast.ImportFrom) and node.module in FROM
            for alias in node.names
            if alias.name in MAKERS
        }
        for function in ast.walk(tree):
            if not isinstance(function, ast.FunctionDef):
                continue
            for node in ast.walk(function):
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in makers:
                    gaps = {each.arg for each in node.keywords}
                    keys = keys_in(node.args[MAKERS[node.func.id]], function)
                    yield keys, None if None in gaps else {gap for gap in gaps if gap}


@pytest.mark.parametrize("game", NAMES)
def test_every_reason_is_there_in_every_language_with_the_same_gaps_and_rules(game: str) -> None:
    package = contract_of(game).package
    texts = {language: own_words(package, language)["refusals"] for language in LANGUAGES}
    for key, english in texts["en"].items():
        for language in LANGUAGES:
            other = texts[language][key]
            assert gaps_of(other) == gaps_of(english), (language, key)
            assert re.findall(r"\b[A-Z]\d+\b", other) == re.findall(r"\b[A-Z]\d+\b", english), (language, key)
            assert language == "en" or other != english, (language, key)
    assert set(texts["it"]) == set(texts["de"]) == set(texts["en"])


@pytest.mark.parametrize("game", NAMES)
def test_every_reason_is_used_and_its_gaps_are_filled(game: str) -> None:
    package = contract_of(game).package
    texts = own_words(package, "en")["refusals"]
    found = set()
    for keys, gaps in used(package):
        assert keys, f"{game}: the key of a refusal that fills {gaps} cannot be found"
        assert keys <= set(texts), keys
        assert gaps is None or all(gaps_of(texts[key]) == gaps for key in keys), keys
        found |= keys
    assert found == set(texts)


def keys_said(sentence: Any, package: str) -> set[str]:
    """The keys of a package in a sentence, and in what stands in its gaps."""
    if not isinstance(sentence, Saying):
        return set()
    own = {sentence.key} if sentence.package == package else set()
    return own.union(*(keys_said(gap, package) for gap in sentence.gaps.values()))


def refused(game: str, example: dict[str, Any]) -> InfilaError:
    """What is refused in an example: options, or in a random game, after so many moves, or in a position what a seat
    does (a text, or an action that no text means), what it calls for, or that it talks."""
    contract, options = contract_of(game), example.get("options", {})
    if "talk" in example:
        silenced = contract.host.silence(contract.options.make(options))
        assert silenced
        return silenced
    if "position" not in example and "seed" not in example:
        with pytest.raises(BadOptions) as wrong:
            infila.new(game, **options)
        return wrong.value
    if "position" in example:
        at = infila.load(example["position"])
    else:
        at = next(islice(random_game(game, example["seed"], **options), example["after"], None))
    seat = example.get("seat", at.player)
    if "call" in example:
        s = at.view(seat).states[0]
        objected = contract.host.objection(s, contract.notation.parse(s, example["call"], seat), seat)
        assert objected
        return objected
    if "action" in example:
        return contract.notation.refusal(at.view(seat).states[0], example["action"], seat)
    with pytest.raises(IllegalMove) as illegal:
        at.play(example["move"])
    return illegal.value


def test_every_reason_has_an_example() -> None:
    for game in NAMES:
        assert set(EXAMPLES[game]) == set(own_words(contract_of(game).package, "en")["refusals"]), game


@pytest.mark.parametrize(("game", "key"), [(game, key) for game in NAMES for key in EXAMPLES[game]])
def test_every_reason_is_given(game: str, key: str) -> None:
    problem = refused(game, EXAMPLES[game][key])
    assert key in keys_said(problem.sentence, contract_of(game).package)
    texts = [said(problem, language) for language in LANGUAGES]
    assert len(set(texts)) == len(LANGUAGES)
    assert all(text.endswith(".") for text in texts), texts


@pytest.mark.parametrize("game", NAMES)
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
    assert said(wrong.value, "it") == "players non può essere 5: deve essere 2, 3, 4, 6, 8, 9, 10 o 12."
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
