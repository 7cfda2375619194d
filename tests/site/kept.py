"""What a browser would keep, without one."""

import json
from typing import Any


class Kept:
    """As `keep.js`, in memory."""

    def __init__(self) -> None:
        self.kept: dict[str, str] = {}
        self.logs: dict[str, list[list[Any]]] = {}
        self.facts: dict[str, str] = {}

    async def lines(self) -> str:
        return f"[{','.join(self.kept.values())}]"

    async def entries(self, table: str) -> str:
        return json.dumps(self.logs.get(table, []))

    async def append(self, changes: str) -> bool:
        for line, entries in json.loads(changes):
            if entries and entries[0][0] != len(self.logs.get(line["id"], [])) + 1:
                return False
        for line, entries in json.loads(changes):
            self.logs.setdefault(line["id"], []).extend(entries)
            self.kept[line["id"]] = json.dumps(line)
        return True

    async def fact(self, name: str) -> str:
        return self.facts.get(name, "")

    async def note(self, name: str, value: str) -> None:
        self.facts[name] = value
