"""A benchmark: an agent against the levels, by a protocol that never changes, as a sealed file that others can check.

A protocol says which games are played at which tables (`benchmark.json` in a game's folder), against whom, and how many
deals. Deals and levels are the same everywhere, so whoever has the agent can play any game of a file again. The seal is
a digest of all that the file says: it shows that nothing was changed by accident. That nothing was invented, only
playing again shows.
"""

import hashlib
import json
import platform
import random
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from infila import __version__
from infila.agents import seated
from infila.arena import contest
from infila.arena.match import play_game
from infila.arena.results import GameLine, Results
from infila.core.errors import InfilaError, writing
from infila.core.games import NAMES, contract_of

SEED = 1
SECONDS = 10.0
TABLES = "infila-v1"  # the name of the tables in benchmark.json

# for each protocol the opponents, and how many deals are played with each, at every table
PROTOCOLS: dict[str, dict[str, int]] = {
    "infila-v1": {"beginner": 50, "casual": 50, "club": 50, "expert": 20, "master": 10},
    "infila-v1-light": {"beginner": 20, "casual": 20, "club": 20},
}


@dataclass(frozen=True)
class Meeting:
    """An agent and a level at a table: one contest."""

    game: str
    options: dict[str, Any]
    opponent: str
    deals: int

    def plan(self, agent: str) -> contest.Contest:
        return contest.Contest(self.game, (agent, self.opponent), self.options, SEED, seconds=SECONDS)

    def title(self) -> str:
        players = self.plan("").options["players"]
        return f"{contract_of(self.game).title}, {players} players, {self.opponent}"


class Entry(msgspec.Struct, forbid_unknown_fields=True):
    """One meeting, as the file has it. A game is its deal, who sat where (0: the agent), scores, moves and forfeit."""

    game: str
    options: dict[str, Any]
    rules: int
    opponent: str
    share: float
    low: float
    high: float
    games: list[tuple[int, tuple[int, ...], tuple[int, ...], int, str]]


class Sealed(msgspec.Struct, forbid_unknown_fields=True):
    """What a benchmark says."""

    benchmark: str
    agent: str
    infila: str
    numpy: str
    python: str
    score: float  # the mean share of all meetings, one half for that of a level with itself
    forfeits: int
    meetings: list[Entry]
    seal: str = ""


def meetings(protocol: str, agent: str) -> list[Meeting]:
    """All meetings of a protocol; a level does not meet itself."""
    if protocol not in PROTOCOLS:
        raise InfilaError(f"there is no benchmark {protocol!r}. There are {' and '.join(PROTOCOLS)}.")
    found = []
    for game in NAMES:
        for options in json.loads(contract_of(game).file("benchmark.json").read_bytes())[TABLES]:
            found += [
                Meeting(game, options, opponent, deals)
                for opponent, deals in PROTOCOLS[protocol].items()
                if opponent != agent
            ]
    return found


def run(protocol: str, agent: str, folder: Path, processes: int) -> Generator[tuple[Meeting, Results]]:
    """Play all meetings, and yield each after every deal. Games are kept in the folder; what is there is not played."""
    planned = meetings(protocol, agent)
    for meeting in planned:
        contest.check(meeting.plan(agent))
    for number, meeting in enumerate(planned):
        plan, file = meeting.plan(agent), folder / f"{number:02}-{meeting.game}-{meeting.opponent}.jsonl"
        if number == 0:
            contest.warm_up(plan)
        for results in contest.run(plan, meeting.deals, least=meeting.deals, file=file, processes=processes):
            yield meeting, results


def sealed(protocol: str, agent: str, played: Sequence[tuple[Meeting, Results]]) -> Sealed:
    """The file of a benchmark that has been played to its end."""
    entries = []
    for meeting, results in played:
        games = [(line.deal, line.seats, line.scores, line.moves, line.forfeit) for line in results.lines]
        share, contract = results.share(0, 1), contract_of(meeting.game)
        mean, low, high = (round(each, 6) for each in (share.mean, share.low, share.high))
        about = meeting.game, meeting.options, contract.rules_version, meeting.opponent
        entries.append(Entry(*about, mean, low, high, games))
    left_out = len(meetings(protocol, "")) - len(entries)  # a level against itself: one half
    score = round((sum(entry.share for entry in entries) + left_out / 2) / (len(entries) + left_out), 6)
    forfeits = sum(bool(game[4]) for entry in entries for game in entry.games)
    versions = __version__, np.__version__, platform.python_version()
    whole = Sealed(protocol, agent, *versions, score, forfeits, entries)
    return msgspec.structs.replace(whole, seal=seal_of(whole))


def seal_of(whole: Sealed) -> str:
    """A digest of everything but the seal itself."""
    content = msgspec.to_builtins(msgspec.structs.replace(whole, seal=""))
    return hashlib.sha256(json.dumps(content, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def write(file: Path, whole: Sealed) -> None:
    with writing(file):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(msgspec.json.encode(whole) + b"\n")


def read(file: Path) -> Sealed:
    """A sealed file; raises an InfilaError if it is not whole, or does not follow its protocol."""
    try:
        whole = msgspec.json.decode(file.read_bytes(), type=Sealed)
    except OSError as problem:
        raise InfilaError(f"{file} cannot be read: {problem.strerror}.") from None
    except (msgspec.DecodeError, RecursionError) as problem:
        raise InfilaError(f"{file} is not the file of a benchmark: {problem}.") from None
    if seal_of(whole) != whole.seal:
        raise InfilaError(f"{file}: the seal is broken: something in it was changed.")
    wanted = meetings(whole.benchmark, whole.agent)
    if [(entry.game, entry.options, entry.opponent) for entry in whole.meetings] != [
        (meeting.game, meeting.options, meeting.opponent) for meeting in wanted
    ]:
        raise InfilaError(f"{file} does not have the meetings of {whole.benchmark}.")
    for entry, meeting in zip(whole.meetings, wanted, strict=True):
        _check_entry(file, entry, meeting, whole.agent)
    again = sealed(whole.benchmark, whole.agent, [_played(*each) for each in zip(whole.meetings, wanted, strict=True)])
    if (again.score, again.forfeits) != (whole.score, whole.forfeits):
        raise InfilaError(f"{file}: its score does not follow from its games.")
    return whole


def _check_entry(file: Path, entry: Entry, meeting: Meeting, agent: str) -> None:
    plan = meeting.plan(agent)
    wanted = [(deal, line_up) for deal in range(meeting.deals) for line_up in plan.line_ups()]
    seats = len(plan.sides())
    if [(game[0], game[1]) for game in entry.games] != wanted or any(len(game[2]) != seats for game in entry.games):
        raise InfilaError(f"{file}: {meeting.title()}: these are not the games of {TABLES}.")
    share = _played(entry, meeting)[1].share(0, 1)
    if [entry.share, entry.low, entry.high] != [round(each, 6) for each in (share.mean, share.low, share.high)]:
        raise InfilaError(f"{file}: {meeting.title()}: its share does not follow from its games.")


def _played(entry: Entry, meeting: Meeting) -> tuple[Meeting, Results]:
    """The results of a meeting, from its file."""
    plan = meeting.plan("agent")
    results = Results(plan.contestants, plan.sides())
    lines = [
        GameLine(deal, seats, scores, (0,) * len(seats), (0.0,) * len(seats), moves, 0, forfeit=forfeit)
        for deal, seats, scores, moves, forfeit in entry.games
    ]
    size = len(plan.line_ups())
    for start in range(0, len(lines), size):
        results.add_deal(lines[start : start + size])
    return meeting, results


def played_again(whole: Sealed, sample: int | None) -> Iterator[tuple[str, bool]]:
    """Play games of a file again, all or a few drawn by chance: which one, and whether it went the same way."""
    games = [(entry, game) for entry in whole.meetings for game in entry.games]
    if sample is not None:
        games = random.SystemRandom().sample(games, min(sample, len(games)))
    for entry, (deal, seats, scores, moves, forfeit) in games:
        contract = contract_of(entry.game)
        who = [seated(entry.game, name, SECONDS) for name in (whole.agent, entry.opponent)]
        options = contract.options.make(entry.options)
        result = play_game(contract, options, SEED, deal, [who[i] for i in seats])
        same = (tuple(result.scores), result.moves, bool(result.forfeit)) == (scores, moves, bool(forfeit))
        yield f"{contract.title}, {entry.opponent}, deal {deal}, seats {seats}", same
