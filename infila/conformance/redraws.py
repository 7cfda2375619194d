"""Redraws: they bring back everything that is possible, as often as the deal does, and nothing that was ruled out.

How this is proved without knowing the game. At the deal nobody has chosen anything yet, so whatever a viewer sees, the
rest is as the deal makes it. A deal that is drawn anew for a viewer is then a deal like any other: fresh deals and
redrawn ones must agree, number by number and row by row. Later this would be wrong, as moves say something about the
cards of those who chose them. There it can be proved that knowledge does not shrink: what follows from a view and a
move must be known after the move. What a viewer should have been shown, and never was, nobody can prove but the rules'
own tests.
"""

import random
from typing import Any

import numpy as np

from infila.conformance.demand import NotConforming
from infila.conformance.trial import Trial
from infila.conformance.worlds import Row, dealt, hidden, redrawn, repeated, row_at, rows_of, table, viewers, who
from infila.core import driver
from infila.core.contract import SPECTATOR
from infila.core.game import Game
from infila.core.record import States, copied

OFTEN = 0.05  # the share of deals from which a row must differ from one to the next to count as varying
EXPONENT = 25.0  # an honest game fails a single comparison with a probability of at most e to the minus this
FAR = 8.0  # standard deviations
WORLDS, MANY_WORLDS = 24, 600  # that are looked at first, and before anything is said
ENOUGH = 8  # of them in which somebody else's move is possible
VALUES = 300  # different numbers of a row, at most, for its members to be counted


def redraws_vary(trial: Trial) -> None:
    """What is hidden and differs from deal to deal differs from redraw to redraw."""
    for options in trial.options:
        states = dealt(trial, options, trial.deals)
        for viewer in viewers(int(states["players"][0])):
            varied(states, viewer)


def varied(states: States, viewer: int) -> None:
    before, seen, after = table(states), table(hidden(states, viewer)), table(redrawn(states, viewer, 1))
    for row in rows_of(states.dtype):
        part = before[:, row.part]
        erased = (seen[:, row.part] != part).any()
        differs = (part[1:] != part[:-1]).any(axis=1).mean()
        if erased and differs >= OFTEN and (after[:, row.part] == part).all():
            raise NotConforming(
                f"redraw() in rules.py does not draw {row.name} anew for {who(viewer)}: in {len(states)} deals it came "
                "back as it was. (If the viewer can work it out, hide() must not erase it.)"
            )


def redraws_are_fair(trial: Trial) -> None:
    """Deals that are drawn anew for a viewer are like fresh ones: each number, and how often a row has each value."""
    for options in trial.options:
        fresh, others = dealt(trial, options, trial.deals), dealt(trial, options, trial.deals, first=trial.deals)
        for viewer in viewers(int(fresh["players"][0])):
            fair(fresh, others, viewer)


def fair(fresh: States, others: States, viewer: int) -> None:
    rows, one, other = rows_of(fresh.dtype), table(fresh), table(redrawn(others, viewer, 2))
    erased = (table(hidden(others, viewer)) != table(others)).any(axis=0)
    for at in np.flatnonzero(erased).tolist():
        distance, bound = chi_square(one[:, at], other[:, at])
        if distance > bound:
            raise NotConforming(
                f"redraw() in rules.py is not fair to {who(viewer)}: {row_at(rows, at).number(at)} is not drawn as it "
                f"is dealt (chi-square {distance:.0f} in {len(fresh)} deals; at most {bound:.0f} by chance)."
            )
    together(one, other, [row for row in rows if erased[row.part].any()], rows, viewer)


def chi_square(one: Any, other: Any) -> tuple[float, float]:
    """How different two equally large samples of a number are, and how different they can be by chance."""
    values, which = np.unique(np.concatenate([one, other]), return_inverse=True)
    counts = np.stack([np.bincount(part, minlength=len(values)) for part in np.split(which, 2)])
    total = counts.sum(axis=0)
    common = total >= 20  # rare values are taken together
    grouped = np.concatenate([counts[:, common], counts[:, ~common].sum(axis=1, keepdims=True)], axis=1)
    sums = np.maximum(grouped.sum(axis=0), 1)
    distance = float(((grouped[0] - grouped[1]) ** 2 / sums).sum())
    freedom = grouped.shape[1]
    return distance, freedom + 2 * (EXPONENT * freedom) ** 0.5 + 2 * EXPONENT


def together(one: Any, other: Any, drawn: list[Row], rows: list[Row], viewer: int) -> None:
    """How often a value is in a row that was drawn, and at the same time in another row: a card cannot be in two."""
    values = np.unique(np.concatenate([each[:, row.part].ravel() for row in drawn for each in (one, other)] or [[0]]))
    values = values[values != 0]
    if not 0 < len(values) <= VALUES:
        return
    counted = [{row.name: members(each, row, values) for row in rows} for each in (one, other)]
    for row in drawn:
        for beside in rows:
            both = [each[row.name] * each[beside.name] for each in counted]
            products = [np.column_stack([each, each.sum(axis=1)]) for each in both]  # each value, and any
            apart = deviations(*products)
            worst = int(apart.argmax())
            if apart[worst] > FAR:
                means = [float(product[:, worst].mean()) for product in products]
                what = f"the number {values[worst]}" if worst < len(values) else "any number"
                where = row.name if beside is row else f"{row.name} and {beside.name} at once"
                raise NotConforming(
                    f"redraw() in rules.py is not fair to {who(viewer)}: {what} is in {where} {means[1]:.3f} times on "
                    f"average, but {means[0]:.3f} times in a fresh deal."
                )


def members(numbers: Any, row: Row, values: Any) -> Any:
    """How often each value is in a row, for every line of a table."""
    part = numbers[:, row.part]
    code = np.minimum(np.searchsorted(values, part), len(values) - 1)
    lines = np.arange(len(part))[:, None] * len(values)
    found = np.bincount((lines + code)[values[code] == part], minlength=len(part) * len(values))
    return found.reshape(len(part), len(values)).astype(np.float32)


def deviations(one: Any, other: Any) -> Any:
    """How far the means of two samples are apart, in standard deviations, column by column."""
    apart = np.abs(one.mean(axis=0) - other.mean(axis=0))
    spread = np.sqrt((one.var(axis=0) + other.var(axis=0)) / len(one))
    return np.divide(apart, spread, out=np.where(apart > 0, np.inf, 0.0), where=spread > 0)


def nothing_is_forgotten(trial: Trial) -> None:
    """What could be nothing else in any world that a viewer thought possible before a move is so in every world that it
    thinks possible afterwards."""
    chance = random.Random(trial.seed)
    for game in trial.positions():
        for seat in game.acting()[:2]:
            action = chance.choice(game.view(seat).own_actions())
            other = chance.choice([viewer for viewer in (SPECTATOR, *range(len(game.names))) if viewer != seat])
            for viewer in (seat, other):
                remembered(game, seat, viewer, action)


def remembered(game: Game, seat: int, viewer: int, action: int) -> None:
    rows = rows_of(game.states.dtype)
    after = copied(game.states)
    driver.play_at(after, 0, action)
    known = certain(game, after, seat, viewer, action, WORLDS, 1) & uncertain(after, viewer, WORLDS)
    if known.any():
        known &= certain(game, after, seat, viewer, action, MANY_WORLDS, ENOUGH)
    for at in np.flatnonzero(known)[:1].tolist():
        now, drawn = table(after)[0, at], table(redrawn(repeated(after, WORLDS), viewer, 1))[:, at]
        wrong = next(int(value) for value in drawn if value != now)
        raise NotConforming(
            f"hide() in rules.py forgets what {who(viewer)} has seen: after the move {game.text(action)!r} of seat "
            f"{seat + 1}, {row_at(rows, at).number(at)} can only be {now}, but redraw() makes it {wrong}. What was "
            "shown must stay in the view."
        )


def certain(game: Game, after: States, seat: int, viewer: int, action: int, count: int, least: int) -> Any:
    """For each number whether it is what it is after a move in all worlds that were possible before it.

    Others' moves are possible only in some worlds, and so they tell something about what is hidden; there, only what
    was certain before and has stayed where it was is counted. Who can tell a hidden card by counting all others was
    never shown it, and need not remember it when the pile is shuffled anew: then nothing is said.
    """
    worlds = redrawn(repeated(game.states, count), viewer, 3)
    before, now = table(game.states), table(after)
    same = (table(worlds) == before).all(axis=0)
    counted = (same & (table(hidden(game.states, viewer)) != before)[0]).any()
    possible = [i for i in range(count) if viewer == seat or allows(game, worlds, i, action)]
    if counted or len(possible) < least:
        return np.zeros(now.shape[1], bool)
    held = np.ones_like(same) if viewer == seat else same & (now == before)[0]
    for i in possible:
        driver.play_at(worlds, i, action)
    return held & (table(worlds[possible]) == now).all(axis=0)


def allows(game: Game, worlds: States, i: int, action: int) -> bool:
    """Whether an action is legal in a world."""
    out = np.zeros(game.contract.rules.MAX_LEGAL, np.int16)
    return action in out[: driver.legal_at(worlds, i, out)]


def uncertain(after: States, viewer: int, count: int) -> Any:
    """For each number whether some redraw makes it something else."""
    return (table(redrawn(repeated(after, count), viewer, 1)) != table(after)).any(axis=0)
