"""Look for a float in the compiled rules of a game, and count the variables: run in a process of its own.

    python -m infila.conformance.floats GAME

A whole number that turns into a float somewhere is inexact above 2**53, and slower.
"""

import importlib
import pkgutil
import sys
import warnings

import numpy as np
from numba.core import types
from numba.core.errors import NumbaWarning
from numba.core.registry import CPUDispatcher

from infila.batch.simulate import simulate
from infila.core import defaults
from infila.core.contract import COUNTED
from infila.core.games import contract_of
from infila.core.notation import POINTS
from infila.core.record import uint64


def compile_everything(name: str) -> None:
    """Call every rule itself: what generic code compiles in its place cannot be inspected."""
    simulate(name, 1)
    contract = contract_of(name)
    rules = contract.rules
    states = np.zeros(1, rules.State)
    s = states[0]
    contract.options.make({}).write(s)
    out, points, key = np.zeros(rules.MAX_LEGAL, np.int16), np.zeros(POINTS, np.int64), uint64(1)
    rules.deal(s)
    rules.legal(s, out)
    for function, *arguments in (("player",), ("mover",), ("over",), ("actor", out[0])):
        getattr(rules, function, getattr(defaults, function))(s, *arguments)
    rules.play(s, out[0])
    rules.scores(s, points)
    contract.study.note(s, out[0], s, np.zeros(COUNTED, np.int64))
    contract.heuristics.rate(s, out, rules.legal(s, out), np.zeros(len(out), np.int64))
    contract.heuristics.worth(s, points)
    contract.heuristics.enough(s, s, 0)
    contract.features.observe(s, 0, np.zeros(contract.features.SIZE, np.int8))
    rules.redraw(s, 0, key, key)
    rules.hide(s, 0)


def modules_of(name: str) -> list[str]:
    package = contract_of(name).package
    found = pkgutil.iter_modules(importlib.import_module(package).__path__, f"{package}.")
    return [*(module.name for module in found), "infila.core.chance", "infila.core.contract", "infila.core.driver"]


def variables(module: str, floats: list[str]) -> int:
    """How many variables the compiled functions of a module have; those that are floats are added to a list."""
    seen = 0
    for value in vars(importlib.import_module(module)).values():
        if isinstance(value, CPUDispatcher) and value.__module__ == module:
            for compiled in value.overloads.values():
                for variable, kind in compiled.type_annotation.typemap.items():
                    seen += 1
                    inner = kind.dtype if isinstance(kind, types.Array) else kind
                    if isinstance(inner, (types.Float, types.Complex)):
                        floats.append(f"{module}: {variable} in {value.__name__}() is a {kind}")
                        break
    return seen


def main() -> None:
    warnings.simplefilter("ignore", NumbaWarning)  # rules with large tables cannot be cached by themselves
    name = sys.argv[1]
    compile_everything(name)
    floats: list[str] = []
    seen = sum(variables(module, floats) for module in modules_of(name))
    if floats:
        raise SystemExit("; ".join(floats) + ".")
    print(seen)


if __name__ == "__main__":
    main()
