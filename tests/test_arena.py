"""The arena: fair line-ups, sound statistics, nothing lost when it is interrupted."""

import json
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import infila
from infila.arena import contest
from infila.arena.results import FEWEST_DEALS, GameLine, Results


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
    assert standings[0].low < 400 < standings[0].high
    assert standings[0].wins / standings[0].games == pytest.approx(10 / 11, abs=0.02)
    assert np.isfinite(deals(30, 1.0, 1).standings()[0].rating)


def arena(file: Path, *more: str) -> list[str]:
    arguments = ["--game", "take_that", "--players", "club,casual,random", "--option", "rounds=1", "--file", str(file)]
    return [sys.executable, "-m", "infila", "arena", *arguments, "--json", "--all", *more]


def heed_ctrl_c() -> None:
    """What runs in the background of a shell ignores Ctrl-C, and so would its children."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def test_an_interrupted_contest_goes_on(tmp_path: Path) -> None:
    whole = subprocess.run(arena(tmp_path / "whole", "--games", "60"), capture_output=True, text=True, timeout=300)
    expected = json.loads(whole.stdout)
    assert expected["games"] == 60
    assert expected["standings"][-1]["player"] == "random"
    file = tmp_path / "parts"
    started = subprocess.Popen(
        arena(file, "--games", "100000"), stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=heed_ctrl_c
    )
    with started as process:
        deadline = time.time() + 120
        while (not file.exists() or file.read_text().count("\n") < 25) and time.time() < deadline:
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert b"Stopped early" in err and b"goes on from" in err
    assert json.loads(out)["interrupted"] is True
    lines = file.read_text().splitlines(keepends=True)
    file.write_text("".join(lines[:20]) + lines[20][:17])  # and its last line was cut off
    again = subprocess.run(
        arena(file, "--games", "60", "--processes", "1"), capture_output=True, text=True, timeout=300
    )
    found = json.loads(again.stdout)
    for rung in (*expected["standings"], *found["standings"]):
        del rung["seconds_per_move"]
    assert found == expected


def test_a_file_of_something_else_is_left_alone(tmp_path: Path) -> None:
    for text, sentence in (("hello\n", "no file of a contest"), ('{"arena": 1}\n', "of another contest")):
        file = tmp_path / "file"
        file.write_text(text)
        done = subprocess.run(arena(file, "--games", "6"), capture_output=True, text=True, timeout=300)
        assert done.returncode == 2
        assert sentence in done.stderr
        assert file.read_text() == text


@pytest.mark.parametrize("kind", ["svg", "png"])
def test_a_ladder_is_drawn(tmp_path: Path, kind: str) -> None:
    from infila.arena.plot import ladder

    picture = tmp_path / f"ladder.{kind}"
    ladder(deals(50, 0.7, 1).standings(), "Take That", picture)
    assert picture.stat().st_size > 2000
    again = tmp_path / f"again.{kind}"
    ladder(deals(50, 0.7, 1).standings(), "Take That", again)
    assert again.read_bytes() == picture.read_bytes()
    with pytest.raises(infila.InfilaError, match=r"\.svg or \.png"):
        ladder(deals(50, 0.7, 1).standings(), "Take That", tmp_path / "ladder.doc")
