"""Words: every language that a game speaks says everything, and moves are described to everybody in the same way."""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import resources
from string import Formatter

from infila.conformance.demand import demand, same
from infila.conformance.trial import Trial
from infila.core.contract import Contract
from infila.core.game import Game
from infila.core.words import own_words

ABOUT = ("line", "players", "minutes")
# functions of infila.core.contract that say something: the table of the texts, and which argument is the key
SAID = {"refuse": ("refusals", 2), "astray": ("touches", 2), "item": ("scores", 3)}


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
            untold = action in hosts or not contract.brings("texts", "en.toml")
            demand(untold or kind in words["do"], f"texts: table [do] has no {kind!r}, for {move!r}.")
            for table, key in tables:
                demand(key.key in words[table], f"texts: table [{table}] has no {key.key!r}, for {move!r}.")
                demand(words[table][key.key].format(**key.values), f"texts: {key.key!r} says nothing.")
        demand(len(contract.picture.note(own, action)) <= 3, f"the note of {move!r} has more than three characters.")


def sentences_exist(trial: Trial) -> None:
    """Every sentence that the game's sources name is in the texts, and what it leaves open is filled."""
    contract = trial.contract
    said = contract.words()
    for file in sorted(resources.files(contract.package).iterdir(), key=lambda file: file.name):
        if file.name.endswith(".py"):
            for call in sentences_in(file.read_text(encoding="utf-8")):
                where = f"{file.name}, line {call.line}: {call.function}()"
                demand(
                    call.key in said.get(call.table, {}),
                    f"{where} says {call.key!r}, which texts/en.toml does not have in its table [{call.table}].",
                )
                missing = gaps(said[call.table][call.key]) - call.filled
                demand(call.open or not missing, f"{where} does not fill {', '.join(sorted(missing))} of {call.key!r}.")


@dataclass(frozen=True)
class Call:
    """A place in a source where something is said."""

    function: str
    line: int
    table: str  #: of the texts
    key: str
    filled: frozenset[str]  #: gaps
    open: bool  #: whether it may fill more of them


def sentences_in(source: str) -> Iterator[Call]:
    """The calls of `refuse`, `astray` and `item` in which the key of a sentence is written out."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in SAID:
            table, place = SAID[node.func.id]
            key = node.args[place] if len(node.args) > place else None
            if isinstance(key, ast.Constant) and isinstance(key.value, str):
                filled = frozenset(each.arg for each in node.keywords if each.arg)
                spread = any(each.arg is None for each in node.keywords)
                yield Call(node.func.id, node.lineno, table, key.value, filled, spread)


def languages_say_the_same(trial: Trial) -> None:
    """Unless a game has no texts at all, all languages have the same words with the same gaps, every option has its
    label, and the rules have the same headings, lists and tables."""
    contract = trial.contract
    if not contract.brings("texts", "en.toml"):
        return
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
