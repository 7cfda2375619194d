"""Who somebody is. There are no accounts: a signed cookie is a person's browser, a signed token is their program.

Cookies and tokens name a session (`sessions`), whose id is no secret and no key; only the signature over it, made with
the database's secret, is. Each kind of signature has its own purpose, so that a token is no cookie. Before there were
sessions they named the person; such ones are still understood.
"""

import hashlib
import hmac
import secrets
from functools import lru_cache
from typing import Annotated

import msgspec

from infila.server.limits import LONGEST_NAME

Name = Annotated[str, msgspec.Meta(max_length=LONGEST_NAME)]  # as somebody sends it

ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"  # nothing that looks like something else
COOKIE = "infila"
TOKEN_PREFIX = "infila_"
LONGEST_SIGNED = 32  # characters
MOST_KNOWN = 20_000  # signatures that are kept in memory


def new_id(length: int = 12) -> str:
    """Short enough to read out, too long to guess (59 bits)."""
    return "".join(secrets.choice(ALPHABET) for _ in range(length))


def id_after(text: str, length: int = 12) -> str:
    """An id that follows from a text, for what must not be made twice."""
    number = int.from_bytes(hashlib.sha256(text.encode()).digest())
    return "".join(ALPHABET[number // len(ALPHABET) ** place % len(ALPHABET)] for place in range(length))


def clean_name(text: str) -> str:
    """A name as it is shown: one line, nothing invisible, no bar, which separates names in a log; may be empty.
    What is too long, as names in a log from elsewhere may be, is cut."""
    line = " ".join("".join(c if c.isprintable() else " " for c in text.replace("|", " ")).split())
    return line[:LONGEST_NAME].strip()


class Signer:
    def __init__(self, secret: str) -> None:
        def sign(purpose: str, text: str) -> str:
            return hmac.digest(secret.encode(), f"{purpose}\n{text}".encode(), "sha256").hex()[:40]

        # Computing one lets other threads run, and who answers would wait for them at every request.
        self._sign = lru_cache(MOST_KNOWN)(sign)

    def _signed(self, purpose: str, text: str, signature: str) -> str | None:
        """What was signed, if it was."""
        if len(text) > LONGEST_SIGNED:
            return None
        right = hmac.compare_digest(self._sign(purpose, text).encode(), signature.encode())
        return text if right else None

    def cookie(self, session: str) -> str:
        return f"{session}.{self._sign('browser', session)}"

    def session_of_cookie(self, cookie: str) -> str | None:
        session, _, signature = cookie.partition(".")
        return self._signed("browser", session, signature)

    def token(self, session: str) -> str:
        """For a program that plays over the API."""
        return f"{TOKEN_PREFIX}{session}_{self._sign('program', session)}"

    def session_of_token(self, token: str) -> str | None:
        session, _, signature = token.removeprefix(TOKEN_PREFIX).partition("_")
        return self._signed("program", session, signature)

    def server(self, server: str) -> str:
        """By which a server knows that another one of the same database asks."""
        return self._sign("server", server)

    def is_server(self, me: str, signature: str) -> bool:
        return self._signed("server", me, signature) is not None

    def person_of_cookie(self, cookie: str) -> str | None:
        """The person whom a cookie names that is older than all sessions."""
        person, _, signature = cookie.partition(".")
        return self._signed("cookie", person, signature)

    def person_of_token(self, token: str) -> str | None:
        """The person whom a token names that is older than all sessions."""
        person, _, signature = token.removeprefix(TOKEN_PREFIX).partition("_")
        return self._signed("token", person, signature)
