"""The checks that every game must pass, whether infila's own or another package's.

>>> from infila.conformance import check
>>> check("take_that", only=("wrong_options_are_refused",))

A check fails with one sentence that says what is wrong. `infila conformance GAME` runs them all from the terminal.
"""

import time
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass

from infila.conformance import (
    constancy,
    contract,
    features,
    log,
    modules,
    notation,
    options,
    pictures,
    players,
    redraws,
    scores,
    secrecy,
    sources,
    study,
    words,
)
from infila.conformance.demand import NotConforming
from infila.conformance.trial import Trial, trial_of
from infila.core.errors import InfilaError

__all__ = ["CHECKS", "Checked", "NotConforming", "Trial", "check", "run", "trial_of"]

Check = Callable[[Trial], None]

_ALL: tuple[Check, ...] = (
    contract.everything_is_there,
    contract.legal_moves_have_room,
    contract.legal_moves_are_in_order,
    contract.games_end,
    options.wrong_options_are_refused,
    options.options_have_four_forms,
    notation.moves_have_three_forms,
    notation.texts_are_moves_or_refused,
    notation.positions_are_their_json,
    notation.positions_are_playable_or_refused,
    secrecy.viewers_get_the_same_bytes,
    secrecy.the_future_is_drawn_anew,
    secrecy.redrawn_games_go_on,
    secrecy.seats_see_their_moves,
    redraws.redraws_vary,
    redraws.redraws_are_fair,
    redraws.nothing_is_forgotten,
    features.observations_are_honest,
    features.symmetries_hold,
    constancy.same_seed_same_game,
    constancy.the_past_stays,
    scores.scores_add_up,
    study.events_are_counted,
    log.logs_replay,
    log.damaged_logs_are_refused,
    players.thoughts_are_honest,
    players.ratings_are_honest,
    players.thoughts_are_the_same_on_any_cores,
    pictures.pictures_are_sound,
    pictures.symbols_are_its_own,
    words.moves_are_told,
    words.sentences_exist,
    words.languages_say_the_same,
    sources.threads_do_not_matter,
    sources.plain_python_plays_the_same,
    sources.the_cuda_simulator_plays_the_same,
    sources.rules_have_no_floats,
    modules.the_module_plays_the_same,
)
CHECKS = {one.__name__: one for one in _ALL}  #: all checks, by name
FIRST = ("everything_is_there", "legal_moves_have_room")  # without these the others cannot be made


@dataclass(frozen=True)
class Checked:
    """One check, and how it went."""

    name: str
    seconds: float
    problem: str = ""  #: what is wrong; empty if the check holds


def run(game: str, only: Collection[str] = (), trial: Trial | None = None) -> Iterator[Checked]:
    """Run all checks, or only some, one by one, whether they pass or not; but those that all others need must pass."""
    unknown = [name for name in only if name not in CHECKS]
    if unknown:
        raise InfilaError(f"there is no check {unknown[0]!r}. The checks are {', '.join(CHECKS)}.")
    trial = trial or trial_of(game)
    for name, one in CHECKS.items():
        if only and name not in only:
            continue
        start = time.perf_counter()
        problem = ""
        try:
            one(trial)
        except AssertionError as found:
            problem = str(found) or "it fails"
        except Exception as found:
            problem = f"it raises {found!r}"
        yield Checked(name, time.perf_counter() - start, problem)
        if problem and name in FIRST:
            return


def check(game: str, only: Collection[str] = (), trial: Trial | None = None) -> None:
    """Run all checks, or only some; raises NotConforming at the first one that fails."""
    for done in run(game, only, trial):
        if done.problem:
            raise NotConforming(f"{game}, {done.name}: {done.problem}")
