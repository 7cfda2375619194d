"""What the host of a table decides: table talk (S17), where it is forbidden."""

from infila.core.contract import Reason, refuse
from infila.core.errors import IllegalMove
from infila.core.options import Options
from infila.games.sequence.rules import OFFENCE
from infila.games.sequence.state import State, has_partners, side_of

GAME = "infila.games.sequence"


def silence(options: Options) -> IllegalMove | None:
    chosen = options.to_dict()
    forbidden = chosen["table_talk"] == "forbidden" and has_partners(chosen["players"], chosen["sides"])
    return refuse(GAME, "S17", "silence") if forbidden else None


def objection(s: State, action: int, seat: int) -> IllegalMove | None:
    return refuse(GAME, "S17", "own_side") if side_of(int(s.sides), seat) == action - OFFENCE else None


def call(s: State, action: int) -> Reason:
    return Reason("call", {"side": action - OFFENCE + 1})
