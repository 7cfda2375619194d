"""The rules of games that bring no module, compiled before anybody needs them and without anybody waiting for it.

infila's own games have modules (`infila.wasm`) and can be played at once; so can any game that another package brings
with one. For the others, compiling takes many seconds, once on every machine, and would hold up every page; so other
processes do it, and the server only reads the result. Who wants to play a game that is not ready waits for that game
alone: it is compiled next, beside another one if need be, and how far it is can be told.
"""

import asyncio
import logging
import sys
import time
from collections.abc import Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass

from infila.core.game import View
from infila.core.games import mark_of, usable_games
from infila.core.picture import sayer
from infila.server.errors import Stopping
from infila.server.gently import gently
from infila.wasm.use import needs_no_compiler

JOB = "serve"
MOST_AT_ONCE = 2  # processes that compile
POSITIONS = 40  # of a game that are looked at as a table and a hint do it
CHOICES = 4  # moves that are looked at in each
DEALT, FOUND, PLAYED, SEEN, THOUGHT = 0.09, 0.17, 0.28, 0.38, 0.97  # shares of the work, measured, after each part
logger = logging.getLogger("infila")


def touch(game: str) -> None:
    """Use everything of a game once, so that nobody waits for what is loaded when it is first needed."""
    for _share in gently(touching(game)):
        pass


def touching(game: str) -> Iterator[float]:
    """Use everything of a game that is compiled: its rules, every level, and all that draws and explains. Says again
    and again how large a share of the work is done."""
    import infila
    from infila.players import LEVELS

    playing = infila.new(game, seed=1)
    yield DEALT
    moves = playing.moves
    yield FOUND
    playing.play(moves[0])
    playing.explain()
    yield PLAYED
    seat = playing.player
    view = playing.redrawn(seat, 1).view(seat)
    view.explain()
    assert view.position and infila.load(playing.position)
    infila.player(game, "random").think(view)
    yield SEEN
    for level in LEVELS:
        try:
            infila.player(game, level).think(view, simulations=1)
        except ModuleNotFoundError:
            logger.info("%s has no %s player", game, level)
        yield THOUGHT
    for number in range(1, POSITIONS + 1):
        if playing.over:
            break
        seat = playing.acting()[0]
        _look_at(playing.view(seat), seat)
        playing.play(playing.moves[7 * number % len(playing.moves)])
        yield THOUGHT + (1 - THOUGHT) * number / POSITIONS


def _look_at(view: View, seat: int) -> None:
    """What the page of a table and a hint ask of a game."""
    contract, s = view.contract, view.states[0]
    say = sayer(contract.words("en")["picture"])
    contract.picture.panels(s, seat, view.names, say, ())
    for action in view.own_actions()[:CHOICES]:
        contract.story.propose(s, action)
        contract.story.tell(s, action)
        contract.advice.reasons(s, action)
        contract.notation.parts(s, action)
        contract.picture.note(s, action)
        contract.picture.lights(s, action)


def is_compiled(game: str) -> bool:
    """Whether a game can be played without compiling anything."""
    return needs_no_compiler(game) or mark_of(game, JOB).exists()


@dataclass(frozen=True)
class Progress:
    """How far a game is."""

    share: float
    seconds: float | None  # that it still takes; None before that can be told


@dataclass
class _Work:
    """A game that is being compiled."""

    since: float
    share: float = 0.0  # as it was told last,
    seconds: float = 0.0  # and after how long that was


class Compiling:
    """Which games can be played at once, and how far the others are."""

    def __init__(self) -> None:
        self._ready = {game: asyncio.Event() for game in usable_games()}
        self._work: dict[str, _Work] = {}
        self._wanted: list[str] = []
        self._tasks: set[asyncio.Task[None]] = set()
        self._compilers: set[asyncio.subprocess.Process] = set()
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="infila-compile")
        self._stopping = False

    def is_ready(self, game: str) -> bool:
        return game in self._ready and self._ready[game].is_set()

    async def wait(self, game: str) -> None:
        if game in self._ready:
            self.want(game)
            await self._ready[game].wait()
            if self._stopping:
                raise Stopping("the server is being stopped.")

    def want(self, game: str) -> None:
        """Somebody waits for this game: it comes next."""
        if game in self._wanted or game not in self._ready or self.is_ready(game):
            return
        self._wanted.append(game)
        under_way = [each for each in self._work if not self.is_ready(each)]
        if 0 < len(under_way) < MOST_AT_ONCE and game not in under_way:
            self._work[game] = _Work(time.monotonic())
            self._begin(self._compile(game))

    def progress(self, game: str) -> Progress:
        if self.is_ready(game):
            return Progress(1.0, 0.0)
        work = self._work.get(game)
        if work is None or not work.share:
            return Progress(0.0, None)
        elapsed, whole = time.monotonic() - work.since, work.seconds / work.share
        return Progress(min(elapsed / whole, 0.99), max(whole - elapsed, 1.0))

    def give_up(self) -> None:
        """The server stops: whoever waits for a game is told."""
        self._stopping = True
        for ready in self._ready.values():
            ready.set()

    def start(self) -> None:
        for game in filter(needs_no_compiler, usable_games()):
            self._ready[game].set()
        self._begin(self._run())

    def _begin(self, doing: Coroutine[None, None, None]) -> None:
        task = asyncio.get_running_loop().create_task(doing)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def stop(self) -> None:
        for task in list(self._tasks):
            task.cancel()
        for compiler in list(self._compilers):
            with suppress(ProcessLookupError):
                compiler.terminate()
            await compiler.wait()
        self._thread.shutdown(wait=False, cancel_futures=True)

    async def _run(self) -> None:
        for game in usable_games():
            if is_compiled(game):
                await self._touch(game)
        await self._compile_all()

    async def _compile_all(self) -> None:
        while (game := self._next()) is not None:
            await self._compile(game)

    def _next(self) -> str | None:
        """The game that is wanted most of those that nobody has begun to compile."""
        waiting = (game for game in (*self._wanted, *self._ready) if game not in self._work and not self.is_ready(game))
        return next(waiting, None)

    async def _compile(self, game: str) -> None:
        work = self._work.setdefault(game, _Work(time.monotonic()))
        compiler = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "infila.server.compiling", game, stdout=asyncio.subprocess.PIPE
        )
        self._compilers.add(compiler)
        assert compiler.stdout is not None
        async for line in compiler.stdout:
            with suppress(ValueError):
                work.share, work.seconds = min(float(line), 1.0), time.monotonic() - work.since
        await compiler.wait()
        self._compilers.discard(compiler)
        await self._touch(game)  # should the other process have failed, it is done here after all

    async def _touch(self, game: str) -> None:
        try:
            await asyncio.get_running_loop().run_in_executor(self._thread, touch, game)
        except Exception:
            logger.exception("the rules of %s could not be made ready", game)
        self._ready[game].set()


def main() -> None:
    (game,) = sys.argv[1:]
    for share in touching(game):
        print(f"{share:.3f}", flush=True)
    mark_of(game, JOB).touch()


if __name__ == "__main__":
    main()
