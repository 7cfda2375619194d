"""The time of all servers of a database: the database's, so that no machine's own clock counts.

Between two looks at it a steady clock goes on, which nobody sets. A look takes a while, and says only that the
database's time lies between two moments of that clock; what fits is left as it is, so that time does not jitter.
"""

import time


class SharedTime:
    def __init__(self) -> None:
        self._ahead = time.time() - time.monotonic()

    def __call__(self) -> float:
        return time.monotonic() + self._ahead

    def heard(self, now: float, asked: float, answered: float) -> None:
        """The database had this time between two moments of the steady clock."""
        self._ahead = min(max(self._ahead, now - answered), now - asked)
