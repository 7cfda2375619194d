"""Many players in a few teams: the seats under the heading of their team, and the next turns as a thread."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from infila.core.game import View
from infila.core.picture import Say, figures, use, width_of
from infila.web.html import TABLE_PARTS, macros

MANY = 7  # players, from whom on they are shown in their teams
KEPT = 500
HIGH, FIRST, STEP, SIGN = 30, 28, 26, 16  # of the thread: its height, the first sign, from sign to sign, the others
GAP = 11  # between figures


def in_teams(view: View) -> bool:
    """Whether the seats of a table are shown in teams: its game must say what these are."""
    return len(view.names) >= MANY and hasattr(view.contract.picture, "teams")


def teams_html(view: View, turn: int, say: Say) -> str:
    """The headings, and the next turns from `turn` on, if anybody is on turn; what both say is at the seats too."""
    picture: Any = view.contract.picture
    teams = picture.teams(view.states[0], say)
    sides = view.contract.options.read(view.states[0])
    count = len(view.names)
    order = [] if turn < 0 else [teams[sides.side((turn + i) % count)][0] for i in range(count)]
    return thread(tuple(order)) + "".join(_heading(i + 1, *team) for i, team in enumerate(teams))


@lru_cache(KEPT)
def _heading(number: int, sign: str, name: str, what: str, count: int) -> str:
    wide = sum(width_of(f"g-{digit}") + GAP for digit in str(count)) - GAP
    return str(macros(TABLE_PARTS).team(number, sign, name, what, figures(str(count), 0, 0, 100, "start"), wide))


@lru_cache(KEPT)
def thread(signs: Sequence[str]) -> str:
    """The signs of the next turns on a thread, the one on turn large."""
    if not signs:
        return ""
    wide = FIRST + STEP * (len(signs) - 1)
    drawn = [use(signs[0], 0, (HIGH - FIRST) / 2, FIRST, FIRST)]
    drawn += [
        use(sign, FIRST + STEP * i + STEP - SIGN, (HIGH - SIGN) / 2, SIGN, SIGN) for i, sign in enumerate(signs[1:])
    ]
    between = "".join(f"M{FIRST + STEP * i} {HIGH // 2}h{STEP - SIGN}" for i in range(len(signs) - 1))
    box = f'viewBox="0 0 {wide} {HIGH}"'
    return f'<svg class="turns" {box} aria-hidden="true"><path d="{between}"/>{"".join(drawn)}</svg>'
