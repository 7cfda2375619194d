"""Whether reviews are true, and how quick they are: many games by known players, all reviewed.

    python -m bench.review [--minutes 10] [--processes 2] [--games zatre,sequence] --out bench/results/review.json

For each game and number of players, games by two levels (and a third, and a fourth) are reviewed with few simulations:
means over many games do not need exact ones. It says whether luck is zero on average, how much of a result the parts
leave over, what the five levels lose in a decision in the same positions, and how often a planted blunder (once a game
the worst of the moves) is found to be the gravest. Each game is one task; a run ends when its minutes are over. Then
reviews of one game each are timed on one core: until there is a first curve, until they are complete, and how many
games were played on.
"""

import argparse
import json
import multiprocessing
import os
import queue
import random
import statistics
import sys
import time
from collections.abc import Iterator
from math import sqrt
from pathlib import Path
from typing import Any

import infila
from bench.games import facts_of
from infila.core.game import Game
from infila.core.games import NAMES
from infila.players import LEVELS
from infila.reviewing.choices import Choice
from infila.reviewing.judge import Judge
from infila.reviewing.ledger import Review
from infila.reviewing.reviewer import Reviewer
from infila.reviewing.sums import review_of
from infila.wasm.use import modules_in_use

MOST_PLAYERS = 4
LIGHT = 8  # simulations where only a mean over many games counts
SHARP = 400  # … where a single game counts
WORKED = 2  # the seed of the worked games
PICTURES = Path(__file__).parents[1] / "docs" / "pictures"
WORST_OF = 48  # simulations that say which move is the worst
FEW = 3  # moves that are looked at because they look good; twice as many because they do not
GRAVE = 0.2  # what a planted blunder gives away at least
EACH = 20.0  # seconds, in which what is known is written
KINDS = ("luck", "levels", "blunder")
Task = tuple[str, str, int, int]  # kind, game, players, number


def played(name: str, players: int, seed: int, levels: list[str], names: list[str] | None = None) -> Game:
    """A game by these levels."""
    game = infila.new(name, players=players, seed=seed, seats=names)
    seats = [infila.player(name, level, seed) for level in levels]
    while not game.over:
        seat = _next(game)
        game.play(seats[seat].think(game.view(seat)).move)
    return game


def _next(game: Game) -> int:
    acting = game.acting()
    return game.player if game.player in acting else min(acting)


def reviewed(game: Game, simulations: int, seats: list[int] | None = None) -> Review:
    reviewer = Reviewer(game, seats, simulations, error=1e-9)
    for _ in reviewer.work():
        pass
    return review_of(reviewer)


def luck(name: str, players: int, number: int) -> dict[str, Any]:
    """What luck alone adds up to, for each seat: with few worlds, as its mean is right with any number of them."""
    chance = random.Random(f"{name} {players} {number}")
    game = played(name, players, number, [chance.choice(LEVELS[:3]) for _ in range(players)])
    reviewer = Reviewer(game, simulations=LIGHT)
    reviewer.look_for_luck(LIGHT)
    return {"luck": [sum(lucky(reviewer, seat)) for seat in range(players)]}


def lucky(reviewer: Reviewer, seat: int) -> list[float]:
    """What came by chance, stroke by stroke."""
    chain, start = reviewer.chain(seat), reviewer.starts[seat].value
    deal = chain.arrived[0].win - start.win
    return [deal] + [
        chain.arrived[at + 1].win - chain.after[at].win
        for at, changed in enumerate(chain.changes)
        if changed is not None and reviewer.has_chance(at, seat)
    ]


def levels(name: str, players: int, number: int) -> dict[str, Any]:
    """What the levels lose in the positions of a game, and how well the parts add up."""
    chance = random.Random(f"{name} {players} {number}")
    game = played(name, players, number, [chance.choice(LEVELS) for _ in range(players)])
    found = reviewed(game, SHARP // 4)
    lost = [{each: judged.loss for each, judged in made.levels.items()} for s in found.seats for made in s.decisions]
    sums = [[seat.rest, seat.error, seat.result, seat.luck, seat.gifts, seat.losses] for seat in found.seats]
    return {"lost": [[each[level] for level in LEVELS] for each in lost if each], "sums": sums}


def blunder(name: str, players: int, number: int) -> dict[str, Any]:
    """Whether the worst of the moves, played once by somebody who otherwise plays well, is found as the gravest.

    It is planted from a random move on, where it is a real one: where it gives away more than GRAVE."""
    chance = random.Random(f"{name} {players} {number}")
    expert = infila.player(name, "expert", number)
    whole = played(name, players, number, ["club"] * players)
    at = chance.randrange(len(whole.history))
    game = infila.new(name, players=players, seed=number)
    planted, loss = 0, 0.0
    while not game.over:
        seat = _next(game)
        view = game.view(seat)
        move = expert.think(view).move
        if len(game.history) >= at and not planted and len(view.moves) > 1:
            worst, loss = worst_move(game, seat, GRAVE)
            if loss > GRAVE:
                move, planted = worst, len(game.history) + 1
        game.play(move)
    if not planted:
        return {}
    seat = _next(game.before(len(game.history) - planted + 1))
    found = reviewed(game, SHARP // 4, [seat]).seat(seat)
    gravest = max(found.decisions, key=lambda made: made.loss)
    among = any(made.number == planted for made in found.gravest(3))
    return {"found": gravest.number == planted, "first": among, "loss": loss, "gravest": gravest.loss}


def worst_move(game: Game, seat: int, least: float = 0.0) -> tuple[str, float]:
    """The worst move of a seat, and how much it gives away against the best; looked at closely if it seems to be more
    than the least."""
    view = game.view(seat)
    rated = [each.action for each in infila.player(game.game, LEVELS[0]).by_rating(view.states, seat)]
    actions = [*rated[:FEW], *rated[max(FEW, len(rated) - 2 * FEW) :]]  # the worst is hardly among the others
    options = game.contract.options.read(game.states[0])
    sides = {options.side(each) for each in range(len(game.names))}
    judge = Judge(game.contract, len(game.names), len(game.names) // len(sides), 1)
    choice = Choice(judge, view.states, seat, actions[0], actions[0])
    choice.consider(actions)
    for estimate in choice.estimates.values():
        estimate.grow(WORST_OF)
    ranked = sorted(choice.estimates, key=lambda action: choice.estimates[action].share(seat))
    worst, best = choice.estimates[ranked[0]], choice.estimates[ranked[-1]]
    if best.share(seat) - worst.share(seat) > least:
        for estimate in (worst, best):
            estimate.grow(SHARP)
    return view.text(ranked[0]).split(": ")[-1], best.above(worst)[0]


def work(task: Task) -> tuple[Task, dict[str, Any]]:
    kind, name, players, number = task
    with modules_in_use():  # as at tables
        return task, {"luck": luck, "levels": levels, "blunder": blunder}[kind](name, players, number)


def tasks(names: list[str], kinds: list[str]) -> Iterator[Task]:
    number = 0
    while True:
        number += 1
        for name in names:
            for players in numbers_of_players(name):
                for kind in kinds:
                    yield kind, name, players, number


def spread(wanted: Iterator[Task], processes: int, end: float) -> Iterator[tuple[Task, dict[str, Any]]]:
    """Tasks as they are done, on several processes, until it is late; what is not done by then is left."""
    done: queue.SimpleQueue[Any] = queue.SimpleQueue()
    with multiprocessing.get_context("spawn").Pool(processes) as pool:

        def begin() -> None:
            pool.apply_async(work, (next(wanted),), callback=done.put, error_callback=done.put)

        for _ in range(processes):
            begin()
        while (left := end - time.monotonic()) > 0:
            try:
                one = done.get(timeout=left)
            except queue.Empty:
                return
            if isinstance(one, BaseException):
                raise one
            yield one
            begin()


def numbers_of_players(name: str) -> list[int]:
    """Two, and the most that levels meet with, up to a few."""
    numbers = {table["players"] for table in facts_of(name).tables if table["players"] <= MOST_PLAYERS}
    return sorted({2, max(numbers)})


def mean(found: list[float]) -> dict[str, float]:
    """A mean, and the standard error of it."""
    error = statistics.stdev(found) / sqrt(len(found)) if len(found) > 1 else 0.0
    return {"mean": round(statistics.fmean(found), 5), "error": round(error, 5), "n": len(found)}


def summed_up(found: dict[Task, dict[str, Any]]) -> dict[str, Any]:
    tables: dict[str, Any] = {}
    for (kind, name, players, _), one in found.items():
        tables.setdefault(f"{name}, {players} players", {}).setdefault(kind, []).append(one)
    summary: dict[str, Any] = {}
    for table, kinds in sorted(tables.items()):
        row = summary[table] = {}
        if "luck" in kinds:
            row["games"] = len(kinds["luck"])
            row["luck"] = mean([statistics.fmean(one["luck"]) for one in kinds["luck"]])
            row["luck_of_the_first_seat"] = mean([one["luck"][0] for one in kinds["luck"]])
        if "levels" in kinds:
            lost = [each for one in kinds["levels"] for each in one["lost"]]
            row["lost"] = {level: mean([each[at] for each in lost]) for at, level in enumerate(LEVELS)}
            row["more_than_the_next"] = {
                level: mean([each[at] - each[at + 1] for each in lost]) for at, level in enumerate(LEVELS[:-1])
            }
            sums = [each for one in kinds["levels"] for each in one["sums"]]
            row["rest"] = mean([abs(each[0]) for each in sums])
            row["printed"] = mean([2 * each[1] for each in sums])
            row["within_what_is_printed"] = round(sum(abs(each[0]) <= 2 * each[1] for each in sums) / len(sums), 3)
            row["within_one_error"] = round(sum(abs(each[0]) <= each[1] for each in sums) / len(sums), 3)
        if "blunder" in kinds:
            planted = [one for one in kinds["blunder"] if one]
            row["blunders"] = len(planted)
            row["found_as_the_gravest"] = sum(one["found"] for one in planted)
            row["among_the_three"] = sum(one["first"] for one in planted)
    return summary


def timed(name: str) -> dict[str, Any]:
    """How long a review takes on one core: until the first curve, and until it is complete, in CPU seconds."""
    game = played(name, 2, 1, ["club", "expert"])
    reviewed(game.before(len(game.history) - 2), 2)  # whatever has to be loaded
    reviewer = Reviewer(game)
    began = time.process_time()
    first = 0.0
    for progress in reviewer.work():
        if progress.passes and not first:
            review_of(reviewer)
            first = time.process_time() - began
    review = review_of(reviewer)
    took = time.process_time() - began
    return {
        "moves": review.moves,
        "first_curve_seconds": round(first, 2),
        "complete_seconds": round(took, 1),
        "played_on": review.worlds,
        "played_on_a_second": round(review.worlds / took),
        "error_of_a_value": round(statistics.fmean(value.error for seat in review.seats for value in seat.curve), 4),
        "error_of_a_loss": round(statistics.fmean(made.error for seat in review.seats for made in seat.decisions), 4),
    }


def worked(names: list[str]) -> None:
    """The worked games of docs/explanation/review.md: their pictures, and what the command says about them."""
    from rich.console import Console

    from infila.reviewing.plot import draw
    from infila.reviewing.show import tell

    for name in names:
        game = played(name, 2, WORKED, ["casual", "expert"], ["Anna", "Bruno"])
        found = infila.review(game, simulations=SHARP)
        draw(found, game, PICTURES / f"review-{name}.svg")
        tell(found, game, Console(width=110))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--games", default=",".join(NAMES))
    parser.add_argument("--kinds", default=",".join(KINDS))
    parser.add_argument("--quick", action="store_true", help="only how quick a review is")
    parser.add_argument("--worked", action="store_true", help="only the worked games of docs/explanation/review.md")
    parser.add_argument("--out", type=Path)
    wanted = parser.parse_args()
    names = wanted.games.split(",")
    if wanted.worked:
        with modules_in_use():
            worked(names)
        return
    if wanted.quick:
        for name in names:
            with modules_in_use():
                print(kept({f"quick, {name}": timed(name)}, wanted.out), flush=True)
        return
    found: dict[Task, dict[str, Any]] = {}
    told = time.monotonic()
    for task, one in spread(tasks(names, wanted.kinds.split(",")), wanted.processes, told + 60 * wanted.minutes):
        found[task] = one
        if time.monotonic() - told > EACH:
            told = time.monotonic()
            kept({"tables": summed_up(found)}, wanted.out)
            print(f"{len(found)} games are reviewed", file=sys.stderr, flush=True)
    print(kept({"tables": summed_up(found)}, wanted.out))


def kept(summary: dict[str, Any], out: Path | None) -> str:
    """Write what is known so far, beside what a file has already."""
    text = json.dumps(summary, indent=2)
    if out:
        known = json.loads(out.read_text(encoding="utf-8")) if out.exists() else {}
        out.write_text(json.dumps(known | summary, indent=2) + "\n", encoding="utf-8")
    return text


if __name__ == "__main__":
    main()
