"""What a game that hides something can do wrong, as small mutations of Take That: run by `mutations.py`."""

from collections.abc import Callable
from typing import Any

import pytest

from infila.core.chance import random_below, seed, shuffle
from infila.games.take_that import features, heuristics, notation, rules

Patch = Callable[[pytest.MonkeyPatch], None]

OBSERVE, RATE, HIDE, REDRAW, TO_JSON = (
    features.observe,
    heuristics.rate,
    rules.hide,
    rules.redraw,
    notation.to_json,
)


def to(place: Any, name: str, value: Any) -> list[Patch]:
    return [lambda patch: patch.setattr(place, name, value)]


def observing_the_other(s: Any, viewer: Any, out: Any) -> None:
    """The lowest card of the other hand, as if it were the viewer's."""
    OBSERVE(s, viewer, out)
    out[features._HAND + features.PLACE_OF[s.hand[1 - viewer, 0]]] = 1


def observing_too_much(s: Any, viewer: Any, out: Any) -> None:
    OBSERVE(s, viewer, out)
    out[features._EXPERT] = 5


def observing_too_little(s: Any, viewer: Any, out: Any) -> None:
    kept = out[features._PILE]
    OBSERVE(s, viewer, out)
    out[features._PILE] = kept


def rating_by_the_other(s: Any, actions: Any, n: Any, ratings: Any) -> None:
    RATE(s, actions, n, ratings)
    ratings[0] += s.hand[1 - s.turn, 0]


def redrawing_nothing(s: Any, viewer: Any, key0: Any, key1: Any) -> None:
    seed(s, key0, key1)


def redrawing_the_pile(s: Any, viewer: Any, key0: Any, key1: Any) -> None:
    """The hands stay as they are."""
    seed(s, key0, key1)
    s.pile[: s.n_pile] = sorted(s.pile[: s.n_pile])
    shuffle(s, s.pile, s.n_pile)


def redrawing_in_order(s: Any, viewer: Any, key0: Any, key1: Any) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rules, "shuffle", lambda s, items, n: None)
        REDRAW(s, viewer, key0, key1)


def redrawing_twins(s: Any, viewer: Any, key0: Any, key1: Any) -> None:
    """A card that the viewer has may be dealt again."""
    REDRAW(s, viewer, key0, key1)
    if viewer >= 0 and random_below(s, 2) and s.n_pile:
        s.pile[s.n_pile - 1] = s.hand[viewer, 0]


def hiding_what_was_shown(s: Any, viewer: Any) -> None:
    """An extra card (T10) is seen by who took it, but only until the next card is drawn."""
    HIDE(s, viewer)
    if viewer >= 0 and s.n_extra[viewer] and s.n_row:
        s.extra[viewer, :] = 0


def hiding_the_row(s: Any, viewer: Any) -> None:
    """The cards of a row but the last two are forgotten."""
    HIDE(s, viewer)
    for i in range(s.n_row - 2):
        s.row[i] = 0


def losing_a_card(s: Any) -> dict[str, Any]:
    fields = TO_JSON(s)
    return fields | {"row": fields["row"][:-1]}


def losing_a_card_of_a_view(s: Any) -> dict[str, Any]:
    return losing_a_card(s) if not s.key.any() else TO_JSON(s)


MUTATIONS: dict[str, tuple[str, str, list[Patch]]] = {
    "a leak to learn from": (
        "observations_are_honest",
        "observe() in features.py tells seat 1 what it must not know: hand",
        to(features, "observe", observing_the_other),
    ),
    "out of bounds": (
        "observations_are_honest",
        "observe() in features.py writes [5] into expert, whose bounds are 0 to 1",
        to(features, "observe", observing_too_much),
    ),
    "left out": (
        "observations_are_honest",
        "observe() in features.py",
        to(features, "observe", observing_too_little),
    ),
    "a leak to play by": (
        "ratings_are_honest",
        "rate() in heuristics.py gives",
        to(heuristics, "rate", rating_by_the_other),
    ),
    "nothing redrawn": (
        "redraws_vary",
        "redraw() in rules.py does not draw pile anew for a spectator",
        to(rules, "redraw", redrawing_nothing),
    ),
    "the pile redrawn": (
        "redraws_vary",
        "redraw() in rules.py does not draw hand[0] anew for a spectator",
        to(rules, "redraw", redrawing_the_pile),
    ),
    "unshuffled": (
        "redraws_are_fair",
        "redraw() in rules.py is not fair to a spectator: pile[",
        to(rules, "redraw", redrawing_in_order),
    ),
    "twins": ("redraws_are_fair", "redraw() in rules.py is not fair to seat", to(rules, "redraw", redrawing_twins)),
    "impossible": (
        "positions_are_their_json",
        "made this position: from_json() in notation.py refuses what to_json() wrote: T1",
        to(rules, "redraw", redrawing_twins),
    ),
    "shown once": (
        "nothing_is_forgotten",
        "hide() in rules.py forgets what seat",
        to(rules, "hide", hiding_what_was_shown),
    ),
    "a row forgotten": (
        "nothing_is_forgotten",
        "hide() in rules.py forgets what",
        to(rules, "hide", hiding_the_row),
    ),
    "a card lost": (
        "positions_are_their_json",
        "from_json() in notation.py refuses what to_json() wrote",
        to(notation, "to_json", losing_a_card),
    ),
    "a card of a view lost": (
        "positions_are_their_json",
        "to_json() in notation.py: of row a view has 0 entries, and the position 1",
        to(notation, "to_json", losing_a_card_of_a_view),
    ),
}
