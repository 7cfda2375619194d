"""Batches that branch: saved, gathered, set, redrawn and stepped in part, with others inside; nothing stale, ever."""

import copy
import hashlib
import json
import os
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import infila
from bench.gpu_branching import branches, compare, first_moves
from infila.agents import seated
from infila.batch import Against, Batch, States
from infila.core.errors import BadPosition, IllegalMove, InfilaError
from tests.batch.test_batch import ROOT, VARIANTS
from tests.play import GAMES


def moved(name: str = "take_that", n: int = 6, steps: int = 4, device: str = "cpu", **more: Any) -> Batch:
    batch = Batch(name, n, device=device, seed=3, **more, **VARIANTS[name])
    for _ in range(steps):
        batch.step(first_moves(batch))
    return batch


def branched(name: str, folder: Path) -> dict[str, Any]:
    """Everything that branches, on CUDA's simulator and by plain Python: digests, and whether they are the same."""
    return compare(name, 6, 2, folder, **VARIANTS[name])


@pytest.mark.slow
def test_cudas_simulator_branches_into_the_same_bytes(tmp_path: Path) -> None:
    """As plain Python does in all games, and compiled code in one of them."""
    code = "import sys; from tests.batch.test_branching import *; "
    code += "print(json.dumps({name: branched(name, Path(sys.argv[1])) for name in GAMES}))"
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code, tmp_path],
        cwd=ROOT,
        env=os.environ | {"NUMBA_ENABLE_CUDASIM": "1", "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        timeout=240,
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert all(all(found[name]["same_as_cpu"].values()) and len(found[name]["same_as_cpu"]) > 12 for name in GAMES)
    compiled = branches("take_that", "cpu", 6, 2, tmp_path / "compiled", **VARIANTS["take_that"])
    assert compiled == found["take_that"]["digests"]


def test_one_state_becomes_many_and_many_become_fewer() -> None:
    batch = moved()
    one = batch[4]
    many = Batch.of(one[[0] * 50])
    assert many.n == 50 and many[:] == one[[0] * 50] and (many.mask() == batch.mask()[4]).all()
    fewer = Batch.of(batch[[5, 1]])
    assert fewer[0] == batch[5] and fewer[1] == batch[1]
    batch.gather([4] * 6)
    assert all(batch[i] == one for i in range(6))


def test_states_go_into_arrays_of_others_and_come_back() -> None:
    batch = moved(logs=True)
    packed, then = batch.pack(), batch[:]
    assert packed.shape == (6, batch.states.itemsize) and packed.tobytes() == batch.states.tobytes()
    batch.step(first_moves(batch))
    assert packed.tobytes() == then.records().tobytes(), "what somebody holds is never overwritten"
    batch.unpack(packed[::-1])
    assert batch[:] == then[::-1] and batch.game_at(0).states.tobytes() == packed[5].tobytes()
    batch.step(first_moves(batch))
    own = np.zeros_like(packed)
    assert batch.pack(own) is own and own.tobytes() == batch.states.tobytes()


def test_what_was_legal_before_a_branch_is_not_played_after_it() -> None:
    batch = moved(n=5)
    actions = first_moves(batch)
    changes: tuple[Any, ...] = (
        lambda: batch.gather([1, 2, 3, 4, 0]),
        lambda: batch.put(slice(None), Batch("take_that", 5, seed=77, **VARIANTS["take_that"])[:]),
        lambda: batch.redraw(seats=(batch.movers + 1) % 2, seed=1),
        lambda: batch.unpack(batch.pack()[::-1]),
    )
    for change in changes:
        batch.mask()
        change()
        mask = batch.mask().copy()
        batch.redraw(seed=0, where=[])
        illegal = np.flatnonzero(mask[np.arange(5), actions] == 0)
        assert len(illegal)
        before = batch.digest()
        with pytest.raises(IllegalMove, match=f"in game {illegal[0]} action {actions[illegal[0]]} is not legal"):
            batch.step(actions)
        assert batch.digest() == before


def test_states_can_only_be_read() -> None:
    batch = moved()
    with pytest.raises(ValueError, match="read-only"):
        batch.states[0] = batch.states[1]
    with pytest.raises(ValueError, match="read-only"):
        batch.movers[0] = 1
    with pytest.raises(ValueError, match="read-only"):
        batch.states.view(np.uint8)[:] = 0


@pytest.mark.parametrize("name", GAMES)
def test_an_illegal_action_is_refused_with_its_rule(name: str) -> None:
    """Any action at all, legal for whomever: a sentence, never a crash."""
    batch = moved(name, n=2)
    mask = batch.mask().copy()
    rules = 0
    for action in range(0, batch.actions, max(1, batch.actions // 60)):
        if not mask[1, action]:
            with pytest.raises(IllegalMove, match="in game 1 action") as refused:
                batch.step(np.array([first_moves(batch)[0], action]))
            rules += any(f"{letter}" in str(refused.value).partition("are. ")[2] for letter in "0123456789")
    assert rules > 0, "some name a rule"


def test_some_games_move_and_the_others_stay() -> None:
    batch, whole = moved(), moved()
    actions = first_moves(batch)
    whole.step(actions)
    before = batch[:]
    batch.step(actions[[4, 2]], where=[4, 2])
    for i in range(6):
        assert batch[i] == (whole[i] if i in (2, 4) else before[i])
    batch.step(np.where([True, True, False, True, False, True], actions, -7), where=~np.isin(range(6), (2, 4)))
    assert batch.digest() == whole.digest()


@pytest.mark.parametrize("name", GAMES)
def test_a_redrawn_game_looks_the_same_to_its_seat_and_has_other_secrets(name: str) -> None:
    batch = moved(name, n=8)
    batch.gather([0] * 8)
    seen, mask, states = batch.observe().copy(), batch.mask().copy(), batch[:]
    batch.redraw(seed=5)
    assert (batch.observe() == seen).all() and (batch.mask() == mask).all()
    assert len({batch.states[i].tobytes() for i in range(8)}) == 8, "each has luck of its own"
    again = Batch.of(states)
    again.redraw(seed=np.arange(8) % 2)
    assert again[0] == again[2] != again[1], "a seed gives the same in any slot"
    game = batch.game_at(3)
    assert (
        game.states.tobytes() == batch.states[3].tobytes() and (game.view(game.player).observation() == seen[0]).all()
    )


def test_every_slot_can_have_a_seed_of_its_own() -> None:
    batch = Batch("take_that", 4, seed=[7, 8, 7, 9])
    alone = Batch("take_that", 1, seed=7)
    for _ in range(400):
        assert batch[0] == batch[2] == alone[0]
        batch.step(first_moves(batch))
        alone.step(first_moves(alone))
    batch.reset(seed=np.array([1, 2, 3, 4], np.uint64))
    assert batch[2] == Batch("take_that", 1, seed=3)[0]


def test_how_a_game_ended_is_kept() -> None:
    batch = Batch("take_that", 3, seed=1, last=True, logs=True)
    while not batch.dones.any():
        mover = batch.movers.copy()
        batch.step(batch.decide("random"))
    i = int(batch.dones.argmax())
    over = batch.game_at(i, last=True)
    assert over.over and over.scores == batch.scores[i].tolist()
    assert batch.discounts[i] == 0 and batch.discounts.sum() == 3 - batch.dones.sum()
    last = batch.observe_last(seats=mover)
    assert (last[i] == over.view(int(mover[i])).observation()).all()
    assert (batch.observe_last(0)[batch.dones == 0] == batch.observe(seats=0)[batch.dones == 0]).all()
    assert infila.load(over.log).scores == over.scores
    with pytest.raises(InfilaError, match="last=True"):
        moved().observe_last(0)
    with pytest.raises(InfilaError, match="has not ended"):
        moved(logs=True).game_at(0, last=True)


def test_the_log_of_a_game_follows_it_everywhere() -> None:
    batch = moved(logs=True)
    assert all(len(batch.game_at(i).history) == 4 for i in range(6))
    batch.gather([2] * 3, to=[0, 1, 5])
    assert list(batch.game_at(5).history) == list(batch.game_at(2).history)
    batch.redraw(where=[0])
    batch.put(1, batch[3])
    batch.step(first_moves(batch))
    assert [len(batch.game_at(i).history) for i in range(6)] == [1, 1, 5, 5, 5, 5]
    for i in range(6):
        assert batch.game_at(i).states.tobytes() == batch.states[i].tobytes()
    assert "svg" in batch.game_at(0).view(0)._repr_svg_()
    for _ in range(400):
        batch.step(batch.decide("random"))
    assert batch.game_at(1).states.tobytes() == batch.states[1].tobytes()


def test_a_file_brings_everything_back(tmp_path: Path) -> None:
    batch = moved()
    batch.save(tmp_path / "batch")
    again = Batch.load(tmp_path / "batch", threads=1)
    for _ in range(300):
        batch.step(first_moves(batch))
        again.step(first_moves(again))
    assert batch.digest() == again.digest(), "and the next games are the same"
    states = batch[1:4]
    states.save(tmp_path / "states")
    assert States.load(tmp_path / "states").check() == states == States.from_arrays(states.arrays())
    assert Batch.load(tmp_path / "states")[:] == states
    assert sorted(file.name for file in tmp_path.iterdir()) == ["batch", "states"]


def spoil(change: Any) -> Any:
    def spoiled(path: Path) -> None:
        content = path.read_bytes()
        path.write_bytes(change(content))

    return spoiled


def other_header(**changes: Any) -> Any:
    def change(content: bytes) -> bytes:
        first, line, body = content.split(b"\n", 2)
        return b"\n".join([first, json.dumps(json.loads(line) | changes).encode(), body])

    return spoil(change)


@pytest.mark.parametrize(
    ("damage", "sentence"),
    [
        (spoil(lambda content: content[:-1]), "length"),
        (spoil(lambda content: content + b"x"), "length"),
        (spoil(lambda content: content[:-3] + b"xyz"), "SHA-256"),
        (spoil(lambda content: b"PK" + content), "is not a file of states"),
        (spoil(lambda content: b""), "is not a file of states"),
        (spoil(lambda content: content.replace(b"{", b"[", 1)), "header cannot be read"),
        (other_header(game="chess"), "there is no game 'chess'"),
        (other_header(rules=99), "rules version 99"),
        (other_header(layout="other"), "laid out"),
        (other_header(options=None), "options of the game are missing"),
        (other_header(options={"players": 77}), "players cannot be 77"),
        (other_header(arrays=[["records", "|u1", [10**11, 680]]]), "length"),
        (other_header(arrays=[["records", "|O", [6, 680]]]), "cannot be understood"),
        (other_header(arrays=[["records", "|u1", [-1, 680]]]), "cannot be understood"),
        (other_header(arrays=7), "no records"),
        (lambda path: path.unlink(), "cannot be read: No such file"),
        (lambda path: (path.unlink(), path.mkdir()), "cannot be read: Is a directory"),
    ],
)
def test_a_file_that_is_damaged_or_foreign_is_refused(damage: Any, sentence: str, tmp_path: Path) -> None:
    path = tmp_path / "states"
    moved()[:].save(path)
    damage(path)
    with pytest.raises(InfilaError, match=sentence):
        States.load(path)


def test_made_up_records_are_found_by_a_check() -> None:
    arrays = moved()[:].arrays()
    rows = arrays["records"]
    with pytest.raises(InfilaError, match="damaged"):
        States.from_arrays(arrays | {"records": np.zeros_like(rows)})
    rows[2, 24:] = 200
    states = States.from_arrays(arrays | {"sha256": hashlib.sha256(rows.tobytes()).hexdigest()})
    with pytest.raises(BadPosition, match="state 2 cannot be"):
        states.check()


@pytest.mark.parametrize(
    ("use", "sentence"),
    [
        (lambda b: b[6], "game 6 does not exist: the games are 0 to 5"),
        (lambda b: b[[0, -1]], "game -1 does not exist"),
        (lambda b: b["a"], "games are chosen by whole numbers"),
        (lambda b: b.put([1, 1], b[[0, 1]]), "game 1 comes twice"),
        (lambda b: b.put([1, 2, 3], b[[0, 1]]), "there are 2 states for 3 games"),
        (lambda b: b.put(0, Batch("take_that", 1, players=4)[0]), "the batch plays 'take_that' with"),
        (lambda b: b.put(0, np.zeros(680)), "only states or a game can be put into a batch, not ndarray"),
        (lambda b: b.unpack(b.pack()[:5]), r"packed states must be uint8 of shape \(6, 680\), not uint8 of shape"),
        (lambda b: b.unpack(b.pack().view(np.int8)), "not int8 of shape"),
        (lambda b: b.pack(np.zeros((6, 680))), "the buffer for states must be uint8"),
        (lambda b: b.gather([0, 1]), "2 games cannot be copied into 6"),
        (lambda b: b.gather([0, 1], to=[3, 3]), "game 3 comes twice"),
        (lambda b: b.redraw(seats=9), "seats cannot be 9"),
        (lambda b: b.redraw(seed=-1), "seed cannot be -1"),
        (lambda b: b.redraw(where=np.zeros(5, bool)), "where must be 6 booleans, or indices"),
        (lambda b: b.step(np.zeros(6, np.int64), where=[1]), r"actions must be whole numbers of shape \(1,\)"),
        (lambda b: b.decide("master"), "master searches, which a batch does not do"),
        (lambda b: b.decide("nobody"), "there is no player 'nobody'"),
        (lambda b: b.decide(by_view), "by_view decides by views, in one game at a time. Many games at once"),
        (lambda b: b.decide(seated("take_that", by_view)), "by_view decides by views"),
        (lambda b: b.decide(f"{__name__}:by_view"), "by_view decides by views"),
        (lambda b: b.decide("nowhere:Agent"), "there is no module 'nowhere'"),
        (lambda b: b.decide(np.zeros(3)), "a policy is an array of int16"),
        (lambda b: b.reset(seed=[1, 2]), "seed must be a whole number, or an array of 6"),
        (lambda b: b.game_at(6), "i cannot be 6"),
        (lambda b: Against(b, 5, "casual"), "seat must be 0 to"),
        (lambda b: Against(b, 0, ["casual"]), "by must be one player, or"),
    ],
)
def test_wrong_use_is_one_clear_error_and_changes_nothing(use: Any, sentence: str) -> None:
    batch = moved()
    before = batch.digest()
    with pytest.raises(InfilaError, match=sentence):
        use(batch)
    assert batch.digest() == before


def test_a_game_that_is_over_cannot_be_put() -> None:
    game = infila.new("take_that", seed=1, **VARIANTS["take_that"])
    batch = moved()
    batch.put(2, game)
    assert batch.game_at(2).moves == game.moves
    while not game.over:
        game.play(game.moves[0])
    with pytest.raises(InfilaError, match="state 0 is a game that is over"):
        batch[2] = game


def by_hand(batch: Batch, seat: int, others: Any, steps: int) -> tuple[str, Any]:
    """The same as `Against`, one step of all games at a time."""
    total = np.zeros(batch.players)
    turn = 0
    for _ in range(steps + 1):
        while (batch.movers != seat).any():
            turn += 1
            where = batch.movers != seat
            batch.step(others(batch, where, turn), where=where)
            total += batch.rewards.sum(axis=0)
        if _ < steps:
            batch.step(first_moves(batch))
            total += batch.rewards.sum(axis=0)
    return batch.digest(), total


def test_a_learner_sees_only_its_own_turns() -> None:
    wanted, total = by_hand(Batch("take_that", 20, seed=4), 1, lambda b, where, k: b.decide("casual", where, k), 150)
    table = Against(Batch("take_that", 20, seed=4), 1, "casual")
    got = np.zeros(2)
    for _ in range(150):
        assert (table.batch.movers == 1).all()
        assert (table.observe() == table.batch.observe(seats=1)).all()
        table.step(first_moves(table.batch))
        got += table.rewards.sum(axis=0)
        assert ((table.scores != 0).any(axis=1) <= (table.dones > 0)).all()
    assert table.batch.digest() == wanted and (got == total).all() and abs(got).sum() > 0


def test_agents_play_beside_a_learner_themselves_or_by_name() -> None:
    own = [Against(Batch("take_that", 6, seed=2), 0, by) for by in (First(), f"{__name__}:First", first_of_all)]
    own.append(Against(Batch("take_that", 6, seed=2), 0, seated("take_that", First())))
    for _ in range(5):
        for table in own:
            table.step(first_moves(table.batch))
    assert len({table.batch.digest() for table in own}) == 1
    assert First.made == 3, "an agent with a name is made once"


class First:
    """An agent that decides for many games at once."""

    made = 0

    def __init__(self, game: str = "take_that") -> None:
        First.made += 1

    def act(self, observations: Any, masks: Any) -> Any:
        return first_of_all(observations, masks)


def first_of_all(observations: Any, masks: Any) -> Any:
    assert observations.shape == (6, 1072)
    return masks.argmax(axis=1)


def by_view(view: infila.View) -> str:
    return view.moves[0]


def test_a_function_and_a_level_play_beside_a_learner() -> None:
    asked = []

    def network(observations: Any, mask: Any) -> Any:
        asked.append(observations.shape)
        return mask.argmax(axis=1)

    own = np.arange(6) % 3
    table = Against(Batch("take_that", 6, players=3), own, [network, "random", "casual"])
    for _ in range(5):
        assert (table.batch.movers == own).all()
        table.step(first_moves(table.batch))
    assert set(asked) == {(6, 1072)}


@pytest.mark.parametrize("twin", [copy.deepcopy, lambda thing: pickle.loads(pickle.dumps(thing))])
def test_batches_states_and_tables_can_be_copied_and_pickled(twin: Any) -> None:
    batch = moved(last=True, logs=True)
    other = twin(batch)
    assert twin(batch[:3]) == batch[:3]
    for _ in range(300):
        for each in (batch, other):
            each.step(each.decide("random"))
        assert batch.digest() == other.digest() and (batch.rewards == other.rewards).all()
    assert batch.game_at(1).log == other.game_at(1).log
    batch.step(first_moves(batch))
    assert batch.digest() != other.digest()
    table = Against(Batch("take_that", 4), 0, "casual")
    again = twin(table)
    for each in (table, again):
        each.step(first_moves(each.batch))
    assert table.batch.digest() == again.batch.digest()


def test_what_somebody_holds_is_never_overwritten() -> None:
    batch = moved(n=50)
    kept: list[tuple[Any, Any]] = []
    for step in range(20):
        given = (batch.observe(), batch.mask()[:, 3:], *batch.legal(), batch.movers, batch.rewards, batch.dones)
        if step % 3 == 0:
            kept += [(array, array.copy()) for array in given]
        batch.step(first_moves(batch))
    assert all((array == then).all() for array, then in kept)


def test_buffers_that_nobody_holds_are_used_again() -> None:
    batch = moved()
    places = {batch.observe().ctypes.data for _ in range(10)}
    assert len(places) == 1


JAX = """
import jax.numpy as jnp, numpy as np
from infila.batch import Batch
batch = Batch("take_that", 300, seed=1)
held = []
for _ in range(40):
    numbers = batch.observe(), batch.mask(), batch.legal()[0], batch.movers, batch.rewards
    held.append(([jnp.asarray(array) for array in numbers], [array.copy() for array in numbers]))
    del numbers
    batch.step(batch.decide("random"))
assert all((np.asarray(a) == b).all() for seen, then in held for a, b in zip(seen, then))
"""


@pytest.mark.slow
def test_jax_never_sees_a_buffer_that_was_overwritten() -> None:
    """In a process of its own, as JAX starts threads. JAX may share NumPy's memory, or copy it later."""
    done = subprocess.run([sys.executable, "-c", JAX], cwd=ROOT, capture_output=True, text=True, timeout=240)
    assert done.returncode == 0, done.stderr
