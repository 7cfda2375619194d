"""The computer players' search: simulations per second, on one core and on two, and what the tree costs.

    python -m bench.search --out bench/results/search.json

At the opening and in the middle of each game, two players, with `master`'s settings. The tree's part of the time is
what a simulation takes beyond drawing a world anew, playing it out from the same position and judging where it ends.
"""

import argparse
import json
import platform
import time
from pathlib import Path
from typing import Any

import infila
from bench.games import facts_of
from infila.core.chance import luck_below
from infila.core.dispatch import redraw, scores, worth
from infila.core.record import uint64
from infila.core.rule import rule
from infila.players import search
from infila.players.player import MOST_SIMULATIONS, Tree


@rule
def only_playouts(states: Any, seat: Any, times: Any, settings: Any, desks: Any, buffers: Any) -> Any:
    """Simulations without a tree."""
    moves = 0
    luck = desks[0].luck
    for _ in range(times):
        states[1] = states[0]
        redraw(states[1], seat, uint64(luck_below(luck, 2**31)), uint64(luck_below(luck, 2**31)))
        moves += search.playout(states[1], states[0], settings[0], buffers, luck)
        worth(states[1], desks[0].worth)
        scores(states[1], desks[0].points)
    return moves


def position(name: str, moves: int) -> infila.View:
    """After so many moves between club players, a seat that has something to decide."""
    game = infila.new(name, players=2, seed=1)
    club = infila.player(name, "club")
    while len(game.history) < moves or len(game.view(game.player).moves) < 3:
        game.play(club.think(game.view(game.player)).move)
    return game.view(game.player)


def measure(name: str, moves: int, seconds: float) -> dict[str, Any]:
    view = position(name, moves)
    player = infila.player(name, "master")
    assert player.level is not None and view.seat is not None
    budget = int(seconds * 1000)
    player.think(view, simulations=50)
    on_one = player.think(view, milliseconds=budget).simulations / seconds
    on_two = player.think(view, milliseconds=budget, threads=2).simulations / seconds
    count = player.level.simulations
    start = time.process_time()
    player.think(view, simulations=count)
    whole = time.process_time() - start
    tree = Tree(player, view.states, view.seat, player.level, 0, MOST_SIMULATIONS)
    arguments = (tree.states, view.seat, count, tree.settings, tree.desk, tree.buffers)
    only_playouts(*arguments)
    start = time.process_time()
    only_playouts(*arguments)
    playouts = time.process_time() - start
    return {
        "simulations_per_second": round(on_one),
        "on_two_cores": round(on_two),
        "scaling": round(on_two / on_one, 2),
        "tree_share": round(max(0.0, 1 - playouts / whole), 2),
        "master_seconds_per_move": round(whole, 3),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=1.0, help="for each measurement")
    parser.add_argument("--out", type=Path)
    wanted = parser.parse_args()
    results: dict[str, Any] = {"machine": f"{platform.machine()}, Python {platform.python_version()}", "games": {}}
    print(f"{'':<22}{'simulations/s':>14}{'two cores':>11}{'tree':>7}{'master s/move':>15}")
    for name in infila.games():
        results["games"][name] = {}
        for label, moves in (("opening", 0), ("middle", facts_of(name).middle)):
            figures = measure(name, moves, wanted.seconds)
            results["games"][name][label] = figures
            print(
                f"{name + ', ' + label:<22}{figures['simulations_per_second']:>14,}{figures['scaling']:>10}×"
                f"{100 * figures['tree_share']:>6.0f}%{figures['master_seconds_per_move']:>15}",
                flush=True,
            )
    if wanted.out:
        wanted.out.write_text(json.dumps(results, indent=1) + "\n")


if __name__ == "__main__":
    main()
