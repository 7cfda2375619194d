"""Reviews: whether errors are as large as they are said to be, and single steps next to exact ones."""

import itertools
import json
import random
from collections.abc import Iterator
from functools import cache
from math import sqrt
from typing import Any

import pytest

import infila
from bench import review as bench
from infila.core.game import Game
from infila.players import LEVELS
from infila.reviewing.chain import Change, Stretch
from infila.reviewing.choices import Choice
from infila.reviewing.judge import PARTS, Estimate, Value
from infila.reviewing.reviewer import Reviewer
from infila.reviewing.sums import review_of
from infila.wasm.use import modules_in_use
from tests.cases import cases_of
from tests.play import GAMES
from tests.test_review import ended, judge_of, late, with_hands


@pytest.fixture(autouse=True, scope="module")
def without_a_compiler() -> Iterator[None]:
    """As at tables: `tests/wasm` proves that it makes no difference."""
    with modules_in_use():
        yield


@cache
def small() -> Game:
    return late(1)


def likely_worlds(game: Game, seat: int) -> list[Game]:
    """All worlds that a seat cannot tell apart, in a game of two with few cards left."""
    position = json.loads(game.position)
    unseen = sorted([*position["hands"][1 - seat], *position["pile"]])
    size = len(position["hands"][1 - seat])
    return [
        with_hands(game, hand, tuple(card for card in unseen if card not in hand), seat)
        for hand in itertools.combinations(unseen, size)
    ]


def covered(apart: list[tuple[float, float]], errors: float) -> float:
    return sum(abs(off) <= errors * error for off, error in apart) / len(apart)


def test_a_value_is_as_far_off_as_is_said() -> None:
    game = small()
    seat = game.player
    exact = [ended(world)[seat] for world in likely_worlds(game, seat)]
    truth = sum(exact) / len(exact)
    off = []
    for seed in range(60):
        estimate = Estimate(judge_of(game, seed), game.view(seat).states, seat, seat)
        estimate.grow(48)
        off.append((estimate.value.win - truth, estimate.value.error))
    assert covered(off, 1) >= 0.5 and covered(off, 2) >= 0.85


class Drawn:
    """Worlds of a move whose value is known: each ends well with that chance, partly for the reason that others do."""

    solved, impossible = None, False

    def __init__(self, seed: int, action: int, value: float) -> None:
        self.seed, self.action, self.value = seed, action, value
        self.shares: list[list[int]] = [[]]
        self.points = [0.0]

    def __len__(self) -> int:
        return len(self.shares[0])

    def grow(self, worlds: int) -> None:
        for number in range(len(self), worlds):
            common, own = random.Random(f"{self.seed} {number}"), random.Random(f"{self.seed} {number} {self.action}")
            luck = own.random() if common.random() < 0.4 else common.random()
            self.shares[0].append(PARTS if luck < self.value else 0)


def drawn_choice(seed: int, values: list[float], played: int, error: float = 0.01) -> Choice:
    game = small()
    choice = Choice(judge_of(game), game.view(0).states, 0, played, 0, error)
    choice.consider(range(len(values)))
    for action, value in enumerate(values):
        choice.estimates[action]._played_on = Drawn(seed, action, value)  # type: ignore[assignment]
    return choice


@pytest.mark.parametrize(
    ("values", "played"),
    [([0.5, 0.5, 0.48, 0.3], 0), ([0.6, 0.52, 0.58, 0.4], 1), ([0.5, 0.5, 0.5], 2), ([0.7, 0.3], 1)],
)
def test_a_loss_is_as_far_off_as_is_said(values: list[float], played: int) -> None:
    off = []
    for seed in range(48):
        choice = drawn_choice(seed, values, played)
        choice.grow(256)
        loss, error = choice.loss
        assert (loss, error) == choice.lost_by(played) and loss >= 0
        off.append((loss - (max(values) - values[played]), error))
    assert covered(off, 1) >= 0.5 and covered(off, 2) >= 0.85


def test_what_makes_a_loss_uncertain_is_followed_until_it_does_not() -> None:
    choice = drawn_choice(3, [0.5, 0.48, 0.2], 0)
    choice.grow(64)
    early = choice.loss[1]
    choice.grow(4096)
    assert early > 0.01 > choice.loss[1]
    assert len(choice.estimates[2].worlds) < 4096, "what is surely worse is not followed"


def test_moves_that_are_compared_meet_the_same_worlds_however_they_look() -> None:
    choice = drawn_choice(5, [0.7, 0.5, 0.2, 0.4], 1)
    choice.compare([2])
    choice.grow(256)
    met = [len(choice.estimates[action].worlds) for action in range(4)]
    assert met[1] == met[2] == 256 > met[3]
    assert choice.ahead(2) == pytest.approx(-0.3, abs=0.09) and choice.ahead(1) == 0


def test_the_height_of_a_stretch_is_the_mean_of_what_was_measured_on_it() -> None:
    stretch = Stretch(False)
    stretch.measure(0.40, Value(0.40, 3.0, 0.03, 100))
    stretch.move(Change(0.10, 1.0, 0.02))
    stretch.measure(0.56, Value(0.56, 4.0, 0.01, 300))  # less the change: 0.46
    first, second = stretch.height(0), stretch.height(1)
    assert first.win == pytest.approx((100 * 0.40 + 300 * 0.46) / 400) == pytest.approx(second.win)
    assert first.score == pytest.approx(3.0) and first.worlds == 400
    measured = (0.03 * 100) ** 2 + (0.01 * 300) ** 2
    assert first.error == pytest.approx(sqrt(measured + (0.02 * 300) ** 2) / 400), (
        "three quarters lie beyond the change"
    )
    assert second.error == pytest.approx(sqrt(measured + (0.02 * 100) ** 2) / 400)
    stretch.measure(1.0, Value(1.0, 9.0, 0.0, 0))
    assert stretch.height(1).win == pytest.approx(0.9) and stretch.height(1).error == 0.0, (
        "what is certain counts alone"
    )


@pytest.mark.parametrize("players", [2, 3])
def test_where_hands_are_open_the_same_worlds_serve_every_seat(players: int) -> None:
    """Nothing is hidden in Completto but what lies covered: all see the same."""
    game = infila.new("completto", players=players, seed=3, games=1)
    liking = infila.player("completto", "beginner")
    for _ in range(8):
        game.play(liking.think(game.view(game.acting()[0])).move)
    reviewer = Reviewer(game, simulations=8)
    reviewer.look_for_luck(8)
    for at in range(len(game.history)):
        mover = reviewer.walk.movers[at]
        values = [reviewer.known(at, seat) for seat in range(players)]
        assert sum(known.value.win for known in values) == pytest.approx(1.0), at
        shared = reviewer._values[at, mover]
        for seat, known in enumerate(values):
            assert isinstance(known, Estimate) and known.worlds is shared.of(seat).worlds
            assert known.value.win == pytest.approx(shared.share(seat))


def test_T7_the_luck_of_a_card_is_exact() -> None:
    """The last card of the pile comes with a move: all that could have come can be enumerated."""
    whole = late(0)
    at = next(n for n in range(1, 9) if whole.before(n).states[0].n_pile == 1)
    game = whole.before(at)
    seat = int(game.player)
    move = whole.history[-at]
    worlds = [world for world in likely_worlds(game, seat) if move in world.moves]
    before = sum(ended(world.after(move))[seat] for world in worlds) / len(worlds)
    came = game.after(move)
    after = [ended(world)[seat] for world in likely_worlds(came, seat)]
    exact = sum(after) / len(after) - before
    reviewed = infila.load(game.position)
    reviewed.play(move)
    reviewer = Reviewer(reviewed, [seat])
    reviewer.look_for_luck(2000)
    steps = [step for step in review_of(reviewer).seat(seat).steps if step.kind == "luck"]
    assert [step.number for step in steps] == [1]
    assert steps[0].win == pytest.approx(exact, abs=3 * steps[0].error + 1e-9)


@pytest.mark.parametrize("name", GAMES)
def test_losses_are_the_same_on_every_redraw(name: str) -> None:
    """What a seat gave away with its next move, in reviews of games that differ in what it could not know."""
    game = infila.new(name, seed=12, **cases_of(name).short)
    club = infila.player(name, "club")
    while len(game.history) < 9 or not decides(game):
        game.play(club.think(game.view(mover(game))).move)
    seat = mover(game)
    move = game.view(seat).moves[-1]
    found: list[Any] = []
    for world in (game, game.redrawn(seat, 7), game.redrawn(seat, 8)):
        again = infila.load(world.position)
        again.play(move)
        reviewer = Reviewer(again, [seat], simulations=12)
        for _ in reviewer.work():
            pass
        made = review_of(reviewer).seat(seat).decisions[0]
        found.append((made.loss, made.error, made.score, made.best.move, made.ahead, made.levels, made.moves))
    assert found[0] == found[1] == found[2]


def mover(game: Game) -> int:
    acting = game.acting()
    return game.player if game.player in acting else min(acting)


def decides(game: Game) -> bool:
    return len(game.view(mover(game)).own_actions()) > 1


def test_a_review_says_what_it_does_not_know_as_well_as_was_wanted() -> None:
    game = infila.load(late(6).position)
    for _ in range(4):
        game.play(game.moves[0])
    few, some = infila.review(game, simulations=8), infila.review(game, simulations=8, error=0.5)
    assert few.complete and few.error == 0.01 and few.vague > 0
    assert some.complete and some.vague == 0


def test_bench_tells_whose_play_somebodys_is_like(monkeypatch: pytest.MonkeyPatch) -> None:
    """One game is enough to see that it works; `python -m bench.review` plays many."""
    monkeypatch.setattr(bench, "REVIEWED", 8)
    found = {("likeness", "sequence", 2, 1): bench.likeness("sequence", 2, 1)}
    summary = bench.summed_up(found)["likeness"]["sequence, 2 players"]
    assert summary["games"] == 1 and sum(row["n"] for row in summary["place"].values()) == 2
    assert set(summary["place"]) == set(LEVELS) and summary["rest"]["n"] == 2
