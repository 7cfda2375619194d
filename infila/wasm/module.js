// A game's module in a browser: rules.wasm, and rules.json, which says how to call it (infila/wasm/modules.py).
// There are no rules in here: arrays and numbers go in, the module computes, and the arrays come back changed.

const CELL = 8;
const PAGE = 1 << 16;
const ALIGNED = 64;

export class BadModule extends Error {}

/** Fetch a module, given where its two files are; it is refused unless it is what its description promises. */
export async function load(folder) {
  const [code, description] = await Promise.all([
    fetched(new URL("rules.wasm", folder)).then((answer) => answer.arrayBuffer()),
    fetched(new URL("rules.json", folder)).then((answer) => answer.json()),
  ]);
  return start(code, description);
}

/** A module from its bytes. */
export async function start(code, description) {
  const found = new Uint8Array(await crypto.subtle.digest("SHA-256", code));
  const hex = [...found].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  if (hex !== description.sha256) throw new BadModule(`the rules of ${description.game} are damaged`);
  const { instance } = await WebAssembly.instantiate(code, {});
  return new Module(instance.exports, description);
}

async function fetched(address) {
  const answer = await fetch(address);
  if (!answer.ok) throw new BadModule(`${address} is not there (${answer.status})`);
  return answer;
}

export class Module {
  #exports;
  #entries;

  constructor(exports, description) {
    this.description = description;
    this.#exports = exports;
    this.#entries = description.entries;
  }

  /** The bytes of one item of a kind: of a number, i2, or of a record, State. */
  size(kind) {
    return this.description.records[kind]?.size ?? Number(kind.slice(1));
  }

  /** Call an entry. An array is a typed array of the items' bytes, which the entry may change; a number is a Number or
   *  a BigInt. Gives nothing, a Number, or several. */
  call(name, ...given) {
    const { gives, takes } = this.#entries[name];
    if (given.length !== takes.length) throw new TypeError(`${name} takes ${takes.length} arguments`);
    const arrays = [];
    let top = this.#exports.heap.value;
    const cells = takes.flatMap((kind, i) => {
      if (!kind.endsWith("[]")) return [BigInt(given[i])];
      const { buffer, byteOffset, byteLength } = given[i];
      const bytes = new Uint8Array(buffer, byteOffset, byteLength);
      const at = Math.ceil(top / ALIGNED) * ALIGNED;
      top = at + byteLength;
      arrays.push([at, bytes]);
      return [BigInt(at), BigInt(byteLength / this.size(kind.slice(0, -2)))];
    });
    const { memory } = this.#exports;
    const missing = top - memory.buffer.byteLength;
    if (missing > 0) memory.grow(Math.ceil(missing / PAGE));
    const held = new Uint8Array(memory.buffer);
    const block = new DataView(memory.buffer, this.#exports.block.value);
    for (const [at, bytes] of arrays) held.set(bytes, at);
    cells.forEach((cell, i) => block.setBigInt64(CELL * (gives.length + i), BigInt.asIntN(64, cell), true));
    this.#exports[name]();
    for (const [at, bytes] of arrays) bytes.set(held.subarray(at, at + bytes.length));
    const results = gives.map((_, i) => Number(block.getBigInt64(CELL * i, true)));
    return gives.length > 1 ? results : results[0];
  }
}
