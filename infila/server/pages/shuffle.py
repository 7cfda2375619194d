"""The shuffle on a page: what is said of it, and what the page tells its script, `chance.js`, which takes part."""

from typing import Any

from infila.core.game import load
from infila.core.games import contract_of
from infila.core.seeds import MOST_ATTEMPTS, commitment
from infila.server.contributions import awaited, contributing_seat
from infila.server.pages.names import called
from infila.server.snapshot import ANEW, SENT, STOOD, Notice
from infila.server.table_view import TableView
from infila.web.languages import Translate


def begun_again_text(notice: Notice, _: Translate) -> str:
    """Who has broken a shuffle off, and what follows."""
    name = called(notice.name, _)
    what = {
        STOOD: _("{name} has left in the middle of the shuffle.", name=name),
        SENT: _("The host has asked {name} to leave in the middle of the shuffle.", name=name),
        ANEW: _("{name}’s browser has made a new contribution to the shuffle.", name=name),
    }[notice.what]
    if notice.attempt > MOST_ATTEMPTS:
        return f"{what} {_('That was the last attempt: this table is closed.')}"
    again = _("The shuffle begins again: attempt {number} of {most}.", number=notice.attempt, most=MOST_ATTEMPTS)
    return f"{what} {again}"


def chance_of(table: TableView, _: Translate) -> dict[str, Any] | None:
    """The shuffle for the script, and what it may have to say; none where nothing is shuffled."""
    if table.header.arranged:
        return None
    seat = contributing_seat(table.snapshot, table.person or "")
    return {
        "table": table.id,
        "after": table.header.rematch_of,
        "commitment": table.commitment,
        "attempt": table.snapshot.attempt,
        "rules": rules_of(table),
        "commitments": [each.commitment for each in table.seats],
        "words": [each.words for each in table.seats],
        "dealt": table.view is not None,
        "seed": table.seed,
        "sitting": bool(table.mine),
        "mine": "" if seat is None else table.seats[seat].commitment,
        "awaited": "" if seat is None else awaited(table.snapshot, seat),
        "texts": texts_of(table.snapshot.attempt, _),
    }


def rules_of(table: TableView) -> str:
    """What is played: with other options the same seed would deal other cards."""
    contract = contract_of(table.header.game)
    options = (f"{name}={text}" for name, text in table.header.typed_options.to_texts().items())
    return " ".join([contract.name, str(contract.rules_version), *options])


def texts_of(attempt: int, _: Translate) -> dict[str, str]:
    """What the script says of its own looking, if it has to."""
    kept = _("Your browser has checked: the seed is the promised one, and its own contribution is in the shuffle.")
    beware = _("Do not trust this deal.")
    return {
        "kept": kept if attempt == 1 else f"{kept} {_('It took {count} attempts.', count=attempt)}",
        "changed": f"{_('The server has changed what it had committed to, and your browser opens nothing.')} {beware}",
        "left_out": f"{_('The server has left your browser out of this shuffle.')} {beware}",
        "broken": f"{_('This is not the shuffle that your browser has contributed to.')} {beware}",
        "other": _("Another browser has contributed in your name. If it was not yours, do not trust this deal."),
    }


def verified(table: TableView, _: Translate) -> str:
    """Whether the shuffle was the one promised, checked anew: the seed's hash, what was mixed in, and every move."""
    if table.seed is None or table.snapshot.game is None or table.header.arranged:
        return ""
    game = load(table.snapshot.game.save())
    if commitment(table.seed) != table.commitment or game.history != table.snapshot.game.history:
        return _("this game does not keep its promise")
    told = [_("verified: the seed {seed} has the promised SHA-256, and all moves follow from it", seed=table.seed)]
    if names := ", ".join(called(seat.name, _) for seat in table.seats if seat.commitment):
        told.append(_("and from what these had committed to before anybody opened: {names}", names=names))
    if words := "; ".join(
        f"{called(seat.name, _)}: {seat.words}" for seat in table.seats if seat.words and not seat.commitment
    ):
        told.append(_("and the words mixed in: {words}", words=words))
    return " ".join(told)
