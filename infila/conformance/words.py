"""Words: every language that a game speaks says everything, and moves are described to everybody in the same way."""

import re
from collections.abc import Iterator
from string import Formatter

from infila.conformance.demand import demand, same
from infila.conformance.trial import Trial
from infila.core.contract import Contract
from infila.core.game import Game
from infila.core.words import own_words

ABOUT = ("line", "players", "minutes")


def moves_are_told(trial: Trial) -> None:
    """Every legal move has words, in every language, and they tell the public nothing new."""
    for game in trial.positions():
        told(game)


def told(game: Game) -> None:
    contract, story = game.contract, game.contract.story
    public, own = game.view(None).states[0], game.view(game.player).states[0]
    languages = [contract.words(language) for language in contract.languages()]
    hosts = set(game.host_actions())
    for action in game.actions():
        move = game.text(action)
        reason = story.tell(public, action)
        demand(
            reason == story.tell(own, action) == story.tell(game.states[0], action),
            f"{move!r} is described differently to those who know more.",
        )
        tables = [("moves", reason), ("proposals", story.propose(own, action))]
        if action in hosts:
            tables.append(("host", contract.host.call(own, action)))
        kind = contract.kind(action)
        for words in languages:
            demand(action in hosts or kind in words["do"], f"texts: table [do] has no {kind!r}, for {move!r}.")
            for table, key in tables:
                demand(key.key in words[table], f"texts: table [{table}] has no {key.key!r}, for {move!r}.")
                demand(words[table][key.key].format(**key.values), f"texts: {key.key!r} says nothing.")
        demand(len(contract.picture.note(own, action)) <= 3, f"the note of {move!r} has more than three characters.")


def languages_say_the_same(trial: Trial) -> None:
    """All languages have the same words with the same gaps, every option has its label, and the rules have the same
    headings, lists and tables."""
    contract = trial.contract
    missing = [language for language in trial.languages if language not in contract.languages()]
    demand(not missing, f"texts: there is no {', '.join(missing)}.")
    same_keys(contract)
    same_structure(contract)


def same_keys(contract: Contract) -> None:
    english = own_words(contract.package, "en")
    for language in contract.languages():
        words = own_words(contract.package, language)
        same(sorted(words), sorted(english), f"texts/{language}.toml has different tables from texts/en.toml")
        for table, sentences in english.items():
            where = f"texts/{language}.toml, table [{table}]"
            same(sorted(words[table]), sorted(sentences), f"{where} has different keys from English")
            for key, text in words[table].items():
                same(sorted(gaps(text)), sorted(gaps(sentences[key])), f"{where}, {key}: different gaps from English")
                demand("!" not in text.replace("!r}", "}"), f"{where}, {key}: no exclamation marks, please.")
    for key in ABOUT:
        demand(english.get("about", {}).get(key), f"texts/en.toml, table [about] has no {key!r}.")
    for key in option_keys(contract):
        demand(key in english.get("options", {}), f"texts/en.toml, table [options] has no {key!r}.")


def gaps(text: str) -> set[str]:
    return {gap for _, gap, _, _ in Formatter().parse(text) if gap}


def option_keys(contract: Contract) -> Iterator[str]:
    for name, spec in contract.options.specs().items():
        yield name
        if spec.kind == "flag":
            yield from (f"{name}_yes", f"{name}_no")
        if spec.kind == "choice":
            yield from (f"{name}_{value}" for value in spec.values)


def same_structure(contract: Contract) -> None:
    for language in contract.languages():
        demand(contract.brings("texts", f"{language}.md"), f"there is no texts/{language}.md.")
        same(shape(contract.text(language)), shape(contract.text()), f"texts/{language}.md is not built like en.md")


def shape(text: str) -> list[str]:
    return [found[0] for line in text.splitlines() if (found := re.match(r"#+ |- |\|", line))]
