"""What tests of all games must know of Zatre."""

from itertools import product

from tests.cases import Cases

CASES = Cases(
    option_sets=[
        {"players": players, "keeping": keeping, "teams": teams}
        for (players, teams), keeping in product(
            [(2, False), (3, False), (4, False), (5, False), (6, False), (4, True), (6, True)], ("free", "forced")
        )
    ],
    few=[{"players": 3, "keeping": "free"}, {"players": 4, "teams": True, "keeping": "forced"}],
    thought_about=[{"players": 2}, {"players": 4, "teams": True}, {"players": 3, "keeping": "forced"}],
    short={},
    batch={"players": 4, "teams": True},
    crowded={"players": 4, "teams": True},
    studied={"players": 4, "teams": True},
    seat_env={"players": 4, "teams": True, "opponents": "beginner"},
    openspiel="players=2,keeping=forced",
    observed={"players": 3},
    late={"keeping": "free"},
    pile="bag",
    scene={"players": 2},
    scene_moves=46,
    most={"players": 6},
    piece="[data-part=cell-h10], [data-part=cell-i10]",
    sizes={"360x640": 23, "844x390": 25, "820x1180": 45, "1280x720": 41, "1440x900": 47},
    oracle_batches=7,
    nothing_learnt={"@": {False}, "stop": {False}},
    bytes_of_state=2048,
)
