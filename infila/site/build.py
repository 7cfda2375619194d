"""A site: a folder of plain files, which any web server can serve below any path."""

import base64
import hashlib
import io
import json
import re
import zipfile
from collections.abc import Iterator
from html import escape
from importlib.resources import files as resource_files
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from infila.core.games import NAMES, contract_of
from infila.core.words import LANGUAGES
from infila.puzzles.collection import FILE as PUZZLES
from infila.server.pages.files import files, trimmed
from infila.site.browser.addresses import on_site
from infila.site.image import Tell, image_of
from infila.site.npm import PYODIDE, ZSTDDEC, files_of
from infila.wasm.modules import CODE, DESCRIPTION
from infila.web.languages import catalogue, translator
from infila.web.manifest import MANIFEST, NEW_TABLE, manifest, papers
from infila.web.rulebook import rules_html

OWN = Path(__file__).parent
INFILA = OWN.parent
ROOMS = (
    "core",
    "games",
    "lessons",
    "players",
    "puzzles",
    "reviewing",
    "server",
    "site/browser",
    "wasm",
    "web",
)  # whose Python runs in a page
PACKAGES = ("jinja2", "markupsafe")  # written in Python alone, as they are used here
# of a game's files: what is compiled into its module, or serves others than a page
WITHOUT = ("heuristics.py", "features.py", "study.py", "screen.py", CODE, DESCRIPTION)
ENDINGS = (".py", ".html", ".toml", ".md", ".svg", ".css", ".json")
LONG_AGO = (1980, 1, 1, 0, 0, 0)  # the same sources give the same bytes
BEST = 19  # how hard everything is compressed


def _(text: str) -> str:
    """Marks a sentence that is translated when a site is built."""
    return text


# what the window says before Python is there, or without it
WORDS = {
    "coming": _("The table is on its way: {share} %"),
    "laying": _("The table is being laid."),
    "again": _("try again"),
    "here": _("play here"),
    "take": _("load it"),
    "newer": _("A new edition is there."),
    "elsewhere": _("You play on in another tab."),
    "twice": _("infila is already open in another tab. Play on there, or here."),
    "failed": _("Something went wrong, and nothing is lost: every move you have seen is kept. Try again."),
    "damaged": _("Something has arrived damaged. Try again; if this goes on, tell whoever keeps this site."),
    "unreachable": _("Something cannot be fetched. Look after your connection, and try again."),
    "unkept": _("This browser keeps nothing for this page, so no game could be kept. Allow it to, or use another."),
    "insecure": _("Browsers allow this only on pages whose address begins with https."),
    "old": _("This browser cannot do what is needed. Use a newer one, such as Firefox, Chrome, Edge or Safari."),
    "late": _("Something has not come. Look after your connection, or use a newer browser, and load this page again."),
    "scripts": _("infila needs scripts and a browser of the last years, such as Firefox, Chrome, Edge or Safari."),
}


def build(folder: Path, level: int = BEST, tell: Tell = lambda _: None) -> str:
    """Write a site into a folder, over what is there; returns its edition."""
    tell("What is needed is fetched, and the rules are drawn ...")
    pyodide, packed = files_of(PYODIDE), pack()
    beside = {
        "pyodide.asm.mjs": (pyodide / "pyodide.asm.mjs").read_bytes(),
        "infila.zip": zipped(read_later(packed), zipfile.ZIP_STORED),
    }
    for game in NAMES:
        folder_of_game = resource_files(contract_of(game).package)
        beside[f"{game}.wasm"] = folder_of_game.joinpath(CODE).read_bytes()
        beside[f"{game}.json"] = folder_of_game.joinpath(DESCRIPTION).read_bytes()
    image = image_of(pyodide, zipped(packed), beside, level, tell)
    site: dict[str, bytes] = {f"static/{name}": file.plain for name, file in files().items()}
    for game in NAMES:
        site[f"look/{game}.css"] = trimmed(contract_of(game).style(), "css").encode()
        if contract_of(game).brings(PUZZLES):
            # .gz is what some web spaces unpack on the way
            site[f"puzzles/{game}.bin"] = contract_of(game).file(PUZZLES).read_bytes()
    for file in sorted((OWN / "static").iterdir()):
        content = file.read_bytes()
        scripted = file.suffix in (".js", ".css")
        site[file.name] = trimmed(content.decode(), file.suffix[1:]).encode() if scripted else content
    site["index.html"] = _index(site["index.html"].decode()).encode()
    site[MANIFEST] = _as_json(manifest("./", on_site(NEW_TABLE)))
    for script in (INFILA / "wasm" / "module.js", INFILA / "web" / "solo" / "think.js"):
        site[script.name] = trimmed(script.read_text(encoding="utf-8"), "js").encode()
    site["zstd.wasm"] = _decompressor()
    # .mjs is nothing that every web server knows as a script
    site["pyodide.js"] = (pyodide / "pyodide.mjs").read_bytes()
    site |= image.files
    worker = site.pop("sw.js").decode()
    edition = _digest(site)
    large = {
        name: {"size": len(content), "sha256": hashlib.sha256(content).hexdigest(), "plain": image.sizes.get(name)}
        for name, content in sorted(site.items())
        if name.endswith((".zst", ".wasm", ".bin"))
    }
    lock = json.loads((pyodide / "pyodide-lock.json").read_text(encoding="utf-8")) | {"packages": {}}
    site["edition.js"] = (
        f"export const EDITION = {json.dumps(edition)};\n"
        f"export const GAMES = {json.dumps(NAMES)};\n"
        f"export const FILES = {json.dumps(large)};\n"
        f"export const LOCK = {json.dumps(json.dumps(lock))};\n"
    ).encode()
    kept = ["./", *(f"./{name}" for name in sorted(site) if name != "index.html")]
    site["sw.js"] = f"const EDITION = {json.dumps(edition)};\nconst FILES = {json.dumps(kept)};\n{worker}".encode()
    for name, content in site.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    return edition


def _index(page: str) -> str:
    said = {language: {name: translator(language)(text) for name, text in WORDS.items()} for language in LANGUAGES}
    in_all = {
        name: "".join(f'<p lang="{language}">{escape(words[name])}</p>' for language, words in said.items())
        for name in ("scripts", "late")
    }
    light, dark = papers()
    for gap, text in (("LIGHT", light), ("DARK", dark), ("OLD", in_all["scripts"]), ("LATE", in_all["late"])):
        page = page.replace(gap, text)
    titles = ", ".join(contract_of(game).title for game in NAMES)
    page = page.replace("GAMES", escape(titles))
    return page.replace("WORDS", json.dumps(said, ensure_ascii=False).replace("<", "\\u003c"))


def _digest(site: dict[str, bytes]) -> str:
    digest = hashlib.sha256()
    for name, content in sorted(site.items()):
        digest.update(name.encode() + b"\0" + content)
    return digest.hexdigest()[:12]


def _decompressor() -> bytes:
    """Zstandard's code, which the package carries in a text."""
    script = (files_of(ZSTDDEC) / ZSTDDEC.files[0]).read_text(encoding="utf-8")
    found = re.search(r'wasm = "([\w+/=]+)"', script)
    assert found is not None, "a file of a checked archive"
    return base64.b64decode(found[1])


def zipped(content: dict[str, bytes], how: int = zipfile.ZIP_DEFLATED) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as pack:
        for name, each in sorted(content.items()):
            pack.writestr(zipfile.ZipInfo(name, LONG_AGO), each, how, 9)
    return made.getvalue()


def pack() -> dict[str, bytes]:
    """All Python that runs in the page, and what it reads."""
    found = {"infila/__init__.py": (INFILA / "__init__.py").read_bytes(), "infila/site/__init__.py": b""}
    for room in ROOMS:
        found |= {f"infila/{name}": file.read_bytes() for name, file in _files(INFILA / room, INFILA) if _needed(file)}
    for game in NAMES:
        found[f"infila/games/{game}/heuristics.py"] = _levels(game).encode()
    for language in LANGUAGES:
        if language != "en":
            found[f"infila/web/locale/{language}.json"] = _as_json(catalogue(language))
        for game in NAMES:
            found[f"infila/web/rules/{game}.{language}.json"] = _as_json(rules_html(game, language))
    instead = OWN / "instead"
    found |= {f"instead/{name}": file.read_bytes() for name, file in _files(instead, instead)}
    for package in PACKAGES:
        spec = find_spec(package)
        assert spec is not None and spec.submodule_search_locations, "a dependency of infila"
        root = Path(spec.submodule_search_locations[0])
        found |= {name: file.read_bytes() for name, file in _files(root, root.parent) if file.suffix == ".py"}
    return found


def read_later(packed: dict[str, bytes]) -> dict[str, bytes]:
    """Of a pack what a page reads: all modules are in the image, which still looks for the packages among the files."""
    read = {name: content for name, content in packed.items() if not name.endswith(".py")}
    return read | {name: b"" for name in packed if name.endswith("/__init__.py")}


def _as_json(made: Any) -> bytes:
    return json.dumps(made, ensure_ascii=False, separators=(",", ":")).encode()


def _files(folder: Path, root: Path) -> Iterator[tuple[str, Path]]:
    for file in folder.rglob("*"):
        if file.is_file() and file.suffix in ENDINGS and "__pycache__" not in file.parts:
            yield file.relative_to(root).as_posix(), file


def _needed(file: Path) -> bool:
    within = file.relative_to(INFILA).parts
    return "migrations" not in within and not (within[0] == "games" and file.name in WITHOUT)


def _levels(game: str) -> str:
    """Of a game's heuristics, which are compiled, what a player reads."""
    found = contract_of(game).heuristics
    levels = {name: found.LEVELS[name] for name in found.LEVELS}
    return f"from infila.core.contract import Level\n\nLEVELS = {levels!r}\nSPREAD = {found.SPREAD!r}\n"
