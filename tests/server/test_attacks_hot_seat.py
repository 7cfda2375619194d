"""Hot seat: several people look at one screen, and none of them sees the other's hand, whatever is asked for."""

import asyncio
from pathlib import Path

from tests.server.asgi import Server, content, status


def test_the_hand_that_is_not_on_turn_is_shown_nowhere(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with Server(tmp_path).running() as server:
            service = server.app.service
            person = await service.people.welcome("Anna")
            program, browser = await server.program(person), await server.browser(person)
            body = {"game": "take_that", "seats": ["me", "me"], "options": {"players": 2}}
            table = content(await server.ask("POST", "/api/v1/tables", program, body))["id"]
            for _ in range(3):
                seen = await service.audience.view(table, person)
                assert seen.view is not None and seen.seat is not None
                await service.moves.play(table, person, seen.view.moves[0], seen.version)
            live = service.tables.in_memory[table]
            player, number = live.snapshot.player, live.snapshot.number
            assert player is not None
            other = 1 - player
            spectator = content(await server.ask("GET", f"/t/{table}/state", {}))["fragments"]

            for past in ("", "at=0&", "at=1&", "at=2&"):
                answer = await server.ask("GET", f"/t/{table}/state?{past}seat={other + 1}&eyes={other}", browser)
                if past:
                    assert status(answer) == 403
                else:  # the seat of a page that shows the present is the one that acts
                    assert content(answer)["seat"] == -1
                for lifted in ("", f"&eyes={other}"):  # not even the hand on turn, before the curtain is lifted for it
                    answer = await server.ask("GET", f"/t/{table}/state?{past}seat={player + 1}{lifted}", browser)
                    assert content(answer)["seat"] == -1 and "panel-hand" not in content(answer)["fragments"]
                page = await server.ask("GET", f"/t/{table}?{past}seat={player + 1}", browser)
                assert b'id="panel-hand"' not in page
            assert "panel-hand" not in spectator

            api = f"/api/v1/tables/{table}"
            for query in (f"seat={other + 1}", *(f"moves={n}&seat={other + 1}" for n in range(4))):
                assert status(await server.ask("GET", f"{api}?{query}", program)) == 403, query
            for query in ("", *(f"?moves={n}" for n in range(4))):
                assert content(await server.ask("GET", api + query, program))["seat"] == player + 1
            assert status(await server.ask("GET", f"{api}/events?seat={other + 1}", program)) == 403

            for path, act in (("hint", {}), ("why", {"parts": ["hand-1"]})):
                answer = await server.ask("POST", f"/t/{table}/{path}", browser, act)
                assert status(answer) == 400 if path == "hint" else content(answer)["why"] == ""

            stream = server.listen(f"{api}/events", program | {"last-event-id": "2"})
            while f"id: {number}\n".encode() not in stream.got:
                await asyncio.sleep(0.01)
            await stream.close()
            seats = [content(b"\n\n" + line[6:])["seat"] for line in stream.got.split(b"\n") if line[:6] == b"data: "]
            assert len(seats) >= 3 and set(seats) == {player + 1}, "what was missed is seen by whose turn it is now"

            for method, path, sent in (
                ("POST", "take-back", {}),
                ("POST", "chat", {"text": "well"}),
                ("DELETE", f"seat?seat={other + 1}", None),
                ("POST", "return", {}),
            ):
                shown = content(await server.ask(method, f"{api}/{path}", program, sent))
                now = live.snapshot.player
                assert shown["seat"] in (None, now if now is None else now + 1) or path == "chat", path

    asyncio.run(scenario())
