"""A review, in passes: every value is known roughly at first, and then better, until it is known well enough.

For each seat a game is a row of positions as the seat saw them. What is next there is a choice of its own (`Choice`) or
somebody else's move. Between what a move was worth and what the next position is worth lies what came by chance.

Positions are worth what comes of them if everybody plays on by ratings: then luck is nothing on average, as far as all
that a seat cannot see is equally likely anywhere, because what a move was worth is the mean of what may follow. A
search from one seat's eyes would not do: in it the others learn to answer cards that they cannot see. Only the moves of
a decision, which are compared with each other, are searched.
"""

import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import ceil, sqrt

import numpy as np

from infila.core.contract import HOST
from infila.core.errors import InfilaError, check_number, check_seed
from infila.core.game import Game
from infila.core.record import States
from infila.players import LEVELS
from infila.players.judging import DEALT, OPEN
from infila.players.player import Player, player
from infila.reviewing.chain import NOTHING, Chain, Change, Fact, Known, chain_of, change
from infila.reviewing.choices import Choice
from infila.reviewing.judge import Estimate, Judge, Value
from infila.reviewing.walk import Walk

FIRST, SECOND = 32, 128  # worlds of the first two passes; then always twice as many
SIMULATIONS = 1000  # for each value, at most
ERROR = 0.01  # that is wanted
MOST = 1_000_000
SEARCHED = 4  # moves that are looked at because a search likes them best; besides those that the levels would play
HINDSIGHT = 48  # games played on from every position with open hands


Item = Estimate | Choice | tuple[int, int]  # the last: what a seat could expect after so many moves, and of the next


@dataclass(frozen=True)
class Progress:
    """How far a review is."""

    done: int
    total: int
    passes: int  #: that are complete: after the first there is a curve, after the second there are losses


class Reviewer:
    """Looks at a game once more. `work` does it bit by bit, and what is known so far can be asked for at any time."""

    def __init__(
        self,
        game: Game,
        seats: Sequence[int] | None = None,
        simulations: int = SIMULATIONS,
        error: float = ERROR,
        seed: int = 0,
    ) -> None:
        check_number("simulations", simulations, 1, MOST)
        check_seed(seed)
        if not game.history:
            raise InfilaError("nothing has been played yet, so there is nothing to review.")
        players = len(game.names)
        self.seats = list(range(players)) if seats is None else list(seats)
        for seat in self.seats:
            check_number("seat", seat, 0, players - 1)
        self.walk = Walk(game)
        self.sides = [self.walk.options.side(seat) for seat in range(players)]
        self.judge = Judge(game.contract, players, players // len(set(self.sides)), seed)
        self.simulations, self.error, self.seed = simulations, error, seed
        self.levels: dict[str, Player] = {name: player(game.game, name) for name in LEVELS}
        self.cancel: threading.Event | None = None  # asked in the middle of searches; once it is set, nothing is true
        self.passes = 0  # that are complete
        self.complete = False
        self.choices: dict[int, Choice] = {}  # by the number of moves before
        self.by_level: dict[int, dict[str, int]] = {}  # what each level would have played there
        self.starts: dict[int, Estimate] = {}  # by seat
        self.hindsight: list[Estimate] = []  # of every position, with open hands
        self._values: dict[tuple[int, int], Estimate] = {}  # of positions, by moves before and seat
        self._moves: dict[tuple[int, int], Estimate] = {}  # of somebody's move, before its chance
        self._chance: dict[tuple[int, int], bool] = {}
        self._open: set[tuple[int, int]] = set()  # where a seat saw just what the one saw who moved

    def work(self) -> Iterator[Progress]:
        """Know everything better and better. Whoever has seen enough may stop at any time."""
        for _ in self.look_through():
            yield Progress(0, 1, 0)
        places = sorted({*self._values, *self._moves})
        items: list[Item] = [*self.starts.values(), *places, *self.choices.values()]
        numbers = {choice: at for at, choice in self.choices.items()}
        sizes = self._sizes()
        total = len(sizes) * len(items) + len(self.hindsight)
        done = 0
        for number, size in enumerate(sizes):
            errors = self._errors() if number > 1 else {}
            for item in items:
                if number == 1 and isinstance(item, Choice):
                    self.widen(numbers[item])
                if number == 0 and isinstance(item, Choice):
                    pass  # a curve needs no losses
                elif number < 2:
                    self._grow(item, size)
                elif (error := errors[item] if isinstance(item, tuple) else self._error(item)) > self.error:
                    self._grow(item, min(size, ceil(sizes[number - 1] * (error / self.error) ** 2)))
                done += 1
                yield Progress(done, total, self.passes)
            self.passes += 1
            if number == 0:
                for open_hands in self.hindsight:
                    open_hands.grow(min(HINDSIGHT, self.simulations))
                    done += 1
                    yield Progress(done, total, self.passes)
        self.complete = True
        yield Progress(total, total, self.passes)

    def _grow(self, item: Item, worlds: int) -> None:
        if not isinstance(item, tuple):
            item.grow(worlds)
            return
        if (before := self._values.get(item)) is not None:
            before.grow(worlds)
            if self._usual(item) and before.solved is None:  # whoever plays on makes this very move
                self._moves[item] = before
        if (moved := self._moves.get(item)) is not None:
            moved.grow(worlds)

    def _usual(self, place: tuple[int, int]) -> bool:
        """Whether the next move is a decision of this seat, who did what those do who play on."""
        return self._own_choice(*place) and self.walk.actions[place[0]] == self.choices[place[0]].usual

    def look_for_luck(self, worlds: int) -> None:
        """Know only what each seat could expect, and from few worlds: enough for the mean luck of many games."""
        for _ in self.look_through():
            pass
        items: list[Item] = [*self.starts.values(), *sorted({*self._values, *self._moves})]
        for item in items:
            self._grow(item, worlds)

    def look_for_losses(self, worlds: int) -> None:
        """Know only what was given away."""
        for _ in self.look_through():
            pass
        for at, choice in self.choices.items():
            if choice.seat in self.seats:
                self.widen(at)
                choice.grow(worlds)

    def _sizes(self) -> list[int]:
        """How many worlds each value has met after each pass."""
        sizes, size = [min(FIRST, self.simulations)], SECOND
        while len(sizes) < 2 or sizes[-1] < self.simulations:
            sizes.append(min(size, self.simulations))
            size *= 2
        return sizes

    def _error(self, item: Estimate | Choice) -> float:
        """By how much something may be wrong."""
        return item.loss[1] if isinstance(item, Choice) else item.value.error

    def vague(self) -> int:
        """How many values and losses are not known to the error that was wanted."""
        errors = [*self._errors().values(), *(each.loss[1] for each in self.choices.values() if each.known)]
        return sum(error > self.error for error in errors)

    def _errors(self) -> dict[tuple[int, int], float]:
        """By how much what a seat could expect may be wrong."""
        found = {place: estimate.value.error for place, estimate in self._values.items()}
        for seat in self.seats:
            for at, value in enumerate(self.chain(seat).before):
                if (at, seat) in found:
                    found[at, seat] = value.error
        return found

    def look_through(self) -> Iterator[None]:
        """Find out what has to be known."""
        walk, judge = self.walk, self.judge
        undealt = walk.undealt()
        for seat in self.seats:
            if undealt is not None:
                self.starts[seat] = Estimate(judge, undealt, DEALT, seat)
        for at, mover in enumerate(walk.movers):
            yield
            if len(walk.choices(at)) > 1:
                hidden = walk.seen(at, mover)
                self.choices[at] = Choice(
                    judge, hidden, mover, walk.actions[at], self._rated(hidden, mover)[0], self.error
                )
                self._values[at, mover] = Estimate(judge, hidden, mover, mover)
                self._moves[at, mover] = Estimate(judge, hidden, mover, mover, walk.actions[at])
        for at in range(len(walk) + (not walk.over)):
            self.hindsight.append(Estimate(judge, walk.states[at], OPEN, 0))
            for seat in self.seats:
                yield
                self._look_at(at, seat)

    def _look_at(self, at: int, seat: int) -> None:
        """What has to be known of a position for a seat."""
        hidden = self.walk.seen(at, seat)
        mover = self.walk.movers[at] if at < len(self.walk) else HOST
        if mover not in (HOST, seat) and hidden.tobytes() == self.walk.seen(at, mover).tobytes():
            self._open.add((at, seat))
            seat = mover
        if (at, seat) not in self._values:
            self._values[at, seat] = Estimate(self.judge, hidden, seat, seat)
            if at < len(self.walk) and mover != seat and self.has_chance(at, seat):
                self._moves[at, seat] = Estimate(self.judge, hidden, seat, seat, self.walk.actions[at])

    def _own_choice(self, at: int, seat: int) -> bool:
        return at in self.choices and self.walk.movers[at] == seat

    def has_chance(self, at: int, seat: int) -> bool:
        """Whether a seat saw something come by chance with a move."""
        if (at, seat) not in self._chance:
            seen = self.walk.seen(at, seat)
            after = self.walk.seen(at + 1, seat).tobytes()
            foreseen = self.judge.foreseen(np.concatenate([seen, seen]), seat, self.walk.actions[at], after)
            self._chance[at, seat] = not foreseen
        return self._chance[at, seat]

    def _rated(self, hidden: States, seat: int) -> list[int]:
        """The moves of a seat by their ratings, the best first."""
        return [each.action for each in self.levels[LEVELS[0]].by_rating(hidden, seat)]

    def widen(self, at: int) -> None:
        """Look at all moves that may have been better, and at those that the levels would have played."""
        choice = self.choices[at]
        thought = {
            name: [each.action for each in level.ponder(choice.hidden, choice.seat, cancel=self.cancel)]
            for name, level in self.levels.items()
        }
        found = {name: actions[0] for name, actions in thought.items()}
        choice.consider(thought[LEVELS[-1]][:SEARCHED])
        choice.compare(found.values())
        self.by_level[at] = found

    # what is known

    def known(self, at: int, seat: int) -> Known:
        """What a seat could expect after this many moves, as it was measured there."""
        if at == len(self.walk) and self.walk.over:
            return Fact(Value(self.result(seat), self.walk.scores[seat], 0.0, 0))
        estimate = self._values[at, self._eyes(at, seat)]
        return estimate if estimate.seat == seat else estimate.of(seat)

    def _eyes(self, at: int, seat: int) -> int:
        """Who has seen what a seat saw: where that is what the mover saw, the same worlds serve both."""
        return self.walk.movers[at] if (at, seat) in self._open else seat

    def change(self, at: int, seat: int) -> Change | None:
        """What a move changed for a seat, before anything came by chance; None if that is all that lies between the
        position before it and the one after it: nothing came, or the seat cannot imagine the move."""
        eyes = self._eyes(at, seat)
        moved = self._moves.get((at, eyes))
        if moved is None:  # it was the only move, or a position is measured after it
            return NOTHING if self.walk.movers[at] == eyes else None
        return change(self._values[at, eyes].of(seat), moved.of(seat)) if len(moved.worlds) else None

    def chain(self, seat: int) -> Chain:
        """What a seat could expect, from the deal to the end."""
        n = len(self.walk)
        changes = [self.change(at, seat) for at in range(n)]
        known = [self.known(at, seat) for at in range(n + 1)]
        return chain_of(known, changes, [self.has_chance(at, seat) for at in range(n)])

    def edge(self, at: int) -> tuple[float, float]:
        """By how much the best move of a decision is better than the one that is made there when it is played on, and
        the standard error."""
        if at not in self.choices:
            return 0.0, 0.0
        changed, (loss, error) = self.change(at, self.walk.movers[at]), self.choices[at].loss
        assert changed is not None, "who has a choice can imagine every move of it"
        return changed.win + loss, sqrt(changed.error**2 + error**2)

    def result(self, seat: int) -> float:
        """A seat's share of the win."""
        scores = self.walk.scores
        winning = {self.sides[each] for each, score in enumerate(scores) if score == max(scores)}
        return 1 / len(winning) if self.sides[seat] in winning else 0.0
