"""Who decides in a batch besides levels and tables: functions and agents that take observations and masks of many games
at once.
"""

import inspect
from collections.abc import Callable
from typing import Any

from infila.core.errors import InfilaError

Decide = Callable[[Any, Any], Any]  # an action for each row of observations and masks


def by_observations(game: str, by: Any) -> Decide | None:
    """How somebody decides by observations and masks; None if it is a level or a table, which do not need them."""
    from infila.agents import Guest, Policy, is_agent, seated

    if isinstance(by, str):
        if not is_agent(by):
            return None
        by = seated(game, by)
    agent: Any = by.agent if isinstance(by, Guest) else by
    if isinstance(agent, Policy) and not isinstance(agent, type):
        return agent.act
    if isinstance(by, Guest) or (callable(agent) and not _takes_two(agent)):
        name = getattr(by, "name", None) or getattr(by, "__name__", None) or type(by).__name__
        raise InfilaError(
            f"{name} decides by views, in one game at a time. Many games at once are decided by a function of "
            "observations and masks, or by an object with a method act(observations, masks)."
        )
    found: Decide | None = agent if callable(agent) else None
    return found


def _takes_two(function: Any) -> bool:
    """Whether it can be called with two arguments, as far as that can be known."""
    try:
        inspect.signature(function).bind(None, None)
    except TypeError:
        return False
    except ValueError:  # something that is not written in Python
        return True
    return True
