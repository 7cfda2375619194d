"""Acts of the host: moves that belong to no seat. Any seat may call for one; `causes` says who decides."""

from infila.core.errors import IllegalMove
from infila.core.game import Game
from infila.server.causes import judges, obstacle
from infila.server.errors import Forbidden, Refused
from infila.server.own_seats import own_seat, viewing_seat
from infila.server.snapshot import PLAYING, Call, Snapshot
from infila.server.table_view import TableView
from infila.server.tables import Draft, Tables


class Calls:
    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    async def call(self, table: str, person: str, move: str) -> TableView:
        """Call for an act of the host; if it accuses somebody, another decides about it."""
        live = await self._tables.find(table)
        async with live.lock:
            snapshot = live.snapshot
            seat = own_seat(snapshot, person)
            game = _host_move(snapshot, seat, move)
            accused = snapshot.accused(game.history[-1])
            if problem := obstacle(snapshot, person, Call(seat, game.history[-1])):
                raise problem
            if snapshot.called is not None:
                raise Refused("somebody has called already: that is decided first.")
            if not accused and person == snapshot.header.host:
                draft = Draft("move", None, person, game.history[-1], None, game)
            else:
                draft = Draft("call", seat, person, game.history[-1])
            await self._tables.write(live, [draft])
            return live.seen_by(person, seat)

    async def judge(self, table: str, person: str, granted: bool) -> TableView:
        """Whoever decides about a call says whether it was right."""
        live = await self._tables.find(table)
        async with live.lock:
            snapshot = live.snapshot
            called = snapshot.called
            if called is None:
                raise Refused("nobody has called for the host.")
            if person not in judges(snapshot):
                raise Forbidden("somebody else decides about this call: nobody judges a cause of their own side.")
            if granted:
                game = _host_move(snapshot, called.seat, called.move)
                draft = Draft("move", None, person, game.history[-1], None, game)
            else:
                draft = Draft("call", called.seat, person, "")
            await self._tables.write(live, [draft])
            return live.seen_by(person, viewing_seat(live.snapshot, person))


def _host_move(snapshot: Snapshot, seat: int, text: str) -> Game:
    """The game after an act of the host that a seat calls for, judged from that seat's view."""
    view = snapshot.view(seat)
    if snapshot.game is None or view is None or snapshot.state != PLAYING:
        raise Refused("the game is not on.")
    contract, s = view.contract, view.states[0]
    action = contract.notation.parse(s, text.strip(), seat)
    if action in set(view.actions()) - set(view.host_actions()):  # a seat's own move, whosever turn it is
        raise IllegalMove("", "{move} is nothing that the host decides.", move=view.text(action))
    if problem := contract.host.objection(s, action, seat):
        raise Refused(problem.sentence, problem.rule)
    if action not in view.host_actions():
        raise contract.notation.refusal(s, action, seat)
    after = snapshot.game.copy()
    after.play_action(action)
    return after
