"""Requests."""

from typing import Any, Generic, TypeVar

User = TypeVar("User")
Auth = TypeVar("Auth")
State = TypeVar("State")
Handler = TypeVar("Handler")


class Address:
    def __init__(self, path: str) -> None:
        self.path = path


class ASGIConnection(Generic[Handler, User, Auth, State]):
    app: Any


class Request(Generic[User, Auth, State]):
    """One of our own page's questions to us."""

    client = None

    def __init__(
        self,
        app: Any,
        method: str,
        path: str,
        query: dict[str, str],
        headers: dict[str, str],
        cookies: dict[str, str],
        fields: dict[str, str],
        sent: Any,
    ) -> None:
        self.app, self.method, self.url = app, method, Address(path)
        self.query_params, self.headers, self.cookies = query, headers, cookies
        self.scope: dict[str, Any] = {"scheme": "https", "query_string": b""}
        self.sent = sent
        self._fields = fields

    async def form(self) -> dict[str, str]:
        return self._fields
