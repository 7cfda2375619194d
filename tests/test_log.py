"""The log: docs/reference/log.md."""

import random
import time
import tracemalloc
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import infila
from infila.conformance import log
from infila.core.log import parse
from tests.cases import cases_of
from tests.play import EXAMPLES, GAMES, every_option_set, on_trial, option_id, position_in, random_game


@pytest.fixture(scope="module", params=GAMES)
def finished(request: pytest.FixtureRequest) -> infila.Game:
    *_, game = random_game(request.param, 4, **cases_of(request.param).batch)
    return game


@pytest.mark.parametrize(
    ("name", "options"), every_option_set()[::3], ids=lambda v: v if isinstance(v, str) else option_id(v)
)
def test_a_log_replays_to_the_same_state(name: str, options: dict[str, Any]) -> None:
    log.logs_replay(on_trial(name, options, seed=3, most=150))


def test_a_finished_log_holds_the_seed_and_the_promise(finished: infila.Game) -> None:
    assert parse(finished.log).seed == "4"
    assert infila.load(finished.log).scores == finished.scores
    with pytest.raises(infila.BadLog, match="commitment promised") as caught:
        infila.load(finished.log.replace("seed: 4", "seed: 5"))
    assert caught.value.line == finished.log.count("\n")


def test_a_public_log_of_a_running_game_cannot_be_replayed() -> None:
    game = infila.new("sequence")
    game.play(game.moves[0])
    with pytest.raises(infila.InfilaError, match="has no seed"):
        infila.load(game.log)


def test_a_truncated_log_names_the_line_and_keeps_what_is_before_it(finished: infila.Game) -> None:
    text = infila.load(finished.log).save()
    lines = text.split("\n")
    cut = "\n".join(lines[:-3]) + "\n" + lines[-3][:1].replace("p", "x") + "?"
    with pytest.raises(infila.BadLog) as caught:
        infila.load(cut)
    assert caught.value.line == len(lines) - 2
    usable: Any = caught.value.usable
    assert usable.moves == finished.history[: len(usable.moves)]
    assert len(usable.moves) == len(finished.history) - 2
    assert infila.Game(usable).history == usable.moves


@pytest.mark.parametrize(
    ("text", "line", "sentence"),
    [
        ("", 1, "not an infila log"),
        ("PGN\n", 1, "not an infila log"),
        ("infila log 2\n", 1, "not an infila log"),
        ("infila log 1\n", 2, "without a line 'game'"),
        ("infila log 1\ngame: chess\nrules: 1\noptions: players=2\nseats: a | b\n", 2, "no game 'chess'"),
        ("infila log 1\ngame: zatre\nrules: 9\noptions: players=2\nseats: a | b\n", 3, "rules version '9'"),
        ("infila log 1\ngame: zatre\nrules: 1\noptions: players=7\nseats: a | b\n", 4, "players cannot be 7"),
        ("infila log 1\ngame: zatre\nrules: 1\noptions: players\nseats: a | b\n", 4, "not an option"),
        ("infila log 1\ngame: zatre\nrules: 1\noptions: players=2\nseats: a\n", 5, "1 seats for 2 players"),
        ("infila log 1\ngame: zatre\nrules: 1\noptions: players=2\nseats: a | b\n", 6, "without a line 'commitment'"),
        ("infila log 1\ngame: zatre\ngame: zatre\n", 3, "twice"),
        ("infila log 1\ncolour: red\n", 2, "not a header line"),
        ("infila log 1\ngame: zatre\nrules: 1\noptions: players=2\nseats: a | b\ncommitment: x\n", 6, "64 hex"),
        ("infila log 1\ngame: zatre\nrules: 1\noptions: players=2\nseats: a | b\nposition: {\n", 6, "JSON"),
        ("infila log 1\ngame: zatre\nrules: 1\noptions: players=2\nseats: a | b\nposition: []\n", 6, "JSON object"),
    ],
)
def test_a_foreign_or_damaged_log_names_its_line(text: str, line: int, sentence: str) -> None:
    with pytest.raises(infila.BadLog, match=sentence) as caught:
        infila.load(text + "\n")
    assert caught.value.line == line


def test_nothing_follows_the_seed(finished: infila.Game) -> None:
    with pytest.raises(infila.BadLog, match="nothing can follow"):
        infila.load(finished.log + "draw\n")


def test_a_game_from_a_position_keeps_it_in_its_log() -> None:
    *_, game = random_game("zatre", 3, most=30)
    start = infila.load(game.position)
    start.play(start.moves[0])
    assert infila.load(start.save()).states.tobytes() == start.states.tobytes()
    assert position_in(start.before()) == position_in(game)
    seen = start.view(None).log
    assert '"bag": ["?"' in seen
    assert "chance" not in seen


def test_words_and_names_survive() -> None:
    game = infila.new("take_that", players=3, seed=1, seats=["Ånna", "B: o", "computer"], words=["", "my cat", ""])
    again = infila.load(game.save())
    assert again.names == ("Ånna", "B: o", "computer")
    assert again.states.tobytes() == game.states.tobytes()
    assert again.states.tobytes() != infila.new("take_that", players=3, seed=1).states.tobytes()


def test_a_long_log_is_read_in_time_that_grows_with_its_length() -> None:
    """Each line once: copies of all lines before it would be 10,000,000,000 copies here."""
    head = infila.new("take_that", seed=1).save()
    began = time.process_time()
    assert len(parse(head + "34\n" * 100_000).moves) == 100_000
    assert time.process_time() - began < 4


def test_the_moves_of_a_game_are_held_once_by_all_its_copies() -> None:
    """Twice the moves, twice the memory, though every moment of the game is kept."""

    def held_after(moves: int) -> int:
        tracemalloc.start()
        moments = [infila.new("take_that", rounds=1000, seed=1)]
        while len(moments) <= moves:
            game = moments[-1].copy()
            game.play_action(game.actions()[0])
            moments.append(game)
        held = tracemalloc.get_traced_memory()[0]
        tracemalloc.stop()
        assert [len(moment.history) for moment in moments] == list(range(moves + 1))
        return held

    held_after(10)  # what is made only once
    assert held_after(1600) < 2.4 * held_after(800)


def test_what_changes_a_game_returns_nothing_and_what_returns_one_changes_nothing() -> None:
    """So nobody can take the one for the other: `game = game.play(move)` fails at once, and in a type checker."""
    game = infila.new("take_that", seed=7)
    changes: list[Callable[[], object]] = [
        lambda: game.play(game.moves[0]),
        lambda: game.play_action(game.actions()[0]),
        game.undo,
    ]
    assert [change() for change in changes] == [None, None, None]
    assert len(game.history) == 1
    further, earlier = game.after(*game.moves[:1]), game.before()
    assert (len(earlier.history), len(game.history), len(further.history)) == (0, 1, 2)
    with pytest.raises(infila.IllegalMove):
        game.after(game.moves[0], "nonsense")
    with pytest.raises(infila.InfilaError, match="2 moves cannot be taken back: 1 have been played"):
        game.before(2)
    assert len(game.history) == 1


def test_games_that_part_have_each_their_own_past() -> None:
    game = infila.new("take_that", seed=7)
    first, second = (game.after(move) for move in game.moves[:2])
    assert (first.history[:-1], second.history[:-1], game.history) == ((), (), ())
    assert first.history[-1] != second.history[-1]
    again = game.after(first.history[0])
    assert again.history == first.history and hash(again.history) == hash(first.history)
    further = first.after(first.moves[0])
    assert first.before().history == () and further.history[0] == again.history[0]


def test_a_seat_is_named_once(finished: infila.Game) -> None:
    game = infila.new(finished.game, seed=7)
    move = f"{game.player + 1}: {game.moves[0]}"
    assert game.why_not(move) is None
    twice = f"{game.player + 1}: {move}"
    assert game.why_not(twice) == "a move names its seat once, before one colon."
    assert game.view(game.player).why_not(twice) == game.why_not(twice)
    with pytest.raises(infila.BadLog, match="names its seat once"):
        infila.load(game.save() + twice + "\n")


@pytest.mark.parametrize(
    "wrong", [{"seats": ["a"]}, {"seats": "ab"}, {"seats": ["a|b", "c"]}, {"words": ["a\n", "b\nc"]}, {"seed": 1.5}]
)
def test_bad_names_words_and_seeds_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(infila.InfilaError):
        infila.new("take_that", players=2, **wrong)


@pytest.mark.slow
@settings(max_examples=EXAMPLES, deadline=None)
@given(data=st.data())
def test_a_damaged_log_is_refused_or_consistent(finished: infila.Game, data: st.DataObject) -> None:
    """Lines dropped, doubled, swapped, cut, or letters changed."""
    text = finished.log
    chance = data.draw(st.randoms(use_true_random=False))
    lines = text.split("\n")
    for _ in range(data.draw(st.integers(1, 3))):
        damage(lines, chance, data.draw(st.sampled_from(["drop", "double", "swap", "cut", "letter", "insert"])), data)
    try:
        game = infila.load("\n".join(lines) + "\n")
    except infila.BadLog as problem:
        assert 1 <= problem.line <= len(lines) + 2
        if problem.usable is not None:
            usable: Any = problem.usable
            assert len(usable.moves) <= len(lines)
    except infila.InfilaError as problem:
        assert str(problem)
    else:
        assert position_in(infila.load(game.save())) == position_in(game)


def damage(lines: list[str], chance: random.Random, how: str, data: st.DataObject) -> None:
    at = chance.randrange(len(lines))
    if how == "drop":
        del lines[at:][: chance.randrange(1, 4)]
        lines[at : at + 1] = []
    elif how == "double":
        lines.insert(at, lines[at])
    elif how == "swap":
        other = chance.randrange(len(lines))
        lines[at], lines[other] = lines[other], lines[at]
    elif how == "cut":
        del lines[at + 1 :]
        lines[at] = lines[at][: chance.randrange(len(lines[at]) + 1)]
    elif how == "letter" and lines[at]:
        place = chance.randrange(len(lines[at]))
        lines[at] = lines[at][:place] + chance.choice("0159 :@x>=|aZé{\\t") + lines[at][place + 1 :]
    else:
        lines.insert(at, data.draw(st.text(max_size=12)).replace("\n", " "))
    if not lines:
        lines.append("")
