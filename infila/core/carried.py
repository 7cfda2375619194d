"""What a seat may know, carried elsewhere: the record itself, for agents that are not where the game is.

A record has no pointers, and the one of a view holds nothing that is hidden from its seat. It can be read wherever the
same rules are: they have a version, and a layout of the record.
"""

import base64
import binascii
import hashlib
from collections.abc import Mapping
from typing import Any

import numpy as np

from infila.core.contract import Contract
from infila.core.errors import BadPosition
from infila.core.game import View
from infila.core.games import contract_of
from infila.core.record import States


def layout_of(record: Any) -> str:
    """A digest of the fields of a record: another layout is another game, or another version of it."""
    return hashlib.sha256(repr(record.descr).encode()).hexdigest()[:16]


def packed(view: View) -> dict[str, Any]:
    """A view as plain values; the record in base64."""
    return {
        "game": view.game,
        "rules": view.contract.rules_version,
        "layout": layout_of(view.contract.rules.State.dtype),
        "record": base64.b64encode(view.states.tobytes()).decode(),
    }


def unpacked(found: Mapping[str, Any]) -> tuple[Contract, States]:
    """The game, and the record of a view that `packed` has given; raises BadPosition."""
    contract = contract_of(str(found.get("game"))[:60])
    record = contract.rules.State.dtype
    if (found.get("rules"), found.get("layout")) != (contract.rules_version, layout_of(record)):
        raise BadPosition(
            f"this is {contract.title} by rules version {str(found.get('rules'))[:20]}, here by version "
            f"{contract.rules_version}, or records are laid out in another way: take the same infila in both places."
        )
    try:
        content = base64.b64decode(str(found.get("record")), validate=True)
    except binascii.Error:
        content = b""
    if len(content) != record.itemsize:
        raise BadPosition(f"this is no record of {contract.title}.")
    return contract, np.frombuffer(bytearray(content), record)
