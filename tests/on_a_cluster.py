"""On a cluster by Ray everything comes out as it does without one, whoever dies on the way."""

import os
import signal
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from infila.arena.contest import Contest, run
from infila.arena.results import GameLine
from infila.batch.simulate import simulate
from infila.cluster.on_ray import Cluster, cluster
from infila.core.errors import InfilaError
from infila.puzzles.collection import Collection
from infila.puzzles.making import make
from infila.study.run import study
from infila.study.show import facts


@pytest.fixture(scope="module")
def workers() -> Iterator[Cluster]:
    """A cluster of two, which everything here shares, since this program has begun it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RAY_worker_niceness", "0")  # other tests would go first
        with cluster("ray", 2) as found:
            yield found


def dies_once(mark: str) -> str:
    """Work at which a worker dies, the first time."""
    if not Path(mark).exists():
        Path(mark).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return "done"


def who() -> int:
    return os.getpid()


def refuses() -> None:
    raise InfilaError("this cannot be done.")


def test_a_simulation_is_the_same(workers: Cluster) -> None:
    here, there = (simulate("take_that", 20_000, {"players": 3}, seed=5, on=on, report=True) for on in (None, "ray"))
    assert there.digest == here.digest and there.report() == here.report()


@pytest.mark.parametrize("by", ["casual", "search:4"])
def test_a_study_is_the_same(workers: Cluster, by: str) -> None:
    here, there = (
        facts(study("take_that", 3, {"rounds": 1}, by=(by,), seed=2, on=on).run()) | {"seconds": 0}
        for on in (None, "ray")
    )
    assert there == here and here["games"] == 3


def test_a_contest_is_the_same_though_a_worker_dies(workers: Cluster) -> None:
    contest = Contest("take_that", ("casual", "search:20"), {"players": 2, "rounds": 1})

    def lines(on: str | None) -> list[GameLine]:
        results = None
        for results in run(contest, 6, least=6, file=None, processes=1, on=on):
            if on is not None and len(results.won) == 1:
                os.kill(workers.promised(who).result(), signal.SIGKILL)
        assert results is not None
        return [replace(line, seconds=()) for line in results.lines]

    assert lines("ray") == lines(None)


def test_puzzles_are_the_same(workers: Cluster, tmp_path: Path) -> None:
    def made(on: str | None) -> tuple[bytes, object]:
        file = tmp_path / f"{on}.gz"
        Collection("take_that", played={"0": 2}).write(file)  # the next game is a short one
        *_, last = make("take_that", file, 1, on=on)
        return file.read_bytes(), last

    assert made("ray") == made(None)


def test_a_worker_that_dies_is_made_good(workers: Cluster, tmp_path: Path) -> None:
    assert workers.promised(dies_once, str(tmp_path / "mark")).result() == "done"
    assert (tmp_path / "mark").exists()


def test_a_refusal_is_a_refusal(workers: Cluster) -> None:
    with pytest.raises(InfilaError, match=r"^this cannot be done\.$"):
        workers.promised(refuses).result()
