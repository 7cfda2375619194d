"""What is given to others: one version everywhere, a wheel with everything in it, workflows that say what is meant."""

import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path
from typing import Any

import pytest

import infila

ROOT = Path(__file__).parents[1]
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
QUICK = '-m "not slow"'


def text_of(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def test_the_version_is_the_same_everywhere() -> None:
    assert "version" not in PROJECT["project"] and PROJECT["project"]["dynamic"] == ["version"]
    assert re.findall(r"^version: (.+)$", text_of("CITATION.cff"), re.MULTILINE) == [infila.__version__]
    newest, *released = re.findall(r"^## \[(.+?)\]", text_of("CHANGELOG.md"), re.MULTILINE)
    assert newest == "Unreleased" and released[0] == infila.__version__


def test_the_wheel_holds_every_file_of_the_package(tmp_path: Path) -> None:
    """Built from a copy, without isolation, as nothing can be downloaded here."""
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, tmp_path)
    shutil.copytree(ROOT / "infila", tmp_path / "infila", ignore=shutil.ignore_patterns("__pycache__"))
    build = "from setuptools.build_meta import build_wheel; build_wheel('wheel')"
    done = subprocess.run([sys.executable, "-c", build], cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    (wheel,) = (tmp_path / "wheel").glob("*.whl")
    assert wheel.name.startswith(f"infila-{infila.__version__}-")
    with zipfile.ZipFile(wheel) as inside:
        held = {name for name in inside.namelist() if name.startswith("infila/")}
    files = (tmp_path / "infila").rglob("*")
    assert held == {file.relative_to(tmp_path).as_posix() for file in files if file.is_file()}


def test_every_python_that_is_promised_is_tested() -> None:
    yaml = pytest.importorskip("yaml")
    tested = yaml.safe_load(text_of(".github/workflows/test.yml"))["jobs"]["test"]["strategy"]["matrix"]["python"]
    version = re.compile(r"Programming Language :: Python :: (3\.\d+)")
    assert tested == [found[1] for line in PROJECT["project"]["classifiers"] if (found := version.fullmatch(line))]
    assert PROJECT["project"]["requires-python"] == f">={tested[0]}"


def test_quick_means_the_same_with_and_without_make() -> None:
    assert QUICK in text_of("Makefile") and QUICK in text_of(".github/workflows/test.yml")


@pytest.mark.parametrize(
    "path",
    sorted([*(ROOT / ".github").rglob("*.yml"), *ROOT.glob(".*.yaml"), ROOT / "CITATION.cff"]),
    ids=lambda p: p.name,
)
def test_settings_can_be_read(path: Path) -> None:
    yaml = pytest.importorskip("yaml")
    assert isinstance(yaml.safe_load(path.read_text(encoding="utf-8")), dict)
