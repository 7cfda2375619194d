"""Dates as the browser writes them."""

from datetime import date

HOW = {
    "d MMM": {"day": "numeric", "month": "short"},
    "d MMM y": {"day": "numeric", "month": "short", "year": "numeric"},
    "long": {"dateStyle": "long"},
}


def format_date(day: date, format: str = "long", locale: str = "en") -> str:
    from js import Date, Intl, Object  # type: ignore[import-not-found]
    from pyodide.ffi import to_js  # type: ignore[import-not-found]

    how = to_js(HOW[format], dict_converter=Object.fromEntries)
    at = Date.new(day.year, day.month - 1, day.day)
    return str(Intl.DateTimeFormat.new("en-GB" if locale == "en" else locale, how).format(at))
