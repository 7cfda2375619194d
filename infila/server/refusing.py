"""What is answered to whoever cannot have what they ask for."""

from typing import Any

from litestar import MediaType, Response
from litestar.exceptions import HTTPException

from infila.core.errors import IllegalMove, InfilaError
from infila.server.bodies import wrong
from infila.server.errors import Conflict, Refused, TooMuch
from infila.server.pages.frame import language_of
from infila.server.pages.problem import error_page
from infila.server.request import AnyRequest
from infila.server.wire import ErrorJson
from infila.web.languages import Translate, said, translator


def error_of(problem: Exception, reader: str = "") -> tuple[int, ErrorJson]:
    """The status and the sentence for anything that was refused: in the language of a page's reader, or in English and
    with all details for a program."""
    language = reader or "en"
    if isinstance(problem, Conflict):
        return problem.status, ErrorJson(said(problem, language), version=problem.version)
    if isinstance(problem, Refused):
        return problem.status, ErrorJson(said(problem, language), problem.rule)
    if isinstance(problem, InfilaError):
        return 422 if isinstance(problem, IllegalMove) else 400, ErrorJson(said(problem, language), problem.rule)
    _ = translator(language)
    if isinstance(problem, HTTPException) and problem.status_code == 400:
        return error_of(_wrong_request(problem), reader)
    if isinstance(problem, HTTPException) and problem.status_code < 500:
        return problem.status_code, ErrorJson(_page_sentence(problem, _) if reader else str(problem.detail))
    if isinstance(problem, RecursionError):
        return 400, ErrorJson(_("this is nested too deeply to be read."))
    return 500, ErrorJson(_("something went wrong here. It is not your fault; try again in a moment."))


def _page_sentence(problem: HTTPException, _: Translate) -> str:
    if problem.status_code == 404:
        return _("there is nothing at this address.")
    return _("this is too large.") if problem.status_code == 413 else _("this address cannot be used like this.")


def _wrong_request(problem: HTTPException) -> Refused:
    """What the framework has found wrong with a body or a parameter."""
    extra: Any = problem.extra
    details = [each for each in extra if isinstance(each, dict)] if isinstance(extra, list) else []
    if not details:
        return Refused("this is not readable as JSON.")
    return wrong(str(details[0].get("key", "")), str(details[0].get("message", "")))


def answer_to(request: AnyRequest, problem: Exception) -> Response[Any]:
    program = request.url.path.startswith("/api/")
    status, error = error_of(problem, "" if program else language_of(request))
    answer: Response[Any]
    if "text/html" in request.headers.get("accept", "") and not program:
        answer = error_page(request, status, error.error)
    else:
        answer = Response(error, status_code=status, media_type=MediaType.JSON)
    if isinstance(problem, TooMuch):
        answer.headers["retry-after"] = str(problem.seconds)
    return answer
