"""Seeds of real games: promised before the deal, revealed at the end, mixed with words (docs/reference/chance.md).

Words are whatever a seat mixes in. At a table they are random digits from that seat's browser, which has committed to
them before anybody opened theirs.
"""

import hashlib
import secrets
from collections.abc import Sequence

from infila.core.errors import InfilaError

LONGEST = 200
MOST_ATTEMPTS = 5  # at a shuffle: how often all may commit anew because somebody has broken it off


def new_seed() -> str:
    """128 bits that nobody can guess."""
    return secrets.token_hex(16)


def checked(text: object, what: str) -> str:
    """A seed or words as one line of text."""
    if isinstance(text, bool) or not isinstance(text, (str, int)):
        raise InfilaError("{what} must be a number or a text, not {text!r}.", what=what, text=text)
    line = str(text).strip()
    if len(line) > LONGEST or not line.isprintable():
        raise InfilaError("{what} must be one line of at most {most} printable characters.", what=what, most=LONGEST)
    return line


def commitment(seed: str) -> str:
    return hashlib.sha256(seed.encode()).hexdigest()


def words_commitment(words: str, attempt: int) -> str:
    """What a seat makes known of its words before the deal. The number of the attempt is in it, so that nobody can say
    later that there were fewer."""
    return hashlib.sha256(f"infila words {attempt}\n{words}\n".encode()).hexdigest()


def key_of(seed: str, words: Sequence[str]) -> tuple[int, int]:
    text = f"infila 1\n{seed}\n"
    if any(words):
        text += "".join(f"{word}\n" for word in words)
    digest = hashlib.sha256(text.encode()).digest()
    return int.from_bytes(digest[:8], "little"), int.from_bytes(digest[8:16], "little")
