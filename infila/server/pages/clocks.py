"""What the page of a table tells of time: how much everybody has left, and what became of a seat whose time was up.

The page counts by itself from the moment in which it was told, so that a device whose clock is wrong shows the right
time. What it says in the last seconds comes with the state, because it says a name.
"""

from collections.abc import Sequence
from typing import Any

from infila.server.snapshot import PLAYING, REPLACED, TIME
from infila.server.table_view import Moment, TableView
from infila.web.languages import Translate
from infila.web.table_html import Note


def clocks_of(table: TableView, moment: Moment, names: Sequence[str], _: Translate) -> dict[str, Any] | None:
    """Seconds left for every seat, of how many, and whose run; None where nobody is timed."""
    clocks = [clock.after(moment.spent) for clock in table.clocks]
    if not clocks:
        return None
    control = table.header
    on = next((seat for seat, clock in enumerate(clocks) if clock.running), -1)
    return {
        "on": on,
        "whole": {"game": control.game_seconds, "move": control.move_seconds},
        "seats": [{"game": rounded(clock.game_left), "move": rounded(clock.move_left)} for clock in clocks],
        "days": _("{count} d", count="{count}"),
        "say": {} if on < 0 else last_words(table, on, clocks[on].ends_with_game, names, _),
    }


def rounded(seconds: float | None) -> float | None:
    return None if seconds is None else round(seconds, 1)


def last_words(table: TableView, on: int, whole_game: bool, names: Sequence[str], _: Translate) -> dict[str, str]:
    """What is said in the last seconds; the page counts them."""
    name = names[on]
    if on not in table.mine:
        return {
            "many": _("{name}: {count} seconds", name=name, count="{count}"),
            "one": _("{name}: 1 second", name=name),
            "then": _("At 0:00 the computer plays on for {name}.", name=name),
            "short": _("at 0:00 the computer plays on"),
        }
    return {
        "many": _("{count} seconds, {name}", name=name, count="{count}"),
        "one": _("1 second, {name}", name=name),
        "then": _("At 0:00 your time for the game is used up: the computer plays to the end.")
        if whole_game
        else _("At 0:00 the computer plays on until you take your seat again."),
        "short": _("at 0:00 the computer plays on"),
        "warn": _("{count} seconds left.", count="{count}"),
    }


def may_return(table: TableView) -> bool:
    """Whether a computer sits in for this person from whom they can take their seat again."""
    away = [seat for seat in table.mine if table.seats[seat].away]
    lost = (table.seats[seat].resigned or table.snapshot.clock.used_up(seat) for seat in away)
    return bool(away) and table.state == PLAYING and not any(lost)


def note_of(table: TableView, names: Sequence[str], _: Translate) -> Note | None:
    """Why the computer sits in this person's seat, if that was not their wish, and the way back."""
    lost = [seat for seat in table.mine if table.seats[seat].away in (TIME, REPLACED)]
    if not lost or table.state != PLAYING:
        return None
    seat, back = lost[0], _("take my seat again") if may_return(table) else ""
    if table.seats[seat].away == TIME:
        if back:
            text = _("You had no time left for your move, so the computer plays on for you. The seat is yours.")
        else:
            text = _("Your time for this game is used up, so the computer plays to the end for you. You can watch.")
        return Note(_("time is up"), text, back, _("watch"))
    told = reversed(table.snapshot.notices)
    by = next((notice.by for notice in told if notice.seat == seat and notice.what == REPLACED), None)
    text = _("You were away. The seat is yours.")
    if by is not None:
        text = _("You were away, and {by} lets the computer play for you. The seat is yours.", by=names[by])
    return Note(_("the computer plays for you"), text, back, _("watch"))
