"""A table that somebody is about to open, in one sentence: the form for a new table shows it while they choose."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from litestar import Response, get

from infila.core.games import contract_of, no_game, usable_games
from infila.core.options import Options
from infila.players import LEVELS
from infila.server.creation import ME
from infila.server.errors import Unknown
from infila.server.pages.choices import HOURS, MINUTES, one_of, options_from, seats_from
from infila.server.pages.frame import json_answer, language_of, level_of
from infila.server.pages.lists import option_tags, time_text
from infila.server.request import AnyRequest
from infila.server.snapshot import OPEN
from infila.web import table_html
from infila.web.languages import Translate, translator


@get("/new/sum", include_in_schema=False)
async def sum_of(request: AnyRequest) -> Response[bytes]:
    """The sentence for a form as it is filled in."""
    wanted = dict(request.query_params)
    game = wanted.get("game", "")
    if game not in usable_games():
        raise Unknown("{problem}", problem=no_game(game))
    options = options_from(contract_of(game).options, wanted)
    return json_answer(
        {"text": sum_up(game, options, seats_from(options, wanted, level_of(request)), wanted, language_of(request))}
    )


def sum_up(game: str, options: Options, seats: Sequence[str], wanted: dict[str, str], language: str) -> str:
    """Game, players, who they are, what is not as usual, and the clocks."""
    _ = translator(language)
    title = contract_of(game).title
    who = together(players_of(seats, wanted.get("lobby") == "yes", _), _)
    said = [_("{game} for {count}: {who}", game=title, count=len(seats), who=who)]
    said += option_tags(game, options.to_json(), language)
    if seconds := one_of(MINUTES, wanted.get("pace", "")):
        said.append(_("{time} a move", time=time_text(seconds, _)))
    if seconds := one_of(HOURS, wanted.get("whole", "")):
        said.append(_("{time} each", time=time_text(seconds, _)))
    return "; ".join(said) + "."


def players_of(seats: Sequence[str], lobby: bool, _: Translate) -> list[str]:
    """Who is to sit there, each kind once."""
    count: Counter[Any] = Counter(seats)
    found = []
    if count[ME]:
        found.append(_("you") if count[ME] == 1 else _("you in {count} seats", count=count[ME]))
    if count[OPEN] == 1:
        found.append(_("whoever sits down") if lobby else _("whoever has the link"))
    elif count[OPEN]:
        found.append(
            _("{count} who sit down", count=count[OPEN]) if lobby else _("{count} with the link", count=count[OPEN])
        )
    for level in (each for each in LEVELS if count[each]):
        name = _(table_html.LEVEL_NAMES[level])
        one = count[level] == 1
        found.append(f"{_('a computer') if one else _('{count} computers', count=count[level])} ({name})")
    return found


def together(names: Sequence[str], _: Translate) -> str:
    return names[0] if len(names) == 1 else ", ".join(names[:-1]) + _(" and ") + names[-1]
