"""What keeps a server from starting is said in one sentence."""

import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from infila.server import command, schema
from infila.server.errors import CannotServe
from infila.server.identity import Signer, clean_name
from infila.server.settings import Settings
from infila.server.store import Store


def test_the_port_is_taken() -> None:
    first = command.listen("127.0.0.1", 0)
    port = first.getsockname()[1]
    with pytest.raises(CannotServe, match=f"port {port} is taken"):
        command.listen("127.0.0.1", port)
    first.close()
    with pytest.raises(CannotServe, match="from 0 to 65535"):
        command.listen("127.0.0.1", 99999)
    with pytest.raises(CannotServe, match="cannot listen at"):
        command.listen("no such host", 0)


def test_a_folder_serves_one_at_a_time_and_migrates_to_what_the_schema_says(tmp_path: Path) -> None:
    store = Store(Settings(data=str(tmp_path)))
    with pytest.raises(CannotServe, match="another infila uses"):
        Store(Settings(data=str(tmp_path)))
    with store.engine.connect() as connection:
        from alembic.autogenerate import compare_metadata
        from alembic.migration import MigrationContext

        assert compare_metadata(MigrationContext.configure(connection), schema.metadata) == []
    secret = store.secret
    store.close()
    again = Store(Settings(data=str(tmp_path)))
    assert again.secret == secret
    again.close()


def test_a_database_from_the_future_or_none_at_all(tmp_path: Path) -> None:
    Store(Settings(data=str(tmp_path))).close()
    with closing(sqlite3.connect(tmp_path / "infila.db")) as database:
        database.execute("UPDATE alembic_version SET version_num = '9999'")
        database.commit()
    with pytest.raises(CannotServe, match="written by a newer infila"):
        Store(Settings(data=str(tmp_path)))
    (tmp_path / "file").write_text("")
    with pytest.raises(CannotServe, match="cannot be written"):
        Store(Settings(data=str(tmp_path / "file")))
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "infila.db").write_text("this is no database, but it is long enough to be taken for one")
    with pytest.raises(CannotServe, match="cannot be written"):
        Store(Settings(data=str(tmp_path / "other")))
    with pytest.raises(CannotServe, match="is no database"):
        Store(Settings(data="nonsense://x"))


def test_a_database_that_may_only_be_read(tmp_path: Path) -> None:
    Store(Settings(data=str(tmp_path))).close()
    url = f"sqlite:///file:{tmp_path / 'infila.db'}?mode=ro&uri=true"
    with pytest.raises(CannotServe, match="cannot be written"):
        Store(Settings(data=url))


def test_the_command_says_it_and_ends_with_2(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    done = subprocess.run(
        [sys.executable, "-m", "infila", "serve", "--no-browser", "--port", "0", "--data", str(tmp_path / "file")],
        capture_output=True,
        text=True,
        env=os.environ,
        timeout=60,
    )
    assert done.returncode == 2 and done.stderr.startswith("infila: the folder") and done.stderr.count("\n") == 1


def test_signatures_are_for_one_purpose_and_one_person() -> None:
    signer = Signer("secret")
    assert signer.person_of_cookie(signer.cookie("anna")) == "anna"
    assert signer.person_of_token(signer.token("anna")) == "anna"
    link = signer.device_link("anna", 1000.0)
    assert signer.person_of_device_link(link, 2000.0) == "anna"
    assert signer.person_of_device_link(link, 1e6) is None
    assert signer.person_of_device_link(link.replace("anna", "bea"), 2000.0) is None
    signature = signer.cookie("anna").partition(".")[2]
    for forged in (f"bea.{signature}", "anna.", "anna", "", f"anna.{signature}x", "anna.é"):
        assert signer.person_of_cookie(forged) is None
    assert signer.person_of_token(f"infila_anna_{signature}") is None
    assert Signer("other").person_of_cookie(signer.cookie("anna")) is None


def test_names_are_one_visible_line() -> None:
    assert clean_name("  Anna\n\u202e | Maria ") == "Anna Maria"
    assert clean_name("\u200b") == "" and len(clean_name("x" * 99)) == 30
