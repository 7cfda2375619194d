"""Work by processes of this machine, which end together; Ctrl-C is heard by the one that has begun them."""

import multiprocessing
import signal
import sys
import threading
from collections.abc import Callable, Collection, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from multiprocessing import resource_tracker
from multiprocessing.pool import AsyncResult
from multiprocessing.pool import Pool as AnyPool
from multiprocessing.process import BaseProcess
from typing import Any, Generic, ParamSpec, TypeVar

from infila.core.errors import InfilaError

Given = ParamSpec("Given")
Made = TypeVar("Made")


@dataclass(frozen=True)
class _Promise(Generic[Made]):
    made: "AsyncResult[Made]"
    workers: Collection[BaseProcess]

    def result(self) -> Made:
        """What was made, once it is; if a process has died, it may have been this one's, and nobody would ever say
        so."""
        while True:
            with suppress(multiprocessing.TimeoutError):
                return self.made.get(1.0)
            dead = [worker.exitcode for worker in self.workers if worker.exitcode is not None]
            if dead and not self.made.ready():
                raise InfilaError(f"a process that worked on it has died (exit code {dead[0]}), so it was stopped.")

    def cancel(self) -> None:
        """It ends with its process."""


@dataclass(frozen=True)
class Processes:
    pool: AnyPool
    _all: Collection[BaseProcess]

    @property
    def workers(self) -> int:
        return len(self._all)

    def promised(self, work: Callable[Given, Made], *given: Given.args, **named: Given.kwargs) -> _Promise[Made]:
        """Have a function of a module called there."""
        return _Promise(self.pool.apply_async(work, given, named), self._all)


@contextmanager
def processes(count: int, begin: Callable[..., None] | None = None, given: tuple[Any, ...] = ()) -> Iterator[Processes]:
    """So many, each of which calls `begin` first. They end with the block, whatever they are at."""
    before = set(multiprocessing.active_children())
    with ExitStack() as stack:
        with _deaf():
            pools = multiprocessing.get_context("spawn").Pool
            pool = stack.enter_context(pools(count, _begin, (begin, *given)))
        yield Processes(pool, set(multiprocessing.active_children()) - before)


def _begin(begin: Callable[..., None] | None, *given: Any) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # for where `_deaf` can do nothing
    if begin is not None:
        begin(*given)


@contextmanager
def _deaf() -> Iterator[None]:
    """Processes started here never hear Ctrl-C; this one hears it afterwards, and can end them."""
    if threading.current_thread() is not threading.main_thread():
        yield  # only the main thread hears Ctrl-C
        return
    if sys.platform != "win32":
        resource_tracker.ensure_running()  # it starts with the first process, and then lets the signal through again
    heard: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _: heard.append(number))
    # a blocked signal stays blocked in a new process; but here another thread may still hear it, so that is not enough
    blocked = sys.platform != "win32" and signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
        if sys.platform != "win32":
            signal.pthread_sigmask(signal.SIG_SETMASK, blocked or ())
        if heard:
            signal.raise_signal(signal.SIGINT)
