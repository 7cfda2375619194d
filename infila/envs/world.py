"""What a state of OpenSpiel holds: a game that begins with chance nodes, and what each seat remembers of it."""

import hashlib
import json
import zlib
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, Protocol

import numpy as np

from infila.core import driver
from infila.core.errors import IllegalMove, InfilaError
from infila.core.notation import position_of
from infila.core.record import States
from infila.envs.endgame import Endgame, endgame_of
from infila.envs.episode import OVER, Episode

DEALS = 3  # chance nodes
OUTCOMES = 2**10  # of each
DIGEST = 16  # bytes


class Beginning(Protocol):
    """The chance nodes with which a game begins, and what they lead to."""

    nodes: int
    chances: list[tuple[int, float]]  # of each node
    closed: bool  # nothing is left to chance afterwards, not even what a key decides

    def write(self, episode: Episode, states: States, chosen: tuple[int, ...]) -> None:
        """The game after these outcomes."""


class Shuffle:
    """One of very many deals."""

    nodes = DEALS
    closed = False
    chances: list[tuple[int, float]] = [(outcome, 1 / OUTCOMES) for outcome in range(OUTCOMES)]  # noqa: RUF012

    def write(self, episode: Episode, states: States, chosen: tuple[int, ...]) -> None:
        number = sum(part * OUTCOMES**i for i, part in enumerate(chosen))
        episode.options.write(states[0])
        driver.deal_at(states, 0, np.uint64(0), np.uint64(number))


class Deal:
    """One of the deals of an endgame."""

    nodes = 1
    closed = True

    def __init__(self, ending: Endgame) -> None:
        self.states = ending.states
        self.chances = list(enumerate(ending.chances))

    def write(self, episode: Episode, states: States, chosen: tuple[int, ...]) -> None:
        states[0] = self.states[chosen[0]]


Origin = tuple[str, tuple[tuple[str, Any], ...]]  # a game and its options, or "endgame" and the position


@cache
def opened(origin: Origin) -> tuple[Episode, Beginning]:
    """What all states of a game have in common."""
    name, details = origin
    if name != "endgame":
        return Episode(name, "win", dict(details)), Shuffle()
    ending = endgame_of(_unpacked(dict(details)["position"]))
    return Episode(ending.game, "win", ending.options), Deal(ending)


def packed(position: str | Mapping[str, Any]) -> str:
    """A position as a parameter of a game, which may hold only letters and digits."""
    fields = json.loads(position) if isinstance(position, str) else position
    return zlib.compress(json.dumps(fields, separators=(",", ":")).encode(), 9).hex()


def _unpacked(packed: str) -> dict[str, Any]:
    try:
        position: dict[str, Any] = json.loads(zlib.decompress(bytes.fromhex(packed)))
    except (ValueError, zlib.error):
        raise InfilaError(
            "the position of an endgame cannot be read: infila.envs.openspiel.endgame(position) makes the game of one."
        ) from None
    return position


class World:
    """What a state holds. Copying it copies the record; nothing else is ever changed in place."""

    def __init__(self, origin: Origin, episode: Episode, beginning: Beginning) -> None:
        self.origin = origin
        self.episode = episode
        self.beginning = beginning
        self.states = np.zeros(1, episode.contract.rules.State)
        self.deal: tuple[int, ...] = ()
        self.seat = OVER
        self.legal: list[int] = []
        self.moves = ""
        self.memories = (b"",) * episode.players  # what each seat saw whenever it acted, as a digest

    @property
    def dealt(self) -> bool:
        return len(self.deal) == self.beginning.nodes

    def __deepcopy__(self, _memo: Any) -> "World":
        other = World.__new__(World)
        other.__dict__.update(self.__dict__)
        other.states = self.states.copy()
        return other

    def __reduce__(self) -> Any:
        return _restored, (self.origin, self.states.tobytes(), self.deal, self.moves, self.memories)

    def choose_deal(self, outcome: int) -> None:
        if not 0 <= outcome < len(self.beginning.chances):
            raise InfilaError(f"there is no deal {outcome}: the deals are 0 to {len(self.beginning.chances) - 1}.")
        self.deal = (*self.deal, outcome)
        if self.dealt:
            self.beginning.write(self.episode, self.states, self.deal)
            self.look()

    def play(self, action: int) -> None:
        if action not in self.legal:
            raise IllegalMove("", f"action {action} is not legal now, so nothing has been played.")
        memories = list(self.memories)
        memories[self.seat] = self.recall(self.seat)
        after = self.states.copy()
        driver.play_at(after, 0, action)
        if self.beginning.closed and after["counter"][0] != self.states["counter"][0]:
            raise InfilaError("something is shuffled here, so this is not an endgame: take a later position.")
        self.states = after
        self.memories = tuple(memories)
        self.moves += f" {action}"
        self.look()

    def recall(self, seat: int) -> bytes:
        """All that a seat saw, whenever it acted, and sees now, as a digest: a different one for every past."""
        return hashlib.blake2b(self.memories[seat] + self.hidden(seat).tobytes(), digest_size=DIGEST).digest()

    def position(self, viewer: int) -> dict[str, Any]:
        """What a seat or a spectator sees."""
        return position_of(self.episode.contract, self.hidden(viewer), view=True)

    def look(self) -> None:
        """Who is to act, and with what. The episode's own game is not needed: it lends its buffers."""
        episode = self.episode
        episode.set_up(self.states)
        self.seat = episode.seat
        self.legal = sorted(episode.legal)

    def redraw(self, seat: int, luck: Callable[[], float]) -> None:
        keys = (np.uint64(int(luck() * 2**53)) for _ in range(2))
        driver.redraw_at(self.states, 0, seat, *keys)
        self.look()

    def hidden(self, viewer: int) -> States:
        states = self.states.copy()
        driver.hide_at(states, 0, viewer)
        return states


def _restored(origin: Origin, record: bytes, deal: tuple[int, ...], moves: str, memories: tuple[bytes, ...]) -> World:
    world = World(origin, *opened(origin))
    world.states = np.frombuffer(record, world.states.dtype).copy()
    world.deal, world.moves, world.memories = deal, moves, memories
    if world.dealt:
        world.look()
    return world
