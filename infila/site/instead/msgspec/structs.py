"""Structs as a whole."""

from typing import Any


def replace(made: Any, **changed: Any) -> Any:
    return type(made)(**{name: getattr(made, name) for name in made.__struct_fields__} | changed)


def asdict(made: Any) -> dict[str, Any]:
    return {name: getattr(made, name) for name in made.__struct_fields__}
