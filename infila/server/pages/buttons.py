"""Buttons that are not moves: whatever a person may do at a table now."""

from collections.abc import Callable
from typing import Any

from infila.core.games import contract_of
from infila.server.own_seats import behind_curtain
from infila.server.pages.clocks import may_return
from infila.server.pages.names import names_of
from infila.server.snapshot import OPEN, PLAYING
from infila.server.stops import asked
from infila.server.table_view import TableView
from infila.web.languages import Translate


def buttons_of(table: TableView, _: Translate, language: str, curtain: bool) -> list[dict[str, Any]]:
    """Buttons that are not moves, each with the path of what it does; what is seldom wanted is in the menu."""
    buttons: list[dict[str, Any]] = []

    def button(
        text: str,
        path: str,
        primary: bool = False,
        icon: str = "",
        menu: bool = False,
        sure: str = "",
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
                "sure": sure,
            }
        )

    if curtain:
        seat = behind_curtain(table.snapshot, table.person, 0) or 0
        button(_("{name}: show my side", name=names_of(table.seats, _)[seat]), "", True)
        buttons[-1]["seat"] = str(seat)
        return buttons
    if table.must_answer and table.request is not None:
        name = names_of(table.seats, _)[table.request.seat]
        plays = table.view is not None and bool(table.view.own_actions())  # the main thing is the own move
        button(_("let {name} take back", name=name), "/take-back/answer", not plays, agreed=True)
        button(_("no"), "/take-back/answer", agreed=False)
    if table.must_answer_stop:
        button(_("end the game"), "/stop/answer", agreed=True)
        button(_("play on"), "/stop/answer", agreed=False)
    if table.mine and table.state == PLAYING:
        if may_return(table):
            button(_("take my seat again"), "/return", True)
        elif table.request is None and any(move.seat in table.mine for move in table.history):
            button(_("take back"), "/take-back", icon="undo")
    host_buttons(table, language, button)
    people_buttons(table, _, button)
    if not table.mine and any(seat.kind == OPEN for seat in table.seats):
        button(_("sit down"), "/seat", True)
    return buttons


def pending_of(table: TableView, _: Translate) -> tuple[str, str]:
    """What is told while somebody asks for a take-back, or while the table waits for somebody who is not here; and the
    same in short. Whoever is on turn can simply go on."""
    names, player = names_of(table.seats, _), table.snapshot.player
    if table.stop is not None and table.mine:
        if table.person == table.stop.person:
            return _("You have offered to end the game. The others decide."), _("You have offered to end.")
        name = names[table.stop.seat]
        offers = _("{name} offers to end the game. Nobody would win, and it would count for nobody.", name=name)
        return offers, _("{name} offers to end.", name=name)
    if table.request is None:
        absent = player is not None and player not in table.mine and not table.is_here(player)
        if not absent or player is None or not table.mine or table.header.timed or table.seats[player].by_computer:
            return "", ""
        name = names[player]
        away = _("{name} is away. After a minute you can let the computer play on.", name=name)
        return away, _("{name} is away.", name=name)
    if table.request.seat in table.mine:
        return _("You have asked to take back. The others decide."), _("You ask to take back.")
    name = names[table.request.seat]
    asks = _("{name} asks to take back.", name=name)
    if table.mine and table.view is not None and table.view.own_actions():
        return _("{name} asks to take back. If you play on, the move stands.", name=name), asks
    return asks, asks


def people_buttons(table: TableView, _: Translate, button: Callable[..., None]) -> None:
    """Give the game up; among people go and let the computer play on, or let it play for somebody who has gone."""
    others = [seat for seat in range(len(table.seats)) if seat not in table.mine and not table.seats[seat].by_computer]
    if not table.mine or table.state != PLAYING:
        return
    for seat in others:
        if seat == table.snapshot.player and not table.is_here(seat) and not table.header.timed:
            button(
                _("let the computer play for {name}", name=names_of(table.seats, _)[seat]), "/replace", seat=seat + 1
            )
    if others and not any(table.seats[seat].away for seat in table.mine):
        button(_("leave, the computer plays on"), "/seat", method="DELETE", menu=True)
    if not table.header.lesson and not all(table.seats[seat].away for seat in table.mine):
        stop_button(table, _, button)
    if not table.header.lesson and not all(table.seats[seat].resigned for seat in table.mine):
        button(_("resign"), "/resign", menu=True, sure=_("Resign? The game counts as lost for you."))


def stop_button(table: TableView, _: Translate, button: Callable[..., None]) -> None:
    """Offer to end the game; withdraw that; or, with computers alone, end it."""
    if table.stop is not None and table.person == table.stop.person:
        button(_("withdraw the offer to end"), "/stop/answer", menu=True, agreed=False)
    elif table.stop is None and asked(table.snapshot, table.person or ""):
        button(_("offer to end"), "/stop", menu=True)
    elif table.stop is None:
        button(_("end the game"), "/stop", menu=True, sure=_("End the game? Nobody wins, and it counts for nobody."))


def host_buttons(table: TableView, language: str, button: Callable[..., None]) -> None:
    """Whoever sits there calls for an act of the host, and somebody without a stake in it decides."""
    words = contract_of(table.header.game).words(language)["host"]
    if table.must_judge:
        button(words["right"], "/call/answer", True, agreed=True)
        button(words["wrong"], "/call/answer", agreed=False)
    for move, reason in table.calls:
        button(words[reason.key].format(**reason.values), "/call", move=move)
