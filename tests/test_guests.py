"""The games are guests: everything of a game lies in its rooms, and a fifth one is its folder and a line in NAMES.

A game's rooms are infila/games/<game>, tests/games/<game> and bench/games/<game>. Elsewhere infila names no game; an
example in a docstring may, because it is documentation that runs. Tests and benches may use a game as an example of all
games, but they keep no table of games and ask for none by name.
"""

import ast
import doctest
import re
import tokenize
from collections.abc import Iterator
from io import StringIO
from pathlib import Path

import pytest

from infila.core.games import NAMES, contract_of

ROOT = Path(__file__).parents[1]
LIST = ROOT / "infila" / "core" / "games.py"  # the built-in list
TITLES = tuple(contract_of(name).title for name in NAMES)


def words(*alternatives: str) -> "re.Pattern[str]":
    return re.compile(rf"(?<![A-Za-z])(?:{'|'.join(map(re.escape, alternatives))})(?![A-Za-z])")


NAMED = words(*NAMES, *(name.replace("_", "-") for name in NAMES), *TITLES)
TOLD = words(*(name for name in NAMES if name != "sequence"), *TITLES)  # a sequence is also an English word


def texts(folder: str, *endings: str) -> Iterator[Path]:
    """The files of a folder that belong to no game."""
    for file in sorted((ROOT / folder).rglob("*")):
        inside = file.relative_to(ROOT).parts
        if file.suffix in endings and not (len(inside) > 3 and inside[1] == "games" and inside[2] in NAMES):
            yield file


def prose(source: str) -> Iterator[str]:
    """The comments and docstrings of a source, without the examples in them."""
    for token in tokenize.generate_tokens(StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield token.string
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            told = doctest.DocTestParser().parse(ast.get_docstring(node) or "")
            yield from (part for part in told if isinstance(part, str))


def strings(source: str) -> Iterator[str]:
    """Every text of a source that is not a docstring."""
    tree = ast.parse(source)
    docstrings = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings:
            yield node.value


def named_in(file: Path) -> set[str]:
    source = file.read_text(encoding="utf-8")
    if file.suffix != ".py":
        return set(NAMED.findall(source))
    return set(NAMED.findall("\n".join(strings(source)))) | set(TOLD.findall("\n".join(prose(source))))


def test_infila_names_no_game() -> None:
    named = {
        str(file.relative_to(ROOT)): found
        for file in texts("infila", ".py", ".html", ".js", ".css", ".svg", ".toml", ".po")
        if file != LIST and (found := named_in(file))
    }
    assert named == {}


@pytest.mark.parametrize("folder", ["tests", "bench", "examples", "docs"])
def test_no_table_of_games_is_kept_elsewhere(folder: str) -> None:
    """No list or mapping of games, and no branch on one: each would need a line for a fifth game."""
    found = [
        f"{file.relative_to(ROOT)}:{node.lineno}"
        for file in texts(folder, ".py")
        if file != Path(__file__)
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.expr) and asks_for_games(node)
    ]
    assert found == []


def asks_for_games(node: ast.expr) -> bool:
    if isinstance(node, ast.Dict):
        return _games(node.keys) > 1
    if isinstance(node, ast.List | ast.Tuple | ast.Set):
        return _games(node.elts) > 1
    return isinstance(node, ast.Compare) and _games([node.left, *node.comparators]) > 0


def _games(nodes: list[ast.expr | None] | list[ast.expr]) -> int:
    return len({node.value for node in nodes if isinstance(node, ast.Constant) and node.value in NAMES})
