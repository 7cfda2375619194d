"""Games without the compiler: in a process that only plays at tables, the games' modules run their entries.

They are quick enough for tables, and there at once: compiling a module for this machine takes a tenth of a second,
compiling the rules with Numba half a minute. Contests, simulations and environments use Numba, which is quicker still.
"""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from infila.core.dispatch import contract_of_record
from infila.core.games import contract_of
from infila.core.stand_ins import STAND_INS, StandIn
from infila.wasm.modules import BadModule, module_of

logger = logging.getLogger("infila")


@contextmanager
def modules_in_use() -> Iterator[None]:
    """Meanwhile no game needs a compiler in this process that brings a module of its present sources; the others are
    compiled when they are first used."""
    STAND_INS.use(_engine_of)
    try:
        yield
    finally:
        STAND_INS.use(None)


def needs_no_compiler(game: str) -> bool:
    """Whether a game's module is in use."""
    return STAND_INS.of(contract_of(game).rules.State.dtype) is not None


def _engine_of(record: Any) -> StandIn | None:
    try:
        from infila.wasm.instance import Engine
    except ImportError:  # wasmtime is not to be had for every machine
        return None
    contract = contract_of_record(record)
    if contract is None:
        return None
    try:
        module = module_of(contract)
    except BadModule as problem:
        logger.warning("%s: %s", contract.name, problem)
        return None
    return None if module is None else Engine(module)
