"""Endgames: every deal that a position allows, where there are few enough for the game to be solved exactly.

Only what everybody at the table can see is fixed in an endgame; hands, piles and covered tiles are dealt anew among
themselves, every deal as probable as any other.
"""

import itertools
import json
import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from infila.core import driver
from infila.core.contract import SPECTATOR
from infila.core.errors import BadPosition, InfilaError
from infila.core.game import Game, load
from infila.core.games import contract_of
from infila.core.notation import POINTS, set_up
from infila.core.record import States

MOST = 20_000  # deals
MOST_SITUATIONS = 10_000_000  # in all deals together: with more of them nobody solves a game in Python
PROBES, FAR = 100, 5000  # games, and moves of one, by which situations are estimated
HIDDEN = "?"


@dataclass(frozen=True)
class Group:
    """A list of a position with hidden entries, and how each of them is written: "?", or "(?)"."""

    where: list[Any]
    places: tuple[int, ...]
    forms: tuple[str, ...]
    ordered: bool

    def values(self) -> list[Any]:
        return [_inside(self.where[i], form) for i, form in zip(self.places, self.forms, strict=True)]

    def fill(self, values: Sequence[Any]) -> None:
        for i, form, value in zip(self.places, self.forms, values, strict=True):
            self.where[i] = value if form == HIDDEN else form.replace(HIDDEN, str(value))


def _inside(entry: Any, form: str) -> Any:
    """What an entry has where the view has "?": 42 in "(42)"."""
    if form == HIDDEN:
        return entry
    before, after = form.split(HIDDEN)
    return int(entry.removeprefix(before).removesuffix(after))


def _groups(seen: Any, whole: Any, ordered: bool = True) -> Iterator[Group]:
    """The lists of a position in which a view shows question marks. The order of a hand does not matter."""
    if isinstance(seen, Mapping):
        for key in seen:
            yield from _groups(seen[key], whole[key], key != "hands")
    elif isinstance(seen, list):
        places = tuple(i for i, entry in enumerate(seen) if isinstance(entry, str) and HIDDEN in entry)
        if places:
            yield Group(whole, places, tuple(seen[i] for i in places), ordered)
        for each, entry in zip(seen, whole, strict=True):
            yield from _groups(each, entry, ordered)


def _deals(groups: Sequence[Group], cards: Sequence[Any]) -> Iterator[tuple[tuple[Any, ...], ...]]:
    """All ways to give each group as many cards as it holds; equal cards count as different ones."""
    if not groups:
        yield ()
        return
    choose = itertools.permutations if groups[0].ordered else itertools.combinations
    for chosen in choose(range(len(cards)), len(groups[0].places)):
        left = [card for i, card in enumerate(cards) if i not in chosen]
        for others in _deals(groups[1:], left):
            yield tuple(cards[i] for i in chosen), *others


def _count(groups: Sequence[Group]) -> int:
    count = math.factorial(sum(len(group.places) for group in groups))
    for group in groups:
        count //= 1 if group.ordered else math.factorial(len(group.places))
    return count


@dataclass(frozen=True)
class Endgame:
    """The records of all deals that a position allows, and how probable each is."""

    game: str  #: its name
    options: dict[str, Any]  #: by name
    states: States  #: one for each deal
    chances: tuple[float, ...]  #: of each


def estimate(game: Game) -> float:
    """About how many situations there are in one deal, by a few random games: after each move as many times more as
    there were moves to choose from."""
    luck = np.random.default_rng(0)
    out, points = np.zeros(game.contract.rules.MAX_LEGAL, np.int16), np.zeros(POINTS, np.int64)
    total = 0.0
    for probe in range(PROBES):
        states = game.redrawn(None, probe).states
        alike = 1.0
        for _ in range(FAR):
            total += alike
            if alike > MOST_SITUATIONS**2 or driver.status_at(states, 0, points)[1]:
                break
            n = int(driver.legal_at(states, 0, out))
            alike *= n
            shuffled = int(states["counter"][0])
            driver.play_at(states, 0, int(out[luck.integers(n)]))
            if states["counter"][0] != shuffled:  # this is as far as an endgame goes
                break
    return total / PROBES


def _short(number: float) -> str:
    """A large number, roughly."""
    return f"{number:,.0f}" if number < 1e9 else f"10^{math.log10(number):.0f}"


def endgame_of(position: str | Mapping[str, Any]) -> Endgame:
    """All deals that look like this position to everybody; it must be complete, as `game.position` gives it."""
    game = load(position)
    if game.over:
        raise InfilaError("this game is over: an endgame needs a position in which somebody is to act.")
    contract = contract_of(game.game)
    whole = json.loads(game.position)
    groups = list(_groups(json.loads(game.view(None).position), whole))
    deals = _count(groups)
    if deals > MOST:
        raise InfilaError(
            f"{deals:,} deals are possible here, but an endgame has at most {MOST:,}: take a later position."
        )
    situations = deals * estimate(game)
    if situations > MOST_SITUATIONS:
        raise InfilaError(
            f"about {_short(situations)} situations can come from here, in {deals:,} deals, but an endgame has at most "
            f"{MOST_SITUATIONS:,}: take a later position."
        )
    cards = sorted(value for group in groups for value in group.values())
    looks = _seen_by_all(game.states)
    found: Counter[bytes] = Counter()
    for deal, times in Counter(_deals(groups, cards)).items():
        for group, values in zip(groups, deal, strict=True):
            group.fill(values)
        try:
            states = set_up(contract, whole)
        except BadPosition:  # what is known about these cards rules this deal out
            continue
        if _seen_by_all(states) == looks:
            found[states.tobytes()] += times
    records = np.frombuffer(b"".join(found), contract.rules.State)
    return Endgame(game.game, game.options, records, tuple(n / found.total() for n in found.values()))


def _seen_by_all(states: States) -> bytes:
    hidden = states.copy()
    driver.hide_at(hidden, 0, SPECTATOR)
    return hidden.tobytes()
