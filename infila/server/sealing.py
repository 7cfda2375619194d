"""What the database holds but must not tell: the seeds of games, contributions to shuffles, the secret that signs.

The key is in a file of its own, beside the database or wherever `--secret` says, so a copy or a dump of the database
alone tells nobody the cards to come. A sealed text is its nonce, the text under a stream of HMAC-SHA-256 in counter
mode, and a tag over both under a second key; one that was changed, or sealed with another key, is not opened.

>>> from infila.server.sealing import Seal
>>> seal = Seal(bytes(32))
>>> seal.opened(seal.sealed("1234"))
'1234'
"""

import hmac
import os
import re
import secrets
from base64 import urlsafe_b64decode, urlsafe_b64encode
from hashlib import sha256
from pathlib import Path

import msgspec

from infila.server.errors import CannotServe

MARK = "sealed:"
NONCE, TAG, KEY = 16, 32, 32  # bytes


class Seal:
    def __init__(self, key: bytes) -> None:
        self._stream = hmac.digest(key, b"infila stream", "sha256")
        self._tag = hmac.digest(key, b"infila tag", "sha256")
        self.name = hmac.digest(key, b"infila name", "sha256").hex()[:16]  # tells keys apart, and nothing of them

    def sealed(self, text: str) -> str:
        nonce = secrets.token_bytes(NONCE)
        hidden = self._mixed(nonce, text.encode())
        return MARK + urlsafe_b64encode(nonce + hidden + self._tagged(nonce + hidden)).decode()

    def opened(self, text: str) -> str:
        """A text that was sealed; one that never was, as in older databases, is as it is."""
        if not text.startswith(MARK):
            return text
        whole = urlsafe_b64decode(text.removeprefix(MARK))
        body, tag = whole[:-TAG], whole[-TAG:]
        if not hmac.compare_digest(self._tagged(body), tag):
            raise ValueError("this was sealed with another secret, or changed since.")
        return self._mixed(body[:NONCE], body[NONCE:]).decode()

    def _tagged(self, body: bytes) -> bytes:
        return hmac.digest(self._tag, body, "sha256")

    def _mixed(self, nonce: bytes, text: bytes) -> bytes:
        size = sha256().digest_size
        stream = b"".join(
            hmac.digest(self._stream, nonce + block.to_bytes(8, "big"), "sha256")
            for block in range(-(-len(text) // size))
        )
        return bytes(a ^ b for a, b in zip(text, stream, strict=False))


def with_sealed_seed(header: str, seal: Seal) -> str:
    """The header of a table as it is stored: JSON, its seed sealed."""
    fields = msgspec.json.decode(header)
    if fields.get("seed") and not fields["seed"].startswith(MARK):
        fields["seed"] = seal.sealed(fields["seed"])
    return msgspec.json.encode(fields).decode()


def with_open_seed(header: str, seal: Seal) -> str:
    """The header of a table as it was before it was stored."""
    fields = msgspec.json.decode(header)
    if fields.get("seed"):
        fields["seed"] = seal.opened(fields["seed"])
    return msgspec.json.encode(fields).decode()


def seal_in(file: Path) -> Seal:
    """The seal whose key is in a file; a new one if there is none yet."""
    try:
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        try:
            made = os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
        except FileExistsError:
            file.chmod(0o600)
        else:
            with os.fdopen(made, "w") as out:
                out.write(secrets.token_hex(KEY) + "\n")
                out.flush()
                os.fsync(out.fileno())
        text = file.read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError) as problem:
        reason = getattr(problem, "strerror", None) or "it is no text"
        raise CannotServe(
            f"the secret in {file} cannot be read or written: {reason}. Give another file with --secret."
        ) from None
    if not re.fullmatch(f"[0-9a-f]{{{2 * KEY}}}", text):
        raise CannotServe(f"{file} holds no secret: that is one line of {2 * KEY} hexadecimal digits.")
    return Seal(bytes.fromhex(text))
