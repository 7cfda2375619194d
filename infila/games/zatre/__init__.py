"""Zatre, by Manfred Schüling."""

from infila.core.contract import Contract
from infila.games.zatre import notation, rules, scoring
from infila.games.zatre.options import ZatreOptions

CONTRACT = Contract(
    package=__name__,
    name="zatre",
    title="Zatre",
    examples="5@h8, draw or stop",
    rules=rules,
    options=ZatreOptions,
    notation=notation,
    scoring=scoring,
    turn_rule="Z5",
)
