"""What the first visitor to a page would wait for, and everybody else with them, is made while nobody waits."""

from collections.abc import Callable, Iterator

from infila.core.games import usable_games
from infila.core.words import LANGUAGES
from infila.server.gently import gently
from infila.server.pages.frame import edition, game_card
from infila.server.pages.solo import each_folder
from infila.web.html import END_PARTS, RULES_PARTS, TABLE_PARTS, macros, templates
from infila.web.languages import translator
from infila.web.rulebook import rules_html


def warm(is_ready: Callable[[str], bool], *, solo: bool = True) -> None:
    """Read templates, words and posters, and with `solo` what browsers think with; draw the rules of games that can be
    drawn without the compiler."""
    for _done in gently(_steps(is_ready, solo)):
        pass


def _steps(is_ready: Callable[[str], bool], solo: bool) -> Iterator[None]:
    for name in templates.list_templates():
        templates.get_template(name)
        yield
    for name in (TABLE_PARTS, END_PARTS, RULES_PARTS):
        macros(name)
        yield
    edition()
    for _folder in each_folder() if solo else ():
        yield
    for language in LANGUAGES:
        translator(language)
        for game in usable_games():
            game_card(game, language)
            yield
    for game in filter(is_ready, usable_games()):
        for language in LANGUAGES:
            rules_html(game, language)
            yield
