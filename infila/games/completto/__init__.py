"""Completto, by Heinz Meister."""

from infila.core.contract import Contract
from infila.games.completto import notation, rules, scoring
from infila.games.completto.options import ComplettoOptions

CONTRACT = Contract(
    package=__name__,
    name="completto",
    title="Completto",
    examples="draw, take 89, 68@12 or 5>14",
    rules=rules,
    options=ComplettoOptions,
    notation=notation,
    scoring=scoring,
    home="teal",
    turn_rule="C3",
)
