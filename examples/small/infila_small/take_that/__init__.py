"""Take That with twelve cards."""

from infila.core.contract import Contract
from infila_small.options import SmallOptions
from infila_small.take_that import notation, rules, scoring

CONTRACT = Contract(
    package=__name__,
    name="small_take_that",
    title="Small Take That",
    examples="34, 34x43 or take",
    rules=rules,
    options=SmallOptions,
    notation=notation,
    scoring=scoring,
    turn_rule="T3",
)
