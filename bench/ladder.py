"""The ladder: how strong each level is, for docs/explanation/strength.md.

    python -m bench.ladder --out bench/results/ladder.json

Plays, for each game and table, every level against the one below, `casual` against random play and, with two players,
`master` against plain search with ten times its simulations; then each level against itself for the reference figures.
Games are noted in --folder as they end: after an interruption the same command goes on. Then it writes the tables into
docs/explanation/strength.md and the plots beside it.
"""

import argparse
import json
import os
import re
import sys
import time
from dataclasses import asdict
from pathlib import Path
from typing import Any

import infila
from bench.games import facts_of
from infila.arena import contest
from infila.arena.plot import ACCENT, INK, figure, ladder, save
from infila.arena.results import Results
from infila.core.games import contract_of
from infila.players import LEVELS

ROOT = Path(__file__).parents[1]
STRENGTH = ROOT / "docs" / "explanation" / "strength.md"
PICTURES = ROOT / "docs" / "pictures"

PAIRS = (
    ("beginner", "random"),
    ("casual", "random"),
    ("casual", "beginner"),
    ("club", "casual"),
    ("expert", "club"),
    ("master", "expert"),
)
# what a level must win against the one below, in percent; fewer where there is much luck
WANTED = {("casual", "random"): 90, ("club", "casual"): 65, ("expert", "club"): 60, ("master", "expert"): 55}
WANTED_LUCKY = WANTED | {("club", "casual"): 55, ("expert", "club"): 55, ("master", "expert"): 52}
TEN_TIMES = 10
# deals, at least and at most, by the stronger player; with three players a deal has six games instead of two
DEALS = {"expert": (100, 400), "master": (100, 400)}
DEALS_OF_THREE = {"expert": (40, 200), "master": (40, 200)}
CHEAP = (300, 300)
AGAINST_PLAIN = (8, 100)
ITSELF = {"expert": 60, "master": 20}


def plain(game: str) -> str:
    return f"search:{TEN_TIMES * contract_of(game).heuristics.LEVELS['master'].simulations}"


def title(game: str, options: dict[str, Any]) -> str:
    chosen = contract_of(game).options.make(options)
    sides = len({chosen.side(seat) for seat in range(options["players"])})
    teams = " in two teams" if sides == 2 < options["players"] else ""
    return f"{contract_of(game).title}, {options['players']} players{teams}"


class Ladder:
    def __init__(self, folder: Path, processes: int, most: int, adjusted: bool) -> None:
        self.folder = folder
        self.processes = processes
        self.most = most
        self.adjusted = adjusted

    def meet(self, game: str, options: dict[str, Any], players: tuple[str, ...], least: int, most: int) -> Results:
        """A contest, its games kept in a file."""
        whole = contract_of(game).options.make(options).to_dict()
        plan = contest.Contest(game, players, whole, adjusted=self.adjusted and len(players) > 1)
        least, most = min(least, self.most), min(most, self.most)
        kind = "-adjusted" if plan.adjusted else ""
        name = re.sub(r"[^\w.-]", "_", f"{game}-{options['players']}-{'-'.join(players)}{kind}.jsonl")
        started = time.time()
        results = None
        for results in contest.run(plan, most, least=least, file=self.folder / name, processes=self.processes):
            if sys.stderr.isatty():
                print(
                    f"\r{title(game, options)}: {' – '.join(players)}, deal {len(results.won)}", end="", file=sys.stderr
                )
        assert results is not None
        share = f" {100 * results.share(0, 1).mean:.1f} %" if len(players) > 1 else ""
        took = f"{len(results.won)} deals, {time.time() - started:.0f} s"
        print(f"\r{title(game, options)}: {' – '.join(players)}{share}, {took}", flush=True)
        return results

    def climb(self, game: str, options: dict[str, Any], against_plain: bool) -> dict[str, Any]:
        """All rungs of a game at one table."""
        sides = contest.Contest(game, (), self.whole(game, options)).sides()
        everybody = Results(["random", *LEVELS], sides, adjusted=self.adjusted)
        wanted = WANTED_LUCKY if facts_of(game).lucky else WANTED
        deals = DEALS_OF_THREE if options["players"] == 3 else DEALS
        duels = []
        for pair in (*PAIRS, *((("master", plain(game)),) if against_plain else ())):
            limits = AGAINST_PLAIN if pair[1] not in everybody.contestants else deals.get(pair[0], CHEAP)
            results = self.meet(game, options, pair, *limits)
            share = results.share(0, 1)
            duels.append(
                {"players": pair, "wanted": wanted.get(pair, 50), **asdict(share), "games": len(results.lines)}
            )
            if pair[1] in everybody.contestants:
                everybody.add_others(results)
        standings = everybody.standings()
        ladder(standings, title(game, options), PICTURES / f"ladder-{game}-{options['players']}.svg")
        return {"game": game, "options": options, "duels": duels, "standings": [asdict(rung) for rung in standings]}

    def whole(self, game: str, options: dict[str, Any]) -> dict[str, Any]:
        return contract_of(game).options.make(options).to_dict()

    def itself(self, game: str) -> dict[str, dict[str, float]]:
        """Each level against itself, two players."""
        found = {}
        for level in ("random", *LEVELS):
            deals = ITSELF.get(level, 300)
            lines = self.meet(game, {"players": 2}, (level,), deals, deals).lines
            scores = [score for line in lines for score in line.scores]
            first = [line.scores[0] > line.scores[1] for line in lines]
            found[level] = {
                "games": len(lines),
                "mean_score": sum(scores) / len(scores),
                "first_seat_wins": sum(first) / len(lines),
                "turns": sum(line.turns for line in lines) / len(lines),
            }
        return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, default=ROOT / "build" / "ladder")
    parser.add_argument("--only", default=",".join(infila.games()))
    parser.add_argument("--tables", type=int, default=2, help="how many tables of each game (default 2)")
    parser.add_argument("--most", type=int, default=10_000, help="deals of a contest, fewer than is usual here")
    parser.add_argument("--without-plain", action="store_true", help="leave out master against plain search")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--out", type=Path, default=ROOT / "bench" / "results" / "ladder.json")
    parser.add_argument("--adjusted", action="store_true", help="take the luck of the draw out, for fewer games")
    parser.add_argument("--agent", help="let an agent (docs/reference/agents.md) meet every level, and write nothing")
    wanted = parser.parse_args()
    if wanted.agent:
        against_levels(Ladder(wanted.folder, wanted.processes, wanted.most, wanted.adjusted), wanted)
        return
    results = json.loads(wanted.out.read_text()) if wanted.out.exists() else {}
    arena = Ladder(wanted.folder, wanted.processes, wanted.most, wanted.adjusted)
    for game in wanted.only.split(","):
        results[game] = {
            "tables": [
                arena.climb(game, options, options["players"] == 2 and not wanted.without_plain)
                for options in facts_of(game).tables[: wanted.tables]
            ],
            "itself": arena.itself(game),
        }
        wanted.out.write_text(json.dumps(results, indent=1) + "\n")
        write_down(results)


def against_levels(arena: Ladder, wanted: argparse.Namespace) -> None:
    """An agent against random play and every level, at every table."""
    for game in wanted.only.split(","):
        for options in facts_of(game).tables[: wanted.tables]:
            for level in ("random", *LEVELS):
                arena.meet(game, options, (wanted.agent, level), *DEALS.get(level, CHEAP))


def write_down(results: dict[str, Any]) -> None:
    """The tables into docs/explanation/strength.md, between its marks, and the plots of the reference figures."""
    text = STRENGTH.read_text(encoding="utf-8")
    for game, found in results.items():
        parts = []
        for table in found["tables"]:
            parts += [f"### {title(game, table['options'])}", "", duel_table(table), ""]
            parts += [f"![Ratings of the levels](../pictures/ladder-{game}-{table['options']['players']}.svg)", ""]
        parts += [reference_table(game, found["itself"])]
        parts += ["", f"![The levels against themselves](../pictures/itself-{game}.svg)"]
        text = between(text, game, "\n".join(parts))
        draw_reference(game, found["itself"])
    STRENGTH.write_text(text, encoding="utf-8")


def between(text: str, mark: str, new: str) -> str:
    first, last = f"<!-- {mark} -->", f"<!-- end of {mark} -->"
    if first not in text:
        text = f"{text.rstrip()}\n\n## {contract_of(mark).title}\n{first}\n{last}\n"
    before, _, rest = text.partition(first)
    return f"{before}{first}\n{new}\n{last}{rest.partition(last)[2]}"


def duel_table(table: dict[str, Any]) -> str:
    lines = ["| | share | 95 % interval | wanted | deals | games |", "|---|---|---|---|---|---|"]
    for duel in table["duels"]:
        a, b = duel["players"]
        interval = f"{100 * duel['low']:.1f} … {100 * duel['high']:.1f}"
        needed = f"≥ {duel['wanted']}" if duel["wanted"] > 50 else "> 50"
        lines.append(
            f"| {a} – {b} | {100 * duel['mean']:.1f} % | {interval} | {needed} | {duel['deals']} | {duel['games']} |"
        )
    return "\n".join(lines)


def reference_table(game: str, itself: dict[str, Any]) -> str:
    heading, figure_of, form = facts_of(game).reference
    lines = [f"Each level against itself, 2 players: {heading}.", ""]
    lines += [f"| {' | '.join(itself)} |", "|" + "---|" * len(itself)]
    lines += [f"| {' | '.join(form.format(figure_of(figures)) for figures in itself.values())} |"]
    lines += [f"| {' | '.join(str(figures['games']) + ' games' for figures in itself.values())} |"]
    return "\n".join(lines)


def draw_reference(game: str, itself: dict[str, Any]) -> None:
    heading, figure_of, form = facts_of(game).reference
    values = [figure_of(figures) for figures in itself.values()]
    drawing, axes = figure(figsize=(7, 2.6))
    axes.bar(list(itself), values, color=ACCENT, width=0.6)
    for x, value in enumerate(values):
        up = value >= 0
        axes.annotate(
            form.format(value),
            (x, value),
            (0, 4 if up else -4),
            textcoords="offset points",
            ha="center",
            color=INK,
            va="bottom" if up else "top",
        )
    axes.margins(y=0.2)
    axes.set_yticks([])
    axes.set_title(f"{contract_of(game).title}: {heading}", loc="left", color=INK, fontweight="bold")
    save(drawing, PICTURES / f"itself-{game}.svg")


if __name__ == "__main__":
    main()
