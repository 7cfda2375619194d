"""Results in the order of their tasks, whoever works on them."""

from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Protocol, TypeVar

Task = TypeVar("Task")
Result = TypeVar("Result")
Made = TypeVar("Made", covariant=True)


class Promise(Protocol[Made]):
    """A result that will be there."""

    def result(self) -> Made:
        """Wait for it."""

    def cancel(self) -> object:
        """Nobody waits for it any longer."""


def in_order(begin: Callable[[Task], Promise[Result]], tasks: Iterable[Task], ahead: int) -> Generator[Result]:
    """The results of all tasks. Little is done ahead of whoever takes them, and nothing after they have stopped.

    >>> with ThreadPoolExecutor(2) as pool:
    ...     list(in_order(lambda number: pool.submit(str, number), range(4), ahead=2))
    ['0', '1', '2', '3']
    """
    waiting: deque[Promise[Result]] = deque()
    try:
        for task in tasks:
            waiting.append(begin(task))
            if len(waiting) >= ahead:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        for promise in waiting:
            promise.cancel()


def parts(n: int, chunk: int) -> Iterator[tuple[int, int]]:
    """Of each part of n things the first, and how many there are.

    >>> list(parts(10, 4))
    [(0, 4), (4, 4), (8, 2)]
    """
    return ((first, min(chunk, n - first)) for first in range(0, n, chunk))


def on_threads(
    work: Callable[[int, int], Result], n: int, chunk: int, threads: int, stop: Callable[[], None] = lambda: None
) -> Generator[Result]:
    """work(first, how many) for all of n things, `chunk` at a time, on threads side by side: compiled rules do not hold
    the interpreter's lock. `stop` tells what is under way when nobody wants it any longer."""
    with ThreadPoolExecutor(threads) as pool:
        try:
            yield from in_order(lambda part: pool.submit(work, *part), parts(n, chunk), 2 * threads)
        finally:
            stop()
