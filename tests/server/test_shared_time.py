"""All servers of a database have its time, whatever their machines' clocks say."""

import time
from pathlib import Path

import pytest

from infila.server.settings import Settings
from infila.server.shared_time import SharedTime
from infila.server.store import Store
from tests.server.database import data_for
from tests.server.postgres import installed, needed, postgresql

__all__ = ["installed", "postgresql"]
pytestmark = needed
FAR = 7200.0


def test_it_follows_only_as_far_as_it_must() -> None:
    now = SharedTime()
    off = now() - time.monotonic()
    now.heard(off + 10.0, 9.0, 11.0)  # it fits
    assert now() - time.monotonic() == pytest.approx(off, abs=0.01)
    now.heard(off + 10.0 + FAR, 9.0, 11.0)  # it does not: the nearest that does
    assert now() - time.monotonic() == pytest.approx(off + FAR - 1.0, abs=0.01)
    now.heard(off + 10.0, 9.5, 10.5)
    assert now() - time.monotonic() == pytest.approx(off + 0.5, abs=0.01)


def test_a_clock_that_jumps_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = time.time
    with monkeypatch.context() as wrong:
        wrong.setattr(time, "time", lambda: real() + FAR)
        settings = Settings(data=data_for(tmp_path), now=time.time)
        store = Store(settings)
    try:
        assert store.now() == pytest.approx(real(), abs=5.0)
    finally:
        store.close()
