"""Moves and positions as text, for any game: what all games' notations share.

A move out of turn carries its seat (`2: draw`); a position carries its game, rules version, options and generator.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from infila.core import driver
from infila.core.contract import HOST, Contract
from infila.core.errors import BadOptions, BadPosition, BrokenGame, IllegalMove, InfilaError
from infila.core.fields import checked_list, entry, integer
from infila.core.record import States

POINTS = 16  # seats that a buffer for scores must hold

_OF_A_SEAT = re.compile(r"([0-9]{1,3})\s*:\s*(.*)", re.DOTALL)


def seat_on_turn(states: States) -> int:
    return int(driver.status_at(states, 0, np.zeros(POINTS, np.int64))[0])


def legal_actions(contract: Contract, states: States) -> tuple[list[int], list[int]]:
    """All legal actions, and the seat of each."""
    out = np.zeros(contract.rules.MAX_LEGAL, np.int16)
    n = int(driver.legal_at(states, 0, out))
    if n > len(out):
        raise BrokenGame(f"{contract.package}.rules: legal() finds {n} legal actions, but MAX_LEGAL is {len(out)}.")
    actors = np.zeros(n, np.int16)
    driver.actors_at(states, 0, out, n, actors)
    return out[:n].tolist(), actors.tolist()


def move_texts(contract: Contract, states: States, actions: Sequence[int]) -> list[str]:
    """The standard texts of actions, with their seat if they are out of turn."""
    s = states[0]
    usual = (HOST, seat_on_turn(states))
    numbers, actors = np.array(actions, np.int16), np.zeros(len(actions), np.int16)
    driver.actors_at(states, 0, numbers, len(actions), actors)
    texts = []
    for action, actor in zip(actions, actors.tolist(), strict=True):
        text = contract.notation.text(s, action)
        texts.append(text if actor in usual else f"{actor + 1}: {text}")
    return texts


def split_seat(text: str, players: int) -> tuple[int | None, str]:
    """A move without its seat, and the seat (from 0) if the text names one."""
    text = text.strip()
    if match := _OF_A_SEAT.fullmatch(text):
        seat = int(match[1])
        if not 1 <= seat <= players:
            raise IllegalMove("", "there is no seat {seat}; the seats are 1 to {players}.", seat=seat, players=players)
        if _OF_A_SEAT.fullmatch(match[2]):
            raise IllegalMove("", "a move names its seat once, before one colon.")
        return seat - 1, match[2]
    return None, text


def position_of(contract: Contract, states: States, *, view: bool = False) -> dict[str, Any]:
    """A position as JSON (docs/reference/positions.md), for a view without the generator."""
    s = states[0]
    position: dict[str, Any] = {
        "game": contract.name,
        "rules": contract.rules_version,
        "options": contract.options.read(s).to_json(),
    }
    if not view:
        position["chance"] = {"key": [f"{int(word):016x}" for word in s.key], "counter": int(s.counter)}
    return position | contract.notation.to_json(s)


def set_up(contract: Contract, position: Mapping[str, Any]) -> States:
    """The record of a position; raises BadPosition."""
    known = {"game", "rules", "options", "chance"}
    if entry(position, "game") != contract.name:
        raise BadPosition(f"this is a position of {position['game']!r}, not of {contract.name!r}.")
    if entry(position, "rules") != contract.rules_version:
        raise BadPosition(
            f"rules version {position['rules']!r} is not known here; this is version {contract.rules_version}."
        )
    states = np.zeros(1, contract.rules.State)
    s = states[0]
    options = entry(position, "options")
    if not isinstance(options, Mapping):
        raise BadPosition("options must be an object.")
    try:
        contract.options.from_json(options).write(s)
    except BadOptions as problem:
        raise BadPosition(str(problem)) from None
    chance = entry(position, "chance")
    if not isinstance(chance, Mapping):
        raise BadPosition('chance must be an object: {"key": ["…", "…"], "counter": 0}.')
    for i, word in enumerate(checked_list(entry(chance, "key"), "key", 2)):
        if not isinstance(word, str) or not re.fullmatch("[0-9a-f]{16}", word):
            raise BadPosition(f"key cannot hold {word!r}: its two words are 16 hexadecimal digits each.")
        s.key[i] = int(word, 16)
    s.counter = integer(chance, "counter", 0, 10**15)
    own = {name: value for name, value in position.items() if name not in known}
    try:
        contract.notation.from_json(s, own)
    except InfilaError:
        raise
    except (TypeError, ValueError, KeyError, IndexError, OverflowError) as problem:
        raise BadPosition(f"this is not a position of {contract.title}: {problem}.") from problem
    for name in own:
        if name not in contract.notation.to_json(s):
            raise BadPosition(f"there is no field {name!r} in a position of {contract.title}.")
    return states
