"""Functions with the addresses at which they answer."""

import inspect
import re
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from functools import cached_property
from typing import Annotated, Any, get_args, get_origin, get_type_hints

import msgspec

from litestar.connection import Request
from litestar.exceptions import HTTPException
from litestar.params import Body, QueryParameter
from litestar.response import Response

Handle = Callable[..., Awaitable[Any]]


class HTTPRouteHandler:
    def __init__(self, method: str, path: str, status: int, function: Handle) -> None:
        self.method, self.path, self.status, self.function = method, path, status, function
        pattern = re.sub(r"\{(\w+):str\}", r"(?P<\1>[^/]+)", path)
        self.pattern = re.compile(pattern)
        self.places = len(re.findall(r"[^/]+", path)), -path.count("{")

    @cached_property
    def _takes(self) -> list[tuple[str, Any, tuple[Any, ...]]]:
        """Of each argument its name, its type, and what is said of it besides."""
        hints = get_type_hints(self.function, include_extras=True)
        found = [(name, hints[name]) for name in inspect.signature(self.function).parameters]
        return [
            (name, get_args(kind)[0], get_args(kind)[1:]) if get_origin(kind) is Annotated else (name, kind, ())
            for name, kind in found
        ]

    def prepare(self) -> None:
        """Find out now what is known only when somebody has asked."""
        for _name, kind, marks in self._takes:
            if any(isinstance(mark, Body) for mark in marks):
                with suppress(msgspec.ValidationError):
                    msgspec.convert({}, kind)

    async def answer(self, request: Request[Any, Any, Any], named: dict[str, str]) -> Response[Any]:
        given = {}
        for name, kind, marks in self._takes:
            if name == "request":
                given[name] = request
            elif name in named:
                given[name] = named[name]
            elif any(isinstance(mark, Body) for mark in marks):
                given[name] = _body(request.sent, kind)
            elif any(isinstance(mark, QueryParameter) for mark in marks) and name in request.query_params:
                given[name] = int(request.query_params[name])
        made = await self.function(**given)
        return made if isinstance(made, Response) else Response(made, status_code=self.status)


def _body(sent: Any, kind: Any) -> Any:
    try:
        return msgspec.convert(sent, kind)
    except msgspec.ValidationError as problem:
        where = re.search(r"`\$\.(\w+)", str(problem))
        detail = {"key": where[1] if where else "data", "message": str(problem)}
        raise HTTPException("Validation failed", 400, [detail]) from None


class Router:
    def __init__(self, path: str, route_handlers: Sequence[Any], before_request: Handle | None = None) -> None:
        self.handlers, self.before = list(route_handlers), before_request


def _handler(method: str, status: int) -> Callable[..., Callable[[Handle], HTTPRouteHandler]]:
    def at(path: str, *, status_code: int = status, **_described: Any) -> Callable[[Handle], HTTPRouteHandler]:
        return lambda function: HTTPRouteHandler(method, path, status_code, function)

    return at


get, post, delete = _handler("GET", 200), _handler("POST", 201), _handler("DELETE", 200)
