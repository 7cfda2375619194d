"""Our `master` against OpenSpiel's IS-MCTS bot, two players, the same time for every move.

    python -m bench.against_ismcts --deals 100 --ms 50

Each deal is played twice with the seats exchanged. The bot is OpenSpiel's own in Python on our OpenSpiel games, with
rollouts in our compiled code (--rollouts ours), which makes it stronger than with its own (--rollouts openspiel).
Games are noted in --folder as they end: after an interruption the same command goes on. Prints for each game the share
that `master` won with its 95 % interval, and writes it to --out as JSON, with the time that each really took: on a busy
machine look at that first.
"""

import argparse
import json
import time
from pathlib import Path
from typing import Any

import numpy as np
import pyspiel
from open_spiel.python.algorithms.ismcts import ISMCTSBot
from open_spiel.python.algorithms.mcts import RandomRolloutEvaluator

import infila
from infila.arena.results import GameLine, Results
from infila.core.games import NAMES
from infila.envs.openspiel import Rollouts
from infila.envs.world import DEALS, OUTCOMES

ROOT = Path(__file__).parents[1]
PLAYERS = ("master", "IS-MCTS")
UCT = 1.4


class TimedBot(ISMCTSBot):  # type: ignore[misc]
    """OpenSpiel's bot, which counts simulations, with a clock instead."""

    def __init__(self, game: Any, evaluator: Any, seconds: float, seed: int) -> None:
        super().__init__(game, evaluator, UCT, 1, random_state=np.random.RandomState(seed))
        self.seconds = seconds
        self.simulations = 0

    def run_search(self, state: Any) -> Any:
        end = time.monotonic() + self.seconds
        self.reset()
        legal = state.legal_actions()
        if len(legal) == 1:
            return [(legal[0], 1.0)]
        self._root_node = self.create_new_node(state)
        self.run_simulation(self.sample_root_state(state))  # the first only opens the root
        while True:
            self.run_simulation(self.sample_root_state(state))
            self.simulations += 1
            if time.monotonic() >= end:
                return self.get_final_policy(state, self._root_node)


def evaluator(kind: str, seed: int) -> Any:
    return Rollouts(seed=seed) if kind == "ours" else RandomRolloutEvaluator(1, np.random.RandomState(seed))


def played(name: str, deal: int, ours: int, milliseconds: int, rollouts: str) -> GameLine:
    """One game, `master` at seat `ours`."""
    game = pyspiel.load_game(f"infila_{name}(players=2)")
    bot = TimedBot(game, evaluator(rollouts, deal), milliseconds / 1000, deal)
    master = infila.player(name, "master", seed=deal)
    state = game.new_initial_state()
    for i in range(DEALS):
        state.apply_action(deal // OUTCOMES**i % OUTCOMES)
    decisions, seconds = [0, 0], [0.0, 0.0]
    while not state.is_terminal():
        seat = state.current_player()
        start = time.perf_counter()
        if seat == ours:
            action = master.ponder(state.world.hidden(seat), seat, milliseconds=milliseconds)[0].action
        else:
            action = int(bot.step(state))
        decisions[seat] += 1
        seconds[seat] += time.perf_counter() - start
        state.apply_action(action)
    seats = (0, 1) if ours == 0 else (1, 0)
    scores = tuple(int(2 * value) for value in state.returns())
    moves = sum(decisions)
    return GameLine(deal, seats, scores, tuple(decisions), tuple(seconds), moves, moves)


def warm_up(name: str, rollouts: str) -> None:
    """A move of both players that nobody counts: the first one compiles."""
    game = pyspiel.load_game(f"infila_{name}(players=2)")
    state = game.new_initial_state()
    for _ in range(DEALS):
        state.apply_action(0)
    seat = state.current_player()
    infila.player(name, "master").ponder(state.world.hidden(seat), seat, milliseconds=1)
    TimedBot(game, evaluator(rollouts, 0), 0.001, 0).step(state)


def contest(name: str, deals: int, milliseconds: int, rollouts: str, folder: Path) -> dict[str, Any]:
    """All deals of a game; those that are noted are not played again."""
    notes = folder / f"{name}-{milliseconds}-{rollouts}.jsonl"
    known = notes.read_text(encoding="utf-8").splitlines() if notes.exists() else []
    lines = {(row["deal"], row["seats"][0]): GameLine(**row) for row in map(json.loads, known)}
    results = Results(PLAYERS, [0, 1])
    warm_up(name, rollouts)
    for deal in range(deals):
        for ours in (0, 1):
            key = deal, ours  # who sits at seat 0: master is player 0
            if key not in lines:
                lines[key] = played(name, deal, ours, milliseconds, rollouts)
                with notes.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(vars(lines[key])) + "\n")
        results.add_deal([lines[deal, 0], lines[deal, 1]])
    share = results.share(0, 1)
    spent = {
        player: sum(line.seconds[line.seats.index(i)] for line in lines.values())
        / max(1, sum(line.decisions[line.seats.index(i)] for line in lines.values()))
        for i, player in enumerate(PLAYERS)
    }
    return {
        "deals": deals,
        "share": round(share.mean, 4),
        "low": round(share.low, 4),
        "high": round(share.high, 4),
        "seconds_per_move": {player: round(seconds, 4) for player, seconds in spent.items()},
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deals", type=int, default=50)
    parser.add_argument("--ms", type=int, default=50, help="milliseconds a move")
    parser.add_argument("--games", nargs="+", default=list(NAMES), choices=NAMES)
    parser.add_argument("--rollouts", choices=("ours", "openspiel"), default="ours")
    parser.add_argument("--folder", type=Path, default=ROOT / "build" / "ismcts")
    parser.add_argument("--out", type=Path, default=ROOT / "bench" / "results" / "ismcts.json")
    chosen = parser.parse_args()
    chosen.folder.mkdir(parents=True, exist_ok=True)
    results = {"milliseconds": chosen.ms, "rollouts": chosen.rollouts, "games": {}}
    for name in chosen.games:
        figures = contest(name, chosen.deals, chosen.ms, chosen.rollouts, chosen.folder)
        results["games"][name] = figures
        percent = [round(100 * figures[key], 1) for key in ("share", "low", "high")]
        print(
            f"{name:<10} master wins {percent[0]} % ({percent[1]} to {percent[2]}) of {chosen.deals} deals", flush=True
        )
        chosen.out.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    print(json.dumps(results))


if __name__ == "__main__":
    main()
