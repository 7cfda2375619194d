"""Playing again on the page of a table: the button, the question with everybody's answer, the way to the next game."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import msgspec
from markupsafe import Markup

from infila.core.game import Game
from infila.core.games import contract_of
from infila.core.log import Log
from infila.server.pages.names import names_of
from infila.server.snapshot import OVER, PERSON, Offer
from infila.server.table_view import TableView
from infila.web.html import END_PARTS, macros
from infila.web.languages import Translate
from infila.web.table_html import mark

SEEDS = ("in", "fila", "infila")  # of deals with which it is tried who begins


def offer_html(table: TableView, _: Translate, left: float) -> str:
    """What becomes of playing again: the button, the question with everybody's answer, or the way to the next game."""
    if table.state != OVER or table.header.lesson:
        return ""
    offer = table.offer or table.snapshot.answered
    names = names_of(table.seats, _)
    answers = [] if offer is None else [_answer(table, seat, offer, names[seat], _) for seat in _first_seats(table)]
    open_offer = table.offer is not None
    waits = open_offer and bool(table.mine) and table.person not in offer.agreed | offer.declined if offer else False
    return str(
        macros(END_PARTS).offer(
            next=f"/t/{table.rematch}" if table.rematch else "",
            playing=next_of(table) != "",
            asked=open_offer,
            mine=bool(table.mine),
            waits=waits,
            agreed=offer is not None and table.person in offer.agreed,
            about="" if offer is None or not open_offer else _about(table, offer, names, _),
            answers=answers,
            left=round(left),
            _=_,
        )
    )


def next_of(table: TableView) -> str:
    """Where whoever has said yes goes as soon as the next game is there."""
    answered = table.snapshot.answered
    return f"/t/{table.rematch}" if table.rematch and answered and table.person in answered.agreed else ""


def _first_seats(table: TableView) -> list[int]:
    """One seat of everybody who is asked."""
    seats: dict[str, int] = {}
    for index, seat in enumerate(table.seats):
        if seat.kind == PERSON and seat.person is not None:
            seats.setdefault(seat.person, index)
    return list(seats.values())


def _answer(table: TableView, seat: int, offer: Offer, name: str, _: Translate) -> dict[str, Any]:
    person = table.seats[seat].person
    said = "yes" if person in offer.agreed else "no" if person in offer.declined else ""
    text = {"yes": _("plays"), "no": _("not now"), "": _("has not answered")}[said]
    asks = said == "yes" and person == offer.person
    side = table.header.typed_options.side(seat)
    return {"mark": Markup(mark(side, name, 24)), "name": name, "said": said, "text": _("asks") if asks else text}


def _about(table: TableView, offer: Offer, names: Sequence[str], _: Translate) -> str:
    asks = _("You ask.") if offer.person == table.person else _("{name} asks.", name=names[offer.seat])
    first = first_seat(table.header.game, msgspec.json.encode(table.header.options))
    same = _("Same table, same options.")
    if first is None:
        return f"{asks} {same}"
    begins = _("{name} begins.", name=names[(first - 1) % len(names)])
    return f"{asks} {same} {begins}"


@lru_cache(1000)
def first_seat(game: str, options: bytes) -> int | None:
    """Who begins, if that does not depend on the deal; everybody sits one seat further in the next game."""
    contract = contract_of(game)
    typed = contract.options.from_json(msgspec.json.decode(options))
    names = tuple(str(seat) for seat in range(int(typed.to_dict()["players"])))
    found = {Game(Log(game, typed, names, seed=seed, rules=contract.rules_version)).player for seed in SEEDS}
    return found.pop() if len(found) == 1 else None
