"""Settings of the site: `make docs` builds it into build/docs. The pages are the Markdown of this folder."""

import os
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent)]
os.environ["NUMBA_DISABLE_JIT"] = "1"  # rules are plain functions then: quick to import, with signatures to show

import inks
import pages

from infila import __version__
from infila.core.picture import symbols

project = "infila"
release = version = __version__
language = "en"
smartquotes = False  # rewards="win" is code
html_show_copyright = False

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.viewcode"]
source_suffix = {".md": "markdown", ".py": "markdown", ".rst": "restructuredtext"}  # a notebook becomes Markdown below
exclude_patterns = ["*.py", "reference/*.py"]  # no notebooks
myst_heading_anchors = 3

# docstrings write code in single backticks; what is documented here becomes a link, and all else stays code
default_role = "py:obj"
nitpick_ignore_regex = [("py:obj", ".*"), ("py:.*", r"(?!infila).*"), ("py:class", r"infila\.core\.rule\.Function")]
autodoc_mock_imports = ["open_spiel", "pyspiel"]  # large, and nothing of it is shown
autodoc_inherit_docstrings = False
autodoc_member_order = "bysource"
autodoc_typehints_format = "short"
autodoc_preserve_defaults = True
python_use_unqualified_type_names = True
python_maximum_signature_line_length = 120
toc_object_entries_show_parents = "hide"

html_theme = "furo"
html_title = "infila"
html_static_path = ["look/style.css", "../infila/web/static/pictures.css"]
html_css_files = ["style.css"]
html_favicon = "../infila/web/static/icon.svg"
html_copy_source = False
templates_path = ["look"]
pygments_style = "inks.Light"
pygments_dark_style = "inks.Dark"
html_context = {"wordmark": symbols()["wordmark"]}
html_theme_options = {
    "light_css_variables": inks.LIGHT | inks.THEME,
    "dark_css_variables": inks.DARK | inks.THEME,
}


def _read(app: Any, docname: str, source: list[str]) -> None:
    folder, _, name = docname.rpartition("/")
    if folder == "reference/rules":
        source[0] = pages.rules(name)
    elif docname == "explanation/architecture":
        source[0] = pages.architecture((HERE.parent / "ARCHITECTURE.md").read_text(encoding="utf-8"))
    elif app.env.doc2path(docname).suffix == ".py":
        source[0] = pages.notebook(source[0])
    source[0] = pages.without_last_lines(pages.linked(pages.without_empty_patterns(source[0], HERE)))


def _docstring(app: Any, what: str, name: str, of: object, options: Any, lines: list[str]) -> None:
    lines[:] = pages.docstring(lines)


def _page(app: Any, name: str, template: str, context: dict[str, Any], of: object) -> None:
    """The style of pictures where there are some, and what the theme leaves out for those without mouse or screen."""
    if name.startswith("reference/rules/"):
        app.add_css_file("pictures.css", priority=100)
    context["body"] = context.get("body", "").replace("<pre>", '<pre tabindex="0">')
    contents = context.get("furo_navigation_tree", "")
    context["furo_navigation_tree"] = contents.replace('role="heading"', 'role="heading" aria-level="2"')


def setup(app: Any) -> dict[str, Any]:
    app.connect("source-read", _read)
    app.connect("autodoc-process-docstring", _docstring)
    app.connect("html-page-context", _page, priority=900)  # after the theme
    return {"parallel_read_safe": True}
