"""What the four games' positions have in common."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from infila.core.errors import BadPosition
from infila.core.fields import integer, one_of

SEATS = 2


def shown(pieces: Sequence[int]) -> list[int | str]:
    """Pieces in JSON; those that are hidden as question marks."""
    return [piece or "?" for piece in pieces]


def read_turn(s: Any, fields: Mapping[str, Any]) -> None:
    s.turn = integer(fields, "player", 1, SEATS) - 1
    s.ended = one_of(fields, "over", (False, True))


def check_once(groups: Sequence[Sequence[int]], all_of_them: Collection[int], rule: str) -> None:
    """Each piece must be in one of the groups, and in no other."""
    if sorted(piece for group in groups for piece in group) != sorted(all_of_them):
        raise BadPosition(f"{rule}: each of the {len(all_of_them)} must be there once.")
