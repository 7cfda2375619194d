"""What a table is and what can be done there knows nothing of the web: neither the framework nor our pages."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import infila

ROOT = Path(infila.__file__).parent.parent
HTTP = {
    "anywhere",
    "api",
    "app",
    "bodies",
    "command",
    "connections",
    "endpoints",
    "event_stream",
    "gate",
    "health",
    "metrics",
    "pages",
    "passing",
    "refusing",
    "request",
    "together",
    "wire",
}
DOMAIN = sorted(f"infila.server.{file.stem}" for file in (ROOT / "infila/server").glob("*.py") if file.stem not in HTTP)


def source(module: str) -> Path | None:
    """The file of a module of ours."""
    path = ROOT / module.replace(".", "/")
    found = [file for file in (path.with_suffix(".py"), path / "__init__.py") if file.is_file()]
    return found[0] if found else None


@cache
def imported(module: str) -> frozenset[str]:
    """What a module imports, anywhere in it: modules of ours in full, of others by the first name."""
    file = source(module)
    return frozenset() if file is None else frozenset(_names(ast.parse(file.read_text(encoding="utf-8"))))


def _names(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names = [each.name for each in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are written in full"
            parts = [f"{node.module}.{each.name}" for each in node.names]
            names = [part if source(part) else str(node.module) for part in parts]
        else:
            continue
        yield from (name if name.partition(".")[0] == "infila" else name.partition(".")[0] for name in names)


def way_to(goals: tuple[str, ...], start: str) -> list[str]:
    """The modules on a way of imports from a module to one of the goals or into it; empty if there is none."""
    ways = [[start]]
    seen = {start}
    for way in ways:
        if any(way[-1] == goal or way[-1].startswith(f"{goal}.") for goal in goals):
            return way
        ways.extend([*way, name] for name in sorted(imported(way[-1]) - seen))
        seen |= imported(way[-1])
    return []


def test_the_domain_imports_neither_the_framework_nor_pages() -> None:
    outside = ("litestar", "uvicorn", "jinja2", "infila.web", *(f"infila.server.{name}" for name in sorted(HTTP)))
    assert len(DOMAIN) > 20 and "infila.server.service" in DOMAIN
    for module in (*DOMAIN, "infila.lessons.coach", "infila.lessons.progress"):
        assert way_to(outside, module) == [], module


def test_the_way_is_found_where_there_is_one() -> None:
    assert way_to(("litestar",), "infila.server.app")[-1] == "litestar"
    assert way_to(("infila.server.store",), "infila.server.service")[-1] == "infila.server.store"


def test_no_part_reaches_into_another() -> None:
    """Private names are used only on oneself, or within the file that defines them."""
    for module in DOMAIN:
        file = source(module)
        assert file is not None
        tree = ast.parse(file.read_text(encoding="utf-8"))
        owned = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and node.id.startswith("_")}
        for node in ast.walk(tree):
            if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
                owned.add(node.target.id)
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute) and node.attr.startswith("_") and not node.attr.startswith("__"):
                own = isinstance(node.value, ast.Name) and node.value.id == "self"
                assert own or node.attr in owned, f"{module}, line {node.lineno}: {node.attr}"


def test_what_is_done_at_tables_knows_no_database() -> None:
    """Everything stands on `ledger`, which anything may keep."""
    acts = ("audience", "calls", "chat", "computers", "creation", "hints", "lessons", "lobby", "moves", "people")
    for name in (*acts, "rematches", "seats", "shuffle", "tables", "take_backs", "table_view"):
        assert way_to(("sqlalchemy", "infila.server.store"), f"infila.server.{name}") == [], name
