"""What everybody was told at several servers, beside the log in the database and what servers say that were started
anew.

Lost: a move, a message or a take-back that was acknowledged, and that the log has not, or has otherwise. Doubled: what
the log has more often than it was asked for, under another key than it was sent with, or although it was refused; where
all seats are programs the log's moves are the acknowledged ones, and no others. Never was: what somebody saw, and the
log does not have. Bad logs have a gap, break off, or are told otherwise by the servers than the database has them.

A stream that is opened again at another server may begin with what was seen before, if the database was made to say
that a table has two owners: that is counted, and is no error, as all of it was so.
"""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from sqlalchemy import create_engine, text

import infila
from bench.company import Asked, Company, Seen, Sight
from bench.kill import Played

MOST_TOLD = 20


class Line(NamedTuple):
    """An entry of the log, as the database has it."""

    number: int
    kind: str
    seat: int | None
    person: str | None
    text: str
    key: str | None


class Moment(NamedTuple):
    """A table after an entry: how many moves stand, and the last of them."""

    played: int
    last: dict[str, Any] | None


@dataclass
class Findings:
    tables: int = 0
    entries: int = 0
    moves: int = 0
    messages: int = 0
    taken_back: int = 0
    positions_compared: int = 0
    wrong: Counter[str] = field(default_factory=Counter)
    sentences: list[str] = field(default_factory=list)

    def note(self, kind: str, sentence: str) -> None:
        self.wrong[kind] += 1
        if len(self.sentences) < MOST_TOLD:
            self.sentences.append(sentence)

    @property
    def counts(self) -> dict[str, Any]:
        kinds = ("lost", "doubled", "never_was", "bad_logs")
        told = {
            "tables_checked": self.tables,
            "entries": self.entries,
            "moves": self.moves,
            "messages": self.messages,
            "taken_back": self.taken_back,
            "positions_compared": self.positions_compared,
            **{kind: self.wrong[kind] for kind in kinds},
        }
        return told | ({"wrong": self.sentences} if self.sentences else {})


def read_log(url: str, table: str) -> list[Line]:
    engine = create_engine(url)
    query = "SELECT number, kind, seat, person, text, key FROM entries WHERE table_id = :table ORDER BY number"
    with engine.connect() as connection:
        found = [Line(*row) for row in connection.execute(text(query), {"table": table})]
    engine.dispose()
    return found


async def check(company: Company, url: str, most: int) -> Findings:
    """Everything that was told; about `most` of the positions that were seen are rebuilt. Nobody plays any more."""
    found = Findings()
    played = {each.id: each for each in company.tables if each.id}
    tables = sorted(played.keys() | company.seen.keys())
    for table in tables:
        before = follow(read_log(url, table))[0]
        told = (await company.ask("GET", f"/tables/{table}/history", "")).json()["moves"]
        log = read_log(url, table)
        found.tables, found.entries = found.tables + 1, found.entries + len(log)
        check_table(found, table, log, played.get(table))
        now, moments = follow(log)
        seen = company.seen.get(table, Seen())
        check_seen(found, table, log, moments, seen)
        if told != now[: len(told)] or len(told) < len(before):  # a computer plays on meanwhile
            found.note("bad_logs", f"{table}: the servers tell other moves than the log has")
        if (game := played.get(table)) is not None and game.over:
            await _check_end(found, company, table, now)
        here = {move["number"] for move in now}
        standing = [sight for sight in seen.sights.values() if sight.last is None or sight.last["number"] in here]
        company.chance.shuffle(standing)
        await _check_positions(found, company, table, standing[: max(1, most // len(tables))])
    return found


def check_table(found: Findings, table: str, log: Sequence[Line], played: Played | None) -> None:
    """The log has what was acknowledged there, once, and nothing that nobody asked for."""
    if [line.number for line in log] != list(range(1, len(log) + 1)):
        found.note("bad_logs", f"{table}: the log has a gap")
    by_number = {line.number: line for line in log}
    asked = played if isinstance(played, Asked) else Asked("")
    moves = [line for line in log if line.kind == "move"]
    found.moves += len(moves)
    for number, move in asked.moves.items():
        line = by_number.get(number)
        if line is None or (line.kind, line.text) != ("move", move):
            found.note("lost", f"{table}: move {number}, {move}, was acknowledged and is lost")
    for line in moves:
        if line.person is None and asked.programs != 2:  # a computer's, or the host's
            continue
        key = (line.key or "").rpartition("/")[2]
        sent, as_number = asked.keys.get(key, ("", None))
        if sent != line.text or (as_number != line.number and key not in asked.unanswered):
            found.note("doubled", f"{table}: nobody has made move {line.number}, {line.text}, or another time")
    messages = {line.number: json.loads(line.text)[2] for line in log if line.kind == "chat"}
    found.messages += len(messages)
    for said, heard in asked.said.items():
        if heard is not None and messages.get(heard) != said:
            found.note("lost", f"{table}: {said!r} was acknowledged and is lost")
    for said, count in Counter(messages.values()).items():
        if count > (said in asked.said):
            found.note("doubled", f"{table}: {said!r} is there {count} times")
    _check_take_backs(found, table, log, asked)


def _check_take_backs(found: Findings, table: str, log: Sequence[Line], asked: Asked) -> None:
    by_number = {line.number: line for line in log}
    for number in asked.numbers_back:
        if number not in by_number or by_number[number].kind not in ("ask", "back"):
            found.note("lost", f"{table}: a take-back, {number}, was acknowledged and is lost")
    done, pending = 0, False
    for line in log:
        if line.kind == "ask":
            done, pending = done + 1, True
        elif line.kind == "back":
            done, pending = done + (not pending), False
        elif line.kind in ("move", "away"):
            pending = False
    found.taken_back += sum(line.kind == "back" for line in log)
    if done > asked.taken_back:
        found.note("doubled", f"{table}: {done} take-backs, and {asked.taken_back} were asked for")


def follow(log: Sequence[Line]) -> tuple[list[dict[str, Any]], dict[int, Moment]]:
    """The moves that stand in the end, and every moment."""
    moves: list[dict[str, Any]] = []
    moments: dict[int, Moment] = {}
    for line in log:
        if line.kind == "move":
            moves.append(
                {"number": line.number, "seat": None if line.seat is None else line.seat + 1, "text": line.text}
            )
        elif line.kind == "back":
            del moves[int(line.text) :]
        moments[line.number] = Moment(len(moves), moves[-1] if moves else None)
    return moves, moments


def check_seen(found: Findings, table: str, log: Sequence[Line], moments: dict[int, Moment], seen: Seen) -> None:
    for sentence in seen.wrong:
        found.note("never_was", f"{table}: {sentence}")
    for sight in seen.sights.values():
        if moments.get(sight.version) != Moment(sight.played, sight.last):
            found.note("never_was", f"{table}: somebody saw version {sight.version} with {sight.last}")
    messages = {line.number: json.loads(line.text)[2] for line in log if line.kind == "chat"}
    for number, said in seen.messages.items():
        if messages.get(number) != said:
            found.note("never_was", f"{table}: somebody read {said!r}")


async def _check_end(found: Findings, company: Company, table: str, now: list[dict[str, Any]]) -> None:
    game = infila.load((await company.ask("GET", f"/tables/{table}/log", "")).text)
    if not game.over or list(game.history) != [move["text"] for move in now]:
        found.note("bad_logs", f"{table}: the game was over, and its log breaks off")


async def _check_positions(found: Findings, company: Company, table: str, sights: Sequence[Sight]) -> None:
    for sight in sights:
        told = await company.ask("GET", f"/tables/{table}?moves={sight.played}", sight.token)
        found.positions_compared += 1
        if told.json()["position"] != sight.position:
            found.note("never_was", f"{table}: somebody saw another position after {sight.played} moves")
