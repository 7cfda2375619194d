"""infila's colours for the site, from the table's own tokens: those of the theme, and those of code."""

import re
from pathlib import Path
from typing import Any, ClassVar

from pygments.style import Style
from pygments.token import Comment, Generic, Keyword, Name, Number, Operator, String, Token

TOKENS = Path(__file__).parents[1] / "infila" / "core" / "look" / "tokens.css"


def tokens(css: str, selector: str) -> dict[str, str]:
    """The variables that a selector sets.

    >>> tokens(":root { --paper: #FFF; /* white */ --rule:#CCC; } :root[dark] { --paper: #000; }", ":root")
    {'paper': '#FFF', 'rule': '#CCC'}
    """
    block = re.search(re.escape(selector) + r" \{(.*?)\}", re.sub(r"/\*.*?\*/", "", css, flags=re.DOTALL), re.DOTALL)
    assert block, f"no {selector} in {TOKENS.name}"
    return dict(re.findall(r"--([\w-]+):\s*(.*?);", block[1]))


LIGHT = tokens(TOKENS.read_text(encoding="utf-8"), ":root")
DARK = LIGHT | tokens(TOKENS.read_text(encoding="utf-8"), ':root[data-theme="dark"]')

# what the theme calls our colours
THEME = {
    "font-stack": "var(--sans)",
    "font-stack--monospace": "var(--mono)",
    "color-foreground-primary": "var(--ink)",
    "color-foreground-secondary": "var(--ink-2)",
    "color-foreground-muted": "var(--ink-2)",
    "color-foreground-border": "var(--edge)",
    "color-background-primary": "var(--paper)",
    "color-background-secondary": "var(--raised)",
    "color-background-hover": "var(--sunk)",
    "color-background-hover--transparent": "transparent",
    "color-background-border": "var(--rule)",
    "color-background-item": "var(--rule)",
    "color-brand-primary": "var(--ink)",
    "color-brand-content": "var(--blue-text)",
    "color-brand-visited": "var(--blue-text)",
    "color-highlighted-background": "var(--ochre)",
    "color-highlight-on-target": "var(--sunk)",
    "color-code-background": "var(--raised)",
    "color-code-foreground": "var(--ink)",
    "color-inline-code-background": "var(--raised)",
    "color-api-background": "var(--raised)",
    "color-api-background-hover": "var(--raised)",
    "color-api-overall": "var(--ink-2)",
    "color-api-name": "var(--ink)",
    "color-api-pre-name": "var(--ink-2)",
    "color-api-paren": "var(--ink-2)",
    "color-api-keyword": "var(--vermilion-text)",
    "color-sidebar-item-background--current": "var(--sunk)",
    "color-sidebar-item-background--hover": "var(--sunk)",
    "color-sidebar-item-expander-background--hover": "var(--sunk)",
    "color-sidebar-search-border": "var(--rule)",
    "color-sidebar-search-background": "var(--paper)",
    "color-table-header-background": "transparent",
    "color-table-border": "var(--rule)",
    "color-header-background": "var(--raised)",
    "color-header-border": "var(--rule)",
}


def _styles(ink: dict[str, str]) -> dict[Any, str]:
    return {
        Token: ink["ink"],
        Comment: ink["ink-2"],
        Keyword: ink["vermilion-text"],
        Operator.Word: ink["vermilion-text"],
        String: ink["teal-text"],
        Number: ink["blue-text"],
        Name.Decorator: ink["ochre-text"],
        Name.Class: f"bold {ink['ink']}",
        Name.Function: f"bold {ink['ink']}",
        Name.Tag: ink["blue-text"],
        Generic.Prompt: ink["ink-2"],
        Generic.Output: ink["ink-2"],
        Generic.Traceback: ink["ink-2"],
        Generic.Error: ink["vermilion-text"],
    }


class Light(Style):  # type: ignore[misc]
    background_color: ClassVar[str] = LIGHT["raised"]
    styles: ClassVar[dict[Any, str]] = _styles(LIGHT)


class Dark(Style):  # type: ignore[misc]
    background_color: ClassVar[str] = DARK["raised"]
    styles: ClassVar[dict[Any, str]] = _styles(DARK)
