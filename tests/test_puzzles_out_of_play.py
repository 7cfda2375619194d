"""Puzzles out of play: what is shipped is true, what is made is made again, and files are read with care."""

import gzip
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import infila
from infila import cli
from infila.core.errors import InfilaError
from infila.core.games import NAMES, contract_of
from infila.players.player import player
from infila.puzzles import making
from infila.puzzles.attempt import Attempt, Progress, next_of
from infila.puzzles.collection import FILE, Collection, read, shipped
from infila.puzzles.finding import Finder, Moment, imagined, seen_in
from infila.puzzles.puzzle import ASKED, CLEAR, GRADES, TRIES, Puzzle, from_json
from infila.puzzles.trial import SURELY, Trial
from infila.wasm.use import modules_in_use
from infila.web import puzzle_html

LARGEST = 120_000  # bytes, of a game's file
ENOUGH = 200
SAMPLE = 3  # of a game, looked at more closely
WORLDS = 96


@pytest.fixture(autouse=True)
def without_a_compiler() -> Iterator[None]:
    with modules_in_use():
        yield


@pytest.mark.parametrize("name", NAMES)
def test_every_puzzle_is_one(name: str) -> None:
    puzzles = shipped(name)
    assert len(puzzles) >= ENOUGH and len(contract_of(name).file(FILE).read_bytes()) <= LARGEST
    assert len({seen_in(puzzle) for puzzle in puzzles}) == len(puzzles), "none twice"
    for number, puzzle in enumerate(puzzles, 1):
        view, where = puzzle.view, f"{name} {number}"
        assert {*puzzle.best, *puzzle.costs} == set(view.moves), where
        assert not set(puzzle.best) & set(puzzle.costs), where
        assert puzzle.margin >= max(CLEAR, SURELY * puzzle.error), where
        assert round(100 * puzzle.margin) == min(puzzle.costs.values()) >= round(100 * CLEAR), where
        assert len(puzzle.found) == len(ASKED) and max(puzzle.found) <= TRIES, where
        action = view.read(puzzle.best[0])
        assert view.contract.advice.reasons(view.states[0], action), where
        at_sight = player(name, "beginner").by_rating(view.states, puzzle.seat)[0].action
        assert view.text(at_sight) not in puzzle.best, where


@pytest.mark.parametrize("name", NAMES)
def test_nothing_that_the_seat_cannot_know_changes_the_page(name: str) -> None:
    for puzzle in shipped(name)[:SAMPLE]:
        game = puzzle.game()
        for seed in range(2):
            other = replace(puzzle, position=json.loads(game.redrawn(puzzle.seat, seed).position))
            assert seen_in(other) == seen_in(puzzle)
            pages = [
                puzzle_html.state(attempt, attempt.puzzle.view, "en")
                for each in (puzzle, other)
                for attempt in [Attempt(each)]
            ]
            assert pages[0] == pages[1]


@pytest.mark.parametrize("name", NAMES)
def test_the_page_says_nothing_of_the_answer_before_a_try(name: str) -> None:
    """It is the same whatever is best, and whatever moves cost."""
    for puzzle in shipped(name)[:SAMPLE]:
        moves = puzzle.view.moves
        other = replace(puzzle, best=(moves[-1],), costs=dict.fromkeys(moves[:-1], 99), margin=0.99, error=0.0)
        asked, same = (puzzle_html.state(Attempt(each), each.view, "en") for each in (puzzle, other))
        assert asked == same
        assert asked["show"] == [] and asked["wish"] == []


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_a_search_agrees(name: str) -> None:
    for puzzle in shipped(name)[:SAMPLE]:
        view = puzzle.view
        at_sight = player(name, "beginner").by_rating(view.states, puzzle.seat)[0].action
        best = view.read(puzzle.best[0])
        trial = Trial(view.contract, view.states, puzzle.seat, [best, at_sight], seed=99)
        for estimate in trial.estimates.values():
            estimate.grow(WORLDS)
        ahead, error = trial.lead(best, at_sight)
        assert ahead + 3 * error >= CLEAR, f"{name}: {puzzle.best}"


def test_moves_that_come_to_the_same_are_known() -> None:
    """Zatre: two tiles of a turn can be laid in any order; but to lay one is not to stop."""
    game = infila.new("zatre", seed=7)
    view = game.view(game.player)
    one, other = view.own_actions()[0], view.own_actions()[-1]
    trial = Trial(view.contract, view.states, game.player, view.own_actions(), seed=0)
    assert trial.comes_to_the_same(one, one)
    assert not trial.comes_to_the_same(one, other) or view.text(one)[0] == view.text(other)[0]


def test_a_world_is_made_from_what_is_seen_alone() -> None:
    game = infila.new("take_that", seed=7)
    view, other = game.view(0), game.redrawn(0, 5).view(0)
    assert imagined(view.states, 0).tobytes() == imagined(other.states, 0).tobytes()


# ---- making


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every fifth position is a puzzle, without a search."""

    def puzzle_at(self: Finder, states: Any, seat: int) -> Puzzle | None:
        self.looked_at += 1
        if self.looked_at % 5:
            return None
        view = infila.load(position(states, self)).view(seat)
        if len(view.moves) < 2:
            return None
        best, *others = view.moves
        found = json.loads(infila.load(position(imagined(view.states, seat), self)).position)
        return Puzzle(found, seat, (best,), 0.2, 0.01, dict.fromkeys(others, 20), (0, 0, 8, 8))

    monkeypatch.setattr(Finder, "puzzle_at", puzzle_at)


def position(states: Any, finder: Finder) -> dict[str, Any]:
    from infila.core.notation import position_of

    return position_of(finder.contract, states)


def run(file: Path, games: int, stop: int = 10**9) -> None:
    work = making.make("take_that", file, games, seed=3)
    for at, _progress in enumerate(work):
        if at == stop:
            break
    work.close()


def test_what_is_made_is_made_again_and_goes_on_where_it_stopped(tmp_path: Path, quick: None) -> None:
    whole, halves, cut = (tmp_path / f"{name}.gz" for name in ("whole", "halves", "cut"))
    run(whole, 3)
    run(halves, 1)
    run(halves, 2)
    run(cut, 1)
    run(cut, 2, stop=10)  # in the middle of the second game
    run(cut, 2)
    assert whole.read_bytes() == halves.read_bytes() == cut.read_bytes()
    kept = read(whole, "take_that")
    assert kept.played == {"3": 3} and len(kept.puzzles) > 3


def test_games_looked_through_side_by_side_are_taken_in_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a game before has is not added again, in whichever run it was found."""
    first, second, third = shipped("take_that")[:3]
    looked = [making.Looked(9, 2, (second, first)), making.Looked(7, 1, (first,)), making.Looked(5, 0, (third, second))]

    @contextmanager
    def games(_contract: Any, _seed: int, numbers: range, *_: Any) -> Iterator[Iterator[Any]]:
        yield ((looked[number],) for number in numbers)

    monkeypatch.setattr(making, "_games", games)
    file = tmp_path / "some.gz"
    *_, last = making.make("take_that", file, 2, processes=2)
    assert last == making.Progress(2, 16, 3, 2)
    *_, last = making.make("take_that", file, 1, processes=2)
    assert last == making.Progress(1, 5, 0, 1)
    kept = read(file, "take_that")
    assert kept.puzzles == [second, first, third] and kept.played == {"0": 3}


@pytest.mark.slow
def test_a_real_search_gives_the_same_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(making, "LATE", 0.95)
    contract = contract_of("zatre")
    found = []
    for _ in range(2):
        finder = Finder(contract, 1)
        made = [puzzle for _at, puzzle in finder.look_through(making.played(contract, 1, 2), set())]
        found.append(
            ([None if puzzle is None else puzzle.to_json() for puzzle in made], finder.looked_at, finder.tried)
        )
    assert found[0] == found[1] and found[0][1] > 5


def test_games_differ_in_players_and_options() -> None:
    import random

    for name in NAMES:
        contract = contract_of(name)
        made = [making.options_for(contract, random.Random(n)).to_dict() for n in range(200)]
        players = [each["players"] for each in made]
        assert 0.5 < players.count(2) / 200 < 0.95 and max(players) <= 4
        assert len({str(each) for each in made}) > 4


def test_one_answer_is_asked_for_once_in_a_game(quick: None) -> None:
    game = infila.new("take_that", seed=7)
    finder = Finder(game.contract)
    moments = [Moment(game.states, game.player, turn, turn + 1) for turn in range(20)]
    assert sum(puzzle is not None for _at, puzzle in finder.look_through(moments, set())) == 1


# ---- files


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"nothing",
        gzip.compress(b"", mtime=0),
        gzip.compress(b"[]\n", mtime=0),
        gzip.compress(b'{"puzzles":1}\n', mtime=0),
        gzip.compress(b'{"puzzles":1,"game":"zatre","rules":1,"played":{"0":"x"}}\n', mtime=0),
        gzip.compress(b'{"puzzles":1,"game":"zatre","rules":1,"played":[1]}\n', mtime=0),
        gzip.compress(b'{"puzzles":2,"game":"zatre","rules":1,"played":{}}\n', mtime=0),
        gzip.compress(b'{"puzzles":1,"game":"zatre","rules":1,"played":{}}\n{"position":{}}\n', mtime=0),
        gzip.compress(b'{"puzzles":1,"game":"zatre","rules":9,"played":{}}\n', mtime=0),
        gzip.compress(b'{"puzzles":1,"game":"zatre","rules":1,"played":{}}\n', mtime=0)[:-9],
        gzip.compress(b"[" * 100_000, mtime=0),
    ],
    ids=range(12),
)
def test_what_is_no_file_of_puzzles_is_refused(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "some.gz"
    file.write_bytes(content)
    with pytest.raises(InfilaError):
        read(file, "zatre")


def test_a_file_is_of_one_game(tmp_path: Path) -> None:
    file = tmp_path / "some.gz"
    Collection("zatre").write(file)
    with pytest.raises(InfilaError, match="has puzzles of Zatre"):
        read(file, "sequence")
    with pytest.raises(InfilaError, match="cannot be written"):
        Collection("zatre").write(file / "below")


def test_a_puzzle_is_read_as_it_was_written() -> None:
    puzzle = shipped("take_that")[0]
    assert from_json(json.loads(json.dumps(puzzle.to_json())), "take_that") == puzzle
    wrongs: list[Any] = [{}, [], None, puzzle.to_json() | {"best": []}, puzzle.to_json() | {"found": [1]}]
    wrongs += [puzzle.to_json() | {"seat": 0}, puzzle.to_json() | {"seat": 9}, puzzle.to_json() | {"position": {}}]
    for wrong in wrongs:
        with pytest.raises(InfilaError):
            from_json(wrong, "take_that")
    with pytest.raises(InfilaError):
        from_json(puzzle.to_json(), "zatre")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["zatre"], "--out"),
        (["zatre", "--out", "x.gz", "--games", "0"], "games"),
        (["zatre", "--out", "x.gz", "--seconds", "-1"], "--seconds"),
        (["nowhere.log"], "cannot be read"),
        (["nowhere.log", "--processes", "2"], "--processes"),
        (["zatre", "--out", "x.gz", "--processes", "0"], "--processes"),
        (["zatre", "--out", "x.gz", "--on", "moon"], "nothing can be done on"),
    ],
)
def test_the_command_says_what_is_wrong(
    arguments: list[str], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as ended:
        cli.main(["puzzles", *arguments])
    assert ended.value.code == 2 and said in capsys.readouterr().err


def test_the_command_makes_puzzles_and_keeps_them(
    tmp_path: Path, quick: None, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "take_that.gz"
    cli.main(["puzzles", "take_that", "--out", str(file), "--games", "1"])
    assert "puzzles in 1 games" in capsys.readouterr().out
    assert read(file, "take_that").puzzles

    def interrupted(*_: Any) -> Iterator[making.Progress]:
        yield making.Progress(0, 1, 0, 0)
        raise KeyboardInterrupt

    monkeypatch.setattr(making, "make", interrupted)
    with pytest.raises(SystemExit) as ended:
        cli.main(["puzzles", "take_that", "--out", str(file)])
    assert ended.value.code == 130 and "goes on where" in capsys.readouterr().err


def test_the_command_looks_through_a_game_of_ones_own(
    tmp_path: Path, quick: None, capsys: pytest.CaptureFixture[str]
) -> None:
    game = infila.new("take_that", seed=7, seats=["Anna", "Bruno"])
    for _ in range(20):
        game.play(game.moves[0])
    log, file = tmp_path / "game.log", tmp_path / "own.gz"
    log.write_text(game.save(), encoding="utf-8")
    for _ in range(2):
        cli.main(["puzzles", str(log), "--out", str(file)])
    told = capsys.readouterr().out
    assert "points of chance" in told and "played was" in told
    kept = read(file, "take_that").puzzles
    assert len({seen_in(puzzle) for puzzle in kept}) == len(kept), "the second time adds nothing twice"


# ---- trying


def puzzle_of(grade: int = 0) -> Puzzle:
    return Puzzle({}, 0, ("a",), 0.1, 0.01, {"b": 10, "c": 12}, ((8, 8, 8, 8), (1, 1, 4, 4), (0, 0, 1, 3))[grade])


def test_tries_end_with_the_right_one() -> None:
    attempt = Attempt(puzzle_of()).with_try("b").with_try("b").with_try("a").with_try("c")
    assert attempt.tries == ("b", "a") and attempt.found and attempt.over
    assert not attempt.given_up().shown
    shown = Attempt(puzzle_of()).given_up()
    assert shown.over and not shown.found and shown.with_try("a").tries == ()


def test_grades() -> None:
    assert [puzzle_of(grade).grade for grade in range(len(GRADES))] == [0, 1, 2]


def test_progress_is_read_back_and_nothing_else_is() -> None:
    progress = Progress()
    for number in (1, 4, 250):
        progress.note(number, found=True)
    progress.note(7, found=False)
    progress.note(7, found=True)  # the solution was seen
    progress.note(4, found=False)
    again = Progress.read(progress.text())
    assert again.found == {1, 4, 250} and again.shown == {7}
    for text in ("", "%", "ÿ", "A", "=" * 50, "A" * 100_000, "-_" * 10):
        assert isinstance(Progress.read(text), Progress)


def test_the_next_puzzle_is_as_hard_and_still_to_be_found() -> None:
    puzzles = [puzzle_of(grade) for grade in (0, 1, 0, 1)]
    assert next_of(puzzles, 1, Progress()) == 3
    assert next_of(puzzles, 1, Progress(found={3})) == 2
    assert next_of(puzzles, 4, Progress(found={1, 2, 3, 4})) == 1
    assert next_of(puzzles[:1], 1, Progress()) == 1
