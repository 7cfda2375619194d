"""The rules of all games, compiled before anybody needs them and without anybody waiting for it.

Compiling takes many seconds, once on every machine, and would hold up every page; so another process does it, and the
server only reads the result. Who wants to play a game that is not ready waits for that game alone.
"""

import asyncio
import logging
import sys
from concurrent.futures import ThreadPoolExecutor

from infila.core.games import mark_of, usable_games
from infila.server.errors import Stopping

JOB = "serve"
logger = logging.getLogger("infila")


def touch(game: str) -> None:
    """Use everything of a game that is compiled."""
    import infila
    from infila.players import LEVELS

    playing = infila.new(game, seed=1)
    playing.play(playing.moves[0])
    playing.explain()
    seat = playing.player
    view = playing.redrawn(seat, 1).view(seat)
    view.explain()
    assert view.position and infila.load(playing.position)
    infila.player(game, "random").think(view)
    for level in LEVELS:
        try:
            infila.player(game, level).think(view, simulations=1)
        except ModuleNotFoundError:
            logger.info("%s has no %s player", game, level)


def is_compiled(game: str) -> bool:
    return mark_of(game, JOB).exists()


class Compiling:
    """Which games can be played at once."""

    def __init__(self) -> None:
        self._ready = {game: asyncio.Event() for game in usable_games()}
        self._task: asyncio.Task[None] | None = None
        self._compiler: asyncio.subprocess.Process | None = None
        self._stopping = False

    def is_ready(self, game: str) -> bool:
        return self._ready[game].is_set()

    async def wait(self, game: str) -> None:
        if game in self._ready:
            await self._ready[game].wait()
            if self._stopping:
                raise Stopping("the server is being stopped.")

    def give_up(self) -> None:
        """The server stops: whoever waits for a game is told."""
        self._stopping = True
        for ready in self._ready.values():
            ready.set()

    def start(self) -> None:
        self._task = asyncio.create_task(self._run())

    async def stop(self) -> None:
        if self._task is not None:
            self._task.cancel()
        if self._compiler is not None and self._compiler.returncode is None:
            self._compiler.terminate()
            await self._compiler.wait()

    async def _run(self) -> None:
        with ThreadPoolExecutor(1, thread_name_prefix="infila-compile") as thread:
            cold = [game for game in usable_games() if not is_compiled(game)]
            for game in usable_games():
                if game not in cold:
                    await self._touch(game, thread)
            if cold:
                await self._compile(cold, thread)

    async def _compile(self, games: list[str], thread: ThreadPoolExecutor) -> None:
        self._compiler = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "infila.server.compiling", *games, stdout=asyncio.subprocess.PIPE
        )
        assert self._compiler.stdout is not None
        async for line in self._compiler.stdout:
            if (game := line.decode().strip()) in self._ready:
                await self._touch(game, thread)
        for game in games:  # should the other process have failed, it is done here after all
            if not self.is_ready(game):
                await self._touch(game, thread)

    async def _touch(self, game: str, thread: ThreadPoolExecutor) -> None:
        try:
            await asyncio.get_running_loop().run_in_executor(thread, touch, game)
        except Exception:
            logger.exception("the rules of %s could not be made ready", game)
        self._ready[game].set()


def main() -> None:
    for game in sys.argv[1:]:
        touch(game)
        mark_of(game, JOB).touch()
        print(game, flush=True)


if __name__ == "__main__":
    main()
