"""Nothing leaks: whatever a viewer gets stays the same, byte for byte, when all they cannot know is drawn anew."""

from collections import Counter
from typing import Any

import pytest

import infila
from infila.conformance import secrecy
from infila.core.games import NAMES
from tests.cases import cases_of
from tests.play import every_option_set, on_trial, option_id, position_in, random_game

pytestmark = pytest.mark.slow

EVERY_OPTION_SET = pytest.mark.parametrize(
    ("name", "options"), every_option_set(), ids=lambda value: value if isinstance(value, str) else option_id(value)
)


@EVERY_OPTION_SET
def test_a_viewer_gets_the_same_bytes_after_a_redraw(name: str, options: dict[str, Any]) -> None:
    secrecy.viewers_get_the_same_bytes(on_trial(name, options, seed=7))


@EVERY_OPTION_SET
def test_a_redrawn_game_can_be_played_to_its_end(name: str, options: dict[str, Any]) -> None:
    secrecy.redrawn_games_go_on(on_trial(name, options, seed=11, most=150))


@EVERY_OPTION_SET
def test_the_seat_that_acts_sees_all_its_legal_moves_in_its_view(name: str, options: dict[str, Any]) -> None:
    secrecy.seats_see_their_moves(on_trial(name, options, seed=5, often=1, most=120))


def hidden(full: Any, seen: Any) -> list[Any]:
    """What stands in a position where a view has a question mark."""
    if isinstance(full, dict):
        return [item for key in seen for item in hidden(full[key], seen[key])]
    if isinstance(full, list):
        return [item for one, other in zip(full, seen, strict=True) for item in hidden(one, other)]
    return [full] if seen != full and "?" in str(seen) else []


def within(value: Any) -> str:
    return str(value).strip("()")


@pytest.mark.parametrize("name", NAMES)
def test_redraws_vary_as_the_rules_say(name: str) -> None:
    """The next card of the pile is any that the viewer has not seen, as likely as it is frequent: chi-square."""
    tested, where = 0, cases_of(name).pile
    for game in random_game(name, 6, **cases_of(name).late):
        pile = position_in(game)[where]
        if game.over or not 2 <= len(pile) <= 24 or any(count for count, _ in position_in(game).get("known", [])):
            continue
        seat = game.player
        unseen = Counter(within(card) for card in hidden(position_in(game), position_in(game.view(seat))))
        draws = 60 * len(unseen)
        drawn = Counter(within(position_in(game.redrawn(seat, i))[where][-1]) for i in range(draws))
        assert set(drawn) <= set(unseen)
        expected = {card: draws * count / unseen.total() for card, count in unseen.items()}
        chi_square = sum((drawn[card] - mean) ** 2 / mean for card, mean in expected.items())
        freedom = len(unseen) - 1
        assert chi_square < freedom + 4 * (2 * freedom) ** 0.5 + 4
        tested += 1
        if tested == 5:
            break
    assert tested


@pytest.mark.parametrize("name", [name for name in NAMES if cases_of(name).hands])
def test_redraws_deal_every_hand_that_is_possible(name: str) -> None:
    """How often each unseen card comes into the next player's hand: what a fair deal gives, within five deviations."""
    for game in random_game(name, 3, most=30, **cases_of(name).late):
        position = position_in(game)
        other = (game.player + 1) % len(game.names)
        if (
            len(game.history) < 20
            or not position["hands"][other]
            or any(count for count, _ in position.get("known", []))
        ):
            continue
        seat = game.player
        unseen = Counter(within(card) for card in hidden(position, position_in(game.view(seat))))
        held = len(position["hands"][other])
        draws = 2000
        counts: Counter[str] = Counter()
        for i in range(draws):
            hand = position_in(game.redrawn(seat, i))["hands"][other]
            assert len(hand) == held
            counts.update(within(card) for card in hand)
        for card, count in unseen.items():
            mean = draws * held * count / unseen.total()
            assert abs(counts[card] - mean) < 5 * mean**0.5 + 1
        return
    pytest.fail("no position was tested")


def test_a_view_and_its_log_do_not_hold_the_seed_before_the_end() -> None:
    game = infila.new("take_that", seed="a very secret seed")
    assert "secret" not in game.view(0).log
    assert "secret" not in game.log
    assert "secret" in game.save()
    *_, finished = random_game("take_that", 9)
    assert finished.log.endswith("seed: 9\n")
