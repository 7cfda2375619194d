"""What the page of a review says of a review, without a browser."""

import re
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

import infila
from infila.core.contract import Reason
from infila.core.games import contract_of
from infila.reviewing.judge import Value
from infila.reviewing.ledger import Decision, Judged, Likeness, Review, SeatReview, Step
from infila.wasm.use import modules_in_use
from infila.web import review_html
from infila.web.review_html import ReviewFacts, fragments, give_or_take, picture
from tests.play import GAMES

MOVES = 4


def judged(move: str, loss: float, error: float) -> Judged:
    return Judged(move, 0, Value(0.5, 0.0, 0.01, 100), loss, error)


def decision(number: int, loss: float, error: float) -> Decision:
    played, best = judged("34", loss, error), judged("35", 0.0, error)
    reasons = (Reason("costs", {"count": 5}),)
    return Decision(number, 0, played, best, (best, played), loss, 0.0, error, reasons, {}, {})


def seat(number: int, **changes: Any) -> SeatReview:
    curve = tuple(Value(win, 0.0, 0.01, 100) for win in (0.5, 0.6, 0.4, 0.3, 0.0))
    steps = (
        Step(0, -1, "luck", 0.2, 0.0, 0.01),
        Step(1, number, "loss", -0.12, 0.0, 0.02),
        Step(2, 1 - number, "gift", 0.06, 0.0, 0.01),
        Step(3, number, "luck", -0.3, 0.0, 0.2),  # not sure
    )
    like = Likeness("club", 2.0, 1.0, 3.0, 0.01, {})
    made = SeatReview(
        number, "Anna", curve[0], curve, steps, (decision(1, 0.12, 0.02), decision(3, 0.03, 0.02)), 0.0, -0.1, 0.06,
        0.12, {"luck": 0.2, "gift": 0.01, "loss": 0.02}, 0.0, 0.05, {}, 0.0, 0.0, 0.0, like,
    )  # fmt: skip
    return replace(made, **changes)


def facts(you: bool = True, complete: bool = True, names: tuple[str, ...] = ("Anna", "<Bruno>"), **changes: Any) -> Any:
    curve = (0.5, 0.7, 0.4, 0.3, 0.0)
    review = Review(
        "take_that", MOVES, True, (seat(0, **changes), seat(1)), (curve, curve), "club", 0, 1000, complete, 0.01, 0
    )
    return ReviewFacts(review, 0, names, (0, 1), you, {}, "/t/abc")


def test_marks_stand_only_where_they_are_sure() -> None:
    drawn = fragments(facts(), "en")
    first = str(drawn["threads"]).split('class="sd"')[1]
    assert first.count('class="m loss"') == 1 and first.count('class="m gift"') == 1 and 'class="m up"' in first
    assert "m down" not in str(drawn["threads"]), "luck within its own uncertainty has no mark"
    told = str(drawn["marks"])
    assert (
        "own loss; better was 35" in told and "a gift from &lt;Bruno&gt;" in told and "luck helped, in the deal" in told
    )
    assert str(drawn["three"]).count('class="dec"') == 1, "a loss of 3 that may be 4 wrong is none of them"


def test_the_ledger_says_where_it_began_what_is_left_over_and_how_it_ended() -> None:
    told = str(fragments(facts(rest=-0.03), "en")["ledger"])
    assert "start 50, rest −3 ±\N{NO-BREAK SPACE}10, result 0" in told and "gifts:" not in told
    names = ("Anna", "<Bruno>", "Carla")
    many = facts(names=names, given_by={1: 0.12, 2: -0.03, -1: 0.2})
    many = replace(
        many,
        review=replace(many.review, seats=(*many.review.seats, seat(2)), hindsight=3 * many.review.hindsight[:1]),
        sides=(0, 1, 2),
    )
    told = str(fragments(many, "en")["ledger"])
    assert "gifts: +12 from &lt;Bruno&gt;, −3 from Carla" in told


def test_it_says_who_played_on_and_what_is_less_sure() -> None:
    found = facts()
    head = str(fragments(found, "en")["head"])
    assert f"infila {infila.__version__}, rules 1" in head and "less sure" not in head
    vague = replace(found, review=replace(found.review, vague=12))
    assert "12 of its figures are less sure than is wanted" in str(fragments(vague, "en")["head"])


def test_names_are_escaped_everywhere() -> None:
    assert not any("<Bruno>" in str(each) for each in fragments(facts(), "en").values())


def test_it_is_said_to_whoever_it_is_about() -> None:
    own, other = (str(fragments(facts(you), "en")["head"]) for you in (True, False))
    assert "you played like club" in own and "Luck was against you: −10" in own
    assert "Anna played like club" in other and "With even luck Anna would have had 10" in other
    assert "from casual to expert" in own, "with its interval"


def test_luck_is_told_only_once_it_is_clear_which_it_was() -> None:
    assert "cannot be said so soon" in str(fragments(facts(complete=False), "en")["head"])
    assert "cannot be said so soon" not in str(fragments(facts(complete=False, luck=-0.5), "en")["head"])


def test_uncertainty_is_told_in_two_standard_errors() -> None:
    assert give_or_take(0.025).endswith("5") and give_or_take(0.0) == ""
    assert re.search(r"−12.*?±\s4", str(fragments(facts(), "en")["three"]), re.DOTALL)


def test_a_first_look_promises_no_level() -> None:
    head = str(fragments(facts(complete=False, like=None), "en")["head"])
    assert "a first look" in head and "played like" not in head and "ladder" not in head


def test_hindsight_is_a_line_and_nothing_else() -> None:
    drawn = fragments(facts(), "en")
    assert str(drawn["threads"]).count('class="hind"') == 2
    for name in ("head", "ledger", "three", "marks"):
        assert "hindsight" not in str(drawn[name])


@pytest.mark.parametrize("language", ["it", "de"])
def test_it_is_said_in_every_language(language: str) -> None:
    spoken = " ".join(re.sub("<[^>]*>", " ", str(each)) for each in fragments(facts(), language).values())
    assert not re.search(r"\b(luck|gift|own|better|points|moves)\b", spoken)


@cache
def begun(game: str, players: int) -> infila.Game:
    with modules_in_use():
        made = infila.new(game, seed=3, players=players)
        player = infila.player(game, "beginner")
        for _ in range(6):
            made.play(player.think(made.view(made.acting()[0])).move)
        return made


@pytest.mark.parametrize("game", GAMES)
def test_a_picture_has_every_panel_in_one_form(game: str) -> None:
    view = begun(game, 2).view(0)
    drawn = str(picture(view, ("Anna", "Bruno"), "en"))
    names = re.findall(r'data-panel="([^"]+)"', drawn)
    assert names and len(names) == len(set(names))
    bases = [re.sub(r"-(narrow|flat|middling|stack)$", "", name) for name in names]
    assert len(bases) == len(set(bases)), names
    assert contract_of(game).name == view.game


def test_many_seats_are_folded() -> None:
    made = facts(names=tuple("ABCDEFGH"))
    review = replace(made.review, seats=tuple(seat(number) for number in range(8)), hindsight=((0.5,) * 5,) * 8)
    drawn = review_html.fragments(replace(made, review=review, sides=(0, 1) * 4), "en")
    assert "2 more" in str(drawn["threads"]) and str(drawn["threads"]).count('class="strand"') == 8
