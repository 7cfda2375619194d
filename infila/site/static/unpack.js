// Unpacks what Zstandard has packed, with its own code (zstd.wasm).

/** A function that unpacks bytes. What it is given was found to be what was packed. */
export async function unpacker(code) {
  const { instance: { exports } } = await WebAssembly.instantiate(code, { env: { emscripten_notify_memory_growth() {} } });
  return (packed) => {
    const from = exports.malloc(packed.length);
    new Uint8Array(exports.memory.buffer).set(packed, from);
    const size = Number(exports.ZSTD_findDecompressedSize(from, packed.length));
    const to = exports.malloc(size);
    exports.ZSTD_decompress(to, size, from, packed.length);
    const made = new Uint8Array(exports.memory.buffer).slice(to, to + size);
    exports.free(from);
    exports.free(to);
    return made;
  };
}
