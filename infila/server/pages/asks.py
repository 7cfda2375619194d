"""Buttons that are not moves: whatever a person may do at a table now."""

from collections.abc import Callable
from typing import Any

from infila.server.moment import OPEN, OVER, PLAYING
from infila.server.pages.names import names_of
from infila.server.tableview import TableView
from infila.web.languages import Translate


def asks_of(table: TableView, _: Translate, curtain: bool) -> list[dict[str, Any]]:
    """Buttons that are not moves; what is seldom wanted is in the menu."""
    asks: list[dict[str, Any]] = []

    def ask(text: str, path: str, primary: bool = False, icon: str = "", menu: bool = False, **fields: Any) -> None:
        asks.append({"text": text, "path": path, "fields": fields, "primary": primary, "icon": icon, "menu": menu})

    if curtain:
        seat = next(seat for seat in (*table.moment.to_act, 0) if seat in table.mine)
        ask(_("{name}: show my side", name=names_of(table.seats, _)[seat]), "", True)
        asks[-1]["seat"] = str(seat)
        return asks
    if table.must_answer and table.ask is not None:
        name = names_of(table.seats, _)[table.ask.seat]
        ask(_("let {name} take back", name=name), "/answer", True, agreed=True)
        ask(_("no"), "/answer", agreed=False)
    if table.mine and table.state == PLAYING:
        if any(table.seats[seat].away for seat in table.mine):
            ask(_("take my seat again"), "/return", True)
        elif table.ask is None and any(move.seat in table.mine for move in table.history):
            ask(_("take back"), "/takeback", icon="undo")
    if table.mine and table.state == OVER and not table.header.lesson:
        ask(_("play again"), "/rematch", True)
    talk_asks(table, _, ask)
    people_asks(table, _, ask)
    if not table.mine and any(seat.kind == OPEN for seat in table.seats):
        ask(_("sit down"), "/sit", True)
    return asks


def pending_of(table: TableView, _: Translate) -> str:
    """What the table waits for while somebody asks for a take-back."""
    if table.ask is None:
        return ""
    if table.ask.seat in table.mine:
        return _("You have asked to take back. The others decide.")
    return _("{name} asks to take back.", name=names_of(table.seats, _)[table.ask.seat])


def people_asks(table: TableView, _: Translate, ask: Callable[..., None]) -> None:
    """Among people: go and let the computer play on, or let it play for somebody who has gone."""
    others = [seat for seat in range(len(table.seats)) if seat not in table.mine and not table.seats[seat].by_computer]
    if not table.mine or table.state != PLAYING or not others:
        return
    for seat in others:
        if seat == table.moment.player and not table.is_here(seat):
            ask(_("let the computer play for {name}", name=names_of(table.seats, _)[seat]), "/replace", seat=seat + 1)
    if not any(table.seats[seat].away for seat in table.mine):
        ask(_("leave, the computer plays on"), "/leave", menu=True)


def talk_asks(table: TableView, _: Translate, ask: Callable[..., None]) -> None:
    """S17: whoever hears forbidden table talk calls it, and the host decides."""
    if table.header.options.get("table_talk") != "forbidden" or table.state != PLAYING or not table.mine:
        return
    called = table.moment.called
    if called is not None and table.host:
        ask(_("it was table talk"), "/judge", True, agreed=True)
        ask(_("it was none"), "/judge", agreed=False)
    elif called is None:
        own = {table.header.choices.side(seat) for seat in table.mine}
        for side in sorted({table.header.choices.side(seat) for seat in range(len(table.seats))} - own):
            ask(_("side {side} talks", side=side + 1), "/call", side=side + 1)
