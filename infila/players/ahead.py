"""How a position looks from a little further on: everybody plays what they like best, and then it is judged."""

from infila.core.contract import WORTH, AnyState
from infila.core.dispatch import enough, over, play, scores, worth
from infila.core.record import F8s, Floats, I2s, I8s, Ints, States, U8s, int64
from infila.core.rule import rule
from infila.players.judging import LONGEST, share_out
from infila.players.search import WHOEVER, best_rated, choices


@rule
def judge_now(s: AnyState, players: int, mates: int, points: Ints, shares: Floats, at: int) -> None:
    """Each seat's share of the win: a fact if the game is over, and otherwise what `worth` thinks."""
    if over(s):
        scores(s, points)
        share_out(points, players, mates, shares, at)
    else:
        worth(s, points)
        for seat in range(players):
            shares[at + seat] = points[seat] / WORTH


@rule
def look_ahead(
    states: States,
    root: States,
    horizons: I8s,
    players: int,
    mates: int,
    out: I2s,
    ratings: I8s,
    luck: U8s,
    points: I8s,
    shares: F8s,
) -> None:
    """Play on from every state, and judge it at each of the horizons, in ascending order, counted from root[0].

    Writes the shares of the seats, horizon by horizon, state by state. A side has `mates` seats.
    """
    at = 0
    for i in range(len(states)):
        moves = 0
        for k in range(len(horizons)):
            while moves < LONGEST and not over(states[i]) and not enough(states[i], root[0], horizons[k]):
                n = choices(states[i], out, int64(WHOEVER))
                if n == 0:
                    break
                play(states[i], out[0] if n == 1 else out[best_rated(states[i], out, n, ratings, int64(0), luck)])
                moves += 1
            judge_now(states[i], players, mates, points, shares, at)
            at += players
