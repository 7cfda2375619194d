"""What a server says about itself while it runs, for the operator: lines of text, or of JSON for programs.

Nothing that is somebody's own is in it: no names, no tokens, no addresses, nothing that was said or sent, and no id of
a table, for whoever knows that can look at the table. What went wrong is told by its kind and by where in the program
it was; what it said may quote what somebody sent.
"""

import hashlib
import json
import logging
import sys
import traceback
from datetime import UTC, datetime
from types import TracebackType
from typing import Any

FORMATS = ("text", "json")
Problem = tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None]


def mark(table: str) -> str:
    """A table in a log: the same for the same table, and no way back to its id.

    >>> mark("23456789abcd")
    'a43e04d2'
    """
    return hashlib.sha256(f"table {table}".encode()).hexdigest()[:8]


class Discreet(logging.Formatter):
    """Tells of an exception what it was and where, and not what it said."""

    def format(self, record: logging.LogRecord) -> str:
        record.exc_text = None  # another formatter may have left there what it tells
        try:
            return super().format(record)
        finally:
            record.exc_text = None

    def formatException(self, problem: Problem) -> str:
        return "\n".join(_told(problem[1]))


class Structured(Discreet):
    """A line of JSON for everything."""

    def format(self, record: logging.LogRecord) -> str:
        told: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        if record.exc_info and record.exc_info[1] is not None:
            told["problem"] = type(record.exc_info[1]).__name__
            told["where"] = _told(record.exc_info[1])
        return json.dumps(told, ensure_ascii=False)


def _told(problem: BaseException | None) -> list[str]:
    """Every exception that led to this one, the first first: where it passed, and its kind."""
    chain: list[BaseException] = []
    while problem is not None and problem not in chain:
        chain.append(problem)
        problem = problem.__cause__ or (None if problem.__suppress_context__ else problem.__context__)
    lines = []
    for each in reversed(chain):
        lines += [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in traceback.extract_tb(each.__traceback__)]
        lines.append(type(each).__name__)
    return lines


def set_up(form: str) -> None:
    """From now on everything that is logged goes to the screen's standard error in this form."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(Structured() if form == "json" else Discreet("infila: %(message)s"))
    logging.basicConfig(level=logging.WARNING, handlers=[handler])
