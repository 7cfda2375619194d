"""Nothing leaks: whatever a viewer gets stays the same, byte for byte, when all that it cannot know is drawn anew."""

import json
import random
from collections import Counter
from typing import Any

import numpy as np
import pytest

import infila
from infila.core import driver
from tests.play import every_option_set, option_id, random_game

TEXTS = ("take", "draw", "stop", "pass", "34", "94x49", "7S@b2", "dead 7S", "5@h8", "42@7", "1: draw", "offence 1", "?")


def everything(game: infila.Game, seat: int | None, texts: tuple[str, ...]) -> str:
    """All that a viewer can get out of a game, as text."""
    view = game.view(seat)
    stages = [
        [stage.title, [[(item.points, item.text, item.rule) for item in items] for items in stage.seats]]
        for stage in view.explain()
    ]
    parts = [
        view.position(),
        view.moves,
        [view.parts(move) for move in view.moves],
        view.scores,
        view.player,
        view.over,
        stages,
        str(view),
        view.log,
        [view.why(text) for text in texts],
    ]
    return json.dumps(parts)


@pytest.mark.parametrize(
    ("name", "options"), every_option_set(), ids=lambda value: value if isinstance(value, str) else option_id(value)
)
def test_a_viewer_gets_the_same_bytes_after_a_redraw(name: str, options: dict[str, Any]) -> None:
    chance = random.Random(option_id(options))
    seats: list[int | None] = [None, *range(options["players"])]
    for game in random_game(name, chance.randrange(10**6), most=400, **options):
        if chance.random() > 0.04:
            continue
        for seat in chance.sample(seats, min(3, len(seats))):
            view = game.view(seat)
            texts = (*TEXTS, *chance.sample(game.moves, min(3, len(game.moves))))
            before = everything(game, seat, texts)
            for _ in range(2):
                other = game.redrawn(seat, chance.randrange(2**60))
                assert everything(other, seat, texts) == before
                assert other.view(seat).states.tobytes() == view.states.tobytes()
                assert game.over or other.moves, "after a redraw somebody can always move"


@pytest.mark.parametrize(
    ("name", "options"), every_option_set(), ids=lambda value: value if isinstance(value, str) else option_id(value)
)
def test_a_redrawn_game_can_be_played_to_its_end(name: str, options: dict[str, Any]) -> None:
    chance = random.Random(option_id(options))
    for moves, game in enumerate(random_game(name, chance.randrange(10**6), most=150, **options)):
        if moves % 30 or game.over:
            continue
        seat = chance.randrange(options["players"])
        other = game.redrawn(seat, chance.randrange(2**60))
        rules = other.contract.rules
        luck = np.array([chance.randrange(2**60)], np.uint64)
        driver.playout_at(other.states, 0, np.zeros(rules.MAX_LEGAL, np.int16), luck, driver.ENDLESS)
        assert other.over


@pytest.mark.parametrize(
    ("name", "options"), every_option_set(), ids=lambda value: value if isinstance(value, str) else option_id(value)
)
def test_the_seat_that_acts_sees_all_its_legal_moves_in_its_view(name: str, options: dict[str, Any]) -> None:
    for game in random_game(name, 5, most=120, **options):
        seen = [move for seat in range(options["players"]) for move in game.view(seat).moves]
        hosts = [move for move in game.moves if move.startswith("offence")]
        assert sorted(seen + hosts) == sorted(game.moves)


def hidden(full: Any, seen: Any) -> list[Any]:
    """What stands in a position where a view has a question mark."""
    if isinstance(full, dict):
        return [item for key in seen for item in hidden(full[key], seen[key])]
    if isinstance(full, list):
        return [item for one, other in zip(full, seen, strict=True) for item in hidden(one, other)]
    return [full] if seen != full and "?" in str(seen) else []


def within(value: Any) -> str:
    return str(value).strip("()")


PILES = {"zatre": "bag", "take_that": "pile", "completto": "covered", "sequence": "pile"}
LATE: dict[str, dict[str, Any]] = {
    "zatre": {"keeping": "free"},
    "take_that": {"players": 3, "expert": True},
    "completto": {"players": 4, "games": 1},
    "sequence": {"players": 4},
}


@pytest.mark.parametrize("name", PILES)
def test_redraws_vary_as_the_rules_say(name: str) -> None:
    """The next card of the pile is any that the viewer has not seen, as likely as it is frequent: chi-square."""
    tested = 0
    for game in random_game(name, 6, **LATE[name]):
        pile = game.position()[PILES[name]]
        if game.over or not 2 <= len(pile) <= 24 or any(count for count, _ in game.position().get("known", [])):
            continue
        seat = game.player
        unseen = Counter(within(card) for card in hidden(game.position(), game.view(seat).position()))
        draws = 60 * len(unseen)
        drawn = Counter(within(game.redrawn(seat, i).position()[PILES[name]][-1]) for i in range(draws))
        assert set(drawn) <= set(unseen)
        expected = {card: draws * count / unseen.total() for card, count in unseen.items()}
        chi_square = sum((drawn[card] - mean) ** 2 / mean for card, mean in expected.items())
        freedom = len(unseen) - 1
        assert chi_square < freedom + 4 * (2 * freedom) ** 0.5 + 4
        tested += 1
        if tested == 5:
            break
    assert tested


@pytest.mark.parametrize("name", ["zatre", "take_that", "sequence"])
def test_redraws_deal_every_hand_that_is_possible(name: str) -> None:
    """How often each unseen card comes into the next player's hand: what a fair deal gives, within five deviations."""
    for game in random_game(name, 3, most=30, **LATE[name]):
        position = game.position()
        other = (game.player + 1) % len(game.names)
        if (
            len(game.history) < 20
            or not position["hands"][other]
            or any(count for count, _ in position.get("known", []))
        ):
            continue
        seat = game.player
        unseen = Counter(within(card) for card in hidden(position, game.view(seat).position()))
        held = len(position["hands"][other])
        draws = 2000
        counts: Counter[str] = Counter()
        for i in range(draws):
            hand = game.redrawn(seat, i).position()["hands"][other]
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
