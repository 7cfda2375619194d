"""A package's words, `texts/*.toml`, by language, table and key; and what is said with them."""

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, reduce
from importlib import resources
from typing import Any

CORE = "infila.core"
LANGUAGES = ("it", "en", "de")  #: that infila speaks; a new one is added here, and its texts beside the others

# Articles that change before a number that begins with a vowel sound: "an 11", "all’87". By language: those numbers,
# then the articles as texts have them before a gap, and what replaces them.
ARTICLES = {
    "en": (r"(8\d?|11|18)(?!\d)", {"a": "an ", "A": "An "}),
    "it": (
        r"(8\d?|1|11)(?!\d)",
        {"il": "l’", "Il": "L’", "al": "all’", "dal": "dall’", "del": "dell’", "nel": "nell’", "sul": "sull’"},
    ),
}


class Sentence(str):
    """A text with articles before gaps, which change with what fills the gaps."""

    language: str

    def format(self, *values: object, **gaps: object) -> str:
        numbers, articles = ARTICLES[self.language]

        def article(found: re.Match[str]) -> str:
            word, gap = found.groups()
            return f"{articles[word]}{{{gap}}}" if re.match(numbers, str(gaps.get(gap))) else found[0]

        return re.sub(_before_gap(self.language), article, self).format(*values, **gaps)


def _before_gap(language: str) -> str:
    return rf"\b({'|'.join(ARTICLES[language][1])}) {{(\w+)}}"


def sentence(text: str, language: str) -> str:
    """A text whose articles agree with what fills its gaps.

    >>> sentence("dal {low} al {high}", "it").format(low=11, high=12)
    'dall’11 al 12'
    """
    if language not in ARTICLES or not re.search(_before_gap(language), text):
        return text
    found = Sentence(text)
    found.language = language
    return found


@cache
def words_of(package: str, language: str) -> dict[str, dict[str, str]]:
    """A game's words and sentences in a language, by table and key; what the language lacks is in English."""
    merged: dict[str, dict[str, str]] = {}
    for brought_by in (CORE, package):
        for spoken in ("en", language):
            for table, words in own_words(brought_by, spoken).items():
                merged.setdefault(table, {}).update(words)
    return merged


def own_words(package: str, language: str) -> dict[str, dict[str, str]]:
    """What `texts/en.toml` says, for any language; nothing if there is no such file."""
    file = resources.files(package).joinpath("texts", f"{language}.toml")
    tables = tomllib.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
    return {table: {key: sentence(text, language) for key, text in texts.items()} for table, texts in tables.items()}


@dataclass(frozen=True)
class Saying:
    """A sentence of a refusal, or a part of one, for every language: a key of a package's texts, table `refusals` or
    the one named, and what fills its gaps, which may be other sayings."""

    package: str
    key: str
    gaps: Mapping[str, Any]
    table: str = "refusals"

    def said(self, language: str = "en") -> str:
        gaps = {name: gap.said(language) if isinstance(gap, Saying) else gap for name, gap in self.gaps.items()}
        return words_of(self.package, language)[self.table][self.key].format(**gaps)

    def __str__(self) -> str:
        return self.said()


def saying(package: str, key: str, **gaps: Any) -> Saying:
    return Saying(package, key, gaps)


def joined(word: str, items: Iterable[Any]) -> Any:
    """`a and b and c`; the word is `and` or `or`."""
    return reduce(lambda one, other: saying(CORE, word, one=one, other=other), items)
