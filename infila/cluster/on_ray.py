"""Work on a cluster by Ray (`pip install 'infila[ray]'`): one that runs, or one that is started here for as long as it
is needed."""

import hashlib
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, ParamSpec, TypeVar

import numba

import infila
from infila.core.errors import InfilaError

HERE = "ray"  # what `on` may be: this, or the address of a cluster, which begins with …
THERE = "ray://"
SILENCE = "RAY_DEDUP_LOGS_SKIP_REGEX"  # which lines Ray leaves out; it looks when it is imported
TRIES = 20  # for a task whose worker has died

Given = ParamSpec("Given")
Made = TypeVar("Made")


def check_on(on: str | None) -> None:
    """Refuse what is not a place to work on."""
    if on is not None and on != HERE and not (on.startswith(THERE) and len(on) > len(THERE)):
        raise InfilaError(f"nothing can be done on {on!r}. Say ray, or ray://HOST:PORT for a cluster that runs.")
    if on is not None:
        _ray()


def _ray() -> Any:
    """Ray, which would tell what befalls its workers where results are printed; here that is made good, or an error. A
    program that has imported it itself hears all of it."""
    own = SILENCE not in os.environ
    if own:
        os.environ[SILENCE] = "."
    try:
        import ray
    except ImportError:
        raise InfilaError("to work on a cluster Ray is needed: pip install 'infila[ray]'.") from None
    finally:
        if own:
            del os.environ[SILENCE]
    return ray


@dataclass(frozen=True)
class _Promise(Generic[Made]):
    ray: Any
    reference: Any

    def result(self) -> Made:
        try:
            made: Made = self.ray.get(self.reference)
            return made
        except self.ray.exceptions.RayTaskError as problem:
            raise problem.cause if isinstance(problem.cause, InfilaError) else problem from None
        except self.ray.exceptions.RayError as problem:
            name = type(problem).__name__
            raise InfilaError(f"the cluster could not do its part, though it was asked again: {name}.") from None

    def cancel(self) -> None:
        self.ray.cancel(self.reference, force=True)


@dataclass(frozen=True)
class Cluster:
    """Workers on any number of machines."""

    ray: Any
    workers: int

    def promised(self, work: Callable[Given, Made], *given: Given.args, **named: Given.kwargs) -> _Promise[Made]:
        """Have a function of infila called there. If its worker dies another one begins again."""
        there = self.ray.remote(num_cpus=1, max_retries=TRIES)(work)
        return _Promise(self.ray, there.remote(*given, **named))


@contextmanager
def cluster(on: str, workers: int | None = None) -> Iterator[Cluster]:
    """A cluster to work on. `workers` is for one that is started here; a program that has one already keeps it."""
    check_on(on)
    ray = _ray()
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # nobody is told what is done here
    own = not ray.is_initialized()
    if own:
        _connect(ray, on, workers)
    try:
        found = Cluster(ray, max(1, int(ray.cluster_resources().get("CPU", 1))))
        _compare(found)
        yield found
    finally:
        if own:
            ray.shutdown()


def _connect(ray: Any, on: str, workers: int | None) -> None:
    settings: dict[str, Any] = {"log_to_driver": False, "logging_level": "ERROR"}
    if on == HERE:
        settings |= {"address": "local", "num_cpus": workers, "include_dashboard": False}
    else:
        settings |= {"address": on}
    try:
        ray.init(**settings)
    except (ConnectionError, ValueError, RuntimeError) as problem:
        reason = str(problem).partition("\n")[0]
        raise InfilaError(f"there is no cluster at {on} that answers: {reason}") from None


def _about() -> str:
    """What a worker has to have in common with whoever asks it: these lines, and what compiles them."""
    package, digest = Path(infila.__file__).parent, hashlib.sha256()
    for source in sorted(package.rglob("*.py")):
        digest.update(source.relative_to(package).as_posix().encode() + b"\0" + source.read_bytes())
    return f"infila {infila.__version__} ({digest.hexdigest()[:8]}) with Numba {numba.__version__}"


def _compare(found: Cluster) -> None:
    theirs, ours = found.promised(_about).result(), _about()
    if theirs != ours:
        raise InfilaError(
            f"the cluster has {theirs}, and here it is {ours}: its results could be others. Install the same there."
        )
