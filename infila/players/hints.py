"""A player's thought in words: its best moves, what they promise, and why."""

from collections.abc import Sequence
from dataclasses import dataclass

from infila.core.contract import Contract, Reason
from infila.core.game import View
from infila.players.player import Candidate, Thought


@dataclass(frozen=True)
class Hint:
    """One move, and what can be said of it."""

    move: str
    candidate: Candidate
    reasons: tuple[str, ...]  #: sentences, the most important first

    def promise(self) -> str:
        """What the search, or else the heuristic, expects of it: "63 %", or "rated +2.1"."""
        if self.candidate.win is None:
            return "" if self.candidate.rating is None else f"rated {self.candidate.rating / 1000:+.1f}"
        return f"{100 * self.candidate.win:.0f} %"


def hints(view: View, thought: Thought, most: int = 3, language: str = "en") -> list[Hint]:
    """The best moves of a thought, with their reasons.

    >>> import infila
    >>> view = infila.new("take_that", players=2, seed=7, dealer=2).view(0)
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
