"""What most games have in common: a game whose rules say nothing else gets these.

They ask for a field `turn`, the seat on turn, and a field `ended`, which is not 0 once the game is over.
"""

from typing import Any

from infila.core.rule import rule


@rule
def player(s: Any) -> int:
    """The seat on turn; once the game is over, the one whose turn was last."""
    return s.turn  # type: ignore[no-any-return]


@rule
def mover(s: Any) -> int:
    """The seat that is to act: the one on turn, unless another must act before it. It always has an action."""
    return s.turn  # type: ignore[no-any-return]


@rule
def actor(s: Any, action: int) -> int:
    """The seat whose action this is, HOST if nobody's."""
    return s.turn  # type: ignore[no-any-return]


@rule
def over(s: Any) -> bool:
    """Whether the game has ended."""
    return s.ended != 0  # type: ignore[no-any-return]
