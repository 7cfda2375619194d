"""What somebody has chosen in the form for a new table, as far as it is filled in."""

from collections.abc import Mapping

from infila.core.errors import InfilaError
from infila.core.options import Options
from infila.players import LEVELS, USUAL
from infila.server.creation import ME
from infila.server.levels import ComputerLevel
from infila.server.snapshot import OPEN

MINUTES = (0, 60, 300, 86400, 259200)  # seconds that a move may take,
HOURS = (0, 600, 1800, 3600, 604800, 1209600)  # and all moves of a player together


def one_of(offered: tuple[int, ...], text: str) -> int:
    """The seconds that were chosen; none if they were not offered."""
    return next((seconds for seconds in offered if str(seconds) == text), 0)


def options_from(kind: type[Options], wanted: Mapping[str, str]) -> Options:
    """The options of a form; what does not go together with the number of players falls back to what is usual."""
    texts = {name: wanted[name] for name in kind.specs() if wanted.get(name)}
    try:
        return kind.from_texts(texts)
    except InfilaError:
        try:
            return kind.from_texts({name: text for name, text in texts.items() if name == "players"})
        except InfilaError:
            return kind.make({})


def seats_from(options: Options, wanted: Mapping[str, str], level: ComputerLevel | None) -> list[str]:
    """For each seat who is to sit there: as it was chosen, or else oneself against the computer."""
    usual = [ME] + [str(level or USUAL)] * (int(options.to_dict()["players"]) - 1)
    chosen = [wanted.get(f"seat-{number}", text) for number, text in enumerate(usual, 1)]
    return [text if text in (ME, OPEN, *LEVELS) else usual[number] for number, text in enumerate(chosen)]
