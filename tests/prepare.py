"""Compile the rules of all games before the tests begin, each game in a process of its own, and build the site.

    NUMBA_BOUNDSCHECK=1 python -m tests.prepare

Compiled code is kept in files. Without this the processes of the tests, which begin all at once, would compile the same
rules side by side.
"""

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

from infila.core.games import NAMES, mark_of

JOB = "test"


def main() -> None:
    games = sys.argv[1:]
    if games:
        for game in games:
            compile_all(game)
            mark_of(game, JOB).touch()
        return
    waiting = [game for game in NAMES if not mark_of(game, JOB).exists()]
    jobs = [["tests.prepare", game] for game in waiting] + [["tests.site.built"]]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        done = pool.map(lambda job: subprocess.run([sys.executable, "-m", *job]).returncode, jobs)
    sys.exit(max(done, default=0))


def compile_all(game: str) -> None:
    """Use everything that many tests use."""
    import infila
    from infila.batch import Batch
    from infila.batch.simulate import simulate
    from infila.players import LEVELS
    from infila.server.compiling import touch
    from infila.study.run import study

    touch(game)
    playing = infila.new(game, seed=1)
    while len(playing.view(playing.player).moves) < 2:  # who has no choice does not think
        playing.play(playing.moves[0])
    for level in LEVELS:
        infila.player(game, level).think(playing.view(playing.player), simulations=1)
    simulate(game, 1)
    for by in ("random", "club"):
        study(game, 1, by=(by,), threads=1).run()
    batch = Batch(game, 2)
    actions, _ = batch.legal()
    batch.observe(), batch.mask()
    batch.step(actions[:, 0])


if __name__ == "__main__":
    main()
