"""Nothing is compiled, so nothing is kept."""

from typing import Any


class FunctionCache:
    def __init__(self, _function: Any) -> None:
        pass
