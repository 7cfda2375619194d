"""There is no compiler to teach."""

from collections.abc import Callable
from typing import Any


def overload(*_what: Any, **_how: Any) -> Callable[[Any], Any]:
    return lambda function: function


def intrinsic(function: Any) -> Any:
    return function
