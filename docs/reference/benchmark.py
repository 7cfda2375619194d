"""Writes the table of docs/reference/benchmark.md from the sealed files in docs/leaderboard, the best first.

python docs/reference/benchmark.py
"""

from pathlib import Path

from infila.arena.benchmark import Sealed, read

FILE = Path(__file__).with_suffix(".md")
SEALED = FILE.parents[1] / "leaderboard"
FIRST, LAST = "<!-- leaderboard -->\n", "<!-- end of leaderboard -->"
OPPONENTS = ("beginner", "casual", "club")


def row(name: str, whole: Sealed) -> str:
    shares = []
    for opponent in OPPONENTS:
        found = [entry.share for entry in whole.meetings if entry.opponent == opponent]
        shares.append(f"{100 * sum(found) / len(found):.1f} %" if found else "–")
    figures = " | ".join(shares)
    link = f"[`{whole.seal[:12]}…`](../leaderboard/{name})"
    return f"| `{whole.agent}` | {100 * whole.score:.1f} % | {figures} | {whole.forfeits} | {whole.infila} | {link} |"


def text() -> str:
    found = {file.name: read(file) for file in sorted(SEALED.glob("*.json"))}
    heading = "| agent | score | against `beginner` | `casual` | `club` | forfeits | infila | sealed |"
    lines = [heading, "|---" * 8 + "|"]
    lines += [row(name, whole) for name, whole in sorted(found.items(), key=lambda each: -each[1].score)]
    before, _, rest = FILE.read_text(encoding="utf-8").partition(FIRST)
    return f"{before}{FIRST}\n" + "\n".join(lines) + f"\n\n{LAST}{rest.partition(LAST)[2]}"


if __name__ == "__main__":
    FILE.write_text(text(), encoding="utf-8")
