"""Who somebody is. There are no accounts: a signed cookie is the person, a signed token is a program.

A person's id is no secret and no key; only the signature over it, made with the database's secret, is. Each kind of
signature has its own purpose, so that a token is no cookie and a link to another device is no token.
"""

import hmac
import secrets

from infila.server.limits import LONGEST_NAME

ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"  # nothing that looks like something else
COOKIE = "infila"
COOKIE_AGE = 400 * 86400  # the longest that browsers keep one
TOKEN_PREFIX = "infila_"
DEVICE_SECONDS = 86400


def new_id(length: int = 12) -> str:
    """Short enough to read out, too long to guess (59 bits)."""
    return "".join(secrets.choice(ALPHABET) for _ in range(length))


def clean_name(text: str) -> str:
    """A name as it is shown: one line, nothing invisible, no bar, which separates names in a log; may be empty.
    What is too long, as names in a log from elsewhere may be, is cut."""
    line = " ".join("".join(c if c.isprintable() else " " for c in text.replace("|", " ")).split())
    return line[:LONGEST_NAME].strip()


class Signer:
    def __init__(self, secret: str) -> None:
        self._secret = secret.encode()

    def _sign(self, purpose: str, text: str) -> str:
        return hmac.digest(self._secret, f"{purpose}\n{text}".encode(), "sha256").hex()[:40]

    def _check(self, purpose: str, text: str, signature: str) -> bool:
        return hmac.compare_digest(self._sign(purpose, text).encode(), signature.encode())

    def cookie(self, person: str) -> str:
        return f"{person}.{self._sign('cookie', person)}"

    def person_of_cookie(self, cookie: str) -> str | None:
        person, _, signature = cookie.partition(".")
        return person if self._check("cookie", person, signature) else None

    def token(self, person: str) -> str:
        """For a program that plays as this person over the API."""
        return f"{TOKEN_PREFIX}{person}_{self._sign('token', person)}"

    def person_of_token(self, token: str) -> str | None:
        person, _, signature = token.removeprefix(TOKEN_PREFIX).partition("_")
        return person if self._check("token", person, signature) else None

    def device_link(self, person: str, now: float) -> str:
        """What makes another device the same person, for a day."""
        until = int(now) + DEVICE_SECONDS
        return f"{person}.{until}.{self._sign('device', f'{person}.{until}')}"

    def person_of_device_link(self, link: str, now: float) -> str | None:
        text, _, signature = link.rpartition(".")
        person, _, until = text.partition(".")
        if not self._check("device", text, signature) or not until.isdigit() or int(until) < now:
            return None
        return person
