"""Pages of the site that are not Markdown in this folder: notebooks, and the games' rules with their pictures.

Everything here is text to text; `conf.py` puts it in while the site is made, and nothing is written into this folder.
"""

import re
from pathlib import Path

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


# Links of the pages into the repository, and the pages of the site that show the same.
IN_THE_REPOSITORY = {
    r"\.\./infila/games/(\w+)/texts/en\.md": r"rules/\1.md",
    r"\.\./infila/core/contract\.py": "reference/authors.rst",
    r"\.\./examples/connect_four": "connect_four.rst",
}


def linked(markdown: str) -> str:
    """Links into the repository lead to the pages that show what is there.

    >>> linked("[the rules](../infila/games/zatre/texts/en.md), [more](batch.md)")
    '[the rules](rules/zatre.md), [more](batch.md)'
    """
    for place, page in IN_THE_REPOSITORY.items():
        markdown = re.sub(rf"\]\({place}\)", f"]({page})", markdown)
    return markdown


def without_empty_patterns(markdown: str, folder: Path) -> str:
    """Contents name some pages by a pattern, such as `notebooks/*`: there need not be one, and that is no warning."""
    return re.sub(r"^(\S+\*)\n", lambda line: line[0] if any(folder.glob(f"{line[1]}.*")) else "", markdown, flags=re.M)


def with_links_to_pages(docstring: list[str]) -> list[str]:
    """Where a docstring names a page of this folder there is a link to it.

    >>> with_links_to_pages(["As JSON (docs/positions.md)."])
    ['As JSON (:doc:`/positions`).']
    """
    return [re.sub(r"`?\bdocs/(\w+)\.md`?", r":doc:`/\1`", line) for line in docstring]


def rules(game: str) -> str:
    """The rules of a game: every number can be linked to, and pictures stand below what they show."""
    from infila.core.games import contract_of
    from infila.web.lesson import examples_of
    from infila.web.present import sprite
    from infila.web.rulebook import figure_html, with_numbers

    contract = contract_of(game)
    captions = contract.words("en").get("examples", {})
    text = contract.text("en")
    for key, example in examples_of(game).items():
        text = _below(text, example.rule, _html(figure_html(game, key, captions[key], "en")))
    title, _, rest = with_numbers(text).partition("\n")
    return f"{title}\n\n{_html(sprite())}\n\n{rest}"


def _html(drawing: str) -> str:
    """As Markdown takes it: up to an empty line."""
    one_line = " ".join(drawing.splitlines())
    return f'<div class="drawn">{one_line}</div>'


def _below(text: str, rule: str, figure: str) -> str:
    """After the paragraph or the list in which a rule stands."""
    at = text.index("\n\n", text.index(f"[{rule}]"))
    return f"{text[:at]}\n\n{figure}{text[at:]}"
