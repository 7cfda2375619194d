"""What the page of a table shows of it: seats, clocks, what was told and said."""

import asyncio
from bisect import bisect_left
from collections.abc import Sequence

from infila.core.game import View
from infila.core.games import contract_of
from infila.players import USUAL
from infila.server.hints import may_have_hints
from infila.server.lessons import coach_of
from infila.server.pages.buttons import buttons_of, pending_of
from infila.server.pages.chronicle import Chronicle
from infila.server.pages.clocks import clocks_of, may_return, note_of
from infila.server.pages.names import called, names_of
from infila.server.pages.offers import next_of, offer_html
from infila.server.pages.shuffle import begun_again_text
from infila.server.snapshot import (
    BACK,
    DECLINED,
    HINTED,
    LEFT,
    OVER,
    OVERTAKEN,
    PLAY_ON,
    PLAYING,
    REPLACED,
    RESIGNED,
    TIME,
    Notice,
)
from infila.server.table_view import Moment, TableView
from infila.web import coach, table_html
from infila.web.coach import Coach
from infila.web.end import why_html
from infila.web.languages import Translate, translator


async def facts_of(
    table: TableView, moment: Moment, chronicle: Chronicle, language: str, curtain: bool, replay: bool = False
) -> table_html.TableFacts:
    """What the page of a table shows of it."""
    view = table.view
    assert view is not None
    _ = translator(language)
    names = names_of(table.seats, _)
    clocks = None if replay else clocks_of(table, moment, names, _)
    sitters = [
        table_html.Sitter(
            name=names[index] or f"{index + 1}",
            kind="computer" if seat.by_computer else seat.kind,
            level=seat.level or USUAL,
            here=table.is_here(index),
            you=index in table.mine,
            timed=bool(clocks),
            away=bool(seat.away),
            out_of_time=seat.away == TIME,
            returns=index in table.mine and bool(seat.away) and may_return(table),
            resigned=seat.resigned,
        )
        for index, seat in enumerate(table.seats)
    ]
    told = await chronicle.told(table.id, table.snapshot)
    last = told[-1] if told else None
    waits = table.state == PLAYING and not (curtain or replay)
    facts = table_html.TableFacts(
        view=view,
        sitters=sitters,
        version=table.version,
        stamp=table.number,
        told=told,
        hinted=hints_at(table),
        said=said_at(table, names, _),
        last=last.parts if last else (),
        mover=last.seat if last else -1,
        yours=waits and bool(view.own_actions()) and not (view.seat is not None and table.seats[view.seat].away),
        hints=may_have_hints(table.snapshot, table.person or ""),
        buttons=[] if replay else buttons_of(table, _, language, curtain),
        coach=None if replay else drawn_coach(table, language),
        pending=("", "") if replay else pending_of(table, _),
        note=None if replay else note_of(table, names, _),
        clocks=clocks,
        away=() if replay else moment.away,
        notice=None if replay else last_notice(table, names, _),
        readers="" if replay else readers_of(table, _),
        people=table.among_people,
        stopped=table.snapshot.stopped and not replay,
        given_to=table.snapshot.winners if table.state == OVER and not (view.over or replay) else None,
        ended=table.state == OVER and not table.header.lesson,
        offer=offer_html(table, _, moment.to_answer),
        next=next_of(table),
    )
    if view.over:
        facts.board = await asyncio.to_thread(before_the_end, table)
    if facts.over and not facts.ended:
        facts.result = why_html(facts, language)
    return facts


def before_the_end(table: TableView) -> View | None:
    """The view before the last move, where that has swept the board; none where the end can be looked at."""
    game, view = table.snapshot.game, table.view
    swept = None if view is None else getattr(view.contract.picture, "swept", None)
    if game is None or view is None or swept is None or not game.history or not swept(view.states[0]):
        return None
    return game.before().view(view.seat)


def said_at(table: TableView, names: Sequence[str], _: Translate) -> list[table_html.Said]:
    """The talk, and between it what everybody is told of seats that changed hands."""
    talk, told = table.chat[-table_html.LINES :], table.snapshot.notices[-table_html.LINES :]
    lines = {line.number: table_html.Said(called(line.name, _), line.text, line.number) for line in talk}
    lines |= {each.number: table_html.Said("", notice_text(each, names, _), each.number) for each in told}
    return [line for _number, line in sorted(lines.items())]


def hints_at(table: TableView) -> list[tuple[int, int]]:
    """The hints that all have heard of: after how many of the moves that stand, and for which seat."""
    taken = (notice for notice in table.snapshot.notices if notice.what == HINTED)
    return [(bisect_left(table.history, each.number, key=lambda move: move.number), each.seat) for each in taken]


def notice_text(notice: Notice, names: Sequence[str], _: Translate) -> str:
    if notice.attempt:
        return begun_again_text(notice, _)
    name = names[notice.seat]
    if notice.what == REPLACED and notice.by is not None:
        return _("{name} is away: {by} lets the computer play on.", name=name, by=names[notice.by])
    if notice.what == PLAY_ON and notice.by is not None:
        return _("{name} has offered to end the game, and {by} wants to play on.", name=name, by=names[notice.by])
    if notice.what == DECLINED and notice.by is not None:
        return _("{by} says no: {name}’s move stands.", name=name, by=names[notice.by])
    if notice.what == OVERTAKEN and notice.by is not None:
        return _("{by} has played on: {name}’s move stands.", name=name, by=names[notice.by])
    return {
        OVERTAKEN: _("The game has gone on: {name}’s move stands.", name=name),
        LEFT: _("{name} has left, the computer plays on.", name=name),
        TIME: _("{name} has no time left, the computer plays on.", name=name),
        REPLACED: _("{name} is away, the computer plays on.", name=name),
        RESIGNED: _("{name} has resigned.", name=name),
        BACK: _("{name} is back.", name=name),
        HINTED: _("{name} took a hint.", name=name),
    }[notice.what]


def drawn_coach(table: TableView, language: str) -> Coach | None:
    """The coach's panel, in a lesson."""
    speech, now = coach_of(table), table.snapshot.lesson
    return None if speech is None or now is None else coach.drawn(speech, now, language)


def last_notice(table: TableView, names: Sequence[str], _: Translate) -> tuple[int, str] | None:
    """What everybody was told last; whoever it is about reads it elsewhere."""
    if not table.snapshot.notices:
        return None
    notice = table.snapshot.notices[-1]
    own = notice.seat in table.mine and notice.what not in (DECLINED, OVERTAKEN, PLAY_ON)
    return notice.number, "" if own else notice_text(notice, names, _)


def readers_of(table: TableView, _: Translate) -> str:
    """Who reads what this viewer says."""
    header = table.header
    if table.mine and table.state == PLAYING and contract_of(header.game).host.silence(header.typed_options):
        return _("Players may not talk during this game.")
    if table.mine or table.state == OVER:
        return _("Everybody here reads this, spectators too.")
    return _("Only spectators read this until the game is over.")
