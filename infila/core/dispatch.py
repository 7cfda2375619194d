"""The generic rules: called with any game's record, they run that game's own rule.

Compiled code finds the rule by the type of the record while it is compiled (`numba.extending.overload`), so that one
driver serves all games and is cached; plain Python looks up the record's type at run time. The protocols of
`infila.core.contract` say which rules there are; each is made generic here, in one line.
"""

import importlib
from collections.abc import Callable
from importlib.util import find_spec
from types import ModuleType
from typing import Any, Concatenate, ParamSpec, TypeVar, cast

from numba.core import types
from numba.extending import overload

from infila.core import defaults
from infila.core.chance import luck_below
from infila.core.contract import Contract, Features, Heuristics, Rules, Study
from infila.core.errors import BrokenGame
from infila.core.fallback import NoEvents
from infila.core.record import Ints
from infila.core.rule import STAMPS, inlined, layout, stamp_of

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")

_BY_LAYOUT: dict[tuple[Any, ...], Contract] = {}


def register(contract: Contract) -> None:
    """Let compiled code find the rules of a record."""
    rules = contract.rules
    key = layout(rules.State.dtype.names or (), rules.State.dtype.itemsize)
    other = _BY_LAYOUT.setdefault(key, contract)
    if other.rules is not rules:
        raise BrokenGame(
            f"the State of {contract.package} cannot be told apart from that of {other.package}: "
            "give one of its fields another name."
        )
    if stamp := stamp_of(contract.package):
        STAMPS[key] = stamp


def contract_of_record(kind: Any) -> Contract | None:
    """The contract of the game whose State has this NumPy type."""
    return _BY_LAYOUT.get(layout(kind.names, kind.itemsize))


def rules_of(s: Any) -> Rules:
    """The rules of a record."""
    return _BY_LAYOUT[layout(s.dtype.names, s.dtype.itemsize)].rules


def rules_of_type(record: Any) -> Rules:
    """The rules of a record as the compiler knows it."""
    if not isinstance(record, types.Record):
        raise TypeError(f"{record} is not a record")
    return _BY_LAYOUT[layout(record.fields, record.size)].rules


def _package(rules: Rules) -> str:
    return cast(ModuleType, rules).__package__ or ""


def _rules(rules: Rules) -> Rules:
    return rules


def _heuristics(rules: Rules) -> Heuristics:
    return cast(Heuristics, importlib.import_module(f"{_package(rules)}.heuristics"))


def _features(rules: Rules) -> Features:
    return cast(Features, importlib.import_module(f"{_package(rules)}.features"))


def _study(rules: Rules) -> Study:
    name = f"{_package(rules)}.study"
    return cast(Study, importlib.import_module(name)) if find_spec(name) else NoEvents()


IMPLEMENTATIONS: dict[Callable[..., Any], Callable[..., Any]] = {}
"""For each generic rule, what a compiler, given the type of the record, puts in its place."""


def generic(
    declared: Callable[Concatenate[Any, Arguments], Result], room: Callable[[Rules], Any]
) -> Callable[Arguments, Result]:
    """A rule of a protocol for every game: the function of that name in another of the game's modules."""
    name = declared.__name__
    return cast(Callable[Arguments, Result], _dispatched(declared, lambda rules: getattr(room(rules), name)))


def or_default(default: Callable[Arguments, Result]) -> Callable[Arguments, Result]:
    """A rule for every game: its own, or the default."""
    name = default.__name__
    return cast(Callable[Arguments, Result], _dispatched(default, lambda rules: getattr(rules, name, default)))


def _dispatched(declared: Callable[..., Any], rule_of: Callable[[Rules], Any]) -> Any:
    def called(*arguments: Any) -> Any:
        return rule_of(rules_of(arguments[0]))(*arguments)

    def compiled(*arguments: Any) -> Any:
        found = rule_of(rules_of_type(arguments[0]))
        return getattr(found, "py_func", found)

    called.__name__, called.__doc__ = declared.__name__, declared.__doc__
    IMPLEMENTATIONS[called] = compiled
    return called


deal = generic(Rules.deal, _rules)
legal = generic(Rules.legal, _rules)
play = generic(Rules.play, _rules)
scores = generic(Rules.scores, _rules)
hide = generic(Rules.hide, _rules)
redraw = generic(Rules.redraw, _rules)
player = or_default(defaults.player)
mover = or_default(defaults.mover)
actor = or_default(defaults.actor)
over = or_default(defaults.over)
rate = generic(Heuristics.rate, _heuristics)
worth = generic(Heuristics.worth, _heuristics)
enough = generic(Heuristics.enough, _heuristics)
observe = generic(Features.observe, _features)
note = generic(Study.note, _study)


def spread(s: Any) -> int:
    """A move rated this much below the best is tried a quarter as often."""
    return _heuristics(rules_of(s)).SPREAD


def _spread(s: Any) -> Any:
    value = _heuristics(rules_of_type(s)).SPREAD
    return lambda s: value


def choose(s: Any, out: Ints, n: int, luck: Ints) -> int:
    """Random play's choice among the n legal actions in `out`."""
    rules = rules_of(s)
    return choose_by_kind(out, n, luck, rules.KIND_FIRST, rules.KIND_WEIGHT)


def _choose(s: Any, out: Any, n: Any, luck: Any) -> Any:
    rules = rules_of_type(s)
    first, weight = rules.KIND_FIRST, rules.KIND_WEIGHT
    return lambda s, out, n, luck: choose_by_kind(out, n, luck, first, weight)


@inlined
def choose_by_kind(out: Ints, n: int, luck: Ints, first: Ints, weight: Ints) -> int:
    """One of the n actions in `out`: first a kind, by weight, then any of that kind, all equally likely.

    In one pass, a kind replaces the one chosen before with the probability of its weight among all weights so far.
    """
    if n == 1:
        return out[0]
    kind = 0
    total = 0
    at = 0
    begin = 0
    end = 0
    while at < n:
        while out[at] >= first[kind + 1]:
            kind += 1
        stop = _end_of_kind(out, at, n, first[kind + 1])
        total += weight[kind]
        if at == 0 or luck_below(luck, total) < weight[kind]:
            begin = at
            end = stop
        at = stop
    return out[begin + luck_below(luck, end - begin)]


@inlined
def _end_of_kind(out: Ints, at: int, n: int, bound: int) -> int:
    """The first place after `at` whose action is not below `bound`."""
    if out[n - 1] < bound:
        return n
    at += 1
    while out[at] < bound:
        at += 1
    return at


IMPLEMENTATIONS[spread] = _spread
IMPLEMENTATIONS[choose] = _choose


def teach(overload: Callable[..., Any]) -> None:
    """Let a compiler, for the CPU or for CUDA, find the rules of a record."""
    for generic_rule, implementation in IMPLEMENTATIONS.items():
        overload(generic_rule, strict=False)(implementation)


teach(overload)
