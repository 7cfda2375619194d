"""Batches: the very games that a single `Game` plays, on threads and on a GPU, and no wrong use unnoticed."""

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import infila
from infila.batch import Batch
from infila.batch.batch_cpu import CHUNK
from infila.batch.simulate import simulate
from infila.core import driver
from infila.core.errors import IllegalMove, InfilaError, NoDevice
from infila.core.games import contract_of
from tests.cases import cases_of
from tests.play import GAMES

ROOT = Path(__file__).parents[2]

VARIANTS = {name: cases_of(name).batch for name in GAMES}


def dealt(name: str, seed: int, number: int) -> Any:
    """Game `number` of a seed, as it is dealt."""
    states = np.zeros(1, contract_of(name).rules.State)
    contract_of(name).options.make(VARIANTS[name]).write(states[0])
    driver.deal_at(states, 0, np.uint64(seed), np.uint64(number))
    return states


def chosen(batch: Batch, step: int) -> Any:
    """For every game one of its actions, now these and now those; none that lead nowhere."""
    actions, counts = batch.legal()
    places = (7 * step + np.arange(batch.n)) % (np.minimum(counts, 3) if cases_of(batch.game).aimless else counts)
    return actions[np.arange(batch.n), places]


@pytest.mark.parametrize("name", GAMES)
def test_a_batch_plays_the_games_that_a_single_game_plays(name: str) -> None:
    batch = Batch(name, 3, seed=9, **VARIANTS[name])
    games = [infila.new(name, seed=0, **VARIANTS[name]) for _ in range(batch.n)]
    number = np.arange(batch.n)
    for i, game in enumerate(games):
        game.states[0] = dealt(name, 9, i)[0]
    for step in range(250):
        seats = batch.movers.tolist()
        lists, counts = batch.legal()
        mask = batch.mask()
        observations = batch.observe()
        for i, game in enumerate(games):
            assert batch.states[i].tobytes() == game.states[0].tobytes()
            if step % 9 == 0:
                view = game.view(seats[i])
                assert game.player == seats[i] or not game.view(game.player).own_actions()
                assert lists[i, : counts[i]].tolist() == view.own_actions()
                assert (lists[i, counts[i] :] == -1).all()
                assert np.flatnonzero(mask[i]).tolist() == sorted(view.own_actions())
                assert (observations[i] == view.observation()).all()
        actions = chosen(batch, step)
        batch.step(actions)
        for i, game in enumerate(games):
            game.play_action(int(actions[i]))
            assert bool(batch.dones[i]) == game.over
            if game.over:
                assert batch.scores[i].tolist() == game.scores
                won = [reward > 0 for reward in batch.rewards[i]]
                assert [seat for seat, better in enumerate(won) if better] == game.winners or not any(won)
                assert abs(batch.rewards[i].sum()) < 1e-6
                number[i] += batch.n
                games[i] = infila.new(name, seed=0, **VARIANTS[name])
                games[i].states[0] = dealt(name, 9, int(number[i]))[0]
            else:
                assert not batch.scores[i].any() and not batch.rewards[i].any()
    assert (number >= batch.n).any(), "some games have been dealt anew"


def digest(device: str, name: str, n: int = 3, steps: int = 5, threads: int | None = None) -> str:
    """Everything that a batch gives, as one SHA-256."""
    batch = Batch(name, n, device=device, seed=5, threads=threads, **VARIANTS[name])
    host = batch._on.host
    told = hashlib.sha256()
    for step in range(steps):
        lists, counts = map(host, batch.legal())
        arrays = [lists, counts, *map(host, (batch.dones, batch.mask(), batch.movers, batch.rewards, batch.scores))]
        arrays += [host(batch.observe(seats=seats)) for seats in (None, 1)]
        for array in arrays:
            told.update(np.ascontiguousarray(array).tobytes())
        actions = lists[np.arange(n), step % counts]
        batch.step(batch._on.cuda.to_device(actions) if device == "gpu" else actions)
    told.update(batch.digest().encode())
    return told.hexdigest()


def playouts(device: str, name: str) -> str:
    """What playouts give, at random and by a policy."""
    batch = Batch(name, 2, device=device, seed=3, **VARIANTS[name])
    table = np.random.default_rng(1).integers(-50, 50, (batch.features + 1, batch.actions), np.int16)
    policy = batch._on.cuda.to_device(table) if device == "gpu" else table
    told = hashlib.sha256()
    for array in (*batch.playouts(2), *batch.playouts(first=7), *batch.playouts(policy=policy, noise=90)):
        told.update(batch._on.host(array).tobytes())
    return told.hexdigest()


def simulated() -> dict[str, Any]:
    """What a GPU gives: run by CUDA's simulator, in a process of its own."""
    found: dict[str, Any] = {name: digest("gpu", name) for name in GAMES}
    found["playouts"] = playouts("gpu", "take_that")
    batch = Batch("take_that", 3, device="gpu")
    before = batch.digest()
    wrong = batch._on.cuda.to_device(np.full(3, 5000))
    try:
        batch.step(wrong)
    except IllegalMove as problem:
        found["now"] = str(problem)
    batch.step(wrong, wait=False)
    batch.step(batch._on.cuda.to_device(batch._on.host(batch.legal()[0])[:, 0].copy()), wait=False)
    try:
        batch.observe(seats=batch._on.cuda.to_device(np.array([0, 2, 0])))
    except InfilaError as problem:
        found["no_seat"] = str(problem)
    found["stands"] = batch.digest() == before
    try:
        batch.check()
    except IllegalMove as problem:
        found["later"] = str(problem)
    batch.step(batch._on.cuda.to_device(batch._on.host(batch.legal()[0])[:, 0].copy()))
    found["goes_on"] = batch.digest() != before
    actions = batch._on.cuda.to_device(batch._on.host(batch.legal()[0])[:, 0].copy())
    batch.step(actions)
    try:
        batch.step(actions)
    except IllegalMove:
        found["no_longer"] = True
    for what, use in (("host", lambda: batch.step(np.zeros(3, np.int64))), ("seats", lambda: batch.observe(seats=2))):
        try:
            use()
        except InfilaError as problem:
            found[what] = str(problem)
    return found


@pytest.mark.slow
def test_cudas_simulator_gives_the_same_bytes_and_notices_what_is_wrong() -> None:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", "from tests.batch.test_batch import *; print(json.dumps(simulated()))"],
        cwd=ROOT,
        env=os.environ | {"NUMBA_ENABLE_CUDASIM": "1", "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    for name in GAMES:
        assert found[name] == digest("cpu", name)
    assert found["playouts"] == playouts("cpu", "take_that")
    assert "in game 0 action 5000 is not legal" in found["now"]
    assert "in game 0 the action is not legal" in found["later"]
    assert "game 1 has no such seat" in found["no_seat"]
    assert found["stands"] and found["goes_on"] and found["no_longer"]
    assert "must lie on the GPU" in found["host"]
    assert "seats cannot be 2" in found["seats"]


PLAIN = "from tests.batch.test_batch import *; print(digest('cpu', 'take_that'), digest('cpu', 'sequence'))"


@pytest.mark.slow
def test_plain_python_steps_the_same_and_warns_of_nothing() -> None:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", PLAIN],
        cwd=ROOT,
        env=os.environ | {"NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == [digest("cpu", "take_that"), digest("cpu", "sequence")]


def test_threads_do_not_matter() -> None:
    n = 2 * CHUNK + 100
    assert digest("cpu", "take_that", n, 3, threads=3) == digest("cpu", "take_that", n, 3, threads=1)


def test_reset_begins_again_and_another_seed_deals_other_games() -> None:
    batch = Batch("take_that", 10, seed=4)
    first = batch.digest()
    batch.step(batch.legal()[0][:, 0])
    assert batch.digest() != first
    batch.reset()
    assert batch.digest() == first == Batch("take_that", 10, seed=4).digest()
    batch.reset(seed=5)
    assert batch.digest() == Batch("take_that", 10, seed=5).digest() != first


def test_random_playouts_from_the_deal_are_the_games_of_simulate() -> None:
    batch = Batch("take_that", 200, seed=6, players=3)
    before = batch.digest()
    rewards, moves = batch.playouts()
    tally = simulate("take_that", 200, {"players": 3}, seed=6, report=True)
    assert moves.sum() == tally.moves
    # a reward is 3 × the share of the win - 1
    assert ((rewards + 1) / 3).sum(axis=0).tolist() == pytest.approx(tally.wins, abs=1e-4)
    assert batch.digest() == before
    assert (batch.playouts(first=1)[1] != moves).any()


def test_a_policy_plays_what_it_prefers() -> None:
    """A table of the last row only: preferences whatever happens. Against it the same games, played one by one."""
    batch = Batch("take_that", 4, seed=6)
    table = np.zeros((batch.features + 1, batch.actions), np.int16)
    table[-1] = np.random.default_rng(2).integers(-1000, 1000, batch.actions)
    rewards, moves = batch.playouts(policy=table)
    ended = np.zeros(4, bool)
    for step in range(1, 1000):
        actions, counts = batch.legal()
        best = [int(row[:n][np.argmax(table[-1][row[:n]])]) for row, n in zip(actions, counts, strict=True)]
        batch.step(np.array(best))
        for i in np.flatnonzero(batch.dones):
            if not ended[i]:
                assert moves[i] == step and (rewards[i] == batch.rewards[i]).all()
        ended |= batch.dones.astype(bool)
        if ended.all():
            return
    pytest.fail("the games do not end")


def test_a_policy_on_features_prefers_by_what_it_sees() -> None:
    """Take That, T4: to place the card of the hand that is nearest to the right end, weighed by that card's feature."""
    from infila.games.take_that.features import FEATURES, NUMBER

    batch = Batch("take_that", 300, seed=6)
    table = np.zeros((batch.features + 1, batch.actions), np.int16)
    right = next(feature for feature in FEATURES if feature.name == "right")
    for i, end in enumerate(NUMBER):
        for card in NUMBER:
            table[right.offset + i, card] = 200 - abs(card - end)
    both = np.stack([table, np.zeros_like(table)])
    near, _ = batch.playouts(policy=both, noise=1)
    assert near[:, 0].mean() > 0.2, "placing whenever possible is better than placing at random"


def test_noise_makes_the_choice_that_of_a_softmax() -> None:
    """What is preferred by twice the noise is chosen e² times as often."""
    from infila.batch.playouts import GUMBEL, preferred

    table = np.zeros((2, 3), np.int16)
    table[1] = (0, 20, 0)
    luck = np.array([1], np.uint64)
    features, nonzero = np.zeros(1, np.int8), np.zeros(1, np.int16)
    out = np.arange(3, dtype=np.int16)
    counts = np.zeros(3)
    for _ in range(4000):
        counts[preferred(table, features, nonzero, 0, out, 3, luck, 10)] += 1
    assert abs(GUMBEL.mean() / 1024 - 0.5772) < 0.01
    assert counts[1] / counts.sum() == pytest.approx(np.exp(2) / (np.exp(2) + 2), abs=0.03)


@pytest.mark.parametrize("ask", [lambda b: b.legal(), lambda b: b.mask(), lambda b: None])
def test_only_what_is_legal_now_is_played(ask: Any) -> None:
    """Neither what was legal a step ago nor what somebody writes into a buffer."""
    batch = Batch("take_that", 5)
    actions = batch.legal()[0][:, 0].copy()
    batch.step(actions)
    ask(batch)
    for buffers in batch._lent.values():
        for buffer in buffers:
            buffer[:] = 1
    with pytest.raises(IllegalMove, match="in game 0"):
        batch.step(actions)
    batch.step(batch.legal()[0][:, 0])


def test_buffers_of_the_caller_are_written_into() -> None:
    batch = Batch("take_that", 5)
    mask = np.full((5, batch.actions), 7, np.uint8)
    rows = np.full((5, batch.features), 7, np.int8)
    lists, counts = np.full((5, batch.most_legal), 7, np.int16), np.zeros(5, np.int32)
    assert batch.mask(mask) is mask and (mask == batch.mask()).all()
    assert batch.observe(rows) is rows and (rows == batch.observe()).all()
    assert batch.legal(lists, counts)[0] is lists and (lists == batch.legal()[0]).all()
    seats = (batch.movers + 1) % 2
    assert (batch.observe(seats=seats) != rows).any()


@pytest.mark.parametrize(
    ("use", "sentence"),
    [
        (lambda b: b.step(np.zeros(4, np.int64)), r"actions must be whole numbers of shape \(5,\), not int64 of shape"),
        (lambda b: b.step(np.zeros(5)), "not float64"),
        (lambda b: b.step("take"), "actions must be"),
        (lambda b: b.step(np.array([-1, 0, 0, 0, 0])), "in game 0 action -1 is not legal, so no game has moved"),
        (lambda b: b.step(b.legal()[0][:, 0] + 199 * (np.arange(5) == 3)), "in game 3 action [0-9]+ is not legal"),
        (lambda b: b.step(b.legal()[0][:, 0] + 100000 * (np.arange(5) == 4)), "in game 4 action 1[0-9]+ is not legal"),
        (lambda b: b.mask(np.zeros((5, 199), bool)), r"buffer for mask must be uint8 of shape \(5, 199\), not bool"),
        (lambda b: b.mask(np.zeros((199, 5), np.uint8).T), "contiguous"),
        (lambda b: b.observe([[0]]), "shares its memory"),
        (lambda b: b.observe(np.zeros((5, 3), np.int8)), r"not int8 of shape \(5, 3\)"),
        (lambda b: b.observe(seats=2), "seats cannot be 2: it must be a whole number from 0 to 1"),
        (lambda b: b.observe(seats=np.array([0, 1, 2, 0, 0])), "game 2 has no such seat: seats are 0 to 1"),
        (lambda b: b.playouts(policy=np.zeros((3, 3))), "a policy is an array of int16 of shape"),
        (lambda b: b.playouts(repeat=0), "repeat cannot be 0"),
        (lambda b: b.reset(seed=-1), "seed cannot be -1"),
    ],
)
def test_wrong_use_is_one_clear_error_and_changes_nothing(use: Any, sentence: str) -> None:
    batch = Batch("take_that", 5)
    before = batch.digest()
    with pytest.raises(InfilaError, match=sentence):
        use(batch)
    assert batch.digest() == before


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"n": 0}, "n cannot be 0"),
        ({"device": "abacus"}, "cpu or gpu"),
        ({"colour": "red"}, "there is no option 'colour'"),
        ({"game": "chess"}, "there is no game 'chess'"),
        ({"threads": 0}, "threads cannot be 0"),
    ],
)
def test_a_batch_that_cannot_be_says_why(wrong: dict[str, Any], sentence: str) -> None:
    arguments: dict[str, Any] = {"game": "take_that", "n": 1} | wrong
    with pytest.raises(InfilaError, match=sentence):
        Batch(**arguments)


def test_without_a_gpu_there_is_a_clear_error() -> None:
    with pytest.raises(NoDevice, match="GPU"):
        Batch("take_that", 1, device="gpu")
