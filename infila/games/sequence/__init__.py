"""Sequence, by Doug Reuter (Jax, Goliath)."""

from infila.core.contract import Contract
from infila.games.sequence import notation, rules, scoring
from infila.games.sequence.options import SequenceOptions

CONTRACT = Contract(
    package=__name__,
    name="sequence",
    title="Sequence",
    examples="7S@b2, JC@e5, JSxe5, dead 7S or pass",
    rules=rules,
    options=SequenceOptions,
    notation=notation,
    scoring=scoring,
    home="vermilion",
    turn_rule="S6",
    needs_winner=True,
)
