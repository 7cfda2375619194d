"""The real rules and the oracles agree, move by move, over thousands of random games of all options."""

import pytest

from tests.cases import cases_of
from tests.compare import compare
from tests.play import GAMES

pytestmark = pytest.mark.slow

GAMES_EACH = 50  # `make test-long` compares a hundred thousand of each game
CASES = [(name, batch) for name in GAMES for batch in range(cases_of(name).oracle_batches)]


@pytest.mark.parametrize(("name", "batch"), CASES)
def test_rules_agree_with_the_oracle(name: str, batch: int) -> None:
    moves = list(compare(name, GAMES_EACH, first=batch * GAMES_EACH))
    assert len(moves) == GAMES_EACH
    assert min(moves) > 0
