"""Where a handler's arguments come from."""

from typing import Annotated, Any, TypeAlias, TypeVar

T = TypeVar("T")


class Place:
    """Marks an argument."""

    def __init__(self, **described: Any) -> None:
        self.name: str | None = described.get("name")


class PathParameter(Place):
    pass


class QueryParameter(Place):
    pass


class HeaderParameter(Place):
    pass


class Body(Place):
    pass


FromPath: TypeAlias = Annotated[T, PathParameter()]
JSONBody: TypeAlias = Annotated[T, Body()]
