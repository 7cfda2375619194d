"""The icons of an installed infila as PNG, drawn from `icon.svg` and kept beside it: `python -m tests.web.icons`.

Where the system cuts its own shape out of an icon, the ground goes to the edges: Android keeps a circle of four fifths
of the width, in which everything that is drawn must lie; iOS rounds the corners.
"""

import io
import re
from importlib import resources
from pathlib import Path

import resvg_py
from PIL import Image

from infila.web.manifest import ICONS, TOUCH_ICON

SIDE = 64  # of icon.svg
WHOLE, ROUNDED, CIRCLE = 1.0, 0.86, 0.74  # how large things are drawn there


def drawings() -> dict[str, tuple[int, float]]:
    """For each file how wide it is, and how large things are drawn; the ground has corners of its own if they are
    drawn as in `icon.svg`."""
    found = {icon.file: (icon.side, CIRCLE if icon.maskable else WHOLE) for icon in ICONS}
    return found | {TOUCH_ICON.file: (TOUCH_ICON.side, ROUNDED)}


def icon(side: int, scale: float) -> bytes:
    svg = resources.files("infila.web").joinpath("static", "icon.svg").read_text(encoding="utf-8").strip()
    if scale != WHOLE:
        ground = re.search(r"<rect [^>]*/>", svg)
        assert ground
        to_the_edges = re.sub(r' rx="\d+"', "", ground[0])
        middle = SIDE / 2
        drawn = svg[ground.end() :].removesuffix("</svg>")
        moved = f"translate({middle} {middle}) scale({scale}) translate({-middle} {-middle})"
        svg = f'{svg[: ground.start()]}{to_the_edges}<g transform="{moved}">{drawn}</g></svg>'
    pixels = Image.open(io.BytesIO(bytes(resvg_py.svg_to_bytes(svg_string=svg, width=side, height=side))))
    out = io.BytesIO()
    pixels.save(out, "PNG", optimize=True)
    return out.getvalue()


if __name__ == "__main__":
    folder = Path(str(resources.files("infila.web").joinpath("static")))
    for name, (side, scale) in drawings().items():
        (folder / name).write_bytes(icon(side, scale))
        print(f"{name}: {(folder / name).stat().st_size} bytes")
