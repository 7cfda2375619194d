"""Connect Four, an old game that many have played: four discs in a row."""

from infila.core.contract import Contract
from infila_connect_four import notation, rules, scoring
from infila_connect_four.options import ConnectFourOptions

CONTRACT = Contract(
    package=__name__,
    name="connect_four",
    title="Connect Four",
    examples="a, d or g",
    rules=rules,
    options=ConnectFourOptions,
    notation=notation,
    scoring=scoring,
    turn_rule="C2",
    needs_winner=True,
)
