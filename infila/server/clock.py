"""Clocks: what a table allows, how much of it is used, and what happens when it has run out.

A table has a `TimeControl` from its beginning and shows a `Clock`, which never changes: each turn that ends gives the
next one. A new kind of clock is written here, and offered by the form for a new table.
"""

from dataclasses import dataclass, replace
from typing import Any

import msgspec

from infila.server.errors import Refused
from infila.server.levels import USUAL_LEVEL

LONGEST_CLOCK = 60 * 86400


class TimeControl(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """How long people may think, in seconds; 0 means as long as they like."""

    move_seconds: int = 0  # for each move
    game_seconds: int = 0  # for all moves of a seat together

    @property
    def timed(self) -> bool:
        """Whether there is any clock."""
        return any(self.time_control().values())

    def time_control(self) -> dict[str, Any]:
        """These settings alone, as the fields of whatever else has them."""
        return {name: getattr(self, name) for name in TimeControl.__struct_fields__}

    def check_clock(self) -> None:
        if not all(0 <= seconds <= LONGEST_CLOCK for seconds in self.time_control().values()):
            raise Refused("a clock has at most 60 days; 0 means no clock.")


@dataclass(frozen=True)
class SeatClock:
    """The clock of one seat, in seconds, as the present turn began; None: there is no clock of this kind."""

    used: float
    game_left: float | None
    move_left: float | None
    running: bool

    @property
    def left(self) -> float | None:
        """What a player looks at: the time for the game, or else for the move."""
        return self.move_left if self.game_left is None else self.game_left

    @property
    def ends_with_game(self) -> bool:
        """Whether, of two times that run, the one for the game runs out first: then there is no way back."""
        return self.game_left is not None and (self.move_left is None or self.game_left <= self.move_left)

    def after(self, seconds: float) -> "SeatClock":
        """The same so many seconds later, if it runs."""
        if not self.running:
            return self
        game, move = (None if left is None else max(left - seconds, 0.0) for left in (self.game_left, self.move_left))
        return SeatClock(self.used + seconds, game, move, True)


@dataclass(frozen=True)
class Clock:
    """All clocks of a table while one turn lasts."""

    control: TimeControl
    used: tuple[float, ...]  # seconds each seat has thought before this turn
    since: float = 0.0  # when this turn began

    def turned(self, at: float, thinking: int | None) -> "Clock":
        """The next turn begins; the seat that was thinking until now has used its time."""
        used = self.used
        if thinking is not None:
            spent = used[thinking] + max(at - self.since, 0.0)
            used = (*used[:thinking], spent, *used[thinking + 1 :])
        return replace(self, used=used, since=at)

    def paused(self, seconds: float) -> "Clock":
        """So many seconds of this turn are not counted: nobody could move."""
        return replace(self, since=self.since + seconds)

    def deadline(self, seat: int) -> float | None:
        """When a seat that is on turn has no time left."""
        ends = []
        if self.control.move_seconds:
            ends.append(self.since + self.control.move_seconds)
        if self.control.game_seconds:
            ends.append(self.since + self.control.game_seconds - self.used[seat])
        return min(ends, default=None)

    def used_up(self, seat: int) -> bool:
        """Whether a seat has no time left for the whole game."""
        return bool(self.control.game_seconds) and self.used[seat] >= self.control.game_seconds

    def of(self, seat: int, running: bool) -> SeatClock:
        control, used = self.control, self.used[seat]
        return SeatClock(
            used,
            max(control.game_seconds - used, 0.0) if control.game_seconds else None,
            float(control.move_seconds) if control.move_seconds else None,
            running,
        )

    def when_out(self) -> str:
        """Who plays on for a seat that has no time left, and why: a computer's level and a reason."""
        return f"{USUAL_LEVEL} time"
