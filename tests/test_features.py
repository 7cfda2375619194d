"""Observations: made of the view alone, within their ranges, as the position says, and as symmetric as the game."""

import hashlib
import importlib.util
import os
import random
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import infila
from infila.core import chance, driver
from infila.core.features import named
from infila.core.games import contract_of
from infila.core.record import States
from tests.compare import OPTION_SETS
from tests.play import GAMES, position_in, random_game

ROOT = Path(__file__).parents[1]


def positions(name: str, options: dict[str, Any], every: int, most: int = 40) -> Iterator[States]:
    """States of a random game, the first and the last among them; the array's second record is free for use."""
    contract = contract_of(name)
    states = np.zeros(2, contract.rules.State)
    contract.options.make(options).write(states[0])
    driver.deal_at(states, 0, np.uint64(11), np.uint64(len(str(options))))
    luck = np.zeros(1, np.uint64)
    chance.seed_luck(luck, states[0])
    out = np.zeros(contract.rules.MAX_LEGAL, np.int16)
    yield states
    for _ in range(most - 2):
        if driver.playout_at(states, 0, out, luck, every):
            yield states
    driver.playout_at(states, 0, out, luck, driver.ENDLESS)
    yield states


def observed(states: States, i: int, viewer: int) -> Any:
    """An observation, written over other numbers: what is not written would be seen."""
    out = np.full(contract_of_state(states).features.SIZE, 99, np.int8)
    driver.observe_at(states, i, viewer, out)
    return out


def contract_of_state(states: States) -> Any:
    return next(contract_of(name) for name in GAMES if contract_of(name).rules.State == states.dtype)


@pytest.mark.parametrize("name", GAMES)
def test_an_observation_is_made_of_the_view_alone_and_within_its_ranges(name: str) -> None:
    features = contract_of(name).features.FEATURES
    least = np.concatenate([np.full(f.size, f.least) for f in features])
    most = np.concatenate([np.full(f.size, f.most) for f in features])
    for options in OPTION_SETS[name]:
        for number, states in enumerate(positions(name, options, every=13, most=24)):
            for viewer in range(number % 3, options["players"], 3):
                seen = observed(states, 0, viewer)
                assert (seen >= least).all() and (seen <= most).all()
                states[1] = states[0]
                driver.hide_at(states, 1, viewer)
                assert (observed(states, 1, viewer) == seen).all()
                driver.redraw_at(states, 1, viewer, np.uint64(number), np.uint64(1))
                assert (observed(states, 1, viewer) == seen).all()


def sample() -> str:
    """A digest of observations of all games."""
    digest = hashlib.sha256()
    for name in GAMES:
        for options in OPTION_SETS[name][:: 10 if name == "sequence" else 5]:
            for states in positions(name, options, every=9, most=5):
                digest.update(observed(states, 0, options["players"] - 1).tobytes())
    return digest.hexdigest()


@pytest.mark.slow
def test_plain_python_observes_the_same_and_warns_of_nothing() -> None:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", "from tests.test_features import sample; print(sample())"],
        cwd=ROOT,
        env=os.environ | {"NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == sample()


def seats_from(viewer: int, values: list[Any]) -> list[Any]:
    return values[viewer:] + values[:viewer]


def fields_of(game: infila.Game, seat: int) -> dict[str, list[Any]]:
    view = game.view(seat)
    return {name: part.tolist() for name, part in named(view.contract.features.FEATURES, view.observation()).items()}


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("zatre", {"players": 3}),
        ("take_that", {"players": 3, "expert": True}),
        ("completto", {"players": 3, "games": 2}),
        ("sequence", {"players": 6, "sides": 3, "draw": "manual"}),
    ],
)
def test_all_games_say_who_is_on_turn_and_by_how_much_others_lead(name: str, options: dict[str, Any]) -> None:
    for number, game in enumerate(random_game(name, 5, most=300, **options)):
        if number % 25 and not game.over:
            continue
        for seat in range(options["players"]):
            fields = fields_of(game, seat)
            view = game.view(seat)
            assert fields["seated"][: options["players"] + 1].count(1) == options["players"]
            assert (
                seats_from(seat, [int(k == game.player) for k in range(options["players"])])
                == (fields["on_turn"][: options["players"]])
            )
            assert fields["over"] == [int(game.over)]
            if name in ("zatre", "take_that", "completto"):
                leads = [score - view.scores[seat] for score in view.scores]
                assert fields["lead"][: options["players"]] == seats_from(seat, leads)


def test_take_that_shows_hand_row_and_minus_cards() -> None:
    deck = [n for n in range(12, 99) if n % 10]

    def cards(plane: list[int]) -> list[int]:
        return [card for card, there in zip(deck, plane, strict=True) if there]

    for number, game in enumerate(random_game("take_that", 8, most=120, players=3, expert=True)):
        if number % 10:
            continue
        position = position_in(game.view(1))
        fields = fields_of(game, 1)
        assert cards(fields["hand"]) == [int(card) for card in position["hands"][1]]
        row = [int(card) for card in position["row"]]
        assert cards(fields["row"]) == sorted(row)
        assert [fields["depth"][deck.index(card)] for card in row] == list(range(len(row), 0, -1))
        assert cards(fields["right"]) == row[-1:]
        assert cards(fields["minus"][2]) == [int(card) for card in position["minus"][0]]
        assert cards(fields["minus"][0]) == sorted(int(c) for c in (*position["minus"][1], *position["extra"][1]))
        assert cards(fields["plus"][1]) == [int(card) for card in position["plus"][2]]


def test_completto_shows_rows_and_what_fits_between() -> None:
    for number, game in enumerate(random_game("completto", 4, most=80, players=2, games=1)):
        if number % 8:
            continue
        position = position_in(game.view(0))
        fields = fields_of(game, 1)
        for steps, seat in ((0, 1), (1, 0)):
            row = position["rows"][seat]
            shown = [0 if tile == "(?)" else int(tile.split("/")[-1]) for tile in row]
            assert fields["shows"][steps][: len(row)] == shown
            assert fields["covered"][steps] == [int(tile == "(?)") for tile in row] + [0] * (22 - len(row))
            for place, tile in enumerate(shown):
                below = max([number for number in shown[:place] if number], default=0)
                above = min([number for number in shown[place + 1 :] if number], default=101)
                wanted = (tile, tile) if tile else (below + 1, above - 1)
                assert (fields["lowest"][steps][place], fields["highest"][steps][place]) == wanted
        assert [n + 1 for n, there in enumerate(fields["middle"]) if there] == [int(t) for t in position["open"]]


def test_sequence_shows_chips_from_the_viewers_side_and_its_cards() -> None:
    from infila.games.sequence.board import CARD_NAMES, PRINTED

    for number, game in enumerate(random_game("sequence", 8, most=200, players=3)):
        if number % 20:
            continue
        position = position_in(game.view(1))
        fields = fields_of(game, 1)
        cells = "".join(reversed(position["board"]))
        for steps, chip in enumerate("231"):
            assert fields["chips"][steps] == [int(cell in ("*", chip)) for cell in cells]
        hand = position["hands"][1]
        assert fields["hand"] == [hand.count(card) for card in CARD_NAMES[1:]]
        assert fields["held"] == [hand.count(card) for card in PRINTED]


def test_zatre_shows_the_board_what_fits_and_the_sheets() -> None:
    from infila.games.zatre.board import has
    from infila.games.zatre.state import VALUES

    for number, game in enumerate(random_game("zatre", 8, most=200, players=4, teams=True)):
        if number % 20:
            continue
        fields = fields_of(game, 1)
        state = game.states[0]
        for row in range(15):
            for column in range(15):
                place = 16 * row + column
                fitting = [value for value in range(1, VALUES + 1) if has(state.fits[value - 1], place)]
                assert fields["room"][row][column] == max(fitting, default=0)
                assert fields["tiles"][row][column] == state.board[place]
        assert fields["hand"] == state.hand[1].tolist()
        assert fields["partner"] == state.hand[0].tolist()
        assert sum(fields["unseen"]) == int(state.n_bag) + int(state.n_hand[2]) + int(state.n_hand[3])
        before = game.scores
        if not game.over and fields["next_rows"][0][0]:
            state.crosses[0] += 1
            assert game.scores[0] - before[0] == fields["next_rows"][0][0]
            state.crosses[0] -= 1


def test_every_symmetry_is_a_permutation_and_the_first_changes_nothing() -> None:
    for name in GAMES:
        contract = contract_of(name)
        for number, symmetry in enumerate(contract.features.SYMMETRIES):
            assert sorted(symmetry.features) == list(range(contract.features.SIZE))
            assert sorted(symmetry.actions) == list(range(contract.rules.ACTIONS))
            same = (symmetry.features == np.arange(contract.features.SIZE)).all()
            assert same == (number == 0)


def turned_zatre(states: States, symmetry: Any) -> None:
    """The board of the second record turned as the symmetry's actions turn a tile."""
    from infila.games.zatre.board import clear, fit, put

    board = states[1].board.copy()
    sets = {name: states[1][name].copy() for name in ("laid", "owing")}
    for name in ("board", "fits", "laid", "owing"):
        states[1][name][:] = 0
    empty = states[1:]
    clear(empty[0])
    for cell in range(225):
        old = cell + cell // 15
        new = symmetry.actions[cell]
        place = new + new // 15
        for name, words in sets.items():
            if int(words[old >> 6]) >> (old & 63) & 1:
                empty[0][name][place >> 6] |= np.int64(1 << (int(place) & 63))
        if board[old]:
            put(empty[0], place, int(board[old]))
            fit(empty[0], place)


def turned_take_that(states: States, symmetry: Any) -> None:
    def other(cards: Any) -> Any:
        return np.where(cards > 0, 110 - cards, 0)

    s = states[1]
    for name in ("pile", "row", "extra"):
        s[name][:] = other(s[name])
    for seat in range(4):
        n = s.n_hand[seat]
        s.hand[seat, :n] = sorted(110 - s.hand[seat, :n])
    s.lies[12:] = s.lies[12:][::-1].copy()


def turned_sequence(states: States, symmetry: Any) -> None:
    from infila.games.sequence.rules import DISCARD
    from infila.games.sequence.state import SEATS

    cards = np.concatenate([[0], symmetry.actions[DISCARD : DISCARD + 52] - DISCARD + 1])
    s = states[1]
    for name in ("pile", "discards", "cut"):
        s[name][:] = cards[s[name]]
    for seat in range(SEATS):
        n = s.n_hand[seat]
        s.hand[seat, :n] = sorted(cards[s.hand[seat, :n]])


TURNED: dict[str, Callable[[States, Any], None]] = {
    "zatre": turned_zatre,
    "take_that": turned_take_that,
    "sequence": turned_sequence,
}


@pytest.mark.parametrize("name", TURNED)
def test_a_symmetry_maps_positions_to_positions_and_moves_to_moves(name: str) -> None:
    """The mapped action in the mapped state leads to the mapped state, as every viewer sees it."""
    chance = random.Random(3)
    contract = contract_of(name)
    out = np.zeros(contract.rules.MAX_LEGAL, np.int16)
    for options in OPTION_SETS[name][:: {"zatre": 3, "take_that": 5, "sequence": 11}[name]]:
        for states in positions(name, options, every=7, most=8):
            if name == "sequence" and states[0].n_pile == 0:
                continue  # the discards are shuffled: chance is not symmetric
            symmetry = chance.choice(contract.features.SYMMETRIES[1:])
            viewer = chance.randrange(options["players"])
            before = states[0].copy()
            states[1] = states[0]
            TURNED[name](states, symmetry)
            legal = out[: driver.legal_at(states, 0, out)].tolist()
            mapped = out[: driver.legal_at(states, 1, out)].tolist()
            assert sorted(symmetry.actions[action] for action in legal) == sorted(mapped)
            assert (observed(states, 1, viewer) == observed(states, 0, viewer)[symmetry.features]).all()
            if not legal:
                continue
            action = chance.choice(legal)
            driver.play_at(states, 1, int(symmetry.actions[action]))
            driver.play_at(states, 0, action)
            if name != "take_that" or states[0].round_now == before.round_now:  # another deal is not symmetric
                assert (observed(states, 1, viewer) == observed(states, 0, viewer)[symmetry.features]).all()
            states[0] = before


def test_the_tables_of_the_documentation_are_those_of_the_games() -> None:
    found = importlib.util.spec_from_file_location("observations", ROOT / "docs" / "reference" / "observations.py")
    assert found is not None and found.loader is not None
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    assert module.FILE.read_text(encoding="utf-8") == module.text(), "run python docs/reference/observations.py"


def test_a_spectator_has_no_observation() -> None:
    with pytest.raises(infila.InfilaError, match="a spectator has none"):
        infila.new("take_that", seed=1).view().observation()
