"""What a page shows at the end of a game: the figures beside the seats, the line under the heading and *why* agree."""

import re
from typing import Any

import pytest

from infila.web import table_html
from tests.web.house import played

CASES: list[tuple[str, dict[str, Any]]] = [
    ("zatre", {"players": 2}),
    ("zatre", {"players": 4, "teams": True}),
    ("take_that", {"players": 3, "rounds": 2}),
    ("completto", {"players": 2, "games": 2}),
    ("sequence", {"players": 2}),
    ("sequence", {"players": 3, "sides": 3}),
    ("sequence", {"players": 4, "sides": 2}),
]


def numbers(texts: list[str]) -> list[int]:
    return [int(text.replace("−", "-")) for text in texts]


@pytest.mark.parametrize(("name", "options"), CASES)
def test_all_that_is_shown_at_the_end_is_the_same_number(name: str, options: dict[str, Any]) -> None:
    game = played(name, **options)
    view = game.view(0)
    sitters = [table_html.Sitter(name, "person") for name in view.names]
    fragments = table_html.state(table_html.TableFacts(view, sitters, 1, 1), "en")["fragments"]
    totals = numbers(re.findall(r"<summary>.*? <b>(.*?)</b></summary>", fragments["result"]))
    explained = [sum(totals[seat :: len(sitters)]) for seat in range(len(sitters))]
    beside = numbers(re.findall(r'aria-label="points: (.*?)"', fragments["seats"]))
    sides = {view.contract.options.make(view.options).side(seat): score for seat, score in enumerate(view.scores)}
    under = re.search(r"</h1><p>(.*?)</p>", fragments["say"])
    assert under is not None
    assert explained == beside == view.scores
    assert numbers(under[1].split(" to ")) == sorted(sides.values(), reverse=True)
