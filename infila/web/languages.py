"""The page's languages: gettext catalogues, read by Babel; English is what the sources say."""

import json
from collections.abc import Callable
from functools import cache
from importlib import resources
from typing import Any

from infila.core.errors import InfilaError
from infila.core.words import LANGUAGES, Saying, sentence

Translate = Callable[..., str]


class Noun(str):
    """What somebody without a name is called, “computer” or “computer 2”. Such a word may need an article, and then the
    catalogue has the sentence once more, with a context: `computer`, or `computers` for one of several."""

    context: str


def noun(word: str, context: str) -> Noun:
    made = Noun(word)
    made.context = context
    return made


@cache
def catalogue(language: str) -> dict[str, str]:
    """All translated sentences of a language by their English, those with a context by `key_of`."""
    if language == "en":
        return {}
    compiled = resources.files("infila.web").joinpath("locale", f"{language}.json")
    if compiled.is_file():  # on a site
        return dict(json.loads(compiled.read_text(encoding="utf-8")))
    from babel.messages.pofile import read_po

    with resources.files("infila.web").joinpath("locale", f"{language}.po").open("rb") as file:
        return {
            key_of(str(entry.id), entry.context or ""): sentence(str(entry.string), language)
            for entry in read_po(file, locale=language)
            if entry.id and entry.string
        }


def key_of(english: str, context: str = "") -> str:
    return f"{context}\x04{english}" if context else english  # as gettext does it


@cache
def translator(language: str) -> Translate:
    """A function that says an English sentence in a language, and fills its gaps."""
    words = catalogue(language)

    def translate(english: str, /, **gaps: Any) -> str:
        text = words.get(english, english)
        for gap in gaps.values():
            if isinstance(gap, Noun):
                text = words.get(key_of(english, gap.context), text)
        return text.format(**gaps) if gaps else text

    return translate


def said(words: Any, language: str) -> Any:
    """A refusal in a language: a game's own sentences by its texts, infila's by the catalogues; what is neither stays
    as it is, and so do sentences about the form of a position, which are English."""
    if isinstance(words, Saying):
        return words.said(language)
    if not isinstance(words, InfilaError):
        return words
    gaps = {name: said(gap, language) for name, gap in words.gaps.items()}
    told = words.sentence
    text = told.said(language) if isinstance(told, Saying) else translator(language)(told, **gaps)
    return f"{words.rule}: {text}" if words.rule else text


def wished(header: str) -> str:
    """The language that a browser likes best, by its Accept-Language."""
    wishes: list[tuple[float, int, str]] = []
    for entry in header.split(",")[:20]:
        name, _, quality = entry.partition(";")
        try:
            weight = float(quality.strip().removeprefix("q=") or 1)
        except ValueError:
            weight = 0.0
        wishes.append((-weight, len(wishes), name.strip().lower()[:2]))
    return next((name for _, _, name in sorted(wishes) if name in LANGUAGES), "en")
