"""axe finds nothing serious on any page, in any state, in light or in dark."""

from typing import Any

import pytest
from axe_playwright_python.base import AXE_SCRIPT

from tests.web.house import House
from tests.web.scenes import scenes

RULES: dict[str, Any] = {
    "resultTypes": ["violations"],
    "selectors": False,
    "preload": False,
    "iframes": False,
    "rules": {"label-content-name-mismatch": {"enabled": True}},  # what is seen is said
}
CONTRAST = RULES | {"runOnly": {"type": "rule", "values": ["color-contrast"]}}  # all that the dark can change
BEGIN = """(rules) => {
  window.found = null;
  axe.run(document, rules)
    .then(({ violations }) => violations
      .filter(({ impact }) => impact === "serious" || impact === "critical")
      .flatMap(({ id, nodes }) => nodes.slice(0, 3).map(({ html }) => `${id}: ${html.slice(0, 160)}`)))
    .catch((problem) => [String(problem)])
    .then((found) => { window.found = found; });
}"""
LIMIT = 60_000  # milliseconds for one look at a page
ALIKE = ("zatre-hint", "take_that-hint", "completto-hint")  # the slip of paper that sequence-hint shows


@pytest.mark.long
def test_axe_finds_nothing_serious(house: House) -> None:
    wrong = {}
    for scene in scenes(house):
        if scene.name in ALIKE:
            continue
        page = scene.person.visit(scene.path)
        scene.act(page)
        page.evaluate(AXE_SCRIPT)
        for theme, rules in (("light", RULES), ("dark", CONTRAST)):
            page.emulate_media(color_scheme=theme)
            page.evaluate(BEGIN, rules)
            if found := page.wait_for_function("() => window.found", timeout=LIMIT, polling=20).json_value():
                wrong[f"{scene.name}, {theme}"] = found
        page.emulate_media(color_scheme="light")
    assert wrong == {}
