"""What so many people at once would need, on paper, from what `bench.load` has measured.

    python -m bench.needs [--people 10000] [--servers 3]

The pace of people is assumed: two at a table, a move at each table every eight seconds, a stream for each person. What
a move, a table and a stream took when three servers were under load is multiplied; nothing is added for what does not
grow in proportion, so this is what is needed at least.
"""

import argparse
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

RESULTS = Path(__file__).parent / "results" / "load.json"
AT_A_TABLE = 2
SECONDS_OF_A_MOVE = 8.0  # at each table
DAY = 86400


def needs(measured: dict[str, Any], people: int, servers: int) -> Iterator[tuple[str, str]]:
    """Each need by its name."""
    open_loop, rate = measured["open_loop"], measured["open_loop"]["moves_per_second"]
    tables = people / AT_A_TABLE
    moves = tables / SECONDS_OF_A_MOVE
    memory = tables * measured["kilobytes_per_table_played_at"] + people * measured["kilobytes_per_stream"]
    yield "tables", f"{tables:,.0f}"
    yield "moves a second", f"{moves:,.0f}"
    yield "streams, and those that go through another server", f"{people:,}, {people * (1 - 1 / servers):,.0f}"
    yield "memory of tables and streams", f"{memory / 1e6:,.2g} GB"
    for who, name in (("servers", "of servers"), ("database", "of the database")):
        yield f"cores {name}", f"{moves * open_loop[f'cores_used_by_{who}'] / rate:,.2g}"
    yield "entries a second, and a day", f"{_of(open_loop, 'entries', moves):,.0f}, {DAY * moves:,.2g}"
    yield (
        "commits a second, if as many moves share one as when it was measured",
        (f"{_of(open_loop, 'commits', moves):,.0f}"),
    )


def _of(open_loop: dict[str, Any], what: str, moves: float) -> float:
    return float(moves * open_loop[f"{what}_per_second"] / open_loop["moves_per_second"])


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--people", type=int, nargs="+", default=[10_000, 1_000_000])
    parser.add_argument("--servers", type=int, default=3)
    wanted = parser.parse_args()
    if not RESULTS.exists():
        raise SystemExit("nothing has been measured yet: python -m bench.load")
    measured = json.loads(RESULTS.read_text(encoding="utf-8"))["3 servers"]
    for people in wanted.people:
        print(f"{people:,} people")
        for name, need in needs(measured, people, wanted.servers):
            print(f"  {name}: {need}")


if __name__ == "__main__":
    main()
