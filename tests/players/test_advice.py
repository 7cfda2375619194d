"""What hints say, in every language."""

import re

import pytest

from infila.core.games import NAMES, contract_of


@pytest.mark.parametrize("name", NAMES)
def test_no_italian_article_stands_before_a_number(name: str) -> None:
    """Before 8, 11 and 80 to 89 it would be l', before the others il."""
    for words in contract_of(name).words("it").values():
        for key, text in words.items():
            assert not re.search(
                r"\b(il|al|dal|del|nel|sul|col) \{(card|number|tile|other|neighbour|target)\}", text
            ), key
