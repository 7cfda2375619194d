"""Observations: they tell what the viewer may know and no more, keep within their bounds, and are as symmetric as they
say."""

from typing import Any

import numpy as np

from infila.conformance.demand import NotConforming, demand
from infila.conformance.trial import Trial
from infila.conformance.worlds import dealt, hidden, redrawn, repeated, who
from infila.core import chance, driver
from infila.core.contract import Contract
from infila.core.features import Feature, Symmetry
from infila.core.record import States, copied

REDRAWS = 4
BEFORE = 99  # what is in an observation before it is written
GAMES = 8  # times the deals of a trial, for the symmetries
LENGTHS = 50  # games that are played to see how long they are
FEW = 50  # positions, below which nothing can be said about a symmetry
COLUMNS = 600  # numbers whose products are compared, at most
NOISE, FAR, MOST = 2.0, 7.0, 10.0  # deviations that mean nothing, that prove something, and that count at most


def observations_are_honest(trial: Trial) -> None:
    """An observation is the same of the whole state, of the view and of every redraw, and changes nothing; its numbers
    keep within the bounds of their features."""
    contract = trial.contract
    laid_out(contract)
    for game in trial.positions():
        for seat in range(len(game.names)):
            observed(contract, game.states, seat)


def laid_out(contract: Contract) -> None:
    features = contract.features
    offset = 0
    for feature in features.FEATURES:
        demand(feature.offset == offset, f"features.py: {feature.name} does not begin where it should: use lay_out().")
        offset += feature.size
    demand(offset == features.SIZE, f"features.py: SIZE is {features.SIZE}, but the FEATURES have {offset} numbers.")
    names = [feature.name for feature in features.FEATURES]
    demand(len(set(names)) == len(names), "features.py: two FEATURES have the same name.")


def observed(contract: Contract, states: States, seat: int) -> None:
    features = contract.features.FEATURES
    whole = observation(contract, states, 0, seat)
    for feature in features:
        numbers = whole[feature.part]
        wrong = numbers[(numbers < feature.least) | (numbers > feature.most)]
        demand(
            not len(wrong),
            f"observe() in features.py writes {wrong[:1].tolist()} into {feature.name}, whose bounds are "
            f"{feature.least} to {feature.most}.",
        )
    again = observation(contract, states, 0, seat, BEFORE - 1)
    if (again != whole).any():
        raise NotConforming(f"observe() in features.py does not write all of {first_of(features, again != whole)}.")
    others = [hidden(states[:1], seat), redrawn(repeated(states, REDRAWS), seat, 5)]
    for worlds in others:
        for i in range(len(worlds)):
            differs = observation(contract, worlds, i, seat) != whole
            if differs.any():
                raise NotConforming(
                    f"observe() in features.py tells {who(seat)} what it must not know: {first_of(features, differs)} "
                    "differs when what is hidden differs."
                )


def observation(contract: Contract, states: States, i: int, seat: int, before: int = BEFORE) -> Any:
    """An observation, written over other numbers: what is not written would be seen."""
    out = np.full(contract.features.SIZE, before, np.int8)
    was = states[i].tobytes()
    driver.observe_at(states, i, seat, out)
    demand(states[i].tobytes() == was, "observe() in features.py changes the state.")
    return out


def first_of(features: tuple[Feature, ...], wrong: Any) -> str:
    """The feature that has the first of these numbers."""
    at = int(np.flatnonzero(wrong)[0])
    return next(feature.name for feature in features if feature.part.start <= at < feature.part.stop)


def symmetries_hold(trial: Trial) -> None:
    """A symmetry is a permutation, and random games look the same through it: each number of an observation, each
    action, and each two of them together."""
    features, actions = trial.contract.features, trial.contract.rules.ACTIONS
    for number, symmetry in enumerate(features.SYMMETRIES):
        where = f"features.py: the symmetry {symmetry.name!r}"
        for given, count in ((symmetry.features, features.SIZE), (symmetry.actions, actions)):
            demand(sorted(given) == list(range(count)), f"{where} must have each number from 0 to {count - 1} once.")
        same = list(symmetry.features) == list(range(features.SIZE))
        demand(same == (number == 0), "features.py: the first of SYMMETRIES, and no other, must change nothing.")
    if len(features.SYMMETRIES) > 1:
        each = GAMES * trial.deals // len(trial.options)
        seen = [row for at, options in enumerate(trial.options) for row in sample(trial, options, each, each * at)]
        if len(seen) >= FEW:
            for symmetry in features.SYMMETRIES[1:]:
                symmetric(trial.contract, symmetry, np.array(seen))


def sample(trial: Trial, options: Any, games: int, first: int) -> list[Any]:
    """Positions of random games, one of each: what was legal, what was played, and what its player then saw. No two
    have the same deal, even if their options differ: whoever compares half of them with the rest must not meet the
    same game twice."""
    contract, rules = trial.contract, trial.contract.rules
    states, luck = dealt(trial, options, games, first), np.zeros(1, np.uint64)
    out, depths = np.zeros(rules.MAX_LEGAL, np.int16), np.random.default_rng((trial.seed, first))
    lengths = []
    for i in range(min(LENGTHS, len(states))):
        one = copied(states[i : i + 1])
        chance.seed_luck(luck, one[0])
        lengths.append(driver.playout_at(one, 0, out, luck, trial.most))
    found = []
    for i in range(len(states)):
        chance.seed_luck(luck, states[i])
        driver.playout_at(states, i, out, luck, int(depths.integers(max(lengths, default=0) + 1)))
        n = int(driver.legal_at(states, i, out))
        if n:
            action = int(depths.choice(out[:n]))
            seat = int(driver.actor_at(states, i, action))
            row = np.zeros(contract.features.SIZE + 2 * rules.ACTIONS + 1)
            row[-1] = 1  # so that each number is compared by itself, too
            row[contract.features.SIZE + out[:n]] = 1
            row[contract.features.SIZE + rules.ACTIONS + action] = 1
            driver.play_at(states, i, action)
            if seat >= 0:
                row[: contract.features.SIZE] = observation(contract, states, i, seat)
                found.append(row)
    return found


def symmetric(contract: Contract, symmetry: Symmetry, seen: Any) -> None:
    """Whether games and their mirror images can be told apart: half of them say how, the other half whether."""
    size, actions = contract.features.SIZE, contract.rules.ACTIONS
    back = np.argsort(symmetry.actions)  # an observation is looked up, an action is sent
    turned = np.concatenate([symmetry.features, size + back, size + actions + back, [size + 2 * actions]])
    columns = _some(turned, seen.any(axis=0))
    one, other = seen[:, columns], seen[:, turned[columns]]
    half = len(seen) // 2
    suspects = _suspects(one[:half], other[:half])
    score = ((one[half:] @ suspects) * one[half:] - (other[half:] @ suspects) * other[half:]).sum(axis=1)
    spread = float(score.std()) / len(score) ** 0.5
    if float(score.mean()) > FAR * spread and score.any():
        worst = np.unravel_index(int(np.abs(suspects).argmax()), suspects.shape)
        names = " and ".join(dict.fromkeys(name for at in worst if (name := _called(contract, int(columns[at])))))
        raise NotConforming(
            f"features.py: the symmetry {symmetry.name!r} is none: {len(seen)} random games differ from what it makes "
            f"of them, most of all in {names}."
        )


def _suspects(one: Any, other: Any) -> Any:
    """For every two numbers, how much more often they go together in one sample than in the other, in deviations."""
    products = [part.T @ part / len(part) for part in (one, other)]
    squares = [(part * part).T @ (part * part) / len(part) for part in (one, other)]
    spread = sum(np.maximum(square - product**2, 0) for product, square in zip(products, squares, strict=True))
    apart = products[0] - products[1]
    deviations = np.divide(apart, np.sqrt(spread / len(one)), out=np.sign(apart) * MOST, where=spread > 1e-9)
    return np.where(np.abs(deviations) < NOISE, 0.0, np.clip(deviations, -MOST, MOST))


def _some(turned: Any, used: Any) -> Any:
    """The numbers that are ever used, or enough of them, each with what it becomes."""
    used = used | used[turned]
    found: dict[int, None] = {}
    for start in np.random.default_rng(0).permutation(np.flatnonzero(used)).tolist():
        at = start
        while at not in found and len(found) < COLUMNS:
            found[at] = None
            at = int(turned[at])
    return np.array(list(found), np.int64)


def _called(contract: Contract, at: int) -> str:
    """What a number of a sample is called."""
    size, actions = contract.features.SIZE, contract.rules.ACTIONS
    if at == size + 2 * actions:
        return ""
    if at >= size:
        return f"action {(at - size) % actions}"
    return next(f.name for f in contract.features.FEATURES if f.part.start <= at < f.part.stop)
