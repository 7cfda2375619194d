"""The posters of the games as PNG, for messengers that show where a link leads: `python -m tests.web.posters`.

Each is drawn from the game's `poster.svg` and kept beside it.
"""

import io
import re
from importlib import resources
from pathlib import Path

import resvg_py
from PIL import Image

from infila.core.contract import Contract
from infila.core.games import NAMES, contract_of
from infila.core.picture import symbols
from infila.envs.raster import without_variables

WIDE, HIGH = 1200, 630
COLOURS = 64


def poster(contract: Contract) -> bytes:
    tokens = resources.files("infila.core").joinpath("look", "tokens.css").read_text(encoding="utf-8")
    light = re.search(r":root \{(.*?)\n\}", tokens, re.DOTALL)
    assert light
    defs = "".join((symbols() | symbols(contract.package)).values())
    drawn = contract.file("poster.svg").read_text(encoding="utf-8")
    framed = drawn.replace("<svg ", f'<svg width="{WIDE}" height="{HIGH}" ', 1)
    ground = f'<rect width="{WIDE}" height="{HIGH}" fill="var(--field-{contract.home})"/>'
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDE} {HIGH}"><style>:root{{{light[1]}}}</style>'
        f"<defs>{defs}</defs>{ground}{framed}</svg>"
    )
    pixels = Image.open(io.BytesIO(bytes(resvg_py.svg_to_bytes(svg_string=without_variables(svg))))).convert("RGB")
    out = io.BytesIO()
    pixels.quantize(COLOURS, dither=Image.Dither.NONE).save(out, "PNG", optimize=True)
    return out.getvalue()


if __name__ == "__main__":
    for name in NAMES:
        file = Path(str(contract_of(name).file("poster.png")))
        file.write_bytes(poster(contract_of(name)))
        print(f"{name}: {file.stat().st_size} bytes")
