"""Random play is what it has always been: digests of the games of every option, `tests/games/<game>/digests.json`.

A digest covers the final state and the length of every game. One that changes means that rules, chance, the record or
the order of legal moves have changed, and with them old logs; then the rules' version changes, too.
"""

import json
from pathlib import Path

import pytest

from infila.batch.simulate import simulate
from infila.core.games import NAMES, contract_of

GAMES, SEED = 300, 5


@pytest.mark.parametrize("name", NAMES)
def test_games_are_played_as_ever(name: str) -> None:
    known: dict[str, str] = json.loads((Path(__file__).parent / "games" / name / "digests.json").read_text())
    options = contract_of(name).options
    found = {}
    for text in known:
        chosen = options.from_texts(dict(option.split("=") for option in text.split()))
        found[text] = simulate(name, GAMES, chosen.to_dict(), seed=SEED).digest
    assert found == known
