"""What was played in each game of a batch, kept in the memory of the CPU: for a batch that keeps logs."""

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

import numpy as np

from infila.core import driver
from infila.core.contract import Contract
from infila.core.game import Game, load
from infila.core.notation import position_of
from infila.core.record import States

ROOM = 128  # actions of a game for which there is room at first


class Histories:
    """For each game how it began and the actions since. A game begins with a deal, or with a state that was put there.

    A game that was dealt is remembered by its seed and number, and one that was put there as its record.
    """

    def __init__(self, contract: Contract, template: States, n: int) -> None:
        self.contract = contract
        self.template = template
        self.keys = np.zeros((n, 2), np.uint64)
        self.records: dict[int, bytes] = {}
        self.actions = np.zeros((n, ROOM), np.int16)
        self.lengths = np.zeros(n, np.int64)
        self.ended: dict[int, Callable[[], Game]] = {}  #: the games that the last step ended, to be made when asked for

    def dealt(self, which: Any, seeds: Any, numbers: Any) -> None:
        """These games have been dealt."""
        self.keys[which, 0] = seeds[which] if len(seeds) > 1 else seeds[0]
        self.keys[which, 1] = numbers[which]
        self.lengths[which] = 0
        for i in which.tolist() if self.records else ():
            self.records.pop(i, None)

    def begun_anew(self, which: Any, rows: Any) -> None:
        """These games begin with records; a single one is that of all of them."""
        self.lengths[which] = 0
        for k, i in enumerate(which.tolist()):
            self.records[i] = rows[k if len(rows) > 1 else 0].tobytes()

    def gathered(self, source: Any, to: Any) -> None:
        """Games `to` have become copies of games `source`."""
        self.keys[to], self.lengths[to], self.actions[to] = (
            array[source] for array in (self.keys, self.lengths, self.actions)
        )
        found = [self.records.get(i) for i in source.tolist()]
        for i, record in zip(to.tolist(), found, strict=True):
            self.records.pop(i, None)
            if record is not None:
                self.records[i] = record

    def note(self, moved: Any, actions: Any, dones: Any, seeds: Any, numbers: Any) -> None:
        """These games have moved; some of them are over and have been dealt anew."""
        if len(moved) and int(self.lengths[moved].max()) == self.actions.shape[1]:
            self.actions = np.pad(self.actions, ((0, 0), (0, self.actions.shape[1])))
        self.actions[moved, self.lengths[moved]] = actions[moved]
        self.lengths[moved] += 1
        over = np.flatnonzero(dones)
        self.ended = {i: partial(self._replayed, self._first(i), self._played(i)) for i in over.tolist()}
        self.dealt(over, seeds, numbers)

    def game(self, i: int) -> Game:
        """Game i, from its beginning."""
        return self._replayed(self._first(i), self._played(i))

    def _played(self, i: int) -> list[int]:
        played: list[int] = self.actions[i, : self.lengths[i]].tolist()
        return played

    def _first(self, i: int) -> States:
        """The record with which game i began."""
        if i in self.records:
            return np.frombuffer(bytearray(self.records[i]), self.contract.rules.State.dtype)
        states = self.template.copy()
        driver.deal_at(states, 0, *self.keys[i])
        return states

    def _replayed(self, first: States, actions: Iterable[int]) -> Game:
        game = self.begin(self.contract, first)
        for action in actions:
            game.play_action(action)
        return game

    @staticmethod
    def begin(contract: Contract, states: States) -> Game:
        """A game that begins with a record."""
        return load(position_of(contract, states))
