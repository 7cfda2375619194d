"""A game's module from its sources. The same versions of Python, Numba and llvmlite give the same bytes."""

import hashlib
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from infila.core.errors import InfilaError
from infila.core.games import contract_of
from infila.wasm.link import link
from infila.wasm.modules import Module, fingerprint

# code for no machine in particular and without wide vectors is the smallest and, as WebAssembly, the fastest
SETTINGS = {
    "NUMBA_CPU_NAME": "generic",
    "NUMBA_CPU_FEATURES": "",
    "NUMBA_OPT": "0",  # LLVM optimises the whole module, once
    "NUMBA_LOOP_VECTORIZE": "0",
    "NUMBA_SLP_VECTORIZE": "0",
    "NUMBA_BOUNDSCHECK": "0",
    "NUMBA_DISABLE_JIT": "0",
    "PYTHONHASHSEED": "0",
}


class CannotBuild(InfilaError):
    """A game's rules cannot be compiled to a module."""


def build(game: str) -> Module:
    """Compile a game's entries, in a process of their own since Numba's settings hold for a whole process, and link."""
    contract = contract_of(game)
    with tempfile.TemporaryDirectory() as folder:
        made, described = Path(folder) / "rules.o", Path(folder) / "rules.json"
        command = [sys.executable, "-m", "infila.wasm.compile", game, str(made), str(described)]
        # an empty cache: what Numba finds in one it has forgotten the text of
        environment = os.environ | SETTINGS | {"XDG_CACHE_HOME": folder, "PYTHONPATH": os.pathsep.join(sys.path)}
        done = subprocess.run(command, env=environment, capture_output=True, text=True)
        if done.returncode:
            reason = (done.stderr.strip().splitlines() or ["it gave no reason"])[-1]
            raise CannotBuild(f"the rules of {game!r} cannot be compiled to a module: {reason}.")
        description = json.loads(described.read_text(encoding="utf-8"))
        code = link(made.read_bytes(), description["entries"], "block")
    description["fingerprint"] = fingerprint(contract)
    description["sha256"] = hashlib.sha256(code).hexdigest()
    return Module(code, description)
