"""What hints say, in every language."""

import re

import pytest

from infila.core.games import NAMES, contract_of


@pytest.mark.parametrize("name", NAMES)
def test_no_wrong_italian_article_stands_before_a_number(name: str) -> None:
    """Before 8, 11 and 80 to 89 it is l’, before the others il."""
    for words in contract_of(name).words("it").values():
        for key, text in words.items():
            gaps = re.findall(r"{(\w+)", text)
            for number, wrong in ((81, "il|al|dal|del|nel|sul|col"), (42, "l|all|dall|dell|nell|sull|coll")):
                said = text.format(**dict.fromkeys(gaps, number))
                assert not re.search(rf"\b({wrong})[ ’]{number}\b", said, re.IGNORECASE), (key, said)
