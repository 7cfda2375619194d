"""The form for a new table."""

import math
from collections.abc import Iterator
from typing import Any

from litestar import Response, get, post
from markupsafe import Markup

from infila.core.errors import InfilaError
from infila.core.games import NAMES, contract_of, no_game, usable_games
from infila.core.options import Options, Spec
from infila.players import LEVELS
from infila.server.bodies import NewPerson, from_form
from infila.server.creation import ME, NewTable
from infila.server.errors import TooMuch, Unknown
from infila.server.pages.choices import HOURS, MINUTES, one_of, options_from, seats_from
from infila.server.pages.frame import form_of, game_card, language_of, level_of, person_of, render, see
from infila.server.pages.getting_ready import getting_ready
from infila.server.pages.level import keeping
from infila.server.pages.lists import time_text
from infila.server.pages.summing_up import sum_up
from infila.server.request import AnyRequest, app_of, limit, who
from infila.server.snapshot import OPEN
from infila.web import table_html
from infila.web.languages import Translate, said, translator


@get("/new", include_in_schema=False)
async def new_form(request: AnyRequest) -> Response[str]:
    return await new_page(request, dict(request.query_params), "")


async def new_page(request: AnyRequest, wanted: dict[str, str], problem: str) -> Response[str]:
    """The form for a new table, as far as it has been filled in."""
    language = language_of(request)
    _ = translator(language)
    name = wanted.get("game", NAMES[0])
    if name not in usable_games():
        raise Unknown("{problem}", problem=no_game(name))
    contract = contract_of(name)
    options = options_from(contract.options, wanted)
    chosen = seats_from(options, wanted, level_of(request))
    choices = [(ME, _("you")), *([] if app_of(request).settings.alone else [(OPEN, _("open seat"))])]
    choices += [(level, f"{_('computer')} · {_(table_html.LEVEL_NAMES[level])}") for level in LEVELS]
    seats = [
        {"mark": table_html.mark(options.side(seat), str(seat + 1), 26), "choice": choice}
        for seat, choice in enumerate(chosen)
    ]
    person = who(request)
    return render(
        request,
        "new.html",
        status=400 if problem else 200,
        game=game_card(name, language),
        options=[option_facts(name, language, key, spec, options) for key, spec in contract.options.specs().items()],
        seats=seats,
        round_table=round_table(options, len(seats)),
        choices=choices,
        lobby=wanted.get("lobby") == "yes",
        minutes=[(seconds, minutes_text(seconds, _)) for seconds in MINUTES],
        pace=wanted.get("pace", "0"),
        hours=[(seconds, minutes_text(seconds, _)) for seconds in HOURS],
        whole=wanted.get("whole", "0"),
        casual=wanted.get("casual") != "no",
        hints=wanted.get("hints") == "yes",
        names={seat: wanted.get(f"name-{seat}", "") for seat in range(2, len(seats) + 1)},
        name=wanted.get("name") or (await app_of(request).service.people.name_of(person) if person else ""),
        sum=sum_up(name, options, chosen, wanted, language),
        problem=problem,
    )


def round_table(options: Options, count: int) -> list[Markup]:
    """The seats' signs at a table seen from above, the first in front: who sits beside whom, and by the shapes who
    plays together."""
    marks = []
    for seat in range(count):
        turn = math.tau * (seat / count + 0.25)
        at = round(226 + 176 * math.cos(turn) - 17), round(96 + 76 * math.sin(turn) - 17)
        marks.append(table_html.mark(options.side(seat), str(seat + 1), 34, at))
    return marks


def minutes_text(seconds: int, _: Translate) -> str:
    return time_text(seconds, _) if seconds else _("no limit")


def option_facts(game: str, language: str, name: str, spec: Spec, options: Options) -> dict[str, Any]:
    """One option as a row of the form."""
    words = table_html.words(game, language)["options"]
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


def names_from(form: dict[str, str], seats: int) -> Iterator[str]:
    """How those are called who share a screen, by seat."""
    for seat in range(1, seats + 1):
        yield from_form(NewPerson, {"name": form.get(f"name-{seat}", "")}).name


@post("/new", include_in_schema=False)
async def new_table(request: AnyRequest) -> Response[Any]:
    form = await form_of(request)
    name = form.get("game", "")
    if page := await getting_ready(request, name, form):
        return page
    person = await person_of(request)
    limit(request, "make", person)
    service = app_of(request).service
    try:
        contract = contract_of(name)
        texts = {option: form[option] for option in contract.options.specs() if form.get(option)}
        options = contract.options.from_texts(texts).to_json()
        seats = tuple(form.get(f"seat-{seat + 1}", OPEN) for seat in range(int(options["players"])))
        if form.get("name", "").strip():
            await service.people.rename(person, from_form(NewPerson, {"name": form["name"]}).name)
        wanted = NewTable(
            game=name,
            options=options,
            seats=seats,
            private=form.get("lobby") != "yes",
            casual=form.get("casual") != "no",
            hints=form.get("hints") == "yes",
            names=tuple(names_from(form, len(seats))),
            move_seconds=one_of(MINUTES, form.get("pace", "")),
            game_seconds=one_of(HOURS, form.get("whole", "")),
            commitment=form.get("commitment", ""),
        )
        limit(request, "computers", person, wanted.others)
        table = await service.creation.create(person, wanted)
    except InfilaError as problem:
        if name not in usable_games() or isinstance(problem, TooMuch):
            raise
        return await new_page(request, form, said(problem, language_of(request)))
    levels = {seat for seat in seats if seat in LEVELS}
    return see(f"/t/{table.id}", keeping(request, levels.pop()) if len(levels) == 1 else ())
