"""A take-back that somebody asks for keeps nobody from playing, and everybody is told what became of it."""

from pathlib import Path

import pytest

from infila.server.creation import NewTable
from infila.server.entries import fold
from infila.server.errors import Refused
from infila.server.index import entries_of
from infila.server.pages.buttons import buttons_of, pending_of
from infila.server.snapshot import DECLINED, OVERTAKEN
from infila.web.languages import translator
from tests.server.desk import Desk, at_desk, until

_ = translator("en")


async def asked(desk: Desk) -> tuple[str, str, str]:
    """A table where somebody asks to take back, who that is, and who is on turn."""
    anna, bruno = await desk.people("Anna", "Bruno")
    table = await desk.table(anna, bruno, casual=True)
    await desk.play(table, anna, bruno)
    mover, _seen = await desk.on_turn(table, anna, bruno)
    asker = bruno if mover == anna else anna
    assert (await desk.service.take_backs.ask(table, asker)).request is not None
    return table, asker, mover


def test_whoever_is_on_turn_plays_on_and_says_no_by_that(tmp_path: Path) -> None:
    async def scenario(desk: Desk) -> None:
        table, asker, mover = await asked(desk)
        seen = await desk.service.audience.view(table, mover)
        assert seen.must_answer and seen.view is not None and seen.view.own_actions()
        offered = {
            button["path"]: button for button in buttons_of(seen, _, "en", False) if "agreed" in button["fields"]
        }
        assert not offered["/take-back/answer"]["primary"], "the main thing is the own move"
        assert "the move stands" in pending_of(seen, _)[0]
        seen = await desk.play(table, mover)
        assert seen.request is None and len(seen.history) == 2
        told = seen.snapshot.notices[-1]
        assert (told.what, told.seat, told.by) == (OVERTAKEN, seen.history[0].seat, seen.history[1].seat)
        with pytest.raises(Refused, match="nobody asks"):
            await desk.service.take_backs.answer(table, mover, True)
        await desk.service.take_backs.ask(table, asker)
        seen = await desk.service.take_backs.answer(table, mover, False)
        assert seen.request is None and seen.snapshot.notices[-1].what == DECLINED
        header = seen.header
        entries = await desk.store.read(lambda connection: entries_of(connection, header.id, desk.store.seal))
        assert fold(header, entries).notices[:] == seen.snapshot.notices[:], "the log tells the same"

    at_desk(tmp_path, scenario)


def test_whoever_asked_and_plays_on_no_longer_asks(tmp_path: Path) -> None:
    async def scenario(desk: Desk) -> None:
        table, asker, mover = await asked(desk)
        seen = await desk.service.take_backs.answer(table, asker, False)
        assert seen.request is None and not seen.snapshot.notices, "withdrawn"
        while (await desk.on_turn(table, asker, mover))[0] == mover:
            await desk.play(table, mover)
        assert (await desk.service.take_backs.ask(table, asker)).request is not None
        seen = await desk.play(table, asker)
        assert seen.request is None and not seen.snapshot.notices

    at_desk(tmp_path, scenario)


def test_a_move_and_a_consent_at_the_same_moment(tmp_path: Path) -> None:
    """Whichever is first counts, and the other one is told."""

    async def scenario(desk: Desk) -> None:
        table, _asker, mover = await asked(desk)
        seen = await desk.service.audience.view(table, mover)
        assert seen.view is not None
        await desk.service.take_backs.answer(table, mover, True)
        with pytest.raises(Refused, match="moved on"):
            await desk.service.moves.play(table, mover, seen.view.moves[0], seen.version)
        assert not (await desk.service.audience.view(table, None)).history

    at_desk(tmp_path, scenario)


def test_one_takes_back_alone_only_what_told_nobody_anything(tmp_path: Path) -> None:
    """Take That: a card from the hand tells the others that it was there; taking the row tells nothing new."""

    async def scenario(desk: Desk) -> None:
        anna, bruno = await desk.people("Anna", "Bruno")
        table = await desk.table(anna, bruno, casual=True)
        seen = await desk.play(table, anna, bruno)
        mover = anna if seen.history[0].seat == 0 else bruno
        other = bruno if mover == anna else anna
        assert await desk.service.take_backs.how(table, mover) == "ask"
        assert await desk.service.take_backs.how(table, other) == ""
        seen = await desk.service.take_backs.ask(table, mover)
        assert seen.request is not None and not seen.must_answer
        assert (await desk.service.audience.view(table, other)).must_answer
        seen = await desk.service.take_backs.answer(table, other, False)
        assert seen.request is None and len(seen.history) == 1
        await desk.service.take_backs.ask(table, mover)
        seen = await desk.service.take_backs.answer(table, other, True)
        assert seen.request is None and not seen.history
        seen = await desk.play(table, mover)
        await desk.service.moves.play(table, other, "take", seen.version)
        assert await desk.service.take_backs.how(table, other) == "alone"
        seen = await desk.service.take_backs.ask(table, other)
        assert len(seen.history) == 1 and seen.snapshot.player == seen.seat

    at_desk(tmp_path, scenario)


def test_a_serious_game_knows_no_consent(tmp_path: Path) -> None:
    async def scenario(desk: Desk) -> None:
        anna, bruno = await desk.people("Anna", "Bruno")
        table = await desk.table(anna, bruno, casual=False)
        seen = await desk.play(table, anna, bruno)
        mover = anna if seen.history[0].seat == 0 else bruno
        with pytest.raises(Refused, match="the move stands"):
            await desk.service.take_backs.ask(table, mover)

    at_desk(tmp_path, scenario)


def test_against_computers_nobody_has_to_be_asked(tmp_path: Path) -> None:
    async def scenario(desk: Desk) -> None:
        (anna,) = await desk.people("Anna")
        made = await desk.service.creation.create(anna, NewTable("take_that", {"dealer": 2}, ("me", "random")))
        await desk.play(made.id, anna)

        async def mine_again() -> bool:
            seen = await desk.service.audience.view(made.id, anna)
            return len(seen.history) >= 2 and seen.snapshot.player == 0

        await until(mine_again)
        seen = await desk.service.take_backs.ask(made.id, anna)
        assert not seen.history and seen.snapshot.player == 0

    at_desk(tmp_path, scenario)
