"""Every size of window: all that is needed to play is in sight at once, large enough, and nothing is cut or scrolls."""

from typing import Any

import pytest

from infila.core.games import contract_of
from infila.core.words import LANGUAGES
from infila.web.languages import translator
from tests.cases import cases_of
from tests.play import GAMES
from tests.web import sizes
from tests.web.house import House

SHORT = 30  # signs
CROWDED = 0.95  # of a piece's width where as many play as can: their names need room too
# of every width between 320 and 2000, those around which something changes, and some between
WIDTHS = (320, 375, 430, 540, 599, 600, 639, 700, 760, 761, 900, 943, 1000, 1099, 1101, 1200, 1340, 1500, 1700, 2000)
PAGE_WIDTHS = (320, 375, 600, 719, 721, 820, 899, 901, 943, 1023, 1025, 1121, 1181, 2000)
SWEEP = """(widths) => widths.flatMap((width) => [width < 640 ? 560 : 340, 760].map((height) => {
  [document.body.style.width, document.body.style.height] = [`${width}px`, `${height}px`];
  const parts = [...document.querySelectorAll(".table > *, :is(.mine, .seats, .acts, .tabs) > *")];
  const out = parts.find((part) => {
    const box = part.getBoundingClientRect();
    const seen = box.width > 1 && part.checkVisibility({ visibilityProperty: true });
    return seen && (box.left < -1 || box.right > width + 1 || box.bottom > height + 1);
  });
  return out ? `${width} x ${height}: ${out.id || out.className}` : "";
})).filter(Boolean)"""
SIDEWAYS = "() => [document.documentElement, document.body].some((page) => page.scrollWidth > innerWidth)"


@pytest.mark.long
def test_every_table_in_every_window(house: House) -> None:
    """All games, few players and most, light and dark; the numbers are those of the drawings."""
    wrong: dict[str, Any] = {}
    for game, crowd, person, table in sizes.tables(house):
        page = person.visit(table)
        page.emulate_media(color_scheme="light" if crowd == "few" else "dark")
        page.wait_for_selector("#acts .btn")
        for size in sizes.SIZES:
            page.set_viewport_size(sizes.viewport(size))
            found, width = sizes.look(page, game, size)
            least = cases_of(game).sizes.get(size, 0) * (1 if crowd == "few" else CROWDED)
            if round(width) < round(least):
                found.append(f"a piece is {width:.1f} wide, not {least:.1f}")
            if found:
                wrong[f"{game} {crowd} {size}"] = found
        if crowd == "most":
            page.set_viewport_size({"width": 2000, "height": 1200})
            wrong |= {f"{game} {found}": "sticks out" for found in page.evaluate(SWEEP, WIDTHS)}
        person.leave()
    assert wrong == {}


@pytest.mark.parametrize("game", GAMES)
def test_what_may_be_done_is_also_said_in_short(game: str) -> None:
    for language in LANGUAGES:
        words = contract_of(game).words(language)
        assert words["do_short"].keys() == words["do"].keys()
        assert words.get("must_short", {}).keys() == words.get("must", {}).keys()
        assert max(map(len, [*words["do_short"].values(), *words.get("must_short", {}).values()])) <= SHORT


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_one_waits_for_is_also_said_in_short(language: str) -> None:
    _ = translator(language)
    own = ("You have offered to end.", "You ask to take back.")
    others = ("{name} offers to end.", "{name} asks to take back.", "{name} is away.")
    said = [*map(_, own), *(_(text, name="Bruno") for text in others), _("your turn"), _("{name}’s turn", name="Bruno")]
    assert max(map(len, said)) <= SHORT, said


def test_no_page_scrolls_sideways(house: House) -> None:
    anna = house.person("Anna")
    table = anna.new_table(GAMES[0], seat_2="open", lobby="yes")
    wide = []
    for path in ("/", "/new", "/mine", "/devices", f"/rules/{GAMES[0]}", f"/sheet/{GAMES[0]}", table):
        page = anna.visit(path)
        for width in PAGE_WIDTHS:
            page.set_viewport_size({"width": width, "height": 800})
            if page.evaluate(SIDEWAYS):
                wide.append((path, width))
    assert wide == []
    anna.leave()


def test_a_finger_need_not_hit_a_small_cell(house: House) -> None:
    """The nearest legal cell is taken, the button names it; a magnifying glass opens, and closes with the move."""
    person, table = next((person, table) for game, _, person, table in sizes.tables(house) if game == GAMES[0])
    phone = house.person(
        viewport=sizes.viewport("360x640"), has_touch=True, is_mobile=True, storage_state=person.context.storage_state()
    )
    page = phone.visit(table)
    move = next(
        move for move in phone.state(table)["moves"] if len(move["p"]) == 2 and move["p"][1].startswith("cell-")
    )
    page.tap(f"[data-part='{move['p'][0]}']")
    box = page.query_selector(f"[data-part='{move['p'][1]}']").bounding_box()
    assert box["width"] < 30
    page.touchscreen.tap(box["x"] + box["width"] + 3, box["y"] + box["height"] + 3)
    page.wait_for_selector("#loupe svg")
    glass = page.query_selector("#loupe").bounding_box()
    assert glass["width"] >= 5 * 44 and page.query_selector("#loupe [data-lens].target").bounding_box()["width"] >= 40
    page.query_selector(f"#loupe [data-lens='{move['p'][1]}']").tap()
    assert page.inner_text("#acts .primary") == move["a"]
    page.tap("#acts .primary")
    page.wait_for_selector("#loupe", state="hidden")
    phone.leave()
    person.leave()


@pytest.mark.parametrize("size", ["360x640", "844x390"])
def test_what_is_said_is_counted_and_read_in_the_drawer(house: House, size: str) -> None:
    """On a small screen the drawer lies on the board, and hand and buttons stay free."""
    anna, bruno = house.person("Anna", viewport=sizes.viewport(size)), house.person("Bruno")
    table = anna.new_table("take_that", seat_2="open")
    bruno.post("/name", {"name": "Bruno"})
    bruno.post(f"{table}/seat")
    page = anna.visit(table)
    page.wait_for_selector("#say h1")
    assert page.is_hidden(".bubble .dot") and page.is_hidden("#talk")
    for text in ("that row was mine", "patience"):
        bruno.post(f"{table}/chat", text=text)
    page.wait_for_function("() => document.querySelector('.bubble .dot').textContent === '2'")
    page.click(".bubble")
    assert page.is_visible("#talk") and page.is_hidden(".bubble .dot"), "what is open is read"
    board, drawer, acts = (page.query_selector(found).bounding_box() for found in (".board", "#drawer", "#acts"))
    assert abs(board["width"] - drawer["width"]) < 2 and abs(board["height"] - drawer["height"]) < 20
    assert drawer["y"] + drawer["height"] <= acts["y"] or drawer["x"] + drawer["width"] <= acts["x"]
    page.fill("#chat input", "one moment")
    page.press("#chat input", "Enter")
    page.wait_for_selector("#talk li:nth-child(3)")
    page.keyboard.press("Escape")
    page.wait_for_selector("#drawer", state="hidden")
    for person in (anna, bruno):
        person.leave()
