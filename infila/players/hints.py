"""A player's thought in words: its best moves, what they promise, and why."""

import threading
from collections.abc import Sequence
from dataclasses import dataclass

from infila.core.contract import Contract, Reason
from infila.core.game import View
from infila.players.player import Candidate, Player, Thought

SHOWN = 3  # moves, by default
DOUBLED = 3  # times at most, for a search that is in two minds about its best move


@dataclass(frozen=True)
class Hint:
    """One move, and what can be said about it."""

    move: str
    candidate: Candidate
    reasons: tuple[str, ...]  #: sentences, the most important first

    def promise(self) -> str:
        """What the search, or else the heuristic, expects of it: "63 %", or "+2.1"; `meaning` says what that is."""
        if self.candidate.win is None:
            return "" if self.candidate.rating is None else f"{self.candidate.rating / 1000:+.1f}"
        return f"{100 * self.candidate.win:.0f} %"


def considered(player: Player, view: View, cancel: threading.Event | None = None) -> Thought:
    """A thought for somebody who asks: the player searches on while a move it tried less looks better than its best.

    At the table it plays what it has tried most, which is just as strong; but the figures would puzzle a reader. Once
    `cancel` is set, the last thought that was finished comes back, or else the first as far as it went.
    """
    thought = player.think(view, cancel=cancel)
    budget = player.level.simulations if player.level else 0
    for _ in range(DOUBLED):
        if not in_two_minds(thought):
            break
        budget *= 2
        longer = player.think(view, simulations=budget, cancel=cancel)
        if cancel is not None and cancel.is_set():
            break
        thought = longer
    return thought


def in_two_minds(thought: Thought) -> bool:
    """Whether another of the moves that are shown has a higher percentage than the first."""
    percent = [round(100 * (each.win or 0)) for each in thought.candidates[:SHOWN]]
    return max(percent) > percent[0]


def hints(view: View, thought: Thought, most: int = SHOWN, language: str = "en") -> list[Hint]:
    """The best moves of a thought, with their reasons.

    >>> import infila
    >>> view = infila.new("take_that", players=2, seed=7, dealer=1).view(0)
    >>> best = infila.hints(view, infila.player("take_that", "club").think(view))[0]
    >>> best.move, best.reasons[0]
    ('86', '16 unseen cards fit beside 86: it is easy to follow')
    """
    found = []
    for move, candidate in list(zip(thought.moves, thought.candidates, strict=True))[:most]:
        reasons = view.contract.advice.reasons(view.states[0], candidate.action)
        found.append(Hint(move.split(": ")[-1], candidate, sentences(view.contract, reasons, language)))
    return found


def sentences(contract: Contract, reasons: Sequence[Reason], language: str = "en") -> tuple[str, ...]:
    """Reasons in a language."""
    words = contract.words(language)["reasons"]
    return tuple(words[reason.key].format(**reason.values) for reason in reasons)


def forced(found: Sequence[Hint]) -> bool:
    """Whether there was no choice, so that nobody searched and a rating would mean nothing."""
    return len(found) == 1 and found[0].candidate.win is None


def meaning(contract: Contract, found: Sequence[Hint], language: str = "en") -> str:
    """What the promises of these moves mean."""
    words, best = contract.words(language)["hints"], found[0].candidate
    if forced(found):
        return words["only"]
    return words["chance" if best.win is not None else "rating" if best.rating is not None else "random"]
