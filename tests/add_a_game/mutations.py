"""Every check of infila.conformance fails for a game that is broken in its way: small mutations of Connect Four.

    NUMBA_DISABLE_JIT=1 python -m pytest tests/add_a_game/mutations.py

Without the compiler a rule can be replaced while it runs; `test_conformance.py` starts this in a process of its own.
"""

import itertools
import random
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from infila.conformance import NotConforming, Trial, check, players, redraws, trial, trial_of, words
from infila.core.contract import Contract, Item, Reason
from infila.core.errors import IllegalMove
from infila.core.picture import Panel
from infila.core.words import own_words
from tests.add_a_game import mutations_hidden, packages

sys.path.insert(0, str(packages.EXAMPLE))
from infila_connect_four import features, heuristics, notation, picture, rules, scoring, story, study
from infila_connect_four.options import ConnectFourOptions

Patch = Callable[[pytest.MonkeyPatch], None]


def to(place: Any, name: str, value: Any) -> Patch:
    """A mutation: something of the game replaced."""
    return lambda patch: patch.setattr(place, name, value)


def own_rule(name: str, value: Any) -> Patch:
    """A mutation: a rule of its own where the game had the default."""
    return lambda patch: patch.setattr(rules, name, value, raising=False)


def after(function: Callable[..., Any], more: Callable[..., Any]) -> Callable[..., Any]:
    """The function, and then something more with the same arguments."""

    def both(*arguments: Any) -> Any:
        result = function(*arguments)
        changed = more(*arguments)
        return result if changed is None else changed

    return both


def raising(problem: Exception) -> Callable[..., Any]:
    def fail(*arguments: Any) -> Any:
        raise problem

    return fail


def nothing(*arguments: Any) -> None:
    """In place of something that matters."""


def switching_only(s: Any, action: Any) -> None:
    s.turn = 1 - s.turn


def with_colour(*arguments: Any) -> list[Panel]:
    first, *others = DRAW(*arguments)
    return [replace(first, svg=first.svg.replace("var(--paper)", "#FFF8EC")), *others]


def with_names(s: Any, viewer: int, names: Any, say: Any, last: Any) -> list[Panel]:
    first, *others = DRAW(s, viewer, names, say, last)
    return [replace(first, svg=first.svg.replace("</svg>", f"<text>{names[0]}</text></svg>")), *others]


def without_a_column(*arguments: Any) -> list[Panel]:
    first, *others = DRAW(*arguments)
    return [replace(first, svg=first.svg.replace("column-g", "column-h")), *others]


def with_the_key(s: Any, *arguments: Any) -> list[Panel]:
    first, *others = DRAW(s, *arguments)
    return [replace(first, svg=first.svg.replace("the board", f"the board {s.key[0]}")), *others]


def without_german(package: str, language: str) -> dict[str, dict[str, str]]:
    found = WORDS(package, language)
    return {table: dict(list(some.items())[:1]) for table, some in found.items()} if language == "de" else found


def keeps_them_all(s: Any, viewer: Any) -> None:
    """Every state that was ever looked at is changed with the latest."""
    KEPT.append(s)
    for old in KEPT:
        old.counter = len(KEPT)


def anything(s: Any, text: str, seat: int) -> int:
    """Any text is a move: if it is none, the first one that is legal."""
    free = next(column for column in range(rules.COLUMNS) if notation.height(s, column) < rules.ROWS)
    return notation.LETTERS.find(text) if len(text) == 1 else free


def without_full(contract: Contract, language: str = "en") -> dict[str, dict[str, str]]:
    found = SAID(contract, language)
    return found | {"refusals": {key: text for key, text in found["refusals"].items() if key != "full"}}


DRAW, WORDS, SAID = picture.panels, own_words, Contract.words
KEPT: list[Any] = []
COUNT = itertools.count()
MIRROR = features.SYMMETRIES
ENDLESS = [to(rules, "play", switching_only), to(trial.played_out, "__defaults__", (200,))]

MUTATIONS: dict[str, tuple[str, str, list[Patch]]] = {
    "no rate": (
        "everything_is_there",
        "heuristics.py has no rate()",
        [lambda patch: patch.delattr(heuristics, "rate")],
    ),
    "kinds": ("everything_is_there", "KIND_FIRST must ascend", [to(rules, "KIND_FIRST", np.array([0, 8]))]),
    "a level": (
        "everything_is_there",
        "LEVELS has no master",
        [to(heuristics, "LEVELS", dict.fromkeys(list(heuristics.LEVELS)[:4]))],
    ),
    "too little room": (
        "legal_moves_have_room",
        "rules.py: MAX_LEGAL is 3, but after 0 moves legal() finds 7 legal actions",
        [to(rules, "MAX_LEGAL", 3)],
    ),
    "an action too many": (
        "legal_moves_have_room",
        "an action is not below ACTIONS",
        [to(rules, "legal", after(rules.legal, lambda s, out: out.fill(7)))],
    ),
    "no symmetry": (
        "symmetries_hold",
        "the symmetry 'mirrored' is none",
        [to(features, "SYMMETRIES", (MIRROR[0], replace(MIRROR[1], features=np.roll(MIRROR[0].features, 42))))],
    ),
    "no permutation": (
        "symmetries_hold",
        "the symmetry 'mirrored' must have each number from 0 to 6 once",
        [to(features, "SYMMETRIES", (MIRROR[0], replace(MIRROR[1], actions=0 * MIRROR[0].actions)))],
    ),
    "unsaid": (
        "sentences_exist",
        "refuse() says 'full', which texts/en.toml does not have in its table [refusals]",
        [to(Contract, "words", without_full)],
    ),
    "twice": (
        "legal_moves_are_in_order",
        "legal twice",
        [to(rules, "legal", after(rules.legal, lambda s, out: out.fill(0)))],
    ),
    "too late": ("legal_moves_are_in_order", "nobody can move", [own_rule("over", lambda s: False)]),
    "too early": (
        "legal_moves_are_in_order",
        "until the game is over",
        [own_rule("over", lambda s: True)],
    ),
    "endless": ("games_end", "does not end", ENDLESS),
    "worthless": ("games_end", "worth() adds up to", [to(heuristics, "worth", nothing)]),
    "worth": (
        "games_end",
        "worth() puts seats",
        [to(heuristics, "worth", lambda s, out: out.__setitem__(2 - s.winner, 10**6))],
    ),
    "options": (
        "wrong_options_are_refused",
        "raise KeyError",
        [to(ConnectFourOptions, "_check", raising(KeyError("x")))],
    ),
    "lenient": ("wrong_options_are_refused", "are not refused", [to(ConnectFourOptions, "_check", nothing)]),
    "texts": ("options_have_four_forms", "from their texts", [to(ConnectFourOptions, "to_texts", lambda self: {})]),
    "same text": ("moves_have_three_forms", "the same text", [to(notation, "text", lambda s, action: "a")]),
    "same path": ("moves_have_three_forms", "the same path", [to(notation, "parts", lambda s, action: ("column-a",))]),
    "misread": (
        "moves_have_three_forms",
        "is read as a different action",
        [to(notation, "parse", lambda s, text, seat: 3)],
    ),
    "curt": ("texts_are_moves_or_refused", "not a sentence", [to(notation, "parse", raising(IllegalMove("", "no")))]),
    "turn": ("positions_are_their_json", "as a different position", [to(notation, "owner", lambda s, column, row: 0)]),
    "crash": (
        "positions_are_playable_or_refused",
        "raises ZeroDivisionError",
        [to(notation, "from_json", raising(ZeroDivisionError()))],
    ),
    "leak": ("viewers_get_the_same_bytes", "the state that", [to(rules, "hide", nothing)]),
    "drawn": (
        "viewers_get_the_same_bytes",
        "the picture tells",
        [to(rules, "hide", nothing), to(picture, "panels", with_the_key)],
    ),
    "future": ("the_future_is_drawn_anew", "leaves the generator", [to(rules, "hide", nothing)]),
    "fate": (
        "the_future_is_drawn_anew",
        "does not take the new",
        [to(rules, "redraw", lambda s, *rest: rules.hide(s, 0))],
    ),
    "stuck": ("redrawn_games_go_on", "does not end", ENDLESS),
    "blind": (
        "seats_see_their_moves",
        "are not the legal moves",
        [to(rules, "hide", after(rules.hide, lambda s, viewer: s.discs.fill(rules.ALL)))],
    ),
    "dice": (
        "same_seed_same_game",
        "global generators",
        [to(rules, "play", after(rules.play, lambda s, action: random.random() and None))],
    ),
    "whim": (
        "same_seed_same_game",
        "give a different game",
        [to(rules, "deal", lambda s: s.__setattr__("counter", next(COUNT)))],
    ),
    "look": (
        "the_past_stays",
        "looking at a game changes it",
        [to(rules, "legal", after(rules.legal, lambda s, out: s.__setattr__("counter", s.counter + 1)))],
    ),
    "past": ("the_past_stays", "changes a state of the past", [to(rules, "hide", keeps_them_all)]),
    "points": (
        "scores_add_up",
        "does not add up to its score",
        [to(rules, "scores", after(rules.scores, lambda s, out: out.__setitem__(0, 2)))],
    ),
    "wordless": (
        "scores_add_up",
        "no words or no rule",
        [to(scoring, "_four", lambda line: Item(1, "", "C4", Reason("four", {})))],
    ),
    "busy": (
        "events_are_counted",
        "changes the game",
        [to(study, "note", lambda before, action, after, counts: after.__setattr__("counter", 1))],
    ),
    "two alike": ("events_are_counted", "the same text", [to(study, "EVENTS", 2 * study.EVENTS)]),
    "replay": (
        "logs_replay",
        "replays to a different state",
        [to(rules, "deal", lambda s: s.__setattr__("counter", next(COUNT)))],
    ),
    "anything": ("damaged_logs_are_refused", "is accepted", [to(notation, "parse", anything)]),
    "dishonest": ("thoughts_are_honest", "when hidden things differ", [to(rules, "hide", nothing)]),
    "moody": (
        "thoughts_are_the_same_on_any_cores",
        "on two cores",
        [to(heuristics, "rate", lambda s, actions, n, ratings: ratings.fill(next(COUNT)))],
    ),
    "colour": ("pictures_are_sound", "a colour or markup of its own", [to(picture, "panels", with_colour)]),
    "markup": ("pictures_are_sound", "is not XML", [to(picture, "panels", with_names)]),
    "foreign style": (
        "symbols_are_its_own",
        "must not load anything",
        [to(Contract, "style", lambda contract: '@import "elsewhere.css";')],
    ),
    "part": (
        "pictures_are_sound",
        "needs the part column-g, which is not drawn",
        [to(picture, "panels", without_a_column)],
    ),
    "untold": (
        "moves_are_told",
        "table [moves] has no",
        [to(story, "tell", lambda s, action, after=None: Reason("flies", {}))],
    ),
    "gossip": (
        "moves_are_told",
        "described differently",
        [to(rules, "hide", after(rules.hide, lambda s, viewer: s.discs.fill(0)))],
    ),
    "note": ("moves_are_told", "more than three characters", [to(picture, "note", lambda s, action: "1234")]),
    "german": (
        "languages_say_the_same",
        "texts/de.toml, table [about] has different keys",
        [to(words, "own_words", without_german)],
    ),
}


@pytest.fixture(autouse=True)
def _installed(tmp_path: Path) -> Any:
    packages.registered(tmp_path, "connect_four", "infila_connect_four")
    with packages.on_the_path(tmp_path):
        yield


@pytest.mark.parametrize("what", MUTATIONS)
def test_a_broken_game_fails(what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    name, sentence, patches = MUTATIONS[what]
    monkeypatch.setattr(players, "PLAYERS", ("random", "club"))
    monkeypatch.setattr(players.thoughts_are_honest, "__defaults__", (2, ("random", "club")))
    monkeypatch.setattr(players.thoughts_are_the_same_on_any_cores, "__defaults__", (("club",),))
    small = trial_of("connect_four")
    KEPT.clear()
    for patch in patches:
        patch(monkeypatch)
    with pytest.raises(NotConforming) as caught:
        check("connect_four", only=(name,), trial=replace(small, options=small.options[:2], deals=40))
    assert sentence in str(caught.value)


@pytest.mark.parametrize("what", mutations_hidden.MUTATIONS)
def test_a_game_that_hides_badly_fails(what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    name, sentence, patches = mutations_hidden.MUTATIONS[what]
    for patch in patches:
        patch(monkeypatch)
    monkeypatch.setattr(redraws, "WORLDS", 8)
    monkeypatch.setattr(redraws, "MANY_WORLDS", 60)
    small = Trial("take_that", ({"players": 2, "rounds": 1, "expert": True},), often=0.5, most=30, deals=60)
    with pytest.raises(NotConforming) as caught:
        check("take_that", only=(name,), trial=small)
    assert sentence in str(caught.value)


def test_every_check_is_broken_by_something() -> None:
    """But those that need the compiler: test_conformance.py."""
    from infila.conformance import CHECKS

    compiled = {name for name, one in CHECKS.items() if one.__module__.endswith((".sources", ".modules"))}
    broken = {name for name, _, _ in (*MUTATIONS.values(), *mutations_hidden.MUTATIONS.values())}
    assert broken == set(CHECKS) - compiled
