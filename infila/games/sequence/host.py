"""What the host of a table decides: table talk (S17), where it is forbidden."""

from typing import Any

from infila.core.contract import Reason, refuse
from infila.core.errors import IllegalMove
from infila.core.options import Options
from infila.games.sequence.rules import OFFENCE

GAME = "infila.games.sequence"


def silence(options: Options) -> IllegalMove | None:
    chosen = options.to_dict()
    partners = chosen["players"] > chosen["sides"]  # S24: who plays alone has nobody to advise
    return refuse(GAME, "S17", "silence") if partners and chosen["table_talk"] == "forbidden" else None


def objection(s: Any, action: int, seat: int) -> IllegalMove | None:
    return refuse(GAME, "S17", "own_side") if seat % int(s.sides) == action - OFFENCE else None


def call(s: Any, action: int) -> Reason:
    return Reason("call", {"side": action - OFFENCE + 1})
