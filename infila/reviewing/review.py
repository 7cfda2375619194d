"""`infila.review`: a game, looked at once more."""

import time
from collections.abc import Callable

from infila.core.errors import InfilaError
from infila.core.game import Game
from infila.reviewing.ledger import Review
from infila.reviewing.reviewer import ERROR, SIMULATIONS, Progress, Reviewer
from infila.reviewing.sums import review_of


def review(
    game: Game,
    seat: int | None = None,
    *,
    simulations: int = SIMULATIONS,
    error: float = ERROR,
    seconds: float | None = None,
    seed: int = 0,
    progress: Callable[[Progress], None] = lambda _: None,
) -> Review:
    """What was luck and what was skill in a game, for every seat or for one, from 0.

    Each value is found by playing on up to `simulations` times, until its standard error is at most `error`. The same
    game, numbers and seed give the same review, to the byte; with `seconds` it ends when they are over and there is a
    first curve, with what is known by then. Ctrl-C ends it in the same way.

    >>> import infila
    >>> game = infila.new("take_that", players=2, seed=7, rounds=1)
    >>> while not game.over:
    ...     game.play(game.moves[0])
    >>> found = infila.review(game, seat=0, simulations=8)
    >>> mine = found.seat(0)
    >>> round(mine.start.win + mine.luck + mine.gifts - mine.losses + mine.rest, 9) == mine.result
    True
    """
    if not isinstance(game, Game):
        raise InfilaError(f"a review is of a game, as infila.load gives it, not of a {type(game).__name__}.")
    reviewer = Reviewer(game, None if seat is None else [seat], simulations, error, seed)
    end = None if seconds is None else time.monotonic() + seconds
    try:
        for so_far in reviewer.work():
            progress(so_far)
            if end is not None and so_far.passes and time.monotonic() >= end:
                break
    except KeyboardInterrupt:
        if not reviewer.passes:
            raise
    return review_of(reviewer)
