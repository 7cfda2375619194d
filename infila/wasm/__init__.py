"""Rules as WebAssembly: the third place where they run, beside the CPU and the GPU.

A module has the entries of one game (`infila.core.entry`), imports nothing, and gives the same bytes as the CPU. It
runs wherever there is an engine: in a browser (`module.js`), or here by wasmtime (`instance`), without anything being
compiled for this machine first.

- `build` makes a module; `compile` is the part that runs in a process of its own, `link` what LLVM leaves to a linker.
- `modules` finds a game's module: `rules.wasm` in its folder, and `rules.json`, which says how to call it.
- `instance` runs it; `use` says when Python calls it instead of compiled rules; `module.js` runs it in a browser.
"""
