"""Compiled code is run as it is found: a cache that others could have written is not used."""

import os
import stat
import tempfile
from pathlib import Path

import pytest

from infila.core import rule

pytestmark = pytest.mark.skipif(not hasattr(os, "geteuid"), reason="there are no owners and modes here")


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def found(home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(home))
    monkeypatch.setattr(tempfile, "tempdir", str(home / "temporary"))
    (home / "temporary").mkdir(parents=True, exist_ok=True)
    return rule._cache_folder()


def test_a_new_cache_is_private_whatever_the_umask(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = os.umask(0)
    try:
        folder = found(tmp_path, monkeypatch)
    finally:
        os.umask(before)
    assert folder.parent == tmp_path / "infila"
    assert mode_of(folder) == mode_of(folder.parent) == 0o700
    assert found(tmp_path, monkeypatch) == folder, "it is used again"


def test_what_others_could_write_is_thrown_away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = found(tmp_path, monkeypatch)
    (folder / "kept").touch()
    assert (found(tmp_path, monkeypatch) / "kept").exists()
    (folder / "poison").touch()
    folder.chmod(0o777)
    again = found(tmp_path, monkeypatch)
    assert again == folder and mode_of(again) == 0o700 and not list(again.iterdir())


def test_an_open_base_is_closed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    base = tmp_path / "infila"
    base.mkdir()
    base.chmod(0o777)
    assert found(tmp_path, monkeypatch).parent == base
    assert mode_of(base) == 0o700


@pytest.mark.parametrize("whose", ["base", "folder"])
def test_a_folder_of_somebody_else_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, whose: str) -> None:
    usual = found(tmp_path, monkeypatch)
    theirs = usual if whose == "folder" else usual.parent
    real = Path.stat

    def as_if(path: Path, **options: bool) -> os.stat_result:
        result = real(path, **options)
        if path == theirs:
            return os.stat_result([*result[:4], os.geteuid() + 1, *result[5:10]])
        return result

    monkeypatch.setattr(Path, "stat", as_if)
    folder = found(tmp_path, monkeypatch)
    assert folder.is_relative_to(tmp_path / "temporary") and mode_of(folder) == 0o700


def test_a_link_to_elsewhere_is_not_followed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usual = found(tmp_path, monkeypatch)
    usual.rmdir()
    (tmp_path / "elsewhere").mkdir()
    usual.symlink_to(tmp_path / "elsewhere")
    assert found(tmp_path, monkeypatch).is_relative_to(tmp_path / "temporary")
