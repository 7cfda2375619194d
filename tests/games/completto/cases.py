"""What tests of all games must know of Completto."""

from itertools import product

from tests.cases import Cases

CASES = Cases(
    option_sets=[
        {"players": players, "games": games, "first": first}
        for players, games, first in product((2, 3, 4), (1, 2), ("random", 0))
    ],
    few=[{"players": 2, "games": 1}, {"players": 3, "games": 1}],
    thought_about=[{"players": 2}, {"players": 4, "games": 2}],
    short={"games": 1},
    batch={"players": 2, "games": 1},
    crowded={"players": 3, "games": 1},
    studied={"players": 2, "games": 2},
    seat_env={"games": 1, "opponents": "random"},
    openspiel="players=2,games=1",
    observed={"players": 3, "games": 2},
    late={"players": 4, "games": 1},
    pile="covered",
    scene={"players": 2, "games": 1, "first": 0},
    scene_moves=70,
    most={"players": 4},
    piece="[data-part=place-2] use",
    sizes={"360x640": 39, "390x664": 39, "390x844": 42, "844x390": 35, "820x1180": 65, "1280x720": 52, "1440x900": 59},
    oracle_batches=5,
    nothing_learnt={"@": {False, True}, ">": {True}, "draw": {False}},
    hands=False,
    aimless=True,
)
