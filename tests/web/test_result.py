"""What a page shows at the end of a game: all figures agree, and its story points at moves that mattered."""

import re
import time
from dataclasses import replace
from typing import Any

import pytest

import infila
from infila.core.words import LANGUAGES
from infila.web import end, table_html
from infila.web.end import Knot, changes_of_lead, course_of, groups_of, knots_of, sides_of
from infila.web.languages import translator
from tests.web.house import NAMES, played

CASES: list[tuple[str, dict[str, Any]]] = [
    ("zatre", {"players": 2}),
    ("zatre", {"players": 4, "teams": True}),
    ("take_that", {"players": 3, "rounds": 2}),
    ("completto", {"players": 2, "games": 2}),
    ("sequence", {"players": 2}),
    ("sequence", {"players": 3, "sides": 3}),
    ("sequence", {"players": 4, "sides": 2}),
]
ENGLISH = translator("en")


def numbers(texts: list[str]) -> list[int]:
    return [int(text.replace("−", "-")) for text in texts]


def facts_at_the_end(game: infila.Game, seat: int | None = 0, **more: Any) -> table_html.TableFacts:
    """What the page knows of a game that is over."""
    again, contract, told = game.before(len(game.history)), game.contract, []
    for number, move in enumerate(game.history, 1):
        before, action, mover = again.view().states[0], again.action_of(move), again.mover(move)
        parts = contract.notation.parts(before, action)
        again.play(move)
        after = again.view()
        reason = contract.story.tell(before, action, after.states[0])
        stands, stage = tuple(table_html.standing(after)), contract.scoring.stage(before)
        told.append(
            table_html.Told(number, -1 if mover is None else mover, reason, move, parts, stands=stands, stage=stage)
        )
    names = [NAMES[at] if at < len(NAMES) else f"P{at}" for at in range(len(game.names))]
    sitters = [table_html.Sitter(name, "person", you=at == seat) for at, name in enumerate(names)]
    return table_html.TableFacts(game.view(seat), sitters, 1, 1, told=told, **more)


@pytest.mark.parametrize(("name", "options"), CASES)
def test_all_that_is_shown_at_the_end_is_the_same_number(name: str, options: dict[str, Any]) -> None:
    facts = facts_at_the_end(played(name, **options))
    sides = sides_of(facts, ENGLISH)
    points = [side.points for side in sides]
    ranked = sorted(points, reverse=True)
    shown = end.end(facts, "en").result
    explained = [
        sum(column) for column in zip(*(g.totals for g in groups_of(facts, sides, ENGLISH, "en")), strict=True)
    ]
    assert explained == points == course_of(facts, sides)[-1]
    bars = re.findall(r'<li.*?aria-label="(.*?)"', shown.split('class="bal"')[1].split("</ul>")[0])
    assert numbers(bars) == ranked
    assert (
        numbers(re.findall(r"(?:by \d+: |, )\D*? ?(−?\d+)(?=,|</p>)", shown.split("</h1>")[1].split("<p")[1])) == ranked
    )
    fragments = table_html.state(facts, "en")["fragments"]
    beside = numbers(re.findall(r'aria-label="points: (.*?)"', fragments["seats"]))
    assert beside == [next(side.points for side in sides if seat in side.seats) for seat in range(len(facts.sitters))]
    under = re.search(r"</h1><p>(.*?)</p>", fragments["say"])
    assert under is not None and numbers(under[1].split(" to ")) == ranked
    assert "−0" not in shown


def test_what_counted_is_short_in_every_language() -> None:
    for language in LANGUAGES:
        for name, options in CASES[:4]:
            shown = end.end(facts_at_the_end(played(name, **options)), language).result
            assert 1 <= shown.count("<summary>") <= 4 and not re.search(r"[{}]", shown)


def test_the_end_is_told_from_the_viewers_seat() -> None:
    game = played("take_that", players=3, rounds=2)
    (winner,) = game.winners
    for seat in range(3):
        shown = end.end(facts_at_the_end(game, seat), "en").result
        assert ("<h1>you win</h1>" in shown) == (seat == winner)
    watched = end.end(facts_at_the_end(game, None), "en").result
    assert f"<h1>{NAMES[winner]} wins</h1>" in watched and "you" not in watched
    facts = facts_at_the_end(game, 0)
    hot = [replace(sitter, you=True) for sitter in facts.sitters]
    shown = end.end(replace(facts, sitters=hot), "en").result
    assert f"<h1>{NAMES[winner]} wins</h1>" in shown, "on one screen nobody is you"
    team = end.end(facts_at_the_end(played("sequence", players=4, sides=2), 3), "en").result
    assert "<h1>you win</h1>" in team or "<h1>Anna and Carla win</h1>" in team


def test_a_resigned_game_says_so() -> None:
    game = infila.new("zatre", players=2, seed=1)
    for _ in range(12):
        game.play(game.moves[0])
    facts = facts_at_the_end(game, 0, given_to=[0])
    facts.sitters = [facts.sitters[0], replace(facts.sitters[1], resigned=True)]
    shown = end.end(facts, "en").result
    assert "<h1>you win</h1>" in shown and "Bruno has resigned." in shown


def test_a_game_that_brings_nothing_has_a_group_for_every_rule(monkeypatch: pytest.MonkeyPatch) -> None:
    facts = facts_at_the_end(played("take_that", players=3, rounds=2))
    contract = facts.view.contract
    monkeypatch.delattr(contract.scoring, "GROUPS")
    monkeypatch.delattr(contract.picture, "SIGNS")
    groups = groups_of(facts, sides_of(facts, ENGLISH), ENGLISH, "en")
    assert {group.title for group in groups} <= {"rule T8", "rule T10", "rule T12"}
    assert [sum(column) for column in zip(*(group.totals for group in groups), strict=True)] == facts.view.scores
    assert "rule T8" in end.end(facts, "en").result


def test_knots_are_moves_that_mattered() -> None:
    course = [[0, 0], [1, 0], [1, 1], [1, 2], [1, 9], [2, 9], [12, 9], [13, 9], [14, 9]]
    assert knots_of(course, 0) == [Knot(5, worst=True), Knot(7, lead=True, swing=True)]
    assert changes_of_lead(course) == 2
    assert knots_of([[0, 0], [1, 1]], None) == [] == knots_of([[3, 0]] * 9, 0) == knots_of([], 0)
    assert [knot.move for knot in knots_of([[0, 0], [5, 0], [5, 5]], None)] == [2], "a draw has no leader"


def test_every_knot_is_a_move_of_the_game() -> None:
    facts = facts_at_the_end(played("take_that", players=3, rounds=2))
    drawn = end.end(facts, "en")
    knots = re.findall(r'class="k" data-at="(\d+)"', drawn.result)
    assert 1 <= len(knots) <= 3 and all(1 <= int(move) <= len(facts.told) for move in knots)
    assert drawn.tape.count('class="bead"') == len(knots) and drawn.tape.count('class="ln ') == 3
    assert "round 2" in drawn.tape and f'max="{len(facts.told)}"' in drawn.tape


def test_a_game_of_thousands_of_moves_is_drawn_quickly_and_small() -> None:
    facts = facts_at_the_end(played("zatre", players=2))
    many = [
        replace(line, number=at, stands=(at // 3 % 500, at // 2 % 700))
        for at, line in enumerate((facts.told[at % len(facts.told)] for at in range(20_000)), 1)
    ]
    facts = replace(facts, told=many)
    began = time.process_time()  # a busy machine makes nobody late
    drawn = end.end(facts, "en")
    assert time.process_time() - began < 2 and len(drawn.tape) < 30_000


def test_chances_are_drawn_once_a_review_knows_them() -> None:
    facts = facts_at_the_end(played("sequence", players=2))
    moves = len(facts.told)
    curve = [0.5 + 0.5 * move / moves for move in range(moves + 1)]
    shown = end.end(facts, "en", "/t/abc", [curve, [1 - each for each in curve]]).tape
    assert "chances over time" in shown and ">100</text>" in shown
    assert 'action="/t/abc/try"' in shown and "play on from here" in shown
    short = end.end(facts, "en", "/t/abc", [curve[:-2], curve[:-2]]).tape
    assert "scores over time" in short, "of another length than the game"
    assert "/try" not in end.end(facts, "en").tape, "where there is no table"
