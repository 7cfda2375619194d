"""Tables in windows of every size: where they are made, and what is looked at in each."""

from collections.abc import Iterator
from typing import Any

import infila
from tests.cases import cases_of
from tests.play import GAMES
from tests.web.house import SEED, House, Person

PHONES = ("390x844", "390x664", "360x640", "844x390")
TABLETS = ("820x1180", "1024x768")
SCREENS = ("1280x720", "1366x650", "1440x900", "1920x1080")
SIZES = (*PHONES, *TABLETS, *SCREENS)
CROWDS = ("few", "most")
NAMES = ("Anna", "Bruno", "Carla", "Dario", "Elsa", "Fabio", "Gina", "Hugo", "Ida", "Jan", "Kira", "Leo")


def viewport(size: str) -> dict[str, int]:
    width, height = size.split("x")
    return {"width": int(width), "height": int(height)}


def begun(game: str, crowd: str) -> infila.Game:
    """A game of two or of as many as there can be, as quick computer players begin it."""
    options = {"players": 2} if crowd == "few" else cases_of(game).most
    made = infila.new(game, seed=SEED, **options)
    player = infila.player(game, "casual")
    for _ in range(cases_of(game).scene_moves):
        made.play(player.think(made.view(made.acting()[0])).move)
    return made


def tables(house: House) -> Iterator[tuple[str, str, Person, str]]:
    """Of each game one for few and one for most players; with somebody who is on turn there, and its path."""
    for game in GAMES:
        for crowd in CROWDS:
            made = begun(game, crowd)
            people = [house.person(name) for name in NAMES[: len(made.names)]]
            table = house.table_of(made, people, len(made.history))
            on_turn = next(person for person in people if person.state(table)["moves"])
            for person in people:
                if person is not on_turn:
                    person.leave()
            yield game, crowd, on_turn, table


# What is wrong with a table in a window of this size, in words; and how wide a piece is, or from cell to cell.
LOOK = """({ width, height, piece }) => {
  const wrong = new Set();
  const blame = (part, what) => {
    const name = part.dataset.part || part.id || part.className.baseVal || part.className || part.localName;
    wrong.add(`${name} "${part.textContent.trim().slice(0, 30)}" ${what}`);
  };
  const shown = (part) => part.checkVisibility({ visibilityProperty: true }) && part.getClientRects().length > 0;
  const all = (selector) => [...document.querySelectorAll(selector)].filter(shown);
  const within = ({ left, top, right, bottom }, far) =>
    left >= -far && top >= -far && right <= width + far && bottom <= height + far;

  const needed = [".board", ".hand", "#acts", "#say h1"].map((name) => {
    const box = all(name)[0]?.getBoundingClientRect();
    if (!box || box.height < 8 || !within(box, 1)) wrong.add(`${name} is not in sight`);
    return box;
  }).filter(Boolean);
  for (const a of needed) for (const b of needed) {
    const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
    const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
    if (a !== b && across > 1 && down > 1) wrong.add("board, hand, buttons and sentence overlap");
  }
  for (const part of all(".board [data-part], .hand [data-part], #acts .btn"))
    if (!within(part.getBoundingClientRect(), 8)) blame(part, "sticks out");
  for (const text of all(":is(.board, .hand, .seats) svg text"))
    if (text.textContent && !within(text.getBoundingClientRect(), 2)) blame(text, "is cut off");
  for (const page of [document.documentElement, document.body])
    if (page.scrollWidth > width) wrong.add("it scrolls sideways");

  for (const target of all(".table :is(button, a, summary, input, select), .hand [data-part]")) {
    const box = target.getBoundingClientRect();
    const small = target.matches(".panel-row [data-part]");       // a tile of a row: it is tapped, then confirmed
    if (Math.min(box.width, box.height) < 43.5 && !small)
      blame(target, `is ${Math.round(box.width)} x ${Math.round(box.height)}`);
  }
  for (const text of all(".table :is(h1, p, b, span, button, small)")) {
    const { display, position, overflow } = getComputedStyle(text);
    if (text.closest(".what, .vh, .drawer:not(.open) .log")) continue; // only a part is shown there
    if (display === "inline" || position === "absolute") continue;
    const low = overflow !== "visible" && text.scrollHeight > text.clientHeight + 3;
    if (low || text.scrollWidth > text.clientWidth + 1) blame(text, "is cut");
  }
  const [first, next] = piece.split(", ").map((one) => all(`:is(.board, .hand) ${one}`)[0]?.getBoundingClientRect());
  return { wrong: [...wrong], piece: !first ? 0 : next ? next.x - first.x : first.width };
}"""


def look(page: Any, game: str, size: str) -> tuple[list[str], float]:
    """What is wrong, and how wide a piece is."""
    found = page.evaluate(LOOK, viewport(size) | {"piece": cases_of(game).piece})
    return found["wrong"], found["piece"]
