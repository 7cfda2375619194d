"""The figures of docs/explanation/games.md: studies of all four games, how large they are, and other games beside them.

    python -m bench.in_numbers        # some minutes on two cores

Writes bench/results/games.json, the tables between the marks of the page, and its pictures. With --missing it plays
only what bench/results/games.json does not hold yet.
"""

import argparse
import json
import os
from typing import Any

from bench import example
from bench.games import facts_of
from bench.ladder import PICTURES, ROOT, between
from infila.core.games import NAMES, contract_of
from infila.study import plot, show
from infila.study.run import study

PAGE = ROOT / "docs" / "explanation" / "games.md"
RESULTS = ROOT / "bench" / "results" / "games.json"

# by whom, with which options, and how many games
TWO = {"players": 2}
BOTH = (("random", TWO, 1_000_000), ("club", TWO, 100_000))
STUDIES = (*BOTH, ("club", {"players": 3}, 20_000), ("club", {"players": 4}, 20_000))
BIG = ("lengths", "widths", "score_counts")  # left out of the results

# Known games: positions, tree, choices and moves of a game, as powers of ten and numbers; where they are from
KNOWN = (
    ("Connect Four", "no", "10^12.7", "10^21", "4", "36", "Edelkamp and Kissmann 2008; Allis 1994"),
    ("Othello", "no", "10^28", "10^58", "10", "58", "Allis 1994"),
    ("chess", "no", "10^44.7", "10^123", "35", "80", "Tromp 2021; Allis 1994"),
    ("Go, 19 × 19", "no", "10^170.3", "10^360", "250", "150", "Tromp and Farnebäck 2016; Allis 1994"),
    ("backgammon", "no, but dice", "10^20", "10^144", "", "", "Tesauro 1995; van den Herik and others 2002"),
    ("limit hold’em, two players", "yes", "10^17.5", "", "", "", "Bowling and others 2015"),
    ("bridge", "yes", "10^28.7 deals", "", "", "", "52! / 13!⁴"),
)


Study = tuple[str, dict[str, int], int]


def key(by: str, options: dict[str, int] = TWO) -> str:
    return "-".join([by, *(str(options[name]) for name in options)])


def studies(game: str) -> tuple[Study, ...]:
    if game not in NAMES:
        return BOTH
    # where the start moves from round to round, what beginning is worth in one alone
    single = facts_of(game).single if game in NAMES else None
    return (*STUDIES, *((("club", single, 100_000),) if single else ()))


def play(game: str, by: str, options: dict[str, int], games: int, threads: int) -> dict[str, Any]:
    """One study; of `club` with two players a picture, too."""
    figures = study(game, games, options, by=(by,), threads=threads).run()
    if game in NAMES and (by, options) == ("club", TWO):
        plot.draw(figures, PICTURES / f"study-{game}.svg")
    print(f"{show.title_of(figures)}, {figures.seconds:.0f} s", flush=True)
    return {name: value for name, value in show.facts(figures).items() if name not in BIG}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default=",".join((*NAMES, example.NAME)), metavar="A,B,…")
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--missing", action="store_true", help="play only what has not been played")
    wanted = parser.parse_args()
    example.bring()
    results: dict[str, dict[str, Any]] = json.loads(RESULTS.read_text()) if RESULTS.exists() else {}
    for game in wanted.only.split(","):
        found = results.setdefault(game, {})
        for by, options, games in studies(game):
            if wanted.missing and key(by, options) in found:
                continue
            found[key(by, options)] = play(game, by, options, games, wanted.threads)
            RESULTS.write_text(json.dumps(results, indent=1) + "\n")
    write_down(results)


def write_down(results: dict[str, dict[str, Any]]) -> None:
    text = PAGE.read_text(encoding="utf-8")
    text = between(text, "compared", compared(results))
    for game in NAMES:
        found = results[game]
        parts = [figures_table(found), "", places_table(game, found), "", events_table(found), "", sizes_table(game)]
        text = between(text, game, "\n".join(parts))
    PAGE.write_text(text, encoding="utf-8")


def table(headings: list[str], rows: list[list[str]]) -> str:
    return "\n".join(f"| {' | '.join(row)} |" for row in (headings, ["---"] * len(headings), *rows))


def spread(found: dict[str, Any], places: int = 1) -> str:
    return f"{found['mean']:,.{places}f} ({found['5%']:,} … {found['95%']:,}, at most {found['most']:,})"


def share(found: dict[str, float]) -> str:
    return f"{100 * found['mean']:.1f} % ({100 * found['low']:.1f} … {100 * found['high']:.1f})"


def figures_table(found: dict[str, Any]) -> str:
    both = [found[key("random")], found[key("club")]]
    rows = [
        ["games", *(f"{one['games']:,}" for one in both)],
        ["moves", *(spread(one["moves"]) for one in both)],
        ["turns", *(spread(one["turns"]) for one in both)],
        ["decisions", *(spread(one["decisions"]) for one in both)],
        ["choices at a decision", *(spread(one["choices_at_a_decision"]) for one in both)],
        ["moves without a choice", *(f"{100 * one['forced']:.1f} %" for one in both)],
        ["tree of a game", *(f"10^{one['tree']:.0f}" for one in both)],
        ["score", *(f"{one['score']['mean']:,.2f} ± {one['score']['deviation']:,.2f}" for one in both)],
        ["who begins wins", *(share(one["places"][0]) for one in both)],
        ["the win is shared", *(f"{100 * one['ties']:.2f} %" for one in both)],
        ["nobody wins", *(f"{100 * one['draws']:.2f} %" for one in both)],
    ]
    return table(["two players", "random", "`club`"], rows)


def places_table(game: str, found: dict[str, Any]) -> str:
    """Wins by place, for every number of players."""
    wanted = [(options, key(by, options)) for by, options, _ in studies(game) if by == "club"]
    every = [(options, found[name]) for options, name in wanted if name in found]
    most = max(len(one["places"]) for _, one in every)
    rows = []
    for options, one in every:
        sides = len(one["places"])
        teams = f" in {sides} teams" if sides < options["players"] else ""
        more = "".join(f", `{name}={value}`" for name, value in options.items() if name != "players")
        cells = [share(place) for place in one["places"]] + [""] * (most - sides)
        rows.append([f"{options['players']} players{teams}{more}, {one['games']:,} games", *cells])
    return table(["wins by place, `club`", *(f"place {place + 1}" for place in range(most))], rows)


def events_table(found: dict[str, Any]) -> str:
    both = [found[key("random")], found[key("club")]]
    rows = []
    for event, other in zip(both[0]["events"], both[1]["events"], strict=True):
        cells = []
        for one, study_of in ((event, both[0]), (other, both[1])):
            cells += [show.few(one["times"] / study_of["games"]), show.percent(one["games"] / study_of["games"])]
        rows.append([event["rule"], event["text"], *cells])
    return table(["rule", "what happens", "random: a game", "in games", "`club`: a game", "in games"], rows)


def sizes_table(game: str) -> str:
    return table(
        ["two players", "at most", "what is counted"],
        [[size.what, f"10^{size.digits:.1f}", size.how] for size in facts_of(game).sizes],
    )


def compared(results: dict[str, dict[str, Any]]) -> str:
    rows = []
    for game in [name for name in (*NAMES, example.NAME) if name in results]:
        one = results[game][key("club")]
        positions = f"10^{facts_of(game).sizes[1].digits:.0f}" if game in NAMES else ""
        rows.append(
            [
                f"**{contract_of(game).title}**",
                facts_of(game).hidden if game in NAMES else "no",
                positions,
                f"10^{one['tree']:.0f}",
                f"{one['choices_at_a_decision']['mean']:.0f}",
                f"{one['moves']['mean']:.0f}",
                "measured, `club`",
            ]
        )
    rows += [list(known) for known in KNOWN]
    return table(["", "hidden", "positions", "tree of a game", "choices", "moves", "source"], rows)


if __name__ == "__main__":
    main()
