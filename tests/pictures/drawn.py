"""What must hold of every game's pictures and words, position by position."""

import importlib
import random
import re
from collections.abc import Iterator
from functools import cache
from string import Formatter
from typing import Any
from xml.etree import ElementTree

import infila
from infila.core.contract import HOST, Contract
from infila.core.games import contract_of
from infila.core.picture import Panel, alone, sayer, symbols
from tests.play import random_game

LANGUAGES = ("en", "it", "de")
TABLES = ("about", "options", "picture", "moves", "acts")
NAMES = ('<b>"Nora" & Söhne</b>', "Max", "Pia", "Lena", "O’Ha'ra", "Ugo", "Ida", "Zoë", "Eva", "Kai", "Leo", "Tom")
MOST_BYTES = 60_000


@cache
def words(contract: Contract, language: str) -> dict[str, dict[str, str]]:
    return contract.words(language)


def positions(name: str, sets: list[dict[str, Any]], seed: int, apart: int, most: int) -> Iterator[infila.Game]:
    """Random games, looked at now and then and at their ends."""
    for number, options in enumerate(sets):
        for game in random_game(name, seed + number, most, **options):
            if len(game.history) % apart == number % apart or game.over:
                yield game


def panels(game: infila.Game, seat: int | None, language: str = "en", last: tuple[str, ...] = ()) -> list[Panel]:
    """What a viewer sees."""
    say = sayer(words(game.contract, language)["picture"])
    viewer = -1 if seat is None else seat
    return game.contract.picture.panels(game.view(seat).states[0], viewer, NAMES[: len(game.names)], say, last)


def well_formed(drawn: list[Panel]) -> None:
    """XML that uses only what is there, no colour of its own, and not too much of it."""
    assert sum(len(each.svg.encode()) for each in drawn) <= MOST_BYTES
    assert len({each.name for each in drawn}) == len(drawn)
    for each in drawn:
        root = ElementTree.fromstring(each.svg)
        assert root.get("data-panel") == each.name and root.get("aria-label")
        for element in root.iter():
            if "data-part" in element.attrib:
                assert element.get("aria-label")
        assert set(re.findall(r'href="#([^"]+)"', each.svg)) <= set(symbols())
        assert not re.search(r'="#[0-9a-fA-F]{3}|rgb|style=|<script|<b>', each.svg)
        parts = re.findall(r'data-part="([^"]+)"[^>]*?(?:data-nth="(\d+)")?>', each.svg)
        assert len(set(parts)) == len(parts), "equal parts need a data-nth"
    ElementTree.fromstring(alone(drawn))


def moves_can_be_touched(game: infila.Game, drawn: list[Panel], seat: int | None = None) -> None:
    """Every part of every legal move is in the picture of the seat that moves, and every target has an eyelet.

    Where several seats may act at once, only the moves of `seat` are looked at.
    """
    buttons = game.contract.picture.BUTTONS
    roots = [ElementTree.fromstring(each.svg) for each in drawn]
    found: dict[str, list[ElementTree.Element]] = {}
    for root in roots:
        for element in root.iter():
            if "data-part" in element.attrib:
                found.setdefault(element.attrib["data-part"], []).append(element)
    for action in game.actions():
        if seat is not None and game.contract.rules.actor(game.states[0], action) not in (seat, HOST):
            continue
        path = game.contract.notation.parts(game.states[0], action)
        for step, name in enumerate(path):
            assert name in found or name in buttons, name
            if step:
                assert all(_has_eyelet(element) for element in found[name]), name


def _has_eyelet(element: ElementTree.Element) -> bool:
    inner = [group for group in element if group.get("class") == "eyelet"]
    return len(inner) == 1 and any(text.get("class") == "note" for text in inner[0])


def only_what_is_known(game: infila.Game, seat: int | None, chance: random.Random) -> None:
    """The picture is the same in every game that looks the same to the viewer."""
    other = game.redrawn(seat, chance.getrandbits(60))
    assert panels(game, seat) == panels(other, seat)


def told(game: infila.Game) -> None:
    """Every legal move has words, in every language, and they tell the public nothing new."""
    story = importlib.import_module(f"{game.contract.package}.story")
    public, own = game.view(None).states[0], game.view(game.player).states[0]
    languages = [words(game.contract, language) for language in LANGUAGES]
    for action in game.actions():
        reason = story.tell(public, action)
        assert reason == story.tell(own, action) == story.tell(game.states[0], action)
        button = story.act(own, action)
        for language in languages:
            assert language["moves"][reason.key].format(**reason.values)
            assert language["acts"][button.key].format(**button.values)
        assert len(game.contract.picture.note(own, action)) <= 3


def same_keys(name: str) -> None:
    """All languages have the same words with the same gaps; every option has its label."""
    contract = contract_of(name)
    english = contract.words()
    for language in LANGUAGES:
        translated = contract.words(language)
        for table in TABLES:
            assert translated[table].keys() == english[table].keys(), (language, table)
            for key, text in translated[table].items():
                assert _gaps(text) == _gaps(english[table][key]), (language, table, key)
                assert "!" not in text
    assert {"line", "players", "minutes"} <= english["about"].keys()
    assert set(_options(contract)) <= english["options"].keys()


def _gaps(text: str) -> set[str]:
    return {gap for _, gap, _, _ in Formatter().parse(text) if gap}


def _options(contract: Contract) -> Iterator[str]:
    for name, spec in contract.options.specs().items():
        yield name
        if spec.kind == "flag":
            yield from (f"{name}_yes", f"{name}_no")
        if spec.kind == "choice":
            yield from (f"{name}_{value}" for value in spec.values)


def same_structure(name: str) -> None:
    """The rules have the same headings, lists and tables in every language."""
    shapes = {language: _shape(contract_of(name).text(language)) for language in LANGUAGES}
    assert shapes["it"] == shapes["en"] == shapes["de"]


def _shape(text: str) -> list[str]:
    return [found[0] for line in text.splitlines() if (found := re.match(r"#+ |- |\|", line))]
