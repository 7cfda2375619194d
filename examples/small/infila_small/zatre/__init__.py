"""Zatre on five cells."""

from infila.core.contract import Contract
from infila_small.options import SmallOptions
from infila_small.zatre import notation, rules, scoring

CONTRACT = Contract(
    package=__name__,
    name="small_zatre",
    title="Small Zatre",
    examples="5@b3 or pass",
    rules=rules,
    options=SmallOptions,
    notation=notation,
    scoring=scoring,
    turn_rule="Z2",
)
