"""My games: what one has played, one's name, one's other devices, logs from elsewhere."""

from litestar import Response, get, post
from litestar.params import FromPath
from litestar.response import Redirect
from markupsafe import Markup

from infila.server.bodies import NewPerson, Upload, from_form
from infila.server.errors import Unknown
from infila.server.limits import LARGEST_LOG
from infila.server.pages.frame import language_of, person_of, qr_code, render, see
from infila.server.pages.front import listed_facts
from infila.server.request import AnyRequest, app_of, cookie_for, limit, replaying, who
from infila.server.snapshot import OVER, PLAYING, WAITING
from infila.web import table_html
from infila.web.languages import translator


@get("/mine", include_in_schema=False)
async def my_games_page(request: AnyRequest) -> Response[str]:
    service = app_of(request).service
    person = who(request)
    _ = translator(language_of(request))
    tables = await service.lobby.my_tables(person) if person else []
    return render(
        request,
        "my_games.html",
        name=await service.people.name_of(person) if person else "",
        running=[listed_facts(table, _) for table in tables if table.state in (WAITING, PLAYING)],
        finished=[listed_facts(table, _) for table in tables if table.state == OVER],
        records=await service.lobby.statistics(person) if person else [],
        levels=table_html.LEVEL_NAMES,
        mean=lambda points: mean_text(points, language_of(request)),
    )


def mean_text(points: float, language: str) -> str:
    """An average as it is written: a real minus, and a comma where people write one."""
    text = f"{points:.1f}".replace("-", "−")
    return text if language == "en" else text.replace(".", ",")


@post("/upload", include_in_schema=False, request_max_body_size=LARGEST_LOG)
async def upload(request: AnyRequest) -> Redirect:
    """A log from a file or another place becomes a table of one's own."""
    person, cookies = await person_of(request)
    limit(request, "make", person)
    limit(request, "upload", person)
    body = from_form(Upload, {"log": (await request.form()).get("log", "")})
    async with replaying(request):
        table = await app_of(request).service.creation.upload(person, body.log.replace("\r\n", "\n"))
    return see(f"/t/{table.id}", cookies)


@post("/device", include_in_schema=False)
async def device(request: AnyRequest) -> Response[str]:
    """A private link, good for a day, that makes another device the same person."""
    app = app_of(request)
    person, cookies = await person_of(request)
    limit(request, "act", person)
    link = f"{str(request.base_url).rstrip('/')}/me/{app.signer.device_link(person, app.settings.now())}"
    answer = render(request, "device.html", link=link, code=Markup(qr_code(link)))
    answer.cookies.extend(cookies)
    return answer


@get("/me/{link:str}", include_in_schema=False)
async def another_device(request: AnyRequest, link: FromPath[str]) -> Redirect:
    app = app_of(request)
    limit(request, "person")
    person = app.signer.person_of_device_link(link, app.settings.now())
    if person is None:
        raise Unknown("this link is no longer good. Make a new one on the other device, under my games.")
    return see("/mine", [cookie_for(request, person)])


@post("/name", include_in_schema=False)
async def rename(request: AnyRequest) -> Redirect:
    person, cookies = await person_of(request)
    limit(request, "act", person)
    body = from_form(NewPerson, {"name": (await request.form()).get("name", "")})
    await app_of(request).service.people.rename(person, body.name)
    return see("/mine", cookies)
