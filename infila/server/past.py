"""Games as they were: after so many of their moves.

A game is replayed from its beginning, which takes a while when it is long. So the way there is marked by a copy after
every `EVERY` moves, made when somebody first looks that far, and whoever looks again goes on from the nearest.
"""

from collections import OrderedDict

from infila.core.game import Game
from infila.server.gently import gently

EVERY = 200  # moves
MOST_TABLES = 200


class Past:
    def __init__(self) -> None:
        self._marks: OrderedDict[str, list[Game]] = OrderedDict()  # of each table, from its beginning on

    def game_at(self, table: str, game: Game, moves: int) -> Game:
        """A game of a table as it was after so many moves. For a thread: it may take a while."""
        marks = [mark for mark in self._marks.get(table, ()) if _leads_to(mark, game)]
        if not marks:
            marks = [game.before(len(game.history))]
        then = marks[min(moves // EVERY, len(marks) - 1)].copy()
        for at in gently(range(len(then.history), moves)):
            then.play(game.history[at])
            if (at + 1) == len(marks) * EVERY:
                marks.append(then.copy())
        self._marks[table] = marks
        self._marks.move_to_end(table)
        while len(self._marks) > MOST_TABLES:
            self._marks.popitem(last=False)
        return then if then.names == game.names else then.renamed(game.names)


def _leads_to(mark: Game, game: Game) -> bool:
    """Whether a game has gone on from a mark; after a take-back it may have gone elsewhere."""
    return mark.history == game.history[: len(mark.history)]
