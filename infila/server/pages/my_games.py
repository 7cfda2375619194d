"""My games: what one has played, one's name, logs from elsewhere."""

from litestar import Response, get, post
from litestar.response import Redirect

from infila.server.bodies import NewPerson, Upload, from_form
from infila.server.limits import LARGEST_LOG
from infila.server.lobby import RUNNING
from infila.server.pages.frame import form_of, language_of, person_of, render, see
from infila.server.pages.lists import line_of
from infila.server.request import AnyRequest, app_of, is_forgotten, limit, number_in, replaying, who
from infila.server.snapshot import OVER
from infila.web import table_html

PAGE = 30  # games that are over
MOST_PAGES = 10_000


@get("/mine", include_in_schema=False)
async def my_games_page(request: AnyRequest) -> Response[str]:
    service = app_of(request).service
    person = who(request)
    language = language_of(request)
    page = number_in(request.query_params.get("page", "1"), MOST_PAGES) or 1
    running = await service.lobby.my_tables(person, RUNNING) if person else []
    over = await service.lobby.my_tables(person, [OVER], limit=PAGE + 1, skip=(page - 1) * PAGE) if person else []
    results = await service.lobby.results(person, [table.id for table in over]) if person else {}
    finished = [line_of(table, language, results.get(table.id)) for table in over[:PAGE] if not table.lesson]
    return render(
        request,
        "my_games.html",
        forgotten=is_forgotten(request),
        name=await service.people.name_of(person) if person else "",
        running=[line_of(table, language) for table in running if not table.lesson],
        finished=finished,
        lessons=[line_of(table, language) for table in (*running, *over[:PAGE]) if table.lesson],
        page=page,
        more=len(over) > PAGE,
        records=await service.lobby.statistics(person) if person else [],
        levels=table_html.LEVEL_NAMES,
        mean=lambda points: mean_text(points, language),
    )


def mean_text(points: float, language: str) -> str:
    """An average as it is written: a real minus, and a comma where people write one."""
    text = f"{points:.1f}".replace("-", "−")
    return text if language == "en" else text.replace(".", ",")


@post("/upload", include_in_schema=False, request_max_body_size=LARGEST_LOG)
async def upload(request: AnyRequest) -> Redirect:
    """A log from a file or another place becomes a table of one's own, to be played on or reviewed."""
    person = await person_of(request)
    limit(request, "make", person)
    limit(request, "upload", person)
    sent = await form_of(request)
    text = from_form(Upload, {"log": await file_sent(request) or sent.get("log", "")}).log.replace("\r\n", "\n")
    creation = app_of(request).service.creation
    async with replaying(request):
        if sent.get("then") != "review":
            return see(f"/t/{(await creation.upload(person, text)).id}")
        table, problem = await creation.upload_what_is_there(person, text)
    return see(f"/t/{table.id}/review" + (f"?cut={problem.line}" if problem is not None else ""))


async def file_sent(request: AnyRequest) -> str:
    """The text of a file; the table without a server sends it as text."""
    file = (await request.form()).get("file")
    return str(file or "") if isinstance(file, str | None) else (await file.read()).decode("utf-8-sig", "replace")


@post("/name", include_in_schema=False)
async def rename(request: AnyRequest) -> Redirect:
    person = await person_of(request)
    limit(request, "act", person)
    body = from_form(NewPerson, {"name": (await request.form()).get("name", "")})
    await app_of(request).service.people.rename(person, body.name)
    return see("/mine")
