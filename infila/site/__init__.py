"""The table without a server: the same pages, made by the same Python, in the browser of whoever plays.

Everything that a server's page does beside the network runs in a worker of the page, by Pyodide: what can be done at a
table (`infila.server`), its pictures, words, lessons and advice. Rules and searches are WebAssembly (`infila.wasm`).

- `browser`: what is different there: a ledger that the browser keeps, thinking without threads, one person.
- `instead`: what is missing there, as far as infila uses it: NumPy's arrays, msgspec's structs, Litestar's handlers.
  There is no compiler, so Numba's decorators do nothing.
"""
