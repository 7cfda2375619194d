"""A session: a browser or a program in which somebody is themselves (`sessions`)."""

from dataclasses import dataclass

BROWSER, PROGRAM = "browser", "program"
DAY = 86400
BROWSER_SECONDS = 400 * DAY  # the longest that browsers keep a cookie
PROGRAM_SECONDS = 365 * DAY


@dataclass(slots=True, eq=False)
class Session:
    id: str  # empty: all browsers, or programs, of the person from before there were sessions
    person: str
    kind: str
    label: str  # of a browser as `user_agents` has it, of a program its name
    created: float
    seen: float  # the first time on the latest day
    expires: float
    ended: bool = False
