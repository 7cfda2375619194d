"""Buttons that are not moves: whatever a person may do at a table now."""

from collections.abc import Callable
from typing import Any

from infila.server.moment import OPEN, OVER, PLAYING
from infila.server.pages.names import names_of
from infila.server.tableview import TableView
from infila.web.languages import Translate


def buttons_of(table: TableView, _: Translate, curtain: bool) -> list[dict[str, Any]]:
    """Buttons that are not moves, each with the path of what it does; what is seldom wanted is in the menu."""
    buttons: list[dict[str, Any]] = []

    def button(
        text: str,
        path: str,
        primary: bool = False,
        icon: str = "",
        menu: bool = False,
        method: str = "POST",
        **fields: Any,
    ) -> None:
        buttons.append(
            {
                "text": text,
                "path": path,
                "method": method,
                "fields": fields,
                "primary": primary,
                "icon": icon,
                "menu": menu,
            }
        )

    if curtain:
        seat = next(seat for seat in (*table.moment.to_act, 0) if seat in table.mine)
        button(_("{name}: show my side", name=names_of(table.seats, _)[seat]), "", True)
        buttons[-1]["seat"] = str(seat)
        return buttons
    if table.must_answer and table.ask is not None:
        name = names_of(table.seats, _)[table.ask.seat]
        button(_("let {name} take back", name=name), "/take-back/answer", True, agreed=True)
        button(_("no"), "/take-back/answer", agreed=False)
    if table.mine and table.state == PLAYING:
        if any(table.seats[seat].away for seat in table.mine):
            button(_("take my seat again"), "/return", True)
        elif table.ask is None and any(move.seat in table.mine for move in table.history):
            button(_("take back"), "/take-back", icon="undo")
    if table.mine and table.state == OVER and not table.header.lesson:
        button(_("play again"), "/rematch", True)
    talk_buttons(table, _, button)
    people_buttons(table, _, button)
    if not table.mine and any(seat.kind == OPEN for seat in table.seats):
        button(_("sit down"), "/seat", True)
    return buttons


def pending_of(table: TableView, _: Translate) -> str:
    """What the table waits for while somebody asks for a take-back."""
    if table.ask is None:
        return ""
    if table.ask.seat in table.mine:
        return _("You have asked to take back. The others decide.")
    return _("{name} asks to take back.", name=names_of(table.seats, _)[table.ask.seat])


def people_buttons(table: TableView, _: Translate, button: Callable[..., None]) -> None:
    """Among people: go and let the computer play on, or let it play for somebody who has gone."""
    others = [seat for seat in range(len(table.seats)) if seat not in table.mine and not table.seats[seat].by_computer]
    if not table.mine or table.state != PLAYING or not others:
        return
    for seat in others:
        if seat == table.moment.player and not table.is_here(seat):
            button(
                _("let the computer play for {name}", name=names_of(table.seats, _)[seat]), "/replace", seat=seat + 1
            )
    if not any(table.seats[seat].away for seat in table.mine):
        button(_("leave, the computer plays on"), "/seat", method="DELETE", menu=True)


def talk_buttons(table: TableView, _: Translate, button: Callable[..., None]) -> None:
    """S17: whoever hears forbidden table talk calls it, and the host decides."""
    if table.header.options.get("table_talk") != "forbidden" or table.state != PLAYING or not table.mine:
        return
    called = table.moment.called
    if called is not None and table.host:
        button(_("it was table talk"), "/call/answer", True, agreed=True)
        button(_("it was none"), "/call/answer", agreed=False)
    elif called is None:
        own = {table.header.choices.side(seat) for seat in table.mine}
        for side in sorted({table.header.choices.side(seat) for seat in range(len(table.seats))} - own):
            button(_("side {side} talks", side=side + 1), "/call", side=side + 1)
