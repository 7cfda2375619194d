"""HTML is made here and nowhere else: by Jinja templates, which escape whatever they are given.

Pages are templates of their own; what changes on the page of a table, what it shows when the game is over, a review,
and what is put into the rules to read, are macros of `table_parts.html`, `end_parts.html`, `review_parts.html` and
`rules_parts.html`. Pictures are SVG, made by `core.picture`, and come as `Markup`.
"""

from functools import cache
from typing import Any

from jinja2 import Environment, PackageLoader

templates = Environment(loader=PackageLoader("infila.web"), autoescape=True, trim_blocks=True, auto_reload=False)

templates.globals["SHAPES"] = ("disc", "square", "triangle", "arch", "cross", "hexagon")  # of the sides, in order

TABLE_PARTS, END_PARTS, RULES_PARTS = "table_parts.html", "end_parts.html", "rules_parts.html"
REVIEW_PARTS = "review_parts.html"


@cache
def macros(template: str) -> Any:
    """The macros of a template, each a function that returns HTML."""
    return templates.get_template(template).module
