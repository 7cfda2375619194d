"""An agent that is a program: one line of text asks it, one line of text answers (docs/reference/agents.md)."""

import json
import queue
import shlex
import shutil
import subprocess
import threading
import time
import weakref
from contextlib import suppress

from infila.agents.guest import Misbehaved
from infila.core.errors import InfilaError
from infila.core.game import View

HELLO = "infila 1"
READY = "ready"
MOVE, PLAY = "move", "play"
QUIT = "quit"
LONGEST = 1 << 16  # characters of a line
UNREAD = 1000  # lines that wait to be read, before the program has to
PATIENCE = 60.0  # seconds, if nobody has set a limit; for the first answer at least
BYE = 1.0  # seconds to end by itself

_running: "weakref.WeakSet[Program]" = weakref.WeakSet()


def end_all() -> None:
    """End every program that was started here."""
    for program in list(_running):
        program.end(at_once=True)


class Program:
    """A program that plays. It is started when it is first asked, and again after it has misbehaved."""

    def __init__(self, name: str, command: str, seconds: float | None) -> None:
        self.name = name
        self.seconds = seconds or PATIENCE
        try:
            self.words = shlex.split(command)
        except ValueError:
            self.words = []
        if not self.words:
            raise InfilaError(f"{name} cannot be run: after exec: goes a command, for example exec:./engine --fast.")
        if shutil.which(self.words[0]) is None:
            raise InfilaError(f"{name} cannot be run: there is no program {self.words[0]!r} here.")
        self.process: subprocess.Popen[str] | None = None

    def __call__(self, view: View) -> str:
        process = self._ready()
        until = time.monotonic() + self.seconds
        assert view.seat is not None
        self._say(process, f"{MOVE} {question(view, self.seconds)}")
        return self._answer(PLAY, until)

    def _ready(self) -> "subprocess.Popen[str]":
        if self.process is not None and self.process.poll() is None:
            return self.process
        try:
            self.process = subprocess.Popen(
                self.words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8", errors="replace"
            )
        except OSError as problem:
            raise Misbehaved(f"{self.name} cannot be run: {problem.strerror or problem}.") from None
        _running.add(self)
        self.lines: queue.Queue[str | None] = queue.Queue(UNREAD)
        threading.Thread(target=_read, args=(self.process, self.lines), daemon=True).start()
        self._say(self.process, HELLO)
        self._answer(READY, time.monotonic() + max(self.seconds, PATIENCE))
        return self.process

    def _say(self, process: "subprocess.Popen[str]", line: str) -> None:
        assert process.stdin is not None
        try:
            process.stdin.write(line + "\n")
            process.stdin.flush()
        except OSError:
            raise self._gone() from None

    def _answer(self, wanted: str, until: float) -> str:
        """What follows a word; lines that begin with # are the program's own affair."""
        while True:
            try:
                line = self.lines.get(timeout=max(until - time.monotonic(), 0.0))
            except queue.Empty:
                raise self._ended(f"did not answer within {self.seconds:g} s") from None
            if line is None:
                raise self._gone()
            word, _, rest = line.strip().partition(" ")
            if word == wanted:
                return rest.strip()
            if word and not word.startswith("#"):
                said = line.strip() if len(line) < 80 else line.strip()[:79] + "…"
                raise self._ended(f"said {said!r}; expected was a line that begins with {wanted!r}")

    def _gone(self) -> Misbehaved:
        with suppress(subprocess.TimeoutExpired):
            if self.process is not None:
                self.process.wait(BYE)
        code = None if self.process is None else self.process.poll()
        return self._ended("ended" if code is None else f"ended with exit code {code}")

    def _ended(self, what: str) -> Misbehaved:
        """It is ended too: what it still has to say would be taken for the answer to another question."""
        self.end(at_once=True)
        return Misbehaved(f"{self.name} {what}.")

    def end(self, at_once: bool = False) -> None:
        """Ask it to end, and see to it."""
        process = getattr(self, "process", None)  # it may never have been made
        self.process = None
        if process is None:
            return
        with suppress(OSError, subprocess.TimeoutExpired, ValueError):
            if not at_once and process.stdin is not None:
                process.stdin.write(QUIT + "\n")
                process.stdin.close()
                process.wait(BYE)
        with suppress(OSError):
            process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout):
            with suppress(OSError):
                if stream is not None:
                    stream.close()

    def __del__(self) -> None:
        self.end(at_once=True)


def question(view: View, seconds: float) -> str:
    """All that a seat may know and do, as one line of JSON; seats count from 1, as wherever something is written."""
    assert view.seat is not None
    asked = {
        "game": view.game,
        "seat": view.seat + 1,
        "position": json.loads(view.position),
        "moves": view.moves,
        "seconds": seconds,
    }
    return json.dumps(asked, ensure_ascii=False, separators=(",", ":"))


def _read(process: "subprocess.Popen[str]", lines: "queue.Queue[str | None]") -> None:
    """Pass on what a program says, and that it says no more."""
    assert process.stdout is not None
    with suppress(OSError, ValueError):
        while line := process.stdout.readline(LONGEST):
            while True:  # nobody waits for ever to pass on what nobody reads
                try:
                    lines.put(line, timeout=1.0)
                    break
                except queue.Full:
                    if process.poll() is not None:
                        return
    with suppress(queue.Full):
        lines.put(None, timeout=1.0)
