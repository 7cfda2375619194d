"""Nobody at a table waits for the compiler: with the games' modules nothing is compiled there, whatever people do."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.play import GAMES

pytestmark = [pytest.mark.slow, pytest.mark.long]


def test_nothing_is_compiled_while_games_are_played_at_tables(tmp_path: Path) -> None:
    """Whole games with hints, touches in vain, ends and replays, in a process with an empty cache."""
    cache = tmp_path / "cache"
    done = subprocess.run(
        [sys.executable, "-m", "tests.wasm.at_tables", str(tmp_path), *GAMES],
        env=os.environ | {"XDG_CACHE_HOME": str(cache)},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    found = json.loads(done.stdout.splitlines()[-1])
    assert found["compiled"] == []
    assert found["finished"] == len(GAMES)
    assert [file for file in cache.rglob("*") if file.is_file()] == []
