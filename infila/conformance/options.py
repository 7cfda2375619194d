"""Options: what does not exist is refused in a sentence, and what exists survives every form unchanged."""

from typing import Any

import numpy as np

from infila.conformance.demand import NotConforming, demand, same
from infila.conformance.trial import Trial
from infila.core.errors import BadOptions
from infila.core.options import Spec


def wrong_options_are_refused(trial: Trial) -> None:
    """Every option refuses wrong types and values in a sentence that names it."""
    contract = trial.contract
    _refused(trial, {"no_such_option": 1}, "no_such_option")
    for name, spec in contract.options.specs().items():
        for value in _wrong(spec):
            _refused(trial, {name: value}, name)


def _wrong(spec: Spec) -> list[Any]:
    if spec.kind == "flag":
        return [1, "yes", "maybe"]
    if spec.kind == "choice":
        return ["", "no such choice", 0, True]
    if spec.kind == "seat":
        return [-1, 99, "first", True, 1.0]
    return [min(spec.values) - 1, max(spec.values) + 1, "2", 2.5, True]


def _refused(trial: Trial, options: dict[str, Any], name: str) -> None:
    try:
        trial.contract.options.make(options)
    except BadOptions as problem:
        demand(name in str(problem), f"the refusal of {options} does not name the option: {problem}")
        demand(len(str(problem)) > 10, f"the refusal of {options} is not a sentence: {problem}")
    except Exception as problem:
        raise NotConforming(f"options {options} raise {problem!r} instead of BadOptions.") from problem
    else:
        raise NotConforming(f"options {options} are not refused.")


def options_have_four_forms(trial: Trial) -> None:
    """Values, texts, JSON and the record all hold the same options."""
    kind = trial.contract.options
    for options in trial.options:
        made = kind.make(options)
        same(kind.from_texts(made.to_texts()), made, "options do not come back from their texts")
        same(kind.from_json(made.to_json()), made, "options do not come back from JSON")
        states = np.zeros(1, trial.contract.rules.State)
        made.write(states[0])
        same(kind.read(states[0]), made, "options do not come back from the record")
