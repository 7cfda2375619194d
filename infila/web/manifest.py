"""What a phone or computer is told when infila is installed there: name, icons, colours, and the games as shortcuts.

A server tells it, and so does the table as plain files; only their addresses differ.

>>> told = manifest("/", NEW_TABLE)
>>> told["start_url"], told["shortcuts"][0]["url"]
('/', '/new?game=zatre')
>>> [icon["sizes"] for icon in told["icons"]]
['192x192', '512x512', '512x512', 'any']
"""

import re
from functools import cache
from importlib import resources
from typing import Any, NamedTuple

from infila.core.games import NAMES, contract_of

MANIFEST = "manifest.webmanifest"
NEW_TABLE = "/new?game={game}"  # where a server has the form for a new table


class Icon(NamedTuple):
    """A drawing of `icon.svg` (tests/web/icons.py). Whatever shape a system cuts out of a maskable one, all that is
    drawn is inside."""

    file: str
    side: int
    maskable: bool = False


ICONS = (Icon("icon-192.png", 192), Icon("icon-512.png", 512), Icon("icon-maskable.png", 512, maskable=True))
TOUCH_ICON = Icon("icon-180.png", 180)  # iOS finds it by a link of the page


@cache
def papers() -> tuple[str, str]:
    """The colour of the page, in light and in dark."""
    tokens = resources.files("infila.core").joinpath("look", "tokens.css").read_text(encoding="utf-8")
    light, *dark = re.findall(r"--paper:\s*(#\w{6})", tokens)
    return light, dark[0]


def manifest(root: str, new_table: str) -> dict[str, Any]:
    """`root` is the address of the front page, `new_table` that of the form for a new table of a `{game}`."""
    titles = {game: contract_of(game).title for game in NAMES}
    return {
        **({"id": root} if root.startswith("/") else {}),  # else it is the start, wherever that lies
        "name": "infila",
        "short_name": "infila",
        "description": ", ".join(titles.values()),
        "start_url": root,
        "scope": root,
        "display": "standalone",
        "background_color": papers()[0],
        "theme_color": papers()[0],
        "categories": ["games"],
        "icons": [
            *(
                {
                    "src": f"{root}static/{icon.file}",
                    "sizes": f"{icon.side}x{icon.side}",
                    "type": "image/png",
                    "purpose": "maskable" if icon.maskable else "any",
                }
                for icon in ICONS
            ),
            {"src": f"{root}static/icon.svg", "sizes": "any", "type": "image/svg+xml", "purpose": "any"},
        ],
        "shortcuts": [{"name": title, "url": new_table.format(game=game)} for game, title in titles.items()],
    }
