"""The rooms of ARCHITECTURE.md: no package imports another one than it may, and no imports go round in a circle."""

import ast
import re
from graphlib import TopologicalSorter
from pathlib import Path

from infila.core.rule import may_matter

ROOT = Path(__file__).parents[1]
FILES = sorted((ROOT / "infila").rglob("*.py"))
ROW = re.compile(r"^\| \[`(\w+)`\]\(infila/[\w.]+\) \| .* \| (.*) \|$", re.MULTILINE)


def module_of(file: Path) -> str:
    parts = file.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {module_of(file): file for file in FILES}


def imports(file: Path, *, everywhere: bool) -> set[str]:
    """The modules of infila that a module imports: when it is imported itself, or ever."""
    found = set()
    module = ast.parse(file.read_text(encoding="utf-8"))
    for statement in ast.walk(module) if everywhere else module.body:
        if isinstance(statement, ast.Import):
            found |= {alias.name for alias in statement.names}
        elif isinstance(statement, ast.ImportFrom) and statement.module:
            inner = {f"{statement.module}.{alias.name}" for alias in statement.names}
            found |= {name if name in MODULES else statement.module for name in inner}
    return found & set(MODULES)


def room_of(module: str) -> str:
    return module.split(".")[1] if "." in module else ""


def rooms() -> dict[str, set[str]]:
    """For each package of the table what it may import."""
    table = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    return {name: set(re.findall(r"`(\w+)`", allowed)) for name, allowed in ROW.findall(table)}


def test_the_table_has_every_package() -> None:
    assert set(rooms()) == {room_of(module) for module in MODULES} - {"", "__main__"}


def test_packages_import_what_the_table_allows() -> None:
    allowed = rooms()
    for module, file in MODULES.items():
        room = room_of(module)
        if room in allowed:
            used = {room_of(name) for name in imports(file, everywhere=True)} - {room, ""}
            assert used <= allowed[room], f"{module} imports {sorted(used - allowed[room])}"


def test_what_the_table_allows_goes_one_way() -> None:
    order = list(TopologicalSorter(rooms()).static_order())
    assert order[0] == "core"


def test_files_that_it_names_are_there() -> None:
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    folders = [ROOT / folder for folder in ("infila", "tests", "bench")]
    files = {f"/{file.relative_to(ROOT).as_posix()}" for folder in folders for file in folder.rglob("*.*")}
    for name in set(re.findall(r"`([\w/]+\.(?:py|js|html|svg|css|json))`", text)):
        assert any(file.endswith(f"/{name}") for file in files), name


def test_no_imports_go_round_in_a_circle() -> None:
    graph = {module: imports(file, everywhere=False) - {module} for module, file in MODULES.items()}
    assert list(TopologicalSorter(graph).static_order())


def test_compiled_rules_are_made_anew_after_every_change_that_may_matter() -> None:
    """What a module with rules imports, however far away, counts into the fingerprint of compiled rules."""
    graph = {module: imports(file, everywhere=True) for module, file in MODULES.items()}
    with_rules = {module for module in graph if "infila.core.rule" in graph[module] and may_matter(MODULES[module])}
    assert {"infila.core.driver", "infila.players.search"} <= with_rules
    reached, ahead = set(), with_rules
    while ahead:
        reached |= ahead
        ahead = {name for module in ahead for name in graph[module]} - reached
    assert [module for module in sorted(reached) if not may_matter(MODULES[module])] == []
    left_out = {module for module, file in MODULES.items() if not may_matter(file)}
    assert [module for module in left_out if "rule" in names_from_rule(MODULES[module])] == []


def names_from_rule(file: Path) -> set[str]:
    """What a module imports from where rules are compiled."""
    found = (node for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))) if isinstance(node, ast.ImportFrom))
    return {alias.name for node in found if node.module == "infila.core.rule" for alias in node.names}
