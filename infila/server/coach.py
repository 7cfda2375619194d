"""What the coach says at the table of a lesson."""

from infila.server.computers import to_act
from infila.server.errors import Refused
from infila.server.lessons import Progress, objection, progress
from infila.server.tableview import TableView
from infila.web import coach
from infila.web.coach import Coach
from infila.web.languages import Translate, translator
from infila.web.lesson import Step
from infila.web.present import words


def coach_of(table: TableView, language: str) -> Coach | None:
    """The coach of a table that is a lesson, as the learner hears it."""
    now = progress(table.moment)
    if now is None or table.seat != now.lesson.seat - 1:
        return None
    _ = translator(language)
    said, wish, show = _speech(table, now, language, _)
    html = coach.thread_html(now.at, len(now.lesson.steps), _) + said + coach.ways_out(_)
    return Coach(html, wish, show, reading=now.reading, alone=now.step is None)


Names = tuple[str, ...]


def _speech(table: TableView, now: Progress, language: str, _: Translate) -> tuple[str, Names, Names]:
    """What the coach says, which moves it suggests, and what it points at."""
    step, game = now.step, table.header.game
    if step is None:
        return _last_words(table, now, language, _), (), ()
    if to_act(table.moment):
        return coach.says(_("The computer plays.")), (), ()
    said = words(game, language)["lesson"]
    html = coach.says(said[step.key], coach.rule_links(game, step.rules, _))
    html += coach.next_button(_) if now.reading else coach.wants(said[f"{step.key}_do"])
    moves = table.view.moves if table.view is not None else []
    return html, tuple(move for move in step.moves if move in moves), step.show


def _last_words(table: TableView, now: Progress, language: str, _: Translate) -> str:
    """What is said when there is nothing more to teach."""
    game = table.header.game
    said = words(game, language)["lesson"]
    text = said["end"] if table.moment.over else said["alone"]
    if now.strayed:
        text = _("You have left the path of this lesson: play on as you like, or begin again.")
    return coach.says(text) + coach.real_game_button(game, _)


def check(table: TableView, text: str, language: str) -> None:
    """In a lesson other moves than those it can go on from are refused, with a friendly word why."""
    if table.seat is None:
        return
    step = objection(table.moment, table.seat, text)
    if step is not None:
        raise Refused(_why_not(step, table.header.game, language))


def _why_not(step: Step, game: str, language: str) -> str:
    _ = translator(language)
    if not step.moves:
        return _("Read on first: the button is beside what the coach says.")
    usual = _("That is allowed, but this lesson goes on with another move. You can try yours in your next game.")
    return words(game, language)["lesson"].get(f"{step.key}_not", usual)
