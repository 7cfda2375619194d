// Makes the image of Python that a site begins with: everything is imported and made ready once, when the site is built,
// and the memory of that Python is what a browser loads. Run by Node.js: make.mjs FOLDER LEVEL, where FOLDER has
// pyodide/, pack.zip and bytecode.py, and beside/ with what a browser needs together with the image, and gets what is made.

import crypto from "node:crypto";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const PAGE = 65536;
const BLOCK = 4096;
const [folder, level] = process.argv.splice(1, 3, "infila").slice(1);      // Python keeps what is left: nothing of this machine
const path = (name) => join(folder, name);
const read = (name) => new Uint8Array(readFileSync(path(name)));
const { loadPyodide } = await import(pathToFileURL(path("pyodide/pyodide.mjs")));
const start = (how) => loadPyodide({ indexURL: path("pyodide/"), env: { HOME: "/home", LANG: "en_US.UTF-8", PYTHONHASHSEED: "0" }, ...how });

// The same sources give the same image: while it is made no time passes, and nothing happens by chance. A page has its
// own time, and its own luck.
Date.now = () => 0;
performance.now = () => 0;
crypto.randomFillSync = (bytes) => bytes.fill(1);
syncBuiltinESMExports();

const tell = (text) => process.stdout.write(`${text}\n`);

// A first Python makes bytecode of everything, and later compresses.
tell("Python becomes bytecode ...");
const tool = await start({});
tool.FS.writeFile("/home/bytecode.py", read("bytecode.py"));
tool.FS.writeFile("/home/library.zip", read("pyodide/python_stdlib.zip"));
tool.FS.writeFile("/home/pack.zip", read("pack.zip"));
tool.runPython(`
import sys
sys.path.insert(0, "/home")
from bytecode import pack
pack("/home/library.zip", "/home/library-made.zip")
pack("/home/pack.zip", "/home/pack-made.zip")
`);
writeFileSync(path("library.zip"), tool.FS.readFile("/home/library-made.zip"));

tell("Everything is imported and made ready ...");

// A second one becomes the image. The memory with which its WebAssembly begins is remembered: the module brings that.
let first;
const instantiate = WebAssembly.instantiate;
WebAssembly.instantiate = async (...given) => {
  const made = await instantiate(...given);
  const memory = made.instance?.exports.memory;
  if (memory && !first) first = new Uint8Array(memory.buffer.slice(0));
  return made;
};
const python = await start({ stdLibURL: path("library.zip"), _makeSnapshot: true });
python.FS.writeFile("/lib/infila.zip", tool.FS.readFile("/home/pack-made.zip"));
python.runPython(`
import sys
sys.path[:0] = ["/lib/infila.zip/instead", "/lib/infila.zip"]
import infila.site.browser.main
infila.site.browser.main.prepare()
`);
wipe(python._module);
const image = python.makeMemorySnapshot();
const header = image.length % PAGE;
let length = first.length;
while (first[length - 1] === 0) length -= 1;
for (let i = 0; i < length; i += 1) image[header + i] ^= first[i];

// More than half of the memory is empty: of the image there are only the runs of blocks in which something is.
const memory = image.subarray(header);
const runs = [];
for (let at = 0; at < memory.length; at += BLOCK) {
  const last = runs.at(-1);
  if (memory.subarray(at, at + BLOCK).every((byte) => byte === 0)) continue;
  if (last && last[0] + last[1] === at) last[1] += BLOCK;
  else runs.push([at, BLOCK]);
}

const sizes = {};
const compressed = (name, bytes) => {
  tell(`${name} is compressed ...`);
  sizes[name] = bytes.length;
  tool.FS.writeFile("/home/in", bytes);
  tool.runPython(`
from compression import zstd
with open("/home/in", "rb") as given, open("/home/out", "wb") as made:
    made.write(zstd.compress(given.read(), ${Number(level)}))
`);
  writeFileSync(path(name), tool.FS.readFile("/home/out"));
};
compressed("pyodide.asm.wasm.zst", read("pyodide/pyodide.asm.wasm"));

// Everything else that Python needs is one file: how long its list of contents is, the list, and the contents.
const parts = readdirSync(path("beside")).sort().map((name) => [name, read(`beside/${name}`)]);
parts.push(["header", image.subarray(0, header)], ["image", Buffer.concat(runs.map(([at, size]) => memory.subarray(at, at + size)))]);
const list = Buffer.from(JSON.stringify({
  parts: parts.map(([name, { length: size }]) => [name, size]), runs, data: length, size: memory.length,
}));
const count = Buffer.alloc(4);
count.writeUInt32LE(list.length);
compressed("python.zst", Buffer.concat([count, list, ...parts.map(([, content]) => content)]));

// The front page as a newcomer sees it, to be shown before Python is there.
const main = python.pyimport("infila.site.browser.main");
const nothing = { lines: async () => "[]", entries: async () => "[]", append: async () => true, fact: async () => "", note: async () => {} };
await main.begin(nothing, { lay() {}, run() { throw new Error("the front page needs no rules"); } });
for (const language of ["en", "it", "de"]) {
  const asked = JSON.stringify({ accept: "text/html", "accept-language": language });
  const answer = Buffer.from((await main.ask("GET", "/", asked, "{}", "")).toJs());
  writeFileSync(path(`front.${language}.html`), answer.subarray(answer.indexOf("\n") + 1));
}
writeFileSync(path("made.json"), JSON.stringify(sizes));
process.exit(0);

// What has been freed still holds what it held: it is overwritten, so that it compresses to nothing.
function wipe(module) {
  const taken = [];
  const end = module._sbrk(0);
  for (let size = 1 << 17; size >= 12; size = Math.floor(size * 0.93)) {
    for (;;) {
      const at = module._malloc(size);
      if (!at || at >= end) {
        module._free(at);
        break;
      }
      module.HEAPU8.fill(0, at, at + size);
      taken.push(at);
    }
  }
  for (const at of taken) module._free(at);
}
