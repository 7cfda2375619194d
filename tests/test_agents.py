"""Agents of others: what they get, what they may answer, and that whatever they do wrong is one sentence."""

import json
import sys
import textwrap
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import infila
from infila import cli
from infila.agents import Guest, Misbehaved, is_agent, seated
from infila.agents.process import Program, end_all
from infila.arena import contest
from infila.arena.match import play_game
from infila.arena.results import Results
from infila.core.games import contract_of
from infila.envs.gymnasium import SeatEnv

TAKE_THAT = contract_of("take_that")
ONE_ROUND = TAKE_THAT.options.make({"rounds": 1})


class Greedy:
    """The first legal action of every row."""

    def act(self, observations: Any, masks: Any) -> Any:
        assert observations.shape == (len(masks), TAKE_THAT.features.SIZE)
        return masks.argmax(1)


def first(view: infila.View) -> str:
    return view.text(min(view.own_actions()))


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with agents in it, from which infila is run."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [entry for entry in sys.path if entry != str(tmp_path)])
    write(
        tmp_path / "house_guests.py",
        """
        from infila.agents import seated

        def first(view):
            return min(view.own_actions())

        class Greedy:
            def __init__(self, game):
                self.game = game

            def act(self, observations, masks):
                return masks.argmax(1)

        class Tired:
            "Fails in every game after the first."
            asked = 0

            def __init__(self, game):
                self.club = seated(game, "club")

            def __call__(self, view):
                self.asked += view.scores == [0] * len(view.scores)
                if self.asked > 30:
                    raise RuntimeError("enough")
                return view.moves[0]

        number = 7

        def broken(game):
            return 1 / 0
        """,
    )
    monkeypatch.delitem(sys.modules, "house_guests", raising=False)
    return tmp_path


def write(file: Path, text: str) -> Path:
    file.write_text(textwrap.dedent(text))
    return file


def test_an_agent_cannot_be_mistaken_for_a_level() -> None:
    for agent in ("mine:Agent", "a.b.c:d", "net.onnx", "some/net.ONNX", "exec:./engine --fast", "exec:club"):
        assert is_agent(agent)
    for other in ("club", "club:500", "master:Agent", "search:2000", "Anna", "mine:500", "random"):
        assert not is_agent(other)


def test_an_agent_by_views_and_one_by_observations_choose_the_same() -> None:
    agents = seated("take_that", first), seated("take_that", Greedy())
    assert isinstance(agents[0], Guest)
    for seed in range(5):
        game = infila.new("take_that", seed=seed, rounds=1)
        while not game.over:
            view = game.view(game.player)
            actions = {agent.choose(view.states, game.player) for agent in agents}
            assert actions == {min(view.own_actions())}
            game.play_action(actions.pop())


def test_an_agent_sees_what_its_seat_may_know() -> None:
    seen = []

    def nosy(view: infila.View) -> str:
        seen.append(json.loads(view.position)["hands"][1 - (view.seat or 0)])
        return view.moves[0]

    sitting = seated("take_that", nosy)
    play_game(TAKE_THAT, ONE_ROUND, 1, 0, [sitting, sitting])
    assert seen and all(set(hand) <= {"?"} for hand in seen)


class Rude:
    def __repr__(self) -> str:
        raise RuntimeError


def failing(view: infila.View) -> str:
    raise ZeroDivisionError("division by zero")


def leaving(view: infila.View) -> str:
    raise SystemExit(0)


def sleeping(view: infila.View) -> str:
    while True:
        with suppress(Exception):
            time.sleep(60)


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        (lambda view: "nonsense", "answered with 'nonsense': 'nonsense' is not a move in Take That"),
        (lambda view: "98", "answered with '98': T3: you do not hold 98"),
        (lambda view: None, "answered with None, which is neither the text of a move nor an action."),
        (lambda view: True, "answered with True, which is neither"),
        (lambda view: 10**6, "chose action 1000000, which is not legal."),
        (lambda view: Rude(), "answered with a Rude, which is neither"),
        (failing, "failing failed with ZeroDivisionError: division by zero."),
        (leaving, "leaving wanted to end the program."),
        (sleeping, "sleeping did not answer within 0.2 s."),
    ],
)
def test_a_wrong_answer_is_one_sentence(answer: Callable[[infila.View], Any], sentence: str) -> None:
    guest = seated("take_that", answer, seconds=0.2)
    view = infila.new("take_that", players=2, seed=7, dealer=1).view(0)
    with pytest.raises(Misbehaved) as problem:
        guest.choose(view.states, 0)
    assert sentence in str(problem.value) and str(problem.value).endswith(".")
    assert str(problem.value).count("\n") == 0


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        (lambda masks: masks.argmin(1), "chose action 0, which its mask does not allow"),
        (lambda masks: np.full(len(masks), -1), "chose action -1"),
        (lambda masks: np.full(len(masks), 10**6), "chose action 1000000"),
        (lambda masks: masks, r"answered with int8 of shape (1, 199); wanted are 1 whole numbers"),
        (lambda masks: masks.argmax(1) + 0.5, "answered with float64 of shape (1,)"),
        (lambda masks: None, "answered with object of shape ()"),
        (lambda masks: [[1], [2, 3]], "which is no array"),
    ],
)
def test_wrong_actions_are_one_sentence_too(answer: Callable[[Any], Any], sentence: str) -> None:
    class Policy:
        def act(self, observations: Any, masks: Any) -> Any:
            return answer(masks)

    view = infila.new("take_that", players=2, seed=7, dealer=1).view(0)
    with pytest.raises(Misbehaved) as problem:
        seated("take_that", Policy()).choose(view.states, 0)
    assert sentence in str(problem.value)
    assert "Policy" in str(problem.value)


def test_who_misbehaves_forfeits_and_the_game_is_played_to_its_end() -> None:
    asked = 0

    def sometimes(view: infila.View) -> str:
        nonlocal asked
        asked += 1
        return view.moves[0] if asked < 4 else "nonsense"

    club = seated("take_that", "club")
    result = play_game(TAKE_THAT, ONE_ROUND, 1, 0, [club, seated("take_that", sometimes)])
    assert result.forfeit.startswith(f"{sometimes.__qualname__} answered with 'nonsense'") and asked == 4
    assert result.scores[1] < result.scores[0]
    assert result.moves > 8
    teams = contract_of("zatre").options.make({"players": 4, "teams": True})
    seats = [seated("zatre", failing), *[seated("zatre", "random")] * 3]
    scores = play_game(contract_of("zatre"), teams, 1, 0, seats).scores
    assert scores[0] == scores[1] == min(scores) < scores[2], "a team stands or falls together"


def test_names_that_lead_nowhere(here: Path) -> None:
    write(here / "house_breaks.py", "raise RuntimeError('at once')")
    for name, sentence in (
        ("house_nobody:Agent", "there is no module 'house_nobody' here"),
        ("house_guests:nobody", "house_guests has no 'nobody'"),
        ("house_guests:number", "an agent is a function of a view that returns a move"),
        ("house_breaks:Agent", "it failed with RuntimeError: at once"),
        ("exec:", "after exec: goes a command"),
        ("exec:'", "after exec: goes a command"),
        ("exec:no-such-program", "there is no program 'no-such-program' here"),
        ("genius", "there is no player 'genius'.*An agent of your own is module:Agent, model.onnx or exec:COMMAND"),
        ("club:many", "after the colon goes a number"),
        ("no-such.onnx", "no-such.onnx"),
    ):
        with pytest.raises(infila.InfilaError, match=sentence):
            seated("take_that", name)
    with pytest.raises(infila.InfilaError, match="Rude cannot play: it failed with TypeError"):
        seated("take_that", Rude)
    with pytest.raises(infila.InfilaError, match="club plays Zatre, not Take That"):
        seated("take_that", infila.player("zatre", "club"))
    for seconds in (0, -1, "long"):
        with pytest.raises(infila.InfilaError, match="seconds cannot be"):
            seated("take_that", first, seconds=seconds)  # type: ignore[arg-type]


ENGINE = """
import json, sys, time
how = sys.argv[1]
for line in sys.stdin:
    word, _, rest = line.strip().partition(" ")
    if how == "mute":
        continue
    if word == "infila":
        print("# hello")
        print("nonsense" if how == "nonsense" else "ready engine", flush=True)
    if word == "move":
        asked = json.loads(rest)
        assert asked["game"] == "take_that" and asked["seat"] in (1, 2) and "?" in str(asked["position"]["hands"])
        if how == "crash":
            sys.exit(3)
        if how == "slow":
            time.sleep(60)
        if how == "long":
            print("x" * 200_000)
        if how == "flood":
            for _ in range(200_000):
                print("# and")
        print("play", "nonsense" if how == "illegal" else min(asked["moves"]), flush=True)
    if word == "quit":
        break
"""


@pytest.fixture
def engine(tmp_path: Path) -> Callable[[str], str]:
    file = write(tmp_path / "engine.py", ENGINE)
    return lambda how: f"exec:{sys.executable} {file} {how}"


def test_a_program_plays(engine: Callable[[str], str]) -> None:
    sitting = seated("take_that", engine("well"))
    result = play_game(TAKE_THAT, ONE_ROUND, 1, 0, [sitting, seated("take_that", first)])
    assert result.forfeit == "" and result.moves > 8
    assert isinstance(sitting, Guest) and isinstance(sitting.agent, Program)
    process = sitting.agent.process
    assert process is not None and process.poll() is None
    sitting.agent.end()
    assert process.poll() == 0, "it was asked to end, and did"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("how", "sentence"),
    [
        ("crash", "ended with exit code 3."),
        ("slow", "did not answer within 1 s."),
        ("nonsense", "said 'nonsense'; expected was a line that begins with 'ready'."),
        ("illegal", "answered with 'nonsense': 'nonsense' is not a move in Take That."),
        ("long", "expected was a line that begins with 'play'."),
    ],
)
def test_a_program_that_misbehaves_is_ended_and_named(how: str, sentence: str, engine: Callable[[str], str]) -> None:
    sitting = seated("take_that", engine(how), seconds=1)
    view = infila.new("take_that", players=2, seed=7, dealer=1).view(0)
    for _ in range(2):  # it is started anew, and does it again
        with pytest.raises(Misbehaved) as problem:
            sitting.choose(view.states, 0)
        assert sentence[:60] in str(problem.value)
        assert "engine.py" in str(problem.value) and str(problem.value).count("\n") == 0
    end_all()


def test_what_a_program_says_to_itself_is_not_listened_to(engine: Callable[[str], str]) -> None:
    view = infila.new("take_that", players=2, seed=7, dealer=1).view(0)
    sitting = seated("take_that", engine("flood"), seconds=30)
    assert view.text(sitting.choose(view.states, 0)) == min(view.moves)
    end_all()


@pytest.mark.slow
def test_agents_in_a_contest(here: Path, engine: Callable[[str], str]) -> None:
    who = ("house_guests:first", "house_guests:Greedy", engine("well"), "house_guests:Tired", "random")
    plan = contest.Contest("take_that", who, {"rounds": 1}, seconds=20.0)
    contest.warm_up(plan)
    file = here / "games.jsonl"
    results = list(contest.run(plan, 2, least=2, file=file, processes=1))[-1]
    assert len(results.lines) == 2 * 20
    assert results.share(0, 1).mean == 0.5, "they play alike"
    lost = [line for line in results.lines if line.forfeit]
    assert lost and all(line.forfeit == "house_guests:Tired failed with RuntimeError: enough." for line in lost)
    assert all(line.scores[line.seats.index(3)] == min(line.scores) for line in lost)
    again = list(contest.run(plan, 2, least=2, file=file, processes=1))[-1]
    assert again.lines == results.lines, "forfeits are read back"


def test_a_contest_does_not_begin_with_an_agent_that_cannot_play(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(here / "house_bad.py", "def bad(view):\n    return 'nonsense'\n")
    with pytest.raises(SystemExit) as left:
        cli.main(["arena", "--game", "take_that", "--contestants", "house_bad:bad,random", "--games", "2"])
    assert left.value.code == 2
    assert "house_bad:bad answered with 'nonsense'" in capsys.readouterr().err


def test_forfeits_are_shown(capsys: pytest.CaptureFixture[str]) -> None:
    from rich.console import Console

    from infila.arena import show
    from infila.arena.results import GameLine

    results = Results(("a", "b"), (0, 1))
    line = GameLine(0, (0, 1), (0, -1), (1, 1), (0.1, 0.1), 9, 9, forfeit="b failed with X.")
    results.add_deal([line, line])
    show.forfeits(results, Console())
    assert capsys.readouterr().out == "2 games forfeited: b failed with X.\n"
    assert show.facts(results, interrupted=False)["forfeits"] == {"b failed with X.": 2}


def test_agents_are_opponents_in_gymnasium() -> None:
    for opponents in (first, Greedy(), [first, "club"], ["random", Greedy()]):
        env = SeatEnv("take_that", players=3, rounds=1, opponents=opponents)  # type: ignore[arg-type]
        _, info = env.reset(seed=1)
        over = False
        while not over:
            _, _, over, _, info = env.step(int(info["action_mask"].argmax()))
    with pytest.raises(Misbehaved, match="failing failed with ZeroDivisionError"):
        env = SeatEnv("take_that", opponents=failing, dealer=0)
        env.reset(seed=1)


def test_agents_play_in_the_terminal_and_nothing_in_a_file_runs_one(
    here: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    both = ["--agent", "1=house_guests:first", "--agent", "2=house_guests:Greedy"]
    table = ["play", "take_that", "--seats", "Anna,Bruno", "--option", "rounds=1", "--seed", "4", "--file", "game.log"]
    cli.main([*table, *both])
    assert "The log, with its seed" in capsys.readouterr().out
    game = infila.load(here / "game.log")
    assert game.over and game.names == ("Anna", "Bruno")
    for wrong, sentence in (
        (["--agent", "3=house_guests:first"], "the seats are 1 to 2"),
        (["--agent", "house_guests:first"], "it looks like 2=module:Agent"),
        (["--agent", "2=club"], "'club' is no agent"),
        (["--seats", "Anna,house_guests:first"], "give the seat a name, and the agent to it"),
    ):
        with pytest.raises(SystemExit):
            cli.main(["play", "take_that", "--file", "other.log", *wrong])
        assert sentence in capsys.readouterr().err
        (here / "other.log").unlink(missing_ok=True)
    (here / "trap.log").write_text(infila.new("take_that", seed=1, seats=["Anna", "house_guests:broken"]).save())
    monkeypatch.setattr("builtins.input", lambda _: "quit")
    del sys.modules["house_guests"]
    cli.main(["play", "--file", "trap.log"])
    assert "house_guests" not in sys.modules


def field(number: int, value: int | bytes) -> bytes:
    """A field of a protocol buffer."""
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    return varint(number << 3 | 2) + varint(len(value)) + value


def varint(value: int) -> bytes:
    low, rest = value & 127, value >> 7
    return bytes([low | 128]) + varint(rest) if rest else bytes([low])


def network(features: int, actions: int, *, masks: bool = False, bias: Any = None) -> bytes:
    """An ONNX file that likes later actions better, whatever it sees: a product with zeros, and a bias."""

    def tensor(name: str, value: Any) -> bytes:
        dims = b"".join(field(1, size) for size in value.shape)
        return dims + field(2, 1) + field(8, name.encode()) + field(9, value.astype("<f4").tobytes())

    def rows(name: str, size: int) -> bytes:
        shape = field(1, field(2, b"n")) + field(1, field(1, size))
        return field(1, name.encode()) + field(2, field(1, field(1, 1) + field(2, shape)))

    def node(kind: str, inputs: str, output: str) -> bytes:
        return (
            b"".join(field(1, name.encode()) for name in inputs.split())
            + field(2, output.encode())
            + field(4, kind.encode())
        )

    bias = np.arange(actions, dtype=float) if bias is None else bias
    nodes = field(1, node("MatMul", "seen zeros", "none")) + field(1, node("Add", "none bias", "liked"))
    values = field(5, tensor("zeros", np.zeros((features, actions)))) + field(5, tensor("bias", bias))
    inputs = field(11, rows("seen", features)) + (field(11, rows("allowed", actions)) if masks else b"")
    graph = nodes + field(2, b"test") + values + inputs + field(12, rows("liked", actions))
    return field(1, 8) + field(8, field(2, 13)) + field(7, graph)


def test_a_network_plays_the_legal_action_that_it_likes_best(here: Path) -> None:
    features, actions = TAKE_THAT.features.SIZE, TAKE_THAT.rules.ACTIONS
    for masks in (False, True):
        (here / "net.onnx").write_bytes(network(features, actions, masks=masks))
        sitting = seated("take_that", "net.onnx")
        game = infila.new("take_that", seed=3, rounds=1)
        while not game.over:
            view = game.view(game.player)
            action = sitting.choose(view.states, game.player)
            assert action == max(view.own_actions())
            game.play_action(action)
    assert isinstance(sitting, Guest)
    allowed = np.zeros((5, actions), np.int8)
    allowed[np.arange(5), np.arange(5) + 7] = 1
    many = sitting.choose_many(np.zeros((5, features), np.int8), allowed)
    assert many.tolist() == [7, 8, 9, 10, 11]


def test_a_network_that_cannot_play_is_refused(here: Path) -> None:
    features, actions = TAKE_THAT.features.SIZE, TAKE_THAT.rules.ACTIONS
    file = here / "net.onnx"
    for content, sentence in (
        (b"", "net.onnx is not a network that can be read"),
        (b"nonsense", "net.onnx is not a network that can be read"),
        (network(features + 1, actions), "its input, the observations, is .* it must be any number of rows of 1072"),
        (network(features, actions + 1), "its output is .* it must be any number of rows of 199"),
    ):
        file.write_bytes(content)
        with pytest.raises(infila.InfilaError, match=sentence) as problem:
            seated("take_that", "net.onnx")
        assert str(problem.value).count("\n") == 0
    file.write_bytes(network(features, actions, bias=np.full(actions, np.nan)))
    view = infila.new("take_that", seed=3, players=2, dealer=1).view(0)
    with pytest.raises(Misbehaved, match=r"net.onnx cannot answer: its output has numbers that are none \(NaN\)"):
        seated("take_that", "net.onnx").choose(view.states, 0)
    file.write_bytes(network(features, actions, bias=np.full(actions, -np.inf)))
    assert seated("take_that", "net.onnx").choose(view.states, 0) == min(view.own_actions())


def test_without_onnxruntime_it_is_said_how_to_get_it(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    with pytest.raises(infila.InfilaError, match=r"pip install 'infila\[onnx\]'"):
        seated("take_that", "net.onnx")


def test_an_agent_meets_the_levels_of_the_ladder(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from bench import ladder

    monkeypatch.setattr(ladder, "LEVELS", ("beginner",))
    asked = "ladder --agent house_guests:first --only take_that --tables 1 --most 2 --processes 1 --folder kept"
    monkeypatch.setattr(sys, "argv", asked.split())
    ladder.main()
    told = capsys.readouterr().out
    assert "house_guests:first" in told and "beginner" in told and "random" in told
