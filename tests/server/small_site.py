"""A folder that looks like a site, with as little in it as that takes: nothing of Python, and no game."""

from pathlib import Path

FILES = {
    "index.html": '<!doctype html><html lang="en"><title>small</title><script type="module" src="./site.js"></script>'
    "<h1>small</h1>",
    "site.js": 'import { EDITION } from "./parts/more.js";\n'
    'const { instance } = await WebAssembly.instantiateStreaming(fetch("./parts/tiny.wasm"));\n'
    'await navigator.serviceWorker.register("./sw.js");\n'
    "document.title = `${EDITION} ${instance instanceof WebAssembly.Instance} ${location.search}`;\n",
    "parts/more.js": 'export { EDITION } from "../edition.js";\n',
    "edition.js": 'export const EDITION = "1";\n',
    "sw.js": 'const FILES = ["./", "./site.js", "./edition.js", "./parts/more.js", "./parts/tiny.wasm"];\n'
    'addEventListener("install", (event) => event.waitUntil(\n'
    '  caches.open("infila-files-1").then((cache) => cache.addAll(FILES))));\n'
    'addEventListener("fetch", (event) => event.respondWith(\n'
    "  caches.match(event.request, { ignoreSearch: true }).then((found) => found ?? fetch(event.request))));\n",
    "manifest.webmanifest": "{}",
}


def small_site(folder: Path) -> Path:
    """Written into a folder, which is returned."""
    for name, text in FILES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    (folder / "parts" / "tiny.wasm").write_bytes(b"\0asm\1\0\0\0")
    return folder
