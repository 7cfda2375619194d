"""A table as a line of a list: on the front page, and among one's own games."""

import time
from datetime import datetime
from typing import Any

from babel.dates import format_date

from infila.core.errors import InfilaError
from infila.core.games import contract_of, usable_games
from infila.server.ledger import Result
from infila.server.lobby import Listed
from infila.server.pages.names import called, origin_text
from infila.server.snapshot import COMPUTER, OPEN, OVER, PERSON, WAITING
from infila.web import table_html
from infila.web.languages import Translate, translator

MOST_NAMED = 3  # of those who play: the others are counted
SHORT_YEAR = 300 * 86400  # seconds for which a date needs no year


def line_of(table: Listed, language: str, result: Result | None = None) -> dict[str, Any]:
    """What a list shows of a table."""
    _ = translator(language)
    # a game that was uninstalled leaves its tables behind
    known = table.game in usable_games()
    title = contract_of(table.game).title.lower() if known else table.game
    people = [called(name, _) for kind, name in table.seats if kind == PERSON]
    taken = [kind != OPEN for kind, _name in table.seats]
    return {
        "id": table.id,
        "game": table.game,
        "title": title,
        "heading": _heading(table, all(taken), title, _),
        "with": opponents(table, _),
        "host": people[0] if people else title,
        "own": bool(table.mine),
        "origin": origin_text(table.origin, _),
        **(_how_it_is_played(table, language) if known else {}),
        "taken": _("{taken} of {count} seats taken", taken=sum(taken), count=len(taken)),
        "date": date_text(result.at if result is not None else table.created, language),
        "result": "" if result is None or len(table.mine) == len(table.seats) else _result(result, _),
        "won": result is not None and result.won,
        "score": "" if result is None else str(result.score).replace("-", "−"),
    }


def _result(result: Result, _: Translate) -> str:
    return _("you won") if result.won else _("a draw") if result.drawn else _("you lost")


def _how_it_is_played(table: Listed, language: str) -> dict[str, Any]:
    try:
        return {"tags": tags_of(table, language), "seats": seats_of(table)}
    except InfilaError:  # options that the game no longer has
        return {}


def _heading(table: Listed, full: bool, title: str, _: Translate) -> str:
    if table.state == WAITING:
        return _("shuffling …") if full else _("waiting for players")
    if table.lesson:
        return _("lesson")
    return _("your turn") if table.my_turn and table.state != OVER else title


def opponents(table: Listed, _: Translate) -> str:
    """Who else plays, in short: people by name, computers by how strong they are."""
    others = [seat for number, seat in enumerate(table.seats) if number not in table.mine]
    if not others:
        return _("all seats yours")
    names = [called(name, _) for kind, name in others if kind == PERSON]
    levels = [name for kind, name in others if kind == COMPUTER]
    if levels:
        strengths = ", ".join(_(text) for level, text in table_html.LEVEL_NAMES.items() if level in levels)
        each = _("computer") if len(levels) == 1 else _("{count} computers", count=len(levels))
        names.append(f"{each} ({strengths})" if strengths else each)
    more = len(names) - MOST_NAMED
    return ", ".join(names[:MOST_NAMED]) + (f" +{more}" if more > 0 else "")


def seats_of(table: Listed) -> list[tuple[int, bool]]:
    """For each seat the side, whose shape it has, and whether somebody sits there."""
    sides = contract_of(table.game).options.from_json(table.options)
    return [(sides.side(number), kind != OPEN) for number, (kind, _name) in enumerate(table.seats)]


def tags_of(table: Listed, language: str) -> list[str]:
    """What is not as usual at a table."""
    _ = translator(language)
    tags = option_tags(table.game, table.options, language)
    if table.move_seconds:
        tags.append(_("{time} a move", time=time_text(table.move_seconds, _)))
    if table.game_seconds:
        tags.append(_("{time} each", time=time_text(table.game_seconds, _)))
    return tags


def option_tags(game: str, options: dict[str, Any], language: str) -> list[str]:
    """The options that differ from what is usual with so many players, in a game's own words."""
    kind, words = contract_of(game).options, table_html.words(game, language)["options"]
    chosen = kind.from_json(options)
    usual = kind.make({"players": options["players"]})
    tags = []
    for name, spec in kind.specs().items():
        value = getattr(chosen, name)
        if name == "players" or value == getattr(usual, name):
            continue
        text = spec.to_text(value)
        plain = words.get(name, name) if spec.kind == "flag" else f"{words.get(name, name)}: {text}"
        tags.append(words.get(f"{name}_{text}_tag") or words.get(f"{name}_tag", plain).format(value=text))
    return tags


def time_text(seconds: int, _: Translate) -> str:
    return _("{count} min", count=seconds // 60) if seconds < 86400 else _("{count} d", count=seconds // 86400)


def date_text(at: float, language: str) -> str:
    """A day, in the server's own time; with its year if that is not plain."""
    form = "d MMM" if abs(time.time() - at) < SHORT_YEAR else "d MMM y"
    return str(format_date(datetime.fromtimestamp(at), form, locale=language))
