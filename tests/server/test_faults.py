"""Servers and their database are hurt while people play; `python -m bench.faults` does it more often, in more ways. And
whoever checks what came of it notices all that can be wrong."""

import asyncio
from typing import Any

import pytest

from bench import faults
from bench.checker import Findings, Line, Moment, check_seen, check_table, follow
from bench.company import Asked, Seen
from tests.server.postgres import needed

ANNA, BRUNO = "anna", "bruno"
LOG = [
    Line(1, "sit", 0, ANNA, "Anna", None),
    Line(2, "sit", 1, BRUNO, "Bruno", None),
    Line(3, "begin", None, None, "", None),
    Line(4, "move", 0, ANNA, "34", "anna/move-1"),
    Line(5, "chat", 0, ANNA, '["table", "Anna", "message 2"]', None),
    Line(6, "move", 1, BRUNO, "56", "bruno/move-3"),
    Line(7, "ask", 1, BRUNO, "1", None),
    Line(8, "back", 1, BRUNO, "1", None),
    Line(9, "move", 1, BRUNO, "57", "bruno/move-4"),
]


def asked(**changes: Any) -> Asked:
    """What was asked for and acknowledged there."""
    told: dict[str, Any] = {
        "programs": 2,
        "moves": {4: "34", 6: "56", 9: "57"},
        "keys": {"move-1": ("34", 4), "move-3": ("56", 6), "move-4": ("57", 9)},
        "said": {"message 2": 5},
        "taken_back": 1,
        "numbers_back": [7],
    }
    return Asked("take_that", **told | changes)


def found_at(log: list[Line], at: Asked) -> dict[str, int]:
    found = Findings()
    check_table(found, "table", log, at)
    assert len(found.sentences) == sum(found.wrong.values())
    return dict(found.wrong)


def test_what_was_told_is_what_the_log_has() -> None:
    assert found_at(LOG, asked()) == {}


def test_a_lost_move_message_or_take_back_is_noticed() -> None:
    for number in (9, 5, 7):
        log = [Line(line.number, "pause", None, None, "0", None) if line.number == number else line for line in LOG]
        assert found_at(log, asked()) == {"lost": 1}


def test_what_was_done_twice_or_never_asked_for_is_noticed() -> None:
    again = Line(10, "move", 1, BRUNO, "57", None)  # the same move once more, without its key
    assert found_at([*LOG, again], asked()) == {"doubled": 1}
    assert found_at([*LOG, again._replace(person=None)], asked()) == {"doubled": 1}  # no computer plays there
    assert found_at([*LOG, again._replace(person=None)], asked(programs=1)) == {}
    assert found_at([*LOG, LOG[4]._replace(number=10)], asked()) == {"doubled": 1}
    assert found_at([*LOG, LOG[7]._replace(number=10)], asked()) == {"doubled": 1}


def test_a_move_that_was_refused_must_not_be_there() -> None:
    without = {number: move for number, move in asked().moves.items() if number != 9}
    keys = asked().keys | {"move-4": ("57", None)}
    assert found_at(LOG, asked(moves=without, keys=keys)) == {"doubled": 1}
    assert found_at(LOG, asked(moves=without, keys=keys, unanswered={"move-4"})) == {}  # nobody knows


def test_a_gap_is_noticed() -> None:
    assert found_at(LOG[:4] + LOG[5:], asked(said={})) == {"bad_logs": 1}


def test_what_never_was_is_noticed() -> None:
    stands, moments = follow(LOG)
    assert [move["text"] for move in stands] == ["34", "57"]
    assert moments[6] == Moment(2, {"number": 6, "seat": 2, "text": "56"}) and moments[8].played == 1

    def wrong(*told: dict[str, Any]) -> int:
        seen, found = Seen(), Findings()
        for each in told:
            seen.note("", each)
        check_seen(found, "table", LOG, moments, seen)
        return found.wrong["never_was"]

    taken_back = {"version": 6, "played": 2, "last": moments[6].last, "position": {}}
    assert wrong(taken_back, {"number": 5, "text": "message 2", "room": "table"}) == 0
    assert wrong(taken_back | {"last": moments[4].last}) == 1
    assert wrong(taken_back | {"version": 8}) == 1
    assert wrong(taken_back, taken_back | {"position": {"other": 1}}) == 1
    assert wrong({"number": 5, "text": "message 3", "room": "table"}) == 1


@needed
@pytest.mark.slow
@pytest.mark.long
def test_nothing_is_lost_and_every_table_goes_on() -> None:
    with faults.cluster_of(2, seed=3) as cluster:
        kinds = ("cut", "kill", "jump", "full", "two owners")
        wanted: dict[str, Any] = {"kinds": kinds, "game": "take_that", "to_the_end": False, "positions": 20}
        told = asyncio.run(faults.run(cluster, 4, len(kinds), clocks=1, **wanted))
    assert set(told["by_kind"]) == set(kinds) and told["acknowledged"] > 20
    assert {kind: told[kind] for kind in faults.WRONG} == dict.fromkeys(faults.WRONG, 0), told.get("wrong")
    assert told["moves"] >= told["acknowledged"] and told["positions_compared"] > 10
