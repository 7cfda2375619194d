"""What has happened at a table, move by move, as all may know it: the log in words, and where the last move was."""

import asyncio
import sys
from collections import OrderedDict
from dataclasses import dataclass

from infila.core.game import Game, View
from infila.server.gently import gently
from infila.server.snapshot import NO_SEAT, Played, Snapshot
from infila.server.turns import Turns
from infila.web.table_html import Told, standing

MOST_TABLES = 500
MANY = 40  # moves
LONGEST_TELLING = 30.0  # seconds


@dataclass
class _Known:
    game: Game  # as it was after the moves that are told
    views: dict[int, View]  # of it, by seat, as a snapshot has them
    texts: list[str]
    told: list[Told]

    def view(self, seat: int) -> View:
        if seat not in self.views:
            self.views[seat] = self.game.view(None if seat == NO_SEAT else seat)
        return self.views[seat]

    def action_of(self, move: Played) -> int:
        """What a move was, read through the eyes of whoever made it."""
        return self.game.action_of(move.text) if move.seat is None else self.view(move.seat).read(move.text)


class Chronicle:
    """Keeps what it has told, so that a move more is one move's work."""

    def __init__(self) -> None:
        self._tables: OrderedDict[str, _Known] = OrderedDict()
        self._telling = Turns(at_once=1, seconds=LONGEST_TELLING)  # of each table: what many want is told once

    async def told(self, table: str, snapshot: Snapshot) -> list[Told]:
        """Every move up to a snapshot; many at once, of a table that nobody has looked at for long, in a thread."""
        if not self._is_known(table, snapshot):
            async with self._telling.turn(table):
                if not self._is_known(table, snapshot):
                    return await asyncio.to_thread(self._tell, table, snapshot)
        return self._tell(table, snapshot)

    def _is_known(self, table: str, snapshot: Snapshot) -> bool:
        """All but for a few moves."""
        known = self._tables.get(table)
        return len(snapshot.history) - (len(known.texts) if known else 0) <= MANY

    def _tell(self, table: str, snapshot: Snapshot) -> list[Told]:
        if snapshot.game is None:
            return []
        texts = [move.text for move in snapshot.history]
        known = self._tables.pop(table, None)
        if known is not None and len(texts) < len(known.texts) and texts == known.texts[: len(texts)]:  # a replay
            self._tables[table] = known
            return known.told[: len(texts)]
        if known is None or known.texts != texts[: len(known.texts)]:
            start = snapshot.game.before(len(snapshot.game.history))
            known = _Known(start, {}, [], [])
        for move in gently(snapshot.history[len(known.texts) :]):
            view, action = known.view(NO_SEAT), known.action_of(move)
            contract = known.game.contract
            seat = -1 if move.seat is None else move.seat
            parts = contract.notation.parts(view.states[0], action)
            if len(known.texts) + 1 == len(texts):  # the snapshot has it, and what was seen of it
                known.game, known.views = snapshot.game, snapshot.views
            else:
                known.game, known.views = known.game.copy(), {}
                known.game.play_action(action)
            after = known.view(NO_SEAT)
            reason = contract.story.tell(view.states[0], action, after.states[0])
            stage = sys.intern(contract.scoring.stage(view.states[0]))
            sound = getattr(contract.story, "SOUNDS", {}).get(reason.key, "lay")
            known.told.append(
                Told(len(known.told) + 1, seat, reason, move.text, parts, sound, tuple(standing(after)), stage)
            )
            known.texts.append(move.text)
        self._tables[table] = known
        if len(self._tables) > MOST_TABLES:
            self._tables.popitem(last=False)
        return list(known.told)
