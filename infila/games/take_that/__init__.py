"""Take That, by Andreas Spies and Reinhard Staupe."""

from infila.core.contract import Contract
from infila.games.take_that import notation, rules, scoring
from infila.games.take_that.options import TakeThatOptions

CONTRACT = Contract(
    package=__name__,
    name="take_that",
    title="Take That",
    examples="34, 94x49 or take",
    rules=rules,
    options=TakeThatOptions,
    notation=notation,
    scoring=scoring,
    home="ochre",
    turn_rule="T2",
)
