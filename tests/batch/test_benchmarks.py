"""The table of benchmarks: what is measured stands there, as it was measured."""

import pytest

from bench import report


def test_the_page_shows_what_has_been_measured() -> None:
    page = report.PAGE.read_text(encoding="utf-8")
    measured = page.partition(report.BEGIN)[2].partition(report.END)[0]
    assert measured == report.markdown(report.groups()), "python -m bench.report writes it anew"


@pytest.mark.parametrize(
    ("number", "text"),
    [(0.98765, "0.988"), (12.34, "12.3"), (2096.8, "2.1 k"), (999_600, "1,000 k"), (3.07e10, "30.7 G")],
)
def test_numbers_are_said_with_three_digits(number: float, text: str) -> None:
    assert report.short(number) == text


def test_what_has_not_been_measured_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(report, "read", lambda name: {})
    assert report.groups() == []
    assert "infila" in report.plain([])
