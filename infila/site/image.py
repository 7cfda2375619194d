"""The image of Python that a site begins with (`make.mjs`)."""

import json
import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from infila.site.npm import NotFetched, program

OWN = Path(__file__).parent
Tell = Callable[[str], None]  # how far it is


@dataclass(frozen=True)
class Image:
    files: dict[str, bytes]
    sizes: dict[str, int]  # of what is compressed, before


def image_of(pyodide: Path, packed: bytes, beside: dict[str, bytes], level: int, tell: Tell) -> Image:
    """Python with everything that is in a pack, made ready, and files beside it; it takes half a minute."""
    with tempfile.TemporaryDirectory() as work:
        folder = Path(work)
        shutil.copytree(pyodide, folder / "pyodide")
        shutil.copy(OWN / "bytecode.py", folder)
        (folder / "pack.zip").write_bytes(packed)
        (folder / "beside").mkdir()
        for name, content in beside.items():
            (folder / "beside" / name).write_bytes(content)
        command = [program("node"), str(OWN / "make.mjs"), str(folder), str(level)]
        problems = folder / "problems"
        with problems.open("w", encoding="utf-8") as errors:
            making = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, text=True, encoding="utf-8")
            assert making.stdout is not None, "a pipe"
            with making:
                for line in making.stdout:
                    tell(line.rstrip())
        if making.returncode:
            said = problems.read_text(encoding="utf-8").splitlines()
            reason = next((line for line in reversed(said) if re.match(r"\w*Error: ", line)), "no reason")
            raise NotFetched(f"Node.js cannot make the image of Python: {reason}. It has to be version 20 or later.")
        files = {file.name: file.read_bytes() for file in (*folder.glob("*.zst"), *folder.glob("front.*.html"))}
        return Image(files, json.loads((folder / "made.json").read_text(encoding="utf-8")))
