"""All that has been measured in one table and one plot: what, how fast it is here, how fast a peer, and the ratio.

    python -m bench.report

Reads bench/results/*.json, which the single measurements have written; what has not been measured is left out. Prints
the table, and writes it into docs/explanation/benchmarks.md and, as a picture, docs/pictures/bench.svg.
"""

import json
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from infila.core.games import NAMES, contract_of

ROOT = Path(__file__).parents[1]
RESULTS = ROOT / "bench" / "results"
PAGE = ROOT / "docs" / "explanation" / "benchmarks.md"
PICTURE = ROOT / "docs" / "pictures" / "bench.svg"
BEGIN, END = "<!-- measured -->\n", "<!-- end of measured -->"
SIZES = ("1000", "100000")  # of batches: what fits into a cache, and what does not
STEPS = 50_000_000  # a second, on an H200, with observations and legal actions


LOADED = {
    "move": "a move until the opponent has it",
    "move_against_computer": "a move against a computer until it is acknowledged",
    "computer": "a move until the computer's answer is there",
    "watched": "a move until who looks on has it",
    "reload": "a table loaded anew",
    "talk": "a message",
    "page": "the front page",
}
BOARDGAME_IO = {"in memory": 1976, "in files": 720}  # moves a second
HURT = {
    "kill": "a server is killed",
    "stop": "a server is stopped",
    "pause": "a server sleeps",
    "kill database": "the database is killed",
    "restart": "the database is restarted",
    "freeze": "the database is frozen",
    "slow": "the database is slow",
    "full": "the database is full",
    "read only": "the database can only be read",
    "cut": "all connections to the database are ended",
    "part": "a server and the database are cut from each other",
    "jump": "a server's clock jumps",
    "two owners": "tables have two owners",
}


class Row(NamedTuple):
    """One figure. Without a peer there is no ratio, but there may be a figure that is wanted."""

    what: str
    ours: str
    peer: str = ""
    ratio: float | None = None
    wanted: str = ""
    wanted_ratio: float | None = None

    @property
    def cells(self) -> tuple[str, ...]:
        ratio = "" if self.ratio is None else times(self.ratio)
        return self.what, self.ours, self.peer, ratio, self.wanted or wanted(self.wanted_ratio)


class Group(NamedTuple):
    """Figures of one kind and of one machine."""

    title: str
    rows: list[Row]


def short(number: float) -> str:
    """Three digits, and what they are thousands of."""
    for size, letter in ((1e9, " G"), (1e6, " M"), (1e3, " k")):
        if number >= size:
            return f"{number / size:.3g}{letter}" if number < 999.5 * size else f"{number / size:,.0f}{letter}"
    return f"{number:.3g}"


def times(ratio: float) -> str:
    return f"{ratio:,.0f} ×" if ratio >= 100 else f"{ratio:.3g} ×"


def wanted(ratio: float | None) -> str:
    return "" if ratio is None else f"≥ {ratio:g} ×"


def read(name: str) -> Any:
    """What a measurement has written; nothing if there was none."""
    file = RESULTS / f"{name}.json"
    return json.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}


def title(game: str) -> str:
    return contract_of(game).title


def connect_four() -> Iterator[Row]:
    players = read("connect_four").get("players", {})
    for name, peer in players.items():
        if name != "infila":
            ours, theirs = players["infila"]["moves_per_second"], peer["moves_per_second"]
            said = f"{peer['title']} {peer['version']}: {short(theirs)}"
            yield Row("Connect Four", short(ours), said, ours / theirs, wanted_ratio=peer["wanted"])


def random_play() -> Iterator[Row]:
    measured = read("cpu")
    for game, found in measured.get("games", {}).items():
        ours, theirs = found["moves_per_second"], measured["openspiel_connect_four_moves_per_second"]
        said = f"OpenSpiel's connect_four: {short(theirs)}"
        yield Row(title(game), short(ours), said, ours / theirs, wanted_ratio=found["wanted_ratio"])


def environments() -> Iterator[Row]:
    measured = read("environments")
    for game, found in measured.get("games", {}).items():
        ours, theirs = found["moves_per_second"], measured["connect_four_v3_moves_per_second"]
        said = f"PettingZoo's connect_four_v3: {short(theirs)}"
        yield Row(title(game), short(ours), said, ours / theirs, wanted_ratio=measured["wanted_ratio"])


def batches() -> Iterator[Row]:
    measured = read("batch")
    for game, found in measured.get("games", {}).items():
        for size in SIZES:
            if size in found["by_games"]:
                speed = found["by_games"][size]["steps_per_second"]
                yield Row(f"{title(game)}, {int(size):,} games", short(speed), wanted=f"≥ {short(measured['wanted'])}")


def branching() -> Iterator[Row]:
    measured = read("branching")
    for game in NAMES:
        rates = measured.get(game, {}).get("one_core", {})
        for what, wished in (("gather", "≥ 1 M"), ("redraw", "≥ 1 M"), ("decide", "")):
            if what in rates:
                yield Row(f"{title(game)}, {what}{', casual' * (what == 'decide')}", short(rates[what]), wanted=wished)


def datasets() -> Iterator[Row]:
    measured = read("branching")
    for game in NAMES:
        found = measured.get(game, {}).get("dataset", {}).get("casual")
        if found:
            yield Row(f"{title(game)}, by `casual`", short(found["1"]["a_second_of_a_core"]), wanted="≥ 500 k")
    if "million" in measured:
        for kind in ("npz", "parquet"):
            took = measured["million"][kind]
            written, back = took["write_seconds"], took["read_seconds"]
            yield Row(f"a million moves written to .{kind}, and read back", f"{written} s, {back} s")


def searches() -> Iterator[Row]:
    for example, found in read("searches").items():
        for who, won in found.get("against_casual", {}).items():
            said = f"{won['share']:.1f} % ± {won['reach']:.1f} %"
            yield Row(f"`{example}`, {who}", said, wanted="> 50 %")


def search() -> Iterator[Row]:
    for game, found in read("search").get("games", {}).items():
        one, two = found["opening"]["simulations_per_second"], found["opening"]["on_two_cores"]
        yield Row(f"{title(game)}, two cores", short(two), f"one core: {short(one)}", two / one)


def reviews() -> Iterator[Row]:
    """How quick they are, and how true."""
    measured = read("review")
    for game, found in measured.get("quick", {}).items():
        first, whole = found["first_curve_seconds"], found["complete_seconds"]
        yield Row(
            f"{title(game)}, a first curve, a whole review", f"{first:.2g} s, {whole:.3g} s", wanted="≤ 3 s, ≤ 30 s"
        )
        share = 100 * found["played_on"] / found["simulated_in_that_time"]
        plain = f"plain simulation: {short(found['simulated_in_that_time'])}"
        yield Row(f"{title(game)}, games played on in it", f"{short(found['played_on'])}, {share:.0f} %", plain)
    for table, found in measured.get("luck", {}).items():
        mean = found["luck_of_the_first_seat"]
        said = f"{100 * mean['mean']:+.1f} ± {100 * mean['error']:.1f} % in {mean['n']:,} games"
        yield Row(f"{title_of(table)}, luck of a seat", said, wanted="0 %")
    for table, found in measured.get("blunder", {}).items():
        if found["planted"]:
            said = f"{found['found_as_the_gravest']} of {found['planted']}"
            yield Row(f"{title_of(table)}, planted blunders found as the gravest", said, wanted="≥ 95 %")


def title_of(table: str) -> str:
    game, _, players = table.partition(", ")
    return f"{title(game)}, {players}"


def server() -> Iterator[Row]:
    measured = read("server")
    if measured:
        fast, offered = measured["as_fast_as_possible"], measured["offered_500_per_second"]
        yield from saturated(f"moves a second at {measured['tables']} tables", fast["moves_per_second"])
        yield Row("of 500 moves a second, 95 % take at most", f"{offered['p95_ms']:.3g} ms")
    started = read("start")
    if started:
        begun = ("empty_clone", "an empty clone"), ("first_start", "the first start"), ("second_start", "later starts")
        for name, said in begun:
            if name not in started:
                continue
            until = started[name]["seconds_until"]
            aim = "≤ 40 s" if name == "empty_clone" else ""
            yield Row(f"until the page is there, {said}", f"{until['page']:.3g} s", wanted=aim)
            yield Row(f"a click on each of the games then, {said}", f"{_slowest_click(until):.2g} s", wanted="≤ 1 s")


def saturated(what: str, moves: float) -> Iterator[Row]:
    """Beside a peer's figures that no program here repeats: they are from an earlier measurement of ours, by the same
    method."""
    for kept, theirs in BOARDGAME_IO.items():
        peer = f"boardgame.io, {kept}, as we measured it earlier: {theirs:,}"
        yield Row(what, short(moves), peer, moves / theirs)


def load() -> Iterator[Row]:
    """Three servers on one PostgreSQL."""
    every = read("load")
    measured = every.get("3 servers", {})
    if measured:
        offered, fast = measured["open_loop"], measured["as_fast_as_possible"]
        rate, times_ = f"{offered['offered_moves_per_second']:g} moves a second", offered["milliseconds"]
        yield Row("tables", f"{measured['tables']:,}", wanted="≥ 2,000")
        yield Row("open streams", f"{measured['streams']:,}", wanted="≥ 6,000")
        for kind, said in LOADED.items():
            if "p50" in times_[kind]:
                aim = {"move": "≤ 10 ms, ≤ 100 ms"}.get(kind, "")
                half, most = times_[kind]["p50"], times_[kind]["p99"]
                yield Row(f"of {rate}: {said}, half, 99 %", f"{half:.3g} ms, {most:.3g} ms", wanted=aim)
        yield Row("memory of a stream", f"{measured['kilobytes_per_stream']:.3g} KB", wanted="≤ 60 KB")
        yield Row(
            "memory of a table, played at", f"{measured['kilobytes_per_table_played_at']:.3g} KB", wanted="≤ 100 KB"
        )
        yield Row("commits a second", short(offered["commits_per_second"]))
        if fast:
            yield from saturated("moves a second, as fast as possible", fast["moves_per_second"])
    if "hour" in every:
        begin, end = _growth(every["hour"]["open_loop"]["megabytes"])
        long = f"{every['hour']['seconds'] / 60:g} minutes"
        yield Row(f"memory in {long} of play, second and last sixth", f"{begin:.4g} MB, {end:.4g} MB")


def _growth(megabytes: list[float]) -> tuple[float, float]:
    """What was held on average in the second sixth and in the last: in the first, games begin."""
    part = max(1, len(megabytes) // 6)
    second, last = megabytes[part : 2 * part], megabytes[-part:]
    return sum(second) / len(second), sum(last) / len(last)


def faults() -> Iterator[Row]:
    measured = read("faults")
    if "lost" not in measured:  # it was not checked to the end
        return
    count, moves = measured["faults"], measured["acknowledged"]
    bad = ", ".join(str(measured[kind]) for kind in ("lost", "doubled", "never_was", "stuck", "silent_clocks"))
    what = "lost, doubled, seen though it never was, tables stuck, clocks silent"
    yield Row(f"{count} faults, {moves:,} acknowledged moves: {what}", bad)
    until = measured["seconds_until_all_play_on"]
    yield Row("until all tables play on: median, worst", f"{until['median']:.3g} s, {until['worst']:.3g} s")
    for kind, (times_, middle, worst) in measured["by_kind"].items():
        yield Row(f"{HURT[kind]}, {times_} times", f"{middle:.3g} s, {worst:.3g} s")


def clustered() -> Iterator[Row]:
    measured = read("clustered")
    for way, found in measured.get("ways", {}).items():
        same = f"the same {found['bytes']:,} bytes" if measured["same"] else "other bytes"
        yield Row(f"{found['games']:,} games of {title(measured['game'])} by {way}", f"{found['seconds']:.3g} s", same)


def _slowest_click(until: dict[str, float]) -> float:
    """Games are clicked on one after the other, the first as soon as the page is there."""
    times = list(until.values())
    return max(later - earlier for earlier, later in pairwise(times))


def solo() -> Iterator[Row]:
    for game, found in read("solo").get("games", {}).items():
        for level, cost in found["levels"].items():
            here = f"thought on the server: {cost['server']:.3g} ms, {times(cost['ratio'])}"
            yield Row(f"{title(game)}, `{level}`", f"{cost['browser']:.3g} ms", here)


def wasm() -> Iterator[Row]:
    measured = read("wasm")
    for game, found in measured.get("games", {}).items():
        for job, said in (("random_play", "random play"), ("master", "a search by `master`")):
            here, there = found[job]["wasmtime"], found[job]["chromium"]
            yield Row(
                f"{title(game)}, {said}",
                f"{100 * there:.0f} % in Chromium",
                f"{100 * here:.0f} % by wasmtime",
                wanted="≥ 70 %",
            )
    if measured:
        yield Row("all four modules, gzipped", f"{measured['gzipped'] / 1000:.0f} KB", wanted="≤ 150 KB")


def site() -> Iterator[Row]:
    """A laptop's figures beside a phone's: the limits are for the phone, but for bytes and for `master`."""
    measured = read("site")
    if not measured:
        return
    limits, laptop, phone = measured["wanted"], measured["laptop"], measured["phone"]
    useful, first = measured["useful"]["gzipped"]["bytes"], laptop["first_visit"]["bytes"]
    limit = f"≤ {short(limits['useful_bytes'])}B"
    yield Row("bytes until the front page can be read", f"{short(useful)}B", wanted=limit)
    limit = f"≤ {short(limits['first_move_bytes'])}B"
    yield Row("bytes until the first move can be made", f"{short(first)}B", wanted=limit)

    def seconds(what: str, visit: str, name: str, limit: str = "") -> Row:
        ours, slow = laptop[visit][name]["median"], phone[visit][name]["median"]
        return Row(what, f"{slow:.3g} s", f"at full speed: {ours:.3g} s", wanted=limit)

    later = f"≤ {limits['later_visit_seconds']:g} s"
    yield seconds("until the front page can be read", "first_visit", "useful_seconds")
    yield seconds("first visit, to the first move", "first_visit", "seconds", f"≤ {limits['first_visit_seconds']:g} s")
    yield seconds("later visit, to a move in the old game", "later_visits", "seconds", later)
    if "answered_seconds" in phone["later_visits"]:
        yield seconds("later visit, until a move made at once is shown", "later_visits", "answered_seconds")
    yield seconds("later visit, to a move in a new game", "later_visits", "new_game_seconds", later)
    for game, found in phone["games"].items():
        ours = laptop["games"][game]
        for name, said in (("move_ms", "a move is shown"), ("master_ms", "`master`'s answer")):
            limit = limits[name] if name == "move_ms" else limits[name]["phone"]
            full = f"at full speed: {ours[name]['median']:.3g} ms"
            yield Row(f"{title(game)}, {said}", f"{found[name]['median']:.3g} ms", full, wanted=f"≤ {limit:g} ms")


def anywhere() -> Iterator[Row]:
    """What is not about speed."""
    for game, found in read("equal").items():
        said = f"{found['games']:,} games, {found['trees']:,} trees"
        yield Row(f"{title(game)}, every byte the CPU's, in Chromium too", said, wanted="100,000 games, 1,000 trees")
    killed = read("tabs")
    if killed:
        lost = f"{killed['lost']} of {killed['shown_moves']:,}"
        yield Row(f"{killed['kills']} tabs killed: shown moves that were lost", lost, wanted="0")


def gpu_play() -> Iterator[Row]:
    measured = read("connect_four_gpu")
    if measured:
        ours, peer = measured["infila"]["moves_per_second"], measured["pgx"]
        said = f"pgx {peer['version']}: {short(peer['moves_per_second'])}"
        yield Row("Connect Four", short(ours), said, ours / peer["moves_per_second"])
    found = read("h200")
    for game in NAMES:
        if game in found:
            ours, cpu = found[game]["moves_per_second"], found[game]["cpu_moves_per_second_16_threads"]
            yield Row(title(game), short(ours), f"its 16 cores: {short(cpu)}", ours / cpu)


def gpu_batches() -> Iterator[Row]:
    found = read("h200")
    for game in NAMES:
        if game in found:
            size, most = max(found[game]["batch"]["by_games"].items(), key=lambda item: int(item[0]))
            speed = most["steps_per_second"]
            yield Row(f"{title(game)}, {int(size):,} games", short(speed), wanted=f"≥ {short(STEPS)}")


def gpu_branching() -> Iterator[Row]:
    found = read("h200")
    for game in NAMES:
        milliseconds = found[game]["batch"]["by_games"]["1000000"]["milliseconds"] if game in found else {}
        for what, wanted in (("gather", STEPS), ("redraw", STEPS), ("decide, casual", None)):
            if what in milliseconds:
                speed = 1e9 / milliseconds[what]
                yield Row(f"{title(game)}, {what}", short(speed), wanted=f"≥ {short(wanted)}" if wanted else "")


def gpu_same() -> Iterator[Row]:
    same = [
        every
        for case in read("h200_branching").values()
        if isinstance(case, dict)
        for every in case["same_as_cpu"].values()
    ]
    if same:
        yield Row("the CPU's bytes, of all that branches", f"{sum(same)} of {len(same)}", wanted=str(len(same)))


def groups() -> list[Group]:
    """Everything that has been measured."""
    every = {
        "Connect Four, like with like: random moves a second, one core": connect_four(),
        "Random play: moves a second, one core": random_play(),
        "Environments for PettingZoo: moves a second, one core": environments(),
        "Batches with observations and masks: steps a second, one core": batches(),
        "Batches that branch: games a second, one core": branching(),
        "Datasets: moves a second, one core": datasets(),
        "The searches of examples/search: share of 400 games of Take That against `casual`": searches(),
        "Search: simulations a second of `master` at the opening": search(),
        "Reviews of games of two at ± 1 %, one core of a machine with other work": reviews(),
        "The table in the browser, two cores": server(),
        "Three servers on one PostgreSQL, with programs and database on the same two cores": load(),
        "Faults on purpose at three servers on one PostgreSQL": faults(),
        "A contest by processes and by Ray: seconds, on a machine with other work": clustered(),
        "A round against a computer that thinks in the browser: the server's time": solo(),
        "Rules as WebAssembly: their share of the CPU's speed": wasm(),
        "The table without a server, on a processor four times slower": site(),
        "The table without a server: the same bytes, and nothing lost": anywhere(),
        "NVIDIA H200, random play: moves a second": gpu_play(),
        "NVIDIA H200, batches with observations and legal actions: steps a second": gpu_batches(),
        "NVIDIA H200, a batch of 1,000,000 games branches: games a second": gpu_branching(),
        "NVIDIA H200, a batch that branches": gpu_same(),
    }
    return [Group(name, rows) for name, found in every.items() if (rows := list(found))]


def markdown(found: list[Group]) -> str:
    lines = ["| | infila | peer | ratio | wanted |", "|---|--:|---|--:|--:|"]
    for group in found:
        lines.append(f"| **{group.title}** | | | | |")
        lines += [f"| {' | '.join(row.cells)} |" for row in group.rows]
    return "\n".join(lines) + "\n"


def plain(found: list[Group]) -> str:
    lines = [f"{'':<40}{'infila':>10}  {'peer':<40}{'ratio':>9}{'wanted':>9}"]
    for group in found:
        lines += ["", group.title]
        for row in group.rows:
            what, ours, peer, ratio, aim = row.cells
            lines.append(f"  {what:<38}{ours:>10}  {peer:<40}{ratio:>9}{aim:>9}")
    return "\n".join(lines)


def write_page(found: list[Group]) -> None:
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    after = rest.partition(END)[2]
    PAGE.write_text(before + BEGIN + markdown(found) + END + after, encoding="utf-8")


def plot(found: list[Group]) -> None:
    """Ratios to peers, and where they were wanted to be."""
    from infila.arena.plot import ACCENT, INK, QUIET, figure, save

    compared = [Group(g.title, [row for row in g.rows if row.ratio and "cores" not in row.what]) for g in found]
    compared = [group for group in compared if group.rows]
    height = sum(len(group.rows) + 1.4 for group in compared)
    drawing, axes = figure(figsize=(8, 0.6 + 0.27 * height))
    places, names, y = [], [], 0.0
    for group in compared:
        axes.text(0.01, y, group.title, transform=axes.get_yaxis_transform(), color=INK, fontweight="bold", va="center")
        y -= 1
        for row in group.rows:
            assert row.ratio is not None
            axes.barh(y, row.ratio - 1, left=1, color=ACCENT, height=0.62)
            axes.annotate(times(row.ratio), (row.ratio, y), (5, 0), textcoords="offset points", va="center", color=INK)
            if row.wanted_ratio:
                axes.plot([row.wanted_ratio] * 2, [y - 0.42, y + 0.42], color=INK, linewidth=1.6)
            places.append(y)
            names.append(f"{row.what} / {row.peer.rpartition(':')[0]}")
            y -= 1
        y -= 0.4
    axes.set_xscale("log")
    axes.set_xlim(0.9, 10_000)
    axes.axvline(1, color=QUIET, linewidth=0.8, zorder=0)
    axes.set_yticks(places, names, fontsize=8)
    axes.set_ylim(y + 0.6, 0.8)
    axes.set_xlabel("times as fast as the peer (logarithmic); black: what was wanted", color=INK)
    save(drawing, PICTURE)


def main() -> None:
    found = groups()
    print(plain(found))
    write_page(found)
    plot(found)


if __name__ == "__main__":
    main()
