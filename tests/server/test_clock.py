"""Clocks, without a table."""

import pytest

from infila.server.clock import Clock, SeatClock, TimeControl
from infila.server.errors import Refused


def test_who_is_on_turn_uses_their_time() -> None:
    begun = Clock(TimeControl(game_seconds=100), (0.0, 0.0)).turned(1000.0, None)
    assert begun.deadline(0) == begun.deadline(1) == 1100.0
    later = begun.turned(1030.0, 0)
    assert later.used == (30.0, 0.0) and begun.used == (0.0, 0.0), "a clock does not change"
    assert later.deadline(0) == 1100.0 and later.deadline(1) == 1130.0
    assert later.of(0, running=False) == SeatClock(30.0, 70.0, None, False)


def test_the_shorter_time_ends_first() -> None:
    both = Clock(TimeControl(move_seconds=60, game_seconds=100), (50.0, 0.0), since=1000.0)
    assert both.deadline(0) == 1050.0 and both.deadline(1) == 1060.0
    assert both.of(0, running=True).left == 50.0
    assert both.turned(1050.0, 0).used_up(0) and not both.used_up(0)


def test_a_time_for_each_move_is_never_used_up() -> None:
    moves = Clock(TimeControl(move_seconds=60), (1e6,), since=0.0)
    assert not moves.used_up(0) and moves.of(0, running=True).left == 60.0


def test_without_a_clock_nobody_has_to_hurry() -> None:
    free = Clock(TimeControl(), (0.0,), since=5.0)
    assert not free.control.timed and free.deadline(0) is None and free.of(0, running=True).left is None
    assert free.turned(3.0, 0).used == (0.0,), "a clock that is put back takes no time away"


@pytest.mark.parametrize("seconds", [-1, 60 * 86400 + 1])
def test_a_clock_has_at_most_60_days(seconds: int) -> None:
    TimeControl(move_seconds=60 * 86400).check_clock()
    with pytest.raises(Refused, match="at most 60 days"):
        TimeControl(game_seconds=seconds).check_clock()


def test_a_clock_that_runs_has_less_left_later() -> None:
    both = Clock(TimeControl(move_seconds=60, game_seconds=100), (50.0, 0.0), since=1000.0)
    assert both.of(0, running=True).after(20.0) == SeatClock(70.0, 30.0, 40.0, True)
    assert both.of(0, running=True).after(1e9) == SeatClock(50.0 + 1e9, 0.0, 0.0, True), "never less than nothing"
    assert both.of(1, running=False).after(20.0) == SeatClock(0.0, 100.0, 60.0, False)
    assert both.of(0, running=True).ends_with_game and not both.of(1, running=True).ends_with_game
