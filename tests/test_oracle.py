"""The real rules and the oracles agree, move by move, over thousands of random games of all options."""

import pytest

from tests.compare import compare
from tests.play import GAMES

BATCHES, GAMES_EACH = 20, 100


@pytest.mark.parametrize("batch", range(BATCHES))
@pytest.mark.parametrize("name", GAMES)
def test_rules_agree_with_the_oracle(name: str, batch: int) -> None:
    moves = list(compare(name, GAMES_EACH, first=batch * GAMES_EACH))
    assert len(moves) == GAMES_EACH
    assert min(moves) > 0
