"""What infila needs of msgspec: structs, JSON, and the check of what somebody sends, with the same words for what is
wrong."""

import types
from collections.abc import Callable, Mapping
from enum import Enum
from typing import Annotated, Any, ClassVar, TypeVar, Union, dataclass_transform, get_args, get_origin, get_type_hints

from msgspec import json as json
from msgspec import structs as structs

__all__ = ["Meta", "Struct", "ValidationError", "convert", "field", "json", "structs", "to_builtins"]

MISSING: Any = object()
T = TypeVar("T")


class ValidationError(ValueError):
    """Something is not of the type that is expected."""


class Meta:
    """Bounds of a value."""

    def __init__(
        self,
        *,
        ge: int | None = None,
        le: int | None = None,
        min_length: int | None = None,
        max_length: int | None = None,
        pattern: str | None = None,
    ) -> None:
        self.ge, self.le = ge, le
        self.min_length, self.max_length, self.pattern = min_length, max_length, pattern


class _Factory:
    def __init__(self, make: Callable[[], Any]) -> None:
        self.make = make


def field(*, default: Any = MISSING, default_factory: Callable[[], Any] | None = None) -> Any:
    return default if default_factory is None else _Factory(default_factory)


@dataclass_transform(field_specifiers=(field,))
class Struct:
    """A class whose fields are annotated, as msgspec's: keyword-only fields come last."""

    __struct_fields__: ClassVar[tuple[str, ...]] = ()
    _defaults: ClassVar[dict[str, Any]] = {}
    _by_keyword: ClassVar[frozenset[str]] = frozenset()
    _frozen: ClassVar[bool] = False
    _omit_defaults: ClassVar[bool] = False
    _forbid_unknown: ClassVar[bool] = False
    _types: ClassVar[dict[str, Any] | None] = None

    def __init_subclass__(
        cls,
        *,
        frozen: bool | None = None,
        kw_only: bool = False,
        omit_defaults: bool | None = None,
        forbid_unknown_fields: bool | None = None,
        gc: bool = True,
    ) -> None:
        own = [name for name in _annotations(cls) if not _is_class_variable(cls, name)]
        inherited = [name for name in cls.__struct_fields__ if name not in own]
        by_keyword = {name for name in inherited if name in cls._by_keyword} | (set(own) if kw_only else set())
        names = [*inherited, *own]
        cls.__struct_fields__ = tuple(sorted(names, key=lambda name: name in by_keyword))
        cls._by_keyword = frozenset(by_keyword)
        cls._defaults = cls._defaults | {name: cls.__dict__[name] for name in own if name in cls.__dict__}
        for name in own:
            if name in cls.__dict__:
                delattr(cls, name)
        cls._types = None
        cls._frozen = cls._frozen if frozen is None else frozen
        cls._omit_defaults = cls._omit_defaults if omit_defaults is None else omit_defaults
        cls._forbid_unknown = cls._forbid_unknown if forbid_unknown_fields is None else forbid_unknown_fields

    def __init__(self, *values: Any, **named: Any) -> None:
        cls = type(self)
        places = [name for name in cls.__struct_fields__ if name not in cls._by_keyword]
        if len(values) > len(places):
            raise TypeError("too many values")
        given = dict(zip(places, values, strict=False)) | named
        for name in cls.__struct_fields__:
            value = given.pop(name, MISSING)
            if value is MISSING:
                if name not in cls._defaults:
                    raise TypeError(f"missing {name!r}")
                value = default_of(cls, name)
            object.__setattr__(self, name, value)
        if given:
            raise TypeError(f"unexpected {next(iter(given))!r}")
        if hasattr(self, "__post_init__"):
            self.__post_init__()

    def __setattr__(self, name: str, value: Any) -> None:
        if self._frozen:
            raise AttributeError(f"immutable type: {type(self).__name__!r}")
        object.__setattr__(self, name, value)

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and _values(self) == _values(other)

    def __hash__(self) -> int:
        return hash(tuple(_values(self)))

    def __repr__(self) -> str:
        inside = ", ".join(f"{name}={getattr(self, name)!r}" for name in self.__struct_fields__)
        return f"{type(self).__name__}({inside})"


def _annotations(cls: type) -> dict[str, Any]:
    from inspect import get_annotations

    return get_annotations(cls)


def _is_class_variable(cls: type, name: str) -> bool:
    return get_origin(_annotations(cls).get(name)) is ClassVar


def _values(made: Any) -> list[Any]:
    return [getattr(made, name) for name in made.__struct_fields__]


def default_of(cls: type[Struct], name: str) -> Any:
    value = cls._defaults[name]
    if isinstance(value, _Factory):
        return value.make()
    return type(value)(value) if isinstance(value, list | dict | set) else value


def _types_of(cls: type[Struct]) -> dict[str, Any]:
    if cls.__dict__.get("_types") is None:
        cls._types = get_type_hints(cls, include_extras=True)
    return cls._types or {}


def to_builtins(value: Any) -> Any:
    """What JSON can say."""
    if isinstance(value, Struct):
        cls = type(value)
        shown = {name: getattr(value, name) for name in cls.__struct_fields__}
        if cls._omit_defaults:
            shown = {
                name: each for name, each in shown.items() if name not in cls._defaults or each != default_of(cls, name)
            }
        return {name: to_builtins(each) for name, each in shown.items()}
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, Mapping):
        return {str(key): to_builtins(each) for key, each in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [to_builtins(each) for each in value]
    return value


def convert(value: Any, kind: Any, *, strict: bool = True) -> Any:
    """A value of the type that is expected, made from what JSON can say; raises ValidationError."""
    return _converted(value, kind, "$")


def _wrong(said: str, path: str) -> ValidationError:
    return ValidationError(said if path == "$" else f"{said} - at `{path}`")


def _converted(value: Any, kind: Any, path: str) -> Any:
    origin = get_origin(kind)
    if origin is Annotated:
        inner, *marks = get_args(kind)
        made = _converted(value, inner, path)
        for mark in marks:
            if isinstance(mark, Meta):
                _check(made, mark, path)
        return made
    if origin in (Union, types.UnionType):
        return _one_of(value, get_args(kind), path)
    if kind is Any or kind is object:
        return value
    if isinstance(kind, type) and issubclass(kind, Struct):
        return value if isinstance(value, kind) else _struct(value, kind, path)
    if isinstance(kind, type) and issubclass(kind, Enum):
        try:
            return kind(value)
        except ValueError:
            raise _wrong(f"Invalid enum value {value!r}", path) from None
    if origin in (list, tuple, dict):
        return _container(value, origin, get_args(kind), path)
    return _plain(value, kind, path)


NAMES = {str: "str", int: "int", float: "float", bool: "bool", type(None): "null", list: "array", tuple: "array"}


def _called(value: Any) -> str:
    return NAMES.get(type(value), "object")


def _plain(value: Any, kind: Any, path: str) -> Any:
    if kind is float and type(value) is int:
        return float(value)
    if kind in (str, int, float, bool, type(None)):
        if type(value) is kind:
            return value
        raise _wrong(f"Expected `{NAMES[kind]}`, got `{_called(value)}`", path)
    if kind in (list, tuple, dict):
        return _container(value, kind, (), path)
    raise TypeError(f"{kind} cannot be checked")


def _one_of(value: Any, kinds: tuple[Any, ...], path: str) -> Any:
    if value is None and type(None) in kinds:
        return None
    rest = [kind for kind in kinds if kind is not type(None)]
    problem = None
    for kind in rest:
        try:
            return _converted(value, kind, path)
        except ValidationError as found:
            problem = problem or found
    assert problem is not None, "a union of nothing"
    raise problem


def _container(value: Any, origin: Any, inner: tuple[Any, ...], path: str) -> Any:
    if origin is dict:
        if not isinstance(value, Mapping):
            raise _wrong(f"Expected `object`, got `{_called(value)}`", path)
        each = inner[1] if inner else Any
        return {key: _converted(found, each, f"{path}[...]") for key, found in value.items()}
    if not isinstance(value, list | tuple):
        raise _wrong(f"Expected `array`, got `{_called(value)}`", path)
    if origin is tuple and inner and inner[-1] is not Ellipsis:
        if len(value) != len(inner):
            raise _wrong(f"Expected `array` of length {len(inner)}", path)
        return tuple(
            _converted(each, kind, f"{path}[{i}]") for i, (each, kind) in enumerate(zip(value, inner, strict=True))
        )
    kind = inner[0] if inner else Any
    made = [_converted(each, kind, f"{path}[{i}]") for i, each in enumerate(value)]
    return tuple(made) if origin is tuple else made


def _struct(value: Any, kind: type[Struct], path: str) -> Any:
    if not isinstance(value, Mapping):
        raise _wrong(f"Expected `object`, got `{_called(value)}`", path)
    hints = _types_of(kind)
    for name in value:
        if name not in kind.__struct_fields__ and kind._forbid_unknown:
            raise _wrong(f"Object contains unknown field `{name}`", path)
    for name in kind.__struct_fields__:
        if name not in value and name not in kind._defaults:
            raise _wrong(f"Object missing required field `{name}`", path)
    given = {
        name: _converted(value[name], hints[name], f"{path}.{name}") for name in kind.__struct_fields__ if name in value
    }
    return kind(**given)


def _check(value: Any, mark: Meta, path: str) -> None:
    import re

    if value is None:
        return
    kind = "str" if isinstance(value, str) else "int" if isinstance(value, int) else "array"
    if mark.ge is not None and value < mark.ge:
        raise _wrong(f"Expected `{kind}` >= {mark.ge}", path)
    if mark.le is not None and value > mark.le:
        raise _wrong(f"Expected `{kind}` <= {mark.le}", path)
    if mark.min_length is not None and len(value) < mark.min_length:
        raise _wrong(f"Expected `{kind}` of length >= {mark.min_length}", path)
    if mark.max_length is not None and len(value) > mark.max_length:
        raise _wrong(f"Expected `{kind}` of length <= {mark.max_length}", path)
    if mark.pattern is not None and re.search(mark.pattern, value) is None:
        raise _wrong(f"Expected `{kind}` matching regex {mark.pattern!r}", path)
