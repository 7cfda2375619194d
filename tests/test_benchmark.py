"""The benchmark: a protocol that never changes, a file that shows every change, and games that can be played again."""

import hashlib
import json
import runpy
from pathlib import Path
from typing import Any

import msgspec
import pytest

import infila
from infila import cli
from infila.arena import benchmark
from infila.core.games import NAMES

ROOT = Path(__file__).parents[1]
TINY = {"beginner": 1, "random": 2}


@pytest.fixture
def tiny(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A protocol of a few games, in a folder of its own."""
    monkeypatch.setitem(benchmark.PROTOCOLS, "tiny", TINY)
    monkeypatch.setattr(benchmark, "NAMES", ("take_that",))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def measured(agent: str = "casual") -> None:
    cli.main(["benchmark", agent, "--protocol", "tiny", "--out", "results.json", "--processes", "1"])


def test_the_protocols_are_frozen() -> None:
    """Whoever has to change a digest here has made another protocol, which needs another name."""
    digests = {}
    for name in benchmark.PROTOCOLS:
        planned = [(each.game, each.options, each.opponent, each.deals) for each in benchmark.meetings(name, "")]
        whole = [benchmark.SEED, benchmark.SECONDS, planned]
        digests[name] = hashlib.sha256(json.dumps(whole, sort_keys=True).encode()).hexdigest()[:16]
    assert digests == {"infila-v1": "76f22e21dba99b6c", "infila-v1-light": "d4686b43b3f99dc0"}
    assert {each.game for each in benchmark.meetings("infila-v1", "")} == set(NAMES)


@pytest.mark.slow
def test_a_measurement_is_sealed_checked_and_goes_on(tiny: Path, capsys: pytest.CaptureFixture[str]) -> None:
    measured()
    said = capsys.readouterr().out
    assert said.startswith("casual: ") and " % in tiny, 0 games forfeited." in said
    whole = benchmark.read(tiny / "results.json")
    assert whole.seal in said and whole.infila == infila.__version__
    assert [(entry.opponent, len(entry.games)) for entry in whole.meetings] == [
        ("beginner", 2),
        ("random", 4),
        ("beginner", 6),
        ("random", 12),
    ]
    cli.main(["benchmark", "--check", "results.json"])
    assert "24 games were played again and went the same way." in capsys.readouterr().out
    cli.main(["benchmark", "--check", "results.json", "--sample", "3"])
    assert "3 games were played again" in capsys.readouterr().out
    with pytest.raises(SystemExit):
        measured()
    assert "results.json exists already" in capsys.readouterr().err
    (tiny / "results.json").rename(tiny / "first.json")
    lines = sorted((tiny / "results.json.games").iterdir())
    before = [file.read_text() for file in lines]
    measured()  # nothing is left to play
    assert [file.read_text() for file in lines] == before
    assert benchmark.read(tiny / "results.json") == benchmark.read(tiny / "first.json")


def test_a_level_does_not_meet_itself(tiny: Path) -> None:
    assert {each.opponent for each in benchmark.meetings("tiny", "random")} == {"beginner"}


@pytest.mark.slow
def test_what_was_changed_is_found(tiny: Path, capsys: pytest.CaptureFixture[str]) -> None:
    measured()
    file = tiny / "results.json"
    text = file.read_text()

    def refused(sentence: str) -> None:
        with pytest.raises(infila.InfilaError, match=sentence):
            benchmark.read(file)

    def resealed(**changes: Any) -> None:
        """As somebody would who knows how a seal is made."""
        changed = msgspec.structs.replace(msgspec.json.decode(text, type=benchmark.Sealed), **changes)
        benchmark.write(file, msgspec.structs.replace(changed, seal=benchmark.seal_of(changed)))

    for content, sentence in (
        ("", "is not the file of a benchmark"),
        ("[]", "is not the file of a benchmark"),
        (text.replace('"agent":"casual"', '"agent":"master"'), "the seal is broken"),
        (text.replace('"agent"', '"agents"'), "is not the file of a benchmark"),
    ):
        file.write_text(content)
        refused(sentence)
    entries = msgspec.json.decode(text, type=benchmark.Sealed).meetings
    resealed(score=1.0)
    refused("its score does not follow")
    resealed(meetings=entries[:-1])
    refused("does not have the meetings of tiny")
    resealed(benchmark="other")
    refused("there is no benchmark 'other'")
    resealed(meetings=[msgspec.structs.replace(entries[0], share=1.0, low=1.0), *entries[1:]])
    refused("its share does not follow from its games")
    resealed(meetings=[msgspec.structs.replace(entries[0], games=entries[0].games[:1]), *entries[1:]])
    refused("these are not the games of")
    deal, seats, scores, moves, forfeit = entries[0].games[0]
    invented = [(deal, seats, scores, moves + 1, forfeit), *entries[0].games[1:]]
    resealed(meetings=[msgspec.structs.replace(entries[0], games=invented), *entries[1:]])
    with pytest.raises(SystemExit):
        cli.main(["benchmark", "--check", "results.json"])
    told = capsys.readouterr()
    assert "went otherwise: Take That, beginner, deal 0, seats (0, 1)" in told.out
    assert "1 of 24 games went otherwise" in told.err


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ([], "name an agent to measure, or a file to --check"),
        (["club", "--check", "x"], "name an agent to measure, or a file to --check"),
        (["club"], "--out is missing"),
        (["club", "--out", "x.json", "--protocol", "other"], "there is no benchmark 'other'"),
        (["clubb", "--out", "x.json"], "there is no player 'clubb'"),
        (["club", "--out", "x.json", "--sample", "3"], "--sample goes with --check"),
        (["--check", "no-such-file"], "no-such-file cannot be read"),
        (["--check", "x", "--sample", "0"], "--sample cannot be 0"),
        (["club", "--out", "x.json", "--processes", "0"], "--processes cannot be 0"),
    ],
)
def test_wrong_use_gets_a_sentence(
    arguments: list[str], sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as left:
        cli.main(["benchmark", *arguments])
    assert left.value.code == 2 and sentence in capsys.readouterr().err


def test_the_leaderboard_has_what_the_sealed_files_say() -> None:
    module: dict[str, Any] = runpy.run_path(str(ROOT / "docs" / "reference" / "benchmark.py"))
    assert module["FILE"].read_text(encoding="utf-8") == module["text"](), "run python docs/reference/benchmark.py"


@pytest.mark.slow
@pytest.mark.parametrize("file", sorted((ROOT / "docs" / "leaderboard").glob("*.json")), ids=lambda file: file.stem)
def test_games_of_the_leaderboard_can_be_played_again(file: Path) -> None:
    again = list(benchmark.played_again(benchmark.read(file), 4))
    assert len(again) == 4 and all(same for _, same in again), again
