"""Stand-ins for what a game need not bring: moves in words, reasons for them, answers to touches, events for a study,
a host."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from infila.core.contract import Contract, Event, Reason
    from infila.core.errors import IllegalMove
    from infila.core.options import Options


class PlainStory:
    """A game without `story.py`: moves as they are written."""

    def __init__(self, contract: "Contract") -> None:
        self._text = contract.notation.text

    def tell(self, s: Any, action: int, after: Any = None) -> "Reason":
        from infila.core.contract import Reason

        return Reason("plays", {"move": self._text(s, action)})

    def propose(self, s: Any, action: int) -> "Reason":
        return self.tell(s, action)


class PlainTouch:
    """A game without `touch.py`: the refusal of the first move, legal or not, whose path was touched, or begun."""

    def __init__(self, contract: "Contract") -> None:
        self._rules, self._notation = contract.rules, contract.notation

    def answer(self, s: Any, touched: tuple[str, ...], seat: int) -> "IllegalMove | None":
        begun = -1
        for action in range(self._rules.ACTIONS if touched else 0):
            try:
                path = self._notation.parts(s, action)
            except IndexError:  # a number that is no action of any position
                continue
            if path == touched:
                return self._notation.refusal(s, action, seat)
            if begun < 0 and path[: len(touched)] == touched:
                begun = action
        return None if begun < 0 else self._notation.refusal(s, begun, seat)


class NoAdvice:
    """A game without `advice.py`: no reasons for a move."""

    def reasons(self, s: Any, action: int) -> "list[Reason]":
        return []


class NoEvents:
    """A game without `study.py`: nothing of its own to count."""

    EVENTS: "tuple[Event, ...]" = ()

    @staticmethod
    def note(before: Any, action: Any, after: Any, counts: Any) -> None:
        """Count nothing."""


class PlainHost:
    """A game without `host.py`: everybody may talk, and may call for actions of no seat, told as written."""

    def __init__(self, contract: "Contract") -> None:
        self._text = contract.notation.text

    def silence(self, options: "Options") -> "IllegalMove | None":
        return None

    def objection(self, s: Any, action: int, seat: int) -> "IllegalMove | None":
        return None

    def call(self, s: Any, action: int) -> "Reason":
        from infila.core.contract import Reason

        return Reason("call", {"move": self._text(s, action)})
