"""The command line as people use it.

A command is called here, unless it is the process that is tested: one that ends, is interrupted, or cannot write.
"""

import io
import json
import os
import select
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

import infila
from infila import cli
from infila.core.seeds import commitment
from infila.terminal.session import level_of, order
from tests.cases import cases_of
from tests.play import GAMES, position_in, random_game

pytestmark = pytest.mark.slow


@pytest.fixture
def home(tmp_path: Path) -> dict[str, str]:
    """An environment with a data folder of its own."""
    return os.environ | {"XDG_DATA_HOME": str(tmp_path / "data"), "COLUMNS": "100", "TERM": "xterm"}


class Person:
    """Somebody who types these lines, and then the first legal move of every turn, as the saved game has it."""

    def __init__(self, lines: tuple[str, ...], save: Path) -> None:
        self.lines, self.save = list(lines), save

    def isatty(self) -> bool:
        return False

    def readline(self) -> str:
        return f"{self.lines.pop(0) if self.lines else infila.load(self.save).view(0).moves[0]}\n"


Done = subprocess.CompletedProcess[str]
Run = Callable[..., Done]


def process(home: dict[str, str], *arguments: str, typed: str = "") -> Done:
    command = [sys.executable, "-m", "infila", *arguments]
    return subprocess.run(command, env=home, input=typed, capture_output=True, text=True, timeout=300)


@pytest.fixture
def run(home: dict[str, str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """The same without a process."""
    for name in ("XDG_DATA_HOME", "COLUMNS", "TERM"):
        monkeypatch.setenv(name, home[name])

    def called(*arguments: str, typed: str | Person = "") -> Done:
        monkeypatch.setattr("sys.stdin", io.StringIO(typed) if isinstance(typed, str) else typed)
        code = 0
        try:
            cli.main(list(arguments))
        except SystemExit as ended:
            assert isinstance(ended.code, int)
            code = ended.code
        return Done(arguments, code, *capsys.readouterr())

    return called


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    *_, game = random_game("take_that", 5)
    path = tmp_path_factory.mktemp("logs") / "game.log"
    path.write_text(game.log)
    return path


@pytest.mark.parametrize("name", GAMES)
def test_simulate_prints_one_json_object(run: Run, name: str) -> None:
    done = run("simulate", name, "--games", "50", "--report", "--json", "--threads", "2", "--seed", "3")
    facts = json.loads(done.stdout)
    assert done.returncode == 0
    assert facts["games"] == 50
    assert len(facts["digest"]) == 64
    assert {"moves", "seconds", "moves_per_second", "length", "scores", "wins"} <= set(facts)


def test_simulate_prints_a_table_for_people(home: dict[str, str]) -> None:
    done = process(
        home, "simulate", "take_that", "--games", "20", "--players", "3", "--option", "expert=yes", "--report"
    )
    assert "moves per second:" in done.stdout
    assert "seat 3:" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["simulate", "sequence", "--players", "5"], "players cannot be 5: it must be 2, 3, 4, 6, 8, 9, 10 or 12."),
        (
            ["simulate", "take_that", "--option", "rounds=0"],
            "rounds cannot be 0: it must be a number from 1 to 1,000,000.",
        ),
        (["simulate", "take_that", "--option", "colour=red"], "there is no option 'colour' here"),
        (["simulate", "take_that", "--option", "rounds"], "'rounds' is not an option"),
        (["simulate", "take_that", "--games", "0"], "games cannot be 0"),
        (["simulate", "take_that", "--games", "many"], "invalid int value: 'many'"),
        (["simulate", "zatre", "--players", "5", "--option", "teams=yes"], "4 or 6"),
        (["simulate", "sequence", "--players", "4", "--option", "sides=3"], "sides"),
        (["verify", "no-such-file"], "no-such-file cannot be read"),
        (["replay", "no-such-file"], "no-such-file cannot be read"),
        (["play"], "which game?"),
        (["play", "zatre", "--resume"], "there is no saved game"),
        (["play", "zatre", "--seats", "a,b,c"], "3 names for 2 players"),
        (["hint", "no-such-file"], "no-such-file cannot be read"),
        (["bench", "--seconds", "0"], "--seconds cannot be 0.0"),
    ],
)
def test_bad_input_gets_one_sentence_and_exit_code_2(run: Run, arguments: list[str], sentence: str) -> None:
    refused_with(sentence, run(*arguments))


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["simulate", "chess"], "there is no game 'chess'. The games are zatre, take_that, completto, sequence."),
        (["simulate", "take_that", "--device", "gpu"], "hoose cpu as the device."),
        (["frobnicate"], "invalid choice: 'frobnicate'"),
    ],
)
def test_a_process_with_bad_input_too(home: dict[str, str], arguments: list[str], sentence: str) -> None:
    refused_with(sentence, process(home, *arguments))


def refused_with(sentence: str, done: Done) -> None:
    assert done.returncode == 2
    assert sentence in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


def test_replay_shows_a_position_to_people_and_programs(run: Run, log: Path) -> None:
    done = run("replay", str(log), "--at", "3")
    assert "after move 3 of" in done.stdout
    assert "next:" in done.stdout
    facts = json.loads(run("replay", str(log), "--at", "3", "--seat", "2", "--json").stdout)
    assert facts["moves"] == 3
    assert "?" in facts["position"]["hands"][0]
    assert "?" not in facts["position"]["hands"][1]
    assert run("replay", str(log), "--at", "9999").returncode == 2
    assert run("replay", str(log), "--seat", "3").returncode == 2
    assert "wins" in run("replay", str(log)).stdout


def test_verify_accepts_what_is_true_and_nothing_else(run: Run, log: Path, tmp_path: Path) -> None:
    good = run("verify", str(log))
    assert good.returncode == 0
    assert "moves keep the rules" in good.stdout
    assert json.loads(run("verify", str(log), "--json").stdout)["verified"] is True
    forged = tmp_path / "forged.log"
    forged.write_text(log.read_text().replace("seed: 5", "seed: 6"))
    assert run("verify", str(forged)).returncode == 2
    forged.write_text(log.read_text().replace("seed: 5", "seed: 6").replace(commitment("5"), commitment("6")))
    assert "cannot be played here" in run("verify", str(forged)).stderr
    forged.write_text(log.read_text().replace("seed: 5\n", ""))
    assert "no seed yet" in run("verify", str(forged)).stderr
    forged.write_bytes(b"\xff\xfe\x00")
    assert "not a text file" in run("verify", str(forged)).stderr


@pytest.mark.parametrize("name", GAMES)
def test_rules_are_explained(run: Run, name: str) -> None:
    done = run("rules", name)
    assert done.returncode == 0
    assert len(done.stdout) > 2500


def test_new_writes_a_game_that_play_goes_on_with(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "ours.save"
    done = run("new", "take_that", "--seats", "Anna,Bruno", "--file", str(file))
    assert "commitment" in done.stdout
    assert run("new", "take_that", "--file", str(file)).returncode == 2
    game = infila.load(file)
    first = game.moves[0]
    done = run("play", "--file", str(file), typed=f"\n{first}\n\n")
    assert infila.load(file).history == (first,)
    assert "Bruno" in done.stdout
    assert run("new", "take_that", "--seed", "1").stdout.startswith("infila log 1\n")


@pytest.mark.parametrize("name", GAMES)
def test_a_whole_game_against_the_computer(home: dict[str, str], run: Run, name: str) -> None:
    """All commands, nonsense, and then moves to the end."""
    short = [word for option in cases_of(name).short.items() for word in ("--option", "{}={}".format(*option))]
    save = Path(home["XDG_DATA_HOME"]) / "infila" / f"{name}.save"
    person = Person(("?", "moves", "hint", "score", "log", "rules", "nonsense", "undo"), save)
    done = run("play", name, "--seed", "11", "--seats", "you,casual", *short, typed=person)
    assert done.returncode == 0, done.stdout[-2000:]
    finished = Path(home["XDG_DATA_HOME"]) / "infila" / f"{name}-1.log"
    assert infila.load(finished).over
    assert not save.exists()
    assert run("verify", str(finished)).returncode == 0
    assert "'nonsense' is not a move in" in done.stdout + done.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pseudo-terminals that Python can open")
def test_ctrl_c_saves_and_resume_goes_on(home: dict[str, str]) -> None:
    """In a real terminal, where moves are completed and keys are read one by one."""
    import pty

    controller, terminal = pty.openpty()
    arguments = [sys.executable, "-m", "infila", "play", "take_that", "--seed", "3", "--seats", "you,beginner"]
    move = infila.new("take_that", players=2, seed="3").moves[0]

    def wait_for(text: str) -> None:
        seen = ""
        deadline = time.time() + 60
        while text not in seen and time.time() < deadline:
            if select.select([controller], [], [], 0.2)[0]:
                seen += os.read(controller, 65536).decode(errors="replace")
        assert text in seen, seen

    with subprocess.Popen(arguments, env=home, stdin=terminal, stdout=terminal, stderr=terminal) as playing:
        os.close(terminal)
        try:
            wait_for("you >")
            os.write(controller, f"{move}\r".encode())
            wait_for("you >")
            os.write(controller, b"\x03")
            wait_for("Saved.")
        finally:
            os.close(controller)
            playing.wait(20)
    done = process(home, "play", "take_that", "--resume", typed="log\n")
    assert move in done.stdout


def test_two_people_pass_the_keyboard_behind_a_curtain(run: Run) -> None:
    game = infila.new("take_that", players=2, seed="8", dealer=1)
    options = ["--seats", "Anna,Bruno", "--seed", "8", "--option", "dealer=2"]
    done = run("play", "take_that", *options, typed=f"\n{game.moves[0]}\n\n")
    curtain = done.stdout.index("Bruno, it is your turn")
    hand = " ".join(str(card) for card in position_in(game)["hands"][1])
    assert hand.split()[0] not in done.stdout[:curtain].split("your hand")[0]
    assert "your hand" in done.stdout[curtain:]


def test_hint_says_what_and_why(run: Run, log: Path) -> None:
    done = run("hint", str(log), "--at", "4", "--level", "expert")
    assert done.returncode == 0
    heading, *moves = done.stdout.splitlines()
    assert heading.startswith("Take That, move 5, seat ") and "expert: chance to win" in heading
    assert all(" % " in move for move in moves if not move.startswith(" "))
    facts = json.loads(run("hint", str(log), "--at", "4", "--level", "club", "--language", "de", "--json").stdout)
    assert facts["moves"][0]["move"] == facts["move"]
    assert facts["moves"][0]["reasons"]
    assert facts["number"] == 5 and facts["level"] == "club"
    assert "over" in run("hint", str(log)).stderr
    assert "nothing to decide" in run("hint", str(log), "--at", "0", "--seat", other_seat(log)).stderr


@pytest.fixture
def at_home(home: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> Path:
    """The data folder of commands that are called here, where nobody types anything."""
    monkeypatch.setenv("XDG_DATA_HOME", home["XDG_DATA_HOME"])
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setattr("sys.stdin", io.StringIO())
    return Path(home["XDG_DATA_HOME"]) / "infila"


def test_a_hint_is_for_the_seat_that_must_act_and_in_the_language_asked_for(
    tmp_path: Path, at_home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """S22: after an offence the team discards, though another seat is on turn."""
    file = tmp_path / "offence.save"
    game = infila.new("sequence", players=4, seed=3, draw="manual", table_talk="forbidden")
    file.write_text(game.after("KS@b7", "7D@h1", "4H@i3", "offence 1").save())
    cli.main(["hint", str(file), "--level", "club", "--language", "de"])
    assert capsys.readouterr().out.startswith("Sequence, Zug 5, Platz 1, club: auf den ersten Blick bewertet")
    with pytest.raises(SystemExit):
        cli.main(["hint", str(file), "--seat", "4"])
    assert "seat 4 has nothing to decide now. Ask for seat 1 or 3." in capsys.readouterr().err


def test_a_forced_move_is_called_the_only_one(
    tmp_path: Path, at_home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    position = next(game for game in random_game("take_that", 5) if game.history and len(game.moves) == 1)
    file = tmp_path / "forced.save"
    file.write_text(position.save())
    cli.main(["hint", str(file)])
    heading, move, *_ = capsys.readouterr().out.splitlines()
    assert heading.endswith("master: the only move")
    assert "-" not in move and "+" not in move and "%" not in move


class Terminal(io.StringIO):
    """Somebody who types this, and then leaves."""

    def isatty(self) -> bool:
        return True


def test_a_game_in_progress_is_not_lost(
    at_home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    cli.main(["play", "take_that", "--seed", "5"])
    kept = (at_home / "take_that.save").read_bytes()
    for more in (["--seed", "6"], ["--seats", "you,expert"], ["--resume", "--players", "3"]):
        with pytest.raises(SystemExit) as ended:
            cli.main(["play", "take_that", *more])
        assert ended.value.code == 2
        assert "holds a game already. Leave out" in capsys.readouterr().err
        assert (at_home / "take_that.save").read_bytes() == kept
    assert [path.name for path in at_home.iterdir()] == ["take_that.save"]
    monkeypatch.setattr("sys.stdin", Terminal("y\n"))
    cli.main(["play", "take_that", "--seed", "6"])
    assert "To go on with the other game: infila play --file" in capsys.readouterr().out
    assert (at_home / "take_that-1.save").read_bytes() == kept
    assert "seed: 6\n" in (at_home / "take_that.save").read_text()


def test_resume_goes_on_with_the_game_saved_last(at_home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        cli.main(["play", "--resume"])
    assert "there is no saved game. Start one" in capsys.readouterr().err
    cli.main(["play", "take_that"])
    cli.main(["play", "completto"])
    os.utime(at_home / "take_that.save")
    capsys.readouterr()
    cli.main(["play", "--resume"])
    assert "infila play take_that --resume" in capsys.readouterr().out


def test_a_file_that_somebody_named_stays_when_the_game_is_over(tmp_path: Path, at_home: Path) -> None:
    file = tmp_path / "ours.log"
    cli.main(["play", "take_that", "--seats", "Beginner,random", "--option", "rounds=1", "--file", str(file)])
    finished = file.read_text()
    assert infila.load(file).over and "seats: beginner | random\n" in finished
    cli.main(["play", "--file", str(file)])
    assert file.read_text() == finished
    assert not at_home.exists()


@pytest.mark.parametrize(
    ("seats", "sentence"),
    [
        ("Anna,", "a seat has no name"),
        ("Anna,experte", "Did you mean expert?"),
        ("Anna,search:x", "a number of simulations"),
        ("Anna,genius:5", "there is no player 'genius:5'"),
    ],
)
def test_what_is_neither_a_person_nor_a_player_is_refused(seats: str, sentence: str) -> None:
    with pytest.raises(infila.InfilaError) as refused:
        order("take_that", {}, seats.split(","))
    assert sentence in str(refused.value)


def test_a_seat_is_a_person_or_any_player_of_the_computer() -> None:
    typed = ["Aster", "EXPERT", "search:100", "Search:100", "computer", "Master Yoda"]
    seats = order("zatre", {"players": "6"}, typed)["seats"]
    assert seats == ["Aster", "expert", "search:100 1", "search:100 2", "club", "Master Yoda"]
    assert [level_of(name) for name in seats] == [None, "expert", "search:100", "search:100", "club", None]


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no file here that is always full")
@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("command", [["rules", "zatre"], ["rules", "sequence"]])
def test_output_that_cannot_be_written_gets_one_sentence(
    home: dict[str, str], command: list[str], unbuffered: str
) -> None:
    command = [sys.executable, "-m", "infila", *command]
    told = home | {"PYTHONUNBUFFERED": unbuffered}
    with open("/dev/full", "w") as full:
        done = subprocess.run(command, env=told, stdout=full, stderr=subprocess.PIPE, text=True, timeout=60)
    assert done.returncode == 2
    assert done.stderr == "infila: the output cannot be written: No space left on device.\n"


def other_seat(log: Path) -> str:
    game = infila.load(log)
    return str(2 - game.before(len(game.history)).player)


def test_import_is_light() -> None:
    """The compiler is loaded only when a game is."""
    code = "import sys, infila; print('numba' in sys.modules, 'rich' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout.split() == ["False", "False"]
