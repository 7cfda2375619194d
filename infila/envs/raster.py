"""A picture as pixels: for videos, and for learning from what people see."""

import io
import re
from typing import Any

import numpy as np

try:
    import resvg_py
    from PIL import Image
except ImportError:
    raise ImportError("pictures as pixels need a library that is not installed: pip install 'infila[render]'") from None

DECLARED = re.compile(r"(--[\w-]+):\s*([^;}]*);")
VARIABLE = re.compile(r"var\((--[\w-]+)(?:,((?:[^()]|\([^()]*\))*))?\)")
BOX = re.compile(r'viewBox="0 0 (\S+) (\S+)"')

Size = tuple[int, int]


def size_of(svg: str) -> Size:
    """Width and height of a picture that stands alone, one pixel for each unit."""
    found = BOX.search(svg)
    assert found
    return round(float(found[1])), round(float(found[2]))


def without_variables(svg: str) -> str:
    """The picture with its style's variables replaced by their values: resvg does not know variables."""
    values = {name: value.strip() for name, value in DECLARED.findall(svg)}
    left = DECLARED.sub("", svg)
    while (replaced := VARIABLE.sub(lambda found: values.get(found[1]) or found[2] or "", left)) != left:
        left = replaced
    return left


def pixels(svg: str, size: Size) -> Any:
    """The picture in a frame of this size, as large as it can be: height × width × 3, uint8."""
    framed = svg.replace("<svg ", f'<svg width="{size[0]}" height="{size[1]}" ', 1)
    paper = dict(DECLARED.findall(svg))["--paper"].strip()
    drawn = resvg_py.svg_to_bytes(svg_string=without_variables(framed), background=paper)
    return np.array(Image.open(io.BytesIO(bytes(drawn))).convert("RGB"))
