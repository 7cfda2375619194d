"""JSON, as msgspec writes and reads it."""

import json
from typing import Any


def encode(value: Any) -> bytes:
    from msgspec import to_builtins

    return json.dumps(value, default=to_builtins, ensure_ascii=False, separators=(",", ":")).encode()


def decode(text: str | bytes, *, type: Any = Any) -> Any:
    from msgspec import ValidationError, convert

    try:
        read = json.loads(text)
    except ValueError as problem:
        raise ValidationError(str(problem)) from None
    return convert(read, type)


class Encoder:
    def encode(self, value: Any) -> bytes:
        return encode(value)
