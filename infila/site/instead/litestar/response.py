"""Answers."""

from collections.abc import Mapping, Sequence
from typing import Any, Generic, TypeVar

from litestar.datastructures import Cookie
from litestar.enums import MediaType

T = TypeVar("T")


class Response(Generic[T]):
    def __init__(
        self,
        content: T,
        *,
        status_code: int | None = None,
        media_type: str = MediaType.TEXT,
        headers: Mapping[str, str] | None = None,
        cookies: Sequence[Cookie] = (),
    ) -> None:
        self.content, self.status_code, self.media_type = content, status_code, str(media_type)
        self.headers = dict(headers or {})
        self.cookies = list(cookies)


class Redirect(Response[Any]):
    def __init__(self, path: str, *, status_code: int = 303, cookies: Sequence[Cookie] = ()) -> None:
        super().__init__(b"", status_code=status_code, headers={"location": path}, cookies=cookies)
