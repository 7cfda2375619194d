"""The luck of the draw: it is 0 on average whatever a position is thought to be worth, and changes no game."""

import json
from collections.abc import Callable
from fractions import Fraction
from itertools import permutations
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import numpy as np
import pytest

import infila
from infila.arena import contest, luck
from infila.arena.luck import Luck, draws_of
from infila.arena.match import play_game
from infila.arena.results import GameLine, Results
from infila.arena.show import facts, tables
from infila.core import driver
from infila.core.contract import SPECTATOR
from infila.core.games import contract_of
from infila.core.notation import POINTS
from infila.players import search

GAMES = infila.games()


def worth(*position: object) -> Fraction:
    """What somebody with strange ideas thinks of a position."""
    return Fraction(hash(position) % 97, 97)


def tiny_game(order: tuple[int, ...], may_come: Callable[..., list[tuple[int, ...]]]) -> Fraction:
    """The luck in a game with five cards: one is dealt to each of two, and either may throw theirs away for another.

    Somebody keeps a high card; so what is kept says something about what is held."""
    first, second, *rest = order
    pile = tuple(rest)
    hands = [first, second]
    total = Fraction(0)
    for seat in (0, 1):
        if hands[seat] < 3:
            others = [worth(seat, *world) for world in may_come(seat, tuple(hands), pile)]
            hands[seat], pile = pile[-1], pile[:-1]
            total += worth(seat, *hands) - sum(others, Fraction(0)) / len(others)
    return total


def true_state(seat: int, hands: tuple[int, ...], pile: tuple[int, ...]) -> list[tuple[int, ...]]:
    """What may come if only the order of the pile is unknown."""
    return [(card, hands[1]) if seat == 0 else (hands[0], card) for card in pile]


def what_a_seat_knows(seat: int, hands: tuple[int, ...], pile: tuple[int, ...]) -> list[tuple[int, ...]]:
    """What may come if the other hand is drawn anew as well, as if nothing could be learned from what others do."""
    worlds = permutations((hands[1 - seat], *pile), 2)
    return [(card, other) if seat == 0 else (other, card) for other, card in worlds]


def test_luck_is_nothing_on_average_in_a_game_of_which_all_is_known() -> None:
    orders = list(permutations(range(1, 6)))
    assert sum(tiny_game(order, true_state) for order in orders) == 0
    assert any(tiny_game(order, true_state) for order in orders)
    # what one seat knows is not enough: the other hand is not just any
    assert sum(tiny_game(order, what_a_seat_knows) for order in orders) != 0


def some_states(game: str, **options: object) -> list[Any]:
    """Positions of a game at random."""
    contract = contract_of(game)
    states = np.zeros(1, contract.rules.State)
    contract.options.make(options).write(states[0])
    driver.deal_at(states, 0, np.uint64(5), np.uint64(1))
    out, chance = np.zeros(contract.rules.MAX_LEGAL, np.int16), np.array([1], np.uint64)
    points = np.zeros(POINTS, np.int64)
    found = []
    while not driver.status_at(states, 0, points)[1]:
        found.append(states.copy())
        driver.play_at(states, 0, search.random_at(states, search.decider_at(states, out), chance, out))
    return found[:: max(1, len(found) // 12)]


@pytest.mark.parametrize("game", GAMES)
def test_only_what_nobody_has_seen_is_drawn_anew(game: str) -> None:
    contract, draws = contract_of(game), draws_of(game)
    players = 4
    options = contract.options.make({"players": players})
    for states in some_states(game, players=players):
        seen = []
        for viewer in (SPECTATOR, *range(players)):
            hidden = states.copy()
            driver.hide_at(hidden, 0, viewer)
            seen.append(hidden.tobytes())
        assert draws.secrets or len(set(seen)) == 1
        others = Luck(contract, options, players, (1,)).redrawn(states)
        n = int(states[draws.left][0])
        for i in range(len(others)):
            for viewer in (SPECTATOR, *range(players)):
                hidden = others[i : i + 1].copy()
                driver.hide_at(hidden, 0, viewer)
                assert hidden.tobytes() == seen[viewer + 1]
        if draws.secrets:
            assert (np.sort(others[draws.pile][:, :n]) == np.sort(states[draws.pile][0, :n])).all()
            for name in set(states.dtype.names) - {draws.pile, "key", "counter"}:
                assert (others[name] == states[name]).all()
            if n:
                kinds, times = np.unique(others[draws.pile][: len(others) // n * n, n - 1], return_counts=True)
                expected = np.unique(states[draws.pile][0, :n], return_counts=True)
                assert kinds.tolist() == expected[0].tolist()
                assert times.tolist() == (expected[1] * (len(others) // n)).tolist()


def quicker(monkeypatch: pytest.MonkeyPatch, game: str) -> None:
    """Luck is measured less well: its mean must be 0 in any case."""
    less = msgspec.structs.replace(draws_of(game), worlds=4, horizons=draws_of(game).horizons[:2])
    monkeypatch.setattr(luck, "draws_of", lambda _: less)


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_luck_is_nothing_on_average_and_says_who_wins(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """And no game is another one because of it."""
    quicker(monkeypatch, game)
    contract = contract_of(game)
    options = contract.options.make({"players": 2})
    seats = [infila.player(game, "club"), infila.player(game, "beginner")]
    lucks, won = [], []
    for deal in range(80):
        lucky = Luck(contract, options, 2, (deal,))
        result = play_game(contract, options, 3, deal, seats, lucky)
        if deal < 5:
            assert play_game(contract, options, 3, deal, seats).scores == result.scores
        assert result.luck and sum(result.luck) == pytest.approx(0, abs=1e-5)
        lucks.append(result.luck[0])
        won.append(result.scores[0] - result.scores[1])
    assert abs(np.mean(lucks)) < 3.5 * np.std(lucks) / np.sqrt(len(lucks))
    assert np.corrcoef(lucks, won)[0, 1] > 0.15


def deals(count: int, seed: int) -> Results:
    """Games of two players of whom the first wins six of ten; most of that is luck, and it is known."""
    chance = np.random.Generator(np.random.PCG64(seed))
    results = Results(("a", "b"), (0, 1), adjusted=True)
    for deal in range(count):
        lines = []
        for seats in ((0, 1), (1, 0)):
            first = float(chance.random() < 0.6)
            luck = 0.9 * (first - 0.6)
            by_seat = (luck, -luck) if seats[0] == 0 else (-luck, luck)
            scores = (1, 0) if bool(first) == (seats[0] == 0) else (0, 1)
            lines.append(GameLine(deal, seats, scores, (1, 1), (0.1, 0.1), 10, 8, by_seat))
        results.add_deal(lines)
    return results


def test_without_luck_the_interval_is_narrower_and_the_mean_the_same() -> None:
    results = deals(60, 1)
    plain, adjusted = results.share(0, 1, plain=True), results.share(0, 1)
    assert plain.low < 0.6 < plain.high and adjusted.low < 0.6 < adjusted.high
    assert adjusted.high - adjusted.low < 0.3 * (plain.high - plain.low)
    assert adjusted.decided and results.decided and not plain.decided
    assert results.share(1, 0).mean == pytest.approx(1 - adjusted.mean)
    plain_mean = np.mean([deals(20, seed).share(0, 1, plain=True).mean for seed in range(100)])
    adjusted_mean = np.mean([deals(20, seed).share(0, 1).mean for seed in range(100)])
    assert plain_mean == pytest.approx(0.6, abs=0.02) and adjusted_mean == pytest.approx(0.6, abs=0.005)


def test_both_are_shown() -> None:
    results = deals(40, 1)
    (duel,) = facts(results, interrupted=False)["duels"]
    assert duel["mean"] == results.share(0, 1, plain=True).mean
    assert duel["adjusted"]["mean"] == results.share(0, 1).mean
    headings = [str(column.header) for column in tables(results)[1].columns]
    assert headings == ["duel", "adjusted", "95 %", "plain", "95 %", "deals", ""]
    best = results.standings()[0]
    assert best.player == "a" and best.low is not None and best.high is not None
    assert best.low < best.rating < best.high
    wider = Results(("c", "b", "a"), (0, 1), adjusted=True)
    wider.add_others(results)
    assert wider.share(2, 1) == results.share(0, 1)


def plan(adjusted: bool) -> contest.Contest:
    options = contract_of("take_that").options.make({"rounds": 1}).to_dict()
    return contest.Contest("take_that", ("club", "casual"), options, 7, adjusted)


def last(plan: contest.Contest, deals: int, file: Path | None, processes: int) -> Results:
    return [*contest.run(plan, deals, least=deals, file=file, processes=processes)][-1]


@pytest.mark.slow
def test_a_contest_is_the_same_adjusted_or_not_in_any_number_of_processes_and_in_parts(tmp_path: Path) -> None:
    contest.warm_up(plan(True))
    plain, whole, parts = (tmp_path / name for name in ("plain", "whole", "parts"))
    last(plan(False), 3, plain, 2)
    results = last(plan(True), 3, whole, 2)
    before = [json.loads(line) for line in plain.read_text().splitlines()]
    after = [json.loads(line) for line in whole.read_text().splitlines()]
    assert after[0].pop("adjusted") == msgspec.to_builtins(draws_of("take_that"))
    lucks = [line.pop("luck") for line in after[1:]]
    for line in (*before[1:], *after[1:]):
        del line["seconds"]
    assert before == after
    assert all(any(each) for each in lucks)
    parts.write_text("".join(whole.read_text().splitlines(keepends=True)[:3]) + '{"deal": 1, "se')
    again = last(plan(True), 3, parts, 1)
    assert again.share(0, 1) == results.share(0, 1)
    for file, adjusted in ((whole, False), (plain, True)):
        with pytest.raises(infila.InfilaError, match="to another contest"):
            contest.run(plan(adjusted), 3, least=3, file=file, processes=1)


def test_a_plain_contest_is_noted_as_before() -> None:
    assert list(contest._header(plan(False))) == ["arena", "infila", "game", "contestants", "options", "seed"]
    line = GameLine(0, (0, 1), (3, 4), (9, 8), (0.1, 0.0), 20, 17)
    assert list(contest._entry(line)) == ["deal", "seats", "scores", "decisions", "seconds", "moves", "turns"]
    noted = contest._entry(GameLine(0, (0, 1), (3, 4), (9, 8), (0.1, 0.0), 20, 17, (0.25, -0.25)))
    line_ups = plan(True).line_ups()
    as_read = json.loads(json.dumps(noted))
    assert contest._line(as_read, line_ups, adjusted=True) is not None
    assert contest._line(as_read, line_ups, adjusted=False) is None


def test_a_game_that_does_not_say_how_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    bare = SimpleNamespace(title="Chess", file=lambda name: tmp_path / name)
    monkeypatch.setattr(luck, "contract_of", lambda _: bare)
    with pytest.raises(infila.InfilaError, match=r"Chess does not say how .*: it has no luck\.json\."):
        draws_of("chess")
