"""What keeps a server from starting is said in one sentence; what takes long is done before anybody comes."""

import gc
import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from infila.core.words import LANGUAGES
from infila.server import command, schema
from infila.server.errors import CannotServe
from infila.server.identity import Signer, clean_name
from infila.server.pages.warming import warm
from infila.server.settings import Settings
from infila.server.store import Store
from infila.web.html import templates
from infila.web.rulebook import rules_html
from tests.server.database import data_for


@pytest.mark.skipif(sys.platform == "win32", reason="Windows lets two servers have one port where the first reuses it")
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


@pytest.mark.skipif(sys.platform == "win32", reason="nothing keeps a second server out of a folder on Windows")
def test_a_database_serves_one_at_a_time_and_migrates_to_what_the_schema_says(tmp_path: Path) -> None:
    wanted = Settings(data=data_for(tmp_path))
    store = Store(wanted)
    if wanted.in_folder:  # of PostgreSQL there may be several: see test_several
        with pytest.raises(CannotServe, match="another infila uses"):
            Store(wanted)
    with store.engine.connect() as connection:
        from alembic.autogenerate import compare_metadata
        from alembic.migration import MigrationContext

        assert compare_metadata(MigrationContext.configure(connection), schema.metadata) == []
    secret = store.secret
    store.close()
    again = Store(wanted)
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


def command_says(*arguments: str) -> str:
    """What a whole process says when it cannot serve: one sentence, and exit code 2."""
    command = [sys.executable, "-m", "infila", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, env=os.environ, timeout=60)
    assert done.returncode == 2, done.stderr
    assert done.stdout == "" and done.stderr.startswith("infila: ") and done.stderr.count("\n") == 1
    return done.stderr


@pytest.mark.slow
def test_the_command_says_it_and_ends_with_2(tmp_path: Path) -> None:
    serve = ("serve", "--no-browser", "--port", "0", "--data")
    (tmp_path / "file").write_text("")
    assert "the folder" in command_says(*serve, str(tmp_path / "file"))
    assert "is no site" in command_says(*serve, str(tmp_path / "data"), "--site", str(tmp_path))
    Store(Settings(data=str(tmp_path))).close()
    url = f"sqlite:///file:{tmp_path / 'infila.db'}?mode=ro&uri=true"
    assert "attempt to write a readonly database" in command_says(*serve, url)
    with closing(sqlite3.connect(tmp_path / "infila.db")) as database:
        database.execute("UPDATE alembic_version SET version_num = '9999'")
        database.commit()
    assert "written by a newer infila" in command_says(*serve, str(tmp_path))
    taken = command.listen("127.0.0.1", 0)
    port = str(taken.getsockname()[1])
    assert f"port {port} is taken" in command_says("serve", "--port", port)
    taken.close()


def test_passwords_are_not_shown() -> None:
    wanted = Settings(data="postgresql://anna:secret@localhost/infila")
    assert wanted.url == "postgresql+psycopg://anna:secret@localhost/infila"
    assert wanted.where == "postgresql://localhost/infila"


def test_signatures_are_for_one_purpose_and_one_person() -> None:
    signer = Signer("secret")
    assert signer.session_of_cookie(signer.cookie("anna")) == "anna"
    assert signer.session_of_token(signer.token("anna")) == "anna"
    signature = signer.cookie("anna").partition(".")[2]
    for forged in (f"bea.{signature}", "anna.", "anna", "", f"anna.{signature}x", "anna.é"):
        assert signer.session_of_cookie(forged) is None
    assert signer.session_of_token(f"infila_anna_{signature}") is None
    assert Signer("other").session_of_cookie(signer.cookie("anna")) is None
    assert signer.person_of_cookie(signer.cookie("anna")) is None, "a session is no person"
    assert signer.person_of_token(signer.token("anna")) is None


def test_names_are_one_visible_line() -> None:
    assert clean_name("  Anna\n\u202e | Maria ") == "Anna Maria"
    assert clean_name("\u200b") == "" and len(clean_name("x" * 99)) == 30


def test_garbage_is_looked_for_in_small_portions() -> None:
    """Whoever answers stands still meanwhile: about a millisecond for a thousand things."""
    before, portions = gc.get_threshold(), []

    def look(phase: str, info: dict[str, int]) -> None:
        if phase == "start":
            portions.append((info["generation"], sum(len(gc.get_objects(i)) for i in range(info["generation"] + 1))))

    command.spare_the_collector()
    gc.callbacks.append(look)
    try:
        kept = [[number] for number in range(100_000)]
    finally:
        gc.callbacks.remove(look)
        gc.set_threshold(*before)
        gc.unfreeze()
    assert len(kept) == 100_000
    assert len(portions) > 50
    assert max(portions) < (2, 0)  # never all of it
    assert max(things for _generation, things in portions) < 20_000


def test_what_the_first_visitor_would_wait_for_is_made_before() -> None:
    """Templates are compiled and rules drawn in the background, not while everybody waits for one reader's page."""
    warm({"take_that"}.__contains__)
    made, drawn = templates.cache, rules_html.cache_info()
    assert made is not None and {name for _loader, name in made} >= set(templates.list_templates())
    for language in LANGUAGES:
        rules_html("take_that", language)
    assert rules_html.cache_info().misses == drawn.misses
