"""The contract is kept: everything is there, and the rules' numbers hold."""

import numpy as np

from infila.conformance.demand import demand
from infila.conformance.trial import Trial, played_out
from infila.conformance.worlds import dealt
from infila.core import driver
from infila.core.chance import Chance
from infila.core.contract import HOST, WORTH, Heuristics
from infila.core.game import new
from infila.core.games import functions_of
from infila.core.picture import Pictures
from infila.players import LEVELS


def everything_is_there(trial: Trial) -> None:
    """The modules of the contract can be imported and contain what they must."""
    contract = trial.contract
    rules, heuristics, picture = contract.rules, contract.heuristics, contract.picture
    demand(callable(contract.screen.draw), "screen.py has no draw().")
    for function in functions_of(Pictures):
        demand(callable(getattr(picture, function, None)), f"picture.py has no {function}().")
    demand(isinstance(picture.BUTTONS, tuple), "picture.py: BUTTONS must be a tuple of names of parts.")
    for function in functions_of(Heuristics):
        demand(callable(getattr(heuristics, function, None)), f"heuristics.py has no {function}().")
    demand(heuristics.SPREAD > 0, "heuristics.py: SPREAD must be above 0.")
    missing = [level for level in LEVELS if level not in heuristics.LEVELS]
    demand(not missing, f"heuristics.py: LEVELS has no {', '.join(missing)}.")
    demand(
        isinstance(rules.State, type) and issubclass(rules.State, Chance),
        "rules.py: State must be a class that inherits from infila.core.chance.Chance.",
    )
    demand(next(iter(contract.options.specs())) == "players", "options.py: the first option must be players.")
    first = rules.KIND_FIRST.tolist()
    demand(
        first == sorted(set(first)) and first[0] == 0 and first[-1] == rules.ACTIONS,
        "rules.py: KIND_FIRST must ascend from 0 to ACTIONS.",
    )
    demand(
        len(first) == len(rules.KINDS) + 1 and len(rules.KIND_WEIGHT) == len(rules.KINDS),
        "rules.py: KIND_FIRST must have one entry more than KINDS, and KIND_WEIGHT as many as KINDS.",
    )


def legal_moves_have_room(trial: Trial) -> None:
    """There are never more legal actions than MAX_LEGAL: buffers of this size are all over infila."""
    rules, chance = trial.contract.rules, np.random.default_rng(trial.seed)
    out = np.zeros(rules.MAX_LEGAL + rules.ACTIONS + 64, np.int16)  # room for much too many
    for number, options in enumerate(trial.options):
        states = dealt(trial, options, 1, first=number)
        for moves in range(trial.most):
            n = int(driver.legal_at(states, 0, out))
            demand(
                n <= rules.MAX_LEGAL,
                f"rules.py: MAX_LEGAL is {rules.MAX_LEGAL}, but after {moves} moves legal() finds {n} legal actions.",
            )
            demand(
                all(0 <= action < rules.ACTIONS for action in out[:n]),
                f"after {moves} moves: an action is not below ACTIONS.",
            )
            if n == 0:
                break
            driver.play_at(states, 0, int(chance.choice(out[:n])))


def legal_moves_are_in_order(trial: Trial) -> None:
    """Legal actions are distinct, kind after kind, and there are some unless the game is over."""
    rules = trial.contract.rules
    for game in trial.positions():
        after = f"after {len(game.history)} moves"
        actions = game.actions()
        demand(len(set(actions)) == len(actions), f"{after}: an action is legal twice.")
        kinds = np.searchsorted(rules.KIND_FIRST, actions, side="right").tolist()
        demand(kinds == sorted(kinds), f"{after}: legal() does not write kind after kind.")
        demand(
            bool(actions) != game.over, f"{after}: there must be legal actions until the game is over, and then none."
        )
        seats = {seat for _, seat in game.moves_by_seat()}
        demand(seats <= {HOST, *range(len(game.names))}, f"{after}: an action belongs to a seat that does not exist.")


def games_end(trial: Trial) -> None:
    """Random play comes to an end, and then `worth` is a fact: the best score has the greatest share."""
    for options in trial.options:
        game = new(trial.name, seed=trial.seed, **options)
        demand(played_out(game, trial.seed), "a random game does not end.")
        worth = np.zeros(16, np.int64)
        trial.contract.heuristics.worth(game.states[0], worth)
        parts = worth[: len(game.names)].tolist()
        sides = {trial.contract.options.read(game.states[0]).side(seat): parts[seat] for seat in range(len(parts))}
        demand(sum(sides.values()) == WORTH, f"worth() adds up to {sum(sides.values())} over all sides, not {WORTH}.")
        best = [seat for seat in range(len(parts)) if parts[seat] == max(parts)]
        demand(set(game.winners) <= set(best), f"worth() puts seats {best} first, but the winners are {game.winners}.")
