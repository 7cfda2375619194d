"""Pages of the site that are not Markdown in this folder: notebooks, and the games' rules with their pictures.

Everything here is text to text; `conf.py` puts it in while the site is made, and nothing is written into this folder.
"""

import re
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from infila.core.contract import Contract

CELL = re.compile(r"^# %%(.*)$", re.MULTILINE)
HEADER = re.compile(r'\A(?:# ---\n(?:#.*\n)*?# ---\n)?\s*(?:""".*?"""\s*)?', re.DOTALL)


def notebook(source: str) -> str:
    """A notebook in the percent format as Markdown. What its first lines tell the readers of the file is left out.

    >>> print(notebook("# %% [markdown]\\n# # Title\\n# Words.\\n\\n# %%\\nprint(1)\\n"))
    # Title
    Words.
    <BLANKLINE>
    ```python
    print(1)
    ```
    <BLANKLINE>
    """
    first, *rest = CELL.split(HEADER.sub("", source, count=1))
    cells = [("", first), *zip(rest[::2], rest[1::2], strict=True)]
    return "\n".join(_cell(kind, text.strip("\n")) for kind, text in cells if text.strip())


def _cell(kind: str, text: str) -> str:
    if "[markdown]" not in kind:
        return f"```python\n{text}\n```\n"
    return re.sub(r"^# ?", "", text, flags=re.MULTILINE) + "\n"


# What pages link to in the repository, and the pages of the site that show the same.
IN_THE_REPOSITORY = {
    r"infila/games/(?P<game>\w+)/texts/en\.md": r"reference/rules/\g<game>.md",
    r"infila/core/contract\.py": "reference/authors.rst",
    r"examples/connect_four": "tutorials/connect_four.rst",
}


def linked(markdown: str) -> str:
    """Links into the repository lead to the pages that show what is there.

    >>> linked("[the rules](../infila/games/zatre/texts/en.md), [more](batch.md)")
    '[the rules](reference/rules/zatre.md), [more](batch.md)'
    """
    for place, page in IN_THE_REPOSITORY.items():
        markdown = re.sub(rf"\]\((?P<up>(?:\.\./)*)\.\./{place}\)", rf"](\g<up>{page})", markdown)
    return markdown


def architecture(markdown: str) -> str:
    """ARCHITECTURE.md as a page: links to pages stay links, and links into the code become their words.

    >>> architecture("[the log](docs/reference/log.md) of [`core`](infila/core), see [above](#rooms)")
    '[the log](../reference/log.md) of `core`, see [above](#rooms)'
    """
    inside = re.sub(r"\]\(docs/", "](../", markdown)
    return re.sub(r"(?<!!)\[([^\]]+)\]\((?!\.\./\w|#|http)[^)]*\)", r"\1", inside.replace("](../)", "](docs)"))


def without_last_lines(markdown: str) -> str:
    """An example ends with an empty line, for those who run it as a test; there is nothing in it to see."""
    return re.sub(r"\n\n```$", "\n```", markdown, flags=re.MULTILINE)


def without_empty_patterns(markdown: str, folder: Path) -> str:
    """Contents name some pages by a pattern, such as `notebooks/*`: there need not be one, and that is no warning."""
    return re.sub(
        r"^(\S+\*)\n", lambda line: line[0] if any(folder.glob(f"{line[1]}.*")) else "", markdown, flags=re.MULTILINE
    )


def docstring(lines: list[str]) -> list[str]:
    """A docstring as Sphinx wants it: code that is no name is marked as code, and a page of this folder is a link.

    >>> docstring(["`Game.view` as JSON (docs/reference/positions.md); `game.view(0)`"])
    ['`Game.view` as JSON (:doc:`/reference/positions`); ``game.view(0)``']
    """
    links = [re.sub(r"`?\bdocs/([\w/-]+)\.md`?", r":doc:`/\1`", line) for line in lines]
    return [re.sub(r"(:doc:)?`([^`]+)`", _code, line) for line in links]


def _code(found: re.Match[str]) -> str:
    return found[0] if found[1] or re.fullmatch(r"[\w.]+", found[2]) else f"``{found[2]}``"


DRAWN = '<div class="drawn">'


def rules(game: str) -> str:
    """The rules of a game: every number can be linked to, and pictures stand below what they show."""
    from infila.core.games import contract_of
    from infila.web.examples import examples_of
    from infila.web.rulebook import figure_html, with_numbers
    from infila.web.table_html import sprite

    contract = contract_of(game)
    captions = contract.words("en").get("examples", {})
    text = contract.text("en")
    for key, example in examples_of(game).items():
        text = _below(text, example.rule, _html(figure_html(game, key, captions[key], "en")))
    title, _, rest = with_numbers(text).partition("\n")
    style = _html(f"<style>{contract.style()}</style>")
    return f"{title}\n\n{_html(sprite())}\n\n{style}\n\n{rest}\n\n{_options(contract)}"


def _html(drawing: str) -> str:
    """As Markdown takes it: up to an empty line."""
    one_line = " ".join(drawing.splitlines())
    return f"{DRAWN}{one_line}</div>"


def _below(text: str, rule: str, figure: str) -> str:
    """After the paragraph or the list in which a rule stands, and the pictures that are there already."""
    at = text.index("\n\n", _begin(text, rule))
    while text.startswith(f"\n\n{DRAWN}", at):
        at = text.index("\n\n", at + 1)
    return f"{text[:at]}\n\n{figure}{text[at:]}"


def _begin(text: str, rule: str) -> int:
    """Where a rule stands, or the first paragraph of a section that has none: s7 is the seventh."""
    if not rule.startswith("s"):
        return text.index(f"[{rule}]")
    headings = list(re.finditer(r"^## .*\n\n", text, re.MULTILINE))
    return headings[int(rule[1:]) - 1].end()


def _options(contract: "Contract") -> str:
    """What `infila.new` and `--option` take."""
    usual = contract.options().to_dict()
    rows = [
        f"| `{name}` | {spec.wanted()} | {spec.to_text(usual[name])} | {spec.meaning} |"
        for name, spec in contract.options.specs().items()
    ]
    return "\n".join(["## Options", "", "| option | is | usually | meaning |", "|---|---|---|---|", *rows, ""])
