"""Reviews: true where the truth can be computed, fair, and the same every time."""

import itertools
import json
from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import infila
from bench.review import worst_move
from infila import cli
from infila.core import driver
from infila.core.errors import InfilaError
from infila.core.game import Game
from infila.players import LEVELS, search
from infila.reviewing.choices import Choice, given_away
from infila.reviewing.judge import PARTS, Estimate, Judge, Value
from infila.reviewing.ledger import Decision, Judged, grade
from infila.reviewing.reviewer import Reviewer
from infila.reviewing.sums import left_over, likeness, review_of
from infila.wasm.use import modules_in_use
from tests.cases import cases_of
from tests.play import GAMES

WHOLE = 60  # moves of a game that is reviewed from its deal on
SHORT: dict[str, Any] = {"players": 2, "rounds": 1, "dealer": 1}


@pytest.fixture(autouse=True, scope="module")
def without_a_compiler() -> Iterator[None]:
    """As at tables: `tests/wasm` proves that it makes no difference."""
    with modules_in_use():
        yield


def judge_of(game: Game, seed: int = 0) -> Judge:
    return Judge(game.contract, len(game.names), 1, seed)


def late(cards: int, seed: int = 3) -> Game:
    """A game of Take That in which so many cards are left in the pile."""
    game = played_until(infila.new("take_that", seed=seed, **SHORT), cards)
    return game


def played_until(game: Game, cards: int) -> Game:
    club = infila.player("take_that", "club")
    while game.states[0].n_pile > cards:
        game.play(club.think(game.view(game.player)).move)
    return game


def best_play(game: Game) -> list[float]:
    """What perfect players get who see everything, in plain Python: the share of each of two seats."""
    if game.over:
        winners = game.winners
        return [1 / len(winners) if seat in winners else 0.0 for seat in (0, 1)]
    found = [best_play(game.after(move)) for move in game.moves]
    return max(found, key=lambda shares: shares[game.player])


def with_hands(game: Game, hand: tuple[int, ...], pile: tuple[int, ...], seat: int) -> Game:
    """The same game with other cards where a seat cannot look."""
    position = json.loads(game.position)
    position["hands"][1 - seat] = sorted(hand)
    position["pile"] = list(pile)
    return infila.load(json.dumps(position))


def test_T7_values_and_losses_are_exact_where_everything_is_known() -> None:
    """Without a pile each of two players knows what the other holds."""
    seen = 0
    for seed in range(1, 7):
        whole = late(0, seed)
        while not whole.over:
            whole.play(infila.player("take_that", "club").think(whole.view(whole.player)).move)
        for back in (2, 3):
            game = whole.before(back)
            seat, moves = game.player, game.moves
            if game.states[0].n_pile > 0 or len(moves) < 2:
                continue
            exact = {move: best_play(game.after(move))[seat] for move in moves}
            actions = [game.action_of(move) for move in moves]
            choice = Choice(judge_of(game), game.view(seat).states, seat, actions[0], actions[-1])
            choice.consider(actions)
            for estimate in choice.estimates.values():
                estimate.grow(40)
            for move, action in zip(moves, actions, strict=True):
                assert choice.estimates[action].value.win == pytest.approx(exact[move]), move
                assert choice.lost_by(action)[0] == pytest.approx(max(exact.values()) - exact[move])
            seen += len(set(exact.values()))
    assert seen >= 6


def to_the_end(name: str, seed: int) -> Game:
    game = infila.new(name, players=2, seed=seed)
    liking = infila.player(name, "club", seed)
    while not game.over:
        seat = game.player if game.player in game.acting() else min(game.acting())
        game.play(liking.think(game.view(seat)).move)
    return game


def test_Z19_values_and_losses_are_exact_where_everything_is_known() -> None:
    """Once the bag is empty each of two players knows what the other holds."""
    seen = 0
    for seed, back in ((1, 1), (1, 2), (2, 1), (2, 2), (3, 2), (3, 3)):
        game = to_the_end("zatre", seed).before(back)
        seat, moves = game.player, game.moves
        exact = {move: best_play(game.after(move))[seat] for move in moves}
        actions = [game.action_of(move) for move in moves]
        choice = Choice(judge_of(game), game.view(seat).states, seat, actions[0], actions[-1])
        choice.consider(actions)
        for estimate in choice.estimates.values():
            estimate.grow(4)
        for move, action in zip(moves, actions, strict=True):
            assert choice.estimates[action].value.win == pytest.approx(exact[move]), move
            assert choice.estimates[action].value.error == 0
            lost, error = choice.lost_by(action)
            assert lost == pytest.approx(max(exact.values()) - exact[move]) and error == 0
        seen += len(moves)
    assert seen >= 12


@pytest.mark.parametrize("name", GAMES)
def test_a_move_that_ends_the_game_is_worth_how_it_ends(name: str) -> None:
    game = to_the_end(name, 1)
    before, last = game.before(), game.history[-1]
    action = before.action_of(last)
    seat = int(driver.actor_at(before.states, 0, action))
    choice = Choice(_judge(before), before.view(seat).states, seat, action, action)
    choice.consider(before.view(seat).own_actions()[:6])
    choice.grow(24)
    exact = 1 / len(game.winners) if seat in game.winners else 0.0
    assert choice.estimates[action].value.win == exact
    for other, estimate in choice.estimates.items():
        if exact == 1:
            assert choice.behind(other)[0] == pytest.approx(1 - estimate.value.win)


@pytest.mark.parametrize("name", GAMES)
def test_luck_is_nothing_on_average(name: str) -> None:
    """What a move is worth before anything comes is the mean of what it is worth to the seat afterwards, over all that
    can come. Both are measured here, late in a game, where that is quick."""
    whole = to_the_end(name, 2)
    checked = 0
    for back in range(8, 30):
        game = whole.before(back)
        action = game.action_of(whole.history[-back])
        seat = int(driver.actor_at(game.states, 0, action))
        if seat < 0 or checked == 3:
            continue
        judge, hidden = _judge(game), game.view(seat).states
        moved = Estimate(judge, hidden, seat, seat, action)
        moved.grow(1024)
        two = np.concatenate([hidden, hidden])
        came = []
        for number in range(256):
            assert judge.world(two, seat, action, np.uint64(77), number, seat)
            after = Estimate(judge, two[1:].copy(), seat, seat)
            after.grow(4)
            came.append(after.rated())
        apart = float(np.mean(came)) - moved.rated()
        error = float(np.std(came)) / 16 + moved.value.error
        assert abs(apart) <= 3 * error + 1e-9, back
        checked += 1
    assert checked == 3


@pytest.mark.parametrize("name", GAMES)
def test_who_plays_on_makes_the_usual_move(name: str) -> None:
    """So that a position is worth what its usual move is, in every world."""
    game = to_the_end(name, 3).before(20)
    seat = game.player if game.player in game.acting() else min(game.acting())
    judge, hidden = _judge(game), game.view(seat).states
    usual = infila.player(name, "beginner").by_rating(hidden, seat)[0].action
    before, after = Estimate(judge, hidden, seat, seat), Estimate(judge, hidden, seat, seat, usual)
    for estimate in (before, after):
        estimate.grow(40)
    if before.solved is None and after.solved is None:
        assert before.worlds == after.worlds and after.above(before)[0] == 0


def test_small_losses_that_are_not_sure_count_less() -> None:
    assert given_away(0.02, 0.0) == 0.02 and given_away(0.02, 0.02) == 0.0 == given_away(0.0, 0.01)
    assert 0.09 < given_away(0.1, 0.02) < 0.1


def test_T7_a_value_is_the_mean_over_all_worlds_that_a_seat_cannot_tell_apart() -> None:
    """The last decision of a round: everything after it is forced or seen, so that every world can be played out."""
    game = late(1)
    seat = game.player
    position = json.loads(game.position)
    unseen = sorted([*position["hands"][1 - seat], *position["pile"]])
    size = len(position["hands"][1 - seat])
    worlds = [
        with_hands(game, hand, tuple(card for card in unseen if card not in hand), seat)
        for hand in itertools.combinations(unseen, size)
    ]
    view = game.view(seat)
    assert all(json.loads(world.view(seat).position) == json.loads(view.position) for world in worlds)
    ends = [ended(world) for world in worlds]
    exact = sum(end[seat] for end in ends) / len(ends)
    judge = judge_of(game)
    found = 0.0
    for first in range(0, 1280, 128):  # without a tree everybody goes by ratings
        two = np.concatenate([view.states, view.states])
        desk = np.zeros(1, search.Desk)
        shares, _ = judge.play_on(two, seat, -1, np.uint64(5), first, 128, np.zeros(1, search.Node), desk)
        found += sum(shares[seat]) / PARTS
    assert found / 1280 == pytest.approx(exact, abs=0.05)


def ended(game: Game) -> list[float]:
    """How a game ends if everybody plays what they like best at first sight, in plain Python."""
    liking = infila.player("take_that", "club")
    game = game.copy()
    while not game.over:
        game.play_action(liking.by_rating(game.view(game.player).states, game.player)[0].action)
    return [1 / len(game.winners) if seat in game.winners else 0.0 for seat in (0, 1)]


@pytest.mark.parametrize("name", GAMES)
def test_a_seat_is_judged_by_what_it_could_know(name: str) -> None:
    """On every redraw of what a seat could not know, what its moves are worth is the same to the byte."""
    game = infila.new(name, seed=11, **cases_of(name).short)
    club = infila.player(name, "club")
    judged = 0
    while not game.over and judged < 3:
        seat = game.player if game.player in game.acting() else min(game.acting())
        actions = game.view(seat).own_actions()
        if len(actions) > 1 and len(game.history) % 5 == 4:
            judged += 1
            worth = []
            for other in (game, game.redrawn(seat, 5), game.redrawn(seat, 6)):
                choice = Choice(_judge(other), other.view(seat).states, seat, actions[-1], actions[0])
                choice.consider(actions[:4])
                choice.grow(12)
                worth.append([(choice.lost_by(action), choice.estimates[action].worlds) for action in actions[:2]])
            assert worth[0] == worth[1] == worth[2]
        game.play(club.think(game.view(seat)).move)
    assert judged


def _judge(game: Game) -> Judge:
    options = game.contract.options.read(game.states[0])
    players = len(game.names)
    return Judge(game.contract, players, players // len({options.side(seat) for seat in range(players)}))


@pytest.mark.parametrize("name", GAMES)
def test_the_same_game_gives_the_same_review_and_the_parts_add_up(name: str) -> None:
    game = _short(name)
    reviewer = Reviewer(game, simulations=6, error=0.5)
    for _ in reviewer.work():
        pass
    first, second = review_of(reviewer), infila.review(game, simulations=6, error=0.5)
    assert asdict(first) == asdict(second)
    assert first.complete and first.moves == len(game.history)
    for seat in first.seats:
        sum_of_parts = seat.start.win + seat.luck + seat.gifts - seat.losses
        assert sum_of_parts + seat.rest == pytest.approx(seat.result)
        assert seat.rest == pytest.approx(sum(left_over(reviewer, seat.seat))), "all that was measured cancels but this"
        assert all(step.win <= 0 for step in seat.steps if step.kind == "loss") and seat.losses >= 0
        assert len(seat.curve) == first.moves + 1 == len(first.hindsight[seat.seat])
        assert seat.curve[-1].win == seat.result and (seat.result > 0) == (seat.seat in game.winners)
        assert all(decision.loss >= 0 and decision.seat == seat.seat for decision in seat.decisions)
        assert sum(seat.given_by.values()) == pytest.approx(seat.gifts)
    if len(first.seats) == 2 and not any(each.solved for each in reviewer._values.values()):
        assert first.seats[0].rest == pytest.approx(-first.seats[1].rest)
    starts = [
        Estimate(Judge(game.contract, len(game.names), 1, seed), reviewer.walk.states[0], 0, 0) for seed in (0, 1)
    ]
    for start in starts:
        start.grow(20)
    assert starts[0].worlds != starts[1].worlds, "another seed, other worlds"


def _short(name: str) -> Game:
    """A whole game, or the end of one that takes long."""
    game = infila.new(name, seed=4, **cases_of(name).short)
    players = [infila.player(name, "club", seed) for seed in range(len(game.names))]
    while not game.over:
        seat = game.player if game.player in game.acting() else min(game.acting())
        game.play(players[seat].think(game.view(seat)).move)
    if len(game.history) <= WHOLE:
        return game
    end = infila.load(game.before(WHOLE // 2).position)
    for move in game.history[-(WHOLE // 2) :]:
        end.play(move)
    return end


def test_a_planted_blunder_is_the_gravest() -> None:
    club = infila.player("sequence", "club")
    game = infila.new("sequence", players=2, seed=23)
    planted, seat = 0, 0
    while not game.over:
        view = game.view(game.player)
        move = club.think(view).move
        if len(game.history) >= 20 and not planted and len(view.moves) > 1:
            worst, loss = worst_move(game, game.player, 0.2)
            if loss > 0.2:
                move, planted, seat = worst, len(game.history) + 1, game.player
        game.play(move)
    assert planted
    found = infila.review(game, seat, simulations=100, error=0.03).seat(seat)
    assert found.gravest()[0].number == planted
    assert found.gravest()[0].grade == 3
    assert found.gravest()[0].reasons


def test_a_game_that_began_from_a_position_has_no_deal() -> None:
    game = late(2)
    again = infila.load(game.position)
    while not again.over:
        again.play(again.moves[0])
    mine = infila.review(again, 0, simulations=4).seat(0)
    assert all(step.number for step in mine.steps) and mine.start == mine.curve[0]


def test_a_game_that_was_not_finished_is_reviewed_as_far_as_it_went() -> None:
    game = late(30)
    found = infila.review(game, simulations=4)
    assert not found.over and len(found.seats[0].curve) == len(game.history) + 1


def test_what_cannot_be_reviewed_has_a_sentence() -> None:
    with pytest.raises(InfilaError, match="nothing has been played yet"):
        infila.review(infila.new("take_that", seed=1))
    with pytest.raises(InfilaError, match="seat cannot be 7"):
        infila.review(late(30), 7)
    with pytest.raises(InfilaError, match="simulations cannot be 0"):
        infila.review(late(30), simulations=0)
    with pytest.raises(InfilaError, match="not of a str"):
        infila.review("game.log")  # type: ignore[arg-type]


def test_seconds_end_a_review_with_what_is_known() -> None:
    found = infila.review(late(30), seconds=0.0)
    assert not found.complete and found.seats


def test_ctrl_c_gives_what_there_is(monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(progress: Any) -> None:
        if progress.passes:
            raise KeyboardInterrupt

    assert not infila.review(late(60), simulations=200, progress=stop).complete


def test_only_what_is_sure_is_marked() -> None:
    assert [grade(loss, 0.005) for loss in (0.01, 0.021, 0.051, 0.2)] == [0, 1, 2, 3]
    assert grade(0.2, 0.11) == 0


def test_who_loses_as_much_as_a_level_played_like_it() -> None:
    value = Value(0.5, 0.0, 0.01, 100)

    def made(number: int, own: float) -> Decision:
        played_move = Judged("x", 0, value, own, 0.01)
        ahead = {name: own - (0.08 - 0.02 * place) for place, name in enumerate(LEVELS)}
        return Decision(number, 0, played_move, played_move, (played_move,), own, 0.0, 0.01, (), {}, ahead)

    found = likeness([made(number, 0.04) for number in range(9)])
    assert found is not None and found.level == "club" and found.place == pytest.approx(2.0)
    between = likeness([made(number, 0.03) for number in range(9)])
    assert between is not None and between.place == pytest.approx(2.5) and between.low <= 2 and between.high >= 3
    assert likeness([replace(made(1, 0.1), ahead={})]) is None
    assert likeness([made(1, 0.5)]).level == "beginner"  # type: ignore[union-attr]
    assert likeness([made(1, -0.5)]).level == "master"  # type: ignore[union-attr]


def test_a_first_curve_is_there_after_the_first_pass() -> None:
    reviewer = Reviewer(late(60), simulations=200)
    for progress in reviewer.work():
        if progress.passes == 1:
            break
    found = review_of(reviewer)
    assert all(value.worlds >= 32 for value in found.seats[0].curve[:-1])
    assert found.seats[0].like is None and not found.complete


@pytest.fixture
def log(tmp_path: Path) -> Path:
    file = tmp_path / "game.log"
    file.write_text(_whole().log, encoding="utf-8")
    return file


def _whole() -> Game:
    game = late(4)
    while not game.over:
        game.play(game.moves[0])
    return game


FEW = ("--simulations", "4", "--error", "50")


def test_the_command_says_what_was_luck(log: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    plot = tmp_path / "game.svg"
    cli.main(["review", str(log), *FEW, "--plot", str(plot)])
    said = capsys.readouterr().out
    assert "with even luck" in said and "A point of chance" in said
    assert plot.read_text(encoding="utf-8").startswith("<?xml")
    cli.main(["review", str(log), *FEW, "--json", "--seat", "2", "--language", "it"])
    found = json.loads(capsys.readouterr().out)
    assert [seat["seat"] for seat in found["seats"]] == [2] and found["complete"]
    assert found["seats"][0]["decisions"][0]["moves"][0]["worlds"] == 4


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--seat", "3"], "--seat cannot be 3"),
        (["--simulations", "0"], "simulations cannot be 0"),
        (["--error", "0"], "--error is given in points of chance"),
        (["--seconds", "-1"], "--seconds has to be above 0"),
        (["--plot", "game.doc"], "a plot is written as .svg or .png"),
    ],
)
def test_bad_wishes_have_a_sentence(
    log: Path, arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        cli.main(["review", str(log), *arguments])
    assert ended.value.code == 2 and said in capsys.readouterr().err


def test_of_a_log_that_is_damaged_what_is_sound_is_reviewed(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = _whole().save().splitlines()
    lines[12] = "99"
    log.write_text("\n".join(lines), encoding="utf-8")
    with pytest.raises(SystemExit) as ended:
        cli.main(["review", str(log), *FEW])
    said = capsys.readouterr()
    assert ended.value.code == 2 and "line 13" in said.err and "with even luck" in said.out


def test_a_log_of_another_version_or_without_its_seed_is_refused(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    whole = log.read_text(encoding="utf-8")
    for text, said in (
        (whole.replace("rules: 1", "rules: 99"), "rules version '99' is not known here"),
        ("\n".join(whole.splitlines()[:12]), "this log has no seed"),
        ("nonsense", "this is not an infila log"),
    ):
        log.write_text(text + "\n", encoding="utf-8")
        with pytest.raises(SystemExit) as ended:
            cli.main(["review", str(log), *FEW])
        assert ended.value.code == 2 and said in capsys.readouterr().err


def test_hindsight_is_told_once_it_is_known_of_every_position() -> None:
    game = infila.new("take_that", players=2, seed=3)
    while len(game.history) < 6:
        game.play(game.moves[0])
    reviewer, told = Reviewer(game, simulations=8), []
    for _ in reviewer.work():
        known = [bool(each.worlds) for each in reviewer.hindsight]
        if any(known) and reviewer.passes:
            told.append((all(known), any(each != 0.5 for curve in review_of(reviewer).hindsight for each in curve)))
    assert (False, False) in told and (False, True) not in told and told[-1] == (True, True)
