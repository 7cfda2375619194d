"""axe finds nothing serious on any page, in any state, in light or in dark."""

from typing import Any

from axe_playwright_python.base import AXE_SCRIPT

from tests.web.house import House
from tests.web.scenes import scenes

RULES: dict[str, Any] = {"resultTypes": ["violations"], "selectors": False}
CONTRAST = RULES | {"runOnly": {"type": "rule", "values": ["color-contrast"]}}  # all that the dark can change
SERIOUS = """async (rules) => (await axe.run(document, rules)).violations
  .filter(({ impact }) => impact === "serious" || impact === "critical")
  .flatMap(({ id, nodes }) => nodes.slice(0, 3).map(({ html }) => `${id}: ${html.slice(0, 160)}`))"""


def test_axe_finds_nothing_serious(house: House) -> None:
    wrong = {}
    for scene in scenes(house):
        page = scene.person.visit_anew(scene.path)
        scene.act(page)
        page.evaluate(AXE_SCRIPT)
        for theme, rules in (("light", RULES), ("dark", CONTRAST)):
            page.emulate_media(color_scheme=theme)
            if found := page.evaluate(SERIOUS, rules):
                wrong[f"{scene.name}, {theme}"] = found
    assert wrong == {}
