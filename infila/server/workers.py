"""`infila serve --workers N`: several servers on this machine, at one port and one PostgreSQL.

Each is a process of its own and takes what comes at the socket they share; at a second one, on the same address, the
others pass on what is for its tables, and so do servers of other machines. A worker that ends is replaced. When this
process ends so do they.
"""

import argparse
import logging
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress

from infila.server.errors import CannotServe

MOST = 64
STOP_SECONDS = 20.0  # after which a worker that was asked to stop is killed
AGAIN_SECONDS = 1.0  # before one that has ended is started again
READY = "ready"  # what a worker writes when it answers
logger = logging.getLogger("infila")


def check(count: int, url: str, peer: str = "") -> None:
    """Whether there can be so many."""
    if count > 1 and peer:
        raise CannotServe("--peer is the address of one server, and of several workers each has its own. Leave it out.")
    if not 1 <= count <= MOST:
        raise CannotServe(f"--workers cannot be {count}: it is a number from 1 to {MOST}.")
    if count > 1 and not url.startswith("postgres"):
        raise CannotServe("several workers need a database that they can share: give a PostgreSQL one with --data.")
    if count > 1 and os.name != "posix":
        raise CannotServe("several workers cannot share a port on this system. Start one server.")


def command_of(wanted: argparse.Namespace, number: int, listening: socket.socket) -> list[str]:
    """How a worker is started."""
    command = [sys.executable, "-m", "infila", "serve", "--no-browser", "--data", wanted.data]
    command += ["--worker", f"{number}:{listening.fileno()}", "--workers", str(wanted.workers)]
    for option in ("secret", "address", "site", "metrics", "log_format"):
        if value := getattr(wanted, option):
            command += [f"--{option.replace('_', '-')}", value]
    command += ["--no-browser-thinking"] if wanted.no_browser_thinking else []
    return [*command, "--trust-proxy", *wanted.trust_proxy] if wanted.trust_proxy else command


class Worker:
    def __init__(self, wanted: argparse.Namespace, number: int, listening: socket.socket) -> None:
        self._command, self._listening = command_of(wanted, number, listening), listening
        self._process: subprocess.Popen[str] | None = None
        self._again = 0.0

    def start(self) -> None:
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(
            self._command, stdin=pipe, stdout=pipe, text=True, pass_fds=[self._listening.fileno()]
        )

    def ready(self) -> bool:
        """Wait until it answers; False if it has ended instead."""
        assert self._process is not None and self._process.stdout is not None
        return self._process.stdout.readline().strip() == READY

    @property
    def status(self) -> int:
        """With which it has ended."""
        assert self._process is not None
        return self._process.wait()

    def look_after(self) -> None:
        """Start it again if it has ended, after a moment."""
        if self._process is None or self._process.poll() is None:
            return
        if not self._again:
            self._again = time.monotonic() + AGAIN_SECONDS
            logger.error("a worker has ended, and is started again")
        elif time.monotonic() >= self._again:
            self._again = 0.0
            self._close()
            self.start()

    def ask_to_stop(self) -> None:
        if self._process is not None and self._process.poll() is None:
            self._process.terminate()

    def stop(self) -> None:
        if self._process is None:
            return
        try:
            self._process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._close()

    def _close(self) -> None:
        assert self._process is not None
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                with suppress(OSError):
                    pipe.close()


def oversee(wanted: argparse.Namespace, listening: socket.socket, started: Callable[[], None]) -> None:
    """Start the workers, one after the other, and keep them until this process is asked to stop."""
    workers = [Worker(wanted, number, listening) for number in range(wanted.workers)]
    stopping = threading.Event()
    for each in (signal.SIGINT, signal.SIGTERM):
        signal.signal(each, lambda *_: stopping.set())
    try:
        for worker in workers:
            worker.start()
            if not worker.ready():
                if not stopping.is_set():
                    sys.exit(worker.status or 1)
                return
        started()
        while not stopping.wait(0.2):
            for worker in workers:
                worker.look_after()
    finally:
        for worker in workers:
            worker.ask_to_stop()
        for worker in workers:
            worker.stop()
        listening.close()


def end_with_overseer() -> None:
    """In a worker: stop when the process that has started it is gone, however that ended."""

    def watch() -> None:
        with suppress(OSError, ValueError):
            sys.stdin.read()
        os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=watch, name="infila-overseer", daemon=True).start()
