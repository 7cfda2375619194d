"""A game on trial: its options, and random games of it for the checks to look at."""

import math
import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np

from infila.core import driver
from infila.core.contract import HOST, Contract
from infila.core.errors import BadOptions
from infila.core.game import Game, new
from infila.core.games import contract_of
from infila.core.options import Spec

LONGEST = 100_000  # moves within which a random game must end
FEW = 12  # values of an option that are all tried
MANY = 2000  # combinations of options that are all tried


@dataclass(frozen=True)
class Trial:
    """What is checked, and how much of it."""

    name: str  #: of the game
    options: tuple[Mapping[str, Any], ...]  #: sets of options to try
    seed: int = 1
    often: float = 0.25  #: the share of a random game's positions that is looked at
    most: int = 200  #: moves of a random game
    deals: int = 600  #: that are compared where chance has to be measured
    languages: tuple[str, ...] = ("en",)  #: that the game must speak; any others it brings are checked too

    @property
    def contract(self) -> Contract:
        """Of the game."""
        return contract_of(self.name)

    def games(self) -> Iterator[Iterator[Game]]:
        """A random game for each set of options."""
        for number, options in enumerate(self.options):
            yield random_game(self.name, self.seed + number, self.most, **options)

    def positions(self) -> Iterator[Game]:
        """Some positions of random games, their beginnings and their ends."""
        chance = random.Random(self.seed)
        for game in self.games():
            for position in game:
                if chance.random() < self.often or not position.history or position.over:
                    yield position


def trial_of(name: str, seed: int = 1) -> Trial:
    """A trial of a game with a few sets of options, in which every value of every option occurs."""
    return Trial(name, option_sets(contract_of(name)), seed)


def random_game(name: str, seed: int, most: int | None = None, **options: Any) -> Iterator[Game]:
    """Yield a random game at its beginning and after every move; the kind of a move is chosen first."""
    chance = random.Random(seed)
    game = new(name, seed=seed, **options)
    yield game
    played = 0
    while not game.over and (most is None or played < most):
        kinds: dict[str, list[str]] = {}
        hosts = set()
        for move, seat in game.moves_by_seat():
            kinds.setdefault(kind_of(move), []).append(move)
            if seat == HOST:
                hosts.add(kind_of(move))
        if not kinds:
            raise AssertionError(f"the game is not over, but nobody can move after {', '.join(game.history)}.")
        weights = [1 if kind in hosts else 30 for kind in kinds]
        game.play(chance.choice(kinds[chance.choices(list(kinds), weights)[0]]))
        played += 1
        yield game


def played_out(game: Game, seed: int, most: int = LONGEST) -> bool:
    """Play at random; return whether the game came to its end."""
    out = np.zeros(game.contract.rules.MAX_LEGAL, np.int16)
    driver.playout_at(game.states, 0, out, np.array([seed], np.uint64), most)
    return game.over


def kind_of(move: str) -> str:
    """A rough kind of a move by its text: its word, or its sign."""
    move = move.split(": ")[-1]
    for sign in ("@", "x", ">"):
        if sign in move:
            return sign
    return move.split()[0] if move[0].isalpha() else "number"


def option_sets(contract: Contract, seed: int = 0) -> tuple[dict[str, Any], ...]:
    """A few sets of options in which every value that can be combined occurs; the usual ones first."""
    values = {name: _values(spec, contract, name) for name, spec in contract.options.specs().items()}
    chance = random.Random(seed)
    if math.prod(map(len, values.values())) <= MANY:
        every = [dict(zip(values, chosen, strict=True)) for chosen in product(*values.values())]
        chance.shuffle(every)
    else:
        every = [{name: chance.choice(some) for name, some in values.items()} for _ in range(MANY)]
    found: list[dict[str, Any]] = []
    seen: set[tuple[str, Any]] = set()
    for options in ({}, *every):
        try:
            chosen = contract.options.make(options).to_dict()
        except BadOptions:
            continue
        if not chosen.items() <= seen:
            seen |= chosen.items()
            found.append(chosen)
    return tuple(found)


def _values(spec: Spec, contract: Contract, name: str) -> list[Any]:
    if spec.kind == "flag":
        return [False, True]
    if spec.kind == "seat":
        return ["random", 0, 1]
    if spec.kind == "choice" or spec.all_listed:
        return list(spec.values)
    least, greatest = spec.values
    if greatest - least < FEW:
        return list(range(least, greatest + 1))
    usual = contract.options.__dataclass_fields__[name].default
    return sorted({least, usual} - {None})
