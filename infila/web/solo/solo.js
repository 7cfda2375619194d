// A solo table: its computers think in this browser, in a worker, if it can (infila/server/solo.py).

const root = document.querySelector(".table");

if (isSecureContext && window.Worker && window.WebAssembly) {
  const worker = new Worker(new URL("worker.js", import.meta.url), { type: "module" });
  const ask = () => worker.postMessage(new URL(root.dataset.url, location).href);
  let asked = -1;       // the version for which it has asked
  ask();                // which says that it can
  root.addEventListener("updated", ({ detail: state }) => {
    if (!state || state.over || state.version === asked || root.querySelector(".seat.turn.you")) return;
    asked = state.version;
    ask();
  });
}
