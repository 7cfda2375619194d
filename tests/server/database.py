"""Where a test keeps its tables: in its folder, or in PostgreSQL if INFILA_TEST_DATABASE says where that is."""

import hashlib
import os
import tempfile
from pathlib import Path

from sqlalchemy import create_engine, text


def data_for(folder: Path) -> str:
    """`Settings.data` for a folder of a test; each folder has a schema of its own in PostgreSQL."""
    url = os.environ.get("INFILA_TEST_DATABASE")
    if not url:
        return str(folder)
    schema = "test_" + hashlib.blake2b(str(folder).encode(), digest_size=8).hexdigest()
    engine = create_engine(url)
    with engine.begin() as connection:
        connection.execute(text(f"CREATE SCHEMA IF NOT EXISTS {schema}"))
    engine.dispose()
    os.environ["XDG_DATA_HOME"] = tempfile.gettempdir()  # where the secret is: nobody's own
    return f"{url}{'&' if '?' in url else '?'}options=-csearch_path%3D{schema}"
