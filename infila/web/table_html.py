"""A table as a viewer sees it, in HTML: everything is made from that viewer's view.

`TableFacts` is what the page needs to know of a table; the server fills it, the templates and `table.js` use it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import Any

from markupsafe import Markup, escape

from infila.core.contract import Reason
from infila.core.game import View, new
from infila.core.games import contract_of, usable_games
from infila.core.picture import Panel, figures, sayer, symbols, width_of
from infila.players.hints import Hint
from infila.web.coach import Coach
from infila.web.html import TABLE_PARTS, macros
from infila.web.languages import Translate, translator
from infila.web.teams import in_teams, teams_html

SEATS_KEPT, LINES_KEPT = 2_000, 20_000  # pieces of HTML that are not made again
VIEWS_KEPT = 64  # that are not drawn again
LINES = 100  # of what was said: the last
MORE = {"b": "offer", "k": "threads", "w": "writes"}  # what a picture may say of a move besides
LEVEL_NAMES = {  # from weak to strong
    "random": "at random",
    "beginner": "first steps",
    "casual": "casual",
    "club": "club",
    "expert": "expert",
    "master": "master",
}
LEVELS_ABOUT = {
    "beginner": "still learning, and overlooks a lot",
    "casual": "plays along without thinking long",
    "club": "knows the game well",
    "expert": "thinks ahead",
    "master": "gives nothing away",
}


@dataclass(frozen=True)
class Sitter:
    """Who has a seat."""

    name: str
    kind: str  # "person", "computer", "open", or "other": nobody in particular
    level: str = ""
    here: bool = False  # a person who has the page open
    you: bool = False
    timed: bool = False  # there is a clock
    away: bool = False  # a person for whom a computer stands in
    out_of_time: bool = False  # because they had none left
    returns: bool = False  # the viewer, who can take this seat again
    resigned: bool = False


@dataclass(frozen=True, eq=False)
class Told:
    """A line of the log: who did what, as everybody may know it. Each is made once, and is itself."""

    number: int
    seat: int
    reason: Reason
    text: str  # in the notation
    parts: tuple[str, ...]  # of the picture
    sound: str = "lay"
    stands: tuple[int, ...] = ()  # how every seat stands after it
    stage: str = ""  # the round, or the game of a match, that it belongs to


@dataclass(frozen=True)
class Said:
    """A line of the chat."""

    name: str
    text: str
    number: int = 0


@dataclass(frozen=True)
class Note:
    """Something that lies on the board until it is put away."""

    title: str
    text: str
    back: str  # what is said to take one's seat again, if one can
    watch: str


@dataclass
class TableFacts:
    """A table, for one viewer."""

    view: View
    sitters: Sequence[Sitter]
    version: int
    stamp: int  # changes with everything that the page shows
    told: Sequence[Told] = ()
    hinted: Sequence[tuple[int, int]] = ()  # after how many moves which seat took a hint against people
    said: Sequence[Said] = ()
    last: tuple[str, ...] = ()
    mover: int = -1
    yours: bool = False  # the viewer has something to decide
    hints: bool = True  # and may be told what the computer would do
    buttons: list[dict[str, Any]] = field(default_factory=list)  # that are not moves
    coach: Coach | None = None  # in a lesson
    pending: tuple[str, str] = ("", "")  # what is told instead of what to do, and the same in short
    note: Note | None = None
    clocks: dict[str, Any] | None = None  # for the script that counts
    away: Sequence[float | None] = ()  # for how long, in seconds
    notice: tuple[int, str] | None = None  # what everybody was told last, and its number
    readers: str = ""  # who reads what the viewer says
    people: bool = False  # the viewer plays with other people
    given_to: Sequence[int] | None = None  # who has won because all others have resigned
    stopped: bool = False  # the game was ended by agreement
    board: View | None = None  # what is drawn instead of the view: see `swept` of a picture
    ended: bool = False  # the game is over, whatever move of it is shown
    result: str = ""  # why the score is what it is, at the end of a lesson
    offer: str = ""  # what becomes of playing again
    next: str = ""  # where the viewer plays again

    @property
    def over(self) -> bool:
        return self.view.over or self.given_to is not None

    @property
    def winners(self) -> Sequence[int]:
        return self.view.winners if self.given_to is None else self.given_to


@cache
def words(game: str, language: str) -> dict[str, dict[str, str]]:
    return contract_of(game).words(language)


@cache
def say_of(game: str, language: str) -> Any:
    """What a picture says its labels with; always the same, so that pictures can remember what they drew with it."""
    return sayer(words(game, language)["picture"])


def sentence(game: str, table: str, reason: Reason, language: str) -> str:
    return words(game, language)[table][reason.key].format(**reason.values)


def panels(facts: TableFacts, language: str) -> list[Panel]:
    names = tuple(sitter.name for sitter in facts.sitters)
    return list(_panels(facts.board or facts.view, names, language, tuple(facts.last)))


@lru_cache(VIEWS_KEPT)
def _panels(view: View, names: tuple[str, ...], language: str, last: tuple[str, ...]) -> list[Panel]:
    """A view, which does not change, is drawn once for all who have it."""
    viewer = -1 if view.seat is None else view.seat
    return view.contract.picture.panels(view.states[0], viewer, names, say_of(view.game, language), last)


@cache
def opening(game: str, language: str) -> str:
    """How a table looks to a spectator at the beginning: a poster for a game that has none of its own."""
    view = new(game, seed=1).view()
    drawn = view.contract.picture.panels(view.states[0], -1, view.names, say_of(game, language), ())[0]
    inside = drawn.svg[drawn.svg.index(">") + 1 :]
    look = 'class="pic" preserveAspectRatio="xMidYMid slice" aria-hidden="true"'
    return f'<svg viewBox="0 0 {drawn.width:g} {drawn.height:g}" {look}>{inside}'


def moves(facts: TableFacts, language: str) -> list[dict[str, Any]]:
    """The viewer's legal moves for the script: text, path of parts, note on the target, words on the button, and what
    else lights up; and if the game says so, when there is a button (b), which lines the move would make (k), and what
    it would write (w)."""
    view = facts.view
    if view.seat is None or not facts.yours or (facts.coach is not None and facts.coach.reading):
        return []
    return list(_moves(view, language))


@lru_cache(VIEWS_KEPT)
def _moves(view: View, language: str) -> list[dict[str, Any]]:
    contract, s = view.contract, view.states[0]
    more = {key: getattr(contract.picture, name, None) for key, name in MORE.items()}
    found = []
    for action, text in zip(view.own_actions(), view.moves, strict=True):
        move = {
            "t": text,
            "p": list(contract.notation.parts(s, action)),
            "n": contract.picture.note(s, action),
            "a": sentence(view.game, "proposals", contract.story.propose(s, action), language),
            "l": contract.picture.lights(s, action),
        }
        found.append(move | {key: said for key, tell in more.items() if tell and (said := tell(s, action))})
    return found


@lru_cache(SEATS_KEPT)
def number(text: str, height: float, label: str | None = None) -> Markup:
    """Drawn figures on the page."""
    text = text.replace("-", "−")
    glyphs = [{"+": "g-plus", "−": "g-minus"}.get(sign, f"g-{sign}") for sign in text]
    wide = sum(width_of(glyph) for glyph in glyphs) + 11 * (len(glyphs) - 1)
    return Markup(
        f'<svg class="n" viewBox="0 0 {wide:g} 100" height="{height:g}" width="{wide * height / 100:.1f}" role="img" '
        f'aria-label="{escape(label or text)}">{figures(text, 0, 0, 100, "start")}</svg>'
    )


def mark(seat: int, name: str, size: int = 40, at: tuple[int, int] | None = None) -> Markup:
    """A seat's sign: shape, colour and first letter; `at` a place in another picture."""
    return Markup(macros(TABLE_PARTS).mark(seat, name, size, at))


def standing(view: View) -> list[int]:
    """How every seat stands: its score, or what the game's picture counts instead."""
    course = getattr(view.contract.picture, "course", None)
    return list(map(int, course(view.states[0]))) if course else view.scores


def tally(facts: TableFacts) -> list[int]:
    """What stands beside each seat: while it is played what the game's picture counts, if it does; at the end, where
    *why* explains it, how everybody stands."""
    view = facts.view
    counted = getattr(view.contract.picture, "tally", None)
    return counted(view.states[0]) if counted and not facts.over else standing(view)


def signed(points: int) -> str:
    return f"{points:+d}".replace("-", "−") if points else "0"


def seats_html(facts: TableFacts, _: Translate, language: str, drawn: Sequence[Panel] = ()) -> str:
    """The seats: whose turn it is, who they are, what they have, and what lies beside their names."""
    view, picture = facts.view, facts.view.contract.picture
    scores, player = tally(facts), view.player
    sides = view.contract.options.read(view.states[0])
    counted = hasattr(picture, "tally") and not facts.over
    spoken = "{}" if counted else _("points: {points}", points="{}")
    say = say_of(view.game, language)
    unit = say(picture.UNIT) if counted and hasattr(picture, "UNIT") else ""
    aside, tags = getattr(picture, "aside", None), None if facts.over else getattr(picture, "tags", None)
    beside = {int(panel.name.rpartition("-")[2]) - 1: panel.svg for panel in drawn if panel.place == "seat"}
    rows, teams = [], in_teams(view)
    for seat, sitter in enumerate(facts.sitters):
        turn = seat == player and not facts.over
        row = _seat(
            number=seat,
            side=sides.side(seat),
            sign=sitter.name or "?",
            name=sitter.name if sitter.kind != "open" else _("open seat"),
            about=about(sitter, turn, _),
            aside=aside(view.states[0], seat, say) if aside else "",
            tags=tuple(map(signed, tags(view.states[0], seat))) if tags else (),
            strength=list(LEVEL_NAMES).index(sitter.level) if sitter.kind == "computer" else 0,
            clock=sitter.timed,
            look=presence(sitter, turn and not facts.over),
            back=_("I am back") if sitter.returns else "",
            turn=turn,
            won=facts.over and seat in facts.winners,
            points=number(str(scores[seat]), 20, spoken.format(scores[seat]) + (f" {unit}" if unit else "")),
            unit=unit,
            you=seat == view.seat,
            team=sides.side(seat) + 1 if teams else 0,
            panel=Markup(beside.get(seat, "")),
        )
        rows.append(row)
    return "".join(rows) + (teams_html(view, -1 if facts.over else player, say) if teams else "")


@lru_cache(SEATS_KEPT)
def _seat(**row: Any) -> str:
    """One seat; all who look at a table see the same, and mostly the same again."""
    return str(macros(TABLE_PARTS).seat(**row))


def presence(sitter: Sitter, turn: bool) -> str:
    """How a seat looks besides: a computer that thinks, somebody who is away, or for whom the table waits in vain."""
    if sitter.kind == "computer":
        return "thinking" if turn else ""
    absent = sitter.kind == "person" and not (sitter.here or sitter.you)
    return ("gone" if turn else "away") if absent else ""


def about(sitter: Sitter, turn: bool, _: Translate) -> str:
    """What is said of somebody under their name."""
    if sitter.resigned:
        return _("resigned")
    if sitter.out_of_time:
        return _("no time left, the computer plays on")
    if sitter.away:
        return _("away, the computer plays on")
    if sitter.kind == "computer":
        return _(LEVEL_NAMES[sitter.level])
    if sitter.kind == "open":
        return _("open seat")
    if sitter.kind == "other":
        return ""
    if sitter.you:
        return _("your turn") if turn else _("you")
    if sitter.here:
        return _("here")
    return _("gone, the computer plays at 0:00") if turn and sitter.timed else _("away")


def log_html(facts: TableFacts, language: str) -> str:
    """The last moves in words, oldest first, and between them who took a hint."""
    game, _ = facts.view.game, translator(language)
    shown = facts.told[-60:]
    lines = [
        (
            float(line.number),
            _log_line(line, facts.sitters[line.seat].name if line.seat >= 0 else "", game, language),
        )
        for line in shown
    ]
    first = len(facts.told) - len(shown)
    hints = ((at + 0.5, facts.sitters[seat].name) for at, seat in facts.hinted if first <= at <= len(facts.told))
    lines += [(at, str(macros(TABLE_PARTS).log_note(_("{name} took a hint.", name=name)))) for at, name in hints]
    return "".join(text for _at, text in sorted(lines, key=lambda line: line[0]))


@lru_cache(LINES_KEPT)
def _log_line(line: Told, who: str, game: str, language: str) -> str:
    """One move in words, which stays as it is while the game goes on."""
    return str(macros(TABLE_PARTS).log_line(line.number, who, sentence(game, "moves", line.reason, language)))


def chat_html(facts: TableFacts) -> str:
    return str(macros(TABLE_PARTS).talk(facts.said[-LINES:]))


def stage_title(title: str, _: Translate) -> str:
    """A round, or a game of a match."""
    kind, _space, number = title.partition(" ")
    return _("round {number}", number=number) if kind == "round" else _("game {number}", number=number)


def joined(names: Sequence[str], _: Translate) -> str:
    """Several names; one alone stays what it is."""
    return names[0] if len(names) == 1 else _(" and ").join([", ".join(names[:-1]), names[-1]])


def heading(facts: TableFacts, _: Translate) -> str:
    """Whose turn it is, or who has won."""
    view = facts.view
    if facts.over:
        winners = [facts.sitters[seat].name for seat in facts.winners]
        if not winners:
            return _("ended early") if facts.stopped else _("a draw")
        if len(winners) == 1:
            return _("{name} wins", name=winners[0])
        return _("{names} win", names=joined([_("{name}", name=winner) for winner in winners], _))
    if facts.yours:
        return _("your turn")
    return _("{name}’s turn", name=facts.sitters[view.player].name)


def say_html(facts: TableFacts, _: Translate, found: Sequence[dict[str, Any]], language: str) -> str:
    """The heading, what may be done now, the same in short, and what has just happened: on a small screen the log is
    not seen, and of the last two only one."""
    view = facts.view
    table = words(view.game, language)
    kinds = {view.contract.kind(action) for action in view.own_actions()} if found else set()
    possible = [kind for kind in table["do"] if kind in kinds]
    do, short_do = table["do"], table.get("do_short", table["do"])
    if len(possible) == 1:
        do, short_do = {**do, **table.get("must", {})}, {**short_do, **table.get("must_short", {})}
    sentences = " ".join(dict.fromkeys(do[kind] for kind in possible))  # several may be done in the same way
    short = short_do[possible[0]] if possible else ""
    if facts.pending[0]:
        sentences, short = facts.pending
    if facts.over:
        sides = view.contract.options.read(view.states[0])
        points = {sides.side(seat): score for seat, score in enumerate(tally(facts))}
        sentences = _(" to ").join(str(score).replace("-", "−") for score in sorted(points.values(), reverse=True))
        short = sentences
    return str(
        macros(TABLE_PARTS).say(heading(facts, _), addressed(facts, _), sentences, short, happened(facts, _, language))
    )


def addressed(facts: TableFacts, _: Translate) -> str:
    """The name of whoever is on turn, where several people sit and they have one."""
    if not facts.yours or facts.over or facts.view.seat is None:
        return ""
    people = [sitter for sitter in facts.sitters if sitter.kind == "person"]
    name = facts.sitters[facts.view.seat].name
    return "" if len(people) < 2 or name.startswith(_("guest")) else name


def happened(facts: TableFacts, _: Translate, language: str) -> str:
    """The last move in words."""
    if not facts.told:
        return ""
    line = facts.told[-1]
    did = sentence(facts.view.game, "moves", line.reason, language)
    return _("{name}", name=facts.sitters[line.seat].name) + f" {did}" if line.seat >= 0 else did


def state(facts: TableFacts, language: str, drawn: Sequence[Panel] = ()) -> dict[str, Any]:
    """Everything that changes on the page of a table, for the script; `drawn` are its panels, if they are drawn."""
    _ = translator(language)
    view = facts.view
    possible = moves(facts, language)
    drawn = drawn or panels(facts, language)
    fragments = {
        "seats": seats_html(facts, _, language, drawn),
        "say": say_html(facts, _, possible, language),
        "log": log_html(facts, language),
        "talk": chat_html(facts),
        "readers": str(escape(facts.readers)),
        "note": str(macros(TABLE_PARTS).note(facts.note)) if facts.note else "",
        "result": facts.result,
        "offer": facts.offer,
    }
    fragments |= {f"panel-{panel.name}": panel.svg for panel in drawn if panel.place != "seat"}
    coach = facts.coach
    if coach is not None:
        fragments["coach"] = coach.html
    return {
        "version": facts.version,
        "stamp": facts.stamp,
        "count": len(facts.told),
        "title": f"{heading(facts, _)} · {view.contract.title.lower()} · infila",
        "fragments": fragments,
        "moves": possible,
        "yours": facts.yours,
        "hints": facts.yours and facts.hints and (coach is None or coach.alone),
        "wish": [] if coach is None else list(coach.wish),
        "show": [] if coach is None else list(coach.show),
        "buttons": facts.buttons,
        "last": list(facts.last),
        "mover": facts.mover,
        "over": facts.over,
        "sound": facts.told[-1].sound if facts.told else "",
        "clock": facts.clocks,
        "away": [None if seconds is None else round(seconds) for seconds in facts.away],
        "notice": facts.notice,
        "seat": -1 if view.seat is None else view.seat,
        "ended": facts.ended,
        "next": facts.next,
    }


def suggestion(view: View, action: int, language: str) -> str:
    """A move in words that need nothing before them."""
    story, table = view.contract.story, words(view.game, language)
    reason = getattr(story, "suggest", story.propose)(view.states[0], action)
    return {**table["proposals"], **table.get("suggestions", {})}[reason.key].format(**reason.values)


def hint_html(found: Sequence[Hint], view: View, _: Translate, language: str) -> str:
    """A slip of paper with the best moves and why; each can be shown on the table from there."""
    moves = []
    for hint in found:
        action, win = hint.candidate.action, hint.candidate.win
        moves.append(
            {
                "move": view.text(action),
                "act": suggestion(view, action, language),
                "chance": "" if win is None else _("{percent} % to win", percent=f"{100 * win:.0f}"),
                "reasons": "; ".join(hint.reasons),
            }
        )
    return str(macros(TABLE_PARTS).hint(_("Hint"), moves))


@cache
def sprite(*games: str) -> str:
    """All symbols that a page needs, once: infila's, and those of certain games or else of all."""
    drawn = [symbols(), *(symbols(contract_of(game).package) for game in games or usable_games())]
    return f'<svg class="defs" aria-hidden="true">{"".join(text for each in drawn for text in each.values())}</svg>'
