"""The page's languages: gettext catalogues, read by Babel; English is what the sources say."""

from collections.abc import Callable
from functools import cache
from importlib import resources
from typing import Any

from babel.messages.pofile import read_po

from infila.core.errors import InfilaError
from infila.core.words import LANGUAGES, Saying

Translate = Callable[..., str]


@cache
def catalogue(language: str) -> dict[str, str]:
    """All translated sentences of a language by their English."""
    if language == "en":
        return {}
    with resources.files("infila.web").joinpath("locale", f"{language}.po").open("rb") as file:
        return {
            str(entry.id): str(entry.string) for entry in read_po(file, locale=language) if entry.id and entry.string
        }


@cache
def translator(language: str) -> Translate:
    """A function that says an English sentence in a language, and fills its gaps."""
    words = catalogue(language)

    def translate(sentence: str, **gaps: Any) -> str:
        return words.get(sentence, sentence).format(**gaps) if gaps else words.get(sentence, sentence)

    return translate


def said(words: Any, language: str) -> Any:
    """A refusal in a language: a game's own sentences by its texts, infila's by the catalogues; what is neither stays
    as it is, and so do sentences about the form of a position, which are English."""
    if isinstance(words, Saying):
        return words.said(language)
    if not isinstance(words, InfilaError):
        return words
    gaps = {name: said(gap, language) for name, gap in words.gaps.items()}
    sentence = words.sentence
    text = sentence.said(language) if isinstance(sentence, Saying) else translator(language)(sentence, **gaps)
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
