"""Which games there are: those that come with infila, and those that other packages bring.

A package brings a game by an entry point of the group `infila.games`, whose name is the game's and whose value is the
package that holds its `CONTRACT` (docs/tutorials/add_a_game.md). A game's modules, and with them the compiler, are
imported only when it is needed; one that cannot be used says so then, and disturbs no other.
"""

import importlib
import re
from collections.abc import Iterable
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from inspect import isfunction
from typing import TYPE_CHECKING

from infila.core.errors import BrokenGame, UnknownGame

if TYPE_CHECKING:
    from pathlib import Path

    from infila.core.contract import Contract

NAMES = ("zatre", "take_that", "completto", "sequence")  # those that come with infila
GROUP = "infila.games"

MODULES = ("screen", "picture", "heuristics", "features")  # besides rules, notation, scoring; imported when needed


@cache
def packages() -> dict[str, str]:
    """Every game's package by the game's name, infila's own first. Two packages cannot bring the same game."""
    return {name: f"infila.games.{name}" for name in NAMES} | _brought(entry_points(group=GROUP))


def _brought(entries: Iterable[EntryPoint]) -> dict[str, str]:
    found: dict[str, str] = {}
    for entry in sorted(entries, key=lambda entry: (entry.name, entry.value)):
        if entry.name not in NAMES and re.fullmatch("[a-z][a-z0-9_]*", entry.name):
            found.setdefault(entry.name, entry.value)
    return found


def games() -> tuple[str, ...]:
    """The names of all games.

    >>> import infila
    >>> infila.games()[:4]
    ('zatre', 'take_that', 'completto', 'sequence')
    """
    return tuple(packages())


@cache
def usable_games() -> tuple[str, ...]:
    """The games that can be played; `problem_of` says what is wrong with the others."""
    return tuple(name for name in games() if not problem_of(name))


def problem_of(name: str) -> str:
    """Why a game from another package cannot be played; empty if it can."""
    if name in NAMES:
        return ""
    try:
        contract = contract_of(name)
        for module in MODULES:
            getattr(contract, module)
    except BrokenGame as problem:
        return str(problem)
    return ""


def no_game(name: str) -> UnknownGame:
    """The refusal of a name that no game has."""
    return UnknownGame("there is no game {name!r}. The games are {games}.", name=name, games=", ".join(games()))


@cache
def contract_of(name: str) -> "Contract":
    """The contract of a game, ready for compiled code."""
    if name not in packages():
        raise no_game(name)
    package = packages()[name]
    contract = _imported(name, package)
    from infila.core.dispatch import register

    if name not in NAMES:
        _check(name, package, contract)
        contract.complete()
    register(contract)
    return contract


def broken(name: str, package: str, reason: str) -> BrokenGame:
    """The error for a game that cannot be used, and what to do about it."""
    return BrokenGame(f"the game {name!r} cannot be played: {reason}. Repair its package {package}, or uninstall it.")


def _imported(name: str, package: str) -> "Contract":
    try:
        contract: Contract = importlib.import_module(package).CONTRACT
    except AttributeError as problem:
        raise broken(name, package, f"{package} has no CONTRACT ({problem})") from problem
    except Exception as problem:
        if name in NAMES:
            raise
        raise broken(name, package, f"{package} cannot be imported ({problem})") from problem
    return contract


def functions_of(protocol: type) -> list[str]:
    """The functions that a protocol demands of a module."""
    return [name for name, value in vars(protocol).items() if isfunction(value) and not name.startswith("_")]


def _check(name: str, package: str, contract: "Contract") -> None:
    """Check what can be known without running it: that everything is there."""
    from infila.core.contract import Contract, Notation, Rules, Scoring

    if not isinstance(contract, Contract):
        raise broken(name, package, f"the CONTRACT of {package} is not an infila.core.contract.Contract")
    if contract.name != name:
        raise broken(name, package, f"its CONTRACT calls it {contract.name!r}")
    for protocol in (Rules, Notation, Scoring):
        module = protocol.__name__.lower()
        for function in functions_of(protocol):
            if not callable(getattr(getattr(contract, module), function, None)):
                raise broken(name, package, f"its {module}.py has no {function}()")


def mark_of(name: str, job: str) -> "Path":
    """A file that exists once a game's rules have been compiled for a job on this machine."""
    from infila.core.rule import CACHE, stamp_of

    return CACHE / f"{name}.{stamp_of(packages().get(name, name))}{job}.compiled"
