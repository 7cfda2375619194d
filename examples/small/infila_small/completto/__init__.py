"""Completto with six tiles."""

from infila.core.contract import Contract
from infila_small.completto import notation, rules, scoring
from infila_small.options import SmallOptions

CONTRACT = Contract(
    package=__name__,
    name="small_completto",
    title="Small Completto",
    examples="draw, take 4, left, right or aside",
    rules=rules,
    options=SmallOptions,
    notation=notation,
    scoring=scoring,
    turn_rule="C2",
    needs_winner=True,
)
