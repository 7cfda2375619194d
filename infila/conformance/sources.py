"""One source: compiled, plain Python, any number of threads and the CUDA simulator play the very same games."""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping
from typing import Any

from infila.batch.simulate import simulate
from infila.conformance.demand import NotConforming, demand, same
from infila.conformance.trial import Trial
from infila.core.games import contract_of

SECONDS = 300


def elsewhere(*arguments: str, **environment: str) -> str:
    """What a Python process with another environment prints, where warnings are errors."""
    path = os.pathsep.join(filter(None, [os.getcwd(), *sys.path]))
    done = subprocess.run(
        [sys.executable, "-W", "error", "-m", *arguments],
        env=os.environ | {"PYTHONPATH": path} | environment,
        capture_output=True,
        text=True,
        timeout=SECONDS,
    )
    if done.returncode:
        raise NotConforming(f"{' '.join(arguments)} fails: {done.stderr.strip()[-600:]}")
    return done.stdout


def digests_elsewhere(
    name: str, sets: Iterable[Mapping[str, Any]], games: int, device: str = "cpu", **environment: str
) -> list[str]:
    """The digests of so many games with each set of options, in one process with another environment."""
    given = [json.dumps(contract_of(name).options.make(options).to_dict()) for options in sets]
    return elsewhere("infila.conformance.digests", name, str(games), device, *given, **environment).split()


def threads_do_not_matter(trial: Trial) -> None:
    """One thread and three play the same games, and another seed gives different ones."""
    for options in trial.options:
        one = simulate(trial.name, 5000, options, threads=1).digest
        same(simulate(trial.name, 5000, options, threads=3).digest, one, "three threads play different games from one")
        demand(simulate(trial.name, 5000, options, seed=1).digest != one, "two seeds give the same games.")


def plain_python_plays_the_same(trial: Trial) -> None:
    """With the JIT switched off, the same games come out, without a warning."""
    plain = digests_elsewhere(trial.name, trial.options, 4, NUMBA_DISABLE_JIT="1")
    for found, options in zip(plain, trial.options, strict=True):
        same(found, simulate(trial.name, 4, options).digest, "plain Python does not play the same games as the rules")


def the_cuda_simulator_plays_the_same(trial: Trial) -> None:
    """The GPU's kernel, simulated, plays the same games."""
    simulator = {"NUMBA_ENABLE_CUDASIM": "1", "NUMBA_DISABLE_JIT": "1"}
    simulated = digests_elsewhere(trial.name, trial.options, 2, "gpu", **simulator)
    for found, options in zip(simulated, trial.options, strict=True):
        same(found, simulate(trial.name, 2, options).digest, "the kernel does not play the same games as the CPU")


def rules_have_no_floats(trial: Trial) -> None:
    """No variable is a float. Rules are compiled anew: what Numba loads from its cache has forgotten its types."""
    with tempfile.TemporaryDirectory() as folder:
        compiled_without_floats(trial.name, XDG_CACHE_HOME=folder, NUMBA_OPT="0")


def compiled_without_floats(name: str, **environment: str) -> None:
    """The rules as a process with another environment compiles them, one that finds nothing in its cache."""
    counted = elsewhere("infila.conformance.floats", name, **environment)
    demand(int(counted) > 100, "no variables were found in the compiled rules.")
