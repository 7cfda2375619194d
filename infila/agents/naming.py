"""Who plays: a computer player or an agent, by a name, or an agent itself."""

import importlib
import re
import sys
from pathlib import Path
from typing import Any

from infila.agents.guest import Guest
from infila.agents.network import Network
from infila.agents.process import Program
from infila.core.errors import InfilaError, check_number
from infila.core.games import contract_of
from infila.players import LEVELS
from infila.players.player import PLAIN, RANDOM, Player, player

PROGRAM = "exec:"
NETWORK = ".onnx"
MODULE = re.compile(r"([A-Za-z_][\w.]*):([A-Za-z_][\w.]*)")
LONGEST_WAIT = 86_400  # seconds

Sitter = Player | Guest


def is_agent(name: str) -> bool:
    """Whether this names an agent, and not a level or a person."""
    found = MODULE.fullmatch(name)
    is_module = found is not None and found[1] not in (*LEVELS, RANDOM, PLAIN)
    return name.startswith(PROGRAM) or name.lower().endswith(NETWORK) or is_module


def seated(game: str, who: Any, seconds: float | None = None) -> Sitter:
    """Whoever plays a game: a computer player as `infila.player` names it, or an agent.

    An agent is `mine:Agent` (something in a module: a function of a view, or a class, which is made with the name of
    the game), `net.onnx` (a network), `exec:./engine` (a program), or such a function or object itself. An agent that
    takes longer than `seconds` for a move has misbehaved.

    >>> import infila
    >>> from infila.agents import seated
    >>> seated("take_that", "club")
    infila.player('take_that', 'club', seed=0)
    >>> first = seated("take_that", lambda view: view.moves[0])
    >>> view = infila.new("take_that", players=2, seed=7).view(1)
    >>> view.text(first.decide(view)) == view.moves[0]
    True
    """
    contract = contract_of(game)
    if seconds is not None and not (isinstance(seconds, float) and 0 < seconds <= LONGEST_WAIT):
        check_number("seconds", seconds, 1, LONGEST_WAIT)
    if isinstance(who, (Player, Guest)):
        if who.contract is not contract:
            raise InfilaError(f"{who.name} plays {who.contract.title}, not {contract.title}.")
        return who
    if not isinstance(who, str):
        name = getattr(who, "__qualname__", None) or getattr(who, "__name__", None) or type(who).__qualname__
        return Guest(contract, name, _made(name, who, game), seconds)
    if who.startswith(PROGRAM):
        return Guest(contract, who, Program(who, who.removeprefix(PROGRAM), seconds), None)
    if who.lower().endswith(NETWORK):
        return Guest(contract, who, Network(contract, Path(who)), seconds)
    if is_agent(who):
        return Guest(contract, who, _imported(who, game), seconds)
    try:
        return player(game, who)
    except InfilaError as problem:
        if who.partition(":")[0] in (*LEVELS, PLAIN, RANDOM):
            raise
        raise InfilaError(f"{problem} An agent of your own is module:Agent, model.onnx or exec:COMMAND.") from None


def _imported(name: str, game: str) -> Any:
    """What a module has under a name; modules are also looked for in the current folder."""
    module_name, _, attribute = name.partition(":")
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.insert(0, here)
    try:
        found: Any = importlib.import_module(module_name)
        for part in attribute.split("."):
            found = getattr(found, part)
    except ModuleNotFoundError as problem:
        missing = problem.name or module_name
        raise InfilaError(f"{name} cannot play: there is no module {missing!r} here.") from None
    except AttributeError as problem:
        if module_name not in sys.modules:  # it is an error of the module itself
            raise _failed(name, problem) from problem
        raise InfilaError(f"{name} cannot play: {module_name} has no {attribute!r}.") from None
    except Exception as problem:
        raise _failed(name, problem) from problem
    return _made(name, found, game)


def _made(name: str, found: Any, game: str) -> Any:
    """An agent: a class makes one, with the name of the game."""
    try:
        return found(game) if isinstance(found, type) else found
    except Exception as problem:
        raise _failed(name, problem) from problem


def _failed(name: str, problem: Exception) -> InfilaError:
    return InfilaError(f"{name} cannot play: it failed with {type(problem).__name__}: {problem}")
