"""Nothing is lost when a tab dies; `python -m tests.site.kills` does the same more often."""

import pytest

from tests.site.built import chromium, site
from tests.site.kills import Kills


@pytest.mark.slow
@pytest.mark.long
def test_every_move_that_was_shown_is_there_when_a_tab_has_died() -> None:
    with site() as address, chromium() as browser:
        kills = Kills(browser, address)
        kills.run(5)
        assert kills.checked > 0
