"""The arena: fair line-ups, sound statistics, nothing lost when it is interrupted."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import infila
from infila import cli
from infila.arena import contest
from infila.arena.results import FEWEST_DEALS, GameLine, Results, student


def plan(game: str, who: str, **options: object) -> contest.Contest:
    from infila.core.games import contract_of

    return contest.Contest(game, tuple(who.split(",")), contract_of(game).options.make(options).to_dict())


@pytest.mark.parametrize(
    ("game", "players", "options", "line_ups"),
    [
        ("zatre", "a,b", {"players": 2}, [(0, 1), (1, 0)]),
        ("zatre", "a,b,c", {"players": 2}, [(0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1)]),
        ("zatre", "a,b", {"players": 4, "teams": True}, [(0, 0, 1, 1), (1, 1, 0, 0)]),
        ("sequence", "a,b", {"players": 4}, [(0, 1, 0, 1), (1, 0, 1, 0)]),
        ("take_that", "a,b,c", {"players": 3}, [(0, 1, 2), (1, 2, 0), (2, 0, 1)]),
    ],
)
def test_line_ups(game: str, players: str, options: dict[str, object], line_ups: list[tuple[int, ...]]) -> None:
    assert plan(game, players, **options).line_ups() == line_ups


def test_everybody_sits_everywhere_equally_often() -> None:
    for seats in (3, 4, 5, 6):
        for players in ("a,b", "a,b,c"):
            line_ups: Any = np.array(plan("zatre", players, players=seats).line_ups())
            for player in range(players.count(",") + 1):
                counts = (line_ups == player).sum(0)
                assert len(set(counts.tolist())) == 1


def deals(count: int, strength: float, seed: int) -> Results:
    """Games of two players of whom the first wins so often."""
    chance = np.random.Generator(np.random.PCG64(seed))
    results = Results(("a", "b"), (0, 1))
    for deal in range(count):
        lines = []
        for seats in ((0, 1), (1, 0)):
            first = bool(chance.random() < strength) == (seats[0] == 0)
            scores = (1, 0) if first else (0, 1)
            lines.append(GameLine(deal, seats, scores, (1, 1), (0.1, 0.1), 10, 8))
        results.add_deal(lines)
    return results


def test_intervals_hold_what_they_promise() -> None:
    inside = [share.low < 0.6 < share.high for share in (deals(100, 0.6, seed).share(0, 1) for seed in range(300))]
    assert np.mean(inside) > 0.91


def test_equal_players_are_hardly_ever_called_unequal_however_often_one_looks() -> None:
    wrong = 0
    for seed in range(60):
        every = deals(150, 0.5, seed)
        looked = Results(("a", "b"), (0, 1))
        for deal in range(150):
            looked.won.append(every.won[deal])
            looked.met.append(every.met[deal])
            if deal >= FEWEST_DEALS and looked.decided:
                wrong += 1
                break
    assert wrong <= 6
    assert deals(150, 0.75, 1).decided


def test_ratings_are_elo() -> None:
    standings = deals(4000, 10 / 11, 2).standings()
    assert [rung.player for rung in standings] == ["a", "b"]
    assert standings[0].rating == pytest.approx(400, abs=25)
    assert standings[0].low is not None and standings[0].high is not None
    assert standings[0].low < 400 < standings[0].high
    assert standings[0].wins / standings[0].games == pytest.approx(10 / 11, abs=0.02)
    assert np.isfinite(deals(30, 1.0, 1).standings()[0].rating)


def arena(file: Path, *more: str) -> list[str]:
    arguments = [
        "--game",
        "take_that",
        "--contestants",
        "club,casual,random",
        "--option",
        "rounds=1",
        "--file",
        str(file),
    ]
    return [sys.executable, "-m", "infila", "arena", *arguments, "--json", "--all", *more]


@contextmanager
def heeding_ctrl_c() -> Iterator[None]:
    """What runs in the background of a shell ignores Ctrl-C, and so would the children that it starts."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def finished(process: subprocess.Popen[bytes]) -> tuple[bytes, bytes]:
    """What it says in the end; if it does not end, it is ended."""
    try:
        return process.communicate(timeout=60)
    except subprocess.TimeoutExpired:
        process.terminate()
        raise


@pytest.mark.long
@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no groups of processes that get Ctrl-C together")
def test_an_interrupted_contest_goes_on(tmp_path: Path) -> None:
    whole = subprocess.run(arena(tmp_path / "whole", "--games", "60"), capture_output=True, text=True, timeout=300)
    expected = json.loads(whole.stdout)
    assert expected["games"] == 60
    assert expected["standings"][-1]["player"] == "random" and "seconds_per_move" not in expected["standings"][0]
    file = tmp_path / "parts"
    with heeding_ctrl_c():
        started = subprocess.Popen(
            arena(file, "--games", "100000"),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
    with started as process:
        deadline = time.time() + 120
        while (not file.exists() or file.read_text().count("\n") < 25) and time.time() < deadline:
            time.sleep(0.05)
        os.killpg(process.pid, signal.SIGINT)  # all processes of a terminal get it
        out, err = finished(process)
    assert b"stopped early" in err and b"continues from" in err and b"Traceback" not in err
    assert process.returncode == 130
    assert json.loads(out)["interrupted"] is True
    lines = file.read_text().splitlines(keepends=True)
    file.write_text("".join(lines[:20]) + lines[20][:17])  # and its last line was cut off
    again = subprocess.run(
        arena(file, "--games", "60", "--processes", "1"), capture_output=True, text=True, timeout=300
    )
    assert again.stdout == whole.stdout


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells in /proc which processes have begun")
def test_ctrl_c_at_once_says_one_sentence(tmp_path: Path) -> None:
    """Before the other processes have begun."""
    command = arena(tmp_path / "file", "--games", "100000")
    with heeding_ctrl_c():
        started = subprocess.Popen(command, stderr=subprocess.PIPE, start_new_session=True)
    with started as process:
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
        deadline = time.time() + 120
        while len(children.read_text().split()) < 2 and time.time() < deadline:
            time.sleep(0.01)
        os.killpg(process.pid, signal.SIGINT)
        err = finished(process)[1]
    assert process.returncode == 130
    assert err.startswith(b"infila: stopped early: 0 of ") and err.count(b"\n") == 1, err.decode()


TWO = plan("take_that", "club,casual")


@pytest.mark.slow
def test_a_contest_may_be_run_in_any_thread() -> None:
    with ThreadPoolExecutor(1) as pool:
        (results,) = pool.submit(lambda: list(contest.run(TWO, 1, least=1, file=None, processes=1))).result()
    assert len(results.won) == 1


HEADER = json.dumps(contest._header(TWO)).encode() + b"\n"
GAME: dict[str, Any] = {
    "deal": 0,
    "seats": [0, 1],
    "scores": [3, -4],
    "decisions": [9, 8],
    "seconds": [0.1, 0.0],
    "moves": 20,
    "turns": 17,
}
NOTED = json.dumps(GAME).encode() + b"\n"


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"hello", "not the file of a contest"),
        (b"caf\xe9 \x00\xff\nhel", "not the file of a contest"),
        (b'{"arena": 1}\n{"cut', "to another contest"),
        (HEADER + b"[1]\n", "line 2: this is not a game"),
        (HEADER + NOTED + b"null\n" + NOTED + b"cut", "line 3: this is not a game"),
        (HEADER + b"\n", "line 2: this is not a game"),
        *(
            (HEADER + json.dumps(GAME | wrong).encode() + b"\ncut", "line 2: this is not a game")
            for wrong in (
                {"scores": [1]},
                {"scores": None},
                {"scores": "ab"},
                {"seats": [0, 2]},
                {"deal": 0.5},
                {"x": 1},
            )
        ),
    ],
)
def test_a_file_of_something_else_is_left_alone(tmp_path: Path, content: bytes, sentence: str) -> None:
    file = tmp_path / "file"
    file.write_bytes(content)
    with pytest.raises(infila.InfilaError, match=sentence):
        contest.run(TWO, 1, least=1, file=file, processes=1)
    assert file.read_bytes() == content


@pytest.mark.parametrize(
    ("content", "kept"), [(b"", HEADER), (HEADER[:30], HEADER), (HEADER + NOTED + NOTED[:20], HEADER + NOTED)]
)
def test_a_line_that_was_cut_off_is_written_again(tmp_path: Path, content: bytes, kept: bytes) -> None:
    file = tmp_path / "file"
    file.write_bytes(content)
    contest.run(TWO, 1, least=1, file=file, processes=1)
    assert file.read_bytes() == kept


def test_what_cannot_be_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    for file in (tmp_path, Path(os.devnull), tmp_path / "file" / "below"):
        with pytest.raises(infila.InfilaError, match=r"is not a file|cannot be written"):
            contest.run(TWO, 1, least=1, file=file, processes=1)


def ask(*arguments: str) -> None:
    cli.main(["arena", "--game", "zatre", *arguments])


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ("--contestants club", "at least two contestants"),
        ("--contestants club,genius", "there is no player 'genius'. There are beginner,"),
        ("--contestants club,search:0", "a number of simulations, 1 to 10000000"),
        ("--contestants club,club", "club is named twice"),
        ("--contestants club,random --players 9", "players cannot be 9: it must be a number from 2 to 6."),
        ("--contestants club,random --players 4 --option players=3", "--players 4 and --option players=3 both say"),
        ("--contestants club,random --games 0", "--games cannot be 0"),
        ("--contestants club,random --processes 0", "--processes cannot be 0"),
        ("--contestants club,random --seed -1", "seed cannot be -1"),
        (f"--contestants club,random --seed {2**64}", f"seed cannot be {2**64}"),
        ("--contestants club,random --plot pyproject.toml/ladder.svg", "ladder.svg cannot be written"),
        ("--contestants club,random --plot ladder.doc", "a plot is written as .svg or .png"),
        (f"--contestants club,random --file {os.devnull}", f"{os.devnull} is not a file"),
    ],
)
def test_bad_input_gets_one_sentence(arguments: str, sentence: str, capsys: pytest.CaptureFixture[str]) -> None:
    """And nothing is compiled for it."""
    with pytest.raises(SystemExit) as ended:
        ask(*arguments.split())
    said = capsys.readouterr()
    assert ended.value.code == 2 and said.out == ""
    assert sentence in said.err and said.err.count("\n") == 1


@pytest.mark.parametrize(
    ("end", "code", "sentence"),
    [
        (None, 0, "Ended after 20 of 200 deals: it is clear who is stronger."),
        (KeyboardInterrupt(), 130, "infila: stopped early: 20 of 200 deals were played."),
        (infila.InfilaError("the disk is full."), 2, "infila: the disk is full."),
    ],
)
def test_however_a_contest_ends_its_results_are_shown(
    end: BaseException | None,
    code: int,
    sentence: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def run(*_: object, **__: object) -> Iterator[Results]:
        yield deals(20, 0.9, 1)
        if end:
            raise end

    monkeypatch.setattr(contest, "run", run)
    monkeypatch.setattr(contest, "warm_up", lambda plan: None)
    try:
        ask("--contestants", "club,random", "--games", "400", "--json")
        ended: Any = 0
    except SystemExit as stopped:
        ended = stopped.code
    said = capsys.readouterr()
    assert ended == code
    assert said.err.endswith(sentence + "\n")
    facts = json.loads(said.out)
    assert facts["deals"] == 20 and facts["interrupted"] is (end is not None)


def test_a_single_deal_tells_no_interval_and_few_deals_a_wide_one(tmp_path: Path) -> None:
    from infila.arena.plot import ladder
    from infila.arena.show import facts, tables

    one = deals(1, 1.0, 1)
    assert facts(one, False)["standings"][0]["low"] is None
    assert tables(one)[0].row_count == 2
    ladder(one.standings(), "Take That", tmp_path / "ladder.svg")
    sweep = deals(5, 1.0, 1).standings()[0]
    assert sweep.low is not None and sweep.low < sweep.rating - 100
    assert sweep.high == pytest.approx(sweep.rating)
    many = deals(400, 0.7, 1)
    best, share = many.standings()[0], many.share(0, 1)
    for bound, expected in ((best.low, share.low), (best.high, share.high)):
        assert bound == pytest.approx(400 * np.log10(expected / (1 - expected)), abs=5)


@pytest.mark.parametrize("kind", ["svg", "png"])
def test_a_ladder_is_drawn(tmp_path: Path, kind: str) -> None:
    from infila.arena.plot import check, ladder

    picture = tmp_path / f"ladder.{kind.upper()}"
    check(picture)
    assert not picture.exists()
    ladder(deals(50, 0.7, 1).standings(), "Take That", picture)
    assert picture.stat().st_size > 2000
    again = tmp_path / f"again.{kind}"
    ladder(deals(50, 0.7, 1).standings(), "Take That", again)
    assert again.read_bytes() == picture.read_bytes()
    with pytest.raises(infila.InfilaError, match=r"\.svg or \.png"):
        ladder(deals(50, 0.7, 1).standings(), "Take That", tmp_path / "ladder.doc")


def test_a_contest_that_cannot_be_played_is_refused_before_it_begins() -> None:
    """A mistyped name used to start one process after the other, each of which died of it."""
    for who, sentence in (
        (("clubb", "casual"), "there is no player 'clubb'"),
        (("club", "club"), "club is named twice"),
        ((), "nobody plays in this contest"),
    ):
        with pytest.raises(infila.InfilaError, match=sentence):
            contest.run(contest.Contest("take_that", who, {"players": 2}), 1, least=1, file=None, processes=1)
    for wrong in ({"deals": 0}, {"processes": 0}):
        with pytest.raises(infila.InfilaError, match="cannot be 0"):
            wanted: dict[str, Any] = {"deals": 1, "processes": 1, **wrong}
            contest.run(plan("take_that", "club,casual"), **wanted, least=1, file=None)


def dies(_: object) -> GameLine:
    os._exit(7)


@pytest.mark.slow
def test_a_process_that_dies_ends_the_contest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(contest, "_play", dies)
    running = contest.run(plan("take_that", "club,casual", rounds=1), 1, least=1, file=None, processes=1)
    with pytest.raises(infila.InfilaError, match="a process that worked on it has died"):
        list(running)


def test_options_that_are_left_out_have_their_usual_values() -> None:
    assert contest.Contest("take_that", ("club", "casual"), {}) == plan("take_that", "club,casual")
    assert contest.Contest("take_that", ("club", "casual"), {}).line_ups() == [(0, 1), (1, 0)]
    with pytest.raises(infila.BadOptions, match="no option 'jokers'"):
        contest.Contest("take_that", ("club", "casual"), {"jokers": 1})


def test_a_few_deals_are_no_certainty() -> None:
    """Four deals of one game won and one lost each used to give 50.0 … 50.0; and three, 1.96 standard errors."""
    results = Results(("a", "b"), (0, 1))
    for deal in range(4):
        lines = [GameLine(deal, seats, (1, 0), (1, 1), (0.1, 0.1), 10, 8) for seats in ((0, 1), (1, 0))]
        results.add_deal(lines)
        share = results.share(0, 1)
        assert share.mean == 0.5 and share.high - share.low > 0.9 and not share.decided
    wide = [rung for rung in results.standings() if rung.low is not None and rung.low < -100 and (rung.high or 0) > 100]
    assert len(wide) == 1  # the other is the one that ratings are counted from


def test_intervals_use_students_t() -> None:
    known = {1: 12.706, 2: 4.303, 3: 3.182, 4: 2.776, 9: 2.262, 10: 2.228, 29: 2.045, 99: 1.984, 999: 1.962}
    assert {degrees: round(student(degrees), 3) for degrees in known} == known
    assert student(10**6) == 1.96


@pytest.mark.parametrize("parts", [(0.25, 0.5, 0.25), (0.05, 0.9, 0.05), (0.02, 0.2, 0.78), (0.0, 0.1, 0.9)])
def test_intervals_of_few_deals_hold_what_they_promise(parts: tuple[float, float, float]) -> None:
    """Deals of which both games were lost, one or both won."""
    chance = np.random.Generator(np.random.PCG64(1))
    won: Any = np.array([0.0, 1.0, 2.0])
    for n in (3, 8, 20):
        inside = 0
        for _ in range(300):
            results = Results(("a", "b"), (0, 1))
            results.won = [np.array([[0, two], [2 - two, 0]]) for two in chance.choice(won, n, p=parts)]
            results.met = [np.array([[0, 2], [2, 0]])] * n
            share = results.share(0, 1)
            inside += share.low <= float(won @ parts) / 2 <= share.high
        assert inside >= 0.93 * 300
