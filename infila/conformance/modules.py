"""The game's module, its rules as WebAssembly, does what the CPU does, byte by byte."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from infila.conformance.demand import demand
from infila.conformance.trial import Trial
from infila.core import driver
from infila.core.contract import Contract
from infila.core.entry import ENTRIES
from infila.core.record import copied
from infila.players import LEVELS, judging, player, search
from infila.wasm.build import build
from infila.wasm.instance import Engine, flat
from infila.wasm.modules import module_of

__all__ = ["judging"]  # imported for its entries

GAMES = 200  # for each set of options
SIMULATIONS = 60  # of a search, at most
WORLDS = 6  # that are played on from a position

Call = tuple[str, tuple[Any, ...]]  # an entry, and what it is given
Make = Callable[[], Call]  # every time with new arrays


def the_module_plays_the_same(trial: Trial) -> None:
    """The module in the game's folder, or one that is built now, plays the same random games, grows the same search
    trees of every level, and rates moves the same way."""
    engine = Engine(module_of(trial.contract) or build(trial.name))
    for options in trial.options:
        for make in (random_games(trial.contract, options, GAMES), *thoughts(trial.contract, options, SIMULATIONS)):
            name, arguments = make()
            demand(
                outcome(*make(), by=engine.call) == outcome(name, arguments),
                f"the module's entry {name!r} gives other bytes than the CPU with the options {dict(options)}.",
            )


def outcome(name: str, arguments: tuple[Any, ...], by: Callable[..., Any] | None = None) -> list[Any]:
    """What an entry gives, and the bytes of all arrays after it; on the CPU, unless somewhere else."""
    given = ENTRIES[name].function(*arguments) if by is None else by(name, *arguments)
    return [given, *(array.tobytes() for array in flat(arguments) if isinstance(array, np.ndarray))]


def random_games(contract: Contract, options: Mapping[str, Any], games: int, first: int = 0) -> Make:
    """Games by random play, from a number on."""

    def make() -> Call:
        template = _template(contract, options)
        states, moves = np.zeros(games, contract.rules.State), np.zeros(games, np.int64)
        out, luck = np.zeros(contract.rules.MAX_LEGAL, np.int16), np.zeros(1, np.uint64)
        return "simulate", (states, template, np.uint64(1), np.uint64(first), moves, out, luck)

    return make


def thoughts(contract: Contract, options: Mapping[str, Any], simulations: int, number: int = 0) -> Iterator[Make]:
    """What each level does somewhere in a random game: a search with so many simulations at most, or ratings; a search
    without heuristics; and how games end that are played on from there."""
    hidden, seat = _position(contract, options, number)
    for name in (*LEVELS, f"{player.PLAIN}:{simulations}"):
        thinker = player.player(contract.name, name, seed=number)
        level = thinker.level
        assert level is not None, "only the random player has no level"

        def rate(noise: int = level.noise) -> Call:
            out = np.zeros(contract.rules.MAX_LEGAL, np.int16)
            return "rated", (copied(hidden), seat, noise, np.ones(1, np.uint64), out, np.zeros(len(out), np.int64))

        def grow(thinker: player.Player = thinker, level: Any = level) -> Call:
            budget = min(level.simulations, simulations)
            tree = player.Tree(thinker, hidden, seat, level, number, budget)
            return "search", (tree.states, seat, budget, tree.settings, tree.nodes, tree.desk, tree.buffers)

        yield grow if thinker.searches else rate

    def play_on() -> Call:
        settings, desk = np.zeros(1, search.Settings.dtype), np.zeros(1, search.Desk)
        settings["curiosity"], desk["nodes"] = 1.0, 1
        chosen, buffers = contract.options.make(options), player.buffers_for(contract)
        players = int(chosen.to_dict()["players"])
        mates = players // len({chosen.side(each) for each in range(players)})
        search.choices_at(hidden, seat, buffers.out)
        given = (np.concatenate([hidden, hidden]), seat, int(buffers.out[0]), np.uint64(number + 1), 0, WORLDS, 1, 0)
        ends = np.zeros(WORLDS * players), np.zeros(WORLDS * players, np.int64)
        return "judge", (*given, players, mates, settings, np.zeros(WORLDS + 2, search.Node), desk, buffers, *ends)

    yield play_on


def _template(contract: Contract, options: Mapping[str, Any]) -> Any:
    template = np.zeros(1, contract.rules.State)
    contract.options.make(options).write(template[0])
    return template


def _position(contract: Contract, options: Mapping[str, Any], number: int) -> tuple[Any, int]:
    """What the seat that decides sees after a few random moves, or at the beginning of a game that is over by then."""
    out, luck = np.zeros(contract.rules.MAX_LEGAL, np.int16), np.full(1, number, np.uint64)
    for moves in (5 + 7 * number % 40, 0):
        states = _template(contract, options)
        driver.deal_at(states, 0, np.uint64(2), np.uint64(number))
        driver.playout_at(states, 0, out, luck, moves)
        if not driver.status_at(states, 0, np.zeros(16, np.int64))[1]:
            break
    seat = int(search.decider_at(states, out))
    driver.hide_at(states, 0, seat)
    return states, seat
