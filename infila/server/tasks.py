"""What a browser needs to think in a computer's place: a search that has not begun, as the player would begin it.

The browser runs the search in the game's own module (`infila.wasm`) and finds the same move: the player's seed for the
position, its settings and the room for lists are all in here, and no number of a level is written down anywhere else.
"""

from base64 import b64encode
from typing import Any

import msgspec

from infila.core.game import View
from infila.players.player import BATCH, Player, Tree


class Bytes(msgspec.Struct, frozen=True):
    """An array: how many bytes it has, and those before its last zeros."""

    size: int
    begin: str = ""  # in base64


class Task(msgspec.Struct, frozen=True):
    """A search: what the entry `search` of a module takes, how often, and in which portions."""

    game: str
    seat: int  # from 0, as modules count
    version: int  # of the table, for which the move is to be
    simulations: int
    batch: int  # at a time; the nodes are doubled when there may be too few for a batch
    states: Bytes  # what the seat may know, and room for a world
    settings: Bytes
    nodes: Bytes
    desk: Bytes
    buffers: tuple[Bytes, ...]


def task_of(player: Player, view: View, version: int) -> Task:
    """The search of a player who searches, for a seat that has a move."""
    level, seat = player.level, view.seat
    assert level is not None and seat is not None, "only a seat's search is a task"
    tree = Tree(player, view.states, seat, level, player.seed_for(view.states, seat), level.simulations)
    return Task(
        game=view.game,
        seat=seat,
        version=version,
        simulations=tree.left,
        batch=BATCH,
        states=_packed(tree.states),
        settings=_packed(tree.settings),
        nodes=_empty(tree.nodes),
        desk=_packed(tree.desk),
        buffers=tuple(map(_empty, tree.buffers)),
    )


def _packed(array: Any) -> Bytes:
    return Bytes(array.nbytes, b64encode(array.tobytes().rstrip(b"\0")).decode())


def _empty(array: Any) -> Bytes:
    """One that is all zeros before a search."""
    return Bytes(array.nbytes)
