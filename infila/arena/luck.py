"""What the draws of a game brought each seat, to be taken out of its result.

After every move that chance has answered, what came is compared with what could have come: the same move is made with
the unseen pieces in other orders, all equally likely. What the position is then worth, less what it could have been
worth, is luck. Its mean is 0 however worth is judged, as long as that was settled beforehand: so a result without it
has the same mean, and varies less. This is AIVAT (Burch, Schmid, Moravcik, Morrill and Bowling, AAAI 2018) for chance;
docs/explanation/strength.md has the rest.

How it is done is in `luck.json` of a game's folder, which may be missing.
"""

from collections.abc import Sequence
from functools import cache
from typing import Any

import msgspec
import numpy as np

from infila.core import driver
from infila.core.contract import SPECTATOR, Contract
from infila.core.errors import InfilaError
from infila.core.games import contract_of
from infila.core.options import Options
from infila.core.record import States
from infila.players.ahead import look_ahead
from infila.players.player import buffers_for

SEATS = 16  # as many as any game has


class Draws(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is drawn from in a game, and how a position is judged: `luck.json`."""

    pile: str  # the field of the pieces that nobody has seen, in an order that nobody knows
    left: str  # the field that says how many there are
    secrets: bool  # whether a seat knows more than a spectator
    horizons: list[int]  # how far it is played on before it is judged, as `enough` counts; the mean is taken
    worlds: int  # how often
    weight: float = 1.0  # of the luck in the end: less where `worth` exaggerates


@cache
def draws_of(game: str) -> Draws:
    """How luck is measured in a game; raises an InfilaError if it does not say."""
    contract = contract_of(game)
    file = contract.file("luck.json")
    if not file.is_file():
        raise InfilaError(f"{contract.title} does not say how its luck is measured: it has no luck.json.")
    return msgspec.json.decode(file.read_bytes(), type=Draws)


class Luck:
    """The luck of one game, move by move."""

    def __init__(self, contract: Contract, options: Options, seats: int, seed: Sequence[int]) -> None:
        self.contract, self.draws = contract, draws_of(contract.name)
        self.players = seats
        self.mates = seats // len({options.side(seat) for seat in range(seats)})
        self.sums = np.zeros(seats)  #: of each seat: what luck brought its side, in parts of a win
        self._chance = np.random.Generator(np.random.PCG64(list(seed)))
        self._buffers = buffers_for(contract)
        self._horizons = np.array(self.draws.horizons)
        self._luck, self._points = np.zeros(1, np.uint64), np.zeros(SEATS, np.int64)

    def note(self, before: States, action: int, after: States) -> None:
        """Add what came with a move, if anything was drawn."""
        if after[self.draws.left] >= before[self.draws.left] and after["counter"] == before["counter"]:
            return
        others = self.redrawn(before)
        for i in range(len(others)):
            driver.play_at(others, i, action)
        came = np.repeat(after, len(others))
        self._imagine(came, others)
        # the same pieces came: then all that follows is the same too
        apart = np.flatnonzero((_bytes(came) != _bytes(others)).any(1))
        if len(apart):
            gained = self._judge(np.concatenate([came[apart], others[apart]]), before)
            gained = gained[: len(apart)] - gained[len(apart) :]
            self.sums += self.draws.weight * gained.sum(0) / len(others)

    def redrawn(self, states: States) -> States:
        """As many copies of a state as there are worlds, each with what nobody has seen in another order.

        They are as likely as the state itself, whatever the seats know and have done about it. This is so where only
        the order of the pile is drawn anew, and also where everything is, if nobody knows more than a spectator.
        """
        others = np.repeat(states, self.draws.worlds)
        keys = self._chance.integers(2**64, size=(len(others), 2), dtype=np.uint64)
        if self.draws.secrets:
            # one random order, cut at every place in turn: each is as likely as any, and each piece is on top as often
            n = int(states[self.draws.left][0])
            order = self._chance.permutation(states[self.draws.pile][0, :n])
            places = np.arange(n) + np.arange(len(others))[:, None]
            others[self.draws.pile][:, :n] = order[places % max(n, 1)]
            others["key"], others["counter"] = keys, 0
        else:
            _redraw(others, keys)
        return others

    def _imagine(self, *many: States) -> None:
        """Draw what is to come: the same for the first of each, for the second of each …, as far as it can be."""
        keys = self._chance.integers(2**64, size=(len(many[0]), 2), dtype=np.uint64)
        if not self.draws.secrets:
            for states in many:
                _redraw(states, keys)
            return
        piles: Any = np.concatenate([states[self.draws.pile] for states in many]).astype(np.int64)
        counts = np.concatenate([states[self.draws.left] for states in many])
        places = np.arange(piles.shape[1])
        inside = places < counts[:, None]
        piles = np.sort(np.where(inside, piles, piles.max() + 1), 1)
        first = np.concatenate([np.ones((len(piles), 1), bool), np.diff(piles, axis=1) != 0], 1)
        copy = np.where(inside, places - np.maximum.accumulate(np.where(first, places, 0), 1), 0)
        # each piece has its place among all others, so that those drawn already leave nothing but gaps
        ranks = self._chance.random((len(keys), int(piles.max()) + 1, int(copy.max()) + 1))
        world = np.arange(len(piles))[:, None] % len(keys)
        order = np.argsort(np.where(inside, ranks[world, piles, copy], 2.0), 1, kind="stable")
        piles = np.where(inside, np.take_along_axis(piles, order, 1), 0)
        for k, states in enumerate(many):
            states[self.draws.pile] = piles[k * len(keys) : (k + 1) * len(keys)]
            states["key"], states["counter"] = keys, 0

    def _judge(self, states: States, root: States) -> Any:
        """Each seat's share of the win, the mean of all horizons, by playing on from every state."""
        shares = np.zeros(len(states) * len(self._horizons) * self.players)
        buffers = self._buffers
        look_ahead(
            states, root, self._horizons, self.players, self.mates,
            buffers.out, buffers.ratings, self._luck, self._points, shares,
        )  # fmt: skip
        return shares.reshape(len(states), len(self._horizons), self.players).mean(1)


def _redraw(states: States, keys: Any) -> None:
    """Draw everything anew that a spectator cannot know."""
    for i, (key0, key1) in enumerate(keys):
        driver.redraw_at(states, i, SPECTATOR, key0, key1)


def _bytes(states: States) -> Any:
    return states.view(np.uint8).reshape(len(states), -1)
