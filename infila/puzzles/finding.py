"""Puzzles in the positions of a game.

Most positions have no move that is clearly best, so they are looked at in steps, each dearer than the one before: what
is rated best at first sight must not be what a short search likes; then two trials, the second with other and more
worlds; then the levels try it, so that it is known how hard it is.
"""

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from infila.core import driver
from infila.core.contract import Contract
from infila.core.notation import move_texts, position_of
from infila.core.record import States, copied
from infila.players.player import Player, player
from infila.puzzles.puzzle import ASKED, TRIES, Puzzle
from infila.puzzles.trial import Trial, Verdict

GLANCE = "master:160"  # whoever looks first …
LIKED = 0.04  # … and must like its move better by so much
FIRST, SECOND = 256, 1024  # worlds of a trial, at most
LONGER = 4  # times as long as usual does the strongest level think about what it has to confirm
EACH = 3  # of a game, at most


@dataclass(frozen=True)
class Moment:
    """A position of a game."""

    states: States  #: all of it
    mover: int  #: who decides, from 0
    turn: int  #: positions of one turn have the same number
    number: int  #: of the move that was made there, from 1


class Finder:
    """Looks for puzzles of one game. The same position and seed give the same answer."""

    def __init__(self, contract: Contract, seed: int = 0) -> None:
        self.contract, self.seed = contract, seed
        self.looked_at = self.tried = 0
        self._glance = player(contract.name, GLANCE)
        self._levels = [[player(contract.name, name, seed=n) for n in range(TRIES)] for name in ASKED]

    def look_through(
        self, moments: Iterable[Moment], known: set[bytes], most: int = EACH
    ) -> Iterator[tuple[Moment, Puzzle | None]]:
        """Every position that is looked at, and its puzzle if it has one: at most one in a turn, and a few in all.

        `known` has those that are known already, by what is seen, and gets the new ones.
        """
        last, answers = -1, set[tuple[int, tuple[str, ...]]]()  # what is best and not played often is so again
        for moment in moments:
            if len(answers) >= most:
                return
            if moment.turn == last:
                continue
            puzzle = self.puzzle_at(moment.states, moment.mover)
            fresh = puzzle is not None and (puzzle.seat, puzzle.best) not in answers and seen_in(puzzle) not in known
            if puzzle is not None and fresh:
                known.add(seen_in(puzzle))
                answers.add((puzzle.seat, puzzle.best))
                last = moment.turn
            yield moment, puzzle if fresh else None

    def puzzle_at(self, states: States, seat: int) -> Puzzle | None:
        """A puzzle for whoever decides; None if no move is clearly best, or if it is the one that everybody sees."""
        self.looked_at += 1
        hidden = copied(states)
        driver.hide_at(hidden, 0, seat)
        actions = self._worth_a_trial(hidden, seat)
        if not actions:
            return None
        self.tried += 1
        verdict = self._proved(hidden, seat, actions)
        if verdict is None or not self.contract.advice.reasons(hidden[0], verdict.best[0]):
            return None
        return self._made(hidden, seat, verdict)

    def _worth_a_trial(self, hidden: States, seat: int) -> list[int]:
        """All moves, if a short search likes one much better than what is rated best: first that, then what is rated
        best, then the others as the search likes them."""
        rated = self._glance.by_rating(hidden, seat)
        if len(rated) < 2:
            return []
        thought = self._glance.ponder(hidden, seat)
        best = thought[0]
        top = [each.action for each in rated if each.rating == rated[0].rating]
        liked = {each.action: each.win or 0.0 for each in thought}
        if best.action in top or (best.win or 0.0) - max(liked.get(action, 0.0) for action in top) < LIKED:
            return []
        return list(dict.fromkeys([best.action, top[0], *liked, *(each.action for each in rated)]))

    def _proved(self, hidden: States, seat: int, actions: list[int]) -> Verdict | None:
        """What two trials agree on, and the strongest level too."""
        best, top = actions[:2]
        for seed, worlds in ((self.seed, FIRST), (self.seed ^ 1, SECOND)):
            verdict = Trial(self.contract, hidden, seat, actions, seed).run(best, worlds)
            if verdict is None or top in verdict.best:
                return None
        assert verdict is not None, "of the second trial"
        strongest = self._levels[-1][0]
        assert strongest.level is not None, "it searches"
        thought = strongest.ponder(hidden, seat, LONGER * strongest.level.simulations)
        return verdict if thought[0].action in verdict.best else None

    def _made(self, hidden: States, seat: int, verdict: Verdict) -> Puzzle:
        actions = [*verdict.best, *verdict.costs]
        texts = dict(zip(actions, move_texts(self.contract, hidden, actions), strict=True))
        margin = round(verdict.margin, 4)  # as a file has it: what the nearest costs is to be the same number in points
        return Puzzle(
            position=position_of(self.contract, imagined(hidden, seat)),
            seat=seat,
            best=tuple(texts[action] for action in verdict.best),
            margin=margin,
            error=verdict.error,
            costs={
                texts[action]: round(100 * (margin if cost == verdict.margin else cost))
                for action, cost in sorted(verdict.costs.items())
            },
            found=tuple(sum(self._finds(each, hidden, seat, verdict) for each in level) for level in self._levels),
        )

    def _finds(self, who: Player, hidden: States, seat: int, verdict: Verdict) -> bool:
        return who.ponder(hidden, seat)[0].action in verdict.best


def imagined(hidden: States, seat: int) -> States:
    """A world as a seat may imagine it, made from what it sees alone."""
    world = copied(hidden)
    digest = hashlib.blake2b(hidden.tobytes(), digest_size=8, salt=bytes([seat])).digest()
    driver.redraw_at(world, 0, seat, np.uint64(int.from_bytes(digest, "little") >> 1), np.uint64(0))
    return world


def seen_in(puzzle: Puzzle) -> bytes:
    """What is seen in a puzzle: two that look the same are the same."""
    return hashlib.blake2b(puzzle.view.states.tobytes() + bytes([puzzle.seat]), digest_size=16).digest()
