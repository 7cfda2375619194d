"""Writes the table of docs/reference/benchmark.md from the sealed files in docs/leaderboard, the best first.

python docs/reference/benchmark.py
"""

from pathlib import Path

from infila.arena.benchmark import Sealed, read

FILE = Path(__file__).with_suffix(".md")
SEALED = FILE.parents[1] / "leaderboard"
FIRST, LAST = "<!-- leaderboard -->\n", "<!-- end of leaderboard -->"
LEVELS = ("beginner", "casual", "club", "expert", "master")
PROTOCOLS = ("infila-v1", "infila-v1-light")


def row(name: str, whole: Sealed, opponents: list[str]) -> str:
    shares = []
    for opponent in opponents:
        found = [entry.share for entry in whole.meetings if entry.opponent == opponent]
        shares.append(f"{100 * sum(found) / len(found):.1f} %" if found else "–")
    figures = " | ".join(shares)
    link = f"[`{whole.seal[:12]}…`](../leaderboard/{name})"
    return f"| `{whole.agent}` | {100 * whole.score:.1f} % | {figures} | {whole.forfeits} | {whole.infila} | {link} |"


def table(protocol: str, found: dict[str, Sealed]) -> list[str]:
    """All results by a protocol, with those opponents that it has."""
    met = {entry.opponent for whole in found.values() for entry in whole.meetings}
    opponents = [level for level in LEVELS if level in met]
    heading = f"| `{protocol}` | score | {' | '.join(f'`{each}`' for each in opponents)} | forfeits | infila | sealed |"
    best_first = sorted(found.items(), key=lambda each: -each[1].score)
    return [heading, "|---" * (len(opponents) + 5) + "|", *(row(name, whole, opponents) for name, whole in best_first)]


def text() -> str:
    every = {file.name: read(file) for file in sorted(SEALED.glob("*.json"))}
    tables = []
    for protocol in PROTOCOLS:
        found = {name: whole for name, whole in every.items() if whole.benchmark == protocol}
        if found:
            tables.append("\n".join(table(protocol, found)))
    before, _, rest = FILE.read_text(encoding="utf-8").partition(FIRST)
    return f"{before}{FIRST}\n" + "\n\n".join(tables) + f"\n\n{LAST}{rest.partition(LAST)[2]}"


if __name__ == "__main__":
    FILE.write_text(text(), encoding="utf-8")
