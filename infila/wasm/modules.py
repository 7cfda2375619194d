"""A game's module: `rules.wasm` in the folder of its package, beside the `rules.py` that it was built from.

`rules.json` describes it for callers who have neither Python nor NumPy: for every entry what it gives and takes, the
layout of the records, and how much room lists need. It also says of which sources and with which versions the module
was built, and the SHA-256 of its bytes.
"""

import hashlib
import json
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

from infila.core import contract as protocols
from infila.core.contract import Contract
from infila.core.errors import InfilaError
from infila.core.rule import ABOUT_RULES, OWN, stamp_of

CODE, DESCRIPTION = "rules.wasm", "rules.json"

# what of infila is compiled into every module, or decides how it is built
SHARED = (
    *(f"core/{name}.py" for name in ("bits", "chance", "defaults", "dispatch", "driver", "entry")),
    *(f"core/{name}.py" for name in ("features", "record", "rule")),
    "players/judging.py",
    "players/search.py",
    "wasm/build.py",
    "wasm/compile.py",
    "wasm/link.py",
)


class BadModule(InfilaError):
    """A module that cannot be run."""


@dataclass(frozen=True)
class Module:
    code: bytes
    description: dict[str, Any]

    @property
    def game(self) -> str:
        return str(self.description["game"])


def fingerprint(contract: Contract) -> str:
    """A digest of the sources that a game's module is built from. Of the protocols only the constants count."""
    infila = Path(__file__).parents[1]
    sources = [infila / name for name in SHARED]
    if contract.package.startswith(f"{OWN}."):
        folder = infila / "games" / contract.name
        sources += sorted(source for source in folder.glob("*.py") if source.name not in ABOUT_RULES)
    constants = {name: value for name, value in vars(protocols).items() if isinstance(value, int)}
    digest = hashlib.sha256(f"{stamp_of(contract.package)} {sorted(constants.items())}".encode())
    for source in sources:
        text = source.read_bytes().replace(b"\r\n", b"\n")
        digest.update(source.relative_to(infila).as_posix().encode() + b"\0" + text)
    return digest.hexdigest()[:16]


def module_of(contract: Contract) -> Module | None:
    """The module in a game's folder; None if there is none, or if the game's sources have changed since."""
    folder = resources.files(contract.package)
    if not (folder.joinpath(CODE).is_file() and folder.joinpath(DESCRIPTION).is_file()):
        return None
    module = read(folder.joinpath(CODE).read_bytes(), folder.joinpath(DESCRIPTION).read_text(encoding="utf-8"))
    return module if module.description["fingerprint"] == fingerprint(contract) else None


def read(code: bytes, text: str) -> Module:
    """A module from its two files; raises BadModule if they do not belong together."""
    try:
        description = json.loads(text)
        promised = description["sha256"]
    except (ValueError, KeyError, TypeError):
        raise BadModule(f"{DESCRIPTION} does not describe a module. Build it anew: infila wasm GAME.") from None
    if hashlib.sha256(code).hexdigest() != promised:
        raise BadModule(f"{CODE} is not what {DESCRIPTION} describes. Build both anew: infila wasm GAME.")
    return Module(code, description)


def write(module: Module, folder: Path) -> None:
    """Put a module where `module_of` finds it, if the folder is that of the game's package."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / CODE).write_bytes(module.code)
    (folder / DESCRIPTION).write_text(shown(module.description), encoding="utf-8")


def shown(description: dict[str, Any]) -> str:
    """A description as JSON, in lines that a person can read."""
    lines = []
    for name, part in description.items():
        if isinstance(part, dict):
            inner = ",\n".join(f"    {json.dumps(key)}: {json.dumps(value)}" for key, value in part.items())
            lines.append(f"  {json.dumps(name)}: {{\n{inner}\n  }}")
        else:
            lines.append(f"  {json.dumps(name)}: {json.dumps(part)}")
    return "{\n" + ",\n".join(lines) + "\n}\n"
