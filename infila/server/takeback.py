"""Whether anybody has learnt anything from a move, computed from views.

Somebody has learnt nothing from a move if, in every world that looked to them as the real one did before the move, the
move was possible too and left them seeing the same. Then taking it back puts everybody where they were. The seat that
asks must not learn from the answer either: the question is asked in worlds that look to *it* like the real one, drawn
from nothing but what it sees, so the answer is the same in all of them.
"""

import hashlib
from itertools import count

from infila.core.errors import InfilaError
from infila.core.game import Game

WORLDS = 3  # drawn for the seat that asks
LOOKS = 4  # drawn in each of them for every seat


def nothing_learnt(before: Game, seat: int, move: str) -> bool:
    """Whether a seat's move, made in `before`, told nobody anything new, this seat included."""
    chance = _chance(before, seat, move)
    worlds = [before, *(before.redrawn(seat, next(chance)) for _ in range(WORLDS))]
    others = [viewer for viewer in range(len(before.names)) if viewer != seat]
    if not _same_for(worlds, seat, move):
        return False
    return all(
        _same_for([world, *(world.redrawn(viewer, next(chance)) for _ in range(LOOKS))], viewer, move)
        for world in worlds[1:]
        for viewer in others
    )


def _same_for(worlds: list[Game], viewer: int, move: str) -> bool:
    """Whether the move is possible in all worlds and leaves this viewer with the same view in each."""
    views = set()
    for world in worlds:
        try:
            views.add(world.copy().play(move).view(viewer).states.tobytes())
        except InfilaError:
            return False
    return len(views) == 1


def _chance(before: Game, seat: int, move: str) -> "count[int]":
    """Numbers that follow from what the seat sees and does."""
    seen = before.view(seat).states.tobytes() + move.encode()
    return count(int.from_bytes(hashlib.blake2b(seen, digest_size=6).digest(), "little"))
