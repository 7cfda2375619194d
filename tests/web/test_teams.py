"""Many players in teams: their headings, and the next turns as a thread. What one sees of it is in `test_sizes`."""

import re

import infila
from infila.web.languages import translator
from infila.web.table_html import Sitter, TableFacts, addressed, say_of, seats_html
from infila.web.teams import teams_html

NAMES = ("Anna", "Bruno", "Carla", "Dario", "Elsa", "Fabio", "Gina", "Hugo", "Ida", "Jan", "Kira", "Leo")


def facts_of(game: infila.Game, kind: str = "person") -> TableFacts:
    sitters = [Sitter(name, kind) for name in NAMES[: len(game.names)]]
    return TableFacts(view=game.view(game.player), sitters=sitters, version=0, stamp=0, yours=True)


def test_twelve_sit_in_three_teams_and_the_next_turns_are_a_thread() -> None:
    game = infila.new("sequence", players=12, sides=3, seed=7)
    game.play(game.moves[0])
    drawn = seats_html(facts_of(game), translator("en"), "en")
    assert re.findall(r'class="seat of-(\d)', drawn) == ["1", "2", "3"] * 4
    assert re.findall(r'class="team of-(\d)', drawn) == ["1", "2", "3"]
    signs = re.findall(r'href="#chip-(\d)"', drawn.partition('class="turns"')[2].partition("</svg>")[0])
    order = [(game.player + i) % 3 + 1 for i in range(12)]
    assert signs == list(map(str, order))
    assert "longest" in drawn and "längste Reihe" in seats_html(facts_of(game), translator("de"), "de")


def test_few_players_and_games_without_teams_have_none() -> None:
    for game in (infila.new("sequence", players=6, seed=7), infila.new("take_that", players=4, seed=7)):
        assert 'class="team' not in seats_html(facts_of(game), translator("en"), "en")


def test_nobody_is_on_turn_after_the_end() -> None:
    view = infila.new("sequence", players=12, sides=2, seed=7).view()
    assert "turns" not in teams_html(view, -1, say_of("sequence", "en"))


def test_people_among_people_are_called_by_their_name() -> None:
    game = infila.new("take_that", players=2, seed=7)
    facts = facts_of(game)
    assert addressed(facts, translator("en")) == NAMES[game.player]
    facts.yours = False
    assert addressed(facts, translator("en")) == ""
    assert addressed(facts_of(game, "computer"), translator("en")) == ""
    facts = facts_of(game)
    facts.sitters = [Sitter("guest 1", "person"), Sitter("guest 2", "person")]
    assert addressed(facts, translator("en")) == ""
