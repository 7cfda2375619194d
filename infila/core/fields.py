"""Reading the fields of a position: each function returns what is there, or says in a BadPosition what should be."""

from collections.abc import Collection, Mapping
from typing import Any

from infila.core.errors import BadPosition


def entry(fields: Mapping[str, Any], name: str) -> Any:
    """Whatever a field holds."""
    if name not in fields:
        raise BadPosition(f"the field {name!r} is missing.")
    return fields[name]


def checked_integer(value: Any, name: str, least: int, greatest: int) -> int:
    """A value that is a whole number."""
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= greatest:
        raise BadPosition(f"{name} cannot be {value!r}: it must be a whole number from {least} to {greatest}.")
    return value


def integer(fields: Mapping[str, Any], name: str, least: int, greatest: int) -> int:
    """A whole number."""
    return checked_integer(entry(fields, name), name, least, greatest)


def one_of(fields: Mapping[str, Any], name: str, values: Collection[Any]) -> Any:
    """One of a few values, and of the same type."""
    value = entry(fields, name)
    if not any(type(value) is type(allowed) and value == allowed for allowed in values):
        raise BadPosition(f"{name} cannot be {value!r}: it must be one of {', '.join(repr(v) for v in values)}.")
    return value


def checked_list(value: Any, name: str, length: int | None = None) -> list[Any]:
    """A value that is a list, of this length if it must have one."""
    if not isinstance(value, list) or (length is not None and len(value) != length):
        wanted = "a list" if length is None else f"a list of length {length}"
        raise BadPosition(f"{name} must be {wanted}.")
    return value


def whole(fields: Mapping[str, Any], name: str, length: int, least: int, greatest: int) -> list[int]:
    """A list of `length` whole numbers."""
    return [checked_integer(value, name, least, greatest) for value in checked_list(entry(fields, name), name, length)]


def checked_members(value: Any, name: str, allowed: Collection[Any]) -> list[Any]:
    """A value that is a list of allowed things."""
    members = checked_list(value, name)
    for member in members:
        # 5.0 == 5 and True == 1, but neither is a whole number
        if isinstance(member, (bool, float, list, dict)) or member not in allowed:
            raise BadPosition(f"{name} cannot hold {member!r}.")
    return members


def flat(fields: Mapping[str, Any], name: str, allowed: Collection[Any]) -> list[Any]:
    """A list of any length of allowed things."""
    return checked_members(entry(fields, name), name, allowed)


def lists(fields: Mapping[str, Any], name: str, length: int, allowed: Collection[Any]) -> list[list[Any]]:
    """A list of `length` lists of allowed things, one for each seat."""
    return [checked_members(value, name, allowed) for value in checked_list(entry(fields, name), name, length)]
