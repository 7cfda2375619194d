"""Pictures: sound XML in infila's colours, in which every legal move can be touched."""

import random
import re
from xml.etree import ElementTree

from infila.conformance.demand import NotConforming, demand
from infila.conformance.trial import Trial
from infila.core.contract import HOST
from infila.core.game import Game
from infila.core.games import contract_of, usable_games
from infila.core.picture import PLACES, Panel, alone, sayer, symbols

NAMES = ('<b>"Nora" & Söhne</b>', "Max", "Pia", "Lena", "O’Ha'ra", "Ugo", "Ida", "Zoë", "Eva", "Kai", "Leo", "Tom")
MOST_BYTES = 72_000


def panels(game: Game, seat: int | None, language: str = "en", last: tuple[str, ...] = ()) -> list[Panel]:
    """What a viewer sees."""
    say = sayer(game.contract.words(language)["picture"])
    viewer = -1 if seat is None else seat
    return game.contract.picture.panels(game.view(seat).states[0], viewer, NAMES[: len(game.names)], say, last)


def pictures_are_sound(trial: Trial) -> None:
    """Every viewer's picture is well formed, in every language; the mover finds every part of every move in theirs."""
    chance = random.Random(trial.seed)
    for game in trial.positions():
        for seat in (None, *range(len(game.names))):
            drawn = panels(game, seat, chance.choice(game.contract.languages()))
            well_formed(drawn, game)
            if seat in game.acting():
                moves_can_be_touched(game, drawn, seat)


def well_formed(drawn: list[Panel], game: Game) -> None:
    """It is XML that uses only what exists, with no colours of its own, and not too long."""
    size = sum(len(each.svg.encode()) for each in drawn)
    demand(size <= MOST_BYTES, f"the picture has {size} bytes, more than {MOST_BYTES}.")
    demand(len({each.name for each in drawn}) == len(drawn), "two panels have the same name.")
    for each in drawn:
        root = _read(each.svg, each.name)
        demand(root.get("data-panel") == each.name, f"panel {each.name}: draw it with infila.core.picture.panel().")
        demand(root.get("aria-label"), f"panel {each.name} has no label.")
        for element in root.iter():
            if "data-part" in element.attrib:
                demand(element.get("aria-label"), f"the part {element.get('data-part')} has no label.")
        demand(each.place in PLACES, f"panel {each.name}: its place must be one of {', '.join(PLACES)}.")
        unknown = set(re.findall(r'href="#([^"]+)"', each.svg)) - set(symbols()) - set(symbols(game.contract.package))
        demand(not unknown, f"panel {each.name} uses symbols that do not exist: {', '.join(sorted(unknown))}.")
        found = re.search(r'="#[0-9a-fA-F]{3}|rgb|style=|<script|<b>', each.svg)
        demand(not found, f"panel {each.name} has a colour or markup of its own: {found and found[0]}")
        parts = re.findall(r'data-part="([^"]+)"[^>]*?(?:data-nth="(\d+)")?>', each.svg)
        demand(len(set(parts)) == len(parts), f"panel {each.name}: equal parts need a data-nth.")
    _read(alone(drawn, game.contract.package), "all")


def _read(svg: str, name: str) -> ElementTree.Element:
    try:
        return ElementTree.fromstring(svg)
    except ElementTree.ParseError as problem:
        raise NotConforming(f"panel {name} is not XML: {problem}. Names and words must be escaped.") from None


def moves_can_be_touched(game: Game, drawn: list[Panel], seat: int | None = None) -> None:
    """Every part of every legal move is in the picture of the seat that moves, and every target has an eyelet.

    Where several seats may act at once, only the moves of `seat` are checked.
    """
    buttons = game.contract.picture.BUTTONS
    found: dict[str, list[ElementTree.Element]] = {}
    for each in drawn:
        for element in ElementTree.fromstring(each.svg).iter():
            if "data-part" in element.attrib:
                found.setdefault(element.attrib["data-part"], []).append(element)
    actions, seats = game.actions(), [actor for _, actor in game.moves_by_seat()]
    for action, actor in zip(actions, seats, strict=True):
        if seat is not None and actor not in (seat, HOST):
            continue
        for step, name in enumerate(game.contract.notation.parts(game.states[0], action)):
            demand(
                name in found or name in buttons, f"{game.text(action)!r} needs the part {name}, which is not drawn."
            )
            if step:
                demand(all(map(_has_eyelet, found[name])), f"the target {name} has no eyelet with a note.")


def _has_eyelet(element: ElementTree.Element) -> bool:
    inner = [group for group in element if group.get("class") == "eyelet"]
    return len(inner) == 1 and any(text.get("class") == "note" for text in inner[0])


def symbols_are_its_own(trial: Trial) -> None:
    """A game's `pieces.svg` and `style.css` disturb no other game: pages draw all games' symbols."""
    contract = trial.contract
    others = [symbols(), *(symbols(contract_of(name).package) for name in usable_games() if name != contract.name)]
    taken = sorted(set(symbols(contract.package)) & {name for each in others for name in each})
    demand(not taken, f"pieces.svg: other games already have symbols called {', '.join(taken)}.")
    for name, text in symbols(contract.package).items():
        _read(text, name)
    style = contract.style()
    demand("@import" not in style and "url(" not in style, "style.css must not load anything from elsewhere.")
