"""Play random games by the real rules and by an oracle, move by move, and stop at the first difference.

python -m tests.compare zatre --games 200
"""

import argparse
import importlib
import json
import multiprocessing
import random
from bisect import bisect
from collections.abc import Iterator
from typing import Any

import numpy as np

from infila.core import driver
from infila.core.games import NAMES, contract_of
from infila.core.notation import move_texts, position_of
from tests.cases import cases_of

OPTION_SETS: dict[str, list[dict[str, Any]]] = {name: cases_of(name).option_sets for name in NAMES}


# moves of covered tiles lead nowhere: with less of them Completto's games take half the time
LIKINGS = {"move": (1, 1, 1, 4)}


class Difference(AssertionError):
    pass


def compare_game(name: str, options: dict[str, Any], key: tuple[int, int], styles: random.Random) -> int:
    """One random game, compared in legal moves, position and scores after every move; the number of moves."""
    contract = contract_of(name)
    made = contract.options.make(options)
    oracle = importlib.import_module(f"tests.games.{name}.oracle").Oracle(made.to_json(), key)
    states = np.zeros(1, contract.rules.State)
    made.write(states[0])
    driver.deal_at(states, 0, np.uint64(key[0]), np.uint64(key[1]))
    out = np.zeros(contract.rules.MAX_LEGAL, np.int16)
    points = np.zeros(12, np.int64)
    history: list[str] = []
    # some games are played with a liking for certain kinds of moves, to get to rarer positions
    liking = [styles.choice(LIKINGS.get(kind, (4, 4, 4, 32))) for kind in contract.rules.KINDS]
    weight = contract.rules.KIND_WEIGHT * np.array(liking)
    first = contract.rules.KIND_FIRST.tolist()
    while True:
        n = driver.legal_at(states, 0, out)
        listed = out[:n].tolist()
        actions = dict(zip(move_texts(contract, states, listed), listed, strict=True))
        driver.status_at(states, 0, points)
        _same("number of different moves", n, len(actions), name, options, key, history)
        _same("moves", sorted(actions), sorted(oracle.moves()), name, options, key, history)
        _same("position", position_of(contract, states), oracle.position(), name, options, key, history)
        _same("scores", points[: options["players"]].tolist(), oracle.scores(), name, options, key, history)
        if not actions:
            return len(history)
        kinds: dict[int, list[str]] = {}
        for text, action in actions.items():
            kinds.setdefault(bisect(first, action) - 1, []).append(text)
        kind = styles.choices(list(kinds), [int(weight[kind]) for kind in kinds])[0]
        text = styles.choice(sorted(kinds[kind]))
        history.append(text)
        driver.play_at(states, 0, actions[text])
        oracle.do(text)  # it is one of its moves


def _same(what: str, ours: Any, oracles: Any, *where: Any) -> None:
    if ours == oracles:
        return
    name, options, key, history = where
    if isinstance(ours, dict):
        fields = [field for field in {**ours, **oracles} if ours.get(field) != oracles.get(field)]
        ours, oracles = {f: ours.get(f) for f in fields}, {f: oracles.get(f) for f in fields}
    elif isinstance(ours, list) and what == "moves":
        ours, oracles = sorted(set(ours) - set(oracles)), sorted(set(oracles) - set(ours))
        what = "moves that only one side allows"
    raise Difference(
        f"{name} {json.dumps(options)} key={key}: {what} differ after {len(history)} moves\n"
        f"  rules : {ours}\n  oracle: {oracles}\n  moves : {' '.join(history[-12:])}"
    )


def compare(name: str, games: int, first: int = 0) -> Iterator[int]:
    """So many games spread over all options and player counts; yields the moves of each."""
    sets = OPTION_SETS[name]
    for i in range(first, first + games):
        yield compare_game(name, sets[i % len(sets)], (0xC0FFEE, i), random.Random(i))


def _batch(work: tuple[str, int, int]) -> int:
    name, games, first = work
    return sum(compare(name, games, first))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", choices=sorted(OPTION_SETS))
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--processes", type=int, default=1)
    wanted = parser.parse_args()
    size = 100
    work = [(wanted.game, min(size, wanted.games - done), wanted.first + done) for done in range(0, wanted.games, size)]
    _batch((wanted.game, 1, wanted.first))  # compile once, not in every process
    moves = done = 0
    with multiprocessing.Pool(wanted.processes) as pool:
        for (_, games, _), length in zip(work, pool.imap(_batch, work), strict=True):
            moves += length
            done += games
            print(f"{wanted.game}: {done:,} of {wanted.games:,} games, {moves:,} moves agree", flush=True)


if __name__ == "__main__":
    try:
        main()
    except Difference as difference:
        raise SystemExit(str(difference)) from None
