"""Pictures of every page and state, on a desk and on a phone, and of every game's table in windows of every size, with
few players and with most; all in light and dark.

python -m tests.web.screenshots FOLDER [--only NAME]    all, or those whose name begins so
python -m tests.web.screenshots --readme                the four tables of the README, into docs/pictures
"""

import argparse
import tempfile
from pathlib import Path
from typing import Any

from tests.play import GAMES
from tests.web import sizes
from tests.web.house import DESKTOP, PHONE, House, open_house
from tests.web.scenes import Scene, scenes

SIZES = {"desk": DESKTOP, "phone": PHONE}
README = Path(__file__).parents[2] / "docs" / "pictures"
COLOURS = 128


def opened(scene: Scene, size: str, theme: str) -> Any:
    """A page of the scene in a browser of its own, with the person's cookies."""
    settings: dict[str, Any] = (
        {"has_touch": True, "is_mobile": True, "device_scale_factor": 2} if size == "phone" else {}
    )
    person = scene.person.house.person(
        viewport=SIZES[size], color_scheme=theme, storage_state=scene.person.context.storage_state(), **settings
    )
    page = person.visit_anew(scene.path)
    scene.act(page)
    page.wait_for_timeout(100)
    return page


def take(scene: Scene, folder: Path) -> None:
    for size in SIZES:
        for theme in ("light", "dark"):
            page = opened(scene, size, theme)
            page.screenshot(path=folder / f"{scene.name}-{size}-{theme}.png", full_page=True)
            page.context.close()


def take_in_every_size(house: House, folder: Path, only: str) -> None:
    for game, crowd, person, table in sizes.tables(house):
        page = person.visit(table)
        page.wait_for_selector("#acts .btn")
        for size in sizes.SIZES:
            page.set_viewport_size(sizes.viewport(size))
            for theme in ("light", "dark"):
                name = f"{game}-{crowd}-{size}-{theme}"
                if name.startswith(only):
                    page.emulate_media(color_scheme=theme)
                    page.screenshot(path=folder / f"{name}.png")
        person.leave()


def take_for_readme(scene: Scene) -> None:
    """Few colours are enough: these are drawings."""
    from PIL import Image

    page = opened(scene, "desk", "light")
    path = README / f"{scene.name.removesuffix('-turn')}.png"
    page.screenshot(path=path)
    page.context.close()
    Image.open(path).convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE).save(path, optimize=True)
    print(f"{path.name}: {path.stat().st_size // 1024} KB")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, nargs="?")
    parser.add_argument("--only", default="")
    parser.add_argument("--readme", action="store_true")
    told = parser.parse_args()
    if told.folder is None and not told.readme:
        parser.error("give a folder for the pictures, or --readme.")
    with tempfile.TemporaryDirectory() as data, open_house(Path(data)) as house:
        for scene in scenes(house):
            if told.readme and scene.name in [f"{game}-turn" for game in GAMES]:
                take_for_readme(scene)
            elif not told.readme and scene.name.startswith(told.only):
                take(scene, told.folder)
        if not told.readme:
            take_in_every_size(house, told.folder, told.only)


if __name__ == "__main__":
    main()
