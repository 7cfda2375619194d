"""Random games of Completto: views, redraws, texts and positions, and all moves of covered tiles by trying them out."""

import random
from typing import Any

import numpy as np
import pytest

from infila import IllegalMove
from infila.core import driver
from infila.core.games import contract_of
from infila.core.notation import position_of, set_up


@pytest.mark.parametrize("players", [2, 3, 4])
def test_random_games_keep_every_promise(players: int) -> None:
    contract = contract_of("completto")
    rules, notation = contract.rules, contract.notation
    luck = random.Random(players)
    out = np.zeros(rules.MAX_LEGAL, np.int16)
    states = np.zeros(1, rules.State)
    contract.options.make({"players": players, "games": 2}).write(states[0])
    driver.deal_at(states, 0, np.uint64(11), np.uint64(players))
    while n := driver.legal_at(states, 0, out):
        actions = out[:n].tolist()
        if luck.random() < 0.03:
            full = position_of(contract, states)
            assert set_up(contract, full).tobytes() == states.tobytes()
            seat = int(states[0].turn)
            for viewer in range(-1, players):
                view, redrawn = states.copy(), states.copy()
                driver.hide_at(view, 0, viewer)
                driver.redraw_at(redrawn, 0, viewer, np.uint64(luck.getrandbits(64)), np.uint64(1))
                set_up(contract, position_of(contract, redrawn))
                assert driver.legal_at(redrawn, 0, out) == n
                assert out[:n].tolist() == actions
                driver.hide_at(redrawn, 0, viewer)
                assert redrawn.tobytes() == view.tobytes()
            assert [notation.parse(view[0], notation.text(view[0], action), seat) for action in actions] == actions
            paths = {notation.parts(view[0], action) for action in actions}
            assert len(paths) == n
            for action in set(range(rules.ACTIONS)) - set(actions):
                assert isinstance(notation.refusal(view[0], action, seat), IllegalMove)
            _check_moves_of_covered(contract, view[0], [action for action in actions if action >= rules.KIND_FIRST[3]])
        kind = luck.choice(sorted({int(np.searchsorted(rules.KIND_FIRST, action, "right")) - 1 for action in actions}))
        low, high = rules.KIND_FIRST[kind : kind + 2]
        driver.play_at(states, 0, luck.choice([action for action in actions if low <= action < high]))


def _check_moves_of_covered(contract: Any, view: Any, actions: list[int]) -> None:
    """C18, by trying all pairs of places."""
    row = contract.notation.to_json(view)["rows"][int(view.turn)]
    first: dict[tuple[str, ...], tuple[int, int]] = {}
    if contract.notation.to_json(view)["phase"] != "turn":
        return
    for source in range(22):
        for target in range(22):
            after = row[:source] + row[source + 1 :]
            after.insert(target, row[source])
            if row[source] == "(?)" and after != row:
                standard = first.setdefault(tuple(after), (source, target))
                meant = contract.notation.parse(view, f"{source + 1}>{target + 1}", int(view.turn))
                assert contract.notation.text(view, meant) == f"{standard[0] + 1}>{standard[1] + 1}"
    assert len(first) == len(actions)
