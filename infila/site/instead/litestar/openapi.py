"""Nobody asks for a description of this."""

from typing import Any


class ResponseSpec:
    def __init__(self, **_described: Any) -> None:
        pass
