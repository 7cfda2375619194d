"""The log: a game is its header and its moves, one a line (docs/reference/log.md). Everything else is replayed."""

import json
import re
from dataclasses import dataclass, field, replace
from typing import Any

from infila.core.errors import BadLog, BadOptions, BrokenGame, InfilaError
from infila.core.games import contract_of, games, no_game
from infila.core.growing import Growing
from infila.core.options import Options
from infila.core.seeds import MOST_ATTEMPTS, checked, commitment, words_commitment

FIRST_LINE = "infila log 1"
SEPARATOR = " | "


@dataclass(frozen=True)
class Log:
    """A game written down. `seed` is None while it is secret; `position` is given if the game was set up, not dealt."""

    game: str
    options: Options
    seats: tuple[str, ...]
    moves: Growing[str] = field(default_factory=Growing)
    commitment: str = ""
    commitments: tuple[str, ...] = ()  # of the seats, to their words
    attempts: int = 1  # at the shuffle, with the one that was dealt from
    words: tuple[str, ...] = ()
    seed: str | None = None
    position: dict[str, Any] | None = None
    rules: int = 1
    lines: tuple[int, ...] = field(default=(), compare=False)  # where each move was read

    def text(self, *, finished: bool) -> str:
        """As a file. The seed comes after the moves of a finished game, but in the header of a private save."""
        header = [
            FIRST_LINE,
            f"game: {self.game}",
            f"rules: {self.rules}",
            "options: " + " ".join(f"{name}={text}" for name, text in self.options.to_texts().items()),
            "seats: " + SEPARATOR.join(self.seats),
        ]
        if self.commitment:
            header.append(f"commitment: {self.commitment}")
        if any(self.commitments):
            header.append("commitments: " + SEPARATOR.join(self.commitments))
        if self.attempts > 1:
            header.append(f"attempts: {self.attempts}")
        if any(self.words):
            header.append("words: " + SEPARATOR.join(self.words))
        if self.position is not None:
            header.append("position: " + json.dumps(self.position, ensure_ascii=False))
        if self.seed is not None and not finished:
            header.append(f"seed: {self.seed}")
        closing = [f"seed: {self.seed}"] if self.seed is not None and finished else []
        return "\n".join([*header, "", *self.moves, *closing]) + "\n"


def parse(text: str) -> Log:
    """Read a log. A mistake raises BadLog with its line and, as `usable`, the log up to there."""
    lines = text.split("\n")
    if lines[0].rstrip("\r") != FIRST_LINE:
        raise BadLog(1, "this is not an infila log: the first line should be {first!r}.", first=FIRST_LINE)
    header: dict[str, tuple[int, str]] = {}
    at = 1
    while at < len(lines) and lines[at].strip():
        name, colon, value = lines[at].partition(":")
        if not colon or name.strip() not in _HEADER:
            raise BadLog(
                at + 1,
                "{text} is not a header line; a header line is one of {names}.",
                text=_short(lines[at]),
                names=", ".join(_HEADER),
            )
        if name.strip() in header:
            raise BadLog(at + 1, "{name!r} appears twice.", name=name.strip())
        header[name.strip()] = (at + 1, value.strip())
        at += 1
    return _moves(_read_header(header, at + 1), lines, at)


def _short(line: str) -> str:
    return repr(line if len(line) <= 60 else line[:57] + "…")


_HEADER = ("game", "rules", "options", "seats", "commitment", "commitments", "attempts", "words", "position", "seed")
_SHUFFLED = ("commitment", "commitments", "attempts", "seed")  # only where something was


def _read_header(header: dict[str, tuple[int, str]], end: int) -> Log:
    for name in ("game", "rules", "options", "seats"):
        if name not in header:
            raise BadLog(end, "the header ends here without a line {name!r}.", name=name)
    line, game = header["game"]
    if game not in games():
        raise BadLog(line, no_game(game if len(game) <= 60 else f"{game[:57]}…"))
    try:
        contract = contract_of(game)
    except BrokenGame as problem:
        raise BadLog(line, problem) from None
    line, rules = header["rules"]
    if rules != str(contract.rules_version):
        raise BadLog(
            line,
            "rules version {rules} is not known here; this is version {known}.",
            rules=_short(rules),
            known=contract.rules_version,
        )
    line, text = header["options"]
    try:
        options = contract.options.from_texts(_option_texts(text))
    except BadOptions as problem:
        raise BadLog(line, problem) from None
    players = int(options.to_dict()["players"])
    log = Log(game, options, _row(header, "seats", players), rules=contract.rules_version)
    if "words" in header:
        log = replace(log, words=_row(header, "words", players))
    if "position" in header:
        line, text = header["position"]
        try:
            position = json.loads(text)
        except (ValueError, RecursionError):
            raise BadLog(line, "the position is not readable as JSON.") from None
        if not isinstance(position, dict):
            raise BadLog(line, "the position must be a JSON object.")
        if any(name in header for name in _SHUFFLED):
            raise BadLog(line, "a game that begins from a position has no seed.")
        return replace(log, position=position)
    if "commitment" not in header:
        raise BadLog(end, "the header ends here without a line {name!r}.", name="commitment")
    line, promise = header["commitment"]
    _check_commitment(line, promise)
    log = _with_commitments(replace(log, commitment=promise), header)
    return _with_seed(log, *header["seed"]) if "seed" in header else log


def _check_commitment(line: int, text: str) -> None:
    if not re.fullmatch("[0-9a-f]{64}", text):
        raise BadLog(line, "a commitment is 64 hexadecimal digits.")


def _with_commitments(log: Log, header: dict[str, tuple[int, str]]) -> Log:
    """What seats have committed to, and in how many attempts. Their words must fit, and there can be no others: who
    adds words without a commitment may have seen the rest."""
    if "attempts" in header:
        line, text = header["attempts"]
        if text not in map(str, range(1, MOST_ATTEMPTS + 1)):
            raise BadLog(line, "there are 1 to {most} attempts at a shuffle.", most=MOST_ATTEMPTS)
        log = replace(log, attempts=int(text))
    if "commitments" not in header:
        return log
    line = header["commitments"][0]
    commitments = _row(header, "commitments", len(log.seats))
    for seat, promise in enumerate(commitments):
        words = log.words[seat] if log.words else ""
        if promise:
            _check_commitment(line, promise)
        if words_commitment(words, log.attempts) != promise if promise else words:
            raise BadLog(line, "what seat {seat} has mixed in is not what it had committed to.", seat=seat + 1)
    return replace(log, commitments=commitments)


def _option_texts(text: str) -> dict[str, str]:
    texts: dict[str, str] = {}
    for part in text.split():
        name, equals, value = part.partition("=")
        if not equals or name in texts:
            raise BadOptions("{text} is not an option; options look like players=2.", text=_short(part))
        texts[name] = value
    return texts


def _row(header: dict[str, tuple[int, str]], name: str, players: int) -> tuple[str, ...]:
    line, text = header[name]
    entries = tuple(entry.strip() for entry in text.split(SEPARATOR.strip()))
    if len(entries) != players:
        raise BadLog(
            line, "there are {count} {name} for {players} players.", count=len(entries), name=name, players=players
        )
    try:
        return tuple(checked(entry, name) for entry in entries)
    except InfilaError as problem:
        raise BadLog(line, problem) from None


def _with_seed(log: Log, line: int, text: str) -> Log:
    try:
        seed = checked(text, "the seed")
    except InfilaError as problem:
        raise BadLog(line, problem, log) from None
    if commitment(seed) != log.commitment:
        raise BadLog(line, "this seed is not the one that the commitment promised: its SHA-256 is different.", log)
    return replace(log, seed=seed)


def _moves(log: Log, lines: list[str], at: int) -> Log:
    moves: list[str] = []
    places: list[int] = []

    def so_far() -> Log:
        return replace(log, moves=Growing(moves), lines=tuple(places))

    for number in range(at, len(lines)):
        line = lines[number].strip()
        if not line:
            continue
        if line.startswith("seed:"):
            if log.seed is not None or log.position is not None:
                raise BadLog(number + 1, "there can be no second seed.", so_far())
            whole = _with_seed(so_far(), number + 1, line.removeprefix("seed:"))
            for rest in range(number + 1, len(lines)):
                if lines[rest].strip():
                    raise BadLog(rest + 1, "nothing can follow the seed.", whole)
            return whole
        if len(line) > 80 or not line.isprintable():
            raise BadLog(number + 1, "{text} is not a move.", so_far(), text=_short(line))
        moves.append(line)
        places.append(number + 1)
    return so_far()
