"""The table of benchmarks: what is measured stands there, as it was measured."""

import pytest

from bench import table


def test_the_page_shows_what_has_been_measured() -> None:
    page = table.PAGE.read_text(encoding="utf-8")
    measured = page.partition(table.BEGIN)[2].partition(table.END)[0]
    assert measured == table.markdown(table.groups()), "python -m bench.table writes it anew"


@pytest.mark.parametrize(
    ("number", "text"),
    [(0.98765, "0.988"), (12.34, "12.3"), (2096.8, "2.1 k"), (999_600, "1,000 k"), (3.07e10, "30.7 G")],
)
def test_numbers_are_said_with_three_digits(number: float, text: str) -> None:
    assert table.short(number) == text


def test_what_has_not_been_measured_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table, "read", lambda name: {})
    assert table.groups() == []
    assert "infila" in table.plain([])
