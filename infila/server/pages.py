"""The pages: HTML and SVG over the wire, made from what the viewer may see."""

import hashlib
import re
from collections.abc import AsyncIterator, Callable, Sequence
from functools import cache
from importlib import resources
from typing import Any

import msgspec
import segno
from jinja2 import Environment, PackageLoader, select_autoescape
from litestar import MediaType, Response, get, post
from litestar.datastructures import Cookie
from litestar.params import FromPath
from litestar.response import Redirect, Stream
from litestar.static_files import create_static_files_router
from litestar.types import ControllerRouterHandler
from markdown_it import MarkdownIt
from markupsafe import Markup

from infila.core.errors import InfilaError
from infila.core.game import load
from infila.core.games import NAMES, contract_of
from infila.core.options import Options, Spec
from infila.core.seeds import commitment
from infila.players import LEVELS, USUAL
from infila.players.hints import hints
from infila.players.player import player
from infila.server.chronicle import Chronicle
from infila.server.errors import Refused, Unknown
from infila.server.moment import OPEN, OVER, PLAYING, WAITING
from infila.server.tables import ME, Listed, NewTable
from infila.server.tableview import TableView
from infila.server.web import AnyRequest, app_of, check_origin, cookie_for, limit, who
from infila.web import present
from infila.web.languages import LANGUAGES, Translate, translator, wished

ADVISER = "expert"
MINUTES = (0, 60, 300, 86400, 259200)  # seconds that a move may take
LANGUAGE, THEME = "language", "theme"
YEAR = 400 * 86400

templates = Environment(loader=PackageLoader("infila.web"), autoescape=select_autoescape(), trim_blocks=True)
chronicle = Chronicle()


# ---- what every page knows


@cache
def edition() -> str:
    """Changes with the style sheets and scripts, so that browsers keep what is current."""
    digest = hashlib.sha256()
    folder = resources.files("infila.web").joinpath("static")
    for file in sorted(folder.iterdir(), key=lambda file: file.name):
        digest.update(file.read_bytes())
    return digest.hexdigest()[:10]


def language_of(request: AnyRequest) -> str:
    chosen = request.cookies.get(LANGUAGE, "")
    return chosen if chosen in LANGUAGES else wished(request.headers.get("accept-language", ""))


def render(request: AnyRequest, template: str, status: int = 200, **facts: Any) -> Response[str]:
    language = language_of(request)
    theme = request.cookies.get(THEME, "")
    text = templates.get_template(template).render(
        _=translator(language),
        language=language,
        theme=theme if theme in ("light", "dark") else "",
        edition=edition(),
        sprite=Markup(present.sprite()),
        games=game_cards(language),
        **facts,
    )
    return Response(text, media_type=MediaType.HTML, status_code=status, headers={"cache-control": "no-store"})


@cache
def game_cards(language: str) -> list[dict[str, Any]]:
    return [game_card(name, language) for name in NAMES]


@cache
def game_card(name: str, language: str) -> dict[str, Any]:
    """A game on the front page."""
    contract = contract_of(name)
    poster = resources.files("infila.web").joinpath("posters", f"{name}.svg").read_text(encoding="utf-8")
    return {
        "name": name,
        "title": contract.title.lower(),
        "poster": Markup(poster),
        **present.words(name, language)["about"],
    }


async def person_of(request: AnyRequest) -> tuple[str, list[Cookie]]:
    """Who asks; somebody new gets a cookie."""
    person = who(request)
    if person is not None:
        return person, []
    check_origin(request)
    limit(request, "person")
    person = await app_of(request).service.new_person()
    return person, [cookie_for(request, person)]


def see(url: str, cookies: Sequence[Cookie] = ()) -> Redirect:
    return Redirect(url, status_code=303, cookies=list(cookies))


# ---- the way in


@get("/", include_in_schema=False)
async def front(request: AnyRequest) -> Response[str]:
    service = app_of(request).service
    _ = translator(language_of(request))
    person = who(request)
    mine = await service.my_tables(person, limit=12) if person else []
    running = [table for table in mine if table.state in (WAITING, PLAYING)]
    running.sort(key=lambda table: not table.my_turn)
    waiting = await service.open_tables()
    return render(
        request,
        "front.html",
        usual=mine[0].game if mine else NAMES[0],
        mine=[listed_facts(table, _) for table in running[:3]],
        open=[listed_facts(table, _) for table in waiting[:8]],
    )


def listed_facts(table: Listed, _: Translate) -> dict[str, str]:
    """A table in a list."""
    names = [name for kind, name in table.seats if kind != OPEN and name]
    title = contract_of(table.game).title.lower()
    heading = _("your turn") if table.my_turn else _("waiting for players") if table.state == WAITING else title
    if table.state == OVER:
        heading = title
    about = f"{title}, {', '.join(names)}" if names else title
    return {
        "id": table.id,
        "game": table.game,
        "heading": heading,
        "about": about,
        "host": names[0] if names else title,
    }


@post("/play/{game:str}", include_in_schema=False)
async def play_now(request: AnyRequest, game: FromPath[str]) -> Redirect:
    """One click: a game against the computer."""
    person, cookies = await person_of(request)
    limit(request, "make", person)
    table = await app_of(request).service.create(person, NewTable(game))
    return see(f"/t/{table.id}", cookies)


@get("/new", include_in_schema=False)
async def new_form(request: AnyRequest) -> Response[str]:
    return await new_page(request, dict(request.query_params), "")


async def new_page(request: AnyRequest, wanted: dict[str, str], problem: str) -> Response[str]:
    """The form for a new table, as far as it has been filled in."""
    language = language_of(request)
    _ = translator(language)
    name = wanted.get("game", NAMES[0])
    if name not in NAMES:
        raise Unknown(f"there is no game {name!r}.")
    contract = contract_of(name)
    options = options_from(contract.options, wanted)
    count = int(options.to_dict()["players"])
    choices = [(ME, _("you")), (OPEN, _("open seat"))]
    choices += [(level, f"{_('computer')} · {_(present.LEVEL_NAMES[level])}") for level in LEVELS]
    seats = []
    for seat in range(count):
        chosen = wanted.get(f"seat-{seat + 1}", ME if seat == 0 else USUAL)
        seats.append({"mark": Markup(present.mark(options.side(seat), str(seat + 1), 26)), "choice": chosen})
    person = who(request)
    return render(
        request,
        "new.html",
        status=400 if problem else 200,
        game=game_card(name, language),
        options=[option_facts(name, language, key, spec, options) for key, spec in contract.options.specs().items()],
        seats=seats,
        choices=choices,
        lobby=wanted.get("lobby") == "yes",
        minutes=[(seconds, minutes_text(seconds, _)) for seconds in MINUTES],
        pace=wanted.get("pace", "0"),
        name=wanted.get("name") or (await app_of(request).service.name_of(person) if person else ""),
        problem=problem,
    )


def minutes_text(seconds: int, _: Translate) -> str:
    if seconds == 0:
        return _("no limit")
    return _("{count} min", count=seconds // 60) if seconds < 86400 else _("{count} d", count=seconds // 86400)


def options_from(kind: type[Options], wanted: dict[str, str]) -> Options:
    """The options of a form; what does not go together with the number of players falls back to what is usual."""
    texts = {name: wanted[name] for name in kind.specs() if wanted.get(name)}
    try:
        return kind.from_texts(texts)
    except InfilaError:
        try:
            return kind.from_texts({name: text for name, text in texts.items() if name == "players"})
        except InfilaError:
            return kind.make({})


def option_facts(game: str, language: str, name: str, spec: Spec, options: Options) -> dict[str, Any]:
    """One option as a row of the form."""
    words = present.words(game, language)["options"]
    value = getattr(options, name)
    chosen = spec.to_text(value)
    texts: list[str] = []
    if spec.kind == "flag":
        texts = ["no", "yes"]
    elif spec.kind == "seat":
        players = int(options.to_dict()["players"])
        texts = ["random", *(str(seat + 1) for seat in range(players))]
    elif spec.kind == "choice" or spec.all_listed:
        texts = [spec.to_text(each) for each in spec.values]
    elif spec.values[1] - spec.values[0] < 12:
        texts = [str(each) for each in range(spec.values[0], spec.values[1] + 1)]
    labels = {text: words.get(f"{name}_{text}", text) for text in texts}
    _ = translator(language)
    if spec.kind == "flag":
        labels = {"no": words.get(f"{name}_no", _("off")), "yes": words.get(f"{name}_yes", _("on"))}
    if spec.kind == "seat":
        labels["random"] = words.get(f"{name}_random", _("by lot"))
    return {
        "name": name,
        "label": words.get(name, name),
        "about": words.get(f"{name}_about", ""),
        "choices": [{"text": text, "label": labels[text], "chosen": text == chosen} for text in texts],
        "value": chosen,
        "least": spec.values[0] if spec.kind == "number" else "",
        "most": spec.values[-1] if spec.kind == "number" else "",
        "again": name == "players",
    }


@post("/new", include_in_schema=False)
async def new_table(request: AnyRequest) -> Response[Any]:
    person, cookies = await person_of(request)
    limit(request, "make", person)
    form = {name: str(value) for name, value in (await request.form()).items()}
    service = app_of(request).service
    name = form.get("game", "")
    try:
        contract = contract_of(name)
        texts = {option: form[option] for option in contract.options.specs() if form.get(option)}
        options = contract.options.from_texts(texts).to_dict()
        seats = tuple(form.get(f"seat-{seat + 1}", OPEN) for seat in range(int(options["players"])))
        if form.get("name", "").strip():
            await service.rename(person, form["name"])
        pace = form.get("pace", "0")
        wanted = NewTable(
            game=name,
            options=options,
            seats=seats,
            private=form.get("lobby") != "yes",
            move_seconds=int(pace) if pace.isdigit() and int(pace) in MINUTES else 0,
        )
        table = await service.create(person, wanted)
    except InfilaError as problem:
        if name not in NAMES:
            raise
        return await new_page(request, form, str(problem))
    return see(f"/t/{table.id}", cookies)


# ---- the table


def shown_of(table: TableView, language: str, curtain: bool, replay: bool = False) -> present.Shown:
    """What the page of a table shows of it."""
    view = table.view
    assert view is not None
    sitters = [
        present.Sitter(
            name=seat.name or f"{index + 1}",
            kind="computer" if seat.by_computer else seat.kind,
            level=seat.level or USUAL,
            here=table.is_here(index),
            you=index in table.mine,
            clock=clock_text(table, index),
        )
        for index, seat in enumerate(table.seats)
    ]
    told = chronicle.told(table.id, table.moment)
    last = told[-1] if told else None
    waits = table.state == PLAYING and table.ask is None and not (curtain or replay)
    return present.Shown(
        view=view,
        sitters=sitters,
        version=table.version,
        stamp=table.number,
        told=told,
        said=[present.Said(line.name, line.text) for line in table.chat],
        last=last.parts if last else (),
        mover=last.seat if last else -1,
        yours=waits and bool(view.own_actions()),
        asks=[] if replay else asks_of(table, translator(language), curtain),
    )


def clock_text(table: TableView, seat: int) -> str:
    """How much time a seat has left, in words that need no second hand."""
    if seat >= len(table.clocks):
        return ""
    clock = table.clocks[seat]
    left = clock.game_left if clock.game_left is not None else clock.move_left
    if left is None:
        return ""
    return f"{int(left // 86400)} d" if left >= 86400 else f"{int(left // 60)}:{int(left % 60):02d}"


def asks_of(table: TableView, _: Translate, curtain: bool) -> list[dict[str, Any]]:
    """Buttons that are not moves: whatever this person may do at the table now."""
    asks: list[dict[str, Any]] = []

    def ask(text: str, path: str, primary: bool = False, **fields: Any) -> None:
        asks.append({"text": text, "path": path, "fields": fields, "primary": primary})

    if curtain:
        seat = next(seat for seat in (*table.moment.to_act, 0) if seat in table.mine)
        ask(_("{name}: show my side", name=table.seats[seat].name), "", True)
        asks[-1]["seat"] = str(seat)
        return asks
    if table.must_answer and table.ask is not None:
        name = table.seats[table.ask.seat].name
        ask(_("let {name} take back", name=name), "/answer", True, agreed=True)
        ask(_("no"), "/answer", agreed=False)
    if table.mine and table.state == PLAYING:
        if any(table.seats[seat].away for seat in table.mine):
            ask(_("take my seat again"), "/return", True)
        elif table.ask is None and any(move.seat in table.mine for move in table.history):
            ask(_("take back"), "/takeback")
    if table.mine and table.state == OVER:
        ask(_("play again"), "/rematch", True)
    talk_asks(table, _, ask)
    if not table.mine and any(seat.kind == OPEN for seat in table.seats):
        ask(_("sit down"), "/sit", True)
    return asks


def talk_asks(table: TableView, _: Translate, ask: Callable[..., None]) -> None:
    """S17: whoever hears forbidden table talk calls it, and the host decides."""
    if table.header.options.get("table_talk") != "forbidden" or table.state != PLAYING or not table.mine:
        return
    called = table.moment.called
    if called is not None and table.host:
        ask(_("it was table talk"), "/judge", True, agreed=True)
        ask(_("it was none"), "/judge", agreed=False)
    elif called is None:
        own = {table.header.choices.side(seat) for seat in table.mine}
        for side in sorted({table.header.choices.side(seat) for seat in range(len(table.seats))} - own):
            ask(_("side {side} talks", side=side + 1), "/call", side=side + 1)


def eyes_of(table: TableView, wanted: str) -> tuple[TableView, bool]:
    """Hot seat: whoever holds several seats sees the one that acts only after the curtain was lifted for it."""
    if len(table.mine) < 2 or table.state != PLAYING or table.seat is None or wanted == str(table.seat):
        return table, False
    return TableView(table.moment, table.person, None, table.kind, table.here), True


async def look(request: AnyRequest, table_id: str) -> tuple[TableView, bool, bool]:
    """The table as asked for: now, or after `at` moves; whether a curtain hides the hands, whether it is a replay."""
    service = app_of(request).service
    person, wanted = who(request), request.query_params
    at, seat = wanted.get("at", ""), wanted.get("seat", "")
    if not at:
        table = await service.view(table_id, person)
        return (*eyes_of(table, wanted.get("eyes", "")), False) if table.view is not None else (table, False, False)
    if not at.isdigit() or (seat and not seat.isdigit()):
        raise Unknown("at is the number of a move, seat the number of a seat.")
    eyes = int(seat) - 1 if seat and int(seat) > 0 else None
    return await service.moment_at(table_id, person, int(at), eyes, spectating=seat == "0"), False, True


@get("/t/{table_id:str}", include_in_schema=False)
async def table_page(request: AnyRequest, table_id: FromPath[str]) -> Response[str]:
    language = language_of(request)
    _ = translator(language)
    table, curtain, replay = await look(request, table_id)
    card = game_card(table.header.game, language)
    invite = str(request.base_url).rstrip("/") + f"/t/{table_id}"
    if table.view is None:
        return waiting_page(request, table, card, invite)
    shown = shown_of(table, language, curtain, replay)
    state = present.state(shown, language)
    names = [name.removeprefix("panel-") for name in state["fragments"] if name.startswith("panel-")]
    now = await app_of(request).service.view(table_id, who(request))
    return render(
        request,
        "table.html",
        game=card,
        table={"id": table_id, "about": about_table(table, _), "over": table.state == OVER, "moves": len(now.history)},
        state=state,
        places=arrange(table.header.game, names, shown.view.seat, sheet_of(table)),
        chat=not replay,
        replay=replay,
        at=len(table.history),
        seats=[(index + 1, seat.name) for index, seat in enumerate(table.seats)],
        eyes=(shown.view.seat if shown.view.seat is not None else -1) + 1,
        verified=verified(table, _) if table.state == OVER else "",
    )


def verified(table: TableView, _: Translate) -> str:
    """Whether the shuffle was the one promised, checked anew: the seed's hash, and every move from it."""
    if table.seed is None or table.moment.game is None:
        return ""
    game = load(table.moment.game.log)
    if commitment(table.seed) == table.commitment and game.history == table.moment.game.history:
        return _("verified: the seed {seed} has the promised SHA-256, and all moves follow from it", seed=table.seed)
    return _("this game does not keep its promise")


def about_table(table: TableView, _: Translate) -> str:
    count = len(table.seats)
    return _("{count} players", count=count)


def arrange(game: str, names: list[str], seat: int | None, sheet: str) -> dict[str, list[str]]:
    """Where each panel goes: on the table, in its middle, on one's own side, in the rail, or there but folded up."""
    own = f"row-{seat + 1}" if game == "completto" and seat is not None else ""
    places: dict[str, list[str]] = {"board": [], "middle": [], "mine": [], "side": [], "folded": []}
    for name in names:
        base = name.removesuffix("-narrow")  # a panel may come twice: for wide and for narrow screens
        if game == "completto" and base in ("middle", "open", "hand"):
            place = "middle"
        elif base in ("hand", own):
            place = "mine"
        elif base.startswith("sheet-") and base != sheet:
            place = "folded"
        else:
            place = "board" if base.split("-")[0] in ("board", "row") else "side"
        places[place].append(name)
    return places


def sheet_of(table: TableView) -> str:
    """The sheet that a viewer wants to see first: one's own."""
    return f"sheet-{table.header.choices.side(table.seat or 0) + 1}"


def waiting_page(request: AnyRequest, table: TableView, card: dict[str, Any], invite: str) -> Response[str]:
    """Before the deal: who sits where, how to invite, and how to begin without waiting."""
    _ = translator(language_of(request))
    seats = [
        {
            "mark": Markup(present.mark(index, seat.name or "?", 30)),
            "name": seat.name,
            "kind": seat.kind,
            "index": index + 1,
        }
        for index, seat in enumerate(table.seats)
    ]
    return render(
        request,
        "wait.html",
        game=card,
        table=table,
        seats=seats,
        invite=invite,
        code=Markup(qr_code(invite)),
        sitting=bool(table.mine),
        commitment=table.commitment,
    )


@get("/t/{table_id:str}/state", include_in_schema=False)
async def table_state(request: AnyRequest, table_id: FromPath[str]) -> Response[bytes]:
    person = who(request)
    limit(request, "read", person)
    language = language_of(request)
    table, curtain, replay = await look(request, table_id)
    if table.view is None:
        return json_answer({"waiting": True, "stamp": table.number})
    return json_answer(present.state(shown_of(table, language, curtain, replay), language))


@get("/t/{table_id:str}/log", include_in_schema=False)
async def table_log(request: AnyRequest, table_id: FromPath[str]) -> Response[str]:
    """The log as a file: the seed only once the game is over."""
    text = await app_of(request).service.log(table_id, who(request))
    headers = {"content-disposition": f'attachment; filename="infila-{table_id}.log"', "cache-control": "no-store"}
    return Response(text, media_type="text/plain; charset=utf-8", headers=headers)


def json_answer(facts: Any) -> Response[bytes]:
    return Response(msgspec.json.encode(facts), media_type=MediaType.JSON, headers={"cache-control": "no-store"})


@get("/t/{table_id:str}/events", include_in_schema=False)
async def table_events(request: AnyRequest, table_id: FromPath[str]) -> Stream:
    """A line whenever something has changed for this viewer; the page then asks for the whole."""
    service = app_of(request).service
    person = who(request)
    await service.view(table_id, person)

    async def changes() -> AsyncIterator[bytes]:
        async for number, view in service.subscribe(table_id, person):
            data = f"{number}-{len(view.here)}" if view.kind == "here" else str(number)
            yield f"id: {number}\nevent: version\ndata: {data}\n\n".encode()

    return Stream(
        changes(), media_type="text/event-stream", headers={"cache-control": "no-store", "x-accel-buffering": "no"}
    )


# ---- acts at a table


async def body_of(request: AnyRequest) -> dict[str, Any]:
    try:
        body = msgspec.json.decode(await request.body() or b"{}")
    except msgspec.DecodeError:
        raise Refused("this is not readable as JSON.") from None
    if not isinstance(body, dict):
        raise Refused("a JSON object is expected.")
    return body


def text_of(body: dict[str, Any], name: str, most: int = 500) -> str:
    value = body.get(name, "")
    if not isinstance(value, str) or len(value) > most:
        raise Refused(f"{name} is a text of at most {most} characters.")
    return value


@post("/t/{table_id:str}/{act:str}", include_in_schema=False, status_code=200)
async def table_act(request: AnyRequest, table_id: FromPath[str], act: FromPath[str]) -> Response[bytes]:
    """Everything that a person does at a table."""
    person, cookies = await person_of(request)
    body = await body_of(request)
    service = app_of(request).service
    limit(request, act if act in ("move", "chat") else "act", person)
    answer: dict[str, Any] = {}
    if act == "move":
        version = body.get("version")
        if not isinstance(version, int):
            raise Refused("a move carries the version it was made for.")
        key = text_of(body, "key", 64) or None
        number, _ = await service.move(table_id, person, text_of(body, "move", 200), version, key, seat_in(body))
        answer = {"number": number}
    elif act == "chat":
        await service.chat(table_id, person, text_of(body, "text"))
    elif act == "sit":
        await service.sit(table_id, person, seat_in(body))
    elif act == "fill":
        await service.fill(table_id, person)
    elif act == "leave":
        await service.leave(table_id, person, seat_in(body))
    elif act == "return":
        await service.come_back(table_id, person)
    elif act == "takeback":
        await service.take_back(table_id, person)
    elif act == "answer":
        await service.answer(table_id, person, body.get("agreed") is True)
    elif act == "call":
        side = body.get("side")
        if not isinstance(side, int):
            raise Refused("side is the number of a side.")
        await service.call(table_id, person, side)
    elif act == "judge":
        await service.judge(table_id, person, body.get("agreed") is True)
    elif act == "rematch":
        answer = {"url": f"/t/{(await service.rematch(table_id, person)).id}"}
    elif act == "hint":
        answer = await hint(request, table_id, person)
    elif act == "why":
        answer = await why(request, table_id, person, body)
    else:
        raise Unknown(f"nobody can {act} at a table.")
    response = json_answer(answer)
    response.cookies.extend(cookies)
    return response


def seat_in(body: dict[str, Any]) -> int | None:
    seat = body.get("seat")
    return seat - 1 if isinstance(seat, int) else None


async def hint(request: AnyRequest, table_id: str, person: str) -> dict[str, Any]:
    """What the computer would do in this seat, and why."""
    app = app_of(request)
    table = await app.service.view(table_id, person)
    view = table.view
    if view is None or view.seat is None or not view.own_actions():
        raise Refused("there is nothing for you to decide now.")
    language = language_of(request)
    thought = await app.computers.think(player(view.game, ADVISER), view)
    return {"html": present.hint_html(hints(view, thought, 2, language), translator(language))}


async def why(request: AnyRequest, table_id: str, person: str, body: dict[str, Any]) -> dict[str, Any]:
    """Why the parts that were touched are no move."""
    table = await app_of(request).service.view(table_id, person)
    view = table.view
    parts = body.get("parts")
    if view is None or not isinstance(parts, list) or not all(isinstance(part, str) for part in parts):
        return {"why": ""}
    text = text_from_parts(parts)
    return {"why": view.why(text) or "" if text else ""}


def text_from_parts(parts: list[str]) -> str:
    """A path of parts in the notation: hand-5, cell-c9 is 5@c9."""
    pieces = [part.partition("-")[2] for part in parts]
    if len(pieces) != 2 or not all(re.fullmatch(r"[0-9A-Za-z]{1,4}", piece) for piece in pieces):
        return ""
    return f"{pieces[0]}>{pieces[1]}" if parts[0].startswith("place-") else f"{pieces[0]}@{pieces[1]}"


# ---- reading


@get("/rules/{game:str}", include_in_schema=False)
async def rules_page(request: AnyRequest, game: FromPath[str]) -> Response[str]:
    if game not in NAMES:
        raise Unknown(f"there is no game {game!r}. The games are {', '.join(NAMES)}.")
    language = language_of(request)
    html, headings = rules_html(game, language)
    return render(request, "rules.html", game=game_card(game, language), text=Markup(html), headings=headings)


@cache
def rules_html(game: str, language: str) -> tuple[str, list[dict[str, str]]]:
    """The rules as HTML, and their headings."""
    headings: list[dict[str, str]] = []

    def heading(found: re.Match[str]) -> str:
        key = f"s{len(headings) + 1}"
        headings.append({"id": key, "text": re.sub(r"<[^>]+>", "", found[1])})
        return f'<h2 id="{key}">{found[1]}</h2>'

    html = MarkdownIt("commonmark").enable("table").render(contract_of(game).text(language))
    return re.sub(r"<h2>(.*?)</h2>", heading, html), headings


@get("/mine", include_in_schema=False)
async def mine_page(request: AnyRequest) -> Response[str]:
    service = app_of(request).service
    person = who(request)
    _ = translator(language_of(request))
    tables = await service.my_tables(person) if person else []
    return render(
        request,
        "mine.html",
        name=await service.name_of(person) if person else "",
        running=[listed_facts(table, _) for table in tables if table.state in (WAITING, PLAYING)],
        finished=[listed_facts(table, _) for table in tables if table.state == OVER],
        records=await service.statistics(person) if person else [],
        levels=present.LEVEL_NAMES,
    )


@post("/upload", include_in_schema=False)
async def upload(request: AnyRequest) -> Redirect:
    """A log from a file or another place becomes a table of one's own."""
    person, cookies = await person_of(request)
    limit(request, "make", person)
    text = str((await request.form()).get("log", ""))
    table = await app_of(request).service.upload(person, text.replace("\r\n", "\n"))
    return see(f"/t/{table.id}", cookies)


@post("/device", include_in_schema=False)
async def device(request: AnyRequest) -> Response[str]:
    """A private link, good for a day, that makes another device the same person."""
    app = app_of(request)
    person, cookies = await person_of(request)
    limit(request, "act", person)
    link = f"{str(request.base_url).rstrip('/')}/me/{app.signer.device_link(person, app.settings.clock())}"
    answer = render(request, "device.html", link=link, code=Markup(qr_code(link)))
    answer.cookies.extend(cookies)
    return answer


@get("/me/{link:str}", include_in_schema=False)
async def another_device(request: AnyRequest, link: FromPath[str]) -> Redirect:
    app = app_of(request)
    limit(request, "person")
    person = app.signer.person_of_device_link(link, app.settings.clock())
    if person is None:
        raise Unknown("this link is no longer good. Make a new one on the other device, under my games.")
    return see("/mine", [cookie_for(request, person)])


def qr_code(text: str) -> str:
    return str(segno.make(text, error="m").svg_inline(scale=4, border=2))


@post("/name", include_in_schema=False)
async def rename(request: AnyRequest) -> Redirect:
    person, cookies = await person_of(request)
    limit(request, "act", person)
    await app_of(request).service.rename(person, str((await request.form()).get("name", "")))
    return see("/mine", cookies)


@post("/language", include_in_schema=False)
async def choose_language(request: AnyRequest) -> Redirect:
    wanted = str((await request.form()).get("language", ""))
    chosen = wanted if wanted in LANGUAGES else "en"
    return see(back(request), [setting(LANGUAGE, chosen)])


@post("/theme", include_in_schema=False)
async def choose_theme(request: AnyRequest) -> Redirect:
    now = request.cookies.get(THEME, "")
    return see(back(request), [setting(THEME, {"": "dark", "dark": "light"}.get(now, ""))])


def setting(name: str, value: str) -> Cookie:
    return Cookie(name, value=value, max_age=YEAR, path="/", samesite="lax", httponly=True)


def back(request: AnyRequest) -> str:
    """Where the request came from, if that is one of our pages."""
    found = re.match(r"https?://([^/]+)(/.*)$", request.headers.get("referer", ""))
    return found[2] if found and found[1] == request.headers.get("host") and not found[2].startswith("//") else "/"


# ---- when something is wrong


def error_page(request: AnyRequest, status: int, sentence: str) -> Response[str]:
    """A page in our style that tells what is wrong."""
    _ = translator(language_of(request))
    heading = {404: _("nothing here"), 429: _("one moment"), 500: _("that went wrong")}.get(status, _("not like this"))
    return render(request, "error.html", status=status, heading=heading, sentence=sentence)


def pages() -> list[ControllerRouterHandler]:
    """All pages, and the files they need."""
    static = create_static_files_router(
        path="/static",
        directories=[str(resources.files("infila.web").joinpath("static"))],
        include_in_schema=False,
        cache_control=None,
    )
    handlers: list[ControllerRouterHandler] = [
        table_log,
        upload,
        device,
        another_device,
        front,
        play_now,
        new_form,
        new_table,
        table_page,
        table_state,
        table_events,
        table_act,
        rules_page,
        mine_page,
        rename,
        choose_language,
        choose_theme,
    ]
    return [*handlers, static]
