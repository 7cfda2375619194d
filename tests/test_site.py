"""The site: every page is built without a warning, shows nothing from elsewhere, and its links lead somewhere."""

import importlib.util
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PAGES = sorted(DOCS.rglob("*.md"))
NAMING = {".py", ".toml", ".yml", ".md"}  # files that may name a page
NOTEBOOK = '"""For readers of the file."""\n\n# %% [markdown]\n# # A small notebook\n#\n# Words.\n\n# %%\nprint(1)\n'


def module(name: str) -> ModuleType:
    found = importlib.util.spec_from_file_location(name, DOCS / f"{name}.py")
    assert found is not None and found.loader is not None
    loaded = importlib.util.module_from_spec(found)
    found.loader.exec_module(loaded)
    return loaded


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built from a copy of the pages with one notebook more, which is not executed."""
    home = tmp_path_factory.mktemp("site")
    shutil.copytree(DOCS, home / "docs", ignore=shutil.ignore_patterns("__pycache__"))
    for shown in ("infila", "examples", "ARCHITECTURE.md"):
        (home / shown).symlink_to(ROOT / shown)
    (home / "docs" / "tutorials" / "notebooks" / "a_small_one.py").write_text(NOTEBOOK, encoding="utf-8")
    command = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-n", "-q", "-d", "trees", "docs", "built"]
    done = subprocess.run(command, cwd=home, env=dict(os.environ), capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return home / "built"


def test_every_page_is_there(site: Path) -> None:
    for page in PAGES:
        assert (site / page.relative_to(DOCS)).with_suffix(".html").is_file(), page


def test_notebooks_are_pages_in_the_contents(site: Path) -> None:
    text = (site / "tutorials" / "notebooks" / "a_small_one.html").read_text(encoding="utf-8")
    assert "<p>Words.</p>" in text and "For readers" not in text
    assert "tutorials/notebooks/a_small_one.html" in (site / "index.html").read_text(encoding="utf-8")


def test_the_reference_shows_rules_with_their_words_and_signatures(site: Path) -> None:
    text = (site / "reference" / "authors.html").read_text(encoding="utf-8")
    text = re.sub(r"<[^>]+>", "", text[text.index('id="infila.core.chance.shuffle"') :])
    assert re.match(r".*shuffle\(s: Chance, items: Row\[int\], n: int\)[^(]*Shuffle the first n items", text, re.DOTALL)


def test_rules_have_their_pictures_and_options(site: Path) -> None:
    for page in (DOCS / "reference" / "rules").glob("*.md"):
        text = (site / "reference" / "rules" / f"{page.stem}.html").read_text(encoding="utf-8")
        assert "<figcaption>" in text and 'class="rn" id="' in text and "how many play" in text, page.stem


def test_nothing_is_loaded_from_elsewhere(site: Path) -> None:
    for page in site.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        assert not re.search(r'<(?:script|img|iframe)[^>]* src="(?:https?:)?//', text), page
        assert not re.search(
            r'<link[^>]* rel="(?:stylesheet|preload|icon|prefetch)"[^>]* href="(?:https?:)?//', text
        ), page


@pytest.mark.parametrize("page", [*sorted(ROOT.glob("*.md")), *PAGES], ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_to_files_of_the_repository(page: Path) -> None:
    links = re.findall(
        r"\]\(([^)#\s]+)[^)]*\)", re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    )
    for link in links:
        assert link.startswith("http") or (page.parent / link).exists(), link


@pytest.mark.parametrize("page", [*sorted(ROOT.glob("*.md")), *PAGES], ids=lambda page: str(page.relative_to(ROOT)))
def test_prose_is_at_most_120_characters_wide(page: Path) -> None:
    prose = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
    assert [line for line in prose.split("\n") if len(line) > 120 and not line.startswith("|")] == []


def test_pages_that_the_code_names_are_there() -> None:
    folders = ("infila", "tests", "bench", "examples", ".github")
    for file in (found for folder in folders for found in (ROOT / folder).rglob("*") if found.suffix in NAMING):
        for page in re.findall(r"\bdocs/[\w/-]+\.(?:md|rst|py|svg)\b", file.read_text(encoding="utf-8")):
            assert (ROOT / page).is_file(), f"{file.relative_to(ROOT)}: {page}"


def test_the_example_is_shown_whole() -> None:
    text = (DOCS / "tutorials" / "connect_four.rst").read_text(encoding="utf-8")
    for file in (ROOT / "examples" / "connect_four").rglob("*.py"):
        if "build" not in file.parts:
            assert file.relative_to(ROOT).as_posix() in text, file


def test_patterns_without_a_page_leave_the_contents(tmp_path: Path) -> None:
    without_empty_patterns = module("pages").without_empty_patterns
    assert without_empty_patterns("batch\nnotebooks/*\nlog\n", tmp_path) == "batch\nlog\n"
    (tmp_path / "notebooks").mkdir()
    (tmp_path / "notebooks" / "one.py").touch()
    assert without_empty_patterns("batch\nnotebooks/*\nlog\n", tmp_path) == "batch\nnotebooks/*\nlog\n"


def test_notebooks_keep_their_cells() -> None:
    notebook = module("pages").notebook
    assert notebook("# ---\n# jupyter: {}\n# ---\n\n# %%\na = 1\n\n\ndef f():\n    # %% no cell\n    return a\n") == (
        "```python\na = 1\n\n\ndef f():\n    # %% no cell\n    return a\n```\n"
    )
    assert notebook("import infila\n# %% [markdown]\n# - one\n#   - two\n#\n# end\n") == (
        "```python\nimport infila\n```\n\n- one\n  - two\n\nend\n"
    )
