"""The service: everything that can be done at a table, for pages and programs alike."""

from infila.server.learning import Learning
from infila.server.moves import Moves
from infila.server.seats import Seats
from infila.server.takeback import TakeBacks
from infila.server.talk import Talk
from infila.server.watching import Watching


class Service(Learning, Seats, Moves, TakeBacks, Talk, Watching):
    """One class for each subject, all of them over the same `Tables`."""
