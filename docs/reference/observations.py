"""Writes the tables of docs/reference/observations.md, which say what an observation holds, from the games' own.

python docs/reference/observations.py
"""

import textwrap
from pathlib import Path

import infila
from infila.core.features import Feature
from infila.core.games import contract_of

FILE = Path(__file__).with_suffix(".md")

TABLES = "\n## "  # from here on the file is written
WIDTH = 120  # of its lines, tables apart


def table(features: tuple[Feature, ...]) -> str:
    lines = ["| field | shape | from | range | meaning |", "|---|---|---|---|---|"]
    for f in features:
        shape = " × ".join(str(length) for length in f.shape)
        lines.append(f"| `{f.name}` | {shape} | {f.offset} | {f.least} to {f.most} | {f.meaning} |")
    return "\n".join(lines)


def text() -> str:
    parts = [FILE.read_text(encoding="utf-8").split(TABLES)[0]]
    for name in infila.games():
        contract = contract_of(name)
        features = contract.features
        symmetries = "; ".join(symmetry.name for symmetry in features.SYMMETRIES)
        about = f"{features.SIZE} numbers; actions are 0 to {contract.rules.ACTIONS - 1}. Symmetries: {symmetries}."
        parts.append(f"## {contract.title}\n{textwrap.fill(about, WIDTH)}\n\n{table(features.FEATURES)}\n")
    return "\n".join(parts)


if __name__ == "__main__":
    FILE.write_text(text(), encoding="utf-8")
