"""What tests of all games must know of Sequence."""

from itertools import product

from tests.cases import Cases

CASES = Cases(
    option_sets=[
        {"players": players, "sides": sides, "advanced": advanced, "draw": draw, "table_talk": talk}
        for (players, sides), advanced, draw, talk in product(
            [(2, 2), (3, 3), (4, 2), (6, 2), (6, 3), (8, 2), (9, 3), (10, 2), (12, 2), (12, 3)],
            (False, True),
            ("auto", "manual"),
            ("allowed", "forbidden"),
        )
    ],
    few=[
        {"players": 2},
        {"players": 6, "sides": 3},
        {"players": 4, "advanced": True, "draw": "manual", "table_talk": "forbidden"},
    ],
    thought_about=[
        {"players": 2},
        {"players": 6, "sides": 3, "advanced": True},
        {"players": 4, "draw": "manual", "table_talk": "forbidden"},
    ],
    short={},
    batch={"players": 4, "draw": "manual", "table_talk": "forbidden"},
    crowded={"players": 12, "sides": 3, "draw": "manual"},
    studied={"players": 4, "advanced": True},
    seat_env={"players": 4, "draw": "manual", "opponents": "random", "seat": 2},
    openspiel="players=4,draw=manual,table_talk=forbidden",
    observed={"players": 6, "sides": 3, "draw": "manual"},
    late={"players": 4},
    pile="pile",
    scene={"players": 2},
    scene_moves=34,
    most={"players": 12, "sides": 3},
    piece="[data-part=cell-d5], [data-part=cell-e5]",
    sizes={"360x640": 32, "390x664": 36, "844x390": 45, "820x1180": 69, "1280x720": 62},
    oracle_batches=16,
    nothing_learnt={"@": {False}, "x": {False}, "draw": {False}, "pass": {True}},
    taken_back={"draw": "manual"},
)
