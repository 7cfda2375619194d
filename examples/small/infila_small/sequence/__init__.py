"""Sequence on a board of 5 × 5."""

from infila.core.contract import Contract
from infila_small.options import SmallOptions
from infila_small.sequence import notation, rules, scoring

CONTRACT = Contract(
    package=__name__,
    name="small_sequence",
    title="Small Sequence",
    examples="a1 or e5",
    rules=rules,
    options=SmallOptions,
    notation=notation,
    scoring=scoring,
    turn_rule="S3",
)
