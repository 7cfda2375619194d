"""A browser thinks for computers only where its person plays against them alone, only legal moves count, and whatever
it does or does not do, the game goes on."""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from infila.server import solo
from infila.server.creation import NewTable
from infila.server.levels import ComputerLevel
from infila.server.limits import LIMITS
from infila.server.snapshot import Snapshot
from tests.server.asgi import Headers, Server, Stream, content, header, status
from tests.server.desk import PATIENCE, until

MASTER = ("me", "master")
SEED = "in fila"
USUAL_PATIENCE = solo.PATIENCE
FIRST = {"players": 2, "dealer": 2}  # the person begins


class Alone:
    """Anna at a table of computers, with its page open."""

    def __init__(self, server: Server, anna: str, browser: Headers, table: str) -> None:
        self.server, self.anna, self.browser, self.table = server, anna, browser, table
        self.streams: list[Stream] = []
        self.thought = 0  # moves that the server has thought of

    @property
    def snapshot(self) -> Snapshot:
        return self.server.app.service.tables.in_memory[self.table].snapshot

    @property
    def helper(self) -> solo.Helper:
        helpers = self.server.app.computers.solo._helpers
        return helpers[self.server.app.service.tables.in_memory[self.table]]

    @property
    def choices(self) -> list[int]:
        """Of the computer on turn."""
        view = self.snapshot.view(self.snapshot.player)
        assert view is not None
        return view.own_actions()

    async def open_page(self) -> Stream:
        """A page that follows the table and says that it can think."""
        stream = self.server.listen(f"/t/{self.table}/events", self.browser)
        self.streams.append(stream)
        await until(_true(lambda: bool(stream.got)))
        assert status(await self.ask()) == 200
        return stream

    async def ask(self, who: Headers | None = None) -> bytes:
        return await self.server.ask("POST", f"/t/{self.table}/task", self.browser if who is None else who)

    async def task(self) -> dict[str, Any]:
        """What there is to think about, as soon as there is."""
        answer: dict[str, Any] = {"task": None}

        async def given() -> bool:
            nonlocal answer
            answer = content(await self.ask())
            return answer["task"] is not None

        await until(given)
        found: dict[str, Any] = answer["task"]
        return found

    async def answer(self, task: dict[str, Any], action: Any, who: Headers | None = None, **other: Any) -> bytes:
        body = {"seat": task["seat"] + 1, "version": task["version"], "action": action} | other
        return await self.server.ask("POST", f"/t/{self.table}/thought", self.browser if who is None else who, body)

    async def move(self) -> None:
        """A move of Anna's; then it is a computer's turn."""
        await self.hers()
        seen = await self.server.app.service.audience.view(self.table, self.anna)
        assert seen.view is not None
        await self.server.app.service.moves.play(self.table, self.anna, seen.view.moves[0], seen.version)

    async def hers(self) -> None:
        await until(_true(lambda: self.snapshot.over or self.snapshot.player == 0))

    async def moved(self, moves: int) -> None:
        await until(_true(lambda: len(self.snapshot.history) >= moves))


def _true(condition: Callable[[], bool]) -> Callable[[], Awaitable[bool]]:
    async def holds() -> bool:
        return condition()

    return holds


@asynccontextmanager
async def alone(
    folder: Path,
    seats: tuple[str, ...] = MASTER,
    options: dict[str, Any] = FIRST,
    game: str = "take_that",
    **settings: Any,
) -> AsyncIterator[Alone]:
    async with Server(folder, **{"new_seed": lambda: SEED} | settings).running() as server:
        anna = await server.app.service.people.welcome("Anna")
        made = await server.app.service.creation.create(anna, NewTable(game, options, seats))
        at = Alone(server, anna, await server.browser(anna), made.id)
        thinkers: Any = server.app.computers.thinkers
        think = thinkers.think

        async def counted(*given: Any) -> Any:
            at.thought += 1
            return await think(*given)

        thinkers.think = counted
        try:
            yield at
        finally:
            for stream in at.streams:
                await stream.close()


Scenario = Callable[[Alone], Awaitable[None]]


def play(folder: Path, scenario: Scenario, *given: Any, **settings: Any) -> None:
    async def run() -> None:
        async with alone(folder, *given, **settings) as at:
            await scenario(at)

    asyncio.run(asyncio.wait_for(run(), PATIENCE))


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tables wait for as long as a busy machine may need; those where nothing comes have a fixture of their own."""
    monkeypatch.setattr(solo, "PATIENCE", PATIENCE)


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solo, "PATIENCE", 0.3)


def test_what_a_browser_finds_is_played(tmp_path: Path) -> None:
    async def scenario(at: Alone) -> None:
        assert content(await at.ask())["task"] is None, "it is Anna's turn"
        await at.open_page()
        for choice in (0, 1, 0):
            await at.move()
            task, played = await at.task(), len(at.snapshot.history)
            view = at.snapshot.view(1)
            assert view is not None
            expected = view.text(at.choices[choice])
            assert content(await at.answer(task, at.choices[choice])) == {}
            await at.moved(played + 1)
            assert at.snapshot.history[-1].text == expected
        assert at.thought == 0

    play(tmp_path, scenario)


def test_only_the_one_who_plays_is_asked(tmp_path: Path) -> None:
    """Nobody else gets a computer's hand, or moves for it: not somebody else, not a stranger, not another site."""

    async def scenario(at: Alone) -> None:
        await at.open_page()
        await at.move()
        task = await at.task()
        mallory = await at.server.app.service.people.welcome("Mallory")
        elsewhere = at.browser | {"origin": "http://elsewhere.test"}
        for who in (await at.server.browser(mallory), await at.server.program(mallory), {}, elsewhere):
            for answer in (await at.ask(who), await at.answer(task, at.choices[0], who)):
                assert status(answer) == 403 and b"states" not in answer
        assert len(at.snapshot.history) == 1 and at.helper.wait is not None
        assert at.helper.session.person == at.anna, "who may not think has not taken her place either"

    play(tmp_path, scenario)


def test_a_task_is_in_no_page_and_in_no_stream(tmp_path: Path) -> None:
    """Whoever does not ask for it learns nothing: a page gets the same whether the table waits for it or not."""

    async def scenario(at: Alone) -> None:
        stream = await at.open_page()
        await at.move()
        task = await at.task()
        paths = [f"/t/{at.table}", f"/t/{at.table}/state", f"/t/{at.table}/log", f"/api/v1/tables/{at.table}"]
        waiting = [await at.server.ask("GET", path, at.browser) for path in paths]
        assert at.helper.wait is not None
        wait, at.helper.wait = at.helper.wait, None
        assert [await at.server.ask("GET", path, at.browser) for path in paths] == waiting
        at.helper.wait = wait
        for got in (*waiting, stream.got):
            assert got.startswith(b"200") and task["states"]["begin"].encode() not in got and b"simulations" not in got

    play(tmp_path, scenario)


async def with_bruno(at: Alone, *, leaves: bool = False) -> None:
    """Another person sits down in the third seat; or has, and a computer stands in."""
    service = at.server.app.service
    bruno = await service.people.welcome("Bruno")
    await service.seats.sit(at.table, bruno)
    if leaves:
        await service.seats.leave(at.table, bruno, level=ComputerLevel.MASTER)


async def herself_away(at: Alone) -> None:
    await at.server.app.service.seats.leave(at.table, at.anna, level=ComputerLevel.MASTER)


async def with_bruno_gone(at: Alone) -> None:
    await with_bruno(at, leaves=True)


async def as_it_is(at: Alone) -> None:
    pass


@pytest.mark.parametrize(
    ("seats", "happens"),
    [
        (("me", "master", "open"), with_bruno),
        (("me", "master", "open"), with_bruno_gone),
        (("me", "master", "open"), as_it_is),
        (("me", "master", "me"), as_it_is),
        (("me", "master", "master"), herself_away),
    ],
)
def test_a_table_of_several_people_keeps_its_computers(tmp_path: Path, seats: tuple[str, ...], happens: Any) -> None:
    async def scenario(at: Alone) -> None:
        await happens(at)
        at.streams.append(at.server.listen(f"/t/{at.table}/events", at.browser))
        for answer in (await at.ask(), await at.answer({"seat": 1, "version": at.snapshot.version}, 1)):
            assert status(answer) == 403
        page = await at.server.ask("GET", f"/t/{at.table}", at.browser | {"accept": "text/html"})
        assert b"/solo/" not in page

    play(tmp_path, scenario, seats, {"players": 3, "dealer": 3}, think_seconds=0.05)


def test_who_was_alone_is_not_any_more_when_a_computer_stands_in(tmp_path: Path) -> None:
    """The page that has offered itself is still open, but is not waited for."""

    async def scenario(at: Alone) -> None:
        await at.open_page()
        await at.move()
        await at.task()
        await at.server.app.service.seats.leave(at.table, at.anna, level=ComputerLevel.RANDOM)
        assert status(await at.ask()) == 403

    play(tmp_path, scenario, think_seconds=0.05)


def test_an_answer_is_for_the_version_of_its_task(tmp_path: Path) -> None:
    async def scenario(at: Alone) -> None:
        await at.open_page()
        await at.move()
        task = await at.task()
        late = await at.answer(task, at.choices[0], version=task["version"] - 1)
        assert status(late) == 409 and content(late)["version"] == task["version"]
        assert status(await at.answer(task, at.choices[0])) == 200, "the table has gone on waiting"
        await at.moved(2)
        assert status(await at.answer(task, 1)) == 409
        assert at.thought == 0

    play(tmp_path, scenario)


def test_an_illegal_move_is_refused_and_the_server_thinks_at_once(tmp_path: Path) -> None:
    async def scenario(at: Alone) -> None:
        await at.open_page()
        for times in (1, 2):
            await at.move()
            task, played = await at.task(), len(at.snapshot.history)
            illegal = next(action for action in range(100) if action not in at.choices)
            refused = await at.answer(task, illegal)
            assert status(refused) == 422 and "cannot make this move" in content(refused)["error"]
            await at.moved(played + 1)
            assert at.thought == times
        await at.move()
        await at.hers()
        assert at.thought == 3 and at.helper.misses == 2, "it is not waited for any more"

    play(tmp_path, scenario, think_seconds=0.05)


def test_nobody_thinks_for_a_seat_that_is_not_to_act(tmp_path: Path) -> None:
    async def scenario(at: Alone) -> None:
        await at.open_page()
        await at.move()
        task = await at.task()
        for seat in (0, 2, 7):
            refused = await at.answer(task, at.choices[0], seat=seat + 1)
            assert status(refused) == 400 and "nobody waits" in content(refused)["error"]
        assert len(at.snapshot.history) == 1
        assert status(await at.answer(task, at.choices[0])) == 200

    play(tmp_path, scenario, ("me", "master", "master"), {"players": 3, "dealer": 3})


def test_what_is_no_answer_is_refused(tmp_path: Path) -> None:
    async def scenario(at: Alone) -> None:
        await at.open_page()
        await at.move()
        task = await at.task()
        for wrong in (-1, 2**15, 1.5, [1], True, 10**30):
            assert status(await at.answer(task, wrong)) == 400, wrong
        assert "number of a move" in content(await at.answer(task, "x"))["error"]
        assert status(await at.answer(task, 1, more=1)) == 400
        assert status(await at.answer(task, 1, seat=13)) == 400
        path = f"/t/{at.table}/thought"
        assert status(await at.server.ask("POST", path, at.browser, b"{")) == 400
        assert status(await at.server.ask("POST", path, at.browser, b" " * 100_000)) == 413
        assert len(at.snapshot.history) == 1 and at.helper.misses == 0

    play(tmp_path, scenario)


def test_who_asks_too_often_is_told_to_wait(tmp_path: Path) -> None:
    async def scenario(at: Alone) -> None:
        burst = int(LIMITS["solo"].burst)
        answers = [await at.ask() for _ in range(burst + 3)]
        assert [status(each) for each in answers] == [200] * burst + [429] * 3
        assert header(answers[-1], "retry-after") == "1"
        assert status(await at.answer({"seat": 1, "version": 1}, 1)) == 429
        assert status(await at.server.ask("GET", f"/t/{at.table}/state", at.browser)) == 200

    play(tmp_path, scenario, limits=True, now=lambda: 1_000_000.0)


@pytest.mark.usefixtures("hasty")
def test_a_browser_that_never_answers_is_waited_for_twice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def scenario(at: Alone) -> None:
        await at.open_page()
        for misses in (1, 2):
            await at.move()
            began = time.monotonic()
            await at.task()
            await at.hers()
            assert time.monotonic() - began > 0.2 and at.helper.misses == at.thought == misses
        monkeypatch.setattr(at.server.app.computers.solo, "_seconds", 10 * PATIENCE)
        await at.move()
        await at.hers()
        assert at.helper.wait is None and at.thought >= 3

    play(tmp_path, scenario, think_seconds=0.05)


def test_a_browser_that_cannot_think_says_so_once(tmp_path: Path) -> None:
    async def scenario(at: Alone) -> None:
        await at.open_page()
        await at.move()
        assert status(await at.answer(await at.task(), None)) == 200
        await at.hers()
        await at.move()
        await at.hers()
        assert at.thought >= 2 and at.helper.wait is None

    play(tmp_path, scenario, think_seconds=0.05)


@pytest.mark.usefixtures("hasty")
def test_a_page_that_is_closed_in_mid_thought_is_not_waited_for_again(tmp_path: Path) -> None:
    async def scenario(at: Alone) -> None:
        page = await at.open_page()
        await at.move()
        await at.task()
        await page.close()
        await at.hers()
        assert at.thought >= 1 and at.helper.misses == 1
        await at.move()
        await at.hers()
        assert at.thought >= 2 and at.helper.misses == 1
        thought = at.thought
        await at.open_page()
        await at.move()
        assert status(await at.answer(await at.task(), at.choices[0])) == 200, "but who comes back is"
        await until(_true(lambda: at.helper.misses == 0))
        assert at.thought == thought

    play(tmp_path, scenario, think_seconds=0.05)


def test_another_browser_that_only_looks_on_is_not_waited_for(tmp_path: Path) -> None:
    async def scenario(at: Alone) -> None:
        page = await at.open_page()
        phone = await at.server.browser(at.anna)
        at.streams.append(at.server.listen(f"/t/{at.table}/events", phone))
        await page.close()
        await at.move()
        await at.hers()
        assert at.thought == 1 and at.helper.misses == 0

    play(tmp_path, scenario, think_seconds=0.05)


def test_two_tabs_make_one_move(tmp_path: Path) -> None:
    async def scenario(at: Alone) -> None:
        first, second = await at.open_page(), await at.open_page()
        await at.move()
        task = await at.task()
        assert await at.task() == task
        answers = await asyncio.gather(*(at.answer(task, at.choices[0]) for _ in range(2)))
        assert sorted(map(status, answers)) in ([200, 400], [200, 409])
        await at.hers()
        assert len(at.snapshot.history) == 2 and at.thought == 0
        await first.close()
        await at.move()
        assert status(await at.answer(await at.task(), at.choices[0])) == 200, "the other is still there"
        assert not second.gone.is_set()

    play(tmp_path, scenario)


def test_a_move_that_is_taken_back_meanwhile_is_not_waited_for(tmp_path: Path) -> None:
    async def scenario(at: Alone) -> None:
        await at.open_page()
        await at.move()
        task = await at.task()
        await at.server.app.service.take_backs.ask(at.table, at.anna)
        assert status(await at.answer(task, at.choices[0])) == 409
        await until(_true(lambda: at.helper.wait is None))
        assert not at.snapshot.history and at.helper.misses == 0
        await at.move()
        assert status(await at.answer(await at.task(), at.choices[0])) == 200
        await at.moved(2)
        assert at.thought == 0

    play(tmp_path, scenario)


def test_a_server_that_stops_waits_for_nobody(tmp_path: Path) -> None:
    async def scenario(at: Alone) -> None:
        await at.open_page()
        await at.move()
        await at.task()

    began = time.monotonic()
    play(tmp_path, scenario)
    assert time.monotonic() - began < PATIENCE / 2


@pytest.mark.parametrize("level", ["random", "beginner", "casual", "club"])
def test_what_costs_less_than_asking_is_thought_here(tmp_path: Path, level: str) -> None:
    async def scenario(at: Alone) -> None:
        page = await at.server.ask("GET", f"/t/{at.table}", at.browser | {"accept": "text/html"})
        assert b"/solo/" not in page
        await at.open_page()
        await at.move()
        await at.hers()
        assert at.thought >= 1 and at.helper.misses == 0

    play(tmp_path, scenario, ("me", level))


def test_a_game_without_a_module_is_thought_about_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solo, "module_for_browsers", lambda game: None)

    async def scenario(at: Alone) -> None:
        await at.open_page()
        await at.move()
        await at.hers()
        assert at.thought >= 1 and at.helper.misses == 0

    play(tmp_path, scenario, think_seconds=0.05)


def test_the_docs_tell_how_long_a_table_waits() -> None:
    text = " ".join((Path(__file__).parents[2] / "docs" / "how-to" / "serving.md").read_text(encoding="utf-8").split())
    assert (USUAL_PATIENCE, solo.MOST_MISSES) == (3, 2)
    assert "waits for three seconds at most" in text and "twice in a row" in text
    assert f"searches of at least {solo.LEAST_SIMULATIONS} simulations" in text


def test_a_server_can_do_without(tmp_path: Path) -> None:
    async def scenario(at: Alone) -> None:
        assert b"/solo/" not in await at.server.ask("GET", f"/t/{at.table}", at.browser | {"accept": "text/html"})
        refused = await at.ask()
        assert status(refused) == 400 and "think for themselves" in content(refused)["error"]
        assert status(await at.answer({"seat": 1, "version": 1}, 1)) == 400

    play(tmp_path, scenario, browsers_think=False)


def test_files_are_kept_for_good_and_only_the_worker_may_run_modules(tmp_path: Path) -> None:
    async def scenario(at: Alone) -> None:
        page = await at.server.ask("GET", f"/t/{at.table}", at.browser | {"accept": "text/html"})
        assert "wasm-unsafe-eval" not in header(page, "content-security-policy")
        folder = page.partition(b'src="/solo/')[2].partition(b"/")[0].decode()
        await at.open_page()
        await at.move()
        await at.task()
        rules = content(await at.ask())["rules"]
        files = [f"/solo/{folder}/{name}.js" for name in ("solo", "worker", "think", "module")]
        for path in (*files, f"{rules}rules.wasm", f"{rules}rules.json"):
            answer = await at.server.ask("GET", path, {"accept-encoding": "gzip"})
            assert status(answer) == 200 and "immutable" in header(answer, "cache-control")
            policies = [line for line in answer.split(b"\n\n")[0].split(b"\n") if b"content-security" in line]
            assert len(policies) == 1 and (b"wasm-unsafe-eval" in policies[0]) == path.endswith("worker.js")
        for path in ("/solo/0/solo.js", f"{rules}rules.py", f"/solo/{folder}/rules.wasm"):
            assert status(await at.server.ask("GET", path, {})) == 404

    play(tmp_path, scenario)
