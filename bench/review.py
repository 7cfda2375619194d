"""Whether reviews are true, and how quick they are: many games by known players, all looked at.

    python -m bench.review --minutes 8 --processes 16 --out bench/results/review.json
    python -m bench.review --minutes 8 --processes 16 --kinds luck --out bench/results/review.json
    python -m bench.review --quick --out bench/results/review.json

The first looks into everything, the second into one thing longer; what is known is written every few seconds, what a
file has of other kinds stays in it, and a run ends when its minutes are over. A task is a game; every kind gets as much
time as every other at each number of players. The kinds:

- `luck`: whether luck is nothing on average, of the first seat alone: the luck of all seats nearly cancels in any game.
- `levels`: what the five levels lose in a decision in the same positions, in the same worlds.
- `blunder`: how often the worst of the moves, planted once a game, is found to be the gravest.
- `likeness`: whole reviews of games in which every seat has some level: whose play they are said to be like, and
  whether the rest is as large as is printed.
- `coverage`: losses from few worlds next to those from many others: how often they are within one error, and two.

`--quick` times reviews of one game each on one core: until there is a first curve, until they are complete, and how
many games were played on, next to how many are simulated in that time.
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
from infila.players import LEVELS, USUAL
from infila.reviewing.choices import Choice
from infila.reviewing.judge import Estimate, Judge
from infila.reviewing.ledger import Review
from infila.reviewing.reviewer import Reviewer
from infila.reviewing.sums import review_of
from infila.reviewing.walk import Walk
from infila.wasm.use import modules_in_use

MOST_PLAYERS = 4
LIGHT = 24  # worlds where only a mean over many games counts
COMMON = 96  # … in which levels are compared
SHARP = 400  # … where a single game counts
REVIEWED = 128  # … of a whole review
SURE = 1600  # … that tell how far those from few worlds are off
WORKED = 2  # the seed of the worked games
PICTURES = Path(__file__).parents[1] / "docs" / "pictures"
WORST_OF = 48  # simulations that say which move is the worst
FEW = 3  # moves that are looked at because they look good; twice as many because they do not
GRAVE = 0.2  # what a planted blunder gives away at least
SOME = 6  # decisions of a game whose losses are measured twice
EACH = 20.0  # seconds, in which what is known is written
TINY = 1e-9
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
    reviewer = Reviewer(game, seats, simulations)
    for _ in reviewer.work():
        pass
    return review_of(reviewer)


def luck(name: str, players: int, number: int) -> dict[str, Any]:
    """What luck alone adds up to: with few worlds, as its mean is right with any number of them."""
    game = played(name, players, number, [USUAL] * players)
    reviewer = Reviewer(game, [0], simulations=LIGHT)
    reviewer.look_for_luck(LIGHT)
    return {"luck": sum(lucky(reviewer, 0))}


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
    """By how much the moves of the levels fall short of those of the strongest, in the positions of a game."""
    chance = random.Random(f"{name} {players} {number}")
    walk = Walk(played(name, players, number, [chance.choice(LEVELS) for _ in range(players)]))
    judge = judge_of(walk.game)
    thinking = [infila.player(name, level, number) for level in LEVELS]
    lost = []
    for at, seat in enumerate(walk.movers):
        if len(walk.choices(at)) > 1:
            hidden = walk.seen(at, seat)
            moves = [level.choose(hidden, seat) for level in thinking]
            found = {move: Estimate(judge, hidden, seat, seat, move, learns=True) for move in moves}
            if len(found) > 1:
                for estimate in found.values():
                    estimate.grow(COMMON)
            lost.append([found[moves[-1]].above(found[move])[0] for move in moves])
    return {"lost": lost}


def likeness(name: str, players: int, number: int) -> dict[str, Any]:
    """Whose play the moves of each seat are said to be like, and how well the parts add up."""
    chance = random.Random(f"{name} {players} {number}")
    whose = [chance.randrange(len(LEVELS)) for _ in range(players)]
    game = played(name, players, number, [LEVELS[each] for each in whose])
    found = reviewed(game, REVIEWED)
    return {
        "like": [
            [whose[seat.seat], seat.like.place, seat.like.low, seat.like.high]
            for seat in found.seats
            if seat.like is not None
        ],
        "sums": [[seat.rest, seat.error, seat.result, seat.luck, seat.gifts, seat.losses] for seat in found.seats],
    }


def coverage(name: str, players: int, number: int) -> dict[str, Any]:
    """How far losses from few worlds are from those from many other worlds, and how far they are said to be off."""
    chance = random.Random(f"{name} {players} {number}")
    game = played(name, players, number, [chance.choice(LEVELS) for _ in range(players)])
    few, many = (Reviewer(game, simulations=size, seed=size) for size in (REVIEWED, SURE))
    for reviewer in (few, many):
        for _ in reviewer.look_through():
            pass
    found = []
    for at in chance.sample(sorted(few.choices), min(SOME, len(few.choices))):
        for reviewer in (few, many):
            reviewer.widen(at)
            reviewer.choices[at].grow(reviewer.simulations)
        (loss, error), (truth, doubt) = few.choices[at].loss, many.choices[at].loss
        found.append([loss - truth, sqrt(error**2 + doubt**2)])
    return {"apart": found}


def blunder(name: str, players: int, number: int) -> dict[str, Any]:
    """Whether the worst of the moves, played once by somebody who otherwise plays well, is found as the gravest.

    It is planted from a random move on, where it is a real one: where it gives away more than GRAVE."""
    chance = random.Random(f"{name} {players} {number}")
    expert = infila.player(name, "expert", number)
    whole = played(name, players, number, ["club"] * players)
    at = chance.randrange(len(whole.history))
    game = infila.new(name, players=players, seed=number)
    planted, by, loss = 0, 0, 0.0
    while not game.over:
        seat = _next(game)
        view = game.view(seat)
        move = expert.think(view).move
        if len(game.history) >= at and not planted and len(view.moves) > 1:
            worst, loss = worst_move(game, seat, GRAVE)
            if loss > GRAVE:
                move, planted, by = worst, len(game.history) + 1, seat
        game.play(move)
    if not planted:
        return {}
    reviewer = Reviewer(game, [by], REVIEWED)
    reviewer.look_for_losses(REVIEWED)
    losses = {at + 1: choice.loss[0] for at, choice in reviewer.choices.items() if choice.seat == by}
    gravest = sorted(losses, key=lambda each: -losses[each])
    return {"found": gravest[0] == planted, "among": planted in gravest[:3], "loss": loss}


KINDS = {"luck": luck, "levels": levels, "blunder": blunder, "likeness": likeness, "coverage": coverage}


def judge_of(game: Game, seed: int = 1) -> Judge:
    players = len(game.names)
    options = game.contract.options.read(game.states[0])
    return Judge(game.contract, players, players // len({options.side(each) for each in range(players)}), seed)


def worst_move(game: Game, seat: int, least: float = 0.0) -> tuple[str, float]:
    """The worst move of a seat, and how much it gives away against the best; looked at closely if it seems to be more
    than the least."""
    view = game.view(seat)
    rated = [each.action for each in infila.player(game.game, LEVELS[0]).by_rating(view.states, seat)]
    actions = [*rated[:FEW], *rated[max(FEW, len(rated) - 2 * FEW) :]]  # the worst is hardly among the others
    choice = Choice(judge_of(game), view.states, seat, actions[0], actions[0])
    choice.consider(actions)
    for estimate in choice.estimates.values():
        estimate.grow(WORST_OF)
    ranked = sorted(choice.estimates, key=lambda action: choice.estimates[action].share(seat))
    worst, best = choice.estimates[ranked[0]], choice.estimates[ranked[-1]]
    if best.share(seat) - worst.share(seat) > least:
        for estimate in (worst, best):
            estimate.grow(SHARP)
    return view.text(ranked[0]).split(": ")[-1], best.above(worst)[0]


def work(task: Task) -> tuple[Task, dict[str, Any], float]:
    kind, name, players, number = task
    began = time.monotonic()
    with modules_in_use():  # as at tables
        found = KINDS[kind](name, players, number)
    return task, found, time.monotonic() - began


class Tasks:
    """What comes next: whatever has had the least time so far."""

    def __init__(self, names: list[str], kinds: list[str]) -> None:
        tables = [(name, players) for name in names for players in numbers_of_players(name)]
        self._spent = {(kind, *table): 0.0 for kind in kinds for table in tables}
        self._numbers = dict.fromkeys(self._spent, 0)
        self._took = dict.fromkeys(self._spent, 1.0)  # seconds, of the last one

    def next(self) -> Task:
        one = min(self._spent, key=lambda each: (self._spent[each], each))
        self._numbers[one] += 1
        self._spent[one] += self._took[one]
        return *one, self._numbers[one]

    def done(self, task: Task, seconds: float) -> None:
        one = task[:3]
        self._spent[one] += seconds - self._took[one]
        self._took[one] = seconds


def spread(wanted: Tasks, processes: int, end: float) -> Iterator[tuple[Task, dict[str, Any]]]:
    """Tasks as they are done, on several processes, until it is late; what is not done by then is left."""
    done: queue.SimpleQueue[Any] = queue.SimpleQueue()
    with multiprocessing.get_context("spawn").Pool(processes) as pool:

        def begin() -> None:
            pool.apply_async(work, (wanted.next(),), callback=done.put, error_callback=done.put)

        for _ in range(processes):
            begin()
        while (left := end - time.monotonic()) > 0:
            try:
                one = done.get(timeout=left)
            except queue.Empty:
                return
            if isinstance(one, BaseException):
                raise one
            task, found, seconds = one
            wanted.done(task, seconds)
            begin()
            yield task, found


def numbers_of_players(name: str) -> list[int]:
    """Two, and the most that levels meet with, up to a few."""
    numbers = {table["players"] for table in facts_of(name).tables if table["players"] <= MOST_PLAYERS}
    return sorted({2, max(numbers)})


def mean(found: list[float]) -> dict[str, float]:
    """A mean, and the standard error of it."""
    if not found:
        return {"n": 0}
    error = statistics.stdev(found) / sqrt(len(found)) if len(found) > 1 else 0.0
    return {"mean": round(statistics.fmean(found), 5), "error": round(error, 5), "n": len(found)}


def covered(apart: list[float], errors: list[float]) -> dict[str, float]:
    """How often something is within one error, and two, which are what it is said to be off by."""
    if not apart:
        return {"n": 0}
    row = {"mean": round(statistics.fmean(map(abs, apart)), 4), "error": round(statistics.fmean(errors), 4)}
    for text, times in (("within_one_error", 1), ("within_two", 2)):
        row[text] = round(sum(abs(a) <= times * b + TINY for a, b in zip(apart, errors, strict=True)) / len(apart), 3)
    return row | {"n": len(apart)}


def summed_up(found: dict[Task, dict[str, Any]]) -> dict[str, Any]:
    """By kind and table."""
    by_kind: dict[str, dict[str, list[dict[str, Any]]]] = {}
    for (kind, name, players, _), one in found.items():
        by_kind.setdefault(kind, {}).setdefault(f"{name}, {players} players", []).append(one)
    rows = {
        "luck": luck_row,
        "levels": levels_row,
        "blunder": blunder_row,
        "likeness": likeness_row,
        "coverage": coverage_row,
    }
    return {
        kind: {table: rows[kind](ones) for table, ones in sorted(tables.items())}
        for kind, tables in sorted(by_kind.items())
    }


def luck_row(found: list[dict[str, Any]]) -> dict[str, Any]:
    return {"luck_of_the_first_seat": mean([one["luck"] for one in found])}


def levels_row(found: list[dict[str, Any]]) -> dict[str, Any]:
    """Errors are those of means over games, as the decisions of one game have much in common."""
    games = [one["lost"] for one in found if one["lost"]]
    count = sum(len(lost) for lost in games)

    def of(weights: dict[int, int]) -> dict[str, float]:
        sums = [sum(weight * row[at] for row in lost for at, weight in weights.items()) for lost in games]
        each = sum(sums) / count
        off = [total - each * len(lost) for total, lost in zip(sums, games, strict=True)]
        error = sqrt(sum(one**2 for one in off) * len(games) / max(1, len(games) - 1)) / count
        return {"mean": round(each, 5), "error": round(error, 5)}

    if not count:
        return {"games": 0}
    return {
        "games": len(games),
        "decisions": count,
        "behind_master": {level: of({at: 1}) for at, level in enumerate(LEVELS)},
        "more_than_the_next": {level: of({at: 1, at + 1: -1}) for at, level in enumerate(LEVELS[:-1])},
    }


def blunder_row(found: list[dict[str, Any]]) -> dict[str, Any]:
    planted = [one for one in found if one]
    return {
        "planted": len(planted),
        "found_as_the_gravest": sum(one["found"] for one in planted),
        "among_the_three": sum(one["among"] for one in planted),
    }


def likeness_row(found: list[dict[str, Any]]) -> dict[str, Any]:
    like = [each for one in found for each in one["like"]]
    sums = [each for one in found for each in one["sums"]]
    return {
        "games": len(found),
        "place": {level: mean([each[1] for each in like if each[0] == at]) for at, level in enumerate(LEVELS)},
        "in_the_interval": round(sum(low <= own <= high for own, _, low, high in like) / max(1, len(like)), 3),
        "rest": covered([each[0] for each in sums], [each[1] for each in sums]),
        "signed_rest": mean([one["sums"][0][0] for one in found]),
    }


def coverage_row(found: list[dict[str, Any]]) -> dict[str, Any]:
    apart = [each for one in found for each in one["apart"]]
    return {"loss": covered([each[0] for each in apart], [each[1] for each in apart])}


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
        "simulated_in_that_time": round(took * simulated_a_second(game)),
        "error_of_a_value": round(statistics.fmean(value.error for seat in review.seats for value in seat.curve), 4),
        "error_of_a_loss": round(statistics.fmean(made.error for seat in review.seats for made in seat.decisions), 4),
    }


def simulated_a_second(game: Game) -> float:
    """Plain simulation: games that are played on from the deal of a game, everybody by ratings."""
    walk = Walk(game)
    began = time.process_time()
    Estimate(judge_of(game), walk.seen(0, 0), 0, 0).grow(SHARP)
    return SHARP / (time.process_time() - began)


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
                print(kept({"quick": {name: timed(name)}}, wanted.out), flush=True)
        return
    found: dict[Task, dict[str, Any]] = {}
    told = time.monotonic()
    wanted_tasks = Tasks(names, wanted.kinds.split(","))
    for task, one in spread(wanted_tasks, wanted.processes, told + 60 * wanted.minutes):
        found[task] = one
        if time.monotonic() - told > EACH:
            told = time.monotonic()
            kept(summed_up(found), wanted.out)
            print(f"{len(found)} games are looked at", file=sys.stderr, flush=True)
    print(kept(summed_up(found), wanted.out))


def kept(summary: dict[str, Any], out: Path | None) -> str:
    """Write what is known so far, beside what a file has already."""
    text = json.dumps(summary, indent=2)
    if out:
        known = json.loads(out.read_text(encoding="utf-8")) if out.exists() else {}
        for kind, tables in summary.items():
            known[kind] = known.get(kind, {}) | tables
        out.write_text(json.dumps(known, indent=2) + "\n", encoding="utf-8")
    return text


if __name__ == "__main__":
    main()
