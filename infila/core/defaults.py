"""What most games have in common: rules for games that do not bring their own.

They need a field `turn`, the seat on turn, and a field `ended`, which is not 0 once the game is over.
"""

from typing import Any

from infila.core.rule import rule


@rule
def player(s: Any) -> int:
    """The seat on turn; once the game is over, the one whose turn was last."""
    return s.turn  # type: ignore[no-any-return]


@rule
def mover(s: Any) -> int:
    """The seat to act: the one on turn, unless another must act first. It always has an action."""
    return s.turn  # type: ignore[no-any-return]


@rule
def actor(s: Any, action: int) -> int:
    """The seat that an action belongs to; HOST if none."""
    return s.turn  # type: ignore[no-any-return]


@rule
def over(s: Any) -> bool:
    """Whether the game has ended."""
    return s.ended != 0  # type: ignore[no-any-return]
