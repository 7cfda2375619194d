"""A slower processor for a browser's pages: they run for a moment, and stand still for three times as long.

    python -m bench.slower PID FACTOR

Chromium's own throttling slows the window of a page and leaves its workers as they are, which do nearly all the work of
a site. Here all processes that show pages, with every thread in them, are stopped and continued by signals. Whatever a
page and the browser ask each other waits for the next turn, which it would not on a slower processor: so turns are
short, a few milliseconds. Whoever uses it measures how much slower that is (`bench.site`). The browser's own processes
(network, storage, drawing) keep their speed. It needs Linux.
"""

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

RUN = 0.001  # seconds at a time: short next to what is measured, a move of 100 ms, and to a frame of the screen
SEARCH = 16  # turns after which processes that are new are looked for


def children(process: int) -> Iterator[int]:
    for thread in Path(f"/proc/{process}/task").glob("*/children"):
        with contextlib.suppress(OSError):
            yield from map(int, thread.read_text().split())


def family(process: int) -> Iterator[int]:
    yield process
    for child in children(process):
        yield from family(child)


def shows_pages(process: int) -> bool:
    with contextlib.suppress(OSError):
        return b"--type=renderer" in Path(f"/proc/{process}/cmdline").read_bytes()
    return False


def send(processes: set[int], number: signal.Signals) -> None:
    for process in processes:
        with contextlib.suppress(ProcessLookupError):
            os.kill(process, number)


def slow(browser: int, factor: float) -> None:
    """Until it is told to end. Time for which pages stood still too long or too briefly is made up for at once."""
    ended = False

    def end(*_: object) -> None:
        nonlocal ended
        ended = True

    signal.signal(signal.SIGTERM, end)
    with contextlib.suppress(PermissionError):
        os.nice(-10)  # whoever is late here changes what is measured
    pages: set[int] = set()
    turn, owed, now = 0, 0.0, time.monotonic()
    try:
        while not ended:
            if turn % SEARCH == 0:
                pages = {process for process in family(browser) if shows_pages(process)}
            turn += 1
            time.sleep(RUN)
            send(pages, signal.SIGSTOP)
            stopped = time.monotonic()
            owed += (factor - 1) * (stopped - now)
            time.sleep(max(owed, 0.0))
            now = time.monotonic()
            owed -= now - stopped
            send(pages, signal.SIGCONT)
    finally:
        send(pages, signal.SIGCONT)


@contextlib.contextmanager
def slower(browser: int, factor: float) -> Iterator[None]:
    """As long as this lasts, pages of a browser have a processor that is slower by a factor."""
    process = subprocess.Popen([sys.executable, "-m", "bench.slower", str(browser), str(factor)])
    try:
        yield
    finally:
        process.terminate()
        process.wait()


if __name__ == "__main__":
    slow(int(sys.argv[1]), float(sys.argv[2]))
