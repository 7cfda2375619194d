"""An agent of somebody else in a seat: what it is asked, and how its answers are checked.

It never gets more than its seat may know. Whatever it does wrong is one sentence that names it.
"""

import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Protocol, runtime_checkable

import numpy as np

from infila.core.contract import Contract
from infila.core.errors import IllegalMove, InfilaError
from infila.core.game import View
from infila.core.growing import Growing
from infila.core.log import Log
from infila.core.record import States
from infila.players import search


class Misbehaved(InfilaError):
    """An agent answered nonsense or an illegal move, failed, or took too long."""


@runtime_checkable
class Chooser(Protocol):
    """An agent that decides by views: it gets one, and returns a move as text, or an action."""

    def __call__(self, view: View, /) -> str | int: ...


@runtime_checkable
class Policy(Protocol):
    """An agent that decides for many games at once, by what the acting seats see (docs/reference/observations.md)."""

    def act(self, observations: Any, masks: Any, /) -> Any:
        """An action for every row of the observations, n × features; masks are n × actions, 1 where one is legal."""


class Guest:
    """An agent in a seat, asked as computer players are; `infila.agents.seated` makes one.

    With `seconds`, an answer that takes longer is none. Python code can be interrupted only in the main thread of a
    process, and not on Windows; elsewhere it is found out afterwards.
    """

    searches = False

    def __init__(self, contract: Contract, name: str, agent: Chooser | Policy, seconds: float | None = None) -> None:
        if not isinstance(agent, Policy) and not callable(agent):
            raise InfilaError(
                f"{name} cannot play: an agent is a function of a view that returns a move, or has a method "
                f"act(observations, masks); this is {agent!r}."
            )
        self.contract = contract
        self.name = name
        self.agent = agent
        self.seconds = seconds

    def __repr__(self) -> str:
        return f"infila.agents.seated({self.contract.name!r}, {self.name!r})"

    def choose(self, hidden: States, seat: int) -> int:
        """An action, from a state that shows what a seat may know and no more. Its past is not told."""
        options = self.contract.options.read(hidden[0])
        names = tuple(f"seat {i + 1}" for i in range(int(options.to_dict()["players"])))
        log = Log(self.contract.name, options, names, rules=self.contract.rules_version)
        return self.decide(View(self.contract, hidden, seat, log, Growing()))

    def decide(self, view: View) -> int:
        """An action for the seat of a view."""
        assert view.seat is not None
        if isinstance(self.agent, Policy):
            mask = np.zeros((1, self.contract.rules.ACTIONS), np.int8)
            mask[0, self._choices(view.states, view.seat)] = 1
            return int(self.choose_many(view.observation()[None], mask)[0])
        with self._watched():
            answer = self.agent(view)
        return self._read(view, answer)

    def choose_many(self, observations: Any, masks: Any) -> Any:
        """Actions of an agent that decides for many games at once: one for each row, all of them legal."""
        assert isinstance(self.agent, Policy)
        with self._watched():
            answer = self.agent.act(observations, masks)
        try:
            actions = np.asarray(answer)
        except Exception:
            raise self._misbehaved(f"answered with {_short(answer)}, which is no array") from None
        if actions.shape != (len(masks),) or actions.dtype.kind not in "iu":
            raise self._misbehaved(
                f"answered with {actions.dtype} of shape {actions.shape}; wanted are {len(masks)} whole numbers, one "
                "for each row"
            )
        inside = (actions >= 0) & (actions < masks.shape[1])
        legal = inside & (masks[np.arange(len(masks)), np.where(inside, actions, 0)] > 0)
        if not legal.all():
            raise self._misbehaved(f"chose action {int(actions[~legal][0])}, which its mask does not allow")
        return actions

    def _choices(self, hidden: States, seat: int) -> list[int]:
        out = np.zeros(self.contract.rules.MAX_LEGAL, np.int16)
        chosen: list[int] = out[: int(search.choices_at(hidden, seat, out))].tolist()
        return chosen

    def _read(self, view: View, answer: Any) -> int:
        if isinstance(answer, str):
            try:
                return view.read(answer)
            except IllegalMove as problem:
                raise self._misbehaved(f"answered with {_short(answer)}: {problem}") from None
        if isinstance(answer, (int, np.integer)) and not isinstance(answer, bool):
            if int(answer) in view.own_actions():
                return int(answer)
            raise self._misbehaved(f"chose action {_short(answer)}, which is not legal")
        raise self._misbehaved(f"answered with {_short(answer)}, which is neither the text of a move nor an action")

    def _misbehaved(self, what: str) -> Misbehaved:
        return Misbehaved(f"{self.name} {what.rstrip('.')}.")

    @contextmanager
    def _watched(self) -> Iterator[None]:
        """Turn whatever goes wrong meanwhile into a sentence, and count the seconds."""
        start = time.monotonic()
        try:
            with interrupted_after(self.seconds):
                yield
        except (Misbehaved, KeyboardInterrupt):
            raise
        except TooLate:
            raise self._too_late() from None
        except SystemExit:
            raise self._misbehaved("wanted to end the program") from None
        except InfilaError as problem:
            raise self._misbehaved(f"cannot answer: {problem}") from None
        except Exception as problem:
            raise self._misbehaved(f"failed with {type(problem).__name__}: {_short(problem, str)}") from problem
        if self.seconds is not None and time.monotonic() - start > self.seconds:
            raise self._too_late()

    def _too_late(self) -> Misbehaved:
        return self._misbehaved(f"did not answer within {self.seconds:g} s")


class TooLate(BaseException):
    """Not an Exception: an agent that catches those shall not catch this."""


@contextmanager
def interrupted_after(seconds: float | None) -> Iterator[None]:
    """Raise TooLate after so many seconds, where that is possible."""
    can = hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread()
    if seconds is None or not can:
        yield
        return

    def ring(*_: object) -> None:
        raise TooLate

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _short(value: Any, how: Any = repr) -> str:
    """A value in a sentence; an agent's own class may not even be able to say what it is."""
    try:
        text = " ".join(str(how(value)).split())
    except Exception:
        text = f"a {type(value).__name__}"
    return text if len(text) <= 120 else text[:119] + "…"
