"""A package's words, `texts/*.toml`, by language, table and key; and what is said with them."""

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, reduce
from importlib import resources
from typing import Any

CORE = "infila.core"


@cache
def words_of(package: str, language: str) -> dict[str, dict[str, str]]:
    """A game's words and sentences in a language, by table and key; what the language lacks is said in English."""
    merged: dict[str, dict[str, str]] = {}
    for brought_by in (CORE, package):
        for spoken in ("en", language):
            for table, words in own_words(brought_by, spoken).items():
                merged.setdefault(table, {}).update(words)
    return merged


def own_words(package: str, language: str) -> dict[str, dict[str, str]]:
    """What stands in `texts/en.toml`; nothing if there is no such file."""
    file = resources.files(package).joinpath("texts", f"{language}.toml")
    return tomllib.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}


@dataclass(frozen=True)
class Saying:
    """A sentence of a refusal, or a part of one, for every language: a key of a package's texts, table `refusals`, and
    what stands in its gaps, where other sayings may stand too."""

    package: str
    key: str
    gaps: Mapping[str, Any]

    def said(self, language: str = "en") -> str:
        gaps = {name: gap.said(language) if isinstance(gap, Saying) else gap for name, gap in self.gaps.items()}
        return words_of(self.package, language)["refusals"][self.key].format(**gaps)

    def __str__(self) -> str:
        return self.said()


def saying(package: str, key: str, **gaps: Any) -> Saying:
    return Saying(package, key, gaps)


def joined(word: str, items: Iterable[Any]) -> Any:
    """`a and b and c`; the word is `and` or `or`."""
    return reduce(lambda one, other: saying(CORE, word, one=one, other=other), items)
