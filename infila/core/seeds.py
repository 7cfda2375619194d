"""Seeds of real games: promised before the deal, revealed at the end, mixed with words (docs/reference/chance.md)."""

import hashlib
import secrets
from collections.abc import Sequence

from infila.core.errors import InfilaError

LONGEST = 200


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


def key_of(seed: str, words: Sequence[str]) -> tuple[int, int]:
    text = f"infila 1\n{seed}\n"
    if any(words):
        text += "".join(f"{word}\n" for word in words)
    digest = hashlib.sha256(text.encode()).digest()
    return int.from_bytes(digest[:8], "little"), int.from_bytes(digest[8:16], "little")
