"""Cookies that an answer sets."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Cookie:
    key: str
    value: str = ""
    max_age: int | None = None
    httponly: bool = False
    samesite: str = "lax"
    secure: bool = False
    path: str = "/"

    def to_encoded_header(self) -> Any:
        return self
