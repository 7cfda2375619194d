"""What tests of all games must know of Take That."""

from itertools import product

from tests.cases import Cases

CASES = Cases(
    option_sets=[
        {"players": players, "rounds": rounds, "expert": expert, "dealer": dealer}
        for players, rounds, expert, dealer in product((2, 3, 4), (1, 2, 3), (False, True), ("random", 1))
    ],
    few=[{"players": 2}, {"players": 4, "expert": True}],
    thought_about=[{"players": 2}, {"players": 4, "expert": True, "rounds": 3}],
    short={"rounds": 1},
    batch={"players": 3, "expert": True, "rounds": 1},
    crowded={"players": 3, "expert": True, "rounds": 1},
    studied={"players": 3, "expert": True},
    seat_env={"players": 3, "expert": True, "opponents": ["random", "beginner"], "seat": 1, "rewards": "score"},
    openspiel="players=3,rounds=1,expert=True,dealer=2",
    observed={"players": 3, "expert": True},
    late={"players": 3, "expert": True},
    pile="pile",
    scene={"players": 3, "rounds": 1, "dealer": 2},
    scene_moves=26,
    most={"players": 4},
    piece=".t-hung > use",
    sizes={"360x640": 40, "390x664": 40, "844x390": 44, "820x1180": 80, "1280x720": 49},
    oracle_batches=16,
    nothing_learnt={"number": {False}, "x": {False}, "take": {True}},
    soon_over=True,
)
