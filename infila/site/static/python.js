// The worker: Python, the modules of the games, and what the browser keeps. It answers as a server would.

import { EDITION, FILES, GAMES, LOCK } from "./edition.js";
import { open } from "./keep.js";
import { BadModule, start } from "./module.js";
import { loadPyodide } from "./pyodide.js";
import { unpacker } from "./unpack.js";

const CODE = "pyodide.asm.wasm", PYTHON = "python";
const PAGE = 65536, CELLS = 64;
const EMPTY_ZIP = Uint8Array.of(80, 75, 5, 6, ...Array(18).fill(0));
const file = (name) => new URL(name, import.meta.url);
const SITE = file(".").pathname;
const CACHE = `infila python ${SITE} ${EDITION}`;

class Trouble extends Error {
  constructor(word, problem) {
    super(problem);
    this.word = word;
  }
}

// what comes over the network

const LATER = /^puzzles/;                      // comes when somebody asks for it
let whole = Object.entries(FILES).reduce((sum, [name, { size }]) => LATER.test(name) ? sum : sum + size, 0);
let come = 0;

function tell() {
  if (come) postMessage({ share: Math.min(come / whole, 1) });
}

// Once more if it is damaged, and then past all that is kept on the way (sw.js).
async function fetched(name) {
  return (await received(name, "default")) ?? (await received(name, "reload")) ?? Promise.reject(new Trouble("damaged", name));
}

async function received(name, cache) {
  const answer = await fetch(file(name), { cache }).catch((problem) => { throw new Trouble("unreachable", problem); });
  if (!answer.ok) throw new Trouble("unreachable", `${name}: ${answer.status}`);
  const { size, sha256 } = FILES[name];
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const reader = answer.body.getReader(); ;) {
    const { done, value } = await reader.read().catch((problem) => { throw new Trouble("unreachable", problem); });
    if (done) break;
    if (at + value.length > size) return null;
    bytes.set(value, at);
    at += value.length;
    come += value.length;
    tell();
  }
  const found = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  const hex = [...found].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex === sha256 ? bytes : null;
}

// What has been unpacked is kept.

const made = new Map();

async function kept(name) {
  try {
    return await caches.open(CACHE).then((cache) => cache.match(file(name)));
  } catch {                                     // a browser may keep nothing
    return undefined;
  }
}

async function keep() {
  for (const name of await caches.keys()) {
    if (name.startsWith(`infila python ${SITE} `) && name !== CACHE) await caches.delete(name);
  }
  const cache = await caches.open(CACHE);
  for (const [name, bytes] of made) {
    const type = name === CODE ? "application/wasm" : "application/octet-stream";
    await cache.put(file(name), new Response(bytes, { headers: { "content-type": type } }));
  }
  made.clear();
}

/** What need not come: the rest is the whole. */
function had(name) {
  whole -= FILES[`${name}.zst`].size;
  tell();
}

let unpacks;

async function unpacked(name) {
  unpacks ??= fetched("zstd.wasm").then(unpacker);
  const [bytes, unpack] = await Promise.all([fetched(`${name}.zst`), unpacks]);
  made.set(name, unpack(bytes));
  return made.get(name);
}

async function code() {
  const found = await kept(CODE);
  const compiled = found && (await WebAssembly.compileStreaming(found).catch(() => null));     // it may be damaged
  if (compiled) had(CODE);
  return compiled || WebAssembly.compile(await unpacked(CODE)).catch(unknown);
}

// What comes is what was sent: a browser that cannot read it is too old for it.
function unknown(problem) {
  const old = problem instanceof WebAssembly.CompileError || problem instanceof SyntaxError;
  throw old ? new Trouble("old", problem) : problem;
}

/** What else Python needs, by name (make.mjs). */
async function contents() {
  const found = await (await kept(PYTHON))?.arrayBuffer();
  const complete = found?.byteLength === FILES[`${PYTHON}.zst`].plain;
  if (complete) had(PYTHON);
  const bytes = complete ? new Uint8Array(found) : await unpacked(PYTHON);
  const count = new DataView(bytes.buffer).getUint32(0, true);
  const { parts, ...list } = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + count)));
  let at = 4 + count;
  for (const [name, size] of parts) list[name] = bytes.subarray(at, at += size);
  return list;
}

// the modules of the games

const modules = {}, described = {};
const thoughts = new Map();
let thinker;

async function module(game, all) {
  try {
    described[game] = { code: all[`${game}.wasm`].slice(), description: JSON.parse(new TextDecoder().decode(all[`${game}.json`])) };
    modules[game] = await start(described[game].code, described[game].description);
  } catch (problem) {
    throw problem instanceof BadModule ? new Trouble("damaged", problem) : problem;
  }
}

// Python's memory in which arguments and results lie (infila/site/browser/main.py)
class Desk {
  #python;
  #memory;
  #begin;

  constructor(python) { this.#python = python; }

  lay(memory) {
    this.#memory?.release();
    this.#memory = memory.getBuffer("u8");
    this.#begin = this.#memory.data.byteOffset;         // once memory has grown, this view of it knows nothing any more
  }

  run(game, name) {
    const { HEAPU8: heap } = this.#python._module;      // another one after it has grown
    const begin = this.#begin, cells = new DataView(heap.buffer, begin);
    let at = begin + 8 * CELLS;
    const given = modules[game].description.entries[name].takes.map((kind, i) => {
      const cell = cells.getBigInt64(8 * i, true);
      if (!kind.endsWith("[]")) return cell;
      const array = heap.subarray(at, at + Number(cell));
      at += 8 * Math.ceil(array.length / 8);
      return array;
    });
    const results = [modules[game].call(name, ...given) ?? []].flat();
    results.forEach((result, i) => cells.setBigInt64(8 * i, BigInt(result), true));
    return results.length;
  }
}

function search(task) {
  thinker ??= thinking();
  const id = crypto.randomUUID();
  thinker.postMessage({ id, task: JSON.parse(task) });
  return new Promise((resolve) => thoughts.set(id, (action) => resolve(action ?? undefined)));       // undefined is None
}

function thinking() {
  const worker = new Worker(file("thinker.js"), { type: "module" });
  for (const [game, given] of Object.entries(described)) worker.postMessage({ game, ...given });
  worker.onmessage = ({ data: { id, action } }) => {
    thoughts.get(id)(action);
    thoughts.delete(id);
  };
  worker.onerror = (problem) => {               // nobody would answer: Python thinks, and next time another one is asked
    problem.preventDefault();                   // the house would take it for Python's
    worker.terminate();
    thinker = undefined;
    thoughts.forEach((resolve) => resolve(null));
    thoughts.clear();
  };
  return worker;
}

// Python

// Pyodide fetches and compiles its code itself: it gets what is compiled. It is told of no image larger than the memory
// is at first, so there is only the header of one, and its memory is written here. The image lacks what the code brings.
function withImage(compiling, { header, image, runs, data, size }) {
  const fetches = self.fetch;
  self.fetch = async (address, how) => {
    const name = new URL(address.url ?? address, self.location.href).pathname.split("/").pop();
    if (name === CODE) return new Response();
    return name === "python_stdlib.zip" ? new Response(EMPTY_ZIP) : fetches.call(self, address, how);
  };
  let first, before;
  const own = WebAssembly.instantiateStreaming;
  WebAssembly.instantiateStreaming = async (_answer, imports) => {
    WebAssembly.instantiateStreaming = own;
    const code = await compiling.catch(() => new Promise(() => {}));    // whoever waits for both is told
    const instance = await WebAssembly.instantiate(code, imports);
    const { memory } = instance.exports;
    before = memory.buffer.byteLength;
    first = new Uint32Array(memory.buffer.slice(0, 4 * Math.ceil(data / 4)));
    if (size > before) memory.grow((size - before) / PAGE);
    return { instance, module: code };
  };
  return (python) => {
    const restore = python.API.restoreSnapshot;
    python.API.restoreSnapshot = () => {
      const facts = restore(header.slice());
      const memory = python.HEAPU8;
      memory.fill(0, 0, before);
      let from = 0;
      for (const [at, length] of runs) memory.set(image.subarray(from, from += length), at);
      const words = new Uint32Array(memory.buffer, 0, first.length);
      for (let i = 0; i < first.length; i += 1) words[i] ^= first[i];
      python.API.restoreSnapshot = restore;     // nobody holds the image any longer
      self.fetch = fetches;
      return facts;
    };
    return python;
  };
}

const puzzles = (game) => FILES[`puzzles/${game}.bin`] ? fetched(`puzzles/${game}.bin`) : null;

async function boot() {
  const keeper = open(SITE).catch((problem) => { throw new Trouble("unkept", problem); });
  const compiling = code();
  for (const each of [keeper, compiling]) each.catch(() => {}); // who waits for several is told of the first
  const all = await contents();
  const script = import(URL.createObjectURL(new Blob([all["pyodide.asm.mjs"]], { type: "text/javascript" }))).catch(unknown);
  const begun = GAMES.map((game) => module(game, all));
  const withMemory = withImage(compiling, all);
  const { default: create } = await script;
  const starting = loadPyodide({
    indexURL: file(".").href, lockFileContents: LOCK, _loadSnapshot: all.header,
    createPyodideModule: (settings) => create(settings).then(withMemory),
  });
  const [python, store] = await Promise.all([starting, keeper, compiling, ...begun]);
  python._api.on_fatal = () => postMessage({ failed: "failed" });       // Python is dead: nobody would answer
  python.FS.writeFile("/lib/infila.zip", all["infila.zip"]);
  const main = python.pyimport("infila.site.browser.main");
  await main.begin(store, new Desk(python), search, undefined, puzzles).catch((problem) => { throw problem.type === "Unkept" ? new Trouble("unkept", problem) : problem; });
  return main;
}

/** What Python's bytes say. */
function text(bytes) {
  const lying = bytes.getBuffer("u8"), said = new TextDecoder().decode(lying.data);
  lying.release();
  bytes.destroy();
  return said;
}

const listening = new Map();
const main = boot();
main.then(() => postMessage({ ready: true }), (problem) => {
  console.info(String(problem).slice(0, 1000));
  if (!problem.word) caches.delete(CACHE).catch(() => {});              // what was unpacked may be at fault
  postMessage({ failed: problem.word ?? "failed" });
});

onmessage = async ({ data: { id, ask, listen, stop, quiet } }) => {
  const python = await main.catch(() => null);
  if (!python) return;
  if (quiet) {
    keep().catch(() => {});                     // without room it is unpacked again
  } else if (stop) {
    listening.get(id)?.cancel();
    listening.get(id)?.destroy();
    listening.delete(id);
  } else if (listen) {
    listening.set(id, python.listen(listen, (version) => postMessage({ id, version })));
  } else {
    const answer = await python.ask(...ask).then(text, (problem) => {
      console.error(String(problem).slice(-1500));
      return "[500, {}, {}]\n";
    });
    const end = answer.indexOf("\n");
    postMessage({ id, answer: [...JSON.parse(answer.slice(0, end)), answer.slice(end + 1)] });
  }
};
