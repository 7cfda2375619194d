"""Checks of infila.conformance that no other test makes of the four games; in short, as `make test-long` makes all."""

from dataclasses import replace

import pytest

from infila.conformance import CHECKS
from tests.cases import cases_of
from tests.play import GAMES, on_trial

SHORT = (
    "redraws_vary",
    "redraws_are_fair",
    "nothing_is_forgotten",
    "observations_are_honest",
    "symmetries_hold",
    "ratings_are_honest",
    "sentences_exist",
)


@pytest.mark.slow
@pytest.mark.parametrize("check", SHORT)
@pytest.mark.parametrize("name", GAMES)
def test_a_game_conforms(name: str, check: str) -> None:
    CHECKS[check](replace(on_trial(name, cases_of(name).batch, most=60), deals=200))
