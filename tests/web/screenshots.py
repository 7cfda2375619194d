"""Pictures of every page and state, on a desk and on a phone, in light and dark.

python -m tests.web.screenshots FOLDER [--only NAME]    all, or those whose name begins so
python -m tests.web.screenshots --readme                the four tables of the README, into docs/pictures
"""

import argparse
import tempfile
from pathlib import Path
from typing import Any

from tests.play import GAMES
from tests.web.house import DESKTOP, PHONE, open_house
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


if __name__ == "__main__":
    main()
