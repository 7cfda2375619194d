"""The page that tells what is wrong."""

from http import HTTPStatus

from litestar import Response

from infila.server.pages.frame import language_of, render
from infila.server.request import AnyRequest
from infila.web.languages import translator


def error_page(request: AnyRequest, status: int, sentence: str) -> Response[str]:
    """A page in our style that tells what is wrong."""
    _ = translator(language_of(request))
    headings = {401: _("who are you?"), 404: _("nothing here"), 429: _("one moment"), 500: _("that went wrong")}
    heading = headings.get(status, _("not like this"))
    if sentence == HTTPStatus(status).phrase:  # nobody has said more
        sentence = _("This address leads to no page.") if status == 404 else ""
    return render(request, "error.html", status=status, heading=heading, sentence=sentence)
